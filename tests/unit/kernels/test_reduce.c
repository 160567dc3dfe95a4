/* Reductions, argMin and argMax, running sums: against sums by coordinates in long double. */
#include "coordinates.h"

static bool has_axis(const struct webnn_u32s *axes, uint32_t d)
{
    for (uint32_t i = 0; i < axes->count; i++)
        if (axes->items[i] == d)
            return true;
    return !axes->given;
}

static struct shape reduced_shape(const struct tensor *x, const struct webnn_u32s *axes)
{
    struct shape s = shape_of(x);
    for (uint32_t d = 0; d < x->rank; d++)
        if (has_axis(axes, d))
            s.dims[d] = 1;
    return s;
}

static long double start_of(enum webnn_operator kind)
{
    return kind == WEBNN_REDUCE_PRODUCT ? 1
           : kind == WEBNN_REDUCE_MAX   ? -INFINITY
           : kind == WEBNN_REDUCE_MIN   ? INFINITY
                                        : 0;
}

static long double joined(enum webnn_operator kind, long double sum, long double x)
{
    switch ((int)kind) {
    case WEBNN_REDUCE_L1: return sum + fabsl(x);
    case WEBNN_REDUCE_L2:
    case WEBNN_REDUCE_SUM_SQUARE: return sum + x * x;
    case WEBNN_REDUCE_LOG_SUM_EXP: return sum + expl(x);
    case WEBNN_REDUCE_PRODUCT: return sum * x;
    case WEBNN_REDUCE_MAX: return x > sum ? x : sum;
    case WEBNN_REDUCE_MIN: return x < sum ? x : sum;
    default: return sum + x;
    }
}

static double ended(enum webnn_operator kind, long double sum, double count)
{
    switch ((int)kind) {
    case WEBNN_REDUCE_L2: return (double)sqrtl(sum);
    case WEBNN_REDUCE_LOG_SUM:
    case WEBNN_REDUCE_LOG_SUM_EXP: return (double)logl(sum);
    case WEBNN_REDUCE_MEAN: return (double)(sum / count);
    default: return (double)sum;
    }
}

static const enum webnn_operator reductions[] = {
    WEBNN_REDUCE_SUM,        WEBNN_REDUCE_MEAN,       WEBNN_REDUCE_L1,  WEBNN_REDUCE_L2,
    WEBNN_REDUCE_SUM_SQUARE, WEBNN_REDUCE_PRODUCT,    WEBNN_REDUCE_MAX, WEBNN_REDUCE_MIN,
    WEBNN_REDUCE_LOG_SUM,    WEBNN_REDUCE_LOG_SUM_EXP
};

/* All reductions of one tensor of positive numbers over these axes. */
static void check_reductions(struct kit *k, enum dtype t, struct shape s, struct webnn_u32s axes,
                             double allowed)
{
    struct tensor x = noise(k, t, s, 0.5, 1.5);
    const struct webnn_reduce_attributes p = { .axes = axes, .keep_dimensions = true };
    struct shape out = reduced_shape(&x, &axes);
    for (size_t o = 0; o < sizeof reductions / sizeof *reductions; o++) {
        struct tensor y = result_of(k, reductions[o], &p, t, out, &x, NULL, NULL);
        uint64_t count = tensor_count(&y);
        long double *sums = arena_alloc(&k->arena, count * sizeof *sums, 16);
        for (uint64_t i = 0; i < count; i++)
            sums[i] = start_of(reductions[o]);
        for (uint64_t i = 0; i < tensor_count(&x); i++) {
            int64_t at[MAX_RANK];
            coordinates_of(&x, i, at);
            for (uint32_t d = 0; d < x.rank; d++)
                at[d] = has_axis(&axes, d) ? 0 : at[d];
            long double *sum = &sums[index_of(&y, at)];
            *sum = joined(reductions[o], *sum, tensor_get_double(&x, i));
        }
        double each = count ? (double)tensor_count(&x) / (double)count : 0;
        for (uint64_t i = 0; i < count; i++)
            assert_near(tensor_get_double(&y, i), ended(reductions[o], sums[i], each), allowed, i);
    }
}

