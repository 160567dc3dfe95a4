/* Quantising and its inverse. */
#include "lower/quantized.h"

struct quantize {
    int64_t axis, block_size, output_dtype, saturate, precision;
};

#define AXIS      ATTR_INT(struct quantize, axis, .fallback_int = 1)
#define BLOCK     ATTR_INT(struct quantize, block_size)
#define OUTPUT    ATTR_INT(struct quantize, output_dtype)
#define SATURATE  ATTR_INT(struct quantize, saturate, .fallback_int = 1, .allowed = "0 1")
#define PRECISION ATTR_INT(struct quantize, precision)

static const struct attr_row axis_attrs[] = { AXIS };
static const struct attr_row dequantize_21_attrs[] = { AXIS, BLOCK };
static const struct attr_row dequantize_23_attrs[] = { AXIS, BLOCK, OUTPUT };
static const struct attr_row quantize_19_attrs[] = { AXIS, SATURATE };
static const struct attr_row quantize_21_attrs[] = { AXIS, SATURATE, BLOCK, OUTPUT };
static const struct attr_row quantize_23_attrs[] = { AXIS, SATURATE, BLOCK, OUTPUT, PRECISION };

#define SET_QUANTIZED                                                          \
    (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8) | DTYPE_BIT(DTYPE_INT16) | \
     DTYPE_BIT(DTYPE_UINT16) | DTYPES_4BIT | DTYPE_BIT(DTYPE_INT2) | DTYPE_BIT(DTYPE_UINT2))
#define SET_FLOAT8                                                     \
    (DTYPE_BIT(DTYPE_FLOAT8E4M3FN) | DTYPE_BIT(DTYPE_FLOAT8E4M3FNUZ) | \
     DTYPE_BIT(DTYPE_FLOAT8E5M2) | DTYPE_BIT(DTYPE_FLOAT8E5M2FNUZ) | DTYPE_BIT(DTYPE_FLOAT4E2M1))
#define SET_RESULT (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_32     DTYPE_BIT(DTYPE_FLOAT32)
#define SET_POW    DTYPE_BIT(DTYPE_FLOAT8E8M0)
#define SET_X8     (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))

static o2w_status dtype_attribute(struct lower *l, const struct node_view *n, const char *name,
                                  int64_t number, dtype_set allowed, enum dtype *out)
{
    char text[300];
    if (number == 0 || (dtype_by_onnx(number, out) && dtype_in(*out, allowed)))
        return O2W_OK;
    dtype_set_text(allowed, text, sizeof text);
    return refuse_attribute(l, n, name, "is %lld, allowed are the types %s", (long long)number,
                            text);
}

static o2w_status check_block(struct lower *l, const struct node_view *n, const struct quantize *p)
{
    if (p->block_size < 0)
        return refuse_attribute(l, n, "block_size", "is %lld, must not be negative",
                                (long long)p->block_size);
    return O2W_OK;
}

/* Before version 13 the scale is a scalar. */
static o2w_status check_scale(struct lower *l, const struct node_view *n)
{
    value scale = input(n, 1);
    uint64_t count;
    if (n->row->until != 12 || (value_count(scale, &count) && count == 1))
        return O2W_OK;
    return refuse_input(l, n, 1, "has rank %u and more than one element, opset %lld needs a scalar",
                        scale->rank, (long long)n->onnx->opset);
}

static bool is_small_float(enum dtype t)
{
    return dtype_in(t, SET_FLOAT8);
}

/* --- DequantizeLinear ------------------------------------------------------------------------------ */

