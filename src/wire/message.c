#include "wire/message.h"

bool wire_message_add(struct wire_message *m, struct span piece, struct arena *a)
{
    if (!m->bytes.data) {
        *m = (struct wire_message){ .bytes = piece };
        return true;
    }
    struct wire_message *next = ARENA_NEW(a, struct wire_message);
    if (!next)
        return false;
    next->bytes = piece;
    (m->last ? m->last : m)->more = next;
    m->last = next;
    return true;
}
