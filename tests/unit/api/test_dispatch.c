/* Tensors and dispatch: everything is checked before any work. */
#include "graphs.h"

struct setting {
    webnn_context *context;
    webnn_graph *graph;
    webnn_tensor *x, *y;
};

static void set_up(struct setting *s, int64_t size, const char *dim_name)
{
    s->context = cpu_context();
    s->graph = relu_graph(s->context, size, dim_name);
    s->x = tensor_of(s->context, 3);
    s->y = tensor_of(s->context, 3);
}

static void tear_down(struct setting *s)
{
    webnn_tensor_free(s->x);
    webnn_tensor_free(s->y);
    webnn_graph_free(s->graph);
    webnn_context_free(s->context);
}

static o2w_status run(struct setting *s, const char *in, webnn_tensor *x, const char *out,
                      webnn_tensor *y, o2w_error **e)
{
    return webnn_dispatch(s->context, s->graph, &(webnn_named_tensor){ in, x }, 1,
                          &(webnn_named_tensor){ out, y }, 1, e);
}

static void a_graph_computes(void **state)
{
    (void)state;
    struct setting s;
    float x[3] = { -1, 0, 2 }, y[3];
    set_up(&s, 3, NULL);
    assert_ok(webnn_tensor_write(s.x, x, sizeof x, NULL));
    assert_ok(run(&s, "x", s.x, "y", s.y, NULL));
    assert_ok(webnn_tensor_read(s.y, y, sizeof y, NULL));
    assert_true(y[0] == 0 && y[1] == 0 && y[2] == 2);
    tear_down(&s);
}

static void names_are_exactly_those_of_the_graph(void **state)
{
    (void)state;
    struct setting s;
    o2w_error *e = NULL;
    set_up(&s, 3, NULL);
    o2w_status status = run(&s, "q", s.x, "y", s.y, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "the graph has no input 'q'");
    status = run(&s, "x", s.x, "q", s.y, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "the graph has no output 'q'");
    status = webnn_dispatch(s.context, s.graph, NULL, 0, &(webnn_named_tensor){ "y", s.y }, 1, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "0 inputs are given, the graph has 1");
    status = webnn_dispatch(s.context, s.graph, &(webnn_named_tensor){ "x", s.x }, 1, NULL, 0, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "0 outputs are given, the graph has 1");
    tear_down(&s);
}

static void no_tensor_stands_twice(void **state)
{
    (void)state;
    struct setting s;
    o2w_error *e = NULL;
    set_up(&s, 3, NULL);
    o2w_status status = run(&s, "x", s.x, "y", s.x, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "a tensor is given twice, as 'x' and 'y'");
    webnn_named_tensor inputs[] = { { "x", s.x }, { "x", s.y } };
    webnn_tensor *z = tensor_of(s.context, 3);
    status = webnn_dispatch(s.context, s.graph, inputs, 2, &(webnn_named_tensor){ "y", z }, 1, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "input 'x' is given twice");
    webnn_tensor_free(z);
    tear_down(&s);
}

static void shapes_and_dtypes_are_those_of_the_graph(void **state)
{
    (void)state;
    struct setting s;
    o2w_error *e = NULL;
    webnn_tensor *longer, *ints = NULL;
    webnn_descriptor d = { .data_type = WEBNN_INT32, .rank = 1, .dims = { 3 } };
    set_up(&s, 3, NULL);
    longer = tensor_of(s.context, 4);
    assert_ok(webnn_tensor_create(s.context, &d, NULL, &ints, NULL));
    o2w_status status = run(&s, "x", longer, "y", s.y, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e,
                "input 'x': the tensor is float32 [4], the graph has float32 [3]");
    status = run(&s, "x", ints, "y", s.y, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e,
                "input 'x': the tensor is int32 [3], the graph has float32 [3]");
    status = run(&s, "x", s.x, "y", longer, &e);
    assert_status(status, O2W_INVALID_ARGUMENT);
    o2w_error_free(e);
    webnn_tensor_free(longer);
    webnn_tensor_free(ints);
    tear_down(&s);
}

