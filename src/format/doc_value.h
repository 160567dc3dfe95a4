/* Values of a graph file, and its limits. */
#ifndef FORMAT_DOC_VALUE_H
#define FORMAT_DOC_VALUE_H

#include "base/diag.h"

enum {
    LIMIT_STRING = 65535, /* bytes of an identifier or a string */
    LIMIT_NAMES = 1 << 24,
    LIMIT_ARGUMENTS = 8200,
    LIMIT_RESULTS = 8192,
    LIMIT_NESTING = 64,
    LIMIT_ITEMS = 1 << 26, /* of one array */
    LIMIT_DIM = INT32_MAX
};
#define LIMIT_FILE ((uint64_t)1 << 30)

struct place {
    uint32_t line, column;
};

enum doc_kind {
    DOC_NULL,
    DOC_TRUE,
    DOC_FALSE,
    DOC_NUMBER,
    DOC_STRING,
    DOC_WORD,  /* an identifier */
    DOC_ARRAY, /* size items follow */
    DOC_OBJECT /* size pairs of a DOC_STRING and a value follow */
};

struct doc_value {
    const uint8_t *text; /* of numbers (checked form and range), strings and words */
    uint32_t size;       /* of the text, or of the array or object */
    enum doc_kind kind;
};

static inline struct span doc_text(const struct doc_value *v)
{
    return (struct span){ v->text, v->size };
}
/* The value behind v and all it contains. */
const struct doc_value *doc_next(const struct doc_value *v);
/* "a number", "an array" … */
const char *doc_kind_text(enum doc_kind kind);
/* Without . e E. */
bool doc_is_integer(struct span number);
/* A checked number as double; -0 is the integer 0. */
double doc_double(struct span number);

#endif
