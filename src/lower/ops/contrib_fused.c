/* com.microsoft: what the runtime's optimiser fuses, spelled out again. */
#include "lower/ops/matmul.h"
#include "lower/ops/microsoft_activation.h"
#include "lower/ops/microsoft_fused.h"
#include "lower/ops/normalization.h"

#include <string.h>

/* --- activations -------------------------------------------------------------------------------------- */

struct quick_gelu {
    double alpha;
};

static const struct attr_row quick_gelu_attrs[] = {
    ATTR_FLOAT(struct quick_gelu, alpha, .fallback_float = 1.702),
};

static o2w_status lower_gelu(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit(l, n, WEBNN_GELU, OPERANDS(input(n, 0)), NULL);
}

static o2w_status lower_bias_gelu(struct lower *l, const struct node_view *n, const void *params)
{
    value sum;
    (void)params;
    TRY(op2(l, WEBNN_ADD, input(n, 0), input(n, 1), &sum));
    return emit(l, n, WEBNN_GELU, OPERANDS(sum), NULL);
}

static o2w_status lower_fast_gelu(struct lower *l, const struct node_view *n, const void *params)
{
    value x, bias;
    (void)params;
    TRY(widen(l, input(n, 0), &x));
    if (input(n, 1)) {
        TRY(widen(l, input(n, 1), &bias));
        TRY(op2(l, WEBNN_ADD, x, bias, &x));
    }
    struct calc c = calc_begin(l, x);
    value y = ms_fast_gelu(&c, x);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* x sigmoid(alpha x) */
static o2w_status lower_quick_gelu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct quick_gelu *p = params;
    value x;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value y = calc_mul(&c, x, calc_sigmoid(&c, calc_mul(&c, x, calc_number(&c, p->alpha))));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* Halves of the last dim: left · gelu(right). */
static o2w_status lower_bias_split_gelu(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    value x, left, right;
    int64_t size;
    (void)params;
    TRY(op2(l, WEBNN_ADD, input(n, 0), input(n, 1), &x));
    uint32_t last = x->rank - 1;
    TRY(static_dim(l, n, x, last, &size));
    if (size % 2)
        return refuse_input(l, n, 0, "has %lld columns, an even number is needed", (long long)size);
    TRY(slice(l, x, last, 0, size / 2, 1, &left));
    TRY(slice(l, x, last, size / 2, size / 2, 1, &right));
    TRY(op1(l, WEBNN_GELU, right, &right));
    return emit(l, n, WEBNN_MUL, OPERANDS(left, right), NULL);
}

static o2w_status lower_bias_add(struct lower *l, const struct node_view *n, const void *params)
{
    value sum;
    (void)params;
    TRY(op2(l, WEBNN_ADD, input(n, 0), input(n, 1), &sum));
    return emit(l, n, WEBNN_ADD, OPERANDS(sum, input(n, 2)), NULL);
}

/* --- normalisations of a sum -------------------------------------------------------------------------- */

struct skip_norm {
    double epsilon;
};

static const struct attr_row skip_norm_attrs[] = {
    ATTR_FLOAT(struct skip_norm, epsilon, .fallback_float = 1e-12),
};

/* input + skip (+ bias), in float32. */
static o2w_status skip_sum(struct lower *l, const struct node_view *n, value bias, value *out)
{
    value x, skip;
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &skip));
    TRY(op2(l, WEBNN_ADD, x, skip, &x));
    if (bias) {
        TRY(widen(l, bias, &bias));
        TRY(op2(l, WEBNN_ADD, x, bias, &x));
    }
    *out = x;
    return O2W_OK;
}

static o2w_status emit_sum(struct lower *l, const struct node_view *n, value sum)
{
    value narrow;
    if (!output_used(n, 3))
        return O2W_OK;
    TRY(cast(l, sum, input(n, 0)->dtype, &narrow));
    return emit_output(l, n, 3, narrow);
}

