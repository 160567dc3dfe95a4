/* Data types that a target does not take: other operators of the same meaning, or the same operator in a type that
 * carries the values, with casts around it. */
#include "webnn/legalise_private.h"

#include <string.h>

#define WIDE32 (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))

/* ---- other operators of the same meaning ---- */

static bool is_integer_call(const struct legal_call *c)
{
    return c->operand_count > 0 && dtype_is_integer(c->operand[0].dtype);
}

static bool wants_clamp(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_CLAMP && is_integer_call(c);
}

/* clamp = min(max(x, low), high); bounds are converted with saturation. */
static o2w_status apply_clamp(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct webnn_clamp_attributes *p = c->attributes;
    enum dtype t = c->operand[0].dtype;
    operand_id x = c->operands[0], bound;
    if (p->min_value.kind != WEBNN_NUMBER_NONE) {
        TRY(legal_scalar(l, t, p->min_value, &bound));
        TRY(legal_2(l, WEBNN_MAX, x, bound, &x));
    }
    if (p->max_value.kind != WEBNN_NUMBER_NONE) {
        TRY(legal_scalar(l, t, p->max_value, &bound));
        TRY(legal_2(l, WEBNN_MIN, x, bound, &x));
    }
    *results = x;
    return O2W_OK;
}

static bool wants_abs(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_ABS && is_integer_call(c);
}

/* The least number stays: its negative is itself. */
static o2w_status apply_abs(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id negative;
    TRY(legal_1(l, WEBNN_NEG, c->operands[0], NULL, &negative));
    return legal_2(l, WEBNN_MAX, c->operands[0], negative, results);
}

static bool wants_sign(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_SIGN && is_integer_call(c);
}

static o2w_status apply_sign(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    enum dtype t = c->operand[0].dtype;
    operand_id one, minus;
    TRY(legal_scalar(l, t, number_of_int(1), &one));
    TRY(legal_scalar(l, t, number_of_int(-1), &minus));
    TRY(legal_2(l, WEBNN_MIN, c->operands[0], one, results));
    return legal_2(l, WEBNN_MAX, *results, minus, results);
}

static bool wants_relu(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_RELU && is_integer_call(c);
}

static o2w_status apply_relu(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id zero;
    TRY(legal_scalar(l, c->operand[0].dtype, number_of_int(0), &zero));
    return legal_2(l, WEBNN_MAX, c->operands[0], zero, results);
}

/* An index of a known axis fits int32. */
static bool wants_index(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_arg_min_max_attributes *p = c->attributes;
    bool kind = c->kind == WEBNN_ARG_MIN || c->kind == WEBNN_ARG_MAX;
    return kind && c->result[0].dtype == DTYPE_INT64 &&
           dim_is_static(c->operand[0].dims[p->axis]) &&
           !dtype_in(DTYPE_INT64, l->limits->operators[c->kind][1].dtypes);
}

static o2w_status apply_index(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct webnn_arg_min_max_attributes p =
        *(const struct webnn_arg_min_max_attributes *)c->attributes;
    p.output_data_type = WEBNN_INT32;
    TRY(legal_1(l, c->kind, c->operands[0], &p, results));
    return legal_cast(l, *results, DTYPE_INT64, results);
}

static bool wants_first(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_arg_min_max_attributes *p = c->attributes;
    (void)l;
    return (c->kind == WEBNN_ARG_MIN || c->kind == WEBNN_ARG_MAX) && is_integer_call(c) &&
           dim_is_static(c->operand[0].dims[p->axis]);
}

