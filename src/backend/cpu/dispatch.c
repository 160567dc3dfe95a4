#include "backend/cpu/engine.h"
#include "kernels/kernel.h"

#include <string.h>

/* ---- plans ---- */

static bool same_signature(const struct compiled *c, const struct plan *p)
{
    size_t names = expr_name_count(c->graph->exprs);
    return names == 0 || memcmp(p->values, c->values, names * sizeof *p->values) == 0;
}

/* The plan of these sizes: one that is kept, or a new one in the place that was used longest ago. */
static o2w_status find_plan(struct compiled *c, struct diags *d, struct plan **out)
{
    struct plan **oldest = &c->plans[0];
    for (int i = 0; i < PLANS_KEPT; i++) {
        struct plan **place = &c->plans[i];
        if (*place && same_signature(c, *place)) {
            (*place)->used = ++c->clock;
            *out = *place;
            return O2W_OK;
        }
        if (*oldest && (!*place || (*place)->used < (*oldest)->used))
            oldest = place;
    }
    struct plan *fresh;
    TRY(cpu_plan_create(c->graph, c->known, c->absorbed, c->values, d, &fresh));
    cpu_plan_free(*oldest);
    *oldest = fresh;
    fresh->used = ++c->clock;
    *out = fresh;
    return O2W_OK;
}

/* ---- memory ---- */

enum { ALIGNMENT = 64 };

static o2w_status reserve_block(struct compiled *c, uint64_t size, struct diags *d)
{
    const o2w_allocator *allocator = c->engine->allocator;
    if (c->block && size <= c->block_size - ALIGNMENT)
        return O2W_OK;
    mem_free(allocator, c->block, c->block_size);
    c->block_size = 0;
    c->block = size < SIZE_MAX - ALIGNMENT ? mem_alloc(allocator, (size_t)size + ALIGNMENT) : NULL;
    if (!c->block)
        return diag_memory(d);
    c->block_size = (size_t)size + ALIGNMENT;
    return O2W_OK;
}

static void *address_of(const struct compiled *c, const struct place *place,
                        const struct binding *inputs, const struct binding *outputs)
{
    uint8_t *block = c->block;
    switch (place->kind) {
    case PLACE_INPUT: return inputs[place->index].tensor.data;
    case PLACE_OUTPUT: return outputs[place->index].tensor.data;
    case PLACE_CONSTANT: return c->known_data[place->index];
    case PLACE_BUFFER:
        return block + (ALIGNMENT - (uintptr_t)block % ALIGNMENT) % ALIGNMENT + place->offset;
    case PLACE_NONE: break;
    }
    return NULL;
}

static void set_addresses(const struct compiled *c, struct plan *p, const struct binding *inputs,
                          const struct binding *outputs)
{
    for (uint32_t id = 0; id < c->graph->operands.count; id++)
        p->tensors[id].data = address_of(c, &p->places[p->storage[id]], inputs, outputs);
}

/* ---- running ---- */

static o2w_status refuse(const struct graph *g, const struct operator_node *node, o2w_status status,
                         struct diags *d)
{
    if (status == O2W_NO_MEMORY)
        return diag_memory(d);
    (void)diag_error(d, DIAG_DISPATCH_FAILED, "%s cannot run on these operands",
                     operator_row(node->kind)->name);
    diag_subject(d, "operator", names_text(&g->names, node->label));
    return O2W_BUILD_FAILED;
}

/* Whether operand `slot` is given as float32: a float16 constant, or one whose elements are packed. */
static bool is_wide(const struct compiled *c, uint32_t index, uint32_t slot)
{
    const struct operator_node *node = &c->graph->operators.items[index];
    return (slot == 1 && c->packed[index]) ||
           (c->wide_data[node->operands[slot]] && kernel_widens(node->kind));
}

/* The float32 form of a float16 constant; of packed elements the shape alone. */
static const struct tensor *wide_tensor(const struct compiled *c, const struct plan *p, uint32_t id,
                                        struct arena *scratch)
{
    struct tensor *wide = ARENA_NEW(scratch, struct tensor);
    if (!wide)
        return NULL;
    *wide = p->tensors[id];
    wide->dtype = DTYPE_FLOAT32;
    wide->data = c->wide_data[id];
    return wide;
}

/* `few` holds the list of operands, `scratch` is the kernel's. */
static o2w_status run_operator(const struct compiled *c, struct plan *p, uint32_t index,
                               struct arena *few, struct arena *scratch)
{
    const struct operator_node *node = &c->graph->operators.items[index];
    const struct tensor **operands =
        ARENA_ARRAY(few, node->operand_count + 1u, const struct tensor *);
    if (!operands)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < node->operand_count; i++) {
        uint32_t id = node->operands[i];
        operands[i] = id == NO_ID ? NULL : &p->tensors[id];
        if (id != NO_ID && is_wide(c, index, i) && !(operands[i] = wide_tensor(c, p, id, few)))
            return O2W_NO_MEMORY;
    }
    const struct kernel_call call = { .kind = node->kind,
                                      .operands = operands,
                                      .operand_count = node->operand_count,
                                      .attributes = node->attributes,
                                      .results = &p->tensors[node->first_result],
                                      .result_count = node->result_count,
                                      .pool = c->engine->pool,
                                      .scratch = scratch,
                                      .allocator = c->engine->allocator,
                                      .workspace = &c->engine->workspace,
                                      .packed = c->packed[index] };
    return kernel_run(&call);
}

/* For the operands of most operators, without asking the allocator. */
enum { ROOM = 1024 };

static o2w_status run_operators(const struct compiled *c, struct plan *p,
                                const _Atomic bool *cancel, struct diags *d)
{
    const struct graph *g = c->graph;
    for (uint32_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *node = &g->operators.items[i];
        if (cancel && *cancel)
            return diag_error(d, DIAG_INTERRUPTED, "cancelled before operator %u of %zu", i + 1,
                              g->operators.count);
        if (!p->runs[i])
            continue;
        struct arena few, scratch;
        uint8_t room[ROOM];
        arena_init_over(&few, c->engine->allocator, room, sizeof room);
        arena_init(&scratch, c->engine->allocator);
        o2w_status status = run_operator(c, p, i, &few, &scratch);
        arena_free(&scratch);
        arena_free(&few);
        if (status != O2W_OK)
            return refuse(g, node, status, d);
    }
    return O2W_OK;
}

/* Outputs that are not where they were computed: second names of one operand. */
static void copy_outputs(const struct compiled *c, const struct plan *p, struct binding *outputs)
{
    for (uint32_t i = 0; i < c->graph->outputs.count; i++) {
        uint32_t id = c->graph->outputs.items[i].operand;
        const struct place *place = &p->places[p->storage[id]];
        if ((place->kind != PLACE_OUTPUT || place->index != i) && place->size > 0)
            memcpy(outputs[i].tensor.data, p->tensors[id].data, place->size);
    }
}

o2w_status cpu_dispatch(struct compiled *c, const struct binding *inputs, struct binding *outputs,
                        const _Atomic bool *cancel, struct diags *d)
{
    struct plan *p;
    TRY(backend_bind_dims(c->graph, inputs, c->values, d));
    TRY(find_plan(c, d, &p));
    TRY(reserve_block(c, p->buffer_size, d));
    set_addresses(c, p, inputs, outputs);
    TRY(run_operators(c, p, cancel, d));
    copy_outputs(c, p, outputs);
    return O2W_OK;
}
