#include "wasi/scan.h"

#include "onnx/proto.h"
#include "wire/varint.h"

#include <string.h>

enum kind {
    K_SKIP, /* payload */
    K_MODEL,
    K_GRAPH,
    K_NODE,
    K_ATTRIBUTE,
    K_TENSOR,
    K_SPARSE,
    K_FUNCTION,
    K_TRAINING,
    K_VALUE,
    K_TYPE,
    K_ELEMENT, /* of sequence and optional */
    K_MAP,
    K_KINDS
};

enum { FIELDS = 32, TRAINING_INITIALIZATION = 1, TRAINING_ALGORITHM = 2 };

static const uint8_t children[K_KINDS][FIELDS] = {
    [K_MODEL] = { [MODEL_GRAPH] = K_GRAPH,
                  [MODEL_FUNCTIONS] = K_FUNCTION,
                  [MODEL_TRAINING_INFO] = K_TRAINING },
    [K_TRAINING] = { [TRAINING_INITIALIZATION] = K_GRAPH, [TRAINING_ALGORITHM] = K_GRAPH },
    [K_GRAPH] = { [GRAPH_NODE] = K_NODE,
                  [GRAPH_INITIALIZER] = K_TENSOR,
                  [GRAPH_SPARSE_INITIALIZER] = K_SPARSE,
                  [GRAPH_INPUT] = K_VALUE,
                  [GRAPH_OUTPUT] = K_VALUE,
                  [GRAPH_VALUE_INFO] = K_VALUE },
    [K_FUNCTION] = { [FUNCTION_NODE] = K_NODE,
                     [FUNCTION_ATTRIBUTE_PROTO] = K_ATTRIBUTE,
                     [FUNCTION_VALUE_INFO] = K_VALUE },
    [K_NODE] = { [NODE_ATTRIBUTE] = K_ATTRIBUTE },
    [K_ATTRIBUTE] = { [ATTRIBUTE_T] = K_TENSOR,
                      [ATTRIBUTE_G] = K_GRAPH,
                      [ATTRIBUTE_TENSORS] = K_TENSOR,
                      [ATTRIBUTE_GRAPHS] = K_GRAPH,
                      [ATTRIBUTE_TP] = K_TYPE,
                      [ATTRIBUTE_TYPE_PROTOS] = K_TYPE,
                      [ATTRIBUTE_SPARSE_TENSOR] = K_SPARSE,
                      [ATTRIBUTE_SPARSE_TENSORS] = K_SPARSE },
    [K_SPARSE] = { [SPARSE_VALUES] = K_TENSOR, [SPARSE_INDICES] = K_TENSOR },
    [K_VALUE] = { [VALUE_INFO_TYPE] = K_TYPE },
    [K_TYPE] = { [TYPE_SEQUENCE] = K_ELEMENT, [TYPE_OPTIONAL] = K_ELEMENT, [TYPE_MAP] = K_MAP },
    [K_ELEMENT] = { [TYPE_ELEMENT] = K_TYPE },
    [K_MAP] = { [TYPE_MAP_VALUE] = K_TYPE },
};

struct scanning {
    const struct scan_limits *limits;
    struct failure *failure;
    struct model_scan *out;
    unsigned depth, subgraphs, ports;
    bool main_graph, has_version, has_graph;
};

struct field {
    uint32_t number, type;
    uint64_t value;
    struct span bytes;
};

static enum fault malformed(struct scanning *s)
{
    return fail(s->failure, FAULT_ENCODING, "the bytes are not an ONNX model: %s",
                "a length or number reaches beyond the end of its message");
}

/* False where the message is malformed. */
static bool read_field(const uint8_t **at, const uint8_t *end, struct field *out)
{
    uint64_t tag;
    size_t n = varint_read(*at, end, &tag);
    if (!n || tag >> 3 == 0 || tag >> 3 > UINT32_MAX >> 3)
        return false;
    *at += n;
    *out = (struct field){ .number = (uint32_t)(tag >> 3), .type = (uint32_t)(tag & 7) };
    size_t left = (size_t)(end - *at), fixed = out->type == WIRE_TYPE_FIXED64 ? 8 : 4;
    switch (out->type) {
    case WIRE_TYPE_VARINT: n = varint_read(*at, end, &out->value); break;
    case WIRE_TYPE_FIXED64:
    case WIRE_TYPE_FIXED32: n = left >= fixed ? fixed : 0; break;
    case WIRE_TYPE_BYTES:
        n = varint_read(*at, end, &out->value);
        if (!n || out->value > left - n)
            return false;
        out->bytes = (struct span){ *at + n, (size_t)out->value };
        n += out->bytes.size;
        break;
    default: return false; /* groups, which ONNX never had */
    }
    *at += n;
    return n > 0;
}

static enum fault scan(struct scanning *s, enum kind kind, struct span bytes);

