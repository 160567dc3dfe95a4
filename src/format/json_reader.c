/* The JSON form of a graph. */
#include "base/text.h"
#include "format/json_values.h"

#include <string.h>

struct reader {
    struct document *doc;
    struct diags *diags;
    struct json_reader json;
    VEC(struct doc_name) names; /* of the node being read */
};

typedef o2w_status member_fn(struct reader *r, const struct json_value *v, void *user);

static struct place place_of(const struct json_value *v)
{
    return (struct place){ v->line, v->column };
}

static struct place key_place(const struct json_value *v)
{
    return (struct place){ v->key_line, v->key_column };
}

/* Calls `read` for each member of the object, or item of the array, that v begins. */
static o2w_status each(struct reader *r, const struct json_value *v, enum json_kind kind,
                       const char *wanted, member_fn *read, void *user)
{
    struct json_value item;
    if (v->kind != kind) {
        struct json_value found = *v;
        TRY(json_skip(&r->json, v)); /* what is wrong inside comes first */
        return json_wrong(&r->json, &found, wanted);
    }
    TRY(json_next(&r->json, &item));
    while (item.kind != JSON_END) {
        TRY(read(r, &item, user));
        TRY(json_next(&r->json, &item));
    }
    return O2W_OK;
}

static o2w_status each_member(struct reader *r, const struct json_value *v, member_fn *read,
                              void *user)
{
    return each(r, v, JSON_OBJECT, "an object", read, user);
}

static o2w_status each_item(struct reader *r, const struct json_value *v, member_fn *read,
                            void *user)
{
    return each(r, v, JSON_ARRAY, "an array", read, user);
}

static o2w_status missing(struct reader *r, struct place at, const char *key)
{
    return doc_at(r->doc, r->diags, at,
                  diag_error(r->diags, DIAG_TEXT_SYNTAX, "expected the key '%s', found none", key));
}

static o2w_status check_text(struct reader *r, struct place at, struct span text, const char *what)
{
    if (text.size == 0)
        return doc_at(
            r->doc, r->diags, at,
            diag_error(r->diags, DIAG_TEXT_SYNTAX, "expected %s, found an empty text", what));
    return text.size > LIMIT_STRING
               ? doc_limit(r->doc, r->diags, at, "bytes of a string:", text.size, LIMIT_STRING)
               : O2W_OK;
}

static o2w_status read_name(struct reader *r, const struct json_value *v, const char *what,
                            struct span *out)
{
    TRY(json_string(&r->json, v, out));
    return check_text(r, place_of(v), *out, what);
}

/* ---- types ---- */

struct type_parts {
    struct span of; /* what has the type */
    struct doc_type type;
    struct doc_dim dims[MAX_RANK];
    bool has_dtype, has_shape;
};

static o2w_status read_size(struct reader *r, const struct json_value *v, const char *what,
                            struct span of, int64_t *out)
{
    uint64_t size;
    TRY(json_u64(&r->json, v, &size));
    if (size > LIMIT_DIM) {
        char text[160];
        text_format(text, sizeof text, "%s of '%.*s'", what, SPAN_ARG(of));
        return doc_limit(r->doc, r->diags, place_of(v), text, size, LIMIT_DIM);
    }
    *out = (int64_t)size;
    return O2W_OK;
}

struct dynamic_parts {
    struct span of;
    struct doc_dim *out;
};

static o2w_status read_dynamic_member(struct reader *r, const struct json_value *v, void *user)
{
    struct dynamic_parts *parts = user;
    if (span_is(v->key, "name"))
        return read_name(r, v, "the name of a dimension", &parts->out->name);
    if (span_is(v->key, "maxSize"))
        return read_size(r, v, "maximum of a dimension", parts->of, &parts->out->size);
    return json_skip(&r->json, v);
}

