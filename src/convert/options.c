/* From the public options to those of the lowering. */
#include "convert/conversion.h"

static o2w_status add_bindings(const o2w_convert_options *o, struct dim_binding *items,
                               struct arena *a)
{
    for (size_t i = 0; i < o->dim_count; i++)
        items[i] = (struct dim_binding){ arena_copy(a, span_of(o->dims[i].name)), o->dims[i].value,
                                         DIM_CLI };
    return O2W_OK;
}

/* One --override-dim switches the sidecar off as a whole. */
static o2w_status dims_of(const o2w_convert_options *o, const char *path, struct arena *a,
                          struct diags *d, struct dims_request *out)
{
    struct dim_binding *items = ARENA_ARRAY(a, o->dim_count, struct dim_binding);
    struct dim_binding *maxima = ARENA_ARRAY(a, o->max_dim_count, struct dim_binding);
    if (!items || !maxima)
        return diag_memory(d);
    TRY(add_bindings(o, items, a));
    *out = (struct dims_request){ .bindings = items,
                                  .count = o->dim_count,
                                  .metadata = true,
                                  .keep_open = o->dynamic_inputs,
                                  .maxima = maxima,
                                  .maximum_count = o->max_dim_count };
    for (size_t i = 0; i < o->max_dim_count; i++)
        maxima[i] =
            (struct dim_binding){ span_of(o->max_dims[i].name), o->max_dims[i].value, DIM_CLI };
    if (path && !o->dim_count) {
        struct dim_binding *sidecar;
        TRY(dims_read_sidecar(path, a, d, &sidecar, &out->count));
        out->bindings = sidecar;
    }
    return O2W_OK;
}

o2w_status convert_lower_options(const o2w_convert_options *o, const char *path, struct arena *a,
                                 struct diags *d, struct lower_options *out)
{
    struct dims_request *dims = ARENA_NEW(a, struct dims_request);
    struct lower_pin *pins = ARENA_ARRAY(a, o->pin_count, struct lower_pin);
    struct lower_bound *bounds = ARENA_ARRAY(a, o->bound_count, struct lower_bound);
    if (!dims || !pins || !bounds)
        return diag_memory(d);
    TRY(dims_of(o, path, a, d, dims));
    for (size_t i = 0; i < o->pin_count; i++)
        pins[i] =
            (struct lower_pin){ span_of(o->pins[i].name), o->pins[i].value, o->pins[i].is_bool };
    for (size_t i = 0; i < o->bound_count; i++)
        bounds[i] = (struct lower_bound){ span_of(o->bounds[i].name), o->bounds[i].value };
    *out = (struct lower_options){ .dims = dims,
                                   .pins = pins,
                                   .pin_count = o->pin_count,
                                   .constant_folding = o->constant_folding,
                                   .keep_inputs = o->keep_inputs,
                                   .subgraph = o->subgraph,
                                   .bounds = bounds,
                                   .bound_count = o->bound_count,
                                   .assume_known_categories = o->assume_known_categories,
                                   .unroll_loop = o->unroll_loop,
                                   .unroll_scan = o->unroll_scan,
                                   .unroll_steps = o->unroll_steps,
                                   .keep_metadata = o->names == WEBNN_NAMES_ALL,
                                   .threads = o->threads };
    return O2W_OK;
}

const char *convert_model_option(const o2w_convert_options *o)
{
    if (!o)
        return NULL;
    return o->pin_count                                          ? "--pin-input"
           : o->constant_folding                                 ? "--constant-folding"
           : o->dynamic_inputs                                   ? "--experimental-dynamic-inputs"
           : o->max_dim_count                                    ? "--max-dim"
           : o->keep_inputs                                      ? "--keep-inputs"
           : o->subgraph                                         ? "--subgraph"
           : o->bound_count                                      ? "--bound"
           : o->assume_known_categories                          ? "--assume"
           : o->unroll_loop || o->unroll_scan || o->unroll_steps ? "--unroll-limit"
                                                                 : NULL;
}
