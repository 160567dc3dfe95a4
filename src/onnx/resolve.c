/* What the operator of each node is: the imported version of its domain, or a function of the
 * model. */

#include "onnx/sort.h"
#include "onnx/store.h"

#include <inttypes.h>
#include <string.h>

/* More operators than this out of functions are refused before anybody tries to expand them. */
enum { EXPANSION_LIMIT = 1 << 24 };

struct resolve {
    struct onnx_model *m;
    struct diags *d;
    const struct onnx_function *function; /* whose body is walked; NULL: main graph */
    struct map functions;                 /* by key */
    struct map imports;                   /* of the body being walked: domain → place in opsets */
    const struct onnx_opset *opsets;
    struct onnx_opset last; /* the import found last */
    struct map given;       /* attribute names of one node */
    VEC(uint8_t) key;
    VEC(uint32_t) callees; /* of all functions, in their order */
    uint64_t nodes;        /* of the body being walked */
};

/* ---- functions by name ---- */

/* Lengths first, so that no two triples have the same key. Valid until the next call. */
static o2w_status make_key(struct resolve *rs, struct span domain, struct span name,
                           struct span overload, struct span *key)
{
    uint64_t sizes[2] = { domain.size, name.size };
    struct span parts[] = { { (const uint8_t *)sizes, sizeof sizes }, domain, name, overload };
    rs->key.count = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!VEC_RESERVE(&rs->key, parts[i].size))
            return diag_memory(rs->d);
        if (parts[i].size)
            memcpy(rs->key.items + rs->key.count, parts[i].data, parts[i].size);
        rs->key.count += parts[i].size;
    }
    *key = (struct span){ rs->key.items, rs->key.count };
    return O2W_OK;
}

static o2w_status index_function(struct resolve *rs, uint32_t index)
{
    bool added;
    struct span key = SPAN("");
    const struct onnx_function *f = &rs->m->functions[index];
    if (f->name.size == 0)
        return diag_error(rs->d, DIAG_MODEL_FUNCTION, "function %" PRIu32 " has no name", index);
    TRY(make_key(rs, f->domain, f->name, f->overload, &key));
    key = arena_copy(&rs->m->store->arena, key);
    if (!key.data || map_insert(&rs->functions, key, index, NULL, &added) != O2W_OK)
        return diag_memory(rs->d);
    return added ? O2W_OK
                 : diag_error(rs->d, DIAG_MODEL_FUNCTION,
                              "function '%.*s' of domain '%.*s' defined twice", SPAN_ARG(f->name),
                              SPAN_ARG(f->domain));
}

static o2w_status find_function(struct resolve *rs, struct onnx_node *n)
{
    struct span key = SPAN("");
    if (rs->functions.count == 0)
        return O2W_OK;
    TRY(make_key(rs, n->domain, n->op_type, n->overload, &key));
    const uint32_t *index = map_find(&rs->functions, key);
    if (!index)
        return O2W_OK;
    n->function = &rs->m->functions[*index];
    return VEC_PUSH(&rs->callees, *index) ? O2W_OK : diag_memory(rs->d);
}

/* ---- imports ---- */

static o2w_status index_imports(struct resolve *rs, const struct onnx_opset *opsets, uint32_t count)
{
    map_clear(&rs->imports);
    rs->opsets = opsets;
    rs->last = (struct onnx_opset){ 0 };
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *index;
        const struct onnx_opset *o = &opsets[i];
        if (map_insert(&rs->imports, o->domain, i, &index, NULL) != O2W_OK)
            return diag_memory(rs->d);
        if (opsets[*index].version != o->version)
            return diag_error(rs->d, DIAG_MODEL_OPSET,
                              "opset_import has '%.*s' with versions %" PRId64 " and %" PRId64
                              ", must have one",
                              SPAN_ARG(o->domain), opsets[*index].version, o->version);
        if (o->version < 1)
            return diag_error(rs->d, DIAG_MODEL_OPSET,
                              "opset_import of '%.*s' has version %" PRId64 ", must be at least 1",
                              SPAN_ARG(o->domain), o->version);
    }
    return O2W_OK;
}

