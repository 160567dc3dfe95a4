/* Results of ONNX Runtime: tensors, sequences, maps. */
#ifndef ORT_ORT_VALUE_H
#define ORT_ORT_VALUE_H

#include "ort/ort.h"

/* Values. An empty optional is NULL or has no value: ORT_OPTIONAL. */
enum ort_kind ort_value_kind(const struct ort *o, const ort_value *v);
/* A view of a tensor's elements, alive as long as the value (strings: data is NULL). O2W_UNSUPPORTED
 * when it is no tensor or has more than MAX_RANK dims. */
o2w_status ort_value_tensor(const struct ort *o, ort_value *v, struct diags *d, struct tensor *out);
/* One element of a string tensor, NUL-terminated behind its end, in the arena. */
o2w_status ort_value_string(const struct ort *o, const ort_value *v, uint64_t index,
                            struct arena *a, struct diags *d, struct span *out);
/* Items of a sequence; a map has two: its keys and its values as tensors. */
o2w_status ort_value_count(const struct ort *o, const ort_value *v, struct diags *d, size_t *count);
o2w_status ort_value_item(const struct ort *o, const ort_value *v, size_t index, struct diags *d,
                          ort_value **item);
void ort_value_free(const struct ort *o, ort_value *v); /* NULL is fine */

#endif
