#include "base/number.h"

#include <string.h>

/* Smallest code point that may be written with this many continuation bytes. */
static const uint32_t utf8_least[4] = { 0, 0x80, 0x800, 0x10000 };

static size_t continuation_bytes(uint8_t lead)
{
    if (lead >= 0xc2 && lead < 0xe0)
        return 1;
    if (lead >= 0xe0 && lead < 0xf0)
        return 2;
    return lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
}

size_t utf8_next(struct span text, size_t offset, uint32_t *code_point)
{
    if (offset >= text.size)
        return 0;
    const uint8_t *s = text.data + offset;
    if (s[0] < 0x80) {
        *code_point = s[0];
        return 1;
    }
    size_t more = continuation_bytes(s[0]);
    if (more == 0 || more >= text.size - offset)
        return 0;
    uint32_t value = s[0] & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3fu);
    }
    if (value < utf8_least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 0;
    *code_point = value;
    return more + 1;
}

bool utf8_valid(struct span text, size_t *bad_offset)
{
    uint32_t code_point;
    for (size_t i = 0; i < text.size;) {
        uint64_t word;
        if (text.size - i >= sizeof word &&
            (memcpy(&word, text.data + i, sizeof word), (word & 0x8080808080808080u) == 0)) {
            i += sizeof word;
            continue;
        }
        size_t length = utf8_next(text, i, &code_point);
        if (length == 0) {
            if (bad_offset)
                *bad_offset = i;
            return false;
        }
        i += length;
    }
    return true;
}
