#include "wasi/instance.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

/* --- calls ------------------------------------------------------------------------------------------- */

bool instance_enter(wasinn_instance *i)
{
    if (i->ending || atomic_exchange(&i->busy, true))
        return false;
    i->call = (struct nn_call){ .begin_ns = system_clock_ns(), .deadline_ns = UINT64_MAX };
    i->failure.fault = FAULT_NONE;
    return true;
}

static void trace(const wasinn_instance *i, const char *function, enum fault fault, uint64_t time)
{
    const struct nn_call *c = &i->call;
    static const char *const targets[] = { "cpu", "gpu", "tpu" };
    wasinn_event e = { .size = sizeof e,
                       .instance = i,
                       .function = function,
                       .handle = c->handle,
                       .error = (uint32_t)fault_errno(fault),
                       .begin_ns = c->begin_ns,
                       .time_ns = time,
                       .backend_ns = c->backend_ns,
                       .bytes = c->bytes,
                       .tensor = c->tensor,
                       .type = c->type,
                       .rank = c->rank,
                       .dims = c->dims,
                       .backend = c->graph ? c->graph->choice->name : NULL,
                       .target = c->graph ? targets[c->graph->target] : NULL,
                       .text = fault == FAULT_NONE ? NULL : i->failure.text };
    i->host->options.trace(i->host->options.user, &e);
}

/* What a guest can make the host write has an end. */
static void log_failure(wasinn_instance *i, const char *function)
{
    size_t size = strlen(i->failure.text) + strlen(function) + 2;
    uint32_t limit = i->host->limits.log_bytes;
    if (i->logged >= limit)
        return;
    if (size > limit - i->logged) {
        i->logged = limit;
        host_log(i->host, O2W_LOG_WARN, "further messages about this guest are left out");
        return;
    }
    i->logged += (uint32_t)size;
    host_log(i->host, O2W_LOG_ERROR, "%s: %s", function, i->failure.text);
}

enum fault instance_leave(wasinn_instance *i, const char *function, enum fault fault)
{
    watchdog_end(&i->host->watchdog, &i->watched);
    uint64_t time = system_clock_ns() - i->call.begin_ns;
    i->stats.calls++;
    i->stats.nn_ns += time;
    i->stats.backend_ns += i->call.backend_ns;
    if (fault != FAULT_NONE) {
        i->stats.errors++;
        i->stats.timeouts += fault == FAULT_TIMEOUT;
        i->stats.refusals += fault == FAULT_TOO_LARGE;
        if (!i->call.asks_for_last)
            memcpy(i->last, i->failure.text, sizeof i->last);
        if (!i->call.asks_for_size)
            log_failure(i, function);
    }
    if (i->host->options.trace)
        trace(i, function, fault, time);
    i->call.graph = NULL;
    i->call.tensor = NULL;
    if (!i->ending)
        i->stop = false;
    i->busy = false;
    return fault;
}

enum { OVERDUE_MS = 1000 };

/* Until the call ends. */
static enum fault watch(wasinn_instance *i, const char *what)
{
    const wasinn_host_options *o = &i->host->options;
    uint64_t after = (o->overdue_ms ? o->overdue_ms : OVERDUE_MS) * 1000000ull;
    if (!o->overdue || i->call.deadline_ns > UINT64_MAX - after)
        return FAULT_NONE;
    i->watched = (struct nn_watched){ .stop = &i->stop,
                                      .deadline_ns = i->call.deadline_ns,
                                      .overdue_ns = i->call.deadline_ns + after,
                                      .overdue = o->overdue,
                                      .user = o->user,
                                      .what = what };
    return watchdog_begin(&i->host->watchdog, &i->watched)
               ? FAULT_NONE
               : fail(&i->failure, FAULT_RUNTIME, "no thread can be started to watch the time");
}

enum fault instance_deadline(wasinn_instance *i, const char *what, uint32_t ms)
{
    const wasinn_limits *l = &i->host->limits;
    uint64_t now = system_clock_ns(), most = ms == UINT32_MAX ? UINT64_MAX : now + ms * 1000000ull;
    uint64_t all = l->total_ms * 1000000ull;
    if (l->total_ms != UINT32_MAX) {
        if (i->stats.nn_ns >= all)
            return fail(&i->failure, FAULT_TIMEOUT, "all %u ms for nn calls are used up",
                        l->total_ms);
        uint64_t end = now + (all - i->stats.nn_ns);
        most = end < most ? end : most;
    }
    i->call.deadline_ns = most;
    return watch(i, what);
}

