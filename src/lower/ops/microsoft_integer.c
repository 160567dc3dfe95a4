/* com.microsoft: integer products and sums, scaled to floats. */
#include "lower/ops/integer_product.h"

#include "lower/ops/matmul.h"

/* --- products as floats ----------------------------------------------------------------------------------- */

/* acc · (a_scale · b_scale) + bias; scales are one number, or one per column. */
static o2w_status scaled(struct lower *l, const struct node_view *n, value acc, value a_scale,
                         uint32_t b_scale_at, uint32_t bias_at, value *out)
{
    value b_scale = input(n, b_scale_at), bias = input(n, bias_at), y;
    uint64_t count;
    if (value_count(b_scale, &count) && count == 1)
        TRY(reshape(l, b_scale, NULL, 0, &b_scale));
    TRY(cast(l, b_scale, DTYPE_FLOAT32, &b_scale));
    TRY(cast(l, a_scale, DTYPE_FLOAT32, &a_scale));
    TRY(cast(l, acc, DTYPE_FLOAT32, &y));
    TRY(op2(l, WEBNN_MUL, a_scale, b_scale, &a_scale));
    TRY(op2(l, WEBNN_MUL, y, a_scale, &y));
    if (bias) {
        TRY(cast(l, bias, DTYPE_FLOAT32, &bias));
        TRY(op2(l, WEBNN_ADD, y, bias, &y));
    }
    *out = y;
    return O2W_OK;
}

static o2w_status lower_to_float(struct lower *l, const struct node_view *n, const void *params)
{
    struct factor a = factor_at(n, 0, 4), b = factor_at(n, 1, 5);
    value y, scale = input(n, 2);
    uint64_t count;
    (void)params;
    TRY(exact_matmul(l, n, &a, &b, &y));
    if (value_count(scale, &count) && count == 1)
        TRY(reshape(l, scale, NULL, 0, &scale));
    TRY(scaled(l, n, y, scale, 3, 6, &y));
    TRY(matmul_result(l, n, 0, 1, y, &y));
    return emit_narrowed(l, n, y);
}

/* A is quantised by its own range first. */
static o2w_status lower_dynamic_matmul(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    struct factor a = { .at = 0, .zero_at = 0 }, b = factor_at(n, 1, 3);
    value scale, y;
    (void)params;
    TRY(matmul_operands(l, n, 0, 1, &a.x, &b.x));
    TRY(dynamic_quantize(l, n, a.x, &a.x, &scale, &a.zero));
    TRY(exact_product(l, n, &a, &b, &y));
    TRY(scaled(l, n, y, scale, 2, 4, &y));
    TRY(matmul_result(l, n, 0, 1, y, &y));
    return emit_value(l, n, y);
}

/* --- QGemm -------------------------------------------------------------------------------------------------- */

struct qgemm {
    int64_t transA, transB;
    double alpha;
};

static const struct attr_row qgemm_attrs[] = {
    ATTR_INT(struct qgemm, transA, .allowed = "0 1"),
    ATTR_INT(struct qgemm, transB, .allowed = "0 1"),
    ATTR_FLOAT(struct qgemm, alpha, .fallback_float = 1),
};

/* The sums with C, int32 [M, N]. */
static o2w_status qgemm_sums(struct lower *l, const struct node_view *n, const struct qgemm *p,
                             value *out)
{
    static const uint32_t swap[] = { 1, 0 };
    struct factor a = factor_at(n, 0, 2), b = factor_at(n, 3, 5);
    uint64_t count;
    for (uint32_t i = 0; i < 4; i += 3)
        if (input(n, i)->rank != 2)
            return refuse_input(l, n, i, "has rank %u, a matrix is needed", input(n, i)->rank);
    if (!value_count(input(n, 2), &count) || count != 1)
        return refuse_input(l, n, 2, "has more than one element, a scalar is needed");
    if (p->transA)
        TRY(transpose(l, a.x, swap, &a.x));
    if (p->transB)
        TRY(transpose(l, b.x, swap, &b.x));
    TRY(exact_product(l, n, &a, &b, out));
    return input(n, 6) ? op2(l, WEBNN_ADD, *out, input(n, 6), out) : O2W_OK;
}

