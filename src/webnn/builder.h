/* Recording a graph. Every call is atomic: after an error the builder is as before and usable. */
#ifndef WEBNN_BUILDER_H
#define WEBNN_BUILDER_H

#include "webnn/infer_room.h"

struct builder {
    struct graph *graph;
    const struct limits *limits; /* borrowed */
    struct diags *diags;         /* where messages go; may be NULL */
    bool finished;
    struct arena keys; /* of the maps */
    struct map input_names, output_names;
    struct map weights;        /* by identity of their source */
    struct map small_weights;  /* by stored bytes: the newest of a chain */
    VEC(weight_id) same_bytes; /* by weight: the next of its chain, NO_ID at its end */
    struct map constraints;
    struct infer_room room;
};

/* A builder over an empty graph, which it owns until builder_build. Messages: build.argument where
 * nothing else is said, build.state after builder_build. */
o2w_status builder_init(struct builder *b, const struct limits *limits,
                        const o2w_allocator *allocator, struct diags *d);
void builder_free(struct builder *b);

/* Input names are non-empty and unique; the name becomes the operand's identifier. Dims are numbers
 * or single names of graph->exprs. */
o2w_status builder_input(struct builder *b, struct span name, const struct descriptor *descriptor,
                         operand_id *out);
/* A constant over `weight` (copied; its file gets a reference, bytes stay borrowed). Equal (file,
 * offset, length, transform, dtype) or equal bytes up to 64 KiB share one weight entry. `name`, the
 * identifier, may be empty. const.dynamic; build.argument when the weight does not fit. */
o2w_status builder_constant(struct builder *b, const struct descriptor *descriptor,
                            const struct weight *weight, struct span name, operand_id *out);
/* A constant over bytes that are copied, or borrowed for the graph's life. */
o2w_status builder_constant_bytes(struct builder *b, const struct descriptor *descriptor,
                                  const void *data, size_t size, bool borrowed, operand_id *out);
/* A constant with every element equal to `value`, converted to the dtype as number_put does. */
o2w_status builder_constant_fill(struct builder *b, const struct descriptor *descriptor,
                                 struct webnn_number value, operand_id *out);
/* Records an operator. operands by slot (NO_ID = absent), variadic ones follow. attributes NULL =
 * defaults. results has room for *result_count, which is set to the number of results (the list
 * operators may need more than 1: ask with builder_result_count). */
o2w_status builder_op(struct builder *b, enum webnn_operator kind, const operand_id *operands,
                      uint32_t operand_count, const void *attributes, struct span label,
                      operand_id *results, uint32_t *result_count);
/* How many results that call would have. */
uint32_t builder_result_count(enum webnn_operator kind, const void *attributes,
                              uint32_t split_axis_parts);

/* Names an output. Not an input or constant, not twice the same name. */
o2w_status builder_output(struct builder *b, struct span name, operand_id operand);
/* Ends recording: at least one output. The graph is the caller's; later calls are build.state. */
o2w_status builder_build(struct builder *b, struct graph **out);
/* For a caller whose own step failed: takes back the graph that builder_build gave (NULL: it was not
 * reached) and forgets the outputs. Recording goes on. */
void builder_reopen(struct builder *b, struct graph *g);
/* Names of an operand: in the source model, in a graph file. Empty: none. */
o2w_status builder_set_original(struct builder *b, operand_id id, struct span name);
o2w_status builder_set_identifier(struct builder *b, operand_id id, struct span name);

#endif
