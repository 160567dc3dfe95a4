/* The model, its graph, and whether the conversion record still holds. */
#include "validate/validation.h"

#include <string.h>

/* --- finding the graph -------------------------------------------------------------------------------- */

static o2w_status cached_path(struct validation *v, const char *onnx)
{
    const char *folder, *name;
    TRY(cache_folder(O2W_CACHE_WEBNN, false, &v->arena, v->diags, &folder));
    TRY(cache_name(onnx, &v->arena, v->diags, &name));
    v->graph_path = arena_printf(&v->arena, "%s/%s.webnn", folder, name);
    if (!v->graph_path)
        return diag_memory(v->diags);
    if (path_is_file(v->graph_path))
        return O2W_OK;
    o2w_status s = diag_error(v->diags, DIAG_CACHE_MISSING, "no converted graph for '%s'", onnx);
    diag_at(v->diags, "%s", v->graph_path);
    diag_hint(v->diags, "onnx2webnn convert --model %s, or name the graph with --webnn", onnx);
    return s;
}

/* --- the record, before the graph is loaded ------------------------------------------------------------ */

static o2w_status stale(struct validation *v, const char *onnx)
{
    v->report->record = RECORD_STALE;
    if (!v->cached) {
        diag_warning(v->diags, DIAG_CACHE_STALE_GRAPH,
                     "'%s' was converted from a model with other content than '%s'", v->graph_path,
                     onnx);
        return O2W_OK;
    }
    o2w_status s = diag_error(v->diags, DIAG_CACHE_STALE,
                              "the model '%s' has changed since it was converted", onnx);
    diag_at(v->diags, "%s", v->graph_path);
    diag_hint(v->diags, "onnx2webnn convert --model %s", onnx);
    return s;
}

static o2w_status read_record(struct validation *v, const char *onnx)
{
    bool fresh;
    v->report->record = RECORD_IGNORED;
    if (v->options->ignore_record)
        return O2W_OK;
    v->report->record = RECORD_NONE;
    TRY(record_read(v->graph_path, &v->arena, v->diags, &v->record, &v->has_record));
    if (!v->has_record)
        return v->cached ? diag_note(v->diags, DIAG_CACHE_RECORD, "'%s' has no conversion record",
                                     v->graph_path)
                         : O2W_OK;
    TRY(record_is_fresh(&v->record, onnx, v->diags, &fresh));
    v->report->record = RECORD_FRESH;
    return fresh ? O2W_OK : stale(v, onnx);
}

o2w_status stage_read(struct validation *v, const char *onnx, const char *webnn)
{
    TRY(source_open(onnx, v->environment, v->diags, &v->source));
    v->cached = !webnn;
    v->graph_path = webnn;
    if (!webnn)
        TRY(cached_path(v, onnx));
    v->report->model = arena_text(&v->report->arena, span_of(onnx));
    v->report->graph = arena_text(&v->report->arena, span_of(v->graph_path));
    v->report->graph_name = arena_text(&v->report->arena, path_name(span_of(v->graph_path)));
    if (!v->report->model || !v->report->graph || !v->report->graph_name)
        return diag_memory(v->diags);
    return read_record(v, onnx);
}

/* --- loading ------------------------------------------------------------------------------------------ */

static o2w_status torn(struct validation *v, const char *what)
{
    o2w_status s = diag_error(v->diags, DIAG_CACHE_TORN,
                              "%s of '%s' is not the one that its conversion record tells of", what,
                              v->graph_path);
    diag_hint(v->diags, v->cached ? "convert again"
                                  : "convert again, or --ignore-record to compare what is there");
    return s;
}

static bool is_about_weights(const struct diags *d)
{
    static const enum diag_code codes[] = { DIAG_WEIGHTS_MISSING, DIAG_WEIGHTS_DTYPE,
                                            DIAG_WEIGHTS_SHAPE,   DIAG_WEIGHTS_AMBIGUOUS,
                                            DIAG_WEIGHTS_PACKED4, DIAG_ST_RANGE };
    for (const struct diag *item = d->first; item; item = item->next)
        for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
            if (item->severity == O2W_SEVERITY_ERROR && item->code == codes[i])
                return true;
    return false;
}

/* An archive that does not fit the graph any more is another one than was written with it. */
o2w_status stage_reload(struct validation *v)
{
    struct diags own;
    webnn_load_options load = { .size = sizeof load,
                                .weights = v->options->weights,
                                .environment = v->environment };
    diags_init(&own, v->allocator);
    own.stage = v->diags->stage;
    o2w_status s = api_graph_load(v->graph_path, &load, &own, &v->graph);
    if (s != O2W_OK && v->has_record && !v->options->weights && is_about_weights(&own)) {
        v->diags->stage = "read";
        s = torn(v, "the weights archive");
        diag_line(v->diags, "found", "%s", own.first->message);
    } else {
        diags_append(v->diags, &own);
    }
    diags_free(&own);
    return s;
}

/* --- the record and the loaded graph -------------------------------------------------------------------- */

