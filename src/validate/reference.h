/* The model on native ONNX Runtime. */
#ifndef VALIDATE_REFERENCE_H
#define VALIDATE_REFERENCE_H

#include <onnx2webnn/validate.h>

#include "ort/ort_value.h"
#include "validate/nbits.h"
#include "validate/source.h"
#include "validate/tensors.h"

struct reference_options {
    unsigned threads;
    bool native; /* the runtime's default options, not those of a reference */
    o2w_reference_optimization optimization;
    const o2w_environment *environment;
};

/* What came out, in the model's order of outputs. */
struct reference_result {
    const struct ort *ort;
    ort_value **values;
    size_t count;
};

/* One session over a model: the file as it is, or with accuracy_level 0. */
struct reference {
    const struct ort *ort;
    struct ort_session *session;
    const o2w_environment *environment;
};

/* Native ONNX Runtime, for references: reference.unavailable. */
o2w_status reference_probe(struct diags *d, const struct ort **out);
/* reference.load, with the runtime's text as its engine: line. */
o2w_status reference_open(const struct source *s, const struct reference_options *o,
                          struct diags *d, struct reference *out);
/* reference.accuracy-level */
o2w_status reference_open_adjusted(const struct source *s, const struct nbits *n,
                                   const struct reference_options *o, struct diags *d,
                                   struct reference *out);
void reference_close(struct reference *r); /* a zeroed one is fine */
/* Runs with the feeds of this run. reference.run */
o2w_status reference_run(const struct reference *r, const struct source *s, struct diags *d,
                         struct reference_result *out);
void reference_result_free(struct reference_result *r); /* a zeroed one is fine */
/* Its values by the model's names, copied. */
o2w_status reference_tensors(const struct reference_result *r, const struct source *s,
                             struct diags *d, o2w_tensors *to);

#endif
