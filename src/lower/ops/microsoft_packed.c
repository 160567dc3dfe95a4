/* com.microsoft: products and lookups with packed weights beside MatMulNBits. */
#include "lower/ops/matmul_nbits.h"
#include "lower/ops/microsoft_activation.h"
#include "lower/ops/normalization.h"

/* --- MatMulNBitsMlp, MatMulNBitsQkv, MatMulNBitsQLoRA ------------------------------------------------------------ */

struct fused_nbits {
    int64_t N, Nq, Nkv, K, block_size, bits, accuracy_level, lora_bits, lora_block_size;
    double epsilon;
    struct span activation;
};

#define FUSED_ATTRS                                                                \
    ATTR_INT(struct fused_nbits, K, .required = true),                             \
        ATTR_INT(struct fused_nbits, bits, .fallback_int = 4, .allowed = "2 4 8"), \
        ATTR_INT(struct fused_nbits, accuracy_level, .allowed = "0 1 2 3 4")
static const struct attr_row mlp_attrs[] = {
    FUSED_ATTRS,
    ATTR_INT(struct fused_nbits, N, .required = true),
    ATTR_INT(struct fused_nbits, block_size, .required = true),
    ATTR_FLOAT(struct fused_nbits, epsilon, .fallback_float = 1e-5),
    ATTR_STRING(struct fused_nbits, activation, .required = true, .allowed = "silu"),
};
static const struct attr_row qkv_attrs[] = {
    FUSED_ATTRS,
    ATTR_INT(struct fused_nbits, Nq, .required = true),
    ATTR_INT(struct fused_nbits, Nkv, .required = true),
    ATTR_INT(struct fused_nbits, block_size, .required = true),
    ATTR_FLOAT(struct fused_nbits, epsilon, .fallback_float = 1e-6),
};
static const struct attr_row qlora_attrs[] = {
    FUSED_ATTRS,
    ATTR_INT(struct fused_nbits, N, .required = true),
    ATTR_INT(struct fused_nbits, block_size, .fallback_int = 32),
    ATTR_INT(struct fused_nbits, lora_bits, .fallback_int = 8, .allowed = "2 4 8"),
    ATTR_INT(struct fused_nbits, lora_block_size, .fallback_int = 32),
};

/* Input 0 plus the skip, input 1, normalised by the scale, input 2; the sum as output `sum_at`. */
static o2w_status norm_first(struct lower *l, const struct node_view *n,
                             const struct fused_nbits *p, uint32_t sum_at, value *out)
{
    value x = input(n, 0), scale = input(n, 2), y, inverse;
    struct webnn_u32s axes;
    if (input(n, 1))
        TRY(op2(l, WEBNN_ADD, x, input(n, 1), &x));
    TRY(emit_output(l, n, sum_at, x));
    *out = x;
    if (!scale && input(n, 1))
        return refuse_input(l, n, 2, "is missing, a skip needs it");
    if (!scale)
        return O2W_OK;
    TRY(widen(l, x, &y));
    axes_behind(y->rank - 1, y->rank, &axes);
    TRY(rms_normalize(l, y, &axes, p->epsilon, &y, &inverse));
    TRY(widen(l, scale, &scale));
    TRY(op2(l, WEBNN_MUL, y, scale, &y));
    return cast(l, y, x->dtype, out);
}

/* A product whose weights, scales and bias stand at `at`. */
static o2w_status part(struct lower *l, const struct node_view *n, const struct fused_nbits *p,
                       int64_t rows, uint32_t at, value x, value *out)
{
    const struct nbits_matrix m = { rows, p->K,   p->block_size, p->bits,
                                    at,   at + 1, NBITS_ABSENT,  NBITS_ABSENT };
    return nbits_product(l, n, &m, x, at + 2, out);
}

