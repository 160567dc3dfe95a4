#include "program.h"

#include "onnx/proto.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- parts --------------------------------------------------------------------------------------- */

int add_value(struct program *p, enum origin origin, const struct tensor *t)
{
    if (p->value_count == VALUE_LIMIT)
        return ABSENT;
    p->values[p->value_count] = (struct flow){ .origin = origin, .tensor = *t };
    return (int)p->value_count++;
}

struct attribute *add_attribute(struct node *n, const char *name, enum param_type type)
{
    static struct attribute spilled;
    struct attribute *a =
        n->attribute_count < ATTRIBUTE_LIMIT ? &n->attributes[n->attribute_count++] : &spilled;
    *a = (struct attribute){ .name = name, .type = type };
    return a;
}

void add_int(struct node *n, const char *name, int64_t v)
{
    add_attribute(n, name, PARAM_INT)->whole = v;
}

void add_float(struct node *n, const char *name, double v)
{
    add_attribute(n, name, PARAM_FLOAT)->real = v;
}

void add_text(struct node *n, const char *name, const char *v)
{
    add_attribute(n, name, PARAM_STRING)->text = v;
}

void add_ints(struct node *n, const char *name, const int64_t *v, size_t count)
{
    struct attribute *a = add_attribute(n, name, PARAM_INTS);
    a->count = count < LIST_LIMIT ? count : LIST_LIMIT;
    memcpy(a->wholes, v, a->count * sizeof *v);
}

const struct attribute *find_attribute(const struct node *n, const char *name)
{
    for (size_t i = 0; i < n->attribute_count; i++)
        if (strcmp(n->attributes[i].name, name) == 0)
            return &n->attributes[i];
    return NULL;
}

int64_t int_attribute(const struct node *n, const char *name, int64_t fallback)
{
    const struct attribute *a = find_attribute(n, name);
    return a ? a->whole : fallback;
}

const struct tensor *node_input(const struct program *p, const struct node *n, size_t i)
{
    return i < n->input_count && n->inputs[i] != ABSENT ? &p->values[n->inputs[i]].tensor : NULL;
}

const char *value_name(int i, char text[16])
{
    if (i == ABSENT)
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "v%d", i);
    return text;
}

bool value_is_read(const struct program *p, int id)
{
    for (size_t i = 0; i < p->node_count; i++)
        for (size_t k = 0; k < p->nodes[i].input_count; k++)
            if (p->nodes[i].inputs[k] == id)
                return true;
    return false;
}

/* --- the model ------------------------------------------------------------------------------------ */

static void put_attribute(struct model_builder *b, const struct attribute *a)
{
    switch ((int)a->type) {
    case PARAM_INT: mb_int(b, a->name, a->whole); break;
    case PARAM_FLOAT: mb_float(b, a->name, (float)a->real); break;
    case PARAM_STRING: mb_string(b, a->name, a->text); break;
    case PARAM_STRINGS: mb_string_list(b, a->name, a->text); break;
    case PARAM_INTS: mb_int_list(b, a->name, a->wholes, a->count); break;
    case PARAM_FLOATS: mb_float_list(b, a->name, a->reals, a->count); break;
    default:
        mb_tensor(b, a->name, dtype_info(a->tensor.dtype)->onnx, a->tensor.dims, a->tensor.rank,
                  a->tensor.data, (size_t)tensor_bytes(&a->tensor));
    }
}

static void name_list(const int *values, size_t count, char *text, size_t size)
{
    char name[16];
    size_t at = 0;
    *text = 0;
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, size - at, i ? " %s" : "%s", value_name(values[i], name));
}

static void put_node(struct model_builder *b, const struct node *n)
{
    char inputs[PORT_LIMIT * 8], outputs[PORT_LIMIT * 8];
    name_list(n->inputs, n->input_count, inputs, sizeof inputs);
    name_list(n->outputs, n->output_count, outputs, sizeof outputs);
    mb_node_open(b, n->row->name, inputs, outputs);
    if (strcmp(n->row->domain, "ai.onnx") != 0)
        mb_node_domain(b, n->row->domain);
    for (size_t i = 0; i < n->attribute_count; i++)
        put_attribute(b, &n->attributes[i]);
    mb_close(b);
}

static bool uses_domain(const struct program *p, const char *domain)
{
    for (size_t i = 0; i < p->node_count; i++)
        if (strcmp(p->nodes[i].row->domain, domain) == 0)
            return true;
    return false;
}

/* An output whose type is left to be inferred. */
static void put_output(struct model_builder *b, const char *name)
{
    size_t begun = wire_begin(&b->w, GRAPH_OUTPUT);
    wire_put_text(&b->w, VALUE_INFO_NAME, name);
    wire_end(&b->w, begun);
}

struct span program_model(const struct program *p, struct model_builder *b)
{
    char name[16];
    mb_begin(b, p->opset);
    if (uses_domain(p, "com.microsoft"))
        mb_opset(b, "com.microsoft", 1);
    mb_graph(b);
    for (size_t i = 0; i < p->value_count; i++) {
        const struct flow *v = &p->values[i];
        const struct tensor *t = &v->tensor;
        int dtype = dtype_info(t->dtype)->onnx;
        value_name((int)i, name);
        if (v->origin == FROM_INPUT)
            mb_input(b, name, dtype, t->dims, t->rank);
        else if (v->origin == FROM_INITIALIZER)
            mb_raw(b, name, dtype, t->dims, t->rank, t->data, (size_t)tensor_bytes(t));
    }
    for (size_t i = 0; i < p->node_count; i++)
        put_node(b, &p->nodes[i]);
    for (size_t i = 0; i < p->value_count; i++)
        if (p->values[i].origin == FROM_NODE && !p->values[i].hidden)
            put_output(b, value_name((int)i, name));
    return mb_end(b);
}

