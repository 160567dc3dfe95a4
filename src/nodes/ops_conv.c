/* Convolution. Filters in another layout than the runtime's are rewritten once, when constant. */
#include "nodes/lower.h"

static const uint32_t to_nchw[4] = { 0, 3, 1, 2 }, to_nhwc[4] = { 0, 2, 3, 1 };

ref operand_nchw(struct emit *e, uint32_t slot, uint32_t layout)
{
    return layout == WEBNN_INPUT_LAYOUT_NHWC ? operand_permuted(e, slot, to_nchw)
                                             : operand(e, slot);
}

void set_result_nchw(struct emit *e, ref value, uint32_t layout)
{
    set_result(e, 0,
               layout == WEBNN_INPUT_LAYOUT_NHWC ? emit_transpose(e, value, to_nhwc, 4) : value);
}

/* padding is [top, bottom, left, right]; the runtime wants all beginnings first. */
static void runtime_pads(const struct webnn_u32s *padding, int64_t out[4])
{
    out[0] = padding->items[0];
    out[1] = padding->items[2];
    out[2] = padding->items[1];
    out[3] = padding->items[3];
}

static void pair_of(const struct webnn_u32s *list, int64_t out[2])
{
    out[0] = list->items[0];
    out[1] = list->items[1];
}

void nodes_conv2d(struct emit *e)
{
    static const uint32_t filters[][4] = {
        [WEBNN_CONV2D_FILTER_LAYOUT_OIHW] = { 0, 1, 2, 3 },
        [WEBNN_CONV2D_FILTER_LAYOUT_HWIO] = { 3, 2, 0, 1 },
        [WEBNN_CONV2D_FILTER_LAYOUT_OHWI] = { 0, 3, 1, 2 },
        [WEBNN_CONV2D_FILTER_LAYOUT_IHWO] = { 3, 0, 1, 2 },
    };
    const struct webnn_conv2d_attributes *p = ATTRIBUTES_OF(e, conv2d);
    int64_t pads[4], strides[2], dilations[2];
    runtime_pads(&p->padding, pads);
    pair_of(&p->strides, strides);
    pair_of(&p->dilations, dilations);
    ref inputs[3] = {
        operand_nchw(e, 0, p->input_layout),
        operand_permuted(e, 1, filters[p->filter_layout]),
        operand(e, 2),
    };
    ref y = emit_node(e, "Conv", inputs, 3,
                      ATTRIBUTES(INTS("pads", pads, 4), INTS("strides", strides, 2),
                                 INTS("dilations", dilations, 2), INT("group", p->groups)));
    set_result_nchw(e, y, p->input_layout);
}

/* What must be added at the end of a dim so that the result has the size that inference gave it. */
static bool output_padding(struct emit *e, const struct webnn_conv_transpose2d_attributes *p,
                           int64_t out[2])
{
    out[0] = p->output_padding.items[0];
    out[1] = p->output_padding.items[1];
    if (!p->output_sizes.given || p->output_sizes.count == 0)
        return true;
    static const uint32_t spatial[][2] = {
        [WEBNN_INPUT_LAYOUT_NCHW] = { 2, 3 }, [WEBNN_INPUT_LAYOUT_NHWC] = { 1, 2 }
    };
    static const uint32_t windows[][2] = {
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = { 2, 3 },
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = { 0, 1 },
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = { 1, 2 },
    };
    const struct operand *x = operand_at(e, 0), *filter = operand_at(e, 1);
    if (!need_static(e, x, "input") || !need_static(e, filter, "filter"))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        int64_t size = x->dims[spatial[p->input_layout][i]],
                window = filter->dims[windows[p->filter_layout][i]];
        int64_t pads = (int64_t)p->padding.items[2 * i] + p->padding.items[2 * i + 1];
        int64_t calculated =
            (size - 1) * p->strides.items[i] + (window - 1) * p->dilations.items[i] + 1 - pads;
        out[i] = p->output_sizes.items[i] - calculated;
    }
    return true;
}

void nodes_conv_transpose2d(struct emit *e)
{
    static const uint32_t filters[][4] = {
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_IOHW] = { 0, 1, 2, 3 },
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_HWOI] = { 3, 2, 0, 1 },
        [WEBNN_CONV_TRANSPOSE2D_FILTER_LAYOUT_OHWI] = { 3, 0, 1, 2 },
    };
    const struct webnn_conv_transpose2d_attributes *p = ATTRIBUTES_OF(e, conv_transpose2d);
    int64_t pads[4], strides[2], dilations[2], more[2];
    runtime_pads(&p->padding, pads);
    pair_of(&p->strides, strides);
    pair_of(&p->dilations, dilations);
    if (!output_padding(e, p, more))
        return;
    ref inputs[3] = {
        operand_nchw(e, 0, p->input_layout),
        operand_permuted(e, 1, filters[p->filter_layout]),
        operand(e, 2),
    };
    ref y = emit_node(e, "ConvTranspose", inputs, 3,
                      ATTRIBUTES(INTS("pads", pads, 4), INTS("strides", strides, 2),
                                 INTS("dilations", dilations, 2), INTS("output_padding", more, 2),
                                 INT("group", p->groups)));
    set_result_nchw(e, y, p->input_layout);
}
