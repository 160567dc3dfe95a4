/* Matrix products with weights of few bits per element, in blocks along K. */
#include "lower/ops/matmul.h"
#include "lower/quantized.h"

struct nbits {
    int64_t N, K, block_size, bits, accuracy_level, weight_prepacked;
};

static const struct attr_row nbits_attrs[] = {
    ATTR_INT(struct nbits, N, .required = true),
    ATTR_INT(struct nbits, K, .required = true),
    ATTR_INT(struct nbits, block_size, .required = true),
    ATTR_INT(struct nbits, bits, .fallback_int = 4, .allowed = "2 4 8"),
    ATTR_INT(struct nbits, accuracy_level, .allowed = "0 1 2 3 4"),
    ATTR_INT(struct nbits, weight_prepacked, .allowed = "0"),
};

static o2w_status check_sizes(struct lower *l, const struct node_view *n, const struct nbits *p)
{
    const int64_t limit = (int64_t)1 << 30;
    if (p->N < 0 || p->N > limit)
        return refuse_attribute(l, n, "N", "is %lld, must not be negative", (long long)p->N);
    if (p->K < 1 || p->K > limit)
        return refuse_attribute(l, n, "K", "is %lld, must be at least 1", (long long)p->K);
    if (p->block_size < 16 || p->block_size > limit || (p->block_size & (p->block_size - 1)))
        return refuse_attribute(l, n, "block_size", "is %lld, must be a power of 2 from 16 on",
                                (long long)p->block_size);
    return O2W_OK;
}

static o2w_status check_count(struct lower *l, const struct node_view *n, uint32_t at,
                              int64_t wanted)
{
    uint64_t count;
    value v = input(n, at);
    if (!value_count(v, &count) || count != (uint64_t)wanted)
        return refuse_input(l, n, at, "has shape %s, %lld elements are needed",
                            dim_list_text(lower_exprs(l), v->dims, v->rank, lower_arena(l)),
                            (long long)wanted);
    return O2W_OK;
}

/* Packed elements, low bits first, each row of `length` in whole bytes, one per byte. */
static o2w_status unpack(struct lower *l, value packed, int64_t bits, int64_t rows, int64_t length,
                         value *out)
{
    struct tensor t, y;
    TRY(known_tensor(l, packed, &t));
    TRY(known_new(l, DTYPE_UINT8, (const dim[]){ rows, length }, 2, &y, out));
    int64_t stride = (length * bits + 7) / 8;
    const uint8_t *from = t.data;
    uint8_t *to = y.data, mask = (uint8_t)((1 << bits) - 1);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < length; i++)
            to[r * length + i] =
                (uint8_t)(from[r * stride + i * bits / 8] >> (i * bits % 8) & mask);
    return O2W_OK;
}

/* One per byte as two per byte. */
static o2w_status pack4(struct lower *l, value bytes, value *out)
{
    struct tensor t, y;
    TRY(known_tensor(l, bytes, &t));
    TRY(known_new(l, DTYPE_UINT4, t.dims, t.rank, &y, out));
    for (uint64_t i = 0; i < tensor_count(&t); i++)
        tensor_put_i64(&y, i, ((const uint8_t *)t.data)[i]);
    return O2W_OK;
}

/* B as [N, blocks, block_size]: 4 and 8 bits are used as they lie in the file. */
static o2w_status weights(struct lower *l, const struct node_view *n, const struct nbits *p,
                          int64_t blocks, value *out)
{
    const dim dims[] = { p->N, blocks, p->block_size };
    TRY(check_count(l, n, 1, p->N * blocks * (p->block_size * p->bits / 8)));
    if (p->bits == 4)
        return known_view(l, input(n, 1), DTYPE_UINT4, dims, 3, out);
    if (p->bits == 8)
        return reshape(l, input(n, 1), dims, 3, out);
    TRY(unpack(l, input(n, 1), p->bits, p->N, blocks * p->block_size, out));
    return reshape(l, *out, dims, 3, out);
}

