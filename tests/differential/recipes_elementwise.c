/* Operators that work element by element, and along axes. */
#include "draw.h"

#include <math.h>
#include <string.h>

static uint32_t rank_of(struct draw *d, const struct node *n, size_t i)
{
    const struct tensor *t = node_input(d->p, n, i);
    return t ? t->rank : 0;
}

static bool row_is(const struct node *n, const char *name)
{
    return strcmp(n->row->name, name) == 0;
}

static bool unary(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 5));
    draw_attributes(d, n, rank_of(d, n, 0));
    return true;
}

/* Rank 1 at least: there is an axis. */
static bool along(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 5));
    draw_attributes(d, n, rank_of(d, n, 0));
    return true;
}

/* --- two and more operands ------------------------------------------------------------------------ */

static int other_operand(struct draw *d, struct node *n, size_t slot)
{
    struct dims s = draw_broadcastable(d, dims_of(node_input(d->p, n, 0)));
    return draw_like(d, bound_dtype(d, n, slot), s);
}

/* Versions below 7: equal shapes, or `broadcast` with the axes of B somewhere in A's. */
static bool legacy_binary(struct draw *d, struct node *n)
{
    struct dims a = dims_of(node_input(d->p, n, 0)), b = a;
    enum dtype t = bound_dtype(d, n, 1);
    if (once_in(d, 2)) {
        push_input(n, draw_like(d, t, b));
        return true;
    }
    uint32_t from = draw_below(d, a.rank + 1), size = draw_below(d, a.rank - from + 1);
    b.rank = size;
    memcpy(b.sizes, a.sizes + from, size * sizeof *b.sizes);
    push_input(n, draw_like(d, t, b));
    add_int(n, "broadcast", 1);
    if (size && (from + size != a.rank || once_in(d, 2)))
        add_int(n, "axis", from);
    return true;
}

static bool binary(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 5));
    if (row_has_attribute(n->row, "broadcast"))
        return legacy_binary(d, n);
    push_input(n, other_operand(d, n, 1));
    if (once_in(d, 3) && !row_is(n, "PRelu")) {
        int swap = n->inputs[0];
        n->inputs[0] = n->inputs[1];
        n->inputs[1] = swap;
    }
    draw_attributes(d, n, rank_of(d, n, 0));
    return true;
}

/* Integers are not divided by 0, nor the least one by -1. */
static bool division(struct draw *d, struct node *n)
{
    if (!binary(d, n))
        return false;
    const struct tensor *b = node_input(d->p, n, 1);
    if (row_is(n, "Mod") && dtype_is_float(b->dtype) && !find_attribute(n, "fmod"))
        add_int(n, "fmod", 1);
    if (dtype_is_float(b->dtype))
        return true;
    bool below = dtype_is_signed(b->dtype) && once_in(d, 2);
    n->inputs[1] = draw_range(d, b->dtype, dims_of(b), below ? -7 : 1, below ? -2 : 7, false);
    return n->inputs[1] != ABSENT;
}

static bool power(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 4));
    const struct tensor *x = node_input(d->p, n, 0);
    struct dims s = draw_broadcastable(d, dims_of(x));
    enum dtype t = bound_dtype(d, n, 1);
    if (row_has_attribute(n->row, "broadcast"))
        return legacy_binary(d, n);
    bool below = dtype_is_float(x->dtype) || once_in(d, 2); /* 0 has no integer power below 0 */
    if (!dtype_is_float(x->dtype))
        n->inputs[0] = draw_range(d, x->dtype, dims_of(x), below ? 1 : -6, 6, false);
    if (dtype_is_float(t) && dtype_is_float(x->dtype))
        push_input(n, draw_value(d, t, s, once_in(d, 2)));
    else
        push_input(n, draw_range(d, t, s, dtype_is_signed(t) && below ? -3 : 0, 5, false));
    return true;
}

static bool shift(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 4));
    const struct tensor *x = node_input(d->p, n, 0);
    push_input(n, draw_range(d, x->dtype, draw_broadcastable(d, dims_of(x)), 0,
                             dtype_info(x->dtype)->bits - 1, false));
    draw_attributes(d, n, 0);
    return true;
}

