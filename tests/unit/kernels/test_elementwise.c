/* Arithmetic on two operands, rounding and sign on one: wrapping, zeros, NaN, broadcasting. */
#include "calls.h"

static void integers_wrap(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = TENSOR(&k, DTYPE_INT8, DIMS(3), 127, -128, 100);
    struct tensor b = TENSOR(&k, DTYPE_INT8, DIMS(3), 1, -1, 3);
    assert_values(binary(&k, WEBNN_ADD, a, b), -128, 127, 103);
    assert_values(binary(&k, WEBNN_SUB, b, a), -126, 127, -97);
    assert_values(binary(&k, WEBNN_MUL, a, b), 127, -128, 44);
    struct tensor u = TENSOR(&k, DTYPE_UINT16, DIMS(2), 65535, 0);
    struct tensor v = TENSOR(&k, DTYPE_UINT16, DIMS(2), 65535, 1);
    assert_values(binary(&k, WEBNN_MUL, u, v), 1, 0);
    assert_values(binary(&k, WEBNN_SUB, u, v), 0, 65535);
    struct tensor w = blank(&k, DTYPE_INT64, DIMS(1)), one = TENSOR(&k, DTYPE_INT64, DIMS(1), 1);
    tensor_put_i64(&w, 0, INT64_MAX);
    struct tensor sum = binary(&k, WEBNN_ADD, w, one);
    assert_true(tensor_get_i64(&sum, 0) == INT64_MIN);
    struct tensor square = binary(&k, WEBNN_MUL, w, w);
    assert_int_equal(tensor_get_i64(&square, 0), 1);
    kit_close(&k);
    (void)state;
}

static void integer_division_never_traps(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = TENSOR(&k, DTYPE_INT32, DIMS(5), 7, -7, 5, -2147483648.0, -9);
    struct tensor b = TENSOR(&k, DTYPE_INT32, DIMS(5), 2, 2, 0, -1, -4);
    assert_values(binary(&k, WEBNN_DIV, a, b), 3, -3, 0, -2147483648.0, 2);
    struct tensor c = TENSOR(&k, DTYPE_INT8, DIMS(2), -128, -128);
    struct tensor d = TENSOR(&k, DTYPE_INT8, DIMS(2), -1, 0);
    assert_values(binary(&k, WEBNN_DIV, c, d), -128, 0);
    struct tensor e = TENSOR(&k, DTYPE_UINT8, DIMS(2), 255, 200),
                  f = TENSOR(&k, DTYPE_UINT8, DIMS(2), 0, 255);
    assert_values(binary(&k, WEBNN_DIV, e, f), 0, 0);
    kit_close(&k);
    (void)state;
}

static void float_division_is_that_of_ieee(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = FLOATS(&k, DIMS(4), 1, -1, 0, 1);
    struct tensor b = FLOATS(&k, DIMS(4), 0, 0, 0, 3);
    assert_values(binary(&k, WEBNN_DIV, a, b), INFINITY, -INFINITY, NAN, (double)(1.0f / 3.0f));
    kit_close(&k);
    (void)state;
}

static void integer_powers_square_and_wrap(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = TENSOR(&k, DTYPE_INT32, DIMS(9), 3, -2, 2, 1, -1, -1, 0, 5, 0);
    struct tensor b = TENSOR(&k, DTYPE_INT32, DIMS(9), 4, 3, 31, -5, -3, -4, 0, -1, -2);
    assert_values(binary(&k, WEBNN_POW, a, b), 81, -8, -2147483648.0, 1, -1, 1, 1, 0, 0);
    struct tensor c = TENSOR(&k, DTYPE_UINT8, DIMS(2), 3, 2),
                  d = TENSOR(&k, DTYPE_UINT8, DIMS(2), 6, 8);
    assert_values(binary(&k, WEBNN_POW, c, d), 217, 0);
    struct tensor x = FLOATS(&k, DIMS(4), 2, -8, 4, NAN),
                  y = FLOATS(&k, DIMS(4), -1, 1.0 / 3, 0.5, 0);
    assert_values(binary(&k, WEBNN_POW, x, y), 0.5, NAN, 2, 1);
    kit_close(&k);
    (void)state;
}

