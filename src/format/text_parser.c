/* The grammar of `.webnn` text: one pass, one token of look-ahead. */
#include "format/text_parser.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

o2w_status parser_at(const struct parser *p, o2w_status status)
{
    return doc_at(p->doc, p->diags, p->token.place, status);
}

o2w_status parser_advance(struct parser *p)
{
    p->last = p->token;
    return lexer_next(&p->lexer, &p->token);
}

o2w_status parser_expected(struct parser *p, const char *what)
{
    return parser_at(p, diag_error(p->diags, DIAG_TEXT_SYNTAX, "expected %s, found %s", what,
                                   token_text(&p->lexer, &p->token)));
}

bool parser_sees(const struct parser *p, char mark)
{
    return token_is(&p->token, mark);
}

o2w_status parser_take(struct parser *p, char mark)
{
    char what[] = { '\'', mark, '\'', '\0' };
    return parser_sees(p, mark) ? parser_advance(p) : parser_expected(p, what);
}

o2w_status parser_word(struct parser *p, const char *what, struct doc_name *out)
{
    if (p->token.kind != TOKEN_WORD) {
        o2w_status status = parser_expected(p, what);
        if (p->token.text.size > 0 && p->token.text.data[0] == '%')
            diag_hint(p->diags, "names are written without '%%'");
        return status;
    }
    *out = (struct doc_name){ p->token.text, p->token.place };
    return parser_advance(p);
}

/* ---- types ---- */

/* An integer of digits alone, at most `max`. */
static o2w_status take_integer(struct parser *p, const char *what, struct span of, uint64_t max,
                               uint64_t *out)
{
    struct span text = p->token.text;
    if (p->token.kind != TOKEN_NUMBER || !doc_is_integer(text) || text.data[0] == '-')
        return parser_expected(p, "an integer");
    if (number_parse_u64(text, out) != O2W_OK || *out > max) {
        if (text.size > 64)
            text.size = 64;
        return parser_at(p, diag_error(p->diags, DIAG_LIMIT,
                                       "%s of '%.*s' %.*s exceeds the limit %llu", what,
                                       SPAN_ARG(of), SPAN_ARG(text), (unsigned long long)max));
    }
    return parser_advance(p);
}

static o2w_status parse_dynamic(struct parser *p, struct span of, struct doc_dim *out)
{
    uint64_t max = 0;
    struct place at = p->token.place;
    TRY(parser_advance(p));
    TRY(parser_take(p, '('));
    if (p->token.kind != TOKEN_STRING || p->token.text.size == 0)
        return parser_expected(p, "the quoted name of a dimension");
    out->name = p->token.text;
    TRY(parser_advance(p));
    TRY(parser_take(p, ','));
    struct place number_at = p->token.place;
    TRY(take_integer(p, "maximum of a dimension", of, LIMIT_DIM, &max));
    if (max == 0)
        return doc_at(
            p->doc, p->diags, number_at,
            diag_error(
                p->diags, DIAG_TEXT_NUMBER,
                "number 0 is out of range (the maximum of a dimension of '%.*s' is at least 1)",
                SPAN_ARG(of)));
    out->size = (int64_t)max;
    if (p->doc->first_dynamic.line == 0)
        p->doc->first_dynamic = at;
    return parser_take(p, ')');
}

static o2w_status parse_dim(struct parser *p, struct span of, struct doc_dim *out)
{
    uint64_t size = 0;
    *out = (struct doc_dim){ 0 };
    if (p->token.kind == TOKEN_WORD && span_is(p->token.text, "dyn"))
        return parse_dynamic(p, of, out);
    TRY(take_integer(p, "dimension", of, LIMIT_DIM, &size));
    out->size = (int64_t)size;
    return O2W_OK;
}

static o2w_status parse_dims(struct parser *p, struct span of, struct doc_type *type)
{
    struct doc_dim dims[MAX_RANK];
    TRY(parser_take(p, '['));
    while (!parser_sees(p, ']') || type->rank > 0) {
        if (type->rank == MAX_RANK) {
            char what[128];
            text_format(what, sizeof what, "rank of '%.*s'", SPAN_ARG(of));
            return doc_limit(p->doc, p->diags, p->token.place, what, MAX_RANK + 1, MAX_RANK);
        }
        TRY(parse_dim(p, of, &dims[type->rank]));
        type->rank++;
        if (parser_sees(p, ']'))
            break;
        TRY(parser_take(p, ','));
    }
    struct doc_dim *kept = ARENA_ARRAY(p->doc->arena, type->rank, struct doc_dim);
    if (!kept)
        return diag_memory(p->diags);
    if (type->rank > 0)
        memcpy(kept, dims, type->rank * sizeof *kept);
    type->dims = kept;
    return parser_take(p, ']');
}

