/* Pools over windows and over the whole plane. */
#include "lower/ops/pooling.h"

#include <math.h>
#include <string.h>

static const struct attr_row max_pool_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    WINDOW_DILATIONS(struct pool_params),
    WINDOW_CEIL(struct pool_params),
    ATTR_INT(struct pool_params, storage_order, .allowed = "0 1"),
};
static const struct attr_row max_pool_8_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    ATTR_INT(struct pool_params, storage_order, .allowed = "0 1"),
};
static const struct attr_row pool_1_attrs[] = { WINDOW_ATTRS(struct pool_params),
                                                WINDOW_KERNEL(struct pool_params, true) };
static const struct attr_row average_pool_7_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    ATTR_INT(struct pool_params, count_include_pad, .allowed = "0 1"),
};
static const struct attr_row average_pool_10_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    WINDOW_CEIL(struct pool_params),
    ATTR_INT(struct pool_params, count_include_pad, .allowed = "0 1"),
};
static const struct attr_row average_pool_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    WINDOW_DILATIONS(struct pool_params),
    WINDOW_CEIL(struct pool_params),
    ATTR_INT(struct pool_params, count_include_pad, .allowed = "0 1"),
};
static const struct attr_row lp_pool_1_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    ATTR_(PARAM_FLOAT, struct pool_params, p_float, "p", .fallback_float = 2),
};
static const struct attr_row lp_pool_2_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    ATTR_INT(struct pool_params, p, .fallback_int = 2),
};
static const struct attr_row lp_pool_18_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    WINDOW_DILATIONS(struct pool_params),
    WINDOW_CEIL(struct pool_params),
    ATTR_INT(struct pool_params, p, .fallback_int = 2),
};
static const struct attr_row global_lp_1_attrs[] = {
    ATTR_(PARAM_FLOAT, struct pool_params, p_float, "p", .fallback_float = 2),
};
static const struct attr_row global_lp_attrs[] = {
    ATTR_INT(struct pool_params, p, .fallback_int = 2),
};

/* The window's dims from `from` on, at most two, as those of a pool over two. */
static void window_to_pool2d(const struct window *w, uint32_t from, uint32_t count,
                             struct webnn_pool2d_attributes *a)
{
    a->window_dimensions = (struct webnn_u32s){ .given = true, .count = 2, .items = { 1, 1 } };
    for (uint32_t i = 0; i < count; i++) {
        uint32_t axis = 2 - count + i, at = from + i;
        a->window_dimensions.items[axis] = w->kernel[at];
        a->padding.items[2 * axis] = (uint32_t)w->begin[at];
        a->padding.items[2 * axis + 1] = (uint32_t)w->end[at];
        a->strides.items[axis] = w->stride[at];
        a->dilations.items[axis] = w->dilation[at];
    }
}

/* H21: over height and width, then over the depth. */
static o2w_status pool_3d(struct lower *l, const struct node_view *n, enum webnn_operator kind,
                          value x, const struct window *w, value *out)
{
    struct webnn_pool2d_attributes a = webnn_max_pool2d_defaults();
    struct window depth = { .rank = 2,
                            .kernel = { w->kernel[0], 1 },
                            .stride = { w->stride[0], 1 },
                            .dilation = { w->dilation[0], 1 },
                            .begin = { w->begin[0] },
                            .end = { w->end[0] } };
    dim planes[4] = { x->dims[0], 0, x->dims[3], x->dims[4] },
        lines[4] = { x->dims[0], x->dims[1], x->dims[2], 0 },
        result[5] = { x->dims[0], x->dims[1], w->out[0], w->out[1], w->out[2] };
    value y;
    TRY(dims_product(l, n, x->dims, 1, 3, &planes[1]));
    TRY(reshape(l, x, planes, 4, &y));
    window_to_pool2d(w, 1, 2, &a);
    TRY(op(l, kind, OPERANDS(y), &a, &y));
    TRY(dims_product(l, n, y->dims, 2, 4, &lines[3]));
    TRY(reshape(l, y, lines, 4, &y));
    window_to_pool2d(&depth, 0, 2, &a);
    TRY(op(l, kind, OPERANDS(y), &a, &y));
    return reshape(l, y, result, 5, out);
}

