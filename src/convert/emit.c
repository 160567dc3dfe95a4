/* A graph, or a model converted in memory, in another form. */
#include "emit/emit.h"
#include "convert/conversion.h"
#include "convert/guard.h"

#include <string.h>

enum { HEAD = 4096, MAX_NODES = 20000, MOST_FILES = 3 };

struct emission {
    const char *path;
    enum o2w_emit_kind kind;
    const o2w_emit_options *options;
    o2w_convert_options convert;
    const o2w_environment *environment;
    struct arena *arena;
    struct diags *diags;
    o2w_conversion *conversion; /* of a model */
    webnn_graph *graph;
    const struct graph *g;
    struct guard guard;
    struct text_out text;
    struct file_writer *files[MOST_FILES]; /* complete, not yet in their places */
    size_t file_count;
};

/* ---- the graph ---- */

static bool is_module(const struct emission *e)
{
    return e->kind == O2W_EMIT_JS || e->kind == O2W_EMIT_HTML;
}

static o2w_status find_kind(struct emission *e, bool *is_graph)
{
    uint8_t head[HEAD];
    struct file *f;
    TRY(file_open(e->path, e->arena->allocator, e->diags, &f));
    struct span read = { head, f->size < HEAD ? (size_t)f->size : HEAD };
    o2w_status s = file_read(f, 0, head, read.size, e->diags);
    file_release(f);
    *is_graph = s == O2W_OK && format_is_graph(read);
    return s;
}

static o2w_status load_graph(struct emission *e)
{
    const char *option = convert_model_option(&e->convert);
    if (!option && e->convert.dim_count)
        option = "--override-dim";
    webnn_load_options load = { .size = sizeof load,
                                .weights = e->options->weights,
                                .environment = e->environment };
    if (option)
        return diag_error(e->diags, DIAG_USAGE, "option '%s' is for models, the file is a graph",
                          option);
    TRY(api_graph_load(e->path, &load, e->diags, &e->graph));
    return convert_for_target(&e->graph->graph, &e->convert, is_module(e), e->arena, e->diags);
}

static o2w_status convert_model(struct emission *e)
{
    if (e->options->weights)
        return diag_error(e->diags, DIAG_USAGE,
                          "option '--weights' is for graphs, the file is a model");
    const struct model_source source = { .path = e->path, .carry_ports = is_module(e) };
    TRY(convert_open(&source, &e->convert, e->diags, &e->conversion));
    e->graph = o2w_conversion_take_graph(e->conversion);
    return O2W_OK;
}

static o2w_status open_graph(struct emission *e)
{
    bool is_graph;
    e->diags->stage = "read";
    TRY(find_kind(e, &is_graph));
    TRY(is_graph ? load_graph(e) : convert_model(e));
    e->g = api_graph(e->graph);
    e->guard = (struct guard){ .model = e->conversion ? e->conversion->model : NULL,
                               .graph = e->g,
                               .paths = { e->path, e->options->weights, e->convert.target } };
    e->diags->stage = "emit";
    return O2W_OK;
}

/* ---- files ---- */

/* Beside the output, with another end of its name. */
static o2w_status beside(const struct emission *e, const char *ending, const char **out)
{
    struct span output = span_of(e->options->output), folder = path_folder(output);
    struct span stem = path_stem(path_name(output));
    const char *name = arena_printf(e->arena, "%.*s%s", SPAN_ARG(stem), ending);
    if (!name)
        return diag_memory(e->diags);
    *out = folder.size || *e->options->output == '/' ? path_join(e->arena, folder, span_of(name))
                                                     : name;
    return *out ? O2W_OK : diag_memory(e->diags);
}

static o2w_status new_file(struct emission *e, const char *path, struct file_writer **out)
{
    TRY(file_create(path, e->arena->allocator, e->diags, out));
    e->files[e->file_count++] = *out;
    return O2W_OK;
}

static o2w_status write_text(struct emission *e, const char *path, const struct text_out *text)
{
    struct file_writer *w;
    if (text->failed)
        return diag_memory(e->diags);
    TRY(new_file(e, path, &w));
    return file_write(w, text->bytes.items, text->bytes.count, e->diags);
}

