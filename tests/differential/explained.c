#include "judge.h"

#include <math.h>
#include <string.h>

static bool has_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += size)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
            return true;
    return false;
}

struct question {
    const struct program *p;
    const struct node *n;
    const struct tensor *got, *want;
    bool cpu;
};

/* --- conditions of explained.def ----------------------------------------------------------------- */

static bool any_float(const struct question *q, bool (*is)(double))
{
    for (size_t i = 0; i < q->n->input_count; i++) {
        const struct tensor *t = node_input(q->p, q->n, i);
        for (uint64_t k = 0; t && dtype_is_float(t->dtype) && k < tensor_count(t); k++)
            if (is(tensor_get_double(t, k)))
                return true;
    }
    return false;
}

static bool is_nan(double v)
{
    return isnan(v);
}

static bool is_nonfinite(double v)
{
    return !isfinite(v);
}

/* Its square is beyond float32, or below. */
static bool is_extreme(double v)
{
    return !(fabs(v) < 1e18) || (v != 0 && fabs(v) < 1e-18);
}

static bool is_large(double v)
{
    return !(fabs(v) < 100);
}

static bool nan_input(const struct question *q)
{
    return any_float(q, is_nan);
}

static bool nonfinite_input(const struct question *q)
{
    return any_float(q, is_nonfinite);
}

static bool extreme_input(const struct question *q)
{
    return any_float(q, is_extreme);
}

/* Sums that cancel show beside large numbers, and where nothing or less is added to them. */
static bool cancelling_sums(const struct question *q)
{
    const struct attribute *bias = find_attribute(q->n, "bias");
    return any_float(q, is_large) || (bias && bias->real <= 0);
}

/* Native results are infinite where these are finite. */
static bool want_infinite(const struct question *q)
{
    for (uint64_t i = 0; i < tensor_count(q->want); i++)
        if (!same_number(q->got, q->want, i) && !isinf(tensor_get_double(q->want, i)))
            return false;
    return true;
}

/* A softplus that is infinite natively spreads over the states, NaN behind it, which a relu drops. */
static bool softplus_states(const struct question *q)
{
    const struct attribute *a = find_attribute(q->n, "activations");
    bool spread = false;
    for (uint64_t i = 0; i < tensor_count(q->want); i++)
        spread |= !isfinite(tensor_get_double(q->want, i));
    return spread && a && strstr(a->text, "Softplus");
}

static bool half_parts(const struct question *q)
{
    enum dtype t = q->want->dtype;
    return (t == DTYPE_FLOAT16 || t == DTYPE_BFLOAT16) && want_infinite(q);
}

/* Some number is no integer of the result's type. */
static bool undefined_cast(const struct question *q)
{
    const struct tensor *x = node_input(q->p, q->n, 0);
    enum dtype to = q->want->dtype;
    for (uint64_t i = 0; dtype_is_float(x->dtype) && dtype_is_integer(to) && i < tensor_count(x);
         i++) {
        double v = trunc(tensor_get_double(x, i));
        if (!(v >= (double)dtype_min(to) && v < (double)dtype_max(to)))
            return true;
    }
    return false;
}

static bool nan_bound(const struct question *q)
{
    for (size_t i = 1; i < 3; i++) {
        const struct tensor *t = node_input(q->p, q->n, i);
        if (t && dtype_is_float(t->dtype) && isnan(tensor_get_double(t, 0)))
            return true;
    }
    return false;
}

/* An infinity that passed a bound which is not given. */
static bool half_as_float(const struct question *q)
{
    for (uint64_t i = 0; i < tensor_count(q->want); i++)
        if (!same_number(q->got, q->want, i) &&
            !(fabs(tensor_get_double(q->got, i)) == 65504 && isinf(tensor_get_double(q->want, i))))
            return false;
    return q->p->opset == 11 && q->want->dtype == DTYPE_FLOAT16;
}

