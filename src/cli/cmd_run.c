#include "cli/model_options.h"

#include "base/error.h"
#include "base/number.h"
#include "base/system.h"
#include "cli/run_files.h"
#include "validate/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_args {
    struct common_args common;
    struct model_args model;
    const char *backend, *output, *weights, *print;
    struct pair_list backend_options;
    struct text_list inputs;
    uint64_t seed, repeat, warmup, threads;
    bool reference, require_backend;
};

enum { PRINTED = 8, MOST_REPEATS = 1000000 };

static const struct option_row run_options[] = {
    OPT_TEXT(struct run_args, backend, "backend", "NAME", .excludes = "reference",
             .help = "the engine, 'cpu' without it"),
    OPT_SWITCH(struct run_args, reference, "reference",
               .help = "run a model unconverted in native ONNX Runtime"),
    OPT_(struct run_args, inputs, "input", OPTION_TEXTS, .letter = 'i', .metavar = "SPEC",
         .help = "FILE.safetensors, NAME=FILE.npy, or a folder of NAME.npy"),
    OPT_TEXT(struct run_args, output, "output", "SPEC", .letter = 'o',
             .help = "FILE.safetensors, or a folder for NAME.npy"),
    OPT_NUMBER(struct run_args, seed, "seed", 1, UINT64_MAX,
               .help = "random feeds instead of deterministic ones"),
    OPT_TEXT(struct run_args, weights, "weights", "PATH", .help = "weights archive of the graph"),
    MODEL_OPTIONS(struct run_args),
    OPT_NUMBER(struct run_args, repeat, "repeat", 1, MOST_REPEATS, .help = "timed runs"),
    OPT_NUMBER(struct run_args, warmup, "warmup", 0, MOST_REPEATS,
               .help = "runs before the timed ones"),
    OPT_TEXT(struct run_args, print, "print", "N",
             .help = "values printed per output, 8 without it"),
    OPT_(struct run_args, backend_options, "backend-option", OPTION_PAIRS,
         .help = "option of the engine"),
    OPT_SWITCH(struct run_args, require_backend, "require-backend",
               .help = "refuse a build that leaves nodes to another provider"),
    OPT_NUMBER(struct run_args, threads, "threads", 1, 1024, .help = "worker threads"),
    COMMON_PROGRESS(struct run_args),
    COMMON_OPTIONS(struct run_args),
    COMMON_JSON(struct run_args),
};

/* --- one output --------------------------------------------------------------------------------------- */

struct summary {
    char least[ELEMENT_TEXT], most[ELEMENT_TEXT];
    double mean;
    uint64_t count;
};

static bool is_less(const struct tensor *t, uint64_t a, uint64_t b)
{
    if (dtype_is_float(t->dtype))
        return tensor_get_double(t, a) < tensor_get_double(t, b);
    if (dtype_is_signed(t->dtype) || t->dtype == DTYPE_BOOL)
        return tensor_get_i64(t, a) < tensor_get_i64(t, b);
    return tensor_get_u64(t, a) < tensor_get_u64(t, b);
}

/* A NaN is the least, the most and the mean of what it is in. */
static void summarize(const struct tensor *t, struct summary *s)
{
    uint64_t least = 0, most = 0;
    double sum = 0;
    bool nan = false;
    *s = (struct summary){ .least = "NaN", .most = "NaN", .count = tensor_count(t), .mean = NAN };
    for (uint64_t i = 0; i < s->count; i++) {
        double v = tensor_get_double(t, i);
        nan |= isnan(v);
        sum += v;
        least = is_less(t, i, least) ? i : least;
        most = is_less(t, most, i) ? i : most;
    }
    if (!s->count || nan)
        return;
    s->mean = sum / (double)s->count;
    element_text(t, least, s->least);
    element_text(t, most, s->most);
}

/* A number of the document; what JSON has no number for, or readers would round, as a string. */
static void put_element(struct json_writer *w, const char *text)
{
    double v;
    bool number = number_parse_double(span_of(text), &v) == O2W_OK;
    if (number && (strpbrk(text, ".e") || (v < 0x1p53 && v > -0x1p53)))
        json_put_raw(w, span_of(text));
    else
        json_put_text(w, text);
}

static void put_shape(struct json_writer *w, const struct tensor *t)
{
    json_key(w, "shape");
    json_open(w, '[');
    for (uint32_t i = 0; i < t->rank; i++)
        json_put_i64(w, t->dims[i]);
    json_close(w, ']');
}

static void put_head(struct json_writer *w, const struct named_tensor *n)
{
    json_key(w, "name");
    json_put_text(w, n->name);
    json_key(w, "dataType");
    json_put_text(w, n->type);
    put_shape(w, &n->tensor);
}

