/* The imports of wasi_ephemeral_nn as C guests declare them. */
#ifndef GUESTS_NN_H
#define GUESTS_NN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__wasm__)
#define IMPORT(name) __attribute__((import_module("wasi_ephemeral_nn"), import_name(name)))
#else
#define IMPORT(name)
#endif

struct nn_builder {
    const void *data;
    uint32_t size;
};
struct nn_tensor {
    const uint32_t *dims;
    uint32_t rank;
    uint8_t type;
    const void *data;
    uint32_t size;
};
enum { NN_ONNX = 1, NN_AUTODETECT = 5 };
enum { F16, F32, F64, U8, I32, I64 };

IMPORT("load")
uint32_t nn_load(const struct nn_builder *builders, uint32_t count, uint32_t encoding,
                 uint32_t target, uint32_t *graph);
IMPORT("load_by_name")
uint32_t nn_load_by_name(const char *name, uint32_t size, uint32_t *graph);
IMPORT("init_execution_context")
uint32_t nn_init(uint32_t graph, uint32_t *context);
IMPORT("set_input")
uint32_t nn_set_input(uint32_t context, uint32_t index, const struct nn_tensor *tensor);
IMPORT("compute")
uint32_t nn_compute(uint32_t context);
IMPORT("get_output")
uint32_t nn_get_output(uint32_t context, uint32_t index, void *buffer, uint32_t room,
                       uint32_t *size);

/* Ends the guest with the errno where a call fails. */
#define NN(call)                                            \
    do {                                                    \
        uint32_t nn_e = (call);                             \
        if (nn_e) {                                         \
            fprintf(stderr, "%s: errno %u\n", #call, nn_e); \
            exit((int)nn_e);                                \
        }                                                   \
    } while (0)

#endif
