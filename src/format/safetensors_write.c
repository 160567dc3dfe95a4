/* Archives of named tensors: writing, byte for byte as the reference library. */
#include "base/checked.h"
#include "base/json.h"
#include "format/safetensors.h"
#include "format/safetensors_dtypes.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8 };

struct placed {
    const struct archive_item *item;
    const struct archive_dtype *dtype;
    uint64_t size;
};

struct layout {
    const char *path;
    const o2w_allocator *allocator;
    struct diags *diags;
    struct placed *items;
    size_t count;
    const struct archive_text *metadata;
    size_t metadata_count;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->dtype != y->dtype)
        return x->dtype < y->dtype ? -1 : 1;
    return span_compare(x->item->key, y->item->key);
}

static o2w_status refuse(const struct layout *l, struct span key, const char *why)
{
    return diag_error(l->diags, DIAG_ST_HEADER, "%s: header: '%.*s' %s", l->path, SPAN_ARG(key),
                      why);
}

static o2w_status place_items(struct layout *l, const struct archive_item *items)
{
    for (size_t i = 0; i < l->count; i++) {
        struct placed *p = &l->items[i];
        uint64_t count;
        p->item = &items[i];
        p->dtype = archive_dtype_find(items[i].dtype_name);
        if (!p->dtype)
            return refuse(l, items[i].key, "has a dtype that archives can't hold");
        if (!dims_count(items[i].dims, items[i].rank, &count) ||
            !archive_dtype_bytes(p->dtype, count, &p->size))
            return refuse(l, items[i].key, "has no size in bytes");
        if (p->size != weight_bytes(&items[i].data))
            return diag_error(
                l->diags, DIAG_INTERNAL, "%s: '%.*s' has %llu bytes, its shape needs %llu", l->path,
                SPAN_ARG(items[i].key), (unsigned long long)weight_bytes(&items[i].data),
                (unsigned long long)p->size);
    }
    qsort(l->items, l->count, sizeof *l->items, compare_placed);
    return O2W_OK;
}

static o2w_status check_keys(const struct layout *l)
{
    struct map keys;
    o2w_status status = O2W_OK;
    map_init(&keys, l->allocator);
    for (size_t i = 0; i < l->count && status == O2W_OK; i++) {
        uint32_t *value;
        bool added = true;
        status = map_insert(&keys, l->items[i].item->key, 0, &value, &added);
        if (status != O2W_OK)
            status = diag_memory(l->diags);
        else if (!added)
            status = refuse(l, l->items[i].item->key, "stands there twice");
    }
    map_free(&keys);
    return status;
}

static int compare_texts(const void *a, const void *b)
{
    const struct archive_text *x = a, *y = b;
    return span_compare(x->key, y->key);
}

static bool put_metadata(const struct layout *l, struct json_writer *w)
{
    if (l->metadata_count == 0)
        return true;
    size_t size = l->metadata_count * sizeof(struct archive_text);
    struct archive_text *sorted = mem_alloc(l->allocator, size);
    if (!sorted)
        return false;
    for (size_t i = 0; i < l->metadata_count; i++)
        sorted[i] = l->metadata[i];
    qsort(sorted, l->metadata_count, sizeof *sorted, compare_texts);
    json_key(w, "__metadata__");
    json_open(w, '{');
    for (size_t i = 0; i < l->metadata_count; i++) {
        json_key_span(w, sorted[i].key);
        json_put_string(w, sorted[i].value);
    }
    json_close(w, '}');
    mem_free(l->allocator, sorted, size);
    return true;
}

static void put_entry(struct json_writer *w, const struct placed *p, uint64_t begin)
{
    json_key_span(w, p->item->key);
    json_open(w, '{');
    json_key(w, "dtype");
    json_put_text(w, p->dtype->name);
    json_key(w, "shape");
    json_open(w, '[');
    for (uint32_t i = 0; i < p->item->rank; i++)
        json_put_i64(w, p->item->dims[i]);
    json_close(w, ']');
    json_key(w, "data_offsets");
    json_open(w, '[');
    json_put_u64(w, begin);
    json_put_u64(w, begin + p->size);
    json_close(w, ']');
    json_close(w, '}');
}

static o2w_status put_header(const struct layout *l, struct json_writer *w)
{
    uint64_t end = 0, next;
    json_open(w, '{');
    if (!put_metadata(l, w))
        return diag_memory(l->diags);
    for (size_t i = 0; i < l->count; i++, end = next) {
        if (!add_u64(end, l->items[i].size, &next))
            return refuse(l, l->items[i].item->key, "ends beyond 2^64 bytes");
        put_entry(w, &l->items[i], end);
    }
    json_close(w, '}');
    return O2W_OK;
}

