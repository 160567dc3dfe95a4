/* Command lines by rows. */
#include "cli/command.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

struct parse {
    const struct command *command;
    int argc, next;
    char **argv;
    struct arena *arena;
    struct diags *diags;
    uint8_t *args;
    bool *seen;
    struct text_list *positionals;
};

static o2w_status usage(struct parse *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static o2w_status usage(struct parse *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = arena_vprintf(p->arena, format, list);
    va_end(list);
    o2w_status s = diag_error(p->diags, DIAG_USAGE, "%s", text ? text : format);
    diag_hint(p->diags, "see 'onnx2webnn %s --help'", p->command->name);
    return s;
}

/* --- finding options -------------------------------------------------------------------------------- */

static const struct option_row *find_option(const struct command *c, struct span name)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (span_is(name, c->options[i].name))
            return &c->options[i];
    return NULL;
}

static const struct option_row *find_letter(const struct command *c, char letter)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].letter == letter && letter)
            return &c->options[i];
    return NULL;
}

/* The nearest option within a third of the length, the first on ties. */
static const struct option_row *nearest_option(const struct command *c, struct span name)
{
    const struct option_row *best = NULL;
    size_t limit = name.size / 3 ? name.size / 3 : 1, distance = limit + 1;
    for (size_t i = 0; i < c->option_count; i++) {
        struct span candidate = span_of(c->options[i].name);
        size_t own = text_distance(candidate, name);
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

static const struct command *other_owner(const struct command *c, struct span name)
{
    for (size_t i = 0; i < command_count; i++)
        if (commands[i] != c && find_option(commands[i], name))
            return commands[i];
    return NULL;
}

static o2w_status unknown_option(struct parse *p, struct span name, const char *value)
{
    char *text = arena_text(p->arena, name);
    if (!text)
        return diag_memory(p->diags);
    TRY(legacy_option(p->command, text, value, p->diags));
    const struct option_row *near = nearest_option(p->command, name);
    const struct command *owner = other_owner(p->command, name);
    if (owner && (!near || !span_equal(span_of(near->name), name))) {
        o2w_status s =
            diag_error(p->diags, DIAG_USAGE, "option '--%s' belongs to '%s', not to '%s'", text,
                       owner->name, p->command->name);
        diag_hint(p->diags, "see 'onnx2webnn %s --help'", p->command->name);
        return s;
    }
    o2w_status s =
        diag_error(p->diags, DIAG_USAGE, "unknown option '--%s' for '%s'", text, p->command->name);
    if (near)
        diag_hint(p->diags, "did you mean '--%s'? see 'onnx2webnn %s --help'", near->name,
                  p->command->name);
    else
        diag_hint(p->diags, "see 'onnx2webnn %s --help'", p->command->name);
    return s;
}

/* --- values ------------------------------------------------------------------------------------------ */

/* NAME=VALUE at the last '='. */
static bool cut_binding(const char *text, struct span *name, struct span *value)
{
    const char *equals = strrchr(text, '=');
    if (!equals)
        return false;
    *name = span_trim((struct span){ (const uint8_t *)text, (size_t)(equals - text) });
    *value = span_trim(span_of(equals + 1));
    return name->size > 0 && name->size <= 255 && value->size > 0;
}

static bool has_control(struct span s)
{
    for (size_t i = 0; i < s.size; i++)
        if (s.data[i] < 0x20 || s.data[i] == 0x7f)
            return true;
    return false;
}

#define APPEND(p, list, item)                                                   \
    (append((p), (void **)&(list)->items, (list)->count, sizeof *(list)->items) \
         ? ((list)->items[(list)->count++] = (item), (o2w_status)O2W_OK)        \
         : diag_memory((p)->diags))

/* Grows at powers of two in the arena. */
static bool append(struct parse *p, void **items, size_t count, size_t size)
{
    if (count & (count - 1) || (count == 0 && *items))
        return true;
    void *grown = arena_array(p->arena, count ? count * 2 : 1, size, 16);
    if (!grown)
        return false;
    if (count)
        memcpy(grown, *items, count * size);
    *items = grown;
    return true;
}

static o2w_status read_binding(struct parse *p, const struct option_row *row, const char *text,
                               struct dim_list *list)
{
    struct span name, value;
    uint64_t number;
    uint64_t low = (uint64_t)row->low, high = row->high ? (uint64_t)row->high : 2147483647;
    if (!cut_binding(text, &name, &value) || has_control(name))
        return usage(p, "option '--%s' is '%s', must be NAME=VALUE", row->name, text);
    if (value.size > 10 || number_parse_u64(value, &number) != O2W_OK || number < low ||
        number > high)
        return usage(
            p, "option '--%s': the value of '%.*s' is '%.*s', must be an integer from %llu to %llu",
            row->name, SPAN_ARG(name), SPAN_ARG(value), (unsigned long long)low,
            (unsigned long long)high);
    o2w_dim item = { arena_text(p->arena, name), (int64_t)number };
    return item.name ? APPEND(p, list, item) : diag_memory(p->diags);
}

static o2w_status read_pin(struct parse *p, const struct option_row *row, const char *text,
                           struct pin_list *list)
{
    struct span name, value;
    o2w_pin pin = { 0 };
    if (!cut_binding(text, &name, &value))
        return usage(p, "option '--%s' is '%s', must be NAME=VALUE", row->name, text);
    pin.is_bool = span_is(value, "true") || span_is(value, "false");
    pin.value = span_is(value, "true");
    if (!pin.is_bool && number_parse_i64(value, &pin.value) != O2W_OK)
        return usage(
            p, "option '--%s': the value of '%.*s' is '%.*s', must be true, false or an integer",
            row->name, SPAN_ARG(name), SPAN_ARG(value));
    pin.name = arena_text(p->arena, name);
    if (!pin.name)
        return diag_memory(p->diags);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, pin.name) == 0 && list->items[i].value != pin.value)
            return usage(p, "option '--%s' gives '%s' the values %lld and %lld", row->name,
                         pin.name, (long long)list->items[i].value, (long long)pin.value);
    return APPEND(p, list, pin);
}

