/* T44 to T68: pointers, names, limits, instances. */
#include "wasi/instance.h" /* before cmocka, whose macros have names of its functions */

#include "wasi/guest.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { F32 = 1 };
static const float four[4] = { 1, 2, 3, 4 };
static const float five[4] = { 2, 3, 4, 5 };

/* Addresses where `size` bytes do not fit. */
static void bad_addresses(uint32_t size, uint32_t out[3])
{
    out[0] = GUEST_MEMORY - size + 1;
    out[1] = GUEST_MEMORY;
    out[2] = 0xffffffff;
}

static void t44_every_pointer_of_every_function(void **state)
{
    struct guest g;
    uint32_t graph = 0, bad[3];
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    struct span m = model_add();
    uint32_t builder[2] = { guest_put(&g, m.data, m.size), (uint32_t)m.size };
    uint32_t records = guest_put(&g, builder, 8), out = guest_word(&g, 0);
    E(&g, guest_load(&g, m, ENC_ONNX, &graph), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
    uint32_t c = guest_read(&g, out), t = guest_tensor(&g, F32, UDIMS(1, 4), four, 16);
    E(&g, CALL(&g, WASINN_SET_INPUT, c, 0, t), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    for (int i = 0; i < 3; i++) {
        bad_addresses(8, bad);
        E(&g, CALL(&g, WASINN_LOAD, bad[i], 1, 1, 0, out), WASINN_INVALID_ARGUMENT);
        bad_addresses(4, bad);
        E(&g, CALL(&g, WASINN_LOAD, records, 1, 1, 0, bad[i]), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_LOAD_BY_NAME, out, 1, bad[i]), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, bad[i]), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, out, 0, bad[i]), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_COUNT, graph, 0, bad[i]), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_LAST_ERROR, out, 0, bad[i]), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_DESCRIBE, graph, 0, 0, out, 0, bad[i]), WASINN_INVALID_ARGUMENT);
        bad_addresses(16, bad);
        E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, bad[i], 16, out), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_LOAD_BY_NAME, bad[i], 16, out), WASINN_INVALID_ARGUMENT);
        bad_addresses(20, bad);
        E(&g, CALL(&g, WASINN_SET_INPUT, c, 0, bad[i]), WASINN_INVALID_ARGUMENT);
    }
    E(&g, CALL(&g, WASINN_LOAD, records, 1, 1, 0, GUEST_MEMORY - 4), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, 0), WASINN_SUCCESS); /* 0 is an address */
    E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, GUEST_MEMORY - 16, 16, out), WASINN_SUCCESS);
    guest_end(&g);
}

static uint32_t load_records(struct guest *g, uint32_t at, uint32_t size, uint32_t count)
{
    const uint32_t builder[4] = { at, size, at, size };
    return CALL(g, WASINN_LOAD, guest_put(g, builder, sizeof builder), count, 1, 0,
                guest_word(g, 0));
}

static void t45_t46_builders(void **state)
{
    struct guest g;
    (void)state;
    guest_begin(&g);
    struct span m = model_add();
    uint32_t at = guest_put(&g, m.data, m.size), size = (uint32_t)m.size;
    E(&g, load_records(&g, at, size, 0), WASINN_INVALID_ARGUMENT);
    E(&g, load_records(&g, at, size, 2), WASINN_INVALID_ARGUMENT);
    E(&g, load_records(&g, at, size, 0x20000001), WASINN_INVALID_ARGUMENT);
    E(&g, load_records(&g, at, 0xffffffff, 1), WASINN_INVALID_ARGUMENT);
    E(&g, load_records(&g, at, 0, 1), WASINN_INVALID_ARGUMENT);
    E(&g, load_records(&g, GUEST_MEMORY - 4, 5, 1), WASINN_INVALID_ARGUMENT);
    E(&g, load_records(&g, at, size, 1), WASINN_SUCCESS);
    guest_end(&g);
}

static uint32_t set_record(struct guest *g, uint32_t c, const uint32_t r[5])
{
    return CALL(g, WASINN_SET_INPUT, c, 0, guest_put(g, r, 20));
}

