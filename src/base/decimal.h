/* Between binary floating point and decimal digits, both ways exact. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdint.h>

/* digits * 10^exponent; no trailing zero in digits; zero is 0 * 10^0. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* The shortest decimal that reads back as the same number, of these the nearest. Finite, not
 * negative. */
struct decimal decimal_of_double(double value);
struct decimal decimal_of_float(float value);

/* The nearest double; infinity when it overflows. At most 19 digits. */
double decimal_to_double(struct decimal d);

#endif
