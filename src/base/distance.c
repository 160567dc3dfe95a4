#include "base/number.h"

#include <string.h>

enum { DISTANCE_LONGEST = 255 };

static size_t least(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* One row of the table from the two above it. */
static void next_row(struct span a, struct span b, size_t i, size_t rows[3][DISTANCE_LONGEST + 1])
{
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b.size; j++) {
        size_t change = a.data[i - 1] != b.data[j - 1];
        row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + change);
        bool swapped =
            i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1];
        if (swapped && two_above[j - 2] + 1 < row[j])
            row[j] = two_above[j - 2] + 1;
    }
}

size_t text_distance(struct span a, struct span b)
{
    size_t rows[3][DISTANCE_LONGEST + 1];
    if (a.size > DISTANCE_LONGEST || b.size > DISTANCE_LONGEST)
        return span_equal(a, b) ? 0 : a.size > b.size ? a.size : b.size;
    for (size_t j = 0; j <= b.size; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.size; i++)
        next_row(a, b, i, rows);
    return rows[a.size % 3][b.size];
}
