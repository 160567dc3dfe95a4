/* One operand, one result of the same shape: arithmetic, rounding and exact comparisons with 0. */
#include "kernels/elementwise.h"

struct unary_work {
    unary_loop loop;
    uint8_t *y;
    const uint8_t *x;
    size_t result_size, operand_size;
    struct unary_options options;
};

static void unary_part(void *user, int64_t begin, int64_t end)
{
    const struct unary_work *w = user;
    w->loop(w->y + (size_t)begin * w->result_size, w->x + (size_t)begin * w->operand_size,
            end - begin, &w->options);
}

static struct unary_options options_of(const struct kernel_call *call)
{
    double alpha = 0, beta = 0;
    if (call->kind == WEBNN_ELU) {
        alpha = ((const struct webnn_elu_attributes *)call->attributes)->alpha;
    } else if (call->kind == WEBNN_LEAKY_RELU) {
        alpha = ((const struct webnn_leaky_relu_attributes *)call->attributes)->alpha;
    } else if (call->kind == WEBNN_HARD_SIGMOID) {
        const struct webnn_hard_sigmoid_attributes *p = call->attributes;
        alpha = p->alpha, beta = p->beta;
    } else if (call->kind == WEBNN_LINEAR) {
        const struct webnn_linear_attributes *p = call->attributes;
        alpha = p->alpha, beta = p->beta;
    }
    enum dtype t = call->operands[0]->dtype;
    return (struct unary_options){ option_double(call, t, alpha), option_double(call, t, beta) };
}

o2w_status kernel_unary(const struct kernel_call *call)
{
    const struct unary_loops *row = unary_table[call->kind];
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    if (!row || !row->by_dtype[x->dtype])
        return O2W_UNSUPPORTED;
    struct unary_work w = {
        row->by_dtype[x->dtype],        y->data,         x->data, dtype_info(y->dtype)->bits / 8,
        dtype_info(x->dtype)->bits / 8, options_of(call)
    };
    kernel_ranges(call, count_of(x), row->grain, unary_part, &w);
    return O2W_OK;
}
