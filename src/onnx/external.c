/* Data of tensors in files beside the model. */

#include "base/number.h"
#include "onnx/decode.h"
#include "onnx/tensor.h"

#include <inttypes.h>

/* ---- the entries of a tensor ---- */

enum { KEY_LOCATION, KEY_OFFSET, KEY_LENGTH, KEY_CHECKSUM, KEY_COUNT };

static const char *const keys[KEY_COUNT] = { "location", "offset", "length", "checksum" };

/* Keys that ONNX does not define are left alone: tools keep their own notes there. */
static o2w_status find_keys(const struct onnx_entry *entries, size_t count, struct span name,
                            struct diags *d, struct span values[KEY_COUNT])
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < KEY_COUNT; k++) {
            if (!span_is(entries[i].key, keys[k]))
                continue;
            if (values[k].data)
                return diag_error(d, DIAG_MODEL_EXTERNAL_DATA,
                                  "tensor '%.*s': external data has two entries '%s', at most one",
                                  SPAN_ARG(name), keys[k]);
            values[k] = entries[i].value.data ? entries[i].value : SPAN("");
        }
    return O2W_OK;
}

static o2w_status parse_number(struct span text, const char *key, struct span name, struct diags *d,
                               uint64_t *value)
{
    uint64_t number = 0;
    if (!text.data)
        return O2W_OK;
    if (number_parse_u64(text, &number) == O2W_OK && number <= INT64_MAX) {
        *value = number;
        return O2W_OK;
    }
    return diag_error(d, DIAG_MODEL_EXTERNAL_DATA,
                      "tensor '%.*s': %s of external data is '%.*s', must be a number from 0 to "
                      "%" PRId64,
                      SPAN_ARG(name), key, SPAN_ARG(text), INT64_MAX);
}

o2w_status onnx_external_read(struct onnx_model *m, struct onnx_tensor *t, struct span name,
                              const struct onnx_entry *entries, size_t count, struct diags *d)
{
    struct span values[KEY_COUNT] = { 0 };
    struct onnx_external *e = ARENA_NEW(&m->store->arena, struct onnx_external);
    if (!e || !VEC_PUSH(&m->store->externals, t))
        return diag_memory(d);
    TRY(find_keys(entries, count, name, d, values));
    if (values[KEY_LOCATION].size == 0)
        return diag_error(d, DIAG_MODEL_EXTERNAL_DATA,
                          "tensor '%.*s': location of external data is %s", SPAN_ARG(name),
                          values[KEY_LOCATION].data ? "empty" : "missing");
    TRY(parse_number(values[KEY_OFFSET], "offset", name, d, &e->offset));
    TRY(parse_number(values[KEY_LENGTH], "length", name, d, &e->length));
    e->has_length = values[KEY_LENGTH].data != NULL;
    e->location = values[KEY_LOCATION];
    e->checksum = values[KEY_CHECKSUM];
    t->external = e;
    return O2W_OK;
}

/* ---- opening ---- */

/* One external file and what is wrong with it. */
struct place {
    struct span location;
    struct file *file;
    const char *problem; /* NULL: none */
    bool missing;
    const struct onnx_tensor *first; /* that cannot be read */
    size_t count;
};

struct opening {
    struct onnx_model *m;
    struct diags *d;
    struct map map; /* location → place */
    VEC(struct place) places;
};

static char *path_of(struct opening *o, struct span location)
{
    return path_join(&o->m->store->arena, span_of(o->m->store->folder), location);
}

/* What the system said about a file that does not open, in few words. */
static o2w_status explain(struct opening *o, struct place *p, const struct diags *said)
{
    char *path = path_of(o, p->location);
    if (!path)
        return diag_memory(o->d);
    if (path_is_folder(path)) {
        p->problem = "is a folder";
    } else if (!path_is_file(path)) {
        p->problem = "no such file";
        p->missing = true;
    } else {
        const char *words = said->newest ? said->newest->message : "cannot be opened";
        p->problem = arena_text(&o->m->store->arena, span_of(words));
    }
    return p->problem ? O2W_OK : diag_memory(o->d);
}

/* Unsafe paths fail at once; files that cannot be read are collected. */
static o2w_status open_place(struct opening *o, struct place *p, const struct onnx_tensor *t)
{
    struct onnx_store *store = o->m->store;
    if (!store->folder)
        return diag_error(
            o->d, DIAG_MODEL_EXTERNAL_DATA,
            "tensor '%.*s' has external data, but the model does not come from a file",
            SPAN_ARG(onnx_name(o->m, t->name)));
    struct diags said;
    diags_init(&said, store->allocator);
    o2w_status status =
        file_open_inside(store->folder, p->location, store->allocator, &said, &p->file);
    if (status == O2W_IO) {
        status = explain(o, p, &said);
    } else if (status != O2W_OK && o->d) {
        diags_append(o->d, &said);
        diag_subject(o->d, "tensor", onnx_name(o->m, t->name));
    }
    diags_free(&said);
    if (status == O2W_OK && p->file && !VEC_PUSH(&store->files, p->file)) {
        file_release(p->file);
        p->file = NULL;
        status = diag_memory(o->d);
    }
    return status;
}

