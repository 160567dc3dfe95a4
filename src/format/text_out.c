#include "format/text_out.h"

#include "base/json.h"
#include "base/number.h"

#include <string.h>

void out_init(struct text_out *o, const o2w_allocator *allocator)
{
    *o = (struct text_out){ .bytes.allocator = allocator };
}

void out_free(struct text_out *o)
{
    VEC_FREE(&o->bytes);
}

void out_span(struct text_out *o, struct span s)
{
    if (o->failed || s.size == 0)
        return;
    if (!VEC_RESERVE(&o->bytes, s.size)) {
        o->failed = true;
        return;
    }
    memcpy(o->bytes.items + o->bytes.count, s.data, s.size);
    o->bytes.count += s.size;
}

void out_text(struct text_out *o, const char *s)
{
    out_span(o, span_of(s));
}

void out_i64(struct text_out *o, int64_t value)
{
    char text[NUMBER_TEXT];
    out_span(o, (struct span){ (const uint8_t *)text, number_print_i64(value, text) });
}

void out_quoted(struct text_out *o, struct span s)
{
    size_t start = 0;
    out_text(o, "\"");
    for (size_t i = 0; i < s.size; i++)
        if (s.data[i] == '"' || s.data[i] == '\\') {
            out_span(o, (struct span){ s.data + start, i - start });
            out_text(o, "\\");
            start = i;
        }
    out_span(o, (struct span){ s.data + start, s.size - start });
    out_text(o, "\"");
}

void out_json_string(struct text_out *o, struct span s)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, o->bytes.allocator, 0);
    json_put_string(&w, s);
    if (json_written(&w, &text) == O2W_OK)
        out_span(o, text);
    else
        o->failed = true;
    json_writer_free(&w);
}

o2w_status out_finish(const struct text_out *o, struct arena *arena, struct span *text)
{
    struct span copy = { 0 };
    if (!o->failed)
        copy = arena_copy(arena, (struct span){ (const uint8_t *)o->bytes.items, o->bytes.count });
    if (!copy.data)
        return O2W_NO_MEMORY;
    *text = copy;
    return O2W_OK;
}
