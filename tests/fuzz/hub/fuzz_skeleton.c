/* The walk over a model in ranges: any bytes give a skeleton or an error; it never reads outside and never twice as much
 * as there is, and the skeleton of a skeleton is itself. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "hub/skeleton.h"

static o2w_status read_bytes(void *user, uint64_t offset, void *to, size_t size, struct diags *d)
{
    const struct span *all = user;
    (void)d;
    if (offset > all->size || size > all->size - offset)
        abort();
    memcpy(to, all->data + offset, size);
    return O2W_OK;
}

static o2w_status strip(struct span bytes, struct wire_writer *out)
{
    struct diags d;
    struct skeleton_source source = { .size = bytes.size, .read = read_bytes, .user = &bytes };
    wire_writer_init(out, NULL);
    diags_init(&d, NULL);
    o2w_status s = skeleton_make(&source, "m.onnx", NULL, &d, out);
    if ((s == O2W_OK) == (d.errors > 0))
        abort();
    diags_free(&d);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_writer first, second;
    struct span once, twice;
    if (strip((struct span){ data, size }, &first) == O2W_OK &&
        wire_written(&first, &once) == O2W_OK) {
        if (strip(once, &second) != O2W_OK || wire_written(&second, &twice) != O2W_OK ||
            !span_equal(once, twice))
            abort();
        wire_writer_free(&second);
    }
    wire_writer_free(&first);
    return 0;
}
