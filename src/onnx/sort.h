/* Topological order. */
#ifndef ONNX_SORT_H
#define ONNX_SORT_H

#include "base/arena.h"

/* Nodes 0 … count-1; node i needs edges[starts[i]] … edges[starts[i + 1] - 1]. */
struct sort_graph {
    const uint32_t *starts, *edges;
    uint32_t count;
};

/* Writes the nodes to `order`: each behind all that it needs, and in their own order as far as that
 * allows. O2W_FORMAT: there is a cycle, whose nodes then are in `order`, each needed by the next,
 * the last by the first; *length of them. Linear in nodes and edges. */
o2w_status sort_topological(const struct sort_graph *g, const o2w_allocator *allocator,
                            uint32_t *order, uint32_t *length);

#endif
