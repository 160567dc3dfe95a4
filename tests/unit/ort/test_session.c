/* Sessions and runs: what the interface says, what comes out, what ends a run. */
#include "runtime.h"

#include "base/file.h"
#include "model_bytes.h"
#include "ort/ort_binding.h"
#include "ort/ort_model.h"
#include "ort/ort_value.h"

#include <pthread.h>
#include <time.h>

/* z = ZipMap(x), s = SequenceConstruct(x, x) over x [n, 2]. */
static void sequence_model(struct bytes *model)
{
    struct bytes graph = { .size = 0 }, zip = { .size = 0 }, pair = { .size = 0 },
                 labels = { .size = 0 };
    const int64_t dims[2] = { 0, 2 };
    put_text(&labels, 1, "classlabels_int64s");
    put_int(&labels, 8, 7);
    put_int(&labels, 8, 9);
    put_int(&labels, 20, 7);
    put_text(&zip, 1, "x");
    put_text(&zip, 2, "z");
    put_text(&zip, 4, "ZipMap");
    put_message(&zip, 5, &labels);
    put_text(&zip, 7, "ai.onnx.ml");
    put_text(&pair, 1, "x");
    put_text(&pair, 1, "x");
    put_text(&pair, 2, "s");
    put_text(&pair, 4, "SequenceConstruct");
    put_message(&graph, 1, &zip);
    put_message(&graph, 1, &pair);
    put_float_port(&graph, 11, "x", dims, 2);
    struct bytes z = { .size = 0 }, s = { .size = 0 };
    put_text(&z, 1, "z");
    put_text(&s, 1, "s");
    put_message(&graph, 12, &z);
    put_message(&graph, 12, &s);
    put_model(model, &graph);
}

/* Outputs without a type take the inferred one. */
static struct ort_session *sequence_session(const struct ort *o, struct diags *d)
{
    struct bytes model = { .size = 0 };
    struct ort_session *s = NULL;
    sequence_model(&model);
    const struct ort_options options = { .threads = 1 };
    assert_runtime_ok(
        ort_session_from_bytes(o, (struct span){ model.data, model.size }, NULL, &options, d, &s),
        d);
    return s;
}

static void ports_tell_kinds_names_and_open_dims(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct diags d;
    diags_init(&d, NULL);
    struct ort_session *s = sequence_session(o, &d);
    const struct ort_port *ports;
    assert_int_equal(ort_session_inputs(s, &ports), 1);
    assert_string_equal(ports[0].name, "x");
    assert_int_equal(ports[0].type.kind, ORT_TENSOR);
    assert_int_equal(ports[0].type.dtype, DTYPE_FLOAT32);
    assert_true(ports[0].type.has_shape);
    assert_int_equal(ports[0].type.rank, 2);
    assert_int_equal(ports[0].type.dims[0], -1);
    assert_string_equal(ports[0].type.symbols[0], "n");
    assert_int_equal(ports[0].type.dims[1], 2);
    assert_int_equal(ort_session_outputs(s, &ports), 2);
    assert_int_equal(ports[0].type.kind, ORT_SEQUENCE);
    assert_int_equal(ports[0].type.item->kind, ORT_MAP);
    assert_int_equal(ports[0].type.item->dtype, DTYPE_INT64);
    assert_int_equal(ports[0].type.item->item->dtype, DTYPE_FLOAT32);
    assert_int_equal(ports[1].type.kind, ORT_SEQUENCE);
    assert_int_equal(ports[1].type.item->kind, ORT_TENSOR);
    assert_int_equal(ort_session_overridables(s, &ports), 0);
    ort_session_free(s);
    diags_free(&d);
}

