/* Sizes of inputs: which source counts, what matches, what is said. */
#include "support/model_builder.h"
#include "support/test.h"

#include "lower/dims.h"
#include "onnx/open.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct model_builder b;
    struct onnx_model *model;
    struct arena arena;
    struct diags diags;
    struct dims_request request;
    struct dims_result result;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){ 0 };
    arena_init(&f->arena, NULL);
    diags_init(&f->diags, NULL);
    mb_begin(&f->b, 17);
}

static void end(struct fixture *f)
{
    onnx_model_close(f->model);
    mb_free(&f->b);
    diags_free(&f->diags);
    arena_free(&f->arena);
}

/* Closes the graph with a node that uses the first input. */
static void open_model(struct fixture *f, const char *input)
{
    mb_node(&f->b, "Relu", input, "result");
    mb_output(&f->b, "result", ONNX_FLOAT, DIMS(-1));
    struct span bytes = mb_end(&f->b);
    assert_ok(onnx_model_open_bytes(bytes, "model.onnx", NULL, NULL, NULL, &f->diags, &f->model));
}

/* The usual model: `x` with these dims. */
static void open_input(struct fixture *f, const char *dims)
{
    begin(f);
    mb_graph(&f->b);
    mb_input_named(&f->b, "x", ONNX_FLOAT, dims);
    open_model(f, "x");
}

static o2w_status resolve(struct fixture *f)
{
    return dims_resolve(f->model, &f->model->graph, &f->request, &f->arena, &f->diags, &f->result);
}

#define BIND(f, ...)                                 \
    struct dim_binding bindings[] = { __VA_ARGS__ }; \
    (f)->request.bindings = bindings;                \
    (f)->request.count = sizeof bindings / sizeof *bindings
#define NAMED(text, number, source)                                                            \
    {                                                                                          \
        .name = { (const uint8_t *)(text), sizeof(text) - 1 }, .value = number, .from = source \
    }

static int64_t size_of(const struct fixture *f, uint32_t input, uint32_t axis)
{
    return f->result.inputs[input].dims[axis].value;
}

static void assert_resolved(const struct fixture *f, size_t i, const char *name, int64_t value,
                            const char *source)
{
    assert_true(i < f->result.dim_count);
    assert_span(f->result.dims[i].name, name);
    assert_int_equal(f->result.dims[i].value, value);
    assert_string_equal(dim_source_text(f->result.dims[i].from), source);
}

/* --- sources ---------------------------------------------------------------------------------------- */

static void the_first_source_counts(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "a b c d");
    BIND(&f, NAMED("a", 1, DIM_CLI), NAMED("a", 2, DIM_RECORD), NAMED("b", 3, DIM_GRAPH),
         NAMED("b", 4, DIM_RECORD), NAMED("c", 5, DIM_RECORD), NAMED("d", 6, DIM_INPUT));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 1);
    assert_int_equal(size_of(&f, 0, 1), 3);
    assert_int_equal(size_of(&f, 0, 2), 5);
    assert_int_equal(size_of(&f, 0, 3), 6);
    assert_resolved(&f, 0, "a", 1, "cli");
    assert_resolved(&f, 1, "b", 3, "graph");
    assert_resolved(&f, 2, "c", 5, "record");
    assert_resolved(&f, 3, "d", 6, "input");
    assert_int_equal(f.diags.count, 0);
    end(&f);
}

static void one_override_puts_the_sidecar_aside(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "a c");
    BIND(&f, NAMED("a", 1, DIM_CLI), NAMED("a", 2, DIM_SIDECAR), NAMED("c", 3, DIM_SIDECAR));
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_UNRESOLVED, "1 dimension has no value: 'c'");
    end(&f);
}

static void sizes_from_outside_must_agree(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "a");
    BIND(&f, NAMED("a", 1, DIM_CLI), NAMED("x_dim0", 2, DIM_INPUT));
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_DISAGREES,
                "axis 0 of input 'x' is 1 by source 'cli', 2 by 'input'");
    end(&f);
}

static void batch_names_are_one(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "Batch_Size N b batch");
    assert_ok(resolve(&f));
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(size_of(&f, 0, i), 1);
    assert_resolved(&f, 0, "Batch_Size", 1, "default");
    end(&f);
}