/* alpha · a_scale · b_scale in float32, one number or one per column. */
static o2w_status qgemm_scale(struct lower *l, const struct node_view *n, const struct qgemm *p,
                              value *out)
{
    value b = input(n, 4), a;
    uint64_t count;
    TRY(scalar_input(l, n, 1, &a));
    if (value_count(b, &count) && count == 1)
        TRY(reshape(l, b, NULL, 0, &b));
    struct calc c = calc_begin(l, a);
    if (p->alpha != 1)
        a = calc_mul(&c, calc_number(&c, p->alpha), a);
    *out = calc_mul(&c, a, b);
    return c.status;
}

static o2w_status lower_qgemm(struct lower *l, const struct node_view *n, const void *params)
{
    value acc, m, y_scale, zero = NULL;
    enum dtype to = DTYPE_FLOAT32;
    TRY(qgemm_sums(l, n, params, &acc));
    TRY(qgemm_scale(l, n, params, &m));
    if (!input(n, 7)) {
        TRY(cast(l, acc, DTYPE_FLOAT32, &acc));
        TRY(op2(l, WEBNN_MUL, acc, m, &acc));
        return emit_as(l, n, 0, acc, to);
    }
    TRY(scalar_input(l, n, 7, &y_scale));
    TRY(op2(l, WEBNN_DIV, m, y_scale, &m));
    to = input(n, 8) ? input(n, 8)->dtype : input(n, 0)->dtype;
    if (input(n, 8))
        TRY(scalar_input(l, n, 8, &zero));
    TRY(requantize(l, acc, m, zero, to, &acc));
    return emit_as(l, n, 0, acc, to);
}

/* --- MulInteger, ReduceSumInteger, MatMulInteger16 ------------------------------------------------------------- */

/* x - zero in int32. */
static o2w_status difference(struct lower *l, const struct node_view *n, uint32_t at, value *out)
{
    value zero;
    TRY(cast(l, input(n, at), DTYPE_INT32, out));
    if (!input(n, at + 1))
        return O2W_OK;
    TRY(scalar_input(l, n, at + 1, &zero));
    TRY(cast(l, zero, DTYPE_INT32, &zero));
    return op2(l, WEBNN_SUB, *out, zero, out);
}

static o2w_status lower_mul_integer(struct lower *l, const struct node_view *n, const void *params)
{
    value a, b;
    (void)params;
    TRY(difference(l, n, 0, &a));
    TRY(difference(l, n, 2, &b));
    return emit(l, n, WEBNN_MUL, OPERANDS(a, b), NULL);
}

struct reduce_sum {
    int64_t keepdims;
    struct ints axes;
};

static const struct attr_row reduce_sum_attrs[] = {
    ATTR_INT(struct reduce_sum, keepdims, .required = true, .allowed = "0 1"),
    ATTR_INTS(struct reduce_sum, axes, .required = true),
};

static o2w_status lower_reduce_sum(struct lower *l, const struct node_view *n, const void *params)
{
    const struct reduce_sum *p = params;
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    enum dtype to = input(n, 0)->dtype == DTYPE_INT8 ? DTYPE_INT32 : DTYPE_UINT32;
    value x;
    TRY(axes_from(l, n, &p->axes, input(n, 0)->rank, true, &sum.axes));
    sum.keep_dimensions = p->keepdims != 0;
    TRY(cast(l, input(n, 0), to, &x));
    TRY(op(l, WEBNN_REDUCE_SUM, OPERANDS(x), &sum, &x));
    return emit_as(l, n, 0, x, to);
}