static void sequences_of_maps_are_read_item_by_item(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct diags d;
    diags_init(&d, NULL);
    struct ort_session *s = sequence_session(o, &d);
    float x[2][2] = { { 0.25f, 0.75f }, { 1, 0 } };
    struct ort_feed feed = { "x", { .rank = 2, .dims = { 2, 2 }, .data = x } };
    ort_value *values[2], *map, *keys, *scores;
    struct tensor t;
    size_t count;
    assert_runtime_ok(ort_session_run(s, &feed, 1, NULL, 2, NULL, &d, values), &d);
    assert_int_equal(ort_value_kind(o, values[0]), ORT_SEQUENCE);
    assert_runtime_ok(ort_value_count(o, values[0], &d, &count), &d);
    assert_int_equal(count, 2);
    assert_runtime_ok(ort_value_item(o, values[0], 0, &d, &map), &d);
    assert_int_equal(ort_value_kind(o, map), ORT_MAP);
    assert_runtime_ok(ort_value_item(o, map, 0, &d, &keys), &d);
    assert_runtime_ok(ort_value_item(o, map, 1, &d, &scores), &d);
    assert_runtime_ok(ort_value_tensor(o, keys, &d, &t), &d);
    assert_int_equal(tensor_get_i64(&t, 0), 7);
    assert_int_equal(tensor_get_i64(&t, 1), 9);
    assert_runtime_ok(ort_value_tensor(o, scores, &d, &t), &d);
    assert_true(tensor_get_double(&t, 1) == 0.75);
    ort_value_free(o, keys);
    ort_value_free(o, scores);
    ort_value_free(o, map);
    assert_status(ort_value_tensor(o, values[1], &d, &t), O2W_BUILD_FAILED);
    ort_value_free(o, values[0]);
    ort_value_free(o, values[1]);
    ort_session_free(s);
    diags_free(&d);
}

static void only_the_outputs_asked_for_are_made(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct diags d;
    diags_init(&d, NULL);
    struct ort_session *s = sequence_session(o, &d);
    float x[2] = { 1, 2 };
    struct ort_feed feed = { "x", { .rank = 2, .dims = { 1, 2 }, .data = x } };
    const char *const names[] = { "s" };
    ort_value *value;
    size_t count;
    assert_runtime_ok(ort_session_run(s, &feed, 1, names, 1, NULL, &d, &value), &d);
    assert_runtime_ok(ort_value_count(o, value, &d, &count), &d);
    assert_int_equal(count, 2);
    ort_value_free(o, value);
    ort_session_free(s);
    diags_free(&d);
}

static void refusals_carry_the_words_of_the_runtime(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct diags d;
    struct ort_session *s = NULL;
    diags_init(&d, NULL);
    const struct ort_options options = { .threads = 1, .load_error = DIAG_REFERENCE_LOAD };
    assert_status(ort_session_from_bytes(o, SPAN("no model"), NULL, &options, &d, &s),
                  O2W_BUILD_FAILED);
    assert_int_equal(d.first->code, DIAG_REFERENCE_LOAD);
    assert_string_equal(d.first->lines->label, "engine");
    assert_true(strlen(d.first->lines->text) > 0);
    assert_null(s);
    assert_status(ort_session_from_file(o, "/no/such/file.onnx", &options, &d, &s),
                  O2W_BUILD_FAILED);
    assert_non_null(strstr(d.newest->message, "'/no/such/file.onnx'"));
    diags_free(&d);
}

static void wrong_feeds_fail_with_the_code_asked_for(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct bytes model = { .size = 0 };
    struct diags d;
    struct ort_session *s;
    diags_init(&d, NULL);
    sequence_model(&model);
    const struct ort_options options = { .threads = 1, .run_error = DIAG_REFERENCE_RUN };
    assert_runtime_ok(
        ort_session_from_bytes(o, (struct span){ model.data, model.size }, NULL, &options, &d, &s),
        &d);
    float x[3] = { 1, 2, 3 };
    struct ort_feed feed = { "x", { .rank = 2, .dims = { 1, 3 }, .data = x } };
    ort_value *values[2];
    assert_status(ort_session_run(s, &feed, 1, NULL, 2, NULL, &d, values), O2W_BUILD_FAILED);
    assert_int_equal(d.newest->code, DIAG_REFERENCE_RUN);
    assert_status(ort_session_run(s, &feed, 1, NULL, 1, NULL, &d, values), O2W_INVALID_ARGUMENT);
    ort_session_free(s);
    diags_free(&d);
}

enum { WIDE = 768, CHAIN = 400 };

