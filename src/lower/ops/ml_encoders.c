/* ai.onnx.ml: encoders, and what stands for maps and strings. */
#include "lower/ops/ml.h"

#include <math.h>
#include <string.h>

enum { MOST_KEYS = 16384 };

/* --- LabelEncoder -------------------------------------------------------------------------------------- */

struct label_encoder {
    struct texts keys_strings, values_strings;
    struct ints keys_int64s, values_int64s;
    struct floats keys_floats, values_floats;
    const struct onnx_tensor *keys_tensor, *values_tensor, *default_tensor;
    struct span default_string;
    double default_float;
    int64_t default_int64;
};

#define DEFAULTS                                                                   \
    ATTR_STRING(struct label_encoder, default_string, .fallback_text = "_Unused"), \
        ATTR_INT(struct label_encoder, default_int64, .fallback_int = -1)
#define LISTS                                                                \
    ATTR_FLOAT(struct label_encoder, default_float, .fallback_float = -0.0), \
        ATTR_STRINGS(struct label_encoder, keys_strings),                    \
        ATTR_STRINGS(struct label_encoder, values_strings),                  \
        ATTR_INTS(struct label_encoder, keys_int64s),                        \
        ATTR_INTS(struct label_encoder, values_int64s),                      \
        ATTR_FLOATS(struct label_encoder, keys_floats),                      \
        ATTR_FLOATS(struct label_encoder, values_floats)

static const struct attr_row label_encoder_1_attrs[] = {
    DEFAULTS,
    ATTR_(PARAM_STRINGS, struct label_encoder, keys_strings, "classes_strings"),
};
static const struct attr_row label_encoder_2_attrs[] = { DEFAULTS, LISTS };
static const struct attr_row label_encoder_4_attrs[] = {
    DEFAULTS,
    LISTS,
    ATTR_TENSOR(struct label_encoder, keys_tensor),
    ATTR_TENSOR(struct label_encoder, values_tensor),
    ATTR_TENSOR(struct label_encoder, default_tensor),
};

/* Keys, or values: a tensor of numbers or strings. */
static o2w_status one_list(struct lower *l, const struct node_view *n, const char *what,
                           const struct texts *texts, const struct ints *ints,
                           const struct floats *floats, const struct onnx_tensor *tensor,
                           value *out)
{
    int given = (texts->count > 0) + (ints->count > 0) + (floats->count > 0) + (tensor != NULL);
    if (given != 1)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "%s are given %d times, once is needed", what,
                      given);
    if (tensor)
        return value_from_tensor(l, tensor, out);
    if (ints->count)
        return known_i64s(l, ints->items, ints->count, out);
    dim count = texts->count ? texts->count : floats->count;
    if (floats->count)
        return ml_floats(l, floats->items, &count, 1, out);
    return known_strings(l, texts->items, &count, 1, out);
}

static bool same_key(value keys, const struct tensor *t, uint32_t a, uint32_t b)
{
    if (keys->kind == VALUE_STRINGS)
        return span_equal(keys->strings[a], keys->strings[b]);
    if (!dtype_is_float(t->dtype))
        return tensor_get_i64(t, a) == tensor_get_i64(t, b);
    double x = tensor_get_double(t, a), y = tensor_get_double(t, b);
    return x == y || (isnan(x) && isnan(y));
}

/* Which of equal keys holds. */
enum key_order { FIRST_KEY, LAST_KEY };

/* Keys that hold, in the order in which they come first. */
struct key_list {
    uint32_t count, *at; /* places among the keys */
};

/* Doubles are compared as float32 in the graph: they must stay apart there. */
static bool fall_together(const struct tensor *t, uint32_t a, uint32_t b)
{
    return t->dtype == DTYPE_FLOAT64 &&
           (float)tensor_get_double(t, a) == (float)tensor_get_double(t, b);
}

static o2w_status held_keys(struct lower *l, const struct node_view *n, value keys,
                            enum key_order order, struct key_list *out)
{
    struct tensor t = { 0 };
    uint32_t count = (uint32_t)keys->dims[0];
    out->count = 0;
    out->at = ARENA_ARRAY(lower_arena(l), count, uint32_t);
    if (!out->at)
        return diag_memory(lower_diags(l));
    if (keys->kind != VALUE_STRINGS)
        TRY(known_tensor(l, keys, &t));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < out->count && !same_key(keys, &t, out->at[k], i) &&
               !fall_together(&t, out->at[k], i))
            k++;
        if (k < out->count && !same_key(keys, &t, out->at[k], i))
            return refuse(l, n, DIAG_LOWER_VALUE, "two keys are one number in float32");
        if (k == out->count)
            out->at[out->count++] = i;
        else if (order == LAST_KEY)
            out->at[k] = i;
    }
    return O2W_OK;
}

