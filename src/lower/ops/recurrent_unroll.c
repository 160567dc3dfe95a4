/* H16: recurrent cells written out for every step, in float32 where the data is float16. */
#include "lower/ops/recurrent.h"

#include "lower/ops/integer_product.h"

/* One direction: its weights, what the whole input gives to its gates, its states. */
struct walk {
    struct calc calc;
    const struct node_view *n;
    const struct recurrent *p;
    const struct cell *c;
    const struct function *f;
    value gates; /* [steps, batch, gates · hidden]: input and biases */
    value
        candidate; /* GRU: the part of the new state, [steps, batch, hidden]; gates is then z, r */
    value r;       /* [hidden, rows] for all gates; GRU: for z and r */
    value r_new, r_bias;
    value r_scale, r_zero; /* of 8-bit weights */
    value peephole[3];     /* i, o, f: [1, 1, hidden] or NULL */
    value h, state;        /* [1, batch, hidden] */
    value *rows;           /* of Y */
};

/* Parts of the last axis, each of `size`. */
static void parts_of(struct calc *c, value x, uint32_t count, value *out)
{
    struct webnn_split_attributes a = webnn_split_defaults();
    for (uint32_t i = 0; i < count; i++)
        out[i] = NULL;
    if (c->status != O2W_OK)
        return;
    a.axis = x->rank - 1;
    a.splits = (struct webnn_splits){ .equal = true, .count = count };
    c->status = op_list(c->l, WEBNN_SPLIT, OPERANDS(x), &a, out, count);
}

static value clipped(struct walk *w, value x)
{
    struct webnn_clamp_attributes a = webnn_clamp_defaults();
    value y = NULL;
    if (!w->p->clip.given || w->calc.status != O2W_OK)
        return x;
    a.min_value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = -w->p->clip.value };
    a.max_value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = w->p->clip.value };
    w->calc.status = op(w->calc.l, WEBNN_CLAMP, OPERANDS(x), &a, &y);
    return y;
}

static value activated(struct walk *w, uint32_t function, value x)
{
    return function_apply(&w->calc, &w->f[function], clipped(w, x));
}

/* x · weights, where x is quantised by its own range for 8-bit weights, and the sums are exact. */
static o2w_status product(struct lower *l, const struct node_view *n, value x, value weights,
                          value scale, value zero, value *out)
{
    struct factor a = { .x = x }, b = { .x = weights, .zero = zero };
    value own;
    if (!scale)
        return op2(l, WEBNN_MATMUL, x, weights, out);
    TRY(dynamic_quantize(l, n, x, &a.x, &own, &a.zero));
    TRY(exact_product(l, n, &a, &b, out));
    TRY(cast(l, *out, DTYPE_FLOAT32, out));
    TRY(op2(l, WEBNN_MUL, own, scale, &scale));
    return op2(l, WEBNN_MUL, *out, scale, out);
}

static value recurrent_part(struct walk *w, value h, value r)
{
    value y = NULL;
    if (w->calc.status == O2W_OK)
        w->calc.status = product(w->calc.l, w->n, h, r, w->r_scale, w->r_zero, &y);
    return y;
}

/* --- cells ---------------------------------------------------------------------------------------------- */

static void rnn_step(struct walk *w, value gates, value *h)
{
    *h = activated(w, 0, calc_add(&w->calc, gates, recurrent_part(w, *h, w->r)));
}

static void gru_step(struct walk *w, value gates, value candidate, value *h)
{
    struct calc *c = &w->calc;
    value zr[2], fresh;
    parts_of(c, activated(w, 0, calc_add(c, gates, recurrent_part(w, *h, w->r))), 2, zr);
    if (w->p->linear_before_reset) {
        fresh = recurrent_part(w, *h, w->r_new);
        if (w->r_bias)
            fresh = calc_add(c, fresh, w->r_bias);
        fresh = calc_mul(c, zr[1], fresh);
    } else {
        fresh = recurrent_part(w, calc_mul(c, zr[1], *h), w->r_new);
    }
    fresh = activated(w, 1, calc_add(c, candidate, fresh));
    value kept = calc_mul(c, zr[0], *h);
    value taken = calc_mul(c, calc_sub(c, calc_number(c, 1), zr[0]), fresh);
    *h = calc_add(c, taken, kept);
}