/* A chain of products that takes seconds on one thread. */
static struct ort_session *slow_session(const struct ort *o, struct diags *d, float *weight,
                                        const struct ort_options *options)
{
    const struct sink_opset opset = { "", 21 };
    const int64_t dims[2] = { WIDE, WIDE };
    struct ort_model *m;
    struct ort_session *s = NULL;
    char names[2][16];
    assert_runtime_ok(ort_model_create(o, &opset, 1, NULL, d, &m), d);
    assert_runtime_ok(ort_model_input(m, "v0", DTYPE_FLOAT32, dims, 2, NULL, d), d);
    struct tensor w = { .rank = 2, .dims = { WIDE, WIDE }, .data = weight };
    assert_runtime_ok(ort_model_constant(m, "w", &w, false, d), d);
    for (int i = 0; i < CHAIN; i++) {
        snprintf(names[0], sizeof names[0], "v%d", i);
        snprintf(names[1], sizeof names[1], "v%d", i + 1);
        const char *const inputs[2] = { names[0], "w" }, *const output = names[1];
        const struct sink_node node = { .op = "MatMul",
                                        .domain = "",
                                        .name = "",
                                        .inputs = inputs,
                                        .input_count = 2,
                                        .outputs = &output,
                                        .output_count = 1 };
        assert_runtime_ok(ort_model_node(m, &node, d), d);
    }
    assert_runtime_ok(ort_model_output(m, names[1], DTYPE_FLOAT32, dims, 2, NULL, d), d);
    o2w_status status = ort_session_from_model(o, m, options, d, &s);
    ort_model_free(m);
    assert_true(status == O2W_OK || status == O2W_CANCELLED);
    return s;
}

static _Atomic bool stop;

static void *stop_soon(void *unused)
{
    nanosleep(&(struct timespec){ .tv_nsec = 60 * 1000 * 1000 }, NULL);
    stop = true;
    return unused;
}

static void a_run_ends_soon_after_it_is_cancelled(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    static float weight[WIDE * WIDE], x[WIDE * WIDE];
    struct diags d;
    ort_value *value = NULL;
    pthread_t thread;
    diags_init(&d, NULL);
    struct ort_session *s = slow_session(o, &d, weight, &(struct ort_options){ .threads = 1 });
    struct ort_feed feed = { "v0", { .rank = 2, .dims = { WIDE, WIDE }, .data = x } };
    stop = false;
    const struct ort_cancel by_flag = { .flag = &stop };
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
    uint64_t begun = system_clock_ns();
    assert_status(ort_session_run(s, &feed, 1, NULL, 1, &by_flag, &d, &value), O2W_CANCELLED);
    assert_true(system_clock_ns() - begun < 1500u * 1000 * 1000);
    pthread_join(thread, NULL);
    assert_int_equal(d.newest->code, DIAG_INTERRUPTED);
    /* the flag still stands: nothing begins */
    assert_status(ort_session_run(s, &feed, 1, NULL, 1, &by_flag, &d, &value), O2W_CANCELLED);
    const struct ort_cancel by_time = { .deadline_ns = system_clock_ns() + 50 * 1000 * 1000 };
    begun = system_clock_ns();
    assert_status(ort_session_run(s, &feed, 1, NULL, 1, &by_time, &d, &value), O2W_CANCELLED);
    assert_true(system_clock_ns() - begun < 1500u * 1000 * 1000);
    assert_null(value);
    ort_session_free(s);
    diags_free(&d);
}

static void loading_is_cancelled_before_it_begins(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    static float weight[WIDE * WIDE];
    struct diags d;
    diags_init(&d, NULL);
    stop = true;
    const struct ort_options options = { .threads = 1, .cancel = { .flag = &stop } };
    assert_null(slow_session(o, &d, weight, &options));
    assert_int_equal(d.newest->code, DIAG_INTERRUPTED);
    diags_free(&d);
}

/* y = x + x over an open dim. */
static struct ort_session *doubling_session(const struct ort *o, struct diags *d)
{
    const struct sink_opset opset = { "", 21 };
    const int64_t dims[1] = { -1 };
    const char *const symbols[1] = { "n" }, *const inputs[2] = { "x", "x" }, *const output = "y";
    const struct sink_node node = { .op = "Add",
                                    .domain = "",
                                    .name = "",
                                    .inputs = inputs,
                                    .input_count = 2,
                                    .outputs = &output,
                                    .output_count = 1 };
    struct ort_model *m;
    struct ort_session *s = NULL;
    assert_runtime_ok(ort_model_create(o, &opset, 1, NULL, d, &m), d);
    assert_runtime_ok(ort_model_input(m, "x", DTYPE_INT32, dims, 1, symbols, d), d);
    assert_runtime_ok(ort_model_node(m, &node, d), d);
    assert_runtime_ok(ort_model_output(m, "y", DTYPE_INT32, dims, 1, NULL, d), d);
    assert_runtime_ok(
        ort_session_from_model(
            o, m, &(struct ort_options){ .threads = 1, .record_placement = true }, d, &s),
        d);
    ort_model_free(m);
    return s;
}

