/* gru, lstm and their cells against the recurrences written out in double. */
#include "coordinates.h"

enum { STEPS = 4, BATCH = 3, INPUT = 5, HIDDEN = 6 };

static double activate(uint32_t kind, double x)
{
    return kind == WEBNN_ACTIVATION_RELU   ? (x > 0 ? x : 0)
           : kind == WEBNN_ACTIVATION_TANH ? tanh(x)
                                           : 1 / (1 + exp(-x));
}

/* All operands of one network; absent ones are zeros here and NULL in the call. */
struct network {
    int64_t directions, gates;
    struct tensor x, w, r, b, rb, peephole, h, c;
    bool has_bias, has_peephole, has_state;
};

static struct network network(struct kit *k, enum dtype t, int64_t directions, int64_t gates,
                              bool more)
{
    struct network n = { .directions = directions,
                         .gates = gates,
                         .has_bias = more,
                         .has_peephole = more,
                         .has_state = more };
    double size = more ? 1 : 0;
    n.x = noise(k, t, DIMS(STEPS, BATCH, INPUT), -1, 1);
    n.w = noise(k, t, DIMS(directions, gates * HIDDEN, INPUT), -1, 1);
    n.r = noise(k, t, DIMS(directions, gates * HIDDEN, HIDDEN), -1, 1);
    n.b = noise(k, t, DIMS(directions, gates * HIDDEN), -size, size);
    n.rb = noise(k, t, DIMS(directions, gates * HIDDEN), -size, size);
    n.peephole = noise(k, t, DIMS(directions, 3 * HIDDEN), -size, size);
    n.h = noise(k, t, DIMS(directions, BATCH, HIDDEN), -size, size);
    n.c = noise(k, t, DIMS(directions, BATCH, HIDDEN), -size, size);
    return n;
}

/* Row `row` of a gate block: its share of the input and of the state. */
static double input_sum(const struct network *n, int64_t d, int64_t row, int64_t step, int64_t b)
{
    double sum = tensor_get_double(&n->b, (uint64_t)(d * n->gates * HIDDEN + row));
    for (int64_t i = 0; i < INPUT; i++)
        sum +=
            value_at(&n->w, (int64_t[]){ d, row, i }) * value_at(&n->x, (int64_t[]){ step, b, i });
    return sum;
}

static double state_sum(const struct network *n, int64_t d, int64_t row, const double *h)
{
    double sum = tensor_get_double(&n->rb, (uint64_t)(d * n->gates * HIDDEN + row));
    for (int64_t i = 0; i < HIDDEN; i++)
        sum += value_at(&n->r, (int64_t[]){ d, row, i }) * h[i];
    return sum;
}

struct states {
    double h[2][BATCH][HIDDEN], c[2][BATCH][HIDDEN];
    double sequence[STEPS][2][BATCH][HIDDEN];
};

static void gru_element(const struct network *n, const struct webnn_gru_attributes *p, int64_t d,
                        int64_t step, int64_t b, int64_t j, const double *h, double *to)
{
    int64_t z_block = p->layout == WEBNN_GRU_WEIGHT_LAYOUT_ZRN ? 0 : 1, r_block = 1 - z_block;
    const uint32_t *f = p->activations.items;
    double z = activate(f[0], input_sum(n, d, z_block * HIDDEN + j, step, b) +
                                  state_sum(n, d, z_block * HIDDEN + j, h));
    double r = activate(f[0], input_sum(n, d, r_block * HIDDEN + j, step, b) +
                                  state_sum(n, d, r_block * HIDDEN + j, h));
    double x = input_sum(n, d, 2 * HIDDEN + j, step, b), m;
    if (p->reset_after) {
        m = activate(f[1], x + r * state_sum(n, d, 2 * HIDDEN + j, h));
    } else {
        double reset[HIDDEN];
        for (int64_t i = 0; i < HIDDEN; i++)
            reset[i] = h[i] * activate(f[0], input_sum(n, d, r_block * HIDDEN + i, step, b) +
                                                 state_sum(n, d, r_block * HIDDEN + i, h));
        m = activate(f[1], x + state_sum(n, d, 2 * HIDDEN + j, reset));
    }
    *to = z * h[j] + (1 - z) * m;
}

