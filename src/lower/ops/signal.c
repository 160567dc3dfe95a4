/* Windows, Mel weights and Fourier transforms. */
#include "lower/helpers.h"

#include <math.h>
#include <string.h>

/* --- windows ------------------------------------------------------------------------------------------ */

struct window_function {
    int64_t output_datatype, periodic;
};

static const struct attr_row window_attrs[] = {
    ATTR_INT(struct window_function, output_datatype, .fallback_int = 1),
    ATTR_INT(struct window_function, periodic, .fallback_int = 1, .allowed = "0 1"),
};

static o2w_status output_type(struct lower *l, const struct node_view *n, int64_t number,
                              enum dtype *out)
{
    if (!dtype_by_onnx(number, out) || !dtype_in(*out, SET_NUMERIC))
        return refuse_attribute(l, n, "output_datatype", "is %lld, not a numeric type",
                                (long long)number);
    return O2W_OK;
}

/* a0 - a1 cos(x) + a2 cos(2 x), x = 2 pi i / (size, or size - 1 where it is not periodic). */
static o2w_status cosine_window(struct lower *l, const struct node_view *n,
                                const struct window_function *p, double a0, double a1, double a2)
{
    int64_t size;
    enum dtype dtype;
    struct tensor t;
    value y;
    TRY(output_type(l, n, p->output_datatype, &dtype));
    TRY(known_int(l, n, 0, &size));
    if (size < 0 || size > INT32_MAX)
        return refuse_input(l, n, 0, "is %lld, must be a size", (long long)size);
    TRY(known_new(l, dtype, (const dim[]){ size }, 1, &t, &y));
    double period = p->periodic ? (double)size : (double)(size - 1);
    for (int64_t i = 0; i < size; i++) {
        double x = 2 * M_PI * (double)i / period;
        tensor_put_double(&t, (uint64_t)i, period > 0 ? a0 - a1 * cos(x) + a2 * cos(2 * x) : 1);
    }
    return emit_as(l, n, 0, y, dtype);
}

static o2w_status lower_hann(struct lower *l, const struct node_view *n, const void *params)
{
    return cosine_window(l, n, params, 0.5, 0.5, 0);
}

static o2w_status lower_hamming(struct lower *l, const struct node_view *n, const void *params)
{
    return cosine_window(l, n, params, 25.0 / 46.0, 21.0 / 46.0, 0);
}

static o2w_status lower_blackman(struct lower *l, const struct node_view *n, const void *params)
{
    return cosine_window(l, n, params, 0.42, 0.5, 0.08);
}

/* --- MelWeightMatrix ---------------------------------------------------------------------------------- */

struct mel {
    int64_t output_datatype;
};

static const struct attr_row mel_attrs[] = { ATTR_INT(struct mel, output_datatype,
                                                      .fallback_int = 1) };

static double mel_of(double hertz)
{
    return 2595 * log10(1 + hertz / 700);
}

/* Edges of the triangles as bins of the spectrum. */
static int64_t mel_bin(double low, double step, int64_t i, int64_t length, int64_t rate)
{
    double hertz = 700 * (pow(10, (low + (double)i * step) / 2595) - 1);
    return (int64_t)floor((double)(length + 1) * hertz / (double)rate);
}

static void put_triangle(struct tensor *t, int64_t column, int64_t columns, int64_t rows,
                         const int64_t edge[3])
{
    int64_t rise = edge[1] - edge[0], fall = edge[2] - edge[1];
    for (int64_t j = edge[0]; j <= edge[1] && j < rows; j++)
        tensor_put_double(t, (uint64_t)(j * columns + column),
                          rise ? (double)(j - edge[0]) / (double)rise : 1);
    for (int64_t j = edge[1]; fall > 0 && j < edge[2] && j < rows; j++)
        tensor_put_double(t, (uint64_t)(j * columns + column),
                          (double)(edge[2] - j) / (double)fall);
}

