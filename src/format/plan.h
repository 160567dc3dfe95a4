/* What will be written for a graph: names, where each constant stands, the archive's tensors. Both
 * printers and the archive writer follow it. */
#ifndef FORMAT_PLAN_H
#define FORMAT_PLAN_H

#include "format/format.h"
#include "format/names.h"
#include "format/safetensors.h"

enum constant_place { CONSTANT_SCALAR, CONSTANT_BYTES, CONSTANT_ARCHIVE };

struct constant_plan {
    enum constant_place place;
    struct span text; /* the number, the bytes, or the key in the archive */
};

struct plan {
    const struct graph *graph;
    const struct format_write_options *options;
    struct arena *arena;
    struct diags *diags;
    struct graph_names names;
    struct constant_plan *constants; /* as graph->constants */
    uint32_t version;
    bool quantized;
    struct span archive; /* its name where the text must say it; empty else */
    /* tensors of the archive: those that were there, then new ones */
    VEC(struct archive_item) items;
    bool packed;      /* 4-bit tensors are among them */
    bool minimal;     /* no option that is its default: for readers that know the standard's */
    void *attributes; /* room for those of any operator */
};

/* `existing` (may be NULL) is the archive that is added to; its entries stay. */
o2w_status plan_make(struct plan *p, const struct graph *g,
                     const struct format_write_options *options, struct span stem,
                     const struct archive *existing, struct arena *arena, struct diags *d);
void plan_free(struct plan *p);

/* plan_constants.c: places of all constants, and the items. */
o2w_status plan_constants(struct plan *p, const struct archive *existing);
/* plan_inline.c: whether the constant stands in the text, and how. *inlined false: in the archive. */
o2w_status plan_inline(struct plan *p, operand_id constant, struct constant_plan *out,
                       bool *inlined);

/* text_printer.c, json_printer.c: in the plan's arena. */
o2w_status print_text(const struct plan *p, struct span *text);
o2w_status print_json(const struct plan *p, struct span *text);

/* A text that may stand in quotes: no `::`, no control bytes, valid UTF-8. */
struct span plan_clean(const struct plan *p, struct span s);
/* The label of a node, cleaned and not too long. */
struct span plan_label(const struct plan *p, const struct operator_node *node);
/* A dimension of an input, or of an operator's sizes, as name and maximum. */
struct span plan_dim_text(const struct plan *p, dim size, int64_t *max);

#endif
