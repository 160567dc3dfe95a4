/* conv2d and convTranspose2d against their definitions, in every layout. */
#include "coordinates.h"

struct window2 {
    int64_t input[2], kernel[2];
    uint32_t padding[4], strides[2], dilations[2];
};

static int64_t conv_size(const struct window2 *w, int axis)
{
    int64_t padded = w->input[axis] + w->padding[2 * axis] + w->padding[2 * axis + 1];
    return (padded - (w->kernel[axis] - 1) * w->dilations[axis] - 1) / w->strides[axis] + 1;
}

/* Dims of a 4-d tensor in another order: out[d] = in[order[d]]. */
static struct shape ordered(struct shape s, const int order[4])
{
    struct shape out = { .rank = 4 };
    for (int d = 0; d < 4; d++)
        out.dims[d] = s.dims[order[d]];
    return out;
}

/* The element of a tensor stored in `order` at coordinates in the canonical one. */
static double stored(const struct tensor *t, const int order[4], int64_t a, int64_t b, int64_t c,
                     int64_t d)
{
    const int64_t canonical[4] = { a, b, c, d };
    int64_t at[4];
    for (int i = 0; i < 4; i++)
        at[i] = canonical[order[i]];
    return value_at(t, at);
}

static const int image_orders[2][4] = { { 0, 1, 2, 3 }, { 0, 2, 3, 1 } };
/* oihw as oihw, hwio, ohwi, ihwo */
static const int filter_orders[4][4] = {
    { 0, 1, 2, 3 }, { 2, 3, 1, 0 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 }
};

static struct webnn_u32s list(uint32_t count, const uint32_t *items)
{
    struct webnn_u32s l = { .given = true, .count = count };
    memcpy(l.items, items, count * sizeof *items);
    return l;
}

static void check_conv(struct kit *k, enum dtype t, const struct window2 *w, int64_t images,
                       uint32_t groups, int64_t channels, int64_t filters, uint32_t input_layout,
                       uint32_t filter_layout, bool with_bias, double allowed)
{
    const int *image = image_orders[input_layout], *order = filter_orders[filter_layout];
    const struct webnn_conv2d_attributes p = { list(4, w->padding),   list(2, w->strides),
                                               list(2, w->dilations), groups,
                                               input_layout,          filter_layout };
    int64_t oh = conv_size(w, 0), ow = conv_size(w, 1), all = groups * filters;
    struct tensor x = noise(
        k, t, ordered(DIMS(images, groups * channels, w->input[0], w->input[1]), image), -1, 1);
    struct tensor f =
        noise(k, t, ordered(DIMS(all, channels, w->kernel[0], w->kernel[1]), order), -1, 1);
    struct tensor b = noise(k, t, DIMS(all), -1, 1);
    struct tensor y = result_of(k, WEBNN_CONV2D, &p, t, ordered(DIMS(images, all, oh, ow), image),
                                &x, &f, with_bias ? &b : NULL);
    for (int64_t i = 0; i < images * all * oh * ow; i++) {
        int64_t n = i / (all * oh * ow), o = i / (oh * ow) % all, oy = i / ow % oh, ox = i % ow;
        double sum = with_bias ? tensor_get_double(&b, (uint64_t)o) : 0;
        for (int64_t c = 0; c < channels; c++)
            for (int64_t ky = 0; ky < w->kernel[0]; ky++)
                for (int64_t kx = 0; kx < w->kernel[1]; kx++) {
                    int64_t iy = oy * w->strides[0] + ky * w->dilations[0] - w->padding[0];
                    int64_t ix = ox * w->strides[1] + kx * w->dilations[1] - w->padding[2];
                    if (iy < 0 || iy >= w->input[0] || ix < 0 || ix >= w->input[1])
                        continue;
                    sum += stored(&x, image, n, o / filters * channels + c, iy, ix) *
                           stored(&f, order, o, c, ky, kx);
                }
        assert_near(stored(&y, image, n, o, oy, ox), sum, allowed, (size_t)i);
    }
}

