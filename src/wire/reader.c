#include "wire/reader.h"

#include "base/text.h"
#include "wire/varint.h"

#include <inttypes.h>
#include <string.h>

static const char *const type_names[8] = { "varint",           "64 bits",        "length-delimited",
                                           "start of a group", "end of a group", "32 bits",
                                           "undefined",        "undefined" };

int64_t wire_offset(const struct wire_source *source, const uint8_t *at)
{
    return at - source->file.data;
}

struct wire_reader wire_read(struct wire_source *source, const struct wire_message *m,
                             const struct wire_schema *schema)
{
    return (struct wire_reader){ .source = source,
                                 .schema = schema,
                                 .at = m->bytes.data,
                                 .end = m->bytes.data ? m->bytes.data + m->bytes.size : NULL,
                                 .more = m->more };
}

/* The row of the current field; NULL when the schema does not know it. */
static const struct wire_field *row(const struct wire_reader *r)
{
    if (r->field >= WIRE_FIELD_LIMIT || r->schema->fields[r->field].kind == WIRE_UNKNOWN)
        return NULL;
    return &r->schema->fields[r->field];
}

/* Ends reading: "MESSAGE.FIELD at byte offset N: what was found". */
static bool fail(struct wire_reader *r, enum diag_code code, const uint8_t *at, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));
static bool fail(struct wire_reader *r, enum diag_code code, const uint8_t *at, const char *format,
                 ...)
{
    char found[256];
    va_list args;
    va_start(args, format);
    text_vformat(found, sizeof found, format, args);
    va_end(args);
    const struct wire_field *f = row(r);
    struct diags *d = r->source->diags;
    int64_t offset = wire_offset(r->source, at);
    if (f || r->field == 0)
        r->status = diag_error(d, code, "%s%s%s at byte offset %" PRId64 ": %s", r->schema->name,
                               f ? "." : "", f ? f->name : "", offset, found);
    else
        r->status =
            diag_error(d, code, "%s, unknown field %" PRIu32 ", at byte offset %" PRId64 ": %s",
                       r->schema->name, r->field, offset, found);
    diag_position(d, r->source->name, offset, -1, -1);
    return false;
}

static bool read_varint(struct wire_reader *r, const char *what, uint64_t *value)
{
    size_t length = varint_read(r->at, r->end, value);
    if (length) {
        r->at += length;
        return true;
    }
    if (r->end - r->at >= WIRE_VARINT_MAX)
        return fail(r, DIAG_PROTOBUF_VARINT, r->at, "%s is a varint of more than 10 bytes", what);
    return fail(r, DIAG_PROTOBUF_TRUNCATED, r->at, "%s is a varint that is cut off", what);
}

static bool read_tag(struct wire_reader *r)
{
    uint64_t tag = 0;
    r->tag = r->at;
    r->field = 0;
    if (!read_varint(r, "field tag", &tag))
        return false;
    r->type = (enum wire_type)(tag & 7);
    uint64_t field = tag >> 3;
    if (field == 0 || field > 0x1fffffff)
        return fail(r, DIAG_PROTOBUF_FIELD, r->tag,
                    "field number %" PRIu64 ", must be from 1 to 536870911", field);
    r->field = (uint32_t)field;
    return true;
}

static bool read_fixed(struct wire_reader *r, unsigned size)
{
    if ((size_t)(r->end - r->at) < size)
        return fail(r, DIAG_PROTOBUF_TRUNCATED, r->tag, "cut off: %td of %u bytes are left",
                    r->end - r->at, size);
    r->number = 0;
    for (unsigned i = 0; i < size; i++)
        r->number |= (uint64_t)r->at[i] << (8 * i);
    r->at += size;
    return true;
}

static bool read_bytes(struct wire_reader *r)
{
    uint64_t size = 0;
    if (!read_varint(r, "length", &size))
        return false;
    if (size > (uint64_t)(r->end - r->at))
        return fail(r, DIAG_PROTOBUF_TRUNCATED, r->tag,
                    "length %" PRIu64 " is more than the %td bytes that are left", size,
                    r->end - r->at);
    r->bytes = (struct span){ r->at, (size_t)size };
    r->at += size;
    return true;
}

static bool fail_type(struct wire_reader *r, const char *allowed)
{
    return fail(r, DIAG_PROTOBUF_WIRE_TYPE, r->tag, "wire type %u (%s), must be %s",
                (unsigned)r->type, type_names[r->type & 7], allowed);
}

static bool read_payload(struct wire_reader *r)
{
    switch (r->type) {
    case WIRE_TYPE_VARINT: return read_varint(r, "value", &r->number);
    case WIRE_TYPE_FIXED64: return read_fixed(r, 8);
    case WIRE_TYPE_BYTES: return read_bytes(r);
    case WIRE_TYPE_FIXED32: return read_fixed(r, 4);
    case WIRE_TYPE_START_GROUP:
    case WIRE_TYPE_END_GROUP:
    default: return fail_type(r, "0 (varint), 1 (64 bits), 2 (length-delimited) or 5 (32 bits)");
    }
}

