/* A fault inside an engine ends this process: it is told what happened at which stage, and leaves nothing half-written.
 * Everything here may run in a signal handler. */
#include "cli/cli.h"

#include "base/file.h"
#include "base/system.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { STAGE = 48, TEXT = 1024, STACK = 64 << 10 };

static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static char current[STAGE] = "start";
static const char *command; /* NULL: no document is wanted */
static uint8_t stack[STACK];

void crash_stage(const char *stage)
{
    size_t size = strcspn(stage, " ("); /* one word: texts of progress have numbers behind it */
    size = size < STAGE - 1 ? size : STAGE - 1;
    memcpy(current, stage, size);
    current[size] = '\0';
}

/* Appends the texts up to NULL. */
static void write_texts(int file, const char *const *texts)
{
    char line[TEXT];
    size_t count = 0;
    for (; *texts; texts++) {
        size_t size = strlen(*texts), room = sizeof line - count;
        size = size < room ? size : room;
        memcpy(line + count, *texts, size);
        count += size;
    }
    (void)!write(file, line, count);
}

static void on_fault(int number)
{
    const char *name = system_signal_name(number);
    const char *const text[] = {
        "error[case.crashed]: ended by ",
        name,
        " at stage ",
        current,
        "\n  hint: a fault inside an engine; 'onnx2webnn backends' names the libraries\n",
        NULL
    };
    const char *const document[] = {
        "{\"schema\":\"onnx2webnn.",
        command ? command : "",
        "\",\"version\":1,\"tool\":\"",
        O2W_VERSION,
        "\",\"ok\":false,\"result\":\"error\",\"diagnostics\":["
        "{\"severity\":\"error\",\"code\":\"case.crashed\",\"stage\":\"",
        current,
        "\",\"message\":\"ended by ",
        name,
        " at stage ",
        current,
        "\",\"subject\":null,\"file\":null,\"offset\":null,\"line\":null,\"column\":null,\"hint\":null}],"
        "\"timesMs\":{}}\n",
        NULL
    };
    files_discard_all();
    write_texts(STDERR_FILENO, text);
    if (command)
        write_texts(STDOUT_FILENO, document);
    _exit(1);
}

void crash_install(const char *json_of)
{
    stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
    struct sigaction action = { .sa_handler = on_fault,
                                .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND) },
                     old;
    command = json_of;
    sigemptyset(&action.sa_mask);
    (void)sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (sigaction(faults[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            (void)sigaction(faults[i], &action, NULL); /* a sanitizer's own handler stays */
}
