/* What WASI-NN costs, against ONNX Runtime called directly. bench_wasi PART prints "NAME VALUE" lines:
 *   threads BACKEND     computes per second by 1 and by as many threads as there are processors, and what one costs of a
 *                       processor's time in both: its ratio tells what others' work on the machine hides
 *   loop                set_input, compute, get_output against the runtime's run and two copies, µs
 *   copies              bytes per second of set_input and get_output against memcpy; ns of a small call
 *   handles             µs of load_by_name and init_execution_context; allocations in repeated computes
 *   instances           bytes of resident memory per instance
 *   shapes BACKEND      ms of the first and second compute of new sizes
 *   load native|BACKEND FILE   peak bytes of loading a model */
#include <onnx2webnn/wasi_nn.h>

#include "base/file.h"
#include "base/system.h"
#include "ort/ort.h"
#include "ort/ort_value.h"
#include "support/model_builder.h"
#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDE = 1024, THREADS_MOST = 64, F32 = 1, TENSOR_AT = 64, DIMS_AT = 96, OUT_AT = 32 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_wasi: %s\n", what);
    exit(1);
}

static void print(const char *name, double value)
{
    printf("%s %.6g\n", name, value);
}

/* --- models ------------------------------------------------------------------------------------------ */

static struct model_builder builder;

/* y = x + 1, f32 [N,4] */
static struct span small_model(void)
{
    mb_begin(&builder, 17);
    mb_graph(&builder);
    mb_input_named(&builder, "x", ONNX_FLOAT, "N 4");
    mb_floats(&builder, "one", SCALAR, FLOATS(1));
    mb_node(&builder, "Add", "x one", "y");
    mb_output(&builder, "y", ONNX_FLOAT, DIMS(-1, 4));
    return mb_end(&builder);
}

/* Three products of [8,1024] with 1024 x 1024 weights: a millisecond or more. */
static struct span large_model(void)
{
    float *w = calloc((size_t)WIDE * WIDE, sizeof *w);
    if (!w)
        die("out of memory");
    for (size_t i = 0; i < (size_t)WIDE * WIDE; i++)
        w[i] = (float)(i % 13) / 1024 - 0.005f;
    mb_begin(&builder, 17);
    mb_graph(&builder);
    mb_input(&builder, "x", ONNX_FLOAT, DIMS(8, WIDE));
    mb_floats(&builder, "w", DIMS(WIDE, WIDE), w, (size_t)WIDE * WIDE);
    mb_node(&builder, "MatMul", "x w", "a");
    mb_node(&builder, "Tanh", "a", "b");
    mb_node(&builder, "MatMul", "b w", "c");
    mb_node(&builder, "Tanh", "c", "d");
    mb_node(&builder, "MatMul", "d w", "y");
    mb_output(&builder, "y", ONNX_FLOAT, DIMS(8, WIDE));
    free(w);
    return mb_end(&builder);
}

/* y = x, f32 [N,1024] */
static struct span copy_model(void)
{
    mb_begin(&builder, 17);
    mb_graph(&builder);
    mb_input_named(&builder, "x", ONNX_FLOAT, "N 1024");
    mb_node(&builder, "Identity", "x", "y");
    mb_output(&builder, "y", ONNX_FLOAT, DIMS(-1, WIDE));
    return mb_end(&builder);
}

/* --- a guest ----------------------------------------------------------------------------------------- */

struct guest {
    wasinn_instance *instance;
    wasinn_memory memory;
    uint32_t context, bytes, data_at;
};

static wasinn_host *host_with(const char *backend, struct span model, const o2w_environment *e)
{
    const wasinn_host_options o = {
        .size = sizeof o, .backends = backend, .compute_threads = 1, .environment = e
    };
    const wasinn_graph_source s = {
        .size = sizeof s, .name = "m", .bytes = model.data, .byte_count = model.size
    };
    wasinn_host *h;
    if (wasinn_host_new(&o, &h, NULL) != O2W_OK || wasinn_host_add_graph(h, &s, NULL) != O2W_OK ||
        wasinn_host_seal(h, NULL) != O2W_OK)
        die("the host cannot be made");
    return h;
}

