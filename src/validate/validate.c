/* The stages of a validation in their order. */
#include "validate/validation.h"

#include "base/log.h"
#include "validate/outputs.h"
#include "validate/ticker.h"

#include <math.h>
#include <string.h>

/* --- stages ------------------------------------------------------------------------------------------- */

/* Names the stage, asks the caller whether to go on, runs it, counts its time. */
static o2w_status run_stage(struct validation *v, const char *stage,
                            o2w_status (*run)(struct validation *))
{
    uint64_t begun = system_clock_ns();
    v->diags->stage = stage;
    if (progress_poll(v->environment, stage, 0, 0) != O2W_OK)
        return diag_error(v->diags, DIAG_INTERRUPTED, "cancelled by the caller");
    o2w_status s = run(v);
    report_time(v->report, stage, begun);
    return s;
}

static o2w_status map(struct validation *v)
{
    TRY(stage_pin(v));
    return port_map_make(&v->source, api_graph(v->graph), v->diags, &v->map);
}

static o2w_status build(struct validation *v)
{
    TRY(api_graph_compile(v->context, v->graph, v->diags));
    v->report->placed = webnn_graph_placement(v->graph, &v->report->on_backend, &v->report->nodes);
    return O2W_OK;
}

/* --- tolerances ---------------------------------------------------------------------------------------- */

static bool is_distance(double v)
{
    return v >= 0 && !isinf(v);
}

static o2w_status set_tolerances(struct validation *v)
{
    struct tolerances *t = &v->report->tolerances;
    nbits_scan(v->source.model, &v->report->nbits);
    tolerances_init(t, v->report->nbits.profile);
    for (size_t i = 0; i < v->options->tolerance_count; i++) {
        const o2w_tolerance *given = &v->options->tolerances[i];
        enum dtype id;
        if (!dtype_by_name(span_of(given->data_type), &id) || id == DTYPE_BOOL ||
            dtype_info(id)->class == DTYPE_CLASS_OTHER)
            return diag_error(v->diags, DIAG_USAGE,
                              "option '--tolerance': '%s' is no type of numbers", given->data_type);
        if (!is_distance(given->absolute) || !is_distance(given->relative))
            return diag_error(v->diags, DIAG_USAGE,
                              "option '--tolerance': the values of '%s' must be finite and not "
                              "negative",
                              given->data_type);
        t->by_dtype[id] = (struct tolerance){ given->absolute, given->relative };
        t->custom[id] = t->any_custom = true;
    }
    return O2W_OK;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static o2w_status fill(struct validation *v, uint64_t seed)
{
    const struct graph *g = api_graph(v->graph);
    TRY(source_fill(&v->source, seed, v->diags));
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct source_input *in = &v->source.inputs[v->map.inputs[i].source];
        struct tensor t = source_tensor(in);
        TRY(ports_feed(&v->ports, g, i, in->feed.name, &t, in->feed.rule == FEED_ARCHIVE,
                       v->diags));
    }
    return O2W_OK;
}

static bool is_adjusted(const struct validation *v)
{
    return v->report->nbits.accurate && !v->options->strict_reference;
}

/* The reference of this run, and with adjusted ones the model as published. Sessions go as soon as
 * no further run needs them: they and the engine need not hold the weights together. */
static o2w_status reference(struct validation *v, bool last)
{
    const struct reference_options o = { .threads = v->options->threads,
                                         .optimization = v->options->reference_optimization,
                                         .environment = v->environment };
    reference_result_free(&v->result);
    reference_result_free(&v->published_result);
    if (!v->reference.session)
        TRY(is_adjusted(v) ? reference_open_adjusted(&v->source, &v->report->nbits, &o, v->diags,
                                                     &v->reference)
                           : reference_open(&v->source, &o, v->diags, &v->reference));
    TRY(reference_run(&v->reference, &v->source, v->diags, &v->result));
    if (last)
        reference_close(&v->reference);
    if (!is_adjusted(v))
        return O2W_OK;
    if (!v->published.session)
        TRY(reference_open(&v->source, &o, v->diags, &v->published));
    TRY(reference_run(&v->published, &v->source, v->diags, &v->published_result));
    if (last)
        reference_close(&v->published);
    return O2W_OK;
}

static o2w_status dispatch(struct validation *v)
{
    struct ticker ticker;
    TRY(ports_outputs(&v->ports, api_graph(v->graph), v->diags));
    TRY(ticker_begin(&ticker, v->environment, "dispatch", v->diags));
    o2w_status s = api_dispatch(v->context, v->graph, v->ports.inputs, v->ports.outputs,
                                &ticker.cancel, v->diags);
    ticker_end(&ticker);
    return s;
}

static struct judged judged_of(struct validation *v, const struct reference_result *r)
{
    return (struct judged){ .source = &v->source,
                            .graph = api_graph(v->graph),
                            .map = &v->map,
                            .outputs = v->ports.outputs,
                            .reference = r,
                            .tolerances = &v->report->tolerances,
                            .arena = &v->report->arena };
}

