/* Einsum: diagonals, early sums, then pairs of operands by matrix products. */
#include "lower/helpers.h"

#include <string.h>

struct einsum_params {
    struct span equation;
};

static const struct attr_row einsum_attrs[] = { ATTR_STRING(struct einsum_params, equation,
                                                            .required = true) };

/* Labels: letters, upper case first; from ELLIPSIS on the dims of the ellipsis, the last one is
 * ELLIPSIS + MAX_RANK - 1. */
enum { ELLIPSIS = 52, LABELS = ELLIPSIS + MAX_RANK };

struct labels {
    uint32_t count;
    uint8_t items[2 * MAX_RANK];
};

struct operand_labels {
    value v;
    struct labels labels;
};

struct einsum {
    struct lower *l;
    const struct node_view *n;
    uint32_t ellipsis;     /* most dims that one stands for */
    uint32_t used[LABELS]; /* by how many operands that are still to be joined */
    bool kept[LABELS];     /* in the result */
    struct labels result;
};

static bool has_label(const struct labels *list, uint8_t label, uint32_t *at)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == label) {
            if (at)
                *at = i;
            return true;
        }
    return false;
}

/* --- the equation -------------------------------------------------------------------------------------- */

static o2w_status refuse_equation(struct einsum *e, const char *why)
{
    return refuse_attribute(e->l, e->n, "equation", "%s", why);
}

/* One term without blanks; its ellipsis stands for `dims` dims. */
static o2w_status parse_term(struct einsum *e, struct span term, uint32_t dims, struct labels *out,
                             bool *ellipsis)
{
    *out = (struct labels){ 0 };
    *ellipsis = false;
    for (size_t i = 0; i < term.size; i++) {
        uint8_t c = term.data[i];
        if (out->count + (c == '.' ? dims : 1) > MAX_RANK)
            return refuse_equation(e, "has a term with too many labels");
        if (c >= 'A' && c <= 'Z') {
            out->items[out->count++] = (uint8_t)(c - 'A');
        } else if (c >= 'a' && c <= 'z') {
            out->items[out->count++] = (uint8_t)(c - 'a' + 26);
        } else if (c == '.' && !*ellipsis && i + 2 < term.size && term.data[i + 1] == '.' &&
                   term.data[i + 2] == '.') {
            *ellipsis = true;
            i += 2;
            for (uint32_t k = 0; k < dims; k++)
                out->items[out->count++] = (uint8_t)(LABELS - dims + k);
        } else {
            return refuse_equation(e, "is malformed: letters, '...', ',' and '->' are allowed");
        }
    }
    return O2W_OK;
}

static struct span next_term(struct span *rest)
{
    size_t size = 0;
    while (size < rest->size && rest->data[size] != ',')
        size++;
    struct span term = { rest->data, size };
    size += size < rest->size;
    *rest = (struct span){ rest->data + size, rest->size - size };
    return term;
}

static uint32_t letters_of(struct span term)
{
    uint32_t letters = 0;
    for (size_t i = 0; i < term.size; i++)
        letters += term.data[i] != '.';
    return letters;
}

static o2w_status read_operands(struct einsum *e, struct span left, struct operand_labels *items)
{
    bool ellipsis;
    struct span rest = left;
    for (uint32_t i = 0; i < e->n->input_count; i++) {
        struct span term = next_term(&rest);
        uint32_t letters = letters_of(term), rank = input(e->n, i)->rank;
        items[i].v = input(e->n, i);
        TRY(parse_term(e, term, letters <= rank ? rank - letters : 0, &items[i].labels, &ellipsis));
        if (items[i].labels.count != rank || (!ellipsis && letters != rank))
            return refuse_input(e->l, e->n, i,
                                "has rank %u, its term '%.*s' of the equation does not fit", rank,
                                SPAN_ARG(term));
        if (ellipsis && rank - letters > e->ellipsis)
            e->ellipsis = rank - letters;
    }
    return O2W_OK;
}

/* Without '->': the ellipsis, then in alphabetical order what occurs once. */
static void implicit_result(struct einsum *e, const struct operand_labels *items)
{
    uint32_t times[LABELS] = { 0 };
    for (uint32_t i = 0; i < e->n->input_count; i++)
        for (uint32_t k = 0; k < items[i].labels.count; k++)
            times[items[i].labels.items[k]]++;
    for (uint32_t k = 0; k < e->ellipsis; k++)
        e->result.items[e->result.count++] = (uint8_t)(LABELS - e->ellipsis + k);
    for (int label = 0; label < ELLIPSIS; label++)
        if (times[label] == 1 && e->result.count < MAX_RANK)
            e->result.items[e->result.count++] = (uint8_t)label;
}

