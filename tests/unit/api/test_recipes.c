/* Operators written out with others: each must equal the kernel within tolerance. The recipes are those that engines
 * without the operator need; computed apart from the kernels, they check them too. */
#include "graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PORTS = 16, MOST_ELEMENTS = 4096 };

struct kitchen {
    webnn_context *context;
    webnn_builder *builder;
    char input_names[MOST_PORTS][8];
    webnn_descriptor inputs[MOST_PORTS];
    bool special[MOST_PORTS]; /* NaN, infinities, signed zeros among the values */
    size_t input_count;
    webnn_named_operand outputs[MOST_PORTS]; /* direct, recipe, direct, recipe … */
    size_t output_count;
    double tolerance; /* of the next pairs: relative, and absolute below 1 */
    double tolerances[MOST_PORTS];
};

#define COUNT(...) (sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))
#define SHAPE(...)                        \
    COUNT(__VA_ARGS__), (const int64_t[]) \
    {                                     \
        __VA_ARGS__                       \
    }
#define U32S(...)                                                            \
    {                                                                        \
        .given = true, .count = COUNT(__VA_ARGS__), .items = { __VA_ARGS__ } \
    }
#define NO_AXES       \
    {                 \
        .given = true \
    }
#define A(type, ...)                          \
    &(const struct webnn_##type##_attributes) \
    {                                         \
        __VA_ARGS__                           \
    }
#define OPERANDS(...)                                                       \
    sizeof((const webnn_operand[]){ __VA_ARGS__ }) / sizeof(webnn_operand), \
        (const webnn_operand[])                                             \
    {                                                                       \
        __VA_ARGS__                                                         \
    }
#define OP(k, KIND, attributes, ...) op(k, WEBNN_##KIND, attributes, OPERANDS(__VA_ARGS__))

static void ops(struct kitchen *k, enum webnn_operator kind, const void *attributes, size_t n,
                const webnn_operand *operands, webnn_operand *results, size_t count)
{
    o2w_error *e = NULL;
    if (webnn_op(k->builder, kind, operands, n, attributes, NULL, results, &count, &e) != O2W_OK)
        fail_msg("%s", o2w_error_text(e));
}

static webnn_operand op(struct kitchen *k, enum webnn_operator kind, const void *attributes,
                        size_t n, const webnn_operand *operands)
{
    webnn_operand result = 0;
    ops(k, kind, attributes, n, operands, &result, 1);
    return result;
}

static webnn_descriptor described(enum webnn_data_type type, size_t rank, const int64_t *dims)
{
    webnn_descriptor d = { .data_type = type, .rank = (uint32_t)rank };
    for (size_t i = 0; i < rank; i++)
        d.dims[i] = dims[i];
    return d;
}

static webnn_operand input(struct kitchen *k, enum webnn_data_type type, size_t rank,
                           const int64_t *dims)
{
    size_t i = k->input_count++;
    webnn_operand x = 0;
    snprintf(k->input_names[i], sizeof k->input_names[i], "x%zu", i);
    k->inputs[i] = described(type, rank, dims);
    assert_ok(webnn_input(k->builder, k->input_names[i], &k->inputs[i], NULL, &x, NULL));
    return x;
}
#define FLOATS(k, ...) input(k, WEBNN_FLOAT32, SHAPE(__VA_ARGS__))
#define INTS(k, ...)   input(k, WEBNN_INT32, SHAPE(__VA_ARGS__))

/* The next input holds special values too. */
static webnn_operand special_floats(struct kitchen *k, size_t rank, const int64_t *dims)
{
    k->special[k->input_count] = true;
    return input(k, WEBNN_FLOAT32, rank, dims);
}

static webnn_operand number(struct kitchen *k, enum webnn_data_type type, double value)
{
    const struct webnn_number n = { .kind = WEBNN_NUMBER_DOUBLE, .d = value };
    webnn_operand c = 0;
    assert_ok(webnn_constant_scalar(k->builder, type, n, &c, NULL));
    return c;
}

static webnn_operand real(struct kitchen *k, double value)
{
    return number(k, WEBNN_FLOAT32, value);
}

static webnn_operand constant(struct kitchen *k, enum webnn_data_type type, const void *data,
                              size_t size, size_t rank, const int64_t *dims)
{
    const webnn_descriptor d = described(type, rank, dims);
    webnn_operand c = 0;
    assert_ok(webnn_constant(k->builder, &d, data, size, false, &c, NULL));
    return c;
}
#define INDICES(k, ...)                                                                   \
    constant(k, WEBNN_INT32, (const int32_t[]){ __VA_ARGS__ }, 4 * COUNT(__VA_ARGS__), 1, \
             (const int64_t[]){ COUNT(__VA_ARGS__) })
#define MATRIX(k, rows, columns, ...)                                                             \
    constant(k, WEBNN_FLOAT32, (const float[]){ __VA_ARGS__ }, 4 * (size_t)(rows) * (columns), 2, \
             (const int64_t[]){ rows, columns })

static void pair(struct kitchen *k, webnn_operand direct, webnn_operand recipe)
{
    static const char *const names[MOST_PORTS] = { "a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3",
                                                   "a4", "b4", "a5", "b5", "a6", "b6", "a7", "b7" };
    size_t i = k->output_count;
    assert_true(i + 2 <= MOST_PORTS);
    k->tolerances[i] = k->tolerance;
    k->outputs[i] = (webnn_named_operand){ names[i], direct };
    k->outputs[i + 1] = (webnn_named_operand){ names[i + 1], recipe };
    k->output_count += 2;
}

/* --- arithmetic in short ------------------------------------------------------------------------------- */

static webnn_operand add(struct kitchen *k, webnn_operand a, webnn_operand b)
{
    return OP(k, ADD, NULL, a, b);
}
static webnn_operand sub(struct kitchen *k, webnn_operand a, webnn_operand b)
{
    return OP(k, SUB, NULL, a, b);
}
static webnn_operand mul(struct kitchen *k, webnn_operand a, webnn_operand b)
{
    return OP(k, MUL, NULL, a, b);
}
static webnn_operand quotient(struct kitchen *k, webnn_operand a, webnn_operand b)
{
    return OP(k, DIV, NULL, a, b);
}
static webnn_operand least(struct kitchen *k, webnn_operand a, webnn_operand b)
{
    return OP(k, MIN, NULL, a, b);
}
static webnn_operand most(struct kitchen *k, webnn_operand a, webnn_operand b)
{
    return OP(k, MAX, NULL, a, b);
}
static webnn_operand reshaped(struct kitchen *k, webnn_operand x, size_t rank, const int64_t *dims)
{
    struct webnn_reshape_attributes p = { .new_shape = { .given = true, .count = (uint32_t)rank } };
    for (size_t i = 0; i < rank; i++)
        p.new_shape.items[i] = dims[i];
    return OP(k, RESHAPE, &p, x);
}
static webnn_operand gathered(struct kitchen *k, webnn_operand x, webnn_operand indices,
                              uint32_t axis)
{
    return OP(k, GATHER, A(gather, .axis = axis), x, indices);
}

/* --- normalisation -------------------------------------------------------------------------------------- */

/* (x - mean) / sqrt(variance + epsilon) over axes. */
static webnn_operand normalized(struct kitchen *k, webnn_operand x, struct webnn_u32s axes)
{
    const struct webnn_reduce_attributes over = { .axes = axes, .keep_dimensions = true };
    webnn_operand from_mean = sub(k, x, OP(k, REDUCE_MEAN, &over, x));
    webnn_operand variance = OP(k, REDUCE_MEAN, &over, mul(k, from_mean, from_mean));
    return quotient(k, from_mean, OP(k, SQRT, NULL, add(k, variance, real(k, 1e-5))));
}

static void batch_normalization(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 2, 3, 4, 5), mean = FLOATS(k, 3), scale = FLOATS(k, 3),
                  bias = FLOATS(k, 3), variance = OP(k, ABS, NULL, FLOATS(k, 3));
    webnn_operand parts[4] = { mean, variance, scale, bias };
    for (int i = 0; i < 4; i++)
        parts[i] = reshaped(k, parts[i], SHAPE(3, 1, 1));
    webnn_operand y =
        quotient(k, sub(k, x, parts[0]), OP(k, SQRT, NULL, add(k, parts[1], real(k, 1e-2))));
    k->tolerance = 1e-5;
    pair(k,
         OP(k, BATCH_NORMALIZATION, A(batch_normalization, .axis = 1, .epsilon = 1e-2), x, mean,
            variance, scale, bias),
         add(k, mul(k, y, parts[2]), parts[3]));
}

