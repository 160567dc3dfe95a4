/* Loaded graphs: what bytes are, which backend takes them, how long they live. */
#include "wasi/host.h"

#include "base/intern.h"
#include "format/format.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = BLOCK_EXTRA };

/* An ORT flatbuffer has its tag behind the offset of its root. */
static bool is_ort_format(struct span bytes)
{
    return bytes.size >= 8 && memcmp(bytes.data + 4, "ORTM", 4) == 0;
}

enum fault container_of(struct span bytes, struct failure *f, enum nn_container *out)
{
    if (is_ort_format(bytes))
        return fail(f, FAULT_ENCODING, "models in ORT format are refused: give the ONNX model");
    if (format_is_graph(bytes))
        *out = NN_WEBNN;
    else if (scan_is_model(bytes))
        *out = NN_ONNX;
    else
        return fail(f, FAULT_ENCODING, "the bytes are neither an ONNX model nor a WebNN graph");
    return FAULT_NONE;
}

static const char *target_name(wasinn_target t)
{
    static const char *const names[] = { "cpu", "gpu", "tpu" };
    return names[t];
}

/* --- choosing -------------------------------------------------------------------------------------- */

struct attempt {
    struct nn_load *load;
    struct failure first; /* of the most preferred choice that was tried */
};

static struct nn_graph *graph_new(const struct nn_load *l)
{
    wasinn_host *h = l->host;
    struct nn_graph *g = mem_alloc(h->allocator, sizeof *g);
    if (!g)
        return NULL;
    *g = (struct nn_graph){ .host = h, .choice = l->choice, .target = l->target, .references = 1 };
    g->model_bytes = l->bytes.size + l->weights.size;
    arena_init(&g->arena, h->allocator);
    return g;
}

static bool link_axis(struct nn_graph *g, struct map *symbols, uint32_t input, uint32_t axis)
{
    struct nn_port *p = &g->inputs[input];
    uint32_t *first;
    p->same_input[axis] = input;
    p->same_axis[axis] = axis;
    struct span name = span_of(p->symbols[axis]);
    if (p->dims[axis] >= 0 || !is_symbol(name))
        return true;
    if (map_insert(symbols, name, input * MAX_RANK + axis, &first, NULL) != O2W_OK)
        return false;
    p->same_input[axis] = *first / MAX_RANK;
    p->same_axis[axis] = *first % MAX_RANK;
    return true;
}

static bool link_symbols(struct nn_graph *g)
{
    struct map symbols;
    bool done = g->input_count <= UINT32_MAX / MAX_RANK;
    map_init(&symbols, g->host->allocator);
    for (uint32_t i = 0; done && i < g->input_count; i++)
        for (uint32_t k = 0; done && g->inputs[i].has_shape && k < g->inputs[i].rank; k++)
            done = link_axis(g, &symbols, i, k);
    map_free(&symbols);
    return done;
}

static enum fault load_on(struct nn_load *l, const struct nn_choice *c, struct nn_graph **out)
{
    wasinn_host *h = l->host;
    l->choice = c;
    if (!c->available)
        return fail(l->failure, FAULT_UNSUPPORTED, "%s is not available: %s", c->name,
                    c->reason ? c->reason : "");
    struct nn_graph *g = graph_new(l);
    if (!g)
        return fail_memory(l->failure);
    enum fault fault = c->backend->load(l, g);
    if (fault == FAULT_NONE && !link_symbols(g)) {
        c->backend->release(g);
        fault = fail_memory(l->failure);
    }
    if (fault != FAULT_NONE) {
        arena_free(&g->arena);
        mem_free(h->allocator, g, sizeof *g);
        return fault;
    }
    pthread_mutex_lock(&h->lock);
    h->loaded++;
    pthread_mutex_unlock(&h->lock);
    *out = g;
    return FAULT_NONE;
}

static enum fault try_choice(struct attempt *a, const struct nn_choice *c, struct nn_graph **out)
{
    struct nn_load *l = a->load;
    enum fault fault = load_on(l, c, out);
    if (fault == FAULT_NONE)
        return FAULT_NONE;
    host_log(l->host, O2W_LOG_INFO, "%s does not take the graph: %s", c->name, l->failure->text);
    host_log_diags(l->host, O2W_LOG_DEBUG, c->name, l->diags);
    if (a->first.fault == FAULT_NONE)
        a->first = *l->failure;
    return fault;
}

