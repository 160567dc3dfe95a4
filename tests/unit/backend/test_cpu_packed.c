/* Products whose matrix the built-in engine reads as it is packed, against the same graph with the scale as an
 * input: there the matrix is dequantised first. */
#include "../webnn/graphs.h"
#include "once.h"

#include <string.h>

/* What the matrix is made of. Dims of 0 are not there. */
struct form {
    enum dtype q, a;
    int64_t whole[3],
        scales[3];     /* q, scale and zero point; [lines, blocks, block] or [lines, line] */
    int64_t joined[3]; /* reshaped to that, and the last dim cut to `cut` */
    int64_t cut;
    int64_t stacked[3];                              /* then reshaped to that */
    bool turned;                                     /* the last two dims exchanged */
    bool gemm, b_transpose, visible, noisy, shifted; /* shifted: by a float zero point */
    int64_t batch;
};

struct scene {
    struct bench bench;
    struct graph *graph;
    struct arena arena;
    struct tensor scale;
    int64_t k, n, stack;
};

static uint32_t rank_of(const int64_t dims[3])
{
    return dims[2] ? 3 : 2;
}

static uint32_t noise(uint32_t *state)
{
    return (*state = *state * 1664525U + 1013904223U) >> 8;
}

/* Elements low, low + 1 … in no order; times a step. */
static struct tensor filled(struct scene *s, enum dtype t, const int64_t *dims, uint32_t rank,
                            double low, uint32_t count, double step, uint32_t seed)
{
    struct tensor out;
    assert_ok(tensor_new(&s->arena, t, dims, rank, &out));
    for (uint64_t i = 0; i < tensor_count(&out); i++)
        tensor_put_double(&out, i, (low + noise(&seed) % count) * step);
    return out;
}

static operand_id constant_of(struct scene *s, const struct tensor *t)
{
    struct descriptor d = { .dtype = t->dtype, .rank = t->rank };
    operand_id id = NO_ID;
    memcpy(d.dims, t->dims, sizeof t->dims);
    assert_ok(
        builder_constant_bytes(&s->bench.builder, &d, t->data, (size_t)tensor_bytes(t), true, &id));
    return id;
}

static operand_id input_like(struct scene *s, const char *name, const struct tensor *t)
{
    struct descriptor d = { .dtype = t->dtype, .rank = t->rank };
    memcpy(d.dims, t->dims, sizeof t->dims);
    return input(&s->bench, name, d);
}

/* (q - shift) · scale with a float for a zero point. */
static operand_id shifted(struct scene *s, const struct form *f, operand_id q, operand_id scale)
{
    const int64_t ones[3] = { 1, 1, 1 };
    uint32_t rank = rank_of(f->whole), results = 1;
    struct tensor one = filled(s, DTYPE_FLOAT32, ones, rank, 1, 1, 1, 1),
                  zero = filled(s, f->q, ones, rank, 0, 1, 1, 1),
                  shift = f->noisy ? filled(s, f->a, f->scales, rank, 1, 1000, 0.0077, 9)
                                   : filled(s, f->a, f->scales, rank, 1, 30, 0.25, 9);
    const operand_id parts[] = { q, constant_of(s, &one), constant_of(s, &zero) };
    operand_id y = NO_ID;
    assert_ok(builder_op(&s->bench.builder, WEBNN_DEQUANTIZE_LINEAR, parts, 3, NULL, SPAN(""), &y,
                         &results));
    y = op(&s->bench, WEBNN_SUB, y, constant_of(s, &shift), NULL);
    return op(&s->bench, WEBNN_MUL, y, scale, NULL);
}

