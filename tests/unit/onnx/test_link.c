/* Names, scopes, order. */
#include "unit/onnx/onnx_test.h"

#include "onnx/sort.h"

#include <stdlib.h>

/* The nodes' places in the file, in the order of the view. */
static void assert_order(const struct onnx_graph *g, const char *order)
{
    char found[64] = "";
    for (uint32_t i = 0; i < g->node_count; i++)
        found[i] = (char)('0' + g->nodes[i].index);
    assert_string_equal(found, order);
}

static void sorted_nodes_stay_as_they_are(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node(&f.b, "Relu", "x", "b");
    mb_node(&f.b, "Relu", "x", "a");
    mb_node(&f.b, "Add", "a b", "y");
    mb_node(&f.b, "Neg", "x", "unused");
    assert_ok(fixture_open(&f));
    assert_order(&f.m->graph, "0123");
    fixture_end(&f);
}

static void unsorted_nodes_move_as_little_as_possible(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node(&f.b, "Relu", "x", "a");
    mb_node(&f.b, "Add", "c a", "y"); /* needs 3, which needs 4 */
    mb_node(&f.b, "Neg", "x", "b");
    mb_node(&f.b, "Relu", "d", "c");
    mb_node(&f.b, "Relu", "b", "d");
    assert_ok(fixture_open(&f));
    assert_order(&f.m->graph, "02431");
    fixture_end(&f);
}

