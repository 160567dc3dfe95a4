/* BatchNormalization in its versions. */
#include "lower/ops/normalization.h"

struct batch_norm {
    double epsilon, momentum;
    int64_t spatial, is_test, training_mode;
};

#define BATCH_NORM_ATTRS                                            \
    ATTR_FLOAT(struct batch_norm, epsilon, .fallback_float = 1e-5), \
        ATTR_FLOAT(struct batch_norm, momentum, .fallback_float = 0.9)

static const struct attr_row batch_norm_14_attrs[] = {
    BATCH_NORM_ATTRS,
    ATTR_INT(struct batch_norm, training_mode, .allowed = "0 1"),
};
static const struct attr_row batch_norm_9_attrs[] = { BATCH_NORM_ATTRS };
static const struct attr_row batch_norm_7_attrs[] = {
    BATCH_NORM_ATTRS,
    ATTR_INT(struct batch_norm, spatial, .fallback_int = 1, .allowed = "0 1"),
};
static const struct attr_row batch_norm_1_attrs[] = {
    BATCH_NORM_ATTRS,
    ATTR_INT(struct batch_norm, spatial, .fallback_int = 1, .allowed = "0 1"),
    ATTR_INT(struct batch_norm, is_test, .allowed = "0 1"),
    ATTR_IGNORED("consumed_inputs"),
};

enum { SCALE = 1, BIAS, MEAN, VARIANCE };

/* --- inference -------------------------------------------------------------------------------------- */

/* float16, whose epsilon may be 0, and statistics of another dtype: computed in float32, rounded once. */
static o2w_status inference(struct lower *l, const struct node_view *n, const struct batch_norm *p)
{
    static const uint32_t order[] = { 0, MEAN, VARIANCE, SCALE, BIAS };
    struct webnn_batch_normalization_attributes a = webnn_batch_normalization_defaults();
    value operands[5], y;
    bool alike = true;
    a.axis = 1;
    a.epsilon = p->epsilon;
    for (uint32_t i = 0; i < 5; i++) {
        operands[i] = input(n, order[i]);
        alike &= operands[i]->dtype == input(n, 0)->dtype && operands[i]->dtype != DTYPE_FLOAT16;
    }
    for (uint32_t i = 0; !alike && i < 5; i++)
        TRY(cast(l, operands[i], DTYPE_FLOAT32, &operands[i]));
    TRY(op(l, WEBNN_BATCH_NORMALIZATION, operands, 5, &a, &y));
    TRY(cast(l, y, input(n, 0)->dtype, &y));
    return emit_value(l, n, y);
}

/* y = (x - mean) / sqrt(variance + epsilon) · scale + bias, all in shapes that broadcast. */
static o2w_status apply(struct lower *l, value centred, value variance, double epsilon, value scale,
                        value bias, value *out)
{
    struct calc c = calc_begin(l, centred);
    value root = calc_sqrt(&c, calc_add(&c, variance, calc_number(&c, epsilon)));
    value y = calc_mul(&c, calc_div(&c, centred, root), scale);
    *out = calc_add(&c, y, bias);
    return c.status;
}

/* spatial = 0: every element of [C, spatial …] has its own statistics. */
static o2w_status per_activation(struct lower *l, const struct node_view *n,
                                 const struct batch_norm *p)
{
    value wide[5], centred, y;
    for (uint32_t i = 0; i < 5; i++)
        TRY(widen(l, input(n, i), &wide[i]));
    TRY(op2(l, WEBNN_SUB, wide[0], wide[MEAN], &centred));
    TRY(apply(l, centred, wide[VARIANCE], p->epsilon, wide[SCALE], wide[BIAS], &y));
    return emit_narrowed(l, n, y);
}

/* --- training ---------------------------------------------------------------------------------------- */

/* old · momentum + batch · (1 - momentum) */
static o2w_status emit_running(struct lower *l, const struct node_view *n, uint32_t output,
                               value old, value batch, double momentum)
{
    value wide;
    if (!output_used(n, output))
        return O2W_OK;
    TRY(widen(l, old, &wide));
    TRY(reshape(l, batch, old->dims, old->rank, &batch));
    struct calc c = calc_begin(l, wide);
    value kept = calc_mul(&c, wide, calc_number(&c, momentum));
    value y = calc_add(&c, kept, calc_mul(&c, batch, calc_number(&c, 1 - momentum)));
    y = calc_cast(&c, y, old->dtype);
    TRY(c.status);
    return emit_output(l, n, output, y);
}

