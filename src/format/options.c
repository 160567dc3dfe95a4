#include "format/options.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

uint32_t options_positional(const struct operator_node *node)
{
    const struct operator_row *row = operator_row(node->kind);
    uint32_t named = 0;
    for (uint32_t i = 0; i < row->operand_count; i++)
        named += row->operands[i].named;
    uint32_t placed =
        node->operand_count > row->operand_count ? node->operand_count : row->operand_count;
    uint32_t positional = placed - named;
    return positional < node->operand_count ? positional : node->operand_count;
}

/* ---- which ---- */

bool option_is_absent(const struct attribute_row *row, const void *attributes)
{
    const void *value = attribute_at(attributes, row);
    switch (row->type) {
    case ATTRIBUTE_U32S:
    case ATTRIBUTE_ENUMS: return !((const struct webnn_u32s *)value)->given;
    case ATTRIBUTE_DOUBLES: return !((const struct webnn_doubles *)value)->given;
    case ATTRIBUTE_DIMS: return !((const struct webnn_dims *)value)->given;
    case ATTRIBUTE_NUMBER: return ((const struct webnn_number *)value)->kind == WEBNN_NUMBER_NONE;
    case ATTRIBUTE_BOOL:
    case ATTRIBUTE_U32:
    case ATTRIBUTE_I32:
    case ATTRIBUTE_DOUBLE:
    case ATTRIBUTE_ENUM:
    case ATTRIBUTE_DTYPE:
    case ATTRIBUTE_SPLITS: break;
    }
    return false;
}

static size_t value_size(enum attribute_type type)
{
    static const size_t sizes[] = {
        [ATTRIBUTE_BOOL] = sizeof(bool),
        [ATTRIBUTE_U32] = sizeof(uint32_t),
        [ATTRIBUTE_I32] = sizeof(int32_t),
        [ATTRIBUTE_DOUBLE] = sizeof(double),
        [ATTRIBUTE_NUMBER] = sizeof(struct webnn_number),
        [ATTRIBUTE_ENUM] = sizeof(uint32_t),
        [ATTRIBUTE_DTYPE] = sizeof(uint32_t),
        [ATTRIBUTE_U32S] = sizeof(struct webnn_u32s),
        [ATTRIBUTE_ENUMS] = sizeof(struct webnn_u32s),
        [ATTRIBUTE_DOUBLES] = sizeof(struct webnn_doubles),
        [ATTRIBUTE_DIMS] = sizeof(struct webnn_dims),
        [ATTRIBUTE_SPLITS] = sizeof(struct webnn_splits),
    };
    return sizes[type];
}

/* A node with the room to ask what its attributes would be by default. */
struct question {
    const struct operator_node *node;
    const struct operator_row *row;
    struct infer infer;
    struct descriptor operands[MAX_SLOTS];
    const struct descriptor *slots[MAX_SLOTS];
    void *attributes;
};

static void load_operands(const struct plan *p, struct question *q)
{
    for (uint32_t i = 0; i < q->node->operand_count && i < MAX_SLOTS; i++) {
        if (q->node->operands[i] == NO_ID)
            continue;
        graph_descriptor(p->graph, q->node->operands[i], &q->operands[i]);
        q->slots[i] = &q->operands[i];
    }
    q->infer =
        (struct infer){ .kind = q->node->kind,
                        .row = q->row,
                        .exprs = p->graph->exprs,
                        .operands = q->slots,
                        .operand_count = q->node->operand_count < MAX_SLOTS ? q->node->operand_count
                                                                            : MAX_SLOTS };
}

static bool is_default(struct question *q, const struct attribute_row *row)
{
    memcpy(q->attributes, q->node->attributes, q->row->attribute_size);
    memcpy((uint8_t *)q->attributes + row->offset, attribute_at(q->row->defaults, row),
           value_size(row->type));
    q->infer.attributes = q->attributes;
    if (q->row->resolve)
        q->row->resolve(&q->infer, q->attributes);
    return attribute_equal(row, q->node->attributes, q->attributes);
}

/* Bounds that bound nothing. */
static bool is_no_bound(const struct operator_node *node, const struct attribute_row *row)
{
    if (node->kind != WEBNN_CLAMP)
        return false;
    const struct webnn_number *n = attribute_at(node->attributes, row);
    bool low = strcmp(row->name, "minValue") == 0;
    return n->kind == WEBNN_NUMBER_DOUBLE && isinf(n->d) && signbit(n->d) == low;
}

static bool is_written(struct question *q, const struct attribute_row *row, bool minimal)
{
    if (row->required && (!minimal || row->position))
        return true;
    if (option_is_absent(row, q->node->attributes) || is_no_bound(q->node, row))
        return false;
    if (q->node->kind == WEBNN_RESAMPLE2D && row->type == ATTRIBUTE_DOUBLES)
        return !((const struct webnn_resample2d_attributes *)q->node->attributes)->sizes.given;
    return (row->always_written && !minimal) || !is_default(q, row);
}

static void insert(struct options *list, struct option option)
{
    uint32_t at = list->count++;
    for (; at > 0 && strcmp(list->items[at - 1].key, option.key) > 0; at--)
        list->items[at] = list->items[at - 1];
    list->items[at] = option;
}

