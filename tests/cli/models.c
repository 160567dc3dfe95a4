/* Writes the models of the cases into a folder. */
#include "support/decoder_model.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = 1, INT32 = 6, INT64 = 7, BOOL = 9, FLOAT16 = 10, DOUBLE = 11 };

static const char *folder;

static void write_file(const char *name, const void *data, size_t size)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

static void end(struct model_builder *b, const char *name)
{
    struct span bytes = mb_end(b);
    write_file(name, bytes.data, bytes.size);
    mb_free(b);
}

static void begin(struct model_builder *b, int64_t opset)
{
    mb_begin(b, opset);
    mb_graph(b);
}

/* A value of this type; dims by name, rank < 0: no shape. */
static void put_value(struct model_builder *b, uint32_t field, const char *name,
                      const char *const *dims, int rank)
{
    size_t info = wire_begin(&b->w, field);
    wire_put_text(&b->w, 1, name);
    size_t type = wire_begin(&b->w, 2), tensor = wire_begin(&b->w, 1);
    wire_put_i64(&b->w, 1, FLOAT);
    size_t shape = rank < 0 ? 0 : wire_begin(&b->w, 2);
    for (int i = 0; i < rank; i++) {
        size_t dim = wire_begin(&b->w, 1);
        wire_put_text(&b->w, 2, dims[i]);
        wire_end(&b->w, dim);
    }
    if (rank >= 0)
        wire_end(&b->w, shape);
    wire_end(&b->w, tensor);
    wire_end(&b->w, type);
    wire_end(&b->w, info);
}

enum { INPUT = 11, OUTPUT = 12 };

static void any_output(struct model_builder *b, const char *name)
{
    put_value(b, OUTPUT, name, NULL, -1);
}

/* y = x + w */
static void add(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(2, 3));
    mb_floats(&b, "w", DIMS(3), FLOATS(1, 2, 3));
    mb_node(&b, "Add", "x w", "y");
    mb_output(&b, "y", FLOAT, DIMS(2, 3));
    end(&b, "add.onnx");
}

/* Relu of each input; dims as text. Ends at an input that is NULL. */
static void relus(const char *name, const char *const inputs[][2])
{
    struct model_builder b;
    char output[8] = "y0";
    begin(&b, 17);
    for (int i = 0; inputs[i][0]; i++, output[1]++) {
        mb_input_named(&b, inputs[i][0], FLOAT, inputs[i][1]);
        mb_node(&b, "Relu", inputs[i][0], output);
    }
    output[1] = '0';
    for (int i = 0; inputs[i][0]; i++, output[1]++)
        any_output(&b, output);
    end(&b, name);
}

static void dimensions(void)
{
    relus("two.onnx", (const char *const[][2]){ { "input_ids", "batch_size sequence_length" },
                                                { "pixels", "1 3 ? 224" },
                                                { NULL, NULL } });
    relus("seq.onnx", (const char *const[][2]){ { "x", "batch_size seq" }, { NULL, NULL } });
    relus("past.onnx", (const char *const[][2]){ { "x", "2 past" }, { NULL, NULL } });
    relus("axes.onnx", (const char *const[][2]){ { "x", "? 3 n1 n1" }, { NULL, NULL } });
    relus("equals.onnx", (const char *const[][2]){ { "x", "a=b" }, { NULL, NULL } });
    relus("shared.onnx",
          (const char *const[][2]){ { "x", "N 3" }, { "z", "N 4" }, { NULL, NULL } });
    relus("zero.onnx", (const char *const[][2]){ { "x", "0 3" }, { NULL, NULL } });
    relus("cases.onnx", (const char *const[][2]){ { "x", "Seq 3" }, { NULL, NULL } });
    relus("literal.onnx",
          (const char *const[][2]){ { "x", "2 z_dim0" }, { "z", "3" }, { NULL, NULL } });
}

/* Dims whose names have blanks or no text form. */
static void named(const char *file, const char *const *dims, int rank)
{
    struct model_builder b;
    begin(&b, 17);
    put_value(&b, INPUT, "x", dims, rank);
    mb_node(&b, "Relu", "x", "y");
    any_output(&b, "y");
    end(&b, file);
}

