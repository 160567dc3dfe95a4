#include "emit/gzip.h"

#include "base/system.h"

#include <string.h>

/* What is used of zlib 1.2 or newer (its soname 1). */
#define ZLIB_SONAME "libz.so.1"

struct zlib {
    unsigned long (*bound)(unsigned long size);
    int (*compress)(uint8_t *to, unsigned long *to_size, const uint8_t *from, unsigned long size,
                    int level);
    unsigned long (*crc)(unsigned long crc, const uint8_t *bytes, unsigned size);
};

enum { LEVEL = 9, HEAD = 10, TAIL = 8, ZLIB_HEAD = 2, ZLIB_TAIL = 4, MOST = 1 << 30 };

static bool load(struct zlib *z)
{
    struct library *l;
    void *symbols[3];
    static const char *const names[3] = { "compressBound", "compress2", "crc32" };
    if (library_open(ZLIB_SONAME, "O2W_ZLIB", NULL, &l) != O2W_OK)
        return false;
    for (int i = 0; i < 3; i++)
        if (!(symbols[i] = library_symbol(l, names[i])))
            return false;
    memcpy(z, symbols, sizeof symbols);
    return true;
}

static void put_u32(uint8_t *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(v >> (8 * i));
}

/* zlib's stream in a gzip file: another head, another sum behind it. */
struct span gzip_of(struct span bytes, struct arena *arena)
{
    static const uint8_t head[HEAD] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff };
    struct span none = { NULL, 0 };
    struct zlib z;
    _Static_assert(sizeof z == 3 * sizeof(void *), "one pointer per symbol");
    if (bytes.size > MOST || !load(&z))
        return none;
    unsigned long size = z.bound(bytes.size);
    uint8_t *all = arena_alloc(arena, HEAD + size + TAIL, 1);
    if (!all || z.compress(all + HEAD - ZLIB_HEAD, &size, bytes.data, bytes.size, LEVEL) != 0)
        return none;
    uint8_t *tail = all + HEAD - ZLIB_HEAD + size - ZLIB_TAIL;
    memcpy(all, head, sizeof head);
    put_u32(tail, (uint32_t)z.crc(0, bytes.data, (unsigned)bytes.size));
    put_u32(tail + 4, (uint32_t)bytes.size);
    return (struct span){ all, (size_t)(tail + TAIL - all) };
}
