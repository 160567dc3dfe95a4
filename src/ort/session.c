/* Sessions: options, creation with cancellation, the way the runtime placed the nodes. */
#include "ort/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const int optimization_levels[] = {
    [ORT_OPTIMIZATION_NONE] = 0,
    [ORT_OPTIMIZATION_BASIC] = 1,
    [ORT_OPTIMIZATION_EXTENDED] = 2,
    [ORT_OPTIMIZATION_ALL] = 99,
};

static enum diag_code load_code(const struct ort_options *options)
{
    return options->load_error ? options->load_error : DIAG_BUILD_FAILED;
}

static int thread_count(unsigned asked, unsigned fallback)
{
    unsigned count = asked ? asked : fallback;
    return count > INT_MAX ? INT_MAX : (int)count;
}

static o2w_status set_config(const struct ort *o, OrtSessionOptions *s, const char *key,
                             const char *value, struct diags *d)
{
    ORT_TRY(o, o->api.AddSessionConfigEntry(s, key, value), DIAG_BACKEND_OPTION, d,
            "ONNX Runtime refused the setting '%s' with value '%s'", key, value);
    return O2W_OK;
}

/* A provider from a plug-in library is found among the devices; a built-in one goes by its name. */
static o2w_status append_provider(const struct ort *o, OrtSessionOptions *s,
                                  const struct ort_options *options, struct diags *d)
{
    enum { MOST = 32 };
    const char *keys[MOST], *values[MOST];
    const OrtEpDevice *const *devices = NULL;
    size_t device_count = 0, i = 0, count = options->provider_option_count;
    if (count > MOST)
        return diag_error(d, DIAG_BACKEND_OPTION, "%zu provider options, must be at most %d", count,
                          MOST);
    for (size_t k = 0; k < count; k++) {
        keys[k] = options->provider_options[k].key;
        values[k] = options->provider_options[k].value;
    }
    ORT_TRY(o, o->api.GetEpDevices(o->env, &devices, &device_count), DIAG_BACKEND_UNAVAILABLE, d,
            "devices cannot be listed");
    while (i < device_count && strcmp(o->api.EpDevice_EpName(devices[i]), options->provider) != 0)
        i++;
    if (i < device_count)
        ORT_TRY(o,
                o->api.SessionOptionsAppendExecutionProvider_V2(s, o->env, &devices[i], 1, keys,
                                                                values, count),
                DIAG_BACKEND_UNAVAILABLE, d, "the provider '%s' cannot be used", options->provider);
    else
        ORT_TRY(
            o,
            o->api.SessionOptionsAppendExecutionProvider(s, options->provider, keys, values, count),
            DIAG_BACKEND_UNAVAILABLE, d, "the provider '%s' cannot be used", options->provider);
    return O2W_OK;
}

static o2w_status fill_options(const struct ort *o, OrtSessionOptions *s,
                               const struct ort_options *options, struct diags *d)
{
    const struct ort_api *api = &o->api;
    enum diag_code code = load_code(options);
    const char *refused = "ONNX Runtime refused the session's options";
    ORT_TRY(o, api->SetSessionGraphOptimizationLevel(s, optimization_levels[options->optimization]),
            code, d, "%s", refused);
    ORT_TRY(o, api->SetIntraOpNumThreads(s, thread_count(options->threads, system_cores())), code,
            d, "%s", refused);
    ORT_TRY(o, api->SetInterOpNumThreads(s, thread_count(options->inter_threads, 1)), code, d, "%s",
            refused);
    ORT_TRY(o, api->SetDeterministicCompute(s, options->deterministic), code, d, "%s", refused);
    if (options->no_memory_pattern)
        ORT_TRY(o, api->DisableMemPattern(s), code, d, "%s", refused);
    if (options->no_arena)
        ORT_TRY(o, api->DisableCpuMemArena(s), code, d, "%s", refused);
    if (options->optimized_model)
        ORT_TRY(o, api->SetOptimizedModelFilePath(s, options->optimized_model), code, d, "%s",
                refused);
    for (size_t i = 0; i < options->config_count; i++)
        TRY(set_config(o, s, options->configs[i].key, options->configs[i].value, d));
    if (options->record_placement)
        TRY(set_config(o, s, "session.record_ep_graph_assignment_info", "1", d));
    return options->provider ? append_provider(o, s, options, d) : O2W_OK;
}

/* What one creation works on. */
struct creation {
    const struct ort *ort;
    const struct ort_options *options;
    OrtSessionOptions *settings;
    const char *path;
    struct span bytes;
    const OrtModel *model;
};

static OrtStatus *create(const struct creation *c, OrtSession **out)
{
    const struct ort *o = c->ort;
    if (c->model)
        return o->editor.CreateSessionFromModel(o->env, c->model, c->settings, out);
    if (c->path)
        return o->api.CreateSession(o->env, c->path, c->settings, out);
    return o->api.CreateSessionFromArray(o->env, c->bytes.data, c->bytes.size, c->settings, out);
}

