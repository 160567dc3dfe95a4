/* The conversion record: written, read back, and compared with the model. */
#include "convert/record.h"
#include "models.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct room {
    struct arena arena;
    struct diags diags;
    struct temp_folder folder;
    char model[128], graph[128];
};

static int set_up(void **state)
{
    static struct room r;
    arena_init(&r.arena, NULL);
    diags_init(&r.diags, NULL);
    temp_folder_create(&r.folder);
    strcpy(r.model, add_file(&r.folder, "m.onnx", "2 seq"));
    strcpy(r.graph, temp_path(&r.folder, "g.webnn"));
    *state = &r;
    return 0;
}

static int tear_down(void **state)
{
    struct room *r = *state;
    arena_free(&r->arena);
    diags_free(&r->diags);
    temp_folder_remove(&r->folder);
    return 0;
}

static void convert(struct room *r)
{
    o2w_conversion *c = NULL;
    o2w_dim three = { "seq", 3 };
    o2w_convert_options o = {
        .size = sizeof o, .dims = &three, .dim_count = 1, .output = r->graph, .record = true
    };
    assert_ok(o2w_convert_file(r->model, &o, &c, NULL));
    assert_string_equal(o2w_conversion_path(c, O2W_WRITTEN_RECORD),
                        temp_path(&r->folder, "g.o2w.json"));
    o2w_conversion_free(c);
}

static void what_was_written_is_read(void **state)
{
    struct room *r = *state;
    struct record record;
    bool found;
    convert(r);
    assert_ok(record_read(r->graph, &r->arena, &r->diags, &record, &found));
    assert_true(found);
    assert_int_equal(r->diags.count, 0);
    assert_span(record.source.path, "m.onnx");
    assert_true(record.source.bytes > 50 && record.source.mtime_ns > 0);
    assert_int_equal(record.source.sample.size, 64);
    assert_int_equal(record.external_count, 0);
    assert_int_equal(record.dim_count, 1);
    assert_span(record.dims[0].name, "seq");
    assert_int_equal(record.dims[0].value, 3);
    assert_int_equal(record.pin_count, 0);
    assert_false(record.constant_folding || record.dynamic_inputs);
    assert_int_equal(record.zero_filled_count, 0);
    assert_int_equal(record.graph_sha256.size, 64);
    assert_span(record.weights_file, "g.safetensors");
    assert_int_equal(record.entries.size, 64);
}

static void without_one_nothing_is_found(void **state)
{
    struct room *r = *state;
    struct record record;
    bool found = true;
    assert_ok(record_read(r->graph, &r->arena, &r->diags, &record, &found));
    assert_false(found);
    assert_int_equal(r->diags.count, 0);
}

static void unreadable_ones_are_warnings(void **state)
{
    static const char *const texts[] = {
        "{",
        "[]",
        "{\"schema\":\"onnx2webnn.record\",\"version\":2}",
        "{\"dims\":{\"n\":5}}",
        "{\"pins\":{\"n\":\"x\"}}",
        "{\"source\":{\"external\":[1]}}",
        "{\"version\":1} trailing",
        "{\"version\":1,\"version\":1}",
    };
    struct room *r = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct record record;
        bool found = true;
        temp_write(&r->folder, "g.o2w.json", texts[i], strlen(texts[i]));
        assert_ok(record_read(r->graph, &r->arena, &r->diags, &record, &found));
        assert_false(found);
        assert_int_equal(r->diags.count, i + 1);
        assert_int_equal(r->diags.newest->severity, O2W_SEVERITY_WARNING);
        assert_int_equal(r->diags.newest->code, DIAG_CACHE_RECORD);
    }
}

