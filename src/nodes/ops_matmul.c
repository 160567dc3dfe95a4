/* Matrix products. */
#include "nodes/lower.h"

/* Whether the product is known to have one row (or column) beside the matrix in `slot`: all dims of the
 * other factor but the inner one are 1. */
static bool is_vector(const struct operand *o, uint32_t inner)
{
    for (uint32_t i = 0; i < o->rank; i++)
        if (i != inner && o->dims[i] != 1)
            return false;
    return true;
}

/* Constants that a product reads decide whether the runtime packs them. `inner`: the dim of the other
 * factor that is summed over. */
static void count_matrix(struct emit *e, uint32_t slot, uint32_t inner)
{
    struct tensor t;
    if (!operand_constant(e, slot, &t))
        return;
    e->matrix_bytes += tensor_bytes(&t);
    if (is_vector(operand_at(e, 1 - slot), inner))
        e->vector_bytes += tensor_bytes(&t);
}

static void count_matrices(struct emit *e, bool a_transpose, bool b_transpose)
{
    uint32_t a = operand_at(e, 0)->rank, b = operand_at(e, 1)->rank;
    count_matrix(e, 0, b_transpose ? b - 1 : b - 2);
    count_matrix(e, 1, a_transpose ? a - 2 : a - 1);
}

void nodes_matmul(struct emit *e)
{
    count_matrices(e, false, false);
    set_result(e, 0, emit_binary(e, "MatMul", operand(e, 0), operand(e, 1)));
}

void nodes_gemm(struct emit *e)
{
    const struct webnn_gemm_attributes *p = ATTRIBUTES_OF(e, gemm);
    double alpha = option_value(e, p->alpha), beta = option_value(e, p->beta);
    count_matrices(e, p->a_transpose, p->b_transpose);
    ref inputs[3] = { operand(e, 0), operand(e, 1), beta == 0 ? NULL : operand(e, 2) };
    set_result(e, 0,
               emit_node(e, "Gemm", inputs, 3,
                         ATTRIBUTES(FLOAT("alpha", alpha), FLOAT("beta", beta),
                                    INT("transA", p->a_transpose), INT("transB", p->b_transpose))));
}
