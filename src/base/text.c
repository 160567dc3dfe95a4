#include "base/text.h"

#include "base/number.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Switches this thread to the C locale; the result goes to uselocale. */
static locale_t enter_c_locale(void)
{
    pthread_once(&locale_once, make_locale);
    return uselocale(c_locale);
}

int text_vformat(char *buffer, size_t size, const char *format, va_list args)
{
    locale_t before = enter_c_locale();
    /* The analyser loses the list of the callers. NOLINTNEXTLINE(clang-analyzer-valist.*) */
    int length = vsnprintf(buffer, size, format, args);
    uselocale(before);
    return length;
}

int text_format(char *buffer, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = text_vformat(buffer, size, format, args);
    va_end(args);
    return length;
}

double text_to_double(const char *text)
{
    locale_t before = enter_c_locale();
    double value = strtod(text, NULL);
    uselocale(before);
    return value;
}

/* Untranslated where the system can. */
static const char *errno_words(int error)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32)
    const char *words = strerrordesc_np(error);
    return words ? words : "unknown error";
#else
    return strerror(error);
#endif
}

const char *text_of_errno(int error, char text[ERRNO_TEXT])
{
    text_format(text, ERRNO_TEXT, "%s", errno_words(error));
    bool word = text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z';
    if (word)
        text[0] = (char)(text[0] | 0x20);
    return text;
}

/* Bytes of the character at `offset` that can be shown as it is; 0 for one that is escaped. */
static size_t showable(struct span s, size_t offset)
{
    uint8_t byte = s.data[offset];
    if (byte < 0x80)
        return byte >= 0x20 && byte != 0x7f;
    uint32_t code_point = 0;
    size_t length = utf8_next(s, offset, &code_point);
    return length != 0 && code_point >= 0xa0 ? length : 0;
}

size_t text_shown_size(struct span s)
{
    size_t size = 0;
    for (size_t i = 0; i < s.size;) {
        size_t length = showable(s, i);
        size += length ? length : 4;
        i += length ? length : 1;
    }
    return size;
}

char *text_show(struct span s, char *to)
{
    static const char digits[16] = "0123456789ABCDEF";
    for (size_t i = 0; i < s.size;) {
        size_t length = showable(s, i);
        if (length) {
            memcpy(to, s.data + i, length);
            to += length;
            i += length;
            continue;
        }
        *to++ = '\\';
        *to++ = 'x';
        *to++ = digits[s.data[i] >> 4];
        *to++ = digits[s.data[i] & 15];
        i++;
    }
    return to;
}
