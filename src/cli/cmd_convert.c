#include "cli/model_options.h"

#include "base/file.h"
#include "base/number.h"
#include "base/system.h"

#include <string.h>

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
             .missing = "a path is needed; leave it out for the cache",
             .help = "X.webnn or a folder; the WebNN cache without it"),
    MODEL_OPTIONS(struct convert_args),
    OPT_SWITCH(struct convert_args, allow_missing, "allow-missing-external-data",
               .excludes = "no-record",
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
    OPT_NAME(struct convert_args, backend, "backend", "NAME",
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

static const char *const written_words[] = { "graph", "weights", "record", "source" };
enum { WRITTEN_COUNT = sizeof written_words / sizeof *written_words };

/* Integers that a double may not hold are strings. */
static void put_integer(struct json_writer *w, int64_t v)
{
    char text[NUMBER_TEXT];
    number_print_i64(v, text);
    if (v >= -((int64_t)1 << 53) && v <= (int64_t)1 << 53)
        json_put_i64(w, v);
    else
        json_put_text(w, text);
}

/* A number, or {"name", "maxSize"} for an open one. */
static void put_dim(struct json_writer *w, const o2w_port *p, uint32_t axis)
{
    if (p->descriptor.dims[axis] != WEBNN_DYNAMIC) {
        json_put_i64(w, p->descriptor.dims[axis]);
        return;
    }
    json_open(w, '{');
    json_key(w, "name");
    json_put_text(w, p->dim_names[axis]);
    json_key(w, "maxSize");
    json_put_i64(w, p->dim_maxima[axis]);
    json_close(w, '}');
}

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
        put_dim(w, p, i);
    json_close(w, ']');
    json_close(w, '}');
}

/* `c` NULL: nothing was converted, all lists are empty. */
static void put_ports(struct json_writer *w, const o2w_conversion *c)
{
    o2w_port p;
    json_key(w, "inputs");
    json_open(w, '[');
    for (size_t i = 0; c && o2w_conversion_input(c, i, &p); i++)
        if (p.graph_name)
            put_port(w, &p);
    json_close(w, ']');
    json_key(w, "outputs");
    json_open(w, '[');
    for (size_t i = 0; c && o2w_conversion_output(c, i, &p); i++)
        if (p.graph_name)
            put_port(w, &p);
    json_close(w, ']');
    json_key(w, "prunedInputs");
    json_open(w, '[');
    for (size_t i = 0; c && o2w_conversion_input(c, i, &p); i++)
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
    for (size_t i = 0; c && o2w_conversion_dim(c, i, &d); i++) {
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
    for (size_t i = 0; c && o2w_conversion_input(c, i, &p); i++)
        if (p.pinned) {
            json_key(w, p.name);
            put_integer(w, p.pin);
        }
    json_close(w, '}');
}

static void put_unsupported(struct json_writer *w, const o2w_unsupported *u)
{
    json_open(w, '{');
    json_key(w, "domain");
    json_put_text(w, u->domain);
    json_key(w, "operator");
    json_put_text(w, u->name);
    json_key(w, "opset");
    json_put_i64(w, u->opset);
    json_key(w, "count");
    json_put_u64(w, u->count);
    json_key(w, "nodes");
    json_open(w, '[');
    for (size_t i = 0; i < u->node_count; i++)
        json_put_text(w, u->nodes[i]);
    json_close(w, ']');
    json_key(w, "reason");
    json_put_text(w, u->reason);
    json_close(w, '}');
}

static void put_members(struct cli *c, const char *model, const o2w_conversion *conversion)
{
    struct json_writer *w = &c->json;
    o2w_conversion_counts counts = { 0 };
    const o2w_unsupported *u;
    if (conversion)
        o2w_conversion_count(conversion, &counts);
    json_key(w, "model");
    json_put_text(w, model);
    for (int i = 0; i < WRITTEN_COUNT; i++) {
        json_key(w, written_words[i]);
        json_put_text(w, conversion ? o2w_conversion_path(conversion, (o2w_written)i) : NULL);
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
    for (size_t i = 0; (u = o2w_error_unsupported(c->error, i)); i++)
        put_unsupported(w, u);
    json_close(w, ']');
}

/* --- the build ------------------------------------------------------------------------------------------- */

static void put_optional(struct json_writer *w, const char *key, bool given, uint64_t v)
{
    json_key(w, key);
    if (given)
        json_put_u64(w, v);
    else
        json_put_null(w);
}

/* The outcome of a build; NULL graph: there was none. */
static void put_build(struct cli *c, const struct convert_args *a, const webnn_context *context,
                      const webnn_graph *g, double ms)
{
    uint64_t on_backend = 0, nodes = 0;
    json_key(&c->json, "build");
    if (!g) {
        json_put_null(&c->json);
        return;
    }
    bool placed = webnn_graph_placement(g, &on_backend, &nodes);
    json_open(&c->json, '{');
    json_key(&c->json, "backend");
    json_put_text(&c->json, webnn_context_backend(context)->name);
    json_key(&c->json, "requested");
    json_put_text(&c->json, a->backend);
    json_key(&c->json, "ms");
    json_put_double(&c->json, ms);
    put_optional(&c->json, "nodesOnBackend", placed, on_backend);
    put_optional(&c->json, "nodes", placed, nodes);
    json_close(&c->json, '}');
    if (placed && on_backend < nodes)
        cli_say(c, "%s: %llu of %llu nodes on the provider\n", a->backend,
                (unsigned long long)on_backend, (unsigned long long)nodes);
}

/* The files stay whatever the build says. */
static o2w_status build(struct cli *c, const struct convert_args *a, webnn_context *context,
                        o2w_conversion *conversion)
{
    webnn_graph *g = context ? o2w_conversion_take_graph(conversion) : NULL;
    uint64_t begin = system_clock_ns();
    o2w_status s = context ? webnn_graph_compile(context, g, &c->error) : O2W_OK;
    double ms = (double)(system_clock_ns() - begin) / 1e6;
    put_build(c, a, context, s == O2W_OK ? g : NULL, ms);
    if (context && s == O2W_OK)
        cli_time(c, "build", ms);
    if (s != O2W_OK)
        cli_say(c, "graph and archive were written; the build on '%s' failed\n", a->backend);
    webnn_graph_free(g);
    return s;
}

static o2w_status open_backend(struct cli *c, const struct convert_args *a, webnn_context **out)
{
    webnn_context_options options = { .size = sizeof options,
                                      .backend = a->backend,
                                      .threads = (unsigned)a->threads,
                                      .options = a->backend_options.items,
                                      .option_count = a->backend_options.count,
                                      .require_backend = a->require_backend,
                                      .environment = &c->environment };
    return a->backend ? webnn_context_create(&options, out, &c->error) : O2W_OK;
}

/* --- the command ----------------------------------------------------------------------------------------- */

static void print_result(struct cli *c, const char *model, const o2w_conversion *conversion)
{
    o2w_conversion_counts counts;
    o2w_conversion_count(conversion, &counts);
    for (int i = 0; i < WRITTEN_COUNT; i++) {
        const char *path = o2w_conversion_path(conversion, (o2w_written)i);
        if (path)
            cli_print(c, "%s: %s\n", written_words[i], path);
    }
    cli_say(c, "converted %.*s: %llu nodes -> %llu operators, %llu weights, %s, %.1f s\n",
            SPAN_ARG(path_name(span_of(model))), (unsigned long long)counts.nodes,
            (unsigned long long)counts.operators, (unsigned long long)counts.weights,
            cli_size(c, counts.weight_bytes), (double)(system_clock_ns() - c->started) / 1e9);
}

static void convert_options_of(struct cli *c, const struct convert_args *a,
                               o2w_convert_options *options)
{
    static const webnn_names names[] = { WEBNN_NAMES_INTERFACE, WEBNN_NAMES_NONE, WEBNN_NAMES_ALL };
    model_options(&a->model, c, options);
    options->allow_missing_external_data = a->allow_missing;
    options->output = a->output;
    options->weights =
        a->weights && strchr(a->weights, '/') ? cli_absolute(c, a->weights) : a->weights;
    options->record = a->output ? a->record : !a->no_record;
    options->names = names[a->names];
    options->sync = a->sync;
    options->no_source_copy = a->no_source_copy;
    options->threads = (unsigned)a->threads;
}

static int convert_model(struct cli *c, const struct convert_args *a, webnn_context *context)
{
    o2w_convert_options options;
    o2w_conversion *conversion = NULL;
    convert_options_of(c, a, &options);
    o2w_status s = a->output ? o2w_convert_file(a->path, &options, &conversion, &c->error)
                             : o2w_convert_cached(a->path, &options, &conversion, &c->error);
    cli_time(c, "convert", (double)(system_clock_ns() - c->started) / 1e6);
    put_members(c, a->path, conversion);
    if (s != O2W_OK) {
        put_build(c, a, NULL, NULL, 0);
        return cli_failed(c);
    }
    cli_notes(c, o2w_conversion_diagnostics(conversion));
    print_result(c, a->path, conversion);
    int status =
        build(c, a, context, conversion) == O2W_OK ? cli_finish(c, "converted", 0) : cli_failed(c);
    o2w_conversion_free(conversion);
    return status;
}

static int run_convert(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct convert_args *a = args;
    webnn_context *context = NULL;
    (void)positionals;
    if (cli_check_backend(c, a->backend, a->model.dynamic_inputs) != O2W_OK ||
        open_backend(c, a, &context) != O2W_OK) {
        put_members(c, a->path, NULL);
        put_build(c, a, NULL, NULL, 0);
        return cli_failed(c);
    }
    int status = convert_model(c, a, context);
    webnn_context_free(context);
    return status;
}

const struct command command_convert = { .name = "convert",
                                         .summary = "one ONNX model to a WebNN graph",
                                         ROWS(convert_options),
                                         .args_size = sizeof(struct convert_args),
                                         .model = "--model",
                                         .run = run_convert };
