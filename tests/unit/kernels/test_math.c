/* Transcendental functions against the C library in double: units in the last place over all
 * exponents, domain errors, limits. */
#include "calls.h"

typedef double (*exact_function)(double x);

static double exact_sigmoid(double x)
{
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static double exact_softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double exact_gelu(double x)
{
    return x * 0.5 * erfc(-x / sqrt(2.0));
}

static double exact_elu(double x)
{
    return x >= 0 ? x : expm1(x);
}

/* Arguments of both signs: every exponent of float32 from 2^-40 to `top`, and an even grid. */
static struct tensor arguments(struct kit *k, double top, double grid)
{
    enum { EXPONENTS = 8000, GRID = 20000 };
    struct tensor x = blank(k, DTYPE_FLOAT32, DIMS(EXPONENTS + GRID));
    double low = log2(top) + 40;
    for (uint64_t i = 0; i < EXPONENTS; i++) {
        double magnitude = exp2(-40 + low * (double)(i / 2) / (EXPONENTS / 2 - 1));
        tensor_put_double(&x, i, i % 2 ? -magnitude : magnitude);
    }
    for (uint64_t i = 0; i < GRID; i++)
        tensor_put_double(&x, EXPONENTS + i, grid * (2.0 * (double)i / GRID - 1));
    return x;
}

static void check_units(struct kit *k, enum webnn_operator kind, const void *attributes,
                        exact_function exact, double top, double grid, double allowed)
{
    struct tensor x = arguments(k, top, grid), y = unary(k, kind, attributes, x);
    double worst = 0, at = 0;
    for (uint64_t i = 0; i < tensor_count(&x); i++) {
        double p = tensor_get_double(&x, i);
        double units = float_units(tensor_get_double(&y, i), exact(p));
        if (units > worst)
            worst = units, at = p;
    }
    if (worst > allowed) {
        print_error("%s: %g units off at %.9g\n", operator_row(kind)->name, worst, at);
        fail();
    }
}

static void float32_functions_stay_within_their_units(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_elu_attributes elu = { .alpha = 1 };
    check_units(&k, WEBNN_EXP, NULL, exp, 1e30, 110, 2);
    check_units(&k, WEBNN_SIGMOID, NULL, exact_sigmoid, 1e30, 110, 4);
    check_units(&k, WEBNN_TANH, NULL, tanh, 1e30, 10, 8);
    check_units(&k, WEBNN_ERF, NULL, erf, 1e30, 5, 5);
    check_units(&k, WEBNN_GELU, NULL, exact_gelu, 1e30, 15, 9);
    check_units(&k, WEBNN_SOFTPLUS, NULL, exact_softplus, 1e30, 110, 4);
    check_units(&k, WEBNN_ELU, &elu, exact_elu, 1e30, 90, 6);
    check_units(&k, WEBNN_SIN, NULL, sin, 1e30, 100, 1);
    check_units(&k, WEBNN_COS, NULL, cos, 1e30, 100, 1);
    check_units(&k, WEBNN_TAN, NULL, tan, 1e30, 100, 2);
    check_units(&k, WEBNN_LOG, NULL, log, 1e30, 100, 1);
    kit_close(&k);
    (void)state;
}

static void float64_functions_are_those_of_the_library(void **state)
{
    struct kit k;
    kit_open(&k);
    static const struct {
        enum webnn_operator kind;
        exact_function exact;
    } functions[] = { { WEBNN_EXP, exp },
                      { WEBNN_LOG, log },
                      { WEBNN_SIN, sin },
                      { WEBNN_COS, cos },
                      { WEBNN_TAN, tan },
                      { WEBNN_TANH, tanh },
                      { WEBNN_ERF, erf },
                      { WEBNN_SIGMOID, exact_sigmoid },
                      { WEBNN_SOFTPLUS, exact_softplus },
                      { WEBNN_GELU, exact_gelu } };
    struct tensor x = noise(&k, DTYPE_FLOAT64, DIMS(500), -20, 20);
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        struct tensor y = unary(&k, functions[f].kind, NULL, x);
        for (uint64_t i = 0; i < 500; i++)
            assert_near(tensor_get_double(&y, i), functions[f].exact(tensor_get_double(&x, i)),
                        1e-14, i);
    }
    kit_close(&k);
    (void)state;
}

