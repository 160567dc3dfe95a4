/* The names that a graph file has declared so far. */
#ifndef FORMAT_SCOPE_H
#define FORMAT_SCOPE_H

#include "format/document.h"
#include "webnn/graph.h"

enum scope_kind { SCOPE_INPUT, SCOPE_CONSTANT, SCOPE_RESULT };

struct scope_entry {
    struct span name;
    enum scope_kind kind;
    uint32_t line;
    operand_id operand;
};

struct scope {
    const struct document *doc;
    struct diags *diags;
    struct arena *arena;
    VEC(struct scope_entry) entries;
    struct map names;  /* name → entry */
    struct map normal; /* normalised name → entry, or AMBIGUOUS; filled from the first miss on */
    size_t normal_count;
};

void scope_init(struct scope *s, const struct document *doc, struct diags *d, struct arena *arena,
                const o2w_allocator *allocator);
void scope_free(struct scope *s);
const char *scope_kind_text(enum scope_kind kind);
/* text.duplicate, limit. */
o2w_status scope_declare(struct scope *s, struct doc_name name, enum scope_kind kind,
                         operand_id operand);
/* NULL when no such name is declared. */
const struct scope_entry *scope_lookup(const struct scope *s, struct span name);
/* The operand of a use. Dotted names that were renamed elsewhere are found with a note.
 * text.undeclared with the nearest name or the line of a later declaration. */
o2w_status scope_find(struct scope *s, struct span name, struct place at, operand_id *out);

#endif
