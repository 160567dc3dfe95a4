#include "kernels/reduce.h"

#include "kernels/move.h"

#include <math.h>
#include <string.h>

/* Columns are walked BLOCK at a time; long reductions are cut into pieces of PIECE elements, whose
 * accumulators are merged in order. */
enum { BLOCK = 512, PIECE = 1 << 16, GRAIN = 1 << 15, MANY = 64 };

static bool is_reduced(const struct webnn_u32s *axes, uint32_t d)
{
    if (!axes->given)
        return true;
    for (uint32_t i = 0; i < axes->count; i++)
        if (axes->items[i] == d)
            return true;
    return false;
}

void reduction_begin(struct reduction *r, const struct tensor *x, const struct webnn_u32s *axes)
{
    int64_t strides[MAX_RANK], dims[2][MAX_RANK], walks[2][MAX_RANK];
    uint32_t ranks[2] = { 0, 0 };
    tensor_strides(x, strides);
    for (uint32_t d = 0; d < x->rank; d++) {
        bool reduced = is_reduced(axes, d);
        dims[reduced][ranks[reduced]] = x->dims[d];
        walks[reduced][ranks[reduced]++] = strides[d];
    }
    nest_begin(&r->kept, dims[0], ranks[0]);
    nest_view(&r->kept, walks[0]);
    nest_begin(&r->reduced, dims[1], ranks[1]);
    nest_view(&r->reduced, walks[1]);
    r->kept_count = nest_count(&r->kept);
    r->reduced_count = nest_count(&r->reduced);
    nest_collapse(&r->kept);
    nest_collapse(&r->reduced);
}

struct reduce_work {
    struct reduction shape;
    const struct reduce_loops *loops;
    const uint8_t *x;
    uint8_t *accumulators; /* [piece][kept] */
    const double *shift;   /* [kept], or one 0 for all when shift_step is 0 */
    int64_t shift_step;
    size_t element;
    int64_t pieces, piece;
    int64_t blocks; /* of columns per row of kept elements */
};

/* One piece of the elements behind accumulators at_kept … + width. */
struct reduce_unit {
    const struct reduce_work *work;
    void *accumulators;
    const uint8_t *x;
    const double *shift;
    int64_t width;
};

static void row_body(void *user, const int64_t offsets[NEST_VIEWS], int64_t count)
{
    const struct reduce_unit *u = user;
    u->work->loops->row(u->accumulators, u->x + offsets[0] * (int64_t)u->work->element, count,
                        u->shift);
}

static void columns_body(void *user, const int64_t offsets[NEST_VIEWS], int64_t count)
{
    const struct reduce_unit *u = user;
    const struct nest *n = &u->work->shape.reduced;
    int64_t step = n->strides[0][n->rank - 1] * (int64_t)u->work->element;
    const uint8_t *x = u->x + offsets[0] * (int64_t)u->work->element;
    for (int64_t i = 0; i < count; i++)
        u->work->loops->columns(u->accumulators, x + i * step, u->width, u->shift);
}

static int64_t kept_offset(const struct nest *n, int64_t index)
{
    int64_t offset = 0;
    for (uint32_t d = n->rank; d-- > 0; index /= n->dims[d])
        offset += index % n->dims[d] * n->strides[0][d];
    return offset;
}

static void reduce_unit(const struct reduce_work *w, int64_t kept, int64_t width, int64_t piece,
                        nest_body body)
{
    const struct reduction *r = &w->shape;
    struct reduce_unit u = { .work = w, .width = width };
    u.accumulators = w->accumulators + (size_t)(piece * r->kept_count + kept) * w->loops->size;
    u.x = w->x + kept_offset(&r->kept, kept) * (int64_t)w->element;
    u.shift = w->shift + kept * w->shift_step;
    w->loops->start(u.accumulators, width);
    int64_t begin = piece * w->piece;
    nest_walk(&r->reduced, begin, min_i64(begin + w->piece, r->reduced_count), body, &u);
}

/* Results one after another, each over a dense run at an even distance from the last. */
static bool is_plain(const struct reduce_work *w)
{
    const struct reduction *r = &w->shape;
    return w->pieces == 1 && r->kept.rank == 1 && r->reduced.rank == 1;
}

static void plain_rows(const struct reduce_work *w, int64_t begin, int64_t end)
{
    const struct reduction *r = &w->shape;
    int64_t step = r->kept.strides[0][0] * (int64_t)w->element;
    uint8_t *accumulators = w->accumulators;
    w->loops->start(accumulators + (size_t)begin * w->loops->size, end - begin);
    for (int64_t i = begin; i < end; i++)
        w->loops->row(accumulators + (size_t)i * w->loops->size, w->x + i * step, r->reduced_count,
                      w->shift + i * w->shift_step);
}

