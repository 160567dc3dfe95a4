/* TfIdfVectorizer: n-grams of a pool of integers are counted. */
#include "lower/helpers.h"

struct tfidf {
    struct span mode;
    struct ints ngram_counts, ngram_indexes, pool_int64s;
    struct texts pool_strings;
    struct floats weights;
    int64_t min_gram_length, max_gram_length, max_skip_count;
};

static const struct attr_row tfidf_attrs[] = {
    ATTR_STRING(struct tfidf, mode, .required = true, .allowed = "TF IDF TFIDF"),
    ATTR_INTS(struct tfidf, ngram_counts, .required = true),
    ATTR_INTS(struct tfidf, ngram_indexes, .required = true),
    ATTR_INTS(struct tfidf, pool_int64s),
    ATTR_STRINGS(struct tfidf, pool_strings),
    ATTR_FLOATS(struct tfidf, weights),
    ATTR_INT(struct tfidf, min_gram_length, .required = true),
    ATTR_INT(struct tfidf, max_gram_length, .required = true),
    ATTR_INT(struct tfidf, max_skip_count, .required = true),
};

enum { MOST_GRAM = 64, MOST_SKIP = 64 };

/* The n-grams of one length: `count` of them, `first` is the number of their first one. */
struct grams {
    uint32_t length, count, first;
    const int64_t *pool;
};

static o2w_status check_params(struct lower *l, const struct node_view *n, const struct tfidf *p)
{
    if (p->pool_strings.count)
        return refuse_attribute(l, n, "pool_strings", "is given: WebNN has no strings");
    if (p->min_gram_length < 1 || p->max_gram_length < p->min_gram_length ||
        p->max_gram_length > MOST_GRAM)
        return refuse_attribute(l, n, "max_gram_length", "is %lld, must be from %lld to %d",
                                (long long)p->max_gram_length, (long long)p->min_gram_length,
                                MOST_GRAM);
    if (p->max_skip_count < 0 || p->max_skip_count > MOST_SKIP)
        return refuse_attribute(l, n, "max_skip_count", "is %lld, must be from 0 to %d",
                                (long long)p->max_skip_count, MOST_SKIP);
    if (p->ngram_counts.count < p->max_gram_length)
        return refuse_attribute(l, n, "ngram_counts", "has %u items for n-grams of length %lld",
                                p->ngram_counts.count, (long long)p->max_gram_length);
    if (p->weights.count && p->weights.count != p->ngram_indexes.count)
        return refuse_attribute(l, n, "weights", "has %u items for %u n-grams", p->weights.count,
                                p->ngram_indexes.count);
    return O2W_OK;
}

/* Splits the pool; out[i] are the n-grams of length i + 1. */
static o2w_status split_pool(struct lower *l, const struct node_view *n, const struct tfidf *p,
                             struct grams out[MOST_GRAM], uint32_t *lengths)
{
    int64_t total = p->pool_int64s.count;
    uint32_t first = 0;
    if (p->ngram_counts.count > MOST_GRAM)
        return refuse_attribute(l, n, "ngram_counts", "has more than %d items", MOST_GRAM);
    *lengths = p->ngram_counts.count;
    for (uint32_t i = 0; i < *lengths; i++) {
        int64_t from = p->ngram_counts.items[i];
        int64_t end = i + 1 < *lengths ? p->ngram_counts.items[i + 1] : total;
        if (from < 0 || end < from || end > total || (end - from) % (i + 1) != 0)
            return refuse_attribute(l, n, "ngram_counts", "does not divide a pool of %lld numbers",
                                    (long long)total);
        out[i] = (struct grams){ .length = i + 1,
                                 .count = (uint32_t)(end - from) / (i + 1),
                                 .first = first,
                                 .pool = p->pool_int64s.items + from };
        first += out[i].count;
    }
    if (first != p->ngram_indexes.count)
        return refuse_attribute(l, n, "ngram_indexes", "has %u items for %u n-grams",
                                p->ngram_indexes.count, first);
    return O2W_OK;
}

