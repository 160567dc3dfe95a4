#include "backend/onnxruntime/probe.h"

#include "ort/ort_model.h"
#include "ort/ort_value.h"

#include <string.h>

enum { EXTREMES = 64, PLACES = 4, UPDATES = 4096 };

static bool is_arg(enum webnn_operator kind)
{
    return kind == WEBNN_ARG_MAX || kind == WEBNN_ARG_MIN;
}

static bool asks(const struct graph *g, bool (*about)(enum webnn_operator))
{
    for (size_t i = 0; i < g->operators.count; i++)
        if (about(g->operators.items[i].kind))
            return true;
    return false;
}

static bool is_scatter(enum webnn_operator kind)
{
    return kind == WEBNN_SCATTER_ELEMENTS || kind == WEBNN_SCATTER_ND;
}

/* One node over inputs of one dim, called a, b, c; its result is y. */
struct question {
    const char *op;
    struct ort_feed feeds[3];
    size_t feed_count;
    enum dtype result;
    int64_t result_count;
};

static o2w_status write_question(struct ort_model *m, const struct question *q, struct diags *d)
{
    static const char *const names[] = { "a", "b", "c" }, *const result = "y";
    const int64_t axis = 0;
    const struct sink_attribute attribute = {
        .name = "axis", .kind = SINK_INT, .data = &axis, .count = 1
    };
    const struct sink_node node = { .op = q->op,
                                    .domain = "",
                                    .name = "question",
                                    .inputs = names,
                                    .input_count = q->feed_count,
                                    .outputs = &result,
                                    .output_count = 1,
                                    .attributes = &attribute,
                                    .attribute_count = 1 };
    for (size_t i = 0; i < q->feed_count; i++) {
        const struct tensor *t = &q->feeds[i].tensor;
        TRY(ort_model_input(m, q->feeds[i].name, t->dtype, t->dims, 1, NULL, d));
    }
    TRY(ort_model_node(m, &node, d));
    return ort_model_output(m, result, q->result, &q->result_count, 1, NULL, d);
}

/* The session that answers; the engine's provider and threads. */
static o2w_status open_question(const struct engine *e, const struct question *q, struct diags *d,
                                struct ort_session **out)
{
    const struct sink_opset opset = { "", 20 };
    const struct ort_options options = { .allocator = e->allocator,
                                         .optimization = e->optimization,
                                         .threads = e->threads,
                                         .provider = e->provider };
    struct ort_model *m;
    TRY(ort_model_create(e->ort, &opset, 1, e->allocator, d, &m));
    o2w_status status = write_question(m, q, d);
    if (status == O2W_OK)
        status = ort_session_from_model(e->ort, m, &options, d, out);
    ort_model_free(m);
    return status;
}

/* Whether the answer is `want`, as bytes. */
static o2w_status answer(const struct engine *e, const struct question *q, const void *want,
                         struct diags *d, bool *is_right)
{
    struct ort_session *session = NULL;
    ort_value *value = NULL;
    struct tensor got;
    TRY(open_question(e, q, d, &session));
    o2w_status status = ort_session_run(session, q->feeds, q->feed_count, NULL, 1, NULL, d, &value);
    if (status == O2W_OK)
        status = ort_value_tensor(e->ort, value, d, &got);
    *is_right = status == O2W_OK && tensor_count(&got) == (uint64_t)q->result_count &&
                memcmp(got.data, want, (size_t)tensor_bytes(&got)) == 0;
    if (value)
        ort_value_free(e->ort, value);
    ort_session_free(session);
    return status;
}

static struct tensor list(enum dtype t, int64_t count, void *data)
{
    return (struct tensor){ .dtype = t, .rank = 1, .dims = { count }, .data = data };
}

static o2w_status refuse(const struct engine *e, const char *op, const char *what, struct diags *d)
{
    o2w_status status =
        diag_error(d, DIAG_BUILD_FAILED, "%s: ONNX Runtime %s %s", op, ort_version(e->ort), what);
    diag_hint(d, "backend 'cpu' computes it as the standard says");
    return status;
}

/* Equal extremes at 3, 7, 11 …: the first counts. */
static o2w_status check_ties(const struct engine *e, const char *op, float extreme, struct diags *d)
{
    float values[EXTREMES];
    int64_t first = 3;
    bool is_right = false;
    for (int i = 0; i < EXTREMES; i++)
        values[i] = i % 4 == 3 ? extreme : 0;
    const struct question q = { .op = op,
                                .feeds = { { "a", list(DTYPE_FLOAT32, EXTREMES, values) } },
                                .feed_count = 1,
                                .result = DTYPE_INT64,
                                .result_count = 1 };
    TRY(answer(e, &q, &first, d, &is_right));
    return is_right ? O2W_OK : refuse(e, op, "does not give the first of equal elements", d);
}

/* Update i goes to place i mod 4: the last four stay. */
static o2w_status check_order(const struct engine *e, struct diags *d)
{
    float data[PLACES] = { 0 }, updates[UPDATES], want[PLACES];
    int64_t indices[UPDATES];
    bool is_right = false;
    for (int i = 0; i < UPDATES; i++) {
        indices[i] = i % PLACES;
        updates[i] = want[i % PLACES] = (float)i;
    }
    const struct question q = { .op = "ScatterElements",
                                .feeds = { { "a", list(DTYPE_FLOAT32, PLACES, data) },
                                           { "b", list(DTYPE_INT64, UPDATES, indices) },
                                           { "c", list(DTYPE_FLOAT32, UPDATES, updates) } },
                                .feed_count = 3,
                                .result = DTYPE_FLOAT32,
                                .result_count = PLACES };
    TRY(answer(e, &q, want, d, &is_right));
    return is_right ? O2W_OK
                    : refuse(e, q.op, "does not keep the last of several updates of one place", d);
}

o2w_status onnxruntime_check_open_questions(struct engine *engine, const struct graph *g,
                                            struct diags *d)
{
    if (!engine->asked_ties && asks(g, is_arg)) {
        TRY(check_ties(engine, "ArgMax", 1, d));
        TRY(check_ties(engine, "ArgMin", -1, d));
        engine->asked_ties = true;
    }
    if (!engine->asked_order && asks(g, is_scatter)) {
        TRY(check_order(engine, d));
        engine->asked_order = true;
    }
    return O2W_OK;
}
