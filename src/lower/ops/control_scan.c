/* Scan: a body for every index of an axis, written out. */
#include "lower/helpers.h"

#include <string.h>

struct scan_params {
    const struct onnx_graph *body;
    int64_t num_scan_inputs;
    struct ints scan_input_axes, scan_output_axes, scan_input_directions, scan_output_directions,
        directions;
};

static const struct attr_row scan_8_attrs[] = {
    ATTR_GRAPH(struct scan_params, body, .required = true),
    ATTR_INT(struct scan_params, num_scan_inputs, .required = true),
    ATTR_INTS(struct scan_params, directions, .required = false),
};
static const struct attr_row scan_attrs[] = {
    ATTR_GRAPH(struct scan_params, body, .required = true),
    ATTR_INT(struct scan_params, num_scan_inputs, .required = true),
    ATTR_INTS(struct scan_params, scan_input_axes, .required = false),
    ATTR_INTS(struct scan_params, scan_output_axes, .required = false),
    ATTR_INTS(struct scan_params, scan_input_directions, .required = false),
    ATTR_INTS(struct scan_params, scan_output_directions, .required = false),
};

/* States come first among inputs and outputs, then what is scanned. */
struct scan {
    const struct onnx_graph *body;
    uint32_t first; /* of the node's inputs */
    uint32_t states, inputs, outputs;
    const struct ints *input_directions, *output_directions;
    const value *given; /* by input of the body: state, or what is sliced */
    uint32_t *axes;     /* of the scanned inputs */
    int64_t length;
    value *items, *results; /* of one step */
    value *kept;            /* of the scanned outputs, step by step */
};

static o2w_status check_list(struct lower *l, const struct node_view *n, const char *name,
                             const struct ints *list, uint32_t count, bool flags)
{
    if (list->given && list->count != count)
        return refuse_attribute(l, n, name, "has %u entries, must have %u", list->count, count);
    for (uint32_t i = 0; flags && i < list->count; i++)
        if (list->items[i] != 0 && list->items[i] != 1)
            return refuse_attribute(l, n, name, "is %lld at index %u, allowed: 0 1",
                                    (long long)list->items[i], i);
    return O2W_OK;
}

static bool backwards(const struct ints *directions, uint32_t i)
{
    return directions->given && directions->items[i] == 1;
}

/* Counts of states and scanned values, which node and body must agree in. */
static o2w_status scan_begin(struct lower *l, const struct node_view *n,
                             const struct scan_params *p, uint32_t first, struct scan *s)
{
    uint32_t given = n->input_count > first ? n->input_count - first : 0;
    *s = (struct scan){ .body = p->body, .first = first };
    if (p->num_scan_inputs < 1 || p->num_scan_inputs > given)
        return refuse_attribute(l, n, "num_scan_inputs", "is %lld, must be from 1 to %u",
                                (long long)p->num_scan_inputs, given);
    s->inputs = (uint32_t)p->num_scan_inputs;
    s->states = given - s->inputs;
    if (p->body->input_count != given || p->body->output_count < s->states ||
        n->output_count > p->body->output_count)
        return refuse(l, n, DIAG_MODEL_STRUCTURE,
                      "the body takes %u inputs and gives %u outputs, the node has %u and %u",
                      p->body->input_count, p->body->output_count, given, n->output_count);
    s->outputs = p->body->output_count - s->states;
    s->axes = ARENA_ARRAY(lower_arena(l), s->inputs, uint32_t);
    s->items = ARENA_ARRAY(lower_arena(l), given, value);
    s->results = ARENA_ARRAY(lower_arena(l), p->body->output_count, value);
    if (!s->axes || !s->items || !s->results)
        return diag_memory(lower_diags(l));
    return O2W_OK;
}

/* All scanned axes have one length, a number. */
static o2w_status read_length(struct lower *l, const struct node_view *n, struct scan *s)
{
    uint32_t limit = lower_unroll_limit(l, UNROLL_SCAN);
    for (uint32_t i = 0; i < s->inputs; i++) {
        int64_t size;
        TRY(static_dim(l, n, s->given[s->states + i], s->axes[i], &size));
        if (i && size != s->length)
            return refuse_input(l, n, s->first + s->states + i,
                                "has %lld steps, the scanned input before it %lld", (long long)size,
                                (long long)s->length);
        s->length = size;
    }
    if (s->length > limit) {
        o2w_status status =
            refuse(l, n, DIAG_LOWER_LIMIT, "the scan has %lld steps, the limit is %u",
                   (long long)s->length, limit);
        diag_hint(lower_diags(l), "--unroll-limit N");
        return status;
    }
    return O2W_OK;
}

