/* Base-128 numbers. */
#ifndef WIRE_VARINT_H
#define WIRE_VARINT_H

#include <stddef.h>
#include <stdint.h>

enum { WIRE_VARINT_MAX = 10 };

/* Reads a varint from [at, end): its length, or 0 when it is cut off or longer than 10 bytes. Bits
 * above 64 are dropped, as protobuf does. */
static inline size_t varint_read(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
    if (at < end && *at < 0x80) {
        *value = *at;
        return 1;
    }
    uint64_t v = 0;
    size_t limit = (size_t)(end - at) < WIRE_VARINT_MAX ? (size_t)(end - at) : WIRE_VARINT_MAX;
    for (size_t i = 0; i < limit; i++) {
        v |= (uint64_t)(at[i] & 0x7f) << (7 * i);
        if (at[i] < 0x80) {
            *value = v;
            return i + 1;
        }
    }
    return 0;
}

/* Writes the shortest form; returns its length. */
static inline size_t varint_write(uint64_t value, uint8_t to[WIRE_VARINT_MAX])
{
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        to[n++] = (uint8_t)(value | 0x80);
    to[n++] = (uint8_t)value;
    return n;
}

#endif
