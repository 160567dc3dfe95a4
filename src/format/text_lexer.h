/* Tokens of `.webnn` text. */
#ifndef FORMAT_TEXT_LEXER_H
#define FORMAT_TEXT_LEXER_H

#include "format/document.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD, /* identifier or keyword */
    TOKEN_NUMBER,
    TOKEN_STRING,     /* text: decoded */
    TOKEN_ANNOTATION, /* @word, text with the @ */
    TOKEN_MARK,       /* one of { } [ ] ( ) : ; , = */
    TOKEN_OTHER       /* a character that begins no token */
};

struct token {
    enum token_kind kind;
    struct span text;
    struct place place;
};

struct lexer {
    struct document *doc; /* receives directives */
    struct diags *diags;
    const uint8_t *next, *end, *line_start;
    uint32_t line;
};

/* Begins at `text`, which was checked to be UTF-8. */
void lexer_init(struct lexer *l, struct span text, struct document *doc, struct diags *d);
/* text.string, limit, text.directive. */
o2w_status lexer_next(struct lexer *l, struct token *t);
/* "'x'", "string \"x\"", "the end of the file": for messages, in the document's arena. */
const char *token_text(const struct lexer *l, const struct token *t);

static inline bool token_is(const struct token *t, char mark)
{
    return t->kind == TOKEN_MARK && t->text.data[0] == (uint8_t)mark;
}

#endif
