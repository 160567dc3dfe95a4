/* What is said to options and modes that are not there. */
#include "cli/command.h"

#include "base/number.h"

#include <string.h>

/* --- modes ---------------------------------------------------------------------------------------------- */

static size_t distance_limit(size_t size)
{
    return size / 3 ? size / 3 : 1;
}

static const char *nearest_mode(struct span word)
{
    const char *best = NULL;
    size_t distance = distance_limit(word.size) + 1;
    for (size_t i = 0; i < command_count; i++) {
        size_t own = text_distance(span_of(commands[i]->name), word);
        if (own < distance) {
            distance = own;
            best = commands[i]->name;
        }
    }
    for (size_t i = 0; !best && word.size > 1 && i < command_count; i++)
        if (span_starts(span_of(commands[i]->name), word))
            best = commands[i]->name;
    return best;
}

o2w_status unknown_mode(struct span word, struct diags *d)
{
    TRY(legacy_mode(word, d));
    const char *near = nearest_mode(word);
    o2w_status s = diag_error(d, DIAG_USAGE, "unknown mode '%.*s'", SPAN_ARG(word));
    if (near)
        diag_hint(d, "did you mean '%s'? see 'onnx2webnn --help'", near);
    else if (span_ends(word, SPAN(".onnx")))
        diag_hint(d, "onnx2webnn convert --model %.*s; see 'onnx2webnn --help'", SPAN_ARG(word));
    else
        diag_hint(d, "see 'onnx2webnn --help'");
    return s;
}

/* --- options in front of the mode ------------------------------------------------------------------------ */

/* Whether any mode has such an option with a value of its own behind it. */
static bool eats_next(const char *argument)
{
    if (strchr(argument, '='))
        return false;
    for (size_t i = 0; i < command_count; i++) {
        const struct option_row *row = argument[1] == '-'
                                           ? option_find(commands[i], span_of(argument + 2))
                                       : argument[2] ? NULL
                                                     : option_find_letter(commands[i], argument[1]);
        if (row)
            return option_takes_value(row) && !row->bare;
    }
    return false;
}

/* The first word that can be the mode, argc when there is none. */
static int find_mode(int argc, char **argv)
{
    int i = 1;
    while (i < argc && !(argv[i][0] != '-' && command_by_name(span_of(argv[i]))))
        i += argv[i][0] == '-' && eats_next(argv[i]) ? 2 : 1;
    return i < argc ? i : argc;
}

/* As a shell would have to read it. */
static const char *quoted(struct arena *a, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:,+@%=";
    if (*text && text[strspn(text, plain)] == '\0')
        return text;
    return arena_printf(a, "'%s'", text);
}

o2w_status option_before_mode(int argc, char **argv, struct arena *a, struct diags *d)
{
    int mode = find_mode(argc, argv);
    const char *rest = "";
    for (int i = 1; i < argc && rest; i++) {
        const char *word = i == mode ? "" : quoted(a, argv[i]);
        if (i != mode)
            rest = word ? arena_printf(a, "%s %s", rest, word) : NULL;
    }
    if (!rest)
        return diag_memory(d);
    const char *equals = strchr(argv[1], '=');
    int size = equals ? (int)(equals - argv[1]) : (int)strlen(argv[1]);
    o2w_status s = diag_error(d, DIAG_USAGE, "option '%.*s' must follow the mode", size, argv[1]);
    if (mode < argc)
        diag_hint(d, "onnx2webnn %s%s", argv[mode], rest);
    else
        diag_hint(d, "onnx2webnn MODE%s; see 'onnx2webnn --help'", rest);
    return s;
}

/* --- options behind the mode ----------------------------------------------------------------------------- */

/* The nearest option within a third of the length, else the first it could be short for. */
static const struct option_row *nearest_option(const struct command *c, struct span name)
{
    const struct option_row *best = NULL;
    size_t distance = distance_limit(name.size) + 1;
    for (size_t i = 0; i < c->option_count; i++) {
        size_t own = text_distance(span_of(c->options[i].name), name);
        if (own < distance) {
            distance = own;
            best = &c->options[i];
        }
    }
    for (size_t i = 0; !best && name.size && i < c->option_count; i++)
        if (span_starts(span_of(c->options[i].name), name))
            best = &c->options[i];
    return best;
}

/* "'a', 'b' and 'c'": the other modes that have it; NULL: none. */
static const char *owners(struct reading *r, struct span name)
{
    const char *list = NULL, *last = NULL;
    for (size_t i = 0; i < command_count; i++) {
        if (commands[i] == r->command || !option_find(commands[i], name))
            continue;
        if (last)
            list = arena_printf(r->arena, "%s%s'%s'", list ? list : "", list ? ", " : "", last);
        last = commands[i]->name;
    }
    if (!last)
        return NULL;
    return list ? arena_printf(r->arena, "%s and '%s'", list, last)
                : arena_printf(r->arena, "'%s'", last);
}

static o2w_status belongs_elsewhere(struct reading *r, const char *option, const char *modes)
{
    const struct command *c = r->command;
    bool names_model = strcmp(option, "model") == 0 || strcmp(option, "onnx") == 0;
    if (names_model && c->model && c->model[0] == '-')
        return usage_error(r, "option '--%s' belongs to %s; '%s' takes '%s'", option, modes,
                           c->name, c->model);
    if (names_model && c->positional)
        return usage_error(r, "option '--%s' belongs to %s; '%s' takes an argument %s", option,
                           modes, c->name, c->positional);
    return usage_error(r, "option '--%s' belongs to %s, not to '%s'", option, modes, c->name);
}

o2w_status unknown_option(struct reading *r, struct span name, const char *value)
{
    const struct command *c = r->command;
    char *text = arena_text(r->arena, name);
    if (!text)
        return diag_memory(r->diags);
    TRY(legacy_option(c, text, value, r->diags));
    const char *modes = owners(r, name);
    if (modes)
        return belongs_elsewhere(r, text, modes);
    const struct option_row *near = nearest_option(c, name);
    o2w_status s =
        diag_error(r->diags, DIAG_USAGE, "unknown option '--%s' for '%s'", text, c->name);
    if (near)
        diag_hint(r->diags, "did you mean '--%s'? see 'onnx2webnn %s --help'", near->name, c->name);
    else
        diag_hint(r->diags, "see 'onnx2webnn %s --help'", c->name);
    return s;
}

o2w_status unknown_letter(struct reading *r, char letter)
{
    char text[2] = { letter, 0 };
    const char *modes = NULL, *option = NULL;
    TRY(legacy_option(r->command, text, NULL, r->diags));
    for (size_t i = 0; !modes && i < command_count; i++)
        if (option_find_letter(commands[i], letter)) {
            modes = commands[i]->name;
            option = option_find_letter(commands[i], letter)->name;
        }
    if (modes)
        return usage_error(r, "option '-%c' ('--%s') belongs to '%s', not to '%s'", letter, option,
                           modes, r->command->name);
    return usage_error(r, "unknown option '-%c' for '%s'", letter, r->command->name);
}
