/* The generated rows, and what walks them. */
#include "support/test.h"
#include "webnn/infer.h"

#include <math.h>
#include <string.h>

static size_t size_of(enum attribute_type type)
{
    static const size_t sizes[] = {
        [ATTRIBUTE_BOOL] = sizeof(bool),
        [ATTRIBUTE_U32] = 4,
        [ATTRIBUTE_I32] = 4,
        [ATTRIBUTE_DOUBLE] = 8,
        [ATTRIBUTE_NUMBER] = sizeof(struct webnn_number),
        [ATTRIBUTE_ENUM] = 4,
        [ATTRIBUTE_DTYPE] = 4,
        [ATTRIBUTE_U32S] = sizeof(struct webnn_u32s),
        [ATTRIBUTE_ENUMS] = sizeof(struct webnn_u32s),
        [ATTRIBUTE_DOUBLES] = sizeof(struct webnn_doubles),
        [ATTRIBUTE_DIMS] = sizeof(struct webnn_dims),
        [ATTRIBUTE_SPLITS] = sizeof(struct webnn_splits),
    };
    return sizes[type];
}

static void there_are_95_operators_with_names_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(WEBNN_OPERATOR_COUNT, 95);
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        enum webnn_operator kind = WEBNN_OPERATOR_COUNT;
        const struct operator_row *row = operator_row((enum webnn_operator)i);
        assert_true(operator_by_name(span_of(row->name), &kind));
        assert_int_equal(kind, i);
        assert_non_null(row->infer);
        assert_non_null(strstr(row->link, "https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-"));
    }
}

static void slots_fit_the_limits_table(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        const struct operator_row *row = operator_row((enum webnn_operator)i);
        assert_true(row->operand_count >= 1 && row->result_count >= 1);
        assert_true(row->operand_count + row->result_count <= MAX_SLOTS);
        for (uint32_t k = 0; k < row->operand_count; k++) {
            const struct slot_row *s = &row->operands[k];
            assert_true(s->same_dtype_as < (int)k && s->same_dtype_as >= -1);
            assert_true(s->dtypes != 0 && s->rank_min <= s->rank_max && s->rank_max <= MAX_RANK);
            assert_int_equal(s->named, s->kind == SLOT_OPTIONAL);
            assert_int_equal(s->kind == SLOT_VARIADIC, i == WEBNN_CONCAT);
            if (s->same_dtype_as >= 0)
                assert_int_equal(s->dtypes, row->operands[s->same_dtype_as].dtypes);
        }
    }
}

static void attributes_are_sorted_and_lie_in_their_struct(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        const struct operator_row *row = operator_row((enum webnn_operator)i);
        uint32_t positions = 0;
        assert_true(row->attribute_size <= 1024);
        assert_int_equal(row->attribute_count == 0, row->defaults == NULL);
        for (uint32_t k = 0; k < row->attribute_count; k++) {
            const struct attribute_row *a = &row->attributes[k];
            assert_true(k == 0 || strcmp(row->attributes[k - 1].name, a->name) < 0);
            assert_true(a->offset + size_of(a->type) <= row->attribute_size);
            assert_int_equal(a->values != NULL,
                             a->type == ATTRIBUTE_ENUM || a->type == ATTRIBUTE_ENUMS);
            assert_ptr_equal(attribute_by_name(row, span_of(a->name)), a);
            if (a->position > 0) {
                assert_true(a->required);
                positions |= 1u << a->position;
            }
            assert_true(!a->required || a->always_written);
        }
        assert_true(positions == 0 || positions == 2 || positions == 6); /* 1, or 1 and 2 */
    }
}

static void lists_are_what_split_and_recurrent_operators_return(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        bool list = i == WEBNN_SPLIT || i == WEBNN_GRU || i == WEBNN_LSTM || i == WEBNN_LSTM_CELL;
        assert_int_equal(operator_row((enum webnn_operator)i)->list_result, list);
    }
}

static void assert_defaults(enum webnn_operator kind, const void *defaults, size_t size)
{
    const struct operator_row *row = operator_row(kind);
    assert_int_equal(row->attribute_size, size);
    for (uint32_t i = 0; i < row->attribute_count; i++)
        assert_true(attribute_equal(&row->attributes[i], defaults, row->defaults));
}

