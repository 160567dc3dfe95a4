/* What windows have taken apart, put together again. */
#include "lower/helpers.h"
#include "lower/ops/window.h"

#include <string.h>

/* --- MaxUnpool --------------------------------------------------------------------------------------- */

struct unpool {
    struct ints kernel_shape, strides, pads;
};

static const struct attr_row unpool_attrs[] = {
    ATTR_INTS(struct unpool, kernel_shape, .required = true),
    ATTR_INTS(struct unpool, strides, .required = false),
    ATTR_INTS(struct unpool, pads, .required = false),
};

static o2w_status check_list(struct lower *l, const struct node_view *n, const char *name,
                             const struct ints *list, uint32_t count, int64_t least)
{
    if (list->given && list->count != count)
        return refuse_attribute(l, n, name, "has %u entries, must have %u", list->count, count);
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] < least || list->items[i] > INT32_MAX)
            return refuse_attribute(l, n, name, "is %lld at index %u, must be at least %lld",
                                    (long long)list->items[i], i, (long long)least);
    return O2W_OK;
}

static int64_t entry(const struct ints *list, uint32_t i, int64_t fallback)
{
    return list->given ? list->items[i] : fallback;
}

/* The shape that undoes the pool. One that is given must be the same: ONNX pads for another, its
 * runtime counts the indices by it. */
static o2w_status unpooled_shape(struct lower *l, const struct node_view *n, const struct unpool *p,
                                 dim *dims)
{
    value x = input(n, 0);
    uint32_t rank = x->rank - 2;
    struct ints given;
    dims[0] = x->dims[0];
    dims[1] = x->dims[1];
    for (uint32_t i = 0; i < rank; i++) {
        int64_t size;
        TRY(static_dim(l, n, x, 2 + i, &size));
        dims[2 + i] = (size - 1) * entry(&p->strides, i, 1) + p->kernel_shape.items[i] -
                      entry(&p->pads, i, 0) - entry(&p->pads, rank + i, 0);
        if (dims[2 + i] < 1 || dims[2 + i] > INT32_MAX)
            return refuse_attribute(l, n, "pads", "leaves the size %lld along spatial dimension %u",
                                    (long long)dims[2 + i], i);
    }
    TRY(known_ints(l, n, 2, &given));
    if (!given.given)
        return O2W_OK;
    bool same = given.count == x->rank;
    for (uint32_t i = 0; same && i < x->rank; i++)
        same = given.items[i] == dims[i];
    if (same)
        return O2W_OK;
    return refuse_input(l, n, 2,
                        "differs from %s, which undoes the pool: ONNX and its runtime "
                        "disagree about other shapes",
                        dim_list_text(lower_exprs(l), dims, x->rank, lower_arena(l)));
}

/* Zeros, with x at the indices, which count through the whole result. */
static o2w_status lower_max_unpool(struct lower *l, const struct node_view *n, const void *params)
{
    const struct unpool *p = params;
    struct webnn_scatter_elements_attributes a = webnn_scatter_elements_defaults();
    value x = input(n, 0), indices = input(n, 1), zeros, y;
    dim dims[MAX_RANK], all, count;
    if (x->rank < 3 || indices->rank != x->rank)
        return refuse_input(l, n, 0, "has rank %u, the indices %u, at least 3 is needed", x->rank,
                            indices->rank);
    TRY(check_list(l, n, "kernel_shape", &p->kernel_shape, x->rank - 2, 1));
    TRY(check_list(l, n, "strides", &p->strides, x->rank - 2, 1));
    TRY(check_list(l, n, "pads", &p->pads, 2 * (x->rank - 2), 0));
    TRY(unpooled_shape(l, n, p, dims));
    TRY(dims_product(l, n, dims, 0, x->rank, &all));
    TRY(dims_product(l, n, x->dims, 0, x->rank, &count));
    TRY(fill_i64(l, x->dtype, 0, &all, 1, &zeros));
    TRY(reshape(l, indices, &count, 1, &indices));
    TRY(reshape(l, x, &count, 1, &x));
    TRY(op(l, WEBNN_SCATTER_ELEMENTS, OPERANDS(zeros, indices, x), &a, &y));
    TRY(reshape(l, y, dims, input(n, 0)->rank, &y));
    return emit_value(l, n, y);
}

/* --- Col2Im ------------------------------------------------------------------------------------------ */

struct col2im {
    struct ints dilations, pads, strides;
};

static const struct attr_row col2im_attrs[] = {
    ATTR_INTS(struct col2im, dilations, .required = false),
    ATTR_INTS(struct col2im, pads, .required = false),
    ATTR_INTS(struct col2im, strides, .required = false),
};

