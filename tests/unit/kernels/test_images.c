/* Pools and resampling. */
#include "coordinates.h"

static struct webnn_u32s two(uint32_t a, uint32_t b)
{
    return (struct webnn_u32s){ true, 2, { a, b } };
}

static struct webnn_pool2d_attributes pool_defaults(void)
{
    return (struct webnn_pool2d_attributes){ .padding = { true, 4, { 0, 0, 0, 0 } },
                                             .strides = two(1, 1),
                                             .dilations = two(1, 1) };
}

/* One pooled value by its definition; x is nchw. */
static double pooled(enum webnn_operator kind, const struct tensor *x,
                     const struct webnn_pool2d_attributes *p, const int64_t *at)
{
    double sum = 0, squares = 0, count = 0, most = -INFINITY;
    for (uint32_t ky = 0; ky < p->window_dimensions.items[0]; ky++)
        for (uint32_t kx = 0; kx < p->window_dimensions.items[1]; kx++) {
            int64_t from[4] = {
                at[0], at[1],
                at[2] * p->strides.items[0] + ky * p->dilations.items[0] - p->padding.items[0],
                at[3] * p->strides.items[1] + kx * p->dilations.items[1] - p->padding.items[2]
            };
            if (from[2] < 0 || from[2] >= x->dims[2] || from[3] < 0 || from[3] >= x->dims[3])
                continue;
            double v = value_at(x, from);
            sum += v, squares += v * v, count++;
            most = v > most ? v : most;
        }
    return kind == WEBNN_MAX_POOL2D       ? most
           : kind == WEBNN_AVERAGE_POOL2D ? sum / count
                                          : sqrt(squares);
}

static void check_pool(struct kit *k, enum webnn_operator kind, enum dtype t, struct shape in,
                       struct webnn_pool2d_attributes p, int64_t oh, int64_t ow, double allowed)
{
    struct tensor x = noise(k, t, in, -5, 5);
    struct tensor y =
        result_of(k, kind, &p, t, DIMS(in.dims[0], in.dims[1], oh, ow), &x, NULL, NULL);
    for (uint64_t i = 0; i < tensor_count(&y); i++) {
        int64_t at[MAX_RANK];
        coordinates_of(&y, i, at);
        assert_near(tensor_get_double(&y, i), pooled(kind, &x, &p, at), allowed, i);
    }
    /* the same with the channels last */
    static const uint32_t last[4] = { 0, 2, 3, 1 }, first[4] = { 0, 3, 1, 2 };
    struct webnn_transpose_attributes move = { .permutation = { true, 4, { 0 } } };
    memcpy(move.permutation.items, last, sizeof last);
    struct tensor moved =
        result_of(k, WEBNN_TRANSPOSE, &move, t,
                  DIMS(in.dims[0], in.dims[2], in.dims[3], in.dims[1]), &x, NULL, NULL);
    p.layout = WEBNN_INPUT_LAYOUT_NHWC;
    struct tensor z =
        result_of(k, kind, &p, t, DIMS(in.dims[0], oh, ow, in.dims[1]), &moved, NULL, NULL);
    memcpy(move.permutation.items, first, sizeof first);
    struct tensor back = result_of(k, WEBNN_TRANSPOSE, &move, t, shape_of(&y), &z, NULL, NULL);
    assert_memory_equal(back.data, y.data, tensor_bytes(&y));
}

static void pools_agree_with_their_definitions(void **state)
{
    struct kit k;
    kit_open(&k);
    static const enum webnn_operator kinds[] = { WEBNN_MAX_POOL2D, WEBNN_AVERAGE_POOL2D,
                                                 WEBNN_L2_POOL2D };
    for (size_t i = 0; i < 3; i++) {
        struct webnn_pool2d_attributes p = pool_defaults();
        p.window_dimensions = two(3, 2);
        check_pool(&k, kinds[i], DTYPE_FLOAT32, DIMS(2, 3, 7, 9), p, 5, 8, 1e-6);
        p.padding = (struct webnn_u32s){ true, 4, { 1, 1, 0, 1 } };
        p.strides = two(2, 1);
        check_pool(&k, kinds[i], DTYPE_FLOAT32, DIMS(2, 3, 7, 9), p, 4, 9, 1e-6);
        check_pool(&k, kinds[i], DTYPE_FLOAT64, DIMS(1, 2, 7, 9), p, 4, 9, 1e-14);
        check_pool(&k, kinds[i], DTYPE_FLOAT16, DIMS(1, 2, 7, 9), p, 4, 9, 2e-3);
        p.dilations = two(2, 3);
        p.strides = two(1, 2);
        check_pool(&k, kinds[i], DTYPE_FLOAT32, DIMS(1, 2, 9, 12), p, 7, 5, 1e-6);
        /* windows that hang over the end, as rounding up makes them */
        p = pool_defaults();
        p.window_dimensions = two(2, 2);
        p.strides = two(2, 2);
        check_pool(&k, kinds[i], DTYPE_FLOAT32, DIMS(1, 2, 5, 7), p, 3, 4, 1e-6);
        p.window_dimensions = two(30, 40);
        check_pool(&k, kinds[i], DTYPE_FLOAT32, DIMS(1, 3, 30, 40), p, 1, 1, 1e-5);
        p.strides = two(1, 1);
        p.window_dimensions = two(1, 3);
        check_pool(&k, kinds[i], DTYPE_FLOAT32, DIMS(1, 1, 2, 600), p, 2, 598, 1e-6);
    }
    kit_close(&k);
    (void)state;
}

