/* Dialects about constants: constant nodes, zero points and scales of quantisation. */
#include "base/text.h"
#include "format/dialects.h"

#include <string.h>

/* ---- constant nodes ---- */

static o2w_status refuse(const struct call *c, const char *what)
{
    return call_at(c, c->node->place,
                   diag_error(c->loader->diags, DIAG_CONST_INIT, "constant node '%.*s' %s",
                              SPAN_ARG(c->node->targets[0].name), what));
}

static const struct argument *take_text(const struct call *c, const char *key)
{
    struct argument *a = call_option(c, key);
    if (!a || argument_is_absent(a, true))
        return NULL;
    return a->value->kind == DOC_STRING || a->value->kind == DOC_WORD ? a : NULL;
}

static o2w_status read_type(struct call *c, struct descriptor *type, bool *has_dtype,
                            bool *has_shape)
{
    const struct argument *dtype = take_text(c, "dataType"), *shape = call_option(c, "shape");
    *type = (struct descriptor){ 0 };
    *has_dtype = dtype != NULL;
    *has_shape = shape != NULL;
    if (dtype && (!dtype_by_name(doc_text(dtype->value), &type->dtype) ||
                  !dtype_in(type->dtype, DTYPES_WEBNN))) {
        char allowed[256];
        dtype_set_text(DTYPES_WEBNN, allowed, sizeof allowed);
        return call_wrong_value(c, dtype, "%s", allowed);
    }
    return shape ? call_read_integers(c, shape, 0, LIMIT_DIM, type->dims, MAX_RANK, &type->rank)
                 : O2W_OK;
}

static int base64_value(uint8_t c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Whole groups of four, padded. False when it is not of that form. */
static bool base64_decode(struct span text, uint8_t *to, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < text.size; i += 4) {
        uint32_t group = 0;
        size_t filled = 0;
        for (size_t j = 0; j < 4; j++) {
            int value = i + j < text.size ? base64_value(text.data[i + j]) : -1;
            bool padding = i + 4 == text.size && j >= 2 && text.data[i + j] == '=' &&
                           (j == 3 || text.data[i + 3] == '=');
            if (value < 0 && !padding)
                return false;
            filled += value >= 0;
            group = group << 6 | (uint32_t)(value >= 0 ? value : 0);
        }
        for (size_t j = 0; j + 1 < filled; j++)
            to[(*size)++] = (uint8_t)(group >> (16 - 8 * j));
    }
    return true;
}

static o2w_status from_data(struct call *c, const struct argument *a, const struct descriptor *type,
                            operand_id *id)
{
    struct loader *l = c->loader;
    uint8_t *bytes = arena_alloc(l->arena, a->value->size, 1);
    size_t size;
    uint64_t count, needed = 0;
    if (!bytes)
        return diag_memory(l->diags);
    if (!base64_decode(doc_text(a->value), bytes, &size))
        return refuse(c, "has data that isn't base64");
    if (!dims_count(type->dims, type->rank, &count) || !dtype_bytes(type->dtype, count, &needed) ||
        needed != size) {
        char shape[300];
        dims_text(type->dims, type->rank, shape, sizeof shape);
        return call_at(c, a->place,
                       diag_error(l->diags, DIAG_CONST_BYTES, "'%.*s': %zu bytes, %s%s needs %llu",
                                  SPAN_ARG(c->node->targets[0].name), size,
                                  dtype_info(type->dtype)->text, shape,
                                  (unsigned long long)needed));
    }
    return call_at(c, a->place, builder_constant_bytes(&l->builder, type, bytes, size, false, id));
}

/* The declared constant that `init` names, with or without its `$`. */
static o2w_status find_declared(const struct call *c, const struct argument *a, operand_id *id)
{
    struct span name = doc_text(a->value);
    const struct scope_entry *entry = scope_lookup(&c->loader->scope, name);
    if (!entry && name.size > 1 && name.data[0] == '$') {
        name.data++;
        name.size--;
    }
    TRY(call_at(c, a->place, scope_find(&c->loader->scope, name, a->place, id)));
    return graph_operand(loader_graph(c->loader), *id)->kind == OPERAND_CONSTANT
               ? O2W_OK
               : call_wrong_value(c, a, "names of constants");
}

