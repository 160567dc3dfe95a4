/* What tests of graph files share: a graph from text, its messages, its canonical text. */
#ifndef FORMAT_FIXTURE_H
#define FORMAT_FIXTURE_H

#include "support/test.h"

#include "format/format.h"

#include <string.h>

struct fixture {
    struct diags diags;
    struct arena arena;
    struct graph *graph;
    struct format_read_options options;
};

static inline void fixture_init(struct fixture *f)
{
    *f = (struct fixture){ 0 };
    diags_init(&f->diags, NULL);
    arena_init(&f->arena, NULL);
}

static inline void fixture_free(struct fixture *f)
{
    graph_free(f->graph);
    diags_free(&f->diags);
    arena_free(&f->arena);
}

/* Reads text or JSON from memory. */
static inline o2w_status fixture_read(struct fixture *f, const char *text)
{
    graph_free(f->graph);
    f->graph = NULL;
    return format_read_bytes(span_of(text), text[0] == '{' ? "g.json" : "g.webnn", NULL,
                             &f->options, NULL, &f->diags, &f->graph);
}

/* The canonical text, NUL-terminated, in the arena. */
static inline const char *fixture_print(struct fixture *f,
                                        const struct format_write_options *options)
{
    struct span text;
    assert_ok(format_print(f->graph, options, SPAN("g"), &f->arena, &f->diags, &text));
    return arena_text(&f->arena, text);
}

/* Reads; must succeed without a message. Returns the canonical text. */
static inline const char *read_silently(struct fixture *f, const char *text)
{
    o2w_status status = fixture_read(f, text);
    if (status != O2W_OK || f->diags.count > 0)
        print_message("%s%s\n", diags_text(&f->diags, &f->arena), text);
    assert_ok(status);
    assert_int_equal(f->diags.count, 0);
    return fixture_print(f, NULL);
}

/* `text` reads silently and prints as `expected` does. */
static inline void assert_same_graph(const char *text, const char *expected)
{
    struct fixture a, b;
    fixture_init(&a);
    fixture_init(&b);
    assert_string_equal(read_silently(&a, text), read_silently(&b, expected));
    fixture_free(&a);
    fixture_free(&b);
}

/* `text` reads with at least one note and prints as `expected` does; strict reading refuses it. */
static inline void assert_dialect(const char *text, const char *expected)
{
    struct fixture a, b;
    fixture_init(&a);
    fixture_init(&b);
    o2w_status status = fixture_read(&a, text);
    if (status != O2W_OK)
        print_message("%s%s\n", diags_text(&a.diags, &a.arena), text);
    assert_ok(status);
    assert_true(a.diags.count > 0);
    assert_int_equal(a.diags.errors, 0);
    assert_string_equal(fixture_print(&a, NULL), read_silently(&b, expected));
    a.options.strict = true;
    assert_int_not_equal(fixture_read(&a, text), O2W_OK);
    assert_true(a.diags.errors > 0);
    fixture_free(&a);
    fixture_free(&b);
}

/* Reading fails with exactly this as the last message, at this place. */
static inline void assert_refused_at(const char *text, enum diag_code code, const char *message,
                                     int line, int column)
{
    struct fixture f;
    fixture_init(&f);
    assert_int_not_equal(fixture_read(&f, text), O2W_OK);
    assert_non_null(f.diags.newest);
    const struct diag *d = f.diags.newest;
    if (d->code != code || (message && strcmp(d->message, message) != 0) ||
        (line && (d->line != line || d->column != column)))
        print_message("%s", diags_text(&f.diags, &f.arena));
    assert_int_equal(d->code, code);
    if (message)
        assert_string_equal(d->message, message);
    if (line) {
        assert_int_equal(d->line, line);
        assert_int_equal(d->column, column);
    }
    assert_non_null(d->file);
    fixture_free(&f);
}

static inline void assert_refused(const char *text, enum diag_code code, const char *message)
{
    assert_refused_at(text, code, message, 0, 0);
}

/* ---- whole files from parts ---- */

#define X_IN  "inputs { x: f32[2, 3]; }"
#define Y_OUT "outputs { y; }"
/* A file with input x: f32[2, 3] and output y; line 3 holds the nodes. */
#define NODES(nodes) "webnn_graph \"g\" v1 {\n" X_IN "\nnodes { " nodes " }\n" Y_OUT "\n}\n"
/* A file with these constants, which are used by nothing, on line 3. */
#define CONSTS(consts)                                                                        \
    "webnn_graph \"g\" v1 {\n" X_IN "\nconsts { " consts " }\nnodes { y = relu(x); }\n" Y_OUT \
    "\n}\n"
/* Any blocks before the nodes. */
#define GRAPH(before, nodes, outputs) \
    "webnn_graph \"g\" v1 {\n" before "\nnodes { " nodes " }\noutputs { " outputs " }\n}\n"

#endif
