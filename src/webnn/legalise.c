/* One walk over a graph: each call is recorded anew, rewritten where the target does not take it. */
#include "webnn/legalise_carried.h"

#include "webnn/passes.h"

#include <string.h>

/* ---- messages ---- */

o2w_status legal_refuse(struct legalise *l, const struct legal_call *c, operand_id *results,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(&l->arena, format, args);
    va_end(args);
    struct span name = l->label.size ? l->label : span_of(l->place);
    (void)diag_error(l->diags, DIAG_OP_LIMITS, "%s '%.*s': %s", c->row->name, SPAN_ARG(name),
                     text ? text : format);
    l->refused = true;
    return legal_record(l, c, results);
}

/* ---- the target's own check ---- */

static const struct slot_limit *operand_limit(const struct legalise *l, const struct legal_call *c,
                                              uint32_t index)
{
    uint32_t slot = index < c->row->operand_count ? index : c->row->operand_count - 1;
    return &l->limits->operators[c->kind][slot];
}

static const struct slot_limit *result_limit(const struct legalise *l, const struct legal_call *c,
                                             uint32_t index)
{
    uint32_t slot = index < c->row->result_count ? index : c->row->result_count - 1;
    return &l->limits->operators[c->kind][c->row->operand_count + slot];
}

static void judge(const struct legalise *l, struct legal_call *c, const struct descriptor *d,
                  const struct slot_limit *limit)
{
    uint32_t max = limit->rank_max < l->limits->max_rank ? limit->rank_max : l->limits->max_rank;
    if (!dtype_in(d->dtype, limit->dtypes)) {
        c->dtype = c->bad_dtype ? c->dtype : d->dtype;
        c->bad_dtype = true;
    }
    if (d->rank < limit->rank_min || d->rank > max)
        c->bad_rank = true;
}

static void judge_call(const struct legalise *l, struct legal_call *c)
{
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID)
            judge(l, c, &c->operand[i], operand_limit(l, c, i));
    for (uint32_t i = 0; i < c->result_count; i++)
        judge(l, c, &c->result[i], result_limit(l, c, i));
}

/* ---- a call ---- */

struct descriptor legal_descriptor(const struct legalise *l, operand_id id)
{
    struct descriptor d;
    graph_descriptor(l->to.graph, id, &d);
    return d;
}

bool legal_is_constant(const struct legalise *l, operand_id id)
{
    return id != NO_ID && graph_operand(l->to.graph, id)->kind == OPERAND_CONSTANT;
}

bool legal_is_static(const struct legal_call *c)
{
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (!dims_static(c->operand[i].dims, c->operand[i].rank))
            return false;
    for (uint32_t i = 0; i < c->result_count; i++)
        if (!dims_static(c->result[i].dims, c->result[i].rank))
            return false;
    return true;
}

uint64_t legal_product(const dim *dims, uint32_t from, uint32_t to)
{
    uint64_t n = 1;
    for (uint32_t i = from; i < to; i++)
        n *= (uint64_t)dims[i];
    return n;
}

/* What inference says; the attributes are resolved. */
static o2w_status infer(struct legalise *l, struct legal_call *c)
{
    uint32_t count = infer_result_count(c->kind, c->attributes);
    void *resolved = arena_alloc(&l->arena, c->row->attribute_size + 1, 16);
    struct infer in = { .kind = c->kind,
                        .limits = &l->own,
                        .exprs = l->to.graph->exprs,
                        .diags = l->diags,
                        .label = l->label,
                        .attributes = c->attributes,
                        .constraints.allocator = l->to.graph->allocator };
    c->operand = ARENA_ARRAY(&l->arena, c->operand_count, struct descriptor);
    c->result = ARENA_ARRAY(&l->arena, count, struct descriptor);
    if (!resolved || !c->operand || !c->result ||
        infer_room_load(&l->room, l->to.graph, c->operands, c->operand_count, count, &in) != O2W_OK)
        return diag_memory(l->diags);
    o2w_status s = infer_operator(&in, resolved);
    VEC_FREE(&in.constraints);
    TRY(s);
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID)
            c->operand[i] = *in.operands[i];
    memcpy(c->result, in.results, count * sizeof *c->result);
    c->result_count = count;
    c->attributes = resolved;
    return O2W_OK;
}

o2w_status legal_record(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    uint32_t count = c->result_count;
    return builder_op(&l->to, c->kind, c->operands, c->operand_count, c->attributes, l->label,
                      results, &count);
}

