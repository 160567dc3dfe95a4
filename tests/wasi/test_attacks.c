/* What nobody has listed: guests that aim at the host. It answers with an errno or a trap, in time and in bounds. */
#include "wasi/instance.h" /* before cmocka, whose macros have names of its functions */

#include "wasi/guest.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { F32 = 1, FP32 = 1, WIT_AUTODETECT = 6 };
static const float four[4] = { 1, 2, 3, 4 };

static wasinn_bytes bytes_of(const char *text)
{
    return (wasinn_bytes){ text, strlen(text) };
}

static void lengths_that_wrap_around(void **state)
{
    static const uint32_t builders[][2] = {
        { 0xfffffff0, 0x20 }, { 0x80000000, 0x80000000 }, { 1, 0xffffffff }, { 0xffffffff, 1 }
    };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t out = guest_word(&g, 0), c = guest_context(&g, model_add());
    for (size_t i = 0; i < 4; i++)
        E(&g, CALL(&g, WASINN_LOAD, guest_put(&g, builders[i], 8), 1, ENC_AUTO, 0, out),
          WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_LOAD, 0xffffffff, 0xffffffff, ENC_AUTO, 0, out), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_LOAD, 0xffffffff, 0, ENC_AUTO, 0, out), WASINN_INVALID_ARGUMENT);
    E(&g, CALL(&g, WASINN_LOAD, GUEST_MEMORY - 8, 0x20000000, ENC_AUTO, 0, out),
      WASINN_INVALID_ARGUMENT);
    const uint32_t records[][5] = { { 0xfffffffc, 2, F32, out, 4 },
                                    { out, 0x3fffffff, F32, out, 4 },
                                    { out, 1, F32, 0xfffffffc, 8 },
                                    { out, 1, F32, 8, 0xfffffffc } };
    for (size_t i = 0; i < 4; i++)
        E(&g, CALL(&g, WASINN_SET_INPUT, c, 0, guest_put(&g, records[i], 20)),
          WASINN_INVALID_ARGUMENT);
    guest_end(&g);
}

/* Products that are 0 or small again in 32 or 64 bits. */
static void dimensions_whose_product_wraps(void **state)
{
    static const uint32_t dims[][4] = { { 0x10000, 0x10000, 1, 1 },
                                        { 0x80000000, 0x80000000, 4, 1 },
                                        { 0x40000001, 4, 1, 1 },
                                        { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
                                        { 0x20000000, 0x20000000, 0x10, 4 } };
    struct guest g;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_join());
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
        for (size_t rank = 2; rank <= 4; rank++)
            for (size_t size = 0; size <= 16; size += 16)
                E(&g, guest_set(&g, c, 0, F32, dims[i], rank, four, size), WASINN_INVALID_ARGUMENT);
    guest_end(&g);
}

/* y = -x of any sizes */
static struct span model_any(void)
{
    static struct model_builder b;
    static bool made;
    if (made)
        mb_free(&b);
    made = true;
    mb_begin(&b, 17);
    mb_graph(&b);
    mb_input_named(&b, "x", ONNX_FLOAT, "A B");
    mb_node(&b, "Neg", "x", "y");
    mb_output(&b, "y", ONNX_FLOAT, DIMS(-1, -1));
    return mb_end(&b);
}

