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

#include "conditions.h"

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
        if (has_word(explained[i].operators, n->row->name) && explained[i].condition(&q))
            return explained[i].reason;
    return NULL;
}

/* --- rounding of sums -------------------------------------------------------------------------------- */

static const char sums[] =
    "MatMul Gemm Conv ConvTranspose Einsum ReduceSum ReduceMean ReduceL1 ReduceL2 "
    "ReduceSumSquare CumSum AveragePool GlobalAveragePool LSTM GRU RNN DFT STFT Det "
    "FusedMatMul LRN Sum Mean Resize Upsample GridSample RoiAlign Col2Im "
    "ReduceLogSum Attention Add Sub";

/* The largest finite number of the inputs. */
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
