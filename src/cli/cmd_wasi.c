#include "cli/wasi.h"

#include "base/file.h"
#include "base/number.h"
#include "base/system.h"

#include <limits.h>
#include <string.h>

#define SECONDS "SECONDS"

static const struct option_row wasi_options[] = {
    OPT_(struct wasi_args, dirs, "dir", OPTION_TEXTS, .metavar = "HOST[::GUEST]",
         .help = "folder that the guest may read"),
    OPT_(struct wasi_args, writable_dirs, "dir-rw", OPTION_TEXTS, .metavar = "HOST[::GUEST]",
         .help = "folder that the guest may read and write"),
    OPT_(struct wasi_args, variables, "env", OPTION_TEXTS, .metavar = "NAME[=VALUE]",
         .help = "variable of the guest; without value that of this process"),
    OPT_TEXT(struct wasi_args, input, "stdin", "FILE", .help = "the guest's standard input"),
    OPT_NAME(struct wasi_args, invoke, "invoke", "NAME",
             .help = "exported function to run, '_start' without it"),
    OPT_(struct wasi_args, graphs, "graph", OPTION_TEXTS,
         .metavar = "NAME=PATH[,ENCODING][,TARGET]", .help = "graph that the guest loads by name"),
    OPT_SWITCH(struct wasi_args, lazy, "lazy-graphs", .help = "load graphs at first use"),
    OPT_(struct wasi_args, wasi, "wasi", OPTION_TEXTS, .letter = 'S',
         .metavar = "nn-graph=ENCODING::DIR", .help = "graph by the name of its folder"),
    OPT_NAME(struct wasi_args, backend, "backend", "LIST",
             .help = "onnx, webnn:ID in order of preference"),
    OPT_SWITCH(struct wasi_args, fallback, "allow-device-fallback",
               .help = "run on the processor where a device is missing"),
    OPT_NUMBER(struct wasi_args, threads, "threads", 1, 1024, .help = "threads of one compute"),
    OPT_CHOICE(struct wasi_args, dtypes, "nn-dtypes", "2023|2022|wit",
               .help = "how the guest numbers tensor types"),
    OPT_SWITCH(struct wasi_args, extensions, "nn-ext",
               .help = "offer the extensions of the module"),
    OPT_SWITCH(struct wasi_args, widen, "nn-widen",
               .help = "give outputs without type code in a wider type"),
    OPT_SWITCH(struct wasi_args, no_load_bytes, "no-load-bytes", .help = "graphs by name only"),
    OPT_TEXT(struct wasi_args, max_memory, "max-memory", "SIZE", .help = "memory of the guest"),
    OPT_TEXT(struct wasi_args, max_model, "max-model", "SIZE", .help = "a model of the guest"),
    OPT_TEXT(struct wasi_args, max_tensor, "max-tensor", "SIZE", .help = "one input"),
    OPT_TEXT(struct wasi_args, max_output, "max-output", "SIZE", .help = "outputs of one compute"),
    OPT_TEXT(struct wasi_args, max_total, "max-total", "SIZE", .help = "all that is held"),
    OPT_NUMBER(struct wasi_args, max_graphs, "max-graphs", 1, UINT32_MAX, .help = "alive at once"),
    OPT_NUMBER(struct wasi_args, max_contexts, "max-contexts", 1, UINT32_MAX,
               .help = "alive at once"),
    OPT_TEXT(struct wasi_args, timeout, "timeout", SECONDS, .help = "of the whole run"),
    OPT_TEXT(struct wasi_args, load_timeout, "load-timeout", SECONDS, .help = "of one load"),
    OPT_TEXT(struct wasi_args, compute_timeout, "compute-timeout", SECONDS,
             .help = "of one compute"),
    OPT_NUMBER(struct wasi_args, fuel, "fuel", 1, INT64_MAX, .help = "instructions of the guest"),
    OPT_CHOICE(struct wasi_args, isolate, "isolate", "auto|on|off",
               .help = "a process of its own; auto: where the guest may load bytes"),
    OPT_SWITCH(struct wasi_args, time, "time-nn", .help = "times of nn calls on stderr"),
    OPT_TEXT(struct wasi_args, trace, "trace-nn", "FILE", .bare = "-",
             .help = "JSON line per nn call, on stderr without =FILE"),
    OPT_TEXT(struct wasi_args, report, "report", "FILE", .help = "JSON report of the run"),
    OPT_SWITCH(struct wasi_args, list, "list", .help = "engine, backends and graphs; runs nothing"),
    COMMON_OPTIONS(struct wasi_args),
};