/* The feeds of the run as the report shows them. */
static o2w_status describe_inputs(struct validation *v, struct report_run *run)
{
    struct arena *a = &v->report->arena;
    run->inputs = ARENA_ARRAY(a, v->source.input_count, struct report_input);
    if (!run->inputs)
        return diag_memory(v->diags);
    for (size_t i = 0; i < v->source.input_count; i++) {
        const struct source_input *in = &v->source.inputs[i];
        char word[FEED_WORD];
        uint32_t port = v->map.input_of[i];
        if (in->initialized && !in->kept)
            continue;
        struct report_input *to = &run->inputs[run->input_count++];
        *to = (struct report_input){ .dtype = in->feed.dtype,
                                     .rank = in->feed.rank,
                                     .rule = in->feed.rule,
                                     .pin = in->feed.pin,
                                     .vocabulary = in->feed.vocabulary,
                                     .pinned = in->pinned,
                                     .pruned = !in->pinned && port == NO_PORT };
        memcpy(to->dims, in->feed.dims, sizeof to->dims);
        to->name = arena_text(a, span_of(in->feed.name));
        to->word = arena_text(a, span_of(feed_word(&in->feed, run->seed, word)));
        if (port != NO_PORT)
            to->graph_name = arena_text(a, v->map.inputs[port].name);
        if (!to->name || !to->word || (port != NO_PORT && !to->graph_name))
            return diag_memory(v->diags);
        run->fed += port != NO_PORT;
    }
    return O2W_OK;
}

static o2w_status compare(struct validation *v, struct report_run *run)
{
    struct judged judged = judged_of(v, &v->result);
    TRY(judge_outputs(&judged, v->diags, run));
    if (!is_adjusted(v))
        return O2W_OK;
    judged.reference = &v->published_result;
    return judge_published(&judged, v->diags, run);
}

static o2w_status run_reference(struct validation *v, bool last)
{
    uint64_t begun = system_clock_ns();
    v->diags->stage = "reference";
    o2w_status s = reference(v, last);
    struct judged judged = judged_of(v, &v->result);
    if (s == O2W_OK)
        s = judge_missing(&judged, v->diags);
    report_time(v->report, "reference", begun);
    return s;
}

static o2w_status one_run(struct validation *v, uint64_t seed, bool last)
{
    struct report_run *run = &v->report->runs[v->report->run_count];
    *run = (struct report_run){ .seed = seed };
    v->diags->stage = "feed";
    TRY(fill(v, seed));
    TRY(describe_inputs(v, run));
    if (v->options->save_feeds)
        TRY(save_feeds(v, v->options->save_feeds, seed));
    TRY(run_reference(v, last));
    TRY(run_stage(v, "dispatch", dispatch));
    uint64_t begun = system_clock_ns();
    v->diags->stage = "compare";
    TRY(compare(v, run));
    report_time(v->report, "compare", begun);
    if (v->options->save_outputs)
        TRY(save_outputs(v, v->options->save_outputs, seed));
    v->report->run_count++;
    return O2W_OK;
}

static o2w_status all_runs(struct validation *v)
{
    size_t count = v->options->seed_count;
    v->report->runs = ARENA_ARRAY(&v->report->arena, count + 1, struct report_run);
    if (!v->report->runs)
        return diag_memory(v->diags);
    v->report->with_seeds = count > 0;
    TRY(one_run(v, 0, count == 0));
    for (size_t i = 0; i < count; i++)
        TRY(one_run(v, v->options->seeds[i], i + 1 == count));
    return O2W_OK;
}

/* --- verdict ------------------------------------------------------------------------------------------ */

static bool output_failed(const o2w_report *r, size_t output)
{
    for (size_t i = 0; i < r->run_count; i++)
        if (r->runs[i].outputs[output].kind != MISMATCH_NONE)
            return true;
    return false;
}

/* An input that the graph lacks for no known reason: the graph may have been pinned. */
static const char *unexplained_input(const struct validation *v)
{
    const struct graph *g = api_graph(v->graph);
    const struct report_run *run = &v->report->runs[0];
    if (v->has_record || g->pins.count)
        return NULL;
    for (size_t i = 0; i < run->input_count; i++)
        if (run->inputs[i].pruned)
            return run->inputs[i].name;
    return NULL;
}

static void add_hints(struct validation *v)
{
    const char *pruned = unexplained_input(v), *text = NULL;
    const o2w_report *r = v->report;
    struct arena *a = &v->arena;
    if (pruned)
        text = arena_printf(a, "'%s' is not in the graph: was it pinned? --pin-input %s=…; ",
                            pruned, pruned);
    if (r->tolerances.any_custom)
        text = arena_printf(a, "%scustom tolerances were in use; ", text ? text : "");
    if (r->placed && r->on_backend != r->nodes)
        text = arena_printf(a, "%s%llu of %llu nodes ran elsewhere than on %s; ", text ? text : "",
                            (unsigned long long)(r->nodes - r->on_backend),
                            (unsigned long long)r->nodes, r->backend);
    diag_hint(v->diags, "%s--save-outputs DIR keeps the values of both sides", text ? text : "");
}

