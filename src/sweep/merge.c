/* A report from the records of earlier runs. */
#include "sweep/summary.h"

#include "base/error.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

struct merging {
    const o2w_manifest *m;
    const char *backend;
    o2w_summary *summary;
    struct diags *d;
    int64_t *times; /* of the record that counts, in nanoseconds; by entry */
};

static bool is_record_name(const char *name)
{
    return name[0] != '.' && span_ends(span_of(name), SPAN(".json"));
}

static size_t entry_of(const o2w_manifest *m, const char *label)
{
    size_t i = 0;
    while (i < m->count && strcmp(m->entries[i].label, label) != 0)
        i++;
    return i;
}

/* Records of other manifests and backends are not of this report. */
static o2w_status take_record(struct merging *g, const char *path)
{
    struct result r;
    struct stat st;
    TRY(result_read(path, &g->summary->arena, g->d, &r));
    size_t entry = entry_of(g->m, r.label);
    if (entry == g->m->count || (g->backend && strcmp(g->backend, r.backend) != 0) ||
        stat(path, &st) != 0)
        return O2W_OK;
    int64_t time = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    struct result *to = &g->summary->results[entry];
    if (to->label && g->times[entry] >= time)
        return O2W_OK;
    g->times[entry] = time;
    *to = r;
    to->index = entry;
    return O2W_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of names, so that equal times are always settled the same way. */
static o2w_status take_folder(struct merging *g, const char *folder)
{
    char words[ERRNO_TEXT];
    VEC(char *) paths = { 0 };
    o2w_status s = O2W_OK;
    DIR *dir = opendir(folder);
    if (!dir)
        return diag_error(g->d, DIAG_FILE_READ, "cannot open '%s': %s", folder,
                          text_of_errno(errno, words));
    for (struct dirent *e; s == O2W_OK && (e = readdir(dir));) {
        if (!is_record_name(e->d_name))
            continue;
        char *path = path_join(&g->summary->arena, span_of(folder), span_of(e->d_name));
        s = path && VEC_PUSH(&paths, path) ? O2W_OK : diag_memory(g->d);
    }
    (void)closedir(dir);
    if (paths.count)
        qsort(paths.items, paths.count, sizeof *paths.items, by_text);
    for (size_t i = 0; s == O2W_OK && i < paths.count; i++)
        s = take_record(g, paths.items[i]);
    VEC_FREE(&paths);
    return s;
}

static o2w_status fill_missing(struct merging *g)
{
    o2w_summary *s = g->summary;
    for (size_t i = 0; i < g->m->count; i++) {
        struct result *r = &s->results[i];
        if (r->label)
            continue;
        *r = (struct result){ .outcome = OUTCOME_FAILED,
                              .index = i,
                              .label = arena_text(&s->arena, span_of(g->m->entries[i].label)),
                              .backend = g->backend,
                              .tool = o2w_version(),
                              .code = "case.not-run",
                              .message = "not run" };
        if (!r->label)
            return diag_memory(g->d);
    }
    s->count = g->m->count;
    return O2W_OK;
}

/* The one backend of all records. */
static void name_backend(o2w_summary *s)
{
    const char *name = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const char *own = s->results[i].backend;
        if (own && name && strcmp(own, name) != 0)
            return;
        name = own ? own : name;
    }
    s->backend = name ? name : s->backend;
}

static o2w_status merge(struct merging *g, const char *const *folders, size_t count)
{
    g->times = ARENA_ARRAY(&g->summary->arena, g->m->count, int64_t);
    if (!g->times)
        return diag_memory(g->d);
    for (size_t i = 0; i < count; i++)
        TRY(take_folder(g, folders[i]));
    TRY(fill_missing(g));
    name_backend(g->summary);
    return O2W_OK;
}

o2w_status o2w_manifest_merge(const o2w_manifest *m, const char *const *folders, size_t count,
                              const char *backend, o2w_summary **out, o2w_error **error)
{
    struct diags d;
    struct merging g = { .m = m, .backend = backend, .d = &d };
    diags_init(&d, m->allocator);
    d.stage = "read";
    o2w_status s = summary_create(m, backend, &d, &g.summary);
    if (s == O2W_OK) {
        g.summary->shard = g.summary->shards = 1;
        s = merge(&g, folders, count);
        if (s == O2W_OK)
            *out = g.summary;
        else
            o2w_summary_free(g.summary);
    }
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}
