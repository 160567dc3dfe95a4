/* The descriptors of all operators. Written by tools/gen/operators.py; do not edit. */
#include "webnn/infer/rules.h"
#include "webnn/operator.h"

#include <stddef.h>

#define LINK(anchor) "https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-" anchor
#define COUNT(array) (uint32_t)(sizeof array / sizeof *array)
#define F32 DTYPE_BIT(DTYPE_FLOAT32)
#define F16 DTYPE_BIT(DTYPE_FLOAT16)
#define I32 DTYPE_BIT(DTYPE_INT32)
#define U32 DTYPE_BIT(DTYPE_UINT32)
#define I64 DTYPE_BIT(DTYPE_INT64)
#define U64 DTYPE_BIT(DTYPE_UINT64)
#define I8 DTYPE_BIT(DTYPE_INT8)
#define U8 DTYPE_BIT(DTYPE_UINT8)
#define I4 DTYPE_BIT(DTYPE_INT4)
#define U4 DTYPE_BIT(DTYPE_UINT4)

_Static_assert((int)WEBNN_FLOAT32 == (int)DTYPE_FLOAT32, "");
_Static_assert((int)WEBNN_FLOAT16 == (int)DTYPE_FLOAT16, "");
_Static_assert((int)WEBNN_INT32 == (int)DTYPE_INT32, "");
_Static_assert((int)WEBNN_UINT32 == (int)DTYPE_UINT32, "");
_Static_assert((int)WEBNN_INT64 == (int)DTYPE_INT64, "");
_Static_assert((int)WEBNN_UINT64 == (int)DTYPE_UINT64, "");
_Static_assert((int)WEBNN_INT8 == (int)DTYPE_INT8, "");
_Static_assert((int)WEBNN_UINT8 == (int)DTYPE_UINT8, "");
_Static_assert((int)WEBNN_INT4 == (int)DTYPE_INT4, "");
_Static_assert((int)WEBNN_UINT4 == (int)DTYPE_UINT4, "");
_Static_assert((int)WEBNN_MAX_RANK == (int)MAX_RANK, "");

static const char *const values_input_layout[] = { "nchw", "nhwc" };
static const char *const values_conv2d_filter_layout[] = { "oihw", "hwio", "ohwi", "ihwo" };
static const char *const values_conv_transpose2d_filter_layout[] = { "iohw", "hwoi", "ohwi" };
static const char *const values_gru_weight_layout[] = { "zrn", "rzn" };
static const char *const values_lstm_weight_layout[] = { "iofg", "ifgo" };
static const char *const values_activation[] = { "relu", "sigmoid", "tanh" };
static const char *const values_direction[] = { "forward", "backward", "both" };
static const char *const values_padding_mode[] = { "constant", "edge", "reflection" };
static const char *const values_rounding[] = { "floor", "ceil" };
static const char *const values_interpolation[] = { "nearest-neighbor", "linear" };

/* argMin */
static const struct slot_row arg_min_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row arg_min_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | I64,
      .required_dtypes = I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row arg_min_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_arg_min_max_attributes, axis), .required = true, .always_written = true, .position = 1 },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_arg_min_max_attributes, keep_dimensions) },
    { .name = "outputDataType", .type = ATTRIBUTE_DTYPE, .offset = offsetof(struct webnn_arg_min_max_attributes, output_data_type) },
};
static const struct webnn_arg_min_max_attributes arg_min_defaults = {
    .output_data_type = WEBNN_INT32,
};

/* argMax */
static const struct slot_row arg_max_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row arg_max_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | I64,
      .required_dtypes = I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row arg_max_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_arg_min_max_attributes, axis), .required = true, .always_written = true, .position = 1 },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_arg_min_max_attributes, keep_dimensions) },
    { .name = "outputDataType", .type = ATTRIBUTE_DTYPE, .offset = offsetof(struct webnn_arg_min_max_attributes, output_data_type) },
};
static const struct webnn_arg_min_max_attributes arg_max_defaults = {
    .output_data_type = WEBNN_INT32,
};

/* batchNormalization */
static const struct slot_row batch_normalization_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 3, .required_rank_max = 5 },
    { .name = "mean", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
    { .name = "variance", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
    { .name = "scale", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
};
static const struct slot_row batch_normalization_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 3, .required_rank_max = 5 },
};
static const struct attribute_row batch_normalization_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_batch_normalization_attributes, axis) },
    { .name = "epsilon", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_batch_normalization_attributes, epsilon) },
};
static const struct webnn_batch_normalization_attributes batch_normalization_defaults = {
    .axis = 1,
    .epsilon = 1e-05,
};

/* cast */
static const struct slot_row cast_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row cast_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row cast_attributes[] = {
    { .name = "to", .type = ATTRIBUTE_DTYPE, .offset = offsetof(struct webnn_cast_attributes, to), .required = true, .always_written = true, .position = 1 },
};
static const struct webnn_cast_attributes cast_defaults;

/* clamp */
static const struct slot_row clamp_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row clamp_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row clamp_attributes[] = {
    { .name = "maxValue", .type = ATTRIBUTE_NUMBER, .offset = offsetof(struct webnn_clamp_attributes, max_value) },
    { .name = "minValue", .type = ATTRIBUTE_NUMBER, .offset = offsetof(struct webnn_clamp_attributes, min_value) },
};
static const struct webnn_clamp_attributes clamp_defaults;

/* concat */
static const struct slot_row concat_operands[] = {
    { .name = "inputs", .kind = SLOT_VARIADIC, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row concat_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct attribute_row concat_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_concat_attributes, axis), .required = true, .always_written = true, .position = 1 },
};
static const struct webnn_concat_attributes concat_defaults;

/* conv2d */
static const struct slot_row conv2d_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
    { .name = "filter", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
};
static const struct slot_row conv2d_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row conv2d_attributes[] = {
    { .name = "dilations", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv2d_attributes, dilations) },
    { .name = "filterLayout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_conv2d_attributes, filter_layout), .values = values_conv2d_filter_layout, .value_count = COUNT(values_conv2d_filter_layout) },
    { .name = "groups", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_conv2d_attributes, groups) },
    { .name = "inputLayout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_conv2d_attributes, input_layout), .values = values_input_layout, .value_count = COUNT(values_input_layout) },
    { .name = "padding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv2d_attributes, padding) },
    { .name = "strides", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv2d_attributes, strides) },
};
static const struct webnn_conv2d_attributes conv2d_defaults = {
    .padding.given = true,
    .padding.count = 4,
    .strides.given = true,
    .strides.count = 2,
    .strides.items[0] = 1,
    .strides.items[1] = 1,
    .dilations.given = true,
    .dilations.count = 2,
    .dilations.items[0] = 1,
    .dilations.items[1] = 1,
    .groups = 1,
    .input_layout = WEBNN_INPUT_LAYOUT_NCHW,
    .filter_layout = WEBNN_CONV2D_FILTER_LAYOUT_OIHW,
};

/* convTranspose2d */
static const struct slot_row conv_transpose2d_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
    { .name = "filter", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
};
static const struct slot_row conv_transpose2d_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row conv_transpose2d_attributes[] = {
    { .name = "dilations", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv_transpose2d_attributes, dilations) },
    { .name = "filterLayout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_conv_transpose2d_attributes, filter_layout), .values = values_conv_transpose2d_filter_layout, .value_count = COUNT(values_conv_transpose2d_filter_layout) },
    { .name = "groups", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_conv_transpose2d_attributes, groups) },
    { .name = "inputLayout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_conv_transpose2d_attributes, input_layout), .values = values_input_layout, .value_count = COUNT(values_input_layout) },
    { .name = "outputPadding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv_transpose2d_attributes, output_padding) },
    { .name = "outputSizes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv_transpose2d_attributes, output_sizes) },
    { .name = "padding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv_transpose2d_attributes, padding) },
    { .name = "strides", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_conv_transpose2d_attributes, strides) },
};
static const struct webnn_conv_transpose2d_attributes conv_transpose2d_defaults = {
    .padding.given = true,
    .padding.count = 4,
    .strides.given = true,
    .strides.count = 2,
    .strides.items[0] = 1,
    .strides.items[1] = 1,
    .dilations.given = true,
    .dilations.count = 2,
    .dilations.items[0] = 1,
    .dilations.items[1] = 1,
    .output_padding.given = true,
    .output_padding.count = 2,
    .groups = 1,
    .input_layout = WEBNN_INPUT_LAYOUT_NCHW,
    .filter_layout = WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW,
};

/* cumulativeSum */
static const struct slot_row cumulative_sum_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row cumulative_sum_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct attribute_row cumulative_sum_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_cumulative_sum_attributes, axis), .required = true, .always_written = true, .position = 1 },
    { .name = "exclusive", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_cumulative_sum_attributes, exclusive) },
    { .name = "reversed", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_cumulative_sum_attributes, reversed) },
};
static const struct webnn_cumulative_sum_attributes cumulative_sum_defaults;

