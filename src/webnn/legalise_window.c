/* Pools and transposed convolutions that a target refuses or computes otherwise. */
#include "webnn/legalise_private.h"

#include <string.h>

enum { MOST_TAPS = 4096 };

/* Where height and width stand in the input's layout. */
static uint32_t first_axis(uint32_t layout)
{
    return layout == WEBNN_INPUT_LAYOUT_NCHW ? 2 : 1;
}

static uint32_t channel_axis(uint32_t layout)
{
    return layout == WEBNN_INPUT_LAYOUT_NCHW ? 1 : 3;
}

/* ---- pools: the windows ---- */

struct pool {
    const struct webnn_pool2d_attributes *p;
    uint32_t axis; /* of height */
    dim in[2], out[2];
    uint32_t window[2], stride[2], dilation[2], begin[2],
        end[2]; /* end: so that every window fits */
};

static bool is_pool(enum webnn_operator kind)
{
    return kind == WEBNN_AVERAGE_POOL2D || kind == WEBNN_L2_POOL2D || kind == WEBNN_MAX_POOL2D;
}

static struct pool pool_of(const struct legal_call *c)
{
    struct pool w = { .p = c->attributes };
    w.axis = first_axis(w.p->layout);
    for (uint32_t i = 0; i < 2; i++) {
        w.in[i] = c->operand[0].dims[w.axis + i];
        w.out[i] = c->result[0].dims[w.axis + i];
        w.window[i] = w.p->window_dimensions.items[i];
        w.stride[i] = w.p->strides.items[i];
        w.dilation[i] = w.p->dilations.items[i];
        w.begin[i] = w.p->padding.items[2 * i];
        dim needed = (w.out[i] - 1) * w.stride[i] + (dim)(w.window[i] - 1) * w.dilation[i] + 1;
        dim behind = needed - w.in[i] - w.begin[i];
        w.end[i] = behind > 0 ? (uint32_t)behind : 0;
    }
    return w;
}

static bool is_dilated(const struct pool *w)
{
    return w->dilation[0] != 1 || w->dilation[1] != 1;
}

/* Height and width are numbers; how many pictures there are, and channels, need not be. */
static bool has_sizes(const struct legal_call *c)
{
    uint32_t axis = first_axis(((const struct webnn_pool2d_attributes *)c->attributes)->layout);
    return dims_static(&c->operand[0].dims[axis], 2) && dims_static(&c->result[0].dims[axis], 2);
}

/* Whether a window of open sizes may reach beyond the input. */
static bool may_hang_over(const struct webnn_pool2d_attributes *p)
{
    bool padded = p->output_shape_rounding == WEBNN_ROUNDING_CEIL || p->output_sizes.given;
    for (uint32_t i = 0; i < 4; i++)
        padded = padded || p->padding.items[i] != 0;
    return padded;
}

static bool hangs_over(const struct pool *w)
{
    return w->begin[0] || w->begin[1] || w->end[0] || w->end[1];
}

static o2w_status pad_window(struct legalise *l, const struct pool *w, operand_id x,
                             struct webnn_number value, operand_id *out)
{
    struct webnn_pad_attributes p = webnn_pad_defaults();
    p.beginning_padding = (struct webnn_u32s){ .given = true, .count = 4 };
    p.ending_padding = p.beginning_padding;
    p.value = value;
    for (uint32_t i = 0; i < 2; i++) {
        p.beginning_padding.items[w->axis + i] = w->begin[i];
        p.ending_padding.items[w->axis + i] = w->end[i];
    }
    if (hangs_over(w))
        return legal_1(l, WEBNN_PAD, x, &p, out);
    *out = x;
    return O2W_OK;
}

/* How many elements of the window at `o` lie inside. */
static int64_t valid(const struct pool *w, uint32_t i, int64_t o)
{
    int64_t n = 0;
    for (uint32_t k = 0; k < w->window[i]; k++) {
        int64_t at = o * w->stride[i] - w->begin[i] + (int64_t)k * w->dilation[i];
        n += at >= 0 && at < w->in[i];
    }
    return n;
}

