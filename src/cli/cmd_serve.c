#include "base/error.h"
#include "cli/cli.h"
#include "cli/serve.h"

#include <string.h>
#include <time.h>

struct serve_args {
    struct common_args common;
    const char *bind;
    uint64_t port;
};

enum { PORT = 8080 };

static const struct option_row serve_options[] = {
    OPT_NUMBER(struct serve_args, port, "port", 1, 65535, .help = "8080 without it"),
    OPT_NAME(struct serve_args, bind, "bind", "ADDRESS",
             .help = "another address than 127.0.0.1: others can read the folder then"),
    COMMON_OPTIONS(struct serve_args),
};

/* Said at once: the command ends when it is told to. */
static int say_where(struct cli *c, const char *folder, const char *address, unsigned port)
{
    bool six = strchr(address, ':') != NULL;
    const char *line = arena_printf(&c->arena, "serving %s at http://%s%s%s:%u/\n", folder,
                                    six ? "[" : "", address, six ? "]" : "", port);
    return line ? stream_stdout(span_of(line)) : 1;
}

static void wait_for_signal(void)
{
    const struct timespec pause = { .tv_nsec = 100 * 1000 * 1000 };
    while (!signals_caught())
        (void)nanosleep(&pause, NULL);
}

static int run_serve(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct serve_args *a = args;
    const char *folder = positionals->items[0], *address = a->bind ? a->bind : "127.0.0.1";
    uint16_t port = a->port ? (uint16_t)a->port : PORT;
    struct server *server = NULL;
    struct diags d;
    diags_init(&d, NULL);
    o2w_status s = server_start(folder, address, port, &d, &server);
    s = error_from_diags(&d, s, &c->error);
    diags_free(&d);
    if (s != O2W_OK)
        return cli_failed(c);
    int status = say_where(c, folder, address, port);
    if (status == 0) {
        wait_for_signal();
        status = 128 + signals_caught();
    }
    server_stop(server);
    return status;
}

const struct command command_serve = { .name = "serve",
                                       .summary = "a web server for emitted pages",
                                       ROWS(serve_options),
                                       .args_size = sizeof(struct serve_args),
                                       .positional = "DIR",
                                       .positional_max = 1,
                                       .run = run_serve };
