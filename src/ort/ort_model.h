/* A graph made for the runtime in memory, through its Model Editor: no protobuf, no file, constants
 * by reference. */
#ifndef ORT_ORT_MODEL_H
#define ORT_ORT_MODEL_H

#include "nodes/sink.h"
#include "ort/ort.h"

/* An empty model. All calls fail with build.failed and the runtime's words. */
o2w_status ort_model_create(const struct ort *o, const struct sink_opset *opsets,
                            size_t opset_count, const o2w_allocator *allocator, struct diags *d,
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
o2w_status ort_model_node(struct ort_model *m, const struct sink_node *node, struct diags *d);

#endif
