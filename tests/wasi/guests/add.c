/* The graph `add` by name: y = x + 1 over f32 [1,4]. */
#include "nn.h"

int main(void)
{
    const uint32_t dims[2] = { 1, 4 };
    const float x[4] = { 1, 2, 3, 4 };
    float y[4] = { 0 };
    uint32_t graph, context, size;
    NN(nn_load_by_name("add", 3, &graph));
    NN(nn_init(graph, &context));
    NN(nn_set_input(context, 0, &(struct nn_tensor){ dims, 2, F32, x, sizeof x }));
    NN(nn_compute(context));
    NN(nn_get_output(context, 0, y, sizeof y, &size));
    printf("%u bytes: %g %g %g %g\n", size, y[0], y[1], y[2], y[3]);
    return 0;
}
