#include "backend/litert/lower.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A graph being written. After a failure every call does nothing. */
struct writing {
    const struct graph *graph;
    const struct operator_node *node;
    struct lite_model model;
    int32_t *tensors; /* by operand; LITE_NONE: not yet */
    struct arena arena;
    struct diags *diags;
    o2w_status status;
};

typedef void (*lowering)(struct writing *w);

/* Intermediate shapes. */
struct shape {
    uint32_t rank;
    int64_t dims[LITERT_RANK];
};

#define FIELDS(...)            \
    .fields = { __VA_ARGS__ }, \
    .field_count = sizeof((const struct flat_field[]){ __VA_ARGS__ }) / sizeof(struct flat_field)
#define INT(v)           \
    {                    \
        4, (uint32_t)(v) \
    }
#define BYTE(v)         \
    {                   \
        1, (uint8_t)(v) \
    }
#define OPTIONS(type) (const struct webnn_##type##_attributes *)w->node->attributes

static void refuse(struct writing *w, const char *what)
{
    if (w->status == O2W_OK)
        w->status = diag_error(w->diags, DIAG_OP_LIMITS, "%s: litert has no %s",
                               operator_row(w->node->kind)->name, what);
}

static const struct operand *operand_at(const struct writing *w, uint32_t slot)
{
    return graph_operand(w->graph, w->node->operands[slot]);
}

static bool has_operand(const struct writing *w, uint32_t slot)
{
    return slot < w->node->operand_count && w->node->operands[slot] != NO_ID;
}

static struct shape shape_of(const struct operand *o)
{
    struct shape s = { .rank = o->rank };
    memcpy(s.dims, o->dims, (o->rank > LITERT_RANK ? LITERT_RANK : o->rank) * sizeof *s.dims);
    return s;
}

static struct shape result_shape(const struct writing *w)
{
    return shape_of(graph_operand(w->graph, w->node->first_result));
}

/* Bytes that live as long as the writing. */
static const void *kept(struct writing *w, const void *data, size_t size)
{
    void *copy = arena_alloc(&w->arena, size + 1, 16);
    if (!copy && w->status == O2W_OK)
        w->status = diag_memory(w->diags);
    if (copy && size)
        memcpy(copy, data, size);
    return copy;
}

/* --- tensors ------------------------------------------------------------------------------------------ */

static int32_t between(struct writing *w, const struct shape *s)
{
    return lite_tensor(&w->model, DTYPE_FLOAT32, s->dims, s->rank, NULL, 0);
}

static int32_t int_list(struct writing *w, const int32_t *values, uint32_t count)
{
    const int64_t dims[1] = { count };
    return lite_tensor(&w->model, DTYPE_INT32, dims, 1, kept(w, values, count * sizeof *values),
                       count * sizeof *values);
}

static int32_t real(struct writing *w, double value)
{
    const float f = (float)value;
    return lite_tensor(&w->model, DTYPE_FLOAT32, NULL, 0, kept(w, &f, sizeof f), sizeof f);
}

static int32_t constant_tensor(struct writing *w, operand_id id)
{
    const struct operand *o = graph_operand(w->graph, id);
    struct tensor t;
    if (w->status == O2W_OK)
        w->status = graph_constant(w->graph, id, &w->arena, w->diags, &t);
    if (w->status != O2W_OK)
        return LITE_NONE;
    return lite_tensor(&w->model, DTYPE_FLOAT32, o->dims, o->rank, t.data,
                       (size_t)tensor_bytes(&t));
}

static int32_t operand(struct writing *w, uint32_t slot)
{
    operand_id id = w->node->operands[slot];
    if (w->tensors[id] == LITE_NONE)
        w->tensors[id] = constant_tensor(w, id);
    return w->tensors[id];
}

static void result(struct writing *w, int32_t tensor)
{
    w->tensors[w->node->first_result] = tensor;
}

/* --- nodes -------------------------------------------------------------------------------------------- */

static int32_t node(struct writing *w, struct lite_node n, const struct shape *s,
                    const int32_t *inputs, size_t count)
{
    n.inputs = kept(w, inputs, count * sizeof *inputs);
    n.input_count = count;
    n.output = between(w, s);
    lite_node(&w->model, &n);
    return n.output;
}
#define INPUTS(...) \
    (const int32_t[]){ __VA_ARGS__ }, sizeof((const int32_t[]){ __VA_ARGS__ }) / sizeof(int32_t)

static int32_t unary(struct writing *w, enum lite_op op, const struct shape *s, int32_t x)
{
    return node(w, (struct lite_node){ .op = op }, s, INPUTS(x));
}