static void the_later_of_equal_names_holds(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "a");
    BIND(&f, NAMED("a", 1, DIM_CLI), NAMED("a", 7, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 7);
    assert_diag(&f.diags, 0, DIAG_DIM_DUPLICATE, "'a' is given as 1 and 7, the last holds");
    end(&f);
}

static void an_initializer_gives_what_nothing_else_does(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    mb_graph(&f.b);
    mb_input_named(&f.b, "x", ONNX_FLOAT, "length 2");
    mb_floats(&f.b, "x", DIMS(3, 2), FLOATS(1, 2, 3, 4, 5, 6));
    open_model(&f, "x");
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 3);
    end(&f);
}

/* --- names ------------------------------------------------------------------------------------------ */

static void case_differs_when_it_may(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "Seq SEQ2");
    BIND(&f, NAMED("sEQ", 4, DIM_CLI), NAMED("SEQ2", 5, DIM_CLI), NAMED("seq2", 6, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 4);
    assert_int_equal(size_of(&f, 0, 1), 5); /* exact before all */
    end(&f);
}

static void two_names_that_differ_in_case_are_ambiguous(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "seq");
    BIND(&f, NAMED("SEQ", 4, DIM_CLI), NAMED("Seq", 5, DIM_CLI));
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_AMBIGUOUS, "dimension 'seq' is meant by 'SEQ' and by 'Seq'");
    end(&f);
}

static void a_name_of_nothing_is_a_warning(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "sequence_length");
    BIND(&f, NAMED("sequence_lenght", 4, DIM_CLI), NAMED("sequence_length", 5, DIM_CLI));
    assert_ok(resolve(&f));
    assert_diag(&f.diags, 0, DIAG_DIM_UNUSED,
                "no dimension 'sequence_lenght' in the model, nearest 'sequence_length'");
    assert_int_equal(f.diags.errors, 0);
    end(&f);
}

static void a_name_that_only_outputs_have_is_known(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    mb_graph(&f.b);
    mb_input_named(&f.b, "x", ONNX_FLOAT, "2");
    size_t info = wire_begin(&f.b.w, 12), type, tensor, shape, part;
    wire_put_text(&f.b.w, 1, "y");
    type = wire_begin(&f.b.w, 2);
    tensor = wire_begin(&f.b.w, 1);
    wire_put_i64(&f.b.w, 1, ONNX_FLOAT);
    shape = wire_begin(&f.b.w, 2);
    part = wire_begin(&f.b.w, 1);
    wire_put_text(&f.b.w, 2, "total");
    wire_end(&f.b.w, part);
    wire_end(&f.b.w, shape);
    wire_end(&f.b.w, tensor);
    wire_end(&f.b.w, type);
    wire_end(&f.b.w, info);
    mb_node(&f.b, "Relu", "x", "y");
    open_model(&f, "x");
    BIND(&f, NAMED("total", 9, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(f.diags.count, 0);
    assert_int_equal(f.result.output_count, 1);
    assert_int_equal(f.result.outputs[0].output, 0);
    assert_int_equal(f.result.outputs[0].value, 9);
    end(&f);
}

/* --- axes ------------------------------------------------------------------------------------------- */

static void an_axis_without_name_has_one(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "? 3 0");
    BIND(&f, NAMED("x_dim0", 4, DIM_CLI), NAMED("X_DIM2", 0, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 4);
    assert_int_equal(size_of(&f, 0, 1), 3);
    assert_int_equal(size_of(&f, 0, 2), 0);
    assert_resolved(&f, 0, "x_dim0", 4, "cli");
    end(&f);
}

static void axes_called_question_mark_are_not_one(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "'?' 3 '?'");
    f.request.keep_open = true;
    assert_ok(resolve(&f));
    assert_span(f.result.inputs[0].dims[0].name, "x_dim0");
    assert_span(f.result.inputs[0].dims[2].name, "x_dim2");
    end(&f);
    open_input(&f, "'?' 3 '?'");
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_UNRESOLVED, "2 dimensions have no value: 'x_dim0', 'x_dim2'");
    end(&f);
}

