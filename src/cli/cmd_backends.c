/* Which backends there are, and what works here. */
#include "cli/cli.h"

#include <string.h>

struct backends_args {
    struct common_args common;
    const char *backend;
    struct pair_list options;
    bool limits;
};

static const struct option_row backends_options[] = {
    OPT_NAME(struct backends_args, backend, "backend", "NAME",
             .help = "only this one; exit 1 when it is not available"),
    OPT_(struct backends_args, options, "backend-option", OPTION_PAIRS, .needs = "backend",
         .help = "option of the engine: checked"),
    OPT_SWITCH(struct backends_args, limits, "limits",
               .help = "dtypes and ranks that each operator accepts"),
    COMMON_OPTIONS(struct backends_args),
    COMMON_JSON(struct backends_args),
};

/* What is known of one id. */
struct entry {
    const char *id;
    const webnn_backend_info *info; /* NULL: not compiled in */
    webnn_probe *probe;             /* NULL: not available */
    o2w_error *error;               /* why not */
    const char *status, *engine, *version, *devices;
};

enum { ENTRY_LIMIT = 32 };

static const char *device_list(struct cli *c, const webnn_probe *p)
{
    const char *list = NULL;
    for (size_t i = 0; i < webnn_probe_device_count(p); i++)
        list = arena_printf(&c->arena, "%s%s%s", list ? list : "", list ? ", " : "",
                            webnn_probe_device(p, i));
    return list ? list : "-";
}

static void look_at(struct cli *c, const char *id, struct entry *e)
{
    *e = (struct entry){ .id = id,
                         .info = webnn_backend_find(id),
                         .status = "not-compiled",
                         .engine = "-",
                         .version = "-",
                         .devices = "-" };
    if (!e->info)
        return;
    e->status = "unavailable";
    if (webnn_backend_probe(id, &c->environment, &e->probe, &e->error) != O2W_OK)
        return;
    const char *engine = webnn_probe_engine(e->probe), *version = webnn_probe_version(e->probe);
    e->status = "available";
    e->engine = engine ? engine : "-";
    e->version = version ? version : "-";
    e->devices = device_list(c, e->probe);
}

/* --- text --------------------------------------------------------------------------------------------- */

static int wider(int width, const char *text)
{
    int size = (int)strlen(text);
    return size > width ? size : width;
}

static void print_limits(struct cli *c, const char *json);

static void print_details(struct cli *c, const struct entry *e)
{
    const o2w_diagnostic *first = o2w_error_item(e->error, 0);
    if (first)
        cli_print(c, "  reason: %s\n", first->message);
    if (!e->probe)
        cli_print(c, "  get it: %s\n",
                  e->info && e->info->get_it ? e->info->get_it : "not part of this program");
}

static void print_options(struct cli *c, const webnn_backend_info *info)
{
    for (size_t i = 0; info && i < info->option_count; i++) {
        const webnn_backend_option *o = &info->options[i];
        cli_print(c, "  option %s=%s (%s): %s\n", o->key, o->values ? o->values : "TEXT",
                  o->fallback ? o->fallback : "-", o->help ? o->help : "");
    }
}

static void print_table(struct cli *c, const struct entry *entries, size_t count,
                        const struct backends_args *a)
{
    static const struct entry head = { .id = "id",
                                       .status = "status",
                                       .engine = "engine",
                                       .version = "version",
                                       .devices = "devices" };
    int id = 2, status = 6, engine = 6, version = 7;
    for (size_t i = 0; i < count; i++) {
        id = wider(id, entries[i].id);
        status = wider(status, entries[i].status);
        engine = wider(engine, entries[i].engine);
        version = wider(version, entries[i].version);
    }
    for (size_t i = 0; i <= count; i++) {
        const struct entry *e = i ? &entries[i - 1] : &head;
        char *limits = NULL;
        cli_print(c, "%-*s  %-*s  %-*s  %-*s  %s\n", id, e->id, status, e->status, engine,
                  e->engine, version, e->version, e->devices);
        if (!i)
            continue;
        print_details(c, e);
        if (a->backend)
            print_options(c, e->info);
        if (a->limits && e->info && webnn_backend_limits_json(e->id, &limits, NULL) == O2W_OK)
            print_limits(c, limits);
        webnn_text_free(limits);
    }
}