/* Packed zero points as [N, blocks, 1] of the weights' dtype; absent: the middle of the range. */
static o2w_status packed_zeros(struct lower *l, const struct node_view *n, const struct nbits *p,
                               int64_t blocks, enum dtype dtype, value *out)
{
    const dim dims[] = { p->N, blocks, 1 };
    value given = input(n, 3);
    if (!given)
        return fill_i64(l, dtype, (int64_t)1 << (p->bits - 1), dims, 3, out);
    if (!value_is_known(given))
        return refuse_input(l, n, 3, "is computed, packed zero points must be known");
    TRY(check_count(l, n, 3, p->N * ((blocks * p->bits + 7) / 8)));
    if (p->bits == 8)
        return reshape(l, given, dims, 3, out);
    if (p->bits == 4 && blocks % 2 == 0)
        return known_view(l, given, DTYPE_UINT4, dims, 3, out);
    TRY(unpack(l, given, p->bits, p->N, blocks, out));
    if (dtype == DTYPE_UINT4)
        TRY(pack4(l, *out, out));
    return reshape(l, *out, dims, 3, out);
}

/* Which group each of K input features belongs to: NULL where that is its block. */
static o2w_status groups(struct lower *l, const struct node_view *n, const struct nbits *p,
                         int64_t blocks, value *out)
{
    struct ints g;
    bool plain = true;
    *out = NULL;
    TRY(known_ints(l, n, 4, &g));
    if (!g.given)
        return O2W_OK;
    TRY(check_count(l, n, 4, p->K));
    for (uint32_t i = 0; i < g.count; i++) {
        if (g.items[i] < 0 || g.items[i] >= blocks)
            return refuse_input(l, n, 4, "is %lld at index %u, must be from 0 to %lld",
                                (long long)g.items[i], i, (long long)blocks - 1);
        plain &= g.items[i] == i / p->block_size;
    }
    *out = plain ? NULL : input(n, 4);
    return O2W_OK;
}

/* [N, blocks, 1] as one number per element of [N, K], by group. */
static o2w_status by_group(struct lower *l, value v, value group, value *out)
{
    struct webnn_gather_attributes a = webnn_gather_defaults();
    a.axis = 1;
    TRY(reshape(l, v, v->dims, 2, &v));
    return op(l, WEBNN_GATHER, OPERANDS(v, group), &a, out);
}

/* q · 1 as floats: exact. */
static o2w_status as_floats(struct lower *l, value q, enum dtype dtype, value *out)
{
    const dim ones[] = { 1, 1, 1 };
    value one, zero;
    TRY(fill(l, dtype, (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = 1 }, ones, 3, &one));
    TRY(fill_i64(l, q->dtype, 0, ones, 3, &zero));
    return op3(l, WEBNN_DEQUANTIZE_LINEAR, q, one, zero, out);
}

/* [N, blocks, block_size] as [N, K]: what fills the last block goes. */
static o2w_status cut(struct lower *l, const struct nbits *p, value v, value *out)
{
    TRY(reshape(l, v, (const dim[]){ p->N, v->dims[1] * p->block_size }, 2, &v));
    return slice(l, v, 1, 0, p->K, 1, out);
}

/* (q - zero) · scale, each of its own group: zero and scale are [N, blocks, 1] floats. */
static o2w_status dequantize_groups(struct lower *l, const struct nbits *p, value q, value scale,
                                    value zero, value group, value *out)
{
    value y;
    TRY(as_floats(l, q, scale->dtype, &y));
    if (!group) {
        TRY(op2(l, WEBNN_SUB, y, zero, &y));
        TRY(op2(l, WEBNN_MUL, y, scale, &y));
        return cut(l, p, y, out);
    }
    TRY(cut(l, p, y, &y));
    TRY(by_group(l, zero, group, &zero));
    TRY(by_group(l, scale, group, &scale));
    TRY(op2(l, WEBNN_SUB, y, zero, &y));
    return op2(l, WEBNN_MUL, y, scale, out);
}