static void instance_normalization(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 2, 3, 4, 5), scale = FLOATS(k, 3), bias = FLOATS(k, 3);
    webnn_operand y = normalized(k, x, (struct webnn_u32s)U32S(2, 3));
    k->tolerance = 1e-5;
    pair(k, OP(k, INSTANCE_NORMALIZATION, NULL, x, scale, bias),
         add(k, mul(k, y, reshaped(k, scale, SHAPE(3, 1, 1))), reshaped(k, bias, SHAPE(3, 1, 1))));
}

/* Scale and bias lie in the order of axes, which is not ascending. */
static void layer_normalization(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 3, 4, 5), scale = FLOATS(k, 5, 3), bias = FLOATS(k, 5, 3);
    const struct webnn_layer_normalization_attributes p = { .axes = U32S(2, 0), .epsilon = 1e-5 };
    webnn_operand y = normalized(k, x, (struct webnn_u32s)U32S(0, 2));
    webnn_operand s = reshaped(k, OP(k, TRANSPOSE, NULL, scale), SHAPE(3, 1, 5));
    webnn_operand b = reshaped(k, OP(k, TRANSPOSE, NULL, bias), SHAPE(3, 1, 5));
    k->tolerance = 1e-5;
    pair(k, OP(k, LAYER_NORMALIZATION, &p, x, scale, bias), add(k, mul(k, y, s), b));
}

/* --- activations ---------------------------------------------------------------------------------------- */

static webnn_operand expm1_of(struct kitchen *k, webnn_operand x)
{
    return sub(k, OP(k, EXP, NULL, x), real(k, 1));
}

