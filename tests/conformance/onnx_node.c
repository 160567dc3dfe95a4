/* Node cases of ONNX: a model, its inputs and outputs; converted, run, compared. */
#include "backend/backend.h"
#include "base/file.h"
#include "conformance.h"
#include "labelled.h"
#include "onnx/open.h"
#include "onnx/tensor.h"
#include "support/model_run.h"
#include "tree.h"
#include "wire/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum verdict { PASSED, REFUSED, FAILED };

struct onnx_run {
    const struct backend *backend;
    struct engine *engine;
    const char *folder;
    struct span expected; /* lines of "CASE REASON": cases that are known to fail */
    struct arena arena;
    struct json_writer report;
    struct refusal {
        char text[200];
        unsigned count;
    } refusals[256];
    size_t refusal_count;
};

/* One case at work. */
struct onnx_case {
    const struct tree *tree;
    const char *name, *folder;
    struct model_run run;
    struct arena arena;
    char why[600];
};

/* --- the files of a case ---------------------------------------------------------------------------- */

/* A TensorProto file as a tensor: read as the initializer of a model that only hands it out. */
static o2w_status read_tensor_file(struct onnx_case *c, const char *file, struct span name,
                                   struct tensor *out)
{
    struct wire_writer w = { 0 };
    struct span bytes, whole, payload;
    struct onnx_model *m = NULL;
    struct onnx_payload p;
    enum dtype dtype;
    TRY(file_read_all(file, 1 << 28, &c->arena, NULL, &bytes));
    wire_put_i64(&w, 1, 10); /* ir_version */
    size_t opset = wire_begin(&w, 8);
    wire_put_i64(&w, 2, 21);
    wire_end(&w, opset);
    size_t graph = wire_begin(&w, 7);
    wire_put_text(&w, 2, "g");
    size_t tensor = wire_begin(&w, 5);
    wire_put_raw(&w, bytes);
    wire_put_bytes(&w, 8, name);
    wire_end(&w, tensor);
    size_t output = wire_begin(&w, 12);
    wire_put_bytes(&w, 1, name);
    wire_end(&w, output);
    wire_end(&w, graph);
    TRY(wire_written(&w, &whole));
    whole = arena_copy(&c->arena, whole);
    wire_writer_free(&w);
    TRY(onnx_model_open_bytes(whole, file, NULL, NULL, NULL, NULL, &m));
    const struct onnx_tensor *t = &m->graph.initializers[0];
    o2w_status s = onnx_tensor_payload(m, t, NULL, &p);
    if (s == O2W_OK && (p.kind == ONNX_PAYLOAD_STRINGS || !dtype_by_onnx(t->dtype, &dtype)))
        s = O2W_UNSUPPORTED;
    if (s == O2W_OK)
        s = tensor_new(&c->arena, dtype, t->dims, t->rank, out);
    if (s == O2W_OK)
        s = onnx_payload_bytes(&p, &c->arena, NULL, &payload);
    if (s == O2W_OK && payload.size)
        memcpy(out->data, payload.data, payload.size);
    onnx_model_close(m);
    return s;
}

static bool is_tensor(const struct tree *value)
{
    struct span kind = tree_text(value, "kind");
    return kind.size == 0 || span_is(kind, "tensor");
}

/* Older files hold bfloat16 as the 16 bits of a uint16. */
static void declared_dtype(const struct tree *value, struct tensor *t)
{
    if (t->dtype == DTYPE_UINT16 && span_is(tree_text(value, "type"), "bfloat16"))
        t->dtype = DTYPE_BFLOAT16;
}

static o2w_status read_feeds(struct onnx_case *c)
{
    const struct tree *inputs = tree_get(c->tree, "inputs");
    struct model_feed *feeds = ARENA_ARRAY(&c->arena, inputs->count + 1, struct model_feed);
    c->run.feeds = feeds;
    for (size_t i = 0; i < inputs->count; i++) {
        char *file = arena_printf(&c->arena, "%s/test_data_set_0/input_%zu.pb", c->folder, i);
        struct model_feed *f = &feeds[c->run.feed_count];
        f->name = tree_text(&inputs->items[i], "name");
        if (is_tensor(&inputs->items[i]) &&
            read_tensor_file(c, file, f->name, &f->tensor) == O2W_OK) {
            declared_dtype(&inputs->items[i], &f->tensor);
            c->run.feed_count++;
        }
    }
    return O2W_OK;
}

