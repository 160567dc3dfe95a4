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
enum {
#define COMMAND(id) PLACE_##id,
#include "cli/commands.def"
    COMMAND_COUNT
};
const size_t command_count = COMMAND_COUNT;

const struct command *command_by_name(struct span name)
{
    for (size_t i = 0; i < command_count; i++)
        if (span_is(name, commands[i]->name))
            return commands[i];
    return NULL;
}
