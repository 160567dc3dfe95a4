/* Lowerings of the reduction family that stand in files of their own. */
#ifndef LOWER_OPS_REDUCTION_H
#define LOWER_OPS_REDUCTION_H

#include "lower/helpers.h"

/* reduction_axis.c */
struct arg_params {
    int64_t axis, keepdims, select_last_index;
};
struct cum_params {
    int64_t exclusive, reverse;
};
struct one_axis {
    int64_t axis;
};
o2w_status lower_arg(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_cum_sum(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_cum_prod(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_softmax(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_softmax_flat(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_log_softmax(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_log_softmax_flat(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_hardmax(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_hardmax_flat(struct lower *l, const struct node_view *n, const void *params);

/* reduction_top_k.c */
struct top_k_params {
    int64_t axis, largest, sorted, k;
};
o2w_status lower_top_k(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_top_k_1(struct lower *l, const struct node_view *n, const void *params);
o2w_status evaluate_top_k(struct lower *l, const struct node_view *n, const void *params);
o2w_status evaluate_top_k_1(struct lower *l, const struct node_view *n, const void *params);
/* 1 at the k largest elements along the axis, of equal ones those of lower index; else 0. uint8. */
o2w_status top_k_mask(struct lower *l, const struct node_view *n, value x, uint32_t axis, int64_t k,
                      value *out);

#endif
