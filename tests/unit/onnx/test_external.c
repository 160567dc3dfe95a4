/* External data: files beside the model. */
#include "unit/onnx/onnx_test.h"

#include <stdlib.h>
#include <unistd.h>

struct place {
    struct fixture f;
    struct temp_folder folder;
};

static void place_begin(struct place *p)
{
    temp_folder_create(&p->folder);
    fixture_graph(&p->f);
    mb_node(&p->f.b, "Relu", "x", "y");
}

static o2w_status place_open(struct place *p, const struct onnx_open_options *options)
{
    struct span bytes = mb_end(&p->f.b);
    const char *path = temp_write(&p->folder, "m.onnx", bytes.data, bytes.size);
    return onnx_model_open(path, options, NULL, &p->f.diags, &p->f.m);
}

static void place_end(struct place *p)
{
    fixture_end(&p->f);
    temp_folder_remove(&p->folder);
}

/* Opening the model succeeds, opening its data fails with just this. */
static void refuse_data(struct place *p, const char *text)
{
    assert_ok(place_open(p, NULL));
    assert_int_not_equal(onnx_model_open_external(p->f.m, &p->f.diags), O2W_OK);
    assert_diags_text(&p->f.diags, text);
    place_end(p);
}

static void assert_payload(struct place *p, size_t index, const char *bytes, size_t size)
{
    struct span found;
    struct onnx_payload payload;
    assert_ok(
        onnx_tensor_payload(p->f.m, &p->f.m->graph.initializers[index], &p->f.diags, &payload));
    assert_int_equal(payload.kind, ONNX_PAYLOAD_RANGE);
    assert_int_equal(payload.size, size);
    assert_ok(onnx_payload_bytes(&payload, NULL, &p->f.diags, &found));
    assert_memory_equal(found.data, bytes, size);
}

static void ranges_of_files_are_found(void **state)
{
    (void)state;
    struct place p;
    place_begin(&p);
    temp_write(&p.folder, "w.bin", "0123456789", 10);
    temp_write(&p.folder, "sub/v.bin", "abcd", 4);
    mb_external(&p.f.b, "a", ONNX_UINT8, DIMS(4), "w.bin", "2", "4");
    mb_external(&p.f.b, "b", ONNX_UINT8, DIMS(4), "w.bin", "6", NULL);
    mb_external(&p.f.b, "c", ONNX_UINT8, DIMS(4), "sub/v.bin", NULL, NULL);
    mb_external(&p.f.b, "d", ONNX_UINT8, DIMS(0), "w.bin", "10", "0");
    assert_ok(place_open(&p, NULL));
    assert_payload(&p, 0, "2345", 4);
    assert_payload(&p, 1, "6789", 4);
    assert_payload(&p, 2, "abcd", 4);
    assert_payload(&p, 3, "", 0);
    const struct onnx_tensor *t = p.f.m->graph.initializers;
    assert_ptr_equal(t[0].external->file, t[1].external->file);
    assert_int_equal(p.f.diags.count, 0);
    place_end(&p);
}

/* In a branch, in a function, and as an attribute. */
static void data_is_found_at_any_depth(void **state)
{
    (void)state;
    struct place p;
    place_begin(&p);
    mb_node_open(&p.f.b, "If", "x", "z");
    mb_subgraph(&p.f.b, "then_branch");
    mb_external(&p.f.b, "inner", ONNX_UINT8, DIMS(4), "gone", NULL, NULL);
    mb_output(&p.f.b, "inner", ONNX_UINT8, DIMS(4));
    mb_close(&p.f.b);
    mb_close(&p.f.b);
    mb_close(&p.f.b);
    mb_function(&p.f.b, "local", "F", "", "k");
    mb_opset(&p.f.b, "", 17);
    mb_node_open(&p.f.b, "Constant", "", "k");
    size_t a = wire_begin(&p.f.b.w, NODE_ATTRIBUTE);
    wire_put_text(&p.f.b.w, ATTRIBUTE_NAME, "value");
    wire_put_i64(&p.f.b.w, ATTRIBUTE_TYPE, ONNX_ATTRIBUTE_TENSOR);
    size_t t = mb_tensor_open(&p.f.b, ATTRIBUTE_T, "constant", ONNX_UINT8, DIMS(4));
    wire_put_i64(&p.f.b.w, TENSOR_DATA_LOCATION, 1);
    wire_put_bytes(&p.f.b.w, TENSOR_EXTERNAL_DATA, SPAN("\x0a\x08location\x12\x04gone"));
    wire_end(&p.f.b.w, t);
    wire_end(&p.f.b.w, a);
    refuse_data(&p, "error[model.external-data]: 2 of 2 external tensors cannot be read\n"
                    "  at: gone: no such file (first: 'constant', 4 bytes at offset 0)\n"
                    "  hint: put the file beside the model, or --allow-missing-external-data for "
                    "structure only\n");
}

