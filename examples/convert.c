/* Converts a model and tells what became of its inputs and outputs.
 *
 *   cc convert.c $(pkg-config --cflags --libs onnx2webnn) -o convert
 *   ./convert model.onnx out/model.webnn batch=1
 */
#include <onnx2webnn/convert.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMS = 16 };

static void print_port(const char *kind, const o2w_port *p)
{
    printf("%s %s: %s [", kind, p->name, p->graph_type);
    for (uint32_t i = 0; i < p->descriptor.rank; i++)
        printf("%s%lld", i ? ", " : "", (long long)p->descriptor.dims[i]);
    printf("]%s\n", p->pruned ? " pruned" : "");
}

static void print_conversion(const o2w_conversion *c)
{
    o2w_port port;
    o2w_conversion_counts counts = { .size = sizeof counts };
    const o2w_error *notes = o2w_conversion_diagnostics(c);
    for (size_t i = 0; o2w_conversion_input(c, i, &port); i++)
        print_port("input", &port);
    for (size_t i = 0; o2w_conversion_output(c, i, &port); i++)
        print_port("output", &port);
    o2w_conversion_count(c, &counts);
    printf("%llu nodes, %llu operators, %llu bytes of weights\n", (unsigned long long)counts.nodes,
           (unsigned long long)counts.operators, (unsigned long long)counts.weight_bytes);
    printf("written: %s\n", o2w_conversion_path(c, O2W_WRITTEN_GRAPH));
    for (size_t i = 0; i < o2w_error_count(notes); i++)
        fputs(o2w_error_item(notes, i)->text, stderr);
}

/* Everything that is in the way is in one error: each operator that has no lowering too. */
static void print_error(const o2w_error *error)
{
    const o2w_unsupported *u;
    fputs(o2w_error_text(error), stderr);
    for (size_t i = 0; (u = o2w_error_unsupported(error, i)); i++)
        printf("unsupported: %s, %llu nodes\n", u->name, (unsigned long long)u->count);
}

int main(int argc, char **argv)
{
    o2w_dim dims[MOST_DIMS];
    o2w_convert_options options = { .size = sizeof options, .dims = dims };
    o2w_conversion *conversion = NULL;
    o2w_error *error = NULL;
    if (argc < 3 || argc > 3 + MOST_DIMS) {
        fprintf(stderr, "usage: convert MODEL.onnx GRAPH.webnn [DIM=VALUE]...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        char *equals = strrchr(argv[i], '=');
        if (!equals)
            return 2;
        *equals = '\0';
        dims[options.dim_count++] = (o2w_dim){ argv[i], strtoll(equals + 1, NULL, 10) };
    }
    options.output = argv[2];
    o2w_status s = o2w_convert_file(argv[1], &options, &conversion, &error);
    if (s == O2W_OK)
        print_conversion(conversion);
    else
        print_error(error);
    o2w_conversion_free(conversion);
    o2w_error_free(error);
    return s == O2W_OK ? 0 : 1;
}
