/* float32 functions without branches or calls, so that loops over them become vector code. Errors
 * are given in units in the last place over all finite arguments; NaN gives NaN. */
#ifndef KERNELS_MATH32_H
#define KERNELS_MATH32_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* e^r - 1 for |r| <= 0.35. */
static inline float expm1_core(float r)
{
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    return p * (r * r) + r;
}

/* e^(x + rest), 2 units; subnormal results too. rest is what rounding took off x. */
static inline float exp_sum_float32(float x, float rest)
{
    const float to_integer = 12582912.0f; /* 1.5 * 2^23: adding it rounds to an integer */
    float c = x < -104.0f ? -104.0f : x;
    c = c > 89.0f ? 89.0f : c;
    float shifted = c * 1.44269504088896341f + to_integer;
    float n = shifted - to_integer;
    float r = c - n * 0.693359375f;
    r = r + (n * 2.12194440e-4f + rest);
    uint32_t exponent = bits_of_float(shifted) - bits_of_float(to_integer);
    uint32_t half = (uint32_t)((int32_t)exponent >> 1);
    float first = float_of_bits((half + 127u) << 23);
    float second = float_of_bits((exponent - half + 127u) << 23);
    return (expm1_core(r) + 1.0f) * first * second;
}

static inline float exp_float32(float x)
{
    return exp_sum_float32(x, 0);
}

/* e^(x - y), 2 units however far they are apart; y is no infinity unless x is one. */
static inline float exp_difference_float32(float x, float y)
{
    float difference = x - y;
    float back = difference - x;
    float rest = (x - (difference - back)) - (y + back);
    /* far apart, what was taken off is no small rest; the result is 0 or infinity anyhow */
    return exp_sum_float32(difference, fabsf(rest) < 1 ? rest : 0);
}

/* 1 / (1 + e^-x), 3 units; neither side overflows. */
static inline float sigmoid_float32(float x)
{
    float e = exp_float32(-fabsf(x));
    return (x < 0 ? e : 1.0f) / (1.0f + e);
}

/* A rational approximation, 7 units near 1, 3 below a half. */
static inline float tanh_float32(float x)
{
    float c = x < -7.90531110763549805f ? -7.90531110763549805f : x;
    c = c > 7.90531110763549805f ? 7.90531110763549805f : c;
    float s = c * c;
    float p = -2.76076847742355e-16f;
    p = p * s + 2.00018790482477e-13f;
    p = p * s - 8.60467152213735e-11f;
    p = p * s + 5.12229709037114e-08f;
    p = p * s + 1.48572235717979e-05f;
    p = p * s + 6.37261928875436e-04f;
    p = p * s + 4.89352455891786e-03f;
    float q = 1.19825839466702e-06f;
    q = q * s + 1.18534705686654e-04f;
    q = q * s + 2.26843463243900e-03f;
    q = q * s + 4.89352518554385e-03f;
    float t = c * p / q;
    return fabsf(x) < 0.0004f ? x : t;
}

#endif
