/* What the rows of attention share. Heads stand as [batch, heads, sequence, size], in float32. */
#ifndef LOWER_OPS_ATTENTION_H
#define LOWER_OPS_ATTENTION_H

#include "lower/helpers.h"

/* Each of the key's heads serves a group of the query's, one after the other: x with `heads` heads. */
o2w_status repeat_heads(struct lower *l, const struct node_view *n, dim heads, value x, value *out);
/* scale · q · kᵀ: half of the scale goes to either side, so that float16 stays in range. */
value attention_scores(struct calc *c, value q, value k, double scale);
/* cap · tanh(scores / cap); 0: no cap. */
value attention_capped(struct calc *c, value scores, double cap);
/* Rotary positions of x [batch, sequence, heads, size]: its first columns turn by the angles
 * [batch | 1, sequence, 1, half], as front and back half or, interleaved, as even and odd columns. */
o2w_status rotary_turn(struct lower *l, value x, value cosine, value sine, bool interleaved,
                       value *out);

#endif
