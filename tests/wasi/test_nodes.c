/* T103: the node cases of ONNX whose dtypes all have codes, through one guest, on every backend. In ONNX Runtime all
 * that it has; what `webnn:…` does not lower is refused when it is loaded, never wrong. */
#include "wasi/guest.h"
#include "wasi/values.h"

#include "base/file.h"
#include "conformance/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct nodes {
    struct arena arena;
    struct tree cases;
    struct temp_folder folder;
    unsigned given, done, refused, failed;
};

static bool have_codes(const struct tree *values)
{
    static const char *const types[] = { "float16", "float", "double", "uint8",
                                         "int32",   "int64", "bool" };
    for (size_t i = 0; i < values->count; i++) {
        bool known = false;
        struct span kind = tree_text(&values->items[i], "kind");
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            known |= span_is(tree_text(&values->items[i], "type"), types[t]);
        if (!known || (kind.size && !span_is(kind, "tensor")))
            return false;
    }
    return true;
}

/* Cases that ONNX Runtime runs as ONNX says; optional inputs that are left out have no file. */
static bool is_ours(const struct tree *c)
{
    return span_is(tree_text(c, "ort"), "pass") && have_codes(tree_get(c, "inputs")) &&
           have_codes(tree_get(c, "outputs"));
}

static struct span name_of(const struct tree *c)
{
    return tree_text(c, "name");
}

static const char *data_folder(struct nodes *n, const struct tree *c)
{
    return arena_printf(&n->arena, "%s/onnx-node/%.*s", O2W_UNPACKED_DATA, SPAN_ARG(name_of(c)));
}

static void link_model(struct nodes *n, const struct tree *c, const char *into)
{
    struct span model;
    assert_ok(file_read_all(arena_printf(&n->arena, "%s/model.onnx", data_folder(n, c)), 1 << 24,
                            &n->arena, NULL, &model));
    FILE *f = fopen(arena_printf(&n->arena, "%s/model.onnx", into), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(model.data, 1, model.size, f), model.size);
    assert_int_equal(fclose(f), 0);
}

static void write_list(struct nodes *n)
{
    static char specs[3800];
    FILE *list = fopen(arena_printf(&n->arena, "%s/list", n->folder.path), "w");
    assert_non_null(list);
    for (size_t i = 0; i < n->cases.count; i++) {
        const struct tree *c = &n->cases.items[i];
        const char *prefix = arena_printf(&n->arena, "%zu/", i);
        const char *into = arena_printf(&n->arena, "%s/%zu", n->folder.path, i);
        if (!is_ours(c))
            continue;
        assert_int_equal(mkdir(into, 0777), 0);
        link_model(n, c, into);
        if (!value_write_inputs(data_folder(n, c), n->folder.path, prefix, &n->arena, specs,
                                sizeof specs))
            fail_msg("%.*s: an input has no code", SPAN_ARG(name_of(c)));
        (void)fprintf(list, "%zu%s\n", i, specs);
        n->given++;
    }
    assert_int_equal(fclose(list), 0);
}

/* Sums of many products lose in proportion to the largest of them. */
static struct tolerance tolerance_of(const struct tree *c, const struct value *want)
{
    struct tolerance t = { 1e-3, 1e-5 };
    double number;
    if (want->dtype == DTYPE_FLOAT16)
        t = (struct tolerance){ 1e-2, 2e-3 };
    const struct tree *relative = tree_get(c, "rtol"), *absolute = tree_get(c, "atol");
    if (relative && tree_double(relative, &number))
        t.relative = number;
    if (absolute && tree_double(absolute, &number))
        t.absolute = number;
    struct span op = tree_text(c, "operator");
    if (span_is(op, "DFT") || span_is(op, "STFT"))
        t.absolute += 3e-6 * value_most(want);
    return t;
}

static bool native(void)
{
    return strcmp(the_backend, "onnx") == 0;
}

static void wrong(struct nodes *n, const struct tree *c, const char *what)
{
    print_error("%.*s: %s\n", SPAN_ARG(name_of(c)), what);
    n->failed++;
}

/* f64 is refused where it would be narrowed. */
static void check_outputs(struct nodes *n, size_t i, const char *errors)
{
    static struct value want;
    const struct tree *c = &n->cases.items[i], *outputs = tree_get(c, "outputs");
    char *at = NULL;
    for (unsigned k = 0; k < outputs->count; k++, errors = at) {
        unsigned long e = strtoul(errors, &at, 10);
        struct span got;
        if (at == errors) {
            wrong(n, c, "an output is missing");
            return;
        }
        if (!value_read(data_folder(n, c), "output", k, &n->arena, &want)) {
            wrong(n, c, "an expected output cannot be read");
            return;
        }
        if (!native() && e == WASINN_UNSUPPORTED_OPERATION && want.dtype == DTYPE_FLOAT64)
            continue;
        const char *path = arena_printf(&n->arena, "%s/%zu/out_%u.bin", n->folder.path, i, k);
        const char *difference = "no output";
        if (e == 0 && file_read_all(path, 1 << 24, &n->arena, NULL, &got) == O2W_OK)
            difference = value_difference(&want, got.data, got.size, tolerance_of(c, &want));
        if (difference)
            wrong(n, c, difference);
    }
}

static void check_line(struct nodes *n, const char *line)
{
    size_t i;
    char step[16];
    unsigned e;
    int length = 0;
    if (sscanf(line, "%zu %15s %u%n", &i, step, &e, &length) != 3 || i >= n->cases.count)
        fail_msg("the guest said: %s", line);
    if (strcmp(step, "done") == 0) {
        n->done++;
        check_outputs(n, i, line + length);
    } else if (native() || (strcmp(step, "load") != 0 && e != WASINN_UNSUPPORTED_OPERATION)) {
        wrong(n, &n->cases.items[i], line);
    } else {
        n->refused++;
    }
}

static void run_guest(struct nodes *n)
{
    char line[1024];
    const char *command = arena_printf(
        &n->arena,
        "cd %s && %s/onnx2webnn wasi -q --backend %s --threads 1 --max-graphs 5000 --max-contexts 5000 "
        "--dir-rw . %s/run_list.wasm list > said 2> erred",
        n->folder.path, O2W_BIN, the_backend, O2W_GUESTS);
    int status = system(command); /* NOLINT: the words are the test's own */
    if (status != 0)
        fail_msg("the guest ended with %d", status);
    FILE *said = fopen(arena_printf(&n->arena, "%s/said", n->folder.path), "r");
    assert_non_null(said);
    while (fgets(line, sizeof line, said))
        check_line(n, line);
    assert_int_equal(fclose(said), 0);
}

static void t103_node_cases_in_a_guest(void **state)
{
    struct nodes n = { .given = 0 };
    struct diags d;
    (void)state;
    if (!guests_run_here())
        skip();
    arena_init(&n.arena, NULL);
    diags_init(&d, NULL);
    assert_ok(tree_read(O2W_TEST_DATA "/onnx-node/cases.json", &n.arena, &d, &n.cases));
    temp_folder_create(&n.folder);
    write_list(&n);
    run_guest(&n);
    print_message("%s: %u cases, %u ran, %u were refused\n", the_backend, n.given, n.done,
                  n.refused);
    temp_folder_remove(&n.folder);
    diags_free(&d);
    arena_free(&n.arena);
    assert_int_equal(n.done + n.refused, n.given);
    assert_int_equal(n.failed, 0);
    assert_true(n.given > 800);
    assert_true(n.done > (native() ? n.given - 1 : n.given / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(t103_node_cases_in_a_guest) };
    return run_on_backends("nodes", tests, 1);
}