/* Where x is the key at place k, which an open dim in front of the last one tells apart. */
static value hits(struct calc *c, value x, value keys, bool nan_key)
{
    value hit = calc_equal(c, x, keys);
    if (!nan_key)
        return hit;
    value nan = calc_op(c, WEBNN_IS_NAN, x, NULL, NULL);
    return calc_or(c, hit, calc_and(c, nan, calc_op(c, WEBNN_IS_NAN, keys, NULL, NULL)));
}

/* int32 places: k + 1 where x is key k of `held`, 0 where it is none. */
static o2w_status number_places(struct lower *l, const struct node_view *n, value keys,
                                const struct key_list *held, value *out)
{
    value x = input(n, 0), table, numbers, y;
    const uint32_t last = x->rank;
    int64_t *order = ARENA_ARRAY(lower_arena(l), held->count, int64_t);
    struct tensor t;
    bool nan_key = false;
    if (!order)
        return diag_memory(lower_diags(l));
    TRY(known_tensor(l, keys, &t));
    for (uint32_t i = 0; i < held->count; i++) {
        order[i] = held->at[i];
        nan_key |= dtype_is_float(t.dtype) && isnan(tensor_get_double(&t, held->at[i]));
    }
    if (n->row->since < 4)
        nan_key = false;
    TRY(gather_known(l, keys, order, held->count, 0, &table));
    TRY(iota(l, DTYPE_INT32, held->count, 0, 1, &numbers));
    TRY(unsqueeze(l, x, &last, 1, &x));
    struct calc c = calc_begin(l, numbers);
    value hit = calc_cast(&c, hits(&c, x, table, nan_key), DTYPE_INT32);
    y = calc_mul(&c, hit, calc_add(&c, numbers, calc_number(&c, 1)));
    y = calc_reduce(&c, WEBNN_REDUCE_SUM, y, last);
    TRY(c.status);
    return squeeze(l, y, &last, 1, out);
}

static uint32_t text_place(value keys, const struct key_list *held, struct span text)
{
    for (uint32_t k = 0; k < held->count; k++)
        if (span_equal(keys->strings[held->at[k]], text))
            return k + 1;
    return 0;
}

/* The same of labels, or of known strings. */
static o2w_status text_places(struct lower *l, const struct node_view *n, value keys,
                              const struct key_list *held, value *out)
{
    value x = input(n, 0), table;
    bool known = x->kind == VALUE_STRINGS;
    uint64_t count = x->labels.count;
    struct tensor t;
    if (known && (!value_count(x, &count) || count > INT32_MAX))
        return refuse_input(l, n, 0, "has too many strings");
    const dim labels = (dim)count;
    TRY(known_new(l, DTYPE_INT32, known ? x->dims : &labels, known ? x->rank : 1, &t, &table));
    const struct span *texts = known ? x->strings : x->labels.texts;
    for (uint64_t i = 0; i < count; i++)
        tensor_put_i64(&t, i, text_place(keys, held, texts[i]));
    *out = table;
    if (known)
        return O2W_OK;
    struct webnn_gather_attributes a = webnn_gather_defaults();
    return op(l, WEBNN_GATHER, OPERANDS(table, x->items[0]), &a, out);
}

/* The value of the default as one element of the values' dtype. */
static o2w_status fallback_value(struct lower *l, const struct node_view *n,
                                 const struct label_encoder *p, enum dtype dtype, value *out)
{
    if (p->default_tensor) {
        TRY(value_from_tensor(l, p->default_tensor, out));
        uint64_t count;
        if ((*out)->dtype != dtype || !value_count(*out, &count) || count != 1)
            return refuse_attribute(l, n, "default_tensor", "is not one element of type %s",
                                    dtype_name(dtype));
        return O2W_OK;
    }
    if (dtype == DTYPE_INT64)
        return scalar_i64(l, dtype, p->default_int64, out);
    if (dtype == DTYPE_FLOAT32)
        return scalar(l, dtype, p->default_float, out);
    return dtype_is_float(dtype) ? scalar(l, dtype, -0.0, out) : scalar_i64(l, dtype, -1, out);
}

