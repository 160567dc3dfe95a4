/* T69 to T74: wasi:nn on host values, and its lowered form on a buffer. */
#include "wasi/guest.h"

#include <stdlib.h>

enum { AUTODETECT = 6, GGML = 5, FP32 = 1, I32 = 5, I64 = 6 };

static const float four[4] = { 1, 2, 3, 4 };
static const float five[4] = { 2, 3, 4, 5 };

static wasinn_bytes bytes_of(const char *text)
{
    return (wasinn_bytes){ text, strlen(text) };
}

static uint32_t load(struct guest *g, struct span model)
{
    const wasinn_bytes builder = { model.data, model.size };
    uint32_t rep = 0;
    if (!wasinn_graph_load(g->instance, &builder, 1, AUTODETECT, 0, &rep))
        fail_msg("%s", wasinn_last_error(g->instance));
    return rep;
}

static uint32_t context_of(struct guest *g, struct span model)
{
    uint32_t rep = 0;
    assert_true(wasinn_context_new(g->instance, load(g, model), &rep));
    return rep;
}

static uint32_t tensor_of(struct guest *g, uint32_t type, const uint32_t *dims, size_t rank,
                          const void *data, size_t size)
{
    uint32_t rep = wasinn_tensor_new(g->instance, dims, rank, type, (wasinn_bytes){ data, size });
    assert_int_not_equal(rep, 0);
    return rep;
}

/* The error's code, its object dropped. */
static wasinn_code code_of(struct guest *g, uint32_t rep)
{
    wasinn_code code = WASINN_CODE_UNKNOWN;
    const char *text = "";
    assert_true(wasinn_error_get(g->instance, rep, &code, &text));
    assert_true(*text != 0);
    assert_true(wasinn_drop(g->instance, WASINN_RESOURCE_ERROR, rep));
    assert_false(wasinn_drop(g->instance, WASINN_RESOURCE_ERROR, rep));
    return code;
}

static wasinn_code compute_fails(struct guest *g, uint32_t c, const wasinn_named_tensor *inputs,
                                 size_t count)
{
    const wasinn_named_tensor *outputs;
    size_t output_count;
    uint32_t error = 0;
    assert_false(
        wasinn_context_compute(g->instance, c, inputs, count, &outputs, &output_count, &error));
    return code_of(g, error);
}

static void assert_nothing_left(struct guest *g, uint32_t graphs, uint32_t contexts)
{
    wasinn_stats s = { .size = sizeof s };
    wasinn_instance_stats(g->instance, &s);
    assert_int_equal(s.graphs, graphs);
    assert_int_equal(s.contexts, contexts);
    assert_int_equal(s.tensors, 0);
    assert_int_equal(s.error_objects, 0);
}

static void t69_two_outputs_with_names_dims_and_dtypes(void **state)
{
    static const float x[4] = { 0, 8, 1, 0 }, p[3] = { 0, 8, 1 };
    static const int64_t label = 1;
    struct guest g;
    const wasinn_named_tensor *outputs;
    size_t count;
    uint32_t error;
    wasinn_tensor_view v;
    (void)state;
    guest_begin(&g);
    uint32_t c = context_of(&g, model_classifier());
    const wasinn_named_tensor in = { bytes_of("x"), tensor_of(&g, FP32, UDIMS(1, 4), x, 16) };
    assert_true(wasinn_context_compute(g.instance, c, &in, 1, &outputs, &count, &error));
    assert_int_equal(count, 2);
    assert_int_equal(outputs[0].name.size, 5);
    assert_true(wasinn_tensor_get(g.instance, outputs[0].tensor, &v));
    assert_true(v.type == I64 && v.rank == 1 && v.dims[0] == 1 && v.data.size == 8);
    assert_memory_equal(v.data.data, &label, 8);
    assert_true(wasinn_tensor_get(g.instance, outputs[1].tensor, &v));
    assert_true(v.type == FP32 && v.rank == 2 && v.dims[1] == 3 && v.data.size == 12);
    assert_memory_equal(v.data.data, p, 12);
    for (int i = 0; i < 2; i++)
        assert_true(wasinn_drop(g.instance, WASINN_RESOURCE_TENSOR, outputs[i].tensor));
    assert_nothing_left(&g, 1, 1);
    guest_end(&g);
}

