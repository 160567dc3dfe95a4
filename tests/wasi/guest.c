#include "wasi/guest.h"

#include "base/system.h"
#include "ort/ort.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

const char *the_backend;

bool backend_is_webnn(void)
{
    return the_backend && strncmp(the_backend, "webnn:", 6) == 0;
}

bool runtime_is_there(void)
{
    const struct ort *o;
    return ort_open(NULL, &o) == O2W_OK;
}

/* Instances of several threads have one log. */
static void keep_log(void *user, o2w_log_level level, const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct guest *g = user;
    size_t size = strlen(text);
    pthread_mutex_lock(&lock);
    if (level <= O2W_LOG_INFO && g->log_size + size + 2 <= sizeof g->log) {
        memcpy(g->log + g->log_size, text, size);
        g->log_size += size;
        g->log[g->log_size++] = '\n';
        g->log[g->log_size] = 0;
    }
    pthread_mutex_unlock(&lock);
}

bool log_has(const struct guest *g, const char *text)
{
    return strstr(g->log, text) != NULL;
}

static void assert_no_error(o2w_status s, o2w_error *e)
{
    if (s != O2W_OK)
        fail_msg("%s", o2w_error_text(e));
}

void guest_begin_with(struct guest *g, const wasinn_host_options *options,
                      const struct guest_graph *graphs, size_t count)
{
    wasinn_host_options o = options ? *options : (wasinn_host_options){ .size = sizeof o };
    o.size = sizeof o;
    o.backends = o.backends ? o.backends : the_backend;
    o.compute_threads = 1;
    o.log = keep_log;
    o.user = g;
    guest_begin_host(g, &o, graphs, count);
}

void guest_begin_host(struct guest *g, const wasinn_host_options *options,
                      const struct guest_graph *graphs, size_t count)
{
    o2w_error *e = NULL;
    memset(g, 0, sizeof *g);
    assert_no_error(wasinn_host_new(options, &g->host, &e), e);
    for (size_t i = 0; i < count; i++) {
        const wasinn_graph_source s = { .size = sizeof s,
                                        .name = graphs[i].name,
                                        .path = graphs[i].path,
                                        .bytes = graphs[i].model.data,
                                        .byte_count = graphs[i].model.size,
                                        .lazy = graphs[i].lazy };
        assert_no_error(wasinn_host_add_graph(g->host, &s, &e), e);
    }
    assert_no_error(wasinn_host_seal(g->host, &e), e);
    assert_no_error(wasinn_instance_new(g->host, NULL, &g->instance, &e), e);
    g->memory = malloc(GUEST_MEMORY);
    assert_non_null(g->memory);
    memset(g->memory, 0xa5, GUEST_MEMORY);
    g->top = 1024;
}

void guest_begin(struct guest *g)
{
    guest_begin_with(g, NULL, NULL, 0);
}

void guest_end(struct guest *g)
{
    wasinn_instance_free(g->instance);
    wasinn_host_free(g->host);
    free(g->memory);
    models_free();
}

wasinn_memory guest_memory(const struct guest *g)
{
    return (wasinn_memory){ g->memory, GUEST_MEMORY };
}

/* At odd addresses: guests may place records anywhere. */
uint32_t guest_put(struct guest *g, const void *data, size_t size)
{
    uint32_t at = g->top | 1;
    if (at + size > GUEST_MEMORY) { /* a guest that frees */
        g->top = 1024;
        at = g->top | 1;
    }
    assert_true(at + size <= GUEST_MEMORY);
    if (size)
        memcpy(g->memory + at, data, size);
    g->top = at + (uint32_t)size + 2;
    return at;
}

uint32_t guest_word(struct guest *g, uint32_t value)
{
    return guest_put(g, &value, 4);
}

uint32_t guest_read(const struct guest *g, uint32_t at)
{
    uint32_t v;
    memcpy(&v, g->memory + at, 4);
    return v;
}

uint32_t guest_load(struct guest *g, struct span model, uint32_t encoding, uint32_t *handle)
{
    uint32_t builder[2] = { guest_put(g, model.data, model.size), (uint32_t)model.size };
    uint32_t records = guest_put(g, builder, sizeof builder), out = guest_word(g, 0xdeadbeef);
    uint32_t e = CALL(g, WASINN_LOAD, records, 1, encoding, 0, out);
    if (e == WASINN_SUCCESS)
        *handle = guest_read(g, out);
    else
        assert_int_equal(guest_read(g, out), 0xdeadbeef);
    return e;
}

