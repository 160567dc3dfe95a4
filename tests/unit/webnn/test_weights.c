/* Weights: where bytes come from, what is done to them in blocks, which are equal. */
#include "support/test.h"
#include "webnn/builder.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed;

static uint32_t draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

/* Random stored bytes for a count of elements. */
static uint8_t *random_bytes(enum dtype t, uint64_t count, size_t *size)
{
    uint64_t bytes = 0;
    assert_true(dtype_bytes(t, count, &bytes));
    uint8_t *data = malloc((size_t)bytes + 1);
    assert_non_null(data);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)draw();
    *size = (size_t)bytes;
    return data;
}

struct sink {
    uint8_t *data;
    size_t size, capacity, calls;
};

static o2w_status collect(void *user, const void *data, size_t size)
{
    struct sink *s = user;
    assert_true(s->size + size <= s->capacity);
    assert_true(size <= 64 * 1024);
    memcpy(s->data + s->size, data, size);
    s->size += size;
    s->calls++;
    return O2W_OK;
}

static void expect_stream(const struct weight *w, const void *wanted)
{
    struct sink s = { .capacity = (size_t)weight_bytes(w) };
    s.data = malloc(s.capacity + 1);
    assert_non_null(s.data);
    assert_ok(weight_stream(w, collect, &s, NULL));
    assert_int_equal(s.size, s.capacity);
    if (s.size)
        assert_memory_equal(s.data, wanted, s.size);
    free(s.data);
}

/* ---- transforms ---- */

static void conversion_in_blocks_equals_conversion_at_once(void **state)
{
    static const enum dtype pairs[][2] = {
        { DTYPE_FLOAT64, DTYPE_FLOAT32 },
        { DTYPE_BFLOAT16, DTYPE_FLOAT32 },
        { DTYPE_FLOAT16, DTYPE_FLOAT32 },
        { DTYPE_FLOAT32, DTYPE_FLOAT16 },
        { DTYPE_BOOL, DTYPE_UINT8 },
        { DTYPE_INT16, DTYPE_INT32 },
        { DTYPE_UINT16, DTYPE_INT32 },
        { DTYPE_INT2, DTYPE_INT8 },
        { DTYPE_UINT2, DTYPE_UINT8 },
        { DTYPE_INT4, DTYPE_INT8 },
        { DTYPE_UINT4, DTYPE_UINT8 },
        { DTYPE_FLOAT8E4M3FN, DTYPE_FLOAT32 },
        { DTYPE_FLOAT8E4M3FNUZ, DTYPE_FLOAT32 },
        { DTYPE_FLOAT8E5M2, DTYPE_FLOAT32 },
        { DTYPE_FLOAT8E5M2FNUZ, DTYPE_FLOAT32 },
        { DTYPE_FLOAT8E8M0, DTYPE_FLOAT32 },
        { DTYPE_FLOAT4E2M1, DTYPE_FLOAT32 },
        { DTYPE_INT8, DTYPE_INT4 },
        { DTYPE_INT64, DTYPE_INT32 },
        { DTYPE_UINT64, DTYPE_FLOAT16 },
    };
    static const uint64_t counts[] = { 0, 1, 7, 64, 4095, 4096, 4097, 70001 };
    seed = 1;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            size_t size, final;
            uint8_t *stored = random_bytes(pairs[p][0], counts[c], &size),
                    *wanted = random_bytes(pairs[p][1], counts[c], &final);
            struct tensor from = {
                .dtype = pairs[p][0], .rank = 1, .dims = { (int64_t)counts[c] }, .data = stored
            };
            struct tensor to = {
                .dtype = pairs[p][1], .rank = 1, .dims = { (int64_t)counts[c] }, .data = wanted
            };
            memset(wanted, 0, final);
            assert_ok(tensor_convert(&from, &to));
            struct weight w = { .source = WEIGHT_BYTES,
                                .transform = WEIGHT_CONVERT,
                                .dtype = pairs[p][1],
                                .from = pairs[p][0],
                                .count = counts[c],
                                .bytes = stored };
            expect_stream(&w, wanted);
            free(stored);
            free(wanted);
        }
    (void)state;
}

static void bool_becomes_0_or_1(void **state)
{
    const uint8_t stored[] = { 0, 1, 2, 255, 128 }, wanted[] = { 0, 1, 1, 1, 1 };
    struct weight w = { .source = WEIGHT_BYTES,
                        .transform = WEIGHT_CONVERT,
                        .dtype = DTYPE_UINT8,
                        .from = DTYPE_BOOL,
                        .count = 5,
                        .bytes = stored };
    expect_stream(&w, wanted);
    (void)state;
}