/* --- one node of it --------------------------------------------------------------------------------- */

static int take(const struct program *p, struct program *out, int *map, int id)
{
    if (id == ABSENT || map[id] != ABSENT)
        return id == ABSENT ? ABSENT : map[id];
    const struct flow *v = &p->values[id];
    map[id] = add_value(out, v->origin == FROM_NODE ? FROM_INPUT : v->origin, &v->tensor);
    return map[id];
}

void program_of_node(const struct program *p, size_t node, struct program *out)
{
    int map[VALUE_LIMIT];
    for (size_t i = 0; i < VALUE_LIMIT; i++)
        map[i] = ABSENT;
    *out = (struct program){ .seed = p->seed, .opset = p->opset, .fold = p->fold, .node_count = 1 };
    struct node *n = &out->nodes[0];
    *n = p->nodes[node];
    for (size_t i = 0; i < n->input_count; i++)
        n->inputs[i] = take(p, out, map, n->inputs[i]);
    for (size_t i = 0; i < n->output_count; i++)
        if (n->outputs[i] != ABSENT)
            n->outputs[i] = add_value(out, FROM_NODE, &p->values[n->outputs[i]].tensor);
}

/* --- text -------------------------------------------------------------------------------------------- */

static void print_number(const struct tensor *t, uint64_t i)
{
    if (dtype_is_float(t->dtype))
        printf(" %.17g", tensor_get_double(t, i));
    else if (dtype_is_integer(t->dtype) && !dtype_is_signed(t->dtype))
        printf(" %" PRIu64, tensor_get_u64(t, i));
    else
        printf(" %" PRId64, tensor_get_i64(t, i));
}

static void print_tensor(const struct tensor *t, const char *mark)
{
    const char *text = dtype_info(t->dtype)->text;
    static const struct {
        enum dtype dtype;
        const char *text;
    } others[] = { { DTYPE_FLOAT64, "f64" },
                   { DTYPE_BFLOAT16, "bf16" },
                   { DTYPE_INT16, "i16" },
                   { DTYPE_UINT16, "u16" } };
    if (!*text)
        text = dtype_name(t->dtype);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        text = others[i].dtype == t->dtype ? others[i].text : text;
    printf("\"%s%s[", mark, text);
    for (uint32_t i = 0; i < t->rank; i++)
        printf(i ? ",%" PRId64 : "%" PRId64, t->dims[i]);
    printf("]");
    for (uint64_t i = 0; i < tensor_count(t); i++)
        print_number(t, i);
    printf("\"");
}

static void print_attribute(const struct attribute *a)
{
    printf(" %s=", a->name);
    switch ((int)a->type) {
    case PARAM_INT: printf("%" PRId64, a->whole); return;
    case PARAM_FLOAT: printf(a->real == floor(a->real) ? "%.1f" : "%.9g", a->real); return;
    case PARAM_STRING: printf("'%s'", a->text); return;
    case PARAM_STRINGS: printf("['%s']", a->text); return;
    case PARAM_TENSOR: print_tensor(&a->tensor, ""); return;
    default: break;
    }
    printf("[");
    for (size_t i = 0; i < a->count; i++)
        if (a->type == PARAM_INTS)
            printf(i ? ",%" PRId64 : "%" PRId64, a->wholes[i]);
        else
            printf(i ? ",%.9g" : "%.9g", (double)a->reals[i]);
    printf("]");
}

static void print_node(const struct node *n)
{
    char inputs[PORT_LIMIT * 8], outputs[PORT_LIMIT * 8];
    name_list(n->inputs, n->input_count, inputs, sizeof inputs);
    name_list(n->outputs, n->output_count, outputs, sizeof outputs);
    printf("  %s = %s%s%s(%s)", outputs, n->row->domain[0] == 'c' ? "com.microsoft:" : "",
           n->row->name, n->attribute_count ? " " : "", inputs);
    for (size_t i = 0; i < n->attribute_count; i++)
        print_attribute(&n->attributes[i]);
    printf("\n");
}

void program_print(const struct program *p)
{
    static const char *const marks[] = { "", "=", "" };
    char name[16];
    printf("  seed %" PRIu64 ", opset %d%s\n", p->seed, p->opset, p->fold ? ", folded" : "");
    for (size_t i = 0; i < p->value_count; i++) {
        const struct flow *v = &p->values[i];
        if (v->origin == FROM_NODE)
            continue;
        printf("  %s ", value_name((int)i, name));
        print_tensor(&v->tensor, marks[v->origin]);
        printf("\n");
    }
    for (size_t i = 0; i < p->node_count; i++)
        print_node(&p->nodes[i]);
    for (size_t i = 0; i < p->value_count; i++)
        if (p->values[i].origin == FROM_NODE) {
            printf("  native %s ", value_name((int)i, name));
            print_tensor(&p->values[i].tensor, "");
            printf("%s\n", p->values[i].hidden ? " (no output)" : "");
        }
}
