/* Archives of feeds: names, types, sizes. Numbers of cases are those of the contract. */
#include "case.h"

#include "validate/given.h"

#include <unistd.h>

enum { FLOAT = 1, UINT8 = 2, INT64 = 7, BOOL = 9, UINT4 = 21 };

static void begin(struct model_case *c)
{
    case_begin(c, 17);
    mb_graph(&c->b);
}

static o2w_tensors *list(void)
{
    o2w_tensors *t = NULL;
    assert_ok(o2w_tensors_create(NULL, &t, NULL));
    return t;
}

static void add(o2w_tensors *t, const char *name, const char *type, const int64_t *dims,
                uint32_t rank, const void *data, uint64_t bytes)
{
    o2w_tensor_view view = {
        .name = name, .type = type, .rank = rank, .data = data, .bytes = bytes
    };
    memcpy(view.dims, dims, rank * sizeof *dims);
    assert_ok(o2w_tensors_add(t, &view, NULL));
}

/* The stages of given feeds, as validation runs them. */
static o2w_status take(struct model_case *c, const o2w_tensors *t)
{
    dim_binding_list l = { 0 };
    case_write(c);
    TRY(source_open(c->model, NULL, &c->diags, &c->source));
    TRY(given_check(&c->source, t, true, &c->diags));
    o2w_status s = given_dims(&c->source, t, &l, &c->diags);
    if (s == O2W_OK)
        s = source_size(&c->source, l.items, l.count, &c->diags);
    VEC_FREE(&l);
    TRY(s);
    TRY(given_take(&c->source, t, &c->diags));
    TRY(source_plan(&c->source, &c->diags));
    return source_fill(&c->source, 0, &c->diags);
}

static void case_23_names(void **state)
{
    (void)state;
    struct model_case c;
    o2w_tensors *t = list();
    begin(&c);
    mb_input(&c.b, "a", FLOAT, DIMS(1));
    mb_input(&c.b, "c", FLOAT, DIMS(1));
    mb_node(&c.b, "Add", "a c", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(1));
    add(t, "c", "float32", DIMS(1), (const float[]){ 1 }, 4);
    add(t, "b", "float32", DIMS(1), (const float[]){ 1 }, 4);
    assert_status(take(&c, t), O2W_INVALID_ARGUMENT);
    assert_diag(&c.diags, 0, DIAG_FEED_NAMES,
                "the archive does not match the inputs: missing 'a'; unknown 'b'");
    o2w_tensors_free(t);
    case_end(&c);
}

static void one_input(struct model_case *c, int dtype, const char *dims)
{
    begin(c);
    mb_input_named(&c->b, "x", dtype, dims);
    mb_node(&c->b, "Identity", "x", "y");
    mb_output(&c->b, "y", dtype, SCALAR);
}

static void case_24_another_type(void **state)
{
    (void)state;
    struct model_case c;
    o2w_tensors *t = list();
    one_input(&c, INT64, "2");
    add(t, "x", "int32", DIMS(2), (const int32_t[]){ 1, 2 }, 8);
    assert_status(take(&c, t), O2W_INVALID_ARGUMENT);
    assert_diag(&c.diags, 0, DIAG_FEED_DTYPE, "input 'x' is int64, its feed is int32");
    o2w_tensors_free(t);
    case_end(&c);
}

static void case_25_one_size_per_name(void **state)
{
    (void)state;
    struct model_case c;
    float data[9] = { 0 };
    o2w_tensors *t = list();
    begin(&c);
    mb_input_named(&c.b, "a", FLOAT, "1 seq");
    mb_input_named(&c.b, "b", FLOAT, "1 seq");
    mb_node(&c.b, "Add", "a b", "y");
    mb_output(&c.b, "y", FLOAT, SCALAR);
    add(t, "a", "float32", DIMS(1, 8), data, 32);
    add(t, "b", "float32", DIMS(1, 9), data, 36);
    assert_status(take(&c, t), O2W_INVALID_ARGUMENT);
    assert_diag(&c.diags, 0, DIAG_DIM_DISAGREES,
                "dimension 'seq' is 8 in one feed, 9 in that of 'b'");
    o2w_tensors_free(t);
    case_end(&c);
}

static void sizes_come_from_the_feeds(void **state)
{
    (void)state;
    struct model_case c;
    const float data[] = { 1, 2, 3, 4, 5, 6 };
    o2w_tensors *t = list();
    one_input(&c, FLOAT, "batch ?");
    add(t, "x", "float32", DIMS(2, 3), data, 24);
    assert_ok(take(&c, t));
    assert_int_equal(case_input(&c, "x")->feed.dims[0], 2);
    case_expect(&c, "x", VALUES(1, 2, 3, 4, 5, 6));
    o2w_tensors_free(t);
    case_end(&c);
}

