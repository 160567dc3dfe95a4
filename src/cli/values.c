/* What stands behind options: texts into the places of the rows. */
#include "cli/command.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

o2w_status usage_error(struct reading *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = arena_vprintf(r->arena, format, list);
    va_end(list);
    if (!text)
        return diag_memory(r->diags);
    o2w_status s = diag_error(r->diags, DIAG_USAGE, "%s", text);
    diag_hint(r->diags, "see 'onnx2webnn %s --help'", r->command->name);
    return s;
}

bool arena_append(struct arena *a, void **items, size_t count, size_t size)
{
    if (count & (count - 1) || (count == 0 && *items))
        return true;
    void *grown = arena_array(a, count ? count * 2 : 1, size, 16);
    if (!grown)
        return false;
    if (count)
        memcpy(grown, *items, count * size);
    *items = grown;
    return true;
}

#define APPEND(r, list, item)                                                                \
    (arena_append((r)->arena, (void **)&(list)->items, (list)->count, sizeof *(list)->items) \
         ? ((list)->items[(list)->count++] = (item), (o2w_status)O2W_OK)                     \
         : diag_memory((r)->diags))

/* --- NAME=VALUE -------------------------------------------------------------------------------------- */

/* At the last '='; both sides trimmed and not empty. */
static bool cut_binding(const char *text, struct span *name, struct span *value)
{
    const char *equals = strrchr(text, '=');
    if (!equals)
        return false;
    *name = span_trim((struct span){ (const uint8_t *)text, (size_t)(equals - text) });
    *value = span_trim(span_of(equals + 1));
    return name->size > 0 && value->size > 0;
}

static bool has_control(struct span s)
{
    for (size_t i = 0; i < s.size; i++)
        if (s.data[i] < 0x20 || s.data[i] == 0x7f)
            return true;
    return false;
}

enum { NAME_LIMIT = 255, DIGIT_LIMIT = 10 };

static o2w_status read_binding(struct reading *r, const struct option_row *row, const char *text,
                               struct dim_list *list)
{
    struct span name, value;
    uint64_t number;
    uint64_t low = (uint64_t)row->low, high = row->high ? (uint64_t)row->high : INT32_MAX;
    if (!cut_binding(text, &name, &value))
        return usage_error(r, "option '--%s' is '%s', must be NAME=VALUE", row->name, text);
    if (name.size > NAME_LIMIT || has_control(name))
        return usage_error(r,
                           "option '--%s': a name has at most %d bytes and no control characters",
                           row->name, NAME_LIMIT);
    if (value.size > DIGIT_LIMIT || number_parse_u64(value, &number) != O2W_OK || number < low ||
        number > high)
        return usage_error(
            r, "option '--%s': the value of '%.*s' is '%.*s', must be an integer from %llu to %llu",
            row->name, SPAN_ARG(name), SPAN_ARG(value), (unsigned long long)low,
            (unsigned long long)high);
    o2w_dim item = { arena_text(r->arena, name), (int64_t)number };
    return item.name ? APPEND(r, list, item) : diag_memory(r->diags);
}

static const char *pin_text(const o2w_pin *pin, char text[NUMBER_TEXT])
{
    if (pin->is_bool)
        return pin->value ? "true" : "false";
    number_print_i64(pin->value, text);
    return text;
}

static o2w_status read_pin(struct reading *r, const struct option_row *row, const char *text,
                           struct pin_list *list)
{
    struct span name, value;
    o2w_pin pin = { 0 };
    if (!cut_binding(text, &name, &value))
        return usage_error(r, "option '--%s' is '%s', must be NAME=VALUE", row->name, text);
    pin.is_bool = span_is(value, "true") || span_is(value, "false");
    pin.value = span_is(value, "true");
    if (!pin.is_bool && number_parse_i64(value, &pin.value) != O2W_OK)
        return usage_error(r,
                           "option '--%s': the value of '%.*s' is '%.*s', must be true, false or a "
                           "64-bit integer",
                           row->name, SPAN_ARG(name), SPAN_ARG(value));
    pin.name = arena_text(r->arena, name);
    if (!pin.name)
        return diag_memory(r->diags);
    for (size_t i = 0; i < list->count; i++) {
        char a[NUMBER_TEXT], b[NUMBER_TEXT];
        if (strcmp(list->items[i].name, pin.name) == 0 && list->items[i].value != pin.value)
            return usage_error(r, "option '--%s' gives '%s' two values, %s and %s", row->name,
                               pin.name, pin_text(&list->items[i], a), pin_text(&pin, b));
    }
    return APPEND(r, list, pin);
}