static void nothing_of_a_great_size(void **state)
{
    static const uint32_t dims[][2] = {
        { 0, 0xffffffff }, { 0xffffffff, 0 }, { 0, 0x7fffffff }, { 0, 0 }
    };
    struct guest g;
    uint32_t size = 0;
    (void)state;
    guest_begin(&g);
    uint32_t c = guest_context(&g, model_any());
    for (size_t i = 0; i < 4; i++) {
        uint32_t e = guest_set(&g, c, 0, F32, dims[i], 2, NULL, 0);
        assert_in_range(e, 0, 8);
        e = e ? e : CALL(&g, WASINN_COMPUTE, c);
        assert_in_range(e, 0, 8);
        if (!e) {
            E(&g, guest_get(&g, c, 0, NULL, 0, &size), WASINN_SUCCESS);
            assert_int_equal(size, 0);
        }
    }
    E(&g, guest_set(&g, c, 0, F32, UDIMS(2, 2), four, 16), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    guest_end(&g);
}

/* A memory of 4 GiB: its last bytes are ordinary, what would wrap around is not. */
static void the_end_of_four_gibibytes(void **state)
{
    const size_t size = (size_t)1 << 32;
    const struct guest_graph graphs[] = { { .name = "add", .model = model_add() } };
    struct guest g;
    (void)state;
    uint8_t *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        print_message("skipped: no 4 GiB of addresses here\n");
        skip();
    }
    guest_begin_with(&g, NULL, graphs, 1);
    wasinn_memory m = { base, size };
#define FAR(function, ...)                                              \
    wasinn_call(g.instance, (function), m, (uint32_t[]){ __VA_ARGS__ }, \
                sizeof((uint32_t[]){ __VA_ARGS__ }) / 4)
    memcpy(base + size - 3, "add", 3);
    E(&g, FAR(WASINN_LOAD_BY_NAME, 0xfffffffd, 3, 0xfffffff0), WASINN_SUCCESS);
    E(&g, FAR(WASINN_LOAD_BY_NAME, 0xfffffffd, 4, 0xfffffff0), WASINN_INVALID_ARGUMENT);
    E(&g, FAR(WASINN_LOAD_BY_NAME, 0xfffffffd, 3, 0xfffffffd), WASINN_INVALID_ARGUMENT);
    E(&g, FAR(WASINN_LOAD_BY_NAME, 0, 0xffffffff, 0), WASINN_NOT_FOUND);
    E(&g, FAR(WASINN_INIT_EXECUTION_CONTEXT, 1, 0xfffffffc), WASINN_SUCCESS);
    const uint32_t dims[2] = { 1, 4 }, record[5] = { 0xffffff00, 2, F32, 0xffffff80, 16 };
    memcpy(base + 0xffffff00u, dims, 8);
    memcpy(base + 0xffffff80u, four, 16);
    memcpy(base + 0xffffffecu, record, 20);
    E(&g, FAR(WASINN_SET_INPUT, 0x40000001, 0, 0xffffffec), WASINN_SUCCESS);
    E(&g, FAR(WASINN_SET_INPUT, 0x40000001, 0, 0xffffffed), WASINN_INVALID_ARGUMENT);
    E(&g, FAR(WASINN_COMPUTE, 0x40000001), WASINN_SUCCESS);
    E(&g, FAR(WASINN_GET_OUTPUT, 0x40000001, 0, 0xfffffff0, 16, 0), WASINN_SUCCESS);
    E(&g, FAR(WASINN_GET_OUTPUT, 0x40000001, 0, 0, 0xffffffff, 0xfffffffc), WASINN_SUCCESS);
    assert_int_equal(munmap(base, size), 0);
    guest_end(&g);
}

/* --- objects ------------------------------------------------------------------------------------------ */

static void objects_without_end(void **state)
{
    struct guest g;
    wasinn_stats s = { .size = sizeof s };
    uint32_t rep = 1, tensors = 0, errors = 0;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .limits = { .total_bytes = 1 << 20 } }, NULL, 0);
    while ((rep = wasinn_tensor_new(g.instance, UDIMS(0), FP32, (wasinn_bytes){ "", 0 })))
        assert_true(++tensors < 100000);
    do { /* errors tell that there is no room; they end too */
        assert_false(wasinn_graph_load_by_name(g.instance, bytes_of("none"), &rep));
        assert_true(++errors < 100000);
    } while (rep);
    wasinn_instance_stats(g.instance, &s);
    assert_true(s.held_bytes <= 3 << 20);
    for (uint32_t k = 1; k <= tensors; k++) /* the oldest first */
        assert_true(wasinn_drop(g.instance, WASINN_RESOURCE_TENSOR,
                                g.instance->tables[WASINN_RESOURCE_TENSOR].next - 1 - tensors + k));
    assert_true(wasinn_tensor_new(g.instance, UDIMS(0), FP32, (wasinn_bytes){ "", 0 }) != 0 ||
                s.held_bytes > 1 << 20);
    guest_end(&g);
}

