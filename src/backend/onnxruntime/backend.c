/* The engines over ONNX Runtime: one per execution provider. */
#include "backend/onnxruntime/open.h"

#define ENGINE(ID, NAME, PROVIDER, DEVICE, SUMMARY, NEEDS, GET_IT)                            \
    static const struct runtime_provider provider_##ID = { NAME, PROVIDER, DEVICE, NEEDS };   \
    static void limits_##ID(struct limits *out)                                               \
    {                                                                                         \
        onnxruntime_limits(out);                                                              \
        out->name = NAME;                                                                     \
    }                                                                                         \
    static o2w_status probe_##ID(struct arena *a, struct diags *d, struct backend_probe *out) \
    {                                                                                         \
        return onnxruntime_probe(&provider_##ID, a, d, out);                                  \
    }                                                                                         \
    static o2w_status open_##ID(const struct backend_settings *settings, struct diags *d,     \
                                struct engine **out)                                          \
    {                                                                                         \
        return onnxruntime_open(&provider_##ID, settings, d, out);                            \
    }                                                                                         \
    const struct backend backend_##ID = {                                                     \
        .name = NAME,                                                                         \
        .summary = SUMMARY,                                                                   \
        .needs = NEEDS,                                                                       \
        .get_it = GET_IT,                                                                     \
        .options = onnxruntime_options,                                                       \
        .option_count = ONNXRUNTIME_OPTION_COUNT,                                             \
        .dynamic = true,                                                                      \
        .limits = limits_##ID,                                                                \
        .probe = probe_##ID,                                                                  \
        .open = open_##ID,                                                                    \
        .close = onnxruntime_close,                                                           \
        .compile = onnxruntime_compile,                                                       \
        .dispatch = onnxruntime_dispatch,                                                     \
        .release = onnxruntime_release,                                                       \
        .placement = onnxruntime_placement,                                                   \
    };

#include "backend/onnxruntime/engines.def"
