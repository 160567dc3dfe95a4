/* WASI-NN for WebAssembly guests, whatever engine runs them: a host with graphs and limits, one instance
 * per guest, and the functions that guests import.
 *
 *   wasinn_host_new → wasinn_host_add_graph* → wasinn_host_seal
 *   per guest: wasinn_instance_new → wasinn_call* → wasinn_instance_free
 *   wasinn_host_free
 *
 * A sealed host may be used by all threads; an instance is used by one thread at a time (a second one gets
 * WASINN_BUSY), except for wasinn_instance_free, which may come from any thread. Nothing that a guest does
 * ends the process; memory of the guest is touched only while a call runs, and no pointer into it is kept.
 * For Wasmtime the binding exists: wasi_nn_wasmtime.h. */
#ifndef ONNX2WEBNN_WASI_NN_H
#define ONNX2WEBNN_WASI_NN_H

#include <onnx2webnn/common.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wasinn_host wasinn_host;
typedef struct wasinn_instance wasinn_instance;

/* What a call of the module wasi_ephemeral_nn returns. */
typedef enum wasinn_errno {
    WASINN_SUCCESS,
    WASINN_INVALID_ARGUMENT,
    WASINN_INVALID_ENCODING,
    WASINN_MISSING_MEMORY,
    WASINN_BUSY,
    WASINN_RUNTIME_ERROR,
    WASINN_UNSUPPORTED_OPERATION,
    WASINN_TOO_LARGE,
    WASINN_NOT_FOUND
} wasinn_errno;

/* Codes of the resource `error` of wasi:nn. */
typedef enum wasinn_code {
    WASINN_CODE_INVALID_ARGUMENT,
    WASINN_CODE_INVALID_ENCODING,
    WASINN_CODE_TIMEOUT,
    WASINN_CODE_RUNTIME_ERROR,
    WASINN_CODE_UNSUPPORTED_OPERATION,
    WASINN_CODE_TOO_LARGE,
    WASINN_CODE_NOT_FOUND,
    WASINN_CODE_SECURITY,
    WASINN_CODE_UNKNOWN
} wasinn_code;

/* How a guest numbers tensor types; f32 is 1 everywhere. */
typedef enum wasinn_dtypes {
    WASINN_DTYPES_2023, /* f16 0, f32 1, f64 2, u8 3, i32 4, i64 5 */
    WASINN_DTYPES_2022, /* f16 0, f32 1, u8 2, i32 3 */
    WASINN_DTYPES_WIT   /* f16 0, f32 1, f64 2, bf16 3, u8 4, i32 5, i64 6 */
} wasinn_dtypes;

typedef enum wasinn_encoding {
    WASINN_ENCODING_AUTODETECT, /* by content */
    WASINN_ENCODING_ONNX,
    WASINN_ENCODING_WEBNN
} wasinn_encoding;

typedef enum wasinn_target { WASINN_CPU, WASINN_GPU, WASINN_TPU } wasinn_target;

enum {
    WASINN_NO_LOAD_BYTES = 1,   /* guests load by name only */
    WASINN_TARGET_FALLBACK = 2, /* a target without device runs on cpu, with a log line */
    WASINN_EXTENSIONS = 4,      /* the functions of section "Functions" that are extensions */
    WASINN_WIDEN = 8            /* outputs without a code are given in a wider type */
};

/* Whose models from bytes are shared: equal bytes are loaded once. */
typedef enum wasinn_cache {
    WASINN_CACHE_INSTANCE, /* within an instance */
    WASINN_CACHE_HOST,     /* by all guests, which can then tell by timing what others loaded */
    WASINN_CACHE_OFF
} wasinn_cache;

/* 0 is the default, the type's largest number is unlimited. */
typedef struct wasinn_limits {
    size_t size;
    uint64_t model_bytes;                   /* of a guest's model: 2 GiB */
    uint64_t tensor_bytes;                  /* of one input: 1 GiB */
    uint64_t output_bytes;                  /* of one compute: 1 GiB */
    uint64_t total_bytes;                   /* held for an instance: 4 GiB */
    uint32_t graphs, contexts;              /* alive per instance: 16, 64 */
    uint32_t load_ms, compute_ms, total_ms; /* one load, one compute, all: 60 s, 60 s, none */
    uint32_t log_bytes, rank, nodes;        /* 64 KiB, 16, 100000 */
} wasinn_limits;

/* One line without newline; any thread. */
typedef void wasinn_log_fn(void *user, o2w_log_level level, const char *text);

