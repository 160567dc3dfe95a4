/* Bits of integers: WebNN has no operators for them. */
#include "lower/ops/elementwise.h"

static unsigned bit_count(enum dtype t)
{
    return dtype_info(t)->bits;
}

/* --- BitShift ----------------------------------------------------------------------------------- */

/* 2^k for k below the width, 1 at the width: a shift that far gives 0 by another way. */
static o2w_status power_table(struct lower *l, enum dtype dtype, unsigned width, value *out)
{
    struct tensor t;
    TRY(known_new(l, dtype, (const dim[]){ width + 1 }, 1, &t, out));
    for (unsigned i = 0; i <= width; i++)
        tensor_put_u64(&t, i, i < width ? (uint64_t)1 << i : 1);
    return O2W_OK;
}

/* x · 2^y or x / 2^y of unsigned numbers, 0 where y is at least the width. */
o2w_status lower_bit_shift(struct lower *l, const struct node_view *n, const void *params)
{
    const struct shift_params *p = params;
    value x = input(n, 0), y = input(n, 1), table, factor, at;
    enum dtype carried = DTYPE_UINT8;
    unsigned width = bit_count(x->dtype);
    bool left = span_is(p->direction, "LEFT");
    dtype_carried(x->dtype, &carried);
    TRY(power_table(l, carried, width, &table));
    struct calc c = calc_begin(l, x);
    value limit = calc_number(&c, width);
    at = calc_cast(&c, calc_min(&c, y, limit), DTYPE_INT64);
    TRY(c.status);
    TRY(op(l, WEBNN_GATHER, OPERANDS(table, at), NULL, &factor));
    value moved = left ? calc_mul(&c, x, factor) : calc_div(&c, x, factor);
    value inside = calc_less(&c, y, limit);
    value out = calc_where(&c, inside, moved, calc_number(&c, 0));
    TRY(c.status);
    return emit_wrapped(l, n, out);
}

/* --- Bitwise ------------------------------------------------------------------------------------ */

enum bit_operation { BIT_AND, BIT_OR, BIT_XOR };

static uint64_t apply(enum bit_operation o, uint64_t a, uint64_t b)
{
    return o == BIT_AND ? a & b : o == BIT_OR ? a | b : a ^ b;
}

static enum bit_operation operation_of(const struct node_view *n)
{
    struct span name = span_of(n->row->name);
    return span_is(name, "BitwiseAnd") ? BIT_AND : span_is(name, "BitwiseOr") ? BIT_OR : BIT_XOR;
}

/* a & b for all pairs of bytes, at a · 256 + b. */
static o2w_status and_table(struct lower *l, value *out)
{
    struct tensor t;
    TRY(known_new(l, DTYPE_INT32, (const dim[]){ 65536 }, 1, &t, out));
    for (uint32_t i = 0; i < 65536; i++)
        ((int32_t *)t.data)[i] = (int32_t)((i >> 8) & i & 0xff);
    return O2W_OK;
}

/* Byte `i` of `bytes` of unsigned elements, as int32. */
static value byte_of(struct calc *c, value x, unsigned i, unsigned bytes)
{
    value base = calc_number(c, 256);
    for (unsigned k = 0; k < i; k++)
        x = calc_div(c, x, base);
    return calc_cast(c, i + 1 < bytes ? calc_imod(c, x, base, true) : x, DTYPE_INT32);
}

/* Σ table[a_i · 256 + b_i] · 256^i over the bytes of two unsigned values. */
static o2w_status and_of(struct lower *l, value a, value b, unsigned bytes, value *out)
{
    value table, sum = NULL;
    struct calc c = calc_begin(l, a), narrow = { .l = l, .dtype = DTYPE_INT32 };
    TRY(and_table(l, &table));
    for (unsigned i = bytes; i-- > 0;) {
        value high = byte_of(&c, a, i, bytes), low = byte_of(&c, b, i, bytes), part;
        TRY(c.status);
        value at = calc_add(&narrow, calc_mul(&narrow, high, calc_number(&narrow, 256)), low);
        TRY(narrow.status);
        TRY(op(l, WEBNN_GATHER, OPERANDS(table, at), NULL, &part));
        part = calc_cast(&c, part, c.dtype);
        sum = sum ? calc_add(&c, calc_mul(&c, sum, calc_number(&c, 256)), part) : part;
    }
    *out = sum;
    return c.status;
}

