/* The elements of ONNX tensors. */
#ifndef ONNX_TENSOR_H
#define ONNX_TENSOR_H

#include "base/file.h"
#include "onnx/model.h"

enum onnx_payload_kind {
    ONNX_PAYLOAD_RANGE,  /* [offset, offset + size) of a file: the model or an external one */
    ONNX_PAYLOAD_MEMORY, /* decoded from a typed field */
    ONNX_PAYLOAD_ZEROS,  /* external data that is missing, and may be */
    ONNX_PAYLOAD_STRINGS
};

/* Little-endian elements in the layout of raw_data. Valid as long as the model; the file is
 * borrowed. */
struct onnx_payload {
    enum onnx_payload_kind kind;
    uint64_t count; /* elements */
    uint64_t size;  /* bytes; 0 for strings */
    struct file *file;
    uint64_t offset;
    struct span memory;
    const struct span *strings;
};

/* Opens every external file of the model, main graph, subgraphs and functions alike, and checks
 * offsets and lengths: model.external-data reports all tensors that cannot be read in one
 * diagnostic; with allow_missing_external_data a warning counts those whose files are missing.
 * Call it before work begins; onnx_tensor_payload does where nobody did. Twice does nothing. */
o2w_status onnx_model_open_external(struct onnx_model *m, struct diags *d);
/* The tensors that read as zeros: those of functions, then of the main graph, in file order. */
const struct onnx_tensor *const *onnx_model_missing(const struct onnx_model *m, size_t *count);

/* The external files, once they are open. */
struct file *const *onnx_model_files(const struct onnx_model *m, size_t *count);

/* Where the elements are. Checks dtype, dims and exact length; decodes typed fields once. */
o2w_status onnx_tensor_payload(struct onnx_model *m, const struct onnx_tensor *t, struct diags *d,
                               struct onnx_payload *out);
/* The bytes of a payload of any kind but strings: maps the range, or makes the zeros in `a`. */
o2w_status onnx_payload_bytes(const struct onnx_payload *p, struct arena *a, struct diags *d,
                              struct span *out);
/* The number of elements that dims ask for; model.tensor when a dim is negative or it overflows. */
o2w_status onnx_tensor_count(const struct onnx_model *m, const struct onnx_tensor *t,
                             struct diags *d, uint64_t *count);

/* The indices of a sparse tensor as linear ones, checked against dims, ascending: `count` int64 in
 * `a`, as many as it has values. */
o2w_status onnx_sparse_indices(struct onnx_model *m, const struct onnx_sparse_tensor *tensor,
                               struct arena *a, struct diags *d, const int64_t **indices,
                               uint64_t *count);

#endif
