/* What builder and passes share about graphs. */
#ifndef WEBNN_GRAPH_PRIVATE_H
#define WEBNN_GRAPH_PRIVATE_H

#include "webnn/infer_room.h"

/* Weights that are not WEIGHT_BYTES are the same iff these words are. */
enum { WEIGHT_IDENTITY = 8 };
void weight_identity(const struct weight *w, uint64_t words[WEIGHT_IDENTITY]);
/* Whether source, transform and sizes fit together; NULL or what is wrong. */
const char *weight_fault(const struct weight *w);

/* Constraints without repetition: `seen` finds pairs of ids, its keys lie in `keys`. Constraints may be
 * taken from the end of the list at any time. */
o2w_status graph_add_constraint(struct graph *g, struct map *seen, struct arena *keys,
                                const struct constraint *c);
/* What inference of an operator with this label found. */
o2w_status graph_record_constraints(struct graph *g, struct map *seen, struct arena *keys,
                                    const struct infer *in, name_id label);
/* Names of inputs' dims that read as expressions over other such names must equal them. */
o2w_status graph_constrain_names(struct graph *g, struct map *seen, struct arena *keys);
/* Finds all constraints again, after operators or inputs went. On failure they stay as they were. */
o2w_status graph_derive_constraints(struct graph *g, struct diags *d);

#endif
