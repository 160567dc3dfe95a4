/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-resample2d-method */
#include "webnn/infer/rules.h"

#include <math.h>
#include <string.h>

static bool scale_is_valid(double scale)
{
    return scale > 0 && isfinite((float)scale);
}

/* floor(d * scale) of an open dim: a float32 is m / 2^e, so the expression is exact. */
static o2w_status scaled_open(struct infer *in, dim d, float scale, dim *out)
{
    int exponent;
    float fraction =
        frexpf(scale, &exponent); /* scale = fraction * 2^exponent, fraction has 24 bits */
    int64_t m = (int64_t)ldexpf(fraction, 24);
    exponent -= 24;
    for (; m % 2 == 0; m /= 2)
        exponent++;
    if (exponent > 30 || exponent < -30)
        return infer_fail(in, "scale %g is too far from 1 for an open dimension", (double)scale);
    if (exponent > 0)
        m <<= exponent;
    TRY(infer_dim(in, EXPR_MUL, d, m, out));
    return exponent < 0 ? infer_dim(in, EXPR_FLOOR_DIV, *out, (dim)1 << -exponent, out) : O2W_OK;
}

static o2w_status scaled(struct infer *in, dim d, double scale, dim *out)
{
    float rounded = (float)scale; /* sequence<float> */
    if (!dim_is_static(d))
        return scaled_open(in, d, rounded, out);
    double size = floor((double)d * (double)rounded);
    if (size > (double)INT32_MAX)
        return infer_fail(in, "the result's dimension %.0f is above 2147483647", size);
    *out = (dim)size;
    return O2W_OK;
}

static o2w_status check_lists(const struct infer *in, const struct webnn_resample2d_attributes *p)
{
    if (p->scales.given)
        TRY(rule_count(in, "scales", p->scales.count, 2));
    for (uint32_t i = 0; p->scales.given && i < 2; i++)
        if (!scale_is_valid(p->scales.items[i]))
            return infer_fail(in, "scales[%u] is %g, must be a float32 above 0", i,
                              p->scales.items[i]);
    if (p->sizes.given && in->limits->min_dimension > 0)
        TRY(rule_positive(in, "sizes", &p->sizes, 2));
    else if (p->sizes.given)
        TRY(rule_count(in, "sizes", p->sizes.count, 2));
    TRY(rule_count(in, "axes", p->axes.count, 2));
    return rule_axes(in, "axes", &p->axes, 4);
}

/* sizes win over scales; both follow the order of axes. */
o2w_status infer_resample2d(struct infer *in)
{
    const struct webnn_resample2d_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    struct descriptor *result = infer_result(in, 0);
    TRY(check_lists(in, p));
    TRY(infer_append(in, result, x->dims, 4));
    for (uint32_t i = 0; i < 2; i++) {
        dim *d = &result->dims[p->axes.items[i]];
        if (p->sizes.given)
            *d = p->sizes.items[i];
        else
            TRY(scaled(in, x->dims[p->axes.items[i]], p->scales.items[i], d));
    }
    for (uint32_t i = 0; i < 4; i++)
        if (x->dims[i] == 0 && result->dims[i] != 0)
            return infer_fail(in, "input.shape[%u] is 0 and cannot grow", i);
    return O2W_OK;
}

/* Exactly one of sizes and scales stays. */
void resolve_resample2d(const struct infer *in, void *attributes)
{
    struct webnn_resample2d_attributes *p = attributes;
    (void)in;
    if (!p->scales.given && !p->sizes.given)
        p->scales = (struct webnn_doubles){ .given = true, .count = 2, .items = { 1, 1 } };
    else if (p->sizes.given && p->scales.given && p->scales.count == 2 &&
             scale_is_valid(p->scales.items[0]) && scale_is_valid(p->scales.items[1]))
        memset(&p->scales, 0, sizeof p->scales);
}
