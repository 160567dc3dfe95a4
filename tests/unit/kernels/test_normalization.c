/* Normalisations and softmax against their formulas in double. */
#include "coordinates.h"

static struct tensor call_with(struct kit *k, enum webnn_operator kind, const void *attributes,
                               struct tensor x, const struct tensor *const *more, uint32_t count)
{
    struct call c = { .kind = kind,
                      .attributes = attributes,
                      .operand_count = count + 1,
                      .operands = { &x },
                      .result_count = 1 };
    for (uint32_t i = 0; i < count; i++)
        c.operands[i + 1] = more[i];
    c.results[0] = blank(k, x.dtype, shape_of(&x));
    run(k, &c);
    return c.results[0];
}

static void batch_normalization_scales_by_channel(void **state)
{
    struct kit k;
    kit_open(&k);
    for (uint32_t axis = 0; axis < 3; axis++)
        for (int parts = 0; parts < 4; parts++) {
            const struct webnn_batch_normalization_attributes p = { .axis = axis, .epsilon = 0.01 };
            struct tensor x = noise(&k, DTYPE_FLOAT32, DIMS(3, 4, 5), -9, 9);
            struct shape channels = DIMS(x.dims[axis]);
            struct tensor mean = noise(&k, DTYPE_FLOAT32, channels, -1, 1),
                          variance = noise(&k, DTYPE_FLOAT32, channels, 0, 2);
            struct tensor scale = noise(&k, DTYPE_FLOAT32, channels, -2, 2),
                          bias = noise(&k, DTYPE_FLOAT32, channels, -2, 2);
            const struct tensor *more[4] = { &mean, &variance, parts & 1 ? &scale : NULL,
                                             parts & 2 ? &bias : NULL };
            struct tensor y = call_with(&k, WEBNN_BATCH_NORMALIZATION, &p, x, more, 4);
            for (uint64_t i = 0; i < tensor_count(&x); i++) {
                int64_t at[MAX_RANK];
                coordinates_of(&x, i, at);
                uint64_t c = (uint64_t)at[axis];
                double want = (tensor_get_double(&x, i) - tensor_get_double(&mean, c)) /
                              sqrt(tensor_get_double(&variance, c) + (double)0.01f);
                want = want * (parts & 1 ? tensor_get_double(&scale, c) : 1) +
                       (parts & 2 ? tensor_get_double(&bias, c) : 0);
                assert_true(float_units(tensor_get_double(&y, i), want) <= 1);
            }
        }
    kit_close(&k);
    (void)state;
}

/* Mean and biased variance over the elements that share every coordinate but those of the axes. */
static void statistics(const struct tensor *x, const struct webnn_u32s *axes, const int64_t *at,
                       double *mean, double *variance)
{
    double sum = 0, squares = 0, count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < tensor_count(x); i++) {
            int64_t other[MAX_RANK];
            coordinates_of(x, i, other);
            bool same = true;
            for (uint32_t d = 0; d < x->rank; d++) {
                bool free = false;
                for (uint32_t a = 0; a < axes->count; a++)
                    free = free || axes->items[a] == d;
                same = same && (free || other[d] == at[d]);
            }
            double v = tensor_get_double(x, i);
            if (same && pass == 0)
                sum += v, count++;
            else if (same)
                squares += (v - sum / count) * (v - sum / count);
        }
    *mean = sum / count;
    *variance = squares / count;
}

