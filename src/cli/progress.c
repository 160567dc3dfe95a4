/* A line for each task on a terminal, redrawn at most ten times a second, erased at the end; and the log. */
#include "cli/cli.h"

#include "base/system.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool enabled;
static unsigned drawn; /* lines */
static uint64_t last_ns;

static size_t columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* What does not fit is cut off: a line that the terminal breaks could not be erased. */
static void draw_line(struct span line, const char *end)
{
    size_t room = columns() - 1, tail = strlen(end);
    size_t shown = room > tail ? room - tail : 0;
    if (line.size > shown)
        line.size = shown;
    while (line.size && shown == line.size && (line.data[line.size - 1] & 0x80))
        line.size--; /* not within a character */
    (void)fprintf(stderr, "%s%.*s%s", drawn ? "\n" : "\r\033[K", SPAN_ARG(line), end);
    drawn++;
}

static void draw(const char *stage, uint64_t done, uint64_t total)
{
    char number[32] = "";
    if (total)
        text_format(number, sizeof number, " %llu %%",
                    (unsigned long long)((double)done * 100 / (double)total));
    else if (done)
        text_format(number, sizeof number, " %llu", (unsigned long long)done);
    progress_clear();
    for (const char *line = stage; *line; line += *line == '\n') {
        size_t size = strcspn(line, "\n");
        draw_line((struct span){ (const uint8_t *)line, size }, line == stage ? number : "");
        line += size;
    }
    (void)fflush(stderr);
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
    for (; drawn > 1; drawn--)
        (void)fputs("\033[A\033[K", stderr);
    drawn = 0;
}