static enum lite_options binary_options(enum lite_op op)
{
    return op == LITE_ADD   ? LITE_ADD_OPTIONS
           : op == LITE_SUB ? LITE_SUB_OPTIONS
           : op == LITE_MUL ? LITE_MUL_OPTIONS
           : op == LITE_DIV ? LITE_DIV_OPTIONS
                            : LITE_NO_OPTIONS;
}

/* Arithmetic has a table of options with no activation fused. */
static int32_t binary(struct writing *w, enum lite_op op, const struct shape *s, int32_t a,
                      int32_t b)
{
    enum lite_options options = binary_options(op);
    return node(w,
                (struct lite_node){ .op = op,
                                    .options = options,
                                    .fields = { BYTE(0) },
                                    .field_count = options != LITE_NO_OPTIONS },
                s, INPUTS(a, b));
}

static int32_t reshape(struct writing *w, int32_t x, const struct shape *s)
{
    int32_t dims[LITERT_RANK];
    for (uint32_t i = 0; i < s->rank; i++)
        dims[i] = (int32_t)s->dims[i];
    return node(w, (struct lite_node){ .op = LITE_RESHAPE }, s,
                INPUTS(x, int_list(w, dims, s->rank)));
}

static int32_t transpose(struct writing *w, int32_t x, struct shape *s, const uint32_t *order)
{
    const struct shape from = *s;
    int32_t list[LITERT_RANK];
    for (uint32_t i = 0; i < s->rank; i++) {
        list[i] = (int32_t)order[i];
        s->dims[i] = from.dims[order[i]];
    }
    return node(w, (struct lite_node){ .op = LITE_TRANSPOSE }, s,
                INPUTS(x, int_list(w, list, s->rank)));
}

/* Pads of each dim: before, after. */
static int32_t pad(struct writing *w, int32_t x, struct shape *s, int32_t pads[LITERT_RANK][2],
                   double value)
{
    const int64_t dims[2] = { s->rank, 2 };
    bool any = false;
    for (uint32_t i = 0; i < s->rank; i++) {
        s->dims[i] += pads[i][0] + pads[i][1];
        any = any || pads[i][0] || pads[i][1];
    }
    if (!any)
        return x;
    int32_t list =
        lite_tensor(&w->model, DTYPE_INT32, dims, 2, kept(w, pads, s->rank * 8), s->rank * 8);
    return node(w, (struct lite_node){ .op = LITE_PADV2 }, s, INPUTS(x, list, real(w, value)));
}

/* --- elementwise --------------------------------------------------------------------------------------- */

static void lower_unary(struct writing *w)
{
    static const enum lite_op ops[WEBNN_OPERATOR_COUNT] = {
        [WEBNN_ABS] = LITE_ABS,          [WEBNN_CEIL] = LITE_CEIL,        [WEBNN_COS] = LITE_COS,
        [WEBNN_EXP] = LITE_EXP,          [WEBNN_FLOOR] = LITE_FLOOR,      [WEBNN_LOG] = LITE_LOG,
        [WEBNN_NEG] = LITE_NEG,          [WEBNN_ROUND_EVEN] = LITE_ROUND, [WEBNN_SIN] = LITE_SIN,
        [WEBNN_SQRT] = LITE_SQRT,        [WEBNN_RELU] = LITE_RELU,        [WEBNN_TANH] = LITE_TANH,
        [WEBNN_SIGMOID] = LITE_LOGISTIC,
    };
    const struct shape s = result_shape(w);
    result(w, unary(w, ops[w->node->kind], &s, operand(w, 0)));
}

static void lower_binary(struct writing *w)
{
    static const enum lite_op ops[WEBNN_OPERATOR_COUNT] = {
        [WEBNN_ADD] = LITE_ADD, [WEBNN_SUB] = LITE_SUB,     [WEBNN_MUL] = LITE_MUL,
        [WEBNN_DIV] = LITE_DIV, [WEBNN_MAX] = LITE_MAXIMUM, [WEBNN_MIN] = LITE_MINIMUM,
        [WEBNN_POW] = LITE_POW,
    };
    const struct shape s = result_shape(w);
    result(w, binary(w, ops[w->node->kind], &s, operand(w, 0), operand(w, 1)));
}

static double bound_of(const struct webnn_number *n, double fallback)
{
    return n->kind == WEBNN_NUMBER_NONE   ? fallback
           : n->kind == WEBNN_NUMBER_INT  ? (double)n->i
           : n->kind == WEBNN_NUMBER_UINT ? (double)n->u
                                          : n->d;
}

static int32_t within(struct writing *w, const struct shape *s, int32_t x, double low, double high)
{
    x = low == -INFINITY ? x : binary(w, LITE_MAXIMUM, s, x, real(w, low));
    return high == INFINITY ? x : binary(w, LITE_MINIMUM, s, x, real(w, high));
}

