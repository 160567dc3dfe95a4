/* Which feed follows from where an input goes in the model. */
#include "case.h"

#include <math.h>

enum { FLOAT = 1, UINT8 = 2, INT8 = 3, INT64 = 7, STRING = 8, FLOAT16 = 10, INT32 = 6 };

static void begin(struct model_case *c, int64_t opset)
{
    case_begin(c, opset);
    mb_graph(&c->b);
}

static void zero_point(struct model_case *c, const char *name, int type, const void *byte)
{
    mb_raw(&c->b, name, type, SCALAR, byte, 1);
}

/* x [2, 2] → quantised with the scale → y */
static void quantize(struct model_case *c, const char *x, const char *scale, const char *name)
{
    char inputs[64], output[32];
    snprintf(inputs, sizeof inputs, "%s %s z", x, scale);
    snprintf(output, sizeof output, "%s_out", name);
    mb_node_open(&c->b, "QuantizeLinear", inputs, output);
    mb_node_name(&c->b, name);
    mb_close(&c->b);
    mb_output(&c->b, output, INT8, DIMS(-1, -1));
}

static void quantizer_case(struct model_case *c, float scale)
{
    begin(c, 13);
    mb_input(&c->b, "x", FLOAT, DIMS(2, 2));
    mb_floats(&c->b, "s", SCALAR, FLOATS(scale));
    zero_point(c, "z", INT8, "\0");
    quantize(c, "x", "s", "q1");
}

static void case_8_string_input(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 17);
    mb_input(&c.b, "x", STRING, DIMS(2));
    mb_node(&c.b, "Identity", "x", "y");
    mb_output(&c.b, "y", STRING, DIMS(2));
    assert_status(case_plan(&c, 0), O2W_INVALID_ARGUMENT);
    assert_diag(&c.diags, 0, DIAG_FEED_DTYPE, "input 'x' has type string: no feed can be made");
    case_end(&c);
}

static void case_9_and_10_names_are_exact(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 17);
    mb_input(&c.b, "token_type_ids", INT64, DIMS(1, 4));
    mb_input(&c.b, "attention_mask", FLOAT16, DIMS(1, 4));
    mb_input(&c.b, "my_attention_mask", INT64, DIMS(1, 4));
    mb_node(&c.b, "Identity", "token_type_ids", "y");
    mb_output(&c.b, "y", INT64, DIMS(1, 4));
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "token_type_ids", VALUES(0, 0, 0, 0));
    case_expect(&c, "attention_mask", VALUES(1, 1, 1, 1));
    case_expect(&c, "my_attention_mask", VALUES(0, 1, 2, 3));
    case_end(&c);
}

static void case_12_quantizer_direct_and_behind_carriers(void **state)
{
    (void)state;
    struct model_case c;
    quantizer_case(&c, 0.5f);
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(14.5, -35, 43.5, -6));
    assert_int_equal(c.diags.count, 0);
    case_end(&c);

    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(2, 2));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.5f));
    zero_point(&c, "z", INT8, "\0");
    mb_int64s(&c.b, "shape", DIMS(1), INTS(4));
    mb_node(&c.b, "Transpose", "x", "t");
    mb_node(&c.b, "Reshape", "t shape", "r");
    quantize(&c, "r", "s", "q1");
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(14.5, -35, 43.5, -6));
    case_end(&c);
}

static void quantizer_in_a_branch_and_in_a_function(void **state)
{
    (void)state;
    struct model_case c;
    case_begin(&c, 13);
    mb_opset(&c.b, "local", 1);
    mb_function(&c.b, "local", "Q", "a b", "r");
    mb_opset(&c.b, "ai.onnx", 13);
    mb_node(&c.b, "Identity", "a", "m");
    mb_node(&c.b, "QuantizeLinear", "m b", "r");
    mb_close(&c.b);
    mb_graph(&c.b);
    mb_input(&c.b, "x", FLOAT, DIMS(4));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.25f));
    mb_node_open(&c.b, "Q", "x s", "y");
    mb_node_domain(&c.b, "local");
    mb_close(&c.b);
    mb_output(&c.b, "y", UINT8, DIMS(4));
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(157 * 0.25, 58 * 0.25, 215 * 0.25, 116 * 0.25));
    case_end(&c);

    begin(&c, 13);
    mb_input(&c.b, "cond", 9, SCALAR);
    mb_input(&c.b, "x", FLOAT, DIMS(4));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.25f));
    mb_node_open(&c.b, "If", "cond", "y");
    mb_subgraph(&c.b, "then_branch");
    mb_node(&c.b, "QuantizeLinear", "x s", "a");
    mb_output(&c.b, "a", UINT8, DIMS(4));
    mb_close(&c.b);
    mb_subgraph(&c.b, "else_branch");
    mb_node(&c.b, "QuantizeLinear", "x s", "b");
    mb_output(&c.b, "b", UINT8, DIMS(4));
    mb_close(&c.b);
    mb_close(&c.b);
    mb_output(&c.b, "y", UINT8, DIMS(4));
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(157 * 0.25, 58 * 0.25, 215 * 0.25, 116 * 0.25));
    case_end(&c);
}

