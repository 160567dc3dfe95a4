/* The bytes of a protobuf message that has not been read yet. */
#ifndef WIRE_MESSAGE_H
#define WIRE_MESSAGE_H

#include "base/arena.h"

/* A singular message field that stands in the file more than once is the concatenation of its
 * pieces. `bytes` is the first piece; data is NULL when there is none. */
struct wire_message {
    struct span bytes;
    struct wire_message *more, *last;
};

/* Adds a piece behind the others; false when memory is out. Pieces after the first live in `a`. */
bool wire_message_add(struct wire_message *m, struct span piece, struct arena *a);

#endif
