#include "webnn/passes.h"

#include "webnn/graph_private.h"
#include "webnn/passes_private.h"

/* ---- what outputs need ---- */

static void mark_needed(const struct graph *g, struct selection *s)
{
    for (size_t i = 0; i < g->outputs.count; i++)
        s->operands[g->outputs.items[i].operand] = true;
    for (size_t i = g->operators.count; i-- > 0;) {
        const struct operator_node *node = &g->operators.items[i];
        for (uint32_t k = 0; k < node->result_count; k++)
            s->operators[i] = s->operators[i] || s->operands[node->first_result + k];
        for (uint32_t k = 0; k < node->operand_count && s->operators[i]; k++)
            if (node->operands[k] != NO_ID)
                s->operands[node->operands[k]] = true;
    }
}

/* ---- inputs that name dims ---- */

static void mark_dims(const struct graph *g, const dim *dims, uint32_t rank, bool *names)
{
    for (uint32_t i = 0; i < rank; i++)
        if (!dim_is_static(dims[i]))
            expr_mark_names(g->exprs, dim_expr_id(dims[i]), names);
}

/* The names that shapes and sizes of the operators that stay are computed from. */
static void mark_names(const struct graph *g, const struct selection *s, bool *names)
{
    for (size_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *node = &g->operators.items[i];
        const struct operator_row *row = operator_row(node->kind);
        for (uint32_t k = 0; k < node->result_count && s->operators[i]; k++) {
            const struct operand *o = graph_operand(g, node->first_result + k);
            mark_dims(g, o->dims, o->rank, names);
        }
        for (uint32_t k = 0; k < row->attribute_count && s->operators[i]; k++) {
            const struct webnn_dims *dims = attribute_at(node->attributes, &row->attributes[k]);
            if (row->attributes[k].type == ATTRIBUTE_DIMS && dims->given)
                mark_dims(g, dims->items, dims->count, names);
        }
    }
}

static bool names_something(const struct graph *g, const struct operand *input, const bool *wanted)
{
    size_t index;
    for (uint32_t i = 0; i < input->rank; i++)
        if (!dim_is_static(input->dims[i]) &&
            expr_is_name(g->exprs, dim_expr_id(input->dims[i]), &index) && wanted[index])
            return true;
    return false;
}

static void unmark_names(const struct graph *g, const struct operand *input, bool *wanted)
{
    size_t index;
    for (uint32_t i = 0; i < input->rank; i++)
        if (!dim_is_static(input->dims[i]) &&
            expr_is_name(g->exprs, dim_expr_id(input->dims[i]), &index))
            wanted[index] = false;
}

/* An input whose values nobody reads stays where it alone tells the size of a dim. */
static o2w_status keep_naming_inputs(const struct graph *g, struct selection *s)
{
    bool *wanted = ARENA_ARRAY(&s->arena, expr_name_count(g->exprs), bool);
    if (!wanted)
        return O2W_NO_MEMORY;
    mark_names(g, s, wanted);
    for (size_t i = 0; i < g->inputs.count; i++)
        if (s->operands[g->inputs.items[i]])
            unmark_names(g, graph_operand(g, g->inputs.items[i]), wanted);
    for (size_t i = 0; i < g->inputs.count; i++) {
        operand_id id = g->inputs.items[i];
        if (s->operands[id] || !names_something(g, graph_operand(g, id), wanted))
            continue;
        s->operands[id] = true;
        unmark_names(g, graph_operand(g, id), wanted);
    }
    return O2W_OK;
}

static o2w_status select_inputs(const struct graph *g, struct selection *s, bool drop_unused)
{
    if (drop_unused)
        return keep_naming_inputs(g, s);
    for (size_t i = 0; i < g->inputs.count; i++)
        s->operands[g->inputs.items[i]] = true;
    return O2W_OK;
}

/* ---- the pass ---- */

static size_t count_true(const bool *flags, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += flags[i];
    return n;
}

o2w_status pass_dead_code(struct graph *g, bool drop_unused_inputs, struct diags *d)
{
    struct selection s;
    if (selection_init(&s, g) != O2W_OK)
        return diag_memory(d);
    mark_needed(g, &s);
    if (select_inputs(g, &s, drop_unused_inputs) != O2W_OK) {
        selection_clear(&s);
        return diag_memory(d);
    }
    size_t operators = g->operators.count, inputs = g->inputs.count;
    bool dead = count_true(s.operators, operators) < operators;
    graph_compact(g, &s);
    selection_clear(&s);
    dead = dead || g->inputs.count < inputs;
    return dead && g->constraints.count ? graph_derive_constraints(g, d) : O2W_OK;
}