static void t47_t48_t49_t50_records_of_tensors(void **state)
{
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    const uint32_t dims[4] = { 1, 4, 0x10000, 0xffffffff };
    uint32_t d = guest_put(&g, dims, 16), data = guest_put(&g, four, 16),
             bad = WASINN_INVALID_ARGUMENT;
    E(&g, set_record(&g, c, (uint32_t[]){ GUEST_MEMORY - 4, 2, 1, data, 16 }), bad);
    E(&g, set_record(&g, c, (uint32_t[]){ d, 0x40000001, 1, data, 16 }), bad);
    const uint32_t wide[4] = { 0x10000, 0x10000, 0x10000, 0x10000 };
    uint32_t w = guest_put(&g, wide, 16);
    E(&g, set_record(&g, c, (uint32_t[]){ w, 2, 1, data, 16 }), bad);
    E(&g, set_record(&g, c, (uint32_t[]){ w, 4, 1, data, 0 }), bad);
    E(&g, set_record(&g, c, (uint32_t[]){ d, 2, 1, data, 15 }), bad);
    E(&g, set_record(&g, c, (uint32_t[]){ d, 2, 1, data, 17 }), bad);
    E(&g, set_record(&g, c, (uint32_t[]){ d, 2, 1, GUEST_MEMORY - 15, 16 }), bad);
    memcpy(g.memory + GUEST_MEMORY - 16, four, 16);
    E(&g, set_record(&g, c, (uint32_t[]){ d, 2, 1, GUEST_MEMORY - 16, 16 }), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, five);
    guest_end(&g);
}

static void t51_nothing_is_loaded_for_a_bad_place(void **state)
{
    struct guest g;
    wasinn_stats s = { .size = sizeof s };
    (void)state;
    guest_begin(&g);
    struct span m = model_add();
    uint32_t builder[2] = { guest_put(&g, m.data, m.size), (uint32_t)m.size };
    uint32_t records = guest_put(&g, builder, 8);
    E(&g, CALL(&g, WASINN_LOAD, records, 1, 1, 0, GUEST_MEMORY - 3), WASINN_INVALID_ARGUMENT);
    wasinn_instance_stats(g.instance, &s);
    assert_int_equal(s.graphs, 0);
    assert_int_equal(wasinn_host_loaded(g.host), 0);
    guest_end(&g);
}

static const char graph_text[] = "webnn_graph \"two\" v2 {\n"
                                 "  inputs { x: f32[2]; }\n"
                                 "  consts { w: f32[2] @weights(\"w\"); }\n"
                                 "  nodes { y = add(x, w); }\n"
                                 "  outputs { y; }\n"
                                 "}\n";

static uint32_t load_two(struct guest *g, const char *key)
{
    char header[128];
    uint8_t archive[256];
    const float w[2] = { 10, 20 };
    int n = snprintf(header, sizeof header,
                     "{\"%s\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", key);
    while (n % 8)
        header[n++] = ' ';
    uint64_t length = (uint64_t)n;
    memcpy(archive, &length, 8);
    memcpy(archive + 8, header, (size_t)n);
    memcpy(archive + 8 + n, w, 8);
    const uint32_t builders[4] = { guest_put(g, graph_text, strlen(graph_text)),
                                   (uint32_t)strlen(graph_text),
                                   guest_put(g, archive, (size_t)n + 16), (uint32_t)n + 16 };
    return CALL(g, WASINN_LOAD, guest_put(g, builders, 16), 2, ENC_AUTO, 0, guest_word(g, 0));
}

static void t53_graph_and_weights_in_two_builders(void **state)
{
    static const float x[2] = { 1, 2 }, y[2] = { 11, 22 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    if (!backend_is_webnn()) {
        E(&g, load_two(&g, "w"), WASINN_UNSUPPORTED_OPERATION);
        guest_end(&g);
        return;
    }
    E(&g, load_two(&g, "other"), WASINN_INVALID_ENCODING);
    E(&g, load_two(&g, "w"), WASINN_SUCCESS);
    uint32_t out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, 1, out), WASINN_SUCCESS);
    uint32_t c = guest_read(&g, out);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2), x, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, y);
    guest_end(&g);
}

static void t54_t55_indices_and_ranks(void **state)
{
    struct guest g;
    uint8_t bytes[16];
    uint32_t size, ones[17], t;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    t = guest_tensor(&g, F32, UDIMS(1, 4), four, 16);
    E(&g, CALL(&g, WASINN_SET_INPUT, c, 1, t), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_SET_INPUT, c, 0xffffffff, t), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_SET_INPUT, c, 0, t), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    E(&g, guest_get(&g, c, 1, bytes, 16, &size), WASINN_INVALID_ARGUMENT);
    E(&g, guest_get(&g, c, 0xffffffff, bytes, 16, &size), WASINN_INVALID_ARGUMENT);
    for (int i = 0; i < 17; i++)
        ones[i] = 1;
    E(&g, guest_set(&g, c, 0, F32, ones, 17, four, 4), WASINN_INVALID_ARGUMENT);
    guest_end(&g);
}

