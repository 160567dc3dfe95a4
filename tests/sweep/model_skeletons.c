/* The skeleton sweep: the structure of every model of a manifest, converted with zeros for its large weights and built
 * on one backend. It proves that graphs can be made, nothing about numbers; nothing is dispatched. docs/sweeps.md says
 * what the variables mean. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/system.h"
#include "hub/hub.h"
#include "hub/skeleton.h"
#include "sweep/manifest.h"

enum mode { MODE_SKIP, MODE_HUB, MODE_DIR, MODE_STRIP };
enum state { STATE_NONE, STATE_READY, STATE_OK, STATE_FAILED, STATE_SKIPPED };

enum { FETCH_JOBS = 8, TEST_JOBS = 4, TEXT = 600, NOTE_LIMIT = 4096 };

struct task {
    const struct manifest_entry *entry;
    struct task
        *same; /* an earlier entry of the same file, which is fetched for both; NULL: none */
    enum state state;
    char path[PATH_MAX], text[TEXT];
    uint64_t read, size; /* bytes of the model that were read; all of them */
};

struct sweep {
    enum mode mode;
    const char *folder, *cache, *backend;
    unsigned fetch_jobs, test_jobs;
    bool skip_heavy;
    o2w_manifest *manifest;
    struct task *tasks;
    webnn_context *context;
};

static void fail(struct task *t, const struct diags *d, const char *otherwise)
{
    const struct diag *item = d ? d->first : NULL;
    while (item && item->severity != O2W_SEVERITY_ERROR)
        item = item->next;
    t->state = STATE_FAILED;
    if (item)
        snprintf(t->text, sizeof t->text, "%s: %s", diag_code_text(item->code), item->message);
    else
        snprintf(t->text, sizeof t->text, "%s", otherwise);
}

static void fail_with(struct task *t, const o2w_error *error)
{
    const o2w_diagnostic *item = o2w_error_item(error, 0);
    for (size_t i = 0; i < o2w_error_count(error); i++)
        if (o2w_error_item(error, i)->severity == O2W_SEVERITY_ERROR) {
            item = o2w_error_item(error, i);
            break;
        }
    t->state = STATE_FAILED;
    snprintf(t->text, sizeof t->text, "%s: %s", item ? item->code : "internal",
             item ? item->message : "failed without a word");
    if (item && item->line_count)
        snprintf(t->text + strlen(t->text), sizeof t->text - strlen(t->text), "; %s",
                 item->lines[0].text);
}

/* --- where bytes come from ---------------------------------------------------------------------------- */

/* A model at the hub, with the external files that small tensors lie in. */
struct remote {
    struct hub *hub;
    struct hub_request request;
    struct hub_file *file, *external;
    char location[1100];
};

static o2w_status read_remote(void *user, uint64_t offset, void *to, size_t size, struct diags *d)
{
    return hub_file_read(((struct remote *)user)->file, offset, to, size, d);
}

static o2w_status read_remote_external(void *user, struct span location, uint64_t offset, void *to,
                                       size_t size, struct diags *d)
{
    struct remote *r = user;
    struct arena a;
    const char *unsafe = path_unsafe(location);
    if (unsafe)
        return diag_error(d, DIAG_PATH_UNSAFE, "external location '%.*s' has %s",
                          SPAN_ARG(location), unsafe);
    if (!r->external || !span_is(location, r->location)) {
        struct hub_request request = r->request;
        hub_file_close(r->external);
        r->external = NULL;
        arena_init(&a, NULL);
        struct span folder = path_folder(span_of(request.path));
        request.path = folder.size ? path_join(&a, folder, location) : arena_text(&a, location);
        o2w_status s =
            request.path ? hub_file_open(r->hub, &request, d, &r->external) : diag_memory(d);
        arena_free(&a);
        TRY(s);
        snprintf(r->location, sizeof r->location, "%.*s", SPAN_ARG(location));
    }
    return hub_file_read(r->external, offset, to, size, d);
}

struct local {
    struct file *file;
    const char *folder;
};

static o2w_status read_local(void *user, uint64_t offset, void *to, size_t size, struct diags *d)
{
    return file_read(((struct local *)user)->file, offset, to, size, d);
}

static o2w_status read_local_external(void *user, struct span location, uint64_t offset, void *to,
                                      size_t size, struct diags *d)
{
    struct file *f;
    TRY(file_open_inside(((struct local *)user)->folder, location, NULL, d, &f));
    o2w_status s = file_read(f, offset, to, size, d);
    file_release(f);
    return s;
}