static void an_axis_beats_its_name_and_says_so(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "any any");
    BIND(&f, NAMED("x_dim0", 4, DIM_CLI), NAMED("any", 2, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 4);
    assert_int_equal(size_of(&f, 0, 1), 2);
    assert_diag(&f.diags, 0, DIAG_DIM_AXIS_OVER_NAME,
                "'x_dim0' sets one axis to 4, others called 'any' keep their own size");
    end(&f);
}

static void a_dim_that_is_called_like_an_axis_wins(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "? x_dim0");
    BIND(&f, NAMED("x_dim0", 4, DIM_CLI));
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_int_equal(size_of(&f, 0, 1), 4);
    end(&f);
}

static void a_fixed_axis_stays(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "3 4");
    BIND(&f, NAMED("x_dim0", 3, DIM_CLI), NAMED("x_dim1", 5, DIM_CLI));
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_FIXED, "'x_dim1' is 5, the model fixes this axis at 4");
    end(&f);
}

static void a_stored_zero_is_no_size(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "0 2");
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_UNRESOLVED, "1 dimension has no value: 'x_dim0'");
    end(&f);
}

static void open_without_shape(struct fixture *f)
{
    begin(f);
    mb_graph(&f->b);
    size_t info = wire_begin(&f->b.w, 11), type, tensor;
    wire_put_text(&f->b.w, 1, "x");
    type = wire_begin(&f->b.w, 2);
    tensor = wire_begin(&f->b.w, 1);
    wire_put_i64(&f->b.w, 1, ONNX_FLOAT);
    wire_end(&f->b.w, tensor);
    wire_end(&f->b.w, type);
    wire_end(&f->b.w, info);
    open_model(f, "x");
}

static void axes_give_a_missing_rank(void **state)
{
    (void)state;
    struct fixture f;
    open_without_shape(&f);
    BIND(&f, NAMED("x_dim0", 2, DIM_CLI), NAMED("x_dim1", 3, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(f.result.inputs[0].rank, 2);
    assert_int_equal(size_of(&f, 0, 1), 3);
    end(&f);
}

static void a_missing_rank_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    open_without_shape(&f);
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_RANK, "input 'x' has no shape in the model");
    assert_non_null(strstr(f.diags.first->hint, "--override-dim x_dim0=N"));
    end(&f);
}

static void a_pinned_input_without_shape_is_a_scalar(void **state)
{
    (void)state;
    struct fixture f;
    struct span pinned = SPAN("x");
    open_without_shape(&f);
    f.request.pinned = &pinned;
    f.request.pinned_count = 1;
    assert_ok(resolve(&f));
    assert_int_equal(f.result.inputs[0].rank, 0);
    end(&f);
}

/* --- expressions -------------------------------------------------------------------------------------- */

static void put_dim_name(struct fixture *f, const char *name)
{
    size_t part = wire_begin(&f->b.w, 1);
    wire_put_text(&f->b.w, 2, name);
    wire_end(&f->b.w, part);
}

/* An input whose dims have blanks in their names. */
static void open_names(struct fixture *f, const char *const *names, size_t count)
{
    begin(f);
    mb_graph(&f->b);
    size_t info = wire_begin(&f->b.w, 11), type, tensor, shape;
    wire_put_text(&f->b.w, 1, "x");
    type = wire_begin(&f->b.w, 2);
    tensor = wire_begin(&f->b.w, 1);
    wire_put_i64(&f->b.w, 1, ONNX_FLOAT);
    shape = wire_begin(&f->b.w, 2);
    for (size_t i = 0; i < count; i++)
        put_dim_name(f, names[i]);
    wire_end(&f->b.w, shape);
    wire_end(&f->b.w, tensor);
    wire_end(&f->b.w, type);
    wire_end(&f->b.w, info);
    open_model(f, "x");
}

