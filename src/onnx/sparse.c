/* Sparse tensors in coordinate form. */

#include "base/checked.h"
#include "onnx/decode.h"
#include "onnx/tensor.h"

#include <inttypes.h>
#include <string.h>

struct sparse {
    struct onnx_model *m;
    const struct onnx_sparse_tensor *tensor;
    struct diags *d;
    uint64_t elements; /* of the dense tensor */
    uint64_t count;    /* of the values */
    bool linear;       /* one index per value, not one per dimension */
};

static o2w_status check_shapes(struct sparse *s)
{
    const struct onnx_tensor *values = &s->tensor->values, *indices = &s->tensor->indices;
    TRY(onnx_dims_count(s->m, values, s->tensor->dims, s->tensor->rank, s->d, &s->elements));
    TRY(onnx_tensor_count(s->m, values, s->d, &s->count));
    if (values->rank != 1)
        return onnx_tensor_refuse(s->m, values, s->d,
                                  "values of a sparse tensor have rank %" PRIu32 ", must have 1",
                                  values->rank);
    if (indices->dtype != ONNX_INT64)
        return onnx_tensor_refuse(s->m, values, s->d,
                                  "data type %" PRId32 " of indices, must be %d (int64)",
                                  indices->dtype, ONNX_INT64);
    s->linear = indices->rank == 1;
    bool fits = indices->rank == 1 || (indices->rank == 2 && indices->dims[1] == s->tensor->rank);
    if (!fits || indices->dims[0] < 0 || (uint64_t)indices->dims[0] != s->count)
        return onnx_tensor_refuse(s->m, values, s->d,
                                  "shape of indices must be [%" PRIu64 "] or [%" PRIu64 ", %" PRIu32
                                  "] for %" PRIu64 " values",
                                  s->count, s->count, s->tensor->rank, s->count);
    return O2W_OK;
}

static int64_t read_i64(const uint8_t *bytes, uint64_t index)
{
    uint64_t value = 0;
    int64_t result;
    for (unsigned b = 0; b < 8; b++)
        value |= (uint64_t)bytes[index * 8 + b] << (8 * b);
    memcpy(&result, &value, sizeof result);
    return result;
}

static o2w_status refuse_index(struct sparse *s, uint64_t i, int64_t index, int64_t limit)
{
    return onnx_tensor_refuse(s->m, &s->tensor->values, s->d,
                              "index %" PRIu64 " is %" PRId64 ", must be from 0 to %" PRId64, i,
                              index, limit - 1);
}

/* The place of value i in the dense tensor. */
static o2w_status place_of(struct sparse *s, const uint8_t *bytes, uint64_t i, int64_t *place)
{
    uint32_t rank = s->tensor->rank;
    if (s->linear) {
        *place = read_i64(bytes, i);
        if (*place < 0 || (uint64_t)*place >= s->elements)
            return refuse_index(s, i, *place, (int64_t)s->elements);
        return O2W_OK;
    }
    *place = 0;
    for (uint32_t axis = 0; axis < rank; axis++) {
        int64_t index = read_i64(bytes, i * rank + axis), dim = s->tensor->dims[axis];
        if (index < 0 || index >= dim)
            return refuse_index(s, i, index, dim);
        *place = *place * dim + index;
    }
    return O2W_OK;
}

static o2w_status fill_places(struct sparse *s, const uint8_t *bytes, int64_t *places)
{
    for (uint64_t i = 0; i < s->count; i++) {
        TRY(place_of(s, bytes, i, &places[i]));
        if (i && places[i] <= places[i - 1])
            return onnx_tensor_refuse(s->m, &s->tensor->values, s->d,
                                      "index %" PRIu64 " is not behind the one before it, indices "
                                      "must be in order",
                                      i);
    }
    return O2W_OK;
}

o2w_status onnx_sparse_indices(struct onnx_model *m, const struct onnx_sparse_tensor *tensor,
                               struct arena *a, struct diags *d, const int64_t **indices,
                               uint64_t *count)
{
    struct span bytes;
    struct onnx_payload payload, values;
    struct sparse s = { .m = m, .tensor = tensor, .d = d };
    TRY(check_shapes(&s));
    TRY(onnx_tensor_payload(m, &tensor->values, d, &values));
    TRY(onnx_tensor_payload(m, &tensor->indices, d, &payload));
    TRY(onnx_payload_bytes(&payload, a, d, &bytes));
    int64_t *places = ARENA_ARRAY(a, (size_t)s.count, int64_t);
    if (!places)
        return diag_memory(d);
    TRY(fill_places(&s, bytes.data, places));
    *indices = places;
    *count = s.count;
    return O2W_OK;
}
