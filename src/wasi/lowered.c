/* wasi:nn as core modules import it, by the canonical ABI: what it forbids traps. */
#include "wasi/context.h"

#include <string.h>

#define VERSION "@0.2.0-rc-2024-10-28"

struct lowered {
    wasinn_instance *instance;
    const wasinn_guest *guest;
    const uint32_t *args;
    uint32_t result;
    const char *trap;
};

static bool trap(struct lowered *c, const char *message)
{
    c->trap = message;
    return false;
}

/* --- memory ------------------------------------------------------------------------------------------ */

static bool range_in(struct lowered *c, wasinn_memory m, uint32_t at, uint64_t bytes,
                     uint32_t align, uint8_t **out)
{
    if (!m.base)
        return trap(c, "the guest exports no 32-bit memory of its own that is called `memory`");
    if (at % align)
        return trap(c, "a pointer of a guest is not aligned");
    if (bytes > m.size || at > m.size - bytes)
        return trap(c, "a pointer of a guest lies outside of its memory");
    *out = (uint8_t *)m.base + at;
    return true;
}

/* In the memory as it is now: asked for again after everything that runs the guest. */
static bool range(struct lowered *c, uint32_t at, uint64_t count, uint32_t size, uint32_t align,
                  uint8_t **out)
{
    return range_in(c, c->guest->memory(c->guest->user), at, count * size, align, out);
}

static uint32_t get_u32(const uint8_t *at)
{
    uint32_t v;
    memcpy(&v, at, 4);
    return v;
}

static void put_u32(uint8_t *at, uint32_t v)
{
    memcpy(at, &v, 4);
}

/* Room in the guest, obtained from itself; nothing is asked for an empty list. */
static bool guest_room(struct lowered *c, uint64_t count, uint32_t size, uint32_t align,
                       uint32_t *at)
{
    uint64_t bytes = count * size;
    *at = align;
    if (!bytes)
        return true;
    if (bytes > UINT32_MAX)
        return trap(c, "a list is too large for the guest's memory");
    if (!c->guest->realloc(c->guest->user, align, (uint32_t)bytes, at))
        return trap(c, "the guest's cabi_realloc is missing or trapped");
    return true;
}

/* A list of bytes or words of the host, copied into the guest, as {pointer, count} at `ret`. */
static bool return_list(struct lowered *c, uint32_t ret, const void *data, uint64_t count,
                        uint32_t size)
{
    uint8_t *to;
    uint32_t at;
    if (!range(c, ret, 2, 4, 4, &to) || !guest_room(c, count, size, size, &at) ||
        !range(c, at, count, size, size, &to))
        return false;
    if (count)
        memcpy(to, data, (size_t)count * size);
    if (!range(c, ret, 2, 4, 4, &to))
        return false;
    put_u32(to, at);
    put_u32(to + 4, (uint32_t)count);
    return true;
}

/* --- tensors and errors ------------------------------------------------------------------------------ */

static bool low_tensor_new(struct lowered *c)
{
    const uint32_t *a = c->args;
    uint8_t *dims, *data;
    uint32_t copy[MAX_RANK] = { 0 };
    if (!range(c, a[0], a[1], 4, 4, &dims) || !range(c, a[3], a[4], 1, 1, &data))
        return false;
    if (a[2] > 6)
        return trap(c, "a guest gave a tensor type that does not exist");
    for (uint32_t k = 0; k < a[1] && k < MAX_RANK; k++)
        copy[k] = get_u32(dims + 4 * (size_t)k);
    c->result = wasinn_tensor_new(c->instance, copy, a[1], a[2], (wasinn_bytes){ data, a[4] });
    return c->result ? true : trap(c, "no memory for a tensor");
}

static bool tensor_of(struct lowered *c, wasinn_tensor_view *v)
{
    return wasinn_tensor_get(c->instance, c->args[0], v) ||
           trap(c, "a guest gave a handle that is no tensor of its own");
}

