/* Text for people, the same in every locale. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/span.h"

#include <stdarg.h>

/* vsnprintf in the C locale: '.' is the decimal point whatever the program has set. */
int text_vformat(char *buffer, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
int text_format(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* strtod in the C locale, correctly rounded. */
double text_to_double(const char *text);

/* The system's words for an errno, in English, beginning in lower case. Returns `text`. */
enum { ERRNO_TEXT = 128 };
const char *text_of_errno(int error, char text[ERRNO_TEXT]);

/* Bytes needed to show `s` with control characters and bytes that are not UTF-8 as \xNN. */
size_t text_shown_size(struct span s);
/* Writes exactly these bytes; returns the end. */
char *text_show(struct span s, char *to);

#endif
