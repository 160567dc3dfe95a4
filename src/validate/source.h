/* The model of a run: its inputs, what they are pinned to, their sizes and their feeds. */
#ifndef VALIDATE_SOURCE_H
#define VALIDATE_SOURCE_H

#include "lower/dims.h"
#include "lower/program.h"
#include "onnx/open.h"
#include "validate/feed.h"
#include "validate/scope.h"

typedef VEC(struct dim_binding) dim_binding_list;

/* An input of the main graph. */
struct source_input {
    const struct onnx_value_info *info;
    struct feed feed; /* name, dtype (DTYPE_COUNT: none that has feeds), dims, rule, elements */
    bool initialized; /* has an initializer: the model's own value unless kept */
    bool pinned;
    bool kept;     /* an initialized one that the graph takes as input */
    uint8_t *data; /* elements of this run; own memory, or borrowed where `borrowed` */
    uint64_t room; /* bytes of own memory */
    bool borrowed;
};

struct source {
    const char *path;
    const o2w_allocator *allocator;
    struct arena arena;
    struct onnx_model *model;
    struct source_input *inputs;
    size_t input_count;
    const char **outputs; /* names of the model's outputs */
    size_t output_count;
    struct dims_result dims;
};

/* Maps the model and lists its interface. Stage "read". */
o2w_status source_open(const char *path, const o2w_environment *e, struct diags *d,
                       struct source *out);
void source_close(struct source *s); /* a zeroed one is fine */

/* Whether an input is fed by rules or an archive: no initializer, not pinned. */
static inline bool source_is_feedable(const struct source_input *i)
{
    return !i->initialized && !i->pinned;
}
/* By name; NULL: none. */
struct source_input *source_input(const struct source *s, struct span name);

/* Whether the model leaves the size of an axis open; its name there, empty where it has none. */
bool source_axis_is_open(const struct source_input *in, uint32_t axis, struct span *name);

/* Pins an input: pin.unknown, pin.type, pin.range. */
o2w_status source_pin(struct source *s, struct span name, int64_t value, struct diags *d);
/* Sizes of all inputs, from bindings by source; the sidecar and the metadata are added here. */
o2w_status source_size(struct source *s, const struct dim_binding *bindings, size_t count,
                       struct diags *d);
/* The rule of every feed that is not given, after sizing. feed.dtype, feed.quantizer. */
o2w_status source_plan(struct source *s, struct diags *d);
/* The elements of run `seed` of all inputs but initialized ones that are not kept. */
o2w_status source_fill(struct source *s, uint64_t seed, struct diags *d);
/* The elements as a tensor. */
struct tensor source_tensor(const struct source_input *i);

#endif