static void t56_names(void **state)
{
    static char longest[257];
    const struct guest_graph graphs[] = { { .name = "add", .model = model_add() } };
    static const struct {
        const char *name;
        uint32_t size, error;
    } cases[] = {
        { "add", 3, WASINN_SUCCESS },
        { "ad", 2, WASINN_NOT_FOUND },
        { "", 0, WASINN_NOT_FOUND },
        { longest, 257, WASINN_NOT_FOUND },
        { "add\0x", 5, WASINN_NOT_FOUND },
        { "\xff\xfe", 2, WASINN_NOT_FOUND },
        { "../x", 4, WASINN_NOT_FOUND },
        { "/etc/passwd", 11, WASINN_NOT_FOUND },
        { "./add.onnx", 10, WASINN_NOT_FOUND },
    };
    struct guest g;
    (void)state;
    memset(longest, 'a', sizeof longest);
    guest_begin_with(&g, NULL, graphs, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        E(&g,
          CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, cases[i].name, cases[i].size), cases[i].size,
               guest_word(&g, 0)),
          cases[i].error);
    guest_end(&g);
}

static void t58_one_session_for_all_instances(void **state)
{
    const struct guest_graph graphs[] = { { .name = "add", .model = model_add() } };
    struct guest g;
    wasinn_instance *other;
    (void)state;
    guest_begin_with(&g, NULL, graphs, 1);
    assert_ok(wasinn_instance_new(g.host, NULL, &other, NULL));
    uint32_t args[3] = { guest_put(&g, "add", 3), 3, guest_word(&g, 0) };
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            wasinn_call(i ? other : g.instance, WASINN_LOAD_BY_NAME, guest_memory(&g), args, 3),
            WASINN_SUCCESS);
    assert_int_equal(wasinn_host_loaded(g.host), 1);
    wasinn_instance_free(other);
    guest_end(&g);
}

struct first_use {
    wasinn_host *host;
    uint32_t error;
};

static void *use_first(void *user)
{
    struct first_use *u = user;
    wasinn_instance *i;
    uint8_t memory[16] = "lazy";
    const uint32_t args[3] = { 0, 4, 8 };
    if (wasinn_instance_new(u->host, NULL, &i, NULL) != O2W_OK)
        return NULL;
    u->error = wasinn_call(i, WASINN_LOAD_BY_NAME, (wasinn_memory){ memory, 16 }, args, 3);
    wasinn_instance_free(i);
    return NULL;
}

static void many_first_users(const struct guest_graph *graph, uint32_t wanted, size_t loaded)
{
    struct guest g;
    pthread_t threads[8];
    struct first_use uses[8];
    guest_begin_with(&g, NULL, graph, 1);
    assert_int_equal(wasinn_host_loaded(g.host), 0);
    for (int i = 0; i < 8; i++) {
        uses[i] = (struct first_use){ g.host, 99 };
        assert_int_equal(pthread_create(&threads[i], NULL, use_first, &uses[i]), 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(uses[i].error, wanted);
    }
    assert_int_equal(wasinn_host_loaded(g.host), loaded);
    guest_end(&g);
}

static void t59_lazy_graphs_load_once(void **state)
{
    (void)state;
    many_first_users(&(struct guest_graph){ .name = "lazy", .model = model_add(), .lazy = true },
                     WASINN_SUCCESS, 1);
    many_first_users(&(struct guest_graph){ .name = "lazy", .model = SPAN("junk"), .lazy = true },
                     WASINN_RUNTIME_ERROR, 0);
}

/* A failure is remembered: the file that would load now is not read again. */
static void t59_a_file_that_failed_is_not_read_again(void **state)
{
    char path[] = "lazyXXXXXX";
    const struct guest_graph graphs[] = { { .name = "lazy", .path = path, .lazy = true } };
    struct guest g;
    struct span m = model_add();
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "junk", 4), 4);
    guest_begin_with(&g, NULL, graphs, 1);
    uint32_t name = guest_put(&g, "lazy", 4), out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, name, 4, out), WASINN_RUNTIME_ERROR);
    assert_int_equal(pwrite(fd, m.data, m.size, 0), (int)m.size);
    for (int i = 0; i < 2; i++)
        E(&g, CALL(&g, WASINN_LOAD_BY_NAME, name, 4, out), WASINN_RUNTIME_ERROR);
    guest_end(&g);
    guest_begin_with(&g, NULL, graphs, 1); /* another host reads it, and it is good */
    name = guest_put(&g, "lazy", 4), out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, name, 4, out), WASINN_SUCCESS);
    guest_end(&g);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
}

/* The file of a graph that is loaded may go: sizes that are new later are those of the same model, and nothing is told of
 * where it was. */
