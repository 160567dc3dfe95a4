/* Shared memories of a core module: the engine lets them grow past the limits of the store. */
#include "wasmtime/shared.h"

enum { SECTION_MEMORY = 5, MODULE_HEADER = 8, HAS_MAXIMUM = 1, IS_SHARED = 2, KNOWN_FLAGS = 7 };

struct code {
    const uint8_t *at, *end;
};

static bool read_number(struct code *c, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; c->at < c->end && shift < 64; shift += 7) {
        uint8_t byte = *c->at++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool add_memory(struct code *c, uint64_t *pages)
{
    uint64_t flags, least, most = 0;
    if (!read_number(c, &flags) || flags & ~(uint64_t)KNOWN_FLAGS || !read_number(c, &least) ||
        (flags & HAS_MAXIMUM && !read_number(c, &most)))
        return false;
    if (most > UINT32_MAX)
        return false;
    *pages += flags & IS_SHARED ? most : 0;
    return true;
}

static bool add_memories(struct code c, uint64_t *pages)
{
    uint64_t count;
    bool known = read_number(&c, &count);
    for (uint64_t k = 0; known && k < count; k++)
        known = add_memory(&c, pages);
    return known;
}

bool shared_pages(struct span module, uint64_t *pages)
{
    struct code c = { module.data + MODULE_HEADER, module.data + module.size };
    *pages = 0;
    while (c.at < c.end) {
        uint8_t id = *c.at++;
        uint64_t size;
        if (!read_number(&c, &size) || size > (uint64_t)(c.end - c.at))
            return false;
        if (id == SECTION_MEMORY && !add_memories((struct code){ c.at, c.at + size }, pages))
            return false;
        c.at += size;
    }
    return true;
}
