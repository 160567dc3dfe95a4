#include "backend/cpu/plan.h"

#include "backend/backend.h"
#include "backend/cpu/planner.h"

#include <string.h>

void cpu_plan_free(struct plan *p)
{
    if (!p)
        return;
    const o2w_allocator *allocator = p->arena.allocator;
    arena_free(&p->arena);
    mem_free(allocator, p, sizeof *p);
}

static bool allocate(struct plan *p, const struct graph *g, const int64_t *values)
{
    size_t names = expr_name_count(g->exprs), operands = g->operands.count;
    p->values = ARENA_ARRAY(&p->arena, names + 1, int64_t);
    p->tensors = ARENA_ARRAY(&p->arena, operands + 1, struct tensor);
    p->storage = ARENA_ARRAY(&p->arena, operands + 1, uint32_t);
    p->places = ARENA_ARRAY(&p->arena, operands + 1, struct place);
    p->runs = ARENA_ARRAY(&p->arena, g->operators.count + 1, bool);
    if (!p->values || !p->tensors || !p->storage || !p->places || !p->runs)
        return false;
    memcpy(p->values, values, names * sizeof *values);
    return true;
}

static o2w_status shape_operands(struct plan *p, const struct graph *g, struct diags *d)
{
    for (uint32_t id = 0; id < g->operands.count; id++) {
        if (backend_operand_shape(g, id, p->values, &p->tensors[id]) != O2W_OK) {
            struct arena names;
            arena_init(&names, g->allocator);
            o2w_status status =
                diag_error(d, DIAG_LIMIT, "operand '%.*s' is too large with these inputs",
                           SPAN_ARG(graph_operand_name(g, id, &names)));
            arena_free(&names);
            return status;
        }
        p->storage[id] = id;
        p->places[id].size = tensor_bytes(&p->tensors[id]);
    }
    return O2W_OK;
}

static void place_sources(struct plan *p, const struct graph *g, const bool *known)
{
    for (uint32_t i = 0; i < g->inputs.count; i++) {
        p->places[g->inputs.items[i]].kind = PLACE_INPUT;
        p->places[g->inputs.items[i]].index = i;
    }
    for (uint32_t id = 0; id < g->operands.count; id++) {
        if (!known[id])
            continue;
        p->places[id].kind = PLACE_CONSTANT;
        p->places[id].index = id;
    }
}

/* The first output of each operand; further ones are copies. */
static void place_outputs(struct plan *p, const struct graph *g)
{
    for (uint32_t i = (uint32_t)g->outputs.count; i-- > 0;) {
        struct place *place = &p->places[g->outputs.items[i].operand];
        if (place->kind != PLACE_NONE && place->kind != PLACE_OUTPUT)
            continue; /* an input or constant under an output name: copied */
        place->kind = PLACE_OUTPUT;
        place->index = i;
    }
}

/* Whether the result can lie where the operand does. */
static bool can_share(const struct plan *p, uint32_t from, uint32_t result)
{
    const struct place *source = &p->places[p->storage[from]];
    return p->places[result].kind == PLACE_NONE || source->kind == PLACE_BUFFER;
}

static void share(struct plan *p, uint32_t from, uint32_t result)
{
    uint32_t root = p->storage[from];
    p->storage[result] = root;
    if (p->places[result].kind == PLACE_OUTPUT) { /* computed where it is wanted from the start */
        p->places[root].kind = PLACE_OUTPUT;
        p->places[root].index = p->places[result].index;
    }
}

static void place_results(struct plan *p, const struct graph *g, const bool *known,
                          const bool *absorbed)
{
    for (uint32_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *node = &g->operators.items[i];
        if (known[node->first_result] || absorbed[i])
            continue; /* computed ahead, or part of another */
        bool keeps = node->kind == WEBNN_RESHAPE || node->kind == WEBNN_IDENTITY;
        p->runs[i] = !(keeps && can_share(p, node->operands[0], node->first_result));
        if (!p->runs[i]) {
            share(p, node->operands[0], node->first_result);
            continue;
        }
        for (uint32_t k = 0; k < node->result_count; k++)
            if (p->places[node->first_result + k].kind == PLACE_NONE)
                p->places[node->first_result + k].kind = PLACE_BUFFER;
    }
}

static void find_last_uses(struct plan *p, const struct graph *g)
{
    for (uint32_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *node = &g->operators.items[i];
        for (uint32_t k = 0; k < node->result_count; k++)
            p->places[p->storage[node->first_result + k]].last_use = i;
        for (uint32_t k = 0; k < node->operand_count; k++)
            if (node->operands[k] != NO_ID)
                p->places[p->storage[node->operands[k]]].last_use = i;
    }
}

/* Intermediate results get offsets when they are made and give them back after their last use. */
static bool place_buffers(struct plan *p, const struct graph *g)
{
    struct planner planner;
    uint32_t *live = ARENA_ARRAY(&p->arena, g->operands.count + 1, uint32_t);
    size_t live_count = 0;
    if (!live)
        return false;
    planner_init(&planner, g->allocator);
    bool fits = true;
    for (uint32_t i = 0; i < g->operators.count && fits; i++) {
        const struct operator_node *node = &g->operators.items[i];
        for (uint32_t k = 0; k < node->result_count && p->runs[i]; k++) {
            struct place *place = &p->places[node->first_result + k];
            if (place->kind != PLACE_BUFFER)
                continue;
            fits = fits && planner_take(&planner, place->size, &place->offset);
            live[live_count++] = node->first_result + k;
        }
        for (size_t k = 0; k < live_count && fits;) {
            const struct place *place = &p->places[live[k]];
            if (place->last_use > i) {
                k++;
                continue;
            }
            fits = planner_give(&planner, place->offset, place->size);
            live[k] = live[--live_count];
        }
    }
    p->buffer_size = planner.end;
    planner_free(&planner);
    return fits;
}

o2w_status cpu_plan_create(const struct graph *g, const bool *known, const bool *absorbed,
                           const int64_t *values, struct diags *d, struct plan **out)
{
    struct plan *p = mem_alloc(g->allocator, sizeof *p);
    if (!p)
        return diag_memory(d);
    *p = (struct plan){ .used = 0 };
    arena_init(&p->arena, g->allocator);
    if (!allocate(p, g, values)) {
        cpu_plan_free(p);
        return diag_memory(d);
    }
    o2w_status status = shape_operands(p, g, d);
    if (status == O2W_OK) {
        place_sources(p, g, known);
        place_outputs(p, g);
        place_results(p, g, known, absorbed);
        find_last_uses(p, g);
        status = place_buffers(p, g) ? O2W_OK : diag_memory(d);
    }
    if (status != O2W_OK) {
        cpu_plan_free(p);
        return status;
    }
    *out = p;
    return O2W_OK;
}
