/* Resize and its predecessor Upsample. */
#include "lower/ops/resize.h"
#include "lower/helpers.h"

#include <math.h>
#include <string.h>

struct resize {
    struct span mode, coordinate, nearest_mode, policy;
    double cubic_a, extrapolation, height_scale, width_scale;
    int64_t exclude_outside, antialias;
    struct ints axes;
    struct floats scales;
};

#define MODE(words) \
    ATTR_(PARAM_STRING, struct resize, mode, "mode", .fallback_text = "nearest", .allowed = words)
#define RESIZE_ATTRS(coordinates)                                                             \
    MODE("nearest linear cubic"),                                                             \
        ATTR_(PARAM_STRING, struct resize, coordinate, "coordinate_transformation_mode",      \
              .fallback_text = "half_pixel", .allowed = coordinates),                         \
        ATTR_(PARAM_STRING, struct resize, nearest_mode, "nearest_mode",                      \
              .fallback_text = "round_prefer_floor",                                          \
              .allowed = "round_prefer_floor round_prefer_ceil floor ceil"),                  \
        ATTR_(PARAM_FLOAT, struct resize, cubic_a, "cubic_coeff_a", .fallback_float = -0.75), \
        ATTR_(PARAM_FLOAT, struct resize, extrapolation, "extrapolation_value",               \
              .fallback_float = 0),                                                           \
        ATTR_INT(struct resize, exclude_outside, .allowed = "0 1")
#define RESIZE_18_ATTRS                                                        \
    ATTR_INT(struct resize, antialias, .allowed = "0 1"),                      \
        ATTR_INTS(struct resize, axes, .required = false),                     \
        ATTR_(PARAM_STRING, struct resize, policy, "keep_aspect_ratio_policy", \
              .fallback_text = "stretch", .allowed = "stretch not_larger not_smaller")

static const struct attr_row upsample_1_attrs[] = {
    MODE("nearest bilinear linear"),
    ATTR_FLOAT(struct resize, height_scale, .required = true),
    ATTR_FLOAT(struct resize, width_scale, .required = true),
};
static const struct attr_row upsample_7_attrs[] = {
    MODE("nearest linear"),
    ATTR_FLOATS(struct resize, scales, .required = true),
};
static const struct attr_row mode_attrs[] = { MODE("nearest linear") };
static const struct attr_row resize_11_attrs[] = { RESIZE_ATTRS(
    "half_pixel pytorch_half_pixel align_corners asymmetric tf_crop_and_resize tf_half_pixel_for_nn") };
static const struct attr_row resize_13_attrs[] = { RESIZE_ATTRS(
    "half_pixel pytorch_half_pixel align_corners asymmetric tf_crop_and_resize") };
static const struct attr_row resize_18_attrs[] = {
    RESIZE_ATTRS("half_pixel pytorch_half_pixel align_corners asymmetric tf_crop_and_resize"),
    RESIZE_18_ATTRS
};
static const struct attr_row resize_19_attrs[] = {
    RESIZE_ATTRS(
        "half_pixel half_pixel_symmetric pytorch_half_pixel align_corners asymmetric tf_crop_and_resize"),
    RESIZE_18_ATTRS
};

/* --- attributes to a rule ----------------------------------------------------------------------------- */

static unsigned word_index(struct span word, const char *const *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (span_is(word, words[i]))
            return i;
    return 0;
}

static void rule_of(const struct resize *p, struct resize_rule *r)
{
    static const char *const coordinates[] = { "half_pixel",          "half_pixel_symmetric",
                                               "pytorch_half_pixel",  "align_corners",
                                               "asymmetric",          "tf_crop_and_resize",
                                               "tf_half_pixel_for_nn" };
    static const char *const nearest[] = { "round_prefer_floor", "round_prefer_ceil", "floor",
                                           "ceil" };
    static const char *const modes[] = { "nearest", "linear", "cubic", "bilinear" };
    unsigned mode = word_index(p->mode, modes, 4);
    *r =
        (struct resize_rule){ .mode = mode == 3 ? RESIZE_LINEAR : (enum resize_mode)mode,
                              .coordinate =
                                  (enum coordinate_mode)word_index(p->coordinate, coordinates, 7),
                              .nearest = (enum nearest_mode)word_index(p->nearest_mode, nearest, 4),
                              .cubic_a = p->cubic_a,
                              .exclude_outside = p->exclude_outside != 0,
                              .antialias = p->antialias != 0 && mode != 0 };
}

