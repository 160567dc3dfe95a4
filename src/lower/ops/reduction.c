/* Operators that take several elements together. */
#include "lower/ops/reduction.h"

#include <math.h>

struct reduce_params {
    struct ints axes;
    int64_t keepdims, noop_with_empty_axes;
};

static const struct attr_row reduce_attrs[] = {
    ATTR_INTS(struct reduce_params, axes),
    ATTR_INT(struct reduce_params, keepdims, .fallback_int = 1),
};
static const struct attr_row reduce_input_attrs[] = {
    ATTR_INT(struct reduce_params, keepdims, .fallback_int = 1),
    ATTR_INT(struct reduce_params, noop_with_empty_axes, .fallback_int = 0),
};

/* One reduction: of which axes, and what is left of them. */
struct reduction {
    enum webnn_operator kind;
    struct webnn_u32s axes;
    bool keep;
};

static o2w_status reduce(struct lower *l, value x, const struct reduction *r,
                         enum webnn_operator kind, bool keep, value *out)
{
    struct webnn_reduce_attributes a = { .axes = r->axes, .keep_dimensions = keep };
    return op(l, kind, OPERANDS(x), &a, out);
}

/* --- what a reduction of no axis does to each element ------------------------------------------------ */

static bool is_unsigned(value x)
{
    return !dtype_is_float(x->dtype) && !dtype_is_signed(x->dtype);
}

static o2w_status elementwise_part(struct lower *l, value x, enum webnn_operator kind, value *out)
{
    *out = x;
    switch ((int)kind) {
    case WEBNN_REDUCE_L1:
    case WEBNN_REDUCE_L2: return is_unsigned(x) ? O2W_OK : op1(l, WEBNN_ABS, x, out);
    case WEBNN_REDUCE_LOG_SUM: return op1(l, WEBNN_LOG, x, out);
    case WEBNN_REDUCE_SUM_SQUARE: return op2(l, WEBNN_MUL, x, x, out);
    default: return O2W_OK;
    }
}

/* --- integers ----------------------------------------------------------------------------------------- */

/* How many elements become one, in the dtype of x. */
static o2w_status reduced_count(struct lower *l, const struct node_view *n, value x,
                                const struct reduction *r, value *out)
{
    int64_t count = 1, size;
    for (uint32_t i = 0; i < r->axes.count; i++) {
        TRY(static_dim(l, n, x, r->axes.items[i], &size));
        count *= size;
    }
    return scalar_i64(l, x->dtype, count, out);
}

/* Sums of 32-bit integers need more than 32 bits on the way; the result fits again. */
static o2w_status long_integer(struct lower *l, value x, value *out)
{
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    *out = x->dtype == DTYPE_INT32 ? calc_cast(&c, x, DTYPE_INT64) : x;
    return c.status;
}

static o2w_status integer_again(struct lower *l, value x, enum dtype dtype, value *out)
{
    struct calc c = { .l = l, .dtype = dtype };
    *out = x->dtype == dtype ? x : calc_cast(&c, x, dtype);
    return c.status;
}

static o2w_status integer_mean(struct lower *l, const struct node_view *n, value x,
                               const struct reduction *r, value *out)
{
    value count, y;
    TRY(long_integer(l, x, &y));
    TRY(reduced_count(l, n, y, r, &count));
    TRY(reduce(l, y, r, WEBNN_REDUCE_SUM, r->keep, &y));
    TRY(op2(l, WEBNN_DIV, y, count, &y));
    return integer_again(l, y, x->dtype, out);
}

