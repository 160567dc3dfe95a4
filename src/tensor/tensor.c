#include "tensor/tensor.h"

#include "base/checked.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool dims_equal(const dim *a, const dim *b, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool dims_static(const dim *dims, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (!dim_is_static(dims[i]))
            return false;
    return true;
}

bool dims_count(const dim *dims, uint32_t rank, uint64_t *count)
{
    bool empty = false, fits = true;
    int64_t product = 1;
    for (uint32_t i = 0; i < rank; i++) {
        if (!dim_is_static(dims[i]))
            return false;
        empty = empty || dims[i] == 0;
        fits = fits && mul_i64(product, dims[i], &product);
    }
    if (!fits && !empty)
        return false;
    *count = empty ? 0 : (uint64_t)product;
    return true;
}

void dims_text(const dim *dims, uint32_t rank, char *text, size_t size)
{
    int n = snprintf(text, size, "[");
    size_t used = n < 0 ? 0 : (size_t)n;
    for (uint32_t i = 0; i < rank && used < size; i++) {
        const char *comma = i == 0 ? "" : ", ";
        n = dim_is_static(dims[i])
                ? snprintf(text + used, size - used, "%s%" PRId64, comma, dims[i])
                : snprintf(text + used, size - used, "%s?", comma);
        used += n < 0 ? 0 : (size_t)n;
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

uint64_t tensor_count(const struct tensor *t)
{
    uint64_t count = 0;
    dims_count(t->dims, t->rank, &count);
    return count;
}

uint64_t tensor_bytes(const struct tensor *t)
{
    uint64_t bytes = 0;
    dtype_bytes(t->dtype, tensor_count(t), &bytes);
    return bytes;
}

void tensor_strides(const struct tensor *t, int64_t strides[MAX_RANK])
{
    uint64_t step = 1; /* wraps only where another dim is 0, and is not used there */
    for (uint32_t i = t->rank; i-- > 0;) {
        strides[i] = (int64_t)step;
        step *= (uint64_t)t->dims[i];
    }
}

o2w_status tensor_new(struct arena *a, enum dtype dtype, const int64_t *dims, uint32_t rank,
                      struct tensor *out)
{
    uint64_t count, bytes;
    if (rank > MAX_RANK || !dims_count(dims, rank, &count) || !dtype_bytes(dtype, count, &bytes) ||
        bytes > SIZE_MAX)
        return O2W_RANGE;
    void *data = arena_alloc(a, (size_t)bytes, 64);
    if (data == NULL)
        return O2W_NO_MEMORY;
    *out = (struct tensor){ .dtype = dtype, .rank = rank, .data = data };
    for (uint32_t i = 0; i < rank; i++)
        out->dims[i] = dims[i];
    return O2W_OK;
}

bool broadcast_static(const int64_t *a, uint32_t rank_a, const int64_t *b, uint32_t rank_b,
                      int64_t *out, uint32_t *rank)
{
    uint32_t n = rank_a > rank_b ? rank_a : rank_b;
    int64_t dims[MAX_RANK] = { 0 };
    if (n > MAX_RANK)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        int64_t x = i < n - rank_a ? 1 : a[i - (n - rank_a)];
        int64_t y = i < n - rank_b ? 1 : b[i - (n - rank_b)];
        if (x != y && x != 1 && y != 1)
            return false;
        dims[i] = x == 1 ? y : x;
    }
    memcpy(out, dims, n * sizeof *dims);
    *rank = n;
    return true;
}
