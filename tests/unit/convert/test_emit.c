/* Emission through the library: every form to memory and to files, and what is left when something fails. */
#include "models.h"

#include <onnx2webnn/convert.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 32, COLUMNS = 12 }; /* of weights that do not stand in a model */

static const struct form {
    o2w_emit_kind kind;
    const char *output; /* file name; with its companions there are `files` */
    size_t files[3];    /* by o2w_weight_data; 0: not an option of the form */
} forms[] = {
    { O2W_EMIT_JS, "g.mjs", { 3, 2, 2 } },    { O2W_EMIT_HTML, "g.html", { 2, 1, 1 } },
    { O2W_EMIT_JSON, "g.json", { 2, 2, 1 } }, { O2W_EMIT_TEXT, "g.webnn", { 2, 2, 1 } },
    { O2W_EMIT_DOT, "g.dot", { 1 } },         { O2W_EMIT_SVG, "g.svg", { 1 } },
    { O2W_EMIT_ONNX, "g.onnx", { 2, 1, 1 } },
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

static const char *write_model(const struct temp_folder *t)
{
    static float weights[ROWS * COLUMNS];
    struct model_builder b;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        weights[i] = (float)i;
    mb_begin(&b, 17);
    mb_graph(&b);
    mb_input(&b, "x", ONNX_FLOAT, DIMS(2, ROWS));
    mb_floats(&b, "w", DIMS(ROWS, COLUMNS), weights, ROWS * COLUMNS);
    mb_node(&b, "MatMul", "x w", "p");
    mb_node(&b, "Relu", "p", "y");
    mb_output(&b, "y", ONNX_FLOAT, DIMS(2, COLUMNS));
    struct span bytes = mb_end(&b);
    const char *path = temp_write(t, "m.onnx", bytes.data, bytes.size);
    mb_free(&b);
    return path;
}

struct attempt {
    const char *model;
    const struct form *form;
    const char *output; /* NULL: to memory */
    o2w_weight_data weights;
    struct temp_folder out;
};

static o2w_status emit_with(const o2w_allocator *allocator, void *user)
{
    struct attempt *a = user;
    o2w_environment e = { .size = sizeof e, .allocator = *allocator };
    o2w_emit_options o = {
        .size = sizeof o, .output = a->output, .weight_data = a->weights, .environment = &e
    };
    char *text = NULL;
    size_t size = 0;
    o2w_status s = o2w_emit_file(a->model, a->form->kind, &o, &text, &size, NULL);
    if (s != O2W_OK) {
        assert_null(text);
        assert_int_equal(temp_count(&a->out), 0);
    }
    webnn_text_free(text);
    return s;
}

/* Every file is there once nothing fails, none while something does. */
static void files_appear_together_or_not_at_all(void **state)
{
    (void)state;
    struct temp_folder t;
    temp_folder_create(&t);
    char *model = strdup(write_model(&t));
    for (size_t i = 0; i < FORM_COUNT; i++)
        for (int w = 0; w < 3 && forms[i].files[w]; w++) {
            struct attempt a = { .model = model, .form = &forms[i], .weights = (o2w_weight_data)w };
            temp_folder_create(&a.out);
            a.output = strdup(temp_path(&a.out, forms[i].output));
            assert_true(sweep_allocations(emit_with, &a) > 10);
            if (temp_count(&a.out) != forms[i].files[w])
                fail_msg("%s, weights %d: %zu files", forms[i].output, w, temp_count(&a.out));
            free((void *)(uintptr_t)a.output);
            temp_folder_remove(&a.out);
        }
    free(model);
    temp_folder_remove(&t);
}

static void running_out_of_memory_is_survived_in_memory_too(void **state)
{
    (void)state;
    struct temp_folder t;
    temp_folder_create(&t);
    char *model = strdup(write_model(&t));
    for (size_t i = 0; i < FORM_COUNT; i++) {
        struct attempt a = { .model = model,
                             .form = &forms[i],
                             .weights = forms[i].files[1] ? O2W_WEIGHT_DATA_INLINE
                                                          : O2W_WEIGHT_DATA_EXTERNAL };
        temp_folder_create(&a.out);
        assert_true(sweep_allocations(emit_with, &a) > 10);
        temp_folder_remove(&a.out);
    }
    free(model);
    temp_folder_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_appear_together_or_not_at_all),
        cmocka_unit_test(running_out_of_memory_is_survived_in_memory_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