static o2w_status read_dynamic(struct reader *r, const struct json_value *v, struct span of,
                               struct doc_dim *out)
{
    struct dynamic_parts parts = { of, out };
    struct place at = place_of(v);
    TRY(each_member(r, v, read_dynamic_member, &parts));
    if (!out->name.data)
        return missing(r, at, "name");
    if (out->size == 0)
        return doc_at(
            r->doc, r->diags, at,
            diag_error(
                r->diags, DIAG_TEXT_NUMBER,
                "number 0 is out of range (the maximum of a dimension of '%.*s' is at least 1)",
                SPAN_ARG(of)));
    if (r->doc->first_dynamic.line == 0)
        r->doc->first_dynamic = at;
    return O2W_OK;
}

static o2w_status read_dim(struct reader *r, const struct json_value *v, void *user)
{
    struct type_parts *parts = user;
    struct doc_dim *out = &parts->dims[parts->type.rank];
    if (parts->type.rank == MAX_RANK) {
        char what[160];
        text_format(what, sizeof what, "rank of '%.*s'", SPAN_ARG(parts->of));
        return doc_limit(r->doc, r->diags, place_of(v), what, MAX_RANK + 1, MAX_RANK);
    }
    *out = (struct doc_dim){ 0 };
    parts->type.rank++;
    if (v->kind == JSON_OBJECT)
        return read_dynamic(r, v, parts->of, out);
    return read_size(r, v, "dimension", parts->of, &out->size);
}

/* dataType and shape; *done is false for any other member. */
static o2w_status read_type_member(struct reader *r, const struct json_value *v,
                                   struct type_parts *parts, bool *done)
{
    struct span name;
    *done = true;
    if (span_is(v->key, "dataType")) {
        TRY(json_string(&r->json, v, &name));
        parts->has_dtype =
            dtype_by_name(name, &parts->type.dtype) && dtype_in(parts->type.dtype, DTYPES_WEBNN);
        return parts->has_dtype ? O2W_OK
                                : json_wrong(&r->json, v,
                                             "a type (float32, float16, int32, uint32, int64, "
                                             "uint64, int8, uint8, int4 or uint4)");
    }
    if (span_is(v->key, "shape")) {
        parts->has_shape = true;
        return each_item(r, v, read_dim, parts);
    }
    *done = false;
    return O2W_OK;
}

static o2w_status finish_type(struct reader *r, struct place at, const struct type_parts *parts,
                              struct doc_type *out)
{
    if (!parts->has_dtype || !parts->has_shape)
        return missing(r, at, parts->has_dtype ? "shape" : "dataType");
    struct doc_dim *dims = ARENA_ARRAY(r->doc->arena, parts->type.rank, struct doc_dim);
    if (!dims)
        return diag_memory(r->diags);
    if (parts->type.rank > 0)
        memcpy(dims, parts->dims, parts->type.rank * sizeof *dims);
    *out = parts->type;
    out->dims = dims;
    return O2W_OK;
}

/* ---- declarations ---- */

static o2w_status read_descriptor_member(struct reader *r, const struct json_value *v, void *user)
{
    bool done;
    TRY(read_type_member(r, v, user, &done));
    return done ? O2W_OK : json_skip(&r->json, v);
}

static o2w_status read_descriptor(struct reader *r, const struct json_value *v,
                                  struct doc_input *out)
{
    struct type_parts parts = { .of = v->key };
    *out = (struct doc_input){ .name = v->key, .place = key_place(v) };
    TRY(check_text(r, out->place, v->key, "a name"));
    TRY(each_member(r, v, read_descriptor_member, &parts));
    return finish_type(r, out->place, &parts, &out->type);
}

static o2w_status read_input(struct reader *r, const struct json_value *v, void *user)
{
    (void)user;
    struct doc_input input;
    TRY(read_descriptor(r, v, &input));
    return VEC_PUSH(&r->doc->inputs, input) ? O2W_OK : diag_memory(r->diags);
}

