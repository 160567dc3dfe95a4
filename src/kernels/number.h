/* MLNumbers as elements. */
#ifndef KERNELS_MLNUMBER_H
#define KERNELS_MLNUMBER_H

#include "kernels/internal.h"

/* Stores the number as the only element of the dtype, by the rule of number_put. NONE stores nothing. */
void number_store(struct webnn_number number, enum dtype t, void *to);
/* The same for an operand of the call, whose float16 may have been widened. */
void number_operand(const struct kernel_call *call, struct webnn_number number, enum dtype t,
                    void *to);

#endif