static operand_id dequantized(struct scene *s, const struct form *f, bool packed)
{
    bool nibbles = f->q == DTYPE_INT4 || f->q == DTYPE_UINT4;
    double low = f->q == DTYPE_INT4 ? -8 : f->q == DTYPE_INT8 ? -128 : 0;
    uint32_t rank = rank_of(f->whole), levels = nibbles ? 16 : 256, results = 1;
    struct tensor q = filled(s, f->q, f->whole, rank, low, levels, 1, 7);
    struct tensor zero = filled(s, f->q, f->scales, rank, low, levels, 1, 11);
    s->scale = f->noisy ? filled(s, f->a, f->scales, rank, 1, 1000, 0.00037, 5)
                        : filled(s, f->a, f->scales, rank, 1, 3, 0.25, 5);
    const operand_id parts[] = { constant_of(s, &q),
                                 packed ? constant_of(s, &s->scale)
                                        : input_like(s, "scale", &s->scale),
                                 constant_of(s, &zero) };
    operand_id y = NO_ID;
    if (f->shifted)
        return shifted(s, f, parts[0], parts[1]);
    assert_ok(builder_op(&s->bench.builder, WEBNN_DEQUANTIZE_LINEAR, parts, 3, NULL, SPAN(""), &y,
                         &results));
    return y;
}

static operand_id reshaped(struct scene *s, operand_id x, const int64_t dims[3])
{
    struct webnn_reshape_attributes p = { .new_shape = { true, rank_of(dims), { 0 } } };
    for (uint32_t i = 0; i < rank_of(dims); i++)
        p.new_shape.items[i] = dims[i];
    return dims[0] ? op(&s->bench, WEBNN_RESHAPE, x, NO_ID, &p) : x;
}

static operand_id cut_to(struct scene *s, operand_id x, const int64_t *dims, int64_t size)
{
    const struct webnn_slice_attributes p = { .starts = { true, 2, { 0 } },
                                              .sizes = { true, 2, { dims[0], size } } };
    return size ? op(&s->bench, WEBNN_SLICE, x, NO_ID, &p) : x;
}

static operand_id turned(struct scene *s, operand_id x, uint32_t rank)
{
    struct webnn_transpose_attributes p = { .permutation = { true, rank, { 0 } } };
    p.permutation.items[rank - 1] = rank - 2;
    p.permutation.items[rank - 2] = rank - 1;
    return op(&s->bench, WEBNN_TRANSPOSE, x, NO_ID, &p);
}

/* The matrix, or a stack of them. */
static operand_id matrix(struct scene *s, const struct form *f, bool packed)
{
    const int64_t *dims = f->stacked[0] ? f->stacked : f->joined[0] ? f->joined : f->whole;
    uint32_t rank = rank_of(dims);
    int64_t lines = dims[rank - 2], line = f->cut && !f->stacked[0] ? f->cut : dims[rank - 1];
    operand_id b = reshaped(s, dequantized(s, f, packed), f->joined);
    b = reshaped(s, cut_to(s, b, f->joined, f->cut), f->stacked);
    bool columns = f->turned != f->b_transpose;
    s->k = columns ? line : lines;
    s->n = columns ? lines : line;
    s->stack = rank == 3 ? dims[0] : 0;
    return f->turned ? turned(s, b, rank) : b;
}

static void build(struct scene *s, const struct form *f, int64_t m, bool packed)
{
    bench_open(&s->bench);
    arena_init(&s->arena, NULL);
    operand_id b = matrix(s, f, packed), y = NO_ID;
    struct descriptor left = { .dtype = f->a, .rank = 2, .dims = { m, s->k } };
    if (f->batch)
        left = (struct descriptor){ .dtype = f->a, .rank = 3, .dims = { f->batch, m, s->k } };
    const struct webnn_gemm_attributes g = { .alpha = 0.5,
                                             .beta = 1,
                                             .b_transpose = f->b_transpose };
    operand_id a = input(&s->bench, "a", left);
    y = op(&s->bench, f->gemm ? WEBNN_GEMM : WEBNN_MATMUL, a, b, f->gemm ? &g : NULL);
    output(&s->bench, "y", y);
    if (f->visible)
        output(&s->bench, "b", b);
    s->graph = built(&s->bench);
}

