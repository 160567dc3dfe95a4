/* Transposed convolution. */
#include "lower/helpers.h"
#include "lower/ops/convolution.h"

struct conv_transpose {
    struct conv_params conv;
    struct ints output_padding, output_shape;
};

static const struct attr_row conv_transpose_attrs[] = {
    CONV_ATTRS,
    ATTR_INTS(struct conv_transpose, output_padding, .required = false),
    ATTR_INTS(struct conv_transpose, output_shape, .required = false),
};

static const struct attr_row dynamic_pads_attrs[] = {
    ATTR_(PARAM_STRING, struct conv_transpose, conv.window.auto_pad, "auto_pad",
          .fallback_text = "NOTSET", .allowed = "NOTSET SAME_UPPER SAME_LOWER VALID"),
    ATTR_(PARAM_INTS, struct conv_transpose, conv.window.strides, "strides", .required = false),
    WINDOW_KERNEL(struct conv_params, false),
    WINDOW_DILATIONS(struct conv_params),
    ATTR_INT(struct conv_params, group, .fallback_int = 1),
    ATTR_INTS(struct conv_transpose, output_padding, .required = false),
};

/* How one spatial dim comes out. */
struct extent {
    uint32_t kernel, stride, dilation, output_padding;
    int64_t begin, end, extra; /* rows of bias alone behind the result */
};

static o2w_status entry(struct lower *l, const struct node_view *n, const char *name,
                        const struct ints *list, uint32_t rank, uint32_t i, int64_t least,
                        int64_t fallback, int64_t *out)
{
    *out = fallback;
    if (!list->given)
        return O2W_OK;
    if (list->count != rank)
        return refuse_attribute(l, n, name, "has %u entries, the input has %u spatial dimensions",
                                list->count, rank);
    *out = list->items[i];
    if (*out < least || *out > INT32_MAX)
        return refuse_attribute(l, n, name, "is %lld at index %u, must be at least %lld",
                                (long long)*out, i, (long long)least);
    return O2W_OK;
}

/* The padding that makes the wanted size; what is missing is added at the end. */
static o2w_status pads_for(struct lower *l, const struct node_view *n,
                           const struct conv_transpose *p, dim in, int64_t wanted, struct extent *e)
{
    if (!dim_is_static(in))
        return refuse(
            l, n, DIAG_LOWER_SHAPE,
            "output_shape and SAME padding need numbers: give the dimension with --override-dim");
    int64_t total = (in - 1) * e->stride + e->output_padding +
                    ((int64_t)e->kernel - 1) * e->dilation + 1 - wanted;
    if (total < 0 && p->output_shape.given) {
        e->extra = -total;
        return O2W_OK;
    }
    if (total < 0) {
        lower_report(
            l, n, DIAG_LOWER_NOTE,
            "SAME padding of a transposed convolution cannot reach input · stride: its size "
            "is that of the runtime, smaller");
        return O2W_OK;
    }
    bool upper = span_is(p->conv.window.auto_pad, "SAME_UPPER");
    e->begin = upper ? total / 2 : total - total / 2;
    e->end = total - e->begin;
    return O2W_OK;
}

static o2w_status read_pads(struct lower *l, const struct node_view *n,
                            const struct conv_transpose *p, uint32_t rank, uint32_t i,
                            struct extent *e)
{
    const struct ints *pads = &p->conv.window.pads;
    if (!pads->given || !span_is(p->conv.window.auto_pad, "NOTSET"))
        return O2W_OK;
    if (pads->count != 2 * rank)
        return refuse_attribute(l, n, "pads", "has %u entries, must have %u", pads->count,
                                2 * rank);
    e->begin = pads->items[i];
    e->end = pads->items[rank + i];
    if (e->begin < 0 || e->end < 0 || e->begin > INT32_MAX || e->end > INT32_MAX)
        return refuse_attribute(
            l, n, "pads", "is negative or too large, a transposed convolution takes none such");
    return O2W_OK;
}

