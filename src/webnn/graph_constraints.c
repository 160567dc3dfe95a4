/* Which dims must agree at run time. */
#include "webnn/graph_private.h"

static bool is_pair(const struct constraint *c, const expr_id pair[2])
{
    return (c->a == pair[0] && c->b == pair[1]) || (c->a == pair[1] && c->b == pair[0]);
}

o2w_status graph_add_constraint(struct graph *g, struct map *seen, struct arena *keys,
                                const struct constraint *c)
{
    expr_id pair[2] = { c->a < c->b ? c->a : c->b, c->a < c->b ? c->b : c->a };
    struct span key = { (const uint8_t *)pair, sizeof pair };
    uint32_t *index = map_find(seen, key);
    if (index && *index < g->constraints.count && is_pair(&g->constraints.items[*index], pair))
        return O2W_OK;
    if (!VEC_RESERVE(&g->constraints, 1))
        return O2W_NO_MEMORY;
    if (!index) {
        key = arena_copy(keys, key);
        if (!key.data || map_insert(seen, key, 0, &index, NULL) != O2W_OK)
            return O2W_NO_MEMORY;
    }
    *index = (uint32_t)g->constraints.count;
    g->constraints.items[g->constraints.count++] = *c;
    return O2W_OK;
}

/* ---- from names of inputs ---- */

/* Which names the graph's inputs give a size to. */
static void mark_bound(const struct graph *g, bool *bound)
{
    size_t index;
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct operand *o = graph_operand(g, g->inputs.items[i]);
        for (uint32_t k = 0; k < o->rank; k++)
            if (!dim_is_static(o->dims[k]) &&
                expr_is_name(g->exprs, dim_expr_id(o->dims[k]), &index))
                bound[index] = true;
    }
}

static bool all_bound(const struct graph *g, expr_id e, const bool *bound, bool *used, size_t count)
{
    for (size_t i = 0; i < count; i++)
        used[i] = false;
    expr_mark_names(g->exprs, e, used);
    for (size_t i = 0; i < count; i++)
        if (used[i] && !bound[i])
            return false;
    return true;
}

/* The name as an expression over others; false when it is none, or none that dispatch could compute. */
static o2w_status read_formula(struct graph *g, size_t index, const bool *bound, bool *used,
                               size_t count, struct constraint *out, bool *found)
{
    struct span name;
    int64_t min, max;
    *found = false;
    if (!bound[index])
        return O2W_OK;
    expr_name_at(g->exprs, index, &name, &min, &max);
    TRY(expr_parse_formula(g->exprs, name, found, &out->b));
    *found = *found && expr_find_name(g->exprs, name, &out->a) &&
             all_bound(g, out->b, bound, used, count);
    return O2W_OK;
}

o2w_status graph_constrain_names(struct graph *g, struct map *seen, struct arena *keys)
{
    size_t count = expr_name_count(g->exprs);
    bool *bound = ARENA_ARRAY(keys, count, bool), *used = ARENA_ARRAY(keys, count, bool);
    if (!bound || !used)
        return O2W_NO_MEMORY;
    mark_bound(g, bound);
    for (size_t i = 0; i < count; i++) {
        struct constraint c = { .kind = WEBNN_OPERATOR_COUNT, .label = "" };
        bool found;
        TRY(read_formula(g, i, bound, used, count, &c, &found));
        if (found)
            TRY(graph_add_constraint(g, seen, keys, &c));
    }
    return O2W_OK;
}

/* ---- once more from all operators ---- */

struct derivation {
    struct graph *g;
    struct limits limits;
    struct infer_room room;
    struct map seen;
    struct arena keys;
    void *scratch; /* for attributes of any operator */
};

o2w_status graph_record_constraints(struct graph *g, struct map *seen, struct arena *keys,
                                    const struct infer *in, name_id label)
{
    for (size_t i = 0; i < in->constraints.count; i++) {
        struct constraint found = in->constraints.items[i];
        found.label = (const char *)names_text(&g->names, label).data;
        TRY(graph_add_constraint(g, seen, keys, &found));
    }
    return O2W_OK;
}

static o2w_status derive_one(struct derivation *v, const struct operator_node *node)
{
    struct infer in = { .kind = node->kind,
                        .limits = &v->limits,
                        .exprs = v->g->exprs,
                        .attributes = node->attributes,
                        .constraints.allocator = v->g->allocator };
    TRY(infer_room_load(&v->room, v->g, node->operands, node->operand_count, node->result_count,
                        &in));
    o2w_status status = infer_operator(&in, v->scratch);
    if (status == O2W_OK)
        status = graph_record_constraints(v->g, &v->seen, &v->keys, &in, node->label);
    VEC_FREE(&in.constraints);
    return status;
}

static o2w_status derive_all(struct derivation *v)
{
    size_t size = 0;
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++)
        if (operator_row((enum webnn_operator)kind)->attribute_size > size)
            size = operator_row((enum webnn_operator)kind)->attribute_size;
    v->scratch = arena_alloc(&v->keys, size, 16);
    if (!v->scratch)
        return O2W_NO_MEMORY;
    for (size_t i = 0; i < v->g->operators.count; i++)
        TRY(derive_one(v, &v->g->operators.items[i]));
    return graph_constrain_names(v->g, &v->seen, &v->keys);
}

/* The list found is kept, or the one before. */
static void settle(struct graph *g, struct constraint *items, size_t count, size_t capacity,
                   bool found)
{
    if (found) {
        mem_free(g->allocator, items, capacity * sizeof *items);
        return;
    }
    VEC_FREE(&g->constraints);
    g->constraints.items = items;
    g->constraints.count = count;
    g->constraints.capacity = capacity;
}

o2w_status graph_derive_constraints(struct graph *g, struct diags *d)
{
    struct derivation v = { .g = g };
    struct constraint *items = g->constraints.items;
    size_t count = g->constraints.count, capacity = g->constraints.capacity;
    limits_evaluation(&v.limits); /* the widest: the graph was checked when it was built */
    infer_room_init(&v.room, g->allocator);
    map_init(&v.seen, g->allocator);
    arena_init(&v.keys, g->allocator);
    g->constraints.items = NULL;
    g->constraints.count = g->constraints.capacity = 0;
    o2w_status status = derive_all(&v);
    settle(g, items, count, capacity, status == O2W_OK);
    infer_room_free(&v.room);
    map_free(&v.seen);
    arena_free(&v.keys);
    if (status == O2W_OK || status == O2W_NO_MEMORY)
        return status == O2W_OK ? O2W_OK : diag_memory(d);
    return diag_error(d, DIAG_INTERNAL, "an operator of the graph is no longer valid");
}
