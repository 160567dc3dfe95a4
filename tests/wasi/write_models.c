/* Writes the models of the cases into a folder. */
#include "wasi/guest.h"

#include <stdio.h>
#include <stdlib.h>

static void write_file(const char *folder, const char *name, const void *data, size_t size)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

static void write_model(const char *folder, const char *name, struct span model)
{
    write_file(folder, name, model.data, model.size);
}

int main(int argc, char **argv)
{
    static const float rows[12] = { 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0 };
    static const float four[4] = { 1, 2, 3, 4 };
    static const char text[] = "webnn_graph \"add\" v2 {\n"
                               "  inputs { x: f32[1, 4]; }\n"
                               "  consts { one: f32[] @scalar(1.0); }\n"
                               "  nodes { y = add(x, one); }\n"
                               "  outputs { y; }\n"
                               "}\n";
    const char *folder = argc > 1 ? argv[1] : ".";
    write_model(folder, "add.onnx", model_add());
    write_model(folder, "classifier.onnx", model_classifier());
    write_model(folder, "bytes.onnx", model_bytes());
    write_model(folder, "mixed.onnx", model_mixed());
    write_model(folder, "zipmap.onnx", model_zipmap());
    write_model(folder, "custom.onnx", model_custom());
    write_model(folder, "external.onnx", model_external("weights.bin"));
    write_model(folder, "loop.onnx", model_loop(INT64_MAX));
    write_model(folder, "fold.onnx", model_products(9000, 1, true));
    write_model(folder, "long.onnx", model_long());
    write_file(folder, "weights.bin", four, sizeof four);
    write_file(folder, "four.bin", four, sizeof four);
    write_file(folder, "rows.bin", rows, sizeof rows);
    write_file(folder, "add.webnn", text, sizeof text - 1);
    write_file(folder, "broken.onnx", "junk", 4);
    models_free();
    return 0;
}
