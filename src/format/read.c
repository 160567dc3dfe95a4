/* Reading graph files. */
#include "base/json.h"
#include "format/load.h"

#include <string.h>

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Behind a byte order mark and blanks. */
static struct span skip_blanks(struct span s)
{
    if (span_starts(s, SPAN("\xef\xbb\xbf")))
        s = (struct span){ s.data + 3, s.size - 3 };
    while (s.size > 0 && is_blank(s.data[0]))
        s = (struct span){ s.data + 1, s.size - 1 };
    return s;
}

/* Comments may stand before the header. */
static struct span skip_comments(struct span s)
{
    s = skip_blanks(s);
    while (s.size > 0 && s.data[0] == '#') {
        const uint8_t *end = memchr(s.data, '\n', s.size);
        size_t skipped = end ? (size_t)(end - s.data) : s.size;
        s = skip_blanks((struct span){ s.data + skipped, s.size - skipped });
    }
    return s;
}

/* By what the file holds; its extension decides only what a broken file should have been. */
static enum format_kind kind_of(enum format_kind asked, struct span extension, struct span text)
{
    if (asked != FORMAT_AUTO)
        return asked;
    struct span rest = skip_blanks(text);
    if (rest.size > 0 && rest.data[0] == '{')
        return FORMAT_JSON;
    bool named_json = span_is(extension, "json");
    return named_json && !span_starts(skip_comments(text), SPAN("webnn_graph")) ? FORMAT_JSON
                                                                                : FORMAT_TEXT;
}

static bool names_json_format(struct span head)
{
    struct span mark = SPAN("\"webnn-graph-json\"");
    for (size_t i = 0; i + mark.size <= head.size; i++)
        if (memcmp(head.data + i, mark.data, mark.size) == 0)
            return true;
    return false;
}

bool format_is_graph(struct span head)
{
    struct span rest = skip_comments(head);
    return span_starts(rest, SPAN("webnn_graph")) ||
           (rest.size > 0 && rest.data[0] == '{' && names_json_format(rest));
}

struct reading {
    struct span text;
    const char *name, *path; /* path NULL: from memory */
    struct file *weights;
    const struct format_read_options *options;
    const o2w_allocator *allocator;
    struct diags *diags;
    struct arena *arena;
};

/* Some writers put JSON into files called .webnn, and their readers take either form under either name. */
static o2w_status note_extension(const struct reading *r, struct span extension, bool json)
{
    if (!span_is(extension, json ? "webnn" : "json"))
        return O2W_OK;
    o2w_status status = diag_note(r->diags, DIAG_TEXT_DIALECT, "%s in a file called .%.*s",
                                  json ? "JSON" : "text", SPAN_ARG(extension));
    diag_position(r->diags, span_of(r->name), -1, 1, 1);
    return status;
}

static o2w_status read_document(const struct reading *r, struct document *doc, struct graph **out)
{
    struct loader *l = ARENA_NEW(r->arena, struct loader);
    struct limits *own = ARENA_NEW(r->arena, struct limits);
    if (!l || !own)
        return diag_memory(r->diags);
    struct span extension = path_extension(span_of(r->name));
    bool json = kind_of(r->options->kind, extension, r->text) == FORMAT_JSON;
    if (r->options->kind == FORMAT_AUTO)
        TRY(note_extension(r, extension, json));
    TRY(json ? json_read(r->text, doc, r->diags) : text_read(r->text, doc, r->diags));
    limits_own(own);
    *l = (struct loader){ .doc = doc,
                          .options = r->options,
                          .limits = r->options->limits ? r->options->limits : own,
                          .diags = r->diags,
                          .arena = r->arena,
                          .given = r->weights,
                          .path = r->path };
    return load_document(l, r->allocator, out);
}

static o2w_status read_text(const struct reading *r, struct graph **out)
{
    struct document doc;
    struct diags *d = r->diags;
    if (r->text.size > LIMIT_FILE) {
        o2w_status status =
            diag_error(d, DIAG_LIMIT, "bytes of the file: %zu exceeds the limit %llu", r->text.size,
                       (unsigned long long)LIMIT_FILE);
        diag_position(d, span_of(r->name), -1, -1, -1);
        return status;
    }
    bool kept = d->notes_are_errors;
    d->notes_are_errors = kept || r->options->strict;
    document_init(&doc, span_of(r->name), r->arena, r->allocator);
    o2w_status status = read_document(r, &doc, out);
    document_free(&doc);
    d->notes_are_errors = kept;
    return status;
}

static o2w_status read_path(struct reading *r, struct graph **out)
{
    if (r->path)
        TRY(file_read_all(r->path, LIMIT_FILE, r->arena, r->diags, &r->text));
    return read_text(r, out);
}

/* With an arena for the reading and, where the caller has none, a sink that nobody sees. */
static o2w_status run(struct reading *r, struct graph **out)
{
    static const struct format_read_options defaults;
    struct arena arena;
    struct diags unseen;
    struct diags *seen = r->diags;
    arena_init(&arena, r->allocator);
    diags_init(&unseen, r->allocator);
    r->arena = &arena;
    r->options = r->options ? r->options : &defaults;
    r->diags = seen ? seen : &unseen;
    const char *stage = r->diags->stage;
    r->diags->stage = "read";
    o2w_status status = read_path(r, out);
    r->diags->stage = stage;
    r->diags = seen;
    r->arena = NULL;
    diags_free(&unseen);
    arena_free(&arena);
    return status;
}

o2w_status format_read(const char *path, const struct format_read_options *options,
                       const o2w_allocator *allocator, struct diags *d, struct graph **out)
{
    struct reading r = {
        .name = path, .path = path, .options = options, .allocator = allocator, .diags = d
    };
    return run(&r, out);
}

o2w_status format_read_bytes(struct span text, const char *name, struct file *weights,
                             const struct format_read_options *options,
                             const o2w_allocator *allocator, struct diags *d, struct graph **out)
{
    struct reading r = { .text = text,
                         .name = name,
                         .weights = weights,
                         .options = options,
                         .allocator = allocator,
                         .diags = d };
    return run(&r, out);
}
