#include "hub/skeleton.h"

#include "base/number.h"
#include "onnx/proto.h"

#include <string.h>

enum { WINDOW_LEAST = 32 << 10, WINDOW_MOST = 8 << 20, DEPTH_MOST = 64, FIELD_MOST = 64 << 20 };

static const char missing_file[] = "skeleton-weights-left-out.bin";

/* A window over the source that moves forward: it doubles while bytes are used and is small again after a skip. */
struct walk {
    struct skeleton_source *source;
    const char *name;
    const o2w_allocator *allocator;
    struct diags *d;
    struct wire_writer *out;
    uint8_t *window;
    size_t held, next;  /* bytes in the window; size of the next read */
    uint64_t start, at; /* of the window; where the walk is */
    unsigned depth;
};

static o2w_status wrong(struct walk *w, enum diag_code code, uint64_t offset, const char *what)
{
    o2w_status s = diag_error(w->d, code, "%s", what);
    diag_position(w->d, span_of(w->name), (int64_t)offset, -1, -1);
    return s;
}

/* The window has `size` bytes from w->at on. */
static o2w_status need(struct walk *w, size_t size)
{
    if (w->at >= w->start && w->at + size <= w->start + w->held)
        return O2W_OK;
    if (size > w->source->size - w->at)
        return wrong(w, DIAG_PROTOBUF_TRUNCATED, w->at, "the file ends inside a field");
    bool skipped = w->at > w->start + w->held;
    w->next = skipped || !w->held         ? WINDOW_LEAST
              : w->next * 2 < WINDOW_MOST ? w->next * 2
                                          : WINDOW_MOST;
    size_t want = size > w->next ? size : w->next;
    if (want > w->source->size - w->at)
        want = (size_t)(w->source->size - w->at);
    if (want > WINDOW_MOST)
        return wrong(w, DIAG_LIMIT, w->at, "a field is too long");
    TRY(w->source->read(w->source->user, w->at, w->window, want, w->d));
    w->source->bytes_read += want;
    w->start = w->at;
    w->held = want;
    return O2W_OK;
}

static const uint8_t *here(const struct walk *w)
{
    return w->window + (w->at - w->start);
}

static o2w_status varint(struct walk *w, uint64_t end, uint64_t *out)
{
    uint64_t value = 0, begin = w->at;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (w->at >= end)
            return wrong(w, DIAG_PROTOBUF_TRUNCATED, begin, "a number is cut off");
        TRY(need(w, 1));
        uint8_t byte = *here(w);
        w->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = value;
            return O2W_OK;
        }
    }
    return wrong(w, DIAG_PROTOBUF_VARINT, begin, "a number has more than 64 bits");
}

/* A field as it stands in the file; `length` and `body` of length-delimited ones. */
struct field {
    uint32_t number;
    enum wire_type type;
    uint64_t begin, body, length;
};

static o2w_status next_field(struct walk *w, uint64_t end, struct field *f)
{
    uint64_t tag;
    f->begin = w->at;
    TRY(varint(w, end, &tag));
    f->number = (uint32_t)(tag >> 3);
    f->type = (enum wire_type)(tag & 7);
    f->body = w->at;
    if (f->number == 0 || tag >> 3 > 536870911)
        return wrong(w, DIAG_PROTOBUF_FIELD, f->begin, "a field number is out of range");
    switch (f->type) {
    case WIRE_TYPE_VARINT: TRY(varint(w, end, &f->length)); return O2W_OK;
    case WIRE_TYPE_FIXED32: f->length = 4; break;
    case WIRE_TYPE_FIXED64: f->length = 8; break;
    case WIRE_TYPE_BYTES:
        TRY(varint(w, end, &f->length));
        f->body = w->at;
        break;
    case WIRE_TYPE_START_GROUP:
    case WIRE_TYPE_END_GROUP:
    default: return wrong(w, DIAG_PROTOBUF_WIRE_TYPE, f->begin, "a wire type is unknown");
    }
    if (f->length > end - w->at)
        return wrong(w, DIAG_PROTOBUF_TRUNCATED, f->begin, "a field is longer than its message");
    return O2W_OK;
}

