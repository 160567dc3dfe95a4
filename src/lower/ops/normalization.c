/* Operators that divide by a statistic. */
#include "lower/ops/normalization.h"

/* --- statistics --------------------------------------------------------------------------------------- */

void axes_behind(uint32_t axis, uint32_t rank, struct webnn_u32s *axes)
{
    *axes = (struct webnn_u32s){ .given = true };
    for (uint32_t i = axis; i < rank; i++)
        axes->items[axes->count++] = i;
}

static o2w_status mean_over(struct lower *l, value x, const struct webnn_u32s *axes, value *out)
{
    struct webnn_reduce_attributes r = webnn_reduce_mean_defaults();
    r.axes = *axes;
    r.keep_dimensions = true;
    return op(l, WEBNN_REDUCE_MEAN, OPERANDS(x), &r, out);
}

o2w_status statistics_of(struct lower *l, value x, const struct webnn_u32s *axes,
                         struct statistics *s)
{
    value squares;
    TRY(mean_over(l, x, axes, &s->mean));
    TRY(op2(l, WEBNN_SUB, x, s->mean, &s->centred));
    TRY(op2(l, WEBNN_MUL, s->centred, s->centred, &squares));
    return mean_over(l, squares, axes, &s->variance);
}

o2w_status inverse_root(struct lower *l, value x, double epsilon, value *out)
{
    value small, y;
    TRY(scalar_like(l, x, epsilon, &small));
    TRY(op2(l, WEBNN_ADD, x, small, &y));
    TRY(op1(l, WEBNN_SQRT, y, &y));
    return op1(l, WEBNN_RECIPROCAL, y, out);
}

o2w_status rms_normalize(struct lower *l, value x, const struct webnn_u32s *axes, double epsilon,
                         value *out, value *inverse)
{
    value squares, mean;
    TRY(op2(l, WEBNN_MUL, x, x, &squares));
    TRY(mean_over(l, squares, axes, &mean));
    TRY(inverse_root(l, mean, epsilon, inverse));
    return op2(l, WEBNN_MUL, x, *inverse, out);
}

o2w_status along_channels(struct lower *l, value v, uint32_t rank, value *out)
{
    dim dims[MAX_RANK];
    if (v->rank != 1) {
        *out = v;
        return O2W_OK;
    }
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i == 1 ? v->dims[0] : 1;
    return reshape(l, v, dims, rank, out);
}

static o2w_status check_rank(struct lower *l, const struct node_view *n, uint32_t least)
{
    if (input(n, 0)->rank < least)
        return refuse_input(l, n, 0, "has rank %u, at least %u is needed", input(n, 0)->rank,
                            least);
    return O2W_OK;
}

/* --- InstanceNormalization ------------------------------------------------------------------------ */

struct epsilon_params {
    double epsilon;
};

static const struct attr_row instance_norm_attrs[] = { ATTR_FLOAT(struct epsilon_params, epsilon,
                                                                  .fallback_float = 1e-5) };
static const struct attr_row instance_norm_1_attrs[] = { ATTR_FLOAT(struct epsilon_params, epsilon,
                                                                    .fallback_float = 1e-5),
                                                         ATTR_IGNORED("consumed_inputs") };

/* [N, C, spatial …] as [N, C, H, W]: one dim gets a height of 1, three and more are flattened. */
static o2w_status as_image(struct lower *l, const struct node_view *n, value x, value *out)
{
    dim dims[4] = { x->dims[0], x->dims[1], 1, 1 };
    for (uint32_t i = 2; i < x->rank; i++) {
        uint32_t to = i + 1 < x->rank ? 2 : 3;
        TRY(dim_of(l, n, EXPR_MUL, dims[to], x->dims[i], &dims[to]));
    }
    return reshape(l, x, dims, 4, out);
}