static o2w_status scaled(struct lower *l, value y, value gamma, value beta, value *out)
{
    TRY(widen(l, gamma, &gamma));
    TRY(op2(l, WEBNN_MUL, y, gamma, &y));
    if (beta) {
        TRY(widen(l, beta, &beta));
        TRY(op2(l, WEBNN_ADD, y, beta, &y));
    }
    *out = y;
    return O2W_OK;
}

static o2w_status lower_skip_layer_norm(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct skip_norm *p = params;
    value x, y, inverse;
    struct webnn_u32s axes;
    struct statistics s;
    TRY(skip_sum(l, n, input(n, 4), &x));
    axes_behind(x->rank - 1, x->rank, &axes);
    if (output_used(n, 1) || output_used(n, 2)) {
        TRY(statistics_of(l, x, &axes, &s));
        TRY(inverse_root(l, s.variance, p->epsilon, &inverse));
        TRY(op2(l, WEBNN_MUL, s.centred, inverse, &y));
        TRY(scaled(l, y, input(n, 2), input(n, 3), &y));
        TRY(emit_output(l, n, 1, s.mean));
        TRY(emit_output(l, n, 2, inverse));
    } else {
        struct webnn_layer_normalization_attributes a = webnn_layer_normalization_defaults();
        value gamma, beta = input(n, 3);
        a.axes = axes;
        a.epsilon = p->epsilon;
        TRY(widen(l, input(n, 2), &gamma));
        if (beta)
            TRY(widen(l, beta, &beta));
        TRY(op(l, WEBNN_LAYER_NORMALIZATION, OPERANDS(x, gamma, beta), &a, &y));
    }
    TRY(emit_sum(l, n, x));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_skip_rms_norm(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    const struct skip_norm *p = params;
    value x, y, inverse;
    struct webnn_u32s axes;
    if (output_used(n, 1))
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "output 1 'mean' is used: this normalisation has none");
    TRY(skip_sum(l, n, input(n, 3), &x));
    axes_behind(x->rank - 1, x->rank, &axes);
    TRY(rms_normalize(l, x, &axes, p->epsilon, &y, &inverse));
    TRY(scaled(l, y, input(n, 2), NULL, &y));
    TRY(emit_output(l, n, 2, inverse));
    TRY(emit_sum(l, n, x));
    return emit_narrowed(l, n, y);
}

/* --- products ----------------------------------------------------------------------------------------- */

static const struct attr_row transpose_matmul_attrs[] = { FUSED_MATMUL_ATTRS };
static const struct attr_row fused_matmul_attrs[] = {
    FUSED_MATMUL_ATTRS,
    FUSED_MATMUL_BATCH_ATTRS,
};

/* Dim 0 moves before the rows, then rows and columns change places; vectors stay as they are. */
static o2w_status arrange(struct lower *l, value x, uint32_t given_rank, bool swap, bool batch,
                          value *out)
{
    uint32_t order[MAX_RANK];
    for (uint32_t i = 0; i < x->rank; i++)
        order[i] = i;
    if (batch && given_rank > 2) {
        for (uint32_t i = 0; i + 2 < x->rank; i++)
            order[i] = i + 1;
        order[x->rank - 2] = 0;
    }
    if (swap && given_rank > 1) {
        uint32_t row = order[x->rank - 2];
        order[x->rank - 2] = order[x->rank - 1];
        order[x->rank - 1] = row;
    }
    return transpose(l, x, order, out);
}

o2w_status fused_matmul_run(struct lower *l, const struct node_view *n,
                            const struct fused_matmul *p, value *out)
{
    value a, b, y, alpha;
    TRY(matmul_operands(l, n, 0, 1, &a, &b));
    TRY(arrange(l, a, input(n, 0)->rank, p->transA != 0, p->transBatchA != 0, &a));
    TRY(arrange(l, b, input(n, 1)->rank, p->transB != 0, p->transBatchB != 0, &b));
    TRY(op2(l, WEBNN_MATMUL, a, b, &y));
    if (p->alpha != 1) {
        TRY(scalar_like(l, y, p->alpha, &alpha));
        TRY(op2(l, WEBNN_MUL, y, alpha, &y));
    }
    return matmul_result(l, n, 0, 1, y, out);
}

