/* T1 to T20: records, numbers, handles, the order of calls. */
#include "wasi/guest.h"

#include <stdlib.h>

static const float four[4] = { 1, 2, 3, 4 };
static const float five[4] = { 2, 3, 4, 5 };

static void t01_t02_records_at_odd_addresses_with_padding(void **state)
{
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    E(&g, guest_set(&g, c, 0, 1, UDIMS(1, 4), four, sizeof four), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, five);
    guest_end(&g);
}

static void t03_parameters_of_the_functions(void **state)
{
    static const struct {
        const char *name;
        uint32_t parameters;
    } wanted[] = { { "load", 5 },      { "load_by_name", 3 }, { "init_execution_context", 2 },
                   { "set_input", 3 }, { "compute", 1 },      { "get_output", 5 } };
    size_t count;
    const wasinn_function_row *rows = wasinn_functions(&count);
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_string_equal(rows[i].module, "wasi_ephemeral_nn");
        assert_string_equal(rows[i].name, wanted[i].name);
        assert_int_equal(rows[i].parameters, wanted[i].parameters);
        assert_false(rows[i].extension);
    }
    for (size_t i = sizeof wanted / sizeof *wanted; i < count; i++)
        assert_true(rows[i].extension);
}

static void t04_encodings_that_no_backend_has(void **state)
{
    static const uint32_t codes[] = { 0, 2, 3, 4, 6, 255, 257, 0xffffffff };
    struct guest g;
    uint32_t h;
    (void)state;
    guest_begin(&g);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        E(&g, guest_load(&g, model_add(), codes[i], &h), WASINN_INVALID_ENCODING);
    guest_end(&g);
}

static uint32_t load_for(struct guest *g, struct span model, uint32_t target)
{
    uint32_t builder[2] = { guest_put(g, model.data, model.size), (uint32_t)model.size };
    uint32_t records = guest_put(g, builder, sizeof builder);
    return CALL(g, WASINN_LOAD, records, 1, ENC_ONNX, target, guest_word(g, 0));
}

static void t05_targets(void **state)
{
    struct guest g;
    (void)state;
    guest_begin(&g);
    E(&g, load_for(&g, model_add(), 3), WASINN_INVALID_ARGUMENT);
    E(&g, load_for(&g, model_add(), 0x100), WASINN_INVALID_ARGUMENT);
    guest_end(&g);
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    E(&g, load_for(&g, model_add(), 3), WASINN_SUCCESS);
    E(&g, load_for(&g, model_add(), 4), WASINN_INVALID_ARGUMENT);
    guest_end(&g);
}

static const struct {
    wasinn_dtypes numbering;
    uint32_t u8;
} u8_codes[] = { { WASINN_DTYPES_2023, 3 }, { WASINN_DTYPES_2022, 2 }, { WASINN_DTYPES_WIT, 4 } };

static void t06_u8_in_three_numberings(void **state)
{
    static const uint8_t bytes[4] = { 0, 1, 128, 255 };
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        struct guest g;
        guest_begin_with(&g, &(wasinn_host_options){ .dtypes = u8_codes[n].numbering }, NULL, 0);
        uint32_t c = guest_context(&g, model_identity(ONNX_UINT8));
        E(&g, guest_set(&g, c, 0, u8_codes[n].u8, UDIMS(4), bytes, 4), WASINN_SUCCESS);
        E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
        assert_output(&g, c, 0, bytes);
        uint32_t other = u8_codes[(n + 1) % 3].u8;
        E(&g, guest_set(&g, c, 0, other, UDIMS(4), bytes, 4), WASINN_INVALID_ARGUMENT);
        assert_non_null(strstr(wasinn_last_error(g.instance), "--nn-dtypes"));
        guest_end(&g);
    }
}