/* The unsigned type that holds the same bits; 16-bit ones live in uint32. */
static enum dtype unsigned_of(enum dtype t)
{
    unsigned bits = bit_count(t);
    return bits == 8 ? DTYPE_UINT8 : bits == 64 ? DTYPE_UINT64 : DTYPE_UINT32;
}

static value unsigned_view(struct calc *c, value x)
{
    if (x->dtype == DTYPE_UINT8 || x->dtype == DTYPE_UINT32 || x->dtype == DTYPE_UINT64)
        return x;
    value wide = bit_count(x->dtype) == 16 ? calc_cast(c, x, DTYPE_INT32) : x;
    return calc_cast(c, wide, unsigned_of(x->dtype));
}

/* 8-bit products of 256 need room. */
static enum dtype work_dtype(enum dtype t)
{
    return bit_count(t) == 8 ? DTYPE_INT32 : unsigned_of(t);
}

static o2w_status bits_of_known(struct lower *l, const struct node_view *n)
{
    enum bit_operation o = operation_of(n);
    enum dtype dtype = n->variables[TYPE_T];
    struct tensor a, b, y;
    int64_t dims[MAX_RANK];
    uint32_t rank;
    value out;
    TRY(known_tensor(l, input(n, 0), &a));
    TRY(known_tensor(l, input(n, 1), &b));
    if (!broadcast_static(a.dims, a.rank, b.dims, b.rank, dims, &rank))
        return refuse(l, n, DIAG_LOWER_SHAPE, "shapes of the inputs do not fit");
    TRY(known_new(l, dtype, dims, rank, &y, &out));
    uint64_t count = tensor_count(&y);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at_a = broadcast_index(i, dims, rank, input(n, 0)),
                 at_b = broadcast_index(i, dims, rank, input(n, 1));
        if (dtype_is_signed(dtype))
            tensor_put_i64(&y, i,
                           (int64_t)apply(o, (uint64_t)tensor_get_i64(&a, at_a),
                                          (uint64_t)tensor_get_i64(&b, at_b)));
        else
            tensor_put_u64(&y, i, apply(o, tensor_get_u64(&a, at_a), tensor_get_u64(&b, at_b)));
    }
    return emit_value(l, n, out);
}

/* H13: and by bytes; or = a + b - and, xor = a + b - 2 and. */
o2w_status lower_bitwise(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    enum bit_operation o = operation_of(n);
    enum dtype dtype = n->variables[TYPE_T];
    value a = input(n, 0), b = input(n, 1), both = NULL;
    if (value_is_known(a) && value_is_known(b))
        return bits_of_known(l, n);
    struct calc c = { .l = l, .dtype = work_dtype(dtype) };
    a = calc_cast(&c, unsigned_view(&c, a), c.dtype);
    b = calc_cast(&c, unsigned_view(&c, b), c.dtype);
    TRY(c.status);
    unsigned bytes = dtype == DTYPE_INT16 ? 4 : bit_count(dtype) / 8;
    TRY(and_of(l, a, b, bytes, &both));
    value y = both;
    if (o != BIT_AND) {
        value twice = o == BIT_XOR ? calc_add(&c, both, both) : both;
        y = calc_sub(&c, calc_add(&c, a, b), twice);
    }
    y = calc_cast(&c, y, dtype);
    TRY(c.status);
    return emit_value(l, n, y);
}

/* -1 - x of signed, the largest value less x of unsigned numbers. */
o2w_status lower_bitwise_not(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value x = input(n, 0), all;
    enum dtype dtype = x->dtype, carried = dtype;
    dtype_carried(dtype, &carried);
    if (dtype == DTYPE_UINT64)
        TRY(filled(l, carried, (struct webnn_number){ .kind = WEBNN_NUMBER_UINT, .u = UINT64_MAX },
                   NULL, 0, &all));
    else
        TRY(scalar_i64(l, carried, dtype_is_signed(dtype) ? -1 : (int64_t)dtype_max(dtype), &all));
    return emit(l, n, WEBNN_SUB, OPERANDS(all, x), NULL);
}
