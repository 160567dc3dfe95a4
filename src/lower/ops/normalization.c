/* Operators that divide by a statistic. */
#include "lower/lower.h"

#include <string.h>

/* --- BatchNormalization --------------------------------------------------------------------------- */

struct batch_norm {
    double epsilon, momentum;
    int64_t spatial, is_test, training_mode;
};

static const struct attr_row batch_norm_attrs[] = {
    ATTR_FLOAT(struct batch_norm, epsilon, .fallback_float = 1e-5),
    ATTR_FLOAT(struct batch_norm, momentum, .fallback_float = 0.9),
    ATTR_INT(struct batch_norm, training_mode, .allowed = "0"),
};
static const struct attr_row batch_norm_9_attrs[] = {
    ATTR_FLOAT(struct batch_norm, epsilon, .fallback_float = 1e-5),
    ATTR_FLOAT(struct batch_norm, momentum, .fallback_float = 0.9),
};
static const struct attr_row batch_norm_7_attrs[] = {
    ATTR_FLOAT(struct batch_norm, epsilon, .fallback_float = 1e-5),
    ATTR_FLOAT(struct batch_norm, momentum, .fallback_float = 0.9),
    ATTR_INT(struct batch_norm, spatial, .fallback_int = 1, .allowed = "1"),
};
static const struct attr_row batch_norm_1_attrs[] = {
    ATTR_FLOAT(struct batch_norm, epsilon, .fallback_float = 1e-5),
    ATTR_FLOAT(struct batch_norm, momentum, .fallback_float = 0.9),
    ATTR_INT(struct batch_norm, spatial, .fallback_int = 1, .allowed = "1"),
    ATTR_INT(struct batch_norm, is_test, .fallback_int = 0),
    ATTR_IGNORED("consumed_inputs"),
};

/* Statistics wider than the data: computed in float32, rounded once at the end. */
static o2w_status batch_norm_wide(struct lower *l, const struct node_view *n,
                                  const struct webnn_batch_normalization_attributes *a)
{
    value operands[5], y;
    static const uint32_t order[] = { 0, 3, 4, 1, 2 };
    for (uint32_t i = 0; i < 5; i++)
        TRY(cast(l, input(n, order[i]), DTYPE_FLOAT32, &operands[i]));
    TRY(op(l, WEBNN_BATCH_NORMALIZATION, operands, 5, a, &y));
    TRY(cast(l, y, input(n, 0)->dtype, &y));
    return emit_value(l, n, y);
}

/* Y = (X - mean) / sqrt(variance + epsilon) * scale + B along axis 1. */
static o2w_status lower_batch_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct batch_norm *p = params;
    struct webnn_batch_normalization_attributes a = webnn_batch_normalization_defaults();
    value x = input(n, 0), scale = input(n, 1), bias = input(n, 2), mean = input(n, 3),
          variance = input(n, 4);
    bool alike = true;
    for (uint32_t i = 1; i < n->output_count; i++)
        if (output_used(n, i))
            return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                          "output %u is used: training statistics are not supported", i);
    if (x->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, at least 2 is needed", x->rank);
    if (n->row->until == 6 && !p->is_test)
        lower_report(l, n, DIAG_LOWER_NOTE,
                     "is_test is 0: taken as inference because only Y is used");
    a.axis = 1;
    a.epsilon = p->epsilon;
    for (uint32_t i = 1; i < 5; i++)
        alike &= input(n, i)->dtype == x->dtype;
    if (!alike)
        return batch_norm_wide(l, n, &a);
    return emit(l, n, WEBNN_BATCH_NORMALIZATION, OPERANDS(x, mean, variance, scale, bias), &a);
}

/* --- InstanceNormalization ------------------------------------------------------------------------ */

struct instance_norm {
    double epsilon;
};

static const struct attr_row instance_norm_attrs[] = { ATTR_FLOAT(struct instance_norm, epsilon,
                                                                  .fallback_float = 1e-5) };