/* Everything from `begin` to `end` as it is. */
static o2w_status copy(struct walk *w, uint64_t begin, uint64_t end)
{
    if (end - begin > FIELD_MOST)
        return wrong(w, DIAG_LIMIT, begin, "a field that is no weight has more than 64 MB");
    w->at = begin;
    while (w->at < end) {
        size_t part = end - w->at < WINDOW_LEAST ? (size_t)(end - w->at) : WINDOW_LEAST;
        TRY(need(w, part));
        wire_put_raw(w->out, (struct span){ here(w), part });
        w->at += part;
    }
    return O2W_OK;
}

static o2w_status copy_field(struct walk *w, const struct field *f)
{
    bool inside = f->type == WIRE_TYPE_VARINT;
    return copy(w, f->begin, inside ? w->at : f->body + f->length);
}

/* --- tensors ------------------------------------------------------------------------------------------ */

struct external {
    char location[1100];
    uint64_t offset, length;
    bool has_length, given;
};

struct tensor {
    uint64_t count;              /* product of the dims */
    uint64_t data_type, payload; /* bytes of the largest payload field */
    bool overflow, left_out, is_external;
    struct external external;
};

/* Bits of an element, by the number of its data type; 0: not of a fixed size. */
static unsigned element_bits(uint64_t type)
{
    static const uint8_t bits[] = { 0,  32, 8,  8,   16, 16, 32, 64, 0, 8, 16, 64,
                                    32, 64, 64, 128, 16, 8,  8,  8,  8, 4, 4,  4 };
    return type < sizeof bits ? bits[type] : 0;
}

static bool is_payload(uint32_t number)
{
    return number == TENSOR_RAW_DATA || number == TENSOR_FLOAT_DATA ||
           number == TENSOR_INT32_DATA || number == TENSOR_INT64_DATA ||
           number == TENSOR_DOUBLE_DATA || number == TENSOR_UINT64_DATA;
}

static void multiply(struct tensor *t, uint64_t dim)
{
    t->overflow |= dim && t->count > (UINT64_MAX >> 7) / dim;
    t->count *= dim;
}

static o2w_status read_dims(struct walk *w, const struct field *f, struct tensor *t)
{
    uint64_t dim;
    if (f->type == WIRE_TYPE_VARINT) {
        multiply(t, f->length);
        return O2W_OK;
    }
    while (w->at < f->body + f->length) {
        TRY(varint(w, f->body + f->length, &dim));
        multiply(t, dim);
    }
    return O2W_OK;
}

static o2w_status read_text(struct walk *w, const struct field *f, char *to, size_t room)
{
    if (f->length >= room)
        return wrong(w, DIAG_LIMIT, f->begin, "a text of external data is too long");
    w->at = f->body;
    TRY(need(w, (size_t)f->length));
    memcpy(to, here(w), (size_t)f->length);
    to[f->length] = '\0';
    w->at += f->length;
    return O2W_OK;
}

static o2w_status read_entry(struct walk *w, const struct field *entry, struct external *e)
{
    char key[32] = "", value[1100] = "";
    uint64_t end = entry->body + entry->length;
    while (w->at < end) {
        struct field f;
        TRY(next_field(w, end, &f));
        if (f.type == WIRE_TYPE_BYTES && f.number == ENTRY_KEY && f.length < sizeof key)
            TRY(read_text(w, &f, key, sizeof key));
        else if (f.type == WIRE_TYPE_BYTES && f.number == ENTRY_VALUE)
            TRY(read_text(w, &f, value, sizeof value));
        else if (f.type != WIRE_TYPE_VARINT)
            w->at = f.body + f.length;
    }
    e->given = true;
    if (strcmp(key, "location") == 0)
        memcpy(e->location, value, sizeof value);
    else if (strcmp(key, "offset") == 0)
        (void)number_parse_u64(span_of(value), &e->offset);
    else if (strcmp(key, "length") == 0)
        e->has_length = number_parse_u64(span_of(value), &e->length) == O2W_OK;
    return O2W_OK;
}

