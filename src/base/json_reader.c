#include "base/json.h"
#include "base/number.h"

#include <string.h>

enum { DEPTH_MOST = 64 };

struct json_level {
    bool object, first;
    struct map keys; /* key to the line where it stands; reused by the next object at this depth */
};

/* ---- errors ---- */

static o2w_status place(const struct json_reader *r, o2w_status status, size_t position)
{
    diag_position(r->diags, r->name, (int64_t)position, r->line,
                  (int64_t)(position - r->line_start) + 1);
    return status;
}

static o2w_status syntax(const struct json_reader *r, const char *wanted)
{
    size_t left = r->input.size - r->position;
    o2w_status status;
    if (left == 0) {
        status = diag_error(r->diags, r->syntax, "expected %s, found the end of the text", wanted);
    } else if (r->input.data[r->position] < 0x20) {
        status = diag_error(r->diags, r->syntax, "expected %s, found byte 0x%02x", wanted,
                            r->input.data[r->position]);
    } else {
        uint32_t code_point;
        size_t size = utf8_next(r->input, r->position, &code_point);
        status = diag_error(r->diags, r->syntax, "expected %s, found '%.*s'", wanted,
                            (int)(size ? size : 1), (const char *)r->input.data + r->position);
    }
    return place(r, status, r->position);
}

static o2w_status bad_text(const struct json_reader *r, size_t position, const char *what)
{
    return place(r, diag_error(r->diags, r->syntax, "%s", what), position);
}

static o2w_status no_memory(const struct json_reader *r)
{
    return diag_memory(r->diags);
}

/* ---- bytes ---- */

/* The byte at the position; 0 at the end (a NUL byte is valid nowhere). */
static uint8_t peek(const struct json_reader *r)
{
    return r->position < r->input.size ? r->input.data[r->position] : 0;
}

static void skip_blanks(struct json_reader *r)
{
    for (;;) {
        switch (peek(r)) {
        case '\n':
            r->line++;
            r->line_start = r->position + 1;
            break;
        case ' ':
        case '\t':
        case '\r': break;
        default: return;
        }
        r->position++;
    }
}