/* --- KEY=VALUE, DTYPE=ABS,REL ------------------------------------------------------------------------ */

static struct span before(const char *text, const char *end)
{
    return (struct span){ (const uint8_t *)text, (size_t)(end - text) };
}

static o2w_status read_pair(struct reading *r, const struct option_row *row, const char *text,
                            struct pair_list *list)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return usage_error(r, "option '--%s' is '%s', must be KEY=VALUE", row->name, text);
    webnn_option item = { arena_text(r->arena, before(text, equals)), equals + 1 };
    if (!item.key)
        return diag_memory(r->diags);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].key, item.key) == 0) {
            list->items[i].value = item.value;
            return O2W_OK;
        }
    return APPEND(r, list, item);
}

static o2w_status read_tolerance(struct reading *r, const struct option_row *row, const char *text,
                                 struct tolerance_list *list)
{
    o2w_tolerance t = { 0 };
    const char *equals = strchr(text, '='), *comma = equals ? strchr(equals, ',') : NULL;
    if (!comma || number_parse_double(before(equals + 1, comma), &t.absolute) != O2W_OK ||
        number_parse_double(span_of(comma + 1), &t.relative) != O2W_OK || t.absolute < 0 ||
        t.relative < 0)
        return usage_error(
            r, "option '--%s' is '%s', must be DTYPE=ABS,REL with numbers that are not negative",
            row->name, text);
    t.data_type = arena_text(r->arena, before(text, equals));
    if (!t.data_type)
        return diag_memory(r->diags);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].data_type, t.data_type) == 0)
            return usage_error(r, "option '--%s' is given twice for '%s'", row->name, t.data_type);
    return APPEND(r, list, t);
}

/* --- numbers and words ------------------------------------------------------------------------------- */

static o2w_status read_number(struct reading *r, const struct option_row *row, const char *text,
                              uint64_t *out)
{
    uint64_t number;
    if (number_parse_u64(span_of(text), &number) != O2W_OK || number < row->min ||
        number > row->max)
        return usage_error(r, "option '--%s' is '%s', must be an integer from %llu to %llu",
                           row->name, text, (unsigned long long)row->min,
                           (unsigned long long)row->max);
    *out = number;
    return O2W_OK;
}

/* "a|b|c" as "a, b, c". */
static char *word_list(struct arena *a, const char *words)
{
    size_t size = strlen(words), used = 0;
    char *text = arena_alloc(a, size * 2 + 1, 1);
    for (size_t i = 0; text && i < size; i++) {
        text[used++] = words[i] == '|' ? ',' : words[i];
        if (words[i] == '|')
            text[used++] = ' ';
    }
    return text;
}

static o2w_status read_choice(struct reading *r, const struct option_row *row, const char *text,
                              unsigned *out)
{
    const char *at = row->values;
    for (unsigned i = 0; *at; i++) {
        size_t size = strcspn(at, "|");
        if (size == strlen(text) && memcmp(at, text, size) == 0) {
            *out = row->first + i;
            return O2W_OK;
        }
        at += size + (at[size] == '|');
    }
    char *list = word_list(r->arena, row->values);
    return usage_error(r, "option '--%s' is '%s', must be one of %s", row->name, text,
                       list ? list : row->values);
}

o2w_status option_store(struct reading *r, const struct option_row *row, const char *text)
{
    void *at = (uint8_t *)r->args + row->offset;
    switch (row->kind) {
    case OPTION_SWITCH:
    case OPTION_OFF: *(bool *)at = row->kind == OPTION_SWITCH; return O2W_OK;
    case OPTION_TEXT: *(const char **)at = text; return O2W_OK;
    case OPTION_NUMBER: return read_number(r, row, text, at);
    case OPTION_CHOICE: return read_choice(r, row, text, at);
    case OPTION_TEXTS: return APPEND(r, (struct text_list *)at, text);
    case OPTION_BINDINGS: return read_binding(r, row, text, at);
    case OPTION_PINS: return read_pin(r, row, text, at);
    case OPTION_PAIRS: return read_pair(r, row, text, at);
    case OPTION_TOLERANCES: return read_tolerance(r, row, text, at);
    }
    return O2W_INTERNAL;
}
