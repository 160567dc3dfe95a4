/* Conversions round once and keep every bit they can. */
#include "base/half.h"
#include "support/test.h"
#include "tensor/tensor.h"

#include <math.h>
#include <string.h>

static struct tensor view(enum dtype dtype, int64_t count, void *data)
{
    return (struct tensor){ .dtype = dtype, .rank = 1, .dims = { count }, .data = data };
}

static void convert(enum dtype from, int64_t count, const void *source, enum dtype to, void *out)
{
    uint8_t copy[4096];
    struct tensor a = view(from, count, copy), b = view(to, count, out);
    memcpy(copy, source, (size_t)tensor_bytes(&a));
    assert_ok(tensor_convert(&a, &b));
}

static void floats_truncate_and_saturate(void **state)
{
    const float x[] = {
        1.9f, -1.9f, 300, -300, (float)NAN, (float)INFINITY, -(float)INFINITY, -0.0f
    };
    const int8_t i8[] = { 1, -1, 127, -128, 0, 127, -128, 0 };
    const uint8_t u8[] = { 1, 0, 255, 0, 0, 255, 0, 0 };
    int8_t signed_out[8];
    uint8_t unsigned_out[8];
    (void)state;
    convert(DTYPE_FLOAT32, 8, x, DTYPE_INT8, signed_out);
    assert_memory_equal(signed_out, i8, sizeof i8);
    convert(DTYPE_FLOAT32, 8, x, DTYPE_UINT8, unsigned_out);
    assert_memory_equal(unsigned_out, u8, sizeof u8);
}

static void wide_integers_saturate_at_their_exact_bounds(void **state)
{
    const double x[] = { 0x1p63, 0x1.fffffffffffffp62, -0x1p63, -0x1.8p63,
                         0x1p64, 0x1.fffffffffffffp63 };
    int64_t i64[6];
    uint64_t u64[6];
    (void)state;
    convert(DTYPE_FLOAT64, 6, x, DTYPE_INT64, i64);
    assert_true(i64[0] == INT64_MAX && i64[1] == 0x7ffffffffffffc00);
    assert_true(i64[2] == INT64_MIN && i64[3] == INT64_MIN && i64[4] == INT64_MAX);
    convert(DTYPE_FLOAT64, 6, x, DTYPE_UINT64, u64);
    assert_true(u64[0] == UINT64_C(1) << 63 && u64[2] == 0);
    assert_true(u64[4] == UINT64_MAX && u64[5] == 0xfffffffffffff800);
}

static void integers_keep_their_low_bits(void **state)
{
    const int64_t x[] = { -1, 256, INT64_MIN, 0x123456789abcdef0 };
    uint8_t u8[4];
    uint64_t u64[4];
    int32_t i32[4];
    (void)state;
    convert(DTYPE_INT64, 4, x, DTYPE_UINT8, u8);
    assert_memory_equal(u8, ((uint8_t[]){ 255, 0, 0, 0xf0 }), 4);
    convert(DTYPE_INT64, 4, x, DTYPE_UINT64, u64);
    assert_true(u64[0] == UINT64_MAX && u64[2] == UINT64_C(1) << 63);
    convert(DTYPE_INT64, 4, x, DTYPE_INT32, i32);
    assert_true(i32[0] == -1 && i32[1] == 256 && i32[2] == 0 && i32[3] == (int32_t)0x9abcdef0u);
    const uint64_t big[] = { UINT64_MAX };
    convert(DTYPE_UINT64, 1, big, DTYPE_INT32, i32);
    assert_int_equal(i32[0], -1);
}

/* 2^53 + 2^29 + 1 lies above the tie of two floats; through double it would fall onto the tie. */
static void integers_to_float32_round_once(void **state)
{
    const int64_t x[] = { (INT64_C(1) << 53) + (INT64_C(1) << 29) + 1,
                          -(INT64_C(1) << 53) - (INT64_C(1) << 29) - 1 };
    const uint64_t y[] = { (UINT64_C(1) << 63) + (UINT64_C(1) << 39) + 1, UINT64_MAX };
    float out[2];
    (void)state;
    convert(DTYPE_INT64, 2, x, DTYPE_FLOAT32, out);
    assert_true(out[0] == 0x1.000002p53f && out[1] == -0x1.000002p53f);
    convert(DTYPE_UINT64, 2, y, DTYPE_FLOAT32, out);
    assert_true(out[0] == 0x1.000002p63f && out[1] == 0x1p64f);
}

static void integers_to_bfloat16_round_once(void **state)
{
    /* Half a unit in the last place and a bit that a double cannot hold. */
    const uint64_t y[] = { (UINT64_C(1) << 63) + (UINT64_C(1) << 55) + 1,
                           (UINT64_C(1) << 63) + (UINT64_C(1) << 55) };
    uint16_t out[2];
    (void)state;
    convert(DTYPE_UINT64, 2, y, DTYPE_BFLOAT16, out);
    assert_true(bfloat16_to_float(out[0]) == 0x1.02p63f);
    assert_true(bfloat16_to_float(out[1]) == 0x1p63f);
}

