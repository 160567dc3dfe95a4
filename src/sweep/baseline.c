/* What changed since an earlier report. */
#include "sweep/summary.h"

#include "base/error.h"
#include "base/file.h"

#include <string.h>

enum { REPORT_LIMIT = 512 << 20 };

struct earlier {
    struct json_reader json;
    struct span text;
    VEC(struct result) results;
    struct arena *arena;
    struct diags *d;
};

static o2w_status read_cases(struct earlier *e)
{
    struct json_value v;
    for (;;) {
        struct result r = { 0 };
        TRY(json_next(&e->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        if (v.kind != JSON_OBJECT)
            return json_wrong(&e->json, &v, "an object");
        size_t begin = e->json.position - 1;
        TRY(json_skip(&e->json, &v));
        struct span one = { e->text.data + begin, e->json.position - begin };
        TRY(result_parse(one, "the report", e->arena, e->d, &r));
        if (!r.label)
            return json_wrong(&e->json, &v, "a result with a label");
        if (!VEC_PUSH(&e->results, r))
            return diag_memory(e->d);
    }
}

static o2w_status read_report(struct earlier *e, const char *path)
{
    struct json_value v;
    bool found = false;
    TRY(file_read_all(path, REPORT_LIMIT, e->arena, e->d, &e->text));
    TRY(json_begin(&e->json, e->text, span_of(path), e->arena, e->d));
    e->json.syntax = e->json.type = e->json.duplicate = DIAG_MANIFEST_RECORD;
    TRY(json_next(&e->json, &v));
    if (v.kind != JSON_OBJECT)
        return json_wrong(&e->json, &v, "an object");
    for (;;) {
        TRY(json_next(&e->json, &v));
        if (v.kind == JSON_END)
            break;
        bool cases = v.kind == JSON_ARRAY && span_is(v.key, "cases");
        found |= cases;
        TRY(cases ? read_cases(e) : json_skip(&e->json, &v));
    }
    TRY(json_finish(&e->json));
    return found ? O2W_OK
                 : diag_error(e->d, DIAG_MANIFEST_RECORD,
                              "'%s' is no report of validate-manifest --json", path);
}

static const struct result *find(const struct result *all, size_t count, const char *label)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].label, label) == 0)
            return &all[i];
    return NULL;
}

/* How one case differs; NULL: it does not. */
static const char *change(const struct result *was, const struct result *now, struct arena *a)
{
    if (!was)
        return arena_printf(a, "new: %s", outcome_text(now->outcome));
    if (!now)
        return arena_printf(a, "gone, was %s", outcome_text(was->outcome));
    if (was->outcome != now->outcome)
        return now->outcome == OUTCOME_FAILED
                   ? arena_printf(a, "%s -> %s: %s", outcome_text(was->outcome),
                                  outcome_text(now->outcome), result_line(now, a))
                   : arena_printf(a, "%s -> %s", outcome_text(was->outcome),
                                  outcome_text(now->outcome));
    const char *before = was->code ? was->code : "", *after = now->code ? now->code : "";
    if (strcmp(before, after) != 0)
        return arena_printf(a, "%s -> %s", result_line(was, a), result_line(now, a));
    return NULL;
}

static bool add_change(o2w_summary *s, const char *label, const char *text)
{
    if (text)
        s->changes[s->change_count++] = (struct change){ label, text };
    return text != NULL;
}

static o2w_status find_changes(o2w_summary *s, const struct earlier *e)
{
    struct arena *a = &s->arena;
    s->changes = ARENA_ARRAY(a, s->count + e->results.count, struct change);
    if (!s->changes)
        return diag_memory(e->d);
    for (size_t i = 0; i < s->count; i++) {
        const struct result *was = find(e->results.items, e->results.count, s->results[i].label);
        (void)add_change(s, s->results[i].label, change(was, &s->results[i], a));
    }
    for (size_t i = 0; i < e->results.count; i++) {
        const struct result *was = &e->results.items[i];
        if (!find(s->results, s->count, was->label))
            (void)add_change(s, was->label, change(was, NULL, a));
    }
    return O2W_OK;
}

static const char *changes_text(o2w_summary *s)
{
    struct arena *a = &s->arena;
    struct span name = path_name(span_of(s->baseline));
    if (!s->change_count)
        return arena_printf(a, "Nothing changed since %.*s\n", SPAN_ARG(name));
    struct arena_string text = { .arena = a };
    arena_string_add(&text, "Changed since %.*s:\n", SPAN_ARG(name));
    for (size_t i = 0; i < s->change_count; i++)
        arena_string_add(&text, "  %s: %s\n", s->changes[i].label, s->changes[i].text);
    return arena_string_text(&text);
}

o2w_status o2w_summary_compare(o2w_summary *s, const char *baseline, const char **text,
                               o2w_error **error)
{
    struct diags d;
    struct earlier e = { .arena = &s->arena, .d = &d };
    diags_init(&d, s->allocator);
    d.stage = "read";
    o2w_status status = read_report(&e, baseline);
    s->baseline = arena_text(&s->arena, span_of(baseline));
    if (status == O2W_OK)
        status = s->baseline ? find_changes(s, &e) : diag_memory(&d);
    if (status == O2W_OK) {
        *text = changes_text(s);
        status = *text ? O2W_OK : diag_memory(&d);
    }
    VEC_FREE(&e.results);
    status = error_from_diags(&d, status, error);
    diags_free(&d);
    return status;
}