enum fault instance_hold(wasinn_instance *i, uint64_t more, const char *what)
{
    uint64_t limit = i->host->limits.total_bytes;
    if (i->held > limit || more > limit - i->held)
        return fail(&i->failure, FAULT_TOO_LARGE,
                    "%s: %llu bytes more than the %llu that are held exceed the limit of %llu",
                    what, (unsigned long long)more, (unsigned long long)i->held,
                    (unsigned long long)limit);
    i->held += more;
    return FAULT_NONE;
}

/* --- life -------------------------------------------------------------------------------------------- */

static o2w_status instance_new(wasinn_host *h, const wasinn_instance_options *o, struct diags *d,
                               wasinn_instance **out)
{
    wasinn_instance *i = NULL;
    if (!h->sealed)
        return diag_error(d, DIAG_USAGE, "the host is not sealed yet");
    if (o && o->dtypes && (unsigned)*o->dtypes > WASINN_DTYPES_WIT)
        return diag_error(d, DIAG_USAGE, "no numbering of tensor types %d", (int)*o->dtypes);
    i = mem_alloc(h->allocator, sizeof *i);
    if (!i)
        return diag_memory(d);
    memset(i, 0, sizeof *i);
    i->host = h;
    i->allocator = h->allocator;
    i->dtypes = o && o->dtypes ? *o->dtypes : h->options.dtypes;
    i->outputs.allocator = i->text.allocator = h->allocator;
    for (int k = 0; k < 4; k++)
        table_init(&i->tables[k], (wasinn_resource)k, h->allocator);
    pthread_mutex_lock(&h->lock);
    h->references++;
    pthread_mutex_unlock(&h->lock);
    *out = i;
    return O2W_OK;
}

o2w_status wasinn_instance_new(wasinn_host *h, const wasinn_instance_options *options,
                               wasinn_instance **out, o2w_error **error)
{
    struct diags d;
    diags_init(&d, h->allocator);
    o2w_status s = error_from_diags(&d, instance_new(h, options, &d, out), error);
    diags_free(&d);
    return s;
}

/* Ends a call on another thread and waits for it; afterwards none begins. */
static void end_calls(wasinn_instance *i)
{
    i->ending = true;
    while (atomic_exchange(&i->busy, true)) {
        i->stop = true;
        nanosleep(&(struct timespec){ .tv_nsec = 200 * 1000 }, NULL);
    }
}

void wasinn_instance_free(wasinn_instance *i)
{
    if (!i)
        return;
    end_calls(i);
    wasinn_host *h = i->host;
    for (int k = WASINN_RESOURCE_ERROR; k >= 0; k--) {
        struct nn_table *t = &i->tables[k];
        for (size_t n = 0; n < t->slots.count; n++) {
            void *object = t->slots.items[n].object;
            t->slots.items[n].object = NULL;
            if (object)
                object_free(i, (wasinn_resource)k, object);
        }
        VEC_FREE(&t->slots);
    }
    VEC_FREE(&i->outputs);
    VEC_FREE(&i->text);
    mem_free(i->allocator, i, sizeof *i);
    host_release(h);
}

void wasinn_instance_cancel(wasinn_instance *i)
{
    i->stop = true;
}

wasinn_host *wasinn_instance_host(const wasinn_instance *i)
{
    return i->host;
}

const char *wasinn_last_error(const wasinn_instance *i)
{
    return i->last;
}

void wasinn_instance_stats(const wasinn_instance *i, wasinn_stats *out)
{
    size_t size = out->size && out->size < sizeof *out ? out->size : sizeof *out;
    wasinn_stats s = i->stats;
    s.size = size;
    s.held_bytes = i->held;
    s.graphs = (uint32_t)i->tables[WASINN_RESOURCE_GRAPH].alive;
    s.contexts = (uint32_t)i->tables[WASINN_RESOURCE_CONTEXT].alive;
    s.tensors = (uint32_t)i->tables[WASINN_RESOURCE_TENSOR].alive;
    s.error_objects = (uint32_t)i->tables[WASINN_RESOURCE_ERROR].alive;
    memcpy(out, &s, size);
}