static void tensors_are_of_the_context(void **state)
{
    (void)state;
    struct setting s, other;
    o2w_error *e = NULL;
    set_up(&s, 3, NULL);
    set_up(&other, 3, NULL);
    o2w_status status = run(&s, "x", other.x, "y", s.y, &e);
    assert_said(status, O2W_INVALID_STATE, e, "input 'x': the tensor is not of this context");
    webnn_graph *g = relu_graph(NULL, 3, NULL);
    status = webnn_dispatch(s.context, g, &(webnn_named_tensor){ "x", s.x }, 1,
                            &(webnn_named_tensor){ "y", s.y }, 1, &e);
    assert_said(status, O2W_INVALID_STATE, e, "the graph is not compiled for this context");
    webnn_graph_free(g);
    tear_down(&s);
    tear_down(&other);
}

static void open_dims_take_their_size_from_the_inputs(void **state)
{
    (void)state;
    struct setting s;
    webnn_descriptor in = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { 3 } }, out;
    set_up(&s, 16, "n");
    assert_ok(webnn_output_shape(s.graph, &in, 1, 0, &out, NULL));
    assert_int_equal(out.dims[0], 3);
    assert_ok(run(&s, "x", s.x, "y", s.y, NULL));
    webnn_tensor *shorter = tensor_of(s.context, 2);
    assert_status(run(&s, "x", shorter, "y", s.y, NULL), O2W_INVALID_ARGUMENT);
    in.dims[0] = 17; /* above the maximum */
    assert_int_not_equal(webnn_output_shape(s.graph, &in, 1, 0, &out, NULL), O2W_OK);
    assert_int_not_equal(webnn_output_shape(s.graph, &in, 1, 1, &out, NULL), O2W_OK);
    webnn_tensor_free(shorter);
    tear_down(&s);
}

static void reads_and_writes_are_asked_for(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_tensor *t = NULL;
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { 3 } };
    float data[3] = { 0 };
    o2w_error *e = NULL;
    assert_ok(webnn_tensor_create(c, &d, NULL, &t, NULL));
    o2w_status s = webnn_tensor_write(t, data, sizeof data, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "the tensor was not created writable");
    s = webnn_tensor_read(t, data, sizeof data, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "the tensor was not created readable");
    webnn_tensor_free(t);
    t = tensor_of(c, 3);
    s = webnn_tensor_write(t, data, 8, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "8 bytes are given, the tensor has 12");
    webnn_tensor_free(t);
    webnn_tensor_free(NULL);
    webnn_context_free(c);
}

static void a_tensor_begins_as_zeros(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_tensor *t = tensor_of(c, 3);
    float data[3] = { 1, 1, 1 };
    assert_ok(webnn_tensor_read(t, data, sizeof data, NULL));
    assert_true(data[0] == 0 && data[1] == 0 && data[2] == 0);
    webnn_tensor_free(t);
    webnn_context_free(c);
}

static void count_release(void *user, void *data)
{
    (void)data;
    ++*(int *)user;
}

static void adopted_memory_is_released_once(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_tensor *t = NULL;
    int released = 0;
    _Alignas(64) float data[3] = { 1, 2, 3 }, back[3];
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { 3 } };
    webnn_tensor_options o = { .size = sizeof o,
                               .readable = true,
                               .data = data,
                               .release = count_release,
                               .user = &released };
    assert_ok(webnn_tensor_create(c, &d, &o, &t, NULL));
    assert_ok(webnn_tensor_read(t, back, sizeof back, NULL));
    assert_true(back[1] == 2);
    webnn_context_free(c);
    assert_int_equal(released, 0);
    webnn_tensor_free(t);
    assert_int_equal(released, 1);
}

