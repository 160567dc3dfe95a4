#include "kernels/number.h"

#include "base/half.h"

#include <string.h>

void number_store(struct webnn_number number, enum dtype t, void *to)
{
    struct tensor one = { .dtype = t, .rank = 0, .data = to };
    if (number.kind != WEBNN_NUMBER_NONE)
        number_put(&number, &one, 0);
}

void number_operand(const struct kernel_call *call, struct webnn_number number, enum dtype t,
                    void *to)
{
    uint16_t half;
    if (number.kind == WEBNN_NUMBER_NONE || !call->halved || t != DTYPE_FLOAT32) {
        number_store(number, t, to);
        return;
    }
    number_store(number, DTYPE_FLOAT16, &half);
    float rounded = half_to_float(half);
    memcpy(to, &rounded, sizeof rounded);
}