static o2w_status read_extent(struct lower *l, const struct node_view *n,
                              const struct conv_transpose *p, value x, value w, uint32_t i,
                              struct extent *e)
{
    uint32_t rank = x->rank - 2;
    int64_t kernel, stride, dilation, padding, shape;
    dim size = w->dims[2 + i];
    if (!dim_is_static(size) || size < 1)
        return refuse_input(l, n, 1, "needs numbers of at least 1 for its kernel dimensions");
    TRY(entry(l, n, "kernel_shape", &p->conv.window.kernel_shape, rank, i, 1, size, &kernel));
    TRY(entry(l, n, "strides", &p->conv.window.strides, rank, i, 1, 1, &stride));
    TRY(entry(l, n, "dilations", &p->conv.window.dilations, rank, i, 1, 1, &dilation));
    TRY(entry(l, n, "output_padding", &p->output_padding, rank, i, 0, 0, &padding));
    if (kernel != size)
        return refuse_attribute(l, n, "kernel_shape", "is %lld at index %u, the weights have %lld",
                                (long long)kernel, i, (long long)size);
    *e = (struct extent){ .kernel = (uint32_t)kernel,
                          .stride = (uint32_t)stride,
                          .dilation = (uint32_t)dilation,
                          .output_padding = (uint32_t)padding };
    TRY(read_pads(l, n, p, rank, i, e));
    if (p->output_shape.given && p->output_shape.count == rank + 2 && rank + 2 == x->rank)
        shape = p->output_shape.items[2 + i]; /* older exporters give batch and channels too */
    else
        TRY(entry(l, n, "output_shape", &p->output_shape, rank, i, 1, 0, &shape));
    if (p->output_shape.given)
        return pads_for(l, n, p, x->dims[2 + i], shape, e);
    if (span_starts(p->conv.window.auto_pad, SPAN("SAME_"))) {
        if (!dim_is_static(x->dims[2 + i]))
            return pads_for(l, n, p, x->dims[2 + i], 0, e);
        return pads_for(l, n, p, x->dims[2 + i], x->dims[2 + i] * stride, e);
    }
    return O2W_OK;
}

static void fill_attributes(const struct extent *extents, uint32_t rank,
                            struct webnn_conv_transpose2d_attributes *c, uint32_t extra[2])
{
    for (uint32_t i = 0; i < rank; i++) {
        const struct extent *e = &extents[i];
        uint32_t axis = 2 - rank + i;
        int64_t added = e->output_padding + e->extra;
        c->padding.items[2 * axis] = (uint32_t)e->begin;
        c->padding.items[2 * axis + 1] = (uint32_t)e->end;
        c->strides.items[axis] = e->stride;
        c->dilations.items[axis] = e->dilation;
        if (added < e->stride)
            c->output_padding.items[axis] = (uint32_t)added;
        else
            extra[axis] = (uint32_t)added;
    }
}

/* Rows that no input reaches: zeros, before the bias comes. WebNN keeps outputPadding below the stride. */
static o2w_status with_extra_rows(struct lower *l, value x, value w, value bias,
                                  const struct webnn_conv_transpose2d_attributes *c,
                                  const uint32_t extra[2], value *out)
{
    struct webnn_pad_attributes pad = webnn_pad_defaults();
    struct webnn_conv_transpose2d_attributes plain = *c;
    value y;
    for (uint32_t i = 0; i < 2; i++) /* what the end padding cuts off comes back first */
        if (extra[i]) {
            uint32_t back = plain.padding.items[2 * i + 1] < extra[i]
                                ? plain.padding.items[2 * i + 1]
                                : extra[i];
            plain.padding.items[2 * i + 1] -= back;
        }
    TRY(op(l, WEBNN_CONV_TRANSPOSE2D, OPERANDS(x, w), &plain, &y));
    pad.beginning_padding = pad.ending_padding = (struct webnn_u32s){ .given = true, .count = 4 };
    for (uint32_t i = 0; i < 2; i++)
        pad.ending_padding.items[2 + i] =
            extra[i] -
            (extra[i] ? c->padding.items[2 * i + 1] - plain.padding.items[2 * i + 1] : 0);
    TRY(op(l, WEBNN_PAD, OPERANDS(y), &pad, &y));
    if (bias) {
        TRY(reshape(l, bias, (const dim[]){ 1, bias->dims[0], 1, 1 }, 4, &bias));
        TRY(op2(l, WEBNN_ADD, y, bias, &y));
    }
    *out = y;
    return O2W_OK;
}

/* The last one or two spatial dims; w is [C, O/g, kH, kW] or without the height. */
static o2w_status transpose_2d(struct lower *l, const struct extent *extents, uint32_t rank,
                               uint32_t groups, value x, value w, value bias, value *out)
{
    struct webnn_conv_transpose2d_attributes c = webnn_conv_transpose2d_defaults();
    uint32_t extra[2] = { 0, 0 };
    fill_attributes(extents, rank, &c, extra);
    c.groups = groups;
    TRY(two_spatial(l, x, &x));
    TRY(two_spatial(l, w, &w));
    if (extra[0] || extra[1])
        return with_extra_rows(l, x, w, bias, &c, extra, out);
    return op(l, WEBNN_CONV_TRANSPOSE2D, OPERANDS(x, w, bias), &c, out);
}

/* Zeros between the planes, and around them so that a plain window over the flipped kernel gives the
 * transposed convolution along the depth. */