/* What the tensor is; its large payload is not read. */
static o2w_status scan_tensor(struct walk *w, uint64_t end, struct tensor *t)
{
    t->count = 1;
    while (w->at < end) {
        struct field f;
        TRY(next_field(w, end, &f));
        if (f.number == TENSOR_DIMS)
            TRY(read_dims(w, &f, t));
        else if (f.number == TENSOR_DATA_TYPE && f.type == WIRE_TYPE_VARINT)
            t->data_type = f.length;
        else if (f.number == TENSOR_DATA_LOCATION && f.type == WIRE_TYPE_VARINT)
            t->is_external = f.length == 1;
        else if (f.number == TENSOR_EXTERNAL_DATA && f.type == WIRE_TYPE_BYTES)
            TRY(read_entry(w, &f, &t->external));
        else if (is_payload(f.number) && f.type == WIRE_TYPE_BYTES && f.length > t->payload)
            t->payload = f.length;
        if (f.type != WIRE_TYPE_VARINT)
            w->at = f.body + f.length;
    }
    t->left_out = t->payload > SKELETON_KEEP;
    return O2W_OK;
}

static void put_entry(struct wire_writer *out, const char *key, const char *value)
{
    size_t begun = wire_begin(out, TENSOR_EXTERNAL_DATA);
    wire_put_text(out, ENTRY_KEY, key);
    wire_put_text(out, ENTRY_VALUE, value);
    wire_end(out, begun);
}

/* A reference that says how long the bytes would be. */
static o2w_status put_reference(struct walk *w, uint64_t begin, const struct tensor *t)
{
    char length[NUMBER_TEXT];
    unsigned bits = element_bits(t->data_type);
    if (!bits || t->overflow)
        return wrong(w, DIAG_PROTOBUF_FIELD, begin, "a large tensor has no size that can be known");
    number_print_u64((t->count * bits + 7) / 8, length);
    put_entry(w->out, "location", missing_file);
    put_entry(w->out, "offset", "0");
    put_entry(w->out, "length", length);
    wire_put_varint(w->out, TENSOR_DATA_LOCATION, 1);
    return O2W_OK;
}

/* The bytes of a small external tensor become its raw data. */
static o2w_status take_in(struct walk *w, const struct tensor *t)
{
    uint8_t bytes[SKELETON_KEEP];
    TRY(w->source->read_external(w->source->user, span_of(t->external.location), t->external.offset,
                                 bytes, (size_t)t->external.length, w->d));
    wire_put_bytes(w->out, TENSOR_RAW_DATA, (struct span){ bytes, (size_t)t->external.length });
    return O2W_OK;
}

static bool is_small_external(const struct walk *w, const struct tensor *t)
{
    return t->is_external && t->external.given && w->source->read_external &&
           t->external.has_length && t->external.length <= SKELETON_KEEP;
}

static bool is_kept(const struct field *f, const struct tensor *t, bool small)
{
    bool where = f->number == TENSOR_EXTERNAL_DATA || f->number == TENSOR_DATA_LOCATION;
    if (small && where)
        return false;
    return !t->left_out || !(where || is_payload(f->number));
}

static o2w_status put_tensor(struct walk *w, uint64_t end)
{
    struct tensor t = { 0 };
    uint64_t begin = w->at;
    TRY(scan_tensor(w, end, &t));
    bool small = is_small_external(w, &t);
    w->at = begin;
    while (w->at < end) {
        struct field f;
        TRY(next_field(w, end, &f));
        uint64_t after = f.type == WIRE_TYPE_VARINT ? w->at : f.body + f.length;
        if (is_kept(&f, &t, small))
            TRY(copy_field(w, &f));
        w->at = after;
    }
    if (t.left_out)
        return put_reference(w, begin, &t);
    return small ? take_in(w, &t) : O2W_OK;
}