static const struct window2 windows[] = {
    { { 9, 11 }, { 3, 3 }, { 1, 1, 1, 1 }, { 1, 1 }, { 1, 1 } },
    { { 9, 11 }, { 3, 3 }, { 0, 1, 1, 0 }, { 2, 2 }, { 1, 1 } },
    { { 9, 40 }, { 3, 5 }, { 2, 2, 4, 4 }, { 1, 1 }, { 2, 2 } },
    { { 7, 7 }, { 5, 5 }, { 2, 2, 2, 2 }, { 1, 2 }, { 1, 1 } },
    { { 8, 20 }, { 1, 1 }, { 0, 0, 0, 0 }, { 1, 1 }, { 1, 1 } },
    { { 8, 20 }, { 1, 1 }, { 0, 0, 0, 0 }, { 2, 3 }, { 1, 1 } },
    { { 3, 3 }, { 2, 2 }, { 4, 4, 4, 4 }, { 3, 3 }, { 1, 1 } },
    { { 1, 50 }, { 1, 7 }, { 0, 0, 3, 3 }, { 1, 1 }, { 1, 1 } },
    { { 2, 9 }, { 3, 9 }, { 1, 1, 4, 4 }, { 1, 1 }, { 1, 1 } },
    { { 50, 1 }, { 5, 1 }, { 2, 1, 0, 0 }, { 2, 1 }, { 1, 1 } },
    { { 3, 2 }, { 3, 2 }, { 0, 0, 0, 0 }, { 1, 1 }, { 1, 1 } },
};

enum { WINDOWS = sizeof windows / sizeof *windows };

static void conv_agrees_with_its_definition(void **state)
{
    struct kit k;
    kit_open(&k);
    for (size_t i = 0; i < WINDOWS; i++) {
        check_conv(&k, DTYPE_FLOAT32, &windows[i], 2, 1, 3, 7, 0, 0, true, 1e-5);
        check_conv(&k, DTYPE_FLOAT32, &windows[i], 1, 2, 3, 4, 0, 0, false, 1e-5);
        check_conv(&k, DTYPE_FLOAT32, &windows[i], 2, 5, 1, 1, 0, 0, true, 1e-5);
        check_conv(&k, DTYPE_FLOAT32, &windows[i], 1, 3, 1, 2, 0, 0, false, 1e-5);
        check_conv(&k, DTYPE_FLOAT64, &windows[i], 1, 2, 2, 2, 0, 0, true, 1e-14);
        check_conv(&k, DTYPE_FLOAT16, &windows[i], 1, 1, 2, 3, 0, 0, true, 3e-3);
    }
    kit_close(&k);
    (void)state;
}

static void conv_reads_every_layout(void **state)
{
    struct kit k;
    kit_open(&k);
    for (uint32_t image = 0; image < 2; image++)
        for (uint32_t filter = 0; filter < 4; filter++) {
            check_conv(&k, DTYPE_FLOAT32, &windows[1], 2, 1, 3, 5, image, filter, true, 1e-5);
            check_conv(&k, DTYPE_FLOAT32, &windows[0], 1, 4, 1, 1, image, filter, true, 1e-5);
            check_conv(&k, DTYPE_FLOAT32, &windows[2], 1, 2, 2, 3, image, filter, false, 1e-5);
        }
    kit_close(&k);
    (void)state;
}

static void conv_crosses_blocks_of_channels_and_pixels(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct window2 large = { { 24, 24 }, { 3, 3 }, { 1, 1, 1, 1 }, { 1, 1 }, { 1, 1 } };
    check_conv(&k, DTYPE_FLOAT32, &large, 1, 1, 40, 50, 0, 0, true, 2e-5);
    kit_close(&k);
    (void)state;
}

/* ---- convTranspose2d ---- */

/* iohw as iohw, hwoi, ohwi */
static const int transposed_orders[3][4] = { { 0, 1, 2, 3 }, { 2, 3, 1, 0 }, { 1, 2, 3, 0 } };

