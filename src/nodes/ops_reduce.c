/* Reductions, positions of extremes, running sums. The runtime sums integers through floating point,
 * so integers go through products with ones, which wrap. */
#include "nodes/lower.h"

#include <math.h>
#include <string.h>

static const char *const reduce_nodes[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_REDUCE_L1] = "ReduceL1",          [WEBNN_REDUCE_L2] = "ReduceL2",
    [WEBNN_REDUCE_LOG_SUM] = "ReduceLogSum", [WEBNN_REDUCE_LOG_SUM_EXP] = "ReduceLogSumExp",
    [WEBNN_REDUCE_MAX] = "ReduceMax",        [WEBNN_REDUCE_MEAN] = "ReduceMean",
    [WEBNN_REDUCE_MIN] = "ReduceMin",        [WEBNN_REDUCE_PRODUCT] = "ReduceProd",
    [WEBNN_REDUCE_SUM] = "ReduceSum",        [WEBNN_REDUCE_SUM_SQUARE] = "ReduceSumSquare",
};

static ref reduce_node(struct emit *e, const char *op, ref x)
{
    const struct webnn_reduce_attributes *p = ATTRIBUTES_OF(e, reduce);
    ref axes = emit_u32s(e, p->axes.items, p->axes.count);
    return emit_node(e, op, REFS(x, axes), ATTRIBUTES(INT("keepdims", p->keep_dimensions)));
}

static bool reduces_axis(const struct webnn_reduce_attributes *p, uint32_t axis)
{
    for (uint32_t i = 0; i < p->axes.count; i++)
        if (p->axes.items[i] == axis)
            return true;
    return false;
}

/* Elements that come together; false where a dim is open. */
static bool reduced_count(struct emit *e, int64_t *count)
{
    const struct webnn_reduce_attributes *p = ATTRIBUTES_OF(e, reduce);
    const struct operand *x = operand_at(e, 0);
    dim dims[MAX_RANK];
    uint64_t product;
    for (uint32_t i = 0; i < p->axes.count; i++)
        dims[i] = x->dims[p->axes.items[i]];
    if (!dims_count(dims, p->axes.count, &product))
        return false;
    *count = (int64_t)product;
    return true;
}

/* No axes: what the operator does to each element alone. */
static void reduce_nothing(struct emit *e)
{
    ref x = operand_wide(e, 0);
    switch ((int)e->node->kind) {
    case WEBNN_REDUCE_L1:
    case WEBNN_REDUCE_L2:
        set_result_wide(
            e, 0,
            dtype_in(operand_dtype(e, 0), DTYPE_BIT(DTYPE_UINT32) | DTYPE_BIT(DTYPE_UINT64))
                ? x
                : emit_unary(e, "Abs", x));
        break;
    case WEBNN_REDUCE_LOG_SUM: set_result_wide(e, 0, emit_unary(e, "Log", x)); break;
    case WEBNN_REDUCE_SUM_SQUARE: set_result_wide(e, 0, emit_binary(e, "Mul", x, x)); break;
    default: nodes_identity(e);
    }
}

/* The kept dims, then the reduced ones. */
static uint32_t reduce_order(const struct webnn_reduce_attributes *p, uint32_t rank,
                             uint32_t order[MAX_RANK])
{
    uint32_t kept = 0, n;
    for (uint32_t i = 0; i < rank; i++)
        if (!reduces_axis(p, i))
            order[kept++] = i;
    n = kept;
    for (uint32_t i = 0; i < rank; i++)
        if (reduces_axis(p, i))
            order[n++] = i;
    return kept;
}

/* x with the reduced dims as one last dim of `count`, which may be open. */
static ref gather_reduced(struct emit *e, ref x, dim count, uint32_t *kept, dim kept_dims[MAX_RANK])
{
    const struct webnn_reduce_attributes *p = ATTRIBUTES_OF(e, reduce);
    const struct operand *o = operand_at(e, 0);
    uint32_t order[MAX_RANK];
    *kept = reduce_order(p, o->rank, order);
    for (uint32_t i = 0; i < *kept; i++)
        kept_dims[i] = o->dims[order[i]];
    kept_dims[*kept] = count;
    ref ordered = emit_transpose(e, x, order, o->rank);
    return emit_reshape(e, ordered, kept_dims, *kept + 1);
}

/* What a reduction of nothing gives, everywhere. */
static void fill_result(struct emit *e, ref value)
{
    const struct operand *y = result_at(e, 0);
    set_result(e, 0, emit_binary(e, "Expand", value, emit_dims(e, y->dims, NULL, y->rank)));
}

/* Ones as a column. */
static ref ones_column(struct emit *e, enum dtype t, dim count)
{
    const dim column[2] = { count, 1 };
    return dim_is_static(count)
               ? emit_filled(e, t, column, 2, 1)
               : emit_binary(e, "Expand", emit_int(e, t, 1), emit_dims(e, column, NULL, 2));
}

