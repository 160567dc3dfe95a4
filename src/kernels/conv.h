/* Convolutions over nchw images with oihw filters. */
#ifndef KERNELS_CONV_H
#define KERNELS_CONV_H

#include "kernels/internal.h"

/* One dim of a window that slides over an image. */
struct window {
    int64_t input, output, kernel, stride, dilation, padding; /* padding at the beginning */
};

/* Input position of output position o under kernel position k. */
static inline int64_t window_input(const struct window *w, int64_t o, int64_t k)
{
    return o * w->stride + k * w->dilation - w->padding;
}

/* Output positions [*low, *high) whose input position under k is inside the image. */
void window_range(const struct window *w, int64_t k, int64_t *low, int64_t *high);

struct conv {
    int64_t images, groups, channels, filters; /* channels and filters per group */
    struct window y, x;
    const void *input, *filter, *bias; /* bias NULL: none */
    void *output;
};

/* One input channel per group, float32. */
void conv_depthwise(const struct kernel_call *call, const struct conv *c);
/* Any, float32: a matrix product over windows that are gathered while they are packed. */
o2w_status conv_product(const struct kernel_call *call, const struct conv *c);
/* Any, float64. */
void conv_plain(const struct kernel_call *call, const struct conv *c);

#endif
