/* Writing graph files: the archive first, then the text, both at once or none. */
#include "base/system.h"
#include "format/digest.h"
#include "format/plan.h"

#include <string.h>

static const struct format_write_options no_options;

static o2w_status print(const struct plan *p, enum format_kind kind, struct span *text)
{
    return kind == FORMAT_JSON ? print_json(p, text) : print_text(p, text);
}

o2w_status format_print(const struct graph *g, const struct format_write_options *options,
                        struct span stem, struct arena *arena, struct diags *d, struct span *text)
{
    struct plan p;
    options = options ? options : &no_options;
    TRY(plan_make(&p, g, options, stem, NULL, arena, d));
    o2w_status status = print(&p, options->kind, text);
    plan_free(&p);
    return status;
}

struct writing {
    const struct graph *graph;
    const struct format_write_options *options;
    const char *path, *archive_path;
    enum format_kind kind;
    struct arena *arena;
    struct diags *diags;
    struct archive *existing;
    struct plan plan;
    struct span text;
    struct file_writer *archive_file, *text_file;
};

static o2w_status find_paths(struct writing *w)
{
    struct span path = span_of(w->path), stem = path_stem(path);
    const char *name = w->options->archive
                           ? w->options->archive
                           : arena_printf(w->arena, "%.*s.safetensors", SPAN_ARG(stem));
    w->archive_path = name ? path_join(w->arena, path_folder(path), span_of(name)) : NULL;
    w->kind = w->options->kind != FORMAT_AUTO         ? w->options->kind
              : span_is(path_extension(path), "json") ? FORMAT_JSON
                                                      : FORMAT_TEXT;
    return w->archive_path ? O2W_OK : diag_memory(w->diags);
}

static o2w_status open_existing(struct writing *w)
{
    if (!w->options->add || !path_is_file(w->archive_path))
        return O2W_OK;
    TRY(archive_open(w->archive_path, w->graph->allocator, w->diags, &w->existing));
    return archive_check_packed4(w->existing, w->diags);
}

/* What the archive had, and the marker of 4-bit tensors. */
static o2w_status collect_metadata(const struct writing *w, struct archive_text **out,
                                   size_t *count)
{
    size_t had = w->existing ? w->existing->metadata_count : 0;
    struct archive_text *texts = ARENA_ARRAY(w->arena, had + 1, struct archive_text);
    if (!texts)
        return diag_memory(w->diags);
    for (size_t i = 0; i < had; i++)
        texts[i] = w->existing->metadata[i];
    *out = texts;
    *count = had;
    if (w->plan.packed && !(had && archive_metadata(w->existing, SPAN(ARCHIVE_PACKED4)).data))
        texts[(*count)++] =
            (struct archive_text){ SPAN(ARCHIVE_PACKED4), SPAN(ARCHIVE_PACKED4_VERSION) };
    return O2W_OK;
}

static o2w_status prepare_archive(struct writing *w)
{
    struct archive_text *metadata = NULL;
    size_t count = 0;
    TRY(collect_metadata(w, &metadata, &count));
    return archive_prepare(w->archive_path, w->plan.items.items, w->plan.items.count, metadata,
                           count, w->graph->allocator, w->diags, &w->archive_file);
}

static o2w_status prepare(struct writing *w)
{
    TRY(open_existing(w));
    TRY(plan_make(&w->plan, w->graph, w->options, path_stem(span_of(w->path)), w->existing,
                  w->arena, w->diags));
    TRY(print(&w->plan, w->kind, &w->text));
    TRY(prepare_archive(w));
    TRY(file_create(w->path, w->graph->allocator, w->diags, &w->text_file));
    return file_write(w->text_file, w->text.data, w->text.size, w->diags);
}

static o2w_status describe(struct writing *w, struct format_written *out)
{
    const struct graph *g = w->graph;
    struct reference *references = ARENA_ARRAY(w->arena, g->constants.count, struct reference);
    size_t count = 0;
    struct sha256 sum;
    if (!references)
        return diag_memory(w->diags);
    for (size_t i = 0; i < g->constants.count; i++)
        if (w->plan.constants[i].place == CONSTANT_ARCHIVE)
            references[count++] =
                (struct reference){ w->plan.constants[i].text, g->constants.items[i] };
    *out = (struct format_written){ .graph_bytes = w->text.size,
                                    .archive_bytes = file_written(w->archive_file),
                                    .archive_path = w->archive_path };
    TRY(digest_references(g, references, count, w->diags, out->entries_sha256));
    for (size_t i = 0; i < count; i++)
        out->entries += i == 0 || !span_equal(references[i].key, references[i - 1].key);
    sha256_begin(&sum);
    sha256_add(&sum, w->text.data, w->text.size);
    sha256_end(&sum, out->graph_sha256);
    return O2W_OK;
}

/* A full disk shows before anything appears; the text never points to an archive that isn't there yet. */
static o2w_status commit(struct writing *w)
{
    struct file_writer *archive = w->archive_file, *text = w->text_file;
    TRY(file_flush(archive, w->options->sync, w->diags));
    TRY(file_flush(text, w->options->sync, w->diags));
    w->archive_file = NULL;
    TRY(file_commit(archive, w->options->sync, w->diags));
    w->text_file = NULL;
    return file_commit(text, w->options->sync, w->diags);
}

o2w_status format_write(const struct graph *g, const char *path,
                        const struct format_write_options *options, struct arena *arena,
                        struct diags *d, struct format_written *out)
{
    struct writing w = { .graph = g,
                         .options = options ? options : &no_options,
                         .path = path,
                         .arena = arena,
                         .diags = d };
    struct format_written written;
    o2w_status status = find_paths(&w);
    if (status == O2W_OK)
        status = prepare(&w);
    if (status == O2W_OK)
        status = describe(&w, &written);
    if (status == O2W_OK)
        status = commit(&w);
    file_discard(w.archive_file);
    file_discard(w.text_file);
    plan_free(&w.plan);
    archive_free(w.existing);
    if (status == O2W_OK && out)
        *out = written;
    return status;
}
