/* Control flow: branches are chosen or joined while lowering. */
#include "lower/bounded.h"
#include "lower/helpers.h"

#include <string.h>

struct if_params {
    const struct onnx_graph *then_branch, *else_branch;
};

static const struct attr_row if_attrs[] = {
    ATTR_GRAPH(struct if_params, then_branch, .required = true),
    ATTR_GRAPH(struct if_params, else_branch, .required = true),
};

static o2w_status branch_values(struct lower *l, const struct node_view *n,
                                const struct onnx_graph *g, value **out)
{
    *out = arena_array(lower_arena(l), g->output_count, sizeof(value), _Alignof(value));
    if (!*out)
        return diag_memory(lower_diags(l));
    return lower_body(l, n, g, NULL, 0, *out);
}

static o2w_status known_branch(struct lower *l, const struct node_view *n,
                               const struct if_params *p)
{
    struct tensor condition;
    value *values;
    TRY(known_tensor(l, input(n, 0), &condition));
    if (tensor_count(&condition) != 1)
        return refuse_input(l, n, 0, "has %llu elements, one is needed",
                            (unsigned long long)tensor_count(&condition));
    const struct onnx_graph *branch =
        tensor_get_i64(&condition, 0) ? p->then_branch : p->else_branch;
    TRY(branch_values(l, n, branch, &values));
    for (uint32_t i = 0; i < n->output_count; i++)
        TRY(emit_output(l, n, i, values[i]));
    return O2W_OK;
}

/* The input of the model that a value is; empty for others. */
static struct span input_name(struct lower *l, value v)
{
    const struct onnx_model *m = lower_model_of(l);
    for (uint32_t i = 0; v->name && i < m->graph.input_count; i++)
        if (m->graph.inputs[i].name == v->name)
            return onnx_name(m, v->name);
    return SPAN("");
}

/* A condition that is an input can be pinned; else what the branches differ in is said. */
static o2w_status refuse_condition(struct lower *l, const struct node_view *n, const char *why,
                                   uint32_t output)
{
    struct diags *d = lower_diags(l);
    struct span pin = input_name(l, input(n, 0));
    char *place = arena_printf(lower_arena(l), ", condition from input '%.*s'", SPAN_ARG(pin));
    o2w_status s =
        diag_error(d, DIAG_LOWER_IF_CONDITION, "If needs a condition known at conversion");
    onnx_at_node(d, lower_model_of(l), n->onnx, pin.size ? place : NULL);
    if (pin.size)
        diag_hint(d, "--pin-input %.*s=false, and once more with =true into another --output",
                  SPAN_ARG(pin));
    else
        diag_line(d, "found", "output %u %s", output, why);
    return s;
}

/* Both branches, joined where by where: only when their results agree in dtype and shape. */
static o2w_status joined_branches(struct lower *l, const struct node_view *n,
                                  const struct if_params *p)
{
    value *yes, *no, condition;
    TRY(branch_values(l, n, p->then_branch, &yes));
    TRY(branch_values(l, n, p->else_branch, &no));
    TRY(reshape(l, input(n, 0), NULL, 0, &condition));
    for (uint32_t i = 0; i < n->output_count; i++) {
        value a = yes[i], b = no[i], y;
        if (a->kind == VALUE_FAILED || b->kind == VALUE_FAILED)
            return emit_output(l, n, i, a->kind == VALUE_FAILED ? a : b);
        if (!value_is_tensor(a) || !value_is_tensor(b))
            return refuse_condition(l, n, "is a sequence or optional", i);
        if (a->dtype != b->dtype)
            return refuse_condition(l, n, "differs in type between the branches", i);
        if (a->rank != b->rank || !dims_equal(a->dims, b->dims, a->rank))
            return refuse_condition(l, n, "differs in shape between the branches", i);
        TRY(op3(l, WEBNN_WHERE, condition, a, b, &y));
        TRY(emit_as(l, n, i, y, a->dtype));
    }
    return O2W_OK;
}

static o2w_status lower_if(struct lower *l, const struct node_view *n, const void *params)
{
    const struct if_params *p = params;
    if (p->then_branch->output_count != n->output_count ||
        p->else_branch->output_count != n->output_count)
        return refuse(l, n, DIAG_MODEL_STRUCTURE,
                      "the node has %u outputs, its branches give %u and %u", n->output_count,
                      p->then_branch->output_count, p->else_branch->output_count);
    return value_is_known(input(n, 0)) ? known_branch(l, n, p) : joined_branches(l, n, p);
}

