/* SHA-256, FIPS 180-4. */

#include "base/sha256_blocks.h"
#include "base/system.h"

#include <string.h>

const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

static uint32_t load_big_endian(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_big_endian(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

static void expand(uint32_t w[64], const uint8_t block[64])
{
    for (int i = 0; i < 16; i++)
        w[i] = load_big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

/* One round; the names of the eight variables move by one from round to round. */
static inline void step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                        uint32_t g, uint32_t *h, uint32_t input)
{
    uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25), choice = g ^ (e & (f ^ g));
    uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22), majority = (a & b) | (c & (a | b));
    uint32_t t = *h + s1 + choice + input;
    *d += t;
    *h = t + s0 + majority;
}

static void compress(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    expand(w, block);
    for (int i = 0; i < 64; i++)
        w[i] += sha256_constants[i];
    for (int i = 0; i < 64; i += 8) {
        step(a, b, c, &d, e, f, g, &h, w[i]);
        step(h, a, b, &c, d, e, f, &g, w[i + 1]);
        step(g, h, a, &b, c, d, e, &f, w[i + 2]);
        step(f, g, h, &a, b, c, d, &e, w[i + 3]);
        step(e, f, g, &h, a, b, c, &d, w[i + 4]);
        step(d, e, f, &g, h, a, b, &c, w[i + 5]);
        step(c, d, e, &f, g, h, a, &b, w[i + 6]);
        step(b, c, d, &e, f, g, h, &a, w[i + 7]);
    }
    const uint32_t result[8] = { a, b, c, d, e, f, g, h };
    for (int i = 0; i < 8; i++)
        state[i] += result[i];
}

void sha256_blocks_portable(uint32_t state[8], const uint8_t *data, size_t count)
{
    for (; count; count--, data += 64)
        compress(state, data);
}

static void compress_blocks(uint32_t state[8], const uint8_t *data, size_t count)
{
    if (sha256_has_instructions())
        sha256_blocks_instructions(state, data, count);
    else
        sha256_blocks_portable(state, data, count);
}

void sha256_begin(struct sha256 *s)
{
    *s = (struct sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                     0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void sha256_add(struct sha256 *s, const void *data, size_t size)
{
    const uint8_t *p = data;
    size_t filled = (size_t)(s->length % 64);
    s->length += size;
    if (filled) {
        size_t part = size < 64 - filled ? size : 64 - filled;
        memcpy(s->block + filled, p, part);
        if (filled + part < 64)
            return;
        compress_blocks(s->state, s->block, 1);
        p += part;
        size -= part;
    }
    compress_blocks(s->state, p, size / 64);
    if (size % 64)
        memcpy(s->block, p + (size - size % 64), size % 64);
}

void sha256_end(struct sha256 *s, uint8_t digest[32])
{
    static const uint8_t padding[64] = { 0x80 };
    uint64_t bits = s->length * 8;
    uint8_t length[8];
    store_big_endian(length, (uint32_t)(bits >> 32));
    store_big_endian(length + 4, (uint32_t)bits);
    size_t filled = (size_t)(s->length % 64);
    sha256_add(s, padding, filled < 56 ? 56 - filled : 120 - filled);
    sha256_add(s, length, sizeof length);
    for (int i = 0; i < 8; i++)
        store_big_endian(digest + 4 * i, s->state[i]);
}

void hex_print(const uint8_t *bytes, size_t count, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        *text++ = digits[bytes[i] >> 4];
        *text++ = digits[bytes[i] & 15];
    }
    *text = '\0';
}