static o2w_status read_equation(struct einsum *e, struct span text, struct operand_labels *items)
{
    char *copy = ARENA_ARRAY(lower_arena(e->l), text.size + 1, char);
    struct span all = { (const uint8_t *)copy, 0 }, left, right = { 0 };
    uint32_t terms = 1;
    bool arrow = false, ellipsis = false;
    if (!copy)
        return diag_memory(lower_diags(e->l));
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != ' ')
            copy[all.size++] = (char)text.data[i];
    left = all;
    for (size_t i = 0; i + 1 < all.size && !arrow; i++)
        if (copy[i] == '-' && copy[i + 1] == '>') {
            arrow = true;
            left.size = i;
            right = (struct span){ all.data + i + 2, all.size - i - 2 };
        }
    for (size_t i = 0; i < left.size; i++)
        terms += left.data[i] == ',';
    if (terms != e->n->input_count)
        return refuse_attribute(e->l, e->n, "equation", "has %u terms, the node has %u inputs",
                                terms, e->n->input_count);
    TRY(read_operands(e, left, items));
    if (!arrow)
        implicit_result(e, items);
    else
        TRY(parse_term(e, right, e->ellipsis, &e->result, &ellipsis));
    if (arrow && e->ellipsis && !ellipsis)
        return refuse_equation(e, "has an ellipsis in its terms that its result lacks");
    return O2W_OK;
}

static o2w_status check_result(struct einsum *e, const struct operand_labels *items)
{
    for (uint32_t i = 0; i < e->n->input_count; i++)
        for (uint32_t k = 0; k < items[i].labels.count; k++)
            e->used[items[i].labels.items[k]]++;
    for (uint32_t k = 0; k < e->result.count; k++) {
        uint8_t label = e->result.items[k];
        if (!e->used[label])
            return refuse_equation(e, "has a label in its result that no term has");
        if (e->kept[label])
            return refuse_equation(e, "has a label twice in its result");
        e->kept[label] = true;
    }
    return O2W_OK;
}

/* --- one operand ---------------------------------------------------------------------------------------- */

/* Axes first and second, equal in size, become one: the diagonal is a slice of the flattened pair. */
static o2w_status diagonal(struct einsum *e, struct operand_labels *x, uint32_t first,
                           uint32_t second)
{
    uint32_t order[MAX_RANK], at = 0, rank = x->v->rank;
    dim dims[MAX_RANK];
    int64_t size, other;
    TRY(static_dim(e->l, e->n, x->v, first, &size));
    TRY(static_dim(e->l, e->n, x->v, second, &other));
    if (size != other)
        return refuse(e->l, e->n, DIAG_LOWER_SHAPE,
                      "a label that occurs twice has the sizes %lld and %lld", (long long)size,
                      (long long)other);
    for (uint32_t i = 0; i < rank; i++)
        if (i != first && i != second)
            order[at++] = i;
    order[at] = first;
    order[at + 1] = second;
    TRY(transpose(e->l, x->v, order, &x->v));
    memcpy(dims, x->v->dims, at * sizeof *dims);
    dims[at] = size * size;
    TRY(reshape(e->l, x->v, dims, at + 1, &x->v));
    TRY(slice(e->l, x->v, at, 0, size * size, size + 1, &x->v));
    struct labels old = x->labels;
    for (uint32_t i = 0; i <= at; i++)
        x->labels.items[i] = old.items[order[i]];
    x->labels.count = at + 1;
    return O2W_OK;
}

static o2w_status take_diagonals(struct einsum *e, struct operand_labels *x)
{
    for (uint32_t i = 0; i < x->labels.count; i++)
        for (uint32_t k = i + 1; k < x->labels.count; k++)
            if (x->labels.items[i] == x->labels.items[k]) {
                e->used[x->labels.items[i]]--;
                TRY(diagonal(e, x, i, k));
                return take_diagonals(e, x);
            }
    return O2W_OK;
}

/* Labels that only this operand still has go at once. */
static o2w_status sum_alone(struct einsum *e, struct operand_labels *x)
{
    struct webnn_reduce_attributes a = webnn_reduce_sum_defaults();
    struct labels left = { 0 };
    a.axes.given = true;
    for (uint32_t i = 0; i < x->labels.count; i++) {
        uint8_t label = x->labels.items[i];
        if (!e->kept[label] && e->used[label] == 1)
            a.axes.items[a.axes.count++] = i;
        else
            left.items[left.count++] = label;
    }
    x->labels = left;
    return a.axes.count ? op(e->l, WEBNN_REDUCE_SUM, OPERANDS(x->v), &a, &x->v) : O2W_OK;
}