static o2w_status lower_mel(struct lower *l, const struct node_view *n, const void *params)
{
    int64_t bins, length, rate;
    double low, high;
    enum dtype dtype;
    struct tensor t;
    value y;
    TRY(output_type(l, n, ((const struct mel *)params)->output_datatype, &dtype));
    TRY(known_int(l, n, 0, &bins));
    TRY(known_int(l, n, 1, &length));
    TRY(known_int(l, n, 2, &rate));
    TRY(known_double(l, n, 3, &low));
    TRY(known_double(l, n, 4, &high));
    if (bins < 1 || length < 1 || rate < 1 || bins > 65536 || length > 1 << 24 || !(low >= 0) ||
        !(high >= low))
        return refuse(
            l, n, DIAG_LOWER_VALUE,
            "%lld bins, a length of %lld, a rate of %lld and edges of %g and %g make no weights",
            (long long)bins, (long long)length, (long long)rate, low, high);
    int64_t rows = length / 2 + 1;
    double step = (mel_of(high) - mel_of(low)) / (double)(bins + 2);
    TRY(known_new(l, dtype, (const dim[]){ rows, bins }, 2, &t, &y));
    for (int64_t i = 0; i < bins; i++) {
        const int64_t edge[3] = { mel_bin(mel_of(low), step, i, length, rate),
                                  mel_bin(mel_of(low), step, i + 1, length, rate),
                                  mel_bin(mel_of(low), step, i + 2, length, rate) };
        put_triangle(&t, i, bins, rows, edge);
    }
    return emit_as(l, n, 0, y, dtype);
}

/* --- DFT ---------------------------------------------------------------------------------------------- */

struct dft {
    int64_t axis, inverse, onesided;
};

static const struct attr_row dft_17_attrs[] = {
    ATTR_INT(struct dft, axis, .fallback_int = 1),
    ATTR_INT(struct dft, inverse, .allowed = "0 1"),
    ATTR_INT(struct dft, onesided, .allowed = "0 1"),
};
static const struct attr_row dft_20_attrs[] = {
    ATTR_INT(struct dft, inverse, .allowed = "0 1"),
    ATTR_INT(struct dft, onesided, .allowed = "0 1"),
};

/* cos and sin of 2 pi j k / n for j < rows, k < columns; the angle from (j k mod n), in double. */
static o2w_status twiddles(struct lower *l, const struct node_view *n, enum dtype dtype,
                           int64_t length, int64_t rows, int64_t columns, double scale,
                           value *cosine, value *sine)
{
    struct tensor c, s;
    if (rows * columns > (int64_t)1 << 24)
        return refuse(l, n, DIAG_LOWER_LIMIT,
                      "a transform of %lld by %lld needs a matrix of more than 2^24 elements",
                      (long long)rows, (long long)columns);
    TRY(known_new(l, dtype, (const dim[]){ rows, columns }, 2, &c, cosine));
    TRY(known_new(l, dtype, (const dim[]){ rows, columns }, 2, &s, sine));
    for (int64_t j = 0; j < rows; j++)
        for (int64_t k = 0; k < columns; k++) {
            double angle = 2 * M_PI * (double)(j * k % length) / (double)length;
            tensor_put_double(&c, (uint64_t)(j * columns + k), scale * cos(angle));
            tensor_put_double(&s, (uint64_t)(j * columns + k), scale * sin(angle));
        }
    return O2W_OK;
}

/* Along `axis` cut to, or filled with zeros up to, `size`. */
static o2w_status fit(struct lower *l, value x, uint32_t axis, int64_t size, value *out)
{
    struct webnn_pad_attributes p = webnn_pad_defaults();
    if (x->dims[axis] >= size)
        return slice(l, x, axis, 0, size, 1, out);
    p.beginning_padding = p.ending_padding = (struct webnn_u32s){ .given = true, .count = x->rank };
    p.ending_padding.items[axis] = (uint32_t)(size - x->dims[axis]);
    return op(l, WEBNN_PAD, OPERANDS(x), &p, out);
}

/* One part of the last dim, with `axis` at the end: [.., size]. The last dim is gone. */
static o2w_status part(struct lower *l, value x, uint32_t axis, int64_t which, value *out)
{
    uint32_t last = x->rank - 1, order[MAX_RANK];
    value y;
    TRY(slice(l, x, last, which, 1, 1, &y));
    TRY(squeeze(l, y, &last, 1, &y));
    for (uint32_t i = 0; i < y->rank; i++)
        order[i] = i < axis ? i : i + 1 < y->rank ? i + 1 : axis;
    return transpose(l, y, order, out);
}