static o2w_status find_import(struct resolve *rs, struct onnx_node *n)
{
    if (!rs->last.domain.data || !span_equal(rs->last.domain, n->domain)) {
        const uint32_t *index = map_find(&rs->imports, n->domain);
        if (!index) {
            if (n->function)
                return O2W_OK;
            o2w_status status =
                diag_error(rs->d, DIAG_MODEL_OPSET, "domain '%.*s' is not in opset_import",
                           SPAN_ARG(n->domain));
            return onnx_at_node(rs->d, rs->m, n, NULL), status;
        }
        rs->last = rs->opsets[*index];
    }
    n->opset = rs->last.version;
    return O2W_OK;
}

/* ---- nodes ---- */

static o2w_status check_attribute(struct resolve *rs, const struct onnx_attribute *a)
{
    bool added;
    if (a->name.size == 0)
        return diag_error(rs->d, DIAG_MODEL_STRUCTURE, "an attribute has no name");
    if (a->ref_name.size && !rs->function)
        return diag_error(rs->d, DIAG_MODEL_STRUCTURE,
                          "attribute '%.*s' refers to '%.*s' of a call, must be in a function",
                          SPAN_ARG(a->name), SPAN_ARG(a->ref_name));
    if (map_insert(&rs->given, a->name, 0, NULL, &added) != O2W_OK)
        return diag_memory(rs->d);
    return added ? O2W_OK
                 : diag_error(rs->d, DIAG_MODEL_STRUCTURE, "attribute '%.*s' given twice",
                              SPAN_ARG(a->name));
}

static o2w_status check_attributes(struct resolve *rs, const struct onnx_node *n)
{
    o2w_status status = O2W_OK;
    map_clear(&rs->given);
    for (uint32_t i = 0; i < n->attribute_count && status == O2W_OK; i++)
        status = check_attribute(rs, &n->attributes[i]);
    if (status != O2W_OK)
        onnx_at_node(rs->d, rs->m, n, NULL);
    return status;
}

static o2w_status resolve_graph(struct resolve *rs, const struct onnx_graph *g);

static o2w_status resolve_node(struct resolve *rs, struct onnx_node *n)
{
    if (n->op_type.size == 0) {
        o2w_status status = diag_error(rs->d, DIAG_MODEL_STRUCTURE, "op_type of a node is empty");
        return onnx_at_node(rs->d, rs->m, n, NULL), status;
    }
    TRY(find_function(rs, n));
    TRY(find_import(rs, n));
    TRY(check_attributes(rs, n));
    for (uint32_t i = 0; i < n->attribute_count; i++) {
        const struct onnx_attribute *a = &n->attributes[i];
        for (uint32_t k = 0; onnx_attribute_has_graphs(a) && k < a->count; k++)
            TRY(resolve_graph(rs, &a->graphs[k]));
    }
    return O2W_OK;
}

static o2w_status resolve_graph(struct resolve *rs, const struct onnx_graph *g)
{
    rs->nodes += g->node_count;
    for (uint32_t i = 0; i < g->node_count; i++)
        TRY(resolve_node(rs, &g->nodes[i]));
    return O2W_OK;
}

/* ---- calls ---- */

/* Bodies by index: the functions, then the main graph. */
struct calls {
    uint32_t *starts, *order;
    uint64_t *nodes; /* of each body, later with what its calls expand to */
};

static o2w_status resolve_bodies(struct resolve *rs, struct calls *c)
{
    struct onnx_model *m = rs->m;
    for (uint32_t i = 0; i <= m->function_count; i++) {
        const struct onnx_function *f = i < m->function_count ? &m->functions[i] : NULL;
        c->starts[i] = (uint32_t)rs->callees.count;
        rs->function = f;
        rs->nodes = 0;
        TRY(index_imports(rs, f ? f->opsets : m->opsets, f ? f->opset_count : m->opset_count));
        o2w_status status = resolve_graph(rs, f ? &f->body : &m->graph);
        if (status != O2W_OK && f)
            diag_at(rs->d, "function '%.*s'", SPAN_ARG(f->name));
        TRY(status);
        c->nodes[i] = rs->nodes;
    }
    c->starts[m->function_count + 1] = (uint32_t)rs->callees.count;
    return O2W_OK;
}