static void check_layer(struct kit *k, enum dtype t, struct shape s, struct webnn_u32s axes,
                        bool scaled, double allowed)
{
    const struct webnn_layer_normalization_attributes p = { .axes = axes, .epsilon = 1e-5 };
    struct tensor x = noise(k, t, s, -3, 5);
    struct shape part = { .rank = axes.count };
    for (uint32_t a = 0; a < axes.count; a++)
        part.dims[a] = s.dims[axes.items[a]];
    struct tensor scale = noise(k, t, part, -2, 2), bias = noise(k, t, part, -2, 2);
    const struct tensor *more[2] = { scaled ? &scale : NULL, &bias };
    struct tensor y = call_with(k, WEBNN_LAYER_NORMALIZATION, &p, x, more, 2);
    for (uint64_t i = 0; i < tensor_count(&x); i++) {
        int64_t at[MAX_RANK], inner[MAX_RANK] = { 0 };
        double mean, variance;
        coordinates_of(&x, i, at);
        statistics(&x, &axes, at, &mean, &variance);
        for (uint32_t a = 0; a < axes.count; a++)
            inner[a] = at[axes.items[a]];
        double want = (tensor_get_double(&x, i) - mean) / sqrt(variance + 1e-5);
        want = want * (scaled ? value_at(&scale, inner) : 1) + value_at(&bias, inner);
        assert_near(tensor_get_double(&y, i), want, allowed, i);
    }
}

static void layer_normalization_takes_axes_in_any_order(void **state)
{
    struct kit k;
    kit_open(&k);
    check_layer(&k, DTYPE_FLOAT32, DIMS(3, 4, 5), (struct webnn_u32s){ true, 1, { 2 } }, true,
                1e-6);
    check_layer(&k, DTYPE_FLOAT32, DIMS(3, 4, 5), (struct webnn_u32s){ true, 2, { 1, 2 } }, false,
                1e-6);
    check_layer(&k, DTYPE_FLOAT32, DIMS(3, 4, 5), (struct webnn_u32s){ true, 2, { 2, 1 } }, true,
                1e-6);
    check_layer(&k, DTYPE_FLOAT32, DIMS(3, 4, 5), (struct webnn_u32s){ true, 2, { 2, 0 } }, true,
                1e-6);
    check_layer(&k, DTYPE_FLOAT64, DIMS(2, 3, 2, 3), (struct webnn_u32s){ true, 3, { 0, 3, 1 } },
                true, 1e-12);
    check_layer(&k, DTYPE_FLOAT16, DIMS(2, 3, 6), (struct webnn_u32s){ true, 1, { 2 } }, true,
                4e-3);
    kit_close(&k);
    (void)state;
}

static void without_axes_every_element_is_its_own_mean(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_layer_normalization_attributes p = { .axes = { .given = true },
                                                            .epsilon = 1e-5 };
    struct tensor x = FLOATS(&k, DIMS(3), 1, -2, 3), bias = FLOATS(&k, SCALAR, 0.25);
    const struct tensor *more[2] = { NULL, &bias };
    assert_values(call_with(&k, WEBNN_LAYER_NORMALIZATION, &p, x, NULL, 0), 0, 0, 0);
    assert_values(call_with(&k, WEBNN_LAYER_NORMALIZATION, &p, x, more, 2), 0.25, 0.25, 0.25);
    kit_close(&k);
    (void)state;
}

static void instance_normalization_per_image_and_channel(void **state)
{
    struct kit k;
    kit_open(&k);
    for (uint32_t layout = 0; layout < 2; layout++) {
        const struct webnn_instance_normalization_attributes p = { .epsilon = 0, .layout = layout };
        uint32_t channel = layout == WEBNN_INPUT_LAYOUT_NCHW ? 1 : 3;
        struct webnn_u32s axes = { true, 2, { layout ? 1 : 2, layout ? 2 : 3 } };
        struct tensor x =
            noise(&k, DTYPE_FLOAT32, layout ? DIMS(2, 4, 5, 3) : DIMS(2, 3, 4, 5), -3, 5);
        struct tensor scale = noise(&k, DTYPE_FLOAT32, DIMS(3), -2, 2),
                      bias = noise(&k, DTYPE_FLOAT32, DIMS(3), -2, 2);
        const struct tensor *more[2] = { &scale, &bias };
        struct tensor y = call_with(&k, WEBNN_INSTANCE_NORMALIZATION, &p, x, more, 2);
        for (uint64_t i = 0; i < tensor_count(&x); i++) {
            int64_t at[MAX_RANK];
            double mean, variance;
            coordinates_of(&x, i, at);
            statistics(&x, &axes, at, &mean, &variance);
            double want = (tensor_get_double(&x, i) - mean) / sqrt(variance) *
                              tensor_get_double(&scale, (uint64_t)at[channel]) +
                          tensor_get_double(&bias, (uint64_t)at[channel]);
            assert_near(tensor_get_double(&y, i), want, 1e-6, i);
        }
    }
    kit_close(&k);
    (void)state;
}

