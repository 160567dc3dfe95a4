/* Words of the older command line: recognised to help, never executed. */
#include "cli/command.h"

#include "base/system.h"

#include <string.h>

struct legacy_row {
    const char *mode;   /* NULL: any */
    const char *option; /* NULL: the mode itself */
    const char *value;  /* NULL: any */
    const char *message, *hint;
};

#define TWO_STEPS \
    "onnx2webnn convert --model MODEL, then onnx2webnn validate --onnx MODEL --backend NAME"
#define ENGINES   "tools/setup fetches engines; 'onnx2webnn backends' shows what works here"
#define SELECTION "--selection all, or --selection match=TEXT"

static const struct legacy_row rows[] = {
    { "validate-models", NULL, NULL, "mode 'validate-models' is now 'validate-manifest'",
      "onnx2webnn validate-manifest" },
    { "validate-cached", NULL, NULL, "mode 'validate-cached' is now 'validate'",
      "onnx2webnn validate --onnx MODEL --backend NAME" },
    { "setup", NULL, NULL, "there is no mode 'setup'", ENGINES },
    { "fetch-engines", NULL, NULL, "there is no mode 'fetch-engines'", ENGINES },
    { "convert", "validate", NULL, "option '--validate' is now a mode of its own", TWO_STEPS },
    { "convert", "validate-cached", NULL, "option '--validate-cached' is now a mode of its own",
      TWO_STEPS },
    { "convert", "input", NULL, "option '--input' names no model; 'convert' takes '--model'",
      "--model" },
    { "convert", "i", NULL, "option '-i' names no model; 'convert' takes '--model'", "--model" },
    { "convert", "onnx", NULL, "option '--onnx' belongs to 'validate'; 'convert' takes '--model'",
      "--model" },
    { "validate", "model", NULL, "option '--model' belongs to 'convert'; 'validate' takes '--onnx'",
      "--onnx" },
    { "validate", "graph", NULL, "option '--graph' is now '--webnn'", "--webnn" },
    { NULL, "optimize", NULL, "option '--optimize' is now '--constant-folding'",
      "--constant-folding" },
    { NULL, "override-dims-file", NULL, "option '--override-dims-file' is no longer there",
      "repeat --override-dim NAME=VALUE, or write MODEL.dims.json beside the model" },
    { "validate-manifest", "weights", "generated",
      "option '--weights' is 'generated', must be 'real'", "--weights real" },
    { "validate-manifest", "selection", "smoke",
      "option '--selection' is 'smoke', must be 'all' or 'match=TEXT'", SELECTION },
    { "validate-manifest", "selection", "extended",
      "option '--selection' is 'extended', must be 'all' or 'match=TEXT'", SELECTION },
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* What 'validate' says to options that change a graph. */
static const char *const conversion_options[] = { "output",
                                                  "o",
                                                  "constant-folding",
                                                  "experimental-dynamic-inputs",
                                                  "max-dim",
                                                  "allow-missing-external-data",
                                                  "keep-inputs",
                                                  "target",
                                                  "assume-int32",
                                                  "assume",
                                                  "bound",
                                                  "unroll-limit",
                                                  "subgraph",
                                                  "names",
                                                  "record",
                                                  "no-record",
                                                  "sync",
                                                  "no-source-copy" };

/* The hint's option takes over the value that the old one had. */
static o2w_status answer(const struct legacy_row *row, const char *mode, const char *value,
                         struct diags *d)
{
    bool option = row->option && row->hint[0] == '-' && !strchr(row->hint, ' ');
    bool flag = strcmp(row->hint, "--constant-folding") == 0;
    o2w_status s = diag_error(d, DIAG_USAGE, "%s", row->message);
    const char *place = option && !flag ? value ? value : "PATH" : "";
    const char *command = mode ? mode : "";
    diag_hint(d, "%s%s%s; see 'onnx2webnn %s%s--help'", row->hint, *place ? " " : "", place,
              command, *command ? " " : "");
    return s;
}

o2w_status legacy_mode(struct span word, struct diags *d)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (!rows[i].option && span_is(word, rows[i].mode))
            return answer(&rows[i], NULL, NULL, d);
    return O2W_OK;
}

static bool row_fits(const struct legacy_row *row, const struct command *c, const char *option)
{
    return row->option && (!row->mode || strcmp(row->mode, c->name) == 0) &&
           strcmp(row->option, option) == 0;
}

static o2w_status refuse_conversion(const char *option, struct diags *d)
{
    const char *dashes = option[1] ? "--" : "-";
    o2w_status s =
        diag_error(d, DIAG_USAGE, "option '%s%s': 'validate' does not convert", dashes, option);
    diag_hint(d, "onnx2webnn convert --model MODEL %s%s; see 'onnx2webnn validate --help'", dashes,
              option);
    return s;
}

o2w_status legacy_option(const struct command *c, const char *option, const char *value,
                         struct diags *d)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (row_fits(&rows[i], c, option) && !rows[i].value)
            return answer(&rows[i], c->name, value, d);
    if (strcmp(c->name, "validate") != 0)
        return O2W_OK;
    for (size_t i = 0; i < sizeof conversion_options / sizeof *conversion_options; i++)
        if (strcmp(conversion_options[i], option) == 0)
            return refuse_conversion(option, d);
    return O2W_OK;
}

o2w_status legacy_value(const struct command *c, const char *option, const char *value,
                        struct diags *d)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (row_fits(&rows[i], c, option) && rows[i].value && strcmp(rows[i].value, value) == 0)
            return answer(&rows[i], c->name, NULL, d);
    return O2W_OK;
}

void legacy_environment(struct diags *d)
{
    static const char *const variables[][2] = { { "O2W_MODEL_VALIDATION", "--selection" },
                                                { "O2W_MODEL_VALIDATION_JOBS", "--jobs" } };
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (system_variable(variables[i][0]))
            (void)diag_note(d, DIAG_USAGE,
                            "variable '%s' is no longer read, 'validate-manifest' takes '%s'",
                            variables[i][0], variables[i][1]);
}
