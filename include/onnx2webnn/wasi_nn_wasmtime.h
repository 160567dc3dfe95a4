/* WASI-NN in Wasmtime, through its C interface, version 50. Of the library libonnx2webnn-wasmtime, which
 * links with no Wasmtime: the functions come from the embedder's library or from one that is loaded.
 *
 * For who has a linker and a store of their own: the store's data pointer is theirs, `lookup` finds the
 * instance behind it. One linker serves any number of stores.
 *
 *   wasinn_wasmtime_open → wasinn_wasmtime_define(linker) → per guest { wasinn_instance_new → store with
 *   its lookup → run → wasmtime_store_delete → wasinn_instance_free }
 *
 * Guest code is ended by the embedder's own epochs or fuel; calls of this host by its limits. */
#ifndef ONNX2WEBNN_WASI_NN_WASMTIME_H
#define ONNX2WEBNN_WASI_NN_WASMTIME_H

#include <onnx2webnn/wasi_nn.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wasmtime_linker;
struct wasmtime_component_linker_t;

/* The functions of one Wasmtime; never closed, lives as long as the process. */
typedef struct wasinn_wasmtime wasinn_wasmtime;

/* The instance of a store; NULL: the guest traps. Called on the thread that runs the guest. */
typedef wasinn_instance *wasinn_lookup(void *store_data);

/* `library`: a handle of dlopen, NULL: O2W_WASMTIME, then the usual places of engines. wasi.engine:
 * not found, or another version: everything searched is listed. */
O2W_API o2w_status wasinn_wasmtime_open(void *library, const wasinn_wasmtime **out,
                                        o2w_error **error);
O2W_API const char *wasinn_wasmtime_library(const wasinn_wasmtime *w); /* its path; NULL: given */

/* The imports of core modules: wasi_ephemeral_nn with the extensions that the host's policy allows, and
 * wasi:nn in its lowered form. */
O2W_API o2w_status wasinn_wasmtime_define(const wasinn_wasmtime *w, struct wasmtime_linker *linker,
                                          const wasinn_host *host, wasinn_lookup *lookup,
                                          o2w_error **error);
/* wasi:nn@0.2.0-rc-2024-10-28 for components. Resource types take the ids from `base` to `base` + 3; 0 is
 * 0x6E6E0000. A call takes at most 2,796,202 list elements, bytes among them: see docs/wasi.md. */
O2W_API o2w_status wasinn_wasmtime_define_component(const wasinn_wasmtime *w,
                                                    struct wasmtime_component_linker_t *linker,
                                                    uint32_t base, wasinn_lookup *lookup,
                                                    o2w_error **error);

/* --- Running a guest ------------------------------------------------------------------------------- */

typedef struct wasinn_folder {
    const char *host, *guest; /* guest NULL: as on the host */
    bool writable;
} wasinn_folder;

typedef struct wasinn_run_options {
    size_t size;
    const char *const *arguments; /* behind the guest's name */
    size_t argument_count;
    const char *const *environment; /* "NAME=VALUE" */
    size_t environment_count;
    const wasinn_folder *folders;
    size_t folder_count;
    const char *input;   /* file for stdin; NULL: the process's own */
    const char *invoke;  /* function without parameters; NULL: _start, or wasi:cli/run */
    uint64_t max_memory; /* of the guest; 0: 1 GiB */
    uint64_t fuel;       /* instructions; 0: no end */
    uint32_t timeout_ms; /* 0: no end */
    wasinn_dtypes dtypes;
    /* A core module may have a shared memory of its own, not beyond max_memory: it runs, its nn calls answer
     * missing_memory (3). Without, it does not start. Such a guest can wait where no timeout reaches it: for
     * processes that another one ends. */
    bool shared_memory;
    /* The run did not end some 400 ms after timeout_ms: the guest is in a call of WASI that waits, for input
     * perhaps, or the engine compiles. Called once, by a thread of the library; it may end the process. NULL:
     * waited for. */
    void (*overdue)(void *user);
    void *user;
} wasinn_run_options;

typedef enum wasinn_end {
    WASINN_END_EXIT,  /* `status` is the guest's */
    WASINN_END_START, /* it cannot start: invalid, or an import is unknown */
    WASINN_END_TIMEOUT,
    WASINN_END_FUEL,
    WASINN_END_TRAP
} wasinn_end;

typedef struct wasinn_run_result {
    size_t size;
    wasinn_end end;
    int status;
    char *message; /* of ends but the first: with the guest's backtrace; freed by webnn_text_free */
    uint64_t fuel_used; /* with fuel */
    bool component, lowered;
    wasinn_stats stats;
} wasinn_run_result;

/* A core module or a component, binary or text, by content. O2W_OK also where the guest failed: the result
 * says how. The host is sealed; stdout and stderr are the process's. */
O2W_API o2w_status wasinn_wasmtime_run(const wasinn_wasmtime *w, wasinn_host *host,
                                       const char *path, const wasinn_run_options *options,
                                       wasinn_run_result *out, o2w_error **error);

#ifdef __cplusplus
}
#endif

#endif
