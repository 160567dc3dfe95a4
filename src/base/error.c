#include "base/error.h"

#include "base/json.h"

#ifndef O2W_VERSION_TEXT
#define O2W_VERSION_TEXT O2W_VERSION
#endif

const char *o2w_version(void)
{
    return O2W_VERSION_TEXT;
}

static const char *const status_texts[] = {
#define STATUS(NAME, TEXT) [O2W_##NAME] = TEXT,
#include <onnx2webnn/status.def>
};

enum { STATUS_COUNT = sizeof status_texts / sizeof *status_texts };

const char *o2w_status_text(o2w_status status)
{
    return (unsigned)status < STATUS_COUNT ? status_texts[status] : "unknown status";
}

struct o2w_error {
    o2w_status status;
    size_t count;
    const o2w_diagnostic *items;
    const char *text, *json;
    const o2w_unsupported **unsupported;
    o2w_allocator allocator; /* a copy: the environment may be gone when the error is freed */
    struct diags diags;
};

/* ---- when memory is out ---- */

static const o2w_diagnostic lost_item = {
    .size = sizeof(o2w_diagnostic),
    .severity = O2W_SEVERITY_ERROR,
    .code = "memory",
    .message = "out of memory",
    .text = "error[memory]: out of memory\n",
    .offset = -1,
    .line = -1,
    .column = -1,
};

/* One per status, never freed. */
static o2w_error lost_errors[] = {
#define STATUS(NAME, TEXT)                                                                   \
    [O2W_##NAME] = { .status = O2W_##NAME,                                                   \
                     .count = 1,                                                             \
                     .items = &lost_item,                                                    \
                     .text = "error[memory]: out of memory\n",                               \
                     .json = "[{\"severity\":\"error\",\"code\":\"memory\",\"stage\":null,"  \
                             "\"message\":\"out of memory\",\"subject\":null,\"file\":null," \
                             "\"offset\":null,\"line\":null,\"column\":null,\"hint\":null,"  \
                             "\"lines\":[]}]" },
#include <onnx2webnn/status.def>
};

static bool is_static(const o2w_error *error)
{
    return error >= lost_errors && error < lost_errors + STATUS_COUNT;
}

/* ---- the forms of the items ---- */

static const o2w_diagnostic_line *public_lines(struct diags *d, const struct diag *item,
                                               size_t *count)
{
    size_t i = 0;
    for (const struct diag_line *line = item->lines; line; line = line->next)
        i++;
    o2w_diagnostic_line *lines = ARENA_ARRAY(&d->arena, i, o2w_diagnostic_line);
    *count = i;
    i = 0;
    for (const struct diag_line *line = item->lines; line && lines; line = line->next)
        lines[i++] = (o2w_diagnostic_line){ line->label, line->text };
    return lines;
}

static const o2w_diagnostic *public_items(struct diags *d)
{
    o2w_diagnostic *items = ARENA_ARRAY(&d->arena, d->count, o2w_diagnostic);
    size_t i = 0;
    for (const struct diag *item = d->first; item && items; item = item->next) {
        size_t line_count;
        const o2w_diagnostic_line *lines = public_lines(d, item, &line_count);
        items[i++] = (o2w_diagnostic){
            .size = sizeof(o2w_diagnostic),
            .severity = item->severity,
            .code = diag_code_text(item->code),
            .stage = item->stage,
            .message = item->message,
            .subject_kind = item->subject_kind,
            .subject_name = item->subject_name,
            .file = item->file,
            .offset = item->offset,
            .line = item->line,
            .column = item->column,
            .hint = item->hint,
            .text = diag_text(item, &d->arena),
            .lines = lines,
            .line_count = line_count,
        };
    }
    for (size_t k = 0; items && k < i; k++)
        if (!items[k].text || !items[k].lines)
            return NULL;
    return items;
}

static const o2w_unsupported **unsupported_items(struct diags *d)
{
    const o2w_unsupported **items =
        ARENA_ARRAY(&d->arena, d->unsupported_count, const o2w_unsupported *);
    size_t i = 0;
    for (const struct diag_unsupported *own = d->unsupported; own && items; own = own->next)
        items[i++] = &own->item;
    return items;
}

static const char *items_json(struct diags *d)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, d->arena.allocator, 0);
    diags_json(d, &w);
    char *json = json_written(&w, &text) == O2W_OK ? arena_text(&d->arena, text) : NULL;
    json_writer_free(&w);
    return json;
}

/* ---- the object ---- */

/* The code of a failure that nobody described. */
static enum diag_code bare_code(o2w_status status)
{
    if (status == O2W_NO_MEMORY)
        return DIAG_MEMORY;
    return status == O2W_CANCELLED ? DIAG_INTERRUPTED : DIAG_INTERNAL;
}

static bool complete(o2w_error *error, o2w_status status)
{
    struct diags *d = &error->diags;
    if (d->count == 0)
        diag_error(d, bare_code(status), "%s", o2w_status_text(status));
    error->status = status;
    error->count = d->count;
    error->items = d->count ? public_items(d) : NULL;
    error->text = diags_text(d, &d->arena);
    error->json = items_json(d);
    error->unsupported = unsupported_items(d);
    return error->items && error->text && error->json && error->unsupported;
}

static o2w_error *error_create(struct diags *d, o2w_status status)
{
    const o2w_allocator *allocator = d ? d->arena.allocator : &mem_default;
    o2w_error *error = mem_alloc(allocator, sizeof *error);
    if (!error)
        return NULL;
    *error = (o2w_error){ .allocator = *allocator };
    diags_init(&error->diags, &error->allocator);
    if (d)
        diags_append(&error->diags, d);
    if (complete(error, status))
        return error;
    o2w_error_free(error);
    return NULL;
}

o2w_status error_from_diags(struct diags *d, o2w_status status, o2w_error **error)
{
    if (status == O2W_OK || !error)
        return status;
    *error = error_create(d, status);
    if (!*error)
        *error = &lost_errors[(unsigned)status < STATUS_COUNT ? status : O2W_INTERNAL];
    return status;
}

void o2w_error_free(o2w_error *error)
{
    if (!error || is_static(error))
        return;
    o2w_allocator allocator = error->allocator;
    diags_free(&error->diags);
    mem_free(&allocator, error, sizeof *error);
}

o2w_status o2w_error_status(const o2w_error *error)
{
    return error ? error->status : O2W_OK;
}

size_t o2w_error_count(const o2w_error *error)
{
    return error ? error->count : 0;
}

const o2w_diagnostic *o2w_error_item(const o2w_error *error, size_t index)
{
    return index < o2w_error_count(error) ? &error->items[index] : NULL;
}

const char *o2w_error_text(const o2w_error *error)
{
    return error ? error->text : "";
}

const char *o2w_error_json(const o2w_error *error)
{
    return error ? error->json : "[]";
}

size_t o2w_error_unsupported_count(const o2w_error *error)
{
    return error && !is_static(error) ? error->diags.unsupported_count : 0;
}

const o2w_unsupported *o2w_error_unsupported(const o2w_error *error, size_t index)
{
    return index < o2w_error_unsupported_count(error) ? error->unsupported[index] : NULL;
}
