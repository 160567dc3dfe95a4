/* Runs cases against the command.
 *
 *   == name of the case
 *   $ a line of a shell script; it runs in a fresh folder, $M is the folder of the models
 *   ? exit status, 0 without such a line
 *   > a line of stdout
 *   ! a line of stderr
 *   @ tty       stderr is a terminal
 *   @ nospace   needs $NOSPACE_LIBRARY, skipped where there is none
 *
 * All lines must be there and no others. In a line `{{*}}` stands for any characters; a line `...` for any
 * lines, or none. `{{cwd}}` and `{{models}}` are the folders. Other lines are comments. */
#include "base/arena.h"
#include "base/file.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 60, OUTPUT_LIMIT = 4 << 20 };

struct lines {
    VEC(struct span) items;
};

struct one_case {
    struct span name;
    struct lines script, out, err;
    int status;
    bool tty, nospace;
};

struct suite {
    struct arena arena;
    const char *models, *bin;
    const char *only; /* part of a name; NULL: all */
    unsigned passed, failed, skipped;
};

struct result {
    struct span out, err;
    int status;
    bool timed_out;
};

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(2);
}

static void add(struct lines *l, struct span s)
{
    if (!VEC_PUSH(&l->items, s))
        die("memory");
}

/* --- running ----------------------------------------------------------------------------------------------- */

static void set_environment(const struct suite *s, const char *folder)
{
    char *path = arena_printf((struct arena *)&s->arena, "%s:/usr/bin:/bin", s->bin);
    char *cache = arena_printf((struct arena *)&s->arena, "%s/cache", folder);
    const char *keep[] = { "NOSPACE_LIBRARY", "MANUAL",        "ASAN_OPTIONS",
                           "LSAN_OPTIONS",    "UBSAN_OPTIONS", "TSAN_OPTIONS" };
    const char *kept[sizeof keep / sizeof *keep];
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        kept[i] = getenv(keep[i]);
    clearenv();
    setenv("PATH", path, 1);
    setenv("HOME", folder, 1);
    setenv("O2W_CACHE_DIR", cache, 1);
    setenv("M", s->models, 1);
    setenv("LC_ALL", "C", 1);
    setenv("TERM", "xterm", 1);
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        if (kept[i])
            setenv(keep[i], kept[i], 1);
}

static int open_terminal(int *other)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        die("terminal");
    *other = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (*other < 0)
        die("terminal");
    return master;
}

static void open_ends(bool tty, int ends[2])
{
    if (tty)
        ends[0] = open_terminal(&ends[1]);
    else if (pipe(ends) != 0)
        die("pipe");
}

static pid_t start(const struct suite *s, const char *script, const char *folder, int out, int err)
{
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child > 0)
        return child;
    setpgid(0, 0);
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 || chdir(folder) != 0)
        _exit(126);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    set_environment(s, folder);
    execl("/bin/sh", "sh", "-c", script, (char *)NULL);
    _exit(126);
}

struct text {
    VEC(char) bytes;
    bool tty; /* which sends \r\n for \n */
};

/* False at the end. A terminal whose other side is closed gives EIO. */
static bool take(int fd, struct text *t)
{
    char buffer[65536];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    for (ssize_t i = 0; i < got && t->bytes.count < OUTPUT_LIMIT; i++)
        if (!(t->tty && buffer[i] == '\r' && i + 1 < got && buffer[i + 1] == '\n') &&
            !VEC_PUSH(&t->bytes, buffer[i]))
            die("memory");
    return true;
}

static struct span text_of(struct suite *s, struct text *t)
{
    struct span copy =
        arena_copy(&s->arena, (struct span){ (const uint8_t *)t->bytes.items, t->bytes.count });
    VEC_FREE(&t->bytes);
    return copy;
}

