/* A graph made for the runtime in memory, through its Model Editor: no protobuf, no file, constants
 * by reference. */
#ifndef ORT_ORT_MODEL_H
#define ORT_ORT_MODEL_H

#include "ort/ort.h"

struct ort_opset {
    const char *domain;
    int version;
};

enum ort_attribute_kind {
    ORT_ATTRIBUTE_INT,
    ORT_ATTRIBUTE_INTS,
    ORT_ATTRIBUTE_FLOAT,
    ORT_ATTRIBUTE_FLOATS,
    ORT_ATTRIBUTE_STRING,
    ORT_ATTRIBUTE_STRINGS
};

struct ort_attribute {
    const char *name;
    enum ort_attribute_kind kind;
    const void *data; /* int64_t, float, characters, or const char * */
    size_t count;     /* elements; characters of a string */
};

struct ort_node {
    const char *op, *domain, *name;
    const char *const *inputs; /* "" for one that is left out */
    size_t input_count;
    const char *const *outputs;
    size_t output_count;
    const struct ort_attribute *attributes;
    size_t attribute_count;
};

/* An empty model. All calls fail with build.failed and the runtime's words. */
o2w_status ort_model_create(const struct ort *o, const struct ort_opset *opsets, size_t opset_count,
                            const o2w_allocator *allocator, struct diags *d,
                            struct ort_model **out);
void ort_model_free(struct ort_model *m); /* NULL is fine */
/* Dims below 0 are open; symbols name them (NULL: no names; equal names are one size). */
o2w_status ort_model_input(struct ort_model *m, const char *name, enum dtype dtype,
                           const int64_t *dims, uint32_t rank, const char *const *symbols,
                           struct diags *d);
o2w_status ort_model_output(struct ort_model *m, const char *name, enum dtype dtype,
                            const int64_t *dims, uint32_t rank, const char *const *symbols,
                            struct diags *d);
/* The bytes are borrowed until the session is freed; `copied` or below 128 bytes: the model has its own. */
o2w_status ort_model_constant(struct ort_model *m, const char *name, const struct tensor *t,
                              bool copied, struct diags *d);
o2w_status ort_model_node(struct ort_model *m, const struct ort_node *node, struct diags *d);

#endif
