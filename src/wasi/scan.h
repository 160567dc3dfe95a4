/* A look at the bytes of an ONNX model before any engine sees them: structure, sizes, what it refers to.
 * Payloads are skipped; every occurrence of a field is visited, also where the last one would win. */
#ifndef WASI_SCAN_H
#define WASI_SCAN_H

#include "base/span.h"
#include "wasi/fault.h"

enum { SCAN_DEPTH = 64, SCAN_SUBGRAPHS = 16, SCAN_ZIPMAPS = 64, SCAN_PORTS = 10000 };

struct scan_limits {
    uint32_t nodes;
    bool trusted; /* the host's own file: external data and engine contexts are its business */
};

struct scan_zipmap {
    struct span from, to; /* names of the tensor and of the sequence of maps */
};

struct model_scan {
    uint64_t nodes;
    uint32_t zipmap_count; /* of the main graph; those beyond the limit are not bypassed */
    struct scan_zipmap zipmaps[SCAN_ZIPMAPS];
};

/* Whether the bytes are a protobuf message with ir_version and graph: how autodetection knows ONNX. */
bool scan_is_model(struct span bytes);
/* FAULT_ENCODING, FAULT_TOO_LARGE, FAULT_SECURITY. Names are spans of the bytes. */
enum fault scan_model(struct span bytes, const struct scan_limits *limits, struct failure *f,
                      struct model_scan *out);
/* The ZipMap that makes the value of that name; NULL: none does. */
const struct scan_zipmap *scan_find_zipmap(const struct model_scan *s, struct span to);

#endif
