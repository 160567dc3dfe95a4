#include "emit/base64.h"

static void put_group(struct base64 *b)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)b->left[0] << 16 | (uint32_t)b->left[1] << 8 | b->left[2];
    char text[4];
    for (unsigned i = 0; i < 4; i++)
        text[i] = i > b->count ? '=' : digits[bits >> (18 - 6 * i) & 63];
    out_span(b->out, (struct span){ (const uint8_t *)text, 4 });
    *b = (struct base64){ .out = b->out };
}

void base64_add(struct base64 *b, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        b->left[b->count++] = bytes[i];
        if (b->count == 3)
            put_group(b);
    }
}

void base64_end(struct base64 *b)
{
    if (b->count)
        put_group(b);
}

void out_base64(struct text_out *o, struct span bytes)
{
    struct base64 b = { .out = o };
    base64_add(&b, bytes.data, bytes.size);
    base64_end(&b);
}
