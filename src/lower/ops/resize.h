/* What a resized axis is made of, as data: for each output position the input positions and their
 * weights. Computed in double from the attributes, so that forms are chosen by data, not by names. */
#ifndef LOWER_OPS_RESIZE_H
#define LOWER_OPS_RESIZE_H

#include "lower/lower.h"

enum resize_mode { RESIZE_NEAREST, RESIZE_LINEAR, RESIZE_CUBIC };
enum coordinate_mode {
    COORDINATE_HALF_PIXEL,
    COORDINATE_HALF_PIXEL_SYMMETRIC,
    COORDINATE_PYTORCH_HALF_PIXEL,
    COORDINATE_ALIGN_CORNERS,
    COORDINATE_ASYMMETRIC,
    COORDINATE_TF_CROP_AND_RESIZE,
    COORDINATE_TF_HALF_PIXEL_FOR_NN
};
enum nearest_mode {
    NEAREST_ROUND_PREFER_FLOOR,
    NEAREST_ROUND_PREFER_CEIL,
    NEAREST_FLOOR,
    NEAREST_CEIL
};

struct resize_rule {
    enum resize_mode mode;
    enum coordinate_mode coordinate;
    enum nearest_mode nearest;
    double cubic_a;
    bool exclude_outside, antialias;
};

struct resize_tap {
    int64_t index;
    double weight;
};

struct resize_axis {
    uint32_t axis;
    int64_t in, out;
    double scale;      /* as given, or out / in */
    double start, end; /* region of interest, of tf_crop_and_resize */
    const struct resize_tap *taps;
    const uint32_t *first;  /* out + 1 entries into taps */
    const uint8_t *outside; /* by output position: extrapolated; NULL: none is */
};

/* Fills taps, first, outside. O2W_NO_MEMORY, O2W_RANGE: a position reads too many pixels. */
o2w_status resize_table(struct arena *a, const struct resize_rule *rule, struct resize_axis *x);
/* The input coordinate of position o as ONNX Runtime computes it, in float32. */
float resize_coordinate32(const struct resize_rule *rule, const struct resize_axis *x, int64_t o);
/* Whether the table is the one that WebNN's resample2d computes for in → out. */
bool resize_is_resample2d(struct arena *a, const struct resize_rule *rule,
                          const struct resize_axis *x);

/* The axes to be resized, each with its table once it is known. */
struct resize_plan {
    struct resize_rule rule;
    uint32_t count;
    struct resize_axis axes[MAX_RANK];
    double extrapolation;
    bool ceil_below_1; /* nearest, before version 11: up where an axis shrinks */
    bool open;         /* some axis has an open size: `in` is -1 there */
};

/* Whether resample2d says the same by its scale, whatever the size is: whole factors, where no
 * position lies between two pixels. */
bool resize_fits_any_size(const struct resize_rule *r, float scale);
/* Emits x resized by the plan. */
o2w_status resize_perform(struct lower *l, const struct node_view *n,
                          const struct resize_plan *plan, value x);

#endif
