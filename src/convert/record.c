#include "convert/record.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

enum { SAMPLE_END = 64 * 1024, SAMPLE_WINDOW = 4096, SAMPLE_WINDOWS = 64, RECORD_LIMIT = 16 << 20 };

/* --- sampling --------------------------------------------------------------------------------------- */

static o2w_status sample_range(struct file *f, uint64_t offset, uint64_t size, struct sha256 *s,
                               struct diags *d)
{
    uint8_t buffer[SAMPLE_WINDOW];
    while (size) {
        size_t part = size < sizeof buffer ? (size_t)size : sizeof buffer;
        TRY(file_read(f, offset, buffer, part, d));
        sha256_add(s, buffer, part);
        offset += part;
        size -= part;
    }
    return O2W_OK;
}

o2w_status record_sample(struct file *f, struct diags *d, char text[65])
{
    struct sha256 s;
    uint8_t digest[32], length[8];
    uint64_t end = f->size < SAMPLE_END ? f->size : SAMPLE_END;
    sha256_begin(&s);
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(f->size >> (8 * i));
    sha256_add(&s, length, sizeof length);
    TRY(sample_range(f, 0, end, &s, d));
    TRY(sample_range(f, f->size - end, end, &s, d));
    for (uint64_t i = 0; f->size > SAMPLE_WINDOW && i < SAMPLE_WINDOWS; i++)
        TRY(sample_range(f, (f->size - SAMPLE_WINDOW) / SAMPLE_WINDOWS * i, SAMPLE_WINDOW, &s, d));
    sha256_end(&s, digest);
    hex_print(digest, sizeof digest, text);
    return O2W_OK;
}

/* --- writing ---------------------------------------------------------------------------------------- */

static o2w_status put_file(struct json_writer *w, const char *key, struct span name, struct file *f,
                           const char *sha256, struct diags *d)
{
    char sample[65], time[24];
    TRY(record_sample(f, d, sample));
    text_format(time, sizeof time, "%llu", (unsigned long long)f->mtime_ns);
    json_key(w, key);
    json_put_string(w, name);
    json_key(w, "bytes");
    json_put_u64(w, f->size);
    json_key(w, "mtimeNs");
    json_put_text(w, time);
    json_key(w, "sample");
    json_put_text(w, sample);
    json_key(w, "sha256");
    json_put_text(w, sha256);
    return O2W_OK;
}

static struct span relative_to(struct span folder, const char *path)
{
    struct span all = span_of(path);
    if (folder.size && span_starts(all, folder) && all.size > folder.size + 1)
        return (struct span){ all.data + folder.size + 1, all.size - folder.size - 1 };
    return folder.size ? path_name(all) : all;
}

