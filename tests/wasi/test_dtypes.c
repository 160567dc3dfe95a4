/* T21 to T43: dtypes, shapes, sizes. */
#include "wasi/guest.h"

#include <stdio.h>
#include <stdlib.h>

enum { F16, F32, F64, U8, I32, I64 }; /* codes of 2023 */

static void run_identity(int onnx, uint32_t code, const void *bytes, size_t size)
{
    struct guest g;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_identity(onnx));
    E(&g, guest_set(&g, c, 0, code, UDIMS(4), bytes, size), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output_bytes(&g, c, 0, bytes, size, __FILE__, __LINE__);
    guest_end(&g);
}

static void t21_classifier_of_one_and_three(void **state)
{
    static const float x[12] = { 1, 2, 3, 4, 9, 0, 0, 2, 0, 0, 0, 0 };
    static const float p[9] = { 3, 3, 1, 10, .5f, -1, 0, 0, 0 };
    static const int64_t labels[3] = { 0, 0, 0 };
    static const float x2[4] = { 0, 8, 1, 0 }, p2[3] = { 0, 8, 1 };
    static const int64_t label2[1] = { 1 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_classifier());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 4), x2, sizeof x2), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, label2);
    assert_output(&g, c, 1, p2);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(3, 4), x, sizeof x), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, labels);
    assert_output(&g, c, 1, p);
    guest_end(&g);
}

static void t22_identities_are_bit_exact(void **state)
{
    static const uint16_t f16[4] = { 0x7e01, 0x8000, 0x7bff, 0xfc00 };
    static const uint32_t f32[4] = { 0x7fc12345, 0x80000000, 0x00000001, 0xff800000 };
    static const uint64_t f64[4] = { 0x7ff8000000012345, 0x8000000000000000, 1,
                                     0x7fefffffffffffff };
    static const uint8_t u8[4] = { 0, 255, 128, 1 };
    static const int32_t i32[4] = { INT32_MIN, INT32_MAX, -1, 0 };
    static const int64_t i64[4] = { INT64_MIN, INT64_MAX, -1, (1ll << 53) + 1 };
    (void)state;
    run_identity(ONNX_FLOAT16, F16, f16, sizeof f16);
    run_identity(ONNX_FLOAT, F32, f32, sizeof f32);
    run_identity(ONNX_UINT8, U8, u8, sizeof u8);
    run_identity(ONNX_INT32, I32, i32, sizeof i32);
    run_identity(ONNX_INT64, I64, i64, sizeof i64);
    if (!backend_is_webnn()) /* there float64 is refused: T7 */
        run_identity(ONNX_DOUBLE, F64, f64, sizeof f64);
}

static void t23_bfloat16(void **state)
{
    static const uint16_t bits[4] = { 0x3f80, 0x8000, 0x7f7f, 0xff80 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_identity(ONNX_BFLOAT16));
    E(&g, guest_set(&g, c, 0, F16, UDIMS(4), bits, 8), WASINN_UNSUPPORTED_OPERATION);
    guest_end(&g);
    guest_begin_with(&g, &(wasinn_host_options){ .dtypes = WASINN_DTYPES_WIT }, NULL, 0);
    c = guest_context(&g, model_identity(ONNX_BFLOAT16));
    E(&g, guest_set(&g, c, 0, 3, UDIMS(4), bits, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, bits);
    guest_end(&g);
}

static void t24_bool_goes_as_u8(void **state)
{
    static const uint8_t given[4] = { 0, 1, 7, 255 }, found[4] = { 0, 1, 1, 1 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_identity(ONNX_BOOL));
    E(&g, guest_set(&g, c, 0, U8, UDIMS(4), given, 4), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, found);
    guest_end(&g);
}

static void t25_equal_length_is_not_equal_dtype(void **state)
{
    static const float f[8] = { 0 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_identity(ONNX_INT64));
    E(&g, guest_set(&g, c, 0, F32, UDIMS(8), f, 32), WASINN_INVALID_ARGUMENT);
    guest_end(&g);
}

static void t26_labels_are_eight_bytes(void **state)
{
    static const float x[8] = { 0, 1, 0, 0, 0, 0, 1, 0 };
    static const int64_t labels[2] = { 1, 2 };
    struct guest g;
    uint32_t size;
    uint8_t few[8];
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_classifier());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2, 4), x, 32), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    E(&g, guest_get(&g, c, 0, few, 8, &size), WASINN_TOO_LARGE);
    assert_int_equal(size, 16);
    assert_output(&g, c, 0, labels);
    guest_end(&g);
}