struct dropping {
    struct guest *guest;
    uint32_t context;
    unsigned dropped;
};

static void *drop_much(void *user)
{
    struct dropping *d = user;
    for (int i = 0; i < 2000; i++)
        if (CALL(d->guest, WASINN_FINALIZE_EXECUTION_CONTEXT, d->context) == WASINN_SUCCESS)
            d->dropped++;
    return NULL;
}

/* Two threads that end one context, while a third computes: one of them does. */
static void contexts_dropped_by_many_threads(void **state)
{
    struct guest g;
    pthread_t threads[2];
    struct dropping d[2];
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
    uint32_t c = guest_context(&g, model_add());
    uint32_t t = guest_tensor(&g, F32, UDIMS(1, 4), four, 16);
    while (CALL(&g, WASINN_SET_INPUT, c, 0, t) == WASINN_BUSY)
        ;
    for (int i = 0; i < 2; i++) {
        d[i] = (struct dropping){ &g, c, 0 };
        assert_int_equal(pthread_create(&threads[i], NULL, drop_much, &d[i]), 0);
    }
    for (int i = 0; i < 200; i++)
        assert_in_range(CALL(&g, WASINN_COMPUTE, c), 0, 8);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    unsigned last = CALL(&g, WASINN_FINALIZE_EXECUTION_CONTEXT, c) == WASINN_SUCCESS;
    assert_int_equal(d[0].dropped + d[1].dropped + last, 1);
    guest_end(&g);
}

/* --- lowered: the guest runs while its lists are given back -------------------------------------------- */

struct entering {
    struct guest *guest;
    uint32_t context, graph;
    unsigned calls;
    bool refuses; /* gives addresses outside of the memory */
};

static wasinn_memory entered_memory(void *user)
{
    const struct entering *e = user;
    return guest_memory(e->guest);
}

static size_t row_of(const char *name)
{
    size_t count, i = 0;
    const wasinn_lowered_row *rows = wasinn_lowered_functions(&count);
    while (i < count && strcmp(rows[i].name, name) != 0)
        i++;
    assert_true(i < count);
    return i;
}

static bool enter_again(void *user, uint32_t align, uint32_t size, uint32_t *address);

static bool lowered(struct entering *e, const char *name, const uint32_t args[8], uint32_t *result)
{
    const wasinn_guest guest = { entered_memory, enter_again, e };
    const char *trap = NULL;
    return wasinn_call_lowered(e->guest->instance, row_of(name), &guest, args, result, &trap);
}

/* A cabi_realloc that drops what its caller works on, and calls it again. */
static bool enter_again(void *user, uint32_t align, uint32_t size, uint32_t *address)
{
    struct entering *e = user;
    struct guest *g = e->guest;
    uint32_t none;
    g->top = (g->top + align - 1) / align * align;
    *address = e->refuses ? GUEST_MEMORY - 1 : g->top;
    g->top += size;
    if (e->calls++)
        return true;
    (void)lowered(e, "[resource-drop]graph-execution-context", (uint32_t[8]){ e->context }, &none);
    (void)lowered(e, "[resource-drop]graph", (uint32_t[8]){ e->graph }, &none);
    for (uint32_t h = 0x80000001; h < 0x80000008; h++)
        (void)lowered(e, "[resource-drop]tensor", (uint32_t[8]){ h }, &none);
    (void)lowered(e, "[method]graph-execution-context.compute",
                  (uint32_t[8]){ e->context, 112, 1, 128 }, &none);
    return true;
}

