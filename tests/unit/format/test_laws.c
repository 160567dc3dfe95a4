/* Laws of the format over random graphs. */
#include "fixture.h"

#include "support/graph_compare.h"
#include "support/random_graph.h"

#include <locale.h>

enum { SEEDS = 150 };

struct law {
    struct fixture f;
    struct temp_folder folder;
    struct graph *graph;
    struct file *weights;
};

static void law_begin(struct law *l)
{
    uint8_t bytes[65536];
    *l = (struct law){ 0 };
    fixture_init(&l->f);
    temp_folder_create(&l->folder);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i < 4096 ? i * 7 + i / 251 : i & 1);
    const char *path = temp_write(&l->folder, "source.bin", bytes, sizeof bytes);
    assert_ok(file_open(path, NULL, &l->f.diags, &l->weights));
}

static void law_end(struct law *l)
{
    graph_free(l->graph);
    file_release(l->weights);
    fixture_free(&l->f);
    temp_folder_remove(&l->folder);
}

static void make(struct law *l, uint64_t seed)
{
    struct random_graph_options options = { .seed = seed,
                                            .operators = 1 + (uint32_t)seed % 12,
                                            .dynamic = seed % 3 == 0,
                                            .empty = seed % 4 == 0,
                                            .strange_names = seed % 2 == 0,
                                            .directives = seed % 5 < 3,
                                            .weights = l->weights };
    graph_free(l->graph);
    l->graph = NULL;
    o2w_status status = random_graph(&options, NULL, &l->f.diags, NULL, &l->graph);
    if (status != O2W_OK)
        print_message("seed %llu: %s", (unsigned long long)seed,
                      diags_text(&l->f.diags, &l->f.arena));
    assert_ok(status);
}

static const char *write_graph(struct law *l, const struct graph *g, const char *name,
                               const struct format_write_options *o)
{
    struct format_written written;
    const char *path = arena_text(&l->f.arena, span_of(temp_path(&l->folder, name)));
    o2w_status status = format_write(g, path, o, &l->f.arena, &l->f.diags, &written);
    if (status != O2W_OK)
        print_message("%s", diags_text(&l->f.diags, &l->f.arena));
    assert_ok(status);
    return path;
}

static void read_graph(struct law *l, const char *path)
{
    graph_free(l->f.graph);
    l->f.graph = NULL;
    o2w_status status = format_read(path, NULL, NULL, &l->f.diags, &l->f.graph);
    if (status != O2W_OK) {
        struct span text;
        assert_ok(file_read_all(path, 1 << 24, &l->f.arena, NULL, &text));
        print_message("%s%.*s", diags_text(&l->f.diags, &l->f.arena), SPAN_ARG(text));
    }
    assert_ok(status);
}

static struct span contents(struct law *l, const char *path)
{
    struct span bytes;
    assert_ok(file_read_all(path, 1 << 26, &l->f.arena, &l->f.diags, &bytes));
    return bytes;
}

static void assert_no_difference(struct law *l, uint64_t seed, enum compare_names names)
{
    const char *difference = graph_difference(l->graph, l->f.graph, names, &l->f.arena);
    if (difference)
        print_message("seed %llu: %s\n%s\n", (unsigned long long)seed, difference,
                      fixture_print(&l->f, NULL));
    assert_null(difference);
}

static const struct format_write_options forms[] = {
    { .names = FORMAT_NAMES_INTERFACE },
    { .names = FORMAT_NAMES_ALL },
    { .names = FORMAT_NAMES_NONE },
    { .names = FORMAT_NAMES_ALL, .inline_limit = FORMAT_INLINE_NONE },
    { .names = FORMAT_NAMES_ALL, .kind = FORMAT_JSON },
    { .names = FORMAT_NAMES_INTERFACE, .archive = "shared.safetensors" },
};

static enum compare_names kept_by(const struct format_write_options *o)
{
    return o->names == FORMAT_NAMES_ALL    ? COMPARE_ALL_NAMES
           : o->names == FORMAT_NAMES_NONE ? COMPARE_NO_NAMES
                                           : COMPARE_INTERFACE;
}

static void l1_read_of_write_is_the_graph(void **state)
{
    (void)state;
    struct law l;
    law_begin(&l);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct format_write_options *o = &forms[seed % 6];
        make(&l, seed);
        read_graph(&l, write_graph(&l, l.graph, o->kind == FORMAT_JSON ? "g.json" : "g.webnn", o));
        assert_no_difference(&l, seed, kept_by(o));
        assert_int_equal(l.f.diags.errors, 0);
    }
    law_end(&l);
}

static void show_difference(uint64_t seed, struct span a, struct span b)
{
    size_t i = 0, from;
    while (i < a.size && i < b.size && a.data[i] == b.data[i])
        i++;
    from = i > 300 ? i - 300 : 0;
    print_message("seed %llu:\n%.*s\n---\n%.*s\n", (unsigned long long)seed,
                  (int)(i - from + 60 < a.size - from ? i - from + 60 : a.size - from),
                  (const char *)a.data + from,
                  (int)(i - from + 60 < b.size - from ? i - from + 60 : b.size - from),
                  (const char *)b.data + from);
}

