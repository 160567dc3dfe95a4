#include "sweep/child.h"

#include "base/system.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { HIGH = 16, READ_SIZE = 64 << 10 };

/* --- starting ----------------------------------------------------------------------------------------- */

/* A pipe whose ends lie above those that the child gets by number. */
static bool open_pipe(int ends[2])
{
    int low[2];
    if (pipe(low) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, HIGH);
        close(low[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0)
        return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
    if (ends[0] >= 0)
        close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
    return false;
}

/* A file without a name that holds the request; -1 on failure. */
static int request_file(struct span request)
{
    FILE *f = tmpfile();
    int copy = -1;
    if (!f)
        return -1;
    if (fwrite(request.data, 1, request.size, f) == request.size && fflush(f) == 0)
        copy = fcntl(fileno(f), F_DUPFD_CLOEXEC, HIGH);
    if (copy >= 0 && lseek(copy, 0, SEEK_SET) != 0) {
        close(copy);
        copy = -1;
    }
    (void)fclose(f);
    return copy;
}

static int spawn(const char *program, int request, int events, int errors, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    char name[] = "case", *const line[] = { (char *)(uintptr_t)program, name, NULL };
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int error = posix_spawn_file_actions_adddup2(&actions, request, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, errors, 2);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, events, CHILD_EVENTS);
    if (!error)
        error = posix_spawn(pid, program, &actions, NULL, line, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

o2w_status child_start(struct child *c, const char *program, struct span request, struct diags *d)
{
    int events[2] = { -1, -1 }, errors[2] = { -1, -1 };
    char words[ERRNO_TEXT];
    *c = (struct child){ .events = -1, .errors = -1, .begun_ns = system_clock_ns() };
    int input = request_file(request), error = 0;
    if (input < 0 || !open_pipe(events) || !open_pipe(errors))
        error = errno ? errno : EMFILE;
    else
        error = spawn(program, input, events[1], errors[1], &c->pid);
    int given[] = { input, events[1], errors[1] };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i] >= 0)
            close(given[i]);
    c->events = events[0];
    c->errors = errors[0];
    if (!error)
        return O2W_OK;
    child_clear(c);
    return diag_error(d, DIAG_INTERNAL, "'%s' cannot be started for a case: %s", program,
                      text_of_errno(error, words));
}

/* --- watching ----------------------------------------------------------------------------------------- */

/* "stage NAME" replaces the stage; "result {…}" stays as the text. */
static void take_lines(struct child *c)
{
    static const char stage[] = "stage ", result[] = "result ";
    for (;;) {
        char *end = c->text.count ? memchr(c->text.items, '\n', c->text.count) : NULL;
        if (!end || c->has_result)
            return;
        struct span line = { (const uint8_t *)c->text.items, (size_t)(end - c->text.items) };
        if (span_starts(line, SPAN("result "))) {
            c->has_result = true;
            c->text.count = line.size - (sizeof result - 1);
            memmove(c->text.items, c->text.items + sizeof result - 1, c->text.count);
            return;
        }
        if (span_starts(line, SPAN("stage ")))
            text_format(c->stage, sizeof c->stage, "%.*s", (int)(line.size - (sizeof stage - 1)),
                        c->text.items + sizeof stage - 1);
        c->text.count -= line.size + 1;
        memmove(c->text.items, end + 1, c->text.count);
    }
}

static void read_events(struct child *c)
{
    while (c->events >= 0 && VEC_RESERVE(&c->text, READ_SIZE)) {
        ssize_t size = read(c->events, c->text.items + c->text.count, READ_SIZE);
        if (size > 0) {
            c->text.count += (size_t)size;
            take_lines(c);
        } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(c->events);
            c->events = -1;
        } else
            return;
    }
}

/* Keeps the end of what is said. */
static void read_errors(struct child *c)
{
    char part[CHILD_WORDS];
    while (c->errors >= 0) {
        ssize_t size = read(c->errors, part, sizeof part);
        if (size > 0) {
            size_t room = sizeof c->words - c->word_size, more = (size_t)size;
            if (more > room) {
                size_t drop = more - room;
                memmove(c->words, c->words + drop,
                        c->word_size - (drop < c->word_size ? drop : c->word_size));
                c->word_size -= drop < c->word_size ? drop : c->word_size;
            }
            memcpy(c->words + c->word_size, part, more);
            c->word_size += more;
        } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(c->errors);
            c->errors = -1;
        } else
            return;
    }
}

bool child_step(struct child *c)
{
    struct rusage usage;
    read_events(c);
    read_errors(c);
    pid_t ended = wait4(c->pid, &c->status, WNOHANG, &usage);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    read_events(c);
    read_errors(c);
    c->ended_ns = system_clock_ns();
    c->peak_bytes = ended > 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
    c->pid = 0;
    return true;
}

uint64_t child_memory(const struct child *c)
{
    char text[64];
    text_format(text, sizeof text, "/proc/%lld/statm", (long long)c->pid);
    FILE *file = c->pid > 0 ? fopen(text, "re") : NULL;
    if (!file)
        return 0;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *resident = text + strcspn(text, " ");
    return strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void child_signal(const struct child *c, int number)
{
    if (c->pid > 0)
        (void)kill(c->pid, number);
}

bool child_result(const struct child *c, struct span *out)
{
    *out = (struct span){ (const uint8_t *)c->text.items, c->text.count };
    return c->has_result && WIFEXITED(c->status);
}

/* The last line that is not empty. */
static struct span last_line(const struct child *c)
{
    struct span all = span_trim((struct span){ (const uint8_t *)c->words, c->word_size });
    const uint8_t *line = all.size ? memrchr(all.data, '\n', all.size) : NULL;
    return line ? (struct span){ line + 1, all.size - (size_t)(line + 1 - all.data) } : all;
}

const char *child_end_text(const struct child *c, struct arena *a)
{
    struct span words = last_line(c);
    const char *how, *quote = words.size ? ", last words: " : "";
    if (WIFSIGNALED(c->status))
        how = arena_printf(a, "ended by %s", system_signal_name(WTERMSIG(c->status)));
    else
        how = arena_printf(a, "ended with status %d", WEXITSTATUS(c->status));
    return how ? arena_printf(a, "%s at stage %s%s%.*s", how, c->stage[0] ? c->stage : "start",
                              quote, SPAN_ARG(words))
               : NULL;
}

void child_clear(struct child *c)
{
    if (c->events >= 0)
        close(c->events);
    if (c->errors >= 0)
        close(c->errors);
    VEC_FREE(&c->text);
}

/* --- the child's side --------------------------------------------------------------------------------- */

static void write_all(struct span part)
{
    while (part.size) {
        ssize_t written = write(CHILD_EVENTS, part.data, part.size);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0)
            part = (struct span){ part.data + written, part.size - (size_t)written };
    }
}

void child_tell(const char *word, struct span text)
{
    char line[128];
    bool short_one = text.size < 64; /* in one piece: other threads tell stages too */
    int size = short_one ? text_format(line, sizeof line, "%s %.*s\n", word, SPAN_ARG(text))
                         : text_format(line, sizeof line, "%s ", word);
    write_all((struct span){ (const uint8_t *)line, (size_t)size });
    if (short_one)
        return;
    write_all(text);
    write_all(SPAN("\n"));
}