static o2w_status report_mismatch(struct validation *v)
{
    const struct report_run *run = &v->report->runs[0];
    struct arena_string names = { .arena = &v->arena };
    char levels[120];
    size_t failed = 0;
    for (size_t i = 0; i < run->output_count; i++)
        if (output_failed(v->report, i)) {
            failed++;
            arena_string_add(&names, "%s'%s'", names.size ? ", " : "", run->outputs[i].name);
        }
    v->report->passed = failed == 0;
    if (!failed)
        return O2W_OK;
    (void)diag_error(v->diags, DIAG_COMPARE_MISMATCH,
                     "%zu of %zu outputs differ from the reference: %s", failed, run->compared,
                     arena_string_text(&names) ? arena_string_text(&names) : "");
    add_hints(v);
    if (v->options->strict_reference && v->report->nbits.accurate) {
        nbits_levels_text(&v->report->nbits, levels, sizeof levels);
        diag_line(
            v->diags, "note",
            "accuracy_level %s in %llu node%s: the runtime may use int8 activations, parity is "
            "not assured",
            levels, (unsigned long long)v->report->nbits.accurate,
            v->report->nbits.accurate == 1 ? "" : "s");
    }
    return O2W_OK;
}

/* --- entry -------------------------------------------------------------------------------------------- */

static o2w_status check_options(const struct validation *v)
{
    const o2w_validate_options *o = v->options;
    for (size_t i = 0; i < o->seed_count; i++)
        if (!o->seeds[i])
            return diag_error(v->diags, DIAG_USAGE,
                              "option '--seed' is 0, which is the deterministic run");
    if (o->seed_count && o->input)
        return diag_error(v->diags, DIAG_USAGE,
                          "options '--seed' and '--input' exclude each other");
    return O2W_OK;
}

static o2w_status read_stages(struct validation *v, const char *onnx, const char *webnn)
{
    uint64_t begun = system_clock_ns();
    v->diags->stage = "read";
    TRY(stage_read(v, onnx, webnn));
    report_time(v->report, "read", begun);
    TRY(run_stage(v, "reload", stage_reload));
    TRY(run_stage(v, "read", stage_check));
    return check_kept(v);
}

static o2w_status validate(struct validation *v, const char *onnx, const char *webnn)
{
    TRY(check_options(v));
    TRY(run_stage(v, "preflight", stage_preflight));
    TRY(read_stages(v, onnx, webnn));
    TRY(set_tolerances(v));
    TRY(run_stage(v, "map", map));
    TRY(run_stage(v, "feed", stage_feed));
    TRY(ports_init(&v->ports, api_graph(v->graph), &v->arena, v->diags));
    TRY(run_stage(v, "build", build));
    v->report->optimization = v->options->reference_optimization;
    v->report->adjusted = is_adjusted(v);
    v->report->strict = v->options->strict_reference;
    TRY(all_runs(v));
    TRY(report_mismatch(v));
    TRY(report_print_text(v->report, v->diags));
    return report_print_json(v->report, v->diags);
}

static void release(struct validation *v)
{
    reference_result_free(&v->result);
    reference_result_free(&v->published_result);
    reference_close(&v->reference);
    reference_close(&v->published);
    ports_free(&v->ports);
    webnn_graph_free(v->graph);
    webnn_context_free(v->context);
    o2w_tensors_free(v->given);
    if (v->source.allocator)
        source_close(&v->source);
    arena_free(&v->arena);
}

static const o2w_validate_options no_options = { .size = sizeof no_options };

o2w_status o2w_validate(const char *onnx, const char *webnn, const o2w_validate_options *options,
                        o2w_report **out, o2w_error **error)
{
    struct diags d;
    struct validation v = { .options = options ? options : &no_options, .diags = &d };
    v.environment = v.options->environment;
    v.allocator = environment_allocator(v.environment);
    diags_init(&d, v.allocator);
    arena_init(&v.arena, v.allocator);
    o2w_status s = report_create(v.environment, &d, &v.report);
    if (s == O2W_OK)
        s = validate(&v, onnx, webnn);
    if (s == O2W_OK && d.count)
        (void)error_from_diags(&d, v.report->passed ? O2W_UNSUPPORTED : O2W_MISMATCH,
                               &v.report->diagnostics);
    s = error_from_diags(&d, s, error);
    release(&v);
    if (s == O2W_OK)
        *out = v.report;
    else
        o2w_report_free(v.report);
    diags_free(&d);
    return s;
}
