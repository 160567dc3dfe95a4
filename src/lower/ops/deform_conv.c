/* DeformConv: every kernel position reads where its offsets say, then one matrix product. */
#include "lower/ops/convolution.h"
#include "lower/sample.h"

struct deform_conv {
    struct conv_params conv;
    int64_t offset_group;
};

static const struct attr_row deform_conv_attrs[] = {
    ATTR_(PARAM_INTS, struct conv_params, window.strides, "strides", .required = false),
    ATTR_(PARAM_INTS, struct conv_params, window.pads, "pads", .required = false),
    WINDOW_KERNEL(struct conv_params, false),
    WINDOW_DILATIONS(struct conv_params),
    ATTR_INT(struct conv_params, group, .fallback_int = 1),
    ATTR_INT(struct deform_conv, offset_group, .fallback_int = 1),
};

struct deformed {
    const struct deform_conv *p;
    struct window w;
    struct image image; /* of [N · offset_group, C / offset_group, H, W] */
    int64_t batch, channels, outputs, taps, places;
};

static o2w_status check_sizes(struct lower *l, const struct node_view *n, struct deformed *d)
{
    value x = input(n, 0), w = input(n, 1);
    int64_t groups = d->p->offset_group, per_group;
    TRY(static_dim(l, n, x, 0, &d->batch));
    TRY(static_dim(l, n, x, 1, &d->channels));
    TRY(static_dim(l, n, w, 0, &d->outputs));
    TRY(static_dim(l, n, w, 1, &per_group));
    if (groups < 1 || d->channels % groups)
        return refuse_attribute(l, n, "offset_group", "is %lld, must divide %lld channels",
                                (long long)groups, (long long)d->channels);
    if (per_group * d->p->conv.group != d->channels || d->outputs % d->p->conv.group)
        return refuse_attribute(l, n, "group",
                                "is %lld, which does not fit %lld channels and "
                                "weights of [%lld, %lld, …]",
                                (long long)d->p->conv.group, (long long)d->channels,
                                (long long)d->outputs, (long long)per_group);
    d->taps = (int64_t)d->w.kernel[0] * d->w.kernel[1];
    d->places = d->w.out[0] * d->w.out[1];
    if (d->taps > 1024 || d->places > (int64_t)1 << 24 || d->taps * d->places > (int64_t)1 << 24)
        return refuse(l, n, DIAG_LOWER_LIMIT,
                      "kernel positions times output places exceed 2^24, or 1024 positions");
    return O2W_OK;
}

static o2w_status check_offsets(struct lower *l, const struct node_view *n,
                                const struct deformed *d, uint32_t at, int64_t per_tap)
{
    value v = input(n, at);
    const dim dims[] = { d->batch, d->p->offset_group * d->taps * per_tap, d->w.out[0],
                         d->w.out[1] };
    if (!v || (v->rank == 4 && dims_equal(v->dims, dims, 4)))
        return O2W_OK;
    return refuse_input(l, n, at, "has shape %s, must be %s",
                        dim_list_text(lower_exprs(l), v->dims, v->rank, lower_arena(l)),
                        dim_list_text(lower_exprs(l), dims, 4, lower_arena(l)));
}

/* Where the taps read along dim i without offsets: [1, taps · places]. */
static o2w_status grid_of_taps(struct lower *l, const struct deformed *d, enum dtype dtype,
                               uint32_t i, value *out)
{
    const struct window *w = &d->w;
    struct tensor t;
    TRY(known_new(l, dtype, (const dim[]){ 1, d->taps * d->places }, 2, &t, out));
    for (int64_t k = 0; k < d->taps; k++)
        for (int64_t p = 0; p < d->places; p++) {
            int64_t tap = i ? k % w->kernel[1] : k / w->kernel[1];
            int64_t place = i ? p % w->out[1] : p / w->out[1];
            tensor_put_double(&t, (uint64_t)(k * d->places + p),
                              (double)(place * w->stride[i] - w->begin[i] + tap * w->dilation[i]));
        }
    return O2W_OK;
}

/* Coordinates along dim i: [N · offset_group, taps · places]. */
static o2w_status coordinates(struct lower *l, const struct node_view *n, const struct deformed *d,
                              uint32_t i, value *out)
{
    int64_t batch = d->batch * d->p->offset_group;
    value offsets, grid;
    TRY(widen(l, input(n, 2), &offsets));
    TRY(reshape(l, offsets, (const dim[]){ batch, d->taps, 2, d->places }, 4, &offsets));
    TRY(slice(l, offsets, 2, i, 1, 1, &offsets));
    TRY(reshape(l, offsets, (const dim[]){ batch, d->taps * d->places }, 2, &offsets));
    TRY(grid_of_taps(l, d, value_working_dtype(offsets), i, &grid));
    return op2(l, WEBNN_ADD, offsets, grid, out);
}