/* The pool over one to three spatial dims. */
static o2w_status pool_run(struct lower *l, const struct node_view *n, enum webnn_operator kind,
                           value x, const struct window *w, value *out)
{
    struct webnn_pool2d_attributes a = webnn_max_pool2d_defaults();
    uint32_t height = 2, rank = x->rank;
    if (rank > 5)
        return refuse_input(l, n, 0, "has %u spatial dimensions, at most 3 are supported",
                            rank - 2);
    if (rank == 5)
        return pool_3d(l, n, kind, x, w, out);
    if (rank == 3)
        TRY(unsqueeze(l, x, &height, 1, &x));
    window_to_pool2d(w, 0, w->rank, &a);
    TRY(op(l, kind, OPERANDS(x), &a, out));
    return rank == 3 ? squeeze(l, *out, &height, 1, out) : O2W_OK;
}

/* Whether every window along dim i has an element of the input: only those that begin before it and
 * step over elements may have none. */
static bool windows_touch(const struct window *w, uint32_t i, dim in)
{
    if (w->dilation[i] == 1 || !dim_is_static(in) || !dim_is_static(w->out[i]))
        return true;
    for (int64_t start = -w->begin[i]; start < 0; start += w->stride[i]) {
        int64_t first = (-start + w->dilation[i] - 1) / w->dilation[i];
        if (first >= w->kernel[i] || start + first * w->dilation[i] >= in || start < -(1 << 20))
            return false;
    }
    return true;
}

static o2w_status check_padding(struct lower *l, const struct node_view *n, value x,
                                const struct window *w)
{
    for (uint32_t i = 0; i < w->rank; i++) {
        int64_t extent = ((int64_t)w->kernel[i] - 1) * w->dilation[i] + 1;
        if (w->begin[i] < 0 || w->end[i] < 0)
            return refuse_attribute(l, n, "pads", "is negative for a pool");
        if (w->begin[i] >= extent || w->end[i] >= extent)
            return refuse_attribute(
                l, n, "pads", "is %lld, must be smaller than the window of %lld",
                (long long)(w->begin[i] >= extent ? w->begin[i] : w->end[i]), (long long)extent);
        if (!windows_touch(w, i, x->dims[2 + i]))
            return refuse_attribute(l, n, "pads", "makes a window that lies in the padding alone");
    }
    return O2W_OK;
}

/* Where the runtime's SAME padding is another one. */
static void report_same(struct lower *l, const struct node_view *n, const struct pool_params *p,
                        const struct window *w)
{
    for (uint32_t i = 0; span_starts(p->window.auto_pad, SPAN("SAME_")) && i < w->rank; i++) {
        if (w->dilation[i] > 1)
            lower_report(l, n, DIAG_LOWER_NOTE,
                         "SAME padding counts dilations, which ONNX Runtime leaves out");
        if (w->stride[i] > w->kernel[i])
            lower_report(l, n, DIAG_LOWER_NOTE,
                         "SAME padding is never below 0, ONNX Runtime's is where a stride is wider "
                         "than the kernel");
    }
}

static o2w_status read_window(struct lower *l, const struct node_view *n,
                              const struct pool_params *p, value x, struct window *w)
{
    TRY(window_read(l, n, &p->window, x, NULL, 0, w));
    report_same(l, n, p, w);
    if (p->window.ceil_mode || w->doubtful) /* a window of what does not fit */
        TRY(window_check_some(l, n, x, w));
    return check_padding(l, n, x, w);
}

/* --- MaxPool ---------------------------------------------------------------------------------------- */

/* Elements between neighbours along each spatial dim, in the order that the indices count. */
static o2w_status index_strides(struct lower *l, const struct node_view *n, value x,
                                const struct window *w, bool column_major, int64_t *strides,
                                int64_t *plane)
{
    *plane = 1;
    for (uint32_t i = 0; i < w->rank; i++) {
        uint32_t at = column_major ? i : w->rank - 1 - i;
        int64_t size;
        TRY(static_dim(l, n, x, 2 + at, &size));
        strides[at] = *plane;
        *plane *= size;
    }
    return O2W_OK;
}

