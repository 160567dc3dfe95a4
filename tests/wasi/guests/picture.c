/* NAME F32.bin DIMS [TOP]: classifies a picture that is given as a raw tensor, by the graph of that name: the classes with
 * the highest scores. DIMS as 1x3x224x224. */
#include "nn.h"

enum { ROOM = 8 << 20, SCORES = 1 << 16 };

static float picture[ROOM / 4], scores[SCORES];

static uint32_t read_dims(const char *text, uint32_t dims[8])
{
    uint32_t rank = 0;
    char *end = (char *)text;
    for (; *text && rank < 8; text = *end ? end + 1 : end)
        dims[rank++] = (uint32_t)strtoul(text, &end, 10);
    return rank;
}

int main(int argc, char **argv)
{
    uint32_t dims[8], graph, context, size, top = argc > 4 ? (uint32_t)atoi(argv[4]) : 1;
    if (argc < 4)
        return 99;
    FILE *f = fopen(argv[2], "rb");
    if (!f) {
        fprintf(stderr, "%s: cannot be opened\n", argv[2]);
        return 100;
    }
    const struct nn_tensor t = { dims, read_dims(argv[3], dims), F32, picture,
                                 (uint32_t)fread(picture, 1, sizeof picture, f) };
    fclose(f);
    NN(nn_load_by_name(argv[1], (uint32_t)strlen(argv[1]), &graph));
    NN(nn_init(graph, &context));
    NN(nn_set_input(context, 0, &t));
    NN(nn_compute(context));
    NN(nn_get_output(context, 0, scores, sizeof scores, &size));
    for (uint32_t k = 0; k < top; k++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < size / 4; i++)
            if (scores[i] > scores[best])
                best = i;
        printf("class %u: %.4f\n", best, scores[best]);
        scores[best] = -1e30f;
    }
    return 0;
}