/* 8-bit and 4-bit floats live as known values only: decoded, times the scale. */
static o2w_status dequantize_floats(struct lower *l, const struct node_view *n, struct quantized *q,
                                    enum dtype to)
{
    value y;
    if (!value_is_known(q->x))
        return refuse_input(l, n, 0, "is computed, values of type %s must be known",
                            dtype_name(q->x->dtype));
    if (q->zero) {
        struct tensor t;
        TRY(known_tensor(l, q->zero, &t));
        for (uint64_t i = 0; i < tensor_count(&t); i++)
            if (tensor_get_double(&t, i) != 0)
                return refuse_input(l, n, 2, "is not 0, which %s needs", dtype_name(q->x->dtype));
        q->zero = NULL;
    }
    TRY(quantized_shape(l, n, q, DTYPE_INT8, 1, 2));
    TRY(cast(l, q->x, DTYPE_FLOAT32, &q->x));
    TRY(cast(l, q->scale, DTYPE_FLOAT32, &q->scale));
    TRY(quantized_run(l, q, WEBNN_MUL, &y));
    TRY(cast(l, y, to, &y));
    return emit_as(l, n, 0, y, to);
}

static o2w_status lower_dequantize(struct lower *l, const struct node_view *n, const void *params)
{
    const struct quantize *p = params;
    struct quantized q = {
        .x = input(n, 0), .zero = input(n, 2), .axis = p->axis, .block = p->block_size
    };
    enum dtype to = input(n, 1)->dtype, carried = DTYPE_INT8;
    value y;
    TRY(check_block(l, n, p));
    TRY(check_scale(l, n));
    TRY(dtype_attribute(l, n, "output_dtype", p->output_dtype, SET_RESULT, &to));
    if (!dtype_in(to, SET_RESULT))
        return refuse_attribute(l, n, "output_dtype", "is missing, a scale of %s needs it",
                                dtype_name(to));
    TRY(cast(l, input(n, 1), to, &q.scale));
    if (is_small_float(q.x->dtype))
        return dequantize_floats(l, n, &q, to);
    dtype_carried(q.x->dtype, &carried);
    TRY(quantized_shape(l, n, &q, carried, 1, 2));
    TRY(quantized_run(l, &q, WEBNN_DEQUANTIZE_LINEAR, &y));
    return emit_as(l, n, 0, y, to);
}

/* --- QuantizeLinear -------------------------------------------------------------------------------- */

/* The dtype of the division: the attribute's, else that of the scale. */
static o2w_status division_dtype(struct lower *l, const struct node_view *n,
                                 const struct quantize *p, enum dtype *out)
{
    *out = input(n, 1)->dtype;
    if (!dtype_in(*out, SET_RESULT))
        *out = DTYPE_FLOAT32;
    return dtype_attribute(l, n, "precision", p->precision, SET_RESULT, out);
}

static o2w_status quantized_dtype(struct lower *l, const struct node_view *n,
                                  const struct quantize *p, enum dtype *out)
{
    value zero = input(n, 2);
    *out = zero ? zero->dtype : DTYPE_UINT8;
    TRY(dtype_attribute(l, n, "output_dtype", p->output_dtype, SET_QUANTIZED | SET_FLOAT8, out));
    if (zero && *out != zero->dtype)
        return refuse_attribute(l, n, "output_dtype", "is %s, the zero point has type %s",
                                dtype_name(*out), dtype_name(zero->dtype));
    if (is_small_float(*out))
        return refuse(l, n, DIAG_LOWER_DTYPE, "a result of type %s has no WebNN form",
                      dtype_name(*out));
    return O2W_OK;
}

/* Types that WebNN lacks saturate in the wider one that carries them, then in their own range. */
static o2w_status narrow(struct lower *l, value y, enum dtype to, value *out)
{
    struct webnn_clamp_attributes bounds = webnn_clamp_defaults();
    enum dtype carried = to;
    dtype_carried(to, &carried);
    *out = y;
    if (carried == to)
        return O2W_OK;
    bounds.min_value = (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = dtype_min(to) };
    bounds.max_value =
        (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = (int64_t)dtype_max(to) };
    return op(l, WEBNN_CLAMP, OPERANDS(y), &bounds, out);
}

