/* Where the dimensions of a model's inputs come from: one list of sources, first hit wins. Used by
 * conversion and by validation, which sizes feeds with it. */
#ifndef LOWER_DIMS_H
#define LOWER_DIMS_H

#include "base/diag.h"
#include "onnx/model.h"
#include "tensor/tensor.h"

enum dim_source {
    DIM_CLI,
    DIM_INPUT,
    DIM_GRAPH,
    DIM_RECORD,
    DIM_SIDECAR,
    DIM_METADATA,
    DIM_EXPRESSION,
    DIM_DEFAULT
};
const char *dim_source_text(enum dim_source s); /* "cli", "input", … */

struct dim_binding {
    struct span name;
    int64_t value;
    enum dim_source from;
};

struct dims_request {
    const struct dim_binding
        *bindings; /* in order of precedence; equal names and source: later holds */
    size_t count;
    bool metadata; /* read freeDimensionOverrides of the model (not when a binding is DIM_CLI …) */
    bool keep_open; /* what stays unresolved becomes a dynamic dim; no built-in batch names */
    const struct dim_binding *maxima; /* of dynamic dims, by name */
    size_t maximum_count;
};

struct resolved_dim {
    struct span name; /* of the dim, or <input>_dim<axis> */
    int64_t value;
    enum dim_source from;
};

/* A dim of an input after resolution. */
struct input_dim {
    int64_t value;    /* >= 0, or -1: dynamic */
    struct span name; /* of a dynamic one */
    int64_t max;
};

struct input_shape {
    const struct onnx_value_info *info;
    uint32_t rank;
    struct input_dim dims[MAX_RANK];
};

struct dims_result {
    struct input_shape *inputs; /* by index of graph->inputs; only tensors */
    struct resolved_dim *dims;  /* every name that was used, in order of appearance */
    size_t dim_count;
};

/* The sidecar `<model without extension>.dims.json`, when it exists: bindings DIM_SIDECAR appended.
 * Errors are dim.sidecar with line and column. */
o2w_status dims_read_sidecar(const char *model_path, struct arena *a, struct diags *d,
                             struct dim_binding **items, size_t *count);
/* Resolves all inputs of the graph. All unresolved ones are one error dim.unresolved; bindings that
 * match nothing are warnings dim.unused. In `a`. */
o2w_status dims_resolve(const struct onnx_model *m, const struct onnx_graph *g,
                        const struct dims_request *request, struct arena *a, struct diags *d,
                        struct dims_result *out);

#endif