static void lower_clamp(struct writing *w)
{
    const struct webnn_clamp_attributes *p = OPTIONS(clamp);
    const struct shape s = result_shape(w);
    double low = bound_of(&p->min_value, -INFINITY), high = bound_of(&p->max_value, INFINITY);
    int32_t x = operand(w, 0);
    result(w,
           low == -INFINITY && high == INFINITY ? reshape(w, x, &s) : within(w, &s, x, low, high));
}

static int32_t line(struct writing *w, const struct shape *s, int32_t x, double alpha, double beta)
{
    return binary(w, LITE_ADD, s, binary(w, LITE_MUL, s, x, real(w, alpha)), real(w, beta));
}

static void lower_linear(struct writing *w)
{
    const struct webnn_linear_attributes *p = OPTIONS(linear);
    const struct shape s = result_shape(w);
    result(w, line(w, &s, operand(w, 0), p->alpha, p->beta));
}

static void lower_hard_sigmoid(struct writing *w)
{
    const struct webnn_hard_sigmoid_attributes *p = OPTIONS(hard_sigmoid);
    const struct shape s = result_shape(w);
    result(w, within(w, &s, line(w, &s, operand(w, 0), p->alpha, p->beta), 0, 1));
}

static void lower_hard_swish(struct writing *w)
{
    const struct shape s = result_shape(w);
    int32_t x = operand(w, 0);
    int32_t gate = within(w, &s, binary(w, LITE_ADD, &s, x, real(w, 3)), 0, 6);
    result(w, binary(w, LITE_DIV, &s, binary(w, LITE_MUL, &s, x, gate), real(w, 6)));
}

/* max(x, 0) + slope · min(x, 0) */
static int32_t sloped(struct writing *w, const struct shape *s, int32_t x, int32_t slope)
{
    int32_t zero = real(w, 0);
    const struct shape from = shape_of(operand_at(w, 0));
    int32_t below = binary(w, LITE_MUL, s, slope, binary(w, LITE_MINIMUM, &from, x, zero));
    return binary(w, LITE_ADD, s, binary(w, LITE_MAXIMUM, &from, x, zero), below);
}

static void lower_leaky_relu(struct writing *w)
{
    const struct webnn_leaky_relu_attributes *p = OPTIONS(leaky_relu);
    const struct shape s = result_shape(w);
    result(w, sloped(w, &s, operand(w, 0), real(w, p->alpha)));
}

static void lower_prelu(struct writing *w)
{
    const struct shape s = result_shape(w);
    result(w, sloped(w, &s, operand(w, 0), operand(w, 1)));
}

static void lower_reciprocal(struct writing *w)
{
    const struct shape s = result_shape(w);
    result(w, binary(w, LITE_DIV, &s, real(w, 1), operand(w, 0)));
}

static void lower_softsign(struct writing *w)
{
    const struct shape s = result_shape(w);
    int32_t x = operand(w, 0), size = unary(w, LITE_ABS, &s, x);
    result(w, binary(w, LITE_DIV, &s, x, binary(w, LITE_ADD, &s, size, real(w, 1))));
}

/* --- movement ------------------------------------------------------------------------------------------ */

static void lower_reshape(struct writing *w)
{
    const struct shape s = result_shape(w);
    result(w, reshape(w, operand(w, 0), &s));
}

static void lower_transpose(struct writing *w)
{
    const struct webnn_transpose_attributes *p = OPTIONS(transpose);
    struct shape s = shape_of(operand_at(w, 0));
    int32_t x = operand(w, 0);
    result(w, s.rank ? transpose(w, x, &s, p->permutation.items) : reshape(w, x, &s));
}

static void lower_concat(struct writing *w)
{
    const struct webnn_concat_attributes *p = OPTIONS(concat);
    const struct shape s = result_shape(w);
    int32_t *list = ARENA_ARRAY(&w->arena, w->node->operand_count, int32_t);
    if (!list) {
        w->status = w->status == O2W_OK ? diag_memory(w->diags) : w->status;
        return;
    }
    for (uint32_t i = 0; i < w->node->operand_count; i++)
        list[i] = operand(w, i);
    result(w, node(w,
                   (struct lite_node){ .op = LITE_CONCATENATION,
                                       .options = LITE_CONCATENATION_OPTIONS,
                                       FIELDS(INT(p->axis), BYTE(0)) },
                   &s, list, w->node->operand_count));
}

