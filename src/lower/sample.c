#include "lower/sample.h"

#include <string.h>

static o2w_status image_offsets(struct lower *l, int64_t batch, int64_t plane, value *out)
{
    struct tensor t;
    *out = NULL;
    if (batch == 1)
        return O2W_OK;
    TRY(known_new(l, DTYPE_INT32, (const dim[]){ batch, 1 }, 2, &t, out));
    for (int64_t i = 0; i < batch; i++)
        tensor_put_i64(&t, (uint64_t)i, i * plane);
    return O2W_OK;
}

o2w_status image_begin(struct lower *l, const struct node_view *n, value x, struct image *out)
{
    uint32_t order[MAX_RANK];
    int64_t batch, plane = 1;
    *out = (struct image){ .rank = x->rank - 2 };
    TRY(static_dim(l, n, x, 0, &batch));
    for (uint32_t i = 0; i < out->rank; i++) {
        TRY(static_dim(l, n, x, 2 + i, &out->size[i]));
        plane *= out->size[i] > 0 ? out->size[i] : 1;
        if (plane > INT32_MAX || plane * (batch > 0 ? batch : 1) > INT32_MAX)
            return refuse_input(l, n, 0, "has 2^31 or more places, which is the limit here");
    }
    order[0] = 0;
    for (uint32_t i = 0; i < out->rank; i++)
        order[1 + i] = 2 + i;
    order[1 + out->rank] = 1;
    TRY(transpose(l, x, order, &x));
    TRY(reshape(l, x, (const dim[]){ batch * plane, x->dims[x->rank - 1] }, 2, &out->rows));
    return image_offsets(l, batch, plane, &out->offsets);
}

static value clamped(struct calc *c, value x, int64_t most)
{
    struct webnn_clamp_attributes a = webnn_clamp_defaults();
    value y = NULL;
    if (c->status != O2W_OK)
        return NULL;
    a.min_value = (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = 0 };
    a.max_value = (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = most };
    c->status = op(c->l, WEBNN_CLAMP, OPERANDS(x), &a, &y);
    return y;
}

value image_index(struct calc *c, const struct image *m, uint32_t i, value at)
{
    int64_t stride = 1;
    value y = calc_cast(c, clamped(c, at, m->size[i] - 1), DTYPE_INT32), factor = NULL;
    for (uint32_t k = i + 1; k < m->rank; k++)
        stride *= m->size[k];
    if (stride == 1 || c->status != O2W_OK)
        return y;
    c->status = scalar_i64(c->l, DTYPE_INT32, stride, &factor);
    return calc_mul(c, y, factor);
}

value image_inside(struct calc *c, const struct image *m, uint32_t i, value at)
{
    value low = calc_greater_equal(c, at, calc_number(c, 0));
    return calc_and(c, low, calc_less_equal(c, at, calc_number(c, (double)(m->size[i] - 1))));
}

value image_read(struct calc *c, const struct image *m, value index)
{
    struct webnn_gather_attributes a = webnn_gather_defaults();
    value y = NULL;
    if (m->offsets)
        index = calc_add(c, index, m->offsets);
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_GATHER, OPERANDS(m->rows, index), &a, &y);
    return y;
}

value per_place(struct calc *c, value v)
{
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = unsqueeze(c->l, v, &v->rank, 1, &y);
    return y;
}

o2w_status image_shape(struct lower *l, value y, const dim *dims, uint32_t rank, value *out)
{
    static const uint32_t channels_second[] = { 0, 2, 1 };
    TRY(transpose(l, y, channels_second, &y));
    return reshape(l, y, dims, rank, out);
}
