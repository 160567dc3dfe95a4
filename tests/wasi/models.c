/* Models of the tests, made here. */
#include "wasi/guest.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 256 };
static struct model_builder builders[MOST];
static size_t used;

static struct model_builder *begin(int64_t opset)
{
    assert_true(used < MOST);
    mb_begin(&builders[used], opset);
    return &builders[used++];
}

void models_free(void)
{
    while (used)
        mb_free(&builders[--used]);
}

struct span model_add(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input_named(b, "x", ONNX_FLOAT, "N 4");
    mb_floats(b, "one", SCALAR, FLOATS(1));
    mb_node(b, "Add", "x one", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(-1, 4));
    return mb_end(b);
}

struct span model_identity(int dtype)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input(b, "x", dtype, DIMS(4));
    mb_node(b, "Identity", "x", "y");
    mb_output(b, "y", dtype, DIMS(4));
    return mb_end(b);
}

struct span model_sub(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input_named(b, "a", ONNX_FLOAT, "N 2");
    mb_input_named(b, "b", ONNX_FLOAT, "N 2");
    mb_node(b, "Sub", "a b", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(-1, 2));
    return mb_end(b);
}

/* Class k has the score x·w_k; powers of two, so that every backend has the same bits. */
static void classifier_nodes(struct model_builder *b)
{
    mb_input_named(b, "x", ONNX_FLOAT, "N 4");
    mb_floats(b, "w", DIMS(4, 3), FLOATS(1, 0, 0, 0, 1, 0, 0, 0, 1, .5f, .25f, -.5f));
    mb_node(b, "MatMul", "x w", "scores");
}

struct span model_classifier(void)
{
    struct model_builder *b = begin(13);
    mb_graph(b);
    classifier_nodes(b);
    mb_node_open(b, "ArgMax", "scores", "label");
    mb_int(b, "axis", 1);
    mb_int(b, "keepdims", 0);
    mb_close(b);
    mb_node(b, "Identity", "scores", "probabilities");
    mb_output(b, "label", ONNX_INT64, DIMS(-1));
    mb_output(b, "probabilities", ONNX_FLOAT, DIMS(-1, 3));
    return mb_end(b);
}

struct span model_scalar(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, SCALAR);
    mb_floats(b, "one", SCALAR, FLOATS(1));
    mb_node(b, "Add", "x one", "y");
    mb_output(b, "y", ONNX_FLOAT, SCALAR);
    return mb_end(b);
}

struct span model_gather(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input(b, "data", ONNX_FLOAT, DIMS(4));
    mb_input(b, "indices", ONNX_INT64, DIMS(2));
    mb_node(b, "Gather", "data indices", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(2));
    return mb_end(b);
}

static void cast(struct model_builder *b, const char *to, int dtype)
{
    mb_node_open(b, "Cast", "x", to);
    mb_int(b, "to", dtype);
    mb_close(b);
}

struct span model_bytes(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input_named(b, "x", ONNX_UINT8, "N 4");
    cast(b, "f", ONNX_FLOAT);
    mb_floats(b, "w", DIMS(4, 3), FLOATS(1, 0, 0, 0, 1, 0, 0, 0, 1, .5f, .25f, -.5f));
    mb_node(b, "MatMul", "f w", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(-1, 3));
    return mb_end(b);
}

struct span model_mixed(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, DIMS(2));
    mb_node(b, "Neg", "x", "f");
    cast(b, "t", ONNX_BOOL);
    cast(b, "i", ONNX_INT8);
    cast(b, "s", ONNX_STRING);
    mb_output(b, "f", ONNX_FLOAT, DIMS(2));
    mb_output(b, "t", ONNX_BOOL, DIMS(2));
    mb_output(b, "i", ONNX_INT8, DIMS(2));
    mb_output(b, "s", ONNX_STRING, DIMS(2));
    return mb_end(b);
}

