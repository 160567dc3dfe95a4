/* Products, quantisers and what is made of them. */
#include "draw.h"

#include <string.h>

static bool matmul(struct draw *d, struct node *n)
{
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0));
    int64_t m = draw_between(d, 1, 5), k = draw_between(d, 1, 6), c = draw_between(d, 1, 5);
    struct dims batch = draw_dims(d, 0, 2), a = draw_broadcastable(d, batch),
                b = draw_broadcastable(d, batch);
    if (once_in(d, 6)) {
        a = (struct dims){ .rank = 0 };
    } else {
        a.sizes[a.rank++] = m;
    }
    a.sizes[a.rank++] = k;
    b.sizes[b.rank++] = k;
    if (once_in(d, 6))
        b = DIMS_OF(k);
    else
        b.sizes[b.rank++] = c;
    push_input(n, draw_like(d, t, a));
    push_input(n, draw_plain(d, t, b, once_in(d, 2)));
    return true;
}

static bool gemm(struct draw *d, struct node *n)
{
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0));
    int64_t m = draw_between(d, 1, 5), k = draw_between(d, 1, 6), c = draw_between(d, 1, 5);
    draw_attributes(d, n, 2);
    add_int(n, "transA", draw_below(d, 2));
    add_int(n, "transB", draw_below(d, 2));
    push_input(n, draw_like(d, t, int_attribute(n, "transA", 0) ? DIMS_OF(k, m) : DIMS_OF(m, k)));
    push_input(n, draw_plain(d, t, int_attribute(n, "transB", 0) ? DIMS_OF(c, k) : DIMS_OF(k, c),
                             once_in(d, 2)));
    if (d->p->opset < 11 || once_in(d, 2))
        push_input(
            n,
            draw_plain(d, t, d->p->opset < 7 ? DIMS_OF(m, c) : draw_broadcastable(d, DIMS_OF(m, c)),
                       once_in(d, 2)));
    return true;
}

static bool matmul_integer(struct draw *d, struct node *n)
{
    enum dtype a = once_in(d, 2) ? DTYPE_UINT8 : DTYPE_INT8,
               b = once_in(d, 2) ? DTYPE_UINT8 : DTYPE_INT8;
    int64_t m = draw_between(d, 1, 4), k = draw_between(d, 1, 6), c = draw_between(d, 1, 4);
    push_input(n, draw_value(d, a, DIMS_OF(m, k), false));
    push_input(n, draw_value(d, b, DIMS_OF(k, c), once_in(d, 2)));
    if (once_in(d, 2))
        return true;
    push_input(n, draw_value(d, a, (struct dims){ 0 }, once_in(d, 2)));
    if (once_in(d, 2))
        push_input(
            n, draw_value(d, b, once_in(d, 2) ? DIMS_OF(c) : (struct dims){ 0 }, once_in(d, 2)));
    return true;
}

/* 1/64 … 1/4: exact, so that ties fall alike. */
static int scale_of(struct draw *d, enum dtype t, struct dims s)
{
    int id = draw_range(d, t, s, 0, 0, once_in(d, 2));
    for (uint64_t i = 0; id != ABSENT && i < tensor_count(drawn(d, id)); i++)
        tensor_put_double(drawn(d, id), i, 1.0 / (double)DRAW_OF(d, 4, 8, 16, 64));
    return id;
}

static bool qlinear_matmul(struct draw *d, struct node *n)
{
    enum dtype t = once_in(d, 2) ? DTYPE_UINT8 : DTYPE_INT8;
    int64_t m = draw_between(d, 1, 4), k = draw_between(d, 1, 6), c = draw_between(d, 1, 4);
    struct dims shapes[] = { DIMS_OF(m, k), DIMS_OF(k, c) };
    for (int i = 0; i < 3; i++) {
        if (i < 2)
            push_input(n, draw_value(d, t, shapes[i], i == 1));
        push_input(n, scale_of(d, DTYPE_FLOAT32, (struct dims){ 0 }));
        push_input(n, draw_range(d, t, (struct dims){ 0 }, 0, 5, true));
    }
    return true;
}

