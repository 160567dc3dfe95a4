/* MODEL INPUT... : a model from a file, its inputs from raw files, its outputs to raw files.
 * MODEL is a file, or name:NAME; an INPUT is that of files.h. Writes out/N.bin for every output; prints a line for
 * each: its size, or its errno. */
#include "files.h"

static uint32_t load(const char *model)
{
    uint32_t graph;
    if (strncmp(model, "name:", 5) == 0) {
        NN(nn_load_by_name(model + 5, (uint32_t)strlen(model) - 5, &graph));
        return graph;
    }
    struct nn_builder b;
    b.data = read_file(model, &b.size);
    NN(nn_load(&b, 1, NN_AUTODETECT, 0, &graph));
    return graph;
}

int main(int argc, char **argv)
{
    uint32_t context, size, e = 0;
    if (argc < 2)
        return 99;
    NN(nn_init(load(argv[1]), &context));
    for (int i = 2; i < argc; i++)
        NN(set_input(context, (uint32_t)i - 2, argv[i]));
    NN(nn_compute(context));
    for (uint32_t k = 0; e != 1; k++) {
        char path[32];
        snprintf(path, sizeof path, "out/%u.bin", k);
        e = save_output(context, k, path, &size);
        if (e > 1)
            printf("%u: errno %u\n", k, e);
        else if (e == 0)
            printf("%u: %u bytes\n", k, size);
    }
    return 0;
}