static bool is_known(const struct onnx_case *c, struct span name)
{
    const struct tree *known = tree_get(c->tree, "known");
    for (size_t i = 0; known && i < known->count; i++)
        if (span_equal(known->items[i].text, name))
            return true;
    return false;
}

/* Known inputs as initializers: a second piece of the graph behind the model. */
static o2w_status add_known(struct onnx_case *c, struct span *bytes)
{
    const struct tree *inputs = tree_get(c->tree, "inputs");
    struct wire_writer w = { 0 };
    struct span all;
    wire_put_raw(&w, *bytes);
    size_t graph = wire_begin(&w, 7);
    for (size_t i = 0; i < inputs->count; i++) {
        struct span tensor, name = tree_text(&inputs->items[i], "name");
        char *file = arena_printf(&c->arena, "%s/test_data_set_0/input_%zu.pb", c->folder, i);
        if (!is_known(c, name))
            continue;
        TRY(file_read_all(file, 1 << 28, &c->arena, NULL, &tensor));
        size_t begun = wire_begin(&w, 5);
        wire_put_raw(&w, tensor);
        wire_put_bytes(&w, 8, name);
        wire_end(&w, begun);
    }
    wire_end(&w, graph);
    o2w_status s = wire_written(&w, &all);
    *bytes = arena_copy(&c->arena, all);
    wire_writer_free(&w);
    return s;
}

/* The model with its known inputs as initializers. */
static o2w_status read_model(struct onnx_case *c, struct span *bytes)
{
    char *known = arena_printf(&c->arena, "%s/model_known.onnx", c->folder);
    char *plain = arena_printf(&c->arena, "%s/model.onnx", c->folder);
    bool made = path_is_file(known);
    TRY(file_read_all(made ? known : plain, 1 << 28, &c->arena, &c->run.diags, bytes));
    return made || !tree_get(c->tree, "known") ? O2W_OK : add_known(c, bytes);
}

/* --- comparison ------------------------------------------------------------------------------------ */

static double number_of(const struct tree *t, const char *key, double fallback)
{
    double v;
    const struct tree *member = tree_get(t, key);
    return member && tree_double(member, &v) ? v : fallback;
}

static bool quantises(const struct tree *t)
{
    struct span op = tree_text(t, "operator");
    return span_starts(op, SPAN("Quantize")) || span_starts(op, SPAN("QLinear")) ||
           span_starts(op, SPAN("DynamicQuantize"));
}

/* Sums over many terms may differ by their size. */
static bool sums_up(const struct tree *t)
{
    struct span op = tree_text(t, "operator");
    return span_is(op, "DFT") || span_is(op, "STFT") || span_is(op, "MatMul") ||
           span_is(op, "Gemm");
}

struct tolerance {
    double relative, absolute;
};

static struct tolerance tolerance_of(const struct onnx_case *c, const struct tensor *want)
{
    struct tolerance t = { 1e-3, 1e-5 };
    double most = 0;
    if (want->dtype == DTYPE_FLOAT16)
        t = (struct tolerance){ 1e-2, 2e-3 };
    if (want->dtype == DTYPE_BFLOAT16)
        t = (struct tolerance){ 1e-2, 1e-3 };
    if (!dtype_is_float(want->dtype))
        t = (struct tolerance){ 0, quantises(c->tree) ? 1 : 0 };
    for (uint64_t i = 0; sums_up(c->tree) && i < tensor_count(want); i++)
        most = fmax(most, fabs(tensor_get_double(want, i)));
    if (tree_get(c->tree, "run") && dtype_is_float(want->dtype)) /* a classifier */
        t = (struct tolerance){ 1e-5, 1e-5 };
    t.relative = number_of(c->tree, "rtol", t.relative);
    t.absolute = number_of(c->tree, "atol", t.absolute) + 3e-6 * most;
    return t;
}

static bool same_number(const struct tensor *got, const struct tensor *want, uint64_t i,
                        struct tolerance t)
{
    if (!dtype_is_float(want->dtype) && t.absolute == 0)
        return dtype_is_signed(want->dtype) ? tensor_get_i64(got, i) == tensor_get_i64(want, i)
               : want->dtype == DTYPE_BOOL
                   ? (tensor_get_u64(got, i) != 0) == (tensor_get_i64(want, i) != 0)
                   : tensor_get_u64(got, i) == tensor_get_u64(want, i);
    double a = tensor_get_double(got, i), b = tensor_get_double(want, i);
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b))
        return a == b;
    return fabs(a - b) <= t.absolute + t.relative * fabs(b);
}

