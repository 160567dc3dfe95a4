/* Attention and rotary positions of ai.onnx; more of both in the published conformance cases. */
#include "runner.h"

/* clang-format off */
OP_CASES = {
    { .rule = "open sizes with a growing cache", .op = "Attention", .opset = 23, .attributes = "is_causal=1", .open = true,
      .inputs = { "f32[1,2,s:2,4] noise 1 -1 1", "f32[1,2,s:2,4] noise 2 -1 1", "f32[1,2,s:2,4] noise 3 -1 1", "-", "f32[1,2,p:3,4] noise 4 -1 1", "f32[1,2,p:3,4] noise 5 -1 1" },
      .outputs = { "f32[1,2,2,4] native", "f32[1,2,5,4] native", "f32[1,2,5,4] native" } },
    { .rule = "heads that share keys, open sizes, a mask", .op = "Attention", .opset = 23, .attributes = "q_num_heads=4 kv_num_heads=2 scale=0.4", .open = true,
      .inputs = { "f32[1,s:3,16] noise 1 -1 1", "f32[1,k:5,8] noise 2 -1 1", "f32[1,k:5,8] noise 3 -1 1", "f32[s:3,k:5] noise 4 -1 1" },
      .outputs = { "f32[1,3,16] native" } },
    { .rule = "three heads cannot share two", .op = "Attention", .opset = 23, .attributes = "q_num_heads=3 kv_num_heads=2",
      .inputs = { "f32[1,3,12] noise 1 -1 1", "f32[1,5,8] noise 2 -1 1", "f32[1,5,8] noise 3 -1 1" },
      .refused = "lower.shape", .says = "no multiple of 2 heads" },
};
OP_CASES_END
