/* The guest's own process: limits, an empty folder, nothing inherited; the parent watches. Forked before
 * any thread or engine exists. */
#include "cli/wasi.h"

#include "base/system.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

enum {
    DATA_GIB = 8,
    FILES = 64,
    GRACE_MS = 400,
    POLL_MS = 100,
    STATUS_KILLED = 125,
    STATUS_TIME = 124
};

/* --- the child -------------------------------------------------------------------------------------- */

#if defined(__GLIBC__)
typedef enum __rlimit_resource limit_id;
#else
typedef int limit_id;
#endif

static void limit(limit_id resource, rlim_t most)
{
    struct rlimit l;
    if (getrlimit(resource, &l) == 0) {
        l.rlim_cur = l.rlim_max < most ? l.rlim_max : most;
        l.rlim_max = l.rlim_cur;
        (void)setrlimit(resource, &l);
    }
}

/* A folder that is gone: nothing is in it, nothing can be put there. */
static bool enter_empty_folder(void)
{
    char path[] = P_tmpdir "/o2w-guest-XXXXXX";
    if (!mkdtemp(path))
        return chdir("/proc/self/fdinfo") == 0 || chdir("/") == 0;
    bool entered = chdir(path) == 0;
    (void)rmdir(path);
    return entered;
}

/* What finds the engines stays. */
static void empty_environment(void)
{
    static const char *const names[] = { "ORT_DYLIB_PATH", "O2W_ENGINE_DIR", "O2W_WASMTIME",
                                         "LD_LIBRARY_PATH", "O2W_LOG" };
    enum { COUNT = sizeof names / sizeof *names };
    char *kept[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        const char *value = getenv(names[i]);
        kept[i] = value ? strdup(value) : NULL;
    }
#if defined(__linux__)
    (void)clearenv();
#endif
    for (size_t i = 0; i < COUNT; i++) {
        if (kept[i])
            (void)setenv(names[i], kept[i], 1);
        free(kept[i]);
    }
}

static void close_descriptors(int keep)
{
    for (int fd = 3; fd < 1024; fd++)
        if (fd != keep)
            (void)close(fd);
}

static bool confine(int alive)
{
#if defined(__linux__)
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
    if (!isatty(STDIN_FILENO)) /* a terminal is read by the foreground group alone */
        (void)setpgid(0, 0);
    close_descriptors(alive);
    empty_environment();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, FILES);
#if !defined(SANITIZED)
    limit(RLIMIT_DATA, (rlim_t)DATA_GIB << 30);
#endif
    return enter_empty_folder();
}

void wasi_overdue(void *user, const char *what)
{
    struct wasi_run *r = user;
    char message[200];
    (void)snprintf(
        message, sizeof message,
        "a %s did not end when its time was over (--%s-timeout): the guest's process ends", what,
        what);
    wasi_say("%s", message);
    const struct wasi_outcome o = { STATUS_KILLED, "killed", message, NULL, NULL };
    (void)wasi_write_report(r, &o);
    (void)fflush(NULL);
    _exit(STATUS_KILLED);
}

static int out_of_time(struct wasi_run *r, const char *what)
{
    wasi_say("the time of %u ms is over: %s", r->numbers.timeout, what);
    const struct wasi_outcome o = { STATUS_TIME, "timeout", "the wall time is over", NULL, NULL };
    (void)wasi_write_report(r, &o);
    return STATUS_TIME;
}

void wasi_run_overdue(void *user)
{
    int status = out_of_time(user, "the process ends");
    (void)fflush(NULL);
    _exit(status);
}

/* --- the parent ------------------------------------------------------------------------------------- */

/* Waits until the child is gone, a signal came, or the time is over; true where it is gone. */
static bool wait_for(int alive, uint64_t deadline_ns)
{
    for (;;) {
        struct pollfd p = { .fd = alive, .events = POLLIN };
        uint64_t now = system_clock_ns();
        if (signals_caught() || now >= deadline_ns)
            return false;
        uint64_t left = (deadline_ns - now) / 1000000 + 1;
        if (poll(&p, 1, left < POLL_MS ? (int)left : POLL_MS) > 0)
            return true;
    }
}

static int killed(struct wasi_run *r, int signal_number)
{
    char message[200];
    bool memory = signal_number == SIGABRT || signal_number == SIGSEGV || signal_number == SIGKILL;
    (void)snprintf(message, sizeof message, "the guest's process was killed by signal %d (%s)%s",
                   signal_number, strsignal(signal_number),
                   memory ? ": a fault of an engine, or the memory limit of 8 GiB (RLIMIT_DATA)"
                          : "");
    wasi_say("%s", message);
    const struct wasi_outcome o = { STATUS_KILLED, "killed", message, NULL, NULL };
    (void)wasi_write_report(r, &o);
    return STATUS_KILLED;
}

static int reap(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static int watch(struct wasi_run *r, pid_t child, int alive)
{
    uint64_t end = UINT64_MAX;
    if (r->numbers.timeout)
        end = system_clock_ns() + (r->numbers.timeout + (uint64_t)GRACE_MS) * 1000000;
    bool gone = wait_for(alive, end);
    if (!gone)
        (void)kill(child, SIGKILL);
    int status = reap(child);
    if (signals_caught())
        return 128 + signals_caught();
    if (!gone)
        return out_of_time(r, "the guest's process was killed");
    return WIFSIGNALED(status) ? killed(r, WTERMSIG(status)) : WEXITSTATUS(status);
}

int wasi_isolated(struct wasi_run *r, int (*serve)(struct wasi_run *r))
{
    int ends[2];
    if (pipe(ends) != 0) {
        wasi_say("no pipe for the guest's process: %s", strerror(errno));
        return 1;
    }
    pid_t child = fork();
    if (child < 0) {
        wasi_say("no process for the guest: %s", strerror(errno));
        return 1;
    }
    if (child == 0) {
        (void)close(ends[0]);
        for (int n = 1; n < 3; n++) /* the parent passes them on */
            (void)signal(n, SIG_DFL);
        if (!confine(ends[1])) {
            wasi_say("no empty folder for the guest's process");
            _exit(1);
        }
        r->isolated = true;
        int status = serve(r);
        (void)fflush(NULL);
        _exit(status);
    }
    (void)close(ends[1]);
    int status = watch(r, child, ends[0]);
    (void)close(ends[0]);
    return status;
}