static bool many(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 4));
    bool equal = d->p->opset < 8;
    for (uint32_t i = draw_below(d, 3); i; i--)
        push_input(n, equal ? draw_like(d, bound_dtype(d, n, 1), dims_of(node_input(d->p, n, 0)))
                            : other_operand(d, n, 1));
    draw_attributes(d, n, 0);
    return true;
}

static bool where(struct draw *d, struct node *n)
{
    struct dims s = draw_dims(d, 0, 4);
    push_input(n, draw_like(d, DTYPE_BOOL, draw_broadcastable(d, s)));
    push_input(n, draw_like(d, draw_dtype(d, slot_dtypes(n, 1)), draw_broadcastable(d, s)));
    push_input(n, draw_like(d, bound_dtype(d, n, 2), draw_broadcastable(d, s)));
    return true;
}

static bool prelu(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = node_input(d->p, n, 0);
    struct dims s = draw_broadcastable(d, dims_of(x));
    if (d->p->opset < 7)
        s = DIMS_OF(once_in(d, 2) || x->rank < 2 ? 1 : x->dims[1]);
    push_input(n, draw_like(d, x->dtype, s));
    draw_attributes(d, n, 0);
    return true;
}

static bool clip(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 0, 4));
    enum dtype t = node_input(d->p, n, 0)->dtype;
    if (n->row->input_count > 1) {
        push_input(n, once_in(d, 3) ? ABSENT : draw_value(d, t, (struct dims){ 0 }, once_in(d, 2)));
        if (once_in(d, 2))
            push_input(n, draw_value(d, t, (struct dims){ 0 }, once_in(d, 2)));
    }
    draw_attributes(d, n, 0);
    return true;
}

/* --- casts ------------------------------------------------------------------------------------------ */

/* Whether every number lies in the target: others are undefined in ONNX. */
static bool numbers_fit(const struct tensor *x, enum dtype to)
{
    for (uint64_t i = 0; dtype_is_float(x->dtype) && dtype_is_integer(to) && i < tensor_count(x);
         i++) {
        double v = trunc(tensor_get_double(x, i));
        if (!(v >= (double)dtype_min(to) && v < (double)dtype_max(to)))
            return false;
    }
    return true;
}

static const enum dtype targets[] = { DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_FLOAT64, DTYPE_INT64,
                                      DTYPE_INT32,   DTYPE_INT16,   DTYPE_INT8,    DTYPE_UINT64,
                                      DTYPE_UINT32,  DTYPE_UINT16,  DTYPE_UINT8,   DTYPE_BOOL,
                                      DTYPE_BFLOAT16 };

static enum dtype draw_target(struct draw *d)
{
    return targets[draw_below(d, sizeof targets / sizeof *targets)];
}

static bool cast(struct draw *d, struct node *n)
{
    static const char *const names[] = { "FLOAT", "FLOAT16", "DOUBLE", "INT64",  "INT32", "INT16",
                                         "INT8",  "UINT64",  "UINT32", "UINT16", "UINT8", "BOOL" };
    uint32_t at = draw_below(d, 12);
    push_input(n, draw_input(d, n, 0, 0, 4));
    if (d->p->opset < 6)
        add_text(n, "to", names[at]);
    else
        add_int(n, "to", dtype_info(targets[at])->onnx);
    return numbers_fit(node_input(d->p, n, 0), targets[at]);
}

static bool cast_like(struct draw *d, struct node *n)
{
    enum dtype t = draw_target(d);
    push_input(n, draw_input(d, n, 0, 0, 4));
    push_input(n, draw_value(d, t, draw_dims(d, 0, 2), false));
    return numbers_fit(node_input(d->p, n, 0), t);
}

/* --- reductions --------------------------------------------------------------------------------------- */

