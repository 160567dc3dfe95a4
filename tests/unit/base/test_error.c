#include "support/test.h"

#include "base/error.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

static void an_error_takes_over_the_items(void **state)
{
    (void)state;
    struct diags d;
    o2w_error *error = NULL;
    diags_init(&d, NULL);
    d.stage = "read";
    diag_error(&d, DIAG_JSON_SYNTAX, "expected ':', found '\"'");
    diag_position(&d, SPAN("a.json"), 9, 1, 10);
    diag_subject(&d, "file", SPAN("a.json"));
    diag_hint(&d, "fix it");
    diag_warning(&d, DIAG_DIM_UNUSED, "w");
    assert_status(error_from_diags(&d, O2W_FORMAT, &error), O2W_FORMAT);
    assert_int_equal(d.count, 0);
    diags_free(&d);

    assert_status(o2w_error_status(error), O2W_FORMAT);
    assert_int_equal(o2w_error_count(error), 2);
    const o2w_diagnostic *item = o2w_error_item(error, 0);
    assert_int_equal(item->size, sizeof *item);
    assert_int_equal(item->severity, O2W_SEVERITY_ERROR);
    assert_string_equal(item->code, "json.syntax");
    assert_string_equal(item->stage, "read");
    assert_string_equal(item->message, "expected ':', found '\"'");
    assert_string_equal(item->subject_kind, "file");
    assert_string_equal(item->subject_name, "a.json");
    assert_string_equal(item->file, "a.json");
    assert_string_equal(item->hint, "fix it");
    assert_true(item->offset == 9 && item->line == 1 && item->column == 10);
    item = o2w_error_item(error, 1);
    assert_null(item->file);
    assert_null(item->hint);
    assert_true(item->offset == -1 && item->line == -1 && item->column == -1);
    assert_null(o2w_error_item(error, 2));
    assert_string_equal(o2w_error_text(error), "error[json.syntax]: expected ':', found '\"'\n"
                                               "  at: a.json:1:10\n  hint: fix it\n"
                                               "warning[dim.unused]: w\n");
    assert_string_equal(
        o2w_error_json(error),
        "[{\"severity\":\"error\",\"code\":\"json.syntax\",\"stage\":\"read\","
        "\"message\":\"expected ':', found '\\\"'\","
        "\"subject\":{\"kind\":\"file\",\"name\":\"a.json\"},\"file\":\"a.json\","
        "\"offset\":9,\"line\":1,\"column\":10,\"hint\":\"fix it\",\"lines\":[]},"
        "{\"severity\":\"warning\",\"code\":\"dim.unused\",\"stage\":\"read\",\"message\":\"w\","
        "\"subject\":null,\"file\":null,\"offset\":null,\"line\":null,\"column\":null,"
        "\"hint\":null,\"lines\":[]}]");
    o2w_error_free(error);
}

static void success_leaves_everything_alone(void **state)
{
    (void)state;
    struct diags d;
    o2w_error *error = (o2w_error *)&d;
    diags_init(&d, NULL);
    diag_warning(&d, DIAG_DIM_UNUSED, "w");
    assert_ok(error_from_diags(&d, O2W_OK, &error));
    assert_ptr_equal(error, &d);
    assert_int_equal(d.count, 1);
    diags_free(&d);
}

static void nobody_asking_keeps_the_items(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d, NULL);
    diag_error(&d, DIAG_FILE_READ, "x");
    assert_status(error_from_diags(&d, O2W_IO, NULL), O2W_IO);
    assert_int_equal(d.count, 1);
    diags_free(&d);
}

static void a_failure_without_items_is_described_by_its_status(void **state)
{
    (void)state;
    static const struct {
        o2w_status status;
        const char *text;
    } cases[] = {
        { O2W_INVALID_ARGUMENT, "error[internal]: invalid argument\n" },
        { O2W_CANCELLED, "error[interrupted]: cancelled\n" },
        { O2W_NO_MEMORY, "error[memory]: out of memory\n" },
    };
    for (size_t i = 0; i < 3; i++) {
        o2w_error *error = NULL;
        assert_status(error_from_diags(NULL, cases[i].status, &error), cases[i].status);
        assert_string_equal(o2w_error_text(error), cases[i].text);
        o2w_error_free(error);
    }
}

static void an_error_outlives_its_environment(void **state)
{
    (void)state;
    struct failing_allocator f;
    failing_allocator_init(&f, SIZE_MAX);
    o2w_error *error = NULL;
    {
        o2w_allocator environment = f.allocator;
        struct diags d;
        diags_init(&d, &environment);
        diag_error(&d, DIAG_FILE_READ, "x");
        error_from_diags(&d, O2W_IO, &error);
        diags_free(&d);
        memset(&environment, 0, sizeof environment);
    }
    assert_string_equal(o2w_error_text(error), "error[file.read]: x\n");
    o2w_error_free(error);
    assert_int_equal(f.live_blocks, 0);
}

