/* One line on a terminal, redrawn at most ten times a second, erased at the end. */
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
                      (unsigned long long)(done * 100 / total));
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

static void on_log(void *user, o2w_log_level level, const char *text)
{
    (void)user;
    (void)level;
    progress_clear();
    (void)fprintf(stderr, "%s\n", text);
}

static o2w_log_level level_of(const char *text)
{
    static const char *const words[] = { "off", "error", "warn", "info", "debug", "trace" };
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return (o2w_log_level)i;
    return O2W_LOG_WARN;
}

/* Of RUST_LOG only a bare level and onnx2webnn=LEVEL count. */
static o2w_log_level log_level(const struct cli *c)
{
    const char *own = system_variable("O2W_LOG"), *other = system_variable("RUST_LOG");
    if (c->common->debug)
        return O2W_LOG_DEBUG;
    if (!own && other && strncmp(other, "onnx2webnn=", 11) == 0)
        other += 11;
    return level_of(own ? own : other);
}

void progress_start(struct cli *c)
{
    const char *term = system_variable("TERM");
    enabled = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0) && !c->common->quiet &&
              !c->common->no_progress && !c->common->debug;
    c->environment = (o2w_environment){ .size = sizeof c->environment,
                                        .log_level = log_level(c),
                                        .log = on_log,
                                        .progress = on_progress };
}

void progress_clear(void)
{
    if (drawn)
        (void)fputs("\r\033[K", stderr);
    drawn = false;
}
