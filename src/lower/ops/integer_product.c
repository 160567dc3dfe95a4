/* Products of 8-bit tensors, exact in int32, and requantised ones. */
#include "lower/ops/integer_product.h"

#include "lower/ops/matmul.h"

struct ms_conv {
    struct conv_params conv;
    int64_t channels_last;
};

static const struct attr_row conv_attrs[] = { CONV_ATTRS };
static const struct attr_row ms_conv_attrs[] = { CONV_ATTRS, ATTR_INT(struct ms_conv, channels_last,
                                                                      .allowed = "0 1") };

struct factor factor_at(const struct node_view *n, uint32_t at, uint32_t zero_at)
{
    return (struct factor){ at, zero_at, input(n, at), input(n, zero_at) };
}

static bool is_single(value v)
{
    uint64_t count;
    return value_count(v, &count) && count == 1;
}

o2w_status scalar_input(struct lower *l, const struct node_view *n, uint32_t at, value *out)
{
    value v = input(n, at);
    if (!is_single(v))
        return refuse_input(l, n, at, "has rank %u and more than one element, a scalar is needed",
                            v->rank);
    return reshape(l, v, NULL, 0, out);
}

static o2w_status accumulate(struct lower *l, value part, value *sum)
{
    TRY(cast(l, part, DTYPE_INT32, &part));
    if (*sum)
        return op2(l, WEBNN_ADD, *sum, part, sum);
    *sum = part;
    return O2W_OK;
}

static o2w_status refuse_size(struct lower *l, const struct node_view *n)
{
    return refuse(l, n, DIAG_LOWER_LIMIT,
                  "one channel's kernel sums more products than float32 holds exactly");
}

/* --- convolutions ------------------------------------------------------------------------------------ */

/* Channels first … first + count - 1 of every group. */
static o2w_status channels(struct lower *l, const struct node_view *n, value x, uint32_t groups,
                           int64_t first, int64_t count, value *out)
{
    dim dims[MAX_RANK];
    uint32_t rank = x->rank + 1;
    if (groups == 1)
        return slice(l, x, 1, first, count, 1, out);
    if (!dim_is_static(x->dims[1]) || rank > MAX_RANK)
        return refuse_input(l, n, 0, "needs a number of channels");
    dims[0] = x->dims[0];
    dims[1] = groups;
    dims[2] = x->dims[1] / groups;
    for (uint32_t i = 3; i < rank; i++)
        dims[i] = x->dims[i - 1];
    TRY(reshape(l, x, dims, rank, &x));
    TRY(slice(l, x, 2, first, count, 1, &x));
    dims[1] = groups * count;
    for (uint32_t i = 2; i + 1 < rank; i++)
        dims[i] = dims[i + 1];
    return reshape(l, x, dims, rank - 1, out);
}

/* As many channels at a time as float32 allows. */
o2w_status exact_conv(struct lower *l, const struct node_view *n, const struct conv_params *p,
                      const struct factor *x, const struct factor *w, value *out)
{
    struct exact_sum sum = { .a_dtype = x->x->dtype,
                             .a_zero = x->zero,
                             .b = w->x,
                             .b_zero = w->zero,
                             .axis = 1,
                             .inner_too = true };
    int64_t chunk, size;
    value data, weights, part, slice_of;
    TRY(check_conv(l, n, p->group, x->x, w->x, w->at));
    if (x->zero && !is_single(x->zero))
        return refuse_input(l, n, x->zero_at, "has more than one element, a scalar is needed");
    for (uint32_t i = 1; i < w->x->rank; i++)
        TRY(static_dim(l, n, w->x, i, &size));
    size = w->x->dims[1];
    TRY(exact_sum_chunk(l, &sum, &chunk));
    if (chunk < 1)
        return refuse_size(l, n);
    TRY(centred(l, n, x->x, x->zero, x->zero_at, 1, &data));
    TRY(centred(l, n, w->x, w->zero, w->zero_at, 0, &weights));
    *out = NULL;
    for (int64_t c = 0; c < size; c += chunk) {
        int64_t count = c + chunk < size ? chunk : size - c;
        part = data;
        if (count < size)
            TRY(channels(l, n, data, (uint32_t)p->group, c, count, &part));
        TRY(slice(l, weights, 1, c, count, 1, &slice_of));
        TRY(conv_run(l, n, p, part, slice_of, w->at, NULL, &part));
        TRY(accumulate(l, part, out));
    }
    return O2W_OK;
}

static o2w_status lower_conv_integer(struct lower *l, const struct node_view *n, const void *params)
{
    struct factor x = factor_at(n, 0, 2), w = factor_at(n, 1, 3);
    value y;
    TRY(exact_conv(l, n, params, &x, &w, &y));
    return emit_value(l, n, y);
}

