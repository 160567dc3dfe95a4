/* Elements of tensors: raw_data, typed fields, sparse tensors. */
#include "unit/onnx/onnx_test.h"

/* A graph whose first initializer, "w", is the message that the test fills in. */
static size_t open_w(struct fixture *f, int dtype, const int64_t *dims, size_t rank)
{
    fixture_graph(f);
    mb_node(&f->b, "Relu", "x", "y");
    return mb_tensor_open(&f->b, GRAPH_INITIALIZER, "w", dtype, dims, rank);
}

static o2w_status read_w(struct fixture *f, size_t begun, struct onnx_payload *p)
{
    wire_end(&f->b.w, begun);
    assert_ok(fixture_open(f));
    return onnx_tensor_payload(f->m, &f->m->graph.initializers[0], &f->diags, p);
}

static void assert_w(struct fixture *f, size_t begun, enum onnx_payload_kind kind,
                     const void *bytes, size_t size)
{
    struct arena a;
    struct span found;
    struct onnx_payload p;
    assert_ok(read_w(f, begun, &p));
    assert_int_equal(p.kind, kind);
    assert_int_equal(p.size, size);
    arena_init(&a, NULL);
    assert_ok(onnx_payload_bytes(&p, &a, &f->diags, &found));
    assert_int_equal(found.size, size);
    assert_memory_equal(found.data, bytes, size);
    arena_free(&a);
    fixture_end(f);
}

static void refuse_w(struct fixture *f, size_t begun, const char *message)
{
    struct onnx_payload p;
    assert_status(read_w(f, begun, &p), O2W_FORMAT);
    assert_int_equal(f->diags.count, 1);
    assert_diag(&f->diags, 0, DIAG_MODEL_TENSOR, message);
    assert_string_equal(f->diags.first->subject_name, "w");
    fixture_end(f);
}

static void raw_data_stays_in_the_file(void **state)
{
    (void)state;
    struct fixture f;
    struct onnx_payload p;
    static const float values[] = { 1, 2, 3 };
    size_t t = open_w(&f, ONNX_FLOAT, DIMS(3));
    wire_put_bytes(&f.b.w, TENSOR_RAW_DATA,
                   (struct span){ (const uint8_t *)values, sizeof values });
    assert_ok(read_w(&f, t, &p));
    assert_int_equal(p.kind, ONNX_PAYLOAD_RANGE);
    assert_ptr_equal(p.file, f.m->file);
    assert_int_equal(p.count, 3);
    assert_int_equal(p.size, 12);
    assert_memory_equal(f.m->file->mapping.data + p.offset, values, sizeof values);
    fixture_end(&f);
}

static void packed_floats_stay_in_the_file(void **state)
{
    (void)state;
    struct fixture f;
    static const float values[] = { 1, 2, 3 };
    size_t t = open_w(&f, ONNX_FLOAT, DIMS(3));
    wire_put_f32s(&f.b.w, TENSOR_FLOAT_DATA, values, 3);
    assert_w(&f, t, ONNX_PAYLOAD_RANGE, values, sizeof values);

    t = open_w(&f, ONNX_COMPLEX64, DIMS(2)); /* two numbers per element */
    wire_put_f32s(&f.b.w, TENSOR_FLOAT_DATA, (const float[]){ 1, 2, 3, 4 }, 4);
    assert_w(&f, t, ONNX_PAYLOAD_RANGE, (const float[]){ 1, 2, 3, 4 }, 16);
}

static void floats_in_pieces_are_joined(void **state)
{
    (void)state;
    struct fixture f;
    static const float values[] = { 1, 2, 3, 4 };
    size_t t = open_w(&f, ONNX_FLOAT, DIMS(4));
    wire_put_f32s(&f.b.w, TENSOR_FLOAT_DATA, values, 2);
    wire_put_f32(&f.b.w, TENSOR_FLOAT_DATA, 3);
    wire_put_f32(&f.b.w, TENSOR_FLOAT_DATA, 4);
    assert_w(&f, t, ONNX_PAYLOAD_MEMORY, values, sizeof values);

    t = open_w(&f, ONNX_DOUBLE, DIMS(1));
    wire_put_fixed64(&f.b.w, TENSOR_DOUBLE_DATA, 0x3ff0000000000000);
    assert_w(&f, t, ONNX_PAYLOAD_MEMORY, (const double[]){ 1 }, 8);
}

