/* The operators of WebNN and their attributes. Written by tools/gen/operators.py; do not edit. */
#ifndef ONNX2WEBNN_WEBNN_OPERATORS_H
#define ONNX2WEBNN_WEBNN_OPERATORS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEBNN_MAX_RANK = 16 };

/* An MLNumber: an exact 64-bit integer or a double. NONE: not given. */
enum webnn_number_kind { WEBNN_NUMBER_NONE, WEBNN_NUMBER_INT, WEBNN_NUMBER_UINT, WEBNN_NUMBER_DOUBLE };

struct webnn_number {
    enum webnn_number_kind kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
    };
};

/* Lists. `given` false: absent, the operator's rule decides; count 0 with `given`: the empty list. */
struct webnn_u32s {
    bool given;
    uint32_t count;
    uint32_t items[WEBNN_MAX_RANK];
};

struct webnn_doubles {
    bool given;
    uint32_t count;
    double items[4];
};

/* Sizes: >= 0 is a number, < 0 a dimension expression of the graph. */
struct webnn_dims {
    bool given;
    uint32_t count;
    int64_t items[WEBNN_MAX_RANK];
};

/* equal: `count` equal parts, `items` is not read. Else the parts' sizes, borrowed. */
struct webnn_splits {
    bool equal;
    uint32_t count;
    const uint32_t *items;
};

/* Element types. int4 and uint4 hold two elements per byte, low nibble first. */
enum webnn_data_type {
    WEBNN_FLOAT32 = 0,
    WEBNN_FLOAT16 = 1,
    WEBNN_INT32 = 2,
    WEBNN_UINT32 = 3,
    WEBNN_INT64 = 4,
    WEBNN_UINT64 = 5,
    WEBNN_INT8 = 6,
    WEBNN_UINT8 = 7,
    WEBNN_INT4 = 8,
    WEBNN_UINT4 = 9,
    WEBNN_DATA_TYPE_COUNT = 10
};

enum webnn_input_layout {
    WEBNN_INPUT_LAYOUT_NCHW = 0,
    WEBNN_INPUT_LAYOUT_NHWC = 1
};

enum webnn_conv2d_filter_layout {
    WEBNN_CONV2D_FILTER_LAYOUT_OIHW = 0,
    WEBNN_CONV2D_FILTER_LAYOUT_HWIO = 1,
    WEBNN_CONV2D_FILTER_LAYOUT_OHWI = 2,
    WEBNN_CONV2D_FILTER_LAYOUT_IHWO = 3
};

enum webnn_conv_transpose2d_filter_layout {
    WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW = 0,
    WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI = 1,
    WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI = 2
};

enum webnn_gru_weight_layout {
    WEBNN_GRU_WEIGHT_LAYOUT_ZRN = 0,
    WEBNN_GRU_WEIGHT_LAYOUT_RZN = 1
};

enum webnn_lstm_weight_layout {
    WEBNN_LSTM_WEIGHT_LAYOUT_IOFG = 0,
    WEBNN_LSTM_WEIGHT_LAYOUT_IFGO = 1
};

enum webnn_activation {
    WEBNN_ACTIVATION_RELU = 0,
    WEBNN_ACTIVATION_SIGMOID = 1,
    WEBNN_ACTIVATION_TANH = 2
};

enum webnn_direction {
    WEBNN_DIRECTION_FORWARD = 0,
    WEBNN_DIRECTION_BACKWARD = 1,
    WEBNN_DIRECTION_BOTH = 2
};

enum webnn_padding_mode {
    WEBNN_PADDING_MODE_CONSTANT = 0,
    WEBNN_PADDING_MODE_EDGE = 1,
    WEBNN_PADDING_MODE_REFLECTION = 2
};

enum webnn_rounding {
    WEBNN_ROUNDING_FLOOR = 0,
    WEBNN_ROUNDING_CEIL = 1
};

enum webnn_interpolation {
    WEBNN_INTERPOLATION_NEAREST_NEIGHBOR = 0,
    WEBNN_INTERPOLATION_LINEAR = 1
};