static o2w_status read_pair(struct parse *p, const struct option_row *row, const char *text,
                            struct pair_list *list)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return usage(p, "option '--%s' is '%s', must be KEY=VALUE", row->name, text);
    webnn_option item = { arena_text(p->arena, (struct span){ (const uint8_t *)text,
                                                              (size_t)(equals - text) }),
                          equals + 1 };
    if (!item.key)
        return diag_memory(p->diags);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].key, item.key) == 0) {
            list->items[i].value = item.value;
            return O2W_OK;
        }
    return APPEND(p, list, item);
}

static o2w_status read_tolerance(struct parse *p, const struct option_row *row, const char *text,
                                 struct tolerance_list *list)
{
    o2w_tolerance t = { 0 };
    const char *equals = strchr(text, '='), *comma = equals ? strchr(equals, ',') : NULL;
    if (!comma ||
        number_parse_double(
            (struct span){ (const uint8_t *)equals + 1, (size_t)(comma - equals - 1) },
            &t.absolute) != O2W_OK ||
        number_parse_double(span_of(comma + 1), &t.relative) != O2W_OK || t.absolute < 0 ||
        t.relative < 0)
        return usage(
            p, "option '--%s' is '%s', must be DTYPE=ABS,REL with numbers that are not negative",
            row->name, text);
    t.data_type =
        arena_text(p->arena, (struct span){ (const uint8_t *)text, (size_t)(equals - text) });
    if (!t.data_type)
        return diag_memory(p->diags);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].data_type, t.data_type) == 0)
            return usage(p, "option '--%s' is given twice for '%s'", row->name, t.data_type);
    return APPEND(p, list, t);
}

