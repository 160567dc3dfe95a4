/* numpy files. */
#include "fuzz/fuzz.h"

#include "format/npy.h"
#include "scratch_file.h"

#include <stdio.h>

static struct scratch file = { .path = P_tmpdir "/fuzz-npy-XXXXXX", .descriptor = -1 };

static void remove_file(void)
{
    unlink(file.path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct tensor t;
    if (file.descriptor < 0) {
        scratch_open(&file);
        atexit(remove_file);
    }
    scratch_write(&file, data, size);
    arena_init(&arena, NULL);
    if (npy_read(file.path, &arena, NULL, &t) == O2W_OK && tensor_bytes(&t) > size)
        abort();
    arena_free(&arena);
    return 0;
}
