/* What commands print with. */
#include "cli/cli.h"

#include "base/error.h"
#include "base/file.h"
#include "base/system.h"
#include "base/text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- text ------------------------------------------------------------------------------------------------ */

static void put_out(struct cli *c, struct span text)
{
    if (!VEC_RESERVE(&c->out, text.size)) {
        c->failed = true;
        return;
    }
    if (text.size)
        memcpy(c->out.items + c->out.count, text.data, text.size);
    c->out.count += text.size;
}

void cli_write(struct cli *c, struct span bytes)
{
    if (!c->common->json)
        put_out(c, bytes);
}

/* Short texts are formatted on the stack, so that long tables do not fill the arena. */
void cli_print(struct cli *c, const char *format, ...)
{
    char line[512];
    va_list args;
    if (c->common->json)
        return;
    va_start(args, format);
    int size = text_vformat(line, sizeof line, format, args);
    va_end(args);
    if (size >= 0 && (size_t)size < sizeof line) {
        put_out(c, (struct span){ (const uint8_t *)line, (size_t)size });
        return;
    }
    va_start(args, format);
    char *text = arena_vprintf(&c->arena, format, args);
    va_end(args);
    c->failed |= text == NULL;
    put_out(c, span_of(text));
}

void cli_say(struct cli *c, const char *format, ...)
{
    va_list args;
    if (c->common->quiet)
        return;
    va_start(args, format);
    char *text = arena_vprintf(&c->arena, format, args);
    va_end(args);
    progress_clear();
    if (text)
        (void)fputs(text, stderr);
}

void cli_notes(struct cli *c, const o2w_error *notes)
{
    if (!notes)
        return;
    if (c->report_count < CLI_REPORTS)
        c->reports[c->report_count++] = notes;
    for (size_t i = 0; i < o2w_error_count(notes); i++) {
        const o2w_diagnostic *item = o2w_error_item(notes, i);
        if (item->severity != O2W_SEVERITY_NOTE || !c->common->quiet)
            stream_item(item->severity, item->text);
    }
}

const char *cli_size(struct cli *c, uint64_t bytes)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    double value = (double)bytes;
    size_t unit = 0;
    char text[48];
    while (value >= 999.95 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    text_format(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    char *copy = arena_text(&c->arena, span_of(text));
    return copy ? copy : "";
}

void cli_time(struct cli *c, const char *stage, double ms)
{
    if (!VEC_RESERVE(&c->times, 1))
        return;
    c->times.items[c->times.count].stage = stage;
    c->times.items[c->times.count++].ms = ms;
}

const char *cli_absolute(struct cli *c, const char *path)
{
    char folder[4096];
    if (!path || path[0] == '/')
        return path;
    return getcwd(folder, sizeof folder) ? path_join(&c->arena, span_of(folder), span_of(path))
                                         : path;
}

/* --- the JSON document ------------------------------------------------------------------------------------ */

void cli_members(struct cli *c, struct span object)
{
    json_writer_free(&c->json);
    json_writer_init(&c->json, NULL, 0);
    json_put_raw(&c->json, object);
}

/* Members that the command wrote, cut out of their braces. */
static struct span members(struct cli *c)
{
    struct span text;
    if (c->json.depth)
        json_close(&c->json, '}');
    if (json_written(&c->json, &text) != O2W_OK || text.size < 2) {
        c->failed = true;
        return (struct span){ 0 };
    }
    return (struct span){ text.data + 1, text.size - 2 };
}

static void put_text(struct cli *c, const char *text)
{
    put_out(c, span_of(text));
}

/* The items of all errors as one array. */
static void put_diagnostics(struct cli *c)
{
    bool first = true;
    put_text(c, "\"diagnostics\":[");
    for (unsigned i = 0; i <= c->report_count; i++) {
        const o2w_error *error = i < c->report_count ? c->reports[i] : c->error;
        struct span items = span_of(o2w_error_json(error));
        if (items.size <= 2)
            continue;
        put_text(c, first ? "" : ",");
        put_out(c, (struct span){ items.data + 1, items.size - 2 });
        first = false;
    }
    put_text(c, "]");
}

static void put_times(struct cli *c)
{
    char number[64];
    put_text(c, ",\"timesMs\":{");
    for (size_t i = 0; i < c->times.count; i++) {
        text_format(number, sizeof number, "%s\"%s\":%.3f", i ? "," : "", c->times.items[i].stage,
                    c->times.items[i].ms);
        put_text(c, number);
    }
    put_text(c, "}");
}

static void put_document(struct cli *c, const char *result, int status)
{
    struct span own = members(c);
    char head[200];
    text_format(head, sizeof head,
                "{\"schema\":\"onnx2webnn.%s\",\"version\":1,\"tool\":\"%s\",\"ok\":%s,\"result\":"
                "\"%s\",",
                c->command->name, o2w_version(), status == 0 ? "true" : "false", result);
    put_text(c, head);
    put_out(c, own);
    put_text(c, own.size ? "," : "");
    put_diagnostics(c);
    put_times(c);
    put_text(c, "}\n");
}

/* --- ends ------------------------------------------------------------------------------------------------- */

int cli_finish(struct cli *c, const char *result, int status)
{
    progress_clear();
    if (c->common->json && !c->json_done) {
        c->json_done = true;
        put_document(c, result, status);
    }
    if (c->failed) {
        stream_item(O2W_SEVERITY_ERROR, "error[memory]: out of memory\n");
        return 1;
    }
    int written = stream_stdout((struct span){ (const uint8_t *)c->out.items, c->out.count });
    c->out.count = 0;
    return written ? written : status;
}

static const char *signal_word(int number)
{
    return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

/* In place of what the interrupted call says. */
static void set_interrupted(struct cli *c, int number)
{
    struct diags d;
    diags_init(&d, NULL);
    (void)diag_error(&d, DIAG_INTERRUPTED, "interrupted by %s", signal_word(number));
    o2w_error_free(c->error);
    c->error = NULL;
    (void)error_from_diags(&d, O2W_CANCELLED, &c->error);
    diags_free(&d);
}

int cli_failed(struct cli *c)
{
    int caught = o2w_error_status(c->error) == O2W_CANCELLED ? signals_caught() : 0;
    if (caught)
        set_interrupted(c, caught);
    stream_error(c->error);
    if (o2w_error_status(c->error) == O2W_USAGE)
        return 2;
    int status = caught ? 128 + caught : 1;
    return cli_finish(c, "error", status) == status ? status : 1;
}

int cli_usage(struct cli *c, const char *hint, const char *format, ...)
{
    struct diags d;
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(&c->arena, format, args);
    va_end(args);
    diags_init(&d, NULL);
    (void)diag_error(&d, DIAG_USAGE, "%s", text ? text : format);
    diag_hint(&d, "%s%ssee 'onnx2webnn %s --help'", hint ? hint : "", hint ? "; " : "",
              c->command->name);
    stream_diags(&d, &c->arena);
    diags_free(&d);
    return 2;
}
