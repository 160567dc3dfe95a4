/* Operators that move elements. */
#include "draw.h"

#include <string.h>

static const struct tensor *first(struct draw *d, const struct node *n)
{
    return node_input(d->p, n, 0);
}

static int64_t size_at(const struct tensor *x, int64_t axis)
{
    return x->dims[axis < 0 ? axis + x->rank : axis];
}

static bool shape(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 5));
    if (row_has_attribute(n->row, "start") && once_in(d, 2))
        add_int(n, "start", draw_between(d, -4, 4));
    if (row_has_attribute(n->row, "end") && once_in(d, 2))
        add_int(n, "end", draw_between(d, -4, 6));
    return true;
}

static bool permute(struct draw *d, struct node *n)
{
    int64_t order[MAX_RANK];
    push_input(n, draw_input(d, n, 0, 0, 5));
    uint32_t rank = first(d, n)->rank;
    for (uint32_t i = 0; i < rank; i++)
        order[i] = i;
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t k = i + draw_below(d, rank - i);
        int64_t swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    if (!once_in(d, 4))
        add_ints(n, "perm", order, rank);
    return true;
}

/* A list as attribute or, where the row has the slot, as known input. */
static void push_list(struct draw *d, struct node *n, const char *name, const int64_t *v,
                      size_t count)
{
    if (row_has_attribute(n->row, name))
        add_ints(n, name, v, count);
    else
        push_input(n, known_list(d, DTYPE_INT64, v, count));
}

static bool reshape(struct draw *d, struct node *n)
{
    int64_t to[8];
    size_t count = 0;
    push_input(n, draw_input(d, n, 0, 0, 5));
    const struct tensor *x = first(d, n);
    int64_t left = (int64_t)tensor_count(x);
    if (left == 0)
        return false;
    while (count < 4 && (left > 1 || once_in(d, 3))) {
        int64_t size = draw_between(d, 1, left);
        while (left % size)
            size--;
        to[count++] = size;
        left /= size;
    }
    if (left > 1)
        to[count++] = left;
    if (count && once_in(d, 2))
        to[draw_below(d, (uint32_t)count)] = -1;
    if (count && x->rank && to[0] == x->dims[0] && once_in(d, 2))
        to[0] = 0;
    push_list(d, n, "shape", to, count);
    return true;
}

static bool squeeze(struct draw *d, struct node *n)
{
    int64_t axes[MAX_RANK];
    size_t count = 0;
    push_input(n, draw_input(d, n, 0, 0, 5));
    const struct tensor *x = first(d, n);
    for (uint32_t i = 0; i < x->rank; i++)
        if (x->dims[i] == 1 && !once_in(d, 3))
            axes[count++] = d->p->opset >= 11 && once_in(d, 2) ? (int64_t)i - x->rank : i;
    if (count)
        push_list(d, n, "axes", axes, count);
    return true;
}

static bool unsqueeze(struct draw *d, struct node *n)
{
    int64_t axes[MAX_RANK];
    push_input(n, draw_input(d, n, 0, 0, 3));
    uint32_t more = 1 + draw_below(d, 2), rank = first(d, n)->rank + more;
    for (uint32_t i = 0; i < more; i++)
        axes[i] = draw_below(d, rank);
    if (more == 2 && axes[0] == axes[1])
        axes[1] = (axes[1] + 1) % rank;
    for (uint32_t i = 0; i < more; i++)
        if (d->p->opset >= 11 && once_in(d, 3))
            axes[i] -= rank;
    push_list(d, n, "axes", axes, more);
    return true;
}

static bool expand(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 4));
    struct dims s = dims_of(first(d, n)), to = { 0 };
    uint32_t more = draw_below(d, 3);
    for (uint32_t i = 0; i < more; i++)
        to.sizes[to.rank++] = draw_between(d, 1, 3);
    for (uint32_t i = 0; i < s.rank; i++)
        to.sizes[to.rank++] = once_in(d, 3)     ? 1
                              : s.sizes[i] == 1 ? draw_between(d, 1, 3)
                                                : s.sizes[i];
    push_input(n, known_list(d, DTYPE_INT64, to.sizes, to.rank));
    return true;
}

