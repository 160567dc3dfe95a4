#include "kernels/recurrent.h"

#include <math.h>
#include <string.h>

#include "kernels/matvec.h"
#include "kernels/vector.h"

enum { LANES = 8, GRAIN = 1 << 16, SINGLE_FROM = 1 << 12, SETS_OF_GEMM = 32, STEPS_TO_TURN = 4 };

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
    const float *lines;         /* the weights the other way round, `line` apart, or NULL */
    int64_t line;
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

static void weights_pack(const void *user, int64_t batch, int64_t first, int64_t count,
                         int64_t column, int64_t columns, int nr, float *to)
{
    const struct products *p = user;
    (void)batch;
    matrix_pack_b(&(struct matrix){ p->weights, 1, p->length }, first, count, column, columns, nr,
                  to);
}

struct single {
    struct products products; /* first: packing gets this */
    struct matrix from;
};

static void states_pack(const void *user, int64_t batch, int64_t row, int64_t rows, int64_t first,
                        int64_t count, int mr, float *to)
{
    const struct single *s = user;
    (void)batch;
    matrix_pack_a(&s->from, row, rows, first, count, mr, to);
}

/* c[sets][rows] as matmul has it. */
static o2w_status single_product(const struct kernel_call *call, const struct single *s,
                                 int64_t rows, float *c)
{
    const struct products *p = &s->products;
    const int64_t none = 0;
    const struct gemm g = { .m = p->sets,
                            .n = rows,
                            .k = p->length,
                            .batch = 1,
                            .pack_a = states_pack,
                            .pack_b = weights_pack,
                            .user = s,
                            .c = c,
                            .row = rows,
                            .step = p->sets * rows };
    if (p->sets >= SETS_OF_GEMM)
        return gemm_run(call, &g);
    for (int64_t set = 0; set < p->sets; set += MATVEC_ROWS) {
        struct matvec v = { .m = min_i64(MATVEC_ROWS, p->sets - set),
                            .n = rows,
                            .k = p->length,
                            .batch = 1,
                            .a = { s->from.data + set * p->length, p->length, 1 },
                            .b = { p->lines, p->line, 1 },
                            .a_offsets = &none,
                            .b_offsets = &none,
                            .c = c + set * rows };
        TRY(matvec_run(call, &v));
    }
    return O2W_OK;
}

/* Many products of float32 weights are float32 products; not those of a few steps, which would have to be packed or
 * turned for them. False: there is no memory for them. */
static bool multiply_single(const struct recurrent *r, const struct products *p, int64_t rows)
{
    const struct single s = { *p, { r->single, p->length, 1 } };
    float *c = r->single + p->sets * p->length;
    for (int64_t i = 0; i < p->sets * p->length; i++)
        r->single[i] = (float)p->from[i];
    if (single_product(r->call, &s, rows, c) != O2W_OK)
        return false;
    for (int64_t set = 0; set < p->sets; set++)
        for (int64_t row = 0; row < rows; row++)
            p->to[set * p->step + row] = (double)c[set * rows + row];
    return true;
}

static void multiply(const struct recurrent *r, struct products *p, int64_t rows)
{
    p->dtype = r->dtype;
    bool fast = p->lines || p->sets >= SETS_OF_GEMM;
    if (fast && r->single && p->length * rows >= SINGLE_FROM && multiply_single(r, p, rows))
        return;
    kernel_ranges(r->call, rows, max_i64(1, GRAIN / max_i64(1, p->length * p->sets)), product_rows,
                  p);
}

static const void *rows_at(const struct recurrent *r, const void *weights, int64_t row,
                           int64_t length)
{
    size_t size = r->dtype == DTYPE_FLOAT32 ? sizeof(float) : sizeof(double);
    return (const uint8_t *)weights + (size_t)(row * length) * size;
}

/* Lines lie a little more than their length apart: neighbours do not fall into the same cache set. */
static int64_t turned_line(const struct recurrent *r)
{
    return r->gates * r->hidden + 16;
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
                          .step = r->gates * r->hidden,
                          .lines = r->turned ? r->turned + first : NULL,
                          .line = turned_line(r) };
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

/* to[hidden][line], rows of each: products with few states read lines that are dense along the rows. */
static void turn(const float *from, int64_t rows, int64_t hidden, int64_t line, float *to)
{
    enum { TILE = 16 };
    for (int64_t first = 0; first < hidden; first += TILE)
        for (int64_t row = 0; row < rows; row++)
            for (int64_t i = first; i < min_i64(hidden, first + TILE); i++)
                to[i * line + row] = from[row * hidden + i];
}

static void run_direction(struct recurrent *r, int64_t direction, recurrent_step step)
{
    int64_t states = r->batch * r->hidden, rows = r->gates * r->hidden;
    bool backward = r->reversed_only || direction == 1;
    project(r, direction);
    if (r->turned)
        turn(rows_at(r, r->recurrent, direction * rows, r->hidden), rows, r->hidden, turned_line(r),
             r->turned);
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
    if (r->dtype == DTYPE_FLOAT32)
        r->single = kernel_memory(
            r->call,
            max_i64(r->steps * r->batch * (r->input + rows), r->batch * (r->hidden + rows)),
            sizeof(float));
    if (r->single && r->steps >= STEPS_TO_TURN && rows * r->hidden >= SINGLE_FROM)
        r->turned = kernel_memory(r->call, turned_line(r) * r->hidden, sizeof(float));
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
