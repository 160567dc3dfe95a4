#include "cli/cli.h"

#include "base/number.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

extern const struct command
#define COMMAND(id) command_##id,
#include "cli/commands.def"
    command_end;
const struct command command_end = { 0 };

const struct command *const commands[] = {
#define COMMAND(id) &command_##id,
#include "cli/commands.def"
};
const size_t command_count = sizeof commands / sizeof *commands;

const struct command *command_by_name(struct span name)
{
    for (size_t i = 0; i < command_count; i++)
        if (span_is(name, commands[i]->name))
            return commands[i];
    return NULL;
}

static int print_diags(struct diags *d, struct arena *a)
{
    char *text = diags_text(d, a);
    (void)fputs(text ? text : "error[memory]: out of memory\n", stderr);
    return 2;
}

static const char *nearest_mode(struct span word)
{
    const char *best = NULL;
    size_t limit = word.size / 3 ? word.size / 3 : 1, distance = limit + 1;
    for (size_t i = 0; i < command_count; i++) {
        size_t own = text_distance(span_of(commands[i]->name), word);
        if (own < distance) {
            distance = own;
            best = commands[i]->name;
        }
    }
    return best;
}

static void unknown_mode(struct span word, struct diags *d)
{
    const char *near = nearest_mode(word);
    if (legacy_mode(word, d) != O2W_OK)
        return;
    (void)diag_error(d, DIAG_USAGE, "unknown mode '%.*s'", SPAN_ARG(word));
    if (near)
        diag_hint(d, "did you mean '%s'? see 'onnx2webnn --help'", near);
    else
        diag_hint(d, "see 'onnx2webnn --help'");
}

/* The line in the right order: mode first. */
static void option_before_mode(int argc, char **argv, struct arena *a, struct diags *d)
{
    int mode = 1;
    const char *rest = "";
    while (mode < argc && !command_by_name(span_of(argv[mode])))
        mode++;
    for (int i = 1; i < argc; i++)
        if (i != mode)
            rest = arena_printf(a, "%s %s", rest ? rest : "", argv[i]);
    const char *equals = strchr(argv[1], '=');
    int size = equals ? (int)(equals - argv[1]) : (int)strlen(argv[1]);
    (void)diag_error(d, DIAG_USAGE, "option '%.*s' must follow the mode", size, argv[1]);
    if (mode < argc)
        diag_hint(d, "onnx2webnn %s%s", argv[mode], rest ? rest : "");
    else
        diag_hint(d, "see 'onnx2webnn --help'");
}

static int run_command(const struct command *command, int argc, char **argv, struct arena *a,
                       struct diags *d)
{
    struct cli c = { .command = command, .started = system_clock_ns() };
    struct text_list positionals = { 0 };
    bool help = false;
    void *args = arena_alloc(a, command->args_size, 16);
    if (!args ||
        options_parse(command, argc - 2, argv + 2, a, d, args, &positionals, &help) != O2W_OK)
        return print_diags(d, a);
    if (help) {
        char *text = help_command(command, a);
        return text && fputs(text, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 1;
    }
    c.common = args; /* every args struct begins with it */
    arena_init(&c.arena, NULL);
    json_writer_init(&c.json, NULL, 0);
    json_open(&c.json, '{');
    signals_install();
    progress_start(&c);
    int status = command->run(&c, args, &positionals);
    progress_clear();
    o2w_error_free(c.error);
    json_writer_free(&c.json);
    VEC_FREE(&c.times);
    arena_free(&c.arena);
    return status;
}

static int dispatch(int argc, char **argv, struct arena *a, struct diags *d)
{
    const char *first = argc > 1 ? argv[1] : NULL;
    if (!first) {
        (void)fputs(help_overview(a), stderr);
        return 2;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return fputs(help_overview(a), stdout) >= 0 ? 0 : 1;
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0)
        return printf("onnx2webnn %s\n", o2w_version()) > 0 && fflush(stdout) == 0 ? 0 : 1;
    const struct command *command = command_by_name(span_of(first));
    if (command)
        return run_command(command, argc, argv, a, d);
    if (first[0] == '-')
        option_before_mode(argc, argv, a, d);
    else
        unknown_mode(span_of(first), d);
    return print_diags(d, a);
}

int main(int argc, char **argv)
{
    struct arena a;
    struct diags d;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    int status = dispatch(argc, argv, &a, &d);
    diags_free(&d);
    arena_free(&a);
    return status;
}
