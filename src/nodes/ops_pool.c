/* Pooling. Rounding up is written as padding at the end, so that the runtime's own rounding, which
 * drops windows, never decides. */
#include "nodes/lower.h"

#include <math.h>

struct pool {
    uint32_t layout;
    int64_t window[2], strides[2], dilations[2];
    int64_t pads[4];             /* beginnings, then ends */
    int64_t input[2], output[2]; /* -1: open */
    bool ceil_mode;              /* only for open dims */
    bool whole;                  /* one window over the whole input */
};

static int64_t extent(const struct pool *p, uint32_t i)
{
    return (p->window[i] - 1) * p->dilations[i] + 1;
}

/* Ends such that rounding down gives the inferred size. For open dims the runtime must round. */
static bool settle_ends(struct emit *e, struct pool *p, bool rounds_up)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (p->input[i] >= 0) {
            int64_t needed =
                (p->output[i] - 1) * p->strides[i] + extent(p, i) - p->input[i] - p->pads[i];
            p->pads[2 + i] = needed > 0 ? needed : 0;
        } else if (rounds_up) {
            if (p->pads[2 + i] != 0 || extent(p, i) < p->strides[i]) {
                need_static(e, operand_at(e, 0), "input");
                return false;
            }
            p->ceil_mode = true;
        }
    }
    return true;
}

static bool read_pool(struct emit *e, struct pool *p)
{
    const struct webnn_pool2d_attributes *a = ATTRIBUTES_OF(e, pool2d);
    const struct operand *x = operand_at(e, 0), *y = result_at(e, 0);
    uint32_t first = a->layout == WEBNN_INPUT_LAYOUT_NHWC ? 1 : 2;
    bool sized = a->output_sizes.given && a->output_sizes.count == 2;
    *p = (struct pool){ .layout = a->layout, .whole = true };
    for (uint32_t i = 0; i < 2; i++) {
        p->window[i] = a->window_dimensions.items[i];
        p->strides[i] = a->strides.items[i];
        p->dilations[i] = a->dilations.items[i];
        p->pads[i] = a->padding.items[2 * i];
        p->pads[2 + i] = a->padding.items[2 * i + 1];
        p->input[i] = dim_is_static(x->dims[first + i]) ? x->dims[first + i] : -1;
        p->output[i] = dim_is_static(y->dims[first + i]) ? y->dims[first + i] : -1;
    }
    if (!settle_ends(e, p, a->output_shape_rounding == WEBNN_ROUNDING_CEIL || sized))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        p->whole = p->whole && p->input[i] == p->window[i] && p->dilations[i] == 1 &&
                   p->pads[i] == 0 && p->pads[2 + i] == 0;
    return true;
}

/* The runtime refuses padding of a whole window. */
static bool pads_fit(const struct pool *p)
{
    for (uint32_t i = 0; i < 2; i++)
        if (p->pads[i] >= p->window[i] || p->pads[2 + i] >= p->window[i])
            return false;
    return true;
}

static bool has_pads(const struct pool *p)
{
    return p->pads[0] || p->pads[1] || p->pads[2] || p->pads[3];
}

/* The padding as a node of its own; afterwards the pool has none. */
static ref pad_input(struct emit *e, struct pool *p, ref x, ref value)
{
    const int64_t pads[8] = { 0, 0, p->pads[0], p->pads[1], 0, 0, p->pads[2], p->pads[3] };
    if (!has_pads(p))
        return x;
    for (uint32_t i = 0; i < 4; i++)
        p->pads[i] = 0;
    return emit_node(e, "Pad", REFS(x, emit_i64s(e, pads, 8), value), PLAIN);
}

static ref pool_node(struct emit *e, const char *op, const struct pool *p, ref x,
                     const struct sink_attribute *more)
{
    struct sink_attribute attributes[6] = {
        INTS("kernel_shape", p->window, 2),
        INTS("strides", p->strides, 2),
        INTS("pads", p->pads, 4),
        INT("ceil_mode", p->ceil_mode),
    };
    size_t count = 4;
    if (p->dilations[0] != 1 || p->dilations[1] != 1) /* the runtime's quantised pools have none */
        attributes[count++] = (struct sink_attribute)INTS("dilations", p->dilations, 2);
    if (more)
        attributes[count++] = *more;
    return emit_node(e, op, &x, 1, attributes, count);
}

/* Averages of padded zeros, put right by window / valid elements at each place. */
static ref average_with_map(struct emit *e, struct pool *p, ref x)
{
    struct pool bare = *p;
    struct tensor map;
    const int64_t dims[4] = { 1, 1, p->output[0], p->output[1] };
    if (!need_static(e, operand_at(e, 0), "input"))
        return NULL;
    emit_keep(e, tensor_new(e->arena, DTYPE_FLOAT32, dims, 4, &map));
    if (e->status != O2W_OK)
        return NULL;
    for (int64_t i = 0; i < p->output[0] * p->output[1]; i++) {
        const int64_t at[2] = { i / p->output[1], i % p->output[1] };
        int64_t valid = 1;
        for (uint32_t k = 0; k < 2; k++) {
            int64_t inside = 0;
            for (int64_t w = 0; w < p->window[k]; w++) {
                int64_t place = at[k] * p->strides[k] - p->pads[k] + w * p->dilations[k];
                inside += place >= 0 && place < p->input[k];
            }
            valid *= inside;
        }
        double share = valid ? (double)(p->window[0] * p->window[1]) / (double)valid : INFINITY;
        tensor_put_double(&map, (uint64_t)i, share);
    }
    ref padded = pad_input(e, &bare, x, emit_float(e, DTYPE_FLOAT32, 0));
    return emit_binary(e, "Mul", pool_node(e, "AveragePool", &bare, padded, NULL),
                       emit_tensor(e, &map));
}

