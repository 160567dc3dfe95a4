/* The module wasi_ephemeral_nn and its extensions: arguments and records out of guest memory. Every field
 * is read once; all ranges are checked before anything is touched. */
#include "wasi/context.h"

#include <string.h>

enum { BUILDER_SIZE = 8, TENSOR_SIZE = 20, TENSOR_TYPE = 8 };
enum { ENCODING_ONNX = 1, ENCODING_AUTODETECT = 5, TARGETS = 3, TARGET_AUTO = 3 };

struct call {
    wasinn_instance *instance;
    wasinn_memory memory;
    const uint32_t *args;
};

/* --- memory ------------------------------------------------------------------------------------------ */

static enum fault outside(const struct call *c, const char *what, uint32_t at, uint64_t size)
{
    return fail(&c->instance->failure, FAULT_ARGUMENT,
                "%s: %llu bytes at address %u lie outside of the guest's memory of %llu", what,
                (unsigned long long)size, at, (unsigned long long)c->memory.size);
}

/* A range of `count` elements; nothing of an empty one is looked at. */
static enum fault range(const struct call *c, const char *what, uint32_t at, uint64_t count,
                        uint64_t element, uint8_t **out)
{
    uint64_t size = count * element; /* below 2^35: both are small */
    *out = NULL;
    if (!size)
        return FAULT_NONE;
    if (size > c->memory.size || at > c->memory.size - size)
        return outside(c, what, at, size);
    *out = (uint8_t *)c->memory.base + at;
    return FAULT_NONE;
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(uint8_t *at, uint32_t v)
{
    const uint8_t bytes[4] = { (uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                               (uint8_t)(v >> 24) };
    memcpy(at, bytes, sizeof bytes);
}

static enum fault out_pointer(const struct call *c, const char *what, uint32_t at, uint8_t **out)
{
    return range(c, what, at, 1, 4, out);
}

/* --- load ------------------------------------------------------------------------------------------- */

static enum fault encoding_of(const struct call *c, uint32_t code, wasinn_encoding *out)
{
    static const char *const names[] = { "openvino", "onnx", "tensorflow", "pytorch",
                                         "tensorflowlite" };
    uint32_t webnn = c->instance->host->options.webnn_encoding;
    if (code == ENCODING_ONNX)
        *out = WASINN_ENCODING_ONNX;
    else if (code == ENCODING_AUTODETECT)
        *out = WASINN_ENCODING_AUTODETECT;
    else if (webnn && code == webnn)
        *out = WASINN_ENCODING_WEBNN;
    else if (code < ENCODING_AUTODETECT)
        return fail(&c->instance->failure, FAULT_ENCODING,
                    "no backend for encoding %u (%s): give onnx (1) or autodetect (5)", code,
                    names[code]);
    else
        return fail(&c->instance->failure, FAULT_ENCODING,
                    "encoding %u does not exist: give onnx (1) or autodetect (5)", code);
    return FAULT_NONE;
}

static enum fault target_of(const struct call *c, uint32_t code, wasinn_target *out)
{
    bool any = c->instance->host->options.policy & WASINN_EXTENSIONS && code == TARGET_AUTO;
    if (code >= TARGETS && !any)
        return fail(&c->instance->failure, FAULT_ARGUMENT,
                    "target %u does not exist: cpu is 0, gpu 1, tpu 2", code);
    *out = any ? WASINN_CPU : (wasinn_target)code;
    return FAULT_NONE;
}

static enum fault read_builders(const struct call *c, uint32_t at, uint32_t count,
                                wasinn_bytes builders[2])
{
    uint8_t *records, *data;
    CHECK(range(c, "the builders", at, count, BUILDER_SIZE, &records));
    if (count < 1 || count > 2)
        return fail(&c->instance->failure, FAULT_ARGUMENT,
                    "%u builders are given: an ONNX model is one, a WebNN graph one or two", count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = get_u32(records + i * BUILDER_SIZE);
        uint32_t size = get_u32(records + i * BUILDER_SIZE + 4);
        CHECK(range(c, "a builder", from, size, 1, &data));
        builders[i] = (wasinn_bytes){ data, size };
    }
    return FAULT_NONE;
}

static enum fault call_load(const struct call *c)
{
    wasinn_bytes builders[2] = { { 0 } };
    struct nn_model m = { .builders = builders, .count = c->args[1] };
    uint8_t *out;
    uint32_t handle;
    CHECK(encoding_of(c, c->args[2], &m.encoding));
    CHECK(target_of(c, c->args[3], &m.target));
    CHECK(out_pointer(c, "the place of the handle", c->args[4], &out));
    CHECK(read_builders(c, c->args[0], c->args[1], builders));
    CHECK(op_load(c->instance, &m, &handle));
    put_u32(out, handle);
    return FAULT_NONE;
}

static enum fault load_named(const struct call *c, uint32_t at, uint32_t size, uint8_t *out)
{
    uint8_t *name;
    uint32_t handle;
    CHECK(range(c, "the name", at, size, 1, &name));
    CHECK(op_load_by_name(c->instance, (struct span){ name, size }, &handle));
    put_u32(out, handle);
    return FAULT_NONE;
}

static enum fault call_load_by_name(const struct call *c)
{
    uint8_t *out;
    CHECK(out_pointer(c, "the place of the handle", c->args[2], &out));
    return load_named(c, c->args[0], c->args[1], out);
}

static enum fault call_load_by_name_with_config(const struct call *c)
{
    uint8_t *out, *config;
    CHECK(out_pointer(c, "the place of the handle", c->args[4], &out));
    CHECK(range(c, "the configuration", c->args[2], c->args[3], 1, &config));
    if (c->args[3])
        return fail(&c->instance->failure, FAULT_UNSUPPORTED,
                    "a configuration of %u bytes is given: only an empty one is accepted",
                    c->args[3]);
    return load_named(c, c->args[0], c->args[1], out);
}

/* --- contexts --------------------------------------------------------------------------------------- */

static enum fault call_init_execution_context(const struct call *c)
{
    struct nn_graph *g;
    uint8_t *out;
    uint32_t handle;
    CHECK(op_find_graph(c->instance, c->args[0], &g));
    CHECK(out_pointer(c, "the place of the handle", c->args[1], &out));
    CHECK(op_new_context(c->instance, c->args[0], &handle));
    put_u32(out, handle);
    return FAULT_NONE;
}

static enum fault check_index(const struct call *c, const char *what, uint32_t index,
                              uint32_t count)
{
    return index < count ? FAULT_NONE
                         : fail(&c->instance->failure, FAULT_ARGUMENT,
                                "%s %u does not exist: the graph has %u", what, index, count);
}

static enum fault read_tensor(const struct call *c, uint32_t at, uint32_t dims[MAX_RANK],
                              struct nn_given *out)
{
    uint8_t *r, *list, *data;
    CHECK(range(c, "the tensor", at, 1, TENSOR_SIZE, &r));
    uint32_t dims_at = get_u32(r), rank = get_u32(r + 4), data_at = get_u32(r + 12);
    uint32_t size = get_u32(r + 16);
    *out = (struct nn_given){
        .type = r[TENSOR_TYPE], .rank = rank, .dims = dims, .numbering = c->instance->dtypes
    };
    CHECK(range(c, "the dimensions", dims_at, rank, 4, &list));
    CHECK(range(c, "the data", data_at, size, 1, &data));
    if (rank > c->instance->host->limits.rank)
        return fail(&c->instance->failure, FAULT_ARGUMENT,
                    "the tensor has rank %u, at most %u is "
                    "accepted",
                    rank, c->instance->host->limits.rank);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = get_u32(list + i * 4);
    out->data = (struct span){ data, size };
    return FAULT_NONE;
}

static enum fault call_set_input(const struct call *c)
{
    struct nn_context *x;
    struct nn_given given;
    uint32_t dims[MAX_RANK];
    CHECK(op_find_context(c->instance, c->args[0], &x));
    CHECK(check_index(c, "input", c->args[1], x->graph->input_count));
    CHECK(read_tensor(c, c->args[2], dims, &given));
    return context_set_input(c->instance, x, c->args[1], &given);
}

static enum fault call_compute(const struct call *c)
{
    struct nn_context *x;
    CHECK(op_find_context(c->instance, c->args[0], &x));
    return context_compute(c->instance, x);
}

/* The bytes, then their number; only the number where the buffer is too small. */
static enum fault give(const struct call *c, const char *what, struct span bytes, uint8_t *to,
                       uint32_t room, uint8_t *size_out)
{
    if (bytes.size > UINT32_MAX)
        return fail(&c->instance->failure, FAULT_TOO_LARGE, "%s has %zu bytes", what, bytes.size);
    if (bytes.size > room) {
        c->instance->call.asks_for_size = !room;
        put_u32(size_out, (uint32_t)bytes.size);
        return fail(&c->instance->failure, FAULT_TOO_LARGE,
                    "%s has %zu bytes, the buffer has room for %u", what, bytes.size, room);
    }
    if (bytes.size)
        memcpy(to, bytes.data, bytes.size);
    put_u32(size_out, (uint32_t)bytes.size);
    return FAULT_NONE;
}

static enum fault call_get_output(const struct call *c)
{
    wasinn_instance *i = c->instance;
    struct nn_context *x;
    struct tensor t;
    uint8_t *to, *size_out;
    CHECK(op_find_context(i, c->args[0], &x));
    CHECK(check_index(c, "output", c->args[1], x->graph->output_count));
    CHECK(range(c, "the buffer", c->args[2], c->args[3], 1, &to));
    CHECK(out_pointer(c, "the place of the size", c->args[4], &size_out));
    CHECK(context_output(i, x, c->args[1], i->dtypes, &t));
    struct span bytes = { t.data, (size_t)tensor_bytes(&t) };
    CHECK(give(c, "the output", bytes, to, c->args[3], size_out));
    i->call.bytes = bytes.size;
    i->stats.output_bytes += bytes.size;
    return FAULT_NONE;
}

/* --- extensions ------------------------------------------------------------------------------------- */

static enum fault call_unload(const struct call *c)
{
    return op_drop(c->instance, WASINN_RESOURCE_GRAPH, c->args[0]);
}

static enum fault call_finalize_execution_context(const struct call *c)
{
    return op_drop(c->instance, WASINN_RESOURCE_CONTEXT, c->args[0]);
}

static enum fault ports_of(const struct call *c, const struct nn_port **ports, uint32_t *count)
{
    struct nn_graph *g;
    CHECK(op_find_graph(c->instance, c->args[0], &g));
    if (c->args[1] > 1)
        return fail(&c->instance->failure, FAULT_ARGUMENT,
                    "kind %u does not exist: inputs are 0, outputs 1", c->args[1]);
    *ports = c->args[1] ? g->outputs : g->inputs;
    *count = c->args[1] ? g->output_count : g->input_count;
    return FAULT_NONE;
}

static enum fault call_count(const struct call *c)
{
    const struct nn_port *ports = NULL;
    uint32_t count = 0;
    uint8_t *out;
    CHECK(ports_of(c, &ports, &count));
    CHECK(out_pointer(c, "the place of the count", c->args[2], &out));
    put_u32(out, count);
    return FAULT_NONE;
}

static enum fault call_describe(const struct call *c)
{
    const struct nn_port *ports = NULL;
    uint32_t count = 0;
    uint8_t *to, *size_out;
    struct span text;
    CHECK(ports_of(c, &ports, &count));
    CHECK(check_index(c, c->args[1] ? "output" : "input", c->args[2], count));
    CHECK(range(c, "the buffer", c->args[3], c->args[4], 1, &to));
    CHECK(out_pointer(c, "the place of the size", c->args[5], &size_out));
    CHECK(describe_port(c->instance, &ports[c->args[2]], &text));
    return give(c, "the description", text, to, c->args[4], size_out);
}

static enum fault call_last_error(const struct call *c)
{
    wasinn_instance *i = c->instance;
    uint8_t *to, *size_out;
    i->call.asks_for_last = true;
    CHECK(range(c, "the buffer", c->args[0], c->args[1], 1, &to));
    CHECK(out_pointer(c, "the place of the size", c->args[2], &size_out));
    return give(c, "the text", span_of(i->last), to, c->args[1], size_out);
}

/* --- rows ------------------------------------------------------------------------------------------- */

#define NN  "wasi_ephemeral_nn"
#define EXT "onnx2webnn_nn"

static const wasinn_function_row rows[] = {
    [WASINN_LOAD] = { NN, "load", 5, false },
    [WASINN_LOAD_BY_NAME] = { NN, "load_by_name", 3, false },
    [WASINN_INIT_EXECUTION_CONTEXT] = { NN, "init_execution_context", 2, false },
    [WASINN_SET_INPUT] = { NN, "set_input", 3, false },
    [WASINN_COMPUTE] = { NN, "compute", 1, false },
    [WASINN_GET_OUTPUT] = { NN, "get_output", 5, false },
    [WASINN_UNLOAD] = { NN, "unload", 1, true },
    [WASINN_FINALIZE_EXECUTION_CONTEXT] = { NN, "finalize_execution_context", 1, true },
    [WASINN_LOAD_BY_NAME_WITH_CONFIG] = { NN, "load_by_name_with_config", 5, true },
    [WASINN_COUNT] = { EXT, "count", 3, true },
    [WASINN_DESCRIBE] = { EXT, "describe", 6, true },
    [WASINN_LAST_ERROR] = { EXT, "last_error", 3, true },
};
_Static_assert(sizeof rows / sizeof *rows == WASINN_FUNCTION_COUNT, "a row per function");

static enum fault (*const handlers[WASINN_FUNCTION_COUNT])(const struct call *) = {
    [WASINN_LOAD] = call_load,
    [WASINN_LOAD_BY_NAME] = call_load_by_name,
    [WASINN_INIT_EXECUTION_CONTEXT] = call_init_execution_context,
    [WASINN_SET_INPUT] = call_set_input,
    [WASINN_COMPUTE] = call_compute,
    [WASINN_GET_OUTPUT] = call_get_output,
    [WASINN_UNLOAD] = call_unload,
    [WASINN_FINALIZE_EXECUTION_CONTEXT] = call_finalize_execution_context,
    [WASINN_LOAD_BY_NAME_WITH_CONFIG] = call_load_by_name_with_config,
    [WASINN_COUNT] = call_count,
    [WASINN_DESCRIBE] = call_describe,
    [WASINN_LAST_ERROR] = call_last_error,
};

const wasinn_function_row *wasinn_functions(size_t *count)
{
    *count = WASINN_FUNCTION_COUNT;
    return rows;
}

static enum fault run(const struct call *c, wasinn_function f, size_t count)
{
    wasinn_instance *i = c->instance;
    if ((unsigned)f >= WASINN_FUNCTION_COUNT || count != rows[f].parameters)
        return fail(&i->failure, FAULT_ARGUMENT, "no such function, or %zu arguments for it",
                    count);
    if (!c->memory.base)
        return fail(&i->failure, FAULT_MEMORY,
                    "the guest exports no 32-bit memory of its own that is called `memory`");
    if (rows[f].extension && !(i->host->options.policy & WASINN_EXTENSIONS))
        return fail(&i->failure, FAULT_UNSUPPORTED,
                    "this function is an extension, which the host has switched off");
    return handlers[f](c);
}

uint32_t wasinn_call(wasinn_instance *i, wasinn_function f, wasinn_memory memory,
                     const uint32_t *args, size_t count)
{
    const struct call c = { i, memory, args };
    if (!instance_enter(i))
        return WASINN_BUSY;
    enum fault fault = run(&c, f, count);
    const char *name = (unsigned)f < WASINN_FUNCTION_COUNT ? rows[f].name : "?";
    return (uint32_t)fault_errno(instance_leave(i, name, fault));
}
