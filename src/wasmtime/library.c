/* Finding Wasmtime and its functions. */
#include "wasmtime/binding.h"

#include "base/system.h"
#include "base/text.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define SONAME "libwasmtime.so"
#define GET_IT "Wasmtime 50 (O2W_WASMTIME; tools/setup wasmtime)"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wasinn_wasmtime *opened;

/* The names that version 50 has and its neighbours do not all have tell the versions apart. */
static const char *find_symbols(struct wasmtime_calls *calls,
                                void *(*find)(void *library, const char *name), void *library)
{
    void *symbol;
#define CALL(result, name, parameters)    \
    if (!(symbol = find(library, #name))) \
        return #name;                     \
    memcpy(&calls->name, &symbol, sizeof symbol);
#include "wasmtime/wasmtime_calls.def"
    return NULL;
}

static void *find_own(void *library, const char *name)
{
    return library_symbol(library, name);
}

static void *find_given(void *library, const char *name)
{
    return dlsym(library, name);
}

static o2w_status read_symbols(struct wasinn_wasmtime *w, struct library *own, void *given,
                               struct diags *d)
{
    const char *missing =
        own ? find_symbols(&w->calls, find_own, own) : find_symbols(&w->calls, find_given, given);
    w->path = own ? library_path(own) : NULL;
    if (!missing)
        return O2W_OK;
    o2w_status s = diag_error(d, DIAG_WASI_ENGINE,
                              "Wasmtime cannot be used: the library has no function %s", missing);
    if (own)
        diag_line(d, "searched", "%s: found", library_path(own));
    diag_line(d, "needs", GET_IT);
    return s;
}

static o2w_status open_library(void *given, struct diags *d, struct wasinn_wasmtime **out)
{
    struct library *own = NULL;
    if (!given && library_open(SONAME, "O2W_WASMTIME", d, &own) != O2W_OK) {
        diag_line(d, "needs", GET_IT);
        return O2W_UNAVAILABLE;
    }
    struct wasinn_wasmtime *w = mem_alloc(NULL, sizeof *w);
    if (!w)
        return diag_memory(d);
    o2w_status s = read_symbols(w, own, given, d);
    if (s == O2W_OK)
        *out = w;
    else
        mem_free(NULL, w, sizeof *w);
    return s;
}

static o2w_status open_once(void *given, struct diags *d, const wasinn_wasmtime **out)
{
    struct wasinn_wasmtime *w = NULL;
    pthread_mutex_lock(&lock);
    o2w_status s = opened && !given ? O2W_OK : open_library(given, d, &w);
    if (w && !given)
        opened = w;
    if (s == O2W_OK)
        *out = w ? w : opened;
    pthread_mutex_unlock(&lock);
    return s;
}

o2w_status wasinn_wasmtime_open(void *library, const wasinn_wasmtime **out, o2w_error **error)
{
    struct diags d;
    diags_init(&d, NULL);
    o2w_status s = error_from_diags(&d, open_once(library, &d, out), error);
    diags_free(&d);
    return s;
}

const char *wasinn_wasmtime_library(const wasinn_wasmtime *w)
{
    return w->path;
}

/* --- texts ----------------------------------------------------------------------------------------- */

enum { TEXT_MOST = 4000 };

/* Lines with names that a guest gave: control characters are shown, and there is an end of them. */
static const char *shown_lines(struct span rest, struct arena *a)
{
    if (rest.size > TEXT_MOST)
        rest.size = TEXT_MOST;
    char *text = ARENA_ARRAY(a, 4 * rest.size + 1, char), *to = text;
    while (text && rest.size) {
        const uint8_t *end = memchr(rest.data, '\n', rest.size);
        size_t size = end ? (size_t)(end - rest.data) : rest.size;
        to = text_show((struct span){ rest.data, size }, to);
        if (end)
            *to++ = '\n';
        size += end != NULL;
        rest.data += size;
        rest.size -= size;
    }
    if (text)
        *to = 0;
    return text ? text : "";
}

static const char *take_text(const struct wasinn_wasmtime *w, wasm_bytes *bytes, struct arena *a)
{
    const char *text = shown_lines((struct span){ (const uint8_t *)bytes->data, bytes->size }, a);
    w->calls.wasm_byte_vec_delete(bytes);
    return text;
}

const char *error_text(const struct wasinn_wasmtime *w, const wasmtime_error *e, struct arena *a)
{
    wasm_bytes bytes = { 0 };
    w->calls.wasmtime_error_message(e, &bytes);
    return take_text(w, &bytes, a);
}

const char *trap_text(const struct wasinn_wasmtime *w, const wasm_trap *t, struct arena *a)
{
    wasm_bytes bytes = { 0 };
    w->calls.wasm_trap_message(t, &bytes);
    return take_text(w, &bytes, a);
}

o2w_status engine_failed(const struct wasinn_wasmtime *w, wasmtime_error *error,
                         enum diag_code code, struct diags *d, const char *message)
{
    struct arena a;
    arena_init(&a, NULL);
    o2w_status s = diag_error(d, code, "%s", message);
    diag_line(d, "engine", "%s", error_text(w, error, &a));
    w->calls.wasmtime_error_delete(error);
    arena_free(&a);
    return s;
}

/* --- imports --------------------------------------------------------------------------------------- */

struct import *import_new(const struct wasinn_wasmtime *w, wasinn_lookup *lookup, size_t row,
                          uint32_t base)
{
    struct import *i = mem_alloc(NULL, sizeof *i);
    if (i)
        *i = (struct import){ .calls = &w->calls, .lookup = lookup, .row = row, .base = base };
    return i;
}

void import_free(void *import)
{
    mem_free(NULL, import, sizeof(struct import));
}
