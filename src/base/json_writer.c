#include "base/json.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

void json_writer_init(struct json_writer *w, const o2w_allocator *allocator, unsigned indent)
{
    *w = (struct json_writer){ .indent = indent, .first = true };
    w->text.allocator = allocator;
}

void json_writer_free(struct json_writer *w)
{
    VEC_FREE(&w->text);
}

static void append(struct json_writer *w, const void *data, size_t size)
{
    if (w->failed || size == 0)
        return;
    if (!VEC_RESERVE(&w->text, size)) {
        w->failed = true;
        return;
    }
    memcpy(w->text.items + w->text.count, data, size);
    w->text.count += size;
}

static void append_text(struct json_writer *w, const char *text)
{
    append(w, text, strlen(text));
}

static void new_line(struct json_writer *w)
{
    if (w->indent == 0)
        return;
    append(w, "\n", 1);
    for (unsigned i = 0; i < w->depth * w->indent; i++)
        append(w, " ", 1);
}

/* What stands between the previous value and this one. */
static void separate(struct json_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (!w->first)
        append(w, ",", 1);
    if (w->depth)
        new_line(w);
    w->first = false;
}

void json_open(struct json_writer *w, char bracket)
{
    separate(w);
    append(w, &bracket, 1);
    w->depth++;
    w->first = true;
}

void json_close(struct json_writer *w, char bracket)
{
    w->depth--;
    if (!w->first)
        new_line(w);
    append(w, &bracket, 1);
    w->first = false;
}

/* The escape of a byte; empty when it stands for itself. */
static size_t escape(uint8_t c, char out[8])
{
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt", digits[] = "0123456789abcdef";
    for (size_t i = 0; i + 1 < sizeof named; i += 2) {
        if ((uint8_t)named[i] == c) {
            out[0] = '\\';
            out[1] = named[i + 1];
            return 2;
        }
    }
    if (c >= 0x20)
        return 0;
    const char text[6] = { '\\', 'u', '0', '0', digits[c >> 4], digits[c & 15] };
    memcpy(out, text, sizeof text);
    return sizeof text;
}

/* Bytes that are not UTF-8 become U+FFFD: the document must stay one. */
static size_t invalid_at(struct span s, size_t i)
{
    uint32_t code_point;
    return s.data[i] >= 0x80 && utf8_next(s, i, &code_point) == 0;
}

static void append_string(struct json_writer *w, struct span s)
{
    append(w, "\"", 1);
    size_t start = 0;
    for (size_t i = 0; i < s.size;) {
        char text[8] = "\xef\xbf\xbd";
        uint32_t code_point;
        size_t length = utf8_next(s, i, &code_point);
        size_t replaced = invalid_at(s, i) ? 3 : escape(s.data[i], text);
        if (replaced) {
            append(w, s.data + start, i - start);
            append(w, text, replaced);
            start = i + 1;
        }
        i += length ? length : 1;
    }
    if (start < s.size)
        append(w, s.data + start, s.size - start);
    append(w, "\"", 1);
}

void json_key_span(struct json_writer *w, struct span key)
{
    separate(w);
    append_string(w, key);
    append_text(w, w->indent ? ": " : ":");
    w->after_key = true;
}

void json_key(struct json_writer *w, const char *key)
{
    json_key_span(w, span_of(key));
}

void json_put_string(struct json_writer *w, struct span s)
{
    separate(w);
    append_string(w, s);
}

void json_put_raw(struct json_writer *w, struct span text)
{
    separate(w);
    append(w, text.data, text.size);
}

void json_put_text(struct json_writer *w, const char *s)
{
    if (s)
        json_put_string(w, span_of(s));
    else
        json_put_null(w);
}

void json_put_i64(struct json_writer *w, int64_t v)
{
    char text[NUMBER_TEXT];
    size_t size = number_print_i64(v, text);
    json_put_raw(w, (struct span){ (const uint8_t *)text, size });
}

void json_put_u64(struct json_writer *w, uint64_t v)
{
    char text[NUMBER_TEXT];
    size_t size = number_print_u64(v, text);
    json_put_raw(w, (struct span){ (const uint8_t *)text, size });
}

void json_put_double(struct json_writer *w, double v)
{
    char text[NUMBER_TEXT];
    struct span s = { (const uint8_t *)text, number_print_double(v, text) };
    if (isfinite(v))
        json_put_raw(w, s);
    else
        json_put_string(w, s);
}

void json_put_bool(struct json_writer *w, bool v)
{
    json_put_raw(w, span_of(v ? "true" : "false"));
}

void json_put_null(struct json_writer *w)
{
    json_put_raw(w, SPAN("null"));
}

o2w_status json_written(const struct json_writer *w, struct span *out)
{
    *out = (struct span){ (const uint8_t *)w->text.items, w->text.count };
    return w->failed ? O2W_NO_MEMORY : O2W_OK;
}

void json_member_text(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    json_put_text(w, text);
}

void json_member_u64(struct json_writer *w, const char *key, uint64_t v)
{
    json_key(w, key);
    json_put_u64(w, v);
}

void json_member_bool(struct json_writer *w, const char *key, bool v)
{
    json_key(w, key);
    json_put_bool(w, v);
}
