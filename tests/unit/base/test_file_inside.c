#include "support/test.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct temp_folder folder;

static int begin(void **state)
{
    (void)state;
    temp_folder_create(&folder);
    temp_write(&folder, "outside", "out", 3);
    temp_write(&folder, "model/weights.bin", "in", 2);
    temp_write(&folder, "model/sub/deep.bin", "deep", 4);
    return 0;
}

static int end(void **state)
{
    (void)state;
    temp_folder_remove(&folder);
    return 0;
}

static o2w_status open_in(const char *where, struct span relative, struct diags *d, char content[8])
{
    struct file *f;
    TRY(file_open_inside(temp_path(&folder, where), relative, NULL, d, &f));
    memset(content, 0, 8);
    o2w_status status = file_read(f, 0, content, f->size < 8 ? (size_t)f->size : 7, d);
    file_release(f);
    return status;
}

static void assert_unsafe(const char *where, struct span relative)
{
    struct diags d;
    char content[8];
    diags_init(&d, NULL);
    assert_status(open_in(where, relative, &d, content), O2W_INVALID_ARGUMENT);
    assert_int_equal(d.first->code, DIAG_PATH_UNSAFE);
    diags_free(&d);
}

static void assert_opens(const char *where, const char *relative, const char *wanted)
{
    char content[8];
    assert_ok(open_in(where, span_of(relative), NULL, content));
    assert_string_equal(content, wanted);
}

static void link_to(const char *target, const char *name)
{
    assert_int_equal(symlink(target, temp_path(&folder, name)), 0);
}

static void files_in_the_folder_open(void **state)
{
    (void)state;
    assert_opens("model", "weights.bin", "in");
    assert_opens("model", "sub/deep.bin", "deep");
    assert_opens("model/sub/..", "sub/deep.bin", "deep");
}

static void only_normal_relative_paths_are_safe(void **state)
{
    (void)state;
    char longer[1025];
    memset(longer, 'a', sizeof longer);
    assert_unsafe("model", SPAN(""));
    assert_unsafe("model", SPAN("../outside"));
    assert_unsafe("model", SPAN("sub/../weights.bin"));
    assert_unsafe("model", SPAN("./weights.bin"));
    assert_unsafe("model", SPAN("sub//deep.bin"));
    assert_unsafe("model", SPAN("sub/deep.bin/"));
    assert_unsafe("model", SPAN("/etc/passwd"));
    assert_unsafe("model", SPAN("sub\\deep.bin"));
    assert_unsafe("model", SPAN("C:weights.bin"));
    assert_unsafe("model", SPAN("weights.bin\0"));
    assert_unsafe("model", SPAN("a\nb"));
    assert_unsafe("model", SPAN("a\x7f"));
    assert_unsafe("model", (struct span){ (uint8_t *)longer, sizeof longer });
}

static void the_message_says_what_is_wrong(void **state)
{
    (void)state;
    struct diags d;
    char content[8];
    diags_init(&d, NULL);
    open_in("model", SPAN("../outside"), &d, content);
    assert_diag(&d, 0, DIAG_PATH_UNSAFE,
                "path '../outside' has a component '..', expected a relative path of normal "
                "components inside the model's folder");
    diags_free(&d);
}

static void the_longest_path_is_looked_for(void **state)
{
    (void)state;
    struct diags d;
    char longest[1024], content[8];
    for (size_t i = 0; i < sizeof longest; i++)
        longest[i] = i % 200 == 199 ? '/' : 'a';
    diags_init(&d, NULL);
    assert_status(
        open_in("model", (struct span){ (uint8_t *)longest, sizeof longest }, &d, content), O2W_IO);
    assert_int_equal(d.first->code, DIAG_FILE_READ);
    diags_free(&d);
}

