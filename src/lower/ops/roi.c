/* Pools over regions of interest. */
#include "lower/sample.h"

#include <math.h>
#include <string.h>

/* --- RoiAlign ---------------------------------------------------------------------------------------- */

struct roi_align {
    struct span mode, coordinate_transformation_mode;
    int64_t output_height, output_width, sampling_ratio;
    double spatial_scale;
};

#define ROI_ATTRS                                                                      \
    ATTR_STRING(struct roi_align, mode, .fallback_text = "avg", .allowed = "avg max"), \
        ATTR_INT(struct roi_align, output_height, .fallback_int = 1),                  \
        ATTR_INT(struct roi_align, output_width, .fallback_int = 1),                   \
        ATTR_INT(struct roi_align, sampling_ratio),                                    \
        ATTR_FLOAT(struct roi_align, spatial_scale, .fallback_float = 1)
static const struct attr_row roi_align_10_attrs[] = { ROI_ATTRS };
static const struct attr_row roi_align_16_attrs[] = {
    ROI_ATTRS,
    ATTR_STRING(struct roi_align, coordinate_transformation_mode, .fallback_text = "half_pixel",
                .allowed = "half_pixel output_half_pixel"),
};

/* Along one dim: `bins` bins of `samples` samples each, [R, bins · samples]. */
struct samples {
    value low, high; /* indices of the neighbours, times their stride: int32 */
    value near, far; /* weights of low and high */
    value inside;    /* uint8: within a pixel of the image, and really sampled */
    value share;     /* what the sample counts in the mean of its bin */
};

struct aligner {
    struct calc c;
    const struct roi_align *p;
    struct image image;
    value rois; /* [R, 4]: x1, y1, x2, y2 */
    bool half_pixel;
    int64_t bins[2], count[2]; /* height, width: bins, most samples per bin */
};

/* Column of the rois, scaled: [R, 1]. */
static value corner(struct aligner *a, uint32_t column)
{
    value y = NULL;
    if (a->c.status == O2W_OK)
        a->c.status = slice(a->c.l, a->rois, 1, column, 1, 1, &y);
    y = calc_mul(&a->c, y, calc_number(&a->c, a->p->spatial_scale));
    return a->half_pixel ? calc_sub(&a->c, y, calc_number(&a->c, 0.5)) : y;
}

/* Where the region begins along dim i, and its length. */
static value region(struct aligner *a, uint32_t i, value *length)
{
    value from = corner(a, 1 - i);
    *length = calc_sub(&a->c, corner(a, 3 - i), from);
    if (!a->half_pixel)
        *length = calc_max(&a->c, *length, calc_number(&a->c, 1));
    return from;
}

/* The number of samples of each region and dim: the attribute's, else ceil(length / bins), for which
 * the regions must be known. [R, 1] in float32. */
static o2w_status sample_counts(struct aligner *a, uint32_t i, value length, value *out)
{
    struct calc *c = &a->c;
    struct tensor t;
    if (a->p->sampling_ratio > 0) {
        a->count[i] = a->p->sampling_ratio;
        *out = calc_number(c, (double)a->count[i]);
        return c->status;
    }
    *out = calc_ceil(c, calc_div(c, length, calc_number(c, (double)a->bins[i])));
    TRY(c->status);
    TRY(known_tensor(c->l, *out, &t));
    a->count[i] = 1;
    for (uint64_t r = 0; r < tensor_count(&t); r++) {
        double v = tensor_get_double(&t, r);
        if (v > (double)a->count[i])
            a->count[i] = v < 1e6 ? (int64_t)v : 1000000;
    }
    return O2W_OK;
}

/* [0, 1, …] by bin and by sample as constants [1, bins · samples]. */
static o2w_status numbering(struct aligner *a, uint32_t i, value *bin, value *sample)
{
    struct tensor b, s;
    const dim dims[] = { 1, a->bins[i] * a->count[i] };
    TRY(known_new(a->c.l, a->c.dtype, dims, 2, &b, bin));
    TRY(known_new(a->c.l, a->c.dtype, dims, 2, &s, sample));
    for (int64_t k = 0; k < dims[1]; k++) {
        int64_t of_bin = k / a->count[i], of_sample = k % a->count[i];
        tensor_put_double(&b, (uint64_t)k, (double)of_bin);
        tensor_put_double(&s, (uint64_t)k, (double)of_sample);
    }
    return O2W_OK;
}

