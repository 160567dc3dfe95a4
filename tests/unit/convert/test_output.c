/* Where files go: --output, --weights, cache names. */
#include "convert/conversion.h"
#include "models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct room {
    struct arena arena;
    struct diags diags;
    struct temp_folder folder;
};

static int set_up(void **state)
{
    static struct room r;
    arena_init(&r.arena, NULL);
    diags_init(&r.diags, NULL);
    temp_folder_create(&r.folder);
    *state = &r;
    return 0;
}

static int tear_down(void **state)
{
    struct room *r = *state;
    arena_free(&r->arena);
    diags_free(&r->diags);
    temp_folder_remove(&r->folder);
    return 0;
}

static o2w_status plan(struct room *r, const char *output, const char *weights,
                       struct output_paths *p)
{
    o2w_convert_options o = { .size = sizeof o, .output = output, .weights = weights };
    return output_plan(&o, "dir/model.v1.onnx", &r->arena, &r->diags, p);
}

static void a_webnn_file_is_itself(void **state)
{
    struct output_paths p;
    assert_ok(plan(*state, "a/b.webnn", NULL, &p));
    assert_string_equal(p.graph, "a/b.webnn");
    assert_string_equal(p.archive_path, "a/b.safetensors");
    assert_string_equal(p.record, "a/b.o2w.json");
    assert_null(p.archive);
}

static void folders_get_the_model_stem(void **state)
{
    struct room *r = *state;
    struct output_paths p;
    assert_ok(plan(r, "out/", NULL, &p));
    assert_string_equal(p.graph, "out/model.v1.webnn");
    assert_ok(plan(r, "out", NULL, &p));
    assert_string_equal(p.graph, "out/model.v1.webnn");
    assert_ok(plan(r, ".hidden", NULL, &p));
    assert_string_equal(p.graph, ".hidden/model.v1.webnn");
    const char *there = temp_path(&r->folder, "x.webnn");
    assert_ok(folder_create(there, 0777, NULL));
    assert_ok(plan(r, there, NULL, &p));
    assert_int_equal(p.graph[strlen(there)], '/');
}

static void other_names_are_usage_errors(void **state)
{
    struct room *r = *state;
    struct output_paths p;
    const char *file = temp_write(&r->folder, "there", "x", 1);
    assert_status(plan(r, "x.json", NULL, &p), O2W_USAGE);
    assert_status(plan(r, "-", NULL, &p), O2W_USAGE);
    assert_status(plan(r, file, NULL, &p), O2W_USAGE);
    assert_status(plan(r, "a/b.c/d.e", NULL, &p), O2W_USAGE);
}

static void a_shared_archive_lies_in_the_graphs_folder(void **state)
{
    struct room *r = *state;
    struct output_paths p;
    assert_ok(plan(r, "a/b.webnn", "all.safetensors", &p));
    assert_string_equal(p.archive, "all.safetensors");
    assert_string_equal(p.archive_path, "a/all.safetensors");
    assert_ok(plan(r, "a/b.webnn", "a/all.safetensors", &p));
    assert_string_equal(p.archive_path, "a/all.safetensors");
    assert_status(plan(r, "a/b.webnn", "c/all.safetensors", &p), O2W_USAGE);
    assert_status(plan(r, "a/b.webnn", "all.bin", &p), O2W_USAGE);
    assert_status(plan(r, "a/b.webnn", ".safetensors", &p), O2W_USAGE);
}

static void cache_names_are_stem_and_key(void **state)
{
    struct room *r = *state;
    const char *name;
    const char *path = temp_write(&r->folder, "my model.v2.onnx", "x", 1);
    char *canonical, wanted[200];
    assert_ok(cache_name(path, &r->arena, &r->diags, &name));
    assert_ok(path_canonical(path, &r->arena, NULL, &canonical));
    (void)snprintf(wanted, sizeof wanted, "my_model_v2-%016llx",
                   (unsigned long long)span_fnv1a64(span_of(canonical)));
    assert_string_equal(name, wanted);
    assert_int_equal(span_fnv1a64(SPAN("/models/my model.v2.onnx")), 0x71aeed09f35b40dd);
}

static void long_stems_are_cut(void **state)
{
    struct room *r = *state;
    char file[220];
    const char *name;
    memset(file, 'a', 200);
    strcpy(file + 200, ".onnx");
    assert_ok(cache_name(temp_write(&r->folder, file, "x", 1), &r->arena, &r->diags, &name));
    assert_int_equal(strlen(name), 160 + 1 + 16);
}

static void cache_folders_follow_the_variables(void **state)
{
    struct room *r = *state;
    const char *folder;
    setenv("O2W_CACHE_DIR", "/both", 1);
    unsetenv("O2W_WEBNN_CACHE");
    assert_ok(cache_folder(O2W_CACHE_WEBNN, false, &r->arena, &r->diags, &folder));
    assert_string_equal(folder, "/both/webnn");
    assert_ok(cache_folder(O2W_CACHE_ONNX, false, &r->arena, &r->diags, &folder));
    assert_string_equal(folder, "/both/onnx");
    setenv("O2W_WEBNN_CACHE", "/own", 1);
    assert_ok(cache_folder(O2W_CACHE_WEBNN, false, &r->arena, &r->diags, &folder));
    assert_string_equal(folder, "/own");
    unsetenv("O2W_CACHE_DIR");
    unsetenv("O2W_WEBNN_CACHE");
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    assert_ok(cache_folder(O2W_CACHE_WEBNN, false, &r->arena, &r->diags, &folder));
    assert_string_equal(folder, "/xdg/onnx2webnn/webnn");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "", 1);
    assert_status(cache_folder(O2W_CACHE_WEBNN, false, &r->arena, &r->diags, &folder), O2W_IO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_webnn_file_is_itself),
        TEST(folders_get_the_model_stem),
        TEST(other_names_are_usage_errors),
        TEST(a_shared_archive_lies_in_the_graphs_folder),
        TEST(cache_names_are_stem_and_key),
        TEST(long_stems_are_cut),
        TEST(cache_folders_follow_the_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
