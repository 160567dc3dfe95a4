/* MatMulNBits nodes of a model: what they mean for tolerances and for the reference. */
#ifndef VALIDATE_NBITS_H
#define VALIDATE_NBITS_H

#include "onnx/model.h"
#include "validate/compare.h"
#include "wire/writer.h"

enum { MOST_LEVELS = 8 };

struct nbits {
    enum profile profile;
    uint64_t accurate;           /* nodes with an accuracy_level that is not 0 */
    int64_t levels[MOST_LEVELS]; /* which ones, ascending */
    unsigned level_count;
};

/* Main graph, bodies and functions all count. */
void nbits_scan(const struct onnx_model *m, struct nbits *out);
/* "4" or "1, 4". */
void nbits_levels_text(const struct nbits *n, char *text, size_t size);
/* The model with accuracy_level 0 in all of these nodes, appended to `w`. */
o2w_status nbits_adjust(const struct onnx_model *m, struct diags *d, struct wire_writer *w);

#endif
