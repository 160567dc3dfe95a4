/* Shape vectors: tensors of dimension expressions. Byte movers run their kernels on the ids; a few
 * arithmetic operators have a symbolic form; the rest must wait for numbers. */
#include "lower/internal.h"

#include "kernels/kernel.h"
#include "lower/helpers.h"

#include <string.h>

bool value_has_shape(const value *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (operands[i] && operands[i]->kind == VALUE_SHAPE)
            return true;
    return false;
}

/* Elements as expression ids: of a shape vector, or of known integers. */
static o2w_status element_ids(struct lower *l, value v, const expr_id **out, uint64_t *count)
{
    struct tensor t;
    if (!value_count(v, count))
        return O2W_INTERNAL;
    if (v->kind == VALUE_SHAPE) {
        *out = v->elements;
        return O2W_OK;
    }
    TRY(known_tensor(l, v, &t));
    expr_id *ids = ARENA_ARRAY(&l->arena, (size_t)*count, expr_id);
    if (!ids)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < *count; i++)
        TRY(expr_number(lower_exprs(l), tensor_get_i64(&t, i), &ids[i]));
    *out = ids;
    return O2W_OK;
}

/* Known where all elements are numbers, else a shape vector. */
static o2w_status from_ids(struct lower *l, enum dtype dtype, const dim *dims, uint32_t rank,
                           const expr_id *ids, value *out)
{
    struct lower_value v = { .kind = VALUE_SHAPE,
                             .dtype = dtype,
                             .rank = rank,
                             .dims = dims,
                             .operand = NO_ID,
                             .elements = ids };
    uint64_t count;
    struct tensor t;
    bool numbers = true;
    if (!dims_count(dims, rank, &count))
        return O2W_INTERNAL;
    for (uint64_t i = 0; i < count; i++) {
        int64_t number;
        numbers &= expr_is_number(lower_exprs(l), ids[i], &number);
    }
    if (!numbers)
        return value_new(l, &v, out);
    TRY(known_new(l, dtype, dims, rank, &t, out));
    for (uint64_t i = 0; i < count; i++) {
        int64_t number = 0;
        (void)expr_is_number(lower_exprs(l), ids[i], &number);
        tensor_put_i64(&t, i, number);
    }
    return O2W_OK;
}

/* Operands that hold data, not indices or conditions, of the movers. */
static bool is_data(enum webnn_operator kind, uint32_t slot)
{
    switch ((int)kind) {
    case WEBNN_GATHER:
    case WEBNN_GATHER_ELEMENTS:
    case WEBNN_GATHER_ND: return slot == 0;
    case WEBNN_WHERE: return slot > 0;
    case WEBNN_SCATTER_ELEMENTS:
    case WEBNN_SCATTER_ND: return slot != 1;
    default: return true;
    }
}

static bool is_mover(enum webnn_operator kind)
{
    switch ((int)kind) {
    case WEBNN_GATHER:
    case WEBNN_GATHER_ELEMENTS:
    case WEBNN_GATHER_ND:
    case WEBNN_WHERE:
    case WEBNN_SCATTER_ELEMENTS:
    case WEBNN_SCATTER_ND:
    case WEBNN_CONCAT:
    case WEBNN_SLICE:
    case WEBNN_SPLIT:
    case WEBNN_RESHAPE:
    case WEBNN_EXPAND:
    case WEBNN_TILE:
    case WEBNN_TRANSPOSE:
    case WEBNN_REVERSE:
    case WEBNN_IDENTITY: return true;
    default: return false;
    }
}

/* The mover runs on tensors of int64 ids in place of the elements. */
static o2w_status move_ids(struct lower *l, enum webnn_operator kind, const value *operands,
                           uint32_t count, const void *attributes, value *out,
                           uint32_t result_count, bool *done)
{
    value *stand_ins = ARENA_ARRAY(&l->arena, count, value);
    enum dtype dtype = DTYPE_INT64;
    if (!stand_ins)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t elements;
        const expr_id *ids;
        struct tensor t;
        stand_ins[i] = operands[i];
        if (!operands[i] || !is_data(kind, i))
            continue;
        if (!value_is_static(operands[i]))
            return O2W_OK;
        dtype = operands[i]->dtype;
        TRY(element_ids(l, operands[i], &ids, &elements));
        TRY(known_new(l, DTYPE_INT64, operands[i]->dims, operands[i]->rank, &t, &stand_ins[i]));
        for (uint64_t k = 0; k < elements; k++)
            ((int64_t *)t.data)[k] = ids[k];
    }
    if (value_has_shape(stand_ins, count))
        return O2W_OK;
    *done = true;
    TRY(op_list(l, kind, stand_ins, count, attributes, out, result_count));
    for (uint32_t i = 0; i < result_count; i++) {
        struct tensor t;
        TRY(known_tensor(l, out[i], &t));
        uint64_t elements = tensor_count(&t);
        expr_id *ids = ARENA_ARRAY(&l->arena, (size_t)elements, expr_id);
        if (!ids)
            return diag_memory(l->diags);
        for (uint64_t k = 0; k < elements; k++)
            ids[k] = (expr_id)((const int64_t *)t.data)[k];
        TRY(from_ids(l, dtype, t.dims, t.rank, ids, &out[i]));
    }
    return O2W_OK;
}

