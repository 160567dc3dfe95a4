#include "cli/model_options.h"

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
    OPT_NAME(struct inspect_args, backend, "backend", "NAME",
             .help = "also what this backend's limits refuse"),
    COMMON_OPTIONS(struct inspect_args),
    COMMON_JSON(struct inspect_args),
};

static int run_inspect(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct inspect_args *a = args;
    o2w_convert_options convert;
    o2w_error *notes = NULL;
    o2w_inspect_options options = { .size = sizeof options,
                                    .convert = &convert,
                                    .weights = cli_absolute(c, a->weights),
                                    .backend = a->backend,
                                    .nodes = a->nodes,
                                    .constants = a->constants,
                                    .notes = &notes };
    char *text = NULL;
    model_options(&a->model, c, &convert);
    CLI_TRY(c, cli_check_backend(c, a->backend, false));
    const char *path = positionals->items[0];
    CLI_TRY(c, a->common.json ? o2w_inspect_json(path, &options, &text, &c->error)
                              : o2w_inspect_text(path, &options, &text, &c->error));
    cli_notes(c, notes);
    if (a->common.json)
        cli_members(c, span_of(text));
    else
        cli_print(c, "%s", text);
    webnn_text_free(text);
    int status = cli_finish(c, "inspected", 0);
    o2w_error_free(notes);
    return status;
}

const struct command command_inspect = { .name = "inspect",
                                         .summary = "summary of a model, a graph or an archive",
                                         ROWS(inspect_options),
                                         .args_size = sizeof(struct inspect_args),
                                         .positional = "FILE",
                                         .positional_max = 1,
                                         .run = run_inspect };
