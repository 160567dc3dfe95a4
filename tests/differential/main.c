/* Random programs, converted and compared with native ONNX Runtime.
 *
 *   differential [--count N] [--seed N] [--seconds N] [--jobs N] [--verbose] [--op NAME] [--save FILE]
 *
 * Each seed is one program, reproduced by --seed SEED --count 1. The programs run in a process of their
 * own: native ONNX Runtime, which makes the expected values, may die of a model. */
#include "draw.h"
#include "judge.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REASONS = 400, REASON_TEXT = 200, OPERATORS = 400 };

struct reason {
    char text[REASON_TEXT];
    uint64_t count, seed;
};

/* Shared with the processes that do the work. */
struct totals {
    uint64_t seed; /* at work */
    bool native;   /* in native ONNX Runtime */
    char subject[80];
    uint64_t verdicts[DIFFERENT + 1], empty, died, nodes;
    struct reason reasons[REASONS];
    uint64_t operators[1200]; /* nodes that ran, by row */
};

static struct totals *totals;

static struct {
    uint64_t first, count, seconds, jobs;
    bool verbose;
    const char *op, *save;
} options = { .first = 1, .count = 500, .jobs = 1 };

/* --- counting ------------------------------------------------------------------------------------------ */

/* Numbers and names in quotes are left out: what is left is the kind. */
static void kind_text(const char *text, char *out, size_t size)
{
    size_t at = 0;
    for (const char *c = text; *c && at + 1 < size; c++) {
        bool digit = *c >= '0' && *c <= '9';
        if (digit && at && out[at - 1] == '#')
            continue;
        out[at++] = digit ? '#' : *c;
    }
    out[at] = 0;
}

/* How many there are of it by now. */
static uint64_t count_reason(const char *mark, const char *text, uint64_t seed)
{
    char kind[REASON_TEXT], all[REASON_TEXT * 2];
    snprintf(all, sizeof all, "%s%s", mark, text);
    kind_text(all, kind, sizeof kind);
    for (size_t i = 0; i < REASONS; i++) {
        struct reason *r = &totals->reasons[i];
        if (r->count && strcmp(r->text, kind) != 0)
            continue;
        if (r->count++ == 0) {
            r->seed = seed;
            memcpy(r->text, kind, sizeof kind);
        }
        return r->count;
    }
    return 0;
}

/* --- one program ---------------------------------------------------------------------------------------- */

static const struct onnx_row *draw_row(struct draw *d, int opset)
{
    for (int tries = 0; tries < 4000; tries++) {
        const struct onnx_row *row = onnx_row_at(draw_below(d, (uint32_t)onnx_row_count()));
        bool known, ours = strcmp(row->domain, "ai.onnx") == 0;
        if (ours) /* the row of this version */
            row = onnx_row_find(span_of(row->domain), span_of(row->name), opset, &known);
        if (row && row->lower && recipe_of(row) &&
            (!options.op || strcmp(row->name, options.op) == 0))
            return row;
    }
    return NULL;
}

static bool add_node(struct draw *d, struct arena *arena)
{
    struct program *p = d->p, *before = ARENA_NEW(arena, struct program);
    const struct onnx_row *row = draw_row(d, p->opset);
    char why[300] = "";
    *before = *p;
    if (row)
        snprintf(totals->subject, sizeof totals->subject, "%s", row->name);
    if (row && draw_node(d, row, &p->nodes[p->node_count])) {
        p->node_count++;
        if (judge_native_node(p, p->node_count - 1, arena, why, sizeof why))
            return true;
        if (options.verbose) {
            printf("native: %s-%d: %s\n", row->name, p->opset, why);
            count_reason("native: ", row->name, p->seed);
        }
    }
    *p = *before;
    return false;
}

/* Results that others read are seen from outside in half of the programs only. */
static void hide_results(struct draw *d, struct program *p)
{
    bool hide = once_in(d, 2);
    for (size_t i = 0; i < p->value_count; i++)
        p->values[i].hidden = hide && p->values[i].origin == FROM_NODE && value_is_read(p, (int)i);
}

static void generate(uint64_t seed, struct program *p, struct arena *arena)
{
    *p = (struct program){ .seed = seed };
    struct draw d = { .state = seed * 0x2545f4914f6cdd1du, .p = p, .arena = arena };
    p->opset = (int)(once_in(&d, 3) ? draw_between(&d, 1, 26)
                                    : DRAW_OF(&d, 7, 9, 11, 13, 15, 17, 18, 20, 21, 22, 23));
    p->fold = once_in(&d, 2);
    d.plain = once_in(&d, 3);
    size_t wanted = once_in(&d, 2) ? 1 : (size_t)draw_between(&d, 2, 8);
    for (size_t tries = 0; p->node_count < wanted && tries < 3 * wanted; tries++)
        if (!add_node(&d, arena) && p->value_count + 40 > VALUE_LIMIT)
            break;
    hide_results(&d, p);
}

static void count_operators(const struct program *p)
{
    for (size_t i = 0; i < p->node_count; i++)
        for (size_t k = 0; k < onnx_row_count() && k < 1200; k++)
            totals->operators[k] += onnx_row_at(k) == p->nodes[i].row;
    totals->nodes += p->node_count;
}

static void save_model(const struct program *p)
{
    struct model_builder b;
    struct span bytes = program_model(p, &b);
    FILE *file = fopen(options.save, "wb");
    if (!file || fwrite(bytes.data, 1, bytes.size, file) != bytes.size)
        printf("%s cannot be written\n", options.save);
    if (file)
        fclose(file);
    mb_free(&b);
}

