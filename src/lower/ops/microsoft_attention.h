/* com.microsoft: what its operators of attention share. Heads stand as [batch, heads, sequence, size]. */
#ifndef LOWER_OPS_MICROSOFT_ATTENTION_H
#define LOWER_OPS_MICROSOFT_ATTENTION_H

#include "lower/ops/attention.h"

/* H15 with what decides about the scores. Any float dtype; it is computed in float32. */
struct ms_attention {
    value q, k, v; /* k and v may have fewer heads than q, and v another size */
    bool causal;   /* keys behind the query get the lowest finite score */
    value first;   /* int64, broadcasts to [B, 1, S, 1]: position of the first query; NULL:
                              the queries are the last positions */
    dim fresh; /* keys that came with the queries, 0: as many as these. Where there are more or fewer, the first
                  query stands at the first of them, and the last one sees all keys: as the runtime */
    struct given_float scale; /* absent or 0: 1 / √size */
    double softcap;
    value bias;    /* added to the scores: [B | 1, H | 1, S, T] */
    value allowed; /* uint8: where 0 the score is the lowest finite one; NULL: everywhere */
    value sink;    /* scores of one more column that is dropped, [1, H | 1, 1, 1]; NULL */
    value scores, probabilities; /* results, [B, H, S, T]: before and after the softmax */
};
/* [B, S, H · size] in float32. */
o2w_status ms_attend(struct lower *l, const struct node_view *n, struct ms_attention *a,
                     value *out);

/* scale, mask_filter_value, unidirectional, num_heads as most of the rows have them. */
struct ms_attention_params {
    struct given_float scale, mask_filter_value;
    int64_t num_heads, unidirectional, do_rotary, past_present_share_buffer, output_qk;
    struct ints qkv_hidden_sizes;
};
#define MS_SCALE     ATTR_GIVEN_FLOAT(struct ms_attention_params, scale)
#define MS_HEADS     ATTR_INT(struct ms_attention_params, num_heads, .required = true)
#define MS_MASK      ATTR_GIVEN_FLOAT(struct ms_attention_params, mask_filter_value)
#define MS_CAUSAL    ATTR_INT(struct ms_attention_params, unidirectional, .allowed = "0 1")
#define MS_SHARED    ATTR_INT(struct ms_attention_params, past_present_share_buffer, .allowed = "0 1")
#define MS_NO_ROTARY ATTR_INT(struct ms_attention_params, do_rotary, .allowed = "0")

/* Most heads that anything has; more is refused before sizes are multiplied by it. */
enum { MS_MOST_HEADS = 1 << 20 };

/* [B, S, heads · size] as [B, heads, S, size]. */
o2w_status ms_split_heads(struct lower *l, const struct node_view *n, value x, int64_t heads,
                          value *out);
/* Elements first … first + count - 1 of the last dim of x [.., all]. */
o2w_status ms_columns(struct lower *l, value x, int64_t first, int64_t count, value *out);

/* Keys up to each query, uint8 [1, 1, S, T], where the queries are the last ones. */
o2w_status ms_causal(struct lower *l, dim queries, dim keys, value *out);

/* A1 and A2: what padding adds to the scores, from mask input `at` of one of the shapes there; NULL
 * without the input. `keys` are past and present ones. */
struct ms_mask {
    uint32_t at;
    dim batch, queries, keys;
    struct given_float filter;
    bool short_too; /* one that ends before the last key is allowed: those behind are never seen */
};
o2w_status ms_padding(struct lower *l, const struct node_view *n, const struct ms_mask *m,
                      value *out);
/* Scores to add, [B | 1, H | 1, S, T], from input m->at in float32; NULL without it. */
o2w_status ms_score_bias(struct lower *l, const struct node_view *n, const struct ms_mask *m,
                         value *out);
/* a + b, where NULL is 0. */
o2w_status ms_add_bias(struct lower *l, value a, value b, value *out);

/* A4. x behind the past. In a shared buffer it is written at a length that an input gives. */
struct ms_cache {
    uint32_t past_at, length_at; /* inputs; length_at only where shared */
    bool shared;
    value past;    /* [B, H, P, D]; NULL: none */
    value seen;    /* results: what is attended to */
    value present; /* the whole cache */
    bool longer;   /* `seen` holds rows behind the valid ones, as the length is not known */
};
o2w_status ms_append(struct lower *l, const struct node_view *n, struct ms_cache *c, value x);
/* The length of a shared buffer's valid part before this step, int64 of rank 0. */
o2w_status ms_past_length(struct lower *l, const struct node_view *n, uint32_t at, value *out);

/* A5: refused unless beam_width is 1 and there is no cache_indirection. at = 0: no such input. */
o2w_status ms_no_beam(struct lower *l, const struct node_view *n, uint32_t width_at,
                      uint32_t indirection_at);

#endif
