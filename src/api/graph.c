#include "api/objects.h"

#include "format/format.h"
#include "webnn/passes.h"

#include <string.h>

o2w_status api_graph_wrap(struct graph *g, const o2w_environment *environment, struct diags *d,
                          webnn_graph **out)
{
    const o2w_allocator *allocator = environment_allocator(environment);
    webnn_graph *made = mem_alloc(allocator, sizeof *made);
    if (!made) {
        graph_free(g);
        return diag_memory(d);
    }
    *made = (webnn_graph){ .environment = environment, .allocator = allocator, .graph = g };
    arena_init(&made->arena, allocator);
    *out = made;
    return O2W_OK;
}

const struct graph *api_graph(const webnn_graph *g)
{
    return g->graph;
}

void api_graph_unlink(webnn_graph *g)
{
    if (!g->context)
        return;
    if (g->compiled)
        g->context->backend->release(g->compiled);
    g->compiled = NULL;
    *g->link = g->next;
    if (g->next)
        g->next->link = g->link;
    g->context = NULL;
}

void webnn_graph_free(webnn_graph *g)
{
    if (!g)
        return;
    webnn_context *c = g->context;
    if (c)
        pthread_mutex_lock(&c->queue);
    api_graph_unlink(g);
    if (c)
        pthread_mutex_unlock(&c->queue);
    graph_free(g->graph);
    arena_free(&g->arena);
    mem_free(g->allocator, g, sizeof *g);
}

o2w_status api_graph_load(const char *path, const webnn_load_options *options, struct diags *d,
                          webnn_graph **out)
{
    const o2w_environment *e = options ? options->environment : NULL;
    struct format_read_options read = { .strict = options && options->strict,
                                        .weights = options ? options->weights : NULL };
    struct graph *g;
    TRY(format_read(path, &read, environment_allocator(e), d, &g));
    return api_graph_wrap(g, e, d, out);
}

static o2w_status finish(struct diags *d, o2w_status s, o2w_error **error)
{
    s = error_from_diags(d, s, error);
    diags_free(d);
    return s;
}

o2w_status webnn_graph_load(const char *path, const webnn_load_options *options, webnn_graph **out,
                            o2w_error **error)
{
    struct diags d;
    diags_init(&d, environment_allocator(options ? options->environment : NULL));
    return finish(&d, api_graph_load(path, options, &d, out), error);
}

o2w_status webnn_graph_load_bytes(const void *text, size_t size, const webnn_load_options *options,
                                  webnn_graph **out, o2w_error **error)
{
    const o2w_environment *e = options ? options->environment : NULL;
    struct format_read_options read = { .strict = options && options->strict,
                                        .weights = options ? options->weights : NULL };
    struct graph *g;
    struct diags d;
    diags_init(&d, environment_allocator(e));
    o2w_status s = format_read_bytes((struct span){ text, size }, "(memory)", NULL, &read,
                                     environment_allocator(e), &d, &g);
    if (s == O2W_OK)
        s = api_graph_wrap(g, e, &d, out);
    return finish(&d, s, error);
}

o2w_status webnn_graph_save(const webnn_graph *g, const char *path,
                            const webnn_save_options *options, o2w_error **error)
{
    static const enum format_names names[] = { FORMAT_NAMES_INTERFACE, FORMAT_NAMES_NONE,
                                               FORMAT_NAMES_ALL };
    struct format_write_options write = { 0 };
    struct format_written written;
    struct arena arena;
    struct diags d;
    diags_init(&d, g->allocator);
    arena_init(&arena, g->allocator);
    if (options) {
        write.names = names[options->names];
        write.kind = options->json ? FORMAT_JSON : FORMAT_AUTO;
        write.archive = options->archive;
        write.add = options->add_to_archive;
        write.sync = options->sync;
    }
    o2w_status s = format_write(g->graph, path, &write, &arena, &d, &written);
    arena_free(&arena);
    return finish(&d, s, error);
}

/* --- compilation ----------------------------------------------------------------------------------- */

static void link_graph(webnn_context *c, webnn_graph *g)
{
    g->context = c;
    g->lost = false;
    g->next = c->graphs;
    g->link = &c->graphs;
    if (c->graphs)
        c->graphs->link = &g->next;
    c->graphs = g;
}

