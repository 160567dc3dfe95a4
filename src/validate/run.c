/* A graph or a model on an engine, or a model on native ONNX Runtime; timed. */
#include "validate/run.h"

#include "base/error.h"
#include "base/log.h"
#include "base/number.h"
#include "convert/guard.h"
#include "onnx/tensor.h"
#include "validate/ticker.h"

#include <string.h>

enum { HEAD = 4096 };

static double ms_since(uint64_t begun)
{
    return (double)(system_clock_ns() - begun) / 1e6;
}

/* --- loading ------------------------------------------------------------------------------------------ */

static o2w_status find_kind(struct running *r, const char *path)
{
    struct file *f;
    uint8_t head[HEAD];
    TRY(file_open(path, r->allocator, r->diags, &f));
    size_t size = f->size < HEAD ? (size_t)f->size : HEAD;
    o2w_status s = file_read(f, 0, head, size, r->diags);
    file_release(f);
    TRY(s);
    r->is_graph = format_is_graph((struct span){ head, size });
    return O2W_OK;
}

/* Options that only a model has. */
static o2w_status check_options(const struct running *r)
{
    const char *option =
        r->options->reference ? "--reference" : convert_model_option(r->options->convert);
    if (!r->is_graph)
        return O2W_OK;
    return option ? diag_error(r->diags, DIAG_USAGE,
                               "option '%s' is for models, the file is a graph", option)
                  : O2W_OK;
}

static o2w_status load(struct running *r, const char *path)
{
    uint64_t begun = system_clock_ns();
    webnn_load_options options = { .size = sizeof options,
                                   .weights = r->options->weights,
                                   .environment = r->environment };
    r->diags->stage = "read";
    if (r->is_graph) {
        TRY(api_graph_load(path, &options, r->diags, &r->graph));
    } else {
        TRY(running_prepare(r, path));
        TRY(running_convert(r, path));
    }
    r->run->load_ms = ms_since(begun);
    return O2W_OK;
}

/* The name of output `i` to the outside; NULL when memory is out. */
static const char *output_name(struct running *r, size_t i)
{
    if (!r->graph)
        return r->source.outputs[i];
    const struct graph *g = api_graph(r->graph);
    name_id original = graph_operand(g, g->outputs.items[i].operand)->original;
    return arena_text(&r->arena,
                      names_text(&g->names, original ? original : g->outputs.items[i].name));
}

/* Nothing that is read is where results will be written. */
static o2w_status check_output(struct running *r, const char *path)
{
    const o2w_run_options *o = r->options;
    const struct graph *g = r->graph ? api_graph(r->graph) : NULL;
    const struct guard guard = { .model = r->source.model,
                                 .graph = g,
                                 .paths = { path, o->weights },
                                 .files = o->feeds ? o->feeds->files.items : NULL,
                                 .file_count = o->feeds ? o->feeds->files.count : 0 };
    if (!o->output)
        return O2W_OK;
    if (guard.model)
        TRY(onnx_model_open_external(r->source.model, r->diags));
    r->diags->stage = "write";
    for (size_t i = 0; i < (g ? g->outputs.count : r->source.output_count); i++) {
        const char *name = output_name(r, i);
        const char *file = name ? tensors_path(o->output, name, &r->arena) : NULL;
        TRY(file ? guard_check(&guard, file, r->diags) : diag_memory(r->diags));
    }
    return O2W_OK;
}

static o2w_status open_context(struct running *r)
{
    const o2w_run_options *o = r->options;
    struct backend_probe probe;
    webnn_context_options context = { .size = sizeof context,
                                      .backend = o->backend ? o->backend : "cpu",
                                      .threads = o->threads,
                                      .options = o->backend_options,
                                      .option_count = o->backend_option_count,
                                      .require_backend = o->require_backend,
                                      .environment = r->environment };
    r->diags->stage = "preflight";
    TRY(backend_open(&context, &r->run->arena, r->diags, &r->context, &probe));
    r->run->backend = r->context->backend->name;
    return O2W_OK;
}

static o2w_status compile(struct running *r)
{
    uint64_t begun = system_clock_ns();
    r->diags->stage = "build";
    TRY(api_graph_compile(r->context, r->graph, r->diags));
    r->run->compile_ms = ms_since(begun);
    return ports_init(&r->ports, api_graph(r->graph), &r->arena, r->diags);
}

/* --- running ------------------------------------------------------------------------------------------ */

/* One run of whatever is set up. */
struct work {
    struct running *running;
    o2w_status (*once)(struct work *w);
    struct reference *reference;
    struct reference_result *result;
    const _Atomic bool *cancel;
};

static o2w_status timed(struct work *w, double *ms)
{
    struct running *r = w->running;
    uint64_t begun = system_clock_ns();
    if (progress_poll(r->environment, "run", 0, 0) != O2W_OK)
        return diag_error(r->diags, DIAG_INTERRUPTED, "cancelled by the caller");
    TRY(w->once(w));
    *ms = ms_since(begun);
    return O2W_OK;
}

