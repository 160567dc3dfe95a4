/* The state of one lowering; private to the layer's core files. */
#ifndef LOWER_INTERNAL_H
#define LOWER_INTERNAL_H

#include "base/system.h"
#include "lower/lower.h"
#include "lower/program.h"

/* The call of a model-local function: where ref_attr_name leads. */
struct call {
    const struct onnx_node *node;
    const struct onnx_function *function;
    const struct call *outer;
};

struct undo {
    name_id name;
    value old;
};

struct lower {
    struct onnx_model *model;
    const struct lower_options *options;
    const o2w_environment *environment;
    const o2w_allocator *allocator;
    struct diags *diags;
    struct arena arena;
    struct builder builder;
    struct limits limits, wide; /* recording, evaluation */
    struct pool *pool;
    value *names;      /* by name id: what it stands for in the current scope */
    bool *used;        /* by name id: anyone reads it */
    bool *bounds_used; /* by bound of the options */
    bool *walked;      /* by function: searched for unsupported operators; NULL: none yet */
    VEC(struct undo) undo;
    const struct call *call;
    const struct node_view *node; /* being lowered */
    uint32_t depth;
    uint64_t evaluated, nodes;
    uint64_t computed; /* bytes of the constants that nobody asked to fold */
    VEC(struct lower_refusal) refusals;
    struct map refusal_index, reports;
    struct diags refused; /* places of the unsupported operators */
};

/* Sizes below which everything known is evaluated. */
enum { FOLD_ELEMENTS = 65536, MAX_BODY_DEPTH = 128 };
/* Bytes of constants that a lowering computes: in all, and of one that was asked to be folded. */
#define COMPUTED_LIMIT ((uint64_t)4 << 30)
#define FOLDED_LIMIT   ((uint64_t)2 << 30)

/* value.c */
o2w_status value_new(struct lower *l, const struct lower_value *from,
                     value *out); /* a copy in the arena, dims too */
o2w_status value_failed(struct lower *l, value *out);
o2w_status value_operand(struct lower *l, value v,
                         operand_id *out); /* a constant is made for known ones */
o2w_status value_of_operand(struct lower *l, operand_id id, value *out);
o2w_status value_of_weight(struct lower *l, const struct weight *w, enum dtype dtype,
                           const dim *dims, uint32_t rank, value *out);
void value_descriptor(value v, struct descriptor *out); /* with the dtype it has in evaluation */

/* known.c: before memory for a constant is taken; lower.limit when all of them are too large. */
o2w_status count_computed(struct lower *l, enum dtype dtype, const dim *dims, uint32_t rank);

/* symbolic.c: operators on shape vectors; *done = false where it has no form for this one. */
o2w_status symbolic_op(struct lower *l, enum webnn_operator kind, const value *operands,
                       uint32_t count, const void *attributes, value *out, uint32_t result_count,
                       bool *done);
bool value_has_shape(const value *operands, uint32_t count);
/* The elements of a shape vector as an operand, computed from the sizes of the graph's inputs. */
o2w_status shape_at_run_time(struct lower *l, value v, value *out);

/* unsupported.c: NULL when the operator has a lowering, which *row is then; else why not. */
const char *unsupported_reason(struct lower *l, const struct onnx_node *node,
                               const struct onnx_row **row);
/* The function of the model that the node calls; NULL: none, or an operator that is known by that name,
 * which goes before a function as in native ONNX Runtime. */
const struct onnx_function *called_function(const struct onnx_node *node);
/* Adds the node to the list of what the report is about. */
o2w_status refuse_operator(struct lower *l, const struct onnx_node *node, const char *reason);
/* The same for all that is unsupported in a graph that is not lowered, bodies and functions included;
 * and for what is inside of a node only. */
o2w_status refuse_unsupported(struct lower *l, const struct onnx_graph *g);
o2w_status refuse_unsupported_inside(struct lower *l, const struct onnx_node *node);
/* newer.c: why the operator is of a version that no row is for; NULL: it is not. */
const char *newer_than_known(struct lower *l, const struct onnx_node *node);

/* params.c */
o2w_status params_read(struct lower *l, const struct node_view *n, void **params);

/* node.c */
o2w_status lower_node(struct lower *l, const struct onnx_node *node);
o2w_status lower_nodes(struct lower *l, const struct onnx_graph *g);
o2w_status scope_bind(struct lower *l, name_id name, value v);
void scope_leave(struct lower *l, size_t mark);
o2w_status scope_initializers(struct lower *l, const struct onnx_graph *g);

/* Statuses that end the lowering at once; others only fail the node. */
static inline bool status_is_fatal(o2w_status s)
{
    return s == O2W_NO_MEMORY || s == O2W_CANCELLED || s == O2W_INTERNAL || s == O2W_IO;
}

#endif
