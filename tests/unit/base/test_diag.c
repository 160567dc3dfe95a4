#include "support/test.h"

#include <string.h>

static void an_item_is_printed_with_place_lines_and_hint(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    assert_status(diag_error(&d, DIAG_CACHE_MISSING, "no converted graph for '%s'", "model.onnx"),
                  O2W_IO);
    diag_at(&d, "%s", "/c/model.webnn");
    diag_line(&d, "found", "%d files", 3);
    diag_hint(&d, "onnx2webnn convert --model model.onnx");
    assert_diags_text(&d, "error[cache.missing]: no converted graph for 'model.onnx'\n"
                          "  at: /c/model.webnn\n"
                          "  found: 3 files\n"
                          "  hint: onnx2webnn convert --model model.onnx\n");
    diags_free(&d);
}

static void a_position_is_file_line_column(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    diag_error(&d, DIAG_DIM_SIDECAR, "bad");
    diag_position(&d, SPAN("model.dims.json"), 100, 3, 19);
    diag_error(&d, DIAG_PROTOBUF_VARINT, "bad");
    diag_position(&d, SPAN("m.onnx"), 77, -1, -1);
    diag_error(&d, DIAG_TEXT_SYNTAX, "bad");
    diag_position(&d, SPAN(""), -1, 2, 1);
    assert_diags_text(&d, "error[dim.sidecar]: bad\n  at: model.dims.json:3:19\n"
                          "error[protobuf.varint]: bad\n  at: m.onnx, byte 77\n"
                          "error[text.syntax]: bad\n  at: 2:1\n");
    diags_free(&d);
}

static void the_subject_is_the_place_when_nothing_is_nearer(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    diag_error(&d, DIAG_LOWER_INPUT, "one");
    diag_subject(&d, "input", SPAN("x"));
    diag_error(&d, DIAG_LOWER_INPUT, "two");
    diag_subject(&d, "node", SPAN("n"));
    diag_at(&d, "node 'n' (Add, ai.onnx 14)");
    diag_error(&d, DIAG_FILE_READ, "cannot open 'f': no");
    diag_position(&d, SPAN("f"), -1, -1, -1);
    diag_error(&d, DIAG_FILE_READ, "three");
    diag_position(&d, SPAN("f"), -1, -1, -1);
    assert_diags_text(&d, "error[lower.input]: one\n  at: input 'x'\n"
                          "error[lower.input]: two\n  at: node 'n' (Add, ai.onnx 14)\n"
                          "error[file.read]: cannot open 'f': no\n"
                          "error[file.read]: three\n  at: f\n");
    diags_free(&d);
}

