/* com.microsoft: products, convolutions and softmax with what the optimiser fuses into them. */
#include "lower/ops/microsoft_fused.h"
#include "lower/ops/convolution.h"
#include "lower/ops/microsoft_activation.h"

/* --- convolutions --------------------------------------------------------------------------------------- */

struct fused_conv {
    struct conv_params conv;
    struct span activation;
    struct floats activation_params;
};

static const struct attr_row conv_attrs[] = { CONV_ATTRS };
static const struct attr_row fused_conv_attrs[] = {
    CONV_ATTRS,
    ATTR_STRING(struct fused_conv, activation),
    ATTR_FLOATS(struct fused_conv, activation_params),
};

/* y + Z, then the activation. */
static o2w_status finish(struct lower *l, const struct node_view *n, const struct fused_conv *p,
                         value y, value *out)
{
    double numbers[8];
    struct ms_activation a = { .name = p->activation,
                               .numbers = numbers,
                               .count = p->activation_params.count,
                               .attribute = "activation",
                               .numbers_attribute = "activation_params" };
    for (uint32_t i = 0; i < a.count && i < 8; i++)
        numbers[i] = (double)p->activation_params.items[i];
    if (input(n, 3))
        TRY(op2(l, WEBNN_ADD, y, input(n, 3), &y));
    return ms_activate(l, n, &a, y, out);
}

static o2w_status lower_fused_conv(struct lower *l, const struct node_view *n, const void *params)
{
    const struct fused_conv *p = params;
    value y;
    TRY(conv_run(l, n, &p->conv, input(n, 0), input(n, 1), 1, input(n, 2), &y));
    TRY(finish(l, n, p, y, &y));
    return emit_value(l, n, y);
}

/* Filters are OHWI or OIHW: whichever fits the channels of x; OHWI where both do. */
static o2w_status filter(struct lower *l, const struct node_view *n, const struct conv_params *p,
                         value x, value *out)
{
    value w = input(n, 1);
    if (w->rank != x->rank || x->rank < 3)
        return refuse_input(l, n, 1, "has rank %u, the data has rank %u", w->rank, x->rank);
    dim channels = x->dims[x->rank - 1];
    if (p->group < 1 || !dim_is_static(channels) || channels % p->group)
        return refuse_attribute(l, n, "group", "is %lld, must divide the channels",
                                (long long)p->group);
    bool last = w->dims[w->rank - 1] == channels / p->group;
    bool second = w->dims[1] == channels / p->group;
    if (!last && !second)
        return refuse_input(l, n, 1, "has %lld or %lld channels, the data has %lld in %lld groups",
                            (long long)w->dims[w->rank - 1], (long long)w->dims[1],
                            (long long)channels, (long long)p->group);
    if (last && second)
        lower_report(l, n, DIAG_LOWER_NOTE,
                     "a filter that fits as OHWI and as OIHW is taken as OHWI");
    *out = w;
    return last ? channels_to(l, w, 1, out) : O2W_OK;
}

static o2w_status nhwc(struct lower *l, const struct node_view *n, const struct conv_params *p,
                       value *out)
{
    value x = input(n, 0), w, y;
    TRY(filter(l, n, p, x, &w));
    TRY(channels_to(l, x, 1, &x));
    TRY(conv_run(l, n, p, x, w, 1, input(n, 2), &y));
    return channels_to(l, y, y->rank - 1, out);
}

