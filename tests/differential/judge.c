#include "judge.h"

#include "lower/value.h"
#include "operators/native.h"
#include "webnn/passes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct {
    const struct backend *backends[8];
    struct engine *engines[8];
    size_t count;
} all;

bool judge_open(void)
{
    struct backend_settings settings = { .threads = 1 };
    for (size_t i = 0; i < backend_count && all.count < 8; i++)
        if (!backends[i]->loose && /* odd values are what the models are made of */
            backends[i]->open(&settings, NULL, &all.engines[all.count]) == O2W_OK)
            all.backends[all.count++] = backends[i];
    return native_present();
}

void judge_close(void)
{
    for (size_t i = 0; i < all.count; i++)
        all.backends[i]->close(all.engines[i]);
    all.count = 0;
}

/* --- native ---------------------------------------------------------------------------------------- */

struct attempt {
    struct model_run run;
    struct model_builder builder;
    struct model_feed feeds[VALUE_LIMIT];
    struct span model;
};

static void attempt_begin(struct attempt *a, const struct program *p)
{
    model_run_init(&a->run);
    a->model = program_model(p, &a->builder);
    for (size_t i = 0; i < p->value_count; i++)
        if (p->values[i].origin == FROM_INPUT) {
            char name[16];
            const char *kept = arena_printf(&a->run.arena, "%s", value_name((int)i, name));
            a->feeds[a->run.feed_count++] =
                (struct model_feed){ span_of(kept), p->values[i].tensor };
        }
    a->run.feeds = a->feeds;
}

static void attempt_end(struct attempt *a)
{
    model_run_free(&a->run);
    mb_free(&a->builder);
}

/* The first error and its first line. */
static void error_text(const struct diags *diags, char *text, size_t size)
{
    const struct diag *d = diags->first;
    while (d && d->severity != O2W_SEVERITY_ERROR)
        d = d->next;
    snprintf(text, size, "%s: %s%s%.200s", d ? diag_code_text(d->code) : "?", d ? d->message : "",
             d && d->lines ? ": " : "", d && d->lines ? d->lines->text : "");
}

/* Results of the visible values of nodes, in their order. */
static bool run_native(const struct program *p, struct tensor *results, size_t count,
                       struct arena *arena, char *why, size_t size)
{
    struct attempt a = { 0 };
    attempt_begin(&a, p);
    bool good = native_run(&a.run, a.model, count, results) == O2W_OK;
    if (good)
        arena_adopt(arena, &a.run.arena);
    else
        error_text(&a.run.diags, why, size);
    attempt_end(&a);
    return good;
}

static bool is_small(const struct tensor *t)
{
    return tensor_count(t) <= 4000 && t->dtype != DTYPE_STRING;
}

bool judge_native_node(struct program *p, size_t node, struct arena *arena, char *why, size_t size)
{
    struct program one;
    struct tensor results[PORT_LIMIT];
    struct node *n = &p->nodes[node];
    for (size_t i = 0; i < n->output_count; i++)
        n->outputs[i] = add_value(p, FROM_NODE, &(struct tensor){ 0 });
    program_of_node(p, node, &one);
    if (!run_native(&one, results, n->output_count, arena, why, size))
        return false;
    for (size_t i = 0; i < n->output_count; i++) {
        if (!is_small(&results[i]))
            return false;
        p->values[n->outputs[i]].tensor = results[i];
    }
    return true;
}

/* --- comparison --------------------------------------------------------------------------------------- */

struct tolerance {
    double absolute, relative;
};

/* Of operators.md and validation.md. */
static struct tolerance tolerance_of(enum dtype t)
{
    if (t == DTYPE_FLOAT16)
        return (struct tolerance){ 1e-3, 1e-2 };
    if (t == DTYPE_BFLOAT16)
        return (struct tolerance){ 8e-3, 8e-2 };
    return (struct tolerance){ 1e-5, 1e-4 };
}

bool same_number(const struct tensor *got, const struct tensor *want, uint64_t i)
{
    if (!dtype_is_float(want->dtype)) {
        bool is_unsigned = dtype_is_integer(want->dtype) && !dtype_is_signed(want->dtype);
        return is_unsigned ? tensor_get_u64(got, i) == tensor_get_u64(want, i)
                           : tensor_get_i64(got, i) == tensor_get_i64(want, i);
    }
    struct tolerance t = tolerance_of(want->dtype);
    double x = tensor_get_double(got, i), y = tensor_get_double(want, i);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (want->dtype == DTYPE_FLOAT64 && fabs(y) > 3.4028235e38) /* carried as float32 */
        y = y > 0 ? (double)INFINITY : -(double)INFINITY;
    if (want->dtype == DTYPE_BFLOAT16 && isinf(y) && fabs(x) > 3.38e38) /* carried more precisely */
        return (x > 0) == (y > 0);
    if (isinf(x) || isinf(y))
        return x == y;
    return fabs(x - y) <= t.absolute + t.relative * fabs(y);
}