static o2w_status put_source(struct json_writer *w, const o2w_conversion *c, const char *sha256,
                             struct diags *d)
{
    size_t count;
    struct file *const *files = onnx_model_files(c->model, &count);
    struct span folder = path_folder(span_of(c->model->file->path));
    json_key(w, "source");
    json_open(w, '{');
    TRY(put_file(w, "name", path_name(span_of(c->model->file->path)), c->model->file, sha256, d));
    json_key(w, "external");
    json_open(w, '[');
    for (size_t i = 0; i < count; i++) {
        if (!files[i])
            continue;
        json_open(w, '{');
        TRY(put_file(w, "path", relative_to(folder, files[i]->path), files[i], NULL, d));
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
    return O2W_OK;
}

static void put_dims(struct json_writer *w, const struct lowering *l)
{
    json_key(w, "dims");
    json_open(w, '{');
    for (size_t i = 0; i < l->dim_count; i++) {
        json_key_span(w, l->dims[i].name);
        json_open(w, '{');
        json_key(w, "value");
        json_put_i64(w, l->dims[i].value);
        json_key(w, "from");
        json_put_text(w, dim_source_text(l->dims[i].from));
        json_close(w, '}');
    }
    json_close(w, '}');
    json_key(w, "pins");
    json_open(w, '{');
    for (size_t i = 0; i < l->input_count; i++)
        if (l->inputs[i].pinned) {
            json_key_span(w, l->inputs[i].name);
            json_put_i64(w, l->inputs[i].pin);
        }
    json_close(w, '}');
}

static void put_lists(struct json_writer *w, const struct lowering *l, const o2w_convert_options *o)
{
    json_key(w, "options");
    json_open(w, '{');
    json_key(w, "constantFolding");
    json_put_bool(w, o->constant_folding);
    json_key(w, "dynamicInputs");
    json_put_bool(w, o->dynamic_inputs);
    json_key(w, "zeroFilled");
    json_open(w, '[');
    for (size_t i = 0; i < l->zero_filled_count; i++)
        json_put_string(w, l->zero_filled[i]);
    json_close(w, ']');
    json_close(w, '}');
    json_key(w, "prunedInputs");
    json_open(w, '[');
    for (size_t i = 0; i < l->input_count; i++)
        if (l->inputs[i].pruned)
            json_put_string(w, l->inputs[i].name);
    json_close(w, ']');
    json_key(w, "emptyOutputs");
    json_open(w, '[');
    for (size_t i = 0; i < l->output_count; i++)
        if (l->outputs[i].empty)
            json_put_string(w, l->outputs[i].name);
    json_close(w, ']');
}

static void put_counts(struct json_writer *w, const o2w_conversion *c)
{
    json_key(w, "counts");
    json_open(w, '{');
    json_member_u64(w, "nodes", c->counts.nodes);
    json_member_u64(w, "operators", c->counts.operators);
    json_member_u64(w, "weightBytes", c->counts.weight_bytes);
    json_close(w, '}');
}

static void put_written(struct json_writer *w, const struct format_written *written)
{
    char hex[65];
    json_key(w, "graph");
    json_open(w, '{');
    json_key(w, "bytes");
    json_put_u64(w, written->graph_bytes);
    json_key(w, "sha256");
    hex_print(written->graph_sha256, 32, hex);
    json_put_text(w, hex);
    json_close(w, '}');
    json_key(w, "weights");
    json_open(w, '{');
    json_key(w, "file");
    json_put_string(w, path_name(span_of(written->archive_path)));
    json_key(w, "entries");
    hex_print(written->entries_sha256, 32, hex);
    json_put_text(w, hex);
    json_close(w, '}');
}

static o2w_status write_text(const char *path, struct span text, bool sync, struct diags *d)
{
    struct file_writer *f;
    TRY(file_create(path, NULL, d, &f));
    o2w_status s = file_write(f, text.data, text.size, d);
    if (s == O2W_OK)
        s = file_write(f, "\n", 1, d);
    if (s == O2W_OK)
        return file_commit(f, sync, d);
    file_discard(f);
    return s;
}

o2w_status record_write(const o2w_conversion *c, const o2w_convert_options *o,
                        const struct format_written *written, const char *graph_path,
                        struct arena *a, struct diags *d, const char **path)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, c->allocator, 1);
    json_open(&w, '{');
    json_key(&w, "schema");
    json_put_text(&w, "onnx2webnn.record");
    json_key(&w, "version");
    json_put_i64(&w, 1);
    json_key(&w, "tool");
    json_put_text(&w, O2W_VERSION);
    o2w_status s = put_source(&w, c, o->source_sha256, d);
    put_dims(&w, c->lowering);
    put_lists(&w, c->lowering, o);
    put_written(&w, written);
    if (o->source_sha256) /* of a manifest's run, which reports them again without converting */
        put_counts(&w, c);
    json_close(&w, '}');
    *path = path_with_extension(graph_path, ".o2w.json", a);
    if (s == O2W_OK && (json_written(&w, &text) != O2W_OK || !*path))
        s = diag_memory(d);
    if (s == O2W_OK)
        s = write_text(*path, text, o->sync, d);
    json_writer_free(&w);
    return s;
}