/* A scalar, or one number per output channel as [1, M, 1 …]. */
static o2w_status per_channel(struct lower *l, const struct node_view *n, uint32_t at,
                              uint32_t rank, value *out)
{
    dim dims[MAX_RANK];
    value v = input(n, at);
    if (is_single(v))
        return scalar_input(l, n, at, out);
    if (v->rank != 1)
        return refuse_input(l, n, at, "has rank %u, one number per output channel is needed",
                            v->rank);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i == 1 ? v->dims[0] : 1;
    return reshape(l, v, dims, rank, out);
}

/* The result of channels first. */
static o2w_status qlinear_conv(struct lower *l, const struct node_view *n,
                               const struct conv_params *p, const struct factor *x, value *out)
{
    struct factor w = factor_at(n, 3, 5);
    value acc, m, scale, zero, bias;
    TRY(exact_conv(l, n, p, x, &w, &acc));
    if (input(n, 8)) {
        TRY(per_channel(l, n, 8, acc->rank, &bias));
        TRY(op2(l, WEBNN_ADD, acc, bias, &acc));
    }
    TRY(scalar_input(l, n, 1, &m));
    TRY(per_channel(l, n, 4, acc->rank, &scale));
    TRY(op2(l, WEBNN_MUL, m, scale, &m));
    TRY(scalar_input(l, n, 6, &scale));
    TRY(op2(l, WEBNN_DIV, m, scale, &m));
    TRY(scalar_input(l, n, 7, &zero));
    TRY(drop_zero(l, &zero));
    return requantize(l, acc, m, zero, input(n, 7)->dtype, out);
}