static void metadata(const char *name, const char *text)
{
    struct model_builder b;
    mb_begin(&b, 17);
    mb_metadata(&b, "FreeDimensionOverrides", text);
    mb_graph(&b);
    mb_input_named(&b, "x", FLOAT, "2 seq");
    mb_node(&b, "Relu", "x", "y");
    any_output(&b, "y");
    end(&b, name);
}

/* The output's first dim has a name that no input has. */
static void output_name(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(3));
    mb_node(&b, "Relu", "x", "y");
    put_value(&b, OUTPUT, "y", (const char *const[]){ "width" }, 1);
    end(&b, "output-name.onnx");
}

/* A decoder whose cache grows. */
static void decoder(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_decoder(&b);
    end(&b, "decoder.onnx");
}

/* --- pins --------------------------------------------------------------------------------------------- */

/* y = Where(flag, x, -x) with inputs of one element and this dtype, cast to bool. */
static void pinned(const char *name, int dtype)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input(&b, "flag", dtype, DIMS(1));
    mb_input(&b, "x", FLOAT, DIMS(2));
    mb_node_open(&b, "Cast", "flag", "f");
    mb_int(&b, "to", FLOAT);
    mb_close(&b);
    mb_node(&b, "Mul", "x f", "y");
    mb_output(&b, "y", FLOAT, DIMS(2));
    end(&b, name);
}

/* If with a condition that is an input: the branches are an output of a past or of nothing. */
static void branches(void)
{
    struct model_builder b;
    begin(&b, 16);
    mb_input(&b, "use_cache_branch", BOOL, DIMS(1));
    mb_input(&b, "x", FLOAT, DIMS(2));
    mb_input(&b, "past", FLOAT, DIMS(3));
    mb_node_open(&b, "If", "use_cache_branch", "y");
    mb_node_name(&b, "optimum::if");
    mb_subgraph(&b, "then_branch");
    mb_node_open(&b, "Concat", "x past", "a");
    mb_int(&b, "axis", 0);
    mb_close(&b);
    any_output(&b, "a");
    mb_close(&b);
    mb_subgraph(&b, "else_branch");
    mb_node(&b, "Relu", "x", "b");
    any_output(&b, "b");
    mb_close(&b);
    mb_close(&b);
    any_output(&b, "y");
    end(&b, "if.onnx");
}

/* --- section 7 ------------------------------------------------------------------------------------------ */

/* Names that differ only in what identifiers cannot hold. */
static void alike(void)
{
    static const char *const names[] = { "a.b", "a_b", "a:0", "a_0", "\xC3\xA4", "of two words" };
    struct model_builder b;
    begin(&b, 16);
    for (int i = 0; i < 6; i++)
        mb_input(&b, names[i], FLOAT, DIMS(1));
    size_t node = wire_begin(&b.w, 1);
    for (int i = 0; i < 6; i++)
        wire_put_text(&b.w, 1, names[i]);
    wire_put_text(&b.w, 2, "y.z");
    wire_put_text(&b.w, 4, "Concat");
    mb_int(&b, "axis", 0);
    wire_end(&b.w, node);
    mb_node(&b, "Neg", "y.z", "y_z");
    any_output(&b, "y.z");
    any_output(&b, "y_z");
    end(&b, "alike.onnx");
}

/* A branch whose weights lie in a file. */
static void branch_data(void)
{
    const float weights[] = { 10, 20 };
    const uint8_t yes = 1;
    struct model_builder b;
    write_file("branch.bin", weights, sizeof weights);
    begin(&b, 16);
    mb_input(&b, "x", FLOAT, DIMS(2));
    mb_raw(&b, "c", BOOL, SCALAR, &yes, 1);
    mb_node_open(&b, "If", "c", "y");
    mb_subgraph(&b, "then_branch");
    mb_external(&b, "w", FLOAT, DIMS(2), "branch.bin", "0", "8");
    mb_node(&b, "Mul", "w w", "t");
    any_output(&b, "t");
    mb_close(&b);
    mb_subgraph(&b, "else_branch");
    mb_node(&b, "Relu", "x", "e");
    any_output(&b, "e");
    mb_close(&b);
    mb_close(&b);
    any_output(&b, "y");
    end(&b, "branch-data.onnx");
}