static o2w_status from_declared(struct call *c, const struct argument *a, struct descriptor *type,
                                bool has_dtype, bool has_shape, operand_id *id)
{
    struct loader *l = c->loader;
    struct descriptor declared;
    operand_id source;
    uint64_t count = 0;
    TRY(find_declared(c, a, &source));
    graph_descriptor(loader_graph(l), source, &declared);
    struct weight w = *graph_weight(loader_graph(l), source);
    if (!has_shape) {
        enum dtype dtype = type->dtype;
        *type = declared;
        type->dtype = dtype;
    }
    if (!has_dtype)
        type->dtype = declared.dtype;
    if (type->dtype != declared.dtype || !dims_count(type->dims, type->rank, &count) ||
        count != w.count)
        return refuse(c, "has another type or size than the constant that it names");
    return call_at(c, a->place, builder_constant(&l->builder, type, &w, SPAN(""), id));
}

o2w_status dialect_constant(struct call *c)
{
    struct descriptor type;
    bool has_dtype, has_shape;
    operand_id id = NO_ID;
    if (c->node->target_count != 1)
        return call_at(c, c->node->place,
                       diag_error(c->loader->diags, DIAG_TEXT_RESULTS,
                                  "constant returns 1 results, %u names given",
                                  c->node->target_count));
    TRY(read_type(c, &type, &has_dtype, &has_shape));
    const struct argument *init = take_text(c, "init"), *data = take_text(c, "data");
    if (init)
        TRY(from_declared(c, init, &type, has_dtype, has_shape, &id));
    else if (!data)
        return refuse(c, "needs data or init");
    else if (!has_dtype)
        return refuse(c, "needs dataType");
    else
        TRY(from_data(c, data, &type, &id));
    return loader_declare(c->loader, c->node->targets[0], SCOPE_CONSTANT, id);
}

/* ---- quantisation ---- */

/* The shape that a scale of lower rank has along the input; false when it isn't clear. */
static bool widened_shape(const struct descriptor *input, const struct descriptor *scale,
                          struct webnn_dims *out)
{
    uint32_t matches = 0;
    *out = (struct webnn_dims){ .given = true, .count = input->rank };
    for (uint32_t i = 0; i < input->rank; i++) {
        out->items[i] = 1;
        if (scale->rank == 1 && input->dims[i] == scale->dims[0]) {
            matches++;
            out->items[i] = scale->dims[0];
        }
    }
    return scale->rank == 0 || (scale->rank == 1 && matches == 1);
}

static o2w_status widen(struct call *c, uint32_t operand, const char *name)
{
    struct descriptor input, d;
    struct webnn_reshape_attributes reshape;
    call_descriptor(c, 0, &input);
    call_descriptor(c, operand, &d);
    if (d.rank >= input.rank)
        return O2W_OK;
    if (!widened_shape(&input, &d, &reshape.new_shape))
        return call_at(
            c, c->node->place,
            diag_error(
                c->loader->diags, DIAG_OP_INVALID,
                "%s: %s has rank %u, the input %u: only a scalar or a list that fits exactly one dimension "
                "can be taken",
                c->row->name, name, d.rank, input.rank));
    TRY(call_note(c, c->node->place, "%s of rank %u is reshaped to rank %u", name, d.rank,
                  input.rank));
    return call_emit(c, WEBNN_RESHAPE, &c->operands[operand], 1, &reshape, &c->operands[operand]);
}

static o2w_status add_zero_point(struct call *c)
{
    struct descriptor type, input;
    call_descriptor(c, 0, &input);
    call_descriptor(c, 1, &type);
    type.dtype = c->kind == WEBNN_QUANTIZE_LINEAR ? DTYPE_UINT8 : input.dtype;
    struct weight w = { .source = WEIGHT_ZEROS, .dtype = type.dtype, .from = type.dtype };
    if (!dims_static(type.dims, type.rank) || !dims_count(type.dims, type.rank, &w.count))
        return O2W_OK; /* the missing operand is refused */
    TRY(call_note(c, c->node->place, "the missing zeroPoint is taken as 0"));
    c->operand_count = 3;
    return call_at(c, c->node->place,
                   builder_constant(&c->loader->builder, &type, &w, SPAN(""), &c->operands[2]));
}

o2w_status dialect_quantizer(struct call *c)
{
    if (c->operand_count < 2)
        return O2W_OK;
    TRY(widen(c, 1, "scale"));
    if (c->operand_count == 3)
        return widen(c, 2, "zeroPoint");
    return c->operand_count == 2 ? add_zero_point(c) : O2W_OK;
}
