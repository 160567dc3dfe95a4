/* A case in its own process: convert or reuse, validate, tell. */
#include "sweep/case.h"

#include "base/file.h"
#include "base/log.h"
#include "base/system.h"
#include "base/text.h"
#include "convert/record.h"
#include "sweep/child.h"
#include "validate/report.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum { TIME_CONVERT = 1, REQUEST_LIMIT = 16 << 20 };

struct running_case {
    const struct case_request *request;
    o2w_environment environment; /* tells stages */
    const o2w_environment *outer;
    struct arena *arena;
    struct result *result;
    const char *phase; /* what all stages are called now; NULL: by their names */
    char told[CHILD_STAGE];
};

/* --- stages ------------------------------------------------------------------------------------------- */

static int on_progress(void *user, const char *stage, uint64_t done, uint64_t total)
{
    struct running_case *c = user;
    const char *name = c->phase ? c->phase : stage;
    if (strcmp(c->told, name) != 0) {
        text_format(c->told, sizeof c->told, "%s", name);
        child_tell("stage", span_of(c->told));
    }
    return progress_poll(c->outer, stage, done, total) != O2W_OK;
}

/* --- failures ----------------------------------------------------------------------------------------- */

static const char *kept(struct running_case *c, const char *text)
{
    return text ? arena_text(c->arena, span_of(text)) : NULL;
}

/* The first error decides what is said. */
static void fail(struct running_case *c, const char *stage, const o2w_error *error)
{
    const o2w_diagnostic *item = NULL;
    for (size_t i = 0; i < o2w_error_count(error); i++) {
        item = o2w_error_item(error, i);
        if (item->severity == O2W_SEVERITY_ERROR)
            break;
    }
    c->result->outcome =
        o2w_error_status(error) == O2W_CANCELLED ? OUTCOME_NOT_RUN : OUTCOME_FAILED;
    c->result->stage = kept(c, stage ? stage : item && item->stage ? item->stage : "start");
    c->result->code = kept(c, item ? item->code : "internal");
    const char *message = item ? item->message : "failed without a word";
    for (size_t i = 0; item && i < item->line_count && i < 3; i++) {
        const char *more = arena_printf(c->arena, "%s; %s: %s", message, item->lines[i].label,
                                        item->lines[i].text);
        message = more ? more : message;
    }
    c->result->message = kept(c, message);
}

static const char *shape_text(struct arena *a, const int64_t *dims, uint32_t rank)
{
    const char *text = "[";
    for (uint32_t i = 0; text && i < rank; i++)
        text = arena_printf(a, "%s%s%lld", text, i ? ", " : "", (long long)dims[i]);
    return text ? arena_printf(a, "%s]", text) : "";
}

/* The first output that differs, in one line. */
static const char *difference_text(const struct report_output *o, struct arena *a)
{
    if (o->kind == MISMATCH_SHAPE)
        return arena_printf(a, "output '%s': shape %s, the reference has %s", o->name,
                            shape_text(a, o->dims, o->rank),
                            shape_text(a, o->reference_dims, o->reference_rank));
    if (o->kind != MISMATCH_VALUE || o->detail)
        return arena_printf(a, "output '%s': %s", o->name, o->detail ? o->detail : "another dtype");
    char normalized[32];
    text_format(normalized, sizeof normalized,
                isinf(o->figures.max_normalized) ? "Infinity" : "%.3g", o->figures.max_normalized);
    char allowed[96];
    text_format(allowed, sizeof allowed, "%g + %g*|ref|", o->allowed.absolute, o->allowed.relative);
    return arena_printf(a, "output '%s': %llu of %llu values outside %s, max normalized %s",
                        o->name, (unsigned long long)o->figures.outside,
                        (unsigned long long)o->figures.count, allowed, normalized);
}

static void set_mismatch(struct running_case *c, const o2w_report *report)
{
    c->result->outcome = OUTCOME_FAILED;
    c->result->stage = "compare";
    c->result->code = "compare.mismatch";
    c->result->message = "outputs differ";
    for (size_t r = 0; r < report->run_count; r++)
        for (size_t i = 0; i < report->runs[r].output_count; i++)
            if (report->runs[r].outputs[i].kind != MISMATCH_NONE) {
                c->result->message = difference_text(&report->runs[r].outputs[i], c->arena);
                return;
            }
}

/* --- the graph ---------------------------------------------------------------------------------------- */

/* A size or pin of the case is what the record has of that name. */
static bool same_bindings(const struct case_request *r, const struct record *record)
{
    for (size_t i = 0; i < r->dim_count; i++)
        for (size_t k = 0; k < record->dim_count; k++)
            if (span_is(record->dims[k].name, r->dims[i].name) &&
                record->dims[k].value != r->dims[i].value)
                return false;
    for (size_t i = 0; i < r->pin_count; i++) {
        bool found = false;
        for (size_t k = 0; k < record->pin_count; k++)
            found |= span_is(record->pins[k].name, r->pins[i].name) &&
                     record->pins[k].value == r->pins[i].value;
        if (!found)
            return false;
    }
    return record->pin_count == r->pin_count;
}

static bool can_reuse(struct running_case *c)
{
    const struct case_request *r = c->request;
    struct record record;
    bool found = false, fresh = false;
    if (r->refresh || !path_is_file(r->graph) ||
        record_read(r->graph, c->arena, NULL, &record, &found) != O2W_OK || !found)
        return false;
    bool same = span_is(record.tool, o2w_version()) && span_is(record.source.sha256, r->sha256) &&
                record.constant_folding == r->constant_folding && !record.dynamic_inputs &&
                !record.zero_filled_count && same_bindings(r, &record);
    if (!same || record_is_fresh(&record, r->model, NULL, &fresh) != O2W_OK || !fresh)
        return false;
    c->result->nodes = record.nodes;
    c->result->operators = record.operators;
    c->result->weight_bytes = record.weight_bytes;
    return true;
}

