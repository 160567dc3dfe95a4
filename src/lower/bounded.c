#include "lower/bounded.h"

#include "lower/helpers.h"
#include "lower/internal.h"

int64_t lower_bound_of(struct lower *l, const struct node_view *n)
{
    for (size_t i = 0; i < l->options->bound_count; i++)
        if (span_equal(l->options->bounds[i].node, n->onnx->name)) {
            l->bounds_used[i] = true;
            return l->options->bounds[i].value;
        }
    return 0;
}

o2w_status refuse_unbounded(struct lower *l, const struct node_view *n)
{
    bool bounded = n->row->class == CLASS_BOUNDED;
    TRY(refuse_operator(l, n->onnx,
                        bounded ? "output size depends on data; --bound NODE=N makes room for N"
                                : "output size depends on data"));
    return O2W_UNSUPPORTED;
}

static o2w_status mark(struct lower *l, value v, uint32_t axis, value count, int64_t most,
                       value *out)
{
    struct bounded *b = ARENA_NEW(&l->arena, struct bounded);
    struct lower_value own = *v;
    if (!b)
        return diag_memory(l->diags);
    *b = (struct bounded){ axis, count, most };
    own.bounded = b;
    return value_new(l, &own, out);
}

o2w_status emit_bounded(struct lower *l, const struct node_view *n, uint32_t i, value v,
                        uint32_t axis, value count)
{
    TRY(emit_output(l, n, i, v));
    return i < n->output_count ? mark(l, n->outputs[i], axis, count, v->dims[axis], &n->outputs[i])
                               : O2W_OK;
}

/* Place k is where the sums of the mask so far first exceed k: as many places have sums up to k. */
o2w_status bounded_places(struct lower *l, const struct node_view *n, value mask, int64_t most,
                          value *places, value *count)
{
    struct webnn_cumulative_sum_attributes a = { .axis = 0 };
    const uint32_t front = 0, back = 1;
    int64_t size;
    value flags, sums, total, slots, y;
    TRY(static_dim(l, n, mask, 0, &size));
    if (most < 1 || most > 1 << 26 || size > (1 << 26) / most)
        return refuse(l, n, DIAG_LOWER_LIMIT, "a bound of %lld over %lld elements is too large",
                      (long long)most, (long long)size);
    if (size == 0)
        return refuse(l, n, DIAG_LOWER_SHAPE, "the input is empty");
    TRY(cast(l, mask, DTYPE_INT32, &flags));
    TRY(op(l, WEBNN_CUMULATIVE_SUM, OPERANDS(flags), &a, &sums));
    TRY(slice(l, sums, 0, size - 1, 1, 1, &total));
    TRY(iota(l, DTYPE_INT32, most, 0, 2, &slots));
    TRY(unsqueeze(l, sums, &front, 1, &sums));
    struct calc c = calc_begin(l, sums);
    value last = calc_sub(&c, total, calc_number(&c, 1));
    slots = calc_min(&c, slots, last);
    y = calc_cast(&c, calc_less_equal(&c, sums, slots), DTYPE_INT32);
    y = calc_cast(&c, calc_reduce(&c, WEBNN_REDUCE_SUM, y, 1), DTYPE_INT64);
    *count = calc_cast(&c, total, DTYPE_INT64);
    TRY(c.status);
    TRY(squeeze(l, *count, &front, 1, count));
    return squeeze(l, y, &back, 1, places);
}

/* --- what takes them ------------------------------------------------------------------------------------ */

static const char *const elementwise[] = {
    "Abs",
    "Add",
    "And",
    "Cast",
    "CastLike",
    "Ceil",
    "Clip",
    "Cos",
    "Div",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "Greater",
    "GreaterOrEqual",
    "HardSigmoid",
    "HardSwish",
    "Identity",
    "IsInf",
    "IsNaN",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "Max",
    "Min",
    "Mod",
    "Mul",
    "Neg",
    "Not",
    "Or",
    "Pow",
    "Reciprocal",
    "Relu",
    "Round",
    "Sigmoid",
    "Sign",
    "Sin",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Sub",
    "Sum",
    "Tan",
    "Tanh",
    "Where",
    "Xor",
};

static bool is_elementwise(struct span name)
{
    for (size_t i = 0; i < sizeof elementwise / sizeof *elementwise; i++)
        if (span_is(name, elementwise[i]))
            return true;
    return false;
}

static o2w_status refuse_bounded(struct lower *l, const struct node_view *n, uint32_t i,
                                 const struct bounded_use *use)
{
    o2w_status s = refuse_input(l, n, i, "has a size that depends on data, up to %lld",
                                (long long)use->mark->most);
    diag_hint(l->diags, "such results go to outputs, Gather, GatherND, Transpose and elementwise "
                        "operators only");
    return s;
}

