/* A command is a row: its options are rows too, which parsing, help, the manual and completions read. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/diag.h"
#include "cli/option.h"

struct cli; /* cli/cli.h */

struct command {
    const char *name, *summary;
    const struct option_row *options;
    size_t option_count, args_size;
    const char *positional; /* "FILE", "GUEST.wasm"; NULL: none are taken */
    unsigned positional_max;
    bool positional_optional;
    bool rest; /* what stands behind the first positional belongs to it, options too */
    const char
        *model; /* how its ONNX model is given: "--model", "a FILE argument"; NULL: it takes none */
    /* `positionals` has the arguments that are no options. Returns the exit status. */
    bool opens_engine; /* which notes an alias of its name by itself */
    int (*run)(struct cli *c, const void *args, const struct text_list *positionals);
};

#define ROWS(rows) .options = rows, .option_count = sizeof(rows) / sizeof *(rows)

extern const struct command *const commands[];
extern const size_t command_count;
const struct command *command_by_name(struct span name);

/* Reads argv behind the mode into a zeroed args struct; the first usage error in command-line order is
 * in `d`. `help` is true when -h or --help stands before "--". */
o2w_status options_parse(const struct command *c, int argc, char **argv, struct arena *a,
                         struct diags *d, void *args, struct text_list *positionals, bool *help);

/* The row of a name or letter; NULL: none. */
const struct option_row *option_find(const struct command *c, struct span name);
const struct option_row *option_find_letter(const struct command *c, char letter);
bool option_takes_value(const struct option_row *row);
bool option_repeats(const struct option_row *row);
/* What stands for the value in help: "NAME=VALUE"; NULL for switches. */
const char *option_metavar(const struct option_row *row);

/* values.c: the text into the row's place in `args`; O2W_USAGE with its message. `c` is for the hint. */
struct reading {
    const struct command *command;
    struct arena *arena;
    struct diags *diags;
    void *args;
};
o2w_status option_store(struct reading *r, const struct option_row *row, const char *text);
/* Grows an array of the arena at powers of two; false when memory is out. */
bool arena_append(struct arena *a, void **items, size_t count, size_t size);
o2w_status usage_error(struct reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* unknown.c: what is said to options and modes that are not there. O2W_USAGE. */
o2w_status unknown_option(struct reading *r, struct span name, const char *value);
o2w_status unknown_letter(struct reading *r, char letter);
o2w_status unknown_mode(struct span word, struct diags *d);
o2w_status option_before_mode(int argc, char **argv, struct arena *a, struct diags *d);

/* Help of one command, and the list of all. In the arena; NULL when memory is out. */
char *help_command(const struct command *c, struct arena *a);
char *help_overview(struct arena *a);

/* Words of older versions that are answered, never executed: O2W_USAGE with the new form, O2W_OK for
 * words that are not among them. `value`: what stood behind '=' or came next, may be NULL. */
o2w_status legacy_mode(struct span word, struct diags *d);
o2w_status legacy_option(const struct command *c, const char *option, const char *value,
                         struct diags *d);
/* Values that an option no longer takes. */
o2w_status legacy_value(const struct command *c, const char *option, const char *value,
                        struct diags *d);
/* Notes about variables that are no longer read. */
void legacy_environment(struct diags *d);

#endif
