/* Graphs that guests load by name. Names come from this table alone: a name never reaches the file system. */
#include "wasi/host.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

static struct nn_entry *find(const wasinn_host *h, struct span name)
{
    for (size_t i = 0; i < h->entries.count; i++)
        if (span_is(name, h->entries.items[i]->name))
            return h->entries.items[i];
    return NULL;
}

static bool is_name(struct span name)
{
    for (size_t i = 0; i < name.size; i++)
        if (name.data[i] < 0x20 || name.data[i] == 0x7f)
            return false;
    return name.size >= 1 && name.size <= NN_NAME && utf8_valid(name, NULL);
}

static o2w_status check_source(const wasinn_host *h, const wasinn_graph_source *s, struct diags *d)
{
    if (h->sealed)
        return diag_error(d, DIAG_USAGE, "the host is sealed");
    if (!is_name(span_of(s->name)))
        return diag_error(d, DIAG_USAGE,
                          "the name '%s' of a graph must have 1 to %d bytes of UTF-8 without "
                          "control characters",
                          s->name ? s->name : "", NN_NAME);
    const struct nn_entry *other = find(h, span_of(s->name));
    if (other)
        return diag_error(d, DIAG_USAGE, "two graphs are called '%s': '%s' and '%s'", s->name,
                          other->path ? other->path : "(memory)", s->path ? s->path : "(memory)");
    if (!s->path == !s->bytes)
        return diag_error(d, DIAG_USAGE, "graph '%s' needs a path or bytes", s->name);
    if ((unsigned)s->encoding > WASINN_ENCODING_WEBNN || (unsigned)s->target > WASINN_TPU)
        return diag_error(d, DIAG_USAGE, "graph '%s': no encoding %d or target %d", s->name,
                          (int)s->encoding, (int)s->target);
    return O2W_OK;
}