static void rows_part(void *user, int64_t begin, int64_t end)
{
    const struct reduce_work *w = user;
    if (is_plain(w)) {
        plain_rows(w, begin, end);
        return;
    }
    for (int64_t i = begin; i < end; i++)
        reduce_unit(w, i / w->pieces, 1, i % w->pieces, row_body);
}

static void columns_part(void *user, int64_t begin, int64_t end)
{
    const struct reduce_work *w = user;
    int64_t row = w->shape.kept.dims[w->shape.kept.rank - 1];
    for (int64_t i = begin; i < end; i++) {
        int64_t unit = i / w->pieces;
        int64_t column = unit % w->blocks * BLOCK;
        reduce_unit(w, unit / w->blocks * row + column, min_i64(BLOCK, row - column), i % w->pieces,
                    columns_body);
    }
}

/* Whether the last dim that counts is reduced. */
static bool reduces_rows(const struct reduction *r)
{
    return r->reduced_count != 1 && r->reduced.strides[0][r->reduced.rank - 1] == 1;
}

static void reduce_pieces(const struct kernel_call *call, struct reduce_work *w)
{
    const struct reduction *r = &w->shape;
    if (reduces_rows(r)) {
        int64_t each = min_i64(w->piece, max_i64(r->reduced_count, 1));
        kernel_ranges(call, r->kept_count * w->pieces, max_i64(1, GRAIN / each), rows_part, w);
        return;
    }
    int64_t row = r->kept.dims[r->kept.rank - 1];
    w->blocks = ceil_div(row, BLOCK);
    int64_t each = min_i64(w->piece, max_i64(r->reduced_count, 1)) * min_i64(row, BLOCK);
    kernel_ranges(call, r->kept_count / row * w->blocks * w->pieces, max_i64(1, GRAIN / each),
                  columns_part, w);
}

/* Accumulators of all results, pieces merged. NULL when memory is out. */
static void *accumulate(const struct kernel_call *call, const struct reduction *shape,
                        const struct reduce_loops *loops, const struct tensor *x,
                        const double *shift)
{
    static const double zeros[BLOCK];
    struct reduce_work w = { .shape = *shape,
                             .loops = loops,
                             .x = x->data,
                             .shift = shift ? shift : zeros,
                             .shift_step = shift ? 1 : 0,
                             .element = element_size(x->dtype) };
    int64_t width = reduces_rows(shape) ? 1 : BLOCK;
    w.piece = PIECE / width;
    if (shape->kept_count / width >= MANY)
        w.piece = max_i64(shape->reduced_count, 1); /* enough for everyone without pieces */
    w.pieces = max_i64(1, ceil_div(shape->reduced_count, w.piece));
    w.accumulators = kernel_memory(call, shape->kept_count * w.pieces, loops->size);
    if (!w.accumulators)
        return NULL;
    reduce_pieces(call, &w);
    for (int64_t i = 1; i < w.pieces; i++)
        loops->merge(w.accumulators, w.accumulators + (size_t)(i * shape->kept_count) * loops->size,
                     shape->kept_count);
    return w.accumulators;
}

/* The maxima, as what reduceLogSumExp takes off before it takes exponentials; infinities and NaN
 * are left in. */
static double *shifts_of(const struct kernel_call *call, const struct reduction *shape,
                         const struct tensor *x)
{
    const struct reduce_loops *max = reduce_loops_of(WEBNN_REDUCE_MAX, x->dtype);
    void *maxima = accumulate(call, shape, max, x, NULL);
    double *shift = kernel_memory(call, shape->kept_count, sizeof *shift);
    if (!maxima || !shift)
        return NULL;
    for (int64_t i = 0; i < shape->kept_count; i++) {
        double m = x->dtype == DTYPE_FLOAT32 ? (double)((const float *)maxima)[i]
                                             : ((const double *)maxima)[i];
        shift[i] = isfinite(m) ? m : 0;
    }
    return shift;
}

o2w_status kernel_reduce(const struct kernel_call *call)
{
    const struct webnn_reduce_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    const struct reduce_loops *loops = reduce_loops_of(call->kind, x->dtype);
    if (!loops)
        return O2W_UNSUPPORTED;
    struct reduction shape;
    reduction_begin(&shape, x, &p->axes);
    double *shift = NULL;
    if (call->kind == WEBNN_REDUCE_LOG_SUM_EXP) {
        shift = shifts_of(call, &shape, x);
        if (!shift)
            return O2W_NO_MEMORY;
    }
    void *accumulators = accumulate(call, &shape, loops, x, shift);
    if (!accumulators)
        return O2W_NO_MEMORY;
    struct reduce_finish finish = { call->kind, shape.reduced_count, shift };
    loops->finish(call_result(call, 0)->data, accumulators, shape.kept_count, &finish);
    return O2W_OK;
}