static void names_are_expressions_over_others(void **state)
{
    (void)state;
    struct fixture f;
    static const char *const names[] = { "length / 2", "past + seq*2", "(past+batch) * 3",
                                         "n*length", "length - 4" };
    open_names(&f, names, 5);
    BIND(&f, NAMED("Length", 8, DIM_CLI), NAMED("past", 1, DIM_CLI), NAMED("seq", 5, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 4);
    assert_int_equal(size_of(&f, 0, 1), 11);
    assert_int_equal(size_of(&f, 0, 2), 6);
    assert_int_equal(size_of(&f, 0, 3), 8);
    assert_int_equal(size_of(&f, 0, 4), 4);
    assert_resolved(&f, 0, "length / 2", 4, "expression");
    assert_int_equal(f.diags.count, 0); /* names of the expressions count as used */
    end(&f);
}

static void a_whole_name_comes_before_its_expression(void **state)
{
    (void)state;
    struct fixture f;
    static const char *const names[] = { "length / 2" };
    open_names(&f, names, 1);
    BIND(&f, NAMED("length / 2", 9, DIM_CLI), NAMED("length", 8, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 9);
    end(&f);
}

static void rests_and_negative_sizes_are_no_values(void **state)
{
    (void)state;
    struct fixture f;
    static const char *const names[] = {
        "length / 2", "length - 9", "length / 0",
        "length +",   "(length",    "9223372036854775807 * length"
    };
    open_names(&f, names, 6);
    BIND(&f, NAMED("length", 7, DIM_CLI));
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diag(&f.diags, 0, DIAG_DIM_UNRESOLVED,
                "6 dimensions have no value: 'length / 2', 'length - 9', 'length / 0', 'length +', "
                "'(length', '9223372036854775807 * length'");
    end(&f);
}

static void deep_brackets_end(void **state)
{
    (void)state;
    struct fixture f;
    char name[8000];
    const char *names[] = { name };
    memset(name, '(', sizeof name - 1);
    name[sizeof name - 1] = 0;
    open_names(&f, names, 1);
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    end(&f);
}

/* --- open dims ------------------------------------------------------------------------------------------ */

static void what_is_unresolved_may_stay_open(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "batch past_length width ? t 3");
    BIND(&f, NAMED("width", 7, DIM_CLI));
    struct dim_binding maxima[] = { NAMED("BATCH", 5, DIM_CLI) };
    f.request.keep_open = true;
    f.request.maxima = maxima;
    f.request.maximum_count = 1;
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), -1);
    assert_int_equal(f.result.inputs[0].dims[0].max, 5);
    assert_int_equal(f.result.inputs[0].dims[1].max, 4096);
    assert_int_equal(size_of(&f, 0, 2), 7);
    assert_span(f.result.inputs[0].dims[3].name, "x_dim3");
    assert_int_equal(f.result.inputs[0].dims[3].max, 65535);
    assert_int_equal(f.result.inputs[0].dims[4].max, 4096);
    assert_int_equal(size_of(&f, 0, 5), 3);
    end(&f);
}

static void the_first_rule_of_maxima_wins(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "batch_SEQ Batchy B N other");
    f.request.keep_open = true;
    assert_ok(resolve(&f));
    static const int64_t maxima[] = { 4096, 8, 8, 8, 65535 };
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(f.result.inputs[0].dims[i].max, maxima[i]);
    end(&f);
}

static void an_open_axis_gets_a_name_of_its_own(void **state)
{
    (void)state;
    struct fixture f;
    open_input(&f, "? x_dim0");
    f.request.keep_open = true;
    assert_ok(resolve(&f));
    assert_span(f.result.inputs[0].dims[0].name, "x_dim0_2");
    assert_span(f.result.inputs[0].dims[1].name, "x_dim0");
    end(&f);
}

