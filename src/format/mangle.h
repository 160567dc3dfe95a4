/* Names of source models as identifiers of graph files. docs/formats/webnn.md, names */
#ifndef FORMAT_MANGLE_H
#define FORMAT_MANGLE_H

#include "base/intern.h"

enum { IDENTIFIER_MAX = 255 };

/* [A-Za-z_][A-Za-z0-9_]* that does not begin with true, false or null. */
bool name_is_safe(struct span s);
/* `::` to `__`, then `:`, `.`, `/` to `_`, then a leading digit behind a `_`: what other converters
 * write. Other bytes pass. In the arena; data is NULL when memory is out. */
struct span name_peer(struct span s, struct arena *a);
/* The safe identifier of any bytes: name_peer, then all else spelled out. At most IDENTIFIER_MAX
 * bytes: longer ones end in a digest of `s`. Not unique: see name_table. */
struct span name_mangle(struct span s, struct arena *a);
/* `::` to `__`, `.` to `_`: how readers of the text normalise references. */
struct span name_normal(struct span s, struct arena *a);

/* The first IDENTIFIER_MAX bytes or fewer, so that no code point is cut: labels are no longer. */
struct span name_cut(struct span s);

/* The identifiers of one graph. */
struct name_table {
    struct arena *arena;
    struct map taken; /* identifier → next suffix to try */
};

void name_table_init(struct name_table *t, struct arena *arena, const o2w_allocator *allocator);
void name_table_free(struct name_table *t);
/* Takes exactly this identifier (borrowed): *taken is false when somebody has it. O2W_NO_MEMORY. */
o2w_status name_table_claim(struct name_table *t, struct span identifier, bool *taken);
/* Takes `base`, or the first free of `base`_2, `base`_3 … In the arena. O2W_NO_MEMORY. */
o2w_status name_table_unique(struct name_table *t, struct span base, struct span *identifier);

#endif
