/* A graph as const data. What has to be made for it is made once, under a lock: graphs are shared. */
#include "api/objects.h"

#include <string.h>

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void fill_descriptor(const struct graph *g, operand_id id, webnn_descriptor *out)
{
    const struct operand *o = graph_operand(g, id);
    *out = (webnn_descriptor){ .data_type = (enum webnn_data_type)o->dtype, .rank = o->rank };
    for (uint32_t i = 0; i < o->rank; i++)
        out->dims[i] = dim_is_static(o->dims[i]) ? o->dims[i] : WEBNN_DYNAMIC;
}

/* --- ports --------------------------------------------------------------------------------------------- */

static bool fill_port(webnn_graph *g, operand_id id, name_id binding, webnn_port *out)
{
    const struct operand *o = graph_operand(g->graph, id);
    struct span name = binding ? names_text(&g->graph->names, binding)
                               : graph_operand_name(g->graph, id, &g->arena);
    *out = (webnn_port){ 0 };
    fill_descriptor(g->graph, id, &out->descriptor);
    out->name =
        arena_text(&g->arena, o->original ? names_text(&g->graph->names, o->original) : name);
    if (o->identifier)
        out->identifier = arena_text(&g->arena, names_text(&g->graph->names, o->identifier));
    for (uint32_t i = 0; i < o->rank; i++) {
        int64_t least;
        if (dim_is_static(o->dims[i]))
            continue;
        dim_bounds(g->graph->exprs, o->dims[i], &least, &out->dim_maxima[i]);
        out->dim_names[i] = expr_text(g->graph->exprs, dim_expr_id(o->dims[i]), &g->arena);
        if (!out->dim_names[i])
            return false;
    }
    return out->name != NULL;
}

static bool make_ports(webnn_graph *g)
{
    size_t in = g->graph->inputs.count, count = g->graph->outputs.count;
    webnn_port *inputs = ARENA_ARRAY(&g->arena, in, webnn_port);
    webnn_port *outputs = ARENA_ARRAY(&g->arena, count, webnn_port);
    if (!inputs || !outputs)
        return false;
    for (size_t i = 0; i < in; i++)
        if (!fill_port(g, g->graph->inputs.items[i], 0, &inputs[i]))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!fill_port(g, g->graph->outputs.items[i].operand, g->graph->outputs.items[i].name,
                       &outputs[i]))
            return false;
    g->inputs = inputs;
    g->outputs = outputs;
    return true;
}

/* --- nodes --------------------------------------------------------------------------------------------- */

static bool fill_node(webnn_graph *g, const struct operator_node *n, webnn_node *out)
{
    webnn_operand *operands = ARENA_ARRAY(&g->arena, n->operand_count, webnn_operand);
    if (!operands)
        return false;
    for (uint32_t i = 0; i < n->operand_count; i++)
        operands[i] = n->operands[i] == NO_ID ? WEBNN_ABSENT : api_operand(g, n->operands[i]);
    *out = (webnn_node){ .kind = n->kind,
                         .name = operator_row(n->kind)->name,
                         .label = arena_text(&g->arena, names_text(&g->graph->names, n->label)),
                         .attributes = n->attributes,
                         .operands = operands,
                         .operand_count = n->operand_count,
                         .result_count = n->result_count,
                         .first_result = api_operand(g, n->first_result) };
    return out->label != NULL;
}

static bool make_nodes(webnn_graph *g)
{
    webnn_node *nodes = ARENA_ARRAY(&g->arena, g->graph->operators.count, webnn_node);
    for (size_t i = 0; nodes && i < g->graph->operators.count; i++)
        if (!fill_node(g, &g->graph->operators.items[i], &nodes[i]))
            return false;
    g->nodes = nodes;
    return nodes != NULL;
}

