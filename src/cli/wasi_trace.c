/* What a run of a guest says: log lines, trace, times. */
#include "cli/wasi.h"

#include "base/system.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES_MOST = 1 << 18 };

void wasi_say(const char *format, ...)
{
    char text[4200];
    va_list args;
    va_start(args, format);
    (void)text_vformat(text, sizeof text, format, args);
    va_end(args);
    (void)fprintf(stderr, "wasi: %s\n", text);
}

/* A guest that repeats a mistake is told once. */
static bool said_before(struct wasi_run *r, const char *text)
{
    enum { KEPT = sizeof r->said / sizeof *r->said };
    uint64_t hash = span_fnv1a64(span_of(text));
    size_t known = r->said_count < KEPT ? r->said_count : KEPT;
    for (size_t i = 0; i < known; i++)
        if (r->said[i] == hash)
            return true;
    r->said[r->said_count++ % KEPT] = hash;
    return false;
}

void wasi_log(void *user, o2w_log_level level, const char *text)
{
    struct wasi_run *r = user;
    const struct common_args *c = &r->args->common;
    o2w_log_level most = c->debug ? O2W_LOG_DEBUG : c->quiet ? O2W_LOG_ERROR : O2W_LOG_INFO;
    if (level <= most && !said_before(r, text))
        wasi_say("%s", text);
}

/* --- trace ------------------------------------------------------------------------------------------ */

static void put_tensor(struct json_writer *w, const wasinn_event *e)
{
    json_key(w, "tensor");
    json_put_text(w, e->tensor);
    json_key(w, "type");
    json_put_text(w, e->type);
    json_key(w, "dims");
    json_open(w, '[');
    for (uint32_t i = 0; e->type && i < e->rank; i++)
        json_put_i64(w, e->dims[i]);
    json_close(w, ']');
}

static void put_event(struct json_writer *w, const struct wasi_run *r, const wasinn_event *e)
{
    json_open(w, '{');
    json_key(w, "time_us");
    json_put_u64(w, (e->begin_ns - r->began_ns) / 1000);
    json_key(w, "function");
    json_put_text(w, e->function);
    json_key(w, "handle");
    json_put_u64(w, e->handle);
    json_key(w, "errno");
    json_put_u64(w, e->error);
    json_key(w, "us");
    json_put_double(w, (double)e->time_ns / 1e3);
    if (e->tensor)
        put_tensor(w, e);
    json_key(w, "bytes");
    json_put_u64(w, e->bytes);
    json_key(w, "backend");
    json_put_text(w, e->backend);
    json_key(w, "target");
    json_put_text(w, e->target);
    json_key(w, "text");
    json_put_text(w, e->text);
    json_close(w, '}');
}

static void write_event(struct wasi_run *r, const wasinn_event *e)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, NULL, 0);
    put_event(&w, r, e);
    if (json_written(&w, &text) == O2W_OK)
        (void)(fwrite(text.data, 1, text.size, r->trace) == text.size && fputc('\n', r->trace));
    json_writer_free(&w);
}

static struct wasi_row *row_of(struct wasi_run *r, const char *function)
{
    for (size_t i = 0; i < r->row_count; i++)
        if (strcmp(r->rows[i].function, function) == 0)
            return &r->rows[i];
    if (r->row_count == WASI_FUNCTIONS)
        return NULL;
    r->rows[r->row_count].function = function;
    r->rows[r->row_count].each = 1;
    return &r->rows[r->row_count++];
}

/* When there are a great many, every second one goes, and only as many come. */
static void keep_time(struct wasi_row *row, uint64_t time)
{
    if (row->times.count == TIMES_MOST) {
        for (size_t i = 0; i < TIMES_MOST / 2; i++)
            row->times.items[i] = row->times.items[2 * i];
        row->times.count = TIMES_MOST / 2;
        row->each *= 2;
    }
    (void)VEC_PUSH(&row->times, time);
}

void wasi_trace(void *user, const wasinn_event *e)
{
    struct wasi_run *r = user;
    if (r->trace)
        write_event(r, e);
    struct wasi_row *row = r->args->time ? row_of(r, e->function) : NULL;
    if (!row)
        return;
    if (row->calls++ % row->each == 0)
        keep_time(row, e->time_ns);
    row->errors += e->error != 0;
    row->total_ns += e->time_ns;
    row->backend_ns += e->backend_ns;
    row->bytes += e->bytes;
}

int wasi_trace_open(struct wasi_run *r)
{
    const char *path = r->args->trace;
    r->began_ns = system_clock_ns();
    if (!path)
        return 0;
    r->trace = strcmp(path, "-") == 0 ? stderr : fopen(path, "w");
    if (r->trace)
        return 0;
    wasi_say("the trace '%s' cannot be written: %s", path, strerror(errno));
    return 1;
}

void wasi_trace_close(struct wasi_run *r)
{
    if (r->trace && r->trace != stderr && fclose(r->trace) != 0)
        wasi_say("the trace '%s' cannot be written: %s", r->args->trace, strerror(errno));
    r->trace = NULL;
    for (size_t i = 0; i < r->row_count; i++)
        VEC_FREE(&r->rows[i].times);
}

/* --- times ------------------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

void wasi_print_times(struct wasi_run *r)
{
    uint64_t all = 0, backend = 0;
    wasi_say("%-28s %8s %7s %11s %11s %11s %14s", "function", "calls", "errors", "total ms",
             "median ms", "p95 ms", "bytes");
    for (size_t i = 0; i < r->row_count; i++) {
        struct wasi_row *row = &r->rows[i];
        size_t count = row->times.count;
        qsort(row->times.items, count, sizeof *row->times.items, by_size);
        wasi_say("%-28s %8llu %7llu %11.3f %11.3f %11.3f %14llu", row->function,
                 (unsigned long long)row->calls, (unsigned long long)row->errors, ms(row->total_ns),
                 count ? ms(row->times.items[count / 2]) : 0.0,
                 count ? ms(row->times.items[count * 95 / 100]) : 0.0,
                 (unsigned long long)row->bytes);
        all += row->total_ns;
        backend += row->backend_ns;
    }
    wasi_say("%.3f ms in nn calls, %.1f %% of it in the backend", ms(all),
             all ? 100.0 * (double)backend / (double)all : 0.0);
}
