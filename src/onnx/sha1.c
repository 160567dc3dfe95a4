#include "onnx/sha1.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

static void expand(const uint8_t block[64], uint32_t w[80])
{
    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
}

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    switch (round / 20) {
    case 0: return ((b & c) | (~b & d)) + 0x5a827999u;
    case 1: return (b ^ c ^ d) + 0x6ed9eba1u;
    case 2: return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
    default: return (b ^ c ^ d) + 0xca62c1d6u;
    }
}

static void add_block(struct sha1 *s, const uint8_t block[64])
{
    uint32_t w[80], a = s->state[0], b = s->state[1], c = s->state[2], d = s->state[3],
                    e = s->state[4];
    expand(block, w);
    for (unsigned i = 0; i < 80; i++) {
        uint32_t next = rotate(a, 5) + mix(i, b, c, d) + e + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    s->state[0] += a;
    s->state[1] += b;
    s->state[2] += c;
    s->state[3] += d;
    s->state[4] += e;
}

void sha1_begin(struct sha1 *s)
{
    *s = (struct sha1){ .state = { 0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u,
                                   0xc3d2e1f0u } };
}

void sha1_add(struct sha1 *s, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size) {
        size_t used = s->length % 64, part = 64 - used < size ? 64 - used : size;
        memcpy(s->block + used, at, part);
        s->length += part;
        at += part;
        size -= part;
        if (s->length % 64 == 0)
            add_block(s, s->block);
    }
}

void sha1_end(struct sha1 *s, uint8_t digest[20])
{
    uint64_t bits = s->length * 8;
    uint8_t length[8];
    sha1_add(s, "\x80", 1);
    while (s->length % 64 != 56)
        sha1_add(s, "", 1);
    for (unsigned i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha1_add(s, length, 8);
    for (unsigned i = 0; i < 20; i++)
        digest[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}
