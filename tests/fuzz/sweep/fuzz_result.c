/* Result records: any bytes are read or refused; what is read is written and read again as the same. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/result.h"

static void write_and_read(const struct result *r, struct arena *a)
{
    struct json_writer w;
    struct result again = { 0 };
    struct span text;
    json_writer_init(&w, NULL, 0);
    result_put(&w, r);
    if (json_written(&w, &text) != O2W_OK || result_parse(text, "again", a, NULL, &again) != O2W_OK)
        abort();
    if (again.outcome != r->outcome || again.index != r->index || again.nodes != r->nodes ||
        (r->label && strcmp(r->label, again.label) != 0))
        abort();
    json_writer_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct diags d;
    struct result r = { 0 };
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    if (result_parse((struct span){ data, size }, "r.json", &a, &d, &r) == O2W_OK)
        write_and_read(&r, &a);
    diags_free(&d);
    arena_free(&a);
    return 0;
}