static void a_guest_that_comes_back(void **state)
{
    (void)state;
    for (int refuses = 0; refuses < 2; refuses++) {
        struct guest g;
        struct entering e = { .guest = &g, .refuses = refuses };
        struct span m = model_add();
        const wasinn_bytes builder = { m.data, m.size };
        uint32_t tensor, none;
        guest_begin(&g);
        assert_true(wasinn_graph_load(g.instance, &builder, 1, WIT_AUTODETECT, 0, &e.graph));
        assert_true(wasinn_context_new(g.instance, e.graph, &e.context));
        const uint32_t dims[2] = { 1, 4 };
        memcpy(g.memory + 64, dims, 8);
        memcpy(g.memory + 80, four, 16);
        memcpy(g.memory + 96, "x", 1);
        assert_true(
            lowered(&e, "[constructor]tensor", (uint32_t[8]){ 64, 2, FP32, 80, 16 }, &tensor));
        const uint32_t pair[3] = { 96, 1, tensor };
        memcpy(g.memory + 112, pair, 12);
        bool done = lowered(&e, "[method]graph-execution-context.compute",
                            (uint32_t[8]){ e.context, 112, 1, 128 }, &none);
        assert_int_equal(done, !refuses);
        assert_true(e.calls > 0);
        guest_end(&g);
    }
}

/* The guest drops what it asked for while it makes room for the answer. */
static bool drop_meanwhile(void *user, uint32_t align, uint32_t size, uint32_t *address)
{
    struct entering *e = user;
    uint32_t none;
    e->guest->top = (e->guest->top + align - 1) / align * align;
    *address = e->guest->top;
    e->guest->top += size;
    e->calls += lowered(e, "[resource-drop]tensor", (uint32_t[8]){ e->context }, &none);
    e->calls += lowered(e, "[resource-drop]error", (uint32_t[8]){ e->graph }, &none);
    return true;
}

static void what_is_lent_is_not_dropped(void **state)
{
    static const char *const names[] = { "[method]tensor.data", "[method]tensor.dimensions",
                                         "[method]error.data" };
    struct guest g;
    (void)state;
    guest_begin(&g);
    for (int i = 0; i < 3; i++) {
        struct entering e = { .guest = &g };
        const wasinn_guest guest = { entered_memory, drop_meanwhile, &e };
        const char *trap = NULL;
        uint32_t none;
        e.context = wasinn_tensor_new(g.instance, UDIMS(1, 4), FP32, (wasinn_bytes){ four, 16 });
        assert_false(wasinn_graph_load_by_name(g.instance, bytes_of("none"), &e.graph));
        const uint32_t args[8] = { i < 2 ? e.context : e.graph, 128 };
        assert_true(wasinn_call_lowered(g.instance, row_of(names[i]), &guest, args, &none, &trap));
        assert_int_equal(e.calls, i < 2 ? 1 : 2); /* an error is copied, a tensor is not */
        if (i == 0)
            assert_memory_equal(g.memory + guest_read(&g, 128), four, 16);
        if (i < 2)
            assert_true(lowered(&e, "[resource-drop]tensor", (uint32_t[8]){ e.context }, &none));
    }
    guest_end(&g);
}

/* Great numbers of inputs, each of them a tensor of its own. */
static void a_compute_with_very_many_inputs(void **state)
{
    enum { MANY = 30000, AT = 4096 };
    struct guest g;
    struct entering e = { .guest = &g };
    struct span m = model_add();
    const wasinn_bytes builder = { m.data, m.size };
    uint32_t none;
    (void)state;
    guest_begin(&g);
    assert_true(wasinn_graph_load(g.instance, &builder, 1, WIT_AUTODETECT, 0, &e.graph));
    assert_true(wasinn_context_new(g.instance, e.graph, &e.context));
    for (uint32_t k = 0; k < MANY; k++) {
        uint32_t rep = wasinn_tensor_new(g.instance, UDIMS(0), FP32, (wasinn_bytes){ "", 0 });
        const uint32_t item[3] = { 0, GUEST_MEMORY, rep }; /* names of a MiB */
        assert_int_not_equal(rep, 0);
        memcpy(g.memory + AT + 12 * k, item, 12);
    }
    assert_true(lowered(&e, "[method]graph-execution-context.compute",
                        (uint32_t[8]){ e.context, AT, MANY, 128 }, &none));
    assert_int_equal(g.memory[128], 1); /* an error: there is no input of that name */
    assert_int_equal(g.instance->tables[WASINN_RESOURCE_TENSOR].alive, 0);
    guest_end(&g);
}