static o2w_status lower_nhwc_conv(struct lower *l, const struct node_view *n, const void *params)
{
    value y;
    TRY(nhwc(l, n, params, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_nhwc_fused_conv(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct fused_conv *p = params;
    value y;
    TRY(nhwc(l, n, &p->conv, &y));
    TRY(finish(l, n, p, y, &y));
    return emit_value(l, n, y);
}

/* --- products -------------------------------------------------------------------------------------------- */

/* An activation whose numbers stand in attributes of their own. */
struct activation {
    struct span activation;
    struct given_float activation_alpha, activation_beta, activation_gamma;
};

#define ACTIVATION_ATTRS(of)                                                                      \
    ATTR_(PARAM_GIVEN_FLOAT, of, then.activation_alpha, "activation_alpha", .required = false),   \
        ATTR_(PARAM_GIVEN_FLOAT, of, then.activation_beta, "activation_beta", .required = false), \
        ATTR_(PARAM_GIVEN_FLOAT, of, then.activation_gamma, "activation_gamma", .required = false)

struct fused_gemm {
    double alpha, beta;
    int64_t transA, transB;
    struct activation then;
};

static const struct attr_row fused_gemm_attrs[] = {
    ATTR_FLOAT(struct fused_gemm, alpha, .fallback_float = 1),
    ATTR_FLOAT(struct fused_gemm, beta, .fallback_float = 1),
    ATTR_INT(struct fused_gemm, transA),
    ATTR_INT(struct fused_gemm, transB),
    ATTR_(PARAM_STRING, struct fused_gemm, then.activation, "activation", .required = false),
    ACTIVATION_ATTRS(struct fused_gemm),
};

/* Selu takes alpha and gamma. */
static o2w_status activate(struct lower *l, const struct node_view *n, const struct activation *p,
                           value x, value *out)
{
    const struct given_float *const given[] = { &p->activation_alpha, &p->activation_beta,
                                                &p->activation_gamma };
    double numbers[3];
    struct ms_activation a = { .name = p->activation,
                               .numbers = numbers,
                               .attribute = "activation",
                               .numbers_attribute = "activation_alpha" };
    for (uint32_t i = 0; i < 3; i++)
        if (given[i]->given)
            numbers[a.count++] = given[i]->value;
    return ms_activate(l, n, &a, x, out);
}

static o2w_status lower_fused_gemm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct fused_gemm *p = params;
    struct webnn_gemm_attributes g = webnn_gemm_defaults();
    value y;
    for (uint32_t i = 0; i < 2; i++)
        if (input(n, i)->rank != 2)
            return refuse_input(l, n, i, "has rank %u, a matrix is needed", input(n, i)->rank);
    g.alpha = p->alpha;
    g.beta = p->beta;
    g.a_transpose = p->transA != 0;
    g.b_transpose = p->transB != 0;
    TRY(op(l, WEBNN_GEMM, OPERANDS(input(n, 0), input(n, 1), input(n, 2)), &g, &y));
    TRY(activate(l, n, &p->then, y, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_gemm_fast_gelu(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    value a, b, bias, y;
    (void)params;
    TRY(widen(l, input(n, 0), &a));
    TRY(widen(l, input(n, 1), &b));
    TRY(op2(l, WEBNN_MATMUL, a, b, &y));
    if (input(n, 2)) {
        TRY(widen(l, input(n, 2), &bias));
        TRY(op2(l, WEBNN_ADD, y, bias, &y));
    }
    struct calc c = calc_begin(l, y);
    y = ms_fast_gelu(&c, y);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

struct gemm_float8 {
    double alpha, beta;
    int64_t transA, transB, dtype;
    struct span activation;
};

static const struct attr_row gemm_float8_attrs[] = {
    ATTR_FLOAT(struct gemm_float8, alpha, .fallback_float = 1),
    ATTR_FLOAT(struct gemm_float8, beta),
    ATTR_INT(struct gemm_float8, transA, .allowed = "0 1"),
    ATTR_INT(struct gemm_float8, transB, .allowed = "0 1"),
    ATTR_INT(struct gemm_float8, dtype, .fallback_int = 1, .allowed = "1 10 16"),
    ATTR_(PARAM_STRING, struct gemm_float8, activation, "activation", .required = false,
          .allowed = "NONE RELU"),
};

/* Input i in float32, times its scale where it is of 8-bit floats, which are known then. */
static o2w_status decoded(struct lower *l, const struct node_view *n, uint32_t i, value *out)
{
    value x = input(n, i), scale = input(n, 3 + i);
    struct tensor t;
    uint64_t count;
    bool wide =
        x->dtype == DTYPE_FLOAT32 || x->dtype == DTYPE_FLOAT16 || x->dtype == DTYPE_BFLOAT16;
    if (x->rank != 2)
        return refuse_input(l, n, i, "has rank %u, a matrix is needed", x->rank);
    if (scale && wide)
        return refuse_input(l, n, 3 + i, "scales 8-bit floats, which %s are not", i ? "B" : "A");
    if (scale && (!value_count(scale, &count) || count != 1))
        return refuse_input(l, n, 3 + i, "must be one number");
    if (!wide)
        TRY(known_tensor(l, x, &t));
    TRY(cast(l, x, DTYPE_FLOAT32, out));
    if (!scale)
        return O2W_OK;
    TRY(reshape(l, scale, NULL, 0, &scale));
    return op2(l, WEBNN_MUL, *out, scale, out);
}

static o2w_status lower_gemm_float8(struct lower *l, const struct node_view *n, const void *params)
{
    const struct gemm_float8 *p = params;
    struct webnn_gemm_attributes g = webnn_gemm_defaults();
    value a, b, c = input(n, 2), y;
    enum dtype dtype;
    if (input(n, 5))
        return refuse_input(l, n, 5, "scales a result of 8-bit floats, which nothing can hold");
    TRY(decoded(l, n, 0, &a));
    TRY(decoded(l, n, 1, &b));
    if (c)
        TRY(cast(l, c, DTYPE_FLOAT32, &c));
    g.alpha = p->alpha;
    g.beta = p->beta;
    g.a_transpose = p->transA != 0;
    g.b_transpose = p->transB != 0;
    TRY(op(l, WEBNN_GEMM, OPERANDS(a, b, c), &g, &y));
    if (span_is(p->activation, "RELU"))
        TRY(op1(l, WEBNN_RELU, y, &y));
    if (!dtype_by_onnx(p->dtype, &dtype))
        return refuse_attribute(l, n, "dtype", "is %lld", (long long)p->dtype);
    TRY(cast(l, y, dtype, &y));
    return emit_as(l, n, 0, y, dtype);
}

struct fused_matmul_activation {
    struct fused_matmul product;
    struct activation then;
};

static const struct attr_row fused_matmul_activation_attrs[] = {
    FUSED_MATMUL_ATTRS,
    FUSED_MATMUL_BATCH_ATTRS,
    ATTR_(PARAM_STRING, struct fused_matmul_activation, then.activation, "activation",
          .required = true),
    ACTIVATION_ATTRS(struct fused_matmul_activation),
};

static o2w_status lower_fused_matmul_activation(struct lower *l, const struct node_view *n,
                                                const void *params)
{
    const struct fused_matmul_activation *p = params;
    value y;
    TRY(fused_matmul_run(l, n, &p->product, &y));
    TRY(activate(l, n, &p->then, y, &y));
    return emit_value(l, n, y);
}

/* --- softmax, dropout ------------------------------------------------------------------------------------ */

struct bias_softmax {
    int64_t axis, is_inner_broadcast;
};

static const struct attr_row bias_softmax_attrs[] = {
    ATTR_INT(struct bias_softmax, axis, .fallback_int = 1),
    ATTR_INT(struct bias_softmax, is_inner_broadcast, .required = true, .allowed = "0 1"),
};

/* A bias of lower rank: its last dims are those of the softmax; the ones before them stand at the
 * front of the data (inner broadcast), or directly before the softmax. */
static o2w_status place_bias(struct lower *l, const struct node_view *n, uint32_t axis, bool inner,
                             value *out)
{
    value x = input(n, 0), bias = input(n, 1);
    uint32_t tail = x->rank - axis;
    dim dims[MAX_RANK];
    *out = bias;
    if (bias->rank > x->rank)
        return refuse_input(l, n, 1, "has rank %u, the data has rank %u", bias->rank, x->rank);
    if (bias->rank == x->rank || !inner)
        return O2W_OK;
    if (bias->rank < tail)
        return refuse_input(l, n, 1, "has rank %u, the softmax goes over %u dimensions", bias->rank,
                            tail);
    uint32_t lead = bias->rank - tail;
    for (uint32_t i = 0; i < x->rank; i++)
        dims[i] = i < lead ? bias->dims[i] : i < axis ? 1 : bias->dims[i - axis + lead];
    return reshape(l, bias, dims, x->rank, out);
}

/* Over all dims from axis on, as one. */
static o2w_status lower_bias_softmax(struct lower *l, const struct node_view *n, const void *params)
{
    const struct bias_softmax *p = params;
    value bias, y, flat;
    uint32_t axis;
    dim dims[2];
    TRY(axis_from(l, n, p->axis, input(n, 0)->rank, 0, &axis));
    TRY(place_bias(l, n, axis, p->is_inner_broadcast != 0, &bias));
    TRY(op2(l, WEBNN_ADD, input(n, 0), bias, &y));
    TRY(dims_product(l, n, y->dims, 0, axis, &dims[0]));
    TRY(dims_product(l, n, y->dims, axis, y->rank, &dims[1]));
    TRY(reshape(l, y, dims, 2, &flat));
    TRY(op(l, WEBNN_SOFTMAX, OPERANDS(flat), &(struct webnn_softmax_attributes){ .axis = 1 },
           &flat));
    TRY(reshape(l, flat, y->dims, y->rank, &y));
    return emit_value(l, n, y);
}

/* In inference nothing is dropped. `at` is where ratio and training_mode stand. */
static o2w_status check_inference(struct lower *l, const struct node_view *n, uint32_t at)
{
    struct tensor t;
    if (output_used(n, 1))
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "output 1 'mask' is used: it belongs to training; export in inference mode");
    if (!input(n, at + 1))
        return O2W_OK;
    if (!value_is_known(input(n, at + 1)))
        return refuse_input(l, n, at + 1, "is computed, it must be known to be false");
    TRY(known_tensor(l, input(n, at + 1), &t));
    if (tensor_count(&t) != 1 || tensor_get_i64(&t, 0) != 0)
        return refuse_input(l, n, at + 1, "is true: export in inference mode");
    return O2W_OK;
}

static o2w_status lower_bias_dropout(struct lower *l, const struct node_view *n, const void *params)
{
    value y;
    (void)params;
    TRY(check_inference(l, n, 3));
    TRY(op2(l, WEBNN_ADD, input(n, 0), input(n, 1), &y));
    if (input(n, 2))
        TRY(op2(l, WEBNN_ADD, y, input(n, 2), &y));
    return emit_value(l, n, y);
}

static o2w_status lower_bitmask_dropout(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    (void)params;
    TRY(check_inference(l, n, 1));
    return emit_value(l, n, input(n, 0));
}

struct dropout {
    int64_t seed;
};

static const struct attr_row dropout_attrs[] = { ATTR_IGNORED("seed") };

/* --- rows ------------------------------------------------------------------------------------------------ */

#define SET_3   (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_FLOAT64))
#define SET_2   (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_F32 DTYPE_BIT(DTYPE_FLOAT32)
#define SET_8                                                         \
    (SET_F32 | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16) | \
     DTYPE_BIT(DTYPE_FLOAT8E4M3FN) | DTYPE_BIT(DTYPE_FLOAT8E5M2))
#define XWB(set)  IN("X", T, set), IN("W", T, set), IN_OPT("B", T, set)
#define CONV_NOTE "more than three spatial dimensions refused"
#define DROPOUT                                       \
    .class = CLASS_COMPOSED, .partial = true,         \
    .notes = "inference: training_mode and the mask " \
             "output refused; ratio has no effect"
#define RATIO IN_OPT("ratio", NONE, SET_FLOATS), IN_OPT("training_mode", NONE, SET_BOOL)

const struct onnx_row microsoft_fused_rows[] = {
    { MICROSOFT("FusedConv"), INPUTS(XWB(SET_3), IN_OPT("Z", T, SET_3)), RESULTS(OUT("Y", T)),
      PARAMS(struct fused_conv, fused_conv_attrs), .lower = lower_fused_conv,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "conv2d, add", .notes = CONV_NOTE },
    { MICROSOFT("NhwcConv"), INPUTS(XWB(SET_3)), RESULTS(OUT("Y", T)),
      PARAMS(struct conv_params, conv_attrs), .lower = lower_nhwc_conv, .class = CLASS_COMPOSED,
      .partial = true, .webnn = "transpose, conv2d", .notes = CONV_NOTE },
    { MICROSOFT("NhwcFusedConv"), INPUTS(XWB(SET_2), IN_OPT("Z", T, SET_2)), RESULTS(OUT("Y", T)),
      PARAMS(struct fused_conv, fused_conv_attrs), .lower = lower_nhwc_fused_conv,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "transpose, conv2d, add",
      .notes = CONV_NOTE },
    { MICROSOFT("FusedGemm"), INPUTS(IN("A", T, SET_3), IN("B", T, SET_3), IN_OPT("C", T, SET_3)),
      RESULTS(OUT("Y", T)), PARAMS(struct fused_gemm, fused_gemm_attrs), .lower = lower_fused_gemm,
      .class = CLASS_COMPOSED, .webnn = "gemm" },
    { MICROSOFT("GemmFastGelu"),
      INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN_OPT("bias", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), .lower = lower_gemm_fast_gelu, .class = CLASS_COMPOSED,
      .webnn = "matmul, add, mul, tanh" },
    { MICROSOFT("GemmFloat8"),
      INPUTS(IN("A", NONE, SET_8), IN("B", NONE, SET_8), IN_OPT("C", NONE, SET_FLOATS),
             IN_OPT("scaleA", NONE, SET_F32), IN_OPT("scaleB", NONE, SET_F32),
             IN_OPT("scaleY", NONE, SET_F32)),
      RESULTS({ .name = "Y", .variable = TYPE_NONE }),
      PARAMS(struct gemm_float8, gemm_float8_attrs), .lower = lower_gemm_float8,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "cast, gemm, relu",
      .notes = "computed 8-bit floats, a result of them, GELU refused" },
    { MICROSOFT("FusedMatMulActivation"), INPUTS(IN("A", T, SET_FLOATS), IN("B", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), PARAMS(struct fused_matmul_activation, fused_matmul_activation_attrs),
      .lower = lower_fused_matmul_activation, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "transpose, matmul, mul", .notes = "activations along an axis refused" },
    { MICROSOFT("BiasSoftmax"), INPUTS(IN("data", T, SET_3), IN("bias", T, SET_3)),
      RESULTS(OUT("output", T)), PARAMS(struct bias_softmax, bias_softmax_attrs),
      .lower = lower_bias_softmax, .class = CLASS_COMPOSED, .webnn = "add, softmax" },
    { MICROSOFT("BiasDropout"),
      INPUTS(IN("data", T, SET_FLOATS), IN("bias", T, SET_FLOATS),
             IN_OPT("residual", T, SET_FLOATS), RATIO),
      RESULTS(OUT("output", T), OUT_OPT_OF("mask", DTYPE_BOOL)),
      PARAMS(struct dropout, dropout_attrs), .lower = lower_bias_dropout, .webnn = "add", DROPOUT },
    { MICROSOFT("BitmaskBiasDropout"),
      INPUTS(IN("data", T, SET_FLOATS), IN("bias", T, SET_FLOATS),
             IN_OPT("residual", T, SET_FLOATS), RATIO),
      RESULTS(OUT("output", T), OUT_OPT_OF("mask", DTYPE_UINT32)),
      PARAMS(struct dropout, dropout_attrs), .lower = lower_bias_dropout, .webnn = "add", DROPOUT },
    { MICROSOFT("BitmaskDropout"), INPUTS(IN("data", T, SET_FLOATS), RATIO),
      RESULTS(OUT("output", T), OUT_OPT_OF("mask", DTYPE_UINT32)),
      PARAMS(struct dropout, dropout_attrs), .lower = lower_bitmask_dropout, .webnn = "", DROPOUT },
};
ROW_COUNT(microsoft_fused);
