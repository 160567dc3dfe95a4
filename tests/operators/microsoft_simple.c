/* com.microsoft: small operators of their own. */
#include "runner.h"

/* clang-format off */
OP_CASES = {
    /* ComplexMul, ComplexMulConj */
    { .rule = "a product that broadcasts", .op = "com.microsoft:ComplexMul", .opset = 1,
      .inputs = { "f32[2,2,2] 1 2 -3 0.5 2 2 0 1", "f32[2,2] 3 -1 0.5 4" },
      .outputs = { "f32[2,2,2] 5 5 -3.5 -11.75 8 4 -4 0.5" }, .native = "it has no kernel" },
    { .rule = "with the conjugate of B", .op = "com.microsoft:ComplexMulConj", .opset = 1,
      .inputs = { "f32[2,2] 1 2 -3 0.5", "f32[2,2] 3 -1 0.5 4" },
      .outputs = { "f32[2,2] 1 7 0.5 12.25" }, .native = "it has no kernel" },
    { .rule = "no pairs", .op = "com.microsoft:ComplexMul", .opset = 1,
      .inputs = { "f32[2,3] iota 0 1", "f32[2,3] iota 0 1" }, .refused = "lower.input", .says = "last dimension of 2" },

    /* CDist */
    { .rule = "euclidean", .op = "com.microsoft:CDist", .opset = 1, .attributes = "metric='euclidean'",
      .inputs = { "f32[3,4] noise 1 -2 2", "f32[2,4] noise 2 -2 2" }, .outputs = { "f32[3,2] native" } },
    { .rule = "squares by default", .op = "com.microsoft:CDist", .opset = 1,
      .inputs = { "f32[3,4] noise 1 -2 2", "f32[2,4] noise 2 -2 2" }, .outputs = { "f32[3,2] native" } },
    { .rule = "near points far from 0 do not cancel", .op = "com.microsoft:CDist", .opset = 1,
      .inputs = { "f32[1,2] 1000 2000", "f32[1,2] 1000.5 2000" }, .outputs = { "f32[1,1] 0.25" }, .native = "it expands the square" },
    { .rule = "another metric", .op = "com.microsoft:CDist", .opset = 1, .attributes = "metric='cosine'",
      .inputs = { "f32[3,4] noise 1 -2 2", "f32[2,4] noise 2 -2 2" }, .refused = "lower.attribute", .says = "cosine" },

    /* IsAllFinite */
    { .rule = "all are", .op = "com.microsoft:IsAllFinite", .opset = 1, .inputs = { "f32[2] 1 2", "f32[2,2] iota 0 1" }, .outputs = { "bool[] 1" }, .native = "it has no kernel" },
    { .rule = "a NaN in the second", .op = "com.microsoft:IsAllFinite", .opset = 1, .inputs = { "f32[2] 1 2", "f32[2] nan 1" }, .outputs = { "bool[] 0" }, .native = "it has no kernel" },
    { .rule = "isinf_only passes NaN", .op = "com.microsoft:IsAllFinite", .opset = 1, .attributes = "isinf_only=1", .inputs = { "f32[2] 1 nan" }, .outputs = { "bool[] 1" }, .native = "it has no kernel" },
    { .rule = "isinf_only", .op = "com.microsoft:IsAllFinite", .opset = 1, .attributes = "isinf_only=1", .inputs = { "f32[2] 1 -inf" }, .outputs = { "bool[] 0" }, .native = "it has no kernel" },
    { .rule = "isnan_only passes infinity", .op = "com.microsoft:IsAllFinite", .opset = 1, .attributes = "isnan_only=1", .inputs = { "f32[2] 1 inf" }, .outputs = { "bool[] 1" }, .native = "it has no kernel" },

    /* ExpandDims, TorchEmbedding, UnfoldTensor */
    { .rule = "in front", .op = "com.microsoft:ExpandDims", .opset = 1, .inputs = { "f32[2,3] iota 0 1", "=i32[] 0" }, .outputs = { "f32[1,2,3] native" } },
    { .rule = "a negative axis counts in the result", .op = "com.microsoft:ExpandDims", .opset = 1, .inputs = { "i64[2,3] iota 0 1", "=i32[] -1" }, .outputs = { "i64[2,3,1] native" } },
    { .rule = "an axis outside", .op = "com.microsoft:ExpandDims", .opset = 1, .inputs = { "f32[2,3] iota 0 1", "=i32[] 4" }, .refused = "lower.attribute", .says = "axis" },
    { .rule = "padding_idx has no effect", .op = "com.microsoft:TorchEmbedding", .opset = 1,
      .inputs = { "f32[4,3] iota 0 1", "i64[2,2] 3 1 1 0", "=i64[] 1", "=bool[] 1" }, .outputs = { "f32[2,2,3] native" }, .reference = "y0 = Gather x0 x1" },
    { .rule = "windows along the middle", .op = "com.microsoft:UnfoldTensor", .opset = 1, .attributes = "dim=1 size=2 step=2",
      .inputs = { "f32[2,5,3] iota 0 1" }, .outputs = { "f32[2,2,3,2] native" } },
    { .rule = "the last dim by default", .op = "com.microsoft:UnfoldTensor", .opset = 1, .attributes = "size=3",
      .inputs = { "f32[2,5] iota 0 1" }, .outputs = { "f32[2,3,3] native" } },
    { .rule = "a window longer than the dim", .op = "com.microsoft:UnfoldTensor", .opset = 1, .attributes = "size=6",
      .inputs = { "f32[2,5] iota 0 1" }, .refused = "lower.attribute", .says = "size" },

    /* NhwcMaxPool */
    { .rule = "padding, strides, int8", .op = "com.microsoft:NhwcMaxPool", .opset = 1, .attributes = "kernel_shape=[3,2] pads=[1,0,1,1] strides=[2,1]",
      .inputs = { "i8[1,5,4,2] noise 1 -128 127" }, .outputs = { "i8[1,3,4,2] native" } },
    { .rule = "ceil_mode, dilations, uint8", .op = "com.microsoft:NhwcMaxPool", .opset = 1, .attributes = "kernel_shape=[2,2] strides=[2,2] ceil_mode=1 dilations=[1,2]",
      .inputs = { "u8[1,5,6,2] noise 1 0 255" }, .outputs = { "u8[1,3,3,2] native" } },

    /* Inverse */
    { .rule = "a batch of two by two", .op = "com.microsoft:Inverse", .opset = 1, .inputs = { "f32[2,2,2] 1 2 3 4 0 1 -1 0.5" }, .outputs = { "f32[2,2,2] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "rows change places", .op = "com.microsoft:Inverse", .opset = 1, .inputs = { "f32[4,4] 0 2 1 3 1 0 2 1 3 1 0 2 2 3 1 0" }, .outputs = { "f32[4,4] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "one by one", .op = "com.microsoft:Inverse", .opset = 1, .inputs = { "f32[1,1] -4" }, .outputs = { "f32[1,1] -0.25" } },
    { .rule = "no square", .op = "com.microsoft:Inverse", .opset = 1, .inputs = { "f32[2,3] iota 0 1" }, .refused = "lower.input", .says = "16" },

    /* RelativePositionBias */
    { .rule = "both directions", .op = "com.microsoft:RelativePositionBias", .opset = 1, .attributes = "max_distance=16 is_bidirectional=1",
      .inputs = { "f32[8,2] iota 0 1", "=i64[1] 3", "=i64[1] 4" },
      .outputs = { "f32[1,2,3,4] 0 10 12 12 2 0 10 12 4 2 0 10 1 11 13 13 3 1 11 13 5 3 1 11" }, .native = "it has no kernel" },
    { .rule = "backwards only", .op = "com.microsoft:RelativePositionBias", .opset = 1, .attributes = "max_distance=20",
      .inputs = { "f32[8,1] iota 0 1", "=i64[1] 12", "=i64[1] 2" },
      .outputs = { "f32[1,1,12,2] 0 0 1 0 2 1 3 2 4 3 4 4 5 4 5 5 5 5 6 5 6 6 6 6" }, .native = "it has no kernel" },
    { .rule = "lengths that are computed", .op = "com.microsoft:RelativePositionBias", .opset = 1, .attributes = "max_distance=16",
      .inputs = { "f32[8,2] iota 0 1", "i64[1] 3", "=i64[1] 4" }, .refused = "lower.not-known", .says = "query_length" },

    /* GatedRelativePositionBias */
    { .rule = "the formula of the schema", .op = "com.microsoft:GatedRelativePositionBias", .opset = 1, .attributes = "num_heads=2",
      .inputs = { "f32[1,2,4] noise 1 -1 1", "=f32[4] noise 2 -1 1", "f32[1,2,2,2] noise 3 -1 1", "=f32[2,4] noise 4 -1 1", "=f32[4] noise 5 -1 1", "=f32[1,2,1,1] noise 6 -1 1" },
      .outputs = { "f32[1,2,2,2] native" },
      .reference = "a = Add x0 x1; s := i64[4] 1 2 2 2; b = Reshape a s; c = Transpose b | perm=[0,2,1,3]; d = MatMul c x3; e = Add d x4; t := i64[5] 1 2 2 2 2; f = Reshape e t;"
                   "ax := i64[1] 4; g = ReduceSum f ax | keepdims=0; h = Sigmoid g; u r = Split h | axis=3 num_outputs=2; i = Mul r x5; one := f32[] 1; j = Sub i one; k = Mul u j; two := f32[] 2; m = Add k two; y0 = Mul m x2" },
    { .rule = "token_offset", .op = "com.microsoft:GatedRelativePositionBias", .opset = 1, .attributes = "num_heads=2",
      .inputs = { "f32[1,2,4] noise 1 -1 1", "=f32[4] noise 2 -1 1", "f32[1,2,2,2] noise 3 -1 1", "=f32[2,4] noise 4 -1 1", "=f32[4] noise 5 -1 1", "=f32[1,2,1,1] noise 6 -1 1", "i32[1,2] 0 1" },
      .refused = "lower.input", .says = "token_offset" },

    /* Rfft, Irfft, RemovePadding */
    { .rule = "one-sided, as DFT", .op = "com.microsoft:Rfft", .opset = 1, .attributes = "signal_ndim=1 normalized=0 onesided=1",
      .inputs = { "f32[2,3,7] noise 1 -1 1" }, .outputs = { "f32[2,3,4,2] native" }, .relative = 1e-5, .absolute = 1e-5,
      .reference = "ax := i64[1] 3; a = Unsqueeze x0 ax; y0 = DFT a | onesided=1" },
    { .rule = "an even length, an open batch", .op = "com.microsoft:Rfft", .opset = 1, .attributes = "signal_ndim=1 normalized=0 onesided=1", .open = true,
      .inputs = { "f32[b:2,4] 1 2 3 4 0 1 0 -1" }, .outputs = { "f32[2,3,2] 10 0 -2 2 -2 0 0 0 0 -2 0 0" }, .absolute = 1e-6, .native = "it has no kernel" },
    { .rule = "two dimensions", .op = "com.microsoft:Rfft", .opset = 1, .attributes = "signal_ndim=2 normalized=0 onesided=1",
      .inputs = { "f32[2,4] iota 0 1" }, .refused = "lower.attribute", .says = "signal_ndim" },
    { .rule = "both sides", .op = "com.microsoft:Rfft", .opset = 1, .attributes = "signal_ndim=1 normalized=0 onesided=0",
      .inputs = { "f32[2,4] iota 0 1" }, .refused = "lower.attribute", .says = "onesided" },
    { .rule = "a signal of an odd length, by its length", .op = "com.microsoft:Irfft", .opset = 1, .attributes = "signal_ndim=1 normalized=0 onesided=1",
      .inputs = { "f32[2,2] 1 0 2 3" }, .outputs = { "f32[3] 1.6666667 -2.0653841 1.3987175" }, .absolute = 1e-6, .native = "it has no kernel" },
    { .rule = "normalized", .op = "com.microsoft:Irfft", .opset = 1, .attributes = "signal_ndim=1 normalized=1 onesided=1",
      .inputs = { "f32[2,2] 1 0 2 3" }, .refused = "lower.attribute", .says = "normalized" },
    { .rule = "real numbers", .op = "com.microsoft:Irfft", .opset = 1, .attributes = "signal_ndim=1 normalized=0 onesided=1",
      .inputs = { "f32[2,3] iota 0 1" }, .refused = "lower.input", .says = "complex" },
    { .rule = "tokens without padding", .op = "com.microsoft:RemovePadding", .opset = 1,
      .inputs = { "f32[2,3,2] iota 0 1", "=i32[2] 2 1" },
      .outputs = { "f32[3,2] 0 1 2 3 6 7", "i32[2,3] 0 1 3 2 4 5", "i32[3] 0 2 3", "i32[1] 2" }, .native = "it has no kernel" },
    { .rule = "lengths that are computed", .op = "com.microsoft:RemovePadding", .opset = 1,
      .inputs = { "f32[2,3,2] iota 0 1", "i32[2] 2 1" }, .refused = "lower.not-known", .says = "sequence_token_count" },
    { .rule = "more tokens than places", .op = "com.microsoft:RemovePadding", .opset = 1,
      .inputs = { "f32[2,3,2] iota 0 1", "=i32[2] 2 4" }, .refused = "lower.input", .says = "4 tokens" },

    /* LinearAttentionGate, RestorePadding, Range, Pad, Trilu, GatherND, GridSample */
    { .rule = "decay and update rate", .op = "com.microsoft:LinearAttentionGate", .opset = 1,
      .inputs = { "f32[2,3,4] noise 1 -3 3", "=f32[4] noise 2 -1 1", "=f32[4] noise 3 -2 0", "f32[2,3,4] noise 4 -3 3" },
      .outputs = { "f32[2,3,4] native", "f32[2,3,4] native" } },
    { .rule = "decay alone, float16", .op = "com.microsoft:LinearAttentionGate", .opset = 1,
      .inputs = { "f16[2,3,4] noise 1 -3 3", "=f32[4] noise 2 -1 1", "=f32[4] noise 3 -2 0" }, .outputs = { "f16[2,3,4] native" } },
    { .rule = "tokens to their places", .op = "com.microsoft:RestorePadding", .opset = 1,
      .inputs = { "f32[3,2] 1 2 3 4 5 6", "i32[2,2] 0 2 3 1" }, .outputs = { "f32[2,2,2] 1 2 0 0 3 4 5 6" }, .native = "it has no kernel" },
    { .rule = "a step of 1 by default", .op = "com.microsoft:Range", .opset = 1, .inputs = { "=i32[] 2", "=i32[] 6" }, .outputs = { "i32[4] native" } },
    { .rule = "floats with a step", .op = "com.microsoft:Range", .opset = 1, .inputs = { "=f32[] 2", "=f32[] 0", "=f32[] -0.75" }, .outputs = { "f32[3] native" } },
    { .rule = "negative pads cut", .op = "com.microsoft:Pad", .opset = 1, .inputs = { "f32[3,3] iota 0 1", "=i64[4] -1 1 0 2", "=f32[1] 9" }, .outputs = { "f32[2,6] native" } },
    { .rule = "reflect", .op = "com.microsoft:Pad", .opset = 1, .attributes = "mode='reflect'", .inputs = { "f32[3,3] iota 0 1", "=i64[4] 1 2 0 1" }, .outputs = { "f32[4,6] native" } },
    { .rule = "edge", .op = "com.microsoft:Pad", .opset = 1, .attributes = "mode='edge'", .inputs = { "f32[2,2] iota 0 1", "=i64[4] 1 2 0 1" }, .outputs = { "f32[3,5] native" } },
    { .rule = "lower with k", .op = "com.microsoft:Trilu", .opset = 1, .attributes = "upper=0", .inputs = { "f32[2,3,3] iota 1 1", "=i64[] -1" }, .outputs = { "f32[2,3,3] native" } },
    { .rule = "upper by default", .op = "com.microsoft:Trilu", .opset = 1, .inputs = { "i64[3,3] iota 1 1" }, .outputs = { "i64[3,3] native" } },
    { .rule = "int32 indices", .op = "com.microsoft:GatherND", .opset = 1, .inputs = { "f32[2,2,2] iota 0 1", "i32[2,2] 0 1 1 0" }, .outputs = { "f32[2,2] native" } },
    { .rule = "bicubic, border, align_corners", .op = "com.microsoft:GridSample", .opset = 1, .attributes = "mode='bicubic' padding_mode='border' align_corners=1",
      .inputs = { "f32[1,2,4,4] noise 1 -1 1", "f32[1,3,2,2] noise 2 -1.2 1.2" }, .outputs = { "f32[1,2,3,2] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "defaults", .op = "com.microsoft:GridSample", .opset = 1,
      .inputs = { "f32[1,2,4,4] noise 1 -1 1", "f32[1,3,2,2] noise 2 -1.2 1.2" }, .outputs = { "f32[1,2,3,2] native" }, .relative = 1e-5, .absolute = 1e-5 },

    /* ConvTransposeWithDynamicPads */
    { .rule = "pads as an input, a bias", .op = "com.microsoft:ConvTransposeWithDynamicPads", .opset = 1, .attributes = "strides=[2,1] output_padding=[1,0]",
      .inputs = { "f32[1,2,3,4] noise 1 -1 1", "=f32[2,3,3,2] noise 2 -1 1", "=i64[4] 1 0 0 1", "=f32[3] noise 3 -1 1" },
      .outputs = { "f32[1,3,7,4] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "pads that are computed", .op = "com.microsoft:ConvTransposeWithDynamicPads", .opset = 1,
      .inputs = { "f32[1,2,3,4] noise 1 -1 1", "=f32[2,3,3,2] noise 2 -1 1", "i64[4] 1 0 0 1" }, .refused = "lower.not-known", .says = "Pads" },

    /* CropAndResize */
    { .rule = "bilinear, corners meet corners, outside", .op = "com.microsoft:CropAndResize", .opset = 1, .attributes = "extrapolation_value=9.0",
      .inputs = { "f32[2,2,4,5] noise 1 -1 1", "f32[3,4] 0 0 1 1 0.2 -0.3 0.9 0.8 1 0.8 0.1 0.2", "i32[3] 1 0 1", "=i32[2] 3 4" },
      .outputs = { "f32[3,2,3,4] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "a size of 1 uses the centre", .op = "com.microsoft:CropAndResize", .opset = 1,
      .inputs = { "f32[1,2,4,5] noise 1 -1 1", "f32[1,4] 0.1 0.2 0.8 0.9", "i32[1] 0", "=i32[2] 1 1" },
      .outputs = { "f32[1,2,1,1] native" }, .relative = 1e-5, .absolute = 1e-5 },
    { .rule = "nearest", .op = "com.microsoft:CropAndResize", .opset = 1, .attributes = "mode='nearest'",
      .inputs = { "f32[2,2,4,5] noise 1 -1 1", "f32[2,4] 0.05 0.13 0.93 0.85 0.2 0.3 0.9 1.2", "i32[2] 1 0", "=i32[2] 3 4" },
      .outputs = { "f32[2,2,3,4] native" } },
    { .rule = "a computed size", .op = "com.microsoft:CropAndResize", .opset = 1,
      .inputs = { "f32[1,2,4,5] noise 1 -1 1", "f32[1,4] 0.1 0.2 0.8 0.9", "i32[1] 0", "i32[2] 1 1" },
      .refused = "lower.not-known", .says = "crop_size" },

    /* Unique */
    { .rule = "in the order in which they come first", .op = "com.microsoft:Unique", .opset = 1,
      .inputs = { "=f32[6] 3 1 3 -2 1 3" }, .outputs = { "f32[3] native", "i64[6] native", "i64[3] native" } },
    { .rule = "a computed input", .op = "com.microsoft:Unique", .opset = 1,
      .inputs = { "f32[6] 3 1 3 -2 1 3" }, .refused = "lower.not-known", .says = "'x'" },

    /* SparseToDenseMatMul */
    { .rule = "alpha, both transposed", .op = "com.microsoft:SparseToDenseMatMul", .opset = 1, .attributes = "alpha=0.5 transA=1 transB=1",
      .inputs = { "=f32[3,2] 0 1 0 0 2 0", "f32[4,3] noise 1 -1 1" }, .outputs = { "f32[2,4] native" },
      .reference = "y0 = com.microsoft:FusedMatMul x0 x1 | alpha=0.5 transA=1 transB=1" },
    { .rule = "a computed A", .op = "com.microsoft:SparseToDenseMatMul", .opset = 1,
      .inputs = { "f32[2,3] iota 0 1", "f32[3,4] noise 1 -1 1" }, .refused = "lower.not-known", .says = "'A'" },
};
OP_CASES_END
