/* A case's graph as an ONNX model: ONNX Runtime and this project's own converter read it. */
#ifndef CONFORMANCE_WPT_MODEL_H
#define CONFORMANCE_WPT_MODEL_H

#include "wpt_case.h"

struct ort;

struct wpt_model {
    const struct ort *ort;
    const char *folder; /* where each model is left, numbered; NULL: nowhere */
    unsigned count;
};

/* NULL: run by ONNX Runtime, the model gives the bytes that the engine gave; else what differs. Outputs in
 * the order of the case. */
const char *wpt_model_differs(struct wpt_model *m, struct wpt_case *c,
                              const struct tensor *outputs);

#endif
