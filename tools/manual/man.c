/* The man page. */
#include "manual.h"

#include <string.h>

/* Text with what roff would take for its own escaped. */
static void put_text(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        (void)fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '-')
            (void)fputs("\\-", out);
        else if (*text == '\\')
            (void)fputs("\\e", out);
        else
            (void)fputc(*text, out);
    }
}

static void put_line(FILE *out, const char *macro, const char *text)
{
    (void)fputs(macro, out);
    put_text(out, text);
    (void)fputc('\n', out);
}

static void put_option(FILE *out, const struct option_row *row)
{
    const char *var = option_metavar(row);
    (void)fputs(".TP\n", out);
    if (row->letter)
        (void)fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    (void)fputs("\\fB\\-\\-", out);
    put_text(out, row->name);
    (void)fputs("\\fR", out);
    if (var) {
        (void)fputs(" \\fI", out);
        put_text(out, var);
        (void)fputs("\\fR", out);
    }
    (void)fputc('\n', out);
    put_text(out, row->help);
    if (row->kind == OPTION_NUMBER)
        (void)fprintf(out, " (%llu to %llu)", (unsigned long long)row->min,
                      (unsigned long long)row->max);
    (void)fprintf(out, "%s%s", row->required ? "; required" : "",
                  option_repeats(row) ? "; may be repeated" : "");
    if (row->needs) {
        (void)fputs("; needs \\fB\\-\\-", out);
        put_text(out, row->needs);
        (void)fputs("\\fR", out);
    }
    (void)fputc('\n', out);
}

static void put_command(FILE *out, const struct command *c)
{
    put_line(out, ".SS ", c->name);
    put_text(out, c->summary);
    (void)fputs(".\n.PP\n\\fBonnx2webnn ", out);
    put_text(out, c->name);
    (void)fputs("\\fR [\\fIOPTION\\fR]...", out);
    if (c->positional)
        (void)fprintf(out, c->positional_optional ? " [\\fI%s\\fR]" : " \\fI%s\\fR", c->positional);
    (void)fputc('\n', out);
    for (size_t i = 0; i < c->option_count; i++)
        put_option(out, &c->options[i]);
}

static const char *const variables[][2] = {
    { "ORT_DYLIB_PATH", "ONNX Runtime's shared library, 1.29 or newer" },
    { "O2W_ORT_PLUGINS", "provider plug-in libraries for ONNX Runtime, separated by colons" },
    { "O2W_ENGINE_DIR", "one folder that is searched for all engines" },
    { "O2W_CACHE_DIR", "moves both caches: webnn/ and onnx/ under it" },
    { "O2W_WEBNN_CACHE, O2W_ONNX_CACHE", "one cache, used as given" },
    { "O2W_LOG", "log level: off, error, warn, info, debug or trace" },
    { "RUST_LOG", "the same where O2W_LOG is not set: a bare level, or onnx2webnn=LEVEL" },
    { "NO_COLOR", "no colour" },
    { "TERM", "dumb: neither colour nor progress" },
    { "XDG_CACHE_HOME, HOME", "where the caches are otherwise" },
};

static const char *const statuses[][2] = {
    { "0", "done; for validations: everything compared passed" },
    { "1", "any failure: unreadable file, unsupported operator, unavailable backend, mismatch" },
    { "2", "usage error; nothing was read or written" },
    { "129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM" },
};

static void put_pairs(FILE *out, const char *title, const char *const pairs[][2], size_t count)
{
    put_line(out, ".SH ", title);
    for (size_t i = 0; i < count; i++) {
        put_line(out, ".TP\n.B ", pairs[i][0]);
        put_text(out, pairs[i][1]);
        (void)fputc('\n', out);
    }
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

void write_man(FILE *out)
{
    (void)fprintf(out, ".TH ONNX2WEBNN 1 \"\" \"onnx2webnn %s\" \"User Commands\"\n",
                  o2w_version());
    (void)fputs(".SH NAME\nonnx2webnn \\- ONNX models as WebNN graphs: converted, proven, run\n"
                ".SH SYNOPSIS\n"
                ".B onnx2webnn\n\\fIMODE\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n.br\n"
                ".B onnx2webnn \\-\\-help\n|\n.B \\-h\n|\n.B \\-\\-version\n|\n.B \\-V\n"
                ".SH DESCRIPTION\n"
                "Values follow their option as the next argument or after an equals sign; "
                "\\fB\\-\\-\\fR ends the options. "
                "Results go to standard output, diagnostics and progress to standard error. "
                "With \\fB\\-\\-json\\fR a mode writes one JSON document.\n"
                ".SH MODES\n",
                out);
    for (size_t i = 0; i < command_count; i++)
        put_command(out, commands[i]);
    put_pairs(out, "ENVIRONMENT", variables, COUNT(variables));
    put_pairs(out, "EXIT STATUS", statuses, COUNT(statuses));
    (void)fputs(".SH EXAMPLES\n"
                ".TP\n.B onnx2webnn convert \\-\\-model model.onnx \\-o out/\n"
                "writes out/model.webnn and out/model.safetensors\n"
                ".TP\n.B onnx2webnn inspect model.onnx\n"
                "shows inputs, dimensions, operators, and what cannot be converted\n",
                out);
}
