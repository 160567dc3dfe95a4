/* T77 to T84, T91: models that mean harm, memory that runs out. */
#include "wasi/guest.h"

#include "ort/ort.h"
#include "ort/ort_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { F32 = 1, MODEL_GRAPH = 7, MODEL_FUNCTIONS = 25, GRAPH_NODE = 1, NODE_OP_TYPE = 4 };

static void t77_cut_models(void **state)
{
    struct guest g;
    uint32_t h;
    (void)state;
    guest_begin(&g);
    struct span m = model_classifier();
    E(&g, guest_load(&g, (struct span){ m.data, 0 }, ENC_ONNX, &h), WASINN_INVALID_ARGUMENT);
    for (size_t i = 0; i < 64; i++) {
        struct span cut = { m.data, m.size * i / 64 + 1 };
        if (cut.size < m.size)
            E(&g, guest_load(&g, cut, ENC_ONNX, &h), WASINN_INVALID_ENCODING);
    }
    E(&g, guest_load(&g, m, ENC_ONNX, &h), WASINN_SUCCESS);
    guest_end(&g);
}

static void t78_claims_nesting_and_numbers(void **state)
{
    struct guest g;
    uint32_t h;
    (void)state;
    guest_begin(&g);
    /* ir_version 10, then a graph of nearly 2 GiB */
    E(&g, guest_load(&g, SPAN("\x08\x0a\x3a\xff\xff\xff\xff\x07"), ENC_ONNX, &h),
      WASINN_INVALID_ENCODING);

    struct wire_writer w = { 0 };
    size_t open[80], depth = 0;
    wire_put_i64(&w, 1, 10);
    open[depth++] = wire_begin(&w, MODEL_GRAPH);
    open[depth++] = wire_begin(&w, 11); /* an input, then its type, sequence in sequence */
    open[depth++] = wire_begin(&w, 2);
    while (depth < 66) {
        open[depth++] = wire_begin(&w, 4);
        open[depth++] = wire_begin(&w, 1);
    }
    while (depth)
        wire_end(&w, open[--depth]);
    struct span deep;
    assert_ok(wire_written(&w, &deep));
    E(&g, guest_load(&g, deep, ENC_ONNX, &h), WASINN_INVALID_ENCODING);
    wire_writer_free(&w);

    struct wire_writer many = { 0 };
    wire_put_i64(&many, 1, 10);
    size_t graph = wire_begin(&many, MODEL_GRAPH);
    for (int i = 0; i < 100001; i++)
        wire_put_bytes(&many, GRAPH_NODE, (struct span){ 0 });
    wire_end(&many, graph);
    struct span nodes;
    assert_ok(wire_written(&many, &nodes));
    E(&g, guest_load(&g, nodes, ENC_ONNX, &h), WASINN_TOO_LARGE);
    wire_writer_free(&many);
    guest_end(&g);
}

/* The model with a node of that operator in front. */
static struct span with_node(struct wire_writer *w, const char *op)
{
    struct span m = model_add(), all;
    *w = (struct wire_writer){ 0 };
    size_t graph = wire_begin(w, MODEL_GRAPH), node = wire_begin(w, GRAPH_NODE);
    wire_put_text(w, NODE_OP_TYPE, op);
    wire_end(w, node);
    wire_end(w, graph);
    wire_put_raw(w, m);
    assert_ok(wire_written(w, &all));
    return all;
}

static void t79_contexts_of_engines(void **state)
{
    struct guest g;
    struct wire_writer w;
    uint32_t h;
    (void)state;
    guest_begin(&g);
    E(&g, guest_load(&g, with_node(&w, "EPContext"), ENC_ONNX, &h), WASINN_UNSUPPORTED_OPERATION);
    assert_non_null(strstr(wasinn_last_error(g.instance), "EPContext"));
    wire_writer_free(&w);
    guest_end(&g);
}

/* An initializer with external data within other messages. */
static struct span external_in(struct wire_writer *w, const uint32_t *fields, size_t count)
{
    struct span m = model_add(), all;
    size_t open[8];
    *w = (struct wire_writer){ 0 };
    wire_put_raw(w, m);
    for (size_t i = 0; i < count; i++)
        open[i] = wire_begin(w, fields[i]);
    wire_put_i64(w, 14, 1); /* data_location EXTERNAL */
    for (size_t i = count; i-- > 0;)
        wire_end(w, open[i]);
    assert_ok(wire_written(w, &all));
    return all;
}