/* Nodes that cannot be lowered, with names that are long, empty and not ASCII. */
static void node_names(void)
{
    enum { LONG = 1 << 16 };
    static char name[LONG + 1];
    struct model_builder b;
    memset(name, 'n', LONG);
    begin(&b, 16);
    for (int i = 0; i < 3; i++) {
        char output[8];
        (void)snprintf(output, sizeof output, "r%d", i);
        mb_node_open(&b,
                     i == 2 ? "RandomUniform"
                     : i    ? "RandomNormal"
                            : "Multinomial",
                     i ? "" : "x", output);
        mb_node_name(&b, i == 2 ? name : i ? "" : "n\xC5\x93ud \xE2\x98\x83");
        mb_close(&b);
    }
    mb_input(&b, "x", FLOAT, DIMS(1, 2));
    any_output(&b, "r0");
    end(&b, "node-names.onnx");
}

/* --- what needs a flag ---------------------------------------------------------------------------------- */

/* y = the coordinates of what is not 0 in relu(x) */
static void coordinates(void)
{
    struct model_builder b;
    begin(&b, 16);
    mb_input(&b, "x", FLOAT, DIMS(2, 3));
    mb_node(&b, "Relu", "x", "r");
    mb_node_open(&b, "NonZero", "r", "y");
    mb_node_name(&b, "found");
    mb_close(&b);
    any_output(&b, "y");
    end(&b, "bounded.onnx");
}

/* y = one of two known categories, another one must fail */
static void categories(void)
{
    struct model_builder b;
    mb_begin(&b, 16);
    mb_opset(&b, "ai.onnx.ml", 1);
    mb_graph(&b);
    mb_input(&b, "x", INT64, DIMS(3));
    mb_node_open(&b, "OneHotEncoder", "x", "y");
    mb_node_domain(&b, "ai.onnx.ml");
    mb_node_name(&b, "encoder");
    mb_int_list(&b, "cats_int64s", (const int64_t[]){ 0, 1 }, 2);
    mb_int(&b, "zeros", 0);
    mb_close(&b);
    any_output(&b, "y");
    end(&b, "categories.onnx");
}

/* y = x + w, where w is an input with a default */
static void overridable(void)
{
    struct model_builder b;
    begin(&b, 16);
    mb_input(&b, "x", FLOAT, DIMS(2));
    mb_input(&b, "w", FLOAT, DIMS(2));
    mb_floats(&b, "w", DIMS(2), FLOATS(10, 20));
    mb_node(&b, "Add", "x w", "y");
    mb_output(&b, "y", FLOAT, DIMS(2));
    end(&b, "overridable.onnx");
}

/* y = x doubled five times over */
static void trips(void)
{
    struct model_builder b;
    const uint8_t yes = 1;
    begin(&b, 16);
    mb_input(&b, "x", FLOAT, DIMS(2));
    mb_int64s(&b, "m", SCALAR, (const int64_t[]){ 5 }, 1);
    mb_raw(&b, "c", BOOL, SCALAR, &yes, 1);
    mb_node_open(&b, "Loop", "m c x", "y");
    mb_node_name(&b, "loop");
    mb_subgraph(&b, "body");
    mb_input(&b, "i", INT64, SCALAR);
    mb_input(&b, "on", BOOL, SCALAR);
    mb_input(&b, "v", FLOAT, DIMS(2));
    mb_node(&b, "Add", "v v", "w");
    mb_node(&b, "Identity", "on", "go");
    mb_output(&b, "go", BOOL, SCALAR);
    mb_output(&b, "w", FLOAT, DIMS(2));
    mb_close(&b);
    mb_close(&b);
    any_output(&b, "y");
    end(&b, "trips.onnx");
}

/* --- what cannot be converted ------------------------------------------------------------------------------ */

