/* MODEL INPUT... : a model from a file, its inputs from raw files, its outputs to raw files.
 * MODEL is a file, or name:NAME. INPUT is TYPE:DIMS:FILE with TYPE f16 f32 f64 u8 i32 i64 and DIMS as 5x4
 * ("-" for a scalar). Writes out/N.bin for every output; prints a line for each: its size, or its errno. */
#include "nn.h"

#include <errno.h>

static void *read_file(const char *path, uint32_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(100);
    }
    *size = (uint32_t)ftell(f);
    rewind(f);
    void *data = malloc(*size ? *size : 1);
    if (!data || fread(data, 1, *size, f) != *size)
        exit(101);
    fclose(f);
    return data;
}

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

static uint8_t type_of(const char *name)
{
    static const char *const names[] = { "f16", "f32", "f64", "u8", "i32", "i64" };
    for (uint8_t i = 0; i < 6; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    exit(102);
}

static void set_input(uint32_t context, uint32_t index, char *spec)
{
    uint32_t dims[16], rank = 0, size;
    char *shape = strchr(spec, ':');
    if (!shape)
        exit(103);
    *shape++ = 0;
    char *file = strchr(shape, ':');
    if (!file)
        exit(103);
    *file++ = 0;
    for (char *at = shape; *shape != '-' && *at && rank < 16; at += *at == 'x')
        dims[rank++] = (uint32_t)strtoul(at, &at, 10);
    void *data = read_file(file, &size);
    NN(nn_set_input(context, index, &(struct nn_tensor){ dims, rank, type_of(spec), data, size }));
}

static void write_output(uint32_t index, const void *data, uint32_t size)
{
    char path[32];
    snprintf(path, sizeof path, "out/%u.bin", index);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(104);
    }
}

int main(int argc, char **argv)
{
    uint32_t context, size;
    if (argc < 2)
        return 99;
    NN(nn_init(load(argv[1]), &context));
    for (int i = 2; i < argc; i++)
        set_input(context, (uint32_t)i - 2, argv[i]);
    NN(nn_compute(context));
    for (uint32_t k = 0;; k++) {
        uint32_t e = nn_get_output(context, k, NULL, 0, &size);
        if (e == 1)
            break;
        if (e != 0 && e != 7) {
            printf("%u: errno %u\n", k, e);
            continue;
        }
        void *data = malloc(e ? size : 1);
        if (e)
            NN(nn_get_output(context, k, data, size, &size));
        else
            size = 0;
        write_output(k, data, size);
        printf("%u: %u bytes\n", k, size);
        free(data);
    }
    return 0;
}