static o2w_status lower_fused_matmul(struct lower *l, const struct node_view *n, const void *params)
{
    value y;
    TRY(fused_matmul_run(l, n, params, &y));
    return emit_value(l, n, y);
}

#define TWO IN("A", T, SET_FLOATS), IN("B", T, SET_FLOATS)
#define SKIP_RESULTS                                             \
    RESULTS(OUT("output", T), OUT_OPT_OF("mean", DTYPE_FLOAT32), \
            OUT_OPT_OF("inv_std_var", DTYPE_FLOAT32), OUT_OPT("input_skip_bias_sum", T))

const struct onnx_row contrib_fused_rows[] = {
    { MICROSOFT("Gelu"), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)), .lower = lower_gelu,
      .class = CLASS_DIRECT, .webnn = "gelu" },
    { MICROSOFT("BiasGelu"), INPUTS(TWO), RESULTS(OUT("C", T)), .lower = lower_bias_gelu,
      .class = CLASS_COMPOSED, .webnn = "add, gelu" },
    { MICROSOFT("FastGelu"), INPUTS(IN("X", T, SET_FLOATS), IN_OPT("bias", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), .lower = lower_fast_gelu, .class = CLASS_COMPOSED,
      .webnn = "add, mul, tanh" },
    { MICROSOFT("QuickGelu"), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct quick_gelu, quick_gelu_attrs), .lower = lower_quick_gelu,
      .class = CLASS_COMPOSED, .webnn = "mul, sigmoid" },
    { MICROSOFT("BiasSplitGelu"), INPUTS(IN("X", T, SET_FLOATS), IN("bias", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), .lower = lower_bias_split_gelu, .class = CLASS_COMPOSED,
      .webnn = "add, slice, gelu, mul" },
    { MICROSOFT("BiasAdd"),
      INPUTS(IN("X", T, SET_FLOATS), IN("bias", T, SET_FLOATS), IN("skip", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), .lower = lower_bias_add, .class = CLASS_COMPOSED, .webnn = "add" },
    { MICROSOFT("SkipLayerNormalization"),
      INPUTS(IN("input", T, SET_FLOATS), IN("skip", T, SET_FLOATS), IN("gamma", T, SET_FLOATS),
             IN_OPT("beta", T, SET_FLOATS), IN_OPT("bias", T, SET_FLOATS)),
      SKIP_RESULTS, PARAMS(struct skip_norm, skip_norm_attrs), .lower = lower_skip_layer_norm,
      .class = CLASS_COMPOSED, .webnn = "add, layerNormalization" },
    { MICROSOFT("SkipSimplifiedLayerNormalization"),
      INPUTS(IN("input", T, SET_FLOATS), IN("skip", T, SET_FLOATS), IN("gamma", T, SET_FLOATS),
             IN_OPT("bias", T, SET_FLOATS)),
      SKIP_RESULTS, PARAMS(struct skip_norm, skip_norm_attrs), .lower = lower_skip_rms_norm,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "add, mul, reduceMean, sqrt",
      .notes = "output mean refused" },
    { MICROSOFT("FusedMatMul"), INPUTS(TWO), RESULTS(OUT("Y", T)),
      PARAMS(struct fused_matmul, fused_matmul_attrs), .lower = lower_fused_matmul,
      .class = CLASS_COMPOSED, .webnn = "transpose, matmul, mul" },
    { MICROSOFT("TransposeMatMul"), INPUTS(TWO), RESULTS(OUT("Y", T)),
      PARAMS(struct fused_matmul, transpose_matmul_attrs), .lower = lower_fused_matmul,
      .class = CLASS_COMPOSED, .webnn = "transpose, matmul, mul" },
};
ROW_COUNT(contrib_fused);