static void l2_write_of_read_of_write_is_write(void **state)
{
    (void)state;
    struct law l;
    law_begin(&l);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct format_write_options *o = &forms[seed % 6];
        const char *name = o->kind == FORMAT_JSON ? "g.json" : "g.webnn";
        make(&l, seed);
        const char *path = write_graph(&l, l.graph, name, o);
        const char *archive = temp_path(&l.folder, o->archive ? o->archive : "g.safetensors");
        struct span text = contents(&l, path), bytes = contents(&l, archive);
        read_graph(&l, path);
        write_graph(&l, l.f.graph, name, o);
        struct span again = contents(&l, path);
        if (!span_equal(text, again))
            show_difference(seed, text, again);
        assert_true(span_equal(text, again));
        assert_true(span_equal(bytes, contents(&l, archive)));
    }
    law_end(&l);
}

static void l3_write_does_not_depend_on_addresses_or_locale(void **state)
{
    (void)state;
    struct law l;
    law_begin(&l);
    const char *kept = arena_text(&l.f.arena, span_of(setlocale(LC_ALL, NULL)));
    for (uint64_t seed = 1; seed <= SEEDS / 3; seed++) {
        make(&l, seed);
        struct span first = contents(&l, write_graph(&l, l.graph, "g.webnn", &forms[1]));
        struct graph *older = l.graph;
        l.graph = NULL;
        make(&l, seed);
        setlocale(LC_ALL, seed % 2 ? "de_DE.UTF-8" : "tr_TR.UTF-8");
        assert_true(
            span_equal(first, contents(&l, write_graph(&l, l.graph, "g.webnn", &forms[1]))));
        setlocale(LC_ALL, kept);
        graph_free(older);
    }
    law_end(&l);
}

static void l5_text_and_json_are_interchangeable(void **state)
{
    (void)state;
    struct law l;
    law_begin(&l);
    struct format_write_options json = { .names = FORMAT_NAMES_ALL, .kind = FORMAT_JSON };
    for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) {
        make(&l, seed);
        const char *text_path = write_graph(&l, l.graph, "g.webnn", &forms[1]);
        const char *json_path = write_graph(&l, l.graph, "g.json", &json);
        read_graph(&l, json_path);
        assert_true(span_equal(contents(&l, text_path),
                               contents(&l, write_graph(&l, l.f.graph, "g.webnn", &forms[1]))));
        read_graph(&l, text_path);
        assert_true(span_equal(contents(&l, json_path),
                               contents(&l, write_graph(&l, l.f.graph, "g.json", &json))));
    }
    law_end(&l);
}

/* The text without its comment lines. */
static struct span without_comments(struct law *l, struct span text)
{
    uint8_t *to = arena_alloc(&l->f.arena, text.size, 1);
    size_t n = 0;
    for (size_t start = 0; start < text.size;) {
        const uint8_t *end = memchr(text.data + start, '\n', text.size - start);
        size_t size = (size_t)(end - text.data) + 1 - start;
        if (!span_starts(span_trim((struct span){ text.data + start, size }), SPAN("#"))) {
            memcpy(to + n, text.data + start, size);
            n += size;
        }
        start += size;
    }
    return (struct span){ to, n };
}

static void l12_comments_carry_no_numbers(void **state)
{
    (void)state;
    struct law l;
    law_begin(&l);
    for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) {
        make(&l, seed);
        const char *path = write_graph(&l, l.graph, "g.webnn", &forms[5]);
        struct span bare = without_comments(&l, contents(&l, path));
        temp_write(&l.folder, "g.webnn", bare.data, bare.size);
        struct format_read_options options = { .weights = "shared.safetensors" };
        graph_free(l.f.graph);
        l.f.graph = NULL;
        assert_ok(format_read(path, &options, NULL, &l.f.diags, &l.f.graph));
        l.graph->dims.count = l.graph->pins.count = l.graph->kept.count = 0;
        l.graph->bounds.count = l.graph->labels.count = l.graph->meta.count = 0;
        l.graph->subgraph = 0;
        assert_no_difference(&l, seed, COMPARE_NO_NAMES);
    }
    law_end(&l);
}

static void every_operator_takes_part(void **state)
{
    (void)state;
    struct law l;
    struct random_graph_counts counts = { 0 };
    law_begin(&l);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct random_graph_options options = {
            .seed = seed, .operators = 20, .dynamic = seed % 2, .weights = l.weights
        };
        graph_free(l.graph);
        l.graph = NULL;
        assert_ok(random_graph(&options, NULL, &l.f.diags, &counts, &l.graph));
        read_graph(&l, write_graph(&l, l.graph, "g.webnn", &forms[1]));
        assert_no_difference(&l, seed, COMPARE_ALL_NAMES);
    }
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++)
        assert_true(counts.recorded[i] > 0);
    law_end(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_takes_part),
        cmocka_unit_test(l1_read_of_write_is_the_graph),
        cmocka_unit_test(l2_write_of_read_of_write_is_write),
        cmocka_unit_test(l3_write_does_not_depend_on_addresses_or_locale),
        cmocka_unit_test(l5_text_and_json_are_interchangeable),
        cmocka_unit_test(l12_comments_carry_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
