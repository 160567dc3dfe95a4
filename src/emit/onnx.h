/* A graph as an ONNX model: what was collected, and its files as pieces that are not joined in memory. */
#ifndef EMIT_ONNX_H
#define EMIT_ONNX_H

#include "emit/emit.h"
#include "nodes/sink.h"
#include "wire/writer.h"

/* Smaller constants stand in the model always, lists of int64 up to another size. */
enum { ONNX_INLINE_LIMIT = 1024, ONNX_LIST_LIMIT = 1 << 20 };

struct made_port {
    const char *value;
    struct span name;
    enum dtype dtype;
    uint32_t rank;
    const int64_t *dims;
    const char *const *symbols; /* NULL: none */
};

struct made_constant {
    const char *value;
    struct tensor tensor;
};

struct made_node {
    const char *op, *domain;
    struct span label;
    const char *const *inputs, *const *outputs;
    size_t input_count, output_count;
    struct span attributes; /* whole fields of the node */
};

struct made_title {
    const char *value;
    struct span name;
};

/* Everything that a sink is told. */
struct made_parts {
    struct arena *arena;
    VEC(struct made_port) inputs;
    VEC(struct made_port) outputs;
    VEC(struct made_constant) constants;
    VEC(struct made_node) nodes;
    VEC(struct made_title) titles;
    bool microsoft; /* an operator of com.microsoft is there */
};

void made_parts_init(struct made_parts *p, struct arena *arena);
void made_parts_free(struct made_parts *p);
struct model_sink made_parts_sink(struct made_parts *p);

/* Names in the file. Inputs and outputs have those of the graph, which must differ: model.name. Other values
 * have them where nothing else has, else the one they were made with. */
struct made_names {
    struct arena *arena;
    struct diags *diags;
    struct map finals; /* value to its name's index */
    struct map taken, labels;
    VEC(struct span) names;
};

/* Whether a file of protobuf can hold it as a name. */
bool made_text(struct span name);
void made_names_init(struct made_names *n, struct arena *arena, struct diags *d);
void made_names_free(struct made_names *n);
o2w_status made_names_assign(struct made_names *n, const struct made_parts *p);
/* The name of a value; "" stays. */
o2w_status made_name(struct made_names *n, const char *value, struct span *out);
/* A node's own name: its label, else its operator's, numbered where it repeats. */
o2w_status made_node_name(struct made_names *n, const struct made_node *node, struct span *out);

#endif