static bool tile(struct draw *d, struct node *n)
{
    int64_t repeats[MAX_RANK];
    push_input(n, draw_input(d, n, 0, 1, 4));
    uint32_t rank = first(d, n)->rank;
    for (uint32_t i = 0; i < rank; i++)
        repeats[i] = DRAW_OF(d, 1, 1, 2, 3);
    if (once_in(d, 20))
        repeats[0] = 0;
    push_input(n, known_list(d, DTYPE_INT64, repeats, rank));
    return d->p->opset >= 6;
}

static bool concat(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    struct dims s = dims_of(first(d, n));
    int64_t axis = draw_axis(d, s.rank);
    enum dtype t = first(d, n)->dtype;
    for (uint32_t i = draw_below(d, 3); i; i--) {
        s.sizes[axis < 0 ? axis + s.rank : axis] = draw_between(d, once_in(d, 8) ? 0 : 1, 3);
        push_input(n, draw_like(d, t, s));
    }
    add_int(n, "axis", axis);
    return true;
}

static bool split(struct draw *d, struct node *n)
{
    int64_t parts[4];
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    int64_t axis = draw_axis(d, x->rank), left = size_at(x, axis);
    size_t count = 1 + draw_below(d, 3);
    add_int(n, "axis", axis);
    n->output_count = count;
    if (once_in(d, 3)) {
        if (row_has_attribute(n->row, "num_outputs"))
            add_int(n, "num_outputs", (int64_t)count);
        return true;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        parts[i] = draw_between(d, 0, left);
        left -= parts[i];
    }
    parts[count - 1] = left;
    push_list(d, n, "split", parts, count);
    return true;
}

static int64_t bound_number(struct draw *d, int64_t size)
{
    if (once_in(d, 8))
        return DRAW_OF(d, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, -100, 100);
    return draw_between(d, -size - 1, size + 1);
}

static bool slice(struct draw *d, struct node *n)
{
    int64_t axes[MAX_RANK], starts[MAX_RANK], ends[MAX_RANK], steps[MAX_RANK];
    push_input(n, draw_input(d, n, 0, 1, 5));
    const struct tensor *x = first(d, n);
    size_t count = draw_axes(d, x->rank, axes);
    for (size_t i = 0; i < count; i++) {
        starts[i] = bound_number(d, size_at(x, axes[i]));
        ends[i] = bound_number(d, size_at(x, axes[i]));
        steps[i] = DRAW_OF(d, 1, 1, 2, 3, -1, -2, -3, INT32_MAX);
    }
    push_list(d, n, "starts", starts, count);
    push_list(d, n, "ends", ends, count);
    push_list(d, n, "axes", axes, count);
    if (d->p->opset >= 10 && once_in(d, 2))
        push_list(d, n, "steps", steps, count);
    return count > 0;
}

static void draw_pads(struct draw *d, const struct tensor *x, bool reflect, int64_t *pads)
{
    for (uint32_t i = 0; i < 2 * x->rank; i++) {
        int64_t size = x->dims[i % x->rank];
        pads[i] = DRAW_OF(d, 0, 0, 1, 2, -1);
        if (reflect && pads[i] >= size)
            pads[i] = size ? size - 1 : 0;
    }
}

static bool pad(struct draw *d, struct node *n)
{
    int64_t pads[2 * MAX_RANK];
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    draw_attributes(d, n, x->rank);
    const struct attribute *mode = find_attribute(n, "mode");
    draw_pads(d, x, mode && strcmp(mode->text, "constant") != 0, pads);
    if (row_has_attribute(n->row, "paddings")) {
        add_ints(n, "paddings", pads, 2 * x->rank);
        return true;
    }
    push_list(d, n, "pads", pads, 2 * x->rank);
    if (n->row->input_count > 2 && once_in(d, 2))
        push_input(n, draw_value(d, x->dtype, (struct dims){ 0 }, true));
    return true;
}

static bool depth(struct draw *d, struct node *n)
{
    int64_t b = draw_between(d, 1, 3), c = draw_between(d, 1, 2), h = draw_between(d, 1, 3);
    bool to_space = n->row->name[0] == 'D';
    struct dims s = to_space ? DIMS_OF(draw_between(d, 1, 2), c * b * b, h, 2)
                             : DIMS_OF(draw_between(d, 1, 2), c, h * b, 2 * b);
    push_input(n, draw_value(d, draw_dtype(d, slot_dtypes(n, 0)), s, false));
    add_int(n, "blocksize", b);
    draw_attributes(d, n, 4);
    return true;
}

