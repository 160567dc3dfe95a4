/* Spellings of other writers: one table of what they are, each noted where it is met. */
#include "format/dialects.h"

#include "base/text.h"

#include <string.h>

/* ---- operators ---- */

static o2w_status rename_operator(struct call *c, enum webnn_operator kind)
{
    TRY(call_set_operator(c, kind));
    return loader_note(c->loader, c->node->place, "operator '%.*s' is taken as %s",
                       SPAN_ARG(c->name), c->row->name);
}

static const struct operator_dialect {
    const char *name;
    enum webnn_operator kind;              /* of what it becomes */
    o2w_status (*rewrite)(struct call *c); /* operands are there; sets attributes */
    o2w_status (*replace)(struct call *c); /* instead of all else: declares the result itself */
} operators[] = {
    { .name = "round", .kind = WEBNN_ROUND_EVEN },
    { .name = "globalAveragePool", .kind = WEBNN_AVERAGE_POOL2D },
    { .name = "globalMaxPool", .kind = WEBNN_MAX_POOL2D },
    { .name = "squeeze", .kind = WEBNN_RESHAPE, .rewrite = dialect_squeeze },
    { .name = "unsqueeze", .kind = WEBNN_RESHAPE, .rewrite = dialect_unsqueeze },
    { .name = "shape", .kind = WEBNN_IDENTITY, .replace = dialect_shape },
    { .name = "constant", .kind = WEBNN_IDENTITY, .replace = dialect_constant },
};

o2w_status dialect_operator(struct call *c, bool *done)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        const struct operator_dialect *o = &operators[i];
        if (!span_is(c->name, o->name))
            continue;
        if (o->replace) {
            *done = true;
            TRY(call_set_operator(c, o->kind));
            TRY(loader_note(c->loader, c->node->place, "operator '%s' is taken as a constant",
                            o->name));
            TRY(call_collect_operands(c));
            return o->replace(c);
        }
        TRY(rename_operator(c, o->kind));
        TRY(call_collect_operands(c));
        return o->rewrite ? o->rewrite(c) : O2W_OK;
    }
    return O2W_OK;
}

/* ---- options ---- */

static bool is_pool(enum webnn_operator kind)
{
    return kind == WEBNN_AVERAGE_POOL2D || kind == WEBNN_L2_POOL2D || kind == WEBNN_MAX_POOL2D;
}

static bool is_conv(enum webnn_operator kind)
{
    return kind == WEBNN_CONV2D || kind == WEBNN_CONV_TRANSPOSE2D;
}

static bool is_window(enum webnn_operator kind)
{
    return is_pool(kind) || is_conv(kind);
}

static bool is_any(enum webnn_operator kind)
{
    (void)kind;
    return true;
}

#define IS(name, NAME)                              \
    static bool is_##name(enum webnn_operator kind) \
    {                                               \
        return kind == WEBNN_##NAME;                \
    }
IS(cast, CAST)
IS(triangular, TRIANGULAR)
IS(expand, EXPAND)
IS(clamp, CLAMP)
IS(gather, GATHER)
IS(slice, SLICE)

static o2w_status ignore(struct call *c, struct argument *a)
{
    a->used = true;
    return call_note(c, a->place, "option '%.*s' is ignored", SPAN_ARG(a->key));
}

static o2w_status read_auto_pad(struct call *c, struct argument *a)
{
    a->used = true;
    if (argument_is_absent(a, true))
        return O2W_OK;
    c->auto_pad = a;
    return call_note(c, a->place, "option 'autoPad' is taken as padding");
}

static o2w_status read_shape(struct call *c, struct argument *a)
{
    a->used = true;
    if (!argument_is_absent(a, false))
        c->shape = a;
    return call_note(c, a->place, "option 'shape' is ignored");
}

static o2w_status read_batch_dimensions(struct call *c, struct argument *a)
{
    int64_t count = 0;
    a->used = true;
    if (!argument_is_absent(a, true))
        TRY(call_read_integer(c, a, 0, UINT32_MAX, &count));
    if (count != 0)
        return call_wrong_value(c, a, "0: batchDimensions isn't WebNN");
    return call_note(c, a->place, "option 'batchDimensions' is ignored");
}

static bool is_word(struct span s, const char *lower)
{
    size_t n = strlen(lower);
    for (size_t i = 0; i < s.size && i < n; i++)
        if ((s.data[i] >= 'A' && s.data[i] <= 'Z' ? s.data[i] + 32 : s.data[i]) != lower[i])
            return false;
    return s.size == n;
}

static o2w_status read_bound(struct call *c, struct argument *a)
{
    struct span text = doc_text(a->value);
    if ((a->value->kind != DOC_STRING && a->value->kind != DOC_WORD) || text.size == 0)
        return O2W_OK;
    if (text.data[0] == '+' || text.data[0] == '-') {
        text.data++;
        text.size--;
    }
    if (!is_word(text, "inf") && !is_word(text, "infinity"))
        return call_wrong_value(c, a, "numbers and 'Infinity', '-Infinity'");
    a->used = true;
    return call_note(c, a->place, "option '%.*s' is no bound", SPAN_ARG(a->key));
}