/* silu(gate) · up */
static o2w_status lower_mlp(struct lower *l, const struct node_view *n, const void *params)
{
    const struct fused_nbits *p = params;
    const struct ms_swiglu silu = { .alpha = 1 };
    value x, gate, up;
    TRY(norm_first(l, n, p, 1, &x));
    TRY(part(l, n, p, p->N, 3, x, &gate));
    TRY(part(l, n, p, p->N, 6, x, &up));
    TRY(widen(l, gate, &gate));
    TRY(widen(l, up, &up));
    struct calc c = calc_begin(l, gate);
    value y = calc_mul(&c, ms_gate(&c, &silu, gate), up);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

static o2w_status lower_qkv(struct lower *l, const struct node_view *n, const void *params)
{
    const struct fused_nbits *p = params;
    value x, y;
    TRY(norm_first(l, n, p, 3, &x));
    for (uint32_t i = 0; i < 3; i++) {
        TRY(part(l, n, p, i ? p->Nkv : p->Nq, 3 + 3 * i, x, &y));
        TRY(emit_output(l, n, i, y));
    }
    return O2W_OK;
}

/* X · Wᵀ + (X · Aᵀ) · Bᵀ */
static o2w_status lower_qlora(struct lower *l, const struct node_view *n, const void *params)
{
    const struct fused_nbits *p = params;
    value x = input(n, 0), y, down, scales = input(n, 4);
    struct nbits_matrix base = { p->N, p->K, p->block_size, p->bits,
                                 1,    2,    NBITS_ABSENT,  NBITS_ABSENT },
                        a = { 0, p->K, p->lora_block_size, p->lora_bits,
                              3, 4,    NBITS_ABSENT,       NBITS_ABSENT },
                        b = { p->N, 0, p->lora_block_size, p->lora_bits,
                              5,    6, NBITS_ABSENT,       NBITS_ABSENT };
    TRY(nbits_product(l, n, &base, x, NBITS_ABSENT, &y));
    if (value_is_empty(input(n, 3)) || value_is_empty(input(n, 5)))
        return emit_value(l, n, y);
    if (scales->rank != 2)
        return refuse_input(l, n, 4, "has rank %u, must be [rank, blocks]", scales->rank);
    TRY(static_dim(l, n, scales, 0, &a.N));
    b.K = a.N;
    TRY(nbits_product(l, n, &a, x, NBITS_ABSENT, &down));
    TRY(nbits_product(l, n, &b, down, NBITS_ABSENT, &down));
    return emit(l, n, WEBNN_ADD, OPERANDS(y, down), NULL);
}

/* --- MatMulBnb4 -------------------------------------------------------------------------------------------------- */

struct bnb4 {
    int64_t N, K, block_size, quant_type, transB, training_mode;
};

static const struct attr_row bnb4_attrs[] = {
    ATTR_INT(struct bnb4, N, .required = true),
    ATTR_INT(struct bnb4, K, .required = true),
    ATTR_INT(struct bnb4, block_size, .required = true),
    ATTR_INT(struct bnb4, quant_type, .required = true, .allowed = "0 1"),
    ATTR_INT(struct bnb4, transB, .fallback_int = 1, .allowed = "0 1"),
    ATTR_INT(struct bnb4, training_mode, .allowed = "0 1"),
};

static const float fp4[] = { 0.00000000f,  5.208333333e-03f,  0.66666667f,  1.00000000f,
                             0.33333333f,  0.50000000f,       0.16666667f,  0.25000000f,
                             -0.00000000f, -5.208333333e-03f, -0.66666667f, -1.00000000f,
                             -0.33333333f, -0.50000000f,      -0.16666667f, -0.25000000f };
static const float nf4[] = { -1.0f,
                             -0.6961928009986877f,
                             -0.5250730514526367f,
                             -0.39491748809814453f,
                             -0.28444138169288635f,
                             -0.18477343022823334f,
                             -0.09105003625154495f,
                             0.0f,
                             0.07958029955625534f,
                             0.16093020141124725f,
                             0.24611230194568634f,
                             0.33791524171829224f,
                             0.44070982933044434f,
                             0.5626170039176941f,
                             0.7229568362236023f,
                             1.0f };

/* Numbers by byte: those of its high half, of its low half. */
static o2w_status code_pairs(struct lower *l, const float *codes, value *out)
{
    struct tensor t;
    TRY(known_new(l, DTYPE_FLOAT32, (const dim[]){ 256, 2 }, 2, &t, out));
    for (int i = 0; i < 256; i++) {
        ((float *)t.data)[2 * i] = codes[i >> 4];
        ((float *)t.data)[2 * i + 1] = codes[i & 15];
    }
    return O2W_OK;
}

/* Codes by table, [N · K] and what fills the last byte, times absmax of each block: [N, K]. */
static o2w_status bnb4_floats(struct lower *l, const struct node_view *n, const struct bnb4 *p,
                              value *out)
{
    int64_t all = p->N * p->K, blocks = (all + p->block_size - 1) / p->block_size;
    int64_t whole = all / p->block_size, rest = all % p->block_size;
    value bytes = input(n, 1), scale = input(n, 2), table, y, parts[2];
    uint64_t count;
    if (!value_count(bytes, &count) || count != (uint64_t)((all + 1) / 2))
        return refuse_input(l, n, 1, "must have %lld bytes", (long long)((all + 1) / 2));
    if (!value_count(scale, &count) || count != (uint64_t)blocks)
        return refuse_input(l, n, 2, "must have %lld elements", (long long)blocks);
    TRY(code_pairs(l, p->quant_type ? nf4 : fp4, &table));
    TRY(reshape(l, bytes, (const dim[]){ (all + 1) / 2 }, 1, &bytes));
    TRY(cast(l, bytes, DTYPE_INT32, &bytes));
    TRY(op2(l, WEBNN_GATHER, table, bytes, &y));
    TRY(reshape(l, y, (const dim[]){ (all + 1) / 2 * 2 }, 1, &y));
    TRY(widen(l, scale, &scale));
    TRY(reshape(l, scale, (const dim[]){ blocks, 1 }, 2, &scale));
    if (whole) {
        TRY(slice(l, y, 0, 0, whole * p->block_size, 1, &parts[0]));
        TRY(reshape(l, parts[0], (const dim[]){ whole, p->block_size }, 2, &parts[0]));
        TRY(slice(l, scale, 0, 0, whole, 1, &table));
        TRY(op2(l, WEBNN_MUL, parts[0], table, &parts[0]));
        TRY(reshape(l, parts[0], (const dim[]){ whole * p->block_size }, 1, &parts[0]));
    }
    if (rest) {
        TRY(slice(l, y, 0, whole * p->block_size, rest, 1, &parts[1]));
        TRY(slice(l, scale, 0, whole, 1, 1, &table));
        TRY(reshape(l, table, (const dim[]){ 1 }, 1, &table));
        TRY(op2(l, WEBNN_MUL, parts[1], table, &parts[1]));
    }
    y = parts[whole ? 0 : 1];
    if (whole && rest)
        TRY(concat(l, parts, 2, 0, &y));
    return reshape(l, y, (const dim[]){ p->N, p->K }, 2, out);
}

static o2w_status lower_bnb4(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t swap[] = { 1, 0 };
    const struct bnb4 *p = params;
    value a = input(n, 0), b;
    const int64_t limit = (int64_t)1 << 30;
    if (p->N < 1 || p->K < 1 || p->N > limit || p->K > limit)
        return refuse_attribute(l, n, "N", "and K are %lld and %lld, must be from 1 to 2^30",
                                (long long)p->N, (long long)p->K);
    if (p->block_size < 16 || p->block_size > limit || (p->block_size & (p->block_size - 1)))
        return refuse_attribute(l, n, "block_size", "is %lld, must be a power of 2 from 16 to 2^30",
                                (long long)p->block_size);
    if (a->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, must be at least 2", a->rank);
    TRY(bnb4_floats(l, n, p, &b));
    TRY(cast(l, b, a->dtype, &b));
    if (p->transB)
        TRY(transpose(l, b, swap, &b));
    return emit(l, n, WEBNN_MATMUL, OPERANDS(a, b), NULL);
}

/* --- GatherBlockQuantized ----------------------------------------------------------------------------------------- */

struct gather_blocks {
    int64_t bits, block_size, quantize_axis, gather_axis;
};

static const struct attr_row gather_blocks_attrs[] = {
    ATTR_INT(struct gather_blocks, bits, .fallback_int = 4, .allowed = "2 4 8"),
    ATTR_INT(struct gather_blocks, block_size, .fallback_int = 128),
    ATTR_INT(struct gather_blocks, quantize_axis, .fallback_int = 1),
    ATTR_INT(struct gather_blocks, gather_axis),
};

/* What is looked up in: elements [.., ..], and a scale and a zero point for each block. */
struct table {
    value data, scales, zeros; /* zeros NULL: none is taken away */
    uint32_t along, from;      /* quantize_axis, gather_axis */
    int64_t block;
    int64_t packed; /* bits per element while several stand in a byte of data; 0: one does */
    bool is_signed; /* of packed elements */
};

static bool is_small_float(enum dtype t)
{
    return dtype_is_float(t) && t != DTYPE_FLOAT32 && t != DTYPE_FLOAT16 && t != DTYPE_BFLOAT16 &&
           t != DTYPE_FLOAT64;
}

/* Bytes of several elements along the last dim, as one byte each. */
static o2w_status unpacked(struct lower *l, const struct node_view *n, uint32_t at, int64_t bits,
                           int64_t last, value *out)
{
    value x = input(n, at);
    dim dims[MAX_RANK];
    int64_t rows = 1, bytes;
    TRY(static_dim(l, n, x, x->rank - 1, &bytes));
    if (bytes != (last * bits + 7) / 8)
        return refuse_input(l, n, at, "has %lld bytes in its last dimension for %lld elements",
                            (long long)bytes, (long long)last);
    for (uint32_t i = 0; i < x->rank; i++) {
        dims[i] = i + 1 < x->rank ? x->dims[i] : last;
        rows *= i + 1 < x->rank ? x->dims[i] : 1;
    }
    *out = x;
    if (bits == 8)
        return O2W_OK;
    TRY(nbits_unpack(l, x, bits, rows, last, out));
    return reshape(l, *out, dims, x->rank, out);
}

/* Zero points in 8 bits, or 4-bit ones as they are. */
static o2w_status read_zeros(struct lower *l, const struct node_view *n,
                             const struct gather_blocks *p, struct table *t)
{
    bool bytes = input(n, 0)->dtype == DTYPE_UINT8;
    value zeros = input(n, 3);
    t->zeros = zeros;
    if (zeros && zeros->rank != t->scales->rank)
        return refuse_input(l, n, 3, "has rank %u, the scales have rank %u", zeros->rank,
                            t->scales->rank);
    if (!zeros)
        return bytes ? fill_i64(l, DTYPE_UINT8, (int64_t)1 << (p->bits - 1), t->scales->dims,
                                t->scales->rank, &t->zeros)
                     : O2W_OK;
    if (bytes)
        return unpacked(l, n, 3, p->bits, t->scales->dims[t->scales->rank - 1], &t->zeros);
    return cast(l, zeros, zeros->dtype == DTYPE_INT4 ? DTYPE_INT8 : DTYPE_UINT8, &t->zeros);
}

/* 4-bit elements two by two as bytes, where rows are whole bytes and stay together; else one byte
 * each. */
static o2w_status read_nibbles(struct lower *l, struct table *t)
{
    value x = t->data;
    dim dims[MAX_RANK];
    uint32_t last = x->rank - 1;
    if (x->dims[last] % 2 || t->from == last)
        return cast(l, x, x->dtype == DTYPE_INT4 ? DTYPE_INT8 : DTYPE_UINT8, &t->data);
    for (uint32_t i = 0; i <= last; i++)
        dims[i] = i == last ? x->dims[i] / 2 : x->dims[i];
    t->packed = 4;
    t->is_signed = x->dtype == DTYPE_INT4;
    return known_view(l, x, DTYPE_UINT8, dims, x->rank, &t->data);
}

static o2w_status check_axes(struct lower *l, const struct node_view *n,
                             const struct gather_blocks *p, struct table *t)
{
    value x = input(n, 0);
    bool small = is_small_float(x->dtype);
    TRY(axis_from(l, n, p->gather_axis, x->rank, 0, &t->from));
    TRY(axis_from(l, n, p->quantize_axis, x->rank, 0, &t->along));
    if (x->dtype == DTYPE_UINT8 && p->bits < 8 &&
        (t->from == x->rank - 1 || t->along != x->rank - 1))
        return refuse_attribute(l, n, "gather_axis",
                                "is %lld and quantize_axis is %lld: packed bytes need the last "
                                "axis quantised and another one gathered",
                                (long long)p->gather_axis, (long long)p->quantize_axis);
    t->block = p->block_size;
    if (small && t->block == 0)
        return O2W_OK;
    if (t->block < 16 || t->block > 1 << 30 || (t->block & (t->block - 1)))
        return refuse_attribute(l, n, "block_size", "is %lld, must be a power of 2 from 16 to 2^30",
                                (long long)t->block);
    return O2W_OK;
}

/* One scale per block of the quantised axis and per index of the others; of small floats also one for
 * all of an axis. */
static o2w_status check_scales(struct lower *l, const struct node_view *n, uint32_t at,
                               const struct table *t)
{
    value x = input(n, 0), v = at == 2 ? t->scales : t->zeros;
    bool small = is_small_float(x->dtype);
    for (uint32_t i = 0; v && i < v->rank; i++) {
        int64_t size;
        TRY(static_dim(l, n, t->data, i, &size));
        if (t->packed && i + 1 == v->rank)
            size *= 8 / t->packed;
        if (i == t->along)
            size = t->block ? (size + t->block - 1) / t->block : 1;
        if (v->dims[i] != size && !(small && v->dims[i] == 1))
            return refuse_input(l, n, at, "has %lld elements along axis %u, %lld are needed",
                                (long long)v->dims[i], i, (long long)size);
    }
    return O2W_OK;
}

static o2w_status read_table(struct lower *l, const struct node_view *n,
                             const struct gather_blocks *p, struct table *t)
{
    value x = input(n, 0);
    TRY(check_axes(l, n, p, t));
    t->scales = input(n, 2);
    t->data = x;
    if (t->scales->rank != x->rank)
        return refuse_input(l, n, 2, "has rank %u, the data has rank %u", t->scales->rank, x->rank);
    if (is_small_float(x->dtype)) {
        if (input(n, 3))
            return refuse_input(l, n, 3, "is given, %s has no zero points", dtype_name(x->dtype));
        TRY(cast(l, x, DTYPE_FLOAT32, &t->data));
        return check_scales(l, n, 2, t);
    }
    if (x->dtype != DTYPE_UINT8)
        TRY(read_nibbles(l, t));
    else if (p->bits < 8)
        t->packed = p->bits;
    TRY(check_scales(l, n, 2, t));
    TRY(read_zeros(l, n, p, t));
    return check_scales(l, n, 3, t);
}

/* Indices below 0 count from the end; those that are outside then give zeros: *inside tells. */
static o2w_status read_indices(struct lower *l, const struct node_view *n, int64_t size,
                               value *indices, value *inside)
{
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    value x, zero, last;
    TRY(cast(l, input(n, 1), DTYPE_INT64, &x));
    zero = calc_number(&c, 0);
    last = calc_number(&c, (double)(size - 1));
    x = calc_where(&c, calc_less(&c, x, zero), calc_add(&c, x, calc_number(&c, (double)size)), x);
    *inside = calc_and(&c, calc_greater_equal(&c, x, zero), calc_less_equal(&c, x, last));
    *indices = calc_min(&c, calc_max(&c, x, zero), last);
    return c.status;
}

static o2w_status pick(struct lower *l, value x, value indices, uint32_t axis, value *out)
{
    struct webnn_gather_attributes a = { .axis = axis };
    enum dtype dtype = x->dtype;
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, indices), &a, out));
    return retype(l, *out, dtype, out);
}

