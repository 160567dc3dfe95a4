/* Lowerings of the movement family that stand in files of their own. */
#ifndef LOWER_OPS_MOVEMENT_H
#define LOWER_OPS_MOVEMENT_H

#include "lower/helpers.h"

/* movement_slice.c */
struct slice_1_params {
    struct ints starts, ends, axes;
};
o2w_status lower_slice(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_slice_1(struct lower *l, const struct node_view *n, const void *params);

/* movement_pad.c */
struct pad_params {
    struct span mode;
};
struct pad_2_params {
    struct span mode;
    struct ints pads;
    double value;
};
struct crop_params {
    struct ints axes;
};
o2w_status lower_pad(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_pad_2(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_center_crop_pad(struct lower *l, const struct node_view *n, const void *params);

#endif
