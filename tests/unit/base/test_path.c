#include "support/test.h"

#include "base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_path_falls_into_folder_and_name(void **state)
{
    (void)state;
    assert_span(path_folder(SPAN("a/b/c.onnx")), "a/b");
    assert_span(path_name(SPAN("a/b/c.onnx")), "c.onnx");
    assert_span(path_folder(SPAN("c.onnx")), "");
    assert_span(path_name(SPAN("c.onnx")), "c.onnx");
    assert_span(path_folder(SPAN("/c")), "/");
    assert_span(path_name(SPAN("/c")), "c");
    assert_span(path_name(SPAN("a/")), "");
    assert_span(path_folder(SPAN("")), "");
    assert_span(path_name((struct span){ 0 }), "");
}

static void the_last_dot_begins_the_extension(void **state)
{
    (void)state;
    assert_span(path_stem(SPAN("x.y/my model.v2.onnx")), "my model.v2");
    assert_span(path_extension(SPAN("x.y/my model.v2.onnx")), "onnx");
    assert_span(path_stem(SPAN("x.y/model")), "model");
    assert_span(path_extension(SPAN("x.y/model")), "");
    assert_span(path_stem(SPAN(".hidden")), ".hidden");
    assert_span(path_extension(SPAN(".hidden")), "");
    assert_span(path_stem(SPAN("a.")), "a");
    assert_span(path_extension(SPAN("a.")), "");
}

static void join_puts_one_slash(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    assert_string_equal(path_join(&a, SPAN("a"), SPAN("b")), "a/b");
    assert_string_equal(path_join(&a, SPAN("a/"), SPAN("b")), "a/b");
    assert_string_equal(path_join(&a, SPAN(""), SPAN("b")), "b");
    assert_string_equal(path_join(&a, SPAN("/"), SPAN("b")), "/b");
    assert_string_equal(path_join(&a, SPAN("a"), SPAN("/b")), "/b");
    arena_free(&a);
}

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    struct temp_folder t;
    struct stat s;
    temp_folder_create(&t);
    assert_ok(folder_create(temp_path(&t, "a/b/c/"), 0700, NULL));
    assert_true(path_is_folder(temp_path(&t, "a/b/c")));
    assert_int_equal(stat(temp_path(&t, "a"), &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
    assert_ok(folder_create(temp_path(&t, "a/b/c"), 0777, NULL));
    temp_folder_remove(&t);
}

static void a_file_in_the_way_is_an_error(void **state)
{
    (void)state;
    struct temp_folder t;
    struct diags d;
    diags_init(&d, NULL);
    temp_folder_create(&t);
    temp_write(&t, "f", "x", 1);
    assert_false(path_is_folder(temp_path(&t, "f")));
    assert_true(path_is_file(temp_path(&t, "f")));
    assert_false(path_is_file(temp_path(&t, "none")));
    assert_status(folder_create(temp_path(&t, "f/sub"), 0777, &d), O2W_IO);
    assert_status(folder_create(temp_path(&t, "f"), 0777, &d), O2W_IO);
    assert_status(folder_create("", 0777, &d), O2W_IO);
    assert_int_equal(d.first->code, DIAG_FILE_WRITE);
    assert_non_null(strstr(d.first->message, "not a directory"));
    assert_non_null(strstr(d.first->next->message, "not a directory"));
    diags_free(&d);
    temp_folder_remove(&t);
}

static void canonical_paths_have_no_links(void **state)
{
    (void)state;
    struct temp_folder t;
    struct arena a;
    char *canonical, *direct;
    arena_init(&a, NULL);
    temp_folder_create(&t);
    temp_write(&t, "real/f", "x", 1);
    assert_int_equal(symlink("real", temp_path(&t, "link")), 0);
    assert_ok(path_canonical(temp_path(&t, "link/../link/f"), &a, NULL, &canonical));
    assert_ok(path_canonical(temp_path(&t, "real/f"), &a, NULL, &direct));
    assert_string_equal(canonical, direct);

    struct diags d;
    diags_init(&d, NULL);
    assert_status(path_canonical("/no/such", &a, &d, &canonical), O2W_IO);
    assert_diags_text(&d, "error[file.read]: cannot find '/no/such': no such file or directory\n");
    diags_free(&d);
    temp_folder_remove(&t);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_falls_into_folder_and_name),
        cmocka_unit_test(the_last_dot_begins_the_extension),
        cmocka_unit_test(join_puts_one_slash),
        cmocka_unit_test(folders_are_made_with_their_parents),
        cmocka_unit_test(a_file_in_the_way_is_an_error),
        cmocka_unit_test(canonical_paths_have_no_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
