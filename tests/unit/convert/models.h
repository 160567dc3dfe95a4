/* Models for the tests of conversion. */
#ifndef CONVERT_MODELS_H
#define CONVERT_MODELS_H

#include "support/model_builder.h"
#include "support/test.h"

/* y = x + w, x float [2, seq], w float [3]. */
static inline struct span add_model(struct model_builder *b, const char *dims)
{
    mb_begin(b, 17);
    mb_graph(b);
    mb_input_named(b, "x", ONNX_FLOAT, dims);
    mb_floats(b, "w", DIMS(3), FLOATS(1, 2, 3));
    mb_node(b, "Add", "x w", "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(2, 3));
    return mb_end(b);
}

static inline const char *add_file(const struct temp_folder *t, const char *name, const char *dims)
{
    struct model_builder b;
    struct span bytes = add_model(&b, dims);
    const char *path = temp_write(t, name, bytes.data, bytes.size);
    mb_free(&b);
    return path;
}

#endif