/* --- Loop -------------------------------------------------------------------------------------------- */

struct loop_params {
    const struct onnx_graph *body;
};

static const struct attr_row loop_attrs[] = { ATTR_GRAPH(struct loop_params, body,
                                                         .required = true) };

/* Values of the trips so far. The body takes the trip's number, the condition, then what is carried;
 * it gives the condition, what is carried, then one item of each scanned output. */
struct loop {
    const struct onnx_graph *body;
    uint32_t carried, scanned;
    value *inputs, *outputs;
    value *items; /* of the scanned outputs, trip by trip */
    uint32_t trips, room;
};

static o2w_status loop_begin(struct lower *l, const struct node_view *n,
                             const struct onnx_graph *body, struct loop *s)
{
    uint32_t carried = n->input_count > 2 ? n->input_count - 2 : 0;
    *s = (struct loop){ .body = body, .carried = carried };
    if (body->input_count != carried + 2 || body->output_count < carried + 1)
        return refuse(
            l, n, DIAG_MODEL_STRUCTURE,
            "the body takes %u inputs and gives %u outputs, %u and at least %u are needed",
            body->input_count, body->output_count, carried + 2, carried + 1);
    s->scanned = body->output_count - 1 - carried;
    if (n->output_count > carried + s->scanned)
        return refuse(l, n, DIAG_MODEL_STRUCTURE, "the node has %u outputs, its body gives %u",
                      n->output_count, carried + s->scanned);
    s->inputs = ARENA_ARRAY(lower_arena(l), body->input_count, value);
    s->outputs = ARENA_ARRAY(lower_arena(l), body->output_count, value);
    if (!s->inputs || !s->outputs)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < carried; i++)
        s->inputs[2 + i] = input(n, 2 + i);
    return O2W_OK;
}

/* Keeps the items of a trip; each gets a dim of 1 in front. */
static o2w_status keep_items(struct lower *l, const struct node_view *n, struct loop *s)
{
    const uint32_t first = 0;
    if (s->trips == s->room) {
        uint32_t room = s->room ? 2 * s->room : 16;
        value *items = ARENA_ARRAY(lower_arena(l), (size_t)room * s->scanned, value);
        if (!items)
            return diag_memory(lower_diags(l));
        if (s->trips)
            memcpy(items, s->items, (size_t)s->trips * s->scanned * sizeof *items);
        s->items = items;
        s->room = room;
    }
    for (uint32_t i = 0; i < s->scanned; i++) {
        value v = s->outputs[1 + s->carried + i];
        if (!value_is_tensor(v) && (!v || v->kind != VALUE_FAILED))
            return refuse(l, n, DIAG_LOWER_DTYPE, "scanned output %u is no tensor", i);
        value *at = &s->items[(size_t)s->trips * s->scanned + i];
        *at = v;
        if (v->kind != VALUE_FAILED)
            TRY(unsqueeze(l, v, &first, 1, at));
    }
    s->trips++;
    return O2W_OK;
}

static o2w_status loop_trip(struct lower *l, const struct node_view *n, struct loop *s)
{
    struct tensor t;
    TRY(scalar_i64(l, DTYPE_INT64, s->trips, &s->inputs[0]));
    TRY(known_new(l, DTYPE_BOOL, NULL, 0, &t, &s->inputs[1]));
    tensor_put_i64(&t, 0, 1);
    TRY(lower_body(l, n, s->body, s->inputs, s->body->input_count, s->outputs));
    TRY(lower_check_growth(l, n));
    return keep_items(l, n, s);
}

/* The condition must be known at every trip. Without a condition among the inputs ONNX ignores the
 * body's and its runtime does not: they agree where it stays true. */