/* The scale (or zero point) of every element of the data, by repeating it over its block. */
static o2w_status spread(struct lower *l, const struct table *t, value v, uint32_t axis, dim size,
                         value *out)
{
    dim dims[MAX_RANK + 1];
    const uint32_t behind = axis + 1;
    value y;
    *out = v;
    if (v->dims[axis] == 1 || t->block == 0)
        return O2W_OK;
    TRY(unsqueeze(l, v, &behind, 1, &y));
    for (uint32_t i = 0; i < y->rank; i++)
        dims[i] = i == behind ? t->block : y->dims[i];
    TRY(expand(l, y, dims, y->rank, &y));
    for (uint32_t i = 0; i < v->rank; i++)
        dims[i] = i == axis ? v->dims[i] * t->block : v->dims[i];
    TRY(reshape(l, y, dims, v->rank, &y));
    return slice(l, y, axis, 0, size, 1, out);
}

/* Bytes [.., count] as elements [.., count · 8 / bits], int32. */
static o2w_status split_bytes(struct lower *l, const struct table *t, value x, value *out)
{
    struct calc c = { .l = l, .dtype = DTYPE_INT32 };
    const uint32_t behind = x->rank;
    int64_t count = 8 / t->packed, size = (int64_t)1 << t->packed;
    dim dims[MAX_RANK];
    value parts[4];
    TRY(cast(l, x, DTYPE_INT32, &x));
    for (int64_t i = 0; i < count; i++) {
        value shifted = i ? calc_div(&c, x, calc_number(&c, (double)(1 << (i * t->packed)))) : x;
        value y = calc_imod(&c, shifted, calc_number(&c, (double)size), true);
        if (t->is_signed)
            y = calc_where(&c, calc_less(&c, y, calc_number(&c, (double)size / 2)), y,
                           calc_sub(&c, y, calc_number(&c, (double)size)));
        TRY(c.status);
        TRY(unsqueeze(l, y, &behind, 1, &parts[i]));
    }
    TRY(concat(l, parts, (uint32_t)count, behind, out));
    for (uint32_t i = 0; i < x->rank; i++)
        dims[i] = i + 1 < x->rank ? x->dims[i] : x->dims[i] * count;
    return reshape(l, *out, dims, x->rank, out);
}

