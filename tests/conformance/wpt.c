/* Conformance cases of the web platform tests: a small graph with inputs, outputs and a tolerance. Built
 * and run through the public interface. */
#include "api/objects.h"
#include "conformance.h"
#include "ort/ort.h"
#include "webnn/legalise.h"
#include "wpt_case.h"
#include "wpt_compare.h"
#include "wpt_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RULES = 256, NAME = 512 };

/* The worst share of a tolerance, per rule and dtype of the result: from the exact values where they are
 * known, else from the expected data. */
struct rule {
    char name[80];
    unsigned cases;
    double worst, stored; /* `stored`: from the expected data, always */
    bool exact;
    char where[NAME];
};

struct wpt_run {
    webnn_context *context;
    const struct limits *target; /* graphs are rewritten for it; NULL: they are not */
    bool audit;
    double most; /* share of the tolerance that float32 rules may use; 0: all of it */
    struct arena arena;
    struct tree exact; /* wpt-exact.json, for an audit */
    bool complete;     /* the engine has no limits of its own: nothing is skipped for them */
    bool as_model;     /* engine onnx: its graphs are also written as ONNX models and run */
    struct wpt_model model;
    const char *report_path;
    struct json_writer report;
    struct rule rules[MAX_RULES];
    size_t rule_count;
};

/* ---- running ---- */

static o2w_status make_tensor(struct wpt_case *c, const webnn_descriptor *d, webnn_tensor **out)
{
    const webnn_tensor_options both = { .size = sizeof both, .readable = true, .writable = true };
    if (c->tensor_count == sizeof c->tensors / sizeof *c->tensors)
        return wpt_refuse(c, "too many inputs and outputs");
    TRY(webnn_tensor_create(c->context, d, &both, out, &c->error));
    c->tensors[c->tensor_count++] = *out;
    return O2W_OK;
}

/* The values of a port as the operand that carries them has them, and back: uint64 has the bits of int64. */
static o2w_status carry(struct wpt_case *c, enum dtype to, struct tensor *t)
{
    struct tensor other;
    if (t->dtype == to)
        return O2W_OK;
    if (dtype_info(to)->bits == 64) {
        t->dtype = to;
        return O2W_OK;
    }
    TRY(tensor_new(&c->arena, to, t->dims, t->rank, &other));
    TRY(tensor_convert(t, &other));
    *t = other;
    return O2W_OK;
}

static o2w_status bind_input(struct wpt_case *c, const webnn_port *port, webnn_tensor **out)
{
    const struct tree *given = tree_get(tree_get(c->tree, "inputs"), port->name);
    struct tensor value;
    webnn_descriptor d;
    TRY(wpt_read_tensor(c, given, &value));
    TRY(carry(c, (enum dtype)port->descriptor.data_type, &value));
    wpt_descriptor(&value, &d);
    TRY(make_tensor(c, &d, out));
    return webnn_tensor_write(*out, value.data, (size_t)tensor_bytes(&value), &c->error);
}

/* The bytes of a tensor, in the arena. */
static o2w_status fetch(struct wpt_case *c, webnn_tensor *t, struct tensor *out)
{
    webnn_descriptor d;
    (void)webnn_tensor_descriptor(t, &d);
    TRY(tensor_new(&c->arena, (enum dtype)d.data_type, d.dims, d.rank, out));
    return webnn_tensor_read(t, out->data, (size_t)tensor_bytes(out), &c->error);
}

