/* MLNumbers as elements. */
#ifndef KERNELS_MLNUMBER_H
#define KERNELS_MLNUMBER_H

#include "kernels/internal.h"

/* Stores the number as one element of the dtype: integers saturate and round half to even, NaN is 0
 * there; floats round once. For 4-bit dtypes the element is a byte. NONE stores nothing. */
void number_store(struct webnn_number number, enum dtype t, void *to);
/* The same for an operand of the call, whose float16 may have been widened. */
void number_operand(const struct kernel_call *call, struct webnn_number number, enum dtype t, void *to);

#endif
