#include "kernels/convert.h"
#include "kernels/move.h"

#include <stdatomic.h>

enum { CAST_GRAIN = 1 << 14 };

struct cast {
    const struct tensor *from, *to;
    atomic_int status;
};

static struct tensor range_of(const struct tensor *t, int64_t begin, int64_t end)
{
    struct tensor range = { .dtype = t->dtype, .rank = 1, .dims = { end - begin } };
    range.data = (uint8_t *)t->data + (size_t)begin * element_size(t->dtype);
    return range;
}

static void cast_part(void *user, int64_t begin, int64_t end)
{
    struct cast *c = user;
    struct tensor from = range_of(c->from, begin, end), to = range_of(c->to, begin, end);
    o2w_status status = O2W_OK;
    if (from.dtype == DTYPE_FLOAT32 && to.dtype == DTYPE_FLOAT16)
        half_narrow(from.data, to.data, end - begin);
    else if (from.dtype == DTYPE_FLOAT16 && to.dtype == DTYPE_FLOAT32)
        half_widen(from.data, to.data, end - begin);
    else
        status = tensor_convert(&from, &to);
    if (status != O2W_OK)
        atomic_store(&c->status, (int)status);
}

o2w_status kernel_cast(const struct kernel_call *call)
{
    struct cast c = { .from = call->operands[0], .to = call_result(call, 0) };
    atomic_init(&c.status, O2W_OK);
    kernel_ranges(call, count_of(c.from), CAST_GRAIN, cast_part, &c);
    return (o2w_status)atomic_load(&c.status);
}
