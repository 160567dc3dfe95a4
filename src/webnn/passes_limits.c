#include "webnn/infer_room.h"
#include "webnn/passes.h"

struct limits_check {
    const struct graph *g;
    const struct limits *limits;
    struct diags *d;
    struct arena arena; /* texts */
    struct infer_room room;
    o2w_status status;
};

/* Keeps the first failure; false when it is no use to go on. */
static bool note(struct limits_check *c, o2w_status status)
{
    if (c->status == O2W_OK || status == O2W_NO_MEMORY)
        c->status = status;
    return c->status != O2W_NO_MEMORY;
}

static o2w_status check_operand(struct limits_check *c, const char *kind, operand_id id,
                                struct span name, const struct slot_limit *limit)
{
    struct descriptor d;
    char *what = arena_printf(&c->arena, "%s '%.*s'", kind, SPAN_ARG(name));
    if (!what)
        return diag_memory(c->d);
    graph_descriptor(c->g, id, &d);
    return infer_check_descriptor(c->limits, c->g->exprs, c->d, what, limit, &d);
}

static void check_ids(struct limits_check *c, const char *kind, const operand_id *ids, size_t count,
                      const struct slot_limit *limit)
{
    for (size_t i = 0; i < count; i++)
        if (!note(c, check_operand(c, kind, ids[i], graph_operand_name(c->g, ids[i], &c->arena),
                                   limit)))
            return;
}

static void check_outputs(struct limits_check *c)
{
    for (size_t i = 0; i < c->g->outputs.count; i++) {
        const struct graph_output *o = &c->g->outputs.items[i];
        if (!note(c, check_operand(c, "output", o->operand, names_text(&c->g->names, o->name),
                                   &c->limits->output)))
            return;
    }
}

static o2w_status check_operator(struct limits_check *c, const struct operator_node *node)
{
    struct infer in = { .kind = node->kind,
                        .row = operator_row(node->kind),
                        .limits = c->limits,
                        .exprs = c->g->exprs,
                        .diags = c->d,
                        .label = names_text(&c->g->names, node->label),
                        .attributes = node->attributes };
    if (infer_room_load(&c->room, c->g, node->operands, node->operand_count, node->result_count,
                        &in) != O2W_OK)
        return diag_memory(c->d);
    in.result_count = node->result_count;
    for (uint32_t i = 0; i < node->result_count; i++)
        graph_descriptor(c->g, node->first_result + i, &in.results[i]);
    return infer_check_slots(&in);
}

o2w_status graph_check_limits(const struct graph *g, const struct limits *limits, struct diags *d)
{
    struct limits_check c = { .g = g, .limits = limits, .d = d };
    arena_init(&c.arena, g->allocator);
    infer_room_init(&c.room, g->allocator);
    check_ids(&c, "input", g->inputs.items, g->inputs.count, &limits->input);
    check_ids(&c, "constant", g->constants.items, g->constants.count, &limits->constant);
    for (size_t i = 0; i < g->operators.count; i++)
        if (!note(&c, check_operator(&c, &g->operators.items[i])))
            break;
    check_outputs(&c);
    infer_room_free(&c.room);
    arena_free(&c.arena);
    return c.status;
}
