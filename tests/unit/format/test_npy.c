/* numpy's files. The expected bytes were written by numpy 2. */
#include "support/test.h"

#include "format/npy.h"

#include <stdio.h>
#include <string.h>

#define PAD10 "          "

struct npy_test {
    struct diags d;
    struct arena a;
    struct temp_folder folder;
};

static void begin(struct npy_test *t)
{
    diags_init(&t->d, NULL);
    arena_init(&t->a, NULL);
    temp_folder_create(&t->folder);
}

static void end(struct npy_test *t)
{
    diags_free(&t->d);
    arena_free(&t->a);
    temp_folder_remove(&t->folder);
}

static void files_are_those_of_numpy(void **state)
{
    (void)state;
    static const char matrix[] =
        "\x93NUMPY\1\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" PAD10 PAD10
            PAD10 PAD10 PAD10 "        \n\0\0\0\0\0\0\x80?\0\0\0@\0\0@@\0\0\x80@\0\0\xa0@";
    static const char scalar[] =
        "\x93NUMPY\1\0v\0{'descr': '<i8', 'fortran_order': False, 'shape': (), }" PAD10 PAD10 PAD10
            PAD10 PAD10 PAD10 "  \n\5\0\0\0\0\0\0\0";
    static const char list[] =
        "\x93NUMPY\1\0v\0{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }" PAD10 PAD10
            PAD10 PAD10 PAD10 PAD10 "\n\0\1\2";
    float values[] = { 0, 1, 2, 3, 4, 5 };
    int64_t five = 5;
    uint8_t bytes[] = { 0, 1, 2 };
    const struct {
        struct tensor t;
        const char *expected;
        size_t size;
    } cases[] = {
        { { .dtype = DTYPE_FLOAT32, .rank = 2, .dims = { 2, 3 }, .data = values },
          matrix,
          sizeof matrix - 1 },
        { { .dtype = DTYPE_INT64, .data = &five }, scalar, sizeof scalar - 1 },
        { { .dtype = DTYPE_UINT8, .rank = 1, .dims = { 3 }, .data = bytes },
          list,
          sizeof list - 1 },
    };
    struct npy_test t;
    begin(&t);
    for (size_t i = 0; i < 3; i++) {
        struct tensor read;
        const char *path = temp_path(&t.folder, "x.npy");
        assert_ok(npy_write(path, &cases[i].t, NULL, &t.d));
        assert_file(path, cases[i].expected, cases[i].size);
        assert_ok(npy_read(path, &t.a, &t.d, &read));
        assert_int_equal(read.dtype, cases[i].t.dtype);
        assert_int_equal(read.rank, cases[i].t.rank);
        assert_memory_equal(read.dims, cases[i].t.dims, read.rank * sizeof read.dims[0]);
        assert_memory_equal(read.data, cases[i].t.data, tensor_bytes(&read));
    }
    end(&t);
}

/* A file of a version with this dict and so many bytes of data. */
static const char *put(struct npy_test *t, int version, const char *dict, size_t data)
{
    char bytes[600] = "\x93NUMPY";
    size_t length = strlen(dict), start = version == 1 ? 10 : 12;
    bytes[6] = (char)version;
    bytes[8] = (char)length;
    memcpy(bytes + start, dict, length);
    memset(bytes + start + length, 7, data);
    return temp_write(&t->folder, "x.npy", bytes, start + length + data);
}

static void other_writers_headers(void **state)
{
    (void)state;
    static const char *const dicts[] = {
        "{\"shape\": (2,), \"fortran_order\": True, \"descr\": \"<i2\"}\n",
        "{'descr':'<i2','fortran_order':False,'shape':(2,1)}",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1,), }   \n",
    };
    struct npy_test t;
    struct tensor read;
    begin(&t);
    for (int version = 1; version <= 3; version++)
        for (size_t i = 0; i < 3; i++) {
            assert_ok(npy_read(put(&t, version, dicts[i], 4), &t.a, &t.d, &read));
            assert_int_equal(read.dtype, DTYPE_INT16);
            assert_int_equal(tensor_count(&read), 2);
            assert_int_equal(tensor_get_i64(&read, 1), 0x0707);
        }
    end(&t);
}

static void what_is_refused_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *dict, *message;
        enum diag_code code;
        size_t data;
    } cases[] = {
        { "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}",
          "dtype '>f4' is not supported (big endian)", DIAG_NPY_DTYPE, 4 },
        { "{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "dtype '<c8' is not supported",
          DIAG_NPY_DTYPE, 8 },
        { "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "dtype '|O' is not supported",
          DIAG_NPY_DTYPE, 8 },
        { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
          "structured arrays are not supported", DIAG_NPY_DTYPE, 4 },
        { "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}",
          "Fortran order is not supported, C order is", DIAG_NPY_DTYPE, 8 },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
          "holds 4 bytes of data, dtype and shape need 8", DIAG_NPY_HEADER, 4 },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
          "holds 12 bytes of data, dtype and shape need 8", DIAG_NPY_HEADER, 12 },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
          "shape must hold integers from 0", DIAG_NPY_HEADER, 4 },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}", "shape must be a tuple",
          DIAG_NPY_HEADER, 8 },
        { "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
          "fortran_order must be True or False", DIAG_NPY_HEADER, 8 },
        { "{'descr': '<f4', 'shape': (2,)}", "needs descr, fortran_order and shape",
          DIAG_NPY_HEADER, 8 },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807)}",
          "shape has no size in bytes", DIAG_NPY_HEADER, 8 },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
          "rank 17 exceeds the limit 16", DIAG_LIMIT, 4 },
        { "{'extra': 1}", "unknown key", DIAG_NPY_HEADER, 0 },
        { "{'descr", "a text isn't closed", DIAG_NPY_HEADER, 0 },
        { "", "expected '{'", DIAG_NPY_HEADER, 0 },
    };
    struct npy_test t;
    struct tensor read;
    begin(&t);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_not_equal(npy_read(put(&t, 1, cases[i].dict, cases[i].data), &t.a, &t.d, &read),
                             O2W_OK);
        if (!strstr(t.d.newest->message, cases[i].message))
            print_message("%s", diags_text(&t.d, &t.a));
        assert_int_equal(t.d.newest->code, cases[i].code);
        assert_non_null(strstr(t.d.newest->message, cases[i].message));
    }
    struct tensor strings = { .dtype = DTYPE_UINT4 };
    assert_int_not_equal(npy_write(temp_path(&t.folder, "y.npy"), &strings, NULL, &t.d), O2W_OK);
    assert_non_null(strstr(t.d.newest->hint, ".safetensors"));
    assert_false(npy_has_dtype(DTYPE_BFLOAT16));
    assert_int_equal(temp_count(&t.folder), 1);
    end(&t);
}

static void no_cut_file_is_read(void **state)
{
    (void)state;
    static const char whole[] =
        "\x93NUMPY\1\0\x39\0{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }1234";
    struct npy_test t;
    struct tensor read;
    begin(&t);
    for (size_t size = 0; size < sizeof whole - 1; size++)
        assert_int_not_equal(
            npy_read(temp_write(&t.folder, "x.npy", whole, size), &t.a, &t.d, &read), O2W_OK);
    assert_ok(npy_read(temp_write(&t.folder, "x.npy", whole, sizeof whole - 1), &t.a, &t.d, &read));
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_those_of_numpy),
        cmocka_unit_test(other_writers_headers),
        cmocka_unit_test(what_is_refused_is_named),
        cmocka_unit_test(no_cut_file_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
