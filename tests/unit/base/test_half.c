#include "support/test.h"

#include "base/half.h"

#include <math.h>
#include <string.h>

/* The nearest number with `fraction_bits` bits behind the first one and exponents from `least` on,
 * computed in the plain way; ties to even. */
static double rounded(double value, int fraction_bits, int least)
{
    int exponent = value == 0 ? least : ilogb(value);
    if (exponent < least)
        exponent = least;
    double unit = ldexp(1, exponent - fraction_bits);
    return nearbyint(value / unit) * unit;
}

static double half_rounded(double value)
{
    double result = rounded(value, 10, -14);
    return fabs(result) > 65504 ? copysign((double)INFINITY, value) : result;
}

static double random_near_half(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    double value = ldexp(1 + (double)(*x >> 12) * 0x1p-52, (int)(*x % 46) - 28);
    return *x & 1024 ? -value : value;
}

static void every_half_comes_back(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        float value = half_to_float((uint16_t)bits);
        if (isnan(value)) {
            assert_true(isnan(half_to_float(half_from_float(value))));
            continue;
        }
        assert_int_equal(half_from_float(value), bits);
        assert_int_equal(half_from_double((double)value), bits);
    }
}

static void half_values_are_known(void **state)
{
    (void)state;
    assert_true(half_to_float(0x3c00) == 1.0f);
    assert_true(half_to_float(0x7bff) == 65504.0f);
    assert_true(half_to_float(0x0001) == 0x1p-24f);
    assert_true(half_to_float(0xfc00) == -INFINITY);
    assert_true(signbit(half_to_float(0x8000)));
    assert_true(isnan(half_to_float(0x7e00)));
}

static void floats_round_once_to_half(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 1000000; i++) {
        float value = (float)random_near_half(&x);
        assert_true((double)half_to_float(half_from_float(value)) == half_rounded((double)value));
    }
}

static void half_ties_go_to_even(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7bff; bits++) {
        double low = (double)half_to_float((uint16_t)bits),
               high = (double)half_to_float((uint16_t)(bits + 1));
        double middle = (low + high) / 2;
        uint32_t even = bits + (bits & 1);
        assert_int_equal(half_from_double(middle), even);
        assert_int_equal(half_from_float((float)middle), even);
        assert_int_equal(half_from_double(nextafter(middle, 1e9)), bits + 1);
        assert_int_equal(half_from_double(nextafter(middle, 0)), bits);
    }
}

static void half_overflow_begins_at_the_middle(void **state)
{
    (void)state;
    assert_int_equal(half_from_float(65519.996f), 0x7bff);
    assert_int_equal(half_from_float(65520.0f), 0x7c00);
    assert_int_equal(half_from_double(nextafter(65520.0, 0)), 0x7bff);
    assert_int_equal(half_from_double(-1e300), 0xfc00);
    assert_int_equal(half_from_double(1e-300), 0);
    assert_int_equal(half_from_double(-1e-300), 0x8000);
    assert_int_equal(half_from_double(0x1p-25), 0);
    assert_int_equal(half_from_double(nextafter(0x1p-25, 1)), 1);
    assert_true(isnan(half_to_float(half_from_double(NAN))));
}

static void every_bfloat16_comes_back(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        float value = bfloat16_to_float((uint16_t)bits);
        if (isnan(value)) {
            assert_true(isnan(bfloat16_to_float(bfloat16_from_float(value))));
            continue;
        }
        assert_int_equal(bfloat16_from_float(value), bits);
        assert_int_equal(bfloat16_from_double((double)value), bits);
    }
}

static void bfloat16_ties_go_to_even_in_one_rounding(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7f7f; bits++) {
        double low = (double)bfloat16_to_float((uint16_t)bits);
        double high = (double)bfloat16_to_float((uint16_t)(bits + 1));
        double middle = low + (high - low) / 2;
        assert_int_equal(bfloat16_from_double(middle), bits + (bits & 1));
        assert_int_equal(bfloat16_from_float((float)middle), bits + (bits & 1));
        /* So near that a float would take it for the middle itself. */
        assert_int_equal(bfloat16_from_double(nextafter(middle, 1e300)), bits + 1);
        assert_int_equal(bfloat16_from_double(nextafter(middle, 0)), bits);
    }
    assert_int_equal(bfloat16_from_double(1e300), 0x7f80);
    assert_int_equal(bfloat16_from_double(-3.4e38), 0xff80);
}

