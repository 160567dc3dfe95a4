/* Parts of transformers as exporters write them, with weights that look random. */
#ifndef SUPPORT_TRANSFORMER_PARTS_H
#define SUPPORT_TRANSFORMER_PARTS_H

#include "support/model_builder.h"

/* Numbers in 0 … 1: the same sequence from each start on. */
void noise_begin(void);
double noise(void);

/* An initializer of noise from low to high. */
void mb_noise(struct model_builder *b, const char *name, const int64_t *dims, size_t rank,
              double low, double high);
/* NAME_w and NAME_s: 4-bit weights and scales of a product from `in` to `out` columns; what it gives is about as
 * large as what it takes. */
void mb_packed_weight(struct model_builder *b, const char *name, int64_t in, int64_t out,
                      int64_t block);
/* MatMulNBits; inputs: "a NAME_w NAME_s". */
void mb_packed_product(struct model_builder *b, const char *inputs, const char *output, int64_t in,
                       int64_t out, int64_t block);
/* A normalization with its epsilon. */
void mb_norm(struct model_builder *b, const char *op, const char *domain, const char *inputs,
             const char *outputs);
/* cosine and sine [positions, half]. */
void mb_rotary_tables(struct model_builder *b, int64_t positions, int64_t half);
/* From attention_mask [batch, total] what GroupQueryAttention wants: seqlens and total. */
void mb_key_lengths(struct model_builder *b);
/* GroupQueryAttention with rotary positions from those: "qkv - - key value" to "y key value". */
void mb_group_attention(struct model_builder *b, const char *inputs, const char *outputs,
                        int64_t heads, int64_t shared);

#endif
