/* Values and checks that rows share. */
#include "lower/helpers.h"

#include <string.h>

/* --- rows ---------------------------------------------------------------------------------------- */

enum webnn_operator row_operator(const struct node_view *n)
{
    enum webnn_operator kind = WEBNN_IDENTITY;
    operator_by_name(span_of(n->row->webnn), &kind);
    return kind;
}

static enum dtype output_dtype(const struct node_view *n, value v)
{
    const struct row_slot *slot = &n->row->results[0];
    return slot->variable == TYPE_NONE || n->variables[slot->variable] == DTYPE_COUNT
               ? v->dtype
               : n->variables[slot->variable];
}

o2w_status emit_wrapped(struct lower *l, const struct node_view *n, value v)
{
    enum dtype dtype = output_dtype(n, v);
    if (dtype == DTYPE_INT16 || dtype == DTYPE_UINT16)
        TRY(wrap16(l, v, dtype, &v));
    return emit_value(l, n, v);
}

o2w_status emit_narrowed(struct lower *l, const struct node_view *n, value v)
{
    if (dtype_is_float(v->dtype))
        TRY(cast(l, v, output_dtype(n, v), &v));
    return emit_value(l, n, v);
}

o2w_status check_equal_shapes(struct lower *l, const struct node_view *n, uint32_t first)
{
    value a = input(n, 0);
    for (uint32_t i = first; i < n->input_count; i++) {
        value b = input(n, i);
        bool equal = b->rank == a->rank;
        for (uint32_t k = 0; equal && k < a->rank; k++)
            equal = dim_compare(lower_exprs(l), a->dims[k], b->dims[k]) != EXPR_DIFFERENT;
        if (!equal)
            return refuse_input(l, n, i,
                                "has shape %s, must have %s: opset %lld does not broadcast here",
                                dim_list_text(lower_exprs(l), b->dims, b->rank, lower_arena(l)),
                                dim_list_text(lower_exprs(l), a->dims, a->rank, lower_arena(l)),
                                (long long)n->onnx->opset);
    }
    return O2W_OK;
}

o2w_status legacy_operand(struct lower *l, const struct node_view *n,
                          const struct legacy_broadcast *p, value *b)
{
    value a = input(n, 0), given = input(n, 1);
    dim dims[MAX_RANK];
    uint32_t at;
    *b = given;
    if (!p->broadcast)
        return check_equal_shapes(l, n, 1);
    if (given->rank > a->rank)
        return refuse_input(l, n, 1, "has rank %u, more than %u of the input before it",
                            given->rank, a->rank);
    at = a->rank - given->rank;
    if (p->axis.given) {
        int64_t axis = p->axis.value < 0 ? p->axis.value + a->rank : p->axis.value;
        if (axis < 0 || axis > (int64_t)at)
            return refuse_attribute(l, n, "axis", "is %lld, ranks %u and %u allow 0 to %u",
                                    (long long)p->axis.value, a->rank, given->rank, at);
        at = (uint32_t)axis;
    }
    for (uint32_t i = 0; i < given->rank; i++) {
        dims[i] = given->dims[i];
        if (dims[i] != 1 && dim_compare(lower_exprs(l), dims[i], a->dims[at + i]) == EXPR_DIFFERENT)
            return refuse_input(
                l, n, 1, "has shape %s, which does not fit %s at axis %u",
                dim_list_text(lower_exprs(l), given->dims, given->rank, lower_arena(l)),
                dim_list_text(lower_exprs(l), a->dims, a->rank, lower_arena(l)), at);
    }
    uint32_t rank = a->rank - at;
    for (uint32_t i = given->rank; i < rank; i++)
        dims[i] = 1;
    return reshape(l, given, dims, rank, b);
}

/* --- values -------------------------------------------------------------------------------------- */

o2w_status fill(struct lower *l, enum dtype dtype, struct webnn_number number, const dim *dims,
                uint32_t rank, value *out)
{
    value one;
    if (dims_static(dims, rank))
        return filled(l, dtype, number, dims, rank, out);
    TRY(filled(l, dtype, number, NULL, 0, &one));
    return expand(l, one, dims, rank, out);
}

o2w_status fill_i64(struct lower *l, enum dtype dtype, int64_t number, const dim *dims,
                    uint32_t rank, value *out)
{
    return fill(l, dtype, (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = number }, dims,
                rank, out);
}

o2w_status iota(struct lower *l, enum dtype dtype, int64_t count, uint32_t axis, uint32_t rank,
                value *out)
{
    dim dims[MAX_RANK];
    struct tensor t;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i == axis ? count : 1;
    TRY(known_new(l, dtype, dims, rank, &t, out));
    for (int64_t i = 0; i < count; i++)
        tensor_put_i64(&t, (uint64_t)i, i);
    return O2W_OK;
}