static o2w_status lower_instance_norm(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    const struct epsilon_params *p = params;
    struct webnn_instance_normalization_attributes a = webnn_instance_normalization_defaults();
    value x = input(n, 0), image, scale, bias, y;
    TRY(check_rank(l, n, 3));
    a.epsilon = p->epsilon;
    TRY(widen(l, x, &image));
    TRY(widen(l, input(n, 1), &scale));
    TRY(widen(l, input(n, 2), &bias));
    TRY(as_image(l, n, image, &image));
    TRY(op(l, WEBNN_INSTANCE_NORMALIZATION, OPERANDS(image, scale, bias), &a, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    return emit_narrowed(l, n, y);
}

/* --- LayerNormalization --------------------------------------------------------------------------- */

struct layer_norm {
    int64_t axis, stash_type;
    double epsilon;
};

static const struct attr_row layer_norm_attrs[] = {
    ATTR_INT(struct layer_norm, axis, .fallback_int = -1),
    ATTR_FLOAT(struct layer_norm, epsilon, .fallback_float = 1e-5),
    ATTR_INT(struct layer_norm, stash_type, .fallback_int = 1, .allowed = "1"),
};

/* Whether v has exactly the dims of x from axis on. */
static bool covers(value v, value x, uint32_t axis)
{
    return v->rank == x->rank - axis && dims_equal(v->dims, x->dims + axis, v->rank);
}

/* y, which is wide, times scale plus bias; rounded once at the end. */
static o2w_status scale_and_shift(struct lower *l, const struct node_view *n, value y)
{
    value scale, bias;
    TRY(cast(l, input(n, 1), y->dtype, &scale));
    TRY(op2(l, WEBNN_MUL, y, scale, &y));
    if (input(n, 2)) {
        TRY(cast(l, input(n, 2), y->dtype, &bias));
        TRY(op2(l, WEBNN_ADD, y, bias, &y));
    }
    return emit_narrowed(l, n, y);
}

static o2w_status layer_norm_with_statistics(struct lower *l, const struct node_view *n,
                                             const struct layer_norm *p,
                                             const struct webnn_u32s *axes)
{
    struct statistics s;
    value x, inverse, y;
    TRY(cast(l, input(n, 0), DTYPE_FLOAT32, &x));
    TRY(statistics_of(l, x, axes, &s));
    TRY(inverse_root(l, s.variance, p->epsilon, &inverse));
    TRY(op2(l, WEBNN_MUL, s.centred, inverse, &y));
    TRY(scale_and_shift(l, n, y));
    TRY(emit_output(l, n, 1, s.mean));
    return emit_output(l, n, 2, inverse);
}

/* Y = (X - mean) / sqrt(var + epsilon) * Scale + B over the axes axis … rank-1. */
static o2w_status lower_layer_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct layer_norm *p = params;
    struct webnn_layer_normalization_attributes a = webnn_layer_normalization_defaults();
    value x = input(n, 0), scale = input(n, 1), bias = input(n, 2), y;
    uint32_t axis;
    TRY(axis_from(l, n, p->axis, x->rank, 0, &axis));
    a.epsilon = p->epsilon;
    axes_behind(axis, x->rank, &a.axes);
    if (output_used(n, 1) || output_used(n, 2))
        return layer_norm_with_statistics(l, n, p, &a.axes);
    bool whole = covers(scale, x, axis) && (!bias || covers(bias, x, axis));
    TRY(widen(l, x, &x));
    if (!whole) { /* a scale that only broadcasts */
        TRY(op(l, WEBNN_LAYER_NORMALIZATION, OPERANDS(x), &a, &y));
        return scale_and_shift(l, n, y);
    }
    TRY(widen(l, scale, &scale));
    if (bias)
        TRY(widen(l, bias, &bias));
    TRY(op(l, WEBNN_LAYER_NORMALIZATION, OPERANDS(x, scale, bias), &a, &y));
    return emit_narrowed(l, n, y);
}

/* --- RMSNormalization ----------------------------------------------------------------------------- */

/* X / sqrt(mean(X²) + epsilon) in float32, then the scale in its own dtype. The form that the
 * runtime's optimiser writes gives the factor too. */
static o2w_status lower_rms_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct layer_norm *p = params;
    struct webnn_u32s axes;
    value x = input(n, 0), scale = input(n, 1), inverse, y;
    uint32_t axis;
    TRY(axis_from(l, n, p->axis, x->rank, 0, &axis));
    axes_behind(axis, x->rank, &axes);
    TRY(widen(l, x, &x));
    TRY(rms_normalize(l, x, &axes, p->epsilon, &y, &inverse));
    TRY(cast(l, y, scale->dtype, &y));
    TRY(emit(l, n, WEBNN_MUL, OPERANDS(y, scale), NULL));
    return output_used(n, 1) ? emit_output(l, n, 1, inverse) : O2W_OK;
}

