/* Every operator and dtype on ONNX Runtime against our kernels, with and without its optimiser, and as a model
 * that is written out. */
#include "engine_case.h"

#include "support/emitted_model.h"

#include <stdlib.h>

extern const struct backend backend_onnx;

static const struct engine_case cases[] = {
#include "onnx_cases.def"
};

static const struct engine_case large_cases[] = {
#include "large_cases.def"
};

/* How far a float may be off: relative, and absolute for results near 0. */
struct tolerance {
    double relative, absolute;
};

static struct tolerance tolerance_of(enum webnn_operator kind, enum dtype t)
{
    static const bool exact[WEBNN_OPERATOR_COUNT] = {
        [WEBNN_ADD] = true,        [WEBNN_SUB] = true,
        [WEBNN_MUL] = true,        [WEBNN_DIV] = true,
        [WEBNN_MAX] = true,        [WEBNN_MIN] = true,
        [WEBNN_ABS] = true,        [WEBNN_NEG] = true,
        [WEBNN_SIGN] = true,       [WEBNN_CEIL] = true,
        [WEBNN_FLOOR] = true,      [WEBNN_ROUND_EVEN] = true,
        [WEBNN_IDENTITY] = true,   [WEBNN_CLAMP] = true,
        [WEBNN_RELU] = true,       [WEBNN_CAST] = true,
        [WEBNN_CONCAT] = true,     [WEBNN_EXPAND] = true,
        [WEBNN_GATHER] = true,     [WEBNN_GATHER_ELEMENTS] = true,
        [WEBNN_GATHER_ND] = true,  [WEBNN_PAD] = true,
        [WEBNN_MAX_POOL2D] = true, [WEBNN_REDUCE_MAX] = true,
        [WEBNN_REDUCE_MIN] = true, [WEBNN_RESHAPE] = true,
        [WEBNN_REVERSE] = true,    [WEBNN_SCATTER_ELEMENTS] = true,
        [WEBNN_SCATTER_ND] = true, [WEBNN_SLICE] = true,
        [WEBNN_SPLIT] = true,      [WEBNN_TILE] = true,
        [WEBNN_TRANSPOSE] = true,  [WEBNN_TRIANGULAR] = true,
        [WEBNN_WHERE] = true,      [WEBNN_PRELU] = true,
        [WEBNN_SQRT] = true,       [WEBNN_RECIPROCAL] = true,
    };
    if (kind == WEBNN_RESAMPLE2D && dtype_is_integer(t))
        return (struct tolerance){ 0, 1 }; /* halves, by the order of the sums */
    if (exact[kind] || !dtype_is_float(t))
        return (struct tolerance){ 0, 0 };
    return t == DTYPE_FLOAT16 ? (struct tolerance){ 2e-3, 2e-3 } : (struct tolerance){ 2e-5, 2e-5 };
}

static bool same_element(const struct tensor *want, const struct tensor *got, uint64_t i,
                         struct tolerance tolerance)
{
    if (!dtype_is_float(want->dtype) && tolerance.absolute > 0)
        return fabs(tensor_get_double(want, i) - tensor_get_double(got, i)) <= tolerance.absolute;
    if (!dtype_is_float(want->dtype))
        return dtype_is_signed(want->dtype) ? tensor_get_i64(want, i) == tensor_get_i64(got, i)
                                            : tensor_get_u64(want, i) == tensor_get_u64(got, i);
    double w = tensor_get_double(want, i), g = tensor_get_double(got, i);
    if (isnan(w) || isnan(g))
        return isnan(w) && isnan(g);
    return w == g || fabs(w - g) <= tolerance.absolute + tolerance.relative * fabs(w);
}

static unsigned compared, failures;