static o2w_status repeat(struct work *w)
{
    struct running *r = w->running;
    uint32_t count = r->options->repeat ? r->options->repeat : 1;
    double ms = 0;
    r->run->runs_ms = ARENA_ARRAY(&r->run->arena, count, double);
    if (!r->run->runs_ms)
        return diag_memory(r->diags);
    r->run->first_ms = -1;
    for (uint32_t i = 0; i < r->options->warmup; i++) {
        TRY(timed(w, &ms));
        r->run->first_ms = r->run->first_ms < 0 ? ms : r->run->first_ms;
    }
    for (uint32_t i = 0; i < count; i++)
        TRY(timed(w, &r->run->runs_ms[r->run->run_count++]));
    r->run->first_ms = r->run->first_ms < 0 ? r->run->runs_ms[0] : r->run->first_ms;
    return O2W_OK;
}

static o2w_status dispatch_once(struct work *w)
{
    struct running *r = w->running;
    return api_dispatch(r->context, r->graph, r->ports.inputs, r->ports.outputs, w->cancel,
                        r->diags);
}

static o2w_status dispatch_all(struct running *r)
{
    struct ticker ticker;
    struct work w = { .running = r, .once = dispatch_once };
    r->diags->stage = "dispatch";
    TRY(ports_outputs(&r->ports, api_graph(r->graph), r->diags));
    TRY(ticker_begin(&ticker, r->environment, "dispatch", r->diags));
    w.cancel = &ticker.cancel;
    o2w_status s = repeat(&w);
    ticker_end(&ticker);
    return s;
}

/* --- outputs ------------------------------------------------------------------------------------------ */

static o2w_status add_labels(struct running *r, size_t output)
{
    const struct graph *g = api_graph(r->graph);
    struct run_labels *to = &r->run->labels[output];
    for (size_t i = 0; i < g->labels.count; i++) {
        const struct graph_labels *l = &g->labels.items[i];
        if (l->operand != g->outputs.items[output].operand)
            continue;
        to->texts = ARENA_ARRAY(&r->run->arena, l->count, const char *);
        if (!to->texts)
            return diag_memory(r->diags);
        for (uint32_t k = 0; k < l->count; k++) {
            char number[NUMBER_TEXT];
            if (!l->strings)
                number_print_i64(l->integers[k], number);
            to->texts[k] = arena_text(
                &r->run->arena, l->strings ? names_text(&g->names, l->texts[k]) : span_of(number));
            if (!to->texts[k])
                return diag_memory(r->diags);
        }
        to->count = l->count;
    }
    return O2W_OK;
}

static o2w_status take_outputs(struct running *r)
{
    const struct graph *g = api_graph(r->graph);
    r->run->labels = ARENA_ARRAY(&r->run->arena, g->outputs.count, struct run_labels);
    if (!r->run->labels)
        return diag_memory(r->diags);
    for (size_t i = 0; i < g->outputs.count; i++) {
        const char *name = output_name(r, i);
        if (!name)
            return diag_memory(r->diags);
        TRY(tensors_add(r->run->outputs, name, &r->ports.outputs[i].tensor, true, r->diags));
        TRY(add_labels(r, i));
    }
    return O2W_OK;
}

static o2w_status run_on_engine(struct running *r, const char *path)
{
    TRY(open_context(r));
    TRY(find_kind(r, path));
    TRY(check_options(r));
    TRY(load(r, path));
    TRY(check_output(r, path));
    TRY(compile(r));
    TRY(r->is_graph ? running_feed_graph(r) : running_feed_model(r));
    TRY(dispatch_all(r));
    return take_outputs(r);
}

/* --- reference ---------------------------------------------------------------------------------------- */

static o2w_status reference_once(struct work *w)
{
    struct running *r = w->running;
    reference_result_free(w->result);
    return reference_run(w->reference, &r->source, r->diags, w->result);
}

static o2w_status list_made(struct running *r)
{
    for (size_t i = 0; i < r->source.input_count; i++) {
        const struct source_input *in = &r->source.inputs[i];
        if (!source_is_feedable(in) || in->feed.rule == FEED_ARCHIVE)
            continue;
        const char *name = arena_text(&r->run->arena, span_of(in->feed.name));
        if (!name || !VEC_PUSH(&r->run->made, name))
            return diag_memory(r->diags);
    }
    return O2W_OK;
}

static o2w_status run_session(struct running *r, struct reference *reference,
                              struct reference_result *result)
{
    const struct reference_options o = { .threads = r->options->threads,
                                         .native = true,
                                         .environment = r->environment };
    struct work w = {
        .running = r, .once = reference_once, .reference = reference, .result = result
    };
    uint64_t begun = system_clock_ns();
    r->diags->stage = "reference";
    TRY(reference_open(&r->source, &o, r->diags, reference));
    r->run->compile_ms = ms_since(begun);
    TRY(repeat(&w));
    o2w_tensors_free(r->run->inputs);
    r->run->inputs = NULL;
    TRY(given_from(&r->source, true, r->diags, &r->run->inputs));
    return reference_tensors(result, &r->source, r->diags, r->run->outputs);
}