/* The axis from the end, which all bounded inputs share; others are 1 there or do not have it. */
static o2w_status take_elementwise(struct lower *l, const struct node_view *n,
                                   struct bounded_use *use)
{
    use->axis = 0;
    for (uint32_t i = 0; i < n->input_count; i++) {
        value v = n->inputs[i];
        if (!v || !v->bounded)
            continue;
        uint32_t axis = v->rank - v->bounded->axis;
        if (v->bounded->count != use->mark->count || (use->axis && use->axis != axis))
            return refuse_bounded(l, n, i, use);
        use->axis = axis;
    }
    for (uint32_t i = 0; i < n->input_count; i++) {
        value v = n->inputs[i];
        if (v && !v->bounded && v->rank >= use->axis && v->dims[v->rank - use->axis] != 1)
            return refuse(l, n, DIAG_LOWER_SHAPE,
                          "input %u has no size 1 where another input has a size that depends on "
                          "data",
                          i);
    }
    return O2W_OK;
}

/* Indices alone may be bounded: their axes stand in the result from the gathered axis on. */
static o2w_status take_gather(struct lower *l, const struct node_view *n, struct bounded_use *use)
{
    const struct onnx_attribute *a = onnx_node_attribute(n->onnx, "axis");
    value data = input(n, 0);
    uint32_t axis;
    if (use->at != 1 || !data || data->bounded || (a && a->ref_name.size))
        return refuse_bounded(l, n, use->at, use);
    TRY(axis_from(l, n, a ? a->i : 0, data->rank, 0, &axis));
    use->axis = axis + use->mark->axis;
    return O2W_OK;
}

static o2w_status take_gather_nd(struct lower *l, const struct node_view *n,
                                 struct bounded_use *use)
{
    value indices = input(n, 1);
    if (use->at != 1 || !indices || use->mark->axis + 1 == indices->rank)
        return refuse_bounded(l, n, use->at, use);
    use->axis = use->mark->axis;
    return O2W_OK;
}

static o2w_status take_transpose(struct lower *l, const struct node_view *n,
                                 struct bounded_use *use)
{
    const struct onnx_attribute *a = onnx_node_attribute(n->onnx, "perm");
    value x = input(n, 0);
    if (!x || (a && (a->ref_name.size || a->count != x->rank)))
        return refuse_bounded(l, n, 0, use);
    use->axis = x->rank - 1 - use->mark->axis;
    for (uint32_t i = 0; a && i < a->count; i++)
        if (a->ints[i] == use->mark->axis)
            use->axis = i;
    return O2W_OK;
}

static o2w_status take(struct lower *l, const struct node_view *n, struct bounded_use *use)
{
    struct span name = n->onnx->op_type;
    bool standard = span_is(n->onnx->domain, "ai.onnx");
    use->from_end = standard && is_elementwise(name);
    if (use->from_end)
        return take_elementwise(l, n, use);
    if (standard && span_is(name, "Gather"))
        return take_gather(l, n, use);
    if (standard && span_is(name, "GatherND"))
        return take_gather_nd(l, n, use);
    if (standard && span_is(name, "Transpose"))
        return take_transpose(l, n, use);
    return refuse_bounded(l, n, use->at, use);
}

o2w_status bounded_take(struct lower *l, struct node_view *n, struct bounded_use *use)
{
    value *inputs = (value *)(uintptr_t)n->inputs; /* in the arena, the node's own */
    uint32_t at = 0;
    *use = (struct bounded_use){ 0 };
    while (at < n->input_count && !(inputs[at] && inputs[at]->bounded))
        at++;
    if (at == n->input_count)
        return O2W_OK;
    use->mark = inputs[at]->bounded;
    use->at = at;
    TRY(take(l, n, use));
    for (uint32_t i = 0; i < n->input_count; i++)
        if (inputs[i] && inputs[i]->bounded) {
            struct lower_value plain = *inputs[i];
            plain.bounded = NULL;
            TRY(value_new(l, &plain, &inputs[i]));
        }
    return O2W_OK;
}

o2w_status bounded_give(struct lower *l, struct node_view *n, const struct bounded_use *use)
{
    for (uint32_t i = 0; use->mark && i < n->output_count; i++) {
        value v = n->outputs[i];
        if (!v)
            continue;
        uint32_t axis = use->from_end ? v->rank - use->axis : use->axis;
        TRY(mark(l, v, axis, use->mark->count, use->mark->most, &n->outputs[i]));
    }
    return O2W_OK;
}
