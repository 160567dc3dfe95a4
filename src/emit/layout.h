/* Where the nodes of a graph's picture stand: inputs, operators and outputs in layers from top to bottom. */
#ifndef EMIT_LAYOUT_H
#define EMIT_LAYOUT_H

#include "webnn/graph.h"

enum { LAYOUT_ROW = 64, LAYOUT_HEIGHT = 36 };

/* Nodes are numbered: inputs, then operators, then outputs. */
struct layout_node {
    uint32_t layer;
    double x, y, width; /* left, top */
};

struct layout_edge {
    uint32_t from, to; /* nodes */
    operand_id operand;
};

struct layout {
    uint32_t input_count, operator_count, output_count, count;
    struct layout_node *nodes;
    VEC(struct layout_edge) edges; /* by `to`, in operand order */
    double width, height;
};

/* Longest path, then medians: linear but for sorting within layers; a function of the graph alone. In the arena, edges
 * on the graph's allocator. O2W_NO_MEMORY. */
o2w_status layout_make(const struct graph *g, struct arena *arena, struct layout *out);
void layout_free(struct layout *l);
/* Places nodes whose widths are set along edges that lead from lower to higher numbers. */
o2w_status layout_place(struct layout *l, struct arena *arena);
/* Width of a node with that text. */
double layout_width(struct span text);
/* What stands in a node: the operator, or the name of an input or output. */
struct span layout_text(const struct graph *g, const struct layout *l, uint32_t node,
                        struct arena *arena);

#endif