static struct tensor run(struct scene *s, const struct form *f, int64_t m, unsigned threads,
                         size_t *peak)
{
    struct failing_allocator allocator;
    failing_allocator_init(&allocator, SIZE_MAX);
    const o2w_environment environment = { .size = sizeof environment,
                                          .allocator = allocator.allocator };
    const struct backend_settings settings = { .threads = threads, .environment = &environment };
    struct engine *e = NULL;
    struct compiled *c = NULL;
    struct binding inputs[2], outputs[2];
    int64_t stack = s->stack ? s->stack : f->batch;
    const int64_t left[] = { f->batch, m, s->k }, result[] = { stack, m, s->n },
                  right[] = { s->k, s->n };
    uint32_t rank = stack ? 3 : 2;
    const int64_t *dims = f->batch ? left : left + 1;
    uint32_t left_rank = f->batch ? 3 : 2, at = (uint32_t)s->graph->inputs.count - 1;
    inputs[0].tensor = s->scale; /* the scale comes first, if it is an input */
    inputs[at].tensor = f->noisy ? filled(s, f->a, dims, left_rank, -500, 1000, 0.0013, 3)
                                 : filled(s, f->a, dims, left_rank, -2, 5, 0.5, 3);
    assert_ok(tensor_new(&s->arena, f->a, stack ? result : result + 1, rank, &outputs[0].tensor));
    assert_ok(tensor_new(&s->arena, f->a, right, 2, &outputs[1].tensor));
    assert_ok(backends[0]->open(&settings, &s->bench.diags, &e));
    assert_ok(backends[0]->compile(e, s->graph, &s->bench.diags, &c));
    assert_ok(backends[0]->dispatch(c, inputs, outputs, NULL, &s->bench.diags));
    assert_ok(backends[0]->dispatch(c, inputs, outputs, NULL, &s->bench.diags));
    backends[0]->release(c);
    backends[0]->close(e);
    *peak = allocator.peak_bytes;
    return outputs[0].tensor;
}

static void close_scene(struct scene *s)
{
    graph_free(s->graph);
    arena_free(&s->arena);
    bench_close(&s->bench);
}

static void assert_same(const struct tensor *x, const struct tensor *y, int64_t m)
{
    for (uint64_t i = 0; i < tensor_count(x); i++)
        if (tensor_get_double(x, i) != tensor_get_double(y, i))
            fail_msg("%lld rows, element %llu: %.9g, not %.9g", (long long)m, (unsigned long long)i,
                     tensor_get_double(x, i), tensor_get_double(y, i));
}

static void check(const struct form *f)
{
    static const int64_t rows[] = { 1, 3, 5, 40 };
    for (size_t i = f->noisy ? 2 : 0; i < 4; i++) {
        struct scene packed, spelled;
        size_t peak;
        build(&packed, f, rows[i], true);
        build(&spelled, f, rows[i], false);
        struct tensor wanted = run(&spelled, f, rows[i], 1, &peak);
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            struct tensor y = run(&packed, f, rows[i], threads, &peak);
            assert_same(&y, &wanted, rows[i]);
        }
        close_scene(&packed);
        close_scene(&spelled);
    }
}

static void blocks_of_columns(void **state)
{
    static const enum dtype types[] = { DTYPE_UINT4, DTYPE_INT4, DTYPE_UINT8, DTYPE_INT8 };
    for (size_t i = 0; i < 4; i++) {
        const struct form f = { .q = types[i],
                                .a = DTYPE_FLOAT32,
                                .whole = { 70, 3, 32 },
                                .scales = { 70, 3, 1 },
                                .joined = { 70, 96 },
                                .cut = 90,
                                .turned = true };
        check(&f);
        struct form long_lines = { .q = types[i],
                                   .a = DTYPE_FLOAT32,
                                   .whole = { 9, 37, 16 },
                                   .scales = { 9, 37, 1 },
                                   .joined = { 9, 592 },
                                   .turned = true };
        check(&long_lines);
        struct form one_scale = f;
        one_scale.scales[0] = one_scale.scales[1] = 1;
        check(&one_scale);
    }
    (void)state;
}

