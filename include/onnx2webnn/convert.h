/* ONNX models to WebNN graphs. */
#ifndef ONNX2WEBNN_CONVERT_H
#define ONNX2WEBNN_CONVERT_H

#include <onnx2webnn/webnn.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct o2w_dim {
    const char *name;
    int64_t value;
} o2w_dim;

typedef struct o2w_pin {
    const char *name;
    int64_t value;
    bool is_bool; /* was written as true or false */
} o2w_pin;

/* Zero is every default. Everything is borrowed for the call. */
typedef struct o2w_convert_options {
    size_t size;
    const o2w_dim *dims; /* --override-dim: a later one of the same name holds */
    size_t dim_count;
    const o2w_dim *max_dims; /* bounds of dynamic dims */
    size_t max_dim_count;
    const o2w_pin *pins;
    size_t pin_count;
    bool constant_folding, dynamic_inputs, allow_missing_external_data, keep_inputs,
        assume_known_categories;
    const char *subgraph;  /* NODE.ATTR */
    const o2w_dim *bounds; /* node name → bound */
    size_t bound_count;
    uint32_t unroll_loop, unroll_scan, unroll_steps; /* 0: 4096, 4096, 2048 */
    const char *target;                              /* name or file of limits; NULL: none */
    const char *const *assume_int32;
    size_t assume_int32_count;
    webnn_names names;
    const char *output;        /* .webnn file or folder; NULL: nothing is written */
    const char *weights;       /* archive in the graph's folder, added to */
    bool record;               /* write the conversion record too */
    const char *source_sha256; /* of the model's bytes, where it is known: kept in the record */
    bool no_source_copy;       /* o2w_convert_cached only */
    bool sync;
    unsigned threads;
    const o2w_environment *environment;
} o2w_convert_options;

typedef struct o2w_conversion o2w_conversion;

/* Model file → conversion; written to options->output where that is given. Warnings and notes are in
 * the conversion's diagnostics. */
O2W_API o2w_status o2w_convert_file(const char *path, const o2w_convert_options *options,
                                    o2w_conversion **out, o2w_error **error);
/* From memory, which is borrowed until the conversion and its graph are freed. External data only
 * when a folder is given. */
O2W_API o2w_status o2w_convert_bytes(const void *bytes, size_t size, const char *folder,
                                     const o2w_convert_options *options, o2w_conversion **out,
                                     o2w_error **error);
/* Into the cache: graph, archive, record, copy of the source. options->output is ignored. */
O2W_API o2w_status o2w_convert_cached(const char *path, const o2w_convert_options *options,
                                      o2w_conversion **out, o2w_error **error);
O2W_API void o2w_conversion_free(o2w_conversion *conversion);

/* Moves the graph out; a second call gives NULL. */
O2W_API webnn_graph *o2w_conversion_take_graph(o2w_conversion *conversion);

typedef struct o2w_port {
    const char *name;       /* in the model */
    const char *graph_name; /* identifier in the file; NULL when it is not part of the graph */
    const char *model_type; /* "bool", "float64" … */
    const char *graph_type;
    webnn_descriptor descriptor;           /* dims WEBNN_DYNAMIC where open */
    const char *dim_names[WEBNN_MAX_RANK]; /* expression of each open dim, NULL for sizes */
    int64_t dim_maxima[WEBNN_MAX_RANK];
    bool pinned, pruned, kept, empty;
    int64_t pin;
} o2w_port;

O2W_API size_t o2w_conversion_input_count(const o2w_conversion *c);
O2W_API size_t o2w_conversion_output_count(const o2w_conversion *c);
O2W_API bool o2w_conversion_input(const o2w_conversion *c, size_t index, o2w_port *out);
O2W_API bool o2w_conversion_output(const o2w_conversion *c, size_t index, o2w_port *out);

typedef struct o2w_resolved_dim {
    const char *name;
    int64_t value;
    const char *from; /* "cli", "sidecar", "metadata", "expression", "default" */
} o2w_resolved_dim;

O2W_API size_t o2w_conversion_dim_count(const o2w_conversion *c);
O2W_API bool o2w_conversion_dim(const o2w_conversion *c, size_t index, o2w_resolved_dim *out);
/* Warnings and notes; lives as long as the conversion; NULL when there are none. */
O2W_API const o2w_error *o2w_conversion_diagnostics(const o2w_conversion *c);

typedef struct o2w_conversion_counts {
    size_t size;
    uint64_t nodes, operators, weights, weight_bytes, graph_bytes, archive_bytes;
} o2w_conversion_counts;

O2W_API void o2w_conversion_count(const o2w_conversion *c, o2w_conversion_counts *out);

typedef enum o2w_written {
    O2W_WRITTEN_GRAPH,
    O2W_WRITTEN_WEIGHTS,
    O2W_WRITTEN_RECORD,
    O2W_WRITTEN_SOURCE
} o2w_written;
/* Path of what was written; NULL when it was not. */
O2W_API const char *o2w_conversion_path(const o2w_conversion *c, o2w_written what);

typedef enum o2w_cache { O2W_CACHE_WEBNN, O2W_CACHE_ONNX } o2w_cache;
/* The cache folder (created when `create`); freed by webnn_text_free. */
O2W_API o2w_status o2w_cache_folder(o2w_cache kind, bool create, char **path, o2w_error **error);
/* Where o2w_convert_cached puts the graph of a model; freed by webnn_text_free. */
O2W_API o2w_status o2w_cached_graph(const char *model, char **path, o2w_error **error);