/* The axis back in its place, and the parts as the last dim. */
static o2w_status join_parts(struct lower *l, value re, value im, uint32_t axis, value *out)
{
    uint32_t order[MAX_RANK], last = re->rank;
    value parts[2] = { re, im };
    for (uint32_t i = 0; i < re->rank; i++)
        order[i] = i < axis ? i : i == axis ? re->rank - 1 : i - 1;
    for (int i = 0; i < (im ? 2 : 1); i++) {
        TRY(transpose(l, parts[i], order, &parts[i]));
        TRY(unsqueeze(l, parts[i], &last, 1, &parts[i]));
    }
    return concat(l, parts, im ? 2 : 1, last, out);
}

struct transform {
    uint32_t axis;
    int64_t length, bins; /* of the signal, of the result */
    value re, im;         /* axis last; im NULL: real */
};

static o2w_status forward(struct lower *l, const struct node_view *n, const struct dft *p,
                          const struct transform *t, value *out)
{
    value c, s;
    TRY(twiddles(l, n, t->re->dtype, t->length, t->length, t->bins,
                 p->inverse ? 1 / (double)t->length : 1, &c, &s));
    struct calc f = calc_begin(l, t->re);
    value re = calc_op(&f, WEBNN_MATMUL, t->re, c, NULL),
          im = calc_op(&f, WEBNN_MATMUL, t->re, s, NULL);
    if (!p->inverse)
        im = calc_neg(&f, im);
    if (t->im) {
        value cross = calc_op(&f, WEBNN_MATMUL, t->im, s, NULL),
              own = calc_op(&f, WEBNN_MATMUL, t->im, c, NULL);
        re = p->inverse ? calc_sub(&f, re, cross) : calc_add(&f, re, cross);
        im = calc_add(&f, im, own);
    }
    TRY(f.status);
    return join_parts(l, re, im, t->axis, out);
}

/* Half a spectrum to a real signal: inner bins count twice, for their mirrored ones. */
static o2w_status inverse_onesided(struct lower *l, const struct node_view *n,
                                   const struct transform *t, value *out)
{
    value c, s;
    struct tensor tc, ts;
    int64_t half = t->length / 2 + 1;
    value re, im;
    if (!t->im)
        return refuse_input(l, n, 0,
                            "is real, the inverse of a one-sided spectrum takes complex numbers");
    TRY(fit(l, t->re, t->re->rank - 1, half, &re));
    TRY(fit(l, t->im, t->im->rank - 1, half, &im));
    TRY(twiddles(l, n, re->dtype, t->length, half, t->length, 1 / (double)t->length, &c, &s));
    TRY(known_tensor(l, c, &tc));
    TRY(known_tensor(l, s, &ts));
    for (int64_t k = 1; k < half; k++)
        for (int64_t j = 0; 2 * k != t->length && j < t->length; j++) {
            uint64_t at = (uint64_t)(k * t->length + j);
            tensor_put_double(&tc, at, 2 * tensor_get_double(&tc, at));
            tensor_put_double(&ts, at, 2 * tensor_get_double(&ts, at));
        }
    struct calc f = calc_begin(l, re);
    value y = calc_sub(&f, calc_op(&f, WEBNN_MATMUL, re, c, NULL),
                       calc_op(&f, WEBNN_MATMUL, im, s, NULL));
    TRY(f.status);
    return join_parts(l, y, NULL, t->axis, out);
}

