/* Distances of results by the conformance suite's own metrics. */
#ifndef CONFORMANCE_WPT_COMPARE_H
#define CONFORMANCE_WPT_COMPARE_H

#include "tensor/tensor.h"

enum wpt_metric { WPT_ULP, WPT_ATOL, WPT_BITS };

struct wpt_worst {
    uint64_t index;
    double distance; /* of the worst element, in units of the metric; INFINITY: not comparable */
    double got, want;
};

/* The largest distance over all elements: 0 when all are equal by value or both NaN. */
struct wpt_worst wpt_distance(enum wpt_metric metric, const struct tensor *got,
                              const struct tensor *want);

#endif
