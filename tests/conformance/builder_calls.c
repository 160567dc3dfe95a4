/* Recorded builder calls: what was accepted is accepted here and gives the same descriptors; what
 * was refused is refused. Standard limits, no empty tensors. */
#include "attributes.h"
#include "conformance.h"
#include "webnn/builder.h"

#include <stdio.h>
#include <string.h>

enum { MAX_OPERANDS = 16, MAX_RESULTS = 64, NAME = 512 };

/* What only the recording browser refuses. */
static const struct {
    const char *reason, *why;
} browser_only[] = {
    { "exceeds the size limit 2147483647", "its limit of bytes per tensor" },
    { "The maximum rank of an operand is 8", "its limit of ranks" },
    { "stride is larger than the slice size", "the standard has no such rule" },
};

/* What cannot be said here. */
static const struct {
    const char *reason, *why;
} unsaid[] = {
    { "Context is lost", "a builder over limits has no context to lose" },
};

/* One call on a builder of its own. */
struct call {
    const struct tree *tree;
    struct arena arena;
    struct diags diags;
    struct builder builder;
    struct descriptor results[MAX_RESULTS];
    uint32_t result_count;
    unsigned inputs; /* made so far */
    char name[NAME];
};

static bool contains(struct span text, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= text.size; i++)
        if (memcmp(text.data + i, part, n) == 0)
            return true;
    return false;
}

static o2w_status refuse(struct call *c, const char *why)
{
    return diag_error(&c->diags, DIAG_OP_INVALID, "%s", why);
}

static o2w_status descriptor_of(struct call *c, const struct tree *t, struct descriptor *out)
{
    const struct tree *shape = tree_get(t, "shape");
    *out = (struct descriptor){ .rank = 0 };
    if (!dtype_by_name(tree_text(t, "dataType"), &out->dtype) ||
        !dtype_in(out->dtype, DTYPES_WEBNN))
        return refuse(c, "no such data type");
    if (shape == NULL || shape->kind != JSON_ARRAY || shape->count > MAX_RANK)
        return refuse(c, "no shape");
    for (size_t i = 0; i < shape->count; i++) {
        double d;
        if (!tree_double(&shape->items[i], &d) || !(d >= 0 && d < 4294967296.0))
            return refuse(c, "a dimension is no unsigned long");
        out->dims[out->rank++] = (dim)d;
    }
    return O2W_OK;
}

static o2w_status new_operand(struct call *c, const struct tree *t, operand_id *id)
{
    static const struct webnn_number zero = { .kind = WEBNN_NUMBER_INT };
    const struct tree *constant = tree_get(t, "constant"), *foreign = tree_get(t, "foreign");
    struct descriptor d;
    char name[32];
    TRY(descriptor_of(c, t, &d));
    if (foreign != NULL && foreign->boolean) {
        *id = UINT32_MAX - 1; /* no builder has that many */
        return O2W_OK;
    }
    if (constant != NULL && constant->boolean)
        return builder_constant_fill(&c->builder, &d, zero, id);
    snprintf(name, sizeof name, "in%u", c->inputs++);
    return builder_input(&c->builder, span_of(name), &d, id);
}

/* ---- operators ---- */

struct arguments {
    operand_id operands[MAX_OPERANDS];
    uint32_t operand_count;
    void *attributes;
    bool complete;
};

static o2w_status take_list(struct call *c, const struct tree *argument, struct arguments *args)
{
    const struct tree *list = tree_get(argument, "operands");
    if (list == NULL || list->count > MAX_OPERANDS)
        return refuse(c, "no list of operands");
    for (size_t i = 0; i < list->count; i++)
        TRY(new_operand(c, &list->items[i], &args->operands[args->operand_count++]));
    return O2W_OK;
}

static o2w_status take_operand(struct call *c, const struct tree *argument, operand_id *id)
{
    const struct tree *operand = tree_get(argument, "operand");
    return operand == NULL ? refuse(c, "no operand") : new_operand(c, operand, id);
}

static uint32_t slot_by_name(const struct operator_row *row, struct span name)
{
    uint32_t i = 0;
    while (i < row->operand_count && !span_is(name, row->operands[i].name))
        i++;
    return i;
}

/* Members of the options; unknown ones do not exist for the interface language. */
static o2w_status take_options(struct call *c, const struct operator_row *row,
                               const struct tree *options, struct arguments *args)
{
    if (options->kind != JSON_OBJECT)
        return refuse(c, "options are no object");
    for (size_t i = 0; i < options->count; i++) {
        const struct tree *member = &options->items[i];
        const struct attribute_row *a = attribute_by_name(row, member->key);
        uint32_t slot = slot_by_name(row, member->key);
        if (slot < row->operand_count) {
            TRY(take_operand(c, member, &args->operands[slot]));
            args->operand_count = slot >= args->operand_count ? slot + 1 : args->operand_count;
        } else if (a != NULL && a->position == 0 && member->kind != JSON_NULL) {
            const char *why = attribute_from_tree(a, args->attributes, member, &c->arena);
            if (why != NULL)
                return refuse(c, why);
        }
    }
    return O2W_OK;
}

