/* Archives of named tensors: opening, with every check of the container. */
#include "format/safetensors.h"

#include "base/checked.h"
#include "base/json.h"
#include "base/text.h"
#include "format/safetensors_dtypes.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, HEADER_MAX = 100000000 };

struct opening {
    struct archive *archive;
    struct diags *diags;
    struct json_reader json;
    struct diags json_diags; /* its messages are quoted in ours */
    uint64_t data_start, data_size;
    VEC(struct archive_entry) entries;
    VEC(struct archive_text) metadata;
    VEC(int64_t) dims; /* of the entry being read */
};

typedef unsigned long long ull;

static const char *path_of(const struct archive *a)
{
    return a->file->path ? a->file->path : "archive";
}

static o2w_status at_header(struct opening *o, o2w_status status)
{
    diag_position(o->diags, span_of(path_of(o->archive)), LENGTH_BYTES + (int64_t)o->json.position,
                  -1, -1);
    return status;
}

static o2w_status json_failed(struct opening *o, o2w_status status)
{
    const struct diag *inner = o->json_diags.newest;
    if (status == O2W_NO_MEMORY)
        return diag_memory(o->diags);
    return at_header(o, diag_error(o->diags, DIAG_ST_HEADER, "%s: header: %s", path_of(o->archive),
                                   inner ? inner->message : "not valid JSON"));
}

static o2w_status key_failed(struct opening *o, const char *member, struct span key,
                             const char *rule)
{
    return at_header(o, diag_error(o->diags, DIAG_ST_HEADER, "%s: header: %s of '%.*s' %s",
                                   path_of(o->archive), member, SPAN_ARG(key), rule));
}

static o2w_status next(struct opening *o, struct json_value *v)
{
    o2w_status status = json_next(&o->json, v);
    return status == O2W_OK ? O2W_OK : json_failed(o, status);
}

static o2w_status read_count(struct opening *o, const char *member, struct span key,
                             const struct json_value *v, uint64_t max, uint64_t *out)
{
    if (v->kind != JSON_NUMBER || !json_is_integer(v) || v->text.data[0] == '-')
        return key_failed(o, member, key, "must hold integers from 0");
    if (json_u64(&o->json, v, out) != O2W_OK || *out > max)
        return key_failed(o, member, key, "holds a number above 64 bits");
    return O2W_OK;
}

static o2w_status read_shape(struct opening *o, struct span key, const struct json_value *v,
                             struct archive_entry *e)
{
    if (v->kind != JSON_ARRAY)
        return key_failed(o, "shape", key, "must be an array");
    o->dims.count = 0;
    struct json_value item;
    TRY(next(o, &item));
    while (item.kind != JSON_END) {
        uint64_t size = 0;
        TRY(read_count(o, "shape", key, &item, INT64_MAX, &size));
        if (!VEC_PUSH(&o->dims, (int64_t)size))
            return diag_memory(o->diags);
        TRY(next(o, &item));
    }
    int64_t *dims = ARENA_ARRAY(&o->archive->arena, o->dims.count, int64_t);
    if (!dims)
        return diag_memory(o->diags);
    for (size_t i = 0; i < o->dims.count; i++)
        dims[i] = o->dims.items[i];
    e->dims = dims;
    e->rank = (uint32_t)o->dims.count;
    return O2W_OK;
}

static o2w_status read_offsets(struct opening *o, struct span key, const struct json_value *v,
                               uint64_t offsets[2])
{
    size_t count = 0;
    if (v->kind != JSON_ARRAY)
        return key_failed(o, "data_offsets", key, "must be an array");
    struct json_value item;
    TRY(next(o, &item));
    for (; item.kind != JSON_END; count++) {
        if (count == 2)
            break;
        TRY(read_count(o, "data_offsets", key, &item, UINT64_MAX, &offsets[count]));
        TRY(next(o, &item));
    }
    return item.kind == JSON_END && count == 2
               ? O2W_OK
               : key_failed(o, "data_offsets", key, "must hold two numbers");
}

static o2w_status read_dtype(struct opening *o, struct span key, const struct json_value *v,
                             struct archive_entry *e)
{
    if (v->kind != JSON_STRING)
        return key_failed(o, "dtype", key, "must be a string");
    const struct archive_dtype *t = archive_dtype_find(v->text);
    if (!t)
        return at_header(o, diag_error(o->diags, DIAG_ST_HEADER,
                                       "%s: header: dtype of '%.*s' is '%.*s', which is unknown",
                                       path_of(o->archive), SPAN_ARG(key), SPAN_ARG(v->text)));
    e->dtype = t->dtype;
    e->dtype_name = span_of(t->name);
    return O2W_OK;
}

