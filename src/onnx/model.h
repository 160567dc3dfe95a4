/* A zero-copy view of an ONNX model: flat arrays in one arena, texts and payloads where they lie in
 * the mapped file. Read-only after opening; lives until onnx_model_close.
 *
 * What opened is well-formed: every name used is defined, no scope defines a name twice, nodes are
 * in topological order, domains are imported, calls of functions end. See onnx/open.h. */
#ifndef ONNX_MODEL_H
#define ONNX_MODEL_H

#include "base/intern.h"
#include "onnx/attribute.h"

/* In metadata_props, in file order. */
struct onnx_entry {
    struct span key, value;
};

struct onnx_opset {
    struct span domain; /* "ai.onnx" for "" */
    int64_t version;
};

/* A graph input or output, or what the file claims about a value inside. */
struct onnx_value_info {
    name_id name;
    struct onnx_type type;
    /* Of an input of the main graph: 1 + the place of its initializer, sparse ones behind the others; 0: none. */
    uint32_t initializer;
};

struct onnx_node {
    struct span name; /* may be empty: see onnx_at_node */
    struct span op_type;
    struct span domain; /* "ai.onnx" for "" */
    struct span overload;
    const name_id *inputs, *outputs; /* 0: absent */
    const struct onnx_attribute *attributes;
    const struct onnx_function *function; /* of the model that this calls; else NULL */
    uint32_t input_count, output_count, attribute_count;
    uint32_t index; /* place in the file */
    int64_t opset;  /* imported version of its domain; 0 for a call of a function without import */
};

/* The main graph, the body of a control-flow operator, or the body of a function. */
struct onnx_graph {
    struct span name, doc;
    const struct onnx_graph *parent; /* around this one; NULL: main graph, function body */
    struct onnx_value_info *inputs;  /* as nodes: not changed after opening */
    const struct onnx_value_info *outputs, *value_infos;
    const struct onnx_tensor *initializers;
    const struct onnx_sparse_tensor *sparse_initializers; /* named by their values */
    struct onnx_node *nodes; /* topological; in file order as far as that allows */
    const name_id *captures; /* names used in here or deeper but defined further out, each once */
    uint32_t input_count, output_count, value_info_count;
    uint32_t initializer_count, sparse_initializer_count;
    uint32_t node_count, capture_count;
};

struct onnx_function {
    struct span domain, name, overload, doc;
    const struct span *attributes;         /* names that a call may give, without default */
    const struct onnx_attribute *defaults; /* attribute_proto: names with their defaults */
    const struct onnx_opset *opsets;
    uint32_t attribute_count, default_count, opset_count;
    struct onnx_graph body; /* inputs and outputs have names but no types */
};

struct onnx_model {
    int64_t ir_version, model_version;
    struct span producer_name, producer_version, domain, doc;
    const struct onnx_opset *opsets;
    const struct onnx_entry *metadata;
    struct onnx_function *functions; /* as nodes: not changed after opening */
    struct onnx_graph graph;
    uint32_t opset_count, metadata_count, function_count;
    uint32_t name_count; /* name ids are below it */
    bool has_training_info;
    const struct span *names; /* texts of name ids; in the file. Id 0 is "" */
    struct file *file;
    struct onnx_store *store; /* external files, decoded payloads: onnx/tensor.h */
};

/* The text of a value's name. */
static inline struct span onnx_name(const struct onnx_model *m, name_id id)
{
    return m->names[id];
}

/* The imported version of a domain ("" is "ai.onnx") in the main graph (function NULL) or in a
 * function; 0 when it is not imported. */
int64_t onnx_opset_version(const struct onnx_model *m, const struct onnx_function *f,
                           struct span domain);
/* The attribute of that name; NULL when the node does not have it. */
const struct onnx_attribute *onnx_node_attribute(const struct onnx_node *n, const char *name);

/* The version of the operator that its import means, as published: an import of 17 is Relu 14. Where it
 * is not known, the import's. */
int64_t onnx_node_version(const struct onnx_node *n);

struct diags;
/* "at: node 'n' (Op, domain version)" for the newest diagnostic, with the node as its subject. A node
 * without a name shows as 'Op#index' with its first output. `what` follows as it is, for instance
 * " attribute 'axis'" or ": no random operator"; may be NULL. */
void onnx_at_node(struct diags *d, const struct onnx_model *m, const struct onnx_node *n,
                  const char *what);

#endif
