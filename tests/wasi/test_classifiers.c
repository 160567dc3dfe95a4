/* T102: every classifier of the data, on every backend, through the functions that guests call. Labels are exact,
 * scores within 1e-5. What `webnn:…` does not lower is refused when it is loaded, never wrong. */
#include "wasi/guest.h"

#include <onnx2webnn/wasi_nn_wasmtime.h>

#include "base/file.h"
#include "base/json.h"
#include "onnx/proto.h"
#include "tensor/dtype.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A TensorProto of the data set. */
struct value {
    enum dtype dtype;
    uint32_t dims[8];
    size_t rank;
    const uint8_t *data;
    size_t size;
    uint8_t own[1 << 16];
};

static void put_bytes(struct value *v, const void *bytes, size_t size)
{
    assert_true(v->size + size <= sizeof v->own);
    memcpy(v->own + v->size, bytes, size);
    v->size += size;
    v->data = v->own;
}

static void read_numbers(struct wire_reader *r, struct value *v)
{
    size_t count;
    uint64_t bits;
    assert_ok(wire_value_count(r, &count));
    for (struct wire_values n = wire_values(r); wire_value(&n, &bits);) {
        if (r->field == TENSOR_DIMS) {
            if (v->rank < 8) /* what is no tensor reads as anything */
                v->dims[v->rank++] = (uint32_t)bits;
        } else
            put_bytes(v, &bits,
                      r->field == TENSOR_FLOAT_DATA || r->field == TENSOR_INT32_DATA ? 4 : 8);
    }
}

/* False: it is no tensor of numbers, or there is no such file. */
static bool read_value(const char *folder, const char *what, unsigned index, struct arena *a,
                       struct value *v)
{
    char path[600];
    struct span bytes;
    (void)snprintf(path, sizeof path, "%s/test_data_set_0/%s_%u.pb", folder, what, index);
    if (file_read_all(path, 1 << 20, a, NULL, &bytes) != O2W_OK)
        return false;
    struct wire_source source = { .file = bytes, .name = SPAN("tensor") };
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(&source, &m, &proto_tensor);
    *v = (struct value){ .dtype = DTYPE_COUNT };
    while (wire_next(&r)) {
        if (r.field == TENSOR_DATA_TYPE)
            (void)dtype_by_onnx(wire_i64(&r), &v->dtype);
        else if (r.field == TENSOR_RAW_DATA) {
            v->data = r.bytes.data;
            v->size = r.bytes.size;
        } else if (r.field == TENSOR_DIMS || r.field == TENSOR_FLOAT_DATA ||
                   r.field == TENSOR_INT32_DATA || r.field == TENSOR_INT64_DATA ||
                   r.field == TENSOR_DOUBLE_DATA)
            read_numbers(&r, v);
    }
    return r.status == O2W_OK && v->size && v->dtype != DTYPE_COUNT && v->dtype != DTYPE_STRING;
}

static bool code_of(enum dtype t, uint32_t *code)
{
    static const enum dtype codes[] = { DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64,
                                        DTYPE_UINT8,   DTYPE_INT32,   DTYPE_INT64 };
    for (*code = 0; *code < 6; ++*code)
        if (codes[*code] == t)
            return true;
    return false;
}

static double element(const void *data, enum dtype t, size_t i)
{
    return t == DTYPE_FLOAT32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static void compare(const char *name, unsigned index, const struct value *want, const void *got,
                    uint32_t size)
{
    if (size != want->size)
        fail_msg("%s output %u: %u bytes, wanted %zu", name, index, size, want->size);
    if (want->dtype != DTYPE_FLOAT32 && want->dtype != DTYPE_FLOAT64) {
        if (memcmp(got, want->data, size) != 0)
            fail_msg("%s output %u: labels differ", name, index);
        return;
    }
    static _Alignas(8) uint8_t aligned[1 << 16], found[1 << 16];
    memcpy(aligned, want->data, size);
    memcpy(found, got, size);
    for (size_t i = 0; i < size / (want->dtype == DTYPE_FLOAT32 ? 4 : 8); i++) {
        double x = element(found, want->dtype, i), y = element(aligned, want->dtype, i);
        if (!(fabs(x - y) <= 1e-5 * (1 + fabs(y))))
            fail_msg("%s output %u element %zu: %.9g, wanted %.9g", name, index, i, x, y);
    }
}

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
        bool tensor = read_value(folder, "output", k, a, &want);
        if (e == WASINN_UNSUPPORTED_OPERATION &&
            (!tensor || !code_of(want.dtype, &code) || want.dtype == DTYPE_FLOAT64))
            continue;
        E(g, e, WASINN_SUCCESS);
        if (tensor) /* a ZipMap's place has a tensor that the data do not have */
            compare(name, k, &want, got, size);
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
        for (unsigned k = 0; read_value(folder, "input", k, &a, &in) && !set; k++) {
            assert_true(code_of(in.dtype, &code));
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

static bool guests_run_here(void)
{
    const wasinn_wasmtime *w;
    FILE *guest = fopen(O2W_GUESTS "/run_files.wasm", "rb");
    if (guest)
        (void)fclose(guest);
    if (!guest)
        print_message("skipped: no clang with wasi-libc and lld for wasm32-wasi here\n");
    else if (wasinn_wasmtime_open(NULL, &w, NULL) != O2W_OK)
        print_message("skipped: no Wasmtime here (tools/setup wasmtime)\n");
    else
        return true;
    return false;
}

/* " f32:5x4:in_0.bin" for every input, which is written there. */
static bool write_inputs(const char *folder, const struct temp_folder *t, struct arena *a,
                         char *specs, size_t room)
{
    static const char *const types[] = { "f16", "f32", "f64", "u8", "i32", "i64" };
    static struct value in;
    size_t length = 0;
    char name[32];
    uint32_t code;
    *specs = 0;
    for (unsigned k = 0; read_value(folder, "input", k, a, &in); k++) {
        if (!code_of(in.dtype, &code))
            return false;
        (void)snprintf(name, sizeof name, "in_%u.bin", k);
        (void)temp_write(t, name, in.data, in.size);
        length += (size_t)snprintf(specs + length, room - length, " %s:", types[code]);
        for (size_t d = 0; d < in.rank; d++)
            length +=
                (size_t)snprintf(specs + length, room - length, "%s%u", d ? "x" : "", in.dims[d]);
        length +=
            (size_t)snprintf(specs + length, room - length, "%s:%s", in.rank ? "" : "-", name);
    }
    return true;
}

static void compare_files(const char *name, const char *folder, const struct temp_folder *t,
                          struct arena *a)
{
    static struct value want;
    char path[64];
    struct span got;
    unsigned compared = 0;
    for (unsigned k = 0; k < 8; k++) {
        (void)snprintf(path, sizeof path, "out/%u.bin", k);
        if (!read_value(folder, "output", k, a, &want) ||
            file_read_all(temp_path(t, path), 1 << 16, a, NULL, &got) != O2W_OK)
            continue;
        compare(name, k, &want, got.data, (uint32_t)got.size);
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
    assert_true(write_inputs(folder, &t, &a, specs, sizeof specs));
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
