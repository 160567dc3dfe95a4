/* Comparison: what passes, figures, exactness. Numbers of cases are those of the contract. */
#include "case.h"

#include "base/half.h"
#include "validate/carry.h"
#include "validate/compare.h"

#include <math.h>
#include <stdlib.h>

static const struct tolerance exact = { 0, 0 }, normal = { 1e-5, 1e-4 };

static struct tensor vector(enum dtype t, void *data, int64_t count)
{
    return (struct tensor){ .dtype = t, .rank = 1, .dims = { count }, .data = data };
}

static bool passes_float(float reference, float result)
{
    struct figures f;
    struct tensor r = vector(DTYPE_FLOAT32, &reference, 1), g = vector(DTYPE_FLOAT32, &result, 1);
    compare_values(&r, &g, &normal, &f);
    assert_int_equal(f.count, 1);
    assert_true(f.outside || f.max_normalized <= 1);
    return f.outside == 0;
}

static void case_26_float32_tolerance(void **state)
{
    (void)state;
    struct tolerances t;
    tolerances_init(&t, PROFILE_FLOAT32);
    assert_true(t.by_dtype[DTYPE_FLOAT32].absolute >= 1e-5);
    assert_true(passes_float(1.0f, 1.0001f));
    assert_false(passes_float(1.0f, 1.0002f));
    assert_true(passes_float(0.0f, -0.0f));
}

static void case_27_nan_and_infinity(void **state)
{
    (void)state;
    const float nan = (float)NAN, inf = (float)INFINITY;
    assert_true(passes_float(nan, nan));
    assert_false(passes_float(nan, 0));
    assert_false(passes_float(0, nan));
    assert_true(passes_float(inf, inf));
    assert_false(passes_float(inf, -inf));
    assert_false(passes_float(inf, 3.402823466e38f));
    assert_false(passes_float(1, inf));
}

static void case_28_int64_beyond_doubles(void **state)
{
    (void)state;
    struct figures f;
    int64_t a = 9007199254740993, b = 9007199254740992;
    struct tensor r = vector(DTYPE_INT64, &a, 1), g = vector(DTYPE_INT64, &b, 1);
    compare_values(&r, &g, &exact, &f);
    assert_int_equal(f.outside, 1);
    assert_int_equal(f.first_count, 1);
    assert_string_equal(f.first[0].reference, "9007199254740993");
    assert_string_equal(f.first[0].got, "9007199254740992");
    assert_true(f.first[0].absolute >= 1 && f.first[0].absolute <= 1);
    assert_true(isinf(f.max_normalized));
}

static void case_29_uint64_all_ones(void **state)
{
    (void)state;
    struct figures f;
    uint64_t a = UINT64_MAX, b = UINT64_MAX;
    struct tensor r = vector(DTYPE_UINT64, &a, 1), g = vector(DTYPE_UINT64, &b, 1);
    compare_values(&r, &g, &exact, &f);
    assert_int_equal(f.outside, 0);
    assert_true(f.max_normalized <= 0);
    b--;
    compare_values(&r, &g, &exact, &f);
    assert_int_equal(f.outside, 1);
}

static void case_31_float16_tolerance(void **state)
{
    (void)state;
    struct figures f;
    struct tolerances t;
    uint16_t one = half_from_float(1.0f), near = half_from_float(1.005f),
             far = half_from_float(1.02f);
    struct tensor r = vector(DTYPE_FLOAT16, &one, 1), g = vector(DTYPE_FLOAT16, &near, 1);
    tolerances_init(&t, PROFILE_FLOAT32);
    compare_values(&r, &g, &t.by_dtype[DTYPE_FLOAT16], &f);
    assert_int_equal(f.outside, 0);
    g.data = &far;
    compare_values(&r, &g, &t.by_dtype[DTYPE_FLOAT16], &f);
    assert_int_equal(f.outside, 1);
}

