/* A command is a row: its options are rows too, which parsing, help, the manual and completions read. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <onnx2webnn/validate.h>

#include "base/diag.h"

enum option_kind {
    OPTION_SWITCH,    /* bool */
    OPTION_OFF,       /* bool set to false */
    OPTION_TEXT,      /* const char * */
    OPTION_NUMBER,    /* uint64_t in min … max */
    OPTION_CHOICE,    /* unsigned: index into the words of `values` */
    OPTION_TEXTS,     /* struct text_list */
    OPTION_BINDINGS,  /* struct dim_list: NAME=VALUE */
    OPTION_PINS,      /* struct pin_list: NAME=VALUE */
    OPTION_PAIRS,     /* struct pair_list: KEY=VALUE */
    OPTION_TOLERANCES /* struct tolerance_list: DTYPE=ABS,REL */
};

struct text_list {
    const char **items;
    size_t count;
};
struct dim_list {
    o2w_dim *items;
    size_t count;
};
struct pin_list {
    o2w_pin *items;
    size_t count;
};
struct pair_list {
    webnn_option *items;
    size_t count;
};
struct tolerance_list {
    o2w_tolerance *items;
    size_t count;
};

struct option_row {
    const char *name; /* without dashes */
    char letter;      /* short form, 0: none */
    enum option_kind kind;
    size_t offset;
    const char *metavar, *help, *values; /* values: words with '|' between */
    bool required;
    bool utf8; /* a name: its value must be UTF-8; paths may be any bytes */
    uint64_t min, max;
    int64_t low, high;            /* of the VALUE of OPTION_BINDINGS; 0, 0: 0 … 2147483647 */
    const char *excludes, *needs; /* other option names, blanks between */
    const char *missing;          /* what is said where the value is missing */
};

#define OPT_(of, member, option, option_kind_, ...)                                       \
    {                                                                                     \
        .name = option, .kind = option_kind_, .offset = offsetof(of, member), __VA_ARGS__ \
    }
#define OPT_SWITCH(of, member, option, ...) OPT_(of, member, option, OPTION_SWITCH, __VA_ARGS__)
#define OPT_TEXT(of, member, option, var, ...) \
    OPT_(of, member, option, OPTION_TEXT, .metavar = var, __VA_ARGS__)
#define OPT_NAME(of, member, option, var, ...) \
    OPT_(of, member, option, OPTION_TEXT, .metavar = var, .utf8 = true, __VA_ARGS__)
#define OPT_NUMBER(of, member, option, from, to, ...) \
    OPT_(of, member, option, OPTION_NUMBER, .metavar = "N", .min = from, .max = to, __VA_ARGS__)
#define OPT_CHOICE(of, member, option, words, ...) \
    OPT_(of, member, option, OPTION_CHOICE, .metavar = words, .values = words, __VA_ARGS__)

struct common_args {
    bool debug, quiet, no_progress, json, help;
    unsigned color;
};

#define COMMON_DEBUG(of) \
    OPT_SWITCH(of, common.debug, "debug", .help = "verbose diagnostics of all stages on stderr")
#define COMMON_OPTIONS(of)                                                                      \
    COMMON_DEBUG(of),                                                                           \
        OPT_SWITCH(of, common.quiet, "quiet", .letter = 'q',                                    \
                   .help = "no progress, no informative lines"),                                \
        OPT_CHOICE(of, common.color, "color", "auto|always|never", .help = "colour on stderr"), \
        OPT_SWITCH(of, common.help, "help", .letter = 'h', .help = "this help")
#define COMMON_JSON(of) OPT_SWITCH(of, common.json, "json", .help = "one JSON document on stdout")
#define COMMON_PROGRESS(of) \
    OPT_SWITCH(of, common.no_progress, "no-progress", .help = "no progress display")

struct cli; /* cli/cli.h */

struct command {
    const char *name, *summary;
    const struct option_row *options;
    size_t option_count, args_size;
    const char *positional; /* "FILE", "GUEST.wasm"; NULL: none are taken */
    unsigned positional_max;
    bool positional_optional;
    const char
        *model; /* how its ONNX model is given: "--model", "a FILE argument"; NULL: it takes none */
    /* `positionals` has the arguments that are no options. Returns the exit status. */
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