static void float8_values_are_those_of_their_tables(void **state)
{
    (void)state;
    assert_true(float8_e4m3fn_to_float(0x38) == 1.0f);
    assert_true(float8_e4m3fn_to_float(0x7e) == 448.0f);
    assert_true(float8_e4m3fn_to_float(0x01) == 0x1p-9f);
    assert_true(float8_e4m3fn_to_float(0x88) == -0x1p-6f);
    assert_true(isnan(float8_e4m3fn_to_float(0x7f)) && isnan(float8_e4m3fn_to_float(0xff)));
    assert_true(signbit(float8_e4m3fn_to_float(0x80)));

    assert_true(float8_e4m3fnuz_to_float(0x40) == 1.0f);
    assert_true(float8_e4m3fnuz_to_float(0x7f) == 240.0f);
    assert_true(float8_e4m3fnuz_to_float(0x01) == 0x1p-10f);
    assert_true(isnan(float8_e4m3fnuz_to_float(0x80)));

    assert_true(float8_e5m2_to_float(0x3c) == 1.0f);
    assert_true(float8_e5m2_to_float(0x7b) == 57344.0f);
    assert_true(float8_e5m2_to_float(0x01) == 0x1p-16f);
    assert_true(float8_e5m2_to_float(0xfc) == -INFINITY);
    assert_true(isnan(float8_e5m2_to_float(0x7d)));

    assert_true(float8_e5m2fnuz_to_float(0x40) == 1.0f);
    assert_true(float8_e5m2fnuz_to_float(0x7f) == 57344.0f);
    assert_true(float8_e5m2fnuz_to_float(0x01) == 0x1p-17f);
    assert_true(isnan(float8_e5m2fnuz_to_float(0x80)));
}

static void scales_are_powers_of_two(void **state)
{
    (void)state;
    assert_true(float8_e8m0_to_float(127) == 1.0f);
    assert_true(float8_e8m0_to_float(0) == 0x1p-127f);
    assert_true(float8_e8m0_to_float(254) == 0x1p127f);
    assert_true(isnan(float8_e8m0_to_float(255)));
}

static void float4_uses_the_low_nibble(void **state)
{
    (void)state;
    static const float values[8] = { 0, 0.5f, 1, 1.5f, 2, 3, 4, 6 };
    for (uint8_t i = 0; i < 8; i++) {
        assert_true(float4_e2m1_to_float(i) == values[i]);
        assert_true(float4_e2m1_to_float((uint8_t)(i | 8)) == -values[i]);
        assert_true(float4_e2m1_to_float((uint8_t)(i | 0xf0)) == values[i]);
    }
}

static void nibbles_lie_low_first(void **state)
{
    (void)state;
    uint8_t data[4] = { 0 };
    for (uint8_t i = 0; i < 8; i++)
        nibble_set(data, i, (uint8_t)(i + 6));
    assert_int_equal(data[0], 0x76);
    for (uint8_t i = 0; i < 8; i++) {
        assert_int_equal(nibble_get(data, i), i + 6);
        int wanted = i + 6 > 7 ? i + 6 - 16 : i + 6;
        assert_int_equal(nibble_get_signed(data, i), wanted);
    }
    nibble_set(data, 0, 0xff);
    assert_int_equal(data[0], 0x7f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_comes_back),
        cmocka_unit_test(half_values_are_known),
        cmocka_unit_test(floats_round_once_to_half),
        cmocka_unit_test(half_ties_go_to_even),
        cmocka_unit_test(half_overflow_begins_at_the_middle),
        cmocka_unit_test(every_bfloat16_comes_back),
        cmocka_unit_test(bfloat16_ties_go_to_even_in_one_rounding),
        cmocka_unit_test(float8_values_are_those_of_their_tables),
        cmocka_unit_test(scales_are_powers_of_two),
        cmocka_unit_test(float4_uses_the_low_nibble),
        cmocka_unit_test(nibbles_lie_low_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