/* Blocks and where they lie, by spatial dim. */
struct blocks {
    uint32_t rank;
    int64_t size[MAX_RANK], count[MAX_RANK]; /* of a block; how many there are */
    int64_t stride[MAX_RANK], dilation[MAX_RANK], begin[MAX_RANK], image[MAX_RANK];
    int64_t elements, places, channels;
};

static o2w_status read_block(struct lower *l, const struct node_view *n, const struct col2im *p,
                             const struct ints *image, const struct ints *block, uint32_t i,
                             struct blocks *b)
{
    int64_t end = entry(&p->pads, b->rank + i, 0);
    b->size[i] = block->items[i];
    b->image[i] = image->items[i];
    b->stride[i] = entry(&p->strides, i, 1);
    b->dilation[i] = entry(&p->dilations, i, 1);
    b->begin[i] = entry(&p->pads, i, 0);
    if (b->size[i] < 1 || b->size[i] > INT32_MAX || b->image[i] < 1 || b->image[i] > INT32_MAX)
        return refuse_input(l, n, 1, "and block_shape must be from 1 to 2147483647 at index %u", i);
    int64_t room = b->image[i] + b->begin[i] + end - ((b->size[i] - 1) * b->dilation[i] + 1);
    b->count[i] = room < 0 ? 0 : room / b->stride[i] + 1;
    b->elements *= b->size[i];
    b->places *= b->count[i];
    if (b->elements > INT32_MAX || b->places > INT32_MAX)
        return refuse(l, n, DIAG_LOWER_LIMIT, "the blocks have more than 2^31 elements");
    return O2W_OK;
}

static o2w_status read_blocks(struct lower *l, const struct node_view *n, const struct col2im *p,
                              struct blocks *b)
{
    struct ints image, block;
    value x = input(n, 0);
    int64_t rows, columns;
    TRY(known_ints(l, n, 1, &image));
    TRY(known_ints(l, n, 2, &block));
    *b = (struct blocks){ .rank = image.count, .elements = 1, .places = 1 };
    if (image.count < 1 || image.count + 3 > MAX_RANK || block.count != image.count)
        return refuse_input(l, n, 2, "has %u entries, image_shape %u", block.count, image.count);
    TRY(check_list(l, n, "strides", &p->strides, b->rank, 1));
    TRY(check_list(l, n, "dilations", &p->dilations, b->rank, 1));
    TRY(check_list(l, n, "pads", &p->pads, 2 * b->rank, 0));
    for (uint32_t i = 0; i < b->rank; i++)
        TRY(read_block(l, n, p, &image, &block, i, b));
    if (x->rank != 3)
        return refuse_input(l, n, 0, "has rank %u, must be 3", x->rank);
    TRY(static_dim(l, n, x, 1, &rows));
    TRY(static_dim(l, n, x, 2, &columns));
    if (rows % b->elements || columns != b->places)
        return refuse_input(l, n, 0, "is [N, %lld, %lld], must be [N, C · %lld, %lld]",
                            (long long)rows, (long long)columns, (long long)b->elements,
                            (long long)b->places);
    b->channels = rows / b->elements;
    return O2W_OK;
}

/* One filter per row of a block: a one where the row goes. */
static o2w_status placing_filter(struct lower *l, enum dtype dtype, const struct blocks *b,
                                 value *out)
{
    int64_t height = b->rank == 2 ? b->size[0] : 1, width = b->size[b->rank - 1];
    struct tensor t;
    TRY(known_new(l, dtype, (const dim[]){ b->channels * b->elements, 1, height, width }, 4, &t,
                  out));
    for (int64_t i = 0; i < b->channels * b->elements; i++)
        tensor_put_double(&t, (uint64_t)(i * b->elements + i % b->elements), 1);
    return O2W_OK;
}

/* One or two spatial dims of floats: a transposed convolution that adds each row where it goes. */
static o2w_status by_convolution(struct lower *l, const struct blocks *b, value x, value *out)
{
    struct webnn_conv_transpose2d_attributes c = webnn_conv_transpose2d_defaults();
    dim dims[4] = { x->dims[0], b->channels * b->elements, 1, 1 };
    value filter;
    for (uint32_t i = 0; i < b->rank; i++) {
        uint32_t axis = 2 - b->rank + i;
        int64_t covered = (b->count[i] - 1) * b->stride[i] + (b->size[i] - 1) * b->dilation[i] + 1;
        int64_t end = covered - b->begin[i] - b->image[i];
        dims[2 + axis] = b->count[i];
        c.strides.items[axis] = (uint32_t)b->stride[i];
        c.dilations.items[axis] = (uint32_t)b->dilation[i];
        c.padding.items[2 * axis] = (uint32_t)b->begin[i];
        c.padding.items[2 * axis + 1] = (uint32_t)(end > 0 ? end : 0);
        c.output_padding.items[axis] = (uint32_t)(end < 0 ? -end : 0);
    }
    c.groups = (uint32_t)b->channels;
    TRY(placing_filter(l, value_working_dtype(x), b, &filter));
    TRY(reshape(l, x, dims, 4, &x));
    return op(l, WEBNN_CONV_TRANSPOSE2D, OPERANDS(x, filter), &c, out);
}