/* Table of the default and of the values whose keys hold; its element at each place. */
static o2w_status emit_values(struct lower *l, const struct node_view *n,
                              const struct label_encoder *p, value values,
                              const struct key_list *held, value places)
{
    struct webnn_gather_attributes a = webnn_gather_defaults();
    const dim one = 1;
    value fallback, kept, y;
    int64_t *order = ARENA_ARRAY(lower_arena(l), held->count, int64_t);
    if (!order)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < held->count; i++)
        order[i] = held->at[i];
    TRY(fallback_value(l, n, p, values->dtype, &fallback));
    TRY(reshape(l, fallback, &one, 1, &fallback));
    TRY(gather_known(l, values, order, held->count, 0, &kept));
    TRY(concat(l, (const value[]){ fallback, kept }, 2, 0, &kept));
    TRY(op(l, WEBNN_GATHER, OPERANDS(kept, places), &a, &y));
    return emit_as(l, n, 0, y, values->dtype);
}

static o2w_status emit_texts(struct lower *l, const struct node_view *n,
                             const struct label_encoder *p, value values,
                             const struct key_list *held, value places)
{
    struct span *texts = ARENA_ARRAY(lower_arena(l), (size_t)held->count + 1, struct span);
    value y;
    if (!texts)
        return diag_memory(lower_diags(l));
    texts[0] = p->default_string;
    if (p->default_tensor) {
        TRY(value_from_tensor(l, p->default_tensor, &y));
        if (y->kind != VALUE_STRINGS || y->rank > 1 || (y->rank == 1 && y->dims[0] != 1))
            return refuse_attribute(l, n, "default_tensor", "is not one string");
        texts[0] = y->strings[0];
    }
    for (uint32_t i = 0; i < held->count; i++)
        texts[i + 1] = values->strings[held->at[i]];
    TRY(cast(l, places, DTYPE_INT64, &places));
    TRY(classes_of(l, places, texts, held->count + 1, &y));
    return emit_value(l, n, y);
}

static o2w_status encode(struct lower *l, const struct node_view *n, const struct label_encoder *p,
                         value keys, value values, enum key_order order)
{
    value x = input(n, 0), places = NULL;
    struct key_list held = { 0 };
    bool strings = keys->kind == VALUE_STRINGS;
    if (keys->rank != 1 || values->rank != 1 || keys->dims[0] != values->dims[0])
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "keys and values are no lists of one length");
    if (keys->dims[0] < 1 || keys->dims[0] > MOST_KEYS)
        return refuse(l, n, DIAG_LOWER_LIMIT, "%lld keys are given, 1 to %d are allowed",
                      (long long)keys->dims[0], MOST_KEYS);
    if (keys->dtype != x->dtype)
        return refuse_input(l, n, 0, "has type %s, the keys have %s", dtype_name(x->dtype),
                            dtype_name(keys->dtype));
    TRY(held_keys(l, n, keys, order, &held));
    TRY(strings ? text_places(l, n, keys, &held, &places)
                : number_places(l, n, keys, &held, &places));
    return values->kind == VALUE_STRINGS ? emit_texts(l, n, p, values, &held, places)
                                         : emit_values(l, n, p, values, &held, places);
}

static o2w_status lower_label_encoder(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    const struct label_encoder *p = params;
    value keys = NULL, values = NULL;
    TRY(one_list(l, n, "keys", &p->keys_strings, &p->keys_int64s, &p->keys_floats, p->keys_tensor,
                 &keys));
    TRY(one_list(l, n, "values", &p->values_strings, &p->values_int64s, &p->values_floats,
                 p->values_tensor, &values));
    return encode(l, n, p, keys, values, FIRST_KEY);
}

/* Strings and integers, either way round: the input says which. */
static o2w_status encode_either(struct lower *l, const struct node_view *n,
                                const struct label_encoder *p, value texts, value numbers,
                                enum key_order order)
{
    return input(n, 0)->dtype == DTYPE_STRING ? encode(l, n, p, texts, numbers, order)
                                              : encode(l, n, p, numbers, texts, order);
}