/* --- GroupNormalization --------------------------------------------------------------------------- */

struct group_norm {
    int64_t num_groups, stash_type;
    double epsilon;
};

static const struct attr_row group_norm_18_attrs[] = {
    ATTR_INT(struct group_norm, num_groups, .required = true),
    ATTR_FLOAT(struct group_norm, epsilon, .fallback_float = 1e-5),
};
static const struct attr_row group_norm_attrs[] = {
    ATTR_INT(struct group_norm, num_groups, .required = true),
    ATTR_FLOAT(struct group_norm, epsilon, .fallback_float = 1e-5),
    ATTR_INT(struct group_norm, stash_type, .fallback_int = 1, .allowed = "1"),
};

static o2w_status check_length(struct lower *l, const struct node_view *n, uint32_t at,
                               int64_t wanted, const char *what)
{
    value v = input(n, at);
    if (v->rank != 1 || v->dims[0] != wanted)
        return refuse_input(l, n, at, "has shape %s, one number per %s is needed: [%lld]",
                            dim_list_text(lower_exprs(l), v->dims, v->rank, lower_arena(l)), what,
                            (long long)wanted);
    return O2W_OK;
}

/* Each group is a row of [N, G, …] that is normalised. Version 18 has a scale per group, 21 per
 * channel. */
