/* LIST: models in a row. A line of the file LIST is FOLDER INPUT... : the model FOLDER/model.onnx, whose outputs become
 * FOLDER/out_N.bin; an INPUT is that of files.h. Prints a line for each: FOLDER, the step that failed or "done", its
 * errno, and the errno of each output. */
#include "files.h"

enum { WORDS = 64 };

static const char *run(const char *folder, char **inputs, uint32_t count, uint32_t *context,
                       uint32_t *e)
{
    char path[256];
    struct nn_builder b;
    uint32_t graph;
    snprintf(path, sizeof path, "%s/model.onnx", folder);
    b.data = read_file(path, &b.size);
    *e = nn_load(&b, 1, NN_ONNX, 0, &graph);
    free((void *)b.data);
    if (*e)
        return "load";
    if ((*e = nn_init(graph, context)))
        return "init";
    for (uint32_t i = 0; i < count; i++)
        if ((*e = set_input(*context, i, inputs[i])))
            return "set_input";
    if ((*e = nn_compute(*context)))
        return "compute";
    return "done";
}

static void run_line(char *line)
{
    char *words[WORDS];
    uint32_t count = 0, context = 0, e = 0, size;
    for (char *w = strtok(line, " \n"); w && count < WORDS; w = strtok(NULL, " \n"))
        words[count++] = w;
    if (!count)
        return;
    const char *step = run(words[0], words + 1, count - 1, &context, &e);
    printf("%s %s %u", words[0], step, e);
    for (uint32_t k = 0; !e; k++) {
        char path[256];
        snprintf(path, sizeof path, "%s/out_%u.bin", words[0], k);
        uint32_t out = save_output(context, k, path, &size);
        if (out == 1)
            break;
        printf(" %u", out);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static char line[4096];
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!list)
        return 99;
    while (fgets(line, sizeof line, list))
        run_line(line);
    return 0;
}
