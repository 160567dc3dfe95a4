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

/* The axes to be resized, each with its table once it is known. */
struct plan {
    struct resize_rule rule;
    uint32_t count;
    struct resize_axis axes[MAX_RANK];
    double extrapolation;
    bool ceil_below_1; /* nearest, before version 11: up where an axis shrinks */
    bool open;         /* some axis has an open size: `in` is -1 there */
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

static o2w_status static_size(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                              int64_t *size)
{
    if (!dim_is_static(x->dims[axis]))
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "axis %u is resized, its size must be a number: give it with --override-dim",
                      axis);
    *size = x->dims[axis];
    return O2W_OK;
}

/* Whether resample2d says the same by its scale, whatever the size is: whole factors, where no
 * position lies between two pixels. */
static bool fits_any_size(const struct resize_rule *r, float scale)
{
    bool centred = r->coordinate == COORDINATE_HALF_PIXEL ||
                   r->coordinate == COORDINATE_HALF_PIXEL_SYMMETRIC ||
                   r->coordinate == COORDINATE_PYTORCH_HALF_PIXEL;
    if (scale < 1 || scale > 1024 || scale != floorf(scale))
        return false;
    if (r->mode == RESIZE_NEAREST)
        return centred ? r->nearest == NEAREST_ROUND_PREFER_FLOOR ||
                             r->nearest == NEAREST_ROUND_PREFER_CEIL
                       : r->coordinate == COORDINATE_ASYMMETRIC && r->nearest == NEAREST_FLOOR;
    return r->mode == RESIZE_LINEAR && centred;
}

/* A scale that changes nothing needs no size. The runtime multiplies in float32. */
static o2w_status add_scaled(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                             float scale, struct plan *plan)
{
    struct resize_axis *a = &plan->axes[plan->count];
    if (!(scale > 0) || !isfinite(scale))
        return refuse(l, n, DIAG_LOWER_VALUE, "the scale of axis %u is %g, must be greater than 0",
                      axis, (double)scale);
    if (scale == 1 && plan->rule.coordinate != COORDINATE_TF_CROP_AND_RESIZE)
        return O2W_OK;
    *a = (struct resize_axis){ .axis = axis, .in = -1, .scale = (double)scale, .end = 1 };
    if (!dim_is_static(x->dims[axis]) && x->rank == 4 && fits_any_size(&plan->rule, scale)) {
        plan->open = true;
        plan->count++;
        return O2W_OK;
    }
    TRY(static_size(l, n, x, axis, &a->in));
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
                            int64_t size, double scale, struct plan *plan)
{
    struct resize_axis *a = &plan->axes[plan->count];
    if (size < 1 || size > INT32_MAX)
        return refuse(l, n, DIAG_LOWER_VALUE, "the size of axis %u is %lld, must be at least 1",
                      axis, (long long)size);
    if (x->dims[axis] == size && (scale == 0 || scale == 1) &&
        plan->rule.coordinate != COORDINATE_TF_CROP_AND_RESIZE)
        return O2W_OK;
    *a = (struct resize_axis){ .axis = axis, .out = size, .end = 1 };
    TRY(static_size(l, n, x, axis, &a->in));
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
        int64_t in;
        TRY(static_size(l, n, x, axes->items[i], &in));
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
                             struct plan *plan)
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
                              struct plan *plan)
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
                           const struct webnn_u32s *axes, struct plan *plan)
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

static o2w_status plan_tables(struct lower *l, const struct node_view *n, struct plan *plan)
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

/* --- forms -------------------------------------------------------------------------------------------- */

/* Rank 4 with the axes a < b kept apart: one of the sizes before, between and after must be 1. */
static bool four_dims(value x, uint32_t a, uint32_t b, dim dims[4], uint32_t axes[2])
{
    dim around[3] = { 1, 1, 1 };
    for (uint32_t i = 0; i < x->rank; i++) {
        if (!dim_is_static(x->dims[i]))
            return false;
        if (i != a && i != b)
            around[(i > a) + (i > b)] *= x->dims[i];
    }
    uint32_t dropped = around[1] == 1 ? 1 : around[0] == 1 ? 0 : 2, at = 0;
    if (around[dropped] != 1)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        if (i != dropped)
            dims[at++] = around[i];
        if (i == 2)
            break;
        axes[i] = at;
        dims[at++] = x->dims[i ? b : a];
    }
    return true;
}

