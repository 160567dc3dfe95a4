/* CLASSIFIER.onnx F32.bin ROWS COLUMNS: prints the int64 label of each row. */
#include "nn.h"

#include <inttypes.h>

static uint32_t read_file(const char *path, void *to, uint32_t room)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        exit(100);
    }
    uint32_t size = (uint32_t)fread(to, 1, room, f);
    fclose(f);
    return size;
}

static uint8_t model[4 << 20];
static uint8_t rows[1 << 16];
static int64_t labels[1 << 12];

int main(int argc, char **argv)
{
    uint32_t graph, context, size;
    if (argc != 5)
        return 99;
    const struct nn_builder b = { model, read_file(argv[1], model, sizeof model) };
    const uint32_t dims[2] = { (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]) };
    const struct nn_tensor x = { dims, 2, F32, rows, read_file(argv[2], rows, sizeof rows) };
    NN(nn_load(&b, 1, NN_ONNX, 0, &graph));
    NN(nn_init(graph, &context));
    NN(nn_set_input(context, 0, &x));
    NN(nn_compute(context));
    NN(nn_get_output(context, 0, labels, sizeof labels, &size));
    for (uint32_t i = 0; i < size / 8; i++)
        printf("%" PRId64 "%s", labels[i], i + 1 < size / 8 ? " " : "\n");
    return 0;
}
