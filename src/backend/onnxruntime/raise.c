/* Which operators are raised, and which are then not needed. */
#include "backend/onnxruntime/raise.h"

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

/* How many operators and outputs read each operand. */
static void count_uses(const struct graph *g, uint32_t *uses)
{
    for (size_t i = 0; i < g->operators.count; i++)
        for (uint32_t k = 0; k < g->operators.items[i].operand_count; k++)
            if (g->operators.items[i].operands[k] != NO_ID)
                uses[g->operators.items[i].operands[k]]++;
    for (size_t i = 0; i < g->outputs.count; i++)
        uses[g->outputs.items[i].operand]++;
}

static bool is_unused(const struct operator_node *node, const uint32_t *uses)
{
    for (uint32_t i = 0; i < node->result_count; i++)
        if (uses[node->first_result + i])
            return false;
    return true;
}

/* Operators whose results only absorbed ones read, last first: their operands lose a reader too. */
static void absorb_unused(const struct graph *g, uint32_t *uses, bool *loses,
                          const struct raising *r)
{
    for (size_t i = g->operators.count; i-- > 0;) {
        const struct operator_node *node = &g->operators.items[i];
        bool lost = false;
        for (uint32_t k = 0; k < node->result_count; k++)
            lost = lost || loses[node->first_result + k];
        if (!lost || r->rows[i] || !is_unused(node, uses))
            continue;
        r->absorbed[i] = true;
        for (uint32_t k = 0; k < node->operand_count; k++)
            if (node->operands[k] != NO_ID) {
                uses[node->operands[k]]--;
                loses[node->operands[k]] = true;
            }
    }
}

static void account(const struct operator_node *node, const struct raise_match *m, uint32_t *uses,
                    bool *loses)
{
    for (uint32_t k = 0; k < node->operand_count; k++)
        if (m->absorbs >> k & 1) {
            uses[node->operands[k]]--;
            loses[node->operands[k]] = true;
        }
    for (uint32_t k = 0; k < m->read_count; k++)
        uses[m->reads[k]]++;
}

o2w_status raise_plan(struct emit *e, bool raises, struct raising *out)
{
    const struct graph *g = e->graph;
    uint32_t *uses = ARENA_ARRAY(e->arena, g->operands.count, uint32_t);
    bool *loses = ARENA_ARRAY(e->arena, g->operands.count, bool);
    out->rows = ARENA_ARRAY(e->arena, g->operators.count, const struct raise_row *);
    out->absorbed = ARENA_ARRAY(e->arena, g->operators.count, bool);
    if (!uses || !loses || !out->rows || !out->absorbed)
        return diag_memory(e->diags);
    if (!raises)
        return O2W_OK;
    count_uses(g, uses);
    for (size_t i = 0; i < g->operators.count && e->status == O2W_OK; i++) {
        const struct operator_node *node = &g->operators.items[i];
        struct raise_match m;
        out->rows[i] = row_for(e, node, &m);
        if (out->rows[i])
            account(node, &m, uses, loses);
    }
    absorb_unused(g, uses, loses, out);
    return e->status;
}