static o2w_status lower_quantize(struct lower *l, const struct node_view *n, const void *params)
{
    const struct quantize *p = params;
    struct quantized q = { .zero = input(n, 2), .axis = p->axis, .block = p->block_size };
    enum dtype to = DTYPE_UINT8, carried = DTYPE_UINT8, division = DTYPE_FLOAT32;
    value y;
    TRY(check_block(l, n, p));
    TRY(check_scale(l, n));
    TRY(quantized_dtype(l, n, p, &to));
    TRY(division_dtype(l, n, p, &division));
    TRY(cast(l, input(n, 0), division, &q.x));
    TRY(cast(l, input(n, 1), division, &q.scale));
    dtype_carried(to, &carried);
    TRY(quantized_shape(l, n, &q, carried, 1, 2));
    TRY(quantized_run(l, &q, WEBNN_QUANTIZE_LINEAR, &y));
    TRY(narrow(l, y, to, &y));
    return emit_as(l, n, 0, y, to);
}

/* --- DynamicQuantizeLinear --------------------------------------------------------------------------- */

static o2w_status extreme(struct lower *l, value x, enum webnn_operator reduce,
                          enum webnn_operator with_zero, value *out)
{
    value zero;
    TRY(op1(l, reduce, x, out));
    TRY(scalar(l, DTYPE_FLOAT32, 0, &zero));
    return op2(l, with_zero, *out, zero, out);
}

/* The range of x and 0 onto 0 … 255; a scale of 0 becomes 1. */
static o2w_status dynamic_scale(struct lower *l, value x, value *scale, value *zero)
{
    value low, high;
    TRY(extreme(l, x, WEBNN_REDUCE_MIN, WEBNN_MIN, &low));
    TRY(extreme(l, x, WEBNN_REDUCE_MAX, WEBNN_MAX, &high));
    struct calc c = calc_begin(l, x);
    value s = calc_div(&c, calc_sub(&c, high, low), calc_number(&c, 255));
    s = calc_where(&c, calc_equal(&c, s, calc_number(&c, 0)), calc_number(&c, 1), s);
    value z = calc_div(&c, calc_neg(&c, low), s);
    z = calc_max(&c, calc_min(&c, z, calc_number(&c, 255)), calc_number(&c, 0));
    *zero = calc_cast(&c, calc_round(&c, z), DTYPE_UINT8);
    *scale = s;
    return c.status;
}

o2w_status dynamic_quantize(struct lower *l, const struct node_view *n, value x, value *y,
                            value *scale, value *zero)
{
    struct quantized q = { .x = x };
    TRY(dynamic_scale(l, x, scale, zero));
    q.scale = *scale;
    q.zero = *zero;
    TRY(quantized_shape(l, n, &q, DTYPE_UINT8, 0, 0));
    return quantized_run(l, &q, WEBNN_QUANTIZE_LINEAR, y);
}

static o2w_status lower_dynamic_quantize(struct lower *l, const struct node_view *n,
                                         const void *params)
{
    (void)params;
    value scale, zero, y;
    TRY(dynamic_quantize(l, n, input(n, 0), &y, &scale, &zero));
    TRY(emit_output(l, n, 0, y));
    TRY(emit_output(l, n, 1, scale));
    return emit_output(l, n, 2, zero);
}

/* --- rows --------------------------------------------------------------------------------------------- */

#define Y                                  \
    {                                      \
        .name = "y", .variable = TYPE_NONE \
    }
#define NOTE_FLOATS "8-bit and 4-bit floats: known values only"
#define DEQUANTIZE(from, to, types, scales, attrs)                                                \
    ONNX("DequantizeLinear", from, to),                                                           \
        INPUTS(IN("x", T, types), IN("x_scale", NONE, scales), IN_OPT("x_zero_point", T, types)), \
        RESULTS(Y), PARAMS(struct quantize, attrs),                                               \
        .lower = lower_dequantize, .class = CLASS_DIRECT, .webnn = "dequantizeLinear"
#define QUANTIZE(from, to, types, scales, results, attrs)         \
    ONNX("QuantizeLinear", from, to),                             \
        INPUTS(IN("x", NONE, types), IN("y_scale", NONE, scales), \
               IN_OPT("y_zero_point", NONE, results)),            \
        RESULTS(Y), PARAMS(struct quantize, attrs),               \
        .lower = lower_quantize, .class = CLASS_DIRECT, .webnn = "quantizeLinear"

