/* Numbers and text, independent of the locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "base/arena.h"

/* Room for any number printed here, NUL included. */
#define NUMBER_TEXT 48

/* The shortest digits that read back as the same double, laid out as `.webnn` does: plain with at
 * least one digit after the point for 1e-5 <= |x| < 1e16 and 0 ("6.0", "-0.0"), else "1e-6",
 * "1.5e+300". NaN and infinities: "NaN", "Infinity", "-Infinity". Returns the length. */
size_t number_print_double(double value, char text[NUMBER_TEXT]);
/* The same for the shortest digits that read back as the same float. */
size_t number_print_float(float value, char text[NUMBER_TEXT]);
/* "%.<digits>g" in the C locale. */
size_t number_print_general(double value, int digits, char text[NUMBER_TEXT]);
size_t number_print_i64(int64_t value, char text[NUMBER_TEXT]);
size_t number_print_u64(uint64_t value, char text[NUMBER_TEXT]);
/* The double of the shortest decimal of a float: 0.01f gives 0.01. */
double number_widen(float value);

/* Whole text -?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?, correctly rounded. O2W_FORMAT when it is not of
 * that form, O2W_RANGE when it overflows to infinity. */
o2w_status number_parse_double(struct span text, double *value);
/* Whole text -?[0-9]+; O2W_FORMAT, O2W_RANGE. */
o2w_status number_parse_i64(struct span text, int64_t *value);
/* Whole text [0-9]+; O2W_FORMAT, O2W_RANGE. */
o2w_status number_parse_u64(struct span text, uint64_t *value);

/* UTF-8: the next code point and its length in bytes; 0 when the bytes at `offset` are not valid
 * (overlong, surrogate, above U+10FFFF, cut off) or the text ends. */
size_t utf8_next(struct span text, size_t offset, uint32_t *code_point);
bool utf8_valid(struct span text, size_t *bad_offset);
/* Edit distance with transposition, for "did you mean". */
size_t text_distance(struct span a, struct span b);

#endif