static char *copy_text(const o2w_allocator *a, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mem_alloc(a, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void free_text(const o2w_allocator *a, char *text)
{
    mem_free(a, text, text ? strlen(text) + 1 : 0);
}

static void free_entry(wasinn_host *h, struct nn_entry *e)
{
    graph_release(e->graph);
    pthread_mutex_destroy(&e->loading);
    free_text(h->allocator, e->name);
    free_text(h->allocator, e->path);
    mem_free(h->allocator, e, sizeof *e);
}

o2w_status registry_add(wasinn_host *h, const wasinn_graph_source *s, struct diags *d)
{
    TRY(check_source(h, s, d));
    struct nn_entry *e = mem_alloc(h->allocator, sizeof *e);
    if (!e)
        return diag_memory(d);
    *e = (struct nn_entry){ .name = copy_text(h->allocator, s->name),
                            .path = s->path ? copy_text(h->allocator, s->path) : NULL,
                            .bytes = { s->bytes, s->byte_count },
                            .encoding = s->encoding,
                            .target = s->target,
                            .lazy = s->lazy };
    pthread_mutex_init(&e->loading, NULL);
    if (!e->name || (s->path && !e->path) || !VEC_PUSH(&h->entries, e)) {
        free_entry(h, e);
        return diag_memory(d);
    }
    return O2W_OK;
}

void registry_free(wasinn_host *h)
{
    for (size_t i = 0; i < h->entries.count; i++)
        free_entry(h, h->entries.items[i]);
    VEC_FREE(&h->entries);
}

/* --- loading --------------------------------------------------------------------------------------- */

static enum fault detect(const struct nn_entry *e, struct span head, struct failure *f,
                         enum nn_container *out)
{
    CHECK(container_of(head, f, out));
    bool asked = e->encoding == WASINN_ENCODING_AUTODETECT ||
                 (e->encoding == WASINN_ENCODING_ONNX) == (*out == NN_ONNX);
    return asked ? FAULT_NONE
                 : fail(f, FAULT_ENCODING, "the file is %s",
                        *out == NN_ONNX ? "an ONNX model" : "a WebNN graph");
}

static enum fault load_bytes(struct nn_load *l, const struct nn_entry *e, struct nn_graph **out)
{
    struct model_scan scan = { 0 };
    CHECK(detect(e, l->bytes, l->failure, &l->container));
    if (l->container == NN_ONNX)
        CHECK(scan_model(l->bytes, &(struct scan_limits){ .trusted = true }, l->failure, &scan));
    l->scan = &scan;
    return graph_load(l, out);
}

static enum fault load_entry(wasinn_host *h, struct nn_entry *e, const _Atomic bool *stop,
                             uint64_t deadline_ns, struct failure *f, struct diags *d)
{
    struct file *file = NULL;
    struct nn_load l = { .host = h,
                         .path = e->path,
                         .bytes = e->bytes,
                         .bytes_stay = true,
                         .trusted = true,
                         .target = e->target,
                         .stop = stop,
                         .deadline_ns = deadline_ns,
                         .failure = f,
                         .diags = d };
    if (e->path) {
        o2w_status s = file_open(e->path, h->allocator, d, &file);
        if (s == O2W_OK)
            s = file_bytes(file, d, &l.bytes);
        l.bytes_stay = false;
        l.file = file;
        if (s != O2W_OK) {
            file_release(file);
            return fail_from(f, FAULT_RUNTIME, d, s);
        }
    }
    enum fault fault = load_bytes(&l, e, &e->graph);
    file_release(file);
    return fault;
}

o2w_status registry_seal(wasinn_host *h, struct diags *d)
{
    const _Atomic bool stop = false;
    if (h->sealed)
        return diag_error(d, DIAG_USAGE, "the host is sealed");
    for (size_t i = 0; i < h->entries.count; i++) {
        struct nn_entry *e = h->entries.items[i];
        struct diags found;
        if (e->lazy)
            continue;
        diags_init(&found, h->allocator);
        enum fault fault = load_entry(h, e, &stop, UINT64_MAX, &e->failure, &found);
        host_log_diags(h, O2W_LOG_DEBUG, e->name, &found);
        diags_free(&found);
        if (fault != FAULT_NONE)
            return diag_error(d, DIAG_WASI_GRAPH, "graph '%s' (%s) cannot be loaded: %s", e->name,
                              e->path ? e->path : "memory", e->failure.text);
        e->tried = true;
    }
    h->sealed = true;
    return O2W_OK;
}

/* What a guest learns of a lazy graph that failed names nothing of the host. */
static enum fault try_entry(wasinn_host *h, struct nn_entry *e, const _Atomic bool *stop,
                            uint64_t deadline_ns)
{
    struct diags d;
    struct failure found;
    diags_init(&d, h->allocator);
    enum fault fault = load_entry(h, e, stop, deadline_ns, &found, &d);
    host_log_diags(h, O2W_LOG_DEBUG, e->name, &d);
    diags_free(&d);
    if (fault == FAULT_TIMEOUT) { /* of this guest's budget: another one may succeed */
        e->failure = found;
        return fault;
    }
    e->tried = true;
    if (fault != FAULT_NONE) {
        host_log(h, O2W_LOG_ERROR, "graph '%s' (%s) cannot be loaded: %s", e->name,
                 e->path ? e->path : "memory", found.text);
        (void)fail(&e->failure, FAULT_RUNTIME, "graph '%s' could not be loaded by the host",
                   e->name);
    }
    return fault;
}

enum fault registry_get(wasinn_host *h, struct span name, const _Atomic bool *stop,
                        uint64_t deadline_ns, struct failure *f, struct nn_graph **out)
{
    struct nn_entry *e = is_name(name) ? find(h, name) : NULL;
    if (!e)
        return fail(f, FAULT_NOT_FOUND, "no graph of that name");
    pthread_mutex_lock(&e->loading);
    enum fault fault = e->tried ? FAULT_NONE : try_entry(h, e, stop, deadline_ns);
    if (e->graph)
        *out = graph_retain(e->graph);
    else
        *f = e->failure;
    pthread_mutex_unlock(&e->loading);
    if (*out)
        return FAULT_NONE;
    return fault == FAULT_TIMEOUT ? fault : FAULT_RUNTIME;
}