static void control_bytes_and_invalid_utf8_are_escaped(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    diag_error(&d, DIAG_USAGE, "a\nb\x1b[0m\x7f \xc3\xa4 \xff \xc2\x9b \xed\xa0\x80");
    assert_diag(&d, 0, DIAG_USAGE,
                "a\\x0Ab\\x1B[0m\\x7F \xc3\xa4 \\xFF \\xC2\\x9B \\xED\\xA0\\x80");
    diags_free(&d);
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    struct diags d;
    char text[9000];
    diags_init(&d, NULL);
    for (size_t i = 0; i + 1 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa4", 2);
    text[sizeof text - 2] = '\0';
    diag_error(&d, DIAG_USAGE, "x%s", text);
    const char *message = d.first->message;
    assert_true(strlen(message) <= 4096);
    assert_string_equal(message + strlen(message) - 5, "\xc3\xa4...");
    diag_subject(&d, "node", (struct span){ (uint8_t *)text, sizeof text - 2 });
    assert_true(strlen(d.first->subject_name) <= 4096);
    diags_free(&d);
}

static void warnings_and_notes_are_no_failures(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    diag_warning(&d, DIAG_DIM_UNUSED, "w");
    assert_ok(diag_note(&d, DIAG_LOWER_NOTE, "n"));
    assert_int_equal(d.count, 2);
    assert_int_equal(d.errors, 0);
    assert_diags_text(&d, "warning[dim.unused]: w\nnote[lower.note]: n\n");
    diags_free(&d);
}

static void notes_are_errors_where_asked_for(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    d.notes_are_errors = true;
    assert_status(diag_note(&d, DIAG_TEXT_DIALECT, "n"), O2W_FORMAT);
    assert_status(diag_note(&d, DIAG_OP_LIMITS, "n"), O2W_UNSUPPORTED);
    assert_int_equal(d.errors, 2);
    diags_free(&d);
}

static void an_error_is_never_ok(void **state)
{
    (void)state;
    for (int code = 0; code < DIAG_CODE_COUNT; code++)
        assert_int_not_equal(diag_error(NULL, (enum diag_code)code, "x"), O2W_OK);
}

static void codes_are_distinct_words(void **state)
{
    (void)state;
    for (int a = 0; a < DIAG_CODE_COUNT; a++) {
        const char *text = diag_code_text((enum diag_code)a);
        assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-"), strlen(text));
        for (int b = 0; b < a; b++)
            assert_string_not_equal(text, diag_code_text((enum diag_code)b));
    }
}

static void no_sink_leaves_the_status(void **state)
{
    (void)state;
    assert_status(diag_error(NULL, DIAG_FILE_READ, "x"), O2W_IO);
    assert_status(diag_memory(NULL), O2W_NO_MEMORY);
    diag_warning(NULL, DIAG_FILE_READ, "x");
    assert_ok(diag_note(NULL, DIAG_FILE_READ, "x"));
    diag_at(NULL, "x");
    diag_hint(NULL, "x");
    diag_line(NULL, "found", "x");
    diag_subject(NULL, "node", SPAN("x"));
    diag_position(NULL, SPAN("x"), 1, 1, 1);
}

static void completing_without_an_item_does_nothing(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    diag_at(&d, "x");
    diag_hint(&d, "x");
    diag_subject(&d, "node", SPAN("x"));
    assert_diags_text(&d, "");
    diags_free(&d);
}

static void new_items_carry_the_stage(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    d.stage = "lower";
    diag_error(&d, DIAG_OP_INVALID, "x");
    assert_string_equal(d.first->stage, "lower");
    diags_free(&d);
}

static void append_moves_items_in_order(void **state)
{
    (void)state;
    struct diags a, b;
    diags_init(&a, NULL);
    diags_init(&b, NULL);
    diag_error(&a, DIAG_USAGE, "1");
    diag_error(&b, DIAG_USAGE, "2");
    diag_warning(&b, DIAG_USAGE, "3");
    diags_append(&a, &b);
    diag_hint(&a, "of 3");
    diags_append(&a, &b);
    diag_error(&a, DIAG_USAGE, "4");
    diag_error(&b, DIAG_USAGE, "b");
    assert_diags_text(&a, "error[usage]: 1\nerror[usage]: 2\nwarning[usage]: 3\n  hint: of 3\n"
                          "error[usage]: 4\n");
    assert_int_equal(a.count, 4);
    assert_int_equal(a.errors, 3);
    assert_diags_text(&b, "error[usage]: b\n");
    diags_free(&a);
    diags_free(&b);
}

static void the_status_survives_lost_texts(void **state)
{
    (void)state;
    size_t lost_runs = 0;
    for (size_t fail_at = 0;; fail_at++) {
        struct failing_allocator f;
        struct diags d;
        char filler[4000];
        memset(filler, 'x', sizeof filler - 1);
        filler[sizeof filler - 1] = '\0';
        failing_allocator_init(&f, fail_at);
        diags_init(&d, &f.allocator);
        for (int i = 0; i < 5; i++) {
            assert_status(diag_error(&d, DIAG_FILE_READ, "%s", filler), O2W_IO);
            diag_at(&d, "%s", filler);
            diag_hint(&d, "%s", filler);
            diag_subject(&d, "node", span_of(filler));
        }
        assert_int_equal(d.errors, 5);
        lost_runs += d.lost > 0;
        bool done = f.calls <= fail_at;
        assert_true(done ? d.lost == 0 : d.lost > 0);
        diags_free(&d);
        assert_int_equal(f.live_blocks, 0);
        if (done)
            break;
    }
    assert_true(lost_runs > 2);
}

static void lost_texts_are_counted_in_the_output(void **state)
{
    (void)state;
    struct failing_allocator f;
    struct diags d;
    failing_allocator_init(&f, 0);
    diags_init(&d, &f.allocator);
    diag_error(&d, DIAG_FILE_READ, "x");
    diag_hint(&d, "y");
    assert_diags_text(&d, "note[memory]: out of memory, 1 text is missing here\n");
    diags_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_printed_with_place_lines_and_hint),
        cmocka_unit_test(a_position_is_file_line_column),
        cmocka_unit_test(the_subject_is_the_place_when_nothing_is_nearer),
        cmocka_unit_test(control_bytes_and_invalid_utf8_are_escaped),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(warnings_and_notes_are_no_failures),
        cmocka_unit_test(notes_are_errors_where_asked_for),
        cmocka_unit_test(an_error_is_never_ok),
        cmocka_unit_test(codes_are_distinct_words),
        cmocka_unit_test(no_sink_leaves_the_status),
        cmocka_unit_test(completing_without_an_item_does_nothing),
        cmocka_unit_test(new_items_carry_the_stage),
        cmocka_unit_test(append_moves_items_in_order),
        cmocka_unit_test(the_status_survives_lost_texts),
        cmocka_unit_test(lost_texts_are_counted_in_the_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