static void tell(const struct case_run *r, const char *how, uint32_t result, uint64_t i)
{
    const struct tensor *w = &r->wanted[result], *g = &r->got[result];
    print_error("%s '%s' %s, %s, %s%s: result %u[%llu] is %.9g, must be %.9g\n",
                operator_row(r->c->kind)->name, r->c->label, dtype_name(r->dtypes[0]), how,
                r->data == DATA_SPECIAL ? "special values" : "plain values",
                r->constants ? ", constants" : "", result, (unsigned long long)i,
                tensor_get_double(g, i), tensor_get_double(w, i));
}

static void compare(const struct case_run *r, const char *how)
{
    for (uint32_t k = 0; k < r->result_count; k++) {
        struct tolerance tolerance = tolerance_of(r->c->kind, r->wanted[k].dtype);
        tolerance.absolute *= fmax(1, r->c->summands / 8.0); /* each may be off by its last bit */
        for (uint64_t i = 0; i < tensor_count(&r->wanted[k]); i++)
            if (!same_element(&r->wanted[k], &r->got[k], i, tolerance)) {
                tell(r, how, k, i);
                failures++;
                return;
            }
    }
    compared++;
}

static void tell_failure(const struct case_run *r, const struct diags *d, const char *how)
{
    failures++;
    print_error("%s '%s' %s, %s%s: %s\n", operator_row(r->c->kind)->name, r->c->label,
                dtype_name(r->dtypes[0]), how, r->constants ? ", constants" : "",
                d->newest->lines ? d->newest->lines->text : d->newest->message);
}

/* The graph as the file that `emit onnx` writes, in a session like any other. */
static void run_as_model(struct case_run *r, const struct graph *g)
{
    const struct ort *o = NULL;
    struct binding inputs[CASE_SLOTS], outputs[CASE_RESULTS];
    struct tensor operands[CASE_SLOTS];
    struct emitted_model m;
    case_bind(r, inputs, outputs);
    for (size_t i = 0; i < g->inputs.count; i++)
        operands[i] = inputs[i].tensor;
    assert_ok(ort_open(&r->diags, &o));
    o2w_status status = emitted_make(&m, g);
    if (status == O2W_OK)
        status = emitted_run(&m, o, operands, r->got);
    if (status == O2W_OK)
        compare(r, "as a model");
    else
        tell_failure(r, &m.diags, "as a model");
    emitted_free(&m);
}

static void run_on(struct case_run *r, const struct graph *g, const char *optimization,
                   const char *numerics)
{
    const struct backend_option options[] = { { "optimization", optimization },
                                              { "numerics", numerics } };
    const struct backend_settings settings = { .options = options,
                                               .option_count = 2,
                                               .threads = 2 };
    struct engine *e = NULL;
    char how[32];
    snprintf(how, sizeof how, "%s %s", optimization, numerics);
    assert_ok(backend_onnx.open(&settings, &r->diags, &e));
    o2w_status status = case_dispatch(r, &backend_onnx, e, g);
    backend_onnx.close(e);
    if (status == O2W_OK)
        compare(r, how);
    else
        tell_failure(r, &r->diags, how);
}

/* Where the runtime's own kernels lose NaN or digits: compared with numerics=exact then. */
static bool native_differs(const struct case_run *r)
{
    switch ((int)r->c->kind) {
    case WEBNN_MAX_POOL2D:
    case WEBNN_QUANTIZE_LINEAR:
    case WEBNN_GRU:
    case WEBNN_LSTM:
    case WEBNN_RESAMPLE2D: return r->data == DATA_SPECIAL;
    default: return false;
    }
}

static void run_case(const struct engine_case *c, const enum dtype dtypes[CASE_SLOTS],
                     bool constants, enum case_data data)
{
    struct case_run r = {
        .c = c, .constants = constants, .data = data, .seed = 88172645463325252u
    };
    struct graph *g = NULL;
    memcpy(r.dtypes, dtypes, sizeof r.dtypes);
    arena_init(&r.arena, NULL);
    diags_init(&r.diags, NULL);
    case_fill_operands(&r);
    if (case_build(&r, &g)) {
        case_want(&r, g);
        /* each half of the runtime with each half of ours, not all four */
        bool swapped = (data == DATA_SPECIAL) != constants;
        run_on(&r, g, swapped ? "none" : "all", "exact");
        if (!native_differs(&r))
            run_on(&r, g, swapped ? "all" : "none", "native");
        if (swapped && !native_differs(&r))
            run_as_model(&r, g);
        graph_free(g);
    }
    diags_free(&r.diags);
    arena_free(&r.arena);
}

