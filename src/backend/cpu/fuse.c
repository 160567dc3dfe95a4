/* Products with a matrix that is dequantised from constants: the product reads it as it lies. The spelled-out
 * form would hold the whole matrix as floats. */
#include "backend/cpu/engine.h"
#include "kernels/packed.h"
#include "webnn/uses.h"

#include <string.h>

/* The way from a product's operand back to the packed elements. */
struct way {
    const struct operator_node *dequantize;
    operand_id scale, shift; /* constants; shift: a float that is subtracted, or NO_ID */
    bool turned;             /* rows and columns are exchanged on it */
    int64_t line;            /* elements of a line with what is cut off */
};

static const struct operator_node *maker(const struct graph *g, operand_id id,
                                         enum webnn_operator kind)
{
    const struct operand *o = graph_operand(g, id);
    if (o->kind != OPERAND_RESULT || g->operators.items[o->source].kind != kind)
        return NULL;
    return &g->operators.items[o->source];
}

/* The last two dims, nothing else. */
static bool exchanges_last(const struct operator_node *node, uint32_t rank)
{
    const struct webnn_transpose_attributes *p = node->attributes;
    if (rank < 2 || p->permutation.count != rank)
        return false;
    for (uint32_t i = 0; i + 2 < rank; i++)
        if (p->permutation.items[i] != i)
            return false;
    return p->permutation.items[rank - 2] == rank - 1;
}

/* Takes the end of lines off, nothing else. */
static bool cuts_lines(const struct graph *g, const struct operator_node *node)
{
    const struct webnn_slice_attributes *p = node->attributes;
    const struct operand *x = graph_operand(g, node->operands[0]),
                         *y = graph_operand(g, node->first_result);
    for (uint32_t i = 0; i < x->rank; i++)
        if (p->starts.items[i] != 0 || (p->strides.given && p->strides.items[i] != 1) ||
            (i + 1 < x->rank && x->dims[i] != y->dims[i]))
            return false;
    return x->rank >= 2;
}

/* What a reshape does to lines: nothing, or it makes them of blocks: [… lines, blocks, block] to
 * [… lines, blocks · block]. */
enum reshaping { RESHAPE_OTHER, RESHAPE_KEEPS, RESHAPE_JOINS };

static enum reshaping reshaping_of(const struct graph *g, const struct operator_node *node)
{
    const struct operand *x = graph_operand(g, node->operands[0]),
                         *y = graph_operand(g, node->first_result);
    if (x->rank < 2 || y->rank < 2 || !dims_static(x->dims, x->rank) ||
        !dims_static(y->dims, y->rank))
        return RESHAPE_OTHER;
    int64_t last = x->dims[x->rank - 1], line = y->dims[y->rank - 1];
    if (last == line)
        return RESHAPE_KEEPS;
    return x->rank > 2 && x->dims[x->rank - 2] * last == line ? RESHAPE_JOINS : RESHAPE_OTHER;
}

/* Back through what keeps lines; `cuts` of them may be slices. */
static operand_id skip_moves(const struct graph *g, operand_id id, int cuts)
{
    for (;;) {
        const struct operator_node *node = maker(g, id, WEBNN_RESHAPE);
        if (node && reshaping_of(g, node) == RESHAPE_KEEPS) {
            id = node->operands[0];
            continue;
        }
        node = maker(g, id, WEBNN_CAST);
        if (node && graph_operand(g, node->operands[0])->dtype == DTYPE_FLOAT16 &&
            graph_operand(g, id)->dtype == DTYPE_FLOAT32) {
            id = node->operands[0];
            continue;
        }
        node = cuts > 0 ? maker(g, id, WEBNN_SLICE) : NULL;
        if (!node || !cuts_lines(g, node))
            return id;
        cuts--;
        id = node->operands[0];
    }
}

static bool is_constant(const struct graph *g, operand_id id, enum dtype t)
{
    const struct operand *o = graph_operand(g, id);
    return o->kind == OPERAND_CONSTANT && o->dtype == t;
}

