/* A sweep: downloads in this process, cases in others, one report. */
#include "sweep/sweep.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/system.h"
#include "base/text.h"
#include "validate/reference.h"
#include "validate/validation.h"

#include <string.h>

/* --- progress ----------------------------------------------------------------------------------------- */

/* A line for what happens here, one for each running case. */
static void report(struct sweep *s, const char *line, uint64_t done, uint64_t total)
{
    enum { LINES = 8, LINE = 300 };
    char text[LINES * LINE];
    size_t lines = 1;
    text_format(text, LINE, "%s", line);
    for (size_t i = 0; i < s->count && lines < LINES; i++) {
        const struct item *item = &s->items[i];
        if (item->state != STATE_RUNNING)
            continue;
        uint64_t ns = system_clock_ns() - item->child.begun_ns;
        text_format(text + strlen(text), LINE, "\n  %s (%.0f s) %s",
                    item->child.stage[0] ? item->child.stage : "start", (double)ns / 1e9,
                    item->entry->label);
        lines++;
    }
    if (progress_poll(s->environment, text, done, total) != O2W_OK)
        s->interrupted = true;
}

/* Asked by downloads: cases go on meanwhile. */
static int on_progress(void *user, const char *stage, uint64_t done, uint64_t total)
{
    struct sweep *s = user;
    report(s, stage, done, total);
    if (s->interrupted)
        return 1;
    sweep_pump(s);
    return s->interrupted || s->stopping;
}

/* --- downloads ---------------------------------------------------------------------------------------- */

static void take_failure(struct sweep *s, struct item *item, const struct diags *own,
                         o2w_status status)
{
    struct result *r = item->result;
    const struct diag *first = own->first;
    while (first && first->severity != O2W_SEVERITY_ERROR)
        first = first->next;
    if (status == O2W_CANCELLED) {
        r->outcome = OUTCOME_NOT_RUN;
        return;
    }
    r->outcome = OUTCOME_FAILED;
    r->stage = "download";
    r->code = first ? diag_code_text(first->code) : "memory";
    r->message = arena_text(s->arena, span_of(first ? first->message : o2w_status_text(status)));
    if (first && first->hint)
        r->message = arena_printf(s->arena, "%s; hint: %s", r->message, first->hint);
}

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* A record of a pass under the same conditions makes the case needless. */
static bool can_resume(struct sweep *s, struct item *item)
{
    struct result earlier;
    const struct result *r = item->result;
    if (!s->options->resume || !path_is_file(item->record_path) ||
        result_read(item->record_path, s->arena, NULL, &earlier) != O2W_OK)
        return false;
    bool same = earlier.outcome == OUTCOME_PASSED && same_text(earlier.key, r->key) &&
                same_text(earlier.backend, r->backend) && same_text(earlier.engine, r->engine) &&
                same_text(earlier.seeds, r->seeds) && same_text(earlier.tool, r->tool) &&
                same_text(earlier.source_sha256, item->model.sha256);
    if (!same)
        return false;
    uint64_t index = r->index;
    const char *label = r->label, *command = r->command;
    *item->result = earlier;
    item->result->index = index;
    item->result->label = label;
    item->result->command = command;
    return true;
}

void sweep_download(struct sweep *s, struct item *item)
{
    const struct manifest_entry *e = item->entry;
    struct hub_request request = {
        .repository = e->repository, .path = e->path, .revision = e->revision, .sha256 = e->sha256
    };
    struct diags own;
    uint64_t begun = system_clock_ns();
    diags_init(&own, NULL);
    request.record = arena_printf(s->arena, "%s@%s#%s", e->file, e->revision ? e->revision : "main",
                                  e->sha256 ? e->sha256 : "");
    o2w_status status =
        request.record ? hub_get(s->hub, &request, s->arena, &own, &item->model) : O2W_NO_MEMORY;
    item->download_ms = (double)(system_clock_ns() - begun) / 1e6;
    item->result->times[0] = item->download_ms;
    item->result->downloaded_bytes = item->model.downloaded;
    if (status == O2W_OK) {
        item->result->source_sha256 = item->model.sha256;
        item->state = STATE_READY;
        if (can_resume(s, item)) {
            item->state = STATE_DONE;
            s->finished++;
        }
    } else {
        take_failure(s, item, &own, status);
        sweep_finish(s, item);
    }
    diags_free(&own);
}