static bool take(struct json_reader *r, char c)
{
    if (r->position >= r->input.size || r->input.data[r->position] != (uint8_t)c)
        return false;
    r->position++;
    return true;
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static uint32_t column(const struct json_reader *r)
{
    return (uint32_t)(r->position - r->line_start) + 1;
}

/* ---- strings ---- */

static int hex_digit(uint8_t c)
{
    if (is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits of \uXXXX, or -1. */
static int32_t hex_unit(struct span s, size_t offset)
{
    int32_t unit = 0;
    if (s.size < 4 || offset > s.size - 4)
        return -1;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_digit(s.data[offset + i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static uint8_t *put_utf8(uint8_t *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (uint8_t)c;
        return to;
    }
    unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *to++ = (uint8_t)((0xff00u >> (more + 1) & 0xffu) | c >> (6 * more));
    while (more--)
        *to++ = (uint8_t)(0x80u | (c >> (6 * more) & 0x3fu));
    return to;
}

/* A code point written as one unit or as a surrogate pair, behind "\u"; *i moves over it. */
static bool decode_unicode(struct span s, size_t *i, uint32_t *c)
{
    int32_t unit = hex_unit(s, *i);
    if (unit < 0 || (unit >= 0xdc00 && unit < 0xe000))
        return false;
    *i += 4;
    *c = (uint32_t)unit;
    if (unit < 0xd800 || unit >= 0xe000)
        return true;
    if (s.size - *i < 6 || s.data[*i] != '\\' || s.data[*i + 1] != 'u')
        return false;
    int32_t low = hex_unit(s, *i + 2);
    if (low < 0xdc00 || low >= 0xe000)
        return false;
    *i += 6;
    *c = 0x10000u + (((uint32_t)unit - 0xd800u) << 10) + ((uint32_t)low - 0xdc00u);
    return true;
}

/* The escape whose letter stands at *i; false when there is none like it. */
static bool decode_escape(struct span s, size_t *i, uint32_t *c)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (s.data[*i] == 'u') {
        ++*i;
        return decode_unicode(s, i, c);
    }
    const char *letter = s.data[*i] ? strchr(letters, s.data[*i]) : NULL;
    if (!letter)
        return false;
    ++*i;
    *c = (uint8_t)values[letter - letters];
    return true;
}

/* `raw` has no lone backslash at its end. `start` is its position in the input. */
static o2w_status decode(struct json_reader *r, struct span raw, size_t start, struct span *out)
{
    uint8_t *bytes = arena_alloc(r->arena, raw.size, 1), *to = bytes;
    if (!bytes)
        return no_memory(r);
    for (size_t i = 0; i < raw.size;) {
        if (raw.data[i] != '\\') {
            *to++ = raw.data[i++];
            continue;
        }
        uint32_t c;
        size_t escape = i++;
        if (!decode_escape(raw, &i, &c))
            return bad_text(r, start + escape, "invalid escape in a string");
        to = put_utf8(to, c);
    }
    *out = (struct span){ bytes, (size_t)(to - bytes) };
    return O2W_OK;
}

/* Moves to the closing quote. */
static o2w_status find_quote(struct json_reader *r, bool *escaped)
{
    *escaped = false;
    for (;; r->position++) {
        uint8_t c = peek(r);
        if (c == '"')
            return O2W_OK;
        if (r->position >= r->input.size)
            return bad_text(r, r->position, "string isn't closed");
        if (c < 0x20)
            return bad_text(r, r->position, "control byte in a string, expected an escape");
        if (c == '\\') {
            *escaped = true;
            r->position += r->position + 1 < r->input.size;
        }
    }
}

/* The string whose opening quote stands at the position. */
static o2w_status read_string(struct json_reader *r, struct span *out)
{
    size_t start = ++r->position, bad = 0;
    bool escaped;
    TRY(find_quote(r, &escaped));
    struct span raw = { r->input.data + start, r->position - start };
    if (!utf8_valid(raw, &bad)) {
        o2w_status status =
            diag_error(r->diags, r->syntax, "invalid UTF-8 byte 0x%02x", raw.data[bad]);
        return place(r, status, start + bad);
    }
    r->position++;
    *out = raw;
    return escaped ? decode(r, raw, start, out) : O2W_OK;
}

/* ---- values ---- */

static o2w_status skip_digits(struct json_reader *r)
{
    if (!is_digit(peek(r)))
        return syntax(r, "a digit");
    while (is_digit(peek(r)))
        r->position++;
    return O2W_OK;
}

static o2w_status read_number(struct json_reader *r, struct json_value *v)
{
    size_t start = r->position;
    v->kind = JSON_NUMBER;
    take(r, '-');
    if (!take(r, '0'))
        TRY(skip_digits(r));
    else if (is_digit(peek(r)))
        return bad_text(r, start, "a number must not begin with 0");
    if (take(r, '.'))
        TRY(skip_digits(r));
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            take(r, '-');
        TRY(skip_digits(r));
    }
    v->text = (struct span){ r->input.data + start, r->position - start };
    return O2W_OK;
}

static bool take_word(struct json_reader *r, struct span word)
{
    struct span left = { r->input.data + r->position, r->input.size - r->position };
    if (!span_starts(left, word))
        return false;
    r->position += word.size;
    return true;
}

static o2w_status read_word(struct json_reader *r, struct json_value *v)
{
    v->kind = JSON_BOOL;
    v->boolean = take_word(r, SPAN("true"));
    if (v->boolean || take_word(r, SPAN("false")))
        return O2W_OK;
    v->kind = JSON_NULL;
    return take_word(r, SPAN("null")) ? O2W_OK : syntax(r, "a value");
}

static o2w_status enter(struct json_reader *r, struct json_value *v, bool object)
{
    if (r->depth == DEPTH_MOST) {
        o2w_status status = diag_error(r->diags, DIAG_LIMIT, "nesting %d exceeds the limit %d",
                                       DEPTH_MOST + 1, DEPTH_MOST);
        return place(r, status, r->position);
    }
    struct json_level *level = &r->levels[r->depth++];
    level->object = object;
    level->first = true;
    map_clear(&level->keys);
    r->position++;
    v->kind = object ? JSON_OBJECT : JSON_ARRAY;
    return O2W_OK;
}

static o2w_status read_value(struct json_reader *r, struct json_value *v)
{
    v->line = r->line;
    v->column = column(r);
    uint8_t c = peek(r);
    if (c == '{' || c == '[')
        return enter(r, v, c == '{');
    if (c == '"') {
        v->kind = JSON_STRING;
        return read_string(r, &v->text);
    }
    return c == '-' || is_digit(c) ? read_number(r, v) : read_word(r, v);
}

/* ---- members ---- */

static o2w_status note_key(struct json_reader *r, struct json_level *level,
                           const struct json_value *v, size_t position)
{
    uint32_t *line;
    bool added;
    if (map_insert(&level->keys, v->key, v->key_line, &line, &added) != O2W_OK)
        return no_memory(r);
    if (added)
        return O2W_OK;
    o2w_status status = diag_error(r->diags, r->duplicate, "key '%.*s' stands at line %u already",
                                   SPAN_ARG(v->key), *line);
    return place(r, status, position);
}

static o2w_status read_key(struct json_reader *r, struct json_level *level, struct json_value *v)
{
    size_t position = r->position;
    if (peek(r) != '"')
        return syntax(r, level->first ? "a key or '}'" : "a key");
    v->key_line = r->line;
    v->key_column = column(r);
    TRY(read_string(r, &v->key));
    TRY(note_key(r, level, v, position));
    skip_blanks(r);
    if (!take(r, ':'))
        return syntax(r, "':'");
    skip_blanks(r);
    return O2W_OK;
}

static o2w_status read_item(struct json_reader *r, struct json_level *level, struct json_value *v)
{
    if (take(r, level->object ? '}' : ']')) {
        v->kind = JSON_END;
        v->line = r->line;
        v->column = column(r) - 1;
        r->depth--;
        return O2W_OK;
    }
    if (!level->first) {
        if (!take(r, ','))
            return syntax(r, level->object ? "',' or '}'" : "',' or ']'");
        skip_blanks(r);
    }
    if (level->object)
        TRY(read_key(r, level, v));
    level->first = false;
    return read_value(r, v);
}

o2w_status json_next(struct json_reader *r, struct json_value *v)
{
    *v = (struct json_value){ 0 };
    skip_blanks(r);
    if (r->depth)
        return read_item(r, &r->levels[r->depth - 1], v);
    if (r->root_read)
        return syntax(r, "the end of the text");
    r->root_read = true;
    return read_value(r, v);
}

o2w_status json_skip(struct json_reader *r, const struct json_value *v)
{
    if (v->kind != JSON_ARRAY && v->kind != JSON_OBJECT)
        return O2W_OK;
    struct json_value inner;
    for (uint32_t outside = r->depth - 1; r->depth > outside;)
        TRY(json_next(r, &inner));
    return O2W_OK;
}

o2w_status json_finish(struct json_reader *r)
{
    skip_blanks(r);
    return r->position == r->input.size ? O2W_OK : syntax(r, "the end of the text");
}

o2w_status json_begin(struct json_reader *r, struct span input, struct span name,
                      struct arena *arena, struct diags *diags)
{
    *r = (struct json_reader){ .input = input,
                               .name = name,
                               .diags = diags,
                               .arena = arena,
                               .syntax = DIAG_JSON_SYNTAX,
                               .type = DIAG_JSON_TYPE,
                               .duplicate = DIAG_JSON_DUPLICATE,
                               .line = 1 };
    r->levels = ARENA_ARRAY(arena, DEPTH_MOST, struct json_level);
    o2w_allocator *allocator = ARENA_NEW(arena, o2w_allocator);
    if (!r->levels || !allocator)
        return no_memory(r);
    *allocator = arena_allocator(arena);
    for (int i = 0; i < DEPTH_MOST; i++)
        map_init(&r->levels[i].keys, allocator);
    return O2W_OK;
}