/* The indices along an axis, where `taken`; where not, the axis' size. */
static o2w_status indices_where(struct legalise *l, operand_id taken, uint32_t axis,
                                operand_id *out)
{
    struct descriptor d = legal_descriptor(l, taken);
    dim dims[MAX_RANK], size = d.dims[axis];
    int64_t *values = ARENA_ARRAY(&l->arena, (size_t)size, int64_t);
    operand_id operands[3] = { taken, NO_ID, NO_ID };
    if (!values)
        return diag_memory(l->diags);
    for (dim i = 0; i < size; i++)
        values[i] = i;
    for (uint32_t i = 0; i < d.rank; i++)
        dims[i] = i == axis ? size : 1;
    TRY(legal_integers(l, DTYPE_INT32, values, dims, d.rank, &operands[1]));
    TRY(legal_scalar(l, DTYPE_INT32, number_of_int(size), &operands[2]));
    return legal_op(l, WEBNN_WHERE, operands, 3, NULL, out);
}

/* The least index of an element that equals the greatest or least one. */
static o2w_status apply_first(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct webnn_arg_min_max_attributes *p = c->attributes;
    struct webnn_reduce_attributes along = { .axes = { .given = true, .count = 1 },
                                             .keep_dimensions = true };
    operand_id most;
    along.axes.items[0] = p->axis;
    TRY(legal_1(l, c->kind == WEBNN_ARG_MAX ? WEBNN_REDUCE_MAX : WEBNN_REDUCE_MIN, c->operands[0],
                &along, &most));
    TRY(legal_2(l, WEBNN_EQUAL, c->operands[0], most, &most));
    TRY(indices_where(l, most, p->axis, &most));
    along.keep_dimensions = p->keep_dimensions;
    TRY(legal_1(l, WEBNN_REDUCE_MIN, most, &along, &most));
    return legal_cast(l, most, c->result[0].dtype, results);
}

static bool wants_square(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_REDUCE_SUM_SQUARE && is_integer_call(c);
}

static o2w_status apply_square(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id square;
    TRY(legal_2(l, WEBNN_MUL, c->operands[0], c->operands[0], &square));
    return legal_1(l, WEBNN_REDUCE_SUM, square, c->attributes, results);
}

static bool wants_l1(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_REDUCE_L1 && is_integer_call(c);
}

static o2w_status apply_l1(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id x = c->operands[0];
    if (dtype_is_signed(c->operand[0].dtype))
        TRY(legal_1(l, WEBNN_ABS, x, NULL, &x));
    return legal_1(l, WEBNN_REDUCE_SUM, x, c->attributes, results);
}

static bool wants_reverse(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_reverse_attributes *p = c->attributes;
    (void)l;
    if (c->kind != WEBNN_REVERSE)
        return false;
    for (uint32_t i = 0; i < p->axes.count; i++)
        if (!dim_is_static(c->operand[0].dims[p->axes.items[i]]))
            return false;
    return true;
}

static o2w_status gather_reversed(struct legalise *l, operand_id x, uint32_t axis, dim size,
                                  operand_id *out)
{
    struct webnn_gather_attributes p = { .axis = axis };
    int64_t *indices = ARENA_ARRAY(&l->arena, (size_t)size, int64_t);
    operand_id operands[2] = { x, NO_ID };
    if (!indices)
        return diag_memory(l->diags);
    for (dim i = 0; i < size; i++)
        indices[i] = size - 1 - i;
    TRY(legal_integers(l, DTYPE_INT32, indices, &size, 1, &operands[1]));
    return legal_op(l, WEBNN_GATHER, operands, 2, &p, out);
}

static o2w_status apply_reverse(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct webnn_reverse_attributes *p = c->attributes;
    operand_id x = c->operands[0];
    for (uint32_t i = 0; i < p->axes.count; i++)
        TRY(gather_reversed(l, x, p->axes.items[i], c->operand[0].dims[p->axes.items[i]], &x));
    *results = x;
    return O2W_OK;
}

/* The power when it is the constant 2 or 3 of the base's own type; 0 else. */
static int64_t small_power(struct legalise *l, const struct legal_call *c)
{
    struct tensor t;
    bool known;
    if (c->kind != WEBNN_POW || !is_integer_call(c) || c->operand[1].rank != 0 ||
        legal_value(l, c->operands[1], &known, &t) != O2W_OK || !known)
        return 0;
    double power = tensor_get_double(&t, 0);
    return power == 2 || power == 3 ? (int64_t)power : 0;
}

