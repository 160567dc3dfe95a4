/* From one WebNN operator to nodes of the model: a function per family, a sparse table by operator. */
#ifndef NODES_LOWER_H
#define NODES_LOWER_H

#include "nodes/operand.h"
#include "nodes/order.h"

typedef void (*lower_function)(struct emit *e);

/* NULL: there are none for that operator. */
extern const lower_function lowerings[WEBNN_OPERATOR_COUNT];

/* ops_arithmetic.c */
void nodes_direct(struct emit *e); /* one node of the same meaning for every dtype the row allows */
void nodes_div(struct emit *e);
void nodes_pow(struct emit *e);
void nodes_sign(struct emit *e);
void nodes_clamp(struct emit *e);
void nodes_linear(struct emit *e);
void nodes_min_max(struct emit *e);

/* ops_logic.c */
void nodes_compare(struct emit *e);
void nodes_logical(struct emit *e);
void nodes_classify(struct emit *e);
void nodes_where(struct emit *e);

/* ops_activation.c */
void nodes_relu(struct emit *e);
void nodes_prelu(struct emit *e);
void nodes_elu(struct emit *e);
void nodes_leaky_relu(struct emit *e);
void nodes_sigmoid(struct emit *e);
void nodes_hard_swish(struct emit *e);
/* 1 / (1 + exp(-x)) over the whole range, of float32. */
ref emit_exact_sigmoid(struct emit *e, ref x);
void nodes_hard_sigmoid(struct emit *e);
void nodes_softmax(struct emit *e);

/* ops_cast.c */
void nodes_cast(struct emit *e);
void nodes_identity(struct emit *e);

/* ops_quantize.c */
void nodes_dequantize(struct emit *e);
void nodes_quantize(struct emit *e);
/* Whether the runtime's operator for it takes blocks. */
bool quantizes_blocks(const struct graph *g, const struct operator_node *node);

/* ops_conv.c */
void nodes_conv2d(struct emit *e);
void nodes_conv_transpose2d(struct emit *e);
/* Layout nhwc: to nchw before, back after. */
ref operand_nchw(struct emit *e, uint32_t slot, uint32_t layout);
void set_result_nchw(struct emit *e, ref value, uint32_t layout);

/* ops_pool.c */
void nodes_average_pool2d(struct emit *e);
void nodes_l2_pool2d(struct emit *e);
void nodes_max_pool2d(struct emit *e);

/* ops_matmul.c */
void nodes_matmul(struct emit *e);
void nodes_gemm(struct emit *e);

/* ops_reduce.c */
void nodes_reduce(struct emit *e);
void nodes_reduce_extreme(struct emit *e);
void nodes_arg(struct emit *e);
void nodes_cumulative_sum(struct emit *e);

/* ops_normalize.c */
void nodes_batch_normalization(struct emit *e);
void nodes_instance_normalization(struct emit *e);
void nodes_layer_normalization(struct emit *e);

/* ops_recurrent.c */
void nodes_gru(struct emit *e);
void nodes_gru_cell(struct emit *e);
void nodes_lstm(struct emit *e);
void nodes_lstm_cell(struct emit *e);

/* ops_move.c */
void nodes_reshape(struct emit *e);
void nodes_expand(struct emit *e);
void nodes_transpose(struct emit *e);
void nodes_concat(struct emit *e);
void nodes_split(struct emit *e);
void nodes_slice(struct emit *e);
void nodes_reverse(struct emit *e);
void nodes_tile(struct emit *e);
void nodes_pad(struct emit *e);
void nodes_triangular(struct emit *e);

/* ops_gather.c */
void nodes_gather(struct emit *e);
void nodes_gather_elements(struct emit *e);
void nodes_gather_nd(struct emit *e);
void nodes_scatter_elements(struct emit *e);
void nodes_scatter_nd(struct emit *e);

/* ops_resample.c */
void nodes_resample2d(struct emit *e);

#endif
