/* Graphs as ONNX models: what random ones compute, and what values are called. */
#include "once.h"
#include "runtime.h"

#include "onnx/open.h"
#include "support/emitted_model.h"
#include "support/random_graph.h"

#include <string.h>

enum { SEEDS = 240, MOST_PORTS = 32, MOST_SIZE = 3 };

struct scene {
    struct limits limits;
    struct diags diags;
    struct builder builder;
    struct graph *graph;
    struct emitted_model model;
    struct onnx_model *read;
};

static void scene_open(struct scene *s)
{
    *s = (struct scene){ .graph = NULL };
    limits_own(&s->limits);
    diags_init(&s->diags, NULL);
    assert_ok(builder_init(&s->builder, &s->limits, NULL, &s->diags));
}

static void scene_close(struct scene *s)
{
    onnx_model_close(s->read);
    emitted_free(&s->model);
    graph_free(s->graph);
    builder_free(&s->builder);
    diags_free(&s->diags);
}

static operand_id input(struct scene *s, const char *name)
{
    const struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 1, .dims = { 4 } };
    operand_id id = NO_ID;
    assert_ok(builder_input(&s->builder, span_of(name), &d, &id));
    return id;
}

static operand_id add(struct scene *s, operand_id a, operand_id b, const char *label)
{
    operand_id result = NO_ID;
    uint32_t count = 1;
    assert_ok(builder_op(&s->builder, WEBNN_ADD, (const operand_id[]){ a, b }, 2, NULL,
                         span_of(label), &result, &count));
    return result;
}

/* The model as this project reads it. */
static const struct onnx_graph *read_model(struct scene *s)
{
    const struct span bytes = { (const uint8_t *)s->model.bytes.bytes.items,
                                s->model.bytes.bytes.count };
    if (onnx_model_open_bytes(bytes, "model.onnx", NULL, NULL, NULL, &s->model.diags, &s->read) !=
        O2W_OK)
        fail_msg("%s", diags_text(&s->model.diags, &s->model.arena));
    return &s->read->graph;
}

static const struct onnx_graph *made(struct scene *s)
{
    assert_ok(builder_build(&s->builder, &s->graph));
    if (emitted_make(&s->model, s->graph) != O2W_OK)
        fail_msg("%s", diags_text(&s->model.diags, &s->model.arena));
    return read_model(s);
}

/* ---- names ---- */

static void names_of_the_graph_push_others_aside(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    /* c0, v1 … and with underscores are what values without names are called */
    operand_id x = input(&s, "v1"), y = input(&s, "v1_");
    operand_id sum = add(&s, x, y, "same"), more = add(&s, sum, x, "same");
    operand_id last = add(&s, more, y, "");
    assert_ok(builder_output(&s.builder, SPAN("i0"), last));
    assert_ok(builder_output(&s.builder, SPAN("sum"), sum));
    const struct onnx_graph *g = made(&s);
    assert_int_equal(g->input_count, 2);
    assert_int_equal(g->output_count, 2);
    assert_span(onnx_name(s.read, g->inputs[0].name), "v1");
    assert_span(onnx_name(s.read, g->inputs[1].name), "v1_");
    assert_span(onnx_name(s.read, g->outputs[0].name), "i0");
    assert_span(onnx_name(s.read, g->outputs[1].name), "sum");
    assert_int_equal(g->node_count, 3);
    assert_span(g->nodes[0].name, "same");
    assert_span(g->nodes[1].name, "same #2");
    assert_span(g->nodes[2].name, "Add");
    assert_span(onnx_name(s.read, g->nodes[1].inputs[0]), "sum");
    scene_close(&s);
}

static void a_label_that_looks_numbered_is_no_other_nodes(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = input(&s, "x");
    operand_id y = add(&s, add(&s, add(&s, x, x, "n #2"), x, "n"), x, "n");
    assert_ok(builder_output(&s.builder, SPAN("y"), y));
    const struct onnx_graph *g = made(&s);
    assert_span(g->nodes[0].name, "n #2");
    assert_span(g->nodes[1].name, "n");
    assert_span(g->nodes[2].name, "n #3");
    scene_close(&s);
}

static void an_output_with_an_inputs_name_is_refused(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = input(&s, "x");
    assert_ok(builder_output(&s.builder, SPAN("x"), add(&s, x, x, "")));
    assert_ok(builder_build(&s.builder, &s.graph));
    assert_status(emitted_make(&s.model, s.graph), O2W_FORMAT);
    assert_diag(&s.model.diags, 0, DIAG_MODEL_NAME,
                "output 'x' has the name of another input or output, which ONNX keeps apart");
    scene_close(&s);
}