static o2w_status loop_condition(struct lower *l, const struct node_view *n, value condition,
                                 uint32_t trips, bool *more)
{
    struct tensor t;
    *more = false;
    if (condition && condition->kind == VALUE_FAILED)
        return O2W_OK;
    if (!value_is_known(condition)) {
        o2w_status s = refuse(l, n, DIAG_LOWER_NOT_KNOWN,
                              "the condition after %u trips is computed, it must be known while "
                              "converting",
                              trips);
        if (n->onnx->name.size && input(n, 0))
            diag_hint(lower_diags(l), "--bound %.*s=N, N not below the number of trips M",
                      SPAN_ARG(n->onnx->name));
        else
            diag_hint(lower_diags(l), "export the loop with a number of trips, or unrolled");
        return s;
    }
    TRY(known_tensor(l, condition, &t));
    if (tensor_count(&t) != 1)
        return refuse(l, n, DIAG_LOWER_SHAPE, "the condition has %llu elements, one is needed",
                      (unsigned long long)tensor_count(&t));
    *more = tensor_get_i64(&t, 0) != 0;
    if (!*more && trips && !input(n, 1))
        return refuse(l, n, DIAG_LOWER_VALUE,
                      "the body ends the loop after %u trips, but there is no input 'cond'", trips);
    return O2W_OK;
}

/* No trip was made: one is lowered beside the graph for the type and shape of its items. */
static o2w_status empty_items(struct lower *l, const struct node_view *n, struct loop *s,
                              uint32_t i, value *out)
{
    struct tensor t;
    dim dims[MAX_RANK];
    if (!s->trips)
        TRY(loop_trip(l, n, s));
    value item = s->items[i];
    if (item->kind == VALUE_FAILED) {
        *out = item;
        return O2W_OK;
    }
    memcpy(dims, item->dims, item->rank * sizeof *dims);
    dims[0] = 0;
    for (uint32_t k = 1; k < item->rank; k++) {
        int64_t size;
        TRY(static_dim(l, n, item, k, &size));
    }
    return known_new(l, item->dtype, dims, item->rank, &t, out);
}

static o2w_status emit_scanned(struct lower *l, const struct node_view *n, struct loop *s,
                               uint32_t trips, uint32_t i)
{
    value y;
    value *list = ARENA_ARRAY(lower_arena(l), trips, value);
    if (!list)
        return diag_memory(lower_diags(l));
    if (trips == 0) {
        TRY(empty_items(l, n, s, i, &y));
        return emit_output(l, n, s->carried + i, y);
    }
    for (uint32_t t = 0; t < trips; t++) {
        list[t] = s->items[(size_t)t * s->scanned + i];
        if (list[t]->kind == VALUE_FAILED)
            return emit_output(l, n, s->carried + i, list[t]);
    }
    TRY(concat(l, list, trips, 0, &y));
    return emit_output(l, n, s->carried + i, y);
}

/* --- Loop with a computed condition, under a bound: every trip is made, those after the end change nothing --- */

/* Carried values where the loop goes on, the old ones where it has ended. */
static o2w_status carry_on(struct lower *l, const struct node_view *n, struct loop *s, value alive)
{
    for (uint32_t i = 0; i < s->carried; i++) {
        value before = s->inputs[2 + i], after = s->outputs[1 + i];
        if (after->kind == VALUE_FAILED || before->kind == VALUE_FAILED) {
            s->inputs[2 + i] = after->kind == VALUE_FAILED ? after : before;
            continue;
        }
        if (!value_is_tensor(before) || !value_is_tensor(after) || before->dtype != after->dtype ||
            before->rank != after->rank || !dims_equal(before->dims, after->dims, after->rank))
            return refuse(
                l, n, DIAG_LOWER_SHAPE,
                "carried value %u changes its type or shape, which a loop with a computed "
                "condition must not",
                i);
        TRY(op3(l, WEBNN_WHERE, alive, after, before, &after));
        TRY(retype(l, after, before->dtype, &s->inputs[2 + i]));
    }
    return O2W_OK;
}

static o2w_status alive_after(struct lower *l, const struct node_view *n, value condition,
                              value *alive)
{
    uint64_t count;
    if (condition->kind == VALUE_FAILED) {
        *alive = condition;
        return O2W_OK;
    }
    if (!value_is_tensor(condition) || !value_count(condition, &count) || count != 1)
        return refuse(l, n, DIAG_LOWER_SHAPE, "the condition is not one element");
    TRY(reshape(l, condition, NULL, 0, &condition));
    return *alive ? op2(l, WEBNN_LOGICAL_AND, *alive, condition, alive)
                  : cast(l, condition, DTYPE_UINT8, alive);
}

