#include "backend/cpu/engine.h"
#include "kernels/kernel.h"

/* Every operator has a kernel for what it reads; reports all that have none. */
static o2w_status check_kernels(const struct graph *g, struct diags *d)
{
    o2w_status status = O2W_OK;
    for (size_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *node = &g->operators.items[i];
        enum dtype t = graph_operand(g, node->operands[0])->dtype;
        if (kernel_find(node->kind) && dtype_in(t, kernel_dtypes(node->kind)))
            continue;
        status = diag_error(d, DIAG_BUILD_FAILED, "backend 'cpu' has no %s for %s",
                            operator_row(node->kind)->name, dtype_name(t));
        diag_subject(d, "operator", names_text(&g->names, node->label));
    }
    return status;
}

static o2w_status load_constants(struct compiled *c, struct diags *d)
{
    const struct graph *g = c->graph;
    for (size_t i = 0; i < g->constants.count; i++) {
        struct tensor value;
        TRY(graph_constant(g, g->constants.items[i], &c->arena, d, &value));
        c->known[g->constants.items[i]] = true;
        c->known_data[g->constants.items[i]] = value.data;
    }
    return O2W_OK;
}

static o2w_status prepare(struct compiled *c, struct diags *d)
{
    const struct graph *g = c->graph;
    c->known = ARENA_ARRAY(&c->arena, g->operands.count + 1, bool);
    c->known_data = ARENA_ARRAY(&c->arena, g->operands.count + 1, void *);
    c->wide_data = ARENA_ARRAY(&c->arena, g->operands.count + 1, void *);
    c->values = ARENA_ARRAY(&c->arena, expr_name_count(g->exprs) + 1, int64_t);
    c->packed = ARENA_ARRAY(&c->arena, g->operators.count + 1, const struct packed_matrix *);
    c->absorbed = ARENA_ARRAY(&c->arena, g->operators.count + 1, bool);
    if (!c->packed || !c->absorbed || !c->known || !c->known_data || !c->wide_data || !c->values)
        return diag_memory(d);
    TRY(check_kernels(g, d));
    TRY(load_constants(c, d));
    TRY(cpu_fuse(c, d));
    return cpu_prepare(c, d);
}

o2w_status cpu_compile(struct engine *e, const struct graph *g, struct diags *d,
                       struct compiled **out)
{
    struct compiled *c = mem_alloc(e->allocator, sizeof *c);
    if (!c)
        return diag_memory(d);
    *c = (struct compiled){ .engine = e, .graph = g };
    arena_init(&c->arena, e->allocator);
    o2w_status status = prepare(c, d);
    if (status != O2W_OK) {
        cpu_release(c);
        return status;
    }
    *out = c;
    return O2W_OK;
}

void cpu_release(struct compiled *c)
{
    if (!c)
        return;
    const o2w_allocator *allocator = c->engine->allocator;
    for (int i = 0; i < PLANS_KEPT; i++)
        cpu_plan_free(c->plans[i]);
    arena_free(&c->arena);
    mem_free(allocator, c->block, c->block_size);
    mem_free(allocator, c, sizeof *c);
}
