/* Imports of core modules. */
#include "wasmtime/binding.h"

#include <string.h>

/* --- the guest ------------------------------------------------------------------------------------- */

/* Its exported memory as it is now; none where it is shared or 64-bit. */
static wasinn_memory memory_of(const struct wasmtime_calls *w, wasmtime_caller *caller)
{
    wasmtime_extern item;
    if (!w->wasmtime_caller_export_get(caller, "memory", 6, &item))
        return (wasinn_memory){ 0 };
    if (item.kind != EXTERN_MEMORY) {
        w->wasmtime_extern_delete(&item);
        return (wasinn_memory){ 0 };
    }
    wasmtime_context *context = w->wasmtime_caller_context(caller);
    wasm_memorytype *type = w->wasmtime_memory_type(context, &item.of.memory);
    bool is_64 = w->wasmtime_memorytype_is64(type);
    w->wasm_memorytype_delete(type);
    if (is_64)
        return (wasinn_memory){ 0 };
    return (wasinn_memory){ w->wasmtime_memory_data(context, &item.of.memory),
                            w->wasmtime_memory_data_size(context, &item.of.memory) };
}

static wasm_trap *trap_of(const struct import *i, const char *text)
{
    return i->calls->wasmtime_trap_new(text, strlen(text));
}

static wasinn_instance *instance_of(const struct import *i, wasmtime_caller *caller)
{
    const struct wasmtime_calls *w = i->calls;
    return i->lookup(w->wasmtime_context_get_data(w->wasmtime_caller_context(caller)));
}

enum { PARAMETERS = 8 };

static void read_args(const wasmtime_raw *values, size_t count, uint32_t args[PARAMETERS])
{
    for (size_t k = 0; k < count && k < PARAMETERS; k++)
        args[k] = (uint32_t)values[k].i32;
}

static wasm_trap *call_function(void *data, wasmtime_caller *caller, wasmtime_raw *values,
                                size_t count)
{
    const struct import *i = data;
    uint32_t args[PARAMETERS] = { 0 };
    size_t rows;
    const wasinn_function_row *row = &wasinn_functions(&rows)[i->row];
    wasinn_instance *instance = instance_of(i, caller);
    if (!instance)
        return trap_of(i, "the store has no WASI-NN instance");
    read_args(values, count, args);
    values[0].i64 = 0;
    values[0].i32 = (int32_t)wasinn_call(instance, (wasinn_function)i->row,
                                         memory_of(i->calls, caller), args, row->parameters);
    return NULL;
}

/* --- lowered --------------------------------------------------------------------------------------- */

struct calling {
    const struct import *import;
    wasmtime_caller *caller;
    wasm_trap *trap; /* of the guest itself while it was asked for room */
};

static wasinn_memory guest_memory(void *user)
{
    const struct calling *c = user;
    return memory_of(c->import->calls, c->caller);
}

/* The guest's own end is passed on as it is: its time or fuel may be over, or it exits. */
static bool realloc_failed(struct calling *c, wasmtime_error *error, wasm_trap *trap)
{
    const struct wasmtime_calls *w = c->import->calls;
    struct guest_exit *e = c->import->exit;
    if (error && e)
        e->exited = w->wasmtime_error_exit_status(error, &e->status);
    if (error)
        w->wasmtime_error_delete(error);
    c->trap = trap;
    return false;
}

static bool call_realloc(struct calling *c, const wasmtime_func *f, uint32_t align, uint32_t size,
                         uint32_t *address)
{
    const struct wasmtime_calls *w = c->import->calls;
    wasmtime_val args[4] = { { .kind = WASM_KIND_I32 } }, result = { .kind = WASM_KIND_I32 };
    wasm_trap *trap = NULL;
    args[2].of.i32 = (int32_t)align;
    args[3].of.i32 = (int32_t)size;
    wasmtime_error *error =
        w->wasmtime_func_call(w->wasmtime_caller_context(c->caller), f, args, 4, &result, 1, &trap);
    if (error || trap)
        return realloc_failed(c, error, trap);
    *address = (uint32_t)result.of.i32;
    return result.kind == WASM_KIND_I32;
}