static int32_t slice(struct writing *w, int32_t x, const struct shape *s, const int32_t *begin,
                     const int32_t *end, const int32_t *strides)
{
    return node(w,
                (struct lite_node){ .op = LITE_STRIDED_SLICE,
                                    .options = LITE_STRIDED_SLICE_OPTIONS,
                                    FIELDS(INT(0), INT(0), INT(0), INT(0), INT(0)) },
                s,
                INPUTS(x, int_list(w, begin, s->rank), int_list(w, end, s->rank),
                       int_list(w, strides, s->rank)));
}

static void lower_slice(struct writing *w)
{
    const struct webnn_slice_attributes *p = OPTIONS(slice);
    const struct shape s = result_shape(w);
    int32_t begin[LITERT_RANK], end[LITERT_RANK], strides[LITERT_RANK];
    for (uint32_t i = 0; i < s.rank; i++) {
        begin[i] = (int32_t)p->starts.items[i];
        end[i] = begin[i] + (int32_t)p->sizes.items[i];
        strides[i] = p->strides.given ? (int32_t)p->strides.items[i] : 1;
    }
    result(w, s.rank ? slice(w, operand(w, 0), &s, begin, end, strides)
                     : reshape(w, operand(w, 0), &s));
}

static void lower_split(struct writing *w)
{
    const struct webnn_split_attributes *p = OPTIONS(split);
    int32_t x = operand(w, 0), at = 0, ones[LITERT_RANK] = { 1, 1, 1, 1, 1 };
    for (uint32_t i = 0; i < w->node->result_count; i++) {
        operand_id id = w->node->first_result + i;
        const struct shape s = shape_of(graph_operand(w->graph, id));
        int32_t begin[LITERT_RANK] = { 0 }, end[LITERT_RANK];
        for (uint32_t d = 0; d < s.rank; d++)
            end[d] = (int32_t)s.dims[d];
        begin[p->axis] = at;
        end[p->axis] += at;
        at = end[p->axis];
        w->tensors[id] = slice(w, x, &s, begin, end, ones);
    }
}

static void lower_pad(struct writing *w)
{
    const struct webnn_pad_attributes *p = OPTIONS(pad);
    struct shape s = shape_of(operand_at(w, 0));
    int32_t pads[LITERT_RANK][2], x = operand(w, 0);
    if (p->mode != WEBNN_PADDING_MODE_CONSTANT) {
        refuse(w, "padding but with a constant");
        return;
    }
    for (uint32_t i = 0; i < s.rank; i++) {
        pads[i][0] = (int32_t)p->beginning_padding.items[i];
        pads[i][1] = (int32_t)p->ending_padding.items[i];
    }
    int32_t padded = pad(w, x, &s, pads, bound_of(&p->value, 0));
    result(w, padded == x ? reshape(w, x, &s) : padded);
}

static void lower_tile(struct writing *w)
{
    const struct webnn_tile_attributes *p = OPTIONS(tile);
    const struct shape s = result_shape(w);
    int32_t times[LITERT_RANK];
    for (uint32_t i = 0; i < s.rank; i++)
        times[i] = (int32_t)p->repetitions.items[i];
    int32_t x = operand(w, 0);
    result(w, s.rank ? node(w, (struct lite_node){ .op = LITE_TILE }, &s,
                            INPUTS(x, int_list(w, times, s.rank)))
                     : reshape(w, x, &s));
}

static void lower_expand(struct writing *w)
{
    const struct shape s = result_shape(w);
    int32_t dims[LITERT_RANK];
    for (uint32_t i = 0; i < s.rank; i++)
        dims[i] = (int32_t)s.dims[i];
    int32_t x = operand(w, 0);
    result(w, s.rank ? node(w, (struct lite_node){ .op = LITE_BROADCAST_TO }, &s,
                            INPUTS(x, int_list(w, dims, s.rank)))
                     : reshape(w, x, &s));
}

/* --- reductions, products ------------------------------------------------------------------------------ */

static void lower_reduce(struct writing *w)
{
    static const enum lite_op ops[WEBNN_OPERATOR_COUNT] = {
        [WEBNN_REDUCE_MEAN] = LITE_MEAN,
        [WEBNN_REDUCE_SUM] = LITE_SUM,
        [WEBNN_REDUCE_MAX] = LITE_REDUCE_MAX,
        [WEBNN_REDUCE_MIN] = LITE_REDUCE_MIN,
    };
    const struct webnn_reduce_attributes *p = OPTIONS(reduce);
    const struct shape s = result_shape(w);
    int32_t axes[LITERT_RANK];
    for (uint32_t i = 0; i < p->axes.count && i < LITERT_RANK; i++)
        axes[i] = (int32_t)p->axes.items[i];
    int32_t x = operand(w, 0);
    if (p->axes.count == 0)
        result(w, reshape(w, x, &s));
    else
        result(w, node(w,
                       (struct lite_node){ .op = ops[w->node->kind],
                                           .options = LITE_REDUCER_OPTIONS,
                                           FIELDS(BYTE(p->keep_dimensions)) },
                       &s, INPUTS(x, int_list(w, axes, p->axes.count))));
}

