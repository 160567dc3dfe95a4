/* Law 11: graphs that share an archive. */
#include "files.h"

#include "format/safetensors.h"
#include "support/graph_compare.h"

enum { GRAPHS = 3 };

/* The same names for other contents, the same contents under other names, 4-bit and uint8 of equal bytes. */
static const char *const sources[GRAPHS] = {
    GRAPH(
        X_IN
        "consts { w: f32[2] @bytes([1, 2, 3, 4, 5, 6, 7, 8]); a.b: u8[3] @bytes([1, 2, 3]); q: u4[6] @bytes([1, 2, 3]); }",
        "y = relu(x);", "y;"),
    GRAPH(
        X_IN
        "consts { w: f32[2] @bytes([1, 2, 3, 4, 5, 6, 7, 9]); v: f32[2] @bytes([1, 2, 3, 4, 5, 6, 7, 8]); q: i4[5] @bytes([1, 2, 3]); "
        "r: u8[3, 1] @bytes([1, 2, 3]); }",
        "y = abs(x);", "y;"),
    GRAPH(
        X_IN
        "consts { a_b: u8[3] @bytes([4, 5, 6]); w: i8[3] @bytes([1, 2, 3]); z: f32[1000] @scalar(-0.0); z2: f32[1000] @scalar(-0.0); }",
        "y = neg(x);", "y;"),
};

static void write_all(struct files *s, struct fixture *graphs, const int *order)
{
    struct format_write_options add = { .archive = "model.safetensors",
                                        .add = true,
                                        .inline_limit = FORMAT_INLINE_NONE };
    struct format_written written;
    char name[] = "g0.webnn";
    for (int i = 0; i < GRAPHS; i++) {
        name[1] = (char)('0' + order[i]);
        assert_ok(format_write(graphs[order[i]].graph, temp_path(&s->folder, name), &add,
                               &s->f.arena, &s->f.diags, &written));
    }
}

static void assert_all_read(struct files *s, struct fixture *graphs)
{
    char name[] = "g0.webnn";
    for (int i = 0; i < GRAPHS; i++) {
        name[1] = (char)('0' + i);
        assert_reads(s, name, 0);
        const char *difference =
            graph_difference(graphs[i].graph, s->f.graph, COMPARE_INTERFACE, &s->f.arena);
        if (difference)
            print_message("%s\n", difference);
        assert_null(difference);
    }
}

static bool same_entry(const struct archive *a, const struct archive_entry *x,
                       const struct archive *b, const struct archive_entry *y)
{
    struct weight first = archive_weight(a, x), second = archive_weight(b, y);
    bool same = false;
    if (x->dtype == y->dtype && x->rank == y->rank && dims_equal(x->dims, y->dims, x->rank))
        assert_ok(weight_same(&first, &second, NULL, &same));
    return same;
}

static size_t count_same(const struct archive *a, const struct archive_entry *x,
                         const struct archive *b)
{
    size_t count = 0;
    for (uint32_t i = 0; i < b->count; i++)
        count += same_entry(a, x, b, &b->entries[i]);
    return count;
}