static o2w_status read_shape_claim(struct reader *r, const struct json_value *v, void *user)
{
    (void)user;
    struct doc_input claim;
    TRY(read_descriptor(r, v, &claim));
    return VEC_PUSH(&r->doc->shapes, claim) ? O2W_OK : diag_memory(r->diags);
}

struct init_parts {
    struct doc_const *out;
    struct span kind, ref, number, bytes;
    struct place place;
};

struct byte_list {
    VEC(uint8_t) items;
    struct span of;
};

static o2w_status read_byte(struct reader *r, const struct json_value *v, void *user)
{
    struct byte_list *bytes = user;
    uint64_t byte;
    TRY(json_u64(&r->json, v, &byte));
    if (byte > 255)
        return doc_at(r->doc, r->diags, place_of(v),
                      diag_error(r->diags, DIAG_TEXT_NUMBER,
                                 "number %llu is out of range (bytes of '%.*s' are from 0 to 255)",
                                 (unsigned long long)byte, SPAN_ARG(bytes->of)));
    return VEC_PUSH(&bytes->items, (uint8_t)byte) ? O2W_OK : diag_memory(r->diags);
}

static o2w_status read_bytes(struct reader *r, const struct json_value *v, struct span of,
                             struct span *out)
{
    struct byte_list bytes = { .items.allocator = r->doc->values.allocator, .of = of };
    o2w_status status = each_item(r, v, read_byte, &bytes);
    if (status == O2W_OK) {
        *out = arena_copy(r->doc->arena, (struct span){ bytes.items.items, bytes.items.count });
        if (!out->data)
            status = diag_memory(r->diags);
    }
    VEC_FREE(&bytes.items);
    return status;
}

static o2w_status read_init_member(struct reader *r, const struct json_value *v, void *user)
{
    struct init_parts *parts = user;
    if (span_is(v->key, "kind"))
        return json_string(&r->json, v, &parts->kind);
    if (span_is(v->key, "ref"))
        return read_name(r, v, "a reference", &parts->ref);
    if (span_is(v->key, "bytes"))
        return read_bytes(r, v, parts->out->name, &parts->bytes);
    if (!span_is(v->key, "value"))
        return json_skip(&r->json, v);
    if (v->kind != JSON_NUMBER)
        return doc_at(r->doc, r->diags, place_of(v),
                      diag_error(r->diags, DIAG_TEXT_SYNTAX, "value of '%.*s' must be a number",
                                 SPAN_ARG(parts->out->name)));
    TRY(doc_check_number(r->doc, r->diags, place_of(v), v->text, parts->out->name));
    parts->number = v->text;
    return O2W_OK;
}

static o2w_status read_init(struct reader *r, const struct json_value *v, struct doc_const *out)
{
    static const struct {
        const char *kind, *key;
        enum doc_init init;
    } kinds[] = {
        { "weights", "ref", DOC_INIT_WEIGHTS },
        { "scalar", "value", DOC_INIT_SCALAR },
        { "inlineBytes", "bytes", DOC_INIT_BYTES },
    };
    struct init_parts parts = { .out = out };
    struct place at = place_of(v);
    TRY(each_member(r, v, read_init_member, &parts));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (span_is(parts.kind, kinds[i].kind)) {
            out->init = kinds[i].init;
            out->text = i == 0 ? parts.ref : i == 1 ? parts.number : parts.bytes;
            return out->text.data ? O2W_OK : missing(r, at, kinds[i].key);
        }
    return doc_at(r->doc, r->diags, at,
                  diag_error(r->diags, DIAG_TEXT_SYNTAX,
                             "expected kind weights, scalar or inlineBytes, found '%.*s'",
                             SPAN_ARG(parts.kind)));
}

struct const_parts {
    struct type_parts type;
    struct doc_const out;
};

static o2w_status read_const_member(struct reader *r, const struct json_value *v, void *user)
{
    struct const_parts *parts = user;
    bool done;
    TRY(read_type_member(r, v, &parts->type, &done));
    if (done)
        return O2W_OK;
    return span_is(v->key, "init") ? read_init(r, v, &parts->out) : json_skip(&r->json, v);
}