bool same_tensors(const struct tensor *got, const struct tensor *want, uint64_t *where)
{
    *where = UINT64_MAX;
    if (got->dtype != want->dtype || got->rank != want->rank ||
        !dims_equal(got->dims, want->dims, got->rank))
        return false;
    for (*where = 0; *where < tensor_count(got); ++*where)
        if (!same_number(got, want, *where))
            return false;
    return true;
}

static void difference_text(const struct tensor *got, const struct tensor *want, uint64_t where,
                            char *text, size_t size)
{
    char a[200], b[200];
    dims_text(got->dims, got->rank, a, sizeof a);
    dims_text(want->dims, want->rank, b, sizeof b);
    if (where == UINT64_MAX)
        snprintf(text, size, "%s%s, native %s%s", dtype_name(got->dtype), a,
                 dtype_name(want->dtype), b);
    else if (dtype_is_float(want->dtype))
        snprintf(text, size, "%s%s element %llu is %.9g, native %.9g", dtype_name(got->dtype), a,
                 (unsigned long long)where, tensor_get_double(got, where),
                 tensor_get_double(want, where));
    else
        snprintf(text, size, "%s%s element %llu is %lld, native %lld", dtype_name(got->dtype), a,
                 (unsigned long long)where, (long long)tensor_get_i64(got, where),
                 (long long)tensor_get_i64(want, where));
}

/* --- the engines --------------------------------------------------------------------------------------- */

struct outcome {
    struct tensor values[VALUE_LIMIT]; /* in the model's dtypes; of visible results */
    bool refused;
    char why[500];
};

static bool collect(struct attempt *a, const struct program *p, struct arena *arena,
                    struct outcome *out)
{
    size_t at = 0;
    for (size_t i = 0; i < p->value_count; i++) {
        if (p->values[i].origin != FROM_NODE || p->values[i].hidden)
            continue;
        if (at == a->run.result_count)
            return false;
        const struct model_result *r = &a->run.results[at++];
        if (tensor_new(arena, r->model, r->tensor.dims, r->tensor.rank, &out->values[i]) !=
                O2W_OK ||
            tensor_convert(&r->tensor, &out->values[i]) != O2W_OK)
            return false;
    }
    return true;
}

/* Engines beside the first run what their limits allow. False: it did not run. */
static bool run_engine(const struct program *p, size_t e, struct arena *arena, struct outcome *out)
{
    struct attempt a = { 0 };
    struct lower_options options = { .constant_folding = p->fold };
    struct limits limits;
    attempt_begin(&a, p);
    *out = (struct outcome){ 0 };
    bool good = model_run_convert(&a.run, a.model, NULL, &options) == O2W_OK;
    all.backends[e]->limits(&limits);
    if (good && e > 0 && graph_check_limits(a.run.lowering->graph, &limits, NULL) != O2W_OK) {
        attempt_end(&a);
        return false;
    }
    good = good && model_run_execute(&a.run, all.backends[e], all.engines[e]) == O2W_OK;
    if (!good)
        error_text(&a.run.diags, out->why, sizeof out->why);
    out->refused = !good;
    if (good && !collect(&a, p, arena, out))
        snprintf(out->why, sizeof out->why, "results are missing");
    attempt_end(&a);
    return true;
}

/* --- verdicts -------------------------------------------------------------------------------------------- */

static bool first_difference(const struct program *p, const struct outcome *o, size_t *id,
                             uint64_t *where)
{
    for (*id = 0; *id < p->value_count; ++*id)
        if (p->values[*id].origin == FROM_NODE && !p->values[*id].hidden &&
            !same_tensors(&o->values[*id], &p->values[*id].tensor, where))
            return true;
    return false;
}

