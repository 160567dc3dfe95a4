/* A guest from file to end: engine, store, WASI, imports, budgets. */
#include "wasmtime/binding.h"

#include "base/file.h"
#include "base/system.h"
#include "wasmtime/shared.h"
#include "wasmtime/ticker.h"

#include <stdio.h>
#include <string.h>

enum { TABLE_ELEMENTS = 1000000, OVERDUE_MS = 400 };

struct run {
    const struct wasinn_wasmtime *w;
    const wasinn_run_options *options;
    wasinn_run_result *result;
    wasinn_instance *instance;
    const char *path;
    struct arena arena;
    struct diags *diags;
    wasm_engine *engine;
    wasmtime_store *store;
    wasmtime_context *context;
    wasm_bytes binary; /* of a guest in text form */
    struct span code;
    struct guest_exit exit;
};

static wasinn_instance *look_up(void *store_data)
{
    return store_data;
}

/* --- ends ------------------------------------------------------------------------------------------ */

static o2w_status finish(struct run *r, wasinn_end end, int status, const char *message)
{
    r->result->end = end;
    r->result->status = status;
    if (message) {
        size_t size = strlen(message) + 1;
        r->result->message = mem_alloc(NULL, size);
        if (!r->result->message)
            return diag_memory(r->diags);
        memcpy(r->result->message, message, size);
    }
    return O2W_OK;
}

/* Imports that exist, but only where the host is asked for them. */
static const char *extension_hint(struct run *r, const char *text)
{
    size_t count;
    const wasinn_function_row *rows = wasinn_functions(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].extension && strstr(text, rows[i].name) && strstr(text, rows[i].module) &&
            strstr(text, "unknown import"))
            return arena_printf(&r->arena,
                                "%s\nthe guest imports the extension %s: --nn-ext offers it", text,
                                rows[i].name);
    return text;
}

static const char *list_hint(struct run *r, const char *text)
{
    if (!strstr(text, "allocated for hostcalls"))
        return text;
    return arena_printf(&r->arena,
                        "%s\none call of a component takes at most 2,796,202 list elements, bytes "
                        "of tensors and models among them: load models by name, give smaller "
                        "tensors, or use the core module interface",
                        text);
}

/* Of components, whose traps come as errors without a code. */
static wasinn_end end_of_text(const char *text)
{
    return strstr(text, "wasm trap: interrupt") ? WASINN_END_TIMEOUT
           : strstr(text, "all fuel consumed")  ? WASINN_END_FUEL
                                                : WASINN_END_TRAP;
}

static o2w_status end_by_trap(struct run *r, wasm_trap *trap)
{
    uint8_t code = UINT8_MAX;
    bool known = r->w->calls.wasmtime_trap_code(trap, &code);
    const char *text = trap_text(r->w, trap, &r->arena);
    wasinn_end end = known && code == TRAP_INTERRUPT     ? WASINN_END_TIMEOUT
                     : known && code == TRAP_OUT_OF_FUEL ? WASINN_END_FUEL
                                                         : WASINN_END_TRAP;
    r->w->calls.wasm_trap_delete(trap);
    return finish(r, end, 0, text);
}

/* A guest that exits comes as an error too. `starting`: before any of its code ran. */
static o2w_status end_by_error(struct run *r, wasmtime_error *error, bool starting)
{
    int status = r->exit.status;
    bool exited = r->exit.exited || r->w->calls.wasmtime_error_exit_status(error, &status);
    const char *text = error_text(r->w, error, &r->arena);
    r->w->calls.wasmtime_error_delete(error);
    if (exited)
        return finish(r, WASINN_END_EXIT, status, NULL);
    const char *told = list_hint(r, extension_hint(r, text));
    bool trapped = strstr(text, "wasm trap") || strstr(text, "wasm backtrace");
    return finish(r, starting && !trapped ? WASINN_END_START : end_of_text(text), 0,
                  told ? told : text);
}

/* --- reading ---------------------------------------------------------------------------------------- */

static bool is_binary(struct span s)
{
    return s.size >= 8 && memcmp(s.data, "\0asm", 4) == 0;
}

/* Binary code of either kind, or O2W_FORMAT with the result filled. */
static o2w_status read_code(struct run *r)
{
    struct span file;
    TRY(file_read_all(r->path, UINT32_MAX, &r->arena, r->diags, &file));
    r->code = file;
    if (is_binary(file))
        return O2W_OK;
    wasmtime_error *e =
        r->w->calls.wasmtime_wat2wasm((const char *)file.data, file.size, &r->binary);
    if (e)
        return end_by_error(r, e, true) == O2W_OK ? O2W_FORMAT : O2W_NO_MEMORY;
    r->code = (struct span){ (const uint8_t *)r->binary.data, r->binary.size };
    return O2W_OK;
}