static o2w_status take_arguments(struct call *c, const struct operator_row *row,
                                 struct arguments *args)
{
    const struct tree *list = tree_get(c->tree, "args");
    size_t next = 0;
    for (uint32_t i = 0; i < MAX_OPERANDS; i++)
        args->operands[i] = NO_ID;
    args->attributes = arena_alloc(&c->arena, row->attribute_size, 16);
    if (row->defaults != NULL)
        memcpy(args->attributes, row->defaults, row->attribute_size);
    for (uint32_t i = 0; i < row->operand_count && !row->operands[i].named; i++) {
        if (next == list->count)
            return refuse(c, "an operand is missing");
        if (row->operands[i].kind == SLOT_VARIADIC)
            TRY(take_list(c, &list->items[next++], args));
        else
            TRY(take_operand(c, &list->items[next++], &args->operands[args->operand_count++]));
    }
    const struct attribute_row *a;
    for (uint32_t position = 1; (a = attribute_at_position(row, position)) != NULL; position++) {
        if (next == list->count)
            return O2W_OK; /* not complete: the builder must say so */
        const char *why = attribute_from_tree(a, args->attributes, &list->items[next++], &c->arena);
        if (why != NULL)
            return refuse(c, why);
    }
    args->complete = true;
    return next < list->count ? take_options(c, row, &list->items[next], args) : O2W_OK;
}

static o2w_status call_operator(struct call *c, enum webnn_operator kind)
{
    struct arguments args = { .operand_count = 0 };
    operand_id results[MAX_RESULTS];
    uint32_t count = MAX_RESULTS;
    TRY(take_arguments(c, operator_row(kind), &args));
    TRY(builder_op(&c->builder, kind, args.operands, args.operand_count,
                   args.complete ? args.attributes : NULL, span_of("label"), results, &count));
    c->result_count = count;
    for (uint32_t i = 0; i < count; i++)
        graph_descriptor(c->builder.graph, results[i], &c->results[i]);
    return O2W_OK;
}

/* ---- inputs and constants ---- */

static o2w_status call_input(struct call *c)
{
    const struct tree *list = tree_get(c->tree, "args");
    struct descriptor d;
    operand_id id;
    TRY(descriptor_of(c, &list->items[1], &d));
    TRY(builder_input(&c->builder, list->items[0].text, &d, &id));
    graph_descriptor(c->builder.graph, id, &c->results[0]);
    c->result_count = 1;
    return O2W_OK;
}

static o2w_status call_constant(struct call *c)
{
    const struct tree *list = tree_get(c->tree, "args"),
                      *length = tree_get(&list->items[1], "byteLength");
    struct descriptor d;
    uint64_t bytes;
    operand_id id;
    TRY(descriptor_of(c, &list->items[0], &d));
    if (length == NULL || !tree_u64(length, &bytes))
        return diag_error(&c->diags, DIAG_INTERNAL, "the recording has no byteLength");
    void *data = arena_alloc(&c->arena, (size_t)bytes, 16);
    TRY(builder_constant_bytes(&c->builder, &d, data, (size_t)bytes, false, &id));
    graph_descriptor(c->builder.graph, id, &c->results[0]);
    c->result_count = 1;
    return O2W_OK;
}

/* Ends the builder with a graph of one identity. */
static o2w_status finish_builder(struct call *c)
{
    const struct descriptor d = { .dtype = DTYPE_FLOAT32 };
    operand_id x, y;
    struct graph *graph;
    uint32_t count = 1;
    TRY(builder_input(&c->builder, SPAN("x"), &d, &x));
    TRY(builder_op(&c->builder, WEBNN_IDENTITY, &x, 1, NULL, SPAN(""), &y, &count));
    TRY(builder_output(&c->builder, SPAN("y"), y));
    TRY(builder_build(&c->builder, &graph));
    graph_free(graph);
    return O2W_OK;
}

/* ---- verdicts ---- */

static o2w_status make_call(struct call *c)
{
    enum webnn_operator kind;
    struct span op = tree_text(c->tree, "op");
    if (span_is(op, "input"))
        return call_input(c);
    if (span_is(op, "constant"))
        return call_constant(c);
    if (!operator_by_name(op, &kind))
        return diag_error(&c->diags, DIAG_OP_UNKNOWN, "no operator of that name");
    return call_operator(c, kind);
}

