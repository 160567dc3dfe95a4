/* Bits of the small float formats. Every conversion rounds once, to nearest even. */
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <stdint.h>

float half_to_float(uint16_t bits);
uint16_t half_from_float(float value);
/* One rounding from double, not two through float. */
uint16_t half_from_double(double value);

float bfloat16_to_float(uint16_t bits);
uint16_t bfloat16_from_float(float value);
uint16_t bfloat16_from_double(double value);

/* Reading only: float8 kinds of ONNX, e8m0 scale, e2m1 (low nibble of the argument). */
float float8_e4m3fn_to_float(uint8_t bits);
float float8_e4m3fnuz_to_float(uint8_t bits);
float float8_e5m2_to_float(uint8_t bits);
float float8_e5m2fnuz_to_float(uint8_t bits);
float float8_e8m0_to_float(uint8_t bits);
float float4_e2m1_to_float(uint8_t bits);

/* Low nibble first: element i of packed 4-bit data; int4 is two's complement. */
static inline uint8_t nibble_get(const uint8_t *data, uint64_t i)
{
    return (uint8_t)((data[i >> 1] >> ((i & 1) * 4)) & 15);
}

static inline int8_t nibble_get_signed(const uint8_t *data, uint64_t i)
{
    return (int8_t)((int8_t)(uint8_t)(nibble_get(data, i) << 4) >> 4);
}

static inline void nibble_set(uint8_t *data, uint64_t i, uint8_t bits)
{
    unsigned shift = (unsigned)(i & 1) * 4;
    data[i >> 1] = (uint8_t)((data[i >> 1] & ~(15u << shift)) | ((bits & 15u) << shift));
}

#endif
