/* The report as members of the command's JSON document. */
#include "validate/report.h"

#include "base/json.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

static void put_text(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    json_put_text(w, text);
}

static void put_number(struct json_writer *w, const char *key, double v)
{
    json_key(w, key);
    json_put_double(w, v);
}

static void put_count(struct json_writer *w, const char *key, uint64_t v)
{
    json_key(w, key);
    json_put_u64(w, v);
}

static void put_optional(struct json_writer *w, const char *key, bool given, uint64_t v)
{
    json_key(w, key);
    if (given)
        json_put_u64(w, v);
    else
        json_put_null(w);
}

static void put_dims(struct json_writer *w, const char *key, const int64_t *dims, uint32_t rank)
{
    json_key(w, key);
    json_open(w, '[');
    for (uint32_t i = 0; i < rank; i++)
        json_put_i64(w, dims[i]);
    json_close(w, ']');
}

static void put_pair(struct json_writer *w, const char *key, uint64_t a, uint64_t b)
{
    json_key(w, key);
    json_open(w, '[');
    json_put_u64(w, a);
    json_put_u64(w, b);
    json_close(w, ']');
}

/* --- head --------------------------------------------------------------------------------------------- */

static void put_backend(struct json_writer *w, const o2w_report *r)
{
    json_key(w, "backend");
    json_open(w, '{');
    put_text(w, "id", r->backend);
    put_text(w, "requested", r->requested);
    put_text(w, "engine", r->engine);
    put_text(w, "version", r->engine_version);
    put_optional(w, "nodesOnBackend", r->placed, r->on_backend);
    put_optional(w, "nodes", r->placed, r->nodes);
    json_close(w, '}');
}

static void put_adjusted(struct json_writer *w, const o2w_report *r)
{
    json_key(w, "adjusted");
    if (!r->adjusted) {
        json_put_null(w);
        return;
    }
    json_open(w, '{');
    put_text(w, "attribute", "accuracy_level");
    json_key(w, "from");
    json_open(w, '[');
    for (unsigned i = 0; i < r->nbits.level_count; i++)
        json_put_i64(w, r->nbits.levels[i]);
    json_close(w, ']');
    json_key(w, "to");
    json_put_i64(w, 0);
    put_count(w, "nodes", r->nbits.accurate);
    json_close(w, '}');
}

static void put_reference(struct json_writer *w, const o2w_report *r)
{
    json_key(w, "reference");
    json_open(w, '{');
    put_text(w, "engine", "ONNX Runtime");
    put_text(w, "version", r->reference_version);
    put_text(w, "optimization", optimization_text(r->optimization));
    put_adjusted(w, r);
    json_close(w, '}');
}

static bool is_listed(const struct tolerances *t, enum dtype id)
{
    return t->custom[id] || id == DTYPE_FLOAT32 || id == DTYPE_FLOAT64 || id == DTYPE_FLOAT16 ||
           id == DTYPE_BFLOAT16;
}

static void put_tolerances(struct json_writer *w, const struct tolerances *t)
{
    put_text(w, "profile", profile_text(t->profile));
    json_key(w, "tolerances");
    json_open(w, '{');
    for (int i = 0; i < DTYPE_COUNT; i++) {
        if (!is_listed(t, (enum dtype)i))
            continue;
        json_key(w, dtype_name((enum dtype)i));
        json_open(w, '[');
        json_put_double(w, t->by_dtype[i].absolute);
        json_put_double(w, t->by_dtype[i].relative);
        json_close(w, ']');
    }
    json_close(w, '}');
    json_key(w, "custom");
    json_put_bool(w, t->any_custom);
}

/* --- interface ---------------------------------------------------------------------------------------- */

static void put_input(struct json_writer *w, const struct report_input *in)
{
    bool ids = in->rule == FEED_IDS && !in->pinned;
    json_open(w, '{');
    put_text(w, "name", in->name);
    put_text(w, "graphName", in->graph_name);
    put_text(w, "dataType", dtype_name(in->dtype));
    put_dims(w, "shape", in->dims, in->rank);
    put_text(w, "feed", ids ? "ids" : in->word);
    put_optional(w, "vocabulary", in->vocabulary != 0, in->vocabulary);
    json_close(w, '}');
}

static void put_interface(struct json_writer *w, const struct report_run *run)
{
    json_key(w, "inputs");
    json_open(w, '[');
    for (size_t i = 0; i < run->input_count; i++)
        put_input(w, &run->inputs[i]);
    json_close(w, ']');
    json_key(w, "pruned");
    json_open(w, '[');
    for (size_t i = 0; i < run->input_count; i++)
        if (run->inputs[i].pruned)
            json_put_text(w, run->inputs[i].name);
    json_close(w, ']');
    json_key(w, "emptyOutputs");
    json_open(w, '[');
    for (size_t i = 0; i < run->output_count; i++)
        if (run->outputs[i].empty)
            json_put_text(w, run->outputs[i].name);
    json_close(w, ']');
}

/* --- runs --------------------------------------------------------------------------------------------- */