/* The whole part of the root: from float32, bettered once, then right to one. */
static value integer_root(struct calc *c, value s)
{
    struct calc f = { .l = c->l, .dtype = DTYPE_FLOAT32 };
    value one = calc_number(c, 1), two = calc_number(c, 2);
    value near = calc_cast(c, calc_sqrt(&f, calc_cast(&f, s, DTYPE_FLOAT32)), c->dtype);
    c->status = c->status ? c->status : f.status;
    value r = calc_max(c, near, one);
    r = calc_div(c, calc_add(c, r, calc_div(c, s, r)), two);
    r = calc_where(c, calc_greater(c, r, calc_div(c, s, calc_max(c, r, one))), calc_sub(c, r, one),
                   r);
    value next = calc_add(c, r, one);
    return calc_where(c, calc_less_equal(c, next, calc_div(c, s, next)), next, r);
}

/* The root of sums of squares beyond 64 bits, which have wrapped: from float32. */
static o2w_status far_root(struct lower *l, value x, const struct reduction *r, value near,
                           value *out)
{
    value far, length;
    TRY(cast(l, x, DTYPE_FLOAT32, &far));
    TRY(reduce(l, far, r, WEBNN_REDUCE_L2, r->keep, &length));
    struct calc c = calc_begin(l, length);
    value gap = calc_abs(&c, calc_sub(&c, calc_cast(&c, near, DTYPE_FLOAT32), length));
    value wrapped = calc_greater(&c, calc_mul(&c, gap, calc_number(&c, 1024)), length);
    wrapped = calc_and(&c, wrapped, calc_greater(&c, length, calc_number(&c, 1 << 30)));
    *out = calc_where(&c, wrapped, calc_cast(&c, length, near->dtype), near);
    return c.status;
}

static o2w_status integer_l2(struct lower *l, value x, const struct reduction *r, value *out)
{
    value y, sum;
    TRY(long_integer(l, x, &y));
    TRY(reduce(l, y, r, WEBNN_REDUCE_SUM_SQUARE, r->keep, &sum));
    struct calc c = calc_begin(l, sum);
    y = integer_root(&c, sum);
    TRY(c.status);
    if (dtype_info(x->dtype)->bits == 64)
        TRY(far_root(l, x, r, y, &y));
    return integer_again(l, y, x->dtype, out);
}

/* --- LogSumExp ---------------------------------------------------------------------------------------- */

/* m + log Σ exp(x - m) for the maximum m; an infinite one does not take part in the differences. */
static o2w_status log_sum_exp(struct lower *l, value x, const struct reduction *r, value *out)
{
    value m, sum, shape;
    TRY(widen(l, x, &x));
    TRY(reduce(l, x, r, WEBNN_REDUCE_MAX, true, &m));
    struct calc c = calc_begin(l, x);
    value endless = calc_op(&c, WEBNN_IS_INFINITE, m, NULL, NULL);
    m = calc_where(&c, endless, calc_number(&c, 0), m);
    value e = calc_exp(&c, calc_sub(&c, x, m));
    TRY(c.status);
    TRY(reduce(l, e, r, WEBNN_REDUCE_SUM, true, &sum));
    *out = calc_add(&c, m, calc_log(&c, sum));
    TRY(c.status);
    if (r->keep)
        return O2W_OK;
    shape = *out;
    return squeeze(l, shape, r->axes.items, r->axes.count, out);
}

/* --- all ------------------------------------------------------------------------------------------------ */

static o2w_status reduce_any(struct lower *l, const struct node_view *n, value x,
                             const struct reduction *r, value *out)
{
    if (r->kind == WEBNN_REDUCE_LOG_SUM_EXP)
        return log_sum_exp(l, x, r, out);
    if (!dtype_is_float(x->dtype) && r->kind == WEBNN_REDUCE_MEAN)
        return integer_mean(l, n, x, r, out);
    if (!dtype_is_float(x->dtype) && r->kind == WEBNN_REDUCE_L2)
        return integer_l2(l, x, r, out);
    return reduce(l, x, r, r->kind, r->keep, out);
}

/* Whether something of size 0 is taken together. */
static bool reduces_nothing(value x, const struct reduction *r)
{
    for (uint32_t i = 0; i < r->axes.count; i++)
        if (x->dims[r->axes.items[i]] == 0)
            return true;
    return false;
}

