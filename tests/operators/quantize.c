/* Quantising, and products of quantised tensors. */
#include "runner.h"

/* -2 -1 0 1, low bits first. */
static void build_int2(struct model_builder *b)
{
    const uint8_t bits[] = { 0x4e };
    const float scale = 0.5f;
    mb_raw(b, "q", ONNX_INT2, DIMS(4), bits, sizeof bits);
    mb_raw(b, "s", ONNX_FLOAT, SCALAR, &scale, sizeof scale);
    mb_node(b, "DequantizeLinear", "q s", "y0");
}

/* A table whose rows are looked up, and multiplied with. */
static void build_tied(struct model_builder *b)
{
    const int8_t q[] = { 127, -128, 5, -90, 33, 101, -7, 64, -65, 90, 12, -1 };
    const int8_t zero = -3;
    mb_raw(b, "q", ONNX_INT8, DIMS(3, 4), q, sizeof q);
    mb_raw(b, "z", ONNX_INT8, SCALAR, &zero, sizeof zero);
    mb_node(b, "DequantizeLinear", "q x2 z", "d");
    mb_node(b, "Gather", "d x0", "y0");
    mb_node(b, "MatMul", "x1 d", "y1");
}

static void add_scale(struct model_builder *b, const char *scale_name, float scale,
                      const char *zero_name)
{
    const uint8_t zero = 0;
    mb_raw(b, scale_name, ONNX_FLOAT, SCALAR, &scale, sizeof scale);
    mb_raw(b, zero_name, ONNX_UINT8, SCALAR, &zero, sizeof zero);
}

/* Weights that are floats between quantised values. */
static void build_float_weights(struct model_builder *b)
{
    const float weights[] = { 1, 0.006f };
    mb_floats(b, "w", DIMS(1, 2, 1, 1), weights, 2);
    add_scale(b, "s", 1, "z");
    add_scale(b, "t", 0.0625f, "u");
    mb_node(b, "QuantizeLinear", "x0 s z", "q");
    mb_node(b, "DequantizeLinear", "q s z", "d");
    mb_node(b, "Conv", "d w", "c");
    mb_node(b, "QuantizeLinear", "c t u", "r");
    mb_node(b, "DequantizeLinear", "r t u", "y0");
}

static void build_quantised_pool(struct model_builder *b, int64_t dilation)
{
    const int64_t kernel[] = { 2, 2 }, dilations[] = { dilation, 1 };
    const float weight = 0.5f;
    add_scale(b, "s", 0.5f, "z");
    add_scale(b, "t", 0.25f, "u");
    mb_floats(b, "w", DIMS(1, 1, 1, 1), &weight, 1);
    mb_node(b, "Conv", "x0 w", "v");
    mb_node(b, "QuantizeLinear", "v s z", "q");
    mb_node(b, "DequantizeLinear", "q s z", "d");
    mb_node_open(b, "AveragePool", "d", "c");
    mb_int_list(b, "kernel_shape", kernel, 2);
    mb_int_list(b, "dilations", dilations, 2);
    mb_close(b);
    mb_node(b, "QuantizeLinear", "c t u", "r");
    mb_node(b, "DequantizeLinear", "r t u", "y0");
}

static void build_plain_pool(struct model_builder *b)
{
    build_quantised_pool(b, 1);
}

static void build_dilated_pool(struct model_builder *b)
{
    build_quantised_pool(b, 2);
}

/* Quantised to steps of 1, then to steps of 0.75. */
static void build_twice(struct model_builder *b)
{
    add_scale(b, "s", 1, "z");
    add_scale(b, "t", 0.75f, "u");
    mb_node(b, "QuantizeLinear", "x0 s z", "q");
    mb_node(b, "DequantizeLinear", "q s z", "d");
    mb_node(b, "QuantizeLinear", "d t u", "r");
    mb_node(b, "DequantizeLinear", "r t u", "e");
    mb_node(b, "Neg", "e", "y0");
}

/* 1.5 -2 448 0.25 with the scales 2 and 3, 2 … */
static void build_float8(struct model_builder *b)
{
    const uint8_t bits[] = { 0x3c, 0xc0, 0x7e, 0x28 };
    const float scales[] = { 2, 3 };
    mb_raw(b, "q", ONNX_FLOAT8E4M3FN, DIMS(4), bits, sizeof bits);
    mb_floats(b, "s", DIMS(2), scales, 2);
    mb_node_open(b, "DequantizeLinear", "q s", "y0");
    mb_int(b, "axis", 0);
    mb_int(b, "block_size", 2);
    mb_close(b);
}