/* Numbers as they are; what JSON readers would round, and what is no number, as strings. */
static void put_element(struct json_writer *w, const char *key, const char *text)
{
    double number;
    struct span s = span_of(text);
    json_key(w, key);
    bool exact = number_parse_double(s, &number) == O2W_OK && number < 0x1p53 && number > -0x1p53;
    if (exact || (number_parse_double(s, &number) == O2W_OK && strpbrk(text, ".e")))
        json_put_raw(w, s);
    else
        json_put_text(w, text);
}

static void put_position(struct json_writer *w, uint64_t index, const struct report_output *o)
{
    uint64_t size = 1;
    for (uint32_t i = 0; i < o->reference_rank; i++)
        size *= (uint64_t)o->reference_dims[i];
    json_key(w, "position");
    json_open(w, '[');
    for (uint32_t i = 0; i < o->reference_rank; i++) {
        size /= (uint64_t)o->reference_dims[i];
        json_put_u64(w, index / size);
        index %= size;
    }
    json_close(w, ']');
}

static void put_first(struct json_writer *w, const struct report_output *o)
{
    json_key(w, "first");
    if (!o->figures.first_count) {
        json_put_null(w);
        return;
    }
    json_open(w, '[');
    for (unsigned i = 0; i < o->figures.first_count; i++) {
        const struct difference *d = &o->figures.first[i];
        json_open(w, '{');
        put_count(w, "index", d->index);
        put_position(w, d->index, o);
        put_element(w, "reference", d->reference);
        put_element(w, "got", d->got);
        put_number(w, "abs", d->absolute);
        put_number(w, "allowed", d->allowed);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void put_published(struct json_writer *w, const struct report_output *o)
{
    json_key(w, "published");
    if (!o->has_published) {
        json_put_null(w);
        return;
    }
    json_open(w, '{');
    put_number(w, "maxAbs", o->published.max_abs);
    put_number(w, "meanAbs", o->published.mean_abs);
    put_number(w, "rmse", o->published.rmse);
    put_number(w, "cosine", o->published.cosine);
    put_count(w, "outside", o->published.outside);
    json_close(w, '}');
}

static void put_figures(struct json_writer *w, const struct report_output *o)
{
    const struct figures *f = &o->figures;
    put_number(w, "abs", o->allowed.absolute);
    put_number(w, "rel", o->allowed.relative);
    put_count(w, "count", f->count);
    put_count(w, "outside", f->outside);
    put_number(w, "maxAbs", f->max_abs);
    put_number(w, "meanAbs", f->mean_abs);
    put_number(w, "rmse", f->rmse);
    put_number(w, "maxNormalized", f->max_normalized);
    put_number(w, "cosine", f->cosine);
    json_key(w, "top1");
    if (f->rows)
        json_put_double(w, (double)f->same_top / (double)f->rows);
    else
        json_put_null(w);
    put_pair(w, "nan", f->nan[0], f->nan[1]);
    put_pair(w, "inf", f->inf[0], f->inf[1]);
}

static void put_output(struct json_writer *w, const o2w_report *r, const struct report_output *o)
{
    json_open(w, '{');
    put_text(w, "name", o->name);
    put_text(w, "graphName", o->graph_name);
    put_text(w, "dataType", o->type);
    put_dims(w, "shape", o->dims, o->rank);
    put_dims(w, "referenceShape", o->reference_dims, o->reference_rank);
    put_text(w, "result", o->kind == MISMATCH_NONE ? "passed" : "mismatch");
    put_text(w, "kind", mismatch_text(o->kind));
    put_text(w, "profile", o->custom ? "custom" : profile_text(r->tolerances.profile));
    put_figures(w, o);
    put_first(w, o);
    put_published(w, o);
    json_close(w, '}');
}

static void put_run(struct json_writer *w, const o2w_report *r, const struct report_run *run)
{
    char seed[NUMBER_TEXT];
    number_print_u64(run->seed, seed);
    json_open(w, '{');
    put_text(w, "seed", seed);
    put_text(w, "result", run->passed ? "passed" : "mismatch");
    json_key(w, "outputs");
    json_open(w, '[');
    for (size_t i = 0; i < run->output_count; i++)
        if (!run->outputs[i].empty)
            put_output(w, r, &run->outputs[i]);
    json_close(w, ']');
    json_close(w, '}');
}

static void put_report(struct json_writer *w, const o2w_report *r)
{
    json_open(w, '{');
    put_text(w, "model", r->model);
    put_text(w, "graph", r->graph);
    put_text(w, "record", record_state_text(r->record));
    put_backend(w, r);
    put_reference(w, r);
    put_tolerances(w, &r->tolerances);
    put_interface(w, &r->runs[0]);
    json_key(w, "runs");
    json_open(w, '[');
    for (size_t i = 0; i < r->run_count; i++)
        put_run(w, r, &r->runs[i]);
    json_close(w, ']');
    json_close(w, '}');
}

o2w_status report_print_json(o2w_report *r, struct diags *d)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, r->allocator, 0);
    put_report(&w, r);
    r->json = json_written(&w, &text) == O2W_OK ? arena_text(&r->arena, text) : NULL;
    json_writer_free(&w);
    return r->json ? O2W_OK : diag_memory(d);
}
