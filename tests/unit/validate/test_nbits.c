/* MatMulNBits: profiles of tolerance, and the adjusted reference. Cases of the contract. */
#include "case.h"

#include "onnx/attribute.h"
#include "validate/nbits.h"

enum { FLOAT = 1, UINT8 = 2, BOOL = 9 };

/* y = x * unpacked(w): 16 columns in one block, 4 rows. bits or level below 0: not given. */
static void node(struct model_case *c, const char *inputs, const char *output, const char *domain,
                 int64_t bits, int64_t level)
{
    mb_node_open(&c->b, "MatMulNBits", inputs, output);
    mb_node_domain(&c->b, domain);
    mb_int(&c->b, "K", 16);
    mb_int(&c->b, "N", 4);
    mb_int(&c->b, "block_size", 16);
    if (bits >= 0)
        mb_int(&c->b, "bits", bits);
    if (level >= 0)
        mb_int(&c->b, "accuracy_level", level);
    mb_close(&c->b);
}

static void weights(struct model_case *c)
{
    uint8_t w[32];
    for (size_t i = 0; i < sizeof w; i++)
        w[i] = (uint8_t)(i * 37);
    mb_raw(&c->b, "w", UINT8, DIMS(4, 1, 8), w, sizeof w);
    mb_floats(&c->b, "s", DIMS(4), FLOATS(0.1f, 0.2f, 0.3f, 0.05f));
}

static void begin(struct model_case *c)
{
    case_begin(c, 17);
    mb_opset(&c->b, "com.microsoft", 1);
}

static void main_graph(struct model_case *c)
{
    mb_graph(&c->b);
    mb_input(&c->b, "x", FLOAT, DIMS(1, 16));
    weights(c);
    mb_output(&c->b, "y", FLOAT, DIMS(1, 4));
}

static struct nbits scan(struct model_case *c)
{
    struct nbits n;
    case_write(c);
    assert_ok(source_open(c->model, NULL, &c->diags, &c->source));
    nbits_scan(c->source.model, &n);
    return n;
}

static void case_32_bits_4_anywhere(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c);
    main_graph(&c);
    node(&c, "x w s", "y", "com.microsoft", -1, -1); /* absent: 4 */
    assert_int_equal(scan(&c).profile, PROFILE_Q4);
    case_end(&c);

    begin(&c);
    main_graph(&c);
    mb_input(&c.b, "cond", BOOL, SCALAR);
    mb_node_open(&c.b, "If", "cond", "y");
    mb_subgraph(&c.b, "then_branch");
    node(&c, "x w s", "a", "com.microsoft", 4, -1);
    mb_output(&c.b, "a", FLOAT, DIMS(1, 4));
    mb_close(&c.b);
    mb_subgraph(&c.b, "else_branch");
    mb_floats(&c.b, "b", DIMS(1, 4), FLOATS(1, 2, 3, 4));
    mb_output(&c.b, "b", FLOAT, DIMS(1, 4));
    mb_close(&c.b);
    mb_close(&c.b);
    assert_int_equal(scan(&c).profile, PROFILE_Q4);
    case_end(&c);

    begin(&c);
    mb_opset(&c.b, "local", 1);
    mb_function(&c.b, "local", "F", "a b d", "r");
    mb_opset(&c.b, "com.microsoft", 1);
    node(&c, "a b d", "r", "com.microsoft", 4, -1);
    mb_close(&c.b);
    main_graph(&c);
    mb_node_open(&c.b, "F", "x w s", "y");
    mb_node_domain(&c.b, "local");
    mb_close(&c.b);
    assert_int_equal(scan(&c).profile, PROFILE_Q4);
    case_end(&c);
}

static void case_33_bits_8_win(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c);
    main_graph(&c);
    node(&c, "x w s", "y", "com.microsoft", 4, -1);
    node(&c, "x w s", "z", "com.microsoft", 8, -1);
    assert_int_equal(scan(&c).profile, PROFILE_Q8);
    case_end(&c);
}

static void case_34_another_domain(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c);
    mb_opset(&c.b, "my.domain", 1);
    main_graph(&c);
    node(&c, "x w s", "y", "my.domain", 4, 4);
    struct nbits n = scan(&c);
    assert_int_equal(n.profile, PROFILE_FLOAT32);
    assert_int_equal(n.accurate, 0);
    case_end(&c);
}

static void levels_that_calls_pass_on(void **state)
{
    (void)state;
    struct model_case c;
    begin(&c);
    mb_opset(&c.b, "local", 1);
    mb_function(&c.b, "local", "F", "a b d", "r");
    mb_function_attribute(&c.b, "level");
    mb_opset(&c.b, "com.microsoft", 1);
    mb_node_open(&c.b, "MatMulNBits", "a b d", "r");
    mb_node_domain(&c.b, "com.microsoft");
    mb_reference(&c.b, "accuracy_level", ONNX_ATTRIBUTE_INT, "level");
    mb_close(&c.b);
    mb_close(&c.b);
    main_graph(&c);
    const int64_t levels[] = { 4, 1, 4, 0 };
    for (int i = 0; i < 4; i++) {
        char output[8];
        snprintf(output, sizeof output, i ? "y%d" : "y", i);
        mb_node_open(&c.b, "F", "x w s", output);
        mb_node_domain(&c.b, "local");
        mb_int(&c.b, "level", levels[i]);
        mb_close(&c.b);
    }
    struct nbits n = scan(&c);
    char text[40];
    assert_int_equal(n.accurate, 1);
    nbits_levels_text(&n, text, sizeof text);
    assert_string_equal(text, "1, 4");
    case_end(&c);
}