static o2w_status parse_type(struct parser *p, struct span of, struct doc_type *type)
{
    *type = (struct doc_type){ 0 };
    if (p->token.kind != TOKEN_WORD || !dtype_by_text(p->token.text, &type->dtype))
        return parser_expected(p, "a type (f32, f16, i32, u32, i64, u64, i8, u8, i4 or u4)");
    TRY(parser_advance(p));
    return parse_dims(p, of, type);
}

/* ---- blocks ---- */

static o2w_status parse_inputs(struct parser *p)
{
    while (!parser_sees(p, '}')) {
        struct doc_name name = { 0 };
        struct doc_input input = { 0 };
        TRY(parser_word(p, "the name of an input", &name));
        input.name = name.name;
        input.place = name.place;
        TRY(parser_take(p, ':'));
        TRY(parse_type(p, name.name, &input.type));
        TRY(parser_take(p, ';'));
        if (!VEC_PUSH(&p->doc->inputs, input))
            return diag_memory(p->diags);
    }
    return parser_advance(p);
}

/* The bytes of @bytes([…]) pile up in p->bytes until the closing bracket. */
static o2w_status parse_bytes(struct parser *p, struct doc_const *c)
{
    p->bytes.count = 0;
    TRY(parser_take(p, '['));
    while (!parser_sees(p, ']') || p->bytes.count > 0) {
        uint64_t byte;
        if (p->token.kind != TOKEN_NUMBER)
            return parser_expected(p, "a byte");
        if (number_parse_u64(p->token.text, &byte) != O2W_OK || byte > 255)
            return parser_at(
                p, diag_error(p->diags, DIAG_TEXT_NUMBER,
                              "number %.*s is out of range (bytes of '%.*s' are from 0 to 255)",
                              SPAN_ARG(p->token.text), SPAN_ARG(c->name)));
        if (p->bytes.count == LIMIT_ITEMS)
            return doc_limit(p->doc, p->diags, p->token.place,
                             "items of an array:", LIMIT_ITEMS + 1ull, LIMIT_ITEMS);
        if (!VEC_PUSH(&p->bytes, (uint8_t)byte))
            return diag_memory(p->diags);
        TRY(parser_advance(p));
        if (parser_sees(p, ']'))
            break;
        TRY(parser_take(p, ','));
    }
    c->text = arena_copy(p->doc->arena, (struct span){ p->bytes.items, p->bytes.count });
    if (!c->text.data)
        return diag_memory(p->diags);
    return parser_take(p, ']');
}

static o2w_status parse_initialiser(struct parser *p, struct span word, struct doc_const *c)
{
    if (span_is(word, "@bytes")) {
        c->init = DOC_INIT_BYTES;
        return parse_bytes(p, c);
    }
    if (span_is(word, "@scalar")) {
        if (p->token.kind != TOKEN_NUMBER)
            return parser_expected(p, "a number");
        TRY(doc_check_number(p->doc, p->diags, p->token.place, p->token.text, c->name));
        c->init = DOC_INIT_SCALAR;
    } else {
        if (p->token.kind != TOKEN_STRING)
            return parser_expected(p, "a quoted reference");
        c->init = DOC_INIT_WEIGHTS;
    }
    c->text = p->token.text;
    return parser_advance(p);
}

static o2w_status parse_annotations(struct parser *p, struct doc_const *c)
{
    unsigned count = 0;
    for (; p->token.kind == TOKEN_ANNOTATION; count++) {
        struct span word = p->token.text;
        if (!span_is(word, "@weights") && !span_is(word, "@scalar") && !span_is(word, "@bytes"))
            return parser_expected(p, "@weights, @scalar or @bytes");
        TRY(parser_advance(p));
        TRY(parser_take(p, '('));
        TRY(parse_initialiser(p, word, c));
        TRY(parser_take(p, ')'));
    }
    if (count > 1)
        return doc_at(p->doc, p->diags, c->place,
                      diag_error(p->diags, DIAG_CONST_INIT, "'%.*s' has %u initialisers",
                                 SPAN_ARG(c->name), count));
    if (count == 0)
        c->text = c->name;
    return O2W_OK;
}

