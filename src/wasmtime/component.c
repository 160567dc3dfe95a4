/* Imports of components: values of the engine to host values and back. */
#include "wasmtime/binding.h"

#include <string.h>

enum { DEFAULT_BASE = 0x6e6e0000 };

struct handling {
    const struct wasmtime_calls *w;
    wasmtime_context *context;
    wasinn_instance *instance;
    uint32_t base;
    component_val *args;
    component_val *result; /* NULL: the function has none */
};

/* --- values ---------------------------------------------------------------------------------------- */

static const char *const types[] = { "FP16", "FP32", "FP64", "BF16", "U8", "I32", "I64" };
static const char *const encodings[] = { "openvino",       "onnx", "tensorflow", "pytorch",
                                         "tensorflowlite", "ggml", "autodetect" };
static const char *const targets[] = { "cpu", "gpu", "tpu" };
static const char *const codes[] = {
    "invalid-argument", "invalid-encoding", "timeout",  "runtime-error", "unsupported-operation",
    "too-large",        "not-found",        "security", "unknown"
};
#define COUNT(names) (sizeof(names) / sizeof *(names))

static uint32_t case_of(const wasm_bytes *name, const char *const *names, uint32_t count)
{
    uint32_t i = 0;
    while (i < count &&
           (strlen(names[i]) != name->size || memcmp(names[i], name->data, name->size) != 0))
        i++;
    return i;
}

static void put_text(const struct wasmtime_calls *w, component_val *to, uint8_t kind,
                     const char *text, size_t size)
{
    to->kind = kind;
    w->wasm_byte_vec_new(&to->of.text, size, text);
}

/* The number of a resource argument; false, with a trap to come, where it is of another type. */
static bool rep_of(const struct handling *h, const component_val *arg, wasinn_resource kind,
                   uint32_t *rep)
{
    component_host_resource *host = NULL;
    wasmtime_error *e =
        h->w->wasmtime_component_resource_any_to_host(h->context, arg->of.resource, &host);
    if (e) {
        h->w->wasmtime_error_delete(e);
        return false;
    }
    bool fits = h->w->wasmtime_component_resource_host_type(host) == h->base + (uint32_t)kind;
    *rep = h->w->wasmtime_component_resource_host_rep(host);
    h->w->wasmtime_component_resource_host_delete(host);
    return fits;
}

static wasmtime_error *broken(const struct handling *h, const char *what)
{
    return h->w->wasmtime_error_new(what);
}

static wasmtime_error *put_resource(const struct handling *h, component_val *to,
                                    wasinn_resource kind, uint32_t rep)
{
    if (!rep)
        return broken(h, "no memory for an object of the guest");
    component_host_resource *host =
        h->w->wasmtime_component_resource_host_new(true, rep, h->base + (uint32_t)kind);
    component_resource *any = NULL;
    wasmtime_error *e = h->w->wasmtime_component_resource_host_to_any(h->context, host, &any);
    h->w->wasmtime_component_resource_host_delete(host);
    if (!e)
        *to = (component_val){ .kind = COMPONENT_RESOURCE, .of.resource = any };
    return e;
}

/* result<…, error> with `payload` moved in. */
static void put_result(const struct handling *h, bool ok, component_val *payload)
{
    h->result->kind = COMPONENT_RESULT;
    h->result->of.result = (component_result){ ok, h->w->wasmtime_component_val_new(payload) };
}

static wasmtime_error *put_own(const struct handling *h, bool ok, wasinn_resource kind,
                               uint32_t rep)
{
    component_val own = { 0 };
    wasmtime_error *e = put_resource(h, &own, ok ? kind : WASINN_RESOURCE_ERROR, rep);
    if (!e)
        put_result(h, ok, &own);
    return e;
}

/* A list of u8 as bytes. */
static uint8_t *bytes_of(const component_list *list)
{
    uint8_t *bytes = mem_alloc(NULL, list->size ? list->size : 1);
    for (size_t i = 0; bytes && i < list->size; i++)
        bytes[i] = list->data[i].of.u8;
    return bytes;
}

static void free_bytes(uint8_t *bytes, size_t size)
{
    mem_free(NULL, bytes, size ? size : 1);
}

/* --- tensors and errors ---------------------------------------------------------------------------- */

enum { RANK = 64 };

