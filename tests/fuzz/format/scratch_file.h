/* One temporary file of a fuzz target, rewritten for each input and removed at the end. */
#ifndef FUZZ_SCRATCH_FILE_H
#define FUZZ_SCRATCH_FILE_H

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct scratch {
    char path[64];
    int descriptor;
};

static inline void scratch_open(struct scratch *s)
{
    s->descriptor = mkstemp(s->path);
    if (s->descriptor < 0)
        abort();
}

static inline void scratch_write(const struct scratch *s, const uint8_t *data, size_t size)
{
    if (ftruncate(s->descriptor, 0) != 0 || pwrite(s->descriptor, data, size, 0) != (ssize_t)size)
        abort();
}

#endif