static void reductions_agree_with_exact_sums(void **state)
{
    struct kit k;
    kit_open(&k);
    static const struct webnn_u32s all = { .given = false }, none = { .given = true };
    static const struct webnn_u32s first = { true, 1, { 0 } }, last = { true, 1, { 2 } };
    static const struct webnn_u32s middle = { true, 1, { 1 } }, outer = { true, 2, { 2, 0 } };
    const struct webnn_u32s *lists[] = { &all, &none, &first, &last, &middle, &outer };
    for (size_t i = 0; i < 6; i++) {
        check_reductions(&k, DTYPE_FLOAT32, DIMS(3, 4, 5), *lists[i], 1e-6);
        check_reductions(&k, DTYPE_FLOAT64, DIMS(2, 9, 17), *lists[i], 1e-14);
        check_reductions(&k, DTYPE_FLOAT16, DIMS(2, 3, 7), *lists[i], 1e-3);
        check_reductions(&k, DTYPE_FLOAT32, DIMS(1, 7, 600), *lists[i], 1e-6);
    }
    check_reductions(&k, DTYPE_FLOAT32, SCALAR, all, 1e-6);
    check_reductions(&k, DTYPE_FLOAT32, DIMS(2, 3, 1, 2, 2),
                     (struct webnn_u32s){ true, 2, { 1, 3 } }, 1e-6);
    kit_close(&k);
    (void)state;
}

static struct tensor reduce(struct kit *k, enum webnn_operator kind, struct tensor x)
{
    const struct webnn_reduce_attributes p = { .axes = { .given = false } };
    return result_of(k, kind, &p, x.dtype, SCALAR, &x, NULL, NULL);
}

static void long_sums_do_not_drift(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = blank(&k, DTYPE_FLOAT32, DIMS(3000000));
    for (uint64_t i = 0; i < 3000000; i++)
        ((float *)x.data)[i] = 0.1f;
    struct tensor sum = reduce(&k, WEBNN_REDUCE_SUM, x), mean = reduce(&k, WEBNN_REDUCE_MEAN, x);
    assert_true(tensor_get_double(&mean, 0) == (double)0.1f);
    assert_true(tensor_get_double(&sum, 0) == (double)(float)(3000000 * (double)0.1f));
    kit_close(&k);
    (void)state;
}

static void columns_and_rows_are_cut_alike(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = noise(&k, DTYPE_FLOAT32, DIMS(700, 1300), -1, 1);
    const struct webnn_reduce_attributes p = { .axes = { true, 1, { 0 } } };
    struct tensor y =
        result_of(&k, WEBNN_REDUCE_SUM, &p, DTYPE_FLOAT32, DIMS(1300), &x, NULL, NULL);
    for (int64_t c = 0; c < 1300; c++) {
        double sum = 0;
        for (int64_t r = 0; r < 700; r++)
            sum += (double)((const float *)x.data)[r * 1300 + c];
        assert_near((double)((const float *)y.data)[c], sum, 1e-6, (size_t)c);
    }
    kit_close(&k);
    (void)state;
}

static void integer_reductions_wrap(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = TENSOR(&k, DTYPE_INT32, DIMS(3), -2147483648.0, -2147483648.0, 5);
    assert_values(reduce(&k, WEBNN_REDUCE_SUM, x), 5);
    assert_values(reduce(&k, WEBNN_REDUCE_L1, x), 5);
    assert_values(reduce(&k, WEBNN_REDUCE_SUM_SQUARE, x), 25);
    assert_values(reduce(&k, WEBNN_REDUCE_PRODUCT, x), 0);
    assert_values(reduce(&k, WEBNN_REDUCE_MIN, x), -2147483648.0);
    struct tensor least = TENSOR(&k, DTYPE_INT32, DIMS(1), -2147483648.0);
    assert_values(reduce(&k, WEBNN_REDUCE_L1, least), -2147483648.0);
    struct tensor u = TENSOR(&k, DTYPE_UINT8, DIMS(3), 200, 100, 7);
    assert_values(reduce(&k, WEBNN_REDUCE_SUM, u), 51);
    assert_values(reduce(&k, WEBNN_REDUCE_MAX, u), 200);
    kit_close(&k);
    (void)state;
}

