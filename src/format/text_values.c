/* Arguments and values of the text. */
#include "base/text.h"
#include "format/text_parser.h"

static o2w_status push(struct parser *p, enum doc_kind kind, struct span text)
{
    struct doc_value v = { text.data, (uint32_t)text.size, kind };
    return VEC_PUSH(&p->doc->values, v) ? O2W_OK : diag_memory(p->diags);
}

static o2w_status count_item(struct parser *p, size_t at)
{
    uint32_t *size = &p->doc->values.items[at].size;
    if (*size == LIMIT_ITEMS)
        return doc_limit(p->doc, p->diags, p->token.place, "items of an array:", LIMIT_ITEMS + 1ull,
                         LIMIT_ITEMS);
    ++*size;
    return O2W_OK;
}

static o2w_status parse_value(struct parser *p, struct span key, unsigned depth);

static o2w_status parse_member(struct parser *p, struct span key, unsigned depth)
{
    if (p->token.kind != TOKEN_STRING && p->token.kind != TOKEN_WORD)
        return parser_expected(p, "a key");
    TRY(push(p, DOC_STRING, p->token.text));
    TRY(parser_advance(p));
    TRY(parser_take(p, ':'));
    return parse_value(p, key, depth);
}

static o2w_status parse_items(struct parser *p, char close, struct span key, unsigned depth)
{
    bool object = close == '}';
    size_t at = p->doc->values.count;
    if (depth > LIMIT_NESTING)
        return doc_limit(p->doc, p->diags, p->token.place, "nesting", depth, LIMIT_NESTING);
    TRY(push(p, object ? DOC_OBJECT : DOC_ARRAY, (struct span){ 0 }));
    TRY(parser_advance(p));
    if (parser_sees(p, close))
        return parser_advance(p);
    for (;;) {
        TRY(count_item(p, at));
        TRY(object ? parse_member(p, key, depth + 1) : parse_value(p, key, depth + 1));
        if (parser_sees(p, close))
            return parser_advance(p);
        if (!parser_sees(p, ','))
            return parser_expected(p, object ? "',' or '}'" : "',' or ']'");
        TRY(parser_advance(p));
    }
}

static enum doc_kind kind_of_word(struct span s)
{
    return span_is(s, "true")    ? DOC_TRUE
           : span_is(s, "false") ? DOC_FALSE
           : span_is(s, "null")  ? DOC_NULL
                                 : DOC_WORD;
}

static o2w_status parse_value(struct parser *p, struct span key, unsigned depth)
{
    const struct token *t = &p->token;
    if (parser_sees(p, '['))
        return parse_items(p, ']', key, depth);
    if (parser_sees(p, '{'))
        return parse_items(p, '}', key, depth);
    if (t->kind == TOKEN_STRING)
        TRY(push(p, DOC_STRING, t->text));
    else if (t->kind == TOKEN_WORD)
        TRY(push(p, kind_of_word(t->text), t->text));
    else if (t->kind == TOKEN_NUMBER) {
        TRY(doc_check_number(p->doc, p->diags, t->place, t->text, key));
        TRY(push(p, DOC_NUMBER, t->text));
    } else
        return parser_expected(p, "a value");
    return parser_advance(p);
}

/* A word behind which no '=' stood was an operand: `t` is taken, its value is not pushed yet. */
static o2w_status parse_argument(struct parser *p)
{
    struct doc_argument a = { .place = p->token.place, .value = p->doc->values.count };
    if (p->token.kind != TOKEN_WORD)
        TRY(parse_value(p, (struct span){ 0 }, 1));
    else {
        TRY(parser_advance(p));
        if (parser_sees(p, '=')) {
            a.key = p->last.text;
            TRY(parser_advance(p));
            TRY(parse_value(p, a.key, 1));
        } else {
            TRY(push(p, kind_of_word(p->last.text), p->last.text));
        }
    }
    return VEC_PUSH(&p->doc->arguments, a) ? O2W_OK : diag_memory(p->diags);
}

static o2w_status too_many(struct parser *p, const struct doc_node *node)
{
    char what[128];
    text_format(what, sizeof what, "arguments of %.*s:", SPAN_ARG(node->operator));
    return doc_limit(p->doc, p->diags, p->token.place, what, LIMIT_ARGUMENTS + 1, LIMIT_ARGUMENTS);
}

o2w_status parse_arguments(struct parser *p, struct doc_node *node)
{
    node->first_argument = p->doc->arguments.count;
    if (parser_sees(p, ')'))
        return O2W_OK;
    for (;;) {
        if (node->argument_count == LIMIT_ARGUMENTS)
            return too_many(p, node);
        TRY(parse_argument(p));
        node->argument_count++;
        if (parser_sees(p, ')'))
            return O2W_OK;
        if (!parser_sees(p, ','))
            return parser_expected(p, "',' or ')'");
        TRY(parser_advance(p));
    }
}
