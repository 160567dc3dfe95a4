/* Operators whose result has the shape of an operand or of all operands broadcast together.
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-unary
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-binary
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-logical */
#include "webnn/infer/rules.h"

#include <math.h>

/* result.shape = input.shape */
o2w_status infer_same(struct infer *in)
{
    const struct descriptor *x = infer_operand(in, 0);
    return infer_append(in, infer_result(in, 0), x->dims, x->rank);
}

/* result.shape = a.shape and b.shape broadcast both ways; prelu's slope too. */
o2w_status infer_binary(struct infer *in)
{
    return infer_broadcast(in, infer_operand(in, 0), infer_operand(in, 1), infer_result(in, 0));
}

/* https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast: the result's type is the argument. */
o2w_status infer_cast(struct infer *in)
{
    const struct webnn_cast_attributes *p = in->attributes;
    infer_result(in, 0)->dtype = (enum dtype)p->to;
    return infer_same(in);
}

static bool number_is_nan(const struct webnn_number *n)
{
    return n->kind == WEBNN_NUMBER_DOUBLE && isnan(n->d);
}

/* https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp: absent bounds are infinite; min <= max. */
o2w_status infer_clamp(struct infer *in)
{
    const struct webnn_clamp_attributes *p = in->attributes;
    if (number_is_nan(&p->min_value) || number_is_nan(&p->max_value))
        return infer_fail(in, "%s is NaN, must be a number",
                          number_is_nan(&p->min_value) ? "minValue" : "maxValue");
    if (p->min_value.kind != WEBNN_NUMBER_NONE && p->max_value.kind != WEBNN_NUMBER_NONE &&
        number_compare(&p->min_value, &p->max_value) > 0)
        return infer_fail(in, "minValue is greater than maxValue");
    return infer_same(in);
}

/* https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where: all three broadcast both ways. */
o2w_status infer_where(struct infer *in)
{
    struct descriptor values;
    TRY(infer_broadcast(in, infer_operand(in, 1), infer_operand(in, 2), &values));
    return infer_broadcast(in, infer_operand(in, 0), &values, infer_result(in, 0));
}
