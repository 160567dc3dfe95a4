/* Arithmetic on sizes that says when it overflows: true = fits, *out set; false = *out unchanged. */
#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool add_size(size_t a, size_t b, size_t *out)
{
    size_t r;
    return __builtin_add_overflow(a, b, &r) ? false : (*out = r, true);
}

static inline bool mul_size(size_t a, size_t b, size_t *out)
{
    size_t r;
    return __builtin_mul_overflow(a, b, &r) ? false : (*out = r, true);
}

static inline bool add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t r;
    return __builtin_add_overflow(a, b, &r) ? false : (*out = r, true);
}

static inline bool mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? false : (*out = r, true);
}

static inline bool add_i64(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    return __builtin_add_overflow(a, b, &r) ? false : (*out = r, true);
}

static inline bool sub_i64(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    return __builtin_sub_overflow(a, b, &r) ? false : (*out = r, true);
}

static inline bool mul_i64(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? false : (*out = r, true);
}

#endif
