/* Elements from one type to another. Integers go through int64 or uint64, floats through double,
 * which holds every float kind exactly; so each conversion rounds at most once. */
#include "tensor/tensor.h"

#include "base/half.h"

#include <math.h>
#include <string.h>

/* Storage need not be aligned: elements are copied out and in. */
#define LOAD(TYPE, TARGET, EXPRESSION)                        \
    for (size_t i = 0; i < n; i++) {                          \
        TYPE x;                                               \
        memcpy(&x, bytes + (start + i) * sizeof x, sizeof x); \
        out[i] = (TARGET)(EXPRESSION);                        \
    }                                                         \
    return

#define STORE(TYPE, EXPRESSION)                               \
    for (size_t i = 0; i < n; i++) {                          \
        TYPE y = (TYPE)(EXPRESSION);                          \
        memcpy(bytes + (start + i) * sizeof y, &y, sizeof y); \
    }                                                         \
    return true

#define OTHER_DTYPES           \
    case DTYPE_FLOAT8E4M3FN:   \
    case DTYPE_FLOAT8E4M3FNUZ: \
    case DTYPE_FLOAT8E5M2:     \
    case DTYPE_FLOAT8E5M2FNUZ: \
    case DTYPE_FLOAT8E8M0:     \
    case DTYPE_FLOAT4E2M1:     \
    case DTYPE_INT2:           \
    case DTYPE_UINT2:          \
    case DTYPE_COMPLEX64:      \
    case DTYPE_COMPLEX128:     \
    case DTYPE_STRING:         \
    case DTYPE_COUNT:

static unsigned crumb(const uint8_t *bytes, uint64_t i)
{
    return ((unsigned)bytes[i >> 2] >> ((i & 3) * 2)) & 3u;
}

/* Signed kinds and bool (nonzero is 1). */
static void load_i64(const struct tensor *t, uint64_t start, size_t n, int64_t *out)
{
    const uint8_t *bytes = t->data;
    switch ((int)t->dtype) {
    case DTYPE_INT64: LOAD(int64_t, int64_t, x);
    case DTYPE_INT32: LOAD(int32_t, int64_t, x);
    case DTYPE_INT16: LOAD(int16_t, int64_t, x);
    case DTYPE_INT8: LOAD(int8_t, int64_t, x);
    case DTYPE_BOOL: LOAD(uint8_t, int64_t, x != 0);
    case DTYPE_INT4:
        for (size_t i = 0; i < n; i++)
            out[i] = nibble_get_signed(bytes, start + i);
        return;
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = (int64_t)(crumb(bytes, start + i) ^ 2u) - 2;
    }
}

static void load_u64(const struct tensor *t, uint64_t start, size_t n, uint64_t *out)
{
    const uint8_t *bytes = t->data;
    switch ((int)t->dtype) {
    case DTYPE_UINT64: LOAD(uint64_t, uint64_t, x);
    case DTYPE_UINT32: LOAD(uint32_t, uint64_t, x);
    case DTYPE_UINT16: LOAD(uint16_t, uint64_t, x);
    case DTYPE_UINT8: LOAD(uint8_t, uint64_t, x);
    case DTYPE_UINT4:
        for (size_t i = 0; i < n; i++)
            out[i] = nibble_get(bytes, start + i);
        return;
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = crumb(bytes, start + i);
    }
}

static void load_double(const struct tensor *t, uint64_t start, size_t n, double *out)
{
    const uint8_t *bytes = t->data;
    switch ((int)t->dtype) {
    case DTYPE_FLOAT64: LOAD(double, double, x);
    case DTYPE_FLOAT32: LOAD(float, double, x);
    case DTYPE_FLOAT16: LOAD(uint16_t, double, half_to_float(x));
    case DTYPE_BFLOAT16: LOAD(uint16_t, double, bfloat16_to_float(x));
    case DTYPE_FLOAT8E4M3FN: LOAD(uint8_t, double, float8_e4m3fn_to_float(x));
    case DTYPE_FLOAT8E4M3FNUZ: LOAD(uint8_t, double, float8_e4m3fnuz_to_float(x));
    case DTYPE_FLOAT8E5M2: LOAD(uint8_t, double, float8_e5m2_to_float(x));
    case DTYPE_FLOAT8E5M2FNUZ: LOAD(uint8_t, double, float8_e5m2fnuz_to_float(x));
    case DTYPE_FLOAT8E8M0: LOAD(uint8_t, double, float8_e8m0_to_float(x));
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = (double)float4_e2m1_to_float(nibble_get(bytes, start + i));
    }
}