/* The operand with these labels in this order, those that it lacks as 1. */
static o2w_status arrange(struct einsum *e, const struct operand_labels *x,
                          const struct labels *order, value *out)
{
    uint32_t permutation[MAX_RANK], count = 0, at;
    dim dims[MAX_RANK];
    if (order->count > MAX_RANK)
        return refuse(e->l, e->n, DIAG_LOWER_LIMIT, "%u labels exceed the limit of %d",
                      order->count, MAX_RANK);
    for (uint32_t i = 0; i < order->count; i++) {
        bool has = has_label(&x->labels, order->items[i], &at);
        dims[i] = has ? x->v->dims[at] : 1;
        if (has)
            permutation[count++] = at;
    }
    TRY(transpose(e->l, x->v, permutation, out));
    return reshape(e->l, *out, dims, order->count, out);
}

/* --- pairs ------------------------------------------------------------------------------------------------ */

/* Labels of a pair: in both and kept, in both and summed, in one alone. */
struct pair {
    struct labels shared, summed, a_only, b_only;
};

static void append(struct labels *to, const struct labels *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        to->items[to->count++] = from->items[i];
}

static void classify(const struct einsum *e, const struct operand_labels *a,
                     const struct operand_labels *b, struct pair *p)
{
    *p = (struct pair){ 0 };
    for (uint32_t i = 0; i < a->labels.count; i++) {
        uint8_t label = a->labels.items[i];
        bool in_b = has_label(&b->labels, label, NULL);
        bool stays = e->kept[label] || e->used[label] > (in_b ? 2u : 1u);
        struct labels *list = !in_b ? &p->a_only : stays ? &p->shared : &p->summed;
        list->items[list->count++] = label;
    }
    for (uint32_t i = 0; i < b->labels.count; i++)
        if (!has_label(&a->labels, b->labels.items[i], NULL))
            p->b_only.items[p->b_only.count++] = b->labels.items[i];
}

/* A summed label of size 1 in one operand has the other's size there. */
static o2w_status stretch(struct einsum *e, const struct pair *p, struct operand_labels *x,
                          const struct operand_labels *other)
{
    dim dims[MAX_RANK];
    bool any = false;
    memcpy(dims, x->v->dims, x->v->rank * sizeof *dims);
    for (uint32_t i = 0; i < p->summed.count; i++) {
        uint32_t mine = 0, its = 0;
        (void)has_label(&x->labels, p->summed.items[i], &mine);
        (void)has_label(&other->labels, p->summed.items[i], &its);
        if (dims[mine] == 1 && other->v->dims[its] != 1) {
            dims[mine] = other->v->dims[its];
            any = true;
        }
    }
    return any ? expand(e->l, x->v, dims, x->v->rank, &x->v) : O2W_OK;
}

/* [shared …, first, second] as a matrix per shared index. */
static o2w_status as_matrices(struct einsum *e, const struct operand_labels *x,
                              const struct labels *shared, const struct labels *first,
                              const struct labels *second, value *out)
{
    struct labels order = *shared;
    dim dims[MAX_RANK + 2];
    value v;
    append(&order, first);
    append(&order, second);
    TRY(arrange(e, x, &order, &v));
    if (shared->count + 2 > MAX_RANK)
        return refuse(e->l, e->n, DIAG_LOWER_LIMIT, "more than %d labels", MAX_RANK - 2);
    memcpy(dims, v->dims, shared->count * sizeof *dims);
    TRY(dims_product(e->l, e->n, v->dims, shared->count, shared->count + first->count,
                     &dims[shared->count]));
    TRY(dims_product(e->l, e->n, v->dims, shared->count + first->count, order.count,
                     &dims[shared->count + 1]));
    return reshape(e->l, v, dims, shared->count + 2, out);
}