static o2w_status check_tables(struct lower *l, const struct node_view *n, value x,
                               const struct window *w)
{
    uint64_t windows, planes;
    if (dims_count(w->out, w->rank, &windows) && dims_count(x->dims, 2, &planes) &&
        windows <= (uint64_t)1 << 24 && planes <= (uint64_t)1 << 24)
        return O2W_OK;
    return refuse(l, n, DIAG_LOWER_LIMIT,
                  "indices of more than 2^24 windows or planes, or of open dimensions");
}

/* Of every kernel position, and of every window's first: offsets into the plane. */
static o2w_status index_tables(struct lower *l, value x, const struct window *w,
                               const int64_t *strides, value *taps, value *windows)
{
    dim dims[MAX_RANK] = { 1, 1 };
    int64_t positions = 1;
    struct tensor t;
    for (uint32_t i = 0; i < w->rank; i++) {
        dims[2 + i] = w->out[i];
        positions *= w->kernel[i];
    }
    TRY(known_new(l, DTYPE_INT64, &positions, 1, &t, taps));
    for (int64_t k = 0; k < positions; k++) {
        int64_t rest = k, offset = 0;
        for (uint32_t i = w->rank; i-- > 0; rest /= w->kernel[i])
            offset += rest % w->kernel[i] * w->dilation[i] * strides[i];
        tensor_put_i64(&t, (uint64_t)k, offset);
    }
    TRY(known_new(l, DTYPE_INT64, dims, x->rank, &t, windows));
    for (uint64_t o = 0; o < tensor_count(&t); o++) {
        int64_t rest = (int64_t)o, offset = 0;
        for (uint32_t i = w->rank; i-- > 0; rest /= w->out[i])
            offset += (rest % w->out[i] * w->stride[i] - w->begin[i]) * strides[i];
        tensor_put_i64(&t, o, offset);
    }
    return O2W_OK;
}

/* Where each plane begins. */
static o2w_status plane_offsets(struct lower *l, const struct node_view *n, value x, int64_t plane,
                                value *out)
{
    dim dims[MAX_RANK];
    int64_t batch, channels;
    struct tensor t;
    TRY(static_dim(l, n, x, 0, &batch));
    TRY(static_dim(l, n, x, 1, &channels));
    for (uint32_t i = 0; i < x->rank; i++)
        dims[i] = i < 2 ? x->dims[i] : 1;
    TRY(known_new(l, DTYPE_INT64, dims, x->rank, &t, out));
    for (int64_t i = 0; i < batch * channels; i++)
        tensor_put_i64(&t, (uint64_t)i, i * plane);
    return O2W_OK;
}

/* Of every window, the first kernel position that is not in the padding. */
static o2w_status first_taps(struct lower *l, value x, const struct window *w, enum dtype dtype,
                             value *out)
{
    dim dims[MAX_RANK] = { 1, 1 };
    struct tensor t;
    memcpy(dims + 2, w->out, w->rank * sizeof *dims);
    TRY(known_new(l, dtype, dims, x->rank, &t, out));
    for (uint64_t o = 0; o < tensor_count(&t); o++) {
        int64_t rest = (int64_t)o, tap = 0, size = 1;
        for (uint32_t i = w->rank; i-- > 0; rest /= w->out[i]) {
            int64_t outside = w->begin[i] - rest % w->out[i] * w->stride[i];
            int64_t at = outside > 0 ? (outside + w->dilation[i] - 1) / w->dilation[i] : 0;
            tap += at * size;
            size *= w->kernel[i];
        }
        tensor_put_i64(&t, o, tap);
    }
    return O2W_OK;
}

