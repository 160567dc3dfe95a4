/* Convolutions. Filter letters: o output channels, i input channels; conv2d counts i, and
 * convTranspose2d o, per group. */
#include "webnn/infer/rules.h"

#include <inttypes.h>

struct spatial {
    const struct webnn_u32s *padding, *strides, *dilations;
    const char *input_layout, *filter_layout;
};

static o2w_status check_lists(const struct infer *in, const struct spatial *s)
{
    TRY(rule_count(in, "padding", s->padding->count, 4));
    TRY(rule_positive(in, "strides", s->strides, 2));
    TRY(rule_positive(in, "dilations", s->dilations, 2));
    for (uint32_t axis = 0; axis < 4; axis++)
        TRY(rule_static_dim(in, 1, axis));
    return O2W_OK;
}

static dim filter_dim(const struct infer *in, const struct spatial *s, char letter)
{
    return infer_operand(in, 1)->dims[rule_layout_axis(s->filter_layout, letter)];
}

static dim input_dim(const struct infer *in, const struct spatial *s, char letter)
{
    return infer_operand(in, 0)->dims[rule_layout_axis(s->input_layout, letter)];
}

/* i is 0 for height, 1 for width. */
static struct window window_of(const struct infer *in, const struct spatial *s, uint32_t i)
{
    char letter = i == 0 ? 'h' : 'w';
    return (struct window){ .input = input_dim(in, s, letter),
                            .size = filter_dim(in, s, letter),
                            .begin = s->padding->items[2 * i],
                            .end = s->padding->items[2 * i + 1],
                            .stride = s->strides->items[i],
                            .dilation = s->dilations->items[i] };
}

/* The result in the input's layout; the bias has the length of its channels. */
static o2w_status finish(struct infer *in, const struct spatial *s, dim channels, const dim size[2])
{
    struct descriptor *result = infer_result(in, 0);
    TRY(rule_shape_is(in, 2, &channels, 1));
    TRY(infer_append(in, result, infer_operand(in, 0)->dims, 4));
    result->dims[rule_layout_axis(s->input_layout, 'c')] = channels;
    result->dims[rule_layout_axis(s->input_layout, 'h')] = size[0];
    result->dims[rule_layout_axis(s->input_layout, 'w')] = size[1];
    return O2W_OK;
}

static o2w_status check_groups(const struct infer *in, uint32_t groups)
{
    return groups != 0 ? O2W_OK : infer_fail(in, "groups is 0, must be at least 1");
}

/* size = floor((input + padding - ((filter - 1) * dilation + 1)) / stride) + 1
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-conv2d */
o2w_status infer_conv2d(struct infer *in)
{
    static const char *const layouts[] = { "oihw", "hwio", "ohwi", "ihwo" };
    const struct webnn_conv2d_attributes *p = in->attributes;
    const struct spatial s = { .padding = &p->padding,
                               .strides = &p->strides,
                               .dilations = &p->dilations,
                               .input_layout = rule_input_layout(p->input_layout),
                               .filter_layout = layouts[p->filter_layout] };
    TRY(check_lists(in, &s));
    TRY(check_groups(in, p->groups));
    dim channels = input_dim(in, &s, 'c'), outputs = filter_dim(in, &s, 'o'),
        per_group = filter_dim(in, &s, 'i');
    if (dim_is_static(channels) && channels % p->groups != 0)
        return infer_fail(in, "input channels are %" PRId64 ", must be a multiple of groups = %u",
                          channels, p->groups);
    if (outputs % p->groups != 0)
        return infer_fail(in, "output channels are %" PRId64 ", must be a multiple of groups = %u",
                          outputs, p->groups);
    uint32_t i_axis = rule_layout_axis(s.filter_layout, 'i');
    if (dim_is_static(channels))
        TRY(rule_dim_is(in, 1, i_axis, "input channels / groups", channels / p->groups));
    else
        TRY(infer_same_dim(in, "the number of input channels", channels, per_group * p->groups));
    dim size[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct window w = window_of(in, &s, i);
        TRY(rule_window_travel(in, i == 0 ? "height" : "width", &w, &size[i]));
        TRY(infer_dim(in, EXPR_FLOOR_DIV, size[i], w.stride, &size[i]));
        TRY(infer_dim(in, EXPR_ADD, size[i], 1, &size[i]));
    }
    return finish(in, &s, outputs, size);
}

