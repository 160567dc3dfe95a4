/* Matrix products with weights of few bits per element, in blocks along K. */
#include "lower/ops/matmul_nbits.h"

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

o2w_status nbits_check(struct lower *l, const struct node_view *n, const struct nbits_matrix *m)
{
    const int64_t limit = (int64_t)1 << 30;
    if (m->N < 0 || m->N > limit)
        return refuse_attribute(l, n, "N", "is %lld, must be from 0 to 2^30", (long long)m->N);
    if (m->K < 1 || m->K > limit)
        return refuse_attribute(l, n, "K", "is %lld, must be from 1 to 2^30", (long long)m->K);
    if (m->block < 16 || m->block > limit || (m->block & (m->block - 1)))
        return refuse_attribute(l, n, "block_size", "is %lld, must be a power of 2 from 16 to 2^30",
                                (long long)m->block);
    return O2W_OK;
}

static int64_t blocks_of(const struct nbits_matrix *m)
{
    return (m->K + m->block - 1) / m->block;
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

o2w_status nbits_unpack(struct lower *l, value packed, int64_t bits, int64_t rows, int64_t length,
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

o2w_status nbits_pack4(struct lower *l, value bytes, value *out)
{
    struct tensor t, y;
    TRY(known_tensor(l, bytes, &t));
    TRY(known_new(l, DTYPE_UINT4, t.dims, t.rank, &y, out));
    for (uint64_t i = 0; i < tensor_count(&t); i++)
        tensor_put_i64(&y, i, ((const uint8_t *)t.data)[i]);
    return O2W_OK;
}

/* B as [N, blocks, block_size]: 4 and 8 bits are used as they lie in the file. */
static o2w_status weights(struct lower *l, const struct node_view *n, const struct nbits_matrix *m,
                          int64_t blocks, value *out)
{
    const dim dims[] = { m->N, blocks, m->block };
    TRY(check_count(l, n, m->data, m->N * blocks * (m->block * m->bits / 8)));
    if (m->bits == 4)
        return known_view(l, input(n, m->data), DTYPE_UINT4, dims, 3, out);
    if (m->bits == 8)
        return reshape(l, input(n, m->data), dims, 3, out);
    TRY(nbits_unpack(l, input(n, m->data), m->bits, m->N, blocks * m->block, out));
    return reshape(l, *out, dims, 3, out);
}

/* Packed zero points as [N, blocks, 1] of the weights' dtype; absent: the middle of the range. */
static o2w_status packed_zeros(struct lower *l, const struct node_view *n,
                               const struct nbits_matrix *m, int64_t blocks, enum dtype dtype,
                               value *out)
{
    const dim dims[] = { m->N, blocks, 1 };
    value given = input(n, m->zeros);
    if (!given)
        return fill_i64(l, dtype, (int64_t)1 << (m->bits - 1), dims, 3, out);
    if (!value_is_known(given))
        return refuse_input(l, n, m->zeros, "is computed, packed zero points must be known");
    TRY(check_count(l, n, m->zeros, m->N * ((blocks * m->bits + 7) / 8)));
    if (m->bits == 8)
        return reshape(l, given, dims, 3, out);
    if (m->bits == 4 && blocks % 2 == 0)
        return known_view(l, given, DTYPE_UINT4, dims, 3, out);
    TRY(nbits_unpack(l, given, m->bits, m->N, blocks, out));
    if (dtype == DTYPE_UINT4)
        TRY(nbits_pack4(l, *out, out));
    return reshape(l, *out, dims, 3, out);
}

/* Which group each of K input features belongs to: NULL where that is its block. */
static o2w_status groups(struct lower *l, const struct node_view *n, const struct nbits_matrix *m,
                         int64_t blocks, value *out)
{
    struct ints g;
    bool plain = true;
    *out = NULL;
    TRY(known_ints(l, n, m->groups, &g));
    if (!g.given)
        return O2W_OK;
    TRY(check_count(l, n, m->groups, m->K));
    for (uint32_t i = 0; i < g.count; i++) {
        if (g.items[i] < 0 || g.items[i] >= blocks)
            return refuse_input(l, n, m->groups, "is %lld at index %u, must be from 0 to %lld",
                                (long long)g.items[i], i, (long long)blocks - 1);
        plain &= g.items[i] == i / m->block;
    }
    *out = plain ? NULL : input(n, m->groups);
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
static o2w_status cut(struct lower *l, const struct nbits_matrix *m, value v, value *out)
{
    TRY(reshape(l, v, (const dim[]){ m->N, v->dims[1] * m->block }, 2, &v));
    return slice(l, v, 1, 0, m->K, 1, out);
}

/* (q - zero) · scale, each of its own group: zero and scale are [N, blocks, 1] floats. In float32, rounded to
 * their dtype once. */
static o2w_status dequantize_groups(struct lower *l, const struct nbits_matrix *m, value q,
                                    value scale, value zero, value group, value *out)
{
    const enum dtype dtype = scale->dtype;
    value y;
    TRY(widen(l, scale, &scale));
    TRY(widen(l, zero, &zero));
    TRY(as_floats(l, q, DTYPE_FLOAT32, &y));
    if (group) {
        TRY(cut(l, m, y, &y));
        TRY(by_group(l, zero, group, &zero));
        TRY(by_group(l, scale, group, &scale));
    }
    TRY(op2(l, WEBNN_SUB, y, zero, &y));
    TRY(op2(l, WEBNN_MUL, y, scale, &y));
    if (!group)
        TRY(cut(l, m, y, &y));
    *out = y;
    return dtype == DTYPE_FLOAT16 ? cast(l, y, dtype, out) : O2W_OK;
}

o2w_status nbits_floats(struct lower *l, const struct node_view *n, const struct nbits_matrix *m,
                        value *out)
{
    int64_t blocks = blocks_of(m);
    const dim dims[] = { m->N, blocks, 1 };
    value q, scale, zero = input(n, m->zeros), group, y;
    TRY(weights(l, n, m, blocks, &q));
    TRY(groups(l, n, m, blocks, &group));
    TRY(check_count(l, n, m->scales, m->N * blocks));
    TRY(reshape(l, input(n, m->scales), dims, 3, &scale));
    if (zero && dtype_is_float(zero->dtype)) {
        TRY(check_count(l, n, m->zeros, m->N * blocks));
        TRY(reshape(l, zero, dims, 3, &zero));
        return dequantize_groups(l, m, q, scale, zero, group, out);
    }
    TRY(packed_zeros(l, n, m, blocks, q->dtype, &zero));
    if (group) {
        TRY(as_floats(l, zero, scale->dtype, &zero));
        return dequantize_groups(l, m, q, scale, zero, group, out);
    }
    TRY(op3(l, WEBNN_DEQUANTIZE_LINEAR, q, scale, zero, &y));
    return cut(l, m, y, out);
}

/* Zeros, where there is nothing to multiply. */
static o2w_status empty_product(struct lower *l, const struct nbits_matrix *m, value a, value *out)
{
    dim dims[MAX_RANK];
    for (uint32_t i = 0; i < a->rank; i++)
        dims[i] = i + 1 < a->rank ? a->dims[i] : m->N;
    return fill_i64(l, a->dtype, 0, dims, a->rank, out);
}

static o2w_status check_left(struct lower *l, const struct node_view *n,
                             const struct nbits_matrix *m, value a)
{
    if (a->rank == 0)
        return refuse_input(l, n, 0, "is a scalar, at least rank 1 is needed");
    if (dim_compare(lower_exprs(l), a->dims[a->rank - 1], m->K) == EXPR_DIFFERENT)
        return refuse_input(l, n, 0, "has shape %s, its last dimension must be K, %lld",
                            dim_list_text(lower_exprs(l), a->dims, a->rank, lower_arena(l)),
                            (long long)m->K);
    return O2W_OK;
}

/* Whether a dim of B is 0: the product is zeros then. */
static bool is_omitted(const struct node_view *n, const struct nbits_matrix *m)
{
    return m->N == 0 || value_is_empty(input(n, m->data));
}

o2w_status nbits_product(struct lower *l, const struct node_view *n, const struct nbits_matrix *m,
                         value a, uint32_t bias_at, value *out)
{
    static const uint32_t swap[] = { 1, 0 };
    value b, y, rows = a;
    uint32_t row = 0;
    TRY(nbits_check(l, n, m));
    TRY(check_left(l, n, m, a));
    if (is_omitted(n, m)) {
        TRY(empty_product(l, m, a, &y));
    } else {
        TRY(nbits_floats(l, n, m, &b));
        TRY(transpose(l, b, swap, &b));
        if (a->rank == 1)
            TRY(unsqueeze(l, a, &row, 1, &rows));
        TRY(op2(l, WEBNN_MATMUL, rows, b, &y));
        if (a->rank == 1)
            TRY(squeeze(l, y, &row, 1, &y));
    }
    *out = y;
    return input(n, bias_at) && m->N > 0 ? op2(l, WEBNN_ADD, y, input(n, bias_at), out) : O2W_OK;
}

/* accuracy_level is a floor: computing in A's own dtype honours it. */
static o2w_status lower_matmul_nbits(struct lower *l, const struct node_view *n, const void *params)
{
    const struct nbits *p = params;
    const struct nbits_matrix m = { p->N, p->K, p->block_size, p->bits, 1, 2, 3, 4 };
    value y;
    TRY(nbits_product(l, n, &m, input(n, 0), 5, &y));
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