static void lstm_element(const struct network *n, const struct webnn_lstm_attributes *p, int64_t d,
                         int64_t step, int64_t b, int64_t j, const double *h, double old,
                         double *to, double *cell)
{
    static const int64_t blocks[2][4] = { { 0, 1, 2, 3 }, { 0, 3, 1, 2 } }; /* i, o, f, g */
    const uint32_t *f = p->activations.items;
    double sums[4];
    for (int g = 0; g < 4; g++) {
        int64_t row = blocks[p->layout][g] * HIDDEN + j;
        sums[g] = input_sum(n, d, row, step, b) + state_sum(n, d, row, h);
        if (g < 3)
            sums[g] += tensor_get_double(&n->peephole, (uint64_t)((d * 3 + g) * HIDDEN + j)) * old;
    }
    *cell = activate(f[0], sums[2]) * old + activate(f[0], sums[0]) * activate(f[1], sums[3]);
    *to = activate(f[0], sums[1]) * activate(f[2], *cell);
}

static void run_network(const struct network *n, const void *attributes, uint32_t direction,
                        struct states *s)
{
    for (int64_t d = 0; d < n->directions; d++)
        for (int64_t b = 0; b < BATCH; b++)
            for (int64_t j = 0; j < HIDDEN; j++) {
                s->h[d][b][j] = value_at(&n->h, (int64_t[]){ d, b, j });
                s->c[d][b][j] = value_at(&n->c, (int64_t[]){ d, b, j });
            }
    for (int64_t d = 0; d < n->directions; d++)
        for (int64_t i = 0; i < STEPS; i++) {
            int64_t step = direction == WEBNN_DIRECTION_BACKWARD || d == 1 ? STEPS - 1 - i : i;
            for (int64_t b = 0; b < BATCH; b++) {
                double h[HIDDEN];
                memcpy(h, s->h[d][b], sizeof h);
                for (int64_t j = 0; j < HIDDEN; j++) {
                    if (n->gates == 3)
                        gru_element(n, attributes, d, step, b, j, h, &s->h[d][b][j]);
                    else
                        lstm_element(n, attributes, d, step, b, j, h, s->c[d][b][j], &s->h[d][b][j],
                                     &s->c[d][b][j]);
                    s->sequence[step][d][b][j] = s->h[d][b][j];
                }
            }
        }
}

static void check_states(const struct tensor *got, const double *want, int64_t directions,
                         double allowed)
{
    for (int64_t i = 0; i < directions * BATCH * HIDDEN; i++)
        assert_near(tensor_get_double(got, (uint64_t)i), want[i], allowed, (size_t)i);
}

static void check_sequence(const struct tensor *got, const struct states *s, int64_t directions,
                           double allowed)
{
    for (int64_t i = 0; i < STEPS * directions * BATCH * HIDDEN; i++) {
        int64_t step = i / (directions * BATCH * HIDDEN), rest = i % (directions * BATCH * HIDDEN);
        assert_near(tensor_get_double(got, (uint64_t)i), (&s->sequence[step][0][0][0])[rest],
                    allowed, (size_t)i);
    }
}

static void check_gru(struct kit *k, enum dtype t, uint32_t direction, uint32_t layout,
                      bool reset_after, bool more, double allowed)
{
    struct webnn_gru_attributes p = webnn_gru_defaults();
    p.steps = STEPS, p.hidden_size = HIDDEN, p.direction = direction, p.layout = layout,
    p.reset_after = reset_after;
    p.return_sequence = true;
    if (more)
        p.activations.items[1] = WEBNN_ACTIVATION_RELU;
    int64_t d = direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
    struct network n = network(k, t, d, 3, more);
    struct call c = {
        WEBNN_GRU,
        &p,
        6,
        { &n.x, &n.w, &n.r, more ? &n.b : NULL, more ? &n.rb : NULL, more ? &n.h : NULL },
        2,
        { blank(k, t, DIMS(d, BATCH, HIDDEN)), blank(k, t, DIMS(STEPS, d, BATCH, HIDDEN)) }
    };
    struct states s;
    run(k, &c);
    run_network(&n, &p, direction, &s);
    check_states(&c.results[0], &s.h[0][0][0], d, allowed);
    check_sequence(&c.results[1], &s, d, allowed);
}

static void gru_follows_its_recurrence(void **state)
{
    struct kit k;
    kit_open(&k);
    for (uint32_t direction = 0; direction < 3; direction++)
        for (uint32_t layout = 0; layout < 2; layout++)
            for (int flags = 0; flags < 4; flags++) {
                check_gru(&k, DTYPE_FLOAT32, direction, layout, flags & 1, flags & 2, 1e-7);
                check_gru(&k, DTYPE_FLOAT64, direction, layout, flags & 1, flags & 2, 1e-14);
                check_gru(&k, DTYPE_FLOAT16, direction, layout, flags & 1, flags & 2, 6e-4);
            }
    kit_close(&k);
    (void)state;
}

