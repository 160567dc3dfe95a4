/* Loading the runtime: library, version, function tables, environment. */
#include "ort/internal.h"

#include "base/file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORT_SONAME "libonnxruntime.so.1"
#define GET_IT     "ONNX Runtime 1.29 or newer (ORT_DYLIB_PATH; tools/setup onnxruntime)"

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ort *opened;

/* What the runtime wants to print; its errors come back as statuses. */
static void log_nothing(void *user, int severity, const char *category, const char *id,
                        const char *location, const char *message)
{
    (void)user, (void)severity, (void)category, (void)id, (void)location, (void)message;
}

/* Completes the newest item. */
static void say_how(struct diags *d)
{
    diag_line(d, "needs", GET_IT);
    diag_hint(d, "'onnx2webnn backends' lists what works here");
}

static o2w_status refuse(struct diags *d, const char *path, const char *found)
{
    o2w_status status =
        diag_error(d, DIAG_BACKEND_UNAVAILABLE, "ONNX Runtime cannot be used: %s", found);
    if (path)
        diag_line(d, "searched", "%s: found", path);
    say_how(d);
    return status;
}

static bool version_suffices(const char *version, unsigned least_major, unsigned least_minor)
{
    char *end = NULL;
    unsigned long major = version ? strtoul(version, &end, 10) : 0;
    if (!end || end == version || *end != '.')
        return false;
    return major > least_major ||
           (major == least_major && strtoul(end + 1, NULL, 10) >= least_minor);
}

