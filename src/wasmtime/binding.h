/* What the files of this layer share. */
#ifndef WASMTIME_BINDING_H
#define WASMTIME_BINDING_H

#include <onnx2webnn/wasi_nn_wasmtime.h>

#include "base/error.h"
#include "wasmtime/wasmtime_abi.h"

struct wasinn_wasmtime {
    struct wasmtime_calls calls;
    const char *path;
};

/* A guest that exits while a call of its own asks it for room, which a trap cannot tell. */
struct guest_exit {
    bool exited;
    int status;
};

/* What an import knows: data of its callback, freed by the linker. */
struct import {
    const struct wasmtime_calls *calls;
    wasinn_lookup *lookup;
    size_t row;
    uint32_t base;           /* of resource types */
    struct guest_exit *exit; /* or NULL */
};
struct import *import_new(const struct wasinn_wasmtime *w, wasinn_lookup *lookup, size_t row,
                          uint32_t base);
void import_free(void *import);

/* Deletes an error of the engine; its text becomes the "engine:" line of a new diagnostic. */
o2w_status engine_failed(const struct wasinn_wasmtime *w, wasmtime_error *error,
                         enum diag_code code, struct diags *d, const char *message);
/* Text of an error or trap, in the arena; "" when memory is out. They stay. */
const char *error_text(const struct wasinn_wasmtime *w, const wasmtime_error *e, struct arena *a);
const char *trap_text(const struct wasinn_wasmtime *w, const wasm_trap *t, struct arena *a);

/* exit: where it is told, or NULL; lives as long as the linker's imports are called. */
o2w_status define_core(const struct wasinn_wasmtime *w, wasmtime_linker *linker, bool extensions,
                       wasinn_lookup *lookup, struct guest_exit *exit, struct diags *d);
o2w_status define_components(const struct wasinn_wasmtime *w, component_linker *linker,
                             uint32_t base, wasinn_lookup *lookup, struct diags *d);

#endif
