#include "bench_transformers.h"

#include "support/transformer_parts.h"

#include <math.h>
#include <stdio.h>

enum { HEAD = 64, SHARES = 4, BLOCK = 32, TABLE = 2048, WORDS = 8192, SEQUENCE = 128 };

/* Text of a layer: every '%' becomes its number. */
struct text {
    char bytes[120];
};

static struct text of_layer(const char *form, int64_t layer)
{
    struct text t = { { 0 } };
    size_t size = 0;
    for (; *form && size + 24 < sizeof t.bytes; form++) {
        if (*form == '%')
            size += (size_t)snprintf(t.bytes + size, 24, "%lld", (long long)layer);
        else
            t.bytes[size++] = *form;
    }
    return t;
}
#define L(form) of_layer(form, layer).bytes

/* --- decoder --------------------------------------------------------------------------------------- */

static void product(struct model_builder *b, int64_t layer, const char *input, const char *name,
                    int64_t in, int64_t out)
{
    char weight[40], inputs[240];
    snprintf(weight, sizeof weight, "%s%lld", name, (long long)layer);
    mb_packed_weight(b, weight, in, out, BLOCK);
    snprintf(inputs, sizeof inputs, "%s %s_w %s_s", L(input), weight, weight);
    snprintf(weight, sizeof weight, "%s_y%lld", name, (long long)layer);
    mb_packed_product(b, inputs, weight, in, out, BLOCK);
}

static void cache(struct model_builder *b, int64_t layer, int64_t shared, const char *part)
{
    char name[80], dims[80];
    snprintf(name, sizeof name, "past_key_values.%lld.%s", (long long)layer, part);
    snprintf(dims, sizeof dims, "batch_size %lld past_sequence_length 64", (long long)shared);
    mb_input_named(b, name, ONNX_FLOAT, dims);
    snprintf(name, sizeof name, "present.%lld.%s", (long long)layer, part);
    mb_output(b, name, ONNX_FLOAT, DIMS(-1, shared, -1, HEAD));
}

/* From x% and its norm a% to those of the next layer. */
static void decoder_layer(struct model_builder *b, int64_t layer, int64_t width)
{
    const int64_t shared = width / HEAD / SHARES, next = layer + 1, inner = 4 * width;
    cache(b, layer, shared, "key");
    cache(b, layer, shared, "value");
    mb_noise(b, L("gain_b%"), DIMS(width), 0.5, 1.5);
    mb_noise(b, of_layer("gain_a%", next).bytes, DIMS(width), 0.5, 1.5);
    product(b, layer, "a%", "qkv", width, width + 2 * shared * HEAD);
    mb_group_attention(b, L("qkv_y% - - past_key_values.%.key past_key_values.%.value"),
                       L("attended% present.%.key present.%.value"), width / HEAD, shared);
    product(b, layer, "attended%", "out", width, width);
    mb_norm(b, "SkipSimplifiedLayerNormalization", "com.microsoft", L("x% out_y% gain_b%"),
            L("b% - - s%"));
    product(b, layer, "b%", "gate", width, inner);
    product(b, layer, "b%", "up", width, inner);
    mb_node(b, "Sigmoid", L("gate_y%"), L("open%"));
    mb_node(b, "Mul", L("gate_y% open%"), L("silu%"));
    mb_node(b, "Mul", L("silu% up_y%"), L("inner%"));
    product(b, layer, "inner%", "down", inner, width);
    char inputs[160], outputs[80];
    snprintf(inputs, sizeof inputs, "%s gain_a%lld", L("s% down_y%"), (long long)next);
    snprintf(outputs, sizeof outputs, "a%lld - - x%lld", (long long)next, (long long)next);
    mb_norm(b, "SkipSimplifiedLayerNormalization", "com.microsoft", inputs, outputs);
}

