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