static void ends_and_domain_errors(void **state)
{
    struct kit k;
    kit_open(&k);
    const enum dtype floats[] = { DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16 };
    for (size_t i = 0; i < 3; i++) {
        struct tensor x = TENSOR(&k, floats[i], DIMS(5), INFINITY, -INFINITY, NAN, 0, -0.0);
        assert_values(unary(&k, WEBNN_EXP, NULL, x), INFINITY, 0, NAN, 1, 1);
        assert_values(unary(&k, WEBNN_LOG, NULL, x), INFINITY, NAN, NAN, -INFINITY, -INFINITY);
        assert_values(unary(&k, WEBNN_SIGMOID, NULL, x), 1, 0, NAN, 0.5, 0.5);
        assert_values(unary(&k, WEBNN_TANH, NULL, x), 1, -1, NAN, 0, -0.0);
        assert_values(unary(&k, WEBNN_ERF, NULL, x), 1, -1, NAN, 0, -0.0);
        struct tensor sine = unary(&k, WEBNN_SIN, NULL, x),
                      plus = unary(&k, WEBNN_SOFTPLUS, NULL, x);
        assert_true(isnan(tensor_get_double(&sine, 0)) && isnan(tensor_get_double(&sine, 1)));
        assert_true(tensor_get_double(&plus, 0) == INFINITY && tensor_get_double(&plus, 1) == 0);
        assert_true(isnan(tensor_get_double(&plus, 2)));
    }
    kit_close(&k);
    (void)state;
}

static void large_arguments_do_not_overflow(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(4), 3e38, -3e38, 1000, -1000);
    struct tensor plus = unary(&k, WEBNN_SOFTPLUS, NULL, x);
    assert_values(unary(&k, WEBNN_SIGMOID, NULL, x), 1, 0, 1, 0);
    assert_true(tensor_get_double(&plus, 0) == (double)3e38f &&
                tensor_get_double(&plus, 2) == 1000);
    assert_true(tensor_get_double(&plus, 1) == 0 && tensor_get_double(&plus, 3) == 0);
    kit_close(&k);
    (void)state;
}

static void options_are_rounded_to_the_dtype(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_leaky_relu_attributes leaky = { .alpha = 0.01 };
    const struct webnn_linear_attributes line = { .alpha = 0.1, .beta = -0.3 };
    struct tensor x = FLOATS(&k, DIMS(2), -3, 2);
    assert_values(unary(&k, WEBNN_LEAKY_RELU, &leaky, x), (double)(0.01f * -3.0f), 2);
    assert_values(unary(&k, WEBNN_LINEAR, &line, x), (double)(0.1f * -3.0f + -0.3f),
                  (double)(0.1f * 2.0f + -0.3f));
    /* 0.01 is 0.01000213623046875 in float16; times -1 that is the result itself. */
    struct tensor half = TENSOR(&k, DTYPE_FLOAT16, DIMS(1), -1);
    assert_values(unary(&k, WEBNN_LEAKY_RELU, &leaky, half), -0.01000213623046875);
    struct tensor wide = TENSOR(&k, DTYPE_FLOAT64, DIMS(1), -3);
    assert_values(unary(&k, WEBNN_LEAKY_RELU, &leaky, wide), 0.01 * -3);
    kit_close(&k);
    (void)state;
}

static void piecewise_functions(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_hard_sigmoid_attributes hard = { .alpha = 0.25, .beta = 0.5 };
    const struct webnn_elu_attributes elu = { .alpha = 2 };
    struct tensor x = FLOATS(&k, DIMS(6), -4, -1, 0, 1, 4, NAN);
    assert_values(unary(&k, WEBNN_HARD_SIGMOID, &hard, x), 0, 0.25, 0.5, 0.75, 1, NAN);
    assert_values(unary(&k, WEBNN_HARD_SWISH, NULL, x), -0.0, (double)(-2.0f / 6.0f), 0,
                  (double)(4.0f / 6.0f), 4, NAN);
    assert_values(unary(&k, WEBNN_SOFTSIGN, NULL, x), (double)-0.8f, -0.5, 0, 0.5, (double)0.8f,
                  NAN);
    struct tensor y = unary(&k, WEBNN_ELU, &elu, x);
    assert_near(tensor_get_double(&y, 1), 2 * expm1(-1), 1e-7, 1);
    assert_true(tensor_get_double(&y, 4) == 4);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float32_functions_stay_within_their_units),
        cmocka_unit_test(float64_functions_are_those_of_the_library),
        cmocka_unit_test(ends_and_domain_errors),
        cmocka_unit_test(large_arguments_do_not_overflow),
        cmocka_unit_test(options_are_rounded_to_the_dtype),
        cmocka_unit_test(piecewise_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