static void a_fixed_size_must_be_met(void **state)
{
    (void)state;
    struct model_case c;
    const float data[] = { 1, 2, 3 };
    o2w_tensors *t = list();
    one_input(&c, FLOAT, "4");
    add(t, "x", "float32", DIMS(3), data, 12);
    assert_status(take(&c, t), O2W_INVALID_ARGUMENT);
    assert_non_null(case_find(&c, DIAG_FEED_SHAPE));
    o2w_tensors_free(t);
    case_end(&c);
}

static void bool_takes_bytes_0_and_1(void **state)
{
    (void)state;
    for (uint8_t last = 1; last <= 2; last++) {
        struct model_case c;
        const uint8_t data[] = { 0, last };
        o2w_tensors *t = list();
        one_input(&c, BOOL, "2");
        add(t, "x", "uint8", DIMS(2), data, 2);
        assert_status(take(&c, t), last == 1 ? O2W_OK : O2W_RANGE);
        o2w_tensors_free(t);
        case_end(&c);
    }
}

static void four_bits_need_the_marker(void **state)
{
    (void)state;
    struct model_case c;
    o2w_tensors *t = list(), *loaded = NULL;
    one_input(&c, UINT4, "3");
    add(t, "x", "uint4", DIMS(3), "\x21\x03", 2);
    const char *path = temp_path(&c.folder, "x.safetensors");
    assert_ok(o2w_feeds_save(t, path, NULL));
    assert_ok(o2w_feeds_load(path, &loaded, NULL));
    assert_ok(take(&c, loaded));
    case_expect(&c, "x", VALUES(1, 2, 3));
    o2w_tensors_free(loaded);
    o2w_tensors_free(t);
    case_end(&c);

    t = list();
    one_input(&c, UINT4, "3");
    add(t, "x", "uint8", DIMS(2), "\x21\x03", 2);
    assert_status(take(&c, t), O2W_INVALID_ARGUMENT);
    assert_non_null(case_find(&c, DIAG_FEED_DTYPE));
    o2w_tensors_free(t);
    case_end(&c);
}

static void npy_files_and_folders(void **state)
{
    (void)state;
    struct temp_folder folder;
    o2w_tensors *t = list(), *back = list();
    o2w_tensor_view view;
    o2w_error *error = NULL;
    const int64_t data[] = { -5, 7 };
    char spec[256];
    temp_folder_create(&folder);
    add(t, "a/b%\x01", "int64", DIMS(2), data, 16);
    const char *to = temp_path(&folder, "out");
    assert_ok(o2w_tensors_write(t, to, NULL));
    assert_int_equal(access(temp_path(&folder, "out/a%2Fb%25%01.npy"), R_OK), 0);
    assert_ok(o2w_tensors_read(back, to, NULL));
    assert_true(o2w_tensors_at(back, 0, &view));
    assert_string_equal(view.name, "a/b%\x01");
    assert_string_equal(view.type, "int64");
    assert_memory_equal(view.data, data, 16);
    snprintf(spec, sizeof spec, "p=q=%s", temp_path(&folder, "out/a%2Fb%25%01.npy"));
    assert_ok(o2w_tensors_read(back, spec, NULL));
    assert_true(o2w_tensors_at(back, 1, &view));
    assert_string_equal(view.name, "p=q");
    assert_status(o2w_tensors_read(back, spec, &error), O2W_INVALID_ARGUMENT);
    assert_has(o2w_error_text(error), "'p=q' is given twice");
    o2w_error_free(error);
    assert_status(o2w_tensors_read(back, "nonsense", &error), O2W_USAGE);
    o2w_error_free(error);
    o2w_tensors_free(back);
    o2w_tensors_free(t);
    temp_folder_remove(&folder);
}

static void summaries_of_tensors(void **state)
{
    (void)state;
    const float f[] = { 2, -3, 4 };
    const uint64_t u[] = { UINT64_MAX, 1 };
    o2w_tensor_summary s;
    char text[O2W_ELEMENT_TEXT];
    o2w_tensor_view v = { .type = "float32", .rank = 1, .dims = { 3 }, .data = f, .bytes = 12 };
    assert_true(o2w_tensor_summarize(&v, &s));
    assert_int_equal(s.least, 1);
    assert_int_equal(s.most, 2);
    assert_true(s.mean >= 1 && s.mean <= 1);
    v = (o2w_tensor_view){ .type = "uint64", .rank = 1, .dims = { 2 }, .data = u, .bytes = 16 };
    assert_true(o2w_tensor_summarize(&v, &s));
    assert_int_equal(s.most, 0);
    o2w_tensor_text(&v, 0, text);
    assert_string_equal(text, "18446744073709551615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_23_names),
        cmocka_unit_test(case_24_another_type),
        cmocka_unit_test(case_25_one_size_per_name),
        cmocka_unit_test(sizes_come_from_the_feeds),
        cmocka_unit_test(a_fixed_size_must_be_met),
        cmocka_unit_test(bool_takes_bytes_0_and_1),
        cmocka_unit_test(four_bits_need_the_marker),
        cmocka_unit_test(npy_files_and_folders),
        cmocka_unit_test(summaries_of_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
