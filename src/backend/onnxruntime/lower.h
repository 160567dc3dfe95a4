/* From one WebNN operator to nodes of the model: a function per family, a sparse table by operator. */
#ifndef BACKEND_ONNXRUNTIME_LOWER_H
#define BACKEND_ONNXRUNTIME_LOWER_H

#include "backend/onnxruntime/operand.h"

typedef void (*lower_function)(struct emit *e);

/* NULL: this engine has no such operator. */
extern const lower_function lowerings[WEBNN_OPERATOR_COUNT];

/* ops_arithmetic.c */
void lower_direct(struct emit *e); /* one node of the same meaning for every dtype the row allows */
void lower_div(struct emit *e);
void lower_pow(struct emit *e);
void lower_sign(struct emit *e);
void lower_clamp(struct emit *e);
void lower_linear(struct emit *e);
/* c ? a : b for any dtype t. */
ref emit_where(struct emit *e, enum dtype t, ref condition, ref a, ref b);

/* ops_logic.c */
void lower_compare(struct emit *e);
void lower_logical(struct emit *e);
void lower_classify(struct emit *e);
void lower_where(struct emit *e);

/* ops_activation.c */
void lower_relu(struct emit *e);
void lower_prelu(struct emit *e);
void lower_alpha(struct emit *e);
void lower_hard_sigmoid(struct emit *e);
void lower_softmax(struct emit *e);

/* ops_cast.c */
void lower_cast(struct emit *e);
void lower_identity(struct emit *e);

/* ops_quantize.c */
void lower_dequantize(struct emit *e);
void lower_quantize(struct emit *e);

/* ops_conv.c */
void lower_conv2d(struct emit *e);
void lower_conv_transpose2d(struct emit *e);
/* Layout nhwc: to nchw before, back after. */
ref operand_nchw(struct emit *e, uint32_t slot, uint32_t layout);
void set_result_nchw(struct emit *e, ref value, uint32_t layout);

/* ops_pool.c */
void lower_average_pool2d(struct emit *e);
void lower_l2_pool2d(struct emit *e);
void lower_max_pool2d(struct emit *e);

/* ops_matmul.c */
void lower_matmul(struct emit *e);
void lower_gemm(struct emit *e);

/* ops_reduce.c */
void lower_reduce(struct emit *e);
void lower_reduce_extreme(struct emit *e);
void lower_arg(struct emit *e);
void lower_cumulative_sum(struct emit *e);

/* ops_normalize.c */
void lower_batch_normalization(struct emit *e);
void lower_instance_normalization(struct emit *e);
void lower_layer_normalization(struct emit *e);

/* ops_recurrent.c */
void lower_gru(struct emit *e);
void lower_gru_cell(struct emit *e);
void lower_lstm(struct emit *e);
void lower_lstm_cell(struct emit *e);

/* ops_move.c */
void lower_reshape(struct emit *e);
void lower_expand(struct emit *e);
void lower_transpose(struct emit *e);
void lower_concat(struct emit *e);
void lower_split(struct emit *e);
void lower_slice(struct emit *e);
void lower_reverse(struct emit *e);
void lower_tile(struct emit *e);
void lower_pad(struct emit *e);
void lower_triangular(struct emit *e);

/* ops_gather.c */
void lower_gather(struct emit *e);
void lower_gather_elements(struct emit *e);
void lower_gather_nd(struct emit *e);
void lower_scatter_elements(struct emit *e);
void lower_scatter_nd(struct emit *e);

/* ops_resample.c */
void lower_resample2d(struct emit *e);

#endif
