#include "webnn/graph.h"

#include "webnn/graph_private.h"

#include <string.h>

static void set_allocators(struct graph *g)
{
    const o2w_allocator *a = g->allocator;
    g->operands.allocator = g->operators.allocator = g->weights.allocator = a;
    g->inputs.allocator = g->constants.allocator = g->outputs.allocator = a;
    g->constraints.allocator = g->dims.allocator = g->pins.allocator = a;
    g->kept.allocator = g->bounds.allocator = g->labels.allocator = g->meta.allocator = a;
    g->carried.allocator = a;
}

o2w_status graph_create(const o2w_allocator *allocator, struct graph **out)
{
    struct graph *g = mem_alloc(allocator, sizeof *g);
    if (!g)
        return O2W_NO_MEMORY;
    *g = (struct graph){ .allocator = allocator };
    set_allocators(g);
    arena_init(&g->arena, allocator);
    o2w_status status = names_init(&g->names, allocator);
    if (status != O2W_OK) {
        mem_free(allocator, g, sizeof *g);
        return status;
    }
    status = exprs_create(allocator, &g->exprs);
    if (status != O2W_OK) {
        graph_free(g);
        return status;
    }
    *out = g;
    return O2W_OK;
}

static void free_lists(struct graph *g)
{
    VEC_FREE(&g->operands);
    VEC_FREE(&g->operators);
    VEC_FREE(&g->weights);
    VEC_FREE(&g->inputs);
    VEC_FREE(&g->constants);
    VEC_FREE(&g->outputs);
    VEC_FREE(&g->constraints);
    VEC_FREE(&g->dims);
    VEC_FREE(&g->pins);
    VEC_FREE(&g->kept);
    VEC_FREE(&g->bounds);
    VEC_FREE(&g->labels);
    VEC_FREE(&g->meta);
    VEC_FREE(&g->carried);
}

void graph_free(struct graph *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->weights.count; i++)
        file_release(g->weights.items[i].file);
    free_lists(g);
    exprs_free(g->exprs);
    names_free(&g->names);
    arena_free(&g->arena);
    mem_free(g->allocator, g, sizeof *g);
}

void graph_descriptor(const struct graph *g, operand_id id, struct descriptor *out)
{
    const struct operand *o = graph_operand(g, id);
    *out = (struct descriptor){ .dtype = o->dtype, .rank = o->rank };
    if (o->rank)
        memcpy(out->dims, o->dims, o->rank * sizeof *o->dims);
}

static enum dtype port_dtype(const struct graph *g, bool output, size_t index, operand_id id)
{
    for (size_t i = 0; i < g->carried.count; i++)
        if (g->carried.items[i].output == output && g->carried.items[i].index == index)
            return g->carried.items[i].dtype;
    return graph_operand(g, id)->dtype;
}

enum dtype graph_input_dtype(const struct graph *g, size_t index)
{
    return port_dtype(g, false, index, g->inputs.items[index]);
}

enum dtype graph_output_dtype(const struct graph *g, size_t index)
{
    return port_dtype(g, true, index, g->outputs.items[index].operand);
}

void infer_room_init(struct infer_room *r, const o2w_allocator *allocator)
{
    *r = (struct infer_room){ .operands.allocator = allocator,
                              .results.allocator = allocator,
                              .slots.allocator = allocator };
}

void infer_room_free(struct infer_room *r)
{
    VEC_FREE(&r->operands);
    VEC_FREE(&r->results);
    VEC_FREE(&r->slots); /* of pointers: NOLINT(bugprone-sizeof-expression) */
}

o2w_status infer_room_load(struct infer_room *r, const struct graph *g, const operand_id *operands,
                           uint32_t operand_count, uint32_t result_count, struct infer *in)
{
    r->operands.count = r->slots.count = r->results.count = 0;
    if (!VEC_RESERVE(&r->operands, operand_count) || !VEC_RESERVE(&r->results, result_count))
        return O2W_NO_MEMORY;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression) */
    if (!VEC_RESERVE(&r->slots, operand_count))
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < operand_count; i++) {
        r->slots.items[i] = operands[i] == NO_ID ? NULL : &r->operands.items[i];
        if (operands[i] != NO_ID)
            graph_descriptor(g, operands[i], &r->operands.items[i]);
    }
    in->operands = r->slots.items;
    in->operand_count = operand_count;
    in->results = r->results.items;
    in->result_capacity = result_count;
    return O2W_OK;
}

struct span graph_operand_name(const struct graph *g, operand_id id, struct arena *a)
{
    const struct operand *o = graph_operand(g, id);
    if (o->original || o->identifier)
        return names_text(&g->names, o->original ? o->original : o->identifier);
    char *text = arena_printf(a, "operand_%u", id);
    return text ? span_of(text) : SPAN("operand");
}

static bool named(const struct graph *g, name_id id, struct span name)
{
    return id != 0 && span_equal(names_text(&g->names, id), name);
}

operand_id graph_find_input(const struct graph *g, struct span name)
{
    for (size_t i = 0; i < g->inputs.count; i++)
        if (named(g, graph_operand(g, g->inputs.items[i])->original, name))
            return g->inputs.items[i];
    for (size_t i = 0; i < g->inputs.count; i++)
        if (named(g, graph_operand(g, g->inputs.items[i])->identifier, name))
            return g->inputs.items[i];
    return NO_ID;
}

operand_id graph_find_output(const struct graph *g, struct span name)
{
    for (size_t i = 0; i < g->outputs.count; i++)
        if (named(g, graph_operand(g, g->outputs.items[i].operand)->original, name))
            return g->outputs.items[i].operand;
    for (size_t i = 0; i < g->outputs.count; i++)
        if (named(g, g->outputs.items[i].name, name))
            return g->outputs.items[i].operand;
    for (size_t i = 0; i < g->outputs.count; i++)
        if (named(g, graph_operand(g, g->outputs.items[i].operand)->identifier, name))
            return g->outputs.items[i].operand;
    return NO_ID;
}

/* Other dims can only come from those of inputs. */
bool graph_has_dynamic_dims(const struct graph *g)
{
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct operand *o = graph_operand(g, g->inputs.items[i]);
        if (!dims_static(o->dims, o->rank))
            return true;
    }
    return false;
}
