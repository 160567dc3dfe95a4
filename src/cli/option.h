/* The options of a command are rows, which parsing, help, the manual and completions read. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <onnx2webnn/validate.h>

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
    const char *unless;        /* names of options that it is not required with, blanks between */
    bool utf8;                 /* a name: its value must be UTF-8; paths may be any bytes */
    uint64_t min, max, preset; /* of OPTION_NUMBER; preset: where it is not given */
    unsigned first;            /* what the first word of OPTION_CHOICE is stored as */
    int64_t low, high;         /* of the VALUE of OPTION_BINDINGS; 0, 0: 0 … 2147483647 */
    const char *excludes, *needs; /* other option names, blanks between */
    const char *missing;          /* what is said where the value is missing */
    const char *bare; /* the value of the option without one: then it takes none but behind '=' */
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

#endif