static void l11_any_order_gives_the_same_graphs_and_tensors(void **state)
{
    (void)state;
    static const int orders[6][GRAPHS] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                           { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    struct files s[6];
    struct fixture graphs[GRAPHS];
    struct archive *archives[6];
    for (int i = 0; i < GRAPHS; i++) {
        fixture_init(&graphs[i]);
        read_silently(&graphs[i], sources[i]);
    }
    for (int i = 0; i < 6; i++) {
        files_init(&s[i]);
        write_all(&s[i], graphs, orders[i]);
        assert_all_read(&s[i], graphs);
        assert_ok(archive_open(temp_path(&s[i].folder, "model.safetensors"), NULL, &s[i].f.diags,
                               &archives[i]));
        for (uint32_t j = 0; j < archives[i]->count; j++) {
            assert_int_equal(count_same(archives[i], &archives[i]->entries[j], archives[i]),
                             1); /* nothing twice */
            assert_int_equal(count_same(archives[i], &archives[i]->entries[j], archives[0]), 1);
        }
        assert_int_equal(archives[i]->count, archives[0]->count);
    }
    for (int i = 0; i < 6; i++) {
        archive_free(archives[i]);
        files_free(&s[i]);
    }
    for (int i = 0; i < GRAPHS; i++)
        fixture_free(&graphs[i]);
}

static void writing_again_changes_nothing(void **state)
{
    (void)state;
    static const int order[GRAPHS] = { 0, 1, 2 };
    struct files s;
    struct fixture graphs[GRAPHS];
    struct span before;
    files_init(&s);
    for (int i = 0; i < GRAPHS; i++) {
        fixture_init(&graphs[i]);
        read_silently(&graphs[i], sources[i]);
    }
    write_all(&s, graphs, order);
    assert_ok(file_read_all(temp_path(&s.folder, "model.safetensors"), 1 << 20, &s.f.arena, NULL,
                            &before));
    write_all(&s, graphs, order);
    assert_file(temp_path(&s.folder, "model.safetensors"), before.data, before.size);
    assert_all_read(&s, graphs);
    for (int i = 0; i < GRAPHS; i++)
        fixture_free(&graphs[i]);
    files_free(&s);
}

static void readers_of_the_old_archive_are_not_disturbed(void **state)
{
    (void)state;
    struct files s;
    struct fixture other;
    struct format_written written;
    struct format_write_options add = { .archive = "model.safetensors",
                                        .add = true,
                                        .inline_limit = FORMAT_INLINE_NONE };
    files_init(&s);
    fixture_init(&other);
    read_silently(&other, sources[0]);
    assert_ok(format_write(other.graph, temp_path(&s.folder, "a.webnn"), &add, &s.f.arena,
                           &s.f.diags, &written));
    assert_reads(&s, "a.webnn", 0);
    read_silently(&other, sources[1]);
    assert_ok(format_write(other.graph, temp_path(&s.folder, "b.webnn"), &add, &s.f.arena,
                           &s.f.diags, &written));
    assert_constant(&s, 0, "\1\2\3\4\5\6\7\10", 8);
    fixture_free(&other);
    files_free(&s);
}

static void foreign_archives_keep_their_entries_and_metadata(void **state)
{
    (void)state;
    struct files s;
    struct format_written written;
    struct format_write_options add = { .archive = "model.safetensors",
                                        .add = true,
                                        .inline_limit = FORMAT_INLINE_NONE };
    files_init(&s);
    put_archive(
        &s, "model.safetensors",
        "{\"__metadata__\":{\"format\":\"pt\"},\"a.b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
        "\"f\":{\"dtype\":\"F6_E2M3\",\"shape\":[4],\"data_offsets\":[2,5]}}",
        "\7\1\1\2\3", 5);
    read_silently(
        &s.f,
        CONSTS("a_b: u8[2] @bytes([9, 1]); same: u8[2] @bytes([7, 1]); q: u4[4] @bytes([33, 1]);"));
    assert_ok(format_write(s.f.graph, temp_path(&s.folder, "g.webnn"), &add, &s.f.arena, &s.f.diags,
                           &written));
    struct archive *a;
    assert_ok(archive_open(temp_path(&s.folder, "model.safetensors"), NULL, &s.f.diags, &a));
    assert_span(archive_metadata(a, SPAN("format")), "pt");
    assert_span(archive_metadata(a, SPAN("rustnn.webnn.packed4")), "1");
    assert_non_null(archive_find(a, SPAN("a.b")));
    assert_non_null(archive_find(a, SPAN("f")));
    assert_null(archive_find(a, SPAN("a_b"))); /* other readers would take it for a.b */
    archive_free(a);
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, "\11\1", 2);
    assert_constant(&s, 1, "\7\1", 2);
    assert_constant(&s, 2, "\41\1", 2);
    assert_span(
        names_text(&s.f.graph->names, graph_weight(s.f.graph, s.f.graph->constants.items[1])->key),
        "a.b");
    put_archive(&s, "model.safetensors", "{\"__metadata__\":{\"rustnn.webnn.packed4\":\"7\"}}",
                NULL, 0);
    read_silently(&s.f, CONSTS("k: u8[1] @bytes([9]);"));
    assert_int_not_equal(format_write(s.f.graph, temp_path(&s.folder, "g.webnn"), &add, &s.f.arena,
                                      &s.f.diags, &written),
                         O2W_OK);
    assert_int_equal(s.f.diags.newest->code, DIAG_WEIGHTS_PACKED4);
    files_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l11_any_order_gives_the_same_graphs_and_tensors),
        cmocka_unit_test(writing_again_changes_nothing),
        cmocka_unit_test(readers_of_the_old_archive_are_not_disturbed),
        cmocka_unit_test(foreign_archives_keep_their_entries_and_metadata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