/* Wide: a float16 sum must not be rounded before the map. */
static ref wide_nchw(struct emit *e, uint32_t layout)
{
    ref x = operand_nchw(e, 0, layout);
    return operand_dtype(e, 0) == DTYPE_FLOAT16 ? emit_cast(e, x, DTYPE_FLOAT32) : x;
}

static void set_result_wide_nchw(struct emit *e, ref y, uint32_t layout)
{
    set_result_nchw(e, operand_dtype(e, 0) == DTYPE_FLOAT16 ? emit_cast(e, y, DTYPE_FLOAT16) : y,
                    layout);
}

void nodes_average_pool2d(struct emit *e)
{
    struct pool p;
    if (!read_pool(e, &p))
        return;
    if (!pads_fit(&p))
        set_result_wide_nchw(e, average_with_map(e, &p, wide_nchw(e, p.layout)), p.layout);
    else if (p.whole)
        set_result_nchw(e, emit_unary(e, "GlobalAveragePool", operand_nchw(e, 0, p.layout)),
                        p.layout);
    else
        set_result_nchw(e, pool_node(e, "AveragePool", &p, operand_nchw(e, 0, p.layout), NULL),
                        p.layout);
}

void nodes_l2_pool2d(struct emit *e)
{
    struct pool p;
    const struct sink_attribute square = INT("p", 2);
    if (!read_pool(e, &p))
        return;
    ref x = operand_nchw(e, 0, p.layout);
    if (!pads_fit(&p))
        x = pad_input(e, &p, x, emit_float(e, operand_dtype(e, 0), 0));
    set_result_nchw(e, pool_node(e, "LpPool", &p, x, &square), p.layout);
}

static ref lowest(struct emit *e, enum dtype t)
{
    return dtype_is_float(t) ? emit_float(e, t, -(double)INFINITY) : emit_int(e, t, dtype_min(t));
}

/* The input of the window's element (row, column) at every place of the output. */
static ref window_element(struct emit *e, const struct pool *p, ref x, int64_t row, int64_t column)
{
    static const int64_t axes[2] = { 2, 3 };
    const int64_t starts[2] = { row * p->dilations[0], column * p->dilations[1] };
    const int64_t ends[2] = { starts[0] + (p->output[0] - 1) * p->strides[0] + 1,
                              starts[1] + (p->output[1] - 1) * p->strides[1] + 1 };
    return emit_node(e, "Slice",
                     REFS(x, emit_i64s(e, starts, 2), emit_i64s(e, ends, 2), emit_i64s(e, axes, 2),
                          emit_i64s(e, p->strides, 2)),
                     PLAIN);
}

/* Integers that the runtime does not pool: the maximum of the window's elements, one by one. */
static void max_by_elements(struct emit *e, struct pool *p)
{
    enum dtype t = operand_dtype(e, 0);
    if (!need_static(e, operand_at(e, 0), "input"))
        return;
    ref x = pad_input(e, p, operand_nchw(e, 0, p->layout), lowest(e, t)), y = NULL;
    for (int64_t row = 0; row < p->window[0] && e->status == O2W_OK; row++)
        for (int64_t column = 0; column < p->window[1] && e->status == O2W_OK; column++) {
            ref element = window_element(e, p, x, row, column);
            y = y ? emit_max(e, t, y, element) : element;
        }
    set_result_nchw(e, y, p->layout);
}

/* 0 where all elements of the window are numbers, else NaN: the runtime's maximum forgets NaN. */
static ref nan_of_window(struct emit *e, const struct pool *p, ref x)
{
    ref zero = emit_float(e, operand_dtype(e, 0), 0);
    return pool_node(e, "AveragePool", p, emit_node(e, "Clip", REFS(x, zero, zero), PLAIN), NULL);
}

/* The runtime's maximum of nothing but -infinity is the lowest finite number: -infinity there. */
static ref keep_infinity(struct emit *e, const struct pool *p, ref x, ref y)
{
    enum dtype t = operand_dtype(e, 0);
    ref low = lowest(e, t), above = emit_cast(e, emit_node(e, "Greater", REFS(x, low), PLAIN), t),
        any = pool_node(e, "MaxPool", p, above, NULL),
        none = emit_node(e, "Equal", REFS(any, emit_float(e, t, 0)), PLAIN);
    return emit_node(e, "Where", REFS(none, low, y), PLAIN);
}

void nodes_max_pool2d(struct emit *e)
{
    struct pool p;
    enum dtype t = operand_dtype(e, 0);
    if (!read_pool(e, &p))
        return;
    if (dtype_is_integer(t) && dtype_info(t)->bits > 8) {
        max_by_elements(e, &p);
        return;
    }
    ref x = operand_nchw(e, 0, p.layout);
    bool dilated = p.dilations[0] > 1 || p.dilations[1] > 1;
    if (!pads_fit(&p) || (dilated && has_pads(&p))) /* windows of nothing but padding */
        x = pad_input(e, &p, x, lowest(e, t));
    bool global = p.whole && dtype_is_float(t) && !e->exact;
    ref y = global ? emit_unary(e, "GlobalMaxPool", x) : pool_node(e, "MaxPool", &p, x, NULL);
    if (e->exact && dtype_is_float(t)) {
        y = keep_infinity(e, &p, x, y);
        y = emit_binary(e, "Add", y, nan_of_window(e, &p, x));
    }
    set_result_nchw(e, y, p.layout);
}
