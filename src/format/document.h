/* A graph file as it stands: declarations and calls, not yet a graph. The text parser and the JSON
 * reader fill it, load.c makes a graph of it. Everything lives in its arena or in the file's bytes. */
#ifndef FORMAT_DOCUMENT_H
#define FORMAT_DOCUMENT_H

#include "format/doc_value.h"
#include "tensor/tensor.h"

struct doc_dim {
    int64_t size;     /* or the maximum */
    struct span name; /* data NULL: static */
};

struct doc_type {
    enum dtype dtype;
    uint32_t rank;
    const struct doc_dim *dims;
};

struct doc_input {
    struct span name;
    struct place place;
    struct doc_type type;
};

enum doc_init { DOC_INIT_WEIGHTS, DOC_INIT_SCALAR, DOC_INIT_BYTES };

struct doc_const {
    struct span name;
    struct place place;
    struct doc_type type;
    enum doc_init init;
    struct span text; /* reference, number, or the bytes */
};

struct doc_name {
    struct span name;
    struct place place;
};

struct doc_argument {
    struct span key; /* data NULL: positional */
    struct place place;
    size_t value; /* index into values */
};

struct doc_node {
    struct place place; /* of the operator's name */
    struct span operator;
    const struct doc_name *targets;
    uint32_t target_count, argument_count;
    size_t first_argument;
};

struct doc_output {
    struct span binding, operand;
    struct place place;
};

enum doc_directive_kind {
    DIRECTIVE_WEIGHTS,  /* text */
    DIRECTIVE_DIM,      /* text, number */
    DIRECTIVE_PIN,      /* text, number */
    DIRECTIVE_KEPT,     /* text */
    DIRECTIVE_BOUND,    /* text, number */
    DIRECTIVE_SUBGRAPH, /* text */
    DIRECTIVE_NAME,     /* subject, text */
    DIRECTIVE_LABELS,   /* subject, value: an array of strings or of integers */
    DIRECTIVE_META      /* subject, text */
};

struct doc_directive {
    enum doc_directive_kind kind;
    struct place place;
    struct span subject, text;
    int64_t number;
    size_t value;
};

struct document {
    struct arena *arena;
    struct span file; /* its name */
    bool json;
    struct span name;
    uint32_t version;
    struct place version_place;
    bool quantized;
    struct place first_dynamic; /* line 0: no input has a dynamic dim */
    struct place end;           /* where the file ends */
    VEC(struct doc_input) inputs;
    VEC(struct doc_const) consts;
    VEC(struct doc_node) nodes;
    VEC(struct doc_argument) arguments;
    VEC(struct doc_value) values;
    VEC(struct doc_output) outputs;
    VEC(struct doc_directive) directives;
    VEC(struct doc_input) shapes; /* descriptors that the file claims for node results */
};

void document_init(struct document *doc, struct span file, struct arena *arena,
                   const o2w_allocator *allocator);
void document_free(struct document *doc);

/* Adds the place to the newest diagnostic and returns the status. */
o2w_status doc_at(const struct document *doc, struct diags *d, struct place at, o2w_status status);
/* "WHAT N exceeds the limit M". */
o2w_status doc_limit(const struct document *doc, struct diags *d, struct place at, const char *what,
                     uint64_t n, uint64_t limit);
/* A number literal's range: an integer fits int64 or uint64, anything else a finite double. `of`: what
 * has the value, for the message; may be empty. */
o2w_status doc_check_number(const struct document *doc, struct diags *d, struct place at,
                            struct span text, struct span of);
/* Both readers. `text` must outlive the document. */
o2w_status text_read(struct span text, struct document *doc, struct diags *d);
o2w_status json_read(struct span text, struct document *doc, struct diags *d);
/* One comment line that begins with "# o2w ", without its end. */
o2w_status directive_read(struct document *doc, struct diags *d, struct place at, struct span text);

#endif