/* --- store ------------------------------------------------------------------------------------------ */

static o2w_status set_folders(struct run *r, wasi_config *c)
{
    for (size_t i = 0; i < r->options->folder_count; i++) {
        const wasinn_folder *f = &r->options->folders[i];
        if (!r->w->calls.wasi_config_preopen_dir(c, f->host, f->guest ? f->guest : f->host,
                                                 f->writable))
            return diag_error(r->diags, DIAG_FILE_READ, "the folder '%s' cannot be opened",
                              f->host);
    }
    return O2W_OK;
}

static o2w_status set_environment(struct run *r, wasi_config *c)
{
    size_t count = r->options->environment_count;
    const char **names = ARENA_ARRAY(&r->arena, count, const char *);
    const char **values = ARENA_ARRAY(&r->arena, count, const char *);
    if (!names || !values)
        return diag_memory(r->diags);
    for (size_t i = 0; i < count; i++) {
        const char *text = r->options->environment[i], *equals = strchr(text, '=');
        size_t size = equals ? (size_t)(equals - text) : strlen(text);
        names[i] = arena_text(&r->arena, (struct span){ (const uint8_t *)text, size });
        values[i] = equals ? equals + 1 : "";
        if (!names[i])
            return diag_memory(r->diags);
    }
    return r->w->calls.wasi_config_set_env(c, count, names, values)
               ? O2W_OK
               : diag_error(r->diags, DIAG_USAGE, "the guest's environment is not UTF-8");
}

static o2w_status set_arguments(struct run *r, wasi_config *c)
{
    size_t count = r->options->argument_count + 1;
    const char **argv = ARENA_ARRAY(&r->arena, count, const char *);
    if (!argv)
        return diag_memory(r->diags);
    argv[0] = (const char *)path_name(span_of(r->path)).data;
    for (size_t i = 1; i < count; i++)
        argv[i] = r->options->arguments[i - 1];
    return r->w->calls.wasi_config_set_argv(c, count, argv)
               ? O2W_OK
               : diag_error(r->diags, DIAG_USAGE, "the guest's arguments are not UTF-8");
}

static o2w_status fill_wasi(struct run *r, wasi_config *c)
{
    const struct wasmtime_calls *w = &r->w->calls;
    TRY(set_arguments(r, c));
    TRY(set_environment(r, c));
    TRY(set_folders(r, c));
    w->wasi_config_inherit_stdout(c);
    w->wasi_config_inherit_stderr(c);
    if (!r->options->input)
        w->wasi_config_inherit_stdin(c);
    else if (!w->wasi_config_set_stdin_file(c, r->options->input))
        return diag_error(r->diags, DIAG_FILE_READ, "the file '%s' cannot be opened",
                          r->options->input);
    return O2W_OK;
}

static o2w_status set_wasi(struct run *r)
{
    wasi_config *c = r->w->calls.wasi_config_new();
    o2w_status s = fill_wasi(r, c);
    if (s != O2W_OK) {
        r->w->calls.wasi_config_delete(c);
        return s;
    }
    wasmtime_error *e = r->w->calls.wasmtime_context_set_wasi(r->context, c);
    return e ? engine_failed(r->w, e, DIAG_WASI_ENGINE, r->diags, "WASI cannot be set up") : O2W_OK;
}

static bool is_core(const struct run *r)
{
    return r->code.data[4] == 1 && r->code.data[6] == 0;
}

/* The limiter of the store does not see shared memories: they may be as large as they say. */
static bool may_share(const struct run *r, uint64_t limit)
{
    uint64_t pages;
    return r->options->shared_memory && is_core(r) && shared_pages(r->code, &pages) && pages &&
           pages <= limit >> 16;
}

static o2w_status make_store(struct run *r)
{
    const struct wasmtime_calls *w = &r->w->calls;
    uint64_t memory = r->options->max_memory ? r->options->max_memory : 1u << 30;
    wasm_config *config = w->wasm_config_new();
    w->wasmtime_config_wasm_component_model_set(config, true);
    w->wasmtime_config_epoch_interruption_set(config, true);
    w->wasmtime_config_shared_memory_set(config, may_share(r, memory));
    w->wasmtime_config_consume_fuel_set(config, r->options->fuel != 0);
    r->engine = w->wasm_engine_new_with_config(config);
    if (!r->engine)
        return diag_error(r->diags, DIAG_WASI_ENGINE, "Wasmtime does not start");
    r->store = w->wasmtime_store_new(r->engine, r->instance, NULL);
    r->context = w->wasmtime_store_context(r->store);
    w->wasmtime_store_limiter(r->store, memory > INT64_MAX ? INT64_MAX : (int64_t)memory,
                              TABLE_ELEMENTS, -1, -1, -1);
    w->wasmtime_context_set_epoch_deadline(r->context, 1);
    if (r->options->fuel) {
        wasmtime_error *e = w->wasmtime_context_set_fuel(r->context, r->options->fuel);
        if (e)
            return engine_failed(r->w, e, DIAG_WASI_ENGINE, r->diags, "fuel cannot be set");
    }
    return set_wasi(r);
}

