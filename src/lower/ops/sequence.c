/* Sequences and optionals: they live while converting, no graph holds one. */
#include "lower/helpers.h"

#include <string.h>

static o2w_status sequence_input(struct lower *l, const struct node_view *n, uint32_t at,
                                 value *out)
{
    *out = input(n, at);
    if ((*out)->kind != VALUE_SEQUENCE)
        return refuse_input(l, n, at, "is no sequence");
    return O2W_OK;
}

/* An index of a sequence of `count`, from its end when negative; `past`: may be the count itself. */
static o2w_status position(struct lower *l, const struct node_view *n, uint32_t at, uint32_t count,
                           bool past, uint32_t fallback, uint32_t *out)
{
    int64_t p, most = (int64_t)count - !past;
    *out = fallback;
    if (!input(n, at))
        return O2W_OK;
    TRY(known_int(l, n, at, &p));
    if (p < -(int64_t)count || p > most)
        return refuse_input(l, n, at, "is %lld, a sequence of %u allows %lld to %lld", (long long)p,
                            count, -(long long)count, (long long)most);
    *out = (uint32_t)(p < 0 ? p + count : p);
    return O2W_OK;
}

/* Items of one dtype. */
static o2w_status check_item(struct lower *l, const struct node_view *n, uint32_t at,
                             enum dtype dtype)
{
    value v = input(n, at);
    if (!value_is_tensor(v) && v->kind != VALUE_STRINGS)
        return refuse_input(l, n, at, "is no tensor");
    if (v->dtype != dtype)
        return refuse_input(l, n, at, "has type %s, the sequence holds %s", dtype_name(v->dtype),
                            dtype_name(dtype));
    return O2W_OK;
}

/* --- making ------------------------------------------------------------------------------------------- */

struct empty_params {
    int64_t dtype;
};

static const struct attr_row empty_attrs[] = { ATTR_INT(struct empty_params, dtype,
                                                        .fallback_int = 1) };

