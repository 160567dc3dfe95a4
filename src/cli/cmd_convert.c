#include "cli/model_options.h"

#include "base/file.h"
#include "base/system.h"

struct convert_args {
    struct common_args common;
    struct model_args model;
    const char *path, *output, *weights, *backend;
    struct pair_list backend_options;
    bool allow_missing, record, no_record, sync, no_source_copy, require_backend;
    unsigned names;
    uint64_t threads;
};

static const struct option_row convert_options[] = {
    OPT_TEXT(struct convert_args, path, "model", "PATH", .required = true,
             .help = "the ONNX model"),
    OPT_TEXT(struct convert_args, output, "output", "PATH", .letter = 'o',
             .help = "X.webnn or a folder; the WebNN cache without it"),
    MODEL_OPTIONS(struct convert_args),
    OPT_SWITCH(struct convert_args, allow_missing, "allow-missing-external-data",
               .help = "absent external tensors become zeros: structure only"),
    OPT_TEXT(struct convert_args, weights, "weights", "PATH", .needs = "output",
             .help = "write, or add to, this archive in the graph's folder"),
    OPT_SWITCH(struct convert_args, record, "record", .excludes = "no-record",
               .help = "write the conversion record"),
    OPT_SWITCH(struct convert_args, no_record, "no-record",
               .help = "do not write the conversion record"),
    OPT_TEXT(struct convert_args, model.target, "target", "NAME|FILE",
             .help = "rewrite the graph for a target's limits"),
    OPT_(struct convert_args, model.assume_int32, "assume-int32", OPTION_TEXTS, .metavar = "NAME",
         .needs = "target", .help = "promise that this int64 input fits int32"),
    OPT_CHOICE(struct convert_args, names, "names", "interface|none|all",
               .help = "which original names the graph keeps"),
    OPT_SWITCH(struct convert_args, sync, "sync", .help = "flush files to disk before they appear"),
    OPT_SWITCH(struct convert_args, no_source_copy, "no-source-copy", .excludes = "output",
               .help = "do not copy the source into the ONNX cache"),
    OPT_TEXT(struct convert_args, backend, "backend", "NAME",
             .help = "also build the graph on this backend"),
    OPT_(struct convert_args, backend_options, "backend-option", OPTION_PAIRS, .needs = "backend",
         .help = "option of the engine"),
    OPT_SWITCH(struct convert_args, require_backend, "require-backend", .needs = "backend",
               .help = "refuse a build that leaves nodes to another provider"),
    OPT_NUMBER(struct convert_args, threads, "threads", 1, 1024, .help = "worker threads"),
    COMMON_PROGRESS(struct convert_args),
    COMMON_OPTIONS(struct convert_args),
    COMMON_JSON(struct convert_args),
};

/* --- JSON members ------------------------------------------------------------------------------------- */

static void put_port(struct json_writer *w, const o2w_port *p)
{
    json_open(w, '{');
    json_key(w, "name");
    json_put_text(w, p->name);
    json_key(w, "graphName");
    json_put_text(w, p->graph_name);
    json_key(w, "dataType");
    json_put_text(w, p->graph_type);
    json_key(w, "shape");
    json_open(w, '[');
    for (uint32_t i = 0; i < p->descriptor.rank; i++)
        if (p->descriptor.dims[i] == WEBNN_DYNAMIC)
            json_put_null(w);
        else
            json_put_i64(w, p->descriptor.dims[i]);
    json_close(w, ']');
    json_close(w, '}');
}

static void put_ports(struct json_writer *w, const o2w_conversion *c)
{
    o2w_port p;
    json_key(w, "inputs");
    json_open(w, '[');
    for (size_t i = 0; o2w_conversion_input(c, i, &p); i++)
        if (p.graph_name)
            put_port(w, &p);
    json_close(w, ']');
    json_key(w, "outputs");
    json_open(w, '[');
    for (size_t i = 0; o2w_conversion_output(c, i, &p); i++)
        if (p.graph_name)
            put_port(w, &p);
    json_close(w, ']');
    json_key(w, "prunedInputs");
    json_open(w, '[');
    for (size_t i = 0; o2w_conversion_input(c, i, &p); i++)
        if (p.pruned)
            json_put_text(w, p.name);
    json_close(w, ']');
}

static void put_dims_and_pins(struct json_writer *w, const o2w_conversion *c)
{
    o2w_resolved_dim d;
    o2w_port p;
    json_key(w, "dims");
    json_open(w, '{');
    for (size_t i = 0; o2w_conversion_dim(c, i, &d); i++) {
        json_key(w, d.name);
        json_open(w, '{');
        json_key(w, "value");
        json_put_i64(w, d.value);
        json_key(w, "from");
        json_put_text(w, d.from);
        json_close(w, '}');
    }
    json_close(w, '}');
    json_key(w, "pins");
    json_open(w, '{');
    for (size_t i = 0; o2w_conversion_input(c, i, &p); i++)
        if (p.pinned) {
            json_key(w, p.name);
            json_put_i64(w, p.pin);
        }
    json_close(w, '}');
}

static void put_members(struct cli *c, const char *model, const o2w_conversion *conversion)
{
    static const char *const keys[] = { "graph", "weights", "record", "source" };
    struct json_writer *w = &c->json;
    o2w_conversion_counts counts;
    o2w_conversion_count(conversion, &counts);
    json_key(w, "model");
    json_put_text(w, model);
    for (int i = 0; i < 4; i++) {
        json_key(w, keys[i]);
        json_put_text(w, o2w_conversion_path(conversion, (o2w_written)i));
    }
    put_dims_and_pins(w, conversion);
    put_ports(w, conversion);
    json_key(w, "nodes");
    json_put_u64(w, counts.nodes);
    json_key(w, "operators");
    json_put_u64(w, counts.operators);
    json_key(w, "weightBytes");
    json_put_u64(w, counts.weight_bytes);
    json_key(w, "unsupported");
    json_open(w, '[');
    json_close(w, ']');
}

