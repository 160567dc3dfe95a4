/* Operators whose result is a constant: values written out, filled, counted. */
#include "lower/lower.h"

#include <math.h>
#include <string.h>

/* --- Constant ----------------------------------------------------------------------------------- */

struct constant {
    const struct onnx_tensor *value;
    const struct onnx_sparse_tensor *sparse_value;
    struct given_int value_int;
    struct ints value_ints;
    struct given_float value_float;
    struct floats value_floats;
    struct texts value_strings;
};

static const struct attr_row constant_attrs[] = {
    ATTR_TENSOR(struct constant, value),
    ATTR_SPARSE(struct constant, sparse_value),
    ATTR_GIVEN_INT(struct constant, value_int),
    ATTR_INTS(struct constant, value_ints),
    ATTR_GIVEN_FLOAT(struct constant, value_float),
    ATTR_FLOATS(struct constant, value_floats),
    ATTR_STRINGS(struct constant, value_strings),
};

static o2w_status constant_floats(struct lower *l, const struct floats *f, value *out)
{
    struct tensor t;
    TRY(known_new(l, DTYPE_FLOAT32, (const dim[]){ f->count }, 1, &t, out));
    if (f->count)
        memcpy(t.data, f->items, f->count * sizeof *f->items);
    return O2W_OK;
}

/* Exactly one of the eight forms. */
static o2w_status lower_constant(struct lower *l, const struct node_view *n, const void *params)
{
    const struct constant *p = params;
    value v = NULL;
    int given = !!p->value + !!p->sparse_value + p->value_int.given + p->value_ints.given +
                p->value_float.given + p->value_floats.given + p->value_strings.given;
    if (given != 1)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "%d of the value attributes are given, exactly one is needed", given);
    if (p->value)
        TRY(value_from_tensor(l, p->value, &v));
    else if (p->sparse_value)
        TRY(value_from_sparse(l, p->sparse_value, &v));
    else if (p->value_int.given)
        TRY(scalar_i64(l, DTYPE_INT64, p->value_int.value, &v));
    else if (p->value_ints.given)
        TRY(known_i64s(l, p->value_ints.items, p->value_ints.count, &v));
    else if (p->value_float.given)
        TRY(scalar(l, DTYPE_FLOAT32, p->value_float.value, &v));
    else if (p->value_floats.given)
        TRY(constant_floats(l, &p->value_floats, &v));
    else
        return refuse_attribute(l, n, "value_strings", "makes a string tensor, WebNN has none");
    return emit_value(l, n, v);
}

/* --- ConstantOfShape ------------------------------------------------------------------------------ */

struct fill {
    const struct onnx_tensor *value;
};

static const struct attr_row fill_attrs[] = { ATTR_TENSOR(struct fill, value) };

/* The dims of input i, none negative. */
static o2w_status dims_of_input(struct lower *l, const struct node_view *n, uint32_t i,
                                dim dims[MAX_RANK], uint32_t *rank)
{
    const expr_id *elements;
    TRY(known_shape(l, n, i, &elements, rank));
    if (*rank > MAX_RANK)
        return refuse_input(l, n, i, "asks for rank %u, at most %d is supported", *rank, MAX_RANK);
    for (uint32_t k = 0; k < *rank; k++) {
        int64_t number;
        if (expr_is_number(lower_exprs(l), elements[k], &number) && number < 0)
            return refuse_input(l, n, i, "has the size %lld at index %u, sizes are not negative",
                                (long long)number, k);
        dims[k] = dim_from_expr(lower_exprs(l), elements[k]);
    }
    return O2W_OK;
}

static struct webnn_number number_of(const struct tensor *t)
{
    if (dtype_is_float(t->dtype))
        return (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = tensor_get_double(t, 0) };
    if (dtype_is_signed(t->dtype))
        return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = tensor_get_i64(t, 0) };
    return (struct webnn_number){ .kind = WEBNN_NUMBER_UINT, .u = tensor_get_u64(t, 0) };
}

static o2w_status fill_dims(struct lower *l, enum dtype dtype, struct webnn_number number,
                            const dim *dims, uint32_t rank, value *out)
{
    value one;
    if (dims_static(dims, rank))
        return filled(l, dtype, number, dims, rank, out);
    TRY(filled(l, dtype, number, NULL, 0, &one));
    return expand(l, one, dims, rank, out);
}

/* An absent value is float32 0; shape [] is a scalar. */
static o2w_status lower_constant_of_shape(struct lower *l, const struct node_view *n,
                                          const void *params)
{
    const struct fill *p = params;
    struct webnn_number number = { .kind = WEBNN_NUMBER_DOUBLE };
    enum dtype dtype = DTYPE_FLOAT32;
    dim dims[MAX_RANK];
    uint32_t rank;
    value v;
    TRY(dims_of_input(l, n, 0, dims, &rank));
    if (p->value) {
        struct tensor t;
        TRY(value_from_tensor(l, p->value, &v));
        TRY(known_tensor(l, v, &t));
        if (tensor_count(&t) != 1)
            return refuse_attribute(l, n, "value", "has %llu elements, one is needed",
                                    (unsigned long long)tensor_count(&t));
        dtype = t.dtype;
        number = number_of(&t);
    }
    TRY(fill_dims(l, dtype, number, dims, rank, &v));
    return emit_as(l, n, 0, v, dtype);
}

/* --- Range ---------------------------------------------------------------------------------------- */