static o2w_status read_const(struct reader *r, const struct json_value *v, void *user)
{
    (void)user;
    struct const_parts parts = {
        .type.of = v->key,
        .out = { .name = v->key, .place = key_place(v), .init = DOC_INIT_WEIGHTS, .text = v->key }
    };
    TRY(check_text(r, parts.out.place, v->key, "a name"));
    TRY(each_member(r, v, read_const_member, &parts));
    TRY(finish_type(r, parts.out.place, &parts.type, &parts.out.type));
    return VEC_PUSH(&r->doc->consts, parts.out) ? O2W_OK : diag_memory(r->diags);
}

/* ---- nodes ---- */

static o2w_status push_argument(struct reader *r, struct doc_node *node, struct span key,
                                const struct json_value *v)
{
    struct doc_argument a = { key, key.data ? key_place(v) : place_of(v), r->doc->values.count };
    if (node->argument_count == LIMIT_ARGUMENTS)
        return doc_limit(r->doc, r->diags, place_of(v), "arguments of a node:", LIMIT_ARGUMENTS + 1,
                         LIMIT_ARGUMENTS);
    TRY(json_push(r->doc, &r->json, v, false));
    node->argument_count++;
    return VEC_PUSH(&r->doc->arguments, a) ? O2W_OK : diag_memory(r->diags);
}

static o2w_status read_operand(struct reader *r, const struct json_value *v, void *user)
{
    struct span name;
    TRY(read_name(r, v, "the name of an operand", &name));
    return push_argument(r, user, (struct span){ 0 }, v);
}

static o2w_status read_option(struct reader *r, const struct json_value *v, void *user)
{
    return push_argument(r, user, v->key.data ? v->key : SPAN(""), v);
}

static o2w_status read_result(struct reader *r, const struct json_value *v, void *user)
{
    (void)user;
    struct doc_name name = { .place = place_of(v) };
    TRY(read_name(r, v, "the name of a result", &name.name));
    if (r->names.count == LIMIT_RESULTS)
        return doc_limit(r->doc, r->diags, name.place, "results of a node:", LIMIT_RESULTS + 1,
                         LIMIT_RESULTS);
    return VEC_PUSH(&r->names, name) ? O2W_OK : diag_memory(r->diags);
}

struct node_parts {
    struct doc_node node;
    struct doc_name id;
    bool has_inputs, listed;
};

static o2w_status read_node_member(struct reader *r, const struct json_value *v, void *user)
{
    struct node_parts *parts = user;
    if (span_is(v->key, "id")) {
        parts->id.place = place_of(v);
        return read_name(r, v, "the id of a node", &parts->id.name);
    }
    if (span_is(v->key, "op")) {
        parts->node.place = place_of(v);
        return read_name(r, v, "an operator", &parts->node.operator);
    }
    if (span_is(v->key, "inputs")) {
        parts->has_inputs = true;
        return each_item(r, v, read_operand, &parts->node);
    }
    if (span_is(v->key, "options") && v->kind != JSON_NULL)
        return each_member(r, v, read_option, &parts->node);
    if (span_is(v->key, "outputs") && v->kind != JSON_NULL) {
        parts->listed = true;
        return each_item(r, v, read_result, NULL);
    }
    return json_skip(&r->json, v);
}

static o2w_status keep_targets(struct reader *r, struct node_parts *parts)
{
    if (!parts->listed && !VEC_PUSH(&r->names, parts->id))
        return diag_memory(r->diags);
    struct doc_name *targets = ARENA_ARRAY(r->doc->arena, r->names.count, struct doc_name);
    if (!targets)
        return diag_memory(r->diags);
    if (r->names.count > 0)
        memcpy(targets, r->names.items, r->names.count * sizeof *targets);
    parts->node.targets = targets;
    parts->node.target_count = (uint32_t)r->names.count;
    return O2W_OK;
}

