/* ai.onnx.ml: what is done to features before a model sees them. */
#include "lower/ops/ml.h"

#include <math.h>

/* --- ArrayFeatureExtractor --------------------------------------------------------------------------- */

static o2w_status check_places(struct lower *l, const struct node_view *n, int64_t size)
{
    struct ints places;
    if (!value_is_known(input(n, 1)))
        return O2W_OK;
    TRY(known_ints(l, n, 1, &places));
    for (uint32_t i = 0; i < places.count; i++)
        if (places.items[i] < 0 || places.items[i] >= size)
            return refuse_input(l, n, 1, "holds %lld, must be from 0 to %lld",
                                (long long)places.items[i], (long long)size - 1);
    return O2W_OK;
}

/* Known strings at computed places are class labels. */
static o2w_status extract_strings(struct lower *l, const struct node_view *n, value places)
{
    value x = input(n, 0);
    const uint32_t front = 0;
    if (x->rank != 1)
        return refuse_input(l, n, 0, "is a string tensor of rank %u, 1 is needed", x->rank);
    TRY(check_places(l, n, x->dims[0]));
    TRY(unsqueeze(l, places, &front, 1, &places));
    TRY(classes_of(l, places, x->strings, (uint32_t)x->dims[0], &places));
    return emit_value(l, n, places);
}

static o2w_status lower_extractor(struct lower *l, const struct node_view *n, const void *params)
{
    struct webnn_gather_attributes a = webnn_gather_defaults();
    value x = input(n, 0), places = input(n, 1), y;
    const uint32_t front = 0;
    int64_t size;
    dim count;
    (void)params;
    TRY(dims_product(l, n, places->dims, 0, places->rank, &count));
    TRY(reshape(l, places, &count, 1, &places));
    if (x->kind == VALUE_STRINGS)
        return extract_strings(l, n, places);
    if (x->rank == 0)
        return refuse_input(l, n, 0, "has rank 0, 1 is needed at least");
    TRY(static_dim(l, n, x, x->rank - 1, &size));
    TRY(check_places(l, n, size));
    if (x->rank == 1)
        TRY(unsqueeze(l, x, &front, 1, &x));
    a.axis = x->rank - 1;
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, places), &a, &y));
    return emit_value(l, n, y);
}

/* --- Binarizer ------------------------------------------------------------------------------------------ */

struct binarizer {
    double threshold;
};

static const struct attr_row binarizer_attrs[] = { ATTR_FLOAT(struct binarizer, threshold) };

static o2w_status lower_binarizer(struct lower *l, const struct node_view *n, const void *params)
{
    const struct binarizer *p = params;
    value x = input(n, 0), y;
    /* above a number that no integer is: above its floor */
    double threshold = dtype_is_float(x->dtype) ? p->threshold : floor(p->threshold);
    if (!dtype_is_float(x->dtype) && (threshold < -2147483648.0 || threshold > 2147483647.0))
        return refuse_attribute(l, n, "threshold", "is %g, beyond the range of int32", threshold);
    struct calc c = calc_begin(l, x);
    y = calc_greater(&c, x, calc_number(&c, threshold));
    TRY(c.status);
    TRY(cast(l, y, x->dtype, &y));
    return emit_value(l, n, y);
}

/* --- FeatureVectorizer ----------------------------------------------------------------------------------- */

struct vectorizer {
    struct ints inputdimensions;
};

static const struct attr_row vectorizer_attrs[] = { ATTR_INTS(struct vectorizer, inputdimensions) };

/* Rows of `size` features: cut, or with zeros behind. */
static o2w_status fit_features(struct lower *l, const struct node_view *n, value x, int64_t size,
                               value *out)
{
    int64_t given;
    TRY(static_dim(l, n, x, 1, &given));
    if (given >= size)
        return slice(l, x, 1, 0, size, 1, out);
    struct webnn_pad_attributes a = webnn_pad_defaults();
    a.beginning_padding.given = a.ending_padding.given = true;
    a.beginning_padding.count = a.ending_padding.count = 2;
    a.ending_padding.items[1] = (uint32_t)(size - given);
    return op(l, WEBNN_PAD, OPERANDS(x), &a, out);
}