static o2w_status range_size(struct lower *l, const struct node_view *n, uint64_t count)
{
    if (count > (uint64_t)1 << 31)
        return refuse(l, n, DIAG_LOWER_LIMIT, "the range has %llu elements, more than 2^31",
                      (unsigned long long)count);
    return O2W_OK;
}

static o2w_status range_ints(struct lower *l, const struct node_view *n, enum dtype dtype,
                             value *out)
{
    int64_t start, limit, delta;
    struct tensor t;
    TRY(known_int(l, n, 0, &start));
    TRY(known_int(l, n, 1, &limit));
    TRY(known_int(l, n, 2, &delta));
    if (delta == 0)
        return refuse_input(l, n, 2, "is 0");
    /* ceil((limit - start) / delta), in 128 bits because the difference may not fit 64 */
    __int128 distance = (__int128)limit - start, step = delta;
    __int128 count = distance / step + (distance % step != 0 && (distance < 0) == (step < 0));
    if (count < 0)
        count = 0;
    TRY(range_size(l, n, count > INT64_MAX ? UINT64_MAX : (uint64_t)count));
    TRY(known_new(l, dtype, (const dim[]){ (dim)count }, 1, &t, out));
    for (int64_t i = 0; i < (int64_t)count; i++)
        tensor_put_i64(&t, (uint64_t)i, (int64_t)(start + (__int128)i * delta));
    return O2W_OK;
}

static o2w_status range_floats(struct lower *l, const struct node_view *n, enum dtype dtype,
                               value *out)
{
    double start, limit, delta;
    struct tensor t;
    TRY(known_double(l, n, 0, &start));
    TRY(known_double(l, n, 1, &limit));
    TRY(known_double(l, n, 2, &delta));
    double count = ceil((limit - start) / delta);
    if (!isfinite(count))
        return refuse(l, n, DIAG_LOWER_VALUE, "the range from %g to %g by %g has no end", start,
                      limit, delta);
    count = fmax(count, 0);
    TRY(range_size(l, n, count > 4e9 ? UINT64_MAX : (uint64_t)count));
    TRY(known_new(l, dtype, (const dim[]){ (dim)count }, 1, &t, out));
    for (uint64_t i = 0; i < (uint64_t)count; i++)
        tensor_put_double(&t, i, start + (double)i * delta);
    return O2W_OK;
}

/* n = max(ceil((limit - start) / delta), 0); element i = start + i * delta. */
static o2w_status lower_range(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value v;
    enum dtype dtype = n->variables[TYPE_T];
    TRY(dtype_is_float(dtype) ? range_floats(l, n, dtype, &v) : range_ints(l, n, dtype, &v));
    return emit_value(l, n, v);
}

/* --- EyeLike --------------------------------------------------------------------------------------- */

struct eye_like {
    int64_t k;
    struct given_int dtype;
};

static const struct attr_row eye_like_attrs[] = {
    ATTR_INT(struct eye_like, k, .fallback_int = 0),
    ATTR_GIVEN_INT(struct eye_like, dtype),
};

/* Ones where column - row == k; the dtype is the attribute's, else the input's. */
static o2w_status lower_eye_like(struct lower *l, const struct node_view *n, const void *params)
{
    const struct eye_like *p = params;
    value x = input(n, 0), v;
    enum dtype dtype = x->dtype;
    struct tensor t;
    if (p->dtype.given && !dtype_by_onnx(p->dtype.value, &dtype))
        return refuse_attribute(l, n, "dtype", "is %lld, not a type that can be carried",
                                (long long)p->dtype.value);
    if (x->rank != 2 || !dims_static(x->dims, 2))
        return refuse_input(l, n, 0, "has rank %u, a matrix of known size is needed", x->rank);
    TRY(known_new(l, dtype, x->dims, 2, &t, &v));
    for (int64_t row = 0; row < x->dims[0]; row++) {
        int64_t column = row + p->k;
        if (column >= 0 && column < x->dims[1])
            tensor_put_i64(&t, (uint64_t)(row * x->dims[1] + column), 1);
    }
    return emit_as(l, n, 0, v, dtype);
}

#define RANGE_TYPES \
    (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT64) | DTYPE_BIT(DTYPE_INT16) | SET_INDEX)

const struct onnx_row constant_rows[] = {
    { ONNX("Constant", 1, LATEST), RESULTS({ .name = "output", .variable = TYPE_NONE }),
      PARAMS(struct constant, constant_attrs), .lower = lower_constant, .class = CLASS_STATIC,
      .partial = true, .webnn = "constant", .notes = "value_string, value_strings refused" },
    { ONNX("ConstantOfShape", 9, LATEST), INPUTS(IN("input", NONE, SET_I64, SHAPE)),
      RESULTS({ .name = "output", .variable = TYPE_NONE }), PARAMS(struct fill, fill_attrs),
      .lower = lower_constant_of_shape, .class = CLASS_STATIC, .webnn = "constant, expand" },
    { ONNX("Range", 11, LATEST),
      INPUTS(IN("start", T, RANGE_TYPES, KNOWN), IN("limit", T, RANGE_TYPES, KNOWN),
             IN("delta", T, RANGE_TYPES, KNOWN)),
      RESULTS(OUT("output", T)), .lower = lower_range, .class = CLASS_STATIC, .webnn = "constant" },
    { ONNX("EyeLike", 9, LATEST), INPUTS(IN("input", NONE, SET_ALL)),
      RESULTS({ .name = "output", .variable = TYPE_NONE }), PARAMS(struct eye_like, eye_like_attrs),
      .lower = lower_eye_like, .class = CLASS_STATIC, .webnn = "constant" },
};
ROW_COUNT(constant);
