/* First signal: work stops at the next poll point. Second: at once, temporaries still unlinked. */
#include "cli/cli.h"

#include "base/file.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    if (caught) {
        files_discard_all();
        _exit(128 + number);
    }
    caught = number;
}

void signals_install(void)
{
    static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = { .sa_handler = on_signal }, old;
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* the write says it */
}

int signals_caught(void)
{
    return caught;
}