static void read_table(struct ort_api *api, const void *const *table)
{
#define CALL(name, slot, level, result, parameters)                          \
    _Static_assert((level) <= ORT_API_LEVEL, #name " needs a higher level"); \
    memcpy(&api->name, &table[slot], sizeof api->name);
#include "ort/ort_calls.def"
}

static void read_editor_table(struct ort_editor_api *api, const void *const *table)
{
#define CALL(name, slot, level, result, parameters) \
    memcpy(&api->name, &table[slot], sizeof api->name);
#include "ort/ort_editor_calls.def"
}

static o2w_status load_tables(struct ort *o, struct library *library, struct diags *d)
{
    const struct ort_api_base *(*get_base)(void);
    void *symbol = library_symbol(library, "OrtGetApiBase");
    o->library = library_path(library);
    if (!symbol)
        return refuse(d, o->library, "the library has no function OrtGetApiBase");
    memcpy(&get_base, &symbol, sizeof get_base);
    const struct ort_api_base *base = get_base();
    o->version = base->version();
    if (!version_suffices(o->version, ORT_VERSION_MAJOR, ORT_VERSION_MINOR)) {
        char found[96];
        snprintf(found, sizeof found, "version %.32s found, must be 1.29 or newer",
                 o->version ? o->version : "");
        return refuse(d, o->library, found);
    }
    const void *const *table = base->get_api(ORT_API_LEVEL);
    if (!table)
        return refuse(d, o->library, "the library does not offer its C interface");
    read_table(&o->api, table);
    const OrtEditorTable *editor = o->api.GetModelEditorApi();
    if (!editor)
        return refuse(d, o->library, "the library was built without the model editor");
    read_editor_table(&o->editor, (const void *const *)(const void *)editor);
    return O2W_OK;
}

static o2w_status add_provider(struct ort *o, const char *name, struct diags *d)
{
    if (ort_has_provider(o, name))
        return O2W_OK;
    const char *copy = arena_text(&o->arena, span_of(name));
    return copy && VEC_PUSH(&o->providers, copy) ? O2W_OK : diag_memory(d);
}

static o2w_status read_providers(struct ort *o, struct diags *d)
{
    char **names = NULL;
    int count = 0;
    o2w_status status = O2W_OK;
    ORT_TRY(o, o->api.GetAvailableProviders(&names, &count), DIAG_BACKEND_UNAVAILABLE, d,
            "ONNX Runtime cannot be used: its providers cannot be listed");
    for (int i = 0; i < count && status == O2W_OK; i++)
        status = add_provider(o, names[i], d);
    OrtStatus *released = o->api.ReleaseAvailableProviders(names, count);
    if (released)
        o->api.ReleaseStatus(released);
    return status;
}

static o2w_status start(struct ort *o, struct diags *d)
{
    const char *message = "ONNX Runtime cannot be used: it does not start";
    ORT_TRY(
        o,
        o->api.CreateEnvWithCustomLogger(log_nothing, NULL, ORT_LOG_FATAL, "onnx2webnn", &o->env),
        DIAG_BACKEND_UNAVAILABLE, d, "%s", message);
    ORT_TRY(o, o->api.DisableTelemetryEvents(o->env), DIAG_BACKEND_UNAVAILABLE, d, "%s", message);
    ORT_TRY(o, o->api.GetAllocatorWithDefaultOptions(&o->allocator), DIAG_BACKEND_UNAVAILABLE, d,
            "%s", message);
    ORT_TRY(o, o->api.CreateCpuMemoryInfo(ORT_ALLOCATOR_DEVICE, ORT_MEMORY_DEFAULT, &o->cpu_memory),
            DIAG_BACKEND_UNAVAILABLE, d, "%s", message);
    return read_providers(o, d);
}

static void discard(struct ort *o)
{
    if (o->cpu_memory)
        o->api.ReleaseMemoryInfo(o->cpu_memory);
    if (o->env)
        o->api.ReleaseEnv(o->env);
    VEC_FREE(&o->providers);
    arena_free(&o->arena);
    mem_free(NULL, o, sizeof *o);
}

/* The runtime reports its use over the network and keeps an identifier of the machine in a file, both
 * before its own call against it can be made. What the user set stays. */
static void refuse_telemetry(void)
{
    (void)setenv("ORT_DISABLE_TELEMETRY", "1", 0);
}

static o2w_status open_first(struct diags *d, struct ort **out)
{
    struct library *library;
    refuse_telemetry();
    o2w_status status = library_open(ORT_SONAME, "ORT_DYLIB_PATH", d, &library);
    if (status != O2W_OK)
        say_how(d);
    TRY(status);
    struct ort *o = mem_alloc(NULL, sizeof *o);
    if (!o)
        return diag_memory(d);
    *o = (struct ort){ 0 };
    arena_init(&o->arena, NULL);
    status = load_tables(o, library, d);
    if (status == O2W_OK)
        status = start(o, d);
    if (status != O2W_OK) {
        discard(o);
        return status;
    }
    *out = o;
    return O2W_OK;
}

o2w_status ort_open(struct diags *d, const struct ort **out)
{
    pthread_mutex_lock(&open_lock);
    o2w_status status = opened ? O2W_OK : open_first(d, &opened);
    if (status == O2W_OK)
        *out = opened;
    pthread_mutex_unlock(&open_lock);
    return status;
}

const char *ort_version(const struct ort *o)
{
    return o->version;
}

bool ort_is_at_least(const struct ort *o, unsigned major, unsigned minor)
{
    return version_suffices(o->version, major, minor);
}

const char *ort_library(const struct ort *o)
{
    return o->library;
}

size_t ort_providers(const struct ort *o, const char *const **names)
{
    *names = o->providers.items;
    return o->providers.count;
}

bool ort_has_provider(const struct ort *o, const char *name)
{
    for (size_t i = 0; i < o->providers.count; i++)
        if (strcmp(o->providers.items[i], name) == 0)
            return true;
    return false;
}

o2w_status ort_register_plugin(const struct ort *o, const char *path, struct diags *d)
{
    const OrtEpDevice *const *devices = NULL;
    size_t count = 0;
    const char *name = (const char *)path_name(span_of(path)).data;
    o2w_status status = O2W_OK;
    ORT_TRY(o, o->api.RegisterExecutionProviderLibrary(o->env, name, path),
            DIAG_BACKEND_UNAVAILABLE, d, "the provider library '%s' cannot be used", path);
    ORT_TRY(o, o->api.GetEpDevices(o->env, &devices, &count), DIAG_BACKEND_UNAVAILABLE, d,
            "the devices of the provider library '%s' cannot be listed", path);
    pthread_mutex_lock(&open_lock);
    for (size_t i = 0; i < count && status == O2W_OK; i++)
        status = add_provider(opened, o->api.EpDevice_EpName(devices[i]), d);
    pthread_mutex_unlock(&open_lock);
    return status;
}