/* numerator / valid elements, by output position. */
static o2w_status count_map(struct legalise *l, const struct pool *w, enum dtype dtype,
                            double numerator, operand_id *out)
{
    struct tensor t;
    dim dims[4] = { 1, 1, 1, 1 };
    dims[w->axis] = w->out[0];
    dims[w->axis + 1] = w->out[1];
    if (tensor_new(&l->arena, dtype, dims, 4, &t) != O2W_OK)
        return diag_memory(l->diags);
    for (dim y = 0; y < w->out[0]; y++)
        for (dim x = 0; x < w->out[1]; x++)
            tensor_put_double(&t, (uint64_t)(y * w->out[1] + x),
                              numerator / (double)(valid(w, 0, y) * valid(w, 1, x)));
    return legal_tensor(l, &t, out);
}

/* ---- averages that divide by the whole window ---- */

static bool wants_average(struct legalise *l, const struct legal_call *c)
{
    if (c->kind != WEBNN_AVERAGE_POOL2D || !legal_noted(l, LIMIT_AVERAGE_WHOLE) ||
        l->options->keep_pools || !has_sizes(c))
        return false;
    struct pool w = pool_of(c);
    return hangs_over(&w) && !is_dilated(&w);
}

/* Over zeros all around, times window / valid elements. */
static o2w_status apply_average(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct pool w = pool_of(c);
    struct webnn_pool2d_attributes p = *w.p;
    operand_id map;
    memset(p.padding.items, 0, sizeof p.padding.items);
    p.output_sizes.given = false;
    p.output_shape_rounding = WEBNN_ROUNDING_FLOOR;
    TRY(pad_window(l, &w, c->operands[0], number_of_int(0), results));
    TRY(legal_1(l, c->kind, *results, &p, results));
    TRY(count_map(l, &w, c->operand[0].dtype, (double)w.window[0] * w.window[1], &map));
    return legal_2(l, WEBNN_MUL, *results, map, results);
}

/* ---- dilated pools ---- */

static bool wants_dilated(struct legalise *l, const struct legal_call *c)
{
    if (!is_pool(c->kind) || !legal_noted(l, LIMIT_NO_POOL_DILATIONS) || !legal_is_static(c))
        return false;
    struct pool w = pool_of(c);
    return is_dilated(&w) && (uint64_t)w.window[0] * w.window[1] <= MOST_TAPS;
}

/* The elements that the windows have at place (y, x). */
static o2w_status tap(struct legalise *l, const struct pool *w, operand_id x, const uint32_t at[2],
                      operand_id *out)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct descriptor d = legal_descriptor(l, x);
        dim size = (w->out[i] - 1) * w->stride[i] + 1;
        TRY(legal_slice(l, x, &d, w->axis + i, at[i] * w->dilation[i], size, w->stride[i], &x));
    }
    *out = x;
    return O2W_OK;
}

static o2w_status dilated_max(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct pool w = pool_of(c);
    const struct webnn_number low = { .kind = WEBNN_NUMBER_DOUBLE, .d = -1.0 / 0.0 };
    operand_id x, part;
    TRY(pad_window(l, &w, c->operands[0], low, &x));
    for (uint32_t y = 0; y < w.window[0]; y++)
        for (uint32_t k = 0; k < w.window[1]; k++) {
            bool first = y == 0 && k == 0;
            TRY(tap(l, &w, x, (uint32_t[]){ y, k }, first ? results : &part));
            if (!first)
                TRY(legal_2(l, WEBNN_MAX, *results, part, results));
        }
    return O2W_OK;
}

