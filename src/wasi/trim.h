/* A model without the outputs that WebNN cannot hold. */
#ifndef WASI_TRIM_H
#define WASI_TRIM_H

#include "onnx/model.h"
#include "wasi/scan.h"
#include "wire/writer.h"

/* What becomes of an output of the model. */
struct trimmed_output {
    bool dropped;     /* a sequence, map, string …: `kind` says what */
    const char *kind; /* as messages call it */
    struct span name; /* the value that is computed instead: of a ZipMap its input, else itself */
};

struct trimming {
    struct trimmed_output *outputs; /* by place in the main graph; in the arena given */
    bool changed;
    struct span
        bytes; /* when it changed: in `writer`, with the nodes that nothing needs left out */
    struct wire_writer writer;
};

/* O2W_UNSUPPORTED: no output would remain. `out->writer` is the caller's to free. */
o2w_status trim_model(const struct onnx_model *m, struct span bytes, const struct model_scan *scan,
                      struct arena *a, struct diags *d, struct trimming *out);

#endif
