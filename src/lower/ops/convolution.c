/* Convolutions. */
#include "lower/ops/convolution.h"

#include "lower/helpers.h"

static const struct attr_row conv_attrs[] = { CONV_ATTRS };

o2w_status check_conv(struct lower *l, const struct node_view *n, int64_t group, value x, value w,
                      uint32_t weights_at)
{
    if (x->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", x->rank);
    if (w->rank != x->rank)
        return refuse_input(l, n, weights_at, "has rank %u, the data has rank %u", w->rank,
                            x->rank);
    if (x->rank > 5)
        return refuse_input(l, n, 0, "has %u spatial dimensions, at most 3 are supported",
                            x->rank - 2);
    if (group < 1 || group > INT32_MAX)
        return refuse_attribute(l, n, "group", "is %lld, must be from 1 to 2147483647",
                                (long long)group);
    return O2W_OK;
}

o2w_status channels_to(struct lower *l, value x, uint32_t place, value *out)
{
    uint32_t order[MAX_RANK] = { 0 }, last = x->rank - 1;
    for (uint32_t i = 1; i <= last; i++)
        order[i] = place == 1 ? (i == 1 ? last : i - 1) : (i == last ? 1 : i + 1);
    return transpose(l, x, order, out);
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

/* --- depth ------------------------------------------------------------------------------------------ */

/* [N, C, D, H, W] ⇄ [N, D, C, H, W] */
static const uint32_t swap_depth[] = { 0, 2, 1, 3, 4 };

o2w_status depth_as_channels(struct lower *l, const struct node_view *n, value x,
                             const int64_t *starts, uint32_t count, dim reach, uint32_t stride,
                             value *out)
{
    value *taps = ARENA_ARRAY(lower_arena(l), count, value), y;
    uint32_t behind = 3;
    dim dims[4];
    if (!taps)
        return diag_memory(lower_diags(l));
    TRY(transpose(l, x, swap_depth, &x));
    for (uint32_t k = 0; k < count; k++) {
        TRY(slice(l, x, 1, starts[k], reach, stride, &taps[k]));
        TRY(unsqueeze(l, taps[k], &behind, 1, &taps[k])); /* [N, oD, C, 1, H, W] */
    }
    TRY(concat(l, taps, count, 3, &y));
    TRY(dims_product(l, n, y->dims, 0, 2, &dims[0]));
    TRY(dims_product(l, n, y->dims, 2, 4, &dims[1]));
    dims[2] = y->dims[4];
    dims[3] = y->dims[5];
    return reshape(l, y, dims, 4, out);
}

o2w_status depth_from_batch(struct lower *l, value y, dim batch, dim depth, value *out)
{
    const dim dims[] = { batch, depth, y->dims[1], y->dims[2], y->dims[3] };
    TRY(reshape(l, y, dims, 5, &y));
    return transpose(l, y, swap_depth, out);
}

/* --- Conv ------------------------------------------------------------------------------------------- */

/* The last one or two spatial dims. ONNX orders padding [b0, b1, e0, e1], WebNN [b0, e0, b1, e1]. */
static void window_to_conv2d(const struct window *w, struct webnn_conv2d_attributes *c)
{
    uint32_t from = w->rank > 2 ? w->rank - 2 : 0;
    for (uint32_t i = from; i < w->rank; i++) {
        uint32_t axis = i + 2 - w->rank;
        c->padding.items[2 * axis] = (uint32_t)w->begin[i];
        c->padding.items[2 * axis + 1] = (uint32_t)w->end[i];
        c->strides.items[axis] = w->stride[i];
        c->dilations.items[axis] = w->dilation[i];
    }
}

/* H21: the depth's kernel positions are channels, [O, C/g, kD, kH, kW] are [O, C/g · kD, kH, kW]. */
static o2w_status conv_3d(struct lower *l, const struct node_view *n, const struct window *w,
                          const struct webnn_conv2d_attributes *c, value x, value weights,
                          value bias, value *out)
{
    struct window depth = { .rank = 1, .begin = { w->begin[0] }, .end = { w->end[0] } };
    int64_t *starts = ARENA_ARRAY(lower_arena(l), w->kernel[0], int64_t);
    dim reach, batch = x->dims[0],
               dims[4] = { weights->dims[0], 0, weights->dims[3], weights->dims[4] };
    value y;
    if (!starts)
        return diag_memory(lower_diags(l));
    for (uint32_t k = 0; k < w->kernel[0]; k++)
        starts[k] = (int64_t)k * w->dilation[0];
    TRY(window_pad(l, x, &depth, (struct webnn_number){ .kind = WEBNN_NUMBER_INT }, &x));
    TRY(window_reach(l, n, w, 0, &reach));
    TRY(depth_as_channels(l, n, x, starts, w->kernel[0], reach, w->stride[0], &x));
    TRY(dims_product(l, n, weights->dims, 1, 3, &dims[1]));
    TRY(reshape(l, weights, dims, 4, &weights));
    TRY(op(l, WEBNN_CONV2D, OPERANDS(x, weights, bias), c, &y));
    return depth_from_batch(l, y, batch, w->out[0], out);
}

o2w_status conv_run(struct lower *l, const struct node_view *n, const struct conv_params *p,
                    value x, value w, uint32_t weights_at, value bias, value *out)
{
    struct window window;
    struct webnn_conv2d_attributes c = webnn_conv2d_defaults();
    uint32_t rank = x->rank, height = 2;
    value y;
    TRY(check_conv(l, n, p->group, x, w, weights_at));
    TRY(window_read(l, n, &p->window, x, w, weights_at, &window));
    TRY(window_check_some(l, n, x, &window));
    TRY(window_crop(l, x, &window, &x));
    window_to_conv2d(&window, &c);
    c.groups = (uint32_t)p->group;
    if (rank == 5)
        return conv_3d(l, n, &window, &c, x, w, bias, out);
    TRY(two_spatial(l, x, &x));
    TRY(two_spatial(l, w, &w));
    TRY(op(l, WEBNN_CONV2D, OPERANDS(x, w, bias), &c, &y));
    *out = y;
    return rank == 3 ? squeeze(l, y, &height, 1, out) : O2W_OK;
}

static o2w_status lower_conv(struct lower *l, const struct node_view *n, const void *params)
{
    value y;
    TRY(conv_run(l, n, params, input(n, 0), input(n, 1), 1, input(n, 2), &y));
    return emit_value(l, n, y);
}

const struct onnx_row convolution_rows[] = {
    { ONNX("Conv", 1, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN_OPT("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct conv_params, conv_attrs), .lower = lower_conv,
      .class = CLASS_DIRECT, .partial = true, .webnn = "conv2d",
      .notes = "more than three spatial dimensions refused" },
};
ROW_COUNT(convolution);
