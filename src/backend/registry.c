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

/* Every id the command knows, in the order it lists them. */
static const char *const ids[] = { "onnx",   "coreml", "trtx", "cann",    "openvino",
                                   "webgpu", "litert", "cpu",  "burn-cpu" };

const char *backend_id(size_t index)
{
    return index < sizeof ids / sizeof *ids ? ids[index] : NULL;
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