static void activations(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 37), zero = real(k, 0), one = real(k, 1);
    webnn_operand below = least(k, x, zero), above = most(k, x, zero);
    webnn_operand gate = OP(k, ERF, NULL, quotient(k, x, real(k, sqrt(2))));
    k->tolerance = 1e-6;
    pair(k, OP(k, GELU, NULL, x), mul(k, mul(k, x, real(k, 0.5)), add(k, one, gate)));
    pair(k, OP(k, HARD_SWISH, NULL, x),
         quotient(k, mul(k, x, least(k, most(k, add(k, x, real(k, 3)), zero), real(k, 6))),
                  real(k, 6)));
    pair(k, OP(k, HARD_SIGMOID, A(hard_sigmoid, .alpha = 0.3, .beta = 0.4), x),
         least(k, most(k, add(k, mul(k, x, real(k, 0.3)), real(k, 0.4)), zero), one));
    pair(k, OP(k, ELU, A(elu, .alpha = 1.5), x),
         add(k, above, mul(k, real(k, 1.5), expm1_of(k, below))));
    pair(k, OP(k, LEAKY_RELU, A(leaky_relu, .alpha = 0.2), x),
         add(k, above, mul(k, real(k, 0.2), below)));
    pair(k, OP(k, LINEAR, A(linear, .alpha = -0.7, .beta = 1.3), x),
         add(k, mul(k, x, real(k, -0.7)), real(k, 1.3)));
}

static void more_activations(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 4, 9), slope = FLOATS(k, 9), zero = real(k, 0), one = real(k, 1);
    webnn_operand size = OP(k, ABS, NULL, x);
    k->tolerance = 1e-6;
    pair(k, OP(k, SOFTPLUS, NULL, x),
         add(k, most(k, x, zero),
             OP(k, LOG, NULL, add(k, one, OP(k, EXP, NULL, OP(k, NEG, NULL, size))))));
    pair(k, OP(k, SOFTSIGN, NULL, x), quotient(k, x, add(k, one, size)));
    pair(k, OP(k, PRELU, NULL, x, slope),
         add(k, most(k, x, zero), mul(k, slope, least(k, x, zero))));
}

static void softmax(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 3, 5, 4);
    const struct webnn_reduce_attributes over = { .axes = U32S(1), .keep_dimensions = true };
    webnn_operand e = OP(k, EXP, NULL, sub(k, x, OP(k, REDUCE_MAX, &over, x)));
    k->tolerance = 1e-6;
    pair(k, OP(k, SOFTMAX, A(softmax, .axis = 1), x), quotient(k, e, OP(k, REDUCE_SUM, &over, e)));
}

static void erf_is_approximated(struct kitchen *k)
{
    /* 1 - (a1 t + a2 t² + a3 t³) e^(-x²), t = 1 / (1 + p |x|) */
    static const double a[3] = { 0.3480242, -0.0958798, 0.7478556 };
    webnn_operand x = FLOATS(k, 41), size = OP(k, ABS, NULL, x), one = real(k, 1);
    webnn_operand t = OP(k, RECIPROCAL, NULL, add(k, one, mul(k, size, real(k, 0.47047))));
    webnn_operand sum = mul(k, t, add(k, real(k, a[1]), mul(k, t, real(k, a[2]))));
    sum = mul(k, t, add(k, real(k, a[0]), sum));
    webnn_operand tail = mul(k, sum, OP(k, EXP, NULL, OP(k, NEG, NULL, mul(k, x, x))));
    k->tolerance = 1.0 / 1024;
    pair(k, OP(k, ERF, NULL, x), mul(k, OP(k, SIGN, NULL, x), sub(k, one, tail)));
}

/* --- reductions, products ------------------------------------------------------------------------------- */

static void reduce_log_sum_exp(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 4, 6);
    const struct webnn_reduce_attributes over = { .axes = U32S(1), .keep_dimensions = true };
    webnn_operand top = OP(k, REDUCE_MAX, &over, x);
    webnn_operand sum = OP(k, REDUCE_SUM, &over, OP(k, EXP, NULL, sub(k, x, top)));
    k->tolerance = 1e-6;
    pair(k, OP(k, REDUCE_LOG_SUM_EXP, &over, x), add(k, top, OP(k, LOG, NULL, sum)));
}

static void gemm(struct kitchen *k)
{
    webnn_operand a = FLOATS(k, 4, 3), b = FLOATS(k, 5, 4), c = FLOATS(k, 3, 1);
    const struct webnn_gemm_attributes p = {
        .alpha = 0.5, .beta = -2, .a_transpose = true, .b_transpose = true
    };
    webnn_operand product =
        OP(k, MATMUL, NULL, OP(k, TRANSPOSE, NULL, a), OP(k, TRANSPOSE, NULL, b));
    k->tolerance = 1e-5;
    pair(k, OP(k, GEMM, &p, a, b, c),
         add(k, mul(k, product, real(k, 0.5)), mul(k, c, real(k, -2))));
}

