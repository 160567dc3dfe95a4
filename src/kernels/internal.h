/* What the kernels share: rows, memory and work of a call. */
#ifndef KERNELS_INTERNAL_H
#define KERNELS_INTERNAL_H

#include "kernels/kernel.h"

/* How kernel_run prepares a call before the kernel sees it. */
enum kernel_style {
    KERNEL_PLAIN, /* every dtype of the row as it is */
    KERNEL_WIDEN, /* float16 arrives as float32, results are rounded to float16 once */
    KERNEL_UNPACK /* int4 and uint4 arrive as bytes, one element each */
};

struct kernel_row {
    kernel_function run;
    dtype_set dtypes; /* of the first operand */
    enum kernel_style style;
};

extern const struct kernel_row kernel_rows[WEBNN_OPERATOR_COUNT];

#define DTYPES_SIGNED                                                          \
    (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_INT16) | DTYPE_BIT(DTYPE_INT32) | \
     DTYPE_BIT(DTYPE_INT64))
#define DTYPES_UNSIGNED                                                           \
    (DTYPE_BIT(DTYPE_UINT8) | DTYPE_BIT(DTYPE_UINT16) | DTYPE_BIT(DTYPE_UINT32) | \
     DTYPE_BIT(DTYPE_UINT64))
#define DTYPES_FLOATS \
    (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_FLOAT64))
#define DTYPES_BYTES   (DTYPE_BIT(DTYPE_UINT8) | DTYPE_BIT(DTYPE_BOOL))
#define DTYPES_NUMERIC (DTYPES_FLOATS | DTYPES_SIGNED | DTYPES_UNSIGNED)
#define DTYPES_MOVED   (DTYPES_NUMERIC | DTYPE_BIT(DTYPE_BOOL) | DTYPE_BIT(DTYPE_BFLOAT16))

/* The families: each function serves the operators that kernel_rows gives it. */
#define KERNEL(name) o2w_status kernel_##name(const struct kernel_call *call);
#include "kernels/families.def"

/* Operand of a slot, NULL when it is absent. */
static inline const struct tensor *call_operand(const struct kernel_call *call, uint32_t slot)
{
    return slot < call->operand_count ? call->operands[slot] : NULL;
}

static inline struct tensor *call_result(const struct kernel_call *call, uint32_t index)
{
    return &call->results[index];
}

/* Room for count elements of `size` bytes until the call ends, aligned to 64, not cleared; NULL when
 * memory is out. Not from parts of a parallel loop. */
void *kernel_memory(const struct kernel_call *call, int64_t count, size_t size);

/* An option of type double as the kernel computes with it: rounded to the operand's dtype. */
float option_float(const struct kernel_call *call, double value);
double option_double(const struct kernel_call *call, enum dtype t, double value);

/* Runs part(user, begin, end) over 0 … count, cut into ranges of `grain` (more when there would be too
 * many). The cut depends on count and grain alone. */
void kernel_ranges(const struct kernel_call *call, int64_t count, int64_t grain,
                   void (*part)(void *user, int64_t begin, int64_t end), void *user);
/* Runs part(user, index, slot) for every index < count; no two parts that run at the same time get
 * the same slot < kernel_slots(call). Indices start in order. */
void kernel_tasks(const struct kernel_call *call, int64_t count,
                  void (*part)(void *user, int64_t index, unsigned slot), void *user);
unsigned kernel_slots(const struct kernel_call *call);

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Product of dims[begin … end). */
static inline int64_t dims_product(const int64_t *dims, uint32_t begin, uint32_t end)
{
    int64_t n = 1;
    for (uint32_t i = begin; i < end; i++)
        n *= dims[i];
    return n;
}

static inline int64_t count_of(const struct tensor *t)
{
    return dims_product(t->dims, 0, t->rank);
}

#endif
