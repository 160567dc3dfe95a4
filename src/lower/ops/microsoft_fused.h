/* com.microsoft: the product that FusedMatMul and FusedMatMulActivation share. */
#ifndef LOWER_OPS_MICROSOFT_FUSED_H
#define LOWER_OPS_MICROSOFT_FUSED_H

#include "lower/helpers.h"

struct fused_matmul {
    double alpha;
    int64_t transA, transB, transBatchA, transBatchB;
};

#define FUSED_MATMUL_ATTRS                                       \
    ATTR_FLOAT(struct fused_matmul, alpha, .fallback_float = 1), \
        ATTR_INT(struct fused_matmul, transA, .allowed = "0 1"), \
        ATTR_INT(struct fused_matmul, transB, .allowed = "0 1")
#define FUSED_MATMUL_BATCH_ATTRS                                  \
    ATTR_INT(struct fused_matmul, transBatchA, .allowed = "0 1"), \
        ATTR_INT(struct fused_matmul, transBatchB, .allowed = "0 1")

/* alpha · A · B of inputs 0 and 1, in the rank that MatMul gives. */
o2w_status fused_matmul_run(struct lower *l, const struct node_view *n,
                            const struct fused_matmul *p, value *out);

#endif