static void unsupported(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input(&b, "boxes", FLOAT, DIMS(1, 4, 4));
    mb_input(&b, "scores", FLOAT, DIMS(1, 1, 4));
    mb_node_open(&b, "NonMaxSuppression", "boxes scores", "kept");
    mb_node_name(&b, "/nms");
    mb_close(&b);
    for (int i = 0; i < 4; i++) {
        char output[8], name[8];
        (void)snprintf(output, sizeof output, "r%d", i);
        (void)snprintf(name, sizeof name, i ? "/rng%d" : "/rng", i);
        mb_node_open(&b, "RandomNormal", "", output);
        mb_node_name(&b, name);
        mb_int_list(&b, "shape", (const int64_t[]){ 2 }, 1);
        mb_close(&b);
    }
    mb_output(&b, "kept", INT64, DIMS(1, 3));
    mb_output(&b, "r0", FLOAT, DIMS(2));
    end(&b, "unsupported.onnx");
}

static void one_node(const char *file, int64_t opset, const char *op, const char *attribute,
                     int64_t value)
{
    struct model_builder b;
    begin(&b, opset);
    mb_input(&b, "x", FLOAT, DIMS(2, 3));
    mb_node_open(&b, op, "x", "y");
    mb_node_name(&b, "n");
    if (attribute)
        mb_int(&b, attribute, value);
    mb_close(&b);
    mb_output(&b, "y", FLOAT, DIMS(2, 3));
    end(&b, file);
}

/* Two operators that nobody knows, one behind the other, and a dimension without a value. */
static void open_unknown(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input_named(&b, "x", FLOAT, "seq");
    mb_node_open(&b, "Frobnicate", "x", "f");
    mb_node_name(&b, "a");
    mb_close(&b);
    mb_node_open(&b, "Defrobnicate", "f", "y");
    mb_node_name(&b, "b");
    mb_close(&b);
    any_output(&b, "y");
    end(&b, "open-unknown.onnx");
}

static void string_input(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input(&b, "x", 8, DIMS(2));
    mb_node(&b, "Identity", "x", "y");
    mb_output(&b, "y", 8, DIMS(2));
    end(&b, "strings.onnx");
}

/* Data above the model's folder. */
static void escape(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(1));
    mb_external(&b, "w", FLOAT, DIMS(1), "../external.data", "0", "4");
    mb_node(&b, "Add", "x w", "y");
    mb_output(&b, "y", FLOAT, DIMS(1));
    end(&b, "escape.onnx");
}

/* Initializers with dims that are no sizes, and with more of them than a tensor can have. */
static void strange_dims(void)
{
    enum { RANK = 300 };
    struct model_builder b;
    int64_t many[RANK];
    for (int i = 0; i < RANK; i++)
        many[i] = 1000000000 + i;
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, many, RANK);
    mb_raw(&b, "n", FLOAT, DIMS(-1, 3), NULL, 0);
    mb_raw(&b, "m", FLOAT, many, RANK, NULL, 0);
    mb_node(&b, "Add", "n m", "y");
    any_output(&b, "y");
    end(&b, "strange-dims.onnx");
}

static void other_domain(void)
{
    struct model_builder b;
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(1));
    mb_node_open(&b, "Thing", "x", "y");
    mb_node_name(&b, "n");
    mb_node_domain(&b, "com.example");
    mb_close(&b);
    mb_output(&b, "y", FLOAT, DIMS(1));
    end(&b, "domain.onnx");
}

static void wrong_axis(void)
{
    one_node("opset27.onnx", 27, "Relu", NULL, 0);
    one_node("axis.onnx", 17, "Softmax", "axis", 5);
    one_node("attribute.onnx", 17, "Softmax", "axle", 1);
    one_node("opset.onnx", 99, "Relu", NULL, 0);
    one_node("unknown.onnx", 17, "Frobnicate", NULL, 0);
}

/* --- external data ------------------------------------------------------------------------------------------ */

/* 291 tensors: 288 in one file, three in one that is not there. */
static void external(void)
{
    struct model_builder b;
    float values[288] = { 0 };
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(1));
    for (int i = 0; i < 291; i++) {
        char name[32], offset[16];
        bool missing = i >= 288;
        (void)snprintf(name, sizeof name, missing ? "h.%d.attn.weight" : "w%d",
                       missing ? i - 288 : i);
        (void)snprintf(offset, sizeof offset, "%d", missing ? (i - 288) * 9437184 : i * 4);
        if (missing)
            mb_external(&b, name, FLOAT, DIMS(2359296), "model.onnx_data", offset, "9437184");
        else
            mb_external(&b, name, FLOAT, DIMS(1), "external.data", offset, "4");
    }
    mb_node(&b, "Add", "x w0", "a");
    mb_node(&b, "Add", "a h.0.attn.weight", "y");
    any_output(&b, "y");
    end(&b, "external.onnx");
    write_file("external.data", values, sizeof values);
}

