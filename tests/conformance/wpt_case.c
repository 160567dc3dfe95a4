/* Conformance cases of the web platform tests: a small graph with inputs, outputs and a tolerance. Built
 * through the public interface. */
#include "wpt_case.h"

#include "api/objects.h"
#include "attributes.h"
#include "webnn/legalise.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 64 };

struct wpt_case *wpt_case_new(const struct tree *t, webnn_context *context, bool over_context)
{
    struct wpt_case *c = calloc(1, sizeof *c);
    if (!c ||
        webnn_builder_create(over_context ? context : NULL, NULL, &c->builder, NULL) != O2W_OK)
        abort();
    c->tree = t;
    c->context = context;
    arena_init(&c->arena, NULL);
    return c;
}

void wpt_case_free(struct wpt_case *c)
{
    for (size_t i = 0; i < c->tensor_count; i++)
        webnn_tensor_free(c->tensors[i]);
    webnn_graph_free(c->graph);
    webnn_builder_free(c->builder);
    o2w_error_free(c->error);
    arena_free(&c->arena);
    free(c);
}

o2w_status wpt_refuse(struct wpt_case *c, const char *why)
{
    c->why = why;
    return O2W_INVALID_ARGUMENT;
}

const char *wpt_reason(struct wpt_case *c)
{
    const o2w_diagnostic *first = o2w_error_item(c->error, 0);
    return c->why  ? arena_printf(&c->arena, "the case: %s", c->why)
           : first ? first->message
                   : "no reason is given";
}

static const char *text_of(struct wpt_case *c, struct span s)
{
    return arena_text(&c->arena, s);
}

void wpt_descriptor(const struct tensor *t, webnn_descriptor *out)
{
    *out = (webnn_descriptor){ .data_type = (enum webnn_data_type)t->dtype, .rank = t->rank };
    memcpy(out->dims, t->dims, t->rank * sizeof *out->dims);
}

/* ---- data ---- */

