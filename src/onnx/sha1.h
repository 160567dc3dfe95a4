/* SHA-1 (FIPS 180-4), for checksums of external data only. */
#ifndef ONNX_SHA1_H
#define ONNX_SHA1_H

#include <stddef.h>
#include <stdint.h>

struct sha1 {
    uint32_t state[5];
    uint64_t length;
    uint8_t block[64];
};

void sha1_begin(struct sha1 *s);
void sha1_add(struct sha1 *s, const void *data, size_t size);
void sha1_end(struct sha1 *s, uint8_t digest[20]);

#endif
