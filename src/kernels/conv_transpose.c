/* convTranspose2d: a matrix product gives what every input pixel adds under every kernel position;
 * each output row then collects its share. */
#include "kernels/conv.h"
#include "kernels/gemm.h"
#include "kernels/layout.h"
#include "kernels/types.h"

enum { SPREAD_MAX = 4 << 20, GRAIN = 1 << 15 };

/* The windows slide over the output: `input` of a window is the size of the output image. */
struct spread {
    int64_t images, groups, channels, filters; /* per group */
    struct window y, x;
    const void *input, *filter, *bias;
    void *output;
    float *terms;         /* [image and group][filter of the chunk][ky][kx][input pixel] */
    int64_t first, count; /* the chunk of filters */
};

/* Input row whose window has output row oy under ky; -1: none. */
static int64_t source_of(const struct window *w, int64_t o, int64_t k)
{
    int64_t at = o + w->padding - k * w->dilation;
    return at < 0 || at % w->stride != 0 || at / w->stride >= w->output ? -1 : at / w->stride;
}

VECTOR_CLONES static void add_row(float *restrict to, const float *from, int64_t n, int64_t stride)
{
    if (stride == 1)
        for (int64_t j = 0; j < n; j++)
            to[j] += from[j];
    else
        for (int64_t j = 0; j < n; j++)
            to[j * stride] += from[j];
}

static void collect_row(const struct spread *s, const float *terms, int64_t oy, float *to)
{
    int64_t pixels = s->y.output * s->x.output;
    for (int64_t ky = 0; ky < s->y.kernel; ky++) {
        int64_t iy = source_of(&s->y, oy, ky);
        if (iy < 0)
            continue;
        for (int64_t kx = 0; kx < s->x.kernel; kx++) {
            int64_t low, high;
            window_range(&s->x, kx, &low, &high);
            if (low < high)
                add_row(to + window_input(&s->x, low, kx),
                        terms + (ky * s->x.kernel + kx) * pixels + iy * s->x.output + low,
                        high - low, s->x.stride);
        }
    }
}

/* Output rows of the chunk's planes: ((image and group) * count + filter) * rows. */
static void collect_rows(void *user, int64_t begin, int64_t end)
{
    const struct spread *s = user;
    int64_t kernel = s->y.kernel * s->x.kernel, pixels = s->y.output * s->x.output;
    for (int64_t row = begin; row < end; row++) {
        int64_t plane = row / s->y.input, oy = row % s->y.input;
        int64_t set = plane / s->count, filter = s->first + plane % s->count;
        float start = 0;
        if (s->bias)
            start = ((const float *)s->bias)[set % s->groups * s->filters + filter];
        float *to =
            (float *)s->output + ((set * s->filters + filter) * s->y.input + oy) * s->x.input;
        for (int64_t j = 0; j < s->x.input; j++)
            to[j] = start;
        collect_row(s, s->terms + plane * kernel * pixels, oy, to);
    }
}

/* Rows of A are (filter, ky, kx) of the chunk, its columns the input channels of the group. */
static void spread_pack_a(const void *user, int64_t batch, int64_t row, int64_t rows, int64_t first,
                          int64_t count, int mr, float *to)
{
    const struct spread *s = user;
    int64_t kernel = s->y.kernel * s->x.kernel, line = s->filters * kernel;
    const float *filter = (const float *)s->filter + batch % s->groups * s->channels * line;
    struct matrix a = { filter + s->first * kernel, 1, line };
    matrix_pack_a(&a, row, rows, first, count, mr, to);
}

static void spread_pack_b(const void *user, int64_t batch, int64_t first, int64_t count,
                          int64_t column, int64_t columns, int nr, float *to)
{
    const struct spread *s = user;
    int64_t pixels = s->y.output * s->x.output;
    struct matrix b = { (const float *)s->input + batch * s->channels * pixels, pixels, 1 };
    matrix_pack_b(&b, first, count, column, columns, nr, to);
}