/* (input - 1) * stride + (filter - 1) * dilation + 1 - padding */
static o2w_status transposed_size(struct infer *in, const char *axis, const struct window *w,
                                  dim *size)
{
    dim reach, travel;
    if (w->size < 1)
        return infer_fail(in, "the filter's %s is 0, must be at least 1", axis);
    TRY(infer_dim(in, EXPR_MUL, w->size - 1, w->dilation, &reach));
    TRY(infer_dim(in, EXPR_ADD, reach, 1, &reach));
    /* input * stride + reach first, so that no step is below zero before the check. */
    TRY(infer_dim(in, EXPR_MUL, w->input, w->stride, &travel));
    TRY(infer_dim(in, EXPR_ADD, travel, reach, &travel));
    dim less = (dim)w->stride + w->begin + w->end;
    if (rule_greater(in, less, travel))
        return infer_fail(in, "the output's %s is below 0: padding %u and %u is too large", axis,
                          w->begin, w->end);
    return infer_dim(in, EXPR_SUB, travel, less, size);
}

/* outputSizes lies in [calculated, calculated + stride), and then outputPadding does not count. */
static o2w_status chosen_size(struct infer *in, const struct webnn_conv_transpose2d_attributes *p,
                              uint32_t i, dim *size)
{
    const char *axis = i == 0 ? "height" : "width";
    uint32_t stride = p->strides.items[i];
    if (!p->output_sizes.given)
        return infer_dim(in, EXPR_ADD, *size, p->output_padding.items[i], size);
    dim chosen = p->output_sizes.items[i], last;
    TRY(infer_dim(in, EXPR_ADD, *size, stride - 1, &last));
    if (rule_greater(in, *size, chosen) || rule_greater(in, chosen, last)) {
        char low[DIM_TEXT], high[DIM_TEXT];
        return infer_fail(in, "outputSizes[%u] (%s) is %" PRId64 ", must be %s…%s", i, axis, chosen,
                          rule_dim_text(in, *size, low), rule_dim_text(in, last, high));
    }
    *size = chosen;
    return O2W_OK;
}

static o2w_status check_output_lists(const struct infer *in,
                                     const struct webnn_conv_transpose2d_attributes *p)
{
    TRY(rule_count(in, "outputPadding", p->output_padding.count, 2));
    if (p->output_sizes.given)
        return rule_count(in, "outputSizes", p->output_sizes.count, 2);
    for (uint32_t i = 0; i < 2; i++)
        if (p->output_padding.items[i] >= p->strides.items[i])
            return infer_fail(in, "outputPadding[%u] is %u, must be below strides[%u] = %u", i,
                              p->output_padding.items[i], i, p->strides.items[i]);
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-convtranspose2d */
o2w_status infer_conv_transpose2d(struct infer *in)
{
    static const char *const layouts[] = { "iohw", "hwoi", "ohwi" };
    const struct webnn_conv_transpose2d_attributes *p = in->attributes;
    const struct spatial s = { .padding = &p->padding,
                               .strides = &p->strides,
                               .dilations = &p->dilations,
                               .input_layout = rule_input_layout(p->input_layout),
                               .filter_layout = layouts[p->filter_layout] };
    TRY(check_lists(in, &s));
    TRY(check_output_lists(in, p));
    TRY(check_groups(in, p->groups));
    dim channels = filter_dim(in, &s, 'i'), outputs, size[2];
    TRY(rule_dim_is(in, 0, rule_layout_axis(s.input_layout, 'c'), "the filter's input channels",
                    channels));
    if (channels % p->groups != 0)
        return infer_fail(in, "input channels are %" PRId64 ", must be a multiple of groups = %u",
                          channels, p->groups);
    TRY(infer_dim(in, EXPR_MUL, filter_dim(in, &s, 'o'), p->groups, &outputs));
    for (uint32_t i = 0; i < 2; i++) {
        struct window w = window_of(in, &s, i);
        TRY(transposed_size(in, i == 0 ? "height" : "width", &w, &size[i]));
        TRY(chosen_size(in, p, i, &size[i]));
    }
    return finish(in, &s, outputs, size);
}

void resolve_conv_transpose2d(const struct infer *in, void *attributes)
{
    struct webnn_conv_transpose2d_attributes *p = attributes;
    (void)in;
    if (p->output_sizes.given && p->output_padding.count == 2)
        p->output_padding.items[0] = p->output_padding.items[1] = 0;
}
