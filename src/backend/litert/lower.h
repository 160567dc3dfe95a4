/* From a WebNN graph to a model of the engine: float32, static shapes. */
#ifndef BACKEND_LITERT_LOWER_H
#define BACKEND_LITERT_LOWER_H

#include "backend/litert/model.h"
#include "webnn/graph.h"

enum { LITERT_RANK = 5 }; /* the most */

/* Whether there is a lowering; everything else is outside the engine's limits. */
bool litert_lowers(enum webnn_operator kind);
/* The graph as a file in memory, its constants copied into it. op.limits where an operator's attributes
 * are beyond the engine. */
o2w_status litert_lower(const struct graph *g, const o2w_allocator *allocator, struct diags *d,
                        struct flat *out);

#endif
