#include "cli/model_options.h"

#include <string.h>

struct inspect_args {
    struct common_args common;
    struct model_args model;
    const char *weights, *backend;
    bool nodes, constants;
};

static const struct option_row inspect_options[] = {
    MODEL_OPTIONS(struct inspect_args),
    OPT_SWITCH(struct inspect_args, nodes, "nodes", .help = "one line per node"),
    OPT_SWITCH(struct inspect_args, constants, "constants", .help = "all constants, biggest first"),
    OPT_TEXT(struct inspect_args, weights, "weights", "PATH",
             .help = "weights archive of the graph"),
    OPT_TEXT(struct inspect_args, backend, "backend", "NAME",
             .help = "also what this backend's limits refuse"),
    COMMON_OPTIONS(struct inspect_args),
    COMMON_JSON(struct inspect_args),
};

static int run_inspect(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct inspect_args *a = args;
    o2w_convert_options convert;
    o2w_inspect_options options = { .size = sizeof options,
                                    .convert = &convert,
                                    .weights = cli_absolute(c, a->weights),
                                    .backend = a->backend,
                                    .nodes = a->nodes,
                                    .constants = a->constants };
    char *text = NULL;
    model_options(&a->model, c, &convert);
    CLI_TRY(c, cli_check_backend(c, a->backend, false));
    if (!a->common.json) {
        CLI_TRY(c, o2w_inspect_text(positionals->items[0], &options, &text, &c->error));
        cli_print(c, "%s", text);
        webnn_text_free(text);
        return cli_finish(c, "inspected", 0);
    }
    CLI_TRY(c, o2w_inspect_json(positionals->items[0], &options, &text, &c->error));
    cli_members(c, span_of(text));
    webnn_text_free(text);
    return cli_finish(c, "inspected", 0);
}

const struct command command_inspect = { .name = "inspect",
                                         .summary = "summary of a model, a graph or an archive",
                                         ROWS(inspect_options),
                                         .args_size = sizeof(struct inspect_args),
                                         .positional = "FILE",
                                         .positional_max = 1,
                                         .run = run_inspect };
