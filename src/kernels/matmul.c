/* matmul and gemm: float32 packed and blocked, other dtypes by plain loops. */
#include "kernels/matvec.h"
#include "kernels/move.h"
#include "kernels/types.h"

#include <string.h>

enum { PLAIN_GRAIN = 1 << 15 };

/* Products of one shape over stacks of matrices. Strides and offsets count elements. */
struct product {
    int64_t m, n, k, batch;
    const void *a, *b;
    const struct packed_matrix *packed; /* in place of b, or NULL */
    void *c;                            /* dense */
    int64_t a_row, a_column, b_row, b_column;
    const int64_t *a_offsets, *b_offsets; /* per product; of packed ones the first line */
    bool shared_a;                        /* all offsets of a are 0 */
    bool load;                            /* c starts with what is in it */
};

static void product_pack_a(const void *user, int64_t batch, int64_t row, int64_t rows,
                           int64_t first, int64_t count, int mr, float *to)
{
    const struct product *p = user;
    struct matrix a = { (const float *)p->a + p->a_offsets[batch], p->a_row, p->a_column };
    matrix_pack_a(&a, row, rows, first, count, mr, to);
}

static void product_pack_b(const void *user, int64_t batch, int64_t first, int64_t count,
                           int64_t column, int64_t columns, int nr, float *to)
{
    const struct product *p = user;
    struct matrix b = { (const float *)p->b + p->b_offsets[batch], p->b_row, p->b_column };
    matrix_pack_b(&b, first, count, column, columns, nr, to);
}

static bool product_place_b(const void *user, int64_t batch, struct matrix *b)
{
    const struct product *p = user;
    *b = (struct matrix){ (const float *)p->b + p->b_offsets[batch], p->b_row, p->b_column };
    return p->b_column == 1;
}

static void product_pack_packed(const void *user, int64_t batch, int64_t first, int64_t count,
                                int64_t column, int64_t columns, int nr, float *to)
{
    const struct product *p = user;
    packed_pack_b(p->packed, p->b_offsets[batch], first, count, column, columns, nr, to);
}

static o2w_status product_rows(const struct kernel_call *call, const struct product *p)
{
    struct matvec v = { .m = p->m,
                        .n = p->n,
                        .k = p->k,
                        .batch = p->batch,
                        .a = { p->a, p->a_row, p->a_column },
                        .b = { p->b, p->b_row, p->b_column },
                        .packed = p->packed,
                        .a_offsets = p->a_offsets,
                        .b_offsets = p->b_offsets,
                        .c = p->c,
                        .load = p->load };
    return matvec_run(call, &v);
}

/* The product of the transposed: its result is dense too when it has one row. */
static struct product transposed(const struct product *p)
{
    struct product t = *p;
    t.m = p->n, t.n = p->m;
    t.a = p->b, t.a_row = p->b_column, t.a_column = p->b_row, t.a_offsets = p->b_offsets;
    t.b = p->a, t.b_row = p->a_column, t.b_column = p->a_row, t.b_offsets = p->a_offsets;
    t.shared_a = false;
    return t;
}

static o2w_status product_float32(const struct kernel_call *call, const struct product *p)
{
    if (p->n == 1 && p->m > 1 && !p->packed) {
        struct product t = transposed(p);
        return product_float32(call, &t);
    }
    if (p->m <= MATVEC_ROWS && (p->packed || p->b_row == 1 || p->b_column == 1))
        return product_rows(call, p);
    struct gemm g = { .m = p->m,
                      .n = p->n,
                      .k = p->k,
                      .batch = p->batch,
                      .pack_a = product_pack_a,
                      .pack_b = p->packed ? product_pack_packed : product_pack_b,
                      .place_b = p->packed ? NULL : product_place_b,
                      .user = p,
                      .shared_a = p->shared_a,
                      .c = p->c,
                      .row = p->n,
                      .step = p->m * p->n,
                      .start = p->load ? GEMM_LOAD : GEMM_ZERO };
    return gemm_run(call, &g);
}

