#include "backend/litert/flat.h"

#include <string.h>

/* Offsets are 32 bits, and readers take them as signed. */
#define FLAT_MOST ((size_t)INT32_MAX)

static void append(struct flat *f, const void *data, size_t size)
{
    if (f->failed || size > FLAT_MOST - f->bytes.count || !VEC_RESERVE(&f->bytes, size)) {
        f->failed = true;
        return;
    }
    if (size && data)
        memcpy(f->bytes.items + f->bytes.count, data, size);
    else if (size)
        memset(f->bytes.items + f->bytes.count, 0, size);
    f->bytes.count += size;
}

/* Zeros until what follows `ahead` bytes later is aligned. */
static void align(struct flat *f, size_t alignment, size_t ahead)
{
    size_t over = (f->bytes.count + ahead) % alignment;
    if (over)
        append(f, NULL, alignment - over);
}

void flat_begin(struct flat *f, const o2w_allocator *allocator, const char identifier[4])
{
    *f = (struct flat){ .failed = false };
    f->bytes.allocator = allocator;
    append(f, NULL, 4);
    append(f, identifier, 4);
}

void flat_free(struct flat *f)
{
    VEC_FREE(&f->bytes);
}

/* The table of offsets stands right before its table. */
size_t flat_table(struct flat *f, const struct flat_field *fields, size_t count, size_t *positions)
{
    enum { MOST = 16 };
    uint16_t offsets[2 + MOST] = { 0 };
    size_t size = 4;
    for (size_t i = 0; i < count && i < MOST; i++) {
        if (fields[i].size == 0)
            continue;
        size = (size + fields[i].size - 1) / fields[i].size * fields[i].size;
        offsets[2 + i] = (uint16_t)size;
        size += fields[i].size;
    }
    offsets[0] = (uint16_t)(4 + 2 * count);
    offsets[1] = (uint16_t)size;
    align(f, 8, offsets[0]);
    append(f, offsets, offsets[0]);
    size_t table = f->bytes.count;
    append(f, NULL, size);
    if (f->failed)
        return 0;
    const int32_t back = offsets[0];
    memcpy(f->bytes.items + table, &back, 4);
    for (size_t i = 0; i < count && i < MOST; i++) {
        memcpy(f->bytes.items + table + offsets[2 + i], &fields[i].value, fields[i].size);
        if (positions)
            positions[i] = table + offsets[2 + i];
    }
    return table;
}

size_t flat_vector(struct flat *f, size_t element, size_t count, const void *data, size_t alignment)
{
    const uint32_t length = (uint32_t)count;
    f->failed = f->failed || count > FLAT_MOST / element;
    align(f, alignment > 4 ? alignment : 4, 4);
    size_t at = f->bytes.count;
    append(f, &length, 4);
    append(f, data, f->failed ? 0 : count * element);
    return at;
}

void flat_patch(struct flat *f, size_t at, size_t target)
{
    const uint32_t offset = (uint32_t)(target - at);
    if (!f->failed)
        memcpy(f->bytes.items + at, &offset, 4);
}