/* A call that ended; pointers are good during the callback. */
typedef struct wasinn_event {
    size_t size;
    const wasinn_instance *instance;
    const char *function; /* "set_input" */
    uint32_t handle;      /* that it was given or made; 0: none */
    uint32_t error;       /* wasinn_errno */
    uint64_t begin_ns, time_ns, backend_ns, bytes;
    const char *tensor, *type; /* NULL: the call is about none */
    uint32_t rank;
    const int64_t *dims;
    const char *backend, *target; /* of the graph; NULL: none */
    const char *text;             /* of a failure, else NULL */
} wasinn_event;
typedef void wasinn_trace_fn(void *user, const wasinn_event *event);

/* A load or compute did not end `overdue_ms` after its deadline: the engine is within a step that it
 * cannot be called out of, and nothing but the end of the process ends it. Called once per call of a
 * guest, on a thread of the host's. `what`: "load" or "compute". */
typedef void wasinn_overdue_fn(void *user, const char *what);

typedef struct wasinn_host_options {
    size_t size;
    const char
        *backends; /* in order of preference, "onnx,webnn:cpu"; NULL: onnx if there, webnn:cpu */
    wasinn_dtypes dtypes;
    uint32_t policy;
    wasinn_limits limits;
    unsigned compute_threads; /* of one compute; 0: cores available */
    uint32_t webnn_encoding;  /* a number >= 16 that means WebNN graphs in `load`; 0: none */
    wasinn_cache cache;
    wasinn_log_fn *log;
    wasinn_trace_fn *trace;
    void *user;
    const o2w_environment *environment; /* allocator; borrowed for the host's life */
    wasinn_overdue_fn *overdue;         /* NULL: such calls are waited for */
    uint32_t overdue_ms;                /* after a deadline; 0: 1000 */
} wasinn_host_options;

/* A graph that guests load by name: a file, or bytes that live as long as the host. */
typedef struct wasinn_graph_source {
    size_t size;
    const char *name; /* 1 to 256 bytes of UTF-8 without control characters */
    const char *path;
    const void *bytes;
    size_t byte_count;
    wasinn_encoding encoding;
    wasinn_target target;
    bool lazy; /* loaded at first use; a failure is remembered */
} wasinn_graph_source;

/* Options are copied, but for `environment`. Engines are loaded here, none is needed to build. */
O2W_API o2w_status wasinn_host_new(const wasinn_host_options *options, wasinn_host **out,
                                   o2w_error **error);
/* Before sealing. A name that is there is O2W_USAGE and names both. */
O2W_API o2w_status wasinn_host_add_graph(wasinn_host *host, const wasinn_graph_source *source,
                                         o2w_error **error);
/* Loads what is not lazy. From here on the host is read-only and shared. */
O2W_API o2w_status wasinn_host_seal(wasinn_host *host, o2w_error **error);
/* The host lives on until its last instance is freed. NULL is fine. */
O2W_API void wasinn_host_free(wasinn_host *host);
/* The host's backends, registered graphs with their inputs and outputs, as a JSON object; freed by
 * webnn_text_free. */
O2W_API o2w_status wasinn_host_json(wasinn_host *host, char **text, o2w_error **error);
/* The sessions that are alive: graphs loaded once and shared count once. */
O2W_API size_t wasinn_host_loaded(wasinn_host *host);
O2W_API uint32_t wasinn_host_policy(const wasinn_host *host);
/* A line to the host's log. */
O2W_API void wasinn_host_log(wasinn_host *host, o2w_log_level level, const char *text);

typedef struct wasinn_instance_options {
    size_t size;
    const wasinn_dtypes *dtypes; /* NULL: the host's */
} wasinn_instance_options;

O2W_API o2w_status wasinn_instance_new(wasinn_host *host, const wasinn_instance_options *options,
                                       wasinn_instance **out, o2w_error **error);
/* Cancels a running call, waits for it, frees all that the guest left. NULL is fine. */
O2W_API void wasinn_instance_free(wasinn_instance *instance);
/* Ends the call that runs, as its deadline would; any thread. */
O2W_API void wasinn_instance_cancel(wasinn_instance *instance);
O2W_API wasinn_host *wasinn_instance_host(const wasinn_instance *instance);

/* --- Functions ------------------------------------------------------------------------------------- */

typedef enum wasinn_function {
    WASINN_LOAD,
    WASINN_LOAD_BY_NAME,
    WASINN_INIT_EXECUTION_CONTEXT,
    WASINN_SET_INPUT,
    WASINN_COMPUTE,
    WASINN_GET_OUTPUT,
    WASINN_UNLOAD, /* from here on extensions */
    WASINN_FINALIZE_EXECUTION_CONTEXT,
    WASINN_LOAD_BY_NAME_WITH_CONFIG,
    WASINN_COUNT,
    WASINN_DESCRIBE,
    WASINN_LAST_ERROR,
    WASINN_FUNCTION_COUNT
} wasinn_function;