/* --- limits that are gone around ---------------------------------------------------------------------- */

static uint64_t held(const struct guest *g)
{
    wasinn_stats s = { .size = sizeof s };
    wasinn_instance_stats(g->instance, &s);
    return s.held_bytes;
}

/* y = x as int8, f32 [N,4] */
static struct span model_narrow(struct model_builder *b)
{
    mb_begin(b, 17);
    mb_graph(b);
    mb_input_named(b, "x", ONNX_FLOAT, "N 4");
    mb_node_open(b, "Cast", "x", "y");
    mb_int(b, "to", ONNX_INT8);
    mb_close(b);
    mb_output(b, "y", ONNX_INT8, DIMS(-1, 4));
    return mb_end(b);
}

/* A widened output is an output of its own size. */
static void outputs_that_grow_when_read(void **state)
{
    static const float many[16 * 4];
    const wasinn_host_options o = { .policy = WASINN_WIDEN, .limits = { .output_bytes = 100 } };
    struct guest g;
    struct model_builder b;
    uint32_t size = 0;
    (void)state;
    guest_begin_with(&g, &o, NULL, 0);
    uint32_t c = guest_context(&g, model_narrow(&b));
    E(&g, guest_set(&g, c, 0, F32, UDIMS(16, 4), many, sizeof many), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS); /* 64 bytes */
    uint64_t before = held(&g);
    E(&g, guest_get(&g, c, 0, NULL, 0, &size), WASINN_TOO_LARGE); /* 256 bytes */
    assert_true(strstr(wasinn_last_error(g.instance), "the limit is 100") != NULL);
    assert_true(held(&g) == before);
    E(&g, guest_set(&g, c, 0, F32, UDIMS(6, 4), many, 96), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
    before = held(&g);
    E(&g, guest_get(&g, c, 0, NULL, 0, &size), WASINN_TOO_LARGE);
    assert_int_equal(size, 96);
    assert_true(held(&g) == before + 96);
    mb_free(&b);
    guest_end(&g);
}

/* What contexts keep for outputs counts, whatever their last compute gave. */
static void outputs_kept_by_many_contexts(void **state)
{
    enum { ROWS = 4096, BYTES = ROWS * 16, CONTEXTS = 8 };
    static const float many[ROWS * 4];
    struct guest g;
    uint32_t graph, refused = 0, out;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .limits = { .total_bytes = 10 * BYTES } }, NULL,
                     0);
    E(&g, guest_load(&g, model_add(), ENC_ONNX, &graph), WASINN_SUCCESS);
    uint32_t t = guest_tensor(&g, F32, UDIMS(ROWS, 4), many, BYTES);
    uint32_t small = guest_tensor(&g, F32, UDIMS(1, 4), many, 16);
    out = guest_word(&g, 0);
    for (int k = 0; k < CONTEXTS; k++) {
        E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
        uint32_t c = guest_read(&g, out);
        const uint32_t inputs[2] = { t, small };
        for (int i = 0; i < 2; i++) {
            uint32_t e = CALL(&g, WASINN_SET_INPUT, c, 0, inputs[i]);
            e = e ? e : CALL(&g, WASINN_COMPUTE, c);
            assert_true(e == WASINN_SUCCESS || e == WASINN_TOO_LARGE);
            refused += e == WASINN_TOO_LARGE;
            assert_true(held(&g) <= 10 * BYTES);
        }
    }
    assert_int_equal(
        refused > 0,
        backend_is_webnn()); /* an engine that gives its memory back holds inputs alone */
    guest_end(&g);
}

