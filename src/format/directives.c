/* Directives: comment lines "# o2w KEYWORD ARGUMENTS" of the text. */
#include "base/number.h"
#include "format/json_values.h"

struct line {
    struct document *doc;
    struct diags *diags;
    struct place at;
    struct span keyword, rest;
    struct arena scratch;
};

static o2w_status wrong(const struct line *l, const char *expected)
{
    o2w_status status = diag_error(l->diags, DIAG_TEXT_DIRECTIVE, "directive '%.*s': expected %s",
                                   SPAN_ARG(l->keyword), expected);
    return doc_at(l->doc, l->diags, l->at, status);
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

/* Moves over `size` bytes and the blanks behind them. */
static void move(struct line *l, size_t size)
{
    while (size < l->rest.size && is_blank(l->rest.data[size]))
        size++;
    l->rest.data += size;
    l->rest.size -= size;
}

static struct span take_word(struct line *l)
{
    struct span word = { l->rest.data, 0 };
    while (word.size < l->rest.size && !is_blank(word.data[word.size]) &&
           word.data[word.size] != '"')
        word.size++;
    move(l, word.size);
    return word;
}

static o2w_status take_subject(struct line *l, struct span *out)
{
    *out = take_word(l);
    return out->size > 0 ? O2W_OK : wrong(l, "an identifier");
}

/* The bytes of the JSON string that begins the rest, quotes included; 0 when it isn't closed. */
static size_t string_size(struct span s)
{
    for (size_t i = 1; i < s.size; i++) {
        if (s.data[i] == '"')
            return i + 1;
        if (s.data[i] == '\\')
            i++;
    }
    return 0;
}

/* One JSON value made of the next `size` bytes; what it holds is appended to the document's values. */
static o2w_status take_json(struct line *l, size_t size, enum doc_kind kind, const char *expected,
                            size_t *out)
{
    struct json_reader r;
    struct json_value v;
    *out = l->doc->values.count;
    o2w_status status =
        json_begin(&r, (struct span){ l->rest.data, size }, l->doc->file, &l->scratch, NULL);
    if (status == O2W_OK)
        status = json_next(&r, &v);
    if (status == O2W_OK)
        status = json_push(l->doc, &r, &v, true);
    if (status == O2W_OK)
        status = json_finish(&r);
    if (status == O2W_NO_MEMORY)
        return diag_memory(l->diags);
    if (status != O2W_OK || l->doc->values.items[*out].kind != kind)
        return wrong(l, expected);
    move(l, size);
    return O2W_OK;
}

static o2w_status take_string(struct line *l, struct span *out)
{
    size_t at, size = l->rest.size > 0 && l->rest.data[0] == '"' ? string_size(l->rest) : 0;
    if (size == 0)
        return wrong(l, "a quoted text");
    TRY(take_json(l, size, DOC_STRING, "a text with the escapes of JSON", &at));
    *out = doc_text(&l->doc->values.items[at]);
    l->doc->values.count = at;
    return O2W_OK;
}

static o2w_status take_number(struct line *l, int64_t *out)
{
    return number_parse_i64(take_word(l), out) == O2W_OK ? O2W_OK : wrong(l, "an integer");
}

static const struct form {
    const char *keyword;
    enum doc_directive_kind kind;
    bool subject, text, number, value; /* which arguments it has, in this order */
} forms[] = {
    { "weights", DIRECTIVE_WEIGHTS, .text = true },
    { "dim", DIRECTIVE_DIM, .text = true, .number = true },
    { "pin", DIRECTIVE_PIN, .text = true, .number = true },
    { "kept", DIRECTIVE_KEPT, .text = true },
    { "bound", DIRECTIVE_BOUND, .text = true, .number = true },
    { "subgraph", DIRECTIVE_SUBGRAPH, .text = true },
    { "name", DIRECTIVE_NAME, .subject = true, .text = true },
    { "labels", DIRECTIVE_LABELS, .subject = true, .value = true },
};

static o2w_status take_arguments(struct line *l, const struct form *form, struct doc_directive *out)
{
    out->kind = form->kind;
    out->place = l->at;
    if (form->subject)
        TRY(take_subject(l, &out->subject));
    if (form->text)
        TRY(take_string(l, &out->text));
    if (form->number)
        TRY(take_number(l, &out->number));
    if (form->value)
        TRY(take_json(l, l->rest.size, DOC_ARRAY, "an array of texts or of integers", &out->value));
    return l->rest.size == 0 ? O2W_OK : wrong(l, "the end of the line");
}

static o2w_status take_meta(struct line *l, struct doc_directive *out)
{
    *out = (struct doc_directive){ .kind = DIRECTIVE_META, .place = l->at };
    TRY(take_string(l, &out->subject));
    TRY(take_string(l, &out->text));
    return l->rest.size == 0 ? O2W_OK : wrong(l, "the end of the line");
}

static o2w_status take_line(struct line *l)
{
    struct doc_directive directive = { 0 };
    bool known = span_is(l->keyword, "meta");
    if (known)
        TRY(take_meta(l, &directive));
    for (size_t i = 0; i < sizeof forms / sizeof forms[0] && !known; i++)
        if ((known = span_is(l->keyword, forms[i].keyword)))
            TRY(take_arguments(l, &forms[i], &directive));
    return !known || VEC_PUSH(&l->doc->directives, directive) ? O2W_OK : diag_memory(l->diags);
}

o2w_status directive_read(struct document *doc, struct diags *d, struct place at, struct span text)
{
    struct span mark = SPAN("# o2w ");
    struct line l = {
        .doc = doc, .diags = d, .at = at, .rest = { text.data + mark.size, text.size - mark.size }
    };
    while (l.rest.size > 0 && is_blank(l.rest.data[l.rest.size - 1]))
        l.rest.size--;
    arena_init(&l.scratch, doc->values.allocator);
    l.keyword = take_word(&l);
    o2w_status status = take_line(&l);
    arena_free(&l.scratch);
    return status;
}