static o2w_status lower_sequence_empty(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    const struct empty_params *p = params;
    enum dtype dtype;
    value y;
    if (!dtype_by_onnx(p->dtype, &dtype))
        return refuse_attribute(l, n, "dtype", "is %lld, not a type of tensors",
                                (long long)p->dtype);
    TRY(sequence_of(l, NULL, 0, dtype, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_sequence_construct(struct lower *l, const struct node_view *n,
                                           const void *params)
{
    (void)params;
    value y;
    for (uint32_t i = 0; i < n->input_count; i++) {
        if (!input(n, i))
            return refuse_input(l, n, i, "is missing");
        TRY(check_item(l, n, i, input(n, 0)->dtype));
    }
    TRY(sequence_of(l, n->inputs, n->input_count, input(n, 0)->dtype, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_sequence_insert(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    (void)params;
    value s, y;
    uint32_t at;
    TRY(sequence_input(l, n, 0, &s));
    TRY(check_item(l, n, 1, s->dtype));
    TRY(position(l, n, 2, s->item_count, true, s->item_count, &at));
    value *items = ARENA_ARRAY(lower_arena(l), (size_t)s->item_count + 1, value);
    if (!items)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i <= s->item_count; i++)
        items[i] = i < at ? s->items[i] : i > at ? s->items[i - 1] : input(n, 1);
    TRY(sequence_of(l, items, s->item_count + 1, s->dtype, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_sequence_erase(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    (void)params;
    value s, y;
    uint32_t at;
    TRY(sequence_input(l, n, 0, &s));
    if (s->item_count == 0)
        return refuse_input(l, n, 0, "is empty");
    TRY(position(l, n, 1, s->item_count, false, s->item_count - 1, &at));
    value *items = ARENA_ARRAY(lower_arena(l), s->item_count, value);
    if (!items)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i + 1 < s->item_count; i++)
        items[i] = s->items[i + (i >= at)];
    TRY(sequence_of(l, items, s->item_count - 1, s->dtype, &y));
    return emit_value(l, n, y);
}

/* --- reading ------------------------------------------------------------------------------------------- */

static o2w_status lower_sequence_at(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value s;
    uint32_t at;
    TRY(sequence_input(l, n, 0, &s));
    TRY(position(l, n, 1, s->item_count, false, 0, &at));
    return emit_value(l, n, s->items[at]);
}

static o2w_status lower_sequence_length(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    (void)params;
    value s, y;
    TRY(sequence_input(l, n, 0, &s));
    TRY(scalar_i64(l, DTYPE_INT64, s->item_count, &y));
    return emit_value(l, n, y);
}

/* --- splitting and joining ------------------------------------------------------------------------------- */

struct split_params {
    int64_t axis, keepdims;
};

static const struct attr_row split_attrs[] = {
    ATTR_INT(struct split_params, axis),
    ATTR_INT(struct split_params, keepdims, .fallback_int = 1, .allowed = "0 1"),
};

enum { MOST_PARTS = 1 << 16 };

/* Sizes of the parts: a scalar is the size of each, the last may be smaller. */
static o2w_status part_sizes(struct lower *l, const struct node_view *n, int64_t size,
                             struct ints *out)
{
    struct ints given;
    int64_t each = 1, sum = 0;
    TRY(known_ints(l, n, 1, &given));
    if (given.given && input(n, 1)->rank == 1) {
        for (uint32_t i = 0; i < given.count; i++) {
            if (given.items[i] < 0 || given.items[i] > size)
                return refuse_input(l, n, 1, "is %lld at index %u, the axis has %lld",
                                    (long long)given.items[i], i, (long long)size);
            sum += given.items[i];
        }
        if (sum != size)
            return refuse_input(l, n, 1, "sums up to %lld, the axis has %lld", (long long)sum,
                                (long long)size);
        *out = given;
        return O2W_OK;
    }
    if (given.given) {
        if (given.count != 1 || given.items[0] < 1)
            return refuse_input(l, n, 1, "must be one size of at least 1, or a list of sizes");
        each = given.items[0];
    }
    if (size / each >= MOST_PARTS)
        return refuse(l, n, DIAG_LOWER_LIMIT, "%lld parts are more than %d",
                      (long long)(size / each), MOST_PARTS);
    uint32_t count = (uint32_t)(size / each + (size % each != 0));
    int64_t *sizes = ARENA_ARRAY(lower_arena(l), count, int64_t);
    if (!sizes)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = i + 1 < count ? each : size - (int64_t)i * each;
    *out = (struct ints){ true, count, sizes };
    return O2W_OK;
}

static o2w_status lower_split_to_sequence(struct lower *l, const struct node_view *n,
                                          const void *params)
{
    const struct split_params *p = params;
    value x = input(n, 0), y;
    struct ints sizes = { 0 };
    uint32_t axis;
    int64_t size, start = 0;
    TRY(axis_from(l, n, p->axis, x->rank, 0, &axis));
    TRY(static_dim(l, n, x, axis, &size));
    TRY(part_sizes(l, n, size, &sizes));
    value *items = ARENA_ARRAY(lower_arena(l), sizes.count, value);
    if (!items)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < sizes.count; i++) {
        TRY(slice(l, x, axis, start, sizes.items[i], 1, &items[i]));
        if (!p->keepdims && !input(n, 1)) /* without effect beside sizes */
            TRY(squeeze(l, items[i], &axis, 1, &items[i]));
        start += sizes.items[i];
    }
    TRY(sequence_of(l, items, sizes.count, x->dtype, &y));
    return emit_value(l, n, y);
}

struct concat_params {
    int64_t axis, new_axis;
};

static const struct attr_row concat_attrs[] = {
    ATTR_INT(struct concat_params, axis, .required = true),
    ATTR_INT(struct concat_params, new_axis, .allowed = "0 1"),
};

static o2w_status lower_concat_from_sequence(struct lower *l, const struct node_view *n,
                                             const void *params)
{
    const struct concat_params *p = params;
    value s, y;
    uint32_t axis;
    TRY(sequence_input(l, n, 0, &s));
    if (s->item_count == 0)
        return refuse_input(l, n, 0, "is empty");
    TRY(axis_from(l, n, p->axis, s->items[0]->rank, p->new_axis != 0, &axis));
    value *items = ARENA_ARRAY(lower_arena(l), s->item_count, value);
    if (!items)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < s->item_count; i++) {
        items[i] = s->items[i];
        if (p->new_axis)
            TRY(unsqueeze(l, items[i], &axis, 1, &items[i]));
    }
    TRY(concat(l, items, s->item_count, axis, &y));
    return emit_value(l, n, y);
}

/* --- SequenceMap ------------------------------------------------------------------------------------------ */

struct map_params {
    const struct onnx_graph *body;
};

static const struct attr_row map_attrs[] = { ATTR_GRAPH(struct map_params, body,
                                                        .required = true) };

static o2w_status check_map(struct lower *l, const struct node_view *n,
                            const struct onnx_graph *body)
{
    value s;
    TRY(sequence_input(l, n, 0, &s));
    if (body->input_count != n->input_count || body->output_count < n->output_count)
        return refuse(l, n, DIAG_MODEL_STRUCTURE,
                      "the body takes %u inputs and gives %u outputs, the node has %u and %u",
                      body->input_count, body->output_count, n->input_count, n->output_count);
    for (uint32_t i = 1; i < n->input_count; i++)
        if (input(n, i) && input(n, i)->kind == VALUE_SEQUENCE &&
            input(n, i)->item_count != s->item_count)
            return refuse_input(l, n, i, "has %u items, the sequence before it %u",
                                input(n, i)->item_count, s->item_count);
    return O2W_OK;
}

static o2w_status declared_dtype(struct lower *l, const struct node_view *n,
                                 const struct onnx_value_info *info, enum dtype *out)
{
    if (info->type.kind == ONNX_TYPE_TENSOR && dtype_by_onnx(info->type.dtype, out))
        return O2W_OK;
    return refuse(l, n, DIAG_LOWER_DTYPE, "the body's outputs have no type");
}

static o2w_status lower_sequence_map(struct lower *l, const struct node_view *n, const void *params)
{
    const struct map_params *p = params;
    uint32_t count, outputs = p->body->output_count;
    TRY(check_map(l, n, p->body));
    count = input(n, 0)->item_count;
    value *inputs = ARENA_ARRAY(lower_arena(l), n->input_count, value);
    value *results = ARENA_ARRAY(lower_arena(l), (size_t)count * outputs, value);
    value *list = ARENA_ARRAY(lower_arena(l), count, value), y;
    if (!inputs || !results || !list)
        return diag_memory(lower_diags(l));
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < n->input_count; i++) {
            value v = input(n, i);
            inputs[i] = v && v->kind == VALUE_SEQUENCE ? v->items[k] : v;
        }
        TRY(lower_body(l, n, p->body, inputs, n->input_count, &results[(size_t)k * outputs]));
        TRY(lower_check_growth(l, n));
    }
    for (uint32_t i = 0; i < n->output_count; i++) {
        enum dtype dtype = DTYPE_FLOAT32;
        for (uint32_t k = 0; k < count; k++)
            list[k] = results[(size_t)k * outputs + i];
        if (count)
            dtype = list[0]->dtype;
        else
            TRY(declared_dtype(l, n, &p->body->outputs[i], &dtype));
        TRY(sequence_of(l, list, count, dtype, &y));
        TRY(emit_output(l, n, i, y));
    }
    return O2W_OK;
}

/* --- optionals --------------------------------------------------------------------------------------------- */

struct optional_params {
    const struct onnx_type *type;
};

static const struct attr_row optional_attrs[] = { ATTR_TYPE(struct optional_params, type) };

static o2w_status lower_optional(struct lower *l, const struct node_view *n, const void *params)
{
    const struct optional_params *p = params;
    enum dtype dtype = DTYPE_FLOAT32;
    const struct onnx_type *type = p->type;
    value y;
    if (input(n, 0)) {
        dtype = input(n, 0)->dtype;
    } else {
        if (!type)
            return refuse_attribute(l, n, "type", "is missing, without an input it is needed");
        while (type->element)
            type = type->element;
        (void)dtype_by_onnx(type->dtype, &dtype);
    }
    TRY(optional_of(l, input(n, 0), dtype, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_has_element(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value v = input(n, 0), y;
    struct tensor t;
    bool has = v && (v->kind != VALUE_OPTIONAL || v->item_count);
    TRY(known_new(l, DTYPE_BOOL, NULL, 0, &t, &y));
    tensor_put_i64(&t, 0, has);
    return emit_value(l, n, y);
}

/* From version 18 on what is no optional stands for itself. */
static o2w_status lower_get_element(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value v = input(n, 0);
    if (v->kind != VALUE_OPTIONAL)
        return emit_value(l, n, v);
    if (!v->item_count)
        return refuse_input(l, n, 0, "holds no element");
    return emit_value(l, n, v->items[0]);
}

/* --- rows ------------------------------------------------------------------------------------------------ */

#define ANY(slot)                                                  \
    {                                                              \
        .name = slot, .kind = SLOT_REQUIRED, .variable = TYPE_NONE \
    }
#define ANY_OPT(slot)                                              \
    {                                                              \
        .name = slot, .kind = SLOT_OPTIONAL, .variable = TYPE_NONE \
    }
#define ANY_MANY(slot)                                             \
    {                                                              \
        .name = slot, .kind = SLOT_VARIADIC, .variable = TYPE_NONE \
    }
#define POSITION IN("position", NONE, SET_INDEX, KNOWN)

const struct onnx_row sequence_rows[] = {
    { ONNX("SequenceEmpty", 11, LATEST), RESULTS(ANY("output")),
      PARAMS(struct empty_params, empty_attrs), .lower = lower_sequence_empty,
      .class = CLASS_STATIC },
    { ONNX("SequenceConstruct", 11, LATEST), INPUTS(ANY_MANY("inputs")),
      RESULTS(ANY("output_sequence")), .lower = lower_sequence_construct, .class = CLASS_STATIC },
    { ONNX("SequenceInsert", 11, LATEST),
      INPUTS(ANY("input_sequence"), ANY("tensor"), IN_OPT("position", NONE, SET_INDEX, KNOWN)),
      RESULTS(ANY("output_sequence")), .lower = lower_sequence_insert, .class = CLASS_STATIC },
    { ONNX("SequenceErase", 11, LATEST),
      INPUTS(ANY("input_sequence"), IN_OPT("position", NONE, SET_INDEX, KNOWN)),
      RESULTS(ANY("output_sequence")), .lower = lower_sequence_erase, .class = CLASS_STATIC },
    { ONNX("SequenceAt", 11, LATEST), INPUTS(ANY("input_sequence"), POSITION),
      RESULTS(ANY("tensor")), .lower = lower_sequence_at, .class = CLASS_STATIC },
    { ONNX("SequenceLength", 11, LATEST), INPUTS(ANY("input_sequence")),
      RESULTS(OUT_OF("length", DTYPE_INT64)), .lower = lower_sequence_length,
      .class = CLASS_STATIC },
    { ONNX("SplitToSequence", 11, LATEST),
      INPUTS(IN("input", T, SET_ALL), IN_OPT("split", NONE, SET_INDEX, KNOWN)),
      RESULTS(ANY("output_sequence")), PARAMS(struct split_params, split_attrs),
      .lower = lower_split_to_sequence, .class = CLASS_STATIC, .webnn = "slice" },
    { ONNX("ConcatFromSequence", 11, LATEST), INPUTS(ANY("input_sequence")),
      RESULTS(ANY("concat_result")), PARAMS(struct concat_params, concat_attrs),
      .lower = lower_concat_from_sequence, .class = CLASS_DIRECT, .webnn = "concat" },
    { ONNX("SequenceMap", 17, LATEST), INPUTS(ANY("input_sequence"), ANY_MANY("additional_inputs")),
      RESULTS(ANY_MANY("out_sequence")), PARAMS(struct map_params, map_attrs),
      .lower = lower_sequence_map, .class = CLASS_STATIC },
    { ONNX("Optional", 15, LATEST), INPUTS(ANY_OPT("input")), RESULTS(ANY("output")),
      PARAMS(struct optional_params, optional_attrs), .lower = lower_optional,
      .class = CLASS_STATIC },
    { ONNX("OptionalHasElement", 15, 17), INPUTS(ANY("input")),
      RESULTS(OUT_OF("output", DTYPE_BOOL)), .lower = lower_has_element, .class = CLASS_STATIC },
    { ONNX("OptionalHasElement", 18, LATEST), INPUTS(ANY_OPT("input")),
      RESULTS(OUT_OF("output", DTYPE_BOOL)), .lower = lower_has_element, .class = CLASS_STATIC },
    { ONNX("OptionalGetElement", 15, LATEST), INPUTS(ANY("input")), RESULTS(ANY("output")),
      .lower = lower_get_element, .class = CLASS_STATIC },
};
ROW_COUNT(sequence);
