#include "kernels/gemm.h"

#include <string.h>

/* Elements of k per pass, columns per task, rows that share a pass over B, how much of A is packed at a
 * time, and of how many panels of A a copy of B is not worth its time. */
enum {
    K_BLOCK = 256,
    COLUMN_BLOCK = 256,
    ROW_BLOCK = 240,
    ROW_TASK = 96,
    TASKS_WANTED = 16,
    PACKED_MAX = 4 << 20,
    PANELS_IN_PLACE = 8
};

struct gemm_work {
    const struct gemm *g;
    const struct gemm_micro *micro;
    int64_t row_first, rows; /* the chunk of rows that is packed */
    int64_t panels, packed_batch;
    float *packed;  /* [batch][panel][k][mr] */
    float *scratch; /* per slot: B block, then a tile */
    int64_t scratch_size;
    int64_t row_task, row_tasks, column_block, column_tasks;
};

static void pack_panels(void *user, int64_t begin, int64_t end)
{
    const struct gemm_work *w = user;
    const struct gemm *g = w->g;
    int mr = w->micro->mr;
    for (int64_t i = begin; i < end; i++) {
        int64_t row = i % w->panels * mr;
        g->pack_a(g->user, i / w->panels, w->row_first + row, min_i64(mr, w->rows - row), 0, g->k,
                  mr, w->packed + i * g->k * mr);
    }
}

/* Lines of B in the columns of a task: panels of nr columns, `panel` apart. */
struct lines {
    const float *at;
    int64_t panel, line;
};

/* One tile whose sides may hang over the edge of C. */
static void run_tile(const struct gemm_work *w, int64_t k, const float *a, const float *b,
                     int64_t line, float *c, int64_t rows, int64_t columns, enum gemm_start start,
                     const float *starts, float *tile)
{
    const struct gemm_micro *micro = w->micro;
    if (rows == micro->mr && columns == micro->nr) {
        micro->run(k, a, b, line, c, w->g->row, start, starts);
        return;
    }
    float padded[GEMM_MR_MAX] = { 0 };
    if (start == GEMM_ROWS)
        memcpy(padded, starts, (size_t)rows * sizeof *padded);
    if (start == GEMM_LOAD)
        for (int64_t i = 0; i < rows; i++)
            memcpy(tile + i * micro->nr, c + i * w->g->row, (size_t)columns * sizeof *c);
    micro->run(k, a, b, line, tile, micro->nr, start, padded);
    for (int64_t i = 0; i < rows; i++)
        memcpy(c + i * w->g->row, tile + i * micro->nr, (size_t)columns * sizeof *c);
}

/* Where a task works: rows and columns of one product. */
struct region {
    int64_t batch, row, rows, column, columns;
};

/* One pass over `count` elements of k from `first`. */
static void run_block(const struct gemm_work *w, const struct region *r, int64_t first,
                      int64_t count, const struct lines *b, float *tile)
{
    const struct gemm *g = w->g;
    int mr = w->micro->mr, nr = w->micro->nr;
    enum gemm_start start = first > 0 ? GEMM_LOAD : g->start;
    const float *packed = w->packed + (g->shared_a ? 0 : r->batch) * w->packed_batch;
    const float *rows = NULL;
    if (start == GEMM_ROWS)
        rows = g->rows + r->batch % g->row_sets * g->m + w->row_first;
    float *c = g->c + r->batch * g->step + w->row_first * g->row;
    for (int64_t column = 0; column < r->columns; column += nr) {
        const float *lines = b->at + column / nr * b->panel;
        for (int64_t row = r->row; row < r->row + r->rows; row += mr) {
            const float *a = packed + row * g->k + first * mr;
            run_tile(w, count, a, lines, b->line, c + row * g->row + r->column + column,
                     min_i64(mr, r->row + r->rows - row), min_i64(nr, r->columns - column), start,
                     rows ? rows + row : NULL, tile);
        }
    }
}

/* The same after a copy of B's block into scratch. */
static void run_packed(const struct gemm_work *w, const struct region *r, int64_t first,
                       int64_t count, float *scratch)
{
    const struct gemm *g = w->g;
    int nr = w->micro->nr;
    const struct lines b = { scratch, gemm_panel(count, nr), nr };
    float *tile = scratch + w->scratch_size - GEMM_MR_MAX * GEMM_NR_MAX;
    g->pack_b(g->user, r->batch, first, count, r->column, r->columns, nr, scratch);
    for (int64_t row = 0; row < r->rows; row += ROW_BLOCK) {
        struct region part = *r;
        part.row = r->row + row;
        part.rows = min_i64(ROW_BLOCK, r->rows - row);
        run_block(w, &part, first, count, &b, tile);
    }
}

