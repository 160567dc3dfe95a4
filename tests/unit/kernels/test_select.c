/* Comparisons, logic, clamp, where, prelu, cast. */
#include "calls.h"

static struct tensor compare(struct kit *k, enum webnn_operator kind, struct tensor a,
                             struct tensor b)
{
    struct shape s;
    assert_true(broadcast_static(a.dims, a.rank, b.dims, b.rank, s.dims, &s.rank));
    return result_of(k, kind, NULL, DTYPE_UINT8, s, &a, &b, NULL);
}

static void comparisons_give_0_and_1(void **state)
{
    struct kit k;
    kit_open(&k);
    const enum dtype kinds[] = { DTYPE_INT8,    DTYPE_INT32,   DTYPE_UINT64,
                                 DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_FLOAT64 };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct tensor a = TENSOR(&k, kinds[i], DIMS(3), 1, 2, 3),
                      b = TENSOR(&k, kinds[i], DIMS(1), 2);
        assert_values(compare(&k, WEBNN_EQUAL, a, b), 0, 1, 0);
        assert_values(compare(&k, WEBNN_NOT_EQUAL, a, b), 1, 0, 1);
        assert_values(compare(&k, WEBNN_GREATER, a, b), 0, 0, 1);
        assert_values(compare(&k, WEBNN_GREATER_OR_EQUAL, a, b), 0, 1, 1);
        assert_values(compare(&k, WEBNN_LESSER, b, a), 0, 0, 1);
        assert_values(compare(&k, WEBNN_LESSER_OR_EQUAL, a, b), 1, 1, 0);
    }
    kit_close(&k);
    (void)state;
}

static void wide_integers_compare_exactly(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = blank(&k, DTYPE_UINT64, DIMS(1)), b = blank(&k, DTYPE_UINT64, DIMS(1));
    tensor_put_u64(&a, 0, UINT64_MAX);
    tensor_put_u64(&b, 0, UINT64_MAX - 1);
    assert_values(compare(&k, WEBNN_GREATER, a, b), 1);
    assert_values(compare(&k, WEBNN_EQUAL, a, b), 0);
    kit_close(&k);
    (void)state;
}

static void nan_is_only_not_equal(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = FLOATS(&k, DIMS(2), NAN, 0), b = FLOATS(&k, DIMS(2), NAN, -0.0);
    assert_values(compare(&k, WEBNN_EQUAL, a, b), 0, 1);
    assert_values(compare(&k, WEBNN_NOT_EQUAL, a, b), 1, 0);
    assert_values(compare(&k, WEBNN_GREATER_OR_EQUAL, a, b), 0, 1);
    assert_values(compare(&k, WEBNN_LESSER, a, b), 0, 0);
    struct tensor x = FLOATS(&k, DIMS(4), NAN, INFINITY, -INFINITY, 3e38);
    assert_values(result_of(&k, WEBNN_IS_NAN, NULL, DTYPE_UINT8, DIMS(4), &x, NULL, NULL), 1, 0, 0,
                  0);
    assert_values(result_of(&k, WEBNN_IS_INFINITE, NULL, DTYPE_UINT8, DIMS(4), &x, NULL, NULL), 0,
                  1, 1, 0);
    kit_close(&k);
    (void)state;
}

static void every_nonzero_byte_is_true(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = TENSOR(&k, DTYPE_UINT8, DIMS(4), 0, 7, 0, 255),
                  b = TENSOR(&k, DTYPE_UINT8, DIMS(4), 0, 0, 2, 1);
    assert_values(compare(&k, WEBNN_LOGICAL_AND, a, b), 0, 0, 0, 1);
    assert_values(compare(&k, WEBNN_LOGICAL_OR, a, b), 0, 1, 1, 1);
    assert_values(compare(&k, WEBNN_LOGICAL_XOR, a, b), 0, 1, 1, 0);
    assert_values(unary(&k, WEBNN_LOGICAL_NOT, NULL, a), 1, 0, 1, 0);
    struct tensor yes = FLOATS(&k, DIMS(4), 1, 2, 3, 4), no = FLOATS(&k, SCALAR, 9);
    assert_values(result_of(&k, WEBNN_WHERE, NULL, DTYPE_FLOAT32, DIMS(4), &a, &yes, &no), 9, 2, 9,
                  4);
    kit_close(&k);
    (void)state;
}

static void where_broadcasts_and_keeps_bits(void **state)
{
    struct kit k;
    kit_open(&k);
    const enum dtype kinds[] = { DTYPE_INT8,  DTYPE_FLOAT16, DTYPE_INT32,
                                 DTYPE_INT64, DTYPE_FLOAT64, DTYPE_BOOL };
    struct tensor condition = TENSOR(&k, DTYPE_UINT8, DIMS(2, 1), 1, 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct tensor yes = TENSOR(&k, kinds[i], DIMS(3), 1, 0, 1),
                      no = TENSOR(&k, kinds[i], DIMS(2, 1), 0, 1);
        assert_values(result_of(&k, WEBNN_WHERE, NULL, kinds[i], DIMS(2, 3), &condition, &yes, &no),
                      1, 0, 1, 1, 1, 1);
    }
    struct tensor nan = blank(&k, DTYPE_FLOAT32, SCALAR), zero = FLOATS(&k, SCALAR, 0);
    *(uint32_t *)nan.data = 0xffa00001;
    struct tensor one = TENSOR(&k, DTYPE_UINT8, SCALAR, 1);
    struct tensor y = result_of(&k, WEBNN_WHERE, NULL, DTYPE_FLOAT32, SCALAR, &one, &nan, &zero);
    assert_int_equal(*(uint32_t *)y.data, 0xffa00001);
    kit_close(&k);
    (void)state;
}