static void lower_softmax(struct writing *w)
{
    const struct webnn_softmax_attributes *p = OPTIONS(softmax);
    struct shape s = result_shape(w);
    uint32_t order[LITERT_RANK] = { 0, 1, 2, 3, 4 }, last = s.rank - 1;
    const float one = 1;
    uint32_t beta;
    memcpy(&beta, &one, sizeof beta);
    order[p->axis] = last;
    order[last] = p->axis;
    int32_t x = operand(w, 0);
    bool turned = p->axis != last;
    x = turned ? transpose(w, x, &s, order) : x;
    x = node(w,
             (struct lite_node){
                 .op = LITE_SOFTMAX, .options = LITE_SOFTMAX_OPTIONS, FIELDS({ 4, beta }) },
             &s, INPUTS(x));
    result(w, turned ? transpose(w, x, &s, order) : x);
}

static int32_t product(struct writing *w, const struct shape *s, int32_t a, int32_t b,
                       bool a_transpose, bool b_transpose)
{
    return node(w,
                (struct lite_node){ .op = LITE_BATCH_MATMUL,
                                    .options = LITE_BATCH_MATMUL_OPTIONS,
                                    FIELDS(BYTE(a_transpose), BYTE(b_transpose)) },
                s, INPUTS(a, b));
}

static void lower_matmul(struct writing *w)
{
    const struct shape s = result_shape(w);
    result(w, product(w, &s, operand(w, 0), operand(w, 1), false, false));
}

static void lower_gemm(struct writing *w)
{
    const struct webnn_gemm_attributes *p = OPTIONS(gemm);
    const struct shape s = result_shape(w);
    int32_t y = product(w, &s, operand(w, 0), operand(w, 1), p->a_transpose, p->b_transpose);
    y = p->alpha == 1 ? y : binary(w, LITE_MUL, &s, y, real(w, p->alpha));
    if (has_operand(w, 2) && p->beta != 0) {
        const struct shape c_shape = shape_of(operand_at(w, 2));
        int32_t c = operand(w, 2);
        c = p->beta == 1 ? c : binary(w, LITE_MUL, &c_shape, c, real(w, p->beta));
        y = binary(w, LITE_ADD, &s, y, c);
    }
    result(w, y);
}

/* --- images -------------------------------------------------------------------------------------------- */

static const uint32_t to_nhwc[4] = { 0, 2, 3, 1 }, to_nchw[4] = { 0, 3, 1, 2 };

/* The input with its channels last. */
static int32_t image(struct writing *w, uint32_t layout, struct shape *s)
{
    *s = shape_of(operand_at(w, 0));
    int32_t x = operand(w, 0);
    return layout == WEBNN_INPUT_LAYOUT_NCHW ? transpose(w, x, s, to_nhwc) : x;
}

static void image_result(struct writing *w, uint32_t layout, int32_t y, struct shape s)
{
    result(w, layout == WEBNN_INPUT_LAYOUT_NCHW ? transpose(w, y, &s, to_nchw) : y);
}

/* The result with its channels last. */
static struct shape image_result_shape(const struct writing *w, uint32_t layout)
{
    struct shape s = result_shape(w), turned = s;
    if (layout == WEBNN_INPUT_LAYOUT_NCHW)
        for (int i = 0; i < 4; i++)
            turned.dims[i] = s.dims[to_nhwc[i]];
    return turned;
}

/* What must stand around rows and columns so that windows wholly inside give the result's size. */
static void window_pads(const struct webnn_u32s *padding, const struct shape *x,
                        const struct shape *y, const int64_t window[2], const int64_t strides[2],
                        const int64_t dilations[2], int32_t pads[LITERT_RANK][2])
{
    memset(pads, 0, LITERT_RANK * sizeof *pads);
    for (int i = 0; i < 2; i++) {
        int64_t reach = (y->dims[1 + i] - 1) * strides[i] + (window[i] - 1) * dilations[i] + 1;
        int64_t before = padding->given ? padding->items[2 * i] : 0;
        int64_t after = reach - x->dims[1 + i] - before;
        pads[1 + i][0] = (int32_t)before;
        pads[1 + i][1] = (int32_t)(after > 0 ? after : 0);
    }
}