static void put(struct guest *g, uint32_t at, uint32_t v)
{
    memcpy((uint8_t *)g->memory.base + at, &v, 4);
}

static uint32_t get(const struct guest *g, uint32_t at)
{
    uint32_t v;
    memcpy(&v, (const uint8_t *)g->memory.base + at, 4);
    return v;
}

static void must(struct guest *g, wasinn_function f, const uint32_t *args, size_t count)
{
    if (wasinn_call(g->instance, f, g->memory, args, count) != WASINN_SUCCESS)
        die(wasinn_last_error(g->instance));
}
#define CALL(g, f, ...) \
    must((g), (f), (uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4)

static void guest_context(struct guest *g)
{
    memcpy(g->memory.base, "m", 1);
    CALL(g, WASINN_LOAD_BY_NAME, 0, 1, OUT_AT);
    CALL(g, WASINN_INIT_EXECUTION_CONTEXT, get(g, OUT_AT), OUT_AT);
    g->context = get(g, OUT_AT);
}

/* With room for rows of `wide` floats, in and out. */
static void guest_begin(struct guest *g, wasinn_host *h, uint32_t rows, uint32_t wide)
{
    g->bytes = rows * wide * 4;
    g->data_at = 4096;
    g->memory.size = g->data_at + 2 * (size_t)g->bytes;
    g->memory.base = calloc(1, g->memory.size);
    if (!g->memory.base || wasinn_instance_new(h, NULL, &g->instance, NULL) != O2W_OK)
        die("the guest cannot be made");
    put(g, DIMS_AT, rows);
    put(g, DIMS_AT + 4, wide);
    const uint32_t record[5] = { DIMS_AT, 2, F32, g->data_at, g->bytes };
    memcpy((uint8_t *)g->memory.base + TENSOR_AT, record, sizeof record);
    guest_context(g);
}

static void guest_set(struct guest *g)
{
    CALL(g, WASINN_SET_INPUT, g->context, 0, TENSOR_AT);
}

static void guest_get(struct guest *g)
{
    CALL(g, WASINN_GET_OUTPUT, g->context, 0, g->data_at + g->bytes, g->bytes, OUT_AT);
}

static void guest_round(void *user)
{
    struct guest *g = user;
    guest_set(g);
    CALL(g, WASINN_COMPUTE, g->context);
    guest_get(g);
}

static void guest_end(struct guest *g)
{
    wasinn_instance_free(g->instance);
    free(g->memory.base);
}

/* --- times ------------------------------------------------------------------------------------------- */

/* The least of some means, in ns per call. */
static double time_of(void (*f)(void *), void *user, unsigned count)
{
    double best = 0;
    f(user);
    for (int turn = 0; turn < 7; turn++) {
        uint64_t begun = system_clock_ns();
        for (unsigned i = 0; i < count; i++)
            f(user);
        double took = (double)(system_clock_ns() - begun) / count;
        best = turn && best < took ? best : took;
    }
    return best;
}

struct worker {
    wasinn_host *host;
    unsigned rounds;
};

static void *work(void *user)
{
    const struct worker *w = user;
    struct guest g = { 0 };
    guest_begin(&g, w->host, 8, WIDE);
    for (unsigned i = 0; i < w->rounds; i++)
        guest_round(&g);
    guest_end(&g);
    return NULL;
}

struct rate {
    double per_second,
        processor_us; /* the most computes; the least of the processor's time for one */
};

static double processor_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void take_turn(wasinn_host *h, unsigned threads, struct rate *best)
{
    pthread_t ids[THREADS_MOST];
    struct worker w = { h, 100 };
    double used = processor_ns(), count = (double)w.rounds * threads;
    uint64_t begun = system_clock_ns();
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&ids[i], NULL, work, &w) != 0)
            die("no thread");
    for (unsigned i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    double found = 1e9 * count / (double)(system_clock_ns() - begun);
    used = (processor_ns() - used) / count / 1e3;
    best->per_second = found > best->per_second ? found : best->per_second;
    if (used < best->processor_us || best->processor_us == 0)
        best->processor_us = used;
}