static bool trilu(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 2, 4));
    if (once_in(d, 2))
        push_input(n, known_scalar(d, DTYPE_INT64, (double)draw_between(d, -4, 4)));
    draw_attributes(d, n, 0);
    return true;
}

static bool reverse_sequence(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 2, 4));
    const struct tensor *x = first(d, n);
    int64_t batch = draw_below(d, 2);
    if (x->dims[1 - batch] == 0)
        return false;
    push_input(n, draw_range(d, DTYPE_INT64, DIMS_OF(x->dims[batch]), 1, x->dims[1 - batch],
                             once_in(d, 2)));
    add_int(n, "batch_axis", batch);
    add_int(n, "time_axis", 1 - batch);
    return true;
}

static bool center(struct draw *d, struct node *n)
{
    int64_t axes[MAX_RANK], to[MAX_RANK];
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    size_t count = draw_axes(d, x->rank, axes);
    for (size_t i = 0; i < count; i++)
        to[i] = draw_between(d, 1, size_at(x, axes[i]) + 3);
    push_input(n, known_list(d, DTYPE_INT64, to, count));
    add_ints(n, "axes", axes, count);
    return count > 0;
}

/* --- gather and scatter ----------------------------------------------------------------------------- */

static int indices(struct draw *d, struct dims s, int64_t size)
{
    return draw_range(d, once_in(d, 2) ? DTYPE_INT64 : DTYPE_INT32, s,
                      d->p->opset >= 11 ? -size : 0, size - 1, once_in(d, 2));
}

static bool gather(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    int64_t axis = draw_axis(d, x->rank), size = size_at(x, axis);
    push_input(n, indices(d, draw_dims(d, 0, 2), size));
    add_int(n, "axis", axis);
    return size > 0;
}

static bool gather_elements(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    struct dims s = dims_of(x);
    int64_t axis = draw_axis(d, x->rank), size = size_at(x, axis);
    for (uint32_t i = 0; i < s.rank; i++)
        s.sizes[i] = draw_between(d, 1, s.sizes[i]);
    s.sizes[axis < 0 ? axis + s.rank : axis] = draw_between(d, 1, 4);
    push_input(n, indices(d, s, size));
    add_int(n, "axis", axis);
    return size > 0 && tensor_count(x) > 0;
}

/* Index tuples for the axes from, from+1 … of x. */
static int tuples(struct draw *d, struct dims lead, const struct tensor *x, uint32_t from,
                  uint32_t count, bool distinct)
{
    lead.sizes[lead.rank++] = count;
    int id = draw_range(d, DTYPE_INT64, lead, 0, 0, once_in(d, 2));
    struct tensor *t = drawn(d, id);
    for (uint64_t i = 0; id != ABSENT && i < tensor_count(t); i++) {
        int64_t size = x->dims[from + i % count];
        tensor_put_i64(t, i,
                       distinct ? (int64_t)(i / count) % size
                                : draw_between(d, d->p->opset >= 12 ? -size : 0, size - 1));
    }
    return id;
}

static bool gather_nd(struct draw *d, struct node *n)
{
    struct dims lead = { 0 };
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    uint32_t batch = row_has_attribute(n->row, "batch_dims") ? draw_below(d, x->rank) : 0;
    for (; lead.rank < batch; lead.rank++)
        lead.sizes[lead.rank] = x->dims[lead.rank];
    lead.sizes[lead.rank++] = draw_between(d, 1, 3);
    push_input(n, tuples(d, lead, x, batch, 1 + draw_below(d, x->rank - batch), false));
    if (batch)
        add_int(n, "batch_dims", batch);
    return tensor_count(x) > 0;
}

static bool has_reduction(const struct node *n)
{
    const struct attribute *a = find_attribute(n, "reduction");
    return a && strcmp(a->text, "none") != 0;
}