static void arg_max(struct kitchen *k)
{
    webnn_operand x = INTS(k, 5, 7);
    const struct webnn_reduce_attributes over = { .axes = U32S(1), .keep_dimensions = true },
                                         last = { .axes = U32S(1) };
    webnn_operand at = OP(k, EQUAL, NULL, x, OP(k, REDUCE_MAX, &over, x));
    webnn_operand places =
        OP(k, WHERE, NULL, at, INDICES(k, 0, 1, 2, 3, 4, 5, 6), number(k, WEBNN_INT32, 7));
    k->tolerance = 0;
    pair(k, OP(k, ARG_MAX, A(arg_min_max, .axis = 1, .output_data_type = WEBNN_INT32), x),
         OP(k, REDUCE_MIN, &last, places));
}

static webnn_operand shifted(struct kitchen *k, webnn_operand x, uint32_t by, uint32_t size)
{
    const struct webnn_slice_attributes part = {
        .starts = U32S(0, 0),
        .strides = U32S(1, 1),
        .sizes = { .given = true, .count = 2, .items = { 3, size - by } }
    };
    const struct webnn_pad_attributes before = { .beginning_padding = U32S(0, by),
                                                 .ending_padding = U32S(0, 0) };
    return OP(k, PAD, &before, OP(k, SLICE, &part, x));
}

static void cumulative_sum(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 3, 4), n = INTS(k, 3, 8);
    const struct webnn_cumulative_sum_attributes plain = { .axis = 1 }, other = {
        .axis = 1, .exclusive = true, .reversed = true
    };
    webnn_operand ones = MATRIX(k, 4, 4, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1);
    webnn_operand later = MATRIX(k, 4, 4, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0);
    webnn_operand sum = n;
    for (uint32_t by = 1; by < 8; by *= 2)
        sum = add(k, sum, shifted(k, sum, by, 8));
    k->tolerance = 1e-6;
    pair(k, OP(k, CUMULATIVE_SUM, &plain, x), OP(k, MATMUL, NULL, x, ones));
    pair(k, OP(k, CUMULATIVE_SUM, &other, x), OP(k, MATMUL, NULL, x, later));
    pair(k, OP(k, CUMULATIVE_SUM, &plain, n), sum);
}

/* --- quantisation --------------------------------------------------------------------------------------- */

/* [2, 3] to [4, 6]: each element stands for a block of two by two. */
static webnn_operand blocks(struct kitchen *k, webnn_operand x)
{
    const struct webnn_expand_attributes p = {
        .new_shape = { .given = true, .count = 4, .items = { 2, 2, 3, 2 } }
    };
    return reshaped(k, OP(k, EXPAND, &p, reshaped(k, x, SHAPE(2, 1, 3, 1))), SHAPE(4, 6));
}

static void quantize_in_blocks(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 4, 6),
                  scale = add(k, OP(k, ABS, NULL, FLOATS(k, 2, 3)), real(k, 0.05));
    webnn_operand zero_point =
        OP(k, CAST, A(cast, .to = WEBNN_UINT8), OP(k, ABS, NULL, INTS(k, 2, 3)));
    const struct webnn_cast_attributes to_float = { .to = WEBNN_FLOAT32 },
                                       to_int = { .to = WEBNN_INT32 },
                                       to_byte = { .to = WEBNN_UINT8 };
    webnn_operand steps = OP(k, ROUND_EVEN, NULL, quotient(k, x, blocks(k, scale)));
    webnn_operand sum =
        add(k, OP(k, CAST, &to_int, steps), OP(k, CAST, &to_int, blocks(k, zero_point)));
    webnn_operand clamped =
        least(k, most(k, sum, number(k, WEBNN_INT32, 0)), number(k, WEBNN_INT32, 255));
    webnn_operand q = OP(k, QUANTIZE_LINEAR, NULL, x, scale, zero_point);
    webnn_operand apart =
        sub(k, OP(k, CAST, &to_int, q), OP(k, CAST, &to_int, blocks(k, zero_point)));
    k->tolerance = 0;
    pair(k, q, OP(k, CAST, &to_byte, clamped));
    pair(k, OP(k, DEQUANTIZE_LINEAR, NULL, q, scale, zero_point),
         mul(k, OP(k, CAST, &to_float, apart), blocks(k, scale)));
}

/* --- recurrent ------------------------------------------------------------------------------------------ */

enum { HIDDEN = 3, BATCH = 2, WIDTH = 4 };

static webnn_operand rows_of(struct kitchen *k, webnn_operand x, uint32_t first, uint32_t count,
                             int64_t columns)
{
    struct webnn_slice_attributes p = {
        .starts = U32S(first, 0),
        .strides = U32S(1, 1),
        .sizes = { .given = true, .count = 2, .items = { count, columns } }
    };
    if (columns == 0)
        p.starts.count = p.strides.count = p.sizes.count = 1;
    return OP(k, SLICE, &p, x);
}

/* x · Wᵀ + b of gate `gate`. */
static webnn_operand gate_of(struct kitchen *k, webnn_operand x, webnn_operand w, webnn_operand b,
                             uint32_t gate, int64_t columns)
{
    webnn_operand part = OP(k, TRANSPOSE, NULL, rows_of(k, w, gate * HIDDEN, HIDDEN, columns));
    return add(k, OP(k, MATMUL, NULL, x, part), rows_of(k, b, gate * HIDDEN, HIDDEN, 0));
}