/* What the public header gives and what the row holds. */
static void defaults_of_header_and_row_agree(void **state)
{
    (void)state;
#define SAME(KIND, snake)                                                            \
    do {                                                                             \
        const __typeof__(webnn_##snake##_defaults()) d = webnn_##snake##_defaults(); \
        assert_defaults(WEBNN_##KIND, &d, sizeof d);                                 \
    } while (0)
    SAME(ARG_MIN, arg_min);
    SAME(BATCH_NORMALIZATION, batch_normalization);
    SAME(CLAMP, clamp);
    SAME(CONV2D, conv2d);
    SAME(CONV_TRANSPOSE2D, conv_transpose2d);
    SAME(ELU, elu);
    SAME(GEMM, gemm);
    SAME(GRU, gru);
    SAME(GRU_CELL, gru_cell);
    SAME(HARD_SIGMOID, hard_sigmoid);
    SAME(INSTANCE_NORMALIZATION, instance_normalization);
    SAME(LAYER_NORMALIZATION, layer_normalization);
    SAME(LEAKY_RELU, leaky_relu);
    SAME(LINEAR, linear);
    SAME(LSTM, lstm);
    SAME(LSTM_CELL, lstm_cell);
    SAME(PAD, pad);
    SAME(L2_POOL2D, l2_pool2d);
    SAME(REDUCE_LOG_SUM_EXP, reduce_log_sum_exp);
    SAME(RESAMPLE2D, resample2d);
    SAME(TRIANGULAR, triangular);
#undef SAME
}

static void defaults_are_those_of_the_standard(void **state)
{
    (void)state;
    assert_true(webnn_batch_normalization_defaults().axis == 1 &&
                webnn_batch_normalization_defaults().epsilon == 1e-5);
    assert_true(webnn_hard_sigmoid_defaults().alpha == 0.2 &&
                webnn_hard_sigmoid_defaults().beta == 0.5);
    assert_true(webnn_gru_defaults().reset_after && webnn_triangular_defaults().upper);
    assert_int_equal(webnn_lstm_defaults().activations.items[2], WEBNN_ACTIVATION_TANH);
    assert_int_equal(webnn_clamp_defaults().min_value.kind, WEBNN_NUMBER_NONE);
    assert_int_equal(webnn_pad_defaults().value.kind, WEBNN_NUMBER_INT);
    assert_false(webnn_transpose_defaults().permutation.given);
    assert_int_equal(webnn_arg_max_defaults().output_data_type, DTYPE_INT32);
    assert_int_equal(webnn_resample2d_defaults().axes.items[1], 3);
}

static void files_need_what_the_format_says(void **state)
{
    static const char *const required[] = { "argMax.axis",     "cast.to",
                                            "gru.resetAfter",  "gruCell.resetAfter",
                                            "split.splits",    "pad.endingPadding",
                                            "lstm.hiddenSize", "slice.sizes" };
    (void)state;
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        const char *dot = strchr(required[i], '.');
        enum webnn_operator kind;
        assert_true(operator_by_name(
            (struct span){ (const uint8_t *)required[i], (size_t)(dot - required[i]) }, &kind));
        const struct attribute_row *a = attribute_by_name(operator_row(kind), span_of(dot + 1));
        assert_true(a != NULL && a->required);
    }
    const struct attribute_row *permutation =
        attribute_by_name(operator_row(WEBNN_TRANSPOSE), SPAN("permutation"));
    assert_true(permutation->always_written && !permutation->required &&
                !permutation->empty_means_none);
    assert_true(attribute_by_name(operator_row(WEBNN_REDUCE_L2), SPAN("axes"))->empty_means_none);
    assert_false(attribute_by_name(operator_row(WEBNN_RESAMPLE2D), SPAN("axes"))->empty_means_none);
    assert_true(attribute_by_name(operator_row(WEBNN_RESHAPE), SPAN("newShape"))->empty_means_none);
    assert_null(attribute_by_name(operator_row(WEBNN_CAST), SPAN("dataType")));
}

static void near_names_are_offered(void **state)
{
    (void)state;
    assert_string_equal(operator_nearest(SPAN("conv2")), "conv2d");
    assert_string_equal(operator_nearest(SPAN("softMax")), "softmax");
    assert_string_equal(operator_nearest(SPAN("mutmal")), "matmul");
    assert_null(operator_nearest(SPAN("frobnicate")));
    assert_null(operator_nearest(SPAN("")));
}

static struct webnn_number integer(int64_t i)
{
    return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = i };
}