/* An output that is a sequence of maps int64 to float. */
static void map_output(struct model_builder *b, const char *name)
{
    size_t output = wire_begin(&b->w, 12);
    wire_put_text(&b->w, 1, name);
    size_t type = wire_begin(&b->w, 2), sequence = wire_begin(&b->w, 4);
    size_t element = wire_begin(&b->w, 1), map = wire_begin(&b->w, 5);
    wire_put_i64(&b->w, 1, ONNX_INT64);
    size_t value = wire_begin(&b->w, 2), tensor = wire_begin(&b->w, 1);
    wire_put_i64(&b->w, 1, ONNX_FLOAT);
    wire_end(&b->w, tensor);
    wire_end(&b->w, value);
    wire_end(&b->w, map);
    wire_end(&b->w, element);
    wire_end(&b->w, sequence);
    wire_end(&b->w, type);
    wire_end(&b->w, output);
}

struct span model_zipmap(void)
{
    struct model_builder *b = begin(13);
    mb_opset(b, "ai.onnx.ml", 1);
    mb_graph(b);
    classifier_nodes(b);
    mb_node_open(b, "ArgMax", "scores", "label");
    mb_int(b, "axis", 1);
    mb_int(b, "keepdims", 0);
    mb_close(b);
    mb_node_open(b, "ZipMap", "scores", "maps");
    mb_node_domain(b, "ai.onnx.ml");
    mb_int_list(b, "classlabels_int64s", INTS(0, 1, 2));
    mb_close(b);
    mb_output(b, "label", ONNX_INT64, DIMS(-1));
    map_output(b, "maps");
    return mb_end(b);
}

struct span model_sequence(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, DIMS(2));
    mb_node(b, "Neg", "x", "y");
    mb_node(b, "SequenceConstruct", "x x", "s");
    mb_output(b, "y", ONNX_FLOAT, DIMS(2));
    size_t output = wire_begin(&b->w, 12);
    wire_put_text(&b->w, 1, "s");
    size_t type = wire_begin(&b->w, 2), sequence = wire_begin(&b->w, 4);
    size_t element = wire_begin(&b->w, 1), tensor = wire_begin(&b->w, 1);
    wire_put_i64(&b->w, 1, ONNX_FLOAT);
    wire_end(&b->w, tensor);
    wire_end(&b->w, element);
    wire_end(&b->w, sequence);
    wire_end(&b->w, type);
    wire_end(&b->w, output);
    return mb_end(b);
}

struct span model_join(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input_named(b, "a", ONNX_FLOAT, "? 2");
    mb_input_named(b, "b", ONNX_FLOAT, "? 2");
    mb_node_open(b, "Concat", "a b", "y");
    mb_int(b, "axis", 0);
    mb_close(b);
    mb_output(b, "y", ONNX_FLOAT, DIMS(-1, 2));
    return mb_end(b);
}

/* The names of the builder's "?" are none; exporters write it as one. */
struct span model_long(void)
{
    static char name[70001];
    struct model_builder *b = begin(17);
    memset(name, 'n', sizeof name - 1);
    mb_graph(b);
    mb_input(b, name, ONNX_FLOAT, DIMS(1));
    size_t node = wire_begin(&b->w, 1);
    wire_put_text(&b->w, 1, name);
    wire_put_text(&b->w, 2, "y");
    wire_put_text(&b->w, 4, "Neg");
    wire_end(&b->w, node);
    mb_output(b, "y", ONNX_FLOAT, DIMS(1));
    return mb_end(b);
}

struct span model_join_question(void)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    for (int i = 0; i < 2; i++) {
        size_t input = wire_begin(&b->w, 11);
        wire_put_text(&b->w, 1, i ? "b" : "a");
        size_t type = wire_begin(&b->w, 2), tensor = wire_begin(&b->w, 1);
        wire_put_i64(&b->w, 1, ONNX_FLOAT);
        size_t shape = wire_begin(&b->w, 2), dim = wire_begin(&b->w, 1);
        wire_put_text(&b->w, 2, "?");
        wire_end(&b->w, dim);
        dim = wire_begin(&b->w, 1);
        wire_put_i64(&b->w, 1, 2);
        wire_end(&b->w, dim);
        wire_end(&b->w, shape);
        wire_end(&b->w, tensor);
        wire_end(&b->w, type);
        wire_end(&b->w, input);
    }
    mb_node_open(b, "Concat", "a b", "y");
    mb_int(b, "axis", 0);
    mb_close(b);
    mb_output(b, "y", ONNX_FLOAT, DIMS(-1, 2));
    return mb_end(b);
}