/* Neighbours and weights of places; those past the last pixel stay on it. */
static void neighbours(struct aligner *a, uint32_t i, value at, struct samples *s)
{
    struct calc *c = &a->c;
    double size = (double)a->image.size[i];
    value inside = calc_greater_equal(c, at, calc_number(c, -1));
    s->inside = calc_and(c, inside, calc_less_equal(c, at, calc_number(c, size)));
    at = calc_min(c, calc_max(c, at, calc_number(c, 0)), calc_number(c, size - 1));
    value whole = calc_floor(c, at);
    s->far = calc_sub(c, at, whole);
    s->near = calc_sub(c, calc_number(c, 1), s->far);
    s->low = image_index(c, &a->image, i, whole);
    s->high = image_index(c, &a->image, i, calc_add(c, whole, calc_number(c, 1)));
}

static o2w_status samples_along(struct aligner *a, const struct node_view *n, uint32_t i,
                                struct samples *s)
{
    struct calc *c = &a->c;
    value length, count, bin, sample, from = region(a, i, &length);
    TRY(c->status);
    TRY(sample_counts(a, i, length, &count));
    if (a->bins[i] * a->count[i] > 1 << 20)
        return refuse(c->l, n, DIAG_LOWER_LIMIT,
                      "a region has more than 2^20 samples along a dimension");
    TRY(numbering(a, i, &bin, &sample));
    value size = calc_div(c, length, calc_number(c, (double)a->bins[i]));
    value step = calc_div(c, calc_mul(c, calc_add(c, sample, calc_number(c, 0.5)), size), count);
    value at = calc_add(c, calc_add(c, from, calc_mul(c, bin, size)), step);
    neighbours(a, i, at, s);
    value taken = calc_less(c, sample, count);
    value share = calc_div(c, calc_number(c, 1), calc_max(c, count, calc_number(c, 1)));
    s->share = calc_where(c, taken, share, calc_number(c, 0));
    s->inside = calc_and(c, s->inside, taken);
    return c->status;
}

/* [R, A] and [R, B] as [R, A, 1] and [R, 1, B]. */
static value spread(struct calc *c, value v, uint32_t i)
{
    const uint32_t axis = i ? 1 : 2;
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = unsqueeze(c->l, v, &axis, 1, &y);
    return y;
}

/* The four corners of every sample, [R, A, B, C] each, times their weights. */
static void weighted_corners(struct aligner *a, const struct samples *s, value out[4])
{
    struct calc *c = &a->c;
    for (uint32_t k = 0; k < 4; k++) {
        value row = k < 2 ? s[0].low : s[0].high, column = k % 2 ? s[1].high : s[1].low;
        value index = calc_add(c, spread(c, row, 0), spread(c, column, 1));
        value weight = calc_mul(c, spread(c, k < 2 ? s[0].near : s[0].far, 0),
                                spread(c, k % 2 ? s[1].far : s[1].near, 1));
        out[k] = calc_mul(c, image_read(c, &a->image, index), per_place(c, weight));
    }
}

static value reduced(struct calc *c, enum webnn_operator kind, value x)
{
    struct webnn_reduce_attributes r = webnn_reduce_sum_defaults();
    value y = NULL;
    r.axes = (struct webnn_u32s){ .given = true, .count = 2, .items = { 2, 4 } };
    if (c->status == O2W_OK)
        c->status = op(c->l, kind, OPERANDS(x), &r, &y);
    return y;
}

/* [R, A, B, C] as [R, bins, samples, bins, samples, C], then over the samples. */
static value over_bins(struct aligner *a, enum webnn_operator kind, value x)
{
    dim dims[6] = { 0, a->bins[0], a->count[0], a->bins[1], a->count[1], 0 };
    value y = NULL;
    if (a->c.status != O2W_OK)
        return NULL;
    dims[0] = x->dims[0];
    dims[5] = x->dims[3];
    a->c.status = reshape(a->c.l, x, dims, 6, &y);
    return reduced(&a->c, kind, y);
}

