/* What unit tests include: cmocka with what it needs, and small helpers. */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/diag.h"

#define assert_ok(expression)             assert_int_equal((expression), O2W_OK)
#define assert_status(expression, status) assert_int_equal((expression), (status))

/* A span has the bytes of a text. */
#define assert_span(s, text) support_assert_span((s), (text), __FILE__, __LINE__)
void support_assert_span(struct span s, const char *text, const char *file, int line);

/* ---- memory ---- */

/* Counts allocations and fails from number `fail_at` on (from 0; SIZE_MAX: never). It fails the
 * test when a block is given back with another size than it was asked for. */
struct failing_allocator {
    o2w_allocator allocator;
    size_t calls, fail_at;
    size_t live_blocks, live_bytes, peak_bytes;
};

void failing_allocator_init(struct failing_allocator *f, size_t fail_at);

/* Calls run with every allocation failing once: 0, 1, 2 … until none is left to fail. A run where
 * one failed must return O2W_NO_MEMORY, and none may leave a block behind. Returns the number of
 * allocations of the run that succeeded. */
size_t sweep_allocations(o2w_status (*run)(const o2w_allocator *allocator, void *user), void *user);

/* ---- diagnostics ---- */

/* Item `index` has this code and message. */
void assert_diag(const struct diags *d, size_t index, enum diag_code code, const char *message);
/* All items as the command prints them. */
void assert_diags_text(const struct diags *d, const char *text);

/* ---- files ---- */

/* A folder of its own for a test, removed with all it holds. */
struct temp_folder {
    char path[64];
};

void temp_folder_create(struct temp_folder *t);
void temp_folder_remove(struct temp_folder *t);
/* The path of a name in it; good until the eighth call after this one. */
const char *temp_path(const struct temp_folder *t, const char *name);
/* Writes a file, its parents too; returns its path. */
const char *temp_write(const struct temp_folder *t, const char *name, const void *data,
                       size_t size);
/* Number of directory entries, "." and ".." apart. */
size_t temp_count(const struct temp_folder *t);
/* The file has exactly these bytes. */
void assert_file(const char *path, const void *data, size_t size);

#endif
