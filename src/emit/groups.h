/* Groups of operators that the viewer folds: by the prefixes of their names, else where the structure repeats. */
#ifndef EMIT_GROUPS_H
#define EMIT_GROUPS_H

#include "emit/layout.h"

/* A group's inside is laid out by itself: members are its operators and the groups directly in it. */
struct group {
    struct span name;
    uint32_t parent;    /* lower than its own number; the root (number 0) has itself */
    uint32_t count;     /* operators, those of its groups too */
    double x, y, width; /* as a member of its parent */
    struct layout inside;
};

struct groups {
    uint32_t count; /* the root is one */
    struct group *items;
    uint32_t *of;              /* by node of the layout: its group */
    struct layout_node *nodes; /* by node: its place in its group */
};

/* For the nodes and edges of `l`. In the arena, edges on the graph's allocator. O2W_NO_MEMORY. */
o2w_status groups_make(const struct graph *g, const struct layout *l, struct arena *arena,
                       struct groups *out);
void groups_free(struct groups *groups);

#endif