static void files_that_go_away(void **state)
{
    static const float rows[4] = { 1, 2, 3, 4 }, both[8] = { 1, 2, 3, 4, 1, 2, 3, 4 };
    char path[] = "goneXXXXXX";
    const struct guest_graph graphs[] = { { .name = "gone", .path = path } };
    struct guest g;
    struct span m = model_join_question();
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, m.data, m.size), (int)m.size);
    guest_begin_with(&g, NULL, graphs, 1);
    assert_int_equal(unlink(path), 0);
    uint32_t out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, "gone", 4), 4, out), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, guest_read(&g, out), out), WASINN_SUCCESS);
    uint32_t c = guest_read(&g, out);
    for (uint32_t i = 0; i < 2; i++)
        E(&g, guest_set(&g, c, i, F32, UDIMS(2, 2), rows, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, both);
    guest_end(&g);
    assert_int_equal(close(fd), 0);
}

/* y = x + w for any number of x, w of another file */
static void write_model_beside(const char *path, const char *weights)
{
    struct model_builder b;
    mb_begin(&b, 17);
    mb_graph(&b);
    mb_input_named(&b, "x", ONNX_FLOAT, "??");
    mb_external(&b, "w", ONNX_FLOAT, DIMS(1), weights, NULL, NULL);
    mb_node(&b, "Add", "x w", "y");
    mb_output(&b, "y", ONNX_FLOAT, DIMS(-1));
    struct span m = mb_end(&b);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(m.data, 1, m.size, f), m.size);
    assert_int_equal(fclose(f), 0);
    mb_free(&b);
}

static void weights_that_go_away(void **state)
{
    char path[] = "besideXXXXXX";
    const struct guest_graph graphs[] = { { .name = "beside", .path = path } };
    static const float one = 1;
    struct guest g;
    (void)state;
    assert_int_equal(close(mkstemp(path)), 0);
    write_model_beside(path, "beside.weights");
    FILE *f = fopen("beside.weights", "wb");
    assert_true(f && fwrite(&one, 4, 1, f) == 1 && fclose(f) == 0);
    guest_begin_with(&g, NULL, graphs, 1);
    assert_int_equal(unlink("beside.weights"), 0);
    uint32_t out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, "beside", 6), 6, out), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, guest_read(&g, out), out), WASINN_SUCCESS);
    uint32_t c = guest_read(&g, out);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(4), four, 16), WASINN_SUCCESS);
    if (CALL(&g, WASINN_COMPUTE, c) == WASINN_SUCCESS)
        assert_output(&g, c, 0, five);
    else
        assert_null(strstr(wasinn_last_error(g.instance), "beside"));
    guest_end(&g);
    assert_int_equal(unlink(path), 0);
}

static void t60_a_name_is_one_graph(void **state)
{
    wasinn_host *h;
    o2w_error *e = NULL;
    wasinn_graph_source s = { .size = sizeof s, .name = "a", .path = "one/a.onnx" };
    (void)state;
    assert_ok(wasinn_host_new(NULL, &h, NULL));
    assert_ok(wasinn_host_add_graph(h, &s, NULL));
    s.path = "two/a.onnx";
    assert_status(wasinn_host_add_graph(h, &s, &e), O2W_USAGE);
    assert_non_null(strstr(o2w_error_text(e), "one/a.onnx"));
    assert_non_null(strstr(o2w_error_text(e), "two/a.onnx"));
    o2w_error_free(e);
    wasinn_host_free(h);
}

static void t12_handles_are_used_up(void **state)
{
    struct nn_table t;
    int object;
    bool full;
    (void)state;
    for (int kind = WASINN_RESOURCE_GRAPH; kind <= WASINN_RESOURCE_ERROR; kind++) {
        uint32_t last = ((uint32_t)kind << 30) + 0x3fffffff;
        table_init(&t, (wasinn_resource)kind, NULL);
        t.next = last;
        assert_int_equal(table_add(&t, &object, &full), last);
        assert_int_equal(table_add(&t, &object, &full), 0);
        assert_true(full);
        assert_ptr_equal(table_find(&t, last), &object);
        assert_ptr_equal(table_remove(&t, last), &object);
        assert_int_equal(table_add(&t, &object, &full), 0);
        VEC_FREE(&t.slots);
    }
}

static void t61_counts_have_an_end(void **state)
{
    struct guest g;
    uint32_t h = 0;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    for (int i = 0; i < 16; i++)
        E(&g, guest_load(&g, model_add(), ENC_ONNX, &h), WASINN_SUCCESS);
    E(&g, guest_load(&g, model_add(), ENC_ONNX, &h), WASINN_TOO_LARGE);
    E(&g, CALL(&g, WASINN_UNLOAD, 3), WASINN_SUCCESS);
    E(&g, guest_load(&g, model_add(), ENC_ONNX, &h), WASINN_SUCCESS);
    uint32_t out = guest_word(&g, 0);
    for (int i = 0; i < 64; i++)
        E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, h, out), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, h, out), WASINN_TOO_LARGE);
    E(&g, CALL(&g, WASINN_FINALIZE_EXECUTION_CONTEXT, 0x40000005), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, h, out), WASINN_SUCCESS);
    guest_end(&g);
}