static o2w_status contract(struct einsum *e, const struct pair *p, const struct operand_labels *a,
                           const struct operand_labels *b, struct operand_labels *out)
{
    dim dims[2 * MAX_RANK];
    uint32_t rank = p->shared.count, at = 0;
    value left, right, y;
    TRY(as_matrices(e, a, &p->shared, &p->a_only, &p->summed, &left));
    TRY(as_matrices(e, b, &p->shared, &p->summed, &p->b_only, &right));
    TRY(op2(e->l, WEBNN_MATMUL, left, right, &y));
    memcpy(dims, y->dims, rank * sizeof *dims);
    for (uint32_t i = 0; i < p->a_only.count; i++) {
        (void)has_label(&a->labels, p->a_only.items[i], &at);
        dims[rank++] = a->v->dims[at];
    }
    for (uint32_t i = 0; i < p->b_only.count; i++) {
        (void)has_label(&b->labels, p->b_only.items[i], &at);
        dims[rank++] = b->v->dims[at];
    }
    if (rank > MAX_RANK)
        return refuse(e->l, e->n, DIAG_LOWER_LIMIT, "%u labels exceed the limit of %d", rank,
                      MAX_RANK);
    out->labels = p->shared;
    append(&out->labels, &p->a_only);
    append(&out->labels, &p->b_only);
    return reshape(e->l, y, dims, rank, &out->v);
}

static o2w_status check_products(struct einsum *e, value v)
{
    uint64_t count;
    if (value_count(v, &count) && count <= (uint64_t)1 << 26)
        return O2W_OK;
    return refuse(e->l, e->n, DIAG_LOWER_LIMIT,
                  "an integer product of this size exceeds 2^26 multiplications");
}

/* By broadcasting; then, for integers, the sum, which WebNN's matmul does not do. */
static o2w_status multiply(struct einsum *e, const struct pair *p, const struct operand_labels *a,
                           const struct operand_labels *b, struct operand_labels *out)
{
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    struct labels order = p->shared;
    value left, right, y;
    append(&order, &p->a_only);
    append(&order, &p->b_only);
    out->labels = order;
    append(&order, &p->summed);
    TRY(arrange(e, a, &order, &left));
    TRY(arrange(e, b, &order, &right));
    TRY(op2(e->l, WEBNN_MUL, left, right, &y));
    sum.axes.given = true;
    for (uint32_t i = 0; i < p->summed.count; i++)
        sum.axes.items[sum.axes.count++] = out->labels.count + i;
    if (sum.axes.count) {
        TRY(check_products(e, y));
        TRY(op(e->l, WEBNN_REDUCE_SUM, OPERANDS(y), &sum, &y));
    }
    out->v = y;
    return O2W_OK;
}

static o2w_status join(struct einsum *e, struct operand_labels *a, struct operand_labels *b,
                       struct operand_labels *out)
{
    struct pair p;
    classify(e, a, b, &p);
    TRY(stretch(e, &p, a, b));
    TRY(stretch(e, &p, b, a));
    if (p.summed.count && dtype_is_float(a->v->dtype))
        TRY(contract(e, &p, a, b, out));
    else
        TRY(multiply(e, &p, a, b, out));
    for (uint32_t i = 0; i < p.shared.count; i++)
        e->used[p.shared.items[i]]--;
    return O2W_OK;
}

static o2w_status lower_einsum(struct lower *l, const struct node_view *n, const void *params)
{
    const struct einsum_params *p = params;
    struct einsum e = { .l = l, .n = n };
    struct operand_labels *items =
        ARENA_ARRAY(lower_arena(l), n->input_count, struct operand_labels);
    struct operand_labels y;
    if (!items)
        return diag_memory(lower_diags(l));
    TRY(read_equation(&e, p->equation, items));
    TRY(check_result(&e, items));
    for (uint32_t i = 0; i < n->input_count; i++) {
        if (n->input_count > 2)
            TRY(widen(l, items[i].v, &items[i].v));
        TRY(take_diagonals(&e, &items[i]));
        TRY(sum_alone(&e, &items[i]));
    }
    y = items[0];
    for (uint32_t i = 1; i < n->input_count; i++) {
        struct operand_labels joined;
        TRY(join(&e, &y, &items[i], &joined));
        y = joined;
    }
    TRY(arrange(&e, &y, &e.result, &y.v));
    return emit_narrowed(l, n, y.v);
}

#define SET_EINSUM (SET_FLOATS | SET_INTS)

const struct onnx_row einsum_rows[] = {
    { ONNX("Einsum", 12, LATEST), INPUTS(IN_MANY("Inputs", T, SET_EINSUM)),
      RESULTS(OUT("Output", T)), PARAMS(struct einsum_params, einsum_attrs), .lower = lower_einsum,
      .class = CLASS_COMPOSED, .webnn = "transpose, matmul, reduceSum",
      .notes = "integers by mul and reduceSum, up to 2^26 multiplications" },
};
ROW_COUNT(einsum);