/* The gate with its peephole onto a cell state. */
static value gate(struct walk *w, value x, uint32_t peephole, value state)
{
    if (w->peephole[peephole])
        x = calc_add(&w->calc, x, calc_mul(&w->calc, w->peephole[peephole], state));
    return activated(w, 0, x);
}

static void lstm_step(struct walk *w, value gates, value *h, value *state)
{
    struct calc *c = &w->calc;
    value iofc[4];
    parts_of(c, calc_add(c, gates, recurrent_part(w, *h, w->r)), 4, iofc);
    value i = gate(w, iofc[0], 0, *state);
    value f = w->p->input_forget ? calc_sub(c, calc_number(c, 1), i) : gate(w, iofc[2], 2, *state);
    value fresh = activated(w, 1, iofc[3]);
    *state = calc_add(c, calc_mul(c, f, *state), calc_mul(c, i, fresh));
    value o = gate(w, iofc[1], 1, *state);
    *h = calc_mul(c, o, function_apply(c, &w->f[2], *state));
}

/* --- lengths -------------------------------------------------------------------------------------------- */

enum mask { MASK_ALL, MASK_NONE, MASK_SOME };

/* Which batch entries step t belongs to: [1, batch, 1] for MASK_SOME. */
static o2w_status mask_of(struct lower *l, const struct cell *c, uint32_t t, enum mask *kind,
                          value *out)
{
    const dim dims[] = { 1, c->batch, 1 };
    value lengths, step;
    *kind = MASK_ALL;
    if (!c->lengths)
        return O2W_OK;
    TRY(reshape(l, c->lengths, dims, 3, &lengths));
    TRY(scalar_i64(l, DTYPE_INT32, t, &step));
    TRY(op2(l, WEBNN_GREATER, lengths, step, out));
    *kind = MASK_SOME;
    if (value_is_known(*out)) {
        struct tensor mask;
        uint64_t inside = 0;
        TRY(known_tensor(l, *out, &mask));
        for (uint64_t i = 0; i < tensor_count(&mask); i++)
            inside += ((const uint8_t *)mask.data)[i];
        *kind = inside == tensor_count(&mask) ? MASK_ALL : inside ? MASK_SOME : MASK_NONE;
    }
    return O2W_OK;
}

/* --- one direction ---------------------------------------------------------------------------------------- */

static value at_step(struct walk *w, value x, uint32_t t)
{
    value y = NULL;
    if (w->calc.status == O2W_OK)
        w->calc.status = slice(w->calc.l, x, 0, t, 1, 1, &y);
    return y;
}

static o2w_status walk_step(struct walk *w, uint32_t t)
{
    struct calc *c = &w->calc;
    enum mask kind;
    value mask, h = w->h, state = w->state;
    TRY(mask_of(c->l, w->c, t, &kind, &mask));
    value zero = calc_number(c, 0);
    if (kind == MASK_NONE) {
        w->rows[t] = NULL;
        return c->status;
    }
    value gates = at_step(w, w->gates, t);
    switch (w->c->kind) {
    case CELL_RNN: rnn_step(w, gates, &h); break;
    case CELL_GRU: gru_step(w, gates, at_step(w, w->candidate, t), &h); break;
    case CELL_LSTM: lstm_step(w, gates, &h, &state); break;
    }
    w->rows[t] = kind == MASK_ALL ? h : calc_where(c, mask, h, zero);
    w->h = kind == MASK_ALL ? h : calc_where(c, mask, h, w->h);
    if (w->c->kind == CELL_LSTM)
        w->state = kind == MASK_ALL ? state : calc_where(c, mask, state, w->state);
    return c->status;
}

/* A sequence without steps leaves zeros, whatever its initial state: the standard is silent, the runtime
 * is not. */
