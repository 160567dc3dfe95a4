/* Whether two graphs are the same but for ids, and for the identities that a file needs where one
 * operand is two outputs. */
#ifndef SUPPORT_GRAPH_COMPARE_H
#define SUPPORT_GRAPH_COMPARE_H

#include "webnn/graph.h"

enum compare_names { COMPARE_NO_NAMES, COMPARE_INTERFACE, COMPARE_ALL_NAMES };

/* NULL, or what differs first, in the arena. Types, order, options, weights bit by bit, and: the names
 * of inputs, outputs and constants, what the conversion fixed; with COMPARE_ALL_NAMES names of results
 * and metadata too. */
const char *graph_difference(const struct graph *a, const struct graph *b, enum compare_names names,
                             struct arena *arena);

#endif