static void all_that_is_missing_is_said_at_once(void **state)
{
    (void)state;
    struct place p;
    place_begin(&p);
    temp_write(&p.folder, "w.bin", "0123", 4);
    mb_external(&p.f.b, "a", ONNX_FLOAT, DIMS(2, 2), "m.onnx_data", "64", "16");
    mb_external(&p.f.b, "b", ONNX_UINT8, DIMS(4), "w.bin", NULL, NULL);
    mb_external(&p.f.b, "c", ONNX_FLOAT, DIMS(2), "m.onnx_data", NULL, NULL);
    mb_external(&p.f.b, "d", ONNX_FLOAT, DIMS(1), "w.bin", "4", NULL);
    refuse_data(&p,
                "error[model.external-data]: 3 of 4 external tensors cannot be read\n"
                "  at: m.onnx_data: no such file (first: 'a', 16 bytes at offset 64)\n"
                "  at: w.bin: offset and length lie outside of its 4 bytes (first: 'd', 4 bytes "
                "at offset 4)\n"
                "  hint: put the file beside the model, or --allow-missing-external-data for "
                "structure only\n");
}

static void missing_data_may_read_as_zeros(void **state)
{
    (void)state;
    struct place p;
    struct arena a;
    struct span bytes;
    struct onnx_payload payload;
    size_t missing;
    static const struct onnx_open_options options = { .allow_missing_external_data = true };
    place_begin(&p);
    temp_write(&p.folder, "w.bin", "0123", 4);
    mb_external(&p.f.b, "a", ONNX_FLOAT, DIMS(2), "gone", "64", "8");
    mb_external(&p.f.b, "b", ONNX_UINT8, DIMS(4), "w.bin", NULL, NULL);
    assert_ok(place_open(&p, &options));
    assert_ok(onnx_model_open_external(p.f.m, &p.f.diags));
    assert_ok(onnx_model_open_external(p.f.m, &p.f.diags));
    assert_diags_text(
        &p.f.diags,
        "warning[model.external-data]: 1 of 2 external tensors are missing and read as zeros\n"
        "  at: gone: no such file (first: 'a', 8 bytes at offset 64)\n");
    const struct onnx_tensor *const *list = onnx_model_missing(p.f.m, &missing);
    assert_int_equal(missing, 1);
    assert_ptr_equal(list[0], &p.f.m->graph.initializers[0]);
    assert_ok(onnx_tensor_payload(p.f.m, list[0], &p.f.diags, &payload));
    assert_int_equal(payload.kind, ONNX_PAYLOAD_ZEROS);
    arena_init(&a, NULL);
    assert_ok(onnx_payload_bytes(&payload, &a, &p.f.diags, &bytes));
    assert_int_equal(bytes.size, 8);
    assert_memory_equal(bytes.data, "\0\0\0\0\0\0\0\0", 8);
    arena_free(&a);
    place_end(&p);
}

