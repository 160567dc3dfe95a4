/* Variants of a graph by input sizes, and the lanes that they run on. */
#include "wasi/backend_webnn.h"

#include "format/format.h"
#include "webnn/passes.h"

#include <stdio.h>
#include <string.h>

/* --- making ------------------------------------------------------------------------------------------ */

static struct variant *variant_new(const struct nn_graph *g, const int64_t *sizes)
{
    struct webnn_state *s = g->state;
    struct variant *v = mem_alloc(s->allocator, sizeof *v);
    if (!v)
        return NULL;
    *v = (struct variant){ 0 };
    size_t count = s->open_count + 1;
    if (sizes && !(v->sizes = mem_alloc(s->allocator, count * sizeof *v->sizes))) {
        mem_free(s->allocator, v, sizeof *v);
        return NULL;
    }
    for (uint32_t i = 0; sizes && i < s->open_count; i++)
        v->sizes[i] = sizes[i];
    return v;
}

static void free_lane(struct webnn_state *s, struct lane *l)
{
    if (l->compiled)
        s->engine->release(l->compiled);
    if (l->engine)
        s->engine->close(l->engine);
    mem_free(s->allocator, l, sizeof *l);
}

static void free_places(struct webnn_state *s, uint32_t *places, size_t count)
{
    mem_free(s->allocator, places, (count + 1) * sizeof *places);
}

void variant_free(struct webnn_state *s, struct variant *v)
{
    if (!v)
        return;
    while (v->idle) {
        struct lane *l = v->idle;
        v->idle = l->next;
        free_lane(s, l);
    }
    if (v->inputs)
        free_places(s, v->inputs, v->graph->inputs.count);
    if (v->outputs)
        free_places(s, v->outputs, v->graph->outputs.count);
    o2w_conversion_free(v->conversion);
    graph_free(v->own);
    if (v->sizes)
        mem_free(s->allocator, v->sizes, (s->open_count + 1) * sizeof *v->sizes);
    mem_free(s->allocator, v, sizeof *v);
}

static uint32_t *new_places(struct webnn_state *s, size_t count)
{
    uint32_t *places = mem_alloc(s->allocator, (count + 1) * sizeof *places);
    if (places)
        memset(places, 0, (count + 1) * sizeof *places);
    return places;
}

/* The place of the input that carries an operand. */
static uint32_t input_port(const struct lowering *l, operand_id id)
{
    for (uint32_t i = 0; i < l->input_count; i++)
        if (l->inputs[i].operand == id)
            return i;
    return 0;
}

/* Graph inputs and outputs to ports; outputs of a conversion leave out those that were trimmed and
 * those that are empty. */
static o2w_status map_ports(struct webnn_state *s, struct variant *v, struct diags *d)
{
    const struct graph *g = v->graph;
    const struct lowering *l = v->conversion ? v->conversion->lowering : NULL;
    uint32_t at = 0;
    v->inputs = new_places(s, g->inputs.count);
    v->outputs = new_places(s, g->outputs.count);
    if (!v->inputs || !v->outputs)
        return diag_memory(d);
    for (uint32_t i = 0; i < g->inputs.count; i++)
        v->inputs[i] = l ? input_port(l, g->inputs.items[i]) : i;
    for (uint32_t i = 0; l && i < l->output_count; i++)
        if (!l->outputs[i].empty && at < g->outputs.count)
            v->outputs[at++] = i;
    for (uint32_t i = 0; !l && i < g->outputs.count; i++)
        v->outputs[i] = i;
    return O2W_OK;
}

static o2w_status convert(struct webnn_state *s, struct variant *v, const o2w_dim *dims,
                          const struct until *until, struct diags *d)
{
    const o2w_convert_options options = { .size = sizeof options,
                                          .dims = dims,
                                          .dim_count = v->sizes ? s->open_count : 0,
                                          .max_dims = dims,
                                          .max_dim_count = v->sizes ? 0 : s->open_count,
                                          .dynamic_inputs = !v->sizes,
                                          .threads = s->threads,
                                          .environment = &v->environment };
    v->environment = s->environment;
    v->environment.user = &v->until;
    v->until = until;
    o2w_status status = convert_open(&s->source, &options, d, &v->conversion);
    v->until = NULL;
    TRY(status);
    v->graph = api_graph(v->conversion->graph);
    return map_ports(s, v, d);
}

/* Any size that a guest may have: what is usual for a name is no bound here. */
enum { OPEN_MOST = INT32_MAX };

o2w_status variant_convert(struct nn_graph *g, const int64_t *sizes, const struct until *until,
                           struct diags *d, struct variant **out)
{
    struct webnn_state *s = g->state;
    struct variant *v = variant_new(g, sizes);
    o2w_dim *dims = mem_alloc(s->allocator, (s->open_count + 1) * sizeof *dims);
    o2w_status status = v && dims ? O2W_OK : diag_memory(d);
    for (uint32_t i = 0; status == O2W_OK && i < s->open_count; i++)
        dims[i] = (o2w_dim){ s->open[i].name, sizes ? sizes[i] : OPEN_MOST };
    if (status == O2W_OK)
        status = convert(s, v, dims, until, d);
    mem_free(s->allocator, dims, (s->open_count + 1) * sizeof *dims);
    if (status == O2W_OK)
        *out = v;
    else
        variant_free(s, v);
    return status;
}

