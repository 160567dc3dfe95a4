/* Blocks of elements between storage and the dtype that kernels compute in. */
#ifndef KERNELS_CONVERT_H
#define KERNELS_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

/* float16 to float32, exactly. */
void half_widen(const uint16_t *from, float *to, int64_t count);
/* float32 to float16, to nearest even. */
void half_narrow(const float *from, uint16_t *to, int64_t count);
/* Elements of packed 4-bit data from `first` on, one per byte: sign-extended or not. */
void nibbles_unpack(const uint8_t *from, int64_t first, int64_t count, bool is_signed, uint8_t *to);
/* `count` bytes (low four bits of each) to packed data, from element 0; a spare nibble is 0. */
void nibbles_pack(const uint8_t *from, int64_t count, uint8_t *to);

#endif