static wasmtime_error *new_tensor(struct handling *h)
{
    const component_list *dims = &h->args[0].of.list, *data = &h->args[2].of.list;
    uint32_t copy[RANK];
    uint8_t *bytes = bytes_of(data);
    if (!bytes)
        return broken(h, "no memory for a tensor");
    for (size_t i = 0; i < dims->size && i < RANK; i++)
        copy[i] = dims->data[i].of.u32;
    uint32_t rep = wasinn_tensor_new(h->instance, copy, dims->size,
                                     case_of(&h->args[1].of.text, types, COUNT(types)),
                                     (wasinn_bytes){ bytes, data->size });
    free_bytes(bytes, data->size);
    return put_resource(h, h->result, WASINN_RESOURCE_TENSOR, rep);
}

static wasmtime_error *view_of(const struct handling *h, wasinn_tensor_view *v)
{
    uint32_t rep;
    if (!rep_of(h, &h->args[0], WASINN_RESOURCE_TENSOR, &rep) ||
        !wasinn_tensor_get(h->instance, rep, v))
        return broken(h, "a tensor that is none");
    return NULL;
}

static wasmtime_error *tensor_dimensions(struct handling *h)
{
    wasinn_tensor_view v = { 0 };
    wasmtime_error *e = view_of(h, &v);
    if (e)
        return e;
    h->result->kind = COMPONENT_LIST;
    h->w->wasmtime_component_vallist_new_uninit(&h->result->of.list, v.rank);
    for (uint32_t i = 0; i < v.rank; i++)
        h->result->of.list.data[i] = (component_val){ .kind = COMPONENT_U32, .of.u32 = v.dims[i] };
    return NULL;
}

static wasmtime_error *tensor_type(struct handling *h)
{
    wasinn_tensor_view v = { 0 };
    wasmtime_error *e = view_of(h, &v);
    if (!e)
        put_text(h->w, h->result, COMPONENT_ENUM, types[v.type % COUNT(types)],
                 strlen(types[v.type % COUNT(types)]));
    return e;
}

static wasmtime_error *tensor_data(struct handling *h)
{
    wasinn_tensor_view v = { 0 };
    wasmtime_error *e = view_of(h, &v);
    if (e)
        return e;
    const uint8_t *bytes = v.data.data;
    h->result->kind = COMPONENT_LIST;
    h->w->wasmtime_component_vallist_new_uninit(&h->result->of.list, v.data.size);
    for (size_t i = 0; i < v.data.size; i++)
        h->result->of.list.data[i] = (component_val){ .kind = COMPONENT_U8, .of.u8 = bytes[i] };
    return NULL;
}

static wasmtime_error *read_error(const struct handling *h, wasinn_code *code, const char **text)
{
    uint32_t rep;
    if (!rep_of(h, &h->args[0], WASINN_RESOURCE_ERROR, &rep) ||
        !wasinn_error_get(h->instance, rep, code, text))
        return broken(h, "an error that is none");
    return NULL;
}

static wasmtime_error *error_code(struct handling *h)
{
    wasinn_code code = WASINN_CODE_UNKNOWN;
    const char *text;
    wasmtime_error *e = read_error(h, &code, &text);
    if (!e)
        put_text(h->w, h->result, COMPONENT_ENUM, codes[code], strlen(codes[code]));
    return e;
}

static wasmtime_error *error_data(struct handling *h)
{
    wasinn_code code;
    const char *text = "";
    wasmtime_error *e = read_error(h, &code, &text);
    if (!e)
        put_text(h->w, h->result, COMPONENT_STRING, text, strlen(text));
    return e;
}

/* --- graphs ---------------------------------------------------------------------------------------- */

enum { BUILDERS = 4 };

static wasmtime_error *load(struct handling *h)
{
    const component_list *list = &h->args[0].of.list;
    wasinn_bytes builders[BUILDERS] = { { 0 } };
    size_t count = list->size < BUILDERS ? list->size : BUILDERS;
    bool complete = true;
    uint32_t rep = 0;
    for (size_t i = 0; i < count; i++) {
        builders[i] =
            (wasinn_bytes){ bytes_of(&list->data[i].of.list), list->data[i].of.list.size };
        complete = complete && builders[i].data;
    }
    bool ok =
        complete && wasinn_graph_load(h->instance, builders, list->size,
                                      case_of(&h->args[1].of.text, encodings, COUNT(encodings)),
                                      case_of(&h->args[2].of.text, targets, COUNT(targets)), &rep);
    for (size_t i = 0; i < count; i++)
        free_bytes((uint8_t *)(uintptr_t)builders[i].data, builders[i].size);
    return put_own(h, ok, WASINN_RESOURCE_GRAPH, rep);
}