/* load, set_input, compute under limits; the first errno that is none, or 0. */
static uint32_t run_within(const wasinn_limits *limits)
{
    struct guest g;
    uint32_t graph = 0;
    guest_begin_with(&g, &(wasinn_host_options){ .limits = *limits }, NULL, 0);
    uint32_t e = guest_load(&g, model_add(), ENC_ONNX, &graph), out = guest_word(&g, 0);
    if (!e)
        e = CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out);
    uint32_t c = guest_read(&g, out);
    if (!e)
        e = guest_set(&g, c, 0, F32, UDIMS(1, 4), four, 16);
    if (!e)
        e = CALL(&g, WASINN_COMPUTE, c);
    guest_end(&g);
    return e;
}

static void t62_limits_at_and_beyond(void **state)
{
    uint64_t model = model_add().size;
    (void)state;
    models_free();
    assert_int_equal(run_within(&(wasinn_limits){ .model_bytes = model }), 0);
    assert_int_equal(run_within(&(wasinn_limits){ .model_bytes = model - 1 }), 7);
    assert_int_equal(run_within(&(wasinn_limits){ .tensor_bytes = 16 }), 0);
    assert_int_equal(run_within(&(wasinn_limits){ .tensor_bytes = 15 }), 7);
    assert_int_equal(run_within(&(wasinn_limits){ .output_bytes = 16 }), 0);
    assert_int_equal(run_within(&(wasinn_limits){ .output_bytes = 15 }), 7);
    assert_int_equal(run_within(&(wasinn_limits){ .total_bytes = model + 32 }), 0);
    assert_int_equal(run_within(&(wasinn_limits){ .total_bytes = model + 31 }), 7);
    assert_int_equal(run_within(&(wasinn_limits){ .total_bytes = UINT64_MAX }), 0);
}

static void t64_what_a_graph_is(void **state)
{
    struct guest g;
    uint32_t graph = 0, out, at;
    char text[600];
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    E(&g, guest_load(&g, model_sub(), ENC_ONNX, &graph), WASINN_SUCCESS);
    out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_COUNT, graph, 0, out), WASINN_SUCCESS);
    assert_int_equal(guest_read(&g, out), 2);
    E(&g, CALL(&g, WASINN_COUNT, graph, 1, out), WASINN_SUCCESS);
    assert_int_equal(guest_read(&g, out), 1);
    E(&g, CALL(&g, WASINN_COUNT, graph, 2, out), WASINN_INVALID_ARGUMENT);
    at = g.top;
    g.top += 600;
    E(&g, CALL(&g, WASINN_DESCRIBE, graph, 0, 1, at, 600, out), WASINN_SUCCESS);
    assert_span(((struct span){ g.memory + at, guest_read(&g, out) }),
                "{\"name\":\"b\",\"type\":\"f32\",\"dims\":[\"N\",2]}");
    uint32_t size = guest_read(&g, out);
    E(&g, CALL(&g, WASINN_DESCRIBE, graph, 0, 1, at, size - 1, out), WASINN_TOO_LARGE);
    assert_int_equal(guest_read(&g, out), size);
    E(&g, CALL(&g, WASINN_COMPUTE, 77), WASINN_INVALID_ARGUMENT);
    (void)snprintf(text, sizeof text, "%s", wasinn_last_error(g.instance));
    assert_true(log_has(&g, text));
    E(&g, CALL(&g, WASINN_LAST_ERROR, at, 1, out), WASINN_TOO_LARGE);
    E(&g, CALL(&g, WASINN_LAST_ERROR, at, 600, out), WASINN_SUCCESS);
    assert_span(((struct span){ g.memory + at, guest_read(&g, out) }), text);
    guest_end(&g);
}

static void t65_t68_instances_end_at_any_point(void **state)
{
    const struct guest_graph graphs[] = { { .name = "add", .model = model_add() } };
    struct guest g;
    wasinn_instance *other;
    (void)state;
    guest_begin_with(&g, NULL, graphs, 1);
    assert_ok(wasinn_instance_new(g.host, NULL, &other, NULL));
    uint32_t out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, "add", 3), 3, out), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, guest_read(&g, out), out), WASINN_SUCCESS);
    E(&g, guest_set(&g, guest_read(&g, out), 0, F32, UDIMS(1, 4), four, 16), WASINN_SUCCESS);
    wasinn_instance_free(g.instance); /* between set_input and compute */
    wasinn_host_free(g.host);         /* before its last instance */
    g.host = NULL;
    g.instance = other;
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, "add", 3), 3, out), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, guest_read(&g, out), out), WASINN_SUCCESS);
    uint32_t c = guest_read(&g, out);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 4), four, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, five);
    guest_end(&g);
}

