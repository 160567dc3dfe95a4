#include "onnx/proto.h"

#define VARINT(name)         \
    {                        \
        name, WIRE_VARINT, 0 \
    }
#define VARINTS(name)         \
    {                         \
        name, WIRE_VARINTS, 0 \
    }
#define FLOAT(name)           \
    {                         \
        name, WIRE_FIXED32, 0 \
    }
#define FLOATS(name)           \
    {                          \
        name, WIRE_FIXED32S, 0 \
    }
#define DOUBLES(name)          \
    {                          \
        name, WIRE_FIXED64S, 0 \
    }
#define TEXT(name)          \
    {                       \
        name, WIRE_BYTES, 0 \
    }
#define MESSAGE(name, schema)       \
    {                               \
        name, WIRE_BYTES, &(schema) \
    }
/* Known, without a meaning for us: documentation, placement on devices, annotations. */
#define IGNORED(name)                    \
    {                                    \
        name, WIRE_BYTES, &proto_ignored \
    }

const struct wire_schema proto_ignored = { .name = "message" };

const struct wire_schema proto_model = {
    "ModelProto",
    {
        [MODEL_IR_VERSION] = VARINT("ir_version"),
        [MODEL_PRODUCER_NAME] = TEXT("producer_name"),
        [MODEL_PRODUCER_VERSION] = TEXT("producer_version"),
        [MODEL_DOMAIN] = TEXT("domain"),
        [MODEL_MODEL_VERSION] = VARINT("model_version"),
        [MODEL_DOC_STRING] = TEXT("doc_string"),
        [MODEL_GRAPH] = MESSAGE("graph", proto_graph),
        [MODEL_OPSET_IMPORT] = MESSAGE("opset_import", proto_opset),
        [MODEL_METADATA_PROPS] = MESSAGE("metadata_props", proto_entry),
        [MODEL_TRAINING_INFO] = IGNORED("training_info"),
        [MODEL_FUNCTIONS] = MESSAGE("functions", proto_function),
        [26] = IGNORED("configuration"),
    },
};

const struct wire_schema proto_graph = {
    "GraphProto",
    {
        [GRAPH_NODE] = MESSAGE("node", proto_node),
        [GRAPH_NAME] = TEXT("name"),
        [GRAPH_INITIALIZER] = MESSAGE("initializer", proto_tensor),
        [GRAPH_DOC_STRING] = TEXT("doc_string"),
        [GRAPH_INPUT] = MESSAGE("input", proto_value_info),
        [GRAPH_OUTPUT] = MESSAGE("output", proto_value_info),
        [GRAPH_VALUE_INFO] = MESSAGE("value_info", proto_value_info),
        [GRAPH_SPARSE_INITIALIZER] = MESSAGE("sparse_initializer", proto_sparse_tensor),
        [14] = IGNORED("quantization_annotation"),
        [16] = IGNORED("metadata_props"),
    },
};

const struct wire_schema proto_function = {
    "FunctionProto",
    {
        [FUNCTION_NAME] = TEXT("name"),
        [FUNCTION_INPUT] = TEXT("input"),
        [FUNCTION_OUTPUT] = TEXT("output"),
        [FUNCTION_ATTRIBUTE] = TEXT("attribute"),
        [FUNCTION_NODE] = MESSAGE("node", proto_node),
        [FUNCTION_DOC_STRING] = TEXT("doc_string"),
        [FUNCTION_OPSET_IMPORT] = MESSAGE("opset_import", proto_opset),
        [FUNCTION_DOMAIN] = TEXT("domain"),
        [FUNCTION_ATTRIBUTE_PROTO] = MESSAGE("attribute_proto", proto_attribute),
        [FUNCTION_VALUE_INFO] = MESSAGE("value_info", proto_value_info),
        [FUNCTION_OVERLOAD] = TEXT("overload"),
        [14] = IGNORED("metadata_props"),
    },
};

const struct wire_schema proto_node = {
    "NodeProto",
    {
        [NODE_INPUT] = TEXT("input"),
        [NODE_OUTPUT] = TEXT("output"),
        [NODE_NAME] = TEXT("name"),
        [NODE_OP_TYPE] = TEXT("op_type"),
        [NODE_ATTRIBUTE] = MESSAGE("attribute", proto_attribute),
        [6] = TEXT("doc_string"),
        [NODE_DOMAIN] = TEXT("domain"),
        [NODE_OVERLOAD] = TEXT("overload"),
        [9] = IGNORED("metadata_props"),
        [10] = IGNORED("device_configurations"),
    },
};

