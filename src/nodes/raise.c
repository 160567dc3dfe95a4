/* Which operators are raised, and which are then not needed. */
#include "nodes/raise.h"

#include "webnn/uses.h"

/* The end is NULL. */
static const struct raise_row *const raise_rows[] = { &raise_matmul_nbits, &raise_rms_norm,
                                                      &raise_rotary, NULL };

const struct operator_node *operand_producer(const struct emit *e, operand_id id)
{
    const struct operand *o = graph_operand(e->graph, id);
    return o->kind == OPERAND_RESULT ? &e->graph->operators.items[o->source] : NULL;
}

const struct operator_node *operand_made_by(const struct emit *e, operand_id id,
                                            enum webnn_operator kind)
{
    const struct operator_node *node = operand_producer(e, id);
    return node && node->kind == kind ? node : NULL;
}

bool operand_number(struct emit *e, operand_id id, double *out)
{
    struct tensor t;
    if (graph_operand(e->graph, id)->kind != OPERAND_CONSTANT)
        return false;
    emit_keep(e, graph_constant(e->graph, id, e->arena, e->diags, &t));
    if (e->status != O2W_OK || tensor_count(&t) != 1 || !dtype_is_float(t.dtype))
        return false;
    *out = tensor_get_double(&t, 0);
    return true;
}

ref operand_of(struct emit *e, const struct operator_node *node, uint32_t slot)
{
    const struct operator_node *own = e->node;
    e->node = node;
    ref value = operand(e, slot);
    e->node = own;
    return value;
}

static const struct raise_row *row_for(struct emit *e, const struct operator_node *node,
                                       struct raise_match *m)
{
    for (const struct raise_row *const *row = raise_rows; *row; row++) {
        *m = (struct raise_match){ 0 };
        if ((*row)->anchor == node->kind && (*row)->matches(e, node, m))
            return *row;
    }
    return NULL;
}

static void account(const struct operator_node *node, const struct raise_match *m, struct uses *u)
{
    for (uint32_t k = 0; k < node->operand_count; k++)
        if (m->absorbs >> k & 1)
            uses_drop(u, node->operands[k]);
    for (uint32_t k = 0; k < m->read_count; k++)
        u->counts[m->reads[k]]++;
}

o2w_status raise_plan(struct emit *e, bool raises, struct raising *out)
{
    const struct graph *g = e->graph;
    struct uses uses;
    out->rows = ARENA_ARRAY(e->arena, g->operators.count, const struct raise_row *);
    out->absorbed = ARENA_ARRAY(e->arena, g->operators.count, bool);
    if (!out->rows || !out->absorbed || !uses_count(g, e->arena, &uses))
        return diag_memory(e->diags);
    if (!raises)
        return O2W_OK;
    for (size_t i = 0; i < g->operators.count && e->status == O2W_OK; i++) {
        const struct operator_node *node = &g->operators.items[i];
        struct raise_match m;
        out->rows[i] = row_for(e, node, &m);
        uses.kept[i] = out->rows[i] != NULL;
        if (out->rows[i])
            account(node, &m, &uses);
    }
    uses_absorb(g, &uses, out->absorbed);
    return e->status;
}
