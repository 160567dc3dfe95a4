/* Writes protobuf messages into a growing buffer, lengths in their shortest form. */
#ifndef WIRE_WRITER_H
#define WIRE_WRITER_H

#include "base/diag.h"

/* Zero is empty, with the default allocator. When memory runs out the rest is dropped and `failed`.
 */
struct wire_writer {
    VEC(uint8_t) bytes;
    bool failed;
};

void wire_writer_init(struct wire_writer *w, const o2w_allocator *allocator);
void wire_writer_free(struct wire_writer *w);
/* Everything written so far; O2W_NO_MEMORY when something was dropped. */
o2w_status wire_written(const struct wire_writer *w, struct span *out);

void wire_put_varint(struct wire_writer *w, uint32_t field, uint64_t value);
void wire_put_i64(struct wire_writer *w, uint32_t field, int64_t value);
void wire_put_f32(struct wire_writer *w, uint32_t field, float value);
void wire_put_fixed64(struct wire_writer *w, uint32_t field, uint64_t value);
void wire_put_bytes(struct wire_writer *w, uint32_t field, struct span bytes);
void wire_put_text(struct wire_writer *w, uint32_t field, const char *text);
/* Repeated numbers in packed form; nothing when count is 0. */
void wire_put_i64s(struct wire_writer *w, uint32_t field, const int64_t *values, size_t count);
void wire_put_f32s(struct wire_writer *w, uint32_t field, const float *values, size_t count);
/* Bytes as they are: whole fields that were encoded elsewhere. */
void wire_put_raw(struct wire_writer *w, struct span bytes);

/* The head of a bytes field: `size` bytes of content follow, which are put elsewhere. */
void wire_put_head(struct wire_writer *w, uint32_t field, uint64_t size);

/* A nested message: what is put between the two calls is its content. */
size_t wire_begin(struct wire_writer *w, uint32_t field);
void wire_end(struct wire_writer *w, size_t begun);

#endif
