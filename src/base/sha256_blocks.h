/* The two ways to digest whole blocks of 64 bytes; equal results. */
#ifndef BASE_SHA256_BLOCKS_H
#define BASE_SHA256_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const uint32_t sha256_constants[64];

void sha256_blocks_portable(uint32_t state[8], const uint8_t *data, size_t count);

/* With the processor's SHA instructions, only where it has them. */
bool sha256_has_instructions(void);
void sha256_blocks_instructions(uint32_t state[8], const uint8_t *data, size_t count);

#endif
