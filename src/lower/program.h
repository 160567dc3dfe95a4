/* Lowering a whole model: the only bridge from onnx to webnn. */
#ifndef LOWER_PROGRAM_H
#define LOWER_PROGRAM_H

#include "lower/dims.h"
#include "webnn/graph.h"

struct lower_pin {
    struct span name;
    int64_t value;
    bool is_bool; /* written as true or false */
};

struct lower_bound {
    struct span node;
    int64_t value;
};

/* Zero is every default. All borrowed for the call. */
struct lower_options {
    const struct dims_request *dims; /* bindings and the list of sources; NULL: none */
    const struct lower_pin *pins;
    size_t pin_count;
    bool constant_folding;
    bool keep_inputs;
    const char *subgraph; /* NODE.ATTR */
    const struct lower_bound *bounds;
    size_t bound_count;
    bool assume_known_categories;
    uint32_t unroll_loop, unroll_scan, unroll_steps; /* 0: 4096, 4096, 2048 */
    bool keep_metadata;
    unsigned threads;
};

struct lower_port {
    struct span name;             /* in the model */
    enum dtype model, graph;      /* dtype there, and carried */
    operand_id operand;           /* NO_ID: not in the graph (pruned, empty, pinned) */
    struct descriptor descriptor; /* of the graph's operand */
    bool pinned, pruned, kept, empty;
    int64_t pin;
};

struct lower_refusal {
    struct span domain, name;
    int64_t opset;
    uint32_t count;
    const char *nodes[100]; /* names of the first ones */
    const char *reason;
};

/* What came of it. Texts live as long as it does. */
struct lowering {
    struct arena arena;
    struct graph *graph; /* owned until taken (set NULL) */
    struct lower_port *inputs, *outputs;
    size_t input_count, output_count;
    struct resolved_dim *dims;
    size_t dim_count;
    const struct span *zero_filled; /* names of tensors that read as zeros */
    size_t zero_filled_count;
    uint64_t node_count; /* of the model, functions not expanded */
};

/* Fails with every refusal of the model in `d`; unsupported operators also as its list. */
o2w_status lower_model(struct onnx_model *model, const struct lower_options *options,
                       const o2w_environment *environment, struct diags *d, struct lowering **out);
/* Where the ports are in the graph, after passes that renumber. */
void lowering_locate_ports(struct lowering *l);
void lowering_free(struct lowering *l); /* NULL is fine */

#endif