/* x · ones: exact modulo 2^N for 32 and 64 bits. */
static void integer_sum(struct emit *e, ref x, dim count)
{
    enum dtype t = operand_dtype(e, 0);
    const struct operand *y = result_at(e, 0);
    dim kept_dims[MAX_RANK + 1];
    uint32_t kept;
    ref rows = gather_reduced(e, x, count, &kept, kept_dims);
    ref sums = emit_binary(e, "MatMul", rows, ones_column(e, t, count));
    set_result(e, 0, emit_reshape(e, sums, y->dims, y->rank));
}

/* Halves multiplied with each other until one is left; an odd one waits at the end. */
static void integer_product(struct emit *e, ref x, int64_t count)
{
    const struct operand *y = result_at(e, 0);
    dim kept_dims[MAX_RANK + 1];
    uint32_t kept;
    ref rows = gather_reduced(e, x, count, &kept, kept_dims);
    ref axis = emit_i64s(e, &(const int64_t){ kept }, 1);
    while (count > 1) {
        int64_t half = count / 2;
        const int64_t cuts[4] = { 0, half, 2 * half, count };
        ref parts[3] = { NULL };
        for (uint32_t i = 0; i < 3; i++)
            if (cuts[i] < cuts[i + 1])
                parts[i] = emit_node(
                    e, "Slice",
                    REFS(rows, emit_i64s(e, &cuts[i], 1), emit_i64s(e, &cuts[i + 1], 1), axis),
                    PLAIN);
        rows = emit_binary(e, "Mul", parts[0], parts[1]);
        if (count > 2 * half)
            rows = emit_node(e, "Concat", REFS(rows, parts[2]), ATTRIBUTES(INT("axis", kept)));
        count = count - half;
    }
    set_result(e, 0, emit_reshape(e, rows, y->dims, y->rank));
}

static void reduce_integers(struct emit *e)
{
    const struct webnn_reduce_attributes *p = ATTRIBUTES_OF(e, reduce);
    bool is_signed = dtype_is_signed(operand_dtype(e, 0));
    bool is_product = e->node->kind == WEBNN_REDUCE_PRODUCT;
    ref x = operand(e, 0);
    int64_t count;
    if (!reduced_count(e, &count)) {
        if (is_product || p->axes.count != 1) {
            need_static(e, operand_at(e, 0), "input");
            return;
        }
        count = operand_at(e, 0)->dims[p->axes.items[0]];
    }
    if (count == 0) {
        fill_result(e, emit_int(e, operand_dtype(e, 0), is_product));
        return;
    }
    if (is_product) {
        integer_product(e, x, count);
        return;
    }
    if (e->node->kind == WEBNN_REDUCE_L1 && is_signed)
        x = emit_unary(e, "Abs", x);
    if (e->node->kind == WEBNN_REDUCE_SUM_SQUARE)
        x = emit_binary(e, "Mul", x, x);
    integer_sum(e, x, count);
}

/* y, or NaN where one of the elements that came together is: the runtime loses it among others. */
static ref keeping_nan(struct emit *e, ref x, ref y)
{
    ref is_nan = emit_cast(e, emit_unary(e, "IsNaN", x), DTYPE_UINT8);
    ref any = emit_cast(e, reduce_node(e, "ReduceMax", is_nan), DTYPE_BOOL);
    enum dtype t = operand_dtype(e, 0);
    return emit_where(e, t, any, emit_float(e, t, (double)NAN), y);
}

/* Over dims that may be empty the mean is NaN there, which the runtime's mean is not. */
static void mean_of_open_dims(struct emit *e)
{
    const struct webnn_reduce_attributes *p = ATTRIBUTES_OF(e, reduce);
    const struct operand *x = operand_at(e, 0);
    ref sum = reduce_node(e, "ReduceSum", operand_wide(e, 0)), count = NULL;
    for (uint32_t i = 0; i < p->axes.count; i++) {
        ref size = emit_cast(e, emit_dim(e, x->dims[p->axes.items[i]], 0), DTYPE_FLOAT32);
        count = count ? emit_binary(e, "Mul", count, size) : size;
    }
    set_result_wide(e, 0, emit_binary(e, "Div", sum, count));
}

void nodes_reduce(struct emit *e)
{
    const struct webnn_reduce_attributes *p = ATTRIBUTES_OF(e, reduce);
    int64_t count = 1;
    bool is_known = reduced_count(e, &count);
    if (p->axes.count == 0)
        reduce_nothing(e);
    else if (dtype_is_integer(operand_dtype(e, 0)))
        reduce_integers(e);
    else if (e->node->kind == WEBNN_REDUCE_MEAN && (!is_known || count == 0))
        mean_of_open_dims(e);
    else if (e->node->kind == WEBNN_REDUCE_LOG_SUM_EXP)
        set_result(e, 0,
                   keeping_nan(e, operand(e, 0), reduce_node(e, "ReduceLogSumExp", operand(e, 0))));
    else
        set_result(e, 0, reduce_node(e, reduce_nodes[e->node->kind], operand(e, 0)));
}

