/* T98: sequences of valid and invalid calls on the graph `add` against a small model of the rules: the errno of every
 * call is predicted. */
#include "guest_host.h"

enum { GRAPHS = 16, CONTEXTS = 64, MOST = 512 };

struct context {
    uint32_t handle;
    bool set, computed;
    float x[4], y[4];
};

struct rules {
    wasinn_instance *instance;
    wasinn_memory memory;
    uint32_t graphs[MOST], graph_count, alive;
    struct context contexts[CONTEXTS];
    uint32_t context_count, next_graph, next_context;
};

static void expect(uint32_t found, uint32_t wanted)
{
    if (found != wanted)
        abort();
}

static void put(struct rules *r, uint32_t at, const void *from, size_t size)
{
    memcpy((uint8_t *)r->memory.base + at, from, size);
}

static uint32_t get(const struct rules *r, uint32_t at)
{
    uint32_t v;
    memcpy(&v, (const uint8_t *)r->memory.base + at, 4);
    return v;
}

#define RUN(r, f, ...)                                                              \
    wasinn_call((r)->instance, (f), (r)->memory, (const uint32_t[]){ __VA_ARGS__ }, \
                sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static void load(struct rules *r, bool known)
{
    put(r, 0, known ? "add" : "adx", 3);
    uint32_t wanted = r->alive >= GRAPHS ? WASINN_TOO_LARGE : known ? 0 : WASINN_NOT_FOUND;
    expect(RUN(r, WASINN_LOAD_BY_NAME, 0, 3, 8), wanted);
    if (wanted || r->graph_count == MOST)
        return;
    expect(get(r, 8), r->next_graph++);
    r->graphs[r->graph_count++] = get(r, 8);
    r->alive++;
}

static void unload(struct rules *r, uint8_t which)
{
    uint32_t k = r->graph_count ? which % r->graph_count : 0;
    uint32_t handle = r->graph_count ? r->graphs[k] : 5;
    expect(RUN(r, WASINN_UNLOAD, handle), r->graph_count ? 0 : WASINN_INVALID_ARGUMENT);
    expect(RUN(r, WASINN_UNLOAD, handle), WASINN_INVALID_ARGUMENT);
    if (r->graph_count) {
        r->graphs[k] = r->graphs[--r->graph_count];
        r->alive--;
    }
}

static void init(struct rules *r, uint8_t which)
{
    bool full = r->context_count == CONTEXTS;
    uint32_t wanted = !r->graph_count ? WASINN_INVALID_ARGUMENT : full ? WASINN_TOO_LARGE : 0;
    uint32_t graph = r->graph_count ? r->graphs[which % r->graph_count] : 0;
    expect(RUN(r, WASINN_INIT_EXECUTION_CONTEXT, graph, 8), wanted);
    if (wanted)
        return;
    expect(get(r, 8), r->next_context++);
    r->contexts[r->context_count++] = (struct context){ .handle = get(r, 8) };
}

static void set(struct rules *r, struct context *c, uint8_t how)
{
    const uint32_t record[5] = { 64, 2, how & 1 ? 5 : 1, 80, how & 2 ? 12 : 16 };
    const uint32_t dims[2] = { how & 4 ? 2 : 1, 4 };
    const float x[4] = { how, 1, (float)how / 2, -3 };
    put(r, 32, record, sizeof record);
    put(r, 64, dims, sizeof dims);
    put(r, 80, x, sizeof x);
    bool good = !(how & 7);
    expect(RUN(r, WASINN_SET_INPUT, c->handle, 0, 32), good ? 0 : WASINN_INVALID_ARGUMENT);
    expect(RUN(r, WASINN_SET_INPUT, c->handle, 1, 32), WASINN_INVALID_ARGUMENT);
    if (good) {
        c->set = true;
        memcpy(c->x, x, sizeof x);
    }
}

static void compute(struct rules *r, struct context *c)
{
    expect(RUN(r, WASINN_COMPUTE, c->handle), c->set ? 0 : WASINN_RUNTIME_ERROR);
    c->computed = c->set;
    for (int k = 0; k < 4; k++)
        c->y[k] = c->x[k] + 1;
}

static void output(struct rules *r, const struct context *c, uint8_t room)
{
    uint32_t wanted = !c->computed ? WASINN_RUNTIME_ERROR : room < 16 ? WASINN_TOO_LARGE : 0;
    expect(RUN(r, WASINN_GET_OUTPUT, c->handle, 0, 128, room, 8), wanted);
    if (wanted != WASINN_RUNTIME_ERROR)
        expect(get(r, 8), 16);
    if (!wanted && memcmp((uint8_t *)r->memory.base + 128, c->y, 16) != 0)
        abort();
}

static void finalize(struct rules *r, struct context *c)
{
    expect(RUN(r, WASINN_FINALIZE_EXECUTION_CONTEXT, c->handle), 0);
    expect(RUN(r, WASINN_COMPUTE, c->handle), WASINN_INVALID_ARGUMENT);
    *c = r->contexts[--r->context_count];
}

static void step(struct rules *r, uint8_t what, uint8_t how)
{
    struct context *c = r->context_count ? &r->contexts[how % r->context_count] : NULL;
    switch (what % 8) {
    case 0: load(r, how & 1); return;
    case 1: unload(r, how); return;
    case 2: init(r, how); return;
    case 3: expect(RUN(r, WASINN_COMPUTE, how), WASINN_INVALID_ARGUMENT); return;
    default: break;
    }
    if (!c)
        return;
    switch (what % 8) {
    case 4: set(r, c, what / 8); return;
    case 5: compute(r, c); return;
    case 6: output(r, c, what / 8); return;
    default: finalize(r, c); return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rules r;
    r = (struct rules){ .instance = fuzz_instance(),
                        .memory = { calloc(1, FUZZ_MEMORY), FUZZ_MEMORY },
                        .next_graph = 1,
                        .next_context = 0x40000001 };
    if (!r.memory.base)
        abort();
    for (size_t i = 0; i + 1 < size && i < 2 * MOST; i += 2)
        step(&r, data[i], data[i + 1]);
    free(r.memory.base);
    wasinn_instance_free(r.instance);
    return 0;
}