static void put_inputs(struct json_writer *w, const o2w_tensors *t)
{
    json_key(w, "inputs");
    json_open(w, '[');
    for (size_t i = 0; i < t->items.count; i++) {
        json_open(w, '{');
        put_head(w, &t->items.items[i]);
        json_close(w, '}');
    }
    json_close(w, ']');
}

/* Class names: of the values of an integer output, of the columns of scores. */
static void print_labels(struct cli *c, const o2w_run *run, size_t output, uint64_t count)
{
    const struct named_tensor *n = &o2w_run_outputs(run)->items.items[output];
    size_t labels = o2w_run_label_count(run, output);
    if (!labels)
        return;
    cli_print(c, " labels");
    for (uint64_t i = 0; i < count; i++) {
        size_t at = dtype_is_float(n->tensor.dtype) ? (size_t)(i % labels)
                                                    : (size_t)tensor_get_i64(&n->tensor, i);
        const char *label = o2w_run_label(run, output, at);
        cli_print(c, " %s", label ? label : "?");
    }
}

static void show_numbers(struct cli *c, const o2w_run *run, size_t output, uint64_t limit)
{
    const struct named_tensor *n = &o2w_run_outputs(run)->items.items[output];
    struct summary s;
    char text[ELEMENT_TEXT];
    summarize(&n->tensor, &s);
    uint64_t count = s.count < limit ? s.count : limit;
    json_key(&c->json, "min");
    put_element(&c->json, s.least);
    json_key(&c->json, "max");
    put_element(&c->json, s.most);
    json_key(&c->json, "mean");
    json_put_double(&c->json, s.mean);
    number_print_general(s.mean, 9, text);
    cli_print(c, " min %s max %s mean %s values", s.least, s.most, text);
    json_key(&c->json, "first");
    json_open(&c->json, '[');
    for (uint64_t i = 0; i < count; i++) {
        element_text(&n->tensor, i, text);
        put_element(&c->json, text);
        cli_print(c, " %s", text);
    }
    json_close(&c->json, ']');
    print_labels(c, run, output, count);
}

/* Strings of a reference. */
static void show_texts(struct cli *c, const struct named_tensor *n, uint64_t limit)
{
    const char *const *texts = n->tensor.data;
    uint64_t count = tensor_count(&n->tensor);
    json_key(&c->json, "first");
    json_open(&c->json, '[');
    cli_print(c, " values");
    for (uint64_t i = 0; i < count && i < limit; i++) {
        json_put_text(&c->json, texts[i]);
        cli_print(c, " %s", texts[i]);
    }
    json_close(&c->json, ']');
}

static void show_output(struct cli *c, const o2w_run *run, size_t output, uint64_t limit)
{
    const struct named_tensor *n = &o2w_run_outputs(run)->items.items[output];
    char shape[200];
    dims_text(n->tensor.dims, n->tensor.rank, shape, sizeof shape);
    json_open(&c->json, '{');
    put_head(&c->json, n);
    cli_print(c, "%s %s %s", n->name, n->type, n->tensor.dtype == DTYPE_COUNT ? "-" : shape);
    if (n->tensor.dtype == DTYPE_STRING)
        show_texts(c, n, limit);
    else if (n->tensor.dtype != DTYPE_COUNT)
        show_numbers(c, run, output, limit);
    cli_print(c, "\n");
    json_close(&c->json, '}');
}

/* --- times -------------------------------------------------------------------------------------------- */