/* Natively not a number, or larger by what was not added to a divisor. */
static bool little_spread(const struct question *q)
{
    for (uint64_t i = 0; i < tensor_count(q->want); i++) {
        double share = tensor_get_double(q->got, i) / tensor_get_double(q->want, i);
        if (!same_number(q->got, q->want, i) && !isnan(tensor_get_double(q->want, i)) &&
            !(share > 0 && share < 1))
            return false;
    }
    return true;
}

static bool want_nan(const struct question *q)
{
    for (uint64_t i = 0; i < tensor_count(q->want); i++)
        if (!isnan(tensor_get_double(q->want, i)) && !same_number(q->got, q->want, i))
            return false;
    return true;
}

/* Of other engines, whose kernels are the runtime's, only that the runtime is off too. */
static bool exact_in_double(const struct question *q)
{
    return exact_cells(q->p, q->n, q->got) || (!q->cpu && !exact_cells(q->p, q->n, q->want));
}

/* --- windows ---- */

static bool is_same(const struct node *n)
{
    const struct attribute *a = find_attribute(n, "auto_pad");
    return a && strncmp(a->text, "SAME_", 5) == 0;
}

static int64_t listed(const struct attribute *a, size_t i)
{
    return a && i < a->count ? a->wholes[i] : 1;
}

static bool same_dilated(const struct question *q)
{
    const struct attribute *dilations = find_attribute(q->n, "dilations");
    for (size_t i = 0; is_same(q->n) && dilations && i < dilations->count; i++)
        if (dilations->wholes[i] > 1)
            return true;
    return false;
}

static bool same_gaps(const struct question *q)
{
    const struct attribute *strides = find_attribute(q->n, "strides"),
                           *kernel = find_attribute(q->n, "kernel_shape");
    for (size_t i = 0; is_same(q->n) && strides && i < strides->count; i++)
        if (strides->wholes[i] > listed(kernel, i))
            return true;
    return false;
}

static bool lowest_for_infinity(const struct question *q)
{
    for (uint64_t i = 0; i < tensor_count(q->want); i++)
        if (!same_number(q->got, q->want, i) &&
            !(tensor_get_double(q->got, i) < (q->cpu ? -3.5e38 : -3.4e38) &&
              tensor_get_double(q->want, i) < -3.4e38))
            return false;
    return true;
}

/* Some axis keeps its size, and its scale is another. */
static bool filtered_same_size(const struct question *q)
{
    const struct tensor *x = node_input(q->p, q->n, 0);
    bool kept = false;
    for (uint32_t i = 0; i < x->rank && x->rank == q->want->rank; i++)
        kept |= x->dims[i] == q->want->dims[i];
    return kept && int_attribute(q->n, "antialias", 0) &&
           find_attribute(q->n, "keep_aspect_ratio_policy");
}

static bool filtered_int8(const struct question *q)
{
    const struct attribute *mode = find_attribute(q->n, "mode");
    bool cubic = mode && strcmp(mode->text, "cubic") == 0;
    return q->want->dtype == DTYPE_INT8 && (cubic || int_attribute(q->n, "antialias", 0));
}

/* The numbers are so small that their scale is 0. */
static bool scale_underflows(const struct question *q)
{
    const struct tensor *x = node_input(q->p, q->n, 0);
    double low = 0, high = 0;
    for (uint64_t i = 0; i < tensor_count(x); i++) {
        low = fmin(low, tensor_get_double(x, i));
        high = fmax(high, tensor_get_double(x, i));
    }
    return high > low && (float)((high - low) / 255) == 0;
}

static bool cropped_same_size(const struct question *q)
{
    const struct attribute *mode = find_attribute(q->n, "coordinate_transformation_mode");
    const struct tensor *x = node_input(q->p, q->n, 0);
    if (!mode || strcmp(mode->text, "tf_crop_and_resize") != 0)
        return false;
    for (uint32_t i = 0; i < x->rank; i++)
        if (x->dims[i] == q->want->dims[i])
            return true;
    return false;
}