static o2w_status read_node(struct reader *r, const struct json_value *v, void *user)
{
    (void)user;
    struct place at = place_of(v);
    struct node_parts parts = { .node.first_argument = r->doc->arguments.count };
    r->names.count = 0;
    TRY(each_member(r, v, read_node_member, &parts));
    const char *absent = !parts.id.name.data         ? "id"
                         : !parts.node.operator.data ? "op"
                         : !parts.has_inputs         ? "inputs"
                                                     : NULL;
    if (absent)
        return missing(r, at, absent);
    TRY(keep_targets(r, &parts));
    return VEC_PUSH(&r->doc->nodes, parts.node) ? O2W_OK : diag_memory(r->diags);
}

static o2w_status read_output(struct reader *r, const struct json_value *v, void *user)
{
    (void)user;
    struct doc_output output = { .binding = v->key, .place = key_place(v) };
    TRY(check_text(r, output.place, v->key, "the name of an output"));
    TRY(read_name(r, v, "the name of an operand", &output.operand));
    return VEC_PUSH(&r->doc->outputs, output) ? O2W_OK : diag_memory(r->diags);
}

/* ---- what only we write ---- */

static o2w_status push_directive(struct reader *r, const struct doc_directive *directive)
{
    return VEC_PUSH(&r->doc->directives, *directive) ? O2W_OK : diag_memory(r->diags);
}

static o2w_status read_text_directive(struct reader *r, const struct json_value *v, void *user)
{
    struct doc_directive directive = { .kind = *(const enum doc_directive_kind *)user,
                                       .place = place_of(v),
                                       .subject = v->key };
    TRY(json_string(&r->json, v, &directive.text));
    return push_directive(r, &directive);
}

static o2w_status read_number_directive(struct reader *r, const struct json_value *v, void *user)
{
    struct doc_directive directive = { .kind = *(const enum doc_directive_kind *)user,
                                       .place = place_of(v),
                                       .text = v->key };
    TRY(json_i64(&r->json, v, &directive.number));
    return push_directive(r, &directive);
}

static o2w_status read_labels_directive(struct reader *r, const struct json_value *v, void *user)
{
    struct doc_directive directive = { .kind = *(const enum doc_directive_kind *)user,
                                       .place = place_of(v),
                                       .subject = v->key,
                                       .value = r->doc->values.count };
    if (v->kind != JSON_ARRAY)
        return json_wrong(&r->json, v, "an array");
    TRY(json_push(r->doc, &r->json, v, false));
    return push_directive(r, &directive);
}

static o2w_status read_own_member(struct reader *r, const struct json_value *v, void *user)
{
    static const struct {
        const char *key;
        enum doc_directive_kind kind;
        member_fn *read;
        enum { ALONE, LIST, MEMBERS } form;
    } keys[] = {
        { "weights", DIRECTIVE_WEIGHTS, read_text_directive, ALONE },
        { "subgraph", DIRECTIVE_SUBGRAPH, read_text_directive, ALONE },
        { "kept", DIRECTIVE_KEPT, read_text_directive, LIST },
        { "names", DIRECTIVE_NAME, read_text_directive, MEMBERS },
        { "meta", DIRECTIVE_META, read_text_directive, MEMBERS },
        { "dims", DIRECTIVE_DIM, read_number_directive, MEMBERS },
        { "pins", DIRECTIVE_PIN, read_number_directive, MEMBERS },
        { "bound", DIRECTIVE_BOUND, read_number_directive, MEMBERS },
        { "labels", DIRECTIVE_LABELS, read_labels_directive, MEMBERS },
    };
    (void)user;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        enum doc_directive_kind kind = keys[i].kind;
        if (!span_is(v->key, keys[i].key))
            continue;
        if (keys[i].form == ALONE)
            return keys[i].read(r, v, &kind);
        return keys[i].form == LIST ? each_item(r, v, keys[i].read, &kind)
                                    : each_member(r, v, keys[i].read, &kind);
    }
    return json_skip(&r->json, v);
}