static bool same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank && dims_equal(a->dims, b->dims, a->rank);
}

static bool compare_output(struct onnx_case *c, const struct model_result *got,
                           const struct tensor *want)
{
    char a[200], b[200];
    struct tensor carried, expected = *want;
    if (got->model != want->dtype) {
        snprintf(c->why, sizeof c->why, "output '%.*s' is %s, must be %s", SPAN_ARG(got->name),
                 dtype_name(got->model), dtype_name(want->dtype));
        return false;
    }
    if (!same_shape(&got->tensor, want)) {
        dims_text(got->tensor.dims, got->tensor.rank, a, sizeof a);
        dims_text(want->dims, want->rank, b, sizeof b);
        snprintf(c->why, sizeof c->why, "output '%.*s' has shape %s, must have %s",
                 SPAN_ARG(got->name), a, b);
        return false;
    }
    if (tree_get(c->tree, "disputed"))
        return true;
    /* 4-bit, bfloat16 and the like as what carries them */
    if (!dtype_in(want->dtype, DTYPES_WEBNN8) && want->dtype != DTYPE_BFLOAT16 &&
        want->dtype != DTYPE_FLOAT64 &&
        tensor_new(&c->arena, got->tensor.dtype, want->dims, want->rank, &carried) == O2W_OK &&
        tensor_convert(want, &carried) == O2W_OK)
        expected = carried;
    struct tolerance t = tolerance_of(c, &expected);
    for (uint64_t i = 0; i < tensor_count(want); i++)
        if (!same_number(&got->tensor, &expected, i, t)) {
            snprintf(c->why, sizeof c->why, "output '%.*s' element %llu is %.9g, must be %.9g",
                     SPAN_ARG(got->name), (unsigned long long)i, tensor_get_double(&got->tensor, i),
                     tensor_get_double(&expected, i));
            return false;
        }
    return true;
}

/* An output that is a string tensor, or a sequence of maps. */
static bool compare_labelled(struct onnx_case *c, size_t i, const char *file, bool strings)
{
    const struct lowering *l = c->run.lowering;
    const char *why = (strings ? labelled_strings_differ : labelled_maps_differ)(
        file, l->graph, &c->run.results[i], l->outputs[i].operand, &c->arena);
    if (why)
        snprintf(c->why, sizeof c->why, "output %zu: %s", i, why);
    return !why;
}

static enum verdict compare(struct onnx_case *c)
{
    const struct tree *outputs = tree_get(c->tree, "outputs");
    if (c->run.result_count != outputs->count) {
        snprintf(c->why, sizeof c->why, "%zu outputs, must be %zu", c->run.result_count,
                 outputs->count);
        return FAILED;
    }
    for (size_t i = 0; i < outputs->count; i++) {
        struct tensor want;
        char *file = arena_printf(&c->arena, "%s/test_data_set_0/output_%zu.pb", c->folder, i);
        bool strings = span_is(tree_text(&outputs->items[i], "type"), "string");
        if (strings || span_is(tree_text(&outputs->items[i], "kind"), "sequence")) {
            if (!compare_labelled(c, i, file, strings))
                return FAILED;
            continue;
        }
        if (!is_tensor(&outputs->items[i]) ||
            read_tensor_file(c, file, SPAN("t"), &want) != O2W_OK) {
            snprintf(c->why, sizeof c->why, "the expected output %zu cannot be read", i);
            return FAILED;
        }
        declared_dtype(&outputs->items[i], &want);
        if (!compare_output(c, &c->run.results[i], &want))
            return FAILED;
    }
    return PASSED;
}

/* --- a case ---------------------------------------------------------------------------------------- */

/* The first error, and where it is. */
static enum verdict refused(struct onnx_case *c)
{
    const struct diag *d = c->run.diags.first;
    while (d && d->severity != O2W_SEVERITY_ERROR)
        d = d->next;
    if (!d || d->code == DIAG_INTERNAL || d->code == DIAG_MEMORY) {
        snprintf(c->why, sizeof c->why, "refused without a diagnostic: %s", d ? d->message : "");
        return FAILED;
    }
    snprintf(c->why, sizeof c->why, "%s: %s%s%s", diag_code_text(d->code), d->message,
             d->lines ? " at " : "", d->lines ? d->lines->text : "");
    return REFUSED;
}

