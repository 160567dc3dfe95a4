#include "cli/engine_options.h"

#include "base/file.h"
#include "base/system.h"

struct validate_args {
    struct common_args common;
    const char *onnx, *webnn, *input, *backend, *weights, *save_feeds, *save_outputs;
    struct dim_list dims;
    struct pin_list pins;
    bool ignore_record;
    struct judge_args judge;
};

static const struct option_row validate_options[] = {
    OPT_TEXT(struct validate_args, onnx, "onnx", "PATH", .required = true,
             .help = "the reference model, read where it lies"),
    OPT_NAME(struct validate_args, backend, "backend", "NAME", .required = true,
             .help = "the engine that runs the graph"),
    OPT_TEXT(struct validate_args, webnn, "webnn", "PATH",
             .help = "the graph; without it the cache entry of the model"),
    OPT_TEXT(struct validate_args, weights, "weights", "PATH",
             .help = "weights archive of the graph"),
    OPT_TEXT(struct validate_args, input, "input", "PATH", .letter = 'i', .excludes = "seed",
             .help = "one safetensors archive of all feeds"),
    OPT_(struct validate_args, dims, "override-dim", OPTION_BINDINGS,
         .help = "size of a dimension of the feeds"),
    OPT_(struct validate_args, pins, "pin-input", OPTION_PINS,
         .help = "value of an input that the graph was pinned to"),
    OPT_SWITCH(struct validate_args, ignore_record, "ignore-record",
               .help = "do not compare with the conversion record"),
    OPT_TEXT(struct validate_args, save_feeds, "save-feeds", "FILE",
             .help = "write the feeds as an archive for --input"),
    OPT_TEXT(struct validate_args, save_outputs, "save-outputs", "DIR",
             .help = "write both sides' outputs as archives"),
    JUDGE_OPTIONS(struct validate_args),
    COMMON_PROGRESS(struct validate_args),
    COMMON_OPTIONS(struct validate_args),
    COMMON_JSON(struct validate_args),
};

static void fill_options(struct cli *c, const struct validate_args *a, o2w_validate_options *o)
{
    o->weights = cli_absolute(c, a->weights);
    o->input = a->input;
    o->dims = a->dims.items;
    o->dim_count = a->dims.count;
    o->pins = a->pins.items;
    o->pin_count = a->pins.count;
    o->ignore_record = a->ignore_record;
    o->save_feeds = a->save_feeds;
    o->save_outputs = a->save_outputs;
}

/* The report's members into the document, its text on stdout. */
static void print_report(struct cli *c, const o2w_report *r)
{
    double ms;
    for (size_t i = 0; i < o2w_report_time_count(r); i++) {
        const char *stage = o2w_report_time(r, i, &ms);
        cli_time(c, stage, ms);
    }
    cli_members(c, span_of(o2w_report_json(r)));
    cli_print(c, "%s", o2w_report_text(r));
}

static int run_validate(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct validate_args *a = args;
    o2w_validate_options options;
    o2w_report *report = NULL;
    int status = 0;
    (void)positionals;
    CLI_TRY(c, cli_check_backend(c, a->backend, false));
    if (!judge_options(&a->judge, c, a->backend, &options, &status))
        return status;
    fill_options(c, a, &options);
    CLI_TRY(c, o2w_validate(a->onnx, a->webnn, &options, &report, &c->error));
    print_report(c, report);
    cli_notes(c, o2w_report_diagnostics(report));
    bool passed = o2w_report_passed(report);
    status = cli_finish(c, passed ? "passed" : "mismatch", passed ? 0 : 1);
    o2w_report_free(report);
    return status;
}

const struct command command_validate = { .name = "validate",
                                          .summary = "a graph against native ONNX Runtime",
                                          ROWS(validate_options),
                                          .model = "--onnx",
                                          .args_size = sizeof(struct validate_args),
                                          .opens_engine = true,
                                          .run = run_validate };