/* Rows of the result, each as a sum of lines of B. */
#define PLAIN_LOOP(op, ID, name, type, wide)                                                  \
    static void product_##name(void *user, int64_t begin, int64_t end)                        \
    {                                                                                         \
        const struct product *w = user;                                                       \
        for (int64_t row = begin; row < end; row++) {                                         \
            int64_t batch = row / w->m;                                                       \
            const type *a = (const type *)w->a + w->a_offsets[batch] + row % w->m * w->a_row; \
            const type *b = (const type *)w->b + w->b_offsets[batch];                         \
            type *c = (type *)w->c + row * w->n;                                              \
            for (int64_t j = 0; j < w->n && !w->load; j++)                                    \
                c[j] = 0;                                                                     \
            for (int64_t p = 0; p < w->k; p++) {                                              \
                const wide factor = (wide)a[p * w->a_column];                                 \
                const type *line = b + p * w->b_row;                                          \
                for (int64_t j = 0; j < w->n; j++)                                            \
                    c[j] = (type)((wide)c[j] + factor * (wide)line[j * w->b_column]);         \
            }                                                                                 \
        }                                                                                     \
    }
#define PLAIN_TYPES(X, op)                    \
    X(op, INT32, int32, int32_t, uint32_t)    \
    X(op, UINT32, uint32, uint32_t, uint32_t) \
    X(op, INT64, int64, int64_t, uint64_t)    \
    X(op, UINT64, uint64, uint64_t, uint64_t) \
    X(op, FLOAT64, float64, double, double)
PLAIN_TYPES(PLAIN_LOOP, product)

static o2w_status product_run(const struct kernel_call *call, struct product *p, enum dtype t)
{
    typedef void (*plain_loop)(void *user, int64_t begin, int64_t end);
    static const plain_loop loops[DTYPE_COUNT] = { PLAIN_TYPES(LOOP_ENTRY, product) };
    if (t == DTYPE_FLOAT32)
        return product_float32(call, p);
    if (!loops[t])
        return O2W_UNSUPPORTED;
    kernel_ranges(call, p->batch * p->m, max_i64(1, PLAIN_GRAIN / max_i64(1, p->n * p->k)),
                  loops[t], p);
    return O2W_OK;
}

struct offsets {
    int64_t *a, *b;
    int64_t size_a, size_b, next;
    int64_t step_a, step_b;
};

static void offsets_body(void *user, const int64_t offsets[NEST_VIEWS], int64_t count)
{
    struct offsets *o = user;
    for (int64_t i = 0; i < count; i++, o->next++) {
        o->a[o->next] = (offsets[0] + i * o->step_a) * o->size_a;
        o->b[o->next] = (offsets[1] + i * o->step_b) * o->size_b;
    }
}

/* The tensor without its last two dims. */
static struct tensor stack_of(const struct tensor *t)
{
    struct tensor stack = *t;
    stack.rank = t->rank - 2;
    return stack;
}

/* Where the matrices of the broadcast stacks begin. */
static o2w_status product_batches(const struct kernel_call *call, struct product *p)
{
    struct tensor a = stack_of(call->operands[0]), b = stack_of(call->operands[1]);
    struct tensor y = stack_of(call_result(call, 0));
    struct nest n;
    nest_begin(&n, y.dims, y.rank);
    nest_broadcast(&n, &a);
    nest_broadcast(&n, &b);
    nest_collapse(&n);
    p->batch = nest_count(&n);
    struct offsets o = { kernel_memory(call, p->batch, sizeof *o.a),
                         kernel_memory(call, p->batch, sizeof *o.b),
                         p->m * p->k,
                         !p->packed           ? p->k * p->n
                         : p->packed->columns ? p->n
                                              : p->k,
                         0,
                         n.strides[0][n.rank - 1],
                         n.strides[1][n.rank - 1] };
    if (!o.a || !o.b)
        return O2W_NO_MEMORY;
    nest_walk(&n, 0, p->batch, offsets_body, &o);
    p->a_offsets = o.a;
    p->b_offsets = o.b;
    p->shared_a = count_of(&a) == 1;
    return O2W_OK;
}

