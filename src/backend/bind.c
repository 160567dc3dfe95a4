/* Sizes of a dispatch: what the inputs' shapes give the named dims, and what follows from them. */
#include "backend/backend.h"

#include "base/text.h"

#include <inttypes.h>

/* A name that no input has bound yet. */
enum { UNBOUND = -1 };

static o2w_status refuse_input(const struct graph *g, operand_id id, struct diags *d, uint32_t axis,
                               int64_t found, const char *wanted)
{
    struct arena names;
    arena_init(&names, g->allocator);
    o2w_status status = diag_error(
        d, DIAG_DISPATCH_ARGUMENT, "input '%.*s': dim %" PRIu32 " is %" PRId64 ", must be %s",
        SPAN_ARG(graph_operand_name(g, id, &names)), axis, found, wanted);
    arena_free(&names);
    return status;
}

/* One size for one name: inside its bounds, and the same everywhere. */
static o2w_status bind_name(const struct graph *g, operand_id id, uint32_t axis, size_t index,
                            int64_t size, int64_t *values, struct diags *d)
{
    struct span name;
    int64_t min, max;
    char wanted[160];
    expr_name_at(g->exprs, index, &name, &min, &max);
    if (values[index] != UNBOUND && values[index] != size) {
        text_format(wanted, sizeof wanted, "%" PRId64 ", the size of '%.*s' elsewhere",
                    values[index], SPAN_ARG(name));
        return refuse_input(g, id, d, axis, size, wanted);
    }
    if (size < min || size > max) {
        text_format(wanted, sizeof wanted, "%" PRId64 " to %" PRId64 " (dim '%.*s')", min, max,
                    SPAN_ARG(name));
        return refuse_input(g, id, d, axis, size, wanted);
    }
    values[index] = size;
    return O2W_OK;
}

static o2w_status bind_input(const struct graph *g, operand_id id, const struct tensor *t,
                             int64_t *values, struct diags *d)
{
    const struct operand *o = graph_operand(g, id);
    char wanted[32];
    for (uint32_t axis = 0; axis < o->rank; axis++) {
        size_t index;
        int64_t size = t->dims[axis];
        if (!dim_is_static(o->dims[axis])) {
            if (!expr_is_name(g->exprs, dim_expr_id(o->dims[axis]), &index))
                return diag_error(d, DIAG_INTERNAL,
                                  "an input's dim is neither a number nor a name");
            TRY(bind_name(g, id, axis, index, size, values, d));
        } else if (size != o->dims[axis]) {
            text_format(wanted, sizeof wanted, "%" PRId64, o->dims[axis]);
            return refuse_input(g, id, d, axis, size, wanted);
        }
    }
    return O2W_OK;
}

static o2w_status refuse_constraint(const struct graph *g, const struct constraint *c, int64_t a,
                                    int64_t b, struct diags *d)
{
    struct arena texts;
    arena_init(&texts, g->allocator);
    const char *left = expr_text(g->exprs, c->a, &texts),
               *right = expr_text(g->exprs, c->b, &texts);
    bool labelled = c->label && *c->label;
    o2w_status status = O2W_NO_MEMORY;
    if (left && right)
        status = diag_error(d, DIAG_DYN_CONSTRAINT,
                            "%s must equal %s, but they are %" PRId64 " and %" PRId64, left, right,
                            a, b);
    if (left && right && c->kind < WEBNN_OPERATOR_COUNT)
        diag_line(d, "at", "%s%s%s%s", operator_row(c->kind)->name, labelled ? " '" : "",
                  labelled ? c->label : "", labelled ? "'" : "");
    arena_free(&texts);
    return left && right ? status : diag_memory(d);
}

static o2w_status evaluate(const struct graph *g, expr_id e, const int64_t *values, struct diags *d,
                           int64_t *out)
{
    if (expr_evaluate(g->exprs, e, values, out) == O2W_OK)
        return O2W_OK;
    return diag_error(d, DIAG_LIMIT, "a size of the graph overflows with these inputs");
}

o2w_status backend_bind_dims(const struct graph *g, const struct binding *inputs, int64_t *values,
                             struct diags *d)
{
    for (size_t i = 0; i < expr_name_count(g->exprs); i++)
        values[i] = UNBOUND;
    for (size_t i = 0; i < g->inputs.count; i++)
        TRY(bind_input(g, g->inputs.items[i], &inputs[i].tensor, values, d));
    for (size_t i = 0; i < expr_name_count(g->exprs); i++)
        if (values[i] == UNBOUND)
            values[i] = 0; /* declared, but of no input: nothing depends on it */
    for (size_t i = 0; i < g->constraints.count; i++) {
        const struct constraint *c = &g->constraints.items[i];
        int64_t a, b;
        TRY(evaluate(g, c->a, values, d, &a));
        TRY(evaluate(g, c->b, values, d, &b));
        if (a != b)
            return refuse_constraint(g, c, a, b, d);
    }
    return O2W_OK;
}

o2w_status backend_operand_shape(const struct graph *g, operand_id id, const int64_t *values,
                                 struct tensor *out)
{
    const struct operand *o = graph_operand(g, id);
    uint64_t count, bytes;
    out->dtype = o->dtype;
    out->rank = o->rank;
    out->data = NULL;
    for (uint32_t i = 0; i < o->rank; i++) {
        out->dims[i] = o->dims[i];
        if (!dim_is_static(o->dims[i]))
            TRY(expr_evaluate(g->exprs, dim_expr_id(o->dims[i]), values, &out->dims[i]));
        if (out->dims[i] < 0)
            return O2W_RANGE;
    }
    if (!dims_count(out->dims, out->rank, &count) || !dtype_bytes(out->dtype, count, &bytes) ||
        bytes > INT64_MAX)
        return O2W_RANGE;
    return O2W_OK;
}