/* --- arithmetic --------------------------------------------------------------------------------- */

static bool arithmetic(enum webnn_operator kind, enum expr_op *operation)
{
    switch ((int)kind) {
    case WEBNN_ADD: *operation = EXPR_ADD; return true;
    case WEBNN_SUB: *operation = EXPR_SUB; return true;
    case WEBNN_MUL: *operation = EXPR_MUL; return true;
    case WEBNN_DIV: *operation = EXPR_FLOOR_DIV; return true;
    case WEBNN_MAX: *operation = EXPR_MAX; return true;
    case WEBNN_MIN: *operation = EXPR_MIN; return true;
    default: return false;
    }
}

/* WebNN truncates, expressions floor: equal where nothing is negative. */
static bool division_is_floor(struct lower *l, expr_id a, expr_id b)
{
    int64_t low, high;
    expr_bounds(lower_exprs(l), a, &low, &high);
    if (low < 0)
        return false;
    expr_bounds(lower_exprs(l), b, &low, &high);
    return low > 0;
}

static bool compare(enum webnn_operator kind, struct lower *l, expr_id a, expr_id b, bool *result)
{
    expr_id difference;
    int64_t low, high;
    enum expr_order order = expr_compare(lower_exprs(l), a, b);
    if (expr_apply(lower_exprs(l), EXPR_SUB, a, b, &difference) != O2W_OK)
        return false;
    expr_bounds(lower_exprs(l), difference, &low, &high);
    switch ((int)kind) {
    case WEBNN_EQUAL: *result = order == EXPR_EQUAL; return order != EXPR_UNDECIDED;
    case WEBNN_NOT_EQUAL: *result = order != EXPR_EQUAL; return order != EXPR_UNDECIDED;
    case WEBNN_GREATER: *result = low > 0; return low > 0 || high <= 0;
    case WEBNN_GREATER_OR_EQUAL: *result = low >= 0; return low >= 0 || high < 0;
    case WEBNN_LESSER: *result = high < 0; return high < 0 || low >= 0;
    case WEBNN_LESSER_OR_EQUAL: *result = high <= 0; return high <= 0 || low > 0;
    default: return false;
    }
}

struct pair {
    const expr_id *a, *b;
    int64_t dims[MAX_RANK];
    uint32_t rank;
    uint64_t count;
};

static o2w_status pair_of(struct lower *l, const value *operands, struct pair *p, bool *fits)
{
    uint64_t n;
    *fits = value_is_static(operands[0]) && value_is_static(operands[1]) &&
            dtype_is_integer(operands[0]->dtype) && dtype_is_integer(operands[1]->dtype) &&
            broadcast_static(operands[0]->dims, operands[0]->rank, operands[1]->dims,
                             operands[1]->rank, p->dims, &p->rank) &&
            dims_count(p->dims, p->rank, &p->count);
    if (!*fits)
        return O2W_OK;
    TRY(element_ids(l, operands[0], &p->a, &n));
    return element_ids(l, operands[1], &p->b, &n);
}

static o2w_status binary(struct lower *l, enum webnn_operator kind, enum expr_op operation,
                         const value *operands, value *out, bool *done)
{
    struct pair p;
    bool fits;
    TRY(pair_of(l, operands, &p, &fits));
    if (!fits)
        return O2W_OK;
    expr_id *ids = ARENA_ARRAY(&l->arena, (size_t)p.count, expr_id);
    if (!ids)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < p.count; i++) {
        expr_id a = p.a[broadcast_index(i, p.dims, p.rank, operands[0])];
        expr_id b = p.b[broadcast_index(i, p.dims, p.rank, operands[1])];
        if (kind == WEBNN_DIV && !division_is_floor(l, a, b))
            return O2W_OK;
        o2w_status s = expr_apply(lower_exprs(l), operation, a, b, &ids[i]);
        if (s != O2W_OK)
            return s == O2W_NO_MEMORY
                       ? diag_memory(l->diags)
                       : diag_error(l->diags, DIAG_LOWER_OVERFLOW, "shape arithmetic overflows");
    }
    *done = true;
    return from_ids(l, operands[0]->dtype, p.dims, p.rank, ids, out);
}

static o2w_status comparison(struct lower *l, enum webnn_operator kind, const value *operands,
                             value *out, bool *done)
{
    struct pair p;
    struct tensor t;
    bool fits;
    TRY(pair_of(l, operands, &p, &fits));
    if (!fits)
        return O2W_OK;
    TRY(known_new(l, DTYPE_UINT8, p.dims, p.rank, &t, out));
    for (uint64_t i = 0; i < p.count; i++) {
        bool result = false;
        if (!compare(kind, l, p.a[broadcast_index(i, p.dims, p.rank, operands[0])],
                     p.b[broadcast_index(i, p.dims, p.rank, operands[1])], &result))
            return O2W_OK;
        ((uint8_t *)t.data)[i] = result;
    }
    *done = true;
    return O2W_OK;
}