static void collect(struct suite *s, pid_t child, bool tty, int out, int err, struct result *r)
{
    struct text texts[2] = { { .tty = false }, { .tty = tty } };
    struct pollfd ends[2] = { { out, POLLIN, 0 }, { err, POLLIN, 0 } };
    uint64_t limit = system_clock_ns() + (uint64_t)SECONDS * 1000000000;
    int open_count = 2, status;
    while (open_count && !r->timed_out) {
        (void)poll(ends, 2, 200);
        for (int i = 0; i < 2; i++)
            if (ends[i].revents && !take(ends[i].fd, &texts[i])) {
                ends[i].fd = -1;
                ends[i].revents = 0;
                open_count--;
            }
        r->timed_out = system_clock_ns() > limit;
    }
    if (r->timed_out)
        kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    r->out = text_of(s, &texts[0]);
    r->err = text_of(s, &texts[1]);
}

static void run(struct suite *s, const struct one_case *c, const char *folder, struct result *r)
{
    int out[2], err[2];
    const char *script = "";
    for (size_t i = 0; i < c->script.items.count; i++)
        script = arena_printf(&s->arena, "%s%.*s\n", script, SPAN_ARG(c->script.items.items[i]));
    open_ends(false, out);
    open_ends(c->tty, err);
    *r = (struct result){ 0 };
    pid_t child = start(s, script, folder, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    collect(s, child, c->tty, out[0], err[0], r);
    close(out[0]);
    close(err[0]);
}

/* --- comparing --------------------------------------------------------------------------------------------- */

static struct lines split(struct span text)
{
    struct lines l = { 0 };
    while (text.size) {
        const uint8_t *end = memchr(text.data, '\n', text.size);
        size_t size = end ? (size_t)(end - text.data) : text.size;
        add(&l, (struct span){ text.data, size });
        text.data += size + (end != NULL);
        text.size -= size + (end != NULL);
    }
    return l;
}

static bool line_fits(struct span pattern, struct span line)
{
    static const struct span any = { (const uint8_t *)"{{*}}", 5 };
    if (!pattern.size)
        return !line.size;
    if (span_starts(pattern, any)) {
        struct span rest = { pattern.data + any.size, pattern.size - any.size };
        for (size_t i = 0; i <= line.size; i++)
            if (line_fits(rest, (struct span){ line.data + i, line.size - i }))
                return true;
        return false;
    }
    return line.size && pattern.data[0] == line.data[0] &&
           line_fits((struct span){ pattern.data + 1, pattern.size - 1 },
                     (struct span){ line.data + 1, line.size - 1 });
}

static bool lines_fit(const struct lines *want, size_t i, const struct lines *have, size_t k)
{
    if (i == want->items.count)
        return k == have->items.count;
    if (span_is(want->items.items[i], "..."))
        return lines_fit(want, i + 1, have, k) ||
               (k < have->items.count && lines_fit(want, i, have, k + 1));
    return k < have->items.count && line_fits(want->items.items[i], have->items.items[k]) &&
           lines_fit(want, i + 1, have, k + 1);
}

static bool stream_fits(const struct lines *want, struct span text)
{
    struct lines have = split(text);
    bool fits = lines_fit(want, 0, &have, 0) &&
                (!text.size || text.data[text.size - 1] == '\n' ||
                 (want->items.count && span_is(VEC_LAST(&want->items), "...")) ||
                 (want->items.count && span_ends(VEC_LAST(&want->items), SPAN("{{*}}"))));
    VEC_FREE(&have.items);
    return fits;
}

static void show(const char *mark, struct span text)
{
    struct lines l = split(text);
    for (size_t i = 0; i < l.items.count; i++)
        printf("%s %.*s\n", mark, SPAN_ARG(l.items.items[i]));
    VEC_FREE(&l.items);
}

/* --- cases -------------------------------------------------------------------------------------------------- */

static void remove_tree(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/rm", "rm", "-rf", path, (char *)NULL);
        _exit(126);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static struct span replaced(struct suite *s, struct span line, const char *word, const char *value)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= line.size; i++)
        if (memcmp(line.data + i, word, size) == 0)
            return span_of(arena_printf(&s->arena, "%.*s%s%.*s", (int)i, (const char *)line.data,
                                        value, (int)(line.size - i - size),
                                        (const char *)line.data + i + size));
    return line;
}