/* `made` tells whether it is there; makes it otherwise. */
static webnn_graph *with_views(const webnn_graph *graph, bool nodes)
{
    webnn_graph *g = (webnn_graph *)(uintptr_t)graph;
    pthread_mutex_lock(&making);
    bool good = nodes ? g->nodes || make_nodes(g) : g->inputs || make_ports(g);
    pthread_mutex_unlock(&making);
    return good ? g : NULL;
}

/* --- public -------------------------------------------------------------------------------------------- */

size_t webnn_graph_input_count(const webnn_graph *g)
{
    return g->graph->inputs.count;
}

size_t webnn_graph_output_count(const webnn_graph *g)
{
    return g->graph->outputs.count;
}

bool webnn_graph_input(const webnn_graph *graph, size_t index, webnn_port *out)
{
    const webnn_graph *g = index < graph->graph->inputs.count ? with_views(graph, false) : NULL;
    if (g)
        *out = g->inputs[index];
    return g != NULL;
}

bool webnn_graph_output(const webnn_graph *graph, size_t index, webnn_port *out)
{
    const webnn_graph *g = index < graph->graph->outputs.count ? with_views(graph, false) : NULL;
    if (g)
        *out = g->outputs[index];
    return g != NULL;
}

size_t webnn_graph_operator_count(const webnn_graph *g)
{
    return g->graph->operators.count;
}

bool webnn_graph_node(const webnn_graph *graph, size_t index, webnn_node *out)
{
    const webnn_graph *g = index < graph->graph->operators.count ? with_views(graph, true) : NULL;
    if (g)
        *out = g->nodes[index];
    return g != NULL;
}

bool webnn_graph_operand(const webnn_graph *g, webnn_operand operand, webnn_descriptor *out)
{
    operand -= g->tag; /* what is none of it becomes a number beyond its operands */
    if (operand == WEBNN_ABSENT || operand > g->graph->operands.count)
        return false;
    fill_descriptor(g->graph, operand - 1, out);
    return true;
}

const char *webnn_operator_name(enum webnn_operator kind)
{
    return (unsigned)kind < WEBNN_OPERATOR_COUNT ? operator_row(kind)->name : NULL;
}

size_t webnn_graph_constant_count(const webnn_graph *g)
{
    return g->graph->constants.count;
}

bool webnn_graph_constant(const webnn_graph *g, size_t index, webnn_operand *operand,
                          uint64_t *bytes)
{
    if (index >= g->graph->constants.count)
        return false;
    operand_id id = g->graph->constants.items[index];
    *operand = api_operand(g, id);
    *bytes = weight_bytes(graph_weight(g->graph, id));
    return true;
}

struct copy {
    uint8_t *to;
    size_t room;
};

static o2w_status copy_block(void *user, const void *data, size_t size)
{
    struct copy *c = user;
    if (size > c->room)
        return O2W_INTERNAL;
    memcpy(c->to, data, size);
    c->to += size;
    c->room -= size;
    return O2W_OK;
}

o2w_status webnn_graph_constant_read(const webnn_graph *g, size_t index, void *data, size_t size,
                                     o2w_error **error)
{
    struct diags d;
    struct copy c = { data, size };
    webnn_operand operand;
    uint64_t bytes;
    diags_init(&d, g->allocator);
    o2w_status s = O2W_OK;
    if (!webnn_graph_constant(g, index, &operand, &bytes))
        s = diag_error(&d, DIAG_BUILD_ARGUMENT, "constant %zu is asked for, the graph has %zu",
                       index, g->graph->constants.count);
    else if (bytes != size)
        s = diag_error(&d, DIAG_BUILD_ARGUMENT, "%zu bytes are given, the constant has %llu", size,
                       (unsigned long long)bytes);
    else
        s = weight_stream(graph_weight(g->graph, operand - g->tag - 1), copy_block, &c, &d);
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}

uint64_t webnn_graph_weight_bytes(const webnn_graph *g)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < g->graph->weights.count; i++)
        bytes += weight_bytes(&g->graph->weights.items[i]);
    return bytes;
}