static void check_transposed(struct kit *k, enum dtype t, const struct window2 *w,
                             const uint32_t more[2], int64_t images, uint32_t groups,
                             int64_t channels, int64_t filters, uint32_t input_layout,
                             uint32_t filter_layout, double allowed)
{
    const int *image = image_orders[input_layout], *order = transposed_orders[filter_layout];
    const struct webnn_conv_transpose2d_attributes p = { list(4, w->padding),   list(2, w->strides),
                                                         list(2, w->dilations), list(2, more),
                                                         { .given = false },    groups,
                                                         input_layout,          filter_layout };
    int64_t out[2], all = groups * filters;
    for (int a = 0; a < 2; a++)
        out[a] = (w->input[a] - 1) * w->strides[a] + (w->kernel[a] - 1) * w->dilations[a] + 1 -
                 w->padding[2 * a] - w->padding[2 * a + 1] + more[a];
    struct tensor x = noise(
        k, t, ordered(DIMS(images, groups * channels, w->input[0], w->input[1]), image), -1, 1);
    struct tensor f = noise(
        k, t, ordered(DIMS(groups * channels, filters, w->kernel[0], w->kernel[1]), order), -1, 1);
    struct tensor b = noise(k, t, DIMS(all), -1, 1);
    struct tensor y = result_of(k, WEBNN_CONV_TRANSPOSE2D, &p, t,
                                ordered(DIMS(images, all, out[0], out[1]), image), &x, &f, &b);
    int64_t count = images * all * out[0] * out[1];
    double *sums = arena_alloc(&k->arena, (size_t)count * sizeof *sums, 8);
    for (int64_t i = 0; i < count; i++)
        sums[i] = tensor_get_double(&b, (uint64_t)(i / (out[0] * out[1]) % all));
    for (int64_t n = 0; n < images; n++)
        for (int64_t c = 0; c < groups * channels; c++)
            for (int64_t iy = 0; iy < w->input[0]; iy++)
                for (int64_t ix = 0; ix < w->input[1]; ix++)
                    for (int64_t o = 0; o < filters; o++)
                        for (int64_t ky = 0; ky < w->kernel[0]; ky++)
                            for (int64_t kx = 0; kx < w->kernel[1]; kx++) {
                                int64_t oy =
                                    iy * w->strides[0] + ky * w->dilations[0] - w->padding[0];
                                int64_t ox =
                                    ix * w->strides[1] + kx * w->dilations[1] - w->padding[2];
                                if (oy < 0 || oy >= out[0] || ox < 0 || ox >= out[1])
                                    continue;
                                int64_t plane = n * all + c / channels * filters + o;
                                sums[(plane * out[0] + oy) * out[1] + ox] +=
                                    stored(&x, image, n, c, iy, ix) *
                                    stored(&f, order, c, o, ky, kx);
                            }
    for (int64_t i = 0; i < count; i++)
        assert_near(stored(&y, image, i / (all * out[0] * out[1]), i / (out[0] * out[1]) % all,
                           i / out[1] % out[0], i % out[1]),
                    sums[i], allowed, (size_t)i);
}

static void transposed_convolution_scatters(void **state)
{
    struct kit k;
    kit_open(&k);
    static const struct window2 w[] = {
        { { 4, 5 }, { 2, 2 }, { 0, 0, 0, 0 }, { 2, 2 }, { 1, 1 } },
        { { 4, 5 }, { 3, 3 }, { 1, 1, 1, 0 }, { 2, 3 }, { 1, 1 } },
        { { 4, 5 }, { 3, 2 }, { 0, 2, 1, 1 }, { 1, 1 }, { 2, 3 } },
        { { 1, 1 }, { 5, 5 }, { 1, 1, 1, 1 }, { 1, 1 }, { 1, 1 } },
    };
    static const uint32_t more[][2] = { { 1, 0 }, { 1, 2 }, { 0, 0 }, { 0, 0 } };
    for (size_t i = 0; i < 4; i++)
        for (uint32_t image = 0; image < 2; image++)
            for (uint32_t filter = 0; filter < 3; filter++) {
                check_transposed(&k, DTYPE_FLOAT32, &w[i], more[i], 2, 1, 3, 5, image, filter,
                                 1e-5);
                check_transposed(&k, DTYPE_FLOAT32, &w[i], more[i], 1, 2, 2, 3, image, filter,
                                 1e-5);
                check_transposed(&k, DTYPE_FLOAT64, &w[i], more[i], 1, 3, 1, 1, image, filter,
                                 1e-14);
            }
    const struct window2 large = { { 40, 300 }, { 2, 2 }, { 0, 0, 0, 0 }, { 2, 2 }, { 1, 1 } };
    check_transposed(&k, DTYPE_FLOAT32, &large, more[2], 1, 1, 4, 3, 0, 0, 1e-5);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv_agrees_with_its_definition),
        cmocka_unit_test(conv_reads_every_layout),
        cmocka_unit_test(conv_crosses_blocks_of_channels_and_pixels),
        cmocka_unit_test(transposed_convolution_scatters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