/* The sum over each window, channel by channel: a convolution with ones. */
static o2w_status window_sum(struct legalise *l, const struct pool *w, operand_id x,
                             const struct descriptor *d, operand_id *out)
{
    struct webnn_conv2d_attributes p = webnn_conv2d_defaults();
    uint32_t channels = (uint32_t)d->dims[channel_axis(w->p->layout)];
    const struct descriptor ones = { .dtype = d->dtype,
                                     .rank = 4,
                                     .dims = { channels, 1, w->window[0], w->window[1] } };
    operand_id operands[2] = { NO_ID, NO_ID };
    p.strides = w->p->strides;
    p.dilations = w->p->dilations;
    p.groups = channels;
    p.input_layout = w->p->layout;
    TRY(pad_window(l, w, x, number_of_int(0), &operands[0]));
    TRY(builder_constant_fill(&l->to, &ones, number_of_int(1), &operands[1]));
    return legal_op(l, WEBNN_CONV2D, operands, 2, &p, out);
}

static o2w_status apply_dilated(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct pool w = pool_of(c);
    operand_id x = c->operands[0], map;
    if (c->kind == WEBNN_MAX_POOL2D)
        return dilated_max(l, c, results);
    if (c->kind == WEBNN_L2_POOL2D)
        TRY(legal_2(l, WEBNN_MUL, x, x, &x));
    TRY(window_sum(l, &w, x, &c->operand[0], results));
    if (c->kind == WEBNN_L2_POOL2D)
        return legal_1(l, WEBNN_SQRT, *results, NULL, results);
    TRY(count_map(l, &w, c->operand[0].dtype, 1, &map));
    return legal_2(l, WEBNN_MUL, *results, map, results);
}

/* ---- transposed convolution ---- */

struct filter {
    uint32_t in, out, height; /* axes; width stands behind height */
};

static struct filter filter_of(uint32_t layout)
{
    static const struct filter rows[] = {
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = { 0, 1, 2 },
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = { 3, 2, 0 },
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = { 3, 0, 1 },
    };
    return rows[layout];
}

static const struct webnn_conv_transpose2d_attributes *transpose_of(const struct legal_call *c)
{
    return c->attributes;
}

static bool wants_dense(struct legalise *l, const struct legal_call *c)
{
    if (c->kind != WEBNN_CONV_TRANSPOSE2D || !legal_noted(l, LIMIT_TRANSPOSE_PLAIN) ||
        !legal_is_static(c))
        return false;
    const uint32_t *d = transpose_of(c)->dilations.items;
    return (d[0] != 1 || d[1] != 1) && legal_is_constant(l, c->operands[1]);
}

/* Zeros between the elements of a constant filter. */
static o2w_status dilate(struct legalise *l, const struct legal_call *c, operand_id *out)
{
    const struct webnn_conv_transpose2d_attributes *p = transpose_of(c);
    struct filter f = filter_of(p->filter_layout);
    struct tensor t, wide;
    int64_t dims[4], strides[MAX_RANK];
    bool known;
    TRY(legal_value(l, c->operands[1], &known, &t));
    memcpy(dims, t.dims, sizeof dims);
    for (uint32_t i = 0; i < 2; i++)
        dims[f.height + i] = (dims[f.height + i] - 1) * p->dilations.items[i] + 1;
    if (tensor_new(&l->arena, t.dtype, dims, 4, &wide) != O2W_OK)
        return diag_memory(l->diags);
    tensor_strides(&wide, strides);
    size_t size = dtype_info(t.dtype)->bits / 8u;
    for (uint64_t i = 0; i < tensor_count(&t); i++) {
        uint64_t rest = i, to = 0;
        for (uint32_t axis = 4; axis-- > 0; rest /= (uint64_t)t.dims[axis]) {
            bool spatial = axis == f.height || axis == f.height + 1;
            uint64_t factor = spatial ? p->dilations.items[axis - f.height] : 1;
            to += rest % (uint64_t)t.dims[axis] * factor * (uint64_t)strides[axis];
        }
        memcpy((uint8_t *)wide.data + to * size, (const uint8_t *)t.data + i * size, size);
    }
    return legal_tensor(l, &wide, out);
}