static bool wants_power(struct legalise *l, const struct legal_call *c)
{
    return small_power(l, c) != 0;
}

static o2w_status apply_power(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id x = c->operands[0];
    TRY(legal_2(l, WEBNN_MUL, x, x, results));
    return small_power(l, c) == 3 ? legal_2(l, WEBNN_MUL, *results, x, results) : O2W_OK;
}

/* ---- indices ---- */

/* The slot of an operator's indices; NO_ID: it has none. */
static uint32_t index_slot(enum webnn_operator kind)
{
    bool has = kind == WEBNN_GATHER || kind == WEBNN_GATHER_ELEMENTS || kind == WEBNN_GATHER_ND ||
               kind == WEBNN_SCATTER_ELEMENTS || kind == WEBNN_SCATTER_ND;
    return has ? 1 : NO_ID;
}

static bool slot_takes(const struct legalise *l, const struct legal_call *c, uint32_t slot,
                       enum dtype t)
{
    return dtype_in(t, l->limits->operators[c->kind][slot].dtypes);
}

static bool wants_indices(struct legalise *l, const struct legal_call *c)
{
    uint32_t slot = index_slot(c->kind);
    return slot != NO_ID && !slot_takes(l, c, slot, c->operand[slot].dtype) &&
           slot_takes(l, c, slot, DTYPE_INT32) &&
           dims_static(c->operand[0].dims, c->operand[0].rank);
}

/* The sizes that indices go up to: one, or one per coordinate. */
static o2w_status index_sizes(struct legalise *l, const struct legal_call *c, bool high,
                              operand_id *out)
{
    const struct descriptor *x = &c->operand[0], *indices = &c->operand[index_slot(c->kind)];
    bool coordinates = c->kind == WEBNN_GATHER_ND || c->kind == WEBNN_SCATTER_ND;
    int64_t sizes[MAX_RANK];
    dim count = coordinates ? indices->dims[indices->rank - 1] : 1;
    uint32_t axis = 0;
    if (c->kind == WEBNN_GATHER)
        axis = ((const struct webnn_gather_attributes *)c->attributes)->axis;
    else if (c->kind == WEBNN_GATHER_ELEMENTS)
        axis = ((const struct webnn_gather_elements_attributes *)c->attributes)->axis;
    else if (c->kind == WEBNN_SCATTER_ELEMENTS)
        axis = ((const struct webnn_scatter_elements_attributes *)c->attributes)->axis;
    for (dim i = 0; i < count; i++) {
        dim size = x->dims[axis + (uint32_t)i];
        sizes[i] = high ? size - 1 : -size;
    }
    return legal_integers(l, DTYPE_INT64, sizes, &count, coordinates ? 1 : 0, out);
}

/* Indices are clamped to -size … size - 1 anyway: there they fit int32. */
static o2w_status narrow_runtime(struct legalise *l, const struct legal_call *c, operand_id *x)
{
    operand_id bound;
    TRY(legal_cast(l, *x, DTYPE_INT64, x));
    TRY(index_sizes(l, c, false, &bound));
    TRY(legal_2(l, WEBNN_MAX, *x, bound, x));
    TRY(index_sizes(l, c, true, &bound));
    TRY(legal_2(l, WEBNN_MIN, *x, bound, x));
    return legal_cast(l, *x, DTYPE_INT32, x);
}

static o2w_status narrow_constant(struct legalise *l, const struct tensor *t, operand_id *out)
{
    struct tensor narrow;
    if (tensor_new(&l->arena, DTYPE_INT32, t->dims, t->rank, &narrow) != O2W_OK)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < tensor_count(t); i++) {
        int64_t v = t->dtype == DTYPE_UINT32 ? (int64_t)tensor_get_u64(t, i) : tensor_get_i64(t, i);
        tensor_put_i64(&narrow, i, v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
    }
    return legal_tensor(l, &narrow, out);
}