static o2w_status range_failed(struct opening *o, struct span key, const uint64_t offsets[2],
                               const char *rule)
{
    o2w_status status =
        diag_error(o->diags, DIAG_ST_RANGE, "'%.*s': bytes [%llu,%llu) of data_offsets %s",
                   SPAN_ARG(key), (ull)offsets[0], (ull)offsets[1], rule);
    return at_header(o, status);
}

/* The range has the size of dtype and shape and lies in the data. */
static o2w_status check_range(struct opening *o, const struct archive_entry *e,
                              const uint64_t offsets[2])
{
    const struct archive_dtype *t = archive_dtype_find(e->dtype_name);
    uint64_t count, bytes;
    if (!dims_count(e->dims, e->rank, &count) || !archive_dtype_bytes(t, count, &bytes))
        return key_failed(o, "shape", e->key, "has no size in bytes");
    if (offsets[0] > offsets[1])
        return range_failed(o, e->key, offsets, "end before they begin");
    if (offsets[1] > o->data_size)
        return range_failed(o, e->key, offsets, "are past the end of the file");
    if (offsets[1] - offsets[0] != bytes) {
        char shape[256], rule[320];
        dims_text(e->dims, e->rank, shape, sizeof shape);
        text_format(rule, sizeof rule, "are %llu bytes, dtype %s of shape %s needs %llu",
                    (ull)(offsets[1] - offsets[0]), t->name, shape, (ull)bytes);
        return range_failed(o, e->key, offsets, rule);
    }
    return O2W_OK;
}

static o2w_status read_entry(struct opening *o, const struct json_value *v)
{
    struct archive_entry e = { .key = v->key };
    uint64_t offsets[2] = { 0 };
    bool has_offsets = false;
    if (v->kind != JSON_OBJECT)
        return key_failed(o, "entry", e.key, "must be an object");
    struct json_value member;
    TRY(next(o, &member));
    while (member.kind != JSON_END) {
        if (span_is(member.key, "dtype"))
            TRY(read_dtype(o, e.key, &member, &e));
        else if (span_is(member.key, "shape"))
            TRY(read_shape(o, e.key, &member, &e));
        else if (span_is(member.key, "data_offsets")) {
            TRY(read_offsets(o, e.key, &member, offsets));
            has_offsets = true;
        } else {
            o2w_status status = json_skip(&o->json, &member);
            if (status != O2W_OK)
                return json_failed(o, status);
        }
        TRY(next(o, &member));
    }
    const char *missing = !e.dtype_name.data ? "dtype"
                          : !e.dims          ? "shape"
                          : !has_offsets     ? "data_offsets"
                                             : NULL;
    if (missing)
        return key_failed(o, missing, e.key, "is missing");
    TRY(check_range(o, &e, offsets));
    e.offset = o->data_start + offsets[0];
    e.length = offsets[1] - offsets[0];
    return VEC_PUSH(&o->entries, e) ? O2W_OK : diag_memory(o->diags);
}

static o2w_status read_metadata(struct opening *o, const struct json_value *v)
{
    struct span name = v->key;
    if (v->kind != JSON_OBJECT)
        return key_failed(o, "value", name, "must be an object");
    struct json_value member;
    TRY(next(o, &member));
    while (member.kind != JSON_END) {
        if (member.kind != JSON_STRING)
            return key_failed(o, "__metadata__ value", member.key,
                              "must be a string: metadata is text");
        struct archive_text text = { member.key, arena_copy(&o->archive->arena, member.text) };
        if (!text.value.data || !VEC_PUSH(&o->metadata, text))
            return diag_memory(o->diags);
        TRY(next(o, &member));
    }
    return O2W_OK;
}

static o2w_status read_header(struct opening *o, struct span header)
{
    struct archive *a = o->archive;
    struct json_value v = { 0 };
    o2w_status status =
        json_begin(&o->json, header, span_of(path_of(a)), &a->arena, &o->json_diags);
    if (status != O2W_OK)
        return json_failed(o, status);
    TRY(next(o, &v));
    if (v.kind != JSON_OBJECT)
        return at_header(o, diag_error(o->diags, DIAG_ST_HEADER, "%s: header must be a JSON object",
                                       path_of(a)));
    TRY(next(o, &v));
    while (v.kind != JSON_END) {
        if (span_is(v.key, "__metadata__"))
            TRY(read_metadata(o, &v));
        else
            TRY(read_entry(o, &v));
        TRY(next(o, &v));
    }
    status = json_finish(&o->json);
    return status == O2W_OK ? O2W_OK : json_failed(o, status);
}