static o2w_status clear_empty(struct walk *w)
{
    struct calc *c = &w->calc;
    enum mask kind;
    value mask, *states[] = { &w->h, &w->state };
    TRY(mask_of(c->l, w->c, 0, &kind, &mask));
    value zero = calc_number(c, 0);
    for (uint32_t i = 0; kind != MASK_ALL && i < 2; i++) {
        value s = *states[i];
        if (s && kind == MASK_SOME)
            *states[i] = calc_where(c, mask, s, zero);
        else if (s)
            TRY(fill_i64(c->l, s->dtype, 0, s->dims, s->rank, states[i]));
    }
    return c->status;
}

/* Index d of the first axis, which goes where `drop` is set. */
static o2w_status direction_at(struct lower *l, value v, uint32_t d, bool drop, value *out)
{
    uint32_t first = 0;
    *out = NULL;
    if (!v)
        return O2W_OK;
    TRY(slice(l, v, 0, d, 1, 1, out));
    TRY(widen(l, *out, out));
    return drop ? squeeze(l, *out, &first, 1, out) : O2W_OK;
}

/* [1, rows, k] as [k, rows]. */
static o2w_status turned(struct lower *l, value v, uint32_t d, value *out)
{
    static const uint32_t swap[] = { 1, 0 };
    TRY(direction_at(l, v, d, true, out));
    return transpose(l, *out, swap, out);
}

static o2w_status initial_state(struct lower *l, const struct cell *c, value given, uint32_t d,
                                enum dtype dtype, value *out)
{
    const dim dims[] = { 1, c->batch, c->hidden };
    if (given)
        return direction_at(l, given, d, false, out);
    return fill_i64(l, dtype, 0, dims, 3, out);
}

/* Both biases of all gates but GRU's new state, whose recurrent one stays inside the reset. */
static o2w_status add_biases(struct lower *l, struct walk *w, uint32_t d)
{
    const struct cell *c = w->c;
    dim rows = (dim)c->gates * c->hidden, shared;
    value both, input_bias, recurrent_bias;
    if (!c->bias)
        return O2W_OK;
    TRY(direction_at(l, c->bias, d, false, &both));
    TRY(slice(l, both, 1, 0, rows, 1, &input_bias));
    TRY(slice(l, both, 1, rows, rows, 1, &recurrent_bias));
    if (c->kind == CELL_GRU && w->p->linear_before_reset) {
        value parts[2], zeros;
        shared = 2 * (dim)c->hidden;
        TRY(slice(l, recurrent_bias, 1, shared, c->hidden, 1, &w->r_bias));
        TRY(slice(l, recurrent_bias, 1, 0, shared, 1, &parts[0]));
        TRY(fill_i64(l, value_working_dtype(parts[0]), 0, (const dim[]){ 1, c->hidden }, 2,
                     &zeros));
        parts[1] = zeros;
        TRY(concat(l, parts, 2, 1, &recurrent_bias));
    }
    TRY(op2(l, WEBNN_ADD, input_bias, recurrent_bias, &both));
    return op2(l, WEBNN_ADD, w->gates, both, &w->gates);
}

static o2w_status read_peephole(struct lower *l, struct walk *w, uint32_t d)
{
    value all;
    if (!w->c->peephole)
        return O2W_OK;
    TRY(direction_at(l, w->c->peephole, d, false, &all));
    for (uint32_t i = 0; i < 3; i++)
        TRY(slice(l, all, 1, (int64_t)i * w->c->hidden, w->c->hidden, 1, &w->peephole[i]));
    return O2W_OK;
}

/* GRU's new state has weights of its own: gates are z and r, then. */
static o2w_status split_candidate(struct lower *l, struct walk *w)
{
    dim hidden = w->c->hidden;
    value gates = w->gates, r = w->r;
    if (w->c->kind != CELL_GRU)
        return O2W_OK;
    TRY(slice(l, gates, 2, 0, 2 * hidden, 1, &w->gates));
    TRY(slice(l, gates, 2, 2 * hidden, hidden, 1, &w->candidate));
    TRY(slice(l, r, 1, 0, 2 * hidden, 1, &w->r));
    return slice(l, r, 1, 2 * hidden, hidden, 1, &w->r_new);
}

