#include "wasi/values.h"

#include <onnx2webnn/wasi_nn_wasmtime.h>

#include "base/file.h"
#include "base/half.h"
#include "onnx/proto.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------------- */

static void put_bytes(struct value *v, const void *bytes, size_t size)
{
    assert_true(v->size + size <= sizeof v->own);
    memcpy(v->own + v->size, bytes, size);
    v->size += size;
    v->data = v->own;
}

/* int32_data holds whatever is narrower too. */
static size_t element_size(const struct value *v, uint32_t field)
{
    uint64_t size = 4;
    if (field == TENSOR_INT32_DATA && v->dtype != DTYPE_COUNT)
        (void)dtype_bytes(v->dtype, 1, &size);
    return field == TENSOR_FLOAT_DATA || field == TENSOR_INT32_DATA ? (size_t)size : 8;
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
        } else {
            put_bytes(v, &bits, element_size(v, r->field));
        }
    }
}

static bool is_complete(const struct value *v)
{
    uint64_t count = 1, bytes = 0;
    for (size_t k = 0; k < v->rank; k++)
        count *= v->dims[k];
    return v->dtype != DTYPE_COUNT && v->dtype != DTYPE_STRING &&
           dtype_bytes(v->dtype, count, &bytes) && bytes == v->size;
}

bool value_read(const char *folder, const char *what, unsigned index, struct arena *a,
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
    v->dtype = DTYPE_COUNT;
    v->rank = v->size = 0;
    v->data = v->own;
    while (wire_next(&r)) {
        if (r.field == TENSOR_DATA_TYPE)
            (void)dtype_by_onnx(wire_i64(&r), &v->dtype);
        else if (r.field == TENSOR_RAW_DATA) {
            v->data = r.bytes.data;
            v->size = r.bytes.size;
        } else if (r.field == TENSOR_DIMS || r.field == TENSOR_FLOAT_DATA ||
                   r.field == TENSOR_INT32_DATA || r.field == TENSOR_INT64_DATA ||
                   r.field == TENSOR_DOUBLE_DATA || r.field == TENSOR_UINT64_DATA)
            read_numbers(&r, v);
    }
    return r.status == O2W_OK && is_complete(v);
}

bool value_code(enum dtype t, uint32_t *code)
{
    static const enum dtype codes[] = { DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64,
                                        DTYPE_UINT8,   DTYPE_INT32,   DTYPE_INT64 };
    enum dtype carried = t == DTYPE_BOOL ? DTYPE_UINT8 : t;
    for (*code = 0; *code < 6; ++*code)
        if (codes[*code] == carried)
            return true;
    return false;
}

/* --- comparing --------------------------------------------------------------------------------------- */

static double element(const uint8_t *data, enum dtype t, size_t i)
{
    uint16_t half;
    float single;
    double wide;
    switch ((int)t) {
    case DTYPE_FLOAT16: memcpy(&half, data + 2 * i, 2); return half_to_float(half);
    case DTYPE_FLOAT32: memcpy(&single, data + 4 * i, 4); return single;
    default: memcpy(&wide, data + 8 * i, 8); return wide;
    }
}

static bool is_float(const struct value *v)
{
    return v->dtype == DTYPE_FLOAT16 || v->dtype == DTYPE_FLOAT32 || v->dtype == DTYPE_FLOAT64;
}

static size_t element_count(const struct value *v)
{
    uint64_t width = 1;
    (void)dtype_bytes(v->dtype, 1, &width);
    return v->size / (size_t)width;
}

double value_most(const struct value *v)
{
    double most = 0;
    for (size_t i = 0; is_float(v) && i < element_count(v); i++)
        most = fmax(most, fabs(element(v->data, v->dtype, i)));
    return most;
}

static bool agree(double x, double y, struct tolerance t)
{
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (isinf(x) || isinf(y))
        return x == y;
    return fabs(x - y) <= t.absolute + t.relative * fabs(y);
}

const char *value_difference(const struct value *want, const void *got, size_t size,
                             struct tolerance t)
{
    static char text[160];
    if (size != want->size) {
        (void)snprintf(text, sizeof text, "%zu bytes, wanted %zu", size, want->size);
        return text;
    }
    if (!is_float(want))
        return size && memcmp(got, want->data, size) != 0 ? "integers differ" : NULL;
    for (size_t i = 0; i < element_count(want); i++) {
        double x = element(got, want->dtype, i), y = element(want->data, want->dtype, i);
        if (agree(x, y, t))
            continue;
        (void)snprintf(text, sizeof text, "element %zu: %.9g, wanted %.9g", i, x, y);
        return text;
    }
    return NULL;
}

void value_compare(const char *name, unsigned index, const struct value *want, const void *got,
                   size_t size, struct tolerance t)
{
    const char *difference = value_difference(want, got, size, t);
    if (difference)
        fail_msg("%s output %u: %s", name, index, difference);
}

/* --- guests ------------------------------------------------------------------------------------------ */

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    if (size)
        assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

bool value_write_inputs(const char *folder, const char *into, const char *prefix, struct arena *a,
                        char *specs, size_t room)
{
    static const char *const types[] = { "f16", "f32", "f64", "u8", "i32", "i64" };
    static struct value in;
    size_t length = 0;
    char path[600];
    uint32_t code;
    *specs = 0;
    for (unsigned k = 0; value_read(folder, "input", k, a, &in); k++) {
        if (!value_code(in.dtype, &code))
            return false;
        (void)snprintf(path, sizeof path, "%s/%sin_%u.bin", into, prefix, k);
        write_file(path, in.data, in.size);
        length += (size_t)snprintf(specs + length, room - length, " %s:", types[code]);
        for (size_t d = 0; d < in.rank; d++)
            length +=
                (size_t)snprintf(specs + length, room - length, "%s%u", d ? "x" : "", in.dims[d]);
        length += (size_t)snprintf(specs + length, room - length, "%s:%sin_%u.bin",
                                   in.rank ? "" : "-", prefix, k);
        assert_true(length < room);
    }
    return true;
}

bool guests_run_here(void)
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