static void empty_reductions_give_the_neutral_element(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = blank(&k, DTYPE_FLOAT32, DIMS(0, 4)), i = blank(&k, DTYPE_INT8, DIMS(0));
    assert_values(reduce(&k, WEBNN_REDUCE_SUM, x), 0);
    assert_values(reduce(&k, WEBNN_REDUCE_PRODUCT, x), 1);
    assert_values(reduce(&k, WEBNN_REDUCE_MAX, x), -INFINITY);
    assert_values(reduce(&k, WEBNN_REDUCE_MIN, x), INFINITY);
    struct tensor mean = reduce(&k, WEBNN_REDUCE_MEAN, x);
    assert_true(isnan(tensor_get_double(&mean, 0)));
    assert_values(reduce(&k, WEBNN_REDUCE_LOG_SUM, x), -INFINITY);
    assert_values(reduce(&k, WEBNN_REDUCE_LOG_SUM_EXP, x), -INFINITY);
    assert_values(reduce(&k, WEBNN_REDUCE_MAX, i), -128);
    assert_values(reduce(&k, WEBNN_REDUCE_MIN, i), 127);
    kit_close(&k);
    (void)state;
}

static void nan_and_infinities_pass_through(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(20), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, NAN, 14, 15, 16,
                             17, 18, 19, 20);
    struct tensor max = reduce(&k, WEBNN_REDUCE_MAX, x), min = reduce(&k, WEBNN_REDUCE_MIN, x);
    assert_true(isnan(tensor_get_double(&max, 0)) && isnan(tensor_get_double(&min, 0)));
    struct tensor large = FLOATS(&k, DIMS(2), 1000, 1000),
                  low = FLOATS(&k, DIMS(2), -INFINITY, -INFINITY);
    struct tensor high = FLOATS(&k, DIMS(2), INFINITY, 3);
    assert_values(reduce(&k, WEBNN_REDUCE_LOG_SUM_EXP, large), (double)(float)(1000 + log(2.0)));
    assert_values(reduce(&k, WEBNN_REDUCE_LOG_SUM_EXP, low), -INFINITY);
    assert_values(reduce(&k, WEBNN_REDUCE_LOG_SUM_EXP, high), INFINITY);
    kit_close(&k);
    (void)state;
}

static void no_axes_still_apply_the_function(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_reduce_attributes none = { .axes = { .given = true } };
    struct tensor x = FLOATS(&k, DIMS(2), -3, 1);
    assert_values(unary(&k, WEBNN_REDUCE_SUM_SQUARE, &none, x), 9, 1);
    assert_values(unary(&k, WEBNN_REDUCE_L1, &none, x), 3, 1);
    assert_values(unary(&k, WEBNN_REDUCE_L2, &none, x), 3, 1);
    struct tensor log = unary(&k, WEBNN_REDUCE_LOG_SUM, &none, x);
    assert_true(isnan(tensor_get_double(&log, 0)) && tensor_get_double(&log, 1) == 0);
    kit_close(&k);
    (void)state;
}

static struct tensor arg(struct kit *k, enum webnn_operator kind, struct tensor x, uint32_t axis,
                         enum dtype to)
{
    const struct webnn_arg_min_max_attributes p = { .axis = axis,
                                                    .keep_dimensions = true,
                                                    .output_data_type = (uint32_t)to };
    struct shape s = shape_of(&x);
    s.dims[axis] = 1;
    return result_of(k, kind, &p, to, s, &x, NULL, NULL);
}

