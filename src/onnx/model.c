#include "onnx/model.h"

#include "onnx/schema.h"

#include "base/diag.h"

#include <inttypes.h>
#include <stdio.h>

int64_t onnx_opset_version(const struct onnx_model *m, const struct onnx_function *f,
                           struct span domain)
{
    const struct onnx_opset *opsets = f ? f->opsets : m->opsets;
    uint32_t count = f ? f->opset_count : m->opset_count;
    if (domain.size == 0)
        domain = SPAN("ai.onnx");
    for (uint32_t i = 0; i < count; i++)
        if (span_equal(opsets[i].domain, domain))
            return opsets[i].version;
    return 0;
}

const struct onnx_attribute *onnx_node_attribute(const struct onnx_node *n, const char *name)
{
    for (uint32_t i = 0; i < n->attribute_count; i++)
        if (span_is(n->attributes[i].name, name))
            return &n->attributes[i];
    return NULL;
}

/* Texts longer than this are cut: a name may have a megabyte. */
enum { SHOWN = 200 };

static struct span shown(struct span s)
{
    return s.size > SHOWN ? (struct span){ s.data, SHOWN } : s;
}

static void at_named_node(struct diags *d, const struct onnx_node *n, const char *opset,
                          const char *what)
{
    diag_at(d, "node '%.*s' (%.*s, %.*s%s)%s", SPAN_ARG(shown(n->name)),
            SPAN_ARG(shown(n->op_type)), SPAN_ARG(shown(n->domain)), opset, what);
    diag_subject(d, "node", n->name);
}

static void at_unnamed_node(struct diags *d, const struct onnx_model *m, const struct onnx_node *n,
                            const char *opset, const char *what)
{
    char label[SHOWN + 24];
    struct span op = shown(n->op_type);
    name_id output = n->output_count ? n->outputs[0] : 0;
    snprintf(label, sizeof label, "%.*s#%" PRIu32, SPAN_ARG(op), n->index);
    /* While the file is still being read there are no names yet. */
    if (output && output < m->name_count)
        diag_at(d, "node '%s' (%.*s, %.*s%s) of output '%.*s'%s", label, SPAN_ARG(op),
                SPAN_ARG(shown(n->domain)), opset, SPAN_ARG(shown(onnx_name(m, output))), what);
    else
        diag_at(d, "node '%s' (%.*s, %.*s%s)%s", label, SPAN_ARG(op), SPAN_ARG(shown(n->domain)),
                opset, what);
    diag_subject(d, "node", span_of(label));
}

int64_t onnx_node_version(const struct onnx_node *n)
{
    struct onnx_schema schema;
    return onnx_schema_find(n->domain, n->op_type, n->opset, &schema) ? schema.since : n->opset;
}

void onnx_at_node(struct diags *d, const struct onnx_model *m, const struct onnx_node *n,
                  const char *what)
{
    char opset[32] = "";
    if (n->opset)
        snprintf(opset, sizeof opset, " %" PRId64, onnx_node_version(n));
    if (n->name.size)
        at_named_node(d, n, opset, what ? what : "");
    else
        at_unnamed_node(d, m, n, opset, what ? what : "");
}
