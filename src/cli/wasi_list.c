/* --list: the engine, the backends, the graphs that guests can load by name. */
#include "cli/wasi.h"

#include <string.h>

struct listing {
    struct cli *cli;
    struct json_reader reader;
};

static void print_dims(struct listing *l)
{
    struct json_value v;
    const char *between = " [";
    while (json_next(&l->reader, &v) == O2W_OK && v.kind != JSON_END) {
        bool open = v.kind == JSON_STRING && !v.text.size;
        cli_print(l->cli, "%s%.*s", between, open ? 1 : (int)v.text.size,
                  open ? "?" : (const char *)v.text.data);
        between = ",";
    }
    cli_print(l->cli, strcmp(between, ",") == 0 ? "]" : " []");
}

static void print_port(struct listing *l, const char *what)
{
    struct json_value v;
    struct span name = { 0 };
    while (json_next(&l->reader, &v) == O2W_OK && v.kind != JSON_END) {
        if (span_is(v.key, "name"))
            name = v.text;
        else if (span_is(v.key, "type"))
            cli_print(l->cli, "    %-7s %.*s  %.*s", what, SPAN_ARG(name), SPAN_ARG(v.text));
        else if (v.kind == JSON_ARRAY)
            print_dims(l);
    }
    cli_print(l->cli, "\n");
}

static void print_ports(struct listing *l, const char *what)
{
    struct json_value v;
    while (json_next(&l->reader, &v) == O2W_OK && v.kind == JSON_OBJECT)
        print_port(l, what);
}

static void print_graph(struct listing *l)
{
    struct json_value v;
    while (json_next(&l->reader, &v) == O2W_OK && v.kind != JSON_END) {
        if (span_is(v.key, "name") || span_is(v.key, "path"))
            cli_print(l->cli, "  %.*s", SPAN_ARG(v.text));
        else if (span_is(v.key, "loaded"))
            cli_print(l->cli, "%s", v.boolean ? "" : "  not loaded yet\n");
        else if (span_is(v.key, "backend"))
            cli_print(l->cli, "  %.*s\n", SPAN_ARG(v.text));
        else if (v.kind == JSON_ARRAY)
            print_ports(l, span_is(v.key, "inputs") ? "input" : "output");
    }
}

static void print_backend(struct listing *l)
{
    struct json_value v;
    while (json_next(&l->reader, &v) == O2W_OK && v.kind != JSON_END) {
        if (span_is(v.key, "name"))
            cli_print(l->cli, "  %-16.*s", SPAN_ARG(v.text));
        else if (span_is(v.key, "available"))
            cli_print(l->cli, "%s\n", v.boolean ? "available" : "unavailable");
        else if (span_is(v.key, "reason") && v.kind == JSON_STRING)
            cli_print(l->cli, "      reason: %.*s\n", SPAN_ARG(v.text));
    }
}

static void print_section(struct listing *l, const struct json_value *section)
{
    struct json_value v;
    bool backends = span_is(section->key, "backends");
    cli_print(l->cli, "%.*s:\n", SPAN_ARG(section->key));
    while (json_next(&l->reader, &v) == O2W_OK && v.kind == JSON_OBJECT) {
        if (backends)
            print_backend(l);
        else
            print_graph(l);
    }
}

static void print_engine(struct wasi_run *r)
{
    const wasinn_wasmtime *w;
    o2w_error *e = NULL;
    if (wasinn_wasmtime_open(NULL, &w, &e) == O2W_OK)
        cli_print(r->cli, "engine:\n  wasmtime        available  %s\n", wasinn_wasmtime_library(w));
    else
        cli_print(r->cli, "engine:\n  wasmtime        unavailable\n      reason: %s\n",
                  o2w_error_item(e, 0)->message);
    o2w_error_free(e);
}

int wasi_list(struct wasi_run *r, wasinn_host *host)
{
    struct listing l = { .cli = r->cli };
    struct json_value v;
    struct diags d;
    char *text = NULL;
    print_engine(r);
    if (wasinn_host_json(host, &text, &r->cli->error) != O2W_OK)
        return wasi_failed(r);
    diags_init(&d, NULL);
    if (json_begin(&l.reader, span_of(text), SPAN("host"), &r->cli->arena, &d) == O2W_OK &&
        json_next(&l.reader, &v) == O2W_OK)
        while (json_next(&l.reader, &v) == O2W_OK && v.kind == JSON_ARRAY)
            print_section(&l, &v);
    diags_free(&d);
    webnn_text_free(text);
    return cli_finish(r->cli, "listed", 0);
}