/* The weights in floats, [N, K]. */
static o2w_status dequantized(struct lower *l, const struct node_view *n, const struct nbits *p,
                              value *out)
{
    int64_t blocks = (p->K + p->block_size - 1) / p->block_size;
    const dim dims[] = { p->N, blocks, 1 };
    value q, scale, zero = input(n, 3), group, y;
    TRY(weights(l, n, p, blocks, &q));
    TRY(groups(l, n, p, blocks, &group));
    TRY(check_count(l, n, 2, p->N * blocks));
    TRY(reshape(l, input(n, 2), dims, 3, &scale));
    if (zero && dtype_is_float(zero->dtype)) {
        TRY(check_count(l, n, 3, p->N * blocks));
        TRY(reshape(l, zero, dims, 3, &zero));
        return dequantize_groups(l, p, q, scale, zero, group, out);
    }
    TRY(packed_zeros(l, n, p, blocks, q->dtype, &zero));
    if (group) {
        TRY(as_floats(l, zero, scale->dtype, &zero));
        return dequantize_groups(l, p, q, scale, zero, group, out);
    }
    TRY(op3(l, WEBNN_DEQUANTIZE_LINEAR, q, scale, zero, &y));
    return cut(l, p, y, out);
}

/* Zeros, or the bias, where there is nothing to multiply. */
static o2w_status empty_product(struct lower *l, const struct node_view *n, const struct nbits *p,
                                value a)
{
    dim dims[MAX_RANK];
    value y;
    for (uint32_t i = 0; i < a->rank; i++)
        dims[i] = i + 1 < a->rank ? a->dims[i] : p->N;
    TRY(fill_i64(l, a->dtype, 0, dims, a->rank, &y));
    return emit_value(l, n, y);
}

/* Y = A · dequantised(B)ᵀ + bias. accuracy_level is a floor: computing in A's own dtype honours it. */
static o2w_status lower_matmul_nbits(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t swap[] = { 1, 0 };
    const struct nbits *p = params;
    value a = input(n, 0), b, y;
    uint32_t row = 0;
    TRY(check_sizes(l, n, p));
    if (a->rank == 0)
        return refuse_input(l, n, 0, "is a scalar, at least rank 1 is needed");
    if (dim_compare(lower_exprs(l), a->dims[a->rank - 1], p->K) == EXPR_DIFFERENT)
        return refuse_input(l, n, 0, "has shape %s, its last dimension must be K, %lld",
                            dim_list_text(lower_exprs(l), a->dims, a->rank, lower_arena(l)),
                            (long long)p->K);
    if (p->N == 0)
        return empty_product(l, n, p, a);
    TRY(dequantized(l, n, p, &b));
    TRY(transpose(l, b, swap, &b));
    if (a->rank == 1)
        TRY(unsqueeze(l, a, &row, 1, &a));
    TRY(op2(l, WEBNN_MATMUL, a, b, &y));
    if (input(n, 0)->rank == 1)
        TRY(squeeze(l, y, &row, 1, &y));
    if (input(n, 5))
        TRY(op2(l, WEBNN_ADD, y, input(n, 5), &y));
    return emit_value(l, n, y);
}

#define SET_A (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))

const struct onnx_row matmul_nbits_rows[] = {
    { MICROSOFT("MatMulNBits"),
      INPUTS(IN("A", T, SET_A), IN("B", NONE, DTYPE_BIT(DTYPE_UINT8), KNOWN),
             IN("scales", T, SET_A), IN_OPT("zero_points", NONE, SET_A | DTYPE_BIT(DTYPE_UINT8)),
             IN_OPT("g_idx", NONE, DTYPE_BIT(DTYPE_INT32), KNOWN), IN_OPT("bias", T, SET_A)),
      RESULTS(OUT("Y", T)), PARAMS(struct nbits, nbits_attrs), .lower = lower_matmul_nbits,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "dequantizeLinear, transpose, matmul",
      .notes =
          "accuracy_level is a floor, which the dtype of A honours; weight_prepacked, computed "
          "packed zero points refused" },
};
ROW_COUNT(matmul_nbits);