/* --- scales and sizes --------------------------------------------------------------------------------- */

/* A scale that changes nothing needs no size. The runtime multiplies in float32. */
static o2w_status add_scaled(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                             float scale, struct resize_plan *plan)
{
    struct resize_axis *a = &plan->axes[plan->count];
    if (!(scale > 0) || !isfinite(scale))
        return refuse(l, n, DIAG_LOWER_VALUE, "the scale of axis %u is %g, must be greater than 0",
                      axis, (double)scale);
    if (scale == 1 && plan->rule.coordinate != COORDINATE_TF_CROP_AND_RESIZE)
        return O2W_OK;
    *a = (struct resize_axis){ .axis = axis, .in = -1, .scale = (double)scale, .end = 1 };
    if (!dim_is_static(x->dims[axis]) && x->rank == 4 && resize_fits_any_size(&plan->rule, scale)) {
        plan->open = true;
        plan->count++;
        return O2W_OK;
    }
    TRY(static_dim(l, n, x, axis, &a->in));
    float size = (float)a->in * scale;
    if (size >= 0x1p31f)
        return refuse(l, n, DIAG_LOWER_LIMIT, "axis %u of size %lld is scaled by %g, beyond 2^31",
                      axis, (long long)a->in, (double)scale);
    a->out = (int64_t)size;
    plan->count++;
    return O2W_OK;
}

/* `scale` 0: that of the sizes. */
static o2w_status add_sized(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                            int64_t size, double scale, struct resize_plan *plan)
{
    struct resize_axis *a = &plan->axes[plan->count];
    if (size < 1 || size > INT32_MAX)
        return refuse(l, n, DIAG_LOWER_VALUE,
                      "the size of axis %u is %lld, must be from 1 to 2147483647", axis,
                      (long long)size);
    if (x->dims[axis] == size && (scale == 0 || scale == 1) &&
        plan->rule.coordinate != COORDINATE_TF_CROP_AND_RESIZE)
        return O2W_OK;
    *a = (struct resize_axis){ .axis = axis, .out = size, .end = 1 };
    TRY(static_dim(l, n, x, axis, &a->in));
    a->scale = scale > 0 ? scale : (double)size / (double)a->in;
    plan->count++;
    return O2W_OK;
}

/* One scale for all axes, so that nothing becomes larger (smaller) than asked for; sizes rounded half up. */
static o2w_status keep_ratio(struct lower *l, const struct node_view *n, value x,
                             const struct webnn_u32s *axes, const struct ints *sizes, bool larger,
                             int64_t *out, double *scale_out)
{
    double best = 0;
    for (uint32_t i = 0; i < axes->count; i++) {
        int64_t in = 0;
        TRY(static_dim(l, n, x, axes->items[i], &in));
        double scale = (double)sizes->items[i] / (double)in;
        if (i == 0 || (larger ? scale > best : scale < best))
            best = scale;
    }
    for (uint32_t i = 0; i < axes->count; i++)
        out[i] = (int64_t)floor(best * (double)x->dims[axes->items[i]] + 0.5);
    *scale_out = best;
    return O2W_OK;
}

static o2w_status plan_sizes(struct lower *l, const struct node_view *n, const struct resize *p,
                             value x, const struct webnn_u32s *axes, const struct ints *sizes,
                             struct resize_plan *plan)
{
    int64_t kept[MAX_RANK];
    double scale = 0;
    bool stretch = !p->policy.size || span_is(p->policy, "stretch");
    if (sizes->count != axes->count)
        return refuse(l, n, DIAG_LOWER_INPUT, "%u sizes are given for %u axes", sizes->count,
                      axes->count);
    if (!stretch)
        TRY(keep_ratio(l, n, x, axes, sizes, span_is(p->policy, "not_smaller"), kept, &scale));
    for (uint32_t i = 0; i < axes->count; i++)
        TRY(add_sized(l, n, x, axes->items[i], stretch ? sizes->items[i] : kept[i], scale, plan));
    return O2W_OK;
}

