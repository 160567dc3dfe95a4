/* A decoder token by token: its cache grows, one compiled graph serves every size, and each step gives what the
 * model gives in native ONNX Runtime. */
#include "case.h"
#include "support/decoder_model.h"

#include <math.h>
#include <stdlib.h>

enum { PROMPT = 3, STEPS = 12, BOUND = 32 };

/* Tensors of a step, for the engine and the reference alike. */
struct step {
    int64_t ids[PROMPT], positions[PROMPT], count, length;
    float *key, *value; /* the cache, `length` long */
};

static void decoder_case(struct model_case *c)
{
    case_begin(c, 17);
    mb_graph(&c->b);
    mb_decoder(&c->b);
    case_write(c);
}

static webnn_graph *open_graph(struct model_case *c)
{
    const o2w_dim bounds[] = { { "past", BOUND }, { "seq", BOUND } };
    const o2w_convert_options options = {
        .size = sizeof options, .dynamic_inputs = true, .max_dims = bounds, .max_dim_count = 2
    };
    o2w_conversion *conversion = NULL;
    webnn_graph *g, *back = NULL;
    if (o2w_convert_file(c->model, &options, &conversion, &c->error) != O2W_OK)
        fail_msg("%s", o2w_error_text(c->error));
    g = o2w_conversion_take_graph(conversion);
    o2w_conversion_free(conversion);
    /* through files: bounds and expressions come back */
    assert_ok(webnn_graph_save(g, c->graph, NULL, NULL));
    assert_ok(webnn_graph_load(c->graph, NULL, &back, NULL));
    webnn_graph_free(g);
    return back;
}

static void add_feed(o2w_tensors *t, const char *name, const char *type, uint32_t rank,
                     const int64_t *dims, const void *data, uint64_t bytes)
{
    o2w_tensor_view v = { .name = name, .type = type, .rank = rank, .data = data, .bytes = bytes };
    memcpy(v.dims, dims, rank * sizeof *dims);
    assert_ok(o2w_tensors_add(t, &v, NULL));
}

static o2w_tensors *feeds_of(const struct step *s)
{
    const int64_t rows[2] = { 1, s->count };
    const int64_t cache[4] = { 1, DECODER_HEADS, s->length, DECODER_HEAD_SIZE };
    uint64_t bytes = (uint64_t)s->length * DECODER_HEADS * DECODER_HEAD_SIZE * 4;
    o2w_tensors *t = NULL;
    assert_ok(o2w_tensors_create(NULL, &t, NULL));
    add_feed(t, "input_ids", "int64", 2, rows, s->ids, (uint64_t)s->count * 8);
    add_feed(t, "position_ids", "int64", 2, rows, s->positions, (uint64_t)s->count * 8);
    add_feed(t, "past_key", "float32", 4, cache, s->key, bytes);
    add_feed(t, "past_value", "float32", 4, cache, s->value, bytes);
    return t;
}

static o2w_tensor_view find(const o2w_tensors *t, const char *name)
{
    o2w_tensor_view v;
    for (size_t i = 0; o2w_tensors_at(t, i, &v); i++)
        if (strcmp(v.name, name) == 0)
            return v;
    fail_msg("no '%s'", name);
    return v;
}

static webnn_tensor *tensor_like(webnn_context *c, const o2w_tensor_view *v)
{
    const webnn_tensor_options both = { .size = sizeof both, .readable = true, .writable = true };
    webnn_descriptor d = { .data_type = strcmp(v->type, "int64") == 0 ? WEBNN_INT64 : WEBNN_FLOAT32,
                           .rank = v->rank };
    webnn_tensor *t = NULL;
    memcpy(d.dims, v->dims, v->rank * sizeof *v->dims);
    assert_ok(webnn_tensor_create(c, &d, &both, &t, NULL));
    return t;
}

/* The result has the reference's shape, and its values but for the order of sums. */
static void assert_equal_values(const o2w_tensor_view *want, webnn_tensor *t)
{
    float *got = malloc(want->bytes + 1);
    const float *wanted = want->data;
    assert_non_null(got);
    assert_ok(webnn_tensor_read(t, got, (size_t)want->bytes, NULL));
    for (uint64_t i = 0; i < want->bytes / 4; i++)
        if (fabsf(got[i] - wanted[i]) > 1e-5f + 1e-5f * fabsf(wanted[i]))
            fail_msg("%s[%llu] is %g, must be %g", want->name, (unsigned long long)i, got[i],
                     wanted[i]);
    free(got);
}

