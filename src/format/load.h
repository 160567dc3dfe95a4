/* A graph from a document: what its parts share. */
#ifndef FORMAT_LOAD_H
#define FORMAT_LOAD_H

#include "format/document.h"
#include "format/format.h"
#include "format/scope.h"
#include "webnn/builder.h"

struct weight_store;

/* An option of a call. */
struct argument {
    struct span key;
    struct place place;
    const struct doc_value *value;
    bool used; /* by a dialect: not an option any more */
};

enum { ATTRIBUTES_SIZE = 1024 };

struct loader {
    struct document *doc;
    const struct format_read_options *options;
    const struct limits *limits;
    struct diags *diags;
    struct arena *arena; /* dies with the reading */
    struct builder builder;
    struct scope scope;
    struct map originals;           /* identifier → index of its name directive */
    struct weight_store *weights;   /* NULL until a constant needs it */
    struct file *given;             /* the archive that the caller gave, or NULL */
    const char *path;               /* of the graph; NULL: read from memory */
    operand_id *results;            /* LIMIT_RESULTS of them */
    uint8_t *attributes;            /* ATTRIBUTES_SIZE bytes */
    VEC(struct argument) arguments; /* of the node being read */
    VEC(operand_id) operands;
};

static inline struct graph *loader_graph(const struct loader *l)
{
    return l->builder.graph;
}

/* After a call that may have failed: adds the place to its diagnostic. */
static inline o2w_status loader_at(const struct loader *l, struct place at, o2w_status status)
{
    return status == O2W_OK ? O2W_OK : doc_at(l->doc, l->diags, at, status);
}

/* A note about a dialect; its status in strict reading. */
o2w_status loader_note(const struct loader *l, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What an identifier stands for: its original name when a directive gives one, else itself. */
struct span loader_public_name(const struct loader *l, struct span identifier);
/* Declares a name for an operand and keeps it in the graph as identifier and original name. */
o2w_status loader_declare(struct loader *l, struct doc_name name, enum scope_kind kind,
                          operand_id operand);

/* Elements of a declared type; 0 where dims are dynamic. limit. */
o2w_status loader_count(const struct loader *l, struct place at, struct span name,
                        const struct descriptor *d, uint64_t *count);
/* A dim that an operator's sizes name: a name that an input declared, or an expression over such.
 * dyn.unknown, dyn.max. */
o2w_status loader_dim(struct loader *l, struct place at, int64_t max, struct span name, dim *out);

/* load_const.c: declares a constant. */
o2w_status load_const(struct loader *l, const struct doc_const *c);
/* load_node.c: records a call and declares its results. */
o2w_status load_node(struct loader *l, const struct doc_node *node);
/* The whole document. The graph is the caller's. */
o2w_status load_document(struct loader *l, const o2w_allocator *allocator, struct graph **out);
/* load_directives.c: what directives say about the finished graph. text.directive. */
o2w_status apply_directives(struct loader *l);

#endif
