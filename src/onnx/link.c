/* Scopes: who defines a name, who uses it, and in what order nodes can run. */

#include "onnx/sort.h"
#include "onnx/store.h"

#include <inttypes.h>
#include <string.h>

/* Who defines a name, seen from the scope being linked. */
struct definition {
    uint32_t scope; /* depth of the graph, from 1; 0: nobody */
    uint32_t node;  /* place of its node in the file, or one of: */
};

enum {
    BY_INPUT = UINT32_MAX - 3,
    BY_INITIALIZER,
    BY_INPUT_AND_INITIALIZER, /* an initializer that is an input's default */
    BY_OUTER                  /* of a graph further out, used in this one */
};

struct undo {
    name_id name;
    struct definition before;
};

struct scope {
    struct onnx_graph *graph;
    uint32_t depth;
    uint32_t node; /* being linked */
    const struct scope *outer;
    size_t undo_base, capture_base, edge_base;
    uint32_t *starts; /* of the edges of each node, from edge_base */
    bool unsorted;
};

struct link {
    struct onnx_model *m;
    struct diags *d;
    const o2w_allocator *allocator;
    struct definition *definitions; /* by name id */
    VEC(struct undo) undo;
    VEC(name_id) captures;
    VEC(uint32_t) edges;
};

static o2w_status link_graph(struct link *l, struct onnx_graph *g, const struct scope *outer);

/* ---- definitions ---- */

static const char *kind_of(struct definition def)
{
    switch (def.node) {
    case BY_INPUT:
    case BY_INPUT_AND_INITIALIZER: return "an input";
    case BY_INITIALIZER: return "an initializer";
    default: return "a node output";
    }
}

/* Whether the graph around may see the name at the node whose subgraph is being linked. Names of
 * that node and of later ones are not visible inside, and may be used again there. */
static bool is_visible(const struct scope *outer, struct definition def)
{
    while (outer && outer->depth != def.scope)
        outer = outer->outer;
    return outer && (def.node >= BY_INPUT || def.node < outer->node);
}

static o2w_status refuse_name(struct link *l, const struct scope *s, name_id name,
                              struct definition before, struct definition now)
{
    struct span text = onnx_name(l->m, name);
    bool here = before.scope == now.scope;
    o2w_status status =
        diag_error(l->d, DIAG_MODEL_NAME, "name '%.*s' defined twice: as %s%s and as %s",
                   SPAN_ARG(text), kind_of(before), here ? "" : " of an outer graph", kind_of(now));
    if (now.node < BY_INPUT)
        onnx_at_node(l->d, l->m, &s->graph->nodes[now.node], NULL);
    else
        diag_subject(l->d, "name", text);
    return status;
}

/* Formal inputs and initializers of a subgraph may have names of outer graphs, and then hide them;
 * node outputs may not. */
static o2w_status define(struct link *l, const struct scope *s, name_id name, uint32_t node)
{
    struct definition *def = &l->definitions[name], now = { s->depth, node };
    if (def->scope == s->depth) {
        if (def->node != BY_INPUT || node != BY_INITIALIZER)
            return refuse_name(l, s, name, *def, now);
        def->node = BY_INPUT_AND_INITIALIZER;
        return O2W_OK;
    }
    if (node < BY_INPUT && def->scope && is_visible(s->outer, *def))
        return refuse_name(l, s, name, *def, now);
    if (!VEC_PUSH(&l->undo, (struct undo){ name, *def }))
        return diag_memory(l->d);
    *def = now;
    return O2W_OK;
}

static o2w_status refuse_empty(struct link *l, const struct scope *s, const char *what,
                               size_t index)
{
    return diag_error(l->d, DIAG_MODEL_NAME, "%s %zu of graph '%.*s' has no name", what, index,
                      SPAN_ARG(s->graph->name));
}

/* Which inputs have initializers, in one pass over each: a model may have very many of both. */
static o2w_status pair_inputs(struct link *l, struct onnx_graph *g)
{
    size_t size = ((size_t)l->m->name_count + 1) * sizeof(uint32_t);
    uint32_t *places = mem_alloc(l->allocator, size);
    if (!places)
        return diag_memory(l->d);
    memset(places, 0, size);
    for (uint32_t i = 0; i < g->initializer_count; i++)
        places[g->initializers[i].name] = i + 1;
    for (uint32_t i = 0; i < g->sparse_initializer_count; i++)
        places[g->sparse_initializers[i].values.name] = g->initializer_count + i + 1;
    for (uint32_t i = 0; i < g->input_count; i++)
        g->inputs[i].initializer = places[g->inputs[i].name];
    mem_free(l->allocator, places, size);
    return O2W_OK;
}