enum webnn_operator {
    WEBNN_ARG_MIN = 0,
    WEBNN_ARG_MAX = 1,
    WEBNN_BATCH_NORMALIZATION = 2,
    WEBNN_CAST = 3,
    WEBNN_CLAMP = 4,
    WEBNN_CONCAT = 5,
    WEBNN_CONV2D = 6,
    WEBNN_CONV_TRANSPOSE2D = 7,
    WEBNN_CUMULATIVE_SUM = 8,
    WEBNN_ADD = 9,
    WEBNN_SUB = 10,
    WEBNN_MUL = 11,
    WEBNN_DIV = 12,
    WEBNN_MAX = 13,
    WEBNN_MIN = 14,
    WEBNN_POW = 15,
    WEBNN_EQUAL = 16,
    WEBNN_NOT_EQUAL = 17,
    WEBNN_GREATER = 18,
    WEBNN_GREATER_OR_EQUAL = 19,
    WEBNN_LESSER = 20,
    WEBNN_LESSER_OR_EQUAL = 21,
    WEBNN_LOGICAL_NOT = 22,
    WEBNN_LOGICAL_AND = 23,
    WEBNN_LOGICAL_OR = 24,
    WEBNN_LOGICAL_XOR = 25,
    WEBNN_IS_NAN = 26,
    WEBNN_IS_INFINITE = 27,
    WEBNN_ABS = 28,
    WEBNN_CEIL = 29,
    WEBNN_COS = 30,
    WEBNN_ERF = 31,
    WEBNN_EXP = 32,
    WEBNN_FLOOR = 33,
    WEBNN_IDENTITY = 34,
    WEBNN_LOG = 35,
    WEBNN_NEG = 36,
    WEBNN_RECIPROCAL = 37,
    WEBNN_ROUND_EVEN = 38,
    WEBNN_SIN = 39,
    WEBNN_SIGN = 40,
    WEBNN_SQRT = 41,
    WEBNN_TAN = 42,
    WEBNN_DEQUANTIZE_LINEAR = 43,
    WEBNN_QUANTIZE_LINEAR = 44,
    WEBNN_ELU = 45,
    WEBNN_EXPAND = 46,
    WEBNN_GATHER = 47,
    WEBNN_GATHER_ELEMENTS = 48,
    WEBNN_GATHER_ND = 49,
    WEBNN_GELU = 50,
    WEBNN_GEMM = 51,
    WEBNN_GRU = 52,
    WEBNN_GRU_CELL = 53,
    WEBNN_HARD_SIGMOID = 54,
    WEBNN_HARD_SWISH = 55,
    WEBNN_INSTANCE_NORMALIZATION = 56,
    WEBNN_LAYER_NORMALIZATION = 57,
    WEBNN_LEAKY_RELU = 58,
    WEBNN_LINEAR = 59,
    WEBNN_LSTM = 60,
    WEBNN_LSTM_CELL = 61,
    WEBNN_MATMUL = 62,
    WEBNN_PAD = 63,
    WEBNN_AVERAGE_POOL2D = 64,
    WEBNN_L2_POOL2D = 65,
    WEBNN_MAX_POOL2D = 66,
    WEBNN_PRELU = 67,
    WEBNN_REDUCE_L1 = 68,
    WEBNN_REDUCE_L2 = 69,
    WEBNN_REDUCE_LOG_SUM = 70,
    WEBNN_REDUCE_LOG_SUM_EXP = 71,
    WEBNN_REDUCE_MAX = 72,
    WEBNN_REDUCE_MEAN = 73,
    WEBNN_REDUCE_MIN = 74,
    WEBNN_REDUCE_PRODUCT = 75,
    WEBNN_REDUCE_SUM = 76,
    WEBNN_REDUCE_SUM_SQUARE = 77,
    WEBNN_RELU = 78,
    WEBNN_RESAMPLE2D = 79,
    WEBNN_RESHAPE = 80,
    WEBNN_REVERSE = 81,
    WEBNN_SCATTER_ELEMENTS = 82,
    WEBNN_SCATTER_ND = 83,
    WEBNN_SIGMOID = 84,
    WEBNN_SLICE = 85,
    WEBNN_SOFTMAX = 86,
    WEBNN_SOFTPLUS = 87,
    WEBNN_SOFTSIGN = 88,
    WEBNN_SPLIT = 89,
    WEBNN_TANH = 90,
    WEBNN_TILE = 91,
    WEBNN_TRANSPOSE = 92,
    WEBNN_TRIANGULAR = 93,
    WEBNN_WHERE = 94,
    WEBNN_OPERATOR_COUNT = 95
};