static bool guest_realloc(void *user, uint32_t align, uint32_t size, uint32_t *address)
{
    struct calling *c = user;
    const struct wasmtime_calls *w = c->import->calls;
    wasmtime_extern item;
    if (!w->wasmtime_caller_export_get(c->caller, "cabi_realloc", 12, &item))
        return false;
    bool done = item.kind == EXTERN_FUNC && call_realloc(c, &item.of.func, align, size, address);
    w->wasmtime_extern_delete(&item);
    return done;
}

static wasm_trap *call_lowered(void *data, wasmtime_caller *caller, wasmtime_raw *values,
                               size_t count)
{
    const struct import *i = data;
    struct calling calling = { .import = i, .caller = caller };
    const wasinn_guest guest = { guest_memory, guest_realloc, &calling };
    uint32_t args[PARAMETERS] = { 0 }, result = 0;
    const char *message = NULL;
    wasinn_instance *instance = instance_of(i, caller);
    if (!instance)
        return trap_of(i, "the store has no WASI-NN instance");
    read_args(values, count, args);
    if (!wasinn_call_lowered(instance, i->row, &guest, args, &result, &message))
        return calling.trap ? calling.trap : trap_of(i, message);
    if (count) {
        values[0].i64 = 0;
        values[0].i32 = (int32_t)result;
    }
    return NULL;
}

/* --- defining -------------------------------------------------------------------------------------- */

static wasm_functype *type_of(const struct wasmtime_calls *w, uint32_t parameters, bool result)
{
    wasm_valtype *types[PARAMETERS];
    wasm_pointers in = { 0 }, out = { 0 };
    for (uint32_t k = 0; k < parameters; k++)
        types[k] = w->wasm_valtype_new(WASM_KIND_I32);
    w->wasm_valtype_vec_new(&in, parameters, types);
    if (result)
        types[0] = w->wasm_valtype_new(WASM_KIND_I32);
    w->wasm_valtype_vec_new(&out, result, types);
    return w->wasm_functype_new(&in, &out);
}

struct defining {
    const struct wasinn_wasmtime *w;
    wasmtime_linker *linker;
    wasinn_lookup *lookup;
    struct guest_exit *exit;
    struct diags *diags;
};

static o2w_status define(const struct defining *x, const wasinn_lowered_row *row, size_t place,
                         wasmtime_callback *callback)
{
    const struct wasmtime_calls *c = &x->w->calls;
    struct import *import = import_new(x->w, x->lookup, place, 0);
    if (!import)
        return diag_memory(x->diags);
    import->exit = x->exit;
    wasm_functype *type = type_of(c, row->parameters, row->result);
    wasmtime_error *e = c->wasmtime_linker_define_func_unchecked(
        x->linker, row->module, strlen(row->module), row->name, strlen(row->name), type, callback,
        import, import_free);
    c->wasm_functype_delete(type);
    return e ? engine_failed(x->w, e, DIAG_WASI_ENGINE, x->diags, "an import cannot be defined")
             : O2W_OK;
}

o2w_status define_core(const struct wasinn_wasmtime *w, wasmtime_linker *linker, bool extensions,
                       wasinn_lookup *lookup, struct guest_exit *exit, struct diags *d)
{
    const struct defining x = { w, linker, lookup, exit, d };
    size_t count;
    const wasinn_function_row *rows = wasinn_functions(&count);
    for (size_t i = 0; i < count; i++) {
        const wasinn_lowered_row row = { rows[i].module, rows[i].name, rows[i].parameters, true };
        if (!rows[i].extension || extensions)
            TRY(define(&x, &row, i, call_function));
    }
    const wasinn_lowered_row *lowered = wasinn_lowered_functions(&count);
    for (size_t i = 0; i < count; i++)
        TRY(define(&x, &lowered[i], i, call_lowered));
    return O2W_OK;
}

o2w_status wasinn_wasmtime_define(const wasinn_wasmtime *w, struct wasmtime_linker *linker,
                                  const wasinn_host *host, wasinn_lookup *lookup, o2w_error **error)
{
    struct diags d;
    diags_init(&d, NULL);
    bool extensions = wasinn_host_policy(host) & WASINN_EXTENSIONS;
    o2w_status s =
        error_from_diags(&d, define_core(w, linker, extensions, lookup, NULL, &d), error);
    diags_free(&d);
    return s;
}
