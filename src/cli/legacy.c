/* Words of the older command line: recognised to help, never executed. */
#include "cli/command.h"

#include <string.h>

struct legacy_row {
    const char *mode;   /* NULL: any */
    const char *option; /* NULL: the mode itself */
    const char *value;  /* NULL: any */
    const char *message, *hint;
};

static const struct legacy_row rows[] = {
    { "validate-models", NULL, NULL, "mode 'validate-models' is now 'validate-manifest'",
      "onnx2webnn validate-manifest --help" },
    { "validate-cached", NULL, NULL, "mode 'validate-cached' is now 'validate'",
      "onnx2webnn validate --onnx MODEL --backend NAME" },
    { "setup", NULL, NULL, "there is no mode 'setup'",
      "tools/setup fetches engines; 'onnx2webnn backends' shows what works here" },
    { "fetch-engines", NULL, NULL, "there is no mode 'fetch-engines'",
      "tools/setup fetches engines; 'onnx2webnn backends' shows what works here" },
    { "convert", "validate", NULL, "option '--validate' is now a mode of its own",
      "onnx2webnn convert --model MODEL, then onnx2webnn validate --onnx MODEL --backend NAME" },
    { "convert", "validate-cached", NULL, "option '--validate-cached' is now a mode of its own",
      "onnx2webnn convert --model MODEL, then onnx2webnn validate --onnx MODEL --backend NAME" },
    { "convert", "input", NULL,
      "option '--input' belongs to 'validate' and 'run'; 'convert' takes '--model'",
      "--model PATH" },
    { "convert", "i", NULL,
      "option '-i' belongs to 'validate' and 'run'; 'convert' takes '--model'", "--model PATH" },
    { "convert", "onnx", NULL, "option '--onnx' belongs to 'validate'; 'convert' takes '--model'",
      "--model PATH" },
    { "validate", "model", NULL, "option '--model' belongs to 'convert'; 'validate' takes '--onnx'",
      "--onnx PATH" },
    { "validate", "graph", NULL, "option '--graph' is now '--webnn'", "--webnn PATH" },
    { NULL, "optimize", NULL, "option '--optimize' is now '--constant-folding'",
      "--constant-folding" },
    { NULL, "override-dims-file", NULL, "option '--override-dims-file' is gone",
      "repeat --override-dim NAME=VALUE, or write MODEL.dims.json beside the model" },
};

/* What 'validate' says to options that change a graph. */
static const char *const conversion_options[] = { "output",
                                                  "o",
                                                  "constant-folding",
                                                  "experimental-dynamic-inputs",
                                                  "max-dim",
                                                  "allow-missing-external-data",
                                                  "keep-inputs",
                                                  "target",
                                                  "bound",
                                                  "subgraph",
                                                  "names",
                                                  "record",
                                                  "no-record" };

static o2w_status answer(const struct legacy_row *row, struct diags *d)
{
    o2w_status s = diag_error(d, DIAG_USAGE, "%s", row->message);
    diag_hint(d, "%s", row->hint);
    return s;
}

o2w_status legacy_mode(struct span word, struct diags *d)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].option && span_is(word, rows[i].mode))
            return answer(&rows[i], d);
    return O2W_OK;
}

o2w_status legacy_option(const struct command *c, const char *option, const char *value,
                         struct diags *d)
{
    (void)value;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].option && (!rows[i].mode || strcmp(rows[i].mode, c->name) == 0) &&
            strcmp(rows[i].option, option) == 0)
            return answer(&rows[i], d);
    if (strcmp(c->name, "validate") != 0)
        return O2W_OK;
    for (size_t i = 0; i < sizeof conversion_options / sizeof *conversion_options; i++)
        if (strcmp(conversion_options[i], option) == 0) {
            o2w_status s = diag_error(
                d, DIAG_USAGE, "option '--%s' is not for 'validate': 'validate' does not convert",
                option);
            diag_hint(d, "onnx2webnn convert --model MODEL --%s; see 'onnx2webnn validate --help'",
                      option);
            return s;
        }
    return O2W_OK;
}