static void plain_matrices(void **state)
{
    static const int64_t scales[][2] = { { 1, 1 },   { 1, 45 }, { 34, 1 },
                                         { 34, 45 }, { 2, 45 }, { 17, 9 } };
    static const enum dtype types[] = { DTYPE_UINT4, DTYPE_INT8 };
    for (size_t i = 0; i < 12; i++)
        for (int flags = 0; flags < 4; flags++) {
            struct form f = { .q = types[i % 2],
                              .a = DTYPE_FLOAT32,
                              .whole = { 34, 45 },
                              .scales = { scales[i / 2][0], scales[i / 2][1] },
                              .turned = flags & 1,
                              .gemm = flags >> 1,
                              .b_transpose = flags == 3 };
            check(&f);
        }
    struct form wide = {
        .q = DTYPE_INT4, .a = DTYPE_FLOAT32, .whole = { 7, 1100 }, .scales = { 1, 1100 }
    };
    check(&wide);
    (void)state;
}

/* Where sums are rounded: the same weights, the same order. */
static void weights_are_rounded_as_when_spelled_out(void **state)
{
    struct form f = { .q = DTYPE_UINT4,
                      .a = DTYPE_FLOAT32,
                      .whole = { 50, 20, 16 },
                      .scales = { 50, 20, 1 },
                      .joined = { 50, 320 },
                      .cut = 300,
                      .turned = true,
                      .noisy = true };
    check(&f);
    f.a = DTYPE_FLOAT16;
    check(&f);
    struct form rows = { .q = DTYPE_INT8,
                         .a = DTYPE_FLOAT32,
                         .whole = { 300, 70 },
                         .scales = { 1, 70 },
                         .noisy = true };
    check(&rows);
    rows.a = DTYPE_FLOAT16;
    check(&rows);
    (void)state;
}

static void halves(void **state)
{
    struct form f = { .q = DTYPE_UINT8,
                      .a = DTYPE_FLOAT16,
                      .whole = { 5, 2, 16 },
                      .scales = { 5, 2, 1 },
                      .joined = { 5, 32 },
                      .turned = true };
    check(&f);
    (void)state;
}

static void stacks_of_matrices(void **state)
{
    struct form f = { .q = DTYPE_UINT4,
                      .a = DTYPE_FLOAT32,
                      .whole = { 21, 2, 16 },
                      .scales = { 21, 2, 1 },
                      .joined = { 3, 7, 32 },
                      .turned = true };
    check(&f);
    f.batch = 1;
    check(&f);
    f.batch = 3;
    check(&f);
    const struct form cut = { .q = DTYPE_UINT8,
                              .a = DTYPE_FLOAT32,
                              .whole = { 21, 2, 16 },
                              .scales = { 21, 2, 1 },
                              .joined = { 21, 32 },
                              .cut = 29,
                              .stacked = { 3, 7, 29 },
                              .turned = true };
    check(&cut);
    struct form rows = { .q = DTYPE_INT8,
                         .a = DTYPE_FLOAT32,
                         .whole = { 2, 9, 10 },
                         .scales = { 1, 1, 10 },
                         .batch = 2 };
    check(&rows);
    struct form one = {
        .q = DTYPE_INT8, .a = DTYPE_FLOAT32, .whole = { 9, 10 }, .scales = { 1, 10 }, .batch = 4
    };
    check(&one);
    (void)state;
}

static void zero_points_that_are_floats(void **state)
{
    struct form f = { .q = DTYPE_UINT4,
                      .a = DTYPE_FLOAT32,
                      .whole = { 21, 3, 16 },
                      .scales = { 21, 3, 1 },
                      .joined = { 21, 48 },
                      .cut = 45,
                      .turned = true,
                      .shifted = true };
    check(&f);
    f.q = DTYPE_UINT8;
    check(&f);
    f.q = DTYPE_INT8; /* not packed, the same */
    check(&f);
    f.q = DTYPE_UINT4;
    f.noisy = true;
    check(&f);
    (void)state;
}

