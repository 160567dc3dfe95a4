/* Base64 of bytes that come in pieces. */
#ifndef EMIT_BASE64_H
#define EMIT_BASE64_H

#include "format/text_out.h"

struct base64 {
    struct text_out *out;
    uint8_t left[3];
    size_t count;
};

void base64_add(struct base64 *b, const void *data, size_t size);
void base64_end(struct base64 *b);
void out_base64(struct text_out *o, struct span bytes);

#endif