static void xor_flips_every_byte_and_clears_the_spare_nibble(void **state)
{
    const uint8_t stored[] = { 0x21, 0xf3, 0x07 }, wanted[] = { 0xa9, 0x7b, 0x0f };
    struct weight w = { .source = WEIGHT_BYTES,
                        .transform = WEIGHT_XOR,
                        .dtype = DTYPE_INT4,
                        .from = DTYPE_UINT4,
                        .flip = 0x88,
                        .count = 5,
                        .bytes = stored };
    expect_stream(&w, wanted);
    (void)state;
}

static void an_odd_number_of_nibbles_ends_in_a_zero_nibble(void **state)
{
    const uint8_t stored[] = { 0x21, 0xf3 }, wanted[] = { 0x21, 0x03 };
    struct weight w = { .source = WEIGHT_BYTES,
                        .dtype = DTYPE_UINT4,
                        .from = DTYPE_UINT4,
                        .count = 3,
                        .bytes = stored };
    expect_stream(&w, wanted);
    assert_false(weight_is_file_range(&w));
    (void)state;
}

static void splats_repeat_their_element(void **state)
{
    static uint8_t wanted[80000];
    const uint8_t element[] = { 0x12, 0x34, 0x56, 0x78 };
    for (size_t i = 0; i < sizeof wanted; i++)
        wanted[i] = element[i % 4];
    struct weight w = { .source = WEIGHT_SPLAT,
                        .dtype = DTYPE_INT32,
                        .from = DTYPE_INT32,
                        .count = 20000,
                        .bytes = element };
    expect_stream(&w, wanted);
    const uint8_t nibble[] = { 0x0d };
    memset(wanted, 0xdd, 10);
    wanted[10] = 0x0d;
    w = (struct weight){ .source = WEIGHT_SPLAT,
                         .dtype = DTYPE_INT4,
                         .from = DTYPE_INT4,
                         .count = 21,
                         .bytes = nibble };
    expect_stream(&w, wanted);
    memset(wanted, 0, sizeof wanted);
    w = (struct weight){
        .source = WEIGHT_ZEROS, .dtype = DTYPE_FLOAT32, .from = DTYPE_FLOAT32, .count = 20000
    };
    expect_stream(&w, wanted);
    (void)state;
}

static o2w_status refuse(void *user, const void *data, size_t size)
{
    (void)data;
    (void)size;
    ++*(int *)user;
    return O2W_CANCELLED;
}

static void a_refusing_sink_ends_the_stream(void **state)
{
    int calls = 0;
    struct weight w = {
        .source = WEIGHT_ZEROS, .dtype = DTYPE_INT8, .from = DTYPE_INT8, .count = 1000000
    };
    assert_status(weight_stream(&w, refuse, &calls, NULL), O2W_CANCELLED);
    assert_int_equal(calls, 1);
    (void)state;
}

/* ---- files ---- */

struct bench {
    struct temp_folder folder;
    struct file *file;
    struct builder builder;
    struct limits limits;
    uint8_t *data;
    size_t size;
};

static void bench_open(struct bench *b, size_t size)
{
    temp_folder_create(&b->folder);
    seed = 3;
    b->data = random_bytes(DTYPE_UINT8, size, &b->size);
    const char *path = temp_write(&b->folder, "w.bin", b->data, size);
    assert_ok(file_open(path, NULL, NULL, &b->file));
    limits_own(&b->limits);
    assert_ok(builder_init(&b->builder, &b->limits, NULL, NULL));
}

static void bench_close(struct bench *b)
{
    builder_free(&b->builder);
    assert_int_equal(b->file->references, 1);
    file_release(b->file);
    temp_folder_remove(&b->folder);
    free(b->data);
}

static struct weight file_weight(const struct bench *b, enum dtype t, uint64_t offset,
                                 uint64_t count)
{
    struct weight w = { .source = WEIGHT_FILE,
                        .dtype = t,
                        .from = t,
                        .count = count,
                        .file = b->file,
                        .offset = offset };
    assert_true(dtype_bytes(t, count, &w.length));
    return w;
}

static operand_id add(struct bench *b, const struct weight *w)
{
    struct descriptor d = { .dtype = w->dtype, .rank = 1, .dims = { (dim)w->count } };
    operand_id id = NO_ID;
    assert_ok(builder_constant(&b->builder, &d, w, SPAN(""), &id));
    return id;
}

static void file_weights_stream_their_range(void **state)
{
    struct bench b;
    bench_open(&b, 200000);
    struct weight w = file_weight(&b, DTYPE_FLOAT32, 1001, 40000);
    assert_true(weight_is_file_range(&w));
    expect_stream(&w, b.data + 1001);
    bench_close(&b);
    (void)state;
}