static o2w_status lower_group_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct group_norm *p = params;
    struct webnn_layer_normalization_attributes a = webnn_layer_normalization_defaults();
    value x = input(n, 0), scale = input(n, 1), bias = input(n, 2), y;
    bool per_group = n->row->since == 18;
    int64_t channels;
    TRY(check_rank(l, n, 3));
    TRY(static_dim(l, n, x, 1, &channels));
    if (p->num_groups < 1 || channels % p->num_groups)
        return refuse_attribute(l, n, "num_groups", "is %lld, must divide %lld channels",
                                (long long)p->num_groups, (long long)channels);
    for (uint32_t i = 1; i < 3; i++)
        TRY(check_length(l, n, i, per_group ? p->num_groups : channels,
                         per_group ? "group" : "channel"));
    dim rows[3] = { x->dims[0], p->num_groups, channels / p->num_groups };
    for (uint32_t i = 2; i < x->rank; i++)
        TRY(dim_of(l, n, EXPR_MUL, rows[2], x->dims[i], &rows[2]));
    a.epsilon = p->epsilon;
    a.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 2 } };
    TRY(reshape(l, x, rows, 3, &y));
    TRY(op(l, WEBNN_LAYER_NORMALIZATION, OPERANDS(y), &a, &y));
    if (!per_group)
        TRY(reshape(l, y, x->dims, x->rank, &y));
    TRY(along_channels(l, scale, y->rank, &scale));
    TRY(along_channels(l, bias, y->rank, &bias));
    TRY(op2(l, WEBNN_MUL, y, scale, &y));
    TRY(op2(l, WEBNN_ADD, y, bias, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    return emit_value(l, n, y);
}

/* --- MeanVarianceNormalization -------------------------------------------------------------------- */

struct mean_variance {
    struct ints axes;
};

static const struct attr_row mean_variance_attrs[] = { ATTR_INTS(struct mean_variance, axes,
                                                                 .required = false) };

/* The axes without the attribute are 0, 2 and 3, of which a tensor below rank 4 has those that it has. */
void mean_variance_axes(bool across_channels, uint32_t rank, struct webnn_u32s *axes)
{
    *axes = (struct webnn_u32s){ .given = true };
    for (uint32_t i = 0; i < 4 && i < rank; i++)
        if (i != 1 || across_channels)
            axes->items[axes->count++] = i;
}

/* (x - mean) / (sqrt(variance) + 1e-9) */
static o2w_status lower_mean_variance(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    const struct mean_variance *p = params;
    struct webnn_u32s axes;
    struct statistics s;
    value x;
    mean_variance_axes(false, input(n, 0)->rank, &axes);
    if (p->axes.given)
        TRY(axes_from(l, n, &p->axes, input(n, 0)->rank, true, &axes));
    if (axes.count == 0)
        return refuse_input(l, n, 0, "has rank 0, there is no axis to take the mean over");
    TRY(widen(l, input(n, 0), &x));
    TRY(statistics_of(l, x, &axes, &s));
    struct calc c = calc_begin(l, x);
    value spread = calc_add(&c, calc_sqrt(&c, s.variance), calc_number(&c, 1e-9));
    value y = calc_div(&c, s.centred, spread);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* --- LpNormalization ------------------------------------------------------------------------------ */

struct lp_norm {
    int64_t axis, p;
};

static const struct attr_row lp_norm_attrs[] = {
    ATTR_INT(struct lp_norm, axis, .fallback_int = -1),
    ATTR_INT(struct lp_norm, p, .fallback_int = 2, .allowed = "1 2"),
};

/* x / norm; a norm of 0 gives 0. */
static o2w_status lower_lp_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct lp_norm *p = params;
    uint32_t axis;
    value x;
    TRY(axis_from(l, n, p->axis, input(n, 0)->rank, 0, &axis));
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value norm = calc_reduce(&c, p->p == 1 ? WEBNN_REDUCE_L1 : WEBNN_REDUCE_L2, x, axis);
    value zero = calc_number(&c, 0);
    value y = calc_where(&c, calc_equal(&c, norm, zero), zero, calc_div(&c, x, norm));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* --- LRN ------------------------------------------------------------------------------------------ */

struct lrn {
    double alpha, beta, bias;
    int64_t size;
};

static const struct attr_row lrn_attrs[] = {
    ATTR_FLOAT(struct lrn, alpha, .fallback_float = 1e-4),
    ATTR_FLOAT(struct lrn, beta, .fallback_float = 0.75),
    ATTR_FLOAT(struct lrn, bias, .fallback_float = 1),
    ATTR_INT(struct lrn, size, .required = true),
};

/* The mean of x² over `size` neighbouring channels, those outside being 0: x is [N, 1, C, rest]. */
static o2w_status channel_means(struct lower *l, value x, int64_t size, value *out)
{
    struct webnn_pad_attributes pad = webnn_pad_defaults();
    struct webnn_pool2d_attributes pool = webnn_average_pool2d_defaults();
    value y;
    pad.beginning_padding = pad.ending_padding = (struct webnn_u32s){ .given = true, .count = 4 };
    pad.beginning_padding.items[2] = (uint32_t)((size - 1) / 2);
    pad.ending_padding.items[2] = (uint32_t)(size / 2);
    pool.window_dimensions =
        (struct webnn_u32s){ .given = true, .count = 2, .items = { (uint32_t)size, 1 } };
    TRY(op2(l, WEBNN_MUL, x, x, &y));
    if (size > 1)
        TRY(op(l, WEBNN_PAD, OPERANDS(y), &pad, &y));
    return op(l, WEBNN_AVERAGE_POOL2D, OPERANDS(y), &pool, out);
}

/* x / (bias + alpha · mean)^beta; alpha is divided by the size, which the mean does. */
static o2w_status lower_lrn(struct lower *l, const struct node_view *n, const void *params)
{
    const struct lrn *p = params;
    value x, mean;
    TRY(check_rank(l, n, 2));
    if (p->size < 1 || p->size > INT32_MAX)
        return refuse_attribute(l, n, "size", "is %lld, must be from 1 to 2147483647",
                                (long long)p->size);
    TRY(widen(l, input(n, 0), &x));
    dim dims[4] = { x->dims[0], 1, x->dims[1], 1 };
    TRY(dims_product(l, n, x->dims, 2, x->rank, &dims[3]));
    TRY(reshape(l, x, dims, 4, &x));
    TRY(channel_means(l, x, p->size, &mean));
    struct calc c = calc_begin(l, x);
    value sum =
        calc_add(&c, calc_mul(&c, mean, calc_number(&c, p->alpha)), calc_number(&c, p->bias));
    value y = calc_div(&c, x, calc_pow(&c, sum, calc_number(&c, p->beta)));
    TRY(c.status);
    TRY(reshape(l, y, input(n, 0)->dims, input(n, 0)->rank, &y));
    return emit_narrowed(l, n, y);
}

/* --- rows ----------------------------------------------------------------------------------------- */

#define STASH_NOTE "stash_type other than 1 refused"
#define SIMPLIFIED(...)                                                       \
    __VA_ARGS__, INPUTS(IN("X", T, SET_FLOATS), IN("scale", T1, SET_FLOATS)), \
        RESULTS(OUT("Y", T1), OUT_OPT_OF("inv_std_var", DTYPE_FLOAT32)),      \
        PARAMS(struct layer_norm, layer_norm_attrs),                          \
        .lower = lower_rms_norm, .class = CLASS_COMPOSED, .partial = true,    \
        .webnn = "mul, reduceMean, sqrt, reciprocal",                         \
        .notes = "written by the optimiser of ONNX Runtime; " STASH_NOTE

const struct onnx_row normalization_rows[] = {
    { ONNX("InstanceNormalization", 1, 5),
      INPUTS(IN("input", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS)),
      RESULTS(OUT("output", T)), PARAMS(struct epsilon_params, instance_norm_1_attrs),
      .lower = lower_instance_norm, .class = CLASS_DIRECT, .webnn = "instanceNormalization" },
    { ONNX("InstanceNormalization", 6, LATEST),
      INPUTS(IN("input", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS)),
      RESULTS(OUT("output", T)), PARAMS(struct epsilon_params, instance_norm_attrs),
      .lower = lower_instance_norm, .class = CLASS_DIRECT, .webnn = "instanceNormalization" },
    { ONNX("LayerNormalization", 17, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("Scale", T, SET_FLOATS), IN_OPT("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT_OF("Mean", DTYPE_FLOAT32),
              OUT_OPT_OF("InvStdDev", DTYPE_FLOAT32)),
      PARAMS(struct layer_norm, layer_norm_attrs), .lower = lower_layer_norm, .class = CLASS_DIRECT,
      .partial = true, .webnn = "layerNormalization", .notes = STASH_NOTE },
    { ONNX("LayerNormalization", 1, 16),
      INPUTS(IN("X", T, SET_FLOATS), IN("Scale", T, SET_FLOATS), IN_OPT("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT_OF("Mean", DTYPE_FLOAT32),
              OUT_OPT_OF("InvStdDev", DTYPE_FLOAT32)),
      PARAMS(struct layer_norm, layer_norm_attrs), .lower = lower_layer_norm, .class = CLASS_DIRECT,
      .partial = true, .webnn = "layerNormalization",
      .notes = "written by the optimiser of ONNX Runtime; " STASH_NOTE },
    { SIMPLIFIED(ONNX("SimplifiedLayerNormalization", 1, LATEST)) },
    { SIMPLIFIED(MICROSOFT("SimplifiedLayerNormalization")) },
    { ONNX("RMSNormalization", 23, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T1, SET_FLOATS)), RESULTS(OUT("Y", T1)),
      PARAMS(struct layer_norm, layer_norm_attrs), .lower = lower_rms_norm, .class = CLASS_COMPOSED,
      .partial = true, .webnn = "mul, reduceMean, sqrt, reciprocal", .notes = STASH_NOTE },
    { ONNX("GroupNormalization", 18, 20),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("bias", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct group_norm, group_norm_18_attrs),
      .lower = lower_group_norm, .class = CLASS_COMPOSED, .webnn = "layerNormalization, mul, add",
      .notes = "scale and bias are per group" },
    { ONNX("GroupNormalization", 21, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("bias", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct group_norm, group_norm_attrs), .lower = lower_group_norm,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "layerNormalization, mul, add",
      .notes = STASH_NOTE },
    { ONNX("MeanVarianceNormalization", 9, LATEST), INPUTS(IN("X", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct mean_variance, mean_variance_attrs),
      .lower = lower_mean_variance, .class = CLASS_COMPOSED, .webnn = "reduceMean, sqrt, div" },
    { ONNX("LpNormalization", 1, LATEST), INPUTS(IN("input", T, SET_FLOATS)),
      RESULTS(OUT("output", T)), PARAMS(struct lp_norm, lp_norm_attrs), .lower = lower_lp_norm,
      .class = CLASS_COMPOSED, .webnn = "reduceL1, reduceL2, div, where" },
    { ONNX("LRN", 1, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct lrn, lrn_attrs), .lower = lower_lrn, .class = CLASS_COMPOSED,
      .webnn = "averagePool2d, pow, div" },
};
ROW_COUNT(normalization);
