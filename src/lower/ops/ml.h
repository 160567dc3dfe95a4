/* What rows of ai.onnx.ml share: rows of features, scores, class labels. */
#ifndef LOWER_OPS_ML_H
#define LOWER_OPS_ML_H

#include "lower/helpers.h"

#define SET_ML                                                                      \
    (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT64) | DTYPE_BIT(DTYPE_INT32) | \
     DTYPE_BIT(DTYPE_INT64))

/* Input 0 as float32 of shape [N, F]; rank 1 is one row. F must be a number. */
o2w_status ml_rows(struct lower *l, const struct node_view *n, value *out);
/* Known float32 numbers of the shape given. */
o2w_status ml_floats(struct lower *l, const float *items, const dim *dims, uint32_t rank,
                     value *out);
/* Refuses unless attribute `name` has `count` numbers. */
o2w_status ml_count(struct lower *l, const struct node_view *n, const char *name, uint64_t given,
                    uint64_t count);

/* --- scores -------------------------------------------------------------------------------------- */

/* In the order of the numbers that the runtime has for them in TreeEnsemble 5; its text exchanges LOGISTIC
 * and SOFTMAX. */
enum post_transform { POST_NONE, POST_LOGISTIC, POST_SOFTMAX, POST_SOFTMAX_ZERO, POST_PROBIT };
#define POST_TRANSFORMS "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT"
enum post_transform post_transform_of(struct span text);

/* The transform of scores [N, E], E >= 2. */
value post_scores(struct calc *c, enum post_transform post, value scores);
/* One column s becomes two: [low(s), s]; `complement`: 1 - s, else -s. The runtime applies no softmax
 * here, and the logistic function to both. Not for POST_PROBIT. */
value post_pair(struct calc *c, enum post_transform post, value score, bool complement);
/* Of one column alone the runtime transforms PROBIT only. */
value post_single(struct calc *c, enum post_transform post, value score);
/* sqrt(2) times the inverse of erf at 2x - 1, as the runtime approximates it (H22). */
value probit(struct calc *c, value x);

/* --- labels -------------------------------------------------------------------------------------- */

/* Attributes classlabels_…: one of them is given. */
struct ml_labels {
    struct ints integers;
    struct texts strings;
};
static inline uint32_t ml_label_count(const struct ml_labels *labels)
{
    return labels->strings.count ? labels->strings.count : labels->integers.count;
}
/* One kind of labels is given, at least one. */
o2w_status ml_check_labels(struct lower *l, const struct node_view *n,
                           const struct ml_labels *labels);
/* The first of the highest of scores [N, E]: int64 [N]. */
o2w_status ml_best(struct lower *l, value scores, value *out);
/* Output i of string labels, or of the labels at the places of `index`, int64. */
o2w_status ml_emit_labels(struct lower *l, const struct node_view *n, uint32_t i,
                          const struct ml_labels *labels, value index);
/* A label where the condition (uint8 [N]) holds and another elsewhere, by places. */
o2w_status ml_choose(struct lower *l, value condition, int64_t yes, int64_t no, value *out);

#endif