/* --- the loop ----------------------------------------------------------------------------------------- */

static struct item *next_download(const struct sweep *s)
{
    size_t ready = 0, ahead = s->options->jobs ? s->options->jobs : 1;
    for (size_t i = 0; i < s->count; i++) {
        ready += s->items[i].state == STATE_READY;
        if (s->items[i].state == STATE_WAITING)
            return ready <= ahead ? &s->items[i] : NULL;
    }
    return NULL;
}

static void skip(struct sweep *s, struct item *item)
{
    item->result->outcome = OUTCOME_SKIPPED;
    item->result->message = "heavy";
    sweep_finish(s, item);
}

static void step(struct sweep *s)
{
    char text[64];
    struct item *item = s->stopping ? NULL : next_download(s);
    text_format(text, sizeof text, "%zu of %zu cases", s->finished, s->count);
    report(s, text, 0, 0);
    if (s->interrupted)
        return;
    if (item && item->entry->skipped)
        skip(s, item);
    else if (item)
        sweep_download(s, item);
    else {
        sweep_pump(s);
        if (s->running)
            sweep_wait(s);
    }
}

static void run_all(struct sweep *s)
{
    while (!s->interrupted && s->finished < s->count && (!s->stopping || s->running))
        step(s);
    if (s->interrupted)
        sweep_stop(s);
    folder_clean(s->cache);
    for (size_t i = 0; i < s->summary->count; i++)
        s->summary->not_run += s->summary->results[i].outcome == OUTCOME_NOT_RUN;
    s->summary->interrupted = s->interrupted;
}

/* --- before it ---------------------------------------------------------------------------------------- */

/* Engine and reference are there; their versions are what records are compared by. */
static o2w_status preflight(struct sweep *s)
{
    const o2w_validate_options *v = s->options->validate;
    const struct ort *ort;
    webnn_context *context = NULL;
    struct backend_probe probe;
    const webnn_context_options options = { .size = sizeof options,
                                            .backend = v->backend,
                                            .threads = v->threads,
                                            .options = v->backend_options,
                                            .option_count = v->backend_option_count,
                                            .require_backend = v->require_backend,
                                            .environment = s->environment };
    s->d->stage = "preflight";
    TRY(backend_open(&options, s->arena, s->d, &context, &probe));
    webnn_context_free(context);
    s->engine = probe.engine ? arena_printf(s->arena, "%s %s", probe.engine,
                                            probe.version ? probe.version : "")
                             : arena_text(s->arena, span_of(v->backend));
    TRY(reference_probe(s->d, &ort));
    return s->engine ? O2W_OK : diag_memory(s->d);
}

static o2w_status run(struct sweep *s)
{
    TRY(preflight(s));
    s->d->stage = "read";
    TRY(sweep_prepare(s));
    run_all(s);
    return O2W_OK;
}

static o2w_status check_options(const struct o2w_manifest *m, const o2w_sweep_options *o,
                                struct diags *d)
{
    bool any = false;
    for (size_t i = 0; i < m->count; i++)
        any |= m->entries[i].selected;
    if (!any)
        return diag_error(d, DIAG_MANIFEST_SELECTION, "no entry is selected");
    return o->validate && o->validate->backend
               ? O2W_OK
               : diag_error(d, DIAG_BACKEND_UNKNOWN, "no backend is named");
}

o2w_status o2w_manifest_run(const o2w_manifest *m, const o2w_sweep_options *options,
                            o2w_summary **out, o2w_error **error)
{
    struct diags d;
    struct sweep s = { .m = m, .options = options, .environment = m->environment, .d = &d };
    diags_init(&d, m->allocator);
    s.inner = (o2w_environment){ .size = sizeof s.inner, .progress = on_progress, .user = &s };
    if (m->environment) {
        s.inner.log = m->environment->log;
        s.inner.log_level = m->environment->log_level;
    }
    o2w_status status = check_options(m, options, &d);
    if (status == O2W_OK)
        status = summary_create(m, options->validate->backend, &d, &s.summary);
    if (status == O2W_OK) {
        s.arena = &s.summary->arena;
        status = run(&s);
        hub_close(s.hub);
        if (status == O2W_OK)
            *out = s.summary;
        else
            o2w_summary_free(s.summary);
    }
    status = error_from_diags(&d, status, error);
    diags_free(&d);
    return status;
}
