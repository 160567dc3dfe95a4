/* Which stored tensor a constant refers to. */
#include "base/half.h"
#include "base/number.h"
#include "base/text.h"
#include "format/mangle.h"
#include "format/weights.h"

#include <string.h>

enum { AMBIGUOUS = UINT32_MAX, SHAPE_TEXT = 300, NEAR_KEYS = 20000, NEAR_SIZE = 128 };

struct wanted {
    struct loader *loader;
    struct weight_store *store;
    const struct doc_const *constant;
    const struct descriptor *type;
    const struct archive_entry *entry;
};

static o2w_status at(const struct wanted *w, o2w_status status)
{
    return loader_at(w->loader, w->constant->place, status);
}

/* ---- the entry ---- */

static struct span nearest(const struct wanted *w)
{
    struct span best = { 0 }, ref = w->constant->text;
    size_t least = SIZE_MAX;
    for (uint32_t i = 0;
         i < w->store->count && w->store->count <= NEAR_KEYS && ref.size <= NEAR_SIZE; i++) {
        struct span key = w->store->entries[i].key;
        size_t distance = key.size <= NEAR_SIZE ? text_distance(ref, key) : SIZE_MAX;
        if (distance < least) {
            least = distance;
            best = key;
        }
    }
    return best;
}

static o2w_status missing(const struct wanted *w)
{
    struct span near = nearest(w);
    struct diags *d = w->loader->diags;
    o2w_status status = diag_error(
        d, DIAG_WEIGHTS_MISSING, "'%.*s' (constant '%.*s') isn't in %s (%u tensors%s%.*s%s)",
        SPAN_ARG(w->constant->text), SPAN_ARG(w->constant->name), w->store->file->path,
        w->store->count, near.data ? "; nearest '" : "", SPAN_ARG(near), near.data ? "'" : "");
    if (w->store->why)
        diag_hint(d, "%s", w->store->why);
    return at(w, status);
}

static o2w_status normalise(const struct wanted *w, struct map *map,
                            struct span (*rule)(struct span, struct arena *))
{
    for (uint32_t i = 0; i < w->store->count; i++) {
        struct span key = rule(w->store->entries[i].key, w->loader->arena);
        uint32_t *index;
        bool added;
        if (!key.data || map_insert(map, key, i, &index, &added) != O2W_OK)
            return diag_memory(w->loader->diags);
        if (!added)
            *index = AMBIGUOUS;
    }
    return O2W_OK;
}

static o2w_status ambiguous(const struct wanted *w, struct span normal,
                            struct span (*rule)(struct span, struct arena *))
{
    struct span keys[2] = { 0 };
    for (uint32_t i = 0, n = 0; i < w->store->count && n < 2; i++)
        if (span_equal(rule(w->store->entries[i].key, w->loader->arena), normal))
            keys[n++] = w->store->entries[i].key;
    return at(w, diag_error(w->loader->diags, DIAG_WEIGHTS_AMBIGUOUS,
                            "'%.*s' matches '%.*s' and '%.*s'", SPAN_ARG(w->constant->text),
                            SPAN_ARG(keys[0]), SPAN_ARG(keys[1])));
}

/* Keys that a rule makes equal to `name`: none, one (noted), or an error. */
static o2w_status find_under(struct wanted *w, const struct map *map, struct span name,
                             struct span (*rule)(struct span, struct arena *))
{
    const uint32_t *index = map_find(map, name);
    if (!index)
        return O2W_OK;
    if (*index == AMBIGUOUS)
        return ambiguous(w, name, rule);
    w->entry = &w->store->entries[*index];
    return loader_note(w->loader, w->constant->place, "'%.*s' isn't in %s, '%.*s' is taken",
                       SPAN_ARG(w->constant->text), w->store->file->path, SPAN_ARG(w->entry->key));
}