const struct wire_schema proto_attribute = {
    "AttributeProto",
    {
        [ATTRIBUTE_NAME] = TEXT("name"),
        [ATTRIBUTE_F] = FLOAT("f"),
        [ATTRIBUTE_I] = VARINT("i"),
        [ATTRIBUTE_S] = TEXT("s"),
        [ATTRIBUTE_T] = MESSAGE("t", proto_tensor),
        [ATTRIBUTE_G] = MESSAGE("g", proto_graph),
        [ATTRIBUTE_FLOATS] = FLOATS("floats"),
        [ATTRIBUTE_INTS] = VARINTS("ints"),
        [ATTRIBUTE_STRINGS] = TEXT("strings"),
        [ATTRIBUTE_TENSORS] = MESSAGE("tensors", proto_tensor),
        [ATTRIBUTE_GRAPHS] = MESSAGE("graphs", proto_graph),
        [13] = TEXT("doc_string"),
        [ATTRIBUTE_TP] = MESSAGE("tp", proto_type),
        [ATTRIBUTE_TYPE_PROTOS] = MESSAGE("type_protos", proto_type),
        [ATTRIBUTE_TYPE] = VARINT("type"),
        [ATTRIBUTE_REF_ATTR_NAME] = TEXT("ref_attr_name"),
        [ATTRIBUTE_SPARSE_TENSOR] = MESSAGE("sparse_tensor", proto_sparse_tensor),
        [ATTRIBUTE_SPARSE_TENSORS] = MESSAGE("sparse_tensors", proto_sparse_tensor),
    },
};

const struct wire_schema proto_tensor = {
    "TensorProto",
    {
        [TENSOR_DIMS] = VARINTS("dims"),
        [TENSOR_DATA_TYPE] = VARINT("data_type"),
        [TENSOR_SEGMENT] = IGNORED("segment"),
        [TENSOR_FLOAT_DATA] = FLOATS("float_data"),
        [TENSOR_INT32_DATA] = VARINTS("int32_data"),
        [TENSOR_STRING_DATA] = TEXT("string_data"),
        [TENSOR_INT64_DATA] = VARINTS("int64_data"),
        [TENSOR_NAME] = TEXT("name"),
        [TENSOR_RAW_DATA] = TEXT("raw_data"),
        [TENSOR_DOUBLE_DATA] = DOUBLES("double_data"),
        [TENSOR_UINT64_DATA] = VARINTS("uint64_data"),
        [12] = TEXT("doc_string"),
        [TENSOR_EXTERNAL_DATA] = MESSAGE("external_data", proto_entry),
        [TENSOR_DATA_LOCATION] = VARINT("data_location"),
        [16] = IGNORED("metadata_props"),
    },
};

const struct wire_schema proto_sparse_tensor = {
    "SparseTensorProto",
    {
        [SPARSE_VALUES] = MESSAGE("values", proto_tensor),
        [SPARSE_INDICES] = MESSAGE("indices", proto_tensor),
        [SPARSE_DIMS] = VARINTS("dims"),
    },
};

const struct wire_schema proto_value_info = {
    "ValueInfoProto",
    {
        [VALUE_INFO_NAME] = TEXT("name"),
        [VALUE_INFO_TYPE] = MESSAGE("type", proto_type),
        [3] = TEXT("doc_string"),
        [4] = IGNORED("metadata_props"),
    },
};

const struct wire_schema proto_type = {
    "TypeProto",
    {
        [TYPE_TENSOR] = MESSAGE("tensor_type", proto_type_tensor),
        [TYPE_SEQUENCE] = MESSAGE("sequence_type", proto_type_element),
        [TYPE_MAP] = MESSAGE("map_type", proto_type_map),
        [6] = TEXT("denotation"),
        [TYPE_OPAQUE] = IGNORED("opaque_type"),
        [TYPE_SPARSE_TENSOR] = MESSAGE("sparse_tensor_type", proto_type_tensor),
        [TYPE_OPTIONAL] = MESSAGE("optional_type", proto_type_element),
    },
};

const struct wire_schema proto_type_tensor = {
    "TypeProto.Tensor",
    {
        [TYPE_TENSOR_ELEM_TYPE] = VARINT("elem_type"),
        [TYPE_TENSOR_SHAPE] = MESSAGE("shape", proto_shape),
    },
};

const struct wire_schema proto_type_element = {
    "TypeProto.Sequence",
    { [TYPE_ELEMENT] = MESSAGE("elem_type", proto_type) },
};

const struct wire_schema proto_type_map = {
    "TypeProto.Map",
    {
        [TYPE_MAP_KEY] = VARINT("key_type"),
        [TYPE_MAP_VALUE] = MESSAGE("value_type", proto_type),
    },
};

const struct wire_schema proto_shape = {
    "TensorShapeProto",
    { [SHAPE_DIM] = MESSAGE("dim", proto_dim) },
};

const struct wire_schema proto_dim = {
    "TensorShapeProto.Dimension",
    {
        [DIM_VALUE] = VARINT("dim_value"),
        [DIM_PARAM] = TEXT("dim_param"),
        [3] = TEXT("denotation"),
    },
};

const struct wire_schema proto_opset = {
    "OperatorSetIdProto",
    {
        [OPSET_DOMAIN] = TEXT("domain"),
        [OPSET_VERSION] = VARINT("version"),
    },
};

const struct wire_schema proto_entry = {
    "StringStringEntryProto",
    {
        [ENTRY_KEY] = TEXT("key"),
        [ENTRY_VALUE] = TEXT("value"),
    },
};