uint32_t guest_context(struct guest *g, struct span model)
{
    uint32_t graph = 0, out = guest_word(g, 0);
    E(g, guest_load(g, model, ENC_AUTO, &graph), WASINN_SUCCESS);
    E(g, CALL(g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
    return guest_read(g, out);
}

uint32_t guest_tensor(struct guest *g, uint32_t type, const uint32_t *dims, size_t rank,
                      const void *data, size_t size)
{
    uint32_t record[5] = { rank ? guest_put(g, dims, rank * 4) : 0xffffffff, (uint32_t)rank,
                           0xffffff00 | (type & 0xff), size ? guest_put(g, data, size) : 0xffffffff,
                           (uint32_t)size };
    return guest_put(g, record, sizeof record);
}

uint32_t guest_set(struct guest *g, uint32_t ctx, uint32_t index, uint32_t type,
                   const uint32_t *dims, size_t rank, const void *data, size_t size)
{
    return CALL(g, WASINN_SET_INPUT, ctx, index, guest_tensor(g, type, dims, rank, data, size));
}

uint32_t guest_get(struct guest *g, uint32_t ctx, uint32_t index, void *to, uint32_t room,
                   uint32_t *size)
{
    static const uint8_t canary[64] = { 0 };
    uint32_t at = room ? guest_put(g, canary, 0) : 0xffffffff;
    for (uint32_t i = 0; i < room; i++)
        g->memory[at + i] = 0x5a;
    g->top += room;
    g->memory[g->top] = 0x77;
    uint32_t guard = g->top++, out = guest_word(g, 0xdeadbeef);
    uint32_t e = CALL(g, WASINN_GET_OUTPUT, ctx, index, at, room, out);
    *size = guest_read(g, out);
    if (room)
        memcpy(to, g->memory + at, room);
    assert_int_equal(g->memory[guard], 0x77);
    return e;
}

void assert_output_bytes(struct guest *g, uint32_t ctx, uint32_t index, const void *expected,
                         size_t size, const char *file, int line)
{
    uint8_t found[4096];
    uint32_t got = 0;
    assert_true(size < sizeof found);
    assert_errno(g, guest_get(g, ctx, index, found, (uint32_t)size + 1, &got), WASINN_SUCCESS, file,
                 line);
    _assert_int_equal(got, size, file, line);
    _assert_memory_equal(found, expected, size, file, line);
    _assert_int_equal(found[size], 0x5a, file, line);
}

void assert_errno(const struct guest *g, uint32_t found, uint32_t wanted, const char *file,
                  int line)
{
    if (found == wanted)
        return;
    print_error("errno %u, wanted %u: %s\n%s", found, wanted, wasinn_last_error(g->instance),
                g->log);
    _fail(file, line);
}

/* --- a whole life ------------------------------------------------------------------------------------ */

enum { LIFE_MEMORY = 1 << 16 };

/* Builder, name, tensor record and model where the calls of `live` expect them. */
static uint8_t *life_memory(struct span model)
{
    const uint32_t builder[2] = { 1024, (uint32_t)model.size }, dims[2] = { 1, 4 },
                   record[5] = { 64, 2, 1, 80, 16 };
    uint8_t *memory = calloc(1, LIFE_MEMORY);
    assert_non_null(memory);
    assert_true(model.size < LIFE_MEMORY - 1024);
    memcpy(memory, builder, 8);
    memcpy(memory + 20, "add", 3);
    memcpy(memory + 32, record, 20);
    memcpy(memory + 64, dims, 8);
    memcpy(memory + 1024, model.data, model.size);
    return memory;
}

static uint32_t live(wasinn_instance *i, uint8_t *memory)
{
    const wasinn_memory m = { memory, LIFE_MEMORY };
    uint32_t handle = 0, error = wasinn_call(i, WASINN_LOAD, m, (uint32_t[]){ 0, 1, 1, 0, 16 }, 5);
    if (!error)
        error = wasinn_call(i, WASINN_LOAD_BY_NAME, m, (uint32_t[]){ 20, 3, 24 }, 3);
    if (!error)
        error = wasinn_call(i, WASINN_INIT_EXECUTION_CONTEXT, m, (uint32_t[]){ 1, 16 }, 2);
    memcpy(&handle, memory + 16, 4);
    if (!error)
        error = wasinn_call(i, WASINN_SET_INPUT, m, (uint32_t[]){ handle, 0, 32 }, 3);
    if (!error)
        error = wasinn_call(i, WASINN_COMPUTE, m, &handle, 1);
    if (!error)
        error = wasinn_call(i, WASINN_GET_OUTPUT, m, (uint32_t[]){ handle, 0, 128, 16, 16 }, 5);
    return error;
}

uint32_t guest_life(const o2w_environment *e, struct span model)
{
    const wasinn_host_options o = {
        .size = sizeof o, .backends = the_backend, .compute_threads = 1, .environment = e
    };
    const wasinn_graph_source s = {
        .size = sizeof s, .name = "add", .bytes = model.data, .byte_count = model.size, .lazy = true
    };
    wasinn_host *h = NULL;
    wasinn_instance *i = NULL;
    uint32_t error = WASINN_RUNTIME_ERROR;
    uint8_t *memory = life_memory(model);
    if (wasinn_host_new(&o, &h, NULL) == O2W_OK && wasinn_host_add_graph(h, &s, NULL) == O2W_OK &&
        wasinn_host_seal(h, NULL) == O2W_OK && wasinn_instance_new(h, NULL, &i, NULL) == O2W_OK)
        error = live(i, memory);
    wasinn_instance_free(i);
    wasinn_host_free(h);
    free(memory);
    return error;
}

/* --- backends -------------------------------------------------------------------------------------- */

int run_on_backends(const char *group, const struct CMUnitTest *tests, size_t count)
{
    static const char *const names[] = { "onnx", "webnn:cpu", "webnn:onnx" };
    int failed = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char title[64];
        bool needs_runtime = strstr(names[i], "onnx") != NULL;
        if (needs_runtime && !runtime_is_there()) {
            print_message("skipped: backend %s: no ONNX Runtime here\n", names[i]);
            continue;
        }
        the_backend = names[i];
        (void)snprintf(title, sizeof title, "%s on %s", group, names[i]);
        failed += _cmocka_run_group_tests(title, tests, count, NULL, NULL);
    }
    return failed;
}
