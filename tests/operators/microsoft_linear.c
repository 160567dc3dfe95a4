/* com.microsoft: recurrences in place of attention. */
#include "runner.h"

/* clang-format off */
OP_CASES = {
    /* LinearAttention */
    { .rule = "gated_delta with a state", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=2 kv_num_heads=2",
      .inputs = { "f32[2,3,8] noise 1 -1 1", "f32[2,3,8] noise 2 -1 1", "f32[2,3,6] noise 3 -1 1", "f32[2,2,4,3] noise 4 -1 1", "f32[2,3,2] noise 5 -1 0", "f32[2,3,2] noise 6 0 1" },
      .outputs = { "f32[2,3,6] native", "f32[2,2,4,3] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "a decay per key column", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=2 kv_num_heads=2 update_rule='gated' scale=0.3",
      .inputs = { "f32[1,3,8] noise 1 -1 1", "f32[1,3,8] noise 2 -1 1", "f32[1,3,6] noise 3 -1 1", "f32[1,2,4,3] noise 4 -1 1", "f32[1,3,8] noise 5 -1 0" },
      .outputs = { "f32[1,3,6] native", "f32[1,2,4,3] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "linear without a state", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=2 kv_num_heads=2 update_rule='linear'",
      .inputs = { "f32[1,3,8] noise 1 -1 1", "f32[1,3,8] noise 2 -1 1", "f32[1,3,6] noise 3 -1 1" },
      .outputs = { "f32[1,3,6] native", "f32[1,2,4,3] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "delta", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=1 kv_num_heads=1 update_rule='delta'",
      .inputs = { "f32[1,4,4] noise 1 -1 1", "f32[1,4,4] noise 2 -1 1", "f32[1,4,3] noise 3 -1 1", "-", "-", "f32[1,4,1] noise 6 0 1" },
      .outputs = { "f32[1,4,3] native", "f32[1,1,4,3] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "heads of the query share a state", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=4 kv_num_heads=2",
      .inputs = { "f32[1,2,16] noise 1 -1 1", "f32[1,2,8] noise 2 -1 1", "f32[1,2,6] noise 3 -1 1", "f32[1,2,4,3] noise 4 -1 1", "f32[1,2,2] noise 5 -1 0", "f32[1,2,2] noise 6 0 1" },
      .outputs = { "f32[1,2,12] native", "f32[1,2,4,3] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "heads of the value share a query and a key", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=2 kv_num_heads=4",
      .inputs = { "f32[1,2,8] noise 1 -1 1", "f32[1,2,8] noise 2 -1 1", "f32[1,2,12] noise 3 -1 1", "f32[1,4,4,3] noise 4 -1 1", "f32[1,2,4] noise 5 -1 0", "f32[1,2,4] noise 6 0 1" },
      .outputs = { "f32[1,2,12] native", "f32[1,4,4,3] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "a rule without its inputs", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=1 kv_num_heads=1",
      .inputs = { "f32[1,4,4] noise 1 -1 1", "f32[1,4,4] noise 2 -1 1", "f32[1,4,3] noise 3 -1 1" },
      .refused = "lower.input", .says = "decay" },
    { .rule = "state_window", .op = "com.microsoft:LinearAttention", .opset = 1, .attributes = "q_num_heads=1 kv_num_heads=1 update_rule='linear' state_window=2",
      .inputs = { "f32[1,4,4] noise 1 -1 1", "f32[1,4,4] noise 2 -1 1", "f32[1,4,3] noise 3 -1 1" },
      .refused = "lower.attribute", .says = "state_window" },

    /* CausalConvWithState */
    { .rule = "a state and a bias", .op = "com.microsoft:CausalConvWithState", .opset = 1,
      .inputs = { "f32[2,3,5] noise 1 -1 1", "=f32[3,1,4] noise 2 -1 1", "=f32[3] noise 3 -1 1", "f32[2,3,3] noise 4 -1 1" },
      .outputs = { "f32[2,3,5] native", "f32[2,3,3] native" } },
    { .rule = "no state, silu", .op = "com.microsoft:CausalConvWithState", .opset = 1, .attributes = "activation='silu'",
      .inputs = { "f32[1,3,5] noise 1 -1 1", "=f32[3,1,4] noise 2 -1 1" },
      .outputs = { "f32[1,3,5] native", "f32[1,3,3] native" } },
    { .rule = "a step shorter than the state", .op = "com.microsoft:CausalConvWithState", .opset = 1, .attributes = "activation='swish'",
      .inputs = { "f32[1,3,1] noise 1 -1 1", "=f32[3,1,4] noise 2 -1 1", "-", "f32[1,3,3] noise 4 -1 1" },
      .outputs = { "f32[1,3,1] native", "f32[1,3,3] native" } },
    { .rule = "dilation", .op = "com.microsoft:CausalConvWithState", .opset = 1, .attributes = "dilation=2",
      .inputs = { "f32[1,3,5] noise 1 -1 1", "=f32[3,1,3] noise 2 -1 1", "=f32[3] noise 3 -1 1", "f32[1,3,4] noise 4 -1 1" },
      .outputs = { "f32[1,3,5] native", "f32[1,3,4] native" } },
    { .rule = "channels_last", .op = "com.microsoft:CausalConvWithState", .opset = 1, .attributes = "channels_last=1",
      .inputs = { "f32[1,5,3] noise 1 -1 1", "=f32[3,1,3] noise 2 -1 1", "=f32[3] noise 3 -1 1", "f32[1,2,3] noise 4 -1 1" },
      .outputs = { "f32[1,5,3] native", "f32[1,2,3] native" } },
    { .rule = "state_window", .op = "com.microsoft:CausalConvWithState", .opset = 1, .attributes = "state_window=1",
      .inputs = { "f32[1,3,5] noise 1 -1 1", "=f32[3,1,4] noise 2 -1 1" },
      .refused = "lower.attribute", .says = "state_window" },
};
OP_CASES_END
