/* What the files of the mode `wasi` share. */
#ifndef CLI_WASI_H
#define CLI_WASI_H

#include <onnx2webnn/wasi_nn_wasmtime.h>

#include "cli/cli.h"

#include <stdio.h>

struct wasi_args {
    struct common_args common;
    struct text_list dirs, writable_dirs, variables, graphs, wasi;
    const char *input, *invoke, *backend, *trace, *report;
    const char *max_memory, *max_model, *max_tensor, *max_output, *max_total;
    const char *timeout, *load_timeout, *compute_timeout;
    bool lazy, fallback, extensions, widen, no_load_bytes, time, list;
    unsigned dtypes, isolate;
    uint64_t max_graphs, max_contexts, threads, fuel;
};

enum { ISOLATE_AUTO, ISOLATE_ON, ISOLATE_OFF };

/* Texts of options as numbers. */
struct wasi_numbers {
    uint64_t max_memory, max_model, max_tensor, max_output, max_total; /* 0: default */
    uint32_t timeout, load_timeout, compute_timeout;                   /* ms; 0: default */
};

enum { WASI_FUNCTIONS = 32 };

/* One function's calls. */
struct wasi_row {
    const char *function;
    uint64_t calls, errors, total_ns, backend_ns, bytes;
    VEC(uint64_t) times; /* of every `each`th call: a guest may make any number of them */
    uint64_t each;
};

struct wasi_run {
    struct cli *cli;
    const struct wasi_args *args;
    struct wasi_numbers numbers;
    const char *guest;
    const char *const *guest_arguments;
    size_t guest_argument_count;
    const wasinn_folder *folders; /* paths absolute */
    size_t folder_count;
    bool isolated;
    /* trace.c; guarded by the one thread that runs the guest */
    FILE *trace;
    uint64_t began_ns;
    struct wasi_row rows[WASI_FUNCTIONS];
    size_t row_count;
    uint64_t said[64]; /* hashes of lines that were printed */
    size_t said_count;
};

/* "wasi: …" on stderr. */
void wasi_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints r->cli->error, each line with the prefix; exit status 1. */
int wasi_failed(struct wasi_run *r);

/* wasi_graphs.c: the graphs of both notations, paths made absolute. 0, or the exit status. */
int wasi_add_graphs(struct wasi_run *r, wasinn_host *host);
/* wasi_trace.c */
void wasi_log(void *user, o2w_log_level level, const char *text);
void wasi_trace(void *user, const wasinn_event *event);
int wasi_trace_open(struct wasi_run *r);
void wasi_trace_close(struct wasi_run *r);
void wasi_print_times(struct wasi_run *r);
/* wasi_list.c: what --list shows. */
int wasi_list(struct wasi_run *r, wasinn_host *host);
/* wasi_report.c: NULL is fine for what did not come to be. 0, or 1 with its message. */
struct wasi_outcome {
    int exit;
    const char *reason;  /* "exit", "start", "timeout", "fuel", "trap", "killed" */
    const char *message; /* NULL: none */
    const wasinn_run_result *result;
    const char *engine; /* path of Wasmtime */
};
int wasi_write_report(struct wasi_run *r, const struct wasi_outcome *o);
/* wasi_child.c: `serve` in a process of its own, under limits; the exit status. */
int wasi_isolated(struct wasi_run *r, int (*serve)(struct wasi_run *r));
/* Ends this process: the guest outlasts the time of its run. */
void wasi_run_overdue(void *user);
/* Ends the guest's process: an engine outlasts the time of a load or compute. */
void wasi_overdue(void *user, const char *what);

#endif
