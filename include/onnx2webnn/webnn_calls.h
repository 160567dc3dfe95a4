/* Recording operators: webnn_op for any of them, and a call for each. Included by webnn.h. Written by
 * tools/gen/operators.py; do not edit. */
#ifndef ONNX2WEBNN_WEBNN_CALLS_H
#define ONNX2WEBNN_WEBNN_CALLS_H

#include <onnx2webnn/common.h>
#include <onnx2webnn/webnn_operators.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct webnn_builder webnn_builder; /* webnn_builder_create */

/* An operand of one builder, which refuses those of others, or of one graph; 0 is absent. */
typedef uint32_t webnn_operand;
enum { WEBNN_ABSENT = 0 };

/* Any operator. operands by slot of the standard's signature, then its operand options in the order of
 * their dictionary, WEBNN_ABSENT where not given; for concat as many as there are. attributes: the
 * operator's struct of webnn_operators.h, NULL for defaults. A label for messages, or NULL. results has
 * room for *result_count. A call that fails records nothing. */
O2W_API o2w_status webnn_op(webnn_builder *builder, enum webnn_operator kind,
                            const webnn_operand *operands, size_t operand_count,
                            const void *attributes, const char *label, webnn_operand *results,
                            size_t *result_count, o2w_error **error);

/* The same with an argument per slot; WEBNN_ABSENT for optional ones that are not given. */

