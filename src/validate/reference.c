#include "validate/reference.h"

#include "base/log.h"
#include "base/text.h"
#include "validate/ticker.h"

#include <string.h>

o2w_status reference_probe(struct diags *d, const struct ort **out)
{
    struct diags own;
    diags_init(&own, d ? d->arena.allocator : NULL);
    own.stage = d ? d->stage : NULL;
    o2w_status status = ort_open(&own, out);
    for (struct diag *item = own.first; item; item = item->next)
        if (item->code == DIAG_BACKEND_UNAVAILABLE)
            item->code = DIAG_REFERENCE_UNAVAILABLE;
    if (d)
        diags_append(d, &own);
    diags_free(&own);
    return status;
}

/* --- sessions ----------------------------------------------------------------------------------------- */

static struct ort_options session_options(const struct source *s, const struct reference_options *o,
                                          const struct ticker *t)
{
    static const enum ort_optimization levels[] = {
        [O2W_REFERENCE_NONE] = ORT_OPTIMIZATION_NONE,
        [O2W_REFERENCE_BASIC] = ORT_OPTIMIZATION_BASIC,
        [O2W_REFERENCE_EXTENDED] = ORT_OPTIMIZATION_EXTENDED,
        [O2W_REFERENCE_ALL] = ORT_OPTIMIZATION_ALL,
    };
    return (struct ort_options){ .allocator = s->allocator,
                                 .optimization =
                                     o->native ? ORT_OPTIMIZATION_ALL : levels[o->optimization],
                                 .threads = o->threads,
                                 .inter_threads = 1,
                                 .deterministic = !o->native,
                                 .no_memory_pattern = !o->native,
                                 .cancel = { .flag = &t->cancel },
                                 .load_error = DIAG_REFERENCE_LOAD,
                                 .run_error = DIAG_REFERENCE_RUN };
}

static const char *engine_text(const struct diags *d)
{
    for (const struct diag *item = d->first; item; item = item->next)
        for (const struct diag_line *line = item->lines; line; line = line->next)
            if (strcmp(line->label, "engine") == 0)
                return line->text;
    return d->first && d->first->message ? d->first->message : "no reason given";
}

/* What the runtime refused, in the words of references. */
static o2w_status restate(const struct ort *ort, struct diags *own, struct diags *d)
{
    const char *text = engine_text(own);
    const char *end = strchr(text, '\n');
    o2w_status s = diag_error(d, DIAG_REFERENCE_LOAD, "ONNX Runtime %s refuses the model: %.*s",
                              ort_version(ort), end ? (int)(end - text) : (int)strlen(text), text);
    diag_line(d, "engine", "%s", text);
    return s;
}

static o2w_status open_session(const struct source *s, struct span bytes,
                               const struct reference_options *o, struct diags *own,
                               struct reference *out)
{
    struct ticker ticker;
    struct span folder = path_folder(span_of(s->path));
    char *text = NULL;
    TRY(ticker_begin(&ticker, o->environment, "reference", own));
    struct ort_options options = session_options(s, o, &ticker);
    o2w_status status = O2W_OK;
    if (bytes.data) {
        struct arena a;
        arena_init(&a, s->allocator);
        text = folder.size ? arena_text(&a, folder) : arena_text(&a, SPAN("."));
        status = text ? ort_session_from_bytes(out->ort, bytes, text, &options, own, &out->session)
                      : diag_memory(own);
        arena_free(&a);
    } else {
        status = ort_session_from_file(out->ort, s->path, &options, own, &out->session);
    }
    ticker_end(&ticker);
    return status;
}

o2w_status reference_open(const struct source *s, const struct reference_options *o,
                          struct diags *d, struct reference *out)
{
    struct diags own;
    *out = (struct reference){ .environment = o->environment };
    TRY(reference_probe(d, &out->ort));
    diags_init(&own, s->allocator);
    own.stage = d->stage;
    o2w_status status = open_session(s, (struct span){ 0 }, o, &own, out);
    if (status == O2W_BUILD_FAILED)
        status = restate(out->ort, &own, d);
    else
        diags_append(d, &own);
    diags_free(&own);
    return status;
}