/* The filter as [out, rows, columns, in per group]; depthwise as [1, rows, columns, out]. */
static int32_t conv_filter(struct writing *w, uint32_t layout, bool depthwise, struct shape *s)
{
    static const uint32_t to_ohwi[][4] = {
        [WEBNN_CONV2D_FILTER_LAYOUT_OIHW] = { 0, 2, 3, 1 },
        [WEBNN_CONV2D_FILTER_LAYOUT_HWIO] = { 3, 0, 1, 2 },
        [WEBNN_CONV2D_FILTER_LAYOUT_OHWI] = { 0, 1, 2, 3 },
        [WEBNN_CONV2D_FILTER_LAYOUT_IHWO] = { 3, 1, 2, 0 },
    };
    const uint32_t *o = to_ohwi[layout], channels_last[4] = { o[3], o[1], o[2], o[0] };
    *s = shape_of(operand_at(w, 1));
    return transpose(w, operand(w, 1), s, depthwise ? channels_last : o);
}

/* The engine's convolution wants a bias. */
static int32_t zeros(struct writing *w, int64_t count)
{
    float *values = ARENA_ARRAY(&w->arena, (size_t)count, float);
    if (!values && w->status == O2W_OK)
        w->status = diag_memory(w->diags);
    if (values)
        memset(values, 0, (size_t)count * sizeof *values);
    return lite_tensor(&w->model, DTYPE_FLOAT32, &count, 1, values, (size_t)count * sizeof *values);
}

static void lower_conv2d(struct writing *w)
{
    const struct webnn_conv2d_attributes *p = OPTIONS(conv2d);
    struct shape x, filter, y = image_result_shape(w, p->input_layout);
    int32_t pads[LITERT_RANK][2], in = image(w, p->input_layout, &x);
    bool depthwise = p->groups > 1 && p->groups == (uint64_t)x.dims[3];
    const int64_t strides[2] = { p->strides.given ? p->strides.items[0] : 1,
                                 p->strides.given ? p->strides.items[1] : 1 };
    const int64_t dilations[2] = { p->dilations.given ? p->dilations.items[0] : 1,
                                   p->dilations.given ? p->dilations.items[1] : 1 };
    if (p->groups > 1 && !depthwise) {
        refuse(w, "groups of several channels");
        return;
    }
    int32_t f = conv_filter(w, p->filter_layout, depthwise, &filter);
    window_pads(&p->padding, &x, &y, &filter.dims[1], strides, dilations, pads);
    in = pad(w, in, &x, pads, 0);
    struct lite_node conv = { .op = LITE_CONV_2D,
                              .options = LITE_CONV_2D_OPTIONS,
                              FIELDS(BYTE(1), INT(strides[1]), INT(strides[0]), BYTE(0),
                                     INT(dilations[1]), INT(dilations[0])) };
    struct lite_node each = { .op = LITE_DEPTHWISE_CONV_2D,
                              .options = LITE_DEPTHWISE_CONV_2D_OPTIONS,
                              FIELDS(BYTE(1), INT(strides[1]), INT(strides[0]),
                                     INT(y.dims[3] / x.dims[3]), BYTE(0), INT(dilations[1]),
                                     INT(dilations[0])) };
    int32_t bias = has_operand(w, 2) ? operand(w, 2) : zeros(w, y.dims[3]);
    image_result(w, p->input_layout, node(w, depthwise ? each : conv, &y, INPUTS(in, f, bias)), y);
}

/* Padding outside the image must not win: it is -infinity. */
static void lower_max_pool2d(struct writing *w)
{
    const struct webnn_pool2d_attributes *p = OPTIONS(pool2d);
    struct shape x, y = image_result_shape(w, p->layout);
    int32_t pads[LITERT_RANK][2], in = image(w, p->layout, &x);
    const int64_t window[2] = {
        p->window_dimensions.given ? p->window_dimensions.items[0] : x.dims[1],
        p->window_dimensions.given ? p->window_dimensions.items[1] : x.dims[2]
    };
    const int64_t strides[2] = { p->strides.given ? p->strides.items[0] : 1,
                                 p->strides.given ? p->strides.items[1] : 1 };
    const int64_t ones[2] = { 1, 1 };
    bool average = w->node->kind == WEBNN_AVERAGE_POOL2D;
    if (p->dilations.given && (p->dilations.items[0] != 1 || p->dilations.items[1] != 1))
        refuse(w, "dilated pools");
    window_pads(&p->padding, &x, &y, window, strides, ones, pads);
    if (average && (pads[1][0] || pads[1][1] || pads[2][0] || pads[2][1]))
        refuse(w, "averages over padding");
    in = pad(w, in, &x, pads, -INFINITY);
    const struct lite_node pool = { .op = average ? LITE_AVERAGE_POOL_2D : LITE_MAX_POOL_2D,
                                    .options = LITE_POOL_2D_OPTIONS,
                                    FIELDS(BYTE(1), INT(strides[1]), INT(strides[0]),
                                           INT(window[1]), INT(window[0]), BYTE(0)) };
    image_result(w, p->layout, node(w, pool, &y, INPUTS(in)), y);
}

