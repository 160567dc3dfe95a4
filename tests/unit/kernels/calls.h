/* Kernel calls on small tensors written out as numbers. Every call runs alone and on three threads:
 * the bits must be the same. */
#ifndef UNIT_KERNELS_CALLS_H
#define UNIT_KERNELS_CALLS_H

#include "kernels/kernel.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 8 };

/* A test's memory: everything made here lives until kit_close. */
struct kit {
    struct arena arena;
    struct pool *pool;
    uint64_t seed;
};

static inline void kit_open(struct kit *k)
{
    arena_init(&k->arena, NULL);
    k->seed = 12345;
    assert_ok(pool_create(3, NULL, &k->pool));
}

static inline void kit_close(struct kit *k)
{
    pool_free(k->pool);
    arena_free(&k->arena);
}

struct shape {
    uint32_t rank;
    int64_t dims[MAX_RANK];
};

#define DIMS(...) \
    ((struct shape){ sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), { __VA_ARGS__ } })
#define SCALAR ((struct shape){ 0, { 0 } })

static inline struct tensor blank(struct kit *k, enum dtype t, struct shape s)
{
    struct tensor out;
    assert_ok(tensor_new(&k->arena, t, s.dims, s.rank, &out));
    return out;
}

static inline struct tensor filled(struct kit *k, enum dtype t, struct shape s,
                                   const double *values, size_t count)
{
    struct tensor out = blank(k, t, s);
    assert_int_equal(tensor_count(&out), count);
    for (size_t i = 0; i < count; i++)
        tensor_put_double(&out, i, values[i]);
    return out;
}

/* A tensor of these numbers. */
#define TENSOR(k, t, shape, ...)                               \
    filled((k), (t), (shape), (const double[]){ __VA_ARGS__ }, \
           sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))
#define FLOATS(k, shape, ...) TENSOR(k, DTYPE_FLOAT32, shape, __VA_ARGS__)

/* The same numbers in every run, between low and high. */
static inline double next_number(struct kit *k, double low, double high)
{
    k->seed = k->seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(k->seed >> 11) / 9007199254740992.0;
}

static inline struct tensor noise(struct kit *k, enum dtype t, struct shape s, double low,
                                  double high)
{
    struct tensor out = blank(k, t, s);
    for (uint64_t i = 0; i < tensor_count(&out); i++)
        tensor_put_double(&out, i, next_number(k, low, high));
    return out;
}

struct call {
    enum webnn_operator kind;
    const void *attributes;
    uint32_t operand_count;
    const struct tensor *operands[LIST_MAX];
    uint32_t result_count;
    struct tensor results[LIST_MAX];
};

static inline o2w_status run_with(struct call *c, struct pool *pool, const o2w_allocator *allocator)
{
    struct arena scratch;
    arena_init(&scratch, allocator);
    struct kernel_call call = { .kind = c->kind,
                                .operands = c->operands,
                                .operand_count = c->operand_count,
                                .attributes = c->attributes,
                                .results = c->results,
                                .result_count = c->result_count,
                                .pool = pool,
                                .scratch = &scratch,
                                .allocator = allocator };
    o2w_status status = kernel_run(&call);
    arena_free(&scratch);
    return status;
}

static inline void run(struct kit *k, struct call *c)
{
    void *alone[LIST_MAX];
    assert_ok(run_with(c, NULL, NULL));
    for (uint32_t i = 0; i < c->result_count; i++) {
        size_t size = tensor_bytes(&c->results[i]);
        alone[i] = arena_alloc(&k->arena, size, 1);
        memcpy(alone[i], c->results[i].data, size);
        memset(c->results[i].data, 0xa5, size);
    }
    assert_ok(run_with(c, k->pool, NULL));
    for (uint32_t i = 0; i < c->result_count; i++)
        assert_memory_equal(alone[i], c->results[i].data, tensor_bytes(&c->results[i]));
}

/* One result of this dtype and shape. */
static inline struct tensor result_of(struct kit *k, enum webnn_operator kind,
                                      const void *attributes, enum dtype t, struct shape s,
                                      const struct tensor *a, const struct tensor *b,
                                      const struct tensor *third)
{
    struct call c = { kind, attributes,        third ? 3 : b ? 2 : 1, { a, b, third },
                      1,    { blank(k, t, s) } };
    run(k, &c);
    return c.results[0];
}

static inline struct shape shape_of(const struct tensor *t)
{
    struct shape s = { t->rank, { 0 } };
    memcpy(s.dims, t->dims, t->rank * sizeof *t->dims);
    return s;
}

static inline struct tensor unary(struct kit *k, enum webnn_operator kind, const void *attributes,
                                  struct tensor x)
{
    return result_of(k, kind, attributes, x.dtype, shape_of(&x), &x, NULL, NULL);
}

static inline struct tensor binary(struct kit *k, enum webnn_operator kind, struct tensor a,
                                   struct tensor b)
{
    struct shape s;
    assert_true(broadcast_static(a.dims, a.rank, b.dims, b.rank, s.dims, &s.rank));
    return result_of(k, kind, NULL, a.dtype, s, &a, &b, NULL);
}

/* Equal as numbers, NaN as NaN, and zeros with their sign. */
static inline bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static inline void check_values(struct tensor got, const double *want, size_t count,
                                const char *file, int line)
{
    if (tensor_count(&got) != count)
        _fail(file, line);
    for (size_t i = 0; i < count; i++) {
        double value = tensor_get_double(&got, i);
        if (same_number(value, want[i]))
            continue;
        print_error("element %zu is %.17g, must be %.17g\n", i, value, want[i]);
        _fail(file, line);
    }
}

#define assert_values(t, ...)                          \
    check_values((t), (const double[]){ __VA_ARGS__ }, \
                 sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), __FILE__, __LINE__)

/* Units in the last place of float32 between a result and the exact value. */
static inline double float_units(double got, double exact)
{
    if (isnan(got) && isnan(exact))
        return 0;
    if (isinf(exact) || fabs(exact) > 3.4028234663852886e38)
        return got == (exact > 0 ? INFINITY : -INFINITY) || fabs(got) > 3.40282e38 ? 0 : INFINITY;
    int exponent;
    frexp(exact, &exponent);
    double unit = ldexp(1, exponent - 24 < -149 ? -149 : exponent - 24);
    return fabs(got - exact) / unit;
}

/* |got - want| <= allowed · max(1, |want|). */
static inline void check_near(double got, double want, double allowed, size_t at, const char *file,
                              int line)
{
    double bound = allowed * (fabs(want) > 1 ? fabs(want) : 1);
    if (fabs(got - want) <= bound || same_number(got, want))
        return;
    print_error("element %zu is %.9g, must be %.9g\n", at, got, want);
    _fail(file, line);
}

#define assert_near(got, want, allowed, at) check_near(got, want, allowed, at, __FILE__, __LINE__)

#endif
