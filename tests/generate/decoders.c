#include "decoders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static double noise(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void floats(struct model_builder *b, const char *name, const int64_t *dims, size_t rank,
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

/* Packed weights NAME_w and scales NAME_s of a product from `in` to `out` columns, blocks of 16. */
static void packed(struct model_builder *b, const char *name, int64_t in, int64_t out)
{
    char full[40];
    size_t count = (size_t)(out * in / 2);
    uint8_t *bytes = malloc(count);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(noise() * 256);
    snprintf(full, sizeof full, "%s_w", name);
    mb_raw(b, full, ONNX_UINT8, DIMS(out, in / 16, 8), bytes, count);
    free(bytes);
    snprintf(full, sizeof full, "%s_s", name);
    floats(b, full, DIMS(out * (in / 16)), 0.02, 0.08);
}

static void nbits(struct model_builder *b, const char *inputs, const char *output, int64_t in,
                  int64_t out)
{
    mb_node_open(b, "MatMulNBits", inputs, output);
    mb_node_domain(b, "com.microsoft");
    mb_int(b, "K", in);
    mb_int(b, "N", out);
    mb_int(b, "bits", 4);
    mb_int(b, "block_size", 16);
    mb_close(b);
}

static void norm(struct model_builder *b, const char *op, const char *domain, const char *inputs,
                 const char *outputs)
{
    mb_node_open(b, op, inputs, outputs);
    mb_node_domain(b, domain);
    mb_float(b, "epsilon", 1e-5F);
    mb_close(b);
}

static void rotary_tables(struct model_builder *b)
{
    float cosine[LONGEST * HEAD / 2], sine[LONGEST * HEAD / 2];
    for (int i = 0; i < LONGEST; i++)
        for (int k = 0; k < HEAD / 2; k++) {
            double angle = i / pow(10000, 2.0 * k / HEAD);
            cosine[i * HEAD / 2 + k] = (float)cos(angle);
            sine[i * HEAD / 2 + k] = (float)sin(angle);
        }
    mb_floats(b, "cosine", DIMS(LONGEST, HEAD / 2), cosine, LONGEST * HEAD / 2);
    mb_floats(b, "sine", DIMS(LONGEST, HEAD / 2), sine, LONGEST * HEAD / 2);
}

static void begin(struct model_builder *b)
{
    state = 88172645463325252U;
    mb_begin(b, 21);
    mb_opset(b, "com.microsoft", 1);
    mb_graph(b);
    mb_input_named(b, "input_ids", ONNX_INT64, "batch_size sequence_length");
    floats(b, "embedding", DIMS(VOCABULARY, WIDTH), -1, 1);
    floats(b, "head", DIMS(WIDTH, VOCABULARY), -1, 1);
    floats(b, "gain0", DIMS(WIDTH), 0.5, 1.5);
    floats(b, "gain1", DIMS(WIDTH), 0.5, 1.5);
    floats(b, "gain2", DIMS(WIDTH), 0.5, 1.5);
}

/* The lengths that the operator wants, from the attention mask. */
static void lengths(struct model_builder *b)
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

struct span decoder_grouped(struct model_builder *b, const char *total)
{
    char mask[80];
    begin(b);
    snprintf(mask, sizeof mask, "batch_size %s", total);
    mb_input_named(b, "attention_mask", ONNX_INT64, mask);
    mb_input_named(b, "past_key_values.0.key", ONNX_FLOAT, "batch_size 1 past_sequence_length 16");
    mb_input_named(b, "past_key_values.0.value", ONNX_FLOAT,
                   "batch_size 1 past_sequence_length 16");
    packed(b, "qkv", WIDTH, 2 * WIDTH);
    packed(b, "out", WIDTH, WIDTH);
    packed(b, "up", WIDTH, 2 * WIDTH);
    packed(b, "down", 2 * WIDTH, WIDTH);
    rotary_tables(b);
    lengths(b);
    mb_node(b, "Gather", "embedding input_ids", "x");
    norm(b, "SimplifiedLayerNormalization", "", "x gain0", "n0");
    nbits(b, "n0 qkv_w qkv_s", "qkv", WIDTH, 2 * WIDTH);
    mb_node_open(b, "GroupQueryAttention",
                 "qkv - - past_key_values.0.key past_key_values.0.value seqlens total cosine sine",
                 "attended present.0.key present.0.value");
    mb_node_domain(b, "com.microsoft");
    mb_int(b, "num_heads", 2);
    mb_int(b, "kv_num_heads", 1);
    mb_int(b, "do_rotary", 1);
    mb_close(b);
    nbits(b, "attended out_w out_s", "o", WIDTH, WIDTH);
    norm(b, "SkipSimplifiedLayerNormalization", "com.microsoft", "o x gain1", "n1 - - sum");
    nbits(b, "n1 up_w up_s", "u", WIDTH, 2 * WIDTH);
    mb_node_open(b, "QuickGelu", "u", "act");
    mb_node_domain(b, "com.microsoft");
    mb_close(b);
    nbits(b, "act down_w down_s", "d", 2 * WIDTH, WIDTH);
    mb_node(b, "Add", "sum d", "y");
    norm(b, "SimplifiedLayerNormalization", "", "y gain2", "n2");
    mb_node(b, "MatMul", "n2 head", "logits");
    mb_output(b, "logits", ONNX_FLOAT, DIMS(-1, -1, VOCABULARY));
    mb_output(b, "present.0.key", ONNX_FLOAT, DIMS(-1, 1, -1, HEAD));
    mb_output(b, "present.0.value", ONNX_FLOAT, DIMS(-1, 1, -1, HEAD));
    return mb_end(b);
}