static wasmtime_error *load_by_name(struct handling *h)
{
    const wasm_bytes *name = &h->args[0].of.text;
    uint32_t rep;
    bool ok =
        wasinn_graph_load_by_name(h->instance, (wasinn_bytes){ name->data, name->size }, &rep);
    return put_own(h, ok, WASINN_RESOURCE_GRAPH, rep);
}

static wasmtime_error *init_context(struct handling *h)
{
    uint32_t graph, rep;
    if (!rep_of(h, &h->args[0], WASINN_RESOURCE_GRAPH, &graph))
        return broken(h, "a graph that is none");
    bool ok = wasinn_context_new(h->instance, graph, &rep);
    return put_own(h, ok, WASINN_RESOURCE_CONTEXT, rep);
}

/* --- computing ------------------------------------------------------------------------------------- */

static wasmtime_error *read_inputs(const struct handling *h, const component_list *list,
                                   wasinn_named_tensor *out)
{
    for (size_t i = 0; i < list->size; i++) {
        const component_val *pair = list->data[i].of.list.data;
        const wasm_bytes *name = &pair[0].of.text;
        out[i].name = (wasinn_bytes){ name->data, name->size };
        if (!rep_of(h, &pair[1], WASINN_RESOURCE_TENSOR, &out[i].tensor))
            return broken(h, "a tensor that is none");
    }
    return NULL;
}

static wasmtime_error *put_pair(const struct handling *h, const wasinn_named_tensor *t,
                                component_val *to)
{
    component_val tensor = { 0 };
    wasmtime_error *e = put_resource(h, &tensor, WASINN_RESOURCE_TENSOR, t->tensor);
    if (e)
        return e;
    to->kind = COMPONENT_TUPLE;
    h->w->wasmtime_component_valtuple_new_uninit(&to->of.list, 2);
    put_text(h->w, &to->of.list.data[0], COMPONENT_STRING, t->name.data, t->name.size);
    to->of.list.data[1] = tensor;
    return NULL;
}

static wasmtime_error *put_outputs(const struct handling *h, const wasinn_named_tensor *outputs,
                                   size_t count)
{
    component_val list = { .kind = COMPONENT_LIST };
    wasmtime_error *e = NULL;
    h->w->wasmtime_component_vallist_new_uninit(&list.of.list, count);
    for (size_t i = 0; i < count; i++)
        list.of.list.data[i] = (component_val){ .kind = COMPONENT_U8 };
    for (size_t i = 0; i < count && !e; i++)
        e = put_pair(h, &outputs[i], &list.of.list.data[i]);
    if (e)
        h->w->wasmtime_component_val_delete(&list);
    else
        put_result(h, true, &list);
    return e;
}

static wasmtime_error *compute(struct handling *h)
{
    const component_list *list = &h->args[1].of.list;
    const wasinn_named_tensor *outputs = NULL;
    size_t size = (list->size + 1) * sizeof(wasinn_named_tensor), count = 0;
    wasinn_named_tensor *inputs = mem_alloc(NULL, size);
    uint32_t context, error;
    if (!inputs)
        return broken(h, "no memory for the inputs");
    wasmtime_error *e = read_inputs(h, list, inputs);
    if (!e && !rep_of(h, &h->args[0], WASINN_RESOURCE_CONTEXT, &context))
        e = broken(h, "a context that is none");
    if (!e &&
        wasinn_context_compute(h->instance, context, inputs, list->size, &outputs, &count, &error))
        e = put_outputs(h, outputs, count);
    else if (!e)
        e = put_own(h, false, WASINN_RESOURCE_ERROR, error);
    mem_free(NULL, inputs, size);
    return e;
}

/* --- rows ------------------------------------------------------------------------------------------ */

#define INTERFACE(name) "wasi:nn/" name "@0.2.0-rc-2024-10-28"

static const struct {
    const char *interface, *resource; /* resource: defined here; NULL: none */
    wasinn_resource kind;
} interfaces[] = {
    { INTERFACE("tensor"), "tensor", WASINN_RESOURCE_TENSOR },
    { INTERFACE("errors"), "error", WASINN_RESOURCE_ERROR },
    { INTERFACE("inference"), "graph-execution-context", WASINN_RESOURCE_CONTEXT },
    { INTERFACE("graph"), "graph", WASINN_RESOURCE_GRAPH },
};