static void max_pool_takes_integers_and_keeps_nan(void **state)
{
    struct kit k;
    kit_open(&k);
    struct webnn_pool2d_attributes p = pool_defaults();
    p.window_dimensions = two(1, 2);
    const enum dtype kinds[] = { DTYPE_INT8,   DTYPE_UINT8, DTYPE_INT32,
                                 DTYPE_UINT32, DTYPE_INT64, DTYPE_UINT64 };
    for (size_t i = 0; i < 6; i++) {
        struct tensor x = TENSOR(&k, kinds[i], DIMS(1, 1, 1, 4), 3, 9, 1, 7);
        assert_values(
            result_of(&k, WEBNN_MAX_POOL2D, &p, kinds[i], DIMS(1, 1, 1, 3), &x, NULL, NULL), 9, 9,
            7);
    }
    struct tensor x = FLOATS(&k, DIMS(1, 1, 1, 4), 1, NAN, -1, -2);
    assert_values(
        result_of(&k, WEBNN_MAX_POOL2D, &p, DTYPE_FLOAT32, DIMS(1, 1, 1, 3), &x, NULL, NULL), NAN,
        NAN, -1);
    /* a window wholly in the padding */
    p.padding = (struct webnn_u32s){ true, 4, { 0, 0, 2, 0 } };
    struct tensor one = FLOATS(&k, DIMS(1, 1, 1, 1), 5),
                  byte = TENSOR(&k, DTYPE_INT8, DIMS(1, 1, 1, 1), 5);
    assert_values(
        result_of(&k, WEBNN_MAX_POOL2D, &p, DTYPE_FLOAT32, DIMS(1, 1, 1, 2), &one, NULL, NULL),
        -INFINITY, 5);
    assert_values(
        result_of(&k, WEBNN_MAX_POOL2D, &p, DTYPE_INT8, DIMS(1, 1, 1, 2), &byte, NULL, NULL), -128,
        5);
    kit_close(&k);
    (void)state;
}

static void output_sizes_leave_the_padding_alone(void **state)
{
    struct kit k;
    kit_open(&k);
    struct webnn_pool2d_attributes p = pool_defaults();
    p.window_dimensions = two(1, 2);
    p.strides = two(1, 2);
    p.padding = (struct webnn_u32s){ true, 4, { 0, 0, 1, 1 } };
    p.output_sizes = two(1, 3);
    struct tensor x = FLOATS(&k, DIMS(1, 1, 1, 5), 1, 2, 3, 4, 5);
    assert_values(
        result_of(&k, WEBNN_AVERAGE_POOL2D, &p, DTYPE_FLOAT32, DIMS(1, 1, 1, 3), &x, NULL, NULL), 1,
        2.5, 4.5);
    kit_close(&k);
    (void)state;
}

/* ---- resample2d ---- */

static struct webnn_resample2d_attributes resample(uint32_t mode, uint32_t a, uint32_t b)
{
    return (struct webnn_resample2d_attributes){ .mode = mode, .axes = two(a, b) };
}

static void nearest_takes_the_lower_of_two(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_resample2d_attributes p =
        resample(WEBNN_INTERPOLATION_NEAREST_NEIGHBOR, 2, 3);
    struct tensor x = FLOATS(&k, DIMS(1, 1, 1, 6), 0, 1, 2, 3, 4, 5);
    /* 6 to 3: centres at 0.5, 2.5, 4.5, all ties */
    assert_values(
        result_of(&k, WEBNN_RESAMPLE2D, &p, DTYPE_FLOAT32, DIMS(1, 1, 1, 3), &x, NULL, NULL), 0, 2,
        4);
    /* 6 to 4: 0.25, 1.75, 3.25, 4.75 */
    assert_values(
        result_of(&k, WEBNN_RESAMPLE2D, &p, DTYPE_FLOAT32, DIMS(1, 1, 1, 4), &x, NULL, NULL), 0, 2,
        3, 5);
    struct tensor two_wide = TENSOR(&k, DTYPE_INT8, DIMS(1, 1, 1, 2), 7, 9);
    assert_values(
        result_of(&k, WEBNN_RESAMPLE2D, &p, DTYPE_INT8, DIMS(1, 1, 2, 5), &two_wide, NULL, NULL), 7,
        7, 7, 9, 9, 7, 7, 7, 9, 9);
    kit_close(&k);
    (void)state;
}

