/* Reading and writing take time that grows with the file, not faster. */
#include "fixture.h"

#include <stdio.h>
#include <time.h>

enum { SMALL = 10000, FACTOR = 8, SLACK = 3 };

typedef size_t line_fn(char *to, uint32_t i);

static size_t chain(char *to, uint32_t i)
{
    return (size_t)sprintf(to, "n%u = linear(n%u, alpha=0.5, label=\"l\");\n", i + 1, i);
}

static size_t wide(char *to, uint32_t i)
{
    return (size_t)sprintf(to, "n%u = transpose(n0, permutation=[1, 0]);\n", i + 1);
}

static size_t lists(char *to, uint32_t i)
{
    return (size_t)sprintf(to, "[n%u, m%u] = split(n0, axis=0, splits=[1, 1]);\n", i + 1, i);
}

/* A graph of `count` nodes; the last is the output. */
static char *make_text(struct fixture *f, line_fn *line, uint32_t count)
{
    char *text = arena_alloc(&f->arena, (size_t)count * 80 + 200, 1);
    size_t at =
        (size_t)sprintf(text, "webnn_graph \"g\" v1 { inputs { n0: f32[2, 2]; }\n nodes {\n");
    for (uint32_t i = 0; i < count; i++)
        at += line(text + at, i);
    sprintf(text + at, "} outputs { n%u; } }", count);
    return text;
}

/* Processor seconds of reading and writing. */
static double measure(line_fn *line, uint32_t count)
{
    struct fixture f;
    fixture_init(&f);
    const char *text = make_text(&f, line, count);
    clock_t start = clock();
    assert_ok(fixture_read(&f, text));
    fixture_print(&f, NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(f.graph->operators.count, count);
    fixture_free(&f);
    return seconds;
}

static void time_grows_with_the_number_of_nodes(void **state)
{
    (void)state;
    line_fn *const lines[] = { chain, wide, lists };
    for (size_t i = 0; i < 3; i++) {
        double small = measure(lines[i], SMALL), large = measure(lines[i], SMALL * FACTOR);
        assert_true(large < (small + 0.01) * FACTOR * SLACK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_grows_with_the_number_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