static o2w_status define_inputs(struct link *l, const struct scope *s)
{
    const struct onnx_graph *g = s->graph;
    for (size_t i = 0; i < g->input_count; i++) {
        if (!g->inputs[i].name)
            return refuse_empty(l, s, "input", i);
        TRY(define(l, s, g->inputs[i].name, BY_INPUT));
    }
    for (size_t i = 0; i < g->initializer_count; i++) {
        if (!g->initializers[i].name)
            return refuse_empty(l, s, "initializer", i);
        TRY(define(l, s, g->initializers[i].name, BY_INITIALIZER));
    }
    for (size_t i = 0; i < g->sparse_initializer_count; i++) {
        if (!g->sparse_initializers[i].values.name)
            return refuse_empty(l, s, "sparse initializer", i);
        TRY(define(l, s, g->sparse_initializers[i].values.name, BY_INITIALIZER));
    }
    return s->graph == &l->m->graph ? pair_inputs(l, s->graph) : O2W_OK;
}

static o2w_status define_outputs(struct link *l, const struct scope *s)
{
    for (uint32_t i = 0; i < s->graph->node_count; i++) {
        const struct onnx_node *n = &s->graph->nodes[i];
        for (uint32_t k = 0; k < n->output_count; k++)
            if (n->outputs[k])
                TRY(define(l, s, n->outputs[k], i));
    }
    return O2W_OK;
}

/* ---- uses ---- */

/* A name from further out counts as defined here from now on, so that it is noted once. */
static o2w_status capture(struct link *l, const struct scope *s, name_id name)
{
    struct definition *def = &l->definitions[name];
    if (!VEC_PUSH(&l->captures, name) || !VEC_PUSH(&l->undo, (struct undo){ name, *def }))
        return diag_memory(l->d);
    *def = (struct definition){ s->depth, BY_OUTER };
    return O2W_OK;
}

static o2w_status use(struct link *l, struct scope *s, name_id name)
{
    struct definition def = l->definitions[name];
    if (def.scope != s->depth)
        return capture(l, s, name);
    if (def.node >= BY_INPUT)
        return O2W_OK;
    s->unsorted = s->unsorted || def.node >= s->node;
    return VEC_PUSH(&l->edges, def.node) ? O2W_OK : diag_memory(l->d);
}

static o2w_status link_inputs(struct link *l, struct scope *s, const struct onnx_node *n)
{
    for (uint32_t i = 0; i < n->input_count; i++) {
        name_id name = n->inputs[i];
        if (name && !l->definitions[name].scope) {
            o2w_status status = diag_error(
                l->d, DIAG_MODEL_NAME,
                "input %" PRIu32 " '%.*s' is defined nowhere: no graph input, initializer or "
                "node output has this name",
                i, SPAN_ARG(onnx_name(l->m, name)));
            onnx_at_node(l->d, l->m, n, NULL);
            return status;
        }
        if (name)
            TRY(use(l, s, name));
    }
    return O2W_OK;
}

static o2w_status link_subgraphs(struct link *l, struct scope *s, const struct onnx_attribute *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        struct onnx_graph *g = &a->graphs[i];
        TRY(link_graph(l, g, s));
        for (uint32_t k = 0; k < g->capture_count; k++)
            TRY(use(l, s, g->captures[k]));
    }
    return O2W_OK;
}

static o2w_status link_nodes(struct link *l, struct scope *s)
{
    for (uint32_t i = 0; i < s->graph->node_count; i++) {
        const struct onnx_node *n = &s->graph->nodes[i];
        s->node = i;
        s->starts[i] = (uint32_t)(l->edges.count - s->edge_base);
        TRY(link_inputs(l, s, n));
        for (uint32_t k = 0; k < n->attribute_count; k++)
            if (onnx_attribute_has_graphs(&n->attributes[k]))
                TRY(link_subgraphs(l, s, &n->attributes[k]));
        if (l->edges.count - s->edge_base > UINT32_MAX)
            return diag_error(l->d, DIAG_LIMIT, "graph '%.*s' has more than %" PRIu32 " edges",
                              SPAN_ARG(s->graph->name), UINT32_MAX);
    }
    s->starts[s->graph->node_count] = (uint32_t)(l->edges.count - s->edge_base);
    return O2W_OK;
}

static o2w_status refuse_output(struct link *l, const struct onnx_graph *g, struct span name)
{
    o2w_status status =
        diag_error(l->d, DIAG_MODEL_NAME, "output '%.*s' of graph '%.*s' is produced by nothing",
                   SPAN_ARG(name), SPAN_ARG(g->name));
    if (g->node_count)
        onnx_at_node(l->d, l->m, &g->nodes[g->node_count - 1], " is the last node");
    diag_subject(l->d, "output", name);
    return status;
}

/* Outputs may be any name that is visible, also one of an outer graph. */
static o2w_status link_outputs(struct link *l, struct scope *s)
{
    for (uint32_t i = 0; i < s->graph->output_count; i++) {
        name_id name = s->graph->outputs[i].name;
        if (!name)
            return refuse_empty(l, s, "output", i);
        struct definition def = l->definitions[name];
        if (!def.scope)
            return refuse_output(l, s->graph, onnx_name(l->m, name));
        if (def.scope != s->depth)
            TRY(capture(l, s, name));
    }
    return O2W_OK;
}

/* ---- order ---- */

enum { CYCLE_SHOWN = 8 };

