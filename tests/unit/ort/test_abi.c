/* The functions of the C interface against the list of facts, and against the library that is here. */
#include "runtime.h"

#include "base/file.h"
#include "base/number.h"
#include "ort/ort_abi.h"
#include "ort/ort_model.h"
#include "ort/ort_value.h"

#include <stdlib.h>
#include <string.h>

struct row {
    const char *name;
    uint32_t slot, level;
};

static const struct row rows[] = {
#define CALL(name, slot, level, result, parameters) { #name, slot, level },
#include "ort/ort_calls.def"
};

/* "SLOT\tNAME" of the list for a slot. */
static bool list_has(struct span list, const struct row *row)
{
    char line[128];
    int size = snprintf(line, sizeof line, "\n%u\t%s\n", row->slot, row->name);
    return memmem(list.data, list.size, line, (size_t)size) != NULL;
}

static void every_slot_is_that_of_the_list(void **state)
{
    (void)state;
    struct arena a;
    struct diags d;
    struct span list;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    const char *path = O2W_TEST_DATA "/../../tools/gen/data/ort-api-slots.tsv";
    assert_ok(file_read_all(path, 1 << 20, &a, &d, &list));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!list_has(list, &rows[i]))
            fail_msg("%s is not at slot %u", rows[i].name, rows[i].slot);
    diags_free(&d);
    arena_free(&a);
}

/* Where each level of the interface ends: a slot above needs the next level. */
static void every_level_has_its_slots(void **state)
{
    (void)state;
    static const struct {
        uint32_t level, last;
    } ends[] = {
        { 1, 101 },  { 2, 118 },  { 3, 124 },  { 4, 126 },  { 5, 149 },  { 7, 157 },  { 8, 161 },
        { 9, 169 },  { 10, 191 }, { 11, 203 }, { 12, 209 }, { 13, 224 }, { 14, 238 }, { 15, 254 },
        { 16, 265 }, { 17, 275 }, { 18, 279 }, { 20, 284 }, { 22, 317 }, { 23, 389 }, { 24, 414 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t k = 0;
        while (ends[k].level < rows[i].level)
            k++;
        if (ends[k].level != rows[i].level || rows[i].slot > ends[k].last ||
            (k > 0 && rows[i].slot <= ends[k - 1].last))
            fail_msg("%s: slot %u is not of level %u", rows[i].name, rows[i].slot, rows[i].level);
        assert_true(rows[i].level <= ORT_API_LEVEL);
    }
}

static void version_is_that_of_the_library(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    unsigned major = 0, minor = 0;
    assert_int_equal(sscanf(ort_version(o), "%u.%u", &major, &minor), 2);
    assert_true(major > 1 || minor >= 29);
    assert_true(ort_has_provider(o, "CPUExecutionProvider"));
    assert_false(ort_has_provider(o, "CPU"));
    assert_non_null(strstr(ort_library(o), "onnxruntime"));
}

/* 2 * x + 1, negative parts cut off: every kind of call of the editor and of a run. */
static void three_operators_agree_with_the_hand(void **state)
{
    (void)state;
    const struct ort *o = the_runtime();
    const struct sink_opset opset = { "", 21 };
    struct diags d;
    struct ort_model *m;
    struct ort_session *s;
    diags_init(&d, NULL);
    float two = 2, ones[40], x[40];
    for (int i = 0; i < 40; i++) {
        ones[i] = 1;
        x[i] = (float)(i - 20);
    }
    const int64_t dims[1] = { 40 };
    assert_runtime_ok(ort_model_create(o, &opset, 1, NULL, &d, &m), &d);
    assert_runtime_ok(ort_model_input(m, "x", DTYPE_FLOAT32, dims, 1, NULL, &d), &d);
    assert_runtime_ok(ort_model_constant(m, "two", &(struct tensor){ .data = &two }, false, &d),
                      &d);
    struct tensor one = { .rank = 1, .dims = { 40 }, .data = ones };
    assert_runtime_ok(ort_model_constant(m, "one", &one, false, &d), &d);
    const char *const mul[] = { "x", "two" }, *const add[] = { "a", "one" },
                      *const relu[] = { "b" };
    const char *const a = "a", *const b = "b", *const y = "y";
    assert_runtime_ok(ort_model_node(m,
                                     &(struct sink_node){ .op = "Mul",
                                                          .domain = "",
                                                          .name = "",
                                                          .inputs = mul,
                                                          .input_count = 2,
                                                          .outputs = &a,
                                                          .output_count = 1 },
                                     &d),
                      &d);
    assert_runtime_ok(ort_model_node(m,
                                     &(struct sink_node){ .op = "Add",
                                                          .domain = "",
                                                          .name = "",
                                                          .inputs = add,
                                                          .input_count = 2,
                                                          .outputs = &b,
                                                          .output_count = 1 },
                                     &d),
                      &d);
    assert_runtime_ok(ort_model_node(m,
                                     &(struct sink_node){ .op = "Relu",
                                                          .domain = "",
                                                          .name = "",
                                                          .inputs = relu,
                                                          .input_count = 1,
                                                          .outputs = &y,
                                                          .output_count = 1 },
                                     &d),
                      &d);
    assert_runtime_ok(ort_model_output(m, "y", DTYPE_FLOAT32, dims, 1, NULL, &d), &d);
    assert_runtime_ok(ort_session_from_model(o, m, &(struct ort_options){ .threads = 1 }, &d, &s),
                      &d);
    ort_model_free(m);
    ort_value *value;
    struct tensor got;
    struct ort_feed feed = { "x", { .rank = 1, .dims = { 40 }, .data = x } };
    assert_runtime_ok(ort_session_run(s, &feed, 1, NULL, 1, NULL, &d, &value), &d);
    assert_runtime_ok(ort_value_tensor(o, value, &d, &got), &d);
    assert_int_equal(got.rank, 1);
    assert_int_equal(got.dims[0], 40);
    for (int i = 0; i < 40; i++) {
        float wanted = 2 * x[i] + 1;
        assert_true(((const float *)got.data)[i] == (wanted > 0 ? wanted : 0));
    }
    ort_value_free(o, value);
    ort_session_free(s);
    diags_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_slot_is_that_of_the_list),
        cmocka_unit_test(every_level_has_its_slots),
        cmocka_unit_test(version_is_that_of_the_library),
        cmocka_unit_test(three_operators_agree_with_the_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