static o2w_status scan_step(struct lower *l, const struct node_view *n, struct scan *s, int64_t t)
{
    for (uint32_t i = 0; i < s->inputs; i++) {
        int64_t at = backwards(s->input_directions, i) ? s->length - 1 - t : t;
        value *item = &s->items[s->states + i];
        TRY(slice(l, s->given[s->states + i], s->axes[i], at, 1, 1, item));
        TRY(squeeze(l, *item, &s->axes[i], 1, item));
    }
    TRY(lower_body(l, n, s->body, s->items, s->states + s->inputs, s->results));
    TRY(lower_check_growth(l, n));
    memcpy(s->items, s->results, s->states * sizeof *s->items);
    memcpy(&s->kept[(size_t)t * s->outputs], s->results + s->states, s->outputs * sizeof *s->kept);
    return O2W_OK;
}

/* The first `steps` steps; the states are then in items. */
static o2w_status scan_run(struct lower *l, const struct node_view *n, struct scan *s,
                           int64_t steps)
{
    s->kept = ARENA_ARRAY(lower_arena(l), (size_t)steps * s->outputs, value);
    if (!s->kept)
        return diag_memory(lower_diags(l));
    memcpy(s->items, s->given, s->states * sizeof *s->items);
    for (int64_t t = 0; t < steps; t++)
        TRY(scan_step(l, n, s, t));
    return O2W_OK;
}

/* The items of scanned output i on a new axis; a refused one refuses the whole. */
static o2w_status scan_output(struct lower *l, const struct node_view *n, const struct scan *s,
                              int64_t steps, uint32_t i, int64_t axis, value *out)
{
    value *list = ARENA_ARRAY(lower_arena(l), (size_t)steps, value);
    uint32_t at = 0;
    if (!list)
        return diag_memory(lower_diags(l));
    for (int64_t t = 0; t < steps; t++) {
        int64_t to = backwards(s->output_directions, i) ? steps - 1 - t : t;
        value item = s->kept[(size_t)t * s->outputs + i];
        if (item->kind == VALUE_FAILED) {
            *out = item;
            return O2W_OK;
        }
        if (!value_is_tensor(item))
            return refuse(l, n, DIAG_LOWER_DTYPE, "scanned output %u is no tensor", i);
        TRY(axis_from(l, n, axis, item->rank + 1, 0, &at));
        TRY(unsqueeze(l, item, &at, 1, &list[to]));
    }
    return concat(l, list, (uint32_t)steps, at, out);
}

static o2w_status check_steps(struct lower *l, const struct node_view *n, const struct scan *s)
{
    if (s->length < 1)
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "the scanned axis is empty, at least one step is needed");
    return O2W_OK;
}

static o2w_status lower_scan(struct lower *l, const struct node_view *n, const void *params)
{
    const struct scan_params *p = params;
    struct scan s;
    TRY(scan_begin(l, n, p, 0, &s));
    TRY(check_list(l, n, "scan_input_axes", &p->scan_input_axes, s.inputs, false));
    TRY(check_list(l, n, "scan_output_axes", &p->scan_output_axes, s.outputs, false));
    TRY(check_list(l, n, "scan_input_directions", &p->scan_input_directions, s.inputs, true));
    TRY(check_list(l, n, "scan_output_directions", &p->scan_output_directions, s.outputs, true));
    s.input_directions = &p->scan_input_directions;
    s.output_directions = &p->scan_output_directions;
    s.given = n->inputs;
    for (uint32_t i = 0; i < s.inputs; i++) {
        value x = s.given[s.states + i];
        if (!value_is_tensor(x))
            return refuse_input(l, n, s.states + i, "is no tensor");
        TRY(axis_from(l, n, p->scan_input_axes.given ? p->scan_input_axes.items[i] : 0, x->rank, 0,
                      &s.axes[i]));
    }
    TRY(read_length(l, n, &s));
    TRY(check_steps(l, n, &s));
    TRY(scan_run(l, n, &s, s.length));
    for (uint32_t i = 0; i < s.states; i++)
        TRY(emit_output(l, n, i, s.items[i]));
    for (uint32_t i = 0; i < s.outputs; i++) {
        value y;
        if (!output_used(n, s.states + i))
            continue;
        TRY(scan_output(l, n, &s, s.length, i,
                        p->scan_output_axes.given ? p->scan_output_axes.items[i] : 0, &y));
        TRY(emit_output(l, n, s.states + i, y));
    }
    return O2W_OK;
}

/* --- version 8: [batch, steps, …], each batch entry on its own --------------------------------------- */

/* Output of one batch entry, padded with zeros to the whole length, with a batch dim in front. */
static o2w_status padded_output(struct lower *l, const struct node_view *n, const struct scan *s,
                                int64_t steps, uint32_t i, value *out)
{
    const uint32_t first = 0;
    value parts[2];
    dim dims[MAX_RANK];
    TRY(scan_output(l, n, s, steps, i, 0, &parts[0]));
    if (parts[0]->kind == VALUE_FAILED) {
        *out = parts[0];
        return O2W_OK;
    }
    memcpy(dims, parts[0]->dims, parts[0]->rank * sizeof *dims);
    dims[0] = s->length - steps;
    if (dims[0] > 0) {
        TRY(fill_i64(l, parts[0]->dtype, 0, dims, parts[0]->rank, &parts[1]));
        TRY(concat(l, parts, 2, 0, &parts[0]));
    }
    return unsqueeze(l, parts[0], &first, 1, out);
}

