/* Recurrent operators, attention, signals. */
#include "draw.h"

#include <string.h>

static bool row_is(const struct node *n, const char *name)
{
    return strcmp(n->row->name, name) == 0;
}

static const char *draw_activations(struct draw *d, struct node *n, size_t count)
{
    static const char *const words[] = { "Sigmoid",     "Tanh",     "Relu",
                                         "HardSigmoid", "Softsign", "Softplus" };
    char text[200] = "";
    (void)n;
    for (size_t i = 0; i < count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, words[draw_below(d, sizeof words / sizeof *words)]);
    }
    return arena_printf(d->arena, "%s", text);
}

static bool recurrent(struct draw *d, struct node *n)
{
    int64_t gates = row_is(n, "LSTM") ? 4 : row_is(n, "GRU") ? 3 : 1, h = draw_between(d, 1, 3);
    int64_t steps = draw_between(d, 1, 4), batch = draw_between(d, 1, 3),
            size = draw_between(d, 1, 3);
    static const char *const directions[] = { "forward", "reverse", "bidirectional" };
    uint32_t direction = draw_below(d, 3);
    int64_t dirs = direction == 2 ? 2 : 1;
    enum dtype t = DTYPE_FLOAT32;
    add_text(n, "direction", directions[direction]);
    add_int(n, "hidden_size", h);
    if (once_in(d, 3))
        add_attribute(n, "activations", PARAM_STRINGS)->text =
            draw_activations(d, n,
                             (size_t)((gates == 4   ? 3
                                       : gates == 3 ? 2
                                                    : 1) *
                                      dirs));
    if (once_in(d, 5))
        add_float(n, "clip", 0.75);
    if (row_has_attribute(n->row, "linear_before_reset"))
        add_int(n, "linear_before_reset", draw_below(d, 2));
    push_input(n, draw_like(d, t, DIMS_OF(steps, batch, size)));
    push_input(n, draw_plain(d, t, DIMS_OF(dirs, gates * h, size), true));
    push_input(n, draw_plain(d, t, DIMS_OF(dirs, gates * h, h), true));
    push_input(n, once_in(d, 3) ? ABSENT : draw_plain(d, t, DIMS_OF(dirs, 2 * gates * h), true));
    push_input(n, once_in(d, 2)
                      ? ABSENT
                      : draw_range(d, DTYPE_INT32, DIMS_OF(batch), 1, steps, once_in(d, 2)));
    push_input(n, once_in(d, 2) ? ABSENT : draw_plain(d, t, DIMS_OF(dirs, batch, h), false));
    if (gates == 4) {
        push_input(n, once_in(d, 2) ? ABSENT : draw_plain(d, t, DIMS_OF(dirs, batch, h), false));
        push_input(n, once_in(d, 2) ? ABSENT : draw_plain(d, t, DIMS_OF(dirs, 3 * h), true));
    }
    n->output_count = gates == 4 ? 3 : 2;
    return true;
}

static bool attention(struct draw *d, struct node *n)
{
    int64_t batch = draw_between(d, 1, 2), kv = draw_between(d, 1, 2),
            heads = kv * draw_between(d, 1, 2);
    int64_t q = draw_between(d, 1, 4), k = draw_between(d, 1, 4), size = DRAW_OF(d, 2, 4);
    enum dtype t = DTYPE_FLOAT32;
    push_input(n, draw_plain(d, t, DIMS_OF(batch, heads, q, size), false));
    push_input(n, draw_plain(d, t, DIMS_OF(batch, kv, k, size), false));
    int64_t width = size + draw_between(d, 0, 2);
    push_input(n, draw_plain(d, t, DIMS_OF(batch, kv, k, width), false));
    int64_t past = once_in(d, 3) ? draw_between(d, 1, 3) : 0;
    if (once_in(d, 2))
        push_input(n, draw_value(d, once_in(d, 2) ? DTYPE_BOOL : t, DIMS_OF(q, past + k), false));
    else if (past)
        push_input(n, ABSENT);
    if (past) {
        push_input(n, draw_plain(d, t, DIMS_OF(batch, kv, past, size), false));
        push_input(n, draw_plain(d, t, DIMS_OF(batch, kv, past, width), false));
    }
    add_int(n, "is_causal", draw_below(d, 2));
    if (once_in(d, 3))
        add_float(n, "scale", 0.5);
    if (once_in(d, 3))
        add_float(n, "softcap", 2);
    n->output_count = past ? 3 : 1;
    return true;
}

static bool rotary(struct draw *d, struct node *n)
{
    int64_t batch = draw_between(d, 1, 2), heads = draw_between(d, 1, 2),
            steps = draw_between(d, 1, 3), size = 4;
    push_input(n, draw_like(d, DTYPE_FLOAT32, DIMS_OF(batch, heads, steps, size)));
    push_input(n, draw_plain(d, DTYPE_FLOAT32, DIMS_OF(6, size / 2), true));
    push_input(n, draw_plain(d, DTYPE_FLOAT32, DIMS_OF(6, size / 2), true));
    push_input(n, draw_range(d, DTYPE_INT64, DIMS_OF(batch, steps), 0, 5, once_in(d, 2)));
    add_int(n, "interleaved", draw_below(d, 2));
    return strcmp(n->row->domain, "ai.onnx") == 0;
}

static bool dft(struct draw *d, struct node *n)
{
    struct dims s = draw_dims(d, 1, 2);
    s.sizes[s.rank] = draw_between(d, 1, 8);
    s.rank++;
    uint32_t rank = s.rank + 1;
    s.sizes[s.rank++] = DRAW_OF(d, 1, 2);
    push_input(n, draw_plain(d, DTYPE_FLOAT32, s, false));
    draw_attributes(d, n, rank);
    if (once_in(d, 2) || row_has_attribute(n->row, "axis")) {
        if (once_in(d, 2))
            push_input(n, known_scalar(d, DTYPE_INT64, (double)draw_between(d, 1, 9)));
        return true;
    }
    push_input(n, ABSENT);
    push_input(n, known_scalar(d, DTYPE_INT64, (double)draw_between(d, -2, (int64_t)s.rank - 2)));
    return true;
}

static bool stft(struct draw *d, struct node *n)
{
    int64_t length = draw_between(d, 2, 5);
    push_input(n, draw_plain(d, DTYPE_FLOAT32,
                             DIMS_OF(draw_between(d, 1, 2), draw_between(d, 6, 12), 1), false));
    push_input(n, known_scalar(d, DTYPE_INT64, (double)draw_between(d, 1, 3)));
    push_input(n, once_in(d, 2) ? ABSENT : draw_plain(d, DTYPE_FLOAT32, DIMS_OF(length), true));
    push_input(n, known_scalar(d, DTYPE_INT64, (double)length));
    draw_attributes(d, n, 3);
    return true;
}

const struct recipe sequence_recipes[] = {
    { "LSTM GRU RNN", recurrent },
    { "Attention", attention },
    { "RotaryEmbedding", rotary },
    { "DFT", dft },
    { "STFT", stft },
    { NULL, NULL },
};
