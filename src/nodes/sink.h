/* Where a model in ONNX operators goes while it is made: ONNX Runtime's model editor, or a file. */
#ifndef NODES_SINK_H
#define NODES_SINK_H

#include "base/diag.h"
#include "tensor/tensor.h"

struct sink_opset {
    const char *domain;
    int version;
};

enum sink_attribute_kind {
    SINK_INT,
    SINK_INTS,
    SINK_FLOAT,
    SINK_FLOATS,
    SINK_STRING,
    SINK_STRINGS
};

struct sink_attribute {
    const char *name;
    enum sink_attribute_kind kind;
    const void *data; /* int64_t, float, characters, or const char * */
    size_t count;     /* elements; characters of a string */
};

struct sink_node {
    const char *op, *domain;
    const char *name;          /* no other node has it */
    struct span label;         /* what the graph calls the operator; may be empty, may repeat */
    const char *const *inputs; /* "" for one that is left out */
    size_t input_count;
    const char *const *outputs;
    size_t output_count;
    const struct sink_attribute *attributes;
    size_t attribute_count;
};

/* An input or output. Dims below 0 are open; symbols name them (NULL: no names; equal names are one size). */
struct sink_port {
    const char *value; /* in the model being made */
    struct span name;  /* in the graph */
    enum dtype dtype;
    uint32_t rank;
    const int64_t *dims;
    const char *const *symbols;
};

/* Values are known by texts that stay until the model is finished, and so do the bytes of constants. All
 * else is borrowed for the call. */
struct model_sink {
    void *self;
    o2w_status (*input)(void *self, const struct sink_port *port, struct diags *d);
    o2w_status (*output)(void *self, const struct sink_port *port, struct diags *d);
    o2w_status (*constant)(void *self, const char *value, const struct tensor *t, struct diags *d);
    o2w_status (*node)(void *self, const struct sink_node *node, struct diags *d);
    /* What the graph calls a value, after all else; NULL: nobody wants to know. */
    o2w_status (*name)(void *self, const char *value, struct span name, struct diags *d);
};

#endif
