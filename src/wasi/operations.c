/* Loading, contexts, dropping: what both interfaces do, on host values. */
#include "base/checked.h"
#include "wasi/context.h"

#include <string.h>

/* --- handles ----------------------------------------------------------------------------------------- */

static const char *const kinds[] = { "graph", "context", "tensor", "error" };

static enum fault unknown(wasinn_instance *i, wasinn_resource kind, uint32_t handle)
{
    return fail(&i->failure, FAULT_ARGUMENT, "no %s has the handle %u%s", kinds[kind], handle,
                handle ? "" : ", which is never one");
}

enum fault op_find_graph(wasinn_instance *i, uint32_t handle, struct nn_graph **out)
{
    *out = table_find(&i->tables[WASINN_RESOURCE_GRAPH], handle);
    i->call.handle = handle;
    i->call.graph = *out;
    return *out ? FAULT_NONE : unknown(i, WASINN_RESOURCE_GRAPH, handle);
}

enum fault op_find_context(wasinn_instance *i, uint32_t handle, struct nn_context **out)
{
    *out = table_find(&i->tables[WASINN_RESOURCE_CONTEXT], handle);
    i->call.handle = handle;
    i->call.graph = *out ? (*out)->graph : NULL;
    return *out ? FAULT_NONE : unknown(i, WASINN_RESOURCE_CONTEXT, handle);
}

static enum fault add(wasinn_instance *i, wasinn_resource kind, void *object, uint32_t *handle)
{
    bool full;
    uint32_t h = table_add(&i->tables[kind], object, &full);
    if (!h && full)
        return fail(&i->failure, FAULT_TOO_LARGE, "the handles for %ss are used up", kinds[kind]);
    if (!h)
        return fail_memory(&i->failure);
    *handle = i->call.handle = h;
    return FAULT_NONE;
}

static enum fault check_count(wasinn_instance *i, wasinn_resource kind, uint32_t limit)
{
    size_t alive = i->tables[kind].alive;
    return alive < limit ? FAULT_NONE
                         : fail(&i->failure, FAULT_TOO_LARGE, "%zu %ss are alive, the limit is %u",
                                alive, kinds[kind], limit);
}

/* --- loading ----------------------------------------------------------------------------------------- */

static enum fault check_builders(wasinn_instance *i, const struct nn_model *m, uint64_t *bytes)
{
    uint64_t limit = i->host->limits.model_bytes;
    *bytes = 0;
    if (m->count < 1 || m->count > 2)
        return fail(&i->failure, FAULT_ARGUMENT,
                    "%zu builders are given: an ONNX model is one, a WebNN graph one or two",
                    m->count);
    for (size_t k = 0; k < m->count; k++) {
        if (!m->builders[k].size)
            return fail(&i->failure, FAULT_ARGUMENT, "builder %zu is empty", k);
        if (!add_u64(*bytes, m->builders[k].size, bytes))
            *bytes = UINT64_MAX;
    }
    return *bytes <= limit
               ? FAULT_NONE
               : fail(&i->failure, FAULT_TOO_LARGE, "the model has %llu bytes, the limit is %llu",
                      (unsigned long long)*bytes, (unsigned long long)limit);
}

static enum fault check_container(wasinn_instance *i, const struct nn_model *m, struct nn_load *l)
{
    if (m->count == 2 && m->encoding == WASINN_ENCODING_ONNX)
        return fail(&i->failure, FAULT_ARGUMENT, "2 builders are given: an ONNX model is one");
    CHECK(container_of(l->bytes, &i->failure, &l->container));
    if (m->count == 2 && l->container == NN_ONNX)
        return fail(&i->failure, FAULT_ARGUMENT, "2 builders are given: an ONNX model is one");
    if (m->encoding == WASINN_ENCODING_ONNX && l->container != NN_ONNX)
        return fail(&i->failure, FAULT_ENCODING,
                    "the bytes are a WebNN graph, encoding `onnx` takes ONNX models");
    if (m->encoding == WASINN_ENCODING_WEBNN && l->container != NN_WEBNN)
        return fail(&i->failure, FAULT_ENCODING, "the bytes are an ONNX model, not a WebNN graph");
    return FAULT_NONE;
}