static int compare_entries(const void *a, const void *b)
{
    const struct archive_entry *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return span_compare(x->key, y->key);
}

static o2w_status neighbours_failed(struct opening *o, const struct archive_entry *before,
                                    const struct archive_entry *e, const uint64_t range[2],
                                    const char *what)
{
    const char *rule =
        before ? arena_printf(&o->archive->arena, "%s those of '%.*s'", what, SPAN_ARG(before->key))
               : arena_printf(&o->archive->arena, "%s the header", what);
    return rule ? range_failed(o, e->key, range, rule) : diag_memory(o->diags);
}

/* Sorted, the ranges touch each other from the first byte to the last. */
static o2w_status check_cover(struct opening *o)
{
    uint64_t end = 0;
    for (size_t i = 0; i < o->entries.count; i++) {
        const struct archive_entry *e = &o->entries.items[i];
        uint64_t range[2] = { e->offset - o->data_start, e->offset - o->data_start + e->length };
        if (range[0] < end)
            return neighbours_failed(o, &e[-1], e, range, "overlap");
        if (range[0] > end)
            return neighbours_failed(o, i > 0 ? &e[-1] : NULL, e, range, "leave a gap behind");
        end = range[1];
    }
    if (end == o->data_size)
        return O2W_OK;
    return at_header(o,
                     diag_error(o->diags, DIAG_ST_TRAILING, "%s: %llu bytes after the last tensor",
                                path_of(o->archive), (ull)(o->data_size - end)));
}

static o2w_status index_keys(struct archive *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t *value;
        TRY(map_insert(&a->keys, a->entries[i].key, i, &value, NULL));
    }
    return O2W_OK;
}

static o2w_status length_failed(struct opening *o, uint64_t length, const char *rule,
                                uint64_t bound)
{
    o2w_status status = diag_error(o->diags, DIAG_ST_HEADER, "%s: header length %llu %s %llu",
                                   path_of(o->archive), (ull)length, rule, (ull)bound);
    diag_position(o->diags, span_of(path_of(o->archive)), 0, -1, -1);
    return status;
}

static o2w_status fetch_header(struct opening *o, struct span *header)
{
    struct file *f = o->archive->file;
    uint8_t raw[LENGTH_BYTES];
    if (f->size < LENGTH_BYTES)
        return length_failed(o, LENGTH_BYTES, "needs so many bytes, the file has", f->size);
    TRY(file_read(f, 0, raw, sizeof raw, o->diags));
    uint64_t length = 0;
    for (int i = LENGTH_BYTES; i-- > 0;)
        length = length << 8 | raw[i];
    if (length > HEADER_MAX)
        return length_failed(o, length, "exceeds the limit", HEADER_MAX);
    if (length > f->size - LENGTH_BYTES)
        return length_failed(o, length,
                             "is past the end of the file, bytes left:", f->size - LENGTH_BYTES);
    uint8_t *text = arena_alloc(&o->archive->arena, length, 1);
    if (!text)
        return diag_memory(o->diags);
    TRY(file_read(f, LENGTH_BYTES, text, length, o->diags));
    o->data_start = LENGTH_BYTES + length;
    o->data_size = f->size - o->data_start;
    *header = (struct span){ text, length };
    return O2W_OK;
}

static o2w_status open_archive(struct opening *o)
{
    struct archive *a = o->archive;
    struct span header = { 0 };
    TRY(fetch_header(o, &header));
    TRY(read_header(o, header));
    if (o->entries.count > 1)
        qsort(o->entries.items, o->entries.count, sizeof *o->entries.items, compare_entries);
    TRY(check_cover(o));
    struct archive_entry *entries = ARENA_ARRAY(&a->arena, o->entries.count, struct archive_entry);
    struct archive_text *metadata = ARENA_ARRAY(&a->arena, o->metadata.count, struct archive_text);
    if (!entries || !metadata)
        return diag_memory(o->diags);
    for (size_t i = 0; i < o->entries.count; i++)
        entries[i] = o->entries.items[i];
    for (size_t i = 0; i < o->metadata.count; i++)
        metadata[i] = o->metadata.items[i];
    a->entries = entries;
    a->count = (uint32_t)o->entries.count;
    a->metadata = metadata;
    a->metadata_count = (uint32_t)o->metadata.count;
    return index_keys(a) == O2W_OK ? O2W_OK : diag_memory(o->diags);
}

