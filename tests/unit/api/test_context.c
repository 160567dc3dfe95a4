/* Contexts, and what outlives them. */
#include "graphs.h"

static void the_default_backend_is_cpu(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    assert_string_equal(webnn_context_backend(c)->name, "cpu");
    webnn_context_free(c);
    webnn_context_free(NULL);
}

static void an_alias_is_its_backend(void **state)
{
    (void)state;
    webnn_context *c = NULL;
    webnn_context_options o = { .size = sizeof o, .backend = "burn-cpu" };
    assert_ok(webnn_context_create(&o, &c, NULL));
    assert_string_equal(webnn_context_backend(c)->name, "cpu");
    assert_ptr_equal(webnn_backend_find("burn-cpu"), webnn_backend_find("cpu"));
    webnn_context_free(c);
}

static void an_unknown_backend_is_refused(void **state)
{
    (void)state;
    webnn_context *c = NULL;
    o2w_error *e = NULL;
    webnn_context_options o = { .size = sizeof o, .backend = "gpu" };
    o2w_status s = webnn_context_create(&o, &c, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "no backend 'gpu'");
    assert_null(c);
    assert_null(webnn_backend_find("gpu"));
}

static void an_unknown_option_is_refused(void **state)
{
    (void)state;
    webnn_context *c = NULL;
    o2w_error *e = NULL;
    webnn_option option = { "warp", "9" };
    webnn_context_options o = { .size = sizeof o, .options = &option, .option_count = 1 };
    o2w_status s = webnn_context_create(&o, &c, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "backend 'cpu' has no option 'warp'");
}

static void every_compiled_backend_has_an_id(void **state)
{
    (void)state;
    size_t count, found = 0;
    const char *id;
    const webnn_backend_info *all = webnn_backends(&count);
    for (size_t i = 0; (id = webnn_backend_id(i)); i++)
        for (size_t k = 0; k < count; k++)
            found += strcmp(all[k].name, id) == 0;
    assert_int_equal(found, count);
}

static void limits_are_a_document(void **state)
{
    (void)state;
    char *text = NULL;
    assert_ok(webnn_backend_limits_json("cpu", &text, NULL));
    assert_non_null(strstr(text, "\"maxTensorByteLength\""));
    assert_non_null(strstr(text, "\"conv2d\""));
    char *own = NULL;
    webnn_context *c = cpu_context();
    assert_ok(webnn_context_limits(c, &own, NULL));
    assert_string_equal(own, text);
    webnn_text_free(own);
    webnn_context_free(c);
    webnn_text_free(text);
    text = NULL;
    assert_status(webnn_backend_limits_json("gpu", &text, NULL), O2W_INVALID_ARGUMENT);
    assert_null(text);
}

static void limits_are_values_too(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_limits limits = { .size = sizeof limits };
    webnn_slot_limits slot;
    webnn_context_limit_values(c, &limits);
    assert_int_equal(limits.size, sizeof limits);
    assert_int_equal(limits.min_dimension, 0);
    assert_int_equal(limits.max_rank, WEBNN_MAX_RANK);
    assert_true(limits.max_tensor_bytes > 1u << 31);
    assert_true(webnn_context_slot_limits(c, WEBNN_CONV2D, 0, &slot));
    assert_int_equal(slot.data_types, 1u << WEBNN_FLOAT32 | 1u << WEBNN_FLOAT16);
    assert_int_equal(slot.rank_min, 4);
    assert_int_equal(slot.rank_max, 4);
    assert_true(webnn_context_slot_limits(c, WEBNN_CONV2D, 3, &slot)); /* the result */
    assert_false(webnn_context_slot_limits(c, WEBNN_CONV2D, 4, &slot));
    assert_false(webnn_context_slot_limits(c, WEBNN_OPERATOR_COUNT, 0, &slot));
    assert_ok(webnn_wait(c, NULL));
    webnn_context_free(c);
}

static void a_graph_whose_context_was_freed_cannot_run(void **state)
{
    (void)state;
    webnn_context *c = cpu_context(), *other = cpu_context();
    webnn_graph *g = relu_graph(c, 3, NULL);
    webnn_context_free(c);
    webnn_tensor *x = tensor_of(other, 3), *y = tensor_of(other, 3);
    o2w_error *e = NULL;
    o2w_status s = webnn_dispatch(other, g, &(webnn_named_tensor){ "x", x }, 1,
                                  &(webnn_named_tensor){ "y", y }, 1, &e);
    assert_said(s, O2W_INVALID_STATE, e, "the graph's context was freed");
    uint64_t on_backend, nodes;
    assert_false(webnn_graph_placement(g, &on_backend, &nodes));
    assert_ok(webnn_graph_compile(other, g, NULL));
    assert_ok(webnn_dispatch(other, g, &(webnn_named_tensor){ "x", x }, 1,
                             &(webnn_named_tensor){ "y", y }, 1, NULL));
    webnn_tensor_free(x);
    webnn_tensor_free(y);
    webnn_context_free(other);
    webnn_graph_free(g);
}

