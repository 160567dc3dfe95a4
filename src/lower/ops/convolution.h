/* What the files of convolutions share. */
#ifndef LOWER_OPS_CONVOLUTION_H
#define LOWER_OPS_CONVOLUTION_H

#include "lower/ops/window.h"

/* What a params struct of a convolution begins with. */
struct conv_params {
    struct window_params window;
    int64_t group;
};

#define CONV_ATTRS                                                              \
    WINDOW_ATTRS(struct conv_params), WINDOW_KERNEL(struct conv_params, false), \
        WINDOW_DILATIONS(struct conv_params),                                   \
        ATTR_INT(struct conv_params, group, .fallback_int = 1)

/* Ranks of data [N, C, spatial …] and weights, and the group. */
o2w_status check_conv(struct lower *l, const struct node_view *n, int64_t group, value x, value w,
                      uint32_t weights_at);
/* Conv over one to three spatial dims; x, w and bias (may be NULL) are floats. */
o2w_status conv_run(struct lower *l, const struct node_view *n, const struct conv_params *p,
                    value x, value w, uint32_t weights_at, value bias, value *out);
/* The channels of x moved from the last place to place 1, or from there to the last. */
o2w_status channels_to(struct lower *l, value x, uint32_t place, value *out);
/* [N, C, W] as [N, C, 1, W]; rank 4 as it is. */
o2w_status two_spatial(struct lower *l, value x, value *out);

/* Kernel positions along the depth, as channels: each index of `starts` is a slice of the padded
 * x [N, C, D, H, W] along D with the window's stride; the result is [N · oD, C · count, H, W]. */
o2w_status depth_as_channels(struct lower *l, const struct node_view *n, value x,
                             const int64_t *starts, uint32_t count, dim reach, uint32_t stride,
                             value *out);
/* [N · oD, O, H, W] back to [N, O, oD, H, W]. */
o2w_status depth_from_batch(struct lower *l, value y, dim batch, dim depth, value *out);

#endif