/* ---- the file ---- */

struct root_parts {
    bool format, version, inputs, nodes, outputs;
};

static o2w_status read_version(struct reader *r, const struct json_value *v)
{
    uint64_t version;
    r->doc->version_place = place_of(v);
    TRY(json_u64(&r->json, v, &version));
    if (version < 1 || version > 2)
        return doc_at(r->doc, r->diags, place_of(v),
                      diag_error(r->diags, DIAG_TEXT_VERSION,
                                 "version %llu isn't supported (1 or 2)",
                                 (unsigned long long)version));
    r->doc->version = (uint32_t)version;
    return O2W_OK;
}

static o2w_status read_format(struct reader *r, const struct json_value *v)
{
    struct span format;
    TRY(json_string(&r->json, v, &format));
    return span_is(format, "webnn-graph-json") ? O2W_OK
                                               : json_wrong(&r->json, v, "\"webnn-graph-json\"");
}

static o2w_status read_root_member(struct reader *r, const struct json_value *v, void *user)
{
    struct root_parts *parts = user;
    if (span_is(v->key, "format"))
        return parts->format = true, read_format(r, v);
    if (span_is(v->key, "version"))
        return parts->version = true, read_version(r, v);
    if (span_is(v->key, "name") && v->kind != JSON_NULL)
        return json_string(&r->json, v, &r->doc->name);
    if (span_is(v->key, "quantized"))
        return json_bool(&r->json, v, &r->doc->quantized);
    if (span_is(v->key, "inputs"))
        return parts->inputs = true, each_member(r, v, read_input, NULL);
    if (span_is(v->key, "consts"))
        return each_member(r, v, read_const, NULL);
    if (span_is(v->key, "nodes"))
        return parts->nodes = true, each_item(r, v, read_node, NULL);
    if (span_is(v->key, "outputs"))
        return parts->outputs = true, each_member(r, v, read_output, NULL);
    if (span_is(v->key, "intermediate_shapes") && v->kind != JSON_NULL)
        return each_member(r, v, read_shape_claim, NULL);
    return span_is(v->key, "onnx2webnn") ? each_member(r, v, read_own_member, NULL)
                                         : json_skip(&r->json, v);
}

static o2w_status read_root(struct reader *r)
{
    struct json_value root;
    struct root_parts parts = { 0 };
    TRY(json_next(&r->json, &root));
    TRY(each_member(r, &root, read_root_member, &parts));
    TRY(json_finish(&r->json));
    r->doc->end = (struct place){ r->json.line, 1 };
    const char *absent = !parts.format    ? "format"
                         : !parts.version ? "version"
                         : !parts.inputs  ? "inputs"
                         : !parts.nodes   ? "nodes"
                         : !parts.outputs ? "outputs"
                                          : NULL;
    return absent ? missing(r, r->doc->end, absent) : O2W_OK;
}

o2w_status json_read(struct span text, struct document *doc, struct diags *d)
{
    struct reader r = { .doc = doc, .diags = d, .names.allocator = doc->values.allocator };
    if (span_starts(text, SPAN("\xef\xbb\xbf"))) {
        TRY(doc_at(doc, d, (struct place){ 1, 1 },
                   diag_note(d, DIAG_TEXT_DIALECT, "a byte order mark at the beginning")));
        text.data += 3;
        text.size -= 3;
    }
    doc->json = true;
    TRY(json_begin(&r.json, text, doc->file, doc->arena, d));
    r.json.syntax = r.json.type = DIAG_TEXT_SYNTAX;
    r.json.duplicate = DIAG_TEXT_DUPLICATE;
    o2w_status status = read_root(&r);
    VEC_FREE(&r.names);
    return status;
}
