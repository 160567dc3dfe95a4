#include "cli/cli.h"

#include "base/system.h"

#include <stdio.h>
#include <string.h>

static int print_diags(struct diags *d, struct arena *a)
{
    stream_diags(d, a);
    return 2;
}

static int print_text(const char *text)
{
    return text ? stream_stdout(span_of(text)) : 1;
}

static void cli_init(struct cli *c, const struct command *command, const void *args)
{
    *c = (struct cli){ .command = command, .started = system_clock_ns() };
    c->common = args; /* every args struct begins with it */
    arena_init(&c->arena, NULL);
    json_writer_init(&c->json, NULL, 0);
    json_open(&c->json, '{');
    progress_start(c);
}

static void cli_clear(struct cli *c)
{
    progress_clear();
    o2w_error_free(c->error);
    o2w_error_free(c->own);
    json_writer_free(&c->json);
    VEC_FREE(&c->times);
    VEC_FREE(&c->out);
    arena_free(&c->arena);
}

/* Modes that the older variables were about. */
static void note_environment(const struct cli *c, struct arena *a, struct diags *d)
{
    bool about =
        strcmp(c->command->name, "convert") == 0 || strncmp(c->command->name, "validate", 8) == 0;
    if (!about || c->common->quiet)
        return;
    legacy_environment(d);
    stream_diags(d, a);
}

static int run_command(const struct command *command, int argc, char **argv, struct arena *a,
                       struct diags *d)
{
    struct cli c;
    struct text_list positionals = { 0 };
    bool help = false;
    void *args = arena_alloc(a, command->args_size, 16);
    if (!args ||
        options_parse(command, argc - 2, argv + 2, a, d, args, &positionals, &help) != O2W_OK)
        return print_diags(d, a);
    if (help)
        return print_text(help_command(command, a));
    stream_colour(((const struct common_args *)args)->color);
    cli_init(&c, command, args);
    crash_install(c.common->json ? command->name : NULL);
    note_environment(&c, a, d);
    int status = command->run(&c, args, &positionals);
    cli_clear(&c);
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
        return print_text(help_overview(a));
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0)
        return print_text(arena_printf(a, "onnx2webnn %s\n", o2w_version()));
    if (strcmp(first, "case") == 0 && argc == 2) /* how validate-manifest starts this program */
        return manifest_case();
    const struct command *command = command_by_name(span_of(first));
    if (command)
        return run_command(command, argc, argv, a, d);
    if (first[0] == '-')
        (void)option_before_mode(argc, argv, a, d);
    else
        (void)unknown_mode(span_of(first), d);
    return print_diags(d, a);
}

int main(int argc, char **argv)
{
    struct arena a;
    struct diags d;
    system_return_large_blocks();
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    signals_install();
    stream_colour(0);
    int status = dispatch(argc, argv, &a, &d);
    diags_free(&d);
    arena_free(&a);
    return status;
}