static o2w_status apply_dense(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct webnn_conv_transpose2d_attributes p = *transpose_of(c);
    operand_id operands[3] = { c->operands[0], NO_ID, NO_ID };
    if (c->operand_count > 2)
        operands[2] = c->operands[2];
    TRY(dilate(l, c, &operands[1]));
    p.dilations.items[0] = p.dilations.items[1] = 1;
    return legal_op(l, c->kind, operands, c->operand_count, &p, results);
}

static bool wants_one_group(struct legalise *l, const struct legal_call *c)
{
    return c->kind == WEBNN_CONV_TRANSPOSE2D && legal_noted(l, LIMIT_TRANSPOSE_PLAIN) &&
           legal_is_static(c) && transpose_of(c)->groups > 1;
}

static o2w_status group_slice(struct legalise *l, operand_id x, uint32_t axis, uint32_t group,
                              uint32_t groups, operand_id *out)
{
    struct descriptor d = legal_descriptor(l, x);
    dim size = d.dims[axis] / groups;
    return legal_slice(l, x, &d, axis, group * (uint32_t)size, size, 1, out);
}

/* Group by group, side by side. */
static o2w_status apply_one_group(struct legalise *l, const struct legal_call *c,
                                  operand_id *results)
{
    struct webnn_conv_transpose2d_attributes p = *transpose_of(c);
    struct filter f = filter_of(p.filter_layout);
    uint32_t groups = p.groups, channels = channel_axis(p.input_layout);
    operand_id *parts = ARENA_ARRAY(&l->arena, groups, operand_id);
    if (!parts)
        return diag_memory(l->diags);
    p.groups = 1;
    for (uint32_t i = 0; i < groups; i++) {
        operand_id operands[3] = { NO_ID, NO_ID, NO_ID };
        TRY(group_slice(l, c->operands[0], channels, i, groups, &operands[0]));
        TRY(group_slice(l, c->operands[1], f.in, i, groups, &operands[1]));
        if (c->operand_count > 2 && c->operands[2] != NO_ID)
            TRY(group_slice(l, c->operands[2], 0, i, groups, &operands[2]));
        TRY(legal_op(l, c->kind, operands, 3, &p, &parts[i]));
    }
    return legal_concat(l, parts, groups, channels, results);
}

struct undone {
    uint32_t axis; /* of height in input and result */
    dim in[2], out[2], window[2];
    uint32_t stride[2], begin[2], end[2];
};

static struct undone undone_of(const struct legal_call *c)
{
    const struct webnn_conv_transpose2d_attributes *p = transpose_of(c);
    struct filter f = filter_of(p->filter_layout);
    struct undone u = { .axis = first_axis(p->input_layout) };
    for (uint32_t i = 0; i < 2; i++) {
        u.in[i] = c->operand[0].dims[u.axis + i];
        u.out[i] = c->result[0].dims[u.axis + i];
        u.window[i] = c->operand[1].dims[f.height + i];
        u.stride[i] = p->strides.items[i];
        u.begin[i] = p->padding.items[2 * i];
        u.end[i] = p->padding.items[2 * i + 1];
    }
    return u;
}

/* Whether the convolution that it undoes has SAME padding along an axis: as many steps as strides fit, what is
 * missing spread evenly, the odd one behind. */
static bool undoes_same(const struct undone *u, uint32_t i)
{
    dim total = (u->in[i] - 1) * u->stride[i] + u->window[i] - u->out[i];
    if ((u->out[i] + u->stride[i] - 1) / u->stride[i] != u->in[i])
        return false;
    total = total > 0 ? total : 0;
    return u->begin[i] == total / 2 && u->end[i] == total - total / 2;
}

static bool undoes_valid(const struct undone *u, uint32_t i)
{
    return u->begin[i] == 0 && u->end[i] == 0 &&
           u->out[i] == (u->in[i] - 1) * u->stride[i] + u->window[i];
}