/* Padding is as large as a window's largest where that is -infinity, but nothing of x. */
static o2w_status leave_padding(struct lower *l, value x, const struct window *w, value taps,
                                value *largest)
{
    struct webnn_reduce_attributes reduce = webnn_reduce_max_defaults();
    bool before = false;
    value most, lowest, first, all;
    for (uint32_t i = 0; i < w->rank; i++)
        before |= w->begin[i] > 0;
    if (!before || !dtype_is_float(x->dtype))
        return O2W_OK;
    reduce.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { taps->rank - 1 } };
    TRY(op(l, WEBNN_REDUCE_MAX, OPERANDS(taps), &reduce, &most));
    TRY(scalar_like(l, most, -(double)INFINITY, &lowest));
    TRY(first_taps(l, x, w, (*largest)->dtype, &first));
    TRY(op2(l, WEBNN_EQUAL, most, lowest, &all));
    return op3(l, WEBNN_WHERE, all, first, *largest, largest);
}

/* The first of the largest, as an index into the whole of x. */
static o2w_status max_indices(struct lower *l, const struct node_view *n, value x,
                              const struct window *w, bool column_major, value *out)
{
    struct webnn_arg_min_max_attributes arg = webnn_arg_max_defaults();
    struct webnn_gather_attributes gather = webnn_gather_defaults();
    struct webnn_number lowest = { .kind = WEBNN_NUMBER_DOUBLE, .d = -(double)INFINITY };
    int64_t strides[MAX_RANK], plane;
    value taps, windows, planes, y, at;
    TRY(check_tables(l, n, x, w));
    TRY(index_strides(l, n, x, w, column_major, strides, &plane));
    TRY(index_tables(l, x, w, strides, &taps, &windows));
    TRY(plane_offsets(l, n, x, plane, &planes));
    TRY(window_pad(l, x, w, lowest, &y));
    TRY(window_taps(l, n, y, w, &y));
    arg.axis = y->rank - 1;
    TRY(op(l, WEBNN_ARG_MAX, OPERANDS(y), &arg, &at));
    TRY(leave_padding(l, x, w, y, &at));
    TRY(op(l, WEBNN_GATHER, OPERANDS(taps, at), &gather, &y));
    TRY(op2(l, WEBNN_ADD, y, windows, &y));
    return op2(l, WEBNN_ADD, y, planes, out);
}

/* What is left without any window: nothing. */
static o2w_status no_windows(struct lower *l, value x, const struct window *w, enum dtype dtype,
                             value *out)
{
    dim dims[MAX_RANK] = { x->dims[0], x->dims[1] };
    memcpy(dims + 2, w->out, w->rank * sizeof *dims);
    return fill_i64(l, dtype, 0, dims, x->rank, out);
}

static o2w_status emit_no_windows(struct lower *l, const struct node_view *n,
                                  const struct window *w)
{
    value x = input(n, 0), y;
    for (uint32_t i = 0; i < n->output_count; i++) {
        TRY(no_windows(l, x, w, i ? DTYPE_INT64 : x->dtype, &y));
        TRY(emit_output(l, n, i, y));
    }
    return O2W_OK;
}

/* int8 and uint8 have no maxPool2d: float32 holds them exactly. */
static o2w_status lower_max_pool(struct lower *l, const struct node_view *n, const void *params)
{
    const struct pool_params *p = params;
    struct window w;
    value x = input(n, 0), y;
    enum dtype dtype = x->dtype;
    TRY(read_window(l, n, p, x, &w));
    if (w.none)
        return emit_no_windows(l, n, &w);
    if (dtype == DTYPE_INT8 || dtype == DTYPE_UINT8)
        TRY(cast(l, x, DTYPE_FLOAT32, &x));
    if (output_used(n, 1)) {
        TRY(max_indices(l, n, x, &w, p->storage_order != 0, &y));
        TRY(emit_output(l, n, 1, y));
    }
    if (!output_used(n, 0))
        return O2W_OK;
    TRY(pool_run(l, n, WEBNN_MAX_POOL2D, x, &w, &y));
    TRY(cast(l, y, dtype, &y));
    return emit_value(l, n, y);
}

/* --- AveragePool ------------------------------------------------------------------------------------ */

