/* What a graph refers to in its archive, as one number. */
#include "format/digest.h"

#include "base/system.h"

#include <stdlib.h>
#include <string.h>

static int compare_references(const void *a, const void *b)
{
    const struct reference *x = a, *y = b;
    int order = span_compare(x->key, y->key);
    return order != 0 ? order : (x->constant > y->constant) - (x->constant < y->constant);
}

static o2w_status add_reference(const struct graph *g, const struct reference *r,
                                struct sha256 *sum, struct diags *d)
{
    const struct operand *o = graph_operand(g, r->constant);
    const char *dtype = dtype_name(o->dtype);
    uint64_t sample = 0;
    uint8_t bytes[8];
    char shape[512];
    TRY(weight_sample(graph_weight(g, r->constant), d, &sample));
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(sample >> (8 * i));
    dims_text(o->dims, o->rank, shape, sizeof shape);
    sha256_add(sum, r->key.data, r->key.size);
    sha256_add(sum, "", 1);
    sha256_add(sum, dtype, strlen(dtype));
    sha256_add(sum, shape, strlen(shape));
    sha256_add(sum, bytes, sizeof bytes);
    return O2W_OK;
}

o2w_status digest_references(const struct graph *g, struct reference *references, size_t count,
                             struct diags *d, uint8_t digest[32])
{
    struct sha256 sum;
    sha256_begin(&sum);
    if (count > 1)
        qsort(references, count, sizeof *references, compare_references);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !span_equal(references[i].key, references[i - 1].key))
            TRY(add_reference(g, &references[i], &sum, d));
    sha256_end(&sum, digest);
    return O2W_OK;
}

o2w_status format_entries_digest(const struct graph *g, struct diags *d, uint8_t digest[32])
{
    size_t size = g->constants.count * sizeof(struct reference), count = 0;
    struct reference *references = mem_alloc(g->allocator, size);
    if (size > 0 && !references)
        return diag_memory(d);
    for (size_t i = 0; i < g->constants.count; i++) {
        operand_id id = g->constants.items[i];
        if (graph_weight(g, id)->key)
            references[count++] =
                (struct reference){ names_text(&g->names, graph_weight(g, id)->key), id };
    }
    o2w_status status = digest_references(g, references, count, d, digest);
    mem_free(g->allocator, references, size);
    return status;
}