/* Version 1: strings and their places. */
static o2w_status lower_label_encoder_1(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct label_encoder *p = params;
    dim count = p->keys_strings.count;
    value texts, places;
    if (count == 0)
        return refuse_attribute(l, n, "classes_strings", "is missing");
    TRY(known_strings(l, p->keys_strings.items, &count, 1, &texts));
    TRY(iota(l, DTYPE_INT64, count, 0, 1, &places));
    return encode_either(l, n, p, texts, places, FIRST_KEY);
}

/* --- CategoryMapper ---------------------------------------------------------------------------------------- */

static const struct attr_row category_mapper_attrs[] = {
    DEFAULTS,
    ATTR_(PARAM_STRINGS, struct label_encoder, keys_strings, "cats_strings"),
    ATTR_(PARAM_INTS, struct label_encoder, values_int64s, "cats_int64s"),
};

/* Pairs of a string and an integer; of equal keys the runtime keeps the last. */
static o2w_status lower_category_mapper(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct label_encoder *p = params;
    dim count = p->keys_strings.count;
    value texts, numbers;
    TRY(known_strings(l, p->keys_strings.items, &count, 1, &texts));
    TRY(known_i64s(l, p->values_int64s.items, p->values_int64s.count, &numbers));
    return encode_either(l, n, p, texts, numbers, LAST_KEY);
}

/* --- OneHotEncoder ------------------------------------------------------------------------------------------ */

struct one_hot_encoder {
    struct ints cats_int64s;
    struct texts cats_strings;
    int64_t zeros;
};

static const struct attr_row one_hot_encoder_attrs[] = {
    ATTR_INTS(struct one_hot_encoder, cats_int64s),
    ATTR_STRINGS(struct one_hot_encoder, cats_strings),
    ATTR_INT(struct one_hot_encoder, zeros, .fallback_int = 1, .allowed = "0 1"),
};

/* Categories in the dtype of x; of equal ones the last counts, and what x cannot be is NaN or no hit. */
static o2w_status categories(struct lower *l, const struct ints *list, enum dtype dtype, value *out,
                             value *live)
{
    struct tensor t, m;
    const dim count = list->count;
    TRY(known_new(l, dtype, &count, 1, &t, out));
    TRY(known_new(l, DTYPE_UINT8, &count, 1, &m, live));
    for (uint32_t i = 0; i < list->count; i++) {
        bool counts = dtype_is_float(dtype) || (list->items[i] >= dtype_min(dtype) &&
                                                list->items[i] <= (int64_t)dtype_max(dtype));
        for (uint32_t k = i + 1; k < list->count; k++)
            counts &= list->items[k] != list->items[i];
        if (dtype_is_float(dtype))
            tensor_put_double(&t, i, (double)list->items[i]);
        else if (counts)
            tensor_put_i64(&t, i, list->items[i]);
        counts &= !dtype_is_float(dtype) || (list->items[i] != INT64_MAX &&
                                             (int64_t)tensor_get_double(&t, i) == list->items[i]);
        tensor_put_i64(&m, i, counts);
    }
    return O2W_OK;
}

static o2w_status check_zeros(struct lower *l, const struct node_view *n,
                              const struct one_hot_encoder *p)
{
    if (p->zeros || lower_assumes_known_categories(l))
        return O2W_OK;
    o2w_status s = refuse_attribute(
        l, n, "zeros", "is 0: an unknown category must fail, which no WebNN graph can");
    diag_hint(lower_diags(l), "--assume known-categories");
    return s;
}

static o2w_status lower_one_hot_encoder(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct one_hot_encoder *p = params;
    value x = input(n, 0), list, live, y;
    const uint32_t last = x->rank;
    if (p->cats_strings.count || !p->cats_int64s.count)
        return refuse_attribute(l, n, "cats_int64s", "is missing beside %s input",
                                dtype_name(x->dtype));
    TRY(check_zeros(l, n, p));
    if (dtype_is_float(x->dtype))
        TRY(cast(l, x, DTYPE_FLOAT32, &x));
    TRY(categories(l, &p->cats_int64s, x->dtype, &list, &live));
    struct calc c = calc_begin(l, x);
    if (dtype_is_float(x->dtype))
        x = calc_trunc(&c, x);
    TRY(c.status);
    TRY(unsqueeze(l, x, &last, 1, &x));
    y = calc_and(&c, calc_equal(&c, x, list), live);
    y = calc_cast(&c, y, DTYPE_FLOAT32);
    TRY(c.status);
    return emit_value(l, n, y);
}

