/* What an input is fed with: the rule that holds for it, and its elements. */
#ifndef VALIDATE_FEED_H
#define VALIDATE_FEED_H

#include "base/diag.h"
#include "tensor/tensor.h"

enum feed_rule {
    FEED_PATTERN,
    FEED_ZEROS,       /* token_type_ids */
    FEED_ONES,        /* attention_mask */
    FEED_SCALE_AWARE, /* on the grid of a quantizer */
    FEED_IDS,         /* below a vocabulary */
    FEED_PINNED,
    FEED_ARCHIVE, /* given; the rules for making values do not apply */
    FEED_DEFAULT  /* its initializer's value */
};

/* The quantizer that a scale-aware feed is made for. Elements of the input, seen as [outer, axis,
 * inner], use the scale [outer / block 0 …]: its dims are those of the input divided by `blocks`. */
struct feed_grid {
    bool dynamic;        /* DynamicQuantizeLinear: scale 1/64, zero point 128 */
    int64_t least, most; /* the levels */
    uint64_t count;      /* of scales; 1: one for all */
    const double *scales;
    const int64_t *zeros; /* as many */
    uint32_t axis;
    int64_t block; /* elements along the axis per scale; 0: all other axes share (per axis) */
};

struct feed {
    const char *name; /* the model's input */
    enum dtype dtype; /* the model's */
    uint32_t rank;
    int64_t dims[MAX_RANK];
    uint64_t count, bytes;
    enum feed_rule rule;
    int64_t pin;
    uint64_t vocabulary; /* 0: not known */
    struct feed_grid grid;
    const void *given; /* of FEED_ARCHIVE and FEED_DEFAULT */
};

/* Whether values of a dtype can be made. */
bool feed_has_pattern(enum dtype t);
/* count and bytes of dtype and dims: feed.too-large. */
o2w_status feed_measure(struct feed *f, struct diags *d);
/* The elements of run `seed` (0: the deterministic one) into `data`, f->bytes long. A function of
 * the feed, its name and the seed only. */
void feed_fill(const struct feed *f, uint64_t seed, void *data);
/* "pattern", "ids<30522" …: the word of a report about run `seed`. Room for 40 bytes. */
enum { FEED_WORD = 40 };
const char *feed_word(const struct feed *f, uint64_t seed, char text[FEED_WORD]);

/* Number `i` of the random sequence of an input. */
uint64_t feed_random(uint64_t seed, struct span name, uint64_t i);
/* The distance between levels of neighbouring elements, coprime with their number. */
uint64_t feed_stride(uint64_t levels);

#endif
