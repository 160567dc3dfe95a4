#include "wire/rewrite.h"

struct rewrite {
    struct wire_source *source;
    const struct wire_visitor *visitor;
    struct wire_writer *w;
    unsigned depth;
};

static o2w_status rewrite_message(struct rewrite *rw, struct span bytes,
                                  const struct wire_schema *schema);

/* Bytes from `from` up to `to` as they are. */
static void keep(struct rewrite *rw, const uint8_t *from, const uint8_t *to)
{
    wire_put_raw(rw->w, (struct span){ from, (size_t)(to - from) });
}

static o2w_status enter(struct rewrite *rw, const struct wire_reader *r)
{
    size_t begun = wire_begin(rw->w, r->field);
    TRY(rewrite_message(rw, r->bytes, r->schema->fields[r->field].message));
    wire_end(rw->w, begun);
    return O2W_OK;
}

/* `kept` is the end of what was written: unknown fields lie between it and the current field. */
static o2w_status rewrite_field(struct rewrite *rw, const struct wire_reader *r,
                                const uint8_t **kept)
{
    keep(rw, *kept, r->tag);
    *kept = r->at;
    switch (rw->visitor->visit(rw->visitor->user, r, rw->w)) {
    case WIRE_KEEP: keep(rw, r->tag, r->at); return O2W_OK;
    case WIRE_DROP: return O2W_OK;
    case WIRE_ENTER: return enter(rw, r);
    }
    return O2W_INTERNAL;
}

static o2w_status rewrite_message(struct rewrite *rw, struct span bytes,
                                  const struct wire_schema *schema)
{
    if (rw->depth == WIRE_REWRITE_DEPTH)
        return diag_error(rw->source->diags, DIAG_LIMIT,
                          "nesting depth of messages exceeds %d at byte offset %lld",
                          WIRE_REWRITE_DEPTH, (long long)wire_offset(rw->source, bytes.data));
    rw->depth++;
    struct wire_message message = { .bytes = bytes };
    struct wire_reader r = wire_read(rw->source, &message, schema);
    const uint8_t *kept = bytes.data;
    while (wire_next(&r))
        TRY(rewrite_field(rw, &r, &kept));
    TRY(r.status);
    keep(rw, kept, r.end);
    rw->depth--;
    return rw->w->failed ? diag_memory(rw->source->diags) : O2W_OK;
}

o2w_status wire_rewrite(struct wire_source *source, struct span message,
                        const struct wire_schema *schema, const struct wire_visitor *visitor,
                        struct wire_writer *w)
{
    struct rewrite rw = { .source = source, .visitor = visitor, .w = w };
    return rewrite_message(&rw, message, schema);
}