static void run_dtypes(const struct engine_case *c, enum dtype dtypes[CASE_SLOTS], uint32_t slot)
{
    const struct operator_row *row = operator_row(c->kind);
    if (slot == CASE_SLOTS || !c->shapes[slot].is_set) {
        run_case(c, dtypes, false, DATA_PLAIN);
        run_case(c, dtypes, false, DATA_SPECIAL);
        if (slot > 1)
            run_case(c, dtypes, true, DATA_SPECIAL);
        return;
    }
    bool variadic =
        row->operands[row->operand_count - 1].kind == SLOT_VARIADIC && slot >= row->operand_count;
    const struct slot_row *s = &row->operands[variadic ? row->operand_count - 1 : slot];
    int same = variadic ? 0 : s->same_dtype_as;
    for (uint32_t t = 0; t < DTYPE_WEBNN_COUNT; t++) {
        bool allowed =
            same >= 0
                ? t == (uint32_t)dtypes[same]
                : dtype_in((enum dtype)t,
                           s->dtypes | (slot == 0 && s->dtypes == DTYPES_WEBNN8 ? DTYPES_4BIT : 0));
        dtypes[slot] = (enum dtype)t;
        if (allowed)
            run_dtypes(c, dtypes, slot + 1);
    }
}

static bool runtime_is_here(void)
{
    struct arena a;
    struct diags d;
    struct backend_probe probe;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    bool here = backend_onnx.probe(&a, &d, &probe) == O2W_OK;
    diags_free(&d);
    arena_free(&a);
    return here;
}

static void operators_agree_with_the_kernels(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    if (!runtime_is_here()) {
        print_message("skipped: no ONNX Runtime 1.29 or newer here (tools/setup onnxruntime)\n");
        skip();
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum dtype dtypes[CASE_SLOTS];
        if (!only || strcmp(only, operator_row(cases[i].kind)->name) == 0)
            run_dtypes(&cases[i], dtypes, 0);
    }
    print_message("%u comparisons, %u failures\n", compared, failures);
    assert_true(compared > 0);
    assert_int_equal(failures, 0);
}

/* The sizes that the bench times: packed, tiled and threaded ways of the kernels. */
static void large_operators_agree_with_the_kernels(void **state)
{
    (void)state;
    if (!runtime_is_here()) {
        print_message("skipped: no ONNX Runtime 1.29 or newer here (tools/setup onnxruntime)\n");
        skip();
    }
    failures = 0;
    for (size_t i = 0; i < sizeof large_cases / sizeof *large_cases; i++) {
        enum dtype dtypes[CASE_SLOTS];
        case_everyday_dtypes(&large_cases[i], dtypes);
        run_case(&large_cases[i], dtypes, i & 1, DATA_PLAIN);
    }
    assert_int_equal(failures, 0);
}

static bool has_case(const struct engine_case *list, size_t count, enum webnn_operator kind)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == kind)
            return true;
    return false;
}

static void every_operator_has_a_case(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++)
        if (!has_case(cases, sizeof cases / sizeof *cases, (enum webnn_operator)kind) ||
            !has_case(large_cases, sizeof large_cases / sizeof *large_cases,
                      (enum webnn_operator)kind))
            fail_msg("%s has no case, or no large one", operator_row(kind)->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_a_case),
        cmocka_unit_test(operators_agree_with_the_kernels),
        cmocka_unit_test(large_operators_agree_with_the_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
