#include "cli/engine_options.h"

#include "base/error.h"
#include "base/number.h"
#include "base/system.h"

#include <string.h>

struct manifest_args {
    struct common_args common;
    const char *manifest, *selection, *backend, *shard, *results, *memory, *junit, *baseline,
        *expected;
    struct text_list merge;
    struct judge_args judge;
    bool constant_folding, resume, list, skip_heavy, offline, refresh, fail_fast;
    unsigned weights;
    uint64_t jobs, download_jobs, timeout;
};

enum { CASE_SECONDS = 3600, SHARDS_MOST = 9999 };

static const struct option_row manifest_options[] = {
    OPT_NAME(struct manifest_args, selection, "selection", "all|match=TEXT", .required = true,
             .unless = "merge", .help = "which cases: all, or those with TEXT in their label"),
    OPT_NAME(struct manifest_args, backend, "backend", "NAME", .required = true,
             .unless = "list merge", .help = "the engine that runs the graphs"),
    OPT_TEXT(struct manifest_args, manifest, "manifest", "PATH",
             .help = "the manifest; without it that of O2W_MANIFEST, or the installed one"),
    OPT_CHOICE(struct manifest_args, weights, "weights", "real",
               .help = "the publisher's weights; there are no others"),
    OPT_NUMBER(struct manifest_args, jobs, "jobs", 1, 1024, .help = "cases at a time"),
    OPT_SWITCH(struct manifest_args, list, "list", .excludes = "merge",
               .help = "print the selected labels and end"),
    OPT_SWITCH(struct manifest_args, skip_heavy, "skip-heavy", .help = "leave heavy cases out"),
    OPT_SWITCH(struct manifest_args, constant_folding, "constant-folding",
               .help = "fold everything foldable"),
    OPT_TEXT(struct manifest_args, shard, "shard", "I/N",
             .help = "the I-th of N parts of the selection"),
    OPT_TEXT(struct manifest_args, results, "results", "DIR",
             .help = "result records; without it <WebNN cache>/results"),
    OPT_SWITCH(struct manifest_args, resume, "resume",
               .help = "leave out cases whose record says that they passed"),
    OPT_(struct manifest_args, merge, "merge", OPTION_TEXTS, .metavar = "DIR",
         .excludes = "selection shard resume", .help = "a report from records, without running"),
    OPT_SWITCH(struct manifest_args, offline, "offline", .excludes = "refresh",
               .help = "no network: models of the cache alone"),
    OPT_SWITCH(struct manifest_args, refresh, "refresh", .help = "download and convert anew"),
    OPT_NUMBER(struct manifest_args, download_jobs, "download-jobs", 1, 64,
               .help = "ranges of a file at a time"),
    OPT_TEXT(struct manifest_args, memory, "memory-limit", "SIZE",
             .help = "memory of all running cases, with K, M or G behind the number"),
    OPT_TEXT(struct manifest_args, baseline, "baseline", "FILE",
             .help = "an earlier report of --json: show what changed"),
    OPT_TEXT(struct manifest_args, junit, "junit", "FILE", .help = "also write JUnit XML"),
    OPT_TEXT(struct manifest_args, expected, "expected-failures", "FILE",
             .help = "JSON object: label to the reason why it fails"),
    OPT_SWITCH(struct manifest_args, fail_fast, "fail-fast",
               .help = "start no further case after a failure"),
    OPT_NUMBER(struct manifest_args, timeout, "case-timeout", 0, 31536000, .preset = CASE_SECONDS,
               .help = "seconds for each case, 0 for no limit"),
    JUDGE_OPTIONS(struct manifest_args),
    COMMON_PROGRESS(struct manifest_args),
    COMMON_OPTIONS(struct manifest_args),
    COMMON_JSON(struct manifest_args),
};

/* --- values ------------------------------------------------------------------------------------------- */

static int read_selection(struct cli *c, const struct manifest_args *a, o2w_selection *out)
{
    *out = (o2w_selection){ .size = sizeof *out, .skip_heavy = a->skip_heavy };
    if (!a->selection || strcmp(a->selection, "all") == 0)
        return 0;
    if (strncmp(a->selection, "match=", 6) != 0 || !a->selection[6])
        return cli_usage(c, NULL, "option '--selection' is '%s', must be 'all' or 'match=TEXT'",
                         a->selection);
    out->match = a->selection + 6;
    return 0;
}

static bool read_count(struct span text, uint64_t most, unsigned *out)
{
    uint64_t number;
    if (number_parse_u64(text, &number) != O2W_OK || number < 1 || number > most)
        return false;
    *out = (unsigned)number;
    return true;
}

static int read_shard(struct cli *c, const char *text, o2w_selection *out)
{
    if (!text)
        return 0;
    size_t size = strcspn(text, "/");
    struct span first = { (const uint8_t *)text, size };
    bool fine = text[size] == '/' && read_count(first, SHARDS_MOST, &out->shard) &&
                read_count(span_of(text + size + 1), SHARDS_MOST, &out->shards) &&
                out->shard <= out->shards;
    return fine ? 0
                : cli_usage(c, NULL, "option '--shard' is '%s', must be I/N with 1 <= I <= N <= %d",
                            text, SHARDS_MOST);
}

static int read_memory(struct cli *c, const char *text, uint64_t *out)
{
    static const char units[] = "KMG";
    struct span s = span_of(text);
    unsigned shift = 0;
    *out = 0;
    if (!text)
        return 0;
    const char *unit = s.size > 1 ? strchr(units, text[s.size - 1] & ~0x20) : NULL;
    if (unit && text[s.size - 1] >= 'A') {
        shift = 10 * (unsigned)(unit - units + 1);
        s.size--;
    }
    if (number_parse_u64(s, out) == O2W_OK && *out > 0 && *out <= UINT64_MAX >> (shift + 2)) {
        *out <<= shift;
        return 0;
    }
    return cli_usage(
        c, NULL, "option '--memory-limit' is '%s', must be a number, or one with K, M or G", text);
}