static value average(struct aligner *a, const struct samples *s, const value corners[4])
{
    struct calc *c = &a->c;
    value sum =
        calc_add(c, calc_add(c, corners[0], corners[1]), calc_add(c, corners[2], corners[3]));
    value inside = calc_and(c, spread(c, s[0].inside, 0), spread(c, s[1].inside, 1));
    value share = calc_mul(c, spread(c, s[0].share, 0), spread(c, s[1].share, 1));
    sum = calc_where(c, per_place(c, inside), sum, calc_number(c, 0));
    return over_bins(a, WEBNN_REDUCE_SUM, calc_mul(c, sum, per_place(c, share)));
}

/* The largest of the weighted corners, not of the samples. Samples outside count as 0, those that the
 * region does not have not at all; without any sample it is 0. */
static value largest(struct aligner *a, const struct samples *s, const value corners[4])
{
    struct calc *c = &a->c;
    value most =
        calc_max(c, calc_max(c, corners[0], corners[1]), calc_max(c, corners[2], corners[3]));
    value inside = calc_and(c, spread(c, s[0].inside, 0), spread(c, s[1].inside, 1));
    value zero = calc_number(c, 0);
    value taken = calc_and(c, spread(c, calc_greater(c, s[0].share, zero), 0),
                           spread(c, calc_greater(c, s[1].share, zero), 1));
    most = calc_where(c, per_place(c, inside), most, zero);
    most = calc_where(c, per_place(c, taken), most, calc_number(c, -(double)INFINITY));
    most = over_bins(a, WEBNN_REDUCE_MAX, most);
    if (a->p->sampling_ratio > 0)
        return most;
    value any = over_bins(a, WEBNN_REDUCE_MAX, calc_cast(c, per_place(c, taken), c->dtype));
    return calc_where(c, calc_equal(c, any, zero), zero, most);
}

/* batch_indices, [R], as where the images begin: [R, 1, 1]. */
static o2w_status read_batch(struct lower *l, const struct node_view *n, struct aligner *a)
{
    static const uint32_t behind[] = { 1, 2 };
    value index, plane;
    TRY(cast(l, input(n, 2), DTYPE_INT32, &index));
    TRY(scalar_i64(l, DTYPE_INT32, a->image.size[0] * a->image.size[1], &plane));
    TRY(op2(l, WEBNN_MUL, index, plane, &index));
    return unsqueeze(l, index, behind, 2, &a->image.offsets);
}

static o2w_status check_roi_align(struct lower *l, const struct node_view *n,
                                  const struct roi_align *p)
{
    value x = input(n, 0), rois = input(n, 1);
    if (x->rank != 4)
        return refuse_input(l, n, 0, "has rank %u, must be 4", x->rank);
    if (rois->rank != 2 || rois->dims[1] != 4 || input(n, 2)->rank != 1)
        return refuse_input(l, n, 1, "has shape %s, must be [R, 4] with [R] batch indices",
                            dim_list_text(lower_exprs(l), rois->dims, rois->rank, lower_arena(l)));
    if (p->output_height < 1 || p->output_height > 4096 || p->output_width < 1 ||
        p->output_width > 4096)
        return refuse_attribute(l, n, "output_height",
                                "or output_width is out of range, 1 to 4096 are allowed");
    if (p->sampling_ratio < 0 || p->sampling_ratio > 4096)
        return refuse_attribute(l, n, "sampling_ratio", "is %lld, must be from 0 to 4096",
                                (long long)p->sampling_ratio);
    if (p->sampling_ratio == 0 && !value_is_known(rois))
        return refuse_attribute(
            l, n, "sampling_ratio",
            "is 0, which needs known rois: the number of samples depends on their sizes");
    return O2W_OK;
}

