/* Functions of the error integral in float32, in the manner of math32.h. */
#ifndef KERNELS_ERF32_H
#define KERNELS_ERF32_H

#include "kernels/math32.h"

/* erfc(t) * e^(t*t) for t >= 0, 5 units up to t = 10.5. */
static inline float erfcx_core(float t)
{
    float u = 1.0f / (1.0f + 0.5f * t);
    float p = 0.010813520289957523f;
    p = p * u - 0.1154589056968689f;
    p = p * u + 0.4111025333404541f;
    p = p * u - 0.6470149755477905f;
    p = p * u + 0.4028581976890564f;
    p = p * u - 0.08886734396219254f;
    p = p * u + 0.22244291007518768f;
    p = p * u + 0.23926910758018494f;
    p = p * u + 0.28278711438179016f;
    p = p * u + 0.28206780552864075f;
    return p * u;
}

/* e^(-a*a*k) for a >= 0 and k a power of two: the square is cut into a part that is exact and a
 * rest, so that large arguments keep their last bits. */
static inline float exp_minus_square(float a, float k)
{
    float high = float_of_bits(bits_of_float(a) & 0xfffff000u);
    float rest = (a - high) * (a + high);
    return exp_float32(-(high * high) * k) * exp_float32(-rest * k);
}

static inline float erf_float32(float x)
{
    float a = fabsf(x);
    float s = x * x;
    float p = 8.185033220797777e-05f;
    p = p * s - 0.0008097687968984246f;
    p = p * s + 0.005196950398385525f;
    p = p * s - 0.026857703924179077f;
    p = p * s + 0.11283663660287857f;
    p = p * s - 0.37612631916999817f;
    p = p * s + 1.128379225730896f;
    float c = a > 10.0f ? 10.0f : a;
    float outer = 1.0f - erfcx_core(c) * exp_minus_square(c, 1.0f);
    float magnitude = a < 0.95f ? a * p : outer;
    return copysignf(magnitude, x);
}

/* x * (1 + erf(x / sqrt(2))) / 2, 8 units down to where it vanishes. */
static inline float gelu_float32(float x)
{
    float a = fabsf(x);
    float c = a > 14.8f ? 14.8f : a;
    float tail = 0.5f * erfcx_core(c * 0.70710678118654752f) * exp_minus_square(c, 0.5f);
    float part = x < 0 ? tail : 1.0f - tail;
    return x * part;
}

#endif
