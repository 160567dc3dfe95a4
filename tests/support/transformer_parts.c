#include "support/transformer_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

void noise_begin(void)
{
    state = 88172645463325252U;
}

double noise(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

void mb_noise(struct model_builder *b, const char *name, const int64_t *dims, size_t rank,
              double low, double high)
{
    size_t count = 1;
    for (size_t i = 0; i < rank; i++)
        count *= (size_t)dims[i];
    float *values = malloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(low + noise() * (high - low));
    mb_floats(b, name, dims, rank, values, count);
    free(values);
}

void mb_packed_weight(struct model_builder *b, const char *name, int64_t in, int64_t out,
                      int64_t block)
{
    char full[40];
    size_t count = (size_t)(out * in / 2);
    uint8_t *bytes = malloc(count);
    double scale = 0.2 / sqrt((double)in);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(noise() * 256);
    snprintf(full, sizeof full, "%s_w", name);
    mb_raw(b, full, ONNX_UINT8, DIMS(out, in / block, block / 2), bytes, count);
    free(bytes);
    snprintf(full, sizeof full, "%s_s", name);
    mb_noise(b, full, DIMS(out * (in / block)), 0.5 * scale, 2 * scale);
}

void mb_packed_product(struct model_builder *b, const char *inputs, const char *output, int64_t in,
                       int64_t out, int64_t block)
{
    mb_node_open(b, "MatMulNBits", inputs, output);
    mb_node_domain(b, "com.microsoft");
    mb_int(b, "K", in);
    mb_int(b, "N", out);
    mb_int(b, "bits", 4);
    mb_int(b, "block_size", block);
    mb_close(b);
}

void mb_norm(struct model_builder *b, const char *op, const char *domain, const char *inputs,
             const char *outputs)
{
    mb_node_open(b, op, inputs, outputs);
    mb_node_domain(b, domain);
    mb_float(b, "epsilon", 1e-5F);
    mb_close(b);
}

void mb_rotary_tables(struct model_builder *b, int64_t positions, int64_t half)
{
    size_t count = (size_t)(positions * half);
    float *cosine = malloc(count * sizeof *cosine), *sine = malloc(count * sizeof *sine);
    for (int64_t i = 0; i < positions; i++)
        for (int64_t k = 0; k < half; k++) {
            double angle = (double)i / pow(10000, (double)k / (double)half);
            cosine[i * half + k] = (float)cos(angle);
            sine[i * half + k] = (float)sin(angle);
        }
    mb_floats(b, "cosine", DIMS(positions, half), cosine, count);
    mb_floats(b, "sine", DIMS(positions, half), sine, count);
    free(cosine);
    free(sine);
}

void mb_key_lengths(struct model_builder *b)
{
    const int64_t one = 1;
    mb_int64s(b, "one", DIMS(1), &one, 1);
    mb_int64s(b, "index", SCALAR, &one, 1);
    mb_node_open(b, "ReduceSum", "attention_mask one", "ones");
    mb_int(b, "keepdims", 0);
    mb_close(b);
    mb_node(b, "Sub", "ones one", "last");
    mb_node_open(b, "Cast", "last", "seqlens");
    mb_int(b, "to", ONNX_INT32);
    mb_close(b);
    mb_node(b, "Shape", "attention_mask", "mask_shape");
    mb_node(b, "Gather", "mask_shape index", "total64");
    mb_node_open(b, "Cast", "total64", "total");
    mb_int(b, "to", ONNX_INT32);
    mb_close(b);
}

void mb_group_attention(struct model_builder *b, const char *inputs, const char *outputs,
                        int64_t heads, int64_t shared)
{
    char all[200];
    snprintf(all, sizeof all, "%s seqlens total cosine sine", inputs);
    mb_node_open(b, "GroupQueryAttention", all, outputs);
    mb_node_domain(b, "com.microsoft");
    mb_int(b, "num_heads", heads);
    mb_int(b, "kv_num_heads", shared);
    mb_int(b, "do_rotary", 1);
    mb_close(b);
}