struct weights {
    webnn_operand w, r, b, rb;
};

static webnn_operand both_sums(struct kitchen *k, const struct weights *p, webnn_operand x,
                               webnn_operand h, uint32_t gate)
{
    return add(k, gate_of(k, x, p->w, p->b, gate, WIDTH), gate_of(k, h, p->r, p->rb, gate, HIDDEN));
}

static webnn_operand gru_cell_of(struct kitchen *k, const struct weights *p, webnn_operand x,
                                 webnn_operand h)
{
    webnn_operand z = OP(k, SIGMOID, NULL, both_sums(k, p, x, h, 0)),
                  r = OP(k, SIGMOID, NULL, both_sums(k, p, x, h, 1));
    webnn_operand recalled = mul(k, r, gate_of(k, h, p->r, p->rb, 2, HIDDEN));
    webnn_operand n = OP(k, TANH, NULL, add(k, gate_of(k, x, p->w, p->b, 2, WIDTH), recalled));
    return add(k, mul(k, z, h), mul(k, sub(k, real(k, 1), z), n));
}

static webnn_operand step_of(struct kitchen *k, webnn_operand x, uint32_t step)
{
    const struct webnn_slice_attributes p = {
        .starts = U32S(step, 0, 0),
        .strides = U32S(1, 1, 1),
        .sizes = { .given = true, .count = 3, .items = { 1, BATCH, WIDTH } }
    };
    return reshaped(k, OP(k, SLICE, &p, x), SHAPE(BATCH, WIDTH));
}

static webnn_operand one_direction(struct kitchen *k, webnn_operand x, size_t rank,
                                   const int64_t *dims)
{
    int64_t more[4] = { 1 };
    for (size_t i = 0; i < rank; i++)
        more[i + 1] = dims[i];
    return reshaped(k, x, rank + 1, more);
}

#define GRU_MORE                                \
    .hidden_size = HIDDEN, .reset_after = true, \
    .activations = U32S(WEBNN_ACTIVATION_SIGMOID, WEBNN_ACTIVATION_TANH)

static void gru(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 3, BATCH, WIDTH), h = FLOATS(k, BATCH, HIDDEN);
    const struct weights p = { FLOATS(k, 3 * HIDDEN, WIDTH), FLOATS(k, 3 * HIDDEN, HIDDEN),
                               FLOATS(k, 3 * HIDDEN), FLOATS(k, 3 * HIDDEN) };
    webnn_operand first = step_of(k, x, 0);
    webnn_operand whole = OP(
        k, GRU, A(gru, .steps = 3, .direction = WEBNN_DIRECTION_BACKWARD, GRU_MORE), x,
        one_direction(k, p.w, SHAPE(3 * HIDDEN, WIDTH)),
        one_direction(k, p.r, SHAPE(3 * HIDDEN, HIDDEN)), one_direction(k, p.b, SHAPE(3 * HIDDEN)),
        one_direction(k, p.rb, SHAPE(3 * HIDDEN)), one_direction(k, h, SHAPE(BATCH, HIDDEN)));
    k->tolerance = 2e-5;
    pair(k, OP(k, GRU_CELL, A(gru_cell, GRU_MORE), first, p.w, p.r, h, p.b, p.rb),
         gru_cell_of(k, &p, first, h));
    for (uint32_t i = 3; i-- > 0;)
        h = gru_cell_of(k, &p, step_of(k, x, i), h);
    pair(k, whole, one_direction(k, h, SHAPE(BATCH, HIDDEN)));
}

/* The output gate's peephole sees the old cell. */
static void lstm_step(struct kitchen *k, const struct weights *p, webnn_operand peephole,
                      webnn_operand x, webnn_operand *h, webnn_operand *c)
{
    webnn_operand sums[4];
    for (uint32_t gate = 0; gate < 4; gate++) {
        sums[gate] = both_sums(k, p, x, *h, gate);
        if (gate < 3)
            sums[gate] =
                OP(k, SIGMOID, NULL,
                   add(k, sums[gate], mul(k, rows_of(k, peephole, gate * HIDDEN, HIDDEN, 0), *c)));
    }
    *c = add(k, mul(k, sums[2], *c), mul(k, sums[0], OP(k, TANH, NULL, sums[3])));
    *h = mul(k, sums[1], OP(k, TANH, NULL, *c));
}

#define LSTM_MORE          \
    .hidden_size = HIDDEN, \
    .activations = U32S(WEBNN_ACTIVATION_SIGMOID, WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_TANH)