/* --- values of options -------------------------------------------------------------------------------- */

/* "512", "64K", "1M", "2G", "none" */
static bool read_size(const char *text, uint64_t *out)
{
    static const char suffixes[] = "KMG";
    if (!text)
        return true;
    *out = UINT64_MAX;
    if (strcmp(text, "none") == 0)
        return true;
    struct span digits = span_of(text);
    unsigned shift = 0;
    const char *found = digits.size ? strchr(suffixes, (char)digits.data[digits.size - 1]) : NULL;
    if (found && *found) {
        shift = 10 * (unsigned)(found - suffixes + 1);
        digits.size--;
    }
    uint64_t number;
    if (number_parse_u64(digits, &number) != O2W_OK || !number || number > UINT64_MAX >> shift)
        return false;
    *out = number << shift;
    return true;
}

/* Seconds, with a fraction or "none", as milliseconds. */
static bool read_seconds(const char *text, uint32_t *out)
{
    double seconds;
    if (!text)
        return true;
    *out = UINT32_MAX;
    if (strcmp(text, "none") == 0)
        return true;
    if (number_parse_double(span_of(text), &seconds) != O2W_OK || seconds < 0.001 ||
        seconds > 4000000)
        return false;
    *out = (uint32_t)(seconds * 1000);
    return true;
}

static int read_numbers(struct wasi_run *r)
{
    const struct wasi_args *a = r->args;
    struct wasi_numbers *n = &r->numbers;
    const struct {
        const char *name, *text;
        uint64_t *size;
        uint32_t *time;
    } rows[] = {
        { "max-memory", a->max_memory, &n->max_memory, NULL },
        { "max-model", a->max_model, &n->max_model, NULL },
        { "max-tensor", a->max_tensor, &n->max_tensor, NULL },
        { "max-output", a->max_output, &n->max_output, NULL },
        { "max-total", a->max_total, &n->max_total, NULL },
        { "timeout", a->timeout, NULL, &n->timeout },
        { "load-timeout", a->load_timeout, NULL, &n->load_timeout },
        { "compute-timeout", a->compute_timeout, NULL, &n->compute_timeout },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].size ? !read_size(rows[i].text, rows[i].size)
                         : !read_seconds(rows[i].text, rows[i].time))
            return cli_usage(r->cli, NULL, "option '--%s' is '%s', must be %s or none",
                             rows[i].name, rows[i].text,
                             rows[i].size ? "a size as 512, 64K, 1M or 2G" : "a number of seconds");
    if (n->timeout == UINT32_MAX)
        n->timeout = 0;
    return 0;
}

/* "HOST[::GUEST]"; the host's path absolute, the guest's as given. */
static bool read_folder(struct wasi_run *r, const char *text, bool writable, wasinn_folder *out)
{
    const char *colons = strstr(text, "::");
    size_t size = colons ? (size_t)(colons - text) : strlen(text);
    const char *host = arena_text(&r->cli->arena, (struct span){ (const uint8_t *)text, size });
    *out = (wasinn_folder){ .host = cli_absolute(r->cli, host),
                            .guest = colons ? colons + 2 : host,
                            .writable = writable };
    return out->host && size;
}

static bool collect_folders(struct wasi_run *r, const struct wasi_args *a)
{
    size_t at = 0;
    r->folder_count = a->dirs.count + a->writable_dirs.count;
    wasinn_folder *folders = ARENA_ARRAY(&r->cli->arena, r->folder_count, wasinn_folder);
    r->folders = folders;
    if (!folders)
        return false;
    for (size_t i = 0; i < a->dirs.count; i++)
        if (!read_folder(r, a->dirs.items[i], false, &folders[at++]))
            return false;
    for (size_t i = 0; i < a->writable_dirs.count; i++)
        if (!read_folder(r, a->writable_dirs.items[i], true, &folders[at++]))
            return false;
    return true;
}

/* Relative paths are those of the folder that the command was started in: the guest's process has another. */
static bool make_absolute(struct wasi_run *r, const char **path)
{
    if (*path)
        *path = cli_absolute(r->cli, *path);
    return r->cli->error == NULL;
}

