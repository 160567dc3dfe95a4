/* A JSON text as a tree, for case lists that are read in any order. */
#ifndef CONFORMANCE_TREE_H
#define CONFORMANCE_TREE_H

#include "base/json.h"

struct tree {
    enum json_kind kind;
    struct span key;  /* inside an object */
    struct span text; /* of a string or number */
    bool boolean;
    uint32_t line;
    size_t count; /* items of an array, members of an object */
    struct tree *items;
};

/* The whole text. Everything lives in the arena. */
o2w_status tree_parse(struct span input, struct span name, struct arena *a, struct diags *d,
                      struct tree *out);
o2w_status tree_read(const char *path, struct arena *a, struct diags *d, struct tree *out);

/* A member; NULL when `t` is no object or has none of that name. */
const struct tree *tree_get(const struct tree *t, const char *key);
/* The text of a string member, "" when there is none. */
struct span tree_text(const struct tree *t, const char *key);
/* A number, or one of the strings that stand for what JSON cannot hold: NaN, Infinity, -Infinity,
 * -0, integers. */
bool tree_double(const struct tree *t, double *out);
bool tree_i64(const struct tree *t, int64_t *out);
bool tree_u64(const struct tree *t, uint64_t *out);

#endif
