#include "cli/engine_options.h"
#include "cli/model_options.h"

#include "base/number.h"
#include "base/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_args {
    struct common_args common;
    struct model_args model;
    const char *backend, *output, *weights, *print;
    struct engine_args engine;
    struct text_list inputs;
    uint64_t seed, repeat, warmup;
    bool reference;
};

enum { PRINTED = 8, MOST_REPEATS = 1000000 };

static const struct option_row run_options[] = {
    OPT_NAME(struct run_args, backend, "backend", "NAME", .excludes = "reference",
             .help = "the engine, 'cpu' without it"),
    OPT_SWITCH(struct run_args, reference, "reference",
               .help = "run a model unconverted in native ONNX Runtime, as it is by default"),
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
    ENGINE_OPTIONS(struct run_args, engine),
    COMMON_PROGRESS(struct run_args),
    COMMON_OPTIONS(struct run_args),
    COMMON_JSON(struct run_args),
};

/* --- one output --------------------------------------------------------------------------------------- */

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

static void put_head(struct json_writer *w, const o2w_tensor_view *t)
{
    json_key(w, "name");
    json_put_text(w, t->name);
    json_key(w, "dataType");
    json_put_text(w, t->type);
    json_key(w, "shape");
    json_open(w, '[');
    for (uint32_t i = 0; i < t->rank; i++)
        json_put_i64(w, t->dims[i]);
    json_close(w, ']');
}

static void put_inputs(struct json_writer *w, const o2w_tensors *tensors)
{
    o2w_tensor_view t;
    json_key(w, "inputs");
    json_open(w, '[');
    for (size_t i = 0; o2w_tensors_at(tensors, i, &t); i++) {
        json_open(w, '{');
        put_head(w, &t);
        json_close(w, '}');
    }
    json_close(w, ']');
}

/* Least, greatest, mean; NaN where there is one, or no element. */
static void show_summary(struct cli *c, const o2w_tensor_view *t, const o2w_tensor_summary *s)
{
    char least[O2W_ELEMENT_TEXT] = "NaN", most[O2W_ELEMENT_TEXT] = "NaN", mean[NUMBER_TEXT];
    if (s->count && !s->has_nan) {
        o2w_tensor_text(t, s->least, least);
        o2w_tensor_text(t, s->most, most);
    }
    json_key(&c->json, "min");
    put_element(&c->json, least);
    json_key(&c->json, "max");
    put_element(&c->json, most);
    json_key(&c->json, "mean");
    json_put_double(&c->json, s->mean);
    number_print_general(s->mean, 9, mean);
    cli_print(c, " min %s max %s mean %s", least, most, mean);
}

static void show_values(struct cli *c, const o2w_run *run, size_t output, const o2w_tensor_view *t,
                        uint64_t count)
{
    char text[O2W_ELEMENT_TEXT];
    bool texts = strcmp(t->type, "string") == 0, labels = o2w_run_has_labels(run, output);
    cli_print(c, " values");
    json_key(&c->json, "first");
    json_open(&c->json, '[');
    for (uint64_t i = 0; i < count; i++) {
        o2w_tensor_text(t, i, text);
        if (texts)
            json_put_text(&c->json, text);
        else
            put_element(&c->json, text);
        cli_print(c, " %s", text);
    }
    json_close(&c->json, ']');
    if (labels)
        cli_print(c, " labels");
    for (uint64_t i = 0; labels && i < count; i++) {
        const char *label = o2w_run_label(run, output, i);
        cli_print(c, " %s", label ? label : "?");
    }
}

static void print_shape(struct cli *c, const o2w_tensor_view *t)
{
    cli_print(c, "%s %s [", t->name, t->type);
    for (uint32_t i = 0; i < t->rank; i++)
        cli_print(c, "%s%lld", i ? ", " : "", (long long)t->dims[i]);
    cli_print(c, "]");
}

static uint64_t element_count(const o2w_tensor_view *t)
{
    uint64_t count = t->data ? 1 : 0;
    for (uint32_t i = 0; i < t->rank; i++)
        count *= (uint64_t)t->dims[i];
    return count;
}

static void show_output(struct cli *c, const o2w_run *run, size_t output, const o2w_tensor_view *t,
                        uint64_t limit)
{
    o2w_tensor_summary summary;
    uint64_t count = element_count(t);
    json_open(&c->json, '{');
    put_head(&c->json, t);
    print_shape(c, t);
    if (o2w_tensor_summarize(t, &summary))
        show_summary(c, t, &summary);
    show_values(c, run, output, t, count < limit ? count : limit);
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
    o2w_tensor_view t;
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
    for (size_t i = 0; o2w_tensors_at(o2w_run_outputs(run), i, &t); i++)
        show_output(c, run, i, &t, limit);
    json_close(&c->json, ']');
    show_times(c, run);
}

static o2w_status read_inputs(struct cli *c, const struct run_args *a, o2w_tensors **out)
{
    TRY(o2w_tensors_create(&c->environment, out, &c->error));
    for (size_t i = 0; i < a->inputs.count; i++)
        TRY(o2w_tensors_read(*out, a->inputs.items[i], &c->error));
    return O2W_OK;
}

static void fill_options(struct cli *c, const struct run_args *a, o2w_convert_options *convert,
                         o2w_run_options *o)
{
    model_options(&a->model, c, convert);
    *o = (o2w_run_options){ .size = sizeof *o,
                            .backend = a->backend,
                            .backend_options = a->engine.options.items,
                            .backend_option_count = a->engine.options.count,
                            .require_backend = a->engine.require,
                            .reference = a->reference,
                            .threads = (unsigned)a->engine.threads,
                            .weights = cli_absolute(c, a->weights),
                            .convert = convert,
                            .seed = a->seed,
                            .repeat = (uint32_t)a->repeat,
                            .warmup = (uint32_t)a->warmup,
                            .output = a->output,
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
    o2w_status s = O2W_OK;
    if (a->output)
        s = o2w_tensors_write(o2w_run_outputs(run), a->output, &c->error);
    int status = s == O2W_OK ? cli_finish(c, "ran", 0) : cli_failed(c);
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
    CLI_TRY(c, cli_check_backend(c, a->backend, a->model.dynamic_inputs));
    int status = read_inputs(c, a, &feeds) == O2W_OK
                     ? run_with(c, a, positionals->items[0], feeds, limit)
                     : cli_failed(c);
    o2w_tensors_free(feeds);
    return status;
}

const struct command command_run = { .name = "run",
                                     .summary = "a graph or a model on an engine",
                                     ROWS(run_options),
                                     .args_size = sizeof(struct run_args),
                                     .positional = "FILE",
                                     .positional_max = 1,
                                     .opens_engine = true,
                                     .run = run_run };