static o2w_status read_transform(struct lower *l, const struct node_view *n, const struct dft *p,
                                 int64_t axis, value x, struct transform *t)
{
    int64_t size, given;
    if (x->rank < 2 || (x->dims[x->rank - 1] != 1 && x->dims[x->rank - 1] != 2))
        return refuse_input(l, n, 0, "must end in a dimension of 1 (real) or 2 (complex)");
    TRY(axis_from(l, n, axis, x->rank, 0, &t->axis));
    if (t->axis == x->rank - 1)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "axis %u is that of the complex parts", t->axis);
    TRY(static_dim(l, n, x, t->axis, &size));
    bool half = p->onesided && p->inverse;
    t->length = half ? 2 * (size - 1) : size;
    if (input(n, 1)) {
        TRY(known_int(l, n, 1, &given));
        t->length = given;
    }
    if (t->length < 1 || t->length > INT32_MAX)
        return refuse(l, n, DIAG_LOWER_VALUE, "a transform of length %lld is not possible",
                      (long long)t->length);
    t->bins = p->onesided ? t->length / 2 + 1 : t->length;
    if (!half)
        TRY(fit(l, x, t->axis, t->length, &x));
    TRY(part(l, x, t->axis, 0, &t->re));
    t->im = NULL;
    return x->dims[x->rank - 1] == 2 ? part(l, x, t->axis, 1, &t->im) : O2W_OK;
}

static o2w_status transform(struct lower *l, const struct node_view *n, const struct dft *p,
                            int64_t axis)
{
    struct transform t;
    value x, y;
    TRY(widen(l, input(n, 0), &x));
    TRY(read_transform(l, n, p, axis, x, &t));
    if (p->onesided && p->inverse)
        TRY(inverse_onesided(l, n, &t, &y));
    else
        TRY(forward(l, n, p, &t, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_dft_17(struct lower *l, const struct node_view *n, const void *params)
{
    const struct dft *p = params;
    return transform(l, n, p, p->axis);
}

static o2w_status lower_dft_20(struct lower *l, const struct node_view *n, const void *params)
{
    int64_t axis = -2;
    if (input(n, 2))
        TRY(known_int(l, n, 2, &axis));
    return transform(l, n, params, axis);
}

/* --- STFT --------------------------------------------------------------------------------------------- */

struct stft {
    int64_t onesided;
};

static const struct attr_row stft_attrs[] = { ATTR_INT(struct stft, onesided, .fallback_int = 1,
                                                       .allowed = "0 1") };

/* Filters [2 · bins, parts, 1, length]: rows of the real results, then of the imaginary ones. */
static o2w_status stft_filters(struct lower *l, enum dtype dtype, int64_t length, int64_t bins,
                               int64_t parts, value *out)
{
    struct tensor t;
    TRY(known_new(l, dtype, (const dim[]){ 2 * bins, parts, 1, length }, 4, &t, out));
    for (int64_t k = 0; k < bins; k++)
        for (int64_t j = 0; j < length; j++) {
            double angle = 2 * M_PI * (double)(j * k % length) / (double)length;
            tensor_put_double(&t, (uint64_t)(k * parts * length + j), cos(angle));
            tensor_put_double(&t, (uint64_t)((bins + k) * parts * length + j), -sin(angle));
            if (parts == 1)
                continue;
            tensor_put_double(&t, (uint64_t)((k * parts + 1) * length + j), sin(angle));
            tensor_put_double(&t, (uint64_t)(((bins + k) * parts + 1) * length + j), cos(angle));
        }
    return O2W_OK;
}

static o2w_status frame_length(struct lower *l, const struct node_view *n, int64_t *length)
{
    value window = input(n, 2);
    *length = 0;
    if (window && window->rank != 1)
        return refuse_input(l, n, 2, "has rank %u, must be 1", window->rank);
    if (window)
        TRY(static_dim(l, n, window, 0, length));
    if (input(n, 3))
        TRY(known_int(l, n, 3, length));
    if (*length < 1 || *length > 1 << 20 || (window && window->dims[0] != *length))
        return refuse(l, n, DIAG_LOWER_INPUT,
                      "a frame of %lld is not possible; window and frame_length must agree",
                      (long long)*length);
    return O2W_OK;
}

/* [batch, length, parts] as an image [batch, parts, 1, length]. */
static o2w_status signal_image(struct lower *l, const struct node_view *n, value *out)
{
    static const uint32_t parts_second[] = { 0, 2, 1 };
    value x = input(n, 0);
    uint32_t height = 2;
    if (x->rank == 2)
        TRY(reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], 1 }, 3, &x));
    if (x->rank != 3 || (x->dims[2] != 1 && x->dims[2] != 2))
        return refuse_input(l, n, 0, "must have the shape [batch, length, 1 or 2]");
    TRY(widen(l, x, &x));
    TRY(transpose(l, x, parts_second, &x));
    return unsqueeze(l, x, &height, 1, out);
}

