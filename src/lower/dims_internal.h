/* Between the files of dims: bindings by source and name. */
#ifndef LOWER_DIMS_INTERNAL_H
#define LOWER_DIMS_INTERNAL_H

#include "lower/dims.h"

enum { DIM_BOUND_SOURCES = DIM_EXPRESSION, DIM_NAME_MAX = 255 };

struct bound {
    struct dim_binding binding;
    uint32_t rival; /* another binding that differs in case only, or NO_RIVAL */
    bool used;
};
enum { NO_RIVAL = UINT32_MAX };

/* Bindings of every source, by their spelling and by it in lower case. */
struct bindings {
    struct arena *arena;
    struct diags *diags;
    struct bound *items;
    uint32_t count;
    struct map exact[DIM_BOUND_SOURCES], folded[DIM_BOUND_SOURCES];
};

/* Those of the request that count, and the model's own. Maps are freed by bindings_free. */
o2w_status bindings_init(struct bindings *b, const struct onnx_model *m,
                         const struct dims_request *request, struct arena *a, struct diags *d);
void bindings_free(struct bindings *b);
/* The binding of one source: the exact name, else the only one that differs in case; NULL: none.
 * dim.ambiguous where there are two. */
o2w_status bindings_find(struct bindings *b, enum dim_source from, struct span name,
                         const struct dim_binding **out);
struct resolver {
    const struct onnx_model *model;
    const struct onnx_graph *graph;
    const struct dims_request *request;
    struct arena *arena;
    struct diags *diags;
    struct bindings bindings;
    struct map names;  /* of dims anywhere in the model: on how many axes of inputs */
    struct map folded; /* the same in lower case */
    struct map resolved, open;
    VEC(struct resolved_dim) dims;
    VEC(struct span) unresolved;
};

/* All unresolved dims as one error; what bound nothing as warnings. */
o2w_status dims_report_unresolved(struct resolver *r, const struct dims_result *out);
o2w_status dims_report_unused(struct resolver *r);

/* In lower case (ASCII), in the arena; data NULL when memory is out. */
struct span name_folded(struct arena *a, struct span name);
bool name_equal_folded(struct span a, struct span b);

/* Bindings of a JSON text: {name: integer} or {"freeDimensionOverrides": {name: integer}}. Errors have
 * `code` and a place in `name`. Appended to *items, which has room for whatever `text` can hold. */
o2w_status dims_read_json(struct span text, struct span name, enum dim_source from,
                          enum diag_code code, struct arena *a, struct diags *d,
                          struct dim_binding **items, size_t *count);

/* What a name inside an expression stands for: *found, *value; a status only when looking failed. */
typedef o2w_status dims_lookup(void *user, struct span name, bool *found, int64_t *value);
/* The value of `text` as an expression with + - * / ( ) over integers and names; *found is false where
 * it is none, has no operator, a name has no value, a division leaves a rest or the value is not a size. */
o2w_status dims_formula(struct span text, dims_lookup *lookup, void *user, bool *found,
                        int64_t *value);

#endif
