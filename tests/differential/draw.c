#include "draw.h"

#include "webnn/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers --------------------------------------------------------------------------------------- */

/* splitmix64 */
uint64_t draw_bits(struct draw *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t draw_below(struct draw *d, uint32_t count)
{
    return count ? (uint32_t)(draw_bits(d) % count) : 0;
}

int64_t draw_between(struct draw *d, int64_t low, int64_t high)
{
    return high <= low ? low : low + (int64_t)draw_below(d, (uint32_t)(high - low + 1));
}

bool once_in(struct draw *d, uint32_t n)
{
    return draw_below(d, n) == 0;
}

/* --- shapes ----------------------------------------------------------------------------------------- */

struct dims draw_dims(struct draw *d, uint32_t low, uint32_t high)
{
    static const int64_t sizes[] = { 1, 1, 2, 2, 3, 3, 4, 5, 7 };
    struct dims s = { .rank = (uint32_t)draw_between(d, low, high) };
    for (uint32_t i = 0; i < s.rank; i++)
        s.sizes[i] = sizes[draw_below(d, sizeof sizes / sizeof *sizes)];
    if (s.rank && once_in(d, 40))
        s.sizes[draw_below(d, s.rank)] = 0;
    return s;
}

struct dims dims_of(const struct tensor *t)
{
    struct dims s = { .rank = t->rank };
    memcpy(s.sizes, t->dims, t->rank * sizeof *t->dims);
    return s;
}

struct dims draw_broadcastable(struct draw *d, struct dims to)
{
    uint32_t skip = once_in(d, 2) ? 0 : draw_below(d, to.rank + 1);
    struct dims s = { .rank = to.rank - skip };
    for (uint32_t i = 0; i < s.rank; i++)
        s.sizes[i] = once_in(d, 3) ? 1 : to.sizes[i + skip];
    return s;
}

int64_t draw_axis(struct draw *d, uint32_t rank)
{
    if (rank == 0)
        return 0;
    return draw_between(d, d->p->opset >= 11 ? -(int64_t)rank : 0, (int64_t)rank - 1);
}

size_t draw_axes(struct draw *d, uint32_t rank, int64_t *out)
{
    int64_t order[MAX_RANK];
    size_t count = draw_below(d, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        order[i] = i;
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t k = i + draw_below(d, rank - i);
        int64_t swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = d->p->opset >= 11 && once_in(d, 3) ? order[i] - (int64_t)rank : order[i];
    return count;
}

/* --- elements ---------------------------------------------------------------------------------------- */

enum dtype draw_dtype(struct draw *d, dtype_set set)
{
    static const enum dtype often[] = {
        DTYPE_FLOAT32, DTYPE_FLOAT32, DTYPE_FLOAT32, DTYPE_FLOAT32,
        DTYPE_FLOAT32, DTYPE_INT64,   DTYPE_INT32,   DTYPE_FLOAT16
    };
    static const dtype_set flowing = DTYPES_WEBNN8 | DTYPE_BIT(DTYPE_BOOL) |
                                     DTYPE_BIT(DTYPE_INT16) | DTYPE_BIT(DTYPE_FLOAT64) |
                                     DTYPE_BIT(DTYPE_UINT16) | DTYPE_BIT(DTYPE_BFLOAT16);
    enum dtype t = often[draw_below(d, sizeof often / sizeof *often)];
    if (dtype_in(t, set))
        return t;
    for (int tries = 0; tries < 200; tries++) {
        t = (enum dtype)draw_below(d, DTYPE_COUNT);
        if (dtype_in(t, set & flowing))
            return t;
    }
    return DTYPE_FLOAT32;
}

enum style { STYLE_EIGHTHS, STYLE_WIDE, STYLE_ODD };

static double odd_number(struct draw *d)
{
    static const double numbers[] = { 0.0,   -0.0,   1,        -1,    0.5,        -0.5,    1.5,
                                      2.5,   -2.5,   1e-3,     -1e-3, 1e-30,      -1e-38,  1e-45,
                                      88.75, -104.5, 1e10,     -1e10, 3.4e38,     -3.4e38, 65504,
                                      127.5, 255.5,  16777217, 1e-7,  2147483648, 709.5 };
    uint32_t at = draw_below(d, sizeof numbers / sizeof *numbers + 6);
    if (at < sizeof numbers / sizeof *numbers)
        return numbers[at];
    return at % 3 == 0 ? (double)NAN : at % 3 == 1 ? (double)INFINITY : -(double)INFINITY;
}

static double real_number(struct draw *d, enum style style)
{
    double v = (double)draw_between(d, -32, 32) / 8;
    if (style == STYLE_WIDE)
        return v * pow(10, (double)draw_between(d, -4, 3));
    return style == STYLE_ODD && once_in(d, 2) ? odd_number(d) : v;
}

static int64_t whole_number(struct draw *d, enum dtype t, enum style style)
{
    int64_t low = dtype_min(t), high = (int64_t)(dtype_max(t) >> (dtype_max(t) >> 63));
    if (style == STYLE_ODD && once_in(d, 2))
        return DRAW_OF(d, low, low + 1, high, high - 1, 0, 1);
    if (style == STYLE_WIDE)
        return (int64_t)(draw_bits(d) >> draw_below(d, 63)) * (once_in(d, 2) ? 1 : -1);
    return draw_between(d, dtype_is_signed(t) ? -9 : 0, 9);
}

static void put_element(struct draw *d, struct tensor *t, uint64_t i, enum style style)
{
    if (t->dtype == DTYPE_BOOL)
        tensor_put_i64(t, i, draw_below(d, 2));
    else if (!dtype_is_float(t->dtype))
        tensor_put_i64(t, i, whole_number(d, t->dtype, style));
    else /* float64 is carried as float32 */
        tensor_put_double(t, i, (double)(float)real_number(d, style));
}

static int new_value(struct draw *d, enum dtype t, struct dims s, bool known, struct tensor **out)
{
    static struct tensor spilled;
    struct tensor made;
    bool initializer = known || once_in(d, 3);
    if (tensor_new(d->arena, t, s.sizes, s.rank, &made) != O2W_OK)
        return ABSENT;
    int id = add_value(d->p, initializer ? FROM_INITIALIZER : FROM_INPUT, &made);
    spilled = made;
    *out = id == ABSENT ? &spilled : &d->p->values[id].tensor;
    return id;
}

static int styled_value(struct draw *d, enum dtype t, struct dims s, bool known, enum style style)
{
    struct tensor *made;
    int id = new_value(d, t, s, known, &made);
    for (uint64_t i = 0; id != ABSENT && i < tensor_count(made); i++)
        put_element(d, made, i, style);
    return id;
}

int draw_value(struct draw *d, enum dtype t, struct dims s, bool known)
{
    uint32_t at = d->plain ? 0 : draw_below(d, 12);
    enum style style = at < 8 ? STYLE_EIGHTHS : at < 10 ? STYLE_WIDE : STYLE_ODD;
    return styled_value(d, t, s, known, style);
}

int draw_plain(struct draw *d, enum dtype t, struct dims s, bool known)
{
    return styled_value(d, t, s, known, STYLE_EIGHTHS);
}

int draw_range(struct draw *d, enum dtype t, struct dims s, int64_t low, int64_t high, bool known)
{
    struct tensor *made;
    int id = new_value(d, t, s, known, &made);
    for (uint64_t i = 0; id != ABSENT && i < tensor_count(made); i++)
        tensor_put_i64(made, i, draw_between(d, low, high));
    return id;
}

int known_list(struct draw *d, enum dtype t, const int64_t *v, size_t count)
{
    struct tensor *made;
    int id = new_value(d, t, DIMS_OF((int64_t)count), true, &made);
    for (size_t i = 0; id != ABSENT && i < count; i++)
        tensor_put_i64(made, i, v[i]);
    return id;
}

int known_scalar(struct draw *d, enum dtype t, double v)
{
    struct tensor *made;
    int id = new_value(d, t, (struct dims){ 0 }, true, &made);
    if (id != ABSENT)
        tensor_put_double(made, 0, v);
    return id;
}

struct tensor *drawn(struct draw *d, int id)
{
    static struct tensor none;
    return id == ABSENT ? &none : &d->p->values[id].tensor;
}

/* --- inputs of nodes ------------------------------------------------------------------------------- */

static const struct row_slot *slot_of(const struct node *n, size_t slot)
{
    uint32_t count = n->row->input_count;
    return count ? &n->row->inputs[slot < count ? slot : count - 1] : NULL;
}

dtype_set slot_dtypes(const struct node *n, size_t slot)
{
    const struct row_slot *s = slot_of(n, slot);
    return s && s->dtypes ? s->dtypes : SET_ALL;
}

enum dtype bound_dtype(struct draw *d, const struct node *n, size_t slot)
{
    const struct row_slot *s = slot_of(n, slot);
    for (size_t i = 0; s && s->variable != TYPE_NONE && i < n->input_count; i++)
        if (n->inputs[i] != ABSENT && slot_of(n, i)->variable == s->variable)
            return d->p->values[n->inputs[i]].tensor.dtype;
    return draw_dtype(d, slot_dtypes(n, slot));
}

static bool fits(const struct draw *d, const struct flow *v, dtype_set set, uint32_t low,
                 uint32_t high)
{
    const struct tensor *t = &v->tensor;
    (void)d;
    return dtype_in(t->dtype, set) && t->rank >= low && t->rank <= high && tensor_count(t) <= 600;
}

int draw_input(struct draw *d, const struct node *n, size_t slot, uint32_t low, uint32_t high)
{
    const struct program *p = d->p;
    dtype_set set = slot_dtypes(n, slot);
    for (int tries = 0; tries < 6 && p->value_count && !once_in(d, 4); tries++) {
        uint32_t at = draw_below(d, (uint32_t)p->value_count);
        if (fits(d, &p->values[at], set, low, high))
            return (int)at;
    }
    return draw_value(d, draw_dtype(d, set), draw_dims(d, low, high), false);
}

int draw_like(struct draw *d, enum dtype t, struct dims s)
{
    const struct program *p = d->p;
    for (int tries = 0; tries < 6 && p->value_count && !once_in(d, 3); tries++) {
        uint32_t at = draw_below(d, (uint32_t)p->value_count);
        const struct tensor *v = &p->values[at].tensor;
        if (v->dtype == t && v->rank == s.rank && dims_equal(v->dims, s.sizes, s.rank))
            return (int)at;
    }
    return draw_value(d, t, s, false);
}

void push_input(struct node *n, int id)
{
    if (n->input_count < PORT_LIMIT)
        n->inputs[n->input_count++] = id;
}

/* --- attributes -------------------------------------------------------------------------------------- */

bool row_has_attribute(const struct onnx_row *row, const char *name)
{
    for (uint32_t i = 0; i < row->attribute_count; i++)
        if (strcmp(row->attributes[i].name, name) == 0)
            return true;
    return false;
}

/* One word of "0 1" or "DCR CRD". */
static const char *allowed_word(struct draw *d, const char *allowed)
{
    uint32_t count = 1, at;
    struct span word;
    for (const char *c = allowed; *c; c++)
        count += *c == ' ';
    at = draw_below(d, count);
    for (; at; at--)
        allowed = strchr(allowed, ' ') + 1;
    word = (struct span){ (const uint8_t *)allowed, strcspn(allowed, " ") };
    return arena_text(d->arena, word);
}

static void draw_int_attribute(struct draw *d, struct node *n, const struct attr_row *a,
                               uint32_t rank)
{
    static const char *const switches[] = { "keepdims",
                                            "noop_with_empty_axes",
                                            "select_last_index",
                                            "exclusive",
                                            "reverse",
                                            "largest",
                                            "fmod",
                                            "upper",
                                            "ceil_mode",
                                            "count_include_pad",
                                            "align_corners" };
    if (a->allowed) {
        const char *word = allowed_word(d, a->allowed);
        add_int(n, a->name, strtol(word, NULL, 10));
        return;
    }
    if (strcmp(a->name, "axis") == 0) {
        add_int(n, a->name, draw_axis(d, rank));
        return;
    }
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (strcmp(a->name, switches[i]) == 0)
            add_int(n, a->name, draw_below(d, 2));
}

static void draw_float_attribute(struct draw *d, struct node *n, const struct attr_row *a)
{
    static const double numbers[] = { 0, 1, 0.5, -0.5, 0.25, 2, -1.5, 1e-3, 0.1, 3 };
    double v = numbers[draw_below(d, sizeof numbers / sizeof *numbers)];
    if (strcmp(a->name, "epsilon") == 0)
        v = ((const double[]){ 1e-5, 0.1, 1e-12 })[draw_below(d, 3)];
    add_float(n, a->name, v);
}

static void draw_attribute(struct draw *d, struct node *n, const struct attr_row *a, uint32_t rank)
{
    int64_t list[MAX_RANK];
    switch ((int)a->type) {
    case PARAM_INT:
    case PARAM_GIVEN_INT: draw_int_attribute(d, n, a, rank); break;
    case PARAM_FLOAT:
    case PARAM_GIVEN_FLOAT: draw_float_attribute(d, n, a); break;
    case PARAM_STRING:
        if (a->allowed)
            add_text(n, a->name, allowed_word(d, a->allowed));
        break;
    case PARAM_INTS:
        if (strcmp(a->name, "axes") == 0)
            add_ints(n, a->name, list, draw_axes(d, rank, list));
        break;
    default: break;
    }
}

void draw_attributes(struct draw *d, struct node *n, uint32_t rank)
{
    for (uint32_t i = 0; i < n->row->attribute_count; i++) {
        const struct attr_row *a = &n->row->attributes[i];
        if (!a->ignored && !find_attribute(n, a->name) && (a->required || !once_in(d, 3)))
            draw_attribute(d, n, a, rank);
    }
}

/* --- nodes -------------------------------------------------------------------------------------------- */

static bool has_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += size)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
            return true;
    return false;
}

