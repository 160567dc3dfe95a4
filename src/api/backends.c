/* Which backends there are, what they need, what they accept. */
#include "api/objects.h"

#include "base/json.h"

#include <string.h>

enum { MAX_BACKENDS = 16, MAX_OPTIONS = 64 };

static webnn_backend_info infos[MAX_BACKENDS];
static webnn_backend_option option_rows[MAX_OPTIONS];
static pthread_once_t infos_once = PTHREAD_ONCE_INIT;

static void make_infos(void)
{
    size_t used = 0;
    for (size_t i = 0; i < backend_count && i < MAX_BACKENDS; i++) {
        const struct backend *b = backends[i];
        infos[i] = (webnn_backend_info){ sizeof *infos, b->name,    b->summary,         b->needs,
                                         b->get_it,     b->dynamic, option_rows + used, 0 };
        for (size_t k = 0; k < b->option_count && used < MAX_OPTIONS; k++, infos[i].option_count++)
            option_rows[used++] =
                (webnn_backend_option){ b->options[k].key, b->options[k].values,
                                        b->options[k].fallback, b->options[k].help };
    }
}

const webnn_backend_info *webnn_backends(size_t *count)
{
    pthread_once(&infos_once, make_infos);
    *count = backend_count < MAX_BACKENDS ? backend_count : MAX_BACKENDS;
    return infos;
}

const webnn_backend_info *webnn_backend_find(const char *name)
{
    bool alias;
    size_t count;
    const webnn_backend_info *all = webnn_backends(&count);
    const struct backend *b = backend_by_name(span_of(name), &alias);
    for (size_t i = 0; b && i < count; i++)
        if (all[i].name == b->name)
            return &all[i];
    return NULL;
}

const char *webnn_backend_id(size_t index)
{
    return backend_id(index);
}

struct webnn_probe {
    const o2w_allocator *allocator;
    struct arena arena;
    struct backend_probe found;
};

static o2w_status probe(const char *name, const o2w_allocator *allocator, struct diags *d,
                        webnn_probe **out)
{
    bool alias;
    const struct backend *b = backend_by_name(span_of(name), &alias);
    if (!b)
        return diag_error(d, DIAG_BACKEND_UNKNOWN, "no backend '%s'", name);
    webnn_probe *p = mem_alloc(allocator, sizeof *p);
    if (!p)
        return diag_memory(d);
    *p = (webnn_probe){ .allocator = allocator };
    arena_init(&p->arena, allocator);
    o2w_status s = b->probe(&p->arena, d, &p->found);
    if (s == O2W_OK)
        *out = p;
    else
        webnn_probe_free(p);
    return s;
}

o2w_status webnn_backend_probe(const char *name, const o2w_environment *environment,
                               webnn_probe **out, o2w_error **error)
{
    struct diags d;
    diags_init(&d, environment_allocator(environment));
    o2w_status s =
        error_from_diags(&d, probe(name, environment_allocator(environment), &d, out), error);
    diags_free(&d);
    return s;
}

const char *webnn_probe_engine(const webnn_probe *p)
{
    return p->found.engine;
}

const char *webnn_probe_version(const webnn_probe *p)
{
    return p->found.version;
}

const char *webnn_probe_library(const webnn_probe *p)
{
    return p->found.library;
}

size_t webnn_probe_device_count(const webnn_probe *p)
{
    return p->found.device_count;
}

const char *webnn_probe_device(const webnn_probe *p, size_t index)
{
    return index < p->found.device_count ? p->found.devices[index].name : NULL;
}

void webnn_probe_free(webnn_probe *p)
{
    if (!p)
        return;
    arena_free(&p->arena);
    mem_free(p->allocator, p, sizeof *p);
}

/* --- limits as opSupportLimits() prints them ------------------------------------------------------- */

static void put_slot(struct json_writer *w, const char *name, const struct slot_limit *s)
{
    json_key(w, name);
    json_open(w, '{');
    json_key(w, "dataTypes");
    json_open(w, '[');
    for (int t = 0; t < DTYPE_WEBNN_COUNT; t++)
        if (dtype_in((enum dtype)t, s->dtypes))
            json_put_text(w, dtype_name((enum dtype)t));
    json_close(w, ']');
    json_key(w, "rankRange");
    json_open(w, '{');
    json_key(w, "min");
    json_put_u64(w, s->rank_min);
    json_key(w, "max");
    json_put_u64(w, s->rank_max);
    json_close(w, '}');
    json_close(w, '}');
}

static void put_operator(struct json_writer *w, const struct limits *l, unsigned kind)
{
    const struct operator_row *row = operator_row((enum webnn_operator)kind);
    if (l->refused[kind])
        return;
    json_key(w, row->name);
    json_open(w, '{');
    for (uint32_t i = 0; i < row->operand_count; i++)
        put_slot(w, row->operands[i].name, &l->operators[kind][i]);
    for (uint32_t i = 0; i < row->result_count; i++)
        put_slot(w, row->results[i].name, &l->operators[kind][row->operand_count + i]);
    json_close(w, '}');
}

static void put_limits(struct json_writer *w, const struct limits *l)
{
    json_open(w, '{');
    json_key(w, "maxTensorByteLength");
    json_put_u64(w, l->max_tensor_bytes);
    json_key(w, "minDimension");
    json_put_u64(w, l->min_dimension);
    json_key(w, "maxRank");
    json_put_u64(w, l->max_rank);
    put_slot(w, "input", &l->input);
    put_slot(w, "constant", &l->constant);
    put_slot(w, "output", &l->output);
    for (unsigned k = 0; k < WEBNN_OPERATOR_COUNT; k++)
        put_operator(w, l, k);
    json_close(w, '}');
}

char *api_text_of(struct span s)
{
    char *text = mem_alloc(NULL, s.size + 1);
    if (!text)
        return NULL;
    if (s.size)
        memcpy(text, s.data, s.size);
    text[s.size] = '\0';
    return text;
}

o2w_status webnn_backend_limits_json(const char *backend, char **text, o2w_error **error)
{
    bool alias;
    const struct backend *b = backend_by_name(span_of(backend), &alias);
    struct limits *limits = mem_alloc(NULL, sizeof *limits);
    struct json_writer w;
    struct span json = { 0 };
    struct diags d;
    diags_init(&d, NULL);
    json_writer_init(&w, NULL, 2);
    o2w_status s = O2W_OK;
    if (!b)
        s = diag_error(&d, DIAG_BACKEND_UNKNOWN, "no backend '%s'", backend);
    else if (!limits)
        s = O2W_NO_MEMORY;
    if (s == O2W_OK && b && limits) {
        b->limits(limits);
        put_limits(&w, limits);
        s = json_written(&w, &json);
    }
    char *copy = s == O2W_OK ? api_text_of(json) : NULL;
    if (s == O2W_OK && !copy)
        s = O2W_NO_MEMORY;
    if (s == O2W_OK)
        *text = copy;
    json_writer_free(&w);
    mem_free(NULL, limits, sizeof *limits);
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}

o2w_status webnn_context_limits(const webnn_context *context, char **text, o2w_error **error)
{
    return webnn_backend_limits_json(context->backend->name, text, error);
}

void webnn_text_free(char *text)
{
    if (text)
        mem_free(NULL, text, strlen(text) + 1);
}