/* By whole factors upwards each element is repeated, which the engine does exactly. */
static void lower_resample2d(struct writing *w)
{
    const struct webnn_resample2d_attributes *p = OPTIONS(resample2d);
    uint32_t a = p->axes.given ? p->axes.items[0] : 2, b = p->axes.given ? p->axes.items[1] : 3;
    uint32_t first = a < b ? a : b,
             layout = first == 2 ? WEBNN_INPUT_LAYOUT_NCHW : WEBNN_INPUT_LAYOUT_NHWC;
    bool linear = p->mode == WEBNN_INTERPOLATION_LINEAR;
    struct shape x, y = image_result_shape(w, layout);
    if (a + b != 2 * first + 1 || first == 0)
        refuse(w, "resampling of other axes than the image's");
    int32_t in = image(w, layout, &x);
    if (!linear && (y.dims[1] % x.dims[1] || y.dims[2] % x.dims[2]))
        refuse(w, "nearest resampling but by whole factors upwards");
    const int32_t sizes[2] = { (int32_t)y.dims[1], (int32_t)y.dims[2] };
    struct lite_node n = { .op = LITE_RESIZE_BILINEAR,
                           .options = LITE_RESIZE_BILINEAR_OPTIONS,
                           FIELDS({ 0, 0 }, { 0, 0 }, BYTE(0), BYTE(1)) };
    struct lite_node nearest = { .op = LITE_RESIZE_NEAREST_NEIGHBOR,
                                 .options = LITE_RESIZE_NEAREST_NEIGHBOR_OPTIONS,
                                 FIELDS(BYTE(0), BYTE(0)) };
    image_result(w, layout, node(w, linear ? n : nearest, &y, INPUTS(in, int_list(w, sizes, 2))),
                 y);
}

/* --- normalisation ------------------------------------------------------------------------------------- */

static int32_t along(struct writing *w, uint32_t slot, uint32_t axis, uint32_t rank)
{
    struct shape s = { .rank = rank, .dims = { 1, 1, 1, 1, 1 } };
    s.dims[axis] = operand_at(w, slot)->dims[0];
    return reshape(w, operand(w, slot), &s);
}

static void lower_batch_normalization(struct writing *w)
{
    const struct webnn_batch_normalization_attributes *p = OPTIONS(batch_normalization);
    const struct shape s = result_shape(w);
    struct shape line_shape = { .rank = s.rank, .dims = { 1, 1, 1, 1, 1 } };
    line_shape.dims[p->axis] = s.dims[p->axis];
    int32_t mean = along(w, 1, p->axis, s.rank), variance = along(w, 2, p->axis, s.rank);
    int32_t y = binary(w, LITE_SUB, &s, operand(w, 0), mean);
    int32_t root = unary(w, LITE_SQRT, &line_shape,
                         binary(w, LITE_ADD, &line_shape, variance, real(w, p->epsilon)));
    y = binary(w, LITE_DIV, &s, y, root);
    if (has_operand(w, 3))
        y = binary(w, LITE_MUL, &s, y, along(w, 3, p->axis, s.rank));
    result(w, has_operand(w, 4) ? binary(w, LITE_ADD, &s, y, along(w, 4, p->axis, s.rank)) : y);
}

/* --- the graph ----------------------------------------------------------------------------------------- */