/* --- reading ---------------------------------------------------------------------------------------- */

/* Growing lists while the document is read; moved into the record at the end. */
struct reading {
    struct json_reader json;
    struct arena *arena;
    struct record *record;
    VEC(struct record_file) external;
    VEC(struct dim_binding) dims;
    VEC(struct lower_pin) pins;
};

static struct span keep(struct reading *r, struct span s)
{
    return arena_copy(r->arena, s);
}

static o2w_status read_file_member(struct reading *r, const struct json_value *v,
                                   struct record_file *f)
{
    struct span text;
    if (span_is(v->key, "name") || span_is(v->key, "path")) {
        TRY(json_string(&r->json, v, &text));
        f->path = keep(r, text);
    } else if (span_is(v->key, "bytes")) {
        return json_u64(&r->json, v, &f->bytes);
    } else if (span_is(v->key, "mtimeNs")) {
        TRY(json_string(&r->json, v, &text));
        return number_parse_u64(text, &f->mtime_ns);
    } else if (span_is(v->key, "sample")) {
        TRY(json_string(&r->json, v, &text));
        f->sample = keep(r, text);
    } else if (span_is(v->key, "sha256") && v->kind == JSON_STRING) {
        f->sha256 = keep(r, v->text);
    } else {
        return json_skip(&r->json, v);
    }
    return O2W_OK;
}

static o2w_status read_externals(struct reading *r)
{
    struct json_value item, v;
    for (;;) {
        struct record_file f = { 0 };
        TRY(json_next(&r->json, &item));
        if (item.kind == JSON_END)
            return O2W_OK;
        if (item.kind != JSON_OBJECT)
            return json_wrong(&r->json, &item, "an object");
        for (;;) {
            TRY(json_next(&r->json, &v));
            if (v.kind == JSON_END)
                break;
            TRY(read_file_member(r, &v, &f));
        }
        if (!VEC_PUSH(&r->external, f))
            return O2W_NO_MEMORY;
    }
}

static o2w_status read_source(struct reading *r)
{
    struct json_value v;
    for (;;) {
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        if (span_is(v.key, "external") && v.kind == JSON_ARRAY)
            TRY(read_externals(r));
        else
            TRY(read_file_member(r, &v, &r->record->source));
    }
}

static o2w_status read_dims(struct reading *r)
{
    struct json_value item, v;
    for (;;) {
        struct dim_binding b = { .from = DIM_RECORD };
        TRY(json_next(&r->json, &item));
        if (item.kind == JSON_END)
            return O2W_OK;
        b.name = keep(r, item.key);
        if (item.kind != JSON_OBJECT)
            return json_wrong(&r->json, &item, "an object");
        for (;;) {
            TRY(json_next(&r->json, &v));
            if (v.kind == JSON_END)
                break;
            if (span_is(v.key, "value"))
                TRY(json_i64(&r->json, &v, &b.value));
            else
                TRY(json_skip(&r->json, &v));
        }
        if (!VEC_PUSH(&r->dims, b))
            return O2W_NO_MEMORY;
    }
}

static o2w_status read_pins(struct reading *r)
{
    struct json_value v;
    for (;;) {
        struct lower_pin p = { 0 };
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        p.name = keep(r, v.key);
        TRY(json_i64(&r->json, &v, &p.value));
        if (!VEC_PUSH(&r->pins, p))
            return O2W_NO_MEMORY;
    }
}