static void entries_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *location, *offset, *length, *message;
    } rows[] = {
        { NULL, NULL, NULL, "tensor 'w': location of external data is missing" },
        { "", NULL, NULL, "tensor 'w': location of external data is empty" },
        { "f", "-1", NULL,
          "tensor 'w': offset of external data is '-1', must be a number from 0 to "
          "9223372036854775807" },
        { "f", "9223372036854775808", NULL,
          "tensor 'w': offset of external data is '9223372036854775808', must be a number from 0 "
          "to "
          "9223372036854775807" },
        { "f", "0", "",
          "tensor 'w': length of external data is '', must be a number from 0 to "
          "9223372036854775807" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct place p;
        place_begin(&p);
        mb_external(&p.f.b, "w", ONNX_FLOAT, DIMS(1), rows[i].location, rows[i].offset,
                    rows[i].length);
        assert_status(place_open(&p, NULL), O2W_IO);
        assert_int_equal(p.f.diags.count, 1);
        assert_diag(&p.f.diags, 0, DIAG_MODEL_EXTERNAL_DATA, rows[i].message);
        place_end(&p);
    }
}

static void length_is_what_the_elements_take(void **state)
{
    (void)state;
    struct place p;
    place_begin(&p);
    temp_write(&p.folder, "w.bin", "0123", 4);
    mb_external(&p.f.b, "w", ONNX_UINT8, DIMS(3), "w.bin", NULL, "4");
    refuse_data(
        &p, "error[model.external-data]: tensor 'w': length of external data is 4, its elements "
            "take 3 bytes\n");
}

static void paths_out_of_the_folder_are_refused(void **state)
{
    (void)state;
    static const char *const locations[] = { "../w.bin", "/etc/hostname", "a/../w.bin", "link" };
    for (size_t i = 0; i < sizeof locations / sizeof *locations; i++) {
        struct place p;
        place_begin(&p);
        assert_int_equal(symlink("/etc/hostname", temp_path(&p.folder, "link")), 0);
        mb_external(&p.f.b, "w", ONNX_UINT8, DIMS(1), locations[i], NULL, NULL);
        assert_ok(place_open(&p, NULL));
        assert_status(onnx_model_open_external(p.f.m, &p.f.diags), O2W_INVALID_ARGUMENT);
        assert_int_equal(p.f.diags.count, 1);
        assert_int_equal(p.f.diags.first->code, DIAG_PATH_UNSAFE);
        assert_string_equal(p.f.diags.first->subject_name, "w");
        place_end(&p);
    }
}

static void data_stands_in_one_place(void **state)
{
    (void)state;
    struct place p;
    struct onnx_payload payload;
    place_begin(&p);
    size_t t = mb_tensor_open(&p.f.b, GRAPH_INITIALIZER, "w", ONNX_UINT8, DIMS(1));
    wire_put_i64(&p.f.b.w, TENSOR_DATA_LOCATION, 1);
    wire_put_bytes(&p.f.b.w, TENSOR_EXTERNAL_DATA, SPAN("\x0a\x08location\x12\x05w.bin"));
    wire_put_text(&p.f.b.w, TENSOR_RAW_DATA, "1");
    wire_end(&p.f.b.w, t);
    assert_ok(place_open(&p, NULL));
    assert_status(onnx_tensor_payload(p.f.m, &p.f.m->graph.initializers[0], &p.f.diags, &payload),
                  O2W_FORMAT);
    assert_diag(&p.f.diags, 0, DIAG_MODEL_TENSOR,
                "tensor 'w': has external data and data in the model, must have one");
    place_end(&p);
}

/* Entries without data_location EXTERNAL mean nothing. */
static void entries_alone_are_not_external(void **state)
{
    (void)state;
    struct place p;
    place_begin(&p);
    size_t t = mb_tensor_open(&p.f.b, GRAPH_INITIALIZER, "w", ONNX_UINT8, DIMS(1));
    wire_put_bytes(&p.f.b.w, TENSOR_EXTERNAL_DATA, SPAN("\x0a\x08location\x12\x05w.bin"));
    wire_put_text(&p.f.b.w, TENSOR_RAW_DATA, "1");
    wire_end(&p.f.b.w, t);
    assert_ok(place_open(&p, NULL));
    assert_payload(&p, 0, "1", 1);
    place_end(&p);
}

