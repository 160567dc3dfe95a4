#include "lower/ops/window.h"

static o2w_status read_list(struct lower *l, const struct node_view *n, const char *name,
                            const struct ints *list, uint32_t rank, uint32_t out[MAX_RANK])
{
    if (list->given && list->count != rank)
        return refuse_attribute(l, n, name, "has %u entries, the input has %u spatial dimensions",
                                list->count, rank);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t v = list->given ? list->items[i] : 1;
        if (v < 1 || v > INT32_MAX)
            return refuse_attribute(l, n, name, "is %lld at index %u, must be from 1 to 2147483647",
                                    (long long)v, i);
        out[i] = (uint32_t)v;
    }
    return O2W_OK;
}

static o2w_status read_kernel(struct lower *l, const struct node_view *n,
                              const struct window_params *p, value weights, uint32_t weights_at,
                              struct window *w)
{
    if (!p->kernel_shape.given && !weights)
        return refuse_attribute(l, n, "kernel_shape", "is missing");
    if (p->kernel_shape.given)
        TRY(read_list(l, n, "kernel_shape", &p->kernel_shape, w->rank, w->kernel));
    for (uint32_t i = 0; weights && i < w->rank; i++) {
        dim size = weights->dims[weights->rank - w->rank + i];
        if (!dim_is_static(size) || size < 1)
            return refuse_input(l, n, weights_at,
                                "needs numbers of at least 1 for its kernel dimensions");
        if (p->kernel_shape.given && w->kernel[i] != size)
            return refuse_attribute(l, n, "kernel_shape",
                                    "is %u at index %u, the weights have %lld", w->kernel[i], i,
                                    (long long)size);
        w->kernel[i] = (uint32_t)size;
    }
    return O2W_OK;
}

static int64_t extent(const struct window *w, uint32_t i)
{
    return ((int64_t)w->kernel[i] - 1) * w->dilation[i] + 1;
}

/* out = ceil(in / stride); what is missing is padded, the odd one at the end (UPPER) or begin. */
static o2w_status pad_same(struct lower *l, const struct node_view *n, struct window *w, uint32_t i,
                           dim in, bool upper)
{
    if (!dim_is_static(in))
        return refuse_attribute(
            l, n, "auto_pad",
            "needs a number for spatial dimension %u: give it with --override-dim", i);
    int64_t out = (in + w->stride[i] - 1) / w->stride[i];
    int64_t total = (out - 1) * w->stride[i] + extent(w, i) - in;
    total = total > 0 ? total : 0;
    w->begin[i] = upper ? total / 2 : total - total / 2;
    w->end[i] = total - w->begin[i];
    return O2W_OK;
}

/* Operators without the attribute leave it empty. */
static bool is_notset(const struct window_params *p)
{
    return p->auto_pad.size == 0 || span_is(p->auto_pad, "NOTSET");
}

static o2w_status read_padding(struct lower *l, const struct node_view *n,
                               const struct window_params *p, value x, struct window *w)
{
    bool notset = is_notset(p);
    if (p->pads.given && !notset && p->pads.count)
        for (uint32_t i = 0; i < p->pads.count; i++)
            if (p->pads.items[i] != 0)
                return refuse_attribute(l, n, "pads", "is given beside auto_pad '%.*s'",
                                        SPAN_ARG(p->auto_pad));
    if (notset && p->pads.given && p->pads.count != 2 * w->rank)
        return refuse_attribute(l, n, "pads", "has %u entries, must have %u", p->pads.count,
                                2 * w->rank);
    for (uint32_t i = 0; i < w->rank; i++) {
        if (span_starts(p->auto_pad, SPAN("SAME_")))
            TRY(pad_same(l, n, w, i, x->dims[2 + i], span_is(p->auto_pad, "SAME_UPPER")));
        if (!notset || !p->pads.given)
            continue;
        w->begin[i] = p->pads.items[i];
        w->end[i] = p->pads.items[w->rank + i];
        if (w->begin[i] > INT32_MAX || w->end[i] > INT32_MAX || w->begin[i] < -INT32_MAX ||
            w->end[i] < -INT32_MAX)
            return refuse_attribute(l, n, "pads", "is out of range");
    }
    return O2W_OK;
}

/* The output size; in ceil mode the end padding becomes what the floor formula needs for it. */
static o2w_status size_ceil(struct lower *l, const struct node_view *n, struct window *w,
                            uint32_t i, dim in)
{
    if (!dim_is_static(in))
        return refuse_attribute(
            l, n, "ceil_mode",
            "needs a number for spatial dimension %u: give it with --override-dim", i);
    int64_t room = in + w->begin[i] + w->end[i] - extent(w, i), stride = w->stride[i];
    if (room < 0)
        return O2W_OK; /* the operator's own check says it */
    int64_t out = (room + stride - 1) / stride + 1;
    if ((out - 1) * stride >= in + w->begin[i])
        out--; /* starts in the end padding */
    int64_t end = (out - 1) * stride + extent(w, i) - in - w->begin[i];
    w->overhang |= end > w->end[i];
    w->end[i] = end > w->end[i] ? end : w->end[i];
    w->out[i] = out;
    return O2W_OK;
}

