/* Common subexpressions: one walk in topological order over a table of what was seen. */
#include "webnn/passes.h"

#include "webnn/graph_private.h"
#include "webnn/passes_private.h"

#include <string.h>

struct common {
    struct graph *g;
    struct selection s;
    operand_id *same; /* by operand: the first one that is equal */
    bool *is_output;
    struct map seen; /* keys in s.arena */
    VEC(uint8_t) key;
};

/* ---- keys: equal bytes iff equal kind, operands and attributes ---- */

static bool put(struct common *c, const void *data, size_t size)
{
    if (!VEC_RESERVE(&c->key, size))
        return false;
    if (size)
        memcpy(c->key.items + c->key.count, data, size);
    c->key.count += size;
    return true;
}

static bool put_u32(struct common *c, uint32_t value)
{
    return put(c, &value, sizeof value);
}

/* A list with its length; UINT32_MAX stands for an absent one. */
static bool put_list(struct common *c, bool given, uint32_t count, const void *items, size_t size)
{
    if (!given)
        return put_u32(c, UINT32_MAX);
    return put_u32(c, count) && put(c, items, count * size);
}

static bool put_number(struct common *c, const struct webnn_number *n)
{
    uint64_t bits = n->kind == WEBNN_NUMBER_NONE ? 0 : n->u;
    return put_u32(c, (uint32_t)n->kind) && put(c, &bits, sizeof bits);
}

static bool put_splits(struct common *c, const struct webnn_splits *s)
{
    return put_u32(c, s->equal) && put_u32(c, s->count) &&
           (s->equal || put(c, s->items, s->count * sizeof *s->items));
}

static bool put_attribute(struct common *c, const struct attribute_row *row, const void *attributes)
{
    const void *value = attribute_at(attributes, row);
    switch (row->type) {
    case ATTRIBUTE_BOOL: return put_u32(c, *(const bool *)value);
    case ATTRIBUTE_U32:
    case ATTRIBUTE_I32:
    case ATTRIBUTE_ENUM:
    case ATTRIBUTE_DTYPE: return put(c, value, sizeof(uint32_t));
    case ATTRIBUTE_DOUBLE: return put(c, value, sizeof(double));
    case ATTRIBUTE_NUMBER: return put_number(c, value);
    case ATTRIBUTE_U32S:
    case ATTRIBUTE_ENUMS: {
        const struct webnn_u32s *list = value;
        return put_list(c, list->given, list->count, list->items, sizeof *list->items);
    }
    case ATTRIBUTE_DOUBLES: {
        const struct webnn_doubles *list = value;
        return put_list(c, list->given, list->count, list->items, sizeof *list->items);
    }
    case ATTRIBUTE_DIMS: {
        const struct webnn_dims *list = value;
        return put_list(c, list->given, list->count, list->items, sizeof *list->items);
    }
    case ATTRIBUTE_SPLITS: return put_splits(c, value);
    }
    return false;
}

static bool put_operator(struct common *c, const struct operator_node *node)
{
    const struct operator_row *row = operator_row(node->kind);
    c->key.count = 0;
    bool fits = put_u32(c, (uint32_t)node->kind) &&
                put_list(c, true, node->operand_count, node->operands, sizeof *node->operands);
    for (uint32_t i = 0; i < row->attribute_count && fits; i++)
        fits = put_attribute(c, &row->attributes[i], node->attributes);
    return fits;
}

/* Starts with a number that is no operator. */
static bool put_constant(struct common *c, const struct operand *o)
{
    c->key.count = 0;
    return put_u32(c, WEBNN_OPERATOR_COUNT) && put_u32(c, o->source) &&
           put_u32(c, (uint32_t)o->dtype) && put_list(c, true, o->rank, o->dims, sizeof *o->dims);
}

/* The value of the key made last; `fresh` when it was not there. */
static o2w_status look_up(struct common *c, uint32_t fresh, uint32_t *value)
{
    struct span key = { c->key.items, c->key.count };
    uint32_t *found = map_find(&c->seen, key);
    if (!found) {
        key = arena_copy(&c->s.arena, key);
        if (!key.data)
            return O2W_NO_MEMORY;
        TRY(map_insert(&c->seen, key, fresh, &found, NULL));
    }
    *value = *found;
    return O2W_OK;
}

/* ---- the walk ---- */