static o2w_status find_place(struct opening *o, const struct onnx_tensor *t, size_t *place)
{
    uint32_t *index;
    bool added;
    struct span location = t->external->location;
    if (!VEC_RESERVE(&o->places, 1) ||
        map_insert(&o->map, location, (uint32_t)o->places.count, &index, &added) != O2W_OK)
        return diag_memory(o->d);
    *place = *index;
    if (!added)
        return O2W_OK;
    o->places.items[o->places.count++] = (struct place){ .location = location };
    return open_place(o, &o->places.items[*index], t);
}

/* The bytes that the tensor takes; a length that says otherwise is refused. */
static o2w_status settle_length(struct opening *o, const struct onnx_tensor *t)
{
    uint64_t count, size;
    struct span name = onnx_name(o->m, t->name);
    TRY(onnx_tensor_size(o->m, t, o->d, &count, &size));
    if (t->external->has_length && t->external->length != size)
        return diag_error(o->d, DIAG_MODEL_EXTERNAL_DATA,
                          "tensor '%.*s': length of external data is %" PRIu64
                          ", its elements take %" PRIu64 " bytes",
                          SPAN_ARG(name), t->external->length, size);
    t->external->length = size;
    return O2W_OK;
}

static o2w_status check_range(struct opening *o, struct place *p, const struct onnx_external *e)
{
    if (e->offset <= p->file->size && e->length <= p->file->size - e->offset)
        return O2W_OK;
    if (!p->problem)
        p->problem =
            arena_printf(&o->m->store->arena,
                         "offset and length lie outside of its %" PRIu64 " bytes", p->file->size);
    if (!p->problem)
        return diag_memory(o->d);
    return O2W_RANGE;
}

static o2w_status open_tensor(struct opening *o, struct onnx_tensor *t)
{
    size_t place = 0;
    TRY(settle_length(o, t));
    TRY(find_place(o, t, &place));
    struct place *p = &o->places.items[place];
    if (p->file) {
        o2w_status status = check_range(o, p, t->external);
        if (status == O2W_OK)
            t->external->file = p->file;
        if (status != O2W_RANGE)
            return status;
    }
    if (p->missing && !VEC_PUSH(&o->m->store->missing, t))
        return diag_memory(o->d);
    if (!p->first)
        p->first = t;
    p->count++;
    return O2W_OK;
}

/* ---- the report ---- */

enum { PLACES_SHOWN = 8 };

static void report_place(struct opening *o, const struct place *p)
{
    diag_at(o->d, "%.*s: %s (first: '%.*s', %" PRIu64 " bytes at offset %" PRIu64 ")",
            SPAN_ARG(p->location), p->problem, SPAN_ARG(onnx_name(o->m, p->first->name)),
            p->first->external->length, p->first->external->offset);
}

static void report_places(struct opening *o, bool missing_are_fine)
{
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < o->places.count; i++) {
        const struct place *p = &o->places.items[i];
        if (!p->problem || (missing_are_fine && p->missing))
            continue;
        if (shown++ < PLACES_SHOWN)
            report_place(o, p);
        else
            more++;
    }
    if (more)
        diag_at(o->d, "%zu more files", more);
}

/* All tensors that cannot be read in one diagnostic. */
static o2w_status report(struct opening *o)
{
    const struct onnx_store *store = o->m->store;
    bool allowed = store->options.allow_missing_external_data;
    size_t bad = 0, missing = 0;
    for (size_t i = 0; i < o->places.count; i++) {
        const struct place *p = &o->places.items[i];
        *(p->missing ? &missing : &bad) += p->count;
    }
    size_t refused = allowed ? bad : bad + missing;
    if (refused) {
        o2w_status status =
            diag_error(o->d, DIAG_MODEL_EXTERNAL_DATA, "%zu of %zu external tensors cannot be read",
                       refused, store->externals.count);
        report_places(o, allowed);
        if (missing && !allowed)
            diag_hint(o->d, "put the file beside the model, or --allow-missing-external-data for "
                            "structure only");
        return status;
    }
    if (missing) {
        diag_warning(o->d, DIAG_MODEL_EXTERNAL_DATA,
                     "%zu of %zu external tensors are missing and read as zeros", missing,
                     store->externals.count);
        report_places(o, false);
    }
    return O2W_OK;
}

static o2w_status open_all(struct opening *o)
{
    struct onnx_store *store = o->m->store;
    store->missing.count = 0;
    for (size_t i = 0; i < store->externals.count; i++)
        TRY(open_tensor(o, store->externals.items[i]));
    TRY(report(o));
    return store->options.verify_checksums ? onnx_external_verify(o->m, o->d) : O2W_OK;
}

o2w_status onnx_model_open_external(struct onnx_model *m, struct diags *d)
{
    if (m->store->external_opened)
        return O2W_OK;
    struct opening o = { .m = m, .d = d, .places.allocator = m->store->allocator };
    map_init(&o.map, m->store->allocator);
    o2w_status status = open_all(&o);
    m->store->external_opened = status == O2W_OK;
    map_free(&o.map);
    VEC_FREE(&o.places);
    return status;
}

const struct onnx_tensor *const *onnx_model_missing(const struct onnx_model *m, size_t *count)
{
    *count = m->store->missing.count;
    return m->store->missing.items;
}

struct file *const *onnx_model_files(const struct onnx_model *m, size_t *count)
{
    *count = m->store->files.count;
    return m->store->files.items;
}
