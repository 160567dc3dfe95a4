#include "cli/serve.h"

#include "base/file.h"
#include "base/number.h"

#include <string.h>

/* One range of bytes: first-last, first-, -count. Several ranges, or anything else, mean the whole file. */
enum range_kind range_read(const char *header, uint64_t size, uint64_t *begin, uint64_t *count)
{
    struct span text = span_of(header);
    uint64_t first = 0, last = 0;
    *begin = 0;
    *count = size;
    if (!span_starts(text, SPAN("bytes=")) || memchr(text.data, ',', text.size))
        return RANGE_ALL;
    text = span_trim((struct span){ text.data + 6, text.size - 6 });
    const uint8_t *dash = text.size ? memchr(text.data, '-', text.size) : NULL;
    if (!dash)
        return RANGE_ALL;
    struct span left = { text.data, (size_t)(dash - text.data) };
    struct span right = { dash + 1, text.size - left.size - 1 };
    bool has_first = number_parse_u64(left, &first) == O2W_OK;
    bool has_last = number_parse_u64(right, &last) == O2W_OK;
    if ((left.size && !has_first) || (right.size && !has_last) || (!has_first && !has_last))
        return RANGE_ALL;
    if (has_first && has_last && last < first)
        return RANGE_ALL;
    if (!has_first) {
        *count = last < size ? last : size;
        *begin = size - *count;
        return last > 0 && size > 0 ? RANGE_PART : RANGE_OUTSIDE;
    }
    if (first >= size)
        return RANGE_OUTSIDE;
    *begin = first;
    *count = (has_last && last < size ? last + 1 : size) - first;
    return RANGE_PART;
}

const char *media_type(struct span name)
{
    static const struct {
        const char *extension, *type;
    } rows[] = {
        { "html", "text/html; charset=utf-8" },
        { "mjs", "text/javascript; charset=utf-8" },
        { "js", "text/javascript; charset=utf-8" },
        { "css", "text/css; charset=utf-8" },
        { "json", "application/json" },
        { "svg", "image/svg+xml" },
        { "png", "image/png" },
        { "jpg", "image/jpeg" },
        { "jpeg", "image/jpeg" },
        { "wasm", "application/wasm" },
        { "webnn", "text/plain; charset=utf-8" },
        { "txt", "text/plain; charset=utf-8" },
        { "mts", "text/plain; charset=utf-8" },
        { "ts", "text/plain; charset=utf-8" },
    };
    struct span extension = path_extension(name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (span_is(extension, rows[i].extension))
            return rows[i].type;
    return "application/octet-stream";
}