static const struct {
    unsigned interface;
    const char *name;
    wasmtime_error *(*run)(struct handling *h);
} functions[] = {
    { 0, "[constructor]tensor", new_tensor },
    { 0, "[method]tensor.dimensions", tensor_dimensions },
    { 0, "[method]tensor.ty", tensor_type },
    { 0, "[method]tensor.data", tensor_data },
    { 1, "[method]error.code", error_code },
    { 1, "[method]error.data", error_data },
    { 2, "[method]graph-execution-context.compute", compute },
    { 3, "load", load },
    { 3, "load-by-name", load_by_name },
    { 3, "[method]graph.init-execution-context", init_context },
};

static wasmtime_error *call(void *data, wasmtime_context *context, const component_func_type *type,
                            component_val *args, size_t arg_count, component_val *results,
                            size_t result_count)
{
    const struct import *i = data;
    (void)type, (void)arg_count;
    struct handling h = { .w = i->calls,
                          .context = context,
                          .instance = i->lookup(i->calls->wasmtime_context_get_data(context)),
                          .base = i->base,
                          .args = args,
                          .result = result_count ? results : NULL };
    if (!h.instance || !h.result)
        return broken(&h, "the store has no WASI-NN instance");
    return functions[i->row].run(&h);
}

static wasmtime_error *drop(void *data, wasmtime_context *context, uint32_t rep)
{
    const struct import *i = data;
    wasinn_instance *instance = i->lookup(i->calls->wasmtime_context_get_data(context));
    if (instance)
        (void)wasinn_drop(instance, interfaces[i->row].kind, rep);
    return NULL;
}

/* --- defining -------------------------------------------------------------------------------------- */

static wasmtime_error *add_resource(const struct wasinn_wasmtime *w, component_place *place,
                                    size_t n, uint32_t base, wasinn_lookup *lookup)
{
    const struct wasmtime_calls *c = &w->calls;
    struct import *import = import_new(w, lookup, n, base);
    if (!import)
        return c->wasmtime_error_new("out of memory");
    component_resource_type *type =
        c->wasmtime_component_resource_type_new_host(base + (uint32_t)interfaces[n].kind);
    wasmtime_error *e = c->wasmtime_component_linker_instance_add_resource(
        place, interfaces[n].resource, strlen(interfaces[n].resource), type, drop, import,
        import_free);
    c->wasmtime_component_resource_type_delete(type);
    return e;
}

static wasmtime_error *add_interface(const struct wasinn_wasmtime *w, component_place *root,
                                     size_t n, uint32_t base, wasinn_lookup *lookup)
{
    const struct wasmtime_calls *c = &w->calls;
    component_place *place = NULL;
    wasmtime_error *e = c->wasmtime_component_linker_instance_add_instance(
        root, interfaces[n].interface, strlen(interfaces[n].interface), &place);
    if (e)
        return e;
    e = add_resource(w, place, n, base, lookup);
    for (size_t f = 0; f < COUNT(functions) && !e; f++) {
        if (functions[f].interface != n)
            continue;
        struct import *import = import_new(w, lookup, f, base);
        e = import ? c->wasmtime_component_linker_instance_add_func(place, functions[f].name,
                                                                    strlen(functions[f].name), call,
                                                                    import, import_free)
                   : c->wasmtime_error_new("out of memory");
    }
    c->wasmtime_component_linker_instance_delete(place);
    return e;
}

o2w_status define_components(const struct wasinn_wasmtime *w, component_linker *linker,
                             uint32_t base, wasinn_lookup *lookup, struct diags *d)
{
    component_place *root = w->calls.wasmtime_component_linker_root(linker);
    wasmtime_error *e = NULL;
    for (size_t n = 0; n < COUNT(interfaces) && !e; n++)
        e = add_interface(w, root, n, base ? base : DEFAULT_BASE, lookup);
    w->calls.wasmtime_component_linker_instance_delete(root);
    return e ? engine_failed(w, e, DIAG_WASI_ENGINE, d, "wasi:nn cannot be defined") : O2W_OK;
}

o2w_status wasinn_wasmtime_define_component(const wasinn_wasmtime *w,
                                            struct wasmtime_component_linker_t *linker,
                                            uint32_t base, wasinn_lookup *lookup, o2w_error **error)
{
    struct diags d;
    diags_init(&d, NULL);
    o2w_status s = error_from_diags(&d, define_components(w, linker, base, lookup, &d), error);
    diags_free(&d);
    return s;
}