static void t27_inputs_of_several_dtypes(void **state)
{
    static const float data[4] = { 10, 20, 30, 40 }, found[2] = { 40, 20 };
    static const int64_t indices[2] = { 3, 1 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_gather());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(4), data, 16), WASINN_SUCCESS);
    E(&g, guest_set(&g, c, 1, I64, UDIMS(2), indices, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, found);
    guest_end(&g);
}

static void mixed_outputs(uint32_t policy)
{
    static const float x[2] = { 0, -3 }, f[2] = { -0.0f, 3 };
    static const uint8_t t[2] = { 0, 1 };
    static const int32_t wide[2] = { 0, -3 };
    struct guest g;
    uint32_t size;
    uint8_t bytes[16];
    guest_begin_with(&g, &(wasinn_host_options){ .policy = policy }, NULL, 0);
    uint32_t c = guest_context(&g, model_mixed());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2), x, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, f);
    assert_output(&g, c, 1, t);
    if (policy & WASINN_WIDEN)
        assert_output(&g, c, 2, wide);
    else
        E(&g, guest_get(&g, c, 2, bytes, 8, &size), WASINN_UNSUPPORTED_OPERATION);
    E(&g, guest_get(&g, c, 3, bytes, 8, &size), WASINN_UNSUPPORTED_OPERATION);
    assert_output(&g, c, 0, f);
    guest_end(&g);
}

static void t28_one_odd_output_spoils_no_other(void **state)
{
    (void)state;
    mixed_outputs(0);
}

static void t29_widened_output(void **state)
{
    (void)state;
    mixed_outputs(WASINN_WIDEN);
}

static void t30_zipmap_is_bypassed(void **state)
{
    static const float x[8] = { 0, 1, 0, 0, 0, 0, 1, 0 }, p[6] = { 0, 1, 0, 0, 0, 1 };
    static const int64_t labels[2] = { 1, 2 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_zipmap());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2, 4), x, 32), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, labels);
    assert_output(&g, c, 1, p);
    assert_true(log_has(&g, "ZipMap"));
    guest_end(&g);
}

static void t31_sequences_and_strings(void **state)
{
    static const float x[2] = { 1, 2 }, y[2] = { -1, -2 };
    struct guest g;
    uint32_t size, graph, out;
    uint8_t bytes[16];
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_sequence());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2), x, 8), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, y);
    E(&g, guest_get(&g, c, 1, bytes, 16, &size), WASINN_UNSUPPORTED_OPERATION);
    uint32_t e = guest_load(&g, model_identity(ONNX_STRING), ENC_ONNX, &graph);
    E(&g, e, backend_is_webnn() ? WASINN_UNSUPPORTED_OPERATION : WASINN_SUCCESS);
    if (e == WASINN_SUCCESS) {
        out = guest_word(&g, 0);
        E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
        E(&g, guest_set(&g, guest_read(&g, out), 0, U8, UDIMS(4), x, 4),
          WASINN_UNSUPPORTED_OPERATION);
    }
    guest_end(&g);
}

static void t32_texts_name_found_and_expected(void **state)
{
    static const uint8_t bytes[64] = { 0 };
    static const struct {
        uint32_t type, dims[2];
        size_t rank, size;
        const char *text;
    } cases[] = {
        { I64, { 1, 4 }, 2, 32, "input 0 `x`: got i64 [1,4], model wants f32 [N,4]" },
        { F32, { 4 }, 1, 16, "input 0 `x`: got f32 [4], model wants f32 [N,4]" },
        { F32, { 1, 5 }, 2, 20, "input 0 `x`: got f32 [1,5], model wants f32 [N,4]" },
        { F32, { 1, 4 }, 2, 12, "input 0 `x`: f32 [1,4] has 16 bytes, the tensor gives 12" },
    };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        E(&g,
          guest_set(&g, c, 0, cases[i].type, cases[i].dims, cases[i].rank, bytes, cases[i].size),
          WASINN_INVALID_ARGUMENT);
        assert_string_equal(wasinn_last_error(g.instance), cases[i].text);
        assert_true(log_has(&g, cases[i].text));
    }
    guest_end(&g);
}

static void t33_unknown_operators_are_named(void **state)
{
    struct guest g;
    uint32_t h;
    (void)state;
    guest_begin(&g);
    E(&g, guest_load(&g, model_custom(), ENC_ONNX, &h), WASINN_UNSUPPORTED_OPERATION);
    assert_non_null(strstr(wasinn_last_error(g.instance), "Foo"));
    assert_non_null(strstr(wasinn_last_error(g.instance), "Bar"));
    guest_end(&g);
}

