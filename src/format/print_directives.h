/* What directives say, in the order in which they are written; for text and JSON. */
#ifndef FORMAT_PRINT_DIRECTIVES_H
#define FORMAT_PRINT_DIRECTIVES_H

#include "format/plan.h"

enum directive_group { GROUP_DIMS, GROUP_PINS, GROUP_KEPT, GROUP_BOUNDS, GROUP_META };

struct directive_line {
    struct span text, value; /* value: of meta */
    int64_t number;
};

struct directive_lines {
    struct directive_line *items;
    size_t count;
};

/* The lines of a group, each once, sorted by the bytes of their text. In the plan's arena. */
o2w_status directive_group(const struct plan *p, enum directive_group group,
                           struct directive_lines *out);

struct name_line {
    struct span identifier, original;
};

/* Identifiers that stand for another name, as the writer's options ask for them. */
o2w_status directive_names(const struct plan *p, struct name_line **out, size_t *count);
/* Labels in the order of the outputs; others behind them. Pointers into the graph. */
o2w_status directive_labels(const struct plan *p, const struct graph_labels ***out);

#endif