static o2w_status read_texts(struct reading *r, const struct span **out, size_t *count)
{
    struct json_value v;
    struct span text;
    VEC(struct span) items = { 0 };
    o2w_status s = O2W_OK;
    for (;;) {
        s = json_next(&r->json, &v);
        if (s != O2W_OK || v.kind == JSON_END)
            break;
        s = json_string(&r->json, &v, &text);
        if (s == O2W_OK && !VEC_PUSH(&items, keep(r, text)))
            s = O2W_NO_MEMORY;
        if (s != O2W_OK)
            break;
    }
    struct span bytes = { (const uint8_t *)items.items, items.count * sizeof *items.items };
    struct span *copy = ARENA_ARRAY(r->arena, items.count, struct span);
    if (copy && bytes.size)
        memcpy(copy, bytes.data, bytes.size);
    *out = copy;
    *count = items.count;
    VEC_FREE(&items);
    return s;
}

static o2w_status read_options(struct reading *r)
{
    struct json_value v;
    for (;;) {
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        if (span_is(v.key, "constantFolding"))
            TRY(json_bool(&r->json, &v, &r->record->constant_folding));
        else if (span_is(v.key, "dynamicInputs"))
            TRY(json_bool(&r->json, &v, &r->record->dynamic_inputs));
        else if (span_is(v.key, "zeroFilled") && v.kind == JSON_ARRAY)
            TRY(read_texts(r, &r->record->zero_filled, &r->record->zero_filled_count));
        else
            TRY(json_skip(&r->json, &v));
    }
}

/* graph and weights: two objects of a few members. */
static o2w_status read_written(struct reading *r)
{
    struct json_value v;
    struct span text;
    for (;;) {
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        if (span_is(v.key, "bytes")) {
            TRY(json_u64(&r->json, &v, &r->record->graph_bytes));
            continue;
        }
        TRY(json_string(&r->json, &v, &text));
        if (span_is(v.key, "sha256"))
            r->record->graph_sha256 = keep(r, text);
        else if (span_is(v.key, "file"))
            r->record->weights_file = keep(r, text);
        else if (span_is(v.key, "entries"))
            r->record->entries = keep(r, text);
    }
}

static o2w_status read_counts(struct reading *r)
{
    struct json_value v;
    for (;;) {
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        if (span_is(v.key, "nodes"))
            TRY(json_u64(&r->json, &v, &r->record->nodes));
        else if (span_is(v.key, "operators"))
            TRY(json_u64(&r->json, &v, &r->record->operators));
        else if (span_is(v.key, "weightBytes"))
            TRY(json_u64(&r->json, &v, &r->record->weight_bytes));
        else
            TRY(json_skip(&r->json, &v));
    }
}

static o2w_status read_member(struct reading *r, const struct json_value *v)
{
    int64_t version;
    if (span_is(v->key, "version")) {
        TRY(json_i64(&r->json, v, &version));
        return version == 1 ? O2W_OK
                            : diag_error(r->json.diags, DIAG_CACHE_RECORD,
                                         "version %lld is newer than 1", (long long)version);
    }
    if (v->kind == JSON_STRING && span_is(v->key, "tool")) {
        r->record->tool = keep(r, v->text);
        return O2W_OK;
    }
    if (v->kind == JSON_ARRAY && span_is(v->key, "prunedInputs"))
        return read_texts(r, &r->record->pruned, &r->record->pruned_count);
    if (v->kind == JSON_ARRAY && span_is(v->key, "emptyOutputs"))
        return read_texts(r, &r->record->empty, &r->record->empty_count);
    if (v->kind != JSON_OBJECT)
        return json_skip(&r->json, v);
    if (span_is(v->key, "source"))
        return read_source(r);
    if (span_is(v->key, "dims"))
        return read_dims(r);
    if (span_is(v->key, "pins"))
        return read_pins(r);
    if (span_is(v->key, "options"))
        return read_options(r);
    if (span_is(v->key, "graph") || span_is(v->key, "weights"))
        return read_written(r);
    if (span_is(v->key, "counts"))
        return read_counts(r);
    return json_skip(&r->json, v);
}

