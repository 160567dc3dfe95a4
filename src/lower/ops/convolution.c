/* Convolutions. */
#include "lower/ops/convolution.h"

#include <string.h>

struct conv {
    struct window_params window;
    int64_t group;
};

static const struct attr_row conv_attrs[] = {
    WINDOW_ATTRS(struct conv),
    WINDOW_KERNEL(struct conv, false),
    WINDOW_DILATIONS(struct conv),
    ATTR_INT(struct conv, group, .fallback_int = 1),
};

o2w_status check_conv(struct lower *l, const struct node_view *n, int64_t group, value x, value w)
{
    if (x->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", x->rank);
    if (w->rank != x->rank)
        return refuse_input(l, n, 1, "has rank %u, the data has rank %u", w->rank, x->rank);
    if (x->rank > 4)
        return refuse_input(l, n, 0, "has %u spatial dimensions, at most 2 are supported",
                            x->rank - 2);
    if (group < 1 || group > INT32_MAX)
        return refuse_attribute(l, n, "group", "is %lld, must be at least 1", (long long)group);
    return O2W_OK;
}

/* One spatial dim becomes two: a height of 1 in front. */
o2w_status two_spatial(struct lower *l, value x, value *out)
{
    uint32_t height = 2;
    if (x->rank == 4) {
        *out = x;
        return O2W_OK;
    }
    return unsqueeze(l, x, &height, 1, out);
}

/* ONNX orders padding [b0, b1, e0, e1], WebNN [b0, e0, b1, e1]. */
static void window_to_conv2d(const struct window *w, struct webnn_conv2d_attributes *c)
{
    uint32_t first = 2 - w->rank;
    for (uint32_t i = 0; i < w->rank; i++) {
        uint32_t axis = first + i;
        c->padding.items[2 * axis] = (uint32_t)w->begin[i];
        c->padding.items[2 * axis + 1] = (uint32_t)w->end[i];
        c->strides.items[axis] = w->stride[i];
        c->dilations.items[axis] = w->dilation[i];
    }
}

static o2w_status lower_conv(struct lower *l, const struct node_view *n, const void *params)
{
    const struct conv *p = params;
    value x = input(n, 0), w = input(n, 1), bias = input(n, 2), y;
    struct window window;
    struct webnn_conv2d_attributes c = webnn_conv2d_defaults();
    uint32_t rank = x->rank, height = 2;
    TRY(check_conv(l, n, p->group, x, w));
    TRY(window_read(l, n, &p->window, x, w->dims + 2, &window));
    TRY(window_crop(l, x, &window, &x));
    TRY(two_spatial(l, x, &x));
    TRY(two_spatial(l, w, &w));
    window_to_conv2d(&window, &c);
    c.groups = (uint32_t)p->group;
    TRY(op(l, WEBNN_CONV2D, OPERANDS(x, w, bias), &c, &y));
    if (rank == 3)
        TRY(squeeze(l, y, &height, 1, &y));
    return emit_value(l, n, y);
}

const struct onnx_row convolution_rows[] = {
    { ONNX("Conv", 1, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN_OPT("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct conv, conv_attrs), .lower = lower_conv,
      .class = CLASS_DIRECT, .partial = true, .webnn = "conv2d",
      .notes = "more than two spatial dimensions refused" },
};
ROW_COUNT(convolution);