static o2w_status lower_vectorizer(struct lower *l, const struct node_view *n, const void *params)
{
    const struct vectorizer *p = params;
    value *parts = ARENA_ARRAY(lower_arena(l), n->input_count, value), y;
    uint32_t count = 0;
    if (!parts)
        return diag_memory(lower_diags(l));
    if (p->inputdimensions.given)
        TRY(ml_count(l, n, "inputdimensions", p->inputdimensions.count, n->input_count));
    for (uint32_t i = 0; i < n->input_count; i++) {
        value x = input(n, i);
        const uint32_t front = 0;
        if (x->rank != 1 && x->rank != 2)
            return refuse_input(l, n, i, "has rank %u, 1 or 2 is needed", x->rank);
        TRY(cast(l, x, DTYPE_FLOAT32, &x));
        if (x->rank == 1)
            TRY(unsqueeze(l, x, &front, 1, &x));
        int64_t size = p->inputdimensions.given ? p->inputdimensions.items[i] : x->dims[1];
        if (p->inputdimensions.given && (size < 0 || size > INT32_MAX))
            return refuse_attribute(l, n, "inputdimensions", "holds %lld", (long long)size);
        if (p->inputdimensions.given && size > 0)
            TRY(fit_features(l, n, x, size, &x));
        if (size != 0)
            parts[count++] = x;
    }
    if (count == 0)
        return refuse_attribute(l, n, "inputdimensions", "leaves no feature");
    TRY(concat(l, parts, count, 1, &y));
    return emit_value(l, n, y);
}

/* --- Imputer ------------------------------------------------------------------------------------------------ */

struct imputer {
    struct floats imputed_value_floats;
    struct ints imputed_value_int64s;
    double replaced_value_float;
    int64_t replaced_value_int64;
};

static const struct attr_row imputer_attrs[] = {
    ATTR_FLOATS(struct imputer, imputed_value_floats),
    ATTR_INTS(struct imputer, imputed_value_int64s),
    ATTR_FLOAT(struct imputer, replaced_value_float),
    ATTR_INT(struct imputer, replaced_value_int64),
};

/* One imputed value, or one for each feature; in x's dtype. */
static o2w_status imputed_values(struct lower *l, const struct node_view *n,
                                 const struct imputer *p, value x, value *out)
{
    bool real = dtype_is_float(x->dtype);
    const char *name = real ? "imputed_value_floats" : "imputed_value_int64s";
    uint32_t count = real ? p->imputed_value_floats.count : p->imputed_value_int64s.count;
    struct tensor t;
    if (count != 1) {
        int64_t features = 0;
        if (x->rank == 0 || x->rank > 2)
            return refuse_attribute(l, n, name, "has %u items, 1 is needed for rank %u", count,
                                    x->rank);
        TRY(static_dim(l, n, x, x->rank - 1, &features));
        TRY(ml_count(l, n, name, count, (uint64_t)features));
    }
    TRY(known_new(l, real ? DTYPE_FLOAT32 : DTYPE_INT64, (const dim[]){ count }, count != 1, &t,
                  out));
    for (uint32_t i = 0; i < count; i++) {
        int64_t whole = real ? 0 : p->imputed_value_int64s.items[i];
        if (x->dtype == DTYPE_INT32 && (whole < INT32_MIN || whole > INT32_MAX))
            return refuse_attribute(l, n, name, "holds %lld, beyond int32", (long long)whole);
        if (real)
            tensor_put_double(&t, i, (double)p->imputed_value_floats.items[i]);
        else
            tensor_put_i64(&t, i, whole);
    }
    return cast(l, *out, x->dtype, out);
}

static o2w_status lower_imputer(struct lower *l, const struct node_view *n, const void *params)
{
    const struct imputer *p = params;
    value x = input(n, 0), imputed, replaced, hit;
    bool real = dtype_is_float(x->dtype);
    TRY(imputed_values(l, n, p, x, &imputed));
    if (real && isnan(p->replaced_value_float)) {
        TRY(op1(l, WEBNN_IS_NAN, x, &hit));
    } else {
        if (x->dtype == DTYPE_INT32 &&
            (p->replaced_value_int64 < INT32_MIN || p->replaced_value_int64 > INT32_MAX))
            return emit_value(l, n, x);
        if (real)
            TRY(scalar_like(l, x, (double)(float)p->replaced_value_float, &replaced));
        else
            TRY(scalar_i64(l, x->dtype, p->replaced_value_int64, &replaced));
        TRY(op2(l, WEBNN_EQUAL, x, replaced, &hit));
    }
    return emit(l, n, WEBNN_WHERE, OPERANDS(hit, imputed, x), NULL);
}

/* --- Normalizer ------------------------------------------------------------------------------------------ */

struct normalizer {
    struct span norm;
};

static const struct attr_row normalizer_attrs[] = {
    ATTR_STRING(struct normalizer, norm, .fallback_text = "MAX", .allowed = "MAX L1 L2"),
};

/* Each row over its norm, where that is not 0. MAX is the greatest element with its sign; L2 is the
 * root of the share of the square, as the runtime has it. */
