/* Statistics that normalisations share. All in the float dtype of x; float16 is widened first: most of the
 * epsilons in use are 0 in it, and a row of zeros would be NaN. */
#ifndef LOWER_OPS_NORMALIZATION_H
#define LOWER_OPS_NORMALIZATION_H

#include "lower/helpers.h"

/* Over some axes, which stay as 1: x - mean, mean, variance; two passes. */
struct statistics {
    value centred, mean, variance;
};
o2w_status statistics_of(struct lower *l, value x, const struct webnn_u32s *axes,
                         struct statistics *s);
/* 1 / sqrt(x + epsilon) */
o2w_status inverse_root(struct lower *l, value x, double epsilon, value *out);
/* The axes from axis on. */
void axes_behind(uint32_t axis, uint32_t rank, struct webnn_u32s *axes);
/* MeanVarianceNormalization's, of a tensor of the rank. */
void mean_variance_axes(bool across_channels, uint32_t rank, struct webnn_u32s *axes);
/* x / sqrt(mean(x²) + epsilon) over those axes, and the factor. */
o2w_status rms_normalize(struct lower *l, value x, const struct webnn_u32s *axes, double epsilon,
                         value *out, value *inverse);
/* One number per channel, or [C], as [1, C, 1 …] of this rank. */
o2w_status along_channels(struct lower *l, value v, uint32_t rank, value *out);

#endif