/* --- limits: the text of opSupportLimits, one line per operator -------------------------------------------- */

/* {"dataTypes": […], "rankRange": {"min": 0, "max": 8}} as "float32 float16 rank 0-8". */
static o2w_status slot_text(struct cli *c, struct json_reader *r, const char **out)
{
    struct json_value v, item;
    const char *types = "";
    int64_t ranks[2] = { 0, 0 };
    for (;;) {
        TRY(json_next(r, &v));
        if (v.kind == JSON_END)
            break;
        bool is_types = span_is(v.key, "dataTypes"), is_ranks = span_is(v.key, "rankRange");
        if (!is_types && !is_ranks) {
            TRY(json_skip(r, &v));
            continue;
        }
        for (;;) {
            TRY(json_next(r, &item));
            if (item.kind == JSON_END)
                break;
            if (is_types)
                types = arena_printf(&c->arena, "%s%s%.*s", types ? types : "",
                                     types && *types ? " " : "", SPAN_ARG(item.text));
            else
                TRY(json_i64(r, &item, &ranks[span_is(item.key, "max")]));
        }
    }
    *out = arena_printf(&c->arena, "%s rank %lld-%lld", types ? types : "", (long long)ranks[0],
                        (long long)ranks[1]);
    return *out ? O2W_OK : O2W_NO_MEMORY;
}

/* The members of an operator. The general slots are one themselves. */
static o2w_status print_operator(struct cli *c, struct json_reader *r, struct span name)
{
    struct json_value v;
    const char *text, *line = NULL;
    bool general = span_is(name, "input") || span_is(name, "constant") || span_is(name, "output");
    if (general) {
        TRY(slot_text(c, r, &text));
        cli_print(c, "  %.*s: %s\n", SPAN_ARG(name), text);
        return O2W_OK;
    }
    for (;;) {
        TRY(json_next(r, &v));
        if (v.kind == JSON_END)
            break;
        TRY(slot_text(c, r, &text));
        line = arena_printf(&c->arena, "%s%s%.*s %s", line ? line : "", line ? "; " : "",
                            SPAN_ARG(v.key), text);
    }
    cli_print(c, "  %.*s: %s\n", SPAN_ARG(name), line ? line : "");
    return O2W_OK;
}