static o2w_status read_number(struct parse *p, const struct option_row *row, const char *text,
                              uint64_t *out)
{
    uint64_t number;
    if (number_parse_u64(span_of(text), &number) != O2W_OK || number < row->min ||
        number > row->max)
        return usage(p, "option '--%s' is '%s', must be an integer from %llu to %llu", row->name,
                     text, (unsigned long long)row->min, (unsigned long long)row->max);
    *out = number;
    return O2W_OK;
}

static o2w_status read_choice(struct parse *p, const struct option_row *row, const char *text,
                              unsigned *out)
{
    const char *at = row->values;
    for (unsigned i = 0; *at; i++) {
        size_t size = strcspn(at, "|");
        if (size == strlen(text) && memcmp(at, text, size) == 0) {
            *out = i;
            return O2W_OK;
        }
        at += size + (at[size] == '|');
    }
    return usage(p, "option '--%s' is '%s', must be one of %s", row->name, text, row->values);
}

static o2w_status store(struct parse *p, const struct option_row *row, const char *text)
{
    void *at = p->args + row->offset;
    switch (row->kind) {
    case OPTION_SWITCH:
    case OPTION_OFF: *(bool *)at = row->kind == OPTION_SWITCH; return O2W_OK;
    case OPTION_TEXT: *(const char **)at = text; return O2W_OK;
    case OPTION_NUMBER: return read_number(p, row, text, at);
    case OPTION_CHOICE: return read_choice(p, row, text, at);
    case OPTION_TEXTS: return APPEND(p, (struct text_list *)at, text);
    case OPTION_BINDINGS: return read_binding(p, row, text, at);
    case OPTION_PINS: return read_pin(p, row, text, at);
    case OPTION_PAIRS: return read_pair(p, row, text, at);
    case OPTION_TOLERANCES: return read_tolerance(p, row, text, at);
    }
    return O2W_INTERNAL;
}

/* --- one argument ------------------------------------------------------------------------------------ */

static bool takes_value(const struct option_row *row)
{
    return row->kind != OPTION_SWITCH && row->kind != OPTION_OFF;
}

static bool repeats(const struct option_row *row)
{
    return row->kind >= OPTION_TEXTS;
}

static o2w_status given_twice(struct parse *p, const struct option_row *row)
{
    o2w_status s = diag_error(p->diags, DIAG_USAGE, "option '--%s' given twice for '%s'", row->name,
                              p->command->name);
    diag_hint(p->diags, "%ssee 'onnx2webnn %s --help'",
              strcmp(row->name, "model") == 0 ? "one model per invocation; " : "",
              p->command->name);
    return s;
}

/* value: what stood behind '=', or NULL. */
static o2w_status accept(struct parse *p, const struct option_row *row, const char *value)
{
    bool *seen = &p->seen[row - p->command->options];
    if (!takes_value(row) && value)
        return usage(p, "option '--%s' takes no value, '%s' is given", row->name, value);
    if (takes_value(row) && !value) {
        const char *next = p->next < p->argc ? p->argv[p->next] : NULL;
        if (!next || (next[0] == '-' && next[1] != '\0'))
            return usage(p, "option '--%s' needs a value", row->name);
        value = next;
        p->next++;
    }
    if (value && !*value)
        return usage(p, "option '--%s' needs a value that is not empty", row->name);
    if (value && !utf8_valid(span_of(value), NULL) && row->kind != OPTION_TEXT)
        return usage(p, "the value of option '--%s' is not UTF-8", row->name);
    if (*seen && !repeats(row))
        return given_twice(p, row);
    *seen = true;
    return store(p, row, value);
}

static o2w_status long_option(struct parse *p, const char *text)
{
    const char *equals = strchr(text, '=');
    struct span name = { (const uint8_t *)text, equals ? (size_t)(equals - text) : strlen(text) };
    const struct option_row *row = find_option(p->command, name);
    return row ? accept(p, row, equals ? equals + 1 : NULL)
               : unknown_option(p, name, equals ? equals + 1 : NULL);
}