static void t70_mistakes_with_inputs(void **state)
{
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = context_of(&g, model_sub());
    const float two[2] = { 1, 2 };
#define TENSOR(type, size) tensor_of(&g, type, UDIMS(1, 2), two, size)
    const struct {
        const char *first, *second;
        uint32_t type;
        size_t size;
    } cases[] = {
        { "a", "c", FP32, 8 }, { "a", "a", FP32, 8 }, { "a", "b", I32, 8 },
        { "a", "b", FP32, 7 }, { "0", "1", FP32, 8 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wasinn_named_tensor in[2] = {
            { bytes_of(cases[i].first), TENSOR(FP32, 8) },
            { bytes_of(cases[i].second), TENSOR(cases[i].type, cases[i].size) },
        };
        assert_int_equal(compute_fails(&g, c, in, 2), WASINN_CODE_INVALID_ARGUMENT);
        assert_nothing_left(&g, 1, 1);
    }
    const wasinn_named_tensor one = { bytes_of("a"), TENSOR(FP32, 8) };
    assert_int_equal(compute_fails(&g, c, &one, 1), WASINN_CODE_INVALID_ARGUMENT);
    assert_non_null(strstr(wasinn_last_error(g.instance), "the inputs are: a b"));
    guest_end(&g);
}

static void t71_a_hundred_thousand_rounds(void **state)
{
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = context_of(&g, model_add());
    for (int n = 0; n < 100000; n++) {
        const wasinn_named_tensor *outputs;
        size_t count;
        uint32_t error;
        const wasinn_named_tensor in = { bytes_of("x"),
                                         tensor_of(&g, FP32, UDIMS(1, 4), four, 16) };
        assert_true(wasinn_context_compute(g.instance, c, &in, 1, &outputs, &count, &error));
        assert_true(wasinn_drop(g.instance, WASINN_RESOURCE_TENSOR, outputs[0].tensor));
    }
    for (int n = 0; n < 100000; n++)
        assert_int_equal(compute_fails(&g, c, NULL, 0), WASINN_CODE_INVALID_ARGUMENT);
    assert_nothing_left(&g, 1, 1);
    guest_end(&g);
}

static void t72_codes(void **state)
{
    const wasinn_bytes junk = bytes_of("junk");
    struct guest g;
    uint32_t rep = 0;
    (void)state;
    guest_begin(&g);
    struct span m = model_add(), e = model_external("w.bin");
    const wasinn_bytes add = { m.data, m.size }, external = { e.data, e.size };
    assert_false(wasinn_graph_load(g.instance, &add, 1, GGML, 0, &rep));
    assert_int_equal(code_of(&g, rep), WASINN_CODE_INVALID_ENCODING);
    assert_false(wasinn_graph_load(g.instance, &junk, 1, AUTODETECT, 0, &rep));
    assert_int_equal(code_of(&g, rep), WASINN_CODE_INVALID_ENCODING);
    assert_false(wasinn_graph_load(g.instance, &external, 1, AUTODETECT, 0, &rep));
    assert_int_equal(code_of(&g, rep), WASINN_CODE_SECURITY);
    assert_false(wasinn_graph_load(g.instance, &add, 1, AUTODETECT, WASINN_GPU, &rep));
    assert_int_equal(code_of(&g, rep), WASINN_CODE_UNSUPPORTED_OPERATION);
    assert_false(wasinn_graph_load_by_name(g.instance, bytes_of("/etc/passwd"), &rep));
    assert_int_equal(code_of(&g, rep), WASINN_CODE_NOT_FOUND);
    uint32_t graph = load(&g, m), c = 0, error;
    assert_true(wasinn_context_new(g.instance, graph, &c));
    assert_true(wasinn_drop(g.instance, WASINN_RESOURCE_GRAPH, graph));
    const wasinn_named_tensor in = { bytes_of("x"), tensor_of(&g, FP32, UDIMS(1, 4), four, 16) };
    const wasinn_named_tensor *outputs;
    size_t count;
    assert_true(wasinn_context_compute(g.instance, c, &in, 1, &outputs, &count, &error));
    guest_end(&g);
}

static void t72_a_deadline_is_a_timeout(void **state)
{
    struct guest g;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .limits = { .compute_ms = 200 } }, NULL, 0);
    uint32_t c = context_of(&g, backend_is_webnn() ? model_products(500, 5000, false)
                                                   : model_loop(INT64_MAX));
    const wasinn_named_tensor in = { bytes_of("x"), tensor_of(&g, FP32, UDIMS(1), four, 4) };
    assert_int_equal(compute_fails(&g, c, &in, 1), WASINN_CODE_TIMEOUT);
    guest_end(&g);
}

static void t76_a_scalar_output_has_dims_of_one(void **state)
{
    struct guest g;
    const wasinn_named_tensor *outputs;
    wasinn_tensor_view v;
    size_t count;
    uint32_t error;
    (void)state;
    guest_begin(&g);
    uint32_t c = context_of(&g, model_scalar());
    const wasinn_named_tensor in = { bytes_of("x"), tensor_of(&g, FP32, NO_DIMS, four, 4) };
    assert_true(wasinn_context_compute(g.instance, c, &in, 1, &outputs, &count, &error));
    assert_true(wasinn_tensor_get(g.instance, outputs[0].tensor, &v));
    assert_true(v.rank == 1 && v.dims[0] == 1);
    guest_end(&g);
}

/* --- lowered ------------------------------------------------------------------------------------------ */

static wasinn_memory lowered_memory(void *user)
{
    return guest_memory(user);
}