static void tensors_are_resized_within_their_first_size(void **state)
{
    (void)state;
    struct setting s;
    float data[3] = { -1, 2, 7 }, back[2];
    o2w_error *e = NULL;
    o2w_status status;
    set_up(&s, 16, "n");
    assert_ok(webnn_tensor_write(s.x, data, sizeof data, NULL));
    assert_ok(webnn_tensor_resize(s.x, (const int64_t[]){ 2 }, 1, NULL));
    assert_ok(webnn_tensor_resize(s.y, (const int64_t[]){ 2 }, 1, NULL));
    assert_ok(run(&s, "x", s.x, "y", s.y, NULL));
    assert_ok(webnn_tensor_read(s.y, back, sizeof back, NULL));
    assert_true(back[0] == 0 && back[1] == 2);
    assert_ok(webnn_tensor_resize(s.x, (const int64_t[]){ 0 }, 1, NULL));
    assert_ok(webnn_tensor_resize(s.x, (const int64_t[]){ 1, 3 }, 2, NULL));
    status = webnn_tensor_resize(s.x, (const int64_t[]){ 4 }, 1, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "16 bytes do not fit the tensor's 12");
    assert_status(webnn_tensor_resize(s.x, (const int64_t[]){ -1 }, 1, NULL), O2W_INVALID_ARGUMENT);
    assert_status(webnn_tensor_resize(s.x, NULL, 99, NULL), O2W_INVALID_ARGUMENT);
    tear_down(&s);
}

static void shapes_that_fit_no_memory_are_refused(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_tensor *t = NULL;
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32,
                           .rank = 2,
                           .dims = { INT64_MAX, INT64_MAX } };
    assert_status(webnn_tensor_create(c, &d, NULL, &t, NULL), O2W_INVALID_ARGUMENT);
    d = (webnn_descriptor){ .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { WEBNN_DYNAMIC } };
    assert_status(webnn_tensor_create(c, &d, NULL, &t, NULL), O2W_INVALID_ARGUMENT);
    assert_null(t);
    webnn_context_free(c);
}

static void empty_and_scalar_tensors_are_ordinary(void **state)
{
    (void)state;
    webnn_context *c = cpu_context();
    webnn_tensor *scalar = NULL, *empty = NULL;
    webnn_tensor_options o = { .size = sizeof o, .readable = true, .writable = true };
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32 }, e = { .data_type = WEBNN_INT8, .rank = 1 };
    float v = 3;
    assert_ok(webnn_tensor_create(c, &d, &o, &scalar, NULL));
    assert_ok(webnn_tensor_write(scalar, &v, sizeof v, NULL));
    v = 0;
    assert_ok(webnn_tensor_read(scalar, &v, sizeof v, NULL));
    assert_true(v == 3);
    assert_ok(webnn_tensor_create(c, &e, &o, &empty, NULL));
    assert_ok(webnn_tensor_write(empty, NULL, 0, NULL));
    assert_ok(webnn_tensor_read(empty, NULL, 0, NULL));
    webnn_tensor_free(scalar);
    webnn_tensor_free(empty);
    webnn_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_computes),
        cmocka_unit_test(names_are_exactly_those_of_the_graph),
        cmocka_unit_test(no_tensor_stands_twice),
        cmocka_unit_test(shapes_and_dtypes_are_those_of_the_graph),
        cmocka_unit_test(tensors_are_of_the_context),
        cmocka_unit_test(open_dims_take_their_size_from_the_inputs),
        cmocka_unit_test(reads_and_writes_are_asked_for),
        cmocka_unit_test(a_tensor_begins_as_zeros),
        cmocka_unit_test(adopted_memory_is_released_once),
        cmocka_unit_test(tensors_are_resized_within_their_first_size),
        cmocka_unit_test(shapes_that_fit_no_memory_are_refused),
        cmocka_unit_test(empty_and_scalar_tensors_are_ordinary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