enum { RECURSION_SHOWN = 8 };

static o2w_status refuse_recursion(const struct resolve *rs, const uint32_t *cycle, uint32_t length)
{
    const struct onnx_function *functions = rs->m->functions;
    o2w_status status =
        diag_error(rs->d, DIAG_MODEL_FUNCTION, "recursion of function '%.*s', calls must end",
                   SPAN_ARG(functions[cycle[length - 1]].name));
    for (uint32_t i = 0; i < length && i < RECURSION_SHOWN; i++)
        diag_at(rs->d, "function '%.*s' calls '%.*s'",
                SPAN_ARG(functions[cycle[length - 1 - i]].name),
                SPAN_ARG(functions[cycle[i + 1 < length ? length - 2 - i : length - 1]].name));
    if (length > RECURSION_SHOWN)
        diag_at(rs->d, "and %" PRIu32 " more", length - RECURSION_SHOWN);
    return status;
}

/* Callees stand before their callers in the order, so their sizes are known. */
static o2w_status check_expansion(const struct resolve *rs, const struct calls *c)
{
    for (uint32_t i = 0; i <= rs->m->function_count; i++) {
        uint32_t body = c->order[i];
        uint64_t total = c->nodes[body];
        for (uint32_t e = c->starts[body]; e < c->starts[body + 1]; e++) {
            total += c->nodes[rs->callees.items[e]];
            if (total > EXPANSION_LIMIT)
                return diag_error(rs->d, DIAG_LIMIT,
                                  "expansion of functions gives more than %d operators",
                                  EXPANSION_LIMIT);
        }
        c->nodes[body] = total;
    }
    return O2W_OK;
}

static o2w_status check_calls(const struct resolve *rs, const struct calls *c)
{
    uint32_t length = 0;
    struct sort_graph g = { c->starts, rs->callees.items, rs->m->function_count + 1 };
    o2w_status status = sort_topological(&g, rs->m->store->allocator, c->order, &length);
    if (status == O2W_FORMAT)
        return refuse_recursion(rs, c->order, length);
    return status == O2W_OK ? check_expansion(rs, c) : diag_memory(rs->d);
}

static o2w_status resolve_all(struct resolve *rs, struct calls *c)
{
    for (uint32_t i = 0; i < rs->m->function_count; i++)
        TRY(index_function(rs, i));
    TRY(resolve_bodies(rs, c));
    return rs->m->function_count ? check_calls(rs, c) : O2W_OK;
}

static o2w_status resolve_in(struct resolve *rs, struct arena *a)
{
    size_t bodies = (size_t)rs->m->function_count + 1;
    struct calls c = { .starts = ARENA_ARRAY(a, bodies + 1, uint32_t),
                       .order = ARENA_ARRAY(a, bodies, uint32_t),
                       .nodes = ARENA_ARRAY(a, bodies, uint64_t) };
    if (!c.starts || !c.order || !c.nodes)
        return diag_memory(rs->d);
    return resolve_all(rs, &c);
}

o2w_status onnx_resolve(struct onnx_model *m, struct diags *d)
{
    const o2w_allocator *allocator = m->store->allocator;
    struct resolve rs = {
        .m = m, .d = d, .key.allocator = allocator, .callees.allocator = allocator
    };
    struct arena a;
    arena_init(&a, allocator);
    map_init(&rs.functions, allocator);
    map_init(&rs.imports, allocator);
    map_init(&rs.given, allocator);
    o2w_status status = resolve_in(&rs, &a);
    arena_free(&a);
    map_free(&rs.functions);
    map_free(&rs.imports);
    map_free(&rs.given);
    VEC_FREE(&rs.key);
    VEC_FREE(&rs.callees);
    return status;
}
