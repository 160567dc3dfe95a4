/* WebNN in C: contexts, graphs, tensors, dispatch, files. Names follow the specification
 * (https://www.w3.org/TR/webnn/); the operators' attributes are in webnn_operators.h.
 *
 * Objects are opaque and freed by their …_free, which takes NULL. Different objects may be used on
 * different threads; one object by one thread at a time; a built graph is immutable and may be
 * shared. A context serialises its dispatches. Freeing a context invalidates its compiled graphs and
 * tensors: later calls with them give O2W_INVALID_STATE. The last parameter of a call that can fail
 * receives an owned error (common.h) and may be NULL. */
#ifndef ONNX2WEBNN_WEBNN_H
#define ONNX2WEBNN_WEBNN_H

#include <onnx2webnn/webnn_calls.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct webnn_context webnn_context;
typedef struct webnn_graph webnn_graph;
typedef struct webnn_tensor webnn_tensor;

/* dtype and shape. dims >= 0 are sizes; a dynamic dim is given by its name where a call takes names,
 * and reads as WEBNN_DYNAMIC. */
enum { WEBNN_DYNAMIC = -1 };
typedef struct webnn_descriptor {
    enum webnn_data_type data_type;
    uint32_t rank;
    int64_t dims[WEBNN_MAX_RANK];
} webnn_descriptor;

/* --- Backends ------------------------------------------------------------------------------------ */

typedef struct webnn_option {
    const char *key, *value;
} webnn_option;

typedef struct webnn_backend_option {
    const char *key, *values, *fallback, *help;
} webnn_backend_option;

/* A compiled-in backend. Static data. */
typedef struct webnn_backend_info {
    size_t size;
    const char *name, *summary, *needs, *get_it;
    bool dynamic; /* runs graphs with open dims */
    const webnn_backend_option *options;
    size_t option_count;
} webnn_backend_info;

O2W_API const webnn_backend_info *webnn_backends(size_t *count);
/* By name or alias; NULL when there is none. */
O2W_API const webnn_backend_info *webnn_backend_find(const char *name);
/* All ids that are known, aliases and those that are not compiled in too (webnn_backend_find gives NULL
 * for them); NULL behind the last. */
O2W_API const char *webnn_backend_id(size_t index);

/* What probing found: owned, freed by webnn_probe_free. */
typedef struct webnn_probe webnn_probe;
/* O2W_OK with available backends only; else everything searched and the reason are in *error. */
O2W_API o2w_status webnn_backend_probe(const char *name, const o2w_environment *environment,
                                       webnn_probe **out, o2w_error **error);
O2W_API const char *webnn_probe_engine(const webnn_probe *p);  /* "ONNX Runtime", NULL for `cpu` */
O2W_API const char *webnn_probe_version(const webnn_probe *p); /* NULL where there is none */
O2W_API const char *webnn_probe_library(const webnn_probe *p);
O2W_API size_t webnn_probe_device_count(const webnn_probe *p);
O2W_API const char *webnn_probe_device(const webnn_probe *p, size_t index);
O2W_API void webnn_probe_free(webnn_probe *p);

/* --- Contexts ------------------------------------------------------------------------------------ */

typedef enum webnn_power {
    WEBNN_POWER_DEFAULT,
    WEBNN_POWER_HIGH_PERFORMANCE,
    WEBNN_POWER_LOW
} webnn_power;

typedef struct webnn_context_options {
    size_t size;
    const char *backend;          /* NULL: "cpu" */
    webnn_power power_preference; /* low: also no memory for speed alone */
    bool not_accelerated;         /* accelerated is the default */
    unsigned threads;             /* 0: cores available */
    const webnn_option *options;
    size_t option_count;
    bool require_backend; /* refuse a build that leaves nodes to another provider */
    const o2w_environment *environment;
} webnn_context_options;

O2W_API o2w_status webnn_context_create(const webnn_context_options *options, webnn_context **out,
                                        o2w_error **error);
O2W_API void webnn_context_free(webnn_context *context);
O2W_API const webnn_backend_info *webnn_context_backend(const webnn_context *context);
/* A backend's limits in the form of opSupportLimits(), as JSON; freed by webnn_text_free. */
O2W_API o2w_status webnn_backend_limits_json(const char *backend, char **text, o2w_error **error);
/* The same of the context's backend. */
O2W_API o2w_status webnn_context_limits(const webnn_context *context, char **text,
                                        o2w_error **error);
O2W_API void webnn_text_free(char *text);

typedef struct webnn_limits {
    size_t size;
    uint32_t min_dimension, max_rank;
    uint64_t max_tensor_bytes;
    enum webnn_input_layout preferred_layout;
} webnn_limits;