static enum verdict run_case(struct onnx_run *r, struct onnx_case *c)
{
    struct span bytes;
    if (read_feeds(c) != O2W_OK || read_model(c, &bytes) != O2W_OK)
        return FAILED;
    if (model_run_convert(&c->run, bytes, c->folder, NULL) != O2W_OK)
        return refused(c);
    if (model_run_execute(&c->run, r->backend, r->engine) != O2W_OK) {
        enum verdict v = refused(c);
        bool excused = c->run.diags.newest->code == DIAG_FEED_RANGE ||
                       (r->backend != backends[0] && v == REFUSED);
        return excused ? REFUSED : FAILED;
    }
    return compare(c);
}

static void count_refusal(struct onnx_run *r, const struct onnx_case *c)
{
    char text[200];
    const struct tree *reasons = tree_get(c->tree, "reasons");
    size_t size = 0;
    text[0] = 0;
    for (size_t i = 0; reasons && i < reasons->count && size < sizeof text; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%.*s", i ? ", " : "",
                                 SPAN_ARG(reasons->items[i].text));
    if (!text[0])
        snprintf(text, sizeof text, "(no reason in the list)");
    size_t i = 0;
    while (i < r->refusal_count && strcmp(r->refusals[i].text, text) != 0)
        i++;
    if (i == sizeof r->refusals / sizeof *r->refusals)
        return;
    if (i == r->refusal_count)
        snprintf(r->refusals[r->refusal_count++].text, sizeof text, "%s", text);
    r->refusals[i].count++;
}

/* The reason for which a case is known to fail; empty: none. */
static struct span expected_reason(const struct onnx_run *r, const char *name)
{
    const char *at = (const char *)r->expected.data, *end = at + r->expected.size;
    size_t size = strlen(name);
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        if ((size_t)(line_end - at) > size && memcmp(at, name, size) == 0 && at[size] == ' ')
            return (struct span){ (const uint8_t *)at + size + 1,
                                  (size_t)(line_end - at) - size - 1 };
        at = line_end + 1;
    }
    return (struct span){ 0 };
}

/* The verdict, where the case is on the list: a failure is skipped with its reason, a pass fails. */
static void judge_expected(struct span reason, const char *name, const struct tally *before,
                           struct tally *t)
{
    bool passed = t->failed == before->failed;
    *t = *before;
    if (passed)
        tally_fail(t, name, "passes, but is listed: %.*s", SPAN_ARG(reason));
    else
        tally_skip(t, name, "expected failure: %.*s", SPAN_ARG(reason));
}

/* Classifiers must, unless an input is a string. */
static bool must_convert(const struct onnx_case *c)
{
    struct span expect = tree_text(c->tree, "expect"), run = tree_text(c->tree, "run");
    return span_is(expect, "must-pass") || span_is(expect, "must-report") ||
           (run.size && !span_is(run, "string-input"));
}

/* What the case allows. */
static void judge(struct onnx_run *r, struct onnx_case *c, enum verdict v, struct tally *t)
{
    static const char *const names[] = { "passed", "refused", "failed" };
    struct span expect = tree_text(c->tree, "expect");
    char *known = arena_printf(&c->arena, "%s/model_known.onnx", c->folder);
    bool must_refuse = span_is(expect, "must-refuse") && !path_is_file(known);
    json_open(&r->report, '{');
    json_key(&r->report, "name");
    json_put_text(&r->report, c->name);
    json_key(&r->report, "verdict");
    json_put_text(&r->report, names[v]);
    json_key(&r->report, "message");
    json_put_text(&r->report, c->why);
    json_close(&r->report, '}');
    if (v == FAILED)
        tally_fail(t, c->name, "%s", c->why);
    else if (must_refuse && v == PASSED)
        tally_fail(t, c->name, "must be refused");
    else if (must_refuse)
        tally_pass(t);
    else if (span_is(expect, "must-report") && c->run.diags.count == 0)
        tally_fail(t, c->name, "must be reported");
    else if (v == REFUSED && must_convert(c))
        tally_fail(t, c->name, "refused: %s", c->why);
    else if (v == REFUSED) {
        count_refusal(r, c);
        tally_skip(t, c->name, "%s", c->why);
    } else
        tally_pass(t);
}

