#include "validate/outputs.h"

#include "validate/given.h"

static o2w_status write_feeds(const struct source *s, const char *path, struct diags *d)
{
    o2w_tensors *t;
    TRY(given_from(s, false, d, &t));
    o2w_status status = tensors_save(t, path, d);
    o2w_tensors_free(t);
    return status;
}

o2w_status save_feeds(const struct source *s, const char *path, uint64_t seed, struct diags *d)
{
    struct arena a;
    if (!seed)
        return write_feeds(s, path, d);
    arena_init(&a, s->allocator);
    struct span all = span_of(path), extension = path_extension(all);
    size_t keep = all.size - (extension.size ? extension.size + 1 : 0);
    char *own = arena_printf(&a, "%.*s.seed-%llu.%s", (int)keep, path, (unsigned long long)seed,
                             extension.size ? (const char *)extension.data : "safetensors");
    o2w_status status = own ? write_feeds(s, own, d) : diag_memory(d);
    arena_free(&a);
    return status;
}

/* A list that is filled and written. */
static o2w_status add(o2w_tensors *t, const char *name, const struct tensor *tensor,
                      struct diags *d)
{
    if (tensor->dtype < DTYPE_COUNT &&
        (dtype_info(tensor->dtype)->safetensors[0] || dtype_in(tensor->dtype, DTYPES_4BIT)))
        return tensors_add(t, name, tensor, false, d);
    return diag_note(d, DIAG_FEED_DTYPE, "output '%s' has no form in an archive: not saved", name);
}

static o2w_status add_results(struct validation *v, o2w_tensors *t)
{
    for (size_t i = 0; i < v->source.output_count; i++)
        if (v->map.output_of[i] != NO_PORT)
            TRY(add(t, v->source.outputs[i], &v->ports.outputs[v->map.output_of[i]].tensor,
                    v->diags));
    return O2W_OK;
}

static o2w_status add_references(struct validation *v, o2w_tensors *t)
{
    const struct reference_result *r = &v->result;
    for (size_t i = 0; i < r->count; i++) {
        struct tensor tensor = { .dtype = DTYPE_COUNT };
        if (ort_value_kind(r->ort, r->values[i]) == ORT_TENSOR)
            TRY(ort_value_tensor(r->ort, r->values[i], v->diags, &tensor));
        TRY(add(t, v->source.outputs[i], &tensor, v->diags));
    }
    return O2W_OK;
}

static o2w_status save_side(struct validation *v, const char *path,
                            o2w_status (*fill)(struct validation *, o2w_tensors *))
{
    o2w_tensors *t;
    TRY(tensors_create(v->allocator, v->diags, &t));
    o2w_status status = fill(v, t);
    if (status == O2W_OK)
        status = tensors_save(t, path, v->diags);
    o2w_tensors_free(t);
    return status;
}

static o2w_status save_both(struct validation *v, const char *folder, uint64_t seed,
                            struct arena *a)
{
    const char *path =
        seed ? arena_printf(a, "%s/seed-%llu", folder, (unsigned long long)seed) : folder;
    char *reference = path ? arena_printf(a, "%s/reference.safetensors", path) : NULL;
    char *graph = path ? arena_printf(a, "%s/graph.safetensors", path) : NULL;
    if (!reference || !graph)
        return diag_memory(v->diags);
    TRY(folder_create(path, 0777, v->diags));
    TRY(save_side(v, reference, add_references));
    return save_side(v, graph, add_results);
}

o2w_status save_outputs(struct validation *v, const char *folder, uint64_t seed)
{
    struct arena a;
    arena_init(&a, v->allocator);
    o2w_status status = save_both(v, folder, seed, &a);
    arena_free(&a);
    return status;
}