static void captures_count_as_needs(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node_open(&f.b, "If", "x", "y");
    mb_subgraph(&f.b, "then_branch");
    mb_node_open(&f.b, "If", "x", "t");
    mb_subgraph(&f.b, "then_branch");
    mb_node(&f.b, "Add", "late x", "deep");
    mb_node(&f.b, "Add", "late x", "again");
    mb_output(&f.b, "deep", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    mb_close(&f.b);
    mb_output(&f.b, "t", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    mb_subgraph(&f.b, "else_branch");
    mb_output(&f.b, "later", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    mb_close(&f.b);
    mb_node(&f.b, "Relu", "x", "late");
    mb_node(&f.b, "Relu", "x", "later");
    assert_ok(fixture_open(&f));
    assert_order(&f.m->graph, "120");
    const struct onnx_node *outer = &f.m->graph.nodes[2];
    const struct onnx_graph *then = outer->attributes[0].graphs,
                            *other = outer->attributes[1].graphs;
    const struct onnx_graph *deep = then->nodes[0].attributes[0].graphs;
    assert_int_equal(f.m->graph.capture_count, 0);
    assert_int_equal(deep->capture_count, 2);
    assert_span(onnx_name(f.m, deep->captures[0]), "late");
    assert_span(onnx_name(f.m, deep->captures[1]), "x");
    assert_int_equal(then->capture_count, 2);
    assert_int_equal(other->capture_count, 1);
    assert_span(onnx_name(f.m, other->captures[0]), "later");
    fixture_end(&f);
}

static void cycles_are_refused_with_their_path(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node(&f.b, "Relu", "x", "a");
    mb_node(&f.b, "Add", "a d", "b");
    mb_node(&f.b, "Neg", "b", "c");
    mb_node_open(&f.b, "Abs", "c", "d");
    mb_node_name(&f.b, "last");
    mb_close(&f.b);
    mb_node(&f.b, "Relu", "b", "y");
    assert_refused(&f, "error[model.cycle]: cycle of 3 nodes, each needs the one before it\n"
                       "  at: node 'Neg#2' (Neg, ai.onnx 13) of output 'c'\n"
                       "  at: node 'last' (Abs, ai.onnx 13)\n"
                       "  at: node 'Add#1' (Add, ai.onnx 14) of output 'b'\n");
    fixture_graph(&f);
    mb_node_open(&f.b, "If", "x", "y"); /* its branch needs what it makes */
    mb_subgraph(&f.b, "then_branch");
    mb_output(&f.b, "y", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    assert_refused(&f, "error[model.cycle]: cycle: a node needs its own output\n"
                       "  at: node 'If#0' (If, ai.onnx 16) of output 'y'\n");
}

static void names_are_defined_once(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node(&f.b, "Relu", "x", "y");
    mb_node(&f.b, "Neg", "x", "y");
    assert_refused(
        &f, "error[model.name]: name 'y' defined twice: as a node output and as a node output\n"
            "  at: node 'Neg#1' (Neg, ai.onnx 13) of output 'y'\n");
    fixture_graph(&f);
    mb_floats(&f.b, "w", DIMS(1), FLOATS(1));
    mb_floats(&f.b, "w", DIMS(1), FLOATS(2));
    assert_refused(
        &f, "error[model.name]: name 'w' defined twice: as an initializer and as an initializer\n"
            "  at: name 'w'\n");
    fixture_graph(&f);
    mb_node(&f.b, "Split", "x", "a a");
    assert_refused(
        &f, "error[model.name]: name 'a' defined twice: as a node output and as a node output\n"
            "  at: node 'Split#0' (Split, ai.onnx 13) of output 'a'\n");
}

static void an_initializer_may_be_the_default_of_an_input(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_floats(&f.b, "x", DIMS(2), FLOATS(1, 2));
    mb_node(&f.b, "Relu", "x", "y");
    assert_ok(fixture_open(&f));
    fixture_end(&f);
    fixture_graph(&f);
    mb_floats(&f.b, "x", DIMS(2), FLOATS(1, 2));
    mb_floats(&f.b, "x", DIMS(2), FLOATS(1, 2));
    assert_refused(&f,
                   "error[model.name]: name 'x' defined twice: as an input and as an initializer\n"
                   "  at: name 'x'\n");
}

/* A branch whose node makes `name`. */
static void put_branch(struct fixture *f, const char *name)
{
    mb_node_open(&f->b, "If", "x", "y");
    mb_subgraph(&f->b, "then_branch");
    mb_node(&f->b, "Neg", "x", name);
    mb_output(&f->b, name, ONNX_FLOAT, DIMS(2));
    mb_close(&f->b);
    mb_close(&f->b);
}

static void outputs_in_subgraphs_do_not_hide_visible_names(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node(&f.b, "Relu", "x", "h");
    put_branch(&f, "h");
    assert_refused(
        &f, "error[model.name]: name 'h' defined twice: as a node output of an outer graph and as "
            "a node output\n"
            "  at: node 'Neg#0' (Neg, ai.onnx 13) of output 'h'\n");
    fixture_graph(&f);
    put_branch(&f, "x");
    assert_refused(
        &f, "error[model.name]: name 'x' defined twice: as an input of an outer graph and as a "
            "node output\n"
            "  at: node 'Neg#0' (Neg, ai.onnx 13) of output 'x'\n");
}

/* Exporters call the outputs of a branch like those of its If. */
static void names_that_a_subgraph_cannot_see_are_free(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    put_branch(&f, "y");
    assert_ok(fixture_open(&f));
    fixture_end(&f);
    fixture_graph(&f);
    put_branch(&f, "later");
    mb_node(&f.b, "Relu", "later", "z");
    mb_node(&f.b, "Relu", "x", "later");
    assert_ok(fixture_open(&f));
    assert_order(&f.m->graph, "021");
    fixture_end(&f);
}

static void inputs_and_initializers_of_subgraphs_may_hide_outer_names(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_floats(&f.b, "w", DIMS(1), FLOATS(1));
    mb_node_open(&f.b, "Loop", "- - x", "y");
    mb_subgraph(&f.b, "body");
    mb_input(&f.b, "x", ONNX_INT64, SCALAR);
    mb_floats(&f.b, "w", DIMS(1), FLOATS(1));
    mb_node(&f.b, "Add", "x w", "r");
    mb_output(&f.b, "r", ONNX_FLOAT, DIMS(2));
    assert_ok(fixture_open(&f));
    assert_int_equal(f.m->graph.nodes[0].attributes[0].graphs[0].capture_count, 0);
    fixture_end(&f);
}

static void used_names_are_defined(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node(&f.b, "Add", "x nowhere", "y");
    assert_refused(
        &f, "error[model.name]: input 1 'nowhere' is defined nowhere: no graph input, initializer "
            "or node output has this name\n"
            "  at: node 'Add#0' (Add, ai.onnx 14) of output 'y'\n");
    fixture_graph(&f);
    mb_node(&f.b, "Split", "x", "a b");
    assert_refused(&f, "error[model.name]: output 'y' of graph 'g' is produced by nothing\n"
                       "  at: node 'Split#0' (Split, ai.onnx 13) of output 'a' is the last node\n");

    fixture_graph(&f); /* a name of a branch is not visible beside it */
    put_branch(&f, "inner");
    mb_node(&f.b, "Relu", "inner", "z");
    assert_refused(
        &f, "error[model.name]: input 0 'inner' is defined nowhere: no graph input, initializer "
            "or node output has this name\n"
            "  at: node 'Relu#1' (Relu, ai.onnx 14) of output 'z'\n");
    fixture_graph(&f);
    mb_floats(&f.b, "", DIMS(1), FLOATS(1));
    assert_refused(&f, "error[model.name]: initializer 0 of graph 'g' has no name\n");
    fixture_graph(&f);
    mb_input(&f.b, "", ONNX_FLOAT, DIMS(1));
    assert_refused(&f, "error[model.name]: input 1 of graph 'g' has no name\n");
}

static void names_fit_the_text_of_a_graph(void **state)
{
    (void)state;
    struct fixture f;
    static char name[10002];
    memset(name, 'n', sizeof name - 1);
    fixture_graph(&f);
    mb_input(&f.b, name, ONNX_FLOAT, DIMS(1));
    assert_refused(&f, "error[limit]: a name of 10001 bytes, at most 10000 are allowed\n");

    fixture_graph(&f);
    mb_input(&f.b, "cut#here", ONNX_FLOAT, DIMS(1));
    struct span made = mb_end(&f.b);
    uint8_t *bytes = malloc(made.size);
    assert_non_null(bytes);
    for (size_t i = 0; i < made.size; i++)
        bytes[i] = made.data[i] == '#' ? 0 : made.data[i];
    assert_int_not_equal(onnx_model_open_bytes((struct span){ bytes, made.size }, "m.onnx", NULL,
                                               NULL, NULL, &f.diags, &f.m),
                         O2W_OK);
    assert_diags_text(&f.diags,
                      "error[model.name]: name 'cut' goes on after a byte 0: names are text\n");
    fixture_end(&f);
    free(bytes);
}

static void outputs_may_be_inputs_and_repeat(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_floats(&f.b, "w", DIMS(1), FLOATS(1));
    mb_node(&f.b, "Relu", "x", "y");
    mb_output(&f.b, "x", ONNX_FLOAT, DIMS(2));
    mb_output(&f.b, "y", ONNX_FLOAT, DIMS(2));
    mb_output(&f.b, "w", ONNX_FLOAT, DIMS(1));
    assert_ok(fixture_open(&f));
    assert_int_equal(f.m->graph.output_count, 4);
    fixture_end(&f);
}

/* Random graphs: every order that comes out is topological; without forward edges it is the file's.
 */
static void random_graphs_are_sorted(void **state)
{
    (void)state;
    enum { NODES = 60 };
    uint32_t seed = 1;
    for (unsigned round = 0; round < 300; round++) {
        uint32_t starts[NODES + 1], edges[NODES * 3], place[NODES], order[NODES], rank[NODES],
            count = 0, length;
        for (uint32_t i = 0; i < NODES; i++)
            place[i] = i;
        for (uint32_t i = NODES - 1; round && i; i--) { /* a random order in which edges go back */
            seed = seed * 1664525 + 1013904223;
            uint32_t k = (seed >> 8) % (i + 1), t = place[i];
            place[i] = place[k];
            place[k] = t;
        }
        for (uint32_t i = 0; i < NODES; i++) {
            starts[i] = count;
            for (uint32_t e = 0; e < 3; e++) {
                seed = seed * 1664525 + 1013904223;
                uint32_t other = (seed >> 8) % NODES;
                if (place[other] < place[i])
                    edges[count++] = other;
            }
        }
        starts[NODES] = count;
        struct sort_graph g = { starts, edges, NODES };
        assert_ok(sort_topological(&g, NULL, order, &length));
        assert_int_equal(length, NODES);
        for (uint32_t i = 0; i < NODES; i++)
            rank[order[i]] = i;
        for (uint32_t i = 0; i < NODES; i++) {
            for (uint32_t e = starts[i]; e < starts[i + 1]; e++)
                assert_true(rank[edges[e]] < rank[i]);
            if (round == 0)
                assert_int_equal(order[i], i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_nodes_stay_as_they_are),
        cmocka_unit_test(unsorted_nodes_move_as_little_as_possible),
        cmocka_unit_test(captures_count_as_needs),
        cmocka_unit_test(cycles_are_refused_with_their_path),
        cmocka_unit_test(names_are_defined_once),
        cmocka_unit_test(an_initializer_may_be_the_default_of_an_input),
        cmocka_unit_test(outputs_in_subgraphs_do_not_hide_visible_names),
        cmocka_unit_test(names_that_a_subgraph_cannot_see_are_free),
        cmocka_unit_test(inputs_and_initializers_of_subgraphs_may_hide_outer_names),
        cmocka_unit_test(used_names_are_defined),
        cmocka_unit_test(names_fit_the_text_of_a_graph),
        cmocka_unit_test(outputs_may_be_inputs_and_repeat),
        cmocka_unit_test(random_graphs_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