static const struct attr_row instance_norm_1_attrs[] = { ATTR_FLOAT(struct instance_norm, epsilon,
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
    const struct instance_norm *p = params;
    struct webnn_instance_normalization_attributes a = webnn_instance_normalization_defaults();
    value x = input(n, 0), image, y;
    if (x->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", x->rank);
    a.epsilon = p->epsilon;
    TRY(as_image(l, n, x, &image));
    TRY(op(l, WEBNN_INSTANCE_NORMALIZATION, OPERANDS(image, input(n, 1), input(n, 2)), &a, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    return emit_value(l, n, y);
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

struct statistics {
    value centred, mean, inverse;
};

/* In float32: x - mean, mean, 1 / sqrt(variance + epsilon); two passes. */
static o2w_status statistics_of(struct lower *l, value x, const struct webnn_u32s *axes,
                                double epsilon, struct statistics *s)
{
    struct webnn_reduce_attributes r = webnn_reduce_mean_defaults();
    value squares, variance, small;
    r.axes = *axes;
    r.keep_dimensions = true;
    TRY(op(l, WEBNN_REDUCE_MEAN, OPERANDS(x), &r, &s->mean));
    TRY(op2(l, WEBNN_SUB, x, s->mean, &s->centred));
    TRY(op2(l, WEBNN_MUL, s->centred, s->centred, &squares));
    TRY(op(l, WEBNN_REDUCE_MEAN, OPERANDS(squares), &r, &variance));
    TRY(scalar_like(l, variance, epsilon, &small));
    TRY(op2(l, WEBNN_ADD, variance, small, &variance));
    TRY(op1(l, WEBNN_SQRT, variance, &variance));
    return op1(l, WEBNN_RECIPROCAL, variance, &s->inverse);
}

static o2w_status scale_and_shift(struct lower *l, const struct node_view *n, value y)
{
    TRY(op2(l, WEBNN_MUL, y, input(n, 1), &y));
    if (input(n, 2))
        TRY(op2(l, WEBNN_ADD, y, input(n, 2), &y));
    return emit_value(l, n, y);
}

static o2w_status layer_norm_with_statistics(struct lower *l, const struct node_view *n,
                                             const struct layer_norm *p,
                                             const struct webnn_u32s *axes)
{
    struct statistics s;
    value x, y;
    TRY(cast(l, input(n, 0), DTYPE_FLOAT32, &x));
    TRY(statistics_of(l, x, axes, p->epsilon, &s));
    TRY(op2(l, WEBNN_MUL, s.centred, s.inverse, &y));
    TRY(cast(l, y, input(n, 0)->dtype, &y));
    TRY(scale_and_shift(l, n, y));
    TRY(emit_output(l, n, 1, s.mean));
    return emit_output(l, n, 2, s.inverse);
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
    a.axes.given = true;
    for (uint32_t i = axis; i < x->rank; i++)
        a.axes.items[a.axes.count++] = i;
    if (output_used(n, 1) || output_used(n, 2))
        return layer_norm_with_statistics(l, n, p, &a.axes);
    if (covers(scale, x, axis) && (!bias || covers(bias, x, axis)) && scale->dtype == x->dtype)
        return emit(l, n, WEBNN_LAYER_NORMALIZATION, OPERANDS(x, scale, bias), &a);
    TRY(op(l, WEBNN_LAYER_NORMALIZATION, OPERANDS(x), &a, &y)); /* a scale that only broadcasts */
    return scale_and_shift(l, n, y);
}

const struct onnx_row normalization_rows[] = {
    { ONNX("BatchNormalization", 1, 6),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS),
             IN("mean", T, SET_FLOATS), IN("var", T, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT("mean", T), OUT_OPT("var", T), OUT_OPT("saved_mean", T),
              OUT_OPT("saved_var", T)),
      PARAMS(struct batch_norm, batch_norm_1_attrs), .lower = lower_batch_norm,
      .class = CLASS_DIRECT, .partial = true, .webnn = "batchNormalization",
      .notes = "spatial=0 and training outputs refused" },
    { ONNX("BatchNormalization", 7, 8),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS),
             IN("mean", T, SET_FLOATS), IN("var", T, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT("mean", T), OUT_OPT("var", T), OUT_OPT("saved_mean", T),
              OUT_OPT("saved_var", T)),
      PARAMS(struct batch_norm, batch_norm_7_attrs), .lower = lower_batch_norm,
      .class = CLASS_DIRECT, .partial = true, .webnn = "batchNormalization",
      .notes = "spatial=0 and training outputs refused" },
    { ONNX("BatchNormalization", 9, 13),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS),
             IN("mean", T, SET_FLOATS), IN("var", T, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT("mean", T), OUT_OPT("var", T), OUT_OPT("saved_mean", T),
              OUT_OPT("saved_var", T)),
      PARAMS(struct batch_norm, batch_norm_9_attrs), .lower = lower_batch_norm,
      .class = CLASS_DIRECT, .partial = true, .webnn = "batchNormalization",
      .notes = "training outputs refused" },
    { ONNX("BatchNormalization", 14, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T1, SET_FLOATS), IN("B", T1, SET_FLOATS),
             IN("input_mean", T2, SET_FLOATS), IN("input_var", T2, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT("running_mean", T2), OUT_OPT("running_var", T2)),
      PARAMS(struct batch_norm, batch_norm_attrs), .lower = lower_batch_norm, .class = CLASS_DIRECT,
      .partial = true, .webnn = "batchNormalization", .notes = "training_mode=1 refused" },
    { ONNX("InstanceNormalization", 1, 5),
      INPUTS(IN("input", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS)),
      RESULTS(OUT("output", T)), PARAMS(struct instance_norm, instance_norm_1_attrs),
      .lower = lower_instance_norm, .class = CLASS_DIRECT, .webnn = "instanceNormalization" },
    { ONNX("InstanceNormalization", 6, LATEST),
      INPUTS(IN("input", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS)),
      RESULTS(OUT("output", T)), PARAMS(struct instance_norm, instance_norm_attrs),
      .lower = lower_instance_norm, .class = CLASS_DIRECT, .webnn = "instanceNormalization" },
    { ONNX("LayerNormalization", 17, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("Scale", T, SET_FLOATS), IN_OPT("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT_OF("Mean", DTYPE_FLOAT32),
              OUT_OPT_OF("InvStdDev", DTYPE_FLOAT32)),
      PARAMS(struct layer_norm, layer_norm_attrs), .lower = lower_layer_norm, .class = CLASS_DIRECT,
      .partial = true, .webnn = "layerNormalization", .notes = "stash_type other than 1 refused" },
};
ROW_COUNT(normalization);
