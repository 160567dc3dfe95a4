/* A growing text. */
#ifndef FORMAT_TEXT_OUT_H
#define FORMAT_TEXT_OUT_H

#include "base/arena.h"

struct text_out {
    VEC(char) bytes;
    bool failed; /* memory was out: the text is cut */
};

void out_init(struct text_out *o, const o2w_allocator *allocator);
void out_free(struct text_out *o);
void out_span(struct text_out *o, struct span s);
void out_text(struct text_out *o, const char *s);
void out_i64(struct text_out *o, int64_t value);
/* "…" with \" and \\ escaped. */
void out_quoted(struct text_out *o, struct span s);
/* "…" with the escapes of JSON; bytes that are no UTF-8 become U+FFFD. */
void out_json_string(struct text_out *o, struct span s);
/* A copy in the arena; O2W_NO_MEMORY. */
o2w_status out_finish(const struct text_out *o, struct arena *arena, struct span *text);

#endif