static const struct rewrite *find_in(struct legalise *l, const struct legal_call *c,
                                     const struct rewrite *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].wants(l, c))
            return &list[i];
    return NULL;
}

static const struct rewrite *find(struct legalise *l, const struct legal_call *c)
{
    const struct rewrite *r = find_in(l, c, legal_sizes, legal_size_count);
    if (!r)
        r = find_in(l, c, legal_meanings, legal_meaning_count);
    if (!r)
        r = find_in(l, c, legal_windows, legal_window_count);
    if (!r && c->bad_dtype)
        r = find_in(l, c, legal_bits, legal_bit_count);
    if (!r && c->bad_dtype)
        r = find_in(l, c, legal_dtypes, legal_dtype_count);
    if (!r && c->bad_rank && !c->bad_dtype)
        r = find_in(l, c, legal_ranks, legal_rank_count);
    return r;
}

/* No rewrite: what is refused, in the words of the check. */
static o2w_status refuse_outside(struct legalise *l, const struct legal_call *c,
                                 operand_id *results)
{
    struct infer in = { .kind = c->kind,
                        .row = c->row,
                        .limits = l->limits,
                        .exprs = l->to.graph->exprs,
                        .diags = l->diags,
                        .label = l->label.size ? l->label : span_of(l->place),
                        .attributes = c->attributes,
                        .result_count = c->result_count };
    if (infer_room_load(&l->room, l->to.graph, c->operands, c->operand_count, c->result_count,
                        &in) != O2W_OK)
        return diag_memory(l->diags);
    memcpy(in.results, c->result, c->result_count * sizeof *c->result);
    if (infer_check_slots(&in) == O2W_OK)
        return diag_error(l->diags, DIAG_INTERNAL, "%s is refused without a reason", c->row->name);
    l->refused = true;
    return legal_record(l, c, results);
}

static o2w_status rewrite_call(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct rewrite *r = find(l, c);
    if (r)
        return r->apply(l, c, results);
    if (c->bad_dtype || c->bad_rank || l->limits->refused[c->kind])
        return refuse_outside(l, c, results);
    return legal_record(l, c, results);
}

o2w_status legal_op(struct legalise *l, enum webnn_operator kind, const operand_id *operands,
                    uint32_t count, const void *attributes, operand_id *results)
{
    struct legal_call c = { .kind = kind,
                            .row = operator_row(kind),
                            .operands = operands,
                            .operand_count = count,
                            .attributes = attributes };
    if (l->depth == LEGAL_DEPTH)
        return diag_error(l->diags, DIAG_INTERNAL, "rewrites of %s do not end", c.row->name);
    TRY(infer(l, &c));
    judge_call(l, &c);
    l->depth++;
    o2w_status s = rewrite_call(l, &c, results);
    l->depth--;
    return s;
}

/* ---- the walk ---- */

static struct span text_of(const struct legalise *l, name_id id)
{
    return names_text(&l->from->names, id);
}

static o2w_status set_names(struct legalise *l, operand_id old, operand_id id)
{
    const struct operand *o = graph_operand(l->from, old);
    const struct operand *now = graph_operand(l->to.graph, id);
    if (o->original && !now->original)
        TRY(builder_set_original(&l->to, id, text_of(l, o->original)));
    if (o->identifier && !now->identifier)
        TRY(builder_set_identifier(&l->to, id, text_of(l, o->identifier)));
    return O2W_OK;
}

/* A port of `to` carries another type than its operand's. */
static o2w_status note_carried(struct legalise *l, bool output, size_t index, enum dtype dtype)
{
    struct graph_carried row = { output, (uint32_t)index, dtype };
    return VEC_PUSH(&l->to.graph->carried, row) ? O2W_OK : diag_memory(l->diags);
}

static o2w_status take_input(struct legalise *l, operand_id old)
{
    struct descriptor d;
    struct span name = text_of(l, graph_operand(l->from, old)->identifier);
    if (name.size == 0)
        name = text_of(l, graph_operand(l->from, old)->original);
    graph_descriptor(l->from, old, &d);
    enum dtype was = d.dtype;
    d.dtype = legal_carrier(l, was);
    TRY(builder_input(&l->to, name, &d, &l->map[old]));
    if (d.dtype != was)
        TRY(note_carried(l, false, l->to.graph->inputs.count - 1, was));
    if (d.dtype != was && dtype_in(was, DTYPES_4BIT))
        TRY(legal_mark(l, l->map[old]));
    return set_names(l, old, l->map[old]);
}

