/* CPU kernels: one function per WebNN operator, over static tensors in memory. Shared by the `cpu`
 * engine and by evaluation while lowering: one semantics. Numeric rules: WebNN core, section 5. */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include "base/system.h"
#include "webnn/operator.h"

struct packed_matrix;

struct kernel_call {
    enum webnn_operator kind;
    const struct tensor *const *operands; /* by slot; NULL = absent; variadic ones follow */
    uint32_t operand_count;
    const void *attributes; /* resolved, dims in it static */
    struct tensor *results; /* dtype, dims set by inference; data allocated by the caller */
    uint32_t result_count;
    struct pool *pool;     /* NULL: this thread alone */
    struct arena *scratch; /* freed by the caller after the call */
    const o2w_allocator *allocator;
    struct kernel_workspace
        *workspace; /* scratch kept between calls (kernels/workspace.h); may be NULL */
    const struct packed_matrix
        *packed; /* matmul, gemm: what stands for the elements of operand 1, else NULL */
    bool halved; /* set by kernel_run: float16 widened; options round to it */
};

/* Results never overlap operands. Fails with O2W_NO_MEMORY, or O2W_UNSUPPORTED for a dtype without a
 * kernel. Empty results and operands are ordinary. Bits do not depend on the number of threads. */
typedef o2w_status (*kernel_function)(const struct kernel_call *call);

/* NULL when there is no kernel for the operator. */
kernel_function kernel_find(enum webnn_operator kind);
/* Runs it, with the check that a kernel exists. */
o2w_status kernel_run(const struct kernel_call *call);
/* Whether it computes float16 operands as float32; they may be given so, beside others that are not. */
bool kernel_widens(enum webnn_operator kind);
/* Dtypes of the first operand that the kernel has: WebNN's and float64, bool, 16-bit for evaluation. */
dtype_set kernel_dtypes(enum webnn_operator kind);

#endif