/* Scales: one, one per place of an axis, or blocks. */
static bool scale_shape(struct draw *d, struct node *n, struct dims x, struct dims *out)
{
    int64_t axis = draw_axis(d, x.rank);
    uint32_t at = (uint32_t)(axis < 0 ? axis + x.rank : axis);
    *out = (struct dims){ 0 };
    if (x.rank == 0 || once_in(d, 3) || !row_has_attribute(n->row, "axis"))
        return true;
    add_int(n, "axis", axis);
    *out = DIMS_OF(x.sizes[at]);
    if (x.rank < 2 || !row_has_attribute(n->row, "block_size") || once_in(d, 2))
        return true;
    int64_t block = draw_between(d, 1, 3);
    *out = x;
    out->sizes[at] = (x.sizes[at] + block - 1) / block;
    add_int(n, "block_size", block);
    return true;
}

static bool quantize(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 4));
    const struct tensor *x = node_input(d->p, n, 0);
    struct dims s;
    enum dtype t = x->dtype,
               to = (enum dtype)DRAW_OF(d, DTYPE_UINT8, DTYPE_INT8, DTYPE_INT16, DTYPE_UINT16);
    if (!dtype_in(to, slot_dtypes(n, 2)))
        to = DTYPE_UINT8;
    scale_shape(d, n, dims_of(x), &s);
    push_input(n, scale_of(d, dtype_is_float(t) && d->p->opset >= 19 ? t : DTYPE_FLOAT32, s));
    if (!once_in(d, 4))
        push_input(n, draw_value(d, to, s, once_in(d, 2)));
    return true;
}

static bool dequantize(struct draw *d, struct node *n)
{
    enum dtype t = draw_dtype(
        d, slot_dtypes(n, 0) & (DTYPES_WEBNN8 | DTYPE_BIT(DTYPE_INT16) | DTYPE_BIT(DTYPE_UINT16)));
    struct dims x = draw_dims(d, 0, 4), s;
    scale_shape(d, n, x, &s);
    push_input(n, draw_value(d, t, x, once_in(d, 3)));
    push_input(n, scale_of(d, draw_dtype(d, slot_dtypes(n, 1)), s));
    if (t != DTYPE_INT32 && !once_in(d, 4))
        push_input(n, draw_value(d, t, s, once_in(d, 2)));
    return true;
}

static bool einsum(struct draw *d, struct node *n)
{
    static const struct {
        const char *equation;
        int64_t a[4], b[4];
        uint32_t rank_a, rank_b;
    } forms[] = {
        { "ij,jk->ik", { 2, 3 }, { 3, 4 }, 2, 2 },
        { "bij,bjk->bik", { 2, 3, 4 }, { 2, 4, 2 }, 3, 3 },
        { "ij,kj->ik", { 2, 3 }, { 4, 3 }, 2, 2 },
        { "ij,ij->ij", { 2, 3 }, { 2, 3 }, 2, 2 },
        { "ij->ji", { 2, 3 }, { 0 }, 2, 0 },
        { "ii->i", { 3, 3 }, { 0 }, 2, 0 },
        { "ij->", { 2, 3 }, { 0 }, 2, 0 },
        { "i,j->ij", { 2 }, { 3 }, 1, 1 },
        { "...ij,...jk->...ik", { 2, 3, 4 }, { 4, 2 }, 3, 2 },
        { "bhid,bhjd->bhij", { 1, 2, 3, 4 }, { 1, 2, 2, 4 }, 4, 4 },
        { "ijk,jk->i", { 2, 3, 4 }, { 3, 4 }, 3, 2 },
        { "ji,jk", { 3, 2 }, { 3, 4 }, 2, 2 },
    };
    uint32_t at = draw_below(d, sizeof forms / sizeof *forms);
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0) & (DTYPE_BIT(DTYPE_FLOAT32) | SET_INDEX));
    struct dims a = { .rank = forms[at].rank_a }, b = { .rank = forms[at].rank_b };
    memcpy(a.sizes, forms[at].a, sizeof forms[at].a);
    memcpy(b.sizes, forms[at].b, sizeof forms[at].b);
    push_input(n, draw_like(d, t, a));
    if (b.rank)
        push_input(n, draw_plain(d, t, b, once_in(d, 2)));
    add_text(n, "equation", forms[at].equation);
    return true;
}