static o2w_status apply_indices(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    uint32_t slot = index_slot(c->kind);
    operand_id operands[3] = { NO_ID, NO_ID, NO_ID };
    struct tensor t;
    bool known;
    memcpy(operands, c->operands, c->operand_count * sizeof *operands);
    TRY(legal_value(l, operands[slot], &known, &t));
    TRY(known ? narrow_constant(l, &t, &operands[slot]) : narrow_runtime(l, c, &operands[slot]));
    return legal_op(l, c->kind, operands, c->operand_count, c->attributes, results);
}

/* ---- carried by a wider type ---- */

/* Operators whose result, cut to the narrow type, is what the narrow type gives. */
static bool is_carried(enum webnn_operator kind)
{
    static const enum webnn_operator kinds[] = {
        WEBNN_ADD,
        WEBNN_SUB,
        WEBNN_MUL,
        WEBNN_DIV,
        WEBNN_POW,
        WEBNN_MAX,
        WEBNN_MIN,
        WEBNN_NEG,
        WEBNN_ABS,
        WEBNN_SIGN,
        WEBNN_RELU,
        WEBNN_EQUAL,
        WEBNN_NOT_EQUAL,
        WEBNN_GREATER,
        WEBNN_GREATER_OR_EQUAL,
        WEBNN_LESSER,
        WEBNN_LESSER_OR_EQUAL,
        WEBNN_WHERE,
        WEBNN_CONCAT,
        WEBNN_EXPAND,
        WEBNN_GATHER,
        WEBNN_GATHER_ELEMENTS,
        WEBNN_GATHER_ND,
        WEBNN_IDENTITY,
        WEBNN_PAD,
        WEBNN_RESHAPE,
        WEBNN_REVERSE,
        WEBNN_SCATTER_ELEMENTS,
        WEBNN_SCATTER_ND,
        WEBNN_SLICE,
        WEBNN_SPLIT,
        WEBNN_TILE,
        WEBNN_TRANSPOSE,
        WEBNN_TRIANGULAR,
        WEBNN_CUMULATIVE_SUM,
        WEBNN_REDUCE_SUM,
        WEBNN_REDUCE_PRODUCT,
        WEBNN_REDUCE_MAX,
        WEBNN_REDUCE_MIN,
        WEBNN_ARG_MIN,
        WEBNN_ARG_MAX,
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

/* Results that stay in int32 when the operands do. */
static bool is_closed(enum webnn_operator kind)
{
    switch ((int)kind) {
    case WEBNN_ADD:
    case WEBNN_SUB:
    case WEBNN_MUL:
    case WEBNN_POW:
    case WEBNN_NEG:
    case WEBNN_ABS:
    case WEBNN_CUMULATIVE_SUM:
    case WEBNN_REDUCE_SUM:
    case WEBNN_REDUCE_PRODUCT: return false;
    default: return true;
    }
}

static bool fits_int32(struct legalise *l, operand_id id)
{
    struct interval i = legal_interval(l, id);
    return i.low >= INT32_MIN && i.high <= INT32_MAX;
}

/* Whether every operand of the type is known to fit. */
static bool all_fit(struct legalise *l, const struct legal_call *c)
{
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID && c->operand[i].dtype == DTYPE_INT64 &&
            !fits_int32(l, c->operands[i]))
            return false;
    if (c->kind == WEBNN_DIV) { /* the one quotient that is greater than its dividend */
        struct interval a = legal_interval(l, c->operands[0]),
                        b = legal_interval(l, c->operands[1]);
        return a.low > INT32_MIN || b.low > -1 || b.high < -1;
    }
    return is_closed(c->kind);
}

/* Whether operand i is of the group whose type the operator works in; indices and conditions are not. */
static bool in_group(const struct legal_call *c, uint32_t i)
{
    uint32_t slot = i < c->row->operand_count ? i : c->row->operand_count - 1;
    return slot != index_slot(c->kind) && !(c->kind == WEBNN_WHERE && slot == 0);
}

static bool group_takes(const struct legalise *l, const struct legal_call *c, enum dtype t)
{
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID && in_group(c, i) &&
            !slot_takes(l, c, i < c->row->operand_count ? i : c->row->operand_count - 1, t))
            return false;
    return true;
}