static void unknown_members_are_passed_over(void **state)
{
    static const char text[] =
        "{\"version\":1,\"later\":{\"a\":[1,{}]},\"dims\":{\"n\":{\"value\":4,\"from\":\"cli\",\"x\":1}},"
        "\"pins\":{\"p\":-3},\"options\":{\"zeroFilled\":[\"w\"],\"other\":1},\"prunedInputs\":[\"a\",\"b\"]}";
    struct room *r = *state;
    struct record record;
    bool found;
    temp_write(&r->folder, "g.o2w.json", text, sizeof text - 1);
    assert_ok(record_read(r->graph, &r->arena, &r->diags, &record, &found));
    assert_true(found);
    assert_int_equal(record.dims[0].value, 4);
    assert_int_equal(record.pins[0].value, -3);
    assert_span(record.zero_filled[0], "w");
    assert_int_equal(record.pruned_count, 2);
    assert_span(record.pruned[1], "b");
}

static void set_time(const char *path, time_t seconds)
{
    struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool fresh(struct room *r)
{
    struct record record;
    bool found, yes = false;
    assert_ok(record_read(r->graph, &r->arena, &r->diags, &record, &found));
    assert_true(found);
    assert_ok(record_is_fresh(&record, r->model, &r->diags, &yes));
    return yes;
}

static void equal_size_and_time_are_fresh(void **state)
{
    convert(*state);
    assert_true(fresh(*state));
}

static void another_time_with_equal_content_is_fresh(void **state)
{
    struct room *r = *state;
    convert(r);
    set_time(r->model, 12345);
    assert_true(fresh(r));
}

static void other_content_is_stale(void **state)
{
    struct room *r = *state;
    struct model_builder b;
    convert(r);
    struct span bytes = add_model(&b, "2 other");
    temp_write(&r->folder, "m.onnx", bytes.data, bytes.size);
    mb_free(&b);
    set_time(r->model, 12345);
    assert_false(fresh(r));
}

static void one_changed_byte_is_stale(void **state)
{
    struct room *r = *state;
    struct span text;
    convert(r);
    assert_ok(file_read_all(r->model, 1 << 20, &r->arena, &r->diags, &text));
    uint8_t *copy = arena_alloc(&r->arena, text.size, 1);
    memcpy(copy, text.data, text.size);
    copy[text.size / 2] ^= 1;
    temp_write(&r->folder, "m.onnx", copy, text.size);
    set_time(r->model, 12345);
    assert_false(fresh(r));
}

static void a_model_that_is_gone_is_stale(void **state)
{
    struct room *r = *state;
    convert(r);
    assert_int_equal(remove(r->model), 0);
    assert_false(fresh(r));
}

static void samples_see_the_ends_and_the_middle(void **state)
{
    enum { SIZE = 4 << 20 };
    struct room *r = *state;
    uint8_t *bytes = arena_alloc(&r->arena, SIZE, 1);
    char first[65], other[65];
    const size_t changes[] = { 0, 65535, SIZE / 64 * 31 + 100, SIZE - 1 };
    struct file *f;
    assert_ok(file_from_bytes((struct span){ bytes, SIZE }, "x", NULL, &f));
    assert_ok(record_sample(f, &r->diags, first));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bytes[changes[i]] = 1;
        assert_ok(record_sample(f, &r->diags, other));
        assert_string_not_equal(first, other);
        bytes[changes[i]] = 0;
    }
    assert_ok(record_sample(f, &r->diags, other));
    assert_string_equal(first, other);
    file_release(f);
}

static void samples_of_small_files_differ_by_size(void **state)
{
    struct room *r = *state;
    char texts[3][65];
    static const uint8_t zeros[2] = { 0 };
    for (size_t i = 0; i < 3; i++) {
        struct file *f;
        assert_ok(file_from_bytes((struct span){ zeros, i }, "x", NULL, &f));
        assert_ok(record_sample(f, &r->diags, texts[i]));
        file_release(f);
    }
    assert_string_not_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[1], texts[2]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_written_is_read),
        TEST(without_one_nothing_is_found),
        TEST(unreadable_ones_are_warnings),
        TEST(unknown_members_are_passed_over),
        TEST(equal_size_and_time_are_fresh),
        TEST(another_time_with_equal_content_is_fresh),
        TEST(other_content_is_stale),
        TEST(one_changed_byte_is_stale),
        TEST(a_model_that_is_gone_is_stale),
        TEST(samples_see_the_ends_and_the_middle),
        TEST(samples_of_small_files_differ_by_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