/* By scales, beside axes of open size. The other axes fit too, or the whole needs numbers. */
static o2w_status emit_open_resample(struct lower *l, const struct node_view *n,
                                     const struct plan *plan, value x, value *out)
{
    struct webnn_resample2d_attributes r = webnn_resample2d_defaults();
    uint32_t a = plan->axes[0].axis, b = plan->count == 2 ? plan->axes[1].axis : a == 3 ? 2 : a + 1;
    int64_t ignored;
    bool fits = plan->count <= 2;
    for (uint32_t i = 0; i < plan->count; i++)
        fits &= fits_any_size(&plan->rule, (float)plan->axes[i].scale);
    for (uint32_t i = 0; !fits && i < plan->count; i++)
        TRY(static_size(l, n, x, plan->axes[i].axis, &ignored));
    r.axes.items[0] = a < b ? a : b;
    r.axes.items[1] = a < b ? b : a;
    r.scales = (struct webnn_doubles){ .given = true, .count = 2, .items = { 1, 1 } };
    for (uint32_t i = 0; i < plan->count; i++)
        r.scales.items[plan->axes[i].axis == r.axes.items[1]] = plan->axes[i].scale;
    r.mode = plan->rule.mode == RESIZE_LINEAR ? WEBNN_INTERPOLATION_LINEAR
                                              : WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
    return op(l, WEBNN_RESAMPLE2D, OPERANDS(x), &r, out);
}

static bool resample_fits(struct lower *l, const struct plan *plan, value x)
{
    enum dtype t = x->dtype;
    bool floats =
        t == DTYPE_FLOAT32 || t == DTYPE_FLOAT16 || t == DTYPE_FLOAT64 || t == DTYPE_BFLOAT16;
    bool bytes = t == DTYPE_UINT8 || t == DTYPE_INT8 || t == DTYPE_BOOL;
    if (plan->count > 2 || plan->count == 0 || x->rank < 2 ||
        !(floats || (bytes && plan->rule.mode == RESIZE_NEAREST)))
        return false;
    for (uint32_t i = 0; i < plan->count; i++)
        if (!resize_is_resample2d(lower_arena(l), &plan->rule, &plan->axes[i]))
            return false;
    return true;
}

static o2w_status emit_resample(struct lower *l, const struct plan *plan, value x, value *out,
                                bool *done)
{
    struct webnn_resample2d_attributes r = webnn_resample2d_defaults();
    dim dims[4], result[MAX_RANK];
    uint32_t a = plan->axes[0].axis,
             b = plan->count == 2 ? plan->axes[1].axis
                 : a              ? a - 1
                                  : a + 1,
             axes[2];
    bool direct = x->rank == 4;
    value y = x;
    if (!direct && !four_dims(x, a < b ? a : b, a < b ? b : a, dims, axes))
        return O2W_OK;
    memcpy(result, x->dims, x->rank * sizeof *result);
    for (uint32_t i = 0; i < plan->count; i++)
        result[plan->axes[i].axis] = plan->axes[i].out;
    if (direct && !dim_is_static(x->dims[b]))
        return O2W_OK;
    r.axes.items[0] = direct ? (a < b ? a : b) : axes[0];
    r.axes.items[1] = direct ? (a < b ? b : a) : axes[1];
    r.sizes = (struct webnn_u32s){ .given = true,
                                   .count = 2,
                                   .items = { (uint32_t)result[a < b ? a : b],
                                              (uint32_t)result[a < b ? b : a] } };
    r.mode = plan->rule.mode == RESIZE_LINEAR ? WEBNN_INTERPOLATION_LINEAR
                                              : WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
    if (!direct)
        TRY(reshape(l, x, dims, 4, &y));
    TRY(op(l, WEBNN_RESAMPLE2D, OPERANDS(y), &r, &y));
    *done = true;
    return reshape(l, y, result, x->rank, out);
}

