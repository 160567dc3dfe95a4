/* Slice: bounds as numbers or expressions, both directions. */
#include "lower/ops/movement.h"

#include "webnn/graph.h"

#include <string.h>

/* What is taken of one axis: `count` elements from `start` on, `step` apart; stepping down from the
 * last of them where `reversed`. From the end where the axis is open: `tail` of them. */
struct part {
    int64_t start;
    dim size; /* covered, before the stride */
    int64_t step;
    bool reversed, whole;
    int64_t tail; /* > 0: the indices -tail … -tail + size - 1 */
};

struct bounds {
    const expr_id *starts, *ends;
    struct ints steps;
    struct webnn_u32s axes;
    uint32_t count;
};

/* --- an axis of known size ------------------------------------------------------------------------ */

static int64_t clamp_to(int64_t v, int64_t size, int64_t low, int64_t high)
{
    if (v < 0)
        v = v < -size ? low : v + size;
    return v < low ? low : v > high ? high : v;
}

static struct part numbers_part(int64_t size, int64_t start, int64_t end, int64_t step)
{
    struct part p = { .step = 1 };
    bool down = step < 0;
    if (size == 0)
        return p;
    /* the runtime reads the greatest end as the far one in either direction */
    if (down && (end == INT32_MAX || end == INT64_MAX))
        end = INT64_MIN;
    start = clamp_to(start, size, 0, down ? size - 1 : size);
    end = down ? clamp_to(end, size, -1, size - 1) : clamp_to(end, size, 0, size);
    int64_t distance = down ? start - end : end - start;
    uint64_t stride = down ? -(uint64_t)step : (uint64_t)step;
    if (distance <= 0)
        return p;
    /* a step beyond the end is as good as any other: one element */
    p.step = stride >= (uint64_t)distance ? 1 : (int64_t)stride;
    int64_t steps = stride >= (uint64_t)distance ? 0 : (distance - 1) / p.step;
    p.size = steps * p.step + 1;
    p.start = down ? start - steps * p.step : start;
    p.reversed = down && p.size > 1;
    p.whole = p.size == size && p.step == 1 && !p.reversed;
    return p;
}

/* --- an open axis --------------------------------------------------------------------------------- */

static o2w_status refuse_open(struct lower *l, const struct node_view *n, dim size, const char *why)
{
    char *name = expr_text(lower_exprs(l), dim_expr_id(size), lower_arena(l));
    o2w_status s = refuse(l, n, DIAG_LOWER_NOT_KNOWN, "an axis of open size '%s' is sliced %s",
                          name ? name : "?", why);
    diag_hint(lower_diags(l), "--override-dim for '%s'", name ? name : "?");
    return s;
}

/* The place that a start or end means: a negative number counts from the end, a number that no size
 * reaches is the end, an expression stands for what is not negative. */
static o2w_status open_place(struct lower *l, const struct node_view *n, dim size, expr_id e,
                             dim *out)
{
    int64_t number, low, high;
    dim_bounds(lower_exprs(l), size, &low, &high);
    if (!expr_is_number(lower_exprs(l), e, &number)) {
        int64_t least, most;
        expr_bounds(lower_exprs(l), e, &least, &most);
        *out = dim_of_expr_id(e);
        return most < 0 ? dim_of(l, n, EXPR_ADD, size, *out, out) : O2W_OK;
    }
    if (number >= high)
        *out = size;
    else if (number >= 0)
        *out = number;
    else if (number == INT64_MIN || number < -high)
        *out = 0;
    else
        return dim_of(l, n, EXPR_SUB, size, -number, out);
    return O2W_OK;
}

/* The end within the axis: what is provably inside stays as it is. */
static o2w_status open_end(struct lower *l, const struct node_view *n, dim size, expr_id e,
                           dim *out)
{
    dim rest;
    int64_t low, high;
    TRY(open_place(l, n, size, e, out));
    TRY(dim_of(l, n, EXPR_SUB, size, *out, &rest));
    dim_bounds(lower_exprs(l), rest, &low, &high);
    return low >= 0 || *out == size ? O2W_OK : dim_of(l, n, EXPR_MIN, *out, size, out);
}

