/* A graph written as an ONNX model, and run by ONNX Runtime as a model from anywhere is. */
#ifndef SUPPORT_EMITTED_MODEL_H
#define SUPPORT_EMITTED_MODEL_H

#include "emit/emit.h"
#include "ort/ort.h"

struct emitted_model {
    struct arena arena; /* results live in it */
    struct diags diags;
    const struct graph *graph;
    struct text_out bytes; /* with all weights */
};

/* Writes it; the graph is borrowed. Call emitted_free in any case. */
o2w_status emitted_make(struct emitted_model *m, const struct graph *g);
/* Inputs and outputs in the graph's order; outputs receives views. */
o2w_status emitted_run(struct emitted_model *m, const struct ort *o, const struct tensor *inputs,
                       struct tensor *outputs);
void emitted_free(struct emitted_model *m);
/* Whether dtype, shape and every byte are equal. */
bool emitted_equal(const struct tensor *a, const struct tensor *b);

#endif
