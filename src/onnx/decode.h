/* Typed fields of tensors: float_data, int32_data … */
#ifndef ONNX_DECODE_H
#define ONNX_DECODE_H

#include "onnx/store.h"

/* Fills t->decoded: `count` elements that take `size` bytes in the layout of raw_data, each checked
 * against its dtype. What lies in the file like that already is not copied. */
o2w_status onnx_decode(struct onnx_model *m, const struct onnx_tensor *t, uint64_t count,
                       uint64_t size, struct diags *d);
/* "float_data" of its field number. Static. */
const char *onnx_typed_field_name(uint32_t field);

/* model.tensor: "tensor 'w': …". */
o2w_status onnx_tensor_refuse(const struct onnx_model *m, const struct onnx_tensor *t,
                              struct diags *d, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Elements of a known dtype and their bytes. */
o2w_status onnx_tensor_size(const struct onnx_model *m, const struct onnx_tensor *t,
                            struct diags *d, uint64_t *count, uint64_t *size);
/* The product of dims, in messages those of `t`. */
o2w_status onnx_dims_count(const struct onnx_model *m, const struct onnx_tensor *t,
                           const int64_t *dims, uint32_t rank, struct diags *d, uint64_t *count);

#endif