/* A double for rounding to a shorter format: what does not fit into 53 bits leaves a last bit that
 * is set, so that the next rounding sees on which side of a tie the number lies. */
static double sticky_double(uint64_t magnitude, bool negative)
{
    if (magnitude >> 53) {
        unsigned drop = 11 - (unsigned)__builtin_clzll(magnitude);
        uint64_t kept = magnitude >> drop;
        bool lost = (kept << drop) != magnitude;
        magnitude = (kept | lost) << drop;
    }
    double d = (double)magnitude;
    return negative ? -d : d;
}

static double sticky_i64(int64_t x)
{
    return sticky_double(x < 0 ? (uint64_t)0 - (uint64_t)x : (uint64_t)x, x < 0);
}

static bool store_i64(struct tensor *t, uint64_t start, size_t n, const int64_t *in)
{
    uint8_t *bytes = t->data;
    switch (t->dtype) {
    case DTYPE_FLOAT64: STORE(double, in[i]);
    case DTYPE_FLOAT32: STORE(float, in[i]);
    case DTYPE_FLOAT16: STORE(uint16_t, half_from_double(sticky_i64(in[i])));
    case DTYPE_BFLOAT16: STORE(uint16_t, bfloat16_from_double(sticky_i64(in[i])));
    case DTYPE_INT64:
    case DTYPE_UINT64: STORE(uint64_t, in[i]);
    case DTYPE_INT32:
    case DTYPE_UINT32: STORE(uint32_t, in[i]);
    case DTYPE_INT16:
    case DTYPE_UINT16: STORE(uint16_t, in[i]);
    case DTYPE_INT8:
    case DTYPE_UINT8: STORE(uint8_t, in[i]);
    case DTYPE_BOOL: STORE(uint8_t, in[i] != 0);
    case DTYPE_INT4:
    case DTYPE_UINT4:
        for (size_t i = 0; i < n; i++)
            nibble_set(bytes, start + i, (uint8_t)((uint64_t)in[i] & 15u));
        return true;
        OTHER_DTYPES
        break;
    }
    return false;
}

static bool store_u64(struct tensor *t, uint64_t start, size_t n, const uint64_t *in)
{
    uint8_t *bytes = t->data;
    switch ((int)t->dtype) {
    case DTYPE_FLOAT64: STORE(double, in[i]);
    case DTYPE_FLOAT32: STORE(float, in[i]);
    case DTYPE_FLOAT16: STORE(uint16_t, half_from_double(sticky_double(in[i], false)));
    case DTYPE_BFLOAT16: STORE(uint16_t, bfloat16_from_double(sticky_double(in[i], false)));
    default: /* low bits: the same for both signs */
        return store_i64(t, start, n, (const int64_t *)in);
    }
}

/* Toward zero, clipped to the type's range; NaN is 0. Bounds are exact: 2^bits as a double. */
static int64_t double_to_signed(double x, unsigned bits)
{
    double limit = ldexp(1.0, (int)bits - 1);
    if (isnan(x))
        return 0;
    if (x >= limit)
        return (int64_t)(UINT64_MAX >> (65 - bits));
    return x <= -limit ? -(int64_t)(UINT64_MAX >> (65 - bits)) - 1 : (int64_t)x;
}

static uint64_t double_to_unsigned(double x, unsigned bits)
{
    if (!(x > 0))
        return 0;
    return x >= ldexp(1.0, (int)bits) ? UINT64_MAX >> (64 - bits) : (uint64_t)x;
}