static void digest_of(const struct nn_model *m, wasinn_target target, uint8_t digest[32])
{
    struct sha256 s;
    sha256_begin(&s);
    for (size_t k = 0; k < m->count; k++) {
        uint64_t size = m->builders[k].size;
        sha256_add(&s, &size, sizeof size);
        sha256_add(&s, m->builders[k].data, m->builders[k].size);
    }
    uint8_t last = (uint8_t)target;
    sha256_add(&s, &last, 1);
    sha256_end(&s, digest);
}

/* A reference to a graph that was loaded from the same bytes within the scope of the cache. */
static struct nn_graph *find_cached(wasinn_instance *i, const uint8_t digest[32])
{
    wasinn_host *h = i->host;
    pthread_mutex_lock(&h->lock);
    struct nn_graph *g = h->graphs;
    while (g && (memcmp(g->digest, digest, 32) != 0 ||
                 (g->owner != i && h->options.cache != WASINN_CACHE_HOST)))
        g = g->next;
    if (g)
        g->references++;
    pthread_mutex_unlock(&h->lock);
    return g;
}

static void cache_graph(wasinn_instance *i, struct nn_graph *g, const uint8_t digest[32])
{
    wasinn_host *h = i->host;
    memcpy(g->digest, digest, 32);
    g->owner = i;
    pthread_mutex_lock(&h->lock);
    g->next = h->graphs;
    g->link = &h->graphs;
    if (h->graphs)
        h->graphs->link = &g->next;
    h->graphs = g;
    pthread_mutex_unlock(&h->lock);
}

static enum fault load_fresh(wasinn_instance *i, struct nn_load *l, struct nn_graph **out)
{
    struct model_scan scan = { 0 };
    struct diags d;
    const struct scan_limits limits = { .nodes = i->host->limits.nodes };
    if (l->container == NN_ONNX)
        CHECK(scan_model(l->bytes, &limits, &i->failure, &scan));
    l->scan = &scan;
    l->diags = &d;
    diags_init(&d, i->allocator);
    uint64_t begun = system_clock_ns();
    enum fault fault = graph_load(l, out);
    i->call.backend_ns += system_clock_ns() - begun;
    diags_free(&d);
    return fault;
}

static enum fault load_model(wasinn_instance *i, const struct nn_model *m, struct nn_graph **out)
{
    uint8_t digest[32];
    struct nn_load l = { .host = i->host,
                         .bytes = { m->builders[0].data, m->builders[0].size },
                         .target = m->target,
                         .stop = &i->stop,
                         .deadline_ns = i->call.deadline_ns,
                         .failure = &i->failure };
    if (m->count == 2)
        l.weights = (struct span){ m->builders[1].data, m->builders[1].size };
    bool cached = i->host->options.cache != WASINN_CACHE_OFF;
    CHECK(check_container(i, m, &l));
    if (cached) {
        digest_of(m, m->target, digest);
        *out = find_cached(i, digest);
        if (*out)
            return FAULT_NONE;
    }
    CHECK(load_fresh(i, &l, out));
    (*out)->from_guest = true;
    if (cached)
        cache_graph(i, *out, digest);
    return FAULT_NONE;
}

/* The reference becomes the table's, or is given back. */
static enum fault add_graph(wasinn_instance *i, struct nn_graph *g, uint32_t *handle)
{
    enum fault fault = add(i, WASINN_RESOURCE_GRAPH, g, handle);
    i->call.graph = fault == FAULT_NONE ? g : NULL;
    if (fault != FAULT_NONE)
        graph_release(g);
    return fault;
}

enum fault op_load(wasinn_instance *i, const struct nn_model *m, uint32_t *handle)
{
    uint64_t bytes;
    struct nn_graph *g = NULL;
    CHECK(check_builders(i, m, &bytes));
    CHECK(check_count(i, WASINN_RESOURCE_GRAPH, i->host->limits.graphs));
    if (i->host->options.policy & WASINN_NO_LOAD_BYTES)
        return fail(&i->failure, FAULT_SECURITY,
                    "the host lets guests load graphs by name only, not from bytes");
    CHECK(instance_deadline(i, "load", i->host->limits.load_ms));
    CHECK(instance_hold(i, bytes, "the model"));
    enum fault fault = load_model(i, m, &g);
    if (fault == FAULT_NONE)
        fault = add_graph(i, g, handle);
    if (fault != FAULT_NONE)
        i->held -= bytes;
    else
        i->call.bytes = bytes;
    return fault;
}

