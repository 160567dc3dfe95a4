#include "cli/model_options.h"

#include <string.h>

struct emit_args {
    struct common_args common;
    struct model_args model;
    const char *output, *weights;
    unsigned weight_data;
    uint64_t max_nodes;
};

static const struct option_row emit_options[] = {
    OPT_TEXT(struct emit_args, output, "output", "PATH", .letter = 'o',
             .help = "the file; '-', the default, is standard output"),
    OPT_CHOICE(struct emit_args, weight_data, "weight-data", "external|inline|none",
               .help = "refer to a file with the bytes, put them in, or leave them out"),
    OPT_NUMBER(struct emit_args, max_nodes, "max-nodes", 1, 10000000,
               .help = "refuse to draw larger graphs, 20000 without it"),
    OPT_TEXT(struct emit_args, weights, "weights", "PATH", .help = "weights archive of the graph"),
    MODEL_OPTIONS(struct emit_args),
    OPT_TEXT(
        struct emit_args, model.target, "target", "NAME|FILE",
        .help = "rewrite for a target's limits: chromium (default of js and html), required, none"),
    OPT_(struct emit_args, model.assume_int32, "assume-int32", OPTION_TEXTS, .metavar = "NAME",
         .help = "promise that this int64 input fits int32"),
    COMMON_OPTIONS(struct emit_args),
};

static const struct {
    const char *word;
    o2w_emit_kind kind;
} kinds[] = {
    { "js", O2W_EMIT_JS },     { "html", O2W_EMIT_HTML }, { "json", O2W_EMIT_JSON },
    { "text", O2W_EMIT_TEXT }, { "dot", O2W_EMIT_DOT },   { "svg", O2W_EMIT_SVG },
    { "onnx", O2W_EMIT_ONNX },
};
#define FORMS "js|html|json|text|dot|svg|onnx"
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* KIND_COUNT: there is none of that name. */
static size_t find_kind(const char *word)
{
    size_t i = 0;
    while (i < KIND_COUNT && strcmp(kinds[i].word, word) != 0)
        i++;
    return i;
}

static int run_emit(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct emit_args *a = args;
    o2w_convert_options convert;
    o2w_error *notes = NULL;
    char *text = NULL;
    size_t size = 0, kind = find_kind(positionals->items[0]);
    if (kind == KIND_COUNT)
        return cli_usage(c, FORMS, "'emit' has no form '%s'", positionals->items[0]);
    if (positionals->count < 2)
        return cli_usage(c, NULL, "'emit %s' needs FILE", positionals->items[0]);
    model_options(&a->model, c, &convert);
    bool file = a->output && strcmp(a->output, "-") != 0;
    o2w_emit_options options = { .size = sizeof options,
                                 .convert = &convert,
                                 .weights = cli_absolute(c, a->weights),
                                 .output = file ? a->output : NULL,
                                 .weight_data = (o2w_weight_data)a->weight_data,
                                 .max_nodes = a->max_nodes,
                                 .notes = &notes,
                                 .environment = &c->environment };
    CLI_TRY(c, o2w_emit_file(positionals->items[1], kinds[kind].kind, &options, &text, &size,
                             &c->error));
    cli_notes(c, notes);
    if (file)
        cli_print(c, "%s: %s\n", kinds[kind].word, a->output);
    else
        cli_write(c, (struct span){ (const uint8_t *)text, size });
    webnn_text_free(text);
    int status = cli_finish(c, "emitted", 0);
    o2w_error_free(notes);
    return status;
}

const struct command command_emit = {
    .name = "emit",
    .summary = "JavaScript, a page, JSON, text, a picture or an ONNX model of a graph",
    ROWS(emit_options),
    .args_size = sizeof(struct emit_args),
    .positional = FORMS " FILE",
    .positional_max = 2,
    .model = "a FILE argument",
    .run = run_emit
};