static void a_large_mean_does_not_hide_the_variance(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_layer_normalization_attributes p = { .axes = { true, 1, { 0 } },
                                                            .epsilon = 0 };
    struct tensor x = FLOATS(&k, DIMS(4), 100000, 100001, 100002, 100003);
    struct tensor y = call_with(&k, WEBNN_LAYER_NORMALIZATION, &p, x, NULL, 0);
    assert_near(tensor_get_double(&y, 0), -1.5 / sqrt(1.25), 1e-6, 0);
    kit_close(&k);
    (void)state;
}

static void check_softmax(struct kit *k, enum dtype t, struct shape s, uint32_t axis,
                          double allowed)
{
    const struct webnn_softmax_attributes p = { .axis = axis };
    struct tensor x = noise(k, t, s, -20, 20), y = unary(k, WEBNN_SOFTMAX, &p, x);
    for (uint64_t i = 0; i < tensor_count(&x); i++) {
        int64_t at[MAX_RANK];
        coordinates_of(&x, i, at);
        double sum = 0;
        for (int64_t j = 0; j < s.dims[axis]; j++) {
            at[axis] = j;
            sum += exp(value_at(&x, at) - tensor_get_double(&x, i));
        }
        /* small results keep their relative precision */
        assert_true(fabs(tensor_get_double(&y, i) * sum - 1) <= allowed || t == DTYPE_FLOAT16);
        assert_near(tensor_get_double(&y, i), 1 / sum, allowed, i);
    }
}

static void softmax_along_any_axis(void **state)
{
    struct kit k;
    kit_open(&k);
    for (uint32_t axis = 0; axis < 3; axis++) {
        check_softmax(&k, DTYPE_FLOAT32, DIMS(3, 4, 5), axis, 4e-7);
        check_softmax(&k, DTYPE_FLOAT64, DIMS(3, 4, 5), axis, 1e-13);
        check_softmax(&k, DTYPE_FLOAT16, DIMS(3, 4, 5), axis, 1e-3);
    }
    check_softmax(&k, DTYPE_FLOAT32, DIMS(2, 3, 300), 1, 4e-7);
    check_softmax(&k, DTYPE_FLOAT32, DIMS(2, 1000), 1, 4e-7);
    kit_close(&k);
    (void)state;
}

static void softmax_at_the_ends(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_softmax_attributes p = { .axis = 1 };
    struct tensor x =
        FLOATS(&k, DIMS(4, 2), 3e38, 3e38, -INFINITY, 1, -INFINITY, -INFINITY, NAN, 1);
    struct tensor y = unary(&k, WEBNN_SOFTMAX, &p, x);
    assert_true(tensor_get_double(&y, 0) == 0.5 && tensor_get_double(&y, 2) == 0 &&
                tensor_get_double(&y, 3) == 1);
    for (uint64_t i = 4; i < 8; i++)
        assert_true(isnan(tensor_get_double(&y, i)));
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_normalization_scales_by_channel),
        cmocka_unit_test(layer_normalization_takes_axes_in_any_order),
        cmocka_unit_test(without_axes_every_element_is_its_own_mean),
        cmocka_unit_test(instance_normalization_per_image_and_channel),
        cmocka_unit_test(a_large_mean_does_not_hide_the_variance),
        cmocka_unit_test(softmax_along_any_axis),
        cmocka_unit_test(softmax_at_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
