/* conv2d as a matrix product: filters × windows. A window's elements are the rows of B, an output
 * pixel is a column; B exists a block at a time, gathered straight into the packed form. */
#include "kernels/conv.h"
#include "kernels/matvec.h"

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

/* Sixteen floats, as vector instructions and not as a call. */
static inline void copy_16(float *to, const float *from)
{
    for (int j = 0; j < 16; j++)
        to[j] = from[j];
}

/* `length` elements that are all inside the row. */
static void copy_inside(const float *from, int64_t length, int64_t stride, float *to)
{
    if (stride == 1 && length == 16)
        copy_16(to, from);
    else if (stride == 1)
        memcpy(to, from, (size_t)length * sizeof *to);
    else if (stride == 2)
        for (int64_t j = 0; j < length; j++)
            to[j] = from[2 * j];
    else
        for (int64_t j = 0; j < length; j++)
            to[j] = from[j * stride];
}

/* Elements of an input row under kernel position kx; those outside are 0. */
static void copy_row(const struct window *w, const float *row, int64_t kx, const struct segment *s,
                     float *to)
{
    int64_t first = window_input(w, s->x, kx), last = first + (s->length - 1) * w->stride;
    if (first >= 0 && last < w->input) {
        copy_inside(row + first, s->length, w->stride, to);
        return;
    }
    for (int64_t j = 0; j < s->length; j++) {
        int64_t at = first + j * w->stride;
        to[j] = at >= 0 && at < w->input ? row[at] : 0.0f;
    }
}

/* One segment under all kernel positions of one kernel row, `kernel` of them from kx on. */
static void pack_kernel_row(const struct conv *c, const float *plane, int64_t ky, int64_t kx,
                            int64_t kernel, const struct segment *s, int nr, float *to)
{
    int64_t y = window_input(&c->y, s->y, ky);
    bool inside = y >= 0 && y < c->y.input;
    const float *row = inside ? plane + y * c->x.input : NULL;
    for (int64_t k = 0; k < kernel; k++) {
        if (inside)
            copy_row(&c->x, row, kx + k, s, to + k * nr);
        else
            memset(to + k * nr, 0, (size_t)s->length * sizeof *to);
    }
}

/* Columns that fit into one panel. */
static void pack_panel(const struct conv *c, int64_t batch, int64_t first, int64_t count,
                       int64_t column, int64_t columns, int nr, float *to)
{
    int64_t plane_size = c->y.input * c->x.input, kernel = c->y.kernel * c->x.kernel;
    const float *planes = (const float *)c->input + batch * c->channels * plane_size;
    struct panel p;
    panel_begin(&p, c, column, columns);
    if (columns < nr)
        memset(to, 0, (size_t)(count * nr) * sizeof *to);
    for (int64_t k = first; k < first + count;) { /* a row of the kernel at a time */
        int64_t kx = k % c->x.kernel, run = min_i64(c->x.kernel - kx, first + count - k);
        const float *plane = planes + k / kernel * plane_size;
        float *line = to + (k - first) * nr;
        for (int i = 0; i < p.count; i++) {
            pack_kernel_row(c, plane, k % kernel / c->x.kernel, kx, run, &p.segments[i], nr, line);
            line += p.segments[i].length;
        }
        k += run;
    }
}

static void conv_pack_b(const void *user, int64_t batch, int64_t first, int64_t count,
                        int64_t column, int64_t columns, int nr, float *to)
{
    for (int64_t j = 0; j < columns; j += nr)
        pack_panel(user, batch, first, count, column + j, min_i64(nr, columns - j), nr,
                   to + j / nr * gemm_panel(count, nr));
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

/* Few output pixels: each is a row of windows times the filters, which are read once and not packed. */
static o2w_status conv_pixels(const struct kernel_call *call, const struct conv *c)
{
    int64_t pixels = c->y.output * c->x.output, sets = c->images * c->groups;
    int64_t k = c->channels * c->y.kernel * c->x.kernel;
    float *windows = kernel_memory(call, sets * pixels * k, sizeof *windows);
    float *turned = kernel_memory(call, sets * pixels * c->filters, sizeof *turned);
    int64_t *offsets = kernel_memory(call, 2 * sets, sizeof *offsets);
    if (!windows || !turned || !offsets)
        return O2W_NO_MEMORY;
    for (int64_t set = 0; set < sets; set++) {
        for (int64_t pixel = 0; pixel < pixels; pixel++)
            pack_panel(c, set, 0, k, pixel, 1, 1, windows + (set * pixels + pixel) * k);
        offsets[set] = set * pixels * k;
        offsets[sets + set] = set % c->groups * c->filters * k;
    }
    struct matvec v = { .m = pixels,
                        .n = c->filters,
                        .k = k,
                        .batch = sets,
                        .a = { windows, k, 1 },
                        .b = { c->filter, 1, k },
                        .a_offsets = offsets,
                        .b_offsets = offsets + sets,
                        .c = turned };
    TRY(matvec_run(call, &v));
    float *y = c->output;
    for (int64_t i = 0; i < sets * c->filters * pixels; i++) {
        int64_t set = i / (c->filters * pixels), filter = i / pixels % c->filters;
        float start = c->bias ? ((const float *)c->bias)[set % c->groups * c->filters + filter] : 0;
        y[i] = start + turned[(set * pixels + i % pixels) * c->filters + filter];
    }
    return O2W_OK;
}

o2w_status conv_product(const struct kernel_call *call, const struct conv *c)
{
    int64_t pixels = c->y.output * c->x.output;
    if (pixels <= MATVEC_ROWS)
        return conv_pixels(call, c);
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