static void one_case(struct onnx_run *r, const struct tree *tree, struct tally *t)
{
    struct onnx_case c = { .tree = tree };
    arena_init(&c.arena, NULL);
    model_run_init(&c.run);
    c.name = arena_text(&c.arena, tree_text(tree, "name"));
    struct span kind = tree_text(tree, "kind");
    c.folder = arena_printf(&c.arena, "%s/%.*s/%s", r->folder, SPAN_ARG(kind), c.name);
    if (!path_is_folder(c.folder)) /* the layout without a folder per kind */
        c.folder = arena_printf(&c.arena, "%s/%s", r->folder, c.name);
    if (path_is_folder(c.folder)) {
        struct tally before = *t;
        struct span reason = expected_reason(r, c.name);
        t->silent = reason.size > 0;
        judge(r, &c, run_case(r, &c), t);
        if (reason.size)
            judge_expected(reason, c.name, &before, t);
    } else {
        tally_skip(t, c.name, "no folder '%s'", c.folder);
    }
    model_run_free(&c.run);
    arena_free(&c.arena);
}

/* --- all cases -------------------------------------------------------------------------------------- */

static bool open_engine(struct onnx_run *r, const char *name, struct diags *d)
{
    bool alias;
    struct backend_settings settings = { .threads = 1 };
    r->backend = backend_by_name(span_of(name), &alias);
    return r->backend && r->backend->open(&settings, d, &r->engine) == O2W_OK;
}

struct onnx_arguments {
    const char *engine, *cases, *report, *folder, *only, *expected;
};

static bool read_arguments(int count, char **list, struct onnx_arguments *a)
{
    *a = (struct onnx_arguments){ .engine = "cpu" };
    for (int i = 0; i < count; i++) {
        const char **to = strcmp(list[i], "--engine") == 0     ? &a->engine
                          : strcmp(list[i], "--cases") == 0    ? &a->cases
                          : strcmp(list[i], "--report") == 0   ? &a->report
                          : strcmp(list[i], "--only") == 0     ? &a->only
                          : strcmp(list[i], "--expected") == 0 ? &a->expected
                                                               : NULL;
        if (to && i + 1 < count)
            *to = list[++i];
        else if (to || list[i][0] == '-' || a->folder)
            return false;
        else
            a->folder = list[i];
    }
    return a->cases && a->folder;
}

static bool wanted(const struct tree *c, const char *only)
{
    return !only || span_is(tree_text(c, "operator"), only) || span_is(tree_text(c, "name"), only);
}

static bool run_all(struct onnx_run *r, const struct onnx_arguments *a, struct tally *t)
{
    struct diags d;
    struct tree cases;
    diags_init(&d, NULL);
    bool ready = tree_read(a->cases, &r->arena, &d, &cases) == O2W_OK;
    if (ready && a->expected)
        ready = file_read_all(a->expected, 1 << 20, &r->arena, &d, &r->expected) == O2W_OK;
    if (ready && !open_engine(r, a->engine, &d)) {
        char *text = diags_text(&d, &r->arena);
        tally_skip(t, a->engine, "%s", text && *text ? text : "no such engine");
    } else if (ready) {
        json_open(&r->report, '[');
        for (size_t i = 0; i < cases.count; i++)
            if (wanted(&cases.items[i], a->only))
                one_case(r, &cases.items[i], t);
        json_close(&r->report, ']');
        r->backend->close(r->engine);
        for (size_t i = 0; i < r->refusal_count; i++)
            printf("refused %u: %s\n", r->refusals[i].count, r->refusals[i].text);
    }
    diags_free(&d);
    return ready && (!a->report || write_report(&r->report, a->report));
}

static bool run_onnx_node(int count, char **list, struct tally *t)
{
    struct onnx_arguments a;
    if (!read_arguments(count, list, &a))
        return false;
    struct onnx_run *r = calloc(1, sizeof *r);
    r->folder = a.folder;
    arena_init(&r->arena, NULL);
    json_writer_init(&r->report, NULL, 1);
    bool done = run_all(r, &a, t);
    json_writer_free(&r->report);
    arena_free(&r->arena);
    free(r);
    return done;
}

const struct case_kind onnx_node_kind = {
    "onnx-node",
    "[--engine NAME] [--only OPERATOR|CASE] [--expected FILE] --cases CASES.json [--report FILE] FOLDER",
    run_onnx_node
};