static void links_within_the_folder_are_followed(void **state)
{
    (void)state;
    link_to("sub/deep.bin", "model/link");
    link_to("sub", "model/folder");
    assert_opens("model", "link", "deep");
    assert_opens("model", "folder/deep.bin", "deep");
}

static void links_out_of_the_folder_are_refused(void **state)
{
    (void)state;
    link_to("../outside", "model/link");
    link_to("..", "model/up");
    link_to("/etc/passwd", "model/absolute");
    assert_unsafe("model", SPAN("link"));
    assert_unsafe("model", SPAN("up/outside"));
    assert_unsafe("model", SPAN("absolute"));
}

static void a_sibling_with_the_same_beginning_is_outside(void **state)
{
    (void)state;
    temp_write(&folder, "model2/f", "x", 1);
    link_to("../model2/f", "model/link");
    assert_unsafe("model", SPAN("link"));
}

static void the_folder_itself_may_be_a_link(void **state)
{
    (void)state;
    link_to("model", "alias");
    assert_opens("alias", "weights.bin", "in");
}

static void hub_links_lead_into_their_own_blobs(void **state)
{
    (void)state;
    temp_write(&folder, "models--a--b/blobs/123", "blob", 4);
    temp_write(&folder, "models--a--b/refs/main", "ref", 3);
    temp_write(&folder, "models--c--d/blobs/456", "other", 5);
    temp_write(&folder, "models--a--b/snapshots/c0/onnx/x", "x", 1);
    link_to("../../../blobs/123", "models--a--b/snapshots/c0/onnx/blob");
    link_to("../../../refs/main", "models--a--b/snapshots/c0/onnx/ref");
    link_to("../../../../models--c--d/blobs/456", "models--a--b/snapshots/c0/onnx/other");
    link_to("../../../../outside", "models--a--b/snapshots/c0/onnx/out");
    assert_opens("models--a--b/snapshots/c0/onnx", "blob", "blob");
    assert_opens("models--a--b/snapshots/c0", "onnx/blob", "blob");
    assert_unsafe("models--a--b/snapshots/c0/onnx", SPAN("ref"));
    assert_unsafe("models--a--b/snapshots/c0/onnx", SPAN("other"));
    assert_unsafe("models--a--b/snapshots/c0/onnx", SPAN("out"));
}

static void blobs_elsewhere_are_outside(void **state)
{
    (void)state;
    temp_write(&folder, "blobs/123", "blob", 4);
    link_to("../blobs/123", "model/link");
    assert_unsafe("model", SPAN("link"));
}

static void what_is_no_regular_file_is_unsafe(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(temp_path(&folder, "model/pipe"), 0600), 0);
    assert_unsafe("model", SPAN("pipe"));
    assert_unsafe("model", SPAN("sub"));
}

static void a_missing_file_is_not_unsafe(void **state)
{
    (void)state;
    struct diags d;
    char content[8], wanted[256];
    diags_init(&d, NULL);
    assert_status(open_in("model", SPAN("none"), &d, content), O2W_IO);
    snprintf(wanted, sizeof wanted, "cannot open '%s': no such file or directory",
             temp_path(&folder, "model/none"));
    assert_diag(&d, 0, DIAG_FILE_READ, wanted);
    assert_status(open_in("no folder", SPAN("x"), &d, content), O2W_IO);
    diags_free(&d);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(files_in_the_folder_open),
        TEST(only_normal_relative_paths_are_safe),
        TEST(the_message_says_what_is_wrong),
        TEST(the_longest_path_is_looked_for),
        TEST(links_within_the_folder_are_followed),
        TEST(links_out_of_the_folder_are_refused),
        TEST(a_sibling_with_the_same_beginning_is_outside),
        TEST(the_folder_itself_may_be_a_link),
        TEST(hub_links_lead_into_their_own_blobs),
        TEST(blobs_elsewhere_are_outside),
        TEST(what_is_no_regular_file_is_unsafe),
        TEST(a_missing_file_is_not_unsafe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
