/* quantizeLinear and dequantizeLinear: rounding, saturation, exact differences, blocks, 4 bits. */
#include "coordinates.h"

static struct tensor quantize(struct kit *k, struct tensor x, struct tensor scale,
                              struct tensor zero)
{
    return result_of(k, WEBNN_QUANTIZE_LINEAR, NULL, zero.dtype, shape_of(&x), &x, &scale, &zero);
}

static struct tensor dequantize(struct kit *k, struct tensor x, struct tensor scale,
                                struct tensor zero)
{
    return result_of(k, WEBNN_DEQUANTIZE_LINEAR, NULL, scale.dtype, shape_of(&x), &x, &scale,
                     &zero);
}

static void quotients_round_half_to_even_and_saturate(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(8), 1, 3, -1, 1000, -1000, NAN, INFINITY, -INFINITY),
                  scale = FLOATS(&k, DIMS(1), 2);
    assert_values(quantize(&k, x, scale, TENSOR(&k, DTYPE_INT8, DIMS(1), 10)), 10, 12, 10, 127,
                  -128, 0, 127, -128);
    assert_values(quantize(&k, x, scale, TENSOR(&k, DTYPE_UINT8, DIMS(1), 10)), 10, 12, 10, 255, 0,
                  0, 255, 0);
    assert_values(quantize(&k, x, scale, TENSOR(&k, DTYPE_INT4, DIMS(1), -3)), -3, -1, -3, 7, -8, 0,
                  7, -8);
    assert_values(quantize(&k, x, scale, TENSOR(&k, DTYPE_UINT4, DIMS(1), 3)), 3, 5, 3, 15, 0, 0,
                  15, 0);
    assert_values(quantize(&k, x, scale, TENSOR(&k, DTYPE_UINT16, DIMS(1), 3)), 3, 5, 3, 503, 0, 0,
                  65535, 0);
    assert_values(quantize(&k, x, scale, TENSOR(&k, DTYPE_UINT32, DIMS(1), 4294967295.0)),
                  4294967295.0, 4294967295.0, 4294967295.0, 4294967295.0, 4294966795.0, 0,
                  4294967295.0, 0);
    kit_close(&k);
    (void)state;
}

static void sums_with_the_zero_point_are_exact(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, SCALAR, 16777216), one = FLOATS(&k, SCALAR, 1),
                  zero = TENSOR(&k, DTYPE_INT32, SCALAR, 1);
    assert_values(quantize(&k, x, one, zero), 16777217);
    kit_close(&k);
    (void)state;
}

static void differences_are_taken_as_integers(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = TENSOR(&k, DTYPE_INT32, DIMS(3), 2147483647, -2147483648.0, 16777217),
                  zero = TENSOR(&k, DTYPE_INT32, DIMS(3), -2147483648.0, 2147483647, 1);
    struct tensor scale = FLOATS(&k, DIMS(3), 1, 1, 0.5);
    assert_values(dequantize(&k, x, scale, zero), 4294967296.0, -4294967296.0, 8388608);
    struct tensor u = TENSOR(&k, DTYPE_UINT32, DIMS(1), 0),
                  z = TENSOR(&k, DTYPE_UINT32, DIMS(1), 4294967295.0);
    assert_values(dequantize(&k, u, FLOATS(&k, DIMS(1), 1), z), -4294967296.0);
    struct tensor b = TENSOR(&k, DTYPE_UINT8, DIMS(2), 0, 255),
                  zb = TENSOR(&k, DTYPE_UINT8, DIMS(1), 128);
    assert_values(dequantize(&k, b, FLOATS(&k, DIMS(1), 0.5), zb), -64, 63.5);
    kit_close(&k);
    (void)state;
}