static void aligned_file_weights_are_the_mapping_itself(void **state)
{
    struct bench b;
    struct arena a;
    struct tensor t;
    struct span all;
    bench_open(&b, 4096);
    arena_init(&a, NULL);
    struct weight aligned = file_weight(&b, DTYPE_FLOAT32, 1024, 10),
                  odd = file_weight(&b, DTYPE_FLOAT32, 1025, 10);
    operand_id first = add(&b, &aligned), second = add(&b, &odd);
    assert_ok(file_bytes(b.file, NULL, &all));
    assert_ok(graph_constant(b.builder.graph, first, &a, NULL, &t));
    assert_ptr_equal(t.data, all.data + 1024);
    assert_int_equal(t.rank, 1);
    assert_int_equal(t.dims[0], 10);
    assert_ok(graph_constant(b.builder.graph, second, &a, NULL, &t));
    assert_true((const uint8_t *)t.data < all.data ||
                (const uint8_t *)t.data >= all.data + all.size);
    assert_int_equal((uintptr_t)t.data % 4, 0);
    assert_memory_equal(t.data, b.data + 1025, 40);
    arena_free(&a);
    bench_close(&b);
    (void)state;
}

static void a_file_that_changed_is_an_error(void **state)
{
    struct bench b;
    struct arena a;
    struct tensor t;
    struct diags d;
    bench_open(&b, 4096);
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    struct weight w = file_weight(&b, DTYPE_FLOAT32, 1024, 100);
    operand_id id = add(&b, &w);
    temp_write(&b.folder, "w.bin", b.data, 100);
    assert_status(graph_constant(b.builder.graph, id, &a, &d, &t), O2W_IO);
    assert_int_equal(d.newest->code, DIAG_FILE_CHANGED);
    struct sink s = { .data = b.data, .capacity = 400 };
    assert_status(weight_stream(&w, collect, &s, &d), O2W_IO);
    diags_free(&d);
    arena_free(&a);
    bench_close(&b);
    (void)state;
}

static void weights_that_do_not_fit_are_refused(void **state)
{
    struct bench b;
    bench_open(&b, 4096);
    struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 1, .dims = { 10 } };
    operand_id id;
    struct weight w = file_weight(&b, DTYPE_FLOAT32, 4060, 10);
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    w.offset = UINT64_MAX - 3;
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    w = file_weight(&b, DTYPE_FLOAT32, 0, 10);
    w.length = 41;
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    w = file_weight(&b, DTYPE_FLOAT32, 0, 11);
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    w = file_weight(&b, DTYPE_FLOAT16, 0, 10);
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    w.dtype = DTYPE_FLOAT32; /* a copy of another type */
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    w.transform = WEIGHT_XOR;
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    w.transform = WEIGHT_CONVERT;
    assert_ok(builder_constant(&b.builder, &d, &w, SPAN("w"), &id));
    w = (struct weight){
        .source = WEIGHT_BYTES, .dtype = DTYPE_FLOAT32, .from = DTYPE_FLOAT32, .count = 10
    };
    assert_status(builder_constant(&b.builder, &d, &w, SPAN("w"), &id), O2W_INVALID_ARGUMENT);
    assert_int_equal(b.builder.graph->weights.count, 1);
    bench_close(&b);
    (void)state;
}

/* ---- equality ---- */

static void expect_same(const struct weight *a, const struct weight *b, bool wanted)
{
    uint64_t of_a, of_b;
    bool same = !wanted;
    assert_ok(weight_sample(a, NULL, &of_a));
    assert_ok(weight_sample(b, NULL, &of_b));
    assert_ok(weight_same(a, b, NULL, &same));
    assert_int_equal(same, wanted);
    if (wanted)
        assert_true(of_a == of_b);
}

