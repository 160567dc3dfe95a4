/* Following an input through carriers, bodies and function calls. */
#include "validate/flow.h"

#include <string.h>

enum { MOST_STATES = 1 << 16 };

/* A value on the way. */
struct state {
    const struct scope *scope;
    uintptr_t name;
    uintptr_t moved;
};

struct flow {
    struct scopes *scopes;
    const struct feed *feed;
    enum reach_kind kind;
    struct diags *diags;
    struct reach *reach;
    struct map seen;
    VEC(struct state) states; /* those seen; the ones from `next` on are still to be followed */
    size_t next;
};

static o2w_status add_state(struct flow *f, const struct scope *scope, name_id name, bool moved)
{
    struct state state = { scope, name, moved };
    uint32_t *value;
    bool added;
    if (!name)
        return O2W_OK;
    if (f->states.count == MOST_STATES)
        return diag_error(f->diags, DIAG_LIMIT, "input '%s' reaches more than %d values",
                          f->feed->name, MOST_STATES);
    struct span bytes =
        arena_copy(f->scopes->arena, (struct span){ (const void *)&state, sizeof state });
    if (!bytes.data || map_insert(&f->seen, bytes, 0, &value, &added) != O2W_OK ||
        (added && !VEC_PUSH(&f->states, state)))
        return diag_memory(f->diags);
    return O2W_OK;
}

static o2w_status add_results(struct flow *f, const struct state *from, const struct onnx_node *n,
                              bool moved)
{
    uint32_t count = span_is(n->op_type, "Dropout") ? 1 : n->output_count;
    for (uint32_t i = 0; i < count && i < n->output_count; i++)
        TRY(add_state(f, from->scope, n->outputs[i], moved || from->moved));
    return O2W_OK;
}

/* A cast goes on where it stays among floats, or among integers. */
static bool cast_goes_on(const struct flow *f, const struct state *s, const struct onnx_node *n)
{
    enum dtype to;
    if (!dtype_by_onnx(scope_int(s->scope, n, "to", 0), &to))
        return false;
    return f->kind == REACH_QUANTIZERS ? dtype_is_float(to) && dtype_is_float(f->feed->dtype)
                                       : dtype_is_integer(to);
}

static o2w_status add_table(struct flow *f, const struct state *s, const struct onnx_node *n,
                            uint32_t input)
{
    uint32_t table, rank;
    int64_t axis, dims[MAX_RANK];
    bool several;
    if (!slot_table(s->scope, n, input, &table, &axis, &several) ||
        !scope_dims(f->scopes, s->scope, n->inputs[table], &rank, dims))
        return O2W_OK;
    axis += axis < 0 ? rank : 0;
    for (int64_t i = axis; i >= 0 && i < rank && (several || i == axis); i++)
        if (dims[i] > 0 && (!f->reach->vocabulary || (uint64_t)dims[i] < f->reach->vocabulary))
            f->reach->vocabulary = (uint64_t)dims[i];
    return O2W_OK;
}

static o2w_status add_quantizer(struct flow *f, const struct state *s, struct quantizer *q)
{
    q->scope = s->scope;
    q->moved = s->moved;
    return VEC_PUSH(&f->reach->quantizers, *q) ? O2W_OK : diag_memory(f->diags);
}

/* A call: the value is the function's input of the same place. */
static o2w_status enter_function(struct flow *f, const struct state *s, const struct onnx_node *n,
                                 uint32_t input)
{
    const struct onnx_graph *body = &n->function->body;
    const struct scope *scope;
    if (input >= body->input_count)
        return O2W_OK;
    TRY(scope_enter(f->scopes, s->scope, n, body, f->diags, &scope));
    return add_state(f, scope, body->inputs[input].name, s->moved);
}

