/* Products of matrices. */
#include "webnn/infer/rules.h"

#include <string.h>

static struct descriptor batch_of(const struct descriptor *x)
{
    struct descriptor batch = *x;
    batch.rank -= 2;
    return batch;
}

/* [… M K] × [… K N] = [… M N], leading dims broadcast both ways.
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-matmul */
o2w_status infer_matmul(struct infer *in)
{
    const struct descriptor *a = infer_operand(in, 0), *b = infer_operand(in, 1);
    struct descriptor *result = infer_result(in, 0);
    struct descriptor batch_a = batch_of(a), batch_b = batch_of(b);
    TRY(rule_dim_is(in, 1, b->rank - 2, "the columns of a", a->dims[a->rank - 1]));
    TRY(infer_broadcast(in, &batch_a, &batch_b, result));
    TRY(infer_append(in, result, &a->dims[a->rank - 2], 1));
    return infer_append(in, result, &b->dims[b->rank - 1], 1);
}

/* alpha · A B + beta · C; C broadcasts one way to [M, N].
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gemm */
o2w_status infer_gemm(struct infer *in)
{
    const struct webnn_gemm_attributes *p = in->attributes;
    const struct descriptor *a = infer_operand(in, 0), *b = infer_operand(in, 1),
                            *c = infer_operand(in, 2);
    struct descriptor *result = infer_result(in, 0);
    TRY(rule_dim_is(in, 1, p->b_transpose ? 1 : 0,
                    p->a_transpose ? "the rows of a" : "the columns of a",
                    a->dims[p->a_transpose ? 0 : 1]));
    TRY(infer_append(in, result, &a->dims[p->a_transpose ? 1 : 0], 1));
    TRY(infer_append(in, result, &b->dims[p->b_transpose ? 0 : 1], 1));
    return c == NULL ? O2W_OK : infer_broadcastable(in, "c", c, result);
}
