/* conv2d: layouts, and which algorithm fits. */
#include "kernels/conv.h"

#include "kernels/layout.h"

void window_range(const struct window *w, int64_t k, int64_t *low, int64_t *high)
{
    int64_t first = window_input(w, 0, k); /* input of output 0; later ones go up by the stride */
    *low = first >= 0 ? 0 : min_i64(ceil_div(-first, w->stride), w->output);
    int64_t fitting = first < w->input ? (w->input - 1 - first) / w->stride + 1 : 0;
    *high = max_i64(*low, min_i64(fitting, w->output));
}

/* Where the dims o, i, h, w stand in each filter layout. */
static const uint8_t filter_orders[][4] = {
    [WEBNN_CONV2D_FILTER_LAYOUT_OIHW] = { 0, 1, 2, 3 },
    [WEBNN_CONV2D_FILTER_LAYOUT_HWIO] = { 3, 2, 0, 1 },
    [WEBNN_CONV2D_FILTER_LAYOUT_OHWI] = { 0, 3, 1, 2 },
    [WEBNN_CONV2D_FILTER_LAYOUT_IHWO] = { 3, 0, 1, 2 },
};

static struct window window_of(const struct webnn_conv2d_attributes *p, int axis, int64_t input,
                               int64_t output, int64_t kernel)
{
    return (struct window){ .input = input,
                            .output = output,
                            .kernel = kernel,
                            .stride = p->strides.given ? p->strides.items[axis] : 1,
                            .dilation = p->dilations.given ? p->dilations.items[axis] : 1,
                            .padding = p->padding.given ? p->padding.items[2 * axis] : 0 };
}

/* Images one element wide lie in memory as images one element high: rows that are long are better. */
static void lay_flat(struct conv *c)
{
    if (c->x.input != 1 || c->x.output != 1 || c->x.kernel != 1 || c->x.padding != 0)
        return;
    struct window x = c->x;
    c->x = c->y;
    c->y = x;
}

o2w_status kernel_conv2d(const struct kernel_call *call)
{
    const struct webnn_conv2d_attributes *p = call->attributes;
    const struct tensor *bias = call_operand(call, 2);
    struct tensor x, w, y;
    TRY(layout_images(call, p->input_layout, 0, &x));
    TRY(layout_arrange(call, call->operands[1], filter_orders[p->filter_layout], &w));
    TRY(layout_result(call, p->input_layout, &y));
    struct conv c = { .images = x.dims[0],
                      .groups = p->groups,
                      .channels = w.dims[1],
                      .filters = w.dims[0] / p->groups,
                      .y = window_of(p, 0, x.dims[2], y.dims[2], w.dims[2]),
                      .x = window_of(p, 1, x.dims[3], y.dims[3], w.dims[3]),
                      .input = x.data,
                      .filter = w.data,
                      .bias = bias ? bias->data : NULL,
                      .output = y.data };
    lay_flat(&c);
    if (x.dtype == DTYPE_FLOAT64)
        conv_plain(call, &c);
    else if (x.dtype != DTYPE_FLOAT32)
        return O2W_UNSUPPORTED;
    else if (c.channels == 1 && c.groups > 1)
        conv_depthwise(call, &c);
    else
        TRY(conv_product(call, &c));
    layout_finish(call, p->input_layout, &y);
    return O2W_OK;
}

static double plain_element(const struct conv *c, const double *image, const double *filter,
                            int64_t oy, int64_t ox)
{
    double sum = 0;
    for (int64_t i = 0; i < c->channels; i++) {
        for (int64_t ky = 0; ky < c->y.kernel; ky++) {
            int64_t iy = window_input(&c->y, oy, ky);
            for (int64_t kx = 0; kx < c->x.kernel && iy >= 0 && iy < c->y.input; kx++) {
                int64_t ix = window_input(&c->x, ox, kx);
                if (ix >= 0 && ix < c->x.input)
                    sum += image[(i * c->y.input + iy) * c->x.input + ix] *
                           filter[(i * c->y.kernel + ky) * c->x.kernel + kx];
            }
        }
    }
    return sum;
}

/* Planes of the output: (image * groups + group) * filters + filter. */
static void plain_planes(void *user, int64_t begin, int64_t end)
{
    const struct conv *c = user;
    int64_t image_size = c->channels * c->y.input * c->x.input;
    int64_t filter_size = c->channels * c->y.kernel * c->x.kernel;
    for (int64_t plane = begin; plane < end; plane++) {
        int64_t channel = plane % (c->groups * c->filters);
        const double *image = (const double *)c->input + plane / c->filters * image_size;
        const double *filter = (const double *)c->filter + channel * filter_size;
        double start = c->bias ? ((const double *)c->bias)[channel] : 0;
        double *out = (double *)c->output + plane * c->y.output * c->x.output;
        for (int64_t i = 0; i < c->y.output * c->x.output; i++)
            out[i] = start + plain_element(c, image, filter, i / c->x.output, i % c->x.output);
    }
}

void conv_plain(const struct kernel_call *call, const struct conv *c)
{
    struct conv work = *c;
    kernel_ranges(call, c->images * c->groups * c->filters, 1, plain_planes, &work);
}
