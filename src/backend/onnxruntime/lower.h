/* From one WebNN operator to nodes of the model: a function per family, a sparse table by operator. */
#ifndef BACKEND_ONNXRUNTIME_LOWER_H
#define BACKEND_ONNXRUNTIME_LOWER_H

#include "backend/onnxruntime/operand.h"
#include "backend/onnxruntime/order.h"

typedef void (*lower_function)(struct emit *e);

/* NULL: this engine has no such operator. */
extern const lower_function lowerings[WEBNN_OPERATOR_COUNT];

/* ops_arithmetic.c */
void engine_lower_direct(
    struct emit *e); /* one node of the same meaning for every dtype the row allows */
void engine_lower_div(struct emit *e);
void engine_lower_pow(struct emit *e);
void engine_lower_sign(struct emit *e);
void engine_lower_clamp(struct emit *e);
void engine_lower_linear(struct emit *e);
void engine_lower_min_max(struct emit *e);

/* ops_logic.c */
void engine_lower_compare(struct emit *e);
void engine_lower_logical(struct emit *e);
void engine_lower_classify(struct emit *e);
void engine_lower_where(struct emit *e);

/* ops_activation.c */
void engine_lower_relu(struct emit *e);
void engine_lower_prelu(struct emit *e);
void engine_lower_elu(struct emit *e);
void engine_lower_leaky_relu(struct emit *e);
void engine_lower_sigmoid(struct emit *e);
void engine_lower_hard_swish(struct emit *e);
/* 1 / (1 + exp(-x)) over the whole range, of float32. */
ref emit_exact_sigmoid(struct emit *e, ref x);
void engine_lower_hard_sigmoid(struct emit *e);
void engine_lower_softmax(struct emit *e);

/* ops_cast.c */
void engine_lower_cast(struct emit *e);
void engine_lower_identity(struct emit *e);

/* ops_quantize.c */
void engine_lower_dequantize(struct emit *e);
void engine_lower_quantize(struct emit *e);
/* Whether the runtime's operator for it takes blocks. */
bool quantizes_blocks(const struct graph *g, const struct operator_node *node);

/* ops_conv.c */
void engine_lower_conv2d(struct emit *e);
void engine_lower_conv_transpose2d(struct emit *e);
/* Layout nhwc: to nchw before, back after. */
ref operand_nchw(struct emit *e, uint32_t slot, uint32_t layout);
void set_result_nchw(struct emit *e, ref value, uint32_t layout);

/* ops_pool.c */
void engine_lower_average_pool2d(struct emit *e);
void engine_lower_l2_pool2d(struct emit *e);
void engine_lower_max_pool2d(struct emit *e);

/* ops_matmul.c */
void engine_lower_matmul(struct emit *e);
void engine_lower_gemm(struct emit *e);

/* ops_reduce.c */
void engine_lower_reduce(struct emit *e);
void engine_lower_reduce_extreme(struct emit *e);
void engine_lower_arg(struct emit *e);
void engine_lower_cumulative_sum(struct emit *e);

/* ops_normalize.c */
void engine_lower_batch_normalization(struct emit *e);
void engine_lower_instance_normalization(struct emit *e);
void engine_lower_layer_normalization(struct emit *e);

/* ops_recurrent.c */
void engine_lower_gru(struct emit *e);
void engine_lower_gru_cell(struct emit *e);
void engine_lower_lstm(struct emit *e);
void engine_lower_lstm_cell(struct emit *e);

/* ops_move.c */
void engine_lower_reshape(struct emit *e);
void engine_lower_expand(struct emit *e);
void engine_lower_transpose(struct emit *e);
void engine_lower_concat(struct emit *e);
void engine_lower_split(struct emit *e);
void engine_lower_slice(struct emit *e);
void engine_lower_reverse(struct emit *e);
void engine_lower_tile(struct emit *e);
void engine_lower_pad(struct emit *e);
void engine_lower_triangular(struct emit *e);

/* ops_gather.c */
void engine_lower_gather(struct emit *e);
void engine_lower_gather_elements(struct emit *e);
void engine_lower_gather_nd(struct emit *e);
void engine_lower_scatter_elements(struct emit *e);
void engine_lower_scatter_nd(struct emit *e);

/* ops_resample.c */
void engine_lower_resample2d(struct emit *e);

#endif