static o2w_status spread_product(const struct kernel_call *call, struct spread *s)
{
    int64_t kernel = s->y.kernel * s->x.kernel, pixels = s->y.output * s->x.output;
    int64_t sets = s->images * s->groups;
    int64_t chunk = max_i64(1, SPREAD_MAX / max_i64(1, sets * kernel * pixels));
    chunk = min_i64(chunk, s->filters);
    struct gemm g = { .m = chunk * kernel,
                      .n = pixels,
                      .k = s->channels,
                      .batch = sets,
                      .pack_a = spread_pack_a,
                      .pack_b = spread_pack_b,
                      .user = s,
                      .shared_a = s->groups == 1,
                      .row = pixels,
                      .start = GEMM_ZERO };
    struct gemm_memory memory;
    s->terms = kernel_memory(call, sets * chunk * kernel * pixels, sizeof *s->terms);
    if (!s->terms)
        return O2W_NO_MEMORY;
    TRY(gemm_reserve(call, &g, &memory));
    g.c = s->terms;
    for (s->first = 0; s->first < s->filters; s->first += s->count) {
        s->count = min_i64(chunk, s->filters - s->first);
        g.m = s->count * kernel;
        g.step = g.m * pixels;
        if (pixels > 0)
            gemm_run_in(call, &g, &memory);
        int64_t each = s->x.input * kernel;
        kernel_ranges(call, sets * s->count * s->y.input, max_i64(1, GRAIN / each), collect_rows,
                      s);
    }
    return O2W_OK;
}

static double plain_element(const struct spread *s, const double *image, const double *filter,
                            int64_t oy, int64_t ox)
{
    double sum = 0;
    int64_t line = s->filters * s->y.kernel * s->x.kernel;
    for (int64_t ky = 0; ky < s->y.kernel; ky++) {
        int64_t iy = source_of(&s->y, oy, ky);
        for (int64_t kx = 0; kx < s->x.kernel && iy >= 0; kx++) {
            int64_t ix = source_of(&s->x, ox, kx);
            for (int64_t i = 0; i < s->channels && ix >= 0; i++)
                sum += image[(i * s->y.output + iy) * s->x.output + ix] *
                       filter[i * line + ky * s->x.kernel + kx];
        }
    }
    return sum;
}

static void plain_planes(void *user, int64_t begin, int64_t end)
{
    const struct spread *s = user;
    int64_t kernel = s->y.kernel * s->x.kernel, pixels = s->y.output * s->x.output;
    for (int64_t plane = begin; plane < end; plane++) {
        int64_t set = plane / s->filters, filter = plane % s->filters, group = set % s->groups;
        const double *image = (const double *)s->input + set * s->channels * pixels;
        const double *taps =
            (const double *)s->filter + (group * s->channels * s->filters + filter) * kernel;
        double start = s->bias ? ((const double *)s->bias)[group * s->filters + filter] : 0;
        double *out = (double *)s->output + plane * s->y.input * s->x.input;
        for (int64_t i = 0; i < s->y.input * s->x.input; i++)
            out[i] = start + plain_element(s, image, taps, i / s->x.input, i % s->x.input);
    }
}

static const uint8_t filter_orders[][4] = {
    [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = { 0, 1, 2, 3 },
    [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = { 3, 2, 0, 1 },
    [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = { 3, 0, 1, 2 },
};

static struct window window_of(const struct webnn_conv_transpose2d_attributes *p, int axis,
                               int64_t image, int64_t result, int64_t kernel)
{
    return (struct window){ .input = result,
                            .output = image,
                            .kernel = kernel,
                            .stride = p->strides.given ? p->strides.items[axis] : 1,
                            .dilation = p->dilations.given ? p->dilations.items[axis] : 1,
                            .padding = p->padding.given ? p->padding.items[2 * axis] : 0 };
}

o2w_status kernel_conv_transpose2d(const struct kernel_call *call)
{
    const struct webnn_conv_transpose2d_attributes *p = call->attributes;
    const struct tensor *bias = call_operand(call, 2);
    struct tensor x, w, y;
    TRY(layout_images(call, p->input_layout, 0, &x));
    TRY(layout_arrange(call, call->operands[1], filter_orders[p->filter_layout], &w));
    TRY(layout_result(call, p->input_layout, &y));
    struct spread s = { .images = x.dims[0],
                        .groups = p->groups,
                        .channels = w.dims[0] / p->groups,
                        .filters = w.dims[1],
                        .y = window_of(p, 0, x.dims[2], y.dims[2], w.dims[2]),
                        .x = window_of(p, 1, x.dims[3], y.dims[3], w.dims[3]),
                        .input = x.data,
                        .filter = w.data,
                        .bias = bias ? bias->data : NULL,
                        .output = y.data };
    if (x.dtype == DTYPE_FLOAT64)
        kernel_ranges(call, s.images * s.groups * s.filters, 1, plain_planes, &s);
    else if (x.dtype == DTYPE_FLOAT32)
        TRY(spread_product(call, &s));
    else
        return O2W_UNSUPPORTED;
    layout_finish(call, p->input_layout, &y);
    return O2W_OK;
}