/* While its list is given back the guest runs, and may not drop the tensor: it is lent to the call. */
static bool return_of_tensor(struct lowered *c, const void *data, uint64_t count, uint32_t size)
{
    struct nn_tensor *t = table_find(&c->instance->tables[WASINN_RESOURCE_TENSOR], c->args[0]);
    bool lent = t->taken;
    t->taken = true;
    bool done = return_list(c, c->args[1], data, count, size);
    t->taken = lent;
    return done;
}

static bool low_tensor_dimensions(struct lowered *c)
{
    wasinn_tensor_view v;
    return tensor_of(c, &v) && return_of_tensor(c, v.dims, v.rank, 4);
}

static bool low_tensor_type(struct lowered *c)
{
    wasinn_tensor_view v;
    if (!tensor_of(c, &v))
        return false;
    c->result = v.type;
    return true;
}

static bool low_tensor_data(struct lowered *c)
{
    wasinn_tensor_view v;
    return tensor_of(c, &v) && return_of_tensor(c, v.data.data, v.data.size, 1);
}

static bool error_of(struct lowered *c, wasinn_code *code, const char **text)
{
    return wasinn_error_get(c->instance, c->args[0], code, text) ||
           trap(c, "a guest gave a handle that is no error of its own");
}

static bool low_error_code(struct lowered *c)
{
    wasinn_code code;
    const char *text;
    if (!error_of(c, &code, &text))
        return false;
    c->result = (uint32_t)code;
    return true;
}

static bool low_error_data(struct lowered *c)
{
    wasinn_code code;
    const char *text;
    char copy[FAILURE_TEXT]; /* the guest may drop the error meanwhile */
    if (!error_of(c, &code, &text))
        return false;
    size_t size = strlen(text);
    memcpy(copy, text, size);
    return return_list(c, c->args[1], copy, size, 1);
}

static bool drop(struct lowered *c, wasinn_resource kind)
{
    return wasinn_drop(c->instance, kind, c->args[0]) ||
           trap(c, "a guest dropped a handle that is not its own");
}

static bool drop_graph(struct lowered *c)
{
    return drop(c, WASINN_RESOURCE_GRAPH);
}

static bool drop_context(struct lowered *c)
{
    return drop(c, WASINN_RESOURCE_CONTEXT);
}

static bool drop_tensor(struct lowered *c)
{
    const struct nn_tensor *t =
        table_find(&c->instance->tables[WASINN_RESOURCE_TENSOR], c->args[0]);
    if (t && t->taken)
        return trap(c, "a guest dropped a tensor that is lent to a call");
    return drop(c, WASINN_RESOURCE_TENSOR);
}

static bool drop_error(struct lowered *c)
{
    return drop(c, WASINN_RESOURCE_ERROR);
}

/* --- graphs ------------------------------------------------------------------------------------------ */

/* result<own, error>: the tag, then the handle of either. */
static bool return_handle(struct lowered *c, uint32_t ret, bool ok, uint32_t rep)
{
    uint8_t *to;
    if (!rep)
        return trap(c, "no memory for an object of a guest");
    if (!range(c, ret, 2, 4, 4, &to))
        return false;
    to[0] = !ok;
    put_u32(to + 4, rep);
    return true;
}

enum { MOST_BUILDERS = 16 };

static bool low_load(struct lowered *c)
{
    const uint32_t *a = c->args;
    wasinn_bytes builders[MOST_BUILDERS];
    uint8_t *list, *data, *ret;
    uint32_t rep;
    if (!range(c, a[4], 2, 4, 4, &ret) || !range(c, a[0], a[1], 8, 4, &list))
        return false;
    if (a[2] > 6 || a[3] > 2)
        return trap(c, "a guest gave an encoding or target that does not exist");
    const wasinn_memory m = c->guest->memory(c->guest->user); /* once: there may be 2^29 of them */
    for (uint32_t k = 0; k < a[1]; k++) {
        uint32_t at = get_u32(list + 8 * (size_t)k), size = get_u32(list + 8 * (size_t)k + 4);
        if (!range_in(c, m, at, size, 1, &data))
            return false;
        if (k < MOST_BUILDERS)
            builders[k] = (wasinn_bytes){ data, size };
    }
    bool ok = wasinn_graph_load(c->instance, builders, a[1], a[2], a[3], &rep);
    return return_handle(c, a[4], ok, rep);
}