/* --- Inspection ------------------------------------------------------------------------------------ */

typedef struct o2w_inspect_options {
    size_t size;
    const o2w_convert_options *convert; /* dims, pins … as convert would have them */
    const char *weights;
    const char *backend; /* also what its limits refuse */
    bool nodes, constants;
    o2w_error **notes; /* where to put warnings and notes of a success; may be NULL */
} o2w_inspect_options;

/* A summary of a model, graph, graph JSON or archive, as text or JSON of the command's form; freed by
 * webnn_text_free. */
O2W_API o2w_status o2w_inspect_text(const char *path, const o2w_inspect_options *options,
                                    char **text, o2w_error **error);
O2W_API o2w_status o2w_inspect_json(const char *path, const o2w_inspect_options *options,
                                    char **text, o2w_error **error);

/* --- Emission -------------------------------------------------------------------------------------- */

typedef enum o2w_emit_kind {
    O2W_EMIT_JS,   /* an ES module, with its declarations and weights beside it */
    O2W_EMIT_HTML, /* a page that shows the graph and runs it */
    O2W_EMIT_JSON, /* the graph file's JSON form */
    O2W_EMIT_TEXT, /* canonical .webnn */
    O2W_EMIT_DOT,  /* for Graphviz */
    O2W_EMIT_SVG,  /* a picture */
    O2W_EMIT_ONNX  /* the ONNX model that engine onnx runs, with weights beside it */
} o2w_emit_kind;

typedef enum o2w_weight_data {
    O2W_WEIGHT_DATA_EXTERNAL, /* in an archive beside the file */
    O2W_WEIGHT_DATA_INLINE,
    O2W_WEIGHT_DATA_NONE
} o2w_weight_data;

typedef struct o2w_emit_options {
    size_t size;
    const o2w_convert_options *convert; /* models: as convert would have them; target: graphs too */
    const char *weights;                /* archive of a graph */
    const char *output; /* file; NULL: nothing is written, the text or bytes are handed out */
    o2w_weight_data weight_data;
    uint64_t max_nodes; /* of a picture; 0: 20000 */
    o2w_error **notes;  /* where to put warnings and notes of a success; may be NULL */
    const o2w_environment *environment;
} o2w_emit_options;

/* A graph or model file in another form. *text and *text_size are set when options->output is NULL; freed by
 * webnn_text_free. Files appear whole, those that others refer to first. */
O2W_API o2w_status o2w_emit_file(const char *path, o2w_emit_kind kind,
                                 const o2w_emit_options *options, char **text, size_t *text_size,
                                 o2w_error **error);

/* --- Catalog --------------------------------------------------------------------------------------- */

typedef enum o2w_operator_class {
    O2W_CLASS_DIRECT,
    O2W_CLASS_COMPOSED,
    O2W_CLASS_STATIC,
    O2W_CLASS_BOUNDED,
    O2W_CLASS_REFUSED,
    O2W_CLASS_UNKNOWN /* published, without a row */
} o2w_operator_class;

/* Attributes, inputs, outputs and dtypes of the published versions: what becomes of each. */
typedef struct o2w_cells {
    uint32_t honoured, refused, unhandled;
} o2w_cells;

/* A row: one behaviour of an operator in a range of versions. Static texts. */
typedef struct o2w_operator_info {
    const char *domain, *name;
    int since, until; /* until 0: no end */
    o2w_operator_class op_class;
    bool partial;                       /* something of the published form is refused */
    const char *webnn, *notes, *reason; /* NULL where there is nothing to say */
    const char *refused; /* attributes, inputs and dtypes of the published form; NULL: none */
    uint32_t input_count, output_count, attribute_count;
    o2w_cells cells;
} o2w_operator_info;

/* The rows and the published names without one, sorted by domain (ai.onnx first), name, version. */
O2W_API size_t o2w_operator_count(void);
O2W_API bool o2w_operator_at(size_t index, o2w_operator_info *out);
/* Cases of the test lists that pass on a backend (NULL: cpu) for that row. */
O2W_API uint32_t o2w_operator_tested(size_t index, const char *backend);

typedef struct o2w_operator_slot {
    const char *name;
    bool required, variadic, known; /* known: must be a constant, or computed from constants */
    char data_types[256];           /* with blanks between; empty: whatever the inputs give */
} o2w_operator_slot;

typedef struct o2w_operator_attribute {
    const char *name, *type; /* "int", "floats", "tensor" … */
    bool required, ignored;
    const char *allowed; /* with blanks between; NULL: the lowering judges */
} o2w_operator_attribute;

/* Parts of a row by position; false outside. */
O2W_API bool o2w_operator_input(size_t index, size_t slot, o2w_operator_slot *out);
O2W_API bool o2w_operator_output(size_t index, size_t slot, o2w_operator_slot *out);
O2W_API bool o2w_operator_attribute_at(size_t index, size_t attribute, o2w_operator_attribute *out);

/* A domain, counted by names that are not deprecated at the newest known opset, by the newest row. */
typedef struct o2w_domain_info {
    const char *domain;
    int opset;
    uint32_t total, by_class[O2W_CLASS_UNKNOWN + 1];
    uint32_t full, partial;
    o2w_cells cells; /* of all versions */
    uint32_t tested;
} o2w_domain_info;

O2W_API bool o2w_domain_at(size_t index, const char *backend, o2w_domain_info *out);

#ifdef __cplusplus
}
#endif

#endif