/* The best of many short turns, one and all taking theirs: a machine with other work treats both alike. */
static void bench_threads(const char *backend)
{
    enum { TURNS = 40 };
    unsigned cores = system_cores() < THREADS_MOST ? system_cores() : THREADS_MOST;
    wasinn_host *h = host_with(backend, large_model(), NULL);
    struct rate single = { 0 }, all = { 0 };
    for (int turn = 0; turn < TURNS; turn++) {
        take_turn(h, 1, &single);
        take_turn(h, cores, &all);
    }
    print("threads", cores);
    print("single", single.per_second);
    print("all", all.per_second);
    print("single_us", single.processor_us);
    print("all_us", all.processor_us);
    wasinn_host_free(h);
}

/* --- against the runtime ------------------------------------------------------------------------------ */

struct native {
    const struct ort *ort;
    struct ort_session *session;
    struct ort_feed feed;
    float *given, *found;
    size_t bytes;
};

/* The same work without any host: a copy in, a run, a copy out. */
static void native_round(void *user)
{
    static const char *const names[] = { "y" };
    struct native *n = user;
    ort_value *value = NULL;
    struct tensor out;
    memcpy(n->feed.tensor.data, n->given, n->bytes);
    if (ort_session_run(n->session, &n->feed, 1, names, 1, NULL, NULL, &value) != O2W_OK ||
        ort_value_tensor(n->ort, value, NULL, &out) != O2W_OK)
        die("the runtime does not run");
    memcpy(n->found, out.data, n->bytes);
    ort_value_free(n->ort, value);
}

static void native_begin(struct native *n, struct span model, int64_t rows, int64_t wide)
{
    static const struct ort_config configs[] = { { "session.intra_op.allow_spinning", "0" },
                                                 { "session.inter_op.allow_spinning", "0" } };
    const struct ort_options o = {
        .optimization = ORT_OPTIMIZATION_ALL, .threads = 1, .configs = configs, .config_count = 2
    };
    n->bytes = (size_t)(rows * wide) * 4;
    n->given = calloc(1, n->bytes);
    n->found = calloc(1, n->bytes);
    n->feed =
        (struct ort_feed){ "x",
                           { .dtype = DTYPE_FLOAT32, .rank = 2, .data = calloc(1, n->bytes) } };
    n->feed.tensor.dims[0] = rows;
    n->feed.tensor.dims[1] = wide;
    if (ort_open(NULL, &n->ort) != O2W_OK ||
        ort_session_from_bytes(n->ort, model, NULL, &o, NULL, &n->session) != O2W_OK)
        die("no ONNX Runtime");
}

static void native_end(struct native *n)
{
    ort_session_free(n->session);
    free(n->given);
    free(n->found);
    free(n->feed.tensor.data);
}

static void compare_loops(const char *name, struct span model, uint32_t rows, uint32_t wide,
                          unsigned count)
{
    struct native n = { 0 };
    struct guest g = { 0 };
    char label[64];
    wasinn_host *h = host_with("onnx", model, NULL);
    native_begin(&n, model, rows, wide);
    guest_begin(&g, h, rows, wide);
    double ours = 0, theirs = 0;
    for (int turn = 0; turn < 3; turn++) { /* in turns, so that a busy machine treats both alike */
        double a = time_of(guest_round, &g, count), b = time_of(native_round, &n, count);
        ours = turn && ours < a ? ours : a;
        theirs = turn && theirs < b ? theirs : b;
    }
    (void)snprintf(label, sizeof label, "%s_guest", name);
    print(label, ours / 1e3);
    (void)snprintf(label, sizeof label, "%s_native", name);
    print(label, theirs / 1e3);
    native_end(&n);
    guest_end(&g);
    wasinn_host_free(h);
}

