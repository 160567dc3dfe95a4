/* Graphs for other readers: JavaScript modules, pages, pictures. Functions of the graph alone. */
#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H

#include "format/format.h"
#include "format/safetensors.h"
#include "format/text_out.h"

enum emit_weights {
    EMIT_WEIGHTS_EXTERNAL, /* in an archive beside the module */
    EMIT_WEIGHTS_INLINE,   /* in the module, as text */
    EMIT_WEIGHTS_NONE      /* load() is told where they are */
};

/* Zero is every default. */
struct emit_js_options {
    enum emit_weights weights;
    const char *archive; /* its file name beside the module; NULL: load() is told */
    const char *types;   /* file name of the module, for the comment; NULL: "model.mjs" */
    const struct archive
        *existing; /* that archive where it exists and holds all; NULL: it is written */
    uint32_t min_dimension;
};

/* The ES module of a graph: docs/browser.md. emit.name for dimensions that JavaScript cannot say. */
o2w_status emit_js(const struct graph *g, const struct emit_js_options *options,
                   struct arena *arena, struct diags *d, struct text_out *out);
/* Its TypeScript declarations. */
o2w_status emit_js_types(const struct graph *g, struct arena *arena, struct diags *d,
                         struct text_out *out);
/* Whether an archive that exists holds every constant that does not stand in the module. */
o2w_status emit_js_fits(const struct graph *g, const struct archive *existing, struct arena *arena,
                        struct diags *d, bool *fits);
/* The archive that the module reads, the constants that do not stand in it; the caller commits or discards it. */
o2w_status emit_js_archive(const struct graph *g, const char *path, struct arena *arena,
                           struct diags *d, struct file_writer **out);

/* A page that shows the graph and runs it, in one file: docs/browser.md. Options as for the module. */
o2w_status emit_html(const struct graph *g, const struct emit_js_options *options,
                     struct arena *arena, struct diags *d, struct text_out *out);
/* The graph as an SVG picture, in the viewer's layout. */
o2w_status emit_svg(const struct graph *g, struct arena *arena, struct diags *d,
                    struct text_out *out);
/* Text with what has a meaning in XML and HTML escaped. */
void emit_xml_text(struct text_out *out, struct span s);
/* The graph for Graphviz: a box per operator, an edge per operand; constants are lines of a box. */
o2w_status emit_dot(const struct graph *g, struct arena *arena, struct diags *d,
                    struct text_out *out);

/* A graph as the model that engine `onnx` runs, without anything that only ONNX Runtime knows by itself. */
struct emit_onnx_options {
    enum emit_weights weights;
    const char *
        data; /* file name, beside the model, of what does not stand in it; NULL: there is no such place */
    const char *folder; /* where the model will stand, canonical; NULL: nowhere */
};
/* Bytes, in order; those that lie in a file are streamed from there. */
struct emit_piece {
    struct span bytes;
    struct file *file; /* NULL: in memory */
    uint64_t offset;
};
struct emit_onnx {
    struct arena *arena;
    VEC(struct emit_piece) model;
    VEC(struct emit_piece) data; /* empty: everything stands elsewhere */
    uint64_t model_bytes, data_bytes;
};
/* Constants outside the model are referred to where the archive that the graph was read from stands in
 * `folder`, else they are the data. limit: too large for one file of protobuf; model.name; usage: there is no
 * place for the data; and the failures of nodes_write. Borrows graph and arena. */
o2w_status emit_onnx(const struct graph *g, const struct emit_onnx_options *options,
                     struct arena *arena, struct diags *d, struct emit_onnx *out);
void emit_onnx_free(struct emit_onnx *m);
o2w_status emit_onnx_write(const struct emit_piece *pieces, size_t count, struct file_writer *w,
                           struct diags *d);
/* The model's bytes alone. */
void emit_onnx_text(const struct emit_onnx *m, struct text_out *out);

#endif