/* Which scale belongs to each index. */
static o2w_status scale_index(struct lower *l, const struct table *t, value indices, value *out)
{
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    *out = indices;
    if (t->scales->dims[t->from] == 1)
        *out = calc_mul(&c, indices, calc_number(&c, 0));
    else if (t->along == t->from)
        *out = calc_div(&c, indices, calc_number(&c, (double)t->block));
    return c.status;
}

/* Rows of scales or zero points, float32, one for each element of the rows of data. */
static o2w_status pick_scales(struct lower *l, const struct table *t, value v, value index,
                              uint32_t axis, dim size, value *out)
{
    TRY(pick(l, v, index, t->from, out));
    if (t->along != t->from)
        TRY(spread(l, t, *out, axis, size, out));
    return cast(l, *out, DTYPE_FLOAT32, out);
}

/* (elements - zero points) · scales; the axis that is quantised moves with the rank of the indices. */
static o2w_status gathered(struct lower *l, const struct table *t, value indices, value *out)
{
    uint32_t axis = t->along > t->from ? t->along + indices->rank - 1 : t->along;
    value q, other, index;
    TRY(pick(l, t->data, indices, t->from, &q));
    if (t->packed)
        TRY(split_bytes(l, t, q, &q));
    TRY(cast(l, q, DTYPE_FLOAT32, &q));
    TRY(scale_index(l, t, indices, &index));
    if (t->zeros) {
        TRY(pick_scales(l, t, t->zeros, index, axis, q->dims[axis], &other));
        TRY(op2(l, WEBNN_SUB, q, other, &q));
    }
    TRY(pick_scales(l, t, t->scales, index, axis, q->dims[axis], &other));
    return op2(l, WEBNN_MUL, q, other, out);
}

