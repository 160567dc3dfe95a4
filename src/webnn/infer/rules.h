/* The rules of validate-and-infer, and what they share. The row's slots were checked before a rule
 * is called: operands are there, their dtypes and ranks are in range, lists have at most 16 items. */
#ifndef WEBNN_INFER_RULES_H
#define WEBNN_INFER_RULES_H

#include "webnn/infer.h"

/* What a text may be long; how many operands or results a list operator has at most. */
enum { DIM_TEXT = 96, SHAPE_TEXT = 256, MAX_LIST = 8192 };

/* The attributes into scratch, absent lists and what depends on shapes filled in; in->attributes is
 * scratch from then on. Fails where a list is too long, an enum unknown, a double not finite. */
o2w_status rule_resolve(struct infer *in, void *scratch);

/* A dim or a shape for messages; expressions are spelled out. */
const char *rule_dim_text(const struct infer *in, dim d, char text[DIM_TEXT]);
const char *rule_shape_text(const struct infer *in, const dim *dims, uint32_t rank,
                            char text[SHAPE_TEXT]);

/* Bounds of a number or expression. */
void rule_bounds(const struct infer *in, dim d, int64_t *min, int64_t *max);
/* Whether a > b for all values of the names; false when undecided. */
bool rule_greater(struct infer *in, dim a, dim b);
/* a must be at most b: where numbers do not decide it, max(a, b) = b becomes a constraint. What is
 * provably wrong was refused by the caller. */
o2w_status rule_at_most(struct infer *in, const char *what, dim a, dim b);
/* operand.shape[axis] must be `expected`, which is `b`. */
o2w_status rule_dim_is(struct infer *in, uint32_t slot, uint32_t axis, const char *expected, dim b);
/* An optional operand's whole shape, rank included; an absent one is fine. */
o2w_status rule_shape_is(struct infer *in, uint32_t slot, const dim *dims, uint32_t rank);
/* A number is needed here: the message names the dim and what fixes it. */
o2w_status rule_static_dim(const struct infer *in, uint32_t slot, uint32_t axis);
/* Attribute lists: exactly `count` items; each at least 1; each below rank, none twice. */
o2w_status rule_count(const struct infer *in, const char *name, uint32_t found, uint32_t count);
o2w_status rule_positive(const struct infer *in, const char *name, const struct webnn_u32s *list,
                         uint32_t count);
o2w_status rule_axes(const struct infer *in, const char *name, const struct webnn_u32s *axes,
                     uint32_t rank);
bool rule_has_axis(const struct webnn_u32s *axes, uint32_t axis);
/* in + pads - ((window - 1) * dilation + 1): how far a window can move. */
struct window {
    dim input, size;
    uint32_t begin, end, stride, dilation;
};
o2w_status rule_window_travel(struct infer *in, const char *axis, const struct window *w,
                              dim *travel);
/* Where height and width (letters h, w), channels (c) stand in a layout: "nchw" or "nhwc". */
uint32_t rule_layout_axis(const char *layout, char letter);
const char *rule_input_layout(uint32_t layout);
/* 0, 1, 2 … count - 1, first counts from `start`. */
void rule_fill_range(struct webnn_u32s *list, uint32_t start, uint32_t count);

o2w_status infer_same(struct infer *in);
o2w_status infer_binary(struct infer *in);
o2w_status infer_cast(struct infer *in);
o2w_status infer_clamp(struct infer *in);
o2w_status infer_where(struct infer *in);
o2w_status infer_along_axis(struct infer *in);
o2w_status infer_arg_min_max(struct infer *in);
o2w_status infer_reduce(struct infer *in);
o2w_status infer_reverse(struct infer *in);
o2w_status infer_conv2d(struct infer *in);
o2w_status infer_conv_transpose2d(struct infer *in);
o2w_status infer_pool2d(struct infer *in);
o2w_status infer_resample2d(struct infer *in);
o2w_status infer_batch_normalization(struct infer *in);
o2w_status infer_instance_normalization(struct infer *in);
o2w_status infer_layer_normalization(struct infer *in);
o2w_status infer_matmul(struct infer *in);
o2w_status infer_gemm(struct infer *in);
o2w_status infer_quantize(struct infer *in);
o2w_status infer_gru(struct infer *in);
o2w_status infer_gru_cell(struct infer *in);
o2w_status infer_lstm(struct infer *in);
o2w_status infer_lstm_cell(struct infer *in);
o2w_status infer_gather(struct infer *in);
o2w_status infer_gather_elements(struct infer *in);
o2w_status infer_gather_nd(struct infer *in);
o2w_status infer_scatter_elements(struct infer *in);
o2w_status infer_scatter_nd(struct infer *in);
o2w_status infer_concat(struct infer *in);
o2w_status infer_split(struct infer *in);
o2w_status infer_slice(struct infer *in);
o2w_status infer_pad(struct infer *in);
o2w_status infer_tile(struct infer *in);
o2w_status infer_expand(struct infer *in);
o2w_status infer_reshape(struct infer *in);
o2w_status infer_transpose(struct infer *in);

void resolve_reduce(const struct infer *in, void *attributes);
void resolve_reverse(const struct infer *in, void *attributes);
void resolve_pool2d(const struct infer *in, void *attributes);
void resolve_conv_transpose2d(const struct infer *in, void *attributes);
void resolve_resample2d(const struct infer *in, void *attributes);
void resolve_layer_normalization(const struct infer *in, void *attributes);
void resolve_slice(const struct infer *in, void *attributes);
void resolve_transpose(const struct infer *in, void *attributes);

#endif