/* 2^(b - 127) */
static void build_power_scale(struct model_builder *b)
{
    const int8_t q[] = { 3, -5 };
    const uint8_t power[] = { 129 };
    mb_raw(b, "q", ONNX_INT8, DIMS(2), q, sizeof q);
    mb_raw(b, "s", ONNX_FLOAT8E8M0, SCALAR, power, sizeof power);
    mb_node_open(b, "DequantizeLinear", "q s", "y0");
    mb_int(b, "output_dtype", ONNX_FLOAT);
    mb_close(b);
}

static void build_moved_int32(struct model_builder *b)
{
    mb_node(b, "DequantizeLinear", "x0 x1", "d");
    mb_node_open(b, "Flatten", "d", "y0");
    mb_int(b, "axis", 1);
    mb_close(b);
}

OP_CASES = {
    { .rule = "int32 without a zero point that is moved stays what it is",
      .opset = 13,
      .build = build_moved_int32,
      .inputs = { "i32[1,2,1] -6 300", "=f32[] 0.5" },
      .outputs = { "f32[1,2] -3 150" } },
    /* DequantizeLinear */
    { .rule = "one scale",
      .op = "DequantizeLinear",
      .opset = 10,
      .inputs = { "u8[4] 0 3 128 255", "=f32[] 2", "=u8[] 128" },
      .outputs = { "f32[4] -256 -2.5e+02 0 254" },
      .operators = "dequantizeLinear" },
    { .rule = "7.55 no zero point is 0",
      .op = "DequantizeLinear",
      .opset = 13,
      .inputs = { "u8[4] 0 3 128 255", "=f32[] 0.5" },
      .outputs = { "f32[4] 0 1.5 64 127.5" } },
    { .rule = "7.55 per axis, the first",
      .op = "DequantizeLinear",
      .opset = 13,
      .attributes = "axis=0",
      .inputs = { "i8[2,3] cycle 1 -2 100", "=f32[2] 0.5 2", "=i8[2] 1 -1" },
      .outputs = { "f32[2,3] 0 -1.5 49.5 4 -2 202" } },
    { .rule = "7.55 per axis, 1 by default",
      .op = "DequantizeLinear",
      .opset = 13,
      .inputs = { "u8[2,3] cycle 1 200 100", "=f32[3] 0.5 2 4", "=u8[3] 1 2 3" },
      .outputs = { "f32[2,3] 0 396 388 0 396 388" } },
    { .rule = "7.55 per axis from the end",
      .op = "DequantizeLinear",
      .opset = 13,
      .attributes = "axis=-2",
      .inputs = { "i8[2,3] cycle 1 -2 100", "=f32[2] 0.5 2", "=i8[2] 1 -1" },
      .outputs = { "f32[2,3] 0 -1.5 49.5 4 -2 202" } },
    { .rule = "7.55 blocks, the last one partial",
      .op = "DequantizeLinear",
      .opset = 21,
      .attributes = "axis=1 block_size=2",
      .inputs = { "u8[2,5] iota 0 1", "=f32[2,3] 0.5 2 4 1 3 8", "=u8[2,3] 0 1 2 3 4 5" },
      .outputs = { "f32[2,5] 0 0.5 2 4 8 2 3 9 12 32" } },
    { .rule = "a block wider than the axis",
      .op = "DequantizeLinear",
      .opset = 21,
      .attributes = "axis=0 block_size=8",
      .inputs = { "i8[3,2] iota 0 1", "=f32[1,2] 0.5 2" },
      .outputs = { "f32[3,2] 0 2 1 6 2 1e+01" } },
    { .rule = "int32 has a scale alone",
      .op = "DequantizeLinear",
      .opset = 13,
      .inputs = { "i32[3] 16777217 -16777217 5", "=f32[] 0.5" },
      .outputs = { "f32[3] 8388608 -8388608 2.5" } },
    { .rule = "int16",
      .op = "DequantizeLinear",
      .opset = 21,
      .inputs = { "i16[3] -32768 32767 0", "=f32[] 0.25", "=i16[] -3" },
      .outputs = { "f32[3] -8191.25 8192.5 0.75" } },
    { .rule = "uint16 per axis",
      .op = "DequantizeLinear",
      .opset = 21,
      .attributes = "axis=0",
      .inputs = { "u16[2,2] cycle 65535 1", "=f32[2] 0.25 2", "=u16[2] 1 65535" },
      .outputs = { "f32[2,2] 16383.5 0 0 -131068" } },
    { .rule = "7.81 float16 scales",
      .op = "DequantizeLinear",
      .opset = 19,
      .inputs = { "u8[4] 0 3 128 255", "=f16[] 0.099975586", "=u8[] 3" },
      .outputs = { "f16[4] -0.2998047 0 12.5 25.1875" } },
    { .rule = "a per-axis scale of the wrong length",
      .op = "DequantizeLinear",
      .opset = 13,
      .inputs = { "i8[2,3] cycle 1", "=f32[2] 0.5 2" },
      .refused = "lower.input",
      .says = "one per index of axis 1" },
    { .rule = "before 13 there is no axis",
      .op = "DequantizeLinear",
      .opset = 10,
      .inputs = { "i8[2,3] cycle 1", "=f32[3] 0.5 2 1" },
      .refused = "lower.input",
      .says = "scalar" },

    /* QuantizeLinear */
    { .rule = "7.56 ties go to even",
      .op = "QuantizeLinear",
      .opset = 13,
      .inputs = { "f32[5] 0.5 1.5 2.5 -0.5 -1.5", "=f32[] 1", "=u8[] 10" },
      .outputs = { "u8[5] 10 12 12 10 8" },
      .operators = "quantizeLinear" },
    { .rule = "7.56 saturates at both ends",
      .op = "QuantizeLinear",
      .opset = 13,
      .inputs = { "f32[4] 1e+03 -1e+03 3e+38 -3e+38", "=f32[] 0.5", "=i8[] -5" },
      .outputs = { "i8[4] 127 -128 127 -128" } },
    { .rule = "no zero point: uint8",
      .op = "QuantizeLinear",
      .opset = 13,
      .inputs = { "f32[4] 1 2 -3 3e+02", "=f32[] 1" },
      .outputs = { "u8[4] 1 2 0 255" } },
    { .rule = "per axis",
      .op = "QuantizeLinear",
      .opset = 13,
      .attributes = "axis=0",
      .inputs = { "f32[2,3] iota -3 1.5", "=f32[2] 0.5 2", "=i8[2] 1 -1" },
      .outputs = { "i8[2,3] -5 -2 1 0 1 1" } },
    { .rule = "blocks",
      .op = "QuantizeLinear",
      .opset = 21,
      .attributes = "axis=1 block_size=2",
      .inputs = { "f32[2,4] iota -3 1.5", "=f32[2,2] 0.5 2 1 0.25", "=i8[2,2] 1 -1 0 3" },
      .outputs = { "i8[2,4] -5 -2 -1 0 3 4 27 33" } },
    { .rule = "int16 saturates in 16 bits",
      .op = "QuantizeLinear",
      .opset = 21,
      .inputs = { "f32[3] 4e+04 -4e+04 2.5", "=f32[] 1", "=i16[] 1" },
      .outputs = { "i16[3] 32767 -32768 3" },
      .operators = "quantizeLinear clamp" },
    { .rule = "uint16",
      .op = "QuantizeLinear",
      .opset = 21,
      .inputs = { "f32[3] 4e+04 -4e+04 7e+04", "=f32[] 1", "=u16[] 7" },
      .outputs = { "u16[3] 40007 0 65535" } },
    { .rule = "output_dtype without a zero point",
      .op = "QuantizeLinear",
      .opset = 21,
      .attributes = "output_dtype=3",
      .inputs = { "f32[3] 4e+04 -2e+02 2.5", "=f32[] 1" },
      .outputs = { "i8[3] 127 -128 2" } },
    { .rule = "output_dtype beside another zero point",
      .op = "QuantizeLinear",
      .opset = 21,
      .attributes = "output_dtype=3",
      .inputs = { "f32[1] 1", "=f32[] 1", "=u8[] 7" },
      .refused = "lower.attribute",
      .says = "zero point has type uint8" },
    { .rule = "int32 is quantised as a float",
      .op = "QuantizeLinear",
      .opset = 10,
      .inputs = { "i32[3] 100 -7 300", "=f32[] 2", "=u8[] 1" },
      .outputs = { "u8[3] 51 0 151" },
      .native = "no kernel of int32" },
    { .rule = "computed scale and zero point",
      .op = "QuantizeLinear",
      .opset = 13,
      .inputs = { "f32[3] 0.5 1.5 1e+02", "f32[] 0.25", "u8[] 3" },
      .outputs = { "u8[3] 5 9 255" } },

    /* DynamicQuantizeLinear */
    { .rule = "the range holds 0",
      .op = "DynamicQuantizeLinear",
      .opset = 11,
      .inputs = { "f32[3] 1 2 3.5" },
      .outputs = { "u8[3] 73 146 255", "f32[] 0.01372549", "u8[] 0" } },
    { .rule = "negative and positive",
      .op = "DynamicQuantizeLinear",
      .opset = 11,
      .inputs = { "f32[2,2] -1 0.5 2 -3.25" },
      .outputs = { "u8[2,2] 109 182 255 0", "f32[] 0.020588236", "u8[] 158" } },
    { .rule = "all zeros have the scale 1",
      .op = "DynamicQuantizeLinear",
      .opset = 11,
      .inputs = { "f32[2] 0 0" },
      .outputs = { "u8[2] 0 0", "f32[] 1", "u8[] 0" } },

    /* exact integer products */
    { .rule = "7.45 a long sum is exact",
      .op = "MatMulInteger",
      .opset = 10,
      .inputs = { "u8[1,4096] cycle 255", "=u8[4096,1] cycle 255" },
      .outputs = { "i32[1,1] 266342400" } },
    { .rule = "7.45 computed on both sides",
      .op = "MatMulInteger",
      .opset = 10,
      .inputs = { "u8[1,1000] cycle 255 1", "i8[1000,1] cycle -128 127" },
      .outputs = { "i32[1,1] -16256500" } },
    { .rule = "zero points, one per column",
      .op = "MatMulInteger",
      .opset = 10,
      .inputs = { "u8[2,3] 1 2 3 4 5 255", "i8[3,2] cycle 1 -2 100", "=u8[] 3", "=i8[2] 1 -1" },
      .outputs = { "i32[2,2] -99 0 -558 25455" } },
    { .rule = "zero points, one per row",
      .op = "MatMulInteger",
      .opset = 10,
      .inputs = { "u8[2,3] 1 2 3 4 5 6", "u8[3,2] cycle 1 2 100", "=u8[2] 1 2" },
      .outputs = { "i32[2,2] 104 201 310 407" },
      .native = "only a scalar zero point of A has a kernel" },
    { .rule = "vectors",
      .op = "MatMulInteger",
      .opset = 10,
      .inputs = { "u8[3] 1 2 3", "u8[3] 4 5 6" },
      .outputs = { "i32[] 32" } },
    { .rule = "7.45 padding is with the zero point",
      .op = "ConvInteger",
      .opset = 10,
      .attributes = "pads=[1,1,1,1]",
      .inputs = { "u8[1,1,3,3] iota 1 1", "=u8[1,1,2,2] 1 1 1 1", "=u8[] 1" },
      .outputs = { "i32[1,1,4,4] 0 1 3 2 3 8 12 7 9 20 24 13 6 13 15 8" } },
    { .rule = "7.45 many channels are exact",
      .op = "ConvInteger",
      .opset = 10,
      .inputs = { "u8[1,600,1,1] cycle 255", "u8[1,600,1,1] cycle 255" },
      .outputs = { "i32[1,1,1,1] 39015000" } },
    { .rule = "groups that are cut into chunks",
      .op = "ConvInteger",
      .opset = 10,
      .attributes = "group=2",
      .inputs = { "u8[1,600,1,2] cycle 255 254", "u8[2,300,1,1] cycle 255 3" },
      .outputs = { "i32[1,2,1,2] 9868500 9829800 9868500 9829800" } },
    { .rule = "requantised with a bias, per channel",
      .op = "QLinearConv",
      .opset = 10,
      .attributes = "pads=[1,0,0,1]",
      .inputs = { "u8[1,2,3,3] iota 0 7", "=f32[] 0.02", "=u8[] 100",
                  "=u8[2,2,2,2] cycle 3 200 90 255 0", "=f32[2] 0.01 0.03", "=u8[2] 90 100",
                  "=f32[] 0.25", "=u8[] 12", "=i32[2] 100 -200" },
      .outputs = { "u8[1,2,3,3] 0 0 10 5 5 20 7 7 18 28 25 37 0 0 0 0 0 0" } },
    { .rule = "requantised",
      .op = "QLinearMatMul",
      .opset = 10,
      .inputs = { "u8[2,3] 1 2 3 200 100 255", "=f32[] 0.05", "=u8[] 100",
                  "=u8[3,2] cycle 3 200 90", "=f32[] 0.02", "=u8[] 90", "=f32[] 0.5", "=u8[] 7" },
      .outputs = { "u8[2,2] 3 2 24 29" } },
    { .rule = "one scale per column",
      .op = "QLinearMatMul",
      .opset = 10,
      .inputs = { "u8[2,3] 1 2 3 200 100 255", "=f32[] 0.05", "=u8[] 100",
                  "=i8[3,2] cycle 3 -100 90", "=f32[2] 0.02 0.5", "=i8[2] 0 0", "=f32[] 0.5",
                  "=u8[] 7" },
      .outputs = { "u8[2,2] 8 51 0 205" } },

    /* MatMulNBits */
    { .rule = "7.73 4 bits, the middle is the zero point",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=32 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,32] -0.9 -1.5 0.4 -0.7 -1.9 -0.8 -0.5 -1.2 -1.5 0 0.9 -0.2 -0.7 0.4 0.7 -0.3 0.5 1 -0.2 -0.8 0.3 0.2 1.1 -1.3 -0.7 -0.8 -1.7 0.1 0.5 -0.7 1.4 0.8 0.6 0.4 1 -1.3 0.6 0.6 -1.8 0.3 -0.3 0.8 -0.4 -0 0.3 -0.9 0.6 -0.1 0.5 -0.5 1.1 0.6 -0.2 0.6 1.3 1.8 -1.6 0.9 0.5 -0.1 -1 1.3 -1.3 0.6",
                  "=u8[2,2,8] 34 32 204 127 151 153 182 7 124 37 102 237 140 18 138 33 193 242 250 159 222 94 37 130 113 169 254 70 219 35 89 201",
                  "=f32[2,2] 0.14 0.11 0.17 0.12" },
      .outputs = { "f32[2,2] 0.81400007 -3.7940001 -1.5790001 -5.683" },
      .operators = "dequantizeLinear reshape transpose matmul",
      .absolute = 0.0001 },
    { .rule = "7.73 packed zero points, an odd number of blocks",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=40 N=3 bits=4 block_size=16",
      .inputs = { "f32[2,40] 0.3 -2.1 -1.4 0.8 -0.6 0.6 0.5 1.3 0.8 1 -0.1 -0.7 -0.7 -0.5 -1.1 -0.5 -0.1 0.3 -0.3 -1.9 -0.1 0.2 1.1 0.6 -0.6 -0.7 2 0.8 1.8 2.1 -0.8 0.4 0.5 0.6 0.5 0.2 0.2 -1.5 -0.2 -0.7 0.1 -0.5 0.6 0.8 0.3 0.3 0.1 -0.4 -0.2 -0.5 0.4 0 0.6 -1.3 0.9 -0.8 -0.7 -0.2 -0.6 0.3 -0.6 -1.1 -0.8 1.3 0 -1.2 0 -1.6 1.8 -1.5 0.5 0.5 -1.5 0.3 1 0.5 0.3 0.9 0.2 0.3",
                  "=u8[3,3,8] 198 80 255 191 224 10 27 17 136 103 250 62 43 216 77 189 74 139 20 169 234 177 225 199 145 237 122 38 142 160 45 36 169 113 123 201 175 229 42 194 138 9 18 92 163 41 139 255 36 36 247 62 223 91 193 15 161 222 86 162 55 40 0 127 133 20 58 156 93 59 1 9",
                  "=f32[3,3] 0.04 0.12 0.13 0.08 0.14 0.08 0.04 0.08 0.09",
                  "=u8[3,2] 230 2 241 17 206 117" },
      .outputs = { "f32[2,3] -0.32999992 -6.1699996 -4.225 3.289 6.2200003 3.626" },
      .absolute = 0.0001 },
    { .rule = "7.73 float zero points",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=32 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,32] -0 1.1 -0.3 -1.9 0.1 0.4 -0.4 0.3 0.6 -0.9 -1.5 -0.2 -0.2 -0.4 1 1.7 -0.4 0.7 0.9 0.7 1 -0.4 0.7 2 0.8 -0.6 0.6 1.3 0.4 -0.6 1.5 -1.2 0.5 -0 -1.2 1.2 0.3 -1.2 0.6 -0.4 -1.9 -0.7 0.3 0.6 0.2 0 0.5 -0.2 1.2 0.1 0.3 0.5 -1.1 -0.7 1.5 0.3 -0.3 0.3 -0.5 0.3 -0.7 0.3 -1.6 1.3",
                  "=u8[2,2,8] 32 249 109 11 184 253 39 137 237 30 202 107 13 53 219 182 226 138 33 73 76 65 20 221 24 196 183 111 160 103 134 188",
                  "=f32[2,2] 0.19 0.03 0.05 0.09", "=f32[2,2] 7 5.8 10.5 2.6" },
      .outputs = { "f32[2,2] -5.9256 3.9984 3.0452 1.3952" },
      .absolute = 0.0001 },
    { .rule = "7.73 K is no multiple of the block",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=20 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,20] -0 0.8 0.1 -0.8 0.2 2.6 1.3 -2.8 -0.1 -0.9 0.6 -0.2 1.9 0.9 0.9 0.2 -0 0.3 1.3 0.5 -0.4 1.3 0.2 -0.1 -0.8 -0.6 -0.6 -2.8 1 0.6 -0.2 1 0.4 0.4 -2.5 -0.2 0.5 1.6 1.8 1.4",
                  "=u8[2,2,8] 163 2 251 151 183 135 89 221 5 106 187 201 63 4 250 6 206 153 0 57 46 17 151 32 85 95 8 86 156 144 139 227",
                  "=f32[2,2] 0.09 0.05 0.12 0.02", "-", "-", "=f32[2] 0 0.5" },
      .outputs = { "f32[2,2] 2.084 -0.80599993 -2.286 6.002" },
      .absolute = 0.0001 },
    { .rule = "7.73 8 bits",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=20 N=2 bits=8 block_size=16",
      .inputs = { "f32[2,20] -0.5 0.4 1.6 0.4 0.4 0.4 -0.8 0.5 -0.2 -0.8 -0 -0.2 0.8 -0 -0.5 1.5 1 1.3 0.6 -0.1 -0.4 -0.3 0.9 0.1 -1.5 -0 -1.4 0.2 -1.2 -1.3 0.1 -0.1 -1.7 0.7 2.2 -1.5 1.8 -0.7 -0.5 -0.2",
                  "=u8[2,2,16] 167 78 86 149 37 78 241 97 161 26 184 99 153 6 47 57 32 232 129 71 62 69 62 173 139 226 210 75 82 96 213 182 114 202 159 157 187 45 167 46 25 194 9 180 54 229 9 199 234 107 250 34 220 227 58 178 191 147 9 174 21 98 68 87",
                  "=f32[2,2] 0.12 0.11 0.15 0.19", "=u8[2,2] 183 145 206 181" },
      .outputs = { "f32[2,2] -47.127 -20.619 -11.721 43.379" },
      .absolute = 0.0001 },
    { .rule = "7.73 2 bits",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=32 N=2 bits=2 block_size=16",
      .inputs = { "f32[2,32] -0.7 0.5 -0.4 -0.3 1.1 1.7 0.3 -0.2 0.6 -1.9 -0 -1.1 2.4 0.7 0.1 -0.2 -2.5 0.7 1.6 -0.7 0.7 0.7 -1.5 0.9 1.4 0.2 -0.1 0.8 -1.5 0.1 1.1 -1.2 1 -0.4 -2.1 -0.1 -1 0.3 -1.2 1.1 -0.7 0.4 -0.6 -0.3 1.2 0.2 -0.4 -1.3 1.2 0.7 -0.3 0.2 -1 -1 -0.8 0.4 0.3 -0.7 0.7 0.8 0.2 1 -0.3 -0.1",
                  "=u8[2,2,4] 45 184 142 114 153 162 31 58 198 5 29 173 49 121 203 231",
                  "=f32[2,2] 0.07 0.17 0.2 0.18", "=u8[2,1] 76 111" },
      .outputs = { "f32[2,2] 0.55500007 -1.5380001 -0.937 1.04" },
      .absolute = 0.0001 },
    { .rule = "7.73 groups of input features",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=32 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,32] 0.5 -1 -0.9 -0.9 0.5 0.3 0.6 1.1 -1.4 -0.6 0.1 -1.3 -0.5 1 1.1 1.1 0 -0.2 1.1 -0.4 0.3 1.3 -0.4 -0.6 -0 0.6 0.5 0.2 0.6 -1.6 -0.9 0.2 -0.9 -1.3 -1.2 -0.9 -0.2 -1 0.2 1.7 -0.1 1.3 0.3 -1.1 -0.3 -1 0.8 -1.2 1.3 0.6 -2 0.8 1.6 -0.8 1 -1.8 0.3 -1.7 0.5 -1.8 -2.6 0.4 2.3 -0.6",
                  "=u8[2,2,8] 43 224 121 82 22 159 114 216 244 182 33 158 223 248 81 22 53 26 158 141 117 244 46 175 245 79 138 27 90 114 187 122",
                  "=f32[2,2] 0.1 0.13 0.07 0.18", "-",
                  "=i32[32] 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1" },
      .outputs = { "f32[2,2] 0.45600003 0.47700006 -1.4119998 4.165" },
      .absolute = 0.0001 },
    { .rule = "7.73 groups with their zero points",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=32 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,32] 0.9 -1.4 -1.6 1.1 -0.9 0.1 -1.1 -0.2 -1.3 1.6 -1 -0.1 -0.2 1.2 -1.4 -0 -0.2 0.5 0.5 -0.5 0.2 -0.4 0.5 -0.1 -0.7 -0 0.4 2.3 -0.5 0.3 1.5 -2.1 -1.7 -1.2 -0.1 2.4 0.4 1.2 -0.2 -2.5 -2.3 1 0.2 -1.3 1.1 -1.5 1.1 1.5 -0.8 -1.1 0.8 -1.1 0.9 -1.2 0.8 0.1 -0.4 -0.9 0.2 -1.9 -0.3 -0.4 0.7 -1.3", "=u8[2,2,8] 103 24 115 67 160 43 149 123 115 222 105 183 26 52 152 9 246 17 172 111 202 93 249 174 16 21 74 65 223 175 204 145",
                  "=f32[2,2] 0.11 0.18 0.04 0.06", "=u8[2,1] 126 89",
                  "=i32[32] 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1" },
      .outputs = { "f32[2,2] 6.0109997 -0.58399993 5.8609996 -1.976" },
      .native = "the runtime drops zero points beside g_idx",
      .absolute = 0.0001 },
    { .rule = "groups with float zero points",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=32 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,32] -0.2 2 0 -1.1 0.7 -0.9 -0.5 0.3 -0.1 -0.8 -0.6 -0.6 1.2 -0.7 -0.6 2 -0.6 1.5 1.3 -0.2 -1.4 0.5 0.7 1 0.1 1.2 1.4 -1.1 1.4 0.2 -0.6 -0.3 1.9 1 -1.8 0.1 -0.1 -0.2 -0.5 -1.5 0.9 -0.9 -0.4 -0.6 -0.7 0.7 0.4 -0.7 -0.9 -0.5 1 0.1 0.2 -0.3 -0.3 0.2 -1.8 1.6 -0.8 -0.6 1.3 0.2 0 -0.6",
                  "=u8[2,2,8] 165 101 100 217 130 148 74 154 169 99 118 206 77 128 19 190 41 234 91 156 182 111 50 67 168 233 225 195 211 204 90 56",
                  "=f32[2,2] 0.1 0.18 0.06 0.17", "=f32[2,2] 5.4 10.3 1.3 7.7",
                  "=i32[32] 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1" },
      .outputs = { "f32[2,2] -0.23000014 -0.23060006 -5.226 -0.88220006" },
      .absolute = 0.0001 },
    { .rule = "groups that are the blocks say nothing",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=32 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,32] -1.2 -1.5 -1 1.1 -0.3 -0.8 -0 1.2 -1.4 -0.4 -1.4 2.2 1.8 1 -0.1 0.7 -2.1 0.3 -1.3 -1.3 -0.7 -0.4 0.6 0.7 0.3 -0.9 0.7 -0.1 1.2 -0.9 -2.8 -0.5 2.2 0.5 -0.2 0.9 0.5 0.5 -0.5 0.1 0.2 -0.6 -1.1 0.1 1 0.6 0.5 0.5 2.6 0.3 1 2 0.1 0.3 1 1.7 0.3 0.4 0.1 -1.2 1.1 -0.3 -1.7 -0.1",
                  "=u8[2,2,8] 201 115 167 54 46 145 191 171 178 32 193 76 142 15 34 152 246 20 48 58 181 114 203 115 233 8 145 242 190 58 44 156",
                  "=f32[2,2] 0.06 0.13 0.08 0.08", "-",
                  "=i32[32] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1" },
      .outputs = { "f32[2,2] 5.8999996 1.7919999 -2.1219997 -0.4399999" },
      .operators = "dequantizeLinear reshape transpose matmul",
      .absolute = 0.0001 },
    { .rule = "a batch",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=16 N=2 bits=4 block_size=16",
      .inputs = { "f32[2,1,2,16] 0.2 0.1 -0.1 1.1 -0.6 0.5 -0.1 0.3 -0.3 2.1 -0.6 0.3 0.3 0.6 0.5 0.4 1 -1.5 0 -1.2 0.2 -1.2 -0.9 -0 1.4 0.6 0.3 1.4 -0.9 -2.1 -0.4 -0.3 1.2 2.2 -1.3 2.5 1.6 0.9 0.4 2.4 0.1 -0.5 0.2 -1.4 0.5 -0.1 0.3 0.4 -1 1.3 -1 0.9 -1.6 0.4 -0.8 0.1 -0.6 -2.2 -1.1 0.1 0.6 -1.5 -2.1 -0.9",
                  "=u8[2,1,8] 220 247 29 82 150 224 75 55 207 242 9 254 167 12 115 83",
                  "=f32[2,1] 0.2 0.19" },
      .outputs = { "f32[2,1,2,2] 1.5200001 0.17099996 2.86 -0.70299995 3.1200001 11.761 5.2599998 0.81699973" },
      .absolute = 0.0001 },
    { .rule = "prepacked weights",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=16 N=1 block_size=16 weight_prepacked=1",
      .inputs = { "f32[1,16] cycle 1", "=u8[1,1,8] cycle 1", "=f32[1] 1" },
      .refused = "lower.attribute",
      .says = "weight_prepacked" },
    { .rule = "weights of the wrong size",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=16 N=1 block_size=16",
      .inputs = { "f32[1,16] cycle 1", "=u8[1,1,9] cycle 1", "=f32[1] 1" },
      .refused = "lower.input",
      .says = "8 elements" },
    { .rule = "computed weights",
      .op = "com.microsoft:MatMulNBits",
      .opset = 1,
      .attributes = "K=16 N=1 block_size=16",
      .inputs = { "f32[1,16] cycle 1", "u8[1,1,8] cycle 1", "=f32[1] 1" },
      .refused = "lower.not-known",
      .says = "must be known" },
    /* kinds that only files hold */
    { .rule = "7.55 int4",
      .op = "DequantizeLinear",
      .opset = 21,
      .inputs = { "=i4[5] -8 7 -1 0 3", "=f32[] 0.5", "=i4[] 1" },
      .outputs = { "f32[5] -4.5 3 -1 -0.5 1" } },
    { .rule = "float weights between quantised values stay floats",
      .opset = 21,
      .build = build_float_weights,
      .inputs = { "f32[1,2,1,2] 0 10 250 100" },
      .outputs = { "f32[1,1,1,2] 1.5 10.625" } },
    { .rule = "a pool between quantised values",
      .opset = 21,
      .build = build_plain_pool,
      .inputs = { "f32[1,1,3,3] 1 2 3 4 50 60 7 8 99" },
      .outputs = { "f32[1,1,2,2] native" },
      .absolute = 0.25 },
    { .rule = "a dilated pool between quantised values",
      .opset = 21,
      .build = build_dilated_pool,
      .inputs = { "f32[1,1,3,3] 1 2 3 4 50 60 7 8 99" },
      .outputs = { "f32[1,1,1,2] native" },
      .absolute = 0.25 },
    { .rule = "two quantisations in a row are two",
      .opset = 21,
      .build = build_twice,
      .inputs = { "f32[3] 1.4 0.6 2.6" },
      .outputs = { "f32[3] -0.75 -0.75 -3" } },
    { .rule = "an int8 constant that is read twice",
      .opset = 21,
      .build = build_tied,
      .inputs = { "i64[2] 2 0", "f32[2,3] 1 0 -1 0.5 2 0.25", "f32[] 0.25" },
      .outputs = { "f32[2,4] -15.5 23.25 3.75 0.5 32.5 -31.25 2 -21.75", "f32[2,4] native" } },
    { .rule = "uint4 in blocks",
      .op = "DequantizeLinear",
      .opset = 21,
      .attributes = "axis=1 block_size=2",
      .inputs = { "=u4[2,4] 0 15 8 7 1 2 3 4", "=f32[2,2] 1 2 0.5 4", "=u4[2,2] 8 7 0 1" },
      .outputs = { "f32[2,4] -8 7 2 0 0.5 1 8 12" } },
    { .rule = "int2", .opset = 25, .build = build_int2, .outputs = { "f32[4] -1 -0.5 0 0.5" } },
    { .rule = "8-bit floats are decoded, in blocks",
      .opset = 21,
      .build = build_float8,
      .outputs = { "f32[4] 3 -4 1344 0.75" } },
    { .rule = "powers of two as a scale",
      .opset = 24,
      .build = build_power_scale,
      .outputs = { "f32[2] 12 -20" },
      .native = "opset 24 has no kernel" },
    { .rule = "computed 8-bit floats",
      .op = "DequantizeLinear",
      .opset = 19,
      .inputs = { "f8e4m3fn[1] 1", "=f32[] 2" },
      .refused = "lower.dtype",
      .says = "no WebNN input can have" },
    { .rule = "results of 8-bit floats",
      .op = "QuantizeLinear",
      .opset = 19,
      .inputs = { "f32[1] 1", "=f32[] 2", "=f8e4m3fn[] 0" },
      .refused = "lower.dtype",
      .says = "float8e4m3fn" },
    { .rule = "output_dtype sets the precision",
      .op = "DequantizeLinear",
      .opset = 23,
      .attributes = "output_dtype=10",
      .inputs = { "u8[2] 3 200", "=f32[] 0.1" },
      .outputs = { "f16[2] 0.29980469 20" } },
    { .rule = "precision of the division",
      .op = "QuantizeLinear",
      .opset = 23,
      .attributes = "precision=1",
      .inputs = { "f16[2] 3 200", "=f16[] 0.5", "=u8[] 1" },
      .outputs = { "u8[2] 7 255" } },
    { .rule = "of com.microsoft",
      .op = "com.microsoft:DequantizeLinear",
      .opset = 1,
      .attributes = "axis=0",
      .inputs = { "u16[2] 3 200", "=f32[2] 0.5 2", "=u16[2] 1 0" },
      .outputs = { "f32[2] 1 400" } },
    { .rule = "of com.microsoft, int16",
      .op = "com.microsoft:QuantizeLinear",
      .opset = 1,
      .inputs = { "f32[2] 3 -70000", "=f32[] 0.5", "=i16[] 1" },
      .outputs = { "i16[2] 7 -32768" } },
};
OP_CASES_END