static o2w_status read_document(struct reading *r, struct span text, const char *path,
                                struct diags *d)
{
    struct json_value v;
    TRY(json_begin(&r->json, text, span_of(path), r->arena, d));
    TRY(json_next(&r->json, &v));
    if (v.kind != JSON_OBJECT)
        return json_wrong(&r->json, &v, "an object");
    for (;;) {
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            break;
        TRY(read_member(r, &v));
    }
    return json_finish(&r->json);
}

static o2w_status move_lists(struct reading *r)
{
    struct record *out = r->record;
    struct record_file *external = ARENA_ARRAY(r->arena, r->external.count, struct record_file);
    struct dim_binding *dims = ARENA_ARRAY(r->arena, r->dims.count, struct dim_binding);
    struct lower_pin *pins = ARENA_ARRAY(r->arena, r->pins.count, struct lower_pin);
    if (!external || !dims || !pins)
        return O2W_NO_MEMORY;
    if (r->external.count)
        memcpy(external, r->external.items, r->external.count * sizeof *external);
    if (r->dims.count)
        memcpy(dims, r->dims.items, r->dims.count * sizeof *dims);
    if (r->pins.count)
        memcpy(pins, r->pins.items, r->pins.count * sizeof *pins);
    out->external = external;
    out->external_count = r->external.count;
    out->dims = dims;
    out->dim_count = r->dims.count;
    out->pins = pins;
    out->pin_count = r->pins.count;
    return O2W_OK;
}

o2w_status record_read(const char *graph_path, struct arena *a, struct diags *d, struct record *out,
                       bool *found)
{
    struct reading r = { .arena = a, .record = out };
    struct span text;
    struct diags own;
    const char *path = path_with_extension(graph_path, ".o2w.json", a);
    *found = false;
    *out = (struct record){ 0 };
    if (!path)
        return diag_memory(d);
    if (!path_is_file(path))
        return O2W_OK;
    diags_init(&own, a->allocator);
    o2w_status s = file_read_all(path, RECORD_LIMIT, a, &own, &text);
    if (s == O2W_OK)
        s = read_document(&r, text, path, &own);
    if (s == O2W_OK)
        s = move_lists(&r);
    if (s != O2W_OK && s != O2W_NO_MEMORY)
        diag_warning(d, DIAG_CACHE_RECORD, "'%s' cannot be read as a conversion record: %s", path,
                     own.first ? own.first->message : o2w_status_text(s));
    *found = s == O2W_OK;
    VEC_FREE(&r.external);
    VEC_FREE(&r.dims);
    VEC_FREE(&r.pins);
    diags_free(&own);
    return s == O2W_NO_MEMORY ? diag_memory(d) : O2W_OK;
}

/* --- freshness -------------------------------------------------------------------------------------- */

/* Size and mtime, or else the sample, are those of the record. */
static o2w_status file_is_fresh(const struct record_file *r, const char *path, struct diags *d,
                                bool *fresh)
{
    struct file *f;
    char sample[65];
    *fresh = false;
    if (!path_is_file(path))
        return O2W_OK;
    TRY(file_open(path, NULL, d, &f));
    o2w_status s = O2W_OK;
    if (f->size == r->bytes && f->mtime_ns == r->mtime_ns)
        *fresh = true;
    else if (f->size == r->bytes && (s = record_sample(f, d, sample)) == O2W_OK)
        *fresh = span_is(r->sample, sample);
    file_release(f);
    return s;
}

o2w_status record_is_fresh(const struct record *r, const char *model, struct diags *d, bool *fresh)
{
    struct arena a;
    struct span folder = path_folder(span_of(model));
    TRY(file_is_fresh(&r->source, model, d, fresh));
    arena_init(&a, NULL);
    o2w_status s = O2W_OK;
    for (size_t i = 0; *fresh && s == O2W_OK && i < r->external_count; i++) {
        char *path = path_join(&a, folder, r->external[i].path);
        s = path ? file_is_fresh(&r->external[i], path, d, fresh) : O2W_NO_MEMORY;
    }
    arena_free(&a);
    return s;
}