static void t07_every_type_code(void **state)
{
    static const int dtypes[3][7] = {
        { ONNX_FLOAT16, ONNX_FLOAT, ONNX_DOUBLE, ONNX_UINT8, ONNX_INT32, ONNX_INT64, 0 },
        { ONNX_FLOAT16, ONNX_FLOAT, ONNX_UINT8, ONNX_INT32, 0, 0, 0 },
        { ONNX_FLOAT16, ONNX_FLOAT, ONNX_DOUBLE, ONNX_BFLOAT16, ONNX_UINT8, ONNX_INT32,
          ONNX_INT64 },
    };
    static const uint8_t zeros[32];
    (void)state;
    for (int n = 0; n < 3; n++) {
        struct guest g;
        guest_begin_with(&g,
                         &(wasinn_host_options){ .dtypes = (wasinn_dtypes)n,
                                                 .limits = { .size = sizeof(wasinn_limits) } },
                         NULL, 0);
        uint32_t any = guest_context(&g, model_add());
        for (uint32_t code = 0; code < 256; code++) {
            int dtype = code < 7 ? dtypes[n][code] : 0;
            if (!dtype) {
                E(&g, guest_set(&g, any, 0, code, UDIMS(4), zeros, 32), WASINN_INVALID_ARGUMENT);
                continue;
            }
            size_t size = dtype == ONNX_UINT8                               ? 4
                          : dtype == ONNX_FLOAT16 || dtype == ONNX_BFLOAT16 ? 8
                          : dtype == ONNX_DOUBLE || dtype == ONNX_INT64     ? 32
                                                                            : 16;
            uint32_t c = guest_context(&g, model_identity(dtype));
            bool narrowed = dtype == ONNX_DOUBLE && backend_is_webnn();
            E(&g, guest_set(&g, c, 0, code, UDIMS(4), zeros, size),
              narrowed ? WASINN_UNSUPPORTED_OPERATION : WASINN_SUCCESS);
        }
        guest_end(&g);
    }
}

static const char webnn_text[] = "webnn_graph \"add\" v2 {\n"
                                 "  inputs { x: f32[2]; }\n"
                                 "  consts { one: f32[] @scalar(1.0); }\n"
                                 "  nodes { y = add(x, one); }\n"
                                 "  outputs { y; }\n"
                                 "}\n";

static const char webnn_json[] =
    "{\"format\":\"webnn-graph-json\",\"version\":1,\"name\":\"add\",\"quantized\":false,"
    "\"inputs\":{\"x\":{\"dataType\":\"float32\",\"shape\":[2]}},"
    "\"consts\":{\"one\":{\"dataType\":\"float32\",\"shape\":[],\"init\":{\"kind\":\"scalar\","
    "\"value\":1}}},"
    "\"nodes\":[{\"id\":\"y\",\"op\":\"add\",\"inputs\":[\"x\",\"one\"],\"options\":{}}],"
    "\"outputs\":{\"y\":\"y\"}}";

static void t08_autodetection(void **state)
{
    static const uint8_t noise[64] = { 7, 200, 13, 255, 1, 2, 3 };
    struct guest g;
    uint32_t h;
    (void)state;
    guest_begin(&g);
    E(&g, guest_load(&g, model_add(), ENC_AUTO, &h), WASINN_SUCCESS);
    uint32_t webnn = backend_is_webnn() ? WASINN_SUCCESS : WASINN_UNSUPPORTED_OPERATION;
    E(&g, guest_load(&g, span_of(webnn_text), ENC_AUTO, &h), webnn);
    E(&g, guest_load(&g, span_of(webnn_json), ENC_AUTO, &h), webnn);
    E(&g, guest_load(&g, span_of(webnn_text), ENC_ONNX, &h), WASINN_INVALID_ENCODING);
    E(&g, guest_load(&g, span_of(webnn_json), ENC_ONNX, &h), WASINN_INVALID_ENCODING);
    E(&g, guest_load(&g, (struct span){ noise, 64 }, ENC_AUTO, &h), WASINN_INVALID_ENCODING);
    E(&g, guest_load(&g, SPAN("\x18\0\0\0ORTM\0\0\0\0"), ENC_AUTO, &h), WASINN_INVALID_ENCODING);
    guest_end(&g);
}

