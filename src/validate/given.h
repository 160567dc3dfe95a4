/* Feeds that a caller gives, of an archive or from memory. */
#ifndef VALIDATE_GIVEN_H
#define VALIDATE_GIVEN_H

#include "validate/source.h"
#include "validate/tensors.h"

/* Inputs that have an initializer are fed like others where a tensor is given for them. */
void given_replace_defaults(struct source *s, const o2w_tensors *t);
/* Names of the tensors are inputs that are fed; `complete`: exactly those. All that do not match are
 * one error feed.names. Types are those of the inputs: feed.dtype. */
o2w_status given_check(const struct source *s, const o2w_tensors *t, bool complete,
                       struct diags *d);
/* Their shapes as sizes DIM_INPUT of the dims that the model leaves open: dim.disagrees. */
o2w_status given_dims(struct source *s, const o2w_tensors *t, dim_binding_list *out,
                      struct diags *d);
/* Makes them the feeds, after sizing: shapes must be those of the inputs. The elements are borrowed.
 * feed.shape, feed.range */
o2w_status given_take(struct source *s, const o2w_tensors *t, struct diags *d);

/* A given tensor as one of `dtype` and `dims`: equal, or bytes 0 and 1 as bool, or packed bytes as
 * 4-bit elements. feed.dtype, feed.shape, feed.range */
o2w_status given_as(const struct named_tensor *n, enum dtype dtype, const int64_t *dims,
                    uint32_t rank, struct diags *d, struct tensor *out);

/* The feeds of this run, without pinned and default ones. */
o2w_status given_from(const struct source *s, bool copied, struct diags *d, o2w_tensors **out);

#endif
