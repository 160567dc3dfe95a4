#include "cli/cli.h"

#include <stdio.h>

struct help_args {
    struct common_args common;
};

static const struct option_row help_options[] = { COMMON_OPTIONS(struct help_args) };

static int run_help(struct cli *c, const void *args, const struct text_list *positionals)
{
    (void)args;
    if (positionals->count == 0) {
        (void)fputs(help_overview(&c->arena), stdout);
        return cli_finish(c, "listed", 0);
    }
    const struct command *command = command_by_name(span_of(positionals->items[0]));
    if (!command)
        return cli_usage(c, NULL, "no mode '%s'", positionals->items[0]);
    (void)fputs(help_command(command, &c->arena), stdout);
    return cli_finish(c, "listed", 0);
}

const struct command command_help = { .name = "help",
                                      .summary = "this list, or the options of a mode",
                                      ROWS(help_options),
                                      .args_size = sizeof(struct help_args),
                                      .positional = "MODE",
                                      .positional_max = 1,
                                      .positional_optional = true,
                                      .run = run_help };