static void lstm(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 3, BATCH, WIDTH), h = FLOATS(k, BATCH, HIDDEN),
                  c = FLOATS(k, BATCH, HIDDEN), peephole = FLOATS(k, 3 * HIDDEN);
    const struct weights p = { FLOATS(k, 4 * HIDDEN, WIDTH), FLOATS(k, 4 * HIDDEN, HIDDEN),
                               FLOATS(k, 4 * HIDDEN), FLOATS(k, 4 * HIDDEN) };
    webnn_operand cell[2], whole[2], first = step_of(k, x, 0), h1 = h, c1 = c;
    ops(k, WEBNN_LSTM_CELL, A(lstm_cell, LSTM_MORE),
        OPERANDS(first, p.w, p.r, h, c, p.b, p.rb, peephole), cell, 2);
    ops(k, WEBNN_LSTM, A(lstm, .steps = 3, LSTM_MORE),
        OPERANDS(
            x, one_direction(k, p.w, SHAPE(4 * HIDDEN, WIDTH)),
            one_direction(k, p.r, SHAPE(4 * HIDDEN, HIDDEN)),
            one_direction(k, p.b, SHAPE(4 * HIDDEN)), one_direction(k, p.rb, SHAPE(4 * HIDDEN)),
            one_direction(k, peephole, SHAPE(3 * HIDDEN)),
            one_direction(k, h, SHAPE(BATCH, HIDDEN)), one_direction(k, c, SHAPE(BATCH, HIDDEN))),
        whole, 2);
    k->tolerance = 2e-5;
    lstm_step(k, &p, peephole, first, &h1, &c1);
    pair(k, cell[0], h1);
    pair(k, cell[1], c1);
    for (uint32_t i = 0; i < 3; i++)
        lstm_step(k, &p, peephole, step_of(k, x, i), &h, &c);
    pair(k, whole[0], one_direction(k, h, SHAPE(BATCH, HIDDEN)));
    pair(k, whole[1], one_direction(k, c, SHAPE(BATCH, HIDDEN)));
}

/* --- movement ------------------------------------------------------------------------------------------- */

static webnn_operand part_of(struct kitchen *k, webnn_operand x, uint32_t start, uint32_t size)
{
    const struct webnn_slice_attributes p = {
        .starts = U32S(0, start),
        .strides = U32S(1, 1),
        .sizes = { .given = true, .count = 2, .items = { 3, size } }
    };
    return OP(k, SLICE, &p, x);
}

static void split_and_reverse(struct kitchen *k)
{
    static const uint32_t sizes[2] = { 2, 3 };
    webnn_operand x = special_floats(k, SHAPE(3, 5)), parts[2], columns[5];
    ops(k, WEBNN_SPLIT, A(split, .axis = 1, .splits = { .count = 2, .items = sizes }), OPERANDS(x),
        parts, 2);
    for (uint32_t i = 0; i < 5; i++)
        columns[i] = part_of(k, x, 4 - i, 1);
    webnn_operand back = OP(k, REVERSE, A(reverse, .axes = U32S(1)), x);
    k->tolerance = 0;
    pair(k, parts[0], part_of(k, x, 0, 2));
    pair(k, parts[1], part_of(k, x, 2, 3));
    pair(k, back, gathered(k, x, INDICES(k, 4, 3, 2, 1, 0), 1));
    pair(k, back, op(k, WEBNN_CONCAT, A(concat, .axis = 1), 5, columns));
}

static void tile_and_expand(struct kitchen *k)
{
    webnn_operand x = special_floats(k, SHAPE(2, 3)), row = special_floats(k, SHAPE(1, 3));
    const struct webnn_expand_attributes p = { .new_shape = {
                                                   .given = true, .count = 2, .items = { 3, 3 } } };
    webnn_operand wide = OP(k, CONCAT, A(concat, .axis = 1), x, x, x);
    k->tolerance = 0;
    pair(k, OP(k, TILE, A(tile, .repetitions = U32S(2, 3)), x),
         OP(k, CONCAT, A(concat, .axis = 0), wide, wide));
    pair(k, OP(k, EXPAND, &p, row), OP(k, CONCAT, A(concat, .axis = 0), row, row, row));
}

static void triangular(struct kitchen *k)
{
    static const uint8_t upper[12] = { 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1 };
    webnn_operand x = special_floats(k, SHAPE(2, 3, 4));
    webnn_operand mask = constant(k, WEBNN_UINT8, upper, sizeof upper, SHAPE(3, 4));
    k->tolerance = 0;
    pair(k, OP(k, TRIANGULAR, A(triangular, .upper = true, .diagonal = 1), x),
         OP(k, WHERE, NULL, mask, x, real(k, 0)));
}

static void pads(struct kitchen *k)
{
    webnn_operand x = special_floats(k, SHAPE(3, 4));
    const struct webnn_pad_attributes reflection = { .beginning_padding = U32S(2, 3),
                                                     .ending_padding = U32S(1, 2),
                                                     .mode = WEBNN_PADDING_MODE_REFLECTION },
                                      edge = { .beginning_padding = U32S(2, 1),
                                               .ending_padding = U32S(0, 3),
                                               .mode = WEBNN_PADDING_MODE_EDGE };
    k->tolerance = 0;
    pair(k, OP(k, PAD, &reflection, x),
         gathered(k, gathered(k, x, INDICES(k, 2, 1, 0, 1, 2, 1), 0),
                  INDICES(k, 3, 2, 1, 0, 1, 2, 3, 2, 1), 1));
    pair(k, OP(k, PAD, &edge, x),
         gathered(k, gathered(k, x, INDICES(k, 0, 0, 0, 1, 2), 0),
                  INDICES(k, 0, 0, 1, 2, 3, 3, 3, 3), 1));
}

