/* Attention and rotary positions of ai.onnx, and what section 7 says of those of com.microsoft. */
#include "runner.h"

#define ATTENTION .op = "Attention", .opset = 23
#define MS(name)  .op = "com.microsoft:" name, .opset = 1
#define QKV4(b, h, hk, s, t, d)                                                                \
    "f32[" b "," h "," s "," d "] noise 1 -1 1", "f32[" b "," hk "," t "," d "] noise 2 -1 1", \
        "f32[" b "," hk "," t "," d "] noise 3 -1 1"

/* clang-format off */
OP_CASES = {
    /* ai.onnx */
    { .rule = "plain", ATTENTION, .inputs = { QKV4("1", "2", "2", "3", "5", "4") }, .outputs = { "f32[1,2,3,4] native" } },
    { .rule = "7.69 a row without an allowed key is zeros", ATTENTION, .inputs = { QKV4("1", "1", "1", "3", "2", "4"), "bool[3,2] 1 0 0 0 1 1" }, .outputs = { "f32[1,1,3,4] native" } },
    { .rule = "7.69 the same, the mask is known and has heads", ATTENTION, .inputs = { QKV4("2", "2", "2", "2", "2", "4"), "=bool[2,2,2,2] 0 0 1 1 0 1 1 0 0 0 0 0 1 1 0 0" }, .outputs = { "f32[2,2,2,4] native" } },
    { .rule = "7.69 a row without an allowed key, values given", ATTENTION, .inputs = { "f32[1,1,2,2] 1 0 0 1", "f32[1,1,2,2] 1 1 1 1", "f32[1,1,2,2] 2 4 6 8", "bool[2,2] 0 0 1 1" }, .outputs = { "f32[1,1,2,2] 0 0 4 6" } },
    { .rule = "7.69 a float mask is added", ATTENTION, .inputs = { QKV4("1", "2", "2", "3", "3", "4"), "f32[3,3] 0 -1 0.5 -inf 2 0 0.25 0 -3" }, .outputs = { "f32[1,2,3,4] native" } },
    { .rule = "7.69 causal with a past", ATTENTION, .attributes = "is_causal=1", .inputs = { QKV4("1", "2", "2", "2", "2", "4"), "-", "f32[1,2,3,4] noise 4 -1 1", "f32[1,2,3,4] noise 5 -1 1" },
      .outputs = { "f32[1,2,2,4] native", "f32[1,2,5,4] native", "f32[1,2,5,4] native" } },
    { .rule = "causal, fewer new keys than queries: positions count from the past", ATTENTION, .attributes = "is_causal=1", .inputs = { "f32[1,2,4,4] noise 1 -1 1", "f32[1,2,2,4] noise 2 -1 1", "f32[1,2,2,4] noise 3 -1 1", "-", "f32[1,2,3,4] noise 4 -1 1", "f32[1,2,3,4] noise 5 -1 1" },
      .outputs = { "f32[1,2,4,4] native", "f32[1,2,5,4] native", "f32[1,2,5,4] native" } },
    { .rule = "causal, more new keys than queries, open sizes", .op = "Attention", .opset = 23, .attributes = "is_causal=1", .open = true,
      .inputs = { "f32[1,2,s:2,4] noise 1 -1 1", "f32[1,2,k:4,4] noise 2 -1 1", "f32[1,2,k:4,4] noise 3 -1 1", "-", "f32[1,2,p:3,4] noise 4 -1 1", "f32[1,2,p:3,4] noise 5 -1 1" },
      .outputs = { "f32[1,2,2,4] native", "f32[1,2,7,4] native", "f32[1,2,7,4] native" } },
    { .rule = "a window counts from the past", .op = "Attention", .opset = 25, .attributes = "is_causal=1 left_window_size=2", .inputs = { "f32[1,2,4,4] noise 1 -1 1", "f32[1,2,2,4] noise 2 -1 1", "f32[1,2,2,4] noise 3 -1 1", "-", "f32[1,2,8,4] noise 4 -1 1", "f32[1,2,8,4] noise 5 -1 1" },
      .outputs = { "f32[1,2,4,4] native", "f32[1,2,10,4] native", "f32[1,2,10,4] native" } },
    { .rule = "causal, one query behind a past sees the first of two keys", ATTENTION, .attributes = "is_causal=1",
      .inputs = { "f32[1,1,1,2] 1 2", "f32[1,1,2,2] 1 1 1 1", "f32[1,1,2,2] 1 2 50 60", "-", "f32[1,1,1,2] 1 1", "f32[1,1,1,2] 5 6" },
      .outputs = { "f32[1,1,1,2] 3 4", "f32[1,1,3,2] all 1", "f32[1,1,3,2] 5 6 1 2 50 60" }, .native = "masks nothing for one query behind a past" },
    { .rule = "7.69 four heads on two of keys", ATTENTION, .inputs = { QKV4("2", "4", "2", "3", "5", "2") }, .outputs = { "f32[2,4,3,2] native" } },
    { .rule = "three dims, groups, a scale", ATTENTION, .attributes = "q_num_heads=4 kv_num_heads=2 scale=0.3", .inputs = { "f32[2,3,8] noise 1 -1 1", "f32[2,5,4] noise 2 -1 1", "f32[2,5,4] noise 3 -1 1" }, .outputs = { "f32[2,3,8] native" } },
    { .rule = "softcap, before the mask", ATTENTION, .attributes = "softcap=0.5", .inputs = { QKV4("1", "2", "2", "3", "3", "4"), "f32[3,3] 0 -1 0.5 -2 2 0 0.25 0 -3" }, .outputs = { "f32[1,2,3,4] native" } },
    { .rule = "values of another width", ATTENTION, .inputs = { "f32[1,2,3,4] noise 1 -1 1", "f32[1,2,5,4] noise 2 -1 1", "f32[1,2,5,3] noise 3 -1 1" }, .outputs = { "f32[1,2,3,3] native" } },
    { .rule = "float16", ATTENTION, .inputs = { "f16[1,1,2,4] noise 1 -1 1", "f16[1,1,3,4] noise 2 -1 1", "f16[1,1,3,4] noise 3 -1 1" }, .outputs = { "f16[1,1,2,4] native" } },
    { .rule = "probabilities beside the result", ATTENTION, .attributes = "qk_matmul_output_mode=3", .inputs = { QKV4("1", "1", "1", "2", "3", "4"), "-", "-", "-" }, .outputs = { "f32[1,1,2,4] native", "-", "-", "f32[1,1,2,3] native" } },

    { .rule = "open sizes with a growing cache", .op = "Attention", .opset = 23, .attributes = "is_causal=1", .open = true,
      .inputs = { "f32[1,2,s:2,4] noise 1 -1 1", "f32[1,2,s:2,4] noise 2 -1 1", "f32[1,2,s:2,4] noise 3 -1 1", "-", "f32[1,2,p:3,4] noise 4 -1 1", "f32[1,2,p:3,4] noise 5 -1 1" },
      .outputs = { "f32[1,2,2,4] native", "f32[1,2,5,4] native", "f32[1,2,5,4] native" } },
    { .rule = "heads that share keys, open sizes, a mask", .op = "Attention", .opset = 23, .attributes = "q_num_heads=4 kv_num_heads=2 scale=0.4", .open = true,
      .inputs = { "f32[1,s:3,16] noise 1 -1 1", "f32[1,k:5,8] noise 2 -1 1", "f32[1,k:5,8] noise 3 -1 1", "f32[s:3,k:5] noise 4 -1 1" },
      .outputs = { "f32[1,3,16] native" } },
    { .rule = "three heads cannot share two", .op = "Attention", .opset = 23, .attributes = "q_num_heads=3 kv_num_heads=2",
      .inputs = { "f32[1,3,12] noise 1 -1 1", "f32[1,5,8] noise 2 -1 1", "f32[1,5,8] noise 3 -1 1" },
      .refused = "lower.shape", .says = "no multiple of 2 heads" },
    { .rule = "7.70 ai.onnx: caches before the positions", .op = "RotaryEmbedding", .opset = 23, .inputs = { "f32[1,2,3,4] noise 1 -1 1", "f32[8,2] noise 2 -1 1", "f32[8,2] noise 3 -1 1", "i64[1,3] 4 0 7" }, .outputs = { "f32[1,2,3,4] native" } },
    { .rule = "7.70 ai.onnx: caches of each token", .op = "RotaryEmbedding", .opset = 23, .attributes = "interleaved=1", .inputs = { "f32[1,2,3,4] noise 1 -1 1", "f32[1,3,2] noise 2 -1 1", "f32[1,3,2] noise 3 -1 1" }, .outputs = { "f32[1,2,3,4] native" } },
    { .rule = "7.70 ai.onnx: three dims, a part of each head", .op = "RotaryEmbedding", .opset = 23, .attributes = "num_heads=2 rotary_embedding_dim=2", .inputs = { "f32[2,3,8] noise 1 -1 1", "f32[8,1] noise 2 -1 1", "f32[8,1] noise 3 -1 1", "i64[2,3] 4 0 7 1 2 3" }, .outputs = { "f32[2,3,8] native" } },

    /* com.microsoft */
    { .rule = "7.70 com.microsoft: positions before the caches; one is an offset", MS("RotaryEmbedding"), .inputs = { "f32[2,3,4] noise 1 -1 1", "i64[1] 2", "=f32[8,2] noise 2 -1 1", "=f32[8,2] noise 3 -1 1" }, .outputs = { "f32[2,3,4] native" } },
    { .rule = "com.microsoft: caches without columns", MS("RotaryEmbedding"), .inputs = { "f32[2,3,4] noise 1 -1 1", "i64[1] 2", "f32[8,0] iota 0 1", "f32[8,0] iota 0 1" },
      .refused = "lower.input", .says = "has no columns" },
    { .rule = "7.71 decoding two entries of lengths 5 and 3: each key at its place", MS("GroupQueryAttention"), .attributes = "num_heads=4 kv_num_heads=2",
      .inputs = { "f32[2,1,32] noise 1 -1 1", "f32[2,1,16] noise 2 -1 1", "f32[2,1,16] noise 3 -1 1", "f32[2,2,4,8] noise 4 -1 1", "f32[2,2,4,8] noise 5 -1 1", "i32[2] 4 2", "=i32[] 5" },
      .outputs = { "f32[2,1,32] native", "f32[2,2,5,8] any", "f32[2,2,5,8] any" } },
    { .rule = "7.71 packed: the width of the result", MS("GroupQueryAttention"), .attributes = "num_heads=4 kv_num_heads=2", .inputs = { "f32[1,2,64] noise 1 -1 1", "-", "-", "-", "-", "i32[1] 1", "=i32[] 2" },
      .outputs = { "f32[1,2,32] native", "f32[1,2,2,8] native", "f32[1,2,2,8] native" } },
    { .rule = "7.71 a local window of 1", MS("GroupQueryAttention"), .attributes = "num_heads=2 kv_num_heads=1 local_window_size=1", .inputs = { "f32[1,4,16] noise 1 -1 1", "f32[1,4,8] noise 2 -1 1", "f32[1,4,8] noise 3 -1 1", "-", "-", "i32[1] 3", "=i32[] 4" }, .outputs = { "f32[1,4,16] native" } },
    { .rule = "7.71 a local window of 2", MS("GroupQueryAttention"), .attributes = "num_heads=2 kv_num_heads=1 local_window_size=2", .inputs = { "f32[1,4,16] noise 1 -1 1", "f32[1,4,8] noise 2 -1 1", "f32[1,4,8] noise 3 -1 1", "-", "-", "i32[1] 3", "=i32[] 4" }, .outputs = { "f32[1,4,16] native" } },
    { .rule = "7.71 a local window of 3", MS("GroupQueryAttention"), .attributes = "num_heads=2 kv_num_heads=1 local_window_size=3", .inputs = { "f32[1,4,16] noise 1 -1 1", "f32[1,4,8] noise 2 -1 1", "f32[1,4,8] noise 3 -1 1", "-", "-", "i32[1] 3", "=i32[] 4" }, .outputs = { "f32[1,4,16] native" } },
    { .rule = "7.72 every key padded, unidirectional", MS("MultiHeadAttention"), .attributes = "num_heads=2 unidirectional=1", .inputs = { "f32[2,3,4] noise 1 -1 1", "f32[2,3,4] noise 2 -1 1", "f32[2,3,4] noise 3 -1 1", "-", "i32[2,3] 0 0 0 1 1 0" }, .outputs = { "f32[2,3,4] native" } },
    { .rule = "7.74 indices outside give zeros", MS("GatherBlockQuantized"), .attributes = "bits=8 block_size=16", .inputs = { "=u8[3,16] noise 1 0 255", "i64[4] 3 2 -4 -3", "=f32[3,1] noise 2 0.01 0.1" }, .outputs = { "f32[4,16] native" } },
    { .rule = "7.75 tied scores: k experts exactly", MS("MoE"), .attributes = "k=2 activation_type='identity'", .inputs = { "f32[2,4] noise 1 -1 1", "f32[2,4] 1 1 1 1 0 2 2 2", "=f32[4,6,4] noise 3 -1 1", "-", "=f32[4,4,6] noise 5 -1 1" }, .outputs = { "f32[2,4] native" }, .relative = 1e-5, .absolute = 1e-5 },

    /* signed weights */
    { .rule = "7.34 int8 weights of -1 stay -1", .op = "DequantizeLinear", .opset = 13, .inputs = { "=i8[4] -1 -128 127 0", "=f32[] 0.5" }, .outputs = { "f32[4] -0.5 -64 63.5 0" } },
    { .rule = "7.34 in a product", .op = "MatMulInteger", .opset = 10, .inputs = { "u8[1,3] 1 2 255", "=i8[3,2] -1 1 -1 -128 -1 127" }, .outputs = { "i32[1,2] -258 32130" } },
};
/* clang-format on */
OP_CASES_END