struct row {
    int dtype;
    uint32_t field;
    int64_t values[4];
    size_t count, elements;
    const char *bytes;
    size_t size;
};

#define BYTES(literal) literal, sizeof(literal) - 1

static void typed_fields_become_storage(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { ONNX_INT32,
          TENSOR_INT32_DATA,
          { -2, INT32_MAX },
          2,
          2,
          BYTES("\xfe\xff\xff\xff\xff\xff\xff\x7f") },
        { ONNX_INT16, TENSOR_INT32_DATA, { -2, 32767 }, 2, 2, BYTES("\xfe\xff\xff\x7f") },
        { ONNX_UINT16, TENSOR_INT32_DATA, { 65535, 1 }, 2, 2, BYTES("\xff\xff\x01\x00") },
        { ONNX_INT8, TENSOR_INT32_DATA, { -128, 127 }, 2, 2, BYTES("\x80\x7f") },
        { ONNX_UINT8, TENSOR_INT32_DATA, { 255, 0, 1 }, 3, 3, BYTES("\xff\x00\x01") },
        { ONNX_BOOL, TENSOR_INT32_DATA, { 1, 0 }, 2, 2, BYTES("\x01\x00") },
        { ONNX_FLOAT16, TENSOR_INT32_DATA, { 0x3c00 }, 1, 1, BYTES("\x00\x3c") },
        { ONNX_BFLOAT16, TENSOR_INT32_DATA, { 0x3f80 }, 1, 1, BYTES("\x80\x3f") },
        { ONNX_FLOAT8E8M0, TENSOR_INT32_DATA, { 127 }, 1, 1, BYTES("\x7f") },
        { ONNX_UINT4, TENSOR_INT32_DATA, { 0x21, 0x03 }, 2, 3, BYTES("\x21\x03") },
        { ONNX_INT2, TENSOR_INT32_DATA, { 0xe4, 0x01 }, 2, 5, BYTES("\xe4\x01") },
        { ONNX_FLOAT6E2M3, TENSOR_INT32_DATA, { 1, 2, 3, 63 }, 4, 4, BYTES("\x81\x30\xfc") },
        { ONNX_FLOAT6E3M2, TENSOR_INT32_DATA, { 1, 63 }, 2, 2, BYTES("\xc1\x0f") },
        { ONNX_INT64, TENSOR_INT64_DATA, { -1 }, 1, 1, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff") },
        { ONNX_UINT64,
          TENSOR_UINT64_DATA,
          { -1 },
          1,
          1,
          BYTES("\xff\xff\xff\xff\xff\xff\xff\xff") },
        { ONNX_UINT32, TENSOR_UINT64_DATA, { 0xffffffff }, 1, 1, BYTES("\xff\xff\xff\xff") },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct fixture f;
        size_t t = open_w(&f, row->dtype, DIMS((int64_t)row->elements));
        wire_put_i64s(&f.b.w, row->field, row->values, row->count);
        assert_w(&f, t, ONNX_PAYLOAD_MEMORY, row->bytes, row->size);
    }
}