static bool wants_borders(struct legalise *l, const struct legal_call *c)
{
    if (c->kind != WEBNN_CONV_TRANSPOSE2D || !legal_noted(l, LIMIT_TRANSPOSE_SAME_VALID) ||
        !legal_is_static(c))
        return false;
    struct undone u = undone_of(c);
    bool same = undoes_same(&u, 0) && undoes_same(&u, 1);
    return !same && !(undoes_valid(&u, 0) && undoes_valid(&u, 1));
}

/* The wanted part of the whole result along an axis, with zeros where it goes beyond. */
static o2w_status cut(struct legalise *l, const struct undone *u, uint32_t i, operand_id x,
                      operand_id *out)
{
    struct descriptor d = legal_descriptor(l, x);
    dim whole = d.dims[u->axis + i], inside = whole - u->begin[i];
    struct webnn_pad_attributes p = webnn_pad_defaults();
    if (u->out[i] <= inside)
        return legal_slice(l, x, &d, u->axis + i, u->begin[i], u->out[i], 1, out);
    TRY(legal_slice(l, x, &d, u->axis + i, u->begin[i], inside, 1, &x));
    p.beginning_padding = (struct webnn_u32s){ .given = true, .count = 4 };
    p.ending_padding = p.beginning_padding;
    p.ending_padding.items[u->axis + i] = (uint32_t)(u->out[i] - inside);
    return legal_1(l, WEBNN_PAD, x, &p, out);
}

static o2w_status add_bias(struct legalise *l, const struct legal_call *c, operand_id x,
                           operand_id *out)
{
    dim dims[4] = { 1, 1, 1, 1 };
    operand_id bias;
    if (c->operand_count < 3 || c->operands[2] == NO_ID) {
        *out = x;
        return O2W_OK;
    }
    dims[channel_axis(transpose_of(c)->input_layout)] = c->operand[2].dims[0];
    TRY(legal_reshape(l, c->operands[2], dims, 4, &bias));
    return legal_2(l, WEBNN_ADD, x, bias, out);
}

/* Whole, then cut; the bias comes last, since it is on the zeros too. */
static o2w_status apply_borders(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct webnn_conv_transpose2d_attributes p = *transpose_of(c);
    struct undone u = undone_of(c);
    operand_id x;
    memset(p.padding.items, 0, sizeof p.padding.items);
    memset(p.output_padding.items, 0, sizeof p.output_padding.items);
    p.output_sizes.given = false;
    TRY(legal_op(l, c->kind, c->operands, 2, &p, &x));
    TRY(cut(l, &u, 0, x, &x));
    TRY(cut(l, &u, 1, x, &x));
    return add_bias(l, c, x, results);
}

/* ---- what stays refused ---- */

static bool wants_refusal(struct legalise *l, const struct legal_call *c)
{
    if (c->kind == WEBNN_AVERAGE_POOL2D && legal_noted(l, LIMIT_AVERAGE_WHOLE) &&
        !l->options->keep_pools && !has_sizes(c) && may_hang_over(c->attributes))
        return true;
    if (is_pool(c->kind) && legal_noted(l, LIMIT_NO_POOL_DILATIONS)) {
        struct pool w = pool_of(c);
        return is_dilated(&w);
    }
    if (c->kind != WEBNN_CONV_TRANSPOSE2D || !legal_noted(l, LIMIT_TRANSPOSE_PLAIN))
        return false;
    const struct webnn_conv_transpose2d_attributes *p = transpose_of(c);
    return p->dilations.items[0] != 1 || p->dilations.items[1] != 1 || !legal_is_static(c);
}

static o2w_status apply_refusal(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    return legal_refuse(l, c, results, "%s takes no %s", l->limits->name,
                        !legal_is_static(c) ? "open sizes here (--override-dim gives them)"
                                            : "dilations that are not of a constant filter");
}

const struct rewrite legal_windows[] = {
    { wants_average, apply_average }, { wants_dilated, apply_dilated },
    { wants_dense, apply_dense },     { wants_one_group, apply_one_group },
    { wants_borders, apply_borders }, { wants_refusal, apply_refusal },
};
REWRITES(legal_windows, legal_window_count);
