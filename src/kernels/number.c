#include "kernels/number.h"

#include "base/half.h"

#include <math.h>
#include <string.h>

/* To the range of a signed type of `max`. */
static int64_t to_signed(struct webnn_number n, int64_t min, int64_t max)
{
    if (n.kind == WEBNN_NUMBER_UINT)
        return n.u > (uint64_t)max ? max : (int64_t)n.u;
    if (n.kind == WEBNN_NUMBER_INT)
        return n.i < min ? min : n.i > max ? max : n.i;
    double d = rint(n.d);
    if (d != d)
        return 0;
    return d >= (double)max ? max : d <= (double)min ? min : (int64_t)d;
}

static uint64_t to_unsigned(struct webnn_number n, uint64_t max)
{
    if (n.kind == WEBNN_NUMBER_INT)
        return n.i < 0 ? 0 : (uint64_t)n.i > max ? max : (uint64_t)n.i;
    if (n.kind == WEBNN_NUMBER_UINT)
        return n.u > max ? max : n.u;
    double d = rint(n.d);
    if (!(d > 0))
        return 0;
    return d >= (double)max ? max : (uint64_t)d;
}

static double to_double(struct webnn_number n)
{
    return n.kind == WEBNN_NUMBER_DOUBLE ? n.d
           : n.kind == WEBNN_NUMBER_INT  ? (double)n.i
                                         : (double)n.u;
}

/* One rounding from 64-bit integers, not two through double. */
static float to_float(struct webnn_number n)
{
    return n.kind == WEBNN_NUMBER_DOUBLE ? (float)n.d
           : n.kind == WEBNN_NUMBER_INT  ? (float)n.i
                                         : (float)n.u;
}

static void store_float(struct webnn_number n, enum dtype t, void *to)
{
    float f = to_float(n);
    double d = to_double(n);
    uint16_t half = t == DTYPE_BFLOAT16 ? bfloat16_from_double(d) : half_from_double(d);
    if (t == DTYPE_FLOAT32)
        memcpy(to, &f, sizeof f);
    else if (t == DTYPE_FLOAT64)
        memcpy(to, &d, sizeof d);
    else
        memcpy(to, &half, sizeof half);
}

void number_store(struct webnn_number n, enum dtype t, void *to)
{
    if (n.kind == WEBNN_NUMBER_NONE)
        return;
    if (dtype_is_float(t)) {
        store_float(n, t, to);
        return;
    }
    unsigned bits = dtype_info(t)->bits;
    size_t size = bits < 8 ? 1 : bits / 8;
    uint64_t value = dtype_is_signed(t) ? (uint64_t)to_signed(n, dtype_min(t), (int64_t)dtype_max(t))
                                        : to_unsigned(n, dtype_max(t));
    memcpy(to, &value, size); /* little endian */
}

void number_operand(const struct kernel_call *call, struct webnn_number n, enum dtype t, void *to)
{
    uint16_t half;
    if (n.kind == WEBNN_NUMBER_NONE || !call->halved || t != DTYPE_FLOAT32) {
        number_store(n, t, to);
        return;
    }
    number_store(n, DTYPE_FLOAT16, &half);
    float rounded = half_to_float(half);
    memcpy(to, &rounded, sizeof rounded);
}
