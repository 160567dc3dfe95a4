/* What inspect shows: gathered once, printed as text or JSON. */
#ifndef CONVERT_INSPECT_H
#define CONVERT_INSPECT_H

#include "base/json.h"
#include "convert/conversion.h"

struct inspect_port {
    const char *name, *type;
    const char *dims;  /* "[1, batch, ? (x_dim2)]" */
    const char *shape; /* JSON array */
    bool has_default;
};

struct inspect_count {
    const char *key; /* operator, dtype, domain */
    uint64_t count, bytes;
};

struct inspect_dim {
    const char *name;
    int64_t value;
    const char *from; /* NULL: unresolved */
};

struct inspect_file {
    const char *path;
    bool found;
    uint64_t bytes, needed; /* found: its size, and the end of the last range in it */
};

struct inspect_constant {
    const char *name, *type, *dims; /* dims: JSON array */
    uint64_t bytes;
};

struct inspect_node {
    uint64_t index;
    const char *op, *name, *inputs, *outputs;
};

typedef VEC(struct inspect_port) inspect_ports;
typedef VEC(struct inspect_count) inspect_counts;
typedef VEC(const char *) inspect_texts;

struct inspect_summary {
    struct arena *arena;
    const char *path, *kind, *producer; /* kind: "model", "graph", "archive" */
    uint64_t bytes;
    int64_t ir_version;    /* 0: not a model */
    inspect_counts opsets; /* key: domain, count: version */
    inspect_ports inputs, outputs;
    VEC(struct inspect_dim) dims;
    inspect_counts histogram; /* count descending, then name */
    VEC(o2w_unsupported) unsupported;
    inspect_texts functions; /* "domain name" */
    inspect_counts weights;  /* by dtype */
    VEC(struct inspect_file) external;
    VEC(struct inspect_constant) constants; /* biggest first */
    VEC(struct inspect_node) nodes;
    const char *backend;   /* asked for */
    inspect_texts refused; /* by it */
    bool has_memory, judged;
    uint64_t weight_bytes, largest_activation, peak_activations;
    const char *obstacle; /* why there are no figures and no judgement; NULL: there are */
};

void inspect_free(struct inspect_summary *s);
o2w_status inspect_add_count(inspect_counts *list, const char *key, uint64_t count, uint64_t bytes);
/* Sorted as they are printed. */
void inspect_sort(struct inspect_summary *s);
/* In the arena; "" when memory is out. */
const char *inspect_text(struct inspect_summary *s, struct span text);
/* "[2, 3]", as JSON has it: a file may say any number. "[]" when memory is out. */
const char *inspect_dims(struct inspect_summary *s, const int64_t *dims, uint32_t rank);

/* Fill the summary from a model, from a finished graph, from an archive. */
o2w_status inspect_model(struct inspect_summary *s, const char *path, const o2w_inspect_options *o,
                         struct diags *d);
/* The operators of a model, and its lists of values. */
o2w_status inspect_model_parts(struct inspect_summary *s, const struct onnx_model *m, bool nodes);
o2w_status inspect_graph_file(struct inspect_summary *s, const char *path,
                              const o2w_inspect_options *o, struct diags *d);
o2w_status inspect_archive(struct inspect_summary *s, const char *path, struct diags *d);
/* Memory, and what the backend refuses. */
o2w_status inspect_graph(struct inspect_summary *s, const struct graph *g, struct diags *d);

/* Printers; the text is in the summary's arena, NULL when memory is out. */
char *inspect_print_text(const struct inspect_summary *s, bool all_constants);
o2w_status inspect_print_json(const struct inspect_summary *s, bool all_constants, bool nodes,
                              struct json_writer *w);

#endif
