/* Matrix products. */
#include "lower/ops/matmul.h"

#include "base/checked.h"

#include <string.h>

/* --- MatMul --------------------------------------------------------------------------------------- */

o2w_status matmul_operands(struct lower *l, const struct node_view *n, uint32_t a_at, uint32_t b_at,
                           value *a, value *b)
{
    const uint32_t first = 0, second = 1;
    *a = input(n, a_at);
    *b = input(n, b_at);
    if ((*a)->rank == 0 || (*b)->rank == 0)
        return refuse_input(l, n, (*a)->rank ? b_at : a_at,
                            "is a scalar, a vector or matrix is needed");
    if ((*a)->rank == 1)
        TRY(unsqueeze(l, *a, &first, 1, a));
    return (*b)->rank == 1 ? unsqueeze(l, *b, &second, 1, b) : O2W_OK;
}

o2w_status matmul_result(struct lower *l, const struct node_view *n, uint32_t a_at, uint32_t b_at,
                         value y, value *out)
{
    uint32_t drop[2], count = 0;
    if (input(n, a_at)->rank == 1)
        drop[count++] = y->rank - 2;
    if (input(n, b_at)->rank == 1)
        drop[count++] = y->rank - 1;
    return squeeze(l, y, drop, count, out);
}

o2w_status integer_product(struct lower *l, const struct node_view *n, value a, value b, value *out)
{
    uint32_t last = a->rank, middle = b->rank - 2;
    value products;
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    uint64_t count = 1;
    TRY(unsqueeze(l, a, &last, 1, &a));   /* [.., M, K, 1] */
    TRY(unsqueeze(l, b, &middle, 1, &b)); /* [.., 1, K, N] */
    for (uint32_t i = 0; i < 3; i++) {
        dim d = i == 2 ? b->dims[b->rank - 1] : a->dims[a->rank - 3 + i];
        if (!dim_is_static(d) || !mul_u64(count, (uint64_t)d, &count) || count > (uint64_t)1 << 26)
            return refuse(l, n, DIAG_LOWER_LIMIT,
                          "an integer product of this size exceeds 2^26 multiplications");
    }
    TRY(op2(l, WEBNN_MUL, a, b, &products));
    sum.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { products->rank - 2 } };
    return op(l, WEBNN_REDUCE_SUM, OPERANDS(products), &sum, out);
}

static o2w_status product(struct lower *l, const struct node_view *n, value a, value b, value *out)
{
    return dtype_is_integer(a->dtype) ? integer_product(l, n, a, b, out)
                                      : op2(l, WEBNN_MATMUL, a, b, out);
}

static o2w_status lower_matmul(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value a, b, y;
    TRY(matmul_operands(l, n, 0, 1, &a, &b));
    TRY(product(l, n, a, b, &y));
    TRY(matmul_result(l, n, 0, 1, y, &y));
    return emit_value(l, n, y);
}

/* --- Gemm ----------------------------------------------------------------------------------------- */

struct gemm {
    double alpha, beta;
    int64_t transA, transB, broadcast;
};

#define GEMM_ATTRS                                          \
    ATTR_FLOAT(struct gemm, alpha, .fallback_float = 1),    \
        ATTR_FLOAT(struct gemm, beta, .fallback_float = 1), \
        ATTR_INT(struct gemm, transA, .fallback_int = 0),   \
        ATTR_INT(struct gemm, transB, .fallback_int = 0)

static const struct attr_row gemm_attrs[] = { GEMM_ATTRS };
static const struct attr_row gemm_1_attrs[] = { GEMM_ATTRS, ATTR_INT(struct gemm, broadcast,
                                                                     .allowed = "0 1") };

static o2w_status scaled(struct lower *l, const struct node_view *n, value x, double factor,
                         const char *name, value *out)
{
    value scale;
    if (factor == 1) {
        *out = x;
        return O2W_OK;
    }
    if (factor != (double)(int64_t)factor)
        return refuse_attribute(l, n, name, "is %g, only whole numbers are supported for integers",
                                factor);
    TRY(scalar_like(l, x, factor, &scale));
    return op2(l, WEBNN_MUL, x, scale, out);
}

static o2w_status integer_gemm(struct lower *l, const struct node_view *n, const struct gemm *p,
                               value a, value b, value c)
{
    static const uint32_t swap[] = { 1, 0 };
    value y;
    if (p->transA)
        TRY(transpose(l, a, swap, &a));
    if (p->transB)
        TRY(transpose(l, b, swap, &b));
    TRY(integer_product(l, n, a, b, &y));
    TRY(scaled(l, n, y, p->alpha, "alpha", &y));
    if (c) {
        TRY(scaled(l, n, c, p->beta, "beta", &c));
        TRY(op2(l, WEBNN_ADD, y, c, &y));
    }
    return emit_value(l, n, y);
}

static o2w_status lower_gemm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct gemm *p = params;
    value a = input(n, 0), b = input(n, 1), c = input(n, 2);
    for (uint32_t i = 0; i < 2; i++)
        if (input(n, i)->rank != 2)
            return refuse_input(l, n, i, "has rank %u, a matrix is needed", input(n, i)->rank);
    if (dtype_is_integer(a->dtype))
        return integer_gemm(l, n, p, a, b, c);
    struct webnn_gemm_attributes g = webnn_gemm_defaults();
    g.alpha = p->alpha;
    g.beta = p->beta;
    g.a_transpose = p->transA != 0;
    g.b_transpose = p->transB != 0;
    return emit(l, n, WEBNN_GEMM, OPERANDS(a, b, c), &g);
}

#define GEMM_TYPES                                                                            \
    (SET_FLOATS | DTYPE_BIT(DTYPE_INT32) | DTYPE_BIT(DTYPE_INT64) | DTYPE_BIT(DTYPE_UINT32) | \
     DTYPE_BIT(DTYPE_UINT64))

const struct onnx_row matmul_rows[] = {
    { ONNX("MatMul", 1, LATEST), INPUTS(IN("A", T, GEMM_TYPES), IN("B", T, GEMM_TYPES)),
      RESULTS(OUT("Y", T)), .lower = lower_matmul, .class = CLASS_DIRECT, .webnn = "matmul",
      .notes = "integers by mul and reduceSum, up to 2^26 multiplications" },
    { ONNX("Gemm", 1, 6),
      INPUTS(IN("A", T, GEMM_TYPES), IN("B", T, GEMM_TYPES), IN("C", T, GEMM_TYPES)),
      RESULTS(OUT("Y", T)), PARAMS(struct gemm, gemm_1_attrs), .lower = lower_gemm,
      .class = CLASS_DIRECT, .webnn = "gemm",
      .notes = "C is broadcast whatever the attribute broadcast says" },
    { ONNX("Gemm", 7, 10),
      INPUTS(IN("A", T, GEMM_TYPES), IN("B", T, GEMM_TYPES), IN("C", T, GEMM_TYPES)),
      RESULTS(OUT("Y", T)), PARAMS(struct gemm, gemm_attrs), .lower = lower_gemm,
      .class = CLASS_DIRECT, .webnn = "gemm" },
    { ONNX("Gemm", 11, LATEST),
      INPUTS(IN("A", T, GEMM_TYPES), IN("B", T, GEMM_TYPES), IN_OPT("C", T, GEMM_TYPES)),
      RESULTS(OUT("Y", T)), PARAMS(struct gemm, gemm_attrs), .lower = lower_gemm,
      .class = CLASS_DIRECT, .webnn = "gemm" },
};
ROW_COUNT(matmul);