static void profiles_are_those_of_the_table(void **state)
{
    (void)state;
    struct tolerances t;
    tolerances_init(&t, PROFILE_Q4);
    assert_true(t.by_dtype[DTYPE_FLOAT64].absolute >= 1e-3 &&
                t.by_dtype[DTYPE_FLOAT64].relative <= 1e-3);
    tolerances_init(&t, PROFILE_Q8);
    assert_true(t.by_dtype[DTYPE_FLOAT32].absolute >= 2e-3 &&
                t.by_dtype[DTYPE_FLOAT32].relative <= 2e-3);
    assert_true(t.by_dtype[DTYPE_BFLOAT16].absolute >= 8e-3 &&
                t.by_dtype[DTYPE_BFLOAT16].relative <= 8e-2);
    assert_true(t.by_dtype[DTYPE_INT64].absolute <= 0 && t.by_dtype[DTYPE_BOOL].relative <= 0);
}

static void bools_are_0_or_1(void **state)
{
    (void)state;
    struct figures f;
    uint8_t a[] = { 0, 1, 1 }, b[] = { 0, 1, 2 };
    struct tensor r = vector(DTYPE_BOOL, a, 3), g = vector(DTYPE_UINT8, b, 3);
    compare_values(&r, &g, &exact, &f);
    assert_int_equal(f.outside, 1);
    assert_int_equal(f.first[0].index, 2);
}

static void figures_of_a_vector(void **state)
{
    (void)state;
    struct figures f;
    float a[] = { 3, 4, 0, 0 }, b[] = { 3, 4.5f, 0, (float)NAN };
    struct tensor r = vector(DTYPE_FLOAT32, a, 4), g = vector(DTYPE_FLOAT32, b, 4);
    r.rank = g.rank = 2;
    r.dims[0] = g.dims[0] = 2;
    r.dims[1] = g.dims[1] = 2;
    compare_values(&r, &g, &normal, &f);
    assert_int_equal(f.outside, 2);
    assert_int_equal(f.nan[0], 0);
    assert_int_equal(f.nan[1], 1);
    assert_true(isinf(f.max_abs) && isinf(f.max_normalized));
    assert_true(fabs(f.mean_abs - 0.5 / 3) < 1e-15);
    assert_true(fabs(f.rmse - sqrt(0.25 / 3)) < 1e-15);
    assert_true(fabs(f.cosine - (9 + 18) / (5 * sqrt(9 + 20.25))) < 1e-15);
    assert_int_equal(f.rows, 1); /* the row with the NaN is left out */
    assert_int_equal(f.same_top, 1);
}

static void zero_vectors_are_alike(void **state)
{
    (void)state;
    struct figures f;
    float a[] = { 0, 0 }, b[] = { 0, 0 };
    struct tensor r = vector(DTYPE_FLOAT32, a, 2), g = vector(DTYPE_FLOAT32, b, 2);
    compare_values(&r, &g, &normal, &f);
    assert_true(f.cosine >= 1 && f.cosine <= 1);
    r.dims[0] = g.dims[0] = 0;
    compare_values(&r, &g, &normal, &f);
    assert_int_equal(f.count, 0);
    assert_int_equal(f.outside, 0);
}

static void at_most_five_differences_are_kept(void **state)
{
    (void)state;
    struct figures f;
    int32_t a[20], b[20];
    for (int i = 0; i < 20; i++) {
        a[i] = i;
        b[i] = i % 2 ? -i : i;
    }
    struct tensor r = vector(DTYPE_INT32, a, 20), g = vector(DTYPE_INT32, b, 20);
    compare_values(&r, &g, &exact, &f);
    assert_int_equal(f.outside, 10);
    assert_int_equal(f.first_count, 5);
    assert_int_equal(f.first[4].index, 9);
    assert_string_equal(f.first[4].got, "-9");
}