static void check_lstm(struct kit *k, enum dtype t, uint32_t direction, uint32_t layout, bool more,
                       double allowed)
{
    struct webnn_lstm_attributes p = webnn_lstm_defaults();
    p.steps = STEPS, p.hidden_size = HIDDEN, p.direction = direction, p.layout = layout,
    p.return_sequence = true;
    if (more)
        p.activations.items[1] = WEBNN_ACTIVATION_RELU,
        p.activations.items[2] = WEBNN_ACTIVATION_SIGMOID;
    int64_t d = direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
    struct network n = network(k, t, d, 4, more);
    struct call c = { WEBNN_LSTM,
                      &p,
                      8,
                      { &n.x, &n.w, &n.r, more ? &n.b : NULL, more ? &n.rb : NULL,
                        more ? &n.peephole : NULL, more ? &n.h : NULL, more ? &n.c : NULL },
                      3,
                      { blank(k, t, DIMS(d, BATCH, HIDDEN)), blank(k, t, DIMS(d, BATCH, HIDDEN)),
                        blank(k, t, DIMS(STEPS, d, BATCH, HIDDEN)) } };
    struct states s;
    run(k, &c);
    run_network(&n, &p, direction, &s);
    check_states(&c.results[0], &s.h[0][0][0], d, allowed);
    check_states(&c.results[1], &s.c[0][0][0], d, allowed);
    check_sequence(&c.results[2], &s, d, allowed);
}

static void lstm_follows_its_recurrence(void **state)
{
    struct kit k;
    kit_open(&k);
    for (uint32_t direction = 0; direction < 3; direction++)
        for (uint32_t layout = 0; layout < 2; layout++)
            for (int more = 0; more < 2; more++) {
                check_lstm(&k, DTYPE_FLOAT32, direction, layout, more, 1e-7);
                check_lstm(&k, DTYPE_FLOAT64, direction, layout, more, 1e-14);
                check_lstm(&k, DTYPE_FLOAT16, direction, layout, more, 6e-4);
            }
    kit_close(&k);
    (void)state;
}

static struct tensor first_part(const struct tensor *t)
{
    struct tensor part = *t;
    part.rank--;
    memmove(part.dims, part.dims + 1, part.rank * sizeof *part.dims);
    return part;
}

static void cells_are_one_step(void **state)
{
    struct kit k;
    kit_open(&k);
    struct network g = network(&k, DTYPE_FLOAT32, 1, 3, true),
                   l = network(&k, DTYPE_FLOAT32, 1, 4, true);
    struct webnn_gru_attributes gp = webnn_gru_defaults();
    struct webnn_gru_cell_attributes gc = webnn_gru_cell_defaults();
    gp.hidden_size = gc.hidden_size = HIDDEN;
    gp.steps = 1;
    gp.layout = gc.layout = WEBNN_GRU_WEIGHT_LAYOUT_RZN;
    gp.reset_after = gc.reset_after = false;
    g.x.dims[0] = l.x.dims[0] = 1;
    struct call whole = { WEBNN_GRU, &gp,
                          6,         { &g.x, &g.w, &g.r, &g.b, &g.rb, &g.h },
                          1,         { blank(&k, DTYPE_FLOAT32, DIMS(1, BATCH, HIDDEN)) } };
    struct tensor x = first_part(&g.x), w = first_part(&g.w), r = first_part(&g.r),
                  b = first_part(&g.b), rb = first_part(&g.rb), h = first_part(&g.h);
    struct call cell = { WEBNN_GRU_CELL,
                         &gc,
                         6,
                         { &x, &w, &r, &h, &b, &rb },
                         1,
                         { blank(&k, DTYPE_FLOAT32, DIMS(BATCH, HIDDEN)) } };
    run(&k, &whole);
    run(&k, &cell);
    assert_memory_equal(whole.results[0].data, cell.results[0].data, BATCH * HIDDEN * 4);
    struct webnn_lstm_attributes lp = webnn_lstm_defaults();
    struct webnn_lstm_cell_attributes lc = webnn_lstm_cell_defaults();
    lp.hidden_size = lc.hidden_size = HIDDEN;
    lp.steps = 1;
    lp.layout = lc.layout = WEBNN_LSTM_WEIGHT_LAYOUT_IFGO;
    struct call whole2 = { WEBNN_LSTM,
                           &lp,
                           8,
                           { &l.x, &l.w, &l.r, &l.b, &l.rb, &l.peephole, &l.h, &l.c },
                           2,
                           { blank(&k, DTYPE_FLOAT32, DIMS(1, BATCH, HIDDEN)),
                             blank(&k, DTYPE_FLOAT32, DIMS(1, BATCH, HIDDEN)) } };
    x = first_part(&l.x), w = first_part(&l.w), r = first_part(&l.r), b = first_part(&l.b),
    rb = first_part(&l.rb), h = first_part(&l.h);
    struct tensor c = first_part(&l.c), p = first_part(&l.peephole);
    struct call cell2 = { WEBNN_LSTM_CELL,
                          &lc,
                          8,
                          { &x, &w, &r, &h, &c, &b, &rb, &p },
                          2,
                          { blank(&k, DTYPE_FLOAT32, DIMS(BATCH, HIDDEN)),
                            blank(&k, DTYPE_FLOAT32, DIMS(BATCH, HIDDEN)) } };
    run(&k, &whole2);
    run(&k, &cell2);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(whole2.results[i].data, cell2.results[i].data, BATCH * HIDDEN * 4);
    kit_close(&k);
    (void)state;
}