static const lowering lowerings[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_ABS] = lower_unary,
    [WEBNN_CEIL] = lower_unary,
    [WEBNN_COS] = lower_unary,
    [WEBNN_EXP] = lower_unary,
    [WEBNN_FLOOR] = lower_unary,
    [WEBNN_LOG] = lower_unary,
    [WEBNN_NEG] = lower_unary,
    [WEBNN_ROUND_EVEN] = lower_unary,
    [WEBNN_SIN] = lower_unary,
    [WEBNN_SQRT] = lower_unary,
    [WEBNN_RELU] = lower_unary,
    [WEBNN_TANH] = lower_unary,
    [WEBNN_SIGMOID] = lower_unary,
    [WEBNN_ADD] = lower_binary,
    [WEBNN_SUB] = lower_binary,
    [WEBNN_MUL] = lower_binary,
    [WEBNN_DIV] = lower_binary,
    [WEBNN_MAX] = lower_binary,
    [WEBNN_MIN] = lower_binary,
    [WEBNN_POW] = lower_binary,
    [WEBNN_CLAMP] = lower_clamp,
    [WEBNN_LINEAR] = lower_linear,
    [WEBNN_HARD_SIGMOID] = lower_hard_sigmoid,
    [WEBNN_HARD_SWISH] = lower_hard_swish,
    [WEBNN_LEAKY_RELU] = lower_leaky_relu,
    [WEBNN_PRELU] = lower_prelu,
    [WEBNN_RECIPROCAL] = lower_reciprocal,
    [WEBNN_SOFTSIGN] = lower_softsign,
    [WEBNN_IDENTITY] = lower_reshape,
    [WEBNN_RESHAPE] = lower_reshape,
    [WEBNN_TRANSPOSE] = lower_transpose,
    [WEBNN_CONCAT] = lower_concat,
    [WEBNN_SLICE] = lower_slice,
    [WEBNN_SPLIT] = lower_split,
    [WEBNN_PAD] = lower_pad,
    [WEBNN_EXPAND] = lower_expand,
    [WEBNN_TILE] = lower_tile,
    [WEBNN_RESAMPLE2D] = lower_resample2d,
    [WEBNN_REDUCE_MEAN] = lower_reduce,
    [WEBNN_REDUCE_SUM] = lower_reduce,
    [WEBNN_REDUCE_MAX] = lower_reduce,
    [WEBNN_REDUCE_MIN] = lower_reduce,
    [WEBNN_SOFTMAX] = lower_softmax,
    [WEBNN_MATMUL] = lower_matmul,
    [WEBNN_GEMM] = lower_gemm,
    [WEBNN_CONV2D] = lower_conv2d,
    [WEBNN_MAX_POOL2D] = lower_max_pool2d,
    [WEBNN_AVERAGE_POOL2D] = lower_max_pool2d,
    [WEBNN_BATCH_NORMALIZATION] = lower_batch_normalization,
};

bool litert_lowers(enum webnn_operator kind)
{
    return lowerings[kind] != NULL;
}

static o2w_status begin(struct writing *w, int32_t *inputs)
{
    const struct graph *g = w->graph;
    w->tensors = ARENA_ARRAY(&w->arena, g->operands.count, int32_t);
    if (!w->tensors)
        return diag_memory(w->diags);
    for (size_t i = 0; i < g->operands.count; i++)
        w->tensors[i] = LITE_NONE;
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct operand *o = graph_operand(g, g->inputs.items[i]);
        inputs[i] = lite_tensor(&w->model, DTYPE_FLOAT32, o->dims, o->rank, NULL, 0);
        w->tensors[g->inputs.items[i]] = inputs[i];
    }
    return O2W_OK;
}

/* Each output is a tensor of its own. */
static void end(struct writing *w, int32_t *outputs)
{
    const struct graph *g = w->graph;
    for (size_t i = 0; i < g->outputs.count && w->status == O2W_OK; i++) {
        operand_id id = g->outputs.items[i].operand;
        const struct shape s = shape_of(graph_operand(g, id));
        bool taken = false;
        for (size_t k = 0; k < i; k++)
            taken = taken || outputs[k] == w->tensors[id];
        outputs[i] = taken ? reshape(w, w->tensors[id], &s) : w->tensors[id];
    }
}

static o2w_status write(struct writing *w, const o2w_allocator *allocator, struct flat *out)
{
    const struct graph *g = w->graph;
    int32_t *inputs = ARENA_ARRAY(&w->arena, g->inputs.count, int32_t);
    int32_t *outputs = ARENA_ARRAY(&w->arena, g->outputs.count, int32_t);
    if (!inputs || !outputs)
        return diag_memory(w->diags);
    TRY(begin(w, inputs));
    for (size_t i = 0; i < g->operators.count && w->status == O2W_OK; i++) {
        w->node = &g->operators.items[i];
        lowerings[w->node->kind](w);
    }
    end(w, outputs);
    TRY(w->status);
    if (!lite_write(&w->model, inputs, g->inputs.count, outputs, g->outputs.count, allocator,
                    out)) {
        flat_free(out);
        return diag_error(w->diags, DIAG_BUILD_FAILED,
                          "litert: the model is larger than 2 GiB, or memory is out");
    }
    return O2W_OK;
}

o2w_status litert_lower(const struct graph *g, const o2w_allocator *allocator, struct diags *d,
                        struct flat *out)
{
    struct writing w = { .graph = g, .diags = d, .status = O2W_OK };
    arena_init(&w.arena, allocator);
    lite_init(&w.model, allocator);
    o2w_status status = write(&w, allocator, out);
    lite_free(&w.model);
    arena_free(&w.arena);
    return status;
}