/* --- the cache of skeletons --------------------------------------------------------------------------- */

static o2w_status write_bytes(const char *path, struct span bytes, struct diags *d)
{
    struct file_writer *w;
    TRY(file_create(path, NULL, d, &w));
    o2w_status s = file_write(w, bytes.data, bytes.size, d);
    if (s == O2W_OK)
        return file_commit(w, true, d);
    file_discard(w);
    return s;
}

static o2w_status store(struct task *t, struct skeleton_source *source, const char *note_path,
                        const char *etag, struct diags *d)
{
    struct wire_writer out;
    struct span bytes;
    char note[NOTE_LIMIT];
    wire_writer_init(&out, NULL);
    o2w_status s = skeleton_make(source, t->entry->file, NULL, d, &out);
    t->read = source->bytes_read;
    if (s == O2W_OK)
        s = wire_written(&out, &bytes);
    if (s == O2W_OK)
        s = write_bytes(t->path, bytes, d);
    int size = snprintf(note, sizeof note, "{\"etag\":\"%s\",\"length\":%llu}\n", etag,
                        (unsigned long long)source->size);
    if (s == O2W_OK)
        s = write_bytes(note_path, (struct span){ (const uint8_t *)note, (size_t)size }, d);
    wire_writer_free(&out);
    return s;
}

/* Whether the skeleton is of that etag and length. */
static bool is_current(const char *skeleton, const char *note_path, const char *etag,
                       uint64_t length)
{
    struct arena a;
    struct span text;
    char want[NOTE_LIMIT];
    snprintf(want, sizeof want, "{\"etag\":\"%s\",\"length\":%llu}\n", etag,
             (unsigned long long)length);
    arena_init(&a, NULL);
    bool same = path_is_file(skeleton) && path_is_file(note_path) &&
                file_read_all(note_path, NOTE_LIMIT, &a, NULL, &text) == O2W_OK &&
                span_is(text, want);
    arena_free(&a);
    return same;
}

static bool name_files(const struct sweep *s, struct task *t, char note[PATH_MAX])
{
    struct arena a;
    char key[MANIFEST_KEY];
    arena_init(&a, NULL);
    bool fine = manifest_source_key(t->entry, &a, key);
    arena_free(&a);
    return fine && snprintf(t->path, sizeof t->path, "%s/%s.onnx", s->cache, key) < PATH_MAX &&
           snprintf(note, PATH_MAX, "%s/%s.json", s->cache, key) < PATH_MAX;
}

static o2w_status fetch_remote(struct task *t, const char *note, struct diags *d)
{
    struct remote r = { .request = { .repository = t->entry->repository,
                                     .path = t->entry->path,
                                     .revision = t->entry->revision } };
    TRY(hub_open(&(struct hub_options){ 0 }, d, &r.hub));
    o2w_status s = hub_file_open(r.hub, &r.request, d, &r.file);
    if (s == O2W_OK) {
        struct skeleton_source source = { .size = hub_file_size(r.file),
                                          .read = read_remote,
                                          .read_external = read_remote_external,
                                          .user = &r };
        t->size = source.size;
        if (!is_current(t->path, note, hub_file_etag(r.file), source.size)) {
            s = store(t, &source, note, hub_file_etag(r.file), d);
            if (s == O2W_OK)
                s = hub_file_unchanged(r.file, d);
            if (s != O2W_OK)
                (void)unlink(note); /* what was stored is of nobody knows which file */
        }
    }
    hub_file_close(r.external);
    hub_file_close(r.file);
    hub_close(r.hub);
    return s;
}

static o2w_status strip_local(const struct sweep *s, struct task *t, const char *note,
                              struct diags *d)
{
    struct arena a;
    struct local l = { 0 };
    char etag[96];
    arena_init(&a, NULL);
    char *path = path_join(&a, span_of(s->folder), span_of(t->entry->file));
    l.folder = path ? arena_text(&a, path_folder(span_of(path))) : NULL;
    o2w_status status = l.folder ? file_open(path, NULL, d, &l.file) : diag_memory(d);
    if (status == O2W_OK) {
        struct skeleton_source source = { .size = l.file->size,
                                          .read = read_local,
                                          .read_external = read_local_external,
                                          .user = &l };
        t->size = source.size;
        snprintf(etag, sizeof etag, "local-%llu", (unsigned long long)l.file->mtime_ns);
        if (!is_current(t->path, note, etag, source.size))
            status = store(t, &source, note, etag, d);
        file_release(l.file);
    }
    arena_free(&a);
    return status;
}