static bool low_load_by_name(struct lowered *c)
{
    const uint32_t *a = c->args;
    uint8_t *name, *ret;
    uint32_t rep;
    if (!range(c, a[2], 2, 4, 4, &ret) || !range(c, a[0], a[1], 1, 1, &name))
        return false;
    bool ok = wasinn_graph_load_by_name(c->instance, (wasinn_bytes){ name, a[1] }, &rep);
    return return_handle(c, a[2], ok, rep);
}

static bool low_init_context(struct lowered *c)
{
    uint8_t *ret;
    uint32_t rep;
    if (!range(c, c->args[1], 2, 4, 4, &ret))
        return false;
    if (!table_find(&c->instance->tables[WASINN_RESOURCE_GRAPH], c->args[0]))
        return trap(c, "a guest gave a handle that is no graph of its own");
    bool ok = wasinn_context_new(c->instance, c->args[0], &rep);
    return return_handle(c, c->args[1], ok, rep);
}

/* --- computing --------------------------------------------------------------------------------------- */

enum { INPUT_SIZE = 12, RESULT_WORDS = 3, FEW = 16 };

/* Tensors leave the guest here: each must be its own, and given once. */
static bool read_inputs(struct lowered *c, uint32_t at, uint32_t count, wasinn_named_tensor *out)
{
    uint8_t *list, *name;
    if (!range(c, at, count, INPUT_SIZE, 4, &list))
        return false;
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t *item = list + INPUT_SIZE * (size_t)k;
        uint32_t size = get_u32(item + 4), rep = get_u32(item + 8);
        if (!range(c, get_u32(item), size, 1, 1, &name))
            return false;
        struct nn_tensor *t = table_find(&c->instance->tables[WASINN_RESOURCE_TENSOR], rep);
        if (!t)
            return trap(c, "a guest gave a handle that is no tensor of its own");
        if (t->taken)
            return trap(c, "a guest gave one tensor twice");
        t->taken = true;
        out[k] = (wasinn_named_tensor){ { name, size }, rep };
    }
    return true;
}

/* The list of {name, tensor}; the guest runs between its parts. */
static bool return_outputs(struct lowered *c, uint32_t ret, const wasinn_named_tensor *outputs,
                           size_t count)
{
    uint8_t *to;
    uint32_t list, text;
    if (!guest_room(c, count, INPUT_SIZE, 4, &list))
        return false;
    for (size_t k = 0; k < count; k++) {
        uint64_t size = outputs[k].name.size;
        if (!guest_room(c, size, 1, 1, &text) || !range(c, text, size, 1, 1, &to))
            return false;
        memcpy(to, outputs[k].name.data, (size_t)size);
        if (!range(c, list, count, INPUT_SIZE, 4, &to))
            return false;
        put_u32(to + INPUT_SIZE * k, text);
        put_u32(to + INPUT_SIZE * k + 4, (uint32_t)size);
        put_u32(to + INPUT_SIZE * k + 8, outputs[k].tensor);
    }
    if (!range(c, ret, RESULT_WORDS, 4, 4, &to))
        return false;
    to[0] = 0;
    put_u32(to + 4, list);
    put_u32(to + 8, (uint32_t)count);
    return true;
}

/* The guest may run again while its outputs are given back: they are taken from the instance first. */
static bool give_outputs(struct lowered *c, uint32_t ret, const wasinn_named_tensor *outputs,
                         size_t count)
{
    wasinn_named_tensor few[FEW], *kept = few;
    const o2w_allocator *a = c->instance->allocator;
    size_t size = (count + 1) * sizeof *kept;
    if (count > FEW && !(kept = mem_alloc(a, size)))
        return trap(c, "no memory for the outputs");
    for (size_t k = 0; k < count; k++)
        kept[k] = outputs[k];
    bool done = return_outputs(c, ret, kept, count);
    if (kept != few)
        mem_free(a, kept, size);
    return done;
}

