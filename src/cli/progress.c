/* One line on a terminal, redrawn at most ten times a second, erased at the end; and the log. */
#include "cli/cli.h"

#include "base/system.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool enabled, drawn;
static uint64_t last_ns;

static void draw(const char *stage, uint64_t done, uint64_t total)
{
    if (total)
        (void)fprintf(stderr, "\r\033[K%s %llu %%", stage,
                      (unsigned long long)((double)done * 100 / (double)total));
    else if (done)
        (void)fprintf(stderr, "\r\033[K%s %llu", stage, (unsigned long long)done);
    else
        (void)fprintf(stderr, "\r\033[K%s", stage);
    (void)fflush(stderr);
    drawn = true;
}

static int on_progress(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user;
    crash_stage(stage);
    if (signals_caught())
        return 1;
    if (!enabled)
        return 0;
    uint64_t now = system_clock_ns();
    if (now - last_ns >= 100000000) {
        last_ns = now;
        draw(stage, done, total);
    }
    return 0;
}

static const char *const level_words[] = { "off", "error", "warn", "info", "debug", "trace" };
enum { LEVEL_COUNT = sizeof level_words / sizeof *level_words };

static void on_log(void *user, o2w_log_level level, const char *text)
{
    (void)user;
    progress_clear();
    (void)fprintf(stderr, "%s: %s\n", (unsigned)level < LEVEL_COUNT ? level_words[level] : "log",
                  text);
}

static bool find_level(struct span word, o2w_log_level *level)
{
    for (size_t i = 0; i < LEVEL_COUNT; i++)
        if (span_is(word, level_words[i])) {
            *level = (o2w_log_level)i;
            return true;
        }
    return false;
}

/* Of directives between commas a bare level and onnx2webnn=LEVEL count, the latter more. */
static void read_directives(const char *text, o2w_log_level *level)
{
    static const struct span own = { (const uint8_t *)"onnx2webnn=", 11 };
    bool named = false;
    while (*text) {
        size_t size = strcspn(text, ",");
        struct span word = span_trim((struct span){ (const uint8_t *)text, size });
        if (span_starts(word, own))
            named |= find_level((struct span){ word.data + own.size, word.size - own.size }, level);
        else if (!named)
            (void)find_level(word, level);
        text += size + (text[size] == ',');
    }
}

static void set_log_level(struct cli *c)
{
    const char *own = system_variable("O2W_LOG"), *other = system_variable("RUST_LOG");
    o2w_log_level level = O2W_LOG_WARN;
    if (own && !find_level(span_of(own), &level)) {
        const char *text = arena_printf(
            &c->arena,
            "warning[usage]: O2W_LOG is '%s', must be off, error, warn, info, debug or trace\n",
            own);
        stream_item(O2W_SEVERITY_WARNING, text ? text : "warning[usage]: O2W_LOG is no level\n");
    } else if (!own && other)
        read_directives(other, &level);
    if (c->common->debug && level < O2W_LOG_DEBUG)
        level = O2W_LOG_DEBUG;
    c->environment.log_level = level;
}

void progress_start(struct cli *c)
{
    const char *term = system_variable("TERM");
    enabled = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0) && !c->common->quiet &&
              !c->common->no_progress && !c->common->debug;
    c->environment =
        (o2w_environment){ .size = sizeof c->environment, .log = on_log, .progress = on_progress };
    set_log_level(c);
}

void progress_clear(void)
{
    if (drawn)
        (void)fputs("\r\033[K", stderr);
    drawn = false;
}
