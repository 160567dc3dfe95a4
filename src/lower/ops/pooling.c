/* Pools over windows and over the whole plane. */
#include "lower/ops/window.h"

#include <string.h>

struct pool_params {
    struct window_params window;
    int64_t count_include_pad, storage_order, p;
};

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

static void window_to_pool2d(const struct window *w, struct webnn_pool2d_attributes *a)
{
    uint32_t first = 2 - w->rank;
    a->window_dimensions = (struct webnn_u32s){ .given = true, .count = 2, .items = { 1, 1 } };
    for (uint32_t i = 0; i < w->rank; i++) {
        uint32_t axis = first + i;
        a->window_dimensions.items[axis] = w->kernel[i];
        a->padding.items[2 * axis] = (uint32_t)w->begin[i];
        a->padding.items[2 * axis + 1] = (uint32_t)w->end[i];
        a->strides.items[axis] = w->stride[i];
        a->dilations.items[axis] = w->dilation[i];
    }
}

/* The pool over one or two spatial dims. */
static o2w_status pool2d(struct lower *l, const struct node_view *n, enum webnn_operator kind,
                         value x, const struct window *w, value *out)
{
    struct webnn_pool2d_attributes a = webnn_max_pool2d_defaults();
    uint32_t height = 2, rank = x->rank;
    if (rank > 4)
        return refuse_input(l, n, 0, "has %u spatial dimensions, at most 2 are supported",
                            rank - 2);
    if (rank == 3)
        TRY(unsqueeze(l, x, &height, 1, &x));
    window_to_pool2d(w, &a);
    TRY(op(l, kind, OPERANDS(x), &a, out));
    return rank == 3 ? squeeze(l, *out, &height, 1, out) : O2W_OK;
}

static o2w_status check_padding(struct lower *l, const struct node_view *n, const struct window *w)
{
    for (uint32_t i = 0; i < w->rank; i++) {
        int64_t extent = ((int64_t)w->kernel[i] - 1) * w->dilation[i] + 1;
        if (w->begin[i] < 0 || w->end[i] < 0)
            return refuse_attribute(l, n, "pads", "is negative for a pool");
        if (w->begin[i] >= extent)
            return refuse_attribute(l, n, "pads",
                                    "is %lld, must be smaller than the window of %lld",
                                    (long long)w->begin[i], (long long)extent);
    }
    return O2W_OK;
}

/* int8 and uint8 have no maxPool2d: float16 holds them exactly. */
static o2w_status lower_max_pool(struct lower *l, const struct node_view *n, const void *params)
{
    const struct pool_params *p = params;
    struct window w;
    value x = input(n, 0), y;
    enum dtype dtype = x->dtype;
    if (output_used(n, 1))
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "output 1 'Indices' is used: it is not supported");
    TRY(window_read(l, n, &p->window, x, NULL, &w));
    TRY(check_padding(l, n, &w));
    if (dtype == DTYPE_INT8 || dtype == DTYPE_UINT8)
        TRY(cast(l, x, DTYPE_FLOAT32, &x));
    TRY(pool2d(l, n, WEBNN_MAX_POOL2D, x, &w, &y));
    TRY(cast(l, y, dtype, &y));
    return emit_value(l, n, y);
}

static o2w_status pad_zeros(struct lower *l, value x, const struct window *w, value *out)
{
    struct webnn_pad_attributes a = webnn_pad_defaults();
    a.beginning_padding = a.ending_padding = (struct webnn_u32s){ .given = true, .count = x->rank };
    for (uint32_t i = 0; i < w->rank; i++) {
        a.beginning_padding.items[2 + i] = (uint32_t)w->begin[i];
        a.ending_padding.items[2 + i] = (uint32_t)w->end[i];
    }
    return op(l, WEBNN_PAD, OPERANDS(x), &a, out);
}

/* The explicit pads are counted, the overhang of ceil_mode never is. */
static o2w_status counted_padding(struct lower *l, const struct node_view *n,
                                  const struct pool_params *p, value x, struct window *w,
                                  value *out)
{
    struct window pads = *w;
    bool any = false;
    for (uint32_t i = 0; i < w->rank; i++) {
        if (p->window.pads.given && span_is(p->window.auto_pad, "NOTSET"))
            pads.end[i] = p->window.pads.items[w->rank + i];
        w->end[i] -= pads.end[i];
        w->begin[i] = 0;
        any |= pads.begin[i] || pads.end[i];
        if (w->end[i] < 0)
            return refuse_attribute(l, n, "pads", "does not fit ceil_mode");
    }
    *out = x;
    return any ? pad_zeros(l, x, &pads, out) : O2W_OK;
}

static o2w_status lower_average_pool(struct lower *l, const struct node_view *n, const void *params)
{
    const struct pool_params *p = params;
    struct window w;
    value x = input(n, 0), y;
    TRY(window_read(l, n, &p->window, x, NULL, &w));
    TRY(check_padding(l, n, &w));
    if (p->count_include_pad)
        TRY(counted_padding(l, n, p, x, &w, &x));
    TRY(pool2d(l, n, WEBNN_AVERAGE_POOL2D, x, &w, &y));
    return emit_value(l, n, y);
}

static o2w_status global(struct lower *l, const struct node_view *n, enum webnn_operator kind)
{
    struct webnn_reduce_attributes r = webnn_reduce_mean_defaults();
    value x = input(n, 0);
    if (x->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", x->rank);
    r.keep_dimensions = true;
    r.axes.given = true;
    for (uint32_t i = 2; i < x->rank; i++)
        r.axes.items[r.axes.count++] = i;
    return emit(l, n, kind, OPERANDS(x), &r);
}

static o2w_status lower_global_average_pool(struct lower *l, const struct node_view *n,
                                            const void *params)
{
    (void)params;
    return global(l, n, WEBNN_REDUCE_MEAN);
}

static o2w_status lower_global_max_pool(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    (void)params;
    return global(l, n, WEBNN_REDUCE_MAX);
}

#define MAX_TYPES    (SET_FLOATS | DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define INDICES      OUT_OPT_OF("Indices", DTYPE_INT64)
#define SPATIAL_NOTE "more than two spatial dimensions refused"

const struct onnx_row pooling_rows[] = {
    { ONNX("MaxPool", 1, 7), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct pool_params, pool_1_attrs), .lower = lower_max_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "maxPool2d", .notes = SPATIAL_NOTE },
    { ONNX("MaxPool", 8, 9), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T), INDICES),
      PARAMS(struct pool_params, max_pool_8_attrs), .lower = lower_max_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "maxPool2d", .notes = SPATIAL_NOTE ", Indices refused" },
    { ONNX("MaxPool", 10, LATEST), INPUTS(IN("X", T, MAX_TYPES)), RESULTS(OUT("Y", T), INDICES),
      PARAMS(struct pool_params, max_pool_attrs), .lower = lower_max_pool, .class = CLASS_DIRECT,
      .partial = true, .webnn = "maxPool2d", .notes = SPATIAL_NOTE ", Indices refused" },
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
      .lower = lower_global_average_pool, .class = CLASS_DIRECT, .webnn = "reduceMean" },
    { ONNX("GlobalMaxPool", 1, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      .lower = lower_global_max_pool, .class = CLASS_DIRECT, .webnn = "reduceMax" },
};
ROW_COUNT(pooling);
