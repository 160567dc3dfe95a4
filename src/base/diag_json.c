/* Diagnostics as a JSON array: the member `diagnostics` of every `--json` document. */

#include "base/json.h"

static const char *const severities[] = {
    [O2W_SEVERITY_NOTE] = "note",
    [O2W_SEVERITY_WARNING] = "warning",
    [O2W_SEVERITY_ERROR] = "error",
};

static void put_position(struct json_writer *w, const char *key, int64_t value)
{
    json_key(w, key);
    if (value < 0)
        json_put_null(w);
    else
        json_put_i64(w, value);
}

static void put_subject(struct json_writer *w, const struct diag *item)
{
    json_key(w, "subject");
    if (!item->subject_kind) {
        json_put_null(w);
        return;
    }
    json_open(w, '{');
    json_key(w, "kind");
    json_put_text(w, item->subject_kind);
    json_key(w, "name");
    json_put_text(w, item->subject_name);
    json_close(w, '}');
}

static void put_text(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    json_put_text(w, text);
}

static void put_lines(struct json_writer *w, const struct diag *item)
{
    json_key(w, "lines");
    json_open(w, '[');
    for (const struct diag_line *line = item->lines; line; line = line->next) {
        json_open(w, '{');
        put_text(w, "label", line->label);
        put_text(w, "text", line->text);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void put_item(struct json_writer *w, const struct diag *item)
{
    json_open(w, '{');
    put_text(w, "severity", severities[item->severity]);
    put_text(w, "code", diag_code_text(item->code));
    put_text(w, "stage", item->stage);
    put_text(w, "message", item->message);
    put_subject(w, item);
    put_text(w, "file", item->file);
    put_position(w, "offset", item->offset);
    put_position(w, "line", item->line);
    put_position(w, "column", item->column);
    put_text(w, "hint", item->hint);
    put_lines(w, item);
    json_close(w, '}');
}

void diags_json(const struct diags *d, struct json_writer *w)
{
    json_open(w, '[');
    for (const struct diag *item = d->first; item; item = item->next)
        put_item(w, item);
    json_close(w, ']');
}
