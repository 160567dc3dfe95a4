/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-pool2d */
#include "webnn/infer/rules.h"

#include <inttypes.h>

static struct window window_of(const struct infer *in, const struct webnn_pool2d_attributes *p,
                               uint32_t i)
{
    uint32_t axis = rule_layout_axis(rule_input_layout(p->layout), i == 0 ? 'h' : 'w');
    dim input = infer_operand(in, 0)->dims[axis];
    return (struct window){ .input = input,
                            .size = p->window_dimensions.given ? (dim)p->window_dimensions.items[i]
                                                               : input,
                            .begin = p->padding.items[2 * i],
                            .end = p->padding.items[2 * i + 1],
                            .stride = p->strides.items[i],
                            .dilation = p->dilations.items[i] };
}

static o2w_status check_lists(const struct infer *in, const struct webnn_pool2d_attributes *p)
{
    if (p->window_dimensions.given)
        TRY(rule_positive(in, "windowDimensions", &p->window_dimensions, 2));
    TRY(rule_count(in, "padding", p->padding.count, 4));
    TRY(rule_positive(in, "strides", &p->strides, 2));
    TRY(rule_positive(in, "dilations", &p->dilations, 2));
    return p->output_sizes.given ? rule_count(in, "outputSizes", p->output_sizes.count, 2) : O2W_OK;
}

/* outputSizes is the pair of sizes rounded down or the pair rounded up. */
static o2w_status check_output_sizes(struct infer *in, const struct webnn_pool2d_attributes *p,
                                     const dim down[2], const dim up[2])
{
    const uint32_t *sizes = p->output_sizes.items;
    if (dims_static(down, 2) && dims_static(up, 2)) {
        if ((sizes[0] == down[0] && sizes[1] == down[1]) ||
            (sizes[0] == up[0] && sizes[1] == up[1]))
            return O2W_OK;
        return infer_fail(in,
                          "outputSizes is [%u, %u], must be [%" PRId64 ", %" PRId64 "] or [%" PRId64
                          ", %" PRId64 "]",
                          sizes[0], sizes[1], down[0], down[1], up[0], up[1]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (down[i] != up[i])
            return rule_static_dim(
                in, 0, rule_layout_axis(rule_input_layout(p->layout), i == 0 ? 'h' : 'w'));
        TRY(infer_same_dim(in, i == 0 ? "outputSizes[0]" : "outputSizes[1]", sizes[i], down[i]));
    }
    return O2W_OK;
}

/* size = round((input + padding - ((window - 1) * dilation + 1)) / stride) + 1 */
o2w_status infer_pool2d(struct infer *in)
{
    const struct webnn_pool2d_attributes *p = in->attributes;
    struct descriptor *result = infer_result(in, 0);
    dim down[2], up[2];
    TRY(check_lists(in, p));
    for (uint32_t i = 0; i < 2; i++) {
        struct window w = window_of(in, p, i);
        TRY(rule_window_travel(in, i == 0 ? "height" : "width", &w, &down[i]));
        TRY(infer_dim(in, EXPR_CEIL_DIV, down[i], w.stride, &up[i]));
        TRY(infer_dim(in, EXPR_FLOOR_DIV, down[i], w.stride, &down[i]));
        TRY(infer_dim(in, EXPR_ADD, up[i], 1, &up[i]));
        TRY(infer_dim(in, EXPR_ADD, down[i], 1, &down[i]));
    }
    if (p->output_sizes.given)
        TRY(check_output_sizes(in, p, down, up));
    TRY(infer_append(in, result, infer_operand(in, 0)->dims, 4));
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t axis = rule_layout_axis(rule_input_layout(p->layout), i == 0 ? 'h' : 'w');
        result->dims[axis] = p->output_sizes.given ? (dim)p->output_sizes.items[i]
                             : p->output_shape_rounding == WEBNN_ROUNDING_CEIL ? up[i]
                                                                               : down[i];
    }
    return O2W_OK;
}

/* The window is the whole plane where it is not given; with open sizes it stays not given. Rounding
 * does not count beside outputSizes; padding does, in all implementations and recorded cases. */
void resolve_pool2d(const struct infer *in, void *attributes)
{
    struct webnn_pool2d_attributes *p = attributes;
    const struct descriptor *x = infer_operand(in, 0);
    const char *layout = rule_input_layout(p->layout);
    dim height = x->dims[rule_layout_axis(layout, 'h')],
        width = x->dims[rule_layout_axis(layout, 'w')];
    if (!p->window_dimensions.given && dim_is_static(height) && dim_is_static(width))
        p->window_dimensions = (struct webnn_u32s){
            .given = true, .count = 2, .items = { (uint32_t)height, (uint32_t)width }
        };
    if (p->output_sizes.given)
        p->output_shape_rounding = WEBNN_ROUNDING_FLOOR;
}