static o2w_status emit_gather(struct lower *l, const struct resize_axis *x, value v, value *out)
{
    struct webnn_gather_attributes g = { .axis = x->axis };
    struct tensor t;
    value indices;
    TRY(known_new(l, DTYPE_INT32, (const dim[]){ x->out }, 1, &t, &indices));
    for (int64_t o = 0; o < x->out; o++)
        tensor_put_i64(&t, (uint64_t)o, x->taps[o].index);
    return op(l, WEBNN_GATHER, OPERANDS(v, indices), &g, out);
}

/* Axis to the end, matmul with the constant [in, out], and back. */
static o2w_status emit_matrix(struct lower *l, const struct node_view *n,
                              const struct resize_axis *x, value v, value *out)
{
    struct tensor t;
    value matrix;
    uint32_t swap[MAX_RANK];
    if (x->in * x->out > (int64_t)1 << 22)
        return refuse(
            l, n, DIAG_LOWER_LIMIT,
            "resizing axis %u from %lld to %lld needs a matrix of more than 2^22 elements", x->axis,
            (long long)x->in, (long long)x->out);
    TRY(known_new(l, value_working_dtype(v), (const dim[]){ x->in, x->out }, 2, &t, &matrix));
    for (int64_t o = 0; o < x->out; o++)
        for (uint32_t k = x->first[o]; k < x->first[o + 1]; k++)
            tensor_put_double(&t, (uint64_t)(x->taps[k].index * x->out + o), x->taps[k].weight);
    for (uint32_t i = 0; i < v->rank; i++)
        swap[i] = i;
    swap[x->axis] = v->rank - 1;
    swap[v->rank - 1] = x->axis;
    TRY(transpose(l, v, swap, &v));
    if (v->rank == 1) {
        TRY(reshape(l, v, (const dim[]){ 1, x->in }, 2, &v));
        TRY(op2(l, WEBNN_MATMUL, v, matrix, &v));
        return reshape(l, v, (const dim[]){ x->out }, 1, out);
    }
    TRY(op2(l, WEBNN_MATMUL, v, matrix, &v));
    return transpose(l, v, swap, out);
}

static o2w_status axis_flags(struct lower *l, const struct resize_axis *x, uint32_t rank,
                             value *out)
{
    dim dims[MAX_RANK];
    struct tensor t;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i == x->axis ? x->out : 1;
    TRY(known_new(l, DTYPE_UINT8, dims, rank, &t, out));
    memcpy(t.data, x->outside, (size_t)x->out);
    return O2W_OK;
}

/* Positions outside of the region take the extrapolation value. */
static o2w_status emit_extrapolation(struct lower *l, const struct plan *plan, value y, value *out)
{
    value outside = NULL, flags, fill;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (!plan->axes[i].outside)
            continue;
        TRY(axis_flags(l, &plan->axes[i], y->rank, &flags));
        if (outside)
            TRY(op2(l, WEBNN_LOGICAL_OR, outside, flags, &outside));
        else
            outside = flags;
    }
    if (!outside) {
        *out = y;
        return O2W_OK;
    }
    TRY(scalar_like(l, y, plan->extrapolation, &fill));
    return op3(l, WEBNN_WHERE, outside, fill, y, out);
}

/* Left and right neighbour of each output position, and the weights as the runtime rounds them. */
struct neighbours {
    const int64_t *index[2];
    const float *weight[2];
};

