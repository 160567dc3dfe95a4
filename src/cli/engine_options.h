/* The options that say how a graph runs, and how a run is judged: of the modes that do so. */
#ifndef CLI_ENGINE_OPTIONS_H
#define CLI_ENGINE_OPTIONS_H

#include "cli/cli.h"

struct engine_args {
    struct pair_list options;
    bool require;
    uint64_t threads;
};

struct judge_args {
    struct engine_args engine;
    struct text_list seeds;
    struct tolerance_list tolerances;
    unsigned optimization;
    bool strict_reference;
};

#define ENGINE_OPTIONS(of, engine)                                                            \
    OPT_(of, engine.options, "backend-option", OPTION_PAIRS, .help = "option of the engine"), \
        OPT_SWITCH(of, engine.require, "require-backend",                                     \
                   .help = "refuse a build that leaves nodes to another provider"),           \
        OPT_NUMBER(of, engine.threads, "threads", 1, 1024, .help = "worker threads")

#define JUDGE_OPTIONS(of)                                                                       \
    OPT_(of, judge.seeds, "seed", OPTION_TEXTS, .metavar = "N",                                 \
         .help = "one more run with random feeds"),                                             \
        OPT_(of, judge.tolerances, "tolerance", OPTION_TOLERANCES,                              \
             .help = "replaces what is allowed for a data type"),                               \
        OPT_CHOICE(of, judge.optimization, "reference-optimization", "none|basic|extended|all", \
                   .help = "graph optimisation of the reference"),                              \
        OPT_SWITCH(of, judge.strict_reference, "strict-reference",                              \
                   .help = "judge against what is published, whatever its accuracy_level"),     \
        ENGINE_OPTIONS(of, judge.engine)

/* The library's options for `backend`; the lists are borrowed. False when a seed is no number that a seed can be:
 * *status is then the exit status. */
bool judge_options(const struct judge_args *j, struct cli *c, const char *backend,
                   o2w_validate_options *out, int *status);

#endif
