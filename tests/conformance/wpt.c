/* Conformance cases of the web platform tests: a small graph with inputs, outputs and a tolerance. */
#include "backend/backend.h"
#include "conformance.h"
#include "webnn/legalise.h"
#include "wpt_case.h"
#include "wpt_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RULES = 256, NAME = 512 };

/* The worst share of a tolerance, per rule and dtype of the result. */
struct rule {
    char name[80];
    unsigned cases;
    double worst;
    char where[NAME];
};

struct wpt_run {
    const struct backend *backend;
    struct engine *engine;
    struct limits limits;
    const struct limits *target; /* graphs are rewritten for it; NULL: they are not */
    bool audit;
    struct rule rules[MAX_RULES];
    size_t rule_count;
};

/* ---- running ---- */

static o2w_status bind(struct wpt_case *c, struct binding *inputs, struct binding *outputs)
{
    const struct graph *g = c->graph;
    for (size_t i = 0; i < g->inputs.count; i++) {
        struct span name = names_text(&g->names, graph_operand(g, g->inputs.items[i])->identifier);
        const struct tree *all = tree_get(c->tree, "inputs");
        for (size_t k = 0; k < all->count; k++)
            if (span_equal(all->items[k].key, name))
                TRY(wpt_read_tensor(c, &all->items[k], &inputs[i].tensor));
    }
    for (size_t i = 0; i < g->outputs.count; i++) {
        struct descriptor d;
        graph_descriptor(g, g->outputs.items[i].operand, &d);
        TRY(tensor_new(&c->arena, d.dtype, d.dims, d.rank, &outputs[i].tensor));
    }
    return O2W_OK;
}

static o2w_status execute(struct wpt_run *run, struct wpt_case *c, struct binding *outputs)
{
    struct binding *inputs = ARENA_ARRAY(&c->arena, c->graph->inputs.count, struct binding);
    struct compiled *compiled;
    TRY(bind(c, inputs, outputs));
    TRY(run->backend->compile(run->engine, c->graph, &c->diags, &compiled));
    o2w_status s = run->backend->dispatch(compiled, inputs, outputs, NULL, &c->diags);
    run->backend->release(compiled);
    return s;
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

static void record(struct wpt_run *run, const struct wpt_case *c, enum dtype t, double share)
{
    const struct tree *operators = tree_get(c->tree, "operators");
    char name[80];
    snprintf(
        name, sizeof name, "%.*s %s",
        SPAN_ARG(operators->count > 1 ? SPAN("(graph)") : tree_text(&operators->items[0], "op")),
        dtype_name(t));
    struct rule *rule = find_rule(run, name);
    rule->cases++;
    if (share > rule->worst) {
        rule->worst = share;
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
    record(run, c, result->dtype, allowed > 0 ? worst.distance / allowed : worst.distance);
    if (worst.distance <= allowed)
        return NULL;
    return arena_printf(&c->arena,
                        "element %llu of '%.*s' is %.9g, must be %.9g: %g off, %g allowed",
                        (unsigned long long)worst.index, SPAN_ARG(t->key), worst.got, worst.want,
                        worst.distance, allowed);
}

static void judge(struct wpt_run *run, struct wpt_case *c, struct tally *t)
{
    const struct tree *wanted = tree_get(c->tree, "outputs");
    struct binding outputs[WPT_RESULTS];
    o2w_status s = wpt_build(c);
    if (s == O2W_OK && run->target)
        s = graph_legalise(&c->graph, run->target, NULL, &c->diags);
    if (run->target && s == O2W_UNSUPPORTED) {
        tally_skip(t, c->name, "%s", diags_text(&c->diags, &c->arena));
        return;
    }
    if (s == O2W_OK)
        s = execute(run, c, outputs);
    if (s != O2W_OK) {
        tally_fail(t, c->name, "%s", diags_text(&c->diags, &c->arena));
        return;
    }
    for (size_t i = 0; i < wanted->count; i++) {
        const char *why = judge_output(run, c, &wanted->items[i], &outputs[i].tensor);
        if (!why)
            continue;
        tally_fail(t, c->name, "%s", why);
        return;
    }
    tally_pass(t);
}

static void run_case(struct wpt_run *run, const struct tree *t, struct span file,
                     struct tally *tally)
{
    struct wpt_case *c = calloc(1, sizeof *c);
    char name[NAME];
    if (!c)
        abort();
    snprintf(name, sizeof name, "%.*s: %.*s", SPAN_ARG(file), SPAN_ARG(tree_text(t, "name")));
    c->tree = t;
    c->name = name;
    arena_init(&c->arena, NULL);
    diags_init(&c->diags, NULL);
    const char *reason = wpt_skip_reason(t);
    if (reason)
        tally_skip(tally, name, "%s", reason);
    else if (builder_init(&c->builder, &run->limits, NULL, &c->diags) != O2W_OK)
        abort();
    else {
        judge(run, c, tally);
        graph_free(c->graph);
        builder_free(&c->builder);
    }
    diags_free(&c->diags);
    arena_free(&c->arena);
    free(c);
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
    for (size_t i = 0; i < run->rule_count; i++)
        printf("%6.3f  %-32s %4u cases  %s\n", run->rules[i].worst, run->rules[i].name,
               run->rules[i].cases, run->rules[i].where);
}

static bool open_engine(struct wpt_run *run, const char *name)
{
    struct backend_settings settings = { .threads = 2 };
    struct arena arena;
    struct diags d;
    bool alias;
    run->backend = backend_by_name(span_of(name), &alias);
    if (!run->backend) {
        fprintf(stderr, "no engine '%s'\n", name);
        return false;
    }
    arena_init(&arena, NULL);
    diags_init(&d, NULL);
    run->backend->limits(&run->limits);
    bool opened = run->backend->open(&settings, &d, &run->engine) == O2W_OK;
    if (!opened)
        fprintf(stderr, "%s", diags_text(&d, &arena));
    diags_free(&d);
    arena_free(&arena);
    return opened;
}

/* Lives as long as the program. */
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

static bool run_wpt(int count, char **arguments, struct tally *tally)
{
    static struct wpt_run run;
    const char *engine = "cpu";
    int first = 0;
    for (; first < count && arguments[first][0] == '-'; first++) {
        if (strcmp(arguments[first], "--audit") == 0)
            run.audit = true;
        else if (strcmp(arguments[first], "--engine") == 0 && first + 1 < count)
            engine = arguments[++first];
        else if (strcmp(arguments[first], "--target") == 0 && first + 1 < count)
            run.target = find_target(arguments[++first]);
        else
            return false;
    }
    if (first == count || !open_engine(&run, engine))
        return false;
    for (; first < count; first++) {
        struct arena arena;
        size_t files;
        arena_init(&arena, NULL);
        char **paths = list_files(arguments[first], "json", &arena, &files);
        if (files == 0)
            tally_fail(tally, arguments[first], "no cases there");
        for (size_t i = 0; i < files; i++)
            run_file(&run, paths[i], tally);
        arena_free(&arena);
    }
    run.backend->close(run.engine);
    if (run.audit)
        print_audit(&run);
    return true;
}

const struct case_kind wpt_kind = { "wpt", "[--engine NAME] [--target NAME] [--audit] PATH…",
                                    run_wpt };
