/* Opening the engine: the runtime, its provider, the options. */
#include "backend/onnxruntime/open.h"

#include "nodes/lower.h"

#include <string.h>

const struct backend_option_row onnxruntime_options[ONNXRUNTIME_OPTION_COUNT] = {
    { "optimization", "none|basic|extended|all", "all",
      "what the runtime may rewrite; none computes operator by operator" },
    { "prepack", "auto|on|off", "auto",
      "packed copies of weights; auto: of more than 256 MiB of matrices not at low power, nor where most "
      "of them meet a single row, which they would not make faster" },
    { "accuracy", "0|1|2|3|4", "0",
      "products with 4-bit and 8-bit weights: 4 rounds activations to int8" },
    { "arena", "on|off", "on", "keep freed memory for the next run" },
    { "numerics", "auto|native|exact", "auto",
      "exact: NaN and results near 0 as in the standard also where the runtime's own operators lose "
      "them; auto: in graphs without matrix products, which such nodes would slow down" },
    { "raise", "on|off", "on", "write patterns of several operators as one of the runtime's own" },
};

/* The place of a value among "a|b|c"; -1: not there. */
static int choice_of(const char *value, const char *values)
{
    size_t length = strlen(value);
    for (int i = 0; values; i++) {
        const char *end = strchr(values, '|');
        size_t size = end ? (size_t)(end - values) : strlen(values);
        if (size == length && memcmp(values, value, size) == 0)
            return i;
        values = end ? end + 1 : NULL;
    }
    return -1;
}

static void choose(struct engine *e, size_t row, int choice)
{
    static const enum ort_optimization optimizations[] = {
        ORT_OPTIMIZATION_NONE,
        ORT_OPTIMIZATION_BASIC,
        ORT_OPTIMIZATION_EXTENDED,
        ORT_OPTIMIZATION_ALL,
    };
    static const enum prepack prepacks[] = { PREPACK_AUTO, PREPACK_ON, PREPACK_OFF };
    static const enum numerics numerics[] = { NUMERICS_AUTO, NUMERICS_NATIVE, NUMERICS_EXACT };
    if (row == 0)
        e->optimization = optimizations[choice];
    else if (row == 1)
        e->prepack = prepacks[choice];
    else if (row == 2)
        e->accuracy[0] = (char)('0' + choice);
    else if (row == 3)
        e->arena = choice == 0;
    else if (row == 4)
        e->numerics = numerics[choice];
    else
        e->raise = choice == 0;
}

static o2w_status read_option(struct engine *e, const struct backend_option *option,
                              struct diags *d)
{
    size_t row = 0;
    while (row < ONNXRUNTIME_OPTION_COUNT && strcmp(onnxruntime_options[row].key, option->key) != 0)
        row++;
    if (row == ONNXRUNTIME_OPTION_COUNT) {
        o2w_status status =
            diag_error(d, DIAG_BACKEND_OPTION, "%s: unknown option '%s'", e->id, option->key);
        diag_hint(d, "options are optimization, prepack, accuracy, arena, numerics, raise");
        return status;
    }
    int choice = choice_of(option->value, onnxruntime_options[row].values);
    if (choice < 0)
        return diag_error(d, DIAG_BACKEND_OPTION, "%s: option '%s' is '%s', must be one of %s",
                          e->id, option->key, option->value, onnxruntime_options[row].values);
    choose(e, row, choice);
    return O2W_OK;
}

static o2w_status read_options(struct engine *e, const struct backend_settings *settings,
                               struct diags *d)
{
    for (size_t i = 0; i < ONNXRUNTIME_OPTION_COUNT; i++)
        TRY(read_option(
            e,
            &(struct backend_option){ onnxruntime_options[i].key, onnxruntime_options[i].fallback },
            d));
    for (size_t i = 0; i < settings->option_count; i++)
        TRY(read_option(e, &settings->options[i], d));
    return O2W_OK;
}