/* Number k of each n-gram, in x's dtype; what x cannot hold is marked by `live` 0. */
static o2w_status gram_numbers(struct lower *l, const struct grams *g, uint32_t k, enum dtype dtype,
                               value *out, value *live)
{
    const dim count = g->count;
    struct tensor t, m;
    TRY(known_new(l, dtype, &count, 1, &t, out));
    TRY(known_new(l, DTYPE_UINT8, &count, 1, &m, live));
    for (uint32_t i = 0; i < g->count; i++) {
        int64_t number = g->pool[(size_t)i * g->length + k];
        bool fits = dtype == DTYPE_INT64 || (number >= INT32_MIN && number <= INT32_MAX);
        tensor_put_i64(&t, i, fits ? number : 0);
        tensor_put_i64(&m, i, fits);
    }
    return O2W_OK;
}

/* How often each n-gram stands in the rows of x [N, C, 1], `stride` apart: float32 [N, count]. */
static o2w_status count_grams(struct lower *l, const struct grams *g, value x, int64_t stride,
                              value *out)
{
    const uint32_t columns = 1;
    int64_t places = x->dims[1] - stride * (g->length - 1);
    struct calc c = calc_begin(l, x);
    value hit = NULL;
    for (uint32_t k = 0; k < g->length; k++) {
        value numbers, live, part;
        TRY(gram_numbers(l, g, k, x->dtype, &numbers, &live));
        TRY(slice(l, x, 1, stride * k, places, 1, &part));
        value equal = calc_and(&c, calc_equal(&c, part, numbers), live);
        hit = hit ? calc_and(&c, hit, equal) : equal;
        TRY(c.status);
    }
    value sum = calc_reduce(&c, WEBNN_REDUCE_SUM, calc_cast(&c, hit, DTYPE_FLOAT32), 1);
    TRY(c.status);
    return squeeze(l, sum, &columns, 1, out);
}

/* Counts of the n-grams of one length, over all distances; NULL: there is no place for any. */
static o2w_status count_length(struct lower *l, const struct node_view *n, const struct tfidf *p,
                               const struct grams *g, value x, value *out)
{
    int64_t most = g->length == 1 ? 0 : p->max_skip_count;
    *out = NULL;
    if (g->count && x->dims[1] > (1 << 24) / g->count)
        return refuse(l, n, DIAG_LOWER_LIMIT, "%u n-grams over %lld numbers are too many", g->count,
                      (long long)x->dims[1]);
    for (int64_t skip = 0; g->count && skip <= most; skip++) {
        value counted;
        if ((skip + 1) * (g->length - 1) >= x->dims[1])
            break;
        TRY(count_grams(l, g, x, skip + 1, &counted));
        if (*out)
            TRY(op2(l, WEBNN_ADD, *out, counted, &counted));
        *out = counted;
    }
    return O2W_OK;
}

/* Counts [N, count], weighted for TFIDF, to the columns that the n-grams have: [N, columns]. */
static o2w_status to_columns(struct lower *l, const struct tfidf *p, const struct grams *g,
                             value counts, int64_t columns, value *out)
{
    const dim dims[2] = { g->count, columns };
    struct tensor t;
    value matrix;
    TRY(known_new(l, DTYPE_FLOAT32, dims, 2, &t, &matrix));
    bool weighted = span_is(p->mode, "TFIDF") && p->weights.count;
    for (uint32_t i = 0; i < g->count; i++)
        ((float *)t.data)[(int64_t)i * columns + p->ngram_indexes.items[g->first + i]] =
            weighted ? p->weights.items[g->first + i] : 1;
    return op2(l, WEBNN_MATMUL, counts, matrix, out);
}

static o2w_status column_count(struct lower *l, const struct node_view *n, const struct tfidf *p,
                               int64_t *out)
{
    *out = 0;
    for (uint32_t i = 0; i < p->ngram_indexes.count; i++) {
        int64_t index = p->ngram_indexes.items[i];
        if (index < 0 || index >= 1 << 24)
            return refuse_attribute(l, n, "ngram_indexes", "holds %lld", (long long)index);
        *out = index >= *out ? index + 1 : *out;
    }
    if (*out == 0 || p->ngram_indexes.count > (1 << 24) / *out)
        return refuse_attribute(l, n, "ngram_indexes", "has %u items for %lld columns",
                                p->ngram_indexes.count, (long long)*out);
    return O2W_OK;
}

