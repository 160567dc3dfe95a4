/* What the standard fixes and the runtime's documentation leaves open, asked of the runtime itself. */
#ifndef BACKEND_ONNXRUNTIME_PROBE_H
#define BACKEND_ONNXRUNTIME_PROBE_H

#include "backend/onnxruntime/engine.h"

/* Where g has an operator of that kind: whether this runtime gives the first place of equal extremes and
 * keeps the last of several updates of one place. Asked once per engine. build.failed with the operator
 * and the remedy where it does not. */
o2w_status onnxruntime_check_open_questions(struct engine *engine, const struct graph *g,
                                            struct diags *d);

#endif
