#include "validate/report.h"

#include "base/log.h"
#include "base/system.h"

#include <string.h>

o2w_status report_create(const o2w_environment *e, struct diags *d, o2w_report **out)
{
    const o2w_allocator *allocator = environment_allocator(e);
    o2w_report *r = mem_alloc(allocator, sizeof *r);
    if (!r)
        return diag_memory(d);
    *r = (o2w_report){ .allocator = allocator };
    arena_init(&r->arena, allocator);
    *out = r;
    return O2W_OK;
}

void o2w_report_free(o2w_report *r)
{
    if (!r)
        return;
    o2w_error_free(r->diagnostics);
    arena_free(&r->arena);
    mem_free(r->allocator, r, sizeof *r);
}

void report_time(o2w_report *r, const char *stage, uint64_t begun_ns)
{
    double ms = (double)(system_clock_ns() - begun_ns) / 1e6;
    for (size_t i = 0; i < r->time_count; i++)
        if (strcmp(r->times[i].stage, stage) == 0) {
            r->times[i].ms += ms;
            return;
        }
    if (r->time_count < sizeof r->times / sizeof *r->times)
        r->times[r->time_count++] = (struct report_time){ stage, ms };
}

const char *record_state_text(enum record_state s)
{
    static const char *const words[] = { "fresh", "stale", "none", "ignored" };
    return words[s];
}

const char *mismatch_text(enum mismatch_kind k)
{
    static const char *const words[] = { NULL, "value", "shape", "dtype" };
    return words[k];
}

const char *optimization_text(o2w_reference_optimization o)
{
    static const char *const words[] = { "none", "basic", "extended", "all" };
    return words[o];
}

bool o2w_report_passed(const o2w_report *r)
{
    return r->passed;
}

const char *o2w_report_text(const o2w_report *r)
{
    return r->text;
}

const char *o2w_report_json(const o2w_report *r)
{
    return r->json;
}

const o2w_error *o2w_report_diagnostics(const o2w_report *r)
{
    return r->diagnostics;
}

size_t o2w_report_time_count(const o2w_report *r)
{
    return r->time_count;
}

const char *o2w_report_time(const o2w_report *r, size_t index, double *ms)
{
    if (index >= r->time_count)
        return NULL;
    *ms = r->times[index].ms;
    return r->times[index].stage;
}