static o2w_status plan_scales(struct lower *l, const struct node_view *n, value x,
                              const struct webnn_u32s *axes, const float *scales, uint32_t count,
                              struct resize_plan *plan)
{
    if (count != axes->count)
        return refuse(l, n, DIAG_LOWER_INPUT, "%u scales are given for %u axes", count,
                      axes->count);
    for (uint32_t i = 0; i < count; i++)
        TRY(add_scaled(l, n, x, axes->items[i], scales[i], plan));
    return O2W_OK;
}

/* The region of interest: starts, then ends, by axis. */
static o2w_status plan_roi(struct lower *l, const struct node_view *n,
                           const struct webnn_u32s *axes, struct resize_plan *plan)
{
    const double *roi;
    uint32_t count;
    if (plan->rule.coordinate != COORDINATE_TF_CROP_AND_RESIZE)
        return O2W_OK;
    if (!input(n, 1))
        return refuse_input(l, n, 1, "is missing, tf_crop_and_resize needs it");
    TRY(known_doubles(l, n, 1, &roi, &count));
    if (count != 2 * axes->count)
        return refuse_input(l, n, 1, "has %u entries, must have %u", count, 2 * axes->count);
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(roi[i]))
            return refuse_input(l, n, 1, "is %g at index %u, numbers are needed", roi[i], i);
    for (uint32_t i = 0; i < plan->count; i++)
        for (uint32_t k = 0; k < axes->count; k++)
            if (axes->items[k] == plan->axes[i].axis) {
                plan->axes[i].start = roi[k];
                plan->axes[i].end = roi[axes->count + k];
            }
    return O2W_OK;
}

static o2w_status plan_tables(struct lower *l, const struct node_view *n, struct resize_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        struct resize_rule rule = plan->rule;
        struct resize_axis *a = &plan->axes[i];
        if (a->in < 0)
            continue;
        bool dense = rule.mode == RESIZE_CUBIC || (rule.antialias && a->scale < 1);
        if (a->out > 1 << 24 || (dense && a->in > (1 << 22) / (a->out > 0 ? a->out : 1)))
            return refuse(l, n, DIAG_LOWER_LIMIT,
                          "resizing axis %u from %lld to %lld needs tables beyond the limit",
                          a->axis, (long long)a->in, (long long)a->out);
        if (plan->ceil_below_1 && a->scale < 1)
            rule.nearest = NEAREST_CEIL;
        o2w_status s = resize_table(lower_arena(l), &rule, a);
        if (s == O2W_RANGE)
            return refuse(l, n, DIAG_LOWER_LIMIT,
                          "axis %u is scaled by %g: its filter is wider than the limit", a->axis,
                          a->scale);
        if (s != O2W_OK)
            return diag_memory(lower_diags(l));
    }
    return O2W_OK;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void all_axes(value x, struct webnn_u32s *axes)
{
    *axes = (struct webnn_u32s){ .given = true, .count = x->rank };
    for (uint32_t i = 0; i < x->rank; i++)
        axes->items[i] = i;
}

static bool is_given(value v)
{
    return v && !value_is_empty(v);
}

static o2w_status lower_resize(struct lower *l, const struct node_view *n, const void *params)
{
    const struct resize *p = params;
    value x = input(n, 0), scales = input(n, 2), sizes = input(n, 3);
    struct resize_plan plan = { .extrapolation = p->extrapolation };
    struct webnn_u32s axes;
    rule_of(p, &plan.rule);
    if (p->axes.given)
        TRY(axes_from(l, n, &p->axes, x->rank, false, &axes));
    else
        all_axes(x, &axes);
    if (is_given(scales) == is_given(sizes))
        return refuse(l, n, DIAG_LOWER_INPUT,
                      "%s of scales and sizes are given, exactly one is needed",
                      is_given(scales) ? "both" : "neither");
    if (is_given(sizes)) {
        struct ints items;
        TRY(known_ints(l, n, 3, &items));
        TRY(plan_sizes(l, n, p, x, &axes, &items, &plan));
    } else {
        struct tensor t;
        TRY(known_tensor(l, scales, &t));
        TRY(plan_scales(l, n, x, &axes, t.data, (uint32_t)tensor_count(&t), &plan));
    }
    TRY(plan_roi(l, n, &axes, &plan));
    TRY(plan_tables(l, n, &plan));
    return resize_perform(l, n, &plan, x);
}

