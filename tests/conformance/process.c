#include "process.h"

#include "base/file.h"
#include "base/system.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void child(const char *const *arguments, const char *home, int out, int error)
{
    int none = open("/dev/null", O_RDONLY);
    if (none < 0 || dup2(none, 0) < 0 || dup2(out, 1) < 0 || dup2(error, 2) < 0)
        _exit(127);
    setenv("HOME", home, 1);
    setenv("XDG_CACHE_HOME", home, 1);
    execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
}

static void await(pid_t pid, double limit, struct process *out)
{
    const struct timespec pause = { .tv_nsec = 2000000 };
    uint64_t start = system_clock_ns();
    struct rusage usage;
    int status = 0;
    while (wait4(pid, &status, WNOHANG, &usage) == 0) {
        if (!out->timed_out && (double)(system_clock_ns() - start) > limit * 1e9) {
            out->timed_out = true;
            kill(pid, SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
    out->seconds = (double)(system_clock_ns() - start) / 1e9;
    out->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int open_beside(const char *folder, const char *name, struct arena *a, char **path)
{
    *path = path_join(a, span_of(folder), span_of(name));
    return *path == NULL ? -1 : open(*path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
}

bool process_run(const char *const *arguments, const char *folder, const char *home, double limit,
                 struct arena *a, struct process *out)
{
    char *out_path, *error_path;
    int output = open_beside(folder, "out", a, &out_path),
        error = open_beside(folder, "err", a, &error_path);
    *out = (struct process){ .status = -1 };
    fflush(stdout);
    pid_t pid = output < 0 || error < 0 ? -1 : fork();
    if (pid == 0)
        child(arguments, home, output, error);
    if (pid > 0)
        await(pid, limit, out);
    if (output >= 0)
        close(output);
    if (error >= 0)
        close(error);
    if (pid <= 0)
        return false;
    if (file_read_all(error_path, UINT64_C(1) << 20, a, NULL, &out->error_text) != O2W_OK)
        out->error_text = span_of("");
    return out->status != 127;
}
