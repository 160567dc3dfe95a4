/* Where names of a model mean something: the main graph, bodies, function bodies at one call. */
#ifndef VALIDATE_SCOPE_H
#define VALIDATE_SCOPE_H

#include "base/diag.h"
#include "onnx/model.h"
#include "tensor/tensor.h"

struct scope {
    const struct onnx_graph *graph;
    const struct scope *outer;    /* around a body; NULL: main graph, function body */
    const struct scope *caller;   /* of a function body */
    const struct onnx_node *node; /* that calls the function or has the body; NULL: main graph */
};

/* Scopes of one model, and values that are known without running it. */
struct scopes {
    struct onnx_model *model;
    struct arena *arena;
    const o2w_allocator *allocator;
    struct scope main;
    struct map children; /* (scope, graph, node) → index in scopes */
    struct map values;   /* (scope, name) → index in known */
    VEC(struct scope *) list;
    VEC(struct known_value) known;
};

struct known_value {
    bool known;
    struct tensor tensor;
};

void scopes_init(struct scopes *s, struct onnx_model *model, struct arena *arena);
void scopes_free(struct scopes *s);

/* The scope of a body or function body seen from a node in `outer`; the same object every time. */
o2w_status scope_enter(struct scopes *s, const struct scope *outer, const struct onnx_node *node,
                       const struct onnx_graph *graph, struct diags *d, const struct scope **out);
static inline bool scope_is_function(const struct scope *s)
{
    return s->caller != NULL;
}
/* The scope that a name used in `s` is defined in; NULL: by none. */
const struct scope *scope_of_name(const struct scope *s, name_id name);
/* The node that computes it in this very scope, and as which output; NULL: none. */
const struct onnx_node *scope_producer(const struct scope *s, name_id name, uint32_t *output);
/* Whether the graph has an initializer of that name, dense or sparse. */
bool graph_initializes(const struct onnx_graph *g, name_id name);
/* The dense initializer of that name in this very scope; NULL: none. */
const struct onnx_tensor *scope_initializer(const struct scope *s, name_id name);
/* Index of an input of the scope's graph, else UINT32_MAX. */
uint32_t scope_input(const struct scope *s, name_id name);
/* The attribute of a node in `s`; references are followed to the calls. NULL: the node has none. */
const struct onnx_attribute *scope_attribute(const struct scope *s, const struct onnx_node *n,
                                             const char *name);
int64_t scope_int(const struct scope *s, const struct onnx_node *n, const char *name,
                  int64_t fallback);

/* The value of a name when it follows from initializers and Constants alone: it is evaluated by the
 * conversion's own rules. *known is false when it does not, or cannot be evaluated. */
o2w_status scope_value(struct scopes *s, const struct scope *at, name_id name, struct diags *d,
                       struct tensor *out, bool *known);
/* An initializer's elements as a tensor; in the arena or the mapped file. */
o2w_status initializer_tensor(struct onnx_model *m, const struct onnx_tensor *t, struct arena *a,
                              struct diags *d, struct tensor *out);
/* The dims of a value where the model tells them without running it: false when it does not. */
bool scope_dims(const struct scopes *s, const struct scope *at, name_id name, uint32_t *rank,
                int64_t dims[MAX_RANK]);

/* "q1", or "Op#3" of a node without a name; for messages. */
const char *node_shown(const struct scopes *s, const struct onnx_node *n);

#endif