/* --- core modules ----------------------------------------------------------------------------------- */

static o2w_status call_core(struct run *r, const wasmtime_instance *instance)
{
    const char *name = r->options->invoke ? r->options->invoke : "_start";
    wasmtime_extern item;
    wasm_trap *trap = NULL;
    if (!r->w->calls.wasmtime_instance_export_get(r->context, instance, name, strlen(name), &item))
        return finish(r, WASINN_END_START, 0,
                      arena_printf(&r->arena, "the module exports no function '%s'", name));
    wasmtime_error *e = NULL;
    bool is_func = item.kind == EXTERN_FUNC;
    if (is_func)
        e = r->w->calls.wasmtime_func_call(r->context, &item.of.func, NULL, 0, NULL, 0, &trap);
    r->w->calls.wasmtime_extern_delete(&item);
    if (!is_func)
        return finish(r, WASINN_END_START, 0,
                      arena_printf(&r->arena, "the export '%s' is no function", name));
    if (e)
        return end_by_error(r, e, true);
    return trap ? end_by_trap(r, trap) : finish(r, WASINN_END_EXIT, 0, NULL);
}

static o2w_status run_linked(struct run *r, wasmtime_linker *linker, const wasmtime_module *module,
                             bool extensions)
{
    const struct wasmtime_calls *w = &r->w->calls;
    wasmtime_instance instance;
    wasm_trap *trap = NULL;
    wasmtime_error *e = w->wasmtime_linker_define_wasi(linker);
    if (e)
        return engine_failed(r->w, e, DIAG_WASI_ENGINE, r->diags, "WASI cannot be defined");
    TRY(define_core(r->w, linker, extensions, look_up, &r->exit, r->diags));
    e = w->wasmtime_linker_instantiate(linker, r->context, module, &instance, &trap);
    if (e)
        return end_by_error(r, e, true);
    return trap ? end_by_trap(r, trap) : call_core(r, &instance);
}

static o2w_status run_core(struct run *r, bool extensions)
{
    const struct wasmtime_calls *w = &r->w->calls;
    wasmtime_module *module = NULL;
    wasmtime_error *e = w->wasmtime_module_new(r->engine, r->code.data, r->code.size, &module);
    if (e)
        return end_by_error(r, e, true);
    wasmtime_linker *linker = w->wasmtime_linker_new(r->engine);
    o2w_status s = run_linked(r, linker, module, extensions);
    w->wasmtime_linker_delete(linker);
    w->wasmtime_module_delete(module);
    return s;
}

/* --- components ------------------------------------------------------------------------------------- */

enum { LAST_PATCH = 20 };

/* The function of wasi:cli/run, whatever release the component was made for. */
static component_index *find_run(struct run *r, const component_module *c)
{
    const struct wasmtime_calls *w = &r->w->calls;
    const char *name = r->options->invoke;
    if (name)
        return w->wasmtime_component_get_export_index(c, NULL, name, strlen(name));
    for (int patch = 0; patch <= LAST_PATCH; patch++) {
        char interface[40];
        int size = snprintf(interface, sizeof interface, "wasi:cli/run@0.2.%d", patch);
        component_index *found =
            w->wasmtime_component_get_export_index(c, NULL, interface, (size_t)size);
        if (!found)
            continue;
        component_index *run = w->wasmtime_component_get_export_index(c, found, "run", 3);
        w->wasmtime_component_export_index_delete(found);
        return run;
    }
    return NULL;
}

static o2w_status call_component(struct run *r, const component_instance *instance,
                                 const component_index *index)
{
    component_func f;
    component_val result = { .kind = 0 };
    size_t results = r->options->invoke ? 0 : 1;
    if (!r->w->calls.wasmtime_component_instance_get_func(instance, r->context, index, &f))
        return finish(r, WASINN_END_START, 0, "the export to run is no function");
    wasmtime_error *e =
        r->w->calls.wasmtime_component_func_call(&f, r->context, NULL, 0, &result, results);
    if (e)
        return end_by_error(r, e, false);
    bool failed = results && result.kind == COMPONENT_RESULT && !result.of.result.is_ok;
    if (results)
        r->w->calls.wasmtime_component_val_delete(&result);
    return finish(r, WASINN_END_EXIT, failed, NULL);
}