/* outputs in the order of the case. */
static o2w_status execute(struct wpt_case *c, struct tensor *outputs)
{
    webnn_named_tensor inputs[WPT_RESULTS], results[WPT_RESULTS];
    webnn_port port;
    size_t input_count = webnn_graph_input_count(c->graph);
    const struct tree *wanted = tree_get(c->tree, "outputs");
    if (input_count > WPT_RESULTS)
        return wpt_refuse(c, "too many inputs");
    for (size_t i = 0; i < input_count; i++) {
        (void)webnn_graph_input(c->graph, i, &port);
        inputs[i].name = port.name;
        TRY(bind_input(c, &port, &inputs[i].tensor));
    }
    for (size_t i = 0; webnn_graph_output(c->graph, i, &port); i++) {
        results[i].name = port.name;
        TRY(make_tensor(c, &port.descriptor, &results[i].tensor));
    }
    TRY(webnn_dispatch(c->context, c->graph, inputs, input_count, results, wanted->count,
                       &c->error));
    for (size_t i = 0; i < wanted->count; i++)
        for (size_t k = 0; k < wanted->count; k++)
            if (span_is(wanted->items[i].key, results[k].name)) {
                TRY(fetch(c, results[k].tensor, &outputs[i]));
                TRY(carry(c, graph_output_dtype(api_graph(c->graph), k), &outputs[i]));
            }
    return O2W_OK;
}

/* ---- judging ---- */

static struct rule *find_rule(struct wpt_run *run, const char *name)
{
    for (size_t i = 0; i < run->rule_count; i++)
        if (strcmp(run->rules[i].name, name) == 0)
            return &run->rules[i];
    if (run->rule_count == MAX_RULES)
        return &run->rules[MAX_RULES - 1];
    struct rule *rule = &run->rules[run->rule_count++];
    snprintf(rule->name, sizeof rule->name, "%s", name);
    return rule;
}

/* The exact value of an output; NULL: the expected data are as good. */
static const struct tree *exact_output(const struct wpt_run *run, const struct wpt_case *c,
                                       struct span output)
{
    const struct tree *cases = tree_get(&run->exact, "cases");
    const struct tree *found = tree_get(cases, c->name);
    for (size_t i = 0; found && i < found->count; i++)
        if (span_equal(found->items[i].key, output))
            return &found->items[i];
    return NULL;
}

struct shares {
    double stored, exact; /* of the tolerance, from the expected data and from the exact value */
    bool has_exact;
};

static void record(struct wpt_run *run, const struct wpt_case *c, enum dtype t,
                   const struct shares *s)
{
    const struct tree *operators = tree_get(c->tree, "operators");
    char name[80];
    snprintf(
        name, sizeof name, "%.*s %s",
        SPAN_ARG(operators->count > 1 ? SPAN("(graph)") : tree_text(&operators->items[0], "op")),
        dtype_name(t));
    struct rule *rule = find_rule(run, name);
    rule->cases++;
    rule->exact |= s->has_exact;
    rule->stored = s->stored > rule->stored ? s->stored : rule->stored;
    if (s->exact > rule->worst) {
        rule->worst = s->exact;
        snprintf(rule->where, sizeof rule->where, "%s", c->name);
    }
}

/* 4-bit results are compared as numbers: expected ones may lie just outside the range. */
static o2w_status as_numbers(struct wpt_case *c, const struct tree *t, const struct tensor *got,
                             struct tensor *numbers, struct tensor *want)
{
    const struct tree *data = tree_get(t, "data");
    TRY(tensor_new(&c->arena, DTYPE_INT32, got->dims, got->rank, numbers));
    TRY(tensor_new(&c->arena, DTYPE_INT32, got->dims, got->rank, want));
    for (uint64_t i = 0; i < tensor_count(got); i++) {
        int64_t value;
        if (!data || i >= data->count || !tree_i64(&data->items[i], &value))
            return wpt_refuse(c, "expected numbers are missing");
        tensor_put_i64(want, i, value);
        tensor_put_double(numbers, i, tensor_get_double(got, i));
    }
    return O2W_OK;
}

