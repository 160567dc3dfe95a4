/* Text to numbers. */

#include "base/number.h"

#include "base/decimal.h"
#include "base/text.h"

#include <math.h>

static bool is_digit(struct span s, size_t i)
{
    return i < s.size && s.data[i] >= '0' && s.data[i] <= '9';
}

/* ---- integers ---- */

static o2w_status parse_digits(struct span s, size_t i, uint64_t *value)
{
    uint64_t result = 0;
    bool overflow = false;
    if (!is_digit(s, i))
        return O2W_FORMAT;
    for (; is_digit(s, i); i++) {
        overflow |= __builtin_mul_overflow(result, 10u, &result);
        overflow |= __builtin_add_overflow(result, (uint64_t)(s.data[i] - '0'), &result);
    }
    if (i != s.size)
        return O2W_FORMAT;
    if (overflow)
        return O2W_RANGE;
    *value = result;
    return O2W_OK;
}

o2w_status number_parse_u64(struct span text, uint64_t *value)
{
    return parse_digits(text, 0, value);
}

o2w_status number_parse_i64(struct span text, int64_t *value)
{
    bool negative = text.size && text.data[0] == '-';
    uint64_t magnitude = 0;
    o2w_status status = parse_digits(text, negative, &magnitude);
    if (status != O2W_OK)
        return status;
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return O2W_RANGE;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return O2W_OK;
}

/* ---- doubles ---- */

enum {
    DIGITS_KEPT = 800, /* more than the 767 that can matter for rounding */
    EXPONENT_BOUND = 100000000
};

/* The significant digits of a number: the text without sign, point, leading zeros. */
struct scan {
    char digits[DIGITS_KEPT + 24];
    int count;
    int64_t exponent; /* of the last digit kept */
    bool more;        /* a digit other than 0 was left out */
};

static void scan_digit(struct scan *d, uint8_t c, bool after_point)
{
    if (d->count == 0 && c == '0') {
        d->exponent -= after_point;
    } else if (d->count < DIGITS_KEPT) {
        d->digits[d->count++] = (char)c;
        d->exponent -= after_point;
    } else {
        d->more |= c != '0';
        d->exponent += !after_point;
    }
}

/* The digits from *i on; false when there are none. */
static bool scan_digits(struct scan *d, struct span s, size_t *i, bool after_point)
{
    if (!is_digit(s, *i))
        return false;
    for (; is_digit(s, *i); ++*i)
        scan_digit(d, s.data[*i], after_point);
    return true;
}

static bool scan_exponent(struct scan *d, struct span s, size_t *i)
{
    if (*i >= s.size || (s.data[*i] | 0x20) != 'e')
        return true;
    ++*i;
    bool negative = *i < s.size && s.data[*i] == '-';
    if (*i < s.size && (negative || s.data[*i] == '+'))
        ++*i;
    if (!is_digit(s, *i))
        return false;
    int64_t value = 0;
    for (; is_digit(s, *i); ++*i)
        if (value < EXPONENT_BOUND)
            value = value * 10 + (s.data[*i] - '0');
    d->exponent += negative ? -value : value;
    return true;
}

/* Everything behind the sign. */
static bool scan_number(struct scan *d, struct span s, size_t i)
{
    if (!scan_digits(d, s, &i, false))
        return false;
    if (i < s.size && s.data[i] == '.') {
        i++;
        if (!scan_digits(d, s, &i, true))
            return false;
    }
    return scan_exponent(d, s, &i) && i == s.size;
}

static double scan_value(struct scan *d)
{
    if (d->count == 0)
        return 0;
    if (d->count <= 19 && !d->more && d->exponent > -400 && d->exponent < 400) {
        struct decimal decimal = { .exponent = (int)d->exponent };
        for (int i = 0; i < d->count; i++)
            decimal.digits = decimal.digits * 10 + (uint64_t)(d->digits[i] - '0');
        return decimal_to_double(decimal);
    }
    /* A 1 behind the digits kept stands for all that were left out: only on which side of a tie
     * they are can matter. */
    int64_t exponent = d->exponent;
    if (d->more) {
        d->digits[d->count++] = '1';
        exponent--;
    }
    if (exponent > EXPONENT_BOUND || exponent < -EXPONENT_BOUND)
        exponent = exponent < 0 ? -EXPONENT_BOUND : EXPONENT_BOUND;
    text_format(d->digits + d->count, 20, "e%d", (int)exponent);
    return text_to_double(d->digits);
}

o2w_status number_parse_double(struct span text, double *value)
{
    struct scan d;
    d.count = 0;
    d.exponent = 0;
    d.more = false;
    bool negative = text.size && text.data[0] == '-';
    if (!scan_number(&d, text, negative))
        return O2W_FORMAT;
    double result = scan_value(&d);
    if (isinf(result))
        return O2W_RANGE;
    *value = negative ? -result : result;
    return O2W_OK;
}