static void fill_in(struct suite *s, struct lines *l, const char *folder)
{
    for (size_t i = 0; i < l->items.count; i++)
        for (int k = 0; k < 4; k++) {
            l->items.items[i] = replaced(s, l->items.items[i], "{{cwd}}", folder);
            l->items.items[i] = replaced(s, l->items.items[i], "{{models}}", s->models);
        }
}

static void run_case(struct suite *s, struct one_case *c)
{
    char folder[] = P_tmpdir "/o2w-cli-XXXXXX";
    struct result r;
    if (s->only && !strstr(arena_text(&s->arena, c->name), s->only))
        return;
    if (c->nospace && !getenv("NOSPACE_LIBRARY")) {
        printf("skip %.*s: the library that makes disks full is not there\n", SPAN_ARG(c->name));
        s->skipped++;
        return;
    }
    if (!mkdtemp(folder))
        die("folder");
    fill_in(s, &c->out, folder);
    fill_in(s, &c->err, folder);
    run(s, c, folder, &r);
    remove_tree(folder);
    bool good = !r.timed_out && r.status == c->status && stream_fits(&c->out, r.out) &&
                stream_fits(&c->err, r.err);
    s->passed += good;
    s->failed += !good;
    if (good)
        return;
    printf("FAIL %.*s%s\n? %d (wanted %d)\n", SPAN_ARG(c->name), r.timed_out ? ": too slow" : "",
           r.status, c->status);
    show(">", r.out);
    show("!", r.err);
    printf("\n");
}

static void clear_case(struct one_case *c)
{
    VEC_FREE(&c->script.items);
    VEC_FREE(&c->out.items);
    VEC_FREE(&c->err.items);
    *c = (struct one_case){ 0 };
}

static void end_case(struct suite *s, struct one_case *c)
{
    if (c->script.items.count)
        run_case(s, c);
    clear_case(c);
}

/* What stands behind the mark and its blank. */
static struct span behind(struct span line)
{
    size_t skip = line.size > 1 ? 2 : line.size;
    return (struct span){ line.data + skip, line.size - skip };
}

static void read_line(struct suite *s, struct one_case *c, struct span line)
{
    if (span_starts(line, SPAN("== "))) {
        end_case(s, c);
        c->name = (struct span){ line.data + 3, line.size - 3 };
        return;
    }
    switch (line.size ? line.data[0] : 0) {
    case '$': add(&c->script, behind(line)); break;
    case '?': c->status = atoi(arena_text(&s->arena, behind(line))); break;
    case '>': add(&c->out, behind(line)); break;
    case '!': add(&c->err, behind(line)); break;
    case '@':
        c->tty |= span_is(behind(line), "tty");
        c->nospace |= span_is(behind(line), "nospace");
        break;
    default: break;
    }
}

static void run_file(struct suite *s, const char *path)
{
    struct diags d;
    struct span text;
    struct one_case c = { 0 };
    diags_init(&d, NULL);
    if (file_read_all(path, OUTPUT_LIMIT, &s->arena, &d, &text) != O2W_OK)
        die(path);
    struct lines l = split(text);
    for (size_t i = 0; i < l.items.count; i++)
        read_line(s, &c, l.items.items[i]);
    end_case(s, &c);
    VEC_FREE(&l.items);
    diags_free(&d);
}

/* usage: cli-runner [-n PART] MODELS BIN FILE.cases... */
int main(int argc, char **argv)
{
    struct suite s = { 0 };
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "-n") == 0) {
        s.only = argv[2];
        first = 3;
    }
    if (argc < first + 3)
        return 2;
    arena_init(&s.arena, NULL);
    s.models = argv[first];
    s.bin = argv[first + 1];
    for (int i = first + 2; i < argc; i++)
        run_file(&s, argv[i]);
    arena_free(&s.arena);
    printf("%u passed, %u failed, %u skipped\n", s.passed, s.failed, s.skipped);
    return s.failed || !s.passed ? 1 : 0;
}
