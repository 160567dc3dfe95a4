/* The texts of runtime/ and page/, by file name; cmake/embed.cmake makes them. */
#ifndef EMIT_EMBEDDED_H
#define EMIT_EMBEDDED_H

#include "base/span.h"

extern const struct span embedded_core_js, embedded_dims_js, embedded_carried_js,
    embedded_weights_js, embedded_inline_js, embedded_none_js, embedded_page_css,
    embedded_page_html, embedded_viewer_js, embedded_runner_js;

#endif
