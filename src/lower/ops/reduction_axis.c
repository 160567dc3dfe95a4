/* Operators along one axis: arg, cumulative sums, softmax and its kin. */
#include "lower/ops/reduction.h"

/* --- ArgMax, ArgMin ---------------------------------------------------------------------------------- */

static o2w_status first_place(struct lower *l, enum webnn_operator kind, value x, uint32_t axis,
                              bool keep, value *out)
{
    struct webnn_arg_min_max_attributes a = { .axis = axis,
                                              .keep_dimensions = keep,
                                              .output_data_type = WEBNN_INT64 };
    return op(l, kind, OPERANDS(x), &a, out);
}

/* The highest place among those that hold the extreme. */
static o2w_status last_place(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                             bool keep, value *out)
{
    bool max = row_operator(n) == WEBNN_ARG_MAX;
    int64_t size;
    value places;
    TRY(static_dim(l, n, x, axis, &size));
    TRY(iota(l, DTYPE_INT64, size, axis, x->rank, &places));
    struct calc c = calc_begin(l, places);
    value extreme = calc_reduce(&c, max ? WEBNN_REDUCE_MAX : WEBNN_REDUCE_MIN, x, axis);
    value at = calc_where(&c, calc_equal(&c, x, extreme), places, calc_number(&c, 0));
    at = calc_reduce(&c, WEBNN_REDUCE_MAX, at, axis);
    TRY(c.status);
    *out = at;
    return keep ? O2W_OK : squeeze(l, at, &axis, 1, out);
}

o2w_status lower_arg(struct lower *l, const struct node_view *n, const void *params)
{
    const struct arg_params *p = params;
    value x = input(n, 0), y;
    uint32_t axis;
    TRY(axis_from(l, n, p->axis, x->rank, 0, &axis));
    if (x->dims[axis] == 0)
        return refuse_input(l, n, 0, "is empty along axis %u", axis);
    TRY(p->select_last_index ? last_place(l, n, x, axis, p->keepdims != 0, &y)
                             : first_place(l, row_operator(n), x, axis, p->keepdims != 0, &y));
    return emit_value(l, n, y);
}

/* --- CumSum -------------------------------------------------------------------------------------------- */

o2w_status lower_cum_sum(struct lower *l, const struct node_view *n, const void *params)
{
    const struct cum_params *p = params;
    struct webnn_cumulative_sum_attributes a = { .exclusive = p->exclusive != 0,
                                                 .reversed = p->reverse != 0 };
    int64_t axis;
    TRY(known_int(l, n, 1, &axis));
    TRY(axis_from(l, n, axis, input(n, 0)->rank, 0, &a.axis));
    return emit(l, n, WEBNN_CUMULATIVE_SUM, OPERANDS(input(n, 0)), &a);
}

/* --- CumProd ------------------------------------------------------------------------------------------- */

/* The elements `by` places further along the axis (back where `reverse`), 1 where none is. */
static value shifted(struct calc *c, value x, uint32_t axis, uint32_t by, bool reverse)
{
    struct webnn_pad_attributes a = webnn_pad_defaults();
    value y = NULL;
    a.beginning_padding.given = a.ending_padding.given = true;
    a.beginning_padding.count = a.ending_padding.count = x ? x->rank : 0;
    (reverse ? &a.ending_padding : &a.beginning_padding)->items[axis] = by;
    a.value = (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = 1 };
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_PAD, OPERANDS(x), &a, &y);
    if (c->status == O2W_OK)
        c->status = slice(c->l, y, axis, reverse ? by : 0, x->dims[axis], 1, &y);
    return y;
}

/* Products over 1, 2, 4 … neighbours, each of two halves. */
o2w_status lower_cum_prod(struct lower *l, const struct node_view *n, const void *params)
{
    const struct cum_params *p = params;
    value x;
    int64_t given, size;
    uint32_t axis;
    bool reverse = p->reverse != 0;
    TRY(known_int(l, n, 1, &given));
    TRY(axis_from(l, n, given, input(n, 0)->rank, 0, &axis));
    TRY(static_dim(l, n, input(n, 0), axis, &size));
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    if (p->exclusive)
        x = shifted(&c, x, axis, 1, reverse);
    for (int64_t by = 1; by < size; by *= 2)
        x = calc_mul(&c, x, shifted(&c, x, axis, (uint32_t)by, reverse));
    TRY(c.status);
    return emit_narrowed(l, n, x);
}

/* --- Softmax, LogSoftmax, Hardmax ----------------------------------------------------------------------- */

typedef o2w_status soft_function(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                                 value *out);

static o2w_status softmax(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                          value *out)
{
    (void)n;
    return op(l, WEBNN_SOFTMAX, OPERANDS(x), &(struct webnn_softmax_attributes){ .axis = axis },
              out);
}

/* z less the logarithm of the sum: never the logarithm of a softmax. */
static o2w_status log_softmax(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                              value *out)
{
    struct softmax_parts parts;
    (void)n;
    TRY(widen(l, x, &x));
    struct calc c = calc_begin(l, x);
    calc_softmax_parts(&c, x, axis, &parts);
    *out = calc_sub(&c, parts.z, parts.log_sum);
    return c.status;
}

/* 1 at the first maximum, else 0. */
static o2w_status hardmax(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                          value *out)
{
    int64_t size;
    value places, first, hit;
    TRY(static_dim(l, n, x, axis, &size));
    *out = x;
    if (size == 0)
        return O2W_OK;
    TRY(iota(l, DTYPE_INT64, size, axis, x->rank, &places));
    TRY(first_place(l, WEBNN_ARG_MAX, x, axis, true, &first));
    TRY(op2(l, WEBNN_EQUAL, places, first, &hit));
    return cast(l, hit, x->dtype, out);
}

static o2w_status emit_soft(struct lower *l, const struct node_view *n, const struct one_axis *p,
                            soft_function *function)
{
    value y;
    uint32_t axis;
    TRY(axis_from(l, n, p->axis, input(n, 0)->rank, 0, &axis));
    TRY(function(l, n, input(n, 0), axis, &y));
    return emit_narrowed(l, n, y);
}

/* Below 13 all axes from the given one on are one. */
static o2w_status emit_soft_flat(struct lower *l, const struct node_view *n,
                                 const struct one_axis *p, soft_function *function)
{
    value x = input(n, 0), y;
    dim dims[2];
    uint32_t axis;
    TRY(axis_from(l, n, p->axis, x->rank, 0, &axis));
    TRY(dims_product(l, n, x->dims, 0, axis, &dims[0]));
    TRY(dims_product(l, n, x->dims, axis, x->rank, &dims[1]));
    if (dims[1] == x->dims[axis])
        return emit_soft(l, n, p, function);
    TRY(reshape(l, x, dims, 2, &y));
    TRY(function(l, n, y, 1, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    return emit_narrowed(l, n, y);
}

#define SOFT_FUNCTION(name)                                                                        \
    o2w_status lower_##name(struct lower *l, const struct node_view *n, const void *params)        \
    {                                                                                              \
        return emit_soft(l, n, params, name);                                                      \
    }                                                                                              \
    o2w_status lower_##name##_flat(struct lower *l, const struct node_view *n, const void *params) \
    {                                                                                              \
        return emit_soft_flat(l, n, params, name);                                                 \
    }
SOFT_FUNCTION(softmax)
SOFT_FUNCTION(log_softmax)
SOFT_FUNCTION(hardmax)