/* Negative indices count from the end, and what is still outside is clamped. */
static webnn_operand inside(struct kitchen *k, webnn_operand i, int size)
{
    webnn_operand zero = number(k, WEBNN_INT32, 0);
    webnn_operand wrapped = OP(k, WHERE, NULL, OP(k, LESSER, NULL, i, zero),
                               add(k, i, number(k, WEBNN_INT32, size)), i);
    return least(k, most(k, wrapped, zero), number(k, WEBNN_INT32, size - 1));
}

static void gathers(struct kitchen *k)
{
    webnn_operand x = special_floats(k, SHAPE(4, 5)), rows = INTS(k, 3, 5), places = INTS(k, 6, 2);
    webnn_operand flat = reshaped(k, x, SHAPE(20)), five = number(k, WEBNN_INT32, 5);
    webnn_operand by_row = add(k, mul(k, inside(k, rows, 4), five), INDICES(k, 0, 1, 2, 3, 4));
    webnn_operand first = reshaped(k, gathered(k, places, number(k, WEBNN_INT32, 0), 1), SHAPE(6)),
                  second = reshaped(k, gathered(k, places, number(k, WEBNN_INT32, 1), 1), SHAPE(6));
    k->tolerance = 0;
    pair(k, OP(k, GATHER_ELEMENTS, A(gather_elements, .axis = 0), x, rows),
         gathered(k, flat, by_row, 0));
    pair(k, OP(k, GATHER_ND, NULL, x, places),
         gathered(k, flat, add(k, mul(k, inside(k, first, 4), five), inside(k, second, 5)), 0));
}

/* --- comparisons, rounding ------------------------------------------------------------------------------ */

static void classes(struct kitchen *k)
{
    webnn_operand x = special_floats(k, SHAPE(64)), y = special_floats(k, SHAPE(64));
    k->tolerance = 0;
    pair(k, OP(k, IS_NAN, NULL, x), OP(k, NOT_EQUAL, NULL, x, x));
    pair(k, OP(k, IS_INFINITE, NULL, x),
         OP(k, EQUAL, NULL, OP(k, ABS, NULL, x), real(k, INFINITY)));
    pair(k, OP(k, NOT_EQUAL, NULL, x, y), OP(k, LOGICAL_NOT, NULL, OP(k, EQUAL, NULL, x, y)));
}

static void round_even(struct kitchen *k)
{
    webnn_operand x = mul(k, FLOATS(k, 64), real(k, 2)), magic = real(k, 12582912);
    k->tolerance = 0;
    pair(k, OP(k, ROUND_EVEN, NULL, x), sub(k, add(k, x, magic), magic));
}

/* --- images --------------------------------------------------------------------------------------------- */

static void l2_pool(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 1, 2, 6, 7);
    const struct webnn_pool2d_attributes p = { .window_dimensions = U32S(2, 3),
                                               .strides = U32S(2, 2),
                                               .dilations = U32S(1, 1),
                                               .padding = U32S(0, 0, 0, 0) };
    k->tolerance = 1e-6;
    pair(k, OP(k, L2_POOL2D, &p, x),
         OP(k, SQRT, NULL, mul(k, OP(k, AVERAGE_POOL2D, &p, mul(k, x, x)), real(k, 6))));
}

/* 3 rows to 6, 4 columns to 2: centres by exact fractions, ties down. */
static void resample(struct kitchen *k)
{
    webnn_operand x = FLOATS(k, 1, 2, 3, 4);
    webnn_operand nearest =
        OP(k, RESAMPLE2D, A(resample2d, .sizes = U32S(6, 2), .axes = U32S(2, 3)), x);
    webnn_operand linear = OP(
        k, RESAMPLE2D,
        A(resample2d, .mode = WEBNN_INTERPOLATION_LINEAR, .sizes = U32S(6, 2), .axes = U32S(2, 3)),
        x);
    webnn_operand rows = MATRIX(k, 6, 3, 1, 0, 0, .75f, .25f, 0, .25f, .75f, 0, 0, .75f, .25f, 0,
                                .25f, .75f, 0, 0, 1);
    webnn_operand columns = MATRIX(k, 4, 2, .5f, 0, .5f, 0, 0, .5f, 0, .5f);
    k->tolerance = 0;
    pair(k, nearest,
         gathered(k, gathered(k, x, INDICES(k, 0, 0, 1, 1, 2, 2), 2), INDICES(k, 0, 2), 3));
    k->tolerance = 1e-6;
    pair(k, linear, OP(k, MATMUL, NULL, OP(k, MATMUL, NULL, rows, x), columns));
}

/* --- cooking -------------------------------------------------------------------------------------------- */

static void fill(const webnn_descriptor *d, bool special, uint32_t *state, void *to, size_t count)
{
    static const float odd[] = { NAN, INFINITY, -INFINITY, -0.0f, 0.0f, 1, -1, 1e-45f };
    for (size_t i = 0; i < count; i++) {
        *state = *state * 1664525u + 1013904223u;
        if (d->data_type == WEBNN_INT32)
            ((int32_t *)to)[i] = (int32_t)(*state >> 28) - 7;
        else if (special && (*state >> 20 & 3) == 0)
            ((float *)to)[i] = odd[*state >> 28 & 7];
        else
            ((float *)to)[i] = (float)(int32_t)(*state >> 8) / 4194304.0f - 2.0f;
    }
}

