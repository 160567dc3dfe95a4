/* Which identifier each operand has in a graph file. */
#include "format/names.h"

#include <string.h>

struct assign {
    const struct graph *g;
    struct arena *arena;
    struct graph_names *names;
    struct name_table table;
    struct map inputs;      /* public names of inputs */
    uint32_t *first_output; /* by operand: the output it is named after, or NO_ID */
};

static struct span text_of(const struct assign *s, name_id id)
{
    return names_text(&s->g->names, id);
}

/* The name that an operand stands for: of the source model, else as a file had it. */
static struct span given_name(const struct assign *s, operand_id id)
{
    const struct operand *o = graph_operand(s->g, id);
    return text_of(s, o->original ? o->original : o->identifier);
}

static struct span kept_identifier(const struct assign *s, operand_id id)
{
    struct span identifier = text_of(s, graph_operand(s->g, id)->identifier);
    return name_is_safe(identifier) ? identifier : (struct span){ 0 };
}

static bool is_input_name(const struct assign *s, struct span name)
{
    return map_find(&s->inputs, name) != NULL;
}

static o2w_status keep(struct assign *s, struct span identifier, struct span *slot)
{
    bool taken;
    if (slot->size > 0 || !name_is_safe(identifier))
        return O2W_OK;
    TRY(name_table_claim(&s->table, identifier, &taken));
    if (taken)
        *slot = identifier;
    return O2W_OK;
}

static o2w_status keep_operand(struct assign *s, operand_id id)
{
    struct span kept = kept_identifier(s, id);
    return keep(s, kept.size > 0 ? kept : given_name(s, id), &s->names->operands[id]);
}

static o2w_status keep_output(struct assign *s, uint32_t index)
{
    const struct graph_output *output = &s->g->outputs.items[index];
    struct span binding = text_of(s, output->name);
    if (!s->names->identity[index]) {
        struct span kept = kept_identifier(s, output->operand);
        if (kept.size > 0)
            return keep(s, kept, &s->names->outputs[index]);
    }
    return is_input_name(s, binding) ? O2W_OK : keep(s, binding, &s->names->outputs[index]);
}

static o2w_status invent(struct assign *s, struct span original, struct span *slot)
{
    if (slot->size > 0)
        return O2W_OK;
    struct span base = name_mangle(original, s->arena);
    return base.data ? name_table_unique(&s->table, base, slot) : O2W_NO_MEMORY;
}

static o2w_status invent_operand(struct assign *s, operand_id id)
{
    struct span original = given_name(s, id);
    if (original.size == 0) {
        const char *text = arena_printf(s->arena, "operand_%u", id);
        if (!text)
            return O2W_NO_MEMORY;
        original = span_of(text);
    }
    return invent(s, original, &s->names->operands[id]);
}

static o2w_status invent_output(struct assign *s, uint32_t index)
{
    struct span binding = text_of(s, s->g->outputs.items[index].name);
    if (is_input_name(s, binding)) {
        const char *text = arena_printf(s->arena, "%.*s__output", SPAN_ARG(binding));
        if (!text)
            return O2W_NO_MEMORY;
        binding = span_of(text);
    }
    return invent(s, binding, &s->names->outputs[index]);
}

/* Calls both steps in the order inputs, outputs, constants, node results. */
static o2w_status walk(struct assign *s, o2w_status (*operand)(struct assign *, operand_id),
                       o2w_status (*output)(struct assign *, uint32_t))
{
    const struct graph *g = s->g;
    for (size_t i = 0; i < g->inputs.count; i++)
        TRY(operand(s, g->inputs.items[i]));
    for (uint32_t i = 0; i < g->outputs.count; i++) {
        TRY(output(s, i));
        if (!s->names->identity[i])
            s->names->operands[g->outputs.items[i].operand] = s->names->outputs[i];
    }
    for (size_t i = 0; i < g->constants.count; i++)
        TRY(operand(s, g->constants.items[i]));
    for (operand_id id = 0; id < g->operands.count; id++)
        if (graph_operand(g, id)->kind == OPERAND_RESULT && s->first_output[id] == NO_ID)
            TRY(operand(s, id));
    return O2W_OK;
}

static void collect_originals(struct assign *s)
{
    for (operand_id id = 0; id < s->g->operands.count; id++)
        s->names->originals[id] = s->first_output[id] == NO_ID
                                      ? given_name(s, id)
                                      : text_of(s, s->g->outputs.items[s->first_output[id]].name);
}

static o2w_status assign_all(struct assign *s)
{
    const struct graph *g = s->g;
    for (operand_id id = 0; id < g->operands.count; id++)
        s->first_output[id] = NO_ID;
    for (uint32_t i = 0; i < g->outputs.count; i++) {
        uint32_t *first = &s->first_output[g->outputs.items[i].operand];
        s->names->identity[i] = *first != NO_ID;
        *first = *first == NO_ID ? i : *first;
    }
    for (size_t i = 0; i < g->inputs.count; i++) {
        uint32_t *value;
        TRY(map_insert(&s->inputs, given_name(s, g->inputs.items[i]), 0, &value, NULL));
    }
    collect_originals(s);
    TRY(walk(s, keep_operand, keep_output));
    return walk(s, invent_operand, invent_output);
}

o2w_status graph_names_assign(const struct graph *g, struct arena *arena, struct graph_names *out)
{
    struct graph_names names = {
        .operands = ARENA_ARRAY(arena, g->operands.count, struct span),
        .originals = ARENA_ARRAY(arena, g->operands.count, struct span),
        .outputs = ARENA_ARRAY(arena, g->outputs.count, struct span),
        .identity = ARENA_ARRAY(arena, g->outputs.count, bool),
    };
    struct assign s = { .g = g,
                        .arena = arena,
                        .names = &names,
                        .first_output = ARENA_ARRAY(arena, g->operands.count, uint32_t) };
    if (!names.operands || !names.originals || !names.outputs || !names.identity || !s.first_output)
        return O2W_NO_MEMORY;
    map_init(&s.inputs, g->allocator);
    name_table_init(&s.table, arena, g->allocator);
    o2w_status status = assign_all(&s);
    name_table_free(&s.table);
    map_free(&s.inputs);
    if (status == O2W_OK)
        *out = names;
    return status;
}
