/* The list of engines. */
#include "backend/backend.h"

#define BACKEND(ID) extern const struct backend backend_##ID;
#include "backend/backends.def"

#define BACKEND(ID) &backend_##ID,
const struct backend *const backends[] = {
#include "backend/backends.def"
};

const size_t backend_count = sizeof backends / sizeof *backends;

/* Names that stand for an engine with another one. */
struct backend_alias {
    const char *name, *engine;
};

static const struct backend_alias aliases[] = { { "burn-cpu", "cpu" } };

/* The ids of the contract, in its order, with an engine or without. */
static const char *const ids[] = { "onnx",   "coreml", "trtx", "cann",    "openvino",
                                   "webgpu", "litert", "cpu",  "burn-cpu" };
enum { ID_COUNT = sizeof ids / sizeof *ids };

static bool has_place(const struct backend *b)
{
    for (size_t i = 0; i < ID_COUNT; i++)
        if (span_is(span_of(ids[i]), b->name))
            return true;
    return false;
}

const char *backend_id(size_t index)
{
    size_t place = ID_COUNT;
    if (index < ID_COUNT)
        return ids[index];
    for (size_t i = 0; i < backend_count; i++)
        if (!has_place(backends[i]) && place++ == index)
            return backends[i]->name;
    return NULL;
}

static const struct backend *find(struct span name)
{
    for (size_t i = 0; i < backend_count; i++)
        if (span_is(name, backends[i]->name))
            return backends[i];
    return NULL;
}

const struct backend *backend_by_name(struct span name, bool *alias)
{
    *alias = false;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (!span_is(name, aliases[i].name))
            continue;
        *alias = true;
        return find(span_of(aliases[i].engine));
    }
    return find(name);
}
