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
    uint64_t min, max;
    int64_t low, high;            /* of the VALUE of OPTION_BINDINGS; 0, 0: 0 … 2147483647 */
    const char *excludes, *needs; /* other option names, blanks between */
};

#define OPT_(of, member, option, option_kind_, ...)                                       \
    {                                                                                     \
        .name = option, .kind = option_kind_, .offset = offsetof(of, member), __VA_ARGS__ \
    }
#define OPT_SWITCH(of, member, option, ...) OPT_(of, member, option, OPTION_SWITCH, __VA_ARGS__)
#define OPT_TEXT(of, member, option, var, ...) \
    OPT_(of, member, option, OPTION_TEXT, .metavar = var, __VA_ARGS__)
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

/* Help of one command, and the list of all. In the arena; NULL when memory is out. */
char *help_command(const struct command *c, struct arena *a);
char *help_overview(struct arena *a);

/* Words of older versions that are answered, never executed: O2W_USAGE with the new form, O2W_OK for
 * words that are not among them. */
o2w_status legacy_mode(struct span word, struct diags *d);
o2w_status legacy_option(const struct command *c, const char *option, const char *value,
                         struct diags *d);

#endif
