/* Where the weights of a graph file are. */
#include "format/weights.h"

#include "base/text.h"

#include <string.h>

static bool same_word(struct span s, const char *lower)
{
    size_t n = strlen(lower);
    for (size_t i = 0; i < s.size && i < n; i++)
        if ((s.data[i] | 0x20) != lower[i])
            return false;
    return s.size == n;
}

static bool is_archive_path(const char *path)
{
    struct span extension = path_extension(span_of(path));
    return same_word(extension, "safetensors") || same_word(extension, "safetensor");
}

struct search {
    struct loader *loader;
    struct span folder, stem;
    const char *list; /* what was looked for */
    const char *found;
    const char *why;
    uint32_t constants; /* that need the file */
    const struct doc_const *first;
};

static o2w_status out_of_memory(const struct search *s)
{
    return diag_memory(s->loader->diags);
}

static o2w_status looked_for(struct search *s, const char *name)
{
    s->list = s->list ? arena_printf(s->loader->arena, "%s, %s", s->list, name) : name;
    return s->list ? O2W_OK : out_of_memory(s);
}

static const char *folder_text(const struct search *s)
{
    const char *text = s->folder.size > 0 ? arena_text(s->loader->arena, s->folder) : ".";
    return text ? text : ".";
}

static o2w_status none(const struct search *s)
{
    struct diags *d = s->loader->diags;
    o2w_status status =
        diag_error(d, DIAG_WEIGHTS_NONE, "no weights for %u constants beside %.*s: looked for %s",
                   s->constants, SPAN_ARG(s->loader->doc->file), s->list ? s->list : "nothing");
    diag_subject(d, "constant", s->first->name);
    diag_at(d, "constant '%.*s', which needs a weights file", SPAN_ARG(s->first->name));
    diag_hint(d, "--weights PATH");
    return loader_at(s->loader, s->first->place, status);
}

/* Tries one path; a hit ends the search. */
static o2w_status try_path(struct search *s, struct span name)
{
    char *path = path_join(s->loader->arena, s->folder, name);
    char *shown = arena_text(s->loader->arena, name);
    if (!path || !shown)
        return out_of_memory(s);
    TRY(looked_for(s, shown));
    if (path_is_file(path))
        s->found = path;
    return O2W_OK;
}

static const struct doc_directive *weights_directive(const struct document *doc)
{
    for (size_t i = 0; i < doc->directives.count; i++)
        if (doc->directives.items[i].kind == DIRECTIVE_WEIGHTS)
            return &doc->directives.items[i];
    return NULL;
}

/* A path that the graph file itself gives may not lead out of its folder. */
static o2w_status try_directive(struct search *s, const struct doc_directive *directive)
{
    struct file *f;
    TRY(try_path(s, directive->text));
    if (!s->found)
        return O2W_OK;
    TRY(loader_at(s->loader, directive->place,
                  file_open_inside(folder_text(s), directive->text,
                                   s->loader->builder.graph->allocator, s->loader->diags, &f)));
    s->found = arena_text(s->loader->arena, span_of(f->path));
    file_release(f);
    return s->found ? O2W_OK : out_of_memory(s);
}

static o2w_status try_names(struct search *s)
{
    static const char *const endings[] = { ".safetensors", ".weights" };
    for (size_t i = 0; i < 4 && !s->found; i++) {
        struct span stem = i < 2 ? s->stem : SPAN("model");
        const char *name = arena_printf(s->loader->arena, "%.*s%s", SPAN_ARG(stem), endings[i % 2]);
        if (!name)
            return out_of_memory(s);
        TRY(try_path(s, span_of(name)));
        if (s->found && i >= 2) {
            s->why = arena_printf(
                s->loader->arena,
                "%s was taken because there is no %.*s.safetensors and no %.*s.weights", s->found,
                SPAN_ARG(s->stem), SPAN_ARG(s->stem));
            if (!s->why)
                return out_of_memory(s);
        }
    }
    return O2W_OK;
}

static o2w_status find(struct search *s)
{
    struct loader *l = s->loader;
    const struct doc_directive *directive = weights_directive(l->doc);
    if (l->options->weights)
        TRY(try_path(s, span_of(l->options->weights)));
    else if (l->path && directive)
        TRY(try_directive(s, directive));
    else if (l->path)
        TRY(try_names(s));
    return s->found ? O2W_OK : none(s);
}

static o2w_status find_manifest(struct search *s, const char **out)
{
    struct loader *l = s->loader;
    const char *blob = s->found,
               *name = arena_printf(l->arena, "%.*s.manifest.json", SPAN_ARG(s->stem));
    if (!name)
        return out_of_memory(s);
    s->found = s->list = NULL;
    if (l->options->manifest)
        TRY(try_path(s, span_of(l->options->manifest)));
    else if (l->path) {
        TRY(try_path(s, span_of(name)));
        if (!s->found)
            TRY(try_path(s, SPAN("manifest.json")));
    }
    *out = s->found;
    s->found = blob;
    if (*out)
        return O2W_OK;
    s->list = arena_printf(l->arena, "the manifest of %s: %s", blob,
                           s->list ? s->list : "none was given");
    return s->list ? none(s) : out_of_memory(s);
}

static o2w_status open_archive(struct loader *l, struct weight_store *store)
{
    TRY(archive_open_file(store->file, l->builder.graph->allocator, l->diags, &store->archive));
    store->entries = store->archive->entries;
    store->count = store->archive->count;
    store->keys = &store->archive->keys;
    return archive_check_packed4(store->archive, l->diags);
}

static o2w_status open_found(struct search *s, struct weight_store *store)
{
    struct loader *l = s->loader;
    const char *manifest = NULL;
    TRY(file_open_shared(s->found, l->diags, &store->file));
    store->why = s->why;
    if (is_archive_path(s->found))
        return open_archive(l, store);
    TRY(find_manifest(s, &manifest));
    store->keys = &store->manifest_keys;
    return manifest_read(l, manifest, store);
}

static void count_needed(struct search *s)
{
    const struct document *doc = s->loader->doc;
    for (size_t i = 0; i < doc->consts.count; i++)
        if (doc->consts.items[i].init == DOC_INIT_WEIGHTS) {
            s->first = s->first ? s->first : &doc->consts.items[i];
            s->constants++;
        }
}

o2w_status weights_open(struct loader *l)
{
    struct search s = { .loader = l };
    count_needed(&s);
    if (s.constants == 0)
        return O2W_OK;
    struct weight_store *store = ARENA_NEW(l->arena, struct weight_store);
    if (!store)
        return out_of_memory(&s);
    map_init(&store->manifest_keys, l->builder.graph->allocator);
    map_init(&store->normal, l->builder.graph->allocator);
    map_init(&store->peer, l->builder.graph->allocator);
    l->weights = store;
    if (l->given) {
        store->file = file_retain(l->given);
        return open_archive(l, store);
    }
    if (l->path) {
        s.folder = path_folder(span_of(l->path));
        s.stem = path_stem(span_of(l->path));
    }
    TRY(find(&s));
    return open_found(&s, store);
}

void weights_close(struct loader *l)
{
    struct weight_store *store = l->weights;
    if (!store)
        return;
    map_free(&store->manifest_keys);
    map_free(&store->normal);
    map_free(&store->peer);
    archive_free(store->archive);
    file_release(store->file);
    l->weights = NULL;
}