static bool type_fits(enum wire_kind kind, enum wire_type type, const char **allowed)
{
    switch (kind) {
    case WIRE_UNKNOWN: return true;
    case WIRE_VARINT: return *allowed = "0 (varint)", type == WIRE_TYPE_VARINT;
    case WIRE_FIXED32: return *allowed = "5 (32 bits)", type == WIRE_TYPE_FIXED32;
    case WIRE_BYTES: return *allowed = "2 (length-delimited)", type == WIRE_TYPE_BYTES;
    case WIRE_VARINTS:
        return *allowed = "2 (packed) or 0 (varint)",
               type == WIRE_TYPE_BYTES || type == WIRE_TYPE_VARINT;
    case WIRE_FIXED32S:
        return *allowed = "2 (packed) or 5 (32 bits)",
               type == WIRE_TYPE_BYTES || type == WIRE_TYPE_FIXED32;
    case WIRE_FIXED64S:
        return *allowed = "2 (packed) or 1 (64 bits)",
               type == WIRE_TYPE_BYTES || type == WIRE_TYPE_FIXED64;
    }
    return false;
}

/* At the end of a piece: on to the next one. */
static bool more_bytes(struct wire_reader *r)
{
    while (r->at == r->end && r->more) {
        r->at = r->more->bytes.data;
        r->end = r->at + r->more->bytes.size;
        r->more = r->more->more;
    }
    return r->at != r->end;
}

bool wire_next(struct wire_reader *r)
{
    while (r->status == O2W_OK && more_bytes(r)) {
        if (!read_tag(r))
            return false;
        const struct wire_field *f = row(r);
        const char *allowed = NULL;
        if (f && !type_fits(f->kind, r->type, &allowed))
            return fail_type(r, allowed);
        if (!read_payload(r))
            return false;
        if (f)
            return true;
        if (!r->source->unknown_message) {
            r->source->unknown_message = r->schema->name;
            r->source->unknown_field = r->field;
        }
    }
    return false;
}

int64_t wire_i64(const struct wire_reader *r)
{
    int64_t value;
    memcpy(&value, &r->number, sizeof value);
    return value;
}

int32_t wire_i32(const struct wire_reader *r)
{
    uint32_t low = (uint32_t)r->number;
    int32_t value;
    memcpy(&value, &low, sizeof value);
    return value;
}

float wire_f32(const struct wire_reader *r)
{
    uint32_t bits = (uint32_t)r->number;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static unsigned fixed_size(enum wire_kind kind)
{
    return kind == WIRE_FIXED32S ? 4 : kind == WIRE_FIXED64S ? 8 : 0;
}

/* A packed field: every varint ends within it and has at most 10 bytes. */
static bool count_varints(struct wire_reader *r, size_t *count)
{
    const uint8_t *at = r->bytes.data, *end = at + r->bytes.size;
    size_t n = 0;
    for (const uint8_t *begin = at; at < end; at++) {
        if (*at < 0x80) {
            if (at - begin >= WIRE_VARINT_MAX)
                return fail(r, DIAG_PROTOBUF_VARINT, begin, "a varint of more than 10 bytes");
            begin = at + 1;
            n++;
        } else if (at + 1 == end) {
            return fail(r, DIAG_PROTOBUF_TRUNCATED, begin, "the last varint is cut off");
        }
    }
    *count = n;
    return true;
}

o2w_status wire_value_count(struct wire_reader *r, size_t *count)
{
    if (r->type != WIRE_TYPE_BYTES) {
        *count = 1;
        return O2W_OK;
    }
    unsigned size = fixed_size(r->schema->fields[r->field].kind);
    if (size == 0)
        return count_varints(r, count) ? O2W_OK : r->status;
    if (r->bytes.size % size != 0) {
        fail(r, DIAG_PROTOBUF_TRUNCATED, r->tag, "length %zu is not a multiple of %u",
             r->bytes.size, size);
        return r->status;
    }
    *count = r->bytes.size / size;
    return O2W_OK;
}

struct wire_values wire_values(const struct wire_reader *r)
{
    struct wire_values v = { .kind = r->schema->fields[r->field].kind };
    if (r->type == WIRE_TYPE_BYTES) {
        v.at = r->bytes.data;
        v.end = r->bytes.data + r->bytes.size;
    } else {
        v.single = r->number;
        v.one = true;
    }
    return v;
}

bool wire_value(struct wire_values *v, uint64_t *bits)
{
    if (v->one) {
        v->one = false;
        *bits = v->single;
        return true;
    }
    if (v->at == v->end)
        return false;
    unsigned size = fixed_size(v->kind);
    if (size == 0) {
        size_t length = varint_read(v->at, v->end, bits);
        v->at = length ? v->at + length : v->end;
        return length != 0;
    }
    if ((size_t)(v->end - v->at) < size)
        return false;
    *bits = 0;
    for (unsigned i = 0; i < size; i++)
        *bits |= (uint64_t)v->at[i] << (8 * i);
    v->at += size;
    return true;
}

o2w_status wire_tally(struct wire_source *source, const struct wire_message *m,
                      const struct wire_schema *schema, size_t counts[WIRE_FIELD_LIMIT])
{
    memset(counts, 0, WIRE_FIELD_LIMIT * sizeof *counts);
    struct wire_reader r = wire_read(source, m, schema);
    while (wire_next(&r)) {
        size_t count = 1;
        if (schema->fields[r.field].kind >= WIRE_VARINTS)
            TRY(wire_value_count(&r, &count));
        counts[r.field] += count; /* at most one for each byte of the file */
    }
    return r.status;
}
