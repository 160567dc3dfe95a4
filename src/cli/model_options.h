/* The options that say how a model is converted: of convert, and of the modes that convert in memory. */
#ifndef CLI_MODEL_OPTIONS_H
#define CLI_MODEL_OPTIONS_H

#include "cli/cli.h"

struct model_args {
    struct dim_list dims, max_dims, bounds;
    struct pin_list pins;
    struct text_list assume_int32;
    bool constant_folding, dynamic_inputs, keep_inputs;
    const char *subgraph, *target;
    unsigned assume; /* 0: nothing */
    uint64_t unroll;
};

#define MODEL_OPTIONS(of)                                                                         \
    OPT_(of, model.dims, "override-dim", OPTION_BINDINGS, .help = "bind a dimension"),            \
        OPT_(of, model.pins, "pin-input", OPTION_PINS, .help = "freeze an input to a value"),     \
        OPT_SWITCH(of, model.constant_folding, "constant-folding",                                \
                   .help = "fold everything foldable"),                                           \
        OPT_SWITCH(of, model.dynamic_inputs, "experimental-dynamic-inputs",                       \
                   .help = "keep unresolved dimensions open"),                                    \
        OPT_(of, model.max_dims, "max-dim", OPTION_BINDINGS, .low = 1, .high = 2147483647,        \
             .needs = "experimental-dynamic-inputs", .help = "upper bound of an open dimension"), \
        OPT_SWITCH(of, model.keep_inputs, "keep-inputs",                                          \
                   .help = "inputs with an initializer stay inputs"),                             \
        OPT_TEXT(of, model.subgraph, "subgraph", "NODE.ATTR",                                     \
                 .help = "convert a body graph as a model of its own"),                           \
        OPT_(of, model.bounds, "bound", OPTION_BINDINGS, .low = 1, .high = 2147483647,            \
             .help = "bound of a node whose result size depends on data"),                        \
        OPT_CHOICE(of, model.assume, "assume", "known-categories", .first = 1,                    \
                   .help = "promise for OneHotEncoder"),                                          \
        OPT_NUMBER(of, model.unroll, "unroll-limit", 1, 1000000,                                  \
                   .help = "trips of Loop, Scan and recurrent steps")

/* The library's options; the lists are borrowed. */
void model_options(const struct model_args *m, struct cli *c, o2w_convert_options *out);

#endif
