/* All families as one list, and the search by name and opset. */
#include "lower/row.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FAMILY(name)                            \
    extern const struct onnx_row name##_rows[]; \
    extern const size_t name##_row_count;
#include "lower/families.def"

/* The counts are known to the linker only: the table holds their addresses. */
static const struct {
    const struct onnx_row *rows;
    const size_t *count;
} tables[] = {
#define FAMILY(name) { name##_rows, &name##_row_count },
#include "lower/families.def"
};

enum { FAMILY_COUNT = sizeof tables / sizeof *tables, INDEX_SIZE = 2048 };

static const struct onnx_row *index_rows[INDEX_SIZE];
static size_t index_count;
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

size_t onnx_row_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < FAMILY_COUNT; i++)
        count += *tables[i].count;
    return count;
}

const struct onnx_row *onnx_row_at(size_t index)
{
    for (size_t i = 0; i < FAMILY_COUNT; i++) {
        if (index < *tables[i].count)
            return &tables[i].rows[index];
        index -= *tables[i].count;
    }
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const struct onnx_row *x = *(const struct onnx_row *const *)a,
                          *y = *(const struct onnx_row *const *)b;
    int order = strcmp(x->domain, y->domain);
    order = order ? order : strcmp(x->name, y->name);
    return order ? order : x->since - y->since;
}

static void build_index(void)
{
    size_t count = onnx_row_count();
    if (count > INDEX_SIZE)
        abort();
    for (size_t i = 0; i < count; i++)
        index_rows[i] = onnx_row_at(i);
    qsort(index_rows, count, sizeof *index_rows, by_name);
    index_count = count;
}

const struct onnx_row *onnx_row_sorted(size_t index)
{
    pthread_once(&index_once, build_index);
    return index < index_count ? index_rows[index] : NULL;
}

static int compare_row(const struct onnx_row *row, struct span domain, struct span name)
{
    int order = span_compare(span_of(row->domain), domain);
    return order ? order : span_compare(span_of(row->name), name);
}

/* First row of the name, or index_count. */
static size_t first_row(struct span domain, struct span name)
{
    size_t low = 0, high = index_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_row(index_rows[middle], domain, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct onnx_row *onnx_row_find(struct span domain, struct span name, int64_t opset,
                                     bool *known_name)
{
    const struct onnx_row *found = NULL;
    pthread_once(&index_once, build_index);
    *known_name = false;
    for (size_t i = first_row(domain, name);
         i < index_count && compare_row(index_rows[i], domain, name) == 0; i++) {
        *known_name = true;
        if (index_rows[i]->since <= opset &&
            (index_rows[i]->until == LATEST || opset <= index_rows[i]->until))
            found = index_rows[i];
    }
    return found;
}
