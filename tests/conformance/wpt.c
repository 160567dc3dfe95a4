/* Conformance cases of the web platform tests: a small graph with inputs, outputs and a tolerance. */
#include "attributes.h"
#include "backend/backend.h"
#include "conformance.h"
#include "webnn/builder.h"
#include "wpt_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 128, MAX_OPERANDS = 64, MAX_RESULTS = 64, MAX_RULES = 256, NAME = 512 };

struct named {
    struct span name;
    operand_id id;
};

/* One case at work. */
struct wpt_case {
    const struct tree *tree;
    const char *name;
    struct arena arena;
    struct diags diags;
    struct builder builder;
    struct graph *graph;
    struct named names[MAX_NAMES];
    size_t name_count;
};

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
    bool audit;
    struct rule rules[MAX_RULES];
    size_t rule_count;
};

static o2w_status refuse(struct wpt_case *c, const char *why)
{
    return diag_error(&c->diags, DIAG_OP_INVALID, "the case: %s", why);
}

/* ---- data ---- */

static int hex_digit(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex_bytes(struct span hex, uint8_t *to, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(hex.data[2 * i]), low = hex_digit(hex.data[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        to[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}

/* The storage bytes: all of them, or one element that fills the shape. */
static o2w_status read_data(struct wpt_case *c, const struct tree *t, struct tensor *out)
{
    struct span hex = tree_text(t, "hex"), fill = tree_text(t, "hexFill");
    uint64_t size = tensor_bytes(out);
    uint8_t *bytes = out->data;
    if (hex.size == 2 * size && (size == 0 || hex_bytes(hex, bytes, size)))
        return O2W_OK;
    size_t element = dtype_info(out->dtype)->bits / 8;
    if (element == 0 || fill.size != 2 * element || !hex_bytes(fill, bytes, element))
        return refuse(c, "data that do not fit the shape");
    for (uint64_t i = element; i < size; i++)
        bytes[i] = bytes[i - element];
    return O2W_OK;
}

static o2w_status read_tensor(struct wpt_case *c, const struct tree *t, struct tensor *out)
{
    const struct tree *shape = tree_get(t, "shape");
    int64_t dims[MAX_RANK];
    enum dtype dtype;
    if (!dtype_by_name(tree_text(t, "dataType"), &dtype) || !shape || shape->count > MAX_RANK)
        return refuse(c, "no data type or shape");
    for (size_t i = 0; i < shape->count; i++)
        if (!tree_i64(&shape->items[i], &dims[i]))
            return refuse(c, "a dimension is no number");
    TRY(tensor_new(&c->arena, dtype, dims, (uint32_t)shape->count, out));
    return read_data(c, t, out);
}

/* ---- the graph ---- */

static o2w_status add_name(struct wpt_case *c, struct span name, operand_id id)
{
    if (c->name_count == MAX_NAMES)
        return refuse(c, "too many operands");
    c->names[c->name_count++] = (struct named){ name, id };
    return O2W_OK;
}

static o2w_status operand_of(struct wpt_case *c, struct span name, operand_id *id)
{
    for (size_t i = c->name_count; i-- > 0;) {
        if (!span_equal(c->names[i].name, name))
            continue;
        *id = c->names[i].id;
        return O2W_OK;
    }
    return refuse(c, "an operand that does not exist");
}

static o2w_status add_source(struct wpt_case *c, const struct tree *t)
{
    const struct tree *constant = tree_get(t, "constant");
    struct tensor value;
    operand_id id;
    TRY(read_tensor(c, t, &value));
    struct descriptor d = { .dtype = value.dtype, .rank = value.rank };
    memcpy(d.dims, value.dims, value.rank * sizeof *d.dims);
    if (constant && constant->boolean)
        TRY(builder_constant_bytes(&c->builder, &d, value.data, tensor_bytes(&value), false, &id));
    else
        TRY(builder_input(&c->builder, t->key, &d, &id));
    return add_name(c, t->key, id);
}

struct arguments {
    operand_id operands[MAX_OPERANDS];
    uint32_t operand_count;
    void *attributes;
};

static o2w_status add_operand(struct wpt_case *c, struct span name, struct arguments *args)
{
    if (args->operand_count == MAX_OPERANDS)
        return refuse(c, "too many arguments");
    return operand_of(c, name, &args->operands[args->operand_count++]);
}

static o2w_status add_attribute(struct wpt_case *c, const struct attribute_row *row,
                                const struct tree *value, struct arguments *args)
{
    const char *why =
        row ? attribute_from_tree(row, args->attributes, value, &c->arena) : "an unknown argument";
    return why ? refuse(c, why) : O2W_OK;
}

static o2w_status take_positional(struct wpt_case *c, const struct operator_row *row,
                                  const struct tree *list, struct arguments *args)
{
    uint32_t position = 1;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct tree *value = tree_get(&list->items[i], "value");
        const struct tree *operands = tree_get(value, "operands");
        if (tree_get(value, "operand"))
            TRY(add_operand(c, tree_text(value, "operand"), args));
        else if (operands)
            for (size_t k = 0; k < operands->count; k++)
                TRY(add_operand(c, operands->items[k].text, args));
        else
            TRY(add_attribute(c, attribute_at_position(row, position++), value, args));
    }
    return O2W_OK;
}

static o2w_status take_options(struct wpt_case *c, const struct operator_row *row,
                               const struct tree *options, struct arguments *args)
{
    for (size_t i = 0; options && i < options->count; i++) {
        const struct tree *member = &options->items[i];
        uint32_t slot = 0;
        while (slot < row->operand_count && !span_is(member->key, row->operands[slot].name))
            slot++;
        if (slot < row->operand_count) {
            TRY(operand_of(c, tree_text(member, "operand"), &args->operands[slot]));
            args->operand_count = slot >= args->operand_count ? slot + 1 : args->operand_count;
        } else if (!span_is(member->key, "label")) {
            TRY(add_attribute(c, attribute_by_name(row, member->key), member, args));
        }
    }
    return O2W_OK;
}

static o2w_status add_operator(struct wpt_case *c, const struct tree *t)
{
    enum webnn_operator kind;
    struct arguments args = { .operand_count = 0 };
    operand_id results[MAX_RESULTS];
    uint32_t count = MAX_RESULTS;
    const struct tree *outputs = tree_get(t, "outputs");
    if (!operator_by_name(tree_text(t, "op"), &kind) || !outputs)
        return refuse(c, "an unknown operator");
    const struct operator_row *row = operator_row(kind);
    for (uint32_t i = 0; i < MAX_OPERANDS; i++)
        args.operands[i] = NO_ID;
    args.attributes = arena_alloc(&c->arena, row->attribute_size + 1, 16);
    if (row->defaults)
        memcpy(args.attributes, row->defaults, row->attribute_size);
    TRY(take_positional(c, row, tree_get(t, "args"), &args));
    TRY(take_options(c, row, tree_get(t, "options"), &args));
    TRY(builder_op(&c->builder, kind, args.operands, args.operand_count, args.attributes, SPAN(""),
                   results, &count));
    if (outputs->kind == JSON_STRING)
        return add_name(c, outputs->text, results[0]);
    for (size_t i = 0; i < outputs->count && i < count; i++)
        TRY(add_name(c, outputs->items[i].text, results[i]));
    return O2W_OK;
}

static o2w_status build(struct wpt_case *c)
{
    const struct tree *inputs = tree_get(c->tree, "inputs");
    const struct tree *operators = tree_get(c->tree, "operators");
    const struct tree *outputs = tree_get(c->tree, "outputs");
    if (!inputs || !operators || !outputs)
        return refuse(c, "members are missing");
    for (size_t i = 0; i < inputs->count; i++)
        TRY(add_source(c, &inputs->items[i]));
    for (size_t i = 0; i < operators->count; i++)
        TRY(add_operator(c, &operators->items[i]));
    for (size_t i = 0; i < outputs->count; i++) {
        operand_id id = NO_ID;
        TRY(operand_of(c, outputs->items[i].key, &id));
        TRY(builder_output(&c->builder, outputs->items[i].key, id));
    }
    return builder_build(&c->builder, &c->graph);
}

/* ---- running ---- */

static o2w_status bind(struct wpt_case *c, struct binding *inputs, struct binding *outputs)
{
    const struct graph *g = c->graph;
    for (size_t i = 0; i < g->inputs.count; i++) {
        struct span name = names_text(&g->names, graph_operand(g, g->inputs.items[i])->identifier);
        const struct tree *all = tree_get(c->tree, "inputs");
        for (size_t k = 0; k < all->count; k++)
            if (span_equal(all->items[k].key, name))
                TRY(read_tensor(c, &all->items[k], &inputs[i].tensor));
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
            return refuse(c, "expected numbers are missing");
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
    if (read_tensor(c, t, &want) != O2W_OK)
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
    struct binding outputs[MAX_RESULTS];
    o2w_status s = build(c);
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

static bool is_marked(const struct tree *t, const char *mark)
{
    const struct tree *member = tree_get(t, mark);
    return member && (member->boolean || member->kind == JSON_STRING);
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
    if (is_marked(t, "badExpected"))
        tally_skip(tally, name, "the expected data are known to be wrong");
    else if (is_marked(t, "obsolete"))
        tally_skip(tally, name, "of an older standard");
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

const struct case_kind wpt_kind = { "wpt", "[--engine NAME] [--audit] PATH…", run_wpt };
