/* Cases start, end and are told; nothing here waits. */
#include "sweep/sweep.h"

#include "base/file.h"
#include "base/system.h"
#include "base/text.h"
#include "sweep/case.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY_BASE = 256 << 20, TIME_DOWNLOAD = 0 };

/* --- telling ------------------------------------------------------------------------------------------ */

static void say(const struct sweep *s, o2w_severity severity, const char *line)
{
    if (s->options->say && line)
        s->options->say(s->options->user, severity, line);
}

static double seconds_of(const struct item *item)
{
    double ms = item->download_ms;
    if (item->child.ended_ns > item->child.begun_ns)
        ms += (double)(item->child.ended_ns - item->child.begun_ns) / 1e6;
    return ms / 1000;
}

static void tell(const struct sweep *s, const struct item *item)
{
    const struct result *r = item->result;
    struct arena *a = s->arena;
    char time[32];
    text_format(time, sizeof time, "%.1f s", seconds_of(item));
    switch (r->outcome) {
    case OUTCOME_PASSED:
        say(s, O2W_SEVERITY_NOTE,
            arena_printf(a, "ok   %s (%s%s)\n", r->label, time, r->reused ? ", reused" : ""));
        break;
    case OUTCOME_FAILED:
        say(s, O2W_SEVERITY_NOTE,
            arena_printf(a, "FAIL %s: %s (%s)\n", r->label, result_line(r, a), time));
        say(s, O2W_SEVERITY_NOTE, arena_printf(a, "  again: %s\n", r->command));
        break;
    case OUTCOME_SKIPPED:
        say(s, O2W_SEVERITY_NOTE,
            arena_printf(a, "skip %s: %s\n", r->label, r->message ? r->message : ""));
        break;
    case OUTCOME_EXPECTED:
        say(s, O2W_SEVERITY_NOTE,
            arena_printf(a, "xfail %s: %s (%s)\n", r->label, r->message ? r->message : "", time));
        break;
    case OUTCOME_NOT_RUN: break;
    }
}

/* --- ends --------------------------------------------------------------------------------------------- */

static void apply_expectation(const struct sweep *s, struct item *item)
{
    struct result *r = item->result;
    const char *reason = s->reasons ? s->reasons[r->index] : NULL;
    if (!reason)
        return;
    if (r->outcome == OUTCOME_FAILED) {
        r->outcome = OUTCOME_EXPECTED;
        r->message = arena_printf(s->arena, "%s (%s)", reason, result_line(r, s->arena));
    } else if (r->outcome == OUTCOME_PASSED) {
        r->outcome = OUTCOME_FAILED;
        r->stage = "compare";
        r->code = "case.unexpected-pass";
        r->message = arena_printf(s->arena, "passed, expected to fail: %s", reason);
    }
}

static void write_record(struct sweep *s, const struct item *item)
{
    struct diags own;
    diags_init(&own, NULL);
    if (result_write(item->result, item->record_path, &own) != O2W_OK && own.first)
        say(s, O2W_SEVERITY_WARNING,
            arena_printf(s->arena, "warning[file.write]: the result of '%s' is not recorded: %s\n",
                         item->entry->label, own.first->message));
    diags_free(&own);
}

void sweep_finish(struct sweep *s, struct item *item)
{
    struct result *r = item->result;
    item->state = STATE_DONE;
    s->finished++;
    apply_expectation(s, item);
    if (r->outcome == OUTCOME_NOT_RUN)
        return;
    write_record(s, item);
    tell(s, item);
    if (r->outcome == OUTCOME_FAILED && s->options->fail_fast)
        s->stopping = true;
}

static void take_result(struct sweep *s, struct item *item, struct span text)
{
    struct result *r = item->result, got = { 0 };
    struct span copy = arena_copy(s->arena, text);
    if (!copy.data || result_parse(copy, "a result", s->arena, NULL, &got) != O2W_OK) {
        r->code = "internal";
        r->message = "the case sent no valid result";
        return;
    }
    r->outcome = got.outcome;
    r->stage = got.stage;
    r->code = got.code;
    r->message = got.message;
    r->nodes = got.nodes;
    r->operators = got.operators;
    r->weight_bytes = got.weight_bytes;
    r->reused = got.reused;
    r->validation = got.validation;
    for (int i = TIME_DOWNLOAD + 1; i < RESULT_TIMES; i++)
        r->times[i] = got.times[i];
}