/* A model is held as long as a context of it lives. */
static void models_behind_contexts(void **state)
{
    struct guest g;
    struct span m = model_add();
    uint32_t graph, first, second;
    (void)state;
    guest_begin_with(&g,
                     &(wasinn_host_options){ .policy = WASINN_EXTENSIONS,
                                             .cache = WASINN_CACHE_OFF,
                                             .limits = { .total_bytes = m.size * 3 / 2 } },
                     NULL, 0);
    uint32_t out = guest_word(&g, 0);
    E(&g, guest_load(&g, m, ENC_ONNX, &graph), WASINN_SUCCESS);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
    first = guest_read(&g, out);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
    second = guest_read(&g, out);
    E(&g, CALL(&g, WASINN_UNLOAD, graph), WASINN_SUCCESS);
    E(&g, guest_load(&g, m, ENC_ONNX, &graph), WASINN_TOO_LARGE);
    E(&g, CALL(&g, WASINN_FINALIZE_EXECUTION_CONTEXT, first), WASINN_SUCCESS);
    E(&g, guest_load(&g, m, ENC_ONNX, &graph), WASINN_TOO_LARGE);
    assert_true(held(&g) == m.size);
    E(&g, CALL(&g, WASINN_FINALIZE_EXECUTION_CONTEXT, second), WASINN_SUCCESS);
    assert_true(held(&g) == 0);
    E(&g, guest_load(&g, m, ENC_ONNX, &graph), WASINN_SUCCESS);
    guest_end(&g);
}

/* --- models ------------------------------------------------------------------------------------------- */

/* Names with quotes, control characters, without an end, and no UTF-8. */
static void names_that_are_none(void **state)
{
    static char endless[60000];
    const char *names[] = { "\"\\\n\t\x01", "\xff\xfe\x80", endless, "%s%n%p" };
    (void)state;
    memset(endless, 'n', sizeof endless - 1);
    for (size_t i = 0; i < 4; i++) {
        struct guest g;
        struct model_builder b;
        uint32_t graph = 0, out, size = 0;
        guest_begin_with(&g, &(wasinn_host_options){ .policy = WASINN_EXTENSIONS }, NULL, 0);
        mb_begin(&b, 17);
        mb_graph(&b);
        mb_input(&b, "x", ONNX_FLOAT, DIMS(4));
        size_t node = wire_begin(&b.w, 1);
        wire_put_text(&b.w, 1, "x");
        wire_put_text(&b.w, 2, names[i]);
        wire_put_text(&b.w, 4, "Neg");
        wire_end(&b.w, node);
        mb_output(&b, names[i], ONNX_FLOAT, DIMS(4));
        uint32_t e = guest_load(&g, mb_end(&b), ENC_ONNX, &graph);
        assert_in_range(e, 0, 8);
        if (!e) {
            out = guest_word(&g, 0);
            E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
            E(&g, guest_get(&g, guest_read(&g, out), 0, NULL, 0, &size), WASINN_RUNTIME_ERROR);
            assert_true(strlen(wasinn_last_error(g.instance)) <= 512);
            E(&g, CALL(&g, WASINN_DESCRIBE, graph, 1, 0, 0, 400000, out), WASINN_SUCCESS);
            assert_true(guest_read(&g, out) > 10);
        }
        mb_free(&b);
        guest_end(&g);
    }
}

/* A great many inputs with symbols, all of which must agree. */
static void very_many_inputs_and_symbols(void **state)
{
    enum { INPUTS = 20000 };
    struct guest g;
    struct wire_writer w = { 0 };
    struct span all;
    uint32_t graph = 0;
    (void)state;
    guest_begin(&g);
    wire_put_raw(&w, model_add());
    size_t at = wire_begin(&w, 7);
    for (int i = 0; i < INPUTS; i++) {
        size_t input = wire_begin(&w, 11);
        wire_put_text(&w, 1, "i");
        wire_end(&w, input);
    }
    wire_end(&w, at);
    assert_ok(wire_written(&w, &all));
    E(&g, guest_load(&g, all, ENC_ONNX, &graph), WASINN_TOO_LARGE);
    wire_writer_free(&w);
    guest_end(&g);
}

