/* The tables of built-in targets: targets/NAME.json, as opSupportLimits() of that browser prints them. */
#ifndef WEBNN_TARGETS_H
#define WEBNN_TARGETS_H

#include "base/span.h"

#define TARGET(name) extern const struct span embedded_##name##_json;
#include "webnn/targets.def"

#endif