/* NULL when the output is right; else why not. */
static const char *judge_output(struct wpt_run *run, struct wpt_case *c, const struct tree *t,
                                const struct tensor *result)
{
    const struct tree *tolerance = tree_get(c->tree, "tolerance");
    const struct tree *exact = tree_get(c->tree, "bitExact");
    struct tensor want, numbers;
    const struct tensor *got = result;
    double allowed = 0;
    if (wpt_read_tensor(c, t, &want) != O2W_OK)
        return "the expected data cannot be read";
    if (got->dtype != want.dtype || got->rank != want.rank ||
        !dims_equal(got->dims, want.dims, want.rank))
        return "data type or shape differs";
    if (dtype_in(got->dtype, DTYPES_4BIT) && tree_get(t, "data")) {
        if (as_numbers(c, t, result, &numbers, &want) != O2W_OK)
            return "the expected data cannot be read";
        got = &numbers;
    }
    (void)tree_double(tree_get(tolerance, "value"), &allowed);
    enum wpt_metric metric = exact && exact->boolean                           ? WPT_BITS
                             : span_is(tree_text(tolerance, "metric"), "ATOL") ? WPT_ATOL
                                                                               : WPT_ULP;
    struct wpt_worst worst = wpt_distance(metric, got, &want);
    double unit = allowed > 0 ? allowed : 1;
    struct shares shares = { .stored = worst.distance / unit, .exact = worst.distance / unit };
    const struct tree *exact_value = exact_output(run, c, t->key);
    if (exact_value) {
        struct tensor value;
        if (wpt_read_tensor(c, exact_value, &value) != O2W_OK)
            return "the exact data cannot be read";
        shares.has_exact = true;
        shares.exact = wpt_distance(metric, got, &value).distance / unit;
    }
    record(run, c, result->dtype, &shares);
    if (worst.distance <= allowed)
        return NULL;
    return arena_printf(&c->arena,
                        "element %llu of '%.*s' is %.9g, must be %.9g: %g off, %g allowed",
                        (unsigned long long)worst.index, SPAN_ARG(t->key), worst.got, worst.want,
                        worst.distance, allowed);
}

static bool is_limit(const struct wpt_case *c)
{
    const o2w_diagnostic *first = o2w_error_item(c->error, 0);
    return first && strcmp(first->code, "op.limits") == 0;
}

/* NULL: passed. */
static const char *judge(struct wpt_run *run, struct wpt_case *c, const char **skip)
{
    const struct tree *wanted = tree_get(c->tree, "outputs");
    struct tensor outputs[WPT_RESULTS];
    o2w_status s = wpt_build(c);
    if (s == O2W_OK && run->target)
        s = wpt_legalise(c, run->target);
    if (run->target && s == O2W_UNSUPPORTED)
        return *skip = wpt_reason(c);
    if (s == O2W_OK)
        s = execute(c, outputs);
    if (s != O2W_OK && is_limit(c) && !run->complete)
        *skip = wpt_reason(c);
    if (s != O2W_OK)
        return wpt_reason(c);
    for (size_t i = 0; i < wanted->count; i++) {
        const char *why = judge_output(run, c, &wanted->items[i], &outputs[i]);
        if (why)
            return why;
    }
    return run->as_model ? wpt_model_differs(&run->model, c, outputs) : NULL;
}

static void tell(struct wpt_run *run, const char *name, const char *verdict, const char *why)
{
    if (!run->report_path)
        return;
    json_open(&run->report, '{');
    json_key(&run->report, "name");
    json_put_text(&run->report, name);
    json_key(&run->report, "verdict");
    json_put_text(&run->report, verdict);
    json_key(&run->report, "reason");
    json_put_text(&run->report, why);
    json_close(&run->report, '}');
}

static void conclude(struct wpt_run *run, const char *name, const char *why, const char *skip,
                     struct tally *t)
{
    tell(run, name, skip ? "skipped" : why ? "failed" : "passed", skip ? skip : why);
    if (skip)
        tally_skip(t, name, "%s", skip);
    else if (why)
        tally_fail(t, name, "%s", why);
    else
        tally_pass(t);
}