static o2w_status visit_input(struct flow *f, const struct state *s, const struct onnx_node *n,
                              uint32_t input)
{
    struct quantizer q;
    if (n->function)
        return enter_function(f, s, n, input);
    switch (slot_use_of(n, input, &q)) {
    case SLOT_OTHER: return O2W_OK;
    case SLOT_KEPT: return add_results(f, s, n, false);
    case SLOT_CARRIED: return add_results(f, s, n, true);
    case SLOT_CAST: return cast_goes_on(f, s, n) ? add_results(f, s, n, false) : O2W_OK;
    case SLOT_QUANTIZED: return f->kind == REACH_QUANTIZERS ? add_quantizer(f, s, &q) : O2W_OK;
    case SLOT_READ: break;
    }
    if (!f->reach->reads_indices)
        f->reach->reads_indices = n;
    return f->kind == REACH_TABLES ? add_table(f, s, n, input) : O2W_OK;
}

static bool captures(const struct onnx_graph *g, name_id name)
{
    for (uint32_t i = 0; i < g->capture_count; i++)
        if (g->captures[i] == name)
            return true;
    return false;
}

/* Bodies that use the value. */
static o2w_status enter_bodies(struct flow *f, const struct state *s, const struct onnx_node *n)
{
    for (uint32_t i = 0; i < n->attribute_count; i++) {
        const struct onnx_attribute *a = &n->attributes[i];
        for (uint32_t k = 0; onnx_attribute_has_graphs(a) && k < a->count; k++) {
            const struct scope *scope;
            if (!captures(&a->graphs[k], (name_id)s->name))
                continue;
            TRY(scope_enter(f->scopes, s->scope, n, &a->graphs[k], f->diags, &scope));
            TRY(add_state(f, scope, (name_id)s->name, s->moved));
        }
    }
    return O2W_OK;
}

/* Results of a function, and of the branches of an If, are those of the node. */
static o2w_status leave(struct flow *f, const struct state *s)
{
    const struct scope *scope = s->scope, *around = scope->caller ? scope->caller : scope->outer;
    bool passes = scope->node && (scope->caller || span_is(scope->node->op_type, "If"));
    for (uint32_t i = 0; passes && i < scope->graph->output_count; i++)
        if (scope->graph->outputs[i].name == s->name && i < scope->node->output_count)
            TRY(add_state(f, around, scope->node->outputs[i], s->moved));
    return O2W_OK;
}

static o2w_status follow(struct flow *f, const struct state *s)
{
    const struct onnx_graph *g = s->scope->graph;
    for (uint32_t i = 0; i < g->node_count; i++) {
        for (uint32_t k = 0; k < g->nodes[i].input_count; k++)
            if (g->nodes[i].inputs[k] == s->name)
                TRY(visit_input(f, s, &g->nodes[i], k));
        TRY(enter_bodies(f, s, &g->nodes[i]));
    }
    return leave(f, s);
}

o2w_status flow_reach(struct scopes *s, name_id name, const struct feed *feed, enum reach_kind kind,
                      struct diags *d, struct reach *out)
{
    struct flow f = { .scopes = s, .feed = feed, .kind = kind, .diags = d, .reach = out };
    *out = (struct reach){ .quantizers.allocator = s->allocator };
    f.states.allocator = s->allocator;
    map_init(&f.seen, s->allocator);
    o2w_status status = add_state(&f, &s->main, name, false);
    while (status == O2W_OK && f.next < f.states.count) {
        struct state state = f.states.items[f.next++];
        status = follow(&f, &state);
    }
    map_free(&f.seen);
    VEC_FREE(&f.states);
    return status;
}

void reach_free(struct reach *r)
{
    VEC_FREE(&r->quantizers);
}

o2w_status flow_plan(struct scopes *s, name_id name, struct feed *f, struct diags *d)
{
    struct reach reach;
    o2w_status status = flow_reach(s, name, f, REACH_QUANTIZERS, d, &reach);
    if (status == O2W_OK && f->rule == FEED_PATTERN)
        status = grid_decide(s, f, &reach, d);
    reach_free(&reach);
    if (status != O2W_OK || !dtype_is_integer(f->dtype) || f->rule == FEED_SCALE_AWARE)
        return status;
    status = flow_reach(s, name, f, REACH_TABLES, d, &reach);
    f->vocabulary = reach.vocabulary;
    if (f->vocabulary && f->rule == FEED_PATTERN)
        f->rule = FEED_IDS;
    reach_free(&reach);
    return status;
}