static struct webnn_number natural(uint64_t u)
{
    return (struct webnn_number){ .kind = WEBNN_NUMBER_UINT, .u = u };
}

static struct webnn_number real(double d)
{
    return (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = d };
}

static int sign(struct webnn_number a, struct webnn_number b)
{
    int forth = number_compare(&a, &b), back = number_compare(&b, &a);
    assert_int_equal((forth > 0) - (forth < 0), (back < 0) - (back > 0));
    return (forth > 0) - (forth < 0);
}

static void numbers_compare_without_rounding(void **state)
{
    (void)state;
    assert_int_equal(sign(integer(-1), natural(UINT64_MAX)), -1);
    assert_int_equal(sign(integer(5), natural(5)), 0);
    assert_int_equal(sign(integer(INT64_MAX), real(0x1p63)), -1);
    assert_int_equal(sign(integer(INT64_MIN), real(-0x1p63)), 0);
    assert_int_equal(sign(integer(INT64_MIN), real(-0x1.0000000000001p63)), 1);
    assert_int_equal(sign(natural(UINT64_MAX), real(0x1p64)), -1);
    assert_int_equal(sign(natural((UINT64_C(1) << 53) + 1), real(0x1p53)), 1);
    assert_int_equal(sign(integer(2), real(2.5)), -1);
    assert_int_equal(sign(integer(-2), real(-2.5)), 1);
    assert_int_equal(sign(integer(-3), real(-2.5)), -1);
    assert_int_equal(sign(integer(0), real(-0.0)), 0);
    assert_int_equal(sign(integer(INT64_MAX), real((double)INFINITY)), -1);
    assert_int_equal(sign(integer(INT64_MIN), real(-(double)INFINITY)), 1);
    assert_int_equal(sign(integer(0), real((double)NAN)), -1);
    assert_int_equal(sign(real((double)NAN), real((double)NAN)), 0);
}

static int64_t put_i(enum dtype dtype, struct webnn_number n)
{
    uint64_t storage = 0;
    struct tensor t = { .dtype = dtype, .data = &storage };
    number_put(&n, &t, 0);
    return tensor_get_i64(&t, 0);
}

static double put_d(enum dtype dtype, struct webnn_number n)
{
    uint64_t storage = 0;
    struct tensor t = { .dtype = dtype, .data = &storage };
    number_put(&n, &t, 0);
    return tensor_get_double(&t, 0);
}

static void numbers_for_integers_saturate_and_lose_their_fraction(void **state)
{
    (void)state;
    assert_true(put_i(DTYPE_INT64, natural(9223372036854775820u)) == INT64_MAX);
    assert_int_equal(put_i(DTYPE_UINT8, integer(-1)), 0);
    assert_int_equal(put_i(DTYPE_UINT8, integer(256)), 255);
    assert_int_equal(put_i(DTYPE_INT8, integer(-1000)), -128);
    assert_int_equal(put_i(DTYPE_INT8, natural(UINT64_MAX)), 127);
    assert_int_equal(put_i(DTYPE_INT32, real(2.5)), 2);
    assert_int_equal(put_i(DTYPE_INT32, real(3.9)), 3);
    assert_int_equal(put_i(DTYPE_INT32, real(-2.9)), -2);
    assert_int_equal(put_i(DTYPE_INT32, real((double)NAN)), 0);
    assert_int_equal(put_i(DTYPE_INT32, real((double)INFINITY)), INT32_MAX);
    assert_int_equal(put_i(DTYPE_INT32, real(-1e300)), INT32_MIN);
    assert_true(put_i(DTYPE_INT64, integer(INT64_MIN)) == INT64_MIN);
    assert_int_equal(put_i(DTYPE_INT4, integer(9)), 7);
}

static void numbers_for_floats_round_once(void **state)
{
    (void)state;
    assert_true(put_d(DTYPE_FLOAT32, integer((INT64_C(1) << 53) + (INT64_C(1) << 29) + 1)) ==
                0x1.000002p53);
    assert_true(put_d(DTYPE_FLOAT32, integer(-(INT64_C(1) << 53) - (INT64_C(1) << 29) - 1)) ==
                -0x1.000002p53);
    assert_true(put_d(DTYPE_FLOAT16, real(2.5)) == 2.5);
    assert_true(put_d(DTYPE_FLOAT16, integer(70000)) == (double)INFINITY);
    assert_true(isnan(put_d(DTYPE_FLOAT32, real((double)NAN))));
    assert_true(signbit(put_d(DTYPE_FLOAT32, real(-0.0))));
}