/* --- products that are float32 ones ---- */

enum { WIDE = 48, MANY = 40 };

static struct tensor as_float64(struct kit *k, const struct tensor *t)
{
    struct tensor wide;
    assert_ok(tensor_new(&k->arena, DTYPE_FLOAT64, t->dims, t->rank, &wide));
    assert_ok(tensor_convert(t, &wide));
    return wide;
}

/* The same numbers in float64, whose products are never float32 ones. */
static void check_wide(struct kit *k, enum webnn_operator kind, const void *attributes,
                       int64_t gates, int64_t batch, int64_t steps)
{
    struct tensor single[3] = { noise(k, DTYPE_FLOAT32, DIMS(steps, batch, WIDE), -1, 1),
                                noise(k, DTYPE_FLOAT32, DIMS(2, gates * WIDE, WIDE), -0.2, 0.2),
                                noise(k, DTYPE_FLOAT32, DIMS(2, gates * WIDE, WIDE), -0.2, 0.2) };
    struct tensor wide[3], *operands[2] = { single, wide }, results[2];
    for (int i = 0; i < 3; i++)
        wide[i] = as_float64(k, &single[i]);
    for (int i = 0; i < 2; i++) {
        struct tensor *x = operands[i];
        struct call c = { kind,
                          attributes,
                          kind == WEBNN_GRU ? 6 : 8,
                          { x, x + 1, x + 2 },
                          kind == WEBNN_GRU ? 1 : 2,
                          { blank(k, x->dtype, DIMS(2, batch, WIDE)),
                            blank(k, x->dtype, DIMS(2, batch, WIDE)) } };
        run(k, &c);
        results[i] = c.results[0];
    }
    for (uint64_t i = 0; i < tensor_count(&results[0]); i++)
        assert_near(tensor_get_double(&results[0], i), tensor_get_double(&results[1], i), 2e-6, i);
}

static void wide_networks_are_close_to_float64(void **state)
{
    static const int64_t batches[] = { 1, 5, MANY };
    struct kit k;
    kit_open(&k);
    for (int i = 0; i < 3; i++)
        for (uint32_t steps = 2; steps < 9; steps += 5) {
            struct webnn_gru_attributes gru = webnn_gru_defaults();
            struct webnn_lstm_attributes lstm = webnn_lstm_defaults();
            gru.steps = lstm.steps = steps;
            gru.hidden_size = lstm.hidden_size = WIDE;
            gru.direction = lstm.direction = WEBNN_DIRECTION_BOTH;
            check_wide(&k, WEBNN_GRU, &gru, 3, batches[i], steps);
            gru.reset_after = false;
            check_wide(&k, WEBNN_GRU, &gru, 3, batches[i], steps);
            check_wide(&k, WEBNN_LSTM, &lstm, 4, batches[i], steps);
        }
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gru_follows_its_recurrence),
        cmocka_unit_test(lstm_follows_its_recurrence),
        cmocka_unit_test(cells_are_one_step),
        cmocka_unit_test(wide_networks_are_close_to_float64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
