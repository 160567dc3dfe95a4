/* The manifest of a weight blob. */
#include "base/checked.h"
#include "base/json.h"
#include "base/text.h"
#include "format/weights.h"

#include <string.h>

enum { MANIFEST_MAX = 100000000, HEAD_SIZE = 8 };

struct manifest {
    struct loader *loader;
    struct weight_store *store;
    const char *path;
    uint64_t head; /* bytes of the blob's head: no tensor may touch them */
    struct json_reader json;
    VEC(struct archive_entry) entries;
    VEC(int64_t) dims;
    bool has_tensors;
};

static o2w_status refuse(struct manifest *m, const struct json_value *v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static o2w_status refuse(struct manifest *m, const struct json_value *v, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    text_vformat(text, sizeof text, format, args);
    va_end(args);
    o2w_status status = diag_error(m->loader->diags, DIAG_WEIGHTS_MANIFEST, "%s", text);
    diag_position(m->loader->diags, span_of(m->path), -1, v->line, v->column);
    return status;
}

static o2w_status note(struct manifest *m, const struct json_value *v, const char *what)
{
    o2w_status status = diag_note(m->loader->diags, DIAG_TEXT_DIALECT, "%s '%.*s' in the manifest",
                                  what, SPAN_ARG(v->text));
    diag_position(m->loader->diags, span_of(m->path), -1, v->line, v->column);
    return status;
}

/* ---- one tensor ---- */

struct entry_parts {
    struct archive_entry entry;
    bool has_offset, has_length;
};

static o2w_status read_shape(struct manifest *m, const struct json_value *v,
                             struct archive_entry *e)
{
    struct json_value item;
    if (v->kind != JSON_ARRAY)
        return json_wrong(&m->json, v, "an array");
    m->dims.count = 0;
    TRY(json_next(&m->json, &item));
    while (item.kind != JSON_END) {
        int64_t size;
        TRY(json_i64(&m->json, &item, &size));
        if (size < 0)
            return refuse(m, &item, "shape of '%.*s' holds %lld", SPAN_ARG(e->key),
                          (long long)size);
        if (!VEC_PUSH(&m->dims, size))
            return diag_memory(m->loader->diags);
        TRY(json_next(&m->json, &item));
    }
    int64_t *dims = ARENA_ARRAY(m->loader->arena, m->dims.count, int64_t);
    if (!dims)
        return diag_memory(m->loader->diags);
    if (m->dims.count > 0)
        memcpy(dims, m->dims.items, m->dims.count * sizeof *dims);
    e->dims = dims;
    e->rank = (uint32_t)m->dims.count;
    return O2W_OK;
}

static o2w_status read_dtype(struct manifest *m, const struct json_value *v,
                             struct archive_entry *e)
{
    TRY(json_string(&m->json, v, &e->dtype_name));
    e->dtype = DTYPE_COUNT;
    enum dtype t;
    if (dtype_by_name(e->dtype_name, &t) || dtype_by_text(e->dtype_name, &t))
        e->dtype = t;
    return O2W_OK;
}

static o2w_status read_layout(struct manifest *m, const struct json_value *v, struct span key)
{
    struct span layout;
    TRY(json_string(&m->json, v, &layout));
    return span_is(layout, "row-major")
               ? O2W_OK
               : refuse(m, v, "layout of '%.*s' is '%.*s', must be 'row-major'", SPAN_ARG(key),
                        SPAN_ARG(layout));
}

static o2w_status read_member(struct manifest *m, const struct json_value *v,
                              struct entry_parts *parts)
{
    struct archive_entry *e = &parts->entry;
    if (span_is(v->key, "byteOffset"))
        return parts->has_offset = true, json_u64(&m->json, v, &e->offset);
    if (span_is(v->key, "byteLength"))
        return parts->has_length = true, json_u64(&m->json, v, &e->length);
    if (v->kind == JSON_NULL)
        return O2W_OK;
    if (span_is(v->key, "dataType"))
        return read_dtype(m, v, e);
    if (span_is(v->key, "shape"))
        return read_shape(m, v, e);
    if (span_is(v->key, "layout"))
        return read_layout(m, v, e->key);
    return json_skip(&m->json, v);
}

static o2w_status check_range(struct manifest *m, const struct json_value *v,
                              const struct archive_entry *e)
{
    uint64_t end = 0;
    const char *rule = e->offset < m->head                    ? "touch the head of the file"
                       : !add_u64(e->offset, e->length, &end) ? "end beyond 2^64"
                       : end > m->store->file->size           ? "are past the end of the file"
                                                              : NULL;
    if (!rule)
        return O2W_OK;
    unsigned long long first = e->offset, behind = first + e->length;
    o2w_status status = diag_error(m->loader->diags, DIAG_ST_RANGE, "'%.*s': bytes [%llu,%llu) %s",
                                   SPAN_ARG(e->key), first, behind, rule);
    diag_position(m->loader->diags, span_of(m->path), -1, v->line, v->column);
    return status;
}

static o2w_status read_entry(struct manifest *m, const struct json_value *v)
{
    struct entry_parts parts = { .entry = { .key = v->key, .dtype = DTYPE_COUNT } };
    struct json_value start = *v, member;
    if (v->kind != JSON_OBJECT)
        return json_wrong(&m->json, v, "an object");
    TRY(json_next(&m->json, &member));
    while (member.kind != JSON_END) {
        TRY(read_member(m, &member, &parts));
        TRY(json_next(&m->json, &member));
    }
    if (!parts.has_offset || !parts.has_length)
        return refuse(m, &start, "'%.*s' needs %s", SPAN_ARG(start.key),
                      parts.has_offset ? "byteLength" : "byteOffset");
    TRY(check_range(m, &start, &parts.entry));
    return VEC_PUSH(&m->entries, parts.entry) ? O2W_OK : diag_memory(m->loader->diags);
}

/* ---- the file ---- */

static o2w_status read_tensors(struct manifest *m, const struct json_value *v)
{
    struct json_value item;
    m->has_tensors = true;
    if (v->kind != JSON_OBJECT)
        return json_wrong(&m->json, v, "an object");
    TRY(json_next(&m->json, &item));
    while (item.kind != JSON_END) {
        TRY(read_entry(m, &item));
        TRY(json_next(&m->json, &item));
    }
    return O2W_OK;
}

static o2w_status read_root_member(struct manifest *m, const struct json_value *v)
{
    uint64_t version;
    if (span_is(v->key, "tensors"))
        return read_tensors(m, v);
    if (span_is(v->key, "format") && v->kind == JSON_STRING)
        return span_is(v->text, "wg-weights-manifest") || span_is(v->text, "webnn-weights-manifest")
                   ? O2W_OK
                   : note(m, v, "unknown format");
    if (span_is(v->key, "version")) {
        TRY(json_u64(&m->json, v, &version));
        return version == 1 ? O2W_OK
                            : refuse(m, v, "version %llu of the manifest isn't supported (1)",
                                     (unsigned long long)version);
    }
    if (span_is(v->key, "endianness") && v->kind == JSON_STRING)
        return span_is(v->text, "little")
                   ? O2W_OK
                   : refuse(m, v, "endianness of the manifest is '%.*s', must be 'little'",
                            SPAN_ARG(v->text));
    return json_skip(&m->json, v);
}

static o2w_status read_root(struct manifest *m)
{
    struct json_value root, v;
    TRY(json_next(&m->json, &root));
    if (root.kind != JSON_OBJECT)
        return refuse(m, &root, "a manifest must be an object");
    TRY(json_next(&m->json, &v));
    while (v.kind != JSON_END) {
        TRY(read_root_member(m, &v));
        TRY(json_next(&m->json, &v));
    }
    TRY(json_finish(&m->json));
    return m->has_tensors ? O2W_OK : refuse(m, &root, "the manifest needs 'tensors'");
}

static o2w_status keep_entries(struct manifest *m)
{
    struct archive_entry *entries =
        ARENA_ARRAY(m->loader->arena, m->entries.count, struct archive_entry);
    if (!entries)
        return diag_memory(m->loader->diags);
    for (size_t i = 0; i < m->entries.count; i++) {
        entries[i] = m->entries.items[i];
        if (map_insert(&m->store->manifest_keys, entries[i].key, (uint32_t)i, &(uint32_t *){ NULL },
                       NULL) != O2W_OK)
            return diag_memory(m->loader->diags);
    }
    m->store->entries = entries;
    m->store->count = (uint32_t)m->entries.count;
    return O2W_OK;
}

/* The blob may begin with "WGWT" and the version 1. */
static o2w_status read_head(struct manifest *m)
{
    uint8_t head[HEAD_SIZE];
    struct file *f = m->store->file;
    if (f->size < HEAD_SIZE)
        return O2W_OK;
    TRY(file_read(f, 0, head, HEAD_SIZE, m->loader->diags));
    if (memcmp(head, "WGWT", 4) != 0)
        return O2W_OK;
    m->head = HEAD_SIZE;
    if (memcmp(head + 4, "\1\0\0\0", 4) == 0)
        return O2W_OK;
    return diag_error(m->loader->diags, DIAG_WEIGHTS_MANIFEST,
                      "%s: version %u of the blob isn't supported (1)", f->path,
                      head[4] | (unsigned)head[5] << 8 | (unsigned)head[6] << 16 |
                          (unsigned)head[7] << 24);
}

static o2w_status read_manifest(struct manifest *m)
{
    struct loader *l = m->loader;
    struct span text;
    TRY(file_read_all(m->path, MANIFEST_MAX, l->arena, l->diags, &text));
    TRY(read_head(m));
    TRY(json_begin(&m->json, text, span_of(m->path), l->arena, l->diags));
    m->json.syntax = m->json.type = m->json.duplicate = DIAG_WEIGHTS_MANIFEST;
    TRY(read_root(m));
    return keep_entries(m);
}

o2w_status manifest_read(struct loader *l, const char *path, struct weight_store *store)
{
    struct manifest m = { .loader = l, .store = store, .path = path };
    m.entries.allocator = m.dims.allocator = l->builder.graph->allocator;
    o2w_status status = read_manifest(&m);
    VEC_FREE(&m.entries);
    VEC_FREE(&m.dims);
    return status;
}