static void a_computed_scale_counts_as_constant(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(4));
    mb_floats(&c.b, "a", SCALAR, FLOATS(0.25f));
    mb_node(&c.b, "Add", "a a", "s");
    zero_point(&c, "z", INT8, "\0");
    quantize(&c, "x", "s", "q1");
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(14.5, -35, 43.5, -6));
    case_end(&c);
}

static void case_13_dequantizer_feeds_levels(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", UINT8, DIMS(4));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.5f));
    mb_node(&c.b, "DequantizeLinear", "x s", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(4));
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(157, 58, 215, 116));
    case_end(&c);
}

static void case_14_two_scales(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(2, 2));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.5f));
    mb_floats(&c.b, "s2", SCALAR, FLOATS(0.25f));
    zero_point(&c, "z", INT8, "\0");
    quantize(&c, "x", "s", "q1");
    quantize(&c, "x", "s2", "q2");
    assert_ok(case_plan(&c, 0));
    assert_diag(&c.diags, 0, DIAG_FEED_AMBIGUOUS,
                "input 'x' reaches quantizers with scales 0.5 ('q1') and 0.25 ('q2'): generic feed "
                "used");
    assert_int_equal(c.diags.first->severity, O2W_SEVERITY_WARNING);
    case_expect(&c, "x", VALUES(-0.5, -0.4375));
    case_end(&c);
}

static void case_15_scale_from_an_input(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(2, 2));
    mb_input(&c.b, "s", FLOAT, SCALAR);
    zero_point(&c, "z", INT8, "\0");
    quantize(&c, "x", "s", "q1");
    assert_ok(case_plan(&c, 0));
    assert_non_null(case_find(&c, DIAG_FEED_AMBIGUOUS));
    case_expect(&c, "x", VALUES(-0.5, -0.4375));
    case_end(&c);
}

static void case_16_scales_that_cannot_be(void **state)
{
    (void)state;
    const float scales[] = { 0, -1, (float)NAN, (float)INFINITY };
    const char *const texts[] = { "0", "-1", "NaN", "Infinity" };
    for (size_t i = 0; i < 4; i++) {
        struct model_case c;
        char message[160];
        quantizer_case(&c, scales[i]);
        assert_status(case_plan(&c, 0), O2W_INVALID_ARGUMENT);
        snprintf(message, sizeof message,
                 "node 'q1' (QuantizeLinear): y_scale is %s, must be finite and greater than 0",
                 texts[i]);
        assert_diag(&c.diags, 0, DIAG_FEED_QUANTIZER, message);
        case_end(&c);
    }
}

static void case_17_zero_point_of_another_type(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", INT8, DIMS(4));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.5f));
    zero_point(&c, "z", UINT8, "\1");
    mb_node(&c.b, "DequantizeLinear", "x s z", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(4));
    assert_status(case_plan(&c, 0), O2W_INVALID_ARGUMENT);
    assert_diag(
        &c.diags, 0, DIAG_FEED_QUANTIZER,
        "node 'DequantizeLinear#0' (DequantizeLinear): x_zero_point is uint8, must be int8");
    case_end(&c);
}

static void per_channel(struct model_case *c, const char *carrier)
{
    begin(c, 13);
    mb_input(&c->b, "x", FLOAT, DIMS(2, 2));
    mb_floats(&c->b, "s", DIMS(2), FLOATS(0.5f, 2));
    mb_raw(&c->b, "z", INT8, DIMS(2), "\0\1", 2);
    mb_int64s(&c->b, "shape", DIMS(2), INTS(2, 2));
    mb_node(&c->b, carrier, strcmp(carrier, "Reshape") == 0 ? "x shape" : "x", "m");
    quantize(c, "m", "s", "q1");
}