static void t09_t10_handles(void **state)
{
    struct guest g;
    uint32_t graph = 0, out;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    out = guest_word(&g, 0);
    E(&g, guest_load(&g, model_add(), ENC_ONNX, &graph), WASINN_SUCCESS);
    assert_int_equal(graph, 1);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
    uint32_t ctx = guest_read(&g, out);
    assert_int_equal(ctx, 0x40000001);
    uint32_t t = guest_tensor(&g, 1, UDIMS(1, 4), four, sizeof four);
    const uint32_t bad[] = { 0, graph };
    for (int i = 0; i < 2; i++) {
        E(&g, CALL(&g, WASINN_SET_INPUT, bad[i], 0, t), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_COMPUTE, bad[i]), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_GET_OUTPUT, bad[i], 0, out, 4, out), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_FINALIZE_EXECUTION_CONTEXT, bad[i]), WASINN_INVALID_ARGUMENT);
    }
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, 0, out), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, ctx, out), WASINN_INVALID_ARGUMENT);
    for (uint32_t kind = 0; kind < 2; kind++) {
        E(&g, CALL(&g, WASINN_COUNT, 0, kind, out), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_COUNT, ctx, kind, out), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_DESCRIBE, 0, kind, 0, out, 4, out), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_DESCRIBE, ctx, kind, 0, out, 4, out), WASINN_INVALID_ARGUMENT);
    }
    E(&g, CALL(&g, WASINN_UNLOAD, 0), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_UNLOAD, ctx), WASINN_INVALID_ARGUMENT);
    guest_end(&g);
}

static void t11_handles_of_others_and_stale_ones(void **state)
{
    struct guest g;
    wasinn_instance *other;
    uint32_t graph = 0, last = 0;
    const struct guest_graph graphs[] = { { .name = "add", .model = model_add() } };
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, graphs, 1);
    E(&g, guest_load(&g, model_add(), ENC_ONNX, &graph), WASINN_SUCCESS);
    assert_ok(wasinn_instance_new(g.host, NULL, &other, NULL));
    uint32_t args[] = { graph, guest_word(&g, 0) };
    assert_int_equal(wasinn_call(other, WASINN_INIT_EXECUTION_CONTEXT, guest_memory(&g), args, 2),
                     WASINN_INVALID_ARGUMENT);
    wasinn_instance_free(other);
    uint32_t name = guest_put(&g, "add", 3), out = guest_word(&g, 0);
    for (int i = 0; i < 10000; i++) {
        E(&g, CALL(&g, WASINN_LOAD_BY_NAME, name, 3, out), WASINN_SUCCESS);
        assert_true(guest_read(&g, out) > last);
        last = guest_read(&g, out);
        E(&g, CALL(&g, WASINN_UNLOAD, last), WASINN_SUCCESS);
        E(&g, CALL(&g, WASINN_UNLOAD, last), WASINN_INVALID_ARGUMENT);
        E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, last, out), WASINN_INVALID_ARGUMENT);
    }
    guest_end(&g);
}

static void t14_every_function_before_a_load(void **state)
{
    struct guest g;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    uint32_t out = guest_word(&g, 0), t = guest_tensor(&g, 1, UDIMS(1, 4), four, sizeof four);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, 1, out), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_SET_INPUT, 1, 0, t), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_COMPUTE, 1), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_GET_OUTPUT, 1, 0, out, 4, out), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, "x", 1), 1, out), WASINN_NOT_FOUND);
    E(&g, CALL(&g, WASINN_UNLOAD, 1), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_FINALIZE_EXECUTION_CONTEXT, 1), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_COUNT, 1, 0, out), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_DESCRIBE, 1, 0, 0, out, 4, out), WASINN_INVALID_ARGUMENT);
    guest_end(&g);
}