o2w_status open_iota(struct lower *l, enum dtype dtype, dim size, value *out)
{
    enum { LONGEST = 1 << 20 };
    struct webnn_cumulative_sum_attributes a = { .exclusive = true };
    int64_t least, most;
    value all;
    dim_bounds(lower_exprs(l), size, &least, &most);
    if (most <= LONGEST) {
        TRY(iota(l, dtype, most, 0, 1, &all));
        return slice(l, all, 0, 0, size, 1, out);
    }
    TRY(fill_i64(l, dtype, 1, &size, 1, &all));
    return op(l, WEBNN_CUMULATIVE_SUM, OPERANDS(all), &a, out);
}

o2w_status static_dim(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                      int64_t *out)
{
    *out = x->dims[axis];
    if (dim_is_static(x->dims[axis]))
        return O2W_OK;
    const char *name = expr_text(lower_exprs(l), dim_expr_id(x->dims[axis]), lower_arena(l));
    o2w_status s =
        refuse(l, n, DIAG_LOWER_NOT_KNOWN,
               "axis %u has the open size '%s', a number is needed here", axis, name ? name : "?");
    diag_hint(lower_diags(l), "--override-dim for '%s'", name ? name : "?");
    return s;
}

o2w_status dims_product(struct lower *l, const struct node_view *n, const dim *dims, uint32_t from,
                        uint32_t to, dim *out)
{
    *out = 1;
    for (uint32_t i = from; i < to; i++)
        TRY(dim_of(l, n, EXPR_MUL, *out, dims[i], out));
    return O2W_OK;
}

o2w_status widen(struct lower *l, value x, value *out)
{
    if (x->dtype == DTYPE_FLOAT16)
        return cast(l, x, DTYPE_FLOAT32, out);
    *out = x;
    return O2W_OK;
}

struct webnn_number number_at(const struct tensor *t, uint64_t index)
{
    if (dtype_is_float(t->dtype))
        return (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE,
                                      .d = tensor_get_double(t, index) };
    if (dtype_is_signed(t->dtype) || t->dtype == DTYPE_BOOL)
        return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = tensor_get_i64(t, index) };
    return (struct webnn_number){ .kind = WEBNN_NUMBER_UINT, .u = tensor_get_u64(t, index) };
}

o2w_status gather_known(struct lower *l, value x, const int64_t *indices, uint32_t count,
                        uint32_t axis, value *out)
{
    value at, y;
    struct webnn_gather_attributes a = webnn_gather_defaults();
    a.axis = axis;
    TRY(known_i64s(l, indices, count, &at));
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, at), &a, &y));
    return retype(l, y, x->dtype, out);
}

uint64_t broadcast_index(uint64_t i, const int64_t *shape, uint32_t rank, value v)
{
    uint64_t index = 0, stride = 1;
    for (uint32_t k = 0; k < rank; k++) {
        uint64_t size = (uint64_t)shape[rank - 1 - k], at = i % size;
        i /= size;
        if (k < v->rank) {
            uint64_t own = (uint64_t)v->dims[v->rank - 1 - k];
            index += (own == 1 ? 0 : at) * stride;
            stride *= own;
        }
    }
    return index;
}

o2w_status check_divisor(struct lower *l, const struct node_view *n, value b)
{
    struct tensor t;
    uint64_t count;
    if (!dtype_is_integer(b->dtype) || !value_is_known(b) || !value_count(b, &count) ||
        count > 65536)
        return O2W_OK;
    TRY(known_tensor(l, b, &t));
    for (uint64_t i = 0; i < count; i++)
        if (tensor_get_i64(&t, i) == 0)
            return refuse(l, n, DIAG_LOWER_VALUE, "integer division by zero at element %llu",
                          (unsigned long long)i);
    return O2W_OK;
}

/* --- formulas ------------------------------------------------------------------------------------ */

struct calc calc_begin(struct lower *l, value like)
{
    return (struct calc){ .l = l, .dtype = value_working_dtype(like), .status = O2W_OK };
}

value calc_op(struct calc *c, enum webnn_operator kind, value a, value b, value d)
{
    const value operands[] = { a, b, d };
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = op(c->l, kind, operands, d ? 3 : b ? 2 : 1, NULL, &y);
    return c->status == O2W_OK ? y : NULL;
}

value calc_number(struct calc *c, double number)
{
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = scalar(c->l, c->dtype, number, &y);
    return y;
}

value calc_cast(struct calc *c, value x, enum dtype dtype)
{
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = cast(c->l, x, dtype, &y);
    return y;
}

value calc_reduce(struct calc *c, enum webnn_operator kind, value x, uint32_t axis)
{
    struct webnn_reduce_attributes a = { .axes = { .given = true, .count = 1, .items = { axis } },
                                         .keep_dimensions = true };
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = op(c->l, kind, OPERANDS(x), &a, &y);
    return y;
}