static void case_18_scales_per_channel(void **state)
{
    (void)state;
    struct model_case c;
    per_channel(&c, "Reshape");
    assert_ok(case_plan(&c, 0));
    assert_non_null(case_find(&c, DIAG_FEED_AMBIGUOUS));
    case_expect(&c, "x", VALUES(-0.5, -0.4375));
    case_end(&c);

    per_channel(&c, "Identity"); /* levels 29, -70, 87, -12 on axis 1 */
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(14.5, -142, 43.5, -26));
    assert_int_equal(c.diags.count, 0);
    case_end(&c);
}

static void scales_per_block(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 21);
    mb_input(&c.b, "x", FLOAT, DIMS(1, 4));
    mb_floats(&c.b, "s", DIMS(1, 2), FLOATS(1, 10));
    mb_raw(&c.b, "z", INT8, DIMS(1, 2), "\0\0", 2);
    mb_node_open(&c.b, "QuantizeLinear", "x s z", "y");
    mb_int(&c.b, "axis", 1);
    mb_int(&c.b, "block_size", 2);
    mb_close(&c.b);
    mb_output(&c.b, "y", INT8, DIMS(1, 4));
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(29, -70, 870, -120));
    case_end(&c);
}

static void a_scale_of_the_wrong_length(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(2, 2));
    mb_floats(&c.b, "s", DIMS(3), FLOATS(1, 2, 3));
    mb_raw(&c.b, "z", INT8, DIMS(3), "\0\0\0", 3);
    quantize(&c, "x", "s", "q1");
    assert_status(case_plan(&c, 0), O2W_INVALID_ARGUMENT);
    assert_non_null(case_find(&c, DIAG_FEED_QUANTIZER));
    case_end(&c);
}

static void dynamic_quantizer(struct model_case *c)
{
    mb_node(&c->b, "DynamicQuantizeLinear", "x", "y ys yz");
    mb_output(&c->b, "y", UINT8, DIMS(-1, -1));
}

static void case_19_dynamic_quantizer(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(2, 2));
    dynamic_quantizer(&c);
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(-2, 1.984375, 1.359375, -0.1875));
    case_end(&c);

    begin(&c, 13); /* beside a constant one, which decides */
    mb_input(&c.b, "x", FLOAT, DIMS(2, 2));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.5f));
    zero_point(&c, "z", INT8, "\0");
    dynamic_quantizer(&c);
    quantize(&c, "x", "s", "q1");
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "x", VALUES(14.5, -35, 43.5, -6));
    assert_int_equal(c.diags.count, 0);
    case_end(&c);
}

static void levels_beyond_float16_do_not_occur(void **state)
{
    (void)state;
    struct model_case c;
    const uint16_t scale = 0x6400; /* 1024 */
    begin(&c, 19);
    mb_input(&c.b, "x", FLOAT16, DIMS(200));
    mb_raw(&c.b, "s", FLOAT16, SCALAR, &scale, 2);
    zero_point(&c, "z", INT8, "\0");
    quantize(&c, "x", "s", "q1");
    assert_ok(case_plan(&c, 0));
    double least = 0, most = 0;
    for (uint64_t i = 0; i < 200; i++) {
        double v = case_value(&c, "x", i);
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    assert_true(least >= -63 * 1024.0 && least <= -63 * 1024.0);
    assert_true(most >= 63 * 1024.0 && most <= 63 * 1024.0);
    case_end(&c);
}

static void integers_that_are_also_indices(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", INT32, DIMS(2));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.5f));
    mb_floats(&c.b, "table", DIMS(3), FLOATS(1, 2, 3));
    mb_node(&c.b, "DequantizeLinear", "x s", "y");
    mb_node(&c.b, "Gather", "table x", "g");
    mb_output(&c.b, "y", FLOAT, DIMS(2));
    mb_output(&c.b, "g", FLOAT, DIMS(2));
    assert_ok(case_plan(&c, 0));
    assert_non_null(case_find(&c, DIAG_FEED_AMBIGUOUS));
    case_expect(&c, "x", VALUES(0, 1));
    case_end(&c);
}

static void case_20_ids_stay_in_the_table(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 17);
    mb_input(&c.b, "ids", INT32, DIMS(5));
    mb_floats(&c.b, "table", DIMS(3, 2), FLOATS(1, 2, 3, 4, 5, 6));
    mb_node_open(&c.b, "Cast", "ids", "wide");
    mb_int(&c.b, "to", INT64);
    mb_close(&c.b);
    mb_node(&c.b, "Gather", "table wide", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(5, 2));
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "ids", VALUES(0, 1, 2, 0, 1));
    assert_int_equal(case_input(&c, "ids")->feed.vocabulary, 3);
    case_end(&c);
}