static o2w_status merge_constants(struct common *c)
{
    for (size_t i = 0; i < c->g->constants.count; i++) {
        operand_id id = c->g->constants.items[i], first;
        if (!put_constant(c, graph_operand(c->g, id)))
            return O2W_NO_MEMORY;
        TRY(look_up(c, id, &first));
        c->same[id] = first;
        c->s.operands[id] = first == id;
    }
    return O2W_OK;
}

/* Two outputs stay two operands. */
static bool both_outputs(const struct common *c, const struct operator_node *a,
                         const struct operator_node *b)
{
    for (uint32_t i = 0; i < a->result_count; i++)
        if (c->is_output[a->first_result + i] && c->is_output[b->first_result + i])
            return true;
    return false;
}

static void merge_operator(struct common *c, operator_id first, operator_id id)
{
    const struct operator_node *a = &c->g->operators.items[first], *b = &c->g->operators.items[id];
    c->s.operators[id] = first == id || both_outputs(c, a, b);
    for (uint32_t i = 0; i < b->result_count; i++) {
        c->same[b->first_result + i] = a->first_result + i;
        if (!c->s.operators[id] && c->is_output[b->first_result + i])
            c->is_output[a->first_result + i] = true;
    }
}

static o2w_status merge_operators(struct common *c)
{
    for (operator_id id = 0; id < c->g->operators.count; id++) {
        const struct operator_node *node = &c->g->operators.items[id];
        operand_id *operands =
            (operand_id *)(uintptr_t)node->operands; /* in the graph's arena, its own */
        operator_id first;
        for (uint32_t i = 0; i < node->operand_count; i++)
            if (operands[i] != NO_ID)
                operands[i] = c->same[operands[i]];
        if (!put_operator(c, node))
            return O2W_NO_MEMORY;
        TRY(look_up(c, id, &first));
        merge_operator(c, first, id);
    }
    return O2W_OK;
}

static bool is_gone(const struct common *c, operand_id id)
{
    const struct operand *o = graph_operand(c->g, id);
    return o->kind == OPERAND_RESULT ? !c->s.operators[o->source] : !c->s.operands[id];
}

static void take_name(name_id *name, name_id other)
{
    if (*name == 0)
        *name = other;
}

/* What is equal and goes leaves its place as output, its labels, and its names where there were none. */
static void take_over(struct common *c)
{
    struct graph *g = c->g;
    for (size_t i = 0; i < g->outputs.count; i++)
        if (is_gone(c, g->outputs.items[i].operand))
            g->outputs.items[i].operand = c->same[g->outputs.items[i].operand];
    for (size_t i = 0; i < g->labels.count; i++)
        if (is_gone(c, g->labels.items[i].operand))
            g->labels.items[i].operand = c->same[g->labels.items[i].operand];
    for (operand_id id = 0; id < g->operands.count; id++) {
        if (!is_gone(c, id))
            continue;
        take_name(&g->operands.items[c->same[id]].original, g->operands.items[id].original);
        take_name(&g->operands.items[c->same[id]].identifier, g->operands.items[id].identifier);
    }
}

static o2w_status common_init(struct common *c, struct graph *g)
{
    *c = (struct common){ .g = g, .key.allocator = g->allocator };
    TRY(selection_init(&c->s, g));
    map_init(&c->seen, g->allocator);
    c->same = ARENA_ARRAY(&c->s.arena, g->operands.count, operand_id);
    c->is_output = ARENA_ARRAY(&c->s.arena, g->operands.count, bool);
    if (!c->same || !c->is_output) {
        selection_clear(&c->s);
        return O2W_NO_MEMORY;
    }
    for (size_t i = 0; i < g->operands.count; i++)
        c->same[i] = (operand_id)i;
    for (size_t i = 0; i < g->inputs.count; i++)
        c->s.operands[g->inputs.items[i]] = true;
    for (size_t i = 0; i < g->outputs.count; i++)
        c->is_output[g->outputs.items[i].operand] = true;
    return O2W_OK;
}

o2w_status pass_common_subexpressions(struct graph *g, struct diags *d)
{
    struct common c;
    if (common_init(&c, g) != O2W_OK)
        return diag_memory(d);
    o2w_status status = merge_constants(&c);
    if (status == O2W_OK)
        status = merge_operators(&c);
    if (status == O2W_OK) {
        take_over(&c);
        graph_compact(g, &c.s);
    }
    VEC_FREE(&c.key);
    map_free(&c.seen);
    selection_clear(&c.s);
    return status == O2W_OK ? O2W_OK : diag_memory(d);
}
