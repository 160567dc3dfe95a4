#include "sweep/summary.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

o2w_status summary_create(const o2w_manifest *m, const char *backend, struct diags *d,
                          o2w_summary **out)
{
    o2w_summary *s = mem_alloc(m->allocator, sizeof *s);
    if (!s)
        return diag_memory(d);
    *s = (o2w_summary){ .allocator = m->allocator, .shard = m->shard, .shards = m->shards };
    arena_init(&s->arena, m->allocator);
    s->manifest = arena_text(&s->arena, span_of(m->path));
    s->selection = arena_text(&s->arena, span_of(m->selection ? m->selection : "all"));
    s->backend = arena_text(&s->arena, span_of(backend ? backend : "all backends"));
    s->results = ARENA_ARRAY(&s->arena, m->count, struct result);
    *out = s;
    if (s->manifest && s->selection && s->backend && s->results)
        return O2W_OK;
    o2w_summary_free(s);
    return diag_memory(d);
}

void o2w_summary_free(o2w_summary *s)
{
    if (!s)
        return;
    arena_free(&s->arena);
    mem_free(s->allocator, s, sizeof *s);
}

struct summary_counts summary_count(const o2w_summary *s)
{
    struct summary_counts n = { 0 };
    for (size_t i = 0; i < s->count; i++)
        switch (s->results[i].outcome) {
        case OUTCOME_PASSED: n.passed++; break;
        case OUTCOME_FAILED: n.failed++; break;
        case OUTCOME_EXPECTED: n.expected++; break;
        case OUTCOME_SKIPPED: n.skipped++; break;
        case OUTCOME_NOT_RUN: n.not_run++; break;
        }
    return n;
}

void summary_percent(const struct summary_counts *n, char text[16])
{
    size_t all = n->passed + n->failed;
    text_format(text, 16, "%.1f", all ? 100.0 * (double)n->passed / (double)all : 0.0);
}

bool o2w_summary_passed(const o2w_summary *s)
{
    struct summary_counts n = summary_count(s);
    return n.passed && !n.failed && !n.not_run;
}

size_t o2w_summary_interrupted(const o2w_summary *s)
{
    return s->interrupted ? s->not_run : 0;
}

const char *result_line(const struct result *r, struct arena *a)
{
    const char *line =
        !r->stage ? r->message : arena_printf(a, "%s: %s", r->stage, r->message ? r->message : "");
    return line ? line : "";
}

