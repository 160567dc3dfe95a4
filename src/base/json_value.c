/* Typed readings of JSON values, and what is said when they have another type. */

#include "base/json.h"
#include "base/number.h"

static const char *const kinds[] = {
    [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean", [JSON_NUMBER] = "a number",
    [JSON_STRING] = "a string", [JSON_ARRAY] = "an array", [JSON_OBJECT] = "an object",
    [JSON_END] = "the end",
};

static o2w_status place(struct json_reader *r, const struct json_value *v, o2w_status status)
{
    diag_position(r->diags, r->name, -1, v->line, v->column);
    return status;
}

static o2w_status wrong(struct json_reader *r, const struct json_value *v, const char *wanted,
                        const char *found, struct span text)
{
    if (v->key.size)
        return place(r, v,
                     diag_error(r->diags, r->type, "'%.*s' must be %s, found %s%.*s",
                                SPAN_ARG(v->key), wanted, found, SPAN_ARG(text)));
    return place(r, v,
                 diag_error(r->diags, r->type, "value must be %s, found %s%.*s", wanted, found,
                            SPAN_ARG(text)));
}

o2w_status json_wrong(struct json_reader *r, const struct json_value *v, const char *wanted)
{
    return wrong(r, v, wanted, kinds[v->kind], SPAN(""));
}

/* A number of the wrong form or size. */
static o2w_status wrong_number(struct json_reader *r, const struct json_value *v,
                               const char *wanted)
{
    return v->kind == JSON_NUMBER ? wrong(r, v, wanted, "", v->text) : json_wrong(r, v, wanted);
}

bool json_is_integer(const struct json_value *v)
{
    for (size_t i = 0; i < v->text.size; i++) {
        uint8_t c = v->text.data[i];
        if (c == '.' || (c | 0x20) == 'e')
            return false;
    }
    return v->kind == JSON_NUMBER;
}

o2w_status json_i64(struct json_reader *r, const struct json_value *v, int64_t *out)
{
    if (!json_is_integer(v))
        return wrong_number(r, v, "an integer");
    if (number_parse_i64(v->text, out) == O2W_OK)
        return O2W_OK;
    return wrong_number(r, v, "an integer from -9223372036854775808 to 9223372036854775807");
}

o2w_status json_u64(struct json_reader *r, const struct json_value *v, uint64_t *out)
{
    if (!json_is_integer(v))
        return wrong_number(r, v, "an integer");
    if (span_is(v->text, "-0")) {
        *out = 0;
        return O2W_OK;
    }
    if (number_parse_u64(v->text, out) == O2W_OK)
        return O2W_OK;
    return wrong_number(r, v, "an integer from 0 to 18446744073709551615");
}

o2w_status json_double(struct json_reader *r, const struct json_value *v, double *out)
{
    if (v->kind == JSON_NUMBER && number_parse_double(v->text, out) == O2W_OK)
        return O2W_OK;
    return wrong_number(r, v, v->kind == JSON_NUMBER ? "a number below 1.8e+308" : "a number");
}

o2w_status json_bool(struct json_reader *r, const struct json_value *v, bool *out)
{
    if (v->kind != JSON_BOOL)
        return json_wrong(r, v, "true or false");
    *out = v->boolean;
    return O2W_OK;
}

o2w_status json_string(struct json_reader *r, const struct json_value *v, struct span *out)
{
    if (v->kind != JSON_STRING)
        return json_wrong(r, v, "a string");
    *out = v->text;
    return O2W_OK;
}
