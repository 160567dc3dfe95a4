/* What may happen on several threads at once: different objects, dispatches of one context, reading one
 * graph. Run under the thread sanitizer by tools/test. */
#include "graphs.h"

#include <pthread.h>

enum { THREADS = 4, TURNS = 50, SIZE = 300 };

struct worker {
    pthread_t thread;
    webnn_context *context; /* shared; NULL: one of its own */
    webnn_graph *graph;     /* shared */
    unsigned failures;
};

static void run_workers(struct worker workers[THREADS], void *(*work)(void *))
{
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].failures, 0);
    }
}

/* cmocka's assertions are for its own thread. */
static void expect(struct worker *w, bool holds)
{
    w->failures += !holds;
}

/* Each with tensors of its own on the graph given. */
static void dispatch_and_compare(struct worker *w, webnn_context *c, webnn_graph *g, float first)
{
    float x[SIZE], y[SIZE] = { 0 };
    webnn_tensor *in = NULL, *out = NULL;
    const webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { SIZE } };
    const webnn_tensor_options o = { .size = sizeof o, .readable = true, .writable = true };
    for (int i = 0; i < SIZE; i++)
        x[i] = first + (float)i;
    expect(w, webnn_tensor_create(c, &d, &o, &in, NULL) == O2W_OK);
    expect(w, webnn_tensor_create(c, &d, &o, &out, NULL) == O2W_OK);
    expect(w, webnn_tensor_write(in, x, sizeof x, NULL) == O2W_OK);
    expect(w, webnn_dispatch(c, g, &(webnn_named_tensor){ "x", in }, 1,
                             &(webnn_named_tensor){ "y", out }, 1, NULL) == O2W_OK);
    expect(w, webnn_tensor_read(out, y, sizeof y, NULL) == O2W_OK);
    for (int i = 0; i < SIZE; i++)
        expect(w, y[i] == (x[i] < 0 ? 0 : x[i]));
    webnn_tensor_free(in);
    webnn_tensor_free(out);
}

static void *dispatch_shared(void *user)
{
    struct worker *w = user;
    for (int turn = 0; turn < TURNS; turn++)
        dispatch_and_compare(w, w->context, w->graph, (float)(-turn * 7));
    return NULL;
}

static void one_context_serves_many_threads(void **state)
{
    (void)state;
    struct worker workers[THREADS] = { 0 };
    webnn_context *c = cpu_context();
    webnn_graph *g = relu_graph(c, 2 * SIZE, "n");
    for (int i = 0; i < THREADS; i++)
        workers[i].context = c, workers[i].graph = g;
    run_workers(workers, dispatch_shared);
    webnn_graph_free(g);
    webnn_context_free(c);
}

static void *build_own(void *user)
{
    struct worker *w = user;
    const webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { SIZE } };
    for (int turn = 0; turn < TURNS / 10; turn++) {
        webnn_context *c = NULL;
        webnn_builder *b = NULL;
        webnn_graph *g = NULL;
        webnn_operand x = 0, y = 0;
        expect(w, webnn_context_create(NULL, &c, NULL) == O2W_OK);
        expect(w, webnn_builder_create(c, NULL, &b, NULL) == O2W_OK);
        expect(w, webnn_input(b, "x", &d, NULL, &x, NULL) == O2W_OK);
        expect(w, webnn_relu(b, x, NULL, &y, NULL) == O2W_OK);
        expect(w, webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL) == O2W_OK);
        dispatch_and_compare(w, c, g, (float)-turn);
        webnn_builder_free(b);
        webnn_graph_free(g);
        webnn_context_free(c);
    }
    return NULL;
}

static void different_objects_do_not_meet(void **state)
{
    (void)state;
    struct worker workers[THREADS] = { 0 };
    run_workers(workers, build_own);
}

static void *compile_on_shared(void *user)
{
    struct worker *w = user;
    const webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { SIZE } };
    for (int turn = 0; turn < TURNS / 10; turn++) {
        webnn_builder *b = NULL;
        webnn_graph *g = NULL;
        webnn_operand x = 0, y = 0;
        expect(w, webnn_builder_create(w->context, NULL, &b, NULL) == O2W_OK);
        expect(w, webnn_input(b, "x", &d, NULL, &x, NULL) == O2W_OK);
        expect(w, webnn_relu(b, x, NULL, &y, NULL) == O2W_OK);
        expect(w, webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL) == O2W_OK);
        dispatch_and_compare(w, w->context, g, (float)-turn);
        webnn_graph_free(g);
        webnn_builder_free(b);
    }
    return NULL;
}

static void builders_of_one_context_work_side_by_side(void **state)
{
    (void)state;
    struct worker workers[THREADS] = { 0 };
    webnn_context *c = cpu_context();
    for (int i = 0; i < THREADS; i++)
        workers[i].context = c;
    run_workers(workers, compile_on_shared);
    webnn_context_free(c);
}

static void *save_shared(void *user)
{
    struct worker *w = user;
    webnn_descriptor in = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { SIZE } }, out;
    for (int turn = 0; turn < TURNS; turn++) {
        in.dims[0] = turn;
        expect(w, webnn_output_shape(w->graph, &in, 1, 0, &out, NULL) == O2W_OK);
        expect(w, out.dims[0] == turn);
        expect(w, webnn_graph_operator_count(w->graph) == 1);
    }
    return NULL;
}

static void a_built_graph_is_read_by_many(void **state)
{
    (void)state;
    struct worker workers[THREADS] = { 0 };
    webnn_graph *g = relu_graph(NULL, 2 * SIZE, "n");
    for (int i = 0; i < THREADS; i++)
        workers[i].graph = g;
    run_workers(workers, save_shared);
    webnn_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_context_serves_many_threads),
        cmocka_unit_test(different_objects_do_not_meet),
        cmocka_unit_test(builders_of_one_context_work_side_by_side),
        cmocka_unit_test(a_built_graph_is_read_by_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
