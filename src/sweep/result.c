#include "sweep/result.h"

#include "base/file.h"
#include "base/number.h"

#include <string.h>

enum { RECORD_LIMIT = 64 << 20 };

static const char *const outcomes[] = { "not run", "passed", "failed", "skipped", "expected" };
const char *const result_times[RESULT_TIMES] = { "download",  "convert",  "build",
                                                 "reference", "dispatch", "compare" };

const char *outcome_text(enum outcome o)
{
    return outcomes[o];
}

/* --- writing ------------------------------------------------------------------------------------------ */

static void put_raw(struct json_writer *w, const char *key, const char *json, const char *otherwise)
{
    json_key(w, key);
    json_put_raw(w, span_of(json ? json : otherwise));
}

void result_put(struct json_writer *w, const struct result *r)
{
    json_open(w, '{');
    json_member_text(w, "schema", "onnx2webnn.result");
    json_member_u64(w, "version", 1);
    json_member_text(w, "tool", r->tool);
    json_member_text(w, "key", r->key);
    json_member_text(w, "label", r->label);
    json_member_u64(w, "index", r->index);
    json_member_text(w, "backend", r->backend);
    json_member_text(w, "engine", r->engine);
    put_raw(w, "seeds", r->seeds, "[]");
    json_member_text(w, "sourceSha256", r->source_sha256);
    json_member_text(w, "result", outcomes[r->outcome]);
    json_member_text(w, "stage", r->stage);
    json_member_text(w, "code", r->code);
    json_member_text(w, "message", r->message);
    json_member_u64(w, "nodes", r->nodes);
    json_member_u64(w, "operators", r->operators);
    json_member_u64(w, "weightBytes", r->weight_bytes);
    json_member_u64(w, "peakRssBytes", r->peak_bytes);
    json_member_u64(w, "downloadedBytes", r->downloaded_bytes);
    json_member_bool(w, "reused", r->reused);
    json_member_text(w, "command", r->command);
    json_key(w, "timesMs");
    json_open(w, '{');
    for (int i = 0; i < RESULT_TIMES; i++) {
        json_key(w, result_times[i]);
        json_put_double(w, r->times[i]);
    }
    json_close(w, '}');
    put_raw(w, "validation", r->validation, "null");
    json_close(w, '}');
}

o2w_status result_write(const struct result *r, const char *path, struct diags *d)
{
    struct json_writer w;
    struct span text;
    struct file_writer *f;
    json_writer_init(&w, NULL, 0);
    result_put(&w, r);
    o2w_status s =
        json_written(&w, &text) == O2W_OK ? file_create(path, NULL, d, &f) : diag_memory(d);
    if (s == O2W_OK) {
        s = file_write(f, text.data, text.size, d);
        if (s == O2W_OK)
            s = file_write(f, "\n", 1, d);
        if (s == O2W_OK)
            s = file_commit(f, true, d);
        else
            file_discard(f);
    }
    json_writer_free(&w);
    return s;
}

/* --- reading ------------------------------------------------------------------------------------------ */

struct reading {
    struct json_reader json;
    struct arena *arena;
    struct result *r;
    struct span text;
};

/* The whole value as text. */
static o2w_status take_raw(struct reading *g, const struct json_value *v, const char **out)
{
    if (v->kind == JSON_NULL)
        return O2W_OK;
    if (v->kind != JSON_OBJECT && v->kind != JSON_ARRAY)
        return json_wrong(&g->json, v, "an object or array");
    size_t begin = g->json.position - 1;
    TRY(json_skip(&g->json, v));
    struct span raw = { g->text.data + begin, g->json.position - begin };
    *out = arena_text(g->arena, raw);
    return *out ? O2W_OK : diag_memory(g->json.diags);
}

static o2w_status take_text(struct reading *g, const struct json_value *v, const char **out)
{
    struct span s;
    if (v->kind == JSON_NULL)
        return O2W_OK;
    TRY(json_string(&g->json, v, &s));
    *out = arena_text(g->arena, s);
    return *out ? O2W_OK : diag_memory(g->json.diags);
}

