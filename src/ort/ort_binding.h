/* Runs of ONNX Runtime on memory of the caller: no copy, no allocation. */
#ifndef ORT_ORT_BINDING_H
#define ORT_ORT_BINDING_H

#include "ort/ort.h"

/* One thread at a time. */
struct ort_binding;
o2w_status ort_binding_create(const struct ort_session *s, struct diags *d,
                              struct ort_binding **out);
void ort_binding_free(struct ort_binding *b); /* NULL is fine */
/* Binds by index of the session's inputs and outputs; what was bound before at the same address with
 * the same shape stays. The memory must live until the next binding or freeing. */
o2w_status ort_binding_input(struct ort_binding *b, size_t index, const struct tensor *t,
                             struct diags *d);
o2w_status ort_binding_output(struct ort_binding *b, size_t index, struct tensor *t,
                              struct diags *d);
o2w_status ort_binding_run(struct ort_binding *b, const struct ort_cancel *cancel, struct diags *d);

#endif
