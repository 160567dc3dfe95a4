/* The part of Wasmtime's interface that components need: values and resources. */
#ifndef WASMTIME_COMPONENT_ABI_H
#define WASMTIME_COMPONENT_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wasmtime_error wasmtime_error;
typedef struct wasmtime_context wasmtime_context;
typedef struct component_module component_module;
typedef struct component_index component_index;
typedef struct wasmtime_component_linker_t component_linker;
typedef struct component_place component_place;
typedef struct component_resource component_resource;
typedef struct component_host_resource component_host_resource;
typedef struct component_resource_type component_resource_type;
typedef struct component_func_type component_func_type;

typedef struct {
    size_t size;
    char *data;
} wasm_bytes;

typedef struct {
    uint64_t store;
    uint32_t private;
} component_instance;
typedef struct {
    struct {
        uint64_t store;
        uint32_t private_1;
    } part;
    uint32_t private_2;
    void *private_3;
} component_func;

enum {
    COMPONENT_U8 = 2,
    COMPONENT_U32 = 6,
    COMPONENT_STRING = 12,
    COMPONENT_LIST = 13,
    COMPONENT_TUPLE = 15,
    COMPONENT_ENUM = 17,
    COMPONENT_RESULT = 19,
    COMPONENT_RESOURCE = 21
};

struct component_val;
typedef struct {
    size_t size;
    struct component_val *data;
} component_list;
typedef struct {
    bool is_ok;
    struct component_val *val;
} component_result;
typedef struct component_val {
    uint8_t kind;
    union {
        uint8_t u8;
        uint32_t u32;
        wasm_bytes text; /* of strings and enums */
        component_list list;
        component_result result;
        component_resource *resource;
        uint64_t room[3];
    } of;
} component_val;
_Static_assert(sizeof(component_val) == 32, "as the library has it");

typedef wasmtime_error *component_callback(void *data, wasmtime_context *context,
                                           const component_func_type *type, component_val *args,
                                           size_t arg_count, component_val *results,
                                           size_t result_count);
typedef wasmtime_error *component_destructor(void *data, wasmtime_context *context, uint32_t rep);

#endif
