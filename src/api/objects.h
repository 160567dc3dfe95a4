/* The public objects from inside. */
#ifndef API_OBJECTS_H
#define API_OBJECTS_H

#include <onnx2webnn/webnn.h>

#include "backend/backend.h"
#include "base/error.h"
#include "base/log.h"

#include <pthread.h>

/* What a builder over a context is to it. */
struct builder_link {
    webnn_context *context; /* NULL: none, or it was freed */
    bool lost;              /* it was freed */
    struct builder_link *next, **link;
};

struct webnn_context {
    const o2w_environment *environment;
    const o2w_allocator *allocator;
    const struct backend *backend;
    struct engine *engine;
    struct limits *limits;
    pthread_mutex_t queue; /* one dispatch or compilation at a time; also guards the lists */
    webnn_graph *graphs;
    webnn_tensor *tensors;
    struct builder_link *builders;
};

struct webnn_graph {
    const o2w_environment *environment;
    const o2w_allocator *allocator;
    struct graph *graph;
    struct arena arena;     /* texts of ports */
    uint32_t tag;           /* of the builder that recorded it, in the upper bits of its operands */
    webnn_context *context; /* it is compiled for; NULL: none */
    struct compiled *compiled;
    bool lost; /* its context was freed */
    webnn_graph *next, **link;
    webnn_port *inputs, *outputs; /* made at the first question */
    webnn_node *nodes;
};

struct webnn_tensor {
    const o2w_allocator *allocator;
    webnn_context *context; /* NULL: was freed */
    struct tensor tensor;
    uint64_t bytes, capacity;
    bool readable, writable, adopted, constant;
    void *base; /* own memory */
    size_t base_size;
    void (*release)(void *user, void *data);
    void *user;
    webnn_tensor *next, **link;
};

/* A public graph over a finished one, which it owns from now on, also on failure. */
o2w_status api_graph_wrap(struct graph *g, const o2w_environment *environment, struct diags *d,
                          webnn_graph **out);
const struct graph *api_graph(const webnn_graph *g);
/* The same calls with diagnostics instead of an error object. */
o2w_status api_graph_load(const char *path, const webnn_load_options *options, struct diags *d,
                          webnn_graph **out);
o2w_status api_graph_compile(webnn_context *c, webnn_graph *g, struct diags *d);
o2w_status api_context_create(const webnn_context_options *options, struct diags *d,
                              webnn_context **out);
/* Host memory in and out, in the graph's order; everything webnn_dispatch checks but names is. */
o2w_status api_dispatch(webnn_context *c, webnn_graph *g, const struct binding *inputs,
                        struct binding *outputs, const _Atomic bool *cancel, struct diags *d);
static inline webnn_operand api_operand(const webnn_graph *g, operand_id id)
{
    return g->tag | (id + 1);
}
/* An owned text for webnn_text_free; NULL when memory is out. */
char *api_text_of(struct span s);
void api_graph_unlink(webnn_graph *g);
void api_tensor_unlink(webnn_tensor *t);
void api_builder_unlink(struct builder_link *b);

#endif
