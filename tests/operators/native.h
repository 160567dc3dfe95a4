/* Native ONNX Runtime beside the engines. */
#ifndef OPERATORS_NATIVE_H
#define OPERATORS_NATIVE_H

#include "support/model_run.h"

/* Whether the library is here. */
bool native_present(void);
/* Runs the model; results[i] is output i in its ONNX dtype, in the run's arena. The reason of a
 * failure is in r->diags. */
o2w_status native_run(struct model_run *r, struct span model, size_t count, struct tensor *results);

#endif