static o2w_status open_part(struct lower *l, const struct node_view *n, dim size, expr_id start,
                            expr_id end, int64_t step, struct part *p)
{
    dim from, to, tail;
    int64_t low, high;
    *p = (struct part){ .step = step };
    if (step <= 0 || step > INT32_MAX)
        return refuse_open(l, n, size, "with a step that is not positive");
    TRY(open_place(l, n, size, start, &from));
    TRY(open_end(l, n, size, end, &to));
    TRY(dim_of(l, n, EXPR_SUB, to, from, &p->size));
    dim_bounds(lower_exprs(l), p->size, &low, &high);
    if (high <= 0)
        p->size = 0;
    p->whole = from == 0 && to == size && step == 1;
    if (p->size == 0) /* nothing, wherever it starts */
        return O2W_OK;
    if (dim_is_static(from)) {
        p->start = from;
        return O2W_OK;
    }
    TRY(dim_of(l, n, EXPR_SUB, size, from, &tail));
    if (!dim_is_static(tail) || !dim_is_static(p->size) || step != 1)
        return refuse_open(l, n, size, "from a place that is not a number");
    p->tail = tail;
    return O2W_OK;
}

/* Stepping down over all of an open axis is a reversal. */
static bool reverses_all(struct lower *l, dim size, expr_id start, expr_id end, int64_t step)
{
    int64_t from, to, low, high;
    dim_bounds(lower_exprs(l), size, &low, &high);
    return step == -1 && expr_is_number(lower_exprs(l), start, &from) &&
           expr_is_number(lower_exprs(l), end, &to) && (from == -1 || from >= high - 1) &&
           to < -high;
}

static o2w_status part_of(struct lower *l, const struct node_view *n, dim size, expr_id start,
                          expr_id end, int64_t step, struct part *p)
{
    int64_t from, to;
    if (step == 0)
        return refuse(l, n, DIAG_LOWER_VALUE, "a step is 0");
    bool numbers =
        expr_is_number(lower_exprs(l), start, &from) && expr_is_number(lower_exprs(l), end, &to);
    if (dim_is_static(size) && numbers) {
        *p = numbers_part(size, from, to, step);
        return O2W_OK;
    }
    if (reverses_all(l, size, start, end, step)) {
        *p = (struct part){ .size = size, .step = 1, .reversed = true };
        return O2W_OK;
    }
    return open_part(l, n, size, start, end, step, p);
}

/* --- the whole slice ------------------------------------------------------------------------------- */

static o2w_status reverse(struct lower *l, value x, uint32_t axis, value *out)
{
    struct webnn_reverse_attributes a = { .axes = {
                                              .given = true, .count = 1, .items = { axis } } };
    value y;
    TRY(op(l, WEBNN_REVERSE, OPERANDS(x), &a, &y));
    return retype(l, y, x->dtype, out);
}

/* Counted from the end of an open axis: the last one by a negative index, others in reverse. */
static o2w_status take_tail(struct lower *l, value x, uint32_t axis, const struct part *p,
                            value *out)
{
    if (p->tail == 1)
        return gather_known(l, x, (const int64_t[]){ -1 }, 1, axis, out);
    TRY(reverse(l, x, axis, out));
    TRY(slice(l, *out, axis, p->tail - p->size, p->size, 1, out));
    return p->size == 1 ? O2W_OK : reverse(l, *out, axis, out);
}

