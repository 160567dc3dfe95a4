/* Who reads what in a graph, and which operators nobody needs once others compute their results in one. */
#ifndef WEBNN_USES_H
#define WEBNN_USES_H

#include "webnn/graph.h"

struct uses {
    uint32_t *counts; /* per operand: operators and outputs that read it */
    bool *lost;       /* per operand: a reader went */
    bool *kept;       /* per operator: stays whoever reads it */
};

/* The readers as the graph has them; in the arena. False when memory is out. */
bool uses_count(const struct graph *g, struct arena *a, struct uses *out);
/* One reader less. */
void uses_drop(struct uses *u, operand_id id);
/* Marks operators whose results only dropped readers or marked operators read; those that nobody read from
 * the start are not. */
void uses_absorb(const struct graph *g, struct uses *u, bool *absorbed);

#endif