/* The path in NAME=PATH or KEY=ENCODING::DIR. */
static bool graph_absolute(struct wasi_run *r, const char **text, const char *before)
{
    const char *at = strstr(*text, before);
    if (!at || !at[strlen(before)])
        return true; /* refused later, with its own words */
    at += strlen(before);
    const char *path = cli_absolute(r->cli, at);
    if (path)
        *text = arena_printf(&r->cli->arena, "%.*s%s", (int)(at - *text), *text, path);
    return path && *text;
}

static bool make_paths_absolute(struct wasi_run *r, struct wasi_args *a)
{
    bool done =
        make_absolute(r, &r->guest) && make_absolute(r, &a->input) && make_absolute(r, &a->report);
    if (done && a->trace && strcmp(a->trace, "-") != 0)
        done = make_absolute(r, &a->trace);
    for (size_t i = 0; done && i < a->graphs.count; i++)
        done = graph_absolute(r, &a->graphs.items[i], "=");
    for (size_t i = 0; done && i < a->wasi.count; i++)
        done = graph_absolute(r, &a->wasi.items[i], "::");
    return done;
}

/* --- the host ----------------------------------------------------------------------------------------- */

int wasi_failed(struct wasi_run *r)
{
    const char *text = o2w_error_text(r->cli->error);
    struct span rest = span_of(text ? text : "failed\n");
    while (rest.size) {
        const uint8_t *end = memchr(rest.data, '\n', rest.size);
        size_t size = end ? (size_t)(end - rest.data) : rest.size;
        wasi_say("%.*s", (int)size, (const char *)rest.data);
        rest.data += size + (end != NULL);
        rest.size -= size + (end != NULL);
    }
    const struct wasi_outcome o = { 1, "start", text, NULL, NULL };
    (void)wasi_write_report(r, &o);
    return 1;
}

static o2w_status make_host(struct wasi_run *r, wasinn_host **host)
{
    const struct wasi_args *a = r->args;
    const struct wasi_numbers *n = &r->numbers;
    bool traced = a->trace || a->time;
    const wasinn_host_options o = {
        .size = sizeof o,
        .backends = a->backend,
        .dtypes = (wasinn_dtypes)a->dtypes,
        .policy = (a->no_load_bytes ? (uint32_t)WASINN_NO_LOAD_BYTES : 0) |
                  (a->fallback ? (uint32_t)WASINN_TARGET_FALLBACK : 0) |
                  (a->extensions ? (uint32_t)WASINN_EXTENSIONS : 0) |
                  (a->widen ? (uint32_t)WASINN_WIDEN : 0),
        .limits = { .size = sizeof o.limits,
                    .model_bytes = n->max_model,
                    .tensor_bytes = n->max_tensor,
                    .output_bytes = n->max_output,
                    .total_bytes = n->max_total,
                    .graphs = (uint32_t)a->max_graphs,
                    .contexts = (uint32_t)a->max_contexts,
                    .load_ms = n->load_timeout,
                    .compute_ms = n->compute_timeout },
        .compute_threads = (unsigned)a->threads,
        .log = wasi_log,
        .trace = traced ? wasi_trace : NULL,
        .user = r,
        .overdue = r->isolated ? wasi_overdue : NULL,
    };
    return wasinn_host_new(&o, host, &r->cli->error);
}

/* --- the guest ---------------------------------------------------------------------------------------- */

static int outcome(struct wasi_run *r, const wasinn_wasmtime *w, const wasinn_run_result *result)
{
    static const struct {
        const char *reason, *text;
        int exit;
    } ends[] = {
        [WASINN_END_EXIT] = { "exit", NULL, 0 },
        [WASINN_END_START] = { "start", "the guest cannot start", 1 },
        [WASINN_END_TIMEOUT] = { "timeout", "the guest's time is over", 124 },
        [WASINN_END_FUEL] = { "fuel", "the guest's instructions are used up", 124 },
        [WASINN_END_TRAP] = { "trap", "the guest trapped", 134 },
    };
    int status = result->end == WASINN_END_EXIT ? result->status : ends[result->end].exit;
    if (result->end != WASINN_END_EXIT)
        wasi_say("%s: %s", ends[result->end].text, result->message ? result->message : "");
    if (r->args->time)
        wasi_print_times(r);
    const struct wasi_outcome o = { status, ends[result->end].reason, result->message, result,
                                    wasinn_wasmtime_library(w) };
    return wasi_write_report(r, &o) ? 1 : status;
}