o2w_status api_graph_compile(webnn_context *c, webnn_graph *g, struct diags *d)
{
    struct compiled *compiled = NULL;
    if (g->context && g->context != c)
        return diag_error(d, DIAG_BUILD_STATE, "the graph is compiled for another context");
    if (graph_has_dynamic_dims(g->graph) && !c->backend->dynamic)
        return diag_error(d, DIAG_BACKEND_NO_DYNAMIC,
                          "backend '%s' runs no graphs with open dimensions", c->backend->name);
    TRY(graph_check_limits(g->graph, c->limits, d));
    pthread_mutex_lock(&c->queue);
    o2w_status s = c->backend->compile(c->engine, g->graph, d, &compiled);
    if (s == O2W_OK) {
        api_graph_unlink(g);
        link_graph(c, g);
        g->compiled = compiled;
    }
    pthread_mutex_unlock(&c->queue);
    return s;
}

o2w_status webnn_graph_compile(webnn_context *c, webnn_graph *g, o2w_error **error)
{
    struct diags d;
    diags_init(&d, c->allocator);
    o2w_status s = error_from_diags(&d, api_graph_compile(c, g, &d), error);
    diags_free(&d);
    return s;
}

bool webnn_graph_placement(const webnn_graph *g, uint64_t *on_backend, uint64_t *nodes)
{
    return g->context && g->compiled && g->context->backend->placement &&
           g->context->backend->placement(g->compiled, on_backend, nodes);
}

/* --- reading a graph ------------------------------------------------------------------------------- */

static void fill_descriptor(const struct graph *g, operand_id id, webnn_descriptor *out)
{
    const struct operand *o = graph_operand(g, id);
    *out = (webnn_descriptor){ .data_type = (enum webnn_data_type)o->dtype, .rank = o->rank };
    for (uint32_t i = 0; i < o->rank; i++)
        out->dims[i] = dim_is_static(o->dims[i]) ? o->dims[i] : WEBNN_DYNAMIC;
}

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
    }
    return out->name != NULL;
}

static bool make_ports(webnn_graph *g)
{
    size_t in = g->graph->inputs.count, count = g->graph->outputs.count;
    if (g->inputs)
        return true;
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
    webnn_graph *g = (webnn_graph *)(uintptr_t)graph;
    if (index >= g->graph->inputs.count || !make_ports(g))
        return false;
    *out = g->inputs[index];
    return true;
}

bool webnn_graph_output(const webnn_graph *graph, size_t index, webnn_port *out)
{
    webnn_graph *g = (webnn_graph *)(uintptr_t)graph;
    if (index >= g->graph->outputs.count || !make_ports(g))
        return false;
    *out = g->outputs[index];
    return true;
}

size_t webnn_graph_operator_count(const webnn_graph *g)
{
    return g->graph->operators.count;
}

size_t webnn_graph_constant_count(const webnn_graph *g)
{
    return g->graph->constants.count;
}

uint64_t webnn_graph_weight_bytes(const webnn_graph *g)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < g->graph->weights.count; i++)
        bytes += weight_bytes(&g->graph->weights.items[i]);
    return bytes;
}

bool webnn_graph_node(const webnn_graph *graph, size_t index, webnn_node *out)
{
    webnn_graph *g = (webnn_graph *)(uintptr_t)graph;
    if (index >= g->graph->operators.count)
        return false;
    const struct operator_node *n = &g->graph->operators.items[index];
    webnn_operand *operands = ARENA_ARRAY(&g->arena, n->operand_count, webnn_operand);
    if (!operands)
        return false;
    for (uint32_t i = 0; i < n->operand_count; i++)
        operands[i] = n->operands[i] == NO_ID ? WEBNN_ABSENT : n->operands[i] + 1;
    *out = (webnn_node){ .kind = n->kind,
                         .name = operator_row(n->kind)->name,
                         .attributes = n->attributes,
                         .operands = operands,
                         .operand_count = n->operand_count,
                         .result_count = n->result_count,
                         .first_result = n->first_result + 1 };
    out->label = arena_text(&g->arena, names_text(&g->graph->names, n->label));
    return out->label != NULL;
}

bool webnn_graph_operand(const webnn_graph *g, webnn_operand operand, webnn_descriptor *out)
{
    if (operand == WEBNN_ABSENT || operand > g->graph->operands.count)
        return false;
    fill_descriptor(g->graph, operand - 1, out);
    return true;
}
