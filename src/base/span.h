/* Borrowed views of bytes and text. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <onnx2webnn/common.h>

/* A borrowed view of bytes; never owns. Valid as long as what it was cut from.
 * Text is a span too: UTF-8 unless said otherwise, not NUL-terminated. */
struct span {
    const uint8_t *data;
    size_t size;
};

/* The span of a string literal. */
#define SPAN(literal) ((struct span){ (const uint8_t *)("" literal), sizeof(literal) - 1 })
/* For printf-like calls: "%.*s". */
#define SPAN_ARG(s) (int)((s).size > 65535 ? 65535 : (s).size), (const char *)(s).data

/* The span of a NUL-terminated text; NULL gives the empty span. */
struct span span_of(const char *text);
/* The part [offset, offset + size) of s. Fails with O2W_RANGE when it is not inside; *out is then unchanged. */
o2w_status span_cut(struct span s, uint64_t offset, uint64_t size, struct span *out);
bool span_equal(struct span a, struct span b);
bool span_is(struct span s, const char *text);
bool span_starts(struct span s, struct span prefix);
bool span_ends(struct span s, struct span suffix);
/* Byte order, shorter first on a common prefix: <0, 0, >0. */
int span_compare(struct span a, struct span b);
/* Without ASCII blanks at both ends. */
struct span span_trim(struct span s);
/* 64-bit FNV-1a (offset cbf29ce484222325, prime 100000001b3). */
uint64_t span_fnv1a64(struct span s);

#endif
