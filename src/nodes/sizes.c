/* Dims as tensors: constants, further inputs that are filled at dispatch, or computed from the inputs' shapes. */
#include "nodes/operand.h"
#include "nodes/order.h"

#include <string.h>

/* ---- inputs ---- */

/* Behind those of the graph. */
static ref shape_input(struct emit *e, const dim *dims, const int64_t *plus, uint32_t count,
                       bool scalar)
{
    dim *own_dims = ARENA_ARRAY(e->arena, count, dim);
    int64_t *sums = ARENA_ARRAY(e->arena, count, int64_t);
    char *name = arena_printf(e->arena, "%c%zu", SHAPE_LETTER, e->shapes.count);
    const int64_t length = count;
    const struct sink_port port = { .value = name,
                                    .name = span_of(name ? name : ""),
                                    .dtype = DTYPE_INT64,
                                    .rank = scalar ? 0 : 1,
                                    .dims = &length };
    const struct shape_input input = {
        .dims = own_dims, .plus = sums, .count = count, .scalar = scalar
    };
    if (!name || !sums || !own_dims || !VEC_PUSH(&e->shapes, input)) {
        emit_keep(e, diag_memory(e->diags));
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        own_dims[i] = dims[i];
        sums[i] = plus ? plus[i] : 0;
    }
    emit_keep(e, e->sink->input(e->sink->self, &port, e->diags));
    return name;
}

/* ---- nodes: int64[1], numbers in expressions int64[] ---- */

/* The size of the first input dim of that name. */
static ref name_size(struct emit *e, size_t name)
{
    const struct graph *g = e->graph;
    size_t found;
    for (size_t i = 0; i < g->inputs.count; i++) {
        operand_id id = g->inputs.items[i];
        const struct operand *o = graph_operand(g, id);
        for (uint32_t axis = 0; axis < o->rank; axis++)
            if (!dim_is_static(o->dims[axis]) &&
                expr_is_name(g->exprs, dim_expr_id(o->dims[axis]), &found) && found == name)
                return emit_node(e, "Shape", &e->forms[id].plain, 1,
                                 ATTRIBUTES(INT("start", axis), INT("end", (int64_t)axis + 1)));
    }
    emit_fail(e, "a dim has a name that no input has");
    return NULL;
}

static ref expression(struct emit *e, expr_id id);

/* Toward minus infinity; the operator rounds toward 0, and its Mod has the sign of b. */
static ref floor_div(struct emit *e, ref a, ref b, bool positive)
{
    if (!positive)
        a = emit_binary(e, "Sub", a, emit_binary(e, "Mod", a, b));
    return emit_binary(e, "Div", a, b);
}

static ref factor(struct emit *e, const struct expr_factor *f)
{
    int64_t least_a, least_b, most;
    if (f->is_name)
        return name_size(e, f->name);
    ref a = expression(e, f->a), b = expression(e, f->b);
    expr_bounds(e->graph->exprs, f->a, &least_a, &most);
    expr_bounds(e->graph->exprs, f->b, &least_b, &most);
    if (f->op == EXPR_MOD)
        return emit_binary(e, "Mod", a, b);
    if (f->op == EXPR_MIN)
        return emit_min(e, DTYPE_INT64, a, b);
    if (f->op == EXPR_MAX)
        return emit_max(e, DTYPE_INT64, a, b);
    if (f->op == EXPR_CEIL_DIV)
        return emit_unary(e, "Neg", floor_div(e, emit_unary(e, "Neg", a), b, false));
    return floor_div(e, a, b, least_a >= 0 && least_b >= 0);
}

static ref term(struct emit *e, expr_id id, size_t index)
{
    struct expr_factor f;
    size_t count;
    int64_t coefficient = expr_term(e->graph->exprs, id, index, &count);
    ref product = count && coefficient == 1 ? NULL : emit_int(e, DTYPE_INT64, coefficient);
    for (size_t i = 0; i < count && e->status == O2W_OK; i++) {
        expr_factor_at(e->graph->exprs, id, index, i, &f);
        ref value = factor(e, &f);
        product = product ? emit_binary(e, "Mul", product, value) : value;
    }
    return product;
}

/* Each expression once. */
static ref expression(struct emit *e, expr_id id)
{
    const struct shared_key key = shared_key(DTYPE_COUNT, id);
    size_t count = expr_term_count(e->graph->exprs, id);
    ref sum = emit_shared(e, &key);
    if (sum || e->status != O2W_OK)
        return sum;
    for (size_t i = 0; i < count && e->status == O2W_OK; i++) {
        ref value = term(e, id, i);
        sum = sum ? emit_binary(e, "Add", sum, value) : value;
    }
    if (!sum)
        sum = emit_int(e, DTYPE_INT64, 0);
    emit_share(e, &key, sum);
    return sum;
}

static ref computed(struct emit *e, dim d, int64_t plus)
{
    ref size = expression(e, dim_expr_id(d));
    return plus ? emit_binary(e, "Add", size, emit_int(e, DTYPE_INT64, plus)) : size;
}

/* Numbers that stand side by side are one constant. */
static ref computed_list(struct emit *e, const dim *dims, const int64_t *plus, uint32_t count)
{
    ref parts[MAX_RANK * 2];
    int64_t numbers[MAX_RANK * 2];
    uint32_t part_count = 0, number_count = 0;
    for (uint32_t i = 0; i < count && e->status == O2W_OK; i++) {
        if (dim_is_static(dims[i]))
            numbers[number_count++] = dims[i] + (plus ? plus[i] : 0);
        else
            parts[part_count++] = computed(e, dims[i], plus ? plus[i] : 0);
        if (number_count && (i + 1 == count || !dim_is_static(dims[i + 1]))) {
            parts[part_count++] = emit_i64s(e, numbers, number_count);
            number_count = 0;
        }
    }
    return part_count == 1 ? parts[0]
                           : emit_node(e, "Concat", parts, part_count, ATTRIBUTES(INT("axis", 0)));
}

/* ---- either ---- */

ref emit_dims(struct emit *e, const dim *dims, const int64_t *plus, uint32_t count)
{
    int64_t sums[MAX_RANK * 2];
    if (e->status != O2W_OK)
        return NULL;
    if (!dims_static(dims, count))
        return e->fed_shapes ? shape_input(e, dims, plus, count, false)
                             : computed_list(e, dims, plus, count);
    for (uint32_t i = 0; i < count; i++)
        sums[i] = dims[i] + (plus ? plus[i] : 0);
    return emit_i64s(e, sums, count);
}

ref emit_dim(struct emit *e, dim d, int64_t plus)
{
    if (e->status != O2W_OK)
        return NULL;
    if (dim_is_static(d))
        return emit_int(e, DTYPE_INT64, d + plus);
    return e->fed_shapes ? shape_input(e, &d, &plus, 1, true)
                         : emit_unary(e, "Squeeze", computed(e, d, plus));
}