struct span model_external(const char *where)
{
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, DIMS(4));
    mb_external(b, "w", ONNX_FLOAT, DIMS(4), where, NULL, NULL);
    mb_node(b, "Add", "x w", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(4));
    return mb_end(b);
}

struct span model_custom(void)
{
    struct model_builder *b = begin(17);
    mb_opset(b, "com.example", 1);
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, DIMS(4));
    mb_node_open(b, "Foo", "x", "z");
    mb_node_domain(b, "com.example");
    mb_close(b);
    mb_node_open(b, "Bar", "z", "y");
    mb_node_domain(b, "com.example");
    mb_close(b);
    mb_output(b, "y", ONNX_FLOAT, DIMS(4));
    return mb_end(b);
}

static void loop_body(struct model_builder *b, const int64_t *dims, size_t rank)
{
    mb_subgraph(b, "body");
    mb_input(b, "i", ONNX_INT64, SCALAR);
    mb_input(b, "c", ONNX_BOOL, SCALAR);
    mb_input(b, "v", ONNX_FLOAT, dims, rank);
    mb_node(b, "Sin", "v", "v2");
    mb_node(b, "Identity", "c", "c2");
    mb_output(b, "c2", ONNX_BOOL, SCALAR);
    mb_output(b, "v2", ONNX_FLOAT, dims, rank);
    mb_close(b);
}

struct span model_loop(int64_t trips)
{
    struct model_builder *b = begin(17);
    const bool yes = true;
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, DIMS(1));
    mb_int64s(b, "trips", SCALAR, &trips, 1);
    mb_raw(b, "go", ONNX_BOOL, SCALAR, &yes, 1);
    mb_node_open(b, "Loop", "trips go x", "y");
    loop_body(b, DIMS(1));
    mb_close(b);
    mb_output(b, "y", ONNX_FLOAT, DIMS(1));
    return mb_end(b);
}

struct span model_unrolled(void)
{
    static const int64_t one = 1, many = 4096, first = 0;
    struct model_builder *b = begin(17);
    const bool yes = true;
    mb_graph(b);
    mb_input_named(b, "x", ONNX_FLOAT, "N 1");
    mb_int64s(b, "first", SCALAR, &first, 1);
    mb_int64s(b, "one", SCALAR, &one, 1);
    mb_int64s(b, "many", SCALAR, &many, 1);
    mb_raw(b, "go", ONNX_BOOL, SCALAR, &yes, 1);
    mb_node(b, "Shape", "x", "shape");
    mb_node(b, "Gather", "shape first", "n");
    mb_node(b, "Sub", "n one", "trips");
    mb_node_open(b, "Loop", "trips go x", "y");
    mb_subgraph(b, "body");
    mb_input(b, "j", ONNX_INT64, SCALAR);
    mb_input(b, "d", ONNX_BOOL, SCALAR);
    mb_input(b, "u", ONNX_FLOAT, DIMS(-1, 1));
    mb_node_open(b, "Loop", "many go u", "u2");
    loop_body(b, DIMS(-1, 1));
    mb_close(b);
    mb_node(b, "Identity", "d", "d2");
    mb_output(b, "d2", ONNX_BOOL, SCALAR);
    mb_output(b, "u2", ONNX_FLOAT, DIMS(-1, 1));
    mb_close(b);
    mb_close(b);
    mb_output(b, "y", ONNX_FLOAT, DIMS(-1, 1));
    return mb_end(b);
}

struct span model_products(int64_t n, int count, bool known)
{
    const int64_t square[2] = { n, n };
    char inputs[32] = "a a", product[16] = "";
    struct model_builder *b = begin(17);
    mb_graph(b);
    mb_input(b, "x", ONNX_FLOAT, DIMS(1));
    mb_int64s(b, "square", DIMS(2), square, 2);
    if (known)
        mb_node(b, "ConstantOfShape", "square", "a");
    else
        mb_node(b, "Expand", "x square", "a");
    for (int i = 0; i < count; i++) {
        (void)snprintf(product, sizeof product, "p%d", i);
        mb_node(b, "MatMul", inputs, product);
        (void)snprintf(inputs, sizeof inputs, "%s a", product);
    }
    mb_node_open(b, "ReduceSum", product, "sum");
    mb_int(b, "keepdims", 0);
    mb_close(b);
    mb_node(b, "Add", "x sum", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(1));
    return mb_end(b);
}