static void all_unresolved_dims_are_one_error(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    mb_graph(&f.b);
    mb_input_named(&f.b, "input_ids", ONNX_INT64, "batch_size sequence_length");
    mb_input_named(&f.b, "pixels", ONNX_FLOAT, "1 3 ? 224");
    open_model(&f, "pixels");
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    assert_diags_text(&f.diags,
                      "error[dim.unresolved]: 2 dimensions have no value: 'sequence_length', "
                      "'pixels_dim2'\n"
                      "  at: input 'input_ids' [batch_size, sequence_length]; input 'pixels' "
                      "[1, 3, ?, 224]\n"
                      "  hint: --override-dim sequence_length=N --override-dim pixels_dim2=N; or "
                      "keep them open with --experimental-dynamic-inputs\n");
    end(&f);
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void open_with_metadata(struct fixture *f, const char *key, const char *value)
{
    begin(f);
    mb_metadata(&f->b, key, value);
    mb_graph(&f->b);
    mb_input_named(&f->b, "x", ONNX_FLOAT, "a b");
    open_model(f, "x");
    f->request.metadata = true;
}

static void the_model_itself_is_a_source(void **state)
{
    (void)state;
    struct fixture f;
    open_with_metadata(&f, "FREEdimensionOverrides",
                       "{\"freeDimensionOverrides\": {\" a \": 3, \"b\": 4}, \"other\": [1, {}]}");
    BIND(&f, NAMED("b", 9, DIM_CLI));
    assert_ok(resolve(&f));
    assert_int_equal(size_of(&f, 0, 0), 3);
    assert_int_equal(size_of(&f, 0, 1), 9);
    assert_resolved(&f, 0, "a", 3, "metadata");
    end(&f);
}

static void metadata_counts_when_asked(void **state)
{
    (void)state;
    struct fixture f;
    open_with_metadata(&f, "freeDimensionOverrides", "{\"a\": 3, \"b\": 4}");
    f.request.metadata = false;
    assert_status(resolve(&f), O2W_INVALID_ARGUMENT);
    end(&f);
}

static void broken_metadata_has_a_place(void **state)
{
    (void)state;
    struct fixture f;
    open_with_metadata(&f, "freeDimensionOverrides", "{\"a\": 3,\n \"b\": -4}");
    assert_status(resolve(&f), O2W_FORMAT);
    assert_diags_text(&f.diags,
                      "error[dim.metadata]: 'b' is -4, expected an integer from 0 to 2147483647\n"
                      "  at: metadata freeDimensionOverrides:2:7\n"
                      "  hint: fix the model's metadata entry 'freeDimensionOverrides'\n");
    end(&f);
}

struct sidecar {
    struct temp_folder folder;
    struct arena arena;
    struct diags diags;
    struct dim_binding *items;
    size_t count;
    o2w_status status;
};

static void read_sidecar(struct sidecar *s, const char *text)
{
    *s = (struct sidecar){ 0 };
    arena_init(&s->arena, NULL);
    diags_init(&s->diags, NULL);
    temp_folder_create(&s->folder);
    if (text)
        temp_write(&s->folder, "model.dims.json", text, strlen(text));
    s->status = dims_read_sidecar(temp_path(&s->folder, "model.onnx"), &s->arena, &s->diags,
                                  &s->items, &s->count);
}

static void free_sidecar(struct sidecar *s)
{
    temp_folder_remove(&s->folder);
    diags_free(&s->diags);
    arena_free(&s->arena);
}

static void a_missing_sidecar_is_none(void **state)
{
    (void)state;
    struct sidecar s;
    read_sidecar(&s, NULL);
    assert_ok(s.status);
    assert_int_equal(s.count, 0);
    free_sidecar(&s);
}

static void both_forms_of_a_sidecar(void **state)
{
    (void)state;
    struct sidecar s;
    read_sidecar(&s, "{ \"seq len\": 0, \"b\": 2147483647 }");
    assert_ok(s.status);
    assert_int_equal(s.count, 2);
    assert_span(s.items[0].name, "seq len");
    assert_int_equal(s.items[0].value, 0);
    assert_int_equal(s.items[1].value, 2147483647);
    assert_int_equal(s.items[1].from, DIM_SIDECAR);
    free_sidecar(&s);
    read_sidecar(&s, "{\"x\": \"y\", \"freeDimensionOverrides\": {\"b\": 2}}");
    assert_ok(s.status);
    assert_int_equal(s.count, 1);
    free_sidecar(&s);
    read_sidecar(&s, "{\"freeDimensionOverrides\": 2}"); /* a dim of this name */
    assert_ok(s.status);
    assert_span(s.items[0].name, "freeDimensionOverrides");
    free_sidecar(&s);
}

static void a_broken_sidecar_has_a_place(void **state)
{
    (void)state;
    struct sidecar s;
    char text[400];
    read_sidecar(&s, "{\n  \"other\": 3,\n  \"batch_size\":    \"1\"\n}");
    assert_status(s.status, O2W_FORMAT);
    snprintf(text, sizeof text,
             "error[dim.sidecar]: 'batch_size' is \"1\", expected an integer from 0 to 2147483647\n"
             "  at: %s:3:20\n"
             "  hint: fix the file, or give --override-dim, which replaces it\n",
             temp_path(&s.folder, "model.dims.json"));
    assert_diags_text(&s.diags, text);
    free_sidecar(&s);
}

static void nothing_in_a_sidecar_is_ignored(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "[]",
        "{",
        "{\"a\": 1} x",
        "{\"a\": 1, \"a\": 2}",
        "{\"a\": 1, \" a\": 2}",
        "{\"a\": 1.5}",
        "{\"a\": 1e3}",
        "{\"a\": 2147483648}",
        "{\"a\": -0}",
        "{\"a\": null}",
        "{\"a\": true}",
        "{\"a\": [1]}",
        "{\"\": 1}",
        "{\"  \": 1}",
        "{\"a\\u0007\": 1}",
        "{\"freeDimensionOverrides\": {\"a\": {}}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sidecar s;
        read_sidecar(&s, texts[i]);
        if (s.status != O2W_FORMAT || s.diags.first->code != DIAG_DIM_SIDECAR ||
            s.diags.first->line < 1)
            fail_msg("'%s' has status %d", texts[i], (int)s.status);
        free_sidecar(&s);
    }
}

