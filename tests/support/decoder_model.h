/* A decoder as exporters write one: attention over a cache that grows, causal masks from positions. */
#ifndef SUPPORT_DECODER_MODEL_H
#define SUPPORT_DECODER_MODEL_H

#include "support/model_builder.h"

enum { DECODER_HEADS = 2, DECODER_HEAD_SIZE = 4, DECODER_VOCABULARY = 16 };

/* The graph of the model: input_ids and position_ids int64 [1, seq], past_key and past_value float32
 * [1, heads, past, head size] to logits [1, seq, vocabulary] and present_key, present_value
 * [1, heads, past + seq, head size]. Of opset 17 or later; weights are the same every time. */
void mb_decoder(struct model_builder *b);

#endif
