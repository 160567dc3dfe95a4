/* Models of validation tests: written, planned, converted, validated. */
#ifndef UNIT_VALIDATE_CASE_H
#define UNIT_VALIDATE_CASE_H

#include <onnx2webnn/validate.h>

#include "ort/ort.h"
#include "support/model_builder.h"
#include "support/test.h"
#include "validate/source.h"

#include <stdio.h>
#include <string.h>

/* A model file in a folder of its own. */
struct model_case {
    struct temp_folder folder;
    struct model_builder b;
    char model[128], graph[128];
    struct source source;
    struct diags diags;
    o2w_error *error;
};

static inline void case_begin(struct model_case *c, int64_t opset)
{
    memset(c, 0, sizeof *c);
    temp_folder_create(&c->folder);
    diags_init(&c->diags, NULL);
    snprintf(c->model, sizeof c->model, "%s/model.onnx", c->folder.path);
    snprintf(c->graph, sizeof c->graph, "%s/model.webnn", c->folder.path);
    mb_begin(&c->b, opset);
}

static inline void case_write(struct model_case *c)
{
    struct span bytes = mb_end(&c->b);
    temp_write(&c->folder, "model.onnx", bytes.data, bytes.size);
    mb_free(&c->b);
}

static inline void case_end(struct model_case *c)
{
    if (c->source.allocator)
        source_close(&c->source);
    o2w_error_free(c->error);
    diags_free(&c->diags);
    temp_folder_remove(&c->folder);
}

/* Opens, sizes without bindings, plans and fills run `seed`. */
static inline o2w_status case_plan(struct model_case *c, uint64_t seed)
{
    case_write(c);
    TRY(source_open(c->model, NULL, &c->diags, &c->source));
    TRY(source_size(&c->source, NULL, 0, &c->diags));
    TRY(source_plan(&c->source, &c->diags));
    return source_fill(&c->source, seed, &c->diags);
}

static inline struct source_input *case_input(struct model_case *c, const char *name)
{
    struct source_input *in = source_input(&c->source, span_of(name));
    assert_non_null(in);
    return in;
}

static inline double case_value(struct model_case *c, const char *name, uint64_t i)
{
    struct tensor t = source_tensor(case_input(c, name));
    return tensor_get_double(&t, i);
}

/* The first values of an input are these. */
static inline void case_expect(struct model_case *c, const char *name, const double *values,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double found = case_value(c, name, i);
        if (!(found >= values[i] && found <= values[i]))
            fail_msg("'%s'[%zu] is %.17g, expected %.17g", name, i, found, values[i]);
    }
}
#define VALUES(...) \
    (const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double)

static inline const struct diag *case_find(const struct model_case *c, enum diag_code code)
{
    for (const struct diag *item = c->diags.first; item; item = item->next)
        if (item->code == code)
            return item;
    return NULL;
}

/* --- with the runtime -------------------------------------------------------------------------------- */

static inline void need_runtime(void)
{
    const struct ort *o = NULL;
    struct diags d;
    diags_init(&d, NULL);
    o2w_status status = ort_open(&d, &o);
    diags_free(&d);
    if (status == O2W_OK)
        return;
    print_message("skipped: no ONNX Runtime 1.29 or newer here (tools/setup onnxruntime)\n");
    skip();
}

static inline void case_convert(struct model_case *c, o2w_convert_options *o)
{
    o2w_convert_options none = { .size = sizeof none };
    o2w_conversion *conversion = NULL;
    o = o ? o : &none;
    o->size = sizeof *o;
    o->output = c->graph;
    case_write(c);
    if (o2w_convert_file(c->model, o, &conversion, &c->error) != O2W_OK)
        fail_msg("%s", o2w_error_text(c->error));
    o2w_conversion_free(conversion);
}

static inline o2w_status case_validate(struct model_case *c, o2w_validate_options *o,
                                       o2w_report **report)
{
    o2w_validate_options none = { .size = sizeof none };
    o = o ? o : &none;
    o->size = sizeof *o;
    o->backend = o->backend ? o->backend : "cpu";
    o2w_error_free(c->error);
    c->error = NULL;
    return o2w_validate(c->model, c->graph, o, report, &c->error);
}

static inline void case_passes(struct model_case *c, o2w_validate_options *o)
{
    o2w_report *report = NULL;
    if (case_validate(c, o, &report) != O2W_OK)
        fail_msg("%s", o2w_error_text(c->error));
    if (!o2w_report_passed(report))
        fail_msg("%s", o2w_report_text(report));
    o2w_report_free(report);
}

/* The error's first item has this code. */
static inline void case_fails(struct model_case *c, o2w_validate_options *o, const char *code)
{
    o2w_report *report = NULL;
    if (case_validate(c, o, &report) == O2W_OK)
        fail_msg("it did not fail:\n%s", o2w_report_text(report));
    for (size_t i = 0; i < o2w_error_count(c->error); i++)
        if (strcmp(o2w_error_item(c->error, i)->code, code) == 0)
            return;
    fail_msg("no %s:\n%s", code, o2w_error_text(c->error));
}

static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

#endif