struct span bench_decoder(struct model_builder *b, int64_t layers, int64_t width)
{
    noise_begin();
    mb_begin(b, 21);
    mb_opset(b, "com.microsoft", 1);
    mb_graph(b);
    mb_input_named(b, "input_ids", ONNX_INT64, "batch_size sequence_length");
    mb_input_named(b, "attention_mask", ONNX_INT64, "batch_size total_sequence_length");
    mb_noise(b, "embedding", DIMS(WORDS, width), -1, 1);
    mb_noise(b, "gain_a0", DIMS(width), 0.5, 1.5);
    mb_rotary_tables(b, TABLE, HEAD / 2);
    mb_key_lengths(b);
    mb_node(b, "Gather", "embedding input_ids", "x0");
    mb_norm(b, "SimplifiedLayerNormalization", "", "x0 gain_a0", "a0");
    for (int64_t layer = 0; layer < layers; layer++)
        decoder_layer(b, layer, width);
    product(b, layers, "a%", "head", width, WORDS);
    mb_node(b, "Identity", of_layer("head_y%", layers).bytes, "logits");
    mb_output(b, "logits", ONNX_FLOAT, DIMS(-1, -1, WORDS));
    return mb_end(b);
}

/* --- encoder --------------------------------------------------------------------------------------- */

/* y = x · NAME% + NAME_b% */
static void dense(struct model_builder *b, int64_t layer, const char *input, const char *name,
                  int64_t in, int64_t out, bool bias)
{
    char weight[40], shift[40], text[240], result[40];
    double bound = 1.7 / sqrt((double)in);
    snprintf(weight, sizeof weight, "%s%lld", name, (long long)layer);
    snprintf(shift, sizeof shift, "%s_b%lld", name, (long long)layer);
    snprintf(result, sizeof result, "%s_y%lld", name, (long long)layer);
    mb_noise(b, weight, DIMS(in, out), -bound, bound);
    mb_noise(b, shift, DIMS(out), -0.1, 0.1);
    snprintf(text, sizeof text, "%s %s", L(input), weight);
    if (!bias) {
        mb_node(b, "MatMul", text, result);
        return;
    }
    char product_name[48];
    snprintf(product_name, sizeof product_name, "%s_m%lld", name, (long long)layer);
    mb_node(b, "MatMul", text, product_name);
    snprintf(text, sizeof text, "%s %s", shift, product_name);
    mb_node(b, "Add", text, result);
}

static void heads_of(struct model_builder *b, int64_t layer, const char *from, const char *to,
                     bool keys)
{
    char shaped[48], inputs[80];
    snprintf(shaped, sizeof shaped, "%s_r", to);
    snprintf(inputs, sizeof inputs, "%s by_heads", from);
    mb_node(b, "Reshape", inputs, shaped);
    mb_node_open(b, "Transpose", shaped, to);
    if (keys)
        mb_int_list(b, "perm", INTS(0, 2, 3, 1));
    else
        mb_int_list(b, "perm", INTS(0, 2, 1, 3));
    mb_close(b);
    (void)layer;
}

static void exported_attention(struct model_builder *b, int64_t layer, int64_t width)
{
    dense(b, layer, "x%", "q", width, width, true);
    dense(b, layer, "x%", "k", width, width, true);
    dense(b, layer, "x%", "v", width, width, true);
    heads_of(b, layer, L("q_y%"), L("qh%"), false);
    heads_of(b, layer, L("k_y%"), L("kh%"), true);
    heads_of(b, layer, L("v_y%"), L("vh%"), false);
    mb_node(b, "MatMul", L("qh% kh%"), L("raw%"));
    mb_node(b, "Div", L("raw% root"), L("scaled%"));
    mb_node(b, "Add", L("scaled% mask"), L("masked%"));
    mb_node_open(b, "Softmax", L("masked%"), L("share%"));
    mb_int(b, "axis", -1);
    mb_close(b);
    mb_node(b, "MatMul", L("share% vh%"), L("seen%"));
    mb_node_open(b, "Transpose", L("seen%"), L("rows%"));
    mb_int_list(b, "perm", INTS(0, 2, 1, 3));
    mb_close(b);
    mb_node(b, "Reshape", L("rows% by_width"), L("attended%"));
}

static void fused_attention(struct model_builder *b, int64_t layer, int64_t width)
{
    double bound = 1.7 / sqrt((double)width);
    mb_noise(b, L("qkv%"), DIMS(width, 3 * width), -bound, bound);
    mb_noise(b, L("qkv_b%"), DIMS(3 * width), -0.1, 0.1);
    mb_node_open(b, "Attention", L("x% qkv% qkv_b% lengths"), L("attended%"));
    mb_node_domain(b, "com.microsoft");
    mb_int(b, "num_heads", width / HEAD);
    mb_close(b);
}