static o2w_status instantiate(struct run *r, component_linker *linker, const component_module *c,
                              const component_index *index)
{
    component_instance instance;
    wasmtime_error *e = r->w->calls.wasmtime_component_linker_add_wasip2(linker);
    if (e)
        return engine_failed(r->w, e, DIAG_WASI_ENGINE, r->diags, "WASI cannot be defined");
    TRY(define_components(r->w, linker, 0, look_up, r->diags));
    e = r->w->calls.wasmtime_component_linker_instantiate(linker, r->context, c, &instance);
    return e ? end_by_error(r, e, true) : call_component(r, &instance, index);
}

static o2w_status run_component(struct run *r)
{
    const struct wasmtime_calls *w = &r->w->calls;
    component_module *c = NULL;
    r->result->component = true;
    wasmtime_error *e = w->wasmtime_component_new(r->engine, r->code.data, r->code.size, &c);
    if (e)
        return end_by_error(r, e, true);
    component_index *index = find_run(r, c);
    o2w_status s = O2W_OK;
    if (index) {
        component_linker *linker = w->wasmtime_component_linker_new(r->engine);
        s = instantiate(r, linker, c, index);
        w->wasmtime_component_linker_delete(linker);
        w->wasmtime_component_export_index_delete(index);
    } else {
        s = finish(r, WASINN_END_START, 0, "the component exports no wasi:cli/run@0.2 to run");
    }
    w->wasmtime_component_delete(c);
    return s;
}

/* --- all together ----------------------------------------------------------------------------------- */

static void tick(void *user)
{
    const struct run *r = user;
    wasinn_instance_cancel(r->instance);
    r->w->calls.wasmtime_engine_increment_epoch(r->engine);
}

static void overdue(void *user)
{
    const struct run *r = user;
    r->options->overdue(r->options->user);
}

static o2w_status run_timed(struct run *r, bool extensions)
{
    struct ticker ticker = { .tick = tick,
                             .overdue = r->options->overdue ? overdue : NULL,
                             .user = r,
                             .ms = r->options->timeout_ms,
                             .overdue_ms = OVERDUE_MS };
    TRY(make_store(r));
    if (!ticker_start(&ticker))
        return diag_error(r->diags, DIAG_INTERNAL, "no thread can be started to watch the time");
    o2w_status s = is_core(r) ? run_core(r, extensions) : run_component(r);
    ticker_stop(&ticker);
    if (r->options->fuel) {
        uint64_t left = 0;
        wasmtime_error *e = r->w->calls.wasmtime_context_get_fuel(r->context, &left);
        if (e)
            r->w->calls.wasmtime_error_delete(e);
        r->result->fuel_used = r->options->fuel - left;
    }
    return s;
}

static o2w_status run_instance(struct run *r, bool extensions)
{
    const struct wasmtime_calls *w = &r->w->calls;
    o2w_status s = read_code(r);
    if (s == O2W_OK)
        s = run_timed(r, extensions);
    else if (s == O2W_FORMAT && r->result->message)
        s = O2W_OK;
    if (r->store)
        w->wasmtime_store_delete(r->store);
    if (r->engine)
        w->wasm_engine_delete(r->engine);
    if (r->binary.data)
        w->wasm_byte_vec_delete(&r->binary);
    return s;
}

o2w_status wasinn_wasmtime_run(const wasinn_wasmtime *w, wasinn_host *host, const char *path,
                               const wasinn_run_options *options, wasinn_run_result *out,
                               o2w_error **error)
{
    static const wasinn_run_options none = { .size = sizeof none };
    struct diags d;
    struct run r = { .w = w, .options = options ? options : &none, .result = out, .path = path };
    const wasinn_instance_options o = { .size = sizeof o, .dtypes = &r.options->dtypes };
    *out = (wasinn_run_result){ .size = sizeof *out, .stats = { .size = sizeof out->stats } };
    TRY(wasinn_instance_new(host, &o, &r.instance, error));
    diags_init(&d, NULL);
    arena_init(&r.arena, NULL);
    r.diags = &d;
    o2w_status s = run_instance(&r, (wasinn_host_policy(host) & WASINN_EXTENSIONS) != 0);
    wasinn_instance_stats(r.instance, &out->stats);
    wasinn_instance_free(r.instance);
    arena_free(&r.arena);
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}
