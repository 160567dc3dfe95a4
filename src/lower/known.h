/* Known values: making them and reading them. Part of lower.h, which includes it. */
#ifndef LOWER_KNOWN_H
#define LOWER_KNOWN_H

#include "lower/row.h"

/* --- Known values -------------------------------------------------------------------------------- */

/* A fresh known tensor of zeros in the dtype's own storage; fill t->data before anyone reads `out`. */
o2w_status known_new(struct lower *l, enum dtype dtype, const dim *dims, uint32_t rank,
                     struct tensor *t, value *out);
o2w_status known_i64s(struct lower *l, const int64_t *items, uint32_t count,
                      value *out); /* int64, rank 1 */
/* A known string tensor; the texts live as long as the model. */
o2w_status known_strings(struct lower *l, const struct span *items, const dim *dims, uint32_t rank,
                         value *out);
/* Rank 0, converted to the dtype as ONNX stores it. */
o2w_status scalar(struct lower *l, enum dtype dtype, double v, value *out);
o2w_status scalar_i64(struct lower *l, enum dtype dtype, int64_t v, value *out);
/* The dtype in which x is computed with: float64 where it is known so, else as WebNN carries it. */
enum dtype value_working_dtype(value v);
/* Of that dtype: for arithmetic beside x. */
o2w_status scalar_like(struct lower *l, value x, double v, value *out);
/* `v` in every element, lazily (a splat). */
o2w_status filled(struct lower *l, enum dtype dtype, struct webnn_number v, const dim *dims,
                  uint32_t rank, value *out);
/* The elements in memory, dtype as stored (float64 stays). lower.not-known when v is not known. */
o2w_status known_tensor(struct lower *l, value v, struct tensor *out);
/* Input i as int64 numbers of any rank (integer dtypes): refuses with lower.not-known naming input,
 * and the dim behind it where it is an open one. Absent: given = false. */
o2w_status known_ints(struct lower *l, const struct node_view *n, uint32_t i, struct ints *out);
o2w_status known_int(struct lower *l, const struct node_view *n, uint32_t i,
                     int64_t *out); /* one element */
o2w_status known_double(struct lower *l, const struct node_view *n, uint32_t i, double *out);
o2w_status known_doubles(struct lower *l, const struct node_view *n, uint32_t i,
                         const double **items, uint32_t *count);
/* Input i as dims: numbers (also negative ones, as they are) and expressions. */
o2w_status known_shape(struct lower *l, const struct node_view *n, uint32_t i,
                       const expr_id **elements, uint32_t *count);
/* A 1-D value of the dims: known where they are numbers, else a shape vector. */
o2w_status shape_value(struct lower *l, const dim *dims, uint32_t count, value *out);

/* Sequences and optionals of values (item NULL: none); the dtype is that of their tensors. */
o2w_status sequence_of(struct lower *l, const value *items, uint32_t count, enum dtype dtype,
                       value *out);
o2w_status optional_of(struct lower *l, value item, enum dtype dtype, value *out);
/* A string tensor by the places (int64) of its elements among texts, which live as long as the model. */
o2w_status classes_of(struct lower *l, value places, const struct span *texts, uint32_t count,
                      value *out);
/* A map per row of values, with the labels as keys. */
o2w_status maps_of(struct lower *l, value rows, const struct label_table *labels, value *out);

#endif