/* Sum or product of all elements of a vector. */
static o2w_status reduce_all(struct lower *l, enum webnn_operator kind, const value *operands,
                             const void *attributes, value *out, bool *done)
{
    const struct webnn_reduce_attributes *p = attributes;
    enum expr_op operation = kind == WEBNN_REDUCE_SUM ? EXPR_ADD : EXPR_MUL;
    const expr_id *ids;
    uint64_t count;
    if (operands[0]->rank != 1)
        return O2W_OK;
    TRY(element_ids(l, operands[0], &ids, &count));
    expr_id *total = ARENA_NEW(&l->arena, expr_id);
    if (!total)
        return diag_memory(l->diags);
    TRY(expr_number(lower_exprs(l), kind == WEBNN_REDUCE_SUM ? 0 : 1, total));
    for (uint64_t i = 0; i < count; i++)
        if (expr_apply(lower_exprs(l), operation, *total, ids[i], total) != O2W_OK)
            return diag_error(l->diags, DIAG_LOWER_OVERFLOW, "shape arithmetic overflows");
    *done = true;
    bool keep = p && p->keep_dimensions;
    return from_ids(l, operands[0]->dtype, (const dim[]){ 1 }, keep ? 1 : 0, total, out);
}

/* Between integer types a dim keeps its value: it fits 31 bits. */
static o2w_status cast_ids(struct lower *l, const value *operands, const void *attributes,
                           value *out, bool *done)
{
    const struct webnn_cast_attributes *p = attributes;
    if (!p || (p->to != DTYPE_INT64 && p->to != DTYPE_INT32))
        return O2W_OK;
    *done = true;
    return from_ids(l, (enum dtype)p->to, operands[0]->dims, operands[0]->rank,
                    operands[0]->elements, out);
}

o2w_status symbolic_op(struct lower *l, enum webnn_operator kind, const value *operands,
                       uint32_t count, const void *attributes, value *out, uint32_t result_count,
                       bool *done)
{
    enum expr_op operation;
    if (is_mover(kind))
        return move_ids(l, kind, operands, count, attributes, out, result_count, done);
    if (kind == WEBNN_CAST)
        return cast_ids(l, operands, attributes, out, done);
    if (kind == WEBNN_REDUCE_SUM || kind == WEBNN_REDUCE_PRODUCT)
        return reduce_all(l, kind, operands, attributes, out, done);
    if (count == 2 && arithmetic(kind, &operation))
        return binary(l, kind, operation, operands, out, done);
    if (count == 2)
        return comparison(l, kind, operands, out, done);
    return O2W_OK;
}

/* --- shapes at run time ----------------------------------------------------------------------------- */

enum { FURTHEST_BELOW = 1 << 20 };

/* A size n is the last of the n + 1 numbers from 0 on; one that may be negative is counted from below. */
static o2w_status element_at_run_time(struct lower *l, enum dtype dtype, expr_id e, value *out)
{
    int64_t low, high;
    value numbers, below;
    dim size;
    expr_bounds(lower_exprs(l), e, &low, &high);
    low = low < 0 ? low : 0;
    if (low < -FURTHEST_BELOW)
        return diag_error(l->diags, DIAG_LOWER_NOT_KNOWN,
                          "the size '%s' may be far below 0, it cannot be computed in a graph",
                          expr_text(lower_exprs(l), e, &l->arena));
    if (dim_apply(lower_exprs(l), EXPR_ADD, dim_of_expr_id(e), 1 - low, &size) != O2W_OK)
        return diag_error(l->diags, DIAG_LOWER_OVERFLOW, "a dimension overflows");
    TRY(open_iota(l, dtype, size, &numbers));
    TRY(gather_known(l, numbers, (const int64_t[]){ -1 }, 1, 0, out));
    if (low == 0)
        return O2W_OK;
    TRY(scalar_i64(l, dtype, -low, &below));
    return op2(l, WEBNN_SUB, *out, below, out);
}

o2w_status shape_at_run_time(struct lower *l, value v, value *out)
{
    uint64_t count;
    if (!value_count(v, &count) || count > 1024)
        return diag_error(l->diags, DIAG_LOWER_LIMIT, "more than 1024 sizes cannot be computed");
    value *parts = ARENA_ARRAY(&l->arena, (size_t)count, value);
    if (!parts)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < count; i++) {
        int64_t number;
        if (!expr_is_number(lower_exprs(l), v->elements[i], &number)) {
            TRY(element_at_run_time(l, v->dtype, v->elements[i], &parts[i]));
            continue;
        }
        TRY(scalar_i64(l, v->dtype, number, &parts[i]));
        TRY(reshape(l, parts[i], (const dim[]){ 1 }, 1, &parts[i]));
    }
    TRY(concat(l, parts, (uint32_t)count, 0, out));
    return reshape(l, *out, v->dims, v->rank, out);
}
