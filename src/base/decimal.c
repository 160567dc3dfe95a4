/* Shortest decimals by Raffaello Giulietti's Schubfach ("The Schubfach way to render doubles", 2021):
 * one 64 x 128 bit product per boundary of the rounding interval. */

#include "base/decimal.h"

#include "base/text.h"

#include <float.h>
#include <pthread.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* ---- powers of ten ---- */

enum { POWER_MIN = -292, POWER_MAX = 324, POWER_COUNT = POWER_MAX - POWER_MIN + 1 };

/* 10^e = g * 2^(floor(log2(10^e)) - 127), g rounded up to 128 bits with the highest set. */
struct power {
    uint64_t high, low;
};

static struct power powers[POWER_COUNT];
static pthread_once_t powers_once = PTHREAD_ONCE_INIT;

/* A natural number, least significant word first; `count` words are used. */
enum { BIG_WORDS = 40 };
struct big {
    uint32_t words[BIG_WORDS];
    int count;
};

static void big_multiply_by_5(struct big *b)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->words[i] * 5;
        b->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->words[b->count++] = (uint32_t)carry;
}

static void big_divide_by_5(struct big *b)
{
    uint64_t rest = 0;
    for (int i = b->count - 1; i >= 0; i--) {
        rest = rest << 32 | b->words[i];
        b->words[i] = (uint32_t)(rest / 5);
        rest %= 5;
    }
    while (b->words[b->count - 1] == 0)
        b->count--;
}

/* The highest 128 bits. *exact: the rest is zero. Numbers below have at least one word. */
static struct power big_top(const struct big *b, bool *exact)
{
    wide top = 0;
    int taken = b->count < 5 ? b->count : 5;
    unsigned shift = (unsigned)__builtin_clz(b->words[b->count - 1]);
    for (int i = 0; i < 4; i++)
        top = top << 32 | (i < taken ? b->words[b->count - 1 - i] : 0);
    uint32_t fifth = taken == 5 ? b->words[b->count - 5] : 0;
    if (shift)
        top = top << shift | fifth >> (32 - shift);
    *exact = (uint32_t)(fifth << shift) == 0;
    for (int i = 0; i + 5 < b->count; i++)
        *exact &= b->words[i] == 0;
    return (struct power){ (uint64_t)(top >> 64), (uint64_t)top };
}

static void power_set(int exponent, struct power g, bool exact)
{
    if (!exact && ++g.low == 0)
        g.high++;
    powers[exponent - POWER_MIN] = g;
}

/* 10^e and 5^e have the same bits, and floor(floor(n / 5) / 5) = floor(n / 25). */
static void make_powers(void)
{
    bool exact;
    struct big b = { .words = { 1 }, .count = 1 };
    for (int e = 0; e <= POWER_MAX; e++, big_multiply_by_5(&b)) {
        struct power g = big_top(&b, &exact);
        power_set(e, g, exact);
    }
    b = (struct big){ .count = BIG_WORDS };
    b.words[BIG_WORDS - 1] = 1;
    for (int e = -1; e >= POWER_MIN; e--) {
        big_divide_by_5(&b);
        power_set(e, big_top(&b, &exact), false);
    }
}

/* ---- logarithms of powers, exact in the range of doubles ---- */

static int floor_shift(int64_t value, unsigned bits)
{
    return (int)(value >= 0 ? value >> bits : -((-value + (INT64_C(1) << bits) - 1) >> bits));
}

static int floor_log2_of_power_of_10(int e)
{
    return floor_shift((int64_t)e * 1741647, 19);
}

static int floor_log10_of_power_of_2(int e)
{
    return floor_shift((int64_t)e * 1262611, 22);
}

static int floor_log10_of_three_quarters_of_power_of_2(int e)
{
    return floor_shift((int64_t)e * 1262611 - 524031, 22);
}

/* ---- shortest digits ---- */

/* g * c / 2^128, with the lowest bit set when anything was cut off. */
static uint64_t round_to_odd(struct power g, uint64_t c)
{
    wide low = (wide)g.low * c, high = (wide)g.high * c;
    wide sum = high + (uint64_t)(low >> 64);
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

static struct decimal without_trailing_zeros(uint64_t digits, int exponent)
{
    while (digits && digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    return (struct decimal){ digits, digits ? exponent : 0 };
}

/* The decimal in the rounding interval of c * 2^q. `closer`: the neighbour below is only half as
 * far away as the one above. All quantities are four times the number at scale 10^k. */
static struct decimal shortest(uint64_t c, int q, bool closer)
{
    pthread_once(&powers_once, make_powers);
    int k = closer ? floor_log10_of_three_quarters_of_power_of_2(q) : floor_log10_of_power_of_2(q);
    unsigned h = (unsigned)(q + floor_log2_of_power_of_10(-k) + 1);
    struct power g = powers[-k - POWER_MIN];
    uint64_t odd = c & 1; /* ties go to even: only then the boundaries belong to the interval */
    uint64_t below = round_to_odd(g, (4 * c - 2 + closer) << h) + odd;
    uint64_t exact = round_to_odd(g, (4 * c) << h);
    uint64_t above = round_to_odd(g, (4 * c + 2) << h) - odd;

    uint64_t s = exact / 4, tens = s / 10;
    bool down = below <= 40 * tens, up = 40 * tens + 40 <= above;
    if (s >= 10 && down != up)
        return without_trailing_zeros(tens + up, k + 1);
    down = below <= 4 * s;
    up = 4 * s + 4 <= above;
    if (down != up)
        return without_trailing_zeros(s + up, k);
    uint64_t middle = 4 * s + 2;
    bool round_up = exact > middle || (exact == middle && (s & 1));
    return without_trailing_zeros(s + round_up, k);
}

struct decimal decimal_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & 0xfffffffffffffu;
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0)
        return fraction ? shortest(fraction, -1074, false) : (struct decimal){ 0 };
    return shortest(fraction | UINT64_C(1) << 52, exponent - 1075, fraction == 0 && exponent > 1);
}

struct decimal decimal_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t fraction = bits & 0x7fffffu;
    int exponent = (int)(bits >> 23 & 0xff);
    if (exponent == 0)
        return fraction ? shortest(fraction, -149, false) : (struct decimal){ 0 };
    return shortest(fraction | UINT32_C(1) << 23, exponent - 150, fraction == 0 && exponent > 1);
}

/* ---- back ---- */

static const double exact_powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* Both factors are exact doubles, so that one operation rounds once. */
static bool in_one_step(struct decimal d, double *value)
{
    if (FLT_EVAL_METHOD != 0 || d.digits > UINT64_C(1) << 53 || d.exponent < -22 || d.exponent > 22)
        return false;
    double digits = (double)d.digits;
    *value =
        d.exponent < 0 ? digits / exact_powers[-d.exponent] : digits * exact_powers[d.exponent];
    return true;
}

double decimal_to_double(struct decimal d)
{
    double value;
    if (in_one_step(d, &value))
        return value;
    char text[40];
    text_format(text, sizeof text, "%llue%d", (unsigned long long)d.digits, d.exponent);
    return text_to_double(text);
}
