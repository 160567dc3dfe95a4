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

/* The name of a dimension, or `<input>_dim<axis>`. */
struct dim_binding {
    struct span name;
    int64_t value;
    enum dim_source from;
};

/* Zero is every default. */
struct dims_request {
    /* Equal names of one source: the later one holds (dim.duplicate where they differ). Those of the
     * sidecar count only where none is DIM_CLI. */
    const struct dim_binding *bindings;
    size_t count;
    bool metadata;  /* read freeDimensionOverrides of the model */
    bool keep_open; /* what stays unresolved becomes a dynamic dim; no built-in batch names */
    const struct dim_binding *maxima; /* of dynamic dims, by name */
    size_t maximum_count;
    const struct span *pinned; /* inputs of these names are scalars where they have no shape */
    size_t pinned_count;
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

/* What a bound name that no input has asks of an output. */
struct output_dim {
    uint32_t output, axis;
    struct span name;
    int64_t value;
};

struct dims_result {
    struct input_shape *inputs; /* by index of graph->inputs; only tensors */
    struct resolved_dim *dims;  /* every name that was used, in order of appearance */
    size_t dim_count;
    const struct span *unresolved; /* names that stayed without a value: also after that failure */
    size_t unresolved_count;
    struct output_dim *outputs;
    size_t output_count;
};

/* The sidecar `<model without extension>.dims.json`, when it exists: bindings DIM_SIDECAR. Errors are
 * dim.sidecar with line and column. In `a`. */
o2w_status dims_read_sidecar(const char *model_path, struct arena *a, struct diags *d,
                             struct dim_binding **items, size_t *count);
/* Whether a dim's name stands for any size, as exporters write it ("?", "-1"): axes called so are not
 * of one size. */
bool dim_name_is_anonymous(struct span name);
/* Resolves all inputs of the graph. All unresolved ones are one error dim.unresolved; bindings that
 * match nothing are warnings dim.unused. An input with an initializer takes from it what nothing else
 * resolves. In `a`. */
o2w_status dims_resolve(const struct onnx_model *m, const struct onnx_graph *g,
                        const struct dims_request *request, struct arena *a, struct diags *d,
                        struct dims_result *out);

#endif
