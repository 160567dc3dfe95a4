#include "webnn/passes_private.h"

#include <string.h>

o2w_status selection_init(struct selection *s, const struct graph *g)
{
    *s = (struct selection){ 0 };
    arena_init(&s->arena, g->allocator);
    s->operators = ARENA_ARRAY(&s->arena, g->operators.count, bool);
    s->operands = ARENA_ARRAY(&s->arena, g->operands.count, bool);
    s->weights = ARENA_ARRAY(&s->arena, g->weights.count, bool);
    s->moved = ARENA_ARRAY(&s->arena, g->operands.count, operand_id);
    s->moved_weights = ARENA_ARRAY(&s->arena, g->weights.count, uint32_t);
    s->moved_operators = ARENA_ARRAY(&s->arena, g->operators.count, operator_id);
    if (s->operators && s->operands && s->weights && s->moved && s->moved_weights &&
        s->moved_operators)
        return O2W_OK;
    selection_clear(s);
    return O2W_NO_MEMORY;
}

void selection_clear(struct selection *s)
{
    arena_free(&s->arena);
}

static bool stays(const struct graph *g, const struct selection *s, size_t id)
{
    const struct operand *o = &g->operands.items[id];
    return o->kind == OPERAND_RESULT ? s->operators[o->source] : s->operands[id];
}

static void compact_weights(struct graph *g, struct selection *s)
{
    size_t count = 0;
    for (size_t i = 0; i < g->constants.count; i++)
        if (s->operands[g->constants.items[i]])
            s->weights[graph_operand(g, g->constants.items[i])->source] = true;
    for (size_t i = 0; i < g->weights.count; i++) {
        if (!s->weights[i]) {
            file_release(g->weights.items[i].file);
            continue;
        }
        s->moved_weights[i] = (uint32_t)count;
        g->weights.items[count++] = g->weights.items[i];
    }
    g->weights.count = count;
}

/* Sources of inputs are set with the list of inputs. */
static void compact_operands(struct graph *g, struct selection *s)
{
    size_t count = 0;
    for (size_t i = 0; i < g->operands.count; i++) {
        if (!stays(g, s, i)) {
            s->moved[i] = NO_ID;
            continue;
        }
        struct operand o = g->operands.items[i];
        if (o.kind == OPERAND_CONSTANT)
            o.source = s->moved_weights[o.source];
        else if (o.kind == OPERAND_RESULT)
            o.source = s->moved_operators[o.source];
        s->moved[i] = (operand_id)count;
        g->operands.items[count++] = o;
    }
    g->operands.count = count;
}

static void number_operators(const struct graph *g, struct selection *s)
{
    operator_id count = 0;
    for (size_t i = 0; i < g->operators.count; i++)
        s->moved_operators[i] = s->operators[i] ? count++ : NO_ID;
}

static void compact_operators(struct graph *g, const struct selection *s)
{
    size_t count = 0;
    for (size_t i = 0; i < g->operators.count; i++) {
        if (!s->operators[i])
            continue;
        struct operator_node node = g->operators.items[i];
        operand_id *operands =
            (operand_id *)(uintptr_t)node.operands; /* in the graph's arena, its own */
        for (uint32_t k = 0; k < node.operand_count; k++)
            if (operands[k] != NO_ID)
                operands[k] = s->moved[operands[k]];
        node.first_result = s->moved[node.first_result];
        g->operators.items[count++] = node;
    }
    g->operators.count = count;
}

static size_t compact_ids(operand_id *ids, size_t count, const struct selection *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (s->moved[ids[i]] != NO_ID)
            ids[kept++] = s->moved[ids[i]];
    return kept;
}

static void compact_lists(struct graph *g, const struct selection *s)
{
    size_t labels = 0;
    g->inputs.count = compact_ids(g->inputs.items, g->inputs.count, s);
    for (size_t i = 0; i < g->inputs.count; i++)
        g->operands.items[g->inputs.items[i]].source = (uint32_t)i;
    g->constants.count = compact_ids(g->constants.items, g->constants.count, s);
    for (size_t i = 0; i < g->outputs.count; i++)
        g->outputs.items[i].operand = s->moved[g->outputs.items[i].operand];
    for (size_t i = 0; i < g->labels.count; i++) {
        struct graph_labels l = g->labels.items[i];
        l.operand = s->moved[l.operand];
        if (l.operand != NO_ID)
            g->labels.items[labels++] = l;
    }
    g->labels.count = labels;
}

void graph_compact(struct graph *g, struct selection *s)
{
    compact_weights(g, s);
    number_operators(g, s);
    compact_operands(g, s);
    compact_operators(g, s);
    compact_lists(g, s);
}
