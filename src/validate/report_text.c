/* The report as lines. */
#include "validate/report.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

struct lines {
    VEC(char) text;
    bool failed;
};

static void put(struct lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct lines *l, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = text_vformat(NULL, 0, format, args);
    va_end(args);
    if (size < 0 || l->failed || !VEC_RESERVE(&l->text, (size_t)size + 1)) {
        l->failed = true;
    } else {
        (void)text_vformat(l->text.items + l->text.count, (size_t)size + 1, format, again);
        l->text.count += (size_t)size;
    }
    va_end(again);
}

static const char *shape(const int64_t *dims, uint32_t rank, char text[200])
{
    dims_text(dims, rank, text, 200);
    return text;
}

/* --- head --------------------------------------------------------------------------------------------- */

static void put_head(struct lines *l, const o2w_report *r)
{
    static const char *const words[] = { "fresh", "stale", "no record", "ignored" };
    put(l, "graph      %s (%s)\n", r->graph_name, words[r->record]);
    put(l, "backend    %s", r->backend);
    if (r->engine)
        put(l, " (%s%s%s)", r->engine, r->engine_version ? " " : "",
            r->engine_version ? r->engine_version : "");
    if (strcmp(r->backend, r->requested) != 0)
        put(l, ", requested: %s", r->requested);
    if (r->placed && r->on_backend != r->nodes)
        put(l, ", %llu of %llu nodes on the provider", (unsigned long long)r->on_backend,
            (unsigned long long)r->nodes);
    put(l, "\nreference  ONNX Runtime %s CPU, optimization %s\n", r->reference_version,
        optimization_text(r->optimization));
}

static void put_inputs(struct lines *l, const struct report_run *run)
{
    char text[200];
    for (size_t i = 0; i < run->input_count; i++) {
        const struct report_input *in = &run->inputs[i];
        if (!in->pinned && !in->pruned)
            put(l, "input  %s %s %s %s\n", in->name, dtype_name(in->dtype),
                shape(in->dims, in->rank, text), in->word);
    }
    for (size_t i = 0; i < run->input_count; i++)
        if (run->inputs[i].pinned)
            put(l, "pinned %s %s %s %lld\n", run->inputs[i].name, dtype_name(run->inputs[i].dtype),
                shape(run->inputs[i].dims, run->inputs[i].rank, text),
                (long long)run->inputs[i].pin);
    for (size_t i = 0; i < run->input_count; i++)
        if (run->inputs[i].pruned)
            put(l, "pruned %s\n", run->inputs[i].name);
}

/* --- outputs ------------------------------------------------------------------------------------------ */

static const char *error_text(double v, char text[NUMBER_TEXT])
{
    number_print_general(v, 3, text);
    return text;
}

static void put_position(struct lines *l, uint64_t index, const int64_t *dims, uint32_t rank)
{
    uint64_t rest = index, size = 1;
    for (uint32_t i = 0; i < rank; i++)
        size *= (uint64_t)dims[i];
    put(l, "[");
    for (uint32_t i = 0; i < rank; i++) {
        size /= (uint64_t)dims[i];
        put(l, "%s%llu", i ? ", " : "", (unsigned long long)(rest / size));
        rest %= size;
    }
    put(l, "]");
}

static void put_first(struct lines *l, const struct report_output *o)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT];
    const struct difference *first = &o->figures.first[0];
    if (!o->figures.first_count)
        return;
    put(l, "  first: index %llu ", (unsigned long long)first->index);
    put_position(l, first->index, o->reference_dims, o->reference_rank);
    put(l, ": reference %s, got %s, |d| %s, allowed %s\n", first->reference, first->got,
        error_text(first->absolute, a), error_text(first->allowed, b));
}

static void put_figures(struct lines *l, const struct report_output *o)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT], d[NUMBER_TEXT], e[NUMBER_TEXT];
    const struct figures *f = &o->figures;
    put(l, "  max |d| %s, mean |d| %s, rmse %s, max normalized %s, cosine %s",
        error_text(f->max_abs, a), error_text(f->mean_abs, b), error_text(f->rmse, c),
        error_text(f->max_normalized, d), error_text(f->cosine, e));
    if (f->rows)
        put(l, ", top-1 %.1f%% of %llu row%s", 100.0 * (double)f->same_top / (double)f->rows,
            (unsigned long long)f->rows, f->rows == 1 ? "" : "s");
    put(l, "\n  nan %llu/%llu, inf %llu/%llu\n", (unsigned long long)f->nan[0],
        (unsigned long long)f->nan[1], (unsigned long long)f->inf[0],
        (unsigned long long)f->inf[1]);
}

