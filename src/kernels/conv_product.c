/* conv2d as a matrix product: filters × windows. A window's elements are the rows of B, an output
 * pixel is a column; B exists a block at a time, gathered straight into the packed form. */
#include "kernels/conv.h"
#include "kernels/gemm.h"

#include <string.h>

/* Neighbouring output pixels of one row. */
struct segment {
    int64_t length, y, x; /* output position of the first */
};

struct panel {
    struct segment segments[GEMM_NR_MAX];
    int count;
};

static void panel_begin(struct panel *p, const struct conv *c, int64_t column, int64_t columns)
{
    p->count = 0;
    while (columns > 0) {
        struct segment *s = &p->segments[p->count++];
        s->y = column / c->x.output;
        s->x = column % c->x.output;
        s->length = min_i64(columns, c->x.output - s->x);
        column += s->length;
        columns -= s->length;
    }
}

/* Elements of an input row under kernel position kx; those outside are 0. */
static void copy_row(const struct window *w, const float *row, int64_t kx, const struct segment *s,
                     float *to)
{
    int64_t first = window_input(w, s->x, kx), last = first + (s->length - 1) * w->stride;
    if (first >= 0 && last < w->input && w->stride == 1) {
        if (s->length == 16)
            memcpy(to, row + first, 16 * sizeof *to);
        else
            memcpy(to, row + first, (size_t)s->length * sizeof *to);
        return;
    }
    for (int64_t j = 0; j < s->length; j++) {
        int64_t at = first + j * w->stride;
        to[j] = at >= 0 && at < w->input ? row[at] : 0.0f;
    }
}

static void pack_line(const struct conv *c, const float *plane, int64_t ky, int64_t kx,
                      const struct panel *p, float *to)
{
    for (int i = 0; i < p->count; i++) {
        const struct segment *s = &p->segments[i];
        int64_t y = window_input(&c->y, s->y, ky);
        if (y >= 0 && y < c->y.input)
            copy_row(&c->x, plane + y * c->x.input, kx, s, to);
        else
            memset(to, 0, (size_t)s->length * sizeof *to);
        to += s->length;
    }
}

static void conv_pack_b(const void *user, int64_t batch, int64_t first, int64_t count,
                        int64_t column, int64_t columns, int nr, float *to)
{
    const struct conv *c = user;
    int64_t plane_size = c->y.input * c->x.input, kernel = c->y.kernel * c->x.kernel;
    const float *planes = (const float *)c->input + batch * c->channels * plane_size;
    struct panel p;
    panel_begin(&p, c, column, columns);
    int64_t channel = first / kernel, ky = first % kernel / c->x.kernel, kx = first % c->x.kernel;
    if (columns < nr)
        memset(to, 0, (size_t)(count * nr) * sizeof *to);
    for (int64_t i = 0; i < count; i++) {
        pack_line(c, planes + channel * plane_size, ky, kx, &p, to + i * nr);
        if (++kx < c->x.kernel)
            continue;
        kx = 0;
        if (++ky < c->y.kernel)
            continue;
        ky = 0;
        channel++;
    }
}

/* 1 × 1 windows side by side: the image itself is B. */
static void pointwise_pack_b(const void *user, int64_t batch, int64_t first, int64_t count,
                             int64_t column, int64_t columns, int nr, float *to)
{
    const struct conv *c = user;
    int64_t plane_size = c->y.input * c->x.input;
    struct matrix b = { (const float *)c->input + batch * c->channels * plane_size, plane_size, 1 };
    matrix_pack_b(&b, first, count, column, columns, nr, to);
}

static void conv_pack_a(const void *user, int64_t batch, int64_t row, int64_t rows, int64_t first,
                        int64_t count, int mr, float *to)
{
    const struct conv *c = user;
    int64_t k = c->channels * c->y.kernel * c->x.kernel;
    struct matrix a = { (const float *)c->filter + batch % c->groups * c->filters * k, k, 1 };
    matrix_pack_a(&a, row, rows, first, count, mr, to);
}

static bool is_whole(const struct window *w)
{
    return w->kernel == 1 && w->stride == 1 && w->padding == 0 && w->input == w->output;
}

o2w_status conv_product(const struct kernel_call *call, const struct conv *c)
{
    int64_t pixels = c->y.output * c->x.output;
    struct gemm g = { .m = c->filters,
                      .n = pixels,
                      .k = c->channels * c->y.kernel * c->x.kernel,
                      .batch = c->images * c->groups,
                      .pack_a = conv_pack_a,
                      .pack_b = is_whole(&c->y) && is_whole(&c->x) ? pointwise_pack_b : conv_pack_b,
                      .user = c,
                      .shared_a = c->groups == 1,
                      .c = c->output,
                      .row = pixels,
                      .step = c->filters * pixels,
                      .start = c->bias ? GEMM_ROWS : GEMM_ZERO,
                      .rows = c->bias,
                      .row_sets = c->groups };
    return gemm_run(call, &g);
}