/* A byte is counted once each way, however often it is computed with. */
static void t107_copies_are_counted(void **state)
{
    struct guest g;
    wasinn_stats s = { .size = sizeof s };
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 4), four, 16), WASINN_SUCCESS);
    for (int i = 0; i < 3; i++)
        E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, five);
    E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, 0, 0, guest_word(&g, 0)), WASINN_TOO_LARGE);
    wasinn_instance_stats(g.instance, &s);
    assert_int_equal(s.input_bytes, 16);
    assert_int_equal(s.output_bytes, 16);
    guest_end(&g);
}

/* T109: nothing is allocated by a compute like the last one. */
static void t109_repeated_computes_allocate_nothing(void **state)
{
    struct failing_allocator f;
    const struct guest_graph graphs[] = { { .name = "add", .model = model_add() } };
    struct guest g;
    size_t before = 0;
    (void)state;
    failing_allocator_init(&f, SIZE_MAX);
    const o2w_environment e = { .size = sizeof e, .allocator = f.allocator };
    guest_begin_with(&g, &(wasinn_host_options){ .environment = &e }, graphs, 1);
    uint32_t out = guest_word(&g, 0), t = guest_tensor(&g, F32, UDIMS(1, 4), four, 16);
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, "add", 3), 3, out), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, guest_read(&g, out), out), WASINN_SUCCESS);
    uint32_t c = guest_read(&g, out);
    for (int i = 0; i < 20; i++) {
        E(&g, CALL(&g, WASINN_SET_INPUT, c, 0, t), WASINN_SUCCESS);
        E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
        assert_output(&g, c, 0, five);
        before = i == 2 ? f.calls : before;
    }
    assert_int_equal(f.calls, before);
    guest_end(&g);
    assert_int_equal(f.live_blocks, 0);
}

/* --- long computes: in ONNX Runtime a loop runs as long as it says --------------------------------- */

struct computing {
    struct guest *guest;
    uint32_t context, error;
};

static void *compute_long(void *user)
{
    struct computing *c = user;
    do /* the thread that waits asks now and then */
        c->error = CALL(c->guest, WASINN_COMPUTE, c->context);
    while (c->error == WASINN_BUSY);
    return NULL;
}

/* A model whose compute takes longer than there is time for: a loop where they are run, a chain of products
 * where they are not. */
static struct span long_model(void)
{
    return backend_is_webnn() ? model_products(500, 5000, false) : model_loop(INT64_MAX);
}

static void set_long_input(struct guest *g, uint32_t c)
{
    E(g, guest_set(g, c, 0, F32, UDIMS(1), four, 4), WASINN_SUCCESS);
}

static uint32_t long_context(struct guest *g)
{
    uint32_t c = guest_context(g, long_model());
    set_long_input(g, c);
    return c;
}

/* Starts the compute; returns once it runs. */
static void start_computing(struct computing *c, pthread_t *thread)
{
    uint32_t none = guest_word(c->guest, 0), error = WASINN_SUCCESS;
    assert_int_equal(pthread_create(thread, NULL, compute_long, c), 0);
    for (int tries = 0; tries < 20000 && error != WASINN_BUSY; tries++) {
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
        error = CALL(c->guest, WASINN_GET_OUTPUT, c->context, 0, none, 0, none);
    }
    assert_int_equal(error, WASINN_BUSY);
}

static void t66_t67_another_thread_in_an_instance(void **state)
{
    struct guest g;
    pthread_t thread;
    struct computing c = { .guest = &g };
    (void)state;
    guest_begin(&g);
    c.context = long_context(&g);
    uint32_t t = guest_tensor(&g, F32, UDIMS(1), four, 4);
    start_computing(&c, &thread);
    E(&g, CALL(&g, WASINN_SET_INPUT, c.context, 0, t), WASINN_BUSY);
    wasinn_instance_free(g.instance);
    g.instance = NULL;
    pthread_join(thread, NULL);
    assert_int_equal(c.error, WASINN_RUNTIME_ERROR);
    guest_end(&g);
}