void options_collect(const struct plan *p, const struct operator_node *node, struct options *out)
{
    struct question q = { .node = node,
                          .row = operator_row(node->kind),
                          .attributes = p->attributes };
    out->count = 0;
    if (q.row->resolve)
        load_operands(p, &q);
    for (uint32_t i = 0; i < q.row->attribute_count; i++)
        if (is_written(&q, &q.row->attributes[i], p->minimal))
            insert(out, (struct option){ q.row->attributes[i].name, &q.row->attributes[i], NO_ID });
    for (uint32_t i = 0; i < q.row->operand_count && i < node->operand_count; i++)
        if (q.row->operands[i].named && node->operands[i] != NO_ID)
            insert(out, (struct option){ q.row->operands[i].name, NULL, node->operands[i] });
    if (p->options->names == FORMAT_NAMES_ALL && node->label)
        insert(out, (struct option){ "label", NULL, NO_ID });
}

/* ---- values ---- */

static void put_number(const struct value_sink *sink, const char *text, size_t size)
{
    sink->number(sink->user, (struct span){ (const uint8_t *)text, size });
}

static void put_i64(const struct value_sink *sink, int64_t value)
{
    char text[NUMBER_TEXT];
    put_number(sink, text, number_print_i64(value, text));
}

/* An infinite number stands as the largest finite double: it rounds to infinity in every type. */
static o2w_status put_double(const struct plan *p, const struct attribute_row *row,
                             const struct value_sink *sink, double value)
{
    char text[NUMBER_TEXT];
    if (isnan(value))
        return diag_error(p->diags, DIAG_OP_OPTION_VALUE, "%s is NaN: no graph file can hold it",
                          row->name);
    if (isinf(value))
        value = value < 0 ? -DBL_MAX : DBL_MAX;
    put_number(sink, text, number_print_double(value, text));
    return O2W_OK;
}

static o2w_status put_mlnumber(const struct plan *p, const struct attribute_row *row,
                               const struct value_sink *sink, const struct webnn_number *n)
{
    char text[NUMBER_TEXT];
    switch (n->kind) {
    case WEBNN_NUMBER_NONE: sink->number(sink->user, SPAN("null")); return O2W_OK;
    case WEBNN_NUMBER_INT: put_i64(sink, n->i); return O2W_OK;
    case WEBNN_NUMBER_UINT: put_number(sink, text, number_print_u64(n->u, text)); return O2W_OK;
    case WEBNN_NUMBER_DOUBLE: return put_double(p, row, sink, n->d);
    }
    return O2W_INTERNAL;
}

static void put_u32s(const struct value_sink *sink, const uint32_t *items, uint32_t count,
                     const char *const *values)
{
    sink->begin_list(sink->user);
    for (uint32_t i = 0; i < count; i++) {
        if (values)
            sink->string(sink->user, span_of(values[items[i]]));
        else
            put_i64(sink, items[i]);
    }
    sink->end_list(sink->user);
}

static o2w_status put_doubles(const struct plan *p, const struct attribute_row *row,
                              const struct value_sink *sink, const struct webnn_doubles *list)
{
    sink->begin_list(sink->user);
    for (uint32_t i = 0; i < list->count; i++)
        TRY(put_double(p, row, sink, list->items[i]));
    sink->end_list(sink->user);
    return O2W_OK;
}

static void put_dims(const struct plan *p, const struct value_sink *sink,
                     const struct webnn_dims *list)
{
    sink->begin_list(sink->user);
    for (uint32_t i = 0; i < list->count; i++) {
        if (dim_is_static(list->items[i])) {
            put_i64(sink, list->items[i]);
        } else {
            int64_t max;
            struct span name = plan_dim_text(p, list->items[i], &max);
            sink->dynamic(sink->user, name, max);
        }
    }
    sink->end_list(sink->user);
}

o2w_status value_walk(const struct plan *p, const struct attribute_row *row, const void *attributes,
                      const struct value_sink *sink)
{
    const void *value = attribute_at(attributes, row);
    const struct webnn_u32s *list = value;
    const struct webnn_splits *splits = value;
    switch (row->type) {
    case ATTRIBUTE_BOOL:
        sink->number(sink->user, *(const bool *)value ? SPAN("true") : SPAN("false"));
        return O2W_OK;
    case ATTRIBUTE_U32: put_i64(sink, *(const uint32_t *)value); return O2W_OK;
    case ATTRIBUTE_I32: put_i64(sink, *(const int32_t *)value); return O2W_OK;
    case ATTRIBUTE_DOUBLE: return put_double(p, row, sink, *(const double *)value);
    case ATTRIBUTE_NUMBER: return put_mlnumber(p, row, sink, value);
    case ATTRIBUTE_ENUM:
        sink->string(sink->user, span_of(row->values[*(const uint32_t *)value]));
        return O2W_OK;
    case ATTRIBUTE_DTYPE:
        sink->string(sink->user, span_of(dtype_name((enum dtype) * (const uint32_t *)value)));
        return O2W_OK;
    case ATTRIBUTE_U32S:
    case ATTRIBUTE_ENUMS:
        put_u32s(sink, list->items, list->count, row->type == ATTRIBUTE_ENUMS ? row->values : NULL);
        return O2W_OK;
    case ATTRIBUTE_DOUBLES: return put_doubles(p, row, sink, value);
    case ATTRIBUTE_DIMS: put_dims(p, sink, value); return O2W_OK;
    case ATTRIBUTE_SPLITS:
        if (splits->equal)
            put_i64(sink, splits->count);
        else
            put_u32s(sink, splits->items, splits->count, NULL);
        return O2W_OK;
    }
    return O2W_INTERNAL;
}
