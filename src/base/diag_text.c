/* Diagnostics as the command prints them. */

#include "base/diag.h"
#include "base/number.h"

#include <string.h>

/* Measures while `text` is NULL, writes otherwise. */
struct output {
    char *text;
    size_t size;
};

static void put(struct output *o, const char *text)
{
    size_t size = strlen(text);
    if (o->text)
        memcpy(o->text + o->size, text, size);
    o->size += size;
}

static void put_number(struct output *o, int64_t value)
{
    char text[NUMBER_TEXT];
    number_print_i64(value, text);
    put(o, text);
}

static void put_row(struct output *o, const char *label, const char *text)
{
    put(o, "  ");
    put(o, label);
    put(o, ": ");
    put(o, text);
    put(o, "\n");
}

static bool has_place(const struct diag *item)
{
    for (const struct diag_line *line = item->lines; line; line = line->next)
        if (strcmp(line->label, "at") == 0)
            return true;
    return false;
}

/* file:line:column, or the offset where there are no lines. */
static void put_position(struct output *o, const struct diag *item)
{
    put(o, item->file ? item->file : "");
    if (item->line >= 0) {
        put(o, item->file ? ":" : "");
        put_number(o, item->line);
        if (item->column >= 0) {
            put(o, ":");
            put_number(o, item->column);
        }
    } else if (item->offset >= 0) {
        put(o, item->file ? ", byte " : "byte ");
        put_number(o, item->offset);
    }
}

/* An exact position, else what the caller said in lines of its own, else the subject, else a file
 * that the message does not name. */
static void put_place(struct output *o, const struct diag *item)
{
    bool exact = item->line >= 0 || item->offset >= 0;
    bool subject = item->subject_kind && item->subject_name;
    bool file = item->file && !strstr(item->message, item->file);
    if (!exact && (has_place(item) || !(subject || file)))
        return;
    put(o, "  at: ");
    if (exact || !subject) {
        put_position(o, item);
    } else {
        put(o, item->subject_kind);
        put(o, " '");
        put(o, item->subject_name);
        put(o, "'");
    }
    put(o, "\n");
}

static void put_head(struct output *o, o2w_severity severity, enum diag_code code)
{
    static const char *const severities[] = {
        [O2W_SEVERITY_NOTE] = "note",
        [O2W_SEVERITY_WARNING] = "warning",
        [O2W_SEVERITY_ERROR] = "error",
    };
    put(o, severities[severity]);
    put(o, "[");
    put(o, diag_code_text(code));
    put(o, "]: ");
}

static void put_item(struct output *o, const struct diag *item)
{
    put_head(o, item->severity, item->code);
    put(o, item->message);
    put(o, "\n");
    put_place(o, item);
    for (const struct diag_line *line = item->lines; line; line = line->next)
        put_row(o, line->label, line->text);
    if (item->hint)
        put_row(o, "hint", item->hint);
}

static void put_items(struct output *o, const struct diags *d)
{
    for (const struct diag *item = d->first; item; item = item->next)
        put_item(o, item);
    if (d->lost == 0)
        return;
    put_head(o, O2W_SEVERITY_NOTE, DIAG_MEMORY);
    put(o, "out of memory, ");
    put_number(o, (int64_t)d->lost);
    put(o, d->lost == 1 ? " text is missing here\n" : " texts are missing here\n");
}

/* Text that `print` puts, measured first. */
static char *text_of(struct arena *arena, void (*print)(struct output *o, const void *what),
                     const void *what)
{
    struct output o = { 0 };
    print(&o, what);
    char *text = arena_alloc(arena, o.size + 1, 1);
    if (!text)
        return NULL;
    o = (struct output){ .text = text };
    print(&o, what);
    return text;
}

static void print_all(struct output *o, const void *diags)
{
    put_items(o, diags);
}

static void print_one(struct output *o, const void *item)
{
    put_item(o, item);
}

char *diags_text(const struct diags *d, struct arena *arena)
{
    return text_of(arena, print_all, d);
}

char *diag_text(const struct diag *item, struct arena *arena)
{
    return text_of(arena, print_one, item);
}
