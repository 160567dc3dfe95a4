/* A model with the files its tensors lie in, and the record that says it is complete. */
#include "hub/internal.h"

#include "base/json.h"
#include "base/log.h"
#include "onnx/open.h"
#include "onnx/store.h"
#include "onnx/tensor.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_FORMAT = 3, RECORD_LIMIT = 16 << 20 };

struct part {
    const char *path; /* in the repository */
    uint64_t length;
};

struct getting {
    struct hub *hub;
    const struct hub_request *request;
    struct arena *arena;
    struct diags *d;
    struct hub_places places;
    const char *record_path, *revision;
    char commit[HTTP_TEXT];
    VEC(struct part) parts; /* the model itself first */
    struct hub_model model;
};

static bool length_of(const char *path, uint64_t *length)
{
    struct stat st;
    if (!path || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    *length = (uint64_t)st.st_size;
    return true;
}

static const char *snapshot(struct getting *g, const char *path)
{
    return hub_snapshot_path(&g->places, g->commit, path, g->arena);
}

/* --- external files ----------------------------------------------------------------------------------- */

static bool has_part(const struct getting *g, const char *path)
{
    for (size_t i = 0; i < g->parts.count; i++)
        if (strcmp(g->parts.items[i].path, path) == 0)
            return true;
    return false;
}

static o2w_status add_part(struct getting *g, const char *path)
{
    return path && VEC_PUSH(&g->parts, (struct part){ .path = path }) ? O2W_OK : diag_memory(g->d);
}

static o2w_status add_location(struct getting *g, struct span location)
{
    const char *unsafe = path_unsafe(location);
    struct span folder = path_folder(span_of(g->request->path));
    if (unsafe)
        return diag_error(g->d, DIAG_PATH_UNSAFE,
                          "external location '%.*s' leaves the model's folder: it has %s",
                          SPAN_ARG(location), unsafe);
    char *path =
        folder.size ? path_join(g->arena, folder, location) : arena_text(g->arena, location);
    if (path && has_part(g, path))
        return O2W_OK;
    return add_part(g, path);
}

/* The locations that the model's tensors name, anywhere. What is no model is left to who converts it. */
static o2w_status add_externals(struct getting *g, const char *path)
{
    struct onnx_model *m;
    struct diags own;
    diags_init(&own, g->hub->allocator);
    o2w_status s =
        onnx_model_open(path, &(struct onnx_open_options){ 0 }, g->hub->allocator, &own, &m);
    diags_free(&own);
    if (s != O2W_OK)
        return s == O2W_NO_MEMORY ? diag_memory(g->d) : O2W_OK;
    for (size_t i = 0; s == O2W_OK && i < m->store->externals.count; i++)
        s = add_location(g, m->store->externals.items[i]->external->location);
    onnx_model_close(m);
    return s;
}

/* --- the completion record ---------------------------------------------------------------------------- */

static o2w_status read_part(struct getting *g, struct json_reader *r)
{
    struct json_value v;
    struct part part = { 0 };
    struct span text;
    for (;;) {
        TRY(json_next(r, &v));
        if (v.kind == JSON_END)
            break;
        if (span_is(v.key, "path")) {
            TRY(json_string(r, &v, &text));
            part.path = path_unsafe(text) ? NULL : arena_text(g->arena, text);
        } else if (span_is(v.key, "length")) {
            TRY(json_u64(r, &v, &part.length));
        } else
            TRY(json_skip(r, &v));
    }
    return part.path && VEC_PUSH(&g->parts, part) ? O2W_OK : O2W_FORMAT;
}

static o2w_status read_parts(struct getting *g, struct json_reader *r)
{
    struct json_value v;
    for (;;) {
        TRY(json_next(r, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        TRY(v.kind == JSON_OBJECT ? read_part(g, r) : O2W_FORMAT);
    }
}

/* A member that must say the same as the request. */
static o2w_status expect_text(struct json_reader *r, const struct json_value *v, const char *text)
{
    if (!text)
        return v->kind == JSON_NULL ? O2W_OK : O2W_FORMAT;
    (void)r;
    return v->kind == JSON_STRING && span_is(v->text, text) ? O2W_OK : O2W_FORMAT;
}

static o2w_status read_member(struct getting *g, struct json_reader *r, const struct json_value *v)
{
    int64_t format;
    if (span_is(v->key, "format")) {
        TRY(json_i64(r, v, &format));
        return format == RECORD_FORMAT ? O2W_OK : O2W_FORMAT;
    }
    if (span_is(v->key, "repository"))
        return expect_text(r, v, g->request->repository);
    if (span_is(v->key, "revision"))
        return expect_text(r, v, g->revision);
    if (span_is(v->key, "sha256"))
        return expect_text(r, v, g->request->sha256);
    if (span_is(v->key, "primary"))
        return expect_text(r, v, g->request->path);
    if (span_is(v->key, "commit")) {
        if (v->kind != JSON_STRING || v->text.size != 40 || path_unsafe(v->text))
            return O2W_FORMAT;
        memcpy(g->commit, v->text.data, 40);
        g->commit[40] = '\0';
        return O2W_OK;
    }
    if (span_is(v->key, "files"))
        return v->kind == JSON_ARRAY ? read_parts(g, r) : O2W_FORMAT;
    return json_skip(r, v);
}

static o2w_status read_record(struct getting *g)
{
    struct json_reader r;
    struct json_value v;
    struct span text;
    TRY(file_read_all(g->record_path, RECORD_LIMIT, g->arena, NULL, &text));
    TRY(json_begin(&r, text, span_of(g->record_path), g->arena, NULL));
    TRY(json_next(&r, &v));
    if (v.kind != JSON_OBJECT)
        return O2W_FORMAT;
    for (;;) {
        TRY(json_next(&r, &v));
        if (v.kind == JSON_END)
            break;
        TRY(read_member(g, &r, &v));
    }
    TRY(json_finish(&r));
    return g->commit[0] && g->parts.count && strcmp(g->parts.items[0].path, g->request->path) == 0
               ? O2W_OK
               : O2W_FORMAT;
}

static bool parts_are_there(struct getting *g)
{
    uint64_t length;
    for (size_t i = 0; i < g->parts.count; i++)
        if (!length_of(snapshot(g, g->parts.items[i].path), &length) ||
            length != g->parts.items[i].length)
            return false;
    return true;
}

static void put_parts(struct json_writer *w, const struct getting *g)
{
    json_key(w, "files");
    json_open(w, '[');
    for (size_t i = 0; i < g->parts.count; i++) {
        json_open(w, '{');
        json_member_text(w, "path", g->parts.items[i].path);
        json_key(w, "length");
        json_put_u64(w, g->parts.items[i].length);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static o2w_status write_record(const struct getting *g)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, g->hub->allocator, 0);
    json_open(&w, '{');
    json_key(&w, "format");
    json_put_i64(&w, RECORD_FORMAT);
    json_member_text(&w, "repository", g->request->repository);
    json_member_text(&w, "revision", g->revision);
    json_member_text(&w, "commit", g->commit);
    json_member_text(&w, "sha256", g->request->sha256);
    json_member_text(&w, "primary", g->request->path);
    put_parts(&w, g);
    json_close(&w, '}');
    char *copy = json_written(&w, &text) == O2W_OK ? arena_text(g->arena, text) : NULL;
    json_writer_free(&w);
    char *line = copy ? arena_printf(g->arena, "%s\n", copy) : NULL;
    return line ? hub_write_text(g->record_path, line, g->d) : diag_memory(g->d);
}

/* --- finding and getting ------------------------------------------------------------------------------ */

/* A blob's name is its digest, where it is one: it was verified when it came. */
static bool digest_of_link(const char *path, char text[65])
{
    char to[1024];
    ssize_t size = readlink(path, to, sizeof to - 1);
    if (size < 65)
        return false;
    to[size] = '\0';
    const char *name = strrchr(to, '/');
    if (!name || hub_digest_of(name + 1) != HUB_DIGEST_SHA256)
        return false;
    memcpy(text, name + 1, 65);
    return true;
}

/* Fills in the model; *differs: a declared digest is another one. */
static o2w_status finish(struct getting *g, bool *differs)
{
    *differs = false;
    g->model.path = snapshot(g, g->request->path);
    if (!g->model.path)
        return diag_memory(g->d);
    g->model.bytes = 0;
    for (size_t i = 0; i < g->parts.count; i++)
        g->model.bytes += g->parts.items[i].length;
    if (g->request->sha256 || !digest_of_link(g->model.path, g->model.sha256))
        TRY(hub_file_sha256(g->hub, g->model.path, g->d, g->model.sha256));
    *differs = g->request->sha256 && strcmp(g->request->sha256, g->model.sha256) != 0;
    return O2W_OK;
}

/* As the record says. */
static o2w_status find_recorded(struct getting *g, bool *found)
{
    bool differs = false;
    *found = false;
    g->parts.count = 0;
    g->commit[0] = '\0';
    if (!path_is_file(g->record_path) || read_record(g) != O2W_OK || !parts_are_there(g))
        return O2W_OK;
    TRY(finish(g, &differs));
    *found = g->model.hit = !differs;
    return O2W_OK;
}

/* As another client left it: a revision that is known, with all files in its snapshot. */
static o2w_status find_foreign(struct getting *g, bool *found)
{
    bool differs = false;
    *found = false;
    g->parts.count = 0;
    if (!hub_cached_commit(&g->places, g->revision, g->arena, g->commit))
        return O2W_OK;
    TRY(add_part(g, g->request->path));
    const char *path = snapshot(g, g->request->path);
    if (!length_of(path, &g->parts.items[0].length))
        return O2W_OK;
    TRY(add_externals(g, path));
    for (size_t i = 1; i < g->parts.count; i++)
        if (!length_of(snapshot(g, g->parts.items[i].path), &g->parts.items[i].length))
            return O2W_OK;
    TRY(finish(g, &differs));
    if (differs)
        return O2W_OK;
    *found = g->model.hit = true;
    return write_record(g);
}

static o2w_status get_part(struct getting *g, size_t index)
{
    struct hub_about about = { 0 };
    struct hub_request r = *g->request;
    r.path = g->parts.items[index].path;
    if (index > 0)
        r.revision = g->commit; /* all files of one commit */
    TRY(hub_get_file(g->hub, &r, g->d, &about, &g->model.downloaded));
    if (index == 0)
        memcpy(g->commit, about.commit, sizeof g->commit);
    g->parts.items[index].length = about.length;
    return O2W_OK;
}

static o2w_status get_all(struct getting *g, bool *differs)
{
    g->parts.count = 0;
    TRY(add_part(g, g->request->path));
    TRY(get_part(g, 0));
    TRY(add_externals(g, snapshot(g, g->request->path)));
    for (size_t i = 1; i < g->parts.count; i++)
        TRY(get_part(g, i));
    return finish(g, differs);
}

/* With a digest that is not the declared one: once more from the hub, whatever is in the cache. */
static o2w_status get_online(struct getting *g)
{
    bool differs, refresh = g->hub->refresh;
    TRY(get_all(g, &differs));
    if (differs && !(refresh && g->model.downloaded)) {
        g->hub->refresh = true;
        o2w_status s = get_all(g, &differs);
        g->hub->refresh = refresh;
        TRY(s);
    }
    if (differs)
        return diag_error(g->d, DIAG_HUB_SHA256,
                          "%s has %s, the manifest declares %s, also after a refresh",
                          g->request->path, g->model.sha256, g->request->sha256);
    return write_record(g);
}

static o2w_status get(struct getting *g)
{
    bool found = false;
    if (!g->hub->refresh)
        TRY(find_recorded(g, &found));
    if (!found && g->hub->offline)
        TRY(find_foreign(g, &found));
    return found ? O2W_OK : get_online(g);
}

static const char *record_path(const struct hub *h, const char *text, struct arena *a)
{
    struct sha256 sum;
    uint8_t digest[32];
    char hex[65];
    sha256_begin(&sum);
    sha256_add(&sum, text, strlen(text));
    sha256_end(&sum, digest);
    hex_print(digest, sizeof digest, hex);
    return arena_printf(a, "%s/.onnx2webnn-validation/%s.complete.json", h->root, hex);
}

o2w_status hub_get(struct hub *h, const struct hub_request *request, struct arena *a,
                   struct diags *d, struct hub_model *out)
{
    struct getting g = { .hub = h, .request = request, .arena = a, .d = d };
    g.revision = request->revision ? request->revision : "main";
    g.record_path = record_path(h, request->record, a);
    if (!g.record_path)
        return diag_memory(d);
    TRY(hub_places(h, request->repository, a, d, &g.places));
    o2w_status s = get(&g);
    if (s == O2W_OK)
        *out = g.model;
    VEC_FREE(&g.parts);
    return s;
}
