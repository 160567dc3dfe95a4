/* Literals and expressions of JavaScript. */
#include "emit/js.h"

#include "base/half.h"
#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void js_put(struct js *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(j->arena, format, args);
    va_end(args);
    if (text)
        out_text(j->out, text);
    else
        j->out->failed = true;
}

/* ---- strings ---- */

/* Where a literal must not go on as it is: the end of a script element, the beginning of a comment, and
 * the two line ends that are none in JSON. */
static size_t unsafe_at(struct span s, size_t i, const char **instead)
{
    struct span rest = { s.data + i, s.size - i };
    static const struct {
        const char *text, *instead;
    } rows[] = { { "</", "<\\/" },
                 { "<!", "\\u003c!" },
                 { "\xe2\x80\xa8", "\\u2028" },
                 { "\xe2\x80\xa9", "\\u2029" } };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (span_starts(rest, span_of(rows[k].text))) {
            *instead = rows[k].instead;
            return strlen(rows[k].text);
        }
    return 0;
}

void js_string(struct text_out *o, struct span s)
{
    struct text_out json;
    size_t start = 0;
    out_init(&json, o->bytes.allocator);
    out_json_string(&json, s);
    struct span text = { (const uint8_t *)json.bytes.items, json.bytes.count };
    for (size_t i = 0; i < text.size;) {
        const char *instead = NULL;
        size_t length = unsafe_at(text, i, &instead);
        if (length == 0) {
            i++;
            continue;
        }
        out_span(o, (struct span){ text.data + start, i - start });
        out_text(o, instead);
        i += length;
        start = i;
    }
    out_span(o, (struct span){ text.data + start, text.size - start });
    o->failed = o->failed || json.failed;
    out_free(&json);
}

/* ---- numbers ---- */

static void put_digits(struct text_out *o, char *text, size_t size)
{
    if (size > 2 && text[size - 1] == '0' && text[size - 2] == '.')
        size -= 2;
    out_span(o, (struct span){ (const uint8_t *)text, size });
}

void js_number(struct text_out *o, double value)
{
    char text[NUMBER_TEXT];
    put_digits(o, text, number_print_double(value, text));
}

static void put_float(struct text_out *o, float value)
{
    char text[NUMBER_TEXT];
    put_digits(o, text, number_print_float(value, text));
}

/* ---- typed arrays ---- */

static const char *const array_types[DTYPE_WEBNN_COUNT] = {
    [DTYPE_FLOAT32] = "Float32Array", [DTYPE_FLOAT16] = "Uint16Array",
    [DTYPE_INT32] = "Int32Array",     [DTYPE_UINT32] = "Uint32Array",
    [DTYPE_INT64] = "BigInt64Array",  [DTYPE_UINT64] = "BigUint64Array",
    [DTYPE_INT8] = "Int8Array",       [DTYPE_UINT8] = "Uint8Array",
    [DTYPE_INT4] = "Uint8Array",      [DTYPE_UINT4] = "Uint8Array",
};

/* A NaN whose bits a number would lose. */
static bool has_nan(const struct tensor *t)
{
    if (t->dtype != DTYPE_FLOAT32)
        return false;
    for (uint64_t i = 0; i < tensor_count(t); i++)
        if (isnan(tensor_get_double(t, i)))
            return true;
    return false;
}

static void put_element(struct js *j, const struct tensor *t, uint64_t i)
{
    char text[NUMBER_TEXT];
    if (t->dtype == DTYPE_FLOAT32) {
        put_float(j->out, (float)tensor_get_double(t, i));
        return;
    }
    size_t size = dtype_is_signed(t->dtype) ? number_print_i64(tensor_get_i64(t, i), text)
                                            : number_print_u64(tensor_get_u64(t, i), text);
    out_span(j->out, (struct span){ (const uint8_t *)text, size });
    if (dtype_info(t->dtype)->bits == 64)
        out_text(j->out, "n");
}

/* The type that shows the bits of floats. */
static struct tensor as_shown(const struct tensor *t)
{
    struct tensor shown = *t;
    if (t->dtype == DTYPE_FLOAT16)
        shown.dtype = DTYPE_UINT16;
    else if (has_nan(t))
        shown.dtype = DTYPE_UINT32;
    return shown;
}

