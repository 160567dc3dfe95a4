/* com.microsoft: elementwise operators, pools and softmax on 8-bit tensors with a scale. */
#include "lower/ops/convolution.h"
#include "lower/ops/pooling.h"

#include "lower/quantized.h"

/* --- scales ---------------------------------------------------------------------------------------------- */

/* Where data, scale and zero point stand among the inputs. */
struct slots {
    uint32_t x, scale, zero;
};

static struct slots slots_at(uint32_t x)
{
    return (struct slots){ x, x + 1, x + 2 };
}

static o2w_status check_single(struct lower *l, const struct node_view *n, uint32_t at)
{
    value v = input(n, at);
    uint64_t count;
    if (!v || (value_count(v, &count) && count == 1))
        return O2W_OK;
    return refuse_input(l, n, at, "has rank %u and more than one element, one number is needed",
                        v->rank);
}

/* quantizeLinear or dequantizeLinear of x by the scale and zero point of the slots. */
static o2w_status convert(struct lower *l, const struct node_view *n, const struct slots *s,
                          enum webnn_operator kind, enum dtype dtype, value x, value *out)
{
    struct quantized q = { .x = x, .scale = input(n, s->scale), .zero = input(n, s->zero) };
    TRY(check_single(l, n, s->scale));
    TRY(check_single(l, n, s->zero));
    TRY(quantized_shape(l, n, &q, dtype, s->scale, s->zero));
    return quantized_run(l, &q, kind, out);
}

static o2w_status dequantized(struct lower *l, const struct node_view *n, const struct slots *s,
                              value *out)
{
    value x = input(n, s->x);
    return convert(l, n, s, WEBNN_DEQUANTIZE_LINEAR, x->dtype, x, out);
}

static o2w_status emit_quantized(struct lower *l, const struct node_view *n, const struct slots *s,
                                 enum dtype dtype, value y)
{
    TRY(convert(l, n, s, WEBNN_QUANTIZE_LINEAR, dtype, y, &y));
    return emit_value(l, n, y);
}

/* --- tables ---------------------------------------------------------------------------------------------- */

/* A function of one float. */
typedef o2w_status function(struct lower *l, value x, const void *context, value *out);

static bool known_or_absent(const struct node_view *n, const struct slots *s)
{
    return value_is_known(input(n, s->scale)) &&
           (!input(n, s->zero) || value_is_known(input(n, s->zero)));
}

/* All 256 numbers of an 8-bit dtype, in order. */
static o2w_status all_numbers(struct lower *l, enum dtype dtype, value *out)
{
    struct tensor t;
    TRY(known_new(l, dtype, &(dim){ 256 }, 1, &t, out));
    for (int i = 0; i < 256; i++)
        tensor_put_i64(&t, (uint64_t)i, i + dtype_min(dtype));
    return O2W_OK;
}

static o2w_status through(struct lower *l, const struct node_view *n, const struct slots *from,
                          const struct slots *to, enum dtype dtype, function *f,
                          const void *context, value x, value *out)
{
    value y;
    TRY(convert(l, n, from, WEBNN_DEQUANTIZE_LINEAR, x->dtype, x, &y));
    if (f)
        TRY(f(l, y, context, &y));
    return convert(l, n, to, WEBNN_QUANTIZE_LINEAR, dtype, y, out);
}

/* x through a function, to other scales: by a table where the scales are known. */
static o2w_status mapped(struct lower *l, const struct node_view *n, const struct slots *from,
                         const struct slots *to, enum dtype dtype, function *f, const void *context,
                         value *out)
{
    value x = input(n, from->x), table, index, low;
    if (!known_or_absent(n, from) || !known_or_absent(n, to) || value_is_known(x))
        return through(l, n, from, to, dtype, f, context, x, out);
    TRY(all_numbers(l, x->dtype, &table));
    TRY(through(l, n, from, to, dtype, f, context, table, &table));
    TRY(cast(l, x, DTYPE_INT32, &index));
    if (x->dtype == DTYPE_INT8) {
        TRY(scalar_i64(l, DTYPE_INT32, 128, &low));
        TRY(op2(l, WEBNN_ADD, index, low, &index));
    }
    return op2(l, WEBNN_GATHER, table, index, out);
}

/* --- QLinearLeakyRelu, QLinearSigmoid --------------------------------------------------------------------- */

struct leaky {
    double alpha;
};

static const struct attr_row leaky_attrs[] = { ATTR_FLOAT(struct leaky, alpha,
                                                          .fallback_float = 0.01) };

static o2w_status leaky_relu(struct lower *l, value x, const void *context, value *out)
{
    const struct leaky *p = context;
    return op(l, WEBNN_LEAKY_RELU, OPERANDS(x),
              &(struct webnn_leaky_relu_attributes){ .alpha = p->alpha }, out);
}