/* Version 10 and Upsample: asymmetric, and the floor for nearest; the runtime takes the ceiling where
 * an axis shrinks, as the model tests of that version have it. */
static o2w_status asymmetric(struct lower *l, const struct node_view *n, const struct resize *p,
                             const float *scales, uint32_t count)
{
    value x = input(n, 0);
    struct resize_plan plan = { .ceil_below_1 = true };
    struct webnn_u32s axes;
    rule_of(p, &plan.rule);
    plan.rule.coordinate = COORDINATE_ASYMMETRIC;
    plan.rule.nearest = NEAREST_FLOOR;
    all_axes(x, &axes);
    TRY(plan_scales(l, n, x, &axes, scales, count, &plan));
    TRY(plan_tables(l, n, &plan));
    return resize_perform(l, n, &plan, x);
}

static o2w_status lower_resize_10(struct lower *l, const struct node_view *n, const void *params)
{
    struct tensor t;
    TRY(known_tensor(l, input(n, 1), &t));
    return asymmetric(l, n, params, t.data, (uint32_t)tensor_count(&t));
}

static o2w_status lower_upsample_7(struct lower *l, const struct node_view *n, const void *params)
{
    const struct resize *p = params;
    return asymmetric(l, n, p, p->scales.items, p->scales.count);
}

static o2w_status lower_upsample_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct resize *p = params;
    if (input(n, 0)->rank != 4)
        return refuse_input(l, n, 0, "has rank %u, must be 4", input(n, 0)->rank);
    return asymmetric(l, n, p,
                      (const float[]){ 1, 1, (float)p->height_scale, (float)p->width_scale }, 4);
}

#define SCALES(kind_) kind_("scales", NONE, DTYPE_BIT(DTYPE_FLOAT32), KNOWN)
#define ROI(kind_) \
    kind_("roi", T1, DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_FLOAT64))
#define SIZES IN_OPT("sizes", NONE, SET_I64, SHAPE)
#define RESIZE(from, to, attrs, roi, scales)                                                    \
    {                                                                                           \
        ONNX("Resize", from, to), INPUTS(IN("X", T, SET_ALL), roi, scales, SIZES),              \
            RESULTS(OUT("Y", T)), PARAMS(struct resize, attrs),                                 \
            .lower = lower_resize, .class = CLASS_DIRECT, .webnn = "resample2d, gather, matmul" \
    }

const struct onnx_row resize_rows[] = {
    { ONNX("Upsample", 1, 6), INPUTS(IN("X", T, SET_ALL)), RESULTS(OUT("Y", T)),
      PARAMS(struct resize, upsample_1_attrs), .lower = lower_upsample_1, .class = CLASS_DIRECT,
      .webnn = "resample2d, gather, matmul" },
    { ONNX("Upsample", 7, 8), INPUTS(IN("X", T, SET_ALL)), RESULTS(OUT("Y", T)),
      PARAMS(struct resize, upsample_7_attrs), .lower = lower_upsample_7, .class = CLASS_DIRECT,
      .webnn = "resample2d, gather, matmul" },
    { ONNX("Upsample", 9, 10), INPUTS(IN("X", T, SET_ALL), SCALES(IN)), RESULTS(OUT("Y", T)),
      PARAMS(struct resize, mode_attrs), .lower = lower_resize_10, .class = CLASS_DIRECT,
      .webnn = "resample2d, gather, matmul" },
    { ONNX("Resize", 10, 10), INPUTS(IN("X", T, SET_ALL), SCALES(IN)), RESULTS(OUT("Y", T)),
      PARAMS(struct resize, mode_attrs), .lower = lower_resize_10, .class = CLASS_DIRECT,
      .webnn = "resample2d, gather, matmul" },
    RESIZE(11, 12, resize_11_attrs, ROI(IN_OPT), SCALES(IN_OPT)),
    RESIZE(13, 17, resize_13_attrs, ROI(IN_OPT), SCALES(IN_OPT)),
    RESIZE(18, 18, resize_18_attrs, ROI(IN_OPT), SCALES(IN_OPT)),
    RESIZE(19, LATEST, resize_19_attrs, ROI(IN_OPT), SCALES(IN_OPT)),
};
ROW_COUNT(resize);
