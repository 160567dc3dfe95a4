/* Comparison of a result with its reference: pass or not, and by how much. */
#ifndef VALIDATE_COMPARE_H
#define VALIDATE_COMPARE_H

#include "base/diag.h"
#include "tensor/tensor.h"

enum profile { PROFILE_FLOAT32, PROFILE_Q4, PROFILE_Q8 };
const char *profile_text(enum profile p);

struct tolerance {
    double absolute, relative;
};

/* The table of a run: by dtype of the model's output. */
struct tolerances {
    struct tolerance by_dtype[DTYPE_COUNT];
    bool custom[DTYPE_COUNT];
    bool any_custom;
    enum profile profile;
};

void tolerances_init(struct tolerances *t, enum profile p);

enum mismatch_kind { MISMATCH_NONE, MISMATCH_VALUE, MISMATCH_SHAPE, MISMATCH_DTYPE };

enum { FIRST_DIFFERENCES = 5 };

/* A pair that does not pass; the values as texts that read back equal. */
enum { ELEMENT_TEXT = 64 };
struct difference {
    uint64_t index;
    char reference[ELEMENT_TEXT], got[ELEMENT_TEXT];
    double absolute, allowed;
};

struct figures {
    uint64_t count, outside;
    double max_abs, mean_abs, rmse, max_normalized, cosine;
    uint64_t rows, same_top; /* rows 0: no top-1 */
    uint64_t nan[2], inf[2]; /* reference, result */
    struct difference first[FIRST_DIFFERENCES];
    unsigned first_count;
};

/* Element `i` with the fewest digits that read back as the same value of its dtype. */
void element_text(const struct tensor *t, uint64_t i, char text[ELEMENT_TEXT]);
/* Shapes are equal and dtypes are a pair. The same bits for any number of threads. */
void compare_values(const struct tensor *reference, const struct tensor *result,
                    const struct tolerance *allowed, struct figures *out);

#endif