/* Products of 16-bit numbers in 32 bits, which wrap. */
static o2w_status lower_matmul_16(struct lower *l, const struct node_view *n, const void *params)
{
    bool is_signed = input(n, 0)->dtype == DTYPE_INT16 || input(n, 1)->dtype == DTYPE_INT16;
    enum dtype to = is_signed ? DTYPE_INT32 : DTYPE_UINT32;
    value a, b, y;
    (void)params;
    TRY(matmul_operands(l, n, 0, 1, &a, &b));
    TRY(cast(l, a, to, &a));
    TRY(cast(l, b, to, &b));
    TRY(integer_product(l, n, a, b, &y));
    TRY(matmul_result(l, n, 0, 1, y, &y));
    return emit_as(l, n, 0, y, to);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

#define SET_8   (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define SET_16  (DTYPE_BIT(DTYPE_INT16) | DTYPE_BIT(DTYPE_UINT16))
#define SET_32  DTYPE_BIT(DTYPE_FLOAT32)
#define SET_F   (SET_32 | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_I32 DTYPE_BIT(DTYPE_INT32)
#define ANY_OF(slot)                        \
    {                                       \
        .name = slot, .variable = TYPE_NONE \
    }

const struct onnx_row microsoft_integer_rows[] = {
    { MICROSOFT("MatMulIntegerToFloat"),
      INPUTS(IN("A", T1, SET_8), IN("B", T2, SET_8), IN("a_scale", T, SET_F),
             IN("b_scale", T, SET_F), IN_OPT("a_zero_point", T1, SET_8),
             IN_OPT("b_zero_point", T2, SET_8), IN_OPT("bias", T, SET_F)),
      RESULTS(OUT("Y", T)), .lower = lower_to_float, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, matmul, cast, mul, add" },
    { MICROSOFT("DynamicQuantizeMatMul"),
      INPUTS(IN("A", T, SET_32), IN("B", T2, SET_8), IN("b_scale", T, SET_32),
             IN_OPT("b_zero_point", T2, SET_8), IN_OPT("bias", T, SET_32)),
      RESULTS(OUT("Y", T)), .lower = lower_dynamic_matmul, .class = CLASS_COMPOSED,
      .webnn = "reduceMin, reduceMax, quantizeLinear, dequantizeLinear, matmul, cast, mul, add" },
    { MICROSOFT("QGemm"),
      INPUTS(IN("A", T1, SET_8), IN("a_scale", T, SET_32), IN("a_zero_point", T1, SET_8),
             IN("B", T2, SET_8), IN("b_scale", T, SET_32), IN("b_zero_point", T2, SET_8),
             IN_OPT("C", NONE, SET_I32), IN_OPT("y_scale", T, SET_32),
             IN_OPT("y_zero_point", NONE, SET_8)),
      RESULTS(ANY_OF("Y")), PARAMS(struct qgemm, qgemm_attrs), .lower = lower_qgemm,
      .class = CLASS_COMPOSED, .webnn = "dequantizeLinear, matmul, cast, add, mul" },
    { MICROSOFT("MulInteger"),
      INPUTS(IN("A", T, SET_8), IN_OPT("A_zero_point", T, SET_8), IN("B", T, SET_8),
             IN_OPT("B_zero_point", T, SET_8)),
      RESULTS(OUT_OF("C", DTYPE_INT32)), .lower = lower_mul_integer, .class = CLASS_COMPOSED,
      .webnn = "cast, sub, mul" },
    { MICROSOFT("ReduceSumInteger"), INPUTS(IN("data", T, SET_8)), RESULTS(ANY_OF("reduced")),
      PARAMS(struct reduce_sum, reduce_sum_attrs), .lower = lower_reduce_sum,
      .class = CLASS_COMPOSED, .webnn = "cast, reduceSum" },
    { MICROSOFT("MatMulInteger16"), INPUTS(IN("A", T1, SET_16), IN("B", T2, SET_16)),
      RESULTS(ANY_OF("Y")), .lower = lower_matmul_16, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "cast, mul, reduceSum",
      .notes = "up to 2^26 multiplications; sums wrap in 32 bits" },
};
ROW_COUNT(microsoft_integer);
