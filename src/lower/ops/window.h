/* Sliding windows: the attributes that convolutions and pools share, and their padding. */
#ifndef LOWER_OPS_WINDOW_H
#define LOWER_OPS_WINDOW_H

#include "lower/lower.h"

/* The members that a params struct holds as `window`. */
struct window_params {
    struct span auto_pad;
    struct ints kernel_shape, strides, pads, dilations;
    int64_t ceil_mode;
};

#define WINDOW_ATTRS(of)                                                            \
    ATTR_(PARAM_STRING, of, window.auto_pad, "auto_pad", .fallback_text = "NOTSET", \
          .allowed = "NOTSET SAME_UPPER SAME_LOWER VALID"),                         \
        ATTR_(PARAM_INTS, of, window.strides, "strides", .required = false),        \
        ATTR_(PARAM_INTS, of, window.pads, "pads", .required = false)
#define WINDOW_DILATIONS(of) ATTR_(PARAM_INTS, of, window.dilations, "dilations", .required = false)
#define WINDOW_CEIL(of)      ATTR_(PARAM_INT, of, window.ceil_mode, "ceil_mode", .allowed = "0 1")
#define WINDOW_KERNEL(of, is_required) \
    ATTR_(PARAM_INTS, of, window.kernel_shape, "kernel_shape", .required = is_required)

/* A window over the spatial dims of [N, C, spatial …], resolved: one entry per spatial dim. */
struct window {
    uint32_t rank; /* spatial dims */
    uint32_t kernel[MAX_RANK], stride[MAX_RANK], dilation[MAX_RANK];
    int64_t begin[MAX_RANK], end[MAX_RANK]; /* padding; negative crops */
    dim out[MAX_RANK];
    bool overhang; /* ceil_mode made the last window reach beyond the padded input */
    bool none; /* of some dim the kernel spans more than the padded input: no window, out is 0 */
    bool doubtful; /* `none`, but ONNX and its runtime disagree about it */
};

/* Reads and checks the attributes against x [N, C, spatial …]; the weights, input `weights_at`, give
 * the sizes where kernel_shape is absent, and must agree with it (NULL: kernel_shape must be given).
 * Padding by auto_pad, ceil mode as H18: a last window that starts in the end padding is dropped, and
 * `end` is what the floor formula needs. */
o2w_status window_read(struct lower *l, const struct node_view *n, const struct window_params *p,
                       value x, value weights, uint32_t weights_at, struct window *out);
/* Refuses a window that does not fit once. */
o2w_status window_check_some(struct lower *l, const struct node_view *n, value x,
                             const struct window *w);
/* x without the rows that negative padding takes away; the window's padding is then not negative. */
o2w_status window_crop(struct lower *l, value x, struct window *w, value *out);
/* x with the window's padding filled in. */
o2w_status window_pad(struct lower *l, value x, const struct window *w, struct webnn_number fill,
                      value *out);
/* (out - 1) · stride + 1: what one kernel position reads of spatial dim i. */
o2w_status window_reach(struct lower *l, const struct node_view *n, const struct window *w,
                        uint32_t i, dim *out);
/* H8: [N, C, out …, K] from the padded x, one slice per kernel position, the last dim fastest.
 * Refused above 1,024 positions. */
o2w_status window_taps(struct lower *l, const struct node_view *n, value padded,
                       const struct window *w, value *out);

#endif
