/* Copying elements between tensors addressed by strides. */
#ifndef KERNELS_MOVE_H
#define KERNELS_MOVE_H

#include "kernels/nest.h"

/* View 0 of the nest is the target, view 1 the source; offsets count from the addresses given, in
 * elements of `size` bytes: 1, 2, 4 or 8. */
void move_elements(const struct kernel_call *call, const struct nest *n, void *to, const void *from,
                   size_t size);
/* `count` dense elements. */
void move_dense(const struct kernel_call *call, void *to, const void *from, int64_t count,
                size_t size);
/* Every element of `to` gets the one at `element`. */
void move_fill(const struct kernel_call *call, void *to, const void *element, int64_t count,
               size_t size);
/* Storage bytes of one element of a dtype that is not packed. */
size_t element_size(enum dtype t);

#endif