typedef struct webnn_slot_limits {
    uint32_t data_types; /* 1 << enum webnn_data_type */
    uint32_t rank_min, rank_max;
} webnn_slot_limits;

/* Fills what limits->size has room for. */
O2W_API void webnn_context_limit_values(const webnn_context *context, webnn_limits *limits);
/* What a slot takes: operands in the order of webnn_op, then results. False: the backend has no such
 * operator, or the operator no such slot. */
O2W_API bool webnn_context_slot_limits(const webnn_context *context, enum webnn_operator kind,
                                       size_t slot, webnn_slot_limits *out);
/* Returns when all dispatches so far are done. */
O2W_API o2w_status webnn_wait(webnn_context *context, o2w_error **error);

/* --- Building ------------------------------------------------------------------------------------ */

/* A builder records one graph. Over a context it is held to that backend's limits; with NULL to the
 * library's own, which need no backend. After webnn_builder_build every call is O2W_INVALID_STATE. A
 * call that fails leaves the builder as it was. */
O2W_API o2w_status webnn_builder_create(webnn_context *context, const o2w_environment *environment,
                                        webnn_builder **out, o2w_error **error);
O2W_API void webnn_builder_free(webnn_builder *builder);

/* An input. Names are non-empty and unique. dim_names (may be NULL) names the dynamic dims: where
 * dim_names[i] is not NULL, descriptor->dims[i] is its maximum. */
O2W_API o2w_status webnn_input(webnn_builder *builder, const char *name,
                               const webnn_descriptor *descriptor, const char *const *dim_names,
                               webnn_operand *out, o2w_error **error);
/* A constant over bytes in storage order; copied, or borrowed until the graph is freed. */
O2W_API o2w_status webnn_constant(webnn_builder *builder, const webnn_descriptor *descriptor,
                                  const void *data, size_t size, bool borrowed, webnn_operand *out,
                                  o2w_error **error);
/* A scalar, converted with saturation; integers drop the fraction, floats round half to even. */
O2W_API o2w_status webnn_constant_scalar(webnn_builder *builder, enum webnn_data_type type,
                                         struct webnn_number value, webnn_operand *out,
                                         o2w_error **error);
/* Operators are recorded by webnn_op and the calls of webnn_calls.h. */

/* The bytes of a tensor of webnn_tensor_create_constant, which may be freed afterwards. */
O2W_API o2w_status webnn_constant_tensor(webnn_builder *builder, webnn_tensor *tensor,
                                         webnn_operand *out, o2w_error **error);
/* dtype and shape of an operand. */
O2W_API o2w_status webnn_operand_descriptor(const webnn_builder *builder, webnn_operand operand,
                                            webnn_descriptor *out, o2w_error **error);

typedef struct webnn_named_operand {
    const char *name;
    webnn_operand operand;
} webnn_named_operand;

/* Ends recording. Over a context the graph is compiled too. */
O2W_API o2w_status webnn_builder_build(webnn_builder *builder, const webnn_named_operand *outputs,
                                       size_t count, webnn_graph **out, o2w_error **error);

/* --- Graphs -------------------------------------------------------------------------------------- */

typedef struct webnn_load_options {
    size_t size;
    const char *weights; /* archive; NULL: found beside the graph */
    bool strict;         /* dialects of other writers are errors */
    const o2w_environment *environment;
} webnn_load_options;

typedef enum webnn_names { WEBNN_NAMES_INTERFACE, WEBNN_NAMES_NONE, WEBNN_NAMES_ALL } webnn_names;

typedef struct webnn_save_options {
    size_t size;
    webnn_names names;
    bool json;           /* else by the extension: .json is JSON, all others text */
    const char *archive; /* file name in the graph's folder; NULL: <stem>.safetensors */
    bool add_to_archive;
    bool sync;
} webnn_save_options;

/* `.webnn` or JSON by content. */
O2W_API o2w_status webnn_graph_load(const char *path, const webnn_load_options *options,
                                    webnn_graph **out, o2w_error **error);
O2W_API o2w_status webnn_graph_load_bytes(const void *text, size_t size,
                                          const webnn_load_options *options, webnn_graph **out,
                                          o2w_error **error);
O2W_API o2w_status webnn_graph_save(const webnn_graph *graph, const char *path,
                                    const webnn_save_options *options, o2w_error **error);
O2W_API void webnn_graph_free(webnn_graph *graph);
/* Makes the graph dispatchable on the context; it may be compiled for one context at a time. */
O2W_API o2w_status webnn_graph_compile(webnn_context *context, webnn_graph *graph,
                                       o2w_error **error);
/* Nodes the backend ran of all it made; false when the engine cannot say. */
O2W_API bool webnn_graph_placement(const webnn_graph *graph, uint64_t *on_backend, uint64_t *nodes);