static void t52_a_bad_pointer_beside_a_compute_of_the_graph(void **state)
{
    const struct guest_graph graphs[] = { { .name = "long", .model = long_model() } };
    struct guest g;
    wasinn_instance *other;
    pthread_t thread;
    struct computing c = { .guest = &g };
    (void)state;
    guest_begin_with(&g, NULL, graphs, 1);
    assert_ok(wasinn_instance_new(g.host, NULL, &other, NULL));
    uint32_t out = guest_word(&g, 0), name = guest_put(&g, "long", 4), handle = 0;
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, name, 4, out), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, guest_read(&g, out), out), WASINN_SUCCESS);
    c.context = guest_read(&g, out);
    set_long_input(&g, c.context);
    start_computing(&c, &thread);
#define OTHER(function, ...)                                                      \
    wasinn_call(other, (function), guest_memory(&g), (uint32_t[]){ __VA_ARGS__ }, \
                sizeof((uint32_t[]){ __VA_ARGS__ }) / 4)
    assert_int_equal(OTHER(WASINN_LOAD_BY_NAME, name, 4, out), WASINN_SUCCESS);
    handle = guest_read(&g, out);
    assert_int_equal(OTHER(WASINN_INIT_EXECUTION_CONTEXT, handle, 0xffffffff), 1);
    assert_int_equal(OTHER(WASINN_INIT_EXECUTION_CONTEXT, handle, out), WASINN_SUCCESS);
    handle = guest_read(&g, out);
    assert_int_equal(OTHER(WASINN_SET_INPUT, handle, 0, GUEST_MEMORY - 19), 1);
    assert_int_equal(OTHER(WASINN_GET_OUTPUT, handle, 0, GUEST_MEMORY - 3, 4, out), 1);
    assert_int_equal(OTHER(WASINN_COMPUTE, handle), WASINN_RUNTIME_ERROR); /* no input */
    wasinn_instance_free(other);
    wasinn_instance_free(g.instance);
    g.instance = NULL;
    pthread_join(thread, NULL);
    assert_int_equal(c.error, WASINN_RUNTIME_ERROR);
    guest_end(&g);
}

static void t85_a_compute_ends_at_its_deadline(void **state)
{
    struct guest g;
    struct timespec a, b;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .limits = { .compute_ms = 300 } }, NULL, 0);
    uint32_t c = long_context(&g), c2 = guest_context(&g, model_add());
    clock_gettime(CLOCK_MONOTONIC, &a);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_RUNTIME_ERROR);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert_true(b.tv_sec - a.tv_sec < 5);
    E(&g, guest_set(&g, c2, 0, F32, UDIMS(1, 4), four, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c2), WASINN_SUCCESS);
    assert_output(&g, c2, 0, five);
    guest_end(&g);
}

/* More operators than a graph may have are more than there is time for. */
static void t85_a_graph_for_new_sizes_is_made_by_the_deadline(void **state)
{
    static const float many[4097];
    struct guest g;
    (void)state;
    if (!backend_is_webnn())
        return; /* no graph is made anew there */
    guest_begin_with(&g, &(wasinn_host_options){ .limits = { .compute_ms = 15 } }, NULL, 0);
    uint32_t c = guest_context(&g, model_unrolled());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(4097, 1), many, sizeof many), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_RUNTIME_ERROR);
    guest_end(&g);
}

struct overdue {
    char what[16];
};

static void note_overdue(void *user, const char *what)
{
    struct overdue *o = user;
    (void)snprintf(o->what, sizeof o->what, "%s", what);
}

/* One step of the engine, which takes longer than the deadline and more on any machine: a fold at load in
 * ONNX Runtime, a product at compute in the others, 15 thousand million multiplications and more. */
static void t86_what_nothing_ends_is_reported(void **state)
{
    struct guest g;
    struct overdue o = { "" };
    uint32_t graph = 0, c = 0;
    bool folds = !backend_is_webnn();
    (void)state;
    const wasinn_host_options options = { .size = sizeof options,
                                          .backends = the_backend,
                                          .compute_threads = 1,
                                          .limits = { .load_ms = folds ? 30 : 0,
                                                      .compute_ms = folds ? 0 : 30 },
                                          .user = &o,
                                          .overdue = note_overdue,
                                          .overdue_ms = 1 };
    guest_begin_host(&g, &options, NULL, 0);
    if (!folds) {
        c = guest_context(&g, model_products(2500, 1, false));
        E(&g, guest_set(&g, c, 0, F32, UDIMS(1), four, 4), WASINN_SUCCESS);
    }
    /* a busy machine may let the step end before the watching thread runs */
    for (int tries = 0; tries < 50 && !*o.what; tries++)
        E(&g,
          folds ? guest_load(&g, model_products(3000, 1, true), ENC_ONNX, &graph)
                : CALL(&g, WASINN_COMPUTE, c),
          WASINN_RUNTIME_ERROR);
    assert_string_equal(o.what, folds ? "load" : "compute");
    guest_end(&g);
}