static void bound_memory_is_read_and_written_in_place(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct diags d;
    struct ort_binding *b;
    diags_init(&d, NULL);
    struct ort_session *s = doubling_session(o, &d);
    int32_t x[3] = { 1, -2, INT32_MAX }, y[3] = { 0 };
    assert_runtime_ok(ort_binding_create(s, &d, &b), &d);
    for (int64_t n = 3; n >= 0; n--) { /* every size is bound anew, an empty one too */
        struct tensor in = { .dtype = DTYPE_INT32, .rank = 1, .dims = { n }, .data = x };
        struct tensor out = {
            .dtype = DTYPE_INT32, .rank = 1, .dims = { n }, .data = n ? y : NULL
        };
        memset(y, 0, sizeof y);
        x[0] = (int32_t)n;
        assert_runtime_ok(ort_binding_input(b, 0, &in, &d), &d);
        assert_runtime_ok(ort_binding_output(b, 0, &out, &d), &d);
        assert_runtime_ok(ort_binding_run(b, NULL, &d), &d);
        assert_int_equal(y[0], 2 * n);
        assert_int_equal(y[2], n == 3 ? -2 : 0);
    }
    uint64_t on, all;
    assert_true(ort_session_placement(s, "CPUExecutionProvider", &on, &all));
    assert_int_equal(on, all);
    assert_true(ort_session_placement(s, "OtherExecutionProvider", &on, &all));
    assert_int_equal(on, 0);
    ort_binding_free(b);
    ort_session_free(s);
    diags_free(&d);
}

static void a_bound_output_of_another_size_is_an_error(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct diags d;
    struct ort_binding *b;
    diags_init(&d, NULL);
    struct ort_session *s = doubling_session(o, &d);
    int32_t x[3] = { 1, 2, 3 }, y[3] = { 0 };
    struct tensor in = { .dtype = DTYPE_INT32, .rank = 1, .dims = { 3 }, .data = x };
    struct tensor out = { .dtype = DTYPE_INT32, .rank = 1, .dims = { 2 }, .data = y };
    assert_runtime_ok(ort_binding_create(s, &d, &b), &d);
    assert_runtime_ok(ort_binding_input(b, 0, &in, &d), &d);
    assert_runtime_ok(ort_binding_output(b, 0, &out, &d), &d);
    assert_status(ort_binding_run(b, NULL, &d), O2W_BUILD_FAILED);
    assert_int_equal(d.newest->code, DIAG_DISPATCH_FAILED);
    ort_binding_free(b);
    ort_session_free(s);
    diags_free(&d);
}

static void a_provider_that_is_not_there_is_unavailable(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    struct bytes model = { .size = 0 };
    struct diags d;
    struct ort_session *s = NULL;
    diags_init(&d, NULL);
    sequence_model(&model);
    const struct ort_options options = { .threads = 1, .provider = "NoSuchExecutionProvider" };
    assert_status(
        ort_session_from_bytes(o, (struct span){ model.data, model.size }, NULL, &options, &d, &s),
        O2W_UNAVAILABLE);
    assert_null(s);
    diags_free(&d);
}

static o2w_status session_with(const o2w_allocator *allocator, void *user)
{
    const struct ort *o = user;
    struct bytes model = { .size = 0 };
    struct ort_session *s = NULL;
    struct ort_binding *b = NULL;
    sequence_model(&model);
    const struct ort_options options = { .allocator = allocator, .threads = 1 };
    TRY(ort_session_from_bytes(o, (struct span){ model.data, model.size }, NULL, &options, NULL,
                               &s));
    o2w_status status = ort_binding_create(s, NULL, &b);
    ort_binding_free(b);
    ort_session_free(s);
    return status;
}

static void memory_that_runs_out_leaves_nothing_behind(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    assert_true(sweep_allocations(session_with, (void *)(uintptr_t)o) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_tell_kinds_names_and_open_dims),
        cmocka_unit_test(sequences_of_maps_are_read_item_by_item),
        cmocka_unit_test(only_the_outputs_asked_for_are_made),
        cmocka_unit_test(refusals_carry_the_words_of_the_runtime),
        cmocka_unit_test(wrong_feeds_fail_with_the_code_asked_for),
        cmocka_unit_test(a_run_ends_soon_after_it_is_cancelled),
        cmocka_unit_test(loading_is_cancelled_before_it_begins),
        cmocka_unit_test(bound_memory_is_read_and_written_in_place),
        cmocka_unit_test(a_bound_output_of_another_size_is_an_error),
        cmocka_unit_test(a_provider_that_is_not_there_is_unavailable),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