static o2w_status write_header(const struct layout *l, struct file_writer *f)
{
    static const char blanks[LENGTH_BYTES] = "        ";
    struct json_writer w;
    struct span header;
    json_writer_init(&w, l->allocator, 0);
    o2w_status status = put_header(l, &w);
    if (status == O2W_OK && (status = json_written(&w, &header)) != O2W_OK)
        status = diag_memory(l->diags);
    if (status == O2W_OK) {
        size_t padding = (LENGTH_BYTES - header.size % LENGTH_BYTES) % LENGTH_BYTES;
        uint64_t length = header.size + padding;
        uint8_t raw[LENGTH_BYTES];
        for (int i = 0; i < LENGTH_BYTES; i++)
            raw[i] = (uint8_t)(length >> (8 * i));
        status = file_write(f, raw, sizeof raw, l->diags);
        if (status == O2W_OK)
            status = file_write(f, header.data, header.size, l->diags);
        if (status == O2W_OK)
            status = file_write(f, blanks, padding, l->diags);
    }
    json_writer_free(&w);
    return status;
}

struct stream {
    struct file_writer *file;
    struct diags *diags;
};

static o2w_status write_block(void *user, const void *data, size_t size)
{
    struct stream *s = user;
    return file_write(s->file, data, size, s->diags);
}

static o2w_status write_data(const struct layout *l, struct file_writer *f)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct weight *data = &l->items[i].item->data;
        if (weight_is_file_range(data)) {
            TRY(file_write_from(f, data->file, data->offset, data->length, l->diags));
        } else {
            struct stream s = { f, l->diags };
            TRY(weight_stream(data, write_block, &s, l->diags));
        }
    }
    return O2W_OK;
}

/* The files that data came from are what they were when they were opened. */
static o2w_status check_sources(const struct layout *l)
{
    struct file *last = NULL;
    for (size_t i = 0; i < l->count; i++) {
        struct file *f =
            l->items[i].item->data.source == WEIGHT_FILE ? l->items[i].item->data.file : NULL;
        if (f && f != last)
            TRY(file_unchanged(f, l->diags));
        last = f ? f : last;
    }
    return O2W_OK;
}

static o2w_status write_all(struct layout *l, const struct archive_item *items,
                            struct file_writer **out)
{
    struct file_writer *f;
    TRY(place_items(l, items));
    TRY(check_keys(l));
    TRY(file_create(l->path, l->allocator, l->diags, &f));
    o2w_status status = write_header(l, f);
    if (status == O2W_OK)
        status = write_data(l, f);
    if (status == O2W_OK)
        status = check_sources(l);
    if (status == O2W_OK)
        *out = f;
    else
        file_discard(f);
    return status;
}

o2w_status archive_prepare(const char *path, const struct archive_item *items, size_t count,
                           const struct archive_text *metadata, size_t metadata_count,
                           const o2w_allocator *allocator, struct diags *d,
                           struct file_writer **out)
{
    struct layout l = { .path = path,
                        .allocator = allocator,
                        .diags = d,
                        .count = count,
                        .metadata = metadata,
                        .metadata_count = metadata_count };
    size_t size;
    if (!mul_size(count, sizeof *l.items, &size) ||
        !(l.items = mem_alloc(allocator, size ? size : 1)))
        return diag_memory(d);
    o2w_status status = write_all(&l, items, out);
    mem_free(allocator, l.items, size ? size : 1);
    return status;
}

o2w_status archive_write(const char *path, const struct archive_item *items, size_t count,
                         const struct archive_text *metadata, size_t metadata_count, bool sync,
                         const o2w_allocator *allocator, struct diags *d, uint64_t *bytes)
{
    struct file_writer *f = NULL;
    TRY(archive_prepare(path, items, count, metadata, metadata_count, allocator, d, &f));
    uint64_t written = file_written(f);
    TRY(file_commit(f, sync, d));
    if (bytes)
        *bytes = written;
    return O2W_OK;
}

o2w_status archive_item_tensor(struct span key, const struct tensor *t, struct arena *arena,
                               struct archive_item *out)
{
    uint64_t count = tensor_count(t), bytes = tensor_bytes(t);
    bool packed = dtype_in(t->dtype, DTYPES_4BIT);
    const char *name = archive_dtype_name(packed ? DTYPE_UINT8 : t->dtype);
    if (!name)
        return O2W_UNSUPPORTED;
    uint32_t rank = packed ? 1 : t->rank;
    int64_t *dims = ARENA_ARRAY(arena, rank, int64_t);
    if (!dims)
        return O2W_NO_MEMORY;
    if (packed)
        dims[0] = (int64_t)bytes;
    else
        memcpy(dims, t->dims, rank * sizeof *dims);
    *out = (struct archive_item){
        .key = key,
        .dtype_name = span_of(name),
        .rank = rank,
        .dims = dims,
        .data = { .source = WEIGHT_BYTES,
                  .transform = WEIGHT_COPY,
                  .dtype = packed ? DTYPE_UINT8 : t->dtype,
                  .from = packed ? DTYPE_UINT8 : t->dtype,
                  .count = packed ? bytes : count,
                  .bytes = t->data,
                  .length = bytes },
    };
    return O2W_OK;
}
