#include "format/text_lexer.h"

#include <string.h>

void lexer_init(struct lexer *l, struct span text, struct document *doc, struct diags *d)
{
    *l = (struct lexer){ .doc = doc,
                         .diags = d,
                         .next = text.data,
                         .end = text.data + text.size,
                         .line_start = text.data,
                         .line = 1 };
}

static bool begins_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/' || c == '$';
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool continues_word(uint8_t c)
{
    return (begins_word(c) && c != '$') || is_digit(c) || c == '.';
}

static struct place here(const struct lexer *l)
{
    return (struct place){ l->line, (uint32_t)(l->next - l->line_start) + 1 };
}

static void new_line(struct lexer *l)
{
    l->line++;
    l->line_start = l->next;
}

static o2w_status skip_comment(struct lexer *l)
{
    struct place at = here(l);
    const uint8_t *end = memchr(l->next, '\n', (size_t)(l->end - l->next));
    if (!end)
        end = l->end;
    struct span line = { l->next, (size_t)(end - l->next) };
    l->next = end;
    if (line.size > 0 && line.data[line.size - 1] == '\r')
        line.size--;
    return span_starts(line, SPAN("# o2w ")) ? directive_read(l->doc, l->diags, at, line) : O2W_OK;
}

static o2w_status skip_blanks(struct lexer *l)
{
    while (l->next < l->end) {
        switch (*l->next) {
        case '\n':
            l->next++;
            new_line(l);
            break;
        case ' ':
        case '\t':
        case '\r': l->next++; break;
        case '#': TRY(skip_comment(l)); break;
        default: return O2W_OK;
        }
    }
    return O2W_OK;
}

static void take_while(struct lexer *l, bool (*in)(uint8_t))
{
    while (l->next < l->end && in(*l->next))
        l->next++;
}

/* A digit stands at `p`. */
static bool digit_at(const struct lexer *l, const uint8_t *p)
{
    return p < l->end && is_digit(*p);
}

static void take_number(struct lexer *l)
{
    l->next++;
    take_while(l, is_digit);
    if (l->next < l->end && *l->next == '.' && digit_at(l, l->next + 1)) {
        l->next++;
        take_while(l, is_digit);
    }
    if (l->next < l->end && (*l->next == 'e' || *l->next == 'E')) {
        const uint8_t *exponent = l->next + 1;
        if (exponent < l->end && (*exponent == '+' || *exponent == '-'))
            exponent++;
        if (digit_at(l, exponent)) {
            l->next = exponent;
            take_while(l, is_digit);
        }
    }
}

static o2w_status too_long(struct lexer *l, const struct token *t, const char *what, size_t size)
{
    return doc_limit(l->doc, l->diags, t->place, what, size, LIMIT_STRING);
}

/* Removes the escapes \" and \\; any other backslash stands for itself. */
static o2w_status unescape(struct lexer *l, struct span raw, struct span *out)
{
    if (!memchr(raw.data, '\\', raw.size)) {
        *out = raw;
        return O2W_OK;
    }
    uint8_t *to = arena_alloc(l->doc->arena, raw.size, 1);
    if (!to)
        return diag_memory(l->diags);
    size_t n = 0;
    for (size_t i = 0; i < raw.size; i++) {
        if (raw.data[i] == '\\' && i + 1 < raw.size &&
            (raw.data[i + 1] == '"' || raw.data[i + 1] == '\\'))
            i++;
        to[n++] = raw.data[i];
    }
    *out = (struct span){ to, n };
    return O2W_OK;
}

static o2w_status take_string(struct lexer *l, struct token *t)
{
    const uint8_t *start = ++l->next;
    for (; l->next < l->end && *l->next != '"'; l->next++) {
        if (*l->next == '\\' && l->next + 1 < l->end && (l->next[1] == '"' || l->next[1] == '\\')) {
            l->next++;
        } else if (*l->next == '\n') {
            l->line++;
            l->line_start = l->next + 1;
        }
    }
    if (l->next == l->end)
        return doc_at(l->doc, l->diags, t->place,
                      diag_error(l->diags, DIAG_TEXT_STRING, "string isn't closed"));
    struct span raw = { start, (size_t)(l->next++ - start) };
    TRY(unescape(l, raw, &t->text));
    return t->text.size > LIMIT_STRING ? too_long(l, t, "bytes of a string:", t->text.size)
                                       : O2W_OK;
}

o2w_status lexer_next(struct lexer *l, struct token *t)
{
    TRY(skip_blanks(l));
    *t = (struct token){ .kind = TOKEN_END, .place = here(l), .text = { l->next, 0 } };
    if (l->next == l->end)
        return O2W_OK;
    uint8_t c = *l->next;
    if (c == '"') {
        t->kind = TOKEN_STRING;
        return take_string(l, t);
    }
    if (begins_word(c)) {
        t->kind = TOKEN_WORD;
        l->next++;
        take_while(l, continues_word);
    } else if (is_digit(c) || (c == '-' && digit_at(l, l->next + 1))) {
        t->kind = TOKEN_NUMBER;
        take_number(l);
    } else if (c == '@' && l->next + 1 < l->end && begins_word(l->next[1])) {
        t->kind = TOKEN_ANNOTATION;
        l->next += 2;
        take_while(l, continues_word);
    } else {
        t->kind = c != 0 && strchr("{}[]():;,=", c) ? TOKEN_MARK : TOKEN_OTHER;
        do
            l->next++;
        while (t->kind == TOKEN_OTHER && l->next < l->end && (*l->next & 0xc0) == 0x80);
    }
    t->text.size = (size_t)(l->next - t->text.data);
    bool bounded = t->kind == TOKEN_WORD || t->kind == TOKEN_ANNOTATION;
    return bounded && t->text.size > LIMIT_STRING ? too_long(l, t, "bytes of a name:", t->text.size)
                                                  : O2W_OK;
}

const char *token_text(const struct lexer *l, const struct token *t)
{
    enum { SHOWN = 64 };
    struct span s = t->text;
    const char *dots = s.size > SHOWN ? "…" : "";
    while (s.size > SHOWN ||
           (s.size > 0 && s.size < t->text.size && (s.data[s.size] & 0xc0) == 0x80))
        s.size--;
    const char *text = t->kind == TOKEN_END ? "the end of the file"
                       : t->kind == TOKEN_STRING
                           ? arena_printf(l->doc->arena, "string \"%.*s%s\"", SPAN_ARG(s), dots)
                           : arena_printf(l->doc->arena, "'%.*s%s'", SPAN_ARG(s), dots);
    return text ? text : "a token";
}