/* Whether any node still has a level other than 0. */
static bool has_levels(struct span model, uint64_t *nodes)
{
    struct onnx_model *m;
    struct nbits n;
    assert_ok(onnx_model_open_bytes(model, "adjusted", NULL, NULL, NULL, NULL, &m));
    nbits_scan(m, &n);
    *nodes = m->graph.node_count;
    onnx_model_close(m);
    return n.accurate != 0;
}

static void the_adjusted_model_has_level_0_everywhere(void **state)
{
    (void)state;
    struct model_case c;
    struct wire_writer w;
    struct span bytes;
    uint64_t nodes;
    begin(&c);
    mb_opset(&c.b, "local", 1);
    mb_function(&c.b, "local", "F", "a b d", "r");
    mb_opset(&c.b, "com.microsoft", 1);
    node(&c, "a b d", "r", "com.microsoft", 4, 4);
    mb_close(&c.b);
    main_graph(&c);
    mb_input(&c.b, "cond", BOOL, SCALAR);
    node(&c, "x w s", "m", "com.microsoft", 4, 4);
    mb_node(&c.b, "Identity", "m", "y");
    mb_node_open(&c.b, "F", "x w s", "f");
    mb_node_domain(&c.b, "local");
    mb_close(&c.b);
    mb_node_open(&c.b, "If", "cond", "i");
    mb_subgraph(&c.b, "then_branch");
    node(&c, "x w s", "a", "com.microsoft", 4, 1);
    mb_output(&c.b, "a", FLOAT, DIMS(1, 4));
    mb_close(&c.b);
    mb_subgraph(&c.b, "else_branch");
    mb_node(&c.b, "Identity", "m", "b");
    mb_output(&c.b, "b", FLOAT, DIMS(1, 4));
    mb_close(&c.b);
    mb_close(&c.b);
    struct nbits n = scan(&c);
    assert_int_equal(n.accurate, 3);
    wire_writer_init(&w, NULL);
    assert_ok(nbits_adjust(c.source.model, &c.diags, &w));
    assert_ok(wire_written(&w, &bytes));
    assert_false(has_levels(bytes, &nodes));
    assert_int_equal(nodes, 4);
    wire_writer_free(&w);
    case_end(&c);
}

/* The graph of the float product, written by hand: weights [16, 4] of weights(), zero point 8. */
static void write_graph(struct model_case *c)
{
    static const float scales[] = { 0.1f, 0.2f, 0.3f, 0.05f };
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "webnn_graph \"g\" v1 {\n  inputs { x: f32[1, 16]; }\n"
                                   "  consts { w: f32[16, 4] @bytes([");
    for (unsigned k = 0; k < 16; k++)
        for (unsigned n = 0; n < 4; n++) {
            uint8_t packed = (uint8_t)((n * 8 + k / 2) * 37), bytes[4];
            float v = (float)((k % 2 ? packed >> 4 : packed & 15) - 8) * scales[n];
            memcpy(bytes, &v, 4);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u, %u, %u, %u",
                                     k + n ? ", " : "", bytes[0], bytes[1], bytes[2], bytes[3]);
        }
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "]); }\n  nodes { y = matmul(x, w); }\n  outputs { y; }\n}\n");
    temp_write(&c->folder, "model.webnn", text, used);
}

static void case_35_judged_on_the_adjusted_reference(void **state)
{
    (void)state;
    struct model_case c;
    o2w_report *report = NULL;
    need_runtime();
    begin(&c);
    main_graph(&c);
    node(&c, "x w s", "y", "com.microsoft", 4, 4);
    case_write(&c);
    write_graph(&c);
    assert_ok(case_validate(&c, NULL, &report));
    if (!o2w_report_passed(report))
        fail_msg("%s", o2w_report_text(report));
    assert_has(o2w_report_text(report), "reference adjusted: accuracy_level 4 -> 0 in 1 node");
    assert_has(o2w_report_json(report),
               "\"adjusted\":{\"attribute\":\"accuracy_level\",\"from\":[4],"
               "\"to\":0,\"nodes\":1}");
    assert_has(o2w_report_json(report), "\"published\":{\"maxAbs\":");
    assert_has(o2w_report_json(report), "\"profile\":\"q4\"");
    o2w_report_free(report);

    const o2w_tolerance none = { "float32", 0, 0 };
    o2w_validate_options strict = { .strict_reference = true,
                                    .tolerances = &none,
                                    .tolerance_count = 1 };
    assert_ok(case_validate(&c, &strict, &report));
    assert_has(o2w_report_json(report), "\"adjusted\":null");
    assert_false(o2w_report_passed(report)); /* int8 activations are not the float product */
    assert_has(
        o2w_error_text(o2w_report_diagnostics(report)),
        "note: accuracy_level 4 in 1 node: the runtime may use int8 activations, parity is not "
        "assured");
    o2w_report_free(report);
    case_end(&c);
}

static void converted_4_bit_weights_pass(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    for (int64_t level = 0; level <= 4; level += 4) {
        begin(&c);
        main_graph(&c);
        node(&c, "x w s", "y", "com.microsoft", 4, level);
        case_convert(&c, NULL);
        case_passes(&c, NULL);
        case_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_32_bits_4_anywhere),
        cmocka_unit_test(case_33_bits_8_win),
        cmocka_unit_test(case_34_another_domain),
        cmocka_unit_test(levels_that_calls_pass_on),
        cmocka_unit_test(the_adjusted_model_has_level_0_everywhere),
        cmocka_unit_test(case_35_judged_on_the_adjusted_reference),
        cmocka_unit_test(converted_4_bit_weights_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