/* The explicit pads are counted, the overhang of ceil_mode is not. */
static o2w_status counted_padding(struct lower *l, const struct node_view *n,
                                  const struct pool_params *p, value x, struct window *w,
                                  value *out)
{
    struct window pads = *w;
    for (uint32_t i = 0; i < w->rank; i++) {
        if (p->counts_overhang)
            pads.end[i] = w->end[i];
        else if (p->window.pads.given && span_is(p->window.auto_pad, "NOTSET"))
            pads.end[i] = p->window.pads.items[w->rank + i];
        else if (!span_starts(p->window.auto_pad, SPAN("SAME_")))
            pads.end[i] = 0;
        w->end[i] -= pads.end[i];
        w->begin[i] = 0;
        if (w->end[i] < 0)
            return refuse_attribute(l, n, "pads", "does not fit ceil_mode");
    }
    return window_pad(l, x, &pads, (struct webnn_number){ .kind = WEBNN_NUMBER_INT }, out);
}

o2w_status average_pool_run(struct lower *l, const struct node_view *n, const struct pool_params *p,
                            value x, value *out)
{
    struct window w;
    TRY(read_window(l, n, p, x, &w));
    if (w.none)
        return no_windows(l, x, &w, x->dtype, out);
    if (p->count_include_pad)
        TRY(counted_padding(l, n, p, x, &w, &x));
    return pool_run(l, n, WEBNN_AVERAGE_POOL2D, x, &w, out);
}

o2w_status max_pool_run(struct lower *l, const struct node_view *n, const struct pool_params *p,
                        value x, value *out)
{
    struct window w;
    TRY(read_window(l, n, p, x, &w));
    if (w.none)
        return no_windows(l, x, &w, x->dtype, out);
    return pool_run(l, n, WEBNN_MAX_POOL2D, x, &w, out);
}

static o2w_status lower_average_pool(struct lower *l, const struct node_view *n, const void *params)
{
    value y;
    TRY(average_pool_run(l, n, params, input(n, 0), &y));
    return emit_value(l, n, y);
}

/* --- norms ------------------------------------------------------------------------------------------ */

static o2w_status read_power(struct lower *l, const struct node_view *n,
                             const struct pool_params *p, double *out)
{
    *out = n->row->until == 1 ? p->p_float : (double)p->p;
    if (!(*out > 0) || !isfinite(*out))
        return refuse_attribute(l, n, "p", "is %g, must be greater than 0", *out);
    return O2W_OK;
}

/* |x|^p, and the p-th root. */
static value powers(struct calc *c, value x, double p)
{
    value y = calc_abs(c, x);
    return p == 1 ? y : calc_pow(c, y, calc_number(c, p));
}
static value root(struct calc *c, value x, double p)
{
    return p == 1 ? x : calc_pow(c, x, calc_number(c, 1 / p));
}

/* (sum of |x|^p)^(1/p): the mean over whole windows times their size, padding is zeros. */
static o2w_status lp_pool(struct lower *l, const struct node_view *n, struct window *w, double p,
                          value *out)
{
    value x;
    double size = 1;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value y = powers(&c, x, p);
    TRY(c.status);
    TRY(window_pad(l, y, w, (struct webnn_number){ .kind = WEBNN_NUMBER_INT }, &y));
    for (uint32_t i = 0; i < w->rank; i++) {
        w->begin[i] = w->end[i] = 0;
        size *= w->kernel[i];
    }
    TRY(pool_run(l, n, WEBNN_AVERAGE_POOL2D, y, w, &y));
    *out = root(&c, calc_mul(&c, y, calc_number(&c, size)), p);
    return c.status;
}

static o2w_status lower_lp_pool(struct lower *l, const struct node_view *n, const void *params)
{
    const struct pool_params *p = params;
    struct window w;
    double power;
    value x = input(n, 0), y;
    TRY(read_power(l, n, p, &power));
    TRY(read_window(l, n, p, x, &w));
    if (w.none)
        return emit_no_windows(l, n, &w);
    if (power == 2)
        TRY(pool_run(l, n, WEBNN_L2_POOL2D, x, &w, &y));
    else
        TRY(lp_pool(l, n, &w, power, &y));
    return emit_narrowed(l, n, y);
}

/* --- whole planes ----------------------------------------------------------------------------------- */