static size_t count_of(const webnn_descriptor *d)
{
    size_t count = 1;
    for (uint32_t i = 0; i < d->rank; i++)
        count *= (size_t)d->dims[i];
    return count;
}

static webnn_tensor *make_tensor(struct kitchen *k, const webnn_descriptor *d)
{
    const webnn_tensor_options both = { .size = sizeof both, .readable = true, .writable = true };
    webnn_tensor *t = NULL;
    assert_true(count_of(d) <= MOST_ELEMENTS);
    assert_ok(webnn_tensor_create(k->context, d, &both, &t, NULL));
    return t;
}

static double element(const webnn_descriptor *d, const void *data, size_t i)
{
    return d->data_type == WEBNN_FLOAT32 ? (double)((const float *)data)[i]
           : d->data_type == WEBNN_INT32 ? (double)((const int32_t *)data)[i]
                                         : (double)((const uint8_t *)data)[i];
}

static void compare(const char *name, double tolerance, webnn_tensor *direct, webnn_tensor *recipe)
{
    static uint8_t a[MOST_ELEMENTS * 4], b[MOST_ELEMENTS * 4];
    webnn_descriptor d, e;
    (void)webnn_tensor_descriptor(direct, &d);
    (void)webnn_tensor_descriptor(recipe, &e);
    assert_memory_equal(&d, &e, sizeof d);
    size_t size = count_of(&d) * (d.data_type == WEBNN_UINT8 ? 1 : 4);
    assert_ok(webnn_tensor_read(direct, a, size, NULL));
    assert_ok(webnn_tensor_read(recipe, b, size, NULL));
    for (size_t i = 0; i < count_of(&d); i++) {
        double x = element(&d, a, i), y = element(&d, b, i);
        if (x != y && !(isnan(x) && isnan(y)) && !(fabs(x - y) <= tolerance * fmax(1, fabs(x))))
            fail_msg("%s: element %zu is %.9g, by the recipe %.9g", name, i, x, y);
    }
}

static void cook(const char *name, void (*recipe)(struct kitchen *))
{
    struct kitchen k = { .context = cpu_context() };
    webnn_named_tensor in[MOST_PORTS], out[MOST_PORTS];
    webnn_graph *g = NULL;
    webnn_port port;
    uint32_t state = 7;
    float data[MOST_ELEMENTS];
    assert_ok(webnn_builder_create(k.context, NULL, &k.builder, NULL));
    recipe(&k);
    assert_ok(webnn_builder_build(k.builder, k.outputs, k.output_count, &g, NULL));
    for (size_t i = 0; i < k.input_count; i++) {
        in[i] = (webnn_named_tensor){ k.input_names[i], make_tensor(&k, &k.inputs[i]) };
        fill(&k.inputs[i], k.special[i], &state, data, count_of(&k.inputs[i]));
        assert_ok(webnn_tensor_write(in[i].tensor, data, count_of(&k.inputs[i]) * 4, NULL));
    }
    for (size_t i = 0; webnn_graph_output(g, i, &port); i++)
        out[i] = (webnn_named_tensor){ port.name, make_tensor(&k, &port.descriptor) };
    assert_ok(webnn_dispatch(k.context, g, in, k.input_count, out, k.output_count, NULL));
    for (size_t i = 0; i < k.output_count; i += 2)
        compare(name, k.tolerances[i], out[i].tensor, out[i + 1].tensor);
    for (size_t i = 0; i < k.input_count; i++)
        webnn_tensor_free(in[i].tensor);
    for (size_t i = 0; i < k.output_count; i++)
        webnn_tensor_free(out[i].tensor);
    webnn_graph_free(g);
    webnn_builder_free(k.builder);
    webnn_context_free(k.context);
}

struct recipe {
    const char *name;
    void (*build)(struct kitchen *k);
};

static void a_recipe_equals_its_kernel(void **state)
{
    const struct recipe *r = *state;
    cook(r->name, r->build);
}

#define RECIPE(function)                                            \
    {                                                               \
        .name = #function, .test_func = a_recipe_equals_its_kernel, \
        .initial_state = &(struct recipe)                           \
        {                                                           \
#function, function                                     \
        }                                                           \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECIPE(batch_normalization),
        RECIPE(instance_normalization),
        RECIPE(layer_normalization),
        RECIPE(activations),
        RECIPE(more_activations),
        RECIPE(softmax),
        RECIPE(erf_is_approximated),
        RECIPE(reduce_log_sum_exp),
        RECIPE(gemm),
        RECIPE(arg_max),
        RECIPE(cumulative_sum),
        RECIPE(quantize_in_blocks),
        RECIPE(gru),
        RECIPE(lstm),
        RECIPE(split_and_reverse),
        RECIPE(tile_and_expand),
        RECIPE(triangular),
        RECIPE(pads),
        RECIPE(gathers),
        RECIPE(classes),
        RECIPE(round_even),
        RECIPE(l2_pool),
        RECIPE(resample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
