#include "base/half.h"

#include <math.h>
#include <string.h>

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The float next to `value` towards zero, with its lowest bit set unless it is exact. Rounding it
 * again to a format with at least two bits less gives what one rounding of `value` gives. */
static float round_to_odd(double value)
{
    float rounded = (float)value;
    if (isnan(value) || (double)rounded == value)
        return rounded;
    uint32_t bits = bits_of(rounded);
    if (fabs((double)rounded) > fabs(value))
        bits--;
    return float_of(bits | 1);
}

/* ---- float16 ---- */

float half_to_float(uint16_t bits)
{
    uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 0x3ffu;
    if (exponent == 31)
        return float_of(sign | 0x7f800000u | fraction << 13);
    if (exponent == 0) {
        float magnitude = (float)fraction * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    return float_of(sign | (exponent + 112) << 23 | fraction << 13);
}

uint16_t half_from_float(float value)
{
    uint32_t bits = bits_of(value), magnitude = bits & 0x7fffffffu;
    uint32_t sign = bits >> 16 & 0x8000u, result;
    if (magnitude > 0x7f800000u) {
        result = 0x7e00u | (magnitude >> 13 & 0x3ffu);
    } else if (magnitude >= 0x47800000u) { /* 65536 */
        result = 0x7c00u;
    } else if (magnitude < 0x38800000u) { /* 2^-14: the sum has the spacing of subnormal halves */
        result = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
    } else {
        uint32_t even = magnitude >> 13 & 1;
        result = (magnitude - 0x38000000u + 0xfffu + even) >> 13;
    }
    return (uint16_t)(sign | result);
}

uint16_t half_from_double(double value)
{
    return half_from_float(round_to_odd(value));
}

/* ---- bfloat16 ---- */

float bfloat16_to_float(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}

uint16_t bfloat16_from_float(float value)
{
    uint32_t bits = bits_of(value);
    if (isnan(value))
        return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

uint16_t bfloat16_from_double(double value)
{
    return bfloat16_from_float(round_to_odd(value));
}

/* ---- eight and four bits ---- */

/* Exponent of 7 - fraction_bits bits; no infinity here. */
static float small_float(uint8_t bits, int fraction_bits, int bias)
{
    int fraction = bits & ((1 << fraction_bits) - 1), exponent = (bits & 0x7f) >> fraction_bits;
    if (exponent == 0)
        exponent = 1;
    else
        fraction += 1 << fraction_bits;
    float magnitude = ldexpf((float)fraction, exponent - bias - fraction_bits);
    return bits & 0x80 ? -magnitude : magnitude;
}

float float8_e4m3fn_to_float(uint8_t bits)
{
    return (bits & 0x7f) == 0x7f ? float_of(0x7fc00000u | (bits & 0x80u) << 24)
                                 : small_float(bits, 3, 7);
}

float float8_e4m3fnuz_to_float(uint8_t bits)
{
    return bits == 0x80 ? NAN : small_float(bits, 3, 8);
}

float float8_e5m2_to_float(uint8_t bits)
{
    return half_to_float((uint16_t)(bits << 8));
}

float float8_e5m2fnuz_to_float(uint8_t bits)
{
    return bits == 0x80 ? NAN : small_float(bits, 2, 16);
}

float float8_e8m0_to_float(uint8_t bits)
{
    return bits == 0xff ? NAN : ldexpf(1.0f, bits - 127);
}

float float4_e2m1_to_float(uint8_t bits)
{
    static const float magnitudes[8] = { 0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f };
    float magnitude = magnitudes[bits & 7];
    return bits & 8 ? -magnitude : magnitude;
}