#define NUMBER_INT(x)                      \
    {                                      \
        .kind = WEBNN_NUMBER_INT, .i = (x) \
    }
#define NUMBER_UINT(x)                      \
    {                                       \
        .kind = WEBNN_NUMBER_UINT, .u = (x) \
    }
#define NUMBER_DOUBLE(x)                      \
    {                                         \
        .kind = WEBNN_NUMBER_DOUBLE, .d = (x) \
    }

static void clamp_is_min_of_max(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_clamp_attributes both = { NUMBER_INT(-1), NUMBER_DOUBLE(2.5) };
    const struct webnn_clamp_attributes low = { .min_value = NUMBER_DOUBLE(0.1) };
    const struct webnn_clamp_attributes none = { .min_value = { .kind = WEBNN_NUMBER_NONE } };
    struct tensor x = FLOATS(&k, DIMS(5), -5, 0, 9, NAN, INFINITY);
    assert_values(unary(&k, WEBNN_CLAMP, &both, x), -1, 0, 2.5, NAN, 2.5);
    assert_values(unary(&k, WEBNN_CLAMP, &none, x), -5, 0, 9, NAN, INFINITY);
    assert_values(unary(&k, WEBNN_CLAMP, &low, x), (double)0.1f, (double)0.1f, 9, NAN, INFINITY);
    struct tensor half = TENSOR(&k, DTYPE_FLOAT16, DIMS(2), -5, 7);
    assert_values(unary(&k, WEBNN_CLAMP, &low, half), 0.0999755859375, 7);
    kit_close(&k);
    (void)state;
}

static void clamp_bounds_saturate_into_the_dtype(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_clamp_attributes high = { .max_value = NUMBER_INT(-1) };
    const struct webnn_clamp_attributes above = { .min_value = NUMBER_UINT(9223372036854775820u) };
    const struct webnn_clamp_attributes part = { .min_value = NUMBER_DOUBLE(3.9) };
    struct tensor bytes = TENSOR(&k, DTYPE_UINT8, DIMS(2), 200, 0);
    assert_values(unary(&k, WEBNN_CLAMP, &high, bytes), 0, 0);
    struct tensor wide = TENSOR(&k, DTYPE_INT64, DIMS(1), 5);
    struct tensor y = unary(&k, WEBNN_CLAMP, &above, wide);
    assert_true(tensor_get_i64(&y, 0) == INT64_MAX);
    struct tensor small = TENSOR(&k, DTYPE_INT64, DIMS(2), -1, 4);
    assert_values(unary(&k, WEBNN_CLAMP, &part, small), 3, 4);
    kit_close(&k);
    (void)state;
}

static void prelu_broadcasts_the_slope_both_ways(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(2, 1), -2, 3), slope = FLOATS(&k, DIMS(3), 0.5, 2, -1);
    assert_values(binary(&k, WEBNN_PRELU, x, slope), -1, -4, 2, 3, 3, 3);
    struct tensor i = TENSOR(&k, DTYPE_INT8, DIMS(2), -100, 5),
                  s = TENSOR(&k, DTYPE_INT8, DIMS(1), 2);
    assert_values(binary(&k, WEBNN_PRELU, i, s), 56, 5);
    kit_close(&k);
    (void)state;
}

static struct tensor cast(struct kit *k, struct tensor x, enum dtype to)
{
    const struct webnn_cast_attributes p = { .to = (uint32_t)to };
    return result_of(k, WEBNN_CAST, &p, to, shape_of(&x), &x, NULL, NULL);
}

static void casts_truncate_saturate_and_wrap(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(6), 2.9, -2.9, 300, -300, NAN, INFINITY);
    assert_values(cast(&k, x, DTYPE_INT8), 2, -2, 127, -128, 0, 127);
    assert_values(cast(&k, x, DTYPE_UINT8), 2, 0, 255, 0, 0, 255);
    struct tensor wide = TENSOR(&k, DTYPE_INT32, DIMS(3), 257, -1, 128);
    assert_values(cast(&k, wide, DTYPE_UINT8), 1, 255, 128);
    assert_values(cast(&k, wide, DTYPE_INT8), 1, -1, -128);
    struct tensor big = FLOATS(&k, DIMS(3), 65519, 65520, 1e-8);
    assert_values(cast(&k, big, DTYPE_FLOAT16), 65504, INFINITY, 0);
    struct tensor odd = blank(&k, DTYPE_UINT64, DIMS(1));
    tensor_put_u64(&odd, 0,
                   (UINT64_C(1) << 60) + (UINT64_C(1) << 36) + 1); /* above a tie of float32 */
    assert_values(cast(&k, odd, DTYPE_FLOAT32), 0x1.000002p60);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_give_0_and_1),
        cmocka_unit_test(wide_integers_compare_exactly),
        cmocka_unit_test(nan_is_only_not_equal),
        cmocka_unit_test(every_nonzero_byte_is_true),
        cmocka_unit_test(where_broadcasts_and_keeps_bits),
        cmocka_unit_test(clamp_is_min_of_max),
        cmocka_unit_test(clamp_bounds_saturate_into_the_dtype),
        cmocka_unit_test(prelu_broadcasts_the_slope_both_ways),
        cmocka_unit_test(casts_truncate_saturate_and_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
