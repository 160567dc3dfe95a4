/* Small decoders with weights that look random. */
#ifndef GENERATE_DECODERS_H
#define GENERATE_DECODERS_H

#include "support/model_builder.h"

enum { VOCABULARY = 40, WIDTH = 32, HEAD = 16, LONGEST = 64 };

/* Heads that share keys, 4-bit weights, rotary positions. `total` is the size of the attention mask. */
struct span decoder_grouped(struct model_builder *b, const char *total);
/* Two branches that share their weights: with a cache, and without one. */
struct span decoder_merged(struct model_builder *b);

#endif