/* Indices without repetition where there is no reduction: the order is open there. */
static bool scatter_elements(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    struct dims s = dims_of(x);
    int64_t axis = draw_axis(d, x->rank), size = size_at(x, axis);
    uint32_t at = (uint32_t)(axis < 0 ? axis + x->rank : axis);
    draw_attributes(d, n, x->rank);
    if (!find_attribute(n, "axis"))
        add_int(n, "axis", axis);
    axis = int_attribute(n, "axis", 0);
    at = (uint32_t)(axis < 0 ? axis + x->rank : axis);
    size = x->dims[at];
    for (uint32_t i = 0; i < s.rank; i++)
        s.sizes[i] = draw_between(d, 1, s.sizes[i]);
    bool repeats = has_reduction(n);
    int where = draw_range(d, DTYPE_INT64, s, -size, size - 1, once_in(d, 2));
    if (where == ABSENT || tensor_count(x) == 0)
        return false;
    int64_t strides[MAX_RANK], shift = draw_below(d, (uint32_t)size);
    tensor_strides(drawn(d, where), strides);
    for (uint64_t i = 0; !repeats && i < tensor_count(drawn(d, where)); i++)
        tensor_put_i64(drawn(d, where), i, ((int64_t)i / strides[at] % s.sizes[at] + shift) % size);
    push_input(n, where);
    push_input(n, draw_value(d, drawn(d, n->inputs[0])->dtype, s, false));
    return true;
}

static bool scatter_nd(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = first(d, n);
    if (tensor_count(x) == 0)
        return false;
    draw_attributes(d, n, x->rank);
    bool repeats = has_reduction(n);
    uint32_t count = repeats ? 1 + draw_below(d, x->rank) : 1;
    struct dims lead = DIMS_OF(draw_between(d, 1, repeats ? 4 : x->dims[0])), updates = lead;
    for (uint32_t i = count; i < x->rank; i++)
        updates.sizes[updates.rank++] = x->dims[i];
    push_input(n, tuples(d, lead, x, 0, count, !repeats));
    push_input(n, draw_value(d, drawn(d, n->inputs[0])->dtype, updates, false));
    return true;
}

static bool one_hot(struct draw *d, struct node *n)
{
    int64_t size = draw_between(d, 1, 5);
    struct dims s = draw_dims(d, 0, 3);
    push_input(
        n, draw_range(d, draw_dtype(d, slot_dtypes(n, 0) & (SET_INDEX | DTYPE_BIT(DTYPE_FLOAT32))),
                      s, -size - 1, size + 1, false));
    push_input(n, known_scalar(d, DTYPE_INT64, (double)size));
    push_input(n, draw_value(d, draw_dtype(d, slot_dtypes(n, 2)), DIMS_OF(2), false));
    add_int(n, "axis", draw_axis(d, s.rank + 1));
    return true;
}

static bool compress(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 3));
    const struct tensor *x = first(d, n);
    int64_t size = (int64_t)tensor_count(x);
    if (once_in(d, 2)) {
        int64_t axis = draw_axis(d, x->rank);
        add_int(n, "axis", axis);
        size = size_at(x, axis);
    }
    push_input(n, draw_range(d, DTYPE_BOOL, DIMS_OF(draw_between(d, 0, size)), 0, 1, true));
    return true;
}

/* Known input: the result's size depends on it. */
static bool known_only(struct draw *d, struct node *n)
{
    push_input(n, draw_value(d, draw_dtype(d, slot_dtypes(n, 0)), draw_dims(d, 1, 3), true));
    draw_attributes(d, n, drawn(d, n->inputs[0])->rank);
    return true;
}

const struct recipe movement_recipes[] = {
    { "Shape", shape },
    { "Transpose", permute },
    { "Reshape", reshape },
    { "Squeeze", squeeze },
    { "Unsqueeze", unsqueeze },
    { "Expand", expand },
    { "Tile", tile },
    { "Concat", concat },
    { "Split", split },
    { "Slice", slice },
    { "Pad", pad },
    { "DepthToSpace SpaceToDepth", depth },
    { "Trilu", trilu },
    { "ReverseSequence", reverse_sequence },
    { "CenterCropPad", center },
    { "Gather", gather },
    { "GatherElements", gather_elements },
    { "GatherND", gather_nd },
    { "ScatterElements Scatter", scatter_elements },
    { "ScatterND", scatter_nd },
    { "OneHot", one_hot },
    { "Compress", compress },
    { "NonZero Unique", known_only },
    { NULL, NULL },
};
