/* inspect: the kind of a file by its content, then its summary. */
#include "convert/inspect.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 4096 };

void inspect_free(struct inspect_summary *s)
{
    VEC_FREE(&s->opsets);
    VEC_FREE(&s->inputs);
    VEC_FREE(&s->outputs);
    VEC_FREE(&s->dims);
    VEC_FREE(&s->histogram);
    VEC_FREE(&s->unsupported);
    VEC_FREE(&s->functions);
    VEC_FREE(&s->weights);
    VEC_FREE(&s->external);
    VEC_FREE(&s->constants);
    VEC_FREE(&s->nodes);
    VEC_FREE(&s->refused);
}

const char *inspect_text(struct inspect_summary *s, struct span text)
{
    char *copy = arena_text(s->arena, text);
    return copy ? copy : "";
}

const char *inspect_dims(struct inspect_summary *s, const int64_t *dims, uint32_t rank)
{
    struct arena_string text = { .arena = s->arena };
    arena_string_add(&text, "[");
    for (uint32_t i = 0; i < rank; i++)
        arena_string_add(&text, "%s%lld", i ? ", " : "", (long long)dims[i]);
    arena_string_add(&text, "]");
    const char *all = arena_string_text(&text);
    return all ? all : "[]";
}

o2w_status inspect_add_count(inspect_counts *list, const char *key, uint64_t count, uint64_t bytes)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].key, key) == 0) {
            list->items[i].count += count;
            if (!add_u64(list->items[i].bytes, bytes, &list->items[i].bytes))
                list->items[i].bytes = UINT64_MAX;
            return O2W_OK;
        }
    return VEC_PUSH(list, ((struct inspect_count){ key, count, bytes })) ? O2W_OK : O2W_NO_MEMORY;
}

static int by_count(const void *a, const void *b)
{
    const struct inspect_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->key, y->key);
}

static int by_bytes(const void *a, const void *b)
{
    const struct inspect_constant *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return strcmp(x->name, y->name);
}

void inspect_sort(struct inspect_summary *s)
{
    if (s->histogram.count)
        qsort(s->histogram.items, s->histogram.count, sizeof *s->histogram.items, by_count);
    if (s->constants.count)
        qsort(s->constants.items, s->constants.count, sizeof *s->constants.items, by_bytes);
}

/* A safetensors archive begins with a header length that fits the file, then '{'. */
static bool is_archive(struct span head, uint64_t size)
{
    uint64_t length = 0;
    if (head.size < 10 || head.data[8] != '{')
        return false;
    for (int i = 0; i < 8; i++)
        length |= (uint64_t)head.data[i] << (8 * i);
    return length >= 2 && length <= size - 8;
}

/* Where the content tells nothing, the name may: a text that has lost its beginning is still a graph,
 * and what a model begins with is no character. */
static bool is_graph(struct span head, const char *path)
{
    struct span extension = path_extension(span_of(path));
    bool named = span_is(extension, "webnn") || span_is(extension, "json");
    bool text =
        head.size == 0 || head.data[0] >= ' ' || (head.data[0] && strchr("\t\n\r", head.data[0]));
    return format_is_graph(head) || (named && text);
}

/* What the kind of the file has no use for is not passed over in silence. */
static o2w_status check_use(const struct inspect_summary *s, const o2w_inspect_options *o,
                            struct diags *d)
{
    bool model = strcmp(s->kind, "model") == 0, graph = strcmp(s->kind, "graph") == 0;
    const char *option = convert_model_option(o->convert), *wanted = "models";
    if (!option && o->convert && o->convert->dim_count)
        option = "--override-dim";
    if (model)
        option = NULL;
    if (!option && o->weights && !graph) {
        option = "--weights";
        wanted = "graphs";
    }
    if (!option && !model && !graph && (o->nodes || o->backend)) {
        option = o->nodes ? "--nodes" : "--backend";
        wanted = "models and graphs";
    }
    return option ? diag_error(d, DIAG_USAGE, "option '%s' is for %s, the file is %s %s", option,
                               wanted, *s->kind == 'a' ? "an" : "a", s->kind)
                  : O2W_OK;
}

static o2w_status inspect_file(struct inspect_summary *s, const char *path,
                               const o2w_inspect_options *o, struct diags *d)
{
    uint8_t head[HEAD];
    struct file *f;
    TRY(file_open(path, s->arena->allocator, d, &f));
    s->path = path;
    s->bytes = f->size;
    struct span read = { head, f->size < HEAD ? (size_t)f->size : HEAD };
    o2w_status status = file_read(f, 0, head, read.size, d);
    file_release(f);
    TRY(status);
    bool archive =
        is_archive(read, s->bytes) || span_is(path_extension(span_of(path)), "safetensors");
    s->kind = archive ? "archive" : is_graph(read, path) ? "graph" : "model";
    TRY(check_use(s, o, d));
    if (archive)
        return inspect_archive(s, path, d);
    return *s->kind == 'g' ? inspect_graph_file(s, path, o, d) : inspect_model(s, path, o, d);
}

static char *print(struct inspect_summary *s, const o2w_inspect_options *o, bool json)
{
    struct json_writer w;
    struct span written;
    char *text = NULL;
    if (!json) {
        const char *own = inspect_print_text(s, o->constants);
        return own ? api_text_of(span_of(own)) : NULL;
    }
    json_writer_init(&w, s->arena->allocator, 0);
    if (inspect_print_json(s, o->constants, o->nodes, &w) == O2W_OK &&
        json_written(&w, &written) == O2W_OK)
        text = api_text_of(written);
    json_writer_free(&w);
    return text;
}

static o2w_status inspect(const char *path, const o2w_inspect_options *options, bool json,
                          char **text, o2w_error **error)
{
    static const o2w_inspect_options none = { .size = sizeof none };
    const o2w_inspect_options *o = options ? options : &none;
    struct arena a;
    struct diags d;
    struct inspect_summary s = { .arena = &a, .kind = "", .producer = "", .backend = o->backend };
    char *out = NULL;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    d.stage = "read";
    o2w_status status = inspect_file(&s, path, o, &d);
    if (status == O2W_OK) {
        inspect_sort(&s);
        out = print(&s, o, json);
        status = out ? O2W_OK : diag_memory(&d);
    }
    if (status == O2W_OK)
        *text = out;
    if (status == O2W_OK && d.count && o->notes)
        (void)error_from_diags(&d, O2W_UNSUPPORTED, o->notes);
    status = error_from_diags(&d, status, error);
    inspect_free(&s);
    diags_free(&d);
    arena_free(&a);
    return status;
}

o2w_status o2w_inspect_text(const char *path, const o2w_inspect_options *options, char **text,
                            o2w_error **error)
{
    return inspect(path, options, false, text, error);
}

o2w_status o2w_inspect_json(const char *path, const o2w_inspect_options *options, char **text,
                            o2w_error **error)
{
    return inspect(path, options, true, text, error);
}