/* Node by node: native ONNX Runtime on the values that this engine had there. */
static void judge_node(const struct program *p, size_t node, size_t e, const struct outcome *o,
                       struct arena *arena, struct judgement *out)
{
    struct program *own = ARENA_NEW(arena, struct program);
    struct tensor results[PORT_LIMIT];
    const struct node *n = &p->nodes[node];
    char why[300];
    uint64_t where, elsewhere;
    *own = *p;
    for (size_t i = 0; i < n->input_count; i++)
        if (n->inputs[i] != ABSENT && p->values[n->inputs[i]].origin == FROM_NODE)
            own->values[n->inputs[i]].tensor = o->values[n->inputs[i]];
    struct program *one = ARENA_NEW(arena, struct program);
    program_of_node(own, node, one);
    if (!run_native(one, results, n->output_count, arena, why, sizeof why))
        return;
    for (size_t i = 0; i < n->output_count; i++) {
        const struct tensor *got = &o->values[n->outputs[i]];
        /* what was computed from doubles stays right where they are carried as float32 beside it */
        if (same_tensors(got, &results[i], &where) ||
            same_tensors(got, &p->values[n->outputs[i]].tensor, &elsewhere))
            continue;
        const char *reason = explained_reason(e == 0, own, n, got, &results[i]);
        if (!reason && where != UINT64_MAX && within_rounding(own, n, got, &results[i]))
            reason = "rounding of sums";
        if (reason && out->verdict == DIFFERENT)
            continue;
        out->verdict = reason ? EXPLAINED : DIFFERENT;
        out->reason = reason;
        snprintf(out->subject, sizeof out->subject, "%s", n->row->name);
        size_t at = (size_t)snprintf(out->text, sizeof out->text,
                                     "%s: %s output %zu: ", all.backends[e]->name, n->row->name, i);
        difference_text(got, &results[i], where, out->text + at, sizeof out->text - at);
    }
}

/* What is computed with results that nobody sees differs from what is computed with them. */
static bool depends_on_outputs(const struct program *p, const struct outcome *open,
                               const struct outcome *closed)
{
    uint64_t where;
    for (size_t i = 0; i < p->value_count; i++)
        if (p->values[i].origin == FROM_NODE && !p->values[i].hidden &&
            !same_tensors(&closed->values[i], &open->values[i], &where))
            return true;
    return false;
}

static bool uses_half(const struct program *p)
{
    for (size_t i = 0; i < p->value_count; i++)
        if (p->values[i].origin == FROM_NODE && p->values[i].tensor.dtype == DTYPE_FLOAT16)
            return true;
    return false;
}

static void explain(const struct program *p, size_t e, const struct outcome *o, struct arena *arena,
                    struct judgement *out)
{
    struct program *open = ARENA_NEW(arena, struct program);
    struct outcome *all_values = ARENA_NEW(arena, struct outcome);
    size_t id;
    uint64_t where;
    *open = *p;
    for (size_t i = 0; i < open->value_count; i++)
        open->values[i].hidden = false;
    out->verdict = AMPLIFIED;
    if (!run_engine(open, e, arena, all_values) || all_values->refused) {
        out->verdict = DIFFERENT;
        snprintf(out->text, sizeof out->text, "%s: refused once all results are outputs: %s",
                 all.backends[e]->name, all_values->why);
        return;
    }
    for (size_t i = 0; i < p->node_count; i++)
        judge_node(open, i, e, all_values, arena, out);
    if (out->verdict == AMPLIFIED && e > 0 && uses_half(p))
        return; /* the engine's optimiser keeps float16 results in float32 between operators */
    if (out->verdict == AMPLIFIED && depends_on_outputs(p, all_values, o) &&
        first_difference(p, o, &id, &where)) {
        out->verdict = DIFFERENT;
        size_t at =
            (size_t)snprintf(out->text, sizeof out->text,
                             "%s: without inner outputs: v%zu: ", all.backends[e]->name, id);
        difference_text(&o->values[id], &p->values[id].tensor, where, out->text + at,
                        sizeof out->text - at);
    }
}

static void judge_engine(const struct program *p, size_t e, struct arena *arena,
                         struct judgement *out)
{
    struct outcome *o = ARENA_NEW(arena, struct outcome);
    size_t id;
    uint64_t where;
    if (!run_engine(p, e, arena, o))
        return;
    if (o->refused) {
        out->verdict = REFUSED;
        snprintf(out->text, sizeof out->text, "%s: %s", all.backends[e]->name, o->why);
        out->reason = out->text;
        return;
    }
    if (first_difference(p, o, &id, &where))
        explain(p, e, o, arena, out);
}

void judge(const struct program *p, struct judgement *out)
{
    *out = (struct judgement){ .verdict = SAME };
    for (size_t e = 0; e < all.count && out->verdict != DIFFERENT && out->verdict != REFUSED; e++) {
        struct arena arena;
        struct judgement one = { .verdict = SAME };
        arena_init(&arena, NULL);
        judge_engine(p, e, &arena, &one);
        if (one.verdict > out->verdict || one.verdict == REFUSED)
            *out = one;
        if (one.verdict == REFUSED)
            out->reason = out->text;
        arena_free(&arena);
    }
}