enum fault op_load_by_name(wasinn_instance *i, struct span name, uint32_t *handle)
{
    struct nn_graph *g = NULL;
    CHECK(check_count(i, WASINN_RESOURCE_GRAPH, i->host->limits.graphs));
    CHECK(instance_deadline(i, "load", i->host->limits.load_ms));
    CHECK(registry_get(i->host, name, &i->stop, i->call.deadline_ns, &i->failure, &g));
    return add_graph(i, g, handle);
}

/* --- contexts ---------------------------------------------------------------------------------------- */

/* A guest's model counts while anything of the guest keeps it: with a context when its handle is gone. */
static void leave_model(wasinn_instance *i, const struct nn_graph *g)
{
    const struct nn_table *t = &i->tables[WASINN_RESOURCE_CONTEXT];
    for (size_t k = 0; k < t->slots.count; k++) {
        struct nn_context *c = t->slots.items[k].object;
        if (!c || c->graph != g || c->holds_model)
            continue;
        c->holds_model = true;
        return;
    }
    i->held -= g->model_bytes;
}

static void free_context(wasinn_instance *i, struct nn_context *c)
{
    struct nn_graph *g = c->graph;
    const o2w_allocator *a = i->allocator;
    if (c->results.outputs)
        context_free_outputs(i, c);
    for (uint32_t k = 0; c->inputs && k < g->input_count; k++)
        mem_free(a, c->inputs[k].block, c->inputs[k].block_size);
    mem_free(a, c->inputs, (g->input_count + 1) * sizeof *c->inputs);
    mem_free(a, c->tensors, (g->input_count + 1) * sizeof *c->tensors);
    mem_free(a, c->results.outputs, (g->output_count + 1) * sizeof *c->results.outputs);
    i->held -= c->held;
    if (c->holds_model)
        leave_model(i, g);
    mem_free(a, c, sizeof *c);
    graph_release(g);
}

static void *zeroed(const o2w_allocator *a, size_t count, size_t size)
{
    void *block = mem_alloc(a, count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

enum fault op_new_context(wasinn_instance *i, uint32_t graph, uint32_t *handle)
{
    struct nn_graph *g;
    CHECK(op_find_graph(i, graph, &g));
    CHECK(check_count(i, WASINN_RESOURCE_CONTEXT, i->host->limits.contexts));
    struct nn_context *c = zeroed(i->allocator, 1, sizeof *c);
    if (!c)
        return fail_memory(&i->failure);
    c->graph = graph_retain(g);
    c->inputs = zeroed(i->allocator, g->input_count + 1, sizeof *c->inputs);
    c->tensors = zeroed(i->allocator, g->input_count + 1, sizeof *c->tensors);
    c->results.outputs = zeroed(i->allocator, g->output_count + 1, sizeof *c->results.outputs);
    enum fault fault = c->inputs && c->tensors && c->results.outputs
                           ? add(i, WASINN_RESOURCE_CONTEXT, c, handle)
                           : fail_memory(&i->failure);
    if (fault != FAULT_NONE)
        free_context(i, c);
    return fault;
}

/* --- dropping ---------------------------------------------------------------------------------------- */

static void free_tensor(wasinn_instance *i, struct nn_tensor *t)
{
    i->held -= t->size + sizeof *t;
    mem_free(i->allocator, t->data, t->size);
    mem_free(i->allocator, t, sizeof *t);
}

static void free_graph(wasinn_instance *i, struct nn_graph *g)
{
    if (g->from_guest)
        leave_model(i, g);
    graph_release(g);
}

void object_free(wasinn_instance *i, wasinn_resource kind, void *object)
{
    switch (kind) {
    case WASINN_RESOURCE_GRAPH: free_graph(i, object); break;
    case WASINN_RESOURCE_CONTEXT: free_context(i, object); break;
    case WASINN_RESOURCE_TENSOR: free_tensor(i, object); break;
    case WASINN_RESOURCE_ERROR:
        i->held -= sizeof(struct nn_error);
        mem_free(i->allocator, object, sizeof(struct nn_error));
        break;
    }
}

enum fault op_drop(wasinn_instance *i, wasinn_resource kind, uint32_t handle)
{
    void *object = table_remove(&i->tables[kind], handle);
    i->call.handle = handle;
    if (!object)
        return unknown(i, kind, handle);
    object_free(i, kind, object);
    return FAULT_NONE;
}