static o2w_status read_limits(struct cli *c, struct json_reader *r)
{
    struct json_value v;
    TRY(json_next(r, &v));
    for (;;) {
        TRY(json_next(r, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        if (v.kind == JSON_OBJECT)
            TRY(print_operator(c, r, v.key));
        else
            cli_print(c, "  %.*s: %.*s\n", SPAN_ARG(v.key), SPAN_ARG(v.text));
    }
}

static void print_limits(struct cli *c, const char *json)
{
    struct json_reader r;
    struct diags d;
    diags_init(&d, NULL);
    if (json_begin(&r, span_of(json), SPAN("limits"), &c->arena, &d) != O2W_OK ||
        read_limits(c, &r) != O2W_OK)
        c->failed = true;
    diags_free(&d);
}

/* --- document ------------------------------------------------------------------------------------------------ */

static void put_text(struct cli *c, const char *key, const char *text)
{
    json_key(&c->json, key);
    json_put_text(&c->json, text);
}

static void put_options(struct cli *c, const webnn_backend_info *b)
{
    json_key(&c->json, "options");
    json_open(&c->json, '[');
    for (size_t i = 0; b && i < b->option_count; i++) {
        json_open(&c->json, '{');
        put_text(c, "key", b->options[i].key);
        put_text(c, "values", b->options[i].values);
        put_text(c, "default", b->options[i].fallback);
        put_text(c, "help", b->options[i].help);
        json_close(&c->json, '}');
    }
    json_close(&c->json, ']');
}

static void put_limits(struct cli *c, const struct entry *e)
{
    char *text = NULL;
    json_key(&c->json, "limits");
    if (e->info && webnn_backend_limits_json(e->id, &text, NULL) == O2W_OK)
        json_put_raw(&c->json, span_of(text));
    else
        json_put_null(&c->json);
    webnn_text_free(text);
}

static void put_searched(struct cli *c, const o2w_error *error)
{
    json_key(&c->json, "searched");
    json_open(&c->json, '[');
    for (size_t i = 0; i < o2w_error_count(error); i++) {
        const o2w_diagnostic *item = o2w_error_item(error, i);
        for (size_t k = 0; k < item->line_count; k++)
            if (strcmp(item->lines[k].label, "searched") == 0)
                json_put_text(&c->json, item->lines[k].text);
    }
    json_close(&c->json, ']');
}

static void put_entry(struct cli *c, const struct entry *e, bool limits)
{
    const o2w_diagnostic *first = o2w_error_item(e->error, 0);
    bool alias = e->info && strcmp(e->info->name, e->id) != 0;
    json_open(&c->json, '{');
    put_text(c, "id", e->id);
    put_text(c, "aliasOf", alias ? e->info->name : NULL);
    put_text(c, "status", e->status);
    put_text(c, "engine", e->probe ? webnn_probe_engine(e->probe) : NULL);
    put_text(c, "version", e->probe ? webnn_probe_version(e->probe) : NULL);
    put_text(c, "library", e->probe ? webnn_probe_library(e->probe) : NULL);
    json_key(&c->json, "devices");
    json_open(&c->json, '[');
    for (size_t i = 0; e->probe && i < webnn_probe_device_count(e->probe); i++)
        json_put_text(&c->json, webnn_probe_device(e->probe, i));
    json_close(&c->json, ']');
    json_key(&c->json, "dynamic");
    if (e->info)
        json_put_bool(&c->json, e->info->dynamic);
    else
        json_put_null(&c->json);
    put_text(c, "reason", first ? first->message : NULL);
    put_searched(c, e->error);
    put_text(c, "getIt", e->info ? e->info->get_it : NULL);
    put_options(c, e->info);
    if (limits)
        put_limits(c, e);
    json_close(&c->json, '}');
}

/* --- the command ---------------------------------------------------------------------------------------------- */

/* Options are judged by the engine itself. */
static o2w_status check_options(struct cli *c, const struct backends_args *a)
{
    webnn_context *context = NULL;
    webnn_context_options options = { .size = sizeof options,
                                      .backend = a->backend,
                                      .options = a->options.items,
                                      .option_count = a->options.count,
                                      .environment = &c->environment };
    if (!a->options.count)
        return O2W_OK;
    o2w_status s = webnn_context_create(&options, &context, &c->error);
    webnn_context_free(context);
    return s;
}

static int run_backends(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct backends_args *a = args;
    struct entry entries[ENTRY_LIMIT];
    size_t count = 0;
    bool available = true;
    const char *id;
    (void)positionals;
    bool known = !a->backend || webnn_backend_find(a->backend);
    o2w_status s = known ? O2W_OK : cli_check_backend(c, a->backend, false);
    if (s == O2W_USAGE)
        return cli_failed(c);
    o2w_error_free(c->error); /* one that is not compiled in is a row like others */
    c->error = NULL;
    CLI_TRY(c, s == O2W_OK ? check_options(c, a) : O2W_OK);
    for (size_t i = 0; (id = webnn_backend_id(i)) && count < ENTRY_LIMIT; i++)
        if (!a->backend || strcmp(id, a->backend) == 0)
            look_at(c, id, &entries[count++]);
    print_table(c, entries, count, a);
    json_key(&c->json, "backends");
    json_open(&c->json, '[');
    for (size_t i = 0; i < count; i++) {
        put_entry(c, &entries[i], a->limits);
        available &= entries[i].probe || !a->backend;
        webnn_probe_free(entries[i].probe);
        o2w_error_free(entries[i].error);
    }
    json_close(&c->json, ']');
    return cli_finish(c, available ? "listed" : "unavailable", available ? 0 : 1);
}

const struct command command_backends = { .name = "backends",
                                          .summary = "which backends can be used here, and why not",
                                          ROWS(backends_options),
                                          .args_size = sizeof(struct backends_args),
                                          .run = run_backends };
