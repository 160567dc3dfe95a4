#include "base/span.h"

#include <string.h>

struct span span_of(const char *text)
{
    return (struct span){ (const uint8_t *)text, text ? strlen(text) : 0 };
}

o2w_status span_cut(struct span s, uint64_t offset, uint64_t size, struct span *out)
{
    if (offset > s.size || size > s.size - offset)
        return O2W_RANGE;
    /* An empty span may have no address to add to. */
    *out = (struct span){ offset ? s.data + offset : s.data, (size_t)size };
    return O2W_OK;
}

bool span_equal(struct span a, struct span b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool span_is(struct span s, const char *text)
{
    return span_equal(s, span_of(text));
}

bool span_starts(struct span s, struct span prefix)
{
    return s.size >= prefix.size && span_equal((struct span){ s.data, prefix.size }, prefix);
}

bool span_ends(struct span s, struct span suffix)
{
    if (s.size < suffix.size)
        return false;
    if (suffix.size == 0)
        return true;
    return memcmp(s.data + (s.size - suffix.size), suffix.data, suffix.size) == 0;
}

int span_compare(struct span a, struct span b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common ? memcmp(a.data, b.data, common) : 0;
    if (order)
        return order;
    return (a.size > b.size) - (a.size < b.size);
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span span_trim(struct span s)
{
    while (s.size && is_blank(s.data[0])) {
        s.data++;
        s.size--;
    }
    while (s.size && is_blank(s.data[s.size - 1]))
        s.size--;
    return s;
}

uint64_t span_fnv1a64(struct span s)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < s.size; i++)
        hash = (hash ^ s.data[i]) * 0x100000001b3u;
    return hash;
}
