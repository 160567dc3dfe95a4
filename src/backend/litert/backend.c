/* The engine: LiteRT's processor kernels through its C interface. */
#include "backend/backend.h"
#include "backend/litert/litert_abi.h"
#include "backend/litert/lower.h"

#include <pthread.h>
#include <string.h>

#define LITERT_VARIABLE "LITERT_DYLIB_PATH"
#define LITERT_NEEDS    "libLiteRt 2.3.0 (LITERT_DYLIB_PATH; tools/setup litert)"

struct engine {
    const o2w_allocator *allocator;
    const struct litert_api *api;
    LiteRtEnvironment *environment;
};

/* Memory as the engine wants it, and the engine's handle on it. */
struct port {
    void *base, *data;
    size_t base_size;
    LiteRtTensorBuffer *buffer;
};

struct compiled {
    struct engine *engine;
    struct flat file;
    LiteRtModel *model;
    LiteRtOptions *options;
    LiteRtCompiledModel *compiled;
    struct port *ports; /* inputs, then outputs */
    LiteRtTensorBuffer **buffers;
    size_t input_count, output_count;
};

/* --- the library --------------------------------------------------------------------------------------- */

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static struct litert_api opened;
static struct library *opened_library;

static o2w_status load(struct diags *d)
{
    struct library *library = NULL;
    struct litert_api api;
    o2w_status status = library_open("libLiteRt.so", LITERT_VARIABLE, d, &library);
    if (status != O2W_OK) {
        diag_line(d, "needs", LITERT_NEEDS);
        diag_hint(d, "'onnx2webnn backends' lists what works here");
        return status;
    }
#define CALL(name, result, parameters)                                                   \
    {                                                                                    \
        void *symbol = library_symbol(library, "LiteRt" #name);                          \
        if (!symbol)                                                                     \
            return diag_error(d, DIAG_BACKEND_UNAVAILABLE,                               \
                              "backend 'litert' cannot be used: %s has no LiteRt" #name, \
                              library_path(library));                                    \
        memcpy(&api.name, &symbol, sizeof symbol);                                       \
    }
    LITERT_CALLS(CALL)
#undef CALL
    opened = api;
    opened_library = library;
    return O2W_OK;
}

static o2w_status open_library(struct diags *d)
{
    pthread_mutex_lock(&opening);
    o2w_status status = opened_library ? O2W_OK : load(d);
    pthread_mutex_unlock(&opening);
    return status;
}

static o2w_status litert_probe(struct arena *a, struct diags *d, struct backend_probe *out)
{
    struct backend_device *device = ARENA_NEW(a, struct backend_device);
    if (!device)
        return diag_memory(d);
    TRY(open_library(d));
    *device = (struct backend_device){ "processor", "cpu" };
    *out = (struct backend_probe){ .available = true,
                                   .engine = "LiteRT",
                                   .version = NULL, /* the library does not tell */
                                   .library = library_path(opened_library),
                                   .devices = device,
                                   .device_count = 1 };
    return O2W_OK;
}

/* --- limits -------------------------------------------------------------------------------------------- */

static void narrow(struct slot_limit *s)
{
    s->dtypes &= DTYPE_BIT(DTYPE_FLOAT32);
    s->rank_max = s->rank_max > LITERT_RANK ? LITERT_RANK : s->rank_max;
}

static void litert_limits(struct limits *out)
{
    limits_own(out);
    out->name = "litert";
    out->min_dimension = 1;
    out->max_rank = LITERT_RANK;
    out->max_tensor_bytes = INT32_MAX;
    out->dynamic_dims = false;
    out->packed_movers = false;
    narrow(&out->input);
    narrow(&out->constant);
    narrow(&out->output);
    for (int kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        out->refused[kind] = out->refused[kind] || !litert_lowers((enum webnn_operator)kind);
        for (int slot = 0; slot < MAX_SLOTS; slot++)
            narrow(&out->operators[kind][slot]);
    }
}

/* --- contexts ------------------------------------------------------------------------------------------ */

static void litert_close(struct engine *e)
{
    if (!e)
        return;
    if (e->environment)
        e->api->DestroyEnvironment(e->environment);
    mem_free(e->allocator, e, sizeof *e);
}

static o2w_status litert_open(const struct backend_settings *settings, struct diags *d,
                              struct engine **out)
{
    const o2w_environment *environment = settings->environment;
    const o2w_allocator *allocator =
        environment && environment->allocator.resize ? &environment->allocator : NULL;
    TRY(open_library(d));
    struct engine *e = mem_alloc(allocator, sizeof *e);
    if (!e)
        return diag_memory(d);
    /* the library would tell of every model on stderr, and look for a GPU */
    const struct litert_option quiet[] = {
        { LITERT_TAG_ACCELERATORS, { LITERT_KIND_INT, LITERT_ON_CPU } },
        { LITERT_TAG_LOG_LEVEL, { LITERT_KIND_INT, LITERT_SILENT } },
    };
    *e = (struct engine){ .allocator = allocator, .api = &opened };
    if (e->api->CreateEnvironment(2, quiet, &e->environment) != 0) {
        litert_close(e);
        return diag_error(d, DIAG_BACKEND_UNAVAILABLE,
                          "backend 'litert' cannot be used: no environment can be made");
    }
    *out = e;
    return O2W_OK;
}

/* --- graphs -------------------------------------------------------------------------------------------- */

static void litert_release(struct compiled *c)
{
    if (!c)
        return;
    const struct litert_api *api = c->engine->api;
    const o2w_allocator *allocator = c->engine->allocator;
    size_t count = c->input_count + c->output_count;
    for (size_t i = 0; c->ports && i < count; i++) {
        if (c->ports[i].buffer)
            api->DestroyTensorBuffer(c->ports[i].buffer);
        mem_free(allocator, c->ports[i].base, c->ports[i].base_size);
    }
    if (c->compiled)
        api->DestroyCompiledModel(c->compiled);
    if (c->options)
        api->DestroyOptions(c->options);
    if (c->model)
        api->DestroyModel(c->model);
    mem_free(allocator, c->ports, count * sizeof *c->ports);
    mem_free(allocator, c->buffers, count * sizeof *c->buffers);
    flat_free(&c->file);
    mem_free(allocator, c, sizeof *c);
}

/* Memory for one operand, rounded up to what the engine may touch. */
static o2w_status open_port(struct compiled *c, const struct operand *o, size_t index,
                            struct diags *d)
{
    struct port *p = &c->ports[index];
    struct litert_tensor_type type = { .element_type = LITERT_FLOAT32, .rank = o->rank };
    uint64_t count = 1;
    for (uint32_t i = 0; i < o->rank; i++) {
        type.dims[i] = (int32_t)o->dims[i];
        count *= (uint64_t)o->dims[i];
    }
    size_t size = ((size_t)count * 4 + LITERT_ALIGNMENT - 1) / LITERT_ALIGNMENT * LITERT_ALIGNMENT;
    p->base_size = size + LITERT_ALIGNMENT;
    p->base = mem_alloc(c->engine->allocator, p->base_size);
    if (!p->base)
        return diag_memory(d);
    memset(p->base, 0, p->base_size);
    p->data =
        (void *)(((uintptr_t)p->base + LITERT_ALIGNMENT - 1) & ~(uintptr_t)(LITERT_ALIGNMENT - 1));
    if (c->engine->api->CreateTensorBufferFromHostMemory(&type, p->data, size, NULL, &p->buffer) !=
        0)
        return diag_error(d, DIAG_BUILD_FAILED, "litert refused memory for an input or output");
    c->buffers[index] = p->buffer;
    return O2W_OK;
}

static o2w_status open_ports(struct compiled *c, const struct graph *g, struct diags *d)
{
    size_t count = g->inputs.count + g->outputs.count;
    c->input_count = g->inputs.count;
    c->output_count = g->outputs.count;
    c->ports = mem_alloc(c->engine->allocator, count * sizeof *c->ports);
    c->buffers = mem_alloc(c->engine->allocator, count * sizeof *c->buffers);
    if (!c->ports || !c->buffers)
        return diag_memory(d);
    memset(c->ports, 0, count * sizeof *c->ports);
    for (size_t i = 0; i < count; i++) {
        operand_id id =
            i < c->input_count ? g->inputs.items[i] : g->outputs.items[i - c->input_count].operand;
        TRY(open_port(c, graph_operand(g, id), i, d));
    }
    return O2W_OK;
}

static o2w_status compile_in(struct compiled *c, const struct graph *g, struct diags *d)
{
    struct engine *e = c->engine;
    const struct litert_api *api = e->api;
    TRY(litert_lower(g, e->allocator, d, &c->file));
    int failed = api->CreateModelFromBuffer(e->environment, c->file.bytes.items,
                                            c->file.bytes.count, &c->model);
    failed = failed ? failed : api->CreateOptions(&c->options);
    failed = failed ? failed : api->SetOptionsHardwareAccelerators(c->options, LITERT_ON_CPU);
    failed = failed ? failed
                    : api->CreateCompiledModel(e->environment, c->model, c->options, &c->compiled);
    if (failed)
        return diag_error(d, DIAG_BUILD_FAILED, "litert refused the model (status %d)", failed);
    return open_ports(c, g, d);
}

static o2w_status litert_compile(struct engine *e, const struct graph *g, struct diags *d,
                                 struct compiled **out)
{
    struct compiled *c = mem_alloc(e->allocator, sizeof *c);
    if (!c)
        return diag_memory(d);
    *c = (struct compiled){ .engine = e };
    o2w_status status = compile_in(c, g, d);
    if (status == O2W_OK)
        *out = c;
    else
        litert_release(c);
    return status;
}

static o2w_status litert_dispatch(struct compiled *c, const struct binding *inputs,
                                  struct binding *outputs, const _Atomic bool *cancel,
                                  struct diags *d)
{
    if (cancel && *cancel)
        return diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
    for (size_t i = 0; i < c->input_count; i++)
        memcpy(c->ports[i].data, inputs[i].tensor.data, (size_t)tensor_bytes(&inputs[i].tensor));
    int failed = c->engine->api->RunCompiledModel(c->compiled, 0, c->input_count, c->buffers,
                                                  c->output_count, c->buffers + c->input_count);
    if (failed)
        return diag_error(d, DIAG_DISPATCH_FAILED, "litert cannot run the model (status %d)",
                          failed);
    for (size_t i = 0; i < c->output_count; i++)
        memcpy(outputs[i].tensor.data, c->ports[c->input_count + i].data,
               (size_t)tensor_bytes(&outputs[i].tensor));
    return O2W_OK;
}

const struct backend backend_litert = {
    .name = "litert",
    .summary = "LiteRT's processor kernels: float32, static shapes of rank 5 at most",
    .needs = LITERT_NEEDS,
    .get_it = "LITERT_DYLIB_PATH; tools/setup litert",
    .dynamic = false,
    .loose = true, /* its vector kernels lose NaN in extremes, and overflow early in exponentials */
    .limits = litert_limits,
    .probe = litert_probe,
    .open = litert_open,
    .close = litert_close,
    .compile = litert_compile,
    .dispatch = litert_dispatch,
    .release = litert_release,
};
