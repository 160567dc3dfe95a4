/* Operators whose result is a constant: values written out, filled, counted. */
#include "lower/helpers.h"

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
    struct span value_string;
    struct texts value_strings;
};

#define ATTR_VALUE        ATTR_TENSOR(struct constant, value)
#define ATTR_SPARSE_VALUE ATTR_SPARSE(struct constant, sparse_value)
static const struct attr_row constant_1_attrs[] = {
    ATTR_TENSOR(struct constant, value, .required = true),
};
static const struct attr_row constant_11_attrs[] = { ATTR_VALUE, ATTR_SPARSE_VALUE };

static const struct attr_row constant_12_attrs[] = {
    ATTR_VALUE,
    ATTR_SPARSE_VALUE,
    ATTR_GIVEN_INT(struct constant, value_int),
    ATTR_INTS(struct constant, value_ints),
    ATTR_GIVEN_FLOAT(struct constant, value_float),
    ATTR_FLOATS(struct constant, value_floats),
    ATTR_STRING(struct constant, value_string),
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
                p->value_float.given + p->value_floats.given + (p->value_string.data != NULL) +
                p->value_strings.given;
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
    else if (p->value_strings.given)
        TRY(known_strings(l, p->value_strings.items, (const dim[]){ p->value_strings.count }, 1,
                          &v));
    else
        TRY(known_strings(l, &p->value_string, NULL, 0, &v));
    return emit_value(l, n, v);
}

/* --- ConstantOfShape ------------------------------------------------------------------------------ */

struct fill_params {
    const struct onnx_tensor *value;
};

static const struct attr_row fill_attrs[] = { ATTR_TENSOR(struct fill_params, value) };

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

/* An absent value is float32 0; shape [] is a scalar. */
static o2w_status lower_constant_of_shape(struct lower *l, const struct node_view *n,
                                          const void *params)
{
    const struct fill_params *p = params;
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
        number = number_at(&t, 0);
    }
    TRY(fill(l, dtype, number, dims, rank, &v));
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

/* Input i as a size or a number. */
static o2w_status range_dim(struct lower *l, const struct node_view *n, uint32_t i, dim *out)
{
    const expr_id *element;
    uint32_t count;
    TRY(known_shape(l, n, i, &element, &count));
    if (count != 1)
        return refuse_input(l, n, i, "has %u elements, one is needed", count);
    *out = dim_of_expr_id(*element);
    return O2W_OK;
}

static bool value_is_zero(struct lower *l, value v)
{
    struct tensor t;
    return value_is_known(v) && known_tensor(l, v, &t) == O2W_OK && tensor_get_i64(&t, 0) == 0;
}

/* Over open sizes, for a positive step. */
static o2w_status range_open(struct lower *l, const struct node_view *n, enum dtype dtype,
                             value *out)
{
    int64_t delta, low, high;
    dim start = 0, limit = 0, count;
    value first;
    TRY(range_dim(l, n, 0, &start));
    TRY(range_dim(l, n, 1, &limit));
    TRY(known_int(l, n, 2, &delta));
    if (delta < 1)
        return refuse_input(l, n, 2, "is %lld, a step beside open sizes must be positive",
                            (long long)delta);
    TRY(dim_of(l, n, EXPR_SUB, limit, start, &count));
    TRY(dim_of(l, n, EXPR_CEIL_DIV, count, delta, &count));
    dim_bounds(lower_exprs(l), count, &low, &high);
    if (low < 0)
        TRY(dim_of(l, n, EXPR_MAX, count, 0, &count));
    TRY(open_iota(l, dtype, count, out));
    struct calc c = { .l = l, .dtype = dtype };
    if (delta != 1)
        *out = calc_mul(&c, *out, calc_number(&c, (double)delta));
    TRY(c.status);
    TRY(reshape(l, input(n, 0), NULL, 0, &first));
    return value_is_zero(l, first) ? O2W_OK : op2(l, WEBNN_ADD, *out, first, out);
}

static bool is_open(const struct node_view *n)
{
    bool open = false;
    for (uint32_t i = 0; i < 3; i++)
        open |= input(n, i)->kind == VALUE_SHAPE;
    return open;
}

/* n = max(ceil((limit - start) / delta), 0); element i = start + i * delta. */
static o2w_status lower_range(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value v;
    enum dtype dtype = n->variables[TYPE_T];
    if (dtype_is_float(dtype))
        TRY(range_floats(l, n, dtype, &v));
    else
        TRY(is_open(n) ? range_open(l, n, dtype, &v) : range_ints(l, n, dtype, &v));
    return emit_value(l, n, v);
}

/* com.microsoft: the step may be absent, it is 1 then. */
static o2w_status lower_range_by_one(struct lower *l, const struct node_view *n, const void *params)
{
    struct node_view three = *n;
    value inputs[] = { input(n, 0), input(n, 1), input(n, 2) };
    if (!inputs[2])
        TRY(scalar_like(l, inputs[0], 1, &inputs[2]));
    three.inputs = inputs;
    three.input_count = 3;
    return lower_range(l, &three, params);
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

#define CONSTANT(from, to, rows)                                                             \
    {                                                                                        \
        ONNX("Constant", from, to), RESULTS({ .name = "output", .variable = TYPE_NONE }),    \
            PARAMS(struct constant, rows), .lower = lower_constant, .class = CLASS_STATIC,   \
                                           .webnn = "constant",                              \
                                           .notes = "strings are known values, not operands" \
    }

const struct onnx_row constant_rows[] = {
    CONSTANT(1, 10, constant_1_attrs),
    CONSTANT(11, 11, constant_11_attrs),
    CONSTANT(12, LATEST, constant_12_attrs),
    { ONNX("ConstantOfShape", 9, LATEST), INPUTS(IN("input", NONE, SET_I64, SHAPE)),
      RESULTS({ .name = "output", .variable = TYPE_NONE }), PARAMS(struct fill_params, fill_attrs),
      .lower = lower_constant_of_shape, .class = CLASS_STATIC, .webnn = "constant, expand" },
    { ONNX("Range", 11, LATEST),
      INPUTS(IN("start", T, RANGE_TYPES, SHAPE), IN("limit", T, RANGE_TYPES, SHAPE),
             IN("delta", T, RANGE_TYPES, SHAPE)),
      RESULTS(OUT("output", T)), .lower = lower_range, .class = CLASS_STATIC, .partial = true,
      .webnn = "constant", .notes = "bounds computed at run time refused" },
    { MICROSOFT("Range"),
      INPUTS(IN("start", T, RANGE_TYPES, SHAPE), IN("limit", T, RANGE_TYPES, SHAPE),
             IN_OPT("delta", T, RANGE_TYPES, SHAPE)),
      RESULTS(OUT("Y", T)), .lower = lower_range_by_one, .class = CLASS_STATIC, .partial = true,
      .webnn = "constant", .notes = "bounds computed at run time refused" },
    { ONNX("EyeLike", 9, LATEST), INPUTS(IN("input", NONE, SET_ALL)),
      RESULTS({ .name = "output", .variable = TYPE_NONE }), PARAMS(struct eye_like, eye_like_attrs),
      .lower = lower_eye_like, .class = CLASS_STATIC, .webnn = "constant" },
};
ROW_COUNT(constant);