/* add */
static const struct slot_row add_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row add_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* sub */
static const struct slot_row sub_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row sub_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* mul */
static const struct slot_row mul_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row mul_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* div */
static const struct slot_row div_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row div_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* max */
static const struct slot_row max_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row max_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* min */
static const struct slot_row min_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row min_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* pow */
static const struct slot_row pow_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row pow_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* equal */
static const struct slot_row equal_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row equal_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* notEqual */
static const struct slot_row not_equal_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row not_equal_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* greater */
static const struct slot_row greater_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row greater_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* greaterOrEqual */
static const struct slot_row greater_or_equal_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row greater_or_equal_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* lesser */
static const struct slot_row lesser_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row lesser_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* lesserOrEqual */
static const struct slot_row lesser_or_equal_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row lesser_or_equal_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* logicalNot */
static const struct slot_row logical_not_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row logical_not_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* logicalAnd */
static const struct slot_row logical_and_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row logical_and_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* logicalOr */
static const struct slot_row logical_or_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row logical_or_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* logicalXor */
static const struct slot_row logical_xor_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row logical_xor_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* isNaN */
static const struct slot_row is_nan_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row is_nan_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* isInfinite */
static const struct slot_row is_infinite_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row is_infinite_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* abs */
static const struct slot_row abs_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row abs_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* ceil */
static const struct slot_row ceil_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row ceil_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* cos */
static const struct slot_row cos_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row cos_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* erf */
static const struct slot_row erf_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row erf_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* exp */
static const struct slot_row exp_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row exp_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* floor */
static const struct slot_row floor_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row floor_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* identity */
static const struct slot_row identity_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row identity_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* log */
static const struct slot_row log_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row log_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* neg */
static const struct slot_row neg_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row neg_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* reciprocal */
static const struct slot_row reciprocal_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reciprocal_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* roundEven */
static const struct slot_row round_even_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row round_even_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* sin */
static const struct slot_row sin_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row sin_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* sign */
static const struct slot_row sign_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row sign_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* sqrt */
static const struct slot_row sqrt_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row sqrt_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* tan */
static const struct slot_row tan_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row tan_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* dequantizeLinear */
static const struct slot_row dequantize_linear_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | U32 | I8 | U8 | I4 | U4,
      .required_dtypes = I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "scale", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "zeroPoint", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = I32 | U32 | I8 | U8 | I4 | U4,
      .required_dtypes = I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row dequantize_linear_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* quantizeLinear */
static const struct slot_row quantize_linear_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "scale", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "zeroPoint", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | U32 | I8 | U8 | I4 | U4,
      .required_dtypes = I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row quantize_linear_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 2,
      .dtypes = I32 | U32 | I8 | U8 | I4 | U4,
      .required_dtypes = I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* elu */
static const struct slot_row elu_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row elu_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row elu_attributes[] = {
    { .name = "alpha", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_elu_attributes, alpha) },
};
static const struct webnn_elu_attributes elu_defaults = {
    .alpha = 1.0,
};

/* expand */
static const struct slot_row expand_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row expand_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row expand_attributes[] = {
    { .name = "newShape", .type = ATTRIBUTE_DIMS, .offset = offsetof(struct webnn_expand_attributes, new_shape), .required = true, .always_written = true, .empty_means_none = true, .position = 1 },
};
static const struct webnn_expand_attributes expand_defaults;

/* gather */
static const struct slot_row gather_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
    { .name = "indices", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | U32 | I64,
      .required_dtypes = I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row gather_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct attribute_row gather_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_gather_attributes, axis) },
};
static const struct webnn_gather_attributes gather_defaults;

/* gatherElements */
static const struct slot_row gather_elements_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
    { .name = "indices", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | U32 | I64,
      .required_dtypes = I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row gather_elements_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct attribute_row gather_elements_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_gather_elements_attributes, axis) },
};
static const struct webnn_gather_elements_attributes gather_elements_defaults;

/* gatherND */
static const struct slot_row gather_nd_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
    { .name = "indices", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | U32 | I64,
      .required_dtypes = I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row gather_nd_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* gelu */
static const struct slot_row gelu_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row gelu_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* gemm */
static const struct slot_row gemm_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "c", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = 2, .required_rank_min = 0, .required_rank_max = 2 },
};
static const struct slot_row gemm_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
};
static const struct attribute_row gemm_attributes[] = {
    { .name = "aTranspose", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_gemm_attributes, a_transpose) },
    { .name = "alpha", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_gemm_attributes, alpha) },
    { .name = "bTranspose", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_gemm_attributes, b_transpose) },
    { .name = "beta", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_gemm_attributes, beta) },
};
static const struct webnn_gemm_attributes gemm_defaults = {
    .alpha = 1.0,
    .beta = 1.0,
};

/* gru */
static const struct slot_row gru_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "weight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "recurrentWeight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "recurrentBias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "initialHiddenState", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
};
static const struct slot_row gru_results[] = {
    { .name = "output0", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "output1", .kind = SLOT_OPTIONAL, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row gru_attributes[] = {
    { .name = "activations", .type = ATTRIBUTE_ENUMS, .offset = offsetof(struct webnn_gru_attributes, activations), .values = values_activation, .value_count = COUNT(values_activation) },
    { .name = "direction", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_gru_attributes, direction), .always_written = true, .values = values_direction, .value_count = COUNT(values_direction) },
    { .name = "hiddenSize", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_gru_attributes, hidden_size), .required = true, .always_written = true, .position = 2 },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_gru_attributes, layout), .always_written = true, .values = values_gru_weight_layout, .value_count = COUNT(values_gru_weight_layout) },
    { .name = "resetAfter", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_gru_attributes, reset_after), .required = true, .always_written = true },
    { .name = "returnSequence", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_gru_attributes, return_sequence), .always_written = true },
    { .name = "steps", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_gru_attributes, steps), .required = true, .always_written = true, .position = 1 },
};
static const struct webnn_gru_attributes gru_defaults = {
    .reset_after = true,
    .direction = WEBNN_DIRECTION_FORWARD,
    .layout = WEBNN_GRU_WEIGHT_LAYOUT_ZRN,
    .activations.given = true,
    .activations.count = 2,
    .activations.items[0] = WEBNN_ACTIVATION_SIGMOID,
    .activations.items[1] = WEBNN_ACTIVATION_TANH,
};

/* gruCell */
static const struct slot_row gru_cell_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "weight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "recurrentWeight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "hiddenState", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
    { .name = "recurrentBias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
};
static const struct slot_row gru_cell_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
};
static const struct attribute_row gru_cell_attributes[] = {
    { .name = "activations", .type = ATTRIBUTE_ENUMS, .offset = offsetof(struct webnn_gru_cell_attributes, activations), .values = values_activation, .value_count = COUNT(values_activation) },
    { .name = "hiddenSize", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_gru_cell_attributes, hidden_size), .required = true, .always_written = true, .position = 1 },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_gru_cell_attributes, layout), .always_written = true, .values = values_gru_weight_layout, .value_count = COUNT(values_gru_weight_layout) },
    { .name = "resetAfter", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_gru_cell_attributes, reset_after), .required = true, .always_written = true },
};
static const struct webnn_gru_cell_attributes gru_cell_defaults = {
    .reset_after = true,
    .layout = WEBNN_GRU_WEIGHT_LAYOUT_ZRN,
    .activations.given = true,
    .activations.count = 2,
    .activations.items[0] = WEBNN_ACTIVATION_SIGMOID,
    .activations.items[1] = WEBNN_ACTIVATION_TANH,
};

/* hardSigmoid */
static const struct slot_row hard_sigmoid_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row hard_sigmoid_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row hard_sigmoid_attributes[] = {
    { .name = "alpha", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_hard_sigmoid_attributes, alpha) },
    { .name = "beta", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_hard_sigmoid_attributes, beta) },
};
static const struct webnn_hard_sigmoid_attributes hard_sigmoid_defaults = {
    .alpha = 0.2,
    .beta = 0.5,
};

/* hardSwish */
static const struct slot_row hard_swish_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row hard_swish_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* instanceNormalization */
static const struct slot_row instance_normalization_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
    { .name = "scale", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
};
static const struct slot_row instance_normalization_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row instance_normalization_attributes[] = {
    { .name = "epsilon", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_instance_normalization_attributes, epsilon) },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_instance_normalization_attributes, layout), .values = values_input_layout, .value_count = COUNT(values_input_layout) },
};
static const struct webnn_instance_normalization_attributes instance_normalization_defaults = {
    .epsilon = 1e-05,
    .layout = WEBNN_INPUT_LAYOUT_NCHW,
};

/* layerNormalization */
static const struct slot_row layer_normalization_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "scale", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row layer_normalization_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row layer_normalization_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_layer_normalization_attributes, axes), .empty_means_none = true },
    { .name = "epsilon", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_layer_normalization_attributes, epsilon) },
};
static const struct webnn_layer_normalization_attributes layer_normalization_defaults = {
    .epsilon = 1e-05,
};

/* leakyRelu */
static const struct slot_row leaky_relu_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row leaky_relu_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row leaky_relu_attributes[] = {
    { .name = "alpha", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_leaky_relu_attributes, alpha) },
};
static const struct webnn_leaky_relu_attributes leaky_relu_defaults = {
    .alpha = 0.01,
};

