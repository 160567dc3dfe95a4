/* A host with one graph, `add`, on the engine that is built in, for the fuzz targets. */
#ifndef FUZZ_WASI_GUEST_HOST_H
#define FUZZ_WASI_GUEST_HOST_H

#include <onnx2webnn/wasi_nn.h>

#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { FUZZ_MEMORY = 8192 };

/* y = x + 1 over f32 [1, 4] */
static const char fuzz_graph[] = "webnn_graph \"add\" v2 {\n"
                                 "  inputs { x: f32[1, 4]; }\n"
                                 "  consts { one: f32[] @scalar(1.0); }\n"
                                 "  nodes { y = add(x, one); }\n"
                                 "  outputs { y; }\n"
                                 "}\n";

static inline wasinn_host *fuzz_host(void)
{
    static wasinn_host *host;
    const wasinn_host_options o = {
        .size = sizeof o,
        .backends = "webnn:cpu",
        .policy = WASINN_EXTENSIONS | WASINN_WIDEN,
        .compute_threads = 1,
        .limits = { .model_bytes = 1 << 20,
                    .tensor_bytes = 1 << 20,
                    .output_bytes = 1 << 20,
                    .total_bytes = 1 << 22,
                    .load_ms = 5000,
                    .compute_ms = 5000,
                    .nodes = 2000 },
    };
    const wasinn_graph_source s = {
        .size = sizeof s, .name = "add", .bytes = fuzz_graph, .byte_count = sizeof fuzz_graph - 1
    };
    if (!host &&
        (wasinn_host_new(&o, &host, NULL) != O2W_OK ||
         wasinn_host_add_graph(host, &s, NULL) != O2W_OK || wasinn_host_seal(host, NULL) != O2W_OK))
        abort();
    return host;
}

static inline wasinn_instance *fuzz_instance(void)
{
    wasinn_instance *i;
    if (wasinn_instance_new(fuzz_host(), NULL, &i, NULL) != O2W_OK)
        abort();
    return i;
}

/* Numbers out of the input; small ones are likelier. */
struct fuzz_bytes {
    const uint8_t *at, *end;
};

static inline uint8_t fuzz_u8(struct fuzz_bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

static inline uint32_t fuzz_u32(struct fuzz_bytes *b)
{
    uint8_t kind = fuzz_u8(b), low = fuzz_u8(b);
    switch (kind % 6) {
    case 0: return low;
    case 1: return 0x40000000u + low % 4;
    case 2: return low * 32u;
    case 3: return 0xffffffffu - low;
    case 4: return FUZZ_MEMORY - low;
    default: return (uint32_t)low << 24 | (uint32_t)fuzz_u8(b) << 16 | (uint32_t)fuzz_u8(b) << 8;
    }
}

#endif