/* One slice for all axes; the stride of a reversed axis comes after its reversal. */
static o2w_status take_parts(struct lower *l, value x, const struct part *parts, value *out)
{
    struct webnn_slice_attributes a = webnn_slice_defaults(), rest;
    struct webnn_reverse_attributes reversed = { .axes = { .given = true } };
    bool cut = false, strided = false;
    a.starts.given = a.sizes.given = a.strides.given = true;
    a.starts.count = a.sizes.count = a.strides.count = x->rank;
    rest = a;
    for (uint32_t i = 0; i < x->rank; i++) {
        const struct part *p = &parts[i];
        a.starts.items[i] = p->tail ? 0 : (uint32_t)p->start;
        a.sizes.items[i] = rest.sizes.items[i] = p->tail ? x->dims[i] : p->size;
        a.strides.items[i] = p->reversed ? 1 : (uint32_t)p->step;
        rest.strides.items[i] = p->reversed ? (uint32_t)p->step : 1;
        cut |= a.starts.items[i] != 0 || a.sizes.items[i] != x->dims[i] || a.strides.items[i] != 1;
        strided |= rest.strides.items[i] != 1;
        if (p->reversed)
            reversed.axes.items[reversed.axes.count++] = i;
    }
    *out = x;
    if (cut)
        TRY(op(l, WEBNN_SLICE, OPERANDS(*out), &a, out));
    if (reversed.axes.count)
        TRY(op(l, WEBNN_REVERSE, OPERANDS(*out), &reversed, out));
    for (uint32_t i = 0; strided && i < x->rank; i++)
        rest.sizes.items[i] = (*out)->dims[i];
    return strided ? op(l, WEBNN_SLICE, OPERANDS(*out), &rest, out) : O2W_OK;
}

static bool is_empty(const struct part *parts, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (parts[i].size == 0)
            return true;
    return false;
}

static o2w_status emit_empty(struct lower *l, const struct node_view *n, const struct part *parts)
{
    value x = input(n, 0), y;
    dim dims[MAX_RANK];
    for (uint32_t i = 0; i < x->rank; i++)
        TRY(dim_of(l, n, EXPR_CEIL_DIV, parts[i].size, parts[i].step, &dims[i]));
    TRY(fill_i64(l, x->dtype, 0, dims, x->rank, &y));
    return emit_value(l, n, y);
}

static o2w_status emit_slice(struct lower *l, const struct node_view *n, const struct bounds *b)
{
    value x = input(n, 0), y;
    struct part parts[MAX_RANK];
    for (uint32_t i = 0; i < x->rank; i++)
        parts[i] = (struct part){ .size = x->dims[i], .step = 1, .whole = true };
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t axis = b->axes.items[i];
        TRY(part_of(l, n, x->dims[axis], b->starts[i], b->ends[i],
                    b->steps.given ? b->steps.items[i] : 1, &parts[axis]));
    }
    if (is_empty(parts, x->rank))
        return emit_empty(l, n, parts);
    TRY(take_parts(l, x, parts, &y));
    for (uint32_t i = 0; i < x->rank; i++)
        if (parts[i].tail)
            TRY(take_tail(l, y, i, &parts[i], &y));
    return emit_value(l, n, y);
}

/* Without axes the bounds belong to the first ones. */
static o2w_status bound_axes(struct lower *l, const struct node_view *n, const struct ints *axes,
                             struct bounds *b)
{
    uint32_t rank = input(n, 0)->rank;
    if (axes->given) {
        if (axes->count != b->count)
            return refuse(l, n, DIAG_LOWER_INPUT, "%u axes are given for %u starts", axes->count,
                          b->count);
        return axes_from(l, n, axes, rank, false, &b->axes);
    }
    if (b->count > rank)
        return refuse(l, n, DIAG_LOWER_INPUT, "%u starts are given for rank %u", b->count, rank);
    b->axes = (struct webnn_u32s){ .given = true, .count = b->count };
    for (uint32_t i = 0; i < b->count; i++)
        b->axes.items[i] = i;
    return O2W_OK;
}

/* --- bounds at run time ------------------------------------------------------------------------------ */

/* What a computed bound is: another operand and a number. */
struct offset {
    operand_id root;
    int64_t number;
};

/* The one element of a constant of the graph; false when it has more. */
static bool constant_number(struct lower *l, const struct graph *g, operand_id id, int64_t *out)
{
    struct tensor t;
    const struct operand *o = graph_operand(g, id);
    if (o->kind != OPERAND_CONSTANT || !dtype_is_integer(o->dtype) ||
        graph_constant(g, id, lower_arena(l), NULL, &t) != O2W_OK || tensor_count(&t) != 1)
        return false;
    *out = tensor_get_i64(&t, 0);
    return true;
}

