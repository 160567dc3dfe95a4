/* Any bytes: the reader refuses them with one diagnostic, or what it read is written, read and
 * written again without a difference. */

#include "fuzz/fuzz.h"

#include "base/json.h"

#include <stdlib.h>

static void put(struct json_writer *w, const struct json_value *v)
{
    switch (v->kind) {
    case JSON_NULL: json_put_null(w); break;
    case JSON_BOOL: json_put_bool(w, v->boolean); break;
    case JSON_NUMBER: json_put_raw(w, v->text); break;
    case JSON_STRING: json_put_string(w, v->text); break;
    case JSON_ARRAY: json_open(w, '['); break;
    case JSON_OBJECT: json_open(w, '{'); break;
    case JSON_END: break;
    }
}

static void read_typed(struct json_reader *r, const struct json_value *v)
{
    int64_t i;
    uint64_t u;
    double x;
    if (v->kind != JSON_NUMBER)
        return;
    struct diags *diags = r->diags;
    r->diags = NULL;
    json_i64(r, v, &i);
    json_u64(r, v, &u);
    json_double(r, v, &x);
    r->diags = diags;
}

static o2w_status copy(struct json_reader *r, struct json_writer *w)
{
    char closing[64];
    size_t depth = 0;
    do {
        struct json_value v;
        TRY(json_next(r, &v));
        if (v.kind == JSON_END) {
            json_close(w, closing[--depth]);
            continue;
        }
        if (depth && closing[depth - 1] == '}')
            json_key_span(w, v.key);
        put(w, &v);
        read_typed(r, &v);
        if (v.kind == JSON_ARRAY || v.kind == JSON_OBJECT)
            closing[depth++] = v.kind == JSON_ARRAY ? ']' : '}';
    } while (depth);
    return json_finish(r);
}

static o2w_status rewrite(struct span text, unsigned indent, struct json_writer *w)
{
    struct arena arena;
    struct diags diags;
    struct json_reader r;
    arena_init(&arena, NULL);
    diags_init(&diags, NULL);
    json_writer_init(w, NULL, indent);
    o2w_status status = json_begin(&r, text, SPAN("fuzz"), &arena, &diags);
    if (status == O2W_OK)
        status = copy(&r, w);
    if ((status == O2W_OK) != (diags.count == 0))
        abort();
    diags_free(&diags);
    arena_free(&arena);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_writer first, second;
    struct span once, twice;
    if (rewrite((struct span){ data, size }, 2, &first) == O2W_OK) {
        json_written(&first, &once);
        if (rewrite(once, 2, &second) != O2W_OK || json_written(&second, &twice) != O2W_OK)
            abort();
        if (!span_equal(once, twice))
            abort();
        json_writer_free(&second);
    }
    json_writer_free(&first);
    return 0;
}
