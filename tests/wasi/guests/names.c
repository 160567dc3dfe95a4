/* MODEL NAME... : between the lines "begin" and "end" loads the bytes of the file MODEL, then each graph by its
 * name; prints the errnos afterwards. What the host does meanwhile can be watched from outside. */
#include "nn.h"

enum { MOST = 16, ROOM = 1 << 16 };

static void say(const char *line)
{
    puts(line);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static char model[ROOM];
    uint32_t errors[MOST], graph;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f || argc > MOST)
        return 100;
    struct nn_builder b = { model, (uint32_t)fread(model, 1, ROOM, f) };
    fclose(f);
    say("begin");
    errors[1] = nn_load(&b, 1, NN_AUTODETECT, 0, &graph);
    for (int i = 2; i < argc; i++)
        errors[i] = nn_load_by_name(argv[i], (uint32_t)strlen(argv[i]), &graph);
    say("end");
    for (int i = 1; i < argc; i++)
        printf("%s %u\n", argv[i], errors[i]);
    return 0;
}
