/* A conformance case of the web platform tests as a graph, through the public interface. */
#ifndef CONFORMANCE_WPT_CASE_H
#define CONFORMANCE_WPT_CASE_H

#include "tensor/tensor.h"
#include "tree.h"
#include "webnn/limits.h"

#include <onnx2webnn/webnn.h>

enum { WPT_NAMES = 128, WPT_RESULTS = 64 };

struct wpt_named {
    struct span name;
    webnn_operand id;
};

/* One case at work. */
struct wpt_case {
    const struct tree *tree;
    const char *name;
    struct arena arena;
    webnn_context *context;
    webnn_builder *builder;
    webnn_graph *graph;
    webnn_tensor *tensors[2 * WPT_RESULTS];
    size_t tensor_count;
    o2w_error *error;
    const char *why; /* the case itself cannot be read */
    struct wpt_named names[WPT_NAMES];
    size_t name_count;
};

/* For a context (may be NULL); built over it, or over the library's own limits. */
struct wpt_case *wpt_case_new(const struct tree *t, webnn_context *context, bool over_context);
void wpt_case_free(struct wpt_case *c);
/* Why a case is left out; NULL: it is not. */
const char *wpt_skip_reason(const struct tree *t);
/* The graph, in c->graph. */
o2w_status wpt_build(struct wpt_case *c);
/* The built graph within the limits of a target, and compiled for the context where there is one. */
o2w_status wpt_legalise(struct wpt_case *c, const struct limits *target);
/* A tensor of the case with its data, in the case's arena; its dtype and shape. */
o2w_status wpt_read_tensor(struct wpt_case *c, const struct tree *t, struct tensor *out);
void wpt_descriptor(const struct tensor *t, webnn_descriptor *out);
/* The error of a case that does not say what it must. */
o2w_status wpt_refuse(struct wpt_case *c, const char *why);
/* What went wrong, in one line. */
const char *wpt_reason(struct wpt_case *c);

#endif