static o2w_status take_constant(struct legalise *l, operand_id old)
{
    struct descriptor d;
    graph_descriptor(l->from, old, &d);
    if (d.dtype == DTYPE_UINT64 && l->carried[d.dtype])
        TRY(legal_carried_constant(l, old, &l->map[old]));
    else
        TRY(builder_constant(&l->to, &d, graph_weight(l->from, old), SPAN(""), &l->map[old]));
    return set_names(l, old, l->map[old]);
}

static o2w_status take_operator(struct legalise *l, const struct operator_node *node)
{
    operand_id *operands = ARENA_ARRAY(&l->arena, node->operand_count, operand_id);
    operand_id *results = ARENA_ARRAY(&l->arena, node->result_count, operand_id);
    if (!operands || !results)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < node->operand_count; i++)
        operands[i] = node->operands[i] == NO_ID ? NO_ID : l->map[node->operands[i]];
    l->label = names_text(&l->from->names, node->label);
    l->place = arena_text(&l->arena, graph_operand_name(l->from, node->first_result, &l->arena));
    o2w_status s = legal_match_4bit(l, operands, node->operand_count);
    if (s == O2W_UNSUPPORTED)
        return diag_error(
            l->diags, DIAG_OP_LIMITS,
            "%s '%s': a 4-bit operand that is no constant beside one that %s takes as 8-bit "
            "numbers only",
            operator_row(node->kind)->name, l->place, l->limits->name);
    TRY(s);
    if (legal_is_carried(l, node))
        TRY(legal_carried(l, node, operands, results));
    else
        TRY(legal_op(l, node->kind, operands, node->operand_count, node->attributes, results));
    TRY(legal_follow_4bit(l, node, results));
    for (uint32_t i = 0; i < node->result_count; i++) {
        l->map[node->first_result + i] = results[i];
        TRY(set_names(l, node->first_result + i, results[i]));
    }
    return O2W_OK;
}

/* An output is the result of an operator of its own: rewrites may give an operand that is known already. */
static o2w_status take_output(struct legalise *l, const struct graph_output *output)
{
    operand_id id = l->map[output->operand], own = id;
    struct descriptor was;
    graph_descriptor(l->from, output->operand, &was);
    bool other = was.dtype != graph_operand(l->to.graph, id)->dtype;
    if (other && l->options->carry_ports) {
        TRY(note_carried(l, true, l->to.graph->outputs.count, was.dtype));
    } else if (other) {
        l->refused = true;
        return diag_error(
            l->diags, DIAG_OP_LIMITS, "output '%.*s' is %s, which %s does not compute",
            SPAN_ARG(text_of(l, output->name)), dtype_name(was.dtype), l->limits->name);
    }
    if (graph_operand(l->to.graph, id)->kind != OPERAND_RESULT)
        TRY(legal_1(l, WEBNN_IDENTITY, id, NULL, &own));
    l->map[output->operand] = own;
    return builder_output(&l->to, text_of(l, output->name), own);
}

static name_id keep_name(struct legalise *l, name_id id, o2w_status *s)
{
    name_id copy = 0;
    if (id && *s == O2W_OK)
        *s = names_add(&l->to.graph->names, text_of(l, id), &copy);
    return copy;
}

static o2w_status take_labels(struct legalise *l, const struct graph_labels *labels)
{
    struct graph_labels copy = *labels;
    o2w_status s = O2W_OK;
    name_id *texts = ARENA_ARRAY(&l->to.graph->arena, labels->count, name_id);
    int64_t *integers = ARENA_ARRAY(&l->to.graph->arena, labels->count, int64_t);
    if (!texts || !integers)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < labels->count; i++) {
        texts[i] = labels->strings ? keep_name(l, labels->texts[i], &s) : 0;
        integers[i] = labels->strings ? 0 : labels->integers[i];
    }
    copy.operand = l->map[labels->operand];
    copy.texts = texts;
    copy.integers = integers;
    return s == O2W_OK && VEC_PUSH(&l->to.graph->labels, copy) ? O2W_OK : O2W_NO_MEMORY;
}