static void clean_up(struct sweep *s)
{
    folder_clean(s->cache);
    folder_clean(s->results);
}

/* A case that was ended for others' sake starts again, alone. */
static bool take_postponed(struct sweep *s, struct item *item)
{
    struct span text;
    if (!item->child.postponed || s->stopping || child_result(&item->child, &text))
        return false;
    s->running--;
    s->used -= item->estimate;
    item->estimate = s->limit > item->child.peak_bytes ? s->limit : item->child.peak_bytes;
    item->state = STATE_READY;
    clean_up(s);
    child_clear(&item->child);
    return true;
}

static void take_end(struct sweep *s, struct item *item)
{
    struct result *r = item->result;
    struct span text;
    if (take_postponed(s, item))
        return;
    r->outcome = OUTCOME_FAILED;
    r->peak_bytes = item->child.peak_bytes;
    if (item->child.timed_out) {
        r->code = "case.timeout";
        r->stage =
            arena_text(s->arena, span_of(item->child.stage[0] ? item->child.stage : "start"));
        r->message = arena_printf(s->arena, "not finished after %u s, stage %s",
                                  s->options->case_timeout, r->stage ? r->stage : "");
    } else if (child_result(&item->child, &text))
        take_result(s, item, text);
    else if (s->interrupted)
        r->outcome = OUTCOME_NOT_RUN;
    else {
        r->code = "case.crashed";
        r->stage =
            arena_text(s->arena, span_of(item->child.stage[0] ? item->child.stage : "start"));
        r->message = child_end_text(&item->child, s->arena);
    }
    s->running--;
    s->used -= item->estimate;
    if (!child_result(&item->child, &text))
        clean_up(s);
    sweep_finish(s, item);
    child_clear(&item->child);
}

/* --- starts ------------------------------------------------------------------------------------------- */

/* Once for each: the earlier record is read for it. */
static void estimate(struct sweep *s, struct item *item)
{
    struct result earlier;
    if (item->estimate)
        return;
    item->estimate = MEMORY_BASE + item->model.bytes / 2 * 5;
    if (path_is_file(item->record_path) &&
        result_read(item->record_path, s->arena, NULL, &earlier) == O2W_OK && earlier.peak_bytes)
        item->estimate = earlier.peak_bytes / 10 * 11;
}

static bool file_is_converting(const struct sweep *s, const struct item *item)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct item *other = &s->items[i];
        bool early = strcmp(other->child.stage, "convert") == 0 || !other->child.stage[0];
        if (other->state == STATE_RUNNING && early &&
            strcmp(other->source_key, item->source_key) == 0)
            return true;
    }
    return false;
}

static bool heavy_is_running(const struct sweep *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].state == STATE_RUNNING && s->items[i].entry->heavy)
            return true;
    return false;
}

static bool may_start(struct sweep *s, struct item *item)
{
    unsigned jobs = s->options->jobs ? s->options->jobs : 1;
    if (s->running == 0)
        return true; /* alone, whatever it needs */
    if (s->running >= jobs || item->entry->heavy || heavy_is_running(s))
        return false;
    return s->used + item->estimate <= s->limit && !file_is_converting(s, item);
}

static o2w_status request_text(struct sweep *s, const struct item *item, struct span *out)
{
    struct json_writer w;
    struct span text;
    const struct case_request request = { .model = item->model.path,
                                          .sha256 = item->model.sha256,
                                          .graph = item->graph,
                                          .archive = item->archive,
                                          .lock = item->lock,
                                          .dims = item->entry->dims,
                                          .dim_count = item->entry->dim_count,
                                          .pins = item->entry->pins,
                                          .pin_count = item->entry->pin_count,
                                          .constant_folding = s->options->constant_folding,
                                          .refresh = s->options->refresh,
                                          .validate = *s->options->validate,
                                          .parent = getpid() };
    json_writer_init(&w, NULL, 0);
    case_request_put(&w, &request);
    *out = json_written(&w, &text) == O2W_OK ? arena_copy(s->arena, text) : (struct span){ 0 };
    json_writer_free(&w);
    return out->data ? O2W_OK : O2W_NO_MEMORY;
}

static void start_failed(struct sweep *s, struct item *item, const struct diags *own)
{
    item->result->outcome = OUTCOME_FAILED;
    item->result->stage = "start";
    item->result->code = "internal";
    item->result->message =
        own->first ? arena_text(s->arena, span_of(own->first->message)) : "out of memory";
    sweep_finish(s, item);
}