/* linear */
static const struct slot_row linear_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row linear_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row linear_attributes[] = {
    { .name = "alpha", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_linear_attributes, alpha) },
    { .name = "beta", .type = ATTRIBUTE_DOUBLE, .offset = offsetof(struct webnn_linear_attributes, beta) },
};
static const struct webnn_linear_attributes linear_defaults = {
    .alpha = 1.0,
};

/* lstm */
static const struct slot_row lstm_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "weight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "recurrentWeight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "recurrentBias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "peepholeWeight", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "initialHiddenState", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "initialCellState", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
};
static const struct slot_row lstm_results[] = {
    { .name = "output0", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "output1", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 3, .rank_max = 3, .required_rank_min = 3, .required_rank_max = 3 },
    { .name = "output2", .kind = SLOT_OPTIONAL, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row lstm_attributes[] = {
    { .name = "activations", .type = ATTRIBUTE_ENUMS, .offset = offsetof(struct webnn_lstm_attributes, activations), .values = values_activation, .value_count = COUNT(values_activation) },
    { .name = "direction", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_lstm_attributes, direction), .always_written = true, .values = values_direction, .value_count = COUNT(values_direction) },
    { .name = "hiddenSize", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_lstm_attributes, hidden_size), .required = true, .always_written = true, .position = 2 },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_lstm_attributes, layout), .always_written = true, .values = values_lstm_weight_layout, .value_count = COUNT(values_lstm_weight_layout) },
    { .name = "returnSequence", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_lstm_attributes, return_sequence), .always_written = true },
    { .name = "steps", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_lstm_attributes, steps), .required = true, .always_written = true, .position = 1 },
};
static const struct webnn_lstm_attributes lstm_defaults = {
    .direction = WEBNN_DIRECTION_FORWARD,
    .layout = WEBNN_LSTM_WEIGHT_LAYOUT_IOFG,
    .activations.given = true,
    .activations.count = 3,
    .activations.items[0] = WEBNN_ACTIVATION_SIGMOID,
    .activations.items[1] = WEBNN_ACTIVATION_TANH,
    .activations.items[2] = WEBNN_ACTIVATION_TANH,
};

/* lstmCell */
static const struct slot_row lstm_cell_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "weight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "recurrentWeight", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "hiddenState", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "cellState", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "bias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
    { .name = "recurrentBias", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
    { .name = "peepholeWeight", .kind = SLOT_OPTIONAL, .named = true, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = 1, .required_rank_min = 1, .required_rank_max = 1 },
};
static const struct slot_row lstm_cell_results[] = {
    { .name = "output0", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
    { .name = "output1", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = 2, .required_rank_min = 2, .required_rank_max = 2 },
};
static const struct attribute_row lstm_cell_attributes[] = {
    { .name = "activations", .type = ATTRIBUTE_ENUMS, .offset = offsetof(struct webnn_lstm_cell_attributes, activations), .values = values_activation, .value_count = COUNT(values_activation) },
    { .name = "hiddenSize", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_lstm_cell_attributes, hidden_size), .required = true, .always_written = true, .position = 1 },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_lstm_cell_attributes, layout), .always_written = true, .values = values_lstm_weight_layout, .value_count = COUNT(values_lstm_weight_layout) },
};
static const struct webnn_lstm_cell_attributes lstm_cell_defaults = {
    .layout = WEBNN_LSTM_WEIGHT_LAYOUT_IOFG,
    .activations.given = true,
    .activations.count = 3,
    .activations.items[0] = WEBNN_ACTIVATION_SIGMOID,
    .activations.items[1] = WEBNN_ACTIVATION_TANH,
    .activations.items[2] = WEBNN_ACTIVATION_TANH,
};

/* matmul */
static const struct slot_row matmul_operands[] = {
    { .name = "a", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = MAX_RANK, .required_rank_min = 2, .required_rank_max = 5 },
    { .name = "b", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = MAX_RANK, .required_rank_min = 2, .required_rank_max = 5 },
};
static const struct slot_row matmul_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = MAX_RANK, .required_rank_min = 2, .required_rank_max = 5 },
};

/* pad */
static const struct slot_row pad_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row pad_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row pad_attributes[] = {
    { .name = "beginningPadding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pad_attributes, beginning_padding), .required = true, .always_written = true, .empty_means_none = true, .position = 1 },
    { .name = "endingPadding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pad_attributes, ending_padding), .required = true, .always_written = true, .empty_means_none = true, .position = 2 },
    { .name = "mode", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_pad_attributes, mode), .values = values_padding_mode, .value_count = COUNT(values_padding_mode) },
    { .name = "value", .type = ATTRIBUTE_NUMBER, .offset = offsetof(struct webnn_pad_attributes, value) },
};
static const struct webnn_pad_attributes pad_defaults = {
    .mode = WEBNN_PADDING_MODE_CONSTANT,
    .value.kind = WEBNN_NUMBER_INT,
};

/* averagePool2d */
static const struct slot_row average_pool2d_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct slot_row average_pool2d_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row average_pool2d_attributes[] = {
    { .name = "dilations", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, dilations) },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_pool2d_attributes, layout), .values = values_input_layout, .value_count = COUNT(values_input_layout) },
    { .name = "outputShapeRounding", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_pool2d_attributes, output_shape_rounding), .values = values_rounding, .value_count = COUNT(values_rounding) },
    { .name = "outputSizes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, output_sizes) },
    { .name = "padding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, padding) },
    { .name = "strides", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, strides) },
    { .name = "windowDimensions", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, window_dimensions) },
};
static const struct webnn_pool2d_attributes average_pool2d_defaults = {
    .padding.given = true,
    .padding.count = 4,
    .strides.given = true,
    .strides.count = 2,
    .strides.items[0] = 1,
    .strides.items[1] = 1,
    .dilations.given = true,
    .dilations.count = 2,
    .dilations.items[0] = 1,
    .dilations.items[1] = 1,
    .layout = WEBNN_INPUT_LAYOUT_NCHW,
    .output_shape_rounding = WEBNN_ROUNDING_FLOOR,
};

/* l2Pool2d */
static const struct slot_row l2_pool2d_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct slot_row l2_pool2d_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row l2_pool2d_attributes[] = {
    { .name = "dilations", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, dilations) },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_pool2d_attributes, layout), .values = values_input_layout, .value_count = COUNT(values_input_layout) },
    { .name = "outputShapeRounding", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_pool2d_attributes, output_shape_rounding), .values = values_rounding, .value_count = COUNT(values_rounding) },
    { .name = "outputSizes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, output_sizes) },
    { .name = "padding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, padding) },
    { .name = "strides", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, strides) },
    { .name = "windowDimensions", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, window_dimensions) },
};
static const struct webnn_pool2d_attributes l2_pool2d_defaults = {
    .padding.given = true,
    .padding.count = 4,
    .strides.given = true,
    .strides.count = 2,
    .strides.items[0] = 1,
    .strides.items[1] = 1,
    .dilations.given = true,
    .dilations.count = 2,
    .dilations.items[0] = 1,
    .dilations.items[1] = 1,
    .layout = WEBNN_INPUT_LAYOUT_NCHW,
    .output_shape_rounding = WEBNN_ROUNDING_FLOOR,
};

/* maxPool2d */
static const struct slot_row max_pool2d_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct slot_row max_pool2d_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row max_pool2d_attributes[] = {
    { .name = "dilations", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, dilations) },
    { .name = "layout", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_pool2d_attributes, layout), .values = values_input_layout, .value_count = COUNT(values_input_layout) },
    { .name = "outputShapeRounding", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_pool2d_attributes, output_shape_rounding), .values = values_rounding, .value_count = COUNT(values_rounding) },
    { .name = "outputSizes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, output_sizes) },
    { .name = "padding", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, padding) },
    { .name = "strides", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, strides) },
    { .name = "windowDimensions", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_pool2d_attributes, window_dimensions) },
};
static const struct webnn_pool2d_attributes max_pool2d_defaults = {
    .padding.given = true,
    .padding.count = 4,
    .strides.given = true,
    .strides.count = 2,
    .strides.items[0] = 1,
    .strides.items[1] = 1,
    .dilations.given = true,
    .dilations.count = 2,
    .dilations.items[0] = 1,
    .dilations.items[1] = 1,
    .layout = WEBNN_INPUT_LAYOUT_NCHW,
    .output_shape_rounding = WEBNN_ROUNDING_FLOOR,
};

/* prelu */
static const struct slot_row prelu_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "slope", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row prelu_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* reduceL1 */
static const struct slot_row reduce_l1_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_l1_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_l1_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_l1_defaults;

/* reduceL2 */
static const struct slot_row reduce_l2_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_l2_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_l2_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_l2_defaults;

/* reduceLogSum */
static const struct slot_row reduce_log_sum_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_log_sum_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_log_sum_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_log_sum_defaults;

/* reduceLogSumExp */
static const struct slot_row reduce_log_sum_exp_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_log_sum_exp_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_log_sum_exp_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_log_sum_exp_defaults;