static o2w_status check_graph_file(struct validation *v)
{
    struct file *f;
    struct span bytes;
    struct sha256 sum;
    uint8_t digest[32];
    char hex[65];
    if (!v->record.graph_sha256.size)
        return O2W_OK;
    TRY(file_open(v->graph_path, v->allocator, v->diags, &f));
    o2w_status s = file_bytes(f, v->diags, &bytes);
    if (s == O2W_OK) {
        sha256_begin(&sum);
        sha256_add(&sum, bytes.data, bytes.size);
        sha256_end(&sum, digest);
        hex_print(digest, sizeof digest, hex);
        if (!span_is(v->record.graph_sha256, hex))
            s = torn(v, "the text");
    }
    file_release(f);
    return s;
}

static o2w_status check_archive(struct validation *v)
{
    uint8_t digest[32];
    char hex[65];
    if (!v->record.entries.size || v->options->weights)
        return O2W_OK;
    TRY(format_entries_digest(api_graph(v->graph), v->diags, digest));
    hex_print(digest, sizeof digest, hex);
    return span_is(v->record.entries, hex) ? O2W_OK : torn(v, "the weights archive");
}

static o2w_status check_zero_filled(struct validation *v)
{
    if (!v->record.zero_filled_count)
        return O2W_OK;
    o2w_status s = diag_error(v->diags, DIAG_WEIGHTS_ZERO_FILLED,
                              "%zu weights of the graph are zeros in place of missing external "
                              "data: numbers would be meaningless",
                              v->record.zero_filled_count);
    diag_at(v->diags, "first: '%.*s'", SPAN_ARG(v->record.zero_filled[0]));
    diag_hint(v->diags, "put the external data beside the model and convert again");
    return s;
}

/* --- specialization ------------------------------------------------------------------------------------- */

/* What the conversion fixed, by the graph's directives, else by the record. */
static bool fixed_dim(const struct validation *v, struct span name, int64_t *value)
{
    const struct graph *g = api_graph(v->graph);
    for (size_t i = 0; i < g->dims.count; i++)
        if (span_equal(names_text(&g->names, g->dims.items[i].name), name)) {
            *value = g->dims.items[i].value;
            return true;
        }
    for (size_t i = 0; i < v->record.dim_count; i++)
        if (span_equal(v->record.dims[i].name, name)) {
            *value = v->record.dims[i].value;
            return true;
        }
    return false;
}

static bool fixed_pin(const struct validation *v, struct span name, int64_t *value)
{
    const struct graph *g = api_graph(v->graph);
    for (size_t i = 0; i < g->pins.count; i++)
        if (span_equal(names_text(&g->names, g->pins.items[i].name), name)) {
            *value = g->pins.items[i].value;
            return true;
        }
    for (size_t i = 0; i < v->record.pin_count; i++)
        if (span_equal(v->record.pins[i].name, name)) {
            *value = v->record.pins[i].value;
            return true;
        }
    return false;
}

struct difference_list {
    struct validation *v;
    size_t dims, pins;
    const char *found, *hint;
};

static void add_difference(struct difference_list *l, const char *name, int64_t fixed,
                           int64_t asked, const char *option)
{
    struct arena *a = &l->v->arena;
    l->found = arena_printf(a, "%s%s%s=%lld in the graph, %lld asked for", l->found ? l->found : "",
                            l->found ? "; " : "", name, (long long)fixed, (long long)asked);
    l->hint = arena_printf(a, "%s%s %s=%lld", l->hint ? l->hint : "convert again with", option,
                           name, (long long)asked);
}

static o2w_status check_specialization(struct validation *v)
{
    const o2w_validate_options *o = v->options;
    struct difference_list l = { .v = v };
    int64_t fixed;
    for (size_t i = 0; i < o->dim_count; i++)
        if (fixed_dim(v, span_of(o->dims[i].name), &fixed) && fixed != o->dims[i].value) {
            add_difference(&l, o->dims[i].name, fixed, o->dims[i].value, " --override-dim");
            l.dims++;
        }
    for (size_t i = 0; i < o->pin_count; i++)
        if (fixed_pin(v, span_of(o->pins[i].name), &fixed) && fixed != o->pins[i].value) {
            add_difference(&l, o->pins[i].name, fixed, o->pins[i].value, " --pin-input");
            l.pins++;
        }
    if (!l.dims && !l.pins)
        return O2W_OK;
    o2w_status s =
        diag_error(v->diags, DIAG_CACHE_SPECIALIZATION, "the graph was converted with other %s",
                   !l.pins   ? "dimensions"
                   : !l.dims ? "pins"
                             : "dimensions and pins");
    diag_line(v->diags, "found", "%s", l.found ? l.found : "");
    diag_hint(v->diags, "%s and a separate --output", l.hint ? l.hint : "convert again");
    return s;
}

o2w_status stage_check(struct validation *v)
{
    TRY(check_specialization(v));
    if (!v->has_record)
        return O2W_OK;
    TRY(check_graph_file(v));
    TRY(check_archive(v));
    return check_zero_filled(v);
}
