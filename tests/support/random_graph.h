/* Random valid graphs over all operators, for property tests. */
#ifndef SUPPORT_RANDOM_GRAPH_H
#define SUPPORT_RANDOM_GRAPH_H

#include "webnn/builder.h"

struct random_graph_options {
    uint64_t seed;
    uint32_t operators;   /* calls that are made; one may add helpers */
    bool dynamic;         /* inputs may have named dims */
    bool empty;           /* dims of 0 may occur */
    bool strange_names;   /* any bytes as original names; else short safe ones */
    bool directives;      /* dims, pins, labels, meta … */
    struct file *weights; /* NULL, or a file of at least 64 KiB that constants may be ranges of */
};

/* Operators that were recorded, by kind; added to by every graph. May be NULL. */
struct random_graph_counts {
    size_t recorded[WEBNN_OPERATOR_COUNT];
};

/* The same seed and options give the same graph. A recipe that the builder refuses is an error. */
o2w_status random_graph(const struct random_graph_options *options, const o2w_allocator *allocator,
                        struct diags *d, struct random_graph_counts *counts, struct graph **out);

#endif
