/* What is called of Wasmtime's C interface, version 50: names, layouts and prototypes, written here, since
 * its library comes without headers. Layouts change between major versions; library.c checks. */
#ifndef WASMTIME_WASMTIME_ABI_H
#define WASMTIME_WASMTIME_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasmtime/component_abi.h"

typedef struct wasm_config wasm_config;
typedef struct wasm_engine wasm_engine;
typedef struct wasm_valtype wasm_valtype;
typedef struct wasm_functype wasm_functype;
typedef struct wasm_memorytype wasm_memorytype;
typedef struct wasm_trap wasm_trap;
typedef struct wasi_config wasi_config;
typedef struct wasmtime_module wasmtime_module;
typedef struct wasmtime_store wasmtime_store;
typedef struct wasmtime_linker wasmtime_linker;
typedef struct wasmtime_caller wasmtime_caller;

typedef struct {
    size_t size;
    void **data;
} wasm_pointers;

enum { WASM_KIND_I32 = 0 };
enum { EXTERN_FUNC = 0, EXTERN_MEMORY = 3 };
enum { TRAP_STACK_OVERFLOW = 0, TRAP_INTERRUPT = 10, TRAP_OUT_OF_FUEL = 11 };

typedef struct {
    uint64_t store;
    void *private;
} wasmtime_func;
typedef struct {
    struct {
        uint64_t store;
        uint32_t private_1;
    } part;
    uint32_t private_2;
} wasmtime_memory;
typedef struct {
    uint64_t store;
    size_t private;
} wasmtime_instance;
typedef struct {
    uint8_t kind;
    union {
        wasmtime_func func;
        wasmtime_memory memory;
        uint8_t room[24];
    } of;
} wasmtime_extern;
typedef struct {
    uint8_t kind;
    union {
        int32_t i32;
        int64_t i64;
        uint64_t room[3];
    } of;
} wasmtime_val;
typedef union {
    int32_t i32;
    int64_t i64;
    uint64_t room[2];
} wasmtime_raw;
typedef wasm_trap *wasmtime_callback(void *data, wasmtime_caller *caller, wasmtime_raw *values,
                                     size_t count);

_Static_assert(sizeof(wasmtime_extern) == 32 && sizeof(wasmtime_val) == 32,
               "as the library has it");
_Static_assert(sizeof(wasmtime_raw) == 16, "as the library has it");

struct wasmtime_calls {
#define CALL(result, name, parameters) result(*name) parameters;
#include "wasmtime/wasmtime_calls.def"
};

#endif