static void nan_wins_and_zeros_have_an_order(void **state)
{
    struct kit k;
    kit_open(&k);
    const enum dtype floats[] = { DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16 };
    for (size_t i = 0; i < 3; i++) {
        struct tensor a = TENSOR(&k, floats[i], DIMS(6), NAN, 1, -0.0, 0, -0.0, 5);
        struct tensor b = TENSOR(&k, floats[i], DIMS(6), 1, NAN, 0, -0.0, -0.0, -3);
        assert_values(binary(&k, WEBNN_MAX, a, b), NAN, NAN, 0, 0, -0.0, 5);
        assert_values(binary(&k, WEBNN_MIN, a, b), NAN, NAN, -0.0, -0.0, -0.0, -3);
    }
    struct tensor a = TENSOR(&k, DTYPE_UINT64, DIMS(2), 1, 9),
                  b = TENSOR(&k, DTYPE_UINT64, DIMS(2), 2, 3);
    assert_values(binary(&k, WEBNN_MAX, a, b), 2, 9);
    assert_values(binary(&k, WEBNN_MIN, a, b), 1, 3);
    kit_close(&k);
    (void)state;
}

/* Element by element from coordinates. */
static void check_broadcast(struct kit *k, struct shape sa, struct shape sb)
{
    struct tensor a = noise(k, DTYPE_FLOAT32, sa, -9, 9), b = noise(k, DTYPE_FLOAT32, sb, -9, 9);
    struct tensor y = binary(k, WEBNN_SUB, a, b);
    int64_t stride_a[MAX_RANK], stride_b[MAX_RANK];
    tensor_strides(&a, stride_a);
    tensor_strides(&b, stride_b);
    for (uint64_t i = 0; i < tensor_count(&y); i++) {
        int64_t at_a = 0, at_b = 0;
        uint64_t rest = i;
        for (uint32_t d = y.rank; d-- > 0;) {
            int64_t index = (int64_t)(rest % (uint64_t)y.dims[d]);
            rest /= (uint64_t)y.dims[d];
            uint32_t back = y.rank - d;
            if (back <= a.rank && a.dims[a.rank - back] > 1)
                at_a += index * stride_a[a.rank - back];
            if (back <= b.rank && b.dims[b.rank - back] > 1)
                at_b += index * stride_b[b.rank - back];
        }
        float want = ((const float *)a.data)[at_a] - ((const float *)b.data)[at_b];
        assert_true(((const float *)y.data)[i] == want);
    }
}

static void operands_broadcast_both_ways(void **state)
{
    struct kit k;
    kit_open(&k);
    check_broadcast(&k, SCALAR, SCALAR);
    check_broadcast(&k, DIMS(3, 4), SCALAR);
    check_broadcast(&k, SCALAR, DIMS(3, 4));
    check_broadcast(&k, DIMS(5), DIMS(2, 3, 5));
    check_broadcast(&k, DIMS(2, 1, 4), DIMS(3, 1));
    check_broadcast(&k, DIMS(1, 7, 1, 5), DIMS(3, 1, 2, 1));
    check_broadcast(&k, DIMS(2, 3, 1, 1), DIMS(2, 3, 4, 5));
    check_broadcast(&k, DIMS(1, 1), DIMS(1));
    check_broadcast(&k, DIMS(2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1),
                    DIMS(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2));
    check_broadcast(&k, DIMS(300, 1, 400), DIMS(3, 1));
    kit_close(&k);
    (void)state;
}

static void empty_tensors_are_ordinary(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor none = blank(&k, DTYPE_FLOAT32, DIMS(0, 3)), row = FLOATS(&k, DIMS(3), 1, 2, 3);
    struct tensor sum = binary(&k, WEBNN_ADD, none, row), power = unary(&k, WEBNN_EXP, NULL, none);
    assert_int_equal(tensor_count(&sum), 0);
    assert_int_equal(tensor_count(&power), 0);
    kit_close(&k);
    (void)state;
}

