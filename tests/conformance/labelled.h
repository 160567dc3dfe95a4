/* Outputs of ONNX that no WebNN graph has: strings and sequences of maps. A converted graph gives numbers
 * and the labels that they stand for. */
#ifndef CONFORMANCE_LABELLED_H
#define CONFORMANCE_LABELLED_H

#include "support/model_run.h"

/* NULL when the result, an int64 tensor of places among its labels, is the string tensor in the file
 * (a TensorProto); else what differs. Texts live in the arena. */
const char *labelled_strings_differ(const char *file, const struct graph *g,
                                    const struct model_result *got, operand_id operand,
                                    struct arena *a);
/* NULL when the rows of the result, a float32 tensor [N, labels], are the maps in the file (a
 * SequenceProto), within 1e-5; else what differs. */
const char *labelled_maps_differ(const char *file, const struct graph *g,
                                 const struct model_result *got, operand_id operand,
                                 struct arena *a);

#endif
