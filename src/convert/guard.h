/* Nothing that is read is written over. */
#ifndef CONVERT_GUARD_H
#define CONVERT_GUARD_H

#include "onnx/open.h"
#include "webnn/graph.h"

/* What a command reads; any of it may be NULL. */
struct guard {
    const struct onnx_model *model; /* with its external data, as far as it is open */
    const struct graph *graph;      /* the files of its constants */
    const char *paths[4];
    const char *const *files; /* more of them */
    size_t file_count;
};

/* Whether writing to `path` would replace one of the files, by whatever name. */
bool guard_covers(const struct guard *g, const char *path);
/* file.write where it would. */
o2w_status guard_check(const struct guard *g, const char *path, struct diags *d);

#endif