/* --- memory ---------------------------------------------------------------------------------------------- */

static o2w_status resolve_with(const o2w_allocator *allocator, void *user)
{
    const struct fixture *f = user;
    struct arena arena;
    struct dims_result result;
    arena_init(&arena, allocator);
    o2w_status s = dims_resolve(f->model, &f->model->graph, &f->request, &arena, NULL, &result);
    arena_free(&arena);
    return s;
}

static void every_failed_allocation_is_told(void **state)
{
    (void)state;
    struct fixture f;
    open_with_metadata(&f, "freeDimensionOverrides", "{\"a\": 3}");
    BIND(&f, NAMED("X_dim1", 4, DIM_CLI), NAMED("unused", 4, DIM_CLI));
    assert_true(sweep_allocations(resolve_with, &f) > 5);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_source_counts),
        cmocka_unit_test(one_override_puts_the_sidecar_aside),
        cmocka_unit_test(sizes_from_outside_must_agree),
        cmocka_unit_test(batch_names_are_one),
        cmocka_unit_test(the_later_of_equal_names_holds),
        cmocka_unit_test(an_initializer_gives_what_nothing_else_does),
        cmocka_unit_test(case_differs_when_it_may),
        cmocka_unit_test(two_names_that_differ_in_case_are_ambiguous),
        cmocka_unit_test(a_name_of_nothing_is_a_warning),
        cmocka_unit_test(a_name_that_only_outputs_have_is_known),
        cmocka_unit_test(an_axis_without_name_has_one),
        cmocka_unit_test(axes_called_question_mark_are_not_one),
        cmocka_unit_test(an_axis_beats_its_name_and_says_so),
        cmocka_unit_test(a_dim_that_is_called_like_an_axis_wins),
        cmocka_unit_test(a_fixed_axis_stays),
        cmocka_unit_test(a_stored_zero_is_no_size),
        cmocka_unit_test(axes_give_a_missing_rank),
        cmocka_unit_test(a_missing_rank_is_an_error),
        cmocka_unit_test(a_pinned_input_without_shape_is_a_scalar),
        cmocka_unit_test(names_are_expressions_over_others),
        cmocka_unit_test(a_whole_name_comes_before_its_expression),
        cmocka_unit_test(rests_and_negative_sizes_are_no_values),
        cmocka_unit_test(deep_brackets_end),
        cmocka_unit_test(what_is_unresolved_may_stay_open),
        cmocka_unit_test(the_first_rule_of_maxima_wins),
        cmocka_unit_test(an_open_axis_gets_a_name_of_its_own),
        cmocka_unit_test(all_unresolved_dims_are_one_error),
        cmocka_unit_test(the_model_itself_is_a_source),
        cmocka_unit_test(metadata_counts_when_asked),
        cmocka_unit_test(broken_metadata_has_a_place),
        cmocka_unit_test(a_missing_sidecar_is_none),
        cmocka_unit_test(both_forms_of_a_sidecar),
        cmocka_unit_test(a_broken_sidecar_has_a_place),
        cmocka_unit_test(nothing_in_a_sidecar_is_ignored),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