static bool determinant(struct draw *d, struct node *n)
{
    struct dims s = draw_dims(d, 0, 2);
    int64_t size = draw_between(d, 1, 4);
    s.sizes[s.rank++] = size;
    s.sizes[s.rank++] = size;
    push_input(n, draw_plain(d, DTYPE_FLOAT32, s, once_in(d, 2)));
    return true;
}

static bool loss(struct draw *d, struct node *n)
{
    struct dims s = draw_dims(d, 2, 4), labels = DIMS_OF(s.sizes[0]);
    for (uint32_t i = 2; i < s.rank; i++)
        labels.sizes[labels.rank++] = s.sizes[i];
    if (s.sizes[1] == 0)
        return false;
    push_input(n, draw_plain(d, DTYPE_FLOAT32, s, false));
    push_input(n, draw_range(d, once_in(d, 2) ? DTYPE_INT64 : DTYPE_INT32, labels, 0,
                             s.sizes[1] - 1, once_in(d, 2)));
    if (once_in(d, 2))
        push_input(n, draw_range(d, DTYPE_FLOAT32, DIMS_OF(s.sizes[1]), 1, 4, once_in(d, 2)));
    if (once_in(d, 3))
        add_int(n, "ignore_index", 0);
    draw_attributes(d, n, s.rank);
    return true;
}

static bool fused_matmul(struct draw *d, struct node *n)
{
    int64_t m = draw_between(d, 1, 4), k = draw_between(d, 1, 5), c = draw_between(d, 1, 4);
    draw_attributes(d, n, 2);
    add_int(n, "transA", draw_below(d, 2));
    add_int(n, "transB", draw_below(d, 2));
    push_input(n, draw_like(d, DTYPE_FLOAT32,
                            int_attribute(n, "transA", 0) ? DIMS_OF(2, k, m) : DIMS_OF(2, m, k)));
    push_input(n, draw_plain(d, DTYPE_FLOAT32,
                             int_attribute(n, "transB", 0) ? DIMS_OF(c, k) : DIMS_OF(k, c),
                             once_in(d, 2)));
    return true;
}

static bool skip_norm(struct draw *d, struct node *n)
{
    struct dims s = DIMS_OF(draw_between(d, 1, 2), draw_between(d, 1, 3), draw_between(d, 2, 6));
    bool simple = strstr(n->row->name, "Simplified") != NULL;
    push_input(n, draw_like(d, DTYPE_FLOAT32, s));
    push_input(n, draw_plain(d, DTYPE_FLOAT32, s, false));
    for (int i = simple ? 1 : 0; i < 3; i++)
        push_input(n, i && once_in(d, 3) ? ABSENT
                                         : draw_plain(d, DTYPE_FLOAT32, DIMS_OF(s.sizes[2]), true));
    if (simple)
        n->inputs[2] = draw_plain(d, DTYPE_FLOAT32, DIMS_OF(s.sizes[2]), true);
    add_float(n, "epsilon", 0.1);
    n->output_count = 1;
    return true;
}

static bool bias(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 3));
    const struct tensor *x = node_input(d->p, n, 0);
    push_input(n, draw_plain(d, x->dtype, DIMS_OF(x->dims[x->rank - 1]), once_in(d, 2)));
    return true;
}

const struct recipe product_recipes[] = {
    { "MatMul", matmul },
    { "Gemm", gemm },
    { "MatMulInteger", matmul_integer },
    { "QLinearMatMul", qlinear_matmul },
    { "QuantizeLinear", quantize },
    { "DequantizeLinear", dequantize },
    { "Einsum", einsum },
    { "Det", determinant },
    { "NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", loss },
    { "FusedMatMul", fused_matmul },
    { "SkipLayerNormalization SkipSimplifiedLayerNormalization", skip_norm },
    { "BiasGelu", bias },
    { NULL, NULL },
};