static int compare_ms(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void put_ms(struct json_writer *w, const char *key, double ms)
{
    json_key(w, key);
    json_put_double(w, ms);
}

static void show_times(struct cli *c, const o2w_run *run)
{
    size_t count = o2w_run_count(run);
    double *ms = ARENA_ARRAY(&c->arena, count + 1, double);
    json_key(&c->json, "runsMs");
    json_open(&c->json, '[');
    for (size_t i = 0; ms && i < count; i++) {
        ms[i] = o2w_run_ms(run, i);
        json_put_double(&c->json, ms[i]);
    }
    json_close(&c->json, ']');
    if (!ms || !count)
        return;
    qsort(ms, count, sizeof *ms, compare_ms);
    double median = (ms[(count - 1) / 2] + ms[count / 2]) / 2,
           p95 = ms[(count * 95 + 99) / 100 - 1];
    double first = o2w_run_stage_ms(run, "first");
    json_key(&c->json, "stats");
    json_open(&c->json, '{');
    put_ms(&c->json, "first", first);
    put_ms(&c->json, "median", median);
    put_ms(&c->json, "p95", p95);
    put_ms(&c->json, "min", ms[0]);
    json_close(&c->json, '}');
    if (count > 1)
        cli_print(c,
                  "time: load %.3f ms, compile %.3f ms, first %.3f ms, median %.3f ms, p95 %.3f "
                  "ms, min %.3f ms (%zu runs)\n",
                  o2w_run_stage_ms(run, "load"), o2w_run_stage_ms(run, "compile"), first, median,
                  p95, ms[0], count);
    cli_time(c, "load", o2w_run_stage_ms(run, "load"));
    cli_time(c, "compile", o2w_run_stage_ms(run, "compile"));
}

/* --- the command -------------------------------------------------------------------------------------- */

static void show(struct cli *c, const struct run_args *a, const char *file, const o2w_run *run,
                 uint64_t limit)
{
    const o2w_tensors *outputs = o2w_run_outputs(run);
    for (size_t i = 0; i < o2w_run_made_count(run); i++)
        cli_say(c, "input '%s': %s feed\n", o2w_run_made(run, i),
                a->seed ? "random" : "deterministic");
    json_key(&c->json, "file");
    json_put_text(&c->json, file);
    json_key(&c->json, "backend");
    json_put_text(&c->json, o2w_run_backend(run));
    put_inputs(&c->json, o2w_run_inputs(run));
    json_key(&c->json, "outputs");
    json_open(&c->json, '[');
    for (size_t i = 0; i < outputs->items.count; i++)
        show_output(c, run, i, limit);
    json_close(&c->json, ']');
    show_times(c, run);
}

static o2w_status read_inputs(struct cli *c, const struct run_args *a, o2w_tensors **out)
{
    struct diags d;
    diags_init(&d, NULL);
    d.stage = "feed";
    o2w_status s = run_read_inputs(&a->inputs, &d, out);
    s = error_from_diags(&d, s, &c->error);
    diags_free(&d);
    return s;
}

static o2w_status write_outputs(struct cli *c, const struct run_args *a, const o2w_run *run)
{
    struct diags d;
    diags_init(&d, NULL);
    d.stage = "write";
    o2w_status s = a->output ? run_write_outputs(o2w_run_outputs(run), a->output, &d) : O2W_OK;
    s = error_from_diags(&d, s, &c->error);
    diags_free(&d);
    return s;
}

static void fill_options(struct cli *c, const struct run_args *a, o2w_convert_options *convert,
                         o2w_run_options *o)
{
    model_options(&a->model, c, convert);
    *o = (o2w_run_options){ .size = sizeof *o,
                            .backend = a->backend,
                            .backend_options = a->backend_options.items,
                            .backend_option_count = a->backend_options.count,
                            .require_backend = a->require_backend,
                            .reference = a->reference,
                            .threads = (unsigned)a->threads,
                            .weights = a->weights,
                            .convert = convert,
                            .seed = a->seed,
                            .repeat = (uint32_t)a->repeat,
                            .warmup = (uint32_t)a->warmup,
                            .environment = &c->environment };
}

static int run_with(struct cli *c, const struct run_args *a, const char *file, o2w_tensors *feeds,
                    uint64_t limit)
{
    o2w_convert_options convert;
    o2w_run_options options;
    o2w_run *run = NULL;
    fill_options(c, a, &convert, &options);
    options.feeds = feeds;
    if (o2w_run_file(file, &options, &run, &c->error) != O2W_OK)
        return cli_failed(c);
    cli_notes(c, o2w_run_diagnostics(run));
    show(c, a, file, run, limit);
    int status = write_outputs(c, a, run) == O2W_OK ? cli_finish(c, "ran", 0) : cli_failed(c);
    o2w_run_free(run);
    return status;
}

static int run_run(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct run_args *a = args;
    o2w_tensors *feeds = NULL;
    uint64_t limit = PRINTED;
    if (a->print && number_parse_u64(span_of(a->print), &limit) != O2W_OK)
        return cli_usage(c, NULL, "option '--print' is '%s', must be an integer", a->print);
    if (a->backend && !webnn_backend_find(a->backend))
        return cli_usage(c, "'onnx2webnn backends' lists them",
                         "option '--backend' is '%s', no backend has this name", a->backend);
    CLI_TRY(c, read_inputs(c, a, &feeds));
    int status = run_with(c, a, positionals->items[0], feeds, limit);
    o2w_tensors_free(feeds);
    return status;
}

const struct command command_run = { .name = "run",
                                     .summary = "a graph or a model on an engine",
                                     ROWS(run_options),
                                     .args_size = sizeof(struct run_args),
                                     .positional = "FILE",
                                     .positional_max = 1,
                                     .run = run_run };