static void a_model_from_memory_has_no_folder(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node(&f.b, "Relu", "x", "y");
    mb_external(&f.b, "w", ONNX_UINT8, DIMS(1), "w.bin", NULL, NULL);
    assert_ok(fixture_open(&f));
    assert_status(onnx_model_open_external(f.m, &f.diags), O2W_IO);
    assert_diag(&f.diags, 0, DIAG_MODEL_EXTERNAL_DATA,
                "tensor 'w' has external data, but the model does not come from a file");
    fixture_end(&f);
}

/* The SHA-1 of "abc", from FIPS 180-4's examples. */
static void checksums_are_verified_when_asked(void **state)
{
    (void)state;
    static const char *const sums[] = { "a9993e364706816aba3e25717850c26c9cd0d89d",
                                        "a9993e364706816aba3e25717850c26c9cd0d89e" };
    static const struct onnx_open_options options = { .verify_checksums = true };
    for (size_t i = 0; i < 2; i++) {
        struct place p;
        place_begin(&p);
        temp_write(&p.folder, "w.bin", "abc", 3);
        size_t t = mb_tensor_open(&p.f.b, GRAPH_INITIALIZER, "w", ONNX_UINT8, DIMS(3));
        wire_put_i64(&p.f.b.w, TENSOR_DATA_LOCATION, 1);
        wire_put_bytes(&p.f.b.w, TENSOR_EXTERNAL_DATA, SPAN("\x0a\x08location\x12\x05w.bin"));
        size_t e = wire_begin(&p.f.b.w, TENSOR_EXTERNAL_DATA);
        wire_put_text(&p.f.b.w, ENTRY_KEY, "checksum");
        wire_put_text(&p.f.b.w, ENTRY_VALUE, sums[i]);
        wire_end(&p.f.b.w, e);
        wire_end(&p.f.b.w, t);
        assert_ok(place_open(&p, &options));
        if (i == 0) {
            assert_ok(onnx_model_open_external(p.f.m, &p.f.diags));
            place_end(&p);
        } else {
            assert_status(onnx_model_open_external(p.f.m, &p.f.diags), O2W_IO);
            assert_diag(
                &p.f.diags, 0, DIAG_MODEL_EXTERNAL_DATA,
                "tensor 'w': checksum of 'w.bin' is a9993e364706816aba3e25717850c26c9cd0d89d, must "
                "be a9993e364706816aba3e25717850c26c9cd0d89e");
            place_end(&p);
        }
    }
}

static o2w_status open_data(const o2w_allocator *allocator, void *user)
{
    struct diags d;
    struct onnx_model *m = NULL;
    diags_init(&d, allocator);
    o2w_status status = onnx_model_open(user, NULL, allocator, &d, &m);
    if (status == O2W_OK)
        status = onnx_model_open_external(m, &d);
    onnx_model_close(m);
    diags_free(&d);
    return status;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    struct place p;
    place_begin(&p);
    temp_write(&p.folder, "w.bin", "0123", 4);
    temp_write(&p.folder, "v.bin", "0123", 4);
    mb_external(&p.f.b, "a", ONNX_UINT8, DIMS(4), "w.bin", NULL, NULL);
    mb_external(&p.f.b, "b", ONNX_UINT8, DIMS(4), "v.bin", NULL, NULL);
    assert_ok(place_open(&p, NULL));
    char path[128];
    strcpy(path, temp_path(&p.folder, "m.onnx"));
    assert_true(sweep_allocations(open_data, path) > 10);
    place_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_files_are_found),
        cmocka_unit_test(data_is_found_at_any_depth),
        cmocka_unit_test(all_that_is_missing_is_said_at_once),
        cmocka_unit_test(missing_data_may_read_as_zeros),
        cmocka_unit_test(entries_are_checked),
        cmocka_unit_test(length_is_what_the_elements_take),
        cmocka_unit_test(paths_out_of_the_folder_are_refused),
        cmocka_unit_test(data_stands_in_one_place),
        cmocka_unit_test(entries_alone_are_not_external),
        cmocka_unit_test(a_model_from_memory_has_no_folder),
        cmocka_unit_test(checksums_are_verified_when_asked),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
