/* Graph files: `.webnn` text and its JSON form, with the weights beside them. docs/formats/webnn.md */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "webnn/graph.h"

/* FORMAT_AUTO: reading, by the first byte that is no blank ('{' = JSON; a note where the extension says
 * otherwise); writing, by the extension (.json = JSON). */
enum format_kind { FORMAT_AUTO, FORMAT_TEXT, FORMAT_JSON };

/* Zero is every default. */
struct format_read_options {
    bool strict;               /* every note of the reader is an error */
    bool note_unknown_options; /* an operator option that no table knows is a note, not an error */
    enum format_kind kind;
    const char *weights;  /* archive or blob, relative to the graph's folder; NULL: found by name */
    const char *manifest; /* of a blob; NULL: found by name */
    const struct limits *limits; /* what the graph is validated against; NULL: limits_own */
};

/* Reads a graph and resolves its constants to ranges of the weight file, which is mapped, once per
 * process, and not copied. Everything is validated by the builder's own functions. Public names
 * (input and output names) are the original names where directives give them, else the identifiers.
 * The graph is the caller's. Errors: the codes text.*, op.*, const.*, output.*, dyn.*, weights.*,
 * st.*, json.*, limit, file.read; each with file, line and column. `d` may be NULL. */
o2w_status format_read(const char *path, const struct format_read_options *options,
                       const o2w_allocator *allocator, struct diags *d, struct graph **out);
/* The same from memory; `text` is needed during the call only. `name` is for messages. `weights` is
 * the archive (retained by the graph), or NULL: then options->weights, relative to the working
 * folder, is the only place that is looked at. */
o2w_status format_read_bytes(struct span text, const char *name, struct file *weights,
                             const struct format_read_options *options,
                             const o2w_allocator *allocator, struct diags *d, struct graph **out);
/* Whether bytes or path are a graph: text whose first word is webnn_graph, or JSON with that format. */
bool format_is_graph(struct span head);

/* Which operands get a `name` directive. */
enum format_names { FORMAT_NAMES_INTERFACE, FORMAT_NAMES_NONE, FORMAT_NAMES_ALL };
enum { FORMAT_INLINE_DEFAULT = 64, FORMAT_INLINE_NONE = -1 };
#define FORMAT_INLINE_ALL INT64_MAX /* 4-bit constants too, which stand in the archive otherwise */

/* Zero is every default. */
struct format_write_options {
    enum format_names names;
    enum format_kind kind;
    int64_t
        inline_limit; /* constants of up to so many bytes stand in the text; 0: FORMAT_INLINE_DEFAULT */
    const char *archive; /* file name in the graph's folder; NULL: <stem>.safetensors */
    bool add;            /* where the archive exists, keep its entries and add to them */
    bool sync;           /* flush to disk before the files appear */
};

struct format_written {
    uint64_t graph_bytes, archive_bytes;
    uint32_t entries; /* tensors of the archive that the graph refers to */
    uint8_t graph_sha256[32];
    uint8_t entries_sha256[32]; /* format_entries_digest of what was written */
    const char *archive_path;   /* in the arena */
};

/* Writes archive and graph file so that they appear together or not at all: archive first. The
 * archive is written also without tensors. A function of graph, options and the archive added to. */
o2w_status format_write(const struct graph *g, const char *path,
                        const struct format_write_options *options, struct arena *arena,
                        struct diags *d, struct format_written *out);
/* The graph file's text alone, in the arena (FORMAT_AUTO: text). `stem` is the graph's file name
 * without extension, which decides whether the archive's name is written; may be empty. */
o2w_status format_print(const struct graph *g, const struct format_write_options *options,
                        struct span stem, struct arena *arena, struct diags *d, struct span *text);

/* SHA-256 over key, dtype, shape and sampled bytes of the archive entries that a graph read from
 * files refers to, sorted by key: tells whether an archive still holds what a graph was written with. */
o2w_status format_entries_digest(const struct graph *g, struct diags *d, uint8_t digest[32]);

#endif
