/* Running a file from inside. */
#ifndef VALIDATE_RUN_H
#define VALIDATE_RUN_H

#include "validate/given.h"
#include "validate/validation.h"

struct run_labels {
    size_t count;
    const char **texts;
};

struct o2w_run {
    const o2w_allocator *allocator;
    struct arena arena;
    o2w_tensors *inputs, *outputs;
    VEC(const char *) made;
    double load_ms, compile_ms, first_ms;
    double *runs_ms;
    size_t run_count;
    const char *backend;
    struct run_labels *labels; /* by output */
    o2w_error *diagnostics;
};

/* What one call works on. */
struct running {
    const o2w_run_options *options;
    const o2w_environment *environment;
    const o2w_allocator *allocator;
    struct diags *diags;
    struct arena arena;
    o2w_run *run;
    bool is_graph; /* the file is one; else a model */
    webnn_context *context;
    o2w_conversion *conversion;
    webnn_graph *graph;
    struct source source; /* of models */
    struct port_map map;
    struct ports ports;
};

/* Opens the model, with pins and sizes of the options and the given feeds, and plans its feeds. */
o2w_status running_prepare(struct running *r, const char *path);
/* Converts it with the sizes that were found. */
o2w_status running_convert(struct running *r, const char *path);
/* Feeds a converted model, or a graph of a file, through its ports; lists what was made. */
o2w_status running_feed_model(struct running *r);
o2w_status running_feed_graph(struct running *r);

#endif
