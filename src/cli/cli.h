/* One invocation: what commands print with. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/json.h"
#include "cli/command.h"

struct cli {
    const struct command *command;
    const struct common_args *common;
    struct arena arena;
    o2w_environment environment;
    struct json_writer json; /* the document's members between envelope and diagnostics */
    const char *result;      /* of the document */
    o2w_error *error;        /* of the call that failed */
    const o2w_error *notes;  /* of the call that succeeded */
    uint64_t started;
    VEC(struct {
        const char *stage;
        double ms;
    })
    times;
    bool json_done;
};

/* `CLI_TRY(cli, call(…, &cli->error))`: prints the error and ends the command with status 1. */
#define CLI_TRY(cli, call)          \
    do {                            \
        if ((call) != O2W_OK)       \
            return cli_failed(cli); \
    } while (0)

/* Prints cli->error, finishes the JSON document, and gives the exit status. */
int cli_failed(struct cli *c);
/* Results on stdout; nothing with --json. */
void cli_print(struct cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Informative lines on stderr; nothing with --quiet. */
void cli_say(struct cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Warnings and notes of a call on stderr (notes not with --quiet). */
void cli_notes(struct cli *c, const o2w_error *notes);
/* Ends a command that worked: writes the JSON document when it was asked for, checks stdout. */
int cli_finish(struct cli *c, const char *result, int status);
/* The members of a JSON object, as the document's own: instead of writing to cli->json. */
void cli_members(struct cli *c, struct span object);
/* A usage error found by a command itself: exit status 2. */
int cli_usage(struct cli *c, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void cli_time(struct cli *c, const char *stage, double ms);
/* "98.2 MB" in decimal units with one digit. */
const char *cli_size(struct cli *c, uint64_t bytes);

/* Signals and progress: signals.c, progress.c */
void signals_install(void);
int signals_caught(void); /* 0: none */
void progress_start(struct cli *c);
void progress_clear(void);

#endif
