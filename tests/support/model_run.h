/* A model in memory, converted and run on an engine: what case lists of ONNX operators need. */
#ifndef SUPPORT_MODEL_RUN_H
#define SUPPORT_MODEL_RUN_H

#include "backend/backend.h"
#include "lower/program.h"

/* A value of a graph input in the model's own dtype. */
struct model_feed {
    struct span name;
    struct tensor tensor;
};

/* A result in the dtype of the graph; `model` is the one that the model gives it. */
struct model_result {
    struct span name;
    enum dtype model;
    struct tensor tensor;
};

struct model_run {
    struct arena arena; /* feeds and results may live in it */
    struct diags diags;
    struct onnx_model *model;
    struct lowering *lowering;
    struct model_result *results;
    size_t result_count;
    const struct model_feed *feeds;
    size_t feed_count;
};

void model_run_init(struct model_run *r);
void model_run_free(struct model_run *r);

/* Opens the bytes (borrowed) and lowers them; open dims take the sizes of the feeds. Refusals are in
 * r->diags. `folder`: where external data lies, may be NULL. `options` may be NULL. */
o2w_status model_run_convert(struct model_run *r, struct span bytes, const char *folder,
                             const struct lower_options *options);
/* Runs what was converted; feeds of inputs that are no part of the graph are left out. A double that
 * its carried float32 cannot hold is feed.range. */
o2w_status model_run_execute(struct model_run *r, const struct backend *b, struct engine *e);

#endif