static void the_first_extreme_wins_and_nan_is_one(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(3, 4), 1, 5, 5, 1, 2, NAN, 9, NAN, -0.0, 0, -1, -1);
    assert_values(arg(&k, WEBNN_ARG_MAX, x, 1, DTYPE_INT64), 1, 1, 0);
    assert_values(arg(&k, WEBNN_ARG_MIN, x, 1, DTYPE_INT32), 0, 1, 2);
    assert_values(arg(&k, WEBNN_ARG_MAX, x, 0, DTYPE_INT32), 1, 1, 1, 1);
    const enum dtype kinds[] = { DTYPE_INT8,   DTYPE_UINT8,   DTYPE_INT64,
                                 DTYPE_UINT32, DTYPE_FLOAT16, DTYPE_FLOAT64 };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct tensor y = TENSOR(&k, kinds[i], DIMS(5), 3, 1, 4, 1, 4);
        assert_values(arg(&k, WEBNN_ARG_MAX, y, 0, DTYPE_INT32), 2);
        assert_values(arg(&k, WEBNN_ARG_MIN, y, 0, DTYPE_INT64), 1);
    }
    struct tensor wide = noise(&k, DTYPE_FLOAT32, DIMS(2, 3, 300), -1, 1);
    struct tensor y = arg(&k, WEBNN_ARG_MAX, wide, 1, DTYPE_INT32);
    for (int64_t i = 0; i < 600; i++) {
        const float *column = (const float *)wide.data + i / 300 * 900 + i % 300;
        int best = 0;
        for (int r = 1; r < 3; r++)
            best = column[r * 300] > column[best * 300] ? r : best;
        assert_int_equal(((const int32_t *)y.data)[i], best);
    }
    kit_close(&k);
    (void)state;
}

static void running_sums_shift_and_turn(void **state)
{
    struct kit k;
    kit_open(&k);
    struct webnn_cumulative_sum_attributes p = { .axis = 1 };
    struct tensor x = FLOATS(&k, DIMS(2, 3), 1, 2, 3, 4, 5, 6);
    assert_values(unary(&k, WEBNN_CUMULATIVE_SUM, &p, x), 1, 3, 6, 4, 9, 15);
    p.exclusive = true;
    assert_values(unary(&k, WEBNN_CUMULATIVE_SUM, &p, x), 0, 1, 3, 0, 4, 9);
    p.reversed = true;
    assert_values(unary(&k, WEBNN_CUMULATIVE_SUM, &p, x), 5, 3, 0, 11, 6, 0);
    p.exclusive = false;
    assert_values(unary(&k, WEBNN_CUMULATIVE_SUM, &p, x), 6, 5, 3, 15, 11, 6);
    p.axis = 0;
    assert_values(unary(&k, WEBNN_CUMULATIVE_SUM, &p, x), 5, 7, 9, 4, 5, 6);
    struct tensor i = TENSOR(&k, DTYPE_UINT32, DIMS(1, 2), 4294967295.0, 3);
    p = (struct webnn_cumulative_sum_attributes){ .axis = 1 };
    assert_values(unary(&k, WEBNN_CUMULATIVE_SUM, &p, i), 4294967295.0, 2);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_agree_with_exact_sums),
        cmocka_unit_test(long_sums_do_not_drift),
        cmocka_unit_test(columns_and_rows_are_cut_alike),
        cmocka_unit_test(integer_reductions_wrap),
        cmocka_unit_test(empty_reductions_give_the_neutral_element),
        cmocka_unit_test(nan_and_infinities_pass_through),
        cmocka_unit_test(no_axes_still_apply_the_function),
        cmocka_unit_test(the_first_extreme_wins_and_nan_is_one),
        cmocka_unit_test(running_sums_shift_and_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
