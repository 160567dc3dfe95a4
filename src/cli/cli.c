/* What commands print with. */
#include "cli/cli.h"

#include "base/system.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- streams ------------------------------------------------------------------------------------------ */

void cli_print(struct cli *c, const char *format, ...)
{
    va_list args;
    if (c->common->json)
        return;
    va_start(args, format);
    char *text = arena_vprintf(&c->arena, format, args);
    va_end(args);
    if (text)
        (void)fputs(text, stdout);
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
    c->notes = notes;
    if (!notes)
        return;
    progress_clear();
    for (size_t i = 0; i < o2w_error_count(notes); i++) {
        const o2w_diagnostic *item = o2w_error_item(notes, i);
        static const char *const words[] = { "note", "warning", "error" };
        if (item->severity == O2W_SEVERITY_NOTE && (c->common->quiet || !c->common->debug))
            continue;
        (void)fprintf(stderr, "%s[%s]: %s\n", words[item->severity], item->code, item->message);
        if (item->hint)
            (void)fprintf(stderr, "  hint: %s\n", item->hint);
    }
}

const char *cli_size(struct cli *c, uint64_t bytes)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    double value = (double)bytes;
    size_t unit = 0;
    char text[48];
    while (value >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    text_format(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    char *copy = arena_text(&c->arena, span_of(text));
    return copy ? copy : "";
}

void cli_time(struct cli *c, const char *stage, double ms)
{
    (void)VEC_RESERVE(&c->times, 1);
    if (c->times.count < c->times.capacity) {
        c->times.items[c->times.count].stage = stage;
        c->times.items[c->times.count++].ms = ms;
    }
}

/* --- the JSON document -------------------------------------------------------------------------------- */

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
    if (json_written(&c->json, &text) != O2W_OK || text.size < 2)
        return (struct span){ 0 };
    return (struct span){ text.data + 1, text.size - 2 };
}

static void write_envelope(struct cli *c, int status)
{
    struct span own = members(c);
    const o2w_error *items = c->error ? c->error : c->notes;
    (void)printf(
        "{\"schema\":\"onnx2webnn.%s\",\"version\":1,\"tool\":\"%s\",\"ok\":%s,\"result\":\"%s\",",
        c->command->name, o2w_version(), status == 0 ? "true" : "false",
        c->result ? c->result : "error");
    if (own.size)
        (void)printf("%.*s,", (int)own.size, (const char *)own.data);
    (void)printf("\"diagnostics\":%s,\"timesMs\":{", items ? o2w_error_json(items) : "[]");
    for (size_t i = 0; i < c->times.count; i++) {
        char number[32];
        text_format(number, sizeof number, "%.3f", c->times.items[i].ms);
        (void)printf("%s\"%s\":%s", i ? "," : "", c->times.items[i].stage, number);
    }
    (void)printf("}}\n");
}

static int close_stdout(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno != EPIPE)
        (void)fprintf(stderr, "error[stdout]: standard output cannot be written: %s\n",
                      strerror(errno));
    return 1;
}

int cli_finish(struct cli *c, const char *result, int status)
{
    progress_clear();
    c->result = result;
    if (c->common->json && !c->json_done) {
        c->json_done = true;
        write_envelope(c, status);
    }
    return close_stdout(status);
}

int cli_failed(struct cli *c)
{
    int caught = signals_caught();
    progress_clear();
    if (caught) {
        (void)fprintf(stderr, "interrupted\n");
        return 128 + caught;
    }
    if (c->error)
        (void)fputs(o2w_error_text(c->error), stderr);
    if (c->error && o2w_error_status(c->error) == O2W_USAGE)
        return 2;
    return cli_finish(c, "error", 1);
}

int cli_usage(struct cli *c, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(&c->arena, format, args);
    va_end(args);
    (void)fprintf(stderr, "error[usage]: %s\n  hint: %s%ssee 'onnx2webnn %s --help'\n",
                  text ? text : format, hint ? hint : "", hint ? "; " : "", c->command->name);
    return 2;
}