static o2w_status lower_roi_align(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t channels_second[] = { 0, 3, 1, 2 };
    const struct roi_align *p = params;
    struct aligner a = { .p = p, .bins = { p->output_height, p->output_width } };
    struct samples s[2];
    value x, corners[4];
    TRY(check_roi_align(l, n, p));
    a.half_pixel = n->row->since >= 16 && span_is(p->coordinate_transformation_mode, "half_pixel");
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &a.rois));
    a.c = calc_begin(l, a.rois);
    TRY(image_begin(l, n, x, &a.image));
    TRY(read_batch(l, n, &a));
    for (uint32_t i = 0; i < 2; i++)
        TRY(samples_along(&a, n, i, &s[i]));
    weighted_corners(&a, s, corners);
    value y = span_is(p->mode, "max") ? largest(&a, s, corners) : average(&a, s, corners);
    TRY(a.c.status);
    TRY(transpose(l, y, channels_second, &y));
    return emit_narrowed(l, n, y);
}

/* --- MaxRoiPool -------------------------------------------------------------------------------------- */

struct max_roi {
    struct ints pooled_shape;
    double spatial_scale;
};

static const struct attr_row max_roi_attrs[] = {
    ATTR_INTS(struct max_roi, pooled_shape, .required = true),
    ATTR_FLOAT(struct max_roi, spatial_scale, .fallback_float = 1),
};

/* Halves go away from zero. */
static value rounded(struct calc *c, value x)
{
    value size = calc_floor(c, calc_add(c, calc_abs(c, x), calc_number(c, 0.5)));
    return calc_mul(c, calc_sign(c, x), size);
}

/* Which places along a dim belong to which bin of which region: uint8 [R, bins, size]. */
static o2w_status bin_members(struct calc *c, value rois, const struct max_roi *p, uint32_t i,
                              int64_t size, value *out)
{
    value from, to, bins, places;
    int64_t count = p->pooled_shape.items[i];
    TRY(slice(c->l, rois, 1, 2 - i, 1, 1, &from));
    TRY(slice(c->l, rois, 1, 4 - i, 1, 1, &to));
    TRY(iota(c->l, c->dtype, count, 1, 2, &bins));
    TRY(iota(c->l, c->dtype, size, 2, 3, &places));
    value scale = calc_number(c, p->spatial_scale);
    from = rounded(c, calc_mul(c, from, scale));
    to = rounded(c, calc_mul(c, to, scale));
    value length =
        calc_max(c, calc_add(c, calc_sub(c, to, from), calc_number(c, 1)), calc_number(c, 1));
    value each = calc_div(c, length, calc_number(c, (double)count));
    value first = calc_add(c, calc_floor(c, calc_mul(c, bins, each)), from);
    value past = calc_mul(c, calc_add(c, bins, calc_number(c, 1)), each);
    past = calc_add(c, calc_ceil(c, past), from);
    value after = calc_greater_equal(c, places, per_place(c, first));
    *out = calc_and(c, after, calc_less(c, places, per_place(c, past)));
    return c->status;
}

/* The largest of x [R, C, …, size] among the members [R, bins, size] of each bin, over `axis`. */
static value masked_max(struct calc *c, value x, value members, const uint32_t *x_axes,
                        const uint32_t *member_axes, uint32_t member_count, uint32_t axis)
{
    struct webnn_reduce_attributes r = webnn_reduce_max_defaults();
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = unsqueeze(c->l, x, x_axes, 1, &x);
    if (c->status == O2W_OK)
        c->status = unsqueeze(c->l, members, member_axes, member_count, &members);
    x = calc_where(c, members, x, calc_number(c, -(double)INFINITY));
    r.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { axis } };
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_REDUCE_MAX, OPERANDS(x), &r, &y);
    return y;
}

/* The image of every region: [R, C, H, W]. */
static o2w_status images_of(struct lower *l, value x, value rois, value *out)
{
    struct webnn_gather_attributes a = webnn_gather_defaults();
    const uint32_t last = 1;
    value index;
    TRY(slice(l, rois, 1, 0, 1, 1, &index));
    TRY(squeeze(l, index, &last, 1, &index));
    TRY(cast(l, index, DTYPE_INT32, &index));
    return op(l, WEBNN_GATHER, OPERANDS(x, index), &a, out);
}