/* What the conversion fixed goes along. */
static o2w_status take_notes(struct legalise *l)
{
    const struct graph *f = l->from;
    struct graph *g = l->to.graph;
    o2w_status s = O2W_OK;
    bool room = true;
    g->name = keep_name(l, f->name, &s);
    g->subgraph = keep_name(l, f->subgraph, &s);
    g->archive = keep_name(l, f->archive, &s);
    g->version = f->version;
    g->quantized = f->quantized;
    for (size_t i = 0; i < f->dims.count && room; i++)
        room = VEC_PUSH(&g->dims, ((struct graph_dim){ keep_name(l, f->dims.items[i].name, &s),
                                                       f->dims.items[i].value }));
    for (size_t i = 0; i < f->pins.count && room; i++)
        room = VEC_PUSH(&g->pins, ((struct graph_dim){ keep_name(l, f->pins.items[i].name, &s),
                                                       f->pins.items[i].value }));
    for (size_t i = 0; i < f->kept.count && room; i++)
        room = VEC_PUSH(&g->kept, keep_name(l, f->kept.items[i], &s));
    for (size_t i = 0; i < f->bounds.count && room; i++)
        room =
            VEC_PUSH(&g->bounds, ((struct graph_bound){ keep_name(l, f->bounds.items[i].output, &s),
                                                        f->bounds.items[i].value }));
    for (size_t i = 0; i < f->meta.count && room; i++)
        room =
            VEC_PUSH(&g->meta, ((struct graph_text){ keep_name(l, f->meta.items[i].key, &s),
                                                     keep_name(l, f->meta.items[i].value, &s) }));
    for (size_t i = 0; i < f->labels.count && s == O2W_OK; i++)
        s = take_labels(l, &f->labels.items[i]);
    return room && s == O2W_OK ? O2W_OK : diag_memory(l->diags);
}

static o2w_status walk(struct legalise *l)
{
    const struct graph *f = l->from;
    for (size_t i = 0; i < f->inputs.count; i++)
        TRY(take_input(l, f->inputs.items[i]));
    for (size_t i = 0; i < f->constants.count; i++)
        TRY(take_constant(l, f->constants.items[i]));
    for (size_t i = 0; i < f->operators.count; i++)
        TRY(take_operator(l, &f->operators.items[i]));
    for (size_t i = 0; i < f->outputs.count; i++)
        TRY(take_output(l, &f->outputs.items[i]));
    if (l->refused)
        return O2W_UNSUPPORTED;
    return take_notes(l);
}

/* ---- the pass ---- */

static o2w_status check_names(const struct legalise *l)
{
    for (size_t i = 0; i < l->options->assume_int32_count; i++)
        if (graph_find_input(l->from, span_of(l->options->assume_int32[i])) == NO_ID)
            return diag_error(l->diags, DIAG_USAGE, "the graph has no input '%s'",
                              l->options->assume_int32[i]);
    return O2W_OK;
}

static o2w_status begin(struct legalise *l)
{
    arena_init(&l->arena, l->from->allocator);
    infer_room_init(&l->room, l->from->allocator);
    limits_own(&l->own);
    TRY(builder_init(&l->to, &l->own, l->from->allocator, l->diags));
    exprs_free(l->to.graph->exprs);
    l->to.graph->exprs = l->from->exprs; /* names and sizes are the same ones */
    l->map = ARENA_ARRAY(&l->arena, l->from->operands.count, operand_id);
    legal_choose_carried(l);
    TRY(check_names(l));
    return l->map ? O2W_OK : diag_memory(l->diags);
}

/* The new graph takes the place of the old one, or gives back what it borrowed. */
static void end(struct legalise *l, struct graph **g, struct graph *made)
{
    if (made) {
        (*g)->exprs = NULL;
        arena_adopt(&made->arena, &(*g)->arena); /* bytes of constants lie there */
        graph_free(*g);
        *g = made;
    } else if (l->to.graph) {
        l->to.graph->exprs = NULL;
    }
    builder_free(&l->to);
    infer_room_free(&l->room);
    VEC_FREE(&l->intervals);
    VEC_FREE(&l->stand_ins);
    arena_free(&l->arena);
}

static o2w_status clean(struct graph *g, struct diags *d)
{
    TRY(pass_dead_code(g, false, d));
    TRY(pass_common_subexpressions(g, d));
    return pass_dead_code(g, false, d);
}

o2w_status graph_legalise(struct graph **g, const struct limits *limits,
                          const struct legalise_options *options, struct diags *d)
{
    static const struct legalise_options none = { 0 };
    struct graph *made = NULL;
    TRY(clean(*g, d));
    struct legalise l = {
        .from = *g, .limits = limits, .options = options ? options : &none, .diags = d
    };
    o2w_status s = begin(&l);
    if (s == O2W_OK)
        s = walk(&l);
    if (s == O2W_OK)
        s = builder_build(&l.to, &made);
    end(&l, g, s == O2W_OK ? made : NULL);
    TRY(s);
    TRY(clean(*g, d));
    return graph_check_limits(*g, limits, d);
}