#define SET_DQ_10   (SET_X8 | DTYPE_BIT(DTYPE_INT32))
#define SET_DQ_19   (SET_DQ_10 | SET_FLOAT8)
#define SET_DQ_21   (SET_DQ_19 | SET_QUANTIZED)
#define SET_Q_10    (SET_32 | DTYPE_BIT(DTYPE_INT32))
#define SET_Q_19    (SET_RESULT | DTYPE_BIT(DTYPE_INT32))
#define NOTE_RESULT "8-bit and 4-bit float results refused"

const struct onnx_row quantize_rows[] = {
    { ONNX("DequantizeLinear", 10, 12),
      INPUTS(IN("x", T, SET_DQ_10), IN("x_scale", NONE, SET_32),
             IN_OPT("x_zero_point", T, SET_DQ_10)),
      RESULTS(Y), .params_size = sizeof(struct quantize), .lower = lower_dequantize,
      .class = CLASS_DIRECT, .webnn = "dequantizeLinear" },
    { DEQUANTIZE(13, 18, SET_DQ_10, SET_32, axis_attrs) },
    { DEQUANTIZE(19, 20, SET_DQ_19, SET_RESULT, axis_attrs), .notes = NOTE_FLOATS },
    { DEQUANTIZE(21, 22, SET_DQ_21, SET_RESULT, dequantize_21_attrs), .notes = NOTE_FLOATS },
    { DEQUANTIZE(23, LATEST, SET_DQ_21, SET_RESULT | SET_POW, dequantize_23_attrs),
      .notes = NOTE_FLOATS },
    { ONNX("QuantizeLinear", 10, 12),
      INPUTS(IN("x", NONE, SET_Q_10), IN("y_scale", NONE, SET_32),
             IN_OPT("y_zero_point", NONE, SET_X8)),
      RESULTS(Y), .params_size = sizeof(struct quantize), .lower = lower_quantize,
      .class = CLASS_DIRECT, .webnn = "quantizeLinear" },
    { QUANTIZE(13, 18, SET_Q_10, SET_32, SET_X8, axis_attrs) },
    { QUANTIZE(19, 20, SET_Q_19, SET_Q_19, SET_X8 | SET_FLOAT8, quantize_19_attrs), .partial = true,
      .notes = NOTE_RESULT },
    { QUANTIZE(21, 22, SET_Q_19, SET_Q_19, SET_QUANTIZED | SET_FLOAT8, quantize_21_attrs),
      .partial = true, .notes = NOTE_RESULT },
    { QUANTIZE(23, LATEST, SET_Q_19, SET_Q_19 | SET_POW, SET_QUANTIZED | SET_FLOAT8,
               quantize_23_attrs),
      .partial = true, .notes = NOTE_RESULT },
    { ONNX("DynamicQuantizeLinear", 11, LATEST), INPUTS(IN("x", T, SET_32)),
      RESULTS(OUT_OF("y", DTYPE_UINT8), OUT_OF("y_scale", DTYPE_FLOAT32),
              OUT_OF("y_zero_point", DTYPE_UINT8)),
      .lower = lower_dynamic_quantize, .class = CLASS_COMPOSED,
      .webnn = "reduceMin, reduceMax, quantizeLinear" },
    { MICROSOFT("DequantizeLinear"),
      INPUTS(IN("x", T, SET_DQ_10 | SET_QUANTIZED), IN("x_scale", NONE, SET_RESULT),
             IN_OPT("x_zero_point", T, SET_DQ_10 | SET_QUANTIZED)),
      RESULTS(Y), PARAMS(struct quantize, axis_attrs), .lower = lower_dequantize,
      .class = CLASS_DIRECT, .webnn = "dequantizeLinear" },
    { MICROSOFT("QuantizeLinear"),
      INPUTS(IN("x", NONE, SET_RESULT), IN("y_scale", NONE, SET_RESULT),
             IN_OPT("y_zero_point", NONE, SET_QUANTIZED)),
      RESULTS(Y), PARAMS(struct quantize, axis_attrs), .lower = lower_quantize,
      .class = CLASS_DIRECT, .webnn = "quantizeLinear" },
};
ROW_COUNT(quantize);
