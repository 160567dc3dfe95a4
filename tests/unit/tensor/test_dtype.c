#include "support/test.h"
#include "tensor/dtype.h"

#include <string.h>

static void names_lead_back_to_the_type(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DTYPE_COUNT; i++) {
        const struct dtype_info *info = dtype_info((enum dtype)i);
        enum dtype t = DTYPE_COUNT;
        assert_true(dtype_by_name(span_of(info->name), &t));
        assert_int_equal(t, i);
        assert_true(dtype_by_onnx(info->onnx, &t));
        assert_int_equal(t, i);
        if (info->text[0] != 0) {
            assert_true(dtype_by_text(span_of(info->text), &t));
            assert_int_equal(t, i);
        }
        if (info->safetensors[0] != 0) {
            assert_true(dtype_by_safetensors(span_of(info->safetensors), &t));
            assert_int_equal(t, i);
        }
    }
}

static void unknown_names_are_refused(void **state)
{
    enum dtype t = DTYPE_BOOL;
    (void)state;
    assert_false(dtype_by_name(SPAN("float"), &t));
    assert_false(dtype_by_name(SPAN(""), &t));
    assert_false(dtype_by_text(SPAN(""), &t));
    assert_false(dtype_by_text(SPAN("f64"), &t));
    assert_false(dtype_by_safetensors(SPAN(""), &t));
    assert_false(dtype_by_onnx(0, &t));
    assert_false(dtype_by_onnx(99, &t));
    assert_false(dtype_by_onnx(-1, &t));
    assert_int_equal(t, DTYPE_BOOL);
}

static void webnn_types_come_first(void **state)
{
    static const char *const names[] = { "float32", "float16", "int32", "uint32", "int64",
                                         "uint64",  "int8",    "uint8", "int4",   "uint4" };
    (void)state;
    assert_int_equal(DTYPE_WEBNN_COUNT, 10);
    for (unsigned i = 0; i < 10; i++)
        assert_string_equal(dtype_name((enum dtype)i), names[i]);
    assert_int_equal(DTYPES_WEBNN, DTYPES_WEBNN8 | DTYPES_4BIT);
}

static void bytes_round_packed_types_up(void **state)
{
    uint64_t bytes = 77;
    (void)state;
    assert_true(dtype_bytes(DTYPE_INT4, 0, &bytes) && bytes == 0);
    assert_true(dtype_bytes(DTYPE_INT4, 1, &bytes) && bytes == 1);
    assert_true(dtype_bytes(DTYPE_UINT4, 5, &bytes) && bytes == 3);
    assert_true(dtype_bytes(DTYPE_UINT2, 5, &bytes) && bytes == 2);
    assert_true(dtype_bytes(DTYPE_FLOAT32, 3, &bytes) && bytes == 12);
    assert_true(dtype_bytes(DTYPE_COMPLEX128, 3, &bytes) && bytes == 48);
    assert_true(dtype_bytes(DTYPE_INT4, UINT64_MAX, &bytes) && bytes == UINT64_C(1) << 63);
}

static void bytes_refuse_overflow_and_strings(void **state)
{
    uint64_t bytes = 77;
    (void)state;
    assert_false(dtype_bytes(DTYPE_INT64, UINT64_MAX / 4, &bytes));
    assert_false(dtype_bytes(DTYPE_STRING, 1, &bytes));
    assert_int_equal(bytes, 77);
}

static void bounds_of_integers(void **state)
{
    (void)state;
    assert_int_equal(dtype_min(DTYPE_INT4), -8);
    assert_int_equal(dtype_max(DTYPE_INT4), 7);
    assert_int_equal(dtype_min(DTYPE_UINT4), 0);
    assert_int_equal(dtype_max(DTYPE_UINT4), 15);
    assert_int_equal(dtype_min(DTYPE_INT8), -128);
    assert_int_equal(dtype_max(DTYPE_UINT16), 65535);
    assert_true(dtype_min(DTYPE_INT64) == INT64_MIN && dtype_max(DTYPE_INT64) == INT64_MAX);
    assert_true(dtype_max(DTYPE_UINT64) == UINT64_MAX);
    assert_int_equal(dtype_max(DTYPE_BOOL), 1);
}

static void bool_is_no_integer(void **state)
{
    (void)state;
    assert_false(dtype_is_integer(DTYPE_BOOL));
    assert_false(dtype_is_float(DTYPE_BOOL));
    assert_true(dtype_is_integer(DTYPE_UINT8) && !dtype_is_signed(DTYPE_UINT8));
    assert_true(dtype_is_float(DTYPE_BFLOAT16) && dtype_is_float(DTYPE_FLOAT4E2M1));
}

static void sets_are_told_in_words(void **state)
{
    char text[64], small[12];
    (void)state;
    dtype_set_text(DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_INT32),
                   text, sizeof text);
    assert_string_equal(text, "float32, float16 or int32");
    dtype_set_text(DTYPE_BIT(DTYPE_STRING), text, sizeof text);
    assert_string_equal(text, "string");
    dtype_set_text(0, text, sizeof text);
    assert_string_equal(text, "");
    dtype_set_text(DTYPES_WEBNN, small, sizeof small);
    assert_true(strlen(small) < sizeof small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_back_to_the_type),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(webnn_types_come_first),
        cmocka_unit_test(bytes_round_packed_types_up),
        cmocka_unit_test(bytes_refuse_overflow_and_strings),
        cmocka_unit_test(bounds_of_integers),
        cmocka_unit_test(bool_is_no_integer),
        cmocka_unit_test(sets_are_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
