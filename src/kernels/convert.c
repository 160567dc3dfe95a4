#include "kernels/convert.h"

#include "base/half.h"
#include "kernels/vector.h"

#if VECTOR_X86
#include <immintrin.h>

/* Every processor with AVX2 has F16C; compilers do not all know how to ask for the latter. */

__attribute__((target("avx,f16c"))) static int64_t widen_f16c(const uint16_t *from, float *to,
                                                              int64_t count)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    return i;
}

__attribute__((target("avx,f16c"))) static int64_t narrow_f16c(const float *from, uint16_t *to,
                                                               int64_t count)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128((__m128i *)(to + i), half);
    }
    return i;
}

static int64_t widen_blocks(const uint16_t *from, float *to, int64_t count)
{
    return __builtin_cpu_supports("avx2") ? widen_f16c(from, to, count) : 0;
}

static int64_t narrow_blocks(const float *from, uint16_t *to, int64_t count)
{
    return __builtin_cpu_supports("avx2") ? narrow_f16c(from, to, count) : 0;
}
#else
static int64_t widen_blocks(const uint16_t *from, float *to, int64_t count)
{
    (void)from, (void)to, (void)count;
    return 0;
}

static int64_t narrow_blocks(const float *from, uint16_t *to, int64_t count)
{
    (void)from, (void)to, (void)count;
    return 0;
}
#endif

void half_widen(const uint16_t *from, float *to, int64_t count)
{
    for (int64_t i = widen_blocks(from, to, count); i < count; i++)
        to[i] = half_to_float(from[i]);
}

void half_narrow(const float *from, uint16_t *to, int64_t count)
{
    for (int64_t i = narrow_blocks(from, to, count); i < count; i++)
        to[i] = half_from_float(from[i]);
}

void nibbles_unpack(const uint8_t *from, int64_t first, int64_t count, bool is_signed, uint8_t *to)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t at = (uint64_t)(first + i);
        to[i] = is_signed ? (uint8_t)nibble_get_signed(from, at) : nibble_get(from, at);
    }
}

void nibbles_pack(const uint8_t *from, int64_t count, uint8_t *to)
{
    for (int64_t i = 0; i + 1 < count; i += 2)
        to[i / 2] = (uint8_t)((from[i] & 15) | (from[i + 1] << 4));
    if (count % 2)
        to[count / 2] = from[count - 1] & 15;
}