static bool reduce(struct draw *d, struct node *n)
{
    int64_t axes[MAX_RANK];
    push_input(n, draw_input(d, n, 0, 0, 5));
    uint32_t rank = rank_of(d, n, 0);
    if (n->row->input_count > 1 && !once_in(d, 4))
        push_input(n, known_list(d, DTYPE_INT64, axes, draw_axes(d, rank, axes)));
    draw_attributes(d, n, rank);
    return true;
}

static bool cumulative(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    push_input(n, known_scalar(d, once_in(d, 2) ? DTYPE_INT64 : DTYPE_INT32,
                               (double)draw_axis(d, rank_of(d, n, 0))));
    draw_attributes(d, n, 0);
    return true;
}

static bool top_k(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 1, 4));
    const struct tensor *x = node_input(d->p, n, 0);
    int64_t axis = draw_axis(d, x->rank), k;
    k = draw_between(d, 0, x->dims[axis < 0 ? axis + x->rank : axis]);
    add_int(n, "axis", axis);
    if (d->p->opset < 10)
        add_int(n, "k", k);
    else
        push_input(n, known_list(d, DTYPE_INT64, &k, 1));
    draw_attributes(d, n, x->rank);
    n->output_count = 2;
    return true;
}

/* Known inputs only: scalars from a few. */
static bool range(struct draw *d, struct node *n)
{
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0));
    push_input(n, known_scalar(d, t, (double)draw_between(d, -5, 9)));
    push_input(n, known_scalar(d, t, (double)draw_between(d, -5, 9)));
    push_input(n, known_scalar(d, t, (double)DRAW_OF(d, 1, 2, 3, -1, -2)));
    return true;
}

static bool constant_of_shape(struct draw *d, struct node *n)
{
    struct dims s = draw_dims(d, 0, 4);
    push_input(n, known_list(d, DTYPE_INT64, s.sizes, s.rank));
    if (once_in(d, 3))
        return true;
    struct attribute *a = add_attribute(n, "value", PARAM_TENSOR);
    enum dtype t = draw_dtype(d, SET_ALL);
    if (tensor_new(d->arena, t, &(int64_t){ 1 }, 1, &a->tensor) != O2W_OK)
        return false;
    tensor_put_i64(&a->tensor, 0, draw_between(d, 0, 3));
    return true;
}

static bool eye(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 2, 2));
    if (once_in(d, 2))
        add_int(n, "k", draw_between(d, -3, 3));
    if (once_in(d, 2))
        add_int(n, "dtype",
                dtype_info((enum dtype)DRAW_OF(d, DTYPE_FLOAT32, DTYPE_INT64, DTYPE_INT32))->onnx);
    return true;
}

static bool window(struct draw *d, struct node *n)
{
    push_input(n, known_scalar(d, DTYPE_INT64, (double)draw_between(d, 1, 12)));
    draw_attributes(d, n, 0);
    return true;
}

const struct recipe elementwise_recipes[] = {
    { "Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid "
      "HardSwish Identity IsInf IsNaN LeakyRelu Log Mish Neg Not Reciprocal Relu Round Selu Shrink Sigmoid Sign "
      "Sin Sinh Size Softplus Softsign Sqrt Swish Tan Tanh ThresholdedRelu Dropout DynamicQuantizeLinear "
      "QuickGelu FastGelu",
      unary },
    { "Softmax LogSoftmax Hardmax ArgMax ArgMin LpNormalization Flatten MeanVarianceNormalization",
      along },
    { "Add Sub Mul And Or Xor Equal Greater GreaterOrEqual Less LessOrEqual BitwiseAnd BitwiseOr BitwiseXor",
      binary },
    { "Div Mod", division },
    { "Pow", power },
    { "BitShift", shift },
    { "Max Min Mean Sum", many },
    { "Where", where },
    { "PRelu", prelu },
    { "Clip", clip },
    { "Cast", cast },
    { "CastLike", cast_like },
    { "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
      "ReduceSumSquare",
      reduce },
    { "CumSum CumProd", cumulative },
    { "TopK", top_k },
    { "Range", range },
    { "ConstantOfShape", constant_of_shape },
    { "EyeLike", eye },
    { "HannWindow HammingWindow BlackmanWindow", window },
    { NULL, NULL },
};
