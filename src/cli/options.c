/* Command lines by rows. */
#include "cli/command.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

struct parse {
    struct reading reading;
    int argc, next;
    char **argv;
    bool *seen;
    struct text_list *positionals;
};

/* --- rows ---------------------------------------------------------------------------------------------- */

const struct option_row *option_find(const struct command *c, struct span name)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (span_is(name, c->options[i].name))
            return &c->options[i];
    return NULL;
}

const struct option_row *option_find_letter(const struct command *c, char letter)
{
    for (size_t i = 0; letter && i < c->option_count; i++)
        if (c->options[i].letter == letter)
            return &c->options[i];
    return NULL;
}

bool option_takes_value(const struct option_row *row)
{
    return row->kind != OPTION_SWITCH && row->kind != OPTION_OFF;
}

bool option_repeats(const struct option_row *row)
{
    return row->kind >= OPTION_TEXTS;
}

const char *option_metavar(const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_SWITCH:
    case OPTION_OFF: return NULL;
    case OPTION_BINDINGS:
    case OPTION_PINS: return row->metavar ? row->metavar : "NAME=VALUE";
    case OPTION_PAIRS: return "KEY=VALUE";
    case OPTION_TOLERANCES: return "DTYPE=ABS,REL";
    case OPTION_NUMBER: return "N";
    case OPTION_TEXT:
    case OPTION_TEXTS:
    case OPTION_CHOICE: break;
    }
    return row->metavar ? row->metavar : "TEXT";
}

/* --- one argument ------------------------------------------------------------------------------------- */

static o2w_status given_twice(struct parse *p, const struct option_row *row)
{
    struct diags *d = p->reading.diags;
    const char *mode = p->reading.command->name;
    o2w_status s = diag_error(d, DIAG_USAGE, "option '--%s' given twice for '%s'", row->name, mode);
    diag_hint(d, "%ssee 'onnx2webnn %s --help'",
              strcmp(row->name, "model") == 0 ? "one model per invocation; " : "", mode);
    return s;
}

/* The next argument as a value; NULL when it is none. */
static const char *next_value(struct parse *p)
{
    const char *next = p->next < p->argc ? p->argv[p->next] : NULL;
    if (!next || (next[0] == '-' && next[1] != '\0'))
        return NULL;
    p->next++;
    return next;
}

static o2w_status needs_value(struct parse *p, const struct option_row *row)
{
    const char *next = p->next < p->argc ? p->argv[p->next] : NULL,
               *mode = p->reading.command->name;
    struct diags *d = p->reading.diags;
    const char *extra = row->missing ? row->missing : "", *mark = row->missing ? "; " : "";
    o2w_status s = diag_error(d, DIAG_USAGE, "option '--%s' needs a value", row->name);
    if (next)
        diag_hint(d,
                  "%s%sa value that begins with '-' is written --%s=%s; see 'onnx2webnn %s --help'",
                  extra, mark, row->name, next, mode);
    else
        diag_hint(d, "%s%s--%s %s; see 'onnx2webnn %s --help'", extra, mark, row->name,
                  option_metavar(row), mode);
    return s;
}

/* value: what stood behind '=', or NULL. */
static o2w_status accept(struct parse *p, const struct option_row *row, const char *value)
{
    struct reading *r = &p->reading;
    bool *seen = &p->seen[row - r->command->options];
    if (!option_takes_value(row) && value)
        return usage_error(r, "option '--%s' takes no value, '%s' is given", row->name, value);
    if (option_takes_value(row) && !value && !(value = row->bare) && !(value = next_value(p)))
        return needs_value(p, row);
    if (value && !*value)
        return usage_error(r, "option '--%s' needs a value that is not empty", row->name);
    bool is_path = row->kind == OPTION_TEXT && !row->utf8;
    if (value && !is_path && !utf8_valid(span_of(value), NULL))
        return usage_error(r, "the value of option '--%s' is not UTF-8: '%s'", row->name, value);
    if (*seen && !option_repeats(row))
        return given_twice(p, row);
    if (value)
        TRY(legacy_value(r->command, row->name, value, r->diags));
    *seen = true;
    return option_store(r, row, value);
}

static o2w_status long_option(struct parse *p, const char *text)
{
    const char *equals = strchr(text, '=');
    struct span name = { (const uint8_t *)text, equals ? (size_t)(equals - text) : strlen(text) };
    const struct option_row *row = option_find(p->reading.command, name);
    if (row)
        return accept(p, row, equals ? equals + 1 : NULL);
    return unknown_option(&p->reading, name, equals ? equals + 1 : next_value(p));
}

static o2w_status short_option(struct parse *p, const char *text)
{
    const struct option_row *row = option_find_letter(p->reading.command, text[0]);
    if (!row)
        return unknown_letter(&p->reading, text[0]);
    if (!text[1])
        return accept(p, row, NULL);
    if (!option_takes_value(row))
        return usage_error(&p->reading,
                           "option '-%c' takes no value, short options are not bundled: '-%s'",
                           text[0], text);
    return accept(p, row, text[1] == '=' ? text + 2 : text + 1);
}