static void put_sparse_tensor(struct wire_writer *w, uint32_t field, const char *name,
                              uint64_t type, struct span data)
{
    size_t tensor = wire_begin(w, field);
    wire_put_varint(w, 1, 1);
    wire_put_varint(w, 2, type);
    wire_put_text(w, 8, name);
    wire_put_bytes(w, 9, data);
    wire_end(w, tensor);
}

/* z = a + y; a, b, c [N] have sparse initializers of one 1 and are no inputs of a guest, y [?] is. */
static struct span model_sparse_defaults(struct model_builder *b)
{
    static const int64_t place[1] = { 0 };
    static const float one[1] = { 1 };
    static const char *const names[] = { "a", "b", "c" };
    mb_begin(b, 17);
    mb_graph(b);
    for (int i = 0; i < 3; i++) {
        mb_input_named(b, names[i], ONNX_FLOAT, "N");
        size_t sparse = wire_begin(&b->w, 15);
        put_sparse_tensor(&b->w, 1, names[i], ONNX_FLOAT,
                          (struct span){ (const uint8_t *)one, sizeof one });
        put_sparse_tensor(&b->w, 2, "", ONNX_INT64,
                          (struct span){ (const uint8_t *)place, sizeof place });
        wire_put_varint(&b->w, 3, 1);
        wire_end(&b->w, sparse);
    }
    mb_input_named(b, "y", ONNX_FLOAT, "??"); /* converted per size */
    mb_node(b, "Add", "a y", "z");
    mb_output(b, "z", ONNX_FLOAT, DIMS(-1));
    return mb_end(b);
}

static void inputs_with_sparse_initializers(void **state)
{
    static const float sums[4] = { 2, 3, 4, 5 };
    struct guest g;
    struct model_builder b;
    uint32_t graph = 0, size;
    float found[4];
    (void)state;
    guest_begin(&g);
    E(&g, guest_load(&g, model_sparse_defaults(&b), ENC_ONNX, &graph), WASINN_SUCCESS);
    uint32_t out = guest_word(&g, 0);
    E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
    uint32_t c = guest_read(&g, out);
    for (uint32_t n = 2; n < 5; n++) {
        E(&g, guest_set(&g, c, 0, F32, UDIMS(n), four, 4 * (size_t)n), WASINN_SUCCESS);
        E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
        E(&g, guest_get(&g, c, 0, found, sizeof found, &size), WASINN_SUCCESS);
        assert_int_equal(size, 4 * n);
        assert_memory_equal(found, sums, size);
    }
    mb_free(&b);
    guest_end(&g);
}

/* What a guest may make the host write has an end. */
static void a_flood_of_messages(void **state)
{
    struct guest g;
    (void)state;
    guest_begin_with(&g, &(wasinn_host_options){ .limits = { .log_bytes = 2000 } }, NULL, 0);
    for (uint32_t i = 0; i < 10000; i++)
        E(&g, CALL(&g, WASINN_COMPUTE, i), WASINN_INVALID_ARGUMENT);
    assert_true(g.log_size < 2200);
    assert_true(log_has(&g, "further messages"));
    guest_end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_that_wrap_around),
        cmocka_unit_test(dimensions_whose_product_wraps),
        cmocka_unit_test(nothing_of_a_great_size),
        cmocka_unit_test(the_end_of_four_gibibytes),
        cmocka_unit_test(objects_without_end),
        cmocka_unit_test(contexts_dropped_by_many_threads),
        cmocka_unit_test(a_guest_that_comes_back),
        cmocka_unit_test(what_is_lent_is_not_dropped),
        cmocka_unit_test(a_compute_with_very_many_inputs),
        cmocka_unit_test(outputs_that_grow_when_read),
        cmocka_unit_test(outputs_kept_by_many_contexts),
        cmocka_unit_test(models_behind_contexts),
        cmocka_unit_test(names_that_are_none),
        cmocka_unit_test(very_many_inputs_and_symbols),
        cmocka_unit_test(inputs_with_sparse_initializers),
        cmocka_unit_test(a_flood_of_messages),
    };
    return run_on_backends("attacks", tests, sizeof tests / sizeof *tests);
}