/* What the others may still take: what a backend merely does not support. */
static bool goes_on(enum fault fault)
{
    return fault == FAULT_UNSUPPORTED || fault == FAULT_ENCODING;
}

static enum fault try_target(struct attempt *a, wasinn_target target, struct nn_graph **out)
{
    struct nn_load *l = a->load;
    const wasinn_host *h = l->host;
    enum fault fault = FAULT_UNSUPPORTED;
    l->target = target;
    for (size_t i = 0; i < h->choice_count && goes_on(fault); i++) {
        const struct nn_choice *c = &h->choices[i];
        if (!c->available || c->backend->serves(c, l->container, target))
            fault = try_choice(a, c, out);
        diags_free(l->diags);
        diags_init(l->diags, h->allocator);
    }
    return fault;
}

enum fault graph_load(struct nn_load *l, struct nn_graph **out)
{
    struct attempt a = { .load = l };
    wasinn_host *h = l->host;
    wasinn_target asked = l->target;
    l->fallback = h->options.policy & WASINN_TARGET_FALLBACK;
    enum fault fault = try_target(&a, asked, out);
    if (fault == FAULT_UNSUPPORTED && a.first.fault == FAULT_NONE && asked != WASINN_CPU) {
        (void)fail(&a.first, FAULT_UNSUPPORTED, "no backend has a device for target %s here",
                   target_name(asked));
        if (l->fallback) {
            host_log(h, O2W_LOG_WARN, "no device for target %s: the graph runs on cpu",
                     target_name(asked));
            a.first.fault = FAULT_NONE;
            fault = try_target(&a, WASINN_CPU, out);
        }
    }
    if (fault == FAULT_NONE)
        return FAULT_NONE;
    if (a.first.fault == FAULT_NONE)
        return fail(l->failure, FAULT_UNSUPPORTED, "no backend of the host takes %s",
                    l->container == NN_WEBNN ? "WebNN graphs" : "ONNX models");
    *l->failure = a.first;
    return a.first.fault;
}

/* --- life ------------------------------------------------------------------------------------------ */

struct nn_graph *graph_retain(struct nn_graph *g)
{
    pthread_mutex_lock(&g->host->lock);
    g->references++;
    pthread_mutex_unlock(&g->host->lock);
    return g;
}

void graph_release(struct nn_graph *g)
{
    if (!g)
        return;
    wasinn_host *h = g->host;
    pthread_mutex_lock(&h->lock);
    bool last = --g->references == 0;
    if (last && g->link) {
        *g->link = g->next;
        if (g->next)
            g->next->link = g->link;
    }
    h->loaded -= last;
    pthread_mutex_unlock(&h->lock);
    if (!last)
        return;
    g->choice->backend->release(g);
    arena_free(&g->arena);
    mem_free(h->allocator, g, sizeof *g);
}

/* --- shared by backends ---------------------------------------------------------------------------- */

bool block_reserve(const o2w_allocator *a, void **block, size_t *block_size, size_t size,
                   void **data)
{
    if (size > SIZE_MAX - ALIGNMENT) {
        *data = NULL;
        return false;
    }
    if (!*block || *block_size < size + ALIGNMENT) {
        mem_free(a, *block, *block_size);
        *block_size = 0;
        *block = mem_alloc(a, size + ALIGNMENT);
        if (*block)
            *block_size = size + ALIGNMENT;
    }
    uintptr_t at = ((uintptr_t)*block + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    *data = *block ? (void *)at : NULL;
    return *block != NULL;
}

const char *dtype_short(enum dtype t)
{
    switch ((int)t) {
    case DTYPE_BOOL: return "bool";
    case DTYPE_FLOAT64: return "f64";
    case DTYPE_BFLOAT16: return "bf16";
    case DTYPE_COUNT: return "unknown";
    default: break;
    }
    const struct dtype_info *i = dtype_info(t);
    return *i->text ? i->text : i->name;
}

bool is_symbol(struct span name)
{
    for (size_t i = 0; i < name.size; i++)
        if (isalnum(name.data[i]) || name.data[i] >= 0x80)
            return true;
    return false;
}
