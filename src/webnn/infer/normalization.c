/* Normalisations: the shape stays, statistics and affine parameters have the length of axes. */
#include "webnn/infer/rules.h"

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-batchnorm */
o2w_status infer_batch_normalization(struct infer *in)
{
    const struct webnn_batch_normalization_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    TRY(infer_axis(in, "axis", p->axis, x->rank));
    for (uint32_t slot = 1; slot < in->row->operand_count; slot++)
        TRY(rule_shape_is(in, slot, &x->dims[p->axis], 1));
    return infer_same(in);
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-instancenorm */
o2w_status infer_instance_normalization(struct infer *in)
{
    const struct webnn_instance_normalization_attributes *p = in->attributes;
    uint32_t channel = rule_layout_axis(rule_input_layout(p->layout), 'c');
    for (uint32_t slot = 1; slot < in->row->operand_count; slot++)
        TRY(rule_shape_is(in, slot, &infer_operand(in, 0)->dims[channel], 1));
    return infer_same(in);
}

/* scale and bias have the dims of axes, in the order of axes.
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-layernorm */
o2w_status infer_layer_normalization(struct infer *in)
{
    const struct webnn_layer_normalization_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    dim dims[MAX_RANK];
    TRY(rule_axes(in, "axes", &p->axes, x->rank));
    for (uint32_t i = 0; i < p->axes.count; i++)
        dims[i] = x->dims[p->axes.items[i]];
    for (uint32_t slot = 1; slot < in->row->operand_count; slot++)
        TRY(rule_shape_is(in, slot, dims, p->axes.count));
    return infer_same(in);
}

/* All axes but the first. */
void resolve_layer_normalization(const struct infer *in, void *attributes)
{
    struct webnn_layer_normalization_attributes *p = attributes;
    uint32_t rank = infer_operand(in, 0)->rank;
    if (!p->axes.given)
        rule_fill_range(&p->axes, 1, rank > 1 ? rank - 1 : 0);
}