/* The standard leaves the mean of nothing open; native ONNX Runtime has 0. */
static o2w_status mean_of_nothing(struct lower *l, value x, const struct reduction *r, value *out)
{
    dim dims[MAX_RANK];
    uint32_t rank = 0;
    for (uint32_t i = 0; i < x->rank; i++) {
        bool reduced = false;
        for (uint32_t k = 0; k < r->axes.count; k++)
            reduced |= r->axes.items[k] == i;
        if (!reduced || r->keep)
            dims[rank++] = reduced ? 1 : x->dims[i];
    }
    return fill_i64(l, x->dtype, 0, dims, rank, out);
}

static o2w_status emit_reduced(struct lower *l, const struct node_view *n,
                               const struct reduce_params *p, const struct ints *axes)
{
    value x = input(n, 0), y;
    struct reduction r = { .kind = row_operator(n), .keep = p->keepdims != 0 };
    if (axes->count == 0 && p->noop_with_empty_axes) {
        TRY(elementwise_part(l, x, r.kind, &y));
        return emit_narrowed(l, n, y);
    }
    TRY(axes_from(l, n, axes, x->rank, true, &r.axes));
    for (uint32_t i = 0; axes->count == 0 && i < x->rank; i++)
        r.axes.items[r.axes.count++] = i;
    if (r.kind == WEBNN_REDUCE_MEAN && reduces_nothing(x, &r)) {
        TRY(mean_of_nothing(l, x, &r, &y));
        return emit_value(l, n, y);
    }
    if (value_is_empty(x) && dims_static(x->dims, x->rank))
        TRY(fill_i64(l, x->dtype, 0, x->dims, x->rank, &x)); /* nothing is known of nothing */
    TRY(reduce_any(l, n, x, &r, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_reduce_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct reduce_params *p = params;
    return emit_reduced(l, n, p, &p->axes);
}

static o2w_status lower_reduce(struct lower *l, const struct node_view *n, const void *params)
{
    struct ints axes;
    TRY(known_ints(l, n, 1, &axes));
    return emit_reduced(l, n, params, &axes);
}

/* --- rows ------------------------------------------------------------------------------------------------ */

#define SET_SUMMED (SET_FLOATS | SET_INDEX | DTYPE_BIT(DTYPE_UINT32) | DTYPE_BIT(DTYPE_UINT64))
#define SET_8      (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))

#define REDUCE_1(op, from, to, types, claimed, kind, ...)                                          \
    {                                                                                              \
        ONNX(op, from, to), INPUTS(IN("data", T, types)), RESULTS(OUT("reduced", T)),              \
            PARAMS(struct reduce_params, reduce_attrs), .lower = lower_reduce_1, .class = claimed, \
                                                        .webnn = kind, __VA_ARGS__                 \
    }
#define REDUCE_18(op, from, to, types, claimed, kind, ...)                                      \
    {                                                                                           \
        ONNX(op, from, to), INPUTS(IN("data", T, types), IN_OPT("axes", NONE, SET_I64, KNOWN)), \
            RESULTS(OUT("reduced", T)), PARAMS(struct reduce_params, reduce_input_attrs),       \
            .lower = lower_reduce, .class = claimed, .webnn = kind, __VA_ARGS__                 \
    }
#define NO_INTEGERS .partial = true, .notes = "integers refused"
#define DIRECT      CLASS_DIRECT

static const struct attr_row arg_1_attrs[] = {
    ATTR_INT(struct arg_params, axis, .fallback_int = 0),
    ATTR_INT(struct arg_params, keepdims, .fallback_int = 1),
};
static const struct attr_row arg_12_attrs[] = {
    ATTR_INT(struct arg_params, axis, .fallback_int = 0),
    ATTR_INT(struct arg_params, keepdims, .fallback_int = 1),
    ATTR_INT(struct arg_params, select_last_index, .fallback_int = 0),
};
static const struct attr_row cum_attrs[] = {
    ATTR_INT(struct cum_params, exclusive, .fallback_int = 0, .allowed = "0 1"),
    ATTR_INT(struct cum_params, reverse, .fallback_int = 0, .allowed = "0 1"),
};
static const struct attr_row axis_1_attrs[] = {
    ATTR_INT(struct one_axis, axis, .fallback_int = 1),
};
static const struct attr_row axis_last_attrs[] = {
    ATTR_INT(struct one_axis, axis, .fallback_int = -1),
};
static const struct attr_row top_k_1_attrs[] = {
    ATTR_INT(struct top_k_params, axis, .fallback_int = -1),
    ATTR_INT(struct top_k_params, k, .required = true),
};
static const struct attr_row top_k_10_attrs[] = {
    ATTR_INT(struct top_k_params, axis, .fallback_int = -1),
};
static const struct attr_row top_k_11_attrs[] = {
    ATTR_INT(struct top_k_params, axis, .fallback_int = -1),
    ATTR_INT(struct top_k_params, largest, .fallback_int = 1),
    ATTR_INT(struct top_k_params, sorted, .fallback_int = 1),
};

#define ARG(op, from, to, rows, kind)                                                 \
    {                                                                                 \
        ONNX(op, from, to), INPUTS(IN("data", NONE, SET_NUMERIC)),                    \
            RESULTS(OUT_OF("reduced", DTYPE_INT64)), PARAMS(struct arg_params, rows), \
            .lower = lower_arg, .class = CLASS_DIRECT, .webnn = kind                  \
    }
#define SOFT(op, from, to, rows, function, claimed, kind)                                     \
    {                                                                                         \
        ONNX(op, from, to), INPUTS(IN("input", T, SET_FLOATS)), RESULTS(OUT("output", T)),    \
            PARAMS(struct one_axis, rows), .lower = function, .class = claimed, .webnn = kind \
    }
#define TOP_K(from, to, types, rows)                                                      \
    {                                                                                     \
        ONNX("TopK", from, to), INPUTS(IN("X", T, types), IN("K", NONE, SET_I64, KNOWN)), \
            RESULTS(OUT("Values", T), OUT_OF("Indices", DTYPE_INT64)),                    \
            PARAMS(struct top_k_params, rows),                                            \
            .lower = lower_top_k, .evaluate = evaluate_top_k, .class = CLASS_COMPOSED,    \
            .partial = true, .webnn = "greater, equal, reduceSum, gatherElements",        \
            .notes = "long rows: at most 256 elements"                                    \
    }

const struct onnx_row reduction_rows[] = {
    REDUCE_1("ReduceL1", 1, 17, SET_SUMMED, DIRECT, "reduceL1"),
    REDUCE_18("ReduceL1", 18, LATEST, SET_SUMMED, DIRECT, "reduceL1"),
    REDUCE_1("ReduceL2", 1, 17, SET_SUMMED, DIRECT, "reduceL2"),
    REDUCE_18("ReduceL2", 18, LATEST, SET_SUMMED, DIRECT, "reduceL2"),
    REDUCE_1("ReduceLogSum", 1, 17, SET_FLOATS, DIRECT, "reduceLogSum", NO_INTEGERS),
    REDUCE_18("ReduceLogSum", 18, LATEST, SET_FLOATS, DIRECT, "reduceLogSum", NO_INTEGERS),
    REDUCE_1("ReduceLogSumExp", 1, 17, SET_FLOATS, CLASS_COMPOSED, "reduceLogSumExp", NO_INTEGERS),
    REDUCE_18("ReduceLogSumExp", 18, LATEST, SET_FLOATS, CLASS_COMPOSED, "reduceLogSumExp",
              NO_INTEGERS),
    REDUCE_1("ReduceMax", 1, 17, SET_SUMMED | SET_8, DIRECT, "reduceMax"),
    REDUCE_18("ReduceMax", 18, LATEST, SET_SUMMED | SET_8 | SET_BOOL, DIRECT, "reduceMax"),
    REDUCE_1("ReduceMean", 1, 17, SET_SUMMED, DIRECT, "reduceMean"),
    REDUCE_18("ReduceMean", 18, LATEST, SET_SUMMED, DIRECT, "reduceMean"),
    REDUCE_1("ReduceMin", 1, 17, SET_SUMMED | SET_8, DIRECT, "reduceMin"),
    REDUCE_18("ReduceMin", 18, LATEST, SET_SUMMED | SET_8 | SET_BOOL, DIRECT, "reduceMin"),
    REDUCE_1("ReduceProd", 1, 17, SET_SUMMED, DIRECT, "reduceProduct"),
    REDUCE_18("ReduceProd", 18, LATEST, SET_SUMMED, DIRECT, "reduceProduct"),
    REDUCE_1("ReduceSum", 1, 12, SET_SUMMED, DIRECT, "reduceSum"),
    REDUCE_18("ReduceSum", 13, LATEST, SET_SUMMED, DIRECT, "reduceSum"),
    REDUCE_1("ReduceSumSquare", 1, 17, SET_SUMMED, DIRECT, "reduceSumSquare"),
    REDUCE_18("ReduceSumSquare", 18, LATEST, SET_SUMMED, DIRECT, "reduceSumSquare"),

    ARG("ArgMax", 1, 11, arg_1_attrs, "argMax"),
    ARG("ArgMax", 12, LATEST, arg_12_attrs, "argMax"),
    ARG("ArgMin", 1, 11, arg_1_attrs, "argMin"),
    ARG("ArgMin", 12, LATEST, arg_12_attrs, "argMin"),
    { ONNX("CumProd", 26, LATEST),
      INPUTS(IN("x", T, SET_SUMMED), IN("axis", NONE, SET_INDEX, KNOWN)), RESULTS(OUT("y", T)),
      PARAMS(struct cum_params, cum_attrs), .lower = lower_cum_prod, .class = CLASS_COMPOSED,
      .webnn = "pad, slice, mul" },
    { ONNX("CumSum", 11, LATEST),
      INPUTS(IN("x", T, SET_SUMMED), IN("axis", NONE, SET_INDEX, KNOWN)), RESULTS(OUT("y", T)),
      PARAMS(struct cum_params, cum_attrs), .lower = lower_cum_sum, .class = CLASS_DIRECT,
      .webnn = "cumulativeSum" },

    SOFT("Softmax", 1, 12, axis_1_attrs, lower_softmax_flat, DIRECT, "softmax"),
    SOFT("Softmax", 13, LATEST, axis_last_attrs, lower_softmax, DIRECT, "softmax"),
    SOFT("LogSoftmax", 1, 12, axis_1_attrs, lower_log_softmax_flat, CLASS_COMPOSED,
         "reduceMax, sub, exp, reduceSum, log"),
    SOFT("LogSoftmax", 13, LATEST, axis_last_attrs, lower_log_softmax, CLASS_COMPOSED,
         "reduceMax, sub, exp, reduceSum, log"),
    SOFT("Hardmax", 1, 12, axis_1_attrs, lower_hardmax_flat, CLASS_COMPOSED, "argMax, equal, cast"),
    SOFT("Hardmax", 13, LATEST, axis_last_attrs, lower_hardmax, CLASS_COMPOSED,
         "argMax, equal, cast"),

    { ONNX("TopK", 1, 9), INPUTS(IN("X", T, SET_FLOATS)),
      RESULTS(OUT("Values", T), OUT_OF("Indices", DTYPE_INT64)),
      PARAMS(struct top_k_params, top_k_1_attrs), .lower = lower_top_k_1,
      .evaluate = evaluate_top_k_1, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "greater, equal, reduceSum, gatherElements",
      .notes = "long rows: at most 256 elements" },
    TOP_K(10, 10, SET_FLOATS, top_k_10_attrs),
    TOP_K(11, LATEST, SET_NUMERIC, top_k_11_attrs),
};
ROW_COUNT(reduction);
