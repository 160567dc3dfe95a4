#include "validate/outputs.h"

#include "format/safetensors.h"

o2w_status save_feeds(const struct source *s, const char *path, uint64_t seed, struct diags *d)
{
    struct arena a;
    if (!seed)
        return feeds_write(s, path, d);
    arena_init(&a, s->allocator);
    struct span all = span_of(path), extension = path_extension(all);
    size_t keep = all.size - (extension.size ? extension.size + 1 : 0);
    char *own = arena_printf(&a, "%.*s.seed-%llu.%s", (int)keep, path, (unsigned long long)seed,
                             extension.size ? (const char *)extension.data : "safetensors");
    o2w_status status = own ? feeds_write(s, own, d) : diag_memory(d);
    arena_free(&a);
    return status;
}

struct saving {
    struct validation *validation;
    struct arena arena;
    struct archive_item *items;
    size_t count;
    bool packed;
};

static o2w_status add(struct saving *s, const char *name, const struct tensor *t)
{
    struct diags *d = s->validation->diags;
    if (t->dtype >= DTYPE_COUNT || dtype_info(t->dtype)->class == DTYPE_CLASS_OTHER ||
        archive_item_tensor(span_of(name), t, &s->arena, &s->items[s->count]) != O2W_OK)
        return diag_note(d, DIAG_FEED_DTYPE, "output '%s' has no form in an archive: not saved",
                         name);
    s->packed |= dtype_in(t->dtype, DTYPES_4BIT);
    s->count++;
    return O2W_OK;
}

static o2w_status write(struct saving *s, const char *folder, const char *name)
{
    const struct archive_text packed = { SPAN(ARCHIVE_PACKED4), SPAN(ARCHIVE_PACKED4_VERSION) };
    char *path = arena_printf(&s->arena, "%s/%s.safetensors", folder, name);
    o2w_status status = path ? archive_write(path, s->items, s->count, &packed, s->packed, false,
                                             s->validation->allocator, s->validation->diags, NULL)
                             : diag_memory(s->validation->diags);
    s->count = 0;
    s->packed = false;
    return status;
}

static o2w_status save_graph(struct saving *s, const char *folder)
{
    struct validation *v = s->validation;
    for (size_t i = 0; i < v->source.output_count; i++)
        if (v->map.output_of[i] != NO_PORT)
            TRY(add(s, v->source.outputs[i], &v->ports.outputs[v->map.output_of[i]].tensor));
    return write(s, folder, "graph");
}

static o2w_status save_reference(struct saving *s, const char *folder)
{
    struct validation *v = s->validation;
    const struct reference_result *r = &v->result;
    for (size_t i = 0; i < r->count; i++) {
        struct tensor t = { .dtype = DTYPE_COUNT };
        if (ort_value_kind(r->ort, r->values[i]) == ORT_TENSOR)
            TRY(ort_value_tensor(r->ort, r->values[i], v->diags, &t));
        TRY(add(s, v->source.outputs[i], &t));
    }
    return write(s, folder, "reference");
}

static o2w_status save_both(struct saving *s, const char *folder, uint64_t seed)
{
    struct diags *d = s->validation->diags;
    const char *path =
        seed ? arena_printf(&s->arena, "%s/seed-%llu", folder, (unsigned long long)seed) : folder;
    s->items = ARENA_ARRAY(&s->arena, s->validation->source.output_count, struct archive_item);
    if (!path || !s->items)
        return diag_memory(d);
    TRY(folder_create(path, 0777, d));
    TRY(save_reference(s, path));
    return save_graph(s, path);
}

o2w_status save_outputs(struct validation *v, const char *folder, uint64_t seed)
{
    struct saving s = { .validation = v };
    arena_init(&s.arena, v->allocator);
    o2w_status status = save_both(&s, folder, seed);
    arena_free(&s.arena);
    return status;
}