static const char *newest_message(const struct call *c)
{
    return c->diags.newest == NULL ? "no message" : c->diags.newest->message;
}

static bool results_equal(struct call *c, const struct tree *expected)
{
    if (expected->count != c->result_count)
        return false;
    for (uint32_t i = 0; i < c->result_count; i++) {
        struct descriptor d;
        const struct descriptor *have = &c->results[i];
        if (descriptor_of(c, &expected->items[i], &d) != O2W_OK || d.dtype != have->dtype ||
            d.rank != have->rank || !dims_equal(d.dims, have->dims, d.rank))
            return false;
    }
    return true;
}

static void judge_accepted(struct call *c, const struct tree *result, o2w_status status,
                           struct tally *t)
{
    if (status != O2W_OK)
        tally_fail(t, c->name, "refused: %s", newest_message(c));
    else if (!results_equal(c, result))
        tally_fail(t, c->name, "another result");
    else
        tally_pass(t);
}

static void judge_refused(struct call *c, o2w_status status, struct tally *t)
{
    struct span thrown = tree_text(c->tree, "throws"), reason = tree_text(c->tree, "reason");
    for (size_t i = 0; i < sizeof browser_only / sizeof *browser_only; i++)
        if (contains(reason, browser_only[i].reason)) {
            if (status == O2W_OK)
                tally_pass(t);
            else
                tally_fail(t, c->name, "refused (%s), though it is %s", newest_message(c),
                           browser_only[i].why);
            return;
        }
    o2w_status expected =
        span_is(thrown, "InvalidStateError") ? O2W_INVALID_STATE : O2W_INVALID_ARGUMENT;
    if (status == expected)
        tally_pass(t);
    else if (status == O2W_OK)
        tally_fail(t, c->name, "accepted, must be refused: %.*s", SPAN_ARG(reason));
    else
        tally_fail(t, c->name, "%s (%s), must be %s", o2w_status_text(status), newest_message(c),
                   o2w_status_text(expected));
}

static void run_call(const struct tree *tree, const char *file, size_t index,
                     const struct limits *limits, struct tally *t)
{
    struct call c = { .tree = tree };
    const struct tree *result = tree_get(tree, "result");
    struct span reason = tree_text(tree, "reason"), from = tree_text(tree, "from");
    snprintf(c.name, sizeof c.name, "%s[%zu] %.*s", file, index, SPAN_ARG(from));
    for (size_t i = 0; i < sizeof unsaid / sizeof *unsaid; i++)
        if (contains(reason, unsaid[i].reason)) {
            tally_skip(t, c.name, "%s", unsaid[i].why);
            return;
        }
    arena_init(&c.arena, NULL);
    diags_init(&c.diags, NULL);
    if (builder_init(&c.builder, limits, NULL, &c.diags) != O2W_OK) {
        tally_fail(t, c.name, "no builder");
    } else {
        bool finished = contains(reason, "has already built a graph");
        o2w_status status = finished ? finish_builder(&c) : O2W_OK;
        if (status == O2W_OK)
            status = make_call(&c);
        if (result != NULL)
            judge_accepted(&c, result, status, t);
        else
            judge_refused(&c, status, t);
        builder_free(&c.builder);
    }
    diags_free(&c.diags);
    arena_free(&c.arena);
}

static void run_file(const char *path, const struct limits *limits, struct tally *t)
{
    struct arena arena;
    struct diags diags;
    struct tree tree;
    struct span name = path_name(span_of(path));
    arena_init(&arena, NULL);
    diags_init(&diags, NULL);
    const struct tree *calls =
        tree_read(path, &arena, &diags, &tree) == O2W_OK ? tree_get(&tree, "calls") : NULL;
    if (calls == NULL)
        tally_fail(t, path, "%s", diags.newest == NULL ? "no calls" : diags.newest->message);
    for (size_t i = 0; calls != NULL && i < calls->count; i++)
        run_call(&calls->items[i], (const char *)name.data, i, limits, t);
    diags_free(&diags);
    arena_free(&arena);
}

static bool run(int count, char **arguments, struct tally *t)
{
    static struct limits limits;
    struct arena arena;
    limits_standard(&limits);
    arena_init(&arena, NULL);
    for (int i = 0; i < count; i++) {
        size_t files;
        char **paths = list_files(arguments[i], "json", &arena, &files);
        if (files == 0)
            tally_fail(t, arguments[i], "no recorded calls there");
        for (size_t k = 0; k < files; k++)
            run_file(paths[k], &limits, t);
    }
    arena_free(&arena);
    return count > 0;
}

const struct case_kind builder_calls_kind = { "builder-calls", "FILE-OR-FOLDER…", run };