static o2w_status parse_consts(struct parser *p)
{
    while (!parser_sees(p, '}')) {
        struct doc_name name = { 0 };
        struct doc_const c = { .init = DOC_INIT_WEIGHTS };
        TRY(parser_word(p, "the name of a constant", &name));
        c.name = name.name;
        c.place = name.place;
        TRY(parser_take(p, ':'));
        TRY(parse_type(p, name.name, &c.type));
        TRY(parse_annotations(p, &c));
        TRY(parser_take(p, ';'));
        if (!VEC_PUSH(&p->doc->consts, c))
            return diag_memory(p->diags);
    }
    return parser_advance(p);
}

static o2w_status parse_targets(struct parser *p, struct doc_node *node)
{
    struct doc_name name = { 0 };
    bool list = parser_sees(p, '[');
    p->names.count = 0;
    if (list)
        TRY(parser_advance(p));
    do {
        if (p->names.count > 0)
            TRY(parser_advance(p));
        TRY(parser_word(p, "the name of a result", &name));
        if (p->names.count == LIMIT_RESULTS)
            return doc_limit(p->doc, p->diags, name.place, "results of a node:", LIMIT_RESULTS + 1,
                             LIMIT_RESULTS);
        if (!VEC_PUSH(&p->names, name))
            return diag_memory(p->diags);
    } while (list && parser_sees(p, ','));
    if (list)
        TRY(parser_take(p, ']'));
    struct doc_name *targets = ARENA_ARRAY(p->doc->arena, p->names.count, struct doc_name);
    if (!targets)
        return diag_memory(p->diags);
    memcpy(targets, p->names.items, p->names.count * sizeof *targets);
    node->targets = targets;
    node->target_count = (uint32_t)p->names.count;
    return O2W_OK;
}

static o2w_status parse_call(struct parser *p, struct doc_node *node)
{
    struct doc_name name = { 0 };
    TRY(parser_word(p, "an operator", &name));
    if (!parser_sees(p, '(')) {
        o2w_status status = parser_expected(p, "'('");
        struct span target = node->targets ? node->targets[0].name : SPAN("");
        diag_subject(p->diags, "node", target);
        if (parser_sees(p, ';'))
            diag_hint(p->diags, "write %.*s = identity(%.*s)", SPAN_ARG(target),
                      SPAN_ARG(name.name));
        return status;
    }
    node->operator= name.name;
    node->place = name.place;
    TRY(parser_advance(p));
    TRY(parse_arguments(p, node));
    return parser_take(p, ')');
}

static o2w_status parse_nodes(struct parser *p)
{
    while (!parser_sees(p, '}')) {
        struct doc_node node = { 0 };
        TRY(parse_targets(p, &node));
        TRY(parser_take(p, '='));
        TRY(parse_call(p, &node));
        TRY(parser_take(p, ';'));
        if (!VEC_PUSH(&p->doc->nodes, node))
            return diag_memory(p->diags);
    }
    return parser_advance(p);
}

static o2w_status parse_outputs(struct parser *p)
{
    while (!parser_sees(p, '}')) {
        struct doc_name name = { 0 };
        TRY(parser_word(p, "the name of an output", &name));
        struct doc_output output = { name.name, name.name, name.place };
        if (!VEC_PUSH(&p->doc->outputs, output))
            return diag_memory(p->diags);
        if (parser_sees(p, ',')) {
            TRY(parser_advance(p));
            if (p->token.kind != TOKEN_WORD)
                return parser_expected(p, "the name of an output");
        } else if (parser_sees(p, ';')) {
            TRY(parser_advance(p));
        }
    }
    return parser_advance(p);
}

static const struct block {
    const char *word;
    o2w_status (*parse)(struct parser *p);
} blocks[] = {
    { "inputs", parse_inputs },
    { "consts", parse_consts },
    { "nodes", parse_nodes },
    { "outputs", parse_outputs },
};

static o2w_status parse_block(struct parser *p)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (p->token.kind == TOKEN_WORD && span_is(p->token.text, blocks[i].word)) {
            TRY(parser_advance(p));
            TRY(parser_take(p, '{'));
            return blocks[i].parse(p);
        }
    return parser_expected(p, "inputs, consts, nodes, outputs or '}'");
}

/* ---- the file ---- */

