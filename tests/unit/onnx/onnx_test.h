/* What the tests of the onnx layer share: a model built, opened, and what was said about it. */
#ifndef UNIT_ONNX_TEST_H
#define UNIT_ONNX_TEST_H

#include "support/model_builder.h"
#include "support/test.h"

#include "onnx/open.h"
#include "onnx/proto.h"
#include "onnx/tensor.h"

#include <string.h>

struct fixture {
    struct model_builder b;
    struct diags diags;
    struct onnx_model *m;
};

static inline void fixture_begin(struct fixture *f)
{
    diags_init(&f->diags, NULL);
    f->m = NULL;
    mb_begin(&f->b, 17);
}

static inline o2w_status fixture_open(struct fixture *f)
{
    return onnx_model_open_bytes(mb_end(&f->b), "m.onnx", NULL, NULL, NULL, &f->diags, &f->m);
}

static inline void fixture_end(struct fixture *f)
{
    onnx_model_close(f->m);
    mb_free(&f->b);
    diags_free(&f->diags);
}

/* Opening fails with just this. */
static inline void assert_refused(struct fixture *f, const char *text)
{
    assert_int_not_equal(fixture_open(f), O2W_OK);
    assert_null(f->m);
    assert_diags_text(&f->diags, text);
    fixture_end(f);
}

/* A graph x → y that is complete but for what the test puts in. */
static inline void fixture_graph(struct fixture *f)
{
    fixture_begin(f);
    mb_graph(&f->b);
    mb_input(&f->b, "x", ONNX_FLOAT, DIMS(2));
    mb_output(&f->b, "y", ONNX_FLOAT, DIMS(2));
}

#endif