/* --- output ------------------------------------------------------------------------------------------- */

static void on_line(void *user, o2w_severity severity, const char *line)
{
    struct cli *c = user;
    if (severity == O2W_SEVERITY_NOTE)
        cli_say(c, "%s", line);
    else
        stream_item(severity, line);
}

static int interrupted(struct cli *c)
{
    struct diags d;
    diags_init(&d, NULL);
    (void)error_from_diags(&d, O2W_CANCELLED, &c->error);
    diags_free(&d);
    return cli_failed(c);
}

/* The report, and the files beside it. */
static int show(struct cli *c, const struct manifest_args *a, o2w_summary *s)
{
    const char *changes = NULL;
    if (a->baseline)
        CLI_TRY(c, o2w_summary_compare(s, a->baseline, &changes, &c->error));
    const char *text = o2w_summary_text(s), *json = o2w_summary_json(s);
    c->failed |= !text || !json;
    if (json)
        cli_members(c, span_of(json));
    cli_print(c, "%s%s", text ? text : "", changes ? changes : "");
    if (a->junit)
        CLI_TRY(c, o2w_summary_write_junit(s, a->junit, &c->error));
    if (o2w_summary_interrupted(s))
        return interrupted(c);
    bool passed = o2w_summary_passed(s);
    return cli_finish(c, passed ? "passed" : "failed", passed ? 0 : 1);
}

static int list(struct cli *c, const o2w_manifest *m)
{
    json_key(&c->json, "cases");
    json_open(&c->json, '[');
    for (size_t i = 0; i < o2w_manifest_count(m); i++)
        if (o2w_manifest_selected(m, i)) {
            json_put_text(&c->json, o2w_manifest_label(m, i));
            cli_print(c, "%s\n", o2w_manifest_label(m, i));
        }
    json_close(&c->json, ']');
    return cli_finish(c, "listed", 0);
}

/* --- running ------------------------------------------------------------------------------------------ */

/* The options that are more than text, judged before anything is read. */
struct wanted {
    o2w_selection selection;
    o2w_validate_options validate;
    uint64_t memory;
};

static int read_wanted(struct cli *c, const struct manifest_args *a, struct wanted *out)
{
    int status = read_selection(c, a, &out->selection);
    if (!status)
        status = read_shard(c, a->shard, &out->selection);
    if (!status)
        status = read_memory(c, a->memory, &out->memory);
    if (status || !judge_options(&a->judge, c, a->backend, &out->validate, &status))
        return status;
    return cli_check_backend(c, a->backend, false) == O2W_OK ? 0 : cli_failed(c);
}

static int run_cases(struct cli *c, const struct manifest_args *a, const o2w_manifest *m,
                     const struct wanted *wanted)
{
    o2w_summary *s = NULL;
    const o2w_sweep_options options = { .size = sizeof options,
                                        .validate = &wanted->validate,
                                        .constant_folding = a->constant_folding,
                                        .offline = a->offline,
                                        .refresh = a->refresh,
                                        .resume = a->resume,
                                        .fail_fast = a->fail_fast,
                                        .jobs = (unsigned)a->jobs,
                                        .download_jobs = (unsigned)a->download_jobs,
                                        .memory_limit = wanted->memory,
                                        .case_timeout = (unsigned)a->timeout,
                                        .results = a->results,
                                        .expected_failures = a->expected,
                                        .program = program_path(&c->arena),
                                        .say = on_line,
                                        .user = c };
    CLI_TRY(c, o2w_manifest_run(m, &options, &s, &c->error));
    int status = show(c, a, s);
    o2w_summary_free(s);
    return status;
}

static int merge(struct cli *c, const struct manifest_args *a, const o2w_manifest *m)
{
    o2w_summary *s = NULL;
    CLI_TRY(c, o2w_manifest_merge(m, a->merge.items, a->merge.count, a->backend, &s, &c->error));
    int status = show(c, a, s);
    o2w_summary_free(s);
    return status;
}

static int with_manifest(struct cli *c, const struct manifest_args *a, o2w_manifest *m,
                         const struct wanted *wanted)
{
    if (a->merge.count)
        return merge(c, a, m);
    CLI_TRY(c, o2w_manifest_select(m, &wanted->selection, &c->error));
    return a->list ? list(c, m) : run_cases(c, a, m, wanted);
}

static int run_manifest(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct manifest_args *a = args;
    o2w_manifest *m = NULL;
    struct wanted wanted = { .memory = 0 };
    (void)positionals;
    int status = read_wanted(c, a, &wanted);
    if (status)
        return status;
    CLI_TRY(c, o2w_manifest_read(a->manifest, &c->environment, &m, &c->error));
    status = with_manifest(c, a, m, &wanted);
    o2w_manifest_free(m);
    return status;
}

static int on_case_progress(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user, (void)stage, (void)done, (void)total;
    return signals_caught();
}

int manifest_case(void)
{
    const o2w_environment environment = { .size = sizeof environment,
                                          .progress = on_case_progress };
    return o2w_case_main(&environment);
}

const struct command command_validate_manifest = {
    .name = "validate-manifest",
    .summary = "converts and proves the models of a manifest",
    ROWS(manifest_options),
    .args_size = sizeof(struct manifest_args),
    .run = run_manifest
};
