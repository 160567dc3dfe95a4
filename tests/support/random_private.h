/* What the generator and its recipes share. */
#ifndef SUPPORT_RANDOM_PRIVATE_H
#define SUPPORT_RANDOM_PRIVATE_H

#include "support/random_graph.h"

struct making {
    const struct random_graph_options *options;
    struct builder builder;
    struct limits limits;
    struct arena arena;
    uint64_t state;
    uint32_t names;
    struct random_graph_counts *counts;
};

/* From 0 to below n. */
uint32_t pick(struct making *m, uint32_t n);
/* True once in n times. */
bool once_in(struct making *m, uint32_t n);
enum dtype pick_dtype(struct making *m, dtype_set set);
/* A size, mostly small. */
dim pick_dim(struct making *m);
struct descriptor pick_shape(struct making *m, enum dtype t, uint32_t min_rank, uint32_t max_rank);
/* What the row says a slot may be. */
dtype_set slot_dtypes(enum webnn_operator kind, uint32_t slot);

/* An operand of this type: one that is there, a new input or a new constant. */
o2w_status operand_like(struct making *m, const struct descriptor *d, operand_id *out);
o2w_status constant_like(struct making *m, const struct descriptor *d, operand_id *out);
/* Records a call; named optional operands that are not given are NO_ID. */
o2w_status record_call(struct making *m, enum webnn_operator kind, const operand_id *operands,
                       uint32_t count, const void *attributes);
/* Operands of these types, then the call. A dtype of DTYPE_COUNT: absent. */
o2w_status record_like(struct making *m, enum webnn_operator kind,
                       const struct descriptor *operands, uint32_t count, const void *attributes);

/* random_recipes.c */
o2w_status random_call(struct making *m, enum webnn_operator kind);

#endif