static void signs_keep_the_least_integer(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = TENSOR(&k, DTYPE_INT8, DIMS(4), -128, -5, 0, 7);
    assert_values(unary(&k, WEBNN_ABS, NULL, x), -128, 5, 0, 7);
    assert_values(unary(&k, WEBNN_NEG, NULL, x), -128, 5, 0, -7);
    assert_values(unary(&k, WEBNN_SIGN, NULL, x), -1, -1, 0, 1);
    assert_values(unary(&k, WEBNN_RELU, NULL, x), 0, 0, 0, 7);
    struct tensor wide = blank(&k, DTYPE_INT64, DIMS(1));
    tensor_put_i64(&wide, 0, INT64_MIN);
    struct tensor abs = unary(&k, WEBNN_ABS, NULL, wide);
    assert_true(tensor_get_i64(&abs, 0) == INT64_MIN);
    kit_close(&k);
    (void)state;
}

static void float_signs_and_rounding(void **state)
{
    struct kit k;
    kit_open(&k);
    const enum dtype floats[] = { DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16 };
    for (size_t i = 0; i < 3; i++) {
        struct tensor x =
            TENSOR(&k, floats[i], DIMS(9), 2.5, 3.5, -2.5, -0.0, NAN, INFINITY, -0.4, -7.75, 0);
        assert_values(unary(&k, WEBNN_ROUND_EVEN, NULL, x), 2, 4, -2, -0.0, NAN, INFINITY, -0.0, -8,
                      0);
        assert_values(unary(&k, WEBNN_CEIL, NULL, x), 3, 4, -2, -0.0, NAN, INFINITY, -0.0, -7, 0);
        assert_values(unary(&k, WEBNN_FLOOR, NULL, x), 2, 3, -3, -0.0, NAN, INFINITY, -1, -8, 0);
        assert_values(unary(&k, WEBNN_ABS, NULL, x), 2.5, 3.5, 2.5, 0, NAN, INFINITY,
                      -tensor_get_double(&x, 6), 7.75, 0);
        assert_values(unary(&k, WEBNN_NEG, NULL, x), -2.5, -3.5, 2.5, 0, NAN, -INFINITY,
                      -tensor_get_double(&x, 6), 7.75, -0.0);
        assert_values(unary(&k, WEBNN_SIGN, NULL, x), 1, 1, -1, 0, NAN, 1, -1, -1, 0);
        assert_values(unary(&k, WEBNN_RELU, NULL, x), 2.5, 3.5, 0, 0, NAN, INFINITY, 0, 0, 0);
        struct tensor r = TENSOR(&k, floats[i], DIMS(4), 0, -0.0, 4, INFINITY);
        assert_values(unary(&k, WEBNN_RECIPROCAL, NULL, r), INFINITY, -INFINITY, 0.25, 0);
        struct tensor s = TENSOR(&k, floats[i], DIMS(4), 4, -1, -0.0, INFINITY);
        assert_values(unary(&k, WEBNN_SQRT, NULL, s), 2, NAN, -0.0, INFINITY);
    }
    kit_close(&k);
    (void)state;
}

static void float16_is_computed_wide_and_rounded_once(void **state)
{
    struct kit k;
    kit_open(&k);
    /* 2048 + 1 is a tie in float16; 1 + 2^-11 + 2^-11 is not, in float32 it is exact. */
    struct tensor a = TENSOR(&k, DTYPE_FLOAT16, DIMS(4), 2048, 65504, 60000, 5.960464477539063e-08);
    struct tensor b = TENSOR(&k, DTYPE_FLOAT16, DIMS(4), 1, 16, 60000, 5.960464477539063e-08);
    assert_values(binary(&k, WEBNN_ADD, a, b), 2048, INFINITY, INFINITY, 1.1920928955078125e-07);
    assert_values(binary(&k, WEBNN_MUL, b, b), 1, 256, INFINITY, 0);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_wrap),
        cmocka_unit_test(integer_division_never_traps),
        cmocka_unit_test(float_division_is_that_of_ieee),
        cmocka_unit_test(integer_powers_square_and_wrap),
        cmocka_unit_test(nan_wins_and_zeros_have_an_order),
        cmocka_unit_test(operands_broadcast_both_ways),
        cmocka_unit_test(empty_tensors_are_ordinary),
        cmocka_unit_test(signs_keep_the_least_integer),
        cmocka_unit_test(float_signs_and_rounding),
        cmocka_unit_test(float16_is_computed_wide_and_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