/* The same float32 values as a file range, as memory, as double to be converted. */
static void equal_content_is_equal_whatever_its_source(void **state)
{
    static const uint64_t counts[] = { 1, 10, 1023, 1024, 1040, 3000, 20000 };
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct bench b;
        uint64_t count = counts[c];
        bench_open(&b, count * 4 + 3);
        float *values = malloc(count * sizeof *values);
        double *wide = malloc(count * sizeof *wide);
        assert_true(values && wide);
        for (size_t i = 0; i < count; i++)
            wide[i] = values[i] = (float)(draw() % 1000) / 8;
        const char *path = temp_write(&b.folder, "v.bin", values, count * 4);
        struct file *file;
        assert_ok(file_open(path, NULL, NULL, &file));
        struct weight in_file = file_weight(&b, DTYPE_FLOAT32, 0, count);
        in_file.file = file;
        struct weight in_memory = { .source = WEIGHT_BYTES,
                                    .dtype = DTYPE_FLOAT32,
                                    .from = DTYPE_FLOAT32,
                                    .count = count,
                                    .bytes = (const uint8_t *)values };
        struct weight converted = { .source = WEIGHT_BYTES,
                                    .transform = WEIGHT_CONVERT,
                                    .dtype = DTYPE_FLOAT32,
                                    .from = DTYPE_FLOAT64,
                                    .count = count,
                                    .bytes = (const uint8_t *)wide };
        struct weight as_bits = in_memory;
        as_bits.dtype = as_bits.from = DTYPE_INT32;
        expect_same(&in_file, &in_file, true);
        expect_same(&in_file, &in_memory, true);
        expect_same(&converted, &in_memory, true);
        expect_same(&in_file, &converted, true);
        expect_same(&in_memory, &as_bits, false);
        for (size_t i = 0; i < 20; i++) {
            size_t at = draw() % count;
            wide[at] += 1;
            expect_same(&converted, &in_file, false);
            wide[at] -= 1;
        }
        file_release(file);
        free(values);
        free(wide);
        bench_close(&b);
    }
    (void)state;
}

static void splats_equal_their_bytes(void **state)
{
    static uint8_t bytes[6001];
    const uint8_t element[] = { 7 }, nibbles[] = { 0x77, 0xa7 };
    memset(bytes, 7, sizeof bytes);
    struct weight splat = { .source = WEIGHT_SPLAT,
                            .dtype = DTYPE_UINT8,
                            .from = DTYPE_UINT8,
                            .count = 6001,
                            .bytes = element };
    struct weight dense = { .source = WEIGHT_BYTES,
                            .dtype = DTYPE_UINT8,
                            .from = DTYPE_UINT8,
                            .count = 6001,
                            .bytes = bytes };
    expect_same(&splat, &dense, true);
    splat = (struct weight){ .source = WEIGHT_SPLAT,
                             .dtype = DTYPE_UINT4,
                             .from = DTYPE_UINT4,
                             .count = 3,
                             .bytes = element };
    dense = (struct weight){ .source = WEIGHT_BYTES,
                             .dtype = DTYPE_UINT4,
                             .from = DTYPE_UINT4,
                             .count = 3,
                             .bytes = nibbles };
    expect_same(&splat, &dense, true);
    memset(bytes, 0, sizeof bytes);
    splat = (struct weight){
        .source = WEIGHT_ZEROS, .dtype = DTYPE_UINT8, .from = DTYPE_UINT8, .count = 6001
    };
    dense = (struct weight){ .source = WEIGHT_BYTES,
                             .dtype = DTYPE_UINT8,
                             .from = DTYPE_UINT8,
                             .count = 6001,
                             .bytes = bytes };
    expect_same(&splat, &dense, true);
    (void)state;
}

static void one_file_opened_twice_is_one_file(void **state)
{
    struct bench b;
    struct file *again;
    bench_open(&b, 100000);
    assert_ok(file_open(temp_path(&b.folder, "w.bin"), NULL, NULL, &again));
    struct weight a = file_weight(&b, DTYPE_FLOAT32, 400, 20000), other = a;
    other.file = again;
    assert_int_equal(graph_operand(b.builder.graph, add(&b, &a))->source,
                     graph_operand(b.builder.graph, add(&b, &other))->source);
    other.offset = 404;
    assert_int_not_equal(graph_operand(b.builder.graph, add(&b, &a))->source,
                         graph_operand(b.builder.graph, add(&b, &other))->source);
    builder_free(&b.builder);
    file_release(again);
    assert_ok(builder_init(&b.builder, &b.limits, NULL, NULL));
    bench_close(&b);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversion_in_blocks_equals_conversion_at_once),
        cmocka_unit_test(bool_becomes_0_or_1),
        cmocka_unit_test(xor_flips_every_byte_and_clears_the_spare_nibble),
        cmocka_unit_test(an_odd_number_of_nibbles_ends_in_a_zero_nibble),
        cmocka_unit_test(splats_repeat_their_element),
        cmocka_unit_test(a_refusing_sink_ends_the_stream),
        cmocka_unit_test(file_weights_stream_their_range),
        cmocka_unit_test(aligned_file_weights_are_the_mapping_itself),
        cmocka_unit_test(a_file_that_changed_is_an_error),
        cmocka_unit_test(weights_that_do_not_fit_are_refused),
        cmocka_unit_test(equal_content_is_equal_whatever_its_source),
        cmocka_unit_test(splats_equal_their_bytes),
        cmocka_unit_test(one_file_opened_twice_is_one_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