/* From here on the loop goes on where `condition` holds. */
static o2w_status run_bounded(struct lower *l, const struct node_view *n, struct loop *s,
                              int64_t most, value condition)
{
    value alive = NULL;
    if (s->scanned)
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "the sizes of %u scanned outputs depend on a computed condition", s->scanned);
    if (!input(n, 1))
        return refuse(l, n, DIAG_LOWER_INPUT,
                      "the body computes a condition, but there is no input 'cond'");
    if (!input(n, 0) || most > lower_bound_of(l, n))
        return refuse(l, n, DIAG_LOWER_LIMIT,
                      "the condition is computed: input 'M' must be known and not above the bound "
                      "%lld",
                      (long long)lower_bound_of(l, n));
    TRY(alive_after(l, n, condition, &alive));
    while (s->trips < most) {
        TRY(loop_trip(l, n, s));
        if (!alive || alive->kind == VALUE_FAILED)
            return O2W_OK;
        TRY(carry_on(l, n, s, alive));
        if (s->trips < most)
            TRY(alive_after(l, n, s->outputs[0], &alive));
    }
    return O2W_OK;
}

/* Whether a condition is computed, and a bound says that this may be. */
static bool is_bounded(struct lower *l, const struct node_view *n, value condition)
{
    return condition && condition->kind != VALUE_FAILED && !value_is_known(condition) &&
           lower_bound_of(l, n) > 0;
}

static o2w_status run_loop(struct lower *l, const struct node_view *n, struct loop *s)
{
    int64_t most = INT64_MAX;
    uint32_t limit = lower_unroll_limit(l, UNROLL_LOOP);
    bool more = true;
    if (input(n, 0))
        TRY(known_int(l, n, 0, &most));
    if (is_bounded(l, n, input(n, 1)))
        return run_bounded(l, n, s, most, input(n, 1));
    if (input(n, 1))
        TRY(loop_condition(l, n, input(n, 1), 0, &more));
    while (more && s->trips < most) {
        if (s->trips >= limit) {
            o2w_status status =
                most == INT64_MAX
                    ? refuse(l, n, DIAG_LOWER_LIMIT, "the trip count exceeds the limit %u", limit)
                    : refuse(l, n, DIAG_LOWER_LIMIT, "the trip count is %lld, the limit is %u",
                             (long long)most, limit);
            diag_hint(lower_diags(l), "--unroll-limit N");
            return status;
        }
        TRY(loop_trip(l, n, s));
        memcpy(s->inputs + 2, s->outputs + 1, s->carried * sizeof *s->inputs);
        if (s->trips < most && is_bounded(l, n, s->outputs[0]))
            return run_bounded(l, n, s, most, s->outputs[0]);
        if (s->trips < most)
            TRY(loop_condition(l, n, s->outputs[0], s->trips, &more));
    }
    return O2W_OK;
}

static o2w_status lower_loop(struct lower *l, const struct node_view *n, const void *params)
{
    const struct loop_params *p = params;
    struct loop s;
    TRY(loop_begin(l, n, p->body, &s));
    TRY(run_loop(l, n, &s));
    uint32_t trips = s.trips;
    for (uint32_t i = 0; i < s.carried; i++)
        TRY(emit_output(l, n, i, s.inputs[2 + i]));
    for (uint32_t i = 0; i < s.scanned; i++)
        if (output_used(n, s.carried + i))
            TRY(emit_scanned(l, n, &s, trips, i));
    return O2W_OK;
}

/* --- rows -------------------------------------------------------------------------------------------- */

#define ANY_MANY(slot)                                             \
    {                                                              \
        .name = slot, .kind = SLOT_VARIADIC, .variable = TYPE_NONE \
    }

const struct onnx_row control_rows[] = {
    { ONNX("If", 1, LATEST), INPUTS(IN("cond", NONE, SET_BOOL)), RESULTS(ANY_MANY("outputs")),
      PARAMS(struct if_params, if_attrs), .lower = lower_if, .class = CLASS_STATIC, .partial = true,
      .webnn = "where",
      .notes = "an unknown condition needs branches with equal dtypes and shapes" },
    { ONNX("Loop", 1, LATEST),
      INPUTS(IN_OPT("M", NONE, SET_I64, KNOWN), IN_OPT("cond", NONE, SET_BOOL),
             ANY_MANY("v_initial")),
      RESULTS(ANY_MANY("v_final_and_scan_outputs")), PARAMS(struct loop_params, loop_attrs),
      .lower = lower_loop, .class = CLASS_STATIC, .partial = true, .webnn = "concat",
      .notes =
          "written out trip by trip: the number of trips or the condition must be known at "
          "each; a computed condition needs --bound NODE=N, a known M and no scanned outputs" },
};
ROW_COUNT(control);