/* The sums agree but for their rounding; they are close to 0, where the logarithm is steep. */
static bool steep_logarithm(const struct question *q)
{
    const struct tensor *x = node_input(q->p, q->n, 0);
    double most = 0;
    for (uint64_t i = 0; i < tensor_count(x); i++)
        most = fmax(most, fabs(tensor_get_double(x, i)));
    for (uint64_t i = 0; i < tensor_count(q->want); i++) {
        double a = exp(tensor_get_double(q->got, i)), b = exp(tensor_get_double(q->want, i));
        if (!same_number(q->got, q->want, i) && !(fabs(a - b) <= 1e-5 * most) && isfinite(a + b))
            return false;
    }
    return true;
}

/* Products on the way are beyond float32. */
static bool far_products(const struct question *q)
{
    double most = 1;
    for (size_t k = 0; k < q->n->input_count; k++) {
        const struct tensor *x = node_input(q->p, q->n, k);
        for (uint64_t i = 0; x && dtype_is_float(x->dtype) && i < tensor_count(x); i++)
            most *= fmax(1, fabs(tensor_get_double(x, i)));
    }
    return !(most < 3e38);
}

/* A few sums that are whole numbers but for their rounding fall to the other side. */
static bool one_unit(const struct question *q)
{
    uint64_t differing = 0;
    if (!dtype_is_integer(q->want->dtype))
        return false;
    for (uint64_t i = 0; i < tensor_count(q->want); i++) {
        int64_t d = tensor_get_i64(q->got, i) - tensor_get_i64(q->want, i);
        differing += d != 0;
        if (d < -1 || d > 1)
            return false;
    }
    return differing <= 1 + tensor_count(q->want) / 8;
}

/* One query behind a past, and more than one new key. */
static bool one_query(const struct question *q)
{
    const struct tensor *x = node_input(q->p, q->n, 0), *k = node_input(q->p, q->n, 1);
    return int_attribute(q->n, "is_causal", 0) && node_input(q->p, q->n, 4) && x->rank == 4 &&
           x->dims[2] == 1 && k->dims[2] > 1;
}

static bool negative_axes_policy(const struct question *q)
{
    const struct attribute *axes = find_attribute(q->n, "axes"),
                           *policy = find_attribute(q->n, "keep_aspect_ratio_policy");
    for (size_t i = 0; axes && policy && i < axes->count; i++)
        if (axes->wholes[i] < 0)
            return true;
    return false;
}

static bool far_ratio(const struct question *q)
{
    const struct tensor *a = node_input(q->p, q->n, 0), *b = node_input(q->p, q->n, 1);
    double most = 0, least = 1e300;
    for (uint64_t i = 0; i < tensor_count(a); i++)
        most = fmax(most, fabs(tensor_get_double(a, i)));
    for (uint64_t i = 0; i < tensor_count(b); i++)
        least = fmin(least, fabs(tensor_get_double(b, i)));
    return dtype_is_float(a->dtype) && !(most / least < 4194304);
}

static bool spare_bins(const struct question *q)
{
    const struct tensor *length = node_input(q->p, q->n, 1);
    return length && int_attribute(q->n, "inverse", 0) && int_attribute(q->n, "onesided", 0);
}

/* --- integers ---- */

/* Pairs of products of uint8 and int8 that do not fit int16. */
static bool saturating_pairs(const struct question *q)
{
    bool wide = false, narrow = false;
    for (size_t i = 0; i < q->n->input_count; i++) {
        const struct tensor *t = node_input(q->p, q->n, i);
        for (uint64_t k = 0; t && dtype_info(t->dtype)->bits == 8 && k < tensor_count(t); k++)
            wide |= fabs(tensor_get_double(t, k)) > 63;
        narrow |= t && t->dtype == DTYPE_INT8;
    }
    return wide && narrow;
}