static o2w_status brace_note(struct parser *p, const char *what)
{
    return parser_at(p, diag_note(p->diags, DIAG_TEXT_DIALECT, "%s", what));
}

/* Blocks up to the closing brace. Other parsers are lax about it: what follows is read all the same. */
static o2w_status parse_blocks(struct parser *p)
{
    bool closed = false, noted = false;
    while (p->token.kind != TOKEN_END) {
        if (closed && !noted) {
            TRY(brace_note(p, parser_sees(p, '}') ? "the final '}' stands there twice"
                                                  : "blocks after the final '}'"));
            noted = true;
        }
        if (parser_sees(p, '}')) {
            closed = true;
            TRY(parser_advance(p));
        } else {
            TRY(parse_block(p));
        }
    }
    return closed ? O2W_OK : brace_note(p, "the final '}' is missing");
}

static bool is_version_word(struct span s)
{
    bool is = s.size > 0 && s.data[0] == 'v';
    for (size_t i = 1; i < s.size; i++)
        is = is && s.data[i] >= '0' && s.data[i] <= '9';
    return is;
}

static o2w_status parse_version(struct parser *p)
{
    struct span digits = p->token.text;
    uint64_t version;
    if (p->token.kind != TOKEN_WORD || !is_version_word(digits))
        return parser_expected(p, "a version (v1 or v2)");
    p->doc->version_place = p->token.place;
    if (digits.size == 1) {
        TRY(parser_advance(p));
        digits = p->token.text;
        if (p->token.kind != TOKEN_NUMBER || !doc_is_integer(digits) || digits.data[0] == '-')
            return parser_expected(p, "the number of the version");
    } else {
        digits.data++;
        digits.size--;
    }
    if (number_parse_u64(digits, &version) != O2W_OK || version < 1 || version > 2)
        return parser_at(p, diag_error(p->diags, DIAG_TEXT_VERSION,
                                       "version %.*s isn't supported (1 or 2)", SPAN_ARG(digits)));
    p->doc->version = (uint32_t)version;
    return parser_advance(p);
}

static o2w_status parse_header(struct parser *p)
{
    if (p->token.kind != TOKEN_WORD || !span_is(p->token.text, "webnn_graph")) {
        o2w_status status = parser_expected(p, "webnn_graph");
        if (span_is(p->token.text, "graph"))
            diag_hint(p->diags, "a file begins with: webnn_graph \"name\" v1 {");
        return status;
    }
    TRY(parser_advance(p));
    if (p->token.kind != TOKEN_STRING)
        return parser_expected(p, "the quoted name of the graph");
    p->doc->name = p->token.text;
    TRY(parser_advance(p));
    TRY(parse_version(p));
    if (p->token.kind == TOKEN_ANNOTATION && span_is(p->token.text, "@quantized")) {
        p->doc->quantized = true;
        TRY(parser_advance(p));
    }
    return parser_take(p, '{');
}

static o2w_status parse_file(struct parser *p)
{
    TRY(parser_advance(p));
    TRY(parse_header(p));
    TRY(parse_blocks(p));
    p->doc->end = p->token.place;
    return O2W_OK;
}

/* The line and column of a byte. */
static struct place place_of(struct span text, size_t offset)
{
    struct place at = { 1, 1 };
    for (size_t i = 0; i < offset; i++, at.column++)
        if (text.data[i] == '\n') {
            at.line++;
            at.column = 0;
        }
    return at;
}

o2w_status text_read(struct span text, struct document *doc, struct diags *d)
{
    size_t bad;
    if (span_starts(text, SPAN("\xef\xbb\xbf"))) {
        TRY(doc_at(doc, d, (struct place){ 1, 1 },
                   diag_note(d, DIAG_TEXT_DIALECT, "a byte order mark at the beginning")));
        text.data += 3;
        text.size -= 3;
    }
    if (!utf8_valid(text, &bad))
        return doc_at(doc, d, place_of(text, bad),
                      diag_error(d, DIAG_TEXT_UTF8, "invalid UTF-8 byte 0x%02x", text.data[bad]));
    struct parser p = { .doc = doc, .diags = d };
    p.bytes.allocator = p.names.allocator = doc->values.allocator;
    lexer_init(&p.lexer, text, doc, d);
    o2w_status status = parse_file(&p);
    VEC_FREE(&p.bytes);
    VEC_FREE(&p.names);
    return status;
}
