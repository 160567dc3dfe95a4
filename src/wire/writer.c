#include "wire/writer.h"

#include "wire/reader.h"
#include "wire/varint.h"

#include <string.h>

void wire_writer_init(struct wire_writer *w, const o2w_allocator *allocator)
{
    *w = (struct wire_writer){ .bytes.allocator = allocator };
}

void wire_writer_free(struct wire_writer *w)
{
    VEC_FREE(&w->bytes);
}

o2w_status wire_written(const struct wire_writer *w, struct span *out)
{
    if (w->failed)
        return O2W_NO_MEMORY;
    *out = (struct span){ w->bytes.items, w->bytes.count };
    return O2W_OK;
}

/* Room for size bytes at the end; NULL when memory is out. */
static uint8_t *grow(struct wire_writer *w, size_t size)
{
    if (w->failed || !VEC_RESERVE(&w->bytes, size)) {
        w->failed = true;
        return NULL;
    }
    uint8_t *at = w->bytes.items + w->bytes.count;
    w->bytes.count += size;
    return at;
}

void wire_put_raw(struct wire_writer *w, struct span bytes)
{
    uint8_t *to = bytes.size ? grow(w, bytes.size) : NULL;
    if (to)
        memcpy(to, bytes.data, bytes.size);
}

static void put_number(struct wire_writer *w, uint64_t value)
{
    uint8_t text[WIRE_VARINT_MAX];
    wire_put_raw(w, (struct span){ text, varint_write(value, text) });
}

static void put_tag(struct wire_writer *w, uint32_t field, enum wire_type type)
{
    put_number(w, (uint64_t)field << 3 | (uint64_t)type);
}

static void put_little_endian(struct wire_writer *w, uint64_t value, size_t size)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    wire_put_raw(w, (struct span){ bytes, size });
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void wire_put_varint(struct wire_writer *w, uint32_t field, uint64_t value)
{
    put_tag(w, field, WIRE_TYPE_VARINT);
    put_number(w, value);
}

void wire_put_i64(struct wire_writer *w, uint32_t field, int64_t value)
{
    wire_put_varint(w, field, (uint64_t)value);
}

void wire_put_f32(struct wire_writer *w, uint32_t field, float value)
{
    put_tag(w, field, WIRE_TYPE_FIXED32);
    put_little_endian(w, float_bits(value), 4);
}

void wire_put_fixed64(struct wire_writer *w, uint32_t field, uint64_t value)
{
    put_tag(w, field, WIRE_TYPE_FIXED64);
    put_little_endian(w, value, 8);
}

void wire_put_head(struct wire_writer *w, uint32_t field, uint64_t size)
{
    put_tag(w, field, WIRE_TYPE_BYTES);
    put_number(w, size);
}

void wire_put_bytes(struct wire_writer *w, uint32_t field, struct span bytes)
{
    wire_put_head(w, field, bytes.size);
    wire_put_raw(w, bytes);
}

void wire_put_text(struct wire_writer *w, uint32_t field, const char *text)
{
    wire_put_bytes(w, field, span_of(text));
}

void wire_put_i64s(struct wire_writer *w, uint32_t field, const int64_t *values, size_t count)
{
    if (count == 0)
        return;
    size_t begun = wire_begin(w, field);
    for (size_t i = 0; i < count; i++)
        put_number(w, (uint64_t)values[i]);
    wire_end(w, begun);
}

void wire_put_f32s(struct wire_writer *w, uint32_t field, const float *values, size_t count)
{
    if (count == 0)
        return;
    size_t begun = wire_begin(w, field);
    for (size_t i = 0; i < count; i++)
        put_little_endian(w, float_bits(values[i]), 4);
    wire_end(w, begun);
}

/* The length is one byte at first; wire_end makes room when it needs more. */
size_t wire_begin(struct wire_writer *w, uint32_t field)
{
    put_tag(w, field, WIRE_TYPE_BYTES);
    grow(w, 1);
    return w->bytes.count;
}

void wire_end(struct wire_writer *w, size_t begun)
{
    if (w->failed)
        return;
    uint8_t text[WIRE_VARINT_MAX];
    size_t size = w->bytes.count - begun;
    size_t length = varint_write(size, text);
    if (length > 1 && !grow(w, length - 1))
        return;
    uint8_t *content = w->bytes.items + begun;
    if (length > 1)
        memmove(content + length - 1, content, size);
    memcpy(content - 1, text, length);
}