/* One step back: through what changes the shape or the width, and the addition of a number. */
static bool step_back(struct lower *l, const struct graph *g, struct offset *at)
{
    const struct operand *o = graph_operand(g, at->root);
    int64_t number;
    if (o->kind != OPERAND_RESULT)
        return false;
    const struct operator_node *n = &g->operators.items[o->source];
    if (n->kind == WEBNN_RESHAPE || n->kind == WEBNN_CAST) {
        at->root = n->operands[0];
        return dtype_is_integer(graph_operand(g, at->root)->dtype);
    }
    if (n->kind != WEBNN_ADD && n->kind != WEBNN_SUB)
        return false;
    if (constant_number(l, g, n->operands[1], &number)) {
        at->number += n->kind == WEBNN_ADD ? number : -number;
        at->root = n->operands[0];
        return true;
    }
    if (n->kind == WEBNN_SUB || !constant_number(l, g, n->operands[0], &number))
        return false;
    at->number += number;
    at->root = n->operands[1];
    return true;
}

static struct offset trace(struct lower *l, value v)
{
    struct offset at = { v->operand, 0 };
    for (int i = 0; i < 64; i++) {
        struct offset next = at;
        if (!step_back(l, lower_graph(l), &next) || next.number > INT32_MAX ||
            next.number < -INT32_MAX)
            break;
        at = next;
    }
    return at;
}

static bool is_computed(value v)
{
    uint64_t count;
    return v && v->kind == VALUE_OPERAND && value_count(v, &count) && count == 1;
}

/* Where both bounds are one computed number plus known ones, the size is known: x at start + 0, 1 … */
static o2w_status computed_slice(struct lower *l, const struct node_view *n, bool *done)
{
    value x = input(n, 0), start = input(n, 1), end = input(n, 2), places, y;
    struct webnn_gather_attributes a = webnn_gather_defaults();
    struct ints axes, steps;
    *done = false;
    if (!is_computed(start) || !is_computed(end))
        return O2W_OK;
    struct offset from = trace(l, start), to = trace(l, end);
    int64_t size = to.number - from.number;
    TRY(known_ints(l, n, 3, &axes));
    TRY(known_ints(l, n, 4, &steps));
    if (from.root != to.root || size < 1 || size > INT32_MAX ||
        (steps.given && steps.items[0] != 1))
        return O2W_OK;
    *done = true;
    TRY(axis_from(l, n, axes.given ? axes.items[0] : 0, x->rank, 0, &a.axis));
    TRY(iota(l, start->dtype, size, 0, 1, &places));
    TRY(reshape(l, start, (const dim[]){ 1 }, 1, &start));
    TRY(op2(l, WEBNN_ADD, start, places, &places));
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, places), &a, &y));
    return emit_value(l, n, y);
}

o2w_status lower_slice(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    struct bounds b = { 0 };
    struct ints axes;
    uint32_t ends;
    bool done;
    TRY(computed_slice(l, n, &done));
    if (done)
        return O2W_OK;
    TRY(known_shape(l, n, 1, &b.starts, &b.count));
    TRY(known_shape(l, n, 2, &b.ends, &ends));
    TRY(known_ints(l, n, 3, &axes));
    TRY(known_ints(l, n, 4, &b.steps));
    if (ends != b.count || (b.steps.given && b.steps.count != b.count))
        return refuse(l, n, DIAG_LOWER_INPUT, "starts, ends and steps have %u, %u and %u elements",
                      b.count, ends, b.steps.given ? b.steps.count : b.count);
    TRY(bound_axes(l, n, &axes, &b));
    return emit_slice(l, n, &b);
}

o2w_status lower_slice_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct slice_1_params *p = params;
    struct bounds b = { .count = p->starts.count };
    if (p->ends.count != b.count)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "%u ends are given for %u starts", p->ends.count,
                      b.count);
    expr_id *ids = ARENA_ARRAY(lower_arena(l), (size_t)b.count * 2, expr_id);
    if (!ids)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < b.count; i++) {
        TRY(expr_number(lower_exprs(l), p->starts.items[i], &ids[i]));
        TRY(expr_number(lower_exprs(l), p->ends.items[i], &ids[b.count + i]));
    }
    b.starts = ids;
    b.ends = ids + b.count;
    TRY(bound_axes(l, n, &p->axes, &b));
    return emit_slice(l, n, &b);
}