/* Waits for others that write to the same archive; -1 when there is no lock. */
static int take_lock(struct running_case *c)
{
    const struct timespec pause = { .tv_nsec = 20000000 };
    int file = open(c->request->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    while (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (on_progress(c, "convert", 0, 0)) {
            close(file);
            return -1;
        }
        nanosleep(&pause, NULL);
    }
    return file;
}

static o2w_status convert(struct running_case *c, o2w_error **error)
{
    const struct case_request *r = c->request;
    o2w_conversion *conversion = NULL;
    const o2w_convert_options options = { .size = sizeof options,
                                          .dims = r->dims,
                                          .dim_count = r->dim_count,
                                          .pins = r->pins,
                                          .pin_count = r->pin_count,
                                          .constant_folding = r->constant_folding,
                                          .output = r->graph,
                                          .weights = r->archive,
                                          .record = true,
                                          .source_sha256 = r->sha256,
                                          .threads = r->validate.threads,
                                          .environment = &c->environment };
    uint64_t begun = system_clock_ns();
    int lock = take_lock(c);
    o2w_status s = o2w_convert_file(r->model, &options, &conversion, error);
    if (lock >= 0)
        close(lock);
    c->result->times[TIME_CONVERT] = (double)(system_clock_ns() - begun) / 1e6;
    o2w_conversion_counts counts = { 0 };
    if (s == O2W_OK)
        o2w_conversion_count(conversion, &counts);
    c->result->nodes = counts.nodes;
    c->result->operators = counts.operators;
    c->result->weight_bytes = counts.weight_bytes;
    o2w_conversion_free(conversion);
    return s;
}

/* --- validation --------------------------------------------------------------------------------------- */

static void take_report(struct running_case *c, const o2w_report *report)
{
    for (size_t i = 0; i < report->time_count; i++)
        for (int k = TIME_CONVERT + 1; k < RESULT_TIMES; k++)
            if (strcmp(report->times[i].stage, result_times[k]) == 0)
                c->result->times[k] = report->times[i].ms;
    c->result->validation = kept(c, o2w_report_json(report));
    c->result->outcome = OUTCOME_PASSED;
    if (!o2w_report_passed(report))
        set_mismatch(c, report);
}

static o2w_status validate(struct running_case *c, o2w_error **error)
{
    o2w_validate_options options = c->request->validate;
    o2w_report *report = NULL;
    options.environment = &c->environment;
    o2w_status s = o2w_validate(c->request->model, c->request->graph, &options, &report, error);
    if (s == O2W_OK)
        take_report(c, report);
    o2w_report_free(report);
    return s;
}

static bool is_cache_code(const o2w_error *error)
{
    const o2w_diagnostic *item = o2w_error_count(error) ? o2w_error_item(error, 0) : NULL;
    return item && item->code && strncmp(item->code, "cache.", 6) == 0;
}

/* A graph that turns out not to be its record's is made anew. */
static void run(struct running_case *c)
{
    o2w_error *error = NULL;
    c->result->reused = can_reuse(c);
    for (int try = 0; try < 2; try++) {
        c->phase = "convert";
        if (!c->result->reused && convert(c, &error) != O2W_OK) {
            fail(c, "convert", error);
            break;
        }
        c->phase = NULL;
        if (validate(c, &error) == O2W_OK)
            break;
        fail(c, NULL, error);
        if (!c->result->reused || !is_cache_code(error))
            break;
        c->result->reused = false;
        o2w_error_free(error);
        error = NULL;
    }
    o2w_error_free(error);
}

void case_run(const struct case_request *r, const o2w_environment *environment, struct arena *a,
              struct result *out)
{
    static const o2w_environment none = { .size = sizeof none };
    struct running_case c = { .request = r, .arena = a, .result = out };
    c.outer = environment ? environment : &none;
    c.environment = *c.outer;
    c.environment.size = sizeof c.environment;
    c.environment.progress = on_progress;
    c.environment.user = &c;
    *out = (struct result){ .outcome = OUTCOME_FAILED, .tool = o2w_version() };
    run(&c);
}

/* --- the process -------------------------------------------------------------------------------------- */

/* It ends with who started it. */
static void tie_to_parent(int64_t parent)
{
#if defined(__linux__)
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (parent && getppid() != (pid_t)parent)
        _exit(1);
}

static o2w_status read_request(struct arena *a, struct diags *d, struct case_request *out)
{
    VEC(char) text = { 0 };
    ssize_t size = 1;
    while (size > 0 && text.count < REQUEST_LIMIT && VEC_RESERVE(&text, 65536)) {
        size = read(STDIN_FILENO, text.items + text.count, 65536);
        text.count += size > 0 ? (size_t)size : 0;
    }
    struct span copy = arena_copy(a, (struct span){ (const uint8_t *)text.items, text.count });
    VEC_FREE(&text);
    return copy.data ? case_request_parse(copy, a, d, out) : diag_memory(d);
}

static int answer(const struct result *r)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, NULL, 0);
    result_put(&w, r);
    bool fine = json_written(&w, &text) == O2W_OK;
    if (fine)
        child_tell("result", text);
    json_writer_free(&w);
    return fine ? 0 : 1;
}

int o2w_case_main(const o2w_environment *environment)
{
    struct arena a;
    struct diags d;
    struct case_request request;
    struct result result;
    int status = 1;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    if (read_request(&a, &d, &request) == O2W_OK) {
        tie_to_parent(request.parent);
        case_run(&request, environment, &a, &result);
        status = answer(&result);
    }
    diags_free(&d);
    arena_free(&a);
    return status;
}
