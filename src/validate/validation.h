/* One validation from inside: what its stages share. */
#ifndef VALIDATE_VALIDATION_H
#define VALIDATE_VALIDATION_H

#include "api/objects.h"
#include "convert/record.h"
#include "validate/judge.h"
#include "validate/tensors.h"

/* Host memory of a graph's inputs and outputs. */
struct ports {
    const o2w_allocator *allocator;
    struct binding *inputs, *outputs;
    uint64_t *input_room, *output_room; /* bytes of own memory; 0: borrowed or none yet */
    size_t input_count, output_count;
};

struct validation {
    const o2w_validate_options *options;
    const o2w_environment *environment;
    const o2w_allocator *allocator;
    struct diags *diags;
    struct arena arena;
    o2w_report *report;

    webnn_context *context;
    const struct ort *ort;

    struct source source;
    const char *graph_path;
    bool cached; /* the graph is the cache's */
    struct record record;
    bool has_record;
    webnn_graph *graph;
    struct port_map map;
    o2w_tensors *given; /* of --input; NULL: none */

    struct ports ports;
    struct reference reference, published;
    struct reference_result result, published_result;
};

/* Stages. Each leaves its diagnostics; stage names are set by the caller. */
o2w_status stage_preflight(struct validation *v);
/* Opens the model, finds graph and record, checks the record, loads the graph. */
o2w_status stage_read(struct validation *v, const char *onnx, const char *webnn);
o2w_status stage_reload(struct validation *v);
/* What the record says of the loaded graph: cache.specialization, cache.torn, weights.zero-filled. */
o2w_status stage_check(struct validation *v);
/* Pins of the call, the graph and the record; before the interface is mapped. */
o2w_status stage_pin(struct validation *v);
/* Sizes and rules of the feeds, and whether the graph takes them. */
o2w_status stage_feed(struct validation *v);

o2w_status ports_init(struct ports *p, const struct graph *g, struct arena *a, struct diags *d);
void ports_free(struct ports *p); /* a zeroed one is fine */
/* Input `port` becomes the tensor in the graph's dtype: borrowed where that is the same bytes.
 * feed.range; feed.rounded where the values were `given`. */
o2w_status ports_feed(struct ports *p, const struct graph *g, size_t port, const char *name,
                      const struct tensor *t, bool given, struct diags *d);
/* Memory for the outputs, by the shapes of the inputs. */
o2w_status ports_outputs(struct ports *p, const struct graph *g, struct diags *d);

/* The backend of a call, opened: backend.unknown, backend.unavailable, backend.option. */
o2w_status backend_open(const webnn_context_options *o, struct arena *a, struct diags *d,
                        webnn_context **out, struct backend_probe *probe);
#endif
