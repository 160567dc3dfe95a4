/* What the files of this layer share. */
#ifndef ORT_INTERNAL_H
#define ORT_INTERNAL_H

#include "ort/ort.h"
#include "ort/ort_abi.h"

struct ort {
    struct ort_api api;
    struct ort_editor_api editor;
    OrtEnv *env;
    OrtAllocator *allocator; /* the runtime's default; never freed */
    OrtMemoryInfo *cpu_memory;
    const char *version, *library;
    struct arena arena;
    VEC(const char *) providers;
};

struct ort_session {
    const struct ort *ort;
    const o2w_allocator *allocator;
    OrtSession *session;
    struct arena arena; /* names and types of the interface */
    struct ort_port *inputs, *outputs, *overridables;
    size_t input_count, output_count, overridable_count;
    enum diag_code run_error;
    bool placement;
};

/* Frees a status; its text becomes the "engine:" line of a new item. */
o2w_status ort_fail(const struct ort *o, OrtStatus *status, enum diag_code code, struct diags *d,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Returns from the calling function when the runtime's call failed: ORT_TRY(o, call, code, d, "…"). */
#define ORT_TRY(o, call, code, d, ...)                                      \
    do {                                                                    \
        OrtStatus *try_ort_status = (call);                                 \
        if (try_ort_status)                                                 \
            return ort_fail((o), try_ort_status, (code), (d), __VA_ARGS__); \
    } while (0)

/* A host tensor as a value over the same memory. */
o2w_status ort_value_over(const struct ort *o, const struct tensor *t, enum diag_code code,
                          const char *name, struct diags *d, OrtValue **out);

/* The session's ports. */
o2w_status ort_session_read_ports(struct ort_session *s, enum diag_code code, struct diags *d);

/* The runtime's model behind a finished `m`, which it keeps; nothing can be added afterwards. */
o2w_status ort_model_close(struct ort_model *m, struct diags *d, const OrtModel **out);

/* One run: by name, or by binding. */
struct ort_run {
    const struct ort_session *session;
    const char *const *input_names, *const *output_names;
    OrtValue *const *inputs;
    size_t input_count, output_count;
    OrtValue **outputs;
    const OrtIoBinding *binding;
};

o2w_status ort_run_watched(const struct ort_run *r, const struct ort_cancel *cancel,
                           struct diags *d);

/* Calls `fire` once, from another thread, as soon as a cancel asks for it. */
struct watch {
    const struct ort_cancel *cancel;
    void (*fire)(void *user);
    void *user;
    bool fired, linked;
    struct watch *next, *previous;
};

/* O2W_CANCELLED when it is due already; O2W_INTERNAL when no thread can be had. A cancel that is
 * NULL or zero watches nothing. */
o2w_status watch_begin(struct watch *w, struct diags *d);
/* Ends it; true when it fired. After that `fire` is not running and will not run. */
bool watch_end(struct watch *w);
/* interrupted, with what ended the call. */
o2w_status watch_cancelled(const struct ort_cancel *cancel, const char *what, struct diags *d);

#endif