static o2w_status sigmoid(struct lower *l, value x, const void *context, value *out)
{
    (void)context;
    return op1(l, WEBNN_SIGMOID, x, out);
}

static o2w_status lower_unary(struct lower *l, const struct node_view *n, function *f,
                              const void *context)
{
    const struct slots from = slots_at(0), to = { 0, 3, 4 };
    value y;
    TRY(mapped(l, n, &from, &to, input(n, 0)->dtype, f, context, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_leaky(struct lower *l, const struct node_view *n, const void *params)
{
    return lower_unary(l, n, leaky_relu, params);
}

static o2w_status lower_sigmoid(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return lower_unary(l, n, sigmoid, NULL);
}

/* --- QLinearAdd, QLinearMul -------------------------------------------------------------------------------- */

static o2w_status lower_binary(struct lower *l, const struct node_view *n, enum webnn_operator kind)
{
    const struct slots a_at = slots_at(0), b_at = slots_at(3), to = { 0, 6, 7 };
    value a, b;
    TRY(dequantized(l, n, &a_at, &a));
    TRY(dequantized(l, n, &b_at, &b));
    TRY(op2(l, kind, a, b, &a));
    return emit_quantized(l, n, &to, input(n, 0)->dtype, a);
}

static o2w_status lower_add(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return lower_binary(l, n, WEBNN_ADD);
}

static o2w_status lower_mul(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return lower_binary(l, n, WEBNN_MUL);
}

/* --- QLinearConcat, QLinearWhere --------------------------------------------------------------------------- */

struct axis {
    int64_t axis;
};

static const struct attr_row concat_attrs[] = { ATTR_INT(struct axis, axis, .required = true) };

/* Inputs from 2 on come as data, scale, zero point. */
static o2w_status check_triple(struct lower *l, const struct node_view *n, uint32_t at)
{
    enum dtype dtype = input(n, 1)->dtype;
    for (uint32_t i = 0; i < 3; i++)
        if (!input(n, at + i))
            return refuse_input(l, n, at + i, "is missing: data, scale and zero point are needed");
    for (uint32_t i = 0; i < 3; i += 2)
        if (input(n, at + i)->dtype != dtype)
            return refuse_input(l, n, at + i, "has type %s, the result has %s",
                                dtype_name(input(n, at + i)->dtype), dtype_name(dtype));
    if (input(n, at + 1)->dtype != DTYPE_FLOAT32)
        return refuse_input(l, n, at + 1, "has type %s, a scale is float32",
                            dtype_name(input(n, at + 1)->dtype));
    return O2W_OK;
}

static o2w_status lower_concat(struct lower *l, const struct node_view *n, const void *params)
{
    const struct axis *p = params;
    const struct slots to = { 0, 0, 1 };
    uint32_t count = (n->input_count - 2) / 3, axis;
    value *items = ARENA_ARRAY(lower_arena(l), count, value), y;
    if (!items)
        return diag_memory(lower_diags(l));
    if (count == 0 || n->input_count != 2 + 3 * count)
        return refuse(l, n, DIAG_LOWER_INPUT,
                      "%u inputs are no triples of data, scale and zero "
                      "point",
                      n->input_count - 2);
    for (uint32_t i = 0; i < count; i++) {
        const struct slots from = slots_at(2 + 3 * i);
        TRY(check_triple(l, n, from.x));
        TRY(mapped(l, n, &from, &to, input(n, 1)->dtype, NULL, NULL, &items[i]));
    }
    TRY(axis_from(l, n, p->axis, items[0]->rank, 0, &axis));
    TRY(concat(l, items, count, axis, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_where(struct lower *l, const struct node_view *n, const void *params)
{
    const struct slots x = slots_at(1), y = slots_at(4), to = { 0, 7, 8 };
    enum dtype dtype = input(n, 1)->dtype;
    value a, b;
    (void)params;
    TRY(mapped(l, n, &x, &to, dtype, NULL, NULL, &a));
    TRY(mapped(l, n, &y, &to, dtype, NULL, NULL, &b));
    return emit(l, n, WEBNN_WHERE, OPERANDS(input(n, 0), a, b), NULL);
}

/* --- pools ------------------------------------------------------------------------------------------------- */

struct qpool {
    struct pool_params pool;
    int64_t channels_last;
};

static const struct attr_row average_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    WINDOW_CEIL(struct pool_params),
    ATTR_INT(struct pool_params, count_include_pad, .allowed = "0 1"),
    ATTR_INT(struct qpool, channels_last, .allowed = "0 1"),
};
static const struct attr_row global_attrs[] = { ATTR_INT(struct qpool, channels_last,
                                                         .allowed = "0 1") };

static o2w_status lower_average(struct lower *l, const struct node_view *n, const void *params)
{
    const struct qpool *p = params;
    const struct slots from = slots_at(0), to = { 0, 3, 4 };
    struct pool_params pool = p->pool;
    value y;
    pool.counts_overhang = true; /* as the runtime, which divides by the whole kernel */
    if (input(n, 0)->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", input(n, 0)->rank);
    TRY(dequantized(l, n, &from, &y));
    if (p->channels_last)
        TRY(channels_to(l, y, 1, &y));
    TRY(average_pool_run(l, n, &pool, y, &y));
    if (p->channels_last)
        TRY(channels_to(l, y, y->rank - 1, &y));
    return emit_quantized(l, n, &to, input(n, 0)->dtype, y);
}

static o2w_status lower_global(struct lower *l, const struct node_view *n, const void *params)
{
    const struct qpool *p = params;
    const struct slots from = slots_at(0), to = { 0, 3, 4 };
    struct webnn_reduce_attributes mean = webnn_reduce_mean_defaults();
    value y;
    uint32_t rank = input(n, 0)->rank;
    if (rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", rank);
    TRY(dequantized(l, n, &from, &y));
    mean.keep_dimensions = true;
    mean.axes.given = true;
    for (uint32_t i = 0; i + 2 < rank; i++)
        mean.axes.items[mean.axes.count++] = i + (p->channels_last ? 1 : 2);
    TRY(op(l, WEBNN_REDUCE_MEAN, OPERANDS(y), &mean, &y));
    return emit_quantized(l, n, &to, input(n, 0)->dtype, y);
}

/* --- QLinearReduceMean, QLinearSoftmax ----------------------------------------------------------------------- */

struct reduce_mean {
    int64_t keepdims;
    struct ints axes;
};

static const struct attr_row reduce_mean_attrs[] = {
    ATTR_INT(struct reduce_mean, keepdims, .required = true, .allowed = "0 1"),
    ATTR_INTS(struct reduce_mean, axes, .required = true),
};

/* The sum in int32, less the zero points, times data_scale / (reduced_scale · count). */
static o2w_status lower_reduce_mean(struct lower *l, const struct node_view *n, const void *params)
{
    const struct reduce_mean *p = params;
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    value x, zero = input(n, 2), m, scale, y;
    int64_t count = 1, size;
    for (uint32_t i = 1; i < 5; i++)
        TRY(check_single(l, n, i));
    TRY(axes_from(l, n, &p->axes, input(n, 0)->rank, true, &sum.axes));
    for (uint32_t i = 0; i < sum.axes.count; i++) {
        TRY(static_dim(l, n, input(n, 0), sum.axes.items[i], &size));
        count *= size;
        if (count > 1 << 23)
            return refuse_attribute(l, n, "axes", "sums more than 2^23 elements");
    }
    sum.keep_dimensions = p->keepdims != 0;
    TRY(cast(l, input(n, 0), DTYPE_INT32, &x));
    if (zero) {
        TRY(reshape(l, zero, NULL, 0, &zero));
        TRY(cast(l, zero, DTYPE_INT32, &zero));
        TRY(op2(l, WEBNN_SUB, x, zero, &x));
    }
    TRY(op(l, WEBNN_REDUCE_SUM, OPERANDS(x), &sum, &x));
    TRY(reshape(l, input(n, 1), NULL, 0, &m));
    TRY(reshape(l, input(n, 3), NULL, 0, &scale));
    struct calc c = calc_begin(l, m);
    m = calc_div(&c, m, calc_mul(&c, scale, calc_number(&c, (double)count)));
    TRY(c.status);
    zero = input(n, 4);
    if (zero)
        TRY(reshape(l, zero, NULL, 0, &zero));
    TRY(requantize(l, x, m, zero, input(n, 0)->dtype, &y));
    return emit_value(l, n, y);
}

struct softmax {
    int64_t axis, opset;
};

static const struct attr_row softmax_attrs[] = {
    ATTR_INT(struct softmax, axis, .fallback_int = -1),
    ATTR_INT(struct softmax, opset, .required = true),
};

/* Before opset 13 all dims from axis on are one. */
static o2w_status lower_softmax(struct lower *l, const struct node_view *n, const void *params)
{
    const struct softmax *p = params;
    const struct slots from = slots_at(0), to = { 0, 3, 4 };
    struct webnn_softmax_attributes along = webnn_softmax_defaults();
    value x, y;
    uint32_t axis;
    dim flat[2];
    TRY(dequantized(l, n, &from, &x));
    TRY(axis_from(l, n, p->axis, x->rank, 0, &axis));
    y = x;
    along.axis = axis;
    if (p->opset < 13) {
        TRY(dims_product(l, n, x->dims, 0, axis, &flat[0]));
        TRY(dims_product(l, n, x->dims, axis, x->rank, &flat[1]));
        TRY(reshape(l, x, flat, 2, &y));
        along.axis = 1;
    }
    TRY(op(l, WEBNN_SOFTMAX, OPERANDS(y), &along, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    return emit_quantized(l, n, &to, input(n, 0)->dtype, y);
}

/* --- rows --------------------------------------------------------------------------------------------------- */

#define SET_8  (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define SET_32 DTYPE_BIT(DTYPE_FLOAT32)
#define X_AND_Y                                                                              \
    INPUTS(IN("X", T, SET_8), IN("X_scale", NONE, SET_32), IN_OPT("X_zero_point", T, SET_8), \
           IN("Y_scale", NONE, SET_32), IN_OPT("Y_zero_point", T, SET_8)),                   \
        RESULTS(OUT("Y", T))
#define A_B_AND_C                                                                            \
    INPUTS(IN("A", T, SET_8), IN("A_scale", NONE, SET_32), IN_OPT("A_zero_point", T, SET_8), \
           IN("B", T, SET_8), IN("B_scale", NONE, SET_32), IN_OPT("B_zero_point", T, SET_8), \
           IN("C_scale", NONE, SET_32), IN_OPT("C_zero_point", T, SET_8)),                   \
        RESULTS(OUT("C", T))
#define ROUNDING "ONNX Runtime rounds through ratios of scales: it may differ by one unit"

const struct onnx_row microsoft_qlinear_rows[] = {
    { MICROSOFT("QLinearAdd"), A_B_AND_C, .lower = lower_add, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, add, quantizeLinear", .notes = ROUNDING },
    { MICROSOFT("QLinearMul"), A_B_AND_C, .lower = lower_mul, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, mul, quantizeLinear", .notes = ROUNDING },
    { MICROSOFT("QLinearLeakyRelu"), X_AND_Y, PARAMS(struct leaky, leaky_attrs),
      .lower = lower_leaky, .class = CLASS_COMPOSED, .webnn = "gather",
      .notes = "by dequantizeLinear, leakyRelu, quantizeLinear where scales are computed" },
    { MICROSOFT("QLinearSigmoid"), X_AND_Y, .lower = lower_sigmoid, .class = CLASS_COMPOSED,
      .webnn = "gather",
      .notes = "by dequantizeLinear, sigmoid, quantizeLinear where scales are computed" },
    { MICROSOFT("QLinearConcat"),
      INPUTS(IN("Y_scale", NONE, SET_32), IN("Y_zero_point", T, SET_8),
             IN_MANY("inputs", NONE, SET_8 | SET_32)),
      RESULTS(OUT("Y", T)), PARAMS(struct axis, concat_attrs), .lower = lower_concat,
      .class = CLASS_COMPOSED, .webnn = "gather, concat" },
    { MICROSOFT("QLinearWhere"),
      INPUTS(IN("condition", NONE, SET_BOOL), IN("X", T, SET_8), IN("x_scale", NONE, SET_32),
             IN("x_zero_point", T, SET_8), IN("Y", T, SET_8), IN("y_scale", NONE, SET_32),
             IN("y_zero_point", T, SET_8), IN("z_scale", NONE, SET_32),
             IN("z_zero_point", T, SET_8)),
      RESULTS(OUT("Z", T)), .lower = lower_where, .class = CLASS_COMPOSED,
      .webnn = "gather, where" },
    { MICROSOFT("QLinearAveragePool"), X_AND_Y, PARAMS(struct qpool, average_attrs),
      .lower = lower_average, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "dequantizeLinear, averagePool2d, quantizeLinear",
      .notes = "more than three spatial dimensions refused" },
    { MICROSOFT("QLinearGlobalAveragePool"), X_AND_Y, PARAMS(struct qpool, global_attrs),
      .lower = lower_global, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, reduceMean, quantizeLinear" },
    { MICROSOFT("QLinearReduceMean"),
      INPUTS(IN("data", T, SET_8), IN("data_scale", NONE, SET_32),
             IN_OPT("data_zero_point", T, SET_8), IN("reduced_scale", NONE, SET_32),
             IN_OPT("reduced_zero_point", T, SET_8)),
      RESULTS(OUT("reduced", T)), PARAMS(struct reduce_mean, reduce_mean_attrs),
      .lower = lower_reduce_mean, .class = CLASS_COMPOSED, .webnn = "reduceSum, mul, roundEven" },
    { MICROSOFT("QLinearSoftmax"), X_AND_Y, PARAMS(struct softmax, softmax_attrs),
      .lower = lower_softmax, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, softmax, quantizeLinear", .notes = ROUNDING },
};
ROW_COUNT(microsoft_qlinear);