o2w_status kernel_matmul(const struct kernel_call *call)
{
    const struct tensor *a = call->operands[0], *b = call->operands[1];
    struct product p = { .m = a->dims[a->rank - 2],
                         .n = b->dims[b->rank - 1],
                         .k = a->dims[a->rank - 1],
                         .a = a->data,
                         .b = b->data,
                         .packed = call->packed,
                         .c = call_result(call, 0)->data,
                         .a_column = 1,
                         .b_column = 1 };
    p.a_row = p.k;
    p.b_row = p.n;
    TRY(product_batches(call, &p));
    struct tensor stack = stack_of(b);
    if (count_of(&stack) == 1) { /* one matrix for all: the stack of a is one tall matrix */
        p.m *= p.batch;
        p.batch = 1;
        p.shared_a = true;
    }
    return product_run(call, &p, a->dtype);
}

/* y = alpha · y + beta · c, or beta · c alone. */
struct gemm_end {
    struct nest nest; /* y, c */
    void *y;
    const void *c;
    double alpha, beta;
    bool start;
};

#define GEMM_END(type)                                                                        \
    static void gemm_end_##type(void *user, const int64_t offsets[NEST_VIEWS], int64_t count) \
    {                                                                                         \
        const struct gemm_end *w = user;                                                      \
        type *y = (type *)w->y + offsets[0];                                                  \
        const type *c = (const type *)w->c + offsets[1];                                      \
        int64_t step = w->nest.strides[1][w->nest.rank - 1];                                  \
        const type alpha = (type)w->alpha, beta = (type)w->beta;                              \
        for (int64_t i = 0; i < count; i++)                                                   \
            y[i] = w->start ? beta * c[i * step] : alpha * y[i] + beta * c[i * step];         \
    }
GEMM_END(float)
GEMM_END(double)

static void end_float32(void *user, int64_t begin, int64_t end)
{
    struct gemm_end *w = user;
    nest_walk(&w->nest, begin, end, gemm_end_float, w);
}

static void end_float64(void *user, int64_t begin, int64_t end)
{
    struct gemm_end *w = user;
    nest_walk(&w->nest, begin, end, gemm_end_double, w);
}

/* Joins y with c, which broadcasts to it; `start`: y has nothing yet. */
static void gemm_join(const struct kernel_call *call, bool start, const struct tensor *c,
                      double beta)
{
    const struct webnn_gemm_attributes *g = call->attributes;
    struct tensor *y = call_result(call, 0);
    struct gemm_end w = {
        .y = y->data, .c = c->data, .alpha = g->alpha, .beta = beta, .start = start
    };
    nest_begin(&w.nest, y->dims, y->rank);
    nest_broadcast(&w.nest, y);
    nest_broadcast(&w.nest, c);
    nest_collapse(&w.nest);
    kernel_ranges(call, count_of(y), PLAIN_GRAIN,
                  y->dtype == DTYPE_FLOAT32 ? end_float32 : end_float64, &w);
}

static struct product gemm_product(const struct kernel_call *call)
{
    static const int64_t none = 0;
    const struct webnn_gemm_attributes *g = call->attributes;
    const struct tensor *a = call->operands[0], *b = call->operands[1];
    struct product p = { .m = a->dims[g->a_transpose ? 1 : 0],
                         .k = a->dims[g->a_transpose ? 0 : 1],
                         .n = b->dims[g->b_transpose ? 0 : 1],
                         .batch = 1,
                         .a = a->data,
                         .b = b->data,
                         .packed = call->packed,
                         .c = call_result(call, 0)->data,
                         .a_offsets = &none,
                         .b_offsets = &none,
                         .shared_a = true };
    p.a_row = g->a_transpose ? 1 : p.k;
    p.a_column = g->a_transpose ? p.m : 1;
    p.b_row = g->b_transpose ? 1 : p.n;
    p.b_column = g->b_transpose ? p.k : 1;
    return p;
}

o2w_status kernel_gemm(const struct kernel_call *call)
{
    const struct webnn_gemm_attributes *g = call->attributes;
    const struct tensor *c = g->beta != 0 ? call_operand(call, 2) : NULL;
    enum dtype t = call->operands[0]->dtype;
    double nothing = 0; /* 0 of either float type */
    struct tensor zero = { .dtype = t, .rank = 0, .data = &nothing };
    struct product p = gemm_product(call);
    p.load = c && g->alpha == 1;
    if (p.load)
        gemm_join(call, true, c, g->beta);
    TRY(product_run(call, &p, t));
    if (!p.load && (c || g->alpha != 1))
        gemm_join(call, false, c ? c : &zero, c ? g->beta : 0);
    return O2W_OK;
}