/* Bilinear between the four pixels around; each of them outside is 0. */
static o2w_status interpolated(struct lower *l, const struct deformed *d, const value at[2],
                               value *out)
{
    struct calc c = calc_begin(l, at[0]);
    value index[2][2], inside[2][2], weight[2][2], y = NULL;
    for (uint32_t i = 0; i < 2; i++) {
        value low = calc_floor(&c, at[i]), high = calc_add(&c, low, calc_number(&c, 1));
        for (uint32_t k = 0; k < 2; k++) {
            index[i][k] = image_index(&c, &d->image, i, k ? high : low);
            inside[i][k] = image_inside(&c, &d->image, i, k ? high : low);
        }
        weight[i][1] = calc_sub(&c, at[i], low);
        weight[i][0] = calc_sub(&c, calc_number(&c, 1), weight[i][1]);
    }
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t a = k / 2, b = k % 2;
        value pixel = image_read(&c, &d->image, calc_add(&c, index[0][a], index[1][b]));
        value valid = calc_and(&c, inside[0][a], inside[1][b]);
        pixel = calc_where(&c, per_place(&c, valid), pixel, calc_number(&c, 0));
        pixel = calc_mul(&c, pixel, per_place(&c, calc_mul(&c, weight[0][a], weight[1][b])));
        y = y ? calc_add(&c, y, pixel) : pixel;
    }
    *out = y;
    return c.status;
}

/* What the kernel sees, [N, C · taps, places]. */
static o2w_status columns(struct lower *l, const struct node_view *n, const struct deformed *d,
                          value *out)
{
    static const uint32_t order[] = { 0, 3, 1, 2 };
    int64_t groups = d->p->offset_group, batch = d->batch * groups, each = d->channels / groups;
    value at[2], y, mask;
    for (uint32_t i = 0; i < 2; i++)
        TRY(coordinates(l, n, d, i, &at[i]));
    TRY(interpolated(l, d, at, &y)); /* [N · groups, taps · places, C / groups] */
    if (input(n, 4)) {
        TRY(widen(l, input(n, 4), &mask));
        TRY(reshape(l, mask, (const dim[]){ batch, d->taps * d->places, 1 }, 3, &mask));
        TRY(op2(l, WEBNN_MUL, y, mask, &y));
    }
    TRY(reshape(l, y, (const dim[]){ batch, d->taps, d->places, each }, 4, &y));
    TRY(transpose(l, y, order, &y));
    return reshape(l, y, (const dim[]){ d->batch, d->channels * d->taps, d->places }, 3, out);
}

static o2w_status product(struct lower *l, const struct node_view *n, const struct deformed *d,
                          value seen, value *out)
{
    int64_t group = d->p->conv.group, rows = d->channels / group * d->taps;
    value w, bias, y;
    TRY(widen(l, input(n, 1), &w));
    TRY(reshape(l, w, (const dim[]){ 1, group, d->outputs / group, rows }, 4, &w));
    TRY(reshape(l, seen, (const dim[]){ d->batch, group, rows, d->places }, 4, &seen));
    TRY(op2(l, WEBNN_MATMUL, w, seen, &y));
    TRY(reshape(l, y, (const dim[]){ d->batch, d->outputs, d->w.out[0], d->w.out[1] }, 4, &y));
    *out = y;
    if (!input(n, 3))
        return O2W_OK;
    TRY(widen(l, input(n, 3), &bias));
    TRY(reshape(l, bias, (const dim[]){ 1, d->outputs, 1, 1 }, 4, &bias));
    return op2(l, WEBNN_ADD, y, bias, out);
}

static o2w_status lower_deform_conv(struct lower *l, const struct node_view *n, const void *params)
{
    struct deformed d = { .p = params };
    value x = input(n, 0), y;
    int64_t groups = d.p->offset_group;
    TRY(check_conv(l, n, d.p->conv.group, x, input(n, 1), 1));
    if (x->rank != 4)
        return refuse_input(l, n, 0, "has %u spatial dimensions, only 2 are supported",
                            x->rank - 2);
    TRY(window_read(l, n, &d.p->conv.window, x, input(n, 1), 1, &d.w));
    TRY(window_check_some(l, n, x, &d.w));
    for (uint32_t i = 0; i < 2; i++)
        if (!dim_is_static(d.w.out[i]))
            return refuse_input(l, n, 0, "needs numbers for its spatial dimensions");
    TRY(check_sizes(l, n, &d));
    TRY(check_offsets(l, n, &d, 2, 2));
    TRY(check_offsets(l, n, &d, 4, 1));
    TRY(widen(l, x, &x));
    TRY(reshape(l, x,
                (const dim[]){ d.batch * groups, d.channels / groups, x->dims[2], x->dims[3] }, 4,
                &x));
    TRY(image_begin(l, n, x, &d.image));
    TRY(columns(l, n, &d, &y));
    TRY(product(l, n, &d, y, &y));
    return emit_narrowed(l, n, y);
}

const struct onnx_row deform_conv_rows[] = {
    { ONNX("DeformConv", 19, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN("offset", T, SET_FLOATS),
             IN_OPT("B", T, SET_FLOATS), IN_OPT("mask", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct deform_conv, deform_conv_attrs),
      .lower = lower_deform_conv, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "gather, mul, matmul", .notes = "more than two spatial dimensions refused" },
};
ROW_COUNT(deform_conv);