static int hex_digit(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex_bytes(struct span hex, uint8_t *to, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(hex.data[2 * i]), low = hex_digit(hex.data[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        to[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}

/* The storage bytes: all of them, or one element that fills the shape. */
static o2w_status read_data(struct wpt_case *c, const struct tree *t, struct tensor *out)
{
    struct span hex = tree_text(t, "hex"), fill = tree_text(t, "hexFill");
    uint64_t size = tensor_bytes(out);
    uint8_t *bytes = out->data;
    if (hex.size == 2 * size && (size == 0 || hex_bytes(hex, bytes, size)))
        return O2W_OK;
    size_t element = dtype_info(out->dtype)->bits / 8;
    if (element == 0 || fill.size != 2 * element || !hex_bytes(fill, bytes, element))
        return wpt_refuse(c, "data that do not fit the shape");
    for (uint64_t i = element; i < size; i++)
        bytes[i] = bytes[i - element];
    return O2W_OK;
}

o2w_status wpt_read_tensor(struct wpt_case *c, const struct tree *t, struct tensor *out)
{
    const struct tree *shape = tree_get(t, "shape");
    int64_t dims[MAX_RANK];
    enum dtype dtype;
    if (!dtype_by_name(tree_text(t, "dataType"), &dtype) || !shape || shape->count > MAX_RANK)
        return wpt_refuse(c, "no data type or shape");
    for (size_t i = 0; i < shape->count; i++)
        if (!tree_i64(&shape->items[i], &dims[i]))
            return wpt_refuse(c, "a dimension is no number");
    TRY(tensor_new(&c->arena, dtype, dims, (uint32_t)shape->count, out));
    return read_data(c, t, out);
}

/* ---- the graph ---- */

static o2w_status add_name(struct wpt_case *c, struct span name, webnn_operand id)
{
    if (c->name_count == WPT_NAMES)
        return wpt_refuse(c, "too many operands");
    c->names[c->name_count++] = (struct wpt_named){ name, id };
    return O2W_OK;
}

static o2w_status operand_of(struct wpt_case *c, struct span name, webnn_operand *id)
{
    for (size_t i = c->name_count; i-- > 0;) {
        if (!span_equal(c->names[i].name, name))
            continue;
        *id = c->names[i].id;
        return O2W_OK;
    }
    return wpt_refuse(c, "an operand that does not exist");
}

static o2w_status add_source(struct wpt_case *c, const struct tree *t)
{
    const struct tree *constant = tree_get(t, "constant");
    struct tensor value;
    webnn_descriptor d;
    webnn_operand id = WEBNN_ABSENT;
    TRY(wpt_read_tensor(c, t, &value));
    wpt_descriptor(&value, &d);
    if (constant && constant->boolean)
        TRY(webnn_constant(c->builder, &d, value.data, (size_t)tensor_bytes(&value), false, &id,
                           &c->error));
    else
        TRY(webnn_input(c->builder, text_of(c, t->key), &d, NULL, &id, &c->error));
    return add_name(c, t->key, id);
}

struct arguments {
    webnn_operand operands[MAX_OPERANDS];
    uint32_t operand_count;
    void *attributes;
};

static o2w_status add_operand(struct wpt_case *c, struct span name, struct arguments *args)
{
    if (args->operand_count == MAX_OPERANDS)
        return wpt_refuse(c, "too many arguments");
    return operand_of(c, name, &args->operands[args->operand_count++]);
}

static o2w_status add_attribute(struct wpt_case *c, const struct attribute_row *row,
                                const struct tree *value, struct arguments *args)
{
    const char *why =
        row ? attribute_from_tree(row, args->attributes, value, &c->arena) : "an unknown argument";
    return why ? wpt_refuse(c, why) : O2W_OK;
}

static o2w_status take_positional(struct wpt_case *c, const struct operator_row *row,
                                  const struct tree *list, struct arguments *args)
{
    uint32_t position = 1;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct tree *value = tree_get(&list->items[i], "value");
        const struct tree *operands = tree_get(value, "operands");
        if (tree_get(value, "operand"))
            TRY(add_operand(c, tree_text(value, "operand"), args));
        else if (operands)
            for (size_t k = 0; k < operands->count; k++)
                TRY(add_operand(c, operands->items[k].text, args));
        else
            TRY(add_attribute(c, attribute_at_position(row, position++), value, args));
    }
    return O2W_OK;
}

static o2w_status take_options(struct wpt_case *c, const struct operator_row *row,
                               const struct tree *options, struct arguments *args)
{
    for (size_t i = 0; options && i < options->count; i++) {
        const struct tree *member = &options->items[i];
        uint32_t slot = 0;
        while (slot < row->operand_count && !span_is(member->key, row->operands[slot].name))
            slot++;
        if (slot < row->operand_count) {
            TRY(operand_of(c, tree_text(member, "operand"), &args->operands[slot]));
            args->operand_count = slot >= args->operand_count ? slot + 1 : args->operand_count;
        } else if (!span_is(member->key, "label")) {
            TRY(add_attribute(c, attribute_by_name(row, member->key), member, args));
        }
    }
    return O2W_OK;
}

static o2w_status add_operator(struct wpt_case *c, const struct tree *t)
{
    enum webnn_operator kind;
    struct arguments args = { .operand_count = 0 };
    webnn_operand results[WPT_RESULTS];
    size_t count = WPT_RESULTS;
    const struct tree *outputs = tree_get(t, "outputs");
    if (!operator_by_name(tree_text(t, "op"), &kind) || !outputs)
        return wpt_refuse(c, "an unknown operator");
    const struct operator_row *row = operator_row(kind);
    for (uint32_t i = 0; i < MAX_OPERANDS; i++)
        args.operands[i] = WEBNN_ABSENT;
    args.attributes = arena_alloc(&c->arena, row->attribute_size + 1, 16);
    if (row->defaults)
        memcpy(args.attributes, row->defaults, row->attribute_size);
    TRY(take_positional(c, row, tree_get(t, "args"), &args));
    TRY(take_options(c, row, tree_get(t, "options"), &args));
    TRY(webnn_op(c->builder, kind, args.operands, args.operand_count, args.attributes, NULL,
                 results, &count, &c->error));
    if (outputs->kind == JSON_STRING)
        return add_name(c, outputs->text, results[0]);
    for (size_t i = 0; i < outputs->count && i < count; i++)
        TRY(add_name(c, outputs->items[i].text, results[i]));
    return O2W_OK;
}

o2w_status wpt_build(struct wpt_case *c)
{
    const struct tree *inputs = tree_get(c->tree, "inputs");
    const struct tree *operators = tree_get(c->tree, "operators");
    const struct tree *outputs = tree_get(c->tree, "outputs");
    webnn_named_operand named[WPT_RESULTS];
    if (!inputs || !operators || !outputs || outputs->count > WPT_RESULTS)
        return wpt_refuse(c, "members are missing");
    for (size_t i = 0; i < inputs->count; i++)
        TRY(add_source(c, &inputs->items[i]));
    for (size_t i = 0; i < operators->count; i++)
        TRY(add_operator(c, &operators->items[i]));
    for (size_t i = 0; i < outputs->count; i++) {
        named[i].name = text_of(c, outputs->items[i].key);
        TRY(operand_of(c, outputs->items[i].key, &named[i].operand));
    }
    return webnn_builder_build(c->builder, named, outputs->count, &c->graph, &c->error);
}

/* ---- running ---- */

o2w_status wpt_legalise(struct wpt_case *c, const struct limits *target)
{
    static const struct legalise_options options = { .carry_ports = true };
    struct diags d;
    diags_init(&d, NULL);
    o2w_status s = graph_legalise(&c->graph->graph, target, &options, &d);
    s = error_from_diags(&d, s, &c->error);
    diags_free(&d);
    return s == O2W_OK && c->context ? webnn_graph_compile(c->context, c->graph, &c->error) : s;
}

static bool is_marked(const struct tree *t, const char *mark)
{
    const struct tree *member = tree_get(t, mark);
    return member && (member->boolean || member->kind == JSON_STRING);
}

const char *wpt_skip_reason(const struct tree *t)
{
    return is_marked(t, "badExpected") ? "the expected data are known to be wrong"
           : is_marked(t, "obsolete")  ? "of an older standard"
                                       : NULL;
}