static o2w_status neighbours_of(struct lower *l, const struct resize_rule *rule,
                                const struct resize_axis *x, struct neighbours *out)
{
    int64_t *left = ARENA_ARRAY(lower_arena(l), (size_t)x->out, int64_t);
    int64_t *right = ARENA_ARRAY(lower_arena(l), (size_t)x->out, int64_t);
    float *of_left = ARENA_ARRAY(lower_arena(l), (size_t)x->out, float);
    float *of_right = ARENA_ARRAY(lower_arena(l), (size_t)x->out, float);
    if (!left || !right || !of_left || !of_right)
        return diag_memory(lower_diags(l));
    for (int64_t o = 0; o < x->out; o++) {
        float most = (float)(x->in - 1), at = resize_coordinate32(rule, x, o);
        at = at < 0 ? 0 : at > most ? most : at;
        left[o] = (int64_t)at;
        right[o] = left[o] + 1 < x->in ? left[o] + 1 : left[o];
        of_right[o] = right[o] == left[o] ? 0.5f : fabsf(at - (float)left[o]);
        of_left[o] = right[o] == left[o] ? 0.5f : fabsf(at - (float)right[o]);
    }
    *out = (struct neighbours){ { left, right }, { of_left, of_right } };
    return O2W_OK;
}

static o2w_status corner_weights(struct lower *l, const struct resize_axis *y,
                                 const struct resize_axis *x, uint32_t rank, const float *rows,
                                 const float *columns, value *out)
{
    dim dims[MAX_RANK];
    struct tensor t;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i == y->axis ? y->out : i == x->axis ? x->out : 1;
    TRY(known_new(l, DTYPE_FLOAT32, dims, rank, &t, out));
    for (int64_t r = 0; r < y->out; r++)
        for (int64_t c = 0; c < x->out; c++)
            ((float *)t.data)[r * x->out + c] = columns[c] * rows[r];
    return O2W_OK;
}

/* Integers over two axes: four corners, weighted and added in the runtime's order, so that the same
 * sums are truncated. */
static o2w_status integer_bilinear(struct lower *l, const struct plan *plan, value v, value *out)
{
    const struct resize_axis *y = &plan->axes[0], *x = &plan->axes[1];
    struct neighbours rows, columns;
    value sum = NULL;
    TRY(neighbours_of(l, &plan->rule, y, &rows));
    TRY(neighbours_of(l, &plan->rule, x, &columns));
    TRY(cast(l, v, DTYPE_FLOAT32, &v));
    for (int corner = 0; corner < 4; corner++) {
        int r = corner / 2, c = corner % 2;
        value at, weight;
        TRY(gather_known(l, v, rows.index[r], (uint32_t)y->out, y->axis, &at));
        TRY(gather_known(l, at, columns.index[c], (uint32_t)x->out, x->axis, &at));
        TRY(corner_weights(l, y, x, v->rank, rows.weight[r], columns.weight[c], &weight));
        TRY(op2(l, WEBNN_MUL, weight, at, &at));
        if (sum)
            TRY(op2(l, WEBNN_ADD, sum, at, &sum));
        else
            sum = at;
    }
    *out = sum;
    return O2W_OK;
}

/* The same over one axis. */
static o2w_status integer_linear(struct lower *l, const struct plan *plan, value v, value *out)
{
    const struct resize_axis *x = &plan->axes[0];
    const struct resize_axis alone = { .axis = MAX_RANK, .out = 1 }; /* no axis, one entry */
    struct neighbours sides;
    static const float one[] = { 1 };
    value parts[2];
    TRY(neighbours_of(l, &plan->rule, x, &sides));
    TRY(cast(l, v, DTYPE_FLOAT32, &v));
    for (int c = 0; c < 2; c++) {
        value weight;
        TRY(gather_known(l, v, sides.index[c], (uint32_t)x->out, x->axis, &parts[c]));
        TRY(corner_weights(l, &alone, x, v->rank, one, sides.weight[c], &weight));
        TRY(op2(l, WEBNN_MUL, weight, parts[c], &parts[c]));
    }
    return op2(l, WEBNN_ADD, parts[0], parts[1], out);
}