static uint32_t load_on(struct guest *g, uint32_t target)
{
    struct span m = model_add();
    uint32_t builder[2] = { guest_put(g, m.data, m.size), (uint32_t)m.size };
    return CALL(g, WASINN_LOAD, guest_put(g, builder, 8), 1, ENC_ONNX, target, guest_word(g, 0));
}

static void t34_t35_targets_without_device(void **state)
{
    struct guest g;
    (void)state;
    guest_begin(&g);
    E(&g, load_on(&g, WASINN_GPU), WASINN_UNSUPPORTED_OPERATION);
    E(&g, load_on(&g, WASINN_TPU), WASINN_UNSUPPORTED_OPERATION);
    guest_end(&g);
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_TARGET_FALLBACK }, NULL, 0);
    E(&g, load_on(&g, WASINN_TPU), WASINN_SUCCESS);
    assert_true(log_has(&g, "the graph runs on cpu"));
    guest_end(&g);
}

static uint32_t computed(struct guest *g)
{
    static const float x[4] = { 1, 2, 3, 4 };
    uint32_t c = guest_context(g, model_add());
    E(g, guest_set(g, c, 0, F32, UDIMS(1, 4), x, 16), WASINN_SUCCESS);
    E(g, CALL(g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    return c;
}

static void t36_t37_buffers_that_are_too_small(void **state)
{
    struct guest g;
    uint32_t size;
    uint8_t bytes[15];
    (void)state;
    guest_begin(&g);
    uint32_t c = computed(&g), out = guest_word(&g, 0);
    E(&g, guest_get(&g, c, 0, bytes, 15, &size), WASINN_TOO_LARGE);
    assert_int_equal(size, 16);
    for (int i = 0; i < 15; i++)
        assert_int_equal(bytes[i], 0x5a);
    E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, 0xffffffff, 0, out), WASINN_TOO_LARGE);
    assert_int_equal(guest_read(&g, out), 16);
    uint32_t at = guest_put(&g, (uint8_t[17]){ [16] = 0x5a }, 17);
    E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, at, 17, out), WASINN_SUCCESS);
    assert_int_equal(guest_read(&g, out), 16);
    assert_int_equal(g.memory[at + 16], 0x5a);
    guest_end(&g);
}

static void t38_the_size_inside_of_the_buffer(void **state)
{
    static const float y[4] = { 2, 3, 4, 5 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = computed(&g), at = guest_put(&g, y, 16);
    memset(g.memory + at, 0, 16);
    E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, at, 16, at + 4), WASINN_SUCCESS);
    assert_int_equal(guest_read(&g, at + 4), 16);
    assert_memory_equal(g.memory + at, y, 4);
    assert_memory_equal(g.memory + at + 8, y + 2, 8);
    guest_end(&g);
}

static void t39_t42_sizes_from_run_to_run(void **state)
{
    static const float x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[8] = { 2, 3, 4, 5, 6, 7, 8, 9 };
    struct guest g;
    uint32_t size;
    (void)state;
    guest_begin(&g);
    uint32_t c = computed(&g);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2, 4), x, 32), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, y);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 4), x, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output_bytes(&g, c, 0, y, 16, __FILE__, __LINE__);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(0, 4), x, 0), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    E(&g, guest_get(&g, c, 0, NULL, 0, &size), WASINN_SUCCESS);
    assert_int_equal(size, 0);
    uint32_t at = guest_put(&g, (uint8_t[4]){ 1, 2, 3, 4 }, 4), out = guest_word(&g, 9);
    E(&g, CALL(&g, WASINN_GET_OUTPUT, c, 0, at, 4, out), WASINN_SUCCESS);
    assert_int_equal(guest_read(&g, out), 0);
    assert_memory_equal(g.memory + at, ((uint8_t[4]){ 1, 2, 3, 4 }), 4);
    guest_end(&g);
}

/* More than is usual of a dim of that name. */
static void t42_a_batch_of_many(void **state)
{
    enum { MANY = 200 };
    static float x[MANY * 4], y[MANY * 4];
    struct guest g;
    (void)state;
    for (int i = 0; i < MANY * 4; i++)
        y[i] = (x[i] = (float)i) + 1;
    guest_begin(&g);
    uint32_t c = computed(&g);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(MANY, 4), x, sizeof x), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, y);
    guest_end(&g);
}

