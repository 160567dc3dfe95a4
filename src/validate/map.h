/* Which input and output of a graph stands for which of the model. */
#ifndef VALIDATE_MAP_H
#define VALIDATE_MAP_H

#include "validate/source.h"
#include "webnn/graph.h"

enum { NO_PORT = UINT32_MAX };

/* An input or output of the graph. */
struct graph_port {
    struct span name; /* as it stands in the graph */
    uint32_t source;  /* index of the model's input or output; NO_PORT: a `bound` count */
};

struct port_map {
    struct graph_port *inputs, *outputs; /* by the graph's index */
    uint32_t *input_of, *output_of;      /* by the model's index: the graph's, or NO_PORT */
    uint32_t *count_of;                  /* by the model's output: the graph output <name>.count */
};

/* Maps both interfaces, by the model's names; marks inputs that the graph keeps. Texts are borrowed
 * from the graph, lists lie in the source's arena. map.* */
o2w_status port_map_make(struct source *s, const struct graph *g, struct diags *d,
                         struct port_map *out);

#endif
