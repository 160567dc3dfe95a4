/* RNN, GRU and LSTM written down from the formulas of the operators, in double precision: a judge between a result and
 * native ONNX Runtime, whose activations are approximations with an absolute error. */
#include "judge.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    const struct node *n;
    const struct tensor *x, *w, *r, *b, *lens, *h0, *c0, *peephole;
    int64_t steps, batch, dirs, hidden, size, gates;
    double clip;
    bool reset_after,
        rounded; /* rounded: to a float32 below, so that one sees what rounding is worth */
    double (*functions[2][3])(double);
};

/* --- activations ---- */

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double relu(double x)
{
    return x > 0 ? x : 0;
}

static double hard_sigmoid(double x)
{
    return fmin(1, fmax(0, 0.2 * x + 0.5));
}

static double softsign(double x)
{
    return x / (1 + fabs(x));
}

static double softplus(double x)
{
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double (*function_of(const char *word, size_t size))(double)
{
    static const struct {
        const char *name;
        double (*function)(double);
    } known[] = { { "Sigmoid", sigmoid },   { "Tanh", tanh },
                  { "Relu", relu },         { "HardSigmoid", hard_sigmoid },
                  { "Softsign", softsign }, { "Softplus", softplus } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == size && memcmp(known[i].name, word, size) == 0)
            return known[i].function;
    return NULL;
}

static bool read_functions(struct cell *c)
{
    const struct attribute *a = find_attribute(c->n, "activations");
    const char *text = a               ? a->text
                       : c->gates == 4 ? "Sigmoid Tanh Tanh Sigmoid Tanh Tanh"
                       : c->gates == 3 ? "Sigmoid Tanh Sigmoid Tanh"
                                       : "Tanh Tanh";
    int64_t each = c->gates == 4 ? 3 : c->gates == 3 ? 2 : 1;
    for (int64_t i = 0; i < each * c->dirs; i++) {
        size_t size = strcspn(text, " ");
        double (*f)(double) = function_of(text, size);
        if (!f)
            return false;
        c->functions[i / each][i % each] = f;
        text += size + (text[size] == ' ');
    }
    return true;
}

/* --- one step ---- */

static double at(const struct tensor *t, int64_t i)
{
    return t ? tensor_get_double(t, (uint64_t)i) : 0;
}

static double activate(const struct cell *c, int64_t dir, int i, double x)
{
    if (c->clip > 0)
        x = fmin(c->clip, fmax(-c->clip, x));
    x = c->functions[dir][i](x);
    return c->rounded ? (double)nextafterf((float)x, 0) : x;
}

/* W·x and its bias, of a gate's unit. */
static double from_input(const struct cell *c, int64_t dir, int64_t t, int64_t batch, int64_t row)
{
    double sum = at(c->b, dir * 2 * c->gates * c->hidden + row);
    for (int64_t i = 0; i < c->size; i++)
        sum += at(c->w, (dir * c->gates * c->hidden + row) * c->size + i) *
               at(c->x, (t * c->batch + batch) * c->size + i);
    return sum;
}

/* R·h and its bias; `scale`, where there is one, by the states. */
static double from_state(const struct cell *c, int64_t dir, int64_t row, const double *h,
                         const double *scale)
{
    double sum = at(c->b, (dir * 2 + 1) * c->gates * c->hidden + row);
    for (int64_t k = 0; k < c->hidden; k++)
        sum += at(c->r, (dir * c->gates * c->hidden + row) * c->hidden + k) * h[k] *
               (scale ? scale[k] : 1);
    return sum;
}

enum { UNITS = 16 };

struct moment {
    int64_t dir, t, batch;
    double h[UNITS], c[UNITS];
};

static double gate(const struct cell *c, const struct moment *m, int64_t row)
{
    return from_input(c, m->dir, m->t, m->batch, row) + from_state(c, m->dir, row, m->h, NULL);
}

static void step_rnn(const struct cell *c, struct moment *m, double *h)
{
    for (int64_t u = 0; u < c->hidden; u++)
        h[u] = activate(c, m->dir, 0, gate(c, m, u));
}

static void step_gru(const struct cell *c, struct moment *m, double *h)
{
    double reset[UNITS];
    for (int64_t u = 0; u < c->hidden; u++)
        reset[u] = activate(c, m->dir, 0, gate(c, m, c->hidden + u));
    for (int64_t u = 0; u < c->hidden; u++) {
        int64_t row = 2 * c->hidden + u;
        double z = activate(c, m->dir, 0, gate(c, m, u)),
               recalled = c->reset_after ? reset[u] * from_state(c, m->dir, row, m->h, NULL)
                                         : from_state(c, m->dir, row, m->h, reset),
               fresh =
                   activate(c, m->dir, 1, from_input(c, m->dir, m->t, m->batch, row) + recalled);
        h[u] = (1 - z) * fresh + z * m->h[u];
    }
}

static void step_lstm(const struct cell *c, struct moment *m, double *h)
{
    int64_t n = c->hidden, p = m->dir * 3 * n;
    for (int64_t u = 0; u < n; u++) {
        double old = m->c[u];
        double in = activate(c, m->dir, 0, gate(c, m, u) + at(c->peephole, p + u) * old);
        double keep =
            activate(c, m->dir, 0, gate(c, m, 2 * n + u) + at(c->peephole, p + 2 * n + u) * old);
        m->c[u] = keep * old + in * activate(c, m->dir, 1, gate(c, m, 3 * n + u));
        double out =
            activate(c, m->dir, 0, gate(c, m, n + u) + at(c->peephole, p + n + u) * m->c[u]);
        h[u] = out * c->functions[m->dir][2](m->c[u]);
    }
}

/* --- all of them ---- */

/* What follows from a state beyond float32 depends on where it became infinite. */
static void settle(const struct cell *c, double *states)
{
    for (int64_t i = 0; i < c->hidden; i++)
        if (!(fabs(states[i]) <= FLT_MAX))
            states[i] = (double)NAN;
        else if (c->rounded)
            states[i] = (double)nextafterf((float)states[i], 0);
}

static void run_sequence(const struct cell *c, bool backward, struct moment *m, double *results[3])
{
    int64_t length = c->lens ? (int64_t)at(c->lens, m->batch) : c->steps;
    int64_t state = (m->dir * c->batch + m->batch) * c->hidden;
    for (int64_t u = 0; u < c->hidden; u++) {
        m->h[u] = at(c->h0, state + u);
        m->c[u] = at(c->c0, state + u);
    }
    for (int64_t u = 0; length == 0 && u < c->hidden; u++)
        m->h[u] = m->c[u] = 0;
    for (int64_t i = 0; i < length; i++) {
        double h[UNITS];
        m->t = backward ? length - 1 - i : i;
        (c->gates == 4 ? step_lstm : c->gates == 3 ? step_gru : step_rnn)(c, m, h);
        settle(c, h);
        settle(c, m->c);
        memcpy(m->h, h, (size_t)c->hidden * sizeof *h);
        memcpy(results[0] + m->t * c->dirs * c->batch * c->hidden + state, h,
               (size_t)c->hidden * sizeof *h);
    }
    memcpy(results[1] + state, m->h, (size_t)c->hidden * sizeof *m->h);
    memcpy(results[2] + state, m->c, (size_t)c->hidden * sizeof *m->c);
}

static bool read_cell(const struct program *p, const struct node *n, struct cell *c)
{
    const char *name = n->row->name;
    int64_t gates = strcmp(name, "LSTM") == 0 ? 4 : strcmp(name, "GRU") == 0 ? 3 : 1;
    const struct attribute *clip = find_attribute(n, "clip");
    *c = (struct cell){ .n = n, .gates = gates, .clip = clip ? clip->real : 0 };
    const struct tensor **slots[] = { &c->x,    &c->w,  &c->r,  &c->b,
                                      &c->lens, &c->h0, &c->c0, &c->peephole };
    for (size_t i = 0; i < n->input_count && i < sizeof slots / sizeof *slots; i++)
        *slots[i] = node_input(p, n, i);
    c->steps = c->x->dims[0];
    c->batch = c->x->dims[1];
    c->size = c->x->dims[2];
    c->dirs = c->w->dims[0];
    c->hidden = c->r->dims[2];
    c->reset_after = int_attribute(n, "linear_before_reset", 0) != 0;
    return c->hidden <= UNITS && !int_attribute(n, "layout", 0) && read_functions(c);
}

struct results {
    double *all, *exact[3], *rounded[3]; /* states of each step, last states, last cells */
};

/* How far rounding moved one of the states that depend on each other; NaN where they are unknown. */
static double moved(const struct results *r, int which, uint64_t first, uint64_t count)
{
    double most = 0;
    for (uint64_t i = first; i < first + count; i++) {
        double by = fabs(r->exact[which][i] - r->rounded[which][i]);
        if (isnan(by))
            return by;
        most = fmax(most, by);
    }
    return most;
}

/* Some roundings more than those of `rounded` are allowed; where exact states are NaN nothing is known. */
static bool is_exact(const struct tensor *got, const struct results *r, int which)
{
    uint64_t hidden = (uint64_t)got->dims[got->rank - 1];
    for (uint64_t i = 0; i < tensor_count(got); i++) {
        double x = tensor_get_double(got, i), y = r->exact[which][i],
               slack = 16 * moved(r, which, i / hidden * hidden, hidden);
        if (!isnan(slack) && !(fabs(x - y) <= 1e-5 + 1e-4 * fabs(y) + slack))
            return false;
    }
    return true;
}

static void run_cell(const struct cell *c, double *results[3])
{
    const struct attribute *direction = find_attribute(c->n, "direction");
    bool reverse = direction && strcmp(direction->text, "reverse") == 0;
    struct moment m;
    for (m.dir = 0; m.dir < c->dirs; m.dir++)
        for (m.batch = 0; m.batch < c->batch; m.batch++)
            run_sequence(c, reverse || m.dir == 1, &m, results);
}

static bool results_init(const struct cell *c, struct results *r)
{
    int64_t states = c->dirs * c->batch * c->hidden, each = (c->steps + 2) * states;
    r->all = calloc((size_t)(2 * each) + 1, sizeof *r->all);
    for (int64_t i = 0; r->all && i < 3; i++) {
        r->exact[i] = r->all + (i ? (c->steps + i - 1) * states : 0);
        r->rounded[i] = r->exact[i] + each;
    }
    return r->all != NULL;
}

bool exact_cells(const struct program *p, const struct node *n, const struct tensor *got)
{
    struct cell c;
    struct results r;
    if (!read_cell(p, n, &c) || !results_init(&c, &r))
        return false;
    run_cell(&c, r.exact);
    c.rounded = true;
    run_cell(&c, r.rounded);
    bool exact =
        got->rank == 4 ? is_exact(got, &r, 0) : is_exact(got, &r, 1) || is_exact(got, &r, 2);
    free(r.all);
    return exact;
}
