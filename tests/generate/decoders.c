#include "decoders.h"

#include "support/transformer_parts.h"

#include <stdio.h>

enum { BLOCK = 16 };

static void begin(struct model_builder *b)
{
    noise_begin();
    mb_begin(b, 21);
    mb_opset(b, "com.microsoft", 1);
    mb_graph(b);
    mb_input_named(b, "input_ids", ONNX_INT64, "batch_size sequence_length");
    mb_noise(b, "embedding", DIMS(VOCABULARY, WIDTH), -1, 1);
    mb_noise(b, "head", DIMS(WIDTH, VOCABULARY), -1, 1);
    mb_noise(b, "gain0", DIMS(WIDTH), 0.5, 1.5);
    mb_noise(b, "gain1", DIMS(WIDTH), 0.5, 1.5);
    mb_noise(b, "gain2", DIMS(WIDTH), 0.5, 1.5);
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
    mb_packed_weight(b, "qkv", WIDTH, 2 * WIDTH, BLOCK);
    mb_packed_weight(b, "out", WIDTH, WIDTH, BLOCK);
    mb_packed_weight(b, "up", WIDTH, 2 * WIDTH, BLOCK);
    mb_packed_weight(b, "down", 2 * WIDTH, WIDTH, BLOCK);
    mb_rotary_tables(b, LONGEST, HEAD / 2);
    mb_key_lengths(b);
    mb_node(b, "Gather", "embedding input_ids", "x");
    mb_norm(b, "SimplifiedLayerNormalization", "", "x gain0", "n0");
    mb_packed_product(b, "n0 qkv_w qkv_s", "qkv", WIDTH, 2 * WIDTH, BLOCK);
    mb_group_attention(b, "qkv - - past_key_values.0.key past_key_values.0.value",
                       "attended present.0.key present.0.value", 2, 1);
    mb_packed_product(b, "attended out_w out_s", "o", WIDTH, WIDTH, BLOCK);
    mb_norm(b, "SkipSimplifiedLayerNormalization", "com.microsoft", "o x gain1", "n1 - - sum");
    mb_packed_product(b, "n1 up_w up_s", "u", WIDTH, 2 * WIDTH, BLOCK);
    mb_node_open(b, "QuickGelu", "u", "act");
    mb_node_domain(b, "com.microsoft");
    mb_close(b);
    mb_packed_product(b, "act down_w down_s", "d", 2 * WIDTH, WIDTH, BLOCK);
    mb_node(b, "Add", "sum d", "y");
    mb_norm(b, "SimplifiedLayerNormalization", "", "y gain2", "n2");
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
    mb_noise(b, "wq", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    mb_noise(b, "wk", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    mb_noise(b, "wv", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    mb_noise(b, "wo", DIMS(WIDTH, WIDTH), -0.4, 0.4);
    mb_node(b, "Gather", "embedding input_ids", "x");
    mb_norm(b, "SimplifiedLayerNormalization", "", "x gain0", "n0");
    mb_node_open(b, "If", "use_cache_branch", "logits present.0.key present.0.value");
    branch(b, "then_branch", " - - - past_key_values.0.key past_key_values.0.value");
    branch(b, "else_branch", "");
    mb_close(b);
    mb_output(b, "logits", ONNX_FLOAT, DIMS(-1, -1, VOCABULARY));
    mb_output(b, "present.0.key", ONNX_FLOAT, DIMS(-1, 2, -1, HEAD));
    mb_output(b, "present.0.value", ONNX_FLOAT, DIMS(-1, 2, -1, HEAD));
    return mb_end(b);
}
