/* GRU and LSTM cells written out in float32. */
#ifndef NODES_CELLS_H
#define NODES_CELLS_H

#include "nodes/lower.h"

/* Weights of one direction in the operator's own layout; absent ones are NULL. */
struct cell {
    ref weight, recurrent, bias, recurrent_bias, peephole;
    int64_t hidden;
    uint32_t layout;
    bool reset_after;
    const struct webnn_u32s *activations;
};

/* One step: [batch, in] and the states [batch, hidden], which are replaced. gru has no *c. */
void gru_step(struct emit *e, const struct cell *cell, ref x, ref *h, ref *c);
void lstm_step(struct emit *e, const struct cell *cell, ref x, ref *h, ref *c);

/* x along axis in `count` parts of one size. */
void split_evenly(struct emit *e, ref x, uint32_t axis, int64_t size, ref *parts, uint32_t count);

#endif
