#include "cli/cli.h"

struct backends_args {
    struct common_args common;
    const char *backend;
    struct pair_list options;
    bool limits;
};

static const struct option_row backends_options[] = {
    OPT_TEXT(struct backends_args, backend, "backend", "NAME",
             .help = "only this one; exit 1 when it is not available"),
    OPT_(struct backends_args, options, "backend-option", OPTION_PAIRS,
         .help = "option of the engine"),
    OPT_SWITCH(struct backends_args, limits, "limits",
               .help = "dtypes and ranks that each operator accepts"),
    COMMON_OPTIONS(struct backends_args),
    COMMON_JSON(struct backends_args),
};

static void put_text(struct cli *c, const char *key, const char *text)
{
    json_key(&c->json, key);
    json_put_text(&c->json, text);
}

static void put_options(struct cli *c, const webnn_backend_info *b)
{
    json_key(&c->json, "options");
    json_open(&c->json, '[');
    for (size_t i = 0; i < b->option_count; i++) {
        json_open(&c->json, '{');
        put_text(c, "key", b->options[i].key);
        put_text(c, "values", b->options[i].values);
        put_text(c, "default", b->options[i].fallback);
        put_text(c, "help", b->options[i].help);
        json_close(&c->json, '}');
    }
    json_close(&c->json, ']');
}

static void put_limits(struct cli *c, const webnn_backend_info *b)
{
    char *text = NULL;
    json_key(&c->json, "limits");
    if (webnn_backend_limits_json(b->name, &text, NULL) == O2W_OK) {
        json_put_raw(&c->json, span_of(text));
        cli_print(c, "%s\n", text);
    } else {
        json_put_null(&c->json);
    }
    webnn_text_free(text);
}

/* The diagnostic's further lines: what was searched. */
static void put_reason(struct cli *c, const o2w_error *error, const webnn_backend_info *b)
{
    const o2w_diagnostic *first = error ? o2w_error_item(error, 0) : NULL;
    put_text(c, "reason", first ? first->message : NULL);
    put_text(c, "getIt", b->get_it);
    if (first)
        cli_print(c, "  reason: %s\n", first->message);
    if (first && b->get_it)
        cli_print(c, "  get it: %s\n", b->get_it);
}

static bool show(struct cli *c, const webnn_backend_info *b, bool limits)
{
    webnn_probe *p = NULL;
    o2w_error *error = NULL;
    bool available = webnn_backend_probe(b->name, &c->environment, &p, &error) == O2W_OK;
    const char *engine = available ? webnn_probe_engine(p) : NULL,
               *version = available ? webnn_probe_version(p) : NULL;
    json_open(&c->json, '{');
    put_text(c, "id", b->name);
    put_text(c, "status", available ? "available" : "unavailable");
    put_text(c, "engine", engine);
    put_text(c, "version", version);
    put_text(c, "library", available ? webnn_probe_library(p) : NULL);
    cli_print(c, "%-10s  %-11s  %s %s", b->name, available ? "available" : "unavailable",
              engine ? engine : "-", version ? version : "");
    json_key(&c->json, "devices");
    json_open(&c->json, '[');
    for (size_t i = 0; available && i < webnn_probe_device_count(p); i++) {
        json_put_text(&c->json, webnn_probe_device(p, i));
        cli_print(c, "%s%s", i ? ", " : "  ", webnn_probe_device(p, i));
    }
    json_close(&c->json, ']');
    json_key(&c->json, "dynamic");
    json_put_bool(&c->json, b->dynamic);
    cli_print(c, "\n");
    put_reason(c, error, b);
    put_options(c, b);
    if (limits)
        put_limits(c, b);
    json_close(&c->json, '}');
    webnn_probe_free(p);
    o2w_error_free(error);
    return available;
}

static void print_options(struct cli *c, const webnn_backend_info *b)
{
    for (size_t i = 0; i < b->option_count; i++)
        cli_print(c, "  option %s=%s (%s): %s\n", b->options[i].key,
                  b->options[i].values ? b->options[i].values : "TEXT",
                  b->options[i].fallback ? b->options[i].fallback : "-",
                  b->options[i].help ? b->options[i].help : "");
}

static int run_backends(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct backends_args *a = args;
    const webnn_backend_info *only = a->backend ? webnn_backend_find(a->backend) : NULL;
    size_t count;
    const webnn_backend_info *all = webnn_backends(&count);
    bool available = true;
    (void)positionals;
    CLI_TRY(c, cli_check_backend(c, a->backend, false));
    json_key(&c->json, "backends");
    json_open(&c->json, '[');
    for (size_t i = 0; i < count; i++) {
        if (only && only != &all[i])
            continue;
        bool here = show(c, &all[i], a->limits);
        available &= here || !only;
        if (only)
            print_options(c, only);
    }
    json_close(&c->json, ']');
    return cli_finish(c, available ? "listed" : "unavailable", available ? 0 : 1);
}

const struct command command_backends = { .name = "backends",
                                          .summary = "which backends can be used here, and why not",
                                          ROWS(backends_options),
                                          .args_size = sizeof(struct backends_args),
                                          .run = run_backends };
