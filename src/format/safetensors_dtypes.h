/* The element kinds of the container, in the order in which it stores them. */
#ifndef FORMAT_SAFETENSORS_DTYPES_H
#define FORMAT_SAFETENSORS_DTYPES_H

#include "tensor/dtype.h"

struct archive_dtype {
    const char *name;
    uint8_t bits;
    enum dtype dtype; /* DTYPE_COUNT: nothing here computes with it */
};

/* By name; NULL when the container has no such kind. Earlier rows are stored first. */
const struct archive_dtype *archive_dtype_find(struct span name);
/* How the container calls a dtype; NULL when it has no name for it. */
const char *archive_dtype_name(enum dtype t);
/* Storage bytes of `count` elements; false on overflow or when they do not end at a byte. */
bool archive_dtype_bytes(const struct archive_dtype *t, uint64_t count, uint64_t *bytes);

#endif