static void bench_loop(void)
{
    compare_loops("large", large_model(), 8, WIDE, 100);
    mb_free(&builder);
    compare_loops("small", small_model(), 1, 4, 5000);
}

/* --- copies, handles, instances ----------------------------------------------------------------------- */

static void set_once(void *user)
{
    guest_set(user);
}

static void get_once(void *user)
{
    guest_get(user);
}

static void copy_once(void *user)
{
    struct guest *g = user;
    uint8_t *base = g->memory.base;
    memcpy(base + g->data_at, base + g->data_at + g->bytes, g->bytes);
}

static void bench_copies(void)
{
    struct guest g = { 0 };
    wasinn_host *h = host_with("webnn:cpu", copy_model(), NULL);
    guest_begin(&g, h, 4096, WIDE);
    guest_round(&g);
    double copy = time_of(copy_once, &g, 10);
    print("set_input", copy / time_of(set_once, &g, 10));
    print("get_output", copy / time_of(get_once, &g, 10));
    guest_end(&g);
    wasinn_host_free(h);
    mb_free(&builder);
    h = host_with("webnn:cpu", small_model(), NULL);
    guest_begin(&g, h, 1, 4);
    guest_round(&g);
    print("set_ns", time_of(set_once, &g, 100000));
    print("get_ns", time_of(get_once, &g, 100000));
    guest_end(&g);
    wasinn_host_free(h);
}

static double handle_time(wasinn_host *h, bool context)
{
    enum { TURNS = 40, FEW = 16 };
    double best = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        struct guest g = { 0 };
        guest_begin(&g, h, 1, 4);
        uint64_t begun = system_clock_ns();
        for (int i = 1; i < FEW; i++) {
            if (context)
                CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, 1, OUT_AT);
            else
                CALL(&g, WASINN_LOAD_BY_NAME, 0, 1, OUT_AT);
        }
        double took = (double)(system_clock_ns() - begun) / (FEW - 1);
        best = turn && best < took ? best : took;
        guest_end(&g);
    }
    return best / 1e3;
}

static void bench_handles(void)
{
    struct failing_allocator f;
    struct guest g = { 0 };
    failing_allocator_init(&f, SIZE_MAX);
    const o2w_environment e = { .size = sizeof e, .allocator = f.allocator };
    for (int i = 0; i < 2; i++) {
        wasinn_host *h = host_with(i ? "webnn:cpu" : "onnx", small_model(), &e);
        print(i ? "load_by_name_cpu" : "load_by_name", handle_time(h, false));
        print(i ? "init_cpu" : "init", handle_time(h, true));
        guest_begin(&g, h, 1, 4);
        for (int n = 0; n < 10; n++)
            guest_round(&g);
        size_t before = f.calls;
        for (int n = 0; n < 1000; n++)
            guest_round(&g);
        print(i ? "allocations_cpu" : "allocations", (double)(f.calls - before) / 1000);
        guest_end(&g);
        wasinn_host_free(h);
        mb_free(&builder);
    }
}

