/* Raw tensor files of guests. An input is TYPE:DIMS:FILE with TYPE f16 f32 f64 u8 i32 i64 and DIMS as 5x4 ("-" for
 * a scalar). What is not so ends the guest. */
#ifndef GUESTS_FILES_H
#define GUESTS_FILES_H

#include "nn.h"

#include <errno.h>

static inline void *read_file(const char *path, uint32_t *size)
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

static inline void write_file(const char *path, const void *data, uint32_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(104);
    }
}

static inline uint8_t type_of(const char *name)
{
    static const char *const names[] = { "f16", "f32", "f64", "u8", "i32", "i64" };
    for (uint8_t i = 0; i < 6; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    exit(102);
}

/* set_input with the tensor of `spec`; the errno. */
static inline uint32_t set_input(uint32_t context, uint32_t index, char *spec)
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
    const struct nn_tensor t = { dims, rank, type_of(spec), data, size };
    uint32_t e = nn_set_input(context, index, &t);
    free(data);
    return e;
}

/* Output `index` into the file; the errno. *size: its bytes. */
static inline uint32_t save_output(uint32_t context, uint32_t index, const char *path,
                                   uint32_t *size)
{
    uint32_t e = nn_get_output(context, index, NULL, 0, size);
    if (e != 0 && e != 7)
        return e;
    void *data = malloc(e ? *size : 1);
    if (!data)
        exit(101);
    e = e ? nn_get_output(context, index, data, *size, size) : 0;
    if (!e)
        write_file(path, data, *size);
    free(data);
    return e;
}

#endif
