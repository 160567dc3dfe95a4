/* A pull reader of protobuf messages. A schema says what the fields are called and how they are
 * encoded; unknown fields are skipped, payloads of length-delimited fields are never looked at. */
#ifndef WIRE_READER_H
#define WIRE_READER_H

#include "base/diag.h"
#include "wire/message.h"

enum wire_type {
    WIRE_TYPE_VARINT,
    WIRE_TYPE_FIXED64,
    WIRE_TYPE_BYTES,
    WIRE_TYPE_START_GROUP,
    WIRE_TYPE_END_GROUP,
    WIRE_TYPE_FIXED32
};

enum wire_kind {
    WIRE_UNKNOWN, /* a hole in a schema */
    WIRE_VARINT,
    WIRE_FIXED32,
    WIRE_BYTES,   /* text, bytes, or a message when the row names its schema */
    WIRE_VARINTS, /* repeated numbers, packed or not */
    WIRE_FIXED32S,
    WIRE_FIXED64S
};

struct wire_field {
    const char *name;
    enum wire_kind kind;
    const struct wire_schema *message;
};

enum { WIRE_FIELD_LIMIT = 32 }; /* field numbers of schemas are below it */

struct wire_schema {
    const char *name;
    struct wire_field fields[WIRE_FIELD_LIMIT]; /* by field number */
};

/* What all readers of one file share. */
struct wire_source {
    struct span file; /* all bytes: positions are offsets in it */
    struct span name; /* of the file, for positions */
    struct diags *diags;
    const char *unknown_message; /* the first field that no schema knows; NULL: none */
    uint32_t unknown_field;
};

struct wire_reader {
    struct wire_source *source;
    const struct wire_schema *schema;
    const uint8_t *at, *end;
    const struct wire_message *more;
    o2w_status status;
    /* The current field: */
    uint32_t field;
    enum wire_type type;
    const uint8_t *tag;
    uint64_t number;   /* varint or fixed */
    struct span bytes; /* length-delimited */
};

struct wire_reader wire_read(struct wire_source *source, const struct wire_message *m,
                             const struct wire_schema *schema);
/* Moves to the next field that the schema knows; false at the end and on failure, which `status`
 * tells apart. A field of the wrong wire type is a failure. */
bool wire_next(struct wire_reader *r);
/* The current field as what it is. */
int64_t wire_i64(const struct wire_reader *r);
int32_t wire_i32(const struct wire_reader *r); /* cut to 32 bits, as protobuf does */
float wire_f32(const struct wire_reader *r);

/* The values of the current field of a …S kind, packed or one: how many, and each in order as bits.
 *   for (struct wire_values v = wire_values(&r); wire_value(&v, &bits);) …
 * Only after wire_value_count, which checks that they are whole. */
struct wire_values {
    const uint8_t *at, *end;
    uint64_t single;
    enum wire_kind kind;
    bool one;
};
o2w_status wire_value_count(struct wire_reader *r, size_t *count);
struct wire_values wire_values(const struct wire_reader *r);
bool wire_value(struct wire_values *v, uint64_t *bits);

/* How often each field stands in the message; for …S kinds: how many values. */
o2w_status wire_tally(struct wire_source *source, const struct wire_message *m,
                      const struct wire_schema *schema, size_t counts[WIRE_FIELD_LIMIT]);
/* Where `at` lies in the file. */
int64_t wire_offset(const struct wire_source *source, const uint8_t *at);

#endif