/* The memory moves, as it may when it grows. */
static bool lowered_realloc(void *user, uint32_t align, uint32_t size, uint32_t *address)
{
    struct guest *g = user;
    uint8_t *moved = malloc(GUEST_MEMORY);
    assert_non_null(moved);
    memcpy(moved, g->memory, GUEST_MEMORY);
    free(g->memory);
    g->memory = moved;
    g->top = (g->top + align - 1) / align * align;
    *address = g->top;
    g->top += size;
    return true;
}

static size_t row_of(const char *name)
{
    size_t count, i = 0;
    const wasinn_lowered_row *rows = wasinn_lowered_functions(&count);
    while (i < count && strcmp(rows[i].name, name) != 0)
        i++;
    assert_true(i < count);
    return i;
}

static bool lowered(struct guest *g, const char *name, const uint32_t args[8], uint32_t *result)
{
    const wasinn_guest guest = { lowered_memory, lowered_realloc, g };
    const char *trap = NULL;
    return wasinn_call_lowered(g->instance, row_of(name), &guest, args, result, &trap);
}

static void t74_lists_come_back_through_memory_that_moves(void **state)
{
    struct guest g;
    uint32_t none, tensor;
    (void)state;
    guest_begin(&g);
    uint32_t c = context_of(&g, model_add());
    const uint32_t dims[2] = { 1, 4 };
    memcpy(g.memory + 64, dims, 8);
    memcpy(g.memory + 80, four, 16);
    memcpy(g.memory + 96, "x", 1);
    assert_true(lowered(&g, "[constructor]tensor", (uint32_t[8]){ 64, 2, FP32, 80, 16 }, &tensor));
    const uint32_t pair[3] = { 96, 1, tensor };
    memcpy(g.memory + 112, pair, 12);
    assert_true(lowered(&g, "[method]graph-execution-context.compute",
                        (uint32_t[8]){ c, 112, 1, 128 }, &none));
    assert_int_equal(g.memory[128], 0);
    assert_int_equal(guest_read(&g, 136), 1);
    uint32_t list = guest_read(&g, 132), y = guest_read(&g, list + 8);
    assert_int_equal(g.memory[guest_read(&g, list)], 'y');
    assert_true(lowered(&g, "[method]tensor.data", (uint32_t[8]){ y, 128 }, &none));
    assert_int_equal(guest_read(&g, 132), 16);
    assert_memory_equal(g.memory + guest_read(&g, 128), five, 16);
    assert_true(lowered(&g, "[resource-drop]tensor", (uint32_t[8]){ y }, &none));
    assert_nothing_left(&g, 1, 1);
    guest_end(&g);
}

static void t74_what_the_abi_forbids_traps(void **state)
{
    struct guest g;
    uint32_t none, tensor;
    (void)state;
    guest_begin(&g);
    uint32_t c = context_of(&g, model_add());
    assert_true(lowered(&g, "[constructor]tensor", (uint32_t[8]){ 64, 0, FP32, 80, 4 }, &tensor));
    const uint32_t pairs[6] = { 96, 1, tensor, 96, 1, tensor };
    memcpy(g.memory + 112, pairs, 24);
    assert_false(lowered(&g, "[constructor]tensor", (uint32_t[8]){ 65, 1, FP32, 80, 4 }, &none));
    assert_false(lowered(&g, "[constructor]tensor", (uint32_t[8]){ 64, 0, 7, 80, 4 }, &none));
    assert_false(lowered(&g, "[method]tensor.ty", (uint32_t[8]){ c }, &none));
    assert_false(lowered(&g, "[resource-drop]graph", (uint32_t[8]){ 9 }, &none));
    assert_false(lowered(&g, "[method]graph-execution-context.compute",
                         (uint32_t[8]){ c, 112, 2, 128 }, &none)); /* one tensor twice */
    assert_false(lowered(&g, "[method]graph-execution-context.compute",
                         (uint32_t[8]){ c, GUEST_MEMORY - 8, 1, 128 }, &none));
    assert_false(lowered(&g, "load", (uint32_t[8]){ 64, 0, 7, 0, 128 }, &none));
    assert_false(lowered(&g, "load-by-name", (uint32_t[8]){ 64, 4, GUEST_MEMORY - 4 }, &none));
    guest_end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t69_two_outputs_with_names_dims_and_dtypes),
        cmocka_unit_test(t70_mistakes_with_inputs),
        cmocka_unit_test(t71_a_hundred_thousand_rounds),
        cmocka_unit_test(t72_codes),
        cmocka_unit_test(t72_a_deadline_is_a_timeout),
        cmocka_unit_test(t74_lists_come_back_through_memory_that_moves),
        cmocka_unit_test(t74_what_the_abi_forbids_traps),
        cmocka_unit_test(t76_a_scalar_output_has_dims_of_one),
    };
    return run_on_backends("component", tests, sizeof tests / sizeof *tests);
}