static enum fault enter(struct scanning *s, enum kind kind, struct span bytes)
{
    bool graph = kind == K_GRAPH;
    if (s->depth >= SCAN_DEPTH)
        return fail(s->failure, FAULT_ENCODING, "the model is nested deeper than %d messages",
                    SCAN_DEPTH);
    if (graph && s->subgraphs > SCAN_SUBGRAPHS)
        return fail(s->failure, FAULT_TOO_LARGE, "graphs are nested deeper than %d",
                    SCAN_SUBGRAPHS);
    s->depth++;
    s->subgraphs += graph;
    enum fault fault = scan(s, kind, bytes);
    s->subgraphs -= graph;
    s->depth--;
    return fault;
}

static bool is_context_of_engine(struct span op)
{
    return span_is(op, "EPContext");
}

static void note_zipmap(struct scanning *s, struct span op, struct span from, struct span to)
{
    struct model_scan *out = s->out;
    if (s->main_graph && s->subgraphs == 1 && span_is(op, "ZipMap") && from.size && to.size &&
        out->zipmap_count < SCAN_ZIPMAPS)
        out->zipmaps[out->zipmap_count++] = (struct scan_zipmap){ from, to };
}

/* What a node says about itself; its attributes are entered by scan. */
static enum fault look_at_node(struct scanning *s, struct span bytes)
{
    struct span op = { 0 }, from = { 0 }, to = { 0 };
    const uint8_t *at = bytes.data, *end = at + bytes.size;
    struct field f;
    while (at < end && read_field(&at, end, &f)) {
        if (f.type != WIRE_TYPE_BYTES)
            continue;
        if (f.number == NODE_OP_TYPE)
            op = f.bytes;
        else if (f.number == NODE_INPUT)
            from = f.bytes;
        else if (f.number == NODE_OUTPUT)
            to = f.bytes;
        if (!s->limits->trusted && is_context_of_engine(op))
            return fail(s->failure, FAULT_SECURITY,
                        "operator EPContext names a file of the host, which guests may not");
    }
    note_zipmap(s, op, from, to);
    if (++s->out->nodes > s->limits->nodes && !s->limits->trusted)
        return fail(s->failure, FAULT_TOO_LARGE, "the model has more than %u nodes",
                    s->limits->nodes);
    return FAULT_NONE;
}

static enum fault look_at_field(struct scanning *s, enum kind kind, const struct field *f)
{
    if (kind == K_MODEL && f->number == MODEL_IR_VERSION)
        s->has_version = true;
    if (kind == K_MODEL && f->number == MODEL_GRAPH)
        s->has_graph = s->main_graph = true;
    bool port = kind == K_GRAPH && s->main_graph && s->subgraphs == 1 &&
                (f->number == GRAPH_INPUT || f->number == GRAPH_OUTPUT);
    if (port && ++s->ports > SCAN_PORTS && !s->limits->trusted)
        return fail(s->failure, FAULT_TOO_LARGE, "the model has more than %d inputs and outputs",
                    SCAN_PORTS);
    bool external = kind == K_TENSOR && ((f->number == TENSOR_DATA_LOCATION && f->value != 0) ||
                                         f->number == TENSOR_EXTERNAL_DATA);
    if (external && !s->limits->trusted)
        return fail(s->failure, FAULT_SECURITY,
                    "weights in external files are refused in a model given as bytes: have the "
                    "host register it by name");
    return FAULT_NONE;
}

static enum fault scan(struct scanning *s, enum kind kind, struct span bytes)
{
    const uint8_t *at = bytes.data, *end = at + bytes.size;
    struct field f;
    if (kind == K_NODE)
        CHECK(look_at_node(s, bytes));
    while (at < end) {
        if (!read_field(&at, end, &f))
            return malformed(s);
        CHECK(look_at_field(s, kind, &f));
        enum kind child = f.number < FIELDS ? (enum kind)children[kind][f.number] : K_SKIP;
        if (child != K_SKIP && f.type != WIRE_TYPE_BYTES)
            return malformed(s);
        if (child != K_SKIP)
            CHECK(enter(s, child, f.bytes));
        if (kind == K_MODEL)
            s->main_graph = false;
    }
    return FAULT_NONE;
}

bool scan_is_model(struct span bytes)
{
    const uint8_t *at = bytes.data, *end = at + bytes.size;
    bool version = false, graph = false;
    struct field f;
    while (at < end) {
        if (!read_field(&at, end, &f))
            return false;
        version |= f.number == MODEL_IR_VERSION && f.type == WIRE_TYPE_VARINT;
        graph |= f.number == MODEL_GRAPH && f.type == WIRE_TYPE_BYTES;
    }
    return version && graph;
}

enum fault scan_model(struct span bytes, const struct scan_limits *limits, struct failure *f,
                      struct model_scan *out)
{
    struct scanning s = { .limits = limits, .failure = f, .out = out };
    *out = (struct model_scan){ 0 };
    CHECK(scan(&s, K_MODEL, bytes));
    if (!s.has_version || !s.has_graph)
        return fail(f, FAULT_ENCODING, "the bytes are not an ONNX model: %s",
                    s.has_graph ? "there is no ir_version" : "there is no graph");
    return FAULT_NONE;
}

const struct scan_zipmap *scan_find_zipmap(const struct model_scan *s, struct span to)
{
    for (uint32_t i = 0; i < s->zipmap_count; i++)
        if (span_equal(s->zipmaps[i].to, to))
            return &s->zipmaps[i];
    return NULL;
}