/* The values of batch entry b, then the run; results by output of the body. */
static o2w_status batch_entry(struct lower *l, const struct node_view *n, struct scan *s,
                              uint32_t b, int64_t steps, value *entry, value *results)
{
    const uint32_t first = 0;
    for (uint32_t i = 0; i < s->states + s->inputs; i++) {
        TRY(slice(l, input(n, 1 + i), 0, b, 1, 1, &entry[i]));
        TRY(squeeze(l, entry[i], &first, 1, &entry[i]));
    }
    s->given = entry;
    TRY(read_length(l, n, s));
    if (steps < 1 || steps > s->length)
        return refuse_input(l, n, 0, "is %lld for batch entry %u, must be from 1 to %lld",
                            (long long)steps, b, (long long)s->length);
    TRY(scan_run(l, n, s, steps));
    for (uint32_t i = 0; i < s->states; i++) {
        results[i] = s->items[i];
        if (s->items[i]->kind != VALUE_FAILED)
            TRY(unsqueeze(l, s->items[i], &first, 1, &results[i]));
    }
    for (uint32_t i = 0; i < s->outputs; i++)
        TRY(padded_output(l, n, s, steps, i, &results[s->states + i]));
    return O2W_OK;
}

static o2w_status join_batch(struct lower *l, const struct node_view *n, value *all,
                             uint32_t stride, uint32_t batch)
{
    value *list = ARENA_ARRAY(lower_arena(l), batch, value), y;
    if (!list)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < stride; i++) {
        bool failed = false;
        for (uint32_t b = 0; b < batch; b++) {
            list[b] = all[b * stride + i];
            failed |= list[b]->kind == VALUE_FAILED;
        }
        y = list[0];
        if (failed)
            TRY(emit_output(l, n, i, all[i]));
        else
            TRY(concat(l, list, batch, 0, &y));
        TRY(emit_output(l, n, i, y));
    }
    return O2W_OK;
}

static o2w_status lower_scan_8(struct lower *l, const struct node_view *n, const void *params)
{
    static const struct ints none = { 0 };
    const struct scan_params *p = params;
    struct scan s;
    struct ints lengths;
    int64_t batch, steps;
    TRY(scan_begin(l, n, p, 1, &s));
    TRY(check_list(l, n, "directions", &p->directions, s.inputs, true));
    TRY(known_ints(l, n, 0, &lengths));
    s.input_directions = &p->directions;
    s.output_directions = &none;
    for (uint32_t i = 0; i < s.states + s.inputs; i++) {
        value x = input(n, 1 + i);
        uint32_t least = i < s.states ? 1 : 2;
        if (!value_is_tensor(x) || x->rank < least)
            return refuse_input(l, n, 1 + i, "must be a tensor of at least rank %u", least);
    }
    TRY(static_dim(l, n, input(n, 1), 0, &batch));
    TRY(static_dim(l, n, input(n, 1 + s.states), 1, &steps));
    if (batch < 1 || batch > 4096 || (lengths.given && lengths.count != batch))
        return refuse_input(l, n, 1, "has a batch of %lld, the lengths one of %u", (long long)batch,
                            lengths.count);
    uint32_t count = s.states + s.outputs;
    value *entry = ARENA_ARRAY(lower_arena(l), s.states + s.inputs, value);
    value *all = ARENA_ARRAY(lower_arena(l), (size_t)batch * count, value);
    if (!entry || !all)
        return diag_memory(lower_diags(l));
    for (uint32_t b = 0; b < batch; b++)
        TRY(batch_entry(l, n, &s, b, lengths.given ? lengths.items[b] : steps, entry,
                        &all[b * count]));
    return join_batch(l, n, all, count, (uint32_t)batch);
}

#define ANY_MANY(slot)                                             \
    {                                                              \
        .name = slot, .kind = SLOT_VARIADIC, .variable = TYPE_NONE \
    }

const struct onnx_row control_scan_rows[] = {
    { ONNX("Scan", 8, 8),
      INPUTS(IN_OPT("sequence_lens", NONE, SET_I64, KNOWN),
             ANY_MANY("initial_state_and_scan_inputs")),
      RESULTS(ANY_MANY("final_state_and_scan_outputs")), PARAMS(struct scan_params, scan_8_attrs),
      .lower = lower_scan_8, .class = CLASS_STATIC, .partial = true, .webnn = "slice, concat",
      .notes = "written out step by step: numbers of batch entries and steps are needed" },
    { ONNX("Scan", 9, LATEST), INPUTS(ANY_MANY("initial_state_and_scan_inputs")),
      RESULTS(ANY_MANY("final_state_and_scan_outputs")), PARAMS(struct scan_params, scan_attrs),
      .lower = lower_scan, .class = CLASS_STATIC, .partial = true, .webnn = "slice, concat",
      .notes = "written out step by step: a number of steps is needed" },
};
ROW_COUNT(control_scan);