static void integers_to_float16(void **state)
{
    const int32_t x[] = { 2049, 2051, 65519, 65520, -65520, -2049 };
    const float want[] = { 2048, 2052, 65504, (float)INFINITY, -(float)INFINITY, -2048 };
    uint16_t out[6];
    (void)state;
    convert(DTYPE_INT32, 6, x, DTYPE_FLOAT16, out);
    for (size_t i = 0; i < 6; i++)
        assert_true(half_to_float(out[i]) == want[i]);
}

/* 1 + 2^-11 + 2^-35 is above the tie; through float32 it would be on it. */
static void doubles_to_float16_round_once(void **state)
{
    const double x[] = { 1 + 0x1p-11 + 0x1p-35, 1 + 0x1p-11, 0x1p-25, 0x1.8p-25 };
    const float want[] = { 1 + 0x1p-10f, 1, 0, 0x1p-24f };
    uint16_t out[4];
    (void)state;
    convert(DTYPE_FLOAT64, 4, x, DTYPE_FLOAT16, out);
    for (size_t i = 0; i < 4; i++)
        assert_true(half_to_float(out[i]) == want[i]);
}

static void doubles_to_float32(void **state)
{
    const double x[] = { 1e300, -1e300, 0x1p-150, -0.0, 0.1 };
    float out[5];
    (void)state;
    convert(DTYPE_FLOAT64, 5, x, DTYPE_FLOAT32, out);
    assert_true(isinf(out[0]) && out[0] > 0 && isinf(out[1]) && out[1] < 0);
    assert_true(out[2] == 0 && out[3] == 0 && signbit(out[3]) && out[4] == 0.1f);
}

static void to_bool_is_not_zero(void **state)
{
    const float x[] = { 0, -0.0f, 0.1f, (float)NAN };
    const int16_t y[] = { 0, 256 };
    uint8_t out[4];
    (void)state;
    convert(DTYPE_FLOAT32, 4, x, DTYPE_BOOL, out);
    assert_memory_equal(out, ((uint8_t[]){ 0, 0, 1, 1 }), 4);
    convert(DTYPE_INT16, 2, y, DTYPE_BOOL, out);
    assert_memory_equal(out, ((uint8_t[]){ 0, 1 }), 2);
}

static void from_bool_every_nonzero_byte_is_one(void **state)
{
    const uint8_t x[] = { 0, 1, 2, 255 };
    int32_t out[4];
    (void)state;
    convert(DTYPE_BOOL, 4, x, DTYPE_INT32, out);
    assert_memory_equal(out, ((int32_t[]){ 0, 1, 1, 1 }), 16);
}

static void small_integers_are_packed_low_first(void **state)
{
    const uint8_t packed[] = { 0x8f, 0x01 }, crumbs[] = { 0xe4, 0x02 };
    int32_t out[5];
    uint8_t back[2] = { 0, 0xff };
    (void)state;
    convert(DTYPE_INT4, 3, packed, DTYPE_INT32, out);
    assert_memory_equal(out, ((int32_t[]){ -1, -8, 1 }), 12);
    convert(DTYPE_INT32, 3, out, DTYPE_INT4, back);
    assert_int_equal(back[0], 0x8f);
    assert_int_equal(back[1], 0xf1); /* the nibble beyond the end is not touched */
    convert(DTYPE_UINT4, 3, packed, DTYPE_INT32, out);
    assert_memory_equal(out, ((int32_t[]){ 15, 8, 1 }), 12);
    convert(DTYPE_UINT2, 5, crumbs, DTYPE_INT32, out);
    assert_memory_equal(out, ((int32_t[]){ 0, 1, 2, 3, 2 }), 20);
    convert(DTYPE_INT2, 5, crumbs, DTYPE_INT32, out);
    assert_memory_equal(out, ((int32_t[]){ 0, 1, -2, -1, -2 }), 20);
}

static void float_to_int4_saturates(void **state)
{
    const float x[] = { 100, -100, (float)NAN, 3.9f };
    uint8_t out[2];
    (void)state;
    convert(DTYPE_FLOAT32, 4, x, DTYPE_INT4, out);
    assert_memory_equal(out, "\x87\x30", 2);
    convert(DTYPE_FLOAT32, 4, x, DTYPE_UINT4, out);
    assert_memory_equal(out, "\x0f\x30", 2);
}

static void equal_types_keep_all_bits(void **state)
{
    const uint32_t nan = 0x7fa00001; /* signalling, with a payload */
    uint32_t out;
    (void)state;
    convert(DTYPE_FLOAT32, 1, &nan, DTYPE_FLOAT32, &out);
    assert_int_equal(out, nan);
}