/* x% + other, normalised. */
static void normalize(struct model_builder *b, int64_t layer, const char *skip, const char *name,
                      const char *inner, const char *out, int64_t width, bool fused)
{
    char gain[40], shift[40], text[200];
    snprintf(gain, sizeof gain, "%s_g%lld", name, (long long)layer);
    snprintf(shift, sizeof shift, "%s_s%lld", name, (long long)layer);
    mb_noise(b, gain, DIMS(width), 0.5, 1.5);
    mb_noise(b, shift, DIMS(width), -0.2, 0.2);
    if (fused) {
        snprintf(text, sizeof text, "%s %s %s %s", skip, inner, gain, shift);
        mb_norm(b, "SkipLayerNormalization", "com.microsoft", text, out);
        return;
    }
    char sum[48];
    snprintf(sum, sizeof sum, "%s_sum%lld", name, (long long)layer);
    snprintf(text, sizeof text, "%s %s", skip, inner);
    mb_node(b, "Add", text, sum);
    snprintf(text, sizeof text, "%s %s %s", sum, gain, shift);
    mb_norm(b, "LayerNormalization", "", text, out);
}

static void exported_gelu(struct model_builder *b, int64_t layer)
{
    mb_node(b, "Div", L("up_y% root2"), L("g0_%"));
    mb_node(b, "Erf", L("g0_%"), L("g1_%"));
    mb_node(b, "Add", L("g1_% unit"), L("g2_%"));
    mb_node(b, "Mul", L("up_y% g2_%"), L("g3_%"));
    mb_node(b, "Mul", L("g3_% half"), L("act%"));
}

static void fused_gelu(struct model_builder *b, int64_t layer)
{
    mb_node_open(b, "BiasGelu", L("up_y% up_b%"), L("act%"));
    mb_node_domain(b, "com.microsoft");
    mb_close(b);
}

static void encoder_layer(struct model_builder *b, int64_t layer, int64_t width, bool fused)
{
    if (fused)
        fused_attention(b, layer, width);
    else
        exported_attention(b, layer, width);
    dense(b, layer, "attended%", "out", width, width, true);
    normalize(b, layer, L("x%"), "na", L("out_y%"), L("h%"), width, fused);
    dense(b, layer, "h%", "up", width, 4 * width, !fused);
    if (fused)
        fused_gelu(b, layer);
    else
        exported_gelu(b, layer);
    dense(b, layer, "act%", "down", 4 * width, width, true);
    normalize(b, layer, L("h%"), "nb", L("down_y%"), of_layer("x%", layer + 1).bytes, width, fused);
}

static void exported_constants(struct model_builder *b, int64_t width)
{
    const float mask[SEQUENCE] = { 0 };
    mb_int64s(b, "by_heads", DIMS(4), INTS(0, 0, width / HEAD, HEAD));
    mb_int64s(b, "by_width", DIMS(3), INTS(0, 0, width));
    mb_floats(b, "root", SCALAR, FLOATS(8));
    mb_floats(b, "root2", SCALAR, FLOATS(1.41421356F));
    mb_floats(b, "unit", SCALAR, FLOATS(1));
    mb_floats(b, "half", SCALAR, FLOATS(0.5F));
    mb_floats(b, "mask", DIMS(1, 1, 1, SEQUENCE), mask, SEQUENCE);
}

struct span bench_encoder(struct model_builder *b, int64_t layers, int64_t width, bool fused)
{
    const int32_t length = SEQUENCE;
    noise_begin();
    mb_begin(b, 17);
    mb_opset(b, "com.microsoft", 1);
    mb_graph(b);
    mb_input(b, "x0", ONNX_FLOAT, DIMS(1, SEQUENCE, width));
    if (fused)
        mb_raw(b, "lengths", ONNX_INT32, DIMS(1), &length, sizeof length);
    else
        exported_constants(b, width);
    for (int64_t layer = 0; layer < layers; layer++)
        encoder_layer(b, layer, width, fused);
    mb_node(b, "Identity", of_layer("x%", layers).bytes, "y");
    mb_output(b, "y", ONNX_FLOAT, DIMS(1, SEQUENCE, width));
    return mb_end(b);
}