static void a_second_name_of_one_value_is_an_identity(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = input(&s, "x"), y = add(&s, x, x, "");
    assert_ok(builder_output(&s.builder, SPAN("a"), y));
    assert_ok(builder_output(&s.builder, SPAN("b"), y));
    const struct onnx_graph *g = made(&s);
    assert_span(onnx_name(s.read, g->outputs[0].name), "a");
    assert_span(onnx_name(s.read, g->outputs[1].name), "b");
    assert_int_equal(g->node_count, 2);
    assert_span(g->nodes[1].op_type, "Identity");
    scene_close(&s);
}

static void keep(struct scene *s, const char *key, const char *value)
{
    struct graph *g = s->graph;
    struct graph_text text;
    assert_ok(names_add(&g->names, span_of(key), &text.key));
    assert_ok(names_add(&g->names, span_of(value), &text.value));
    assert_true(VEC_PUSH(&g->meta, text));
}

static void metadata_of_the_source_model_stay(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = input(&s, "x");
    assert_ok(builder_output(&s.builder, SPAN("y"), add(&s, x, x, "")));
    assert_ok(builder_build(&s.builder, &s.graph));
    keep(&s, "names", "{0: 'cat'}");
    keep(&s, "broken", "\xff");
    keep(&s, "empty", "");
    assert_ok(emitted_make(&s.model, s.graph));
    (void)read_model(&s);
    assert_int_equal(s.read->metadata_count, 2);
    assert_span(s.read->metadata[0].key, "names");
    assert_span(s.read->metadata[0].value, "{0: 'cat'}");
    assert_span(s.read->metadata[1].key, "empty");
    scene_close(&s);
}

/* ---- random graphs ---- */

static void make_random(struct scene *s, uint64_t seed, bool strange)
{
    const struct random_graph_options options = { .seed = seed,
                                                  .operators = 1 + (uint32_t)seed % 10,
                                                  .dynamic = !strange && seed % 3 == 0,
                                                  .empty = seed % 4 == 0,
                                                  .strange_names = strange,
                                                  .directives = seed % 5 < 3 };
    scene_open(s);
    assert_ok(random_graph(&options, NULL, &s->diags, NULL, &s->graph));
}

/* Any bytes as names: text in UTF-8 stands in the model as it is, others are refused. */
static void strange_names_are_kept_or_refused(void **state)
{
    (void)state;
    unsigned kept = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct scene s;
        make_random(&s, seed, true);
        o2w_status status = emitted_make(&s.model, s.graph);
        if (status != O2W_OK)
            assert_int_equal(s.model.diags.newest->code, DIAG_MODEL_NAME);
        const struct onnx_graph *g = status == O2W_OK ? read_model(&s) : NULL;
        for (size_t i = 0; g && i < s.graph->inputs.count; i++, kept++) {
            struct span want =
                graph_operand_name(s.graph, s.graph->inputs.items[i], &s.model.arena);
            assert_true(span_equal(onnx_name(s.read, g->inputs[i].name), want));
        }
        scene_close(&s);
    }
    assert_true(kept > SEEDS / 2);
}

static void fill_inputs(const struct graph *g, uint64_t seed, struct arena *a, struct binding *out)
{
    int64_t sizes[MOST_PORTS];
    for (size_t i = 0; i < expr_name_count(g->exprs); i++) {
        struct span name;
        int64_t min, max;
        expr_name_at(g->exprs, i, &name, &min, &max);
        sizes[i] = min + (int64_t)(seed + i) % MOST_SIZE;
        sizes[i] = sizes[i] > max ? max : sizes[i];
    }
    for (size_t i = 0; i < g->inputs.count; i++) {
        input_tensor(g, i, sizes, a, &out[i].tensor);
        for (uint64_t k = 0; k < tensor_count(&out[i].tensor); k++)
            tensor_put_double(&out[i].tensor, k, (double)((k * 7 + i * 3 + seed) % 11) / 2 - 2);
    }
}

/* False where the engine does not take these sizes or this graph. */
static bool run_engine(const struct graph *g, const struct binding *inputs, struct arena *a,
                       struct binding *outputs)
{
    extern const struct backend backend_onnx;
    const struct backend_settings settings = { .threads = 2 };
    int64_t values[MOST_PORTS];
    struct compiled *c = NULL;
    struct engine *e;
    bool ran = backend_bind_dims(g, inputs, values, NULL) == O2W_OK;
    for (size_t i = 0; ran && i < g->outputs.count; i++) {
        struct tensor shape;
        assert_ok(backend_operand_shape(g, g->outputs.items[i].operand, values, &shape));
        assert_ok(tensor_new(a, shape.dtype, shape.dims, shape.rank, &outputs[i].tensor));
    }
    assert_ok(backend_onnx.open(&settings, NULL, &e));
    ran = ran && backend_onnx.compile(e, g, NULL, &c) == O2W_OK &&
          backend_onnx.dispatch(c, inputs, outputs, NULL, NULL) == O2W_OK;
    backend_onnx.release(c);
    backend_onnx.close(e);
    return ran;
}

