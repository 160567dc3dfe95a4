/* Matrix products. */
#include "backend/onnxruntime/lower.h"

/* Constants that a product reads decide whether the runtime packs them. */
static void count_matrix(struct emit *e, uint32_t slot)
{
    struct tensor t;
    if (operand_constant(e, slot, &t))
        e->matrix_bytes += tensor_bytes(&t);
}

void engine_lower_matmul(struct emit *e)
{
    count_matrix(e, 0);
    count_matrix(e, 1);
    set_result(e, 0, emit_binary(e, "MatMul", operand(e, 0), operand(e, 1)));
}

void engine_lower_gemm(struct emit *e)
{
    const struct webnn_gemm_attributes *p = ATTRIBUTES_OF(e, gemm);
    double alpha = option_value(e, p->alpha), beta = option_value(e, p->beta);
    count_matrix(e, 0);
    count_matrix(e, 1);
    ref inputs[3] = { operand(e, 0), operand(e, 1), beta == 0 ? NULL : operand(e, 2) };
    set_result(e, 0,
               emit_node(e, "Gemm", inputs, 3,
                         ATTRIBUTES(FLOAT("alpha", alpha), FLOAT("beta", beta),
                                    INT("transA", p->a_transpose), INT("transB", p->b_transpose))));
}
