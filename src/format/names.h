/* Which identifier each operand has in a graph file. */
#ifndef FORMAT_NAMES_H
#define FORMAT_NAMES_H

#include "format/mangle.h"
#include "webnn/graph.h"

struct graph_names {
    struct span *operands;  /* identifier by operand id; unused operands too */
    struct span *originals; /* the name it stands for by operand id; empty: none */
    struct span
        *outputs;   /* identifier by output index: the operand's, or that of an identity of it */
    bool *identity; /* by output index: the output is an identity of its operand */
};

/* A function of the graph only. Safe names stay, others are mangled in the order inputs, outputs,
 * constants, node results; collisions get _2, _3 … In the arena. O2W_NO_MEMORY. */
o2w_status graph_names_assign(const struct graph *g, struct arena *arena, struct graph_names *out);

#endif