/* All are complete before the first appears; those that others refer to come first. */
static o2w_status commit_files(struct emission *e)
{
    for (size_t i = 0; i < e->file_count; i++)
        TRY(file_flush(e->files[i], false, e->diags));
    for (size_t i = 0; i < e->file_count; i++) {
        struct file_writer *w = e->files[i];
        e->files[i] = NULL;
        TRY(file_commit(w, false, e->diags));
    }
    return O2W_OK;
}

/* `archive`: what is written beside the output; NULL: nothing. */
static o2w_status check_output(const struct emission *e, const char *archive)
{
    const char *output = e->options->output;
    if (archive && span_equal(path_name(span_of(archive)), path_name(span_of(output))))
        return diag_error(e->diags, DIAG_USAGE,
                          "the output '%s' has the name of the archive beside it", output);
    return output ? guard_check(&e->guard, output, e->diags) : O2W_OK;
}

/* ---- JavaScript ---- */

/* The archive of the module. One that the graph is read from is never replaced: it stays where it holds
 * everything, and where it does not, the module has one of its own. */
struct js_archive {
    const char *path;
    struct archive *existing; /* it holds everything */
};

static o2w_status try_existing(struct emission *e, struct js_archive *a)
{
    bool fits = false;
    if (!guard_covers(&e->guard, a->path))
        return O2W_OK;
    if (!e->conversion) {
        TRY(archive_open(a->path, e->arena->allocator, e->diags, &a->existing));
        TRY(emit_js_fits(e->g, a->existing, e->arena, e->diags, &fits));
    }
    if (fits)
        return O2W_OK;
    archive_free(a->existing);
    a->existing = NULL;
    TRY(beside(e, e->kind == O2W_EMIT_JS ? ".mjs.safetensors" : ".html.safetensors", &a->path));
    return guard_check(&e->guard, a->path, e->diags);
}

static o2w_status print_js(struct emission *e, const struct js_archive *a)
{
    const char *output = e->options->output;
    struct emit_js_options options = { .weights = (enum emit_weights)e->options->weight_data,
                                       .existing = a->existing,
                                       .min_dimension = 1 };
    if (a->path)
        options.archive = arena_text(e->arena, path_name(span_of(a->path)));
    if (output)
        options.types = arena_printf(e->arena, "./%.*s", SPAN_ARG(path_name(span_of(output))));
    return e->kind == O2W_EMIT_HTML ? emit_html(e->g, &options, e->arena, e->diags, &e->text)
                                    : emit_js(e->g, &options, e->arena, e->diags, &e->text);
}

static o2w_status write_types(struct emission *e)
{
    struct text_out types;
    const char *path = NULL;
    struct span extension = path_extension(span_of(e->options->output));
    TRY(beside(e, span_is(extension, "mjs") ? ".d.mts" : ".d.ts", &path));
    TRY(guard_check(&e->guard, path, e->diags));
    out_init(&types, e->arena->allocator);
    o2w_status s = emit_js_types(e->g, e->arena, e->diags, &types);
    if (s == O2W_OK)
        s = write_text(e, path, &types);
    out_free(&types);
    return s;
}

static o2w_status write_js(struct emission *e, const struct js_archive *a)
{
    bool external = e->options->weight_data == O2W_WEIGHT_DATA_EXTERNAL;
    if (external && !a->existing) {
        TRY(emit_js_archive(e->g, a->path, e->arena, e->diags, &e->files[e->file_count]));
        e->file_count++;
    }
    if (e->kind == O2W_EMIT_JS)
        TRY(write_types(e));
    return write_text(e, e->options->output, &e->text);
}

static o2w_status emit_module(struct emission *e)
{
    struct js_archive a = { 0 };
    o2w_status s = O2W_OK;
    if (e->options->output && e->options->weight_data == O2W_WEIGHT_DATA_EXTERNAL) {
        TRY(beside(e, ".safetensors", &a.path));
        s = check_output(e, a.path);
        if (s == O2W_OK)
            s = try_existing(e, &a);
    }
    if (s == O2W_OK)
        s = print_js(e, &a);
    if (s == O2W_OK && e->options->output)
        s = write_js(e, &a);
    archive_free(a.existing);
    return s;
}

/* ---- graph files ---- */

