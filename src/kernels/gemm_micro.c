/* The inner kernels of matrix products. Accumulators live in registers; each step of k broadcasts
 * mr elements of A against nr of B. */
#include "kernels/gemm.h"
#include "kernels/vector.h"

#include <string.h>

#if VECTOR_X86
#include <immintrin.h>
#endif

#define UNROLL _Pragma("GCC unroll 16")

enum { LINES_AHEAD = 16, CACHE_LINE = 16 };

/* Lines of B that lie apart are not foreseen by the processor. */
static inline __attribute__((always_inline)) void fetch_ahead(const float *b, int64_t step,
                                                              int count)
{
    uintptr_t at = (uintptr_t)b + (uintptr_t)(LINES_AHEAD * step) * sizeof *b;
    UNROLL for (int i = 0; i < count; i += CACHE_LINE)
        __builtin_prefetch((const void *)(at + (uintptr_t)i * sizeof *b));
}

/* LOAD, STORE, SPLAT and FMA are those of the vector type. */
#define MICRO(NAME, TARGET, VECTOR, WIDTH, MR, NV, LOAD, STORE, SPLAT, FMA)                        \
    TARGET static void NAME(int64_t k, const float *a, const float *b, int64_t line_step,          \
                            float *c, int64_t row, enum gemm_start start, const float *rows)       \
    {                                                                                              \
        VECTOR sums[MR][NV];                                                                       \
        UNROLL for (int i = 0; i < MR; i++)                                                        \
        {                                                                                          \
            UNROLL for (int v = 0; v < NV; v++) sums[i][v] =                                       \
                start == GEMM_LOAD ? LOAD(c + i * row + v * WIDTH)                                 \
                                   : SPLAT(start == GEMM_ROWS ? rows[i] : 0.0f);                   \
        }                                                                                          \
        for (int64_t p = 0; p < k; p++) {                                                          \
            VECTOR line[NV];                                                                       \
            fetch_ahead(b, line_step, (NV) * (WIDTH));                                             \
            UNROLL for (int v = 0; v < NV; v++) line[v] = LOAD(b + v * WIDTH);                     \
            UNROLL for (int i = 0; i < MR; i++)                                                    \
            {                                                                                      \
                VECTOR factor = SPLAT(a[i]);                                                       \
                UNROLL for (int v = 0; v < NV; v++) sums[i][v] = FMA(factor, line[v], sums[i][v]); \
            }                                                                                      \
            a += MR;                                                                               \
            b += line_step;                                                                        \
        }                                                                                          \
        UNROLL for (int i = 0; i < MR; i++)                                                        \
        {                                                                                          \
            UNROLL for (int v = 0; v < NV; v++) STORE(c + i * row + v * WIDTH, sums[i][v]);        \
        }                                                                                          \
    }

typedef float vector4 __attribute__((vector_size(16)));

static inline vector4 load4(const float *from)
{
    vector4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store4(float *to, vector4 v)
{
    memcpy(to, &v, sizeof v);
}

#define SPLAT4(x)       ((vector4){ (x), (x), (x), (x) })
#define FMA4(p, q, sum) ((p) * (q) + (sum))
MICRO(micro_4x8, , vector4, 4, 4, 2, load4, store4, SPLAT4, FMA4)

#if VECTOR_X86
MICRO(micro_6x16, __attribute__((target("avx2,fma"))), __m256, 8, 6, 2, _mm256_loadu_ps,
      _mm256_storeu_ps, _mm256_set1_ps, _mm256_fmadd_ps)
MICRO(micro_12x32, __attribute__((target("avx512f"))), __m512, 16, 12, 2, _mm512_loadu_ps,
      _mm512_storeu_ps, _mm512_set1_ps, _mm512_fmadd_ps)
#endif

const struct gemm_micro *gemm_micro(void)
{
    static const struct gemm_micro plain = { 4, 8, micro_4x8 };
#if VECTOR_X86
    static const struct gemm_micro avx2 = { 6, 16, micro_6x16 }, avx512 = { 12, 32, micro_12x32 };
    if (__builtin_cpu_supports("avx512f"))
        return &avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
#endif
    return &plain;
}