static value normalized(struct calc *c, value x, struct span norm)
{
    value zero = calc_number(c, 0), size;
    bool squares = span_is(norm, "L2");
    value part = squares ? calc_mul(c, x, x) : span_is(norm, "L1") ? calc_abs(c, x) : x;
    size = calc_reduce(c, span_is(norm, "MAX") ? WEBNN_REDUCE_MAX : WEBNN_REDUCE_SUM, part, 1);
    value divisor = calc_where(c, calc_equal(c, size, zero), calc_number(c, 1), size);
    if (!squares)
        return calc_div(c, x, divisor);
    value share = calc_sqrt(c, calc_div(c, part, divisor));
    value y = calc_where(c, calc_less(c, x, zero), calc_neg(c, share), share);
    return calc_where(c, calc_equal(c, size, zero), x, y);
}

static o2w_status lower_normalizer(struct lower *l, const struct node_view *n, const void *params)
{
    const struct normalizer *p = params;
    value x;
    TRY(ml_rows(l, n, &x));
    struct calc c = calc_begin(l, x);
    value y = normalized(&c, x, p->norm);
    TRY(c.status);
    TRY(reshape(l, y, input(n, 0)->dims, input(n, 0)->rank, &y));
    return emit_value(l, n, y);
}

/* --- Scaler -------------------------------------------------------------------------------------------------- */

struct scaler {
    struct floats offset, scale;
};

static const struct attr_row scaler_attrs[] = {
    ATTR_FLOATS(struct scaler, offset),
    ATTR_FLOATS(struct scaler, scale),
};

/* One number, or one for each feature; NULL where none is given. */
static o2w_status per_feature(struct lower *l, const struct node_view *n, const char *name,
                              const struct floats *list, value x, value *out)
{
    dim count = list->count;
    *out = NULL;
    if (list->count == 0)
        return O2W_OK;
    if (list->count > 1) {
        int64_t features;
        if (x->rank == 0 || x->rank > 2)
            return refuse_attribute(l, n, name, "has %u items, 1 is needed for rank %u",
                                    list->count, x->rank);
        TRY(static_dim(l, n, x, x->rank - 1, &features));
        TRY(ml_count(l, n, name, list->count, (uint64_t)features));
    }
    return ml_floats(l, list->items, &count, list->count > 1, out);
}

static o2w_status lower_scaler(struct lower *l, const struct node_view *n, const void *params)
{
    const struct scaler *p = params;
    value x, offset, scale;
    TRY(cast(l, input(n, 0), DTYPE_FLOAT32, &x));
    TRY(per_feature(l, n, "offset", &p->offset, x, &offset));
    TRY(per_feature(l, n, "scale", &p->scale, x, &scale));
    if (offset)
        TRY(op2(l, WEBNN_SUB, x, offset, &x));
    if (scale)
        TRY(op2(l, WEBNN_MUL, x, scale, &x));
    return emit_value(l, n, x);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

#define IN_X INPUTS(IN("X", T, SET_ML))

const struct onnx_row ml_features_rows[] = {
    { ONNX_ML("ArrayFeatureExtractor", 1, LATEST),
      INPUTS(IN("X", T, SET_ML | SET_STRING), IN("Y", NONE, SET_I64)), RESULTS(OUT("Z", T)),
      .lower = lower_extractor, .class = CLASS_DIRECT, .partial = true, .webnn = "gather",
      .notes = "strings: known ones of rank 1, the result is places in its labels" },
    { ONNX_ML("Binarizer", 1, LATEST), IN_X, RESULTS(OUT("Y", T)),
      PARAMS(struct binarizer, binarizer_attrs), .lower = lower_binarizer, .class = CLASS_COMPOSED,
      .webnn = "greater, cast" },
    { ONNX_ML("FeatureVectorizer", 1, LATEST), INPUTS(IN_MANY("X", T1, SET_ML)),
      RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct vectorizer, vectorizer_attrs),
      .lower = lower_vectorizer, .class = CLASS_COMPOSED, .webnn = "concat, slice, pad" },
    { ONNX_ML("Imputer", 1, LATEST), IN_X, RESULTS(OUT("Y", T)),
      PARAMS(struct imputer, imputer_attrs), .lower = lower_imputer, .class = CLASS_COMPOSED,
      .webnn = "equal, isNaN, where" },
    { ONNX_ML("Normalizer", 1, LATEST), INPUTS(IN("X", NONE, SET_ML)),
      RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct normalizer, normalizer_attrs),
      .lower = lower_normalizer, .class = CLASS_COMPOSED, .webnn = "reduceMax, reduceSum, div" },
    { ONNX_ML("Scaler", 1, LATEST), INPUTS(IN("X", NONE, SET_ML)),
      RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct scaler, scaler_attrs),
      .lower = lower_scaler, .class = CLASS_COMPOSED, .webnn = "sub, mul" },
};
ROW_COUNT(ml_features);
