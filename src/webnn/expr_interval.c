#include "base/checked.h"
#include "webnn/expr_private.h"

/* Ends saturate. A saturated end is still a bound, but what lies beyond it is unknown, so a minimum
 * of INT64_MIN and a maximum of INT64_MAX stay as they are under addition. */

static int64_t add_ends(int64_t a, int64_t b, int64_t unbounded)
{
    int64_t sum;
    if (a == unbounded || b == unbounded)
        return unbounded;
    if (add_i64(a, b, &sum))
        return sum;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

struct interval interval_add(struct interval a, struct interval b)
{
    return (struct interval){ add_ends(a.min, b.min, INT64_MIN),
                              add_ends(a.max, b.max, INT64_MAX) };
}

struct end {
    int64_t value;
    bool unbounded;
};

static int64_t multiply_ends(struct end a, struct end b)
{
    int64_t product;
    if (a.value == 0 || b.value == 0)
        return 0;
    if (!a.unbounded && !b.unbounded && mul_i64(a.value, b.value, &product))
        return product;
    return (a.value < 0) == (b.value < 0) ? INT64_MAX : INT64_MIN;
}

struct interval interval_mul(struct interval a, struct interval b)
{
    struct end as[2] = { { a.min, a.min == INT64_MIN }, { a.max, a.max == INT64_MAX } };
    struct end bs[2] = { { b.min, b.min == INT64_MIN }, { b.max, b.max == INT64_MAX } };
    struct interval r = { INT64_MAX, INT64_MIN };
    for (int i = 0; i < 4; i++) {
        int64_t v = multiply_ends(as[i / 2], bs[i % 2]);
        r.min = v < r.min ? v : r.min;
        r.max = v > r.max ? v : r.max;
    }
    return r;
}

int64_t floor_quotient(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

int64_t floor_remainder(int64_t a, int64_t b)
{
    int64_t r = b == -1 ? 0 : a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static int64_t magnitude(struct interval a)
{
    int64_t low = a.min == INT64_MIN ? INT64_MAX : -a.min;
    int64_t m = low > a.max ? low : a.max;
    return m < 0 ? 0 : m;
}

/* Where it is defined: 0 is cut from the ends of b. */
struct interval interval_floor_div(struct interval a, struct interval b)
{
    if (b.max <= 0 && b.min < 0 && b.min != INT64_MIN && a.min != INT64_MIN && a.max != INT64_MAX)
        return interval_floor_div((struct interval){ -a.max, -a.min },
                                  (struct interval){ -b.max, -b.min });
    if (b.min < 0) { /* |floor(a / b)| <= |a| for b != 0 */
        int64_t m = magnitude(a);
        return (struct interval){ m == INT64_MAX ? INT64_MIN : -m, m };
    }
    int64_t low = b.min < 1 ? 1 : b.min, high = b.max < 1 ? 1 : b.max;
    struct interval r = { INT64_MIN, INT64_MAX };
    if (a.min != INT64_MIN)
        r.min = floor_quotient(a.min, a.min < 0 ? low : high);
    if (a.max != INT64_MAX)
        r.max = floor_quotient(a.max, a.max < 0 ? high : low);
    return r;
}

struct interval interval_mod(struct interval a, struct interval b)
{
    if (b.min < 0) {
        int64_t m = magnitude(b);
        return (struct interval){ m == INT64_MAX ? INT64_MIN : -m, m };
    }
    int64_t high = b.max < 1 ? 0 : b.max == INT64_MAX ? INT64_MAX : b.max - 1;
    if (a.min >= 0 && a.max < high)
        high = a.max;
    return (struct interval){ 0, high };
}
