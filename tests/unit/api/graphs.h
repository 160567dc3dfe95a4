/* Small graphs through the public calls. */
#ifndef API_GRAPHS_H
#define API_GRAPHS_H

#include <onnx2webnn/webnn.h>

#include "support/test.h"

/* y = relu(x), x float32 of this size; over a context or not. */
static inline webnn_graph *relu_graph(webnn_context *context, int64_t size, const char *dim_name)
{
    webnn_builder *b = NULL;
    webnn_graph *g = NULL;
    webnn_operand x, y;
    size_t one = 1;
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { size } };
    assert_ok(webnn_builder_create(context, NULL, &b, NULL));
    assert_ok(webnn_input(b, "x", &d, dim_name ? &dim_name : NULL, &x, NULL));
    assert_ok(webnn_op(b, WEBNN_RELU, &x, 1, NULL, NULL, &y, &one, NULL));
    assert_ok(webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL));
    webnn_builder_free(b);
    return g;
}

static inline webnn_tensor *tensor_of(webnn_context *c, int64_t size)
{
    webnn_tensor *t = NULL;
    webnn_descriptor d = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { size } };
    webnn_tensor_options o = { .size = sizeof o, .readable = true, .writable = true };
    assert_ok(webnn_tensor_create(c, &d, &o, &t, NULL));
    return t;
}

static inline webnn_context *cpu_context(void)
{
    webnn_context *c = NULL;
    assert_ok(webnn_context_create(NULL, &c, NULL));
    return c;
}

/* The call failed with this status and its first message; frees the error. */
static inline void assert_said(o2w_status s, o2w_status wanted, o2w_error *error,
                               const char *message)
{
    assert_status(s, wanted);
    assert_non_null(error);
    assert_int_equal(o2w_error_status(error), wanted);
    assert_string_equal(o2w_error_item(error, 0)->message, message);
    o2w_error_free(error);
}

#endif