static void t15_t19_inputs_persist(void **state)
{
    static const float a[2] = { 5, 7 }, b[2] = { 1, 2 }, b2[2] = { 3, 3 };
    static const float first[2] = { 4, 5 }, second[2] = { 2, 4 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_sub());
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_RUNTIME_ERROR);
    E(&g, guest_set(&g, c, 0, 1, UDIMS(1, 2), a, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_RUNTIME_ERROR);
    assert_non_null(strstr(wasinn_last_error(g.instance), "input 1 `b` is not set"));
    E(&g, guest_set(&g, c, 1, 1, UDIMS(1, 2), b, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, first);
    uint32_t c2 = guest_context(&g, model_sub());
    E(&g, guest_set(&g, c2, 0, 1, UDIMS(1, 2), b, 8), WASINN_SUCCESS);
    E(&g, guest_set(&g, c2, 1, 1, UDIMS(1, 2), b, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c2), WASINN_SUCCESS);
    assert_output(&g, c, 0, first);
    E(&g, guest_set(&g, c, 1, 1, UDIMS(1, 2), b2, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, second);
    guest_end(&g);
}

static void t16_outputs_before_and_after_a_failed_compute(void **state)
{
    uint32_t size;
    uint8_t bytes[16];
    static const float a[2] = { 5, 7 }, b[4] = { 1, 2, 3, 4 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_sub());
    E(&g, guest_get(&g, c, 0, bytes, 8, &size), WASINN_RUNTIME_ERROR);
    E(&g, guest_set(&g, c, 0, 1, UDIMS(1, 2), a, 8), WASINN_SUCCESS);
    E(&g, guest_set(&g, c, 1, 1, UDIMS(1, 2), a, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    E(&g, guest_get(&g, c, 0, bytes, 8, &size), WASINN_SUCCESS);
    E(&g, guest_set(&g, c, 1, 1, UDIMS(2, 2), b, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_INVALID_ARGUMENT);
    E(&g, guest_get(&g, c, 0, bytes, 8, &size), WASINN_RUNTIME_ERROR);
    guest_end(&g);
}

static void t17_t18_outputs_stay_and_the_last_input_holds(void **state)
{
    static const float other[4] = { 9, 9, 9, 9 }, ten[4] = { 10, 10, 10, 10 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    E(&g, guest_set(&g, c, 0, 1, UDIMS(1, 4), four, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, five);
    assert_output(&g, c, 0, five);
    E(&g, guest_set(&g, c, 0, 1, UDIMS(1, 4), other, 16), WASINN_SUCCESS);
    assert_output(&g, c, 0, five);
    E(&g, guest_set(&g, c, 0, 1, UDIMS(1, 3), other, 12), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, ten);
    guest_end(&g);
}

static void t20_all_arguments_0xffffffff(void **state)
{
    struct guest g;
    size_t count;
    uint32_t args[8];
    const wasinn_function_row *rows = wasinn_functions(&count);
    (void)state;
    memset(args, 0xff, sizeof args);
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t e =
            wasinn_call(g.instance, (wasinn_function)i, guest_memory(&g), args, rows[i].parameters);
        assert_in_range(e, 1, 8);
    }
    guest_end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t01_t02_records_at_odd_addresses_with_padding),
        cmocka_unit_test(t03_parameters_of_the_functions),
        cmocka_unit_test(t04_encodings_that_no_backend_has),
        cmocka_unit_test(t05_targets),
        cmocka_unit_test(t06_u8_in_three_numberings),
        cmocka_unit_test(t07_every_type_code),
        cmocka_unit_test(t08_autodetection),
        cmocka_unit_test(t09_t10_handles),
        cmocka_unit_test(t11_handles_of_others_and_stale_ones),
        cmocka_unit_test(t14_every_function_before_a_load),
        cmocka_unit_test(t15_t19_inputs_persist),
        cmocka_unit_test(t16_outputs_before_and_after_a_failed_compute),
        cmocka_unit_test(t17_t18_outputs_stay_and_the_last_input_holds),
        cmocka_unit_test(t20_all_arguments_0xffffffff),
    };
    return run_on_backends("order", tests, sizeof tests / sizeof *tests);
}
