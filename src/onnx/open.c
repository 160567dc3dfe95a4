#include "onnx/open.h"

#include "onnx/read.h"
#include "onnx/store.h"

#include <sys/mman.h>

enum { DEPTH_DEFAULT = 64, READ_AHEAD_LIMIT = 64 << 20 };

static struct onnx_model *model_create(const struct onnx_open_options *options,
                                       const o2w_allocator *allocator)
{
    struct onnx_model *m = mem_alloc(allocator, sizeof *m);
    struct onnx_store *store = mem_alloc(allocator, sizeof *store);
    if (!m || !store) {
        mem_free(allocator, m, sizeof *m);
        mem_free(allocator, store, sizeof *store);
        return NULL;
    }
    *m = (struct onnx_model){ .store = store };
    *store = (struct onnx_store){ .allocator = allocator };
    arena_init(&store->arena, allocator);
    if (options)
        store->options = *options;
    if (store->options.max_depth == 0)
        store->options.max_depth = DEPTH_DEFAULT;
    store->externals.allocator = allocator;
    store->missing.allocator = allocator;
    store->files.allocator = allocator;
    return m;
}

void onnx_model_close(struct onnx_model *m)
{
    if (!m)
        return;
    struct onnx_store *store = m->store;
    const o2w_allocator *allocator = store->allocator;
    for (size_t i = 0; i < store->files.count; i++)
        file_release(store->files.items[i]);
    file_release(m->file);
    VEC_FREE(&store->externals);
    VEC_FREE(&store->missing);
    VEC_FREE(&store->files);
    arena_free(&store->arena);
    mem_free(allocator, store, sizeof *store);
    mem_free(allocator, m, sizeof *m);
}

/* What is often saved in place of a model. */
static void hint_at_content(struct span bytes, struct diags *d)
{
    if (span_starts(bytes, SPAN("version https://git-lfs.github.com/spec/")))
        diag_hint(d, "the file is a Git LFS pointer: fetch the model itself with 'git lfs pull'");
    else if (span_starts(bytes, SPAN("<")))
        diag_hint(d, "the file looks like a web page: the download may have failed");
    else if (d && d->newest && d->newest->code == DIAG_PROTOBUF_TRUNCATED)
        diag_hint(d, "the file may be incomplete");
}

static o2w_status model_read(struct onnx_model *m, struct span bytes, struct diags *d)
{
    struct onnx_read rd = {
        .model = m,
        .source = { .file = bytes, .name = span_of(m->file->path), .diags = d },
        .arena = &m->store->arena,
    };
    map_init(&rd.names, m->store->allocator);
    o2w_status status = onnx_read_model(&rd, bytes);
    map_free(&rd.names);
    m->store->unknown_message = rd.source.unknown_message;
    m->store->unknown_field = rd.source.unknown_field;
    if (status == O2W_FORMAT)
        hint_at_content(bytes, d);
    return status;
}

/* Between the parts that are read lie weights that are not: the system would fetch them all. In a
 * small file that is cheaper than page by page. Advice only, so that it may fail. */
static void stop_read_ahead(const struct file *f, struct span bytes)
{
    if (f->descriptor >= 0 && bytes.size > READ_AHEAD_LIMIT)
        (void)posix_madvise((void *)(uintptr_t)bytes.data, bytes.size, POSIX_MADV_RANDOM);
}

static o2w_status model_load(struct onnx_model *m, struct diags *d)
{
    struct span bytes;
    TRY(file_bytes(m->file, d, &bytes));
    stop_read_ahead(m->file, bytes);
    TRY(model_read(m, bytes, d));
    TRY(onnx_check(m, d));
    TRY(onnx_resolve(m, d));
    return onnx_link(m, d);
}

/* Takes the file over. `folder` NULL: external data is refused. */
static o2w_status model_open(struct file *file, const struct span *folder,
                             const struct onnx_open_options *options,
                             const o2w_allocator *allocator, struct diags *d,
                             struct onnx_model **out)
{
    struct onnx_model *m = model_create(options, allocator);
    if (!m) {
        file_release(file);
        return diag_memory(d);
    }
    m->file = file;
    if (folder)
        m->store->folder = arena_text(&m->store->arena, *folder);
    o2w_status status = folder && !m->store->folder ? diag_memory(d) : model_load(m, d);
    if (status == O2W_OK)
        *out = m;
    else
        onnx_model_close(m);
    return status;
}

o2w_status onnx_model_open(const char *path, const struct onnx_open_options *options,
                           const o2w_allocator *allocator, struct diags *d, struct onnx_model **out)
{
    struct file *file;
    struct span folder = path_folder(span_of(path));
    if (folder.size == 0)
        folder = SPAN(".");
    TRY(file_open(path, allocator, d, &file));
    return model_open(file, &folder, options, allocator, d, out);
}

o2w_status onnx_model_open_bytes(struct span bytes, const char *name, const char *folder,
                                 const struct onnx_open_options *options,
                                 const o2w_allocator *allocator, struct diags *d,
                                 struct onnx_model **out)
{
    struct file *file;
    struct span text = span_of(folder);
    if (file_from_bytes(bytes, name, allocator, &file) != O2W_OK)
        return diag_memory(d);
    return model_open(file, folder ? &text : NULL, options, allocator, d, out);
}