/* The runtime filters bytes one axis after the other, the last one first, and rounds after each. */
static o2w_status filter_bytes(struct lower *l, const struct node_view *n, const struct plan *plan,
                               value x, value *out)
{
    enum dtype dtype = x->dtype;
    struct webnn_clamp_attributes bounds = webnn_clamp_defaults();
    bounds.min_value = (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = dtype_min(dtype) };
    bounds.max_value =
        (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = (int64_t)dtype_max(dtype) };
    TRY(cast(l, x, DTYPE_FLOAT32, &x));
    for (uint32_t i = plan->count; i-- > 0;) {
        value half;
        TRY(emit_matrix(l, n, &plan->axes[i], x, &x));
        TRY(scalar_like(l, x, 0.5, &half));
        TRY(op2(l, WEBNN_ADD, x, half, &x));
        TRY(op1(l, WEBNN_FLOOR, x, &x));
        TRY(op(l, WEBNN_CLAMP, OPERANDS(x), &bounds, &x));
    }
    *out = x;
    return O2W_OK;
}

/* Forms of integers whose result is the runtime's to the last unit; NULL: there is none. */
static o2w_status interpolate_integers(struct lower *l, const struct node_view *n,
                                       const struct plan *plan, value x, value *out)
{
    bool linear = plan->rule.mode == RESIZE_LINEAR && !plan->rule.antialias;
    bool bytes = x->dtype == DTYPE_INT8 || x->dtype == DTYPE_UINT8;
    *out = NULL;
    if (!dtype_is_integer(x->dtype))
        return O2W_OK;
    if (plan->rule.antialias && bytes)
        return filter_bytes(l, n, plan, x, out);
    if (linear && plan->count == 2)
        return integer_bilinear(l, plan, x, out);
    return linear && plan->count == 1 ? integer_linear(l, plan, x, out) : O2W_OK;
}

/* In float32; back with one rounding, integers truncated. */
static o2w_status interpolate(struct lower *l, const struct node_view *n, const struct plan *plan,
                              value x, value *out)
{
    value y;
    enum dtype dtype = x->dtype;
    TRY(interpolate_integers(l, n, plan, x, &y));
    if (y) {
        TRY(emit_extrapolation(l, plan, y, &y));
        return cast(l, y, dtype, out);
    }
    TRY(cast(l, x, dtype == DTYPE_FLOAT64 ? dtype : DTYPE_FLOAT32, &y));
    for (uint32_t i = 0; i < plan->count; i++)
        TRY(emit_matrix(l, n, &plan->axes[i], y, &y));
    TRY(emit_extrapolation(l, plan, y, &y));
    return cast(l, y, dtype, out);
}

static o2w_status perform(struct lower *l, const struct node_view *n, const struct plan *plan,
                          value x)
{
    bool done = false;
    value y = x;
    if (plan->open) {
        TRY(emit_open_resample(l, n, plan, x, &y));
        return emit_value(l, n, y);
    }
    if (resample_fits(l, plan, x))
        TRY(emit_resample(l, plan, x, &y, &done));
    if (!done && plan->rule.mode == RESIZE_NEAREST) {
        for (uint32_t i = 0; i < plan->count; i++)
            TRY(emit_gather(l, &plan->axes[i], y, &y));
        TRY(emit_extrapolation(l, plan, y, &y));
    } else if (!done && plan->count) {
        TRY(interpolate(l, n, plan, x, &y));
    }
    return emit_value(l, n, y);
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
    struct plan plan = { .extrapolation = p->extrapolation };
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
    return perform(l, n, &plan, x);
}

/* Version 10 and Upsample: asymmetric, and the floor for nearest; the runtime takes the ceiling where
 * an axis shrinks, as the model tests of that version have it. */
static o2w_status asymmetric(struct lower *l, const struct node_view *n, const struct resize *p,
                             const float *scales, uint32_t count)
{
    value x = input(n, 0);
    struct plan plan = { .ceil_below_1 = true };
    struct webnn_u32s axes;
    rule_of(p, &plan.rule);
    plan.rule.coordinate = COORDINATE_ASYMMETRIC;
    plan.rule.nearest = NEAREST_FLOOR;
    all_axes(x, &axes);
    TRY(plan_scales(l, n, x, &axes, scales, count, &plan));
    TRY(plan_tables(l, n, &plan));
    return perform(l, n, &plan, x);
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
