/* Operators that ONNX removed and old models hold; their opset is below 10. */
#include "lower/ops/movement.h"
#include "lower/ops/normalization.h"

#include <string.h>

/* --- elementwise ---------------------------------------------------------------------------------------- */

struct two_numbers {
    double alpha, beta;
};

static const struct attr_row affine_attrs[] = {
    ATTR_FLOAT(struct two_numbers, alpha, .fallback_float = 1),
    ATTR_FLOAT(struct two_numbers, beta),
};
static const struct attr_row required_attrs[] = {
    ATTR_FLOAT(struct two_numbers, alpha, .required = true),
    ATTR_FLOAT(struct two_numbers, beta, .required = true),
};
static const struct attr_row scale_attrs[] = {
    ATTR_(PARAM_FLOAT, struct two_numbers, alpha, "scale", .fallback_float = 1),
};

/* alpha x + beta */
static o2w_status lower_affine(struct lower *l, const struct node_view *n, const void *params)
{
    const struct two_numbers *p = params;
    struct webnn_linear_attributes a = { .alpha = p->alpha, .beta = p->beta };
    return emit(l, n, WEBNN_LINEAR, OPERANDS(input(n, 0)), &a);
}

/* alpha f(beta x) */
static o2w_status scaled_function(struct lower *l, const struct node_view *n,
                                  const struct two_numbers *p, enum webnn_operator function)
{
    value x;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value y = calc_op(&c, function, calc_mul(&c, x, calc_number(&c, p->beta)), NULL, NULL);
    y = calc_mul(&c, y, calc_number(&c, p->alpha));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

static o2w_status lower_scaled_tanh(struct lower *l, const struct node_view *n, const void *params)
{
    return scaled_function(l, n, params, WEBNN_TANH);
}

static o2w_status lower_parametric_softplus(struct lower *l, const struct node_view *n,
                                            const void *params)
{
    return scaled_function(l, n, params, WEBNN_SOFTPLUS);
}

/* --- images, [N, C, H, W] ------------------------------------------------------------------------------- */

static o2w_status check_image(struct lower *l, const struct node_view *n)
{
    return input(n, 0)->rank == 4
               ? O2W_OK
               : refuse_input(l, n, 0, "has rank %u, must have 4", input(n, 0)->rank);
}

struct image_scaler {
    struct floats bias;
    double scale;
};

static const struct attr_row image_scaler_attrs[] = {
    ATTR_FLOATS(struct image_scaler, bias, .required = true),
    ATTR_FLOAT(struct image_scaler, scale, .fallback_float = 1),
};

/* scale x + the bias of the channel */
static o2w_status lower_image_scaler(struct lower *l, const struct node_view *n, const void *params)
{
    const struct image_scaler *p = params;
    const dim dims[4] = { 1, p->bias.count, 1, 1 };
    struct tensor t;
    value bias, x;
    int64_t channels;
    TRY(check_image(l, n));
    TRY(static_dim(l, n, input(n, 0), 1, &channels));
    if (channels != p->bias.count)
        return refuse_attribute(l, n, "bias", "has %u items for %lld channels", p->bias.count,
                                (long long)channels);
    TRY(widen(l, input(n, 0), &x));
    TRY(known_new(l, DTYPE_FLOAT32, dims, 4, &t, &bias));
    for (uint32_t i = 0; i < p->bias.count; i++)
        tensor_put_double(&t, i, (double)p->bias.items[i]);
    struct calc c = calc_begin(l, x);
    value y = calc_add(&c, calc_mul(&c, x, calc_number(&c, p->scale)), bias);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

struct crop {
    struct ints border, scale;
};

static const struct attr_row crop_attrs[] = {
    ATTR_INTS(struct crop, border, .required = true),
    ATTR_INTS(struct crop, scale),
};

/* border: left, top, right, bottom. With scale, height and width, right and bottom do not count. */
static o2w_status lower_crop(struct lower *l, const struct node_view *n, const void *params)
{
    const struct crop *p = params;
    value x = input(n, 0);
    TRY(check_image(l, n));
    if (p->border.count != 4)
        return refuse_attribute(l, n, "border", "has %u items, 4 are needed", p->border.count);
    if (p->scale.given && p->scale.count != 2)
        return refuse_attribute(l, n, "scale", "has %u items, 2 are needed", p->scale.count);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t axis = 2 + i;
        int64_t size, begin = p->border.items[1 - i], end = p->border.items[3 - i], kept;
        TRY(static_dim(l, n, x, axis, &size));
        kept = p->scale.given ? p->scale.items[i] : size - begin - end;
        if (begin < 0 || end < 0 || begin > size || kept < 1 || kept > size - begin)
            return refuse_attribute(l, n, "border", "does not fit axis %u of size %lld", axis,
                                    (long long)size);
        TRY(slice(l, x, axis, begin, kept, 1, &x));
    }
    return emit_value(l, n, x);
}

struct mean_variance_1 {
    int64_t across_channels, normalize_variance;
};

static const struct attr_row mean_variance_1_attrs[] = {
    ATTR_INT(struct mean_variance_1, across_channels, .allowed = "0 1"),
    ATTR_INT(struct mean_variance_1, normalize_variance, .fallback_int = 1, .allowed = "0 1"),
};

/* Over the batch, height and width, or channels too; nothing is added to the variance. */
static o2w_status lower_mean_variance_1(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct mean_variance_1 *p = params;
    struct webnn_u32s axes;
    struct statistics s;
    value x;
    mean_variance_axes(p->across_channels != 0, input(n, 0)->rank, &axes);
    if (axes.count == 0)
        return refuse_input(l, n, 0, "has rank 0, there is no axis to take the mean over");
    TRY(widen(l, input(n, 0), &x));
    TRY(statistics_of(l, x, &axes, &s));
    struct calc c = calc_begin(l, x);
    value y =
        p->normalize_variance ? calc_div(&c, s.centred, calc_sqrt(&c, s.variance)) : s.centred;
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* --- constants --------------------------------------------------------------------------------------------- */

struct filler {
    struct ints shape, extra_shape;
    struct floats values;
    double value;
    int64_t input_as_shape, dtype;
};

#define FILLER                                                              \
    ATTR_INTS(struct filler, shape), ATTR_INTS(struct filler, extra_shape), \
        ATTR_INT(struct filler, input_as_shape, .allowed = "0 1")

static const struct attr_row given_fill_attrs[] = {
    FILLER,
    ATTR_FLOATS(struct filler, values, .required = true),
};
static const struct attr_row constant_fill_attrs[] = {
    FILLER,
    ATTR_FLOAT(struct filler, value),
    ATTR_INT(struct filler, dtype, .fallback_int = 1),
};

/* The attribute, or the input's shape or elements; extra dims behind. */
static o2w_status filler_dims(struct lower *l, const struct node_view *n, const struct filler *p,
                              dim *dims, uint32_t *rank)
{
    struct ints list = p->shape;
    value x = input(n, 0);
    if (x && p->shape.given)
        return refuse_attribute(l, n, "shape", "is given beside an input");
    if (x && p->input_as_shape)
        TRY(known_ints(l, n, 0, &list));
    *rank = x && !p->input_as_shape ? x->rank : list.count;
    if (*rank + p->extra_shape.count > MAX_RANK)
        return refuse(l, n, DIAG_LOWER_LIMIT, "the rank is beyond %d", MAX_RANK);
    if (x && !p->input_as_shape && *rank)
        memcpy(dims, x->dims, *rank * sizeof *dims);
    else
        for (uint32_t i = 0; i < list.count; i++)
            dims[i] = list.items[i];
    for (uint32_t i = 0; i < p->extra_shape.count; i++)
        dims[(*rank)++] = p->extra_shape.items[i];
    for (uint32_t i = 0; i < *rank; i++)
        if (dim_is_static(dims[i]) && (dims[i] < 0 || dims[i] > INT32_MAX))
            return refuse(l, n, DIAG_LOWER_SHAPE, "a dimension is %lld", (long long)dims[i]);
    return O2W_OK;
}

static o2w_status lower_constant_fill(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    const struct filler *p = params;
    dim dims[MAX_RANK];
    uint32_t rank = 0;
    enum dtype dtype;
    value y;
    if (!dtype_by_onnx((int)p->dtype, &dtype) || !dtype_in(dtype, SET_ALL))
        return refuse_attribute(l, n, "dtype", "is %lld", (long long)p->dtype);
    TRY(filler_dims(l, n, p, dims, &rank));
    struct webnn_number number = { .kind = WEBNN_NUMBER_DOUBLE, .d = p->value };
    TRY(fill(l, dtype, number, dims, rank, &y));
    return emit_as(l, n, 0, y, dtype);
}

static o2w_status lower_given_fill(struct lower *l, const struct node_view *n, const void *params)
{
    const struct filler *p = params;
    dim dims[MAX_RANK];
    uint32_t rank = 0;
    uint64_t count;
    struct tensor t;
    value y;
    TRY(filler_dims(l, n, p, dims, &rank));
    if (!dims_count(dims, rank, &count) || count != p->values.count)
        return refuse_attribute(l, n, "values", "has %u items, which do not fill the shape",
                                p->values.count);
    TRY(known_new(l, DTYPE_FLOAT32, dims, rank, &t, &y));
    if (count)
        memcpy(t.data, p->values.items, (size_t)tensor_bytes(&t));
    return emit_as(l, n, 0, y, DTYPE_FLOAT32);
}

/* --- rows ------------------------------------------------------------------------------------------------------ */

#define REMOVED(op) ONNX(op, 1, 9)
#define ONE(slot)   INPUTS(IN(slot, T, SET_FLOATS)), RESULTS(OUT("Y", T))
#define FILLS(shape) \
    INPUTS(IN_OPT(shape, NONE, SET_ALL)), RESULTS({ .name = "output", .variable = TYPE_NONE })
#define NOTE .notes = "removed from ONNX, models below opset 10"

const struct onnx_row removed_rows[] = {
    { REMOVED("Affine"), ONE("X"), PARAMS(struct two_numbers, affine_attrs), .lower = lower_affine,
      .class = CLASS_DIRECT, .webnn = "linear", NOTE },
    { REMOVED("Scale"), ONE("input"), PARAMS(struct two_numbers, scale_attrs),
      .lower = lower_affine, .class = CLASS_DIRECT, .webnn = "linear", NOTE },
    { REMOVED("ScaledTanh"), ONE("input"), PARAMS(struct two_numbers, required_attrs),
      .lower = lower_scaled_tanh, .class = CLASS_COMPOSED, .webnn = "tanh, mul", NOTE },
    { REMOVED("ParametricSoftplus"), ONE("X"), PARAMS(struct two_numbers, required_attrs),
      .lower = lower_parametric_softplus, .class = CLASS_COMPOSED, .webnn = "softplus, mul", NOTE },
    { REMOVED("ImageScaler"), ONE("input"), PARAMS(struct image_scaler, image_scaler_attrs),
      .lower = lower_image_scaler, .class = CLASS_COMPOSED, .webnn = "mul, add", NOTE },
    { REMOVED("Crop"), ONE("input"), PARAMS(struct crop, crop_attrs), .lower = lower_crop,
      .class = CLASS_COMPOSED, .webnn = "slice", NOTE },
    { ONNX("MeanVarianceNormalization", 1, 8), ONE("input"),
      PARAMS(struct mean_variance_1, mean_variance_1_attrs), .lower = lower_mean_variance_1,
      .class = CLASS_COMPOSED, .webnn = "reduceMean, sqrt, div", NOTE },
    { REMOVED("DynamicSlice"),
      INPUTS(IN("data", T, SET_MOVED), IN("starts", NONE, SET_INDEX, KNOWN),
             IN("ends", NONE, SET_INDEX, KNOWN), IN_OPT("axes", NONE, SET_INDEX, KNOWN)),
      RESULTS(OUT("output", T)), .lower = lower_slice, .class = CLASS_DIRECT, .webnn = "slice",
      NOTE },
    { REMOVED("GivenTensorFill"), FILLS("shape"), PARAMS(struct filler, given_fill_attrs),
      .lower = lower_given_fill, .class = CLASS_STATIC, .webnn = "constant", NOTE },
    { REMOVED("ConstantFill"), FILLS("input"), PARAMS(struct filler, constant_fill_attrs),
      .lower = lower_constant_fill, .class = CLASS_STATIC, .webnn = "constant", NOTE },
};
ROW_COUNT(removed);