static o2w_status mask_outside(struct lower *l, const struct table *t, value inside, value y,
                               value *out)
{
    dim dims[MAX_RANK];
    uint32_t added = inside->rank;
    struct calc c = calc_begin(l, y);
    for (uint32_t i = 0; i < y->rank; i++)
        dims[i] = i >= t->from && i < t->from + added ? inside->dims[i - t->from] : 1;
    TRY(reshape(l, inside, dims, y->rank, &inside));
    *out = calc_where(&c, inside, y, calc_number(&c, 0));
    return c.status;
}

static o2w_status lower_gather_blocks(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    const struct gather_blocks *p = params;
    struct table t = { 0 };
    value indices, inside, y;
    int64_t size;
    TRY(read_table(l, n, p, &t));
    TRY(static_dim(l, n, t.data, t.from, &size));
    if (t.data->rank + input(n, 1)->rank > MAX_RANK)
        return refuse_input(l, n, 1, "makes a result of too high a rank");
    TRY(read_indices(l, n, size, &indices, &inside));
    TRY(gathered(l, &t, indices, &y));
    TRY(mask_outside(l, &t, inside, y, &y));
    return emit_narrowed(l, n, y);
}

/* --- products with weights of 8-bit and 4-bit floats ------------------------------------------------------------- */

