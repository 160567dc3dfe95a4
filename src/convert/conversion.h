/* A conversion from inside, and the paths that it writes. */
#ifndef CONVERT_CONVERSION_H
#define CONVERT_CONVERSION_H

#include <onnx2webnn/convert.h>

#include "api/objects.h"
#include "format/format.h"
#include "format/names.h"
#include "lower/program.h"
#include "onnx/open.h"
#include "onnx/tensor.h"

struct o2w_conversion {
    const o2w_environment *environment;
    const o2w_allocator *allocator;
    struct arena arena;
    struct onnx_model *model; /* open as long as graph constants lie in it */
    struct lowering *lowering;
    webnn_graph *graph;
    struct graph_names names;
    o2w_port *inputs, *outputs;
    o2w_error *diagnostics;
    o2w_conversion_counts counts;
    const char *paths[4]; /* by o2w_written */
};

/* The first option that is set and that only models have, as the command calls it; sizes of dimensions are
 * left out. NULL: none. */
const char *convert_model_option(const o2w_convert_options *o);
/* The public ports, from those of the lowering and the graph's names. O2W_NO_MEMORY. */
o2w_status conversion_fill_ports(o2w_conversion *c, const struct graph *g);
/* Rewrites a graph for options->target; nothing without one. carry_ports: as legalise_options has it. */
o2w_status convert_for_target(struct graph **g, const o2w_convert_options *o, bool carry_ports,
                              struct arena *a, struct diags *d);
/* Options as the lowering takes them; in the arena. The sidecar of `path` (may be NULL) is read. */
o2w_status convert_lower_options(const o2w_convert_options *o, const char *path, struct arena *a,
                                 struct diags *d, struct lower_options *out);
/* Where a model comes from: a file, or bytes with the folder of their external data (NULL: none). With both a path and bytes
 * the path is that of the sidecar alone. */
struct model_source {
    const char *path;
    struct span bytes;
    const char *folder;
    bool carry_ports; /* as legalise_options has it: for emitters */
};

/* Opens, lowers and names; nothing is written. */
o2w_status convert_open(const struct model_source *from, const o2w_convert_options *o,
                        struct diags *d, o2w_conversion **out);
o2w_status convert_open_file(const char *path, const o2w_convert_options *o, struct diags *d,
                             o2w_conversion **out);

/* What a conversion writes beside each other. */
struct output_paths {
    const char *graph;
    const char
        *archive; /* file name that was asked for; NULL: <graph stem>.safetensors, made anew */
    const char *archive_path, *record;
};

/* Where --output and --weights lead, by cli 6.2: <folder>/<stem>.webnn or the file itself. Touches
 * nothing. O2W_USAGE for paths that are none. */
o2w_status output_plan(const o2w_convert_options *o, const char *model, struct arena *a,
                       struct diags *d, struct output_paths *out);
/* The other paths, from those of graph and archive. */
o2w_status output_complete(struct arena *a, struct diags *d, struct output_paths *p);
o2w_status output_make_folder(const struct output_paths *p, struct arena *a, struct diags *d);
/* With another extension. NULL when memory is out. */
const char *path_with_extension(const char *path, const char *extension, struct arena *a);

/* `<stem>-<key>` of a model in the caches, by cli 6.3. */
o2w_status cache_name(const char *model, struct arena *a, struct diags *d, const char **out);
o2w_status cache_folder(o2w_cache kind, bool create, struct arena *a, struct diags *d,
                        const char **out);
/* Copies model and external data as <name>.onnx and <name>.onnx.data into the ONNX cache. */
o2w_status cache_source(const struct onnx_model *m, const char *name, bool sync, struct arena *a,
                        struct diags *d, const char **out);

#endif
