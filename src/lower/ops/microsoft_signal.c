/* com.microsoft: Fourier transforms along the last dimension, as one product with a matrix. */
#include "lower/helpers.h"

#include <math.h>

struct fourier {
    int64_t signal_ndim, normalized, onesided;
};

static const struct attr_row fourier_attrs[] = {
    ATTR_INT(struct fourier, signal_ndim, .required = true, .allowed = "1"),
    ATTR_INT(struct fourier, normalized, .required = true, .allowed = "0"),
    ATTR_INT(struct fourier, onesided, .required = true, .allowed = "1"),
};

/* `size` times `size` numbers are a matrix that is still made. */
static o2w_status check_length(struct lower *l, const struct node_view *n, int64_t size)
{
    if (size < 1 || size > 4096)
        return refuse(l, n, DIAG_LOWER_LIMIT, "a transform of length %lld, must be 1 to 4096",
                      (long long)size);
    return O2W_OK;
}

/* x with its last `count` dims as the rows of a product: [.., all] · matrix. */
static o2w_status times(struct lower *l, const struct node_view *n, value x, uint32_t count,
                        value matrix, value *out)
{
    dim dims[MAX_RANK + 1], rows;
    uint32_t kept = x->rank - count;
    TRY(dims_product(l, n, x->dims, 0, kept, &rows));
    for (uint32_t i = 0; i < kept; i++)
        dims[i] = x->dims[i];
    TRY(reshape(l, x, (const dim[]){ rows, matrix->dims[0] }, 2, &x));
    TRY(op2(l, WEBNN_MATMUL, x, matrix, &x));
    dims[kept] = matrix->dims[1];
    return reshape(l, x, dims, kept + 1, out);
}

/* Bin k: sums of x cos and of -x sin of 2 pi j k / n. */
static o2w_status lower_rfft(struct lower *l, const struct node_view *n, const void *params)
{
    struct tensor t;
    value x, matrix, y;
    int64_t length;
    dim dims[MAX_RANK + 1];
    (void)params;
    if (input(n, 0)->rank < 1 || input(n, 0)->rank >= MAX_RANK)
        return refuse_input(l, n, 0, "has rank %u, must be 1 to %d", input(n, 0)->rank,
                            MAX_RANK - 1);
    TRY(widen(l, input(n, 0), &x));
    TRY(static_dim(l, n, x, x->rank - 1, &length));
    TRY(check_length(l, n, length));
    int64_t bins = length / 2 + 1;
    TRY(known_new(l, x->dtype, (const dim[]){ length, 2 * bins }, 2, &t, &matrix));
    for (int64_t j = 0; j < length; j++)
        for (int64_t k = 0; k < bins; k++) {
            double angle = 2 * M_PI * (double)(j * k % length) / (double)length;
            uint64_t at = (uint64_t)(2 * (j * bins + k));
            tensor_put_double(&t, at, cos(angle));
            tensor_put_double(&t, at + 1, -sin(angle));
        }
    TRY(times(l, n, x, 1, matrix, &y));
    for (uint32_t i = 0; i + 1 < x->rank; i++)
        dims[i] = x->dims[i];
    dims[x->rank - 1] = bins;
    dims[x->rank] = 2;
    TRY(reshape(l, y, dims, x->rank + 1, &y));
    return emit_narrowed(l, n, y);
}

/* m bins make a signal of 2 m - 1, as the runtime has it: all but the first count twice. */
static o2w_status lower_irfft(struct lower *l, const struct node_view *n, const void *params)
{
    struct tensor t;
    value x, matrix, y;
    int64_t bins;
    (void)params;
    TRY(widen(l, input(n, 0), &x));
    if (x->rank < 2 || x->dims[x->rank - 1] != 2)
        return refuse_input(l, n, 0, "must end in the two parts of complex numbers");
    TRY(static_dim(l, n, x, x->rank - 2, &bins));
    TRY(check_length(l, n, bins));
    int64_t length = 2 * bins - 1;
    TRY(known_new(l, x->dtype, (const dim[]){ 2 * bins, length }, 2, &t, &matrix));
    for (int64_t k = 0; k < bins; k++)
        for (int64_t j = 0; j < length; j++) {
            double angle = 2 * M_PI * (double)(j * k % length) / (double)length;
            double weight = (k ? 2 : 1) / (double)length;
            uint64_t at = (uint64_t)(2 * k * length + j);
            tensor_put_double(&t, at, weight * cos(angle));
            tensor_put_double(&t, at + (uint64_t)length, -weight * sin(angle));
        }
    TRY(times(l, n, x, 2, matrix, &y));
    return emit_narrowed(l, n, y);
}

#define SET_3 (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_FLOAT64))
#define FOURIER                                                                             \
    INPUTS(IN("X", T, SET_3)), RESULTS(OUT("Y", T)), PARAMS(struct fourier, fourier_attrs), \
        .class = CLASS_COMPOSED, .partial = true, .webnn = "matmul",                        \
        .notes = "one dimension, one-sided, not normalised; up to a length of 4096"

const struct onnx_row microsoft_signal_rows[] = {
    { MICROSOFT("Rfft"), FOURIER, .lower = lower_rfft },
    { MICROSOFT("Irfft"), FOURIER, .lower = lower_irfft },
};
ROW_COUNT(microsoft_signal);