recipe_function *recipe_of(const struct onnx_row *row)
{
    static const struct recipe *const lists[] = { elementwise_recipes, movement_recipes,
                                                  image_recipes, product_recipes,
                                                  sequence_recipes };
    if (strcmp(row->domain, "ai.onnx") != 0 && strcmp(row->domain, "com.microsoft") != 0)
        return NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct recipe *r = lists[i]; r->ops; r++)
            if (has_word(r->ops, row->name))
                return r->make;
    return NULL;
}

static void number_outputs(struct draw *d, struct node *n)
{
    const struct onnx_row *row = n->row;
    if (n->output_count) /* the recipe has chosen how many */
        return;
    for (uint32_t i = 0; i < row->result_count && i < 4; i++) {
        bool needed = row->results[i].kind == SLOT_REQUIRED || i == 0;
        if (!needed && once_in(d, 2))
            break;
        n->output_count = i + 1;
    }
}

bool draw_node(struct draw *d, const struct onnx_row *row, struct node *n)
{
    *n = (struct node){ .row = row };
    recipe_function *make = recipe_of(row);
    if (!make || !make(d, n))
        return false;
    number_outputs(d, n);
    return n->input_count < PORT_LIMIT && d->p->value_count + n->output_count < VALUE_LIMIT;
}
