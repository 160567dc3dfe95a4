/* T102: every classifier of the data, on every backend, through the functions that guests call. Labels are exact,
 * scores within 1e-5. What `webnn:…` does not lower is refused when it is loaded, never wrong. */
#include "wasi/guest.h"
#include "wasi/values.h"

#include <onnx2webnn/wasi_nn_wasmtime.h>

#include "base/file.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

static const struct tolerance exact = { 1e-5, 1e-5 };
static unsigned ran, refused;

/* Outputs that the data have as tensors; the others answer 6. */
static void check_outputs(struct guest *g, uint32_t c, const char *name, const char *folder,
                          struct arena *a)
{
    static struct value want;
    static uint8_t got[1 << 16];
    uint32_t size = 0, code;
    for (unsigned k = 0; k < 8; k++) {
        uint32_t e = guest_get(g, c, k, got, 1 << 15, &size);
        if (e == WASINN_INVALID_ARGUMENT)
            break;
        bool tensor = value_read(folder, "output", k, a, &want);
        if (e == WASINN_UNSUPPORTED_OPERATION &&
            (!tensor || !value_code(want.dtype, &code) || want.dtype == DTYPE_FLOAT64))
            continue;
        E(g, e, WASINN_SUCCESS);
        if (tensor) /* a ZipMap's place has a tensor that the data do not have */
            value_compare(name, k, &want, got, size, exact);
    }
}

static void run_case(const char *name, const char *run)
{
    static struct value in;
    char folder[400], path[500];
    struct arena a;
    struct guest g;
    struct span model;
    uint32_t graph = 0, code = 0;
    arena_init(&a, NULL);
    (void)snprintf(folder, sizeof folder, "%s/classifiers/%s", O2W_UNPACKED_DATA, name);
    (void)snprintf(path, sizeof path, "%s/model.onnx", folder);
    assert_ok(file_read_all(path, 1 << 24, &a, NULL, &model));
    const struct guest_graph graphs[] = { { .name = "c", .model = model, .lazy = true } };
    guest_begin_with(&g, NULL, graphs, 1);
    uint32_t out = guest_word(&g, 0);
    uint32_t e = CALL(&g, WASINN_LOAD_BY_NAME, guest_put(&g, "c", 1), 1, out);
    graph = guest_read(&g, out);
    bool native = strcmp(the_backend, "onnx") == 0, strings = strcmp(run, "string-input") == 0;
    if (e != WASINN_SUCCESS && !native) {
        refused++;
    } else {
        E(&g, e, WASINN_SUCCESS);
        E(&g, CALL(&g, WASINN_INIT_EXECUTION_CONTEXT, graph, out), WASINN_SUCCESS);
        uint32_t c = guest_read(&g, out), set = WASINN_SUCCESS;
        for (unsigned k = 0; value_read(folder, "input", k, &a, &in) && !set; k++) {
            assert_true(value_code(in.dtype, &code));
            set = guest_set(&g, c, k, code, in.dims, in.rank, in.data, in.size);
            if (!(in.dtype == DTYPE_FLOAT64 && !native && set == WASINN_UNSUPPORTED_OPERATION))
                E(&g, set, WASINN_SUCCESS);
        }
        if (strings) {
            E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_RUNTIME_ERROR);
        } else if (!set) {
            E(&g, CALL(&g, WASINN_COMPUTE, c), WASINN_SUCCESS);
            check_outputs(&g, c, name, folder, &a);
            ran++;
        }
    }
    guest_end(&g);
    arena_free(&a);
}

static void for_every_case(void (*one)(const char *name, const char *run))
{
    struct arena a;
    struct span text;
    struct json_reader r;
    struct json_value v, member;
    struct diags d;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    ran = refused = 0;
    assert_ok(file_read_all(O2W_TEST_DATA "/classifiers/cases.json", 1 << 20, &a, &d, &text));
    assert_ok(json_begin(&r, text, SPAN("cases.json"), &a, &d));
    assert_ok(json_next(&r, &v));
    while (json_next(&r, &v) == O2W_OK && v.kind == JSON_OBJECT) {
        char name[100] = "", run[100] = "";
        while (json_next(&r, &member) == O2W_OK && member.kind != JSON_END) {
            if (span_is(member.key, "name"))
                (void)snprintf(name, sizeof name, "%.*s", SPAN_ARG(member.text));
            else if (span_is(member.key, "run"))
                (void)snprintf(run, sizeof run, "%.*s", SPAN_ARG(member.text));
            else
                assert_ok(json_skip(&r, &member));
        }
        one(name, run);
    }
    diags_free(&d);
    arena_free(&a);
}

static void t102_classifiers(void **state)
{
    (void)state;
    for_every_case(run_case);
    print_message("%s: %u ran, %u are not lowered\n", the_backend, ran, refused);
    assert_true(ran + refused >= 29);
    assert_true(ran >= 20);
}

/* --- in a guest -------------------------------------------------------------------------------------- */

static void compare_files(const char *name, const char *folder, const struct temp_folder *t,
                          struct arena *a)
{
    static struct value want;
    char path[64];
    struct span got;
    unsigned compared = 0;
    for (unsigned k = 0; k < 8; k++) {
        (void)snprintf(path, sizeof path, "out/%u.bin", k);
        if (!value_read(folder, "output", k, a, &want) ||
            file_read_all(temp_path(t, path), 1 << 16, a, NULL, &got) != O2W_OK)
            continue;
        value_compare(name, k, &want, got.data, (uint32_t)got.size, exact);
        compared++;
    }
    assert_true(compared > 0);
}

static void run_in_guest(const char *name, const char *run)
{
    char folder[400], path[500], specs[600], command[2400];
    struct temp_folder t;
    struct arena a;
    struct span model;
    arena_init(&a, NULL);
    temp_folder_create(&t);
    (void)snprintf(folder, sizeof folder, "%s/classifiers/%s", O2W_UNPACKED_DATA, name);
    (void)snprintf(path, sizeof path, "%s/model.onnx", folder);
    assert_ok(file_read_all(path, 1 << 24, &a, NULL, &model));
    (void)temp_write(&t, "model.onnx", model.data, model.size);
    (void)temp_write(&t, "out/none", "", 0);
    assert_true(value_write_inputs(folder, t.path, "", &a, specs, sizeof specs));
    (void)snprintf(command, sizeof command,
                   "cd %s && %s/onnx2webnn wasi -q --backend %s --dir-rw . %s/run_files.wasm "
                   "model.onnx%s > said 2> erred",
                   t.path, O2W_BIN, the_backend, O2W_GUESTS, specs);
    int status = system(command); /* NOLINT: the words are the test's own */
    bool native = strcmp(the_backend, "onnx") == 0;
    if (status == 0)
        compare_files(name, folder, &t, &a);
    else if (native && strcmp(run, "string-input") != 0)
        fail_msg("%s: the guest ended with %d", name, status);
    ran += status == 0;
    refused += status != 0;
    temp_folder_remove(&t);
    arena_free(&a);
}

static void t102_classifiers_in_a_guest(void **state)
{
    (void)state;
    if (!guests_run_here())
        skip();
    for_every_case(run_in_guest);
    print_message("%s: %u ran in a guest, %u were refused\n", the_backend, ran, refused);
    assert_int_equal(ran + refused, 30);
    assert_true(ran >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(t102_classifiers),
                                        cmocka_unit_test(t102_classifiers_in_a_guest) };
    return run_on_backends("classifiers", tests, 2);
}
