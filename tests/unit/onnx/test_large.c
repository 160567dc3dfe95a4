/* Long models open in linear time, large ones without reading their weights. */
#include "unit/onnx/onnx_test.h"

#include "base/system.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* A chain v0 → v1 → … of nodes, written last node first when `backwards`. */
static void put_chain(struct model_builder *b, uint32_t count, bool backwards)
{
    char input[32], output[32];
    mb_begin(b, 17);
    mb_graph(b);
    mb_input(b, "v0", ONNX_FLOAT, DIMS(2));
    mb_output(b, "v1", ONNX_FLOAT, DIMS(2));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = backwards ? count - 1 - i : i;
        snprintf(input, sizeof input, "v%u", at);
        snprintf(output, sizeof output, "v%u", at + 1);
        mb_node_open(b, "LeakyRelu", input, output);
        mb_float(b, "alpha", 0.5f);
        mb_close(b);
    }
}

/* Of this process: what other programs do meanwhile does not count. */
static double processor_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Milliseconds of work to open it. */
static double time_chain(uint32_t count, bool backwards)
{
    struct model_builder b;
    struct onnx_model *m;
    put_chain(&b, count, backwards);
    struct span bytes = mb_end(&b);
    double begun = processor_ms();
    assert_ok(onnx_model_open_bytes(bytes, "m", NULL, NULL, NULL, NULL, &m));
    double ms = processor_ms() - begun;
    assert_int_equal(m->graph.node_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(m->graph.nodes[i].index, backwards ? count - 1 - i : i);
    onnx_model_close(m);
    mb_free(&b);
    return ms;
}

/* Eight times the nodes may take 30 times as long: caches are small, but what is
 * quadratic takes 64 times. */
static void time_grows_with_the_nodes(void **state)
{
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        double small = time_chain(25000, backwards), large = time_chain(200000, backwards);
        print_message("200,000 nodes%s: %.0f ms\n", backwards ? " backwards" : "", large);
        assert_true(large < 30 * (small + 5));
    }
}

/* Bytes of a tag below 16 and a length. */
static uint64_t header_size(uint64_t length)
{
    uint64_t size = 2;
    while (length >>= 7)
        size++;
    return size;
}

static void put_length(struct wire_writer *w, uint32_t field, uint64_t length)
{
    uint8_t bytes[11] = { (uint8_t)(field << 3 | 2) };
    size_t n = 1;
    for (; length >= 0x80; length >>= 7)
        bytes[n++] = (uint8_t)(length | 0x80);
    bytes[n++] = (uint8_t)length;
    wire_put_raw(w, (struct span){ bytes, n });
}

/* A model file whose one initializer has `size` bytes of raw_data, a hole in the file. */
static void write_holed_model(const char *path, uint64_t size)
{
    struct wire_writer tensor = { 0 }, rest = { 0 }, model = { 0 };
    struct span head, tail, front;
    wire_put_i64s(&tensor, TENSOR_DIMS, DIMS((int64_t)size));
    wire_put_i64(&tensor, TENSOR_DATA_TYPE, ONNX_UINT8);
    wire_put_text(&tensor, TENSOR_NAME, "w");
    wire_put_bytes(&rest, GRAPH_OUTPUT, SPAN("\x0a\x01w"));
    assert_ok(wire_written(&tensor, &head));
    assert_ok(wire_written(&rest, &tail));
    uint64_t tensor_size = head.size + header_size(size) + size;
    uint64_t graph_size = header_size(tensor_size) + tensor_size + tail.size;
    wire_put_i64(&model, MODEL_IR_VERSION, 8);
    wire_put_bytes(&model, MODEL_OPSET_IMPORT, SPAN("\x10\x11"));
    put_length(&model, MODEL_GRAPH, graph_size);
    put_length(&model, GRAPH_INITIALIZER, tensor_size);
    wire_put_raw(&model, head);
    put_length(&model, TENSOR_RAW_DATA, size);
    assert_ok(wire_written(&model, &front));

    int file = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, front.data, front.size, 0), front.size);
    assert_int_equal(pwrite(file, tail.data, tail.size, (off_t)(front.size + size)), tail.size);
    assert_int_equal(close(file), 0);
    wire_writer_free(&tensor);
    wire_writer_free(&rest);
    wire_writer_free(&model);
}

static long resident_kb(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void weights_above_2_gib_are_not_read(void **state)
{
    (void)state;
    static const uint64_t size = (5ull << 30) + 3;
    struct diags d;
    struct temp_folder t;
    struct onnx_model *m;
    struct onnx_payload p;
    diags_init(&d, NULL);
    temp_folder_create(&t);
    const char *path = temp_path(&t, "m.onnx");
    write_holed_model(path, size);
    long before = resident_kb();
    assert_ok(onnx_model_open(path, NULL, NULL, &d, &m));
    assert_ok(onnx_tensor_payload(m, &m->graph.initializers[0], &d, &p));
    assert_true(p.size == size);
    assert_int_equal(p.kind, ONNX_PAYLOAD_RANGE);
    assert_true(p.offset + p.size + 5 == m->file->size);
    assert_true(resident_kb() - before < 64 * 1024);
    onnx_model_close(m);
    temp_folder_remove(&t);
    diags_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_above_2_gib_are_not_read),
        cmocka_unit_test(time_grows_with_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
