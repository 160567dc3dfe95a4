#include "wpt_compare.h"

#include <math.h>
#include <string.h>

static uint64_t bits_at(const struct tensor *t, uint64_t i)
{
    unsigned bits = dtype_info(t->dtype)->bits;
    uint64_t value = 0;
    if (bits < 8)
        return ((uint64_t)((const uint8_t *)t->data)[i * bits / 8] >> (i * bits % 8)) &
               ((1u << bits) - 1);
    memcpy(&value, (const uint8_t *)t->data + i * (bits / 8), bits / 8);
    return value;
}

/* Float32 bits as integers in the order of the values. */
static int64_t ordered(uint64_t bits)
{
    int64_t magnitude = (int64_t)(bits & 0x7fffffff);
    return bits >> 31 ? -magnitude : magnitude;
}

static double ulp_distance(const struct tensor *got, const struct tensor *want, uint64_t i)
{
    uint64_t a = bits_at(got, i), b = bits_at(want, i);
    double x = tensor_get_double(got, i), y = tensor_get_double(want, i);
    if (isnan(x) || isnan(y) || isinf(x) || isinf(y))
        return INFINITY;
    if (got->dtype == DTYPE_FLOAT32)
        return fabs((double)(ordered(a) - ordered(b)));
    return fabs((double)(int64_t)(a - b)); /* float16: of the raw bits */
}

static double integer_distance(const struct tensor *got, const struct tensor *want, uint64_t i)
{
    if (dtype_is_signed(got->dtype)) {
        int64_t a = tensor_get_i64(got, i), b = tensor_get_i64(want, i);
        return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
    }
    uint64_t a = tensor_get_u64(got, i), b = tensor_get_u64(want, i);
    return (double)(a > b ? a - b : b - a);
}

static double absolute_distance(const struct tensor *got, const struct tensor *want, uint64_t i)
{
    double distance = fabs(tensor_get_double(got, i) - tensor_get_double(want, i));
    return isnan(distance) ? INFINITY : distance;
}

static double element_distance(enum wpt_metric metric, const struct tensor *got,
                               const struct tensor *want, uint64_t i)
{
    if (metric == WPT_BITS)
        return bits_at(got, i) == bits_at(want, i) ? 0 : INFINITY;
    if (dtype_is_integer(got->dtype))
        return integer_distance(got, want, i);
    double x = tensor_get_double(got, i), y = tensor_get_double(want, i);
    if (x == y || (isnan(x) && isnan(y)))
        return 0;
    return metric == WPT_ULP ? ulp_distance(got, want, i) : absolute_distance(got, want, i);
}

struct wpt_worst wpt_distance(enum wpt_metric metric, const struct tensor *got,
                              const struct tensor *want)
{
    struct wpt_worst worst = { 0 };
    for (uint64_t i = 0; i < tensor_count(want); i++) {
        double distance = element_distance(metric, got, want, i);
        if (distance > worst.distance)
            worst = (struct wpt_worst){ i, distance, tensor_get_double(got, i),
                                        tensor_get_double(want, i) };
    }
    return worst;
}