typedef struct webnn_port {
    const char *name;       /* original name in the source model, else the identifier */
    const char *identifier; /* in the graph file; NULL when it was not read from one */
    webnn_descriptor descriptor;
    const char *dim_names[WEBNN_MAX_RANK]; /* expression of each dynamic dim, NULL for sizes */
    int64_t dim_maxima[WEBNN_MAX_RANK];
} webnn_port;

O2W_API size_t webnn_graph_input_count(const webnn_graph *graph);
O2W_API size_t webnn_graph_output_count(const webnn_graph *graph);
/* Texts live as long as the graph. False outside. */
O2W_API bool webnn_graph_input(const webnn_graph *graph, size_t index, webnn_port *out);
O2W_API bool webnn_graph_output(const webnn_graph *graph, size_t index, webnn_port *out);
O2W_API size_t webnn_graph_operator_count(const webnn_graph *graph);
O2W_API size_t webnn_graph_constant_count(const webnn_graph *graph);
/* Which operand a constant is, and its size in bytes. False outside. */
O2W_API bool webnn_graph_constant(const webnn_graph *graph, size_t index, webnn_operand *operand,
                                  uint64_t *bytes);
/* Its bytes in storage order; size must be its own. */
O2W_API o2w_status webnn_graph_constant_read(const webnn_graph *graph, size_t index, void *data,
                                             size_t size, o2w_error **error);
O2W_API uint64_t webnn_graph_weight_bytes(const webnn_graph *graph);

typedef struct webnn_node {
    enum webnn_operator kind;
    const char *name, *label; /* "conv2d" */
    const void *attributes;   /* the operator's struct, resolved */
    const webnn_operand *operands;
    size_t operand_count, result_count;
    webnn_operand first_result; /* results are consecutive */
} webnn_node;

O2W_API bool webnn_graph_node(const webnn_graph *graph, size_t index, webnn_node *out);
/* "conv2d"; NULL outside. */
O2W_API const char *webnn_operator_name(enum webnn_operator kind);
O2W_API bool webnn_graph_operand(const webnn_graph *graph, webnn_operand operand,
                                 webnn_descriptor *out);

/* --- Tensors and dispatch -------------------------------------------------------------------------- */

typedef struct webnn_tensor_options {
    size_t size;
    bool readable, writable;
    /* Adopt: the caller's memory, aligned to 64 bytes for engines that need it; released by `release`
     * when the tensor is freed. NULL: the tensor's own memory, zeroed. */
    void *data;
    void (*release)(void *user, void *data);
    void *user;
} webnn_tensor_options;

O2W_API o2w_status webnn_tensor_create(webnn_context *context, const webnn_descriptor *descriptor,
                                       const webnn_tensor_options *options, webnn_tensor **out,
                                       o2w_error **error);
/* A tensor for webnn_constant_tensor alone, of any builder over the context. */
O2W_API o2w_status webnn_tensor_create_constant(webnn_context *context,
                                                const webnn_descriptor *descriptor,
                                                const void *data, size_t size, webnn_tensor **out,
                                                o2w_error **error);
/* Other dims for what was created, where they fit its first size: its bytes stay, in storage order. */
O2W_API o2w_status webnn_tensor_resize(webnn_tensor *tensor, const int64_t *dims, uint32_t rank,
                                       o2w_error **error);
O2W_API void webnn_tensor_free(webnn_tensor *tensor);
O2W_API o2w_status webnn_tensor_write(webnn_tensor *tensor, const void *data, size_t size,
                                      o2w_error **error);
/* Waits for dispatches that write it. */
O2W_API o2w_status webnn_tensor_read(webnn_tensor *tensor, void *data, size_t size,
                                     o2w_error **error);
O2W_API bool webnn_tensor_descriptor(const webnn_tensor *tensor, webnn_descriptor *out);

typedef struct webnn_named_tensor {
    const char *name;
    webnn_tensor *tensor;
} webnn_named_tensor;

/* Checks everything before any work: names exactly the graph's, dtypes, shapes, sizes of dynamic dims
 * and their constraints, no tensor twice. Output tensors have the shapes that the inputs give. */
O2W_API o2w_status webnn_dispatch(webnn_context *context, webnn_graph *graph,
                                  const webnn_named_tensor *inputs, size_t input_count,
                                  const webnn_named_tensor *outputs, size_t output_count,
                                  o2w_error **error);
/* The shape that output `index` has for these input shapes. */
O2W_API o2w_status webnn_output_shape(const webnn_graph *graph, const webnn_descriptor *inputs,
                                      size_t input_count, size_t index, webnn_descriptor *out,
                                      o2w_error **error);

#ifdef __cplusplus
}
#endif

#endif