static void fetch(void *user, size_t index)
{
    struct sweep *s = user;
    struct task *t = &s->tasks[index];
    struct diags d;
    char note[PATH_MAX];
    if (t->state != STATE_NONE || t->same)
        return;
    diags_init(&d, NULL);
    o2w_status status = O2W_OK;
    if (s->mode == MODE_DIR)
        snprintf(t->path, sizeof t->path, "%s/%s", s->folder, t->entry->file);
    else if (!name_files(s, t, note))
        status = O2W_NO_MEMORY;
    else
        status = s->mode == MODE_HUB ? fetch_remote(t, note, &d) : strip_local(s, t, note, &d);
    if (status == O2W_OK)
        t->state = STATE_READY;
    else
        fail(t, &d, o2w_status_text(status));
    diags_free(&d);
}

/* --- the test ----------------------------------------------------------------------------------------- */

static void convert_and_build(struct sweep *s, struct task *t)
{
    const o2w_convert_options options = { .size = sizeof options,
                                          .dims = t->entry->dims,
                                          .dim_count = t->entry->dim_count,
                                          .pins = t->entry->pins,
                                          .pin_count = t->entry->pin_count,
                                          .allow_missing_external_data = true };
    o2w_conversion *conversion = NULL;
    o2w_error *error = NULL;
    o2w_status status = o2w_convert_file(t->path, &options, &conversion, &error);
    webnn_graph *g = status == O2W_OK ? o2w_conversion_take_graph(conversion) : NULL;
    if (status == O2W_OK)
        status = webnn_graph_compile(s->context, g, &error);
    if (status == O2W_OK)
        t->state = STATE_OK;
    else
        fail_with(t, error);
    webnn_graph_free(g);
    o2w_conversion_free(conversion);
    o2w_error_free(error);
}

static void test(void *user, size_t index)
{
    struct sweep *s = user;
    struct task *t = &s->tasks[index];
    if (t->same && t->state == STATE_NONE) {
        t->state = t->same->state == STATE_FAILED && !t->same->path[0] ? STATE_FAILED : STATE_READY;
        memcpy(t->path, t->same->path, sizeof t->path);
        if (!path_is_file(t->path)) {
            t->state = STATE_FAILED;
            memcpy(t->text, t->same->text, sizeof t->text);
        }
    }
    if (t->state == STATE_READY)
        convert_and_build(s, t);
}

/* --- all ---------------------------------------------------------------------------------------------- */

static void skip(struct task *t, const char *reason)
{
    t->state = STATE_SKIPPED;
    snprintf(t->text, sizeof t->text, "%s", reason);
}

static bool make_tasks(struct sweep *s)
{
    bool coreml = strcmp(s->backend, "coreml") == 0;
    s->tasks = calloc(s->manifest->count, sizeof *s->tasks);
    for (size_t i = 0; s->tasks && i < s->manifest->count; i++) {
        struct task *t = &s->tasks[i];
        const struct manifest_entry *e = t->entry = &s->manifest->entries[i];
        if (e->heavy && s->skip_heavy)
            skip(t, "heavy");
        else if (coreml && (e->coreml_unsupported || e->coreml_slow))
            skip(t, e->coreml_unsupported ? e->coreml_unsupported : e->coreml_slow);
        for (size_t k = 0; k < i && !t->same; k++)
            if (strcmp(s->tasks[k].entry->file, e->file) == 0 && !s->tasks[k].same &&
                s->tasks[k].state != STATE_SKIPPED)
                t->same = &s->tasks[k];
    }
    return s->tasks != NULL;
}

static void run_jobs(struct sweep *s, unsigned jobs, void (*part)(void *, size_t))
{
    struct pool *pool = NULL;
    (void)pool_create(jobs, NULL, &pool); /* without it: one after the other */
    pool_run(pool, s->manifest->count, part, s);
    pool_free(pool);
}