static void run_case(struct wpt_run *run, const struct tree *t, struct span file,
                     struct tally *tally)
{
    struct wpt_case *c = wpt_case_new(t, run->context, run->target == NULL);
    const char *why = NULL, *skip = wpt_skip_reason(t);
    char name[NAME];
    snprintf(name, sizeof name, "%.*s: %.*s", SPAN_ARG(file), SPAN_ARG(tree_text(t, "name")));
    c->name = name;
    if (!skip)
        why = judge(run, c, &skip);
    conclude(run, name, why, skip, tally);
    wpt_case_free(c);
}

static void run_file(struct wpt_run *run, const char *path, struct tally *tally)
{
    struct arena arena;
    struct diags diags;
    struct tree root;
    const char *name = strrchr(path, '/');
    arena_init(&arena, NULL);
    diags_init(&diags, NULL);
    if (tree_read(path, &arena, &diags, &root) != O2W_OK || !tree_get(&root, "tests"))
        tally_fail(tally, path, "%s", diags_text(&diags, &arena));
    else
        for (size_t i = 0; i < tree_get(&root, "tests")->count; i++)
            run_case(run, &tree_get(&root, "tests")->items[i], span_of(name ? name + 1 : path),
                     tally);
    diags_free(&diags);
    arena_free(&arena);
}

static void print_audit(const struct wpt_run *run)
{
    printf("share of the tolerance used, worst case per operator and dtype:\n");
    for (size_t i = 0; i < run->rule_count; i++) {
        const struct rule *rule = &run->rules[i];
        printf("%6.3f  %-32s %4u cases  %s", rule->worst, rule->name, rule->cases, rule->where);
        if (rule->exact)
            printf(" (from exact values; %.3f from the expected data)", rule->stored);
        printf("\n");
    }
}

/* Float32 rules that use more of their tolerance than they may are failures. */
static void judge_audit(const struct wpt_run *run, struct tally *t)
{
    for (size_t i = 0; run->most > 0 && i < run->rule_count; i++) {
        const struct rule *rule = &run->rules[i];
        const char *dtype = strrchr(rule->name, ' ');
        if (dtype && strcmp(dtype, " float32") == 0 && !(rule->worst <= run->most))
            tally_fail(t, rule->name, "%.3f of the tolerance, %.3f may be used: %s", rule->worst,
                       run->most, rule->where);
    }
}

static bool read_exact(struct wpt_run *run)
{
    struct diags diags;
    diags_init(&diags, NULL);
    bool good =
        tree_read(O2W_TEST_DATA "/wpt-exact.json", &run->arena, &diags, &run->exact) == O2W_OK;
    if (!good)
        fputs(diags_text(&diags, &run->arena), stderr);
    diags_free(&diags);
    return good;
}

/* An engine that is not here is one skip. */
static bool open_engine(struct wpt_run *run, const char *name, struct tally *t)
{
    const webnn_context_options options = { .size = sizeof options, .backend = name, .threads = 2 };
    o2w_error *error = NULL;
    o2w_status s = webnn_context_create(&options, &run->context, &error);
    const o2w_diagnostic *first = o2w_error_item(error, 0);
    bool is_away = first && strcmp(first->code, "backend.unavailable") == 0;
    if (is_away)
        tally_skip(t, name, "%s", first->message);
    else if (s != O2W_OK)
        fputs(o2w_error_text(error), stderr);
    o2w_error_free(error);
    return s == O2W_OK || is_away;
}

static void begin_report(struct wpt_run *run, const char *engine)
{
    json_writer_init(&run->report, NULL, 1);
    json_open(&run->report, '{');
    json_key(&run->report, "engine");
    json_put_text(&run->report, engine);
    json_key(&run->report, "cases");
    json_open(&run->report, '[');
}

static void report_audit(struct wpt_run *run)
{
    json_key(&run->report, "audit");
    json_open(&run->report, '[');
    for (size_t i = 0; i < run->rule_count; i++) {
        const struct rule *rule = &run->rules[i];
        json_open(&run->report, '{');
        json_key(&run->report, "rule");
        json_put_text(&run->report, rule->name);
        json_key(&run->report, "cases");
        json_put_u64(&run->report, rule->cases);
        json_key(&run->report, "share");
        json_put_double(&run->report, rule->worst);
        json_key(&run->report, "fromExpectedData");
        json_put_double(&run->report, rule->stored);
        json_key(&run->report, "worst");
        json_put_text(&run->report, rule->where);
        json_close(&run->report, '}');
    }
    json_close(&run->report, ']');
}

