#include "support/test.h"

#include <string.h>

void support_assert_span(struct span s, const char *text, const char *file, int line)
{
    if (!span_is(s, text)) {
        print_error("'%.*s' is not '%s'\n", SPAN_ARG(s), text);
        _fail(file, line);
    }
}

void assert_diag(const struct diags *d, size_t index, enum diag_code code, const char *message)
{
    const struct diag *item = d->first;
    for (size_t i = 0; item && i < index; i++)
        item = item->next;
    assert_non_null(item);
    assert_string_equal(diag_code_text(item->code), diag_code_text(code));
    assert_string_equal(item->message, message);
}

void assert_diags_text(const struct diags *d, const char *text)
{
    struct arena arena;
    arena_init(&arena, NULL);
    char *found = diags_text(d, &arena);
    assert_non_null(found);
    assert_string_equal(found, text);
    arena_free(&arena);
}
