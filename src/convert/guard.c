#include "convert/guard.h"

#include "base/file.h"
#include "onnx/tensor.h"

static bool model_reads(const struct onnx_model *m, const struct file *f)
{
    size_t count;
    struct file *const *files = onnx_model_files(m, &count);
    bool same = m->file && file_same(m->file, f);
    for (size_t i = 0; i < count && !same; i++)
        same = files[i] && file_same(files[i], f);
    return same;
}

static bool graph_reads(const struct graph *g, const struct file *f)
{
    bool same = false;
    for (size_t i = 0; i < g->weights.count && !same; i++)
        same = g->weights.items[i].file && file_same(g->weights.items[i].file, f);
    return same;
}

/* NULL where there is no file, or none that can be read. */
static struct file *open_quietly(const char *path)
{
    struct file *f = NULL;
    return path && path_is_file(path) && file_open(path, NULL, NULL, &f) == O2W_OK ? f : NULL;
}

static bool is_path(const char *path, const struct file *f)
{
    struct file *own = open_quietly(path);
    bool same = own && file_same(own, f);
    file_release(own);
    return same;
}

static bool is_among(const char *const *paths, size_t count, const struct file *f)
{
    for (size_t i = 0; i < count; i++)
        if (is_path(paths[i], f))
            return true;
    return false;
}

bool guard_covers(const struct guard *g, const char *path)
{
    struct file *f = open_quietly(path);
    if (!f)
        return false;
    bool covered = (g->model && model_reads(g->model, f)) ||
                   (g->graph && graph_reads(g->graph, f)) ||
                   is_among(g->paths, sizeof g->paths / sizeof *g->paths, f) ||
                   is_among(g->files, g->file_count, f);
    file_release(f);
    return covered;
}

o2w_status guard_check(const struct guard *g, const char *path, struct diags *d)
{
    return guard_covers(g, path)
               ? diag_error(d, DIAG_FILE_WRITE,
                            "'%s' is read by the command and cannot be its output", path)
               : O2W_OK;
}