/* The runtime has no order of uint32 and uint64 here: int64 has, after moving the latter down by
 * 2^63, which wraps. Undone by the same addition. */
static ref ordered(struct emit *e, ref x, enum dtype from, enum dtype *t)
{
    *t = from;
    if (from != DTYPE_UINT32 && from != DTYPE_UINT64)
        return x;
    *t = DTYPE_INT64;
    ref wide = emit_cast(e, x, DTYPE_INT64);
    return from == DTYPE_UINT64 ? emit_binary(e, "Add", wide, emit_int(e, DTYPE_INT64, INT64_MIN))
                                : wide;
}

/* An extreme of int64 where the runtime orders them wrongly: the element at its position. */
static ref extreme_by_position(struct emit *e, ref x)
{
    const struct operand *y = result_at(e, 0);
    dim kept_dims[MAX_RANK + 1];
    uint32_t kept;
    int64_t count = 0;
    if (!reduced_count(e, &count)) {
        need_static(e, operand_at(e, 0), "input");
        return NULL;
    }
    ref rows = gather_reduced(e, x, count, &kept, kept_dims);
    ref place = emit_node(e, e->node->kind == WEBNN_REDUCE_MAX ? "ArgMax" : "ArgMin", &rows, 1,
                          ATTRIBUTES(INT("axis", kept)));
    ref value = emit_node(e, "GatherElements", REFS(rows, place), ATTRIBUTES(INT("axis", kept)));
    return emit_reshape(e, value, y->dims, y->rank);
}

void nodes_reduce_extreme(struct emit *e)
{
    enum dtype from = operand_dtype(e, 0), t;
    if (ATTRIBUTES_OF(e, reduce)->axes.count == 0) {
        nodes_identity(e);
        return;
    }
    ref x = ordered(e, operand(e, 0), from, &t);
    int64_t count = 1;
    bool is_empty = reduced_count(e, &count) && count == 0;
    bool by_position = t == DTYPE_INT64 && !e->orders_64_bits && !is_empty;
    ref y =
        by_position ? extreme_by_position(e, x) : reduce_node(e, reduce_nodes[e->node->kind], x);
    if (from == DTYPE_UINT64)
        y = emit_binary(e, "Add", y, emit_int(e, DTYPE_INT64, INT64_MIN));
    set_result_from(e, 0, dtype_is_float(t) ? keeping_nan(e, x, y) : y, t);
}

static ref arg_node(struct emit *e, const char *op, ref x)
{
    const struct webnn_arg_min_max_attributes *p = ATTRIBUTES_OF(e, arg_min_max);
    return emit_node(e, op, &x, 1,
                     ATTRIBUTES(INT("axis", p->axis), INT("keepdims", p->keep_dimensions)));
}

/* The first NaN, where there is one, else the first extreme. */
static ref first_nan_or(struct emit *e, ref x, ref position)
{
    const struct webnn_arg_min_max_attributes *p = ATTRIBUTES_OF(e, arg_min_max);
    ref is_nan = emit_cast(e, emit_unary(e, "IsNaN", x), DTYPE_UINT8);
    ref axes = emit_u32s(e, &p->axis, 1);
    ref any = emit_node(e, "ReduceMax", REFS(is_nan, axes),
                        ATTRIBUTES(INT("keepdims", p->keep_dimensions)));
    return emit_where(e, DTYPE_INT64, emit_cast(e, any, DTYPE_BOOL), arg_node(e, "ArgMax", is_nan),
                      position);
}

void nodes_arg(struct emit *e)
{
    enum dtype t;
    ref x = ordered(e, operand(e, 0), operand_dtype(e, 0), &t);
    ref position = arg_node(e, e->node->kind == WEBNN_ARG_MAX ? "ArgMax" : "ArgMin", x);
    if (dtype_is_float(t))
        position = first_nan_or(e, x, position);
    set_result_from(e, 0, position, DTYPE_INT64);
}

void nodes_cumulative_sum(struct emit *e)
{
    const struct webnn_cumulative_sum_attributes *p = ATTRIBUTES_OF(e, cumulative_sum);
    enum dtype t = operand_dtype(e, 0);
    enum dtype through = t == DTYPE_UINT32 ? DTYPE_INT32 : t == DTYPE_UINT64 ? DTYPE_INT64 : t;
    ref axis = emit_int(e, DTYPE_INT64, p->axis);
    ref sums = emit_node(e, "CumSum", REFS(operand_as(e, 0, through), axis),
                         ATTRIBUTES(INT("exclusive", p->exclusive), INT("reverse", p->reversed)));
    set_result_from(e, 0, sums, through);
}