static void t42_open_dims_without_a_name_are_their_own(void **state)
{
    static const float a[4] = { 1, 2, 3, 4 }, b[2] = { 5, 6 }, y[6] = { 1, 2, 3, 4, 5, 6 };
    struct guest g;
    (void)state;
    for (int named = 0; named < 2; named++) {
        guest_begin(&g);
        uint32_t c = guest_context(&g, named ? model_join_question() : model_join());
        E(&g, guest_set(&g, c, 0, F32, UDIMS(2, 2), a, 16), WASINN_SUCCESS);
        E(&g, guest_set(&g, c, 1, F32, UDIMS(1, 2), b, 8), WASINN_SUCCESS);
        E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
        assert_output(&g, c, 0, y);
        E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 2), a, 8), WASINN_SUCCESS);
        E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
        assert_output_bytes(&g, c, 0, (const float[4]){ 1, 2, 5, 6 }, 16, __FILE__, __LINE__);
        guest_end(&g);
    }
}

static void t40_inputs_are_copied(void **state)
{
    static const float x[4] = { 1, 2, 3, 4 }, y[4] = { 2, 3, 4, 5 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    uint32_t t = guest_tensor(&g, F32, UDIMS(1, 4), x, 16);
    E(&g, CALL(&g, WASINN_SET_INPUT, c, 0, t), WASINN_SUCCESS);
    memset(g.memory, 0, GUEST_MEMORY);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, y);
    guest_end(&g);
}

static void t41_memory_moves_between_calls(void **state)
{
    static const float x[4] = { 1, 2, 3, 4 }, y[4] = { 2, 3, 4, 5 };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_add());
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 4), x, 16), WASINN_SUCCESS);
    for (int step = 0; step < 2; step++) {
        uint8_t *moved = malloc(GUEST_MEMORY);
        assert_non_null(moved);
        memcpy(moved, g.memory, GUEST_MEMORY);
        memset(g.memory, 0xee, GUEST_MEMORY);
        free(g.memory);
        g.memory = moved;
        if (step == 0)
            E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    }
    assert_output(&g, c, 0, y);
    guest_end(&g);
}

static void t43_t76_scalars(void **state)
{
    static const float x[2] = { 1, 2 }, y[1] = { 2 };
    struct guest g;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    uint32_t c = guest_context(&g, model_scalar());
    E(&g, guest_set(&g, c, 0, F32, NO_DIMS, x, 4), WASINN_SUCCESS);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1), x, 4), WASINN_SUCCESS);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2), x, 8), WASINN_INVALID_ARGUMENT);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(1, 1), x, 4), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    assert_output(&g, c, 0, y);
    uint32_t at = guest_put(&g, "", 0), out;
    g.top += 200;
    out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_DESCRIBE, 1, 1, 0, at, 200, out), WASINN_SUCCESS);
    assert_span(((struct span){ g.memory + at, guest_read(&g, out) }),
                "{\"name\":\"y\",\"type\":\"f32\",\"dims\":[]}");
    guest_end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t21_classifier_of_one_and_three),
        cmocka_unit_test(t22_identities_are_bit_exact),
        cmocka_unit_test(t23_bfloat16),
        cmocka_unit_test(t24_bool_goes_as_u8),
        cmocka_unit_test(t25_equal_length_is_not_equal_dtype),
        cmocka_unit_test(t26_labels_are_eight_bytes),
        cmocka_unit_test(t27_inputs_of_several_dtypes),
        cmocka_unit_test(t28_one_odd_output_spoils_no_other),
        cmocka_unit_test(t29_widened_output),
        cmocka_unit_test(t30_zipmap_is_bypassed),
        cmocka_unit_test(t31_sequences_and_strings),
        cmocka_unit_test(t32_texts_name_found_and_expected),
        cmocka_unit_test(t33_unknown_operators_are_named),
        cmocka_unit_test(t34_t35_targets_without_device),
        cmocka_unit_test(t36_t37_buffers_that_are_too_small),
        cmocka_unit_test(t38_the_size_inside_of_the_buffer),
        cmocka_unit_test(t39_t42_sizes_from_run_to_run),
        cmocka_unit_test(t42_a_batch_of_many),
        cmocka_unit_test(t42_open_dims_without_a_name_are_their_own),
        cmocka_unit_test(t40_inputs_are_copied),
        cmocka_unit_test(t41_memory_moves_between_calls),
        cmocka_unit_test(t43_t76_scalars),
    };
    return run_on_backends("dtypes", tests, sizeof tests / sizeof *tests);
}
