#include "backend/cpu/engine.h"
#include "base/number.h"
#include "kernels/kernel.h"

#include <string.h>

enum { THREADS_MAX = 1024 };

static const struct backend_option_row options[] = {
    { "threads", "1 … 1024", "cores available", "threads that kernels run on" },
};

static void cpu_limits(struct limits *out)
{
    limits_own(out);
    out->name = "cpu";
    for (int kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        out->operators[kind][0].dtypes &= kernel_dtypes((enum webnn_operator)kind);
        out->refused[kind] = out->refused[kind] || !kernel_find((enum webnn_operator)kind);
    }
}

static o2w_status cpu_probe(struct arena *a, struct diags *d, struct backend_probe *out)
{
    struct backend_device *device = ARENA_NEW(a, struct backend_device);
    if (!device)
        return diag_memory(d);
    *device = (struct backend_device){ "processor", "cpu" };
    *out = (struct backend_probe){ .available = true,
                                   .engine = "built in",
                                   .version = O2W_VERSION,
                                   .devices = device,
                                   .device_count = 1 };
    return O2W_OK;
}

/* The option counts more than the settings' member. */
static o2w_status thread_count(const struct backend_settings *settings, struct diags *d,
                               unsigned *threads)
{
    uint64_t value = settings->threads ? settings->threads : system_cores();
    for (size_t i = 0; i < settings->option_count; i++) {
        const struct backend_option *option = &settings->options[i];
        if (strcmp(option->key, "threads") != 0)
            continue;
        if (number_parse_u64(span_of(option->value), &value) != O2W_OK || value == 0 ||
            value > THREADS_MAX)
            return diag_error(d, DIAG_BACKEND_OPTION,
                              "backend 'cpu': threads is '%s', must be 1 to %d", option->value,
                              THREADS_MAX);
    }
    *threads = (unsigned)(value > THREADS_MAX ? THREADS_MAX : value);
    return O2W_OK;
}

static void cpu_close(struct engine *e)
{
    if (!e)
        return;
    pool_free(e->pool);
    workspace_free(&e->workspace);
    mem_free(e->allocator, e, sizeof *e);
}

static o2w_status cpu_open(const struct backend_settings *settings, struct diags *d,
                           struct engine **out)
{
    unsigned threads = 1;
    TRY(thread_count(settings, d, &threads));
    const o2w_environment *environment = settings->environment;
    const o2w_allocator *allocator =
        environment && environment->allocator.resize ? &environment->allocator : NULL;
    struct engine *e = mem_alloc(allocator, sizeof *e);
    if (!e)
        return diag_memory(d);
    *e = (struct engine){ .allocator = allocator, .workspace = { .allocator = allocator } };
    if (pool_create(threads, allocator, &e->pool) != O2W_OK) {
        cpu_close(e);
        return diag_memory(d);
    }
    *out = e;
    return O2W_OK;
}

static bool cpu_placement(const struct compiled *c, uint64_t *on_backend, uint64_t *nodes)
{
    *on_backend = *nodes = c->graph->operators.count;
    return true;
}

const struct backend backend_cpu = {
    .name = "cpu",
    .summary = "built-in kernels on the processor",
    .needs = "nothing",
    .get_it = "always there",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .dynamic = true,
    .limits = cpu_limits,
    .probe = cpu_probe,
    .open = cpu_open,
    .close = cpu_close,
    .compile = cpu_compile,
    .dispatch = cpu_dispatch,
    .release = cpu_release,
    .placement = cpu_placement,
};
