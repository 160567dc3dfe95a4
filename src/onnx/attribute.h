/* What hangs on nodes and graphs of an ONNX model: types, tensors, attributes. */
#ifndef ONNX_ATTRIBUTE_H
#define ONNX_ATTRIBUTE_H

#include "base/intern.h"
#include "onnx/dtype.h"
#include "wire/message.h"

enum onnx_dim_kind { ONNX_DIM_UNKNOWN, ONNX_DIM_VALUE, ONNX_DIM_NAMED };

struct onnx_dim {
    enum onnx_dim_kind kind;
    int64_t value;    /* as the file has it: may be negative */
    struct span name; /* dim_param */
};

enum onnx_type_kind {
    ONNX_TYPE_NONE, /* not given */
    ONNX_TYPE_TENSOR,
    ONNX_TYPE_SPARSE_TENSOR,
    ONNX_TYPE_SEQUENCE,
    ONNX_TYPE_OPTIONAL,
    ONNX_TYPE_MAP,
    ONNX_TYPE_OPAQUE
};

struct onnx_type {
    enum onnx_type_kind kind;
    int32_t dtype;  /* of tensors, as the file has it; of the keys of a map */
    bool has_shape; /* without it the rank is unknown */
    uint32_t rank;
    const struct onnx_dim *dims;
    const struct onnx_type *element; /* of sequence and optional; the values of a map */
};

struct file;

/* Data in another file, beside the model. */
struct onnx_external {
    struct span location, checksum;
    uint64_t offset, length; /* without has_length as much as the tensor takes */
    bool has_length;
    struct file *file; /* once onnx_model_open_external found it */
};

/* Where a tensor's elements are; onnx/tensor.h reads them. */
struct onnx_tensor {
    name_id name;
    int32_t dtype; /* as the file has it */
    uint32_t rank;
    bool has_raw, has_segment, is_external;
    uint8_t typed_field;            /* field number of the filled …_data field; 0: none */
    bool mixed_fields;              /* more than one …_data field is filled */
    const int64_t *dims;            /* as the file has them: may be negative */
    struct span raw;                /* raw_data, in the mapped file */
    struct wire_message bytes;      /* the TensorProto, for …_data fields */
    struct onnx_external *external; /* NULL when the data is in the model */
    struct onnx_decoded *decoded;   /* of typed fields, filled on first use; onnx/tensor.h */
};

struct onnx_sparse_tensor {
    struct onnx_tensor values, indices;
    const int64_t *dims;
    uint32_t rank;
};

enum onnx_attribute_type {
    ONNX_ATTRIBUTE_NONE, /* only with ref_name in old files */
    ONNX_ATTRIBUTE_FLOAT,
    ONNX_ATTRIBUTE_INT,
    ONNX_ATTRIBUTE_STRING,
    ONNX_ATTRIBUTE_TENSOR,
    ONNX_ATTRIBUTE_GRAPH,
    ONNX_ATTRIBUTE_FLOATS,
    ONNX_ATTRIBUTE_INTS,
    ONNX_ATTRIBUTE_STRINGS,
    ONNX_ATTRIBUTE_TENSORS,
    ONNX_ATTRIBUTE_GRAPHS,
    ONNX_ATTRIBUTE_SPARSE_TENSOR,
    ONNX_ATTRIBUTE_SPARSE_TENSORS,
    ONNX_ATTRIBUTE_TYPE_PROTO,
    ONNX_ATTRIBUTE_TYPE_PROTOS
};

/* The member of the union is that of the type; graphs, tensors … hold `count` items, one for the
 * singular types. */
struct onnx_attribute {
    struct span name;
    struct span
        ref_name; /* not empty: the value is the attribute of this name of the calling node */
    enum onnx_attribute_type type;
    uint32_t count;
    union {
        int64_t i;
        float f;
        struct span s;
        const int64_t *ints;
        const float *floats;
        const struct span *strings;
        const struct onnx_tensor *tensors;
        const struct onnx_sparse_tensor *sparse_tensors;
        const struct onnx_type *types;
        struct onnx_graph *graphs;
    };
};

/* "INT", "GRAPHS" …; "type 99" is up to the caller: NULL. Static. */
const char *onnx_attribute_type_name(enum onnx_attribute_type type);
/* Whether the attribute holds graphs. */
static inline bool onnx_attribute_has_graphs(const struct onnx_attribute *a)
{
    return a->type == ONNX_ATTRIBUTE_GRAPH || a->type == ONNX_ATTRIBUTE_GRAPHS;
}

#endif
