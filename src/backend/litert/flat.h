/* FlatBuffers, written front to back: a table stands before what it refers to. */
#ifndef BACKEND_LITERT_FLAT_H
#define BACKEND_LITERT_FLAT_H

#include "base/arena.h"

struct flat {
    VEC(uint8_t) bytes;
    bool failed; /* memory is out, or the buffer would exceed 2 GiB */
};

/* A field of a table by its place: `size` bytes of `value`; size 0 is absent. */
struct flat_field {
    uint8_t size;
    uint64_t value;
};

/* Begins the buffer: its identifier, and the root table to come at flat_patch(f, 0, table). */
void flat_begin(struct flat *f, const o2w_allocator *allocator, const char identifier[4]);
void flat_free(struct flat *f);
/* Its place; positions[i] (may be NULL) is where field i stands, for flat_patch. */
size_t flat_table(struct flat *f, const struct flat_field *fields, size_t count, size_t *positions);
/* A vector of elements of 1, 4 or 8 bytes, whose first one is aligned; its place. */
size_t flat_vector(struct flat *f, size_t element, size_t count, const void *data,
                   size_t alignment);
/* Lets the reference at `at` point to what stands at `target`, further behind. */
void flat_patch(struct flat *f, size_t at, size_t target);

#endif