struct float_blocks {
    int64_t block_size;
};

static const struct attr_row fp8_attrs[] = { ATTR_INT(struct float_blocks, block_size,
                                                      .fallback_int = 128) };
static const struct attr_row fp4_attrs[] = { ATTR_INT(struct float_blocks, block_size,
                                                      .fallback_int = 16) };

/* One number per block of K, [N, blocks], for each element: [N, K]. */
static o2w_status per_element(struct lower *l, value scale, int64_t block, int64_t k, value *out)
{
    const uint32_t behind = 2;
    const dim rows = scale->dims[0], blocks = scale->dims[1];
    TRY(unsqueeze(l, scale, &behind, 1, &scale));
    TRY(expand(l, scale, (const dim[]){ rows, blocks, block }, 3, &scale));
    TRY(reshape(l, scale, (const dim[]){ rows, blocks * block }, 2, &scale));
    return slice(l, scale, 1, 0, k, 1, out);
}

/* A · (weights · scales)ᵀ + bias, in float32. */
static o2w_status float_product(struct lower *l, const struct node_view *n, value weights,
                                value scales, int64_t block, value bias)
{
    static const uint32_t swap[] = { 1, 0 };
    value a, y;
    int64_t k = weights->dims[1];
    if (block < 1 || block > 1 << 24)
        return refuse_attribute(l, n, "block_size", "is %lld, must be from 1 to 16777216",
                                (long long)block);
    if (scales->rank != 2 || scales->dims[0] != weights->dims[0] ||
        scales->dims[1] != (k + block - 1) / block)
        return refuse_input(l, n, 2, "must be [%lld, %lld]", (long long)weights->dims[0],
                            (long long)((k + block - 1) / block));
    TRY(per_element(l, scales, block, k, &scales));
    TRY(op2(l, WEBNN_MUL, weights, scales, &weights));
    TRY(transpose(l, weights, swap, &weights));
    TRY(cast(l, input(n, 0), DTYPE_FLOAT32, &a));
    TRY(op2(l, WEBNN_MATMUL, a, weights, &y));
    if (bias) {
        TRY(cast(l, bias, DTYPE_FLOAT32, &bias));
        TRY(op2(l, WEBNN_ADD, y, bias, &y));
    }
    return emit_narrowed(l, n, y);
}