/* Few rows read whole panels where B lies. */
static void run_region(const struct gemm_work *w, const struct region *r, float *scratch)
{
    const struct gemm *g = w->g;
    float *tile = scratch + w->scratch_size - GEMM_MR_MAX * GEMM_NR_MAX;
    struct matrix b;
    bool in_place = r->rows <= w->micro->mr * PANELS_IN_PLACE && g->k > 0 && g->place_b &&
                    g->place_b(g->user, r->batch, &b);
    struct region whole = *r, rest = *r;
    whole.columns = in_place ? r->columns / w->micro->nr * w->micro->nr : 0;
    rest.columns -= whole.columns;
    rest.column += whole.columns;
    int64_t first = 0;
    do { /* once also for k = 0, which only starts C */
        int64_t count = min_i64(K_BLOCK, g->k - first);
        if (whole.columns > 0) {
            const struct lines l = { b.data + first * b.row + r->column, w->micro->nr, b.row };
            run_block(w, &whole, first, count, &l, tile);
        }
        if (rest.columns > 0)
            run_packed(w, &rest, first, count, scratch);
        first += count;
    } while (first < g->k);
}

static void run_task(void *user, int64_t index, unsigned slot)
{
    const struct gemm_work *w = user;
    struct region r = { 0 };
    r.column = index % w->column_tasks * w->column_block;
    r.columns = min_i64(w->column_block, w->g->n - r.column);
    index /= w->column_tasks;
    r.row = index % w->row_tasks * w->row_task;
    r.rows = min_i64(w->row_task, w->rows - r.row);
    r.batch = index / w->row_tasks;
    run_region(w, &r, w->scratch + slot * w->scratch_size);
}

/* Columns first; rows too where columns alone make few tasks. */
static void cut_tasks(struct gemm_work *w)
{
    const struct gemm *g = w->g;
    int64_t nr = w->micro->nr, mr = w->micro->mr;
    w->column_block = min_i64(COLUMN_BLOCK, ceil_div(g->n, nr) * nr);
    w->column_tasks = ceil_div(g->n, w->column_block);
    int64_t tasks = w->column_tasks * g->batch;
    int64_t splits = min_i64(ceil_div(TASKS_WANTED, tasks), max_i64(1, w->rows / ROW_TASK));
    w->row_task = ceil_div(ceil_div(w->rows, splits), mr) * mr;
    w->row_tasks = ceil_div(w->rows, w->row_task);
}

/* Multiplies the packed rows with everything. */
static void run_chunk(const struct kernel_call *call, struct gemm_work *w)
{
    int64_t sets = w->g->shared_a ? 1 : w->g->batch;
    kernel_ranges(call, sets * w->panels,
                  max_i64(1, (1 << 15) / max_i64(1, w->g->k * w->micro->mr)), pack_panels, w);
    cut_tasks(w);
    kernel_tasks(call, w->column_tasks * w->row_tasks * w->g->batch, run_task, w);
}

o2w_status gemm_reserve(const struct kernel_call *call, const struct gemm *g,
                        struct gemm_memory *memory)
{
    const struct gemm_micro *micro = gemm_micro();
    int64_t sets = g->shared_a ? 1 : g->batch;
    int64_t chunk = PACKED_MAX / max_i64(1, sets * g->k) / ROW_BLOCK * ROW_BLOCK;
    chunk = min_i64(max_i64(chunk, ROW_BLOCK), ceil_div(g->m, micro->mr) * micro->mr);
    int64_t width = min_i64(COLUMN_BLOCK, ceil_div(g->n, micro->nr) * micro->nr);
    memory->chunk = chunk;
    memory->scratch_size = width / micro->nr * gemm_panel(min_i64(K_BLOCK, g->k), micro->nr) +
                           GEMM_MR_MAX * GEMM_NR_MAX;
    memory->packed = kernel_memory(call, sets * chunk * g->k, sizeof *memory->packed);
    memory->scratch =
        kernel_memory(call, memory->scratch_size * kernel_slots(call), sizeof *memory->scratch);
    return memory->packed && memory->scratch ? O2W_OK : O2W_NO_MEMORY;
}

void gemm_run_in(const struct kernel_call *call, const struct gemm *g,
                 const struct gemm_memory *memory)
{
    struct gemm_work w = { .g = g,
                           .micro = gemm_micro(),
                           .packed = memory->packed,
                           .scratch = memory->scratch,
                           .scratch_size = memory->scratch_size };
    for (w.row_first = 0; w.row_first < g->m; w.row_first += memory->chunk) {
        w.rows = min_i64(memory->chunk, g->m - w.row_first);
        w.panels = ceil_div(w.rows, w.micro->mr);
        w.packed_batch = w.panels * w.micro->mr * g->k;
        run_chunk(call, &w);
    }
}

o2w_status gemm_run(const struct kernel_call *call, const struct gemm *g)
{
    struct gemm_memory memory;
    if (g->m == 0 || g->n == 0 || g->batch == 0)
        return O2W_OK;
    TRY(gemm_reserve(call, g, &memory));
    gemm_run_in(call, g, &memory);
    return O2W_OK;
}