/* saved_mean and saved_var of versions before 14: the batch's own statistics. */
static o2w_status emit_saved(struct lower *l, const struct node_view *n, uint32_t output,
                             value batch)
{
    value y;
    if (!output_used(n, output))
        return O2W_OK;
    TRY(reshape(l, batch, input(n, MEAN)->dims, input(n, MEAN)->rank, &y));
    TRY(cast(l, y, input(n, MEAN)->dtype, &y));
    return emit_output(l, n, output, y);
}

/* The batch's mean and population variance; spatial = 0: over the batch alone. */
static o2w_status training(struct lower *l, const struct node_view *n, const struct batch_norm *p,
                           bool spatial)
{
    struct webnn_u32s axes = { .given = true, .count = 1, .items = { 0 } };
    struct statistics s;
    value x, scale, bias, y;
    for (uint32_t i = 2; spatial && i < input(n, 0)->rank; i++)
        axes.items[axes.count++] = i;
    TRY(widen(l, input(n, 0), &x));
    TRY(statistics_of(l, x, &axes, &s));
    TRY(widen(l, input(n, SCALE), &scale));
    TRY(widen(l, input(n, BIAS), &bias));
    if (spatial) {
        TRY(along_channels(l, scale, x->rank, &scale));
        TRY(along_channels(l, bias, x->rank, &bias));
    }
    TRY(apply(l, s.centred, s.variance, p->epsilon, scale, bias, &y));
    TRY(emit_narrowed(l, n, y));
    TRY(emit_running(l, n, 1, input(n, MEAN), s.mean, p->momentum));
    TRY(emit_running(l, n, 2, input(n, VARIANCE), s.variance, p->momentum));
    TRY(emit_saved(l, n, 3, s.mean));
    return emit_saved(l, n, 4, s.variance);
}

/* --- versions ---------------------------------------------------------------------------------------- */

static bool trains(const struct node_view *n)
{
    bool any = false;
    for (uint32_t i = 1; i < n->output_count; i++)
        any |= output_used(n, i);
    return any;
}

static o2w_status check_rank(struct lower *l, const struct node_view *n)
{
    if (input(n, 0)->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, at least 2 is needed", input(n, 0)->rank);
    return O2W_OK;
}

static o2w_status lower_batch_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct batch_norm *p = params;
    TRY(check_rank(l, n));
    if (p->training_mode)
        return training(l, n, p, true);
    if (trains(n))
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "running statistics are used, attribute 'training_mode' is 0");
    return inference(l, n, p);
}

/* Before 14 the outputs that are used tell training from inference. */
static o2w_status lower_old_batch_norm(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    const struct batch_norm *p = params;
    bool spatial = p->spatial || n->row->since == 9;
    TRY(check_rank(l, n));
    if (trains(n))
        return training(l, n, p, spatial);
    if (n->row->until == 6 && !p->is_test)
        lower_report(l, n, DIAG_LOWER_NOTE,
                     "is_test is 0: taken as inference because only Y is used");
    return spatial ? inference(l, n, p) : per_activation(l, n, p);
}

#define OLD_BATCH_NORM(from, to, attrs)                                                           \
    {                                                                                             \
        ONNX("BatchNormalization", from, to),                                                     \
            INPUTS(IN("X", T, SET_FLOATS), IN("scale", T, SET_FLOATS), IN("B", T, SET_FLOATS),    \
                   IN("mean", T, SET_FLOATS), IN("var", T, SET_FLOATS)),                          \
            RESULTS(OUT("Y", T), OUT_OPT("mean", T), OUT_OPT("var", T), OUT_OPT("saved_mean", T), \
                    OUT_OPT("saved_var", T)),                                                     \
            PARAMS(struct batch_norm, attrs),                                                     \
            .lower = lower_old_batch_norm, .class = CLASS_DIRECT, .webnn = "batchNormalization",  \
            .notes = "training where more outputs than Y are used"                                \
    }

const struct onnx_row normalization_batch_rows[] = {
    OLD_BATCH_NORM(1, 6, batch_norm_1_attrs),
    OLD_BATCH_NORM(7, 8, batch_norm_7_attrs),
    OLD_BATCH_NORM(9, 13, batch_norm_9_attrs),
    { ONNX("BatchNormalization", 14, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("scale", T1, SET_FLOATS), IN("B", T1, SET_FLOATS),
             IN("input_mean", T2, SET_FLOATS), IN("input_var", T2, SET_FLOATS)),
      RESULTS(OUT("Y", T), OUT_OPT("running_mean", T2), OUT_OPT("running_var", T2)),
      PARAMS(struct batch_norm, batch_norm_14_attrs), .lower = lower_batch_norm,
      .class = CLASS_DIRECT, .webnn = "batchNormalization" },
};
ROW_COUNT(normalization_batch);