static o2w_status size_floor(struct lower *l, const struct node_view *n, struct window *w,
                             uint32_t i, dim in)
{
    int64_t add = w->begin[i] + w->end[i] - extent(w, i);
    dim room;
    if (dim_is_static(in) && in + add < 0) {
        w->none = true;
        /* ONNX has no window here, its runtime one of what is left, by its division */
        w->doubtful |= in + add > -(int64_t)w->stride[i];
        w->out[i] = 0;
        return O2W_OK;
    }
    if (add >= 0)
        TRY(dim_of(l, n, EXPR_ADD, in, add, &room));
    else
        TRY(dim_of(l, n, EXPR_SUB, in, -add, &room));
    TRY(dim_of(l, n, EXPR_FLOOR_DIV, room, w->stride[i], &room));
    return dim_of(l, n, EXPR_ADD, room, 1, &w->out[i]);
}

o2w_status window_check_some(struct lower *l, const struct node_view *n, value x,
                             const struct window *w)
{
    for (uint32_t i = 0; w->none && i < w->rank; i++) {
        dim in = x->dims[2 + i];
        if (dim_is_static(w->out[i]) && w->out[i] == 0 && dim_is_static(in) &&
            in + w->begin[i] + w->end[i] < extent(w, i))
            return refuse(l, n, DIAG_LOWER_SHAPE,
                          "the kernel spans %lld, more than the padded input of %lld",
                          (long long)extent(w, i), (long long)(in + w->begin[i] + w->end[i]));
    }
    return O2W_OK;
}

o2w_status window_read(struct lower *l, const struct node_view *n, const struct window_params *p,
                       value x, value weights, uint32_t weights_at, struct window *out)
{
    *out = (struct window){ 0 };
    if (x->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", x->rank);
    out->rank = x->rank - 2;
    TRY(read_kernel(l, n, p, weights, weights_at, out));
    TRY(read_list(l, n, "strides", &p->strides, out->rank, out->stride));
    TRY(read_list(l, n, "dilations", &p->dilations, out->rank, out->dilation));
    TRY(read_padding(l, n, p, x, out));
    for (uint32_t i = 0; i < out->rank; i++) {
        dim in = x->dims[2 + i];
        TRY(size_floor(l, n, out, i, in));
        if (p->ceil_mode && !span_starts(p->auto_pad, SPAN("SAME_")))
            TRY(size_ceil(l, n, out, i, in));
    }
    return O2W_OK;
}

o2w_status window_crop(struct lower *l, value x, struct window *w, value *out)
{
    for (uint32_t i = 0; i < w->rank; i++) {
        int64_t before = w->begin[i] < 0 ? -w->begin[i] : 0, after = w->end[i] < 0 ? -w->end[i] : 0;
        if (!before && !after)
            continue;
        dim size;
        if (dim_apply(lower_exprs(l), EXPR_SUB, x->dims[2 + i], before + after, &size) != O2W_OK)
            return diag_error(lower_diags(l), DIAG_LOWER_OVERFLOW, "a dimension overflows");
        TRY(slice(l, x, 2 + i, before, size, 1, &x));
        w->begin[i] = w->begin[i] < 0 ? 0 : w->begin[i];
        w->end[i] = w->end[i] < 0 ? 0 : w->end[i];
    }
    *out = x;
    return O2W_OK;
}

o2w_status window_pad(struct lower *l, value x, const struct window *w, struct webnn_number fill,
                      value *out)
{
    struct webnn_pad_attributes a = webnn_pad_defaults();
    bool any = false;
    a.beginning_padding = a.ending_padding = (struct webnn_u32s){ .given = true, .count = x->rank };
    a.value = fill;
    for (uint32_t i = 0; i < w->rank; i++) {
        a.beginning_padding.items[2 + i] = (uint32_t)w->begin[i];
        a.ending_padding.items[2 + i] = (uint32_t)w->end[i];
        any |= w->begin[i] || w->end[i];
    }
    *out = x;
    return any ? op(l, WEBNN_PAD, OPERANDS(x), &a, out) : O2W_OK;
}

o2w_status window_reach(struct lower *l, const struct node_view *n, const struct window *w,
                        uint32_t i, dim *out)
{
    TRY(dim_of(l, n, EXPR_SUB, w->out[i], 1, out));
    TRY(dim_of(l, n, EXPR_MUL, *out, w->stride[i], out));
    return dim_of(l, n, EXPR_ADD, *out, 1, out);
}

/* What kernel position `k` reads, with a dim of 1 behind. */
static o2w_status tap(struct lower *l, const struct node_view *n, value x, const struct window *w,
                      uint64_t k, value *out)
{
    for (uint32_t i = w->rank; i-- > 0;) {
        dim reach;
        TRY(window_reach(l, n, w, i, &reach));
        TRY(slice(l, x, 2 + i, (int64_t)(k % w->kernel[i]) * w->dilation[i], reach, w->stride[i],
                  &x));
        k /= w->kernel[i];
    }
    return unsqueeze(l, x, &x->rank, 1, out);
}

o2w_status window_taps(struct lower *l, const struct node_view *n, value padded,
                       const struct window *w, value *out)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < w->rank; i++)
        count = count > 1024 ? count : count * w->kernel[i];
    if (count > 1024)
        return refuse_attribute(l, n, "kernel_shape",
                                "has more than 1024 positions, which is the limit of this form");
    value *taps = ARENA_ARRAY(lower_arena(l), (size_t)count, value);
    if (!taps)
        return diag_memory(lower_diags(l));
    for (uint64_t k = 0; k < count; k++)
        TRY(tap(l, n, padded, w, k, &taps[k]));
    return concat(l, taps, (uint32_t)count, padded->rank, out);
}