static o2w_status refuse_cycle(struct link *l, const struct onnx_graph *g, const uint32_t *cycle,
                               uint32_t length)
{
    o2w_status status =
        length == 1
            ? diag_error(l->d, DIAG_MODEL_CYCLE, "cycle: a node needs its own output")
            : diag_error(l->d, DIAG_MODEL_CYCLE,
                         "cycle of %" PRIu32 " nodes, each needs the one before it", length);
    for (uint32_t i = 0; i < length && i < CYCLE_SHOWN; i++)
        onnx_at_node(l->d, l->m, &g->nodes[cycle[i]], NULL);
    if (length > CYCLE_SHOWN)
        diag_at(l->d, "and %" PRIu32 " more", length - CYCLE_SHOWN);
    return status;
}

static o2w_status reorder(struct link *l, struct onnx_graph *g, const uint32_t *order)
{
    struct onnx_node *sorted = ARENA_ARRAY(&l->m->store->arena, g->node_count, struct onnx_node);
    if (!sorted)
        return diag_memory(l->d);
    for (uint32_t i = 0; i < g->node_count; i++)
        sorted[i] = g->nodes[order[i]];
    g->nodes = sorted;
    return O2W_OK;
}

static o2w_status sort_nodes(struct link *l, const struct scope *s)
{
    struct onnx_graph *g = s->graph;
    struct sort_graph edges = { s->starts, l->edges.items + s->edge_base, g->node_count };
    size_t size = g->node_count * sizeof(uint32_t);
    uint32_t length = 0, *order = mem_alloc(l->allocator, size);
    if (!order)
        return diag_memory(l->d);
    o2w_status status = sort_topological(&edges, l->allocator, order, &length);
    if (status == O2W_OK)
        status = reorder(l, g, order);
    else if (status == O2W_FORMAT)
        status = refuse_cycle(l, g, order, length);
    else
        status = diag_memory(l->d);
    mem_free(l->allocator, order, size);
    return status;
}

/* ---- graphs ---- */

static o2w_status keep_captures(struct link *l, const struct scope *s)
{
    size_t count = l->captures.count - s->capture_base;
    name_id *names = ARENA_ARRAY(&l->m->store->arena, count, name_id);
    if (!names)
        return diag_memory(l->d);
    if (count)
        memcpy(names, l->captures.items + s->capture_base, count * sizeof *names);
    s->graph->captures = names;
    s->graph->capture_count = (uint32_t)count;
    return O2W_OK;
}

/* Forgets what the scope defined. */
static void leave(struct link *l, const struct scope *s)
{
    while (l->undo.count > s->undo_base) {
        const struct undo *u = &l->undo.items[--l->undo.count];
        l->definitions[u->name] = u->before;
    }
    l->captures.count = s->capture_base;
    l->edges.count = s->edge_base;
}

static o2w_status link_scope(struct link *l, struct scope *s)
{
    TRY(define_inputs(l, s));
    TRY(define_outputs(l, s));
    TRY(link_nodes(l, s));
    TRY(link_outputs(l, s));
    if (s->unsorted)
        TRY(sort_nodes(l, s));
    return keep_captures(l, s);
}

static o2w_status link_graph(struct link *l, struct onnx_graph *g, const struct scope *outer)
{
    size_t starts_size = ((size_t)g->node_count + 1) * sizeof(uint32_t);
    struct scope s = {
        .graph = g,
        .depth = outer ? outer->depth + 1 : 1,
        .outer = outer,
        .undo_base = l->undo.count,
        .capture_base = l->captures.count,
        .edge_base = l->edges.count,
        .starts = mem_alloc(l->allocator, starts_size),
    };
    o2w_status status = s.starts ? link_scope(l, &s) : diag_memory(l->d);
    leave(l, &s);
    mem_free(l->allocator, s.starts, starts_size);
    return status;
}

static o2w_status link_functions(struct link *l)
{
    for (uint32_t i = 0; i < l->m->function_count; i++) {
        o2w_status status = link_graph(l, &l->m->functions[i].body, NULL);
        if (status != O2W_OK)
            return diag_at(l->d, "function '%.*s'", SPAN_ARG(l->m->functions[i].name)), status;
    }
    return O2W_OK;
}

static o2w_status link_all(struct link *l, size_t size)
{
    if (!l->definitions)
        return diag_memory(l->d);
    memset(l->definitions, 0, size);
    TRY(link_graph(l, &l->m->graph, NULL));
    return link_functions(l);
}

o2w_status onnx_link(struct onnx_model *m, struct diags *d)
{
    const o2w_allocator *allocator = m->store->allocator;
    size_t size = m->name_count * sizeof(struct definition);
    struct link l = { .m = m,
                      .d = d,
                      .allocator = allocator,
                      .definitions = mem_alloc(allocator, size),
                      .undo.allocator = allocator,
                      .captures.allocator = allocator,
                      .edges.allocator = allocator };
    o2w_status status = link_all(&l, size);
    mem_free(allocator, l.definitions, size);
    VEC_FREE(&l.undo);
    VEC_FREE(&l.captures);
    VEC_FREE(&l.edges);
    return status;
}
