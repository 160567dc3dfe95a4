#include "format/document.h"

#include "base/number.h"

void document_init(struct document *doc, struct span file, struct arena *arena,
                   const o2w_allocator *allocator)
{
    *doc = (struct document){ .arena = arena, .file = file };
    doc->inputs.allocator = doc->consts.allocator = doc->nodes.allocator = allocator;
    doc->arguments.allocator = doc->values.allocator = doc->outputs.allocator = allocator;
    doc->directives.allocator = doc->shapes.allocator = allocator;
}

void document_free(struct document *doc)
{
    VEC_FREE(&doc->inputs);
    VEC_FREE(&doc->consts);
    VEC_FREE(&doc->nodes);
    VEC_FREE(&doc->arguments);
    VEC_FREE(&doc->values);
    VEC_FREE(&doc->outputs);
    VEC_FREE(&doc->directives);
    VEC_FREE(&doc->shapes);
}

const struct doc_value *doc_next(const struct doc_value *v)
{
    for (size_t left = 1; left > 0; left--, v++) {
        if (v->kind == DOC_ARRAY)
            left += v->size;
        else if (v->kind == DOC_OBJECT)
            left += 2 * (size_t)v->size;
    }
    return v;
}

const char *doc_kind_text(enum doc_kind kind)
{
    static const char *const texts[] = {
        [DOC_NULL] = "null",       [DOC_TRUE] = "a boolean",   [DOC_FALSE] = "a boolean",
        [DOC_NUMBER] = "a number", [DOC_STRING] = "a string",  [DOC_WORD] = "a name",
        [DOC_ARRAY] = "an array",  [DOC_OBJECT] = "an object",
    };
    return texts[kind];
}

o2w_status doc_at(const struct document *doc, struct diags *d, struct place at, o2w_status status)
{
    diag_position(d, doc->file, -1, at.line, at.column);
    return status;
}

o2w_status doc_limit(const struct document *doc, struct diags *d, struct place at, const char *what,
                     uint64_t n, uint64_t limit)
{
    return doc_at(doc, d, at,
                  diag_error(d, DIAG_LIMIT, "%s %llu exceeds the limit %llu", what,
                             (unsigned long long)n, (unsigned long long)limit));
}

bool doc_is_integer(struct span number)
{
    for (size_t i = 0; i < number.size; i++)
        if (number.data[i] == '.' || number.data[i] == 'e' || number.data[i] == 'E')
            return false;
    return true;
}

double doc_double(struct span number)
{
    double x = 0;
    number_parse_double(number, &x);
    return x == 0 && doc_is_integer(number) ? 0 : x;
}

static bool in_range(struct span text, const char **why)
{
    int64_t i;
    uint64_t u;
    double x;
    if (!doc_is_integer(text)) {
        *why = "needs a finite 64-bit float";
        return number_parse_double(text, &x) == O2W_OK;
    }
    *why = "needs an integer from -2^63 to 2^64 - 1";
    return number_parse_i64(text, &i) == O2W_OK || number_parse_u64(text, &u) == O2W_OK;
}

o2w_status doc_check_number(const struct document *doc, struct diags *d, struct place at,
                            struct span text, struct span of)
{
    enum { SHOWN = 64 };
    const char *why, *quote = of.size > 0 ? "'" : "";
    if (in_range(text, &why))
        return O2W_OK;
    const char *dots = text.size > SHOWN ? "…" : "";
    text.size = text.size > SHOWN ? SHOWN : text.size;
    return doc_at(doc, d, at,
                  diag_error(d, DIAG_TEXT_NUMBER, "number %.*s%s is out of range (%s%.*s%s%s%s)",
                             SPAN_ARG(text), dots, quote, SPAN_ARG(of), quote,
                             of.size > 0 ? " " : "", why));
}