/* --- ZipMap ------------------------------------------------------------------------------------------------- */

struct zip_map {
    struct ints classlabels_int64s;
    struct texts classlabels_strings;
};

static const struct attr_row zip_map_attrs[] = {
    ATTR_INTS(struct zip_map, classlabels_int64s),
    ATTR_STRINGS(struct zip_map, classlabels_strings),
};

static o2w_status lower_zip_map(struct lower *l, const struct node_view *n, const void *params)
{
    const struct zip_map *p = params;
    struct ml_labels labels = { .integers = p->classlabels_int64s,
                                .strings = p->classlabels_strings };
    value x = input(n, 0), y;
    int64_t columns;
    TRY(ml_check_labels(l, n, &labels));
    if (x->rank != 1 && x->rank != 2)
        return refuse_input(l, n, 0, "has rank %u, 1 or 2 is needed", x->rank);
    TRY(static_dim(l, n, x, x->rank - 1, &columns));
    if (columns != ml_label_count(&labels))
        return refuse_input(l, n, 0, "has %lld columns for %u labels", (long long)columns,
                            ml_label_count(&labels));
    if (x->rank == 1)
        TRY(reshape(l, x, (const dim[]){ 1, columns }, 2, &x));
    struct label_table table = { .count = ml_label_count(&labels),
                                 .texts = labels.strings.count ? labels.strings.items : NULL,
                                 .integers = labels.integers.items };
    TRY(maps_of(l, x, &table, &y));
    return emit_value(l, n, y);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

#define SET_KEYS_1 (SET_I64 | SET_STRING)
#define SET_KEYS_2 (SET_KEYS_1 | DTYPE_BIT(DTYPE_FLOAT32))
#define SET_KEYS_4 \
    (SET_KEYS_2 | DTYPE_BIT(DTYPE_FLOAT64) | DTYPE_BIT(DTYPE_INT32) | DTYPE_BIT(DTYPE_INT16))
#define ENCODER(op, from, to, set, rows, function)                                           \
    {                                                                                        \
        ONNX_ML(op, from, to), INPUTS(IN("X", NONE, set, CLASSES)), RESULTS(OUT("Y", NONE)), \
            PARAMS(struct label_encoder, rows),                                              \
            .lower = function, .class = CLASS_COMPOSED, .partial = true,                     \
            .webnn = "equal, mul, reduceSum, gather",                                        \
            .notes = "strings in: known ones and class labels only; strings out become "     \
                     "places in the output's labels"                                         \
    }
#define NEVER(op, why)                                                \
    {                                                                 \
        ONNX_ML(op, 1, LATEST), .class = CLASS_REFUSED, .reason = why \
    }

const struct onnx_row ml_encoders_rows[] = {
    ENCODER("CategoryMapper", 1, LATEST, SET_KEYS_1, category_mapper_attrs, lower_category_mapper),
    ENCODER("LabelEncoder", 1, 1, SET_KEYS_1, label_encoder_1_attrs, lower_label_encoder_1),
    ENCODER("LabelEncoder", 2, 3, SET_KEYS_2, label_encoder_2_attrs, lower_label_encoder),
    ENCODER("LabelEncoder", 4, LATEST, SET_KEYS_4, label_encoder_4_attrs, lower_label_encoder),
    { ONNX_ML("OneHotEncoder", 1, LATEST), INPUTS(IN("X", NONE, SET_ML)),
      RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct one_hot_encoder, one_hot_encoder_attrs),
      .lower = lower_one_hot_encoder, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "equal, cast",
      .notes = "strings refused; zeros = 0 needs --assume known-categories" },
    { ONNX_ML("ZipMap", 1, LATEST), INPUTS(IN("X", NONE, DTYPE_BIT(DTYPE_FLOAT32))),
      RESULTS(OUT("Z", NONE)), PARAMS(struct zip_map, zip_map_attrs), .lower = lower_zip_map,
      .class = CLASS_STATIC, .partial = true, .webnn = "",
      .notes = "only as an output of the model: its input stands there, the keys are its labels" },
    NEVER("CastMap", "takes a map, which no WebNN graph has; feed a tensor"),
    NEVER("DictVectorizer", "takes a map, which no WebNN graph has; feed the vector"),
};
ROW_COUNT(ml_encoders);
