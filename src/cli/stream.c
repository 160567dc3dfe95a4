/* The two streams: stderr with diagnostics, stdout with results. */
#include "cli/cli.h"

#include "base/system.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool colour;

void stream_colour(unsigned choice)
{
    const char *term = system_variable("TERM");
    bool dumb = term && strcmp(term, "dumb") == 0;
    colour = choice == 1 ||
             (choice == 0 && isatty(STDERR_FILENO) && !system_variable("NO_COLOR") && !dumb);
}

/* The word in front of '[' gets the colour. */
void stream_item(o2w_severity severity, const char *text)
{
    static const char *const codes[] = { "36", "33", "31" };
    size_t word = strcspn(text, "[");
    progress_clear();
    if (colour)
        (void)fprintf(stderr, "\033[1;%sm%.*s\033[0m%s", codes[severity], (int)word, text,
                      text + word);
    else
        (void)fputs(text, stderr);
}

void stream_error(const o2w_error *error)
{
    for (size_t i = 0; i < o2w_error_count(error); i++) {
        const o2w_diagnostic *item = o2w_error_item(error, i);
        stream_item(item->severity, item->text);
    }
}

void stream_diags(const struct diags *d, struct arena *a)
{
    for (const struct diag *item = d->first; item; item = item->next) {
        const char *text = diag_text(item, a);
        stream_item(item->severity, text ? text : "error[memory]: out of memory\n");
    }
    if (d->lost)
        stream_item(O2W_SEVERITY_ERROR, "error[memory]: out of memory\n");
}

static int stdout_failed(int error)
{
    char words[ERRNO_TEXT], line[300];
    if (error == EINTR) {
        stream_item(O2W_SEVERITY_ERROR, "error[interrupted]: interrupted\n");
        return 128 + signals_caught();
    }
    if (error == EPIPE)
        return 1;
    text_format(line, sizeof line, "error[stdout]: standard output cannot be written: %s\n",
                text_of_errno(error, words));
    stream_item(O2W_SEVERITY_ERROR, line);
    return 1;
}

int stream_stdout(struct span text)
{
    while (text.size) {
        ssize_t written = write(STDOUT_FILENO, text.data, text.size);
        if (written < 0 && errno == EINTR && !signals_caught())
            continue;
        if (written < 0)
            return stdout_failed(errno);
        text.data += written;
        text.size -= (size_t)written;
    }
    return 0;
}
