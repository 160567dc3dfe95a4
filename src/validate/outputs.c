#include "validate/outputs.h"

#include "convert/guard.h"
#include "onnx/tensor.h"
#include "validate/given.h"

enum { REFERENCE, GRAPH, SIDES };

/* NULL when memory is out. */
static const char *feeds_path(struct arena *a, const char *path, uint64_t seed)
{
    struct span all = span_of(path), extension = path_extension(all);
    size_t keep = all.size - (extension.size ? extension.size + 1 : 0);
    return seed ? arena_printf(a, "%.*s.seed-%llu.%s", (int)keep, path, (unsigned long long)seed,
                               extension.size ? (const char *)extension.data : "safetensors")
                : path;
}

/* The folder of a run; NULL when memory is out. */
static const char *run_folder(struct arena *a, const char *folder, uint64_t seed)
{
    return seed ? arena_printf(a, "%s/seed-%llu", folder, (unsigned long long)seed) : folder;
}

static const char *side_path(struct arena *a, const char *folder, int side)
{
    static const char *const names[] = { [REFERENCE] = "reference", [GRAPH] = "graph" };
    return folder ? arena_printf(a, "%s/%s.safetensors", folder, names[side]) : NULL;
}

static o2w_status check_run(const struct validation *v, uint64_t seed, struct arena *a)
{
    const o2w_validate_options *o = v->options;
    const char *archive = path_with_extension(v->graph_path, ".safetensors", a);
    const struct guard guard = { .model = v->source.model,
                                 .graph = api_graph(v->graph),
                                 .paths = { v->graph_path, o->weights, o->input, archive } };
    const char *paths[1 + SIDES] = { NULL };
    size_t count = 0;
    if (!archive)
        return diag_memory(v->diags);
    if (o->save_feeds)
        paths[count++] = feeds_path(a, o->save_feeds, seed);
    for (int side = 0; o->save_outputs && side < SIDES; side++)
        paths[count++] = side_path(a, run_folder(a, o->save_outputs, seed), side);
    for (size_t i = 0; i < count; i++)
        TRY(paths[i] ? guard_check(&guard, paths[i], v->diags) : diag_memory(v->diags));
    return O2W_OK;
}

o2w_status check_kept(struct validation *v)
{
    struct arena a;
    if (!v->options->save_feeds && !v->options->save_outputs)
        return O2W_OK;
    TRY(onnx_model_open_external(v->source.model, v->diags));
    arena_init(&a, v->allocator);
    o2w_status status = check_run(v, 0, &a);
    for (size_t i = 0; i < v->options->seed_count && status == O2W_OK; i++)
        status = check_run(v, v->options->seeds[i], &a);
    arena_free(&a);
    return status;
}

o2w_status save_feeds(struct validation *v, const char *path, uint64_t seed)
{
    struct arena a;
    o2w_tensors *t = NULL;
    arena_init(&a, v->allocator);
    const char *own = feeds_path(&a, path, seed);
    o2w_status status = own ? given_from(&v->source, false, v->diags, &t) : diag_memory(v->diags);
    if (status == O2W_OK)
        status = tensors_save(t, own, v->diags);
    o2w_tensors_free(t);
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
    const char *path = run_folder(a, folder, seed);
    const char *reference = side_path(a, path, REFERENCE), *graph = side_path(a, path, GRAPH);
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