/* The sum of magnitudes, of squares where the operator squares, the product where it multiplies. */
static double magnitude(const struct question *q)
{
    double sum = 0, product = 1;
    for (size_t i = 0; i < q->n->input_count; i++) {
        const struct tensor *t = node_input(q->p, q->n, i);
        double part = 0;
        for (uint64_t k = 0; t && dtype_is_integer(t->dtype) && k < tensor_count(t); k++) {
            double v = fabs(tensor_get_double(t, k));
            part += v;
            product *= v > 1 ? v : 1;
        }
        sum = i ? fmax(sum, fmax(part, sum * part)) : part;
    }
    if (strcmp(q->n->row->name, "ReduceProd") == 0)
        return product;
    return strstr(q->n->row->name, "Square") || strstr(q->n->row->name, "L2") ? sum * sum : sum;
}

static bool beyond_double(const struct question *q)
{
    return dtype_is_integer(q->want->dtype) && dtype_info(q->want->dtype)->bits == 64 &&
           magnitude(q) > 9007199254740992.0;
}

static bool overflowing(const struct question *q)
{
    return dtype_is_integer(q->want->dtype) && magnitude(q) > (double)dtype_max(q->want->dtype);
}

static bool beyond_float(const struct question *q)
{
    return dtype_is_integer(q->want->dtype) && magnitude(q) > 16777216;
}

/* --- engines ---- */

static bool unrounded_half(const struct question *q)
{
    for (size_t i = 0; !q->cpu && i < q->n->input_count; i++) {
        const struct tensor *t = node_input(q->p, q->n, i);
        if (t && t->dtype == DTYPE_FLOAT16 && q->p->values[q->n->inputs[i]].origin == FROM_NODE)
            return true;
    }
    return false;
}

static const struct {
    const char *operators;
    bool (*condition)(const struct question *q);
    const char *reason;
} explained[] = {
    { "", NULL, "" },
#define EXPLAINED(operators, condition, reason) { operators, condition, reason },
#include "explained.def"
#undef EXPLAINED
};

const char *explained_reason(bool cpu, const struct program *p, const struct node *n,
                             const struct tensor *got, const struct tensor *want)
{
    struct question q = { p, n, got, want, cpu };
    for (size_t i = 1; i < sizeof explained / sizeof *explained; i++)
        if ((explained[i].operators[0] == '*' || has_word(explained[i].operators, n->row->name)) &&
            explained[i].condition(&q))
            return explained[i].reason;
    return NULL;
}

/* --- rounding of sums -------------------------------------------------------------------------------- */

static const char sums[] =
    "MatMul Gemm Conv ConvTranspose Einsum ReduceSum ReduceMean ReduceL1 ReduceL2 "
    "ReduceSumSquare CumSum AveragePool GlobalAveragePool LSTM GRU RNN DFT STFT Det "
    "FusedMatMul LRN Sum Mean Resize Upsample GridSample RoiAlign Col2Im "
    "ReduceLogSum Attention Add Sub RotaryEmbedding";

/* The largest finite number of an input. */
static double largest(const struct program *p, const struct node *n, size_t input)
{
    const struct tensor *t = node_input(p, n, input);
    double most = 0;
    for (uint64_t i = 0; t && dtype_is_float(t->dtype) && i < tensor_count(t); i++) {
        double v = fabs(tensor_get_double(t, i));
        most = isfinite(v) && v > most ? v : most;
    }
    return most;
}

bool within_rounding(const struct program *p, const struct node *n, const struct tensor *got,
                     const struct tensor *want)
{
    if (!has_word(sums, n->row->name) || !dtype_is_float(want->dtype))
        return false;
    double unit = want->dtype == DTYPE_FLOAT16    ? 1e-3
                  : want->dtype == DTYPE_BFLOAT16 ? 8e-3
                                                  : 1.2e-7;
    double a = largest(p, n, 0), b = n->input_count > 1 ? largest(p, n, 1) : 0;
    double term = strstr(n->row->name, "SumSquare") ? a * a : fmax(fmax(a, b), a * b);
    double slack = unit * 64 * term;
    for (uint64_t i = 0; i < tensor_count(got); i++) {
        double x = tensor_get_double(got, i), y = tensor_get_double(want, i);
        if (!same_number(got, want, i) && !(fabs(x - y) <= slack))
            return false;
    }
    return true;
}