static void four_bits_are_two_to_a_byte(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = TENSOR(&k, DTYPE_INT4, DIMS(5), -8, 7, -1, 0, 3),
                  zero = TENSOR(&k, DTYPE_INT4, DIMS(1), -2);
    assert_int_equal(((const uint8_t *)x.data)[0], 0x78);
    assert_values(dequantize(&k, x, FLOATS(&k, DIMS(1), 0.5), zero), -3, 4.5, 0.5, 1, 2.5);
    struct tensor u = TENSOR(&k, DTYPE_UINT4, DIMS(3), 0, 15, 8),
                  zu = TENSOR(&k, DTYPE_UINT4, DIMS(3), 8, 8, 1);
    assert_values(dequantize(&k, u, FLOATS(&k, DIMS(3), 1, 1, 2), zu), -8, 7, 14);
    kit_close(&k);
    (void)state;
}

/* Every dim of the scale cuts its dim of x into equal blocks. */
static void check_blocks(struct kit *k, enum dtype t, struct shape sx, struct shape ss)
{
    struct tensor x = noise(k, DTYPE_FLOAT32, sx, -30, 30),
                  scale = noise(k, DTYPE_FLOAT32, ss, 0.5, 4), zero = noise(k, t, ss, 0, 6);
    struct tensor q = quantize(k, x, scale, zero), y = dequantize(k, q, scale, zero);
    for (uint64_t i = 0; i < tensor_count(&x); i++) {
        int64_t at[MAX_RANK], block[MAX_RANK];
        coordinates_of(&x, i, at);
        for (uint32_t d = 0; d < x.rank; d++)
            block[d] = at[d] / (sx.dims[d] / ss.dims[d]);
        float s = (float)value_at(&scale, block);
        double z = value_at(&zero, block),
               want = (double)rintf((float)tensor_get_double(&x, i) / s) + z;
        double low = (double)dtype_min(t), high = (double)dtype_max(t);
        want = want < low ? low : want > high ? high : want;
        assert_true(tensor_get_double(&q, i) == want);
        assert_true(tensor_get_double(&y, i) == (double)((float)(want - z) * s));
    }
}

static void scales_go_by_blocks(void **state)
{
    struct kit k;
    kit_open(&k);
    const enum dtype kinds[] = { DTYPE_INT8,  DTYPE_UINT8,  DTYPE_INT4, DTYPE_UINT4,
                                 DTYPE_INT32, DTYPE_UINT32, DTYPE_INT16 };
    for (size_t t = 0; t < sizeof kinds / sizeof *kinds; t++) {
        check_blocks(&k, kinds[t], DIMS(6, 8), DIMS(1, 1));
        check_blocks(&k, kinds[t], DIMS(6, 8), DIMS(6, 1));
        check_blocks(&k, kinds[t], DIMS(6, 8), DIMS(1, 8));
        check_blocks(&k, kinds[t], DIMS(6, 8), DIMS(6, 8));
        check_blocks(&k, kinds[t], DIMS(6, 8), DIMS(3, 2));
        check_blocks(&k, kinds[t], DIMS(2, 9, 4), DIMS(1, 3, 4));
        check_blocks(&k, kinds[t], SCALAR, SCALAR);
    }
    kit_close(&k);
    (void)state;
}

static void float16_scales_round_once(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = TENSOR(&k, DTYPE_INT8, DIMS(2), 127, -3),
                  zero = TENSOR(&k, DTYPE_INT8, DIMS(1), 0);
    struct tensor scale = TENSOR(&k, DTYPE_FLOAT16, DIMS(1), 0.0999755859375);
    /* the second product is half way between two values of float16 */
    assert_values(dequantize(&k, x, scale, zero), 12.6953125, -0.2998046875);
    struct tensor back = TENSOR(&k, DTYPE_FLOAT16, DIMS(2), 12.6953125, -0.25);
    assert_values(quantize(&k, back, scale, zero), 127, -3);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_round_half_to_even_and_saturate),
        cmocka_unit_test(sums_with_the_zero_point_are_exact),
        cmocka_unit_test(differences_are_taken_as_integers),
        cmocka_unit_test(four_bits_are_two_to_a_byte),
        cmocka_unit_test(scales_go_by_blocks),
        cmocka_unit_test(float16_scales_round_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