/* Writes the report; a file that cannot be written is a failure of its own. */
static void end_report(struct wpt_run *run, struct tally *t)
{
    json_close(&run->report, ']');
    report_audit(run);
    json_key(&run->report, "passed");
    json_put_u64(&run->report, t->passed);
    json_key(&run->report, "failed");
    json_put_u64(&run->report, t->failed);
    json_key(&run->report, "skipped");
    json_put_u64(&run->report, t->skipped);
    json_close(&run->report, '}');
    if (!write_report(&run->report, run->report_path))
        tally_fail(t, run->report_path, "the report cannot be written");
    json_writer_free(&run->report);
}

static const struct limits *find_target(const char *name)
{
    static struct limits limits;
    static struct arena arena;
    arena_init(&arena, NULL);
    if (limits_of_target(name, &arena, NULL, &limits) != O2W_OK) {
        fprintf(stderr, "no target '%s'\n", name);
        exit(2);
    }
    return &limits;
}

/* The first argument that is no option; -1: wrong usage. */
static int take_options_of_run(struct wpt_run *run, int count, char **arguments,
                               const char **engine)
{
    int i = 0;
    for (; i < count && arguments[i][0] == '-'; i++) {
        if (strcmp(arguments[i], "--audit") == 0)
            run->audit = true;
        else if (strcmp(arguments[i], "--most") == 0 && i + 1 < count)
            run->most = strtod(arguments[++i], NULL);
        else if (strcmp(arguments[i], "--as-model") == 0)
            run->as_model = true;
        else if (strcmp(arguments[i], "--models") == 0 && i + 1 < count)
            run->model.folder = arguments[++i];
        else if (strcmp(arguments[i], "--engine") == 0 && i + 1 < count)
            *engine = arguments[++i];
        else if (strcmp(arguments[i], "--target") == 0 && i + 1 < count)
            run->target = find_target(arguments[++i]);
        else if (strcmp(arguments[i], "--report") == 0 && i + 1 < count)
            run->report_path = arguments[++i];
        else
            return -1;
    }
    return i < count ? i : -1;
}

static void run_path(struct wpt_run *run, const char *path, struct tally *tally)
{
    struct arena arena;
    size_t files;
    arena_init(&arena, NULL);
    char **paths = list_files(path, "json", &arena, &files);
    if (files == 0)
        tally_fail(tally, path, "no cases there");
    for (size_t i = 0; i < files; i++)
        run_file(run, paths[i], tally);
    arena_free(&arena);
}

static bool run_wpt(int count, char **arguments, struct tally *tally)
{
    static struct wpt_run run;
    const char *engine = "cpu";
    int first = take_options_of_run(&run, count, arguments, &engine);
    arena_init(&run.arena, NULL);
    if (first < 0 || (run.audit && !read_exact(&run)) || !open_engine(&run, engine, tally))
        return false;
    if (!run.context) {
        arena_free(&run.arena);
        return true;
    }
    if (run.as_model && ort_open(NULL, &run.model.ort) != O2W_OK)
        return false;
    run.complete = strcmp(engine, "cpu") == 0;
    if (run.report_path)
        begin_report(&run, engine);
    for (; first < count; first++)
        run_path(&run, arguments[first], tally);
    webnn_context_free(run.context);
    if (run.audit)
        print_audit(&run);
    judge_audit(&run, tally);
    if (run.report_path)
        end_report(&run, tally);
    arena_free(&run.arena);
    return true;
}

const struct case_kind wpt_kind = {
    "wpt",
    "[--engine NAME] [--as-model [--models FOLDER]] [--target NAME] [--report FILE.json] "
    "[--audit [--most SHARE]] PATH…",
    run_wpt
};
