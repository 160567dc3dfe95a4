#include "onnx/schema.h"

/* Texts are offsets, so that the table needs no relocation when the program starts. */
struct schema_row {
    uint16_t name;
    uint8_t domain, since, deprecated;
    uint16_t first_slot, first_attribute;
    uint8_t inputs, outputs, attributes;
};

enum {
    SLOT_REQUIRED = ONNX_SLOT_REQUIRED,
    SLOT_OPTIONAL = ONNX_SLOT_OPTIONAL,
    SLOT_VARIADIC = ONNX_SLOT_VARIADIC
};

struct schema_slot {
    uint16_t name;
    uint32_t dtypes;
    uint8_t option, other;
};

struct schema_attribute {
    uint16_t name;
    uint8_t type, required;
};

#include "onnx/generated/schemas.inc"

enum { ROW_COUNT = sizeof rows / sizeof *rows };

_Static_assert(sizeof texts <= UINT16_MAX, "");
_Static_assert(sizeof slots / sizeof *slots <= UINT16_MAX, "");
_Static_assert(sizeof attributes / sizeof *attributes <= UINT16_MAX, "");

static bool same_operator(const struct schema_row *a, const struct schema_row *b)
{
    return a->domain == b->domain && a->name == b->name;
}

bool onnx_schema_at(size_t index, struct onnx_schema *out)
{
    if (index >= ROW_COUNT)
        return false;
    const struct schema_row *r = &rows[index];
    bool last = index + 1 == ROW_COUNT || !same_operator(r, r + 1);
    *out = (struct onnx_schema){ .domain = domains[r->domain],
                                 .name = texts + r->name,
                                 .since = r->since,
                                 .until = last ? 0 : r[1].since - 1,
                                 .deprecated = r->deprecated,
                                 .input_count = r->inputs,
                                 .output_count = r->outputs,
                                 .attribute_count = r->attributes,
                                 .index = (uint32_t)index };
    return true;
}

static int compare(const struct schema_row *r, unsigned domain, struct span name)
{
    if (r->domain != domain)
        return r->domain < domain ? -1 : 1;
    return span_compare(span_of(texts + r->name), name);
}

bool onnx_schema_find(struct span domain, struct span name, int64_t opset, struct onnx_schema *out)
{
    enum { DOMAIN_COUNT = sizeof domains / sizeof *domains };
    unsigned d = 0;
    while (d < DOMAIN_COUNT && !span_is(domain, domains[d]))
        d++;
    size_t low = 0, high = ROW_COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare(&rows[middle], d, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t found = ROW_COUNT;
    for (; low < ROW_COUNT && compare(&rows[low], d, name) == 0 && rows[low].since <= opset; low++)
        found = low;
    return onnx_schema_at(found, out);
}

void onnx_schema_slot(const struct onnx_schema *s, bool output, uint32_t i,
                      struct onnx_schema_slot *out)
{
    const struct schema_slot *slot =
        &slots[rows[s->index].first_slot + (output ? s->input_count : 0) + i];
    *out = (struct onnx_schema_slot){ .name = texts + slot->name,
                                      .option = (enum onnx_slot_option)slot->option,
                                      .dtypes = slot->dtypes,
                                      .other = slot->other };
}

void onnx_schema_attribute(const struct onnx_schema *s, uint32_t i,
                           struct onnx_schema_attribute *out)
{
    const struct schema_attribute *a = &attributes[rows[s->index].first_attribute + i];
    *out = (struct onnx_schema_attribute){ texts + a->name, a->type, a->required };
}