static double resident(void)
{
    unsigned long pages = 0, all = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%lu %lu", &all, &pages) != 2)
        die("/proc/self/statm cannot be read");
    (void)fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void bench_instances(void)
{
    enum { COUNT = 100 };
    static struct guest guests[COUNT];
    wasinn_host *h = host_with("onnx", large_model(), NULL);
    struct guest first = { 0 };
    guest_begin(&first, h, 8, WIDE);
    guest_round(&first);
    double before = resident();
    for (int i = 0; i < COUNT; i++) {
        guest_begin(&guests[i], h, 8, WIDE);
        guest_round(&guests[i]);
    }
    /* memory of the guest, input and output */
    double own = (double)guests[0].memory.size + 2.0 * guests[0].bytes;
    print("instance", (resident() - before) / COUNT - own);
    print("sessions", (double)wasinn_host_loaded(h));
}

static void bench_shapes(const char *backend)
{
    wasinn_host *h = host_with(backend, copy_model(), NULL);
    for (uint32_t rows = 3; rows < 5; rows++) {
        struct guest g = { 0 };
        guest_begin(&g, h, rows, WIDE);
        for (int i = 0; i < 3; i++) {
            char name[32];
            guest_set(&g);
            uint64_t begun = system_clock_ns();
            CALL(&g, WASINN_COMPUTE, g.context);
            (void)snprintf(name, sizeof name, "rows%u_%d", rows, i);
            print(name, (double)(system_clock_ns() - begun) / 1e6);
        }
        guest_end(&g);
    }
    wasinn_host_free(h);
}

/* --- loading ------------------------------------------------------------------------------------------ */

static void load_native(struct span model)
{
    const struct ort *o;
    const struct ort_options options = { .optimization = ORT_OPTIMIZATION_EXTENDED,
                                         .threads = 1,
                                         .no_arena = true };
    struct ort_session *s;
    if (ort_open(NULL, &o) != O2W_OK ||
        ort_session_from_bytes(o, model, NULL, &options, NULL, &s) != O2W_OK)
        die("the runtime does not load the model");
}

static void load_guest(const char *backend, uint8_t *memory, size_t size)
{
    const wasinn_host_options o = { .size = sizeof o, .backends = backend, .compute_threads = 1 };
    wasinn_host *h;
    struct guest g = { .memory = { memory, size + 4096 } };
    if (wasinn_host_new(&o, &h, NULL) != O2W_OK || wasinn_host_seal(h, NULL) != O2W_OK ||
        wasinn_instance_new(h, NULL, &g.instance, NULL) != O2W_OK)
        die("the host cannot be made");
    put(&g, 0, 4096);
    put(&g, 4, (uint32_t)size);
    CALL(&g, WASINN_LOAD, 0, 1, 1, 0, OUT_AT);
}

/* Of this program alone: ru_maxrss begins with what the process had before it ran this program. */
static double peak_resident(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %llu", &kib) == 1)
            break;
    if (!f || fclose(f) != 0 || !kib)
        die("/proc/self/status cannot be read");
    return (double)kib * 1024;
}

/* The model's bytes are memory of the guest in both. */
static void bench_load(const char *how, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        die("the model cannot be read");
    size_t size = (size_t)ftell(f);
    rewind(f);
    uint8_t *memory = malloc(size + 4096);
    if (!memory || fread(memory + 4096, 1, size, f) != size)
        die("the model cannot be read");
    (void)fclose(f);
    if (strcmp(how, "native") == 0)
        load_native((struct span){ memory + 4096, size });
    else
        load_guest(how, memory, size);
    print("peak", peak_resident());
    print("model", (double)size);
    fflush(NULL);
    _exit(0);
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    if (strcmp(part, "threads") == 0 && argc == 3)
        bench_threads(argv[2]);
    else if (strcmp(part, "loop") == 0)
        bench_loop();
    else if (strcmp(part, "copies") == 0)
        bench_copies();
    else if (strcmp(part, "handles") == 0)
        bench_handles();
    else if (strcmp(part, "instances") == 0)
        bench_instances();
    else if (strcmp(part, "shapes") == 0 && argc == 3)
        bench_shapes(argv[2]);
    else if (strcmp(part, "load") == 0 && argc == 4)
        bench_load(argv[2], argv[3]);
    else
        die("usage: bench_wasi threads|loop|copies|handles|instances|shapes|load ...");
    mb_free(&builder);
    return 0;
}