static o2w_status find_entry(struct wanted *w)
{
    struct weight_store *store = w->store;
    const uint32_t *index = map_find(store->keys, w->constant->text);
    if (index) {
        w->entry = &store->entries[*index];
        return O2W_OK;
    }
    if (!store->normalised) {
        TRY(normalise(w, &store->normal, name_normal));
        TRY(normalise(w, &store->peer, name_peer));
        store->normalised = true;
    }
    TRY(find_under(w, &store->normal, w->constant->text, name_normal));
    struct span peer = name_peer(w->constant->text, w->loader->arena);
    if (!w->entry && !peer.data)
        return diag_memory(w->loader->diags);
    if (!w->entry)
        TRY(find_under(w, &store->peer, peer, name_peer));
    return w->entry ? O2W_OK : missing(w);
}

/* ---- what it holds ---- */

static o2w_status wrong_dtype(const struct wanted *w)
{
    return at(w, diag_error(w->loader->diags, DIAG_WEIGHTS_DTYPE,
                            "'%.*s': declared %s, stored %.*s", SPAN_ARG(w->constant->text),
                            dtype_name(w->type->dtype), SPAN_ARG(w->entry->dtype_name)));
}

static o2w_status wrong_shape(const struct wanted *w, const dim *wanted, uint32_t rank)
{
    char declared[SHAPE_TEXT], stored[SHAPE_TEXT];
    dims_text(wanted, rank, declared, sizeof declared);
    dims_text(w->entry->dims, w->entry->rank, stored, sizeof stored);
    return at(w, diag_error(w->loader->diags, DIAG_WEIGHTS_SHAPE, "'%.*s': declared %s, stored %s",
                            SPAN_ARG(w->constant->text), declared, stored));
}

static bool has_shape(const struct archive_entry *e, const dim *dims, uint32_t rank)
{
    return e->rank == rank && dims_equal(e->dims, dims, rank);
}

static o2w_status check_bit(void *user, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    (void)user;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] > 1)
            return O2W_FORMAT;
    return O2W_OK;
}

/* BOOL for uint8: every byte must be 0 or 1. */
static o2w_status check_bits(const struct wanted *w, const struct weight *weight)
{
    o2w_status status = weight_stream(weight, check_bit, NULL, w->loader->diags);
    if (status != O2W_FORMAT)
        return status;
    return at(w, diag_error(w->loader->diags, DIAG_WEIGHTS_DTYPE,
                            "'%.*s': declared uint8, stored BOOL with bytes other than "
                            "0 and 1",
                            SPAN_ARG(w->constant->text)));
}

static o2w_status packed_from_archive(const struct wanted *w, struct weight *out)
{
    uint64_t bytes = 0;
    if (!archive_metadata(w->store->archive, SPAN(ARCHIVE_PACKED4)).data)
        return at(w, diag_error(w->loader->diags, DIAG_WEIGHTS_PACKED4,
                                "%s: int4/uint4 constants need __metadata__ " ARCHIVE_PACKED4
                                " = \"" ARCHIVE_PACKED4_VERSION "\", found none",
                                w->store->file->path));
    if (w->entry->dtype != DTYPE_UINT8)
        return wrong_dtype(w);
    dtype_bytes(w->type->dtype, out->count, &bytes);
    dim stored = (dim)bytes;
    return has_shape(w->entry, &stored, 1) ? O2W_OK : wrong_shape(w, &stored, 1);
}

static o2w_status from_archive(const struct wanted *w, struct weight *out)
{
    enum dtype declared = w->type->dtype, stored = w->entry->dtype;
    if (dtype_in(declared, DTYPES_4BIT))
        return packed_from_archive(w, out);
    out->from = stored;
    if (declared == DTYPE_FLOAT32 && stored == DTYPE_BFLOAT16)
        out->transform = WEIGHT_CONVERT;
    else if (declared == DTYPE_UINT8 && stored == DTYPE_BOOL)
        out->from = DTYPE_UINT8;
    else if (declared != stored)
        return wrong_dtype(w);
    if (!has_shape(w->entry, w->type->dims, w->type->rank))
        return wrong_shape(w, w->type->dims, w->type->rank);
    if (stored != DTYPE_BOOL)
        return O2W_OK;
    TRY(loader_note(w->loader, w->constant->place, "'%.*s': BOOL is taken as uint8",
                    SPAN_ARG(w->constant->text)));
    return check_bits(w, out);
}