/* A model for any runtime needs sizes where this one's own order of integers does without. */
static bool needs_sizes(const struct scene *s)
{
    const struct diag *first = s->model.diags.first;
    return first && first->code == DIAG_BUILD_FAILED &&
           strstr(first->message, "must be all numbers");
}

/* False: not to be compared. */
static bool same_bytes(struct scene *s, const struct binding *inputs, const struct binding *want,
                       uint64_t seed)
{
    const struct ort *o;
    struct tensor operands[MOST_PORTS], got[MOST_PORTS];
    for (size_t i = 0; i < s->graph->inputs.count; i++)
        operands[i] = inputs[i].tensor;
    assert_ok(ort_open(NULL, &o));
    o2w_status made = emitted_make(&s->model, s->graph);
    if (made != O2W_OK && needs_sizes(s))
        return false;
    if (made != O2W_OK || emitted_run(&s->model, o, operands, got) != O2W_OK)
        fail_msg("seed %d: %s", (int)seed, diags_text(&s->model.diags, &s->model.arena));
    for (size_t i = 0; i < s->graph->outputs.count; i++)
        if (!emitted_equal(&got[i], &want[i].tensor))
            fail_msg("seed %d: output %d has other bytes", (int)seed, (int)i);
    return true;
}

static void random_graphs_give_the_bytes_of_the_engine(void **state)
{
    (void)state;
    unsigned compared = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct scene s;
        struct arena a;
        struct binding inputs[MOST_PORTS], outputs[MOST_PORTS];
        arena_init(&a, NULL);
        make_random(&s, seed, false);
        assert_true(s.graph->inputs.count <= MOST_PORTS && s.graph->outputs.count <= MOST_PORTS);
        fill_inputs(s.graph, seed, &a, inputs);
        if (run_engine(s.graph, inputs, &a, outputs))
            compared += same_bytes(&s, inputs, outputs, seed);
        scene_close(&s);
        arena_free(&a);
    }
    print_message("%u of %d graphs compared\n", compared, SEEDS);
    assert_true(compared > SEEDS * 3 / 4);
}

/* ---- memory ---- */

static o2w_status make_with(const o2w_allocator *allocator, void *user)
{
    const struct graph *g = user;
    const struct emit_onnx_options options = { .weights = EMIT_WEIGHTS_EXTERNAL, .data = "d" };
    struct emit_onnx made;
    struct arena a;
    struct diags d;
    struct text_out text;
    arena_init(&a, allocator);
    diags_init(&d, allocator);
    out_init(&text, allocator);
    o2w_status s = emit_onnx(g, &options, &a, &d, &made);
    if (s == O2W_OK) {
        emit_onnx_text(&made, &text);
        s = text.failed ? O2W_NO_MEMORY : O2W_OK;
        emit_onnx_free(&made);
    }
    out_free(&text);
    diags_free(&d);
    arena_free(&a);
    return s;
}

static void memory_that_runs_out_leaves_nothing_behind(void **state)
{
    (void)state;
    static float weights[512];
    const struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 2, .dims = { 128, 4 } };
    struct scene s;
    operand_id w = NO_ID, first = NO_ID;
    scene_open(&s);
    operand_id x = input(&s, "x");
    assert_ok(builder_constant_bytes(&s.builder, &d, weights, sizeof weights, true, &w));
    first = add(&s, x, w, "here");
    assert_ok(builder_output(&s.builder, SPAN("y"), add(&s, first, w, "here")));
    assert_ok(builder_build(&s.builder, &s.graph));
    assert_true(sweep_allocations(make_with, s.graph) > 10);
    scene_close(&s);
}

#define TEST(name) cmocka_unit_test_setup(name, need_runtime)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_the_graph_push_others_aside),
        cmocka_unit_test(a_label_that_looks_numbered_is_no_other_nodes),
        cmocka_unit_test(an_output_with_an_inputs_name_is_refused),
        cmocka_unit_test(a_second_name_of_one_value_is_an_identity),
        cmocka_unit_test(metadata_of_the_source_model_stay),
        cmocka_unit_test(strange_names_are_kept_or_refused),
        TEST(random_graphs_give_the_bytes_of_the_engine),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
