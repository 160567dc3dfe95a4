/* The messages of onnx.proto: field numbers, and schemas for the wire reader and rewriter. */
#ifndef ONNX_PROTO_H
#define ONNX_PROTO_H

#include "wire/reader.h"

enum {
    MODEL_IR_VERSION = 1,
    MODEL_PRODUCER_NAME = 2,
    MODEL_PRODUCER_VERSION = 3,
    MODEL_DOMAIN = 4,
    MODEL_MODEL_VERSION = 5,
    MODEL_DOC_STRING = 6,
    MODEL_GRAPH = 7,
    MODEL_OPSET_IMPORT = 8,
    MODEL_METADATA_PROPS = 14,
    MODEL_TRAINING_INFO = 20,
    MODEL_FUNCTIONS = 25,

    GRAPH_NODE = 1,
    GRAPH_NAME = 2,
    GRAPH_INITIALIZER = 5,
    GRAPH_DOC_STRING = 10,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_VALUE_INFO = 13,
    GRAPH_SPARSE_INITIALIZER = 15,

    FUNCTION_NAME = 1,
    FUNCTION_INPUT = 4,
    FUNCTION_OUTPUT = 5,
    FUNCTION_ATTRIBUTE = 6,
    FUNCTION_NODE = 7,
    FUNCTION_DOC_STRING = 8,
    FUNCTION_OPSET_IMPORT = 9,
    FUNCTION_DOMAIN = 10,
    FUNCTION_ATTRIBUTE_PROTO = 11,
    FUNCTION_VALUE_INFO = 12,
    FUNCTION_OVERLOAD = 13,

    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_NAME = 3,
    NODE_OP_TYPE = 4,
    NODE_ATTRIBUTE = 5,
    NODE_DOMAIN = 7,
    NODE_OVERLOAD = 8,

    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_F = 2,
    ATTRIBUTE_I = 3,
    ATTRIBUTE_S = 4,
    ATTRIBUTE_T = 5,
    ATTRIBUTE_G = 6,
    ATTRIBUTE_FLOATS = 7,
    ATTRIBUTE_INTS = 8,
    ATTRIBUTE_STRINGS = 9,
    ATTRIBUTE_TENSORS = 10,
    ATTRIBUTE_GRAPHS = 11,
    ATTRIBUTE_TP = 14,
    ATTRIBUTE_TYPE_PROTOS = 15,
    ATTRIBUTE_TYPE = 20,
    ATTRIBUTE_REF_ATTR_NAME = 21,
    ATTRIBUTE_SPARSE_TENSOR = 22,
    ATTRIBUTE_SPARSE_TENSORS = 23,

    TENSOR_DIMS = 1,
    TENSOR_DATA_TYPE = 2,
    TENSOR_SEGMENT = 3,
    TENSOR_FLOAT_DATA = 4,
    TENSOR_INT32_DATA = 5,
    TENSOR_STRING_DATA = 6,
    TENSOR_INT64_DATA = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW_DATA = 9,
    TENSOR_DOUBLE_DATA = 10,
    TENSOR_UINT64_DATA = 11,
    TENSOR_EXTERNAL_DATA = 13,
    TENSOR_DATA_LOCATION = 14,

    SPARSE_VALUES = 1,
    SPARSE_INDICES = 2,
    SPARSE_DIMS = 3,

    VALUE_INFO_NAME = 1,
    VALUE_INFO_TYPE = 2,

    TYPE_TENSOR = 1,
    TYPE_SEQUENCE = 4,
    TYPE_MAP = 5,
    TYPE_OPAQUE = 7,
    TYPE_SPARSE_TENSOR = 8,
    TYPE_OPTIONAL = 9,
    TYPE_TENSOR_ELEM_TYPE = 1, /* of tensors and sparse tensors */
    TYPE_TENSOR_SHAPE = 2,
    TYPE_ELEMENT = 1, /* of sequences and optionals */
    TYPE_MAP_KEY = 1,
    TYPE_MAP_VALUE = 2,

    SHAPE_DIM = 1,
    DIM_VALUE = 1,
    DIM_PARAM = 2,

    OPSET_DOMAIN = 1,
    OPSET_VERSION = 2,
    ENTRY_KEY = 1,
    ENTRY_VALUE = 2
};

extern const struct wire_schema proto_model, proto_graph, proto_function, proto_node,
    proto_attribute, proto_tensor, proto_sparse_tensor, proto_value_info, proto_type,
    proto_type_tensor, proto_type_element, proto_type_map, proto_shape, proto_dim, proto_opset,
    proto_entry, proto_ignored;

#endif
