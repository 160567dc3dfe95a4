/* What inspect shows: gathered once, printed as text or JSON. */
#ifndef CONVERT_INSPECT_H
#define CONVERT_INSPECT_H

#include "base/json.h"
#include "convert/conversion.h"

struct inspect_port {
    const char *name, *type, *dims; /* dims: "[1, batch, ?]" */
    bool has_default;
};

struct inspect_count {
    const char *key; /* operator, dtype, domain */
    uint64_t count, bytes;
};

struct inspect_line {
    const char *first, *second, *third;
    uint64_t number;
};

struct inspect_constant {
    const char *name, *type, *dims;
    uint64_t bytes;
};

typedef VEC(struct inspect_port) inspect_ports;
typedef VEC(struct inspect_count) inspect_counts;
typedef VEC(struct inspect_line) inspect_lines;
typedef VEC(struct inspect_constant) inspect_constants;

struct inspect_summary {
    struct arena *arena;
    const char *path, *kind, *producer;
    uint64_t bytes;
    int64_t ir_version;    /* 0: not a model */
    inspect_counts opsets; /* key: domain, count: version */
    inspect_ports inputs, outputs;
    inspect_lines dims;          /* name, value or "unresolved", where from */
    inspect_counts histogram;    /* count descending, then name */
    inspect_lines unsupported;   /* operator, first node, reason, count */
    inspect_lines functions;     /* domain, name */
    inspect_counts weights;      /* by dtype */
    inspect_lines external;      /* path, "found" or "missing" */
    inspect_constants constants; /* biggest first */
    inspect_lines nodes;         /* operator, name, "inputs -> outputs"; number: index */
    inspect_lines refused;       /* by the backend asked for: message */
    const char *backend;
    bool has_memory;
    uint64_t weight_bytes, largest_activation, peak_activations;
    const char *no_memory; /* why there are no figures */
};

void inspect_free(struct inspect_summary *s);
o2w_status inspect_add_count(inspect_counts *list, const char *key, uint64_t count, uint64_t bytes);
/* Sorted as they are printed. */
void inspect_sort(struct inspect_summary *s);

/* Fill the summary from a model, from a finished graph, from an archive. */
o2w_status inspect_model(struct inspect_summary *s, const char *path, const o2w_inspect_options *o,
                         struct diags *d);
o2w_status inspect_graph_file(struct inspect_summary *s, const char *path,
                              const o2w_inspect_options *o, struct diags *d);
o2w_status inspect_archive(struct inspect_summary *s, const char *path, struct diags *d);
o2w_status inspect_graph(struct inspect_summary *s, const struct graph *g,
                         const o2w_inspect_options *o, struct diags *d);

/* Printers; the text is in the summary's arena, NULL when memory is out. */
char *inspect_print_text(const struct inspect_summary *s, bool all_constants);
o2w_status inspect_print_json(const struct inspect_summary *s, bool all_constants,
                              struct json_writer *w);

#endif
