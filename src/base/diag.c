#include "base/diag.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_LIMIT = 4096 };

static const char *const code_texts[DIAG_CODE_COUNT] = {
#define CODE(ID, TEXT, STATUS) [DIAG_##ID] = TEXT,
#include <onnx2webnn/status.def>
};

static const o2w_status code_statuses[DIAG_CODE_COUNT] = {
#define CODE(ID, TEXT, STATUS) [DIAG_##ID] = O2W_##STATUS,
#include <onnx2webnn/status.def>
};

const char *diag_code_text(enum diag_code code)
{
    return code < DIAG_CODE_COUNT ? code_texts[code] : code_texts[DIAG_INTERNAL];
}

o2w_status diag_code_status(enum diag_code code)
{
    return code < DIAG_CODE_COUNT ? code_statuses[code] : O2W_INTERNAL;
}

/* What an error with this code returns: never O2W_OK. */
static o2w_status failure_status(enum diag_code code)
{
    o2w_status status = diag_code_status(code);
    return status == O2W_OK ? O2W_FORMAT : status;
}

void diags_init(struct diags *d, const o2w_allocator *allocator)
{
    *d = (struct diags){ 0 };
    arena_init(&d->arena, allocator);
    d->last = &d->first;
    d->last_unsupported = &d->unsupported;
}

void diags_free(struct diags *d)
{
    const o2w_allocator *allocator = d->arena.allocator;
    arena_free(&d->arena);
    diags_init(d, allocator);
}

void diags_append(struct diags *to, struct diags *from)
{
    if (from->count == 0 && from->lost == 0 && from->unsupported_count == 0)
        return;
    if (from->first) {
        *to->last = from->first;
        to->last = from->last;
    }
    if (from->unsupported) {
        *to->last_unsupported = from->unsupported;
        to->last_unsupported = from->last_unsupported;
    }
    to->unsupported_count += from->unsupported_count;
    to->newest = from->newest;
    to->count += from->count;
    to->errors += from->errors;
    to->lost += from->lost;
    arena_adopt(&to->arena, &from->arena);
    diags_free(from);
}

/* ---- texts ---- */

static char *shown_text(struct arena *a, struct span s)
{
    char *text = arena_alloc(a, text_shown_size(s) + 1, 1);
    if (text)
        text_show(s, text);
    return text;
}

/* Cuts before a character that would be split. */
static size_t cut_length(const char *text, size_t limit)
{
    while (limit > 0 && ((uint8_t)text[limit] & 0xc0) == 0x80)
        limit--;
    return limit;
}

static char *limited_text(struct arena *a, struct span s)
{
    if (s.size <= TEXT_LIMIT)
        return shown_text(a, s);
    char text[TEXT_LIMIT];
    size_t length = cut_length((const char *)s.data, TEXT_LIMIT - 3);
    memcpy(text, s.data, length);
    memset(text + length, '.', 3);
    return shown_text(a, (struct span){ (const uint8_t *)text, length + 3 });
}

static char *format_text(struct arena *a, const char *format, va_list args)
{
    char text[TEXT_LIMIT + 2];
    int length = text_vformat(text, sizeof text, format, args);
    if (length < 0)
        length = 0;
    size_t size = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    return limited_text(a, (struct span){ (const uint8_t *)text, size });
}

/* ---- items ---- */

static struct diag *item_create(struct diags *d, o2w_severity severity, enum diag_code code)
{
    struct diag *item = ARENA_NEW(&d->arena, struct diag);
    if (!item)
        return NULL;
    *item = (struct diag){ .severity = severity,
                           .code = code,
                           .stage = d->stage,
                           .offset = -1,
                           .line = -1,
                           .column = -1 };
    item->last_line = &item->lines;
    return item;
}

static void item_add(struct diags *d, o2w_severity severity, enum diag_code code,
                     const char *format, va_list args)
{
    d->errors += severity == O2W_SEVERITY_ERROR;
    d->newest = NULL;
    struct diag *item = item_create(d, severity, code);
    if (item)
        item->message = format_text(&d->arena, format, args);
    if (!item || !item->message) {
        d->lost++;
        return;
    }
    *d->last = item;
    d->last = &item->next;
    d->newest = item;
    d->count++;
}