static void values_with_the_fewest_digits(void **state)
{
    (void)state;
    char text[ELEMENT_TEXT];
    float f[] = { 0.1f, 3e-30f, (float)NAN, -(float)INFINITY };
    uint16_t h[] = { half_from_float(0.1f), half_from_float(65504), half_from_float(-0.0f) };
    double d = 0.1;
    struct tensor t = vector(DTYPE_FLOAT32, f, 4);
    const char *const texts[] = { "0.1", "3e-30", "NaN", "-Infinity" };
    for (uint64_t i = 0; i < 4; i++) {
        element_text(&t, i, text);
        assert_string_equal(text, texts[i]);
    }
    t = vector(DTYPE_FLOAT16, h, 3);
    element_text(&t, 0, text);
    assert_string_equal(text, "0.1");
    element_text(&t, 1, text);
    assert_int_equal(half_from_double(strtod(text, NULL)), h[1]);
    element_text(&t, 2, text);
    assert_string_equal(text, "-0");
    t = vector(DTYPE_FLOAT64, &d, 1);
    element_text(&t, 0, text);
    assert_string_equal(text, "0.1");
}

/* --- feeds in the graph's type ------------------------------------------------------------------------- */

static void integers_are_carried_exactly_or_refused(void **state)
{
    (void)state;
    struct diags d;
    int64_t a[] = { -1, 2147483647, 7, 5000000000 };
    int32_t b[4];
    struct tensor from = vector(DTYPE_INT64, a, 3), to = vector(DTYPE_INT32, b, 3);
    diags_init(&d, NULL);
    assert_ok(carry_feed("x", &from, false, &to, &d));
    assert_int_equal(b[1], 2147483647);
    from.dims[0] = to.dims[0] = 4;
    assert_status(carry_feed("x", &from, false, &to, &d), O2W_RANGE);
    assert_diag(&d, 0, DIAG_FEED_RANGE,
                "input 'x': value 5000000000 at index 3 does not fit int32 of the graph");
    uint32_t u[1];
    struct tensor unsigned_to = vector(DTYPE_UINT32, u, 1);
    from.dims[0] = 1;
    assert_status(carry_feed("x", &from, false, &unsigned_to, &d), O2W_RANGE);
    diags_free(&d);
}

static void doubles_are_rounded_with_a_warning(void **state)
{
    (void)state;
    struct diags d;
    double a[] = { 0.5, 0.1, 1e300 };
    float b[3];
    struct tensor from = vector(DTYPE_FLOAT64, a, 2), to = vector(DTYPE_FLOAT32, b, 2);
    diags_init(&d, NULL);
    assert_ok(carry_feed("x", &from, false, &to, &d));
    assert_int_equal(d.count, 0);
    assert_ok(carry_feed("x", &from, true, &to, &d));
    assert_int_equal(d.first->code, DIAG_FEED_ROUNDED);
    assert_true(b[1] == 0.1f);
    from.dims[0] = to.dims[0] = 3;
    assert_status(carry_feed("x", &from, true, &to, &d), O2W_RANGE);
    diags_free(&d);
}

static void pairs_of_types(void **state)
{
    (void)state;
    assert_true(carry_has_pair(DTYPE_BOOL, DTYPE_UINT8));
    assert_true(carry_has_pair(DTYPE_UINT4, DTYPE_UINT8));
    assert_true(carry_has_pair(DTYPE_INT64, DTYPE_UINT32));
    assert_false(carry_has_pair(DTYPE_INT64, DTYPE_FLOAT32));
    assert_false(carry_has_pair(DTYPE_FLOAT32, DTYPE_FLOAT16));
    assert_false(carry_has_pair(DTYPE_STRING, DTYPE_STRING));
    assert_false(carry_has_pair(DTYPE_COUNT, DTYPE_INT64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_26_float32_tolerance),
        cmocka_unit_test(case_27_nan_and_infinity),
        cmocka_unit_test(case_28_int64_beyond_doubles),
        cmocka_unit_test(case_29_uint64_all_ones),
        cmocka_unit_test(case_31_float16_tolerance),
        cmocka_unit_test(profiles_are_those_of_the_table),
        cmocka_unit_test(bools_are_0_or_1),
        cmocka_unit_test(figures_of_a_vector),
        cmocka_unit_test(zero_vectors_are_alike),
        cmocka_unit_test(at_most_five_differences_are_kept),
        cmocka_unit_test(values_with_the_fewest_digits),
        cmocka_unit_test(integers_are_carried_exactly_or_refused),
        cmocka_unit_test(doubles_are_rounded_with_a_warning),
        cmocka_unit_test(pairs_of_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