static o2w_status stuff_depth(struct lower *l, const struct node_view *n, const struct extent *e,
                              value x, value *out)
{
    struct window around = { .rank = 1 };
    struct webnn_number zero = { .kind = WEBNN_NUMBER_INT };
    uint32_t behind = 3;
    int64_t reach = ((int64_t)e->kernel - 1) * e->dilation;
    dim dims[5];
    if (e->stride > 1) {
        struct window between = { .rank = 2, .end = { 0, (int64_t)e->stride - 1 } };
        for (uint32_t i = 0; i < 5; i++)
            dims[i] = x->dims[i];
        TRY(dim_of(l, n, EXPR_MUL, dims[2], e->stride, &dims[2]));
        TRY(unsqueeze(l, x, &behind, 1, &x));
        TRY(window_pad(l, x, &between, zero, &x));
        TRY(reshape(l, x, dims, 5, &x));
    }
    around.begin[0] = reach - e->begin;
    around.end[0] = reach - e->end + e->output_padding + e->extra - ((int64_t)e->stride - 1);
    TRY(window_crop(l, x, &around, &x));
    return window_pad(l, x, &around, zero, out);
}

static o2w_status transpose_3d(struct lower *l, const struct node_view *n,
                               const struct extent *extents, uint32_t groups, value x, value w,
                               value bias, value *out)
{
    static const uint32_t depth_second[] = { 0, 2, 1, 3, 4 };
    const struct extent *e = &extents[0];
    int64_t *starts = ARENA_ARRAY(lower_arena(l), e->kernel, int64_t);
    dim depth, dims[4] = { 0, w->dims[1], w->dims[3], w->dims[4] }, batch = x->dims[0];
    value y;
    if (!starts)
        return diag_memory(lower_diags(l));
    for (uint32_t k = 0; k < e->kernel; k++)
        starts[k] = ((int64_t)e->kernel - 1 - k) * e->dilation;
    TRY(stuff_depth(l, n, e, x, &x));
    TRY(dim_of(l, n, EXPR_SUB, x->dims[2], starts[0], &depth));
    TRY(depth_as_channels(l, n, x, starts, e->kernel, depth, 1, &x));
    TRY(transpose(l, w, depth_second, &w));
    TRY(dims_product(l, n, w->dims, 0, 2, &dims[0]));
    TRY(reshape(l, w, dims, 4, &w));
    TRY(transpose_2d(l, extents + 1, 2, groups, x, w, bias, &y));
    return depth_from_batch(l, y, batch, depth, out);
}

static o2w_status lower_conv_transpose(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    const struct conv_transpose *p = params;
    value x = input(n, 0), w = input(n, 1), bias = input(n, 2), y;
    struct extent extents[3] = { 0 };
    uint32_t rank = x->rank, height = 2, groups = (uint32_t)p->conv.group;
    TRY(check_conv(l, n, p->conv.group, x, w, 1));
    for (uint32_t i = 0; i < rank - 2; i++)
        TRY(read_extent(l, n, p, x, w, i, &extents[i]));
    if (rank == 5)
        TRY(transpose_3d(l, n, extents, groups, x, w, bias, &y));
    else
        TRY(transpose_2d(l, extents, rank - 2, groups, x, w, bias, &y));
    if (rank == 3)
        TRY(squeeze(l, y, &height, 1, &y));
    return emit_value(l, n, y);
}

/* com.microsoft: padding as an input, [b0, b1, e0, e1]. */
static o2w_status lower_dynamic_pads(struct lower *l, const struct node_view *n, const void *params)
{
    struct conv_transpose p = *(const struct conv_transpose *)params;
    struct node_view plain = *n;
    value inputs[] = { input(n, 0), input(n, 1), input(n, 3) };
    TRY(known_ints(l, n, 2, &p.conv.window.pads));
    plain.inputs = inputs;
    plain.input_count = 3;
    return lower_conv_transpose(l, &plain, &p);
}

const struct onnx_row conv_transpose_rows[] = {
    { ONNX("ConvTranspose", 1, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN_OPT("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct conv_transpose, conv_transpose_attrs),
      .lower = lower_conv_transpose, .class = CLASS_DIRECT, .partial = true,
      .webnn = "convTranspose2d", .notes = "more than three spatial dimensions refused" },
    { MICROSOFT("ConvTransposeWithDynamicPads"),
      INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN_OPT("Pads", NONE, SET_I64, KNOWN),
             IN_OPT("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct conv_transpose, dynamic_pads_attrs),
      .lower = lower_dynamic_pads, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "convTranspose2d", .notes = "more than three spatial dimensions refused" },
};
ROW_COUNT(conv_transpose);