static o2w_status refuse_positional(struct parse *p, const char *text)
{
    const struct command *c = p->reading.command;
    o2w_status s = diag_error(p->reading.diags, DIAG_USAGE, "unexpected argument '%s' for '%s'",
                              text, c->name);
    if (c->model)
        diag_hint(p->reading.diags, "%s %s; see 'onnx2webnn %s --help'", c->model, text, c->name);
    else
        diag_hint(p->reading.diags, "see 'onnx2webnn %s --help'", c->name);
    return s;
}

static o2w_status positional(struct parse *p, const char *text)
{
    const struct command *c = p->reading.command;
    struct text_list *list = p->positionals;
    if (!c->positional)
        return refuse_positional(p, text);
    if (list->count >= c->positional_max)
        return usage_error(&p->reading, "unexpected argument '%s' for '%s', which takes one %s",
                           text, c->name, c->positional);
    if (!*text && !(c->rest && list->count))
        return usage_error(&p->reading, "argument %s is empty", c->positional);
    if (!arena_append(p->reading.arena, (void **)&list->items, list->count, sizeof *list->items))
        return diag_memory(p->reading.diags);
    list->items[list->count++] = text;
    return O2W_OK;
}

/* --- afterwards -------------------------------------------------------------------------------------- */

/* Whether one of the names, with blanks between, was given. */
static bool word_given(const struct parse *p, const char *words, const char **found)
{
    const struct command *c = p->reading.command;
    for (size_t i = 0; i < c->option_count; i++) {
        const char *name = c->options[i].name, *at = words;
        size_t size = strlen(name);
        while (p->seen[i] && (at = strstr(at, name))) {
            if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size])) {
                *found = name;
                return true;
            }
            at += size;
        }
    }
    return false;
}

static o2w_status check_required(struct parse *p)
{
    const struct command *c = p->reading.command;
    const char *names = NULL, *other = NULL;
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].required && !p->seen[i] &&
            !(c->options[i].unless && word_given(p, c->options[i].unless, &other)))
            names = arena_printf(p->reading.arena, "%s%s'--%s'", names ? names : "",
                                 names ? ", " : "", c->options[i].name);
    if (c->positional && !c->positional_optional && p->positionals->count == 0)
        names = arena_printf(p->reading.arena, "%s%s%s", names ? names : "", names ? ", " : "",
                             c->positional);
    return names ? usage_error(&p->reading, "'%s' needs %s", c->name, names) : O2W_OK;
}

static o2w_status check_conflicts(struct parse *p)
{
    const struct command *c = p->reading.command;
    const char *other = NULL;
    for (size_t i = 0; i < c->option_count; i++) {
        const struct option_row *row = &c->options[i];
        if (!p->seen[i])
            continue;
        if (row->excludes && word_given(p, row->excludes, &other))
            return usage_error(&p->reading, "options '--%s' and '--%s' exclude each other",
                               row->name, other);
        if (row->needs && !word_given(p, row->needs, &other))
            return usage_error(&p->reading, "option '--%s' needs '--%s'", row->name, row->needs);
    }
    return O2W_OK;
}

static bool help_asked(const struct command *c, int argc, char **argv)
{
    for (int i = 0; i < argc && !c->rest && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

static o2w_status read_arguments(struct parse *p)
{
    bool options = true;
    while (p->next < p->argc) {
        const char *text = p->argv[p->next++];
        options = options && !(p->reading.command->rest && p->positionals->count);
        if (options && strcmp(text, "--") == 0)
            options = false;
        else if (options && text[0] == '-' && text[1] == '-')
            TRY(long_option(p, text + 2));
        else if (options && text[0] == '-' && text[1])
            TRY(short_option(p, text + 1));
        else
            TRY(positional(p, text));
    }
    return O2W_OK;
}

static void set_presets(const struct command *c, void *args)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].preset)
            memcpy((char *)args + c->options[i].offset, &c->options[i].preset, sizeof(uint64_t));
}

o2w_status options_parse(const struct command *c, int argc, char **argv, struct arena *a,
                         struct diags *d, void *args, struct text_list *positionals, bool *help)
{
    struct parse p = { .reading = { .command = c, .arena = a, .diags = d, .args = args },
                       .argc = argc,
                       .argv = argv,
                       .seen = ARENA_ARRAY(a, c->option_count, bool),
                       .positionals = positionals };
    if (!p.seen)
        return diag_memory(d);
    *help = help_asked(c, argc, argv);
    if (*help)
        return O2W_OK;
    set_presets(c, args);
    TRY(read_arguments(&p));
    *help = ((const struct common_args *)args)->help;
    if (*help)
        return O2W_OK;
    TRY(check_required(&p));
    return check_conflicts(&p);
}