/* Two files, one of them entered at an offset: y = (x + a) * b, a = 1 2, b = 3 4. */
static void two_files(void)
{
    struct model_builder b;
    static const float first[2] = { 1, 2 }, second[3] = { 9, 3, 4 };
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(2));
    mb_external(&b, "a", FLOAT, DIMS(2), "first.bin", NULL, NULL);
    mb_external(&b, "b", FLOAT, DIMS(2), "sub/second.bin", "4", "8");
    mb_node(&b, "Add", "x a", "s");
    mb_node(&b, "Mul", "s b", "y");
    mb_output(&b, "y", FLOAT, DIMS(2));
    end(&b, "two-files.onnx");
    write_file("first.bin", first, sizeof first);
    write_file("second.bin", second, sizeof second);
}

/* --- long work ---------------------------------------------------------------------------------------------- */

/* A chain of products that folding has to compute. */
static void slow(void)
{
    enum { N = 384, STEPS = 4000 };
    struct model_builder b;
    float *w = calloc((size_t)N * N, sizeof *w);
    if (!w)
        exit(1);
    for (int i = 0; i < N; i++)
        w[i * N + i] = 1;
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(1, N));
    mb_raw(&b, "w", FLOAT, DIMS(N, N), w, (size_t)N * N * sizeof *w);
    for (int i = 0; i < STEPS; i++) {
        char inputs[40], output[20];
        (void)snprintf(inputs, sizeof inputs, i ? "w%d w" : "w w", i - 1);
        (void)snprintf(output, sizeof output, "w%d", i);
        mb_node(&b, "MatMul", inputs, output);
    }
    mb_node(&b, "MatMul", "x w3999", "y");
    mb_output(&b, "y", FLOAT, DIMS(1, N));
    end(&b, "slow.onnx");
    free(w);
}

/* 4 MiB of weights. */
static void big(void)
{
    enum { N = 1024 };
    struct model_builder b;
    float *w = calloc((size_t)N * N, sizeof *w);
    if (!w)
        exit(1);
    for (int k = 0; k < N * N; k++)
        w[k] = (float)(k % 97);
    begin(&b, 17);
    mb_input(&b, "x", FLOAT, DIMS(1, N));
    mb_raw(&b, "w", FLOAT, DIMS(N, N), w, (size_t)N * N * sizeof *w);
    mb_node(&b, "MatMul", "x w", "y");
    mb_output(&b, "y", FLOAT, DIMS(1, N));
    end(&b, "big.onnx");
    free(w);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    folder = argv[1];
    add();
    dimensions();
    named("half.onnx", (const char *const[]){ "encoder_sequence_length / 2" }, 1);
    named("computed.onnx", (const char *const[]){ "n2 * 4 + 1", "n2" }, 2);
    named("inexact.onnx", (const char *const[]){ "n2 / 2", "n2" }, 2);
    named("rankless.onnx", NULL, -1);
    metadata("metadata.onnx", "{\"freeDimensionOverrides\": {\"seq\": 7}, \"other\": 1}");
    metadata("metadata-bad.onnx", "{\"seq\": -1}");
    output_name();
    pinned("pin-bool.onnx", BOOL);
    pinned("pin-int32.onnx", INT32);
    pinned("pin-int64.onnx", INT64);
    pinned("pin-float.onnx", FLOAT);
    pinned("pin-half.onnx", FLOAT16);
    pinned("pin-double.onnx", DOUBLE);
    pinned("pin-bfloat16.onnx", 16);
    pinned("pin-int8.onnx", 3);
    pinned("pin-uint8.onnx", 2);
    pinned("pin-uint64.onnx", 13);
    branches();
    alike();
    branch_data();
    node_names();
    coordinates();
    categories();
    overridable();
    trips();
    unsupported();
    string_input();
    open_unknown();
    wrong_axis();
    escape();
    other_domain();
    strange_dims();
    decoder();
    external();
    two_files();
    slow();
    big();
    return 0;
}
