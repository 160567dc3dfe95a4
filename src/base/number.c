/* Numbers as text: integers, and doubles and floats by their shortest digits. */

#include "base/number.h"

#include "base/decimal.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static char *put_u64(char *to, uint64_t value)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        *to++ = digits[--count];
    return to;
}

size_t number_print_u64(uint64_t value, char text[NUMBER_TEXT])
{
    char *end = put_u64(text, value);
    *end = '\0';
    return (size_t)(end - text);
}

size_t number_print_i64(int64_t value, char text[NUMBER_TEXT])
{
    char *to = text;
    if (value < 0)
        *to++ = '-';
    to = put_u64(to, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    *to = '\0';
    return (size_t)(to - text);
}

/* ---- layout of digits ---- */

static char *put_zeros(char *to, int count)
{
    for (int i = 0; i < count; i++)
        *to++ = '0';
    return to;
}

static char *put_digits(char *to, const char *digits, int count)
{
    memcpy(to, digits, (size_t)count);
    return to + count;
}

/* `point` digits stand before the point; -4 … 16. */
static char *put_plain(char *to, const char *digits, int count, int point)
{
    if (point <= 0) {
        to = put_digits(to, "0.", 2);
        to = put_zeros(to, -point);
        return put_digits(to, digits, count);
    }
    int before = count < point ? count : point;
    to = put_digits(to, digits, before);
    to = put_zeros(to, point - before);
    *to++ = '.';
    return before < count ? put_digits(to, digits + before, count - before) : put_zeros(to, 1);
}

static char *put_scientific(char *to, const char *digits, int count, int exponent)
{
    *to++ = digits[0];
    if (count > 1) {
        *to++ = '.';
        to = put_digits(to, digits + 1, count - 1);
    }
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    return put_u64(to, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

static char *put_decimal(char *to, struct decimal d)
{
    char digits[20];
    int count = (int)(put_u64(digits, d.digits) - digits);
    int point = count + d.exponent;
    if (d.digits == 0 || (point > -5 && point <= 16))
        return put_plain(to, digits, count, point);
    return put_scientific(to, digits, count, point - 1);
}

static size_t put_text(char text[NUMBER_TEXT], const char *s)
{
    size_t size = strlen(s);
    memcpy(text, s, size + 1);
    return size;
}

static size_t print_special(double value, char text[NUMBER_TEXT])
{
    if (isnan(value))
        return put_text(text, "NaN");
    return put_text(text, value < 0 ? "-Infinity" : "Infinity");
}

static size_t print_finite(bool negative, struct decimal d, char text[NUMBER_TEXT])
{
    char *to = text;
    if (negative)
        *to++ = '-';
    to = put_decimal(to, d);
    *to = '\0';
    return (size_t)(to - text);
}

size_t number_print_double(double value, char text[NUMBER_TEXT])
{
    if (!isfinite(value))
        return print_special(value, text);
    return print_finite(signbit(value), decimal_of_double(fabs(value)), text);
}

size_t number_print_float(float value, char text[NUMBER_TEXT])
{
    if (!isfinite(value))
        return print_special((double)value, text);
    return print_finite(signbit(value), decimal_of_float(fabsf(value)), text);
}

size_t number_print_general(double value, int digits, char text[NUMBER_TEXT])
{
    if (!isfinite(value))
        return print_special(value, text);
    if (digits > NUMBER_TEXT - 10)
        digits = NUMBER_TEXT - 10;
    int length = text_format(text, NUMBER_TEXT, "%.*g", digits, value);
    return length > 0 ? (size_t)length : 0;
}

double number_widen(float value)
{
    double wide = (double)value;
    if (!isfinite(value) || value == 0)
        return wide;
    return copysign(decimal_to_double(decimal_of_float(fabsf(value))), wide);
}