o2w_status diag_error(struct diags *d, enum diag_code code, const char *format, ...)
{
    if (d) {
        va_list args;
        va_start(args, format);
        item_add(d, O2W_SEVERITY_ERROR, code, format, args);
        va_end(args);
    }
    return failure_status(code);
}

void diag_warning(struct diags *d, enum diag_code code, const char *format, ...)
{
    if (!d)
        return;
    va_list args;
    va_start(args, format);
    item_add(d, O2W_SEVERITY_WARNING, code, format, args);
    va_end(args);
}

o2w_status diag_note(struct diags *d, enum diag_code code, const char *format, ...)
{
    if (!d)
        return O2W_OK;
    va_list args;
    va_start(args, format);
    item_add(d, d->notes_are_errors ? O2W_SEVERITY_ERROR : O2W_SEVERITY_NOTE, code, format, args);
    va_end(args);
    return d->notes_are_errors ? failure_status(code) : O2W_OK;
}

o2w_status diag_memory(struct diags *d)
{
    return diag_error(d, DIAG_MEMORY, "out of memory");
}

static void line_add(struct diags *d, const char *label, const char *format, va_list args)
{
    struct diag *item = d->newest;
    struct diag_line *line = ARENA_NEW(&d->arena, struct diag_line);
    const char *text = line ? format_text(&d->arena, format, args) : NULL;
    if (!text) {
        d->lost++;
        return;
    }
    *line = (struct diag_line){ .label = label, .text = text };
    *item->last_line = line;
    item->last_line = &line->next;
}

void diag_at(struct diags *d, const char *format, ...)
{
    if (!d || !d->newest)
        return;
    va_list args;
    va_start(args, format);
    line_add(d, "at", format, args);
    va_end(args);
}

void diag_line(struct diags *d, const char *label, const char *format, ...)
{
    if (!d || !d->newest)
        return;
    va_list args;
    va_start(args, format);
    line_add(d, label, format, args);
    va_end(args);
}

/* Keeps a text or counts its loss. */
static const char *kept(struct diags *d, const char *text)
{
    d->lost += text == NULL;
    return text;
}

void diag_hint(struct diags *d, const char *format, ...)
{
    if (!d || !d->newest)
        return;
    va_list args;
    va_start(args, format);
    d->newest->hint = kept(d, format_text(&d->arena, format, args));
    va_end(args);
}

void diag_subject(struct diags *d, const char *kind, struct span name)
{
    if (!d || !d->newest)
        return;
    d->newest->subject_kind = kind;
    d->newest->subject_name = kept(d, limited_text(&d->arena, name));
}

void diag_position(struct diags *d, struct span file, int64_t offset, int64_t line, int64_t column)
{
    if (!d || !d->newest)
        return;
    struct diag *item = d->newest;
    if (file.size)
        item->file = kept(d, limited_text(&d->arena, file));
    item->offset = offset;
    item->line = line;
    item->column = column;
}

/* ---- operators that cannot be lowered ---- */

static const char *const *copy_names(struct diags *d, const o2w_unsupported *from)
{
    const char **names = ARENA_ARRAY(&d->arena, from->node_count, const char *);
    for (size_t i = 0; names && i < from->node_count; i++) {
        names[i] = limited_text(&d->arena, span_of(from->nodes[i]));
        if (!names[i])
            return NULL;
    }
    return names;
}

void diag_unsupported(struct diags *d, const o2w_unsupported *from)
{
    if (!d)
        return;
    struct diag_unsupported *own = ARENA_NEW(&d->arena, struct diag_unsupported);
    o2w_unsupported item = { .size = sizeof item,
                             .domain = limited_text(&d->arena, span_of(from->domain)),
                             .name = limited_text(&d->arena, span_of(from->name)),
                             .opset = from->opset,
                             .count = from->count,
                             .nodes = copy_names(d, from),
                             .node_count = from->node_count,
                             .reason = limited_text(&d->arena, span_of(from->reason)) };
    if (!own || !item.domain || !item.name || !item.nodes || !item.reason) {
        d->lost++;
        return;
    }
    *own = (struct diag_unsupported){ .item = item };
    *d->last_unsupported = own;
    d->last_unsupported = &own->next;
    d->unsupported_count++;
}
