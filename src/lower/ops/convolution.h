/* What the files of convolutions share. */
#ifndef LOWER_OPS_CONVOLUTION_H
#define LOWER_OPS_CONVOLUTION_H

#include "lower/ops/window.h"

/* Ranks of data and weights, and the group. */
o2w_status check_conv(struct lower *l, const struct node_view *n, int64_t group, value x, value w);
/* [N, C, W] as [N, C, 1, W]; rank 4 as it is. */
o2w_status two_spatial(struct lower *l, value x, value *out);

#endif
