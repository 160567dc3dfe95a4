/* What a target makes of each operator by itself. */
#ifndef EMIT_SUPPORT_H
#define EMIT_SUPPORT_H

#include "webnn/graph.h"

enum support { SUPPORT_FULL, SUPPORT_REWRITTEN, SUPPORT_REFUSED, SUPPORT_UNKNOWN };

/* The legaliser's answer for every operator alone, its other operands as inputs: what only its neighbours' values
 * make possible counts as refused. out has room for all operators. O2W_NO_MEMORY. */
o2w_status support_find(const struct graph *g, const struct limits *limits, enum support *out);

#endif
