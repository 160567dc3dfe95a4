/* Diagnostics: what a stage found, collected in order, printed by whoever owns the sink. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"

enum diag_code {
#define CODE(ID, TEXT, STATUS) DIAG_##ID,
#include <onnx2webnn/status.def>
    DIAG_CODE_COUNT
};

const char *diag_code_text(enum diag_code code);
o2w_status diag_code_status(enum diag_code code);

/* A line below the message: "at: …", "searched: …", "needs: …", "found: …", "engine: …". */
struct diag_line {
    const char *label;
    const char *text;
    struct diag_line *next;
};

struct diag {
    o2w_severity severity;
    enum diag_code code;
    const char *stage, *message, *hint;
    const char *subject_kind, *subject_name;
    const char *file;
    int64_t offset, line, column; /* -1: none */
    struct diag_line *lines, **last_line;
    struct diag *next;
};

struct diag_unsupported {
    o2w_unsupported item;
    struct diag_unsupported *next;
};

/* The sink. Text is copied into its arena, so callers keep nothing alive. When memory is out, what
 * was lost is counted by `lost` and the status still is right. One thread at a time. */
struct diags {
    struct arena arena;
    struct diag *first, **last, *newest;
    size_t count, errors, lost;
    struct diag_unsupported *unsupported, **last_unsupported;
    size_t unsupported_count;
    const char *stage; /* given to new items; static text */
    bool notes_are_errors;
    const o2w_environment *environment; /* polled by long input and output; NULL: nobody is asked */
};

void diags_init(struct diags *d, const o2w_allocator *allocator);
void diags_free(struct diags *d);
/* Moves all items of `from` behind those of `to`; `from` is empty afterwards. */
void diags_append(struct diags *to, struct diags *from);

/* Adds an item and returns the status of its code. Every function takes d == NULL: only the status
 * remains. Control bytes in texts are shown as \xNN; texts are cut at 4 KiB. */
o2w_status diag_error(struct diags *d, enum diag_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct diags *d, enum diag_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A note; where notes_are_errors it is an error and its status comes back, else O2W_OK. */
o2w_status diag_note(struct diags *d, enum diag_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* O2W_NO_MEMORY with its item. */
o2w_status diag_memory(struct diags *d);

/* These complete the newest item; without one they do nothing. */
void diag_at(struct diags *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_hint(struct diags *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_line(struct diags *d, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_subject(struct diags *d, const char *kind, struct span name);
/* Where in a file; -1 for what does not apply. */
void diag_position(struct diags *d, struct span file, int64_t offset, int64_t line, int64_t column);

/* An operator that cannot be lowered, for who wants a list instead of a message; copied. */
void diag_unsupported(struct diags *d, const o2w_unsupported *from);

/* The items as the command prints them:
 *   error[code]: message
 *     at: …
 *     hint: …
 * NUL-terminated, in `arena`; NULL when memory is out. */
char *diags_text(const struct diags *d, struct arena *arena);
char *diag_text(const struct diag *item, struct arena *arena); /* of one item */

/* Forwards a failure: `TRY(call(…));` returns its status from the calling function. */
#define TRY(expression)                       \
    do {                                      \
        o2w_status try_status = (expression); \
        if (try_status != O2W_OK)             \
            return try_status;                \
    } while (0)

#endif
