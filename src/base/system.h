/* Threads, engine libraries, digests, environment: what the operating system and libraries give. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include "base/diag.h"

/* Cores that this process may use, at least 1. */
unsigned system_cores(void);
/* An environment variable; empty counts as unset: NULL. */
const char *system_variable(const char *name);
/* The operating system's folder of caches; in the arena or the environment; NULL: none can be derived. */
const char *system_cache_folder(struct arena *a);
/* Bytes of memory that this process may use: the machine's, or fewer by its control group; 0: unknown. */
uint64_t system_memory(void);
/* At least `size` bytes of zeros that may only be read, shared by all who ask and never given back: they take
 * addresses, no memory. NULL when there are none. Any thread. */
const void *system_zeros(uint64_t size);
/* Large blocks of the C library leave memory when they are freed, however many came before. For the whole
 * process: for programs, before their first thread. */
void system_return_large_blocks(void);
/* The running program; a path below the parent of its folder. In the arena, NULL when there is none. */
char *program_path(struct arena *a);
char *program_prefix_path(struct arena *a, const char *relative);
/* "SIGSEGV"; "a signal" for those that have no common name. Static. */
const char *system_signal_name(int number);
/* Monotonic, in nanoseconds. */
uint64_t system_clock_ns(void);

/* A fixed set of worker threads. Work is cut by the caller into `count` independent parts whose cut
 * never depends on the number of threads, so results do not either. */
struct pool;
/* `threads` 0: as many as system_cores. Where the system gives fewer, the pool has fewer. */
o2w_status pool_create(unsigned threads, const o2w_allocator *allocator, struct pool **out);
void pool_free(struct pool *p);              /* NULL is fine */
unsigned pool_threads(const struct pool *p); /* NULL: 1 */
/* Runs part(user, i) for all i < count and waits. The calling thread works too. With p NULL or one
 * thread: in order, on the caller. Not re-entrant: a part must not call it on the same pool. */
void pool_run(struct pool *p, size_t count, void (*part)(void *user, size_t index), void *user);

/* A shared library, opened at run time and never closed. */
struct library;
/* Search order for an engine: `variable` (if set, nothing else is tried), O2W_ENGINE_DIR,
 * lib/onnx2webnn/ under the executable's prefix, .deps/lib/ in the executable's folder or one of
 * its three parents, the system loader. Every place tried is added to `searched` as a "searched:"
 * line of the newest diagnostic only on failure (backend.unavailable). */
o2w_status library_open(const char *soname, const char *variable, struct diags *d,
                        struct library **out);
void *library_symbol(struct library *l, const char *name); /* NULL when missing */
const char *library_path(const struct library *l);

/* SHA-256 (FIPS 180-4). */
struct sha256 {
    uint32_t state[8];
    uint64_t length;
    uint8_t block[64];
};
void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t size);
void sha256_end(struct sha256 *s, uint8_t digest[32]);
/* Lower-case hexadecimal, NUL-terminated. */
void hex_print(const uint8_t *bytes, size_t count, char *text);

#endif
