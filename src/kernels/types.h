/* C types of the dtypes, and what every type has. */
#ifndef KERNELS_TYPES_H
#define KERNELS_TYPES_H

#include "kernels/types.def"
#include "kernels/vector.h"
#include "tensor/dtype.h"

#include <math.h>

/* Loops of this type exist for several instruction sets. */
#define CLONES_FLOAT32 VECTOR_CLONES
#define CLONES_FLOAT64
#define CLONES_INT8
#define CLONES_INT16
#define CLONES_INT32
#define CLONES_INT64
#define CLONES_UINT8
#define CLONES_UINT16
#define CLONES_UINT32
#define CLONES_UINT64

/* The least and the greatest value of each. */
#define LEAST_FLOAT32 -INFINITY
#define LEAST_FLOAT64 -INFINITY
#define LEAST_INT8    INT8_MIN
#define LEAST_INT16   INT16_MIN
#define LEAST_INT32   INT32_MIN
#define LEAST_INT64   INT64_MIN
#define LEAST_UINT8   0
#define LEAST_UINT16  0
#define LEAST_UINT32  0
#define LEAST_UINT64  0
#define MOST_FLOAT32  INFINITY
#define MOST_FLOAT64  INFINITY
#define MOST_INT8     INT8_MAX
#define MOST_INT16    INT16_MAX
#define MOST_INT32    INT32_MAX
#define MOST_INT64    INT64_MAX
#define MOST_UINT8    UINT8_MAX
#define MOST_UINT16   UINT16_MAX
#define MOST_UINT32   UINT32_MAX
#define MOST_UINT64   UINT64_MAX

/* larger_<name>, smaller_<name>: a NaN wins, and +0 is above -0. */
#define FLOAT_EXTREMES(op, ID, name, type, wide)          \
    static inline type larger_##name(type p, type q)      \
    {                                                     \
        type larger = p > q ? p : q;                      \
        larger = p == 0 && q == 0 ? p + q : larger;       \
        return p != p ? p : larger;                       \
    }                                                     \
    static inline type smaller_##name(type p, type q)     \
    {                                                     \
        type smaller = p < q ? p : q;                     \
        smaller = p == 0 && q == 0 ? -(-p - q) : smaller; \
        return p != p ? p : smaller;                      \
    }
#define INTEGER_EXTREMES(op, ID, name, type, wide)    \
    static inline type larger_##name(type p, type q)  \
    {                                                 \
        return p > q ? p : q;                         \
    }                                                 \
    static inline type smaller_##name(type p, type q) \
    {                                                 \
        return p < q ? p : q;                         \
    }
FLOAT_TYPES(FLOAT_EXTREMES, extremes)
INTEGER_TYPES(INTEGER_EXTREMES, extremes)
#undef FLOAT_EXTREMES
#undef INTEGER_EXTREMES

#endif
