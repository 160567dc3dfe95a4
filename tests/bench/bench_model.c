/* Models that stand for the large ones. Made here so that the table of `make bench` needs no export.
 *
 *   bench_model FILE.onnx LAYERS SIZE [DATA]   a chain of matrix products
 *   bench_model --nodes FILE.onnx COUNT        a chain of small nodes
 *   bench_model --decoder|--encoder|--fused-encoder FILE.onnx LAYERS WIDTH
 *
 * LAYERS weights of SIZE x SIZE float32; with DATA they lie in that file, beside the model. */
#include "bench_transformers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 16 };

/* Values around 0 whose products stay around 1: a linear congruence, the same on every machine. */
static void fill(float *values, size_t count, uint32_t seed, size_t size)
{
    float scale = 3.0f / (float)size;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = ((float)(seed >> 8) / 8388608.0f - 1.0f) * scale;
    }
}

static bool write_all(const char *path, const void *data, size_t size, const char *mode)
{
    FILE *f = fopen(path, mode);
    if (!f)
        return false;
    bool done = fwrite(data, 1, size, f) == size;
    return fclose(f) == 0 && done;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool add_weight(struct model_builder *b, size_t layer, size_t size, float *values,
                       const char *data)
{
    char name[32], offset[32], length[32];
    size_t bytes = size * size * sizeof *values;
    snprintf(name, sizeof name, "w%zu", layer);
    fill(values, size * size, (uint32_t)layer + 1, size);
    if (!data) {
        mb_raw(b, name, ONNX_FLOAT, DIMS((int64_t)size, (int64_t)size), values, bytes);
        return true;
    }
    snprintf(offset, sizeof offset, "%zu", layer * bytes);
    snprintf(length, sizeof length, "%zu", bytes);
    mb_external(b, name, ONNX_FLOAT, DIMS((int64_t)size, (int64_t)size), base_name(data), offset,
                length);
    return write_all(data, values, bytes, layer ? "ab" : "wb");
}

static void add_node(struct model_builder *b, size_t layer, size_t layers)
{
    char inputs[64], output[32];
    snprintf(inputs, sizeof inputs, layer ? "h%zu w%zu" : "x w%zu", layer ? layer - 1 : layer,
             layer);
    snprintf(output, sizeof output, layer + 1 < layers ? "h%zu" : "y", layer);
    mb_node(b, "MatMul", inputs, output);
}

/* Elementwise nodes, each of its predecessor's result and every other one of a weight. */
static int write_nodes(const char *path, size_t count)
{
    struct model_builder b;
    const float weight[4] = { 0.5f, -1, 2, 0.25f };
    mb_begin(&b, 17);
    mb_graph(&b);
    mb_input(&b, "x", ONNX_FLOAT, DIMS(4));
    mb_raw(&b, "w", ONNX_FLOAT, DIMS(4), weight, sizeof weight);
    for (size_t i = 0; i < count; i++) {
        static const char *const ops[] = { "Add", "Relu", "Mul", "Tanh" };
        char inputs[64], output[32];
        if (i == 0)
            snprintf(inputs, sizeof inputs, "x w");
        else
            snprintf(inputs, sizeof inputs, i % 2 ? "h%zu" : "h%zu w", i - 1);
        snprintf(output, sizeof output, i + 1 < count ? "h%zu" : "y", i);
        mb_node(&b, ops[i % 4], inputs, output);
    }
    mb_output(&b, "y", ONNX_FLOAT, DIMS(4));
    struct span bytes = mb_end(&b);
    bool done = write_all(path, bytes.data, bytes.size, "wb");
    mb_free(&b);
    return done ? 0 : 1;
}

static int write_products(const char *path, size_t layers, size_t size, const char *data)
{
    struct model_builder b;
    float *values = malloc(size * size * sizeof *values);
    if (!values || !layers)
        return 1;
    mb_begin(&b, 17);
    mb_graph(&b);
    mb_input(&b, "x", ONNX_FLOAT, DIMS(ROWS, (int64_t)size));
    bool done = true;
    for (size_t i = 0; done && i < layers; i++)
        done = add_weight(&b, i, size, values, data);
    for (size_t i = 0; i < layers; i++)
        add_node(&b, i, layers);
    mb_output(&b, "y", ONNX_FLOAT, DIMS(ROWS, (int64_t)size));
    struct span bytes = mb_end(&b);
    done = done && write_all(path, bytes.data, bytes.size, "wb");
    mb_free(&b);
    free(values);
    return done ? 0 : 1;
}

static int write_transformer(const char *kind, const char *path, int64_t layers, int64_t width)
{
    struct model_builder b;
    struct span bytes = strcmp(kind, "--decoder") == 0
                            ? bench_decoder(&b, layers, width)
                            : bench_encoder(&b, layers, width, strcmp(kind, "--encoder") != 0);
    bool done = write_all(path, bytes.data, bytes.size, "wb");
    mb_free(&b);
    return done ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--nodes") == 0)
        return write_nodes(argv[2], strtoul(argv[3], NULL, 10));
    if (argc == 5 && argv[1][0] == '-')
        return write_transformer(argv[1], argv[2], strtol(argv[3], NULL, 10),
                                 strtol(argv[4], NULL, 10));
    if (argc < 4) {
        fprintf(stderr, "usage: bench_model FILE.onnx LAYERS SIZE [DATA]\n"
                        "       bench_model --nodes FILE.onnx COUNT\n"
                        "       bench_model --decoder|--encoder|--fused-encoder FILE.onnx LAYERS "
                        "WIDTH\n");
        return 2;
    }
    return write_products(argv[1], strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                          argc > 4 ? argv[4] : NULL);
}