/* --- the command -------------------------------------------------------------------------------------- */

static void print_result(struct cli *c, const char *model, const o2w_conversion *conversion)
{
    static const char *const words[] = { "graph", "weights", "record", "source" };
    o2w_conversion_counts counts;
    o2w_conversion_count(conversion, &counts);
    for (int i = 0; i < 4; i++)
        if (o2w_conversion_path(conversion, (o2w_written)i))
            cli_print(c, "%s: %s\n", words[i], o2w_conversion_path(conversion, (o2w_written)i));
    cli_say(c, "converted %.*s: %llu nodes -> %llu operators, %llu weights, %s, %.1f s\n",
            SPAN_ARG(path_name(span_of(model))), (unsigned long long)counts.nodes,
            (unsigned long long)counts.operators, (unsigned long long)counts.weights,
            cli_size(c, counts.weight_bytes), (double)(system_clock_ns() - c->started) / 1e9);
}

static void put_optional(struct json_writer *w, bool given, uint64_t v)
{
    if (given)
        json_put_u64(w, v);
    else
        json_put_null(w);
}

/* The files stay whatever the build says. */
static o2w_status build(struct cli *c, const struct convert_args *a, o2w_conversion *conversion)
{
    webnn_context *context = NULL;
    webnn_graph *g = o2w_conversion_take_graph(conversion);
    webnn_context_options options = { .size = sizeof options,
                                      .backend = a->backend,
                                      .threads = (unsigned)a->threads,
                                      .options = a->backend_options.items,
                                      .option_count = a->backend_options.count,
                                      .require_backend = a->require_backend,
                                      .environment = &c->environment };
    uint64_t begin = system_clock_ns(), on_backend = 0, nodes = 0;
    o2w_status s = webnn_context_create(&options, &context, &c->error);
    if (s == O2W_OK)
        s = webnn_graph_compile(context, g, &c->error);
    double ms = (double)(system_clock_ns() - begin) / 1e6;
    json_key(&c->json, "build");
    if (s == O2W_OK) {
        bool placed = webnn_graph_placement(g, &on_backend, &nodes);
        json_open(&c->json, '{');
        json_key(&c->json, "backend");
        json_put_text(&c->json, webnn_context_backend(context)->name);
        json_key(&c->json, "requested");
        json_put_text(&c->json, a->backend);
        json_key(&c->json, "ms");
        json_put_double(&c->json, ms);
        json_key(&c->json, "nodesOnBackend");
        put_optional(&c->json, placed, on_backend);
        json_key(&c->json, "nodes");
        put_optional(&c->json, placed, nodes);
        json_close(&c->json, '}');
        cli_say(c, "built on %s in %.1f ms\n", webnn_context_backend(context)->name, ms);
    } else {
        json_put_null(&c->json);
        cli_say(c, "the graph was written; the build on '%s' failed\n", a->backend);
    }
    webnn_graph_free(g);
    webnn_context_free(context);
    return s;
}

static o2w_status preflight(struct cli *c, const struct convert_args *a)
{
    webnn_probe *probe = NULL;
    o2w_status s =
        a->backend ? webnn_backend_probe(a->backend, &c->environment, &probe, &c->error) : O2W_OK;
    webnn_probe_free(probe);
    return s;
}

static int run_convert(struct cli *c, const void *args, const struct text_list *positionals)
{
    static const webnn_names names[] = { WEBNN_NAMES_INTERFACE, WEBNN_NAMES_NONE, WEBNN_NAMES_ALL };
    const struct convert_args *a = args;
    o2w_convert_options options;
    o2w_conversion *conversion = NULL;
    (void)positionals;
    model_options(&a->model, c, &options);
    options.allow_missing_external_data = a->allow_missing;
    options.output = a->output;
    options.weights = a->weights;
    options.record = a->output ? a->record : !a->no_record;
    options.names = names[a->names];
    options.sync = a->sync;
    options.no_source_copy = a->no_source_copy;
    options.threads = (unsigned)a->threads;
    if (a->allow_missing && a->no_record)
        return cli_usage(
            c, NULL, "option '--no-record' cannot stand beside '--allow-missing-external-data'");
    if (a->backend && !webnn_backend_find(a->backend))
        return cli_usage(c, "'onnx2webnn backends' lists them",
                         "option '--backend' is '%s', no backend has this name", a->backend);
    CLI_TRY(c, preflight(c, a));
    CLI_TRY(c, a->output ? o2w_convert_file(a->path, &options, &conversion, &c->error)
                         : o2w_convert_cached(a->path, &options, &conversion, &c->error));
    cli_notes(c, o2w_conversion_diagnostics(conversion));
    cli_time(c, "convert", (double)(system_clock_ns() - c->started) / 1e6);
    put_members(c, a->path, conversion);
    print_result(c, a->path, conversion);
    int status;
    if (!a->backend) {
        json_key(&c->json, "build");
        json_put_null(&c->json);
        status = cli_finish(c, "converted", 0);
    } else {
        o2w_status s = build(c, a, conversion);
        status = s == O2W_OK ? cli_finish(c, "converted", 0) : cli_failed(c);
    }
    o2w_conversion_free(conversion);
    return status;
}

const struct command command_convert = { .name = "convert",
                                         .summary = "one ONNX model to a WebNN graph",
                                         ROWS(convert_options),
                                         .args_size = sizeof(struct convert_args),
                                         .run = run_convert };