o2w_status js_array(struct js *j, operand_id constant)
{
    struct tensor value;
    TRY(graph_constant(j->graph, constant, j->arena, j->diags, &value));
    struct tensor shown = as_shown(&value);
    bool bits = shown.dtype != value.dtype;
    js_put(j, "new %s([", shown.dtype == DTYPE_UINT16 ? "Uint16Array" : array_types[shown.dtype]);
    for (uint64_t i = 0; i < tensor_count(&shown); i++) {
        out_text(j->out, i ? ", " : "");
        put_element(j, &shown, i);
    }
    out_text(j->out, bits ? "]).buffer" : "])");
    return O2W_OK;
}

/* ---- dims ---- */

static void put_name_variable(struct js *j, struct span name)
{
    struct span found;
    int64_t min, max;
    for (size_t i = 0; i < expr_name_count(j->graph->exprs); i++) {
        expr_name_at(j->graph->exprs, i, &found, &min, &max);
        if (!span_equal(found, name))
            continue;
        js_put(j, "d%zu", i);
        return;
    }
    j->out->failed = true;
}

static bool ends_word(uint8_t c)
{
    return c == ' ' || c == ',' || c == '(' || c == ')' || c == '\'';
}

/* A name in single quotes, one inside doubled. Returns the index behind it. */
static size_t put_quoted(struct js *j, struct span text, size_t i)
{
    uint8_t *name = arena_alloc(j->arena, text.size, 1);
    size_t size = 0;
    for (i++; i < text.size && name; i++) {
        if (text.data[i] == '\'' && (i + 1 == text.size || text.data[i + 1] != '\''))
            break;
        i += text.data[i] == '\'';
        name[size++] = text.data[i];
    }
    put_name_variable(j, (struct span){ name, size });
    return i + 1;
}

static bool put_function(struct js *j, struct span word)
{
    static const char *const rows[][2] = { { "floor", "Math.floor" },
                                           { "ceil", "Math.ceil" },
                                           { "min", "Math.min" },
                                           { "max", "Math.max" },
                                           { "mod", "mod" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (span_is(word, rows[i][0])) {
            out_text(j->out, rows[i][1]);
            return true;
        }
    return false;
}

static void put_word(struct js *j, struct span word, bool called)
{
    bool number = word.data[0] >= '0' && word.data[0] <= '9';
    bool sign = word.size == 1 && strchr("+-*/", word.data[0]);
    if (number || sign)
        out_span(j->out, word);
    else if (!called || !put_function(j, word))
        put_name_variable(j, word);
}

/* The printed form of an expression, word by word: both languages write it alike but for names. */
static void put_expression(struct js *j, struct span text)
{
    for (size_t i = 0; i < text.size;) {
        if (text.data[i] == '\'') {
            i = put_quoted(j, text, i);
            continue;
        }
        size_t end = i;
        while (end < text.size && !ends_word(text.data[end]))
            end++;
        if (end > i)
            put_word(j, (struct span){ text.data + i, end - i },
                     end < text.size && text.data[end] == '(');
        else
            out_span(j->out, (struct span){ text.data + end++, 1 });
        i = end;
    }
}

static o2w_status expression_text(struct js *j, expr_id e, struct span *out)
{
    const char *text = expr_text(j->graph->exprs, e, j->arena);
    *out = span_of(text);
    return text ? O2W_OK : diag_memory(j->diags);
}

o2w_status js_expression(struct js *j, expr_id e)
{
    struct span text;
    TRY(expression_text(j, e, &text));
    put_expression(j, text);
    return O2W_OK;
}

o2w_status js_dim(struct js *j, dim size)
{
    int64_t min, max;
    size_t index;
    struct span text;
    if (dim_is_static(size)) {
        out_i64(j->out, size);
        return O2W_OK;
    }
    expr_id e = dim_expr_id(size);
    if (expr_is_name(j->graph->exprs, e, &index)) {
        js_put(j, "d%zu", index);
        return O2W_OK;
    }
    expr_bounds(j->graph->exprs, e, &min, &max);
    TRY(expression_text(j, e, &text));
    out_text(j->out, "size(");
    put_expression(j, text);
    js_put(j, ", %u, %lld, ", j->options->min_dimension, (long long)max);
    js_string(j->out, text);
    out_text(j->out, ")");
    return O2W_OK;
}

o2w_status js_dims(struct js *j, const dim *dims, uint32_t rank)
{
    out_text(j->out, "[");
    for (uint32_t i = 0; i < rank; i++) {
        out_text(j->out, i ? ", " : "");
        TRY(js_dim(j, dims[i]));
    }
    out_text(j->out, "]");
    return O2W_OK;
}