static bool run_inputs(struct lowered *c, const wasinn_named_tensor *inputs, uint32_t count)
{
    const wasinn_named_tensor *outputs = NULL;
    size_t output_count = 0;
    uint8_t *to;
    uint32_t error, ret = c->args[3];
    if (wasinn_context_compute(c->instance, c->args[0], inputs, count, &outputs, &output_count,
                               &error))
        return give_outputs(c, ret, outputs, output_count);
    if (!error)
        return trap(c, "no memory for an error");
    if (!range(c, ret, RESULT_WORDS, 4, 4, &to))
        return false;
    to[0] = 1;
    put_u32(to + 4, error);
    return true;
}

static bool low_compute(struct lowered *c)
{
    wasinn_named_tensor few[FEW], *inputs = few;
    const o2w_allocator *a = c->instance->allocator;
    const uint32_t count = c->args[2];
    uint8_t *ret, *list;
    if (!range(c, c->args[3], RESULT_WORDS, 4, 4, &ret) ||
        !range(c, c->args[1], count, INPUT_SIZE, 4, &list))
        return false;
    const struct nn_context *context =
        table_find(&c->instance->tables[WASINN_RESOURCE_CONTEXT], c->args[0]);
    if (!context)
        return trap(c, "a guest gave a handle that is no context of its own");
    size_t size = ((size_t)count + 1) * sizeof *inputs;
    if (count > FEW && !(inputs = mem_alloc(a, size)))
        return trap(c, "no memory for the inputs");
    /* It names the outputs while the guest runs, which may drop context and graph. */
    struct nn_graph *graph = graph_retain(context->graph);
    bool done = read_inputs(c, c->args[1], count, inputs) && run_inputs(c, inputs, count);
    graph_release(graph);
    if (inputs != few)
        mem_free(a, inputs, size);
    return done;
}

/* --- rows -------------------------------------------------------------------------------------------- */

#define TENSOR    "wasi:nn/tensor" VERSION
#define GRAPH     "wasi:nn/graph" VERSION
#define INFERENCE "wasi:nn/inference" VERSION
#define ERRORS    "wasi:nn/errors" VERSION

static const wasinn_lowered_row rows[] = {
    { TENSOR, "[constructor]tensor", 5, true },
    { TENSOR, "[method]tensor.dimensions", 2, false },
    { TENSOR, "[method]tensor.ty", 1, true },
    { TENSOR, "[method]tensor.data", 2, false },
    { TENSOR, "[resource-drop]tensor", 1, false },
    { GRAPH, "load", 5, false },
    { GRAPH, "load-by-name", 3, false },
    { GRAPH, "[method]graph.init-execution-context", 2, false },
    { GRAPH, "[resource-drop]graph", 1, false },
    { INFERENCE, "[method]graph-execution-context.compute", 4, false },
    { INFERENCE, "[resource-drop]graph-execution-context", 1, false },
    { ERRORS, "[method]error.code", 1, true },
    { ERRORS, "[method]error.data", 2, false },
    { ERRORS, "[resource-drop]error", 1, false },
};

static bool (*const handlers[])(struct lowered *) = {
    low_tensor_new, low_tensor_dimensions, low_tensor_type,  low_tensor_data, drop_tensor,
    low_load,       low_load_by_name,      low_init_context, drop_graph,      low_compute,
    drop_context,   low_error_code,        low_error_data,   drop_error,
};
_Static_assert(sizeof rows / sizeof *rows == sizeof handlers / sizeof *handlers, "one each");

const wasinn_lowered_row *wasinn_lowered_functions(size_t *count)
{
    *count = sizeof rows / sizeof *rows;
    return rows;
}

bool wasinn_call_lowered(wasinn_instance *i, size_t function, const wasinn_guest *guest,
                         const uint32_t *args, uint32_t *result, const char **message)
{
    struct lowered c = { .instance = i, .guest = guest, .args = args };
    bool done = function < sizeof handlers / sizeof *handlers ? handlers[function](&c)
                                                              : trap(&c, "no such function");
    *result = c.result;
    *message = c.trap;
    return done;
}
