/* Copies a message field by field, with changes at any depth. */
#ifndef WIRE_REWRITE_H
#define WIRE_REWRITE_H

#include "wire/reader.h"
#include "wire/writer.h"

enum wire_action {
    WIRE_KEEP, /* copy the field as it is */
    WIRE_DROP, /* leave it out; the visitor may have written something else in its place */
    WIRE_ENTER /* visit the fields of the message in it */
};

/* Called for each field that its schema knows, in file order; `r` stands on the field and tells by
 * its schema in which message. Other fields are kept. */
struct wire_visitor {
    enum wire_action (*visit)(void *user, const struct wire_reader *r, struct wire_writer *w);
    void *user;
};

enum { WIRE_REWRITE_DEPTH = 256 };

/* Appends to `w`. Nesting beyond WIRE_REWRITE_DEPTH is the error limit. */
o2w_status wire_rewrite(struct wire_source *source, struct span message,
                        const struct wire_schema *schema, const struct wire_visitor *visitor,
                        struct wire_writer *w);

#endif
