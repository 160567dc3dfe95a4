/* Scopes and names. */
#include "validate/scope.h"

#include <string.h>

void scopes_init(struct scopes *s, struct onnx_model *model, struct arena *arena)
{
    *s = (struct scopes){ .model = model, .arena = arena, .allocator = arena->allocator };
    s->main.graph = &model->graph;
    s->list.allocator = s->known.allocator = s->allocator;
    map_init(&s->children, s->allocator);
    map_init(&s->values, s->allocator);
}

void scopes_free(struct scopes *s)
{
    map_free(&s->children);
    map_free(&s->values);
    VEC_FREE(&s->list); /* of pointers: NOLINT(bugprone-sizeof-expression) */
    VEC_FREE(&s->known);
}

/* --- bodies ---------------------------------------------------------------------------------------- */

struct child_key {
    const struct scope *outer;
    const struct onnx_node *node;
    const struct onnx_graph *graph;
};

static struct span key_copy(struct arena *a, const void *key, size_t size)
{
    return arena_copy(a, (struct span){ key, size });
}

o2w_status scope_enter(struct scopes *s, const struct scope *outer, const struct onnx_node *node,
                       const struct onnx_graph *graph, struct diags *d, const struct scope **out)
{
    struct child_key key = { outer, node, graph };
    struct span bytes = key_copy(s->arena, &key, sizeof key);
    uint32_t *index;
    bool added;
    if (!bytes.data ||
        map_insert(&s->children, bytes, (uint32_t)s->list.count, &index, &added) != O2W_OK)
        return diag_memory(d);
    if (!added) {
        *out = s->list.items[*index];
        return O2W_OK;
    }
    struct scope *made = ARENA_NEW(s->arena, struct scope);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression) */
    if (!made || !VEC_PUSH(&s->list, made))
        return diag_memory(d);
    bool function = node->function && graph == &node->function->body;
    *made = (struct scope){ .graph = graph,
                            .outer = function ? NULL : outer,
                            .caller = function ? outer : NULL,
                            .node = node };
    *out = made;
    return O2W_OK;
}

/* --- names ----------------------------------------------------------------------------------------- */

const struct onnx_tensor *scope_initializer(const struct scope *s, name_id name)
{
    for (uint32_t i = 0; i < s->graph->initializer_count; i++)
        if (s->graph->initializers[i].name == name)
            return &s->graph->initializers[i];
    return NULL;
}

bool graph_initializes(const struct onnx_graph *g, name_id name)
{
    const struct scope here = { .graph = g };
    for (uint32_t i = 0; i < g->sparse_initializer_count; i++)
        if (g->sparse_initializers[i].values.name == name)
            return true;
    return scope_initializer(&here, name) != NULL;
}

const struct onnx_node *scope_producer(const struct scope *s, name_id name, uint32_t *output)
{
    for (uint32_t i = 0; i < s->graph->node_count; i++)
        for (uint32_t k = 0; k < s->graph->nodes[i].output_count; k++)
            if (s->graph->nodes[i].outputs[k] == name) {
                *output = k;
                return &s->graph->nodes[i];
            }
    return NULL;
}

static uint32_t find_info(const struct onnx_value_info *infos, uint32_t count, name_id name)
{
    for (uint32_t i = 0; i < count; i++)
        if (infos[i].name == name)
            return i;
    return UINT32_MAX;
}

uint32_t scope_input(const struct scope *s, name_id name)
{
    return find_info(s->graph->inputs, s->graph->input_count, name);
}

const struct scope *scope_of_name(const struct scope *s, name_id name)
{
    uint32_t output;
    for (; s; s = s->outer)
        if (graph_initializes(s->graph, name) || scope_producer(s, name, &output) ||
            scope_input(s, name) != UINT32_MAX)
            return s;
    return NULL;
}

/* --- attributes ------------------------------------------------------------------------------------- */

static const struct onnx_attribute *find_attribute(const struct onnx_attribute *items,
                                                   uint32_t count, struct span name)
{
    for (uint32_t i = 0; i < count; i++)
        if (span_equal(items[i].name, name))
            return &items[i];
    return NULL;
}

/* The function body that `s` is in. */
static const struct scope *function_scope(const struct scope *s)
{
    while (s && !scope_is_function(s))
        s = s->outer;
    return s;
}

const struct onnx_attribute *scope_attribute(const struct scope *s, const struct onnx_node *n,
                                             const char *name)
{
    const struct onnx_attribute *a =
        find_attribute(n->attributes, n->attribute_count, span_of(name));
    while (a && a->ref_name.size) {
        const struct scope *f = function_scope(s);
        if (!f)
            return NULL;
        struct span wanted = a->ref_name;
        a = find_attribute(f->node->attributes, f->node->attribute_count, wanted);
        if (!a)
            a = find_attribute(f->node->function->defaults, f->node->function->default_count,
                               wanted);
        s = f->caller;
    }
    return a;
}

int64_t scope_int(const struct scope *s, const struct onnx_node *n, const char *name,
                  int64_t fallback)
{
    const struct onnx_attribute *a = scope_attribute(s, n, name);
    return a && a->type == ONNX_ATTRIBUTE_INT ? a->i : fallback;
}

const char *node_shown(const struct scopes *s, const struct onnx_node *n)
{
    char *text = n->name.size ? arena_text(s->arena, n->name)
                              : arena_printf(s->arena, "%.*s#%u", SPAN_ARG(n->op_type), n->index);
    return text ? text : "?";
}