static o2w_status take_times(struct reading *g, const struct json_value *object)
{
    struct json_value v;
    if (object->kind != JSON_OBJECT)
        return json_wrong(&g->json, object, "an object");
    for (;;) {
        TRY(json_next(&g->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        int i = 0;
        while (i < RESULT_TIMES && !span_is(v.key, result_times[i]))
            i++;
        TRY(i < RESULT_TIMES ? json_double(&g->json, &v, &g->r->times[i])
                             : json_skip(&g->json, &v));
    }
}

static o2w_status take_outcome(struct reading *g, const struct json_value *v)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (v->kind == JSON_STRING && span_is(v->text, outcomes[i])) {
            g->r->outcome = (enum outcome)i;
            return O2W_OK;
        }
    return json_wrong(&g->json, v, "passed, failed, skipped or expected");
}

static o2w_status check_version(struct reading *g, const struct json_value *v)
{
    int64_t version;
    TRY(json_i64(&g->json, v, &version));
    return version == 1 ? O2W_OK : json_wrong(&g->json, v, "1");
}

static o2w_status take_member(struct reading *g, const struct json_value *v)
{
    struct result *r = g->r;
    const struct {
        const char *key, **text;
    } texts[] = { { "tool", &r->tool },       { "key", &r->key },
                  { "label", &r->label },     { "backend", &r->backend },
                  { "engine", &r->engine },   { "sourceSha256", &r->source_sha256 },
                  { "stage", &r->stage },     { "code", &r->code },
                  { "message", &r->message }, { "command", &r->command } };
    const struct {
        const char *key;
        uint64_t *count;
    } counts[] = { { "index", &r->index },
                   { "nodes", &r->nodes },
                   { "operators", &r->operators },
                   { "weightBytes", &r->weight_bytes },
                   { "peakRssBytes", &r->peak_bytes },
                   { "downloadedBytes", &r->downloaded_bytes } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (span_is(v->key, texts[i].key))
            return take_text(g, v, texts[i].text);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (span_is(v->key, counts[i].key))
            return json_u64(&g->json, v, counts[i].count);
    if (span_is(v->key, "version"))
        return check_version(g, v);
    if (span_is(v->key, "result"))
        return take_outcome(g, v);
    if (span_is(v->key, "reused"))
        return json_bool(&g->json, v, &r->reused);
    if (span_is(v->key, "timesMs"))
        return take_times(g, v);
    if (span_is(v->key, "seeds"))
        return take_raw(g, v, &r->seeds);
    if (span_is(v->key, "validation"))
        return take_raw(g, v, &r->validation);
    return json_skip(&g->json, v);
}

o2w_status result_parse(struct span text, const char *name, struct arena *a, struct diags *d,
                        struct result *out)
{
    struct reading g = { .arena = a, .r = out, .text = text };
    struct json_value v;
    TRY(json_begin(&g.json, text, span_of(name), a, d));
    g.json.syntax = g.json.type = g.json.duplicate = DIAG_MANIFEST_RECORD;
    TRY(json_next(&g.json, &v));
    if (v.kind != JSON_OBJECT)
        return json_wrong(&g.json, &v, "an object");
    for (;;) {
        TRY(json_next(&g.json, &v));
        if (v.kind == JSON_END)
            return json_finish(&g.json);
        TRY(take_member(&g, &v));
    }
}

o2w_status result_read(const char *path, struct arena *a, struct diags *d, struct result *out)
{
    struct span text;
    *out = (struct result){ 0 };
    TRY(file_read_all(path, RECORD_LIMIT, a, d, &text));
    TRY(result_parse(text, path, a, d, out));
    if (out->key && out->label && out->backend)
        return O2W_OK;
    return diag_error(d, DIAG_MANIFEST_RECORD, "'%s' is no result record", path);
}

const char *result_path(const char *folder, const char *key, const char *backend,
                        const uint64_t *seeds, size_t seed_count, struct arena *a)
{
    const char *feeds = "d";
    for (size_t i = 0; feeds && i < seed_count; i++)
        feeds = arena_printf(a, "%s+%llu", feeds, (unsigned long long)seeds[i]);
    return feeds ? arena_printf(a, "%s/%s-%s-%s.json", folder, key, backend, feeds) : NULL;
}
