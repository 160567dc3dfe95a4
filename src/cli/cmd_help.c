#include "cli/cli.h"

struct help_args {
    struct common_args common;
};

static const struct option_row help_options[] = { COMMON_OPTIONS(struct help_args) };

static int run_help(struct cli *c, const void *args, const struct text_list *positionals)
{
    struct diags d;
    (void)args;
    const char *word = positionals->count ? positionals->items[0] : NULL;
    const struct command *command = word ? command_by_name(span_of(word)) : NULL;
    if (word && !command) {
        diags_init(&d, NULL);
        (void)unknown_mode(span_of(word), &d);
        stream_diags(&d, &c->arena);
        diags_free(&d);
        return 2;
    }
    const char *text = command ? help_command(command, &c->arena) : help_overview(&c->arena);
    cli_print(c, "%s", text ? text : "");
    c->failed |= text == NULL;
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