static o2w_status run_natively(struct running *r, const char *path)
{
    const struct ort *ort;
    struct reference reference = { 0 };
    struct reference_result result = { 0 };
    uint64_t begun = system_clock_ns();
    r->diags->stage = "preflight";
    TRY(reference_probe(r->diags, &ort));
    TRY(find_kind(r, path));
    TRY(check_options(r));
    TRY(running_prepare(r, path));
    TRY(source_plan(&r->source, r->diags));
    TRY(source_fill(&r->source, r->options->seed, r->diags));
    TRY(list_made(r));
    TRY(check_output(r, path));
    r->run->load_ms = ms_since(begun);
    o2w_status s = run_session(r, &reference, &result);
    reference_result_free(&result);
    reference_close(&reference);
    return s;
}

/* --- the object --------------------------------------------------------------------------------------- */

static void release(struct running *r)
{
    ports_free(&r->ports);
    webnn_graph_free(r->graph);
    webnn_context_free(r->context);
    o2w_conversion_free(r->conversion);
    if (r->source.allocator)
        source_close(&r->source);
    arena_free(&r->arena);
}

static o2w_status run_create(struct running *r)
{
    o2w_run *run = mem_alloc(r->allocator, sizeof *run);
    if (!run)
        return diag_memory(r->diags);
    *run = (o2w_run){ .allocator = r->allocator, .made.allocator = r->allocator };
    arena_init(&run->arena, r->allocator);
    r->run = run;
    TRY(tensors_create(r->allocator, r->diags, &run->inputs));
    return tensors_create(r->allocator, r->diags, &run->outputs);
}

static const o2w_run_options no_options = { .size = sizeof no_options };

o2w_status o2w_run_file(const char *path, const o2w_run_options *options, o2w_run **out,
                        o2w_error **error)
{
    struct diags d;
    struct running r = { .options = options ? options : &no_options, .diags = &d };
    r.environment = r.options->environment;
    r.allocator = environment_allocator(r.environment);
    diags_init(&d, r.allocator);
    arena_init(&r.arena, r.allocator);
    o2w_status s = run_create(&r);
    if (s == O2W_OK)
        s = r.options->reference ? run_natively(&r, path) : run_on_engine(&r, path);
    if (s == O2W_OK && d.count)
        (void)error_from_diags(&d, O2W_UNSUPPORTED, &r.run->diagnostics);
    s = error_from_diags(&d, s, error);
    release(&r);
    if (s == O2W_OK)
        *out = r.run;
    else
        o2w_run_free(r.run);
    diags_free(&d);
    return s;
}

void o2w_run_free(o2w_run *run)
{
    if (!run)
        return;
    o2w_tensors_free(run->inputs);
    o2w_tensors_free(run->outputs);
    o2w_error_free(run->diagnostics);
    VEC_FREE(&run->made);
    arena_free(&run->arena);
    mem_free(run->allocator, run, sizeof *run);
}

const o2w_tensors *o2w_run_inputs(const o2w_run *run)
{
    return run->inputs;
}

const o2w_tensors *o2w_run_outputs(const o2w_run *run)
{
    return run->outputs;
}

size_t o2w_run_made_count(const o2w_run *run)
{
    return run->made.count;
}

const char *o2w_run_made(const o2w_run *run, size_t index)
{
    return index < run->made.count ? run->made.items[index] : NULL;
}

double o2w_run_stage_ms(const o2w_run *run, const char *stage)
{
    if (strcmp(stage, "load") == 0)
        return run->load_ms;
    return strcmp(stage, "compile") == 0 ? run->compile_ms : run->first_ms;
}

size_t o2w_run_count(const o2w_run *run)
{
    return run->run_count;
}

double o2w_run_ms(const o2w_run *run, size_t index)
{
    return index < run->run_count ? run->runs_ms[index] : 0;
}

const char *o2w_run_backend(const o2w_run *run)
{
    return run->backend;
}

bool o2w_run_has_labels(const o2w_run *run, size_t output)
{
    return run->labels && output < o2w_tensors_count(run->outputs) && run->labels[output].count;
}

const char *o2w_run_label(const o2w_run *run, size_t output, uint64_t element)
{
    if (!o2w_run_has_labels(run, output))
        return NULL;
    const struct run_labels *l = &run->labels[output];
    const struct tensor *t = &run->outputs->items.items[output].tensor;
    if (element >= tensor_count(t))
        return NULL;
    if (dtype_is_float(t->dtype))
        return l->texts[element % l->count];
    int64_t index = tensor_get_i64(t, element);
    return index >= 0 && (uint64_t)index < l->count ? l->texts[index] : NULL;
}

const o2w_error *o2w_run_diagnostics(const o2w_run *run)
{
    return run->diagnostics;
}