static void typed_values_are_checked(void **state)
{
    (void)state;
    static const struct {
        int dtype;
        uint32_t field;
        int64_t value;
        const char *message;
    } rows[] = {
        { ONNX_INT8, TENSOR_INT32_DATA, 128,
          "tensor 'w': value 1 of int32_data is 128, must be from -128 to 127 for int8" },
        { ONNX_UINT8, TENSOR_INT32_DATA, -1,
          "tensor 'w': value 1 of int32_data is -1, must be from 0 to 255 for uint8" },
        { ONNX_BOOL, TENSOR_INT32_DATA, 2,
          "tensor 'w': value 1 of int32_data is 2, must be from 0 to 1 for bool" },
        { ONNX_FLOAT16, TENSOR_INT32_DATA, 65536,
          "tensor 'w': value 1 of int32_data is 65536, must be from 0 to 65535 for float16" },
        { ONNX_UINT32, TENSOR_UINT64_DATA, 0x100000000,
          "tensor 'w': value 1 of uint64_data is 4294967296, must be from 0 to 4294967295 for "
          "uint32" },
        { ONNX_FLOAT6E2M3, TENSOR_INT32_DATA, 64,
          "tensor 'w': value 1 of int32_data is 64, must be from 0 to 63 for float6e2m3" },
        { ONNX_INT64, TENSOR_INT32_DATA, 1,
          "tensor 'w': elements of int64 in int32_data, must be in int64_data or raw_data" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        size_t t = open_w(&f, rows[i].dtype, DIMS(2));
        wire_put_i64s(&f.b.w, rows[i].field, (const int64_t[]){ 0, rows[i].value }, 2);
        refuse_w(&f, t, rows[i].message);
    }
}

static void strings_are_spans_of_the_file(void **state)
{
    (void)state;
    struct fixture f;
    struct onnx_payload p;
    size_t t = open_w(&f, ONNX_STRING, DIMS(3));
    wire_put_text(&f.b.w, TENSOR_STRING_DATA, "one");
    wire_put_text(&f.b.w, TENSOR_STRING_DATA, "");
    wire_put_text(&f.b.w, TENSOR_STRING_DATA, "two");
    assert_ok(read_w(&f, t, &p));
    assert_int_equal(p.kind, ONNX_PAYLOAD_STRINGS);
    assert_int_equal(p.count, 3);
    assert_span(p.strings[0], "one");
    assert_span(p.strings[1], "");
    assert_span(p.strings[2], "two");
    fixture_end(&f);

    t = open_w(&f, ONNX_STRING, DIMS(1));
    wire_put_text(&f.b.w, TENSOR_RAW_DATA, "one");
    refuse_w(&f, t, "tensor 'w': strings in raw_data, must be in string_data");
}

static void payloads_are_decoded_once(void **state)
{
    (void)state;
    struct fixture f;
    struct onnx_payload first, second;
    size_t t = open_w(&f, ONNX_INT64, DIMS(2));
    wire_put_i64s(&f.b.w, TENSOR_INT64_DATA, INTS(1, 2));
    assert_ok(read_w(&f, t, &first));
    assert_ok(onnx_tensor_payload(f.m, &f.m->graph.initializers[0], &f.diags, &second));
    assert_ptr_equal(first.memory.data, second.memory.data);
    fixture_end(&f);
}

static void lengths_are_exact(void **state)
{
    (void)state;
    struct fixture f;
    size_t t = open_w(&f, ONNX_FLOAT, DIMS(2));
    wire_put_text(&f.b.w, TENSOR_RAW_DATA, "1234567");
    refuse_w(&f, t, "tensor 'w': raw_data has 7 bytes, 2 elements of float take 8");
    t = open_w(&f, ONNX_INT4, DIMS(3));
    wire_put_text(&f.b.w, TENSOR_RAW_DATA, "123");
    refuse_w(&f, t, "tensor 'w': raw_data has 3 bytes, 3 elements of int4 take 2");
    t = open_w(&f, ONNX_FLOAT, DIMS(2));
    wire_put_f32s(&f.b.w, TENSOR_FLOAT_DATA, FLOATS(1));
    refuse_w(&f, t, "tensor 'w': float_data has 1 values, must have 2");
    t = open_w(&f, ONNX_UINT4, DIMS(3));
    wire_put_i64s(&f.b.w, TENSOR_INT32_DATA, INTS(1, 2, 3));
    refuse_w(&f, t, "tensor 'w': int32_data has 3 values, must have 2");
    t = open_w(&f, ONNX_FLOAT, SCALAR);
    refuse_w(&f, t, "tensor 'w': has no data, must hold 1 elements of float");
}

static void empty_tensors_need_no_data(void **state)
{
    (void)state;
    struct fixture f;
    size_t t = open_w(&f, ONNX_FLOAT, DIMS(3, 0));
    assert_w(&f, t, ONNX_PAYLOAD_MEMORY, "", 0);
    t = open_w(&f, ONNX_FLOAT, DIMS(0));
    wire_put_text(&f.b.w, TENSOR_RAW_DATA, "");
    wire_put_text(&f.b.w, TENSOR_FLOAT_DATA, "");
    assert_w(&f, t, ONNX_PAYLOAD_RANGE, "", 0);
}

static void one_place_holds_the_elements(void **state)
{
    (void)state;
    struct fixture f;
    size_t t = open_w(&f, ONNX_FLOAT, DIMS(1));
    wire_put_text(&f.b.w, TENSOR_RAW_DATA, "1234");
    wire_put_f32s(&f.b.w, TENSOR_FLOAT_DATA, FLOATS(1));
    refuse_w(&f, t, "tensor 'w': has raw_data and float_data, must have one of them");
    t = open_w(&f, ONNX_FLOAT, DIMS(1));
    wire_put_f32s(&f.b.w, TENSOR_FLOAT_DATA, FLOATS(1));
    wire_put_i64s(&f.b.w, TENSOR_INT64_DATA, INTS(1));
    refuse_w(&f, t, "tensor 'w': elements in more than one field, must be in float_data");
    t = open_w(&f, ONNX_FLOAT, DIMS(1));
    wire_put_text(&f.b.w, TENSOR_RAW_DATA, "1234");
    wire_put_text(&f.b.w, TENSOR_SEGMENT, "");
    refuse_w(&f, t, "tensor 'w': has a segment, must hold all of its elements");
}

static void dims_and_data_types_are_checked(void **state)
{
    (void)state;
    struct fixture f;
    size_t t = open_w(&f, ONNX_FLOAT, DIMS(2, -1));
    refuse_w(&f, t, "tensor 'w': dimension 1 is -1, must not be negative");
    t = open_w(&f, ONNX_FLOAT, DIMS(0, INT64_MAX, 3));
    refuse_w(&f, t, "tensor 'w': dimensions multiply to more than 9223372036854775807 elements");
    t = open_w(&f, ONNX_FLOAT, DIMS(INT64_MAX));
    refuse_w(&f, t,
             "tensor 'w': 9223372036854775807 elements of float take more than "
             "9223372036854775807 bytes");
    t = open_w(&f, 77, DIMS(1));
    refuse_w(&f, t, "tensor 'w': data type 77, must be from 1 to 28");
}

/* ---- sparse ---- */

static void put_sparse(struct fixture *f, const int64_t *dims, size_t rank, size_t values,
                       const int64_t *index_dims, size_t index_rank, const int64_t *indices)
{
    static const float zeros[8];
    size_t count =
        index_rank == 2 ? (size_t)(index_dims[0] * index_dims[1]) : (size_t)index_dims[0];
    fixture_graph(f);
    mb_node(&f->b, "Relu", "x", "y");
    size_t s = wire_begin(&f->b.w, GRAPH_SPARSE_INITIALIZER);
    size_t t = mb_tensor_open(&f->b, SPARSE_VALUES, "w", ONNX_FLOAT, DIMS((int64_t)values));
    wire_put_bytes(&f->b.w, TENSOR_RAW_DATA, (struct span){ (const uint8_t *)zeros, values * 4 });
    wire_end(&f->b.w, t);
    t = mb_tensor_open(&f->b, SPARSE_INDICES, "", ONNX_INT64, index_dims, index_rank);
    wire_put_i64s(&f->b.w, TENSOR_INT64_DATA, indices, count);
    wire_end(&f->b.w, t);
    wire_put_i64s(&f->b.w, SPARSE_DIMS, dims, rank);
    wire_end(&f->b.w, s);
}

static void check_sparse(struct fixture *f, const int64_t *places, size_t count,
                         const char *refusal)
{
    struct arena a;
    uint64_t found;
    const int64_t *indices;
    arena_init(&a, NULL);
    assert_ok(fixture_open(f));
    const struct onnx_sparse_tensor *s = &f->m->graph.sparse_initializers[0];
    assert_span(onnx_name(f->m, s->values.name), "w");
    o2w_status status = onnx_sparse_indices(f->m, s, &a, &f->diags, &indices, &found);
    if (refusal) {
        assert_status(status, O2W_FORMAT);
        assert_diag(&f->diags, 0, DIAG_MODEL_TENSOR, refusal);
    } else {
        assert_ok(status);
        assert_int_equal(found, count);
        assert_memory_equal(indices, places, count * sizeof *places);
    }
    arena_free(&a);
    fixture_end(f);
}

static void sparse_indices_become_linear(void **state)
{
    (void)state;
    struct fixture f;
    put_sparse(&f, DIMS(2, 3), 2, (const int64_t[]){ 2, 2 }, 2, (const int64_t[]){ 0, 1, 1, 2 });
    check_sparse(&f, (const int64_t[]){ 1, 5 }, 2, NULL);
    put_sparse(&f, DIMS(2, 3), 2, (const int64_t[]){ 2 }, 1, (const int64_t[]){ 0, 4 });
    check_sparse(&f, (const int64_t[]){ 0, 4 }, 2, NULL);
}

static void sparse_tensors_are_checked(void **state)
{
    (void)state;
    struct fixture f;
    put_sparse(&f, DIMS(2, 3), 2, (const int64_t[]){ 2 }, 1, (const int64_t[]){ 4, 4 });
    check_sparse(&f, NULL, 0,
                 "tensor 'w': index 1 is not behind the one before it, indices must be in order");
    put_sparse(&f, DIMS(2, 3), 2, (const int64_t[]){ 2 }, 1, (const int64_t[]){ 4, 6 });
    check_sparse(&f, NULL, 0, "tensor 'w': index 1 is 6, must be from 0 to 5");
    put_sparse(&f, DIMS(2, 3), 1, (const int64_t[]){ 1, 2 }, 2, (const int64_t[]){ 0, -1 });
    check_sparse(&f, NULL, 0, "tensor 'w': index 0 is -1, must be from 0 to 2");
    put_sparse(&f, DIMS(2, 3), 2, (const int64_t[]){ 3 }, 1, (const int64_t[]){ 0, 1, 2 });
    check_sparse(&f, NULL, 0, "tensor 'w': shape of indices must be [2] or [2, 2] for 2 values");
    put_sparse(&f, DIMS(INT64_MAX, INT64_MAX), 1, (const int64_t[]){ 1 }, 1,
               (const int64_t[]){ 0 });
    check_sparse(&f, NULL, 0,
                 "tensor 'w': dimensions multiply to more than 9223372036854775807 elements");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_data_stays_in_the_file),
        cmocka_unit_test(packed_floats_stay_in_the_file),
        cmocka_unit_test(floats_in_pieces_are_joined),
        cmocka_unit_test(typed_fields_become_storage),
        cmocka_unit_test(typed_values_are_checked),
        cmocka_unit_test(strings_are_spans_of_the_file),
        cmocka_unit_test(payloads_are_decoded_once),
        cmocka_unit_test(lengths_are_exact),
        cmocka_unit_test(empty_tensors_need_no_data),
        cmocka_unit_test(one_place_holds_the_elements),
        cmocka_unit_test(dims_and_data_types_are_checked),
        cmocka_unit_test(sparse_indices_become_linear),
        cmocka_unit_test(sparse_tensors_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
