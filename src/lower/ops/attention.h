/* What the rows of attention share. Heads stand as [batch, heads, sequence, size], in float32. */
#ifndef LOWER_OPS_ATTENTION_H
#define LOWER_OPS_ATTENTION_H

#include "lower/helpers.h"

/* 0, 1 … size - 1 in int64 along `axis` of rank 4; the size may be open. */
o2w_status attention_positions(struct lower *l, dim size, uint32_t axis, value *out);
/* Positions of the last `count` of `size` places, along axis 2 of rank 4. */
o2w_status attention_last_positions(struct lower *l, dim size, dim count, value *out);
/* scale · q · kᵀ, [batch, heads, queries, keys]. k may have fewer heads: each serves a group of the
 * query's, one after the other, without being repeated. */
o2w_status attention_scores(struct lower *l, const struct node_view *n, value q, value k,
                            double scale, value *out);
/* weights · v, where v may have fewer heads too: [batch, heads, queries, size]. */
o2w_status attention_mix(struct lower *l, const struct node_view *n, value weights, value v,
                         value *out);
/* cap · tanh(scores / cap); 0: no cap. */
value attention_capped(struct calc *c, value scores, double cap);
/* Rotary positions of x [batch, sequence, heads, size]: its first columns turn by the angles
 * [batch | 1, sequence, 1, half], as front and back half or, interleaved, as even and odd columns. */
o2w_status rotary_turn(struct lower *l, value x, value cosine, value sine, bool interleaved,
                       value *out);

#endif