static o2w_status short_option(struct parse *p, const char *text)
{
    const struct option_row *row = find_letter(p->command, text[0]);
    if (!row) {
        char letter[2] = { text[0], 0 };
        TRY(legacy_option(p->command, letter, NULL, p->diags));
        return usage(p, "unknown option '-%c' for '%s'", text[0], p->command->name);
    }
    if (!text[1])
        return accept(p, row, NULL);
    if (!takes_value(row))
        return usage(p,
                     "option '-%c' takes no value, '-%s' is given (short options are not bundled)",
                     text[0], text);
    return accept(p, row, text[1] == '=' ? text + 2 : text + 1);
}

static o2w_status positional(struct parse *p, const char *text)
{
    const struct command *c = p->command;
    if (!c->positional) {
        o2w_status s =
            diag_error(p->diags, DIAG_USAGE, "unexpected argument '%s' for '%s'", text, c->name);
        const char *model = find_option(c, SPAN("model"))  ? "--model"
                            : find_option(c, SPAN("onnx")) ? "--onnx"
                                                           : NULL;
        if (model)
            diag_hint(p->diags, "%s %s; see 'onnx2webnn %s --help'", model, text, c->name);
        else
            diag_hint(p->diags, "see 'onnx2webnn %s --help'", c->name);
        return s;
    }
    if (p->positionals->count >= c->positional_max)
        return usage(p, "unexpected argument '%s' for '%s', which takes %u", text, c->name,
                     c->positional_max);
    return APPEND(p, p->positionals, text);
}

/* --- afterwards -------------------------------------------------------------------------------------- */

static o2w_status check_required(struct parse *p)
{
    char names[400] = "";
    size_t used = 0;
    const struct command *c = p->command;
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].required && !p->seen[i])
            used += (size_t)snprintf(names + used, sizeof names - used, "%s'--%s'",
                                     used ? ", " : "", c->options[i].name);
    if (used)
        return usage(p, "'%s' needs %s", c->name, names);
    if (c->positional && !c->positional_optional && p->positionals->count == 0)
        return usage(p, "'%s' needs %s", c->name, c->positional);
    return O2W_OK;
}

static bool word_given(struct parse *p, const char *words, const char **found)
{
    for (size_t i = 0; i < p->command->option_count; i++) {
        const char *name = p->command->options[i].name, *at = words;
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

static o2w_status check_conflicts(struct parse *p)
{
    const char *other = NULL;
    for (size_t i = 0; i < p->command->option_count; i++) {
        const struct option_row *row = &p->command->options[i];
        if (!p->seen[i])
            continue;
        if (row->excludes && word_given(p, row->excludes, &other))
            return usage(p, "options '--%s' and '--%s' exclude each other", row->name, other);
        if (row->needs && !word_given(p, row->needs, &other))
            return usage(p, "option '--%s' needs '--%s'", row->name, row->needs);
    }
    return O2W_OK;
}

static bool help_asked(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

static o2w_status read_arguments(struct parse *p)
{
    bool options = true;
    while (p->next < p->argc) {
        const char *text = p->argv[p->next++];
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

o2w_status options_parse(const struct command *c, int argc, char **argv, struct arena *a,
                         struct diags *d, void *args, struct text_list *positionals, bool *help)
{
    struct parse p = { .command = c,
                       .argc = argc,
                       .argv = argv,
                       .arena = a,
                       .diags = d,
                       .args = args,
                       .seen = ARENA_ARRAY(a, c->option_count, bool),
                       .positionals = positionals };
    if (!p.seen)
        return diag_memory(d);
    *help = help_asked(argc, argv);
    if (*help)
        return O2W_OK;
    TRY(read_arguments(&p));
    TRY(check_required(&p));
    return check_conflicts(&p);
}
