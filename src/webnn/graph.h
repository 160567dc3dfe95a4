/* The only graph IR: operands, operators, weights. Flat arrays and 32-bit ids; immutable once built. */
#ifndef WEBNN_GRAPH_H
#define WEBNN_GRAPH_H

#include "webnn/carried.h"
#include "webnn/infer.h"
#include "webnn/weight.h"

typedef uint32_t operand_id;
typedef uint32_t operator_id;
enum { NO_ID = UINT32_MAX };

enum operand_kind { OPERAND_INPUT, OPERAND_CONSTANT, OPERAND_RESULT };

struct operand {
    enum operand_kind kind;
    enum dtype dtype;
    uint32_t rank;
    const dim *dims; /* in the graph's arena */
    uint32_t source; /* index into inputs, a weight_id, or an operator_id */
    uint32_t result_index;
    name_id identifier; /* as it stood in a graph file; 0: none */
    name_id original;   /* its name in the source model; 0: none */
};

struct operator_node {
    enum webnn_operator kind;
    uint32_t operand_count, result_count;
    const operand_id *operands; /* by slot; NO_ID = absent; variadic ones follow */
    operand_id first_result;    /* results have consecutive ids */
    const void *attributes;     /* resolved, in the graph's arena */
    name_id label;
};

/* Also a pin. */
struct graph_dim {
    name_id name;
    int64_t value;
};
typedef VEC(struct graph_dim) graph_dim_list;

struct graph_text {
    name_id key, value;
};

struct graph_bound {
    name_id output;
    int64_t value;
};

/* Class names of an output. */
struct graph_labels {
    operand_id operand;
    bool strings;
    uint32_t count;
    const name_id *texts;
    const int64_t *integers;
};

struct graph_output {
    name_id name; /* the binding */
    operand_id operand;
};

struct graph {
    const o2w_allocator *allocator;
    struct arena arena;
    struct names names;
    struct exprs *exprs;
    name_id name;
    uint32_t version; /* of the file it was read from; 0: none */
    bool quantized;   /* the flag as read */
    VEC(struct operand) operands;
    VEC(struct operator_node) operators; /* in topological order */
    VEC(struct weight) weights;
    VEC(operand_id) inputs;
    VEC(operand_id) constants; /* in order of creation */
    VEC(struct graph_output) outputs;
    /* Without repetition, either way round. kind WEBNN_OPERATOR_COUNT: the text of an input's dim name
     * reads as an expression over the other names, and must equal it. */
    VEC(struct constraint) constraints;
    /* what the conversion fixed; written as directives */
    graph_dim_list dims;
    graph_dim_list pins;
    VEC(name_id) kept;
    VEC(struct graph_bound) bounds;
    VEC(struct graph_labels) labels;
    VEC(struct graph_text) meta;
    name_id subgraph, archive;
    VEC(struct graph_carried) carried;
};

o2w_status graph_create(const o2w_allocator *allocator, struct graph **out);
void graph_free(struct graph *g); /* NULL is fine */

static inline const struct operand *graph_operand(const struct graph *g, operand_id id)
{
    return &g->operands.items[id];
}
static inline const struct weight *graph_weight(const struct graph *g, operand_id constant)
{
    return &g->weights.items[g->operands.items[constant].source];
}
void graph_descriptor(const struct graph *g, operand_id id, struct descriptor *out);

/* Best name for messages: original, identifier, else "operand_<id>". In the arena given. */
struct span graph_operand_name(const struct graph *g, operand_id id, struct arena *a);
/* The input or output of that name: original name, then identifier; NO_ID when there is none. */
operand_id graph_find_input(const struct graph *g, struct span name);
operand_id graph_find_output(const struct graph *g, struct span name);
bool graph_has_dynamic_dims(const struct graph *g);
/* The value of a constant as one block: the mapping itself where nothing has to change and it is
 * aligned, else computed into the arena. *out->data is read-only. Several threads may ask for values
 * of one graph that was built. */
o2w_status graph_constant(const struct graph *g, operand_id id, struct arena *a, struct diags *d,
                          struct tensor *out);

#endif
