/* Builds a graph by hand, runs it on the built-in engine, and saves it.
 *
 *   cc build.c $(pkg-config --cflags --libs onnx2webnn) -o build && ./build sum.webnn
 */
#include <onnx2webnn/webnn.h>

#include <stdio.h>

static int fail(o2w_error *error)
{
    fputs(o2w_error_text(error), stderr);
    o2w_error_free(error);
    return 1;
}

/* y = relu(x + [1, 2, 3]) */
static o2w_status record(webnn_builder *b, webnn_operand *y, o2w_error **error)
{
    static const float one_two_three[] = { 1, 2, 3 };
    const webnn_descriptor matrix = { .data_type = WEBNN_FLOAT32, .rank = 2, .dims = { 2, 3 } };
    const webnn_descriptor vector = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { 3 } };
    webnn_operand x, w, sum;
    size_t results = 1;
    o2w_status s = webnn_input(b, "x", &matrix, NULL, &x, error);
    if (s == O2W_OK)
        s = webnn_constant(b, &vector, one_two_three, sizeof one_two_three, false, &w, error);
    if (s == O2W_OK)
        s = webnn_op(b, WEBNN_ADD, (webnn_operand[]){ x, w }, 2, NULL, NULL, &sum, &results, error);
    if (s == O2W_OK)
        s = webnn_op(b, WEBNN_RELU, &sum, 1, NULL, NULL, y, &results, error);
    return s;
}

static o2w_status run(webnn_context *c, webnn_graph *g, const float x[6], float y[6],
                      o2w_error **error)
{
    const webnn_descriptor matrix = { .data_type = WEBNN_FLOAT32, .rank = 2, .dims = { 2, 3 } };
    const webnn_tensor_options both = { .size = sizeof both, .readable = true, .writable = true };
    webnn_tensor *in = NULL, *out = NULL;
    o2w_status s = webnn_tensor_create(c, &matrix, &both, &in, error);
    if (s == O2W_OK)
        s = webnn_tensor_create(c, &matrix, &both, &out, error);
    if (s == O2W_OK)
        s = webnn_tensor_write(in, x, 6 * sizeof *x, error);
    if (s == O2W_OK)
        s = webnn_dispatch(c, g, &(webnn_named_tensor){ "x", in }, 1,
                           &(webnn_named_tensor){ "y", out }, 1, error);
    if (s == O2W_OK)
        s = webnn_tensor_read(out, y, 6 * sizeof *y, error);
    webnn_tensor_free(in);
    webnn_tensor_free(out);
    return s;
}

int main(int argc, char **argv)
{
    const float x[6] = { -5, 0, 5, 1, -9, -2 };
    float y[6];
    webnn_context *context = NULL;
    webnn_builder *builder = NULL;
    webnn_graph *graph = NULL;
    webnn_operand result;
    o2w_error *error = NULL;
    o2w_status s = webnn_context_create(NULL, &context, &error);
    if (s == O2W_OK)
        s = webnn_builder_create(context, NULL, &builder, &error);
    if (s == O2W_OK)
        s = record(builder, &result, &error);
    if (s == O2W_OK)
        s = webnn_builder_build(builder, &(webnn_named_operand){ "y", result }, 1, &graph, &error);
    if (s == O2W_OK)
        s = run(context, graph, x, y, &error);
    if (s == O2W_OK && argc > 1)
        s = webnn_graph_save(graph, argv[1], NULL, &error);
    if (s == O2W_OK)
        printf("%g %g %g %g %g %g\n", y[0], y[1], y[2], y[3], y[4], y[5]);
    webnn_builder_free(builder);
    webnn_graph_free(graph);
    webnn_context_free(context);
    return s == O2W_OK ? 0 : fail(error);
}