/* Libraries named by the user, each once; the runtime lists the providers they bring. */
static o2w_status register_plugins(const struct ort *ort, struct arena *a, struct diags *d)
{
    const char *list = system_variable("O2W_ORT_PLUGINS");
    while (list && *list) {
        size_t size = strcspn(list, ":");
        const char *path = arena_text(a, (struct span){ (const uint8_t *)list, size });
        if (!path)
            return diag_memory(d);
        if (size > 0)
            TRY(ort_register_plugin(ort, path, d));
        list += size + (list[size] == ':');
    }
    return O2W_OK;
}

static void say_providers(const struct ort *ort, struct arena *a, struct diags *d)
{
    const char *const *names, *text = "";
    size_t count = ort_providers(ort, &names);
    for (size_t i = 0; i < count && text; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", names[i]);
    const char *variable = system_variable("ORT_DYLIB_PATH") ? " (ORT_DYLIB_PATH)" : "";
    diag_line(d, "searched", "providers of %s%s: %s", ort_library(ort), variable, text ? text : "");
    const char *plugins = system_variable("O2W_ORT_PLUGINS");
    diag_line(d, "searched", "O2W_ORT_PLUGINS: %s", plugins ? plugins : "not set");
}

static o2w_status open_runtime(const struct runtime_provider *p, struct arena *a, struct diags *d,
                               const struct ort **out)
{
    const struct ort *ort = NULL;
    TRY(ort_open(d, &ort));
    if (p->provider && !ort_has_provider(ort, p->provider))
        TRY(register_plugins(ort, a, d));
    if (!p->provider || ort_has_provider(ort, p->provider)) {
        *out = ort;
        return O2W_OK;
    }
    o2w_status status = diag_error(d, DIAG_BACKEND_UNAVAILABLE,
                                   "backend '%s' cannot be used: ONNX Runtime %s offers no %s",
                                   p->id, ort_version(ort), p->provider);
    say_providers(ort, a, d);
    diag_line(d, "needs", "%s", p->needs);
    diag_hint(
        d,
        "set O2W_ORT_PLUGINS to the provider's library, or ORT_DYLIB_PATH to a runtime built with the provider; "
        "'onnx2webnn backends' lists what works here");
    return status;
}

o2w_status onnxruntime_probe(const struct runtime_provider *p, struct arena *a, struct diags *d,
                             struct backend_probe *out)
{
    const struct ort *ort = NULL;
    struct backend_device *device = ARENA_NEW(a, struct backend_device);
    if (!device)
        return diag_memory(d);
    TRY(open_runtime(p, a, d, &ort));
    *device =
        (struct backend_device){ p->provider ? p->provider : "CPUExecutionProvider", p->device };
    *out = (struct backend_probe){
        .available = true,
        .engine = "ONNX Runtime",
        .version = ort_version(ort),
        .library = ort_library(ort),
        .devices = device,
        .device_count = 1,
    };
    return O2W_OK;
}

o2w_status onnxruntime_open(const struct runtime_provider *p,
                            const struct backend_settings *settings, struct diags *d,
                            struct engine **out)
{
    const struct ort *ort = NULL;
    struct arena arena;
    arena_init(&arena, NULL);
    o2w_status status = open_runtime(p, &arena, d, &ort);
    arena_free(&arena);
    TRY(status);
    const o2w_allocator *allocator =
        settings->environment && settings->environment->allocator.resize
            ? &settings->environment->allocator
            : &mem_default;
    struct engine *e = mem_alloc(allocator, sizeof *e);
    if (!e)
        return diag_memory(d);
    *e = (struct engine){
        .ort = ort,
        .allocator = allocator,
        .environment = settings->environment,
        .provider = p->provider,
        .id = p->id,
        .threads = settings->threads ? settings->threads : system_cores(),
        .require = settings->require,
        .frugal = settings->frugal,
    };
    status = read_options(e, settings, d);
    if (status != O2W_OK)
        onnxruntime_close(e);
    else
        *out = e;
    return status;
}

void onnxruntime_close(struct engine *e)
{
    if (e)
        mem_free(e->allocator, e, sizeof *e);
}

void onnxruntime_limits(struct limits *out)
{
    limits_own(out);
    for (uint32_t i = 0; i < WEBNN_OPERATOR_COUNT; i++)
        out->refused[i] = out->refused[i] || !lowerings[i];
}
