/* Which operators are raised, and which are then not needed. */
#include "backend/onnxruntime/raise.h"

/* The end is NULL. */
static const struct raise_row *const raise_rows[] = { &raise_matmul_nbits, NULL };

const struct operator_node *operand_producer(const struct emit *e, operand_id id)
{
    const struct operand *o = graph_operand(e->graph, id);
    return o->kind == OPERAND_RESULT ? &e->graph->operators.items[o->source] : NULL;
}

static const struct raise_row *row_for(struct emit *e, const struct operator_node *node,
                                       uint32_t *slot)
{
    for (const struct raise_row *const *row = raise_rows; *row; row++)
        if ((*row)->anchor == node->kind && (*row)->matches(e, node, slot))
            return *row;
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
static void absorb_unused(const struct graph *g, uint32_t *uses, const bool *loses, bool *absorbed)
{
    for (size_t i = g->operators.count; i-- > 0;) {
        const struct operator_node *node = &g->operators.items[i];
        bool lost = false;
        for (uint32_t k = 0; k < node->result_count; k++)
            lost = lost || loses[node->first_result + k];
        if (!lost || !is_unused(node, uses))
            continue;
        absorbed[i] = true;
        for (uint32_t k = 0; k < node->operand_count; k++)
            if (node->operands[k] != NO_ID)
                uses[node->operands[k]]--;
    }
}

/* What feeds an absorbed slot, all the way up. */
static void mark_sources(const struct emit *e, operand_id id, bool *loses)
{
    const struct operator_node *node = operand_producer(e, id);
    loses[id] = true;
    while (node && node->operand_count > 0 && node->operands[0] != NO_ID) {
        loses[node->operands[0]] = true;
        node = operand_producer(e, node->operands[0]);
    }
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
        uint32_t slot;
        out->rows[i] = row_for(e, node, &slot);
        if (!out->rows[i])
            continue;
        uses[node->operands[slot]]--;
        mark_sources(e, node->operands[slot], loses);
    }
    absorb_unused(g, uses, loses, out->absorbed);
    return e->status;
}
