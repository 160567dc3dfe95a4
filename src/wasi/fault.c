#include "wasi/fault.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const struct {
    wasinn_errno error;
    wasinn_code code;
} rows[FAULT_COUNT] = {
    [FAULT_NONE] = { WASINN_SUCCESS, WASINN_CODE_UNKNOWN },
    [FAULT_ARGUMENT] = { WASINN_INVALID_ARGUMENT, WASINN_CODE_INVALID_ARGUMENT },
    [FAULT_ENCODING] = { WASINN_INVALID_ENCODING, WASINN_CODE_INVALID_ENCODING },
    [FAULT_MEMORY] = { WASINN_MISSING_MEMORY, WASINN_CODE_RUNTIME_ERROR },
    [FAULT_BUSY] = { WASINN_BUSY, WASINN_CODE_RUNTIME_ERROR },
    [FAULT_RUNTIME] = { WASINN_RUNTIME_ERROR, WASINN_CODE_RUNTIME_ERROR },
    [FAULT_TIMEOUT] = { WASINN_RUNTIME_ERROR, WASINN_CODE_TIMEOUT },
    [FAULT_ORDER] = { WASINN_RUNTIME_ERROR, WASINN_CODE_INVALID_ARGUMENT },
    [FAULT_UNSUPPORTED] = { WASINN_UNSUPPORTED_OPERATION, WASINN_CODE_UNSUPPORTED_OPERATION },
    [FAULT_SECURITY] = { WASINN_UNSUPPORTED_OPERATION, WASINN_CODE_SECURITY },
    [FAULT_TOO_LARGE] = { WASINN_TOO_LARGE, WASINN_CODE_TOO_LARGE },
    [FAULT_NOT_FOUND] = { WASINN_NOT_FOUND, WASINN_CODE_NOT_FOUND },
    [FAULT_INTERNAL] = { WASINN_RUNTIME_ERROR, WASINN_CODE_UNKNOWN },
};

wasinn_errno fault_errno(enum fault f)
{
    return rows[f].error;
}

wasinn_code fault_code(enum fault f)
{
    return rows[f].code;
}

/* Whole characters only, as many as fit. */
static void keep_shown(char text[FAILURE_TEXT], const char *from)
{
    struct span s = span_of(from);
    size_t at = 0, length = 0;
    while (at < s.size) {
        uint32_t code;
        size_t step = utf8_next(s, at, &code);
        struct span one = { s.data + at, step ? step : 1 };
        if (length + text_shown_size(one) >= FAILURE_TEXT)
            break;
        length = (size_t)(text_show(one, text + length) - text);
        at += one.size;
    }
    text[length] = 0;
}

enum fault fail(struct failure *f, enum fault fault, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    (void)text_vformat(text, sizeof text, format, args);
    va_end(args);
    keep_shown(f->text, text);
    f->fault = fault;
    return fault;
}

enum fault fail_memory(struct failure *f)
{
    return fail(f, FAULT_RUNTIME, "out of memory");
}

/* "Foo (com.example), Bar": as many as the text has room for. */
static void list_unsupported(const struct diags *d, char *text, size_t size)
{
    size_t length = 0;
    for (const struct diag_unsupported *u = d->unsupported; u && length + 1 < size; u = u->next) {
        int wrote = snprintf(text + length, size - length, "%s%s (%s %lld)", length ? ", " : "",
                             u->item.name, u->item.domain, (long long)u->item.opset);
        length += wrote > 0 ? (size_t)wrote : 0;
    }
}

static const struct diag *first_error(const struct diags *d)
{
    for (const struct diag *item = d->first; item; item = item->next)
        if (item->severity == O2W_SEVERITY_ERROR)
            return item;
    return NULL;
}

static const char *place_of(const struct diag *item)
{
    for (const struct diag_line *l = item->lines; l; l = l->next)
        if (strcmp(l->label, "at") == 0)
            return l->text;
    return NULL;
}

enum fault fail_from(struct failure *f, enum fault fault, const struct diags *d, o2w_status status)
{
    char names[1024] = "";
    const struct diag *item = first_error(d);
    if (status == O2W_NO_MEMORY)
        return fail_memory(f);
    if (status == O2W_CANCELLED)
        return fail(f, FAULT_TIMEOUT, "its time is over");
    if (d->unsupported) {
        list_unsupported(d, names, sizeof names);
        return fail(f, fault, "operators that are not supported: %s", names);
    }
    if (!item)
        return fail(f, fault, "%s", o2w_status_text(status));
    const char *at = place_of(item);
    return fail(f, fault, "%s%s%s%s%s%s", item->message, at ? ", at " : "", at ? at : "",
                item->hint ? " (" : "", item->hint ? item->hint : "", item->hint ? ")" : "");
}