static struct archive *archive_new(struct file *f, const o2w_allocator *allocator)
{
    struct archive *a = mem_alloc(allocator, sizeof *a);
    if (!a)
        return NULL;
    *a = (struct archive){ .allocator = allocator, .file = file_retain(f) };
    arena_init(&a->arena, allocator);
    map_init(&a->keys, allocator);
    return a;
}

o2w_status archive_open_file(struct file *f, const o2w_allocator *allocator, struct diags *d,
                             struct archive **out)
{
    struct archive *a = archive_new(f, allocator);
    if (!a)
        return diag_memory(d);
    struct opening o = { .archive = a, .diags = d };
    o.entries.allocator = o.metadata.allocator = o.dims.allocator = allocator;
    diags_init(&o.json_diags, allocator);
    o2w_status status = open_archive(&o);
    diags_free(&o.json_diags);
    VEC_FREE(&o.entries);
    VEC_FREE(&o.metadata);
    VEC_FREE(&o.dims);
    if (status == O2W_OK)
        *out = a;
    else
        archive_free(a);
    return status;
}

o2w_status archive_open(const char *path, const o2w_allocator *allocator, struct diags *d,
                        struct archive **out)
{
    struct file *f;
    TRY(file_open_shared(path, d, &f));
    o2w_status status = archive_open_file(f, allocator, d, out);
    file_release(f);
    return status;
}

void archive_free(struct archive *a)
{
    if (!a)
        return;
    map_free(&a->keys);
    arena_free(&a->arena);
    file_release(a->file);
    mem_free(a->allocator, a, sizeof *a);
}

const struct archive_entry *archive_find(const struct archive *a, struct span key)
{
    const uint32_t *index = map_find(&a->keys, key);
    return index ? &a->entries[*index] : NULL;
}

struct span archive_metadata(const struct archive *a, struct span key)
{
    for (uint32_t i = 0; i < a->metadata_count; i++)
        if (span_equal(a->metadata[i].key, key))
            return a->metadata[i].value;
    return (struct span){ 0 };
}

o2w_status archive_check_packed4(const struct archive *a, struct diags *d)
{
    struct span marker = archive_metadata(a, SPAN(ARCHIVE_PACKED4));
    if (!marker.data || span_is(marker, ARCHIVE_PACKED4_VERSION))
        return O2W_OK;
    o2w_status status = diag_error(d, DIAG_WEIGHTS_PACKED4,
                                   "%s: int4/uint4 constants need __metadata__ " ARCHIVE_PACKED4
                                   " = \"" ARCHIVE_PACKED4_VERSION "\", found \"%.*s\"",
                                   path_of(a), SPAN_ARG(marker));
    diag_position(d, span_of(path_of(a)), -1, -1, -1);
    return status;
}

struct weight archive_weight(const struct archive *a, const struct archive_entry *e)
{
    uint64_t count = e->length;
    bool opaque = e->dtype == DTYPE_COUNT;
    if (!opaque)
        dims_count(e->dims, e->rank, &count);
    return (struct weight){ .source = WEIGHT_FILE,
                            .transform = WEIGHT_COPY,
                            .dtype = opaque ? DTYPE_UINT8 : e->dtype,
                            .from = opaque ? DTYPE_UINT8 : e->dtype,
                            .count = count,
                            .file = a->file,
                            .offset = e->offset,
                            .length = e->length };
}

static bool is_aligned(const void *p, enum dtype t)
{
    unsigned size = dtype_info(t)->bits / 8u;
    return size < 2 || (uintptr_t)p % size == 0;
}

o2w_status archive_tensor(const struct archive *a, const struct archive_entry *e,
                          struct arena *arena, struct diags *d, struct tensor *out)
{
    struct span bytes, part;
    if (e->dtype == DTYPE_COUNT || e->rank > MAX_RANK)
        return diag_error(d, DIAG_ST_HEADER,
                          "%s: '%.*s' of dtype %.*s and rank %u has no form here", path_of(a),
                          SPAN_ARG(e->key), SPAN_ARG(e->dtype_name), e->rank);
    TRY(file_bytes(a->file, d, &bytes));
    TRY(span_cut(bytes, e->offset, e->length, &part));
    struct tensor t = { .dtype = e->dtype, .rank = e->rank };
    for (uint32_t i = 0; i < e->rank; i++)
        t.dims[i] = e->dims[i];
    if (!is_aligned(part.data, e->dtype)) {
        uint8_t *copy = arena_alloc(arena, part.size, 16);
        if (!copy)
            return diag_memory(d);
        memcpy(copy, part.data, part.size);
        part.data = copy;
    }
    t.data = (void *)(uintptr_t)part.data;
    *out = t;
    return O2W_OK;
}