static bool same_shape(const struct operand *a, const struct operand *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

/* (x - shift) · scale in place of dequantizeLinear, which is then x; returns x. */
static operand_id find_shift(const struct graph *g, operand_id id, struct way *w)
{
    const struct operator_node *scaled = maker(g, id, WEBNN_MUL), *shifted;
    shifted = scaled ? maker(g, scaled->operands[0], WEBNN_SUB) : NULL;
    if (!shifted || !is_constant(g, scaled->operands[1], DTYPE_FLOAT32) ||
        !is_constant(g, shifted->operands[1], DTYPE_FLOAT32) ||
        !same_shape(graph_operand(g, scaled->operands[1]), graph_operand(g, shifted->operands[1])))
        return id;
    w->scale = scaled->operands[1];
    w->shift = shifted->operands[1];
    return shifted->operands[0];
}

/* transpose, slice, reshapes, or none, of dequantizeLinear. */
static bool find_way(const struct graph *g, operand_id id, struct way *w)
{
    const struct operator_node *turn = maker(g, id, WEBNN_TRANSPOSE), *join;
    if (turn && exchanges_last(turn, graph_operand(g, id)->rank)) {
        w->turned = !w->turned;
        id = turn->operands[0];
    }
    id = skip_moves(g, id, 1);
    join = maker(g, id, WEBNN_RESHAPE);
    if (join && reshaping_of(g, join) == RESHAPE_JOINS)
        id = join->operands[0];
    else
        join = NULL;
    w->shift = NO_ID;
    id = find_shift(g, id, w);
    w->dequantize = maker(g, id, WEBNN_DEQUANTIZE_LINEAR);
    const struct operand *q = graph_operand(g, id);
    if (!w->dequantize || q->rank < (join ? 3 : 2) || !dims_static(q->dims, q->rank))
        return false;
    w->line = q->dims[q->rank - 1] * (join ? q->dims[q->rank - 2] : 1);
    if (w->shift == NO_ID)
        w->scale = w->dequantize->operands[1];
    return true;
}

/* One scale for all lines, one for each, or for a rank of 2, one for so many. */
static bool find_line_scales(const struct operand *q, const struct operand *scale, uint32_t rank,
                             struct packed_matrix *m)
{
    int64_t lines = 1, scales = 1;
    bool each = true;
    for (uint32_t i = 0; i < rank; i++) {
        each = each && scale->dims[i] == q->dims[i];
        lines *= q->dims[i];
        scales *= scale->dims[i];
    }
    m->lines = lines / scales;
    return each || scales == 1 || rank == 1;
}

/* Scales over [lines, blocks, block] or [lines, line]. */
static bool find_scales(const struct operand *q, const struct operand *scale, int64_t line,
                        struct packed_matrix *m)
{
    uint32_t last = q->rank - 1;
    bool joined = q->dims[last] != line;
    if (joined && scale->dims[last] != 1)
        return false;
    if (joined)
        last--;
    m->lines_step = scale->dims[last];
    m->block = line / scale->dims[last];
    m->step = 1;
    m->line = line;
    return find_line_scales(q, scale, last, m);
}

static bool has_elements(const struct operand *o)
{
    uint64_t count;
    return dims_static(o->dims, o->rank) && dims_count(o->dims, o->rank, &count) && count > 0;
}

/* q, scale, zero point: constants, of a dtype that is read in place. */
static bool is_packed(const struct graph *g, const struct operator_node *node)
{
    for (uint32_t i = 0; i < 3; i++)
        if (i >= node->operand_count || node->operands[i] == NO_ID ||
            graph_operand(g, node->operands[i])->kind != OPERAND_CONSTANT)
            return false;
    const struct operand *q = graph_operand(g, node->operands[0]);
    return dtype_in(q->dtype, DTYPES_PACKED) && q->rank >= 2 && has_elements(q);
}

/* Whether dequantizeLinear gives q itself as floats. */
static bool is_plain(const struct compiled *c, const struct operator_node *dequantize)
{
    const struct operand *scale = graph_operand(c->graph, dequantize->operands[1]),
                         *q = graph_operand(c->graph, dequantize->operands[0]);
    const float *one = c->known_data[dequantize->operands[1]];
    const uint8_t *zero = c->known_data[dequantize->operands[2]];
    uint64_t count;
    return dims_count(scale->dims, scale->rank, &count) && count == 1 &&
           scale->dtype == DTYPE_FLOAT32 && *one == 1 && (*zero & 15) == 0 &&
           (q->dtype == DTYPE_UINT4 || (q->dtype == DTYPE_UINT8 && *zero == 0));
}

/* Whether operand 1 of the product is such a matrix. */
static bool find_matrix(const struct compiled *c, const struct operator_node *node,
                        struct packed_matrix *m)
{
    const struct graph *g = c->graph;
    bool turned = false;
    if (node->kind != WEBNN_MATMUL && node->kind != WEBNN_GEMM)
        return false;
    if (node->kind == WEBNN_GEMM)
        turned = ((const struct webnn_gemm_attributes *)node->attributes)->b_transpose;
    struct way w = { .turned = turned };
    if (!find_way(g, node->operands[1], &w) || !is_packed(g, w.dequantize) ||
        !has_elements(graph_operand(g, node->operands[1])) ||
        (w.shift != NO_ID && !is_plain(c, w.dequantize)))
        return false;
    const struct operand *q = graph_operand(g, w.dequantize->operands[0]),
                         *scale = graph_operand(g, w.scale);
    *m = (struct packed_matrix){ .dtype = q->dtype,
                                 .q = c->known_data[w.dequantize->operands[0]],
                                 .zero = c->known_data[w.dequantize->operands[2]],
                                 .shift = w.shift != NO_ID ? c->known_data[w.shift] : NULL,
                                 .scale = c->known_data[w.scale],
                                 .columns = w.turned,
                                 .halved = scale->dtype == DTYPE_FLOAT16 };
    return scale->rank == q->rank && find_scales(q, scale, w.line, m);
}

static o2w_status fuse_product(struct compiled *c, uint32_t index, struct uses *u)
{
    const struct operator_node *node = &c->graph->operators.items[index];
    struct packed_matrix m, *kept;
    if (!find_matrix(c, node, &m))
        return O2W_OK;
    kept = ARENA_NEW(&c->arena, struct packed_matrix);
    if (!kept)
        return O2W_NO_MEMORY;
    *kept = m;
    c->packed[index] = kept;
    u->kept[index] = true;
    uses_drop(u, node->operands[1]);
    return O2W_OK;
}

o2w_status cpu_fuse(struct compiled *c, struct diags *d)
{
    struct uses uses;
    struct arena scratch;
    arena_init(&scratch, c->engine->allocator);
    o2w_status status = uses_count(c->graph, &scratch, &uses) ? O2W_OK : O2W_NO_MEMORY;
    for (uint32_t i = 0; i < c->graph->operators.count && status == O2W_OK; i++)
        status = fuse_product(c, i, &uses);
    if (status == O2W_OK)
        uses_absorb(c->graph, &uses, c->absorbed);
    arena_free(&scratch);
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}