static enum dtype group_dtype(const struct legal_call *c)
{
    return c->operand[c->kind == WEBNN_WHERE ? 1 : 0].dtype;
}

/* The type that carries the call; DTYPE_COUNT: none. */
static enum dtype carrier(struct legalise *l, const struct legal_call *c)
{
    static const struct {
        enum dtype from, by;
    } rows[] = { { DTYPE_INT8, DTYPE_INT32 },   { DTYPE_UINT8, DTYPE_INT32 },
                 { DTYPE_INT8, DTYPE_INT64 },   { DTYPE_UINT8, DTYPE_INT64 },
                 { DTYPE_UINT32, DTYPE_INT64 }, { DTYPE_INT64, DTYPE_INT32 },
                 { DTYPE_INT32, DTYPE_INT64 } };
    enum dtype t = group_dtype(c);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && is_carried(c->kind); i++) {
        bool narrowing = rows[i].from == DTYPE_INT64;
        if (rows[i].from == t && group_takes(l, c, rows[i].by) && (!narrowing || all_fit(l, c)))
            return rows[i].by;
    }
    bool rounds_once = t == DTYPE_FLOAT16 && c->kind != WEBNN_CAST &&
                       c->kind != WEBNN_QUANTIZE_LINEAR && c->kind != WEBNN_DEQUANTIZE_LINEAR;
    return rounds_once && group_takes(l, c, DTYPE_FLOAT32) ? DTYPE_FLOAT32 : DTYPE_COUNT;
}

static bool wants_carrier(struct legalise *l, const struct legal_call *c)
{
    return !l->limits->refused[c->kind] && carrier(l, c) != DTYPE_COUNT;
}

static o2w_status apply_carrier(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    enum dtype t = group_dtype(c), by = carrier(l, c);
    operand_id *operands = ARENA_ARRAY(&l->arena, c->operand_count, operand_id);
    if (!operands)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < c->operand_count; i++) {
        operands[i] = c->operands[i];
        if (operands[i] != NO_ID && in_group(c, i))
            TRY(legal_cast(l, operands[i], by, &operands[i]));
    }
    TRY(legal_op(l, c->kind, operands, c->operand_count, c->attributes, results));
    for (uint32_t i = 0; i < c->result_count; i++)
        if (c->result[i].dtype == t && c->kind != WEBNN_ARG_MIN && c->kind != WEBNN_ARG_MAX)
            TRY(legal_cast(l, results[i], t, &results[i]));
    return O2W_OK;
}

/* A reshape moves nothing, an identity does nothing. */
static bool wants_nothing(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_IDENTITY;
}

static o2w_status apply_nothing(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct descriptor d = c->operand[0];
    struct webnn_reshape_attributes p = { .new_shape = { .given = true, .count = d.rank } };
    memcpy(p.new_shape.items, d.dims, sizeof d.dims);
    return legal_1(l, WEBNN_RESHAPE, c->operands[0], &p, results);
}

const struct rewrite legal_dtypes[] = {
    { wants_clamp, apply_clamp },     { wants_abs, apply_abs },
    { wants_sign, apply_sign },       { wants_square, apply_square },
    { wants_l1, apply_l1 },           { wants_power, apply_power },
    { wants_relu, apply_relu },       { wants_index, apply_index },
    { wants_indices, apply_indices }, { wants_nothing, apply_nothing },
    { wants_carrier, apply_carrier }, { wants_reverse, apply_reverse },
    { wants_first, apply_first },
};
REWRITES(legal_dtypes, legal_dtype_count);
