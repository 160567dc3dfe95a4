#include "webnn/uses.h"

bool uses_count(const struct graph *g, struct arena *a, struct uses *out)
{
    out->counts = ARENA_ARRAY(a, g->operands.count + 1, uint32_t);
    out->lost = ARENA_ARRAY(a, g->operands.count + 1, bool);
    out->kept = ARENA_ARRAY(a, g->operators.count + 1, bool);
    if (!out->counts || !out->lost || !out->kept)
        return false;
    for (size_t i = 0; i < g->operators.count; i++)
        for (uint32_t k = 0; k < g->operators.items[i].operand_count; k++)
            if (g->operators.items[i].operands[k] != NO_ID)
                out->counts[g->operators.items[i].operands[k]]++;
    for (size_t i = 0; i < g->outputs.count; i++)
        out->counts[g->outputs.items[i].operand]++;
    return true;
}

void uses_drop(struct uses *u, operand_id id)
{
    u->counts[id]--;
    u->lost[id] = true;
}

static bool is_absorbed(const struct operator_node *node, const struct uses *u)
{
    bool lost = false;
    for (uint32_t i = 0; i < node->result_count; i++) {
        if (u->counts[node->first_result + i])
            return false;
        lost = lost || u->lost[node->first_result + i];
    }
    return lost;
}

void uses_absorb(const struct graph *g, struct uses *u, bool *absorbed)
{
    for (size_t i = g->operators.count; i-- > 0;) {
        const struct operator_node *node = &g->operators.items[i];
        if (u->kept[i] || !is_absorbed(node, u))
            continue;
        absorbed[i] = true;
        for (uint32_t k = 0; k < node->operand_count; k++)
            if (node->operands[k] != NO_ID)
                uses_drop(u, node->operands[k]);
    }
}