/* The scales or zero points of direction d: one, or one per row of the weights. */
static o2w_status scale_of(struct lower *l, const struct cell *c, value v, uint32_t d, value *out)
{
    dim rows = (dim)c->gates * c->hidden;
    *out = NULL;
    if (!v)
        return O2W_OK;
    TRY(slice(l, v, 0, d, 1, 1, &v));
    return reshape(l, v, &rows, v->rank == 2 ? 1 : 0, out);
}

static o2w_status walk_begin(struct lower *l, const struct node_view *n, const struct recurrent *p,
                             const struct cell *c, uint32_t d, struct walk *w)
{
    value x, weights, scale, zero;
    TRY(widen(l, c->x, &x));
    *w = (struct walk){ .calc = calc_begin(l, x), .n = n, .p = p, .c = c, .f = c->function[d] };
    w->rows = ARENA_ARRAY(lower_arena(l), c->steps, value);
    if (!w->rows)
        return diag_memory(lower_diags(l));
    TRY(turned(l, c->w, d, &weights));
    TRY(turned(l, c->r, d, &w->r));
    TRY(scale_of(l, c, c->w_scale, d, &scale));
    TRY(scale_of(l, c, c->w_zero, d, &zero));
    TRY(scale_of(l, c, c->r_scale, d, &w->r_scale));
    TRY(scale_of(l, c, c->r_zero, d, &w->r_zero));
    TRY(product(l, n, x, weights, scale, zero, &w->gates));
    TRY(add_biases(l, w, d));
    TRY(split_candidate(l, w));
    TRY(read_peephole(l, w, d));
    TRY(initial_state(l, c, c->state_h, d, w->calc.dtype, &w->h));
    if (c->kind == CELL_LSTM)
        TRY(initial_state(l, c, c->state_c, d, w->calc.dtype, &w->state));
    return O2W_OK;
}

/* The rows as [steps, 1, batch, hidden]; steps that no sequence has are zeros. */
static o2w_status join_rows(struct lower *l, const struct walk *w, value *out)
{
    const struct cell *c = w->c;
    const dim row[] = { 1, c->batch, c->hidden }, all[] = { c->steps, 1, c->batch, c->hidden };
    for (uint32_t t = 0; t < c->steps; t++)
        if (!w->rows[t])
            TRY(fill_i64(l, w->calc.dtype, 0, row, 3, &w->rows[t]));
    TRY(concat(l, w->rows, c->steps, 0, out));
    return reshape(l, *out, all, 4, out);
}

o2w_status recurrent_unroll(struct lower *l, const struct node_view *n, const struct recurrent *p,
                            const struct cell *c)
{
    value sequence[2], h[2], state[2], y;
    uint32_t limit = lower_unroll_limit(l, UNROLL_STEPS);
    if (c->steps > limit) {
        o2w_status s = refuse(l, n, DIAG_LOWER_LIMIT,
                              "%u steps must be written out, the limit is %u", c->steps, limit);
        diag_hint(lower_diags(l), "--unroll-limit N");
        return s;
    }
    for (uint32_t d = 0; d < c->directions; d++) {
        struct walk w;
        bool backward = c->directions == 2 ? d == 1 : c->reverse;
        TRY(walk_begin(l, n, p, c, d, &w));
        for (uint32_t t = 0; t < c->steps; t++)
            TRY(walk_step(&w, backward ? c->steps - 1 - t : t));
        TRY(clear_empty(&w));
        TRY(join_rows(l, &w, &sequence[d]));
        TRY(cast(l, sequence[d], n->variables[TYPE_T], &sequence[d]));
        TRY(cast(l, w.h, n->variables[TYPE_T], &h[d]));
        if (w.state)
            TRY(cast(l, w.state, n->variables[TYPE_T], &state[d]));
    }
    if (output_used(n, 0)) {
        TRY(concat(l, sequence, c->directions, 1, &y));
        TRY(emit_sequence(l, n, p, y));
    }
    TRY(concat(l, h, c->directions, 0, &y));
    TRY(emit_state(l, n, p, 1, y));
    if (c->kind != CELL_LSTM)
        return O2W_OK;
    TRY(concat(l, state, c->directions, 0, &y));
    return emit_state(l, n, p, 2, y);
}
