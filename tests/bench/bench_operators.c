/* Time of one dispatch per operator on every engine that is here, engines in turn.
 *
 *   bench_operators [--all] [ROUNDS]
 *
 * The cases are those of large_cases.def, which the tests hold to the kernels. A row per family, times summed
 * over its cases; with --all a row per case too. A time is the shortest of ROUNDS (default 15). */
#include "unit/backend/engine_case.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_ENGINES = 4, MOST_FAMILIES = 32 };

static const struct engine_case cases[] = {
#include "unit/backend/large_cases.def"
};

struct bench {
    const struct backend *backends[MOST_ENGINES];
    struct engine *engines[MOST_ENGINES];
    size_t count;
    unsigned rounds;
};

struct family {
    const char *name;
    unsigned cases;
    double ms[MOST_ENGINES];
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void open_engines(struct bench *b, struct diags *d)
{
    static const char *const wanted[] = { "onnx", "cpu" };
    const struct backend_settings settings = { .threads = 0 };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool alias;
        const struct backend *backend = backend_by_name(span_of(wanted[i]), &alias);
        if (!backend || backend->open(&settings, d, &b->engines[b->count]) != O2W_OK)
            fprintf(stderr, "not here: %s\n", wanted[i]);
        else
            b->backends[b->count++] = backend;
    }
}

/* What stands behind the first operand is a constant, as weights are. */
static bool takes_weights(enum webnn_operator kind)
{
    return case_sums(kind) && kind != WEBNN_CUMULATIVE_SUM;
}

static void time_case(const struct bench *b, const struct engine_case *c, double best[MOST_ENGINES])
{
    struct case_run r = { .c = c, .seed = 88172645463325252u, .constants = takes_weights(c->kind) };
    struct graph *g = NULL;
    struct compiled *compiled[MOST_ENGINES];
    struct binding inputs[CASE_SLOTS], outputs[CASE_RESULTS];
    arena_init(&r.arena, NULL);
    diags_init(&r.diags, NULL);
    case_everyday_dtypes(c, r.dtypes);
    case_fill_operands(&r);
    assert_true(case_build(&r, &g));
    case_want(&r, g);
    case_bind(&r, inputs, outputs);
    for (size_t e = 0; e < b->count; e++) {
        best[e] = INFINITY;
        assert_ok(b->backends[e]->compile(b->engines[e], g, &r.diags, &compiled[e]));
    }
    for (unsigned round = 0; round <= b->rounds; round++)
        for (size_t e = 0; e < b->count; e++) {
            double begin = now_ms();
            assert_ok(b->backends[e]->dispatch(compiled[e], inputs, outputs, NULL, &r.diags));
            best[e] = round == 0 ? INFINITY : fmin(best[e], now_ms() - begin);
        }
    for (size_t e = 0; e < b->count; e++)
        b->backends[e]->release(compiled[e]);
    graph_free(g);
    diags_free(&r.diags);
    arena_free(&r.arena);
}

static void print_row(const struct bench *b, const char *name, unsigned count, const double *ms)
{
    printf("| %s | %u |", name, count);
    for (size_t e = 0; e < b->count; e++)
        printf(" %.3f |", ms[e]);
    for (size_t e = 1; e < b->count; e++)
        printf(" %.2f x |", ms[e] / ms[0]);
    putchar('\n');
    fflush(stdout);
}

static void print_head(const struct bench *b)
{
    printf("| family | cases |");
    for (size_t e = 0; e < b->count; e++)
        printf(" %s ms |", b->backends[e]->name);
    for (size_t e = 1; e < b->count; e++)
        printf(" %s / %s |", b->backends[e]->name, b->backends[0]->name);
    printf("\n|---|");
    for (size_t e = 0; e < 2 * b->count; e++)
        printf("---|");
    putchar('\n');
}

static struct family *family_of(struct family *families, size_t *count, const char *name)
{
    size_t i = 0;
    while (i < *count && strcmp(families[i].name, name) != 0)
        i++;
    if (i == *count)
        families[(*count)++] = (struct family){ .name = name };
    return &families[i];
}

static void run(const struct bench *b, bool all)
{
    struct family families[MOST_FAMILIES];
    size_t count = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ms[MOST_ENGINES];
        struct family *f = family_of(families, &count, cases[i].family);
        time_case(b, &cases[i], ms);
        f->cases++;
        for (size_t e = 0; e < b->count; e++)
            f->ms[e] += ms[e];
        if (all)
            print_row(b, operator_row(cases[i].kind)->name, 1, ms);
    }
    for (size_t i = 0; i < count; i++)
        print_row(b, families[i].name, families[i].cases, families[i].ms);
}

int main(int argc, char **argv)
{
    struct bench b = { .rounds = 15 };
    struct diags d;
    bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
    if (argc > 1 + all)
        b.rounds = (unsigned)strtoul(argv[1 + all], NULL, 10);
    diags_init(&d, NULL);
    open_engines(&b, &d);
    print_head(&b);
    run(&b, all);
    for (size_t e = 0; e < b.count; e++)
        b.backends[e]->close(b.engines[e]);
    diags_free(&d);
    return 0;
}