static o2w_status lower_fp8(struct lower *l, const struct node_view *n, const void *params)
{
    const struct float_blocks *p = params;
    value w;
    if (input(n, 3))
        return refuse_input(l, n, 3, "is given: activations are not quantised to 8-bit floats");
    if (input(n, 1)->rank != 2)
        return refuse_input(l, n, 1, "has rank %u, must be 2", input(n, 1)->rank);
    TRY(cast(l, input(n, 1), DTYPE_FLOAT32, &w));
    return float_product(l, n, w, input(n, 2), p->block_size, input(n, 4));
}

static o2w_status lower_fp4(struct lower *l, const struct node_view *n, const void *params)
{
    const struct float_blocks *p = params;
    value b = input(n, 1), scales = input(n, 2), global = input(n, 3);
    uint64_t count;
    if (b->rank != 2 || scales->rank != 2)
        return refuse_input(l, n, b->rank != 2 ? 1 : 2, "must have rank 2");
    if (!value_count(global, &count) || count != 1)
        return refuse_input(l, n, 3, "has more than one element, one number is needed");
    TRY(known_view(l, b, DTYPE_FLOAT4E2M1, (const dim[]){ b->dims[0], b->dims[1] * 2 }, 2, &b));
    TRY(cast(l, b, DTYPE_FLOAT32, &b));
    TRY(known_view(l, scales, DTYPE_FLOAT8E4M3FN, scales->dims, 2, &scales));
    TRY(cast(l, scales, DTYPE_FLOAT32, &scales));
    TRY(reshape(l, global, NULL, 0, &global));
    TRY(op2(l, WEBNN_MUL, scales, global, &scales));
    return float_product(l, n, b, scales, p->block_size, input(n, 5));
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

#define SET_F  (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_2  (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_U8 DTYPE_BIT(DTYPE_UINT8)
#define SET_SMALL_FLOATS                                               \
    (DTYPE_BIT(DTYPE_FLOAT8E4M3FN) | DTYPE_BIT(DTYPE_FLOAT8E4M3FNUZ) | \
     DTYPE_BIT(DTYPE_FLOAT8E5M2) | DTYPE_BIT(DTYPE_FLOAT8E5M2FNUZ) | DTYPE_BIT(DTYPE_FLOAT4E2M1))
#define SET_16     (DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_BLOCKS (SET_U8 | DTYPES_4BIT | SET_SMALL_FLOATS)
#define PROJECTION(x) \
    IN(x "_B", NONE, SET_U8, KNOWN), IN(x "_scales", T, SET_F), IN_OPT(x "_bias", T, SET_F)

const struct onnx_row microsoft_packed_rows[] = {
    { MICROSOFT("MatMulNBitsMlp"),
      INPUTS(IN("A", T, SET_F), IN_OPT("skip", T, SET_F), IN_OPT("norm_scale", T, SET_F),
             PROJECTION("gate"), PROJECTION("up")),
      RESULTS(OUT("Y", T), OUT_OPT("input_skip_bias_sum", T)),
      PARAMS(struct fused_nbits, mlp_attrs), .lower = lower_mlp, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, matmul, sigmoid, mul" },
    { MICROSOFT("MatMulNBitsQkv"),
      INPUTS(IN("A", T, SET_F), IN_OPT("skip", T, SET_F), IN("norm_scale", T, SET_F),
             PROJECTION("q"), PROJECTION("k"), PROJECTION("v")),
      RESULTS(OUT("Q", T), OUT("K", T), OUT("V", T), OUT_OPT("input_skip_bias_sum", T)),
      PARAMS(struct fused_nbits, qkv_attrs), .lower = lower_qkv, .class = CLASS_COMPOSED,
      .webnn = "dequantizeLinear, matmul, mul" },
    { MICROSOFT("MatMulNBitsQLoRA"),
      INPUTS(IN("X", T, SET_2), IN("W", NONE, SET_U8, KNOWN), IN("scales", T, SET_2),
             IN("lora_A", NONE, SET_U8, KNOWN), IN("lora_A_scales", T, SET_2),
             IN("lora_B", NONE, SET_U8, KNOWN), IN("lora_B_scales", T, SET_2)),
      RESULTS(OUT("Y", T)), PARAMS(struct fused_nbits, qlora_attrs), .lower = lower_qlora,
      .class = CLASS_COMPOSED, .webnn = "dequantizeLinear, matmul, add" },
    { MICROSOFT("MatMulBnb4"),
      INPUTS(IN("A", T, SET_F), IN("B", NONE, SET_U8, KNOWN), IN("absmax", T, SET_F, KNOWN)),
      RESULTS(OUT("Y", T)), PARAMS(struct bnb4, bnb4_attrs), .lower = lower_bnb4,
      .class = CLASS_COMPOSED, .webnn = "gather, mul, matmul",
      .notes = "training_mode has no effect on what is computed forward" },
    { MICROSOFT("GatherBlockQuantized"),
      INPUTS(IN("data", T1, SET_BLOCKS, KNOWN), IN("indices", NONE, SET_INDEX),
             IN("scales", T, SET_F), IN_OPT("zero_points", T1, SET_BLOCKS, KNOWN)),
      RESULTS(OUT("output", T)), PARAMS(struct gather_blocks, gather_blocks_attrs),
      .lower = lower_gather_blocks, .class = CLASS_COMPOSED,
      .webnn = "gather, cast, sub, mul, where", .notes = "indices outside give zeros" },
    { MICROSOFT("MatMulBlockQuantizedFp8Weight"),
      INPUTS(IN("A", T, SET_16), IN("B", NONE, DTYPE_BIT(DTYPE_FLOAT8E4M3FN), KNOWN),
             IN("b_scale", NONE, DTYPE_BIT(DTYPE_FLOAT32)),
             IN_OPT("a_scale", NONE, DTYPE_BIT(DTYPE_FLOAT32)), IN_OPT("bias", T, SET_16)),
      RESULTS(OUT("Y", T)), PARAMS(struct float_blocks, fp8_attrs), .lower = lower_fp8,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "mul, transpose, matmul",
      .notes = "weights are decoded to float32; a_scale refused" },
    { MICROSOFT("MatMulBlockQuantizedFp4Weight"),
      INPUTS(IN("A", T, SET_16), IN("B", NONE, SET_U8, KNOWN),
             IN("weight_scale", NONE, SET_U8, KNOWN),
             IN("weight_scale_2", NONE, DTYPE_BIT(DTYPE_FLOAT32)),
             IN_OPT("input_scale", NONE, DTYPE_BIT(DTYPE_FLOAT32)), IN_OPT("bias", T, SET_16)),
      RESULTS(OUT("Y", T)), PARAMS(struct float_blocks, fp4_attrs), .lower = lower_fp4,
      .class = CLASS_COMPOSED, .webnn = "mul, transpose, matmul",
      .notes = "weights are decoded to float32; input_scale has no effect" },
};
ROW_COUNT(microsoft_packed);