static o2w_status lower_qlinear_conv(struct lower *l, const struct node_view *n, const void *params)
{
    struct factor x = factor_at(n, 0, 2);
    value y;
    TRY(qlinear_conv(l, n, params, &x, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_ms_qlinear_conv(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct ms_conv *p = params;
    struct factor x = factor_at(n, 0, 2);
    value y;
    if (x.x->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", x.x->rank);
    if (p->channels_last)
        TRY(channels_to(l, x.x, 1, &x.x));
    TRY(qlinear_conv(l, n, &p->conv, &x, &y));
    if (p->channels_last)
        TRY(channels_to(l, y, y->rank - 1, &y));
    return emit_value(l, n, y);
}

/* --- matrix products ---------------------------------------------------------------------------------- */

o2w_status exact_product(struct lower *l, const struct node_view *n, const struct factor *a,
                         const struct factor *b, value *out)
{
    struct exact_sum sum = { .a_dtype = a->x->dtype,
                             .a_zero = a->zero,
                             .b = b->x,
                             .b_zero = b->zero,
                             .axis = b->x->rank - 2 };
    value left, right, x, y;
    int64_t chunk, size;
    TRY(static_dim(l, n, b->x, sum.axis, &size));
    TRY(exact_sum_chunk(l, &sum, &chunk));
    TRY(centred(l, n, a->x, a->zero, a->zero_at, a->x->rank - 2, &left));
    TRY(centred(l, n, b->x, b->zero, b->zero_at, b->x->rank - 1, &right));
    *out = NULL;
    for (int64_t k = 0; k < size || k == 0; k += chunk) {
        int64_t count = k + chunk < size ? chunk : size - k;
        TRY(slice(l, left, left->rank - 1, k, count, 1, &x));
        TRY(slice(l, right, right->rank - 2, k, count, 1, &y));
        TRY(op2(l, WEBNN_MATMUL, x, y, &y));
        TRY(accumulate(l, y, out));
    }
    return O2W_OK;
}

o2w_status exact_matmul(struct lower *l, const struct node_view *n, const struct factor *a,
                        const struct factor *b, value *out)
{
    struct factor left = *a, right = *b;
    TRY(matmul_operands(l, n, a->at, b->at, &left.x, &right.x));
    return exact_product(l, n, &left, &right, out);
}

static o2w_status lower_matmul_integer(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    (void)params;
    struct factor a = factor_at(n, 0, 2), b = factor_at(n, 1, 3);
    value y;
    TRY(exact_matmul(l, n, &a, &b, &y));
    TRY(matmul_result(l, n, 0, 1, y, &y));
    return emit_value(l, n, y);
}

/* One number, one per row (as a column), or in the rank of the result. */
static o2w_status per_row(struct lower *l, const struct node_view *n, uint32_t at, value *out)
{
    uint32_t behind = 1;
    *out = input(n, at);
    if (is_single(*out))
        return scalar_input(l, n, at, out);
    return (*out)->rank == 1 ? unsqueeze(l, *out, &behind, 1, out) : O2W_OK;
}

static o2w_status per_column(struct lower *l, const struct node_view *n, uint32_t at, value *out)
{
    *out = input(n, at);
    return is_single(*out) ? scalar_input(l, n, at, out) : O2W_OK;
}

/* m = (a_scale · b_scale) / y_scale in float32. */
static o2w_status combined_scale(struct lower *l, const struct node_view *n, value *out)
{
    value a, b, y;
    TRY(per_row(l, n, 1, &a));
    TRY(per_column(l, n, 4, &b));
    TRY(per_row(l, n, 6, &y));
    TRY(cast(l, a, DTYPE_FLOAT32, &a));
    TRY(cast(l, b, DTYPE_FLOAT32, &b));
    TRY(cast(l, y, DTYPE_FLOAT32, &y));
    TRY(op2(l, WEBNN_MUL, a, b, &a));
    return op2(l, WEBNN_DIV, a, y, out);
}

static o2w_status lower_qlinear_matmul(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    (void)params;
    struct factor a = factor_at(n, 0, 2), b = factor_at(n, 3, 5);
    value acc, m, zero;
    TRY(exact_matmul(l, n, &a, &b, &acc));
    TRY(combined_scale(l, n, &m));
    TRY(per_row(l, n, 7, &zero));
    TRY(drop_zero(l, &zero));
    TRY(requantize(l, acc, m, zero, input(n, 7)->dtype, &acc));
    TRY(matmul_result(l, n, 0, 3, acc, &acc));
    return emit_value(l, n, acc);
}

/* --- rows --------------------------------------------------------------------------------------------- */

#define SET_8  (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define SET_32 DTYPE_BIT(DTYPE_FLOAT32)
#define SET_F  (SET_32 | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))
#define QLINEAR_CONV                                                                       \
    INPUTS(IN("x", T1, SET_8), IN("x_scale", NONE, SET_32), IN("x_zero_point", T1, SET_8), \
           IN("w", T2, SET_8), IN("w_scale", NONE, SET_32), IN("w_zero_point", T2, SET_8), \
           IN("y_scale", NONE, SET_32), IN("y_zero_point", T3, SET_8),                     \
           IN_OPT("B", NONE, DTYPE_BIT(DTYPE_INT32))),                                     \
        RESULTS(OUT("y", T3))
#define QLINEAR_MATMUL(from, to, scales)                                                    \
    ONNX("QLinearMatMul", from, to),                                                        \
        INPUTS(IN("a", T1, SET_8), IN("a_scale", T, scales), IN("a_zero_point", T1, SET_8), \
               IN("b", T2, SET_8), IN("b_scale", T, scales), IN("b_zero_point", T2, SET_8), \
               IN("y_scale", T, scales), IN("y_zero_point", T3, SET_8)),                    \
        RESULTS(OUT("y", T3)), .lower = lower_qlinear_matmul, .class = CLASS_COMPOSED,      \
                               .webnn = "dequantizeLinear, matmul, cast"

const struct onnx_row integer_product_rows[] = {
    { ONNX("ConvInteger", 10, LATEST),
      INPUTS(IN("x", T1, SET_8), IN("w", T2, SET_8), IN_OPT("x_zero_point", T1, SET_8),
             IN_OPT("w_zero_point", T2, SET_8)),
      RESULTS(OUT_OF("y", DTYPE_INT32)), PARAMS(struct conv_params, conv_attrs),
      .lower = lower_conv_integer, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "dequantizeLinear, conv2d, cast",
      .notes = "more than three spatial dimensions refused" },
    { ONNX("MatMulInteger", 10, LATEST),
      INPUTS(IN("A", T1, SET_8), IN("B", T2, SET_8), IN_OPT("a_zero_point", T1, SET_8),
             IN_OPT("b_zero_point", T2, SET_8)),
      RESULTS(OUT_OF("Y", DTYPE_INT32)), .lower = lower_matmul_integer, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, matmul, cast" },
    { ONNX("QLinearConv", 10, LATEST), QLINEAR_CONV, PARAMS(struct conv_params, conv_attrs),
      .lower = lower_qlinear_conv, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "dequantizeLinear, conv2d, cast",
      .notes = "more than three spatial dimensions refused" },
    { MICROSOFT("QLinearConv"), QLINEAR_CONV, PARAMS(struct ms_conv, ms_conv_attrs),
      .lower = lower_ms_qlinear_conv, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "transpose, dequantizeLinear, conv2d, cast",
      .notes = "more than three spatial dimensions refused" },
    { QLINEAR_MATMUL(10, 20, SET_32) },
    { QLINEAR_MATMUL(21, LATEST, SET_F), .partial = true, .notes = "8-bit floats refused" },
};
ROW_COUNT(integer_product);
