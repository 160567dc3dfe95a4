/* Any bytes: what is accepted as a number is what strtod makes of it, and is printed so that it
 * reads back. */

#include "fuzz/fuzz.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check(double value)
{
    char text[NUMBER_TEXT];
    double back;
    size_t size = number_print_double(value, text);
    if (size >= NUMBER_TEXT || size != strlen(text))
        abort();
    if (number_parse_double((struct span){ (const uint8_t *)text, size }, &back) != O2W_OK)
        abort();
    if (memcmp(&back, &value, sizeof back) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = { data, size };
    double value, raw;
    int64_t i;
    uint64_t u;
    number_parse_i64(text, &i);
    number_parse_u64(text, &u);
    utf8_valid(text, NULL);
    if (number_parse_double(text, &value) == O2W_OK) {
        char *copy = calloc(size + 1, 1);
        if (!copy)
            return 0;
        memcpy(copy, data, size);
        raw = strtod(copy, NULL);
        if (memcmp(&raw, &value, sizeof raw) != 0)
            abort();
        free(copy);
        check(value);
    }
    if (size >= sizeof raw) {
        memcpy(&raw, data, sizeof raw);
        if (isfinite(raw))
            check(raw);
    }
    return 0;
}