/* Dispatches the step and compares every output with the reference's. */
static void compare_step(webnn_context *c, webnn_graph *g, const o2w_tensors *feeds,
                         const o2w_tensors *reference)
{
    webnn_named_tensor inputs[4], outputs[3];
    o2w_tensor_view v;
    o2w_error *error = NULL;
    for (size_t i = 0; o2w_tensors_at(feeds, i, &v); i++) {
        inputs[i] = (webnn_named_tensor){ v.name, tensor_like(c, &v) };
        assert_ok(webnn_tensor_write(inputs[i].tensor, v.data, (size_t)v.bytes, NULL));
    }
    for (size_t i = 0; o2w_tensors_at(reference, i, &v); i++)
        outputs[i] = (webnn_named_tensor){ v.name, tensor_like(c, &v) };
    if (webnn_dispatch(c, g, inputs, 4, outputs, 3, &error) != O2W_OK)
        fail_msg("%s", o2w_error_text(error));
    for (size_t i = 0; o2w_tensors_at(reference, i, &v); i++)
        assert_equal_values(&v, outputs[i].tensor);
    for (size_t i = 0; i < 4; i++)
        webnn_tensor_free(inputs[i].tensor);
    for (size_t i = 0; i < 3; i++)
        webnn_tensor_free(outputs[i].tensor);
}

static void keep_cache(struct step *s, const o2w_tensors *reference)
{
    o2w_tensor_view key = find(reference, "present_key"), value = find(reference, "present_value");
    free(s->key);
    free(s->value);
    s->key = malloc((size_t)key.bytes);
    s->value = malloc((size_t)value.bytes);
    assert_non_null(s->key);
    assert_non_null(s->value);
    memcpy(s->key, key.data, (size_t)key.bytes);
    memcpy(s->value, value.data, (size_t)value.bytes);
}

/* The prompt at once, then one token after another; the reference chooses each. */
static void advance(struct step *s, const o2w_tensors *reference)
{
    o2w_tensor_view logits = find(reference, "logits");
    const float *last = (const float *)logits.data + (s->count - 1) * DECODER_VOCABULARY;
    int64_t best = 0;
    for (int64_t i = 1; i < DECODER_VOCABULARY; i++)
        if (last[i] > last[best])
            best = i;
    keep_cache(s, reference);
    s->length += s->count;
    s->count = 1;
    s->ids[0] = best;
    s->positions[0] = s->length;
}

static bool runtime_is_here(void)
{
    webnn_probe *p = NULL;
    bool here = webnn_backend_probe("onnx", NULL, &p, NULL) == O2W_OK;
    webnn_probe_free(p);
    return here;
}

static void follow_reference(const char *backend)
{
    struct model_case c;
    struct step s = { .ids = { 3, 1, 4 }, .positions = { 0, 1, 2 }, .count = PROMPT };
    const webnn_context_options on = { .size = sizeof on, .backend = backend };
    webnn_context *context = NULL;
    decoder_case(&c);
    webnn_graph *g = open_graph(&c);
    s.key = malloc(1), s.value = malloc(1);
    assert_ok(webnn_context_create(&on, &context, NULL));
    assert_ok(webnn_graph_compile(context, g, NULL));
    for (int i = 0; i < STEPS; i++) {
        o2w_tensors *feeds = feeds_of(&s), *reference = NULL;
        if (o2w_reference_run(c.model, feeds, NULL, &reference, &c.error) != O2W_OK)
            fail_msg("%s", o2w_error_text(c.error));
        compare_step(context, g, feeds, reference);
        advance(&s, reference);
        o2w_tensors_free(feeds);
        o2w_tensors_free(reference);
    }
    free(s.key);
    free(s.value);
    webnn_graph_free(g);
    webnn_context_free(context);
    case_end(&c);
}

static void every_token_is_the_native_one(void **state)
{
    (void)state;
    if (!runtime_is_here()) {
        print_message("skipped: no ONNX Runtime 1.29 or newer here (tools/setup onnxruntime)\n");
        skip();
    }
    follow_reference("cpu");
    follow_reference("onnx");
}

/* Sizes of one name are one size, and none is beyond its bound. */
static void sizes_are_checked_before_any_work(void **state)
{
    (void)state;
    static const struct {
        int64_t key, value, seq;
        const char *says;
    } cases[] = {
        { 2, 3, 1, "past" },
        { BOUND + 1, BOUND + 1, 1, "past" },
        { 2, 2, BOUND + 1, "seq" },
    };
    struct model_case c;
    decoder_case(&c);
    webnn_graph *g = open_graph(&c);
    webnn_descriptor out;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o2w_error *error = NULL;
        const webnn_descriptor ids = { WEBNN_INT64, 2, { 1, cases[i].seq } };
        const webnn_descriptor shapes[4] = { ids,
                                             ids,
                                             { WEBNN_FLOAT32, 4, { 1, 2, cases[i].key, 4 } },
                                             { WEBNN_FLOAT32, 4, { 1, 2, cases[i].value, 4 } } };
        assert_status(webnn_output_shape(g, shapes, 4, 1, &out, &error), O2W_INVALID_ARGUMENT);
        assert_non_null(strstr(o2w_error_item(error, 0)->message, cases[i].says));
        o2w_error_free(error);
    }
    webnn_graph_free(g);
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_token_is_the_native_one),
        cmocka_unit_test(sizes_are_checked_before_any_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
