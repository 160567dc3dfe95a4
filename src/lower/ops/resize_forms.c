/* The forms of a resize: resample2d, gathers, products with matrices. */
#include "lower/helpers.h"
#include "lower/ops/resize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool resize_fits_any_size(const struct resize_rule *r, float scale)
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
                                     const struct resize_plan *plan, value x, value *out)
{
    struct webnn_resample2d_attributes r = webnn_resample2d_defaults();
    uint32_t a = plan->axes[0].axis, b = plan->count == 2 ? plan->axes[1].axis : a == 3 ? 2 : a + 1;
    int64_t ignored;
    bool fits = plan->count <= 2;
    for (uint32_t i = 0; i < plan->count; i++)
        fits &= resize_fits_any_size(&plan->rule, (float)plan->axes[i].scale);
    for (uint32_t i = 0; !fits && i < plan->count; i++)
        TRY(static_dim(l, n, x, plan->axes[i].axis, &ignored));
    r.axes.items[0] = a < b ? a : b;
    r.axes.items[1] = a < b ? b : a;
    r.scales = (struct webnn_doubles){ .given = true, .count = 2, .items = { 1, 1 } };
    for (uint32_t i = 0; i < plan->count; i++)
        r.scales.items[plan->axes[i].axis == r.axes.items[1]] = plan->axes[i].scale;
    r.mode = plan->rule.mode == RESIZE_LINEAR ? WEBNN_INTERPOLATION_LINEAR
                                              : WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
    return op(l, WEBNN_RESAMPLE2D, OPERANDS(x), &r, out);
}

static bool resample_fits(struct lower *l, const struct resize_plan *plan, value x)
{
    enum dtype t = x->dtype;
    bool floats =
        t == DTYPE_FLOAT32 || t == DTYPE_FLOAT16 || t == DTYPE_FLOAT64 || t == DTYPE_BFLOAT16;
    bool bytes = t == DTYPE_UINT8 || t == DTYPE_INT8 || t == DTYPE_BOOL;
    if (plan->count > 2 || plan->count == 0 || x->rank < 2 ||
        !(floats || (bytes && plan->rule.mode == RESIZE_NEAREST)))
        return false;
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->axes[i].out == 0 ||
            !resize_is_resample2d(lower_arena(l), &plan->rule, &plan->axes[i]))
            return false;
    return true;
}

static o2w_status emit_resample(struct lower *l, const struct resize_plan *plan, value x,
                                value *out, bool *done)
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
static o2w_status emit_extrapolation(struct lower *l, const struct resize_plan *plan, value y,
                                     value *out)
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
static o2w_status integer_bilinear(struct lower *l, const struct resize_plan *plan, value v,
                                   value *out)
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
static o2w_status integer_linear(struct lower *l, const struct resize_plan *plan, value v,
                                 value *out)
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
static o2w_status filter_bytes(struct lower *l, const struct node_view *n,
                               const struct resize_plan *plan, value x, value *out)
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

/* Wider ones likewise: halves go away from zero. */
static o2w_status filter_wide(struct lower *l, const struct node_view *n,
                              const struct resize_plan *plan, value x, value *out)
{
    TRY(cast(l, x, DTYPE_FLOAT32, &x));
    for (uint32_t i = plan->count; i-- > 0;) {
        TRY(emit_matrix(l, n, &plan->axes[i], x, &x));
        struct calc c = calc_begin(l, x);
        value size = calc_floor(&c, calc_add(&c, calc_abs(&c, x), calc_number(&c, 0.5)));
        x = calc_mul(&c, calc_sign(&c, x), size);
        TRY(c.status);
    }
    *out = x;
    return O2W_OK;
}

/* The runtime takes the last two dims together: where one of them keeps its size, that one has
 * neighbours and weights too. */
static o2w_status integer_last_axes(struct lower *l, const struct resize_plan *plan, value x,
                                    value *out)
{
    struct resize_plan both = *plan;
    uint32_t axis = plan->axes[0].axis, other = axis + 1 == x->rank ? axis - 1 : axis + 1;
    int64_t size = x->dims[other];
    both.count = 2;
    both.axes[axis < other] =
        (struct resize_axis){ .axis = other, .in = size, .out = size, .scale = 1, .end = 1 };
    both.axes[axis > other] = plan->axes[0];
    return integer_bilinear(l, &both, x, out);
}

/* Forms of integers whose result is the runtime's to the last unit; NULL: there is none. */
static o2w_status interpolate_integers(struct lower *l, const struct node_view *n,
                                       const struct resize_plan *plan, value x, value *out)
{
    bool filtered = plan->rule.antialias || plan->rule.mode == RESIZE_CUBIC;
    bool bytes = x->dtype == DTYPE_INT8 || x->dtype == DTYPE_UINT8;
    *out = NULL;
    if (!dtype_is_integer(x->dtype))
        return O2W_OK;
    if (filtered)
        return bytes ? filter_bytes(l, n, plan, x, out) : filter_wide(l, n, plan, x, out);
    if (plan->count == 2)
        return integer_bilinear(l, plan, x, out);
    if (plan->count != 1)
        return O2W_OK;
    uint32_t axis = plan->axes[0].axis;
    return x->rank >= 2 && axis + 2 >= x->rank && dims_static(x->dims, x->rank)
               ? integer_last_axes(l, plan, x, out)
               : integer_linear(l, plan, x, out);
}

static int by_axis(const void *a, const void *b)
{
    const struct resize_axis *x = a, *y = b;
    return (x->axis > y->axis) - (x->axis < y->axis);
}

/* In float32; back with one rounding, integers of linear mode truncated. */
static o2w_status interpolate(struct lower *l, const struct node_view *n,
                              const struct resize_plan *given, value x, value *out)
{
    value y;
    struct resize_plan ordered = *given; /* whatever the order of the attribute 'axes' */
    const struct resize_plan *plan = &ordered;
    qsort(ordered.axes, ordered.count, sizeof *ordered.axes, by_axis);
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

/* An axis that keeps its size is cropped by its roi all the same; the runtime leaves it as it is. */
static void report_crops(struct lower *l, const struct node_view *n, const struct resize_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct resize_axis *a = &plan->axes[i];
        if (plan->rule.coordinate == COORDINATE_TF_CROP_AND_RESIZE && a->in == a->out &&
            (a->start != 0 || a->end != 1))
            lower_report(l, n, DIAG_LOWER_NOTE,
                         "axis %u keeps its size and is cropped by its roi, which ONNX Runtime "
                         "leaves out",
                         a->axis);
    }
}

o2w_status resize_perform(struct lower *l, const struct node_view *n,
                          const struct resize_plan *plan, value x)
{
    bool done = false;
    value y = x;
    report_crops(l, n, plan);
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