/* reduceMax */
static const struct slot_row reduce_max_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_max_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_max_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_max_defaults;

/* reduceMean */
static const struct slot_row reduce_mean_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_mean_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_mean_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_mean_defaults;

/* reduceMin */
static const struct slot_row reduce_min_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_min_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_min_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_min_defaults;

/* reduceProduct */
static const struct slot_row reduce_product_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_product_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_product_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_product_defaults;

/* reduceSum */
static const struct slot_row reduce_sum_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_sum_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_sum_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_sum_defaults;

/* reduceSumSquare */
static const struct slot_row reduce_sum_square_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reduce_sum_square_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reduce_sum_square_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reduce_attributes, axes), .empty_means_none = true },
    { .name = "keepDimensions", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_reduce_attributes, keep_dimensions) },
};
static const struct webnn_reduce_attributes reduce_sum_square_defaults;

/* relu */
static const struct slot_row relu_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row relu_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | I64 | I8,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* resample2d */
static const struct slot_row resample2d_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct slot_row resample2d_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 4, .rank_max = 4, .required_rank_min = 4, .required_rank_max = 4 },
};
static const struct attribute_row resample2d_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_resample2d_attributes, axes), .always_written = true },
    { .name = "mode", .type = ATTRIBUTE_ENUM, .offset = offsetof(struct webnn_resample2d_attributes, mode), .always_written = true, .values = values_interpolation, .value_count = COUNT(values_interpolation) },
    { .name = "scales", .type = ATTRIBUTE_DOUBLES, .offset = offsetof(struct webnn_resample2d_attributes, scales), .always_written = true },
    { .name = "sizes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_resample2d_attributes, sizes), .always_written = true },
};
static const struct webnn_resample2d_attributes resample2d_defaults = {
    .mode = WEBNN_INTERPOLATION_NEAREST_NEIGHBOR,
    .axes.given = true,
    .axes.count = 2,
    .axes.items[0] = 2,
    .axes.items[1] = 3,
};

/* reshape */
static const struct slot_row reshape_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reshape_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reshape_attributes[] = {
    { .name = "newShape", .type = ATTRIBUTE_DIMS, .offset = offsetof(struct webnn_reshape_attributes, new_shape), .required = true, .always_written = true, .empty_means_none = true, .position = 1 },
};
static const struct webnn_reshape_attributes reshape_defaults;

/* reverse */
static const struct slot_row reverse_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row reverse_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row reverse_attributes[] = {
    { .name = "axes", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_reverse_attributes, axes), .empty_means_none = true },
};
static const struct webnn_reverse_attributes reverse_defaults;

/* scatterElements */
static const struct slot_row scatter_elements_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
    { .name = "indices", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | U32 | I64,
      .required_dtypes = I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
    { .name = "updates", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row scatter_elements_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct attribute_row scatter_elements_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_scatter_elements_attributes, axis) },
};
static const struct webnn_scatter_elements_attributes scatter_elements_defaults;

/* scatterND */
static const struct slot_row scatter_nd_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
    { .name = "indices", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = I32 | U32 | I64,
      .required_dtypes = I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
    { .name = "updates", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row scatter_nd_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};

/* sigmoid */
static const struct slot_row sigmoid_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row sigmoid_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* slice */
static const struct slot_row slice_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row slice_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32 | I8 | U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row slice_attributes[] = {
    { .name = "sizes", .type = ATTRIBUTE_DIMS, .offset = offsetof(struct webnn_slice_attributes, sizes), .required = true, .always_written = true, .empty_means_none = true, .position = 2 },
    { .name = "starts", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_slice_attributes, starts), .required = true, .always_written = true, .empty_means_none = true, .position = 1 },
    { .name = "strides", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_slice_attributes, strides) },
};
static const struct webnn_slice_attributes slice_defaults;

/* softmax */
static const struct slot_row softmax_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row softmax_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct attribute_row softmax_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_softmax_attributes, axis), .required = true, .always_written = true, .position = 1 },
};
static const struct webnn_softmax_attributes softmax_defaults;

/* softplus */
static const struct slot_row softplus_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row softplus_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* softsign */
static const struct slot_row softsign_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row softsign_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* split */
static const struct slot_row split_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct slot_row split_results[] = {
    { .name = "outputs", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 1, .rank_max = MAX_RANK, .required_rank_min = 1, .required_rank_max = 5 },
};
static const struct attribute_row split_attributes[] = {
    { .name = "axis", .type = ATTRIBUTE_U32, .offset = offsetof(struct webnn_split_attributes, axis), .always_written = true },
    { .name = "splits", .type = ATTRIBUTE_SPLITS, .offset = offsetof(struct webnn_split_attributes, splits), .required = true, .always_written = true, .empty_means_none = true, .position = 1 },
};
static const struct webnn_split_attributes split_defaults;

/* tanh */
static const struct slot_row tanh_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row tanh_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16,
      .required_dtypes = F32 | F16,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

/* tile */
static const struct slot_row tile_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row tile_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row tile_attributes[] = {
    { .name = "repetitions", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_tile_attributes, repetitions), .required = true, .always_written = true, .empty_means_none = true, .position = 1 },
};
static const struct webnn_tile_attributes tile_defaults;

/* transpose */
static const struct slot_row transpose_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row transpose_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct attribute_row transpose_attributes[] = {
    { .name = "permutation", .type = ATTRIBUTE_U32S, .offset = offsetof(struct webnn_transpose_attributes, permutation), .always_written = true },
};
static const struct webnn_transpose_attributes transpose_defaults;

/* triangular */
static const struct slot_row triangular_operands[] = {
    { .name = "input", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = MAX_RANK, .required_rank_min = 2, .required_rank_max = 5 },
};
static const struct slot_row triangular_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 0,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16,
      .rank_min = 2, .rank_max = MAX_RANK, .required_rank_min = 2, .required_rank_max = 5 },
};
static const struct attribute_row triangular_attributes[] = {
    { .name = "diagonal", .type = ATTRIBUTE_I32, .offset = offsetof(struct webnn_triangular_attributes, diagonal) },
    { .name = "upper", .type = ATTRIBUTE_BOOL, .offset = offsetof(struct webnn_triangular_attributes, upper) },
};
static const struct webnn_triangular_attributes triangular_defaults = {
    .upper = true,
};