/* One 4-bit value per byte, packed into the graph's arena. */
static o2w_status pack(const struct wanted *w, struct weight *out)
{
    struct graph *g = loader_graph(w->loader);
    uint8_t *packed = arena_alloc(&g->arena, (size_t)(out->count / 2 + out->count % 2), 1);
    uint8_t *raw = arena_alloc(w->loader->arena, (size_t)w->entry->length, 1);
    if (!packed || !raw)
        return diag_memory(w->loader->diags);
    TRY(file_read(w->store->file, w->entry->offset, raw, (size_t)w->entry->length,
                  w->loader->diags));
    for (uint64_t i = 0; i < out->count; i++) {
        int value = w->type->dtype == DTYPE_INT4 ? (int8_t)raw[i] : raw[i];
        if (value < (int)dtype_min(w->type->dtype) || value > (int)dtype_max(w->type->dtype))
            return at(w, diag_error(w->loader->diags, DIAG_WEIGHTS_MANIFEST,
                                    "'%.*s': element %llu is %d, out of the range of %s",
                                    SPAN_ARG(w->constant->text), (unsigned long long)i, value,
                                    dtype_name(w->type->dtype)));
        nibble_set(packed, i, (uint8_t)(value & 15));
    }
    *out = (struct weight){ .source = WEIGHT_BYTES,
                            .dtype = out->dtype,
                            .from = out->dtype,
                            .count = out->count,
                            .bytes = packed };
    return O2W_OK;
}

static o2w_status from_blob(const struct wanted *w, struct weight *out)
{
    uint64_t bytes = 0;
    bool packed = dtype_in(w->type->dtype, DTYPES_4BIT);
    if (w->entry->dtype_name.data && w->entry->dtype != w->type->dtype)
        return wrong_dtype(w);
    if (w->entry->dims && !has_shape(w->entry, w->type->dims, w->type->rank))
        return wrong_shape(w, w->type->dims, w->type->rank);
    dtype_bytes(w->type->dtype, out->count, &bytes);
    if (w->entry->length == bytes)
        return O2W_OK;
    if (packed && w->entry->length == out->count)
        return pack(w, out);
    return at(w, diag_error(w->loader->diags, DIAG_WEIGHTS_MANIFEST,
                            "'%.*s': byteLength is %llu, the declared type needs %llu%s",
                            SPAN_ARG(w->constant->text), (unsigned long long)w->entry->length,
                            (unsigned long long)bytes,
                            packed ? " packed or one byte per element" : ""));
}

o2w_status weights_resolve(struct loader *l, const struct doc_const *c,
                           const struct descriptor *type, struct weight *out)
{
    struct wanted w = { .loader = l, .store = l->weights, .constant = c, .type = type };
    struct weight weight = {
        .source = WEIGHT_FILE, .dtype = type->dtype, .from = type->dtype, .file = w.store->file
    };
    dims_count(type->dims, type->rank, &weight.count);
    o2w_status status = find_entry(&w);
    if (status != O2W_OK || !w.entry)
        return status;
    weight.offset = w.entry->offset;
    weight.length = w.entry->length;
    if (w.store->archive && names_add(&loader_graph(l)->names, w.entry->key, &weight.key) != O2W_OK)
        return diag_memory(l->diags);
    TRY(w.store->archive ? from_archive(&w, &weight) : from_blob(&w, &weight));
    *out = weight;
    return O2W_OK;
}