/* The weight of each column: that of its n-grams, which must agree. */
static o2w_status column_weights(struct lower *l, const struct node_view *n, const struct tfidf *p,
                                 int64_t columns, value *out)
{
    struct tensor t;
    bool *seen = ARENA_ARRAY(lower_arena(l), (size_t)columns, bool);
    if (!seen)
        return diag_memory(lower_diags(l));
    TRY(known_new(l, DTYPE_FLOAT32, &columns, 1, &t, out));
    for (uint32_t i = 0; i < p->weights.count; i++) {
        int64_t column = p->ngram_indexes.items[i];
        float *weight = (float *)t.data + column;
        if (seen[column] && *weight != p->weights.items[i])
            return refuse_attribute(l, n, "weights",
                                    "differ between n-grams of column %lld, which mode 'IDF' "
                                    "leaves open",
                                    (long long)column);
        seen[column] = true;
        *weight = p->weights.items[i];
    }
    return O2W_OK;
}

/* IDF: the weight, or 1, where an n-gram is there at all. */
static o2w_status weigh(struct lower *l, const struct node_view *n, const struct tfidf *p,
                        int64_t columns, value counts, value *out)
{
    value weights = NULL;
    *out = counts;
    if (!span_is(p->mode, "IDF"))
        return O2W_OK;
    if (p->weights.count)
        TRY(column_weights(l, n, p, columns, &weights));
    struct calc c = calc_begin(l, counts);
    value some = calc_greater(&c, counts, calc_number(&c, 0));
    *out = calc_where(&c, some, weights ? weights : calc_number(&c, 1), calc_number(&c, 0));
    return c.status;
}

static o2w_status lower_tfidf(struct lower *l, const struct node_view *n, const void *params)
{
    const struct tfidf *p = params;
    struct grams grams[MOST_GRAM];
    value x = input(n, 0), sum = NULL;
    const uint32_t front = 0, last = 2;
    uint32_t lengths;
    int64_t columns, size;
    TRY(check_params(l, n, p));
    TRY(split_pool(l, n, p, grams, &lengths));
    TRY(column_count(l, n, p, &columns));
    if (x->rank != 1 && x->rank != 2)
        return refuse_input(l, n, 0, "has rank %u, 1 or 2 is needed", x->rank);
    TRY(static_dim(l, n, x, x->rank - 1, &size));
    if (x->rank == 1)
        TRY(unsqueeze(l, x, &front, 1, &x));
    dim rows = x->dims[0];
    TRY(unsqueeze(l, x, &last, 1, &x));
    for (int64_t i = p->min_gram_length - 1; i < p->max_gram_length; i++) {
        value counts;
        TRY(count_length(l, n, p, &grams[i], x, &counts));
        if (!counts)
            continue;
        TRY(to_columns(l, p, &grams[i], counts, columns, &counts));
        if (sum)
            TRY(op2(l, WEBNN_ADD, sum, counts, &counts));
        sum = counts;
    }
    if (!sum)
        TRY(fill_i64(l, DTYPE_FLOAT32, 0, (const dim[]){ rows, columns }, 2, &sum));
    TRY(weigh(l, n, p, columns, sum, &sum));
    if (input(n, 0)->rank == 1)
        TRY(reshape(l, sum, &columns, 1, &sum));
    return emit_value(l, n, sum);
}

const struct onnx_row tfidf_rows[] = {
    { ONNX("TfIdfVectorizer", 9, LATEST), INPUTS(IN("X", NONE, SET_INDEX)),
      RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct tfidf, tfidf_attrs), .lower = lower_tfidf,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "equal, logicalAnd, reduceSum, matmul",
      .notes = "strings and pool_strings refused" },
};
ROW_COUNT(tfidf);
