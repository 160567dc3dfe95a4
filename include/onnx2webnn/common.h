/* What all parts of the library share: statuses, errors, the environment of a call. */
#ifndef ONNX2WEBNN_COMMON_H
#define ONNX2WEBNN_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define O2W_API
#else
#define O2W_API __attribute__((visibility("default")))
#endif

#define O2W_VERSION "0.1.0"

/* The version of the library that is loaded, in the form of O2W_VERSION. Static. */
O2W_API const char *o2w_version(void);

/* What a call returns. Output parameters are set only on O2W_OK. */
typedef enum o2w_status {
#define STATUS(NAME, TEXT) O2W_##NAME,
#include <onnx2webnn/status.def>
} o2w_status;

/* The status in plain words. Static, never NULL. */
O2W_API const char *o2w_status_text(o2w_status status);

typedef enum o2w_severity {
    O2W_SEVERITY_NOTE,
    O2W_SEVERITY_WARNING,
    O2W_SEVERITY_ERROR
} o2w_severity;

/* A line below a message: "searched", "found", "needs", "engine", "at" with its text. */
typedef struct o2w_diagnostic_line {
    const char *label, *text;
} o2w_diagnostic_line;

/* One diagnostic. All pointers belong to the o2w_error they were read from; texts are UTF-8 and
 * NUL-terminated; a member that does not apply is NULL, or -1 where it is a number. */
typedef struct o2w_diagnostic {
    size_t size;
    o2w_severity severity;
    const char *code;  /* "text.syntax" */
    const char *stage; /* "read", "lower", … */
    const char *message;
    const char *subject_kind; /* "node", "input", "operand", "attribute", "file" … */
    const char *subject_name;
    const char *file;
    int64_t offset;       /* byte offset in file */
    int64_t line, column; /* from 1 */
    const char *hint;
    const char *text; /* as the command prints it: message and all lines below it, final newline */
    const o2w_diagnostic_line *lines;
    size_t line_count;
} o2w_diagnostic;

/* Why a call failed, with everything that was found: an owned list of diagnostics, errors first
 * found first. Every call that can fail takes an `o2w_error **` last, which may be NULL; on failure
 * it receives an object that the caller frees. On success it is left alone. */
typedef struct o2w_error o2w_error;

O2W_API o2w_status o2w_error_status(const o2w_error *error);
O2W_API size_t o2w_error_count(const o2w_error *error);
/* Item `index` < count, valid until the error is freed; NULL outside. */
O2W_API const o2w_diagnostic *o2w_error_item(const o2w_error *error, size_t index);
/* All items as the command prints them (several lines, final newline). Lives as long as the error. */
O2W_API const char *o2w_error_text(const o2w_error *error);
/* All items as a JSON array. Lives as long as the error. */
O2W_API const char *o2w_error_json(const o2w_error *error);
O2W_API void o2w_error_free(o2w_error *error); /* NULL is fine */

/* An operator of a model that cannot be lowered, with its nodes. */
typedef struct o2w_unsupported {
    size_t size;
    const char *domain, *name;
    int64_t opset;  /* version of the operator */
    uint64_t count; /* of nodes */
    const char *const *nodes;
    size_t node_count; /* names that are listed: at most 100 */
    const char *reason;
} o2w_unsupported;

/* What lower.unsupported is about: all of a model's, in order of appearance. Lives as long as the error. */
O2W_API size_t o2w_error_unsupported_count(const o2w_error *error);
O2W_API const o2w_unsupported *o2w_error_unsupported(const o2w_error *error, size_t index);

typedef enum o2w_log_level {
    O2W_LOG_OFF,
    O2W_LOG_ERROR,
    O2W_LOG_WARN,
    O2W_LOG_INFO,
    O2W_LOG_DEBUG,
    O2W_LOG_TRACE
} o2w_log_level;

/* Memory for everything the library allocates. `resize(user, NULL, 0, n)` allocates,
 * `resize(user, p, n, 0)` frees and returns NULL; the old size is always the one asked for.
 * Memory is aligned for any type. Returns NULL on failure, the old block then stays. */
typedef struct o2w_allocator {
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void *user;
} o2w_allocator;

/* How a call talks to its caller. Zero is every default: malloc, no log, no progress. Borrowed for
 * the lifetime of the object that was created with it. */
typedef struct o2w_environment {
    size_t size;
    o2w_allocator allocator;
    o2w_log_level log_level;
    void (*log)(void *user, o2w_log_level level, const char *text);
    /* Called at poll points, at most every few milliseconds. `total` 0: unknown. Lines of `stage` behind
     * the first are other work that goes on meanwhile. A result other than 0 cancels: the call ends with
     * O2W_CANCELLED and leaves nothing half-written. */
    int (*progress)(void *user, const char *stage, uint64_t done, uint64_t total);
    void *user;
} o2w_environment;

#ifdef __cplusplus
}
#endif

#endif