/* What adapters define imports from: all parameters and the one result are i32. */
typedef struct wasinn_function_row {
    const char *module, *name;
    uint32_t parameters;
    bool extension; /* only with WASINN_EXTENSIONS */
} wasinn_function_row;
O2W_API const wasinn_function_row *wasinn_functions(size_t *count);

/* The guest's exported memory as it is now. base NULL: it exports none that is 32-bit and its own. */
typedef struct wasinn_memory {
    void *base;
    uint64_t size;
} wasinn_memory;

/* Never fails but by its result, a wasinn_errno. `count` is the row's number of parameters. */
O2W_API uint32_t wasinn_call(wasinn_instance *instance, wasinn_function function,
                             wasinn_memory memory, const uint32_t *arguments, size_t count);
/* Text of the last failed call, "" before the first; good until the next call. */
O2W_API const char *wasinn_last_error(const wasinn_instance *instance);

typedef struct wasinn_stats {
    size_t size;
    uint64_t calls, errors, nn_ns, backend_ns;
    uint64_t input_bytes, output_bytes; /* copied from and to the guest */
    uint64_t held_bytes;
    uint32_t graphs, contexts, tensors, error_objects; /* alive */
    uint32_t timeouts, refusals; /* deadlines that hit; calls that met a limit */
} wasinn_stats;
O2W_API void wasinn_instance_stats(const wasinn_instance *instance, wasinn_stats *out);

/* --- Components ------------------------------------------------------------------------------------ */

/* The interface wasi:nn@0.2.0-rc-2024-10-28 on host values. Objects of the guest are numbers ("rep") of
 * its instance. Types, encodings (6: autodetect) and targets are the places of their enum. A call that
 * fails returns false and gives the rep of an error object. */
typedef enum wasinn_resource {
    WASINN_RESOURCE_GRAPH,
    WASINN_RESOURCE_CONTEXT,
    WASINN_RESOURCE_TENSOR,
    WASINN_RESOURCE_ERROR
} wasinn_resource;

typedef struct wasinn_bytes {
    const void *data;
    size_t size;
} wasinn_bytes;

typedef struct wasinn_tensor_view {
    uint32_t rank, type;
    const uint32_t *dims;
    wasinn_bytes data;
} wasinn_tensor_view;

typedef struct wasinn_named_tensor {
    wasinn_bytes name;
    uint32_t tensor;
} wasinn_named_tensor;

/* Cannot fail: what is wrong with it is told by the compute that uses it. 0 only without memory. */
O2W_API uint32_t wasinn_tensor_new(wasinn_instance *instance, const uint32_t *dims, size_t rank,
                                   uint32_t type, wasinn_bytes data);
/* Good until the tensor is dropped. */
O2W_API bool wasinn_tensor_get(const wasinn_instance *instance, uint32_t rep,
                               wasinn_tensor_view *out);
O2W_API bool wasinn_graph_load(wasinn_instance *instance, const wasinn_bytes *builders,
                               size_t count, uint32_t encoding, uint32_t target, uint32_t *rep);
O2W_API bool wasinn_graph_load_by_name(wasinn_instance *instance, wasinn_bytes name, uint32_t *rep);
O2W_API bool wasinn_context_new(wasinn_instance *instance, uint32_t graph, uint32_t *rep);
/* Consumes the tensors, also when it fails. Outputs belong to the instance until its next call; their
 * tensors are the caller's to hand on or drop. */
O2W_API bool wasinn_context_compute(wasinn_instance *instance, uint32_t context,
                                    const wasinn_named_tensor *inputs, size_t count,
                                    const wasinn_named_tensor **outputs, size_t *output_count,
                                    uint32_t *error);
O2W_API bool wasinn_error_get(const wasinn_instance *instance, uint32_t rep, wasinn_code *code,
                              const char **text);
/* Whether there is such an object; then it is freed. */
O2W_API bool wasinn_drop(wasinn_instance *instance, wasinn_resource kind, uint32_t rep);

/* The same interface as core modules import it before they become components. */
typedef struct wasinn_lowered_row {
    const char *module, *name;
    uint32_t parameters;
    bool result; /* an i32 */
} wasinn_lowered_row;
O2W_API const wasinn_lowered_row *wasinn_lowered_functions(size_t *count);

/* The guest as the canonical ABI needs it: its memory now, and its export cabi_realloc(0, 0, align,
 * size), false when it trapped. */
typedef struct wasinn_guest {
    wasinn_memory (*memory)(void *user);
    bool (*realloc)(void *user, uint32_t align, uint32_t size, uint32_t *address);
    void *user;
} wasinn_guest;

/* False: the guest must trap, with *trap as its static message. `function` is a row's place. */
O2W_API bool wasinn_call_lowered(wasinn_instance *instance, size_t function,
                                 const wasinn_guest *guest, const uint32_t *arguments,
                                 uint32_t *result, const char **trap);

#ifdef __cplusplus
}
#endif

#endif
