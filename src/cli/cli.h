/* One invocation: what commands print with. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/json.h"
#include "cli/command.h"

enum { CLI_REPORTS = 4 };

struct cli {
    const struct command *command;
    const struct common_args *common;
    struct arena arena;
    o2w_environment environment;
    VEC(char) out;           /* what stdout gets at the end */
    struct json_writer json; /* the document's members between envelope and diagnostics */
    o2w_error *error;        /* of the call that failed */
    o2w_error *own;          /* notes of the command itself, among the reports */
    const o2w_error
        *reports[CLI_REPORTS]; /* whose items the document lists before those of `error` */
    unsigned report_count;
    uint64_t started;
    VEC(struct {
        const char *stage;
        double ms;
    })
    times;
    bool json_done, failed; /* failed: memory was out while printing */
};

/* `CLI_TRY(cli, call(…, &cli->error))`: prints the error and ends the command with status 1. */
#define CLI_TRY(cli, call)          \
    do {                            \
        if ((call) != O2W_OK)       \
            return cli_failed(cli); \
    } while (0)

/* Prints cli->error, finishes the JSON document, and gives the exit status: 2 for usage errors, which
 * have no document; 128 + the signal when one ended the work; else 1. */
int cli_failed(struct cli *c);
/* Results on stdout, written when the command ends; nothing with --json. */
void cli_print(struct cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of bytes as they are. */
void cli_write(struct cli *c, struct span bytes);
/* Informative lines on stderr; nothing with --quiet. */
void cli_say(struct cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Warnings and notes of a call on stderr (notes not with --quiet) and in the document; `notes` must
 * live until the command ends, NULL is fine. */
void cli_notes(struct cli *c, const o2w_error *notes);
/* Ends a command that worked: writes stdout, the JSON document when it was asked for. Returns the
 * status, 1 when stdout cannot be written. */
int cli_finish(struct cli *c, const char *result, int status);
/* The members of a JSON object, as the document's own: instead of writing to cli->json. */
void cli_members(struct cli *c, struct span object);
/* A usage error found by a command itself: exit status 2. */
int cli_usage(struct cli *c, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void cli_time(struct cli *c, const char *stage, double ms);
/* "98.2 MB" in decimal units with one digit. */
const char *cli_size(struct cli *c, uint64_t bytes);
/* A path of --weights as the library takes it: there relative ones are relative to the graph, here to the
 * current folder. NULL stays NULL, and comes when memory is out (the error is then set). */
const char *cli_absolute(struct cli *c, const char *path);
/* The name given to --backend: O2W_USAGE when it is none, backend.not-compiled, backend.no-dynamic; the
 * error is in c->error. NULL is O2W_OK. */
o2w_status cli_check_backend(struct cli *c, const char *name, bool dynamic);

/* cmd_validate_manifest.c: one case of a sweep, told on standard input. The exit status. */
int manifest_case(void);

/* stream.c: stderr in colour where asked for; stdout whole. */
void stream_colour(unsigned choice); /* auto, always, never */
void stream_item(o2w_severity severity, const char *text);
void stream_error(const o2w_error *error);
void stream_diags(const struct diags *d, struct arena *a);
/* Writes all of it to stdout. 0; 1 with error[stdout] on stderr, or without a word for a closed pipe;
 * 128 + the signal that ended the wait. */
int stream_stdout(struct span text);

/* Signals and progress: signals.c, progress.c */
void signals_install(void);
/* crash.c: a fault of this process is told as case.crashed, with the document of command `json_of` (NULL: none).
 * Faults that somebody else handles already stay theirs. */
void crash_install(const char *json_of);
void crash_stage(const char *stage); /* where it is now; any thread */
int signals_caught(void);            /* 0: none */
void progress_start(struct cli *c);
void progress_clear(void);

#endif