/* The attributes of each operator that has some, and their defaults. A list whose default
 * depends on the operands' shapes is not given there. */

struct webnn_arg_min_max_attributes {
    uint32_t axis;
    bool keep_dimensions;
    uint32_t output_data_type; /* enum webnn_data_type */
};

static inline struct webnn_arg_min_max_attributes webnn_arg_min_defaults(void)
{
    struct webnn_arg_min_max_attributes a;
    memset(&a, 0, sizeof a);
    a.output_data_type = WEBNN_INT32;
    return a;
}

static inline struct webnn_arg_min_max_attributes webnn_arg_max_defaults(void)
{
    struct webnn_arg_min_max_attributes a;
    memset(&a, 0, sizeof a);
    a.output_data_type = WEBNN_INT32;
    return a;
}

struct webnn_batch_normalization_attributes {
    uint32_t axis;
    double epsilon;
};

static inline struct webnn_batch_normalization_attributes webnn_batch_normalization_defaults(void)
{
    struct webnn_batch_normalization_attributes a;
    memset(&a, 0, sizeof a);
    a.axis = 1;
    a.epsilon = 1e-05;
    return a;
}

struct webnn_cast_attributes {
    uint32_t to; /* enum webnn_data_type */
};

static inline struct webnn_cast_attributes webnn_cast_defaults(void)
{
    struct webnn_cast_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_clamp_attributes {
    struct webnn_number min_value;
    struct webnn_number max_value;
};

static inline struct webnn_clamp_attributes webnn_clamp_defaults(void)
{
    struct webnn_clamp_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_concat_attributes {
    uint32_t axis;
};

static inline struct webnn_concat_attributes webnn_concat_defaults(void)
{
    struct webnn_concat_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_conv2d_attributes {
    struct webnn_u32s padding;
    struct webnn_u32s strides;
    struct webnn_u32s dilations;
    uint32_t groups;
    uint32_t input_layout; /* enum webnn_input_layout */
    uint32_t filter_layout; /* enum webnn_conv2d_filter_layout */
};

static inline struct webnn_conv2d_attributes webnn_conv2d_defaults(void)
{
    struct webnn_conv2d_attributes a;
    memset(&a, 0, sizeof a);
    a.padding.given = true;
    a.padding.count = 4;
    a.strides.given = true;
    a.strides.count = 2;
    a.strides.items[0] = 1;
    a.strides.items[1] = 1;
    a.dilations.given = true;
    a.dilations.count = 2;
    a.dilations.items[0] = 1;
    a.dilations.items[1] = 1;
    a.groups = 1;
    a.input_layout = WEBNN_INPUT_LAYOUT_NCHW;
    a.filter_layout = WEBNN_CONV2D_FILTER_LAYOUT_OIHW;
    return a;
}

struct webnn_conv_transpose2d_attributes {
    struct webnn_u32s padding;
    struct webnn_u32s strides;
    struct webnn_u32s dilations;
    struct webnn_u32s output_padding;
    struct webnn_u32s output_sizes;
    uint32_t groups;
    uint32_t input_layout; /* enum webnn_input_layout */
    uint32_t filter_layout; /* enum webnn_conv_transpose2d_filter_layout */
};

static inline struct webnn_conv_transpose2d_attributes webnn_conv_transpose2d_defaults(void)
{
    struct webnn_conv_transpose2d_attributes a;
    memset(&a, 0, sizeof a);
    a.padding.given = true;
    a.padding.count = 4;
    a.strides.given = true;
    a.strides.count = 2;
    a.strides.items[0] = 1;
    a.strides.items[1] = 1;
    a.dilations.given = true;
    a.dilations.count = 2;
    a.dilations.items[0] = 1;
    a.dilations.items[1] = 1;
    a.output_padding.given = true;
    a.output_padding.count = 2;
    a.groups = 1;
    a.input_layout = WEBNN_INPUT_LAYOUT_NCHW;
    a.filter_layout = WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW;
    return a;
}

struct webnn_cumulative_sum_attributes {
    uint32_t axis;
    bool exclusive;
    bool reversed;
};

static inline struct webnn_cumulative_sum_attributes webnn_cumulative_sum_defaults(void)
{
    struct webnn_cumulative_sum_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_elu_attributes {
    double alpha;
};

static inline struct webnn_elu_attributes webnn_elu_defaults(void)
{
    struct webnn_elu_attributes a;
    memset(&a, 0, sizeof a);
    a.alpha = 1.0;
    return a;
}

struct webnn_expand_attributes {
    struct webnn_dims new_shape;
};

static inline struct webnn_expand_attributes webnn_expand_defaults(void)
{
    struct webnn_expand_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_gather_attributes {
    uint32_t axis;
};

static inline struct webnn_gather_attributes webnn_gather_defaults(void)
{
    struct webnn_gather_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_gather_elements_attributes {
    uint32_t axis;
};

static inline struct webnn_gather_elements_attributes webnn_gather_elements_defaults(void)
{
    struct webnn_gather_elements_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_gemm_attributes {
    double alpha;
    double beta;
    bool a_transpose;
    bool b_transpose;
};

static inline struct webnn_gemm_attributes webnn_gemm_defaults(void)
{
    struct webnn_gemm_attributes a;
    memset(&a, 0, sizeof a);
    a.alpha = 1.0;
    a.beta = 1.0;
    return a;
}

struct webnn_gru_attributes {
    uint32_t steps;
    uint32_t hidden_size;
    bool reset_after;
    bool return_sequence;
    uint32_t direction; /* enum webnn_direction */
    uint32_t layout; /* enum webnn_gru_weight_layout */
    struct webnn_u32s activations; /* each an enum webnn_activation */
};

static inline struct webnn_gru_attributes webnn_gru_defaults(void)
{
    struct webnn_gru_attributes a;
    memset(&a, 0, sizeof a);
    a.reset_after = true;
    a.direction = WEBNN_DIRECTION_FORWARD;
    a.layout = WEBNN_GRU_WEIGHT_LAYOUT_ZRN;
    a.activations.given = true;
    a.activations.count = 2;
    a.activations.items[0] = WEBNN_ACTIVATION_SIGMOID;
    a.activations.items[1] = WEBNN_ACTIVATION_TANH;
    return a;
}

struct webnn_gru_cell_attributes {
    uint32_t hidden_size;
    bool reset_after;
    uint32_t layout; /* enum webnn_gru_weight_layout */
    struct webnn_u32s activations; /* each an enum webnn_activation */
};

static inline struct webnn_gru_cell_attributes webnn_gru_cell_defaults(void)
{
    struct webnn_gru_cell_attributes a;
    memset(&a, 0, sizeof a);
    a.reset_after = true;
    a.layout = WEBNN_GRU_WEIGHT_LAYOUT_ZRN;
    a.activations.given = true;
    a.activations.count = 2;
    a.activations.items[0] = WEBNN_ACTIVATION_SIGMOID;
    a.activations.items[1] = WEBNN_ACTIVATION_TANH;
    return a;
}

struct webnn_hard_sigmoid_attributes {
    double alpha;
    double beta;
};

static inline struct webnn_hard_sigmoid_attributes webnn_hard_sigmoid_defaults(void)
{
    struct webnn_hard_sigmoid_attributes a;
    memset(&a, 0, sizeof a);
    a.alpha = 0.2;
    a.beta = 0.5;
    return a;
}

struct webnn_instance_normalization_attributes {
    double epsilon;
    uint32_t layout; /* enum webnn_input_layout */
};

static inline struct webnn_instance_normalization_attributes webnn_instance_normalization_defaults(void)
{
    struct webnn_instance_normalization_attributes a;
    memset(&a, 0, sizeof a);
    a.epsilon = 1e-05;
    a.layout = WEBNN_INPUT_LAYOUT_NCHW;
    return a;
}

struct webnn_layer_normalization_attributes {
    struct webnn_u32s axes;
    double epsilon;
};

static inline struct webnn_layer_normalization_attributes webnn_layer_normalization_defaults(void)
{
    struct webnn_layer_normalization_attributes a;
    memset(&a, 0, sizeof a);
    a.epsilon = 1e-05;
    return a;
}

struct webnn_leaky_relu_attributes {
    double alpha;
};

static inline struct webnn_leaky_relu_attributes webnn_leaky_relu_defaults(void)
{
    struct webnn_leaky_relu_attributes a;
    memset(&a, 0, sizeof a);
    a.alpha = 0.01;
    return a;
}

struct webnn_linear_attributes {
    double alpha;
    double beta;
};

static inline struct webnn_linear_attributes webnn_linear_defaults(void)
{
    struct webnn_linear_attributes a;
    memset(&a, 0, sizeof a);
    a.alpha = 1.0;
    return a;
}

struct webnn_lstm_attributes {
    uint32_t steps;
    uint32_t hidden_size;
    bool return_sequence;
    uint32_t direction; /* enum webnn_direction */
    uint32_t layout; /* enum webnn_lstm_weight_layout */
    struct webnn_u32s activations; /* each an enum webnn_activation */
};

static inline struct webnn_lstm_attributes webnn_lstm_defaults(void)
{
    struct webnn_lstm_attributes a;
    memset(&a, 0, sizeof a);
    a.direction = WEBNN_DIRECTION_FORWARD;
    a.layout = WEBNN_LSTM_WEIGHT_LAYOUT_IOFG;
    a.activations.given = true;
    a.activations.count = 3;
    a.activations.items[0] = WEBNN_ACTIVATION_SIGMOID;
    a.activations.items[1] = WEBNN_ACTIVATION_TANH;
    a.activations.items[2] = WEBNN_ACTIVATION_TANH;
    return a;
}

struct webnn_lstm_cell_attributes {
    uint32_t hidden_size;
    uint32_t layout; /* enum webnn_lstm_weight_layout */
    struct webnn_u32s activations; /* each an enum webnn_activation */
};

static inline struct webnn_lstm_cell_attributes webnn_lstm_cell_defaults(void)
{
    struct webnn_lstm_cell_attributes a;
    memset(&a, 0, sizeof a);
    a.layout = WEBNN_LSTM_WEIGHT_LAYOUT_IOFG;
    a.activations.given = true;
    a.activations.count = 3;
    a.activations.items[0] = WEBNN_ACTIVATION_SIGMOID;
    a.activations.items[1] = WEBNN_ACTIVATION_TANH;
    a.activations.items[2] = WEBNN_ACTIVATION_TANH;
    return a;
}

struct webnn_pad_attributes {
    struct webnn_u32s beginning_padding;
    struct webnn_u32s ending_padding;
    uint32_t mode; /* enum webnn_padding_mode */
    struct webnn_number value;
};

static inline struct webnn_pad_attributes webnn_pad_defaults(void)
{
    struct webnn_pad_attributes a;
    memset(&a, 0, sizeof a);
    a.mode = WEBNN_PADDING_MODE_CONSTANT;
    a.value.kind = WEBNN_NUMBER_INT;
    return a;
}

struct webnn_pool2d_attributes {
    struct webnn_u32s window_dimensions;
    struct webnn_u32s padding;
    struct webnn_u32s strides;
    struct webnn_u32s dilations;
    uint32_t layout; /* enum webnn_input_layout */
    uint32_t output_shape_rounding; /* enum webnn_rounding */
    struct webnn_u32s output_sizes;
};

static inline struct webnn_pool2d_attributes webnn_average_pool2d_defaults(void)
{
    struct webnn_pool2d_attributes a;
    memset(&a, 0, sizeof a);
    a.padding.given = true;
    a.padding.count = 4;
    a.strides.given = true;
    a.strides.count = 2;
    a.strides.items[0] = 1;
    a.strides.items[1] = 1;
    a.dilations.given = true;
    a.dilations.count = 2;
    a.dilations.items[0] = 1;
    a.dilations.items[1] = 1;
    a.layout = WEBNN_INPUT_LAYOUT_NCHW;
    a.output_shape_rounding = WEBNN_ROUNDING_FLOOR;
    return a;
}

static inline struct webnn_pool2d_attributes webnn_l2_pool2d_defaults(void)
{
    struct webnn_pool2d_attributes a;
    memset(&a, 0, sizeof a);
    a.padding.given = true;
    a.padding.count = 4;
    a.strides.given = true;
    a.strides.count = 2;
    a.strides.items[0] = 1;
    a.strides.items[1] = 1;
    a.dilations.given = true;
    a.dilations.count = 2;
    a.dilations.items[0] = 1;
    a.dilations.items[1] = 1;
    a.layout = WEBNN_INPUT_LAYOUT_NCHW;
    a.output_shape_rounding = WEBNN_ROUNDING_FLOOR;
    return a;
}

static inline struct webnn_pool2d_attributes webnn_max_pool2d_defaults(void)
{
    struct webnn_pool2d_attributes a;
    memset(&a, 0, sizeof a);
    a.padding.given = true;
    a.padding.count = 4;
    a.strides.given = true;
    a.strides.count = 2;
    a.strides.items[0] = 1;
    a.strides.items[1] = 1;
    a.dilations.given = true;
    a.dilations.count = 2;
    a.dilations.items[0] = 1;
    a.dilations.items[1] = 1;
    a.layout = WEBNN_INPUT_LAYOUT_NCHW;
    a.output_shape_rounding = WEBNN_ROUNDING_FLOOR;
    return a;
}

struct webnn_reduce_attributes {
    struct webnn_u32s axes;
    bool keep_dimensions;
};

static inline struct webnn_reduce_attributes webnn_reduce_l1_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_l2_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_log_sum_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_log_sum_exp_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_max_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_mean_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_min_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_product_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_sum_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

static inline struct webnn_reduce_attributes webnn_reduce_sum_square_defaults(void)
{
    struct webnn_reduce_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_resample2d_attributes {
    uint32_t mode; /* enum webnn_interpolation */
    struct webnn_doubles scales;
    struct webnn_u32s sizes;
    struct webnn_u32s axes;
};

static inline struct webnn_resample2d_attributes webnn_resample2d_defaults(void)
{
    struct webnn_resample2d_attributes a;
    memset(&a, 0, sizeof a);
    a.mode = WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
    a.axes.given = true;
    a.axes.count = 2;
    a.axes.items[0] = 2;
    a.axes.items[1] = 3;
    return a;
}

struct webnn_reshape_attributes {
    struct webnn_dims new_shape;
};

static inline struct webnn_reshape_attributes webnn_reshape_defaults(void)
{
    struct webnn_reshape_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_reverse_attributes {
    struct webnn_u32s axes;
};

static inline struct webnn_reverse_attributes webnn_reverse_defaults(void)
{
    struct webnn_reverse_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_scatter_elements_attributes {
    uint32_t axis;
};

static inline struct webnn_scatter_elements_attributes webnn_scatter_elements_defaults(void)
{
    struct webnn_scatter_elements_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_slice_attributes {
    struct webnn_u32s starts;
    struct webnn_dims sizes;
    struct webnn_u32s strides;
};

static inline struct webnn_slice_attributes webnn_slice_defaults(void)
{
    struct webnn_slice_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_softmax_attributes {
    uint32_t axis;
};

static inline struct webnn_softmax_attributes webnn_softmax_defaults(void)
{
    struct webnn_softmax_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_split_attributes {
    struct webnn_splits splits;
    uint32_t axis;
};

static inline struct webnn_split_attributes webnn_split_defaults(void)
{
    struct webnn_split_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_tile_attributes {
    struct webnn_u32s repetitions;
};

static inline struct webnn_tile_attributes webnn_tile_defaults(void)
{
    struct webnn_tile_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_transpose_attributes {
    struct webnn_u32s permutation;
};

static inline struct webnn_transpose_attributes webnn_transpose_defaults(void)
{
    struct webnn_transpose_attributes a;
    memset(&a, 0, sizeof a);
    return a;
}

struct webnn_triangular_attributes {
    bool upper;
    int32_t diagonal;
};

static inline struct webnn_triangular_attributes webnn_triangular_defaults(void)
{
    struct webnn_triangular_attributes a;
    memset(&a, 0, sizeof a);
    a.upper = true;
    return a;
}

#ifdef __cplusplus
}
#endif

#endif
