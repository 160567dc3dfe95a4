#include "wasi/host.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* --- log ------------------------------------------------------------------------------------------- */

void host_log(wasinn_host *h, o2w_log_level level, const char *format, ...)
{
    char text[4096];
    va_list args;
    if (!h->options.log)
        return;
    va_start(args, format);
    (void)text_vformat(text, sizeof text, format, args);
    va_end(args);
    h->options.log(h->options.user, level, text);
}

void host_log_diags(wasinn_host *h, o2w_log_level level, const char *what, const struct diags *d)
{
    struct arena a;
    if (!h->options.log || !d->count)
        return;
    arena_init(&a, h->allocator);
    const char *text = diags_text(d, &a);
    if (text)
        host_log(h, level, "%s: %.*s", what, (int)(strlen(text) ? strlen(text) - 1 : 0), text);
    arena_free(&a);
}

void wasinn_host_log(wasinn_host *h, o2w_log_level level, const char *text)
{
    host_log(h, level, "%s", text);
}

/* --- options --------------------------------------------------------------------------------------- */

static uint64_t or_default(uint64_t given, uint64_t fallback)
{
    return given ? given : fallback;
}

static uint32_t or_default32(uint32_t given, uint32_t fallback)
{
    return given ? given : fallback;
}

static wasinn_limits resolved(const wasinn_limits *l)
{
    const uint64_t gib = 1u << 30;
    return (wasinn_limits){
        .size = sizeof *l,
        .model_bytes = or_default(l->model_bytes, 2 * gib),
        .tensor_bytes = or_default(l->tensor_bytes, gib),
        .output_bytes = or_default(l->output_bytes, gib),
        .total_bytes = or_default(l->total_bytes, 4 * gib),
        .graphs = or_default32(l->graphs, 16),
        .contexts = or_default32(l->contexts, 64),
        .load_ms = or_default32(l->load_ms, 60000),
        .compute_ms = or_default32(l->compute_ms, 60000),
        .total_ms = or_default32(l->total_ms, UINT32_MAX),
        .log_bytes = or_default32(l->log_bytes, 64 * 1024),
        .rank = l->rank && l->rank < MAX_RANK ? l->rank : MAX_RANK,
        .nodes = or_default32(l->nodes, 100000),
    };
}

static o2w_status check_options(const wasinn_host_options *o, struct diags *d)
{
    if ((unsigned)o->dtypes > WASINN_DTYPES_WIT)
        return diag_error(d, DIAG_USAGE, "no numbering of tensor types %d", (int)o->dtypes);
    if (o->webnn_encoding && o->webnn_encoding < 16)
        return diag_error(d, DIAG_USAGE, "the encoding of WebNN graphs is %u, must be 16 or more",
                          o->webnn_encoding);
    return O2W_OK;
}

/* Members behind what the caller's struct has are 0. */
static void copy_options(wasinn_host *h, const wasinn_host_options *o)
{
    size_t size = o && o->size && o->size < sizeof h->options ? o->size : sizeof h->options;
    h->options = (wasinn_host_options){ 0 };
    if (o)
        memcpy(&h->options, o, size);
    h->options.backends = NULL;
    h->limits = resolved(&h->options.limits);
}

static o2w_status host_new(const wasinn_host_options *o, struct diags *d, wasinn_host **out)
{
    const o2w_allocator *a = environment_allocator(o ? o->environment : NULL);
    wasinn_host *h = mem_alloc(a, sizeof *h);
    if (!h)
        return diag_memory(d);
    *h = (wasinn_host){ .allocator = a, .references = 1, .entries = { .allocator = a } };
    copy_options(h, o);
    pthread_mutex_init(&h->lock, NULL);
    watchdog_init(&h->watchdog);
    o2w_status s = check_options(&h->options, d);
    if (s == O2W_OK)
        s = host_choose(h, o ? o->backends : NULL, d);
    if (s == O2W_OK)
        *out = h;
    else
        host_release(h);
    return s;
}

o2w_status wasinn_host_new(const wasinn_host_options *options, wasinn_host **out, o2w_error **error)
{
    struct diags d;
    diags_init(&d, environment_allocator(options ? options->environment : NULL));
    o2w_status s = error_from_diags(&d, host_new(options, &d, out), error);
    diags_free(&d);
    return s;
}

o2w_status wasinn_host_add_graph(wasinn_host *h, const wasinn_graph_source *source,
                                 o2w_error **error)
{
    struct diags d;
    diags_init(&d, h->allocator);
    o2w_status s = error_from_diags(&d, registry_add(h, source, &d), error);
    diags_free(&d);
    return s;
}

o2w_status wasinn_host_seal(wasinn_host *h, o2w_error **error)
{
    struct diags d;
    diags_init(&d, h->allocator);
    o2w_status s = error_from_diags(&d, registry_seal(h, &d), error);
    diags_free(&d);
    return s;
}

/* --- life ------------------------------------------------------------------------------------------ */

static void destroy(wasinn_host *h)
{
    registry_free(h);
    watchdog_free(&h->watchdog);
    for (size_t i = 0; i < h->choice_count; i++)
        if (h->choices[i].reason)
            mem_free(NULL, h->choices[i].reason, strlen(h->choices[i].reason) + 1);
    pthread_mutex_destroy(&h->lock);
    mem_free(h->allocator, h, sizeof *h);
}

void host_release(wasinn_host *h)
{
    pthread_mutex_lock(&h->lock);
    bool last = --h->references == 0;
    pthread_mutex_unlock(&h->lock);
    if (last)
        destroy(h);
}

void wasinn_host_free(wasinn_host *h)
{
    if (h)
        host_release(h);
}

size_t wasinn_host_loaded(wasinn_host *h)
{
    pthread_mutex_lock(&h->lock);
    size_t loaded = h->loaded;
    pthread_mutex_unlock(&h->lock);
    return loaded;
}

uint32_t wasinn_host_policy(const wasinn_host *h)
{
    return h->options.policy;
}
