/* A conformance case of the web platform tests as a graph. */
#ifndef CONFORMANCE_WPT_CASE_H
#define CONFORMANCE_WPT_CASE_H

#include "tree.h"
#include "webnn/builder.h"

enum { WPT_NAMES = 128, WPT_RESULTS = 64 };

struct wpt_named {
    struct span name;
    operand_id id;
};

/* One case at work; `builder` was begun by the caller. */
struct wpt_case {
    const struct tree *tree;
    const char *name;
    struct arena arena;
    struct diags diags;
    struct builder builder;
    struct graph *graph;
    struct wpt_named names[WPT_NAMES];
    size_t name_count;
};

/* Why a case is left out; NULL: it is not. */
const char *wpt_skip_reason(const struct tree *t);
/* The graph, in c->graph. */
o2w_status wpt_build(struct wpt_case *c);
/* A tensor of the case with its data, in the case's arena. */
o2w_status wpt_read_tensor(struct wpt_case *c, const struct tree *t, struct tensor *out);
/* The error of a case that does not say what it must. */
o2w_status wpt_refuse(struct wpt_case *c, const char *why);

#endif