/* The archive that the graph is read from keeps what it has: other graphs may refer to it. */
static o2w_status write_graph_files(const struct emission *e, struct format_write_options *options)
{
    const char *archive = NULL;
    TRY(beside(e, ".safetensors", &archive));
    TRY(check_output(e, archive));
    options->add = !e->conversion && guard_covers(&e->guard, archive);
    if (!options->add)
        TRY(guard_check(&e->guard, archive, e->diags));
    return format_write(e->g, e->options->output, options, e->arena, e->diags, NULL);
}

static o2w_status emit_graph_file(struct emission *e, enum format_kind kind)
{
    struct format_write_options options = { .kind = kind };
    struct span text;
    if (e->options->weight_data == O2W_WEIGHT_DATA_INLINE)
        options.inline_limit = FORMAT_INLINE_ALL;
    if (e->options->output && e->options->weight_data != O2W_WEIGHT_DATA_NONE)
        return write_graph_files(e, &options);
    struct span stem =
        e->options->output ? path_stem(path_name(span_of(e->options->output))) : SPAN("");
    TRY(format_print(e->g, &options, stem, e->arena, e->diags, &text));
    out_span(&e->text, text);
    return e->options->output ? write_text(e, e->options->output, &e->text) : O2W_OK;
}

/* ---- ONNX ---- */

/* *data: its path; NULL: there is no output. */
static o2w_status make_onnx(struct emission *e, const char **data, struct emit_onnx *model)
{
    const char *output = e->options->output;
    struct emit_onnx_options options = { .weights = (enum emit_weights)e->options->weight_data };
    char *folder = NULL;
    if (output) {
        struct span parent = path_folder(span_of(output));
        const char *plain = parent.size ? arena_text(e->arena, parent) : *output == '/' ? "/" : ".";
        *data = arena_printf(e->arena, "%s.data", output);
        if (!plain || !*data)
            return diag_memory(e->diags);
        if (path_canonical(plain, e->arena, NULL, &folder) == O2W_NO_MEMORY)
            return diag_memory(e->diags);
        options.folder = folder;
        options.data = strrchr(*data, '/') ? strrchr(*data, '/') + 1 : *data;
    } else if (e->options->weight_data == O2W_WEIGHT_DATA_NONE) {
        options.data = "model.onnx.data";
    }
    return emit_onnx(e->g, &options, e->arena, e->diags, model);
}

/* The name must be one that readers follow. */
static o2w_status check_data(const struct emission *e, const char *path)
{
    const char *wrong = path_unsafe(path_name(span_of(path)));
    if (wrong)
        return diag_error(e->diags, DIAG_USAGE, "the model cannot refer to '%s': %s", path, wrong);
    return guard_check(&e->guard, path, e->diags);
}

static o2w_status write_onnx(struct emission *e, const char *data, const struct emit_onnx *m)
{
    struct file_writer *w;
    if (m->data.count > 0 && e->options->weight_data != O2W_WEIGHT_DATA_NONE) {
        TRY(check_data(e, data));
        TRY(new_file(e, data, &w));
        TRY(emit_onnx_write(m->data.items, m->data.count, w, e->diags));
    }
    TRY(new_file(e, e->options->output, &w));
    return emit_onnx_write(m->model.items, m->model.count, w, e->diags);
}

static o2w_status emit_model(struct emission *e)
{
    const char *data = NULL;
    struct emit_onnx model;
    o2w_status s = O2W_OK;
    TRY(make_onnx(e, &data, &model));
    if (e->options->output)
        s = write_onnx(e, data, &model);
    else
        emit_onnx_text(&model, &e->text);
    emit_onnx_free(&model);
    return s;
}

/* ---- pictures ---- */

static o2w_status check_size(const struct emission *e)
{
    uint64_t limit = e->options->max_nodes ? e->options->max_nodes : MAX_NODES;
    if (e->g->operators.count <= limit)
        return O2W_OK;
    o2w_status s =
        diag_error(e->diags, DIAG_LIMIT, "the graph has %zu operators, at most %llu are drawn",
                   e->g->operators.count, (unsigned long long)limit);
    diag_hint(e->diags, "--max-nodes %zu", e->g->operators.count);
    return s;
}