/* --- messages that hold tensors ----------------------------------------------------------------------- */

enum message {
    IN_MODEL,
    IN_GRAPH,
    IN_NODE,
    IN_ATTRIBUTE,
    IN_FUNCTION,
    IN_SPARSE,
    IN_TENSOR,
    IN_NONE
};

static const struct {
    enum message in;
    uint32_t number;
    enum message to;
} ways[] = {
    { IN_MODEL, MODEL_GRAPH, IN_GRAPH },
    { IN_MODEL, MODEL_FUNCTIONS, IN_FUNCTION },
    { IN_GRAPH, GRAPH_NODE, IN_NODE },
    { IN_GRAPH, GRAPH_INITIALIZER, IN_TENSOR },
    { IN_GRAPH, GRAPH_SPARSE_INITIALIZER, IN_SPARSE },
    { IN_FUNCTION, FUNCTION_NODE, IN_NODE },
    { IN_FUNCTION, FUNCTION_ATTRIBUTE_PROTO, IN_ATTRIBUTE },
    { IN_NODE, NODE_ATTRIBUTE, IN_ATTRIBUTE },
    { IN_ATTRIBUTE, ATTRIBUTE_T, IN_TENSOR },
    { IN_ATTRIBUTE, ATTRIBUTE_TENSORS, IN_TENSOR },
    { IN_ATTRIBUTE, ATTRIBUTE_G, IN_GRAPH },
    { IN_ATTRIBUTE, ATTRIBUTE_GRAPHS, IN_GRAPH },
};

static enum message leads_to(enum message in, const struct field *f)
{
    for (size_t i = 0; f->type == WIRE_TYPE_BYTES && i < sizeof ways / sizeof *ways; i++)
        if (ways[i].in == in && ways[i].number == f->number)
            return ways[i].to;
    return IN_NONE;
}

static o2w_status put_message(struct walk *w, enum message in, uint64_t end);

static o2w_status put_inner(struct walk *w, enum message to, const struct field *f)
{
    size_t begun = wire_begin(w->out, f->number);
    TRY(to == IN_TENSOR ? put_tensor(w, f->body + f->length)
                        : put_message(w, to, f->body + f->length));
    wire_end(w->out, begun);
    return O2W_OK;
}

static o2w_status put_message(struct walk *w, enum message in, uint64_t end)
{
    if (++w->depth > DEPTH_MOST)
        return wrong(w, DIAG_PROTOBUF_DEPTH, w->at, "messages are nested too deep");
    while (w->at < end) {
        struct field f;
        TRY(next_field(w, end, &f));
        enum message to = leads_to(in, &f);
        uint64_t after = f.type == WIRE_TYPE_VARINT ? w->at : f.body + f.length;
        TRY(to == IN_NONE || to == IN_SPARSE ? copy_field(w, &f) : put_inner(w, to, &f));
        w->at = after;
    }
    w->depth--;
    return O2W_OK;
}

o2w_status skeleton_make(struct skeleton_source *source, const char *name,
                         const o2w_allocator *allocator, struct diags *d, struct wire_writer *out)
{
    struct walk w = { .source = source, .name = name, .allocator = allocator, .d = d, .out = out };
    w.window = mem_alloc(allocator, WINDOW_MOST);
    if (!w.window)
        return diag_memory(d);
    source->bytes_read = 0;
    o2w_status s = put_message(&w, IN_MODEL, source->size);
    mem_free(allocator, w.window, WINDOW_MOST);
    return s == O2W_OK && out->failed ? diag_memory(d) : s;
}
