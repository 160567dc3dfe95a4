/* Writes the models of the cases of 'validate' and 'run' into a folder. */
#include "support/model_builder.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { FLOAT = 1, INT64 = 7 };

static const char *folder;

static void write_file(const char *name, const void *data, size_t size)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

static void begin(struct model_builder *b)
{
    mb_begin(b, 17);
}

static void end(struct model_builder *b, const char *name)
{
    struct span bytes = mb_end(b);
    write_file(name, bytes.data, bytes.size);
    mb_free(b);
}

/* y = x + w: weights by value, so that two of them differ in bytes alone. */
static void add(const char *name, float first)
{
    struct model_builder b;
    float w[40];
    for (int i = 0; i < 40; i++)
        w[i] = first + (float)i;
    begin(&b);
    mb_graph(&b);
    mb_input(&b, "x", FLOAT, DIMS(2, 40));
    mb_floats(&b, "w", DIMS(40), w, 40);
    mb_node(&b, "Add", "x w", "y");
    mb_output(&b, "y", FLOAT, DIMS(2, 40));
    end(&b, name);
}

/* y = x * x + w with a square that other graphs of its file do not compute. */
static void square(const char *name)
{
    struct model_builder b;
    float w[40];
    for (int i = 0; i < 40; i++)
        w[i] = (float)(i * i);
    begin(&b);
    mb_graph(&b);
    mb_input(&b, "x", FLOAT, DIMS(2, 40));
    mb_floats(&b, "w", DIMS(40), w, 40);
    mb_node(&b, "Mul", "x x", "s");
    mb_node(&b, "Add", "s w", "y");
    mb_output(&b, "y", FLOAT, DIMS(2, 40));
    end(&b, name);
}

static void with_past(const char *name)
{
    struct model_builder b;
    begin(&b);
    mb_graph(&b);
    mb_input_named(&b, "x", FLOAT, "1 past");
    mb_input(&b, "t", FLOAT, DIMS(1, 2));
    mb_node_open(&b, "Concat", "x t", "y");
    mb_int(&b, "axis", 1);
    mb_close(&b);
    mb_output(&b, "y", FLOAT, DIMS(1, -1));
    end(&b, name);
}

static void external(const char *name)
{
    struct model_builder b;
    begin(&b);
    mb_graph(&b);
    mb_input(&b, "x", FLOAT, DIMS(2, 3));
    mb_external(&b, "w", FLOAT, DIMS(3), "w.bin", "0", "12");
    mb_node(&b, "Add", "x w", "y");
    mb_output(&b, "y", FLOAT, DIMS(2, 3));
    end(&b, name);
}

/* An operator that no runtime knows. */
static void mystery(const char *name)
{
    struct model_builder b;
    begin(&b);
    mb_opset(&b, "nobody.knows", 1);
    mb_graph(&b);
    mb_input(&b, "x", FLOAT, DIMS(2));
    mb_node_open(&b, "Mystery", "x", "y");
    mb_node_domain(&b, "nobody.knows");
    mb_close(&b);
    mb_output(&b, "y", FLOAT, DIMS(2));
    end(&b, name);
}

static void ids(const char *name)
{
    struct model_builder b;
    begin(&b);
    mb_graph(&b);
    mb_input_named(&b, "input_ids", INT64, "batch_size sequence");
    mb_floats(&b, "table", DIMS(3, 2), FLOATS(1, 2, 3, 4, 5, 6));
    mb_node(&b, "Gather", "table input_ids", "y");
    mb_output(&b, "y", FLOAT, DIMS(-1, -1, 2));
    end(&b, name);
}

/* A product that takes a while. */
static void heavy(const char *name)
{
    struct model_builder b;
    begin(&b);
    mb_graph(&b);
    mb_input(&b, "a", FLOAT, DIMS(1000, 1000));
    mb_input(&b, "b", FLOAT, DIMS(1000, 1000));
    mb_node(&b, "MatMul", "a b", "y");
    mb_output(&b, "y", FLOAT, DIMS(1000, 1000));
    end(&b, name);
}

/* y = the coordinates of what is above 0 in x, and a sum of the elements there */
static void found(void)
{
    struct model_builder b;
    begin(&b);
    mb_graph(&b);
    mb_input(&b, "x", FLOAT, DIMS(3, 4));
    mb_node(&b, "Relu", "x", "r");
    mb_node_open(&b, "NonZero", "r", "y");
    mb_node_name(&b, "found");
    mb_close(&b);
    mb_node(&b, "Transpose", "y", "t");
    mb_node(&b, "GatherND", "x t", "z");
    mb_output(&b, "y", INT64, DIMS(2, -1));
    mb_output(&b, "z", FLOAT, DIMS(-1));
    end(&b, "found.onnx");
}

/* The label of the highest score, as a string, and the scores as maps. */
static void labels(void)
{
    enum { STRING = 8 };
    struct model_builder b;
    begin(&b);
    mb_opset(&b, "ai.onnx.ml", 1);
    mb_graph(&b);
    mb_input(&b, "x", FLOAT, DIMS(4, 2));
    mb_node_open(&b, "LinearClassifier", "x", "label scores");
    mb_node_domain(&b, "ai.onnx.ml");
    mb_float_list(&b, "coefficients", FLOATS(1, -2, 3, 0.5F, -1, 1));
    mb_float_list(&b, "intercepts", FLOATS(0, 0.25F, 0.5F));
    mb_string_list(&b, "classlabels_strings", "red green blue");
    mb_string(&b, "post_transform", "SOFTMAX");
    mb_close(&b);
    mb_node_open(&b, "ZipMap", "scores", "maps");
    mb_node_domain(&b, "ai.onnx.ml");
    mb_string_list(&b, "classlabels_strings", "red green blue");
    mb_close(&b);
    mb_output(&b, "label", STRING, DIMS(4));
    size_t output = wire_begin(&b.w, 12); /* a sequence of maps from strings to floats */
    wire_put_text(&b.w, 1, "maps");
    size_t type = wire_begin(&b.w, 2), sequence = wire_begin(&b.w, 4), item = wire_begin(&b.w, 1);
    size_t map = wire_begin(&b.w, 5);
    wire_put_i64(&b.w, 1, STRING);
    size_t value = wire_begin(&b.w, 2), tensor = wire_begin(&b.w, 1);
    wire_put_i64(&b.w, 1, FLOAT);
    wire_end(&b.w, tensor);
    wire_end(&b.w, value);
    wire_end(&b.w, map);
    wire_end(&b.w, item);
    wire_end(&b.w, sequence);
    wire_end(&b.w, type);
    wire_end(&b.w, output);
    end(&b, "labels.onnx");
}

/* y = relu(x), x of an open dim. */
static void open_dim(const char *name)
{
    struct model_builder b;
    begin(&b);
    mb_graph(&b);
    mb_input_named(&b, "x", ONNX_FLOAT, "2 n");
    mb_node(&b, "Relu", "x", "y");
    mb_output(&b, "y", ONNX_FLOAT, DIMS(2, -1));
    end(&b, name);
}

int main(int argc, char **argv)
{
    const float w[] = { 1, 2, 3 };
    if (argc != 2)
        return 2;
    folder = argv[1];
    add("add.onnx", 1);
    add("changed.onnx", 1.5f);
    square("square.onnx");
    with_past("past.onnx");
    external("external.onnx");
    write_file("w.bin", w, sizeof w);
    mystery("mystery.onnx");
    ids("ids.onnx");
    heavy("heavy.onnx");
    open_dim("open.onnx");
    found();
    labels();
    return 0;
}
