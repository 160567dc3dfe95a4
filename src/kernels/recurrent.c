#include "kernels/recurrent.h"

#include <math.h>
#include <string.h>

#include "kernels/vector.h"

enum { LANES = 8, GRAIN = 1 << 16 };

double recurrent_activate(enum webnn_activation a, double x)
{
    if (a == WEBNN_ACTIVATION_TANH)
        return tanh(x);
    if (a == WEBNN_ACTIVATION_RELU)
        return x <= 0 ? 0 : x;
    double e = exp(-fabs(x));
    return (x < 0 ? e : 1) / (1 + e);
}

double *recurrent_doubles(const struct kernel_call *call, const struct tensor *t)
{
    int64_t n = count_of(t);
    double *values = kernel_memory(call, n, sizeof *values);
    for (int64_t i = 0; values && i < n; i++)
        values[i] = t->dtype == DTYPE_FLOAT32 ? (double)((const float *)t->data)[i]
                                              : ((const double *)t->data)[i];
    return values;
}

#define DOT(name, type)                                                               \
    VECTOR_CLONES static double dot_##name(const type *a, const double *b, int64_t n) \
    {                                                                                 \
        double lanes[LANES] = { 0 };                                                  \
        int64_t i = 0;                                                                \
        for (; i + LANES <= n; i += LANES)                                            \
            for (int l = 0; l < LANES; l++)                                           \
                lanes[l] += (double)a[i + l] * b[i + l];                              \
        for (; i < n; i++)                                                            \
            lanes[i % LANES] += (double)a[i] * b[i];                                  \
        for (int half = LANES / 2; half > 0; half /= 2)                               \
            for (int l = 0; l < half; l++)                                            \
                lanes[l] += lanes[l + half];                                          \
        return lanes[0];                                                              \
    }
DOT(float32, float)
DOT(float64, double)

/* to[row of from][rows] = weights · from, rows of the weights in parallel. */
struct products {
    enum dtype dtype;
    const void *weights;
    const double *from;
    double *to;
    int64_t length, sets, step; /* step: doubles between the sets of `to` */
};

static void product_rows(void *user, int64_t begin, int64_t end)
{
    const struct products *p = user;
    for (int64_t row = begin; row < end; row++) {
        for (int64_t set = 0; set < p->sets; set++) {
            const double *from = p->from + set * p->length;
            int64_t at = row * p->length;
            p->to[set * p->step + row] =
                p->dtype == DTYPE_FLOAT32
                    ? dot_float32((const float *)p->weights + at, from, p->length)
                    : dot_float64((const double *)p->weights + at, from, p->length);
        }
    }
}

static void multiply(const struct recurrent *r, struct products *p, int64_t rows)
{
    p->dtype = r->dtype;
    kernel_ranges(r->call, rows, max_i64(1, GRAIN / max_i64(1, p->length * p->sets)), product_rows,
                  p);
}

static const void *rows_at(const struct recurrent *r, const void *weights, int64_t row,
                           int64_t length)
{
    size_t size = r->dtype == DTYPE_FLOAT32 ? sizeof(float) : sizeof(double);
    return (const uint8_t *)weights + (size_t)(row * length) * size;
}

void recurrent_recall(const struct recurrent *r, int64_t direction, int64_t first, int64_t count,
                      const double *from, double *to)
{
    int64_t row = direction * r->gates * r->hidden + first;
    struct products p = { .weights = rows_at(r, r->recurrent, row, r->hidden),
                          .from = from,
                          .to = to + first,
                          .length = r->hidden,
                          .sets = r->batch,
                          .step = r->gates * r->hidden };
    multiply(r, &p, count);
}

static void project(struct recurrent *r, int64_t direction)
{
    int64_t rows = r->gates * r->hidden, sets = r->steps * r->batch;
    struct products p = { .weights = rows_at(r, r->weight, direction * rows, r->input),
                          .from = r->x,
                          .to = r->projected,
                          .length = r->input,
                          .sets = sets,
                          .step = rows };
    multiply(r, &p, rows);
    const double *bias = r->bias + direction * rows;
    for (int64_t i = 0; i < sets * rows; i++)
        r->projected[i] += bias[i % rows];
}

static void run_direction(struct recurrent *r, int64_t direction, recurrent_step step)
{
    int64_t states = r->batch * r->hidden, rows = r->gates * r->hidden;
    bool backward = r->reversed_only || direction == 1;
    project(r, direction);
    for (int64_t i = 0; i < r->steps; i++) {
        int64_t at = backward ? r->steps - 1 - i : i;
        step(r, direction, r->projected + at * r->batch * rows);
        if (r->sequence)
            memcpy(r->sequence + (at * r->directions + direction) * states,
                   r->hidden_state + direction * states, (size_t)states * sizeof(double));
    }
}

void recurrent_run(struct recurrent *r, recurrent_step step)
{
    for (int64_t direction = 0; direction < r->directions; direction++)
        run_direction(r, direction, step);
}

/* The operand of a slot as doubles, or zeros. */
static double *optional(const struct recurrent *r, int slot, int64_t count)
{
    const struct tensor *t = slot < 0 ? NULL : call_operand(r->call, (uint32_t)slot);
    if (t)
        return recurrent_doubles(r->call, t);
    double *zeros = kernel_memory(r->call, count, sizeof *zeros);
    if (zeros)
        memset(zeros, 0, (size_t)count * sizeof *zeros);
    return zeros;
}

o2w_status recurrent_begin(struct recurrent *r, const struct recurrent_slots *slots,
                           const struct webnn_u32s *activations, bool keeps_sequence)
{
    int64_t rows = r->gates * r->hidden, states = r->directions * r->batch * r->hidden;
    r->dtype = r->call->operands[0]->dtype;
    if (r->dtype != DTYPE_FLOAT32 && r->dtype != DTYPE_FLOAT64)
        return O2W_UNSUPPORTED;
    for (uint32_t i = 0; i < 3; i++)
        r->activations[i] = i < activations->count ? activations->items[i] : WEBNN_ACTIVATION_TANH;
    r->weight = r->call->operands[1]->data;
    r->recurrent = r->call->operands[2]->data;
    r->x = recurrent_doubles(r->call, r->call->operands[0]);
    r->bias = optional(r, slots->bias, r->directions * rows);
    r->recurrent_bias = optional(r, slots->recurrent_bias, r->directions * rows);
    r->hidden_state = optional(r, slots->hidden_state, states);
    r->cell_state = optional(r, slots->cell_state, states);
    r->projected = kernel_memory(r->call, r->steps * r->batch * rows, sizeof(double));
    r->recalled = kernel_memory(r->call, r->batch * rows, sizeof(double));
    if (keeps_sequence)
        r->sequence = kernel_memory(r->call, r->steps * states, sizeof(double));
    bool complete = r->x && r->bias && r->recurrent_bias && r->hidden_state && r->cell_state &&
                    r->projected && r->recalled && (r->sequence || !keeps_sequence);
    return complete ? O2W_OK : O2W_NO_MEMORY;
}

void recurrent_store(const struct recurrent *r, uint32_t index, const double *values, int64_t n)
{
    void *to = call_result(r->call, index)->data;
    for (int64_t i = 0; i < n; i++) {
        if (r->dtype == DTYPE_FLOAT32)
            ((float *)to)[i] = (float)values[i];
        else
            ((double *)to)[i] = values[i];
    }
}
