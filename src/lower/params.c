/* Attributes by the row's schema: presence, type, default and allowed values stand in the row, so no
 * lowering can forget them. */
#include "lower/internal.h"

#include "base/number.h"

#include <string.h>

/* The attribute itself, or what the function's call gave for it; NULL: absent. */
static const struct onnx_attribute *resolve_reference(const struct onnx_attribute *a,
                                                      const struct call *call)
{
    while (a && a->ref_name.size && call) {
        const struct onnx_attribute *given = NULL;
        for (uint32_t i = 0; i < call->node->attribute_count && !given; i++)
            if (span_equal(call->node->attributes[i].name, a->ref_name))
                given = &call->node->attributes[i];
        for (uint32_t i = 0; i < call->function->default_count && !given; i++)
            if (span_equal(call->function->defaults[i].name, a->ref_name))
                return &call->function->defaults[i];
        a = given;
        call = call->outer;
    }
    return a && a->ref_name.size ? NULL : a;
}

static enum onnx_attribute_type wanted_type(enum param_type t)
{
    switch (t) {
    case PARAM_INT:
    case PARAM_GIVEN_INT: return ONNX_ATTRIBUTE_INT;
    case PARAM_FLOAT:
    case PARAM_GIVEN_FLOAT: return ONNX_ATTRIBUTE_FLOAT;
    case PARAM_STRING: return ONNX_ATTRIBUTE_STRING;
    case PARAM_INTS: return ONNX_ATTRIBUTE_INTS;
    case PARAM_FLOATS: return ONNX_ATTRIBUTE_FLOATS;
    case PARAM_STRINGS: return ONNX_ATTRIBUTE_STRINGS;
    case PARAM_TENSOR: return ONNX_ATTRIBUTE_TENSOR;
    case PARAM_SPARSE: return ONNX_ATTRIBUTE_SPARSE_TENSOR;
    case PARAM_GRAPH: return ONNX_ATTRIBUTE_GRAPH;
    case PARAM_TYPE: return ONNX_ATTRIBUTE_TYPE_PROTO;
    }
    return ONNX_ATTRIBUTE_NONE;
}

static void store(const struct attr_row *row, const struct onnx_attribute *a, void *at)
{
    switch (row->type) {
    case PARAM_INT: *(int64_t *)at = a->i; break;
    case PARAM_GIVEN_INT: *(struct given_int *)at = (struct given_int){ true, a->i }; break;
    case PARAM_FLOAT: *(double *)at = number_widen(a->f); break;
    case PARAM_GIVEN_FLOAT:
        *(struct given_float *)at = (struct given_float){ true, number_widen(a->f) };
        break;
    case PARAM_STRING: *(struct span *)at = a->s; break;
    case PARAM_INTS: *(struct ints *)at = (struct ints){ true, a->count, a->ints }; break;
    case PARAM_FLOATS: *(struct floats *)at = (struct floats){ true, a->count, a->floats }; break;
    case PARAM_STRINGS: *(struct texts *)at = (struct texts){ true, a->count, a->strings }; break;
    case PARAM_TENSOR: *(const struct onnx_tensor **)at = a->tensors; break;
    case PARAM_SPARSE: *(const struct onnx_sparse_tensor **)at = a->sparse_tensors; break;
    case PARAM_GRAPH: *(const struct onnx_graph **)at = a->graphs; break;
    case PARAM_TYPE: *(const struct onnx_type **)at = a->types; break;
    }
}

static void store_fallback(const struct attr_row *row, void *at)
{
    if (row->type == PARAM_INT)
        *(int64_t *)at = row->fallback_int;
    else if (row->type == PARAM_FLOAT)
        *(double *)at = row->fallback_float;
    else if (row->type == PARAM_STRING)
        *(struct span *)at = span_of(row->fallback_text);
}

/* Whether `word` is one of the blank-separated words of `list`. */
static bool word_in(const char *list, struct span word)
{
    while (*list) {
        size_t size = strcspn(list, " ");
        if (span_equal((struct span){ (const uint8_t *)list, size }, word))
            return true;
        list += size + (list[size] == ' ');
    }
    return false;
}

static o2w_status check_allowed(struct lower *l, const struct node_view *n,
                                const struct attr_row *row, const struct onnx_attribute *a)
{
    char text[NUMBER_TEXT];
    struct span word = a->s;
    if (a->type == ONNX_ATTRIBUTE_INT)
        word = (struct span){ (const uint8_t *)text, number_print_i64(a->i, text) };
    else if (a->type != ONNX_ATTRIBUTE_STRING)
        return O2W_OK;
    if (word_in(row->allowed, word))
        return O2W_OK;
    return refuse_attribute(l, n, row->name, "is '%.*s', allowed: %s", SPAN_ARG(word),
                            row->allowed);
}

static const struct attr_row *find_row(const struct onnx_row *row, struct span name)
{
    for (uint32_t i = 0; i < row->attribute_count; i++)
        if (span_is(name, row->attributes[i].name))
            return &row->attributes[i];
    return NULL;
}

/* Written by tools beside the schema, without meaning. */
static bool is_tool_attribute(struct span name)
{
    return span_starts(name, SPAN("__")) || span_is(name, "consumed_inputs");
}

static o2w_status read_one(struct lower *l, const struct node_view *n,
                           const struct onnx_attribute *a, void *params, bool *seen)
{
    const struct attr_row *row = find_row(n->row, a->name);
    if (!row && is_tool_attribute(a->name))
        return O2W_OK;
    if (!row)
        return refuse_attribute(l, n, arena_text(&l->arena, a->name),
                                "is not one of %s %lld and has no row", n->row->name,
                                (long long)n->onnx->opset);
    a = resolve_reference(a, l->call);
    if (!a || row->ignored)
        return O2W_OK;
    if (a->type != wanted_type(row->type))
        return refuse_attribute(
            l, n, row->name, "has type %s, must be %s",
            onnx_attribute_type_name(a->type) ? onnx_attribute_type_name(a->type) : "unknown",
            onnx_attribute_type_name(wanted_type(row->type)));
    if (row->allowed)
        TRY(check_allowed(l, n, row, a));
    store(row, a, (uint8_t *)params + row->offset);
    seen[row - n->row->attributes] = true;
    return O2W_OK;
}

o2w_status params_read(struct lower *l, const struct node_view *n, void **params)
{
    const struct onnx_row *row = n->row;
    void *p = arena_alloc(&l->arena, row->params_size, 16);
    bool *seen = ARENA_ARRAY(&l->arena, row->attribute_count, bool);
    if (!p || !seen)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < n->onnx->attribute_count; i++)
        TRY(read_one(l, n, &n->onnx->attributes[i], p, seen));
    for (uint32_t i = 0; i < row->attribute_count; i++) {
        if (seen[i] || row->attributes[i].ignored)
            continue;
        if (row->attributes[i].required)
            return refuse_attribute(l, n, row->attributes[i].name, "is missing");
        store_fallback(&row->attributes[i], (uint8_t *)p + row->attributes[i].offset);
    }
    *params = p;
    return O2W_OK;
}
