/* Calls in the wrong order, wrong handles, wrong sizes: prints the errno of each. */
#include "nn.h"

static void show(const char *what, uint32_t e)
{
    printf("%s %u\n", what, e);
}

int main(void)
{
    const uint32_t dims[2] = { 1, 4 };
    const float x[4] = { 1, 2, 3, 4 };
    const struct nn_tensor t = { dims, 2, F32, x, sizeof x }, wide = { dims, 2, I64, x, sizeof x };
    float y[4];
    uint32_t graph = 0, context = 0, size = 0;
    show("compute before load", nn_compute(0x40000001));
    show("unknown name", nn_load_by_name("../add", 6, &graph));
    show("by name", nn_load_by_name("add", 3, &graph));
    show("graph as context", nn_compute(graph));
    show("init", nn_init(graph, &context));
    show("compute without input", nn_compute(context));
    show("output without compute", nn_get_output(context, 0, y, sizeof y, &size));
    show("wrong dtype", nn_set_input(context, 0, &wide));
    show("wrong index", nn_set_input(context, 1, &t));
    show("set", nn_set_input(context, 0, &t));
    show("compute", nn_compute(context));
    show("small buffer", nn_get_output(context, 0, y, 15, &size));
    show("needed", size);
    show("outside", nn_get_output(context, 0, (void *)0xfffffff0, 16, &size));
    show("output", nn_get_output(context, 0, y, sizeof y, &size));
    return 0;
}
