/* float32 functions by way of float64, without branches or calls, so that loops over them become vector
 * code. The way in float64 leaves less than 0.01 units in the last place; the result is rounded once. */
#ifndef KERNELS_MATH64_H
#define KERNELS_MATH64_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ln x of a normal number above 0: x = 2^k m with m in [sqrt(1/2), sqrt(2)), and ln m by the series of
 * the inverse hyperbolic tangent of s = (m - 1) / (m + 1), |s| < 0.172. */
static inline double log_core(double x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
    uint64_t bits = bits_of_double(x) + (one - root_half);
    /* the exponent as a double, without a conversion of integers: 2^52 + its bits */
    double k = double_of_bits(0x4330000000000000 | (bits >> 52)) - (4503599627370496.0 + 1023.0);
    double m = double_of_bits((bits & 0x000fffffffffffff) + root_half);
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    return k * 0.69314718055994530942 + (2.0 * s + 2.0 * s * z * p);
}

/* A float32, subnormal ones too, is a normal float64. */
static inline float log_by_float64(float x)
{
    double y = log_core(x > 0 ? (double)x : 1.0);
    y = x == 0 ? -INFINITY : y;
    y = x > 3.402823466e38f ? (double)INFINITY : y;
    return (float)(x >= 0 ? y : (double)NAN);
}

/* ln(1 + t) for t in [0, 1]. */
static inline double log1p_core(double t)
{
    double near = t * (1.0 - t * (0.5 - t * (1.0 / 3 - t * 0.25)));
    return t < 1e-3 ? near : log_core(1.0 + t);
}

enum { CIRCLE_QUARTERS = 1 << 28 }; /* beyond it reduction needs more digits of pi than are here */

/* sin(x + quarters · pi/2) for |x| up to CIRCLE_QUARTERS · pi/2. */
static inline double sine_core(double x, uint64_t quarters)
{
    const double to_integer = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to an integer */
    double shifted = x * 0.63661977236758134308 + to_integer;
    double n = shifted - to_integer;
    /* pi/2 in parts: products with n are exact but for the last */
    double r = x - n * 1.57079625129699707031;
    r = r - n * 7.54978941586159635336e-8;
    r = r - n * 5.39030285815811905290e-15;
    uint64_t quarter = bits_of_double(shifted) + quarters;
    double z = r * r;
    double sine = -2.50521083854417187751e-8;
    sine = sine * z + 2.75573192239858906526e-6;
    sine = sine * z - 1.98412698412698412698e-4;
    sine = sine * z + 8.33333333333333333333e-3;
    sine = sine * z - 1.66666666666666666667e-1;
    sine = r * (1.0 + z * sine); /* keeps the sign of 0 */
    double cosine = 2.08767569878680989792e-9;
    cosine = cosine * z - 2.75573192239858906526e-7;
    cosine = cosine * z + 2.48015873015873015873e-5;
    cosine = cosine * z - 1.38888888888888888889e-3;
    cosine = cosine * z + 4.16666666666666666667e-2;
    cosine = (1.0 - 0.5 * z) + z * z * cosine;
    double chosen = (quarter & 1) ? cosine : sine;
    return double_of_bits(bits_of_double(chosen) ^ (quarter & 2) << 62);
}

#endif