static bool clamp_equal(struct webnn_number a, struct webnn_number b)
{
    const struct webnn_clamp_attributes p = { .min_value = a }, q = { .min_value = b };
    return attribute_equal(attribute_by_name(operator_row(WEBNN_CLAMP), SPAN("minValue")), &p, &q);
}

static void equal_numbers_are_equal_attributes(void **state)
{
    (void)state;
    assert_true(clamp_equal(integer(1), real(1)));
    assert_true(clamp_equal(integer(1), natural(1)));
    assert_true(clamp_equal(real((double)NAN), real((double)NAN)));
    assert_false(clamp_equal(integer(0), real(-0.0)));
    assert_false(clamp_equal(integer(0), (struct webnn_number){ .kind = WEBNN_NUMBER_NONE }));
    assert_true(clamp_equal((struct webnn_number){ .kind = WEBNN_NUMBER_NONE, .i = 1 },
                            (struct webnn_number){ .kind = WEBNN_NUMBER_NONE, .i = 2 }));
}

static void lists_compare_by_their_items(void **state)
{
    const uint32_t one[] = { 1, 2 }, two[] = { 1, 2 };
    struct webnn_split_attributes p = { .splits = { .count = 2, .items = one } };
    struct webnn_split_attributes q = { .splits = { .count = 2, .items = two } };
    struct webnn_reduce_attributes r = { .axes = { .given = true } },
                                   s = { .axes = { .given = false } };
    const struct attribute_row *splits =
        attribute_by_name(operator_row(WEBNN_SPLIT), SPAN("splits"));
    const struct attribute_row *axes =
        attribute_by_name(operator_row(WEBNN_REDUCE_SUM), SPAN("axes"));
    (void)state;
    assert_true(attribute_equal(splits, &p, &q));
    q.splits.equal = true;
    assert_false(attribute_equal(splits, &p, &q));
    assert_false(attribute_equal(axes, &r, &s));
    s.axes.items[3] = 9; /* not given: items do not count */
    r.axes.given = false;
    assert_true(attribute_equal(axes, &r, &s));
}

static void results_are_counted(void **state)
{
    struct webnn_gru_attributes gru = { .return_sequence = true };
    struct webnn_lstm_attributes lstm = { .return_sequence = true };
    struct webnn_split_attributes split = { .splits = { .equal = true, .count = 7 } };
    (void)state;
    assert_int_equal(infer_result_count(WEBNN_ADD, NULL), 1);
    assert_int_equal(infer_result_count(WEBNN_GRU, NULL), 1);
    assert_int_equal(infer_result_count(WEBNN_GRU, &gru), 2);
    assert_int_equal(infer_result_count(WEBNN_LSTM, NULL), 2);
    assert_int_equal(infer_result_count(WEBNN_LSTM, &lstm), 3);
    assert_int_equal(infer_result_count(WEBNN_LSTM_CELL, NULL), 2);
    assert_int_equal(infer_result_count(WEBNN_GRU_CELL, NULL), 1);
    assert_int_equal(infer_result_count(WEBNN_SPLIT, &split), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_95_operators_with_names_of_their_own),
        cmocka_unit_test(slots_fit_the_limits_table),
        cmocka_unit_test(attributes_are_sorted_and_lie_in_their_struct),
        cmocka_unit_test(lists_are_what_split_and_recurrent_operators_return),
        cmocka_unit_test(defaults_of_header_and_row_agree),
        cmocka_unit_test(defaults_are_those_of_the_standard),
        cmocka_unit_test(files_need_what_the_format_says),
        cmocka_unit_test(near_names_are_offered),
        cmocka_unit_test(numbers_compare_without_rounding),
        cmocka_unit_test(numbers_for_integers_saturate_and_lose_their_fraction),
        cmocka_unit_test(numbers_for_floats_round_once),
        cmocka_unit_test(equal_numbers_are_equal_attributes),
        cmocka_unit_test(lists_compare_by_their_items),
        cmocka_unit_test(results_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