static o2w_status lower_stft(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t frames_second[] = { 0, 3, 2, 1 };
    int64_t step, length;
    value x, filters, window, y;
    struct webnn_conv2d_attributes c = webnn_conv2d_defaults();
    TRY(known_int(l, n, 1, &step));
    TRY(frame_length(l, n, &length));
    TRY(signal_image(l, n, &x));
    if (step < 1 || step > INT32_MAX)
        return refuse_input(l, n, 1, "is %lld, must be from 1 to 2147483647", (long long)step);
    int64_t bins = ((const struct stft *)params)->onesided ? length / 2 + 1 : length;
    TRY(stft_filters(l, x->dtype, length, bins, x->dims[1], &filters));
    if (input(n, 2)) {
        TRY(cast(l, input(n, 2), x->dtype, &window));
        TRY(op2(l, WEBNN_MUL, filters, window, &filters));
    }
    c.strides.items[1] = (uint32_t)step;
    TRY(op(l, WEBNN_CONV2D, OPERANDS(x, filters), &c, &y));
    dim frames = y->dims[3];
    TRY(reshape(l, y, (const dim[]){ y->dims[0], 2, bins, frames }, 4, &y));
    TRY(transpose(l, y, frames_second, &y));
    return emit_narrowed(l, n, y);
}

#define SIZE_TYPES (DTYPE_BIT(DTYPE_INT32) | DTYPE_BIT(DTYPE_INT64))
#define WINDOW(op_name, function)                                               \
    {                                                                           \
        ONNX(op_name, 17, LATEST), INPUTS(IN("size", NONE, SIZE_TYPES, KNOWN)), \
            RESULTS({ .name = "output", .variable = TYPE_NONE }),               \
            PARAMS(struct window_function, window_attrs),                       \
            .lower = function, .class = CLASS_STATIC, .webnn = "constant"       \
    }

const struct onnx_row signal_rows[] = {
    WINDOW("HannWindow", lower_hann),
    WINDOW("HammingWindow", lower_hamming),
    WINDOW("BlackmanWindow", lower_blackman),
    { ONNX("MelWeightMatrix", 17, LATEST),
      INPUTS(IN("num_mel_bins", NONE, SIZE_TYPES, KNOWN), IN("dft_length", NONE, SIZE_TYPES, KNOWN),
             IN("sample_rate", NONE, SIZE_TYPES, KNOWN),
             IN("lower_edge_hertz", T, SET_FLOATS, KNOWN),
             IN("upper_edge_hertz", T, SET_FLOATS, KNOWN)),
      RESULTS({ .name = "output", .variable = TYPE_NONE }), PARAMS(struct mel, mel_attrs),
      .lower = lower_mel, .class = CLASS_STATIC, .webnn = "constant" },
    { ONNX("DFT", 17, 19),
      INPUTS(IN("input", T, SET_FLOATS), IN_OPT("dft_length", NONE, SIZE_TYPES, KNOWN)),
      RESULTS(OUT("output", T)), PARAMS(struct dft, dft_17_attrs), .lower = lower_dft_17,
      .class = CLASS_COMPOSED, .webnn = "matmul" },
    { ONNX("DFT", 20, LATEST),
      INPUTS(IN("input", T, SET_FLOATS), IN_OPT("dft_length", NONE, SIZE_TYPES, KNOWN),
             IN_OPT("axis", NONE, SIZE_TYPES, KNOWN)),
      RESULTS(OUT("output", T)), PARAMS(struct dft, dft_20_attrs), .lower = lower_dft_20,
      .class = CLASS_COMPOSED, .webnn = "matmul" },
    { ONNX("STFT", 17, LATEST),
      INPUTS(IN("signal", T, SET_FLOATS), IN("frame_step", NONE, SIZE_TYPES, KNOWN),
             IN_OPT("window", T, SET_FLOATS), IN_OPT("frame_length", NONE, SIZE_TYPES, KNOWN)),
      RESULTS(OUT("output", T)), PARAMS(struct stft, stft_attrs), .lower = lower_stft,
      .class = CLASS_COMPOSED, .webnn = "conv2d" },
};
ROW_COUNT(signal);