/* [N, C, k, count …] with zeros between the places, so that neighbours are `stride` apart. */
static o2w_status spread_places(struct lower *l, const struct blocks *b, value x, value *out)
{
    dim dims[MAX_RANK] = { x->dims[0], b->channels, b->elements };
    for (uint32_t i = 0; i < b->rank; i++)
        dims[3 + i] = b->count[i];
    TRY(reshape(l, x, dims, 3 + b->rank, &x));
    for (uint32_t i = 0; i < b->rank; i++) {
        struct webnn_pad_attributes pad = webnn_pad_defaults();
        uint32_t behind = 4 + i;
        if (b->stride[i] == 1)
            continue;
        dims[3 + i] = b->count[i] * b->stride[i];
        TRY(unsqueeze(l, x, &behind, 1, &x));
        pad.beginning_padding = pad.ending_padding =
            (struct webnn_u32s){ .given = true, .count = x->rank };
        pad.ending_padding.items[behind] = (uint32_t)b->stride[i] - 1;
        TRY(op(l, WEBNN_PAD, OPERANDS(x), &pad, &x));
        TRY(reshape(l, x, dims, 3 + b->rank, &x));
    }
    *out = x;
    return O2W_OK;
}

/* Row k of the blocks at its places in the image. */
static o2w_status placed_row(struct lower *l, const struct blocks *b, value spread, int64_t k,
                             value *out)
{
    struct window w = { .rank = b->rank };
    const uint32_t row = 2;
    TRY(slice(l, spread, 2, k, 1, 1, out));
    TRY(squeeze(l, *out, &row, 1, out));
    for (uint32_t i = b->rank; i-- > 0; k /= b->size[i]) {
        w.begin[i] = k % b->size[i] * b->dilation[i] - b->begin[i];
        w.end[i] = b->image[i] - w.begin[i] - b->count[i] * b->stride[i];
    }
    TRY(window_crop(l, *out, &w, out));
    return window_pad(l, *out, &w, (struct webnn_number){ .kind = WEBNN_NUMBER_INT }, out);
}

static o2w_status by_sum(struct lower *l, const struct node_view *n, const struct blocks *b,
                         value x, value *out)
{
    value spread;
    *out = NULL;
    if (b->elements > 1024)
        return refuse_input(l, n, 2,
                            "has more than 1024 elements, which is the limit of this form");
    TRY(spread_places(l, b, x, &spread));
    for (int64_t k = 0; k < b->elements; k++) {
        value row;
        TRY(placed_row(l, b, spread, k, &row));
        if (*out)
            TRY(op2(l, WEBNN_ADD, *out, row, &row));
        *out = row;
    }
    return O2W_OK;
}

static o2w_status lower_col2im(struct lower *l, const struct node_view *n, const void *params)
{
    struct blocks b;
    value x = input(n, 0), y;
    dim dims[MAX_RANK];
    TRY(read_blocks(l, n, params, &b));
    bool filter = b.rank <= 2 && dtype_is_float(x->dtype) &&
                  b.channels * b.elements <= ((int64_t)1 << 20) / b.elements;
    if (filter)
        TRY(by_convolution(l, &b, x, &y));
    else
        TRY(by_sum(l, n, &b, x, &y));
    dims[0] = x->dims[0];
    dims[1] = b.channels;
    memcpy(dims + 2, b.image, b.rank * sizeof *dims);
    TRY(reshape(l, y, dims, 2 + b.rank, &y));
    return emit_wrapped(l, n, y);
}

const struct onnx_row unpooling_rows[] = {
    { ONNX("MaxUnpool", 9, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("I", NONE, SET_I64),
             IN_OPT("output_shape", NONE, SET_I64, KNOWN)),
      RESULTS(OUT("output", T)), PARAMS(struct unpool, unpool_attrs), .lower = lower_max_unpool,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "scatterElements",
      .notes = "an output_shape other than the one that undoes the pool refused" },
    { ONNX("Col2Im", 18, LATEST),
      INPUTS(IN("input", T, SET_FLOATS | SET_INTS), IN("image_shape", NONE, SET_I64, KNOWN),
             IN("block_shape", NONE, SET_I64, KNOWN)),
      RESULTS(OUT("output", T)), PARAMS(struct col2im, col2im_attrs), .lower = lower_col2im,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "convTranspose2d, pad, add",
      .notes = "bool refused" },
};
ROW_COUNT(unpooling);
