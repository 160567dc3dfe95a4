#include "api/objects.h"

#include <string.h>

static const struct backend *chosen_backend(const webnn_context_options *o, struct diags *d)
{
    bool alias = false;
    const char *name = o && o->backend ? o->backend : "cpu";
    const struct backend *b = backend_by_name(span_of(name), &alias);
    if (!b) {
        (void)diag_error(d, DIAG_BACKEND_UNKNOWN, "no backend '%s'", name);
        diag_hint(d, "'onnx2webnn backends' lists them");
    } else if (alias) {
        (void)diag_note(d, DIAG_BACKEND_ALIAS, "'%s' runs on '%s'", name, b->name);
    }
    return b;
}

static bool has_option(const struct backend *b, const char *key)
{
    for (size_t i = 0; i < b->option_count; i++)
        if (span_is(span_of(b->options[i].key), key))
            return true;
    return false;
}

static o2w_status check_options(const struct backend *b, const webnn_context_options *o,
                                struct diags *d)
{
    for (size_t i = 0; o && i < o->option_count; i++) {
        if (has_option(b, o->options[i].key))
            continue;
        o2w_status s = diag_error(d, DIAG_BACKEND_OPTION, "backend '%s' has no option '%s'",
                                  b->name, o->options[i].key);
        diag_hint(d, "'onnx2webnn backends --backend %s' lists its options", b->name);
        return s;
    }
    return O2W_OK;
}

static o2w_status open_engine(webnn_context *c, const webnn_context_options *o, struct diags *d)
{
    struct backend_option *options =
        mem_alloc(c->allocator, o ? o->option_count * sizeof *options : 0);
    if (o && o->option_count && !options)
        return diag_memory(d);
    for (size_t i = 0; o && i < o->option_count; i++)
        options[i] = (struct backend_option){ o->options[i].key, o->options[i].value };
    struct backend_settings settings = { .options = options,
                                         .option_count = o ? o->option_count : 0,
                                         .threads = o ? o->threads : 0,
                                         .require = o && o->require_backend,
                                         .frugal = o && o->power_preference == WEBNN_POWER_LOW,
                                         .environment = c->environment };
    o2w_status s = c->backend->open(&settings, d, &c->engine);
    mem_free(c->allocator, options, o ? o->option_count * sizeof *options : 0);
    return s;
}

o2w_status api_context_create(const webnn_context_options *options, struct diags *d,
                              webnn_context **out)
{
    const o2w_environment *e = options ? options->environment : NULL;
    const o2w_allocator *allocator = environment_allocator(e);
    const struct backend *b = chosen_backend(options, d);
    if (!b)
        return O2W_INVALID_ARGUMENT;
    TRY(check_options(b, options, d));
    webnn_context *c = mem_alloc(allocator, sizeof *c);
    struct limits *limits = mem_alloc(allocator, sizeof *limits);
    if (!c || !limits) {
        mem_free(allocator, c, sizeof *c);
        mem_free(allocator, limits, sizeof *limits);
        return diag_memory(d);
    }
    *c =
        (webnn_context){ .environment = e, .allocator = allocator, .backend = b, .limits = limits };
    b->limits(limits);
    pthread_mutex_init(&c->queue, NULL);
    o2w_status s = open_engine(c, options, d);
    if (s == O2W_OK)
        *out = c;
    else
        webnn_context_free(c);
    return s;
}

o2w_status webnn_context_create(const webnn_context_options *options, webnn_context **out,
                                o2w_error **error)
{
    struct diags d;
    diags_init(&d, environment_allocator(options ? options->environment : NULL));
    o2w_status s = error_from_diags(&d, api_context_create(options, &d, out), error);
    diags_free(&d);
    return s;
}

void webnn_context_free(webnn_context *c)
{
    if (!c)
        return;
    while (c->graphs) {
        webnn_graph *g = c->graphs;
        api_graph_unlink(g);
        g->lost = true;
    }
    while (c->tensors) {
        webnn_tensor *t = c->tensors;
        api_tensor_unlink(t);
    }
    while (c->builders) {
        struct builder_link *b = c->builders;
        api_builder_unlink(b);
        b->lost = true;
    }
    if (c->engine)
        c->backend->close(c->engine);
    pthread_mutex_destroy(&c->queue);
    mem_free(c->allocator, c->limits, sizeof *c->limits);
    mem_free(c->allocator, c, sizeof *c);
}

const webnn_backend_info *webnn_context_backend(const webnn_context *c)
{
    return c ? webnn_backend_find(c->backend->name) : NULL;
}

void webnn_context_limit_values(const webnn_context *c, webnn_limits *limits)
{
    const struct limits *own = c->limits;
    webnn_limits full = { .size = limits->size,
                          .min_dimension = own->min_dimension,
                          .max_rank = own->max_rank,
                          .max_tensor_bytes = own->max_tensor_bytes,
                          .preferred_layout = WEBNN_INPUT_LAYOUT_NCHW };
    memcpy(limits, &full, limits->size < sizeof full ? limits->size : sizeof full);
}

bool webnn_context_slot_limits(const webnn_context *c, enum webnn_operator kind, size_t slot,
                               webnn_slot_limits *out)
{
    if ((unsigned)kind >= WEBNN_OPERATOR_COUNT || c->limits->refused[kind])
        return false;
    const struct operator_row *row = operator_row(kind);
    if (slot >= (size_t)row->operand_count + row->result_count)
        return false;
    const struct slot_limit *s = &c->limits->operators[kind][slot];
    *out = (webnn_slot_limits){ .data_types = (uint32_t)(s->dtypes & DTYPES_WEBNN),
                                .rank_min = s->rank_min,
                                .rank_max = s->rank_max };
    return true;
}

/* Dispatches hold the queue until their work is done. */
o2w_status webnn_wait(webnn_context *c, o2w_error **error)
{
    (void)error;
    pthread_mutex_lock(&c->queue);
    pthread_mutex_unlock(&c->queue);
    return O2W_OK;
}