/* --- T75 -------------------------------------------------------------------------------------------- */

enum { THREADS = 8, CONTEXTS = 8, ROUNDS = 1000 };

static void run_contexts(wasinn_instance *i, uint8_t *memory, int seed, bool *right)
{
    uint32_t contexts[CONTEXTS];
    wasinn_memory m = { memory, 4096 };
    memcpy(memory, "add", 3);
    bool ok = wasinn_call(i, WASINN_LOAD_BY_NAME, m, (uint32_t[]){ 0, 3, 8 }, 3) == 0;
    uint32_t graph;
    memcpy(&graph, memory + 8, 4);
    for (int k = 0; k < CONTEXTS; k++) {
        ok = ok && !wasinn_call(i, WASINN_INIT_EXECUTION_CONTEXT, m, (uint32_t[]){ graph, 8 }, 2);
        memcpy(&contexts[k], memory + 8, 4);
    }
    const uint32_t dims[2] = { 1, 4 }, record[5] = { 16, 2, 1, 64, 16 };
    memcpy(memory + 16, dims, 8);
    memcpy(memory + 32, record, 20);
    for (int n = 0; ok && n < ROUNDS; n++)
        for (int k = 0; ok && k < CONTEXTS; k++) {
            float x[4] = { (float)seed, (float)n, (float)k, 1 }, y[4];
            memcpy(memory + 64, x, 16);
            ok = !wasinn_call(i, WASINN_SET_INPUT, m, (uint32_t[]){ contexts[k], 0, 32 }, 3) &&
                 !wasinn_call(i, WASINN_COMPUTE, m, &contexts[k], 1) &&
                 !wasinn_call(i, WASINN_GET_OUTPUT, m, (uint32_t[]){ contexts[k], 0, 128, 16, 8 },
                              5);
            memcpy(y, memory + 128, 16);
            for (int e = 0; e < 4; e++)
                ok = ok && y[e] == x[e] + 1;
        }
    *right = ok;
}

struct worker {
    wasinn_host *host;
    int seed;
    bool right;
};

static void *work(void *user)
{
    struct worker *w = user;
    wasinn_instance *i;
    uint8_t *memory = calloc(1, 4096);
    if (memory && wasinn_instance_new(w->host, NULL, &i, NULL) == O2W_OK) {
        run_contexts(i, memory, w->seed, &w->right);
        wasinn_instance_free(i);
    }
    free(memory);
    return NULL;
}

static void t75_threads_and_contexts_on_one_graph(void **state)
{
    const struct guest_graph graphs[] = { { .name = "add", .model = model_add() } };
    struct guest g;
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    (void)state;
    guest_begin_with(&g, NULL, graphs, 1);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){ g.host, i, false };
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(workers[i].right);
    }
    guest_end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t12_handles_are_used_up),
        cmocka_unit_test(t44_every_pointer_of_every_function),
        cmocka_unit_test(t45_t46_builders),
        cmocka_unit_test(t47_t48_t49_t50_records_of_tensors),
        cmocka_unit_test(t51_nothing_is_loaded_for_a_bad_place),
        cmocka_unit_test(t52_a_bad_pointer_beside_a_compute_of_the_graph),
        cmocka_unit_test(t53_graph_and_weights_in_two_builders),
        cmocka_unit_test(t54_t55_indices_and_ranks),
        cmocka_unit_test(t56_names),
        cmocka_unit_test(t58_one_session_for_all_instances),
        cmocka_unit_test(t59_lazy_graphs_load_once),
        cmocka_unit_test(t59_a_file_that_failed_is_not_read_again),
        cmocka_unit_test(files_that_go_away),
        cmocka_unit_test(weights_that_go_away),
        cmocka_unit_test(t60_a_name_is_one_graph),
        cmocka_unit_test(t61_counts_have_an_end),
        cmocka_unit_test(t62_limits_at_and_beyond),
        cmocka_unit_test(t64_what_a_graph_is),
        cmocka_unit_test(t65_t68_instances_end_at_any_point),
        cmocka_unit_test(t66_t67_another_thread_in_an_instance),
        cmocka_unit_test(t75_threads_and_contexts_on_one_graph),
        cmocka_unit_test(t107_copies_are_counted),
        cmocka_unit_test(t109_repeated_computes_allocate_nothing),
        cmocka_unit_test(t85_a_compute_ends_at_its_deadline),
        cmocka_unit_test(t85_a_graph_for_new_sizes_is_made_by_the_deadline),
        cmocka_unit_test(t86_what_nothing_ends_is_reported),
    };
    return run_on_backends("memory", tests, sizeof tests / sizeof *tests);
}