static const struct option_dialect {
    bool (*of)(enum webnn_operator kind);
    const char *key, *renamed;                              /* the name it becomes */
    o2w_status (*read)(struct call *c, struct argument *a); /* or what is done with it */
} options[] = {
    { is_cast, "dataType", .renamed = "to" },
    { is_triangular, "k", .renamed = "diagonal" },
    { is_pool, "roundingType", .renamed = "outputShapeRounding" },
    { is_any, "new_shape", .renamed = "newShape" },
    { is_any, "beginning_padding", .renamed = "beginningPadding" },
    { is_any, "ending_padding", .renamed = "endingPadding" },
    { is_any, "hidden_size", .renamed = "hiddenSize" },
    { is_gather, "batch_dimensions", .renamed = "batchDimensions" },
    { is_gather, "batchDimensions", .read = read_batch_dimensions },
    { is_gather, "shape", .read = read_shape },
    { is_window, "autoPad", .read = read_auto_pad },
    { is_clamp, "minValue", .read = read_bound },
    { is_clamp, "maxValue", .read = read_bound },
    { is_expand, "axes", .read = ignore },
    { is_slice, "ends", .read = dialect_slice },
    { is_any, "hasScale", .read = ignore },
    { is_any, "hasBias", .read = ignore },
    { is_any, "has_scale", .read = ignore },
    { is_any, "has_bias", .read = ignore },
    { is_any, "metadata", .read = ignore },
};

static o2w_status rename_option(struct call *c, struct argument *a, const char *to)
{
    if (call_option(c, to))
        return call_wrong_value(c, a, "nothing: '%s', which is the same, is given too", to);
    TRY(call_note(c, a->place, "option '%.*s' is taken as '%s'", SPAN_ARG(a->key), to));
    a->key = span_of(to);
    return O2W_OK;
}

static o2w_status rewrite_options(struct call *c)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0] && c->option_count > 0; i++) {
        const struct option_dialect *o = &options[i];
        struct argument *a = o->of(c->kind) ? call_option(c, o->key) : NULL;
        if (a)
            TRY(o->renamed ? rename_option(c, a, o->renamed) : o->read(c, a));
    }
    return O2W_OK;
}

/* ---- operands ---- */

static const struct operand_dialect {
    enum webnn_operator kind;
    uint32_t first; /* the position of what isn't positional in WebNN */
    const char *slots[2];
} extra_operands[] = {
    { WEBNN_CONV2D, 2, { "bias" } },
    { WEBNN_CONV_TRANSPOSE2D, 2, { "bias" } },
    { WEBNN_LAYER_NORMALIZATION, 1, { "scale", "bias" } },
    { WEBNN_GRU_CELL, 4, { "bias", "recurrentBias" } },
};

static uint32_t slot_named(const struct operator_row *row, const char *name)
{
    uint32_t slot = 0;
    while (strcmp(row->operands[slot].name, name) != 0)
        slot++;
    return slot;
}

/* The slots that the extra operands fill. Where as many options name operands, the operands repeat those
 * (reading the options compares them): rustnn leaves out what is absent. */
static void find_extra_slots(const struct call *c, const struct operand_dialect *o,
                             const char *slots[2])
{
    size_t present = 0, extra = c->operand_count - o->first;
    const char *repeated[2] = { 0 };
    for (size_t i = 0; i < 2 && o->slots[i]; i++) {
        const struct argument *a = call_option(c, o->slots[i]);
        if (a && !argument_is_absent(a, true))
            repeated[present++] = o->slots[i];
    }
    memcpy(slots, present == extra ? repeated : o->slots, sizeof repeated);
}

static o2w_status name_extra_operands(struct call *c, const struct operand_dialect *o)
{
    const char *slots[2];
    if (c->operand_count <= o->first)
        return O2W_OK;
    find_extra_slots(c, o, slots);
    for (uint32_t i = 0; i < 2 && slots[i] && c->operand_count > o->first + i; i++) {
        c->named[slot_named(c->row, slots[i])] = c->operands[o->first + i];
        TRY(call_note(c, c->node->place, "operand %u is taken as '%s'", o->first + i + 1,
                      slots[i]));
    }
    if (c->operand_count <= o->first + (o->slots[1] ? 2u : 1u))
        c->operand_count = o->first;
    return O2W_OK;
}

o2w_status dialect_arguments(struct call *c)
{
    TRY(rewrite_options(c));
    for (size_t i = 0; i < sizeof extra_operands / sizeof extra_operands[0]; i++)
        if (extra_operands[i].kind == c->kind)
            TRY(name_extra_operands(c, &extra_operands[i]));
    if (c->kind == WEBNN_DEQUANTIZE_LINEAR || c->kind == WEBNN_QUANTIZE_LINEAR)
        return dialect_quantizer(c);
    return O2W_OK;
}

o2w_status dialect_finish(struct call *c)
{
    if (c->shape)
        TRY(dialect_gather_shape(c));
    return c->auto_pad ? dialect_auto_pad(c) : O2W_OK;
}