const char *shell_word(struct arena *a, const char *text)
{
    const char *word = "'";
    if (*text && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_-./:,+@%=")] == '\0')
        return text;
    while (word && *text) {
        size_t plain = strcspn(text, "'");
        word = arena_printf(a, "%s%.*s%s", word, (int)plain, text, text[plain] ? "'\\''" : "");
        text += plain + (text[plain] != '\0');
    }
    return word ? arena_printf(a, "%s'", word) : "";
}

/* --- text --------------------------------------------------------------------------------------------- */

struct lines {
    VEC(char) text;
    bool failed;
};

static void put(struct lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct lines *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int size = text_vformat(NULL, 0, format, args);
    va_end(args);
    if (size < 0 || l->failed || !VEC_RESERVE(&l->text, (size_t)size + 1)) {
        l->failed = true;
        return;
    }
    va_start(args, format);
    text_vformat(l->text.items + l->text.count, (size_t)size + 1, format, args);
    va_end(args);
    l->text.count += (size_t)size;
}

static void put_section(struct lines *l, o2w_summary *s, enum outcome outcome, const char *title,
                        size_t count)
{
    if (!count)
        return;
    put(l, "%s (%zu):\n", title, count);
    for (size_t i = 0; i < s->count; i++) {
        const struct result *r = &s->results[i];
        if (r->outcome != outcome)
            continue;
        if (outcome == OUTCOME_FAILED)
            put(l, "  %s\n    %s\n", r->label, result_line(r, &s->arena));
        else if (outcome == OUTCOME_PASSED || !r->message)
            put(l, "  %s\n", r->label);
        else
            put(l, "  %s: %s\n", r->label, r->message);
    }
}

const char *o2w_summary_text(o2w_summary *s)
{
    struct lines l = { .text.allocator = s->allocator };
    struct summary_counts n = summary_count(s);
    char percent[16];
    if (s->text)
        return s->text;
    summary_percent(&n, percent);
    put(&l, "Validation of %.*s on %s\n", SPAN_ARG(path_name(span_of(s->manifest))), s->backend);
    put_section(&l, s, OUTCOME_PASSED, "Succeeded", n.passed);
    put_section(&l, s, OUTCOME_FAILED, "Failed", n.failed);
    put_section(&l, s, OUTCOME_EXPECTED, "Expected", n.expected);
    put_section(&l, s, OUTCOME_SKIPPED, "Skipped", n.skipped);
    if (s->interrupted)
        put(&l, "Interrupted: %zu cases not run\n", n.not_run);
    else
        put_section(&l, s, OUTCOME_NOT_RUN, "Not run", n.not_run);
    put(&l, "Overall: %zu/%zu passed (%s%%)\n", n.passed, n.passed + n.failed, percent);
    struct span all = { (const uint8_t *)l.text.items, l.text.count };
    s->text = l.failed ? NULL : arena_text(&s->arena, all);
    VEC_FREE(&l.text);
    return s->text;
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_changes(struct json_writer *w, const o2w_summary *s)
{
    json_member_text(w, "baseline", s->baseline);
    json_key(w, "changes");
    json_open(w, '[');
    for (size_t i = 0; i < s->change_count; i++) {
        json_open(w, '{');
        json_member_text(w, "label", s->changes[i].label);
        json_member_text(w, "change", s->changes[i].text);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void put_summary(struct json_writer *w, const o2w_summary *s)
{
    struct summary_counts n = summary_count(s);
    size_t all = n.passed + n.failed;
    json_open(w, '{');
    json_member_text(w, "manifest", s->manifest);
    json_member_text(w, "selection", s->selection);
    json_member_text(w, "backend", s->backend);
    json_key(w, "shard");
    json_open(w, '[');
    json_put_u64(w, s->shard);
    json_put_u64(w, s->shards);
    json_close(w, ']');
    json_member_u64(w, "passed", n.passed);
    json_member_u64(w, "failed", n.failed);
    json_member_u64(w, "expected", n.expected);
    json_member_u64(w, "skipped", n.skipped);
    json_member_u64(w, "notRun", n.not_run);
    json_key(w, "percent");
    json_put_double(w, all ? 100.0 * (double)n.passed / (double)all : 0.0);
    json_key(w, "cases");
    json_open(w, '[');
    for (size_t i = 0; i < s->count; i++)
        result_put(w, &s->results[i]);
    json_close(w, ']');
    if (s->baseline)
        put_changes(w, s);
    json_close(w, '}');
}

const char *o2w_summary_json(o2w_summary *s)
{
    struct json_writer w;
    struct span text;
    if (s->json)
        return s->json;
    json_writer_init(&w, s->allocator, 0);
    put_summary(&w, s);
    s->json = json_written(&w, &text) == O2W_OK ? arena_text(&s->arena, text) : NULL;
    json_writer_free(&w);
    return s->json;
}

/* --- JUnit -------------------------------------------------------------------------------------------- */

/* Text of XML 1.0: what it cannot hold is left out as '?'. */
static void put_xml(struct lines *l, const char *text)
{
    for (; text && *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            put(l, "%s", entity);
        else
            put(l, "%c",
                (unsigned char)*text < 0x20 && *text != '\n' && *text != '\t' ? '?' : *text);
    }
}

static void put_outcome(struct lines *l, o2w_summary *s, const struct result *r)
{
    bool skipped = r->outcome != OUTCOME_FAILED;
    put(l, skipped ? "      <skipped message=\"" : "      <failure message=\"");
    put_xml(l, skipped && !r->message ? outcome_text(r->outcome) : result_line(r, &s->arena));
    if (skipped) {
        put(l, "\"/>\n");
        return;
    }
    put(l, "\" type=\"");
    put_xml(l, r->code);
    put(l, "\">");
    put_xml(l, r->command);
    put(l, "</failure>\n");
}

static double seconds_of(const struct result *r)
{
    double ms = 0;
    for (int i = 0; i < RESULT_TIMES; i++)
        ms += r->times[i];
    return ms / 1000;
}

static void put_case(struct lines *l, o2w_summary *s, const struct result *r)
{
    put(l, "    <testcase classname=\"");
    put_xml(l, s->backend);
    put(l, "\" name=\"");
    put_xml(l, r->label);
    put(l, "\" time=\"%.3f\"", seconds_of(r));
    if (r->outcome == OUTCOME_PASSED) {
        put(l, "/>\n");
        return;
    }
    put(l, ">\n");
    put_outcome(l, s, r);
    put(l, "    </testcase>\n");
}

static void put_junit(struct lines *l, o2w_summary *s)
{
    struct summary_counts n = summary_count(s);
    size_t skipped = n.expected + n.skipped + n.not_run;
    double seconds = 0;
    for (size_t i = 0; i < s->count; i++)
        seconds += seconds_of(&s->results[i]);
    put(l, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
    put_xml(l, "onnx2webnn validate-manifest");
    put(l, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\">\n",
        s->count, n.failed, skipped, seconds);
    for (size_t i = 0; i < s->count; i++)
        put_case(l, s, &s->results[i]);
    put(l, "  </testsuite>\n</testsuites>\n");
}

static o2w_status write_junit(o2w_summary *s, const char *path, struct diags *d)
{
    struct lines l = { .text.allocator = s->allocator };
    struct file_writer *f;
    put_junit(&l, s);
    o2w_status status = l.failed ? diag_memory(d) : file_create(path, NULL, d, &f);
    if (status == O2W_OK) {
        status = file_write(f, l.text.items, l.text.count, d);
        if (status == O2W_OK)
            status = file_commit(f, false, d);
        else
            file_discard(f);
    }
    VEC_FREE(&l.text);
    return status;
}

o2w_status o2w_summary_write_junit(o2w_summary *s, const char *path, o2w_error **error)
{
    struct diags d;
    diags_init(&d, s->allocator);
    d.stage = "write";
    o2w_status status = error_from_diags(&d, write_junit(s, path, &d), error);
    diags_free(&d);
    return status;
}