static inline o2w_status webnn_arg_min(webnn_builder *builder, webnn_operand input,
                                       const struct webnn_arg_min_max_attributes *attributes,
                                       const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_ARG_MIN, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_arg_max(webnn_builder *builder, webnn_operand input,
                                       const struct webnn_arg_min_max_attributes *attributes,
                                       const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_ARG_MAX, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_batch_normalization(webnn_builder *builder, webnn_operand input,
                                                   webnn_operand mean, webnn_operand variance,
                                                   webnn_operand scale, webnn_operand bias,
                                                   const struct webnn_batch_normalization_attributes *attributes,
                                                   const char *label, webnn_operand *output,
                                                   o2w_error **error)
{
    const webnn_operand operands[] = { input, mean, variance, scale, bias };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_BATCH_NORMALIZATION, operands, 5, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_cast(webnn_builder *builder, webnn_operand input,
                                    const struct webnn_cast_attributes *attributes,
                                    const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_CAST, operands, 1, attributes, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_clamp(webnn_builder *builder, webnn_operand input,
                                     const struct webnn_clamp_attributes *attributes,
                                     const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_CLAMP, operands, 1, attributes, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_concat(webnn_builder *builder, const webnn_operand *inputs,
                                      size_t count,
                                      const struct webnn_concat_attributes *attributes,
                                      const char *label, webnn_operand *output, o2w_error **error)
{
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_CONCAT, inputs, count, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_conv2d(webnn_builder *builder, webnn_operand input,
                                      webnn_operand filter, webnn_operand bias,
                                      const struct webnn_conv2d_attributes *attributes,
                                      const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input, filter, bias };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_CONV2D, operands, 3, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_conv_transpose2d(webnn_builder *builder, webnn_operand input,
                                                webnn_operand filter, webnn_operand bias,
                                                const struct webnn_conv_transpose2d_attributes *attributes,
                                                const char *label, webnn_operand *output,
                                                o2w_error **error)
{
    const webnn_operand operands[] = { input, filter, bias };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_CONV_TRANSPOSE2D, operands, 3, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_cumulative_sum(webnn_builder *builder, webnn_operand input,
                                              const struct webnn_cumulative_sum_attributes *attributes,
                                              const char *label, webnn_operand *output,
                                              o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_CUMULATIVE_SUM, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_add(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                   const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_ADD, operands, 2, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_sub(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                   const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SUB, operands, 2, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_mul(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                   const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_MUL, operands, 2, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_div(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                   const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_DIV, operands, 2, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_max(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                   const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_MAX, operands, 2, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_min(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                   const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_MIN, operands, 2, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_pow(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                   const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_POW, operands, 2, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_equal(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                     const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_EQUAL, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_not_equal(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                         const char *label, webnn_operand *output,
                                         o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_NOT_EQUAL, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_greater(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                       const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GREATER, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_greater_or_equal(webnn_builder *builder, webnn_operand a,
                                                webnn_operand b, const char *label,
                                                webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GREATER_OR_EQUAL, operands, 2, NULL, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_lesser(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                      const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LESSER, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_lesser_or_equal(webnn_builder *builder, webnn_operand a,
                                               webnn_operand b, const char *label,
                                               webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LESSER_OR_EQUAL, operands, 2, NULL, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_logical_not(webnn_builder *builder, webnn_operand a,
                                           const char *label, webnn_operand *output,
                                           o2w_error **error)
{
    const webnn_operand operands[] = { a };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LOGICAL_NOT, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_logical_and(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                           const char *label, webnn_operand *output,
                                           o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LOGICAL_AND, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_logical_or(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LOGICAL_OR, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_logical_xor(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                           const char *label, webnn_operand *output,
                                           o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LOGICAL_XOR, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_is_nan(webnn_builder *builder, webnn_operand a, const char *label,
                                      webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_IS_NAN, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_is_infinite(webnn_builder *builder, webnn_operand a,
                                           const char *label, webnn_operand *output,
                                           o2w_error **error)
{
    const webnn_operand operands[] = { a };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_IS_INFINITE, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_abs(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_ABS, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_ceil(webnn_builder *builder, webnn_operand input, const char *label,
                                    webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_CEIL, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_cos(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_COS, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_erf(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_ERF, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_exp(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_EXP, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_floor(webnn_builder *builder, webnn_operand input, const char *label,
                                     webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_FLOOR, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_identity(webnn_builder *builder, webnn_operand input,
                                        const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_IDENTITY, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_log(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LOG, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_neg(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_NEG, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_reciprocal(webnn_builder *builder, webnn_operand input,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_RECIPROCAL, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_round_even(webnn_builder *builder, webnn_operand input,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_ROUND_EVEN, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_sin(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SIN, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_sign(webnn_builder *builder, webnn_operand input, const char *label,
                                    webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SIGN, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_sqrt(webnn_builder *builder, webnn_operand input, const char *label,
                                    webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SQRT, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_tan(webnn_builder *builder, webnn_operand input, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_TAN, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_dequantize_linear(webnn_builder *builder, webnn_operand input,
                                                 webnn_operand scale, webnn_operand zero_point,
                                                 const char *label, webnn_operand *output,
                                                 o2w_error **error)
{
    const webnn_operand operands[] = { input, scale, zero_point };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_DEQUANTIZE_LINEAR, operands, 3, NULL, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_quantize_linear(webnn_builder *builder, webnn_operand input,
                                               webnn_operand scale, webnn_operand zero_point,
                                               const char *label, webnn_operand *output,
                                               o2w_error **error)
{
    const webnn_operand operands[] = { input, scale, zero_point };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_QUANTIZE_LINEAR, operands, 3, NULL, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_elu(webnn_builder *builder, webnn_operand input,
                                   const struct webnn_elu_attributes *attributes, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_ELU, operands, 1, attributes, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_expand(webnn_builder *builder, webnn_operand input,
                                      const struct webnn_expand_attributes *attributes,
                                      const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_EXPAND, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_gather(webnn_builder *builder, webnn_operand input,
                                      webnn_operand indices,
                                      const struct webnn_gather_attributes *attributes,
                                      const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input, indices };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GATHER, operands, 2, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_gather_elements(webnn_builder *builder, webnn_operand input,
                                               webnn_operand indices,
                                               const struct webnn_gather_elements_attributes *attributes,
                                               const char *label, webnn_operand *output,
                                               o2w_error **error)
{
    const webnn_operand operands[] = { input, indices };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GATHER_ELEMENTS, operands, 2, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_gather_nd(webnn_builder *builder, webnn_operand input,
                                         webnn_operand indices, const char *label,
                                         webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input, indices };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GATHER_ND, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_gelu(webnn_builder *builder, webnn_operand input, const char *label,
                                    webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GELU, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_gemm(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                    webnn_operand c, const struct webnn_gemm_attributes *attributes,
                                    const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b, c };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GEMM, operands, 3, attributes, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_gru(webnn_builder *builder, webnn_operand input,
                                   webnn_operand weight, webnn_operand recurrent_weight,
                                   webnn_operand bias, webnn_operand recurrent_bias,
                                   webnn_operand initial_hidden_state,
                                   const struct webnn_gru_attributes *attributes, const char *label,
                                   webnn_operand *outputs, size_t *output_count, o2w_error **error)
{
    const webnn_operand operands[] = { input, weight, recurrent_weight, bias, recurrent_bias,
                                       initial_hidden_state };
    return webnn_op(builder, WEBNN_GRU, operands, 6, attributes, label, outputs, output_count,
                    error);
}

static inline o2w_status webnn_gru_cell(webnn_builder *builder, webnn_operand input,
                                        webnn_operand weight, webnn_operand recurrent_weight,
                                        webnn_operand hidden_state, webnn_operand bias,
                                        webnn_operand recurrent_bias,
                                        const struct webnn_gru_cell_attributes *attributes,
                                        const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input, weight, recurrent_weight, hidden_state, bias,
                                       recurrent_bias };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_GRU_CELL, operands, 6, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_hard_sigmoid(webnn_builder *builder, webnn_operand input,
                                            const struct webnn_hard_sigmoid_attributes *attributes,
                                            const char *label, webnn_operand *output,
                                            o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_HARD_SIGMOID, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_hard_swish(webnn_builder *builder, webnn_operand input,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_HARD_SWISH, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_instance_normalization(webnn_builder *builder, webnn_operand input,
                                                      webnn_operand scale, webnn_operand bias,
                                                      const struct webnn_instance_normalization_attributes *attributes,
                                                      const char *label, webnn_operand *output,
                                                      o2w_error **error)
{
    const webnn_operand operands[] = { input, scale, bias };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_INSTANCE_NORMALIZATION, operands, 3, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_layer_normalization(webnn_builder *builder, webnn_operand input,
                                                   webnn_operand scale, webnn_operand bias,
                                                   const struct webnn_layer_normalization_attributes *attributes,
                                                   const char *label, webnn_operand *output,
                                                   o2w_error **error)
{
    const webnn_operand operands[] = { input, scale, bias };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LAYER_NORMALIZATION, operands, 3, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_leaky_relu(webnn_builder *builder, webnn_operand input,
                                          const struct webnn_leaky_relu_attributes *attributes,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LEAKY_RELU, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_linear(webnn_builder *builder, webnn_operand input,
                                      const struct webnn_linear_attributes *attributes,
                                      const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_LINEAR, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_lstm(webnn_builder *builder, webnn_operand input,
                                    webnn_operand weight, webnn_operand recurrent_weight,
                                    webnn_operand bias, webnn_operand recurrent_bias,
                                    webnn_operand peephole_weight,
                                    webnn_operand initial_hidden_state,
                                    webnn_operand initial_cell_state,
                                    const struct webnn_lstm_attributes *attributes,
                                    const char *label, webnn_operand *outputs, size_t *output_count,
                                    o2w_error **error)
{
    const webnn_operand operands[] = { input, weight, recurrent_weight, bias, recurrent_bias,
                                       peephole_weight, initial_hidden_state, initial_cell_state };
    return webnn_op(builder, WEBNN_LSTM, operands, 8, attributes, label, outputs, output_count,
                    error);
}

static inline o2w_status webnn_lstm_cell(webnn_builder *builder, webnn_operand input,
                                         webnn_operand weight, webnn_operand recurrent_weight,
                                         webnn_operand hidden_state, webnn_operand cell_state,
                                         webnn_operand bias, webnn_operand recurrent_bias,
                                         webnn_operand peephole_weight,
                                         const struct webnn_lstm_cell_attributes *attributes,
                                         const char *label, webnn_operand *outputs,
                                         size_t *output_count, o2w_error **error)
{
    const webnn_operand operands[] = { input, weight, recurrent_weight, hidden_state, cell_state,
                                       bias, recurrent_bias, peephole_weight };
    return webnn_op(builder, WEBNN_LSTM_CELL, operands, 8, attributes, label, outputs, output_count,
                    error);
}

static inline o2w_status webnn_matmul(webnn_builder *builder, webnn_operand a, webnn_operand b,
                                      const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { a, b };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_MATMUL, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_pad(webnn_builder *builder, webnn_operand input,
                                   const struct webnn_pad_attributes *attributes, const char *label,
                                   webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_PAD, operands, 1, attributes, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_average_pool2d(webnn_builder *builder, webnn_operand input,
                                              const struct webnn_pool2d_attributes *attributes,
                                              const char *label, webnn_operand *output,
                                              o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_AVERAGE_POOL2D, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_l2_pool2d(webnn_builder *builder, webnn_operand input,
                                         const struct webnn_pool2d_attributes *attributes,
                                         const char *label, webnn_operand *output,
                                         o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_L2_POOL2D, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_max_pool2d(webnn_builder *builder, webnn_operand input,
                                          const struct webnn_pool2d_attributes *attributes,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_MAX_POOL2D, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_prelu(webnn_builder *builder, webnn_operand input,
                                     webnn_operand slope, const char *label, webnn_operand *output,
                                     o2w_error **error)
{
    const webnn_operand operands[] = { input, slope };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_PRELU, operands, 2, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_reduce_l1(webnn_builder *builder, webnn_operand input,
                                         const struct webnn_reduce_attributes *attributes,
                                         const char *label, webnn_operand *output,
                                         o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_L1, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_l2(webnn_builder *builder, webnn_operand input,
                                         const struct webnn_reduce_attributes *attributes,
                                         const char *label, webnn_operand *output,
                                         o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_L2, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_log_sum(webnn_builder *builder, webnn_operand input,
                                              const struct webnn_reduce_attributes *attributes,
                                              const char *label, webnn_operand *output,
                                              o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_LOG_SUM, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_log_sum_exp(webnn_builder *builder, webnn_operand input,
                                                  const struct webnn_reduce_attributes *attributes,
                                                  const char *label, webnn_operand *output,
                                                  o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_LOG_SUM_EXP, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_max(webnn_builder *builder, webnn_operand input,
                                          const struct webnn_reduce_attributes *attributes,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_MAX, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_mean(webnn_builder *builder, webnn_operand input,
                                           const struct webnn_reduce_attributes *attributes,
                                           const char *label, webnn_operand *output,
                                           o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_MEAN, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_min(webnn_builder *builder, webnn_operand input,
                                          const struct webnn_reduce_attributes *attributes,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_MIN, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_product(webnn_builder *builder, webnn_operand input,
                                              const struct webnn_reduce_attributes *attributes,
                                              const char *label, webnn_operand *output,
                                              o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_PRODUCT, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_sum(webnn_builder *builder, webnn_operand input,
                                          const struct webnn_reduce_attributes *attributes,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_SUM, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reduce_sum_square(webnn_builder *builder, webnn_operand input,
                                                 const struct webnn_reduce_attributes *attributes,
                                                 const char *label, webnn_operand *output,
                                                 o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REDUCE_SUM_SQUARE, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_relu(webnn_builder *builder, webnn_operand input, const char *label,
                                    webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_RELU, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_resample2d(webnn_builder *builder, webnn_operand input,
                                          const struct webnn_resample2d_attributes *attributes,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_RESAMPLE2D, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reshape(webnn_builder *builder, webnn_operand input,
                                       const struct webnn_reshape_attributes *attributes,
                                       const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_RESHAPE, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_reverse(webnn_builder *builder, webnn_operand input,
                                       const struct webnn_reverse_attributes *attributes,
                                       const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_REVERSE, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_scatter_elements(webnn_builder *builder, webnn_operand input,
                                                webnn_operand indices, webnn_operand updates,
                                                const struct webnn_scatter_elements_attributes *attributes,
                                                const char *label, webnn_operand *output,
                                                o2w_error **error)
{
    const webnn_operand operands[] = { input, indices, updates };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SCATTER_ELEMENTS, operands, 3, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_scatter_nd(webnn_builder *builder, webnn_operand input,
                                          webnn_operand indices, webnn_operand updates,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input, indices, updates };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SCATTER_ND, operands, 3, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_sigmoid(webnn_builder *builder, webnn_operand input,
                                       const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SIGMOID, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_slice(webnn_builder *builder, webnn_operand input,
                                     const struct webnn_slice_attributes *attributes,
                                     const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SLICE, operands, 1, attributes, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_softmax(webnn_builder *builder, webnn_operand input,
                                       const struct webnn_softmax_attributes *attributes,
                                       const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SOFTMAX, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_softplus(webnn_builder *builder, webnn_operand input,
                                        const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SOFTPLUS, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_softsign(webnn_builder *builder, webnn_operand input,
                                        const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_SOFTSIGN, operands, 1, NULL, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_split(webnn_builder *builder, webnn_operand input,
                                     const struct webnn_split_attributes *attributes,
                                     const char *label, webnn_operand *outputs,
                                     size_t *output_count, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    return webnn_op(builder, WEBNN_SPLIT, operands, 1, attributes, label, outputs, output_count,
                    error);
}

static inline o2w_status webnn_tanh(webnn_builder *builder, webnn_operand input, const char *label,
                                    webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_TANH, operands, 1, NULL, label, output, &count_of_results, error);
}

static inline o2w_status webnn_tile(webnn_builder *builder, webnn_operand input,
                                    const struct webnn_tile_attributes *attributes,
                                    const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_TILE, operands, 1, attributes, label, output, &count_of_results,
                    error);
}

static inline o2w_status webnn_transpose(webnn_builder *builder, webnn_operand input,
                                         const struct webnn_transpose_attributes *attributes,
                                         const char *label, webnn_operand *output,
                                         o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_TRANSPOSE, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_triangular(webnn_builder *builder, webnn_operand input,
                                          const struct webnn_triangular_attributes *attributes,
                                          const char *label, webnn_operand *output,
                                          o2w_error **error)
{
    const webnn_operand operands[] = { input };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_TRIANGULAR, operands, 1, attributes, label, output,
                    &count_of_results, error);
}

static inline o2w_status webnn_where(webnn_builder *builder, webnn_operand condition,
                                     webnn_operand true_value, webnn_operand false_value,
                                     const char *label, webnn_operand *output, o2w_error **error)
{
    const webnn_operand operands[] = { condition, true_value, false_value };
    size_t count_of_results = 1;
    return webnn_op(builder, WEBNN_WHERE, operands, 3, NULL, label, output, &count_of_results,
                    error);
}

#ifdef __cplusplus
}
#endif

#endif