static void t80_t81_external_data_anywhere(void **state)
{
    static const uint32_t subgraph[] = { 7, 1, 5, 6, 5 }, function[] = { 25, 7, 5, 5 },
                          sparse[] = { 7, 15, 1 }, constant[] = { 7, 1, 5, 5 },
                          training[] = { 20, 1, 5 };
    static const struct {
        const uint32_t *fields;
        size_t count;
    } places[] = {
        { subgraph, 5 }, { function, 4 }, { sparse, 3 }, { constant, 4 }, { training, 3 }
    };
    static const char *const names[] = { "weights.bin", "/etc/passwd", "../weights.bin" };
    struct guest g;
    uint32_t h;
    (void)state;
    guest_begin(&g);
    for (size_t i = 0; i < 3; i++)
        E(&g, guest_load(&g, model_external(names[i]), ENC_ONNX, &h), WASINN_UNSUPPORTED_OPERATION);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct wire_writer w;
        E(&g, guest_load(&g, external_in(&w, places[i].fields, places[i].count), ENC_ONNX, &h),
          WASINN_UNSUPPORTED_OPERATION);
        wire_writer_free(&w);
    }
    guest_end(&g);
}

static bool session_reads(const struct ort *o, const char *location)
{
    static const struct ort_config configs[] = { { "session.load_model_format", "ONNX" } };
    const struct ort_options options = { .threads = 1, .configs = configs, .config_count = 1 };
    struct ort_session *s = NULL;
    struct diags d;
    diags_init(&d, NULL);
    o2w_status status =
        ort_session_from_bytes(o, model_external(location), "/dev/null", &options, &d, &s);
    ort_session_free(s);
    diags_free(&d);
    return status == O2W_OK;
}

static void t82_the_session_alone_reads_no_file(void **state)
{
    const struct ort *o = NULL;
    struct temp_folder t;
    char up[256];
    (void)state;
    if (ort_open(NULL, &o) != O2W_OK) {
        print_message("skipped: no ONNX Runtime here (tools/setup onnxruntime)\n");
        skip();
    }
    static const float four[4] = { 1, 2, 3, 4 };
    temp_folder_create(&t);
    const char *path = temp_write(&t, "weights.bin", four, sizeof four);
    (void)snprintf(up, sizeof up, "../..%s", path);
    assert_false(session_reads(o, path));
    assert_false(session_reads(o, up));
    assert_int_equal(chdir(t.path), 0);
    assert_false(session_reads(o, "weights.bin"));
    assert_int_equal(chdir("/"), 0);
    temp_folder_remove(&t);
    models_free();
}

/* y = x expanded to 2^40 elements, asked for by a constant. */
static struct span model_bomb(struct model_builder *b)
{
    static const int64_t wide[2] = { 1 << 20, 1 << 20 };
    mb_begin(b, 17);
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, DIMS(1, 1));
    mb_int64s(b, "shape", DIMS(2), wide, 2);
    mb_node(b, "Expand", "x shape", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(1 << 20, 1 << 20));
    return mb_end(b);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if !defined(SANITIZED)
#define SANITIZED 0
#endif

static void t84_a_memory_bomb(void **state)
{
    static const float x[4] = { 1, 2, 3, 4 }, y[4] = { 2, 3, 4, 5 };
    struct guest g;
    struct model_builder b;
    uint32_t graph = 0, out;
    (void)state;
    if (SANITIZED) {
        print_message("skipped: the sanitizer ends a process that asks for 4 TiB\n");
        skip();
    }
    guest_begin(&g);
    uint32_t e = guest_load(&g, model_bomb(&b), ENC_ONNX, &graph);
    assert_true(e == WASINN_SUCCESS || e == WASINN_TOO_LARGE || e == WASINN_UNSUPPORTED_OPERATION);
    if (e == WASINN_SUCCESS) {
        out = guest_word(&g, 0);
        E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
        uint32_t c = guest_read(&g, out);
        E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 1), x, 4), WASINN_SUCCESS);
        e = CALL(&g, WASINN_COMPUTE, c);
        assert_true(e == WASINN_RUNTIME_ERROR || e == WASINN_TOO_LARGE);
    }
    uint32_t c = guest_context(&g, model_add());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 4), x, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, y);
    mb_free(&b);
    guest_end(&g);
}

/* --- T91 --------------------------------------------------------------------------------------------- */

static void t91_every_allocation_fails_once(void **state)
{
    struct failing_allocator f;
    struct span model = model_add();
    uint32_t error = WASINN_RUNTIME_ERROR;
    (void)state;
    for (size_t n = 0; error; n++) {
        failing_allocator_init(&f, n);
        const o2w_environment e = { .size = sizeof e, .allocator = f.allocator };
        error = guest_life(&e, model);
        if (error != 0 && error != WASINN_RUNTIME_ERROR)
            fail_msg("allocation %zu failed: errno %u", n, error);
        assert_int_equal(f.live_blocks, 0);
        assert_true(n < 100000);
    }
    models_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t77_cut_models),
        cmocka_unit_test(t78_claims_nesting_and_numbers),
        cmocka_unit_test(t79_contexts_of_engines),
        cmocka_unit_test(t80_t81_external_data_anywhere),
        cmocka_unit_test(t82_the_session_alone_reads_no_file),
        cmocka_unit_test(t84_a_memory_bomb),
        cmocka_unit_test(t91_every_allocation_fails_once),
    };
    return run_on_backends("hostile", tests, sizeof tests / sizeof *tests);
}