/* where */
static const struct slot_row where_operands[] = {
    { .name = "condition", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = U8,
      .required_dtypes = U8,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "trueValue", .kind = SLOT_REQUIRED, .same_dtype_as = -1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
    { .name = "falseValue", .kind = SLOT_REQUIRED, .same_dtype_as = 1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};
static const struct slot_row where_results[] = {
    { .name = "output", .kind = SLOT_REQUIRED, .same_dtype_as = 1,
      .dtypes = F32 | F16 | I32 | U32 | I64 | U64 | I8 | U8,
      .required_dtypes = F32 | F16 | I32,
      .rank_min = 0, .rank_max = MAX_RANK, .required_rank_min = 0, .required_rank_max = 5 },
};

const struct operator_row webnn_operator_rows[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_ARG_MIN] = {
        .name = "argMin",
        .link = LINK("argmin"),
        .operands = arg_min_operands,
        .operand_count = COUNT(arg_min_operands),
        .results = arg_min_results,
        .result_count = COUNT(arg_min_results),
        .attributes = arg_min_attributes,
        .attribute_count = COUNT(arg_min_attributes),
        .attribute_size = sizeof(struct webnn_arg_min_max_attributes),
        .defaults = &arg_min_defaults,
        .infer = infer_arg_min_max,
    },
    [WEBNN_ARG_MAX] = {
        .name = "argMax",
        .link = LINK("argmax"),
        .operands = arg_max_operands,
        .operand_count = COUNT(arg_max_operands),
        .results = arg_max_results,
        .result_count = COUNT(arg_max_results),
        .attributes = arg_max_attributes,
        .attribute_count = COUNT(arg_max_attributes),
        .attribute_size = sizeof(struct webnn_arg_min_max_attributes),
        .defaults = &arg_max_defaults,
        .infer = infer_arg_min_max,
    },
    [WEBNN_BATCH_NORMALIZATION] = {
        .name = "batchNormalization",
        .link = LINK("batchnormalization"),
        .operands = batch_normalization_operands,
        .operand_count = COUNT(batch_normalization_operands),
        .results = batch_normalization_results,
        .result_count = COUNT(batch_normalization_results),
        .attributes = batch_normalization_attributes,
        .attribute_count = COUNT(batch_normalization_attributes),
        .attribute_size = sizeof(struct webnn_batch_normalization_attributes),
        .defaults = &batch_normalization_defaults,
        .infer = infer_batch_normalization,
    },
    [WEBNN_CAST] = {
        .name = "cast",
        .link = LINK("cast"),
        .operands = cast_operands,
        .operand_count = COUNT(cast_operands),
        .results = cast_results,
        .result_count = COUNT(cast_results),
        .attributes = cast_attributes,
        .attribute_count = COUNT(cast_attributes),
        .attribute_size = sizeof(struct webnn_cast_attributes),
        .defaults = &cast_defaults,
        .infer = infer_cast,
    },
    [WEBNN_CLAMP] = {
        .name = "clamp",
        .link = LINK("clamp"),
        .operands = clamp_operands,
        .operand_count = COUNT(clamp_operands),
        .results = clamp_results,
        .result_count = COUNT(clamp_results),
        .attributes = clamp_attributes,
        .attribute_count = COUNT(clamp_attributes),
        .attribute_size = sizeof(struct webnn_clamp_attributes),
        .defaults = &clamp_defaults,
        .infer = infer_clamp,
    },
    [WEBNN_CONCAT] = {
        .name = "concat",
        .link = LINK("concat"),
        .operands = concat_operands,
        .operand_count = COUNT(concat_operands),
        .results = concat_results,
        .result_count = COUNT(concat_results),
        .attributes = concat_attributes,
        .attribute_count = COUNT(concat_attributes),
        .attribute_size = sizeof(struct webnn_concat_attributes),
        .defaults = &concat_defaults,
        .infer = infer_concat,
    },
    [WEBNN_CONV2D] = {
        .name = "conv2d",
        .link = LINK("conv2d"),
        .operands = conv2d_operands,
        .operand_count = COUNT(conv2d_operands),
        .results = conv2d_results,
        .result_count = COUNT(conv2d_results),
        .attributes = conv2d_attributes,
        .attribute_count = COUNT(conv2d_attributes),
        .attribute_size = sizeof(struct webnn_conv2d_attributes),
        .defaults = &conv2d_defaults,
        .infer = infer_conv2d,
    },
    [WEBNN_CONV_TRANSPOSE2D] = {
        .name = "convTranspose2d",
        .link = LINK("convtranspose2d"),
        .operands = conv_transpose2d_operands,
        .operand_count = COUNT(conv_transpose2d_operands),
        .results = conv_transpose2d_results,
        .result_count = COUNT(conv_transpose2d_results),
        .attributes = conv_transpose2d_attributes,
        .attribute_count = COUNT(conv_transpose2d_attributes),
        .attribute_size = sizeof(struct webnn_conv_transpose2d_attributes),
        .defaults = &conv_transpose2d_defaults,
        .infer = infer_conv_transpose2d,
        .resolve = resolve_conv_transpose2d,
    },
    [WEBNN_CUMULATIVE_SUM] = {
        .name = "cumulativeSum",
        .link = LINK("cumulativesum"),
        .operands = cumulative_sum_operands,
        .operand_count = COUNT(cumulative_sum_operands),
        .results = cumulative_sum_results,
        .result_count = COUNT(cumulative_sum_results),
        .attributes = cumulative_sum_attributes,
        .attribute_count = COUNT(cumulative_sum_attributes),
        .attribute_size = sizeof(struct webnn_cumulative_sum_attributes),
        .defaults = &cumulative_sum_defaults,
        .infer = infer_along_axis,
    },
    [WEBNN_ADD] = {
        .name = "add",
        .link = LINK("add"),
        .operands = add_operands,
        .operand_count = COUNT(add_operands),
        .results = add_results,
        .result_count = COUNT(add_results),
        .infer = infer_binary,
    },
    [WEBNN_SUB] = {
        .name = "sub",
        .link = LINK("sub"),
        .operands = sub_operands,
        .operand_count = COUNT(sub_operands),
        .results = sub_results,
        .result_count = COUNT(sub_results),
        .infer = infer_binary,
    },
    [WEBNN_MUL] = {
        .name = "mul",
        .link = LINK("mul"),
        .operands = mul_operands,
        .operand_count = COUNT(mul_operands),
        .results = mul_results,
        .result_count = COUNT(mul_results),
        .infer = infer_binary,
    },
    [WEBNN_DIV] = {
        .name = "div",
        .link = LINK("div"),
        .operands = div_operands,
        .operand_count = COUNT(div_operands),
        .results = div_results,
        .result_count = COUNT(div_results),
        .infer = infer_binary,
    },
    [WEBNN_MAX] = {
        .name = "max",
        .link = LINK("max"),
        .operands = max_operands,
        .operand_count = COUNT(max_operands),
        .results = max_results,
        .result_count = COUNT(max_results),
        .infer = infer_binary,
    },
    [WEBNN_MIN] = {
        .name = "min",
        .link = LINK("min"),
        .operands = min_operands,
        .operand_count = COUNT(min_operands),
        .results = min_results,
        .result_count = COUNT(min_results),
        .infer = infer_binary,
    },
    [WEBNN_POW] = {
        .name = "pow",
        .link = LINK("pow"),
        .operands = pow_operands,
        .operand_count = COUNT(pow_operands),
        .results = pow_results,
        .result_count = COUNT(pow_results),
        .infer = infer_binary,
    },
    [WEBNN_EQUAL] = {
        .name = "equal",
        .link = LINK("equal"),
        .operands = equal_operands,
        .operand_count = COUNT(equal_operands),
        .results = equal_results,
        .result_count = COUNT(equal_results),
        .infer = infer_binary,
    },
    [WEBNN_NOT_EQUAL] = {
        .name = "notEqual",
        .link = LINK("notequal"),
        .operands = not_equal_operands,
        .operand_count = COUNT(not_equal_operands),
        .results = not_equal_results,
        .result_count = COUNT(not_equal_results),
        .infer = infer_binary,
    },
    [WEBNN_GREATER] = {
        .name = "greater",
        .link = LINK("greater"),
        .operands = greater_operands,
        .operand_count = COUNT(greater_operands),
        .results = greater_results,
        .result_count = COUNT(greater_results),
        .infer = infer_binary,
    },
    [WEBNN_GREATER_OR_EQUAL] = {
        .name = "greaterOrEqual",
        .link = LINK("greaterorequal"),
        .operands = greater_or_equal_operands,
        .operand_count = COUNT(greater_or_equal_operands),
        .results = greater_or_equal_results,
        .result_count = COUNT(greater_or_equal_results),
        .infer = infer_binary,
    },
    [WEBNN_LESSER] = {
        .name = "lesser",
        .link = LINK("lesser"),
        .operands = lesser_operands,
        .operand_count = COUNT(lesser_operands),
        .results = lesser_results,
        .result_count = COUNT(lesser_results),
        .infer = infer_binary,
    },
    [WEBNN_LESSER_OR_EQUAL] = {
        .name = "lesserOrEqual",
        .link = LINK("lesserorequal"),
        .operands = lesser_or_equal_operands,
        .operand_count = COUNT(lesser_or_equal_operands),
        .results = lesser_or_equal_results,
        .result_count = COUNT(lesser_or_equal_results),
        .infer = infer_binary,
    },
    [WEBNN_LOGICAL_NOT] = {
        .name = "logicalNot",
        .link = LINK("logicalnot"),
        .operands = logical_not_operands,
        .operand_count = COUNT(logical_not_operands),
        .results = logical_not_results,
        .result_count = COUNT(logical_not_results),
        .infer = infer_same,
    },
    [WEBNN_LOGICAL_AND] = {
        .name = "logicalAnd",
        .link = LINK("logicaland"),
        .operands = logical_and_operands,
        .operand_count = COUNT(logical_and_operands),
        .results = logical_and_results,
        .result_count = COUNT(logical_and_results),
        .infer = infer_binary,
    },
    [WEBNN_LOGICAL_OR] = {
        .name = "logicalOr",
        .link = LINK("logicalor"),
        .operands = logical_or_operands,
        .operand_count = COUNT(logical_or_operands),
        .results = logical_or_results,
        .result_count = COUNT(logical_or_results),
        .infer = infer_binary,
    },
    [WEBNN_LOGICAL_XOR] = {
        .name = "logicalXor",
        .link = LINK("logicalxor"),
        .operands = logical_xor_operands,
        .operand_count = COUNT(logical_xor_operands),
        .results = logical_xor_results,
        .result_count = COUNT(logical_xor_results),
        .infer = infer_binary,
    },
    [WEBNN_IS_NAN] = {
        .name = "isNaN",
        .link = LINK("isnan"),
        .operands = is_nan_operands,
        .operand_count = COUNT(is_nan_operands),
        .results = is_nan_results,
        .result_count = COUNT(is_nan_results),
        .infer = infer_same,
    },
    [WEBNN_IS_INFINITE] = {
        .name = "isInfinite",
        .link = LINK("isinfinite"),
        .operands = is_infinite_operands,
        .operand_count = COUNT(is_infinite_operands),
        .results = is_infinite_results,
        .result_count = COUNT(is_infinite_results),
        .infer = infer_same,
    },
    [WEBNN_ABS] = {
        .name = "abs",
        .link = LINK("abs"),
        .operands = abs_operands,
        .operand_count = COUNT(abs_operands),
        .results = abs_results,
        .result_count = COUNT(abs_results),
        .infer = infer_same,
    },
    [WEBNN_CEIL] = {
        .name = "ceil",
        .link = LINK("ceil"),
        .operands = ceil_operands,
        .operand_count = COUNT(ceil_operands),
        .results = ceil_results,
        .result_count = COUNT(ceil_results),
        .infer = infer_same,
    },
    [WEBNN_COS] = {
        .name = "cos",
        .link = LINK("cos"),
        .operands = cos_operands,
        .operand_count = COUNT(cos_operands),
        .results = cos_results,
        .result_count = COUNT(cos_results),
        .infer = infer_same,
    },
    [WEBNN_ERF] = {
        .name = "erf",
        .link = LINK("erf"),
        .operands = erf_operands,
        .operand_count = COUNT(erf_operands),
        .results = erf_results,
        .result_count = COUNT(erf_results),
        .infer = infer_same,
    },
    [WEBNN_EXP] = {
        .name = "exp",
        .link = LINK("exp"),
        .operands = exp_operands,
        .operand_count = COUNT(exp_operands),
        .results = exp_results,
        .result_count = COUNT(exp_results),
        .infer = infer_same,
    },
    [WEBNN_FLOOR] = {
        .name = "floor",
        .link = LINK("floor"),
        .operands = floor_operands,
        .operand_count = COUNT(floor_operands),
        .results = floor_results,
        .result_count = COUNT(floor_results),
        .infer = infer_same,
    },
    [WEBNN_IDENTITY] = {
        .name = "identity",
        .link = LINK("identity"),
        .operands = identity_operands,
        .operand_count = COUNT(identity_operands),
        .results = identity_results,
        .result_count = COUNT(identity_results),
        .infer = infer_same,
    },
    [WEBNN_LOG] = {
        .name = "log",
        .link = LINK("log"),
        .operands = log_operands,
        .operand_count = COUNT(log_operands),
        .results = log_results,
        .result_count = COUNT(log_results),
        .infer = infer_same,
    },
    [WEBNN_NEG] = {
        .name = "neg",
        .link = LINK("neg"),
        .operands = neg_operands,
        .operand_count = COUNT(neg_operands),
        .results = neg_results,
        .result_count = COUNT(neg_results),
        .infer = infer_same,
    },
    [WEBNN_RECIPROCAL] = {
        .name = "reciprocal",
        .link = LINK("reciprocal"),
        .operands = reciprocal_operands,
        .operand_count = COUNT(reciprocal_operands),
        .results = reciprocal_results,
        .result_count = COUNT(reciprocal_results),
        .infer = infer_same,
    },
    [WEBNN_ROUND_EVEN] = {
        .name = "roundEven",
        .link = LINK("roundeven"),
        .operands = round_even_operands,
        .operand_count = COUNT(round_even_operands),
        .results = round_even_results,
        .result_count = COUNT(round_even_results),
        .infer = infer_same,
    },
    [WEBNN_SIN] = {
        .name = "sin",
        .link = LINK("sin"),
        .operands = sin_operands,
        .operand_count = COUNT(sin_operands),
        .results = sin_results,
        .result_count = COUNT(sin_results),
        .infer = infer_same,
    },
    [WEBNN_SIGN] = {
        .name = "sign",
        .link = LINK("sign"),
        .operands = sign_operands,
        .operand_count = COUNT(sign_operands),
        .results = sign_results,
        .result_count = COUNT(sign_results),
        .infer = infer_same,
    },
    [WEBNN_SQRT] = {
        .name = "sqrt",
        .link = LINK("sqrt"),
        .operands = sqrt_operands,
        .operand_count = COUNT(sqrt_operands),
        .results = sqrt_results,
        .result_count = COUNT(sqrt_results),
        .infer = infer_same,
    },
    [WEBNN_TAN] = {
        .name = "tan",
        .link = LINK("tan"),
        .operands = tan_operands,
        .operand_count = COUNT(tan_operands),
        .results = tan_results,
        .result_count = COUNT(tan_results),
        .infer = infer_same,
    },
    [WEBNN_DEQUANTIZE_LINEAR] = {
        .name = "dequantizeLinear",
        .link = LINK("dequantizelinear"),
        .operands = dequantize_linear_operands,
        .operand_count = COUNT(dequantize_linear_operands),
        .results = dequantize_linear_results,
        .result_count = COUNT(dequantize_linear_results),
        .infer = infer_quantize,
    },
    [WEBNN_QUANTIZE_LINEAR] = {
        .name = "quantizeLinear",
        .link = LINK("quantizelinear"),
        .operands = quantize_linear_operands,
        .operand_count = COUNT(quantize_linear_operands),
        .results = quantize_linear_results,
        .result_count = COUNT(quantize_linear_results),
        .infer = infer_quantize,
    },
    [WEBNN_ELU] = {
        .name = "elu",
        .link = LINK("elu"),
        .operands = elu_operands,
        .operand_count = COUNT(elu_operands),
        .results = elu_results,
        .result_count = COUNT(elu_results),
        .attributes = elu_attributes,
        .attribute_count = COUNT(elu_attributes),
        .attribute_size = sizeof(struct webnn_elu_attributes),
        .defaults = &elu_defaults,
        .infer = infer_same,
    },
    [WEBNN_EXPAND] = {
        .name = "expand",
        .link = LINK("expand"),
        .operands = expand_operands,
        .operand_count = COUNT(expand_operands),
        .results = expand_results,
        .result_count = COUNT(expand_results),
        .attributes = expand_attributes,
        .attribute_count = COUNT(expand_attributes),
        .attribute_size = sizeof(struct webnn_expand_attributes),
        .defaults = &expand_defaults,
        .infer = infer_expand,
    },
    [WEBNN_GATHER] = {
        .name = "gather",
        .link = LINK("gather"),
        .operands = gather_operands,
        .operand_count = COUNT(gather_operands),
        .results = gather_results,
        .result_count = COUNT(gather_results),
        .attributes = gather_attributes,
        .attribute_count = COUNT(gather_attributes),
        .attribute_size = sizeof(struct webnn_gather_attributes),
        .defaults = &gather_defaults,
        .infer = infer_gather,
    },
    [WEBNN_GATHER_ELEMENTS] = {
        .name = "gatherElements",
        .link = LINK("gatherelements"),
        .operands = gather_elements_operands,
        .operand_count = COUNT(gather_elements_operands),
        .results = gather_elements_results,
        .result_count = COUNT(gather_elements_results),
        .attributes = gather_elements_attributes,
        .attribute_count = COUNT(gather_elements_attributes),
        .attribute_size = sizeof(struct webnn_gather_elements_attributes),
        .defaults = &gather_elements_defaults,
        .infer = infer_gather_elements,
    },
    [WEBNN_GATHER_ND] = {
        .name = "gatherND",
        .link = LINK("gathernd"),
        .operands = gather_nd_operands,
        .operand_count = COUNT(gather_nd_operands),
        .results = gather_nd_results,
        .result_count = COUNT(gather_nd_results),
        .infer = infer_gather_nd,
    },
    [WEBNN_GELU] = {
        .name = "gelu",
        .link = LINK("gelu"),
        .operands = gelu_operands,
        .operand_count = COUNT(gelu_operands),
        .results = gelu_results,
        .result_count = COUNT(gelu_results),
        .infer = infer_same,
    },
    [WEBNN_GEMM] = {
        .name = "gemm",
        .link = LINK("gemm"),
        .operands = gemm_operands,
        .operand_count = COUNT(gemm_operands),
        .results = gemm_results,
        .result_count = COUNT(gemm_results),
        .attributes = gemm_attributes,
        .attribute_count = COUNT(gemm_attributes),
        .attribute_size = sizeof(struct webnn_gemm_attributes),
        .defaults = &gemm_defaults,
        .infer = infer_gemm,
    },
    [WEBNN_GRU] = {
        .name = "gru",
        .link = LINK("gru"),
        .operands = gru_operands,
        .operand_count = COUNT(gru_operands),
        .results = gru_results,
        .result_count = COUNT(gru_results),
        .list_result = true,
        .attributes = gru_attributes,
        .attribute_count = COUNT(gru_attributes),
        .attribute_size = sizeof(struct webnn_gru_attributes),
        .defaults = &gru_defaults,
        .infer = infer_gru,
    },
    [WEBNN_GRU_CELL] = {
        .name = "gruCell",
        .link = LINK("grucell"),
        .operands = gru_cell_operands,
        .operand_count = COUNT(gru_cell_operands),
        .results = gru_cell_results,
        .result_count = COUNT(gru_cell_results),
        .attributes = gru_cell_attributes,
        .attribute_count = COUNT(gru_cell_attributes),
        .attribute_size = sizeof(struct webnn_gru_cell_attributes),
        .defaults = &gru_cell_defaults,
        .infer = infer_gru_cell,
    },
    [WEBNN_HARD_SIGMOID] = {
        .name = "hardSigmoid",
        .link = LINK("hardsigmoid"),
        .operands = hard_sigmoid_operands,
        .operand_count = COUNT(hard_sigmoid_operands),
        .results = hard_sigmoid_results,
        .result_count = COUNT(hard_sigmoid_results),
        .attributes = hard_sigmoid_attributes,
        .attribute_count = COUNT(hard_sigmoid_attributes),
        .attribute_size = sizeof(struct webnn_hard_sigmoid_attributes),
        .defaults = &hard_sigmoid_defaults,
        .infer = infer_same,
    },
    [WEBNN_HARD_SWISH] = {
        .name = "hardSwish",
        .link = LINK("hardswish"),
        .operands = hard_swish_operands,
        .operand_count = COUNT(hard_swish_operands),
        .results = hard_swish_results,
        .result_count = COUNT(hard_swish_results),
        .infer = infer_same,
    },
    [WEBNN_INSTANCE_NORMALIZATION] = {
        .name = "instanceNormalization",
        .link = LINK("instancenormalization"),
        .operands = instance_normalization_operands,
        .operand_count = COUNT(instance_normalization_operands),
        .results = instance_normalization_results,
        .result_count = COUNT(instance_normalization_results),
        .attributes = instance_normalization_attributes,
        .attribute_count = COUNT(instance_normalization_attributes),
        .attribute_size = sizeof(struct webnn_instance_normalization_attributes),
        .defaults = &instance_normalization_defaults,
        .infer = infer_instance_normalization,
    },
    [WEBNN_LAYER_NORMALIZATION] = {
        .name = "layerNormalization",
        .link = LINK("layernormalization"),
        .operands = layer_normalization_operands,
        .operand_count = COUNT(layer_normalization_operands),
        .results = layer_normalization_results,
        .result_count = COUNT(layer_normalization_results),
        .attributes = layer_normalization_attributes,
        .attribute_count = COUNT(layer_normalization_attributes),
        .attribute_size = sizeof(struct webnn_layer_normalization_attributes),
        .defaults = &layer_normalization_defaults,
        .infer = infer_layer_normalization,
        .resolve = resolve_layer_normalization,
    },
    [WEBNN_LEAKY_RELU] = {
        .name = "leakyRelu",
        .link = LINK("leakyrelu"),
        .operands = leaky_relu_operands,
        .operand_count = COUNT(leaky_relu_operands),
        .results = leaky_relu_results,
        .result_count = COUNT(leaky_relu_results),
        .attributes = leaky_relu_attributes,
        .attribute_count = COUNT(leaky_relu_attributes),
        .attribute_size = sizeof(struct webnn_leaky_relu_attributes),
        .defaults = &leaky_relu_defaults,
        .infer = infer_same,
    },
    [WEBNN_LINEAR] = {
        .name = "linear",
        .link = LINK("linear"),
        .operands = linear_operands,
        .operand_count = COUNT(linear_operands),
        .results = linear_results,
        .result_count = COUNT(linear_results),
        .attributes = linear_attributes,
        .attribute_count = COUNT(linear_attributes),
        .attribute_size = sizeof(struct webnn_linear_attributes),
        .defaults = &linear_defaults,
        .infer = infer_same,
    },
    [WEBNN_LSTM] = {
        .name = "lstm",
        .link = LINK("lstm"),
        .operands = lstm_operands,
        .operand_count = COUNT(lstm_operands),
        .results = lstm_results,
        .result_count = COUNT(lstm_results),
        .list_result = true,
        .attributes = lstm_attributes,
        .attribute_count = COUNT(lstm_attributes),
        .attribute_size = sizeof(struct webnn_lstm_attributes),
        .defaults = &lstm_defaults,
        .infer = infer_lstm,
    },
    [WEBNN_LSTM_CELL] = {
        .name = "lstmCell",
        .link = LINK("lstmcell"),
        .operands = lstm_cell_operands,
        .operand_count = COUNT(lstm_cell_operands),
        .results = lstm_cell_results,
        .result_count = COUNT(lstm_cell_results),
        .list_result = true,
        .attributes = lstm_cell_attributes,
        .attribute_count = COUNT(lstm_cell_attributes),
        .attribute_size = sizeof(struct webnn_lstm_cell_attributes),
        .defaults = &lstm_cell_defaults,
        .infer = infer_lstm_cell,
    },
    [WEBNN_MATMUL] = {
        .name = "matmul",
        .link = LINK("matmul"),
        .operands = matmul_operands,
        .operand_count = COUNT(matmul_operands),
        .results = matmul_results,
        .result_count = COUNT(matmul_results),
        .infer = infer_matmul,
    },
    [WEBNN_PAD] = {
        .name = "pad",
        .link = LINK("pad"),
        .operands = pad_operands,
        .operand_count = COUNT(pad_operands),
        .results = pad_results,
        .result_count = COUNT(pad_results),
        .attributes = pad_attributes,
        .attribute_count = COUNT(pad_attributes),
        .attribute_size = sizeof(struct webnn_pad_attributes),
        .defaults = &pad_defaults,
        .infer = infer_pad,
    },
    [WEBNN_AVERAGE_POOL2D] = {
        .name = "averagePool2d",
        .link = LINK("averagepool2d"),
        .operands = average_pool2d_operands,
        .operand_count = COUNT(average_pool2d_operands),
        .results = average_pool2d_results,
        .result_count = COUNT(average_pool2d_results),
        .attributes = average_pool2d_attributes,
        .attribute_count = COUNT(average_pool2d_attributes),
        .attribute_size = sizeof(struct webnn_pool2d_attributes),
        .defaults = &average_pool2d_defaults,
        .infer = infer_pool2d,
        .resolve = resolve_pool2d,
    },
    [WEBNN_L2_POOL2D] = {
        .name = "l2Pool2d",
        .link = LINK("l2pool2d"),
        .operands = l2_pool2d_operands,
        .operand_count = COUNT(l2_pool2d_operands),
        .results = l2_pool2d_results,
        .result_count = COUNT(l2_pool2d_results),
        .attributes = l2_pool2d_attributes,
        .attribute_count = COUNT(l2_pool2d_attributes),
        .attribute_size = sizeof(struct webnn_pool2d_attributes),
        .defaults = &l2_pool2d_defaults,
        .infer = infer_pool2d,
        .resolve = resolve_pool2d,
    },
    [WEBNN_MAX_POOL2D] = {
        .name = "maxPool2d",
        .link = LINK("maxpool2d"),
        .operands = max_pool2d_operands,
        .operand_count = COUNT(max_pool2d_operands),
        .results = max_pool2d_results,
        .result_count = COUNT(max_pool2d_results),
        .attributes = max_pool2d_attributes,
        .attribute_count = COUNT(max_pool2d_attributes),
        .attribute_size = sizeof(struct webnn_pool2d_attributes),
        .defaults = &max_pool2d_defaults,
        .infer = infer_pool2d,
        .resolve = resolve_pool2d,
    },
    [WEBNN_PRELU] = {
        .name = "prelu",
        .link = LINK("prelu"),
        .operands = prelu_operands,
        .operand_count = COUNT(prelu_operands),
        .results = prelu_results,
        .result_count = COUNT(prelu_results),
        .infer = infer_binary,
    },
    [WEBNN_REDUCE_L1] = {
        .name = "reduceL1",
        .link = LINK("reducel1"),
        .operands = reduce_l1_operands,
        .operand_count = COUNT(reduce_l1_operands),
        .results = reduce_l1_results,
        .result_count = COUNT(reduce_l1_results),
        .attributes = reduce_l1_attributes,
        .attribute_count = COUNT(reduce_l1_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_l1_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_L2] = {
        .name = "reduceL2",
        .link = LINK("reducel2"),
        .operands = reduce_l2_operands,
        .operand_count = COUNT(reduce_l2_operands),
        .results = reduce_l2_results,
        .result_count = COUNT(reduce_l2_results),
        .attributes = reduce_l2_attributes,
        .attribute_count = COUNT(reduce_l2_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_l2_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_LOG_SUM] = {
        .name = "reduceLogSum",
        .link = LINK("reducelogsum"),
        .operands = reduce_log_sum_operands,
        .operand_count = COUNT(reduce_log_sum_operands),
        .results = reduce_log_sum_results,
        .result_count = COUNT(reduce_log_sum_results),
        .attributes = reduce_log_sum_attributes,
        .attribute_count = COUNT(reduce_log_sum_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_log_sum_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_LOG_SUM_EXP] = {
        .name = "reduceLogSumExp",
        .link = LINK("reducelogsumexp"),
        .operands = reduce_log_sum_exp_operands,
        .operand_count = COUNT(reduce_log_sum_exp_operands),
        .results = reduce_log_sum_exp_results,
        .result_count = COUNT(reduce_log_sum_exp_results),
        .attributes = reduce_log_sum_exp_attributes,
        .attribute_count = COUNT(reduce_log_sum_exp_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_log_sum_exp_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_MAX] = {
        .name = "reduceMax",
        .link = LINK("reducemax"),
        .operands = reduce_max_operands,
        .operand_count = COUNT(reduce_max_operands),
        .results = reduce_max_results,
        .result_count = COUNT(reduce_max_results),
        .attributes = reduce_max_attributes,
        .attribute_count = COUNT(reduce_max_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_max_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_MEAN] = {
        .name = "reduceMean",
        .link = LINK("reducemean"),
        .operands = reduce_mean_operands,
        .operand_count = COUNT(reduce_mean_operands),
        .results = reduce_mean_results,
        .result_count = COUNT(reduce_mean_results),
        .attributes = reduce_mean_attributes,
        .attribute_count = COUNT(reduce_mean_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_mean_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_MIN] = {
        .name = "reduceMin",
        .link = LINK("reducemin"),
        .operands = reduce_min_operands,
        .operand_count = COUNT(reduce_min_operands),
        .results = reduce_min_results,
        .result_count = COUNT(reduce_min_results),
        .attributes = reduce_min_attributes,
        .attribute_count = COUNT(reduce_min_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_min_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_PRODUCT] = {
        .name = "reduceProduct",
        .link = LINK("reduceproduct"),
        .operands = reduce_product_operands,
        .operand_count = COUNT(reduce_product_operands),
        .results = reduce_product_results,
        .result_count = COUNT(reduce_product_results),
        .attributes = reduce_product_attributes,
        .attribute_count = COUNT(reduce_product_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_product_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_SUM] = {
        .name = "reduceSum",
        .link = LINK("reducesum"),
        .operands = reduce_sum_operands,
        .operand_count = COUNT(reduce_sum_operands),
        .results = reduce_sum_results,
        .result_count = COUNT(reduce_sum_results),
        .attributes = reduce_sum_attributes,
        .attribute_count = COUNT(reduce_sum_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_sum_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_REDUCE_SUM_SQUARE] = {
        .name = "reduceSumSquare",
        .link = LINK("reducesumsquare"),
        .operands = reduce_sum_square_operands,
        .operand_count = COUNT(reduce_sum_square_operands),
        .results = reduce_sum_square_results,
        .result_count = COUNT(reduce_sum_square_results),
        .attributes = reduce_sum_square_attributes,
        .attribute_count = COUNT(reduce_sum_square_attributes),
        .attribute_size = sizeof(struct webnn_reduce_attributes),
        .defaults = &reduce_sum_square_defaults,
        .infer = infer_reduce,
        .resolve = resolve_reduce,
    },
    [WEBNN_RELU] = {
        .name = "relu",
        .link = LINK("relu"),
        .operands = relu_operands,
        .operand_count = COUNT(relu_operands),
        .results = relu_results,
        .result_count = COUNT(relu_results),
        .infer = infer_same,
    },
    [WEBNN_RESAMPLE2D] = {
        .name = "resample2d",
        .link = LINK("resample2d"),
        .operands = resample2d_operands,
        .operand_count = COUNT(resample2d_operands),
        .results = resample2d_results,
        .result_count = COUNT(resample2d_results),
        .attributes = resample2d_attributes,
        .attribute_count = COUNT(resample2d_attributes),
        .attribute_size = sizeof(struct webnn_resample2d_attributes),
        .defaults = &resample2d_defaults,
        .infer = infer_resample2d,
        .resolve = resolve_resample2d,
    },
    [WEBNN_RESHAPE] = {
        .name = "reshape",
        .link = LINK("reshape"),
        .operands = reshape_operands,
        .operand_count = COUNT(reshape_operands),
        .results = reshape_results,
        .result_count = COUNT(reshape_results),
        .attributes = reshape_attributes,
        .attribute_count = COUNT(reshape_attributes),
        .attribute_size = sizeof(struct webnn_reshape_attributes),
        .defaults = &reshape_defaults,
        .infer = infer_reshape,
    },
    [WEBNN_REVERSE] = {
        .name = "reverse",
        .link = LINK("reverse"),
        .operands = reverse_operands,
        .operand_count = COUNT(reverse_operands),
        .results = reverse_results,
        .result_count = COUNT(reverse_results),
        .attributes = reverse_attributes,
        .attribute_count = COUNT(reverse_attributes),
        .attribute_size = sizeof(struct webnn_reverse_attributes),
        .defaults = &reverse_defaults,
        .infer = infer_reverse,
        .resolve = resolve_reverse,
    },
    [WEBNN_SCATTER_ELEMENTS] = {
        .name = "scatterElements",
        .link = LINK("scatterelements"),
        .operands = scatter_elements_operands,
        .operand_count = COUNT(scatter_elements_operands),
        .results = scatter_elements_results,
        .result_count = COUNT(scatter_elements_results),
        .attributes = scatter_elements_attributes,
        .attribute_count = COUNT(scatter_elements_attributes),
        .attribute_size = sizeof(struct webnn_scatter_elements_attributes),
        .defaults = &scatter_elements_defaults,
        .infer = infer_scatter_elements,
    },
    [WEBNN_SCATTER_ND] = {
        .name = "scatterND",
        .link = LINK("scatternd"),
        .operands = scatter_nd_operands,
        .operand_count = COUNT(scatter_nd_operands),
        .results = scatter_nd_results,
        .result_count = COUNT(scatter_nd_results),
        .infer = infer_scatter_nd,
    },
    [WEBNN_SIGMOID] = {
        .name = "sigmoid",
        .link = LINK("sigmoid"),
        .operands = sigmoid_operands,
        .operand_count = COUNT(sigmoid_operands),
        .results = sigmoid_results,
        .result_count = COUNT(sigmoid_results),
        .infer = infer_same,
    },
    [WEBNN_SLICE] = {
        .name = "slice",
        .link = LINK("slice"),
        .operands = slice_operands,
        .operand_count = COUNT(slice_operands),
        .results = slice_results,
        .result_count = COUNT(slice_results),
        .attributes = slice_attributes,
        .attribute_count = COUNT(slice_attributes),
        .attribute_size = sizeof(struct webnn_slice_attributes),
        .defaults = &slice_defaults,
        .infer = infer_slice,
        .resolve = resolve_slice,
    },
    [WEBNN_SOFTMAX] = {
        .name = "softmax",
        .link = LINK("softmax"),
        .operands = softmax_operands,
        .operand_count = COUNT(softmax_operands),
        .results = softmax_results,
        .result_count = COUNT(softmax_results),
        .attributes = softmax_attributes,
        .attribute_count = COUNT(softmax_attributes),
        .attribute_size = sizeof(struct webnn_softmax_attributes),
        .defaults = &softmax_defaults,
        .infer = infer_along_axis,
    },
    [WEBNN_SOFTPLUS] = {
        .name = "softplus",
        .link = LINK("softplus"),
        .operands = softplus_operands,
        .operand_count = COUNT(softplus_operands),
        .results = softplus_results,
        .result_count = COUNT(softplus_results),
        .infer = infer_same,
    },
    [WEBNN_SOFTSIGN] = {
        .name = "softsign",
        .link = LINK("softsign"),
        .operands = softsign_operands,
        .operand_count = COUNT(softsign_operands),
        .results = softsign_results,
        .result_count = COUNT(softsign_results),
        .infer = infer_same,
    },
    [WEBNN_SPLIT] = {
        .name = "split",
        .link = LINK("split"),
        .operands = split_operands,
        .operand_count = COUNT(split_operands),
        .results = split_results,
        .result_count = COUNT(split_results),
        .list_result = true,
        .attributes = split_attributes,
        .attribute_count = COUNT(split_attributes),
        .attribute_size = sizeof(struct webnn_split_attributes),
        .defaults = &split_defaults,
        .infer = infer_split,
    },
    [WEBNN_TANH] = {
        .name = "tanh",
        .link = LINK("tanh"),
        .operands = tanh_operands,
        .operand_count = COUNT(tanh_operands),
        .results = tanh_results,
        .result_count = COUNT(tanh_results),
        .infer = infer_same,
    },
    [WEBNN_TILE] = {
        .name = "tile",
        .link = LINK("tile"),
        .operands = tile_operands,
        .operand_count = COUNT(tile_operands),
        .results = tile_results,
        .result_count = COUNT(tile_results),
        .attributes = tile_attributes,
        .attribute_count = COUNT(tile_attributes),
        .attribute_size = sizeof(struct webnn_tile_attributes),
        .defaults = &tile_defaults,
        .infer = infer_tile,
    },
    [WEBNN_TRANSPOSE] = {
        .name = "transpose",
        .link = LINK("transpose"),
        .operands = transpose_operands,
        .operand_count = COUNT(transpose_operands),
        .results = transpose_results,
        .result_count = COUNT(transpose_results),
        .attributes = transpose_attributes,
        .attribute_count = COUNT(transpose_attributes),
        .attribute_size = sizeof(struct webnn_transpose_attributes),
        .defaults = &transpose_defaults,
        .infer = infer_transpose,
        .resolve = resolve_transpose,
    },
    [WEBNN_TRIANGULAR] = {
        .name = "triangular",
        .link = LINK("triangular"),
        .operands = triangular_operands,
        .operand_count = COUNT(triangular_operands),
        .results = triangular_results,
        .result_count = COUNT(triangular_results),
        .attributes = triangular_attributes,
        .attribute_count = COUNT(triangular_attributes),
        .attribute_size = sizeof(struct webnn_triangular_attributes),
        .defaults = &triangular_defaults,
        .infer = infer_same,
    },
    [WEBNN_WHERE] = {
        .name = "where",
        .link = LINK("where"),
        .operands = where_operands,
        .operand_count = COUNT(where_operands),
        .results = where_results,
        .result_count = COUNT(where_results),
        .infer = infer_where,
    },
};