static o2w_status check_max_roi(struct lower *l, const struct node_view *n, const struct max_roi *p)
{
    value x = input(n, 0), rois = input(n, 1);
    uint64_t elements, regions;
    if (x->rank != 4 || rois->rank != 2 || rois->dims[1] != 5)
        return refuse_input(l, n, 1, "has rank %u beside data of rank %u, must be [R, 5] beside 4",
                            rois->rank, x->rank);
    if (p->pooled_shape.count != 2 || p->pooled_shape.items[0] < 1 ||
        p->pooled_shape.items[1] < 1 || p->pooled_shape.items[0] > 4096 ||
        p->pooled_shape.items[1] > 4096)
        return refuse_attribute(l, n, "pooled_shape", "must be two numbers from 1 to 4096");
    bool fits = value_count(x, &elements) && dims_count(rois->dims, 1, &regions) &&
                elements < (uint64_t)1 << 31 && regions < (uint64_t)1 << 20;
    if (!fits || elements * regions * (uint64_t)p->pooled_shape.items[0] > (uint64_t)1 << 26)
        return refuse(l, n, DIAG_LOWER_LIMIT,
                      "regions times pooled height times data exceed 2^26 elements");
    return O2W_OK;
}

/* Whether each bin has a member: members [R, bins, size] as [R, 1, bins, 1] or [R, 1, 1, bins]. */
static value filled_bins(struct calc *c, value members, bool columns)
{
    dim dims[4] = { 0, 1, 1, 1 };
    value y = calc_reduce(c, WEBNN_REDUCE_MAX, members, 2);
    if (c->status != O2W_OK)
        return NULL;
    dims[0] = members->dims[0];
    dims[columns ? 3 : 2] = members->dims[1];
    c->status = reshape(c->l, y, dims, 4, &y);
    return y;
}

/* Over the height, then over the width; an empty bin gives 0. */
static o2w_status lower_max_roi_pool(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t second = 2, third = 3, row_axes[] = { 1, 4 }, column_axes[] = { 1, 2 };
    const struct max_roi *p = params;
    value x, rois, rows, columns;
    int64_t size[2];
    TRY(check_max_roi(l, n, p));
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &rois));
    struct calc c = calc_begin(l, rois);
    for (uint32_t i = 0; i < 2; i++) {
        TRY(static_dim(l, n, x, 2 + i, &size[i]));
        if (size[i] > 1 << 24)
            return refuse_input(l, n, 0, "has %lld places along a dimension, more than 2^24",
                                (long long)size[i]);
    }
    TRY(bin_members(&c, rois, p, 0, size[0], &rows));
    TRY(bin_members(&c, rois, p, 1, size[1], &columns));
    TRY(images_of(l, x, rois, &x));
    value y = masked_max(&c, x, rows, &second, row_axes, 2, 3);
    y = masked_max(&c, y, columns, &third, column_axes, 2, 4);
    value some = calc_and(&c, filled_bins(&c, rows, false), filled_bins(&c, columns, true));
    y = calc_where(&c, some, y, calc_number(&c, 0));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* --- rows -------------------------------------------------------------------------------------------- */

#define ROI_ALIGN(from, to, attrs)                                                          \
    {                                                                                       \
        ONNX("RoiAlign", from, to),                                                         \
            INPUTS(IN("X", T, SET_FLOATS), IN("rois", T, SET_FLOATS),                       \
                   IN("batch_indices", NONE, SET_I64)),                                     \
            RESULTS(OUT("Y", T)), PARAMS(struct roi_align, attrs),                          \
            .lower = lower_roi_align, .class = CLASS_COMPOSED, .partial = true,             \
            .webnn = "gather, mul, reduceSum", .notes = "sampling_ratio 0 needs known rois" \
    }

const struct onnx_row roi_rows[] = {
    ROI_ALIGN(10, 15, roi_align_10_attrs),
    ROI_ALIGN(16, LATEST, roi_align_16_attrs),
    { ONNX("MaxRoiPool", 1, LATEST), INPUTS(IN("X", T, SET_FLOATS), IN("rois", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct max_roi, max_roi_attrs), .lower = lower_max_roi_pool,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "where, reduceMax",
      .notes = "up to 2^26 elements in between" },
};
ROW_COUNT(roi);