static void without_memory_there_still_is_an_error(void **state)
{
    (void)state;
    for (size_t fail_at = 0;; fail_at++) {
        struct failing_allocator f;
        struct diags d;
        o2w_error *error = NULL;
        failing_allocator_init(&f, fail_at);
        diags_init(&d, &f.allocator);
        for (int i = 0; i < 20; i++) {
            diag_error(&d, DIAG_MODEL_CYCLE, "%400s", "x");
            diag_hint(&d, "%400s", "y");
        }
        assert_status(error_from_diags(&d, O2W_FORMAT, &error), O2W_FORMAT);
        assert_non_null(error);
        assert_status(o2w_error_status(error), O2W_FORMAT);
        assert_true(o2w_error_count(error) >= 1);
        assert_non_null(strstr(o2w_error_text(error), "error["));
        assert_int_equal(o2w_error_json(error)[0], '[');
        assert_non_null(o2w_error_item(error, 0)->message);
        o2w_error_free(error);
        diags_free(&d);
        assert_int_equal(f.live_blocks, 0);
        if (f.calls <= fail_at)
            break;
    }
}

static void null_is_an_error_without_content(void **state)
{
    (void)state;
    o2w_error_free(NULL);
    assert_ok(o2w_error_status(NULL));
    assert_int_equal(o2w_error_count(NULL), 0);
    assert_null(o2w_error_item(NULL, 0));
    assert_string_equal(o2w_error_text(NULL), "");
    assert_string_equal(o2w_error_json(NULL), "[]");
}

static void every_status_has_words(void **state)
{
    (void)state;
    assert_string_equal(o2w_status_text(O2W_OK), "success");
    assert_string_equal(o2w_status_text(O2W_USAGE), "usage error");
    assert_string_equal(o2w_status_text((o2w_status)1000), "unknown status");
    assert_string_equal(o2w_status_text((o2w_status)-1), "unknown status");
    assert_string_equal(o2w_version(), O2W_VERSION);
}

/* ---- log ---- */

struct heard {
    o2w_log_level level;
    char text[4096];
    int count, answer;
};

static void listen(void *user, o2w_log_level level, const char *text)
{
    struct heard *h = user;
    h->level = level;
    h->count++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

static int answer(void *user, const char *stage, uint64_t done, uint64_t total)
{
    struct heard *h = user;
    snprintf(h->text, sizeof h->text, "%s %d/%d", stage, (int)done, (int)total);
    return h->answer;
}

static void the_log_gets_texts_up_to_its_level(void **state)
{
    (void)state;
    struct heard h = { 0 };
    o2w_environment e = { .size = sizeof e, .log_level = O2W_LOG_INFO, .log = listen, .user = &h };
    assert_true(log_enabled(&e, O2W_LOG_INFO));
    assert_false(log_enabled(&e, O2W_LOG_DEBUG));
    assert_false(log_enabled(&e, O2W_LOG_OFF));
    log_text(&e, O2W_LOG_WARN, "%d nodes, %g s", 3, 0.5);
    assert_string_equal(h.text, "3 nodes, 0.5 s");
    assert_int_equal(h.level, O2W_LOG_WARN);
    log_text(&e, O2W_LOG_TRACE, "x");
    assert_int_equal(h.count, 1);
    log_text(&e, O2W_LOG_INFO, "%3000d", 1);
    assert_int_equal(h.count, 2);
}

static void progress_other_than_zero_cancels(void **state)
{
    (void)state;
    struct heard h = { 0 };
    o2w_environment e = { .size = sizeof e, .progress = answer, .user = &h };
    assert_ok(progress_poll(&e, "lower", 2, 7));
    assert_string_equal(h.text, "lower 2/7");
    h.answer = 1;
    assert_status(progress_poll(&e, "lower", 3, 7), O2W_CANCELLED);
}

static void without_an_environment_nothing_is_said(void **state)
{
    (void)state;
    o2w_environment empty = { 0 };
    log_text(NULL, O2W_LOG_ERROR, "x");
    log_text(&empty, O2W_LOG_ERROR, "x");
    assert_ok(progress_poll(NULL, "x", 0, 0));
    assert_ok(progress_poll(&empty, "x", 0, 0));
    assert_ptr_equal(environment_allocator(NULL), &mem_default);
    assert_ptr_equal(environment_allocator(&empty), &mem_default);
}

static void members_behind_the_size_are_not_read(void **state)
{
    (void)state;
    struct heard h = { .answer = 1 };
    o2w_environment e = { .size = offsetof(o2w_environment, progress),
                          .log_level = O2W_LOG_INFO,
                          .progress = answer,
                          .user = &h };
    assert_ok(progress_poll(&e, "x", 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_takes_over_the_items),
        cmocka_unit_test(success_leaves_everything_alone),
        cmocka_unit_test(nobody_asking_keeps_the_items),
        cmocka_unit_test(a_failure_without_items_is_described_by_its_status),
        cmocka_unit_test(an_error_outlives_its_environment),
        cmocka_unit_test(without_memory_there_still_is_an_error),
        cmocka_unit_test(null_is_an_error_without_content),
        cmocka_unit_test(every_status_has_words),
        cmocka_unit_test(the_log_gets_texts_up_to_its_level),
        cmocka_unit_test(progress_other_than_zero_cancels),
        cmocka_unit_test(without_an_environment_nothing_is_said),
        cmocka_unit_test(members_behind_the_size_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