/* One branch: everything from the embedding on, with weights of the graph around it. */
static void branch(struct model_builder *b, const char *name, const char *attention)
{
    char inner[8][40];
    static const char *const names[] = { "q", "k", "v", "a", "o", "s", "l", "pk" };
    (void)names;
    for (int i = 0; i < 8; i++)
        snprintf(inner[i], sizeof inner[i], "%s_%s", name, names[i]);
    char text[200];
    mb_subgraph(b, name);
    mb_node(b, "MatMul", "n0 wq", inner[0]);
    mb_node(b, "MatMul", "n0 wk", inner[1]);
    mb_node(b, "MatMul", "n0 wv", inner[2]);
    snprintf(text, sizeof text, "%s %s %s%s", inner[0], inner[1], inner[2], attention);
    char results[120];
    snprintf(results, sizeof results, "%s %s_key %s_value", inner[3], name, name);
    mb_node_open(b, "MultiHeadAttention", text, results);
    mb_node_domain(b, "com.microsoft");
    mb_int(b, "num_heads", 2);
    mb_int(b, "unidirectional", 1);
    mb_close(b);
    snprintf(text, sizeof text, "%s wo", inner[3]);
    mb_node(b, "MatMul", text, inner[4]);
    snprintf(text, sizeof text, "%s x", inner[4]);
    mb_node(b, "Add", text, inner[5]);
    snprintf(text, sizeof text, "%s head", inner[5]);
    mb_node(b, "MatMul", text, inner[6]);
    mb_output(b, inner[6], ONNX_FLOAT, DIMS(-1, -1, VOCABULARY));
    snprintf(text, sizeof text, "%s_key", name);
    mb_output(b, text, ONNX_FLOAT, DIMS(-1, 2, -1, HEAD));
    snprintf(text, sizeof text, "%s_value", name);
    mb_output(b, text, ONNX_FLOAT, DIMS(-1, 2, -1, HEAD));
    mb_close(b);
}

struct span decoder_merged(struct model_builder *b)
{
    begin(b);
    mb_input(b, "use_cache_branch", ONNX_BOOL, DIMS(1));
    mb_input_named(b, "past_key_values.0.key", ONNX_FLOAT, "batch_size 2 past_sequence_length 16");
    mb_input_named(b, "past_key_values.0.value", ONNX_FLOAT,
                   "batch_size 2 past_sequence_length 16");
    floats(b, "wq", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    floats(b, "wk", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    floats(b, "wv", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    floats(b, "wo", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    mb_node(b, "Gather", "embedding input_ids", "x");
    norm(b, "SimplifiedLayerNormalization", "", "x gain0", "n0");
    mb_node_open(b, "If", "use_cache_branch", "logits present.0.key present.0.value");
    branch(b, "then_branch", " - - - past_key_values.0.key past_key_values.0.value");
    branch(b, "else_branch", "");
    mb_close(b);
    mb_output(b, "logits", ONNX_FLOAT, DIMS(-1, -1, VOCABULARY));
    mb_output(b, "present.0.key", ONNX_FLOAT, DIMS(-1, 2, -1, HEAD));
    mb_output(b, "present.0.value", ONNX_FLOAT, DIMS(-1, 2, -1, HEAD));
    return mb_end(b);
}