static int report(const struct sweep *s)
{
    static const char *const words[] = { "FAIL", "FAIL", "ok", "FAIL", "skip" };
    size_t counts[5] = { 0 };
    for (size_t i = 0; i < s->manifest->count; i++) {
        const struct task *t = &s->tasks[i];
        counts[t->state]++;
        printf("%s %s%s%s\n", words[t->state], t->entry->label, t->text[0] ? ": " : "", t->text);
        if (t->read)
            printf("  read %llu of %llu bytes\n", (unsigned long long)t->read,
                   (unsigned long long)t->size);
    }
    size_t failed = counts[STATE_NONE] + counts[STATE_READY] + counts[STATE_FAILED];
    printf("%zu passed, %zu failed, %zu skipped\n", counts[STATE_OK], failed,
           counts[STATE_SKIPPED]);
    return failed ? 1 : 0;
}

/* --- variables ---------------------------------------------------------------------------------------- */

static bool read_jobs(const char *name, unsigned otherwise, unsigned *out)
{
    const char *text = system_variable(name);
    uint64_t number = otherwise;
    if (text && (number_parse_u64(span_of(text), &number) != O2W_OK || !number || number > 1024)) {
        fprintf(stderr, "%s is '%s', must be an integer from 1 to 1024\n", name, text);
        return false;
    }
    *out = (unsigned)number;
    return true;
}

static bool read_mode(struct sweep *s)
{
    const char *text = system_variable("O2W_MODELS");
    if (!text) {
        s->mode = system_variable("CI") ? MODE_HUB : MODE_SKIP;
        return true;
    }
    if (strcmp(text, "hub") == 0)
        s->mode = MODE_HUB;
    else if (strncmp(text, "dir=", 4) == 0 && text[4])
        s->mode = MODE_DIR;
    else if (strncmp(text, "strip=", 6) == 0 && text[6])
        s->mode = MODE_STRIP;
    else {
        fprintf(stderr, "O2W_MODELS is '%s', must be hub, dir=PATH or strip=PATH\n", text);
        return false;
    }
    s->folder = s->mode == MODE_DIR ? text + 4 : s->mode == MODE_STRIP ? text + 6 : NULL;
    return true;
}

static bool read_variables(struct sweep *s)
{
    const char *cache = system_variable("O2W_SKELETON_CACHE"),
               *backend = system_variable("O2W_SKELETON_BACKEND");
    s->cache = cache ? cache : O2W_BIN "/../model-skeletons";
    s->backend = backend ? backend : "onnx";
    s->skip_heavy = system_variable("O2W_MODEL_TEST_SKIP_HEAVY") != NULL;
    return read_mode(s) && read_jobs("O2W_MODEL_FETCH_JOBS", FETCH_JOBS, &s->fetch_jobs) &&
           read_jobs("O2W_MODEL_TEST_JOBS", TEST_JOBS, &s->test_jobs);
}

static int print_error(o2w_error *error)
{
    fputs(o2w_error_text(error), stderr);
    o2w_error_free(error);
    return 1;
}

static int run(struct sweep *s)
{
    o2w_error *error = NULL;
    /* Packed copies of weights would be the only memory that zeros take. */
    const webnn_option prepack = { "prepack", "off" };
    const webnn_context_options context = { .size = sizeof context,
                                            .backend = s->backend,
                                            .options = &prepack,
                                            .option_count = strcmp(s->backend, "onnx") == 0 };
    struct diags d;
    if (o2w_manifest_read(NULL, NULL, &s->manifest, &error) != O2W_OK ||
        webnn_context_create(&context, &s->context, &error) != O2W_OK)
        return print_error(error);
    diags_init(&d, NULL);
    bool fine = folder_create(s->cache, 0777, &d) == O2W_OK && make_tasks(s);
    if (!fine)
        fputs(d.first ? d.first->message : "out of memory", stderr);
    diags_free(&d);
    if (!fine)
        return 1;
    run_jobs(s, s->fetch_jobs, fetch);
    run_jobs(s, s->test_jobs, test);
    return report(s);
}

int main(void)
{
    struct sweep s = { 0 };
    if (!read_variables(&s))
        return 2;
    if (s.mode == MODE_SKIP) {
        puts(
            "skip all: O2W_MODELS is not set (hub, dir=PATH or strip=PATH)\n0 passed, 0 failed, 1 skipped");
        return 0;
    }
    int status = run(&s);
    webnn_context_free(s.context);
    o2w_manifest_free(s.manifest);
    free(s.tasks);
    return status;
}