static void a_large_table_leaves_the_pattern(void **state)
{
    (void)state;
    struct model_case c;
    float table[30] = { 0 };
    begin(&c, 17);
    mb_input(&c.b, "token_type_ids", INT64, DIMS(9));
    mb_input(&c.b, "ids", INT64, DIMS(9));
    mb_floats(&c.b, "table", DIMS(3, 10), table, 30);
    mb_floats(&c.b, "types", DIMS(2, 1), FLOATS(1, 2));
    mb_node_open(&c.b, "Gather", "table ids", "y");
    mb_int(&c.b, "axis", -1);
    mb_close(&c.b);
    mb_node(&c.b, "Gather", "types token_type_ids", "t");
    mb_output(&c.b, "y", FLOAT, DIMS(3, 9));
    mb_output(&c.b, "t", FLOAT, DIMS(9, 1));
    assert_ok(case_plan(&c, 0));
    case_expect(&c, "ids", VALUES(0, 1, 2, 3, 4, 5, 6, 0, 1));
    case_expect(&c, "token_type_ids", VALUES(0, 0));
    assert_int_equal(case_input(&c, "token_type_ids")->feed.vocabulary, 2);
    assert_ok(source_fill(&c.source, 4, &c.diags));
    uint64_t r = feed_random(4, SPAN("token_type_ids"), 5);
    case_expect(&c, "ids", VALUES((double)(feed_random(4, SPAN("ids"), 0) % 10)));
    assert_true(case_value(&c, "token_type_ids", 5) >= (double)(r % 2) &&
                case_value(&c, "token_type_ids", 5) <= (double)(r % 2));
    case_end(&c);
}

static o2w_status plan_with(const o2w_allocator *allocator, void *user)
{
    const o2w_environment e = { .size = sizeof e, .allocator = *allocator };
    struct source s = { 0 };
    struct diags d;
    diags_init(&d, allocator);
    o2w_status status = source_open(user, &e, &d, &s);
    if (status == O2W_OK)
        status = source_size(&s, NULL, 0, &d);
    if (status == O2W_OK)
        status = source_plan(&s, &d);
    if (status == O2W_OK)
        status = source_fill(&s, 0, &d);
    if (s.allocator)
        source_close(&s);
    diags_free(&d);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(4));
    mb_input(&c.b, "ids", INT64, DIMS(2));
    mb_floats(&c.b, "a", SCALAR, FLOATS(0.25f));
    mb_floats(&c.b, "table", DIMS(3), FLOATS(1, 2, 3));
    mb_node(&c.b, "Add", "a a", "s");
    zero_point(&c, "z", INT8, "\0");
    quantize(&c, "x", "s", "q1");
    mb_node(&c.b, "Gather", "table ids", "g");
    mb_output(&c.b, "g", FLOAT, DIMS(2));
    case_write(&c);
    assert_true(sweep_allocations(plan_with, c.model) > 10);
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_8_string_input),
        cmocka_unit_test(case_9_and_10_names_are_exact),
        cmocka_unit_test(case_12_quantizer_direct_and_behind_carriers),
        cmocka_unit_test(quantizer_in_a_branch_and_in_a_function),
        cmocka_unit_test(a_computed_scale_counts_as_constant),
        cmocka_unit_test(case_13_dequantizer_feeds_levels),
        cmocka_unit_test(case_14_two_scales),
        cmocka_unit_test(case_15_scale_from_an_input),
        cmocka_unit_test(case_16_scales_that_cannot_be),
        cmocka_unit_test(case_17_zero_point_of_another_type),
        cmocka_unit_test(case_18_scales_per_channel),
        cmocka_unit_test(scales_per_block),
        cmocka_unit_test(a_scale_of_the_wrong_length),
        cmocka_unit_test(case_19_dynamic_quantizer),
        cmocka_unit_test(levels_beyond_float16_do_not_occur),
        cmocka_unit_test(integers_that_are_also_indices),
        cmocka_unit_test(case_20_ids_stay_in_the_table),
        cmocka_unit_test(a_large_table_leaves_the_pattern),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