static double linear_at(const struct tensor *x, const uint32_t axes[2], const struct tensor *y,
                        const int64_t *at)
{
    int64_t low[2], high[2];
    double part[2];
    for (int i = 0; i < 2; i++) {
        double in = (double)x->dims[axes[i]], out = (double)y->dims[axes[i]];
        double c = ((double)at[axes[i]] + 0.5) * in / out - 0.5;
        c = c < 0 ? 0 : c > in - 1 ? in - 1 : c;
        low[i] = (int64_t)floor(c);
        high[i] = low[i] + 1 < x->dims[axes[i]] ? low[i] + 1 : low[i];
        part[i] = c - floor(c);
    }
    double sum = 0;
    for (int corner = 0; corner < 4; corner++) {
        int64_t from[MAX_RANK];
        memcpy(from, at, sizeof from);
        double weight = 1;
        for (int i = 0; i < 2; i++) {
            bool up = corner >> i & 1;
            from[axes[i]] = up ? high[i] : low[i];
            weight *= up ? part[i] : 1 - part[i];
        }
        sum += weight * value_at(x, from);
    }
    return sum;
}

static void linear_mixes_four_neighbours_on_any_axes(void **state)
{
    struct kit k;
    kit_open(&k);
    static const uint32_t axes[][2] = {
        { 2, 3 }, { 3, 2 }, { 1, 2 }, { 0, 1 }, { 0, 3 }, { 1, 3 }
    };
    for (size_t i = 0; i < 6; i++) {
        const struct webnn_resample2d_attributes p =
            resample(WEBNN_INTERPOLATION_LINEAR, axes[i][0], axes[i][1]);
        struct shape in = DIMS(3, 4, 5, 6), out = in;
        out.dims[axes[i][0]] = 9;
        out.dims[axes[i][1]] = 2;
        const enum dtype kinds[] = { DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16, DTYPE_INT8 };
        const double allowed[] = { 2e-5, 1e-13, 4e-2, 0.5001 };
        for (size_t t = 0; t < 4; t++) {
            struct tensor x = noise(&k, kinds[t], in, -90, 90);
            struct tensor y = result_of(&k, WEBNN_RESAMPLE2D, &p, kinds[t], out, &x, NULL, NULL);
            for (uint64_t e = 0; e < tensor_count(&y); e++) {
                int64_t at[MAX_RANK] = { 0 };
                coordinates_of(&y, e, at);
                double want = linear_at(&x, axes[i], &y, at);
                if (kinds[t] == DTYPE_INT8)
                    assert_true(fabs(tensor_get_double(&y, e) - want) <= allowed[t]);
                else
                    assert_near(tensor_get_double(&y, e), want, allowed[t], e);
            }
        }
    }
    kit_close(&k);
    (void)state;
}

static void exact_positions_do_not_read_neighbours(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_resample2d_attributes p = resample(WEBNN_INTERPOLATION_LINEAR, 2, 3);
    struct tensor x = FLOATS(&k, DIMS(1, 1, 1, 3), 1, INFINITY, 3);
    assert_values(
        result_of(&k, WEBNN_RESAMPLE2D, &p, DTYPE_FLOAT32, DIMS(1, 1, 1, 3), &x, NULL, NULL), 1,
        INFINITY, 3);
    struct tensor ties = TENSOR(&k, DTYPE_UINT8, DIMS(1, 1, 1, 4), 1, 2, 2, 3);
    assert_values(
        result_of(&k, WEBNN_RESAMPLE2D, &p, DTYPE_UINT8, DIMS(1, 1, 1, 2), &ties, NULL, NULL), 2,
        2);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_agree_with_their_definitions),
        cmocka_unit_test(max_pool_takes_integers_and_keeps_nan),
        cmocka_unit_test(output_sizes_leave_the_padding_alone),
        cmocka_unit_test(nearest_takes_the_lower_of_two),
        cmocka_unit_test(linear_mixes_four_neighbours_on_any_axes),
        cmocka_unit_test(exact_positions_do_not_read_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