o2w_status variant_read(struct nn_graph *g, const struct nn_load *l, struct variant **out)
{
    struct webnn_state *s = g->state;
    struct variant *v = variant_new(g, NULL);
    o2w_status status = v ? O2W_OK : diag_memory(l->diags);
    if (status == O2W_OK && l->path)
        status = format_read(l->path, &(struct format_read_options){ 0 }, s->allocator, l->diags,
                             &v->own);
    else if (status == O2W_OK)
        status =
            format_read_bytes(l->bytes, "graph", s->weights, &(struct format_read_options){ 0 },
                              s->allocator, l->diags, &v->own);
    if (status == O2W_OK) {
        v->graph = v->own;
        status = map_ports(s, v, l->diags);
    }
    if (status == O2W_OK)
        *out = v;
    else
        variant_free(s, v);
    return status;
}

/* --- lanes ------------------------------------------------------------------------------------------- */

static o2w_status lane_new(struct webnn_state *s, const struct variant *v, struct diags *d,
                           struct lane **out)
{
    const struct backend_settings settings = { .threads = s->threads,
                                               .environment = &s->environment };
    struct lane *l = mem_alloc(s->allocator, sizeof *l);
    if (!l)
        return diag_memory(d);
    *l = (struct lane){ 0 };
    o2w_status status = s->engine->open(&settings, d, &l->engine);
    if (status == O2W_OK)
        status = s->engine->compile(l->engine, v->graph, d, &l->compiled);
    if (status == O2W_OK)
        *out = l;
    else
        free_lane(s, l);
    return status;
}

static o2w_status check_limits(struct webnn_state *s, const struct graph *g, struct diags *d)
{
    if (graph_has_dynamic_dims(g) && !s->engine->dynamic)
        return diag_error(d, DIAG_BACKEND_NO_DYNAMIC,
                          "backend '%s' runs no graphs with open dimensions", s->engine->name);
    struct limits *limits = mem_alloc(s->allocator, sizeof *limits);
    if (!limits)
        return diag_memory(d);
    s->engine->limits(limits);
    o2w_status status = graph_check_limits(g, limits, d);
    mem_free(s->allocator, limits, sizeof *limits);
    return status;
}

/* The least recently used one that nobody runs makes room. */
static void evict(struct webnn_state *s)
{
    struct variant **least = NULL;
    for (struct variant **v = &s->variants; *v; v = &(*v)->next)
        if (!(*v)->users && (!least || (*v)->used < (*least)->used))
            least = v;
    if (!least)
        return;
    struct variant *gone = *least;
    *least = gone->next;
    s->variant_count--;
    variant_free(s, gone);
}

o2w_status variant_add(struct webnn_state *s, struct variant *v, struct diags *d)
{
    TRY(check_limits(s, v->graph, d));
    TRY(lane_new(s, v, d, &v->idle));
    pthread_mutex_lock(&s->lock);
    if (s->variant_count >= WEBNN_VARIANTS)
        evict(s);
    v->used = ++s->clock;
    v->users = 1;
    v->next = s->variants;
    s->variants = v;
    s->variant_count++;
    pthread_mutex_unlock(&s->lock);
    return O2W_OK;
}

void variant_leave(struct webnn_state *s, struct variant *v)
{
    pthread_mutex_lock(&s->lock);
    v->users--;
    pthread_mutex_unlock(&s->lock);
}

static bool fits(const struct webnn_state *s, const struct variant *v, const struct tensor *inputs)
{
    for (uint32_t i = 0; v->sizes && i < s->open_count; i++)
        if (v->sizes[i] != inputs[s->open[i].input].dims[s->open[i].axis])
            return false;
    return true;
}

/* The variant for the inputs, with one user more; NULL: none yet. */
static struct variant *find_variant(struct webnn_state *s, const struct tensor *inputs)
{
    pthread_mutex_lock(&s->lock);
    struct variant *v = s->variants;
    while (v && !fits(s, v, inputs))
        v = v->next;
    if (v) {
        v->used = ++s->clock;
        v->users++;
    }
    pthread_mutex_unlock(&s->lock);
    return v;
}

/* Two threads that meet new sizes at once both make a variant: the older one falls out of use. */
static o2w_status specialise(struct nn_graph *g, const struct nn_run *r, struct variant **out)
{
    struct webnn_state *s = g->state;
    const struct until until = { r->stop, r->deadline_ns };
    size_t size = (s->open_count + 1) * sizeof(int64_t);
    int64_t *sizes = mem_alloc(s->allocator, size);
    struct variant *v = NULL;
    if (!sizes)
        return diag_memory(r->diags);
    for (uint32_t i = 0; i < s->open_count; i++)
        sizes[i] = r->inputs[s->open[i].input].dims[s->open[i].axis];
    o2w_status status = variant_convert(g, sizes, &until, r->diags, &v);
    mem_free(s->allocator, sizes, size);
    if (status == O2W_OK && (status = variant_add(s, v, r->diags)) != O2W_OK)
        variant_free(s, v);
    if (status == O2W_OK)
        *out = v;
    return status;
}

static struct lane *take_idle(struct webnn_state *s, struct variant *v)
{
    pthread_mutex_lock(&s->lock);
    struct lane *l = v->idle;
    if (l)
        v->idle = l->next;
    pthread_mutex_unlock(&s->lock);
    return l;
}

o2w_status lane_take(struct nn_graph *g, const struct nn_run *r, struct variant **variant,
                     struct lane **lane)
{
    struct webnn_state *s = g->state;
    struct variant *v = find_variant(s, r->inputs);
    if (!v)
        TRY(specialise(g, r, &v));
    *variant = v;
    *lane = take_idle(s, v);
    o2w_status status = *lane ? O2W_OK : lane_new(s, v, r->diags, lane);
    if (status != O2W_OK)
        variant_leave(s, v);
    return status;
}

void lane_return(struct webnn_state *s, struct variant *v, struct lane *lane)
{
    pthread_mutex_lock(&s->lock);
    lane->next = v->idle;
    v->idle = lane;
    v->users--;
    pthread_mutex_unlock(&s->lock);
}