static o2w_status emit_picture(struct emission *e,
                               o2w_status (*draw)(const struct graph *, struct arena *,
                                                  struct diags *, struct text_out *))
{
    TRY(check_size(e));
    TRY(draw(e->g, e->arena, e->diags, &e->text));
    return e->options->output ? write_text(e, e->options->output, &e->text) : O2W_OK;
}

static o2w_status emit_page(struct emission *e)
{
    TRY(check_size(e));
    return emit_module(e);
}

/* ---- public ---- */

static o2w_status emit_kind(struct emission *e)
{
    switch (e->kind) {
    case O2W_EMIT_JS: return emit_module(e);
    case O2W_EMIT_JSON: return emit_graph_file(e, FORMAT_JSON);
    case O2W_EMIT_TEXT: return emit_graph_file(e, FORMAT_TEXT);
    case O2W_EMIT_HTML: return emit_page(e);
    case O2W_EMIT_DOT: return emit_picture(e, emit_dot);
    case O2W_EMIT_SVG: return emit_picture(e, emit_svg);
    case O2W_EMIT_ONNX: return emit_model(e);
    }
    return O2W_INTERNAL;
}

/* Browsers are the target of modules; "none" is none. */
static void choose_target(struct emission *e)
{
    if (!e->convert.target && is_module(e))
        e->convert.target = "chromium";
    else if (e->convert.target && strcmp(e->convert.target, "none") == 0)
        e->convert.target = NULL;
}

/* What the form has no use for is not passed over in silence. */
static o2w_status check_use(const struct emission *e)
{
    bool picture = e->kind == O2W_EMIT_DOT || e->kind == O2W_EMIT_SVG;
    if (e->options->max_nodes && !picture && e->kind != O2W_EMIT_HTML)
        return diag_error(e->diags, DIAG_USAGE, "option '--max-nodes' is for dot, svg and html");
    if (e->options->weight_data != O2W_WEIGHT_DATA_EXTERNAL && picture)
        return diag_error(e->diags, DIAG_USAGE,
                          "option '--weight-data' is for js, html, json, text and onnx");
    if (e->convert.assume_int32_count && !e->convert.target)
        return diag_error(e->diags, DIAG_USAGE, "option '--assume-int32' needs '--target'");
    return O2W_OK;
}

static o2w_status emit_file(struct emission *e, char **text, size_t *size)
{
    choose_target(e);
    TRY(check_use(e));
    TRY(open_graph(e));
    TRY(check_output(e, NULL));
    TRY(emit_kind(e));
    if (e->options->output)
        return commit_files(e);
    struct span all = { (const uint8_t *)e->text.bytes.items, e->text.bytes.count };
    char *copy = e->text.failed ? NULL : api_text_of(all);
    if (!copy)
        return diag_memory(e->diags);
    *text = copy;
    *size = all.size;
    return O2W_OK;
}

o2w_status o2w_emit_file(const char *path, o2w_emit_kind kind, const o2w_emit_options *options,
                         char **text, size_t *text_size, o2w_error **error)
{
    static const o2w_convert_options no_conversion = { .size = sizeof no_conversion };
    o2w_emit_options o = options ? *options : (o2w_emit_options){ .size = sizeof o };
    struct arena a;
    struct diags d;
    arena_init(&a, environment_allocator(o.environment));
    diags_init(&d, environment_allocator(o.environment));
    d.environment = o.environment;
    struct emission e = { .path = path,
                          .kind = kind,
                          .options = &o,
                          .environment = o.environment,
                          .arena = &a,
                          .diags = &d };
    e.convert = o.convert ? *o.convert : no_conversion;
    if (!e.convert.environment)
        e.convert.environment = o.environment;
    out_init(&e.text, a.allocator);
    o2w_status s = emit_file(&e, text, text_size);
    for (size_t i = 0; i < e.file_count; i++)
        file_discard(e.files[i]);
    if (s == O2W_OK && d.count && o.notes)
        (void)error_from_diags(&d, O2W_UNSUPPORTED, o.notes);
    s = error_from_diags(&d, s, error);
    webnn_graph_free(e.graph);
    o2w_conversion_free(e.conversion);
    out_free(&e.text);
    diags_free(&d);
    arena_free(&a);
    return s;
}