static int run_guest(struct wasi_run *r, wasinn_host *host)
{
    const struct wasi_args *a = r->args;
    const wasinn_wasmtime *w;
    wasinn_run_result result;
    if (wasinn_wasmtime_open(NULL, &w, &r->cli->error) != O2W_OK)
        return wasi_failed(r);
    const wasinn_run_options o = { .size = sizeof o,
                                   .arguments = r->guest_arguments,
                                   .argument_count = r->guest_argument_count,
                                   .environment = a->variables.items,
                                   .environment_count = a->variables.count,
                                   .folders = r->folders,
                                   .folder_count = r->folder_count,
                                   .input = a->input,
                                   .invoke = a->invoke,
                                   .max_memory = r->numbers.max_memory,
                                   .fuel = a->fuel,
                                   .timeout_ms = r->numbers.timeout,
                                   .shared_memory = r->isolated,
                                   .overdue = r->isolated ? NULL : wasi_run_overdue,
                                   .user = r,
                                   .dtypes = (wasinn_dtypes)a->dtypes };
    if (wasinn_wasmtime_run(w, host, r->guest, &o, &result, &r->cli->error) != O2W_OK)
        return wasi_failed(r);
    int status = outcome(r, w, &result);
    webnn_text_free(result.message);
    return status;
}

static int serve_with(struct wasi_run *r, wasinn_host *host)
{
    int status = wasi_add_graphs(r, host);
    if (status)
        return status;
    if (wasinn_host_seal(host, &r->cli->error) != O2W_OK)
        return wasi_failed(r);
    return r->args->list ? wasi_list(r, host) : run_guest(r, host);
}

static int serve(struct wasi_run *r)
{
    wasinn_host *host = NULL;
    int status = wasi_trace_open(r);
    if (status)
        return status;
    o2w_status made = make_host(r, &host);
    if (made == O2W_OK)
        status = serve_with(r, host);
    else
        status = made == O2W_USAGE ? cli_failed(r->cli) : wasi_failed(r);
    wasi_trace_close(r);
    wasinn_host_free(host);
    return status;
}

/* --env NAME takes the value of this process, before its environment is emptied. */
static bool fill_variables(struct wasi_run *r, struct wasi_args *a)
{
    for (size_t i = 0; i < a->variables.count; i++) {
        const char *text = a->variables.items[i];
        const char *value = strchr(text, '=') ? NULL : system_variable(text);
        if (!value)
            continue;
        a->variables.items[i] = arena_printf(&r->cli->arena, "%s=%s", text, value);
        if (!a->variables.items[i])
            return false;
    }
    return true;
}

static int run_wasi(struct cli *c, const void *args, const struct text_list *positionals)
{
    struct wasi_args a = *(const struct wasi_args *)args;
    struct wasi_run r = { .cli = c, .args = &a };
    if (positionals->count) {
        r.guest = positionals->items[0];
        r.guest_arguments = positionals->items + 1;
        r.guest_argument_count = positionals->count - 1;
    } else if (!a.list) {
        return cli_usage(c, NULL, "'wasi' needs GUEST.wasm");
    }
    int status = read_numbers(&r);
    if (status)
        return status;
    if (!collect_folders(&r, &a))
        return cli_usage(c, NULL, "an option '--dir' or '--dir-rw' names no folder");
    if (!make_paths_absolute(&r, &a) || !fill_variables(&r, &a))
        return cli_failed(c);
    bool isolate = a.isolate == ISOLATE_ON || (a.isolate == ISOLATE_AUTO && !a.no_load_bytes);
    return isolate && !a.list ? wasi_isolated(&r, serve) : serve(&r);
}

const struct command command_wasi = { .name = "wasi",
                                      .summary = "a WebAssembly guest with WASI-NN",
                                      ROWS(wasi_options),
                                      .args_size = sizeof(struct wasi_args),
                                      .positional = "GUEST.wasm [GUEST-ARGUMENT]...",
                                      .positional_max = UINT_MAX,
                                      .positional_optional = true,
                                      .rest = true,
                                      .run = run_wasi };
