/* Opening ONNX models. */
#ifndef ONNX_OPEN_H
#define ONNX_OPEN_H

#include "base/file.h"
#include "onnx/model.h"

/* Zero is every default. */
struct onnx_open_options {
    bool allow_missing_external_data; /* tensors of missing files read as zeros */
    bool verify_checksums;            /* of external data; reads all of it */
    uint32_t max_depth;               /* nested subgraphs or types; 0: 64 */
};

/* Maps the file, reads its structure (payloads of tensors are not touched), links names, sorts the
 * nodes and checks what model.h promises. External files are not opened yet. */
o2w_status onnx_model_open(const char *path, const struct onnx_open_options *options,
                           const o2w_allocator *allocator, struct diags *d,
                           struct onnx_model **out);
/* The same for bytes in memory, which are borrowed; `name` is for messages; external data is looked
 * for in `folder`, refused when that is NULL. */
o2w_status onnx_model_open_bytes(struct span bytes, const char *name, const char *folder,
                                 const struct onnx_open_options *options,
                                 const o2w_allocator *allocator, struct diags *d,
                                 struct onnx_model **out);
void onnx_model_close(struct onnx_model *m); /* NULL is fine */

#endif