static void a_tensor_whose_context_was_freed_is_dead(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_tensor *t = tensor_of(c, 3);
    float data[3] = { 0 };
    webnn_descriptor d;
    o2w_error *e = NULL;
    webnn_context_free(c);
    o2w_status s = webnn_tensor_write(t, data, sizeof data, &e);
    assert_said(s, O2W_INVALID_STATE, e, "the tensor's context was freed");
    assert_status(webnn_tensor_read(t, data, sizeof data, NULL), O2W_INVALID_STATE);
    assert_false(webnn_tensor_descriptor(t, &d));
    webnn_tensor_free(t);
}

static void a_builder_whose_context_was_freed_is_dead(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_builder *b = NULL;
    webnn_operand x;
    o2w_error *e = NULL;
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32 };
    assert_ok(webnn_builder_create(c, NULL, &b, NULL));
    webnn_context_free(c);
    o2w_status s = webnn_input(b, "x", &d, NULL, &x, &e);
    assert_said(s, O2W_INVALID_STATE, e, "the builder's context was freed");
    webnn_builder_free(b);
}

static void a_graph_belongs_to_one_context_at_a_time(void **state)
{
    (void)state;
    webnn_context *c = cpu_context(), *other = cpu_context();
    webnn_graph *g = relu_graph(c, 3, NULL);
    o2w_error *e = NULL;
    o2w_status s = webnn_graph_compile(other, g, &e);
    assert_said(s, O2W_INVALID_STATE, e, "the graph is compiled for another context");
    assert_ok(webnn_graph_compile(c, g, NULL)); /* again on its own is fine */
    webnn_graph_free(g);
    webnn_context_free(c);
    webnn_context_free(other);
}

static void all_orders_of_freeing_work(void **state)
{
    (void)state;
    for (int order = 0; order < 6; order++) {
        webnn_context *c = cpu_context();
        webnn_graph *a = relu_graph(c, 2, NULL), *b = relu_graph(c, 2, NULL);
        webnn_tensor *t = tensor_of(c, 2);
        if (order % 3 == 0)
            webnn_context_free(c);
        if (order < 3)
            webnn_graph_free(a);
        webnn_graph_free(b);
        if (order % 3 == 1)
            webnn_context_free(c);
        webnn_tensor_free(t);
        if (order >= 3)
            webnn_graph_free(a);
        if (order % 3 == 2)
            webnn_context_free(c);
    }
}

static o2w_status whole_life(const o2w_allocator *allocator, void *user)
{
    (void)user;
    o2w_environment e = { .size = sizeof e, .allocator = *allocator };
    webnn_context_options o = { .size = sizeof o, .environment = &e, .threads = 1 };
    webnn_context *c = NULL;
    webnn_builder *b = NULL;
    webnn_graph *g = NULL;
    webnn_tensor *t = NULL;
    webnn_operand x, y;
    size_t one = 1;
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { 3 } };
    o2w_status s = webnn_context_create(&o, &c, NULL);
    if (s == O2W_OK)
        s = webnn_tensor_create(c, &d, NULL, &t, NULL);
    if (s == O2W_OK)
        s = webnn_builder_create(c, NULL, &b, NULL);
    if (s == O2W_OK)
        s = webnn_input(b, "x", &d, NULL, &x, NULL);
    if (s == O2W_OK)
        s = webnn_op(b, WEBNN_RELU, &x, 1, NULL, NULL, &y, &one, NULL);
    if (s == O2W_OK)
        s = webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL);
    webnn_port port;
    if (s == O2W_OK && !webnn_graph_output(g, 0, &port))
        s = O2W_NO_MEMORY;
    webnn_graph_free(g);
    webnn_builder_free(b);
    webnn_tensor_free(t);
    webnn_context_free(c);
    return s;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    assert_true(sweep_allocations(whole_life, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_backend_is_cpu),
        cmocka_unit_test(an_alias_is_its_backend),
        cmocka_unit_test(an_unknown_backend_is_refused),
        cmocka_unit_test(an_unknown_option_is_refused),
        cmocka_unit_test(every_compiled_backend_has_an_id),
        cmocka_unit_test(limits_are_a_document),
        cmocka_unit_test(limits_are_values_too),
        cmocka_unit_test(a_graph_whose_context_was_freed_cannot_run),
        cmocka_unit_test(a_tensor_whose_context_was_freed_is_dead),
        cmocka_unit_test(a_builder_whose_context_was_freed_is_dead),
        cmocka_unit_test(a_graph_belongs_to_one_context_at_a_time),
        cmocka_unit_test(all_orders_of_freeing_work),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
