/* Names of source models as identifiers. */
#include "format/mangle.h"

#include "base/number.h"
#include "base/system.h"

#include <string.h>

enum { CUT = 246, DIGEST_DIGITS = 8, LONGEST_CODE_POINT = 10 };

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool begins_as_word(struct span s)
{
    return span_starts(s, SPAN("true")) || span_starts(s, SPAN("false")) ||
           span_starts(s, SPAN("null"));
}

bool name_is_safe(struct span s)
{
    if (s.size == 0 || s.size > IDENTIFIER_MAX || is_digit(s.data[0]) || begins_as_word(s))
        return false;
    for (size_t i = 0; i < s.size; i++)
        if (!is_letter(s.data[i]) && !is_digit(s.data[i]))
            return false;
    return true;
}

struct span name_peer(struct span s, struct arena *a)
{
    uint8_t *to = arena_alloc(a, s.size + 2, 1);
    if (!to)
        return (struct span){ 0 };
    size_t n = 0;
    if (s.size > 0 && is_digit(s.data[0]))
        to[n++] = '_';
    for (size_t i = 0; i < s.size; i++) {
        uint8_t c = s.data[i];
        to[n++] = c == ':' || c == '.' || c == '/' ? '_' : c;
    }
    return (struct span){ to, n };
}

struct span name_normal(struct span s, struct arena *a)
{
    uint8_t *to = arena_alloc(a, s.size + 1, 1);
    if (!to)
        return (struct span){ 0 };
    for (size_t i = 0; i < s.size; i++) {
        uint8_t c = s.data[i];
        if (c == ':' && i + 1 < s.size && s.data[i + 1] == ':') {
            to[i] = to[i + 1] = '_';
            i++;
        } else {
            to[i] = c == '.' ? '_' : c;
        }
    }
    return (struct span){ to, s.size };
}

/* `u` or `x`, at least `digits` hexadecimal digits, `_`. */
static size_t spell(uint8_t *to, uint8_t mark, uint32_t value, unsigned digits)
{
    static const char hex[] = "0123456789abcdef";
    while (digits < 8 && value >> (4 * digits) != 0)
        digits++;
    size_t n = 0;
    to[n++] = mark;
    while (digits > 0)
        to[n++] = (uint8_t)hex[(value >> (4 * --digits)) & 15];
    to[n++] = '_';
    return n;
}

/* Spells s out until more than IDENTIFIER_MAX bytes are there. */
static size_t spell_out(struct span s, uint8_t *to)
{
    size_t n = 0;
    for (size_t i = 0; i < s.size && n <= IDENTIFIER_MAX;) {
        uint8_t c = s.data[i];
        uint32_t code_point = 0;
        size_t length = 1;
        if (c < 0x80)
            to[n++] = is_letter(c) || is_digit(c) ? c : '_';
        else if ((length = utf8_next(s, i, &code_point)) > 0)
            n += spell(to + n, 'u', code_point, 4);
        else
            n += spell(to + n, 'x', c, 2), length = 1;
        i += length;
    }
    return n;
}

static size_t cut(struct span original, uint8_t *to)
{
    uint8_t digest[32];
    struct sha256 sum;
    sha256_begin(&sum);
    sha256_add(&sum, original.data, original.size);
    sha256_end(&sum, digest);
    to[CUT] = '_';
    char text[DIGEST_DIGITS + 1];
    hex_print(digest, DIGEST_DIGITS / 2, text);
    memcpy(to + CUT + 1, text, DIGEST_DIGITS);
    return CUT + 1 + DIGEST_DIGITS;
}

struct span name_mangle(struct span s, struct arena *a)
{
    uint8_t spelled[1 + IDENTIFIER_MAX + 1 + LONGEST_CODE_POINT];
    size_t n = spell_out(s, spelled + 1);
    struct span body = { spelled + 1, n };
    if (n == 0 || is_digit(body.data[0]) || begins_as_word(body)) {
        spelled[0] = '_';
        body = (struct span){ spelled, n + 1 };
    }
    if (body.size > IDENTIFIER_MAX)
        body.size = cut(s, (uint8_t *)(uintptr_t)body.data);
    return arena_copy(a, body);
}

struct span name_cut(struct span s)
{
    if (s.size <= IDENTIFIER_MAX)
        return s;
    struct span cut_text = { s.data, IDENTIFIER_MAX };
    while (cut_text.size > 0 && (s.data[cut_text.size] & 0xc0) == 0x80)
        cut_text.size--;
    return cut_text;
}

void name_table_init(struct name_table *t, struct arena *arena, const o2w_allocator *allocator)
{
    t->arena = arena;
    map_init(&t->taken, allocator);
}

void name_table_free(struct name_table *t)
{
    map_free(&t->taken);
}

enum { FIRST_SUFFIX = 2 };

o2w_status name_table_claim(struct name_table *t, struct span identifier, bool *taken)
{
    return map_insert(&t->taken, identifier, FIRST_SUFFIX, &(uint32_t *){ NULL }, taken);
}

static struct span with_suffix(struct arena *a, struct span base, uint32_t suffix)
{
    char text[NUMBER_TEXT];
    size_t digits = number_print_u64(suffix, text);
    size_t kept = base.size + 1 + digits > IDENTIFIER_MAX ? IDENTIFIER_MAX - 1 - digits : base.size;
    uint8_t *to = arena_alloc(a, kept + 1 + digits, 1);
    if (!to)
        return (struct span){ 0 };
    memcpy(to, base.data, kept);
    to[kept] = '_';
    memcpy(to + kept + 1, text, digits);
    return (struct span){ to, kept + 1 + digits };
}

o2w_status name_table_unique(struct name_table *t, struct span base, struct span *identifier)
{
    bool taken;
    TRY(name_table_claim(t, base, &taken));
    if (taken) {
        *identifier = base;
        return O2W_OK;
    }
    for (uint32_t suffix = *map_find(&t->taken, base);; suffix++) {
        struct span candidate = with_suffix(t->arena, base, suffix);
        if (!candidate.data)
            return O2W_NO_MEMORY;
        TRY(name_table_claim(t, candidate, &taken));
        if (taken) {
            *map_find(&t->taken, base) = suffix + 1;
            *identifier = candidate;
            return O2W_OK;
        }
    }
}
