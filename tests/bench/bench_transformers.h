/* Transformers of the sizes that people run. */
#ifndef BENCH_TRANSFORMERS_H
#define BENCH_TRANSFORMERS_H

#include "support/model_builder.h"

/* A decoder with 4-bit weights and heads of 64 that share keys in fours: input_ids [batch_size, sequence_length],
 * attention_mask [batch_size, total_sequence_length], past_key_values.… [batch_size, shared heads,
 * past_sequence_length, 64] to logits and present.…. */
struct span bench_decoder(struct model_builder *b, int64_t layers, int64_t width);
/* An encoder in float32, x [1, 128, width] to y. `fused`: with the operators of the runtime's transformer
 * optimiser, else as it is exported. */
struct span bench_encoder(struct model_builder *b, int64_t layers, int64_t width, bool fused);

#endif