static void report_difference(struct program *p, struct arena *arena, struct judgement *j)
{
    uint64_t seed = p->seed;
    if (count_reason("different: ", j->subject, seed) > 3)
        return; /* enough of this kind are shown */
    printf("DIFFERENT seed %" PRIu64 ": %s\n", seed, j->text);
    totals->native = true;
    shrink(p, arena, j);
    judge(p, j);
    printf("  made small: %s\n", j->text);
    program_print(p);
    if (options.save)
        save_model(p);
    fflush(stdout);
}

static void one_seed(uint64_t seed)
{
    struct arena arena;
    struct judgement j;
    arena_init(&arena, NULL);
    struct program *p = ARENA_NEW(&arena, struct program);
    totals->seed = seed;
    totals->native = true;
    generate(seed, p, &arena);
    totals->native = false;
    if (p->node_count == 0) {
        totals->empty++;
    } else {
        judge(p, &j);
        totals->verdicts[j.verdict]++;
        if (j.verdict == SAME)
            count_operators(p);
        if (j.verdict == REFUSED)
            count_reason("refused: ", j.text, seed);
        if (j.verdict == EXPLAINED)
            count_reason(arena_printf(&arena, "explained: %s: ", j.subject), j.reason, seed);
        if (options.verbose && j.verdict != SAME)
            printf("%d seed %" PRIu64 ": %s\n", (int)j.verdict, seed, j.text);
        if (options.verbose && options.count == 1)
            program_print(p);
        if (j.verdict == DIFFERENT)
            report_difference(p, &arena, &j);
    }
    arena_free(&arena);
}

/* --- processes ------------------------------------------------------------------------------------------- */

static bool late(time_t start)
{
    return options.seconds && (uint64_t)(time(NULL) - start) >= options.seconds;
}

static void work(uint64_t from, uint64_t end, time_t start)
{
    signal(SIGINT, SIG_DFL);
    if (!judge_open())
        _exit(3);
    for (uint64_t seed = from; seed < end && !late(start); seed++)
        one_seed(seed);
    fflush(stdout);
    judge_close();
    _exit(0);
}

/* A child for the rest of the range, again behind each program that one died of. */
static int supervise(uint64_t end, time_t start)
{
    uint64_t from = options.first;
    while (from < end && !late(start)) {
        int status;
        totals->seed = from;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            work(from, end, start);
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
            return 3;
        if (totals->native) {
            totals->died++;
        } else {
            totals->verdicts[DIFFERENT]++;
            printf("DIFFERENT seed %" PRIu64 ": the process died (status %d)\n", totals->seed,
                   status);
        }
        printf("seed %" PRIu64 " (%s): %s died\n", totals->seed, totals->subject,
               totals->native ? "native" : "ours");
        from = totals->seed + 1;
    }
    return 0;
}

static void report(void)
{
    size_t rows = 0, covered = 0;
    for (size_t i = 0; i < REASONS; i++)
        if (totals->reasons[i].count)
            printf("%6" PRIu64 "  %s (seed %" PRIu64 ")\n", totals->reasons[i].count,
                   totals->reasons[i].text, totals->reasons[i].seed);
    for (size_t k = 0; k < onnx_row_count() && k < 1200; k++) {
        const struct onnx_row *row = onnx_row_at(k);
        bool drawn = row->lower && recipe_of(row);
        rows += drawn;
        covered += drawn && totals->operators[k];
        if (options.verbose && drawn && totals->operators[k] < 3)
            printf("seldom: %s-%d: %" PRIu64 "\n", row->name, row->since, totals->operators[k]);
    }
    printf("same %" PRIu64 ", refused %" PRIu64 ", amplified rounding %" PRIu64
           ", explained %" PRIu64 ", different %" PRIu64 ", nothing generated %" PRIu64
           ", native died %" PRIu64 "\n",
           totals->verdicts[SAME], totals->verdicts[REFUSED], totals->verdicts[AMPLIFIED],
           totals->verdicts[EXPLAINED], totals->verdicts[DIFFERENT], totals->empty, totals->died);
    printf("%" PRIu64 " nodes agreed, of %zu rows of %zu\n", totals->nodes, covered, rows);
}

static bool read_options(int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *text = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(name, "--verbose") == 0) {
            options.verbose = true;
            continue;
        }
        if (!text)
            return false;
        i++;
        if (strcmp(name, "--op") == 0)
            options.op = text;
        else if (strcmp(name, "--save") == 0)
            options.save = text;
        else if (strcmp(name, "--seed") == 0)
            options.first = strtoull(text, NULL, 10);
        else if (strcmp(name, "--count") == 0)
            options.count = strtoull(text, NULL, 10);
        else if (strcmp(name, "--seconds") == 0)
            options.seconds = strtoull(text, NULL, 10);
        else
            return false;
    }
    return true;
}

int main(int count, char **arguments)
{
    if (!read_options(count, arguments)) {
        fprintf(
            stderr,
            "usage: differential [--seed N] [--count N] [--seconds N] [--op NAME] [--save FILE] [--verbose]\n");
        return 2;
    }
    totals = mmap(NULL, sizeof *totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (totals == MAP_FAILED)
        return 2;
    int status = supervise(options.first + options.count, time(NULL));
    if (status == 3) {
        printf(
            "native ONNX Runtime is not here: nothing to compare with\n0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    report();
    uint64_t failed = totals->verdicts[DIFFERENT];
    uint64_t passed =
        totals->verdicts[SAME] + totals->verdicts[AMPLIFIED] + totals->verdicts[EXPLAINED];
    printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", passed, failed,
           totals->verdicts[REFUSED]);
    return status != 0 || failed != 0;
}