static void float16_and_back_keeps_every_value(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        uint16_t half = (uint16_t)bits, again;
        float f;
        convert(DTYPE_FLOAT16, 1, &half, DTYPE_FLOAT32, &f);
        convert(DTYPE_FLOAT32, 1, &f, DTYPE_FLOAT16, &again);
        assert_true(isnan(f) ? isnan(half_to_float(again)) : again == half);
    }
}

static void odd_addresses_are_read(void **state)
{
    uint8_t raw[17] = { 0 };
    double x = 1.5;
    float out[2];
    (void)state;
    memcpy(raw + 1, &x, 8);
    memcpy(raw + 9, &x, 8);
    struct tensor a = view(DTYPE_FLOAT64, 2, raw + 1), b = view(DTYPE_FLOAT32, 2, out);
    assert_ok(tensor_convert(&a, &b));
    assert_true(out[0] == 1.5f && out[1] == 1.5f);
}

static void long_tensors_convert_in_blocks(void **state)
{
    int16_t x[1000];
    float out[1000];
    (void)state;
    for (int i = 0; i < 1000; i++)
        x[i] = (int16_t)(i * 31 - 15000);
    convert(DTYPE_INT16, 1000, x, DTYPE_FLOAT32, out);
    for (int i = 0; i < 1000; i++)
        assert_true(out[i] == (float)x[i]);
}

static void empty_tensors_convert(void **state)
{
    struct tensor a = view(DTYPE_INT8, 0, NULL), b = view(DTYPE_FLOAT16, 0, NULL),
                  c = view(DTYPE_INT8, 0, NULL);
    (void)state;
    assert_ok(tensor_convert(&a, &b));
    assert_ok(tensor_convert(&a, &c));
}

static void some_types_are_sources_only(void **state)
{
    uint8_t bytes[16] = { 0x38 }, out[16];
    struct tensor f8 = view(DTYPE_FLOAT8E4M3FN, 1, bytes), f32 = view(DTYPE_FLOAT32, 1, out);
    struct tensor complex = view(DTYPE_COMPLEX64, 1, bytes), text = view(DTYPE_STRING, 1, bytes);
    struct tensor f32_in = view(DTYPE_FLOAT32, 1, bytes), f8_out = view(DTYPE_FLOAT8E4M3FN, 1, out);
    (void)state;
    assert_ok(tensor_convert(&f8, &f32));
    assert_true(tensor_get_double(&f32, 0) == 1);
    assert_status(tensor_convert(&f32_in, &f8_out), O2W_UNSUPPORTED);
    assert_status(tensor_convert(&complex, &f32), O2W_UNSUPPORTED);
    assert_status(tensor_convert(&text, &f32), O2W_UNSUPPORTED);
    assert_status(tensor_convert(&text, &text), O2W_UNSUPPORTED);
}

static void single_elements(void **state)
{
    uint64_t big[2] = { UINT64_MAX, 5 };
    uint16_t half[1] = { 0 };
    struct tensor u = view(DTYPE_UINT64, 2, big), h = view(DTYPE_FLOAT16, 1, half);
    (void)state;
    assert_true(tensor_get_u64(&u, 0) == UINT64_MAX && tensor_get_i64(&u, 1) == 5);
    assert_true(tensor_get_double(&u, 0) == 0x1p64);
    tensor_put_double(&u, 1, 1e30);
    assert_true(big[1] == UINT64_MAX);
    tensor_put_i64(&u, 1, -2);
    assert_true(big[1] == UINT64_MAX - 1);
    tensor_put_u64(&h, 0, 65519);
    assert_true(tensor_get_double(&h, 0) == 65504);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_truncate_and_saturate),
        cmocka_unit_test(wide_integers_saturate_at_their_exact_bounds),
        cmocka_unit_test(integers_keep_their_low_bits),
        cmocka_unit_test(integers_to_float32_round_once),
        cmocka_unit_test(integers_to_bfloat16_round_once),
        cmocka_unit_test(integers_to_float16),
        cmocka_unit_test(doubles_to_float16_round_once),
        cmocka_unit_test(doubles_to_float32),
        cmocka_unit_test(to_bool_is_not_zero),
        cmocka_unit_test(from_bool_every_nonzero_byte_is_one),
        cmocka_unit_test(small_integers_are_packed_low_first),
        cmocka_unit_test(float_to_int4_saturates),
        cmocka_unit_test(equal_types_keep_all_bits),
        cmocka_unit_test(float16_and_back_keeps_every_value),
        cmocka_unit_test(odd_addresses_are_read),
        cmocka_unit_test(long_tensors_convert_in_blocks),
        cmocka_unit_test(empty_tensors_convert),
        cmocka_unit_test(some_types_are_sources_only),
        cmocka_unit_test(single_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