static o2w_status global(struct lower *l, const struct node_view *n, enum webnn_operator kind,
                         value x, value *out)
{
    struct webnn_reduce_attributes r = webnn_reduce_mean_defaults();
    if (x->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", x->rank);
    r.keep_dimensions = true;
    r.axes.given = true;
    for (uint32_t i = 2; i < x->rank; i++)
        r.axes.items[r.axes.count++] = i;
    return op(l, kind, OPERANDS(x), &r, out);
}

static o2w_status lower_global(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value y;
    TRY(global(l, n, row_operator(n), input(n, 0), &y));
    return emit_value(l, n, y);
}

static o2w_status lower_global_lp(struct lower *l, const struct node_view *n, const void *params)
{
    double p;
    value x, y;
    TRY(read_power(l, n, params, &p));
    if (p == 1 || p == 2) {
        TRY(global(l, n, p == 1 ? WEBNN_REDUCE_L1 : WEBNN_REDUCE_L2, input(n, 0), &y));
        return emit_value(l, n, y);
    }
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    y = powers(&c, x, p);
    TRY(c.status);
    TRY(global(l, n, WEBNN_REDUCE_SUM, y, &y));
    y = root(&c, y, p);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

#define MAX_TYPES    (SET_FLOATS | DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define INDICES      OUT_OPT_OF("Indices", DTYPE_INT64)
#define SPATIAL_NOTE "more than three spatial dimensions, windows wholly in padding refused"

const struct onnx_row pooling_rows[] = {
    { ONNX("MaxPool", 1, 7), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, pool_1_attrs), .lower = lower_max_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "maxPool2d", .notes = SPATIAL_NOTE },
    { ONNX("MaxPool", 8, 9), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T), INDICES),
      PARAMS(struct pool_params, max_pool_8_attrs), .lower = lower_max_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "maxPool2d", .notes = SPATIAL_NOTE },
    { ONNX("MaxPool", 10, LATEST), INPUTS(IN("X", T, MAX_TYPES)), RESULTS(OUT("Y", T), INDICES),
      PARAMS(struct pool_params, max_pool_attrs), .lower = lower_max_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "maxPool2d", .notes = SPATIAL_NOTE },
    { ONNX("AveragePool", 1, 6), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, pool_1_attrs), .lower = lower_average_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "averagePool2d", .notes = SPATIAL_NOTE },
    { ONNX("AveragePool", 7, 9), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, average_pool_7_attrs), .lower = lower_average_pool,
      .class = CLASS_DIRECT, .partial = true, .webnn = "averagePool2d", .notes = SPATIAL_NOTE },
    { ONNX("AveragePool", 10, 18), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, average_pool_10_attrs), .lower = lower_average_pool,
      .class = CLASS_DIRECT, .partial = true, .webnn = "averagePool2d", .notes = SPATIAL_NOTE },
    { ONNX("AveragePool", 19, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, average_pool_attrs), .lower = lower_average_pool,
      .class = CLASS_DIRECT, .partial = true, .webnn = "averagePool2d", .notes = SPATIAL_NOTE },
    { ONNX("GlobalAveragePool", 1, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      .lower = lower_global, .class = CLASS_DIRECT, .webnn = "reduceMean" },
    { ONNX("GlobalMaxPool", 1, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      .lower = lower_global, .class = CLASS_DIRECT, .webnn = "reduceMax" },
    { ONNX("LpPool", 1, 1), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, lp_pool_1_attrs), .lower = lower_lp_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "l2Pool2d, averagePool2d", .notes = SPATIAL_NOTE },
    { ONNX("LpPool", 2, 17), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, lp_pool_2_attrs), .lower = lower_lp_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "l2Pool2d, averagePool2d", .notes = SPATIAL_NOTE },
    { ONNX("LpPool", 18, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, lp_pool_18_attrs), .lower = lower_lp_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "l2Pool2d, averagePool2d", .notes = SPATIAL_NOTE },
    { ONNX("GlobalLpPool", 1, 1), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, global_lp_1_attrs), .lower = lower_global_lp,
      .class = CLASS_DIRECT, .webnn = "reduceL2, reduceL1, reduceSum" },
    { ONNX("GlobalLpPool", 2, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, global_lp_attrs), .lower = lower_global_lp, .class = CLASS_DIRECT,
      .webnn = "reduceL2, reduceL1, reduceSum" },
};
ROW_COUNT(pooling);
