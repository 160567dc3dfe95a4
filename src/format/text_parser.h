/* The state of the text parser, shared by its two files. */
#ifndef FORMAT_TEXT_PARSER_H
#define FORMAT_TEXT_PARSER_H

#include "format/text_lexer.h"

struct parser {
    struct document *doc;
    struct diags *diags;
    struct lexer lexer;
    struct token last, token; /* the one taken last, the one to come */
    VEC(uint8_t) bytes;
    VEC(struct doc_name) names;
};

o2w_status parser_advance(struct parser *p);
/* text.syntax at the token to come. */
o2w_status parser_expected(struct parser *p, const char *what);
o2w_status parser_at(const struct parser *p, o2w_status status);
bool parser_sees(const struct parser *p, char mark);
o2w_status parser_take(struct parser *p, char mark);
o2w_status parser_word(struct parser *p, const char *what, struct doc_name *out);

/* The arguments of a call up to its closing bracket, which stays. */
o2w_status parse_arguments(struct parser *p, struct doc_node *node);

#endif
