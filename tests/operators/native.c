#include "native.h"

#include "ort/ort.h"
#include "ort/ort_value.h"

#include <string.h>

static const struct ort *runtime(void)
{
    static const struct ort *ort;
    static bool tried;
    if (!tried && ort_open(NULL, &ort) != O2W_OK)
        ort = NULL;
    tried = true;
    return ort;
}

bool native_present(void)
{
    return runtime() != NULL;
}

static o2w_status copy_result(struct model_run *r, ort_value *value, struct tensor *out)
{
    struct tensor view;
    TRY(ort_value_tensor(runtime(), value, &r->diags, &view));
    TRY(tensor_new(&r->arena, view.dtype, view.dims, view.rank, out));
    if (tensor_bytes(out))
        memcpy(out->data, view.data, tensor_bytes(out));
    return O2W_OK;
}

o2w_status native_run(struct model_run *r, struct span model, size_t count, struct tensor *results)
{
    struct ort_options options = { .threads = 1, .deterministic = true };
    struct ort_session *session;
    struct ort_feed *feeds = ARENA_ARRAY(&r->arena, r->feed_count + 1, struct ort_feed);
    ort_value **values = ARENA_ARRAY(&r->arena, count + 1, ort_value *);
    for (size_t i = 0; i < r->feed_count; i++)
        feeds[i] = (struct ort_feed){ arena_text(&r->arena, r->feeds[i].name), r->feeds[i].tensor };
    TRY(ort_session_from_bytes(runtime(), model, NULL, &options, &r->diags, &session));
    o2w_status s =
        ort_session_run(session, feeds, r->feed_count, NULL, count, NULL, &r->diags, values);
    for (size_t i = 0; s == O2W_OK && i < count; i++)
        s = copy_result(r, values[i], &results[i]);
    for (size_t i = 0; i < count; i++)
        ort_value_free(runtime(), values[i]);
    ort_session_free(session);
    return s;
}
