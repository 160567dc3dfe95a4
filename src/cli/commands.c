/* The modes. */
#include "cli/command.h"

extern const struct command
#define COMMAND(id) command_##id,
#include "cli/commands.def"
    command_end;
const struct command command_end = { 0 };

const struct command *const commands[] = {
#define COMMAND(id) &command_##id,
#include "cli/commands.def"
};
const size_t command_count = sizeof commands / sizeof *commands;

const struct command *command_by_name(struct span name)
{
    for (size_t i = 0; i < command_count; i++)
        if (span_is(name, commands[i]->name))
            return commands[i];
    return NULL;
}