static void warn_if_large(struct sweep *s, const struct item *item)
{
    if (item->estimate > s->limit)
        say(s, O2W_SEVERITY_WARNING,
            arena_printf(s->arena,
                         "warning[case.memory]: '%s' may need %.1f GB, the limit is %.1f GB: it "
                         "runs alone\n",
                         item->entry->label, (double)item->estimate / 1e9, (double)s->limit / 1e9));
}

static void start(struct sweep *s, struct item *item)
{
    struct diags own;
    struct span text;
    diags_init(&own, NULL);
    warn_if_large(s, item);
    o2w_status status = request_text(s, item, &text);
    if (status == O2W_OK)
        status = child_start(&item->child, s->program, text, &own);
    if (status == O2W_OK) {
        item->state = STATE_RUNNING;
        s->running++;
        s->used += item->estimate;
    } else
        start_failed(s, item, &own);
    diags_free(&own);
}

static void start_ready(struct sweep *s)
{
    for (size_t i = 0; i < s->count && !s->stopping; i++) {
        struct item *item = &s->items[i];
        if (item->state == STATE_WAITING)
            return; /* in order */
        if (item->state != STATE_READY)
            continue;
        estimate(s, item);
        if (!may_start(s, item))
            return;
        start(s, item);
    }
}

/* Estimates give way to what is seen. Above the limit the youngest case ends, and starts again when it has the memory
 * for itself. */
static void check_memory(struct sweep *s)
{
    struct item *youngest = NULL;
    uint64_t sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        struct item *item = &s->items[i];
        if (item->state != STATE_RUNNING)
            continue;
        if (item->child.postponed)
            return;
        uint64_t now = child_memory(&item->child);
        sum += now;
        if (now > item->estimate) {
            s->used += now - item->estimate;
            item->estimate = now;
        }
        if (!youngest || item->child.begun_ns > youngest->child.begun_ns)
            youngest = item;
    }
    if (sum <= s->limit || s->running < 2)
        return;
    youngest->child.postponed = true;
    child_signal(&youngest->child, SIGKILL);
    say(s, O2W_SEVERITY_NOTE,
        arena_printf(s->arena, "wait %s: %zu cases took %.1f GB, the limit is %.1f GB\n",
                     youngest->entry->label, s->running, (double)sum / 1e9,
                     (double)s->limit / 1e9));
}

static void check_time(const struct sweep *s, struct item *item)
{
    uint64_t limit = (uint64_t)s->options->case_timeout * 1000000000;
    if (!limit || item->child.timed_out || system_clock_ns() - item->child.begun_ns < limit)
        return;
    item->child.timed_out = true;
    child_signal(&item->child, SIGKILL);
}

void sweep_pump(struct sweep *s)
{
    if (s->pumping)
        return;
    s->pumping = true;
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].state == STATE_RUNNING) {
            check_time(s, &s->items[i]);
            if (child_step(&s->items[i].child))
                take_end(s, &s->items[i]);
        }
    check_memory(s);
    start_ready(s);
    s->pumping = false;
}

void sweep_wait(const struct sweep *s)
{
    enum { CASES = 32, WATCH_MS = 10, END_MS = 1 };
    struct pollfd ends[CASES];
    nfds_t count = 0;
    int ms = WATCH_MS;
    for (size_t i = 0; i < s->count && count < CASES; i++) {
        const struct child *c = &s->items[i].child;
        if (s->items[i].state != STATE_RUNNING)
            continue;
        if (c->events >= 0)
            ends[count++] = (struct pollfd){ .fd = c->events, .events = POLLIN };
        else
            ms = END_MS; /* it has closed its pipes and is about to end */
    }
    (void)poll(ends, count, ms);
}

void sweep_stop(struct sweep *s)
{
    enum { PATIENCE_NS = 2000000000 };
    uint64_t begun = system_clock_ns();
    bool killed = false;
    s->stopping = true;
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].state == STATE_RUNNING)
            child_signal(&s->items[i].child, SIGTERM);
    while (s->running) {
        sweep_pump(s);
        sweep_wait(s);
        bool late = system_clock_ns() - begun > PATIENCE_NS;
        for (size_t i = 0; late && !killed && i < s->count; i++)
            if (s->items[i].state == STATE_RUNNING)
                child_signal(&s->items[i].child, SIGKILL);
        killed |= late;
    }
    clean_up(s);
}