static void a_matrix_that_others_read_too(void **state)
{
    struct form f = { .q = DTYPE_UINT4,
                      .a = DTYPE_FLOAT32,
                      .whole = { 20, 2, 16 },
                      .scales = { 20, 2, 1 },
                      .joined = { 20, 32 },
                      .turned = true,
                      .visible = true };
    check(&f);
    (void)state;
}

static void the_matrix_is_never_whole(void **state)
{
    const struct form forms[] = {
        { .q = DTYPE_UINT4,
          .a = DTYPE_FLOAT32,
          .whole = { 1024, 32, 32 },
          .scales = { 1024, 32, 1 },
          .joined = { 1024, 1024 },
          .turned = true },
        { .q = DTYPE_UINT8,
          .a = DTYPE_FLOAT16,
          .whole = { 1024, 40, 32 },
          .scales = { 1024, 40, 1 },
          .joined = { 1024, 1280 },
          .cut = 1270,
          .turned = true },
        { .q = DTYPE_INT8, .a = DTYPE_FLOAT32, .whole = { 1024, 1024 }, .scales = { 1, 1024 } },
        { .q = DTYPE_INT8,
          .a = DTYPE_FLOAT32,
          .whole = { 1024, 1024 },
          .scales = { 1, 1 },
          .gemm = true,
          .b_transpose = true },
        { .q = DTYPE_UINT4,
          .a = DTYPE_FLOAT32,
          .whole = { 1024, 32, 32 },
          .scales = { 1024, 32, 1 },
          .joined = { 1024, 1024 },
          .turned = true,
          .shifted = true },
        { .q = DTYPE_INT4,
          .a = DTYPE_FLOAT32,
          .whole = { 2048, 16, 32 },
          .scales = { 2048, 16, 1 },
          .joined = { 8, 256, 512 },
          .turned = true },
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (int64_t m = 1; m < 50; m += 30) {
            struct scene s;
            size_t peak;
            build(&s, &forms[i], m, true);
            run(&s, &forms[i], m, 1, &peak);
            if (peak >= 3 << 20)
                fail_msg("form %zu, %lld rows: %zu bytes", i, (long long)m, peak);
            close_scene(&s);
        }
    (void)state;
}

struct try_out {
    const struct graph *graph;
    struct binding in, out;
};

static o2w_status run_once(const o2w_allocator *allocator, void *user)
{
    struct try_out *t = user;
    return cpu_run_once(allocator, t->graph, &t->in, &t->out);
}

/* Without room for scratch that is kept between calls a dispatch goes on; else it says so. */
static void every_allocation_may_fail(void **state)
{
    const struct form f = { .q = DTYPE_UINT4,
                            .a = DTYPE_FLOAT16,
                            .whole = { 5, 2, 16 },
                            .scales = { 5, 2, 1 },
                            .joined = { 5, 32 },
                            .turned = true };
    struct scene s;
    struct try_out t;
    const int64_t left[] = { 9, 32 }, result[] = { 9, 5 };
    build(&s, &f, 9, true);
    t.graph = s.graph;
    t.in.tensor = filled(&s, DTYPE_FLOAT16, left, 2, -2, 5, 0.5, 3);
    assert_ok(tensor_new(&s.arena, DTYPE_FLOAT16, result, 2, &t.out.tensor));
    for (size_t fail_at = 0, calls = 1; fail_at < calls; fail_at++) {
        struct failing_allocator failing;
        failing_allocator_init(&failing, fail_at);
        o2w_status status = run_once(&failing.allocator, &t);
        assert_true(status == O2W_OK || status == O2W_NO_MEMORY);
        assert_int_equal(failing.live_blocks, 0);
        calls = failing.calls > fail_at ? fail_at + 2 : fail_at;
    }
    close_scene(&s);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_columns),
        cmocka_unit_test(plain_matrices),
        cmocka_unit_test(weights_are_rounded_as_when_spelled_out),
        cmocka_unit_test(halves),
        cmocka_unit_test(stacks_of_matrices),
        cmocka_unit_test(zero_points_that_are_floats),
        cmocka_unit_test(a_matrix_that_others_read_too),
        cmocka_unit_test(the_matrix_is_never_whole),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