static void cancel_load(void *user)
{
    const struct creation *c = user;
    OrtStatus *status = c->ort->api.SessionOptionsSetLoadCancellationFlag(c->settings, true);
    if (status)
        c->ort->api.ReleaseStatus(status);
}

static o2w_status create_watched(struct creation *c, struct diags *d, OrtSession **out)
{
    const struct ort *o = c->ort;
    struct watch watch = { .cancel = &c->options->cancel, .fire = cancel_load, .user = c };
    OrtSession *session = NULL;
    TRY(watch_begin(&watch, d));
    OrtStatus *status = create(c, &session);
    bool fired = watch_end(&watch);
    if (!status) {
        *out = session;
        return O2W_OK;
    }
    if (fired) {
        o->api.ReleaseStatus(status);
        return watch_cancelled(watch.cancel, "loading the model", d);
    }
    return ort_fail(o, status, load_code(c->options), d, "ONNX Runtime refused the model%s%s%s",
                    c->path ? " '" : "", c->path ? c->path : "", c->path ? "'" : "");
}

static o2w_status session_wrap(struct creation *c, OrtSession *session, struct diags *d,
                               struct ort_session **out)
{
    const struct ort_options *options = c->options;
    struct ort_session *s = mem_alloc(options->allocator, sizeof *s);
    if (!s) {
        c->ort->api.ReleaseSession(session);
        return diag_memory(d);
    }
    *s = (struct ort_session){
        .ort = c->ort,
        .allocator = options->allocator,
        .session = session,
        .run_error = options->run_error ? options->run_error : DIAG_DISPATCH_FAILED,
        .placement = options->record_placement,
    };
    arena_init(&s->arena, options->allocator);
    o2w_status status = ort_session_read_ports(s, load_code(options), d);
    if (status != O2W_OK)
        ort_session_free(s);
    else
        *out = s;
    return status;
}

static o2w_status session_create(struct creation *c, const char *folder, struct diags *d,
                                 struct ort_session **out)
{
    const struct ort *o = c->ort;
    OrtSession *session = NULL;
    ORT_TRY(o, o->api.CreateSessionOptions(&c->settings), load_code(c->options), d,
            "ONNX Runtime gives no session options");
    o2w_status status = fill_options(o, c->settings, c->options, d);
    if (status == O2W_OK && folder)
        status = set_config(o, c->settings, "session.model_external_initializers_file_folder_path",
                            folder, d);
    if (status == O2W_OK)
        status = create_watched(c, d, &session);
    o->api.ReleaseSessionOptions(c->settings);
    return status == O2W_OK ? session_wrap(c, session, d, out) : status;
}

o2w_status ort_session_from_file(const struct ort *o, const char *path,
                                 const struct ort_options *options, struct diags *d,
                                 struct ort_session **out)
{
    return session_create(&(struct creation){ .ort = o, .options = options, .path = path }, NULL, d,
                          out);
}

o2w_status ort_session_from_bytes(const struct ort *o, struct span model, const char *folder,
                                  const struct ort_options *options, struct diags *d,
                                  struct ort_session **out)
{
    return session_create(&(struct creation){ .ort = o, .options = options, .bytes = model },
                          folder, d, out);
}

o2w_status ort_session_from_model(const struct ort *o, struct ort_model *model,
                                  const struct ort_options *options, struct diags *d,
                                  struct ort_session **out)
{
    struct creation creation = { .ort = o, .options = options };
    TRY(ort_model_close(model, d, &creation.model));
    return session_create(&creation, NULL, d, out);
}

void ort_session_free(struct ort_session *s)
{
    if (!s)
        return;
    s->ort->api.ReleaseSession(s->session);
    arena_free(&s->arena);
    mem_free(s->allocator, s, sizeof *s);
}

static bool add_nodes(const struct ort *o, const OrtAssignedSubgraph *graph, const char *provider,
                      uint64_t *on_provider, uint64_t *nodes)
{
    const OrtAssignedNode *const *items;
    size_t count = 0;
    const char *name = NULL;
    OrtStatus *status = o->api.EpAssignedSubgraph_GetEpName(graph, &name);
    if (!status)
        status = o->api.EpAssignedSubgraph_GetNodes(graph, &items, &count);
    if (status) {
        o->api.ReleaseStatus(status);
        return false;
    }
    *nodes += count;
    *on_provider += strcmp(name, provider) == 0 ? count : 0;
    return true;
}

bool ort_session_placement(const struct ort_session *s, const char *provider, uint64_t *on_provider,
                           uint64_t *nodes)
{
    const struct ort *o = s->ort;
    const OrtAssignedSubgraph *const *graphs;
    size_t count = 0;
    uint64_t on = 0, all = 0;
    if (!s->placement)
        return false;
    OrtStatus *status = o->api.Session_GetEpGraphAssignmentInfo(s->session, &graphs, &count);
    if (status) {
        o->api.ReleaseStatus(status);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!add_nodes(o, graphs[i], provider, &on, &all))
            return false;
    *on_provider = on;
    *nodes = all;
    return true;
}