static void put_adjusted(struct lines *l, const o2w_report *r)
{
    char levels[120];
    nbits_levels_text(&r->nbits, levels, sizeof levels);
    if (r->adjusted)
        put(l, ", reference adjusted: accuracy_level %s -> 0 in %llu node%s", levels,
            (unsigned long long)r->nbits.accurate, r->nbits.accurate == 1 ? "" : "s");
}

static void put_published(struct lines *l, const struct report_output *o)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
    if (o->has_published)
        put(l, "  published: %llu outside, max |d| %s, mean |d| %s, rmse %s\n",
            (unsigned long long)o->published.outside, error_text(o->published.max_abs, a),
            error_text(o->published.mean_abs, b), error_text(o->published.rmse, c));
}

static void put_passed(struct lines *l, const o2w_report *r, const struct report_output *o)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT];
    put(l, "ok, max |d| %s, max normalized %s", error_text(o->figures.max_abs, a),
        error_text(o->figures.max_normalized, b));
    put_adjusted(l, r);
    put(l, "\n");
}

static void put_values(struct lines *l, const o2w_report *r, const struct report_output *o)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT];
    number_print_general(o->allowed.absolute, 6, a);
    number_print_general(o->allowed.relative, 6, b);
    put(l, "MISMATCH, %llu of %llu values outside %s + %s*|ref| (profile %s)",
        (unsigned long long)o->figures.outside, (unsigned long long)o->figures.count, a, b,
        o->custom ? "custom" : profile_text(r->tolerances.profile));
    put_adjusted(l, r);
    put(l, "\n");
    put_first(l, o);
    put_figures(l, o);
    put_published(l, o);
}

static void put_output(struct lines *l, const o2w_report *r, const struct report_output *o)
{
    char a[200], b[200];
    put(l, "output %s %s %s: ", o->name, o->type, shape(o->dims, o->rank, a));
    if (o->kind == MISMATCH_NONE)
        put_passed(l, r, o);
    else if (o->kind == MISMATCH_VALUE && !o->detail)
        put_values(l, r, o);
    else if (o->kind == MISMATCH_SHAPE)
        put(l, "MISMATCH, shape %s, the reference has %s\n", a,
            shape(o->reference_dims, o->reference_rank, b));
    else
        put(l, "MISMATCH, %s\n", o->detail ? o->detail : "of another dtype");
}

static void put_run(struct lines *l, const o2w_report *r, const struct report_run *run)
{
    if (r->with_seeds)
        put(l, "run    seed %llu\n", (unsigned long long)run->seed);
    put_inputs(l, run);
    for (size_t i = 0; i < run->output_count; i++)
        if (!run->outputs[i].empty)
            put_output(l, r, &run->outputs[i]);
    for (size_t i = 0; i < run->output_count; i++)
        if (run->outputs[i].empty)
            put(l, "empty  %s\n", run->outputs[i].name);
    put(l, "%s: %zu of %zu outputs, %zu input%s\n", run->passed ? "passed" : "failed",
        run->compared - run->failed, run->compared, run->fed, run->fed == 1 ? "" : "s");
}

o2w_status report_print_text(o2w_report *r, struct diags *d)
{
    struct lines l = { .text.allocator = r->allocator };
    size_t passed = 0;
    put_head(&l, r);
    for (size_t i = 0; i < r->run_count; i++) {
        put_run(&l, r, &r->runs[i]);
        passed += r->runs[i].passed;
    }
    if (r->run_count > 1)
        put(&l, "%s: %zu of %zu runs\n", passed == r->run_count ? "passed" : "failed", passed,
            r->run_count);
    struct span all = { (const uint8_t *)l.text.items, l.text.count };
    r->text = l.failed ? NULL : arena_text(&r->arena, all);
    VEC_FREE(&l.text);
    return r->text ? O2W_OK : diag_memory(d);
}
