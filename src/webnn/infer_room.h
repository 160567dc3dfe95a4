/* Inference over operands of a graph. */
#ifndef WEBNN_INFER_ROOM_H
#define WEBNN_INFER_ROOM_H

#include "webnn/graph.h"

/* Room that is used again from call to call. */
struct infer_room {
    VEC(struct descriptor) operands;
    VEC(struct descriptor) results;
    VEC(const struct descriptor *) slots;
};
void infer_room_init(struct infer_room *r, const o2w_allocator *allocator);
void infer_room_free(struct infer_room *r);
/* Descriptors of the operands (NO_ID: absent) and room for results; `in` points to them. */
o2w_status infer_room_load(struct infer_room *r, const struct graph *g, const operand_id *operands,
                           uint32_t operand_count, uint32_t result_count, struct infer *in);

#endif