static bool store_double(struct tensor *t, uint64_t start, size_t n, const double *in)
{
    uint8_t *bytes = t->data;
    switch (t->dtype) {
    case DTYPE_FLOAT64: STORE(double, in[i]);
    case DTYPE_FLOAT32: STORE(float, in[i]);
    case DTYPE_FLOAT16: STORE(uint16_t, half_from_double(in[i]));
    case DTYPE_BFLOAT16: STORE(uint16_t, bfloat16_from_double(in[i]));
    case DTYPE_INT64: STORE(int64_t, double_to_signed(in[i], 64));
    case DTYPE_INT32: STORE(int32_t, double_to_signed(in[i], 32));
    case DTYPE_INT16: STORE(int16_t, double_to_signed(in[i], 16));
    case DTYPE_INT8: STORE(int8_t, double_to_signed(in[i], 8));
    case DTYPE_UINT64: STORE(uint64_t, double_to_unsigned(in[i], 64));
    case DTYPE_UINT32: STORE(uint32_t, double_to_unsigned(in[i], 32));
    case DTYPE_UINT16: STORE(uint16_t, double_to_unsigned(in[i], 16));
    case DTYPE_UINT8: STORE(uint8_t, double_to_unsigned(in[i], 8));
    case DTYPE_BOOL: STORE(uint8_t, in[i] != 0);
    case DTYPE_INT4:
        for (size_t i = 0; i < n; i++)
            nibble_set(bytes, start + i, (uint8_t)((uint64_t)double_to_signed(in[i], 4) & 15u));
        return true;
    case DTYPE_UINT4:
        for (size_t i = 0; i < n; i++)
            nibble_set(bytes, start + i, (uint8_t)double_to_unsigned(in[i], 4));
        return true;
        OTHER_DTYPES
        break;
    }
    return false;
}

int64_t tensor_get_i64(const struct tensor *t, uint64_t index)
{
    int64_t x;
    if (dtype_info(t->dtype)->class == DTYPE_CLASS_UNSIGNED)
        return (int64_t)tensor_get_u64(t, index);
    load_i64(t, index, 1, &x);
    return x;
}

uint64_t tensor_get_u64(const struct tensor *t, uint64_t index)
{
    uint64_t x;
    load_u64(t, index, 1, &x);
    return x;
}

double tensor_get_double(const struct tensor *t, uint64_t index)
{
    double x;
    switch (dtype_info(t->dtype)->class) {
    case DTYPE_CLASS_SIGNED:
    case DTYPE_CLASS_BOOL: return (double)tensor_get_i64(t, index);
    case DTYPE_CLASS_UNSIGNED: return (double)tensor_get_u64(t, index);
    case DTYPE_CLASS_FLOAT:
    case DTYPE_CLASS_OTHER: break;
    }
    load_double(t, index, 1, &x);
    return x;
}

void tensor_put_i64(struct tensor *t, uint64_t index, int64_t value)
{
    store_i64(t, index, 1, &value);
}

void tensor_put_u64(struct tensor *t, uint64_t index, uint64_t value)
{
    store_u64(t, index, 1, &value);
}

void tensor_put_double(struct tensor *t, uint64_t index, double value)
{
    store_double(t, index, 1, &value);
}

static bool convert_block(const struct tensor *from, struct tensor *to, uint64_t start, size_t n)
{
    union {
        int64_t i[256];
        uint64_t u[256];
        double d[256];
    } block;
    switch (dtype_info(from->dtype)->class) {
    case DTYPE_CLASS_SIGNED:
    case DTYPE_CLASS_BOOL:
        load_i64(from, start, n, block.i);
        return store_i64(to, start, n, block.i);
    case DTYPE_CLASS_UNSIGNED:
        load_u64(from, start, n, block.u);
        return store_u64(to, start, n, block.u);
    case DTYPE_CLASS_FLOAT:
        load_double(from, start, n, block.d);
        return store_double(to, start, n, block.d);
    case DTYPE_CLASS_OTHER: break;
    }
    return false;
}

o2w_status tensor_convert(const struct tensor *from, struct tensor *to)
{
    uint64_t count = tensor_count(from);
    if (from->dtype == to->dtype && dtype_info(from->dtype)->bits != 0) {
        if (count != 0)
            memcpy(to->data, from->data, (size_t)tensor_bytes(from));
        return O2W_OK;
    }
    if (!convert_block(from, to, 0, 0)) /* whether the pair is known */
        return O2W_UNSUPPORTED;
    for (uint64_t start = 0; start < count; start += 256)
        convert_block(from, to, start, (size_t)(count - start < 256 ? count - start : 256));
    return O2W_OK;
}
