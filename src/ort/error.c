/* Statuses of the runtime as diagnostics. */
#include "ort/internal.h"

#include "base/text.h"

/* The runtime reports exhausted memory as a failure with the allocator's words. */
static bool says_memory(const char *text)
{
    return span_starts(span_of(text), SPAN("std::bad_alloc")) ||
           span_starts(span_of(text), SPAN("bad_alloc")) ||
           span_starts(span_of(text), SPAN("Failed to allocate memory"));
}

o2w_status ort_fail(const struct ort *o, OrtStatus *status, enum diag_code code, struct diags *d,
                    const char *format, ...)
{
    const char *text = o->api.GetErrorMessage(status);
    char message[1024];
    va_list args;
    va_start(args, format);
    text_vformat(message, sizeof message, format, args);
    va_end(args);
    o2w_status result;
    if (says_memory(text)) {
        result = diag_memory(d);
        diag_at(d, "%s", message);
    } else {
        result = diag_error(d, code, "%s", message);
    }
    diag_line(d, "engine", "%s", text);
    o->api.ReleaseStatus(status);
    return result;
}
