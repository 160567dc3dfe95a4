#include "base/system.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

struct library {
    void *handle;
    char *path;
    struct library *next;
};

/* Opened libraries stay for the life of the process, each once. */
static struct library *libraries;
static pthread_mutex_t libraries_lock = PTHREAD_MUTEX_INITIALIZER;

/* One search: what is looked for, and what became of each place. */
struct search {
    const char *soname;
    void *handle;
    const char *path; /* of the handle; in the arena */
    struct arena arena;
    struct place *first, **last;
    bool no_memory;
};

struct place {
    const char *text;
    struct place *next;
};

static void note(struct search *s, const char *text)
{
    struct place *place = ARENA_NEW(&s->arena, struct place);
    if (!place || !text) {
        s->no_memory = true;
        return;
    }
    place->text = text;
    *s->last = place;
    s->last = &place->next;
}

static const char *loader_reason(void)
{
    const char *reason = dlerror();
    return reason ? reason : "cannot be loaded";
}

static void try_path(struct search *s, const char *path, const char *origin)
{
    if (!path || !origin) {
        s->no_memory = true;
        return;
    }
    bool is_path = strchr(path, '/') != NULL;
    const char *reason = NULL;
    if (is_path && access(path, F_OK) != 0)
        reason = "no such file";
    else if (!(s->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
        reason = loader_reason();
    s->path = path;
    if (!s->handle)
        note(s, arena_printf(&s->arena, "%s%s: %s", path, origin, reason));
}

static void try_folder(struct search *s, const char *folder, const char *below, const char *origin)
{
    if (!s->handle)
        try_path(s, arena_printf(&s->arena, "%s%s/%s", folder, below, s->soname), origin);
}

static void try_engine_folder(struct search *s)
{
    const char *folder = system_variable("O2W_ENGINE_DIR");
    if (folder)
        try_folder(s, folder, "", " (O2W_ENGINE_DIR)");
    else
        note(s, "O2W_ENGINE_DIR: not set");
}

static bool executable_path(char path[PATH_MAX])
{
#if defined(__APPLE__)
    char raw[PATH_MAX];
    uint32_t size = sizeof raw;
    return _NSGetExecutablePath(raw, &size) == 0 && realpath(raw, path);
#else
    return realpath("/proc/self/exe", path) != NULL;
#endif
}

/* Cuts the last component; the root stays "". */
static bool to_parent(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

char *program_path(struct arena *a)
{
    char path[PATH_MAX];
    return executable_path(path) ? arena_text(a, span_of(path)) : NULL;
}

char *program_prefix_path(struct arena *a, const char *relative)
{
    char path[PATH_MAX];
    return executable_path(path) && to_parent(path) && to_parent(path)
               ? arena_printf(a, "%s/%s", path, relative)
               : NULL;
}

static void try_beside_executable(struct search *s)
{
    char folder[PATH_MAX], prefix[PATH_MAX];
    if (!executable_path(folder) || !to_parent(folder))
        return;
    memcpy(prefix, folder, sizeof prefix);
    if (to_parent(prefix))
        try_folder(s, prefix, "/lib/onnx2webnn", "");
    for (int i = 0; i <= 3 && !s->handle; i++) {
        try_folder(s, folder, "/.deps/lib", "");
        if (!to_parent(folder))
            break;
    }
}

static void try_system(struct search *s)
{
    if (s->handle)
        return;
    s->path = s->soname;
    s->handle = dlopen(s->soname, RTLD_NOW | RTLD_LOCAL);
    if (!s->handle)
        note(s, arena_printf(&s->arena, "system loader: %s", loader_reason()));
}

static void search_all(struct search *s, const char *variable)
{
    const char *path = variable ? system_variable(variable) : NULL;
    if (path) {
        try_path(s, path, arena_printf(&s->arena, " (%s)", variable));
        return;
    }
    if (variable)
        note(s, arena_printf(&s->arena, "%s: not set", variable));
    try_engine_folder(s);
    try_beside_executable(s);
    try_system(s);
}

static o2w_status not_found(const struct search *s, struct diags *d)
{
    if (s->no_memory)
        return diag_memory(d);
    o2w_status status = diag_error(d, DIAG_BACKEND_UNAVAILABLE, "'%s' cannot be loaded", s->soname);
    for (const struct place *place = s->first; place; place = place->next)
        diag_line(d, "searched", "%s", place->text);
    return status;
}

static struct library *library_of(void *handle)
{
    struct library *l = libraries;
    while (l && l->handle != handle)
        l = l->next;
    return l;
}

static struct library *library_add(const struct search *s)
{
    struct library *l = calloc(1, sizeof *l);
    char *path = strdup(s->path);
    if (!l || !path) {
        free(l);
        free(path);
        return NULL;
    }
    *l = (struct library){ .handle = s->handle, .path = path, .next = libraries };
    libraries = l;
    return l;
}

static o2w_status found(const struct search *s, struct diags *d, struct library **out)
{
    pthread_mutex_lock(&libraries_lock);
    struct library *l = library_of(s->handle);
    if (!l)
        l = library_add(s);
    pthread_mutex_unlock(&libraries_lock);
    if (!l)
        return diag_memory(d);
    *out = l;
    return O2W_OK;
}

o2w_status library_open(const char *soname, const char *variable, struct diags *d,
                        struct library **out)
{
    struct search s = { .soname = soname, .last = &s.first };
    arena_init(&s.arena, d ? d->arena.allocator : NULL);
    search_all(&s, variable);
    o2w_status status = s.handle ? found(&s, d, out) : not_found(&s, d);
    arena_free(&s.arena);
    return status;
}

void *library_symbol(struct library *l, const char *name)
{
    return dlsym(l->handle, name);
}

const char *library_path(const struct library *l)
{
    return l->path;
}