static o2w_status open_rewritten(const struct source *s, const struct reference_options *o,
                                 struct diags *own, struct reference *out)
{
    struct wire_writer w;
    struct span bytes;
    wire_writer_init(&w, s->allocator);
    o2w_status status = nbits_adjust(s->model, own, &w);
    if (status == O2W_OK)
        status = wire_written(&w, &bytes);
    if (status == O2W_OK)
        status = open_session(s, bytes, o, own, out);
    wire_writer_free(&w);
    return status;
}

o2w_status reference_open_adjusted(const struct source *s, const struct nbits *n,
                                   const struct reference_options *o, struct diags *d,
                                   struct reference *out)
{
    struct diags own;
    char levels[120];
    *out = (struct reference){ .environment = o->environment };
    TRY(reference_probe(d, &out->ort));
    diags_init(&own, s->allocator);
    own.stage = d->stage;
    o2w_status status = open_rewritten(s, o, &own, out);
    if (status == O2W_OK || status == O2W_NO_MEMORY || status == O2W_CANCELLED) {
        diags_append(d, &own);
    } else {
        nbits_levels_text(n, levels, sizeof levels);
        status = diag_error(d, DIAG_REFERENCE_ACCURACY_LEVEL,
                            "%llu MatMulNBits node%s accuracy_level %s and the reference cannot be "
                            "adjusted: %s",
                            (unsigned long long)n->accurate, n->accurate == 1 ? " has" : "s have",
                            levels, engine_text(&own));
        diag_hint(d, "--strict-reference judges against the model as published");
    }
    diags_free(&own);
    return status;
}

void reference_close(struct reference *r)
{
    ort_session_free(r->session);
    *r = (struct reference){ 0 };
}

/* --- runs --------------------------------------------------------------------------------------------- */

static o2w_status run_session(const struct reference *r, const struct source *s, struct arena *a,
                              struct diags *d, struct reference_result *out)
{
    struct ticker ticker;
    size_t count = 0;
    struct ort_feed *feeds = ARENA_ARRAY(a, s->input_count, struct ort_feed);
    if (!feeds)
        return diag_memory(d);
    for (size_t i = 0; i < s->input_count; i++)
        if (!s->inputs[i].initialized)
            feeds[count++] =
                (struct ort_feed){ s->inputs[i].feed.name, source_tensor(&s->inputs[i]) };
    TRY(ticker_begin(&ticker, r->environment, "reference", d));
    struct ort_cancel cancel = { .flag = &ticker.cancel };
    o2w_status status = ort_session_run(r->session, feeds, count, s->outputs, s->output_count,
                                        &cancel, d, out->values);
    ticker_end(&ticker);
    return status;
}

/* Bytes of the array of values, at least one. */
static size_t values_size(size_t count)
{
    return count * sizeof(void *) + 1;
}

o2w_status reference_run(const struct reference *r, const struct source *s, struct diags *d,
                         struct reference_result *out)
{
    struct arena arena;
    size_t size = values_size(s->output_count);
    *out = (struct reference_result){ .ort = r->ort };
    out->values = mem_alloc(NULL, size);
    if (!out->values)
        return diag_memory(d);
    memset(out->values, 0, size);
    arena_init(&arena, s->allocator);
    o2w_status status = run_session(r, s, &arena, d, out);
    arena_free(&arena);
    out->count = s->output_count;
    if (status != O2W_OK) {
        memset(out->values, 0, size);
        reference_result_free(out);
    }
    return status;
}

void reference_result_free(struct reference_result *r)
{
    for (size_t i = 0; i < r->count; i++)
        ort_value_free(r->ort, r->values[i]);
    if (r->values)
        mem_free(NULL, r->values, values_size(r->count));
    *r = (struct reference_result){ 0 };
}
